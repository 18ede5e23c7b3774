# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that is made again or reduced while its window is open."""

import os
import pathlib
import subprocess

from desktop import Atspi, GLib
from finding_gestures import go_to_range

def check_extrapolated(desk):
    """Figures of a reduced run are those of all PEs, and again those of the kept ones."""
    desk.app.see("^4 of 8 PEs$")
    desk.keys("ctrl+shift+e")
    desk.app.see("^extrapolated, time profile within ")
    desk.keys("ctrl+shift+e")
    desk.app.see("^4 of 8 PEs$")


def check_rerun(desk, folder, source):
    """A run beside it that is made anew: F5 reads it, its processes fold, and Ctrl+W
    closes it. Then one with phases, which are places for Ctrl+G, and one that is reduced."""
    def timelines():
        return len(desk.timelines())
    shown = timelines()
    def open_run(path):
        desk.app.act("open-path", GLib.Variant("ay", os.fsencode(str(path)) + b"\0"))
        desk.until(lambda: timelines() > shown, "the other run")
        desk.learn()
    def close():
        desk.keys("ctrl+w")
        desk.until(lambda: timelines() == shown, "the first run")
        desk.learn()
        desk.focus()
    open_run(folder)
    assert "8 PEs" in desk.chart.get_name(), desk.chart.get_name()
    (names,) = folder.glob("*.sts")
    names.write_text(names.read_text().replace("PROCESSORS 8", "PROCESSORS 8\nSMPMODE 3 2"))
    desk.keys("F5")
    desk.app.find("image", "Timeline: 6 PEs.*")
    desk.learn()
    check_fold(desk)
    close()
    open_run(pathlib.Path(source) / "tests" / "data" / "feat-p4-outlierphases")
    whole = desk.range()
    desk.focus()
    go_to_range(desk, "phase 2")
    desk.range_other_than(whole, "Ctrl+G goes to a phase")
    close()
    cli = pathlib.Path(desk.app.process.args[0]).parents[1] / "cli" / "kymo-cli"
    reduced = folder / "reduced"
    subprocess.run([cli, "reduce", pathlib.Path(source) / "data" / "sample", reduced,
                    "--clusters", "2", "--keep", "4", "--no-cache", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL, timeout=60)
    open_run(reduced)
    desk.focus()
    check_extrapolated(desk)
    close()


def check_fold(desk):
    """Headers of processes: a click folds and unfolds, and so do keys."""
    def first():
        return desk.told(0.5, 0.08)
    desk.app.click([item for item in desk.app.each("toggle button|push button|.*", "Rows")][-1])
    desk.until(desk.popover, "the menu of rows")
    desk.keys("d")
    desk.until(lambda: not desk.popover(), "no menu")
    desk.until(lambda: desk.chart.get_state_set().contains(Atspi.StateType.FOCUSED),
               "the chart has the keyboard again")
    desk.until(lambda: "PE 0" in first(), "the first row")
    for fold, unfold in ((lambda: desk.click(0.009, 0.075), lambda: desk.click(0.009, 0.075)),
                         (lambda: desk.keys("shift+Left"), lambda: desk.keys("shift+Right")),
                         (lambda: desk.keys("ctrl+shift+Left"),
                          lambda: desk.keys("ctrl+shift+Right"))):
        desk.move(0.5, 0.08)
        fold()
        desk.until(lambda: "Process 0" in first(), f"a folded process, not {first()}")
        unfold()
        desk.until(lambda: "PE 0" in first(), f"an unfolded process, not {first()}")
