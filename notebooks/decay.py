# Who forgets what, and when. Run it with: marimo edit notebooks/decay.py -- --mind NAME
# or as a script:                          python notebooks/decay.py --mind NAME

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="soulmem: decay")

with app.setup:
    from datetime import timedelta

    import altair as alt
    import look
    import marimo as mo
    import minds
    import polars as pl

    from soulmem.analysis.frames import decay
    from soulmem.analysis.survival import course, fitted, implied, lifetimes, survival
    from soulmem.lived import CHARACTERS


@app.cell(hide_code=True)
def _():
    mo.md("""
    # Who forgets what, and when

    A memory fades by half in every half-life of its kind, and each use gives back part of what was lost and makes the
    next half-life longer. Nothing is lost by it: what has fallen asleep is still in the mind, but does not come to mind
    by itself.
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
            settings = _soul.settings
            notes = _soul.frames(at).notes()
            events = _soul.frames(at).strength_events()
    return at, events, notes, settings


@app.cell
def _(at, events, settings):
    lives = lifetimes(events, at, settings)
    curves = survival(lives)
    told = implied(events, settings)
    fit = fitted(told)
    return curves, fit, lives, told


@app.cell(hide_code=True)
def _(at, events, notes, settings):
    awake = notes.filter(pl.col("retention") >= settings.sleep_below)
    _used = events.filter(pl.col("cause") == "recall")
    mo.vstack(
        [
            mo.md(f"As of **{at:%Y-%m-%d %H:%M}** UTC"),
            mo.hstack(
                [
                    mo.stat(notes.height, label="notes", bordered=True),
                    mo.stat(awake.height, label="awake", caption=f"retention ≥ {settings.sleep_below}", bordered=True),
                    mo.stat(notes.height - awake.height, label="asleep", bordered=True),
                    mo.stat(_used.height, label="uses of a note", bordered=True),
                    mo.stat(_used["note"].n_unique(), label="notes that were used", bordered=True),
                ],
                widths="equal",
                gap=1,
            ),
        ]
    )
    return (awake,)


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## What is left now

    A dot is a note. Hover over it to read it.
    """)
    return


@app.cell
def _(at, notes, settings):
    _shown = (
        notes.sample(min(notes.height, 4000), seed=1)
        .select("key", "kind", "retention", "retrieval_count", place=pl.int_range(pl.len()).hash(seed=1) % 1000 / 1000)
        .join(
            notes.select("key", text=pl.col("text").map_elements(lambda text: look.short(text, 80), return_dtype=pl.String)),
            on="key",
        )
    )
    _rows = look.order(notes["kind"])
    _dots = (
        alt.Chart(_shown)
        .mark_circle(opacity=0.55)
        .encode(
            x=alt.X(
                "retention:Q",
                title="retention now (1: as on the first day)",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(tickCount=10, format=".1f"),
            ),
            y=alt.Y("kind:N", title=None, sort=_rows),
            yOffset=alt.YOffset("place:Q", scale=alt.Scale(domain=[-0.3, 1.3])),
            size=alt.Size(
                "retrieval_count:Q",
                title="times used",
                scale=alt.Scale(type="sqrt", range=[25, 260]),
                legend=alt.Legend(tickCount=3, format="d"),
            ),
            color=look.kinds(present=_rows).legend(None),
            tooltip=["key", "text", alt.Tooltip("retention", format=".3f"), "retrieval_count"],
        )
    )
    _line = alt.Chart(pl.DataFrame({"x": [settings.sleep_below], "label": [f"asleep below {settings.sleep_below}"]}))
    _rule = _line.mark_rule(color=look.INK, strokeDash=[4, 3]).encode(x="x:Q")
    _word = _line.mark_text(align="left", dx=5, dy=-6, baseline="bottom", color=look.INK, fontSize=11).encode(
        x="x:Q", y=alt.value(0), text="label"
    )
    left_chart = (_dots + _rule + _word).properties(
        title=alt.Title("What is left of every note", subtitle=f"{_shown.height} of {notes.height} notes, {at:%Y-%m-%d}"),
        height=alt.Step(46),
    )
    left_chart
    return (left_chart,)


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## Who is still awake

    The share of notes that has not yet fallen asleep so long after birth, estimated as in medicine (Kaplan and Meier): a
    note that is still awake today counts for as long as it was looked at. Of kinds that never decay there is nothing to
    see but a line at the top.
    """)
    return


@app.cell
def _(curves, lives):
    _rows = look.order(lives["kind"])
    _ends = curves.group_by("group", maintain_order=True).last().join(lives.group_by(group="kind").len(), on="group")
    _labels = {row["group"]: f"{row['group']}: {row['survival']:.0%} of {row['len']}" for row in _ends.iter_rows(named=True)}
    _named = curves.with_columns(days=pl.col("hours") / 24, kind="group")
    _base = alt.Chart(_named).encode(
        x=alt.X("days:Q", title="days since birth (square-root scale)", scale=alt.Scale(type="sqrt", nice=False)),
        y=alt.Y("survival:Q", title="share of notes awake", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        color=look.kinds(present=_rows, title="kind: awake at the end").legend(
            labelExpr=" : ".join([f"datum.label == '{kind}' ? '{_labels[kind]}'" for kind in _rows] + ["datum.label"])
        ),
    )
    _steps = _base.mark_line(interpolate="step-after", strokeWidth=2.2).encode(
        tooltip=["kind", alt.Tooltip("days", format=".1f"), alt.Tooltip("survival", format=".1%"), "at_risk"]
    )
    _points = _base.mark_point(filled=True, size=45).properties(data=_ends.with_columns(days=pl.col("hours") / 24, kind="group"))
    survival_chart = (_steps + _points).properties(
        title=alt.Title(
            "Survival by kind of note",
            subtitle="until retention first falls below the sleeping threshold; a dot: nobody looked further",
        ),
        height=320,
    )
    survival_chart
    return (survival_chart,)


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## What a recall does

    One note from its birth on. Each use gives back part of what was lost, and after it the curve falls more slowly than
    before.
    """)
    return


@app.cell
def _(events, notes):
    _fading = notes.filter(pl.col("half_life_hours").is_finite() & ~pl.col("pinned"))
    _uses = events.filter(pl.col("cause") == "recall").group_by("note").len("uses")
    _by_use = (
        _fading.join(_uses, on="note", how="left").sort(pl.col("uses").fill_null(0), "key", descending=[True, False]).head(200)
    )
    _labels = {
        f"{look.short(row['text'], 40)} · {row['kind']}, used {row['uses'] or 0}× [{row['key']}]": row["note"]
        for row in _by_use.iter_rows(named=True)
    }
    one = mo.ui.dropdown(_labels, value=next(iter(_labels), None), label="note", searchable=True)
    one
    return (one,)


@app.cell
def _(at, events, notes, one, settings):
    _mine = events.filter(pl.col("note") == (one.value or ""))
    path = course(_mine, [])
    recall_chart = mo.md("There is no note that decays.")
    if _mine.height:
        _from, _to = _mine["at"].min(), max(at, _mine["at"].max()) + timedelta(days=7)
        _grid = [_from + (_to - _from) * n / 500 for n in range(501)] + [
            when + timedelta(seconds=s) for when in _mine["at"] for s in (-1, 1) if when + timedelta(seconds=s) > _from
        ]
        path = course(_mine, _grid)
        _long = path.unpivot(["retention", "never_used"], index="at", variable_name="which", value_name="left").with_columns(
            pl.col("which").replace({"retention": "as it was used", "never_used": "had it never been used"})
        )
        _title = notes.filter(pl.col("note") == (one.value or ""))["text"].to_list() or [_mine["key"][0]]
        _color = alt.Color(
            "which:N",
            title=None,
            scale=alt.Scale(domain=["as it was used", "had it never been used"], range=[look.ACCENT, "#b8bfc6"]),
            legend=alt.Legend(orient="top", symbolStrokeWidth=3),
        )
        _lines = (
            alt.Chart(_long)
            .mark_line(strokeWidth=2)
            .encode(
                x=alt.X("at:T", title="time, UTC", axis=alt.Axis(format="%d %b", labelOverlap=True)),
                y=alt.Y("left:Q", title="retention", scale=alt.Scale(domain=[0, 1])),
                color=_color,
            )
        )
        _uses = _mine.filter(pl.col("cause") == "recall").select("at", "strength_after", "half_life_after")
        _dots = (
            alt.Chart(_uses)
            .mark_point(filled=True, size=60, color=look.ACCENT)
            .encode(
                x="at:T",
                y="strength_after:Q",
                tooltip=[
                    alt.Tooltip("at", format="%Y-%m-%d %H:%M"),
                    alt.Tooltip("strength_after", format=".2f"),
                    alt.Tooltip("half_life_after", format=".0f", title="half-life then, hours"),
                ],
            )
        )
        _rule = (
            alt.Chart(pl.DataFrame({"y": [settings.sleep_below]})).mark_rule(color=look.INK, strokeDash=[4, 3]).encode(y="y:Q")
        )
        _now = alt.Chart(pl.DataFrame({"x": [at], "label": ["now"]}))
        _today = _now.mark_rule(color=look.FAINT).encode(x="x:T") + _now.mark_text(
            align="left", dx=4, baseline="bottom", color="#8a949c", fontSize=11
        ).encode(x="x:T", y=alt.value(276), text="label")
        recall_chart = (_today + _rule + _lines + _dots).properties(
            title=alt.Title(
                look.short(_title[0], 64),
                subtitle=f"{_mine['kind'][-1]}, used {_uses.height} times; a dot: a use; dashed: the sleeping threshold",
            ),
            height=280,
        )
    recall_chart
    return path, recall_chart


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## What comes next

    How many notes will still be awake, if nobody thinks of any of them; and which fall asleep first.
    """)
    return


@app.cell
def _():
    days = mo.ui.slider(3, 365, value=60, step=1, label="days ahead", show_value=True, debounce=True)
    days
    return (days,)


@app.cell
def _(at, days, notes, settings):
    _hours = [days.value * 24 * n / 60 for n in range(61)]
    ahead = (
        decay(notes, _hours, at)
        .group_by("kind", "hours")
        .agg(awake=(pl.col("retention") >= settings.sleep_below).sum())
        .with_columns(days=pl.col("hours") / 24)
        .sort("kind", "hours")
    )
    _rows = look.order(notes["kind"])
    ahead_chart = (
        alt.Chart(ahead.with_columns(place=pl.col("kind").replace_strict({kind: n for n, kind in enumerate(_rows)})))
        .mark_area(interpolate="step-after", opacity=0.85)
        .encode(
            x=alt.X("days:Q", title="days from now", scale=alt.Scale(nice=False)),
            y=alt.Y("awake:Q", title="notes awake", stack="zero"),
            color=look.kinds(present=_rows),
            order=alt.Order("place:Q", sort="descending"),
            tooltip=["kind", alt.Tooltip("days", format=".0f"), "awake"],
        )
        .properties(title=alt.Title("Who will still be awake", subtitle="if nobody thinks of anything"), height=240)
    )
    ahead_chart
    return ahead, ahead_chart


@app.cell
def _(awake, settings):
    soon = (
        awake.filter(pl.col("half_life_hours").is_finite() & (pl.col("retention") > settings.sleep_below))
        .with_columns(in_days=pl.col("half_life_hours") * (pl.col("retention") / settings.sleep_below).log(2.0) / 24)
        .sort("in_days", "key")
    )
    _next = soon.head(14).with_columns(
        label=pl.format(
            "{}  [{}]",
            pl.col("text").map_elements(lambda t: look.short(t, 40), return_dtype=pl.String),
            pl.col("key").str.head(24),
        )
    )
    _base = alt.Chart(_next).encode(
        x=alt.X("in_days:Q", title="days until it falls asleep", scale=alt.Scale(zero=True)),
        y=alt.Y("label:N", title=None, sort=_next["label"].to_list(), axis=alt.Axis(labelLimit=420)),
        color=look.kinds(present=_next["kind"]),
    )
    next_chart = (
        _base.mark_rule(strokeWidth=2, opacity=0.5).encode(x2=alt.datum(0))
        + _base.mark_point(filled=True, size=80).encode(
            tooltip=[
                "key",
                "text",
                "retrieval_count",
                alt.Tooltip("retention", format=".2f"),
                alt.Tooltip("in_days", format=".1f"),
            ]
        )
    ).properties(title=alt.Title("The next to fall asleep", subtitle="if nobody thinks of them"), height=alt.Step(22), width=420)
    next_chart if soon.height else mo.md("Nothing that is awake decays.")
    return next_chart, soon


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## Does it fade as it should?

    Each change of a strength tells which half-life it followed: a sweep writes down what was left, a recall gives back a
    known share of what was lost. A dot is such a change, cleared of what recalls had added; the bar is the setting. Dots
    beside their bar mean that the setting was another then, or that something is wrong.
    """)
    return


@app.cell
def _(fit, told):
    _rows = look.order(told["kind"])
    _scale = alt.Scale(type="log", domain=[told["half_life"].min() / 72, told["half_life"].max()] if told.height else [1, 2])
    _axis = alt.Axis(values=[0.1, 1, 10, 100, 1000, 10000], format=",~r")
    _title = "half-life of a note that was never recalled, days (log scale)"
    _marks = fit.with_columns(days=pl.col("configured") / 24, fitted_days=pl.col("least_squares") / 24)
    _dots = (
        alt.Chart(told.select("key", "kind", "cause", "at", days=pl.col("half_life") / 24).head(4000))
        .mark_circle(size=55, opacity=0.35)
        .encode(
            x=alt.X("days:Q", title=_title, scale=_scale, axis=_axis),
            y=alt.Y("kind:N", title=None, sort=_rows),
            color=look.kinds(present=_rows).legend(None),
            tooltip=["key", "cause", alt.Tooltip("at", format="%Y-%m-%d %H:%M"), alt.Tooltip("days", format=".3f")],
        )
    )
    _bars = (
        alt.Chart(_marks)
        .mark_tick(thickness=3, size=30, color=look.INK)
        .encode(
            x=alt.X("days:Q", title=_title, scale=_scale, axis=_axis),
            y=alt.Y("kind:N", sort=_rows),
            tooltip=["kind", "configured", "least_squares", "median", "events"],
        )
    )
    _words = (
        alt.Chart(_marks.with_columns(label=pl.format("{} changes, fits {} h", "events", pl.col("least_squares").round(1))))
        .mark_text(align="left", dx=12, fontSize=11, color="#5d6d7e")
        .encode(x=alt.X("fitted_days:Q", scale=_scale), y=alt.Y("kind:N", sort=_rows), text="label")
    )
    fit_chart = (_dots + _bars + _words).properties(
        title=alt.Title("Fitted and configured half-life", subtitle="bar: as it is set; dots: as changes of strength imply"),
        height=alt.Step(44),
    )
    mo.vstack([fit_chart, mo.ui.table(fit, selection=None)]) if fit.height else mo.md(
        "No strength has changed yet since it was first written."
    )
    return (fit_chart,)


@app.cell(hide_code=True)
def _(awake, fit, lives, notes, soon):
    if mo.app_meta().mode == "script":
        with pl.Config(tbl_rows=-1, tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, fmt_str_lengths=60):
            print(f"{notes.height} notes, {awake.height} awake")
            print(
                lives.group_by("kind")
                .agg(pl.len().alias("notes"), pl.col("fell_asleep").sum(), pl.col("recalls").sum())
                .sort("kind")
            )
            print("fitted half-lives, hours", fit, sep="\n")
            print("falls asleep next", soon.select("key", "kind", pl.col("in_days").round(1)).head(8), sep="\n")
    return


if __name__ == "__main__":
    app.run()
