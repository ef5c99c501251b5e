"""The first tables.

Revision ID: r0001
"""

import sqlalchemy as sa
from alembic import op

from workbench.store.choose_database import index_of

revision = "r0001"
down_revision = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Compared character by character, whatever the language of a server."""


def upgrade() -> None:
    """Make all tables and the search index."""
    _make_lists()
    _make_runs()
    _make_details()
    _make_facts()
    index_of(op.get_bind()).create(op.get_bind())


def _make_lists() -> None:
    op.create_table(
        "names",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_names")),
        sa.UniqueConstraint("kind", "name", name=op.f("uq_names_kind")),
    )
    op.create_table(
        "toolsets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", TEXT, nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_toolsets")),
        sa.UniqueConstraint("hash", name=op.f("uq_toolsets_hash")),
    )


def _make_runs() -> None:
    op.create_table(
        "runs",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=False),
        sa.Column("deleted_us", sa.BigInteger(), nullable=True),
        sa.Column("verdict", TEXT, server_default="", nullable=False),
        sa.Column("basis", TEXT, server_default="", nullable=False),
        sa.Column("mode", TEXT, server_default="", nullable=False),
        sa.Column("stop", TEXT, server_default="", nullable=False),
        sa.Column("provider_id", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("planner_id", sa.Integer(), nullable=True),
        sa.Column("format_id", sa.Integer(), nullable=False),
        sa.Column("wire_id", sa.Integer(), nullable=False),
        sa.Column("origin_id", sa.Integer(), nullable=False),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        sa.Column("codes", TEXT, server_default="", nullable=False),
        sa.Column("tools", TEXT, server_default="", nullable=False),
        sa.Column("duration_us", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("steps", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("calls", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["format_id"], ["names.id"], name=op.f("fk_runs_format_id")),
        sa.ForeignKeyConstraint(["model_id"], ["names.id"], name=op.f("fk_runs_model_id")),
        sa.ForeignKeyConstraint(["origin_id"], ["names.id"], name=op.f("fk_runs_origin_id")),
        sa.ForeignKeyConstraint(["planner_id"], ["names.id"], name=op.f("fk_runs_planner_id")),
        sa.ForeignKeyConstraint(["provider_id"], ["names.id"], name=op.f("fk_runs_provider_id")),
        sa.ForeignKeyConstraint(["wire_id"], ["names.id"], name=op.f("fk_runs_wire_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_runs")),
        sqlite_autoincrement=True,
    )


def _make_details() -> None:
    op.create_table(
        "run_details",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("owner", TEXT, nullable=True),
        sa.Column("title", TEXT, server_default="", nullable=False),
        sa.Column("prompt", TEXT, server_default="", nullable=False),
        sa.Column("reason", TEXT, server_default="", nullable=False),
        sa.Column("target", TEXT, server_default="", nullable=False),
        sa.Column("target_id", TEXT, server_default="", nullable=False),
        sa.Column("policy", TEXT, server_default="", nullable=False),
        sa.Column("parser_version", TEXT, server_default="", nullable=False),
        sa.Column("toolset_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["number"], ["runs.number"], name=op.f("fk_run_details_number"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["toolset_id"], ["toolsets.id"], name=op.f("fk_run_details_toolset_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_run_details")),
        sa.UniqueConstraint("id", name=op.f("uq_run_details_id")),
    )
    op.create_index(
        "ix_run_details_owner",
        "run_details",
        ["owner"],
        unique=False,
        sqlite_where=sa.text("owner IS NOT NULL"),
        postgresql_where=sa.text("owner IS NOT NULL"),
    )
    op.create_index("ix_run_details_target_id", "run_details", ["target_id"], unique=False)


def _make_facts() -> None:
    op.create_table(
        "blobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("data", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["number"], ["runs.number"], name=op.f("fk_blobs_number"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blobs")),
    )
    op.create_index("ix_blobs_number", "blobs", ["number"], unique=False)
    op.create_table(
        "chunks",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("exchange", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("layout", TEXT, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["runs.number"], name=op.f("fk_chunks_number"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", "seq", name=op.f("pk_chunks")),
    )
    op.create_table(
        "events",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("body", TEXT, nullable=True),
        sa.Column("blob_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["number"], ["runs.number"], name=op.f("fk_events_number"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", "seq", name=op.f("pk_events")),
    )
    op.create_table(
        "steps",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("role", TEXT, nullable=False),
        sa.Column("format", TEXT, nullable=False),
        sa.Column("think_open", sa.Boolean(), nullable=False),
        sa.Column("calls_in_reasoning", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["runs.number"], name=op.f("fk_steps_number"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", "step", name=op.f("pk_steps")),
    )
