"""How well recall finds what must be found: structured questions and evidence, of the shipped characters or of any folder.

usage: quality.py [FOLDER…] [--json]      a FOLDER holds a query file and its graph, or chats with their evidence files
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from soulmem.model.notes import NoteType
from soulmem.model.queries import QueryCase, QueryConfig
from soulmem.model.results import Stage
from soulmem.recall.query_json import read_suite
from soulmem.soul import Soul

FIXTURES = Path(__file__).parents[1] / "fixtures"
AT = datetime(2026, 11, 1, tzinfo=UTC)
Scores = dict[str, list[float]]


def soul_with(path: Path, config: QueryConfig | None, folder: str, embedder: str) -> Soul:
    soul = Soul.create(Path(folder) / f"{len(list(Path(folder).iterdir()))}.mind", embedder=embedder, clock=lambda: AT)
    if config:
        soul.settings = soul.settings.with_values(similarity_floor=config.similarity_threshold, max_results=config.max_results)
    soul.ingest(path)
    return soul


def suite_scores(file: Path, embedder: str = "e5", tell: bool = False) -> Scores:
    """Scores of a query file, by what they measure."""
    suite = read_suite(file.read_text(encoding="utf-8"), str(file))
    scores: Scores = defaultdict(list)
    with (
        tempfile.TemporaryDirectory() as folder,
        soul_with(file.parent / suite.graph_path, suite.config, folder, embedder) as soul,
    ):
        for case in suite.cases:
            failed = case_scores(soul, case, scores)
            if tell and failed:
                print(f"  {case.name}: {failed}")
    return scores


def case_scores(soul: Soul, case: QueryCase, scores: Scores) -> str:
    """Add a case's scores; says what failed."""
    found = soul.recall_queries(case.sub_queries, at=AT)
    ranking = [memory.key for memory in found.memories if memory.stage is not Stage.CORE or memory.key in case.expected_combined]
    kind = case.name.split("-")[0]
    failed = []
    musts = case.expected_combined
    if musts:
        hit = all(must in ranking for must in musts)
        scores["musts all found"].append(hit)
        scores[f"musts all found: {kind}"].append(hit)
        scores["must recall"].append(sum(must in ranking for must in musts) / len(musts))
        scores["MRR"].append(max((1 / (ranking.index(must) + 1) for must in musts if must in ranking), default=0.0))
        failed += [must for must in musts if must not in ranking]
    elif not case.expected_actions and not case.expected_abstract and not any(case.expected_per_query):
        scores["negatives empty"].append(not ranking)
        failed += ranking[:3]
    if case.expected_actions:
        actions = [action.key for action in found.actions]
        hits = sum(action in actions for action in case.expected_actions)
        scores["action hit"].append(hits > 0)
        scores["action recall@3 per type"].append(hits / len(case.expected_actions))
        failed += [action for action in case.expected_actions if action not in actions]
    if case.expected_abstract:
        patterns = {memory.key for memory in found.memories if memory.type is NoteType.ABSTRACT}
        scores["patterns detected"].append(all(one in patterns for one in case.expected_abstract))
        failed += [one for one in case.expected_abstract if one not in patterns]
    return ", ".join(failed)


def evidence_scores(file: Path, embedder: str = "e5") -> Scores:
    """Evidence recall of a conversation's questions, by kind."""
    suite = json.loads(file.read_text(encoding="utf-8"))
    scores: Scores = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, soul_with(file.parent / suite["chat"], None, folder, embedder) as soul:
        for question in suite["questions"]:
            evidence = set(question["evidence"])
            if not evidence:
                continue
            ranked = [message.index for message in soul.recall(question["q"], messages=10, at=AT).messages]
            for k in (5, 10):
                value = len(evidence & set(ranked[:k])) / len(evidence)
                scores[f"R@{k}"].append(value)
                scores[f"R@{k} {question.get('kind', '-')}"].append(value)
    return scores


def all_scores(folders: Sequence[Path], tell: bool) -> Iterator[tuple[str, Scores]]:
    for folder in folders:
        for file in sorted(folder.rglob("*.json")):
            text = file.read_text(encoding="utf-8")
            if '"test_cases"' in text:
                yield str(file), suite_scores(file, tell=tell)
            elif '"evidence"' in text:
                yield str(file), evidence_scores(file)


def means(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: round(sum(values) / len(values), 4) for name, values in sorted(scores.items())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--failed", action="store_true", help="print what each case missed")
    args = parser.parse_args()
    for name, scores in all_scores(args.folders, args.failed):
        if args.json:
            print(json.dumps({"file": name, "metrics": means(scores)}, ensure_ascii=False))
            continue
        print(name)
        for metric, value in means(scores).items():
            print(f"  {metric:<40} {value:.3f}  n={len(scores[metric])}")


if __name__ == "__main__":
    main()
