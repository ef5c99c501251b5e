from workbench.store.storable import storable


def test_lone_surrogates_are_replaced_and_nothing_else() -> None:
    assert storable("a\ud800b\udfff") == "a\ufffdb\ufffd"
    assert storable("🙂 天 \0") == "🙂 天 \0"
