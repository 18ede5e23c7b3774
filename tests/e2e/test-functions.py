#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A trace of an MPI program in the real window, of TAU or an OTF2 archive: who was late, what is
chosen in one view is chosen in the others, pictures beside the timeline, roles; every view in
light and dark colours.

Usage: test-functions.py PROGRAM SOURCE-ROOT LOGS PART: the checks of that part of CHECKS"""

import os
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import bench as benches
import desktop
from desktop import GLib
from views import CONTENTS, DARK, Views, wait_for

PROFILES = ["By Metric", "Function", "Table", "Scatter", "Icicle", "Call Tree",
            "Call Graph", "User Events"]
OF_STREAMS = ("Live", "Replies")
PICTURES = ["Timeline", "Waiting", "Counters", "Communication", "Events", *PROFILES]


def check_opens(bench):
    """All views but those of streams are in the list, in the order of the table of views."""
    table = pathlib.Path(sys.argv[2], "src/views/run/kymo-views.c").read_text()
    titles = [re.sub(r"\{code:.*\|(.*)\}", r"\1", title) for title in
              re.findall(r'^  \{ "[a-z-]+", KYMO_GROUP_\w+, N_\("(.*?)"\)', table, re.M)]
    assert set(PICTURES) < set(titles), titles
    tabs = bench.app.views()
    assert tabs == [title for title in titles if title not in OF_STREAMS], (tabs, titles)
    bench.app.see("4 ranks")


def check_late(bench):
    """From the longest wait to who was late, whose block is then chosen in all views."""
    views, worst = bench.views, bench.ask("waiting")["worst"][0]
    table = views.show("Waiting")
    line = wait_for(lambda: views.lines(table)[:1], "a single wait")[0]
    cells = views.cells(line)
    assert [cells[2], cells[3], cells[4]] == [
        worst["label"], worst["function"], worst["by_label"]], (cells, worst)
    bench.app.click(line, 0.3)
    late = views.find("push button", "Show Late Rank.*")
    wait_for(lambda: late.get_state_set().contains(desktop.Atspi.StateType.SENSITIVE),
             "a wait that is chosen")
    bench.app.click(late)
    wait_for(lambda: views.is_shown("Timeline"), "the timeline")
    begin = worst["by_begin_ns"] / 1e6
    bench.app.see(f"^{worst['by_label']} · {begin:.3f} ms to")
    views.show("Table")
    bench.waits_for("location", str(worst["by"]))
    (chosen,) = wait_for(lambda: views.chosen(views.content("Table")), "the late function")
    views.show("Function")
    bench.waits_for("name", chosen[0])
    bench.app.act("fit")


def check_chosen(bench):
    """A line of the table, and a row of a picture: with the pointer."""
    views = bench.views
    table, marked = views.show("Table"), {}
    for name in ("MPI_Allreduce()", "sweep"):
        views.show("Table")
        bench.app.click(views.line_of(table, name), 0.1)
        wait_for(lambda: [line[0] for line in views.chosen(table)] == [name], f"{name} chosen")
        views.show("Function")
        bench.waits_for("name", name)
        for view in ("By Metric", "Icicle", "Call Graph"):
            views.show(view)
            marked[view, name] = views.picture(f"{view} {name}", view)
    bench.app.click(views.show("By Metric"), 0.4, 0.5)
    views.show("Table")
    row = wait_for(lambda: bench.told("of") == "location" and bench.told("label"), "a row")
    views.show("Call Graph")
    bench.waits_for("label", row)
    views.show("Function")
    wait_for(lambda: bench.told("name") != "sweep", "the function below the pointer")


def check_pictures(bench, views=PICTURES):
    for view in views:
        bench.views.show(view)
        bench.views.picture(view, view)


def check_dark(bench):
    """Those that profiles lack: test-profiles.py has the others in dark colours."""
    bench.views.set_theme(DARK)
    check_pictures(bench, [view for view in PICTURES if view not in PROFILES])


def check_counters(bench):
    bench.views.show("Counters")
    heads = next(line for line in bench.figures() if line and line[0] == "edges_ns")
    told = {event["name"] for event in bench.ask("user-events")["user_events"]}
    assert told and told <= set(heads), (told, heads)


def check_tables(bench):
    """Other tables of the same figures; words and heads go with them."""
    views = bench.views
    table = views.show("Table")
    flat, combo = views.heads(table), views.find("combo box", "What is listed")
    views.choose(combo, 1)
    wait_for(lambda: views.word_of(combo) == "Call tree"
             and views.heads(table) != flat, "the call tree")
    views.picture("Call tree", "Table")
    views.choose(combo, 1)
    wait_for(lambda: any(" => " in views.cells(line)[0] for line in views.lines(table)),
             "call paths")
    views.picture("Call paths", "Table")
    views.choose(combo, 1)
    wait_for(lambda: views.heads(table)[1:4] == ["mean", "min", "max"], "ranks compared")
    views.picture("Ranks compared", "Table")
    views.choose(combo, -3)
    wait_for(lambda: views.heads(table) == flat, "functions")


def check_beside(bench):
    """Another part with another view; what is split gets new accessible objects."""
    views, app = bench.views, bench.app
    alone = views.show("Timeline").get_extents(desktop.Atspi.CoordType.WINDOW).width

    def boxes(view):
        role, name = CONTENTS[view]
        for item in app.walk(beyond=("list",)):
            if desktop.matches(role, item.get_role_name()) and desktop.matches(
                    name, item.get_name()):
                yield item, item.get_extents(desktop.Atspi.CoordType.WINDOW)

    for plot, view in (("communication", "Communication"), ("call-graph", "Call Graph")):
        app.act("split-right")
        app.act("view", GLib.Variant("s", plot))

        def is_beside():
            return next((item for _, mine in boxes("Timeline") for item, box in boxes(view)
                         if 0 < mine.width < alone and box.x >= mine.x + mine.width), None)
        views.contents[view] = wait_for(is_beside, f"{plot} beside the timeline")
        views.picture(f"beside {plot}", view)
        app.act("close-part")
        wait_for(lambda: any(mine.width == alone for _, mine in boxes("Timeline")),
                 "the timeline alone")
    views.contents.clear()


def check_roles(bench):
    """Another role for a function: kept, and that of the run when it is read again."""
    views, app = bench.views, bench.app
    views.show("Table")
    def role():
        return next((line[2] for line in bench.figures() if line[:1] == ["sweep"]), None)
    wait_for(lambda: role() == "compute", "sweep to be compute")
    app.act("roles")
    dialog = views.dialog("Roles of Functions")
    combo = views.find("combo box", "sweep", dialog, ())
    assert views.word_of(combo) == "Compute"
    views.choose(combo, 1)
    wait_for(lambda: views.word_of(combo) != "Compute", "another role")
    word = views.word_of(combo).lower()
    app.click(views.find("push button", ".*Save.*", dialog))
    path = pathlib.Path(os.environ["XDG_CONFIG_HOME"]) / "kymo" / "roles.conf"
    wait_for(lambda: path.is_file() and "sweep" in path.read_text(), "the rules")
    app.act("reload")
    wait_for(lambda: not bench.views.is_shown("Table") or role() == word, "the run again")
    bench.views = Views(app, bench.pictures, bench.run.name)
    bench.views.show("Table")
    wait_for(lambda: role() == word, f"sweep to be {word}")
    path.unlink()


CHECKS = {
    "tau": ("tau/trace-stencil-4", check_opens, check_late, check_chosen, check_tables),
    "tau-pictures": ("tau/trace-stencil-4", check_pictures, check_counters),
    "tau-beside": ("tau/trace-stencil-4", check_beside, check_roles),
    "otf2": ("otf2-stencil-4", check_opens, check_late, check_dark, check_counters),
}


def test(program, source):
    data = pathlib.Path(source) / "tests" / "data"
    pictures = pathlib.Path(sys.argv[3]) / "e2e-pictures"
    name, *checks = CHECKS[sys.argv[4]]
    run = data / name
    with tempfile.TemporaryDirectory() as folder, desktop.App(program, str(run)) as app:
        bench = benches.Bench(app, program, pictures, pathlib.Path(folder), run)
        benches.go(bench, *checks, benches.check_quiet)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
