"""What a card says becomes of a mind: dialects, statements, habits, and what is no memory."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from card_files import AGNAI, CARD, card
from hypothesis import given
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, detect, read
from soulmem.ingest.cards.card import kept_card
from soulmem.ingest.cards.examples import spoken
from soulmem.ingest.cards.macros import CHARACTER, resolved
from soulmem.ingest.cards.traits import MOST_LENGTH, Trait, sentences, traits
from soulmem.model.links import LinkType, is_legal, type_of
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    Category,
    Note,
    NoteType,
    Procedure,
    Semantic,
    SpecificSituation,
    display_text,
)

AT = datetime(2026, 1, 1, tzinfo=UTC)


def document(value: Any) -> Document:
    return read(json.dumps(value).encode(), AT)


def own(document: Document) -> Semantic:
    body = next(note.body for note in document.notes if note.key == SELF_KEY)
    assert isinstance(body, Semantic)
    return body


def all_text(document: Document) -> str:
    """Everything of a document that becomes memory: no message, nothing that is kept beside."""
    return "\n".join(f"{note.body} {note.tags}" for note in document.notes)


def texts(document: Document) -> list[str]:
    return [display_text(note.body) for note in document.notes]


def problems(document: Document) -> str:
    return "\n".join(problem.what for problem in document.problems)


def statement(document: Document, part: str) -> Note:
    return next(note for note in document.notes if part in display_text(note.body))


# Laws.


def test_every_field_has_its_place() -> None:
    found = document(CARD)
    assert (own(found).content, own(found).category) == ("Ada Quill", Category.IDENTITY)
    assert "keeps the lighthouse" in own(found).description
    shown = texts(found)
    assert "Ada Quill keeps the lighthouse on Gull Rock." in shown
    assert "She has grey eyes and a wooden leg.（Ada Quill）" in shown
    assert "Ada Quill's personality: dry, patient, loyal" in shown
    assert "The user has been washed ashore below the lighthouse of Ada Quill." in shown
    assert {note.key for note in found.notes if note.core} == {SELF_KEY, statement(found, "It was lit").key}
    assert next(note for note in found.notes if note.key == SELF_KEY).tags == ("lighthouse", "sea")


def test_what_is_an_instruction_is_no_memory_and_told() -> None:
    found = document(CARD)
    assert "SECRET" not in all_text(found)
    assert not any("SECRET" in line.text for line in found.messages)
    for name in ("creator_notes", "system_prompt", "post_history_instructions"):
        assert name in problems(found)
    assert found.kept["card"]["card"] == CARD


def test_examples_and_greetings_never_happened() -> None:
    found = document(CARD)
    assert [line.text[:12] for line in found.messages] == ["*She holds u", '"The tide br', "Are you alon", '"Never. Ther']
    assert all(line.hidden for line in found.messages)
    assert [line.speaker for line in found.messages] == ["Ada Quill", "Ada Quill", "User", "Ada Quill"]
    situations = [note for note in found.notes if isinstance(note.body, SpecificSituation)]
    assert [note.body.narrative for note in situations if isinstance(note.body, SpecificSituation)] == [
        "The user has been washed ashore below the lighthouse of Ada Quill."
    ]


def test_greetings_are_found_as_greetings() -> None:
    found = document(card(group_only_greetings=["Ahoy, all of you."]))
    tags = {display_text(note.body): note.tags for note in found.notes if isinstance(note.body, Procedure) and note.tags}
    assert tags == {
        "You are alive, then.": ("greeting",),
        "The tide brought you.": ("greeting",),
        "Ahoy, all of you.": ("greeting", "group"),
    }


def test_habits_are_procedures_with_their_triggers_and_sources() -> None:
    found = document(CARD)
    gulls = statement(found, "There are the gulls")
    assert isinstance(gulls.body, Procedure)
    assert gulls.body.content == "Never. There are the gulls."
    assert found.drawn[gulls.key] == (2, 3)
    (trigger,) = [link.source_key for link in found.links if link.target_key == gulls.key and link.source_key != SELF_KEY]
    assert "whoever · says “Are you alone here?” to" in display_text(
        next(note for note in found.notes if note.key == trigger).body
    )
    assert any(isinstance(note.body, Procedure) and "short sentences" in note.body.content for note in found.notes)


@given(
    st.fixed_dictionaries(
        {
            name: st.one_of(
                st.none(), st.text(max_size=80), st.sampled_from(("{{user}}: a\n{{char}}: b", "<START>\nx", "A: b\nB: c"))
            )
            for name in ("name", "description", "personality", "scenario", "first_mes", "mes_example")
        }
    )
)
def test_every_card_keeps_to_the_rules_of_a_mind(fields: dict[str, Any]) -> None:
    try:
        found = document({**CARD, "data": fields})
    except FormatError:
        return
    types = {note.key: note.type for note in found.notes}
    assert len(types) == len(found.notes)
    links = {(link.source_key, link.target_key): type_of(link.payload) for link in found.links}
    for (source, target), kind in links.items():
        assert is_legal(kind, types[source], types[target])
    for note in found.notes:
        incoming = [(source, kind) for (source, target), kind in links.items() if target == note.key]
        if isinstance(note.body, Procedure):
            assert any(kind is LinkType.PROC and types[source] is NoteType.ABSTRACT for source, kind in incoming)
        if isinstance(note.body, AbstractSituation):
            assert any(types[source] is NoteType.SPECIFIC for source, _ in incoming)
        if note.key != SELF_KEY:
            assert incoming
    assert found.read == len(found.notes) + len(found.links) + len(found.messages) + sum(p.skipped for p in found.problems)
    assert {index for lines in found.drawn.values() for index in lines} <= set(range(len(found.messages)))


@given(st.text(alphabet=st.sampled_from("Ab. !?。！，,;\n\"'*[](){}=:+是"), max_size=300))
def test_no_word_of_a_description_is_lost(text: str) -> None:
    kept = "".join(trait.attribute + trait.text for trait in traits(text))
    for letter in "Ab是":
        assert kept.count(letter) <= text.count(letter)
    assert all(len(trait.text) <= MOST_LENGTH for trait in traits(text))
    joined = "".join(sentences(text))
    assert "".join(joined.split()) == "".join(text.split())


@given(st.text(max_size=200), st.sampled_from((None, "Ada")))
def test_macros_leave_none_of_theirs(text: str, name: str | None) -> None:
    done = resolved(text + "{{user}}{{ RANDOM : a, b}}{{unknown::x}}<USER>", name, False)
    assert "{{user}}" not in done
    assert "unknown" not in done or "unknown" in text
    assert resolved(done, name, False) == done or "{{" in text or "<" in text


# Dialects.


def test_a_card_of_version_1() -> None:
    value = {name: CARD["data"][name] for name in ("name", "description", "personality", "scenario", "first_mes", "mes_example")}
    assert texts(document(value)) == [
        text for text in texts(document(card(alternate_greetings=..., character_book=..., tags=...))) if text not in ("", None)
    ]


def test_pygmalion_has_names_of_its_own() -> None:
    found = document(
        {
            "char_name": "Ada",
            "char_persona": "Ada likes tea.",
            "char_greeting": "Hi.",
            "world_scenario": "At home.",
            "example_dialogue": "",
        }
    )
    assert own(found).content == "Ada"
    assert {"Ada likes tea.", "At home."} <= set(texts(found))
    assert [line.text for line in found.messages] == ["Hi."]


def test_tavern_ai_writes_its_categories() -> None:
    found = document(
        {
            "spec": "tavern_ai",
            "spec_version": "1.0",
            "name": "Ada",
            "description": "Old.",
            "categories": ["Story"],
            "online": True,
        }
    )
    assert next(note for note in found.notes if note.key == SELF_KEY).tags == ("Story",)
    assert not found.problems


def test_ooba_yaml() -> None:
    text = "name: Ada\ngreeting: |-\n  Hello there.\ncontext: |\n  Ada keeps a lighthouse.\n"
    text += "  <START>\n  {{user}}: Hi?\n  {{char}}: Hi.\n"
    assert detect(text.encode()).name == "card-yaml"
    found = read(text.encode("utf-8-sig"), AT)
    assert "Ada keeps a lighthouse." in texts(found)
    assert [line.text for line in found.messages] == ["Hello there.", "Hi?", "Hi."]


def test_version_3_nickname_is_who_char_is() -> None:
    found = document(
        {**card(nickname="Addie", group_only_greetings=["Ahoy, all."]), "spec": "chara_card_v3", "spec_version": "3.0"}
    )
    assert (own(found).content, own(found).aliases) == ("Ada Quill", ("Addie",))
    assert "Addie keeps the lighthouse on Gull Rock." in texts(found)
    assert "Ahoy, all." in [line.text for line in found.messages]


@pytest.mark.parametrize("version", ["3.1", 4, "9.5"])
def test_a_newer_version_is_read_and_told(version: Any) -> None:
    found = document({**card(), "spec": "chara_card_v3", "spec_version": version})
    assert own(found).content == "Ada Quill"
    assert "newer version" in problems(found)


def test_an_unknown_spec_is_read_and_told() -> None:
    found = document({**card(), "spec": "chara_card_v9"})
    assert own(found).content == "Ada Quill"
    assert "chara_card_v9" in problems(found)


def test_where_root_and_data_disagree_data_counts() -> None:
    found = document({**card(), "name": "Bob", "description": "Somebody else."})
    assert own(found).content == "Ada Quill"
    assert "name, description" in problems(found)
    assert "Somebody else" not in all_text(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('*She nods.* "Come in." *She steps aside.* "Quick."', "Come in. Quick."),
        ('She nods. "Come in, my *dear*."', "Come in, my dear."),
        (
            'No, no! You can not! But if you must... "I can\'t think." *blushes*',
            "No, no! You can not! But if you must... I can't think.",
        ),
        ("*A park.* Hello, I am Ada.", "Hello, I am Ada."),
        ("Plain words.", "Plain words."),
        ("*别过脸* “哼，才没有。”", "哼，才没有。"),
        ("*only a deed*", ""),
    ],
)
def test_what_is_said_in_a_turn(text: str, said: str) -> None:
    assert spoken(text) == said


# Kept for export.


def test_every_field_of_a_card_is_kept() -> None:
    value = {**card(), "fav": True, "create_date": "2023-5-12 @21h 32m 29s 228ms"}
    assert kept_card(document(value).kept["card"]) == (value["data"], {"fav": True, "create_date": value["create_date"]})
    old = {"name": "Ada", "description": "Old.", "first_mes": "Hi.", "chat": "17"}
    assert kept_card(document(old).kept["card"]) == ({"name": "Ada", "description": "Old.", "first_mes": "Hi."}, {"chat": "17"})
    persona = {"char_name": "Ada", "char_persona": "Dry.", "char_greeting": "Hi.", "metadata": {"version": 1}}
    data, root = kept_card(document(persona).kept["card"])
    assert (data["name"], data["description"], data["first_mes"], root) == ("Ada", "Dry.", "Hi.", {"metadata": {"version": 1}})
    data, root = kept_card(document(AGNAI).kept["card"])
    assert root == {"kind": "character", "persona": AGNAI["persona"]}
    assert (data["creator_notes"], data["first_mes"]) == ("SECRET-CREATOR", AGNAI["greeting"])
    assert data["character_book"] == AGNAI["characterBook"]
    assert kept_card(None) == kept_card({"card": 3}) == ({}, {})


def test_an_agnai_character_says_what_its_attributes_say() -> None:
    found = document(AGNAI)
    assert {"Ada Quill's eyes: grey", "Ada Quill likes: tea, rain on the lamp"} <= set(texts(found))
    assert "SECRET" not in all_text(found) + repr(found.messages)
    assert [line.text for line in found.messages if "tide" in line.text] == ['"The tide brought you."']
    assert "It was lit in 1811." in all_text(found)
    plain = {**AGNAI, "persona": {"kind": "text", "attributes": {"text": ["{{char}} keeps the lighthouse. She is tall."]}}}
    assert "Ada Quill keeps the lighthouse." in texts(document(plain))
    for odd in ({}, {"attributes": None}, {"attributes": {"eyes": 3, "": ["x"], "likes": [None, "tea"]}}, {"attributes": ["x"]}):
        assert document({**AGNAI, "persona": odd}).character_name == "Ada Quill"


# Odd values.


def test_odd_values_are_mended_or_told() -> None:
    found = document(card(alternate_greetings="One.", tags="sea, , rock，sea", character_book=None, extensions=None))
    assert "One." in [line.text for line in found.messages]
    assert next(note for note in found.notes if note.key == SELF_KEY).tags == ("sea", "rock")
    assert "alternate_greetings is one text" in problems(found)
    found = document(card(personality={"a": 1}, scenario=["One.", "Two."], alternate_greetings=[1, "Two."], tags=[None, "x"]))
    assert "personality is not text" in problems(found)
    assert "alternate_greetings: 1 of 2" in problems(found)
    assert "One.\nTwo." in texts(found)


def test_a_book_at_the_root_is_found() -> None:
    found = document({**card(character_book=...), "character_book": CARD["data"]["character_book"]})
    assert any("A rock in the sea" in text for text in texts(found))


def test_a_book_without_entries_is_told() -> None:
    assert "it has no entries" in problems(document(card(character_book={"name": "x"})))


def test_a_card_that_says_nothing_is_refused() -> None:
    for value in ({"spec": "chara_card_v2", "data": {}}, {"name": "", "description": "", "first_mes": ""}):
        with pytest.raises(FormatError, match="says nothing"):
            document(value)


def test_a_card_without_a_name_waits_for_that_of_the_mind() -> None:
    found = document(card(name="  \u200b\u202e ", nickname=...))
    assert found.nameless
    assert own(found).content == CHARACTER
    assert "has no name" in problems(found)


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ("  Ada\r\n Quill ", "Ada Quill"),
        ("\u202eAda\u202c", "Ada"),
        ("A\u200bda", "Ada"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("小\u3000满", "小 满"),
        ("A/B: C", "A/B: C"),
    ],
)
def test_names_are_cleaned(stated: str, name: str) -> None:
    assert own(document(card(name=stated))).content == name


def test_line_ends_of_windows_inside_fields() -> None:
    found = document(
        card(
            description="One is tall and thin.\r\n\r\nTwo is short and wide.",
            mes_example="<START>\r\n{{user}}: Hi\r\n{{char}}: Ho",
        )
    )
    assert "\r" not in all_text(found)
    assert [line.text for line in found.messages][-2:] == ["Hi", "Ho"]


def test_lone_surrogates_and_nuls() -> None:
    found = read(json.dumps(card(description="A\ud800B\u0000C is here.")).encode(), AT)
    assert "A\ufffdBC is here." in all_text(found)
    assert "surrogate" in problems(found)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_encodings(encoding: str) -> None:
    text = json.dumps(card(name="林小满", description="林小满住在海边。"), ensure_ascii=False)
    assert own(read(text.encode(encoding), AT)).content == "林小满"


def test_ten_thousand_levels_are_refused() -> None:
    for value in ("[" * 10_000 + "]" * 10_000, '{"a":' * 10_000 + "1" + "}" * 10_000, "[" * 300 + "]" * 300):
        text = json.dumps(card())[:-1] + f', "deep": {value}}}'
        with pytest.raises(FormatError, match="nested"):
            read(text.encode(), AT)


def test_data_in_the_text_is_not_kept() -> None:
    picture = "data:image/png;base64," + "A" * 300_000
    value = {**card(assets=[{"type": "icon", "uri": picture, "name": "main", "ext": "png"}]), "spec": "chara_card_v3"}
    found = document(value)
    assert len(json.dumps(dict(found.kept))) < 10_000
    assert "are not kept" in problems(found)


# Statements.


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '[character("Ada") { Age("28") Personality("dry" + "loyal") Likes(“tea”) }]',
            [("character", "Ada"), ("Age", "28"), ("Personality", "dry, loyal"), ("Likes", "tea")],
        ),
        ('[Ada\'s body= "grey eyes", "wooden leg"]\n[Ada= "dry"]', [("Ada's body", "grey eyes, wooden leg"), ("Ada", "dry")]),
        ("Ada = [dry,\n\tloyal]", [("Ada", "dry, loyal")]),
        ("[Ada: Appearance(tall, thin), Likes(tea)]", [("Appearance", "tall, thin"), ("Likes", "tea")]),
        ("[ age: 28; likes: tea, rain ]", [("age", "28"), ("likes", "tea, rain")]),
        ("Ada is a baker. [age: 34; likes: tea]", [("", "Ada is a baker."), ("age", "34"), ("likes", "tea")]),
        ("She is 5 [sic; really] feet tall.", [("", "She is 5 [sic; really] feet tall.")]),
        ("Ada bakes. [age: 3; likes: tea] She sings.", [("", "Ada bakes."), ("age", "3"), ("likes", "tea"), ("", "She sings.")]),
        ("年龄：28\n性格：温柔、害羞", [("年龄", "28"), ("性格", "温柔、害羞")]),
        (
            "## Looks\n\n- grey eyes\n- **Leg**: wooden\n\n**Past**\nBorn at sea.\n\nShe is old.",
            [("Looks", "grey eyes"), ("Leg", "wooden"), ("Past", "Born at sea."), ("", "She is old.")],
        ),
        (
            "Mr. Bo came in. He sat down! Was it late? It was.",
            [("", "Mr. Bo came in."), ("", "He sat down!"), ("", "Was it late? It was.")],
        ),
        ("她住在海边的灯塔里。她每天都喝茶！", [("", "她住在海边的灯塔里。"), ("", "她每天都喝茶！")]),
        (
            "Ada was born in Bergen in 1989. She is afraid of dogs.",
            [("", "Ada was born in Bergen in 1989."), ("", "She is afraid of dogs.")],
        ),
        ("brave - but shy", [("", "brave - but shy")]),
        ("喝茶 - 绿茶", [("", "喝茶 - 绿茶")]),
        ("- brave - but shy\n12. born in 89. Yes.", [("", "brave - but shy"), ("", "born in 89. Yes.")]),
    ],
)
def test_forms_of_descriptions(text: str, found: list[tuple[str, str]]) -> None:
    assert list(traits(text)) == [Trait(*one) for one in found]


def test_interviews_in_a_description_are_what_she_says_of_herself() -> None:
    text = '[Ada= "dry"]\n<START>\n{{user}}: "Describe your house?"\n{{char}}: *She nods.* "It is round. It is white."'
    found = document(card(description=text, mes_example=""))
    said = statement(found, "Asked “Describe your house?”, Ada Quill says: It is round. It is white.")
    assert isinstance(said.body, Semantic)
    assert [found.messages[index].text for index in found.drawn[said.key]] == [
        '"Describe your house?"',
        '*She nods.* "It is round. It is white."',
    ]
    assert "She nods" not in all_text(found)


def test_attributes_say_what_kind_of_fact_they_are() -> None:
    found = document(card(description="Likes: tea\nBirthday: 3 May\nMother: Ruth\nAge: 28\nTags: sea\nScenario: At night."))
    kinds = {
        text: note.body.category for note in found.notes if isinstance(note.body, Semantic) and (text := display_text(note.body))
    }
    assert kinds["Ada Quill's age: 28"] is Category.IDENTITY
    assert kinds["Ada Quill likes: tea"] is Category.PREFERENCE
    assert kinds["Ada Quill's birthday: 3 May"] is Category.DATE
    assert kinds["Ada Quill's mother: Ruth"] is Category.RELATION
    assert any("At night." in text for text in texts(found))
    assert not any("tags" in text for text in texts(found))


def test_statements_that_say_nothing_are_left_out_and_told() -> None:
    found = document(card(description="Age: unknown\nHeight: N/A\nMother: 不详\nEyes: grey"))
    assert "Ada Quill's eyes: grey" in texts(found)
    assert not any("unknown" in text or "N/A" in text for text in texts(found)[1:])
    assert "3 statements say nothing (Age: unknown" in problems(found)


def test_a_chinese_card_speaks_chinese() -> None:
    found = document(
        card(
            name="林小满",
            description="年龄：18\n{{char}}在海边长大，和{{user}}是同学。",
            personality="温柔",
            scenario="放学以后。",
            first_mes="“你来啦！”",
            mes_example="<START>\n{{user}}：你喜欢什么？\n{{char}}：我喜欢海。",
            character_book=...,
        )
    )
    shown = texts(found)
    assert {"林小满的年龄：18", "林小满在海边长大，和用户是同学。", "林小满的性格：温柔"} <= set(shown)
    assert "任何人 · 说“你喜欢什么？” · 林小满" in shown
    assert "我喜欢海。" in shown


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("{{char}} and {{user}}.", "Ada and the user."),
        ("{{USER}}: hi\n<BOT>: ho", "User: hi\nAda: ho"),
        ("{{user}} ran. {{user}} fell.", "The user ran. The user fell."),
        ("{{random::tea::rain}} or {{random: a, b}}", "tea / rain or a / b"),
        ("{{// a remark}}x{{original}}{{roll:1d6}}y", "xy"),
        ("{{random::{{char}}::{{user}}}}", "Ada / the user"),
        ("a{{newline}}b", "a\nb"),
    ],
)
def test_macros(text: str, done: str) -> None:
    assert resolved(text, "Ada", False) == done


def test_a_macro_without_an_end_stays_text() -> None:
    assert resolved("{{user and more", "Ada", False) == "{{user and more"
    assert resolved("{{" * 50_000, "Ada", False) == "{{" * 50_000
