from __future__ import annotations

import json
import zipfile
from pathlib import Path

from tests.kit.exports import CALL, exported, weather_case
from tests.kit.fakes import Reply
from workbench.core.versions import PARSER_VERSION
from workbench.export.bundle import export_bundle
from workbench.export.files import write_export


def test_archive_holds_everything_for_a_report(tmp_path: Path) -> None:
    made = export_bundle([exported(Reply(CALL), Reply("Sunny."), case=weather_case())])
    write_export(made, tmp_path / "report.zip")
    with zipfile.ZipFile(tmp_path / "report.zip") as archive:
        names = archive.namelist()
        versions = json.loads(archive.read("versions.json"))
        readme = archive.read("README.md").decode()
        assert len(archive.read("runs.jsonl").splitlines()) == 1
        assert json.loads(archive.read("exchanges.har"))["log"]["version"] == "1.2"
    assert {"runs.html", "requests.sh", "replies/replies.json", "replies/adapter.py"} < set(names)
    assert all(
        f"`{name}`" in readme for name in ("runs.html", "runs.jsonl", "exchanges.har", "requests.sh", "versions.json")
    )
    assert (versions["parser"], versions["runs"][0]["format"]) == (PARSER_VERSION, "qwen_xml")
