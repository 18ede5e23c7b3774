# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done with the window of a run: menus, copying, views side by side, the program's own
keys. Each leaves the window as it was."""

import os
import pathlib
import re

import desktop
from desktop import Atspi
from gestures import xdo
from timeline_gestures import fit

READER = """[Desktop Entry]
Type=Application
Name=Reader
Exec=sh -c "echo %%u > '%s'"
MimeType=text/markdown;text/plain;text/x-readme;
"""


# -- menus ----------------------------------------------------------------

def check_menu(desk):
    """Of the block under the pointer, and of the chosen one: with a thing chosen in it."""
    whole = desk.range()
    desk.click(0.6, 0.3, button=3)
    desk.app.find("menu item|check menu item|push button", "Zoom to Block")
    desk.picture("menu")
    desk.choose("Zoom to Block", "Zoom to Block", 0.6, 0.3)
    near = desk.range_other_than(whole, "the menu zooms to the block")
    desk.keys_until_range("f", near, "the chart has the keyboard again")
    desk.click(0.6, 0.3, button=3)
    desk.choose("Zoom to Block", "Set Marker Here", 0.6, 0.3)
    desk.line_has(r"^A \S+ \S+$", "the menu sets a marker")
    desk.app.act("clear-markers")
    desk.line_lacks("^A ", "no markers")
    for key in ("shift+F10", "Menu"):
        desk.click(0.6, 0.3)
        desk.words_have(r"PE \d, ", "a block")
        desk.keys(key)
        desk.until(desk.popover, f"the menu by {key}")
        desk.keys("Escape")
        desk.until(lambda: not desk.popover(), "Esc closes the menu")
        desk.keys_until_range("w", whole, "the chart has the keyboard again")
        desk.keys("f", "Escape")
        desk.range_is(whole, "F shows all")
        desk.click(0.6, 0.3)
        desk.keys(key)
        desk.until(desk.popover, f"the menu by {key}")
        desk.keys("z")
        near = desk.range_other_than(whole, "a letter chooses in the menu")
        desk.keys_until_range("f", near, "the chart has the keyboard again")
        desk.keys("Escape")


# -- looking at it otherwise ----------------------------------------------

def check_table(desk):
    """The table behind the picture has the blocks of the row in words."""
    desk.click(0.6, 0.3)
    desk.words_have(r"^PE \d, ", "a block")
    before = desk.words()
    desk.keys("ctrl+t")
    lines = desk.app.find("list", "Table behind the picture")
    first = desk.until(lambda: next((item.get_name() for item in desk.app.walk(lines)
                                     if item.get_role_name() == "label"
                                     and " from " in item.get_name()), None), "lines in words")
    assert re.match(r".+, .+ from .+s(, .*median)?$", first), first
    desk.keys("End")            # rows come first, with their shares; then blocks
    desk.until(lambda: desk.words() != before, "the list chooses a block")
    desk.picture("table")
    desk.app.show("Usage")
    usage = desk.app.find("image", "Usage.*")
    desk.until(lambda: any("%" in (item.get_name() or "") for item in desk.app.walk(lines)),
               "the bars of another picture")
    desk.app.click(usage)
    desk.keys("Home", "Right")
    desk.until(lambda: "%" in (usage.get_description() or ""), "arrows walk bars")
    desk.app.show("Timeline")
    desk.focus()
    desk.keys("ctrl+t", "Escape")


def check_drag_pans(desk):
    """With the preference a drag pans, and with Ctrl it selects."""
    whole = desk.range()
    desk.keys("ctrl+comma")
    desk.dialog("Dragging Pans")
    desk.keys("alt+d")
    desk.until(lambda: desk.state("drag-pans", ""), "the preference")
    desk.keys("Escape")
    desk.no_dialog()
    desk.move(0.5, 0.4)
    desk.wheel(4, 3, "ctrl")
    near = desk.range_other_than(whole, "Ctrl+wheel zooms")
    desk.drag((0.6, 0.3), (0.4, 0.3))
    panned = desk.range_other_than(near, "a drag pans")
    assert not any("selected" in text for text in desk.line()), desk.line()
    desk.keys("BackSpace")
    desk.range_is(near, f"Backspace undoes the drag to {panned}")
    desk.drag((0.6, 0.3), (0.4, 0.3), modifier="ctrl")
    desk.line_has("^selected", "Ctrl and a drag select")
    desk.keys("Escape")
    desk.app.act("drag-pans", path="")
    fit(desk, whole)


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
        xdo("mousemove", "--window", desk.window, handle, box.y + 60, "mousedown", 1)
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


# -- rows that differ -----------------------------------------------------

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


# -- copying --------------------------------------------------------------

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


def check_copy(desk):
    """Picture, figures and command are in the clipboard."""
    desk.click(0.6, 0.3)
    desk.words_have(r"^PE \d, ", "a block")
    name = re.match(r"PE \d+, ([^,]+)", desk.words())[1]
    text = desk.copied("ctrl+c").decode()
    assert name in text and re.search(r"\d m?s", text), (name, text)
    png = desk.copied("ctrl+shift+c", "image/png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n", png[:20]
    size = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    assert size[0] >= desk.box.width and size[1] >= desk.box.height, size
    command = desk.copied("ctrl+alt+c").decode()
    assert command.startswith("kymo-cli ") and "data/sample" in command, command
    desk.keys("Escape")


# -- the program's own ----------------------------------------------------

def check_dialogs(desk):
    """Each comes by its key and goes by Esc."""
    for keys, pattern in (("ctrl+o", "Open the Folder of a Run"), ("ctrl+e", r"\.png"),
                          ("ctrl+question", "Zoom in at the pointer"),
                          ("ctrl+shift+s", "(?i)desk"), ("ctrl+d", "Compare With")):
        desk.focus()
        desk.keys(keys)
        desk.dialog(pattern)
        desk.keys("Escape")
        desk.no_dialog()
    desk.focus()


def check_export(desk):
    """What Ctrl+E asks for is written."""
    path = pathlib.Path(os.environ["HOME"]) / "view.svg"
    desk.keys("ctrl+e")
    desk.dialog(r"\.png")
    desk.keys("ctrl+a")
    desk.type(str(path))
    desk.keys("Return")
    desk.no_dialog()
    desk.until(lambda: path.exists() and b"<svg" in path.read_bytes()[:300], "the picture")
    desk.focus()


def check_sidebar(desk):
    def width():
        return desk.chart.get_extents(Atspi.CoordType.WINDOW).width
    before, shown = width(), desk.state("sidebar")
    desk.keys("F9")
    desk.until(lambda: desk.state("sidebar") != shown and width() != before, "F9")
    desk.picture("sidebar")
    desk.keys("F9")
    desk.until(lambda: desk.state("sidebar") == shown and width() == before, "F9 again")


def check_help(desk):
    """F1 opens the guide in what the desktop has for such pages."""
    data, config = (pathlib.Path(os.environ[name])
                    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"))
    opened = data / "opened"
    (data / "applications").mkdir(exist_ok=True)
    (data / "applications" / "reader.desktop").write_text(READER % opened)
    (config / "mimeapps.list").write_text("[Default Applications]\n" + "".join(
        f"{kind}=reader.desktop\n" for kind in ("text/markdown", "text/plain")))
    desk.keys("F1")
    desk.until(lambda: opened.exists() and "guide.md" in opened.read_text(), "the guide")
    desk.focus()
