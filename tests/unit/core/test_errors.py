from __future__ import annotations

import pytest

from workbench.core.errors import (
    ErrorInfo,
    ErrorKind,
    InvalidInput,
    ProviderError,
    UnknownName,
    WorkbenchError,
    with_hint,
)


def test_an_error_reads_as_message_and_hint() -> None:
    assert str(InvalidInput("It is wrong.", hint="Mend it.")) == "It is wrong. Mend it."
    assert str(InvalidInput("It is wrong.")) == "It is wrong."


@pytest.mark.parametrize(
    ("message", "hint", "text"),
    [
        ("no such model", "Choose another one.", "no such model. Choose another one."),
        ("Which one?", "Choose.", "Which one? Choose."),
        ("busy \n", "", "busy"),
        ("", "Wait.", "Wait."),
    ],
)
def test_message_and_hint_are_two_sentences(message: str, hint: str, text: str) -> None:
    assert with_hint(message, hint) == text


@pytest.mark.parametrize(
    ("name", "words"), [("qwen_xm", "Did you mean 'qwen_xml'?"), ("zzz", "Known: qwen_xml, react.")]
)
def test_an_unknown_name_helps_on(name: str, words: str) -> None:
    assert words in str(UnknownName("format", name, ["react", "qwen_xml"]))
    assert "Known: none." in str(UnknownName("format", name, []))


def test_exit_codes_tell_the_worlds_errors_apart() -> None:
    info = ErrorInfo(ErrorKind.AUTH, "Refused.", hint="Look at the key.")
    assert ProviderError(info).exit_code == 3
    assert str(ProviderError(info)) == "Refused. Look at the key."
    assert WorkbenchError("x").exit_code == InvalidInput("x").exit_code == 2
