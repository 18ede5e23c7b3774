# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done in the timeline with pointer and keys: moving in time, selecting,
measuring, blocks, rows. Each leaves the window as it was."""

import re

from desktop import Atspi
from gestures import NUMBER, ns

# -- moving in time -------------------------------------------------------

def fit(desk, whole):
    desk.keys("f")
    desk.range_is(whole, "F shows all")


def stands_while(desk, share_x, zoom, what):
    """The time under the pointer keeps its place: two markers put there are one."""
    before = desk.range()
    desk.move(share_x, 0.4)
    desk.keys("m")
    desk.line_has(r"^A \S+ \S+$", "M sets marker A")
    zoom()
    desk.range_other_than(before, what)
    desk.keys("m")
    apart = desk.line_has("Δ (.*)$", "M sets marker B")[1]
    assert abs(ns(apart)) <= 2 * desk.length() / desk.box.width, (what, apart, desk.range())
    desk.app.act("clear-markers")
    desk.line_lacks("Δ", "no markers")


def check_zoom(desk):
    whole = desk.range()
    desk.focus()
    stands_while(desk, 0.7, lambda: desk.wheel(4, 3, "ctrl"), "Ctrl+wheel zooms in")
    stands_while(desk, 0.3, lambda: desk.wheel(5, 1, "ctrl"), "Ctrl+wheel zooms out")
    stands_while(desk, 0.4, lambda: desk.keys("w", "w"), "W zooms in")
    stands_while(desk, 0.6, lambda: desk.keys("s"), "S zooms out")
    near = desk.range()
    desk.keys("plus")
    nearer = desk.range_other_than(near, "+ zooms in")
    desk.keys("minus")
    desk.range_other_than(nearer, "- zooms out")
    fit(desk, whole)
    desk.keys("ctrl+plus")
    near = desk.range_other_than(whole, "Ctrl++ zooms in")
    desk.keys("ctrl+equal")
    nearer = desk.range_other_than(near, "Ctrl+= zooms in")
    desk.keys("ctrl+minus")
    desk.range_other_than(nearer, "Ctrl+- zooms out")
    desk.keys("ctrl+0")
    desk.range_is(whole, "Ctrl+0 shows all")


def check_pan(desk):
    whole = desk.range()
    desk.move(0.5, 0.4)
    desk.keys("w", "w", "w")
    near = desk.range_other_than(whole, "W zooms")
    desk.keys("d")
    later = desk.range_other_than(near, "D pans")
    desk.keys("a")
    desk.range_is(near, f"A pans back from {later}")
    desk.wheel(5, 1, "shift")
    moved = desk.range_other_than(near, "Shift+wheel goes in time")
    desk.drag((0.6, 0.4), (0.5, 0.4), button=2)
    panned = desk.range_other_than(moved, "the middle button pans")
    desk.keys("BackSpace")
    desk.range_is(moved, f"Backspace undoes the drag to {panned}")
    fit(desk, whole)


def check_ruler(desk):
    whole = desk.range()
    ruler = desk.app.find("image", "Time axis:.*")
    desk.move(0.5, 0.4)
    desk.keys("w", "w")
    near = desk.range_other_than(whole, "W zooms")
    desk.app.click(ruler)
    desk.keys("Right")
    later = desk.range_other_than(near, "the ruler pans with arrows")
    desk.keys("Left")
    desk.range_is(near, f"the ruler pans back from {later}")
    box = ruler.get_extents(Atspi.CoordType.WINDOW)
    desk.drag_in(box, (0.6, 0.5), (0.4, 0.5))
    dragged = desk.range_other_than(near, "the ruler is dragged")
    desk.keys("alt+Left")
    desk.range_is(near, f"Alt+Left undoes the drag to {dragged}")
    desk.focus()
    fit(desk, whole)


def check_history(desk):
    whole = desk.range()
    desk.move(0.3, 0.4)
    desk.wheel(4, 3, "ctrl")
    first = desk.range_other_than(whole, "Ctrl+wheel zooms")
    desk.drag((0.4, 0.3), (0.6, 0.3))
    desk.line_has("^selected", "a drag selects time")
    desk.keys("z")
    second = desk.range_other_than(first, "Z zooms to the selection")
    desk.keys("BackSpace")
    desk.range_is(first, "Backspace goes back")
    desk.keys("alt+Left")
    desk.range_is(whole, "Alt+Left goes back")
    desk.keys("alt+Right", "alt+Right")
    desk.range_is(second, "Alt+Right goes forward twice")
    desk.keys("Escape")
    fit(desk, whole)


def check_overview(desk):
    """The strip of the whole run: a new brush, one that is moved, and its edge."""
    whole = desk.range()
    strip = desk.app.find("image", "Whole run, visible .*")
    box = strip.get_extents(Atspi.CoordType.WINDOW)
    desk.drag_in(box, (0.4, 0.5), (0.6, 0.5))
    brushed = desk.range_other_than(whole, "a brush")
    length = desk.length()
    desk.drag_in(box, (0.5, 0.5), (0.65, 0.5))
    moved = desk.range_other_than(brushed, "the brush is moved")
    assert abs(desk.length() - length) <= 0.01 * length, (brushed, moved)
    desk.drag_in(box, (0.55, 0.5), (0.7, 0.5))
    later = desk.range_other_than(moved, "it is moved again")
    desk.focus()
    desk.keys("BackSpace")
    desk.range_is(moved, f"Backspace undoes the drag to {later}")
    fit(desk, whole)


# -- selecting and measuring ----------------------------------------------

def check_select(desk):
    whole = desk.range()
    desk.drag((0.4, 0.3), (0.6, 0.3))
    desk.line_has(rf"^selected {NUMBER} ms$", "a drag selects time")
    desk.keys("Escape")
    desk.line_lacks("selected", "Esc drops it")
    desk.drag((0.4, 0.1), (0.6, 0.45))
    desk.line_has(r"^selected .* of PEs 0-\d$", "a drag over rows selects them")
    desk.picture("select")
    desk.keys("z")
    zoomed = desk.range_other_than(whole, "Z zooms to the selection")
    desk.app.see(r"Only PEs? \S+ (is|are) shown")
    desk.app.press(desk.app.find("push button", "(All PEs ?)+"))
    desk.until(lambda: not any(re.search("^Only PEs? ", text) for text in desk.app.texts()),
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
    desk.line_has(r"^A .*B .*Δ (.*)$", "M sets marker B")

    def markers():
        return next((text for text in desk.line() if "Δ" in text), None)
    first = markers()
    desk.drag((0.6, 0.5), (0.7, 0.5))
    second = desk.settled(markers, first, "a marker is dragged")
    assert not any("selected" in text for text in desk.line()), desk.line()
    desk.keys("bracketleft")
    third = desk.settled(markers, second, "[ moves the marker to the edge before")
    desk.keys("bracketright")
    desk.settled(markers, third, "] moves it to the edge after")
    desk.app.act("clear-markers")
    desk.line_lacks("Δ", "no markers")


# -- blocks ---------------------------------------------------------------

def check_blocks(desk):
    whole = desk.range()
    desk.click(0.6, 0.3)
    desk.until(lambda: re.match(r"PE \d, .*, .*s", desk.words()),
               "the words of the selected block")
    details = desk.app.find("label", r"PE \d · .* to .*").get_name

    def place():
        """PE and time of the selected block; more is told of it as answers come."""
        return re.match(r"PE \d · .*? to \S+ \S+", details())[0]
    clicked = place()
    desk.keys("Right")
    first = desk.settled(place, clicked, "the next block")
    desk.keys("Right")
    second = desk.settled(place, first, "the next block")
    desk.keys("Left")
    desk.until(lambda: place() == first, "the block before")
    desk.keys("Down")
    desk.until(lambda: place()[:4] != first[:4], "the row below")
    desk.keys("Up")
    desk.until(lambda: place()[:4] == first[:4], "the row above")
    before = desk.words()
    desk.keys("l")
    longest = desk.words_other_than(before, f"the longest, after {second}")
    assert "times the median" in longest, longest
    desk.keys("k")
    shortest = desk.words_other_than(longest, "the shortest")
    desk.keys("o")
    outlier = desk.words_other_than(shortest, "a block far above its median")
    assert "times the median" in outlier, outlier
    name = re.match(r"PE \d+, ([^,]+), ", outlier)[1]
    for key, what in (("ctrl+Right", "next"), ("period", "next"), ("ctrl+Left", "previous"),
                      ("comma", "previous")):
        before = desk.words()
        desk.keys(key)
        words = desk.words_other_than(before, f"the {what} of the same name")
        assert f", {name}, " in words, (key, name, words)
    desk.keys("z")
    desk.range_other_than(whole, "Z zooms to the block")
    desk.keys("f")
    desk.range_is(whole, "F shows all")
    desk.click(0.6, 0.3, times=2)
    desk.range_other_than(whole, "a double click zooms to the block")
    desk.keys("f", "Escape")
    desk.range_is(whole, "F shows all")


def check_hover(desk):
    """What is pointed at is told; with nothing selected Ctrl+C copies it."""
    told = [desk.told(share, 0.3) for share in (0.5, 0.6, 0.7)]
    assert all(re.search(r"\nPE \d · .* – .* s · .* m?s", text) for text in told), told
    assert any("::" in text for text in told) and len(set(told)) > 1, told


# -- rows -----------------------------------------------------------------

def check_rows(desk):
    """Higher than there is room they are scrolled, by wheel and keys."""
    def row():
        return re.search(r"^PE (\d+)", desk.told(0.5, 0.3), re.MULTILINE)[1]
    fitted = [desk.told(0.5, share) for share in (0.1, 0.8)]
    desk.move(0.5, 0.3)
    desk.keys(*["e"] * 6)
    desk.until(lambda: desk.told(0.5, 0.8) != fitted[1], "E makes rows higher")
    desk.wheel(5, 9)
    low = desk.until(lambda: row() > "2" and row(), "the wheel scrolls rows")
    desk.wheel(4, 9)
    top = desk.until(lambda: row() < low and row(), "the wheel scrolls back")
    desk.keys("Next")
    desk.until(lambda: row() > top, "Page Down")
    desk.keys("Prior")
    desk.until(lambda: row() == top, "Page Up")
    high = desk.told(0.5, 0.8)
    desk.keys("q")
    desk.until(lambda: desk.told(0.5, 0.8) != high, "Q makes rows lower")
    lower = desk.told(0.5, 0.8)
    desk.wheel(5, 2, "ctrl+shift")
    desk.until(lambda: desk.told(0.5, 0.8) != lower, "Ctrl+Shift+wheel makes rows lower")
    desk.keys("r")
    desk.until(lambda: [desk.told(0.5, share) for share in (0.1, 0.8)] == fitted, "R fits rows")
    desk.move(0.5, 0.1)
    desk.keys("n")
    desk.until(lambda: desk.told(0.5, 0.8) != fitted[1], "N pins a row, and the others make room")
    # The pinned row is at the top, below an edge.
    desk.move(0.5, 25 / desk.box.height)
    desk.keys("n")
    desk.until(lambda: [desk.told(0.5, share) for share in (0.1, 0.8)] == fitted,
               "N takes the pin away")
