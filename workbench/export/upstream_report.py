"""A failed run as the report that its receiver wants: their headings, our evidence, and what only the reporter can add."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.errors import SecretError
from workbench.core.masking import Secrets
from workbench.export.report_facts import parser_in
from workbench.export.report_parts import part

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.export.report_facts import ReportFacts
    from workbench.export.report_layouts import Layout, ReportSection

MOST = 65_000
"""Characters of a body: trackers take 65,536."""
_COMMAND = re.compile(r"\bcommand (?:line|that launched)")
MADE_BY = "<sub>Evidence collected with the Tool-Calling Workbench{run}.</sub>"


@dataclass(frozen=True, slots=True)
class UpstreamReport:
    """What leaves, and what is known beside it."""

    receiver: str
    """The receiver's name."""
    title: str
    body: str
    """Markdown."""
    new_issue: str
    """Where it is opened; empty where that is not known."""
    search: tuple[str, ...]
    to_add: tuple[str, ...]
    """What only the reporter knows; it stands in the body as comments that nobody sees."""
    warnings: tuple[str, ...] = ()
    """What to think of before it is sent."""

    @property
    def text(self) -> str:
        """Title and body in one, as a file holds them."""
        return f"# {self.title}\n\n{self.body}"


def upstream_report(facts: ReportFacts, layout: Layout, secrets: Collection[str] = ()) -> UpstreamReport:
    """Lay the facts out. Keys become stars: ours in every spelling, and what looks like others'. Raise SecretError."""
    sections = [_section(one, facts, layout) for one in layout.sections]
    body = "\n\n".join((*sections, MADE_BY.format(run=f", run {facts.run_id}" if facts.exchange else ""))) + "\n"
    if len(body) > MOST:
        body = f"{body[:MOST]}\n…\n"
    mask = Secrets(secrets, foreign=True)
    title = mask.mask_text(" ".join(layout.title.format(title=facts.title).split())[:200])
    made = UpstreamReport(
        layout.name, title, mask.mask_text(body), layout.new_issue, facts.search,
        tuple(add for one in layout.sections for add in _missing(one, facts)), _warnings(facts, layout),
    )  # fmt: skip
    if Secrets(secrets).mask_text(made.text) != made.text:
        raise SecretError("The report holds a key; nothing was given out.", hint="Leave that run out, and report this.")
    return made


def _section(section: ReportSection, facts: ReportFacts, layout: Layout) -> str:
    blocks = [f"### {section.heading}"]
    if section.text:
        blocks.append(section.text)
    if section.checks:
        blocks.append("\n".join(f"- [ ] {check}" for check in section.checks))
    blocks += [told for name in section.parts if (told := part(name, facts, layout))]
    blocks += [f"<!-- to add: {add} -->" for add in _missing(section, facts)]
    return "\n\n".join(blocks)


def _missing(section: ReportSection, facts: ReportFacts) -> tuple[str, ...]:
    """What only the reporter can add: a command line that is known is not asked for."""
    return tuple(add for add in section.add if not (facts.command and _COMMAND.search(add)))


def _warnings(facts: ReportFacts, layout: Layout) -> tuple[str, ...]:
    found = []
    if facts.blame in ("format", "decision", "argument") and layout.id != "transformers":
        found.append(f"By this reading the first fault is the model's ({facts.blame}), not {layout.name}'s.")
    if (other := _other_parser(facts, layout)) is not None:
        found.append(other)
    if facts.expected is None or "not confirmed" in facts.expected_basis:
        found.append("What was expected is not confirmed: keep the run as a case, or correct it in the text.")
    if facts.exchange is not None and facts.exchange.request.body:
        found.append("The whole request stands in it, with its prompts and tools: look through it.")
    return tuple(found)


def _other_parser(facts: ReportFacts, layout: Layout) -> str | None:
    """What to try first where the server was started with the parser of other models."""
    named = parser_in(facts.command)
    known = next((names for kind, names in facts.parsers if kind == layout.parser), "")
    names = re.findall(r"[\w.-]+", known.partition("(")[0])
    if not named or not names or named in names:
        return None
    return f"The server was started with the parser {named}; for this model {layout.name} has {' or '.join(names)}. Try that first."
