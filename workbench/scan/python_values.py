"""Values as Python prints them: a dict of a reply, or what OpenAI's and Anthropic's libraries print of one.

{'id': 'chatcmpl-1', 'choices': [{'message': {'content': None, 'tool_calls': […]}}]}
ChatCompletion(id='chatcmpl-1', choices=[Choice(finish_reason='stop', index=0, message=ChatCompletionMessage(content='…'))])
"""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from typing import Any

from workbench.formats.kit.python_source import FAILURES

_STRING = re.compile(r"'[^'\\\n]*(?:\\.[^'\\\n]*)*'|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"")
_STEP = re.compile(r"['\"({\[)}\]]")
_ENUM = re.compile(r"<[\w.]+: ('[^']*'|\d+)>")
_LONGEST = 1 << 20


def python_value(text: str, at: int) -> Any:
    """Return the value that begins at a bracket, or at a class's name before one; None for what cannot be read."""
    end = _end_of(text, at)
    if end < 0:
        return None
    with suppress(*FAILURES):
        tree = ast.parse(_ENUM.sub(r"\1", text[at:end]), mode="eval")
        return _plain(tree.body)
    return None


def _end_of(text: str, at: int) -> int:
    """The place behind the bracket that closes the first one; -1 without it."""
    depth = 0
    limit = at + _LONGEST
    while found := _STEP.search(text, at, limit):
        at = found.end()
        if found.group() in "'\"":
            whole = _STRING.match(text, found.start())
            if whole is None:
                return -1
            at = whole.end()
        elif found.group() in "({[":
            depth += 1
        else:
            depth -= 1
            if depth <= 0:
                return at
    return -1


def _plain(node: ast.expr) -> Any:
    """The value of a literal; of a call of a class its fields. Raise ValueError for anything else."""
    match node:
        case ast.Dict():
            return {_plain(key): _plain(value) for key, value in zip(node.keys, node.values, strict=True) if key}
        case ast.List() | ast.Tuple() | ast.Set():
            return [_plain(one) for one in node.elts]
        case ast.Call():
            if len(node.args) == 1 and not node.keywords:
                return _plain(node.args[0])
            return {word.arg: _plain(word.value) for word in node.keywords if word.arg}
        case ast.Constant():
            return node.value
        case ast.Name() | ast.Attribute():
            return None
        case _:
            return ast.literal_eval(node)
