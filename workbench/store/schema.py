"""The tables. Rows of `runs` are kept narrow: a scan over a million of them answers any filter in time.

    names ──< runs ──── run_details >── toolsets
               │
               ├──< events >── blobs       the facts, in order
               ├──< chunks                 received bytes, in their place between the events
               ├──< steps                  what a re-parse needs to find each reply
               └──< opinions               what people and judges say of the verdict
    chain                                  a hash for what was recorded; no key to `runs`, links outlive a removed run
    tool_sets ──< tool_set_versions        a user's tools, every save a version
    batches ──< batch_items                planned runs and how they were graded; a run may be deleted by itself
    batches ─── verifications, ──< observations     what a verification decided before, and what it saw in each run

Names (models, formats, tools, codes, …) are stored once and numbered. `runs.codes` and `runs.tools` list such numbers
as `,3,17,` so that a filter needs no join. `runs.edit_of` is the run whose reply a person edited, in the run of what was given
instead: the two are one exchange and one line of the history. The migrations make these tables; a test holds the two against each other.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

TEXT = Text().with_variant(Text(collation="C"), "postgresql")
"""Compared character by character, whatever the language of a server."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _count(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, server_default="0")


def _word(name: str) -> Column[str]:
    return Column(name, TEXT, nullable=False, server_default="")


def _run() -> Column[int]:
    return Column("number", ForeignKey("runs.number", ondelete="CASCADE"), nullable=False)


names = Table(
    "names",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("name", TEXT, nullable=False),
    UniqueConstraint("kind", "name"),
)

runs = Table(
    "runs",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("started_us", BigInteger, nullable=False),
    Column("deleted_us", BigInteger),
    _word("verdict"),
    _word("basis"),
    _word("mode"),
    _word("stop"),
    Column("provider_id", ForeignKey("names.id"), nullable=False),
    Column("model_id", ForeignKey("names.id"), nullable=False),
    Column("planner_id", ForeignKey("names.id")),
    Column("format_id", ForeignKey("names.id"), nullable=False),
    Column("wire_id", ForeignKey("names.id"), nullable=False),
    Column("origin_id", ForeignKey("names.id"), nullable=False),
    Column("simulated", Boolean, nullable=False),
    _word("codes"),
    _word("tools"),
    _count("duration_us"),
    _count("steps"),
    _count("calls"),
    _count("input_tokens"),
    _count("output_tokens"),
    Column("user_id", Integer),  # no foreign key: SQLite would have to rebuild the largest of the narrow tables
    Column("edit_of", Integer),  # the number of a run; again no foreign key
    sqlite_autoincrement=True,  # a number is never given to a second run
)
Index(
    "ix_runs_edit_of",
    runs.c.edit_of,
    sqlite_where=runs.c.edit_of.is_not(None),
    postgresql_where=runs.c.edit_of.is_not(None),
)

toolsets = Table(
    "toolsets",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hash", TEXT, nullable=False, unique=True),
    Column("body", TEXT, nullable=False),
)

run_details = Table(
    "run_details",
    metadata,
    Column("number", ForeignKey("runs.number", ondelete="CASCADE"), primary_key=True),
    Column("id", TEXT, nullable=False, unique=True),
    Column("owner", TEXT),
    _word("title"),
    _word("prompt"),
    _word("reason"),
    _word("target"),
    _word("target_id"),
    _word("policy"),
    _word("parser_version"),
    Column("toolset_id", ForeignKey("toolsets.id")),
)
Index(
    "ix_run_details_owner",
    run_details.c.owner,
    sqlite_where=run_details.c.owner.is_not(None),
    postgresql_where=run_details.c.owner.is_not(None),
)
Index("ix_run_details_target_id", run_details.c.target_id)

blobs = Table(
    "blobs",
    metadata,
    Column("id", Integer, primary_key=True),
    _run(),
    Column("data", TEXT, nullable=False),
    Index("ix_blobs_number", "number"),
)

events = Table(
    "events",
    metadata,
    _run(),
    Column("seq", Integer, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("body", TEXT),
    Column("blob_id", Integer),  # no foreign key: taking a blob out would walk through all events
    PrimaryKeyConstraint("number", "seq"),
)

chunks = Table(
    "chunks",
    metadata,
    _run(),
    Column("seq", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("exchange", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("layout", TEXT, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("number", "seq"),
)

steps = Table(
    "steps",
    metadata,
    _run(),
    Column("step", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("role", TEXT, nullable=False),
    Column("format", TEXT, nullable=False),
    Column("think_open", Boolean, nullable=False),
    Column("calls_in_reasoning", Boolean, nullable=False),
    PrimaryKeyConstraint("number", "step"),
)

chain = Table(
    "chain",
    metadata,
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("kind", TEXT, nullable=False),
    Column("number", Integer, nullable=False),
    Column("run_id", TEXT, nullable=False),
    Column("first", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("content", TEXT, nullable=False),
    Column("at_us", BigInteger, nullable=False),
    Column("hash", TEXT, nullable=False),
    Index("ix_chain_number", "number"),
)

batches = Table(
    "batches",
    metadata,
    Column("id", TEXT, primary_key=True),
    Column("created_us", BigInteger, nullable=False),
    _word("title"),
    _word("suite"),
    _count("seed"),
    _count("repeats"),
    _count("parallel"),
    _word("state"),
    Column("owner", TEXT),
    _word("cases"),
    _word("targets"),
    Column("stopping", TEXT),
)

batch_items = Table(
    "batch_items",
    metadata,
    Column("batch_id", ForeignKey("batches.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    _word("case_id"),
    Column("target", Integer, nullable=False),
    Column("repeat", Integer, nullable=False),
    _count("seed"),
    _word("state"),
    _word("run_id"),
    _word("verdict"),
    Column("result", TEXT),
    Column("sample", TEXT),
    PrimaryKeyConstraint("batch_id", "position"),
    Index("ix_batch_items_run_id", "run_id"),
)

verifications = Table(
    "verifications",
    metadata,
    Column("batch_id", ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True),
    Column("body", Text, nullable=False),
)

observations = Table(
    "observations",
    metadata,
    Column("batch_id", ForeignKey("batches.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("batch_id", "position"),
)

opinions = Table(
    "opinions",
    metadata,
    Column("id", Integer, primary_key=True),
    _run(),
    Column("made_us", BigInteger, nullable=False),
    _word("kind"),
    _word("who"),
    _word("state"),
    _word("why"),
    _word("transcript"),
    Index("ix_opinions_number", "number"),
)

tool_sets = Table(
    "tool_sets",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", TEXT, nullable=False, unique=True),
    Column("deleted_us", BigInteger),
)

tool_set_versions = Table(
    "tool_set_versions",
    metadata,
    Column("set_id", ForeignKey("tool_sets.id", ondelete="CASCADE"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("saved_us", BigInteger, nullable=False),
    _word("note"),
    Column("count", Integer, nullable=False),
    Column("body", TEXT, nullable=False),
    PrimaryKeyConstraint("set_id", "version"),
)
