"""What a command prints tells no key, whoever prints it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workbench.cli.dispatch import dispatch
from workbench.cli.masked_output import keys_masked
from workbench.settings.secrets import SecretBox
from workbench.settings.values import ProviderConfig

KEY = "sk-proj-Zz8Yy7Xx6Ww5Vv4Uu3Tt2Ss1Rr0Qq9Pp8Oo7Nn6Mm5Ll4Kk3"


def test_both_outputs_have_stars_for_keys_of_environment_and_settings(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    (home / "settings.toml").write_text('[providers.A]\nheaders = {x-sign-in = "of-ours-0815"}\n')
    monkeypatch.setenv("DB_TOKEN", "from-environment")
    before = (sys.stdout, sys.stderr)

    with keys_masked():
        print("of-ours-0815 and from-environment", end="|")
        sys.stderr.writelines(["of-ours-0815", " and ", "from-environment"])

    stars = f"{'*' * 12} and {'*' * 16}"
    assert capsys.readouterr() == (f"{stars}|", stars)
    assert (sys.stdout, sys.stderr) == before


def test_a_key_that_comes_later_is_masked_from_then_on(capsys: pytest.CaptureFixture[str]) -> None:
    with keys_masked():
        print("typed-in-later")
        SecretBox({}).set(ProviderConfig("A", key="session"), "typed-in-later")
        print("typed-in-later")

    assert capsys.readouterr().out == "typed-in-later\n**************\n"


def test_complaints_lose_what_only_looks_like_a_key_and_results_keep_it(capsys: pytest.CaptureFixture[str]) -> None:
    with keys_masked():
        print(KEY)
        print(KEY, file=sys.stderr)

    done = capsys.readouterr()
    assert done.out == f"{KEY}\n"
    assert KEY[10:] not in done.err


def test_complaints_draw_what_turns_text_around(capsys: pytest.CaptureFixture[str]) -> None:
    """The library for options tells a word back as it was typed; a line of progress keeps what moves the cursor."""
    with keys_masked():
        sys.stderr.write("No such option: --nonsense\u202e\n")
        sys.stderr.write("\r\x1b[K3 of 4")
    told = capsys.readouterr().err
    assert "--nonsense‹202E›" in told
    assert told.endswith("\r\x1b[K3 of 4")


def test_bytes_have_stars_too(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that writes bytes goes round no mask; what is no text stays as it is."""
    monkeypatch.setenv("PLANTED_TOKEN", KEY)
    with keys_masked():
        sys.stdout.buffer.write(f"It is {KEY}.".encode())
        sys.stdout.buffer.write(b"\xff\x00")
        sys.stdout.buffer.flush()
    assert capfdbinary.readouterr().out == f"It is {'*' * len(KEY)}.".encode() + b"\xff\x00"


def test_what_is_no_text_is_refused_by_the_stream_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with keys_masked(), pytest.raises(TypeError):
        sys.stdout.write(b"bytes")  # type: ignore[arg-type]  # as the library for options tries


@pytest.mark.parametrize("argv", [("gateway", "--map", KEY), ("formats", KEY), (KEY,), ("parse", "--format", KEY)])
def test_a_word_that_is_told_back_is_masked(argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(argv) == 2
    assert KEY[10:] not in capsys.readouterr().err


def test_parse_gives_back_what_it_was_given(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DB_TOKEN", "from-environment")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": 1, "format": "react", "raw": "It is from-environment."}\n')

    assert dispatch(("parse", "--batch", str(rows))) == 0
    assert "from-environment" in capsys.readouterr().out
