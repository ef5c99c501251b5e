"""What the page shows of a scan, as plain lines: sources, alike findings, and the words around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from workbench.scan.dialect_shape import UNKNOWN
from workbench.scan.finding import TITLES
from workbench.scan.sources import SourceState
from workbench.scan.tally import TallyColumn, column_of, day_of
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted, duration_words, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from workbench.scan.finding import Finding
    from workbench.scan.scanner import Seen
    from workbench.scan.sources import Source

ALL = 0
"""Number of the line that stands for all sources."""
_ICONS = {
    "claude-code": "folder", "codex": "folder", "opencode": "database", "log": "file-text", "har": "file-text", "text": "clipboard-text",
    "transcript": "clipboard-text",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One row of the list of sources."""

    number: int
    title: str
    subtitle: str
    icon: str
    word: str
    """At the right: a count, `queued`, `error`."""
    state: str = ""
    """`fail` where something was found, `error`, or empty."""
    share: float | None = None
    """Of what is being read; None: no bar."""
    tip: str = ""


def source_lines(seen: Seen) -> list[SourceLine]:
    """All sources as one line, then each of them."""
    found = sum(source.findings for source in seen.sources)
    read = sum(source.replies for source in seen.sources)
    places = counted(len(seen.sources), "place")
    every = SourceLine(
        ALL,
        tr("All sources"),
        tr("{places}, {read:,} read", places=places, read=read),
        "stack",
        f"{found:,}",
        "fail" if found else "",
    )
    return [every, *(_source_line(source) for source in seen.sources)]


def _source_line(source: Source) -> SourceLine:
    title = (
        source.path.name if source.path is not None and source.files <= 1 and not source.path.is_dir() else source.title
    )
    icon = "clipboard-text" if source.text is not None else _ICONS.get(source.kind, "file-text")
    tip = "\n".join(
        [
            source.name,
            *(f"{one.place}: {one.message}" for one in source.problems[:8]),
            *([source.error] if source.error else []),
        ]
    )
    word, state, share = f"{source.findings:,}", "fail" if source.findings else "", None
    match source.state:
        case SourceState.QUEUED:
            word, state = "queued", ""
        case SourceState.ERROR:
            word, state = "error", "error"
        case SourceState.READING:
            share = min(source.done / source.size, 1.0) if source.size else None
        case SourceState.STOPPED:
            share = None
    return SourceLine(
        source.number,
        title or source.name.rpartition("/")[2] or source.name,
        source_words(source),
        icon,
        word,
        state,
        share,
        tip,
    )


def source_words(source: Source) -> str:
    """The second line of a source."""
    if source.state is SourceState.ERROR:
        return source.error.partition(" Tried:")[0]
    if source.state is SourceState.QUEUED:
        return tr("waits for its turn")
    parts = [tr("{replies:,} read", replies=source.replies)]
    if source.files > 1:
        parts = [tr("{files}, {replies:,} read", files=counted(source.files, "file"), replies=source.replies)]
    if source.kind == "opencode":
        parts.append("keys never opened")
    elif source.size > 1_000_000:
        parts.insert(0, size(source.size))
    if source.troubles:
        parts.append(f"{source.troubles:,} not readable")
    if source.state is SourceState.STOPPED:
        parts.append("stopped")
    return " · ".join(parts)


def title_words(seen: Seen) -> str:
    """`7 sources · 1,248 findings in 11,482 read`, for the top bar."""
    found = counted(seen.tally.findings, "finding") if seen.tally.findings else tr("nothing found")
    words = tr(
        "{sources} · {found} in {replies:,} read",
        sources=counted(len(seen.sources), "source"),
        found=found,
        replies=seen.tally.replies,
    )
    return tr("partial, {words}", words=words) if seen.stopped else words


def progress_words(seen: Seen) -> tuple[str, str]:
    """What stands beside the spinner: what was read, and how long it takes."""
    read = tr("{done} of {size}", done=size(seen.done), size=size(seen.size))
    spent = duration_words(seen.seconds)
    if not seen.running and seen.stopped:
        return tr("partial, {read}", read=read), tr("stopped after {spent}", spent=spent)
    if not seen.running:
        return tr(
            "{replies}, {done}", replies=counted(seen.tally.replies, "reply", "replies"), done=size(seen.done)
        ), tr("read in {spent}", spent=spent)
    if not seen.done or seen.seconds < 1:
        return read, spent
    left = (seen.size - seen.done) / seen.done * seen.seconds
    return read, tr("{spent}, about {left} to go", spent=spent, left=duration_words(left))


class Chosen(NamedTuple):
    """Which findings are listed."""

    source: int = ALL
    kind: str = ""
    by: str = "server"
    column: TallyColumn | None = None
    words: str = ""
    """What is typed into the filter, such as `model:qwen* format:qwen_xml timeout`."""


_FIELDS: dict[str, Callable[[Finding], str]] = {
    "kind": lambda one: one.kind,
    "model": lambda one: one.model,
    "server": lambda one: one.server,
    "format": lambda one: one.format or "none",
    "day": lambda one: day_of(one.at_us),
    "tool": lambda one: one.tool,
    "place": lambda one: one.place,
    "source": lambda one: one.source,
}
"""What a filter can name; anything else is looked for in all of a finding's words."""


def chosen_findings(findings: Iterable[Finding], chosen: Chosen) -> list[Finding]:
    """Those that the chosen source, cell and words leave."""
    terms = [_term(word) for word in chosen.words.split()]
    return [
        finding for finding in findings
        if (chosen.source in (ALL, finding.of))
        and (not chosen.kind or finding.kind == chosen.kind)
        and (chosen.column is None or chosen.column == column_of(chosen.by, _key(finding)))
        and all(term(finding) for term in terms)
    ]  # fmt: skip


def _term(word: str) -> Callable[[Finding], bool]:
    """One word of a filter: `field:glob`, or a part of anything."""
    name, _, wanted = word.partition(":")
    read = _FIELDS.get(name.lower())
    low = wanted.lower()
    if read is not None and wanted:
        if any(sign in low for sign in "*?["):
            return lambda finding: fnmatchcase(read(finding).lower(), low)
        return lambda finding: low in read(finding).lower()
    low = word.lower()
    return lambda finding: (
        any(
            low in part.lower() for part in (finding.kind, finding.tool, finding.around, finding.message, finding.place)
        )
        or low in finding.raw.lower()
    )


def _key(finding: Finding) -> tuple[str, str, str, str]:
    return finding.model, finding.server, finding.format, day_of(finding.at_us)


@dataclass(frozen=True, slots=True)
class GroupLine:
    """Findings that are alike, as one row; or one finding."""

    findings: tuple[Finding, ...]
    """The latest first."""
    marked: bool = False

    @property
    def shown(self) -> Finding:
        """The one whose text is shown."""
        return self.findings[0]

    @property
    def tools(self) -> str:
        """What was called: one tool, and how many others."""
        names = dict.fromkeys(one.tool for one in self.findings)
        return f"{self.shown.tool or '–'} +{len(names) - 1}" if len(names) > 1 else self.shown.tool or "–"

    @property
    def around(self) -> str:
        """What is peculiar about the place; of a call in unknown markup how it is written."""
        return self.shown.around.removeprefix(UNKNOWN).strip() or self.shown.around

    @property
    def times(self) -> int:
        """How many there are."""
        return len(self.findings)

    @property
    def last_us(self) -> int:
        """When it was seen last; 0: not known."""
        return max(one.at_us for one in self.findings)

    @property
    def days(self) -> int:
        """On how many days."""
        return len({day_of(one.at_us) for one in self.findings if one.at_us})


def group_lines(
    findings: Iterable[Finding], marked: Mapping[object, bool] | None = None, *, folded: bool = True
) -> list[GroupLine]:
    """Alike findings as one line, the most frequent first; without `folded` each alone, the latest first."""
    marks = marked or {}
    if not folded:
        ordered = sorted(findings, key=lambda one: -one.at_us)
        return [GroupLine((one,), bool(marks.get(one.alike))) for one in ordered]
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.alike, []).append(finding)
    lines = [
        GroupLine(tuple(sorted(group, key=lambda one: -one.at_us)), bool(marks.get(alike)))
        for alike, group in groups.items()
    ]
    return sorted(lines, key=lambda one: (-one.times, one.shown.kind, one.shown.tool))


def heading_words(findings: list[Finding], chosen: Chosen, kinds: int) -> tuple[str, str]:
    """What the list holds: its title, and how many of what."""
    where = tr(" in {title}", title=chosen.column.title) if chosen.column is not None else ""
    title = chosen.kind or tr("All findings")
    return title, tr(
        "{findings:,}{where}, {kinds} of text", findings=len(findings), where=where, kinds=counted(kinds, "kind")
    )


def kind_title(kind: str) -> str:
    """What a kind is called in words."""
    return TITLES.get(kind, kind)
