#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles of functions in the real window: one with call paths in dark colours, then
one with phases in light ones. There is no time axis; what is chosen in
one view is chosen in the others."""

import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import bench as benches
import desktop
from views import DARK, LIGHT, wait_for

PICTURES = ["By Metric", "Function", "Table", "Scatter", "Icicle", "Call Tree",
            "Call Graph", "User Events"]


def check_opens(bench):
    tabs = bench.app.views()
    assert sorted(tabs) == sorted([*PICTURES, "Findings", "Summary"]), tabs
    assert bench.views.is_shown("Findings")
    bench.views.show("By Metric")
    # Keys are told as they are: there is no timeline that Enter could show.
    words = bench.views.content("By Metric").get_description()
    assert words == "Arrow keys choose a rank, Enter shows its table", words


def check_pictures(bench):
    for view in PICTURES:
        bench.views.show(view)
        bench.views.picture(view, view)


def check_figures(bench):
    """A table says what the command line says."""
    views, mean = bench.views, bench.ask("thread", "--of", "mean")["functions"]
    table = views.show("Table")
    lines = wait_for(lambda: views.lines(table), "lines")
    assert [views.cells(line)[0] for line in lines] == [f["name"] for f in mean]


def check_chosen(bench):
    """A line of a table, a row of a picture, a box and an area: with the pointer; a
    double click on a row shows the table of that rank."""
    views, app = bench.views, bench.app
    table, names = views.show("Table"), []
    for place in (2, 1):        # wide enough to be seen in the bars
        views.show("Table")
        line = views.lines(table)[place]
        names.append(views.cells(line)[0])
        app.click(line, 0.1)
        wait_for(lambda: views.chosen(table)[:1] == [views.cells(line)], "the line chosen")
        views.show("Function")
        bench.waits_for("name", names[-1])
        for view in ("By Metric", "Icicle", "Call Graph"):
            views.show(view)
            views.picture(f"{view} with line {place}", view)
    picture = views.show("By Metric")
    app.click(picture, 0.3, 0.5, times=2)
    wait_for(lambda: views.is_shown("Table"), "the table of a rank")
    bench.waits_for("of", "location")
    row = bench.told("location")
    for view in ("Icicle", "Call Graph", "User Events"):
        views.show(view)
        bench.waits_for("location", row)


def check_icicle(bench):
    """An area fills the picture after a double click, and Up goes back."""
    views, app = bench.views, bench.app
    picture = views.show("Icicle")
    views.picture("Icicle of a rank", "Icicle")
    app.click(picture, 0.1, 0.06, times=2)
    up = views.find("push button", "Up.*|.* Up")
    wait_for(lambda: up.get_state_set().contains(desktop.Atspi.StateType.SENSITIVE),
             "a path that fills the picture")
    views.picture("Icicle of a path", "Icicle")
    app.click(up)               # to the caller, which is a root
    app.click(up)
    wait_for(lambda: not up.get_state_set().contains(desktop.Atspi.StateType.SENSITIVE),
             "the whole tree")


def check_focus(bench):
    """One function with its callers and callees, by its key, and back."""
    views, app = bench.views, bench.app
    picture = views.show("Icicle")
    app.click(picture, 0.1, 0.06)
    app.keys("i")
    wait_for(lambda: bench.told("focus"), "a function in focus")
    views.picture("Icicle of a function", "Icicle")
    app.keys("Escape")
    wait_for(lambda: not bench.told("focus"), "the whole tree")


def check_tables(bench):
    views = bench.views
    table = views.show("Table")
    flat, combo = views.heads(table), views.find("combo box", "What is listed")
    views.choose(combo, 1)
    wait_for(lambda: views.heads(table) != flat, "the call tree")
    views.picture("Call tree", "Table")
    views.choose(combo, 1)
    wait_for(lambda: any(" => " in views.cells(line)[0] for line in views.lines(table)),
             "call paths")
    views.picture("Call paths", "Table")


def check_phases(bench):
    """Phases are columns, and so are ranks that are compared, by what is typed."""
    views, app = bench.views, bench.app
    table = views.show("Table")
    combo = views.find("combo box", "What is listed")
    views.choose(combo, 3)
    phases = {p["name"] for p in bench.ask("phases")["phases"]}
    heads = wait_for(lambda: phases & set(views.heads(table)) and views.heads(table), "phases")
    views.picture("Phases", "Table")
    views.choose(combo, 1)
    wait_for(lambda: views.heads(table)[1:4] == ["mean", "min", "max"], "ranks compared")
    assert heads != views.heads(table)
    typed = views.find("text|entry", "Compared: .*")
    app.click(typed)
    app.keys("ctrl+a", *"mean", "comma", "0", "comma", "5", "Return")
    wait_for(lambda: views.heads(table)[1:] == ["mean", "rank 0", "rank 5"], "three compared")
    views.picture("Compared", "Table")


CHECKS = {
    "paths": ("callpath-deep-4", DARK, check_figures, check_chosen, check_icicle, check_focus,
              check_tables),
    "phases": ("phase-8", LIGHT, check_phases),
}


def test(program, source):
    tau = pathlib.Path(source) / "tests" / "data" / "tau"
    pictures = pathlib.Path(sys.argv[3]) / "e2e-pictures"
    name, theme, *checks = CHECKS[sys.argv[4]]
    with tempfile.TemporaryDirectory() as folder, desktop.App(
            program, str(tau / name), view=None) as app:
        bench = benches.Bench(app, program, pictures, pathlib.Path(folder), tau / name)
        bench.views.set_theme(theme)
        benches.go(bench, check_opens, check_pictures, *checks, benches.check_quiet)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
