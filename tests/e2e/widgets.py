# SPDX-License-Identifier: GPL-3.0-or-later
"""The widgets of a program, as AT-SPI tells of them, asked many at a time. A window with
tables has thousands of them. libatspi asks for each in five calls and waits for each answer,
which took most of the processor time of the tests; here a level of the tree is one batch of
calls, and a whole window is a single one, answered by what GTK keeps for screen readers.

An Item answers by the names that libatspi has. What a walk knows of an item holds until the
walk goes on; after that each question is put to the program again."""

import ast
import collections
import re

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib

TIMEOUT_MS = 60000              # for a busy machine
ACCESSIBLE = "org.a11y.atspi.Accessible"
ROOT = "/org/a11y/atspi/accessible/root"
LONG = ("GetChildren",)
SHORT = 8
MANY = 100                      # widgets: from here on the question for all costs less
NO_ONE = "/org/a11y/atspi/null"
LEAVES = (Atspi.Role.LABEL,)    # have no children in GTK 4
LINES = (Atspi.Role.TABLE_ROW, Atspi.Role.TABLE_CELL)       # have none that are hidden

Box = collections.namedtuple("Box", "x y width height")
Known = collections.namedtuple("Known", "name description states interfaces")


def plain(answer):
    """A long answer; GLib's own way takes twice as long."""
    return ast.literal_eval(answer.print_(False))


WORD = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
PAIR = r"\('([^']*)', '([^']*)'\)"
KEPT = re.compile(rf"\({PAIR}, {PAIR}, {PAIR}, (-?\d+), (-?\d+), \[([^]]*)\], "
                  rf"{WORD}, (\d+), {WORD}, \[(\d+), (\d+)\]\)")


def word(text):
    return ast.literal_eval(text) if "\\" in text else text[1:-1]


def kept_items(answer):
    """What GTK keeps of each widget: (owner, path, parent, place, number of children, Known,
    role). A window has a thousand; read by plain() they take twenty times as long."""
    found = KEPT.findall(answer.print_(False))
    assert len(found) == answer.n_children(), (len(found), answer.n_children())
    return [(owner, path, parent, int(place), int(n),
             Known(word(name), word(words), (int(low), int(high)), interfaces[1:-1].split("', '")),
             int(role))
            for (owner, path, _, _, _, parent, place, n, interfaces, name, role, words, low,
                 high) in found]


def references(answer):
    """The (owner, path) of a list of widgets. Most lists are short."""
    if answer.n_children() > SHORT:
        return plain(answer)
    pairs = (answer.get_child_value(i) for i in range(answer.n_children()))
    return [tuple(pair.get_child_value(i).get_string() for i in (0, 1)) for pair in pairs]


TEXT = ("GetText", GLib.Variant("(ii)", (0, 2 ** 31 - 1)), "org.a11y.atspi.Text")


def extents(of=Atspi.CoordType.WINDOW):
    """The question where a widget is."""
    return ("GetExtents", GLib.Variant("(u)", (int(of),)), "org.a11y.atspi.Component")


class States:
    def __init__(self, low, high=0):
        self.bits = low | high << 32

    def contains(self, state):
        return bool(self.bits >> int(state) & 1)


class Bus:
    """The bus of AT-SPI; what never changes of a widget is asked once."""

    def __init__(self):
        address = Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
            "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0,
            TIMEOUT_MS, None).unpack()[0]
        flags = Gio.DBusConnectionFlags
        self.link = Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
        self.pids, self.roles, self.interfaces = {}, {}, {}

    def call(self, owner, path, interface, method, words=None):
        answer = self.link.call_sync(owner, path, interface, method, words, None, 0,
                                     TIMEOUT_MS, None)
        if method == "GetItems":
            return kept_items(answer.get_child_value(0))
        if method in LONG:
            return plain(answer.get_child_value(0))
        return answer.unpack()[0] if answer.n_children() else None

    def batch(self, calls):
        """The answers to [(owner, path, interface, method, words)], None for an error."""
        answers, left = [None] * len(calls), len(calls)
        context = GLib.MainContext.new()    # of this thread alone

        def on_answer(link, result, i):
            nonlocal left
            left -= 1
            try:
                answers[i] = link.call_finish(result).get_child_value(0)
            except GLib.Error:          # it has gone since its parent told of it
                pass

        context.push_thread_default()
        for i, call in enumerate(calls):
            self.link.call(*call, None, 0, TIMEOUT_MS, None, on_answer, i)
        while left:
            context.iteration(True)
        context.pop_thread_default()
        return answers

    def program(self, pid):
        """The root of a program's widgets, None until it has told of itself."""
        for owner, path in self.call("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren"):
            if owner not in self.pids:
                self.pids[owner] = self.call(
                    "org.freedesktop.DBus", "/", "org.freedesktop.DBus",
                    "GetConnectionUnixProcessID", GLib.Variant("(s)", (owner,)))
            if self.pids[owner] == pid:
                return Item(self, owner, path)
        return None


class Item:
    __slots__ = ("bus", "owner", "path", "known")

    def __init__(self, bus, owner, path, known=None):
        self.bus, self.owner, self.path, self.known = bus, owner, path, known

    def __eq__(self, other):
        return isinstance(other, Item) and (self.owner, self.path) == (other.owner, other.path)

    def __hash__(self):
        return hash((self.owner, self.path))

    def question(self, method, words=None, interface=ACCESSIBLE):
        return (self.owner, self.path, interface, method, words)

    def ask(self, *question):
        return self.bus.call(*self.question(*question))

    def property(self, name, part="Accessible"):
        return self.ask("Get", GLib.Variant("(ss)", ("org.a11y.atspi." + part, name)),
                        "org.freedesktop.DBus.Properties")

    def item(self, reference):
        return None if reference[1] == NO_ONE else Item(self.bus, *reference)

    # -- what it is ------------------------------------------------------

    def get_role(self):
        if self.path not in self.bus.roles:
            self.bus.roles[self.path] = self.ask("GetRole")
        return self.bus.roles[self.path]

    def get_role_name(self):
        return Atspi.role_get_name(Atspi.Role(self.get_role()))

    def get_name(self):
        return self.known.name if self.known else self.property("Name")

    def get_description(self):
        return self.known.description if self.known else self.property("Description")

    def get_state_set(self):
        return States(*(self.known and self.known.states or self.ask("GetState")))

    def get_interfaces(self):
        if self.path not in self.bus.interfaces:
            names = self.known and self.known.interfaces or self.ask("GetInterfaces")
            self.bus.interfaces[self.path] = [name.rpartition(".")[2] for name in names]
        return self.bus.interfaces[self.path]

    def get_extents(self, of=Atspi.CoordType.WINDOW):
        return Box(*self.ask(*extents(of)))

    def get_text(self):
        return self.ask(*TEXT)

    def get_value(self):
        return self.property("CurrentValue", "Value")

    # -- what is done to it ----------------------------------------------

    def do_action(self, i):
        return self.ask("DoAction", GLib.Variant("(i)", (i,)), "org.a11y.atspi.Action")

    def set_value(self, value):
        self.ask("Set", GLib.Variant("(ssv)", ("org.a11y.atspi.Value", "CurrentValue",
                                               GLib.Variant("d", value))),
                 "org.freedesktop.DBus.Properties")

    # -- what is around it -----------------------------------------------

    def get_parent(self):
        return self.item(self.property("Parent"))

    def get_child_count(self):
        return self.property("ChildCount")

    def get_child_at_index(self, i):
        return self.item(self.ask("GetChildAtIndex", GLib.Variant("(i)", (i,))))

    def get_children(self):
        return [Item(self.bus, *reference) for reference in self.ask("GetChildren")]


class Tree:
    """All below an item as it was in one moment, in the order of a walk."""

    def __init__(self, top, beyond=(), words=True):
        """Beyond these roles nothing is looked at; with words names are asked for at once."""
        self.bus, self.top, self.below = top.bus, top, {}
        self.beyond = {role for role in range(int(Atspi.Role.LAST_DEFINED))
                       if Atspi.role_get_name(Atspi.Role(role)) in beyond}
        self.known, self.leaves = {}, set()
        self.unknown = []               # who they are is asked at the end
        if top.path == ROOT and not beyond:
            self.take_all()
        level = [top]
        while level:
            self.learn(level, words)
            level = [child for item in level for child in self.below.get(item.path, ())]
        self.take_unknown(words)

    def take_all(self, lines=True):
        """What GTK keeps, of each widget that was ever asked for. Which of them are children of
        another is asked once more but in tables: some are hidden, and that is not told."""
        try:
            told = self.bus.call(self.top.owner, "/org/a11y/atspi/cache",
                                 "org.a11y.atspi.Cache", "GetItems")
        except GLib.Error:              # there is none before the first window
            return
        children = collections.defaultdict(list)
        for _, path, parent, place, n, known, role in told:
            self.bus.roles[path] = role
            self.known[path] = known
            if n == 0 and path != ROOT:
                self.leaves.add(path)
            children[parent].append((place, path))
        for owner, path, _, _, n, _, role in told if lines else ():
            if role in LINES and len(children[path]) == n:
                self.leaves.add(path)
                self.below[path] = [Item(self.bus, owner, child)
                                    for _, child in sorted(children[path])]

    def take_unknown(self, words):
        """What GTK did not keep before this walk asked for it: many at once, else each."""
        if len(self.unknown) > MANY:
            self.take_all(lines=False)
        calls = []
        for item in self.unknown:
            if item.path not in self.bus.roles:
                calls.append((self.take_role, item, "GetRole"))
            if words and item.path not in self.known:
                calls.append((self.take_words, item, "GetAll", GLib.Variant("(s)", (ACCESSIBLE,)),
                              "org.freedesktop.DBus.Properties"))
        self.put(calls)

    def learn(self, level, words):
        """The children of these items, and what they are where that says whether to look on."""
        calls = []
        for item in level:
            role = self.bus.roles.get(item.path)
            if role is None and self.beyond:
                calls.append((self.take_role, item, "GetRole"))
            if (words or role is None and not self.beyond) and item.path not in self.known:
                self.unknown.append(item)
            if item.path not in self.leaves and role not in LEAVES and role not in self.beyond:
                calls.append((self.take_children, item, "GetChildren"))
        self.put(calls)

    def put(self, calls):
        """Each is (taker, item, what an item is asked)."""
        answers = self.bus.batch([item.question(*question) for _, item, *question in calls])
        for (taker, item, *_), answer in zip(calls, answers):
            if answer is not None:
                taker(item, answer)

    def take_role(self, item, answer):
        self.bus.roles[item.path] = answer.get_uint32()

    def take_words(self, item, answer):
        name, description = (answer.lookup_value(word, None) for word in ("Name", "Description"))
        self.known[item.path] = Known(name.get_string(), description.get_string(), None, None)

    def take_children(self, item, answer):
        if self.bus.roles.get(item.path) not in self.beyond:
            self.below[item.path] = [Item(self.bus, *reference) for reference in references(answer)
                                     if reference[1] != NO_ONE]

    def walk(self):
        """First things first."""
        stack = [self.top]
        while stack:
            item = stack.pop()
            stack.extend(reversed(self.below.get(item.path, ())))
            item.known = self.known.get(item.path)
            try:
                yield item
            finally:
                item.known = None
