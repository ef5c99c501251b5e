"""The words of an attribution: repairs by name, calls by number, counts that agree with their noun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.formats.survey.forensics import BestAttempt, Survey

FLAWS = {
    "single_quotes": "single quotes", "trailing_comma": "a trailing comma", "raw_newline": "a raw line break in a string",
    "py_literal": "a Python literal", "unquoted_key": "a key without quotes", "smart_quotes": "typographic quotes",
    "missing_close_tag": "no closing tag", "missing_open_tag": "no opening tag", "missing_brace": "a missing brace",
    "extra_brace": "a brace too many", "double_encoded": "arguments encoded twice",
    "args_key": "another name for the arguments' key", "fenced": "a code fence around it",
    "text_around": "text around it", "extra_calls": "more calls than the format allows",
    "near_miss_tag": "a misspelt tag", "wrong_width_pipe": "an ASCII bar in place of the wide one",
    "name_prefix": "another spelling of the tool's name", "name_dup": "a doubled name",
    "wrapper_arg": "arguments wrapped once more", "schema_coerced": "a value of another type",
    "think_unclosed": "reasoning that is not closed", "channel_fix": "a wrong channel",
    "wrong_family": "another family's form", "missing_comma": "a missing comma", "comment": "a comment in the JSON",
    "name_key": "another name for the name's key", "html_escaped": "HTML escapes",
    "unescaped_quote": "a quote that is not escaped", "markdown_escaped": "Markdown's escapes in names",
    "open_value": "a value without its end", "positional": "arguments without names", "unquoted_text": "text without quotes",
    "text_as_argument": "plain text for an argument", "name_guessed": "no name of a tool",
}  # fmt: skip
"""Repair codes as a flaw of what the model wrote."""


def flaws(made: Sequence[BestAttempt]) -> str:
    """`A trailing comma in call 2; no closing tag in calls 1 and 3.`"""
    by_code: dict[str, list[int]] = {}
    for number, one in enumerate(made, 1):
        if one.outcome is Outcome.RECOVERED:
            for code in one.codes:
                by_code.setdefault(code, []).append(number)
    words = [f"{FLAWS.get(code, code)}{_at(numbers, len(made))}" for code, numbers in by_code.items()]
    return capital("; ".join(words)) + "."


def _at(numbers: Sequence[int], total: int) -> str:
    if total == 1:
        return ""
    if len(numbers) == total:
        return " in every call"
    return f" in {_calls(numbers)}"


def _calls(numbers: Sequence[int]) -> str:
    shown = [str(number) for number in numbers[:4]] + (["more"] if len(numbers) > 4 else [])
    return f"call{'' if len(numbers) == 1 else 's'} {and_list(shown)}"


def mixed_words(made: Sequence[BestAttempt]) -> str:
    """`call 1 is strict qwen3_coder_xml, call 2 is qwen_xml with no closing tag`."""
    words = []
    for number, one in enumerate(made[:4], 1):
        if one.outcome is Outcome.STRICT:
            words.append(f"call {number} is strict {one.format}")
        elif one.outcome is Outcome.RECOVERED:
            flaw = and_list([FLAWS.get(code, code) for code in one.codes])
            words.append(f"call {number} is {one.format} with {flaw}")
        else:
            words.append(f"call {number} cannot be read ({', '.join(one.codes)})")
    if len(made) > 4:
        words.append(f"and {len(made) - 4:,} more")
    return ", ".join(words)


def lost_words(made: Sequence[BestAttempt], missed: Sequence[BestAttempt]) -> str:
    """`call 2`, with the tool's name where it can be read."""
    numbers = [number for number, one in enumerate(made, 1) if one in missed]
    name = next((one.name for one in missed if one.name), "")
    return _calls(numbers) + (f" ({name})" if name else "")


def given_out(found: Survey, total: int, reader: str = "") -> str:
    """`Strict qwen_xml gives out 1 of 2 calls, tolerant 2 of 2.`"""
    home = found.reading(reader or found.asked) or found.best
    if home is None:
        return ""
    strict, tolerant = home.tolerant.strict, home.tolerant.calls
    noun = "call" if total == 1 else "calls"
    return f"Strict {home.format} gives out {strict:,} of {total:,} {noun}, tolerant {tolerant:,} of {total:,}."


def quote(text: str) -> str:
    """A piece of the text between quotation marks, shortened."""
    return repr(text if len(text) <= 30 else text[:29] + "…")


def and_list(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(count: int, one: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def is_are(count: int) -> str:
    """The verb for a count."""
    return "is" if count == 1 else "are"


def capital(text: str) -> str:
    """The text with a capital letter at its start; the rest stays."""
    return text[:1].upper() + text[1:]
