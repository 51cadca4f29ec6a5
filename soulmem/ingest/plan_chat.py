"""What of a conversation file is new: pure planning over what the mind already holds (SPEC §1, FORMATS A12.30, A12.35).

A file is compared with the chats of the mind by the fingerprints of its lines, not by its name: the same file twice adds nothing,
a grown one adds its tail, an edited line adds that line, a branch that shares its beginning with another chat adds what differs,
a shrunken file takes nothing away.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from soulmem.ingest.contract import Document, SaidLine
from soulmem.model.messages import Chat, Message, fingerprint
from soulmem.model.notes import derived_id

#: What the files of talks that are observed as they happen begin with.
LIVE = "live:"
#: Silence after which a new session begins.
SESSION_GAP = timedelta(minutes=90)
#: Without times, a session is this many lines.
UNTIMED_SESSION = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownChat:
    """A chat of the mind: its lines' (message id, fingerprint), in order, and the session of each; ``messages``: how many message
    lines its file had, those that could not be read included. ``sibling``: another conversation of the same file."""

    id: str
    file: str
    lines: tuple[tuple[str, str], ...]
    sessions: tuple[int, ...]
    messages: int = 0
    sibling: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPlan:
    """``chat`` as it will be recorded, ``new`` messages, and how many lines were there already.

    ``existing`` maps the number of a known line of the file to the id of its message. ``grown``: the mind has the chat already.
    """

    chat: Chat
    new: tuple[Message, ...]
    existing: Mapping[int, str]
    grown: bool = False


#: Where a line of the file is in the mind: the chat, and the place among its lines.
Found = Mapping[int, tuple[KnownChat, int]]


def plan_chat(
    document: Document,
    *,
    file: str,
    sha256: str,
    at: datetime,
    known: Sequence[KnownChat],
    scope: str = "public",
    greeting: str | None = None,
) -> ChatPlan:
    """Plan the messages of ``document``. ``known``: chats of the mind that share lines with it, or its file name; ``greeting``:
    the id of a message that says what the first line says, and where that line is known if nowhere else."""
    prints = [fingerprint(line.speaker, line.text, line.sent_at) for line in document.messages]
    aligned = {chat.id: _aligned(prints, [mark for _, mark in chat.lines]) for chat in known}
    chats = sorted(known, key=lambda chat: (chat.file != file, -len(aligned[chat.id]), chat.id))
    found = _found(document.messages, prints, chats, aligned, file)
    first_id = derived_id("chat", file, prints[0] if prints else "")
    home = _home(file, prints, known, aligned) or next((chat for chat in known if chat.id == first_id), None)
    chat_id = home.id if home else first_id
    greeted = greeting is not None and 0 not in found
    new = _new_messages(document, prints, found, chat_id, home, file, scope)[int(greeted) :]
    chat = Chat(
        id=chat_id,
        file=file,
        format=document.format,
        sha256=sha256,
        messages=max(document.read, home.messages if home else 0),
        ingested_at=at,
    )
    existing = {document.messages[position].index: chat.lines[place][0] for position, (chat, place) in found.items()}
    if greeting is not None and greeted:
        existing[document.messages[0].index] = greeting
    return ChatPlan(chat=chat, new=new, existing=existing, grown=home is not None)


def _home(
    file: str, prints: Sequence[str], known: Sequence[KnownChat], aligned: Mapping[str, Mapping[int, int]]
) -> KnownChat | None:
    """The chat this file continues: one of its name, or one of which it is a part or the other way round; never a talk that goes
    on, which numbers its own lines, nor another conversation of the same file."""
    for chat in sorted(
        (chat for chat in known if not chat.file.startswith(LIVE)), key=lambda chat: (-len(aligned[chat.id]), chat.id)
    ):
        shared = len(aligned[chat.id])
        whole = shared == min(len(prints), len(chat.lines)) and not chat.sibling
        if shared and (chat.file == file or whole):
            return chat
    return None


def _found(
    lines: Sequence[SaidLine],
    prints: Sequence[str],
    chats: Sequence[KnownChat],
    aligned: Mapping[str, Mapping[int, int]],
    file: str,
) -> Found:
    """Where the mind has the lines of the file; no message stands for two lines.

    A chat of the same name, or one of another file that shares half of the shorter of the two, may hold any line; another only
    the common beginning and lines with the same time, since words like "yes" are said in every conversation. Lines that moved
    count as known: what was inserted once would else be found in the wrong order, and be added again with every reading.
    """
    found: dict[int, tuple[KnownChat, int]] = {}
    same = [chat for chat in chats if chat.file == file or _much_shared(aligned[chat.id], prints, chat)]
    for chat in (chat for chat in chats if chat not in same):
        for ours, theirs in _surely_shared(lines, aligned[chat.id]):
            found.setdefault(ours, (chat, theirs))
    free: dict[str, dict[tuple[str, int], KnownChat]] = defaultdict(dict)
    for chat in same:
        for place, (_, mark) in enumerate(chat.lines):
            free[mark][chat.id, place] = chat
    for chat in same:
        for ours, theirs in aligned[chat.id].items():
            if ours not in found:
                found[ours] = (chat, theirs)
                del free[prints[ours]][chat.id, theirs]
    for ours, mark in enumerate(prints):
        if ours not in found and free[mark]:
            (chat_id, place) = next(iter(free[mark]))
            found[ours] = (free[mark].pop((chat_id, place)), place)
    return found


def _much_shared(pairs: Mapping[int, int], prints: Sequence[str], chat: KnownChat) -> bool:
    return not chat.sibling and 2 * len(pairs) >= min(len(prints), len(chat.lines)) > 0


def _surely_shared(lines: Sequence[SaidLine], pairs: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    beginning = True
    for ours, line in enumerate(lines):
        beginning = beginning and pairs.get(ours) == ours
        if ours in pairs and (beginning or line.sent_at is not None):
            yield ours, pairs[ours]


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
    found: Found,
    chat_id: str,
    home: KnownChat | None,
    file: str,
    scope: str,
) -> tuple[Message, ...]:
    seen = Counter(mark for _, mark in home.lines) if home else Counter[str]()
    sessions = _continued(session_numbers(document.messages), found, home)
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
                session=sessions[position],
            )
        )
        seen[mark] += 1
    return tuple(new)


def _continued(sessions: Sequence[int], found: Found, home: KnownChat | None) -> list[int]:
    """Sessions of the file in the numbers of the chat it continues: counted on from the last known line before each line; what
    stands before all known lines, from the first of them."""
    if home is None:
        return list(sessions)
    shifts = {
        position: home.sessions[place] - sessions[position] for position, (chat, place) in found.items() if chat.id == home.id
    }
    shift = shifts[min(shifts)] if shifts else max(home.sessions, default=-1) + 1
    numbers: list[int] = []
    for position, session in enumerate(sessions):
        shift = shifts.get(position, shift)
        numbers.append(max(session + shift, 0))
    return numbers


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
