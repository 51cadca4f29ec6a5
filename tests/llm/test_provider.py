"""The provider model against a server on this machine that speaks OpenAI's protocol, or fails to."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

import pytest

from soulmem.errors import AnswerTrouble, CallTrouble, ModelAnswerError, ModelCallError, ModelUnsetError
from soulmem.llm import Budget, Model, ModelSettings, open_model
from soulmem.llm.contract import Pieces, Prompt, Reply, Said, Side
from soulmem.llm.trial import try_model

KEY = "sk-test-0123456789abcdef"
SCHEMA = {"type": "object", "properties": {"name": {"type": "string", "default": "x"}}}
PROMPT = Prompt(system="be brief", messages=(Said(Side.USER, "who?"),), purpose="test", schema=SCHEMA, language="en")
RIGHT = '{"name": "Odile", "city": "Lisbon"}'

Answer = tuple[int, dict[str, str], bytes]


def answer(text: str | None, finish: str = "stop", tokens: tuple[int, int] | None = (11, 7)) -> Answer:
    usage = {"usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}} if tokens else {}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], **usage}
    return 200, {}, json.dumps(body).encode()


def chunks(pieces: list[str], ending: bytes = b"data: [DONE]\n\n") -> Answer:
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    parts = [{**base, "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
    parts.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return (
        200,
        {"Content_Type": "text/event-stream"},
        b"".join(b"data: %s\n\n" % json.dumps(part).encode() for part in parts) + ending,
    )


def failure(status: int, message: str = "no", **headers: str) -> Answer:
    return status, headers, json.dumps({"error": {"message": message, "type": "t", "code": None}}).encode()


@dataclass
class StandIn:
    """Answers with what is queued, the last again and again; keeps what it was asked."""

    url: str = ""
    queue: list[Answer] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)
    is_silent: bool = False

    def reply(self, request: dict[str, Any], key: str | None) -> Answer:
        self.requests.append(request)
        self.keys.append(key)
        if self.is_silent:
            self.hold.wait(20)
        return self.queue.pop(0) if len(self.queue) > 1 else self.queue[0]


@pytest.fixture
def server() -> Iterator[StandIn]:
    stand_in = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers, content = stand_in.reply(json.loads(body), self.headers["Authorization"])
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class QuietServer(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that gave up waiting is what one of the tests is about."""

    with QuietServer(("127.0.0.1", 0), Handler) as http:
        stand_in.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield stand_in
        stand_in.hold.set()
        http.shutdown()
        thread.join()


def model(
    server: StandIn, budget: Budget | None = None, sleep: Callable[[float], None] = lambda _: None, **settings: Any
) -> Model:
    said = replace(ModelSettings(name="openai/test", base_url=server.url, attempts=3), **settings)
    return open_model(said, budget=budget, random=Random(1), sleep=sleep, environment={"SOULMEM_MODEL_API_KEY": KEY})


def streamed(pieces: Pieces) -> tuple[list[str], Reply]:
    seen: list[str] = []
    while True:
        try:
            seen.append(next(pieces))
        except StopIteration as end:
            return seen, end.value


def test_a_prompt_goes_out_as_it_is_and_the_answer_comes_back(server: StandIn) -> None:
    server.queue = [answer(RIGHT)]
    reply = model(server, temperature=0.7, max_tokens=99).answer(PROMPT)
    assert reply == Reply(text=RIGHT, input_tokens=11, output_tokens=7, model="openai/test", cost=None, truncated=False)
    (request,) = server.requests
    assert request["messages"] == [{"role": "system", "content": "be brief"}, {"role": "user", "content": "who?"}]
    assert (request["temperature"], request["max_tokens"], server.keys) == (0.7, 99, [f"Bearer {KEY}"])
    schema = request["response_format"]["json_schema"]["schema"]
    assert schema == {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "additionalProperties": False,
        "required": ["name"],
    }


def test_tokens_are_estimated_where_they_are_not_told_and_a_cut_off_answer_says_so(server: StandIn) -> None:
    server.queue = [answer("abcdefgh", finish="length", tokens=None)]
    reply = model(server).answer(PROMPT)
    assert (reply.output_tokens, reply.truncated) == (2, True) and reply.input_tokens > 0


def test_without_a_schema_none_is_sent(server: StandIn) -> None:
    server.queue = [answer("hi")]
    model(server).answer(replace(PROMPT, schema=None))
    model(server, schema="no").answer(PROMPT)
    assert not any("response_format" in request for request in server.requests)
    assert '{"name": "string"}' in server.requests[1]["messages"][0]["content"]


def test_a_server_that_takes_no_schema_gets_it_in_words_from_then_on(server: StandIn) -> None:
    server.queue = [failure(400, "response_format json_schema is not supported"), answer(RIGHT)]
    asked = model(server)
    assert asked.answer(PROMPT).text == asked.answer(PROMPT).text == RIGHT
    first, second, third = server.requests
    assert "response_format" in first and "response_format" not in second and "response_format" not in third
    assert '{"name": "string"}' in second["messages"][0]["content"]
    server.queue = [failure(400, "response_format json_schema is not supported")]
    with pytest.raises(ModelCallError, match="takes no JSON schema"):
        model(server, schema="yes").answer(PROMPT)


def test_a_stream_comes_in_pieces_and_ends_with_the_reply(server: StandIn) -> None:
    server.queue = [chunks(["The tide comes in at six, ", "and we leave ", "before."])]
    seen, reply = streamed(model(server).stream(replace(PROMPT, schema=None)))
    assert "".join(seen) == reply.text == "The tide comes in at six, and we leave before." and len(seen) > 1
    assert server.requests[0]["stream"] is True


def test_a_stream_that_fails_at_once_is_tried_again(server: StandIn) -> None:
    server.queue = [failure(503), chunks(["Error 429: slow down"]), chunks(["All is well."])]
    assert streamed(model(server).stream(PROMPT))[1].text == "All is well."


@pytest.mark.parametrize(
    ("told", "trouble", "words"),
    [
        (failure(401), CallTrouble.KEY, "SOULMEM_MODEL_API_KEY"),
        (failure(403), CallTrouble.KEY, "SOULMEM_MODEL_API_KEY"),
        (failure(404, "model not found"), CallTrouble.NOT_FOUND, "model.name"),
        (failure(400, "temperature must be below 1"), CallTrouble.REQUEST, "temperature must be below 1"),
        (failure(400, "the request exceeds the available context size"), CallTrouble.TOO_LONG, "larger context"),
    ],
)
def test_lasting_failures_are_told_in_words_and_not_tried_again(
    server: StandIn, told: Answer, trouble: CallTrouble, words: str
) -> None:
    server.queue = [told]
    with pytest.raises(ModelCallError) as caught:
        model(server).answer(PROMPT)
    assert caught.value.trouble is trouble and words in str(caught.value) and "127.0.0.1" in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize(("status", "trouble"), [(429, CallTrouble.BUSY), (500, CallTrouble.BROKEN), (503, CallTrouble.BUSY)])
def test_passing_failures_are_tried_again(server: StandIn, status: int, trouble: CallTrouble) -> None:
    pauses: list[float] = []
    server.queue = [failure(status, Retry_After="7"), answer(RIGHT)]
    assert model(server, sleep=pauses.append).answer(PROMPT).text == RIGHT
    assert 7 <= pauses[0] <= 8
    server.queue = [failure(status)]
    with pytest.raises(ModelCallError, match="after 3 attempts") as caught:
        model(server).answer(PROMPT)
    assert caught.value.trouble is trouble


def test_no_key_in_any_message(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "hush-hush-hush")
    server.queue = [failure(401, f"Incorrect API key {KEY}, hush-hush-hush or sk-abcdef****wxyz")]
    with pytest.raises(ModelCallError) as caught:
        model(server, base_url=server.url.replace("://", "://me:opensesame@")).answer(PROMPT)
    told = f"{caught.value} {caught.value.__cause__} {caught.value.__context__}"
    assert "Incorrect API key ***" in told
    assert not any(secret in told for secret in (KEY, "hush-hush", "wxyz", "opensesame"))


def test_a_server_that_keeps_silent(server: StandIn) -> None:
    server.queue, server.is_silent = [answer("late")], True
    with pytest.raises(ModelCallError, match=r"0\.2 seconds") as caught:
        model(server, timeout_seconds=0.2, attempts=1).answer(PROMPT)
    assert caught.value.trouble is CallTrouble.TIMEOUT and caught.value.passing


def test_a_port_where_nobody_listens(server: StandIn) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ModelCallError, match="cannot be reached") as caught:
            model(server, base_url=nobody, attempts=1).answer(PROMPT)
    assert caught.value.trouble is CallTrouble.UNREACHABLE


@pytest.mark.parametrize(
    "body",
    [b"", b"42", b"null", b"<html>Welcome to the hotel network</html>", answer("x")[2][:40], b'{"choices": []}'],
)
def test_what_answers_is_no_model(server: StandIn, body: bytes) -> None:
    server.queue = [(200, {}, body)]
    with pytest.raises((ModelCallError, ModelAnswerError)):
        try_model(model(server, attempts=1), "en", lambda: 0.0)


def test_an_answer_without_content_is_an_empty_one(server: StandIn) -> None:
    server.queue = [answer(None)]
    with pytest.raises(ModelAnswerError) as caught:
        try_model(model(server), "en", lambda: 0.0)
    assert caught.value.trouble is AnswerTrouble.EMPTY and len(server.requests) == 1


def test_a_trial_says_how_it_went(server: StandIn) -> None:
    server.queue = [answer(RIGHT)]
    trial = try_model(model(server), "en", iter([1.0, 3.5]).__next__)
    assert (trial.is_right, trial.seconds, trial.input_tokens, trial.output_tokens) == (True, 2.5, 11, 7)
    assert not try_model(model(server), "zh", lambda: 0.0).is_right
    server.queue = [answer("It was Odile.")]
    with pytest.raises(ModelAnswerError, match="larger model"):
        try_model(model(server), "en", lambda: 0.0)


def test_the_budget_counts_what_the_server_told(server: StandIn) -> None:
    budget = Budget(most_calls=5, most_tokens=1000)
    server.queue = [failure(500), answer(RIGHT)]
    model(server, budget).answer(PROMPT)
    assert (budget.calls, budget.input_tokens, budget.output_tokens) == (2, 11, 7)


@pytest.mark.parametrize("name", [None, "", "gpt-4o", "openai/", "/x"])
def test_what_names_no_model_is_refused_before_any_call(name: str | None) -> None:
    with pytest.raises(ModelUnsetError, match=r"model\.name"):
        open_model(ModelSettings(name=name), environment={})


def test_nothing_is_loaded_before_the_first_call_and_then_without_network_and_telemetry() -> None:
    code = (
        "import sys, soulmem.llm as llm\n"
        "llm.open_model(llm.ModelSettings(name='openai/x'), environment={'OPENAI_API_KEY': 'k'})\n"
        "assert not {'litellm', 'openai', 'httpx'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    from soulmem.llm._litellm import _litellm

    assert _litellm().telemetry is False and _litellm().suppress_debug_info is True
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
