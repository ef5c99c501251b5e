"""One reply read again with what is known of its day."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.playback import CALL, WEATHER, play, reply
from workbench.core.calls import Outcome, ParseResult
from workbench.core.errors import UnknownName
from workbench.core.events import RunStarted
from workbench.core.messages import NativeCall
from workbench.core.protocols import Format
from workbench.core.target import FamilyFlags
from workbench.engine.reader import may_call
from workbench.replay import rereader
from workbench.replay.rereader import Rereader
from workbench.store import Store, StoredReply


@pytest.fixture
def stored(tmp_path: Path):
    store = Store.open(tmp_path / "t.db")

    def record(text: str) -> StoredReply:
        events = play(reply(text), reply("Done."))
        first = events[0]
        assert isinstance(first, RunStarted)
        store.record(first.run_id, events)
        return next(store.runs_for_reparse())

    yield record
    store.close()


def test_family_flags_change_the_reading(stored) -> None:
    one = stored(CALL)
    reader = Rereader()
    assert reader.read(one) == one.reading
    assert [call.outcome for call in one.reading.calls] == [Outcome.STRICT]
    inside = reader.read(one._replace(flags=FamilyFlags(think_open=True)))
    assert [call.outcome for call in inside.calls] != [Outcome.STRICT]


def test_a_cut_reply_without_a_finish_reason_is_read_either_way(stored) -> None:
    one = stored("It is clear.")._replace(finish_reason="")
    assert Rereader().read(one) == one.reading


def test_a_cut_call_without_a_finish_reason_is_read_as_it_was_then(stored) -> None:
    reader, cut = Rereader(), stored(CALL[: CALL.index("}")])
    whole, half = (reader.read(cut._replace(finish_reason=reason)) for reason in ("stop", "length"))
    assert (len(whole.calls), len(half.calls)) == (1, 0)
    for then in (whole, half):
        assert reader.read(cut._replace(finish_reason="", reading=then)) == then
    assert reader.read(cut._replace(finish_reason="", reading=ParseResult(text="Read otherwise then."))) == whole


@pytest.mark.parametrize("text", ["It is clear.", "Then `<tool_call>` is a marker."])
def test_a_reply_without_tools_is_plain_text(stored, text: str) -> None:
    assert Rereader().read(stored(text)._replace(tools=())).text == text


def test_missing_format_is_named(stored) -> None:
    with pytest.raises(UnknownName, match="of-yesterday"):
        Rereader().read(stored(CALL)._replace(format="of-yesterday"))


def test_structured_calls_beside_plain_text_are_read(stored) -> None:
    call = NativeCall(0, "c", "get_weather", '{"city": "Rome"}')
    one = stored("I look.")._replace(format="native_openai", native_calls=(call,))
    assert [(found.name, found.arguments) for found in Rereader().read(one).calls] == [
        ("get_weather", {"city": "Rome"})
    ]


@pytest.mark.parametrize("format_id", ["qwen_xml", "native_openai"])
def test_prose_is_read_by_its_own_format_alone(stored, format_id: str) -> None:
    one = stored("It is clear.")._replace(format=format_id)
    found = Rereader().read(one)
    assert (found.text, found.format, found.calls, found.problems) == ("It is clear.", format_id, (), ())
    cut = Rereader().read(one._replace(finish_reason="length", text="It is cle"))
    assert cut.text == "It is cle"


@pytest.mark.parametrize("think_open", [True, False])
def test_prose_is_read_with_the_flags_of_its_family(stored, think_open: bool) -> None:
    one = stored("I think.</think>It is clear.")._replace(flags=FamilyFlags(think_open=think_open))
    found = Rereader().read(one)
    assert found.reasoning == ("I think." if think_open else ""), found
    assert found.text.endswith("It is clear.")


def test_what_a_format_needs_is_looked_up_once(stored, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    found = rereader.get_format

    def noted(name: str) -> Format:
        asked.append(name)
        return found(name)

    monkeypatch.setattr(rereader, "get_format", noted)
    reader, one = Rereader(), stored(CALL)
    for flags in (FamilyFlags(), FamilyFlags(), FamilyFlags(think_open=True)):
        reader.read(one._replace(flags=flags))
    assert asked == [one.format] * 2


def test_the_policy_of_its_day_counts(stored) -> None:
    odd = '{"name": "get_weather", "arguments": {"city": "Rome"}}'
    one = stored(odd)
    strict, open_ = (Rereader().read(one._replace(policy=policy)) for policy in ("strict", "cross_format"))
    assert (len(strict.calls), len(open_.calls)) == (0, 1)


def test_prose_is_read_to_its_end() -> None:
    """What could have begun a call is text where nothing followed it."""
    bare = StoredReply(
        1, "r", 0, "react", "tolerant", "v", (WEATHER.spec,), FamilyFlags(), "It is clear.\nAct", "", (), "stop", ParseResult(),
    )  # fmt: skip
    assert not may_call(bare.text)
    assert Rereader().read(bare).text == "It is clear.\nAct"


@pytest.mark.parametrize(
    ("complete", "reason", "told"), [(True, "stop", "stop"), (True, "", ""), (False, "stop", "length")]
)
def test_how_prose_ended_is_told_to_its_parser(
    stored, monkeypatch: pytest.MonkeyPatch, complete: bool, reason: str, told: str
) -> None:
    reader, one = Rereader(), stored("It is clear.")._replace(finish_reason=reason)
    party, asked = reader._party(one.format, one.flags), list[tuple[str, object]]()
    made = party.format.parser  # type: ignore[union-attr]

    class Noted:
        def __init__(self, *given: object, **more: object) -> None:
            self.inner = made(*given, **more)
            asked.append(("flags", more))

        def feed(self, text: str) -> None:
            self.inner.feed(text)

        def finish(self, why: str) -> None:
            asked.append(("finish", why))
            self.inner.finish(why)

        def result(self) -> ParseResult:
            return self.inner.result()

    monkeypatch.setattr(type(party.format), "parser", lambda _self, *given, **more: Noted(*given, **more))
    assert reader._read(one, complete=complete).text == "It is clear."
    flags = one.flags
    assert asked == [
        ("flags", {"think_open": flags.think_open, "calls_in_reasoning": flags.calls_in_reasoning}),
        ("finish", told),
    ]
