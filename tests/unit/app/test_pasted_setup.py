from __future__ import annotations

import pytest

from workbench.app.pasted_setup import ServerSetup, format_of_parser, setup_in

OF_VLLM = """### Your current environment

```text
OS                           : Ubuntu 22.04.5 LTS (x86_64)
PyTorch version              : 2.9.0+cu128
[pip3] transformers==4.57.1
vLLM Version                 : 0.11.2
```

### 🐛 Describe the bug

```bash
$ VLLM_USE_V1=1 vllm serve Qwen/Qwen3-Coder-30B-A3B-Instruct \\
  --enable-auto-tool-choice \\
  --tool-call-parser qwen3_coder --port 8000
```
"""
OF_LLAMA_CPP = """### Name and Version

$ ./llama-server --version
version: 6800 (ab12cd34e)

### Operating systems

Linux

### Command line

```shell
./build/bin/llama-server -m ~/models/gpt-oss-20b.gguf --jinja -c 32768
```
"""
OF_OLLAMA = "### What is the issue?\n\nollama run qwen3-coder:30b prints a tag.\n\n### OS\n\nWindows\n\n### Ollama version\n\n0.12.6\n"


def test_a_bug_report_of_vllm_has_model_command_versions_and_system() -> None:
    found = setup_in(OF_VLLM)
    assert found is not None
    assert (found.model, found.system) == ("Qwen/Qwen3-Coder-30B-A3B-Instruct", "Ubuntu 22.04.5 LTS (x86_64)")
    assert found.command.startswith("VLLM_USE_V1=1 vllm serve")
    assert found.command.endswith("--tool-call-parser qwen3_coder --port 8000")
    assert dict(found.versions) == {"vLLM": "0.11.2", "transformers": "4.57.1", "PyTorch": "2.9.0+cu128"}


def test_headings_of_issue_forms_name_version_and_system() -> None:
    found = setup_in(OF_LLAMA_CPP)
    assert found == ServerSetup(
        "gpt-oss-20b", "./build/bin/llama-server -m ~/models/gpt-oss-20b.gguf --jinja -c 32768",
        (("llama.cpp", "6800 (ab12cd34e)"),), "Linux",
    )  # fmt: skip
    assert setup_in(OF_OLLAMA) == ServerSetup("qwen3-coder:30b", "", (("Ollama", "0.12.6"),), "Windows")


@pytest.mark.parametrize(
    ("text", "model", "version"),
    [
        (
            "vllm version: v0.13.0rc1\n\nwith `vllm serve moonshotai/Kimi-K2 --tool-call-parser kimi_k2`",
            "moonshotai/Kimi-K2",
            ("vLLM", "0.13.0rc1"),
        ),
        (
            "python3 -m sglang.launch_server --model-path zai-org/GLM-4.6 --tp 8\n\nsglang: 0.5.4",
            "zai-org/GLM-4.6",
            ("SGLang", "0.5.4"),
        ),
        (
            "- `transformers` version: 4.57.0\n`transformers serve Qwen/Qwen3-4B`",
            "Qwen/Qwen3-4B",
            ("transformers", "4.57.0"),
        ),
        (
            "docker run -p 8000:8000 vllm/vllm-openai:v0.11.0 \\\n --model mistralai/Devstral",
            "mistralai/Devstral",
            ("vLLM", "0.11.0"),
        ),
        ("INFO [api_server.py:1839] vLLM API server version 0.11.0", "coder-7b", ("vLLM", "0.11.0")),
        ("llama-server -m x.gguf --alias gpt-oss\n| Ollama | 0.12.0 |", "gpt-oss", ("Ollama", "0.12.0")),
    ],
)
def test_commands_and_versions_are_found_wherever_they_stand(text: str, model: str, version: tuple[str, str]) -> None:
    found = setup_in(text, "coder-7b")
    assert found is not None
    assert (found.model, found.versions) == (model, (version,))


@pytest.mark.parametrize(
    "text", ["", "<tool_call>{}</tool_call>", "My prompt's version 5.1 runs.", "a" * 500_000, "A=B" * 99_999]
)
def test_a_reply_alone_says_nothing_of_its_server(text: str) -> None:
    assert setup_in(text) is None


@pytest.mark.parametrize(
    ("text", "receiver"),
    [
        (OF_VLLM, "vllm"),
        (OF_LLAMA_CPP, "llama.cpp"),
        (OF_OLLAMA, "ollama"),
        ("python -m sglang.launch_server --model-path m", "sglang"),
        ("OS: Linux\n", ""),
    ],
)
def test_whose_issue_form_is_meant(text: str, receiver: str) -> None:
    setup = setup_in(text)
    assert (setup.receiver if setup else "") == receiver


def test_a_parser_is_known_by_the_servers_names_for_it() -> None:
    assert format_of_parser("hermes") == "qwen_xml"
    assert format_of_parser("mistral", "mistralai/Mistral-7B-Instruct-v0.3") == "mistral_json"
    assert format_of_parser("deepseekv31") == "deepseek_v31"
    assert format_of_parser("nobodys") == ""
    assert ServerSetup(command="vllm serve m --tool-call-parser=llama3_json").asked == "llama3_json"
    assert ServerSetup(command="vllm serve m").asked == ""


def test_files_of_models_are_told_by_their_names() -> None:
    setup = setup_in("llama-server -m models/Hermes-3-8B.Q4_K_M.gguf --jinja\n\n**OS** Linux")
    assert setup is not None
    assert (setup.model, setup.system) == ("Hermes-3-8B.Q4_K_M", "Linux")
