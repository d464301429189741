"""The checks of workflows that are not, byte for byte, what they should be; imported where there are some."""

from generator.checks import (
    float_version,
    foreign_condition,
    job_continue_on_error,
    job_without_option,
    not_in_sum,
    option_without_job,
    sum_ignores_cancelled,
    unguarded_chain,
)
from generator.checks.registry import Check

# What a changed workflow would cost.
OF_EDITED: dict[str, Check] = {
    module.ID: module.check
    for module in (
        float_version,
        foreign_condition,
        job_continue_on_error,
        job_without_option,
        not_in_sum,
        option_without_job,
        sum_ignores_cancelled,
        unguarded_chain,
    )
}
