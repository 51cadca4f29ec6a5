"""Finding the lines of MemoryBank's Chinese diaries that hold the answer, beside words alone, vectors alone and their mix.

usage: memorybank.py FOLDER [--missed] [--json]      FOLDER holds cn_first7.json: {user: {history, questions}}

Which lines hold the answers is in memorybank.evidence.json beside this file. All rows are measured in one run, with one embedder,
over one cutting into words.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from peers import Words, terms_of, with_neighbours

from soulmem.embed import open_embedder
from soulmem.embed.contract import Embedder
from soulmem.recall.evidence import standard
from soulmem.soul import Soul

EVIDENCE = Path(__file__).with_name("memorybank.evidence.json")
DATA = "cn_first7.json"
#: The questions are asked two days after the last talk.
AT = datetime(2023, 5, 8, 12, tzinfo=UTC)
CHARACTER = "AI伴侣"
DEPTHS = (5, 10)


@dataclass(frozen=True, slots=True)
class Diary:
    """What one user said and was told, a text a line, and the questions with the numbers of the lines that hold the answer."""

    user: str
    chat: str
    texts: tuple[str, ...]
    questions: tuple[tuple[str, frozenset[int]], ...]


def diaries(data: Mapping[str, Any], evidence: Mapping[str, Sequence[Sequence[int]]]) -> Iterator[Diary]:
    """The users' chats as chat JSONL, with their questions."""
    for name, record in data.items():
        user = name.strip()
        lines = list(_lines(user, record["history"]))
        header = {"user_name": user, "character_name": CHARACTER, "chat_metadata": {}}
        asked = tuple(zip(record["questions"], map(frozenset, evidence[user]), strict=True))
        chat = "\n".join(json.dumps(line, ensure_ascii=False) for line in (header, *lines)) + "\n"
        yield Diary(user, chat, tuple(line["mes"] for line in lines), asked)


def _lines(user: str, history: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[dict[str, Any]]:
    for day in sorted(history):
        when = datetime.strptime(day, "%Y-%m-%d").replace(hour=20, tzinfo=UTC)
        for number, turn in enumerate(history[day]):
            for side, text in enumerate((turn["query"], turn["response"])):
                sent = (when + timedelta(minutes=2 * number + side)).isoformat().replace("+00:00", "Z")
                yield {"name": CHARACTER if side else user, "is_user": not side, "send_date": sent, "mes": text}


# -- the peers ----------------------------------------------------------------------------------------------------------------


def peers(diary: Diary, embedder: Embedder) -> Iterator[dict[str, list[int]]]:
    """Per question the ranking of every peer."""
    passages = embedder.passages(diary.texts)
    index = Words(diary.texts, terms_of)
    for question, _ in diary.questions:
        words = index.scores(question)
        dense = np.asarray(passages @ embedder.queries([question])[0], dtype=np.float64)
        mix = 0.4 * standard(words) + 0.6 * standard(dense)
        rows = {"BM25": words, "dense (e5)": dense, "0.6/0.4 mix": mix, "mix and neighbours": with_neighbours(mix)}
        yield {name: np.argsort(-scores, kind="stable").tolist() for name, scores in rows.items()}


def ours(diary: Diary, folder: Path) -> Iterator[list[int]]:
    """Per question what soulmem finds in a mind that has read the chat."""
    file = folder / f"{diary.user}.jsonl"
    file.write_text(diary.chat, encoding="utf-8")
    with Soul.create(folder / f"{diary.user}.mind", embedder="e5", clock=lambda: AT) as soul:
        soul.ingest(file)
        for question, _ in diary.questions:
            yield [message.index for message in soul.recall(question, messages=max(DEPTHS)).messages]


# -- the measures -------------------------------------------------------------------------------------------------------------


def share_found(ranking: Sequence[int], evidence: frozenset[int], depth: int) -> float:
    """R@depth: the share of the evidence among the first ``depth``."""
    return len(evidence.intersection(ranking[:depth])) / len(evidence)


def measure(data: Mapping[str, Any], evidence: Mapping[str, Sequence[Sequence[int]]]) -> list[dict[str, Any]]:
    """Per question: user, number, evidence, and the ranking by row of the table."""
    embedder = open_embedder("e5")
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for diary in diaries(data, evidence):
            found = zip(diary.questions, peers(diary, embedder), ours(diary, Path(folder)), strict=True)
            for number, ((_, lines), rankings, mine) in enumerate(found):
                rows.append({"user": diary.user, "number": number, "evidence": lines, "rankings": {**rankings, "soulmem": mine}})
    return rows


def table(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """R@k of every row."""
    return {
        name: {
            f"R@{depth}": round(float(np.mean([share_found(row["rankings"][name], row["evidence"], depth) for row in rows])), 3)
            for depth in DEPTHS
        }
        for name in rows[0]["rankings"]
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help=f"holds {DATA}")
    parser.add_argument("--missed", action="store_true", help="print by user and number what soulmem did not find")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.folder is None:
        print(f"MemoryBank is not measured: name the folder that holds {DATA}.")
        return
    evidence = json.loads(EVIDENCE.read_text(encoding="utf-8"))["users"]
    rows = measure(json.loads((args.folder / DATA).read_text(encoding="utf-8")), evidence)
    found = table(rows)
    if args.json:
        print(json.dumps({"questions": len(rows), "rows": found}, ensure_ascii=False))
        return
    print(f"{len(rows)} questions of {len({row['user'] for row in rows})} users")
    for name, values in found.items():
        print(f"  {name:<20} " + "  ".join(f"{depth} {value:.3f}" for depth, value in values.items()))
    for row in rows if args.missed else ():
        mine = row["rankings"]["soulmem"]
        if share_found(mine, row["evidence"], 5) < 1:
            print(f"  {row['user']} {row['number']}: {sorted(row['evidence'])}, found {mine}")


if __name__ == "__main__":
    main()
