"""Verifications: batches whose replies are observed and held against a reference.

Revision ID: r0004
"""

import sqlalchemy as sa
from alembic import op

revision = "r0004"
down_revision = "r0003"


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "verifications",
        sa.Column("batch_id", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_verifications_batch_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("batch_id", name=op.f("pk_verifications")),
    )
    op.create_table(
        "observations",
        sa.Column("batch_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_observations_batch_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("batch_id", "position", name=op.f("pk_observations")),
    )
