"""The input of a ReAct action: JSON, fenced JSON, keywords, or bare text for a tool with one text argument."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.calls import MISSING, RawText, report
from workbench.formats.kit.early_close import with_rest
from workbench.formats.kit.json_end import End
from workbench.formats.kit.key_lines import read_lines
from workbench.formats.kit.labels import label_line
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.python_calls import bound, read_python_call
from workbench.formats.kit.toolset import only_text

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.toolset import Tool
    from workbench.formats.kit.window import Step

LABELS = {
    "input": label_line("Action Input", bare=True), "action": label_line("Action", bare=True), "thought": label_line("Thought"),
    "observation": label_line("Observation"), "final": label_line("Final Answer"),
}  # fmt: skip
LINE = re.IGNORECASE | re.MULTILINE
_WASTE = 65_536
"""So many characters, and four for each one before, are walked past the next label where an object does not close."""
_LONGEST_PAIRS = 10_000
_BRACES = re.compile(r"[}\]]*+")
_CALLED = re.compile(r"[A-Za-z_][\w.]{0,63}\(\s*(\{.*\})\s*\)\W{0,3}", re.DOTALL)
"""`Action Input: Search({…})`: a name that says nothing, around the object."""
_LABELLED = re.compile(r"(?:json|arguments|args|input)\s{0,4}:?\s{0,4}(\{.*\})", re.DOTALL | re.IGNORECASE)
"""`Action Input: json {…}`: a word that says what the object is."""
_OWN_CALL = re.compile(r"(?P<name>[A-Za-z_][\w.\-]{0,127})\((?P<inside>.*)\)", re.DOTALL)
"""`Action Input: search(query="x")`: the action itself, called as in Python."""


@cache
def any_label_line() -> re.Pattern[str]:
    """Any label. The long expressions are made when a reply is first read: they take longer than the rest of the module."""
    return re.compile("|".join(f"^{label.full}" for label in LABELS.values()), LINE)


def read_object(scan: Scanner, at: int, name: str, repairs: tuple[str, ...]) -> Step[tuple[Any, int, tuple[str, ...]]]:
    """Read the object at `at`, the input of the named tool, or the problem with it; return it, where it ends, and what that took."""
    if scan.wasted <= _WASTE + 4 * (scan.base + at):
        state, stop = yield from scan.json_end(at)
    else:
        state, stop = End.BROKEN, (yield from _text_end(scan, at, fenced=True))
    if state is not End.DONE:
        label = any_label_line().search(scan.text, at, stop)
        scan.wasted += stop - label.start() if label else 0
        stop = label.start() if label else stop
    close = not scan.cut_short and state is not End.DONE
    read = read_json(scan.text, at, stop, close=close)
    if not read.error:
        more: tuple[str, ...] = ()
        end, value = (stop if state is End.DONE else read.end), read.value
        if isinstance(value, dict):
            value, end, more = yield from with_rest(scan, name, value, end)
        past = yield from _past_braces(scan, end)
        extra = ("extra_brace",) if past > end else ()
        return value, past, (*repairs, *read.repairs, *more, *extra)
    ended = scan.closed and stop >= len(scan.text)
    code = "truncated" if read.error == "truncated" and ended else "bad_json"
    code = read.error if read.error == "too_large" else code
    message = "The call is cut off." if code == "truncated" else f"The action input is no readable JSON. {read.message}"
    return report(code, scan.span(at, stop), message), stop, repairs


def _past_braces(scan: Scanner, at: int) -> Step[int]:
    """Skip closing brackets that are too many."""
    while True:
        at = _BRACES.match(scan.text, at).end()  # type: ignore[union-attr]
        if at < len(scan.text) or not (yield from scan.more()):
            return at


def _text_end(scan: Scanner, at: int, *, fenced: bool) -> Step[int]:
    """Return where bare text ends: at the next label, or at a fence that it did not open it"""
    labels = ("\nObservation", "\nAction", "\nThought", "\nFinal Answer")
    found = yield from scan.find(at, *labels, "```")
    while found is not None and not fenced and scan.text[found[0]] == "`":
        close = yield from scan.find(found[1], *labels, "```")
        if close is None or scan.text[close[0]] != "`":
            break
        found = yield from scan.find(close[1], *labels, "```")
    return found[0] if found else len(scan.text)


_HALF = re.compile(r"\nObs(?:e(?:r(?:v(?:a(?:t(?:io?)?)?)?)?)?)?\Z")
"""A label that the stop sequence cut off."""


def read_bare(
    scan: Scanner, at: int, name: str, repairs: tuple[str, ...], *, fenced: bool
) -> Step[tuple[Any, int, tuple[str, ...]]]:
    """Text up to the next label: for a tool with one required text argument, or none."""
    stop = yield from _text_end(scan, at, fenced=fenced)
    label = any_label_line().search(scan.text, at, stop)
    end = at + len(scan.text[at : label.start() if label else stop].rstrip())
    text = scan.text[at:end]
    if label is None and (half := _HALF.search(text)) is not None:
        text, end = text[: half.start()].rstrip(), at + half.start()
    tool = scan.tools.resolve(name).tool
    if text.strip(" `") in ("", "None", "null", "{}", "N/A", "n/a", "none"):
        if scan.cut_short and not text:
            return report("truncated", scan.span(at, end), "The call is cut off."), end, repairs
        return MISSING, end, (*repairs, *(("schema_coerced",) if text else ()))
    read = read_json(text, 0)
    if not read.error and isinstance(read.value, str) and text[read.end : read.end + 1] in ("", "\n"):
        inner = read_json(read.value.strip(), 0) if read.value.strip()[:1] == "{" else None
        if inner is not None and not inner.error and isinstance(inner.value, dict):
            return inner.value, at + read.end, (*repairs, "double_encoded", *inner.repairs)
        text = read.value if read.end == len(text) else text
    elif text[:1] == '"' and text.count('"') == 1:
        text = text[1:]  # the closing quote is lost
    called = _CALLED.fullmatch(text) or _LABELLED.fullmatch(text)
    inner = read_json(called.group(1), 0) if called else None
    if inner is not None and not inner.error and isinstance(inner.value, dict):
        return inner.value, end, (*repairs, "wrapper_arg", *inner.repairs)
    own = _OWN_CALL.fullmatch(text) if text.startswith(name) and tool is not None else None
    if own is not None and own["name"] == name and (given := inline_arguments(own["inside"], tool)) is not None:
        return given[0], end, (*repairs, "wrapper_arg", *given[1])
    named = _keywords(text, tool)
    if named is not None and not (scan.cut_short and end >= len(scan.text)):
        return named, end, (*repairs, "schema_coerced")
    pairs = _pairs(text, tool)
    if pairs is not None and not (scan.cut_short and end >= len(scan.text)):
        return pairs[0], end, (*repairs, *pairs[1])
    target = only_text(tool, text)
    if target:
        if scan.cut_short and end >= len(scan.text):
            return report("truncated", scan.span(at, end), "The call is cut off."), end, repairs
        return {target: text}, end, (*repairs, "schema_coerced", "text_as_argument")
    message = "The action input is no JSON object."
    return report("args_not_object", scan.span(at, end), message), end, repairs


def inline_arguments(text: str, tool: Any) -> tuple[Any, tuple[str, ...]] | None:
    """Read what stands in the brackets of `Action: NAME(…)`: an object, or arguments as Python has them."""
    text = text.strip()
    if not text:
        return MISSING, ()
    if text[0] == "{":
        read = read_json(text, 0)
        if not read.error and read.end == len(text):
            return read.value, read.repairs
    call = read_python_call(f"_({text})", 0, 1, len(text) + 3) if len(text) < 10_000 else "too_large"
    arguments = None if isinstance(call, str) else bound(call, tool)
    return None if isinstance(call, str) or arguments is None else (arguments[0], (*call.repairs, *arguments[1]))


def _pairs(text: str, tool: Tool | None) -> tuple[dict[str, Any] | RawText, tuple[str, ...]] | None:
    """Read the tool's own names before colons: an object without its braces, or a line for each."""
    if tool is None or ":" not in text:
        return None
    read = read_json(f"{{{text.rstrip().removesuffix('}')}}}", 0) if len(text) < _LONGEST_PAIRS else None
    if read is not None and not read.error and isinstance(read.value, dict):
        known = bool(read.value) and read.value.keys() <= tool.properties.keys()
        return (read.value, ("missing_brace", *read.repairs)) if known and not tool.missing(read.value) else None
    lines = read_lines(text, tool.properties)
    return (RawText(lines), ("missing_brace", "unquoted_text")) if lines and not tool.missing(lines) else None


def _keywords(text: str, tool: Any) -> dict[str, Any] | None:
    """Read `city="Rome", days=3`, if all names are the tool's."""
    if tool is None or "=" not in text or len(text) > 10_000:
        return None
    call = read_python_call(f"_({text})", 0, 1, len(text) + 3)
    if (
        isinstance(call, str)
        or call.positional
        or not call.keywords
        or not call.keywords.keys() <= tool.properties.keys()
    ):
        return None
    return call.keywords
