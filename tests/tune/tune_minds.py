"""What the tests of tune share: a small mind with known answers, made with the hashing embedder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from soulmem.model.notes import ActionType, NoteType
from soulmem.model.results import Action, Memory, Recollection, Stage
from soulmem.soul import Soul
from soulmem.tune.contract import OpenMind
from soulmem.tune.questions import QuestionFile, Suite, read_questions

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)

Json = dict[str, Any]


def now() -> datetime:
    return AT


def opening(mind: Path) -> OpenMind:
    return partial(Soul.open, mind, read_only=True, clock=now)


# Graphs.


def node(key: str, mem_type: Json, links: Sequence[tuple[str, Json]] = (), tags: Sequence[str] = ()) -> Json:
    stated = [{"from": key, "to": target, "intensity": 1.0, "link_type": kind} for target, kind in links]
    return {"id": key, "tags": list(tags), "mem_type": mem_type, "mem_links": stated}


def concept(key: str, content: str, links: Sequence[tuple[str, Json]] = (), tags: Sequence[str] = ()) -> Json:
    fields = {"content": content, "aliases": [], "concept_type": "Entity", "description": ""}
    return node(key, {"Semantic": fields}, links, tags)


def episode(key: str, narrative: str, links: Sequence[tuple[str, Json]] = ()) -> Json:
    return node(key, {"Situation": {"SpecificSituation": {"narrative": narrative, "time_span": None, "context": {}}}}, links)


SEM = {"Sem": {"verb": "about", "confidence": 1.0}}
SITUATION = {"Situation": {"SpecificToSpecific": {}}}
PROC = {"Proc": {"TrigToAction": {"prob": 0.9}}}

#: Lanterns are found by their words; the harbour night and the whistle only by walking from them.
GRAPH = (
    concept("sem_lantern", "paper lantern", [("sit_harbour", SEM), ("sem_oil", SEM)], tags=["light"]),
    concept("sem_oil", "whale oil", [("sem_shop", SEM)]),
    concept("sem_shop", "the corner shop"),
    concept("sem_bread", "rye bread", [("sem_shop", SEM)]),
    episode("sit_harbour", "We stood in the rain until the last boat came.", [("sit_whistle", SITUATION), ("say_wait", PROC)]),
    episode("sit_whistle", "Somebody blew three times and ran."),
    node("say_wait", {"Procedure": {"action": {"content": "Wait one more hour.", "action_type": "Speak"}}}),
)


def asks(text: str, *, priority: int = 5) -> Json:
    return {"priority": priority, "tag": [], "variant": {"Semantic": [{"concept_identifier": text}]}}


def case(name: str, *queries: Json, musts: Sequence[str] = (), **more: Any) -> Json:
    per_query = more.pop("per_query", [])
    return {
        "name": name,
        "sub_queries": list(queries),
        "expected_per_query": [{"q": number, "ranking": list(keys)} for number, keys in enumerate(per_query)],
        "expected_combined_ranking": list(musts),
        "expected_actions": more.pop("actions", []),
        **more,
    }


CASES = (
    case("direct-lantern", asks("paper lantern"), musts=["sem_lantern"], per_query=[["sem_lantern"]]),
    case("direct-two", asks("paper lantern"), asks("rye bread"), musts=["sem_lantern", "sem_bread"]),
    case("walk-harbour", asks("paper lantern"), musts=["sit_harbour"], actions=["say_wait"], bonus_combined_ranking=["sem_oil"]),
    case("negative-nothing", asks("zqxj vvkw")),
)


def suite(cases: Sequence[Json] = CASES, **more: Any) -> Json:
    config = {"similarity_threshold": 0.5, "max_results": 3, "test_k_values": [1, 3]}
    return {"name": "lanterns", "description": "", "graph_path": "graph.json", "config": config, "test_cases": list(cases)} | more


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def question_file(folder: Path, value: Json | None = None, name: str = "queries.json") -> QuestionFile:
    return read_questions(written(folder / name, value or suite()), Suite.FULL)


# Chats.

LINES = (
    ("Ann", "Good morning, did you find the lighthouse key?"),
    ("Bo", "Not yet, Greta took it to Halden on Monday."),
    ("Ann", "Then we ask Greta about it."),
    ("Bo", "I hate the ferry, it smells of diesel."),
)


def chat() -> str:
    head = {"user_name": "Bo", "character_name": "Ann"}
    lines = [
        {"name": name, "is_user": name == "Bo", "mes": text, "send_date": f"2026-03-01T10:{minute:02d}:00Z"}
        for minute, (name, text) in enumerate(LINES)
    ]
    return "".join(json.dumps(line) + "\n" for line in (head, *lines))


EVIDENCE: Json = {
    "name": "keys",
    "chat": "chat.jsonl",
    "questions": [
        {"q": "What smells of diesel, the ferry?", "evidence": [3], "kind": "single"},
        {"q": "Who took the lighthouse key to Halden?", "evidence": [0, 1], "kind": "multi"},
        {"q": "zqxj vvkw", "evidence": [], "kind": "negative"},
    ],
}


# Recollections made by hand.


def memory(key: str, stage: Stage = Stage.SIMILARITY, type: NoteType = NoteType.SEMANTIC, score: float = 0.5) -> Memory:
    return Memory(id=f"id of {key}", key=key, type=type, text=key, score=score, stage=stage)


def action(key: str, kind: ActionType = ActionType.SPEAK) -> Action:
    return Action(id=f"id of {key}", key=key, action_type=kind, text=key, score=0.5)


def recollection(*memories: Memory, actions: Sequence[Action] = ()) -> Recollection:
    return Recollection(query="q", at=AT, memories=memories, actions=tuple(actions))


def without(mapping: Mapping[str, Any], *names: str) -> Json:
    return {name: value for name, value in mapping.items() if name not in names}
