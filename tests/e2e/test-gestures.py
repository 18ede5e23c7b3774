#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every gesture of mouse and keys in one window of the sample run, with real pointer and key
events (and fingers, see touch.py); after each what a person would read is looked at: the
status line, the words of the chart, the details, the clipboard. Pictures are kept in both
themes.

GESTURES has what the desk promises, a line for each, and the checks that do it; what is in
the window with the shortcuts must have been pressed, here, in another part or in the test that
PRESSED_IN names. A promise without a check fails.

Usage: test-gestures.py PROGRAM SOURCE-ROOT LOGS PART: the checks of the module PART_gestures"""

import os
import pathlib
import re
import shutil
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

sys.dont_write_bytecode = True
import desktop
import gestures
import touch
from finding_gestures import (
    check_bookmark, check_escape, check_groups, check_letters_in_entries, check_paths, check_places,
    check_range, check_search)
from parts_gestures import check_chosen, check_parts, check_sticks_out, check_table
from reload_gestures import check_rerun
from timeline_gestures import (
    check_blocks, check_history, check_hover, check_markers, check_measure, check_overview,
    check_pan, check_rows, check_ruler, check_select, check_zoom)
from window_gestures import (
    check_copy, check_dialogs, check_drag_pans, check_export, check_help, check_menu, check_sidebar)

LOUD = r"(GTK|Gtk|Gdk|Gsk|GLib|GObject|Adwaita|Pango|kymo)\S*-(WARNING|CRITICAL)"


def check_pinch(program, sample):
    """Two fingers zoom at the time between them. On a display with touch the window tells
    nobody what it shows, but it keeps its desk."""
    if not touch.Screen.is_there():
        print(f"pinch is left out: {touch.SERVER} is not installed", flush=True)
        return
    desks = pathlib.Path(os.environ["XDG_DATA_HOME"], "kymo", "desks")
    shutil.rmtree(desks, ignore_errors=True)

    def told():
        text = "".join(path.read_text() for path in desks.glob("*.kymodesk"))
        found = re.findall(r"^range-(?:begin|end)=(\d+)$", text, re.MULTILINE)
        return tuple(map(int, found)) if len(found) == 2 else None

    with touch.Screen() as screen, desktop.App(
            program, sample, env=screen.environment()) as app:
        width, height = desktop.wait_for(lambda: screen.surfaces.get(1), "the window")
        begin, end = 66692000, 2108577000       # of the sample: oracle.json
        anchors = []

        def pinch(share_x, begin_px, end_px, before):
            """Until it takes: the window is there before its run is."""
            def look():
                if told() in (None, before):
                    screen.pinch(1, share_x * width, 0.4 * height, begin_px, end_px)
                return desktop.wait_for(lambda: told() not in (None, before) and told(),
                                        "", 5)
            def try_it():
                try:
                    return look()
                except desktop.Missing:
                    return None
            return desktop.wait_for(try_it, f"a pinch after {before}", 60)

        whole = end - begin
        first = pinch(0.5, 100, 200, None)
        assert abs((first[1] - first[0]) * 2 - whole) < 1e5, first
        anchors.append((first[0] - begin) / (whole / 2))
        second = pinch(0.5, 100, 200, first)
        anchors.append((second[0] - first[0]) / (whole / 4))
        third = pinch(0.6, 100, 200, second)
        anchors.append((third[0] - second[0]) / (whole / 8))
        assert abs(anchors[0] - anchors[1]) < 0.01 < 0.1 < anchors[2] - anchors[1], anchors
        fourth = pinch(0.5, 200, 100, third)
        assert abs((fourth[1] - fourth[0]) * 4 - whole) < 1e5, (third, fourth)
        check_quiet(app)


GESTURES = {
    "wheel, two fingers: scroll rows": [check_rows],
    "Shift + wheel: scroll time": [check_pan],
    "Ctrl + wheel: zoom time at the pointer": [check_zoom],
    "pinch: zoom time between the fingers": [check_pinch],
    "W S: zoom time at the pointer": [check_zoom],
    "A D: pan": [check_pan],
    "arrows on the ruler: pan": [check_ruler],
    "middle drag: pan": [check_pan],
    "drag in a chart: select a time range": [check_select],
    "drag over rows: select them, too": [check_select],
    "Enter or Z: zoom to the selection": [check_select],
    "Shift + drag: measure": [check_measure],
    "double click a block: zoom to it": [check_blocks],
    "click: select the block": [check_blocks],
    "hover: tell": [check_hover],
    "F: fit all": [check_history],
    "Backspace, Alt+Left, Alt+Right: zoom history": [check_history, check_pan, check_ruler],
    "arrows in a chart: next block, next row": [check_blocks],
    "Ctrl + arrow: next of the same entry method": [check_blocks],
    ". ,: next, previous match of the search": [check_search],
    ". ,: next, previous of the same entry method": [check_blocks],
    "L: longest block in view": [check_blocks],
    "K O: shortest block, outlier": [check_blocks],
    "M: markers and their difference": [check_markers],
    "[ ]: marker to an edge": [check_markers],
    "C V P < > T: chains, critical path, message lines": [check_paths],
    "B: bookmark the visible range with a name": [check_bookmark],
    "/ or Ctrl+F: search": [check_search],
    "Ctrl+P: go to PE, entry method, time, view": [check_places],
    "Ctrl+1 to Ctrl+6: groups of views": [check_groups],
    "Ctrl+G: a typed range, a time, a PE": [check_range],
    "Ctrl+G: a phase": [check_rerun],
    "Esc: one step out": [check_escape],
    "Ctrl+O: open": [check_dialogs],
    "Ctrl+E: export": [check_export],
    "Ctrl+W: close": [check_rerun],
    "F1: help": [check_help],
    "F9: sidebar": [check_sidebar],
    "Ctrl+?: shortcuts": [check_dialogs],
    "F5: reload after a re-run": [check_rerun],
    "F6: next part; the handle between parts": [check_parts],
    "triangles and keys: fold processes": [check_rerun],
    "strip of the whole run: brush": [check_overview],
    "second button, Menu: menu of the block": [check_menu],
    "dragging may pan": [check_drag_pans],
    "letters are text in an entry": [check_letters_in_entries],
    "copy picture, figures, command": [check_copy, check_chosen],
    "table behind the picture": [check_table],
    "why rows stick out, rows by cluster": [check_sticks_out],
    "figures of a reduced run, extrapolated": [check_rerun],
}
# Keys that need another kind of run.
PRESSED_IN = {
    "ctrl+shift+o": "test-live.py", "ctrl+s": "test-live.py", "ctrl+r": "test-live.py",
    "ctrl+v": "hand.py", "ctrl+7": "test-jobs.py", "ctrl+m": "test-jobs.py",
    "End": "test-live.py", "x": "test-compare.py", "ctrl+1...5": "test-compare.py",
    "i": "test-profiles.py",
}
PARTS = ("timeline", "finding", "window", "parts", "reload")
MODIFIERS = {"<Control>": "ctrl+", "<Shift>": "shift+", "<Alt>": "alt+"}


def accelerators(source):
    """Of the window with the shortcuts, as xdotool calls them."""
    file = ET.parse(os.path.join(source, "data", "ui", "shortcuts.ui"))
    for item in file.iter("property"):
        if item.get("name") == "accelerator":
            for key in item.text.split():
                for name, word in MODIFIERS.items():
                    key = key.replace(name, word)
                yield {"Page_Up": "Prior", "Page_Down": "Next"}.get(key, key)


def program_keys(source):
    """Of the table of the program, as xdotool calls them."""
    text = pathlib.Path(source, "src", "app", "window", "kymo-application.c").read_text()
    table = re.search(r"keys\[\] = \{\n(.*?)\n\};", text, re.S)[1]
    for key in re.findall(r'"((?:<\w+>)*\w+)"', re.sub(r'\{ "\w+\.', "", table)):
        for name, word in MODIFIERS.items():
            key = key.replace(name, word)
        yield key


def check_all_pressed(desk, source, part):
    here = pathlib.Path(__file__).parent
    missing = []
    other = "".join((here / f"{name}_gestures.py").read_text()
                    for name in PARTS if name != part)
    told = set(accelerators(source))
    unheard = set(program_keys(source)) - told
    assert not unheard, f"not in the window with the shortcuts: {unheard}"
    for key in sorted(told):
        test = PRESSED_IN.get(key)
        if test:
            first = key.split("...")[0]
            if f'"{first}"' not in (here / test).read_text():
                missing.append(f"{key} in {test}")
        elif key not in desk.pressed and f'"{key}"' not in other and key != "ctrl+q":
            missing.append(key)
    assert not missing, f"never pressed: {missing}"


def check_quiet(app):
    """A warning of GTK is a bug of ours."""
    loud = [line for line in app.output().splitlines() if re.search(LOUD, line)]
    assert not loud, "\n".join(loud)


def test(program, source):
    sample = os.path.join(source, "data", "sample")
    part = sys.argv[4]
    wanted = [check for checks in GESTURES.values() for check in checks
              if check.__module__ == f"{part}_gestures"]
    with tempfile.TemporaryDirectory() as folder, desktop.App(program, sample) as app:
        for path in pathlib.Path(sample).glob("leanmd*"):
            shutil.copy(path, folder)
        app.see("8 PEs")
        desk = gestures.Desk(app, os.path.dirname(desktop.App.evidence))
        for check in dict.fromkeys(wanted):
            more = [pathlib.Path(folder), source] if check is check_rerun else []
            begun = time.monotonic()
            check(desk, *more)
            print(f"ok {check.__name__[6:]} ({time.monotonic() - begun:.1f} s)", flush=True)
        check_all_pressed(desk, source, part)
        check_quiet(app)
        desk.keys("ctrl+q")
        desktop.wait_for(lambda: app.process.poll() is not None, "Ctrl+Q to quit")
    if part == "timeline":
        check_pinch(program, sample)
        print("ok pinch", flush=True)


if __name__ == "__main__":
    if not shutil.which("xclip"):
        print("skipped: xclip is not installed")
        sys.exit(desktop.SKIP)
    desktop.run(test, *sys.argv[1:4])
