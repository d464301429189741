"""What a shell offers while a person types."""

from pathlib import Path

from generator.config.matrix_file import read_matrix
from generator.domain.matrix import Matrix
from generator.plan.ids import job_id


def job_ids(matrix: Path, incomplete: str) -> list[str]:
    """Ids of jobs that begin as typed; none where the matrix cannot be read."""
    read = read_matrix(matrix, matrix.name)
    if not isinstance(read, Matrix):
        return []
    return [id_ for id_ in map(job_id, read.cells) if id_.startswith(incomplete)]
