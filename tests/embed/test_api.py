"""The api embedder against a server that speaks OpenAI's protocol on this machine, and against one that does not."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from soulmem.embed import open_embedder
from soulmem.embed.api import ApiEmbedder
from soulmem.errors import EmbedderError

KEY = "sk-test-0123456789abcdef"

Answer = tuple[int, dict[str, str], bytes]


def embeddings(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Vectors that tell texts apart and are not of unit length."""
    size = request.get("dimensions", 3)
    texts = request["input"]
    rows = [[float(len(text)), 1.0, *([float(sum(map(ord, text)) % 97)] * (size - 2))] for text in texts]
    return [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]


def answer(data: Any, status: int = 200, **headers: str) -> Answer:
    body = {"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    return status, headers, json.dumps(body).encode()


def failure(status: int, message: str = "no", **headers: str) -> Answer:
    return status, headers, json.dumps({"error": {"message": message, "type": "t", "code": None}}).encode()


@dataclass
class StandIn:
    """Answers with what is queued, else as a good server does; keeps what it was asked."""

    url: str = ""
    queue: list[Callable[[dict[str, Any]], Answer]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)

    def reply(self, request: dict[str, Any], key: str | None) -> Answer:
        self.requests.append(request)
        self.keys.append(key)
        return self.queue.pop(0)(request) if self.queue else answer(embeddings(request))


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


def embedder(server: StandIn, **options: Any) -> ApiEmbedder:
    pauses: list[float] = []
    options = {"base_url": server.url, "key": KEY, "sleep": pauses.append, **options}
    made = ApiEmbedder("openai/test-embedding", **options)
    made.pauses = pauses  # type: ignore[attr-defined]
    return made


def test_rows_are_the_servers_vectors_brought_to_length_one(server: StandIn) -> None:
    texts = ["猫", "a longer one", "你好 world"]
    rows = embedder(server).passages(texts)
    expected = np.array([item["embedding"] for item in embeddings({"input": texts})])
    assert rows.dtype == np.float32
    assert rows == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-6)


def test_the_order_of_the_answer_does_not_matter(server: StandIn) -> None:
    model = embedder(server)
    straight = model.queries(["a", "bb", "ccc"])
    server.queue = [lambda request: answer(embeddings(request)[::-1])]
    assert (model.queries(["a", "bb", "ccc"]) == straight).all()


def test_many_texts_go_in_batches_and_come_back_in_order(server: StandIn) -> None:
    texts = [f"text {number}" for number in range(150)]
    model = embedder(server)
    rows = model.passages(texts)
    assert [len(request["input"]) for request in server.requests[1:]] == [64, 64, 22]
    assert [text for request in server.requests[1:] for text in request["input"]] == texts
    single = model.passages([texts[70]])
    assert rows[70] == pytest.approx(single[0], abs=1e-6)


def test_a_long_text_goes_in_pieces(server: StandIn) -> None:
    model = embedder(server)
    rows = model.passages(["word " * 2000, "b"])
    pieces = server.requests[-1]["input"]
    assert max(map(len, pieces)) <= 4000
    assert "".join(pieces[:-1]).replace(" ", "") == "word" * 2000
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-6)


def test_blank_texts_are_zero_and_not_sent(server: StandIn) -> None:
    model = embedder(server, dimensions=3)
    assert not model.queries(["", " \n", "\x00"]).any()
    assert model.queries([]).shape == (0, 3)
    assert not server.requests


def test_hostile_texts_are_sent_readable(server: StandIn) -> None:
    model = embedder(server, dimensions=3)
    rows = model.queries(["a\x00b", "\ud83d", "🙂"])
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-6)
    assert server.requests[-1]["input"] == ["a b", "\ufffd", "🙂"]


def test_dimensions_are_asked_for_and_belong_to_the_name(server: StandIn) -> None:
    model = embedder(server, dimensions=5)
    assert model.queries(["x"]).shape == (1, 5)
    assert server.requests[-1]["dimensions"] == 5
    assert model.name == "api:openai/test-embedding#5"
    assert embedder(server).name == "api:openai/test-embedding"
    assert embedder(server).dimension == 3


def test_settings_come_from_the_environment(server: StandIn) -> None:
    environment = {"SOULMEM_EMBED_BASE_URL": server.url, "SOULMEM_EMBED_API_KEY": KEY}
    model = ApiEmbedder.from_environment("openai/some#4", environment)
    assert model.queries(["x"]).shape == (1, 4)
    assert server.keys == [f"Bearer {KEY}"]
    assert model.name == "api:openai/some#4"


def test_a_providers_key_does_not_go_to_another_server(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    embedder(server, key=None).queries(["x"])
    assert KEY not in str(server.keys)


@pytest.mark.parametrize("name", ["api", "api:", "api:#3", "api:m#0", "api:m#x", "api:m#-1"])
def test_names_that_name_no_model(name: str) -> None:
    with pytest.raises(EmbedderError, match="does not name a model"):
        open_embedder(name)


@pytest.mark.parametrize("environment", [{}, {"SOULMEM_EMBED_BASE_URL": "http://127.0.0.1:9"}])
def test_a_model_without_a_provider_is_refused_before_any_call(environment: dict[str, str]) -> None:
    with pytest.raises(EmbedderError, match="which provider") as caught:
        ApiEmbedder.from_environment("foo", environment)
    assert "SOULMEM_EMBED_BASE_URL" in str(caught.value) and "api:openai/foo" in str(caught.value)


@pytest.mark.parametrize("model", ["openai/foo", "text-embedding-3-small", "text-embedding-3-large#256"])
def test_a_model_of_openai_without_a_key_is_refused_before_any_call(model: str) -> None:
    with pytest.raises(EmbedderError, match="no key") as caught:
        ApiEmbedder.from_environment(model, {})
    assert "OPENAI_API_KEY" in str(caught.value) and "SOULMEM_EMBED_BASE_URL" in str(caught.value)
    for name in ("OPENAI_API_KEY", "SOULMEM_EMBED_API_KEY", "SOULMEM_EMBED_BASE_URL"):
        assert ApiEmbedder.from_environment(model, {name: "http://127.0.0.1:9"}).name == f"api:{model}"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_passing_failures_are_tried_again(server: StandIn, status: int) -> None:
    model = embedder(server, dimensions=3)
    server.queue = [lambda _: failure(status), lambda _: failure(status)]
    assert model.queries(["x"]).any()
    assert model.pauses == [1.0, 2.0]  # type: ignore[attr-defined]


def test_the_servers_own_waiting_time_is_kept_within_reason(server: StandIn) -> None:
    model = embedder(server, dimensions=3)
    server.queue = [
        lambda _: failure(429, Retry_After="7"),
        lambda _: failure(429, Retry_After="9000"),
        lambda _: failure(429, Retry_After="soon"),
    ]
    model.queries(["x"])
    assert model.pauses == [7.0, 30.0, 4.0]  # type: ignore[attr-defined]


def test_attempts_are_bounded(server: StandIn) -> None:
    server.queue = [lambda _: failure(500, "on fire")] * 10
    with pytest.raises(EmbedderError, match=r"after 3 attempts.*on fire"):
        embedder(server, dimensions=3, attempts=3).queries(["x"])
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "advice"), [(400, "use another embedder"), (401, "SOULMEM_EMBED_API_KEY"), (404, "model's name")]
)
def test_lasting_failures_are_not_tried_again_and_say_what_to_do(server: StandIn, status: int, advice: str) -> None:
    server.queue = [lambda _: failure(status)] * 4
    with pytest.raises(EmbedderError, match=advice):
        embedder(server, dimensions=3).queries(["x"])
    assert len(server.requests) == 1


def test_no_key_in_any_message(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "hush-hush-hush")
    server.queue = [lambda _: failure(401, f"Incorrect API key {KEY}, hush-hush-hush or sk-abcdef****wxyz")]
    with pytest.raises(EmbedderError) as caught:
        embedder(server, dimensions=3).queries(["x"])
    told = f"{caught.value} {caught.value.__cause__}"
    assert "Incorrect API key ***" in told
    assert not any(secret in told for secret in (KEY, "hush-hush", "wxyz"))


def test_no_password_of_the_url_in_any_message(server: StandIn) -> None:
    server.queue = [lambda _: failure(400)]
    with pytest.raises(EmbedderError) as caught:
        embedder(server, base_url=server.url.replace("://", "://me:opensesame@"), dimensions=3).queries(["x"])
    assert "opensesame" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)


BAD: dict[str, Callable[[dict[str, Any]], Answer]] = {
    "too few": lambda request: answer(embeddings(request)[:-1]),
    "too many": lambda request: answer([*embeddings(request), {"index": 2, "embedding": [1.0, 2.0, 3.0]}]),
    "the same place twice": lambda request: answer([embeddings(request)[0]] * 2),
    "another dimension": lambda request: answer([{"index": place, "embedding": [1.0, 2.0]} for place in range(2)]),
    "two dimensions": lambda _: answer([{"index": 0, "embedding": [1.0, 2.0, 3.0]}, {"index": 1, "embedding": [1.0, 2.0]}]),
    "no numbers": lambda _: answer([{"index": place, "embedding": []} for place in range(2)]),
    "NaN": lambda _: answer([{"index": place, "embedding": [1.0, float("nan"), 0.0]} for place in range(2)]),
    "infinity": lambda _: answer([{"index": place, "embedding": [1.0, 1e999, 0.0]} for place in range(2)]),
    "zeros": lambda _: answer([{"index": place, "embedding": [0.0, 0.0, 0.0]} for place in range(2)]),
    "words for numbers": lambda _: answer([{"index": place, "embedding": ["a", "b", "c"]} for place in range(2)]),
    "null": lambda _: answer(None),
    "prose": lambda _: (200, {"Content_Type": "text/html"}, b"<html>Welcome to the hotel network</html>"),
    "cut short": lambda request: (200, {}, answer(embeddings(request))[2][:40]),
    "nothing": lambda _: (200, {}, b""),
    "a number": lambda _: (200, {}, b"42"),
}


@pytest.mark.parametrize("kind", BAD)
def test_nonsense_is_refused(server: StandIn, kind: str) -> None:
    server.queue = [BAD[kind]] * 4
    with pytest.raises(EmbedderError, match="api:openai/test-embedding#3"):
        embedder(server, dimensions=3).queries(["one", "two"])


def test_a_server_that_keeps_silent(server: StandIn) -> None:
    def wait(request: dict[str, Any]) -> Answer:
        server.hold.wait(20)
        return answer(embeddings(request))

    server.queue = [wait] * 2
    with pytest.raises(EmbedderError, match="after 2 attempts"):
        embedder(server, dimensions=3, timeout_seconds=0.2, attempts=2).queries(["x"])


def test_a_port_where_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        nobody = StandIn(url=f"http://127.0.0.1:{port}/v1")
        with pytest.raises(EmbedderError, match=f"127.0.0.1:{port}.*after 2 attempts"):
            embedder(nobody, dimensions=3, attempts=2).queries(["x"])
