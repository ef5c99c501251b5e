from workbench.store.storable import storable


def test_lone_surrogates_and_nul_are_replaced() -> None:
    assert storable("a\ud800b\udfff") == "a\ufffdb\ufffd"
    assert storable("🙂 天 \0") == "🙂 天 \ufffd"
