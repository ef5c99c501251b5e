from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.verify.metrics import METRICS
from workbench.verify.policy import (
    DEFAULT,
    Limit,
    load_policy,
    policy_from_document,
    policy_names,
    policy_to_document,
)


@pytest.mark.parametrize("name", policy_names())
def test_shipped_policies_are_read_and_written(name: str) -> None:
    policy = load_policy(name)
    assert policy.name
    assert policy.about
    assert policy_from_document(policy_to_document(policy), "again") == policy


def test_the_default_comes_first_and_judges_our_own_metrics() -> None:
    assert policy_names()[0] == DEFAULT
    policy = load_policy()
    assert {metric.id for metric in METRICS.values() if not policy.judges(metric)} == {
        "k2_tool_call_f1",
        "k2_schema_accuracy",
    }


def test_the_published_policies_judge_what_they_name() -> None:
    policy = load_policy("kimi-k2-thinking")
    assert policy.limit(METRICS["k2_tool_call_f1"]).at_least == 0.73
    assert not policy.judges(METRICS["leaked_as_text"])


def test_a_limit_is_the_largest_of_its_parts() -> None:
    limit = Limit(noise=2, floor=0.01, share=0.5, most=0.2)
    assert limit.allowed(0.05, 0.1) == pytest.approx(0.1)
    assert limit.allowed(0.001, 0.001) == pytest.approx(0.01)
    assert limit.allowed(0.0, 0.3) == pytest.approx(0.15)
    assert limit.allowed(0.5, 0.1) == pytest.approx(0.2)
    assert Limit(drop=0.03).allowed(0.5, 1) == 0.03


def test_yaml_toml_and_json_are_one(tmp_path: Path) -> None:
    texts = {
        "p.yaml": "name: mine\nlevel: 0.1\nmetrics:\n  trigger_f1: {at_least: 0.8}\n",
        "p.toml": 'name = "mine"\nlevel = 0.1\n[metrics.trigger_f1]\nat_least = 0.8\n',
        "p.json": '{"name": "mine", "level": 0.1, "metrics": {"trigger_f1": {"at_least": 0.8}}}',
    }
    read = []
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
        read.append(load_policy(str(tmp_path / name)))
    assert read[0] == read[1] == read[2]
    assert read[0].limits["trigger_f1"] == Limit(at_least=0.8)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ([], "holds no policy"),
        ({"metric": {}}, "'metric' is unknown"),
        ({"level": 2}, "'level'"),
        ({"metrics": {"speed": {}}}, "no metric 'speed'"),
        ({"metrics": {"trigger_f1": {"at_lest": 1}}}, "metrics.trigger_f1 is no limit"),
        ({"metrics": {"trigger_f1": {"at_least": "high"}}}, "at_least is no number"),
        ({"metrics": {"trigger_f1": {"noise": -1}}}, "noise is no number"),
        ({"metrics": {"trigger_f1": {"decide": "dice"}}}, "decide is 'dice'"),
        ({"metrics": {"total_time": {"at_most": 3}}}, "a share of replies alone"),
        ({"metrics": []}, "'metrics' is an object"),
        ({"default": 3}, "default is no limit"),
        ({"only": ["nothing"]}, "no metric 'nothing'"),
    ],
)
def test_bad_documents_are_named(document: object, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        policy_from_document(document, "mine.yaml")


def test_a_policy_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"Shipped: twice-noise"):
        load_policy("strict")
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_policy(str(tmp_path / "none.yaml"))
    (tmp_path / "bad.toml").write_text("level = = 2", "utf-8")
    with pytest.raises(InvalidInput, match="no TOML"):
        load_policy(str(tmp_path / "bad.toml"))


@pytest.mark.parametrize(("text", "told"), [("a = " + "[" * 60_000, "too deeply"), ("a = " + "9" * 5_000, "no TOML")])
def test_hostile_toml_is_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "p.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=told):
        load_policy(str(tmp_path / "p.toml"))
