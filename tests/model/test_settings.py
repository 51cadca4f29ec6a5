"""The constants are those of the specification, and all of them can be overridden."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from soulmem.settings import Settings, names

SPECIFIED = {
    "tag": 0.3,
    "variant": 0.7,
    "sem_concept": 0.5,
    "sem_description": 0.5,
    "sit_location_name": 0.6,
    "sit_location_coord": 0.4,
    "sit_participant_name": 0.6,
    "sit_participant_role": 0.4,
    "sit_env_atmosphere": 0.5,
    "sit_env_tone": 0.5,
    "sit_event_initiator": 0.3,
    "sit_event_target": 0.3,
    "sit_event_action": 0.4,
    "sit_event_initiator_only_action": 0.6,
    "sit_event_target_only_action": 0.6,
    "string_blend_alpha": 0.6,
    "retention_floor": 0.35,
    "similarity_floor": 0.35,
    "max_results": 4,
    "damping": 0.65,
    "residue_threshold": 1e-5,
    "association_top_k": 8,
    "prior_intensity": 1.0,
    "prior_confidence": 0.8,
    "preference_semantic": 0.3,
    "preference_situation": 0.7,
    "situation_link_confidence": 0.8,
    "association_time_limit_ms": 10_000.0,
    "abstract_boost": 2.0,
    "action_top_k": 3,
    "merged_top_k": 10,
    "half_life_episode_hours": 24.0,
    "half_life_identity_hours": 8760.0,
    "half_life_date_hours": 8760.0,
    "half_life_preference_hours": 2160.0,
    "half_life_relation_hours": 2160.0,
    "half_life_event_hours": 504.0,
    "half_life_state_hours": 12.0,
    "half_life_pinned_hours": 876_000.0,
    "half_life_link_hours": 720.0,
    "recall_count_factor": 0.1,
    "recall_count_cap": 50,
    "recall_boost": 0.35,
    "sleep_below": 0.1,
    "wake_above": 0.15,
}


@pytest.mark.parametrize("name", sorted(SPECIFIED))
def test_the_default_is_the_specified_one(name: str) -> None:
    assert getattr(Settings(), name) == SPECIFIED[name]


def test_every_setting_can_be_overridden() -> None:
    for name in names():
        changed = Settings().with_values(**{name: 0.125})
        assert getattr(changed, name) == 0.125
        assert changed.with_values(**{name: getattr(Settings(), name)}) == Settings()


def test_names_are_those_of_the_fields_each_once() -> None:
    assert names() == tuple(field.name for field in fields(Settings))
    assert set(SPECIFIED) <= set(names())


def test_an_unknown_name_is_refused_and_nothing_changes_in_place() -> None:
    with pytest.raises(TypeError, match="half_life"):
        Settings().with_values(half_life=3.0)
    with pytest.raises(FrozenInstanceError):
        Settings().damping = 0.5  # type: ignore[misc]
