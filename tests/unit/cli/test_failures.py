"""The edge of every command: errors, crashes, interrupts and readers who leave."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from workbench.cli.failures import OutputClosed, apt_line, complain, guarded, say, world_error
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput, ProviderError, StoreError


def raising(error: BaseException):
    def command() -> int:
        raise error

    return command


def test_the_command_decides_the_code() -> None:
    assert guarded(lambda: 0) == 0
    assert guarded(lambda: 1) == 1
    assert guarded(raising(SystemExit(2))) == 2
    assert guarded(raising(SystemExit(None))) == 0
    assert guarded(raising(SystemExit("text"))) == 2


def test_errors_of_the_world_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(InvalidInput("The file\nis odd.", hint="Mend it."))) == 2
    seen = capsys.readouterr()
    assert seen.err == "workbench: The file is odd. Mend it.\n"
    assert seen.out == ""


def test_a_name_of_megabytes_hides_neither_fault_nor_hint(capsys: pytest.CaptureFixture[str]) -> None:
    complain(InvalidInput(f"There is no {'f' * 3_000_000}.", hint="Leave it out."))
    told = capsys.readouterr().err
    assert len(told) < 2_100
    assert told.startswith("workbench: There is no fff")
    assert told.endswith("fff. Leave it out.\n")


def test_provider_errors_have_their_own_code() -> None:
    assert guarded(raising(ProviderError(ErrorInfo(ErrorKind.AUTH, "no")))) == 3
    assert guarded(raising(StoreError("no"))) == 2


def test_interrupts_and_closed_pipes_are_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(KeyboardInterrupt())) == 130
    assert guarded(raising(OutputClosed())) == 0
    assert guarded(raising(BrokenPipeError())) == 0
    assert capsys.readouterr().err == ""


def test_groups_are_unwrapped_only_if_all_of_it_is_the_world() -> None:
    known = InvalidInput("x")
    assert world_error(ExceptionGroup("g", [known])) is known
    assert world_error(ExceptionGroup("g", [known, ValueError("bug")])) is None
    assert guarded(raising(ExceptionGroup("g", [ExceptionGroup("h", [known])]))) == 2


@pytest.mark.parametrize("number", [errno.ENAMETOOLONG, errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_what_is_wrong_with_a_path_is_the_users(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    error = OSError(number, os.strerror(number), "a" * 5000)
    assert guarded(raising(error)) == guarded(raising(ExceptionGroup("g", [error]))) == 2
    told = capsys.readouterr().err
    assert f"cannot be used: {os.strerror(number)}." in told
    assert len(told) < 500


def test_a_bug_leaves_a_report_and_says_where(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(ZeroDivisionError("boom"))) == 1
    told = capsys.readouterr().err
    (report,) = (home / "logs").glob("crash-*.txt")
    assert str(report) in told
    assert "Traceback" not in told
    assert "ZeroDivisionError: boom" in report.read_text(encoding="utf-8")


def test_without_a_place_the_report_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("WORKBENCH_HOME", str(blocked))
    assert guarded(raising(ZeroDivisionError("boom"))) == 1
    assert "ZeroDivisionError: boom" in capsys.readouterr().err


def test_no_line_tells_a_key_of_the_environment_or_an_address(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789abcdef")
    say("The setting providers.sk-0123456789abcdef is not known.")
    assert capsys.readouterr().err == "workbench: The setting providers.******************* is not known.\n"
    say("Not read: 'http://me:s3cretpassword@h:port/v1?api_key=aBc123456', see https://site.test/docs/page.")
    told = capsys.readouterr().err
    assert "http://me:**************@h:port/v1?api_key=*********'," in told
    assert "https://site.test/docs/page." in told


def test_what_installs_the_windows_libraries_is_one_line() -> None:
    assert apt_line().startswith("apt-get install --no-install-recommends libgl1 ")
    assert "\n" not in apt_line()


def test_a_path_with_a_nul_sign_is_the_users() -> None:
    with pytest.raises(ValueError, match="null byte") as told:
        Path("a\0b").touch()
    assert isinstance(world_error(told.value), InvalidInput)
