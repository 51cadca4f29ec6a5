"""Finding the lines of a long talk that hold the answer, beside words alone, vectors alone and their mixes, in one run.

usage: locomo.py FOLDER [--json]      FOLDER holds chats (NAME.jsonl) with their questions (NAME.evidence.json)

LoCoMo's conversations as chat files, one line a turn, or any others. R@k is the share of the evidence lines among the first k.
The last row is soulmem with its walks off: what the graph adds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from peers import Floats, Said, Words, rows, terms_of

from soulmem.embed import open_embedder
from soulmem.embed.contract import Embedder
from soulmem.model.messages import Message
from soulmem.soul import Soul
from soulmem.tune.questions import QuestionFile, Suite, found_files, read_questions

AT = datetime(2026, 11, 1, tzinfo=UTC)
DEPTHS = (5, 10, 25)
#: A word leads on if no more lines have it.
RAREST = 30
WITHOUT_WALKS = {"damping": 0.0, "lines_walk": 0.0}

#: Of one question: its kind, its evidence, and the lines found by the name of who found them.
Found = tuple[str, frozenset[str], Mapping[str, Sequence[str]]]


def told(message: Message) -> str:
    """A line with its day and speaker: both are asked for."""
    return f"{message.sent_at:%d %B %Y} {message.speaker}: {message.text}" if message.sent_at else message.text


def peers(messages: Sequence[Message], questions: QuestionFile, embedder: Embedder) -> Iterator[dict[str, Floats]]:
    """Per question the scores of every peer."""
    words = Words([told(message) for message in messages], terms_of)
    walk = words.walk(RAREST)
    passages = embedder.passages([told(message) for message in messages])
    session = np.array([message.session for message in messages], dtype=np.int64)
    for case in questions.cases:
        named = {message.speaker for message in messages if message.speaker.casefold() in case.text.casefold()}
        said = Said(session=session, named=np.array([float(len(named) == 1 and m.speaker in named) for m in messages]))
        dense = np.asarray(passages @ embedder.queries([case.text])[0], dtype=np.float64)
        yield rows(words, walk, dense, case.text, said)


def ours(soul: Soul, questions: QuestionFile) -> Iterator[list[str]]:
    """Per question the lines soulmem finds."""
    for case in questions.cases:
        yield [str(message.index) for message in soul.recall(case.text, messages=max(DEPTHS), at=AT).messages]


def found_in(questions: QuestionFile, embedder: Embedder, folder: Path) -> Iterator[Found]:
    """What everybody finds in one chat."""
    with Soul.create(folder / f"{questions.name}.mind", embedder=embedder, clock=lambda: AT) as soul:
        soul.ingest(questions.source)
        messages = soul.store.messages([row["id"] for row in soul.store.query("store.all_messages")])
        messages = sorted((message for message in messages if not message.hidden), key=lambda message: message.index)
        mine = list(ours(soul, questions))
        soul.settings = soul.settings.with_values(**WITHOUT_WALKS)
        without = list(ours(soul, questions))
    beside = peers(messages, questions, embedder)
    for case, scores, one, other in zip(questions.cases, beside, mine, without, strict=True):
        rankings = {name: _best(messages, values) for name, values in scores.items()}
        yield case.kind, frozenset(case.musts), {**rankings, "soulmem": one, "soulmem without walks": other}


def _best(messages: Sequence[Message], scores: Floats) -> list[str]:
    return [str(messages[place].index) for place in np.argsort(-scores, kind="stable")[: max(DEPTHS)]]


def table(found: Sequence[Found]) -> dict[str, dict[str, dict[str, float]]]:
    """R@k by row, then kind of question (``all`` first), then depth."""
    shares: dict[str, dict[str, dict[str, list[float]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for kind, evidence, rankings in found:
        for name, ranking in rankings.items():
            for depth in DEPTHS:
                share = len(evidence.intersection(ranking[:depth])) / len(evidence)
                for group in ("all", kind):
                    shares[name][group][f"R@{depth}"].append(share)
    return {
        name: {group: {depth: round(float(np.mean(values)), 3) for depth, values in by.items()} for group, by in groups.items()}
        for name, groups in shares.items()
    }


def print_table(rows_: Mapping[str, Mapping[str, Mapping[str, float]]], depth: str) -> None:
    kinds = list(next(iter(rows_.values())))
    print(f"{depth:<30}" + "".join(f"{kind:>13}" for kind in kinds))
    for name, groups in rows_.items():
        print(f"{name:<30}" + "".join(f"{groups[kind][depth]:>13.3f}" for kind in kinds))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help="holds NAME.jsonl and NAME.evidence.json")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.folder is None:
        print("No long talks are measured: name the folder that holds NAME.jsonl and NAME.evidence.json.")
        return
    embedder: Any = open_embedder("e5")
    found: list[Found] = []
    with tempfile.TemporaryDirectory() as folder:
        for file in found_files([args.folder], Suite.EVIDENCE):
            found += found_in(read_questions(file, Suite.EVIDENCE), embedder, Path(folder))
    measured = table([one for one in found if one[1]])
    if args.json:
        print(json.dumps({"questions": len(found), "rows": measured}))
        return
    print(f"{len(found)} questions")
    for depth in DEPTHS:
        print_table(measured, f"R@{depth}")


if __name__ == "__main__":
    main()
