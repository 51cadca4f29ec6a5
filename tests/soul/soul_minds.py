"""What the tests of Soul share: small graphs and chats as files, and how a mind is compared with another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from soulmem.ingest.report import FileReport
from soulmem.model.results import Recollection
from soulmem.settings import Settings
from soulmem.soul import Soul

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
#: No walk ends early, however busy the machine.
PATIENT = Settings(association_time_limit_ms=600_000.0)

Json = dict[str, Any]

#: ``minds(from_file=None, **how)``: a mind of the test's own, empty or a copy of a file, closed at the end of the test.
Minds = Callable[..., Soul]


def now() -> datetime:
    return AT


def opened(path: Path, **changes: Any) -> Soul:
    return Soul.open(path, **({"settings": PATIENT, "clock": now} | changes))


# Graphs.


def sem(verb: str = "about", confidence: float = 1.0) -> Json:
    return {"Sem": {"verb": verb, "confidence": confidence}}


def proc(prob: float) -> Json:
    return {"Proc": {"TrigToAction": {"prob": prob}}}


SITUATION: Json = {"Situation": {"SpecificToSpecific": {}}}


def node(key: str, mem_type: Json, links: Iterable[tuple[str, Json]] = (), tags: Sequence[str] = (), **more: Any) -> Json:
    stated = [{"from": key, "to": target, "intensity": 1.0, "link_type": kind} for target, kind in links]
    return {"id": key, "tags": list(tags), "mem_type": mem_type, "mem_links": stated, "soulmem": {}, **more}


def concept(key: str, content: str, links: Iterable[tuple[str, Json]] = (), **more: Any) -> Json:
    fields = {"content": content, "aliases": [], "concept_type": "Entity", "description": ""}
    fields |= {name: more.pop(name) for name in ("aliases", "description") if name in more}
    return node(key, {"Semantic": fields}, links, **more)


def episode(key: str, narrative: str, links: Iterable[tuple[str, Json]] = (), **more: Any) -> Json:
    fields = {"narrative": narrative, "time_span": more.pop("time_span", None), "context": more.pop("context", {})}
    return node(key, {"Situation": {"SpecificSituation": fields}}, links, **more)


def pattern(key: str, kind: str, fields: Json, links: Iterable[tuple[str, Json]] = (), **more: Any) -> Json:
    return node(key, {"Situation": {"AbstractSituation": {kind: fields}}}, links, **more)


def way(key: str, content: str, action_type: str = "Speak", **more: Any) -> Json:
    return node(key, {"Procedure": {"action": {"content": content, "action_type": action_type}}}, (), **more)


def written(value: Any, indent: int | None = None) -> bytes:
    """JSON as UTF-8; what is no text (lone surrogates) makes it escape everything, as other programs do."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent).encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent).encode()


def graph(*nodes: Json) -> bytes:
    return written(nodes, indent=1)


#: A few notes of every kind that lead to each other: tea is found by its words, the rest by walking.
TEA = (
    concept("sem_self", "Lin", [("sem_tea", sem("loves"))], aliases=["Linny"]),
    concept("sem_tea", "green tea", [("sit_pot", sem("spilt on")), ("sem_pot", sem("from"))], tags=["drink"], description="hot"),
    concept("sem_pot", "the blue pot", [("sem_shelf", sem("stands on"))]),
    concept("sem_shelf", "a crooked shelf", [("sem_wall", sem("hangs on"))]),
    concept("sem_wall", "the north wall"),
    episode(
        "sit_pot",
        "Mei dropped the lid and laughed.",
        [("sit_after", SITUATION), ("say_sorry", proc(0.8)), ("sem_mei", sem("with"))],
        context={"participants": [{"name": "Mei", "role": "guest"}]},
    ),
    episode("sit_after", "We swept up the pieces.", [("think_twice", proc(0.4)), ("pat_evening", SITUATION)]),
    pattern("pat_evening", "Environment", {"atmosphere": "quiet evening", "tone": "warm"}, [("hum", proc(0.9))]),
    concept("sem_mei", "Mei", [("hum", sem("taught me to"))], aliases=["little Mei"]),
    way("say_sorry", "Say sorry at once."),
    way("think_twice", "Count the cups.", "Think"),
    way("hum", "Hum the old song.", "Skill"),
)


# Chats.

HEADER = {"user_name": "Bo", "character_name": "Ann"}


def said(name: str, text: str, minute: int | None = None, **more: Any) -> Json:
    line = {"name": name, "is_user": name == "Bo", "mes": text, **more}
    return line if minute is None else line | {"send_date": f"2026-03-01T{10 + minute // 60:02d}:{minute % 60:02d}:00Z"}


def chat(*lines: Json) -> bytes:
    return b"".join(written(line) + b"\n" for line in (HEADER, *lines))


TALK = (
    said("Ann", "Good morning, did you find the lighthouse key?", 0),
    said("Bo", "Not yet, Greta took it to Halden on Monday.", 1),
    said("Ann", "Then we ask Greta. Halden is two hours by ferry.", 2),
    said("Bo", "I hate the ferry, it smells of diesel.", 3),
    said("Ann", "Bring ginger, Greta always did.", 5),
    said("Bo", "Fine. And the lighthouse lamp?", 6),
)


# Minds.


def whole(soul: Soul) -> tuple[str, str]:
    """All that a mind holds: its graph and its messages."""
    return soul.export_graph(), soul.export_messages()


def shown(recollection: Recollection) -> str:
    """A recollection as text, without how long it took."""
    fields = {name: getattr(recollection, name) for name in recollection.__dataclass_fields__ if name != "timings_ms"}
    return json.dumps(fields, default=str, ensure_ascii=False)


def check_sums(report: FileReport) -> FileReport:
    assert report.read == report.new + report.existing + report.skipped
    return report


def took(soul: Soul, data: bytes, name: str = "file", **options: Any) -> FileReport:
    """Ingest ``data``, which must not be refused, and whose report must add up."""
    report = soul.ingest_bytes(data, name=name, **options)
    assert report.refused is None, report.refused
    return check_sums(report)
