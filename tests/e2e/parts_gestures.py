# SPDX-License-Identifier: GPL-3.0-or-later
"""Other parts of the window than the timeline: the table behind a picture, views side by side,
why PEs differ. Each leaves the window as it was."""

import re

import desktop
from desktop import Atspi, approach, xdo

ROWS = ("table row",)           # their cells are words of their own


def check_table(desk):
    """The table behind the picture has the blocks of the row; the line with the keyboard says its
    cells with their headings."""
    desk.click(0.6, 0.3)
    desk.words_have(r"^PE \d, ", "a block")
    before = desk.words()
    desk.keys("ctrl+t")
    lines = desk.app.find(None, "Table behind the picture")
    def spoken(pattern):
        return any(re.match(pattern, item.get_name() or "")
                   for item in desk.app.walk(lines, ROWS))
    desk.keys("End")            # rows come first, with their shares; then blocks
    desk.until(lambda: desk.words() != before, "the list chooses a block")
    desk.until(lambda: spoken(r"Name .+, Length .+s, From .+s(, Compared .*)?$"), "a line in words")
    # Keys sort the table, for heads take no focus; it is told what the order is.
    desk.keys("ctrl+shift+Right", "ctrl+shift+Left", "ctrl+shift+Up")
    told = lambda words: any(words in (item.get_description() or "")
                             for item in desk.app.walk(lines, ROWS))
    desk.until(lambda: told("Sorted by Name, from A to Z"), "the order in words")
    desk.keys("ctrl+shift+Down")
    desk.until(lambda: told("Sorted by Name, from Z to A"), "the other order in words")
    desk.picture("table")
    desk.app.show("Usage")
    usage = desk.app.find("image", "Usage.*")
    desk.until(lambda: any("%" in item.get_name() for item in desk.app.walk(lines)),
               "the bars of another picture")
    desk.app.click(usage)
    desk.keys("Home", "Right")
    desk.until(lambda: "%" in (usage.get_description() or ""), "arrows walk bars")
    desk.app.show("Timeline")
    desk.focus()
    desk.keys("ctrl+t", "Escape")


def check_parts(desk):
    """Views side by side: F6 goes from part to part, and the handle between moves."""
    alone = desk.box.width
    def selected(name):
        return desk.app.is_shown(name)
    def width():
        return desk.chart.get_extents(Atspi.CoordType.WINDOW).width
    desk.keys("ctrl+shift+r")
    desk.until(lambda: desk.learn() or 0 < width() < alone, "a part to the right")
    desk.app.show("Usage")
    desk.until(lambda: selected("Usage"), "Usage in the part to the right")
    desk.keys("F6")
    desk.until(lambda: selected("Timeline"), "F6 goes to the first part")
    desk.keys("shift+F6")
    desk.until(lambda: selected("Usage"), "Shift+F6 goes back")
    before = width()
    def is_dragged():
        """Where the handle is may change until the new part is laid out."""
        box = desk.chart.get_extents(Atspi.CoordType.WINDOW)
        lines = [item.get_extents(Atspi.CoordType.WINDOW)
                 for item in desk.app.each("filler", "GtkPanedHandle")]
        line = min((line for line in lines if line.height > line.width),
                   key=lambda line: abs(line.x - box.x - box.width))
        handle = line.x + line.width // 2
        approach(desk.chart, handle, box.y + 60, "--window", desk.window)
        xdo("mousedown", 1)
        for step in range(1, 7):
            xdo("mousemove", "--window", desk.window, handle - 15 * step, box.y + 60)
        xdo("mouseup", 1)
        try:
            return desktop.wait_for(lambda: width() < before - 50, "", 5)
        except desktop.Missing:
            return False
    desk.until(is_dragged, "the handle is dragged")
    desk.picture("parts")
    desk.keys("ctrl+shift+w")
    desk.until(lambda: desk.learn() or width() == alone, "the part is closed")
    height = desk.box.height
    desk.keys("ctrl+shift+b")
    desk.until(lambda: desk.learn() or desk.box.height < 0.8 * height, "a part below")
    desk.keys("ctrl+shift+w")
    desk.until(lambda: desk.learn() or desk.box.height > 0.9 * height, "the part is closed")
    desk.focus()


def check_sticks_out(desk):
    """Why a PE differs from the others, and rows in the order of clusters."""
    desk.click(0.6, 0.3)
    pe = desk.words_have(r"^PE (\d), ", "a block")[1]
    desk.keys("ctrl+i")
    desk.app.see(f"^Why PE {pe} sticks out$")
    table = desk.app.find(None, "Why these PEs stick out")
    desk.until(lambda: "Reason" in [item.get_name() for item in desk.app.walk(table)],
               "reasons")
    desk.picture("sticks-out")
    desk.app.press([item for item in desk.app.each("push button", "Close")][-1])
    desk.until(lambda: desk.learn() or not desk.app.all(None, "Why these PEs stick out"),
               "the pane is closed")
    desk.keys("Escape")
    for words, is_on in (("by cluster", True), ("", False)):
        desk.keys("ctrl+k")
        desk.until(lambda: desk.state("by-class") == is_on, f"by-class {is_on}")
        desk.until(lambda: is_on == bool(desk.app.all("label", "by cluster")), words)


def check_chosen(desk):
    """PEs are chosen in Extrema with keys, and what is chosen is in the clipboard."""
    desk.app.show("Extrema")
    chart = desk.app.find("image", "(?i)extrema.*")
    desk.app.click(chart)
    desk.keys("Escape")
    hint = desk.app.find("label", "Click a bar to choose its PE.*").get_name
    for keys, n in ((["Home", "shift+Right", "shift+Right"], 3), (["space"], 2),
                    (["ctrl+a"], 8)):
        desk.keys(*keys)
        desk.until(lambda: f"{n} PEs chosen" in hint(), f"{n} chosen: {hint()}")
    assert desk.copied("ctrl+c").decode().count("PE ") >= 8
    desk.keys("Escape")
    desk.app.show("Timeline")
    desk.focus()
