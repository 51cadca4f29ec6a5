# What leads where: the links of a mind. Run it with: marimo edit notebooks/association.py -- --mind NAME
# or as a script:                                    python notebooks/association.py --mind NAME

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="soulmem: association")

with app.setup:
    import random

    import altair as alt
    import igraph
    import look
    import marimo as mo
    import minds
    import polars as pl

    from soulmem.lived import CHARACTERS


@app.cell(hide_code=True)
def _():
    mo.md("""
    # What leads where

    Association is a walk: from a memory it goes on over the links, the stronger ones more often, and comes back to where
    it began again and again. So what a mind makes of a word is written in its links: which memories stand in the middle,
    which belong together, and where a thought that begins here ends.
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
            notes = _soul.frames(at).notes()
            links = _soul.frames(at).links()

    def leads_to(note, top=12):
        """What the walk from a note carries most to."""
        soul, when = minds.opened(asked, character.value)
        with soul:
            return soul.leads_to(note, top=top, at=when)

    return at, leads_to, links, notes


@app.cell
def _(links, notes):
    # One edge for each pair of notes, as strong as all links between them are now.
    _pairs = (
        links.filter(pl.col("source") != pl.col("target"))
        .with_columns(a=pl.min_horizontal("source", "target"), b=pl.max_horizontal("source", "target"))
        .group_by("a", "b")
        .agg(weight=pl.col("effective_intensity").sum())
        .sort("a", "b")
    )
    _places = {note: place for place, note in enumerate(notes["note"])}
    graph = igraph.Graph(
        n=notes.height, edges=[(_places[a], _places[b]) for a, b in _pairs.select("a", "b").iter_rows()], directed=False
    )
    graph.es["weight"] = _pairs["weight"].clip(lower_bound=1e-9).to_list()
    igraph.set_random_number_generator(random.Random(1))
    _found = (
        graph.community_leiden("modularity", weights="weight", n_iterations=-1)
        if graph.ecount()
        else graph.connected_components()
    )
    _of = dict(zip(notes["note"], _found.membership, strict=True))
    degrees = (
        notes.select(
            "note",
            "key",
            "kind",
            "text",
            label=pl.col("text").map_elements(lambda text: look.name(text, 34), return_dtype=pl.String),
        )
        .join(links.group_by(note="source").len("out"), on="note", how="left")
        .join(links.group_by(note="target").len("into"), on="note", how="left")
        .with_columns(
            pl.col("out", "into").fill_null(0).cast(pl.Int64),
            community=pl.Series([_of[note] for note in notes["note"]], dtype=pl.Int64),
        )
        .with_columns(degree=pl.col("out") + pl.col("into"))
        .sort("degree", "key", descending=[True, False])
    )
    # Numbered from the largest on.
    _sizes = degrees.group_by("community").len().sort("len", "community", descending=[True, False])
    _rank = {community: rank for rank, community in enumerate(_sizes["community"], start=1)}
    degrees = degrees.with_columns(pl.col("community").replace_strict(_rank, return_dtype=pl.Int64))
    modularity = graph.modularity(_found.membership, weights="weight") if graph.ecount() else 0.0
    return degrees, graph, modularity


@app.cell(hide_code=True)
def _(at, degrees, links, modularity, notes):
    _alone = degrees.filter(pl.col("degree") == 0).height
    mo.vstack(
        [
            mo.md(f"As of **{at:%Y-%m-%d %H:%M}** UTC"),
            mo.hstack(
                [
                    mo.stat(notes.height, label="notes", bordered=True),
                    mo.stat(links.height, label="links", bordered=True),
                    mo.stat(
                        f"{2 * links.height / max(notes.height, 1):.1f}",
                        label="links at a note",
                        caption="mean, either direction",
                        bordered=True,
                    ),
                    mo.stat(
                        degrees.filter(pl.col("degree") > 0)["community"].n_unique(),
                        label="communities",
                        caption=f"modularity {modularity:.2f}",
                        bordered=True,
                    ),
                    mo.stat(_alone, label="notes without a link", bordered=True),
                ],
                widths="equal",
                gap=1,
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## How many links a note has

    In most minds a few notes have very many links and most have few: a straight fall on both log scales.
    """)
    return


@app.cell
def _(degrees):
    spread = pl.concat(
        [
            degrees.group_by(links=name).len("notes").with_columns(direction=pl.lit(told)).select("direction", "links", "notes")
            for name, told in (("out", "leaving"), ("into", "arriving"))
        ]
    ).sort("direction", "links")
    spread = spread.with_columns(share=pl.col("notes").reverse().cum_sum().reverse().over("direction") / degrees.height)
    degree_chart = (
        alt.Chart(spread.filter(pl.col("links") > 0))
        .mark_line(point=alt.OverlayMarkDef(size=28, filled=True), strokeWidth=1.2)
        .encode(
            x=alt.X(
                "links:Q",
                title="links, at least (log scale)",
                scale=alt.Scale(type="log"),
                axis=alt.Axis(values=[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000], format=",d"),
            ),
            y=alt.Y(
                "share:Q",
                title="share of notes (log scale)",
                scale=alt.Scale(type="log"),
                axis=alt.Axis(values=[0.0001, 0.001, 0.01, 0.1, 1], format="~%"),
            ),
            color=alt.Color("direction:N", title="links", scale=alt.Scale(range=[look.PALETTE[0], look.PALETTE[1]])),
            tooltip=["direction", "links", "notes", alt.Tooltip("share", format=".2%")],
        )
        .properties(title=alt.Title("How many links a note has", subtitle="share of notes with at least so many"), height=260)
    )
    degree_chart
    return degree_chart, spread


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## Who stands in the middle
    """)
    return


@app.cell
def _(degrees):
    hubs = degrees.filter(pl.col("degree") > 0).head(18)
    _long = (
        hubs.with_columns(name=pl.format("{}  [{}]", "label", pl.col("key").str.head(22)))
        .unpivot(
            ["into", "out"], index=["name", "key", "text", "kind", "community"], variable_name="direction", value_name="links"
        )
        .with_columns(pl.col("direction").replace({"into": "arriving", "out": "leaving"}))
    )
    hub_chart = (
        alt.Chart(_long)
        .mark_bar(height={"band": 0.72})
        .encode(
            x=alt.X("links:Q", title="links"),
            y=alt.Y(
                "name:N", title=None, sort=_long["name"].unique(maintain_order=True).to_list(), axis=alt.Axis(labelLimit=380)
            ),
            color=alt.Color(
                "direction:N",
                title="links",
                scale=alt.Scale(domain=["arriving", "leaving"], range=[look.PALETTE[1], look.PALETTE[0]]),
            ),
            order=alt.Order("direction:N"),
            tooltip=["key", "text", "kind", "direction", "links", "community"],
        )
        .properties(title=alt.Title("Hub notes", subtitle="the notes with the most links"), height=alt.Step(21), width=440)
    )
    hub_chart
    return hub_chart, hubs


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## What belongs together

    Communities are groups of notes with more, and stronger, links among themselves than chance would give (Leiden, by
    modularity). The numbers count from the largest. A dot is a note, as large as it has links; the names are those of
    each community's hub.
    """)
    return


@app.cell
def _(degrees):
    communities = (
        degrees.filter(pl.col("degree") > 0)
        .sort(
            (pl.col("kind") != "episode").cast(pl.Int8), "degree", "key", descending=[True, True, False]
        )  # what is known names it
        .group_by("community", maintain_order=True)
        .agg(
            notes=pl.len(),
            hub=pl.col("label").first(),
            hub_note=pl.col("note").first(),
            about=pl.col("label").head(4).str.join(" · "),
            kinds=pl.col("kind").value_counts(sort=True).struct.field("kind").head(3).str.join(", "),
        )
        .sort("community")
    )
    mo.ui.table(communities.drop("hub", "hub_note"), selection=None, page_size=12)
    return (communities,)


@app.cell
def _(communities, degrees, graph, notes):
    most = 1500  # a picture of more says nothing
    _keep = degrees.filter(pl.col("degree") > 0).head(most)
    _places = {note: place for place, note in enumerate(notes["note"])}
    _part = graph.induced_subgraph(sorted(_places[note] for note in _keep["note"]))
    _ids = [notes["note"][place] for place in sorted(_places[note] for note in _keep["note"])]
    _group = dict(degrees.select("note", "community").iter_rows())
    _degree = _part.degree()
    # Communities are drawn apart; and what is linked with everybody pulls nobody.
    _pull = [
        (3.0 if _group[_ids[e.source]] == _group[_ids[e.target]] else 0.4) / (_degree[e.source] * _degree[e.target]) ** 0.25
        for e in _part.es
    ]
    igraph.set_random_number_generator(random.Random(1))
    _layout = _part.layout_fruchterman_reingold(weights=_pull, niter=600, grid="nogrid" if _part.vcount() < 600 else "grid")
    _shown = [str(c) for c in communities["community"].head(len(look.PALETTE) - 1)]
    spots = (
        pl.DataFrame(
            {"note": _ids, "x": [p[0] for p in _layout], "y": [p[1] for p in _layout]},
            schema={"note": pl.String, "x": pl.Float64, "y": pl.Float64},
        )
        .join(degrees, on="note")
        .with_columns(group=pl.col("community").cast(pl.String))
        .with_columns(group=pl.when(pl.col("group").is_in(_shown)).then("group").otherwise(pl.lit("others")))
    )
    # Half by rank, so that neither the crowd nor what stands far out takes all the room.
    for axis in ("x", "y"):
        _c = pl.col(axis)
        spots = spots.with_columns(
            (0.5 * (_c - _c.min()) / (_c.max() - _c.min() + 1e-9) + 0.5 * _c.rank() / pl.len()).alias(axis)
        )
    _where = {row[0]: row[1:] for row in spots.select("note", "x", "y").iter_rows()}
    _edges = pl.DataFrame(
        [(*_where[_ids[e.source]], *_where[_ids[e.target]], e["weight"]) for e in _part.es][:20_000],
        schema=["x", "y", "x2", "y2", "weight"],
        orient="row",
    )

    _plain = alt.Axis(labels=False, ticks=False, grid=False, domain=False, title=None)
    _scale = alt.Scale(domain=[-0.04, 1.04], nice=False)
    _x, _y = alt.X("x:Q", scale=_scale, axis=_plain), alt.Y("y:Q", scale=_scale, axis=_plain)
    _names = [f"{c}: {hub}" for c, hub in communities.select("community", "hub").head(len(_shown)).iter_rows()]
    _label = " : ".join([f"datum.label == '{c}' ? {name!r}" for c, name in zip(_shown, _names, strict=True)] + ["datum.label"])
    _lines = (
        alt.Chart(_edges)
        .mark_rule(color="#9aa5ad")
        .encode(
            x=_x, y=_y, x2="x2:Q", y2="y2:Q", opacity=alt.Opacity("weight:Q", scale=alt.Scale(range=[0.12, 0.5]), legend=None)
        )
    )
    _dots = (
        alt.Chart(spots)
        .mark_circle(opacity=0.9, stroke="white", strokeWidth=0.6)
        .encode(
            x=_x,
            y=_y,
            size=alt.Size("degree:Q", scale=alt.Scale(type="sqrt", range=[18, 520]), legend=None),
            color=alt.Color(
                "group:N",
                title="community: its hub",
                scale=alt.Scale(domain=[*_shown, "others"], range=[*look.PALETTE[: len(_shown)], look.FAINT]),
                legend=alt.Legend(labelExpr=_label, symbolOpacity=1),
            ),
            tooltip=["key", "text", "kind", "community", "degree"],
        )
    )
    _hubs = communities.join(spots.select("x", "y", note="note"), left_on="hub_note", right_on="note").sort("community")
    _hubs = _hubs.with_columns(label=pl.col("hub").map_elements(lambda text: look.short(text, 22), return_dtype=pl.String))
    _hubs = _hubs.filter(
        pl.Series(
            look.apart([(680 * x, -520 * y, label) for x, y, label in _hubs.select("x", "y", "label").iter_rows()]),
            dtype=pl.Boolean,
        )
    )
    _text = alt.Chart(_hubs)
    _halo = _text.mark_text(fontSize=12, fontWeight="bold", stroke="white", strokeWidth=3.5, dy=-13).encode(
        x=_x, y=_y, text="label"
    )
    _words = _text.mark_text(fontSize=12, fontWeight="bold", color=look.INK, dy=-13).encode(x=_x, y=_y, text="label")
    map_chart = (_lines + _dots + _halo + _words).properties(
        title=alt.Title("The mind as a map", subtitle=f"{spots.height} of {notes.height} notes; what is linked stands near"),
        width=680,
        height=520,
    )
    map_chart
    return map_chart, spots


@app.cell(hide_code=True)
def _():
    mo.md("""
    ## Where a thought goes

    The walk from one note alone, as recall takes it from what a question resembles: how much of it each other note gets.
    """)
    return


@app.cell
def _(degrees):
    _labels = {
        f"{row['label']} · {row['kind']} [{row['key']}]": row["note"]
        for row in degrees.filter(pl.col("out") > 0).head(2000).iter_rows(named=True)
    }
    seed = mo.ui.dropdown(_labels, value=next(iter(_labels), None), label="begin at", searchable=True)
    seed
    return (seed,)


@app.cell
def _(leads_to, notes, seed):
    led = leads_to(seed.value) if seed.value else ()
    _kinds = dict(notes.select("note", "kind").iter_rows())
    reached = pl.DataFrame(
        [
            (
                one.key,
                f"{look.short(one.text, 36)}  [{one.key[:22]}]",
                _kinds[one.id],
                one.score,
                len(one.path),
                " ".join(f"—{step.verb or step.type.value}→ {step.target}" for step in one.path),
                one.text,
            )
            for one in led
        ],
        schema={
            "key": pl.String,
            "label": pl.String,
            "kind": pl.String,
            "share": pl.Float64,
            "steps": pl.Int64,
            "path": pl.String,
            "text": pl.String,
        },
        orient="row",
    )
    _from = notes.filter(pl.col("note") == seed.value)["text"].to_list() if seed.value else [""]
    lead_chart = (
        alt.Chart(reached)
        .mark_bar(height={"band": 0.72})
        .encode(
            x=alt.X("share:Q", title="share of the walk", axis=alt.Axis(format=".1%", tickCount=6)),
            y=alt.Y("label:N", title=None, sort=reached["label"].to_list(), axis=alt.Axis(labelLimit=420)),
            color=look.kinds(present=reached["kind"]),
            tooltip=["key", "text", "kind", alt.Tooltip("share", format=".2%"), "path"],
        )
        .properties(
            title=alt.Title(f"From “{look.short(_from[0], 40)}”", subtitle="what the walk from it carries most to"),
            height=alt.Step(24),
            width=420,
        )
    )
    mo.vstack([lead_chart, mo.ui.table(reached.select("key", "steps", "path"), selection=None)]) if reached.height else mo.md(
        "It leads nowhere."
    )
    return lead_chart, reached


@app.cell(hide_code=True)
def _(communities, hubs, reached, seed):
    if mo.app_meta().mode == "script":
        with pl.Config(
            tbl_rows=-1, tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, fmt_str_lengths=80, tbl_width_chars=140
        ):
            print("hub notes", hubs.select("key", "kind", "into", "out", "community"), sep="\n")
            print("communities", communities.select("community", "notes", "about").head(12), sep="\n")
            print(f"where {seed.selected_key} leads", reached.select("key", pl.col("share").round(4), "path"), sep="\n")
    return


if __name__ == "__main__":
    app.run()
