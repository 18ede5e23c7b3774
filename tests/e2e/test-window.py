#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample run in the real window: it opens, every view comes up, keys zoom
and step back, and pictures leave through the window's own action."""

import os
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.dont_write_bytecode = True
import desktop
from gi.repository import GLib

VIEWS = ["Timeline", "Time Profile", "Usage", "Histogram", "Profile",
         "Communication", "Extrema", "Clusters", "Summary"]
SVG = "{http://www.w3.org/2000/svg}"


def canvas(app):
    return app.find("image|canvas|drawing area", "(?i)timeline.*")


def look_at(app):
    """The words the chart has for itself: they tell what it shows."""
    chart = canvas(app)
    return f"{chart.get_name()} {chart.get_description()}"


def wait_for_change(app, before, what):
    return desktop.wait_for(
        lambda: look_at(app) if look_at(app) != before else None, what)


def check_opens(app):
    app.see("8 PEs")
    assert set(VIEWS) < set(app.views())
    app.find("push button|toggle button", "(?i)open.*")


def check_zoom(app):
    chart = canvas(app)
    untouched = look_at(app)
    app.click(chart, 0.6, 0.5)
    # The words follow what is selected.
    whole = wait_for_change(app, untouched, "the block under the click")
    app.keys("w", "w")
    zoomed = wait_for_change(app, whole, "the zoom with W")
    app.keys("d")
    moved = wait_for_change(app, zoomed, "the step with D")
    app.keys("f")
    desktop.wait_for(lambda: look_at(app) == whole, "the whole run with F")
    app.keys("BackSpace")
    desktop.wait_for(lambda: look_at(app) == moved, "the range before")
    app.keys("f")
    desktop.wait_for(lambda: look_at(app) == whole, "the whole run again")


def check_views(app):
    for view in VIEWS[1:] + VIEWS[:1]:
        app.show(view)
        assert app.is_shown(view)


def export(app, path):
    app.act("export-to", GLib.Variant("s", str(path)))
    return desktop.wait_for(lambda: path.exists() and path.stat().st_size
                            and path.read_bytes(), f"the file {path.name}")


def check_png(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG signature"
    assert len(data) > 5000, f"a picture of {len(data)} bytes"
    assert int.from_bytes(data[16:20], "big") >= 400, "too narrow"


def check_svg(data):
    picture = ET.fromstring(data)
    assert picture.tag == SVG + "svg", picture.tag
    # Text is drawn as glyphs; in words there are a title and a description.
    words = "".join(item.text or "" for item in picture
                    if item.tag in (SVG + "title", SVG + "desc"))
    assert "Timeline" in words and "PE 0" in words, f"no words: {words!r}"
    shapes = sum(1 for item in picture.iter()
                 if item.tag in (SVG + "path", SVG + "use", SVG + "rect"))
    assert shapes > 50, f"only {shapes} shapes"


def check_export(app):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_png(export(app, folder / "timeline.png"))
        check_svg(export(app, folder / "timeline.svg"))
        assert export(app, folder / "timeline.pdf")[:5] == b"%PDF-"
        figures = export(app, folder / "timeline.csv").decode()
        assert figures.count("\n") > 8, "too few rows of figures"


def show_all(app):
    app.press(app.find("push button", "(All PEs ?)+"))
    desktop.wait_for(
        lambda: not any(re.search("^Only PEs? |PEs shown", text)
                        for text in app.texts()), "all PEs again")


def check_extrema(app):
    """PEs are chosen with the keyboard alone, and shown in the timeline."""
    app.show("Extrema")
    chart = app.find("image|canvas|drawing area", "(?i)extrema.*")
    app.click(chart, 0.5, 0.5)
    app.keys("Escape")
    app.see("Click a bar to choose its PE")
    app.keys("Home", "shift+Right", "shift+Right")
    app.see("3 PEs chosen")
    app.keys("Return")
    desktop.wait_for(lambda: app.is_shown("Timeline"), "the timeline")
    app.see(r"Only PEs? \S+ (is|are) shown")
    show_all(app)


def check_clusters(app):
    """A click on a cluster shows its members everywhere."""
    app.show("Clusters")
    app.see(r"\d clusters of 8 PEs, \d kept")
    chart = app.find("image|canvas|drawing area", "(?i)clusters.*")
    app.click(chart, 0.5, 0.45)
    app.see(r"Cluster \d: \d of 8 PEs shown")
    app.see(r"PEs of cluster \d")
    app.show("Usage")
    app.see(r"Cluster \d: \d of 8 PEs shown")
    show_all(app)
    app.show("Timeline")


def svg_words(data):
    return "".join(item.text or "" for item in ET.fromstring(data)
                   if item.tag == SVG + "desc")


def check_clocks(app):
    """Corrected clocks are told on screen and in files, and can be undone."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        assert "corrected" not in svg_words(export(app, folder / "1.svg"))
        app.act("correct-clocks")
        app.see("^clocks corrected$")
        assert "clocks corrected" in svg_words(export(app, folder / "2.svg"))
        app.act("correct-clocks")
        desktop.wait_for(lambda: "clocks corrected" not in app.texts()
                         and app.find("image|canvas|drawing area",
                                      "(?i)timeline.*"), "the files' clocks")
        assert "corrected" not in svg_words(export(app, folder / "3.svg"))


def check_quiet(app):
    """A warning of GTK is a bug of ours."""
    loud = [line for line in app.output().splitlines()
            if re.search(r"(Gtk|Gdk|Gsk|GLib|GObject|Adwaita|Pango|kymo)\S*-"
                         r"(WARNING|CRITICAL)", line)]
    assert not loud, "\n".join(loud)


def test(program, source):
    sample = os.path.join(source, "data", "sample")
    with desktop.App(program, sample) as app:
        for check in (check_opens, check_zoom, check_views, check_export,
                      check_clocks, check_extrema, check_clusters, check_quiet):
            check(app)
            print(f"ok {check.__name__[6:]}", flush=True)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
