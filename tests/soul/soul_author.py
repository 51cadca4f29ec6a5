"""An author who writes changes of every kind to a mind, at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from soul_minds import AT

from soulmem.indexing import indexed, kept_vectors
from soulmem.model.changes import Change, LinkUpdate, NoteUpdate, PendingLink, RecallRecord, Superseding, Use
from soulmem.model.links import Link, LinkType, Sem, SituationLink, TrigToAction
from soulmem.model.messages import Chat, Message, Role
from soulmem.model.notes import ActionType, Note, NoteType, Procedure, Semantic, SpecificSituation, derived_id
from soulmem.soul import Soul

WORDS = ("tea", "茶", "pot", "雨", "shelf", "猫", "north", "海边", "green", "小红")


class Author:
    """Writes changes of every kind to a mind, at random."""

    def __init__(self, soul: Soul, seed: int) -> None:
        self.soul = soul
        self.random = random.Random(seed)
        self.number = 0
        self.at = AT

    def write(self) -> None:
        self.at += timedelta(hours=1)
        self.number += 1
        kinds: list[Callable[[], dict | None]] = [
            self.notes,
            self.notes,
            self.texts,
            self.states,
            self.links,
            self.relink,
            self.cut,
            self.chat,
            self.sources,
            self.recalled,
            self.wait,
            self.connect,
            self.supersede,
            self.meta,
        ]
        parts = self.random.choice(kinds)()
        if parts is not None:
            change = Change(command="test", what=f"{self.number}", at=self.at, **parts)
            kept = kept_vectors(self.soul.store)
            self.soul.store.apply(indexed(change, self.soul.embedder, kept, present=self.soul.store.notes))

    def text(self) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, 4)))

    def all_notes(self) -> list[Note]:
        return self.soul.store.notes([row["id"] for row in self.soul.store.query("store.all_keys")])

    def some(self, *types: NoteType) -> Note | None:
        found = [note for note in self.all_notes() if not types or note.type in types]
        return self.random.choice(found) if found else None

    def new_note(self) -> Note:
        self.number += 1
        bodies = (
            Semantic(self.text(), aliases=(self.text(),), description=self.random.choice(("", self.text()))),
            SpecificSituation(self.text(), AT),
            Procedure(self.text(), ActionType.SPEAK),
        )
        messages = [row["id"] for row in self.soul.store.query("store.all_messages")]
        key = f"note_{self.number}"
        return Note(
            id=derived_id("test", key),
            key=key,
            body=self.random.choice(bodies),
            tags=tuple(self.random.sample(WORDS, self.random.randint(0, 2))),
            created_at=self.at,
            decayed_at=self.at,
            sources=tuple(self.random.sample(messages, min(len(messages), 2))),
        )

    def notes(self) -> dict:
        return {"notes": tuple(self.new_note() for _ in range(self.random.randint(1, 3)))}

    def texts(self) -> dict | None:
        note = self.some()
        if note is None:
            return None
        values: dict = {"tags": self.random.sample(WORDS, 2)}
        if note.type is NoteType.SEMANTIC:
            values |= {"aliases": [self.text()], "description": self.random.choice(("", self.text()))}
        if note.type is NoteType.SPECIFIC:
            values |= {"narrative": self.text()}
        return {"updates": (NoteUpdate(note=note.id, values=values),)}

    def states(self) -> dict | None:
        note = self.some()
        values = {"strength": self.random.random(), "due_at": self.at, "active": self.random.random() < 0.5}
        return note and {"updates": (NoteUpdate(note=note.id, values=values),)}

    def link(self, source: Note, target: Note) -> Link:
        self.number += 1
        if source.type is NoteType.SPECIFIC and target.type is NoteType.PROCEDURE:
            payload = TrigToAction(self.random.random())
        elif source.type.is_situation and target.type.is_situation:
            payload = SituationLink()
        else:
            payload = Sem(self.text(), self.random.random())
        return Link(id=derived_id("link", self.number), source=source.id, target=target.id, payload=payload, created_at=self.at)

    def links(self) -> dict | None:
        source, target = self.some(NoteType.SEMANTIC, NoteType.SPECIFIC), self.some()
        if source is None or target is None:
            return None
        if source.type is NoteType.SPECIFIC and target.type is NoteType.SEMANTIC and self.random.random() < 0.3:
            return None
        return {"links": (self.link(source, target),)}

    def some_links(self) -> list[Link]:
        found = self.soul.store.links()
        return self.random.sample(found, min(len(found), self.random.choice((1, 2, 30))))

    def relink(self) -> dict | None:
        links = self.some_links()
        updates = []
        for link in links:
            values = {"intensity": self.random.random(), "last_fired_at": self.at, "fired_count": link.fired_count + 1}
            values |= {"confidence": self.random.random()} if link.type is LinkType.SEM else {}
            updates.append(LinkUpdate(link=link.id, values=values))
        hints = {link.id: link.source for link in links} if self.random.random() < 0.5 else {}
        return {"link_updates": tuple(updates), "link_sources": hints} if links else None

    def cut(self) -> dict | None:
        links = self.some_links()
        return {"links_removed": tuple(link.id for link in links)} if links else None

    def chat(self) -> dict:
        there = len(self.soul.store.query("store.all_messages"))
        new = tuple(self.message(there + place) for place in range(2))
        chat = Chat(id="chat", file="c.jsonl", format="script", sha256=str(there), messages=there + 2, ingested_at=self.at)
        return {"messages": new, "chats": (chat,)}

    def message(self, index: int) -> Message:
        return Message(
            id=f"m{index}-{self.number}",
            chat="chat",
            index=index,
            file="c.jsonl",
            line=index + 1,
            speaker="小红",
            role=Role.USER,
            text=self.text(),
            sent_at=self.at,
            hidden=self.random.random() < 0.2,
        )

    def sources(self) -> dict | None:
        note, messages = self.some(), [row["id"] for row in self.soul.store.query("store.all_messages")]
        return {"sources_added": ((note.id, self.random.choice(messages)),)} if note and messages else None

    def recalled(self) -> dict | None:
        notes = {note.id: note for note in (self.some(), self.some()) if note}
        uses = tuple(Use(note=note, stage="similarity", score=self.random.random()) for note in notes)
        updates = tuple(NoteUpdate(note=note, values={"retrieval_count": self.number}) for note in notes)
        record = RecallRecord(id=f"r{self.number}", at=self.at, query=self.text(), uses=uses)
        return {"recalls": (record,), "updates": updates} if notes else None

    def wait(self) -> dict:
        link = PendingLink(
            id=derived_id("waits", self.number),
            source_key=f"note_{self.random.randint(1, 40)}",
            target_key=f"later_{self.number}",
            payload=Sem("is", 0.25),
            created_at=self.at,
            place="a.json:3",
        )
        return {"pending": (link,)}

    def connect(self) -> dict | None:
        waiting, source, target = self.soul.store.pending(), self.some(NoteType.SEMANTIC), self.some()
        if not waiting or source is None or target is None:
            return None
        link = replace(self.link(source, target), id=waiting[0].id, payload=waiting[0].payload)
        return {"links": (link,), "connected": (waiting[0].id,)}

    def supersede(self) -> dict | None:
        old = self.some(NoteType.SEMANTIC)
        new = replace(self.new_note(), body=Semantic(self.text()))
        if old is None or (old.body.valid_from and old.body.valid_from > self.at):
            return None
        return {"notes": (new,), "supersedes": (Superseding(new=new.id, old=old.id, at=self.at, reason="moved"),)}

    def meta(self) -> dict:
        return {"meta": {self.random.choice(("cursor", "summary")): self.random.choice((None, self.number, {"a": "摘要"}))}}
