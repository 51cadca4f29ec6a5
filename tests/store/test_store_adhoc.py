"""Ad-hoc Cypher: what may run is decided by the statement, not by words that happen to be in it."""

from __future__ import annotations

import math
import signal
import threading
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_minds import NOW, change, contents, operations

from soulmem.errors import QueryError
from soulmem.store import check, open_store
from soulmem.store.adhoc import check as check_statement
from soulmem.store.cypher import statements, tokens

READING = [
    "MATCH (n:Semantic) RETURN n.key",
    "match (n) return count(*);",
    "OPTIONAL MATCH (n:Semantic) RETURN n.content",
    "UNWIND [1, 2] AS x RETURN x",
    "WITH 1 AS x RETURN x",
    "RETURN 'DELETE everything; DROP TABLE x' AS text",
    'RETURN "CREATE" AS text',
    "RETURN 'it\\'s; COPY' AS text",
    "MATCH (n:Semantic) RETURN n.key AS `delete`",
    "MATCH (n:Semantic) RETURN n.key // DELETE n\n",
    "/* CREATE (n) */ MATCH (n:Semantic) RETURN n.key",
    "RETURN 1 AS set",
    "RETURN {set: 1, delete: 2} AS x",
    "CALL show_tables() RETURN name",
    "CALL table_info('Semantic') RETURN name, type",
    "EXPLAIN MATCH (n:Semantic) RETURN n.key",
    "MATCH (n:Semantic) RETURN n.key UNION MATCH (n:Procedure) RETURN n.key",
    "MATCH (n:Semantic) WHERE EXISTS { MATCH (n)-[:Sem]->() } RETURN n.key",
    "  \n MATCH (n:Semantic) RETURN n.key ; ; ",
]
WRITING = [
    "CREATE (:Name {text: 'x'})",
    "MERGE (n:Name {text: 'x'}) ON CREATE SET n.text = 'x'",
    "MATCH (n:Semantic) SET n.strength = 0.5",
    "MATCH (n:Semantic)-[l:Sem]->() DELETE l",
    "MATCH (n:Name) DETACH DELETE n",
    "match (n:Name) detach /* */ delete n",
    "MATCH (n:Semantic) REMOVE n.description",
    "EXPLAIN CREATE (:Name {text: 'x'})",
    "WITH 1 AS x CREATE (:Name {text: 'x'})",
]
NEVER = [
    "",
    "   ",
    ";",
    "// only a comment",
    "MATCH (n) RETURN n; MATCH (n) DETACH DELETE n",
    "RETURN 1; RETURN 2",
    "DROP TABLE Semantic",
    "ALTER TABLE Semantic ADD x INT64",
    "CREATE NODE TABLE X(id STRING PRIMARY KEY)",
    "CREATE REL TABLE X(FROM Semantic TO Semantic)",
    "CREATE NODE TABLE IF NOT EXISTS X(id STRING PRIMARY KEY)",
    "CREATE SEQUENCE s",
    "CREATE MACRO f(x) AS x",
    "COPY Semantic FROM 'x.csv'",
    "COPY (MATCH (n) RETURN n) TO '/tmp/x.csv'",
    "LOAD FROM '/etc/passwd' RETURN *",
    "WITH 1 AS x LOAD FROM '/etc/passwd' RETURN *",
    "EXPORT DATABASE '/tmp/x'",
    "IMPORT DATABASE '/tmp/x'",
    "INSTALL httpfs",
    "LOAD EXTENSION httpfs",
    "LOAD httpfs",
    "ATTACH 'x' AS y (dbtype kuzu)",
    "USE x",
    "BEGIN TRANSACTION",
    "COMMIT",
    "ROLLBACK",
    "CHECKPOINT",
    "COMMENT ON TABLE Semantic IS 'x'",
    "CALL threads=1",
    "CALL clear_attached_db_schema() RETURN *",
    "CALL create_fts_index('Semantic', 'x', ['content'])",
    "EXPLAIN COPY Semantic FROM 'x.csv'",
    "EXPLAIN EXPLAIN RETURN 1",
    "PROFILE MATCH (n) RETURN n",
    "EXPLAIN",
    "DELETE",
    "RETURN 'never closed",
    "RETURN `never closed",
    "RETURN 1 /* never closed",
    "`MATCH` (n) RETURN n",
    "猫",
]


@pytest.fixture(scope="module")
def asked(empty_mind, tmp_path_factory):
    path = tmp_path_factory.mktemp("asked") / "asked.mind"
    path.write_bytes(empty_mind.read_bytes())
    with open_store(path, now=NOW) as store:
        store.apply(change(4))
        yield store


@pytest.mark.parametrize("text", READING)
@pytest.mark.parametrize("write", [False, True])
def test_reading_runs(asked, text, write):
    assert asked.cypher(text, {}, limit=10, write=write, at=NOW).columns
    assert operations(asked) == [1]


@pytest.mark.parametrize("text", WRITING)
def test_writing_is_refused_unless_asked_for(asked, text):
    before = contents(asked)
    with pytest.raises(QueryError):
        asked.cypher(text, {}, limit=None)
    assert contents(asked) == before
    assert check_statement(text, write=True)


@pytest.mark.parametrize("text", NEVER)
@pytest.mark.parametrize("write", [False, True])
def test_files_schema_and_transactions_are_never_reached(asked, text, write):
    with pytest.raises(QueryError) as caught:
        asked.cypher(text, {}, limit=None, write=write, at=NOW)
    assert "Traceback" not in str(caught.value)
    assert operations(asked) == [1]


def test_writing_is_one_entry_of_the_journal(store):
    store.apply(change(4))
    text = "MATCH (n:Semantic {id: $id}) SET n.strength = $s RETURN n.strength AS s"
    rows = store.cypher(text, {"id": "note-00000", "s": 0.25}, limit=None, write=True, at=NOW)
    assert rows.columns == ("s",) and rows.rows == ((0.25,),)
    assert store.notes(["note-00000"])[0].strength == 0.25
    (entry,) = store.query("store.operations", limit=1)
    assert (entry["number"], entry["command"], entry["what"], entry["at"]) == (2, "cypher", text, NOW)
    assert check(store) == []


def test_writing_needs_a_time(store):
    with pytest.raises(QueryError):
        store.cypher("CREATE (:Name {text: 'x'})", {}, limit=None, write=True)


def test_writing_that_fails_leaves_nothing(store):
    store.cypher("CREATE (:Name {text: 'x'})", {}, limit=None, write=True, at=NOW)
    with pytest.raises(QueryError):
        store.cypher("UNWIND ['y', 'x'] AS t CREATE (:Name {text: t})", {}, limit=None, write=True, at=NOW)
    assert store.cypher("MATCH (n:Name) RETURN n.text", {}, limit=None).rows == (("x",),)
    assert operations(store) == [1]


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("MATCH (n:Nothing) RETURN n", {}),
        ("MATCH (n:Semantic) RETURN n.nothing", {}),
        ("MATCH (n RETURN n", {}),
        ("RETURN $x", {}),
        ("MATCH (n:Semantic) WHERE n.key = $key RETURN n", {"other": 1}),
        ("RETURN 1 AS x", {"other": 1}),
        ("RETURN CAST('a' AS INT64)", {}),
        ("MATCH (n:Semantic) WHERE n.created_at < $t RETURN n", {"t": object()}),
    ],
)
def test_what_the_engine_refuses_is_said_plainly(asked, text, parameters):
    with pytest.raises(QueryError) as caught:
        asked.cypher(text, parameters, limit=None)
    assert len(str(caught.value)) > 20
    assert asked.cypher("RETURN 1 AS x", {}, limit=None).rows == ((1,),)


def test_the_limit_says_when_there_was_more(asked):
    assert not asked.cypher("UNWIND [1, 2, 3] AS x RETURN x", {}, limit=3).more
    cut = asked.cypher("UNWIND [1, 2, 3] AS x RETURN x", {}, limit=2)
    assert cut.rows == ((1,), (2,)) and cut.more
    assert asked.cypher("UNWIND [1, 2, 3] AS x RETURN x", {}, limit=None).rows == ((1,), (2,), (3,))


def test_values_are_plain(asked):
    text = "MATCH (n:Semantic {id: $id}) WHERE n.created_at = $now "
    text += "RETURN n, sum(n.retrieval_count) AS s, n.created_at AS t, [n.created_at] AS l"
    (row,) = asked.cypher(text, {"id": "note-00000", "now": NOW}, limit=None).rows
    assert row[0]["key"] == "key_0" and row[0]["created_at"] == NOW
    assert type(row[1]) is int and row[2] == NOW and row[3] == [NOW]


def test_a_time_without_a_zone_is_refused(asked):
    with pytest.raises(QueryError):
        asked.cypher("RETURN $t", {"t": NOW.replace(tzinfo=None)}, limit=None)


# -- values of parameters

SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"])),
)
ANYTHING = st.recursive(
    SCALARS | st.none() | st.floats() | st.integers() | st.text(st.characters()) | st.binary(max_size=3) | st.just(object()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2) | st.integers(0, 1), inner, max_size=3),
    max_leaves=6,
)


@given(SCALARS | st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1) | st.lists(st.text("ab猫"), min_size=1))
@settings(deadline=None, max_examples=60)
def test_values_come_back_as_they_were(asked, value):
    assert asked.cypher("RETURN $x AS x", {"x": value}, limit=None).rows == ((value,),)


@given(ANYTHING)
@settings(deadline=None, max_examples=150)
def test_any_value_is_answered_or_refused_in_plain_words(asked, value):
    try:
        (row,) = asked.cypher("RETURN $x AS x", {"x": value}, limit=None).rows
    except QueryError as error:
        row = [str(error)]
    if isinstance(row, list):
        assert "$x" in row[0] or "told" in row[0]
        assert not any(word in row[0] for word in ("C++", "pybind", "Assertion", "invalid literal", "should not happen"))
    else:
        assert len(row) == 1


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([1, "a"], "a list holds things of one type, and this one a number and text"),
        ([True, 1], "a number and a truth value"),
        ([[1], ["a"]], "one type"),
        ([{"a": 1}, {"b": 2}], "a map of a and a map of b"),
        ([{"a": [1, "x"]}], "$x[0].a"),
        ([], "empty list"),
        ([[], []], "empty list"),
        ({"a": []}, "empty list"),
        ({"a": None}, "null inside"),
        ([None, None], "null inside"),
        (2**63, "64 bits"),
        ([1, -(2**63) - 1], "$x[1]: the whole number is beyond 64 bits"),
        (math.nan, "no number"),
        ({"a": [math.inf]}, "$x.a[0]"),
        ("\ud800", "half of a character"),
        ({"\udcff": 1}, "half of a character"),
        ({1: 2}, "name of a field"),
        ({"": 2}, "name of a field"),
        (b"a", "bytes"),
        ({1, 2}, "set"),
        (object(), "object"),
        (NOW.replace(tzinfo=None), "time zone"),
    ],
)
def test_what_the_engine_would_misread_is_named(asked, value, told):
    with pytest.raises(QueryError) as caught:
        asked.cypher("RETURN $x AS x", {"x": value}, limit=None)
    assert told in str(caught.value)


def test_deep_nesting_is_refused(asked):
    deep: list[object] = [1]
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(QueryError, match="nested"):
        asked.cypher("RETURN $x AS x", {"x": deep}, limit=None)


@pytest.mark.parametrize(
    ("value", "back"),
    [
        (None, None),
        ([1, None, 2.5], [1.0, None, 2.5]),
        ([[], [1]], [[], [1]]),
        ([{"a": None}, {"a": 1}], [{"a": None}, {"a": 1}]),
        ((1, 2), [1, 2]),
        (np.array([1.5, 2.5]), [1.5, 2.5]),
        (np.int64(7), 7),
        ({"a": {"b": ["x"]}}, {"a": {"b": ["x"]}}),
        ([NOW], [NOW]),
        (timedelta(days=1), timedelta(days=1)),
        ("a\0b", "a\0b"),
    ],
)
def test_what_the_engine_takes_is_given_to_it(asked, value, back):
    assert asked.cypher("RETURN $x AS x", {"x": value}, limit=None).rows == ((back,),)


@pytest.mark.parametrize("text", ["RETURN '\udcff' AS x", "\ud800"])
def test_a_statement_that_is_no_text_is_refused(asked, text):
    with pytest.raises(QueryError, match="not text"):
        asked.cypher(text, {}, limit=None)


# -- bounds

#: Nobody would wait for the end of it.
ENDLESS = "UNWIND range(1, 100000) AS i UNWIND range(1, 100000) AS j UNWIND range(1, 1000) AS k RETURN sum(i * j + k) AS s"


def test_a_statement_is_stopped_when_its_time_is_over(store):
    for _ in range(2):
        with pytest.raises(QueryError, match=r"longer than 0\.2 seconds") as caught:
            store.cypher(ENDLESS, {}, limit=1, timeout_seconds=0.2)
        assert "--timeout" in str(caught.value)
    # the connection is as good as before, and has no time limit any more
    assert store.cypher("RETURN 1 AS x", {}, limit=None).rows == ((1,),)


def test_a_writing_statement_that_is_stopped_writes_nothing(store):
    store.apply(change(4))
    before = contents(store)
    text = f"{ENDLESS.replace('RETURN', 'WITH')} MATCH (n:Semantic) SET n.strength = 0.5"
    with pytest.raises(QueryError, match="longer than"):
        store.cypher(text, {}, limit=None, write=True, at=NOW, timeout_seconds=0.2)
    assert contents(store) == before and operations(store) == [1]
    store.apply(change(4, start=4))
    assert operations(store) == [1, 2]


def test_ctrl_c_stops_a_statement_and_leaves_the_mind_as_it_was(store):
    stop = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    stop.start()
    with pytest.raises(KeyboardInterrupt):
        store.cypher(ENDLESS, {}, limit=1)
    assert store.cypher("RETURN 1 AS x", {}, limit=None).rows == ((1,),)
    store.apply(change(4))
    assert check(store) == []


def test_statements_of_several_threads_have_their_own_time(store):
    store.apply(change(4))
    outcomes = []

    def ask(seconds):
        try:
            store.cypher(ENDLESS, {}, limit=1, timeout_seconds=seconds)
        except QueryError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=ask, args=(seconds,)) for seconds in (0.1, 0.3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome.split(": ")[1].split("\n")[0] for outcome in outcomes) == [
        "it took longer than 0.1 seconds",
        "it took longer than 0.3 seconds",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "UNWIND range(1, 1000) AS i RETURN collect(repeat('abc', 1000000 + i))",
        "UNWIND range(1, 3000) AS i RETURN size(repeat('abc', 10000000 + i))",
    ],
)
def test_what_takes_more_memory_than_the_engine_has_is_said_so(store, text):
    with pytest.raises(QueryError, match="more memory"):
        store.cypher(text, {}, limit=1, timeout_seconds=60)
    assert store.cypher("RETURN 1 AS x", {}, limit=None).rows == ((1,),)


def test_a_product_without_end_gives_its_first_rows(store):
    store.apply(change(40))
    rows = store.cypher("MATCH (a:Semantic), (b:Semantic), (c:Semantic), (d:Semantic) RETURN a.key, d.key", {}, limit=3)
    assert len(rows.rows) == 3 and rows.more


# -- tokens


def test_statements_are_cut_where_they_end():
    text = "// a; b\nCREATE (x {t: 'a;b'}); /* ; */ RETURN `x;y`;\n;"
    assert statements(text) == ["CREATE (x {t: 'a;b'})", "RETURN `x;y`"]


def test_tokens_say_what_they_are():
    kinds = [(token.kind, token.text) for token in tokens("n.a = $p + 'x' + 1.5e3 // c\n- `b`")]
    assert kinds == [
        ("word", "n"),
        ("symbol", "."),
        ("word", "a"),
        ("symbol", "="),
        ("param", "$p"),
        ("symbol", "+"),
        ("string", "'x'"),
        ("symbol", "+"),
        ("number", "1.5e3"),
        ("symbol", "-"),
        ("name", "`b`"),
    ]


def test_division_is_no_comment():
    assert [token.text for token in tokens("4/2")] == ["4", "/", "2"]


def test_a_mind_open_for_reading_can_be_asked(mind):
    with open_store(mind, read_only=True, now=NOW) as store:
        assert store.cypher("MATCH (n:Semantic) RETURN count(*) AS c", {}, limit=1).rows == ((0,),)
