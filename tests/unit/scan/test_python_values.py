from __future__ import annotations

import pytest

from workbench.scan.python_values import python_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': [1, None, True], 'b': \"it's (\"} tail }", {"a": [1, None, True], "b": "it's ("}),
        (
            "C(id='1', choices=[Choice(message=M(content='a\\n)', tool_calls=None))], usage=U(n=3))",
            {"id": "1", "choices": [{"message": {"content": "a\n)", "tool_calls": None}}], "usage": {"n": 3}},
        ),
        ("{'n': -1, 't': (1, 2)}", {"n": -1, "t": [1, 2]}),
        ("{'role': <Role.USER: 'user'>}", {"role": "user"}),
        ("{'at': Timestamp('2026')}", {"at": "2026"}),
    ],
)
def test_values_as_python_prints_them(text: str, value: object) -> None:
    assert python_value(text, 0) == value


@pytest.mark.parametrize("text", ["{'a': ", "{'a': 'b", "{'a': f()[0]}", "{'a': 1 if x else 2}", "", "plain"])
def test_what_cannot_be_read_is_none(text: str) -> None:
    assert python_value(text, 0) is None


@pytest.mark.parametrize("text", ["{{}: 1}", "{[]: 1}", "{'a': {{}: 1}}"])
def test_what_python_refuses_is_no_value(text: str) -> None:
    assert python_value(text, 0) is None
