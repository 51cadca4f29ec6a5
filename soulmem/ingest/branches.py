"""Conversations that are trees: the branch that was last looked at is what was said; others were abandoned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def live_branch(nodes: dict[str, Any], current: object, parent_of: Callable[[Any], object]) -> list[Any]:
    """The nodes from the root to ``current``; where that is none of them, to the last node of the file that none follows.

    A circle is cut."""
    node = current if isinstance(current, str) and current in nodes else _last_leaf(nodes, parent_of)
    branch: list[Any] = []
    seen: set[str] = set()
    while node is not None and node not in seen:
        seen.add(node)
        branch.append(nodes[node])
        above = parent_of(nodes[node])
        node = above if isinstance(above, str) and above in nodes else None
    return branch[::-1]


def _last_leaf(nodes: dict[str, Any], parent_of: Callable[[Any], object]) -> str | None:
    parents = {above for node in nodes.values() if isinstance(above := parent_of(node), str)}
    return next((name for name in reversed(nodes) if name not in parents), None) or next(reversed(nodes), None)
