"""A note that is edited by hand: found by what it says now, and all as it was once that is undone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from soul_minds import AT, TEA, Minds, concept, graph, opened, sem, took, whole

from soulmem.edit import Edit
from soulmem.errors import InputError, NotFoundError
from soulmem.soul import Soul

DAY = datetime(2026, 5, 1, tzinfo=UTC)
HOME = concept("fact_lin_lives_halden_ab12cd", "Lin lives in Halden", [("sem_mei", sem("near"))], aliases=["Lin's home"])


@pytest.fixture
def tea(minds: Minds) -> Soul:
    soul = minds()
    took(soul, graph(*TEA, HOME))
    return soul


@pytest.fixture(scope="module")
def unchanged(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    """One mind like that of :func:`tea`, for all that is refused: nothing is written to it."""
    path = tmp_path_factory.mktemp("unchanged") / "a.mind"
    shutil.copy(empty_file, path)
    with opened(path) as soul:
        took(soul, graph(*TEA, HOME))
        yield soul
        assert soul.check() == ()


def keys(soul: Soul, text: str) -> list[str]:
    return [memory.key for memory in soul.recall(text, chat=None).memories]


EDITS: list[tuple[str, Edit]] = [
    ("sem_mei", Edit(text="a painter from Bergen")),
    ("sem_mei", Edit(name="Mei Tan", aliases=("Meimei",), tags=("friend",))),
    ("sit_pot", Edit(text="Mei broke the teapot.", span=(DAY, None))),
    ("hum", Edit(text="Whistle the old song.")),
    ("pat_evening", Edit(tags=("evening",))),
    ("fact_lin_lives_halden_ab12cd", Edit(name="Lin lives in Norwich", since=DAY)),
]


@pytest.mark.parametrize(("key", "edit"), EDITS)
def test_an_edit_is_one_operation_that_undo_and_redo_know(tea: Soul, key: str, edit: Edit) -> None:
    before = whole(tea)
    planned = tea.edit(key, edit, AT, dry_run=True)
    assert whole(tea) == before and planned.dry_run and planned.operation is None
    done = tea.edit(key, edit, AT)
    after = whole(tea)
    assert (done.key, done.changes) == (planned.key, planned.changes) and after != before
    assert tea.log(1)[0].number == done.operation and tea.log(1)[0].command == "edit"
    assert tea.edit(done.key, replaced(edit), AT).operation is None, "all is so already"
    assert tea.show(done.key).edited == (AT,)
    assert tea.history(done.key)[-1].command == "edit"
    tea.undo()
    assert whole(tea) == before and tea.show(key).edited == ()
    tea.redo()
    assert whole(tea) == after and tea.show(done.key).edited == (AT,)
    assert tea.check() == ()


def replaced(edit: Edit) -> Edit:
    return Edit(text=edit.text, name=edit.name, aliases=edit.aliases, tags=edit.tags, span=edit.span)


def test_it_is_found_by_what_it_says_now_and_no_longer_by_what_it_said(tea: Soul) -> None:
    tea.edit("sit_after", Edit(text="Greta mended the zeppelin."), AT)
    assert keys(tea, "zeppelin")[0] == "sit_after"
    assert all(row.key != "sit_after" for row in tea.list(text="swept"))
    tea.edit("sem_mei", Edit(name="Ottoline", aliases=()), AT)
    assert "sem_mei" in keys(tea, "Who is Ottoline?")
    assert [link.other for link in tea.show("sem_mei").links_out] == ["hum"]


def test_what_holds_from_some_time_on_holds_instead(tea: Soul) -> None:
    old = "fact_lin_lives_halden_ab12cd"
    done = tea.edit(old, Edit(name="Lin lives in Norwich", since=DAY), AT)
    assert done.superseded == old and done.key.startswith("fact_lin_lives_lin")
    was, now = tea.show(old), tea.show(done.key)
    assert (was.note.body.valid_until, now.note.body.valid_from) == (DAY, DAY)  # type: ignore[union-attr]
    assert [one.key for one in was.superseded_by] == [done.key] and now.supersedes[0].reason == "edited by hand"
    assert [link.other for link in now.links_out] == [link.other for link in was.links_out]
    assert now.note.scope == was.note.scope


@pytest.mark.parametrize(
    ("key", "edit", "told"),
    [
        ("sem_nobody", Edit(text="x"), "no note"),
        ("sem_mei", Edit(name="  "), "name would be empty"),
        ("hum", Edit(name="x"), "no name"),
        ("hum", Edit(span=(DAY, None)), "no time"),
        ("hum", Edit(text="x", since=DAY), "only facts"),
        ("sem_self", Edit(name="Lin Tan", since=DAY), "only facts"),
        ("pat_evening", Edit(text="a loud evening"), "no text that can be edited"),
        ("sit_pot", Edit(span=(AT, DAY)), "cannot end before"),
        ("sit_pot", Edit(text="x" * 20_001), "at most"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(unchanged: Soul, key: str, edit: Edit, told: str) -> None:
    before = whole(unchanged)
    with pytest.raises((InputError, NotFoundError), match=told):
        unchanged.edit(key, edit, AT)
    assert whole(unchanged) == before


def test_forgetting_an_edited_note_leaves_neither_text(tea: Soul) -> None:
    from soulmem.forget.finding import searched

    tea.edit("sit_after", Edit(text="Greta mended the zeppelin."), AT)
    tea.forget(notes=["sit_after"])
    path = tea.store.path
    tea.close()
    for text in ("zeppelin", "swept up"):
        assert not searched(Path(path), text).is_left
