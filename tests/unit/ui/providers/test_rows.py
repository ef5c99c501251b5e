from __future__ import annotations

from workbench.ui.providers.rows import ModelLine, ModelsModel

MODELS = [
    ModelLine("llama-3.3-70b", "native_openai", "provider lists tool use", "native"),
    ModelLine("allam-2-7b", "json_scaffold", "unknown name", "emulated", chip="guess"),
]


def test_models_and_their_search(qtmodeltester) -> None:
    model = ModelsModel()
    model.show_lines(MODELS)
    qtmodeltester.check(model)
    model.search("ALLAM json")
    assert [model.line(row).name for row in range(model.rowCount())] == ["allam-2-7b"]
    assert (model.total, model.index(0, 4).data()) == (2, "guess")
    model.search("")
    assert model.rowCount() == 2
