"""No secret leaves, in whatever pieces it arrives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.playbook import decode, fold
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ModelDelta,
    NoticeDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.masking import Secrets
from workbench.core.secret_spellings import SURE
from workbench.providers.exchange_try import ChunkReader
from workbench.providers.redact import (
    HOLD_LIMIT,
    ReplyRedactor,
    StreamRedactor,
    _Chunk,
    _last,
    _mask_for,
    _Piece,
    _values,
    mask_in_event,
)
from workbench.wires import get_wire

KEY = "sk-proj-s3cr3t"


def event(**delta: Any) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n"


def run(pieces: list[bytes], key: str = KEY) -> tuple[bytes, list[Delta], list[int]]:
    """Read pieces through both redactors; return bytes, deltas, and how many chunks were out after each piece."""
    reader = ChunkReader(Secrets([key]), get_wire("openai_chat").decoder(status=200, headers=(), stream=True))
    chunks = []
    out = []
    for number, piece in enumerate(pieces):
        chunks += reader.feed(piece, number)
        out.append(len(chunks))
    last, deltas = reader.finish()
    chunks += last
    assert [len(chunk.data) for chunk in chunks] == [len(piece) for piece in pieces]
    assert [chunk.at_us for chunk in chunks] == list(range(len(pieces)))
    return b"".join(chunk.data for chunk in chunks), [*(d for chunk in chunks for d in chunk.deltas), *deltas], out


def test_bytes_split_anywhere() -> None:
    body = f"a {KEY} b {KEY}{KEY} sk-pro".encode()
    for cut in range(1, len(body)):
        redactor = StreamRedactor(Secrets([KEY]))
        out = redactor.feed(body[:cut], 1) + redactor.feed(body[cut:], 2) + redactor.finish()
        assert out == [
            (f"a {'*' * 14} b {'*' * 28} sk-pro".encode()[:cut], 1),
            (f"a {'*' * 14} b {'*' * 28} sk-pro".encode()[cut:], 2),
        ]


def test_bytes_split_inside_a_character() -> None:
    body = "a geheim-schlüssel b".encode()
    for cut in range(1, len(body)):
        redactor = StreamRedactor(Secrets(["geheim-schlüssel"]))
        out = redactor.feed(body[:cut]) + redactor.feed(body[cut:]) + redactor.finish()
        assert b"".join(data for data, _ in out) == b"a " + b"*" * 17 + b" b"


def test_only_a_possible_beginning_is_held() -> None:
    redactor = StreamRedactor(Secrets([KEY]))
    assert redactor.feed(b"text\n", 1) == [(b"text\n", 1)]
    assert redactor.feed(b"sk-", 2) == []
    assert redactor.feed(b"x", 3) == [(b"sk-", 2), (b"x", 3)]
    assert StreamRedactor(Secrets()).feed(b"sk-", 1) == [(b"sk-", 1)]


def test_secret_in_several_events() -> None:
    pieces = [event(content="It is sk-"), event(content="proj"), event(content="-s3cr3t."), event(content=" Bye")]
    data, deltas, out = run([*pieces, b"data: [DONE]\n\n"])
    assert out == [0, 0, 3, 4, 5]
    assert fold(deltas).text == "It is **************. Bye"
    assert fold(decode("openai_chat", data)).text == "It is **************. Bye"
    assert b"sk-" not in data
    assert b"proj" not in data


def test_secret_letter_by_letter_and_in_arguments() -> None:
    pieces = [
        event(tool_calls=[{"index": 0, "id": "c", "function": {"name": "f", "arguments": c}}])
        for c in f'{{"k":"{KEY}"}}'
    ]
    data, deltas, _ = run(pieces)
    assert fold(deltas).calls[0].arguments == '{"k":"**************"}'
    assert [d for d in decode("openai_chat", data) if isinstance(d, CallDelta)] == [
        d for d in deltas if isinstance(d, CallDelta)
    ]


def test_hexadecimal_letter_by_letter_that_begins_like_the_secret_itself() -> None:
    """Its second letter may begin the secret as it is, its first two may begin any text."""
    key = "3f-geheim-wort"
    spelled = key.encode().hex()
    assert spelled[1] == key[0]
    data, deltas, _ = run([event(content=letter) for letter in f"a {spelled} z"], key)
    told = fold(deltas).text
    assert told == f"a {spelled[: SURE - 1]}{'*' * (len(spelled) - SURE + 1)} z"
    assert fold(decode("openai_chat", data)).text == told


def test_false_alarm_changes_nothing() -> None:
    pieces = [event(content="sk-"), event(content="proj-other"), event(content="s")]
    data, deltas, out = run(pieces)
    assert data == b"".join(pieces)
    assert fold(deltas).text == "sk-proj-others"
    assert out == [0, 2, 2]


def test_another_channel_frees_a_short_beginning_only() -> None:
    for size in range(1, 6):
        _, _, out = run([event(reasoning=KEY[:size]), event(content="Hi. ")])
        assert out == ([0, 2] if size < SURE else [0, 0])
    data, deltas, out = run([event(reasoning="sk-proj-s3"), event(content="Hi. "), event(reasoning="cr3t")])
    assert out == [0, 0, 3]
    assert (fold(deltas).reasoning, fold(deltas).text) == ("*" * 14, "Hi. ")
    assert b"sk-" not in data


def test_unfinished_lines_wait() -> None:
    whole = event(content="sk-") + event(content="proj-s3cr3t")
    for cut in range(1, len(whole)):
        data, deltas, _ = run([whole[:cut], whole[cut:]])
        assert fold(deltas).text == "*" * 14, cut
        assert b"s3cr3t" not in data
        assert b"sk-" not in data


@pytest.mark.parametrize("key", ['a"b\\c/d€f', "naïve-schlüssel-1", "\U0001f600-key-1234"])
def test_escaped_characters(key: str) -> None:
    halves = [key[:4], key[4:]]
    data, deltas, _ = run([event(content=half) for half in halves], key)
    assert key not in fold(deltas).text
    again = fold(decode("openai_chat", data)).text
    assert again == fold(deltas).text
    assert not set(again) & set(key) - set("/")


def test_spelled_in_escapes_in_one_event() -> None:
    raw = event(content="X").replace(b"X", b"sk\\u002dproj-s3cr3t")
    data, deltas, _ = run([raw])
    assert fold(deltas).text == "*" * 19 == fold(decode("openai_chat", data)).text


def test_text_equal_to_a_key_word_of_the_protocol() -> None:
    data, deltas, _ = run([event(content="index"), event(content="content")], "indexcontent")
    assert fold(deltas).text == "*" * 12 == fold(decode("openai_chat", data)).text


def test_a_word_of_the_protocol_stays_where_a_text_equals_it() -> None:
    assert mask_in_event(b'{"type": "text", "text": "text"}', "text", 0, 4) == (
        b'{"type": "text", "text": "****"}',
        "****",
    )


def test_unlocatable_values_are_masked_whole() -> None:
    masked, stars = mask_in_event(b'{"a": "other", "b": "x"}', "se", 0, 2)
    assert (masked, stars) == (b'{"a": "*****", "b": "*"}', "**")
    assert mask_in_event(b'{"a": "a secret b"}', "secret", 0, 6)[0] == b'{"a": "a ****** b"}'


def test_other_deltas_are_masked_too() -> None:
    redactor = ReplyRedactor(Secrets([KEY]))
    (out,) = redactor.feed(b"x", 1, [NoticeDelta("c", KEY, (0, 0), {"k": [KEY]})])
    assert KEY not in repr(out)
    reply = fold(run([b'data: {"model":"M","error":{"message":"bad K"}}\n\n'.replace(b"K", KEY.encode())])[1])
    assert reply.faults[0].message == f"bad {'*' * 14}"


def test_waiting_has_a_limit() -> None:
    redactor = ReplyRedactor(Secrets([KEY]))
    assert redactor.feed(b"x" * HOLD_LIMIT, 1, [], 0) == []
    assert len(redactor.feed(b"y", 2, [], 0)) == 2


def test_a_huge_event_in_single_bytes_takes_linear_time() -> None:
    redactor = ReplyRedactor(Secrets([KEY]))
    out = [len(redactor.feed(b"x", 1, [], 0)) for _ in range(HOLD_LIMIT + 2000)]
    assert sum(out) == HOLD_LIMIT + 1
    assert len(redactor.finish()[0]) == 1999


def test_end_gives_everything_out() -> None:
    redactor = ReplyRedactor(Secrets([KEY]))
    assert redactor.feed(b"data: sk-", 1, [TextDelta("sk-", (0, 9))]) == []
    last, deltas = redactor.finish([TextDelta("proj-s3cr3t", (9, 9))])
    assert [chunk.deltas for chunk in last] == [(TextDelta("***", (0, 9)),)]
    assert deltas == (TextDelta("*" * 11, (9, 9)),)


@settings(max_examples=150)
@given(
    text=st.lists(st.sampled_from([KEY, KEY[:5], KEY[5:], "a", "s", "sk-", "ü", '"']), min_size=1, max_size=6).map(
        "".join
    ),
    data=st.data(),
)
def test_any_pieces(text: str, data: st.DataObject) -> None:
    marks = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    parts = [text[a:b] for a, b in zip([0, *marks], [*marks, len(text)], strict=True)]
    body = b"".join(event(content=part) for part in parts) + b"data: [DONE]\n\n"
    cuts = sorted(data.draw(st.lists(st.integers(1, len(body) - 1), max_size=5, unique=True)))
    pieces = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    masked, deltas, _ = run(pieces)
    expected = Secrets([KEY]).mask_text(text)
    assert fold(deltas).text == expected
    assert fold(decode("openai_chat", masked)).text == expected


STARS = "*" * len(KEY)


@pytest.mark.parametrize(
    ("delta", "masked"),
    [
        (FinishDelta(f"a {KEY}"), FinishDelta(f"a {STARS}")),
        (ModelDelta(KEY), ModelDelta(STARS)),
        (NoticeDelta("c", f"m {KEY}"), NoticeDelta("c", f"m {STARS}")),
        (NoticeDelta("c", "m", (0, 0), {"k": [KEY], KEY: 1}), NoticeDelta("c", "m", (0, 0), {"k": [STARS], STARS: 1})),
        (FaultDelta(ErrorInfo(ErrorKind.SERVER, KEY, hint=KEY)), FaultDelta(ErrorInfo(ErrorKind.SERVER, STARS, hint=STARS))),
        (UsageDelta(Usage(1, 2)), UsageDelta(Usage(1, 2))),
        (CallDelta(0, KEY, f"x{KEY}", "{}"), CallDelta(0, STARS, f"x{STARS}", "{}")),
    ],
)  # fmt: skip
def test_whatever_says_a_key_is_masked(delta: Delta, masked: Delta) -> None:
    (out,) = ReplyRedactor(Secrets([KEY])).feed(b"data", 5, [delta])
    assert (out.data, out.at_us, out.deltas) == (b"data", 5, (masked,))


def test_without_keys_everything_goes_on_as_it_came() -> None:
    redactor = ReplyRedactor(Secrets())
    deltas = [TextDelta("sk-"), UsageDelta(Usage(1))]
    (out,) = redactor.feed(b"sk-", 7, deltas, 0)
    assert (out.data, out.at_us, out.deltas) == (b"sk-", 7, tuple(deltas))
    assert redactor.finish(deltas) == ([], tuple(deltas))


@pytest.mark.parametrize(
    ("event_of", "text", "a", "b", "masked", "stars"),
    [
        (b'{"content": "a key b"}', "a key b", 2, 5, b'{"content": "a *** b"}', "***"),
        (b'{"content": "a\\nkey"}', "a\nkey", 1, 3, b'{"content": "a\\/*ey"}', "/*"),
        (b'{"content": "k\\u00e9y"}', "k\u00e9y", 0, 3, b'{"content": "*\\u002a*"}', "***"),
        ('{"content": "k\u00e9y"}'.encode(), "k\u00e9y", 1, 2, b'{"content": "k**y"}', "**"),
        (b'{"id": "key", "content": "key"}', "key", 0, 3, b'{"id": "key", "content": "***"}', "***"),
        (b'{"id": "key", "own": "key"}', "key", 0, 3, b'{"id": "***", "own": "***"}', "***"),
        (b'{"a": "x key y", "b": "z"}', "key", 0, 3, b'{"a": "x *** y", "b": "z"}', "***"),
        (b'{"a": "k", "b": "xyz"}', "key", 0, 1, b'{"a": "*", "b": "***"}', "*"),
    ],
)  # fmt: skip
def test_which_characters_of_an_event_become_stars(
    event_of: bytes, text: str, a: int, b: int, masked: bytes, stars: str
) -> None:
    found = mask_in_event(event_of, text, a, b)
    assert found == (masked, stars)
    assert len(found[0]) == len(event_of)


def test_half_a_key_at_the_end_of_a_reply_is_masked_in_its_bytes_too() -> None:
    data, deltas, _ = run([event(content="It is sk-proj-s3c")])
    assert fold(deltas).text == "It is " + "*" * len("sk-proj-s3c")
    assert b"s3c" not in data


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("before", ["", "a ", "abcdefgh "])
def test_a_spelling_in_small_pieces_of_bytes_is_hidden_but_for_its_first_letters(size: int, before: str) -> None:
    """So many as any text may begin with; what went on already is remembered just long enough."""
    key = "3f-geheim-wort"
    body = f"{before}{key.encode().hex()} z".encode()
    redactor = StreamRedactor(Secrets([key]))
    out = [
        one for at in range(0, len(body), size) for one in redactor.feed(body[at : at + size], at)
    ] + redactor.finish()
    told = b"".join(data for data, _ in out)
    assert [at for _, at in out] == list(range(0, len(body), size))
    assert len(told) == len(body)
    shown = told[len(before) :].partition(b"*")[0]
    assert len(shown) < SURE
    assert told == body[: len(before) + len(shown)] + b"*" * (len(key) * 2 - len(shown)) + b" z"


def test_what_may_begin_a_secret_is_masked_at_the_end_with_all_before_it() -> None:
    redactor = StreamRedactor(Secrets([KEY]))
    first = redactor.feed(f"{KEY} sk-pr".encode(), 1)
    assert first == []
    assert redactor.finish() == [(b"*" * len(KEY) + b" sk-pr", 1)]
    assert redactor.finish() == []


def test_chunks_without_bytes_go_on_in_their_place() -> None:
    redactor = StreamRedactor(Secrets([KEY]))
    out = [*redactor.feed(b"sk-", 1), *redactor.feed(b"", 2), *redactor.feed(b"proj-s3cr3t", 3), *redactor.finish()]
    assert out == [(b"***", 1), (b"", 2), (b"*" * 11, 3)]


@pytest.mark.parametrize("sizes", [(4, 4, 9), (7, 1, 9), (1, 1, 1, 1, 1, 1, 1, 1, 9)])
def test_of_two_secrets_in_a_row_both_are_hidden(sizes: tuple[int, ...]) -> None:
    text, parts = f"{KEY}{KEY}", list[str]()
    at = 0
    for size in sizes:
        parts.append(text[at : at + size])
        at += size
    parts.append(text[at:])
    data, deltas, _ = run([event(content=part) for part in parts])
    assert fold(deltas).text == "*" * len(text)
    assert fold(decode("openai_chat", data)).text == "*" * len(text)


def test_a_call_and_a_thought_each_have_their_own_end() -> None:
    """Pieces of one are no pieces of another, though they come in turns."""
    pieces = [
        event(tool_calls=[{"index": 0, "id": "c", "function": {"name": "f", "arguments": "sk-proj-s3"}}]),
        event(tool_calls=[{"index": 1, "id": "d", "function": {"name": "g", "arguments": "cr3t"}}]),
        event(reasoning="sk-proj-s3"),
        event(content="cr3t"),
    ]
    data, deltas, _ = run(pieces)
    told = fold(deltas)
    assert [call.arguments for call in told.calls] == ["*" * 10, "cr3t"]
    assert (told.reasoning, told.text) == ("*" * 10, "cr3t")
    assert b"sk-proj-s3" not in data


def test_only_the_events_that_carried_a_secret_are_changed() -> None:
    before, behind = event(content="Hi. "), event(content=" Bye")
    data, _, _ = run([before + event(content="sk-") + event(content="proj-s3cr3t") + behind])
    assert data.startswith(before)
    assert data.endswith(behind)
    assert len(data) == len(before + event(content="sk-") + event(content="proj-s3cr3t") + behind)


@pytest.mark.parametrize(
    ("token", "mask", "said"),
    [
        (b"a", b"*", "*"), (b"\\n", b"\\/", "/"), (b"\\u00e9", b"\\u002a", "*"), (b"\\ud83d\\ude00", b"\\u002a\\u002a", "**"),
        ("ä".encode(), b"**", "**"), ("\U0001f600".encode(), b"****", "****"),
    ],
)  # fmt: skip
def test_each_kind_of_character_has_a_mask_of_its_length(token: bytes, mask: bytes, said: str) -> None:
    assert _mask_for(token) == (mask, said)
    assert len(mask) == len(token)


def test_values_of_an_event_stand_behind_their_keys() -> None:
    assert _values(b'{"a": "x", "b" : ["y", "\\u00e9"], "c": "\\q"}') == [
        (b"a", (7, 8), "x"), (b"b", (19, 20), "y"), (b"b", (24, 30), "é"), (b"c", (40, 42), "\\q"),
    ]  # fmt: skip


def test_the_last_pieces_are_those_with_the_last_characters() -> None:
    chunk = _Chunk(0, b"", 0)
    pieces = [_Piece(text, chunk, 0) for text in ("abc", "de", "f")]
    assert [[piece.text for piece in _last(pieces, keep)] for keep in (1, 2, 3, 4, 9)] == [
        ["f"], ["de", "f"], ["de", "f"], ["abc", "de", "f"], ["abc", "de", "f"],
    ]  # fmt: skip
