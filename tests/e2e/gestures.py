# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand on the window of one run: pointer and keys as real events, and what a person
reads afterwards: the status line, the words of the chart, the details, the clipboard."""

import pathlib
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import desktop
import screen
import views as looks
from desktop import Atspi, GLib, approach, xdo

NUMBER = r"-?[\d.,]+"
UNITS = {"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
TEXT = "UTF8_STRING"
LEAVES = ("list", "combo box", "push button", "image", "label")
STAND_S = 0.3
MENU_EDGE = 6                   # px from the edge of a menu to its first item


def ns(words):
    """Of "1.25 ms"."""
    number, unit = re.match(rf"({NUMBER}) (\S+)$", words.strip()).groups()
    return float(number.replace(",", "")) * UNITS[unit]


class Desk:
    """The window, with its few widgets that are read again and again."""

    def __init__(self, app, folder):
        self.app, self.folder, self.pressed = app, pathlib.Path(folder), set()
        self.themes = [looks.LIGHT, looks.DARK]
        self.learn()

    def learn(self):
        """The widgets of the run in the tab that is shown; those of a tab behind it keep
        the places they had, and come before."""
        app = self.app
        self.chart = desktop.wait_for(lambda: (self.timelines() or [None])[-1],
                                      "the timeline")
        self.box = self.chart.get_extents(Atspi.CoordType.WINDOW)
        self.window = app.focus()
        self.status = self.labels_below(r".* – .* \(.* of .*\)")

    def timelines(self):
        """Of all tabs. Lists have thousands of words, and no timeline."""
        found = []
        for item in self.app.walk(None, LEAVES):
            try:
                if (item.get_role_name() == "image" and desktop.is_placed(item)
                        and re.match("Timeline:", item.get_name() or "")):
                    found.append(item)
            except GLib.Error:      # it has gone since its parent told of it
                continue
        return found

    def labels_below(self, pattern):
        """All labels of the status line: siblings of that with the range."""
        first = desktop.wait_for(
            lambda: (self.app.all("label", pattern) or [None])[-1], "the status line")
        return first.get_parent().get_children()

    def line(self):
        return [item.get_name() or "" for item in self.status]

    def range(self):
        return self.line()[0]

    def words(self):
        return self.chart.get_description() or ""

    # -- waiting ---------------------------------------------------------

    def until(self, function, what):
        return desktop.wait_for(function, what)

    def settled(self, look, before, what):
        """What is read, once it is other than before and has stood for a moment: words come in
        steps, as answers do."""
        def read():
            now = look()
            if not now or now == before:
                return None
            time.sleep(STAND_S)
            return now if look() == now else None
        return self.until(read, what)

    def range_other_than(self, before, what):
        return self.settled(self.range, before, what)

    def words_other_than(self, before, what):
        return self.settled(self.words, before, what)

    def range_is(self, text, what):
        try:
            self.until(lambda: self.range() == text, "")
        except desktop.Missing:
            raise desktop.Missing(f"{what}: “{text}”, not “{self.range()}”") from None

    def line_has(self, pattern, what):
        def look():
            return next((match for text in self.line()
                         if (match := re.search(pattern, text))), None)
        try:
            return self.until(look, "")
        except desktop.Missing:
            raise desktop.Missing(f"{what}: “{pattern}” in {self.line()}") from None

    def line_lacks(self, pattern, what):
        self.until(lambda: not any(re.search(pattern, text) for text in self.line()), what)

    def words_have(self, pattern, what):
        try:
            return self.until(lambda: re.search(pattern, self.words()), f"{what}: “{pattern}”")
        except desktop.Missing as missing:
            raise desktop.Missing(f"{missing}, but “{self.words()}”") from None

    def details_have(self, pattern, what):
        """Some words in the window, but in no list: looking through all of it takes long."""
        def look():
            for item in self.app.walk(None, LEAVES):
                try:
                    if re.search(pattern, item.get_name() or ""):
                        return True
                except desktop.GLib.Error:
                    continue
            return False
        self.until(look, f"{what}: “{pattern}”")

    # -- reading ---------------------------------------------------------

    def length(self):
        """Of the visible time, in ns."""
        return ns(re.search(r"\((.*) of .*\)", self.range())[1])

    def clipboard(self, target=TEXT):
        done = subprocess.run(["xclip", "-selection", "clipboard", "-t", target, "-o"],
                              capture_output=True, timeout=desktop.PATIENCE)
        return done.stdout if done.returncode == 0 else b""

    def copied(self, keys, target=TEXT):
        """What these keys put into the clipboard; something else was there before."""
        subprocess.run(["xclip", "-selection", "clipboard"], input=b"nothing", check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=desktop.PATIENCE)
        def press_and_look():
            """On a busy machine the keys may come before there is something to copy."""
            self.keys(keys)
            try:
                return desktop.wait_for(lambda: self.clipboard(TEXT) != b"nothing"
                                        and self.clipboard(target), "", 5)
            except desktop.Missing:
                return None
        return self.until(press_and_look, f"{keys} to copy {target}")

    def told(self, share_x, share_y):
        """What hovering tells: with nothing selected that is what Ctrl+C copies."""
        self.move(share_x, share_y)
        return self.copied("ctrl+c").decode()

    def state(self, action, path="/window/1"):
        """Of an action that is on or off."""
        reply = self.app.bus.call_sync(
            desktop.APP_ID, desktop.OBJECT + path, "org.gtk.Actions", "Describe",
            GLib.Variant("(s)", (action,)), None, 0, 5000, None)
        return reply.unpack()[0][2][0]

    def dialog_texts(self):
        """Of all windows but the first one, which is there for good."""
        return [word for window in self.app.root().get_children()[1:]
                for item in self.app.walk(window)
                for word in (item.get_name(), item.get_description()) if word]

    def dialog(self, pattern):
        self.until(lambda: any(re.search(pattern, text) for text in self.dialog_texts()),
                   f"the dialog with “{pattern}”")

    def windows_are(self, n, what):
        """Of the screen, menus aside."""
        def count():
            return sum(window.name != "kymo" for window in screen.windows(self.app.process.pid))
        self.until(lambda: count() == n == self.app.root().get_child_count(), what)

    def no_dialog(self):
        self.until(lambda: self.app.root().get_child_count() == 1, "no dialog")
        self.app.focus()

    # -- touching --------------------------------------------------------

    def at(self, share_x, share_y):
        return (self.box.x + int(self.box.width * share_x),
                self.box.y + int(self.box.height * share_y))

    def move(self, share_x, share_y):
        approach(self.chart, *self.at(share_x, share_y), "--window", self.window)

    def click(self, share_x, share_y, button=1, times=1):
        self.move(share_x, share_y)
        xdo("click", "--repeat", times, "--delay", 40, button)

    def focus(self):
        """A press of the middle button gives the chart the keyboard and does no more."""
        self.click(0.5, 0.4, button=2)

    def wheel(self, button, times=1, modifier=None):
        held = modifier.split("+") if modifier else []
        xdo(*(word for key in held for word in ("keydown", key)),
            "click", "--repeat", times, "--delay", 30, button,
            *(word for key in held for word in ("keyup", key)))

    def drag(self, a, b, button=1, modifier=None):
        self.drag_in(self.box, a, b, button, modifier)

    def drag_in(self, box, a, b, button=1, modifier=None):
        """In steps, as a hand does."""
        def place(share_x, share_y):
            return box.x + int(box.width * share_x), box.y + int(box.height * share_y)
        approach(self.chart, *place(*a), "--window", self.window)
        if modifier:
            xdo("keydown", modifier)
        xdo("mousedown", button)
        for i in range(1, 7):
            xdo("mousemove", "--window", self.window,
                *place(a[0] + (b[0] - a[0]) * i / 6, a[1] + (b[1] - a[1]) * i / 6))
        xdo("mouseup", button)
        if modifier:
            xdo("keyup", modifier)

    def keys(self, *names):
        self.pressed.update(names)
        self.app.keys(*names)

    def type(self, text):
        self.app.focus()
        xdo("type", "--delay", 15, text)

    def keys_until_range(self, key, before, what):
        """A key that is pressed again where it came too early: while a menu closes, keys
        still go to it."""
        for _ in range(10):
            self.keys(key)
            limit = time.monotonic() + 1.5
            while time.monotonic() < limit:
                if self.range() != before:
                    return self.range_other_than(before, what)
                time.sleep(0.05)
        raise desktop.Missing(what)

    # -- menus -----------------------------------------------------------

    def popover(self):
        """The X window of the menu that is open: it is called as the program is."""
        return next((window for window in screen.windows(self.app.process.pid)
                     if window.name == "kymo"), None)

    def choose(self, first, name, share_x, share_y):
        """An item of the menu that a click there opened, with the pointer. The menu begins
        where the click was; places of its items are right between themselves alone."""
        self.until(self.popover, "the menu")
        boxes = [self.app.find("menu item|check menu item|push button", word).get_extents(
            Atspi.CoordType.WINDOW) for word in (first, name)]
        x, y = self.at(share_x, share_y)
        approach(self.chart, x + 60,
                 y + MENU_EDGE + boxes[1].y - boxes[0].y + boxes[1].height // 2,
                 "--window", self.window)
        xdo("click", 1)

    # -- looking ---------------------------------------------------------

    def picture(self, name):
        """In the theme that is on, then in the other one, which stays."""
        for theme in self.themes:
            self.app.act("color-scheme", GLib.Variant("s", theme), path="")
            desktop.wait_for(lambda: self.is_of(theme), f"the theme {theme}")
            looks.Shot(screen.WHOLE).save(self.folder / f"gestures-{name}-{theme}.png")
        self.themes.reverse()

    def is_of(self, theme):
        part = looks.Shot(self.window).part(self.box)
        return (sum(part) / len(part) > 128) == (theme == looks.LIGHT)
