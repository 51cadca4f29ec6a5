"""What ``--json`` prints is a contract: exact names, in every command."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from cli_mind import FIXTURES, Run, parsed

ASK = {
    "query",
    "at",
    "memories",
    "actions",
    "self_knowledge",
    "messages",
    "summary",
    "window",
    "withheld",
    "heard_in",
    "limits",
    "timings_ms",
    "rendered",
}
MEMORY = {"id", "key", "type", "text", "score", "stage", "channels", "retention", "masked", "path", "sources", "origins"}
OPERATION = {"number", "at", "command", "what", "undoes", "undone_by"}
MEMORY |= {"valid_from", "valid_until", "original", "missing", "fading", "revised", "asleep", "kept_from", "contradicts"}
STEP = {"source", "target", "type", "verb", "weight"}
SOURCE = {"file", "line", "speaker", "time"}
ACTION = {"id", "key", "action_type", "text", "score", "sources", "origins"}
MESSAGE = {"file", "line", "index", "speaker", "time", "text", "score", "channels", "scope", "kept_from"}
NOTE = {
    "id",
    "key",
    "type",
    "body",
    "created_at",
    "tags",
    "retrieval_count",
    "last_accessed_at",
    "strength",
    "decayed_at",
    "due_at",
    "pinned",
    "kept_from",
    "core",
    "active",
    "asleep",
    "scope",
    "sources",
    "origins",
    "revision",
}
LINK = {"id", "other", "other_type", "type", "verb", "confidence", "prob", "intensity"}


def keys(items: list[dict[str, Any]]) -> set[frozenset[str]]:
    """The distinct key sets of ``items``, of which there must be some."""
    assert items
    return {frozenset(item) for item in items}


def is_time(text: str) -> bool:
    return text.endswith("Z") and datetime.fromisoformat(text) is not None


def test_ask(run: Run) -> None:
    found = parsed(run("ask", "小白生病那天晚上我们去了哪里？", "--at", "2025-01-01", "--messages", "5", "--json"))
    assert set(found) == ASK
    assert (found["query"], found["at"]) == ("小白生病那天晚上我们去了哪里？", "2025-01-01T00:00:00Z")
    assert keys(found["memories"]) == {frozenset(MEMORY)}
    assert keys([step for memory in found["memories"] for step in memory["path"]]) == {frozenset(STEP)}
    assert keys([source for memory in found["memories"] for source in memory["sources"]]) == {frozenset(SOURCE)}
    assert keys(found["actions"]) == {frozenset(ACTION)}
    assert keys(found["messages"]) == {frozenset(MESSAGE)}
    assert {memory["stage"] for memory in found["memories"]} <= {"similarity", "association", "both", "core"}
    assert all(is_time(message["time"]) for message in found["messages"])
    assert len(found["messages"]) <= 5


def test_what_is_no_question_of_a_batch_keeps_its_line_and_the_others_are_answered(run: Run) -> None:
    result = run("ask", "--batch", "-", "--peek", input='"小白"\n{"question": "b"}\n\n"妈妈的店"\n')
    first, wrong, last = map(json.loads, result.stdout.splitlines())
    assert (first["query"], last["query"], wrong["place"]) == ("小白", "妈妈的店", "standard input:2") and wrong["error"]
    assert result.exit_code == 1 and "standard input:2" in result.stderr and "1 of 3" in result.stderr


def test_a_batch_prints_what_ask_prints(run: Run, tmp_path: Path) -> None:
    texts = ["小白", "小白怕什么？"]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(json.dumps(text) for text in texts), encoding="utf-8")
    result = run("ask", "--batch", str(batch), "--at", "2025-01-01", "--peek")
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    for text, line in zip(texts, lines, strict=True):
        assert set(line) == ASK
        assert (line["query"], line["at"]) == (text, "2025-01-01T00:00:00Z")
        assert keys(line["memories"]) == {frozenset(MEMORY)}


def test_why(run: Run) -> None:
    assert set(parsed(run("ask", "下雨", "--why", "sem_xiaobai", "--json"))) == {"key", "verdict", "text", "fields"}


def test_ingest(run: Run) -> None:
    report = parsed(run("ingest", str(FIXTURES / "wren" / "chat.jsonl"), "--json", "--dry-run"))
    assert set(report) == {"files"}
    assert keys(report["files"]) == {
        frozenset(
            {
                "path",
                "format",
                "read",
                "new",
                "existing",
                "skipped",
                "derived",
                "replaced",
                "removed",
                "problems",
                "refused",
                "items",
            }
        )
    }
    assert [file["items"] for file in report["files"]] == [{"messages": file["read"]} for file in report["files"]]
    broken = run("ingest", "-", "--json", "--format", "graph-json", input='[{"id": 3}]')
    assert broken.exit_code in (0, 1)
    assert keys(json.loads(broken.stdout)["files"][0]["problems"]) == {frozenset({"line", "what", "skipped"})}


def test_show(run: Run) -> None:
    view = parsed(run("show", "sem_xiaobai", "--json"))
    assert set(view) == {
        "note",
        "retention",
        "links_out",
        "links_in",
        "sources",
        "pending",
        "superseded_by",
        "supersedes",
        "edited",
    } | {
        "present",
        "original",
        "texts",
        "missing",
        "fading",
        "hidden",
    }
    assert set(view["note"]) == NOTE
    assert set(view["note"]["body"]) == {
        "content",
        "aliases",
        "concept_type",
        "description",
        "category",
        "valid_from",
        "valid_until",
    }
    assert keys(view["links_out"]) == keys(view["links_in"]) == {frozenset(LINK)}
    assert view["note"]["type"] == "Semantic" and is_time(view["note"]["created_at"])
    by_id = parsed(run("show", view["note"]["id"], "--json"))
    assert by_id == view | {"retention": by_id["retention"], "missing": by_id["missing"]}


def test_show_has_the_lines_a_note_was_drawn_from(run: Run) -> None:
    drawn = parsed(run("cypher", "MATCH (n)-[:SOURCE]->(:Message) RETURN n.key AS key LIMIT 1", "--json"))
    view = parsed(run("show", drawn[0]["key"], "--json"))
    assert keys(view["sources"]) == {frozenset(SOURCE | {"text"})}


def test_list(run: Run) -> None:
    rows = parsed(run("list", "--type", "procedure", "--limit", "3", "--json"))
    listed = {"id", "key", "type", "text", "original", "retention", "retrieval_count", "tags"}
    listed |= {"scope", "kept_from", "valid_until"}
    assert keys(rows) == {frozenset(listed)}
    assert {row["type"] for row in rows} == {"Procedure"} and len(rows) == 3


def test_stats(run: Run) -> None:
    counts = parsed(run("stats", "--json"))
    assert set(counts) >= {"path", "bytes", "embedder", "notes", "links", "pending_links", "chats", "messages", "operations"}
    assert set(counts["notes"]) == {"Semantic", "SpecificSituation", "AbstractSituation", "Procedure"}
    assert set(counts["links"]) == {"Sem", "Proc", "Situation"}
    assert counts["embedder"] == "hashing" and counts["chats"] == 1
    assert min(counts["messages"], counts["bytes"], counts["links"]["Proc"], counts["notes"]["Procedure"]) > 0


def test_cypher_and_query(run: Run) -> None:
    assert parsed(run("cypher", "RETURN '辣' AS word, 1 AS number, NULL AS nothing", "--json")) == [
        {"word": "辣", "number": 1, "nothing": None}
    ]
    assert parsed(run("cypher", "MATCH (n:Semantic {key: 'none'}) RETURN n.key", "--json")) == []
    shipped = parsed(run("query", "--json"))
    assert keys(shipped) == {frozenset({"name", "parameters", "description"})}
    note = parsed(run("show", "sem_xiaobai", "--json"))["note"]["id"]
    rows = parsed(run("query", "look.links_out", "-p", f"id={note}", "--json"))
    assert {"id", "other", "type", "verb"} <= set(rows[0])


def test_minds(run: Run, home: Path) -> None:
    assert parsed(run("minds", "--json")) == [{"name": "小红", "path": str(home / "minds" / "小红.mind")}]
    assert parsed(run("minds", "--json", SOULMEM_HOME=str(home / "none"))) == []


def test_log(run: Run) -> None:
    operations = parsed(run("log", "--json"))
    assert keys(operations) == {frozenset(OPERATION)}
    assert [operation["number"] for operation in operations] == list(range(len(operations), 0, -1))
    assert len(parsed(run("log", "--limit", "1", "--json"))) == 1


def test_export_reembed_doctor(run: Run) -> None:
    done = parsed(run("export", "graph.json", "--messages", "--json"))
    assert set(done) == {"files", "form", "notes", "links", "messages", "entries", "told"}
    assert done["files"] == ["graph.json", "graph.messages.jsonl"]
    assert set(parsed(run("reembed", "--json"))) == OPERATION
    assert parsed(run("doctor", "--json")) == {"findings": [], "waiting": [], "remarks": [], "repairs": [], "backup": None}


@pytest.mark.parametrize("arguments", [["ask", "小白", "--peek"], ["list"], ["show", "sem_self"]])
def test_nothing_that_is_not_ascii_is_escaped(run: Run, arguments: list[str]) -> None:
    result = run(*arguments, "--json")
    assert "小" in result.stdout and "\\u" not in result.stdout


def test_undo_and_redo(run: Run) -> None:
    run("init", "other", "--embedder", "hashing")
    run("ingest", "--mind", "other", "-", "--format", "script", input="Anna: I have a cat.\nBob: Nice.\n")
    undone = parsed(run("undo", "--mind", "other", "--json"))
    assert set(undone) == OPERATION and undone["undoes"] == 1
    assert parsed(run("log", "--mind", "other", "--json"))[1]["undone_by"] == 2
    assert "(undone by 2)" in run("log", "--mind", "other").stdout
    assert parsed(run("redo", "--mind", "other", "--json"))["undoes"] == 2
    refused = run("undo", "9", "--mind", "other")
    assert refused.exit_code == 1 and "the journal has no operation 9" in refused.stderr
