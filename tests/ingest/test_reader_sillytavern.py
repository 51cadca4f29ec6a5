"""SillyTavern chats of every generation: who said what, when, and at which line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, SaidLine, read
from soulmem.ingest.chat_text import heard, said
from soulmem.ingest.times import message_time, rfc3339
from soulmem.model.messages import Role

AT = datetime(2026, 1, 1, tzinfo=UTC)


def read_lines(*lines: Any, ending: str = "\n") -> Document:
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    return read(ending.join(texts).encode(), AT, "sillytavern")


def message(mes: Any = "hi", name: str | None = "Ada", **more: Any) -> dict[str, Any]:
    return {"name": name, "is_user": False, "is_system": False, "mes": mes} | more


def only(document: Document) -> SaidLine:
    assert len(document.messages) == 1, document
    return document.messages[0]


def text_of(mes: Any, **more: Any) -> str:
    header = {"user_name": "Kim", "character_name": "Ada"}
    return only(read_lines(header, message(mes, **more))).text


# Headers.


@pytest.mark.parametrize(
    ("header", "user", "character"),
    [
        ({"user_name": "You", "character_name": "Ada", "create_date": 1674559900991, "notes": "", "mode": "story"}, "You", "Ada"),
        (
            {"user_name": "Kim", "character_name": "Ada", "create_date": "2023-4-21 @20h 02m 47s", "chat_metadata": {}},
            "Kim",
            "Ada",
        ),
        ({"chat_metadata": {"integrity": "x"}, "user_name": "unused", "character_name": "unused"}, None, "Ada"),
        (None, None, "Ada"),
    ],
)
def test_header_generations(header: Any, user: str | None, character: str | None) -> None:
    document = read_lines(*([header] if header else []), message())
    assert (document.user_name, document.character_name) == (user, character)
    assert (only(document).index, only(document).line, document.read) == (0, 2 if header else 1, 1)
    assert document.problems == ()


def test_names_come_from_the_messages_where_the_header_has_none() -> None:
    header = {"chat_metadata": {}, "user_name": "unused", "character_name": "unused"}
    document = read_lines(
        header, message(), message(name="Kim", is_user=True), message(name="Lee", is_user=True), message(name="Kim", is_user=True)
    )
    assert (document.user_name, document.character_name) == ("Kim", "Ada")
    document = read_lines({"user_name": "You", "character_name": "Ada"}, message(name="Kim", is_user=True))
    assert document.user_name == "Kim"


def test_five_speakers_stay_five() -> None:
    names = ["Ada", "Bo", "Cy: the /Third", "张三 👩‍👩‍👧", "Eve"]
    header = {"user_name": "Kim", "character_names": names}
    document = read_lines(header, *(message(name=f"\u3000{name} ") for name in names))
    assert [line.speaker for line in document.messages] == names
    assert document.character_name is None
    assert {line.role for line in document.messages} == {Role.CHARACTER}


def test_a_chat_of_a_header_alone_is_read_as_nothing() -> None:
    document = read_lines({"chat_metadata": {}, "user_name": "unused", "character_name": "unused"})
    assert (document.read, document.messages, document.problems) == (0, (), ())


def test_a_header_in_the_middle_is_no_message() -> None:
    header = {"user_name": "Kim", "character_name": "Ada"}
    document = read_lines(header, message("a"), header, message("b"))
    assert [line.index for line in document.messages] == [0, 1]
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(3, False)]


def test_a_damaged_header_does_not_shift_the_numbers() -> None:
    document = read_lines('{"user_name": "Kim", "character_name": "Ad', message("a"))
    assert (only(document).index, only(document).line) == (0, 2)
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(1, False)]


# Times.


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (1674559900991, "2023-01-24T11:31:40.991000Z"),
        ("1674559900991", "2023-01-24T11:31:40.991000Z"),
        (1714651200, "2024-05-02T12:00:00Z"),
        ("1714651200", "2024-05-02T12:00:00Z"),
        (1714651200.5, "2024-05-02T12:00:00.500000Z"),
        (1714651200000000, "2024-05-02T12:00:00Z"),
        ("2023-4-21 @20h 02m 47s 124ms", "2023-04-21T20:02:47.124000Z"),
        ("2024-6-5 @14h 56m 50s 682ms", "2024-06-05T14:56:50.682000Z"),
        ("2024-7-12@01h31m37s", "2024-07-12T01:31:37Z"),
        ("2026-08-31 @00h00m01s", "2026-08-31T00:00:01Z"),
        ("2025-09-26@15h04m33s123ms", "2025-09-26T15:04:33.123000Z"),
        ("June 19, 2023 2:20pm", "2023-06-19T14:20:00Z"),
        ("May 12, 2024 10:20am", "2024-05-12T10:20:00Z"),
        ("May 08, 2023 01:56PM", "2023-05-08T13:56:00Z"),
        ("June  19,2023   2:20 p.m.", "2023-06-19T14:20:00Z"),
        ("Sep 1, 2023 12:00am", "2023-09-01T00:00:00Z"),
        ("Sep 1, 2023 12:00pm", "2023-09-01T12:00:00Z"),
        ("2025-10-03T09:12:44.120Z", "2025-10-03T09:12:44.120000Z"),
        ("2025-10-03T09:12:44+08:00", "2025-10-03T01:12:44Z"),
        ("2025-10-03T09:12:44", "2025-10-03T09:12:44Z"),
        ("2024/5/1 9:05", "2024-05-01T09:05:00Z"),
    ],
)
def test_every_form_of_a_date(stated: Any, expected: str) -> None:
    document = read_lines(message(send_date=stated))
    sent_at = only(document).sent_at
    assert sent_at is not None
    assert rfc3339(sent_at) == expected
    assert document.problems == ()


@pytest.mark.parametrize(
    "stated",
    [
        "February 31, 2023 2:20pm",
        "2023-2-30 @20h 02m 47s",
        "June 19, 2023 14:20pm",
        "2023-13-01T00:00:00Z",
        "soon",
        True,
        [],
        1e300,
        float("nan"),
        "9" * 30,
        10**20,
    ],
)
def test_a_date_that_cannot_be_leaves_the_message_without_one(stated: Any) -> None:
    document = read_lines(message(send_date=stated))
    assert only(document).sent_at is None
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(1, False)]
    assert "is not a time" in document.problems[0].what


@pytest.mark.parametrize("more", [{}, {"send_date": None}, {"send_date": ""}, {"send_date": 0}])
def test_no_date_is_no_problem(more: dict[str, Any]) -> None:
    document = read_lines(message(**more))
    assert only(document).sent_at is None
    assert document.problems == ()


@given(st.datetimes(datetime(1975, 1, 1), datetime(5000, 1, 1), timezones=st.just(UTC)))
@settings(deadline=None, max_examples=150)
def test_all_generations_of_one_moment_agree(moment: datetime) -> None:
    moment = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    milli = round((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1000)
    m = moment
    forms: list[Any] = [
        rfc3339(m),
        f"{m.year}-{m.month}-{m.day} @{m.hour}h {m.minute:02}m {m.second:02}s {m.microsecond // 1000}ms",
        f"{m.year}-{m.month:02}-{m.day:02}@{m.hour:02}h{m.minute:02}m{m.second:02}s{m.microsecond // 1000:03}ms",
    ]
    if milli >= 10**11:  # below, it is seconds
        forms += [milli, str(milli)]
    assert [message_time(form) for form in forms] == [moment] * len(forms)
    minute = moment.replace(second=0, microsecond=0)
    assert (
        message_time(f"{minute:%B} {m.day}, {m.year} {m.hour % 12 or 12}:{m.minute:02}{'pm' if m.hour >= 12 else 'am'}") == minute
    )


def test_file_order_is_kept_whatever_the_dates_say() -> None:
    document = read_lines(message("b", send_date=1714651200), message("a", send_date=1674559900991))
    assert [line.text for line in document.messages] == ["b", "a"]


# Roles.


@pytest.mark.parametrize(
    ("more", "role", "hidden"),
    [
        ({"is_user": True}, Role.USER, False),
        ({"isUser": True, "is_user": None}, Role.USER, False),
        ({"is_user": "true"}, Role.USER, False),
        ({"is_user": 0}, Role.CHARACTER, False),
        ({"is_system": True}, Role.CHARACTER, True),
        ({"is_user": True, "is_system": True}, Role.USER, True),
        ({"isSystem": True, "is_system": None}, Role.CHARACTER, True),
        ({"extra": {"type": "narrator"}}, Role.NARRATOR, False),
        ({"extra": {"type": "narrator"}, "is_system": True}, Role.NARRATOR, True),
        ({"extra": {"type": "comment"}}, Role.SYSTEM, True),
        ({"extra": {"type": "comment"}, "is_system": True}, Role.SYSTEM, True),
        ({"extra": {"type": "help"}, "is_system": True}, Role.SYSTEM, True),
        ({"extra": {"type": ["odd"]}}, Role.CHARACTER, False),
        ({"extra": None}, Role.CHARACTER, False),
    ],
)
def test_roles_and_hidden_lines(more: dict[str, Any], role: Role, hidden: bool) -> None:
    line = only(read_lines(message(**more)))
    assert (line.role, line.hidden) == (role, hidden)


# Texts.


def test_only_the_accepted_text_is_read() -> None:
    extra = {"reasoning": "SECRET", "display_text": "SECRET", "memory": "SECRET"}
    line = message("said", swipes=["SECRET", "said"], swipe_id=1, swipe_info=[{"extra": extra}], extra=extra, title="SECRET")
    assert only(read_lines(line)).text == "said"
    assert text_of({"message": "from Chub"}) == "from Chub"


def test_fifty_swipes_of_a_megabyte() -> None:
    swipes = [f"{number}" * 500_000 for number in range(10, 60)]
    assert only(read_lines(message("said", swipes=swipes, swipe_id=3))).text == "said"


@pytest.mark.parametrize(
    ("mes", "text"),
    [
        ("<think>hm</think>yes", "yes"),
        ("<Thinking>\nhm\n</Thinking>\n\nyes", "yes"),
        ("hm, I should say yes</think>\nyes", "yes"),
        ("To think, write <think> first.", "To think, write <think> first."),
        ("Does </think> close it? yes.", "Does </think> close it? yes."),
        ('End with "</think>", then answer.', 'End with "</think>", then answer.'),
        ("hm</think>yes", "yes"),
        ("hm. </think> yes", "yes"),
        ("hm</thinking> yes", "yes"),
        ("hm[/THINK]yes", "yes"),
        ("[think] it over, [thinks] again", "[think] it over, [thinks] again"),
        (
            "<|channel|>commentary to=a.b <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>yes",
            "yes",
        ),
        ("<|channel|>final<|message|>yes<|return|>", "yes"),
        ("<think>a<think>b</think>c</think>yes", "yes"),
        ("```\n<think>hm</think>\n``` is how", "```\n<think>hm</think>\n``` is how"),
        ("if a<b and b>c", "if a<b and b>c"),
        ('<font color=red size="2">one</font>', "one"),
        ("a <!-- note --> b", "a  b"),
        ("yes<UpdateVariable>\n_.set('x', 1);\n</UpdateVariable>", "yes"),
        ("yes\n<StatusPlaceHolderImpl/>", "yes"),
        ("<状态栏>HP 5</状态栏>好", "好"),
        ('<div class="x"><p>one<br>two</p></div>', "one\ntwo"),
        ("a <b>bold</b> word", "a bold word"),
        ("*waves* 3 < 4 > 2 <3 a<b", "*waves* 3 < 4 > 2 <3 a<b"),
        ("<sighs> well", "<sighs> well"),
        ("see ![x](data:image/png;base64,AAAA/+=) here", "see  here"),
        ('<img src="data:image/png;base64,AAAA"> here', "here"),
        ("data:image/png;base64,AAAA here", "here"),
        ("![map](https://example.org/map.png)", "![map](https://example.org/map.png)"),
        ("{{user}} and {{char}}, <USER> and <bot>", "Kim and Ada, Kim and Ada"),
        ("{{random::a,b}} {{original}}", "{{random::a,b}} {{original}}"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("  \u3000padded\n", "padded"),
        ("zero\u200bwidth", "zero\u200bwidth"),
    ],
)
def test_wrappings_are_taken_off(mes: str, text: str) -> None:
    assert text_of(mes) == text


@pytest.mark.parametrize(
    ("mes", "text", "told"),
    [
        ("How do I close a <head> tag? I am allergic to peanuts.", None, ""),
        ("How do I close a <b> tag?", None, ""),
        ("<think>", None, ""),
        ("hm</think>\nyes", None, ""),
        ("`<b>x</b>` and <!-- what", None, ""),
        ("<think>hm</think>yes", "yes", "<think>"),
        ("a <b>bold</b> word", "a bold word", "<b>"),
        ("see ![x](data:image/png;base64,AAAA/+=) here", "see  here", "an image as data"),
    ],
)
def test_a_user_is_never_cut_off_and_what_is_left_out_is_told(mes: str, text: str | None, told: str) -> None:
    document = read_lines(message(mes, name="Kim", is_user=True))
    assert only(document).text == (mes if text is None else text)
    assert [problem.what.rsplit(": ", 1)[-1] for problem in document.problems] == ([told] if told else [])
    assert not any(problem.skipped for problem in document.problems)


THOUGHTS = [
    *(
        "<Thoughts>{}</Thoughts>",
        "<thinking_process>{}</thinking_process>",
        "<analysis>{}</analysis>",
        "<scratchpad>{}</scratchpad>",
    ),
    *("<reasoning>{}</reasoning>", "<reflection>{}</reflection>", "<seed:think>{}</seed:think>", "[THINK]{}[/THINK]"),
    *("◁think▷{}◁/think▷", "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>"),
    *("<|begin_of_thought|>{}<|end_of_thought|>", "<|START_THINKING|>{}<|END_THINKING|>", "<|channel>thought\n{}<channel|>"),
]


@pytest.mark.parametrize("form", THOUGHTS)
@given(
    thought=st.text(st.characters(codec="utf-8", exclude_characters="<[|◁`"), max_size=20),
    answer=st.sampled_from(["yes", "a\nb"]),
)
@settings(deadline=None, max_examples=10)
def test_thoughts_of_every_model_are_no_words(form: str, thought: str, answer: str) -> None:
    assert said(form.format(thought) + answer, "Kim", "Ada") == answer
    assert said(f"first {form.format(thought)}{answer}", "Kim", "Ada") == f"first {answer}"
    quoted = f"write ```{form.format('x')}```"
    assert heard(quoted, by_character=False).text == heard(quoted, by_character=True).text == quoted


@pytest.mark.parametrize("form", ["<analysis>{}</analysis>", "<scratchpad>{}</scratchpad>", "[THINK]{}[/THINK]"])
def test_a_user_may_give_a_model_a_form_to_think_in(form: str) -> None:
    assert heard(form.format("x"), by_character=False).text == form.format("x")


def test_macros_without_a_name_stay() -> None:
    assert only(read_lines(message("{{user}}, I am {{char}}"))).text == "{{user}}, I am Ada"


def test_in_a_group_the_macro_is_the_one_who_speaks() -> None:
    document = read_lines(message("{{char}}", name="Ada"), message("{{char}}", name="Bo"))
    assert [line.text for line in document.messages] == ["Ada", "Bo"]


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=200)
def test_text_without_wrappings_is_kept_whole(text: str) -> None:
    plain = text.replace("<", "(").replace("{{", "((").replace("data:", "")
    assert said(plain, "Kim", "Ada") == plain.replace("\r\n", "\n").replace("\r", "\n").strip()


@pytest.mark.parametrize(
    "unit",
    [
        *("<think>", "<think ", "![](data:", "<!--", "<b ", "</think", "data:a/b;", "{{user", "<style>", "![["),
        *("[THINK]", "[/THINK]", "◁think▷", "<|channel|>", "<|channel|>analysis", "x </think> ", "<analysis>"),
        *("</think>", "x</think>\n", "<b>", "<b a=", "``", "```", "x<b a='", "<details type=reasoning>"),
    ],
)
def test_nested_and_unclosed_marks_cost_no_more_than_their_length(unit: str) -> None:
    said("x" + unit * 50_000, "Kim", "Ada")  # quadratic work would not end here
    heard(unit * 50_000, by_character=False)


@pytest.mark.parametrize("mes", ["", "  \n", "<think>only</think>", "<think>and then", "![](data:image/png;base64,AAAA)"])
def test_an_empty_message_keeps_its_number_and_is_reported(mes: str) -> None:
    document = read_lines(message("a"), message(mes), message("b"))
    assert [(line.index, line.text) for line in document.messages] == [(0, "a"), (2, "b")]
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(2, True)]
    assert document.read == 3


def test_a_message_without_a_name() -> None:
    header = {"user_name": "Kim", "character_name": "Ada"}
    document = read_lines(header, message(name=None), message(name=" ", is_user=True))
    assert [line.speaker for line in document.messages] == ["Ada", "Kim"]
    assert [problem.skipped for problem in document.problems] == [False, False]
    assert only(read_lines(message(name=None))).speaker == "Character"


def test_names_are_composed() -> None:
    assert only(read_lines(message(name="Ame\u0301lie"))).speaker == "Am\u00e9lie"


# Files.

THREE = (message("a"), message("b", is_user=True, name="Kim"), message("c"))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\n".join(map(json.dumps, THREE)), [1, 2, 3]),
        ("\r\n".join(map(json.dumps, THREE)) + "\r\n\r\n", [1, 2, 3]),
        ("\n\n" + "\n\n".join(map(json.dumps, THREE)) + "\n\n\n", [3, 5, 7]),
        ("\ufeff" + "\n".join(map(json.dumps, THREE)), [1, 2, 3]),
        (json.dumps(THREE), [1, 1, 1]),
        (json.dumps(THREE, indent=1), [2, 8, 14]),
        ("[\n" + ",\n".join(map(json.dumps, THREE)) + "\n]", [2, 3, 4]),
        (json.dumps(THREE[:2]) + "\n" + json.dumps(THREE[2:]), [1, 1, 2]),
        ("\n".join(json.dumps(item).replace("}", ', "x": "\u2028\x85"}', 1) for item in THREE), [1, 2, 3]),
    ],
)
def test_the_same_chat_in_every_shape(text: str, lines: list[int]) -> None:
    document = read(text.encode(), AT)
    assert document.format == "sillytavern"
    assert [(line.index, line.text, line.line) for line in document.messages] == list(zip(range(3), "abc", lines, strict=True))
    assert document.problems == ()


def test_a_truncated_last_line() -> None:
    document = read_lines(*THREE, json.dumps(message("never finished"))[:-20])
    assert [line.text for line in document.messages] == ["a", "b", "c"]
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(4, True)]
    assert document.read == 4


def test_a_truncated_array() -> None:
    text = json.dumps(THREE, indent=1)
    document = read(text[: text.index('"c"')].encode(), AT)
    assert [line.text for line in document.messages] == ["a", "b"]
    assert [problem.skipped for problem in document.problems] == [True]


@pytest.mark.parametrize(
    "bad", ["{", "nonsense", "7", '"text"', "null", '{"name": "Ada"}', '{"mes": 5}', '{"mes": null}', '{"mes": {}}', "[" * 10_000]
)
def test_a_bad_line_in_the_middle_keeps_the_numbers(bad: str) -> None:
    document = read_lines(message("a"), bad, message("b"))
    assert [(line.index, line.text, line.line) for line in document.messages] == [(0, "a", 1), (2, "b", 3)]
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(2, True)]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"{", b"7", b"[1,2]", b"[]x", b"nonsense\nmore", b"[" * 10_000])
def test_a_file_without_a_message_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        read(data, AT, "sillytavern")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Ada", "Bo", "Kim"]), st.text(st.characters(codec="utf-8", exclude_characters="\0<{\r"), max_size=20)
        ),
        max_size=8,
    )
)
@settings(deadline=None, max_examples=100)
def test_every_message_is_read_or_reported(said_lines: list[tuple[str, str]]) -> None:
    header = {"user_name": "Kim", "character_name": "Ada"}
    document = read_lines(header, *(message(text, name=name, is_user=name == "Kim") for name, text in said_lines))
    assert document.read == len(said_lines)
    assert len(document.messages) + sum(problem.skipped for problem in document.problems) == len(said_lines)
    for line in document.messages:
        name, text = said_lines[line.index]
        assert (line.speaker, line.line) == (name, line.index + 2)
        if "data:" not in text:
            assert line.text == text.strip()
