"""promptfoo's configurations as cases: each prompt with each test, tools from the providers, assertions as expectations.

    prompts: ["Weather in {{city}}?", file://chat.json]
    providers: [{id: openai:gpt-5, config: {tools: [...], tool_choice: auto}}]
    tests: [{vars: {city: Rome}, assert: [{type: is-valid-openai-tools-call}, {type: icontains, value: sunny}]}]

https://www.promptfoo.dev/docs/configuration/reference. Variables are put in where they stand as `{{name}}`. What needs a
program, a judge or a price to be decided is named and left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from workbench.core.case import Case
from workbench.core.errors import InvalidInput
from workbench.core.json_text import parse_json
from workbench.core.messages import Message, message_from_openai
from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.core.whole_files import true_path
from workbench.documents import DocumentError, read_json, read_yaml
from workbench.imports.items import NewCase, NotCarried
from workbench.imports.promptfoo_assertions import expectation_of
from workbench.imports.requests import whole_text
from workbench.imports.rows import BadRow
from workbench.tools.pasted_request import specs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from workbench.imports.items import Advance, Item, ReadOptions

_VARIABLE = re.compile(r"\{\{-?\s*([\w.]+)\s*-?\}\}")
_MOST = 10_000
"""Cases of one file."""
_RUN = (".js", ".ts", ".py", ".mjs", ".cjs", ".csv")
_TEST_KEYS = frozenset({"vars", "assert", "description", "metadata", "threshold"})


def is_promptfoo(value: Any) -> bool:
    """It is a configuration."""
    return (
        isinstance(value, dict)
        and "prompts" in value
        and ("providers" in value or "tests" in value or "targets" in value)
    )


def read_promptfoo(paths: Sequence[Path], options: ReadOptions, advance: Advance) -> Iterator[Item]:  # noqa: ARG001
    """Yield a case for each prompt and test; raise InvalidInput for a file that is no configuration."""
    for path in paths:
        text = whole_text(path)
        advance(len(text.encode("utf-8", "surrogatepass")))
        document = _document(text, path.name)
        if not is_promptfoo(document):
            raise InvalidInput(
                f"The file {str(path)!r} is no promptfoo configuration.", hint="It has prompts and tests."
            )
        yield from _Config(document, path).items()


def _document(text: str, place: str) -> Any:
    return read_json(text, place, strict=False) if text.lstrip().startswith("{") else read_yaml(text, place)


@dataclass(slots=True)
class _Config:
    document: dict[str, Any]
    path: Path
    left_out: list[str] = field(default_factory=list)

    def items(self) -> Iterator[Item]:
        """Cases, then what was left out."""
        default = self.document.get("defaultTest")
        default = default if isinstance(default, dict) else {}
        prompts, tools, choice = self._prompts(), self._tools(), self._choice()
        count = 0
        for number, test in enumerate(self._tests(), 1):
            place = f"{self.path.name}, test {number}"
            for names in test:
                if names not in _TEST_KEYS:
                    self.left_out.append(f"the key {names!r} of tests")
            for which, (prompt, values) in enumerate(product(prompts, self._variables(default, test))):
                count += 1
                if count > _MOST:
                    raise InvalidInput(f"{self.path.name!r} makes more than {_MOST} cases.")
                try:
                    yield NewCase(
                        self._case(prompt, values, default, test, tools, number, which, choice), self.path.stem
                    )
                except InvalidInput as error:
                    yield BadRow(place, f"{place}: {error.message}")
        yield from map(NotCarried, self.left_out)

    def _case(
        self, prompt: str, values: dict[str, Any], default: dict[str, Any], test: dict[str, Any],
        tools: tuple[ToolSetup, ...], number: int, which: int, choice: Any,
    ) -> Case:  # fmt: skip
        assertions = [*_list(default.get("assert")), *_list(test.get("assert"))]
        expectation, left_out = expectation_of([_filled(one, values) for one in assertions])
        self.left_out += left_out
        case_id = f"{self.path.stem}-{number}" + (f"-{which + 1}" if which else "")
        title = str(test.get("description") or case_id)
        case = Case(case_id, title, self._messages(_put_in(prompt, values)), tools, choice, expectation)
        return replace(case, tags=("promptfoo",))

    def _messages(self, text: str) -> tuple[Message, ...]:
        """A prompt is a text, or a chat as JSON or YAML."""
        if "{%" in text or re.search(r"\{\{[^}]*\|", text):
            self.left_out.append("template logic in prompts: it stands in the text as it is")
        if text.lstrip().startswith(("[", "- role")):
            try:
                value = _document(text, "the prompt") if text.lstrip().startswith("-") else parse_json(text)
            except (DocumentError, ValueError):
                value = None
            if isinstance(value, list) and value and all(isinstance(item, dict) and "role" in item for item in value):
                return tuple(message_from_openai(item, "the prompt") for item in value)
        return (Message("user", text),)

    def _tests(self) -> list[dict[str, Any]]:
        found = self.document.get("tests")
        if isinstance(found, str):
            found = self._file(found)
        tests: list[dict[str, Any]] = []
        for test in found if isinstance(found, list) else [{}]:
            inner = self._file(test) if isinstance(test, str) else test
            tests += [one for one in (inner if isinstance(inner, list) else [inner]) if isinstance(one, dict)]
        if "scenarios" in self.document:
            self.left_out.append("scenarios")
        return tests or [{}]

    def _variables(self, default: dict[str, Any], test: dict[str, Any]) -> list[dict[str, Any]]:
        """A list of values makes a test of each."""
        values = {**_dict(default.get("vars")), **_dict(test.get("vars"))}
        named = {name: item if isinstance(item, list) else [item] for name, item in values.items()}
        named = {name: [self._text_of(item) for item in items] for name, items in named.items()}
        return [dict(zip(named, chosen, strict=True)) for chosen in product(*named.values())]

    def _text_of(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("file://"):
            return self._file(value, plain=True) or value
        return value

    def _prompts(self) -> list[str]:
        found: list[str] = []
        given = self.document["prompts"]
        for prompt in given if isinstance(given, list) else [given]:
            told = prompt.get("raw", prompt.get("id")) if isinstance(prompt, dict) else prompt
            if isinstance(told, str) and told.startswith("file://"):
                text = self._file(told, plain=True)
                if isinstance(text, str):
                    found += (
                        [part.strip() for part in re.split(r"(?m)^---\s*$", text)] if told.endswith(".txt") else [text]
                    )
            elif isinstance(told, str):
                found.append(told)
            else:
                found.append(json.dumps(told, ensure_ascii=False))
        if not found:
            raise InvalidInput(f"{self.path.name!r} has no prompt that can be read.")
        return found

    def _tools(self) -> tuple[ToolSetup, ...]:
        specs: dict[str, ToolSpec] = {}
        for config in self._configs():
            given = config.get("tools") or config.get("functions")
            for tool in _list(self._file(given) if isinstance(given, str) else given):
                told = self._file(tool) if isinstance(tool, str) else tool
                for spec in specs_of(told if isinstance(told, list) else [told]):
                    if specs.setdefault(spec.name, spec) != spec:
                        self.left_out.append(f"another definition of the tool {spec.name!r} at a second provider")
        return tuple(ToolSetup(spec, ToolMode.RECORD) for spec in specs.values())

    def _choice(self) -> Any:
        return next((config["tool_choice"] for config in self._configs() if config.get("tool_choice")), None)

    def _configs(self) -> Iterator[dict[str, Any]]:
        for provider in _list(self.document.get("providers") or self.document.get("targets")):
            if not isinstance(provider, dict):
                continue
            told = (
                provider
                if "config" in provider
                else next((one for one in provider.values() if isinstance(one, dict)), {})
            )
            yield _dict(told.get("config"))

    def _file(self, name: str, *, plain: bool = False) -> Any:
        """What a file beside the configuration holds; None, and named, where it cannot be read or would have to be run."""
        place = name.removeprefix("file://")
        path = self.path.parent / place
        if path.suffix in _RUN or "*" in place or "://" in place:
            self.left_out.append(f"{name}: it would have to be run or fetched")
            return None
        if not true_path(path).is_relative_to(true_path(self.path.parent)):
            self.left_out.append(f"{name}: it stands outside of the configuration's folder")
            return None
        try:
            text = whole_text(path)
            if plain:
                return text
            return _json_lines(text, path.name) if path.suffix == ".jsonl" else _document(text, path.name)
        except InvalidInput as error:
            self.left_out.append(error.message.rstrip("."))
            return None


def _json_lines(text: str, place: str) -> list[Any]:
    return [read_json(line, place, strict=False) for line in text.split("\n") if line.strip()]


def _put_in(text: str, values: dict[str, Any]) -> str:
    def value(found: re.Match[str]) -> str:
        told: Any = values
        for part in found.group(1).split("."):
            told = told.get(part) if isinstance(told, dict) else None
        if told is None:
            return found.group()
        return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)

    return _VARIABLE.sub(value, text)


def _filled(value: Any, values: dict[str, Any]) -> Any:
    """Assertions may name variables too."""
    if isinstance(value, str):
        return _put_in(value, values)
    if isinstance(value, dict):
        return {key: _filled(item, values) for key, item in value.items()}
    return [_filled(item, values) for item in value] if isinstance(value, list) else value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
