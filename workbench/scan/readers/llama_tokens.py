"""What a llama.cpp server wrote token by token, as its log tells it with `-v`: the text before any parser.

    slot process_toke: id  1 | task 176 | stopped by limit, n_gen = 14, n_predict = 14
    slot process_toke: id  1 | task 176 | n_gen = 14, n_remaining = 0, next token:    32 ' '

A parsed message names no task, so the text is told only where a single task ended since the message before.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import NamedTuple

_TOKEN = re.compile(r"task (\d+) \| n_(?:gen|decoded) = \d+, [^\n]*?next token: +\d+ '(.*)'", re.DOTALL)
_STOPPED = re.compile(r"task (\d+) \| stopped by (\w+)")
_LIMITS = frozenset({"limit", "length", "context"})
_MOST_TASKS = 64
_MOST_TOKENS = 65_536


class Generated(NamedTuple):
    """What one task wrote."""

    text: str
    tokens: int
    finish: str
    """`length` or `stop`."""


class LlamaTokens:
    """Follows the tasks of one log."""

    def __init__(self) -> None:
        self._pieces: OrderedDict[str, list[str]] = OrderedDict()
        self._ended: dict[str, str] = {}
        """Tasks that ended since the last message, with how."""

    def token(self, record: str) -> None:
        """Take the record of one token."""
        found = _TOKEN.search(record)
        if found is None:
            return
        pieces = self._pieces.setdefault(found[1], [])
        if len(pieces) < _MOST_TOKENS:
            pieces.append(found[2])
        if len(self._pieces) > _MOST_TASKS:
            self._pieces.popitem(last=False)

    def stopped(self, record: str) -> None:
        """Take the record of a task's end; its last token comes behind it."""
        found = _STOPPED.search(record)
        if found is not None:
            self._ended[found[1]] = "length" if found[2] in _LIMITS else "stop"

    def take(self) -> Generated | None:
        """Return what the task wrote whose message was just logged; None where that cannot be told."""
        ended, self._ended = self._ended, {}
        made = [(self._pieces.pop(task, []), finish) for task, finish in ended.items()]
        if len(made) != 1 or not made[0][0]:
            return None
        pieces, finish = made[0]
        return Generated("".join(pieces), len(pieces), finish)
