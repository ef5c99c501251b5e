"""A drafted format: its family file and its data file as texts, and in sentences what the samples did not show."""

from __future__ import annotations

import json
import keyword
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.formats.drafting.infer import infer
from workbench.formats.drafting.marker_texts import KEY, NAME
from workbench.formats.drafting.not_inferred import why_not
from workbench.formats.registry import ALIASES, TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.tools import ToolSpec
    from workbench.formats.drafting.grammar_fields import GrammarFields
    from workbench.formats.drafting.infer import FoundCall, Inferred

MOST_SAMPLES = 40
"""Texts that go into the data file."""
_WORD = re.compile(r"[^a-z0-9]+")
_UNSEEN = re.compile(
    r"[^\n\x20-\x7e\u00a1-\u1fff\u2030-\u205e\u2070-\ud7ff\uf900-\ufefe\uff01-\uffee\U0001f000-\U0001faff]"
)
"""Characters that are not surely seen as they are."""


class DraftedFormat(NamedTuple):
    """Two files, and what is to be known of them."""

    id: str
    family: str
    """Text of the Python file."""
    data: str
    """Text of the YAML file with the samples."""
    example: str
    """A call as a sample has it."""
    calls: int
    samples: int
    unknown: tuple[str, ...]
    """What could not be inferred, one sentence each."""


def draft_format(texts: Iterable[tuple[str, Sequence[ToolSpec]]], name: str = "") -> DraftedFormat:
    """Draft a format from texts and the tools that were offered with each; raise InvalidInput where that cannot be."""
    given = list(texts)
    if not any(tools for _, tools in given):
        raise InvalidInput("Nobody says which tools were offered.", hint="Give them with --tools FILE.")
    found = infer(given)
    if found is None:
        said, hint = why_not(given)
        raise InvalidInput(said, hint=hint)
    _refuse(found)
    id_ = _free_id(name or _name_of(found.markup))
    return DraftedFormat(
        id_, _family(id_, found), _data(found, given), _shown(found.samples[0][0], found.samples[0][1][0]),
        len(found.calls), len(found.samples), tuple(_unknown(found, given)),
    )  # fmt: skip


def _refuse(found: Inferred) -> None:
    markup = found.markup
    if len(markup.opens) < 2:
        raise InvalidInput(
            f"The marker {markup.opens!r} is one character: any text could hold it.",
            hint="Give samples whose calls begin with a longer marker.",
        )
    if re.fullmatch(r"[`~]{3,}", markup.opens):
        raise InvalidInput(
            f"The marker {markup.opens!r} begins any block of code.",
            hint="Give samples whose fence has a word of its own.",
        )
    if not markup.closes and not any(char.isalpha() for char in markup.opens):
        raise InvalidInput(
            f"No closing marker was found, and the opening one {markup.opens!r} is of signs alone: any text could hold it.",
            hint="Give samples whose calls end with a marker, or write the family by hand: docs/new-format.md.",
        )


def _name_of(markup: GrammarFields) -> str:
    word = _WORD.sub("_", f"{markup.opens} {markup.closes}".lower()).strip("_").split("_")
    told = "_".join(dict.fromkeys(part for part in word if part))[:24].strip("_")
    return f"own_{told}" if told else "own_marks"


def _free_id(name: str) -> str:
    made = _WORD.sub("_", name.lower()).strip("_")
    if not made.isidentifier() or keyword.iskeyword(made):
        raise InvalidInput(f"{name!r} is no id for a format.", hint="Take lower case letters, digits and '_'.")
    if made in TABLE or made in ALIASES:
        raise InvalidInput(f"The format id {made!r} is taken.", hint="Give another one with --id.")
    return made


# the family file


def _family(id_: str, found: Inferred) -> str:
    markup = found.markup
    text, calls = found.samples[0]
    shown = "\n".join(f"    {line}" for line in _shown(text, calls[0]).splitlines())
    head = (
        f'"""{_title(id_)}: drafted from {len(found.calls)} calls in {len(found.samples)} texts, not from a'
        f' specification.\n\n{_escaped(shown)}\n"""\n\nfrom __future__ import annotations\n\n'
    )
    return head + (_tag_json(id_, markup) if markup.name_key else _marked_call(id_, markup))


def _marked_call(id_: str, markup: GrammarFields) -> str:
    usual = {"between": " ", "divider": " "}
    fields = {
        "between": markup.between, "pair_open": markup.pair_open, "assign": markup.assign,
        "pair_close": markup.pair_close.replace(KEY, "{key}"), "divider": markup.divider or " ", "quote": markup.quote,
        "before_name": markup.before_name, "before_close": markup.before_close,
    }  # fmt: skip
    lines = "".join(f"    {name} = {value!r}\n" for name, value in fields.items() if value != usual.get(name, ""))
    if NAME in markup.closes:
        before, _, behind = markup.closes.partition(NAME)
        lines = f"    closes_around = ({before!r}, {behind!r})\n{lines}"
    elif markup.closes:
        lines = f"    closes = ({markup.closes!r},)\n{lines}"
    if markup.opens[0] in "`~":
        lines += "    reads_fences = False\n"
    return (
        "from workbench.formats.drafting.marked_call import MarkedCall\nfrom workbench.formats.kit.spec import FormatSpec\n\n\n"
        f'class {_title(id_)}(MarkedCall):\n    """The grammar."""\n\n    format = {id_!r}\n'
        f"    opens = ({markup.opens!r},)\n{lines}\n\n"
        f"GRAMMAR = {_title(id_)}()\n" + _spec(id_, "GRAMMAR", "GRAMMAR.written", markup)
    )


def _tag_json(id_: str, markup: GrammarFields) -> str:
    body = f"{{{markup.name_key!r}: call.name, {markup.argument_key!r}: call.arguments}}"
    closes = f"({markup.closes!r},)" if markup.closes else "()"
    return (
        "from workbench.formats.kit.envelope import Envelope\nfrom workbench.formats.kit.spec import FormatSpec, compact\n"
        "from workbench.formats.kit.tag_json import TagJson\n\n\n"
        f'class {_title(id_)}(TagJson):\n    """The grammar."""\n\n    format = {id_!r}\n'
        f"    envelope = Envelope({markup.name_key!r}, ({markup.argument_key!r},))\n"
        f"    opens = ({markup.opens!r},)\n    closes = {closes}\n\n\n"
        f'def write_call(call):\n    """Write one call."""\n    return {markup.opens!r} + compact({body}) + {markup.closes!r}\n\n\n'
        + _spec(id_, f"{_title(id_)}()", "write_call", markup)
    )


def _spec(id_: str, grammar: str, write: str, markup: GrammarFields) -> str:
    closer = "" if NAME in markup.closes else markup.closes
    return (
        f'FORMATS = (\n    FormatSpec(\n        id={id_!r}, family={id_!r}, models="not known", grammar={grammar},'
        f" write_call={write},\n        markers=(({markup.opens!r}, {closer!r}),),\n    ),\n)\n"
    )


def _title(id_: str) -> str:
    return "".join(word.capitalize() for word in id_.split("_"))


def _escaped(text: str) -> str:
    """A text as a docstring may hold it."""
    plain = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return _UNSEEN.sub(_code, plain)


def _code(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _shown(text: str, call: FoundCall) -> str:
    return text[call.start : call.end]


# the data file


def _data(found: Inferred, given: Sequence[tuple[str, Sequence[ToolSpec]]]) -> str:
    """Samples as YAML, each value written as JSON, which is YAML too."""
    offered = dict(given)
    lines = ["examples:"]
    for text, calls in found.samples[:MOST_SAMPLES]:
        lines += _sample(text, calls, offered[text])
    if malformed := _without_end(found):
        text, call = malformed
        lines += [
            "malformed:",
            "- why: the closing marker is missing",
            *_fields(text, [call], offered_of(offered, call)),
        ]
        lines += ["  outcome: recovered", "  repairs: [missing_close_tag]"]
    return "\n".join(lines) + "\n"


def offered_of(offered: dict[str, Sequence[ToolSpec]], call: FoundCall) -> Sequence[ToolSpec]:
    """The tools of the first text in which a call's tool was offered."""
    return next(tools for tools in offered.values() if any(tool.name == call.name for tool in tools))


def _sample(text: str, calls: Sequence[FoundCall], tools: Sequence[ToolSpec]) -> list[str]:
    fields = _fields(text, calls, tools)
    return [f"- {fields[0].strip()}", *fields[1:]]


def _fields(text: str, calls: Sequence[FoundCall], tools: Sequence[ToolSpec]) -> list[str]:
    named = [tool.to_openai() for tool in tools if any(call.name == tool.name for call in calls)]
    lines = [f"  raw: {_json(text)}", "  calls:"]
    lines += [f"  - {_json({'name': call.name, 'arguments': call.arguments})}" for call in calls]
    return [*lines, f"  tools: {_json(named)}"]


def _without_end(found: Inferred) -> tuple[str, FoundCall] | None:
    """The first call without its closing marker, where something else tells that its value is over."""
    markup = found.markup
    if not markup.closes or (markup.assign and not markup.quote and not markup.pair_close):
        return None
    text, calls = found.samples[0]
    whole = _shown(text, calls[0])
    closer = markup.closes.replace(NAME, calls[0].name)
    return (whole.removesuffix(closer).rstrip(), calls[0]) if whole.endswith(closer) else None


def _json(value: Any) -> str:
    """JSON that YAML takes too: what nobody sees is written as its number."""
    return _UNSEEN.sub(_code, json.dumps(value, ensure_ascii=False))


# what the samples do not show


def _unknown(found: Inferred, given: Sequence[tuple[str, Sequence[ToolSpec]]]) -> Iterable[str]:
    markup, calls = found.markup, found.calls
    if len(calls) == 1:
        yield "There is one call only: its markers are taken as they stand, and may hold something of that call."
    if markup.assign and max(call.pairs for call in calls) < 2:
        yield "No call has two arguments: what stands between them is not known, blanks are assumed."
    if not markup.closes:
        yield "No closing marker was found: a call ends with its JSON."
    if markup.assign:
        marks = (markup.closes.replace(NAME, "NAME"), markup.pair_close.replace(KEY, "KEY"), markup.divider)
        held = " or ".join(repr(mark.strip()) for mark in marks if mark.strip()) or "a line's end"
        yield f"How a value is written that holds {held}: a JSON string is read and written."
        if not any(isinstance(value, dict | list) for call in calls for value in call.arguments.values()):
            yield "How lists and objects are written: JSON is read and written."
    if all(len(calls_of) < 2 for _, calls_of in found.samples):
        yield "How several calls of one turn are written: one below the other is assumed."
    if all(call.arguments for call in calls):
        yield "How a call without arguments is written."
    yield "How results go back to the model: they are sent as JSON."
    yield "Which models write so: `models` in the file says nothing, and no row of models.toml leads here."
    missing = sorted({tool.name for _, tools in given for tool in tools} - {call.name for call in calls})
    if missing:
        yield f"These tools are called in no sample: {', '.join(missing[:8])}{', …' if len(missing) > 8 else ''}."
    if found.silent:
        yield f"In {found.silent} of {len(given)} texts no call in such markup was found."
    for opens, count in found.others.most_common(3):
        yield f"{count} call{'s are' if count > 1 else ' is'} written in another way, beginning with {opens!r}: not part of this draft."
