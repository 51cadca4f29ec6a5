"""Who forgot what when: times until notes fell asleep, how many are still awake, and the half-life that fits what happened.

All of it is computed from the frame ``strength_events``, which tells the state of every note from change to change. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import polars as pl

from soulmem.analysis.columns import TIME, framed, schema
from soulmem.analysis.frames import configured_hours
from soulmem.analysis.strengths import Cause
from soulmem.settings import Settings

#: Retention beyond these says nothing of the half-life: what is left of a number when most of it was rounded away.
_MOST, _LEAST = 1.0 - 1e-9, 1e-6


def lifetimes(events: pl.DataFrame, at: datetime, settings: Settings) -> pl.DataFrame:
    """How long notes stayed awake: from birth until retention first fell below ``sleep_below``, and else until they were gone, or
    ``at``. A frame ``lifetimes``, by key.

    ``events``: a frame ``strength_events``; notes whose birth it does not tell are left out.
    """
    ordered = events.sort("note", "operation", maintain_order=True).filter(
        (pl.col("cause") == Cause.BORN).cum_max().over("note")  # from its birth on
    )
    origin = pl.col("decayed_at_after").first().over("note")
    stretches = ordered.with_columns(
        born_at=origin,
        start=_hours(pl.col("at") - origin).clip(lower_bound=0.0),
        end=_hours(pl.col("at").shift(-1, fill_value=None).over("note").fill_null(pl.lit(at)) - origin),
        sleeps=_hours(pl.col("decayed_at_after") - origin) + _hours_awake(settings.sleep_below),
    ).with_columns(sleeps=pl.when(pl.col("strength_after").is_not_null()).then(pl.max_horizontal("sleeps", "start")))
    asleep = pl.when(pl.col("sleeps") < pl.col("end")).then(pl.col("sleeps")).min().over("note")
    is_gone = pl.col("strength_after").last().is_null()
    lives = (
        stretches.with_columns(asleep=asleep)
        .group_by("note")
        .agg(
            pl.col("key").first(),
            pl.col("kind").first(),
            pl.col("born_at").first(),
            pl.col("asleep").first(),
            looked=pl.when(is_gone).then(pl.col("start").last()).otherwise(pl.col("end").last()).clip(lower_bound=0.0),
            recalls=((pl.col("cause") == Cause.RECALL) & (pl.col("start") <= pl.col("asleep").fill_null(float("inf")))).sum(),
        )
        .with_columns(hours=pl.coalesce("asleep", "looked"), fell_asleep=pl.col("asleep").is_not_null())
        .sort("key", "note")
    )
    return framed("lifetimes", lives.to_dict())


def survival(lives: pl.DataFrame, by: str = "kind") -> pl.DataFrame:
    """The share of notes still awake so many hours after their birth, by the column ``by`` of a frame ``lifetimes``: the estimate
    of Kaplan and Meier, in which a note that is still awake counts as long as it was looked at. A frame ``survival``; each group
    begins with a share of 1 at 0 hours.
    """
    counted = (
        lives.select(group=pl.col(by).cast(pl.String), hours="hours", fell_asleep="fell_asleep")
        .group_by("group", "hours")
        .agg(pl.len().alias("leave"), pl.col("fell_asleep").sum().cast(pl.Int64))
    )
    starts = (
        counted.select("group")
        .unique()
        .with_columns(hours=pl.lit(-1.0), leave=pl.lit(0, pl.UInt32), fell_asleep=pl.lit(0, pl.Int64))
    )
    leave = pl.col("leave").cast(pl.Int64)
    steps = (
        pl.concat([starts, counted.select(starts.columns)])
        .sort("group", "hours")
        .with_columns(at_risk=(leave.sum() - leave.cum_sum() + leave).over("group"))
        .with_columns(survival=(1.0 - pl.col("fell_asleep") / pl.col("at_risk")).cum_prod().over("group"))
        .with_columns(hours=pl.col("hours").clip(lower_bound=0.0))
    )
    return framed("survival", steps.to_dict())


def implied(events: pl.DataFrame, settings: Settings) -> pl.DataFrame:
    """The half-life that each change of strength implies, of a note of its kind that was never recalled. A frame ``implied``, in
    the order of ``events``, a frame ``strength_events``.

    A sweep tells what was left of a strength; a recall tells it too, since it gives back a known part of what was lost. The time
    that passed is divided by what recalls before had made the half-life longer. Left out is what tells nothing: notes that do not
    decay or are pinned, and changes before which next to nothing was lost, or after which next to nothing was left.
    """
    if events.is_empty():
        return schema("implied").to_frame()
    configured = {kind: configured_hours(kind, settings) for kind in events["kind"].unique().sort()}
    boost = settings.recall_boost
    is_recall = pl.col("cause") == Cause.RECALL
    left = pl.when(is_recall).then((pl.col("strength_after") - boost) / (1.0 - boost)).otherwise(pl.col("strength_after"))
    longer = 1.0 + settings.recall_count_factor * pl.col("retrieval_count_before").clip(upper_bound=settings.recall_count_cap)
    told = (
        events.filter(pl.col("cause").is_in([Cause.RECALL.value, Cause.SWEEP.value]))
        .with_columns(
            left=left / pl.col("strength_before"),
            hours=_hours(pl.col("decayed_at_after") - pl.col("decayed_at_before")) / longer,
            configured=pl.col("kind").replace_strict(configured, return_dtype=pl.Float64),
        )
        .filter(
            pl.col("hours") > 0.0,
            pl.col("left").is_between(_LEAST, _MOST),
            pl.col("configured").is_finite(),
            pl.col("half_life_before") != settings.half_life_pinned_hours,
        )
        .with_columns(half_life=pl.col("hours") / -pl.col("left").log(2.0))
    )
    return framed("implied", told.to_dict())


def fitted(told: pl.DataFrame) -> pl.DataFrame:
    """The half-life that fits best, by kind, beside the one that is set. A frame ``fitted``, by kind; ``told``: a frame
    ``implied``."""
    halvings = pl.col("hours") / pl.col("half_life")
    found = (
        told.group_by("kind")
        .agg(
            events=pl.len().cast(pl.Int64),
            least_squares=pl.col("hours").pow(2).sum() / (pl.col("hours") * halvings).sum(),
            median=pl.col("half_life").median(),
            configured=pl.col("configured").first(),
        )
        .sort("kind")
    )
    return framed("fitted", found.to_dict())


def course(events: pl.DataFrame, at: Sequence[datetime]) -> pl.DataFrame:
    """The retention of one note at these times, and what it would be had it never been used. A frame ``course``, in the order of
    time; times before its birth are left out. ``events``: the rows of one note of a frame ``strength_events``."""
    states = events.select("at", "strength_after", "decayed_at_after", "half_life_after").sort("at", maintain_order=True)
    born = states.filter(pl.col("strength_after").is_not_null()).head(1).select(pl.exclude("at").name.suffix("_born"))
    grid = pl.DataFrame({"at": pl.Series(sorted(at), dtype=TIME)})
    known = grid.join_asof(states, on="at").filter(pl.col("strength_after").is_not_null()).join(born, how="cross")
    return framed("course", known.with_columns(retention=_left(""), never_used=_left("_born")).to_dict())


def _left(suffix: str) -> pl.Expr:
    """What is left at ``at`` of a strength after a change."""
    hours = _hours(pl.col("at") - pl.col(f"decayed_at_after{suffix}")).clip(lower_bound=0.0)
    return pl.col(f"strength_after{suffix}") * pl.lit(2.0).pow(-hours / pl.col(f"half_life_after{suffix}"))


def _hours_awake(threshold: float) -> pl.Expr:
    """How long after ``decayed_at_after`` retention falls below ``threshold``; below it from the start: 0."""
    strength = pl.col("strength_after")
    halvings = (strength / threshold).log(2.0)
    return (
        pl.when(strength > threshold)
        .then(halvings * pl.col("half_life_after"))
        .otherwise(pl.when(strength.is_not_null()).then(0.0))
    )


def _hours(duration: pl.Expr) -> pl.Expr:
    return duration.dt.total_microseconds() / 3.6e9
