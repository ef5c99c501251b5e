"""A reading serves another format only where all parts of the grammar that it asked for are the same for that text."""

from __future__ import annotations

from typing import Any, cast

from workbench.formats import get_format
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.tag_json import TagJson
from workbench.formats.survey.sightings import Sightings
from workbench.formats.survey.watched_grammar import Watched, alike


class One(TagJson):
    """A grammar to compare with."""

    opens = ("<one>",)
    closes = ("</one>",)
    reads = ("own",)

    def read(self, scan: Any, match: Any, kind: str) -> Any:
        """Read nothing."""

    def doubled(self) -> int:
        """Ask for a part by a method."""
        return self.reach * 2

    @staticmethod
    def fixed() -> int:
        """Ask for nothing."""
        return 7


class Two(One):
    """The same with other markers and one other habit."""

    opens = ("<two>",)
    lists = True
    envelope = Envelope(ident="id")


class Three(One):
    """The same without a closing marker."""

    closes = ()


NOTHING = Sightings("no marker at all")


def same(name: str, one: Grammar, other: Grammar, text: str = "no marker at all") -> bool:
    return alike((name,), one, other, Sightings(text), None)


def test_parts_are_noted_also_those_that_methods_ask_for() -> None:
    asked: set[str] = set()
    watched = cast("One", Watched(One(), asked))
    assert isinstance(watched, One)
    assert watched.doubled() == 128
    assert watched.fixed() == 7
    assert watched.envelope.name == "name"
    assert asked == {"doubled", "reach", "fixed", "envelope", "envelope.name"}


def test_markers_tell_grammars_apart_only_where_one_of_them_stands() -> None:
    assert same("opens", One(), Two())
    assert not same("opens", One(), Two(), "a <one> b")
    assert not same("opens", One(), Two(), "a <tw"), "a marker may be cut off"
    assert not same("closes", One(), Three()), "whether there is a closing marker matters without one in the text too"


def test_habits_tell_grammars_apart_in_every_text() -> None:
    assert not same("lists", One(), Two())
    assert same("lines", One(), Two())
    assert same("envelope", One(), Two()), "its parts are looked at one by one"
    assert not same("envelope.ident", One(), Two())
    assert same("envelope.name", One(), Two())
    assert same("json_repairs", One(), Two())


def test_a_reader_that_leaves_an_opener_to_its_base_is_no_difference() -> None:
    assert same("read", One(), TagJson(), "a <toolcall> b")
    hunyuan, glm = get_format("hy_v3"), get_format("glm45")
    assert isinstance(hunyuan, FormatSpec)
    assert isinstance(glm, FormatSpec)
    assert same("read", hunyuan.grammar, glm.grammar, "<tool_call>now</tool_call>")
    assert not same("read", hunyuan.grammar, glm.grammar, "<tool_call:opensource>now</tool_call:opensource>")


def test_signs_are_looked_for_in_what_was_left_too() -> None:
    assert alike(("signs",), One(), Two(), NOTHING, None)
    assert not alike(("signs",), One(), Two(), NOTHING, Sightings("<two>"))


def test_a_part_that_a_grammar_lacks_is_lacking() -> None:
    asked: set[str] = set()
    watched = cast("Any", Watched(Grammar(), asked))
    assert getattr(watched, "closes", ()) == ()
    assert asked == {"closes"}, "another grammar may have it"
