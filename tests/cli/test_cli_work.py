"""The commands at work: reading in, asking, looking, writing out."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cli_mind import FIXTURES, Run, Start, beginning, on_a_terminal, parsed

from soulmem.demo import language_of
from soulmem.model.notes import NoteType
from soulmem.soul import Soul
from soulmem.views import NoteRow, SourceView
from soulmem_cli.commands.list import _told
from soulmem_cli.commands.show import _print
from soulmem_cli.terminal import sized

LINES = beginning(FIXTURES / "wren" / "chat.jsonl", 7)


@pytest.fixture
def chat(run: Run) -> str:
    """The beginning of a chat, as a file."""
    Path("chat.jsonl").write_bytes(LINES)
    return "chat.jsonl"


def operations(run: Run) -> int:
    return len(parsed(run("log", "--limit", "1000", "--json")))


def counts(run: Run) -> Any:
    return parsed(run("stats", "--json"))


# -- ingest


def test_reading_again_adds_nothing(run: Run, chat: str) -> None:
    first = parsed(run("ingest", chat, "--json"))["files"][0]
    again = parsed(run("ingest", chat, "--json"))["files"][0]
    assert first["read"] == first["new"] + first["existing"] + first["skipped"] == again["read"]
    assert first["new"] > 0
    assert (again["new"], again["derived"], again["existing"]) == (0, 0, first["new"] + first["existing"])


def test_the_report_for_people_has_the_numbers(run: Run, chat: str) -> None:
    file = parsed(run("ingest", chat, "--dry-run", "--json"))["files"][0]
    result = run("ingest", chat)
    assert result.exit_code == 0
    assert f"{chat} ({file['format']}): {file['read']} messages read, {file['new']} new, " in result.stdout
    assert "\x1b" not in result.output


def test_a_dry_run_writes_nothing(run: Run, chat: str) -> None:
    before = counts(run)
    result = run("ingest", chat, "--dry-run")
    assert result.exit_code == 0 and "nothing was written" in result.stderr
    assert counts(run) == before


def test_standard_input_is_read_as_a_file(run: Run) -> None:
    piped = parsed(run("ingest", "-", "--json", input=LINES))["files"][0]
    assert piped["path"] == "-" and piped["new"] > 0


def test_a_refused_file_is_exit_code_1_and_the_others_are_read(run: Run, chat: str) -> None:
    Path("binary.json").write_bytes(b"\x89PNG\x00\x01")
    result = run("ingest", "binary.json", chat, "--json")
    assert result.exit_code == 1
    refused, read = json.loads(result.stdout)["files"]
    assert refused["refused"] and refused["new"] == 0
    assert read["refused"] is None and read["new"] > 0
    told = run("ingest", "binary.json")
    assert told.exit_code == 1 and "binary.json: refused: " in told.stdout


def test_problems_are_told_with_their_lines(run: Run) -> None:
    broken = [*LINES.decode("utf-8").splitlines()[:3], "{oh", *(["{oh"] * 30)]
    Path("broken.jsonl").write_text("\n".join(broken), encoding="utf-8")
    result = run("ingest", "broken.jsonl", "--format", "sillytavern")
    assert result.exit_code == 0
    assert "broken.jsonl:4: " in result.stdout
    assert "more; --json has all of them" in result.stdout
    assert run("ingest", "broken.jsonl", "--format", "sillytavern", "--strict").exit_code == 1


def test_an_encoding_that_is_named_is_taken_for_what_is_not_utf8(run: Run) -> None:
    Path("old").mkdir()
    Path("old", "big5.txt").write_bytes("老鄒：你".encode("big5"))
    Path("old", "utf8.txt").write_text("老鄒：你還記得嗎", encoding="utf-8")
    Path("old", "broken.txt").write_bytes("老鄒：你".encode("big5") + b"\xff\xff")
    result = run("ingest", "old", "--encoding", "Big5")
    assert result.exit_code == 1
    assert "line 1: the byte 0xff is no text in big5" in result.stdout and result.stdout.count("refused") == 1
    texts = run("cypher", "MATCH (m:Message {speaker: '老鄒'}) RETURN m.text", "--csv").stdout.splitlines()
    assert sorted(texts) == ["m.text", "你", "你還記得嗎"]


def test_an_empty_folder_is_said_to_be_empty(run: Run) -> None:
    result = run("ingest", ".")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "Nothing to read" in result.stderr


# -- ask


def test_asking_strengthens_and_peeking_does_not(run: Run) -> None:
    before = operations(run)
    assert run("ask", "小白", "--peek").exit_code == 0
    assert run("ask", "小白", "--why", "sem_mama").exit_code == 0
    assert operations(run) == before
    found = parsed(run("ask", "小白", "--json"))
    assert operations(run) == before + 1
    used = found["memories"][0]["key"]
    assert parsed(run("show", used, "--json"))["note"]["retrieval_count"] == 1


def test_a_batch_strengthens_once_for_each_question(run: Run) -> None:
    before = operations(run)
    batch = '"小白"\n{"q": "妈妈的店"}\n'
    assert run("ask", "--batch", "-", "--peek", input=batch).exit_code == 0
    assert operations(run) == before
    result = run("ask", "--batch", "-", input=batch)
    assert [json.loads(line)["query"] for line in result.stdout.splitlines()] == ["小白", "妈妈的店"]
    assert operations(run) == before + 2
    assert result.stderr == ""


def test_nothing_is_asked_when_a_batch_holds_no_question(run: Run) -> None:
    before = operations(run)
    result = run("ask", "--batch", "-", input="\n{}\n3")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "standard input:2" in result.stderr
    assert operations(run) == before


def test_evidence_and_suites_are_asked_in_order(run: Run) -> None:
    evidence = json.loads((FIXTURES / "xiaohong" / "chat.evidence.json").read_text(encoding="utf-8"))
    evidence["questions"] = evidence["questions"][:3]
    result = run("ask", "--batch", "-", "--peek", input=json.dumps(evidence))
    assert [json.loads(line)["query"] for line in result.stdout.splitlines()] == [one["q"] for one in evidence["questions"]]
    suite = json.loads((FIXTURES / "xiaohong" / "queries.json").read_text(encoding="utf-8"))
    suite["test_cases"] = suite["test_cases"][:3]
    result = run("ask", "--batch", "-", "--peek", input=json.dumps(suite))
    assert [json.loads(line)["query"] for line in result.stdout.splitlines()] == [one["name"] for one in suite["test_cases"]]


def test_a_structured_question_finds_what_it_names(run: Run) -> None:
    Path("q.json").write_text(json.dumps({"concept_identifier": "小白"}), encoding="utf-8")
    found = parsed(run("ask", "--query", "q.json", "--peek", "--json"))
    assert "sem_xiaobai" in [memory["key"] for memory in found["memories"]]
    why = parsed(run("ask", "--query", "q.json", "--why", "sem_xiaobai", "--json"))
    assert (why["key"], why["verdict"]) == ("sem_xiaobai", "recalled")


def test_the_question_may_be_piped_in(run: Run) -> None:
    assert parsed(run("ask", "--json", "--peek", input="小白怕什么？\n"))["query"] == "小白怕什么？"
    assert run("ask", "--peek", input="  \n").exit_code == 2
    assert run("ask", "--peek", input=b"\xff\xfe").exit_code == 1


def test_answers_for_people_have_titles_and_places_and_no_colours(run: Run) -> None:
    result = run("ask", "小白生病那天晚上我们去了哪里？", "--peek")
    assert result.exit_code == 0
    assert result.stdout.startswith("相关记忆\n") and "\n\n行为倾向\n" in result.stdout and "\n\n原话\n" in result.stdout
    assert "\x1b" not in result.stdout and not any(line.endswith(" ") for line in result.stdout.splitlines())
    assert "\n\n检索过程\n" in run("ask", "小白", "--peek", "--explain").stdout


def test_limits_on_what_is_given(run: Run) -> None:
    found = parsed(run("ask", "小白", "--top", "2", "--messages", "0", "--peek", "--json"))
    assert len([memory for memory in found["memories"] if memory["stage"] != "core"]) <= 2
    assert found["messages"] == []


def test_english_minds_get_english_titles(run: Run) -> None:
    assert run("init", "wren", "--embedder", "hashing").exit_code == 0
    assert run("--mind", "wren", "ingest", str(FIXTURES / "wren" / "graph.json")).exit_code == 0
    assert run("--mind", "wren", "ask", "the ferry with the red hull", "--peek").stdout.startswith("Memories\n")
    nothing = run("--mind", "wren", "ask", "zzz qqq", "--peek")
    assert nothing.exit_code == 0 and nothing.stdout.startswith("Nothing comes to mind.\n")
    assert "[sem_self]" in nothing.stdout


# -- looking


def test_show_for_people(run: Run) -> None:
    view = parsed(run("show", "sem_xiaobai", "--json"))
    text = run("show", "sem_xiaobai").stdout
    for told in ("sem_xiaobai", view["note"]["id"], "Semantic", view["note"]["body"]["content"], *view["note"]["tags"]):
        assert told in text
    assert all(link["other"] in text for link in view["links_out"] + view["links_in"])


def test_of_many_sources_and_origins_the_first_are_shown(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    with Soul.open(home / "minds" / "小红.mind", read_only=True) as soul:
        view = soul.show("sem_self")
    said = [SourceView(file="a.jsonl", line=line, speaker="Bo", time=None, text="rain " * 200) for line in range(31)]
    note = replace(view.note, origins=tuple(f"book{number}.json" for number in range(22)))
    capsys.readouterr()
    _print(replace(view, note=note, sources=tuple(said)), original=False)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    first = next(place for place, line in enumerate(lines) if line.startswith("sources"))
    assert all(len(line) < 320 and line.endswith("…") for line in lines[first : first + 20])
    assert "a.jsonl:19 Bo: rain rain" in lines[first + 19]
    assert lines[first + 20] == "… and 11 more; --json has all of them"
    first = next(place for place, line in enumerate(lines) if line.startswith("origins"))
    assert lines[first + 19 : first + 21] == ["book19.json", "… and 2 more; --json has all of them"]


@pytest.mark.parametrize(
    ("text", "told"), [("我住在杭州", "我住在杭州（至 2026-03-01）"), ("I live here", "I live here (until 2026-03-01)")]
)
def test_a_list_tells_in_the_language_of_a_fact_when_it_ceased_to_hold(text: str, told: str) -> None:
    row = NoteRow(
        id="i",
        key="k",
        type=NoteType.SEMANTIC,
        text=text,
        original=text,
        retention=1.0,
        retrieval_count=0,
        tags=(),
        valid_until=datetime(2026, 3, 1, tzinfo=UTC),
    )
    assert (_told(row), _told(replace(row, valid_until=None))) == (told, text)


def test_lists_are_cut_with_a_word_and_go_on(run: Run) -> None:
    whole = parsed(run("list", "--limit", "1000", "--json"))
    first, rest = run("list", "--limit", "5", "--json"), run("list", "--limit", "1000", "--offset", "5", "--json")
    assert "--offset 5" in first.stderr and rest.stderr == ""
    assert [row["key"] for row in json.loads(first.stdout) + json.loads(rest.stdout)] == [row["key"] for row in whole]
    tagged = parsed(run("list", "--tag", "猫", "--json"))
    assert tagged and all("猫" in row["tags"] for row in tagged)
    assert parsed(run("list", "--text", "抄手", "--json"))
    table = run("list", "--limit", "5").stdout.splitlines()
    assert table[0].split() == ["key", "type", "retention", "recalled", "tags", "text"] and len(table) == 7


def test_parameters_travel_beside_the_text(run: Run) -> None:
    hostile = "x'}) RETURN 1 //"
    asked = ["cypher", "RETURN $word AS word, $number + 1 AS number", "-p", f"word={hostile}", "-p", "number=2"]
    assert parsed(run(*asked, "--json")) == [{"word": hostile, "number": 3}]
    assert run(*asked, "--csv").stdout_bytes.decode() == f"word,number\r\n{hostile},3\r\n"


def test_a_cut_answer_is_said_to_be_cut(run: Run) -> None:
    cut = run("cypher", "UNWIND range(1, 5) AS n RETURN n", "--limit", "3", "--json")
    assert [row["n"] for row in json.loads(cut.stdout)] == [1, 2, 3]
    assert "first 3 rows" in cut.stderr
    assert run("cypher", "UNWIND range(1, 3) AS n RETURN n", "--limit", "3").stderr == ""


def test_writing_needs_to_be_asked_for(run: Run) -> None:
    statement = "MATCH (n:Semantic {key: 'sem_xiaobai'}) SET n.pinned = true"
    assert run("cypher", statement).exit_code == 1
    assert run("cypher", statement, "--write").exit_code == 0
    assert parsed(run("show", "sem_xiaobai", "--json"))["note"]["pinned"] is True


def test_statements_may_be_piped_in(run: Run) -> None:
    result = run("cypher", "--csv", input="RETURN 1 AS a; // one;\nRETURN ';'\n AS b")
    assert (result.exit_code, result.stdout_bytes) == (0, b"a\r\n1\r\nb\r\n;\r\n")
    assert run("cypher", input="RETURN 1; RETURN oh;").exit_code == 1


def test_every_shipped_query_is_listed(run: Run) -> None:
    listed = run("query").stdout
    shipped = parsed(run("query", "--json"))
    assert {"look.links_out", "look.list"} <= {query["name"] for query in shipped}
    assert all(query["name"] in listed and query["description"] for query in shipped)
    wrong = run("query", "look.links_out", "-p", "id=3")
    assert wrong.exit_code == 1 and "id" in wrong.stderr


# -- out and upkeep


def test_an_exported_mind_comes_back(run: Run) -> None:
    assert run("export", "out.json", "--messages").exit_code == 0
    exported = Path("out.json").read_text(encoding="utf-8")
    assert run("export", "-").stdout == exported
    assert run("init", "second", "--embedder", "hashing").exit_code == 0
    assert run("--mind", "second", "ingest", "out.messages.jsonl", "out.json").exit_code == 0
    assert run("--mind", "second", "export", "-").stdout == exported


def test_nothing_is_overwritten_unless_told(run: Run) -> None:
    for taken in ("out.json", "out.messages.jsonl"):
        Path(taken).write_text("mine", encoding="utf-8")
        assert run("export", "out.json", "--messages").exit_code == 1
        assert Path(taken).read_text(encoding="utf-8") == "mine"
        Path(taken).unlink()
    Path("out.json").write_text("mine", encoding="utf-8")
    assert run("export", "out.json", "--force").exit_code == 0
    assert Path("out.json").read_text(encoding="utf-8") != "mine"


def test_doctor_finds_what_is_wrong(run: Run) -> None:
    result = run("doctor")
    assert (result.exit_code, result.stdout) == (0, "The mind is whole.\n")
    waiting = [
        {
            "id": "a",
            "mem_type": {"Semantic": {"content": "a"}},
            "mem_links": [{"to": "nowhere", "link_type": {"Sem": {"verb": "v"}}}],
        }
    ]
    assert run("ingest", "-", input=json.dumps(waiting)).exit_code == 0
    result = run("doctor")
    assert result.exit_code == 0 and result.stdout.startswith("The mind is whole.\n") and "nowhere" in result.stdout
    told = parsed(run("doctor", "--json"))
    assert told["findings"] == [] and len(told["waiting"]) == 1
    for statement in ("{key: 'sem_xiaobai'}) SET n.content = '黑豹', n.aliases = []", "{key: 'sem_mama'}) DETACH DELETE n"):
        assert run("cypher", f"MATCH (n:Semantic {statement}", "--write").exit_code == 0
    result = run("doctor")
    assert result.exit_code == 1 and "1 text was changed" in result.stdout and "soulmem reembed" in result.stdout
    assert "sem_mama" in result.stdout, "what was deleted past soulmem is found and mended too"
    assert run("reembed").exit_code == 0
    assert (run("doctor").exit_code, run("show", "sem_mama").exit_code) == (0, 1)
    assert "sem_xiaobai" in run("ask", "黑豹", "--peek").stdout


def test_reembedding_changes_what_the_mind_is_made_with(run: Run) -> None:
    result = run("reembed", "hashing")
    assert result.exit_code == 0 and "hashing" in result.stdout
    assert parsed(run("log", "--limit", "1", "--json"))[0]["command"] == "reembed"


def test_the_demonstration(run: Run) -> None:
    result = run("demo", "--embedder", "hashing", "--keep", "kept.mind")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("»") == 3
    assert "kept.mind" in result.stderr
    assert parsed(run("--mind", "kept.mind", "stats", "--json"))["messages"] > 0
    assert run("demo", "--embedder", "hashing", "--keep", "kept.mind").exit_code == 1


@pytest.mark.parametrize(("variables", "language"), [
    ({}, "en"),
    ({"LANG": "zh_CN.UTF-8"}, "zh"),
    ({"LANG": "zh_CN", "LC_ALL": "C"}, "en"),
    ({"LANG": "de_DE", "LC_MESSAGES": "zh_TW"}, "zh"),
])  # fmt: skip
def test_the_demonstration_speaks_the_language_of_the_locale(variables: dict[str, str], language: str) -> None:
    assert language_of(variables) == language


def test_the_demonstration_speaks_both_languages(run: Run) -> None:
    result = run("demo", "--embedder", "hashing", "--language", "zh")
    assert result.exit_code == 0 and "花生" in result.stdout


@pytest.mark.parametrize("text", ["", "   ", "x" * 20_000, "(){}[]'\"\\;$", "\x00", "‮"])
def test_any_text_may_be_asked(run: Run, text: str) -> None:
    result = run("ask", text, "--peek")
    assert result.exit_code in (0, 1, 2)
    assert "fault of soulmem" not in result.stderr


def test_who_shows_a_name_is_told_the_key(run: Run) -> None:
    graph = json.loads((FIXTURES / "wren" / "graph.json").read_text(encoding="utf-8"))
    few = [note | {"mem_links": []} for note in graph if note["id"] in ("sem_self", "sem_mum", "sem_dunmoor")]
    assert run("ingest", "-", input=json.dumps(few)).exit_code == 0
    result = run("show", "Ruth")
    assert result.exit_code == 1
    assert "Near to it: sem_mum" in result.stderr
    assert "Near to it" not in run("show", "zzz").stderr


def test_a_backup_is_told_with_the_size_of_its_file(run: Run, home: Path) -> None:
    told = run("backup", str(home / "kept.zip")).stdout
    assert f", {sized((home / 'kept.zip').stat().st_size)}, verified" in told
    assert [sized(size) for size in (1, 345 * 2**10, 13 * 2**20 // 10, 116 * 2**20)] == ["1 KiB", "345 KiB", "1.3 MiB", "116 MiB"]


def test_a_mind_is_backed_up_and_restored(run: Run, home: Path) -> None:
    done = parsed(run("backup", "--json"))
    assert Path(done["file"]).parent == home / "backups" and done["mind"] == "小红"
    run("ingest", "-", input=LINES)
    refused = run("restore", done["file"])
    assert refused.exit_code == 1 and "--as" in refused.stderr
    assert run("restore", done["file"], "--as", "before").exit_code == 0
    replaced = parsed(run("restore", done["file"], "--force", "--json"))
    kept = parsed(run("restore", replaced["kept"], "--as", "after", "--json"))
    assert kept["backup"]["messages"] > replaced["backup"]["messages"]
    for mind, messages in (("before", done), ("小红", done), ("after", kept["backup"])):
        assert parsed(run("--mind", mind, "stats", "--json"))["messages"] == messages["messages"]
    again = run("--mind", "小红", "backup", done["file"])
    assert again.exit_code == 1 and "there already" in again.stderr and "--force" not in again.stderr
    assert run("restore", "none.zip").exit_code == 1


def test_a_character_is_made_of_answers(run: Run, process: Start) -> None:
    Path("answers.json").write_text('{"name": "Bo", "habits": [{"when": "it rains", "does": "I sing"}]}')
    made = parsed(run("new", "Bo", "--answers", "answers.json", "--embedder", "hashing", "--json"))
    assert [remark["flaw"] for remark in made["remarks"]] == ["no instance"]
    assert "I sing" in run("--mind", "Bo", "ask", "it rains", "--peek").stdout
    assert run("new", "Bo", "--answers", "answers.json").exit_code == 1, "the mind is there already"
    assert run("new", "Cy").exit_code == 2, "nobody is there to be asked"
    typed = ["", "I keep bees.", "", "", "", "", "", "", "", "when stung: I laugh", "rubbish", "", "", "", "Hi!"]
    shown = on_a_terminal(process, "new", "Di", "--language", "en", "--embedder", "hashing", "--save", "di.json", typed=typed)
    assert "What do you do when" in shown and "a colon" not in shown.split("What do you do when")[0]
    assert "I laugh" in run("--mind", "Di", "ask", "stung", "--peek").stdout
