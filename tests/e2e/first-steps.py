#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks docs/first-steps.md with real pointer and keys, and sees the figures that the page
tells. With a folder as fourth argument the pictures of the page are written there."""

import pathlib
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import desktop
from desktop import Atspi, approach, xdo

WORK = "Compute::Compute_serial_1"
SIZE = 1280, 800


class Walk:
    def __init__(self, app, pictures):
        self.app, self.pictures = app, pictures

    def start(self):
        self.app.click(self.app.find("push button", "(?i).*sample.*"))
        self.see("8 PEs")
        self.see("^PEs wait for work although loads are equal$")
        self.picture("findings")
        self.show("Timeline")
        self.chart = self.app.find("image", "Timeline:.*")

    def see(self, *patterns):
        for pattern in patterns:
            self.app.see(pattern)

    def show(self, view):
        self.app.show(view)

    def focus(self):
        """The middle button gives the chart the keyboard and does no more."""
        box = self.chart.get_extents(Atspi.CoordType.WINDOW)
        approach(self.chart, box.x + box.width // 2, box.y + 3, "--window", self.app.focus())
        xdo("click", 2)

    def picture(self, name):
        if not self.pictures:
            return
        xdo("mousemove", 1599, 999)
        window = self.app.window_id()
        def shoot():
            return subprocess.run(["import", "-window", window, "-depth", "8", "ppm:-"],
                                  check=True, timeout=desktop.PATIENCE, capture_output=True).stdout
        before = None
        for _ in range(100):
            now = shoot()
            if now == before:
                break
            before = now
            time.sleep(0.4)
        path = pathlib.Path(self.pictures) / f"{name}.png"
        subprocess.run(["convert", "ppm:-", "-strip", "+dither", "-colors", "256", f"png8:{path}"],
                       input=before, check=True, timeout=desktop.PATIENCE)


def details(walk, *patterns):
    """What is said of the selected block, without the tables of other views."""
    def look():
        words = [word for item in walk.app.walk(None, ("list",))
                 for word in (item.get_name(), item.get_description()) if word]
        return all(any(re.search(pattern, word) for word in words) for pattern in patterns)
    desktop.wait_for(look, f"{patterns} in the window")


def check_busy(walk):
    """Half of the time is idle, and one entry method has most of the rest."""
    walk.see(r"202,648 records · 2\.04 s", r"^51\.3 %$", r"^34\.8 %$", r"^7\.6 %$")
    walk.picture("timeline")
    walk.app.click(walk.app.find("push button", "Without Start-up"))
    walk.see(r"^53\.2 %$", r"^3\.6 %$")
    walk.app.keys("ctrl+0")
    walk.see(r"^51\.3 %$", r"^7\.6 %$")


def check_balance(walk):
    walk.show("Usage")
    walk.picture("usage")


def check_grain(walk):
    """By count the bars on the left are high, by time the last one is."""
    walk.show("Histogram")
    for combo in walk.app.each("combo box"):
        names = [item.get_name() for item in walk.app.walk(combo)]
        if "Count" in names:
            walk.app.click(combo)
            walk.app.keys("Down", "Return")
            break
    else:
        raise desktop.Missing("how the histogram is weighed")
    walk.picture("histogram")


def check_longest(walk):
    walk.show("Timeline")
    box = walk.chart.get_extents(Atspi.CoordType.WINDOW)
    # A green block of PE 5, in the first wave.
    approach(walk.chart, box.x + box.width * 0.44, box.y + box.height * 0.71,
             "--window", walk.app.focus())
    xdo("click", 1)
    def says(pattern):
        desktop.wait_for(lambda: re.search(pattern, walk.chart.get_description() or ""),
                         f"{pattern}, not {walk.chart.get_description()}")
    says(f"PE 5, {WORK}, ")
    walk.app.keys("l")
    says(f"PE 0, {WORK}, 32\\.2 ms.*220 times the median")
    walk.app.keys("z")
    walk.picture("longest")
    walk.app.keys("f", "Escape")


def check_path(walk):
    walk.focus()
    walk.app.keys("p")
    walk.picture("path")
    walk.show("Paths")
    details(walk, r"takes 2\.04 s: 5,305 steps, 25 of them messages")
    table = next(item for item in walk.app.walk(None, ("list",))
                 if item.get_name() == "Sums of the path")
    words = [item.get_name() for item in walk.app.walk(table)]
    for name, took, share in (("Messages", "1,126.54 ms", "55.2 %"),
                              (WORK, "594.64 ms", "29.1 %")):
        at = words.index(name)
        assert took in words[at:at + 15] and share in words[at:at + 15], words[at:at + 15]
    walk.picture("paths")


def check_figures(program, source):
    """What stands on the page beside the pictures."""
    cli = pathlib.Path(program).resolve().parents[1] / "cli" / "kymo-cli"
    for words, pattern in (
            ("info", r"Imbalance +1\.06"),
            ("usage", r"PE 3 .* 43\.6 %(.|\n)*PE 7 .* 38\.0 %(.|\n)*Average .* 41\.1 %"),
            ("profile", rf"{WORK} +5\.60 s +34\.8 % +4,212"),
            ("outliers", rf"{WORK} +4,212 +146 µs"),
            ("histogram --preset grain", r"\n 10 ms +324 +280 "),
            ("histogram --preset grain --weight time", r"\n 10 ms +4\.12 s +3\.57 s "),
            ("critical-path", r"PE 5 +216 ms(.|\n)*PE 7 +151 ms")):
        command, *options = words.split()
        told = subprocess.run([cli, command, f"{source}/data/sample", *options, "--no-cache"],
                              check=True, capture_output=True, text=True,
                              timeout=desktop.PATIENCE).stdout
        assert re.search(pattern, told), f"{words}: {pattern}\n{told[:3000]}"
    told = pathlib.Path(source, "data", "sample", "run.out").read_text(errors="replace")
    assert "(1 sockets x 2 cores" in told


def test(program, source, pictures):
    check_figures(program, source)
    with desktop.App(program, view=None) as app:
        walk = Walk(app, pictures)
        xdo("windowsize", "--sync", desktop.wait_for(app.window_id, "the window"), *SIZE)
        walk.start()
        for check in (check_busy, check_balance, check_grain, check_longest, check_path):
            begin = time.monotonic()
            check(walk)
            print(f"ok {check.__name__[6:]} {time.monotonic() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    folder = sys.argv[4] if len(sys.argv) > 4 else None
    desktop.run(lambda program, source: test(program, source, folder), *sys.argv[1:4])
