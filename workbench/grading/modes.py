"""Named grading modes: rules of matching that go together, so that a verdict can name whose manner it follows.

bfcl    the Berkeley Function-Calling Leaderboard: texts without case, blanks and punctuation; an integer may stand for
        a float, not the other way; schema defaults have to be written out; a value is judged as the model wrote it
"""

from __future__ import annotations

from workbench.core.case import Matching

MODES: dict[str, Matching] = {
    "bfcl": Matching(text="letters", numbers="widening", defaults=False, as_written=True),
}


def mode_of(matching: Matching) -> str:
    """The name of the mode that these rules are; empty where they have none."""
    return next((name for name, rules in MODES.items() if rules == matching), "")
