"""White space beside markers, and markers that are only talked about."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import ParseEvent, Span, TextRead
from workbench.formats.kit.prose import Prose
from workbench.formats.kit.talk import FAR


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
        (("a", None, " \n", None, "b"), "ab"),
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
        ("qwen_xml", Drawn('a ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧ b', [("now", {}, "text_around")], [], "a b")),
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


def after(*steps: str | None, at: int = 0) -> Prose:
    """Say one text after the other (None: a marker), without a gap between their places."""
    prose = Prose([])
    for step in steps:
        if step is None:
            prose.mark()
        else:
            prose.say(step, at)
            at += len(step)
    return prose


VIEWS = (
    "in_code", "code_open", "quoted", "after_marker", "fresh_line", "in_sentence", "announced", "announced_below",
    "supposed_below", "offered_below",
)  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "holds"),
    [
        ((), "fresh_line"),
        (("\n",), "fresh_line"),
        (("Words",), ""),
        (("Words\n",), "fresh_line"),
        (("Words \n  ",), "fresh_line"),
        (("Words ",), "in_sentence"),
        (("Words, ",), "in_sentence"),
        (("Words,",), ""),
        (("Words.  ",), ""),
        (("Words\n ",), "fresh_line"),
        (("Words ", None), "fresh_line"),
        (("a `b",), "in_code code_open"),
        (("a `b ",), "in_code code_open in_sentence"),
        (("a `b` ",), ""),
        (("a `b`",), "in_code"),
        (("a `b\n",), "fresh_line"),
        (("a `b\nc",), ""),
        (("a `b\nc `d",), "in_code code_open"),
        (("a `", "b` `c"), "in_code code_open"),
        (("```py\n",), "fresh_line"),
        (("```py x ",), "in_sentence"),
        ((" ```` `x",), ""),
        (("a `b", None), "in_code code_open fresh_line"),
        (('he said "',), "quoted"),
        (("he said '",), "quoted"),
        (("he said “",), "quoted"),
        (("he said ‘",), "quoted"),
        (("he said «",), "quoted"),
        (('he said " ',), ""),
        (('he said "', None), "fresh_line"),
        (('he said "x',), ""),
        (("<tool_call>",), "after_marker"),
        (("<tool_call>\n[ ",), "after_marker"),
        (("[TOOL_CALLS]",), "after_marker"),
        (("functools",), "after_marker"),
        (("<tool_call>", None), "fresh_line"),
        (("<tool_call> it",), ""),
        (("The answer:",), "announced announced_below"),
        (("The answer:\n",), "fresh_line announced_below"),
        (("The answer:", None), "fresh_line"),
        (("Let me look. ",), "announced_below"),
        (("Let me look.", None), "fresh_line"),
        (("You could try:",), "supposed_below offered_below"),
        (("You could try: ",), "supposed_below offered_below"),
        (("You could try:", None), "fresh_line"),
        (("You could try:\n", "That is it"), ""),
    ],
)  # fmt: skip
def test_what_is_said_of_a_place_behind_text(steps: tuple[str | None, ...], holds: str) -> None:
    prose = after(*steps)
    assert " ".join(view for view in VIEWS if getattr(prose, view)) == holds


@pytest.mark.parametrize(
    ("steps", "word"),
    [
        ((), ""), (("Call now",), "Call now"), (("Call\n  now \n",), "now"), (("Call\nnow", None), ""), (("now", None, "then"), "nowthen"),
    ],
)  # fmt: skip
def test_what_the_last_line_says(steps: tuple[str | None, ...], word: str) -> None:
    assert after(*steps).last_word == word


def test_a_mention_ends_with_what_was_said_then() -> None:
    prose = after("Words. ")
    prose.talk = "it is an example", prose.length
    assert prose.mentioned() == "it is an example"
    prose.say("More. ", 7)
    assert prose.mentioned() == ""
    prose.aside = "it is another's"
    assert prose.mentioned() == "it is another's"
    assert after("For example: ", None).mentioned() == ""
    assert after("> ", "\n").mentioned() == ""


def test_only_the_last_of_long_texts_is_looked_at() -> None:
    """As much as any sign of talk needs, however the text came."""
    for step in (1, 100, 700):
        text = "For example: " + "x" * 700 + " `y "
        prose = after(*(text[at : at + step] for at in range(0, len(text), step)))
        assert prose.in_code
        assert prose.last_word == text.rstrip()[-FAR:]
    assert after("None of the tools fit. ", "x " * 20).denied()
    assert not after("None of the tools fit. ", "x " * 4000).denied()


@pytest.mark.parametrize(
    "other",
    [
        ("Hm",), ("Hm.", " "), ("Hm.", "\n"), ("Hm.", None), ("Hm.", "\n", None), ("Hm. `",), ("A", "Hm.", None),
    ],
)  # fmt: skip
def test_the_pace_says_how_text_stands_but_not_where(other: tuple[str | None, ...]) -> None:
    """Where two stand alike, what follows is given out alike."""

    def pace(*steps: str | None, at: int, place: int = 0) -> tuple[object, ...]:
        prose = after(*steps, at=at)
        return prose.pace(place or at + sum(len(step) for step in steps if step is not None))

    assert pace(*other, at=0) == pace(*other, at=5000)
    assert pace(*other, at=0) != pace("Hm.", at=0)
    assert pace("Hm.", at=0) != pace("Hm.", at=0, place=4), "something that was not given out stands between"
    assert pace("Hm.", " ", at=0) != pace("Hm.", " ", at=0, place=5)


def test_the_pace_knows_what_is_not_given_out() -> None:
    paces = set()
    for muted in (False, True):
        for aside in ("", "it is another's"):
            for calls in range(2):
                prose = after("Hm.")
                prose.muted, prose.aside = muted, aside
                for _ in range(calls):
                    prose.called()
                prose.say("\nWell.", 3)
                paces.add(prose.pace(9))
    assert len(paces) == 8


@pytest.mark.parametrize("gap", ["", "\n"])
def test_text_behind_a_jump_goes_on_there(gap: str) -> None:
    events: list[ParseEvent] = []
    prose = Prose(events)
    prose.say("Hm.", 10)
    prose.called()
    prose.say(f" So `x.{gap}", 13)
    length, size = prose.length, len(gap)
    prose.jump(1000, 300)
    assert prose.length == length + 300
    prose.say("On\n\nUser: ", 1020 + size)
    assert prose.places == [(0, 10)], "nothing was left out between them"
    assert [event.span[0] for event in events if isinstance(event, TextRead)][-1] == 1020 + size
    prose.say("and", 1030 + size)
    assert prose.runaway is not None
    assert prose.runaway.begun()
    assert prose.runaway.at == 1024 + size


@pytest.mark.parametrize("reason", ["no call", "text", "muted", "aside", "talk"])
def test_text_behind_a_call_is_another_s_only_where_that_decides_alone(reason: str) -> None:
    prose = after("Hm.", None)
    if reason != "no call":
        prose.called()
        assert prose.stand(3) is not None
    if reason == "text":
        prose.say("x", 3)
    prose.muted, prose.aside = reason == "muted", "why" if reason == "aside" else ""
    prose.talk = ("why", prose.length - (reason != "talk"))
    assert prose.stand(3) is None


@pytest.mark.parametrize("between", ["", "\n", "\n\nWell. ", " so\n", "`a", "\nIt is `x` and\n\n"])
@pytest.mark.parametrize("gap", ["", "\n"])
def test_who_follows_goes_on_as_the_first_one(between: str, gap: str) -> None:
    def rest(prose: Prose) -> tuple[object, ...]:
        prose.say("\nand `on` ", 60)
        prose.mark()
        prose.say("end\n", 90)
        prose.close()
        return (
            prose.said[len(prose.said) - 4 :],
            prose.places,
            prose.length,
            prose.last_word,
            prose.spoke_ever,
            prose.in_code,
        )

    first, second = behind_a_call(f"Hm.{gap}"), behind_a_call(f"Hm.{gap}")
    stood = first.stand(10)
    assert stood is not None
    first.say(between, 12)
    first.mark()
    leg = first.leg(stood, 12 + len(between))
    assert second.follow(leg)
    assert "".join(first.said) == "".join(second.said)
    assert (first.spoke, first.length, first.places) == (second.spoke, second.length, second.places)
    assert first.pace(50)[:-2] == second.pace(50)[:-2]
    assert rest(first) == rest(second)
    heard = behind_a_call(f"Hm.{gap}")
    heard.heard = True
    assert not heard.follow(leg)


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn('a\n\n<|im_end|><|endoftext|>b', [], [], 'a\n\nb')),
        ('qwen_xml', Drawn('a\n\n⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧\n⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧ b', [('now', {}, ''), ('now', {}, '')], [], 'a\n\nb')),
        ('qwen_xml', Drawn('a⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧\n⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧ b', [('now', {}, ''), ('now', {}, '')], [], 'a b')),
        ('qwen_xml', Drawn('a ⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧\n\nb', [('now', {}, ''), ('now', {}, '')], [], 'a b')),
    ],
)  # fmt: skip
def test_white_space_before_markers_stays_where_text_follows_them(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
