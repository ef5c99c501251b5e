"""The tools that are shown: a source's, or a set's with what was edited since its last version, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.core.json_places import locate
from workbench.core.tools import tool_from_json
from workbench.schema import check_schema
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.json_check import fault_at

if TYPE_CHECKING:
    from typing import Any

    from workbench.core.tools import ToolSetup
    from workbench.ui.widgets.json_check import TextFault


@dataclass(slots=True)
class EditedSet:
    """A set as it stands in the window; a source is one that nobody edits."""

    name: str = ""
    is_set: bool = False
    tools: list[ToolSetup] = field(default_factory=list)
    version: int = 0
    saved: list[ToolSetup] = field(init=False)
    """As its last version has them."""
    _before: list[list[ToolSetup]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.saved = list(self.tools)

    @property
    def edited(self) -> bool:
        """It is not what was saved last."""
        return self.is_set and self.tools != self.saved

    @property
    def can_undo(self) -> bool:
        """A step can be taken back."""
        return bool(self._before)

    def change(self, old: ToolSetup, new: ToolSetup | None) -> None:
        """Put another tool in the place of one, or take it out."""
        self._before.append(list(self.tools))
        self.tools = [new if one is old else one for one in self.tools if one is not old or new is not None]  # type: ignore[misc]

    def undo(self) -> None:
        """Take the last step back."""
        if self._before:
            self.tools = self._before.pop()

    def keep(self, version: int) -> None:
        """Note that it was saved."""
        self.saved, self.version = list(self.tools), version

    def is_edited(self, tool: ToolSetup) -> bool:
        """Whether one tool is not as the last version has it."""
        return self.is_set and tool not in self.saved

    def fault_of(self, text: str, value: Any, current: ToolSetup) -> TextFault | None:
        """What is wrong with a definition as it was typed, with its place in the text."""
        try:
            spec = tool_from_json(value, tr("the tool"))
        except InvalidInput as error:
            return fault_at(text, 0, f"{error.message} {error.hint}".strip())
        if any(one.spec.name == spec.name and one is not current for one in self.tools):
            return fault_at(
                text, locate(text, ("name",)), tr("There is another tool {spec!r} in this set.", spec=spec.name)
            )
        for path, message in check_schema(spec.parameters):
            return fault_at(text, locate(text, ("parameters", *path)), message)
        return None
