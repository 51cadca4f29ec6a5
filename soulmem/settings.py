"""Every constant of the specification, with its unit. One frozen object; a mind may override any of them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Constants, by part. Defaults are those of the specification."""

    # Similarity (SPEC §3, §4.2): weights without unit, 0..1.
    tag: float = 0.3
    variant: float = 0.7
    sem_concept: float = 0.5
    sem_description: float = 0.5
    sit_location_name: float = 0.6
    sit_location_coord: float = 0.4
    sit_participant_name: float = 0.6
    sit_participant_role: float = 0.4
    sit_env_atmosphere: float = 0.5
    sit_env_tone: float = 0.5
    sit_event_initiator: float = 0.3
    sit_event_target: float = 0.3
    sit_event_action: float = 0.4
    sit_event_initiator_only_action: float = 0.6
    sit_event_target_only_action: float = 0.6
    string_blend_alpha: float = 0.6
    lexical_weight: float = 0.4
    dense_weight: float = 0.6
    relevance_exponent: float = 1.0
    retention_floor: float = 0.35
    similarity_floor: float = 0.35
    max_results: int = 4
    bm25_k1: float = 1.2
    bm25_b: float = 0.4

    # Association (SPEC §4.3).
    damping: float = 0.65
    residue_threshold: float = 1e-5
    association_top_k: int = 8
    prior_intensity: float = 1.0
    prior_confidence: float = 0.8
    preference_semantic: float = 0.3
    preference_situation: float = 0.7
    situation_link_confidence: float = 0.8
    association_time_limit_ms: float = 10_000.0
    association_node_limit: int = 20_000

    # Lines of a chat: what a walk over the rarer words of the best lines counts, in standard deviations.
    lines_walk: float = 0.3

    # Actions and merging (SPEC §4.4, §4.5).
    abstract_boost: float = 2.0
    action_top_k: int = 3
    merged_top_k: int = 10

    # Forgetting (SPEC §8): half-lives in hours.
    half_life_episode_hours: float = 24.0
    half_life_identity_hours: float = 365 * 24.0
    half_life_date_hours: float = 365 * 24.0
    half_life_preference_hours: float = 90 * 24.0
    half_life_relation_hours: float = 90 * 24.0
    half_life_event_hours: float = 21 * 24.0
    half_life_state_hours: float = 12.0
    half_life_pinned_hours: float = 876_000.0
    half_life_link_hours: float = 720.0
    recall_count_factor: float = 0.1
    recall_count_cap: int = 50
    recall_boost: float = 0.35
    sleep_below: float = 0.1
    wake_above: float = 0.15

    # Masks (SPEC §8): missing degrees from which a text is masked, and from which a model may guess the blanks; opacities of a
    # unit below which its gist shows, and below which nothing does; how many times as fast as its note a unit fades: an anchor
    # one keeps unasked, one learned on purpose (which is so many times as strong at first), a time or number; units that are
    # alike vary by this factor either way.
    mask_from: float = 0.05
    revise_from: float = 0.15
    gist_below: float = 0.5
    blank_below: float = 0.2
    spontaneous_pace: float = 0.25
    forced_pace: float = 3.0
    forced_strength: float = 2.0
    figure_pace: float = 1.5
    unit_variation: float = 1.4

    # Plasticity (SPEC §7): what a link gains by firing, of what it lacks to the most; what it is cut below; in how many
    # recalls, and how often a day, two notes come up together before a link is made.
    plasticity_rate: float = 0.1
    plasticity_most: float = 2.0
    plasticity_cut: float = 0.05
    plasticity_rounds: int = 3
    plasticity_frequency: float = 0.05

    # Consolidation (SPEC §6): situations that are so alike (calibrated cosine) are one pattern, if they are so many; the missing
    # degree from which a note without links is archived.
    pattern_similarity: float = 0.6
    pattern_situations: int = 4
    archive_above: float = 0.95

    # Working memory (SPEC §5): messages, seconds, minutes, characters.
    window_capacity: int = 20
    idle_quiet_seconds: float = 120.0
    #: Whether idle work makes memories by itself (1), or leaves that to whoever asks for it (0).
    idle_consolidate: int = 1
    summary_budget: int = 1200
    activation_time_constant_minutes: float = 10.0
    #: A note used this moment scores 1 + so much.
    activation_gain: float = 0.5
    hot_notes: int = 20

    # Rendering: characters.
    render_budget: int = 4000

    # The engine: bytes.
    buffer_pool_bytes: int = 256 * 2**20
    max_db_bytes: int = 2**36
    #: Changes of this size (rows, and ten for each text whose words are indexed) are loaded in bulk, which costs a checkpoint;
    #: into a mind that holds less, changes of two fifths of this.
    bulk_size: int = 600

    def with_values(self, **values: Any) -> Settings:
        """A copy with other values; unknown names raise :class:`TypeError`."""
        return replace(self, **values)


def names() -> tuple[str, ...]:
    """The names of all settings."""
    return tuple(field.name for field in fields(Settings))
