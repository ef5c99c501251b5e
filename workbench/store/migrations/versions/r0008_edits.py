"""A reply that was edited at a breakpoint of the gateway stands under the run whose reply it was.

Revision ID: r0008
"""

import sqlalchemy as sa
from alembic import op

from workbench.core.json_text import parse_json

revision = "r0008"
down_revision = "r0007"

_WRITTEN = """
SELECT runs.number, coalesce(events.body, blobs.data) FROM runs
JOIN names ON names.id = runs.provider_id
JOIN events ON events.number = runs.number AND events.seq = 0
LEFT JOIN blobs ON blobs.id = events.blob_id
WHERE names.name = 'By hand'
"""


def upgrade() -> None:
    """Add the column, and fill it from the records: what a person wrote names the run that it was made from."""
    op.add_column("runs", sa.Column("edit_of", sa.Integer(), nullable=True))
    filled = sa.text("edit_of IS NOT NULL")
    op.create_index("ix_runs_edit_of", "runs", ["edit_of"], unique=False, sqlite_where=filled, postgresql_where=filled)
    connection = op.get_bind()
    for number, body in connection.execute(sa.text(_WRITTEN)).all():
        parent = parse_json(body).get("parent") or {}
        if parent.get("edits") == ["reply"]:
            model = sa.text(
                "UPDATE runs SET edit_of = (SELECT number FROM run_details WHERE id = :id) WHERE number = :n"
            )
            connection.execute(model, {"id": parent["run_id"], "n": number})
