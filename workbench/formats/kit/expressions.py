"""Values in a call that are no literals: names, sums, objects of other languages. None is run; each is kept as its text.

    f(conn=session, rate=5/100, when=new Date(2024, 1), by=(a, b) => a - b, title=“Rome”)

Only sums of plain numbers and strings are worked out, and `float(100)`, as whoever wrote them meant their result.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.python_source import FAILURES, expression, literal

if TYPE_CHECKING:
    from collections.abc import Callable

_STEP = re.compile(r"[()\[\]{},=\"'`“‘<]")
_UNITS = {
    '"': re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL),
    "'": re.compile(r"'(?:[^'\\]++|\\.)*+'", re.DOTALL),
    "`": re.compile(r"`(?:[^`\\]++|\\.)*+`", re.DOTALL),
    "“": re.compile(r"“[^”]*+”"),
    "‘": re.compile(r"‘[^’]*+’"),
    "<": re.compile(r"<[\w\s.,?\[\]<>]{0,120}>(?=\s{0,8}(?:[({\[,.)]|\Z))"),
}
"""What is passed over as one piece: strings, and the type arguments of `Map<String, List<Integer>>`."""
_NO_ASSIGNMENT = re.compile(r"==|=>|(?<=[<>!=])=")
_PARTNER = {")": "(", "]": "[", "}": "{"}
_SUM = re.compile(
    r"(?:int|float)\([\d\s.+\-eE_\"']{1,60}\)|[\d\s.+\-*/%()eExXa-fA-F_oObB]{1,200}|[\"'].{0,2000}", re.DOTALL
)
_NO_SUM = re.compile(r"\d+(?:-\d+)+|\d+(?:/\d+){2,}|0\d[\d\s]*.*", re.DOTALL)
"""Dates, telephone numbers and the like."""
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"int": int, "float": float}
_BIGGEST = 1e18
_TIMES = re.compile(r"(?<=\])\s{0,9}\*\s{0,9}(\d{1,4})\Z")
_LONGEST = 10_000
"""No list is repeated beyond so many characters."""


def expression_end(text: str, at: int, end: int, close: str) -> int:
    """Return where the expression at `at` ends, before a comma or `close`; -1 if none can be told apart there."""
    open_ones: list[str] = []
    while (found := _STEP.search(text, at, end)) is not None:
        char, at = found.group(), found.start()
        if char in _UNITS:
            unit = _UNITS[char].match(text, at, end)
            if unit is None and char in "\"'":
                return -1
            at = unit.end() if unit else at + 1
            continue
        if not open_ones and (char in (",", close) or char in ")]}"):
            return at if char in (",", close) else -1
        if char in "([{":
            open_ones.append(char)
        elif char in _PARTNER and open_ones.pop() != _PARTNER[char]:
            return -1
        elif char == "=" and not open_ones:
            compared = _NO_ASSIGNMENT.match(text, at, end)
            if compared is None:
                return -1
            at = compared.end() - 1
        at += 1
    return -1 if open_ones else end


def as_value(raw: str) -> tuple[Any, str] | None:
    """Return the value that an expression stands for, and the repair; None where it is only a place for one."""
    if not raw or raw.endswith("..."):
        return None
    if raw[0] in "“‘" and raw[-1] in "”’":
        return raw[1:-1], "smart_quotes"
    if raw[0] == raw[-1] == "`" and len(raw) > 1:
        return raw[1:-1], "single_quotes"
    total: Any = _sum(raw) if raw[0] != "[" else _repeated(raw)
    if total is not None:
        return total, "schema_coerced"
    if raw[0] == raw[-1] and raw[0] in "\"'" and len(raw) > 1 and _tree(raw) is None:
        return raw[1:-1], "unescaped_quote"
    return raw, "schema_coerced"


def _tree(raw: str) -> ast.expr | None:
    try:
        return expression(raw)
    except FAILURES:
        return None


def _sum(raw: str) -> int | float | str | None:
    """Work out a sum of plain numbers or strings; None if it is anything else."""
    if not _SUM.fullmatch(raw) or _NO_SUM.fullmatch(raw):
        return None
    tree = _tree(raw)
    try:
        return None if tree is None else _worked_out(tree)
    except (ValueError, TypeError, ArithmeticError, RecursionError):
        return None


def _repeated(raw: str) -> list[Any] | None:
    """Work out `['a', 1] * 3`; None if it is anything else."""
    match = _TIMES.search(raw)
    try:
        items = literal(raw[: match.start()]) if match is not None and len(raw) < 4000 else None
    except FAILURES:
        return None
    if match is None or not isinstance(items, list):
        return None
    if not all(isinstance(item, str | int) or (isinstance(item, float) and math.isfinite(item)) for item in items):
        return None
    count = int(match.group(1))
    return items * count if count * len(raw) <= _LONGEST else None


def _worked_out(node: ast.expr) -> int | float | str:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _number(_worked_out(node.operand))
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        converted = _CONVERSIONS.get(node.func.id, _refused)(_worked_out(node.args[0]))
        return _number(converted)
    if not isinstance(node, ast.BinOp) or type(node.op) not in _OPERATORS:
        raise ValueError
    left, right = _worked_out(node.left), _worked_out(node.right)
    if isinstance(left, str) and isinstance(right, str) and isinstance(node.op, ast.Add):
        return left + right
    left, right = _number(left), _number(right)
    if isinstance(node.op, ast.Pow) and (abs(right) > 64 or abs(left) > 1000):
        raise ValueError
    return _number(_OPERATORS[type(node.op)](left, right))


def _refused(_value: Any) -> Any:
    raise ValueError


def _number(value: Any) -> int | float:
    if isinstance(value, str | complex) or not math.isfinite(value) or abs(value) > _BIGGEST:
        raise ValueError
    return value  # type: ignore[no-any-return]
