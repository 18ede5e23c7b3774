# SPDX-License-Identifier: GPL-3.0-or-later
"""A person's hand that counts. An action is one click, one key or chord, or one text that is
typed in one go; to open a menu and to choose in it are two. Looking is free, and so is
the pointer's way."""

import re
import subprocess

import desktop
import screen
from desktop import Atspi, GLib, approach, xdo

CONTROLS = "push button|toggle button|check box|page tab"
ITEMS = "menu item|check menu item"
LIST_EDGE = 33                  # px above the first line of a drop-down and below the last
# Lists have thousands of words: they are looked into where that is asked for.
CLOSED = ("list",)


def is_one(item, role, name):
    """Whether it is a widget of that role and name; one that has gone meanwhile is none."""
    try:
        return (desktop.matches(role, item.get_role_name())
                and desktop.matches(name, item.get_name()) and desktop.is_placed(item))
    except GLib.Error:
        return False


class Hand:
    def __init__(self, app):
        self.app, self.count, self.last = app, 0, None

    # -- seeing ----------------------------------------------------------

    def window(self, title):
        """A further window of the program, None where there is none."""
        root = self.app.root()
        return next((child for child in root.get_children()
                     if re.fullmatch(title, child.get_name() or "")), None)

    def dialog(self, title):
        return desktop.wait_for(lambda: self.window(title), f"the dialog “{title}”")

    def no_dialog(self):
        desktop.wait_for(lambda: self.app.root().get_child_count() == 1, "no dialog")

    def find(self, role, name, top=None, beyond=CLOSED):
        """The last one: what belongs to a tab behind the one that is shown comes before."""
        def look():
            found = [item for item in self.app.walk(top, beyond, False) if is_one(item, role, name)]
            return found[-1] if found else None
        return desktop.wait_for(look, f"{role} “{name}”")

    def says(self, pattern, top=None, beyond=CLOSED):
        """Waits for these words, in no table; with none that it looks beyond, in lists as well."""
        def look():
            for item in self.app.walk(top, beyond):
                for word in (item.get_name(), item.get_description()):
                    match = re.search(pattern, word or "")
                    if match:
                        return match
            return None
        return desktop.wait_for(look, f"the words “{pattern}”")

    def read(self, pattern):
        """Until all of the run is there: its views come with it."""
        self.says(pattern)
        self.says("^exact$")

    def lines(self, name, least=1):
        """(row, words) of the lines of a table that are made."""
        table = self.find("tree table", name, beyond=("list",))
        def look():
            (rows,) = [item for item in table.get_children() if item.get_role_name() == "list"]
            rows = rows.get_children()
            told = [(row, [item.get_name() for item in self.app.walk(row)
                           if item.get_role_name() == "label"]) for row in rows]
            return told if len(told) >= least else None
        return desktop.wait_for(look, f"lines of “{name}”")

    def line(self, name, *words):
        """The uppermost line in sight that has all these words, and what it says. Others are made
        as well, and lie below what is shown of the table."""
        return desktop.wait_for(lambda: self.find_line(name, *words), f"{words} in “{name}”")

    def find_line(self, name, *words):
        def box_of(item):
            return item.get_extents(Atspi.CoordType.WINDOW)
        table = box_of(self.find("tree table", name, beyond=("list",)))
        told = [(box_of(row).y, row, told) for row, told in self.lines(name)
                if set(words) <= set(told) and desktop.is_placed(row)]
        told = [line for line in told if table.y <= line[0]
                and line[0] + box_of(line[1]).height <= table.y + table.height]
        return min(told, key=lambda line: line[0])[1:] if told else None

    def scroll_to(self, name, *words):
        """Turns the wheel over a table until such a line is in sight, which is one action; the
        line."""
        box = self.find("tree table", name, beyond=("list",)).get_extents(Atspi.CoordType.WINDOW)
        xdo("mousemove", "--window", self.app.focus(), box.x + 60, box.y + box.height // 2)
        self.count += 1
        def turn():
            xdo("click", "--repeat", 3, "--delay", 20, 5)
            return self.find_line(name, *words)
        return desktop.wait_for(turn, f"{words} in “{name}”")

    def shows(self, view):
        """view: its id."""
        def look():
            reply = self.app.bus.call_sync(
                desktop.APP_ID, desktop.OBJECT + "/window/1", "org.gtk.Actions", "Describe",
                GLib.Variant("(s)", ("view",)), None, 0, 1000 * desktop.PATIENCE, None)
            return reply.unpack()[0][2] == [view]
        desktop.wait_for(look, f"the view {view}")

    # -- doing -----------------------------------------------------------

    def click(self, item, share_x=0.5, share_y=0.5):
        self.app.click(item, share_x, share_y)
        self.last = item
        self.count += 1

    def double_click(self, item, share_x=0.5, share_y=0.5):
        """One action."""
        self.app.click(item, share_x, share_y, times=2)
        self.last = item
        self.count += 1

    def press(self, name, top=None, role=CONTROLS, beyond=CLOSED):
        """A control, by its name."""
        self.click(self.find(role, name, top, beyond))

    def go(self, name):
        """A group or a tab in the row above the views; one that has just come has no place yet."""
        row = self.find("page tab list", "Views")
        item = desktop.wait_for(lambda: next(self.app.each(CONTROLS, name, True, row), None), name)
        is_on = (desktop.is_selected if item.get_role_name() == "page tab"
                 else desktop.is_pressed)
        self.click(item)
        desktop.wait_for(lambda: is_on(item), f"{name} to be on")

    def key(self, *chords):
        """Each is one action."""
        self.app.keys(*chords)
        self.count += len(chords)

    def word(self, text):
        self.app.focus()
        xdo("type", "--delay", 8, text)
        self.count += 1

    def wheel(self, item, notches, *held):
        """Turns the wheel away from the hand over a widget while keys are held, as one action."""
        box = item.get_extents(Atspi.CoordType.WINDOW)
        approach(item, box.x + box.width // 2, box.y + box.height // 2, "--window",
                 self.app.focus())
        for key in held:
            xdo("keydown", key)
        xdo("click", "--repeat", notches, "--delay", 30, 4)
        for key in held:
            xdo("keyup", key)
        self.count += 1

    def popup(self):
        """(x, y, width, height) of the menu that is open: its window is called as the program."""
        return next((window[2:] for window in reversed(screen.windows(self.app.process.pid))
                     if window.name == "kymo" and window.height > 60), None)

    def take(self, which, n, what):
        """With the pointer the line of this number of n, in the list that is open."""
        x, y, width, height = desktop.wait_for(self.popup, f"the list with {what}")
        approach(self.last, x + width // 2,
                 y + height / 2 + (height - 2 * LIST_EDGE) * ((which + 0.5) / n - 0.5))
        xdo("click", 1)
        desktop.wait_for(lambda: self.popup() is None, f"{what} to be taken")
        self.count += 1

    def pick(self, name):
        """With the pointer an item of the menu that the last click opened. Places of items are
        right between themselves alone; as much is above the first as below the last one."""
        x, y, width, height = desktop.wait_for(self.popup, f"the menu with “{name}”")
        def look():
            boxes = [(item.get_name(), item.get_extents(Atspi.CoordType.WINDOW))
                     for item in self.app.all(ITEMS, None, True, self.last.get_parent())]
            mine = next((box for word, box in boxes if re.fullmatch(name, word or "")), None)
            return mine and (mine, [box for _, box in boxes
                                    if (box.x, box.width) == (mine.x, mine.width)])
        mine, boxes = desktop.wait_for(look, f"“{name}” in the menu")
        middle = (min(box.y for box in boxes)
                  + max(box.y + box.height for box in boxes)) / 2
        approach(self.last, x + width // 2, y + height / 2 + mine.y + mine.height / 2 - middle)
        xdo("click", 1)
        self.count += 1

    # -- what several jobs do --------------------------------------------

    def open(self, path, by_keys):
        """The dialog takes a path that is typed."""
        if by_keys:
            self.key("ctrl+o")
        else:
            self.press("Open")
        self.dialog("Open the Folder of a Run.*")
        self.choose(path)

    def paste(self, *lines):
        """What was copied elsewhere: paths, or an address."""
        # It stays as the owner of what was copied, without a terminal to hold.
        text, clipboard = "\n".join(map(str, lines)), ["xclip", "-selection", "clipboard"]
        subprocess.run(clipboard, check=True, text=True, input=text, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        # It goes on by itself before the display knows that it is the owner.
        desktop.wait_for(lambda: subprocess.run([*clipboard, "-o"], text=True,
                                                capture_output=True).stdout == text,
                         "what was copied")
        self.key("ctrl+v")

    def choose(self, path):
        """In the dialog of files that is open."""
        self.word(str(path))
        self.key("Return")
        self.no_dialog()

    def place(self, text):
        """Ctrl+P, its name, Enter."""
        self.key("ctrl+p")
        dialog = self.dialog("Go To")
        self.word(text)
        wanted = f"(?i).*{re.escape(text)}.*"
        desktop.wait_for(lambda: next(self.app.each("list item", wanted, True, dialog), None),
                         f"the place {text}")
        self.key("Return")
        desktop.wait_for(lambda: self.window("Go To") is None, "the list of places to go")
