"""Characters that nobody sees: they turn the order of others around, or hide text in text. One table for all that is shown.

Line ends, tabs and other controls below a blank are not here: each place has its own use for them.
"""

from __future__ import annotations

import re

C1 = "\x7f-\x9f"
"""Controls above ASCII, as part of a character class: some steer a terminal."""
TURNING = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Directions, blanks without width, fillers and tags, as part of a character class."""
JOINERS = "(?<=[!-~])[\u200c\u200d]"
"""Joiners behind an ASCII sign, as a pattern: elsewhere they belong to how words and pictures are written."""
HIDDEN = re.compile(f"[{C1}{TURNING}\ud800-\udfff]|{JOINERS}")
"""Whatever of these stands in a text, halves of surrogate pairs too."""
