# SPDX-License-Identifier: GPL-3.0-or-later
"""The views of an open run, found once and then asked directly: a window with many
tables has thousands of widgets, and a walk over all of them takes seconds.

A picture of a view is taken when it has come to rest (two in a row are the same),
kept in a folder for people to look at, and must show something of its own."""

import hashlib
import pathlib
import struct
import time
import zlib

import desktop
import screen
from desktop import Atspi, GLib

# What a view is known by: the role and the name of its picture or table.
CONTENTS = {
    "Timeline": ("image", "Timeline:.*"),
    "Communication": ("image", "Communication:.*"),
    "Counters": ("image", "Counters:.*"),
    "Waiting": ("tree table", "The longest single waits"),
    "By Metric": ("image", "(?i)(functions|entry methods) by .*:.*"),
    "Function": ("image", "(?i)\\w+s of one (function|entry method):.*"),
    "Table": ("tree table", "(?i)functions"),
    "Scatter": ("image", "(?i)(scatter of \\w+|\\w+ by two figures|scatter):.*"),
    "Icicle": ("image", "Icicle:.*"),
    "Call Tree": ("tree table", "(?i)functions"),
    "Call Graph": ("image", "Call graph:.*"),
    "Events": ("tree table", "Records in order of time"),
    "User Events": ("tree table", "User events"),
}
LEAST_COLOURS = 12              # text alone has more shades than that
LIGHT, DARK = "light", "dark"


def wait_for(function, what):
    return desktop.wait_for(function, what)


class Shot:
    """A picture of a window, three bytes a pixel."""

    def __init__(self, window):
        self.width, self.height, self.data = screen.shoot(window)

    def part(self, box):
        rows = range(box.y, min(box.y + box.height, self.height))
        return b"".join(self.data[3 * (y * self.width + box.x):
                                  3 * (y * self.width + min(box.x + box.width, self.width))]
                        for y in rows)

    def save(self, path):
        """As PNG; packed fast, not small."""
        def chunk(kind, data):
            return (struct.pack(">I", len(data)) + kind + data
                    + struct.pack(">I", zlib.crc32(kind + data)))
        rows = b"".join(b"\0" + self.data[y * 3 * self.width:(y + 1) * 3 * self.width]
                        for y in range(self.height))
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
                         + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


class Views:
    """What there is in the one tab of a program."""

    def __init__(self, app, folder, run):
        self.app, self.run, self.contents = app, run, {}
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.theme, self.seen = LIGHT, {}
        app.find("page tab")

    # -- finding ---------------------------------------------------------

    def dialog(self, title):
        """A further window of the program."""
        def look():
            root = self.app.root()
            return next((child for child in root.get_children()
                         if child.get_name() == title), None)
        return wait_for(look, f"the dialog “{title}”")

    def find(self, role, name, top=None, beyond=("list",)):
        """The last one of that name. Lines of tables are not looked into."""
        def look():
            return next((item for item in self.app.walk_back(top, beyond)
                         if desktop.matches(role, item.get_role_name())
                         and desktop.matches(name, item.get_name())
                         and desktop.is_placed(item)), None)
        return wait_for(look, f"{role} “{name}”")

    def content(self, view):
        if view not in self.contents:
            self.contents[view] = self.find(*CONTENTS[view])
        return self.contents[view]

    # -- going there -----------------------------------------------------

    def is_shown(self, view):
        return self.app.is_shown(view)

    def show(self, view):
        self.app.show(view)
        return self.content(view)

    def set_theme(self, theme):
        self.app.act("color-scheme", GLib.Variant("s", theme), path="")
        self.theme = theme

    # -- tables ----------------------------------------------------------

    @staticmethod
    def lines(table):
        """The rows of a table that are made, each a widget."""
        (rows,) = [item for item in table.get_children() if item.get_role_name() == "list"]
        return rows.get_children()

    def cells(self, line):
        return [item.get_name() for item in self.app.walk(line)
                if item.get_role_name() == "label"]

    def heads(self, table):
        return [self.cells(item) for item in table.get_children()
                if item.get_role_name() == "table row"][0]

    def line_of(self, table, name):
        """The line with that text in it."""
        return wait_for(lambda: next((line for line in self.lines(table)
                                      if name in self.cells(line)), None),
                        f"the line “{name}”")

    def chosen(self, table):
        return [self.cells(line) for line in self.lines(table) if desktop.is_selected(line)]

    # -- controls --------------------------------------------------------

    def word_of(self, combo):
        """What a drop-down shows while it is closed."""
        labels = [item.get_name() for item in self.app.walk(combo)
                  if item.get_role_name() == "label"]
        return next(word for word in labels if word != "(None)")

    def choose(self, combo, steps):
        """Opened with the pointer, so many steps down (or up), taken with Return."""
        self.app.click(combo)
        self.app.keys(*["Down" if steps > 0 else "Up"] * abs(steps), "Return")

    # -- looking ---------------------------------------------------------

    def shoot(self):
        return Shot(wait_for(self.app.window_id, "the X window"))

    def look(self, view):
        """The window, and the part of it that is the view's own, at rest."""
        box = self.content(view).get_extents(Atspi.CoordType.WINDOW)
        before, limit = None, time.monotonic() + desktop.PATIENCE
        while time.monotonic() < limit:
            shot = self.shoot()
            now = shot.part(box)
            if now == before:
                return shot, now
            before = now
            time.sleep(0.1)
        raise desktop.Missing(f"{view} does not come to rest")

    def picture(self, name, view):
        """Takes one, and keeps it: not blank, of the theme, and unlike all others."""
        path = self.folder / f"{self.run}-{name}-{self.theme}.png"
        # Nothing is pointed at: words about it would lie over the picture.
        desktop.xdo("mousemove", 1599, 999)
        def is_drawn():
            shot, data = self.look(view)
            colours = {data[i:i + 3] for i in range(0, len(data), 3 * 7)}
            return (shot, data) if len(colours) >= LEAST_COLOURS else None
        shot, data = wait_for(is_drawn, f"something in {path.name}")
        shot.save(path)
        mean = sum(data) / len(data)
        assert (mean > 128) == (self.theme == LIGHT), f"{path.name}: {mean:.0f} of 255"
        digest = hashlib.sha256(data).hexdigest()
        assert digest not in self.seen, f"{path.name} looks like {self.seen[digest]}"
        self.seen[digest] = path.name
        return digest

    def exported(self, path):
        """The figures of the view that is shown; asked for again where the window was
        busy with reading."""
        path = pathlib.Path(path)
        path.unlink(missing_ok=True)
        def ask():
            self.app.act("export-to", GLib.Variant("s", str(path)))
            limit = time.monotonic() + 15
            while time.monotonic() < limit:
                if path.exists() and path.stat().st_size:
                    return path.read_text()
                time.sleep(0.02)
            return None
        return wait_for(ask, f"the file {path.name}")
