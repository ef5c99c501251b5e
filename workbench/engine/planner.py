"""Reading a planner's reply: SUMMARY, ANALYSIS + GUIDANCE, or OTHER (requirement B2).

Labels stand at line starts, in any case, with a colon or a dash or alone on their line; markdown headings, emphasis, list
numbers, quotes, emoji, bars and brackets around them are tolerated (`[GUIDANCE]`, `<GUIDANCE>`, `GUIDANCE FOR AUXILIARY MODEL:`).
Inside SUMMARY and GUIDANCE a list item and a deeper heading are text, whatever word they begin with. Reasoning blocks are not looked at. Labels
inside code fences count only where none stands outside. SUMMARY together with GUIDANCE is OTHER, because the two ask for
opposite things, unless one of them is empty. A SUMMARY alone is the answer up to the end of the reply, inner headings included: nothing is cut.
"""

from __future__ import annotations

import re

from workbench.core.calls import ParseProblem, Span
from workbench.core.events import PlannerKind, PlannerReply, Section

LABEL = re.compile(
    r"""^[ \t>]*+(?P<item>[-*+•][ \t]+|\d{1,2}[.)][ \t]+)?  # quote, bullet or number
        (?P<depth>\#{0,6})[ \t]*+[*_`]{0,3}[ \t]*+         # heading, emphasis
        (?:[^\w\s\x00-\x7f【]{1,3}[ \t]*+[*_`]{0,3}|(?P<bar>[=~-]{2,})[ \t]*+)?  # an emoji or a bar
        (?P<open>[\[<【])?[*_`]{0,3}
        (?P<label>SUMMARY|ANALYSIS|GUIDANCE)(?:[ \t]+FOR[ \t]+(?:THE[ \t]+)?AUXILIARY[ \t]+MODEL)?
        (?:[ \t]+\([^()\n]{1,60}\))?
        [*_`]{0,3}(?(open)[\]>】])[ \t]*+[*_`]{0,3}[ \t]*+
        (?(bar)[=~-]++[ \t]*+)(?:[:：][ \t]*[*_`]{0,3}|[-–—](?=[ \t])|(?=\r?$)(?:\r?\n(?:={3,}|-{3,})(?=[ \t]*\r?$))?|(?(open)(?=[ \t]*\S)|(?!)))[ \t]*""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)", re.DOTALL)
CLOSED_ONLY = re.compile(r"\A(?:(?!<think>).)*?</think>", re.DOTALL)
FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
CLOSING = re.compile(r"^[ \t]*</(?:SUMMARY|ANALYSIS|GUIDANCE)>[ \t]*$|</(?:SUMMARY|ANALYSIS|GUIDANCE)>[ \t]*$",
                     re.IGNORECASE | re.MULTILINE)  # fmt: skip
FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)


def read_plan(text: str) -> PlannerReply:
    """Classify a planner's reply. Spans point into `text`."""
    visible = _blank(CLOSED_ONLY, text) if "<think>" not in text else text
    visible = _blank(CLOSING, _blank(REASONING, visible))
    labels = _labels(_blank(FENCE, visible))
    if not labels:
        visible = _blank(FENCE_LINE, visible)
        labels = _labels(visible)
    sections = tuple(_sections(text, visible, labels))
    return _classify(sections, visible)


def _labels(visible: str) -> list[re.Match[str]]:
    """The labels; inside SUMMARY or GUIDANCE neither a deeper heading is one nor a list item, unless that label was one itself."""
    found: list[re.Match[str]] = []
    for match in LABEL.finditer(visible):
        last = found[-1] if found else None
        inside = last is not None and last["label"].upper() != "ANALYSIS" and not last["item"]
        if not (match["item"] and inside) and not _deeper(last, match, visible):
            found.append(match)
    if {match["label"].upper() for match in found} & {"SUMMARY", "GUIDANCE"} == {"SUMMARY"}:
        places = [place for place, match in enumerate(found) if match["label"].upper() == "SUMMARY"]
        filled = (place for place in places if visible[found[place].end() : _start(found, place + 1)].strip())
        return found[: next(filled, len(found)) + 1]
    return found


def _deeper(last: re.Match[str] | None, match: re.Match[str], visible: str) -> bool:
    """Whether a heading belongs to the text of the SUMMARY or GUIDANCE over it, which may not begin with the other one."""
    if last is None or last["label"].upper() == "ANALYSIS" or len(match["depth"]) <= len(last["depth"]):
        return False
    return match["label"].upper() == "ANALYSIS" or bool(visible[last.end() : match.start()].strip())


def _start(found: list[re.Match[str]], place: int) -> int | None:
    return found[place].start() if place < len(found) else None


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """Replace matches by spaces, line ends kept, so that positions hold."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def _sections(text: str, visible: str, labels: list[re.Match[str]]) -> list[Section]:
    sections = []
    for match, following in zip(labels, [*labels[1:], None], strict=False):
        end = following.start() if following else len(text)
        body = visible[match.end() : end]
        start = match.end() + len(body) - len(body.lstrip())
        stop = max(start, match.end() + len(body.rstrip()))
        label_at = Span(match.start() + len(match.group()) - len(match.group().lstrip()), match.end())
        sections.append(Section(match["label"].upper(), text[start:stop], Span(start, stop), label_at))
    return [part for part in sections if part.text.strip() or _only(part, sections)]


def _only(part: Section, sections: list[Section]) -> bool:
    """An empty section counts where it stands alone: a heading over the labels is no section."""
    return not any(other.label == part.label and other is not part for other in sections)


def _classify(sections: tuple[Section, ...], visible: str) -> PlannerReply:
    filled = {section.label for section in sections if section.text.strip()}
    present = {section.label for section in sections}
    if {"SUMMARY", "GUIDANCE"} <= filled:
        span = next(section.label_span for section in sections if section.label == "GUIDANCE")
        problem = ParseProblem("both_forms", span, "SUMMARY and GUIDANCE stand in one reply; exactly one is asked for.")
        return PlannerReply(PlannerKind.OTHER, sections, (problem,), "both SUMMARY and GUIDANCE")
    if "SUMMARY" in filled:
        return PlannerReply(PlannerKind.SUMMARY, sections)
    if "GUIDANCE" in filled:
        return PlannerReply(PlannerKind.GUIDANCE, sections)
    return PlannerReply(PlannerKind.OTHER, sections, _missing(sections, visible), _why_other(present, visible))


def _why_other(present: set[str], visible: str) -> str:
    if not visible.strip():
        return "the reply is empty"
    if "SUMMARY" in present or "GUIDANCE" in present:
        return f"{'SUMMARY' if 'SUMMARY' in present else 'GUIDANCE'} is empty"
    if "ANALYSIS" in present:
        return "ANALYSIS without GUIDANCE"
    return "neither SUMMARY nor GUIDANCE"


def _missing(sections: tuple[Section, ...], visible: str) -> tuple[ParseProblem, ...]:
    """The problem that a chip jumps to: the first sentence, or the label that leads nowhere."""
    if sections:
        return (ParseProblem("no_planner_heading", sections[0].label_span, "No section can be acted on."),)
    start = len(visible) - len(visible.lstrip())
    first = re.compile(r"[^\n]*?[.!?](?=\s|$)|[^\n]*").match(visible, start)
    end = first.end() if first else start
    return (ParseProblem("no_planner_heading", Span(start, end), "The reply has neither SUMMARY nor GUIDANCE."),)
