"""Drafts on disk: whole again at the next start, without keys, and never in the way."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.app import Workbench
from workbench.core.messages import Message, NativeCall
from workbench.core.target import ModelRef
from workbench.ui.bridge.unsaved import FOLDER, Unsaved
from workbench.ui.try_.prompt_draft import Parameters, PromptDraft

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

DRAFT = PromptDraft(
    "Be brief.", "Lone \ud800 and 😀", (Message("assistant", "x", tool_calls=(NativeCall(0, "c", "f", "{}"),)),), "[{",
    ModelRef("P", "m"), parameters=Parameters(temperature="0,2", tool_choice={"type": "function"}), wrapper="{{ loop }}",
)  # fmt: skip


def test_a_draft_comes_back_whole(tmp_path: Path) -> None:
    async def body() -> None:
        async with Workbench.open(tmp_path) as wb:
            unsaved = Unsaved(wb)
            assert unsaved.found("try", PromptDraft) is None
            unsaved.keep("try", DRAFT)
            assert unsaved.found("try", PromptDraft) == DRAFT
            unsaved.drop("try")
            unsaved.drop("try")
            assert unsaved.found("try", PromptDraft) is None

    asyncio.run(body())


def test_keys_are_stars_and_rubbish_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOST_API_KEY", "sk-secret-of-mine-42")
    monkeypatch.setenv("BOOST_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("BOOST_MODEL", "planner")

    async def body() -> None:
        async with Workbench.open(tmp_path) as wb:
            unsaved = Unsaved(wb)
            unsaved.keep("try", PromptDraft(user="Use sk-secret-of-mine-42 here"))
            path = tmp_path / FOLDER / "try.json"
            assert "sk-secret" not in path.read_text(encoding="utf-8")
            for text in ("", "[]", '{"user": 7}', "{" * 100_000):
                path.write_text(text, encoding="utf-8")
                assert unsaved.found("try", PromptDraft) is None

    asyncio.run(body())


def test_unwritable_folder_is_no_error(tmp_path: Path) -> None:
    async def body() -> None:
        async with Workbench.open(tmp_path) as wb:
            (tmp_path / FOLDER).write_text("a file in its place", encoding="utf-8")
            Unsaved(wb).keep("try", DRAFT)

    asyncio.run(body())
