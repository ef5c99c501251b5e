"""What replies to the probe's questions prove, and what they do not."""

from __future__ import annotations

import pytest

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import CallDelta, FinishDelta, NoticeDelta, ReasoningDelta, TextDelta, Usage, UsageDelta
from workbench.providers.questions import NOTE, QUESTIONS, TITLES, Answer, Heard, Question, hear

LONG = '{"title": "count", "text": "one, two, three, four, five, six, seven, eight"}'


def question(name: str) -> Question:
    return next(item for item in QUESTIONS if item.id == name)


def answers(name: str, *heard: Heard) -> list[str]:
    return [found.answer.value for found in question(name).findings(heard)]


def test_a_reply_is_put_together() -> None:
    deltas = [
        ReasoningDelta("think"), TextDelta("a"), TextDelta("b"), CallDelta(1, "y", "second", "{}"),
        CallDelta(0, "x", "first", ""), CallDelta(0, "", "", '{"a"'), CallDelta(0, "x", "first", ":1}"),
        NoticeDelta("odd", "odd"), UsageDelta(Usage(1, 2)), FinishDelta("stop"),
    ]  # fmt: skip
    heard = hear(deltas, None)
    assert (heard.text, heard.whole, heard.finish, heard.usage) == ("ab", "thinkab", "stop", Usage(1, 2))
    assert heard.calls == (("first", '{"a":1}'), ("second", "{}"))
    assert heard.pieces == 2
    assert hear([], None) == Heard()


@pytest.mark.parametrize(
    ("name", "heard", "expected"),
    [
        ("reply", Heard("ready", usage=Usage(3, 1)), ["yes", "yes"]),
        ("reply", Heard(reasoning="ready", usage=Usage()), ["yes", "no"]),
        ("reply", Heard(" "), ["unclear", "no"]),
        ("tools", Heard(calls=(("save_note", LONG),), pieces=9), ["yes", "yes"]),
        ("tools", Heard(calls=(("save_note", LONG),), pieces=1), ["yes", "no"]),
        ("tools", Heard(calls=(("save_note", "{}"),), pieces=1), ["yes", "unclear"]),
        ("tools", Heard('<tool_call>{"name": "save_note"'), ["no", "not_asked"]),
        ("tools", Heard("I cannot."), ["unclear", "not_asked"]),
        ("parallel", Heard(calls=(("get_weather", "{}"),) * 2), ["yes"]),
        ("parallel", Heard(calls=(("get_weather", "{}"),)), ["no"]),
        ("parallel", Heard("no"), ["unclear"]),
        ("required", Heard(calls=(("get_weather", "{}"),)), ["yes"]),
        ("required", Heard("hello"), ["no"]),
        ("named", Heard(calls=(("get_time", "{}"),)), ["yes"]),
        ("named", Heard(calls=(("get_weather", "{}"),)), ["no"]),
        ("named", Heard("sunny"), ["no"]),
        ("required", Heard("so let me think", finish="length"), ["unclear"]),
        ("named", Heard("so let me think", finish="MAX_TOKENS"), ["unclear"]),
        ("raw", Heard("alpha beta gamma and", finish="max_tokens"), ["unclear"]),
        ("stop", Heard("1 2 3 4 5 "), ["yes"]),
        ("stop", Heard("1 2 3 4 5 6 7"), ["no"]),
        ("stop", Heard("Sure."), ["unclear"]),
        ("raw", Heard("alpha <tool_call> beta"), ["yes"]),
        ("raw", Heard("alpha beta gamma"), ["no"]),
        ("raw", Heard("", calls=(("x", "{}"),)), ["no"]),
        ("raw", Heard("What?"), ["unclear"]),
    ],
)
def test_probe_findings_of_one_reply(name: str, heard: Heard, expected: list[str]) -> None:
    assert answers(name, heard) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [(("a", "a", "b"), "yes"), (("a", "b", "a"), "no"), (("a", "a", "a"), "unclear"), (("", "", "b"), "unclear")],
)
def test_a_seed_is_proved_by_three_replies(texts: tuple[str, ...], expected: str) -> None:
    assert answers("seed", *(Heard(text) for text in texts)) == [expected]


@pytest.mark.parametrize(
    ("name", "kind", "message", "expected"),
    [
        ("tools", ErrorKind.BAD_REQUEST, "This model does not support tools", ["no", "not_asked"]),
        ("tools", ErrorKind.SERVER, "tools param requires --jinja flag", ["no", "not_asked"]),
        ("seed", ErrorKind.BAD_REQUEST, "temperature is not supported", ["unclear"]),
        ("required", ErrorKind.MODEL_OUTPUT, "tool_use_failed", ["unclear"]),
        ("stop", ErrorKind.BAD_REQUEST, "Unsupported parameter: 'stop'", ["no"]),
        ("named", ErrorKind.BAD_REQUEST, "tool_choice must be a string", ["no"]),
        ("required", ErrorKind.BAD_REQUEST, "tool_choice 'required' is not supported", ["no"]),
        ("parallel", ErrorKind.BAD_REQUEST, "parallel_tool_calls is not supported", ["no"]),
        ("raw", ErrorKind.BAD_REQUEST, "no special tokens", ["unclear"]),
        ("stop", ErrorKind.RATE_LIMIT, "slow down", ["failed"]),
        ("reply", ErrorKind.AUTH, "wrong key", ["failed", "not_asked"]),
    ],
)
def test_a_refusal_is_a_no_only_if_it_names_the_thing(
    name: str, kind: ErrorKind, message: str, expected: list[str]
) -> None:
    assert answers(name, Heard(error=ErrorInfo(kind, message))) == expected


def test_every_ability_is_asked_once_and_has_a_title() -> None:
    asked = [ability for item in QUESTIONS for ability in item.abilities]
    assert asked == list(dict.fromkeys(asked))
    assert set(asked) == set(TITLES)
    assert all(TITLES.values())
    assert len({*TITLES.values()}) == len(TITLES)
    assert {item.needs for item in QUESTIONS} == {"", "native_tools"}


def test_requests_carry_the_model_and_its_fields() -> None:
    for item in QUESTIONS:
        for request in item.build("m", {"x": 1}):
            assert (request.model, request.extra, request.stream) == ("m", {"x": 1}, True)
            assert request.max_tokens
    assert Answer("yes") is Answer.YES


def test_the_first_question_tells_what_was_answered() -> None:
    asked = next(item for item in QUESTIONS if item.id == "reply")
    for heard, told in (
        (Heard(" Hello. "), "answered 'Hello.'"),
        (Heard("", reasoning="Hm."), "answered 'Hm.'"),
        (Heard(" "), "said nothing"),
    ):
        reply, usage = asked.findings([heard])
        assert (reply.detail, usage.detail) == (told, "no token counts")


def test_the_tools_that_are_offered_need_all_of_their_texts() -> None:
    text = {"type": "string"}
    assert NOTE.parameters == {
        "type": "object",
        "properties": {"title": text, "text": text},
        "required": ["title", "text"],
    }


def test_findings_are_of_the_abilities_that_a_question_asks_about() -> None:
    for item in QUESTIONS:
        for text in ("", "1 2 3 4 5", "1 2 3 4 5 6"):
            heard = [Heard(text, usage=Usage(1, 1)) for _ in item.build("m", {})]
            assert {found.ability for found in item.findings(heard)} == set(item.abilities), item.id


@pytest.mark.parametrize("reason", ["length", "MAX_TOKENS", "limit", "max_output_tokens", "stop", ""])
def test_a_reply_that_ended_at_the_limit_of_tokens_is_cut(reason: str) -> None:
    assert Heard("a", finish=reason).cut is (reason not in ("stop", ""))


@pytest.mark.parametrize("words", ["tools are not taken", "Unknown field: functions"])
def test_a_refusal_that_names_tools_in_either_word_is_a_no(words: str) -> None:
    refused = Heard(error=ErrorInfo(ErrorKind.BAD_REQUEST, words))
    assert answers("tools", refused)[0] == "no"
