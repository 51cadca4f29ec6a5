"""Shipped queries: headers agree with texts, types are checked, and every one of them binds against the schema."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from store_minds import BODIES, NOW, change, empty_change, note, unit

from soulmem.errors import NotFoundError, QueryError, StoreError
from soulmem.model.changes import Removal
from soulmem.model.links import Link, LinkType, Sem, is_legal
from soulmem.model.notes import NoteType
from soulmem.store import check, open_store
from soulmem.store.apply import BULK_VALUES
from soulmem.store.frames import frame
from soulmem.store.mind import PLAIN_ROWS
from soulmem.store.queries import Library, parse
from soulmem.store.rows import PAYLOADS, embedding_of

LIBRARY = Library()
GOOD = """// What it does.
// param id: STRING
// param limit: INT64?
// column key: STRING
// column b: STRING
MATCH (n {id: $id}) RETURN n.key AS key, n.x AS b ORDER BY key LIMIT $limit
"""


def test_a_header_is_read():
    query = parse("g.n", GOOD)
    assert query.description == "What it does."
    assert [(p.name, p.type, p.nullable) for p in query.parameters.values()] == [
        ("id", "STRING", False),
        ("limit", "INT64", True),
    ]
    assert [c.name for c in query.columns] == ["key", "b"]
    assert query.text.startswith("MATCH") and not query.writes


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("// param id: STRING\n", "", "$id is not declared"),
        ("$limit", "3", "$limit is not used"),
        ("INT64?", "INTEGER", "no such type INTEGER"),
        ("n.key AS key", "n.key AS name", "returns ['name', 'b']"),
        ("n.key AS key, n.x AS b", "n.key AS key", "returns ['key']"),
        ("n.key AS key, n.x AS b", "n.x AS b, n.key AS key", "returns ['b', 'key']"),
        ("// What it does.\n", "", "what it does"),
        ("RETURN n.key AS key, n.x AS b ORDER BY key LIMIT $limit", "SET n.x = $limit", "returns none"),
        ("// param id", "// choice TABLE: A, B\n// param id", "TABLE is not used"),
    ],
)
def test_a_header_that_does_not_agree_is_refused(old, new, said):
    assert old in GOOD
    with pytest.raises(StoreError) as caught:
        parse("g.n", GOOD.replace(old, new))
    assert said in str(caught.value)


TRAPS = {
    "MATCH (n) WHERE n.a IN $x RETURN n.a AS a": True,
    "MATCH (n) WHERE (n.a IN $x) RETURN n.a AS a": True,
    "MATCH (n) WHERE n.b AND (n.a IN $x) = true RETURN n.a AS a": False,
    "MATCH (n) WHERE any(y IN $x WHERE y = n.a) RETURN n.a AS a": False,
    "MATCH (n) RETURN [y IN $x | n.a] AS a": False,
    "MATCH (n) RETURN CASE WHEN n.a THEN $x END AS a": True,
    "MATCH (n) RETURN CASE WHEN n.a = true THEN $x END AS a": False,
    "MATCH (n) RETURN CASE WHEN n.a > n.b THEN $x END AS a": False,
}


@pytest.mark.parametrize(("text", "refused"), TRAPS.items(), ids=TRAPS)
def test_what_the_engine_answers_wrongly_is_refused(text, refused):
    source = f"// It.\n// param x: STRING[]\n// column a: STRING\n{text}"
    if refused:
        with pytest.raises(StoreError):
            parse("g.n", source)
    else:
        parse("g.n", source)


def test_columns_are_found_in_every_part_of_a_union_and_whatever_they_contain():
    text = """// Two.
// column a: INT64
// column b: STRING
MATCH (n) RETURN count(CASE WHEN n.x = 'a, b' THEN [1, 2] END) AS a, {x: 1, y: 2} AS `b`
UNION ALL MATCH (m) RETURN DISTINCT m.a AS a, 'RETURN x AS y' AS b"""
    assert len(parse("g.n", text).columns) == 2
    with pytest.raises(StoreError):
        parse("g.n", text.replace("m.a AS a", "m.a AS c"))


def test_what_only_looks_like_a_parameter_is_none():
    text = "// It.\n// column a: STRING\nRETURN 'costs $5' AS a // $nothing"
    assert parse("g.n", text).parameters == {}


RIGHT = {
    "STRING": ["", "猫", NoteType.SEMANTIC],
    "TERM": ["", "猫", "cat"],
    "INT64": [0, -(2**63), 2**63 - 1],
    "DOUBLE": [0.5, 3, float("inf")],
    "BOOL": [True, False],
    "TIMESTAMP": [NOW, datetime(2025, 1, 1, tzinfo=timezone(timedelta(hours=8)))],
    "STRING[]": [[], ["a"], ("a", "b")],
    "TERM[]": [[], ["猫"], ("a", "b")],
    "INT64[]": [[1], np.array([1, 2])],
    "DOUBLE[]": [[1, 0.5], np.array([0.5], np.float32)],
    "VECTOR": [[0.5, 0, 0, 1], np.ones(4, np.float32)],
    "STRUCT[]": [[{"a": 1}, {"a": "x"}]],
}
WRONG = {
    "STRING": [None, 1, ["a"], b"a"],
    "TERM": [None, 1, ["a"], b"a"],
    "INT64": [None, 1.0, "1", True, 2**63],
    "DOUBLE": [None, "1", True, [0.5]],
    "BOOL": [None, 1, "true"],
    "TIMESTAMP": [None, "2025-01-01", datetime(2025, 1, 1), NOW.date()],
    "STRING[]": [None, "abc", [1], [None], {"a": 1}, {"a"}],
    "INT64[]": [None, [1.5], 3, [True]],
    "DOUBLE[]": [None, ["a"], 3.0],
    "VECTOR": [None, [0.5], np.ones(5, np.float32), ["a"] * 4, np.ones((2, 4), np.float32)],
    "STRUCT[]": [None, [1], [{"a": 1}, {"b": 1}], [{"a": None}], {"a": 1}, [{"a": [1]}]],
}


def _taking(of: str):
    return parse("g.n", f"// It.\n// param x: {of}\n// column a: ANY\nRETURN $x AS a")


@pytest.mark.parametrize(("of", "value"), [(of, value) for of, values in RIGHT.items() for value in values], ids=repr)
def test_right_types_are_taken_as_plain_values(of, value):
    taken = _taking(of).checked({"x": value}, 4)["x"]
    assert type(taken) in (str, int, float, bool, datetime, list)
    assert not isinstance(taken, datetime) or taken.tzinfo is None


@pytest.mark.parametrize(("of", "value"), [(of, value) for of, values in WRONG.items() for value in values], ids=repr)
def test_wrong_types_are_refused(of, value):
    with pytest.raises(QueryError):
        _taking(of).checked({"x": value}, 4)


def test_times_are_turned_into_utc():
    moment = datetime(2025, 1, 1, 8, tzinfo=timezone(timedelta(hours=8)))
    assert _taking("TIMESTAMP").checked({"x": moment}, 4) == {"x": datetime(2025, 1, 1)}


def test_nothing_is_taken_where_it_may_be():
    assert _taking("TIMESTAMP?").checked({"x": None}, 4) == {"x": None}


@pytest.mark.parametrize("given", [{}, {"y": "a"}, {"x": "a", "y": "b"}])
def test_missing_and_unknown_parameters_are_refused(given):
    with pytest.raises(QueryError):
        _taking("STRING").checked(given, 4)


def test_placeholders_stand_for_what_is_listed_and_nothing_else():
    text = "// It.\n// choice TABLE: A, B\n// identifier COLUMN: x\n// column v: ANY\nMATCH (n:TABLE) RETURN n.COLUMN AS v"
    query = parse("g.n", text)
    assert query.bound({"TABLE": "B", "COLUMN": "y"}) == "MATCH (n:B) RETURN n.y AS v"
    for words in ({"TABLE": "C", "COLUMN": "y"}, {"TABLE": "A", "COLUMN": "y) DELETE n //"}, {"TABLE": "A", "COLUMN": ""}):
        with pytest.raises(QueryError):
            query.bound(words)


@pytest.mark.parametrize(
    "name", ["store.none", "none.none", "../schema.001_mind", "store", "store.", "", "store.meta.x", "STORE.meta"]
)
def test_unknown_names_are_not_found(name):
    with pytest.raises(NotFoundError):
        LIBRARY[name]


# -- all of them against the schema ------------------------------------------------------------

SAMPLES = {
    "STRING": "a",
    "TERM": "a",
    "INT64": 1,
    "DOUBLE": 0.5,
    "BOOL": True,
    "TIMESTAMP": NOW,
    "STRING[]": ["a"],
    "TERM[]": ["a"],
    "INT64[]": [1],
    "DOUBLE[]": [0.5],
    "VECTOR": unit(1),
    "ANY": None,
}
#: What queries of the store unwind, and values of their parameters of open type.
STRUCTS = {
    "terms": [{"key": "a", "text": "a", "note_df": 1, "message_df": 0, "tf": 1, "weight": 0.5}],
    "sources": [{"message": "a", "place": 0}],
}


def _sample(name: str, of: str):
    if of == "STRUCT[]":
        return STRUCTS[name]
    return SAMPLES[of]


def _bindings(query):
    """Every combination of choices; frames are another test's."""
    keys = list(query.choices)
    for words in itertools.product(*query.choices.values()):
        yield {**query.identifiers, **dict(zip(keys, words, strict=True))}


@pytest.fixture(scope="module")
def schema_store(empty_mind, tmp_path_factory):
    path = tmp_path_factory.mktemp("schema") / "schema.mind"
    path.write_bytes(empty_mind.read_bytes())
    with open_store(path, now=NOW) as store:
        yield store
        assert check(store) == [] and store.query("store.node_counts") == [{"name": "Meta", "count": 3}]


@pytest.mark.parametrize("name", LIBRARY.names())
def test_every_query_binds(schema_store, name):
    query = LIBRARY[name]
    if any(declared.type == "FRAME" for declared in query.parameters.values()):
        pytest.skip("bound by loading, in the tests of changes")
    values = {name: _sample(name, declared.type) for name, declared in query.parameters.items()}
    checked = query.checked(values, 4)
    bound = 0
    for words in _bindings(query):
        if _joins(query, words):
            schema_store._engine.read("EXPLAIN " + query.bound(words), checked)
            bound += 1
    assert bound > 0


def _joins(query, words) -> bool:
    kind = {"store.create_sem": "Sem", "store.create_proc": "Proc", "store.create_situation": "Situation"}.get(query.name)
    if query.name == "store.dump_links":
        return words["LINKS"] == "Sem" and _joins_sem(words) and words["SOURCE_KEY"] == "id"
    if query.name == "store.existing_ten_texts":
        return (words["TABLE"] == "Term") == (words["KEY"] == "key")
    if query.name in ("store.set_link", "store.delete_link"):
        kind = words["LINKS"]
        if words.get("PAYLOAD", PAYLOADS[LinkType(kind)]) != PAYLOADS[LinkType(kind)]:
            return False
    if kind is None:
        return True
    words = {"TARGET_TABLE": "Procedure", **words}
    return is_legal(LinkType(kind), NoteType(words["SOURCE_TABLE"]), NoteType(words["TARGET_TABLE"]))


def _joins_sem(words) -> bool:
    return "Semantic" in (words["SOURCE_TABLE"], words["TARGET_TABLE"]) and words["SOURCE_TABLE"] not in (
        "Term",
        "Name",
        "Recall",
    )


READING = [name for name in LIBRARY.names() if not (LIBRARY[name].writes or LIBRARY[name].choices or LIBRARY[name].identifiers)]
ENGINE_TYPES = {
    "ANY": None,
    "STRUCT": None,
    "STRUCT[]": None,
    "DOUBLE": {"DOUBLE", "FLOAT"},
    "INT64": {"INT64", "INT128"},
    "VECTOR": {"FLOAT[4]"},
}


@pytest.mark.parametrize("name", READING)
def test_every_reading_query_gives_the_columns_it_declares(schema_store, name):
    query = LIBRARY[name]
    checked = query.checked({n: _sample(n, declared.type) for n, declared in query.parameters.items()}, 4)
    table = schema_store._engine.read(query.text, checked)
    assert table.columns == [column.name for column in query.columns]
    for column, of in zip(query.columns, table.types, strict=True):
        allowed = ENGINE_TYPES.get(column.type, {column.type})
        assert allowed is None or of in allowed, f"{column.name} is declared {column.type}, but is {of}"


def test_writing_queries_are_not_run_as_queries(store):
    with pytest.raises(QueryError):
        store.query("store.set_meta", name="a", value="1")
    with pytest.raises(QueryError):
        store.query("store.existing", ids=["a"])


# -- answers ------------------------------------------------------------


def test_an_empty_list_finds_nothing(store):
    store.apply(change(2))
    assert store.query("store.keys", keys=[]) == []
    assert store.columns("store.keys", keys=[]) == {"key": [], "id": [], "type": []}


def test_columns_agree_with_rows_however_many_there_are(store):
    """Few rows come plain, many through Arrow: the same values."""
    links = [
        Link(id=f"{n:05d}", source="note-00000", target="note-00001", payload=Sem("v", n / 4096), created_at=NOW)
        for n in range(2100)
    ]
    assert len(links) > PLAIN_ROWS
    store.apply(empty_change(notes=(note(0), note(1)), links=tuple(links)))
    rows, columns = store.query("store.all_sem_links"), store.columns("store.all_sem_links")
    for name, values in columns.items():
        assert [row[name] for row in rows] == list(values), name
    assert columns["confidence"].dtype == np.float64 and columns["fired_count"].dtype == np.int64
    assert columns["created_at"][0] == NOW and columns["created_at"][0].tzinfo is UTC
    few = store.columns("store.message_corpus")
    assert few["count"].dtype == np.int64 and few["mean_length"].dtype == np.float64


@pytest.mark.parametrize("count", [1, 2, 9, 2049])
def test_lists_find_what_they_name_and_nothing_else(store, count):
    """Tables of one row, and of one row more than a batch, included: each row asked for alone and with others."""
    many = tuple(note(n, BODIES[0] if n else BODIES[-1]) for n in range(count))
    store.apply(empty_change(notes=many))
    store.rewrite()
    some = [item.id for item in (*many[:3], *many[-3:])]
    for wanted in [[one] for one in some] + [some, [*some, "nobody"]]:
        assert {item.id for item in store.notes(wanted)} == {one for one in wanted if one != "nobody"}
        rows = store.query("store.types", ids=wanted)
        assert sorted(row["id"] for row in rows) == sorted({one for one in wanted if one != "nobody"})


def test_missing_numbers_are_not_a_number(store):
    columns = store.columns("store.note_corpus")
    assert np.isnan(columns["mean_length"]).all() and columns["count"].tolist() == [0]


def test_rows_hold_plain_values(store):
    store.apply(change(3))
    (row,) = store.query("store.lengths")[:1]
    assert type(row["length"]) is int
    (note,) = store.query("store.notes_semantic", ids=["note-00000"])
    assert note["created_at"] == NOW and note["last_accessed_at"] is None and note["aliases"] == ["红", "Red"]


def test_frames_are_typed_by_the_engines_types():
    types = {"a": "STRING", "t": "TIMESTAMP", "l": "STRUCT(name STRING, x DOUBLE)[]", "v_a": "FLOAT[2]", "v_b": "FLOAT[2]"}
    rows = [{"a": "x", "t": NOW, "l": [{"name": "n", "x": 0.5}], "v_a": np.array([1, 2])}, {"a": None, "v_a": None}]
    made = frame(types, rows)
    assert made.column_names == ["a", "t", "l", "v_a"]
    assert made.to_pylist() == [
        {"a": "x", "t": NOW.replace(tzinfo=None), "l": [{"name": "n", "x": 0.5}], "v_a": [1.0, 2.0]},
        {"a": None, "t": None, "l": None, "v_a": None},
    ]


def test_the_same_query_with_other_values_gives_other_answers(store):
    """Statements are kept prepared: nothing of the first values may stay in them."""
    store.apply(empty_change(notes=tuple(note(n) for n in range(9))))
    keys = [f"key_{n}" for n in range(9)]
    for skip, limit in ((0, 2), (3, 4), (8, 5), (0, 9), (9, 1), (2, 0)):
        page = store.query("store.keys_page", skip=skip, limit=limit)
        assert [row["key"] for row in page] == keys[skip : skip + limit]
    for wanted in (keys[:1], keys[5:8], [], keys[8:], ["none"]):
        assert sorted(row["key"] for row in store.query("store.keys", keys=wanted)) == [key for key in wanted if key in keys]
    for vector in (unit(1), unit(2)):
        store.apply(empty_change(embeddings={str(vector[0]): vector}))
        (row,) = store.query("store.embeddings", ids=[str(vector[0])])
        assert np.array_equal(embedding_of(row["vector"]), vector)


def test_the_same_query_with_other_frames_changes_what_each_says(store):
    """The engine plans a query for one frame alone: others, in one transaction and in the next, need plans of their own."""
    many = 2 * BULK_VALUES
    bodies = (*([BODIES[0]] * many), *([BODIES[-1]] * many))
    store.apply(empty_change(notes=tuple(note(number, body) for number, body in enumerate(bodies))))
    for begin in (0, BULK_VALUES):  # of two types each time: the keys of each are given up together
        gone = [note(number).id for of in (begin, begin + many) for number in range(of, of + BULK_VALUES)]
        store.apply(empty_change(removed=Removal(notes=tuple(gone))))
        assert not store.notes(gone)
    assert store.query("store.all_keys") == [] and check(store) == []
