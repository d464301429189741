"""Time and memory of nightgrid as whole processes, beside other generators that write the same jobs.

    python -m benchmarks [--sizes 50 1000 10000] [--alone] [--json FILE] [--markdown FILE]

The other generators are installed into .benchmarks/ when they are not there; only then a network is needed.
Everything else is made in a temporary folder that is removed at the end.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks.machine import this_machine
from benchmarks.measure import Size, measure
from benchmarks.peers import PEERS
from benchmarks.process import BrokenError
from benchmarks.tables import report

_SHIPPED = Size(name="shipped matrix", jobs=0, rounds=7)


def main() -> None:
    arguments = _arguments()
    peers = () if arguments.alone else PEERS
    try:
        for peer in peers:
            peer.install()
        machine = this_machine(peers)
        with tempfile.TemporaryDirectory(prefix="nightgrid-benchmark-") as scratch:
            sizes = (_SHIPPED, *(_size(jobs) for jobs in arguments.sizes))
            results = [measure(size, peers, Path(scratch)) for size in sizes]
    except BrokenError as problem:
        raise SystemExit(f"error: {problem}") from problem
    text = report(machine, results)
    sys.stdout.write(text)
    if arguments.markdown:
        arguments.markdown.write_text(text, encoding="utf-8")
    if arguments.json:
        data = {"machine": asdict(machine), "results": [asdict(result) for result in results]}
        arguments.json.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[50, 1000, 10_000], help="numbers of jobs")
    parser.add_argument("--alone", action="store_true", help="without the other generators")
    parser.add_argument("--json", type=Path, help="write every number to this file")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file too")
    return parser.parse_args()


def _size(jobs: int) -> Size:
    rounds = 7 if jobs <= 100 else 5 if jobs <= 1000 else 2
    return Size(name=f"{jobs:,} jobs", jobs=jobs, rounds=rounds)


if __name__ == "__main__":
    main()
