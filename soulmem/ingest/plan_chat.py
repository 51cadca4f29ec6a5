"""What of a conversation file is new: pure planning over what the mind already holds (SPEC §1, FORMATS A12.30, A12.35).

A file is compared with the chats of the mind by the fingerprints of its lines, not by its name: the same file twice adds nothing,
a grown one adds its tail, an edited line adds that line, a branch that shares its beginning with another chat adds what differs,
a shrunken file takes nothing away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from soulmem.ingest.contract import Document, SaidLine
from soulmem.model.messages import Chat, Message, fingerprint
from soulmem.model.notes import derived_id

#: Silence after which a new session begins.
SESSION_GAP = timedelta(minutes=90)
#: Without times, a session is this many lines.
UNTIMED_SESSION = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownChat:
    """A chat of the mind: its lines' (message id, fingerprint), in order, and what its last line says of time and session."""

    id: str
    file: str
    lines: tuple[tuple[str, str], ...]
    last_sent_at: datetime | None = None
    last_session: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPlan:
    """``chat`` as it will be recorded, ``new`` messages, and how many lines were there already.

    ``existing`` maps the number of a known line of the file to the id of its message.
    """

    chat: Chat
    new: tuple[Message, ...]
    existing: Mapping[int, str]


def plan_chat(
    document: Document, *, file: str, sha256: str, at: datetime, known: Sequence[KnownChat], scope: str = "public"
) -> ChatPlan:
    """Plan the messages of ``document``. ``known``: chats of the mind that share lines with it, or its file name."""
    prints = [fingerprint(line.speaker, line.text, line.sent_at) for line in document.messages]
    matches = {chat.id: _aligned(prints, [p for _, p in chat.lines]) for chat in known}
    found: dict[int, str] = {}
    for other in sorted(known, key=lambda other: (-len(matches[other.id]), other.file != file, other.id)):
        for ours, theirs in matches[other.id].items():
            found.setdefault(ours, other.lines[theirs][0])
    home = _home(file, prints, known, matches)
    chat_id = home.id if home else derived_id("chat", file, prints[0] if prints else "")
    new = _new_messages(document, prints, found, chat_id, home, file, scope)
    chat = Chat(
        id=chat_id,
        file=file,
        format=document.format,
        sha256=sha256,
        messages=max(len(prints), len(home.lines) if home else 0),
        ingested_at=at,
    )
    existing = {document.messages[position].index: message for position, message in found.items()}
    return ChatPlan(chat=chat, new=new, existing=existing)


def _home(
    file: str, prints: Sequence[str], known: Sequence[KnownChat], matches: Mapping[str, Mapping[int, int]]
) -> KnownChat | None:
    """The chat this file continues: one of its name, or one of which it is a part or the other way round."""
    for chat in sorted(known, key=lambda chat: (-len(matches[chat.id]), chat.id)):
        shared = len(matches[chat.id])
        if shared and (chat.file == file or shared == min(len(prints), len(chat.lines))):
            return chat
    return None


def _aligned(ours: Sequence[str], theirs: Sequence[str]) -> dict[int, int]:
    """Positions of equal lines, in order in both: the common head and tail, and the longest common subsequence between."""
    head = 0
    while head < min(len(ours), len(theirs)) and ours[head] == theirs[head]:
        head += 1
    tail = 0
    while tail < min(len(ours), len(theirs)) - head and ours[-1 - tail] == theirs[-1 - tail]:
        tail += 1
    pairs = {position: position for position in range(head)}
    pairs |= {len(ours) - 1 - back: len(theirs) - 1 - back for back in range(tail)}
    middle_ours, middle_theirs = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    if middle_ours and middle_theirs:
        pairs |= {head + a: head + b for a, b in _common_subsequence(middle_ours, middle_theirs)}
    return pairs


def _common_subsequence(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    from rapidfuzz.distance import LCSseq

    pairs: list[tuple[int, int]] = []
    for op in LCSseq.opcodes(ours, theirs):
        if op.tag == "equal":
            pairs += zip(range(op.src_start, op.src_end), range(op.dest_start, op.dest_end), strict=True)
    return pairs


def _new_messages(
    document: Document,
    prints: Sequence[str],
    found: Mapping[int, str],
    chat_id: str,
    home: KnownChat | None,
    file: str,
    scope: str,
) -> tuple[Message, ...]:
    seen = Counter(p for _, p in home.lines) if home else Counter[str]()
    sessions = session_numbers(document.messages)
    shift = 0
    if home and found:
        shift = home.last_session - max(sessions[position] for position in found)
    new: list[Message] = []
    for position, (line, mark) in enumerate(zip(document.messages, prints, strict=True)):
        if position in found:
            continue
        new.append(
            Message(
                id=derived_id("message", chat_id, mark, seen[mark]),
                chat=chat_id,
                index=line.index,
                file=file,
                line=line.line,
                speaker=line.speaker,
                role=line.role,
                text=line.text,
                sent_at=line.sent_at,
                hidden=line.hidden,
                scope=scope,
                session=max(sessions[position] + shift, 0),
            )
        )
        seen[mark] += 1
    return tuple(new)


def session_numbers(lines: Sequence[SaidLine]) -> list[int]:
    """The session of each line, from 0: a new one begins after a long silence, or every so many lines without times."""
    numbers: list[int] = []
    current, untimed, last = 0, 0, None
    for line in lines:
        if line.sent_at is None:
            untimed += 1
            if untimed > UNTIMED_SESSION:
                current, untimed = current + 1, 1
        else:
            untimed = 0
            if last is not None and abs(line.sent_at - last) > SESSION_GAP:
                current += 1
            last = line.sent_at
        numbers.append(current)
    return numbers
