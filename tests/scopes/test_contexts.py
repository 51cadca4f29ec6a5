"""Who may hear what: laws over all combinations, then examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.errors import InputError
from soulmem.scopes.contexts import (
    Heard,
    Said,
    Sittings,
    checked_scope,
    context_of,
    drawn_from,
    heard_mark,
    is_scope,
    normal_scope,
    note_heard,
    people,
)

NAMES = st.sampled_from(["bo", "ann", "小明"])
SCOPES = st.sampled_from(["public", "direct:bo", "direct:ann", "direct:小明", "group:tea", "group:work"])
HEARD = st.builds(
    Heard,
    SCOPES,
    st.frozensets(st.sampled_from(["bo", "ann", "小明", "*"]), max_size=2),
    st.none() | st.frozensets(NAMES),
)


def _context(scope, members):
    return context_of(scope, members if scope.startswith("group:") else ())


CONTEXTS = st.builds(_context, SCOPES, st.sets(NAMES))


@given(CONTEXTS, HEARD)
def test_a_confidence_only_takes_away(context, heard):
    open_ = Heard(heard.scope, frozenset(), heard.audience)
    assert not context.hears(heard) or context.hears(open_)


@given(CONTEXTS, HEARD)
def test_in_public_only_what_is_public_and_no_secret_is_heard(context, heard):
    if context.scope == "public":
        assert context.hears(heard) is (heard.scope == "public" and not heard.kept_from)


@given(CONTEXTS, HEARD)
def test_a_private_talk_is_heard_by_nobody_else(context, heard):
    if heard.scope.startswith("direct:") and heard.scope != context.scope:
        assert not context.hears(heard)


@given(CONTEXTS, HEARD)
def test_who_must_not_be_told_does_not_hear_it(context, heard):
    assert not (heard.kept_from & (context.person | context.members) and context.hears(heard))


@given(CONTEXTS, HEARD, NAMES)
def test_to_have_been_there_never_hides_anything(context, heard, name):
    more = Heard(heard.scope, heard.kept_from, (heard.audience or frozenset()) | {name})
    assert not context.hears(heard) or context.hears(more)


@given(CONTEXTS, HEARD, st.none() | st.frozensets(NAMES))
def test_the_audience_counts_only_where_it_is_asked_for(context, heard, audience):
    other = Heard(heard.scope, heard.kept_from, audience)
    assert context.asks_who_heard(heard.scope, heard.kept_from) or context.hears(heard) is context.hears(other)


@given(CONTEXTS)
def test_what_is_public_is_heard_everywhere(context):
    assert context.hears(Heard("public"))


def test_a_group_is_heard_by_who_was_there_alone_with_the_character():
    lines = [
        Said("c", 0, "group:tea", "Bo"),
        Said("c", 0, "group:tea", "Ann", present=("小明",)),
        Said("c", 1, "group:tea", "Ann"),
    ]
    sittings = Sittings(lines)
    first, second, later = map(sittings.heard, lines)
    bo, ann, ming, eve = (context_of(f"direct:{name}") for name in ("Bo", "ANN", "小明", "Eve"))
    assert [bo.hears(one) for one in (first, second, later)] == [True, True, False]
    assert [ann.hears(one) for one in (first, second, later)] == [True, True, True]
    assert [ming.hears(one) for one in (first, second, later)] == [False, True, False]
    assert not any(eve.hears(one) for one in (first, second, later))
    assert not context_of("group:work").hears(first)
    assert not context_of("public").hears(first)


def test_hidden_lines_make_nobody_present():
    said = Said("c", 0, "group:tea", "Bo")
    sittings = Sittings([said, Said("c", 0, "group:tea", "Eve", hidden=True)])
    assert not context_of("direct:Eve").hears(sittings.heard(said))


def test_a_secret_from_everybody_is_known_to_those_who_heard_it():
    said = Said("c", 0, "public", "Bo", kept_from=("*",))
    heard = Sittings([said, Said("c", 0, "public", "Ann")]).heard(said)
    assert context_of("direct:bo").hears(heard)
    assert context_of("direct:ann").hears(heard)
    assert not context_of("direct:eve").hears(heard)
    assert not context_of("public").hears(heard)
    assert not context_of("group:tea", ["bo"]).hears(heard)


def test_a_secret_of_a_group_is_open_in_it_only_while_all_its_members_heard_it():
    said = Said("c", 0, "group:tea", "Bo", kept_from=("*",))
    heard = Sittings([said]).heard(said)
    assert context_of("group:tea", ["bo"]).hears(heard)
    assert not context_of("group:tea", ["bo", "eve"]).hears(heard)


def test_who_must_not_be_told_closes_the_groups_they_are_in():
    heard = Heard("public", frozenset(["ann"]))
    assert context_of("group:tea", ["bo"]).hears(heard)
    assert not context_of("group:tea", ["bo", "ann"]).hears(heard)


def test_the_character_is_no_member_of_a_group():
    sittings = Sittings([Said("c", 0, "group:tea", "Bo"), Said("c", 0, "group:tea", "Wren", is_character=True)])
    assert sittings.members("group:TEA") == {"bo"}


def test_people_are_known_by_their_other_names():
    sure, may = people({"1": ["robert", "bob"], "2": ["tea"]}, apart=["bob"])
    assert context_of("direct:Robert", (), sure, may).hears(Heard("direct:bob"))
    assert not context_of("direct:Tea", (), sure, may).hears(Heard("direct:bob"))
    assert not context_of("direct:Robert", (), sure, may).hears(Heard("public", frozenset(["bob"])))


def test_a_name_of_two_people_opens_nothing_and_closes_for_both():
    sure, may = people({"1": ["bob smith", "bob"], "2": ["bob jones", "bob"]}, apart=[])
    smith = context_of("direct:Bob Smith", (), sure, may)
    assert not smith.hears(Heard("direct:bob"))
    assert not smith.hears(Heard("public", frozenset(["bob"])))


def test_who_claims_another_speakers_name_hears_nothing_by_it():
    sure, may = people({"1": ["bo", "ann"]}, apart=["bo", "ann"])
    assert not context_of("direct:Bo", (), sure, may).hears(Heard("direct:ann"))


def test_a_note_of_a_group_is_known_to_who_heard_all_its_lines():
    both = [Heard("group:tea", frozenset(), frozenset(["bo", "ann"])), Heard("group:tea", frozenset(), frozenset(["bo"]))]
    note = note_heard("group:tea", (), both)
    assert context_of("direct:bo").hears(note)
    assert not context_of("direct:ann").hears(note)
    assert not context_of("direct:bo").hears(note_heard("group:tea", (), []))


def test_what_is_drawn_from_a_secret_is_one_and_a_name_only_if_it_is_never_spoken_openly():
    assert drawn_from([("bo",), ()]) == ("bo",)
    assert drawn_from([("bo",), ()], is_name=True) == ()
    assert drawn_from([("bo", "ann"), ("bo",)], is_name=True) == ("bo",)


def test_ids_of_the_public_are_as_without_scopes():
    assert heard_mark("public", ()) == ()
    assert heard_mark("public", ("bo",)) != heard_mark("direct:bo", ()) != ()


@pytest.mark.parametrize("scope", ["", "Public", "direct", "direct:", "group: ", "private:bo", "direct: \t", "public:"])
def test_what_is_no_scope_is_refused(scope):
    assert not is_scope(scope)
    with pytest.raises(InputError, match="scope"):
        checked_scope(scope)


def test_a_scope_is_the_same_however_it_is_written():
    assert normal_scope("direct:Bo  Lee") == normal_scope("direct:bo lee")
    assert normal_scope("group:茶") == "group:茶"


@pytest.mark.parametrize(
    ("kept", "listener"),
    [
        ("bo", "🐻Bo🐻"),
        ("bo", "@Bo"),
        ("bo_99", "_bo_99_"),
        ("tj", "T.J."),
        ("tj", "T. J."),
        ("tj", "TJ Smith"),
        ("j brown", "J. Brown"),
        ("j brown", "James Brown"),
        ("jrr", "J.R.R. Tolkien"),
        ("j", "J."),
        ("bo", "bo.99"),
        ("j", "Jane"),
        ("jose", "José"),
        ("josé", "Jose\u0301"),
        ("妈妈", "🐻妈🐻"),
    ],
)
def test_a_secret_is_kept_from_a_name_that_is_written_otherwise(kept, listener):
    assert not context_of(f"direct:{listener}").hears(Heard("public", frozenset([kept])))


@pytest.mark.parametrize(
    ("kept", "listener"), [("bo", "Bob"), ("tj", "Tom"), ("j brown", "Kai Brown"), ("李", "李雷"), ("bo", "🐻"), ("jo", "José")]
)
def test_a_secret_is_told_to_who_is_called_otherwise(kept, listener):
    assert context_of(f"direct:{listener}").hears(Heard("public", frozenset([kept])))
