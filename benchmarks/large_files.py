"""What reading large files costs: ``python benchmarks/large_files.py [--megabytes 490] [FORMAT …]``.

For each format a file of that size, shaped like real ones, is written to a temporary folder and read in a fresh process. Prints
a table in Markdown: seconds of the processor, MB a second, the peak of the memory in use (MB, all of the process), how many
messages or notes were found, and the text of what was said (MB). The same messages come again and again.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Any

MEGABYTE = 2**20
NOW = datetime(2026, 1, 1, tzinfo=UTC)
_CHINESE = "今天晚上有没有船去对岸我们明天再说好了你吃过饭了吗这个问题很难回答大家都知道他昨天来过"
_ENGLISH = (
    "the",
    "boat",
    "leaves",
    "at",
    "seven",
    "and",
    "nobody",
    "knows",
    "why",
    "it",
    "never",
    "comes",
    "back",
    "before",
    "noon",
)


class Talk:
    """Things said by a few people, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._drawn = random.Random(seed)

    def chinese(self, most: int = 30) -> str:
        """A few characters."""
        return "".join(self._drawn.choices(_CHINESE, k=self._drawn.randint(2, most)))

    def english(self, most: int = 40) -> str:
        """A few words."""
        return " ".join(self._drawn.choices(_ENGLISH, k=self._drawn.randint(3, most))).capitalize() + "."

    def person(self, of: int) -> int:
        """The number of who speaks."""
        return self._drawn.randrange(of)

    def ident(self) -> str:
        """An id such as programs write."""
        return f"{self._drawn.getrandbits(128):032x}"


def at(number: int) -> datetime:
    """When the message of this number was sent."""
    return datetime(2016, 1, 1, tzinfo=UTC) + timedelta(seconds=37 * number)


def plain(value: Any) -> str:
    """``value`` as JSON."""
    return json.dumps(value, ensure_ascii=False)


def array(elements: Iterator[Any], indent: int | None = None) -> Iterator[str]:
    """The elements of an array, as JSON."""
    for number, element in enumerate(elements):
        yield (", " if number else "") + json.dumps(element, ensure_ascii=False, indent=indent)


def qq_message(talk: Talk, number: int) -> dict[str, Any]:
    who, text = talk.person(40), talk.chinese()
    sender = {"uid": f"u_{who:022d}", "uin": str(10_000_000 + who), "name": f"群友{who}", "groupCard": f"名片{who}"}
    element = {"type": "text", "data": {"text": text}}
    raw = {"msgId": talk.ident(), "msgSeq": str(number), "senderUid": sender["uid"], "msgTime": str(int(at(number).timestamp()))}
    raw["elements"] = [{"elementType": 1, "elementId": talk.ident(), "textElement": {"content": text, "atType": 0}}]
    return {
        "id": talk.ident(),
        "seq": str(number),
        "timestamp": int(at(number).timestamp() * 1000),
        "time": at(number).strftime("%Y-%m-%d %H:%M:%S"),
        "sender": sender,
        "type": "text",
        "content": {"text": text, "html": f"<span>{text}</span>", "raw": plain(raw), "elements": [element], "resources": []},
        "recalled": False,
        "system": False,
        "rawMessage": raw,
    }


def qq() -> Iterator[str]:
    talk = Talk(1)
    return array((qq_message(talk, number) for number in count()), indent=2)


def qq_text() -> Iterator[str]:
    talk = Talk(2)
    for number in count():
        who = talk.person(40)
        yield f"{at(number):%Y-%m-%d %H:%M:%S} 群友{who}({10_000_000 + who})\n{talk.chinese()}\n\n"


def chatgpt() -> Iterator[str]:
    talk = Talk(3)

    def conversation(number: int) -> dict[str, Any]:
        root, mapping = talk.ident(), dict[str, Any]()
        mapping[root] = {"id": root, "message": None, "parent": None, "children": []}
        above = root
        for place in range(40):
            ident, role = talk.ident(), ("user", "assistant")[place % 2]
            message = {
                "id": ident,
                "author": {"role": role, "name": None, "metadata": {}},
                "create_time": at(number).timestamp() + place,
                "content": {"content_type": "text", "parts": [talk.english(30 + 60 * (place % 2))]},
                "status": "finished_successfully",
                "end_turn": True,
                "weight": 1.0,
                "metadata": {"model_slug": "gpt-4o", "request_id": talk.ident(), "parent_id": above, "citations": []},
                "recipient": "all",
                "channel": None,
            }
            mapping[ident] = {"id": ident, "message": message, "parent": above, "children": []}
            mapping[above]["children"].append(ident)
            above = ident
        return {"title": talk.english(5), "create_time": 1.0, "mapping": mapping, "current_node": above, "id": talk.ident()}

    return array(map(conversation, count()))


def open_webui() -> Iterator[str]:
    talk = Talk(4)

    def chat(number: int) -> dict[str, Any]:
        held, above = dict[str, Any](), None
        for place in range(40):
            ident = talk.ident()
            role = ("user", "assistant")[place % 2]
            text = talk.english(30 + 60 * (place % 2))
            stamp = int(at(number).timestamp()) + place
            held[ident] = {"id": ident, "parentId": above, "childrenIds": [], "role": role, "content": text, "timestamp": stamp}
            held[ident] |= {"models": ["llama3"], "usage": {"total_duration": 1, "eval_count": 17}}
            above = ident
        inner = {"title": "A chat", "models": ["llama3"], "messages": list(held.values())}
        inner["history"] = {"messages": held, "currentId": above}
        return {"id": talk.ident(), "user_id": talk.ident(), "title": talk.english(5), "chat": inner}

    return array(map(chat, count()))


def sharegpt() -> Iterator[str]:
    talk = Talk(5)
    for number in count():
        turns = [{"from": ("human", "gpt")[place % 2], "value": talk.english(90)} for place in range(20)]
        yield plain({"id": f"s{number}", "conversations": turns}) + "\n"


def openai() -> Iterator[str]:
    talk = Talk(6)
    return array({"role": ("user", "assistant")[place % 2], "content": talk.english(90)} for place in count())


def character_ai() -> Iterator[str]:
    talk = Talk(7)

    def turn(number: int) -> dict[str, Any]:
        human = number % 2 == 0
        candidates = [
            {
                "candidate_id": talk.ident(),
                "create_time": f"{at(10**7 - number):%Y-%m-%dT%H:%M:%SZ}",
                "raw_content": talk.english(60),
            }
            for _ in range(1 if human else 3)
        ]
        return {
            "turn_key": {"chat_id": "c1", "turn_id": talk.ident()},
            "create_time": f"{at(10**7 - number):%Y-%m-%dT%H:%M:%SZ}",
            "last_update_time": f"{at(10**7 - number):%Y-%m-%dT%H:%M:%SZ}",
            "state": "STATE_OK",
            "author": {"author_id": "1001" if human else "2002", "name": "Jon" if human else "Mira", "is_human": human},
            "candidates": candidates,
            "primary_candidate_id": candidates[0]["candidate_id"],
        }

    return array(map(turn, count()))


def risuai() -> Iterator[str]:
    talk = Talk(8)
    about = {"model": "gpt-4o", "generationId": "", "inputTokens": 1000, "outputTokens": 100, "maxContext": 4000}

    def message(number: int) -> dict[str, Any]:
        role, stamp = ("user", "char")[number % 2], int(at(number).timestamp() * 1000)
        info = {**about, "generationId": talk.ident()}
        return {"role": role, "data": talk.english(60), "time": stamp, "chatId": talk.ident(), "generationInfo": info}

    return array(map(message, count()))


def sillytavern() -> Iterator[str]:
    talk = Talk(9)
    for number in count():
        user = number % 2 == 0
        swipes = [talk.english(60) for _ in range(1 if user else 4)]
        about = {"api": "openai", "model": "gpt-4o", "reasoning": "" if user else talk.english(60), "gen_id": talk.ident()}
        message = {"name": "Jon" if user else "Mira", "is_user": user, "send_date": f"{at(number):%Y-%m-%dT%H:%M:%S.000Z}"}
        yield plain({**message, "mes": swipes[0], "extra": about, "swipes": swipes, "swipe_id": 0}) + "\n"


def messages() -> Iterator[str]:
    talk = Talk(10)
    chat = talk.ident()
    for number in count():
        said = {"id": talk.ident(), "chat": chat, "index": number, "file": "chat.jsonl", "line": number + 1, "speaker": "Jon"}
        told = {"role": "user", "text": talk.english(60), "sent_at": at(number).isoformat(), "present": ["Jon", "Mira"]}
        yield plain({"message": {**said, **told, "hidden": False, "session": 0}}) + "\n"


def graph() -> Iterator[str]:
    talk = Talk(11)
    for number in count():
        link = {"from": f"n{number}", "to": f"n{max(0, number - 1)}", "intensity": 1.0}
        link["link_type"] = {"Sem": {"verb": "leads to", "confidence": 0.9}}
        kind = {
            "Semantic": {"content": f"thing {number}", "concept_type": "Entity", "description": talk.english(), "aliases": []}
        }
        links = [link] if number else []
        yield plain({"id": f"n{number}", "tags": [], "mem_type": kind, "mem_links": links}) + "\n"


def script() -> Iterator[str]:
    talk = Talk(12)
    for _ in count():
        yield f"{('Jon', 'Mira')[talk.person(2)]}: {talk.english()}\n"


@dataclass(frozen=True, slots=True)
class Shape:
    """A file: what stands before and behind its ``pieces``, which may be written ``again`` and again."""

    pieces: Callable[[], Iterator[str]]
    opening: str = ""
    closing: str = ""
    again: bool = True


_QQ = '{\n  "metadata": {"name": "QQChatExporter V4"},\n  "messages": ['
_QQ_TEXT = "消息记录（此消息记录为文本格式，不支持重新导入）\n\n消息对象:渡口\n================================\n"
_RISUAI = '{"type": "risuChat", "ver": 2, "data": {"note": "", "message": ['
_HEADER = plain({"user_name": "Jon", "character_name": "Mira", "chat_metadata": {}}) + "\n"

FILES = {
    "qq": Shape(qq, _QQ, "]}"),
    "qq-text": Shape(qq_text, _QQ_TEXT),
    "chatgpt": Shape(chatgpt, "[", "]"),
    "open-webui": Shape(open_webui, "[", "]"),
    "sharegpt": Shape(sharegpt),
    "openai": Shape(openai, "[", "]"),
    "character-ai": Shape(character_ai, '{"turns": [', "]}"),
    "risuai": Shape(risuai, _RISUAI, "]}}"),
    "sillytavern": Shape(sillytavern, _HEADER),
    "soulmem-messages": Shape(messages, plain({"soulmem": "messages", "version": 1}) + "\n"),
    "graph-json": Shape(graph, again=False),
    "script": Shape(script),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What reading a file took. ``peak``: memory in use at most, ``text``: of what was said; both in MB."""

    seconds: float
    peak: float
    found: int
    text: float


def write(path: Path, shape: Shape, size: int) -> None:
    """A file of about ``size`` bytes."""
    pieces = shape.pieces()
    with path.open("wb") as file:
        file.write((shape.opening + next(pieces)).encode())
        while file.tell() < size:
            many = "".join(islice(pieces, 100)).encode()
            for _ in range(min(100, (size - file.tell()) // len(many) + 1) if shape.again else 1):
                file.write(many)
        file.write(shape.closing.encode())


def cost(path: Path, name: str) -> Cost:
    """What reading ``path`` takes in this process, which is to be a fresh one."""
    from soulmem.ingest.formats import detect, read
    from soulmem.ingest.mapped import contents

    gc.disable()  # as when a mind takes a file in
    began = time.process_time()
    data = contents(path)
    found = detect(data).name
    assert found == name, found
    document = read(data, NOW)
    seconds = time.process_time() - began
    peak = _peak()
    lines = [line.text for _, part in document.parts for line in part.messages]
    lines += [message.text for message in document.archived]
    text = sum(len(line.encode()) for line in lines) / MEGABYTE
    return Cost(seconds, peak, len(lines) + len(document.notes), text)


def _peak() -> float:
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description="What reading large files costs.")
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=f"all, or some of {', '.join(FILES)}")
    parser.add_argument("--megabytes", type=int, default=490, help="no more than can be read")
    given = parser.parse_args()
    print("| format | s | MB/s | peak, MB | messages or notes | text of them, MB |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        for name in given.formats or FILES:
            write(path, FILES[name], given.megabytes * MEGABYTE)
            with multiprocessing.get_context("spawn").Pool(1) as fresh:
                one = fresh.apply(cost, (path, name))
            speed = path.stat().st_size / MEGABYTE / one.seconds
            print(f"| {name} | {one.seconds:.1f} | {speed:.0f} | {one.peak:.0f} | {one.found:,} | {one.text:.0f} |", flush=True)


if __name__ == "__main__":
    main()
