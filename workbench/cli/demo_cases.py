"""What the demo compares: three everyday prompts with mocked tools, and targets of each kind."""

from __future__ import annotations

from workbench.core.messages import Message
from workbench.core.target import ModelRef, Sampling, Target
from workbench.core.tools import MockRule, ToolSetup, ToolSpec

SIMULATOR = "Simulator"
FAST = {"simulate": {"tokens_per_second": 0, "first_token_s": 0}}
"""The simulated models write as fast as they can: nobody watches them here."""


def _tool(name: str, description: str, properties: dict[str, str], mock: MockRule) -> ToolSetup:
    schema = {
        "type": "object",
        "properties": {key: {"type": kind} for key, kind in properties.items()},
        "required": [next(iter(properties))],
    }
    return ToolSetup(ToolSpec(name, description, schema), mock=mock)


TOOLS = (
    _tool(
        "get_weather",
        "Current weather of a city",
        {"city": "string", "days": "integer"},
        MockRule("template", '{"city": "{{ arguments.city }}", "sky": "clear", "temperature": 19}'),
    ),
    _tool(
        "read_file",
        "Read a text file of the workspace",
        {"path": "string"},
        MockRule("fixed", '[database]\nurl = "pg://db.staging/app"\n'),
    ),
    _tool(
        "list_directory", "List a folder of the workspace", {"path": "string"}, MockRule("fixed", ["app.toml", "src/"])
    ),
)

PROMPTS = {
    "weather": "How is the weather in Rome?",
    "config": "Read the file config/app.toml and tell me which database it names.",
    "folder": "List the directory config and say what is in it.",
}


def messages(case: str) -> tuple[Message, ...]:
    """Return the conversation of a case."""
    return (Message("system", "Use the tools. Answer in one sentence."), Message("user", PROMPTS[case]))


def targets(seed: int) -> tuple[Target, ...]:
    """Return what is compared; the seed makes each repetition another one, and each demo the same."""
    sampling = Sampling(temperature=0.2, seed=seed, extra=FAST)
    pairs = (
        ("mistral-steady", "native_openai", ""),
        ("qwen-hasty", "qwen_xml", ""),
        ("qwen-hasty", "react", ""),
        ("gemma-sloppy", "json_scaffold", ""),
        ("qwen3-thinker", "qwen_xml", ""),
        ("qwen-cut", "qwen_xml", ""),
        ("aux-stubborn", "native_openai", "plain"),
    )
    return tuple(
        Target(ModelRef(SIMULATOR, model), format_id, ModelRef(SIMULATOR, planner) if planner else None, sampling)
        for model, format_id, planner in pairs
    )
