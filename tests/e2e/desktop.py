# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person has: a program on a screen, seen through AT-SPI, touched with
keys and pointer (xdotool), and told things over its D-Bus actions.

Runs inside build-aux/with-display.py, so that screen and bus are its own.
Everything that waits has a limit, and says what it waited for."""

import os
import re
import shutil
import subprocess
import sys
import time

SKIP = 77

import screen

try:
    import widgets
    from widgets import Atspi, Gio, GLib
except (ImportError, ValueError) as error:
    print(f"skipped: {error}")
    sys.exit(SKIP)

if not shutil.which("xdotool") or not screen.LIBRARY:
    print("skipped: xdotool is not installed")
    sys.exit(SKIP)

APP_ID = "io.github.kymo_trace.Kymo"
OBJECT = "/" + APP_ID.replace(".", "/")


# What is waited for is a state; this is only when to give up. With fifteen busy programs
# beside it the window takes half a minute for what it does in one second alone.
PATIENCE = 120


BUTTON = "push button|toggle button"

# Where a view is: its id, its group and its tab.
PLACES = {
    "Live": ("live", "Live", "Live"), "Replies": ("replies", "Live", "Replies"),
    "Findings": ("findings", "Overview", "Findings"),
    "Summary": ("summary", "Overview", "Summary"),
    "Timeline": ("timeline", "Time", "Timeline"),
    "Time Profile": ("time-profile", "Time", "Time Profile"),
    "Counters": ("counters", "Time", "Counters"),
    "User Events": ("user-events", "Time", "User Events"),
    "Usage": ("usage", "Load", "Usage"), "By Metric": ("thread-bars", "Load", "Usage"),
    "Histogram": ("histogram", "Load", "Histogram"), "Extrema": ("extrema", "Load", "Extrema"),
    "Clusters": ("clusters", "Load", "Clusters"),
    "Profile": ("profile", "Code", "Profile"), "Table": ("thread-table", "Code", "Profile"),
    "Function": ("function", "Code", "Function"), "Call Tree": ("call-tree", "Code", "Call Tree"),
    "Icicle": ("icicle", "Code", "Icicle"), "Call Graph": ("call-graph", "Code", "Call Graph"),
    "Scatter": ("thread-scatter", "Code", "Scatter"),
    "Communication": ("communication", "Messages", "Communication"),
    "Message Sizes": ("message-sizes", "Messages", "Message Sizes"),
    "Waiting": ("waiting", "Messages", "Waiting"),
    "Collectives": ("collectives", "Messages", "Collectives"),
    "Paths": ("critical-path", "Messages", "Paths"),
    "Events": ("events", "Records", "Events"),
}


class Missing(AssertionError):
    """What was waited for did not come."""


def wait_for(function, what, seconds=PATIENCE):
    """The first true value of function(); widgets vanish while one reads
    them, so an error of the bus is a no."""
    limit = time.monotonic() + seconds
    while True:
        begin = time.monotonic()
        try:
            value = function()
        except GLib.Error:
            value = None
        if value:
            return value
        now = time.monotonic()
        if now > limit:
            raise Missing(f"waited {seconds} s for {what}")
        # Who only looks keeps the program from getting on.
        time.sleep(max(0.05, min(now - begin, 0.5)))


def matches(pattern, text):
    return pattern is None or re.fullmatch(pattern, text or "") is not None


def is_placed(item):
    """Whether the widget has a place in the window. GTK 4.8 tells of no
    state "showing", and a page of a stack keeps the place it last had: this
    leaves out only what was never shown."""
    box = item.get_extents(Atspi.CoordType.WINDOW)
    return box.width > 0 and box.height > 0


def is_selected(item):
    return item.get_state_set().contains(Atspi.StateType.SELECTED)


def is_pressed(item):
    states = item.get_state_set()
    return (states.contains(Atspi.StateType.CHECKED)
            or states.contains(Atspi.StateType.PRESSED))


xdo = screen.do


def approach(item, x, y, *window):
    """Moves the pointer to a place in steps, as a hand does, and asks the program for an item
    after each. GTK 4 loses a press right behind a single jump now and then, on a busy machine
    and after a dialog has gone."""
    for step in (4, 3, 2, 1, 0):
        xdo("mousemove", *window, int(x) - step, int(y))
        item.get_extents(Atspi.CoordType.WINDOW)


class App:
    """A running program; a context manager that ends it, and before that
    keeps what there is to see of a failure."""

    evidence = None             # where to; see run()
    widgets = None              # the bus of AT-SPI
    switch = None               # the row of groups and tabs

    def __init__(self, program, *arguments, env=None, view="timeline"):
        """Runs open with this view if they have it. None: with what a person sees first."""
        if view is not None:
            arguments = [*arguments, "--view", view]
        self.log = open(os.path.join(os.environ["HOME"], "kymo.log"), "w+")
        self.process = subprocess.Popen([program, *arguments], stdout=self.log,
                                        stderr=subprocess.STDOUT, env=env)
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind and self.evidence:
            self.keep_evidence()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()

    def keep_evidence(self):
        screenshot(self.evidence + ".png")
        print(f"screenshot: {self.evidence}.png")
        if self.process.poll() is None:
            print(self.tree()[:20000])
        print(self.output()[-4000:])

    def output(self):
        """What the program wrote: warnings and criticals, one hopes none."""
        self.log.flush()
        with open(self.log.name, encoding="utf-8", errors="replace") as log:
            return log.read()

    # -- seeing ----------------------------------------------------------

    def root(self):
        if self.process.poll() is not None:
            raise Missing(f"the program ended with {self.process.returncode}:"
                          f"\n{self.output()}")
        if self.widgets is None:
            self.widgets = widgets.Bus()
        return self.widgets.program(self.process.pid)

    def walk(self, top=None, beyond=(), words=True):
        """Everything below, first things first; what is beyond these roles is left out. Without
        words names are asked for one by one: for who needs few of them."""
        top = top or self.root()
        return widgets.Tree(top, beyond, words).walk() if top else iter(())

    def walk_back(self, top=None, beyond=()):
        """The same from its end."""
        return reversed(list(self.walk(top, beyond, False)))

    def each(self, role=None, name=None, placed=True, top=None):
        for item in self.walk(top, words=role is None):
            try:
                if (matches(role, item.get_role_name())
                        and matches(name, item.get_name())
                        and (not placed or is_placed(item))):
                    yield item
            except GLib.Error:
                continue

    def all(self, role=None, name=None, placed=True, top=None):
        return list(self.each(role, name, placed, top))

    def find(self, role=None, name=None, placed=True, seconds=PATIENCE):
        """The first widget of this role and name (regular expressions)."""
        return wait_for(lambda: next(self.each(role, name, placed), None),
                        f"{role or 'widget'} “{name}”", seconds)

    def each_text(self, pattern=""):
        """The name, the description and the text of everything placed in whose words the pattern
        is found, with the widget. The text of a label is its name."""
        found = []
        for item in self.walk():
            words = [item.get_name(), item.get_description()]
            try:
                if item.get_role_name() != "label" and "Text" in item.get_interfaces():
                    words.append(item.get_text())
            except GLib.Error:          # it has gone meanwhile
                continue
            words = [word for word in words if word]
            if any(re.search(pattern, word) for word in words):
                found.append((item, words))
        boxes = self.widgets.batch([item.question(*widgets.extents()) for item, _ in found])
        return [pair for pair, box in zip(found, boxes) if box and min(box.unpack()[2:]) > 0]

    def texts(self):
        return [word for _, words in self.each_text() for word in words]

    def see(self, pattern, seconds=PATIENCE):
        """Waits for a text on the screen; the match."""
        def look():
            return next((re.search(pattern, word) for _, words in self.each_text(pattern)
                         for word in words if re.search(pattern, word)), None)
        return wait_for(look, f"the text “{pattern}”", seconds)

    def hear(self, pattern):
        """Waits for a sentence that passes: on a busy machine it is gone before all of the
        window was looked at, so the log of a program with G_MESSAGES_DEBUG is asked."""
        said = re.compile(f"says: {pattern}", re.M)
        return wait_for(lambda: said.search(self.output()), f"the sentence “{pattern}”")

    def tree(self):
        lines, depths = [], {}
        root = self.root()
        tree = widgets.Tree(root) if root else None
        for item in tree.walk() if tree else ():
            depth = depths.setdefault(item, 0)
            depths.update((child, depth + 1) for child in tree.below.get(item.path, ()))
            try:
                lines.append(f"{'  ' * depth}{item.get_role_name()}: "
                             f"{item.get_name()!r} {item.get_description()!r}")
            except GLib.Error:
                lines.append("  " * depth + "(gone)")
        return "\n".join(lines)

    # -- touching --------------------------------------------------------

    @staticmethod
    def press(item):
        if "Action" not in item.get_interfaces() or not item.do_action(0):
            raise Missing(f"“{item.get_name()}” cannot be pressed")

    def window_id(self):
        """The X window of the program, that of a dialog before it; there is no window
        manager, so it gets the keyboard by hand. Tooltips are called as the program is."""
        return next((window.id for window in reversed(screen.windows(self.process.pid))
                     if window.name != "kymo"), None)

    def focus(self):
        window = wait_for(self.window_id, "the X window")
        xdo("windowfocus", "--sync", window)
        return window

    def keys(self, *names):
        self.focus()
        xdo("key", "--delay", 30, *names)

    def click(self, item, share_x=0.5, share_y=0.5, times=1):
        window = self.focus()
        box = item.get_extents(Atspi.CoordType.WINDOW)
        approach(item, box.x + int(box.width * share_x), box.y + int(box.height * share_y),
                 "--window", window)
        xdo("click", "--repeat", times, "--delay", 20, 1)

    # -- views -----------------------------------------------------------

    def turn_on(self, role, name, is_on):
        """A group or a tab, with the pointer, but for what has no room in the row."""
        if self.switch is None:
            self.switch = self.find("page tab list", "Views")
        item = wait_for(lambda: next(self.each(role, name, False, self.switch), None),
                        f"{role} {name}")
        if not is_on(item):
            (self.click if is_placed(item) else self.press) (item)
            wait_for(lambda: is_on(item), f"{role} {name} to be on")

    def show(self, view):
        """Buttons of views that share a tab stand elsewhere and are looked for by one test
        alone: looking through all of a window takes long."""
        name, group, tab = PLACES[view]
        if self.is_shown(view):
            return
        self.turn_on(BUTTON, group, is_pressed)
        self.turn_on("page tab", tab, is_selected)
        if not self.is_shown(view):
            self.act("view", GLib.Variant("s", name))
        wait_for(lambda: self.is_shown(view), f"the view {view}")

    def is_shown(self, view):
        """Whether the part with the keyboard shows it."""
        reply = self.bus.call_sync(
            APP_ID, OBJECT + "/window/1", "org.gtk.Actions", "Describe",
            GLib.Variant("(s)", ("view",)), None, Gio.DBusCallFlags.NONE, 1000 * PATIENCE, None)
        return reply.unpack()[0][2] == [PLACES[view][0]]

    def views(self):
        """The titles of all views that the run has, in the words of the list of them."""
        button = self.find(BUTTON, "All views and what they answer")
        self.click(button)
        names = wait_for(lambda: [row.get_name() for row in self.all("list item", r"[^:]*: .*\?")],
                         "the list of views")
        self.keys("Escape")
        wait_for(lambda: not self.all("list item", r"[^:]*: .*\?"), "no list of views")
        return [name.partition(":")[0] for name in names]

    # -- telling ---------------------------------------------------------

    def act(self, name, *parameters, path="/window/1"):
        self.bus.call_sync(
            APP_ID, OBJECT + path, "org.gtk.Actions", "Activate",
            GLib.Variant("(sava{sv})", (name, list(parameters), {})),
            None, Gio.DBusCallFlags.NONE, 1000 * PATIENCE, None)

    def actions(self, path="/window/1"):
        reply = self.bus.call_sync(
            APP_ID, OBJECT + path, "org.gtk.Actions", "List", None, None,
            Gio.DBusCallFlags.NONE, 1000 * PATIENCE, None)
        return set(reply.unpack()[0])


def servers(app):
    """Processes of the program that answer for runs on another machine."""
    done = subprocess.run(["pgrep", "-P", str(app.process.pid), "-x", "kymo-server"],
                          capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


def screenshot(path):
    if shutil.which("import"):
        subprocess.run(["import", "-window", "root", path], timeout=20)


def run(test, program, source, logs):
    """test(program, source): on failure the screen, the tree and the output
    of its App are kept."""
    name = "-".join([os.path.splitext(os.path.basename(sys.argv[0]))[0],
                     *(word.replace("/", "-") for word in sys.argv[4:])])
    os.makedirs(logs, exist_ok=True)
    App.evidence = os.path.join(logs, name)
    try:
        test(program, source)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", flush=True)
        raise
