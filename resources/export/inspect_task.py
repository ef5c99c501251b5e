"""Recorded cases as an Inspect task: one reply with tools, held against the expected calls.

    inspect eval task.py --model openai/gpt-4.1

No tool is called: what counts is the model's first reply. `samples.jsonl` has messages, tools and expectation of each case.
"""

import sys
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import get_model
from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer, stderr
from inspect_ai.solver import solver
from inspect_ai.tool import ToolFunction, ToolInfo, ToolParams

sys.path.insert(0, str(Path(__file__).parent))
from expected_calls import problems


def tool_choice(choice):
    if choice == "required":
        return "any"
    if isinstance(choice, dict):
        return ToolFunction(name=choice.get("function", choice)["name"])
    return choice


@solver
def one_reply():
    async def solve(state, generate):
        tools = [
            ToolInfo(
                name=tool["function"]["name"],
                description=tool["function"].get("description") or tool["function"]["name"],
                parameters=ToolParams.model_validate(tool["function"].get("parameters") or {}),
            )
            for tool in state.metadata["tools"]
        ]
        choice = tool_choice(state.metadata.get("tool_choice"))
        state.output = await get_model().generate(state.messages, tools=tools, tool_choice=choice)
        state.messages.append(state.output.message)
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def expected_calls():
    async def score(state, target):
        made = [{"name": call.function, "arguments": call.arguments} for call in state.output.message.tool_calls or []]
        found = problems(state.metadata["expect"], made, state.output.completion, state.metadata["tools"])
        return Score(value=INCORRECT if found else CORRECT, answer=str(made), explanation=" ".join(found))

    return score


@task
def recorded_cases():
    return Task(
        dataset=json_dataset(str(Path(__file__).parent / "samples.jsonl")), solver=one_reply(), scorer=expected_calls()
    )
