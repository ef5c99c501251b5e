"""Reads replies with the parsers of a model server that is installed here: one JSON document a line in, one a line out.

Executed by the Python of that environment, so nothing but the standard library and the server's own package is used.

in    {"id", "engine": "sglang" | "vllm", "parsers", "text", "pieces": [...], "tools": [{"name", "description", "parameters"}]}
out   {"engine", "version"} or {"engine", "error"} for each engine, then
      {"id", "engine", "parser", "whole": READING, "streamed": READING}; READING {"calls": [{"name", "arguments"}], "text"} or {"error"}
"""

import contextlib
import importlib.metadata
import importlib.util
import json
import pathlib
import sys


def attempt(function, *given):
    """A reading, or the error that the server's parser raised: in a server the whole reply would be lost."""
    try:
        calls, text = function(*given)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:400]}
    return {"calls": [{"name": name, "arguments": arguments} for name, arguments in calls], "text": text or ""}


def openai_tools(tools):
    """The tools as a request has them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool.get("description") or "",
                "parameters": tool.get("parameters") or {"type": "object", "properties": {}},
            },
        }
        for tool in tools
    ]


class Joined:
    """Calls that arrive in pieces: by index, the name once, the arguments joined."""

    def __init__(self):
        self.calls, self.text = {}, []

    def add(self, index, name, arguments):
        """Take a piece of a call."""
        call = self.calls.setdefault(index, ["", ""])
        call[0] = call[0] or name or ""
        call[1] += arguments or ""

    def reading(self):
        """What came, in order."""
        return [tuple(self.calls[index]) for index in sorted(self.calls)], "".join(self.text)


class SGLang:
    """Detectors of `sglang.srt.function_call`."""

    def __init__(self):
        try:
            from sglang.srt.entrypoints.openai.protocol import Tool
        except ImportError:
            from sglang.srt.openai_api.protocol import Tool
        try:
            from sglang.srt.function_call.function_call_parser import FunctionCallParser
        except ImportError:
            from sglang.srt.function_call_parser import FunctionCallParser
        self._tool, self._parser = Tool, FunctionCallParser
        serving = None
        with contextlib.suppress(ImportError):
            serving = importlib.util.find_spec("sglang.srt.entrypoints.openai.serving_chat")
        source = pathlib.Path(serving.origin).read_text("utf-8") if serving and serving.origin else ""
        self._sends_rest = "_check_for_unstreamed_tool_args" in source

    def knows(self, parser):
        """Whether there is a parser of that name."""
        return parser in self._parser.ToolCallParserEnum

    def _made(self, parser, tools):
        return self._parser([self._tool(**tool) for tool in openai_tools(tools)], parser)

    def whole(self, parser, text, tools):
        """As for a request without a stream."""
        left, calls = self._made(parser, tools).parse_non_stream(text)
        return [(call.name, call.parameters) for call in calls], left

    def streamed(self, parser, pieces, tools):
        """As for a request with a stream."""
        made, joined = self._made(parser, tools), Joined()
        for piece in pieces:
            text, calls = made.parse_stream_chunk(piece)
            joined.text.append(text or "")
            for call in calls:
                joined.add(call.tool_index, call.name, call.parameters)
        if self._sends_rest:
            self._add_rest(made.detector, joined)
        return joined.reading()

    @staticmethod
    def _add_rest(detector, joined):
        """What the server sends when a stream ends: arguments of the last call that were read and not sent yet."""
        known, sent = getattr(detector, "prev_tool_call_arr", None), getattr(detector, "streamed_args_for_tool", None)
        if not known or not sent or len(known) > len(sent):
            return
        given = known[-1].get("arguments", {})
        whole = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        done = sent[len(known) - 1]
        if whole.startswith(done):
            joined.add(len(known) - 1, "", whole[len(done) :])


class Words:
    """Stands for a tokenizer: a marker is one token, all else a token a character."""

    def __init__(self):
        self._ids, self._names = {}, []

    def _id(self, word):
        if word not in self._ids:
            self._ids[word] = len(self._names)
            self._names.append(word)
        return self._ids[word]

    def get_vocab(self):
        """Every marker that somebody asks for is a token."""
        words = self

        class Vocabulary(dict):
            """A table without an end."""

            def __missing__(self, word):
                return words._id(word)

            def get(self, word, default=None):
                """The id of a word; there is always one."""
                return words._id(word)

            def __contains__(self, word):
                return True

        return Vocabulary()

    def encode(self, text, **_options):
        """Ids of a text: longest known markers first."""
        ids, at = [], 0
        markers = sorted((name for name in self._names if len(name) > 1), key=len, reverse=True)
        while at < len(text):
            found = next((name for name in markers if text.startswith(name, at)), text[at])
            ids.append(self._id(found))
            at += len(found)
        return ids

    def decode(self, ids, **_options):
        """The text of ids."""
        return "".join(self._names[one] for one in ([ids] if isinstance(ids, int) else ids))


class VLLM:
    """Parsers of `vllm.tool_parsers`, formerly `vllm.entrypoints.openai.tool_parsers`."""

    def __init__(self):
        try:
            from vllm.tool_parsers import ToolParserManager
        except ImportError:
            from vllm.entrypoints.openai.tool_parsers import ToolParserManager
        try:
            from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
        except ImportError:
            from vllm.entrypoints.openai.protocol import ChatCompletionRequest
        self._manager, self._request = ToolParserManager, ChatCompletionRequest

    def knows(self, parser):
        """Whether there is a parser of that name."""
        try:
            return self._manager.get_tool_parser(parser) is not None
        except KeyError:
            return False

    def _made(self, parser, tools):
        request = self._request(model="m", messages=[], tools=openai_tools(tools) or None)
        words, kind = Words(), self._manager.get_tool_parser(parser)
        try:
            return kind(words, request.tools), request, words
        except TypeError:
            return kind(words), request, words

    def whole(self, parser, text, tools):
        """As for a request without a stream."""
        made, request, _ = self._made(parser, tools)
        found = made.extract_tool_calls(text, request)
        return [(call.function.name, call.function.arguments) for call in found.tool_calls], found.content

    def streamed(self, parser, pieces, tools):
        """As for a request with a stream."""
        made, request, words = self._made(parser, tools)
        joined, before, ids = Joined(), "", []
        for piece in pieces:
            new = words.encode(piece)
            found = made.extract_tool_calls_streaming(before, before + piece, piece, ids, ids + new, new, request)
            before, ids = before + piece, ids + new
            if found is None:
                continue
            joined.text.append(found.content or "")
            for call in found.tool_calls or ():
                function = call.function
                joined.add(call.index, function and function.name, function and function.arguments)
        return joined.reading()


ENGINES = {"sglang": SGLang, "vllm": VLLM}


def main():
    """Answer each line; what a server prints while it is loaded goes to standard error."""
    out, loaded = sys.stdout, {}

    def say(document):
        out.write(json.dumps(document) + "\n")
        out.flush()

    with contextlib.redirect_stdout(sys.stderr):
        requests = [json.loads(line) for line in sys.stdin if line.strip()]
        for name in dict.fromkeys(request["engine"] for request in requests):
            try:
                loaded[name] = ENGINES[name]()
                say({"engine": name, "version": importlib.metadata.version(name)})
            except ImportError as error:
                say({"engine": name, "error": f"{error}"[:400]})
            except Exception as error:
                say({"engine": name, "error": f"{type(error).__name__}: {error}"[:400]})
        for request in requests:
            engine = loaded.get(request["engine"])
            if engine is None:
                continue
            parser = next((name for name in request["parsers"] if engine.knows(name)), None)
            kept = {"id": request["id"], "engine": request["engine"], "parser": parser}
            if parser is None:
                say({**kept, "error": f"It has none of the parsers {', '.join(request['parsers'])}."})
                continue
            tools = request["tools"]
            whole = attempt(engine.whole, parser, request["text"], tools)
            streamed = attempt(engine.streamed, parser, request["pieces"], tools)
            say({**kept, "whole": whole, "streamed": streamed})


if __name__ == "__main__":
    main()
