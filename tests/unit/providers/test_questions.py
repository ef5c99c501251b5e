"""What replies to the probe's questions prove, and what they do not."""

from __future__ import annotations

import pytest

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import CallDelta, FinishDelta, NoticeDelta, ReasoningDelta, TextDelta, Usage, UsageDelta
from workbench.core.messages import ChatRequest, Message
from workbench.providers.questions import (
    MOST_TOKENS,
    NOTE,
    QUESTIONS,
    TIME,
    TITLES,
    WEATHER,
    AbilityFinding,
    Answer,
    Heard,
    Question,
    hear,
)

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


def findings(name: str, *heard: Heard) -> list[tuple[str, str, str]]:
    return [(one.ability, one.answer.value, one.detail) for one in question(name).findings(heard)]


CUT = "cut off at the token limit before any call"
NAMED = "get_time was forced, called: "


@pytest.mark.parametrize(
    ("name", "heard", "found"),
    [
        ("reply", Heard("x" * 70, usage=Usage(None, 0)), [("reply", "yes", f"answered {'x' * 60!r}"), ("usage_in_stream", "yes", "the stream ends with token counts")]),
        ("reply", Heard("", usage=Usage(3)), [("reply", "unclear", "said nothing"), ("usage_in_stream", "no", "no token counts")]),
        ("tools", Heard(calls=(("save_note", "x" * 61), ("b", "{}")), pieces=3), [("native_tools", "yes", "called save_note, b"), ("streamed_arguments", "yes", "61 characters in 3 pieces")]),
        ("tools", Heard(calls=(("save_note", "x" * 61),), pieces=2), [("native_tools", "yes", "called save_note"), ("streamed_arguments", "no", "61 characters in 2 pieces")]),
        ("tools", Heard(calls=(("save_note", "x" * 60),), pieces=1), [("native_tools", "yes", "called save_note"), ("streamed_arguments", "unclear", "60 characters in 1 piece")]),
        ("tools", Heard("I call save_note."), [("native_tools", "no", "the call came as text"), ("streamed_arguments", "not_asked", "there was no call")]),
        ("tools", Heard("No."), [("native_tools", "unclear", "no call was made"), ("streamed_arguments", "not_asked", "there was no call")]),
        ("parallel", Heard(), [("parallel_calls", "unclear", "0 calls in one reply where two were asked for")]),
        ("parallel", Heard(calls=(("a", ""),)), [("parallel_calls", "no", "1 call in one reply where two were asked for")]),
        ("parallel", Heard(calls=(("a", ""),) * 3), [("parallel_calls", "yes", "3 calls in one reply where two were asked for")]),
        ("required", Heard(calls=(("a", ""),), finish="length"), [("forced_choice", "yes", "a call was made that nobody needed")]),
        ("required", Heard("Hello", finish="stop"), [("forced_choice", "no", "taken, and ignored: no call")]),
        ("required", Heard("Hello", finish="length"), [("forced_choice", "unclear", CUT)]),
        ("named", Heard(calls=(("get_time", ""), ("a", ""))), [("named_choice", "yes", f"{NAMED}get_time, a")]),
        ("named", Heard(calls=(("a", ""), ("get_time", "")), finish="length"), [("named_choice", "no", f"{NAMED}a, get_time")]),
        ("named", Heard("No."), [("named_choice", "no", f"{NAMED}nothing")]),
        ("named", Heard("No.", finish="limit"), [("named_choice", "unclear", CUT)]),
        ("stop", Heard("1 2 3 4 5"), [("stop", "yes", "it ended right before the stop sequence")]),
        ("stop", Heard("6"), [("stop", "no", "it wrote on past the stop sequence")]),
        ("stop", Heard("1 2"), [("stop", "unclear", "it never came to the stop sequence")]),
        ("raw", Heard("<tool_call>", calls=(("a", ""),)), [("raw_tokens", "yes", "<tool_call> comes through as text")]),
        ("raw", Heard("alpha", calls=(("a", ""),)), [("raw_tokens", "no", "the server took <tool_call> for a call")]),
        ("raw", Heard("alpha beta gamma"), [("raw_tokens", "no", "the words came without <tool_call>")]),
        ("raw", Heard("alpha gamma"), [("raw_tokens", "unclear", "the line was not repeated to its end")]),
        ("raw", Heard("alpha beta gamma", finish="length"), [("raw_tokens", "unclear", "the line was not repeated to its end")]),
    ],
)  # fmt: skip
def test_what_a_reply_proves_in_words(name: str, heard: Heard, found: list[tuple[str, str, str]]) -> None:
    assert findings(name, heard) == found


@pytest.mark.parametrize(
    ("texts", "answer", "detail"),
    [
        (("a ", " a", "b"), "yes", "the same seed gave the same reply, another one did not"),
        (("a", "a", ""), "yes", "the same seed gave the same reply, another one did not"),
        (("a", "b", "a"), "no", "two replies with the same seed differ"),
        (("a", "a", "a\n"), "unclear", "another seed gave the same reply"),
        (("a", " ", "b"), "unclear", "it said nothing"),
        (("", "a", "b"), "unclear", "it said nothing"),
    ],
)
def test_what_a_seed_proves_in_words(texts: tuple[str, ...], answer: str, detail: str) -> None:
    assert findings("seed", *(Heard(text) for text in texts)) == [("seed", answer, detail)]
    assert findings("seed", *(Heard(reasoning=text) for text in texts)) == [("seed", answer, detail)]


@pytest.mark.parametrize(
    ("kind", "message", "code", "answer", "detail"),
    [
        (ErrorKind.BAD_REQUEST, "No STOP here", "", Answer.NO, "refused: No STOP here"),
        (ErrorKind.SERVER, "no", "bad_stop", Answer.NO, "refused: no"),
        (ErrorKind.BAD_REQUEST, "no", "", Answer.UNCLEAR, "refused: no"),
        (ErrorKind.MODEL_OUTPUT, "stop", "", Answer.UNCLEAR, "stop"),
        (ErrorKind.AUTH, "stop", "", Answer.FAILED, "stop"),
    ],
)
def test_what_an_error_proves_in_words(kind: ErrorKind, message: str, code: str, answer: Answer, detail: str) -> None:
    refused = Heard("1 2 3 4 5", error=ErrorInfo(kind, message, code=code))
    assert question("stop").findings([refused]) == (AbilityFinding("stop", answer, detail),)


def test_an_error_leaves_the_other_abilities_of_its_question_unasked() -> None:
    refused = Heard(error=ErrorInfo(ErrorKind.AUTH, "wrong key"))
    assert findings("tools", refused) == [
        ("native_tools", "failed", "wrong key"),
        ("streamed_arguments", "not_asked", "there was no reply to look at"),
    ]
    assert findings("seed", Heard("a"), refused, Heard("b")) == [("seed", "failed", "wrong key")]


def test_pieces_are_those_of_the_first_call_that_carry_arguments() -> None:
    deltas = [
        CallDelta(2, "", "b", "1"),
        CallDelta(1, "", "", ""),
        CallDelta(1, "", "a", "2"),
        CallDelta(1, "", "c", "3"),
    ]
    error = ErrorInfo(ErrorKind.SERVER, "x")
    assert hear([*deltas, CallDelta(2, "", "", "4")], error) == Heard(
        calls=(("a", "23"), ("b", "14")), pieces=2, error=error
    )
    assert hear(deltas, None).names == ("a", "b")


def test_what_each_question_sends() -> None:
    sent = {item.id: item.build("m", {}) for item in QUESTIONS}
    assert [(item.id, item.needs, item.quirk) for item in QUESTIONS] == [
        ("reply", "", ""), ("tools", "", ""), ("parallel", "native_tools", ""), ("required", "native_tools", ""),
        ("named", "native_tools", "no_named_choice"), ("stop", "", "no_stop"), ("raw", "", ""), ("seed", "", "no_seed"),
    ]  # fmt: skip
    forced = {"type": "function", "function": {"name": "get_time"}}
    fields = {
        "reply": {}, "tools": {"tools": (NOTE,)}, "parallel": {"tools": (WEATHER,), "parallel_tool_calls": True},
        "required": {"tools": (WEATHER,), "tool_choice": "required"}, "raw": {}, "stop": {"stop": ("6",)},
        "named": {"tools": (WEATHER, TIME), "tool_choice": forced},
    }  # fmt: skip
    for name, own in fields.items():
        (request,) = sent[name]
        assert request == ChatRequest("m", request.messages, max_tokens=MOST_TOKENS, **own), name  # type: ignore[arg-type]
    assert [(one.seed, one.temperature, one.max_tokens) for one in sent["seed"]] == [
        (11, 1.0, 80),
        (11, 1.0, 80),
        (12, 1.0, 80),
    ]
    assert sent["seed"][0].messages == sent["seed"][2].messages
    assert sent["reply"][0].messages == (Message("user", "Answer with the single word ready."),)
