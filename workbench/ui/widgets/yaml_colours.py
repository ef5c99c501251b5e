"""Colours of YAML as it is typed."""

from __future__ import annotations

import re
from typing import ClassVar

from workbench.ui.widgets.code_edit import LineColours


class YamlColours(LineColours):
    """YAML; the text of a block stays plain."""

    pattern = re.compile(
        r"(?P<reasoning>(?:^|\s)\#.*$)|(?P<key>^\s*(?:-\s+)*[\w.$-]+(?=\s*:(?:\s|$)))|(?P<inner>[\w.$-]+(?=\s*:\s))"
        r"|(?P<string>\"(?:[^\"\\]|\\.)*\"?|'(?:[^']|'')*'?)|(?P<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-])"
        r"|(?<![\w-])(?:true|false|null)(?![\w-]))"
    )
    roles: ClassVar = {"inner": "key"}
