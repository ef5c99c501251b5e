from __future__ import annotations

from workbench.scan.reply import SeenCall


def test_a_call_as_a_provider_delivers_it() -> None:
    call = SeenCall("f", {"city": "Zürich"}, "c1")
    assert call.native(2) == (2, "c1", "f", '{"city": "Zürich"}')
    assert SeenCall("f", '{"city": ').text == '{"city": '
