"""What of a conversation file is new: pure planning over what the mind already holds (SPEC §1, FORMATS A12.30, A12.35).

A file is compared with the chats of the mind by the fingerprints of its lines, not by its name: the same file twice adds nothing,
a grown one adds its tail, an edited line adds that line, a branch that shares its beginning with another chat adds what differs,
a shrunken file takes nothing away. Lines without times are known only in order, as the beginning of a chat or as several on end:
words like "yes" are said in every conversation, also in another one that a program wrote into a file of the same name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from soulmem.ingest.contract import Document, SaidLine
from soulmem.ingest.versions import former_lines
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
    lines its file had, those that could not be read included. ``sibling``: another conversation of the same file. ``places``: the
    number that each line had in its file; ``sha256``: of the file that was read last."""

    id: str
    file: str
    lines: tuple[tuple[str, str], ...]
    sessions: tuple[int, ...]
    messages: int = 0
    sibling: bool = False
    places: tuple[int, ...] = ()
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPlan:
    """``chat`` as it will be recorded, ``new`` messages, and how many lines were there already.

    ``existing`` maps the number of a known line of the file to the id of its message. ``grown``: the mind has the chat already.
    ``former``: number of a new line → the id of the message that stood in its place when the file was read before.
    """

    chat: Chat
    new: tuple[Message, ...]
    existing: Mapping[int, str]
    grown: bool = False
    former: Mapping[int, str] = field(default_factory=dict)


#: So many lines on end, in the same order, are the same lines.
RUN = 3

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
    versions = {
        chat.id
        for chat in known
        if _is_unchanged(chat, file, sha256) or _is_version(document.messages, aligned[chat.id], prints, chat, file)
    }
    found = _found(document.messages, prints, chats, aligned, versions, file, sha256)
    home = _home(file, prints, known, aligned, versions)
    chat_id = home.id if home else _new_id(file, prints, {chat.id for chat in known})
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
    former = _former(document.messages, found, home) if home else {}
    return ChatPlan(chat=chat, new=new, existing=existing, grown=home is not None, former=former)


def _former(lines: Sequence[SaidLine], found: Found, home: KnownChat) -> dict[int, str]:
    kept = {place: position for position, (chat, place) in found.items() if chat.id == home.id}
    return former_lines(lines, found.keys(), home.places, [id_ for id_, _ in home.lines], kept)


def _home(
    file: str,
    prints: Sequence[str],
    known: Sequence[KnownChat],
    aligned: Mapping[str, Mapping[int, int]],
    versions: Collection[str],
) -> KnownChat | None:
    """The chat this file continues: one of its name, or one of which it is a part or the other way round; never a talk that goes
    on, which numbers its own lines, nor another conversation of the same file, nor another chat that had the name before."""
    for chat in sorted(
        (chat for chat in known if not chat.file.startswith(LIVE)), key=lambda chat: (-len(aligned[chat.id]), chat.id)
    ):
        shared = len(aligned[chat.id])
        whole = shared == min(len(prints), len(chat.lines)) and not chat.sibling
        if shared and (chat.id in versions if chat.file == file else whole):
            return chat
    return None


def _new_id(file: str, prints: Sequence[str], taken: Collection[str]) -> str:
    """The id of a chat that is new: by its first line, and by as many more as tell it from others of the name."""
    for number in range(1, len(prints) + 1):
        found = derived_id("chat", file, *prints[:number])
        if found not in taken:
            return found
    return derived_id("chat", file, *(prints or ("",)), *sorted(taken))


def _is_version(lines: Sequence[SaidLine], pairs: Mapping[int, int], prints: Sequence[str], chat: KnownChat, file: str) -> bool:
    """Whether half of the shorter of the two is the beginning of the other, stands there on end, or says when it was said; or
    all that the chat has of the file stands where it stood."""
    if chat.file == file and chat.lines and len(_in_place(lines, prints, chat)) == len(chat.lines):
        return True
    sure = _on_end(pairs) | {ours for ours in pairs if lines[ours].sent_at is not None}
    return 2 * len(sure) >= min(len(prints), len(chat.lines)) > 0


def _is_unchanged(chat: KnownChat, file: str, sha256: str) -> bool:
    return chat.file == file and chat.sha256 == sha256 != ""


def _on_end(pairs: Mapping[int, int]) -> set[int]:
    """The lines of the file that are known as the beginning of the chat, or as several on end."""
    found: set[int] = set()
    run: list[int] = []
    for ours in (*sorted(pairs), -1):
        if run and (ours != run[-1] + 1 or pairs[ours] != pairs[run[-1]] + 1):
            if len(run) >= RUN:
                found.update(run)
            run = []
        run.append(ours)
    beginning = 0
    while pairs.get(beginning) == beginning:
        found.add(beginning)
        beginning += 1
    return found


def _found(
    lines: Sequence[SaidLine],
    prints: Sequence[str],
    chats: Sequence[KnownChat],
    aligned: Mapping[str, Mapping[int, int]],
    versions: Collection[str],
    file: str,
    sha256: str,
) -> Found:
    """Where the mind has the lines of the file; no message stands for two lines.

    A former version of the file, or one under another name, may hold any line that :func:`_paired` tells. Another chat only the
    common beginning, lines with the same time, and several on end if it has the name of the file. A file that did not change
    since it was read has nothing new in whatever order its lines stand in the mind, nor has a line that says when it was said.
    """
    found: dict[int, tuple[KnownChat, int]] = {}
    same = [chat for chat in chats if not chat.sibling and chat.id in versions]
    for chat in (chat for chat in chats if chat not in same):
        for ours, theirs in _surely_shared(lines, aligned[chat.id], on_end=chat.file == file):
            found.setdefault(ours, (chat, theirs))
    for chat in same:
        for ours, theirs in _paired(lines, prints, chat, aligned[chat.id], found, file).items():
            found.setdefault(ours, (chat, theirs))
    unchanged = any(_is_unchanged(chat, file, sha256) for chat in same)
    held = [chat for chat in chats if unchanged or chat in same or (chat.file == file and not chat.sibling)]
    moved = [ours for ours, line in enumerate(lines) if ours not in found and (unchanged or line.sent_at is not None)]
    return found | _anywhere([(ours, prints[ours]) for ours in moved], held, found)


def _anywhere(marks: Sequence[tuple[int, str]], chats: Sequence[KnownChat], found: Found) -> dict[int, tuple[KnownChat, int]]:
    """Where these lines of the file (number, fingerprint) are in ``chats``, in whatever order, besides those that are found."""
    taken = {(chat.id, place) for chat, place in found.values()}
    free: dict[str, list[tuple[KnownChat, int]]] = defaultdict(list)
    for chat in reversed(chats) if marks else ():
        for place in range(len(chat.lines) - 1, -1, -1):
            if (chat.id, place) not in taken:
                free[chat.lines[place][1]].append((chat, place))
    return {ours: free[mark].pop() for ours, mark in marks if free[mark]}


def _in_place(lines: Sequence[SaidLine], prints: Sequence[str], chat: KnownChat) -> dict[int, int]:
    """Lines of a chat that have the numbers they had in its file."""
    there = {(place, mark): at for at, (place, (_, mark)) in enumerate(zip(chat.places, chat.lines, strict=False))}
    pairs = ((ours, there.get((line.index, mark))) for ours, (line, mark) in enumerate(zip(lines, prints, strict=True)))
    return {ours: theirs for ours, theirs in pairs if theirs is not None}


def _paired(
    lines: Sequence[SaidLine],
    prints: Sequence[str],
    chat: KnownChat,
    aligned: Mapping[int, int],
    found: Mapping[int, object],
    file: str,
) -> dict[int, int]:
    """The lines of the file that a former version of it has: those that are surely in order, those that stand where they stood,
    and, if all that is left of the former stands in order between them, what that is: then lines were only put in."""
    pairs = dict(_surely_shared(lines, aligned, on_end=True))
    taken = set(pairs.values())
    in_place = _in_place(lines, prints, chat) if chat.file == file else {}
    pairs |= {ours: theirs for ours, theirs in in_place.items() if ours not in pairs and theirs not in taken}
    taken = set(pairs.values())
    ours_left = [place for place in range(len(prints)) if place not in pairs and place not in found]
    theirs_left = [place for place in range(len(chat.lines)) if place not in taken]
    rest = _aligned([prints[place] for place in ours_left], [chat.lines[place][1] for place in theirs_left])
    if len(rest) == len(theirs_left):
        pairs |= {ours_left[one]: theirs_left[other] for one, other in rest.items()}
    return {ours: theirs for ours, theirs in pairs.items() if ours not in found}


def _surely_shared(lines: Sequence[SaidLine], pairs: Mapping[int, int], *, on_end: bool) -> Iterator[tuple[int, int]]:
    steady = _on_end(pairs) if on_end else set()
    beginning = True
    for ours, line in enumerate(lines):
        beginning = beginning and pairs.get(ours) == ours
        if ours in pairs and (beginning or ours in steady or line.sent_at is not None):
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
