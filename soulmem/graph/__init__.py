"""The mathematics of a mind: link weights, personalised PageRank, actions, decay. No database, no clock, no hidden state."""

from soulmem.graph.actions import Actions, ActionScore, Trigger, rank_actions
from soulmem.graph.csr import Subgraph, link_weight, subgraph
from soulmem.graph.decay import (
    Envelope,
    due_at,
    half_life_hours,
    link_intensities,
    link_intensity,
    reinforced,
    retention,
    retentions,
)
from soulmem.graph.ppr import forward_push, load_kernel, uses_numba
from soulmem.graph.walk import Association, Limit, Loader, Neighbourhood, Pulled, Step, associate, best_path, best_paths

__all__ = [
    "ActionScore",
    "Actions",
    "Association",
    "Envelope",
    "Limit",
    "Loader",
    "Neighbourhood",
    "Pulled",
    "Step",
    "Subgraph",
    "Trigger",
    "associate",
    "best_path",
    "best_paths",
    "due_at",
    "forward_push",
    "half_life_hours",
    "link_intensities",
    "link_intensity",
    "link_weight",
    "load_kernel",
    "rank_actions",
    "reinforced",
    "retention",
    "retentions",
    "subgraph",
    "uses_numba",
]
