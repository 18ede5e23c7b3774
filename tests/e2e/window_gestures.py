# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done with the window of a run: menus, copying, the program's own keys. Each leaves the
window as it was."""

import os
import pathlib
import re
import subprocess

from desktop import Atspi, xdo
from timeline_gestures import fit


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


# -- copying --------------------------------------------------------------

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
    for keys, pattern in (("ctrl+o", "Open the Folder of a Run"), ("ctrl+e", "kymo-cli export"),
                          ("ctrl+question", "Zoom in at the pointer"),
                          ("ctrl+shift+s", "(?i)desk"), ("ctrl+d", "Compare With")):
        desk.focus()
        desk.keys(keys)
        desk.dialog(pattern)
        desk.keys("Escape")
        desk.no_dialog()
    desk.focus()


def check_export(desk):
    """Ctrl+E, Alt+A and a name write a figure."""
    path = pathlib.Path(os.environ["HOME"]) / "view.svg"
    desk.keys("ctrl+e")
    desk.dialog("kymo-cli export")
    desk.keys("alt+a")
    desk.windows_are(3, "the dialog for the file")
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
    check_narrow(desk, width)


def check_narrow(desk, width):
    """In a small window a pane that is opened takes the place of the other one."""
    told = subprocess.run(["xdotool", "getwindowgeometry", "--shell", desk.window],
                          capture_output=True, check=True, text=True).stdout
    size, wide = re.findall(r"(?:WIDTH|HEIGHT)=(\d+)", told), width()
    xdo("windowsize", "--sync", desk.window, 1024, 640)
    desk.until(lambda: width() != wide, "a narrow window")
    desk.keys("F9")
    desk.until(lambda: desk.state("sidebar") and not desk.state("legend") and width() >= 700,
               "the list of PEs instead of the legend")
    desk.picture("narrow")
    desk.app.act("legend")
    desk.until(lambda: desk.state("legend") and not desk.state("sidebar") and width() >= 700,
               "the legend instead of the list of PEs")
    xdo("windowsize", "--sync", desk.window, *size)
    desk.until(lambda: desk.learn() or width() == wide, "the window as it was")


def check_help(desk):
    """F1 opens help at the page of the view."""
    desk.keys("F1")
    desk.dialog("The timeline shows what each PE did")
    desk.keys("Escape")
    desk.no_dialog()
    desk.focus()
