from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.ui.models.providers_rows import ModelLine, ModelsModel, ProviderLine, ProviderModel

PROVIDERS = [
    ProviderLine("Simulator", "12 simulated models", "flask", "pass", "ready"),
    ProviderLine("Groq", "openai_chat", "cloud", "error", "key refused"),
]
MODELS = [
    ModelLine("llama-3.3-70b", "native_openai", "provider lists tool use", "native"),
    ModelLine("allam-2-7b", "json_scaffold", "unknown name", "emulated", chip="guess"),
]


def test_providers(qtmodeltester, qtbot) -> None:
    model = ProviderModel()
    model.show_lines(PROVIDERS)
    qtmodeltester.check(model)
    assert (model.row_of("Groq"), model.row_of("Nobody")) == (1, -1)
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Groq, openai_chat, key refused"
    with qtbot.assertNotEmitted(model.modelReset):
        model.show_lines([PROVIDERS[0], ProviderLine("Groq", "openai_chat", "cloud", "pass", "3 models")])
    assert model.line(1).word == "3 models"


def test_models_and_their_search(qtmodeltester) -> None:
    model = ModelsModel()
    model.show_lines(MODELS)
    qtmodeltester.check(model)
    model.search("ALLAM json")
    assert [model.line(row).name for row in range(model.rowCount())] == ["allam-2-7b"]
    assert (model.total, model.index(0, 4).data()) == (2, "guess")
    model.search("")
    assert model.rowCount() == 2
