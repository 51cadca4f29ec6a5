"""What a card says, whatever dialect it is written in (FORMATS A1–A5): a :class:`Card`, and what was odd about it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.contract import Problem

#: Fields that tell a model or the reader of the card what to do: no memory, kept for export.
INSTRUCTIONS = ("creator_notes", "creator_notes_multilingual", "system_prompt", "post_history_instructions", "creatorcomment")
_TEXTS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
_PYGMALION = {
    "name": "char_name",
    "description": "char_persona",
    "scenario": "world_scenario",
    "first_mes": "char_greeting",
    "mes_example": "example_dialogue",
}
_OOBA = {"description": "context", "first_mes": "greeting", "mes_example": "example_dialogue"}
_AGNAI = {
    "creator_notes": "description",
    "first_mes": "greeting",
    "mes_example": "sampleChat",
    "alternate_greetings": "alternateGreetings",
    "character_book": "characterBook",
    "system_prompt": "systemPrompt",
    "post_history_instructions": "postHistoryInstructions",
    "character_version": "characterVersion",
}
_OF_DATA = {
    *_TEXTS,
    *INSTRUCTIONS[:-1],
    "alternate_greetings",
    "group_only_greetings",
    "character_book",
    "tags",
    "creator",
    "character_version",
    "extensions",
    "assets",
    "nickname",
    "source",
    "creation_date",
    "modification_date",
}
_KNOWN_SPECS = {"", "chara_card_v1", "chara_card_v2", "chara_card_v3", "tavern_ai"}
_NEWEST = 3.0

#: Of a field with more characters than this the rest is left out.
MOST_TEXT = 300_000
#: A list of texts has not more of them than this.
MOST_GREETINGS = 100
#: A name longer than this is a mistake of who wrote it, characters.
MOST_NAME = 120
#: A tag longer than this says more than a tag, and a card has not more of them than this.
MOST_TAG, MOST_TAGS = 60, 40

# Zero width (but for the joiners that emoji and some scripts need) and marks of direction: invisible in a name, and never meant.
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u0000-\u0008\u000b-\u001f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A character as a card states it; texts raw, with macros. ``book``: its lorebook as it stands there. ``raw``: all of it."""

    spec: str
    name: str
    nickname: str
    description: str
    personality: str
    scenario: str
    first_mes: str
    mes_example: str
    alternate_greetings: tuple[str, ...]
    group_only_greetings: tuple[str, ...]
    tags: tuple[str, ...]
    book: Any
    raw: Mapping[str, Any]
    problems: tuple[Problem, ...] = field(default=())

    @property
    def fields(self) -> int:
        """How many fields say something that is not for a model or the reader of the card; a lorebook apart."""
        texts = (getattr(self, name) for name in (*_TEXTS, "nickname"))
        return sum(map(bool, map(str.strip, texts))) + sum(
            map(bool, (self.alternate_greetings, self.group_only_greetings, self.tags))
        )


def is_card(names: frozenset[str] | set[str]) -> bool:
    """Whether an object with members of these names is a card of any dialect."""
    if "char_name" in names and names & {"char_persona", "char_greeting", "world_scenario", "example_dialogue"}:
        return True
    if {"name", "persona"} <= names and names & {"greeting", "sampleChat", "displayName"}:
        return True
    if "first_mes" in names or ("spec" in names and names & {"data", "name"}):
        return True
    return "name" in names and len(names & {"description", "personality", "scenario", "mes_example"}) >= 2


def card_of(value: Any) -> Card:
    """The card in a decoded mapping.

    :raises FormatError: it is none."""
    if not isinstance(value, Mapping):
        raise FormatError("this is no character card but JSON of another kind")
    problems: list[Problem] = []
    root = dict(value)
    data = _data(root, problems)
    fields = {name: _text(data, root, name, problems) for name in _TEXTS}
    if not any(fields.values()):
        raise FormatError("this character card says nothing: name, description and all other texts are empty")
    _tell_instructions({**root, **data}, problems)
    return Card(
        spec=_spec(root, problems),
        name=clean_name(fields["name"]),
        nickname=clean_name(_text(data, {}, "nickname", problems)),
        description=fields["description"],
        personality=fields["personality"],
        scenario=fields["scenario"],
        first_mes=fields["first_mes"],
        mes_example=fields["mes_example"],
        alternate_greetings=_texts(data.get("alternate_greetings"), "alternate_greetings", problems),
        group_only_greetings=_texts(data.get("group_only_greetings"), "group_only_greetings", problems),
        tags=_tags(data.get("tags", root.get("tags", root.get("categories"))), problems),
        book=_book(data, root),
        raw=root,
        problems=tuple(problems),
    )


def clean_name(text: str) -> str:
    """A name as it is compared: NFC, in one line, without invisible characters; empty if nothing is left of it."""
    visible = " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", text)).split())
    return visible[:MOST_NAME].rstrip() if any(not unicodedata.category(one).startswith(("C", "Z")) for one in visible) else ""


def _data(root: Mapping[str, Any], problems: list[Problem]) -> Mapping[str, Any]:
    """Where the fields stand: in ``data``, at the root, or at the root under the names of another program."""
    data = root.get("data")
    if isinstance(data, Mapping):
        _tell_disagreement(root, data, problems)
        return data
    if "char_name" in root or "char_persona" in root:
        return {**root, **{ours: root.get(theirs, "") for ours, theirs in _PYGMALION.items()}}
    if "persona" in root and "displayName" in root:
        return {**root, **_backyard(root)}
    if "context" in root and "first_mes" not in root:
        return {**root, **{ours: root.get(theirs, "") for ours, theirs in _OOBA.items()}}
    if isinstance(root.get("persona"), Mapping) and "first_mes" not in root:
        renamed = {ours: root[theirs] for ours, theirs in _AGNAI.items() if root.get(theirs) is not None}
        return {**root, "description": _persona(root["persona"]), **renamed}
    return root


def _backyard(root: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a character of Backyard AI; what its scenarios say of it stands at the root already."""
    items = root.get("loreItems")
    given = [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []
    entries = [{"keys": item.get("key", ""), "content": item.get("value", ""), "enabled": True} for item in given]
    fields = {"name": root["displayName"], "nickname": root.get("name", ""), "description": root["persona"]}
    return {**fields, "character_book": {"entries": entries}} if entries else fields


def _persona(persona: Mapping[str, Any]) -> str:
    """What an Agnai persona says: a text, or attributes with their values, a line each."""
    attributes = persona.get("attributes")
    if not isinstance(attributes, Mapping):
        return ""
    given = ((str(name).strip(), _values(values)) for name, values in attributes.items())
    return "\n".join(values if name == "text" else f"{name}: {values}" for name, values in given if values)


def _values(values: Any) -> str:
    stated = values if isinstance(values, list) else [values]
    return ", ".join(text for value in stated if isinstance(value, str) and (text := value.strip()))


def _tell_disagreement(root: Mapping[str, Any], data: Mapping[str, Any], problems: list[Problem]) -> None:
    differing = [name for name in _TEXTS if _differs(root.get(name), data.get(name))]
    if differing:
        what = f"the card says two things of {', '.join(differing)}; what stands in data was taken"
        problems.append(Problem(None, what, skipped=False))


def _differs(old: Any, new: Any) -> bool:
    return isinstance(old, str) and isinstance(new, str) and bool(old.strip()) and old.split() != new.split()


def _text(data: Mapping[str, Any], root: Mapping[str, Any], name: str, problems: list[Problem]) -> str:
    value = data.get(name)
    if value is None:
        value = root.get(name)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        value = "\n".join(value)
    if isinstance(value, str):
        if len(value) > MOST_TEXT:
            what = f"{name} has {len(value)} characters; those behind the first {MOST_TEXT} were left out"
            problems.append(Problem(None, what, skipped=False))
        return value[:MOST_TEXT]
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    problems.append(Problem(None, f"{name} is not text; left out"))
    return ""


def _texts(value: Any, name: str, problems: list[Problem]) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        problems.append(Problem(None, f"{name} is one text instead of a list; it was taken as a list of one", skipped=False))
        return (value,)
    if not isinstance(value, list):
        problems.append(Problem(None, f"{name} is not a list of texts; left out"))
        return ()
    if bad := sum(not isinstance(one, str) for one in value):
        problems.append(Problem(None, f"{name}: {bad} of {len(value)} are not texts; left out"))
    if len(value) > MOST_GREETINGS:
        what = f"{name} has {len(value)} texts; those behind the first {MOST_GREETINGS} were left out"
        problems.append(Problem(None, what, skipped=False))
    return tuple(one[:MOST_TEXT] for one in value if isinstance(one, str) and one.strip())[:MOST_GREETINGS]


def _tags(value: Any, problems: list[Problem]) -> tuple[str, ...]:
    found = re.split(r"[,，、;；]", value) if isinstance(value, str) else _texts(value, "tags", problems)
    tags = dict.fromkeys(tag for one in found if (tag := clean_name(one)))
    kept = [tag for tag in tags if len(tag) <= MOST_TAG][:MOST_TAGS]
    if len(kept) < len(tags):
        problems.append(Problem(None, f"{len(tags) - len(kept)} of {len(tags)} tags are too long or too many", skipped=False))
    return tuple(kept)


def _spec(root: Mapping[str, Any], problems: list[Problem]) -> str:
    spec, version = root.get("spec"), root.get("spec_version")
    spec = spec if isinstance(spec, str) else ""
    if spec not in _KNOWN_SPECS:
        what = f"the card is of a kind soulmem does not know ({spec[:40]}); what is known of it was read"
        problems.append(Problem(None, what, skipped=False))
    elif _number(version) > _NEWEST:
        what = f"the card is of a newer version ({str(version)[:20]}); what is known of it was read"
        problems.append(Problem(None, what, skipped=False))
    return spec


def _number(version: Any) -> float:
    try:
        return float(version)
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _book(data: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    for place in (data, root):
        for name in ("character_book", "lorebook", "characterBook"):
            if place.get(name):
                return place[name]
    return None


def _tell_instructions(fields: Mapping[str, Any], problems: list[Problem]) -> None:
    given = [name for name in INSTRUCTIONS if fields.get(name)]
    extensions = fields.get("extensions")
    prompt = extensions.get("depth_prompt") if isinstance(extensions, Mapping) else None
    if isinstance(prompt, Mapping) and prompt.get("prompt"):
        given.append("depth_prompt")
    if given:
        what = f"{', '.join(given)}: no memory but instructions or notes of who made the card; kept for export only"
        problems.append(Problem(None, what, skipped=False))


def kept_card(kept: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The card that a mind keeps (its recorded value ``card``) for export: the fields of ``data``, in the names of versions 2 and
    3 whatever the dialect was, and what else stands at its root. Both empty where none is kept."""
    raw = kept.get("card") if isinstance(kept, Mapping) else None
    if not isinstance(raw, Mapping):
        return {}, {}
    root = {name: value for name, value in raw.items() if name not in ("data", "spec", "spec_version")}
    data = dict(_data(raw, []))
    if isinstance(raw.get("data"), Mapping):
        return data, root
    own = {name: value for name, value in data.items() if name in _OF_DATA}
    taken = {
        theirs
        for names in (_PYGMALION, _OOBA, _AGNAI)
        for ours, theirs in names.items()
        if theirs in raw and own.get(ours) == raw[theirs]
    }
    return own, {name: value for name, value in root.items() if name not in _OF_DATA | taken}
