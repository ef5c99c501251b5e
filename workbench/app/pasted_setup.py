"""Who served a reply that somebody pasted: model, command line, versions and system, as they stand in the text around it.

$ vllm serve Qwen/Qwen3-32B --tool-call-parser hermes \\⏎    --enable-auto-tool-choice
vLLM API server version 0.14.0      version: 6500 (ab12cd34)      transformers==5.2.0      | ollama version is 0.12.3 |      ### OS⏎⏎Linux
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.export.report_facts import parser_in
from workbench.formats.detect import detect
from workbench.formats.model_rules import current_rules

_LONGEST = 400_000
"""Characters that are looked through."""
_STARTS = (
    r"(?:[A-Z_][A-Z0-9_]*=\S+[ \t]+)*(?:sudo[ \t]+)?(?:[\w./~-]*/)?(?:vllm[ \t]+serve\b|sglang[ \t]+serve\b|trtllm-serve\b|transformers[ \t]+serve\b"
    r"|(?:python[\d.]*|uv run)[ \t]+(?:-u[ \t]+)?-m[ \t]+(?:vllm|sglang|mlx_lm|llama_cpp)[\w.]*|llama-(?:server|cli|mtmd-cli)(?:\.exe)?[ \t]+-"
    r"|ollama[ \t]+(?:run[ \t]+[\w./:-]+(?![\w./:-])(?=[ \t]*(?:$|[`\"'-]))|serve\b)|text-generation-launcher\b|docker[ \t]+run\b)"
)
"""What a server's command line begins with."""
_COMMAND = re.compile(
    rf"^[ \t]*(?:(?:[$>#❯%]|PS [^>\n]*>)[ \t]+)?(?P<line>{_STARTS}(?:[^\n]*\\\n){{0,40}}[^\n]*)|`(?P<inline>{_STARTS}[^`\n]*)`",
    re.MULTILINE,
)
_SERVERS = re.compile(r"vllm|sglang|llama|ollama|text-generation|trtllm|transformers|mlx_lm")
_MODEL = re.compile(
    r"(?:--model(?:-path|-id|_path)?|-hfr?|--hf-repo)[ =](?P<flag>[^\s\\`]+)|\b(?:vllm serve|sglang serve|ollama run|trtllm-serve|transformers serve)"
    r"[ \t]+(?P<first>[^\s\\`-][^\s\\`]*)|(?<!python)(?<!python3)[ ]-m[ =](?!vllm\b|sglang\b|mlx_lm|llama_cpp)(?P<file>[^\s\\`]+)"
)
_IMAGE = re.compile(
    r"\b(?P<name>vllm-openai|sglang|ollama|llama\.cpp|text-generation-inference):v?(?P<version>\d[\w.-]*)"
)
_IMAGES = {"vllm-openai": "vLLM", "sglang": "SGLang", "ollama": "Ollama", "text-generation-inference": "TGI"}
_RECEIVERS = (
    ("vllm", r"\bvllm\b"), ("sglang", r"\bsglang\b"), ("ollama", r"\bollama\b"), ("llama.cpp", r"llama-(?:server|cli|mtmd-cli)|llama_cpp"),
    ("transformers", r"\btransformers[ \t]+serve"),
)  # fmt: skip
_SERVED = re.compile(r"--(?:served-model-name|alias)[ =](?P<name>[^\s\\]+)")
_PROGRAMS = {
    "vLLM": r"vllm", "SGLang": r"sglang", "transformers": r"transformers", "Ollama": r"ollama", "llama.cpp": r"llama\.cpp|llama-server|llama_cpp_python",
    "LM Studio": r"lm[ -]?studio", "TGI": r"text-generation-inference|tgi", "PyTorch": r"torch|pytorch", "openai": r"openai", "CUDA": r"cuda",
    "tokenizers": r"tokenizers", "xgrammar": r"xgrammar", "mlx_lm": r"mlx[_-]lm",
}  # fmt: skip
_VERSIONS = {
    name: re.compile(
        rf"(?<![\w./-])(?:{words})(?![\w/-])[ \t*_`|\"']{{0,8}}(?:api server|server|package|client)?[ \t*_`|\"']{{0,8}}(?:version)?[ \t*_`|:=\"']{{0,40}}"
        r"(?:is[ \t]+)?[`\"'(]?v?(?P<version>\d+\.\d+[\w.+-]*|b\d{3,6}\b)",
        re.IGNORECASE,
    )
    for name, words in _PROGRAMS.items()
}
_LLAMA_BUILD = re.compile(r"^[^\w\n]{0,12}(?:version|build):\s*(?P<version>\d{3,6} \([0-9a-f]{7,12}\))", re.MULTILINE)
_HEADED = re.compile(r"^#{1,5}[ \t]*(?P<name>[^\n]{2,60})\n\s*\n?(?P<value>[^\n#`<][^\n]{0,200})$", re.MULTILINE)
_OS = re.compile(
    r"^\W{0,4}(?:OS|Operating systems?|platform)(?:\*{2}[ \t]+|\*{0,2}[ \t]*[:：|]+\*{0,2}[ \t]*)(?P<value>[^\n|]{3,120})",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ServerSetup:
    """What somebody wrote of the server; empty where nothing is said."""

    model: str = ""
    command: str = ""
    """Over several lines, as it was written."""
    versions: tuple[tuple[str, str], ...] = ()
    system: str = ""

    @property
    def receiver(self) -> str:
        """Whose issue form is meant, as `--for` takes it; empty where the text does not say it."""
        named = next((name for name, sign in _RECEIVERS if re.search(sign, self.command)), "")
        told = {name.lower() for name, _ in self.versions}
        return named or next((name for name, _ in _RECEIVERS if name in told), "")

    @property
    def asked(self) -> str:
        """The format that the parser named in the command line reads; empty where it names none that is known."""
        named = parser_in(self.command)
        return format_of_parser(named, self.model) if named else ""


def format_of_parser(name: str, model: str = "") -> str:
    """Return the format that a parser of vLLM or SGLang reads, by their names for it; of several the model's own."""
    rules = [rule for rule in current_rules().rules if name in re.split(r"[,\s]+", f"{rule.vllm} {rule.sglang}")]
    own = detect(model).family if model else ""
    return next((rule.formats[0] for rule in rules if rule.id == own), rules[0].formats[0] if rules else "")


def setup_in(text: str, model: str = "") -> ServerSetup | None:
    """Return what a text says of the server; `model`: as the reply itself names it. None where it says nothing."""
    text = text[:_LONGEST].replace("\r\n", "\n")
    command = _command(text)
    found = ServerSetup(_model(command) or model or _model(text), command, _versions(text), _system(text))
    return found if found != ServerSetup() else None


def _command(text: str) -> str:
    """The longest command line of a server: others in a text are mostly pieces of it."""
    lines = [(found["line"] or found["inline"]).strip(" \t`|") for found in _COMMAND.finditer(text)]
    return max((one for one in lines if _SERVERS.search(one)), key=len, default="")


def _model(text: str) -> str:
    """The name under which it is served, or the model itself; a file by its name alone."""
    found = _SERVED.search(text) or _MODEL.search(text)
    name = next((one for one in found.groups() if one), "") if found else ""
    name = name.strip("\"'`,.;")
    is_file = name[:1] in ("/", "~", ".") or name.endswith(".gguf")
    return name.rpartition("/")[2].removesuffix(".gguf") if is_file else name


def _versions(text: str) -> tuple[tuple[str, str], ...]:
    found = {name: one["version"].rstrip(".,;-") for name, sign in _VERSIONS.items() if (one := sign.search(text))}
    for image in _IMAGE.finditer(text):
        found.setdefault(_IMAGES.get(image["name"], image["name"]), image["version"])
    if build := _LLAMA_BUILD.search(text):
        found["llama.cpp"] = build["version"]
    for one in _HEADED.finditer(text):
        name, value = one["name"].strip(" *:"), one["value"].strip()
        if "version" in name.lower() and any(sign.isdigit() for sign in value):
            program = next((known for known in _PROGRAMS if known.lower() in name.lower()), name)
            found.setdefault(program, value)
    return tuple(found.items())


def _system(text: str) -> str:
    for one in _HEADED.finditer(text):
        if one["name"].strip(" *:").lower() in ("os", "operating system", "operating systems"):
            return one["value"].strip()
    found = _OS.search(text)
    return found["value"].strip(" *`") if found else ""
