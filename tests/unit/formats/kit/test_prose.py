"""White space beside markers, and markers that are only talked about."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import ParseEvent, Span, TextRead
from workbench.formats.kit.prose import Prose


def said(*pieces: str | None) -> str:
    """Say pieces (None: a marker) and return the text that came out."""
    events: list[ParseEvent] = []
    prose = Prose(events)
    at = 0
    for piece in pieces:
        if piece is None:
            prose.mark()
        else:
            prose.say(piece, at)
            at += len(piece)
    prose.close()
    assert "".join(event.text for event in events if hasattr(event, "text")) == "".join(prose.said)
    return "".join(prose.said)


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((" a b ", "\n"), " a b \n"),
        (("a", "\n\n", None), "a"),
        (("a\n", None, "\n\nb"), "a\nb"),
        (("a", None, " ", " b"), "a  b"),
        ((None, "\n", "b"), "b"),
        (("a", None, "\n"), "a"),
        (("\n", "\n", None, "b"), "b"),
    ],
)
def test_white_space(pieces: tuple[str | None, ...], text: str) -> None:
    assert said(*pieces) == text


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("Write `", "inline code"),
        ("Write ``", "inline code"),
        ('the "', "quotes"),
        ("> ", "quotation"),
        ("For example: ", "for example"),
        ("For example, you could write:\n", "for example"),
        ("Write `x` then ", ""),
        ("An example is fine.\n", ""),
        ("", ""),
    ],
)
def test_mentioned(before: str, why: str) -> None:
    prose = Prose([])
    prose.say(before, 0)
    assert (why in prose.mentioned()) if why else prose.mentioned() == ""


def test_marker_of_another_family() -> None:
    prose = Prose([])
    prose.say("<tool_call>\n", 0)
    assert prose.after_marker
    prose.say("text", 12)
    assert not prose.after_marker


def test_muted_text_is_heard() -> None:
    prose = Prose([])
    prose.muted = True
    prose.say("gone", 0)
    assert prose.spoke
    assert not prose.said


@pytest.mark.parametrize("mark", [">", "  > ", ">> "])
def test_markers_in_quotations_are_mentioned(mark: str) -> None:
    prose = Prose([])
    prose.say(f"They wrote:\n{mark}x", 0)
    assert prose.mentioned() == "it stands in a quotation"
    prose.say("\nNow.", 20)
    assert prose.mentioned() == ""


@pytest.mark.parametrize(
    ("before", "below"),
    [
        ("You could try:\n", True),
        ("You could try:", True),
        ("Examples: **", True),
        ("I do it now:", False),
        ("You could try:\nI do it now:", False),
        ("", False),
    ],
)
def test_what_stands_below_a_line_that_supposes(before: str, below: bool) -> None:
    """The last line counts as far as it was said; white space at its end waits."""
    prose = Prose([])
    prose.say(before, 0)
    assert prose.supposed_below is below


def behind_a_call(*before: str) -> Prose:
    prose = Prose([])
    prose.heard = False
    for at, text in enumerate(before):
        prose.say(text, at)
    prose.mark()
    prose.called()
    return prose


def test_text_between_calls_is_followed_by_who_stands_alike() -> None:
    first = behind_a_call("Hm.")
    stood = first.stand(10)
    assert stood is not None
    first.say("\nSo be it.\n", 10)
    first.mark()
    leg = first.leg(stood, 21)
    second = behind_a_call("Hm.")
    assert second.follow(leg)
    first.called()
    assert first.stand(40) == second.stand(40)
    assert (first.said, first.places, first.length) == (second.said, second.places, second.length)
    assert not behind_a_call("Ha.").follow(leg)
    assert not behind_a_call("Hm.", "`").follow(leg)
    heard = behind_a_call("Hm.")
    heard.say("What?\n", 5)
    assert heard.stand(9) is None
    assert not heard.follow(leg)


def test_white_space_between_words_has_its_own_place() -> None:
    events: list[ParseEvent] = []
    prose = Prose(events)
    prose.say("Hm. \n", 7)
    prose.say("So", 12)
    assert [(event.text, event.span) for event in events if isinstance(event, TextRead)] == [
        ("Hm.", Span(7, 10)), (" \n", Span(10, 12)), ("So", Span(12, 14)),
    ]  # fmt: skip
    assert prose.places == [(0, 7)]


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n```json\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n```\n</tool_call>⟧\n⟦<tool_call>\n```json\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n```\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "fenced"), ("get_weather", {"city": "Rome"}, "fenced")])),
        ("pythonic", "stop", Drawn("Say [⟨get_weather(city='Rome', days=3)⟩] to it.", [], ["ignored mentioned get_weather: This looks like a call but it stands in a sentence."], "Say [get_weather(city='Rome', days=3)] to it.")),
    ],
)  # fmt: skip
def test_calls_in_blocks_of_their_own_and_in_a_sentence(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('a ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧ b', [("now", {}, "")], [], "a b")),
        ("qwen_xml", Drawn('a\n\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n\nb', [("now", {}, "")], [], "a\n\nb")),
        ("qwen_xml", Drawn('\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n', [("now", {}, "")])),
        ("qwen_xml", Drawn("  a  ", [], [], "  a  ")),
        ("qwen_xml", Drawn('\'⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\'', [], ["ignored mentioned now: This looks like a call but it stands in quotes."], '\'<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\'')),
        ("qwen_xml", Drawn('"⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩"', [], ["ignored mentioned now: This looks like a call but it stands in quotes."], '"<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>"')),
        ("qwen_xml", Drawn('“⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩”', [], ["ignored mentioned now: This looks like a call but it stands in quotes."], '“<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>”')),
        ("qwen_xml", Drawn('> ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩', [], ["ignored mentioned now: This looks like a call but it stands in a quotation."], '> <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')),
        ("qwen_xml", Drawn('`⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩`', [], ["ignored mentioned now: This looks like a call but it stands in inline code."], '`<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>`')),
        ("qwen_xml", Drawn('``⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩``', [], ["ignored mentioned now: This looks like a call but it stands in inline code."], '``<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>``')),
        ("qwen_xml", Drawn('a `b` ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "a `b`")),
        ("qwen_xml", Drawn('a `b ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩', [], ["ignored mentioned now: This looks like a call but it stands in inline code."], 'a `b <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')),
        ("qwen_xml", Drawn('a `b\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "a `b")),
        ("qwen_xml", Drawn('The call is ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "The call is")),
        ("qwen_xml", Drawn('Do not write ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩', [], ["ignored mentioned now: This looks like a call but it is not to be written."], 'Do not write <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')),
        ("qwen_xml", Drawn('For example: ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩', [], ["ignored mentioned now: This looks like a call but it follows “for example”."], 'For example: <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')),
        ("qwen_xml", Drawn('For example:\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩', [], ["ignored mentioned now: This looks like a call but it follows “for example”."], 'For example:\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')),
        ("qwen_xml", Drawn('For example, this. ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "For example, this.")),
        ("qwen_xml", Drawn('<!-- ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩ -->', [], ["ignored mentioned now: This looks like a call but it stands in a comment."], '<!-- <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call> -->')),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧ and ⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")], [], "and")),
        ("qwen_xml", Drawn('For example: ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩ and ⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "")], ["ignored mentioned now: This looks like a call but it follows “for example”."], 'For example: <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call> and')),
        ("qwen_xml", Drawn('For example: ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\n\nNow: ⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "")], ["ignored mentioned now: This looks like a call but it follows “for example”."], 'For example: <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n\nNow:')),
        ("qwen_xml", Drawn('a\n\n\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "a")),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n\n\n⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧\n\n', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("qwen_xml", Drawn('a⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧b⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧c', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")], [], "abc")),
        ("qwen_xml", Drawn('<think>a</think>\n\nb\n\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n\n', [("now", {}, "")], [], "b")),
        ("pythonic", Drawn("None of the tools fit.\n[⟨now()⟩]", [], ["ignored mentioned now: This looks like a call but it follows words that no tool fits."], "None of the tools fit.\n[now()]")),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧]\nNone of the tools fit.", [("now", {}, "text_around")], [], "None of the tools fit.")),
        ("pythonic", Drawn("I call this: [⟦‹now›(«»)⟧]", [("now", {}, "text_around")], [], "I call this:")),
        ("pythonic", Drawn("- [⟦‹now›(«»)⟧]", [("now", {}, "text_around")], [], "-")),
        ("pythonic", Drawn("1. [⟦‹now›(«»)⟧]", [("now", {}, "text_around")], [], "1.")),
        ("pythonic", Drawn("a [⟦‹now›(«»)⟧] b", [("now", {}, "text_around")], [], "a b")),
        ("pythonic", Drawn("Example: [⟨now()⟩]", [], ["ignored mentioned now: This looks like a call but it follows “for example”."], "Example: [now()]")),
        ("pythonic", Drawn("`[⟦‹now›(«»)⟧]`", [("now", {}, "fenced")])),
        ("pythonic", Drawn("'[⟦‹now›(«»)⟧]'", [("now", {}, "double_encoded")])),
        ("pythonic", Drawn("[⟦‹now›(«»)⟧]\n\n", [("now", {}, "")])),
        ("pythonic", Drawn("now() is what I call.", [], [], "now() is what I call.")),
        ("pythonic", Drawn("I could say:\n[⟦‹now›(«»)⟧]", [("now", {}, "text_around")], [], "I could say:")),
        ("pythonic", Drawn("If I could, I would call:\n[⟨now()⟩]", [], ["ignored mentioned now: This looks like a call but it is only supposed."], "If I could, I would call:\n[now()]")),
        ("pythonic", Drawn("(⟦‹now›(«»)⟧)", [("now", {}, "near_miss_tag")])),
        ("pythonic", Drawn('"⟦‹now›(«»)⟧"', [("now", {}, "double_encoded")])),
    ],
)  # fmt: skip
def test_where_a_call_stands_in_text(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
