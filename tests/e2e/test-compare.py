#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two recordings compared in the real window: pictures that move together whatever one
does in either, what is chosen in the table, a run that is dragged, the four pages in
light and dark colours, sides that change places, the menus of the runs, and the dialog that
asks with which run."""

import os
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import desktop
from desktop import Atspi, GLib, approach, xdo
from views import DARK, LIGHT, Views, wait_for

A, B, C = "feat-p4-text", "feat-notracenested-p4", "feat-p4-outlierphases"
TABLE = "What grew and what shrank"
PAGES = {"Side by Side": ("1", "image", "Timeline: B, .*"),
         "Over Time": ("2", "image", "(?i)difference.*"),
         "What Changed": ("3", "image", "(?i)what .*"),
         "Surroundings": ("4", "tree table", "What is known about each run")}


class Comparison(Views):
    """The one tab, whose contents are found by name."""

    def __init__(self, app, folder):
        self.app, self.run, self.contents = app, "compare", {}
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.theme, self.seen = LIGHT, {}

    def canvas(self, letter, plot="Timeline"):
        return self.find("image", f"{plot}: {letter}, .*")

    def range(self, letter):
        """Begin and end as the picture says them, in ms."""
        words = self.canvas(letter).get_name()
        begin, end = re.search(r", (-?[\d.]+ \S+) to (-?[\d.]+ \S+)$", words).groups()
        units = {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "ms": 1, "s": 1000}
        return [float(text.split()[0]) * units[text.split()[1]] for text in (begin, end)]

    def waits_for_range(self, letter, before, what):
        return wait_for(lambda: self.range(letter) != before and self.range(letter), what)


def close_to(a, b, slack):
    return all(abs(x - y) <= slack for x, y in zip(a, b))


def check_opens(view, app):
    app.see(f"{A} against {B}")
    table = view.find("tree table", TABLE)
    wait_for(lambda: len(view.lines(table)) > 5, "lines of the table")
    heads = view.heads(table)
    assert ["Time A", "Time B"] == [head for head in heads if head.startswith("Time")], heads
    app.see("A took .* B ")
    app.see(r"^B took \S+\sms less than A: .*PEs wait for work although loads are equal: −")


def check_coupled(view, app):
    """Keys and pointer in either picture; both show stretches of the same length."""
    a, b = view.range("A"), view.range("B")
    app.click(view.canvas("A"), 0.6, 0.5)
    app.keys("w", "w", "w")
    near_a = view.waits_for_range("A", a, "A to be zoomed")
    near_b = view.waits_for_range("B", b, "B to be zoomed with it")
    slack = 0.02 * (near_a[1] - near_a[0])
    assert abs((near_a[1] - near_a[0]) - (near_b[1] - near_b[0])) <= slack, (near_a, near_b)
    app.click(view.canvas("B"), 0.5, 0.5)
    app.keys("d")
    moved = view.waits_for_range("A", near_a, "A to be moved from B")
    shift = moved[0] - near_a[0]
    assert close_to(view.range("B"), [t + shift for t in near_b], 2 * slack)
    app.keys("BackSpace", "BackSpace")
    wait_for(lambda: view.range("A") == a and view.range("B") == b, "both as they were")
    app.keys("Escape", "Escape", "Escape")


def check_chosen(view, app):
    table = view.find("tree table", TABLE)
    line = view.line_of(table, "Idle")
    view.contents["A"] = view.canvas("A")
    before = view.picture("all", "A")
    app.click(line, 0.05)
    wait_for(lambda: [cells[0] for cells in view.chosen(table)] == ["Idle"], "Idle chosen")
    assert view.picture("Idle", "A") != before
    app.keys("Escape")
    wait_for(lambda: not view.chosen(table), "nothing chosen")


def check_dragged(view, app):
    """With Alt, to the right: what B did comes later now."""
    app.keys("ctrl+1")
    box = view.canvas("B").get_extents(Atspi.CoordType.WINDOW)
    window, before = app.focus(), view.range("B")
    x, y = box.x + box.width // 2, box.y + box.height // 2
    approach(view.canvas("B"), x, y, "--window", window)
    xdo("keydown", "alt", "mousedown", 1)
    for step in range(1, 9):
        xdo("mousemove", "--window", window, x + 10 * step, y)
    xdo("mouseup", 1, "keyup", "alt")
    app.see("Aligned by hand")
    after = view.waits_for_range("B", before, "B to be moved")
    assert after[0] < before[0], (before, after)
    app.see("[0-9] ms later")


def check_pages(view, app):
    """Each page by its key; in each theme a picture of its own."""
    for name, (key, role, content) in PAGES.items():
        app.click(view.find("tree table", TABLE), 0.5, 0.97)
        app.keys(f"ctrl+{key}")
        button = view.find("push button|toggle button", name)
        wait_for(lambda: any(button.get_state_set().contains(state) for state in
                             (Atspi.StateType.CHECKED, Atspi.StateType.PRESSED)), name)
        view.contents[name] = view.find(role, content)
        view.picture(name, name)


def check_dark(view, app):
    view.set_theme(DARK)
    check_pages(view, app)
    view.set_theme(LIGHT)


def check_swapped(view, app):
    app.act("fit")
    app.keys("ctrl+1")
    app.click(view.canvas("A"), 0.9, 0.95)
    app.keys("x")
    app.see(f"{B} against {A}")


def check_dialog(view, app, source):
    """From an open run, with the other one that is open."""
    data = source / "tests" / "data"
    for name in (A, B):
        app.act("open-path", GLib.Variant("ay", os.fsencode(str(data / name)) + b"\0"))
        app.find(None, re.escape(str(data / name)), placed=False)       # its tab
        app.find("image", "Timeline: 4 PEs.*")
    app.keys("ctrl+d")
    dialog = view.dialog("Compare With")
    view.find("label", A, dialog, ())
    # The one other run that is open is what is most likely meant.
    app.click(view.find("push button", ".*Compare.*", dialog, ()))
    app.see(f"{B} against {A}")
    view.canvas("A")


def check_menus(view, app, source):
    """Three runs: by the pointer one is a repeat, then no repeat any more, then left out."""
    data = source / "tests" / "data"
    paths = [os.fsencode(str(data / name)) for name in (A, B, C)]
    app.act("compare-paths", GLib.Variant("aay", [path + b"\0" for path in paths]))
    app.see(f"{A} against 2 others")

    def choose(run, *words):
        app.click(view.find("push button|toggle button", f"Run {run}: .*"))
        for word in words:
            app.click(view.find("menu item|push button|check menu item", word))

    choose("C", "Is a Repeat of", "B")
    app.see("Run B′2: .*")
    app.see(f"{A} against {B}")
    choose("B′2", "Is Not a Repeat")
    app.see(f"{A} against 2 others")
    choose("C", "Remove")
    app.see(f"{A} against {B}")
    app.keys("ctrl+w")
    app.find("frame", f"{B} against {A}")       # the other tab: no key is under way any more


CHECKS = {
    "pages": (check_opens, check_coupled, check_pages, check_dark),
    "runs": (check_opens, check_chosen, check_dragged, check_swapped, check_menus, check_dialog),
}


def test(program, source):
    source = pathlib.Path(source)
    data = source / "tests" / "data"
    pictures = pathlib.Path(sys.argv[3]) / "e2e-pictures"
    with tempfile.TemporaryDirectory(), \
            desktop.App(program, "--compare", str(data / A), str(data / B)) as app:
        view = Comparison(app, pictures)
        for check in CHECKS[sys.argv[4]]:
            check(view, app, *([source] if check in (check_menus, check_dialog) else []))
            print(f"ok {check.__name__[6:]}", flush=True)
        loud = [line for line in app.output().splitlines()
                if "-WARNING" in line or "-CRITICAL" in line]
        assert not loud, "\n".join(loud)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
