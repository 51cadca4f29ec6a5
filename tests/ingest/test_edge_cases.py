"""What real files do that no specification says: for each case the test of it, and here those that only a whole mind can show.

The table is in the order in which the cases were collected; a test of it fails where a name leads nowhere.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from card_files import card

from soulmem.ingest.report import FileReport
from soulmem.soul import Soul

AT = datetime(2026, 1, 1, tzinfo=UTC)
HERE = Path(__file__).parent

CASES = """
a byte order mark                       test_chat_cases.py::test_1_a_byte_order_mark_before_the_header
CRLF files, and CRLF inside fields      test_chat_cases.py::test_2_line_ends_of_windows_change_nothing
                                        test_chat_cases.py::test_2_line_ends_of_windows_within_a_message
                                        test_cards.py::test_line_ends_of_windows_inside_fields
blank last lines                        test_chat_cases.py::test_3_blank_lines_at_the_end
.jsonl that is one array                test_chat_cases.py::test_4_a_jsonl_that_is_one_array
.jsonl whose lines are arrays           test_chat_cases.py::test_5_lines_that_are_arrays
an empty message                        test_chat_cases.py::test_6_an_empty_message_is_told_and_keeps_its_number
no date                                 test_chat_cases.py::test_7_a_message_without_a_date
generations of dates mixed              test_chat_cases.py::test_8_generations_mixed_in_one_file
seconds and milliseconds                test_chat_cases.py::test_9_seconds_and_milliseconds
names that are "unused"                 test_chat_cases.py::test_10_a_header_without_names
header deleted                          test_chat_cases.py::test_11_the_header_is_gone
a chat of metadata alone                test_edge_cases.py::test_a_chat_of_metadata_alone_changes_nothing
fifty swipes, megabytes of them         test_reader_sillytavern.py::test_fifty_swipes_of_a_megabyte
hidden lines, narrator, comment         test_edge_cases.py::test_hidden_lines_and_comments_come_to_nobodys_mind
reasoning, <think>                      test_never_said.py::test_what_was_never_said_is_no_note_no_message_and_no_word
status bars, HTML, actions, images      test_chat_cases.py::test_16_wrappings
macros                                  test_chat_cases.py::test_17_macros
names of all kinds                      test_chat_cases.py::test_18_names_of_all_kinds
                                        test_edge_cases.py::test_a_name_is_one_however_it_is_written
two characters of one name              test_edge_cases.py::test_two_of_one_name_stay_two
base64 in lines, url-safe, unpadded     test_card_files.py::test_a_card_is_found_in_any_kind_of_chunk_before_and_after_the_picture
a text chunk behind the picture         test_card_files.py::test_a_card_is_found_in_any_kind_of_chunk_before_and_after_the_picture
zTXt and iTXt                           test_card_files.py::test_a_card_is_found_in_any_kind_of_chunk_before_and_after_the_picture
chara and ccv3 that differ              test_card_files.py::test_of_two_that_disagree_ccv3_counts_and_is_told
an unknown spec                         test_cards.py::test_an_unknown_spec_is_read_and_told
character_book: null                    test_edge_cases.py::test_null_and_text_where_lists_should_be
text where a list should be             test_edge_cases.py::test_null_and_text_where_lists_should_be
CHARX encrypted, bomb, ../ path         test_card_files.py::test_encrypted_zips_are_refused_with_what_to_do
                                        test_card_files.py::test_zip_bombs_are_refused_before_they_are_unpacked
                                        test_card_files.py::test_paths_that_lead_out_are_told_and_nothing_is_unpacked
a private chunk of megabytes            test_card_files.py::test_long_private_chunks_are_passed_over
a lore entry of 39,000 characters       test_lorebooks.py::test_a_long_entry_is_cut_and_every_word_of_it_kept
branches that begin alike               test_edge_cases.py::test_a_branch_adds_what_differs_to_the_mind
no greeting in the transcript           test_chat_cases.py::test_31_a_greeting_that_is_not_in_the_file_is_not_made_up
the newest first                        test_chat_cases.py::test_32_the_newest_first
a tree with abandoned branches          test_chat_cases.py::test_33_a_tree_with_abandoned_branches
a last line that was cut off            test_chat_cases.py::test_34_a_last_line_that_was_cut_off
one file twice                          test_edge_cases.py::test_one_file_twice_is_there_once
camelCase and snake_case                test_chat_cases.py::test_36_flags_in_both_spellings
"""


def test_each_case_has_its_tests() -> None:
    rows = [line for line in CASES.splitlines() if line]
    assert sum(not line.startswith(" ") for line in rows) == 36
    for row in rows:
        file, _, name = row.split()[-1].partition("::")
        tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, row


@pytest.fixture(scope="module")
def soul(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    with Soul.create(tmp_path_factory.mktemp("edge") / "a.mind", embedder="hashing", clock=lambda: AT) as soul:
        yield soul


def said(mes: str, name: str = "Mira", **more: Any) -> dict[str, Any]:
    return {"name": name, "is_user": name == "Jon", "is_system": False, "mes": mes} | more


def take(soul: Soul, name: str, *lines: dict[str, Any]) -> FileReport:
    data = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
    return soul.ingest_bytes(data, name=name)


def people(soul: Soul, *names: str) -> Counter[str]:
    """The notes that are called so."""
    rows = soul.cypher("MATCH (n:Semantic) RETURN n.content", limit=None).rows
    return Counter(str(row[0] if isinstance(row, (list, tuple)) else row["n.content"]) for row in rows)


def lines(soul: Soul, text: str) -> list[tuple[str, str]]:
    """Who said this in which file."""
    ids = [row["id"] for row in soul.store.query("store.all_messages")]
    return [(message.speaker, message.file) for message in soul.store.messages(ids) if message.text == text]


def test_a_chat_of_metadata_alone_changes_nothing(soul: Soul) -> None:
    before = soul.stats()
    report = take(
        soul, "empty.jsonl", {"chat_metadata": {"integrity": "x" * 40}, "user_name": "unused", "character_name": "unused"}
    )
    assert (report.refused, report.read, report.new) == (None, 0, 0)
    assert soul.stats() | {"bytes": 0} == before | {"bytes": 0}


def test_hidden_lines_and_comments_come_to_nobodys_mind(soul: Soul) -> None:
    report = take(
        soul,
        "hidden.jsonl",
        said("The quartz lamp is lit."),
        said("The zircon key is under the mat.", is_system=True),
        said("A zircon comment.", extra={"type": "comment"}),
        said("The storm breaks over the quartz lamp.", name="Narrator", extra={"type": "narrator"}),
    )
    assert (report.read, report.new) == (4, 4)
    assert "zircon" not in soul.export_graph().casefold()
    recalled = soul.recall("Where is the zircon key?", top=50, messages=50)
    assert "zircon" not in repr((recalled.memories, recalled.messages)).casefold()
    assert "quartz" in repr(soul.recall("quartz lamp").memories)


def test_a_name_is_one_however_it_is_written(soul: Soul) -> None:
    name = "Zoë Čapek"
    forms = [
        name.replace(" ", "\n"),
        normalize("NFC", name),
        normalize("NFD", name),
        f"\u200b{name}",
        f" {name}\u3000",
        f"\ufeff{name}\u200e",
    ]
    take(soul, "forms.jsonl", *(said(f"Form {number}.", form) for number, form in enumerate(forms)))
    assert [lines(soul, f"Form {number}.") for number in range(6)] == [[(name, "forms.jsonl")]] * 6
    assert people(soul)[name] == 1


def test_two_of_one_name_stay_two(soul: Soul) -> None:
    take(
        soul,
        "two.jsonl",
        said("I keep bees.", "Edda", original_avatar="Edda.png"),
        said("I keep goats.", "Edda", original_avatar="Edda1.png"),
    )
    assert [name for text in ("I keep bees.", "I keep goats.") for name, _ in lines(soul, text)] == ["Edda", "Edda (Edda1)"]
    assert [people(soul)[name] for name in ("Edda", "Edda (Edda1)")] == [1, 1]


def test_ten_members_of_a_group_are_ten_people(soul: Soul) -> None:
    members = ["Alba", "Bram", "Cleo", "Dirk", "Elsa", "Finn", "Gina", "Hugo", "Iris", "Jon"]
    take(soul, "group.jsonl", *(said(f"{name} likes the number {n}.", name) for n, name in enumerate(members)))
    assert [people(soul)[name] for name in members] == [1] * 10
    for n, name in enumerate(members):
        assert lines(soul, f"{name} likes the number {n}.") == [(name, "group.jsonl")]


def test_null_and_text_where_lists_should_be(tmp_path: Path) -> None:
    made = card(character_book=None, alternate_greetings="Good evening.", tags="sea, lighthouse")
    with Soul.create(tmp_path / "a.mind", embedder="hashing", clock=lambda: AT) as soul:
        report = soul.ingest_bytes(json.dumps(made).encode(), name="card.json")
        assert report.refused is None
        mine = soul.note("sem_self")
        assert mine is not None and set(mine.tags) >= {"sea", "lighthouse"}
        assert lines(soul, "Good evening.") == [("Ada Quill", "card.json")]


def test_a_branch_adds_what_differs_to_the_mind(soul: Soul) -> None:
    trunk = [said(f"Trunk line {n}.", send_date=1714651200 + n) for n in range(5)]
    assert take(soul, "Mira - trunk.jsonl", *trunk).new == 5
    report = take(soul, "Mira - branch.jsonl", *trunk[:3], said("Another way.", send_date=1714651300))
    assert (report.new, report.existing) == (1, 3)
    assert [len(lines(soul, f"Trunk line {n}.")) for n in range(5)] == [1] * 5


def test_the_greeting_counts_once_in_lines_and_in_what_comes_to_mind(soul: Soul) -> None:
    greeting = "Welcome to the garnet room."
    for n in range(3):
        take(soul, f"talk {n}.jsonl", said(greeting), said(f"Thanks, number {n}.", "Jon"), said(f"Sit down, number {n}."))
    assert len(lines(soul, greeting)) == 1
    recalled = soul.recall("the garnet room", top=50, messages=50)
    assert sum(greeting in repr(one) for one in recalled.messages) == 1
    assert soul.cypher("MATCH (t:Term {text: 'garnet'}) RETURN t.message_df", limit=None).rows[0] in (
        [1],
        (1,),
        {"t.message_df": 1},
    )


def test_one_file_twice_is_there_once(soul: Soul) -> None:
    chat = [said("Only once."), said("Really once.", "Jon")]
    assert take(soul, "once.jsonl", *chat).new == 2
    before = soul.stats()
    report = take(soul, "once.jsonl", *chat)
    assert (report.new, report.existing) == (0, 2)
    assert soul.stats() | {"bytes": 0} == before | {"bytes": 0}


QUOTING = [
    'Mira: Bo said: "I am allergic to nuts."',
    'Mira: "I am a beekeeper," said Bo.',
    "Mira: 「我对花生过敏。」小波说。",
    "Mira: > I live in Lisbon.",
    "Mira: Bo told me: I hate tea.",
]


@pytest.mark.parametrize("quoting", QUOTING)
def test_what_somebody_quotes_is_no_fact_of_who_quotes(quoting: str) -> None:
    from soulmem.consolidate.sentences import sentences

    text = quoting.partition(": ")[2]
    stated = " ".join(clause for sentence in sentences(text) for clause in sentence.clauses)
    assert not any(word in stated for word in ("allergic", "beekeeper", "过敏", "Lisbon", "hate tea"))
