"""Where the time goes within one `nightgrid render` into an empty folder, as JSON: phase and CPU seconds.

    python -m benchmarks.phases matrix.yaml

The phases are the public functions that the command calls, in its order. What a process takes to end is added
by the caller, who sees it from outside.
"""

import gc
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_took_s: dict[str, float] = {}


@contextmanager
def _phase(name: str) -> Iterator[None]:
    began = time.process_time()
    yield
    _took_s[name] = _took_s.get(name, 0) + time.process_time() - began


def main() -> None:
    gc.disable()
    _took_s["interpreter starts"] = time.process_time()
    with _phase("imports"):
        import generator.cli.main  # noqa: PLC0415
        import generator.cli.render_command  # noqa: F401, PLC0415

    from generator.checks import duplicate_job, pin_missing, registry  # noqa: PLC0415
    from generator.cli.build import Build, prove  # noqa: PLC0415
    from generator.cli.inspect import gather, today_utc  # noqa: PLC0415
    from generator.config.matrix_file import matrix_of, read_tree  # noqa: PLC0415
    from generator.config.tree import Tree  # noqa: PLC0415
    from generator.domain.matrix import Matrix  # noqa: PLC0415
    from generator.outside.files import Change, write_all  # noqa: PLC0415
    from generator.plan.workflows import plan  # noqa: PLC0415
    from generator.render.text import render  # noqa: PLC0415

    file = Path(sys.argv[1])
    with _phase("read YAML and hold it to the schema"):
        tree = read_tree(file, file.name)
    if not isinstance(tree, Tree):
        raise SystemExit(str(tree))
    with _phase("matrix to cells"):
        matrix = matrix_of(tree)
    if not isinstance(matrix, Matrix):
        raise SystemExit(str(matrix))
    with _phase("checks"):
        tuple(pin_missing.check(matrix))
    with _phase("plan jobs"):
        workflows = plan(matrix)
    with _phase("checks"):
        tuple(duplicate_job.check(workflows))
    with _phase("render text"):
        rendered = [render(workflow, matrix.path, matrix.generator_version) for workflow in workflows]
        expected = {each.path: each.data for each in rendered}
    build = Build(tree=tree, matrix=matrix, workflows=workflows, expected=expected)
    with _phase("read and compare committed files"):
        facts, _ = gather(build, file.parent, today_utc())
    with _phase("checks"):
        registry.run(registry.OF_MATRIX, facts)
    with _phase("read back what is new"):
        prove(build, expected.keys())
    with _phase("write files"):
        changes = [Change(verb="write", path=path, old=b"", new=data) for path, data in expected.items()]
        write_all(file.parent, changes)
    print(json.dumps(_took_s))


if __name__ == "__main__":
    main()
