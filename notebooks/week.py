# A week of a mind: what was learned, recalled, changed, forgotten. Run it with: marimo edit notebooks/week.py -- --mind NAME
# or as a script: python notebooks/week.py --mind NAME [--from 2026-06-15] [--at 2026-06-30]

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="soulmem: a week")

with app.setup:
    from datetime import timedelta

    import altair as alt
    import look
    import marimo as mo
    import minds
    import polars as pl

    from soulmem.analysis.survival import lifetimes
    from soulmem.lived import CHARACTERS

    KINDS_OF_DAYS = {"said": "#5d6d7e", "learned": "#2471a3", "recalled": "#229954", "changed": "#d68910", "forgotten": "#a93226"}


@app.cell(hide_code=True)
def _():
    mo.md("""
    # A week of a mind

    Day by day: what was said, what became a memory, what came to mind and was used, what turned out otherwise, and what
    fell asleep. Days are those of UTC.
    """)
    return


@app.cell
def _():
    asked = minds.asked(mo.cli_args())
    character = mo.ui.dropdown(CHARACTERS, value=asked.character, label="demonstration")
    character if asked.mind is None else mo.md(f"Mind: **{asked.mind}**")
    return asked, character


@app.cell
def _(asked, character):
    with mo.status.spinner("Reading the mind. A demonstration is made first, which takes some twenty seconds."):
        _soul, at = minds.opened(asked, character.value)
        with _soul:
            _frames = _soul.frames(at)
            settings = _soul.settings
            notes, messages, recalls = _frames.notes(), _frames.messages(), _frames.recalls()
            supersedings, operations, events = _frames.supersedings(), _frames.operations(), _frames.strength_events()
    return at, events, messages, notes, operations, recalls, settings, supersedings


@app.cell
def _(at, events, messages, notes, recalls, settings, supersedings):
    def _what(frame, what, time, **columns):
        return frame.filter(pl.col(time).is_not_null()).select(
            pl.lit(what).alias("what"),
            at=time,
            **{name: columns.get(name, pl.lit(None, pl.String)) for name in ("key", "kind", "text", "more")},
        )

    _texts = notes.select("key", "kind", "text")
    _lives = (
        lifetimes(events, at, settings)
        .filter("fell_asleep")
        .with_columns(asleep=pl.col("born_at") + pl.duration(microseconds=(pl.col("hours") * 3.6e9).round().cast(pl.Int64)))
    )
    _changed = supersedings.join(_texts, left_on="new_key", right_on="key", how="left").join(
        _texts.select("key", was="text"), left_on="old_key", right_on="key", how="left"
    )
    happened = (
        pl.concat(
            [
                _what(messages.filter(~pl.col("hidden")), "said", "sent_at", text="text", more="speaker"),
                _what(notes, "learned", "born_at", key="key", kind="kind", text="text"),
                _what(
                    recalls.filter(pl.col("stage") != "feedback").join(_texts, on="key", how="left"),
                    "recalled",
                    "at",
                    key="key",
                    kind="kind",
                    text="text",
                    more="query",
                ),
                _what(_changed, "changed", "at", key="new_key", kind="kind", text="text", more="was"),
                _what(
                    _lives.drop("kind").join(_texts, on="key", how="left"),
                    "forgotten",
                    "asleep",
                    key="key",
                    kind="kind",
                    text="text",
                ),
            ]
        )
        .with_columns(day=pl.col("at").dt.date())
        .sort("at", "what", "key", maintain_order=True)
    )
    return (happened,)


@app.cell
def _(asked, happened):
    # Weeks in which something happened, the latest first; the one with most happenings of its own is shown first.
    weeks = (
        happened.with_columns(monday=pl.col("day").dt.truncate("1w"))
        .group_by("monday")
        .agg(pl.len().alias("happenings"), pl.col("what").n_unique().alias("kinds"))
        .sort("monday", descending=True)
    )
    _labels = {
        f"{row['monday']:%Y-%m-%d} – {row['monday'] + timedelta(days=6):%m-%d} ({row['happenings']})": row["monday"]
        for row in weeks.iter_rows(named=True)
    }
    _best = weeks.sort("kinds", "happenings", "monday", descending=True)["monday"].head(1).to_list()
    _first = asked.start - timedelta(days=asked.start.weekday()) if asked.start else (_best or [None])[0]
    _chosen = [label for label, monday in _labels.items() if monday == _first] or [None]
    week = mo.ui.dropdown(_labels, value=_chosen[0], label="week")
    week
    return week, weeks


@app.cell
def _(happened, week):
    days = [week.value + timedelta(days=n) for n in range(7)] if week.value else []
    of_week = happened.filter(pl.col("day").is_in(days))
    counts = (
        pl.DataFrame({"day": days}, schema={"day": pl.Date})
        .join(pl.DataFrame({"what": list(KINDS_OF_DAYS)}), how="cross")
        .join(of_week.group_by("day", "what").len("count"), on=["day", "what"], how="left")
        .with_columns(pl.col("count").fill_null(0).cast(pl.Int64), name=pl.col("day").dt.strftime("%a %d %b"))
    )
    return counts, days, of_week


@app.cell(hide_code=True)
def _(counts, days):
    _names = [f"{day:%a %d %b}" for day in days]
    _panels = []
    for _what in KINDS_OF_DAYS:
        _mine = counts.filter(pl.col("what") == _what)
        _is_last = _what == list(KINDS_OF_DAYS)[-1]
        _x = alt.X("name:O", title=None, sort=_names, axis=alt.Axis(labelAngle=0, labels=_is_last, ticks=False))
        _most = max([3, *_mine["count"]])
        _y = alt.Y(
            "count:Q",
            title=_what,
            scale=alt.Scale(domain=[0, _most * 1.25], nice=False),
            axis=alt.Axis(tickCount=3, tickMinStep=1, format="d"),
        )
        _bars = (
            alt.Chart(_mine)
            .mark_bar(color=KINDS_OF_DAYS[_what], width={"band": 0.6}, cornerRadiusTopLeft=2, cornerRadiusTopRight=2)
            .encode(x=_x, y=_y, tooltip=["what", "name", "count"])
        )
        _numbers = (
            alt.Chart(_mine.filter(pl.col("count") > 0))
            .mark_text(dy=-7, fontSize=11, color=look.INK)
            .encode(x=_x, y=_y, text="count:Q")
        )
        _panels.append((_bars + _numbers).properties(height=74, width=620))
    week_chart = alt.vconcat(*_panels, spacing=8).properties(
        title=alt.Title(
            f"The week from {days[0]:%d %B %Y}" if days else "No week",
            subtitle="how many lines, notes and uses of notes a day; each with a scale of its own",
        )
    )
    week_chart if days else mo.md("Nothing has happened in this mind yet.")
    return (week_chart,)


@app.cell(hide_code=True)
def _(of_week):
    def _table(what, **columns):
        rows = of_week.filter(pl.col("what") == what).select(time=pl.col("at").dt.strftime("%a %d %H:%M"), **columns)
        return (
            mo.ui.table(rows, selection=None, page_size=15, wrapped_columns=list(columns)) if rows.height else mo.md("*Nothing.*")
        )

    mo.ui.tabs(
        {
            "learned": _table("learned", kind="kind", text="text", key="key"),
            "recalled": _table("recalled", question="more", text="text", kind="kind"),
            "changed": _table("changed", was="more", now="text", kind="kind"),
            "forgotten": _table("forgotten", kind="kind", text="text", key="key"),
            "said": _table("said", speaker="more", text="text"),
        }
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## The week before, and all the others

    The same counts for every week of the mind's life.
    """)
    return


@app.cell
def _(happened):
    whole_life = (
        happened.with_columns(week=pl.col("day").dt.truncate("1w")).group_by("week", "what").len("count").sort("week", "what")
    )
    _span = [whole_life["week"].min(), whole_life["week"].max() + timedelta(days=7)] if whole_life.height else []
    _panels = []
    for _what in KINDS_OF_DAYS:
        _is_last = _what == list(KINDS_OF_DAYS)[-1]
        _mine = whole_life.filter(pl.col("what") == _what).with_columns(until=pl.col("week") + pl.duration(days=6))
        _panels.append(
            alt.Chart(_mine)
            .mark_bar(color=KINDS_OF_DAYS[_what])
            .encode(
                x=alt.X(
                    "week:T",
                    title="week from (each panel with a scale of its own)" if _is_last else None,
                    scale=alt.Scale(domain=[day.isoformat() for day in _span]) if _span else alt.Undefined,
                    axis=alt.Axis(format="%d %b %y", labels=_is_last, ticks=_is_last, labelOverlap=True),
                ),
                x2="until:T",
                y=alt.Y(
                    "count:Q",
                    title=_what,
                    scale=alt.Scale(domain=[0, max([3, *_mine["count"]])]),
                    axis=alt.Axis(tickCount=2, tickMinStep=1, format="d"),
                ),
                y2=alt.datum(0),
                tooltip=["week", "what", "count"],
            )
            .properties(height=52, width=620)
        )
    life_chart = alt.vconcat(*_panels, spacing=8).properties(
        title=alt.Title("Week by week", subtitle="the same counts for every week of the mind's life")
    )
    life_chart
    return life_chart, whole_life


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## The journal of the week
    """)
    return


@app.cell
def _(days, operations):
    journal = operations.filter(pl.col("at").dt.date().is_in(days)).select(
        "operation",
        pl.col("at").dt.strftime("%a %d %H:%M"),
        "command",
        "what",
        "notes_added",
        "notes_changed",
        "links_added",
        "undone_by",
    )
    mo.ui.table(journal, selection=None, page_size=15)
    return (journal,)


@app.cell(hide_code=True)
def _(counts, days, of_week):
    if mo.app_meta().mode == "script":
        with pl.Config(
            tbl_rows=-1, tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, fmt_str_lengths=60, tbl_width_chars=140
        ):
            print(counts.pivot("what", index="name", values="count") if days else "Nothing has happened in this mind yet.")
            for _what in list(KINDS_OF_DAYS)[1:]:
                _some = of_week.filter(pl.col("what") == _what)
                print(
                    f"{_what}: {_some.height}",
                    _some.select(
                        pl.col("at").dt.strftime("%a %d %H:%M"), "kind", pl.col("text").str.replace_all("\n", " ").str.head(58)
                    ).head(8),
                    sep="\n",
                )
    return


if __name__ == "__main__":
    app.run()
