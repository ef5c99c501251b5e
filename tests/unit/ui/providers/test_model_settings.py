"""Settings of a model, from the button to what its runs are sent with."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.core.target import ModelRef
from workbench.settings.config import ModelConfig, ProviderConfig
from workbench.ui.main.session import Session
from workbench.ui.providers.controller import ProvidersController
from workbench.ui.providers.extras_dialog import ProviderExtrasDialog
from workbench.ui.providers.model_dialog import ModelSettingsDialog
from workbench.ui.providers.model_settings import fill, read


async def providers_page(session: Session) -> ProvidersController:
    """The page with a saved provider chosen that serves the simulated models."""
    wb = session.wb
    assert wb is not None
    url = await wb.simulator.start()
    wb.save(wb.saved_settings.with_provider(ProviderConfig("Mine", base_url=url, key="none")))
    page = go_to(session.window, ProvidersController)
    page.refresh("Mine")
    await until(lambda: page.page.form.name.text() == "Mine")
    page.test()
    await until(lambda: page.page.models.total > 5)
    return page


async def dialog(session: Session, kind: type[QWidget]) -> QWidget:
    found: list[QWidget] = []

    def there() -> bool:
        found[:] = [view for view in session.window.findChildren(kind) if view.isVisible()]
        return bool(found)

    await until(there)
    return found[0]


def test_model_settings_are_saved_shown_and_cleared(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page, wb = await providers_page(session), session.wb
            assert wb is not None
            model = page.page.models.line(0).name
            QTest.mouseClick(page.page.decide, Qt.MouseButton.LeftButton)
            view = await dialog(session, ModelSettingsDialog)
            assert isinstance(view, ModelSettingsDialog)
            assert "Nothing is decided" in view.status.text()
            view.format.picked.emit("qwen_xml")
            QTest.keyClicks(view.output_price, "2")
            QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
            await until(lambda: page.page.models.line(0).chip == "yours")
            assert wb.provider("Mine").model(model) == ModelConfig(format="qwen_xml", output_price=2.0)
            assert wb.detect(ModelRef("Mine", model)).format == "qwen_xml"
            QTest.mouseClick(page.page.decide, Qt.MouseButton.LeftButton)
            view = await dialog(session, ModelSettingsDialog)
            assert isinstance(view, ModelSettingsDialog)
            assert view.status.text() == "As saved."
            QTest.mouseClick(view.clear, Qt.MouseButton.LeftButton)
            QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
            await until(lambda: not wb.provider("Mine").models)

    run_async(body())


def test_extra_headers_are_saved_with_the_form(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page, wb = await providers_page(session), session.wb
            assert wb is not None
            form = page.page.form
            QTest.mouseClick(form.extras, Qt.MouseButton.LeftButton)
            view = await dialog(session, ProviderExtrasDialog)
            assert isinstance(view, ProviderExtrasDialog)
            view._headers.setPlainText('{"X-Title": "mine"}')
            QTest.mouseClick(view.use, Qt.MouseButton.LeftButton)
            await until(lambda: form.differs)
            assert form.extras_told.text() == "1 in the head"
            form.per_minute.setText("30")
            form.per_minute.textEdited.emit("30")
            form.tokens.setText("200000")
            form.tokens.textEdited.emit("200000")
            QTest.mouseClick(form.save, Qt.MouseButton.LeftButton)
            config = wb.provider("Mine")
            assert config.headers == {"X-Title": "mine"}
            assert (config.requests_per_minute, config.tokens_per_minute) == (30, 200_000)

    run_async(body())


def test_fields_and_settings_say_the_same(theme, qtbot) -> None:
    view = ModelSettingsDialog("m", "P")
    qtbot.addWidget(view)
    view.offer_formats(["react"], "react")
    known = ModelConfig(
        format="react", tools="emulated", parallel_calls=False, requires_jinja=True, temperature=0.25, max_tokens=9,
        think_open=True, calls_in_reasoning=False, input_price=0.1, output_price=3.0, extra={"a": [1]},
    )  # fmt: skip
    fill(view, known)
    assert read(view, known) == known
    fill(view, ModelConfig())
    assert read(view, ModelConfig()) == ModelConfig()
