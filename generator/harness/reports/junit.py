"""`junit.xml`: one test case a gate, for programs that show test results.

A wrong answer is no failed test: at an accuracy of 0.95 every good night would show dozens of them.
"""

import re
from xml.sax.saxutils import escape, quoteattr

from generator.harness.evaluate.gates import Verdict
from generator.harness.reports.record import Finished

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


def junit(finished: Finished) -> str:
    """The XML text."""
    judgement = finished.judgement
    not_measured = judgement.verdict is Verdict.NOT_MEASURED
    message = quoteattr(_clean(judgement.summary))
    cases = []
    failures = 0
    for gate in judgement.gates:
        name = quoteattr(f"{gate.name} {gate.sign} {gate.bound:g}")
        inner = ""
        if not not_measured and not gate.is_met:
            failures += 1
            inner = f"<failure message={message}>measured {gate.measured:.6f}</failure>"
        if not_measured:
            inner = f"<error message={message}>{escape(_clean(judgement.help))}</error>"
        cases.append(f'  <testcase classname="{finished.check}" name={name} time="0">{inner}</testcase>')
    errors = len(cases) if not_measured else 0
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<testsuite name="{finished.check}" tests="{len(cases)}" failures="{failures}" errors="{errors}" '
        f'time="{finished.timing.wall_s:.3f}">\n' + "\n".join(cases) + "\n</testsuite>\n"
    )
