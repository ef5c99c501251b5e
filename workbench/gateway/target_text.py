"""A route's target as text: PROVIDER/MODEL or key=value pairs, taken apart and put together again."""

from __future__ import annotations

from workbench.core.errors import InvalidInput
from workbench.core.target import ModelRef, Target, parse_target


def target_parts(text: str) -> dict[str, str]:
    """Return the pairs of a target's text; PROVIDER/MODEL are two of them. Raise InvalidInput."""
    text = text.strip()
    if not text:
        return {}
    if "=" not in text:
        provider, slash, model = text.partition("/")
        if not slash or not provider or not model:
            raise InvalidInput(
                f"The target {text!r} is not PROVIDER/MODEL.", hint="Or write provider=P,model=M,format=F."
            )
        return {"provider": provider, "model": model}
    parts: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or not value.strip():
            raise InvalidInput(f"Target part {part!r} is not key=value.", hint="Example: provider=P,model=M,format=F.")
        parts[key.strip()] = value.strip()
    return parts


def target_text(parts: dict[str, str]) -> str:
    """Return the text of pairs, empty ones left out; raise InvalidInput for a value that the text cannot carry."""
    given = {key: value.strip() for key, value in parts.items() if value.strip()}
    if set(given) == {"provider", "model"} and "=" not in given["model"] + given["provider"]:
        return f"{given['provider']}/{given['model']}"
    for key, value in given.items():
        if "," in value:
            raise InvalidInput(
                f"{key} {value!r} has a comma in it.", hint="Give the model another name at its provider."
            )
    return ",".join(f"{key}={value}" for key, value in given.items())


def read_target(text: str) -> Target:
    """Read a target as key=value pairs or as PROVIDER/MODEL; raise InvalidInput."""
    if "=" in text:
        return parse_target(text)
    parts = target_parts(text)
    if not parts:
        raise InvalidInput("There is no target.", hint="Write PROVIDER/MODEL, or provider=P,model=M,format=F.")
    return Target(ModelRef(parts["provider"], parts["model"]))
