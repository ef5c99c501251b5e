"""What of a verification leaves the window: the evidence folder, a report, files of K2-Vendor-Verifier."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from workbench.core.atomic_files import write_file
from workbench.core.hash_chain import short
from workbench.ui.theme.icons import icon
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.menus import Menu, open_below
from workbench.verify.verification_report import verification_json, verification_markdown

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.ui.compare.verify.shown_verification import ShownVerification


class VerifyExport:
    """The export menu of the tab."""

    def __init__(self, verify: ShownVerification) -> None:
        self._verify = verify

    def menu(self, below: QWidget) -> QMenu:
        """Open the menu under a button."""
        made = Menu(below)
        start = self._verify.start
        made.addAction(
            icon("archive"), tr("Evidence folder: every exchange, chained by hashes"), lambda: start(self.evidence())
        )
        made.addAction(icon("clipboard-text"), tr("Report as Markdown"), lambda: start(self.report("md")))
        made.addAction(icon("brackets-curly"), tr("Report as JSON"), lambda: start(self.report("json")))
        made.addAction(icon("folder"), tr("Files of K2-Vendor-Verifier"), lambda: start(self.k2()))
        open_below(made, below)
        return made

    async def evidence(self) -> None:
        """Write the evidence into an empty folder that is asked for."""
        found, judged, shell = self._verify.found, self._verify.judged, self._verify.shell
        folder = await dialogs.ask_folder(shell.window, tr("An empty folder for the evidence"))
        if folder is not None and found is not None and judged is not None:
            digest = await asyncio.to_thread(shell.wb.verifications.write_evidence, found, judged, folder)
            shell.say(tr("Evidence written, digest {digest}", digest=short(digest)))

    async def report(self, kind: str) -> None:
        """Write the report into a file that is asked for."""
        found, judged, shell = self._verify.found, self._verify.judged, self._verify.shell
        path = await dialogs.ask_save_file(shell.window, tr("Report"), f"verification.{kind}")
        if path is not None and found is not None and judged is not None:
            text = verification_markdown(found, judged)
            if kind == "json":
                text = json.dumps(verification_json(found, judged), indent=1, ensure_ascii=False) + "\n"
            await asyncio.to_thread(write_file, path, text)
            shell.say(tr("Report written to {path}", path=path.name))

    async def k2(self) -> None:
        """Write results and summary of each endpoint into a folder that is asked for."""
        found, shell = self._verify.found, self._verify.shell
        folder = await dialogs.ask_folder(shell.window, tr("A folder for the files"))
        if folder is not None and found is not None:
            await asyncio.to_thread(shell.wb.verifications.write_k2, found, folder)
            shell.say(tr("results.jsonl and summary.json written for each endpoint"))
