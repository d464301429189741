"""What a client costs: wall and CPU seconds for 1,319 questions that a server answers after 200 ms each.

    pip install aiohttp
    python benchmarks/client.py [--rounds 3] [--concurrency 64 256 1319]

The server runs in a process of its own. Of each client the round with the least wall time is shown; the
clients take turns within a round, so that a busy machine hits all of them. The ideal is
ceil(1319 / concurrency) times 0.2 s.
"""

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import resource
import socket
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

sys.path.insert(0, str(Path(__file__).parents[1]))

import requests

from generator.harness.client.http import Connection, encode_post, resolve
from generator.harness.client.retry import Answered, Backoff, ask

try:
    import aiohttp
except ImportError:
    aiohttp = None

QUESTIONS = 1319
DELAY_S = 0.2
PROMPT = "Question: " + "x" * 3000
BODY = json.dumps(
    {"model": "m", "prompt": PROMPT, "max_tokens": 512, "temperature": 0, "stop": ["\n\nQuestion"]}
).encode()
ANSWER = json.dumps(
    {"choices": [{"text": "y" * 600, "finish_reason": "stop"}], "usage": {"completion_tokens": 150}}
).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(ANSWER)
REPLY = HEAD + ANSWER


class Slow(asyncio.Protocol):
    """Answers each request after the delay; looks at no more of it than its length."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while True:
            head, mark, rest = self.buffer.partition(b"\r\n\r\n")
            if not mark:
                return
            lower = head.lower()
            place = lower.find(b"content-length:")
            length = int(lower[place + 15 :].split(b"\r\n")[0])
            if len(rest) < length:
                return
            self.buffer = rest[length:]
            asyncio.get_running_loop().call_later(DELAY_S, self.answer)

    def answer(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(REPLY)


def serve(listener: socket.socket) -> None:
    async def forever() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Slow, sock=listener, backlog=4096)
        await server.serve_forever()

    asyncio.run(forever())


def ours(url: str, concurrency: int) -> int:
    """The harness's own hot path, retries and time limits included."""
    target = resolve(url)
    backoff = Backoff(attempts=5, first_s=0.5, longest_s=30)

    async def nothing(_: str) -> None:
        return

    async def worker(left: list[int]) -> int:
        connection = Connection(target=target, limit_s=600)
        done = 0
        try:
            while left:
                left.pop()
                got = await ask(connection, encode_post(target, "/v1/completions", BODY), backoff, nothing)
                done += isinstance(got, Answered) and got.body == ANSWER
        finally:
            connection.close()
        return done

    async def go() -> int:
        left = list(range(QUESTIONS))
        return sum(await asyncio.gather(*(worker(left) for _ in range(concurrency))))

    return asyncio.run(go())


def with_aiohttp(url: str, concurrency: int) -> int:
    async def go() -> int:
        left = list(range(QUESTIONS))
        timeout = aiohttp.ClientTimeout(total=600)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:

            async def worker() -> int:
                done = 0
                while left:
                    left.pop()
                    headers = {"Content-Type": "application/json"}
                    async with session.post(f"{url}/v1/completions", data=BODY, headers=headers) as response:
                        done += await response.read() == ANSWER
                return done

            return sum(await asyncio.gather(*(worker() for _ in range(concurrency))))

    return asyncio.run(go())


def with_requests(url: str, concurrency: int) -> int:
    local = threading.local()

    def one(_: int) -> bool:
        if not hasattr(local, "session"):
            local.session = requests.Session()
            local.session.trust_env = False
        got = local.session.post(
            f"{url}/v1/completions", data=BODY, headers={"Content-Type": "application/json"}, timeout=600
        )
        return bool(got.content == ANSWER)

    with ThreadPoolExecutor(concurrency) as pool:
        return sum(pool.map(one, range(QUESTIONS)))


Client = Callable[[str, int], int]
CLIENTS: dict[str, Client] = {"harness": ours, "requests, a session a thread": with_requests}
if aiohttp is not None:
    CLIENTS["aiohttp, no limit"] = with_aiohttp


def measure(client: Client, url: str, concurrency: int) -> tuple[float, float]:
    before, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    done = client(url, concurrency)
    wall_s = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_SELF)
    if done != QUESTIONS:
        raise SystemExit(f"only {done} of {QUESTIONS} answers")
    return wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[64, 256, 1319])
    arguments = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = multiprocessing.get_context("fork").Process(target=serve, args=(listener,), daemon=True)
    server.start()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for concurrency in arguments.concurrency:
        ideal_s = math.ceil(QUESTIONS / concurrency) * DELAY_S
        best: dict[str, tuple[float, float]] = {}
        for _ in range(arguments.rounds):
            for name, client in CLIENTS.items():
                best[name] = min(best.get(name, (math.inf, math.inf)), measure(client, url, concurrency))
        print(f"\nconcurrency {concurrency}, ideal {ideal_s:.2f} s")
        for name, (wall_s, cpu_s) in best.items():
            over = 100 * (wall_s / ideal_s - 1)
            print(f"  {name:30} wall {wall_s:6.3f} s ({over:+5.1f}%)   CPU {cpu_s:5.2f} s")
    server.terminate()


if __name__ == "__main__":
    main()
