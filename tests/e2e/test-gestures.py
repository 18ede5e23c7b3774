#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every gesture of mouse and keys in one window of the sample run, with real
pointer and key events; after each what a person would read is looked at: the
status line, the words of the chart, the details. Pictures of what is drawn
over the timeline are kept in both themes."""

import os
import pathlib
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import desktop
import views as looks
from desktop import Atspi, GLib

NUMBER = r"-?[\d.,]+"


def xdo(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, timeout=20)


class Desk:
    """The window, with its few widgets that are read again and again."""

    def __init__(self, app, folder):
        self.app, self.folder = app, pathlib.Path(folder)
        self.tabs = {item.get_name(): item for item in app.each("page tab", placed=False)}
        self.chart = app.find("image", "Timeline:.*")
        self.box = self.chart.get_extents(Atspi.CoordType.WINDOW)
        self.window = app.focus()
        self.status = self.labels_below(r".* – .* \(.* of .*\)")

    def labels_below(self, pattern):
        """All labels of the status line: siblings of that with the range."""
        first = self.app.find("label", pattern)
        parent = first.get_parent()
        return [parent.get_child_at_index(i) for i in range(parent.get_child_count())]

    def line(self):
        return [item.get_name() or "" for item in self.status]

    def range(self):
        return self.line()[0]

    def words(self):
        return self.chart.get_description() or ""

    # -- waiting ---------------------------------------------------------

    def until(self, function, what):
        return desktop.wait_for(function, what)

    def range_other_than(self, before, what):
        """The new range, once it stands."""
        def look():
            now = self.range()
            time.sleep(0.12)
            return now if now != before and self.range() == now else None
        return self.until(look, what)

    def range_is(self, text, what):
        self.until(lambda: self.range() == text, f"{what}: “{text}”, not “{self.range()}”")

    def line_has(self, pattern, what):
        def look():
            return next((match for text in self.line()
                         if (match := re.search(pattern, text))), None)
        return self.until(look, f"{what}: “{pattern}” in {self.line()}")

    # -- touching --------------------------------------------------------

    def at(self, share_x, share_y):
        return (self.box.x + int(self.box.width * share_x),
                self.box.y + int(self.box.height * share_y))

    def move(self, share_x, share_y):
        xdo("mousemove", "--window", self.window, *self.at(share_x, share_y))

    def click(self, share_x, share_y, button=1, times=1):
        self.move(share_x, share_y)
        xdo("click", "--repeat", times, "--delay", 40, button)

    def focus(self):
        """A press of the middle button gives the chart the keyboard and does no more."""
        self.click(0.5, 0.4, button=2)

    def wheel(self, button, times=1, modifier=None):
        if modifier:
            xdo("keydown", modifier)
        xdo("click", "--repeat", times, "--delay", 30, button)
        if modifier:
            xdo("keyup", modifier)

    def drag(self, a, b, button=1, modifier=None):
        """In steps, as a hand does."""
        if modifier:
            xdo("keydown", modifier)
        self.move(*a)
        xdo("mousedown", button)
        for i in range(1, 7):
            self.move(a[0] + (b[0] - a[0]) * i / 6, a[1] + (b[1] - a[1]) * i / 6)
        xdo("mouseup", button)
        if modifier:
            xdo("keyup", modifier)

    def keys(self, *names):
        self.app.keys(*names)

    def picture(self, name):
        for theme in (looks.LIGHT, looks.DARK):
            self.app.act("color-scheme", GLib.Variant("s", theme), path="")
            desktop.wait_for(lambda: self.is_of(theme), f"the theme {theme}")
            desktop.screenshot(str(self.folder / f"gestures-{name}-{theme}.png"))
        self.app.act("color-scheme", GLib.Variant("s", looks.LIGHT), path="")
        desktop.wait_for(lambda: self.is_of(looks.LIGHT), "the light theme again")

    def is_of(self, theme):
        shot = looks.Shot(subprocess.run(
            ["import", "-window", self.window, "-depth", "8", "ppm:-"], check=True,
            timeout=30, capture_output=True).stdout)
        part = shot.part(self.box)
        return (sum(part) / len(part) > 128) == (theme == looks.LIGHT)


# -- moving in time -------------------------------------------------------

def check_wheel(desk):
    whole = desk.range()
    desk.click(0.5, 0.4)
    desk.keys("Escape")
    desk.wheel(4, 3, "ctrl")
    zoomed = desk.range_other_than(whole, "Ctrl+wheel zooms")
    desk.wheel(5, 1, "shift")
    moved = desk.range_other_than(zoomed, "Shift+wheel goes in time")
    desk.drag((0.6, 0.4), (0.5, 0.4), button=2)
    panned = desk.range_other_than(moved, "the middle button pans")
    desk.keys("f")
    desk.range_is(whole, "F shows all")
    desk.keys("BackSpace")
    desk.range_is(panned, "Backspace goes back")
    desk.keys("alt+Left")
    back = desk.range_other_than(panned, "Alt+Left goes back")
    desk.keys("alt+Right")
    desk.range_is(panned, f"Alt+Right goes forward from {back}")
    desk.keys("f")
    desk.range_is(whole, "F shows all")


def check_letters(desk):
    whole = desk.range()
    desk.move(0.5, 0.4)
    desk.keys("w", "w", "w")
    near = desk.range_other_than(whole, "W zooms")
    desk.keys("d")
    later = desk.range_other_than(near, "D pans")
    desk.keys("a")
    desk.range_is(near, f"A pans back from {later}")
    desk.keys("s")
    desk.range_other_than(near, "S zooms out")
    desk.keys("f")
    desk.range_is(whole, "F shows all")
    ruler = desk.app.find("image", "Time axis:.*")
    desk.keys("w", "w")
    near = desk.range_other_than(whole, "W zooms")
    desk.app.click(ruler)
    desk.keys("Right")
    desk.range_other_than(near, "the ruler pans with arrows")
    desk.focus()
    desk.keys("f")
    desk.range_is(whole, "F shows all")


# -- selecting and measuring ----------------------------------------------

def check_select(desk):
    whole = desk.range()
    desk.drag((0.4, 0.3), (0.6, 0.3))
    desk.line_has(rf"^selected {NUMBER} ms$", "a drag selects time")
    desk.keys("Escape")
    desk.until(lambda: not any("selected" in text for text in desk.line()), "Esc drops it")
    desk.drag((0.4, 0.1), (0.6, 0.45))
    desk.line_has(r"^selected .* of PEs 0-\d$", "a drag over rows selects them")
    desk.picture("select")
    desk.keys("z")
    zoomed = desk.range_other_than(whole, "Z zooms to the selection")
    desk.app.see(r"Shown are PEs \S+ alone")
    desk.app.press(desk.app.find("push button", "(All PEs ?)+"))
    desk.until(lambda: not any(re.search("Shown are", text) for text in desk.app.texts()),
               "all PEs again")
    desk.focus()
    desk.drag((0.3, 0.3), (0.5, 0.3))
    desk.line_has("^selected", "a drag selects time")
    desk.keys("Return")
    desk.range_other_than(zoomed, "Enter zooms to the selection")
    desk.keys("f")
    desk.range_is(whole, "F shows all")


def check_measure(desk):
    desk.drag((0.5, 0.3), (0.7, 0.3), modifier="shift")
    match = desk.line_has(rf"^measured {NUMBER} m?s, {NUMBER} Hz · PE \d: blocks ([\d,]+), "
                          rf"busy {NUMBER} %, idle {NUMBER} %$", "Shift+drag measures")
    assert int(match[1].replace(",", "")) > 100, match[0]
    assert not any("selected" in text for text in desk.line()), desk.line()
    desk.picture("measure")
    desk.keys("Escape")
    desk.until(lambda: not any("measured" in text for text in desk.line()),
               "Esc ends measuring")


def check_markers(desk):
    desk.move(0.4, 0.3)
    desk.keys("m")
    desk.line_has(r"^A \S+ \S+$", "M sets marker A")
    desk.move(0.6, 0.3)
    desk.keys("m")
    first = desk.line_has(r"^A .*B .*Δ (.*)$", "M sets marker B")[0]
    desk.drag((0.6, 0.5), (0.7, 0.5))
    second = desk.until(lambda: next((text for text in desk.line() if "Δ" in text
                                      and text != first), None), "a marker is dragged")
    assert not any("selected" in text for text in desk.line()), desk.line()
    desk.keys("bracketleft")
    desk.until(lambda: any("Δ" in text and text != second for text in desk.line()),
               "[ moves the marker to the edge before")
    desk.app.act("clear-markers")
    desk.until(lambda: not any("Δ" in text for text in desk.line()), "no markers")


# -- blocks ---------------------------------------------------------------

def check_blocks(desk):
    whole = desk.range()
    desk.click(0.6, 0.3)
    desk.until(lambda: re.match(r"PE \d, .*, .*s", desk.words()),
               "the words of the selected block")
    facts = desk.app.find("label", r"PE \d · .* to .*").get_name
    before = facts()
    desk.keys("Right")
    first = desk.until(lambda: facts() != before and facts(), "the next block")
    desk.keys("Right")
    second = desk.until(lambda: facts() != first and facts(), "the next block")
    desk.keys("Left")
    desk.until(lambda: facts() == first, "the block before")
    desk.keys("Down")
    desk.until(lambda: facts()[:4] != first[:4], "the row below")
    desk.keys("Up", "l")
    desk.until(lambda: "times the median" in desk.words(), f"the longest, after {second}")
    longest = desk.words()
    desk.keys("k")
    desk.until(lambda: desk.words() != longest, "the shortest")
    desk.keys("o")
    desk.until(lambda: "times the median" in desk.words(), "a block far above its median")
    outlier = desk.words()
    desk.keys("ctrl+Right")
    desk.until(lambda: desk.words() != outlier, "the next of the same name")
    desk.keys("z")
    desk.range_other_than(whole, "Z zooms to the block")
    desk.keys("f")
    desk.range_is(whole, "F shows all")
    desk.click(0.6, 0.3, times=2)
    desk.range_other_than(whole, "a double click zooms to the block")
    desk.keys("f", "Escape")
    desk.range_is(whole, "F shows all")


def check_menu(desk):
    whole = desk.range()
    for way in ("click", "shift+F10", "Menu"):
        if way == "click":
            desk.click(0.6, 0.3, button=3)
        else:
            desk.click(0.6, 0.3)
            desk.keys(way)
        desk.app.find("menu item|push button|check menu item", "Zoom to Block")
        if way == "click":
            desk.picture("menu")
        if way == "Menu":
            desk.keys("z")
            desk.range_other_than(whole, "the menu zooms to the block")
        else:
            desk.keys("Escape", "w")
            desk.range_other_than(whole, "the chart has the keyboard again")
        desk.keys("f", "Escape")
        desk.range_is(whole, "F shows all")


# -- finding --------------------------------------------------------------

def check_search(desk):
    desk.keys("slash")
    desk.app.find("text|entry", "Search")
    xdo("type", "--delay", 15, "receiveForces")
    label = desk.app.find("label", "searching…|[\\d,]+ found").get_name
    def says(pattern):
        desk.until(lambda: re.search(pattern, label() or ""), f"“{pattern}”, not “{label()}”")
    says("^8,748 found$")
    desk.keys("Return")
    says("^1 of 8,748$")
    desk.until(lambda: "receiveForces" in desk.words(), "the match is selected")
    desk.keys("shift+Return")
    says("^8,748 of 8,748, again from the end$")
    desk.focus()
    desk.keys("period")
    says("^1 of 8,748, again from the begin$")
    desk.keys("period", "comma")
    says("^1 of 8,748$")
    desk.picture("search")
    desk.keys("ctrl+f", "ctrl+a")
    xdo("type", "--delay", 15, "f(")
    toggle = desk.app.find("push button|toggle button", "Regular expression")
    desk.app.press(toggle)
    says("“f\\(” is no regular expression: ")
    desk.keys("ctrl+a")
    xdo("type", "--delay", 15, "cell::.*(forces|start)")
    says(r"^[\d,]+ found$")
    desk.app.press(toggle)
    desk.focus()
    desk.keys("Escape", "Escape", "Escape")
    desk.until(lambda: not label(), "Esc ends the search")


def check_table(desk):
    """The table behind the picture has the blocks of the row in words."""
    desk.click(0.6, 0.3)
    desk.until(lambda: re.match(r"PE \d, ", desk.words()), "a block")
    before = desk.words()
    desk.keys("ctrl+t")
    lines = desk.app.find("list", "Table behind the picture")
    first = desk.until(lambda: next((item.get_name() for item in desk.app.walk(lines)
                                     if item.get_role_name() == "label"
                                     and " from " in item.get_name()), None), "lines in words")
    assert re.match(r".+, .+ from .+s(, .*median)?$", first), first
    desk.keys("Home", "Down")
    desk.until(lambda: desk.words() != before, "the list chooses a block")
    desk.picture("table")
    desk.app.click(desk.tabs["Usage"])
    desk.app.find("image", "Usage.*")
    desk.until(lambda: any("%" in (item.get_name() or "") for item in desk.app.walk(lines)),
               "the bars of another picture")
    usage = desk.app.find("image", "Usage.*")
    desk.app.click(usage)
    desk.keys("Home", "Right")
    desk.until(lambda: "%" in (usage.get_description() or ""), "arrows walk bars")
    desk.app.click(desk.tabs["Timeline"])
    desk.focus()
    desk.keys("ctrl+t", "Escape")


def check_dialogs(desk):
    for keys, pattern in (("ctrl+g", "Go to a Time Range"), ("ctrl+p", "Places"),
                          ("b", "Bookmark This Range")):
        desk.focus()
        desk.keys(keys)
        desk.app.see(pattern)
        desk.keys("Escape")
        desk.until(lambda: not any(re.search(pattern, text) for text in shown_texts(desk)),
                   f"{pattern} is gone")
    desk.focus()


def shown_texts(desk):
    """Of all windows but the first one, which is there for good."""
    root = desk.app.root()
    return [item.get_name() for i in range(1, root.get_child_count())
            for item in desk.app.walk(root.get_child_at_index(i)) if item.get_name()]


def check_quiet(desk):
    loud = [line for line in desk.app.output().splitlines()
            if re.search(r"(Gtk|Gdk|Gsk|GLib|GObject|Adwaita|Pango|kymo)\S*-"
                         r"(WARNING|CRITICAL)", line)]
    assert not loud, "\n".join(loud)


def test(program, source):
    sample = os.path.join(source, "data", "sample")
    with desktop.App(program, sample) as app:
        app.see("8 PEs")
        desk = Desk(app, os.path.dirname(desktop.App.evidence))
        for check in (check_wheel, check_letters, check_select, check_measure, check_markers,
                      check_blocks, check_menu, check_search, check_table, check_dialogs,
                      check_quiet):
            check(desk)
            print(f"ok {check.__name__[6:]}", flush=True)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
