"""The window in a made-up language: `python -m tests.kit.translated_window HOME` prints what each page draws, as JSON.

In a process of its own, as constants hold the words of the catalogue that was there when they were read. Every translation
stands in ⟦ ⟧; `translated` counts the lines with one, `english` are those of words without. What is data (models, prompts,
names) is among these.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tests.kit.tree import ROOT

if TYPE_CHECKING:
    from workbench.ui.main.session import Session

sys.path.insert(0, str(ROOT / "packaging"))
ENGLISH = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")


def write_catalogue(folder: Path) -> None:
    """Translate each text into itself in double brackets."""
    import languages

    made = Catalog(locale="eo")
    for words in languages.collected():
        made.add(words, tuple(f"⟦{one}⟧" for one in words) if isinstance(words, tuple) else f"⟦{words}⟧")
    for text in languages.told():
        made.add(text, f"⟦{text}⟧", context=languages.SENTENCES)
    (folder / "eo" / "LC_MESSAGES").mkdir(parents=True)
    packed = BytesIO()
    write_mo(packed, made)
    (folder / "eo" / "LC_MESSAGES" / "workbench.mo").write_bytes(packed.getvalue())


async def _use(session: Session) -> None:
    """Run a prompt and open its record: what is looked up by a word must be found in any language."""
    from tests.kit.waiting import until

    session.window.go("try")
    controller: Any = session.window.page("try")
    page = controller.page
    page.composer.parameters.showPopup()
    page.composer.parameters.panel.hide()
    controller.new()
    controller.run()
    await until(lambda: page.run.verdict is not None)
    assert page.run.started is not None
    assert page.verdict.verdict.accessibleName().count("⟦") == 2, "the verdict's word is not translated"
    assert page.verdict.reason.text().startswith("⟦"), "the verdict's reason is not translated"
    assert "⟦" not in page.run.verdict.reason, "what is recorded is translated"
    controller.shell.open_run(await controller.shell.wb.load(page.run.started.run_id))


async def _walk(home: Path) -> dict[str, dict[str, Any]]:
    """Page → what it draws."""
    from PySide6.QtWidgets import QApplication

    from tests.kit.gui import open_window, picture
    from tests.kit.hostile_window import drawn
    from tests.kit.waiting import until
    from workbench.ui.main.rail import ENTRIES
    from workbench.ui.theme.theme import Theme

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    found: dict[str, dict[str, Any]] = {}
    async with open_window(Theme(app, "light"), home) as session:
        await _use(session)
        for key in ("start", "forensics", *(entry.key for entry in ENTRIES), "settings"):
            session.window.go(key)
            await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])
            picture(session.window)  # laid out and painted once, as a person has it
            lines = drawn(session.window).split("\n")
            english = [line for line in lines if ENGLISH.search(line) and "⟦" not in line]
            found[key] = {"translated": sum("⟦" in line for line in lines), "english": english}
    return found


def main(home: Path) -> None:
    """Open every page once."""
    write_catalogue(home / "languages")
    os.environ |= {"WORKBENCH_LANGUAGES": str(home / "languages"), "LANGUAGE": "eo"}
    from PySide6.QtWidgets import QApplication

    from workbench.ui.bridge.garbage import Garbage
    from workbench.ui.bridge.loop import Loop

    app = QApplication([])
    garbage = Garbage(app)  # as in the product: no other thread destroys what is Qt's
    with asyncio.Runner(loop_factory=lambda: Loop(app)) as runner:
        found = runner.run(_walk(home / "data"))
    print(json.dumps(found, ensure_ascii=False, indent=1))
    garbage.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
