"""Talk for tests: messages, and the facts that are drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from soulmem.consolidate.facts import Fact
from soulmem.consolidate.split import name_forms, split
from soulmem.indexing import indexed
from soulmem.model.changes import Change
from soulmem.model.messages import Chat, Message, Role
from soulmem.model.notes import derived_id
from soulmem.soul import Soul

#: A Sunday.
AT = datetime(2026, 3, 8, 12, tzinfo=UTC)


def talk(*lines: tuple[str, str] | str, speaker: str = "Bo", other: str = "Ann", first: int = 0, **more: object) -> list[Message]:
    """Messages, a minute apart; a line that is only text is said by ``speaker``."""
    said = []
    for number, line in enumerate(lines, start=first):
        name, text = (speaker, line) if isinstance(line, str) else line
        fields = {
            "role": Role.CHARACTER if name == other else Role.USER,
            "sent_at": AT + timedelta(minutes=number),
            "scope": "public",
            **more,
        }
        said.append(
            Message(
                id=derived_id("m", number, name, text),
                chat="c",
                index=number,
                file="chat.jsonl",
                line=number + 2,
                speaker=name,
                text=text,
                **fields,  # type: ignore[arg-type]
            )
        )
    return said


def facts(*lines: tuple[str, str] | str, **more: object) -> tuple[Fact, ...]:
    """The facts of a talk of Bo with Ann; Ann says hello first, so that it is one of two."""
    zh = any("\u4e00" <= character <= "\u9fff" for line in lines for character in (line if isinstance(line, str) else line[1]))
    speaker, other = ("小波", "安娜") if zh else ("Bo", "Ann")
    said = talk((other, "嗯。" if zh else "Hello."), *lines, speaker=speaker, other=other, **more)  # type: ignore[arg-type]
    return split(said, name_forms(said, {}))


def texts(*lines: tuple[str, str] | str, **more: object) -> list[str]:
    return [fact.text for fact in facts(*lines, **more)]


def hear(soul: Soul, messages: Sequence[Message]) -> None:
    """Archive messages, as if they were observed."""
    chat = Chat(id="c", file="chat.jsonl", format="talk", sha256="", messages=len(messages), ingested_at=AT)
    soul.store.apply(
        indexed(Change(command="observe", what="talk", at=AT, messages=tuple(messages), chats=(chat,)), soul.embedder)
    )


__all__ = ["AT", "facts", "hear", "talk", "texts"]
