"""What the mind has of a chat, read for :func:`soulmem.ingest.derive.derive`; ingest and consolidation derive alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from soulmem.ingest.derive import NOTHING_BEFORE, Concept, Derived, KnownSituation, concept_key, derive, found_concepts, heard_of
from soulmem.model.messages import Message
from soulmem.store.contract import Store
from soulmem.text.names import normal_name


def derive_from(
    store: Store,
    messages: Sequence[Message],
    situations: Sequence[KnownSituation],
    at: datetime,
    before: Mapping[str, KnownSituation] = NOTHING_BEFORE,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Derived, tuple[Concept, ...], dict[str, str]]:
    """What ``messages`` (chat after chat, in order) leave beside the ``situations`` of these chats; the concepts, and whose names
    they are already: normal name → note id. ``before``: as :func:`~soulmem.ingest.derive.derive` takes it, ``progress`` as
    :func:`~soulmem.ingest.derive.found_concepts` does."""
    concepts, heard = found_concepts(messages, situations, progress), heard_of(messages)
    names = names_of_mind(store, [form for concept in concepts for form in (concept.name, *concept.aliases)])
    names = _by_alias(concepts, names)
    wanted = sorted({key for one in concepts for key in (one.key, concept_key(one, heard))})
    keys = frozenset(row["key"] for row in store.query("store.keys", keys=wanted))
    links = frozenset(store.columns("ingest.link_ids")["id"])
    derived = derive(messages, concepts, situations=situations, names=names, keys=keys, at=at, link_ids=links, before=before)
    return derived, concepts, names


def names_of_mind(store: Store, forms: Sequence[str]) -> dict[str, str]:
    """Normal name → id of the Semantic note of the mind that has it, of those among ``forms``."""
    wanted = sorted({normal_name(form) for form in forms} - {""})
    return {row["name"]: row["id"] for row in store.query("recall.names", names=wanted)} if wanted else {}


def _by_alias(concepts: Sequence[Concept], names: Mapping[str, str]) -> dict[str, str]:
    """``names`` with those of concepts that the mind has under another of their names only, and of one note only."""
    found = dict(names)
    for concept in concepts:
        normal = normal_name(concept.name)
        owners = {names[form] for alias in concept.aliases if (form := normal_name(alias)) in names}
        if normal and normal not in found and len(owners) == 1:
            found[normal] = owners.pop()
    return found
