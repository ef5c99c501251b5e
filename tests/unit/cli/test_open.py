from __future__ import annotations

import pytest

from workbench.cli.open import main
from workbench.core.errors import InvalidInput


def test_help_says_what_it_opens(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "case file" in capsys.readouterr().out


def test_two_files_are_refused() -> None:
    with pytest.raises(InvalidInput, match="One case file"):
        main(["a", "b"])
