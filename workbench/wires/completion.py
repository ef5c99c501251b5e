"""Raw text completion: llama-server's `POST {base}/completion`, or `POST {base}/completions` where the base ends in a version.

The conversation is rendered to one prompt with a chat template, and the model's own markers come back as text: this wire is for
looking at formats as a model really writes them. Quirks: `template` (a name such as `chatml`, or jinja2 text), `template_variables`, `no_stop`,
`no_seed`. Tools are given to the template only, and only templates that know tools use them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.exchange import Usage
from workbench.wires.kit.call_ids import paired
from workbench.wires.kit.chat import ChatDecoder, ChatModels
from workbench.wires.kit.http import bearer, get_json, join_url, post_json, quirk
from workbench.wires.kit.jsons import as_dict, as_int
from workbench.wires.kit.reasoning_setting import refused
from workbench.wires.kit.template import render_prompt
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint, Headers, WireRequest
    from workbench.core.messages import ChatRequest
    from workbench.core.protocols import Decoder

WIRE = "completion"


class Completion(ChatModels):
    """The wire."""

    id = WIRE

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request."""
        endpoint = resolved(endpoint, request.model)
        if request.reasoning is not None:
            raise refused(request, "is reached by a protocol that has no setting for reasoning")
        openai = _speaks_openai(endpoint)
        template = str(quirk(endpoint, "template", "chatml"))
        variables = as_dict(quirk(endpoint, "template_variables", {}))
        tools = () if request.tool_choice == "none" else request.tools
        prompt = render_prompt(template, paired(request.messages), tools, variables)
        body: dict[str, Any] = {"model": request.model, "prompt": prompt, "stream": request.stream}
        fields = {
            "max_tokens" if openai else "n_predict": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": None if quirk(endpoint, "no_seed") else request.seed,
            "stop": None if quirk(endpoint, "no_stop") else list(request.stop) or None,
        }
        body |= {name: value for name, value in fields.items() if value is not None}
        if openai and request.stream:
            body["stream_options"] = {"include_usage": True}
        url = join_url(endpoint.base_url, "/completions" if openai else "/completion")
        return post_json(url, bearer(key), body, endpoint, request, stream=request.stream)

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder:
        """Return a decoder for one response, of either shape."""
        return CompletionDecoder(status=status, headers=headers, stream=stream)

    def models_request(self, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request for the list of models."""
        endpoint = resolved(endpoint)
        path = "/models" if _speaks_openai(endpoint) else "/v1/models"
        return get_json(join_url(endpoint.base_url, path), bearer(key), endpoint)


def _speaks_openai(endpoint: Endpoint) -> bool:
    last = endpoint.base_url.strip().partition("?")[0].rstrip("/").rpartition("/")[2]
    return last in ("v1", "completions")


class CompletionDecoder(ChatDecoder):
    """Deltas from llama-server's own chunks, or from the choices of OpenAI's older protocol."""

    end_marker = "the event with stop: true, or [DONE]"

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Read one chunk."""
        own = "content" in value or "stop" in value
        if not own or "choices" in value or value.get("error"):
            super().on_event(name, value, at)
            return
        self._choices = True
        self.model(value.get("model"), at)
        if isinstance(value.get("content"), str):
            self.text(value["content"], at)
        if value.get("stop") is True or ("stop_type" in value and self._single(value)):
            self.usage(Usage(as_int(value.get("tokens_evaluated")), as_int(value.get("tokens_predicted"))), at)
            self.finish(_why(value), at)

    @staticmethod
    def _single(value: dict[str, Any]) -> bool:
        return value.get("stop") is not False and value.get("stop_type") not in (None, "", "none")


def _why(value: dict[str, Any]) -> str:
    """Return the server's word for the end: `eos`, `limit`, `word`; older servers say it in flags."""
    word = value.get("stop_type")
    if isinstance(word, str) and word and word != "none":
        return word
    for flag, meaning in (("stopped_limit", "limit"), ("stopped_word", "word"), ("stopped_eos", "eos")):
        if value.get(flag):
            return meaning
    return "stop"
