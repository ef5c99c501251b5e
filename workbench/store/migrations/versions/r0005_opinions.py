"""A batch's stopping rule; what people and judges say of a run's verdict.

Revision ID: r0005
"""

import sqlalchemy as sa
from alembic import op

revision = "r0005"
down_revision = "r0004"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Compared character by character, whatever the language of a server."""


def upgrade() -> None:
    """Add the column, make the table."""
    op.add_column("batches", sa.Column("stopping", TEXT, nullable=True))
    op.create_table(
        "opinions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("made_us", sa.BigInteger(), nullable=False),
        sa.Column("kind", TEXT, server_default="", nullable=False),
        sa.Column("who", TEXT, server_default="", nullable=False),
        sa.Column("state", TEXT, server_default="", nullable=False),
        sa.Column("why", TEXT, server_default="", nullable=False),
        sa.Column("transcript", TEXT, server_default="", nullable=False),
        sa.ForeignKeyConstraint(["number"], ["runs.number"], name=op.f("fk_opinions_number"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_opinions")),
    )
    op.create_index(op.f("ix_opinions_number"), "opinions", ["number"])
