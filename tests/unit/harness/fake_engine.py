"""A program that behaves as an inference server does, or as one that goes wrong in a way that a test names.

python fake_engine.py BEHAVIOUR --model M --host H --port P [--metrics]
"""

import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BEHAVIOUR = sys.argv[1]
PORT = int(sys.argv[sys.argv.index("--port") + 1])
BORN = time.monotonic()

DEATHS = {
    "dies-out-of-memory": "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB.",
    "dies-of-argument": "launch_server.py: error: unrecognized arguments: --bogus",
    "dies-of-disk": "OSError: [Errno 28] No space left on device: '/tmp/x'",
    "dies-of-nothing": "bye",
}


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def reply(self, record: object, status: int = 200) -> None:
        body = json.dumps(record).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path == "/health":
            self.reply({}, 200 if time.monotonic() - BORN > 0.3 else 503)
        elif self.path == "/version":
            self.reply({"version": "1.2.3"})
        elif self.path == "/v1/models":
            self.reply({"data": [{"id": "fake"}]})
        else:
            self.reply({}, 404)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if BEHAVIOUR == "hangs":
            time.sleep(60)
        self.reply({"choices": [{"text": "2", "finish_reason": "length"}], "usage": {"completion_tokens": 1}})


def main() -> None:
    if BEHAVIOUR in DEATHS:
        say("Loading safetensors checkpoint shards:  50% Completed | 1/2")
        time.sleep(0.2)
        say(DEATHS[BEHAVIOUR])
        sys.exit(1)
    if BEHAVIOUR == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if BEHAVIOUR == "never-healthy":
        say("Loading safetensors checkpoint shards:   5% Completed | 1/20")
        time.sleep(60)
    if BEHAVIOUR in {"family", "stubborn"}:
        # A worker in a session of its own, which a signal to the process group does not reach.
        ignore = "import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(120)"
        plain = "import time; time.sleep(120)"
        worker = subprocess.Popen(
            [sys.executable, "-c", ignore if BEHAVIOUR == "stubborn" else plain], start_new_session=True
        )
        Path(os.environ["WORKER_FILE"]).write_text(str(worker.pid))
    if BEHAVIOUR == "bare-worker":
        worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], env={})
        Path(os.environ["WORKER_FILE"]).write_text(str(worker.pid))
    say("load weight begin\rload weight end")
    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()


main()
