"""GitHub's conditions: short, and each holding a status function where a skipped ancestor must not decide."""

from generator.domain.check import After, Check, CheckKind, Weight

ALWAYS = "${{ always() }}"
_RUN_LIST = "fromJSON(needs.preflight.outputs.jobs)"
_CARRY_ON = "needs.preflight.outputs.continue_on_error == 'true'"


def of_job(id_: str, after: tuple[str, ...]) -> str:
    """When a job runs: not cancelled, chosen by preflight, what it waits for passed or was not asked for."""
    parts = ["!cancelled()", "needs.preflight.result == 'success'", f"contains({_RUN_LIST}, '{id_}')"]
    parts += [f"(needs.{other}.result == 'success' || !contains({_RUN_LIST}, '{other}'))" for other in after]
    return f"${{{{ {' && '.join(parts)} }}}}"


def of_kind(kinds: frozenset[CheckKind], kind: CheckKind) -> str:
    """Whether tonight's request wants this kind of check; empty where the job has one kind only."""
    if len(kinds) == 1:
        return ""
    return f"contains(fromJSON(needs.preflight.outputs.checks), '{kind.value}')"


def of_first(wanted: str) -> str:
    """When the first check of a job runs, or the server starts for it."""
    return f"${{{{ {wanted} }}}}" if wanted else ""


def of_later(check: Check, wanted: str, setup: str, before: tuple[str, ...]) -> str:
    """When a later check runs: the machine is ready, and no gating check before it failed, unless asked to.

    Args:
        check: the check.
        wanted: an expression that tells whether it is asked for; empty for always.
        setup: id of the step that must have succeeded.
        before: ids of the steps whose failure holds it back.
    """
    parts = ["!cancelled()", f"steps.{setup}.outcome == 'success'"]
    if wanted:
        parts.append(wanted)
    if check.after is After.SUCCESS and before:
        passed = " && ".join(f"steps.{id_}.outcome != 'failure'" for id_ in before)
        parts.append(f"(({passed}) || {_CARRY_ON})" if len(before) > 1 else f"({passed} || {_CARRY_ON})")
    return f"${{{{ {' && '.join(parts)} }}}}"


def holds_back(check: Check) -> bool:
    """Whether a failure of the check keeps later ones from running."""
    return check.weight is Weight.GATING


def of_stop(serve: str) -> str:
    """When the server is taken down: always, where its start was tried."""
    return f"${{{{ always() && steps.{serve}.outcome != 'skipped' }}}}"
