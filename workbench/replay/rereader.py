"""One stored reply read again, exactly as the engine reads: with the policy, tools and family flags of its day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import ParseResult
from workbench.core.events import PartyInfo
from workbench.core.exchange import Endpoint
from workbench.core.target import FamilyFlags, Policy
from workbench.engine.plan import Party
from workbench.engine.reader import StepReader, may_call
from workbench.formats import get_format
from workbench.replay.difference import same_reading
from workbench.replay.recorded import RecordedClient

if TYPE_CHECKING:
    from workbench.store.rows import StoredReply


class Rereader:
    """Reads replies exactly as the engine does; what formats need is looked up once."""

    def __init__(self) -> None:
        self._parties: dict[tuple[str, FamilyFlags], Party] = {}

    def read(self, reply: StoredReply) -> ParseResult:
        """Return today's reading; raise UnknownName if the format is gone."""
        result = self._read(reply, complete=True)
        if not reply.finish_reason and not same_reading(reply.reading, result):
            # without a finish reason the record does not say whether the reply was complete: either may be right
            cut = self._read(reply, complete=False)
            return cut if same_reading(reply.reading, cut) else result
        return result

    def _read(self, reply: StoredReply, *, complete: bool) -> ParseResult:
        party = self._party(reply.format, reply.flags)
        if not reply.native_calls and not may_call(reply.text):
            return self._read_plain(reply, party, complete=complete)
        reader = StepReader(party, reply.tools, Policy(reply.policy))
        reader.feed(reply.text, ())
        result, *_ = reader.finish(reply.text, reply.native_calls, reply.finish_reason, complete=complete)
        return result

    def _read_plain(self, reply: StoredReply, party: Party, *, complete: bool) -> ParseResult:
        """Read prose with its own format alone: where no call can be, no other format and no policy has a say."""
        found, reason = party.format, reply.finish_reason if complete else "length"
        assert found is not None
        if not reply.tools:
            return ParseResult(text=reply.text)
        if found.native:
            return found.read_native(reply.text, (), reply.tools, reason)
        flags = party.flags
        parser = found.parser(reply.tools, think_open=flags.think_open, calls_in_reasoning=flags.calls_in_reasoning)
        parser.feed(reply.text)
        parser.finish(reason)
        return parser.result()

    def _party(self, format_id: str, flags: FamilyFlags) -> Party:
        party = self._parties.get((format_id, flags))
        if party is None:
            found = get_format(format_id)
            info = PartyInfo("", "", "", "", found.id, found.native)
            party = Party(RecordedClient(Endpoint("", "", ""), ()), info, found, flags)
            self._parties[format_id, flags] = party
        return party
