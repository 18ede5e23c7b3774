# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, pointer and windows of the screen, through the library that xdotool is made of. A process
for each step took most of the time of these tests, and a fifth of their processor time.

do() takes the words of xdotool, as many commands as fit; those that need no speed are left to
the tool. One thread at a time."""

import collections
import ctypes
import subprocess
import time

NAMES = ("libxdo.so.3", "libxdo.so.4")
VIEWABLE = 2                    # IsViewable of X.h
PIXMAP, PLANES = 2, 2 ** 32 - 1         # ZPixmap, AllPlanes
CURRENT = 0                     # the window with the keyboard, or below the pointer
WHOLE = "0"                     # the window of the screen itself
STEP_S = 0.005                  # between two places of the pointer: a hand makes no jumps

Window = collections.namedtuple("Window", "id name x y width height")


class Image(ctypes.Structure):
    """The beginning of XImage of Xlib.h."""
    _fields_ = ([(name, ctypes.c_int) for name in ("width", "height", "offset", "format")]
                + [("data", ctypes.c_void_p)]
                + [(name, ctypes.c_int) for name in ("order", "unit", "bit_order", "pad", "depth",
                                                     "line_bytes", "bits")])


class Attributes(ctypes.Structure):
    """XWindowAttributes of Xlib.h."""
    _fields_ = ([(name, ctypes.c_int) for name in ("x", "y", "width", "height", "border", "depth")]
                + [("visual", ctypes.c_void_p), ("root", ctypes.c_ulong)]
                + [(name, ctypes.c_int) for name in ("kind", "bits", "gravity", "backing")]
                + [("planes", ctypes.c_ulong), ("pixel", ctypes.c_ulong), ("under", ctypes.c_int),
                   ("colormap", ctypes.c_ulong), ("installed", ctypes.c_int),
                   ("map_state", ctypes.c_int)]
                + [(name, ctypes.c_long) for name in ("all_events", "my_events", "no_events")]
                + [("override", ctypes.c_int), ("screen", ctypes.c_void_p)])


def load():
    """The library, or None where it is not installed."""
    for name in NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


class Screen:
    """A connection to the screen of the environment."""

    def __init__(self, library):
        self.xdo, self.x11 = library, ctypes.CDLL("libX11.so.6")
        for name in ("xdo_new", "XOpenDisplay"):
            getattr(self.xdo if name == "xdo_new" else self.x11, name).restype = ctypes.c_void_p
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.x11.XGetImage.restype = ctypes.POINTER(Image)
        # A window may go while it is asked for; Xlib would end the test for that.
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.on_error = kind(lambda _link, _error: 0)
        self.x11.XSetErrorHandler(self.on_error)
        self.hand = ctypes.c_void_p(self.xdo.xdo_new(None))
        self.link = ctypes.c_void_p(self.x11.XOpenDisplay(None))
        if not self.hand or not self.link:
            raise OSError("no screen")

    # -- windows ---------------------------------------------------------

    def children(self):
        """Of the whole screen, the lowest first."""
        found, n = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        ends = ctypes.c_ulong(), ctypes.c_ulong()
        root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.link))
        if not self.x11.XQueryTree(self.link, root, ctypes.byref(ends[0]), ctypes.byref(ends[1]),
                                   ctypes.byref(found), ctypes.byref(n)):
            return []
        windows = found[:n.value]
        if n.value:
            self.x11.XFree(found)
        return windows

    def name_of(self, window):
        text, length, kind = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
        self.xdo.xdo_get_window_name(self.hand, window, ctypes.byref(text), ctypes.byref(length),
                                     ctypes.byref(kind))
        if not text:
            return ""
        name = ctypes.string_at(text, max(length.value, 0)).decode(errors="replace")
        self.x11.XFree(text)
        return name

    def windows(self, pid):
        """Those of a process that can be seen and have a name, the lowest first."""
        found = []
        for number in self.children():
            window, about = ctypes.c_ulong(number), Attributes()
            if (self.x11.XGetWindowAttributes(self.link, window, ctypes.byref(about))
                    and about.map_state == VIEWABLE
                    and self.xdo.xdo_get_pid_window(self.hand, window) == pid):
                name = self.name_of(window)
                if name:
                    found.append(Window(str(number), name, about.x, about.y, about.width,
                                        about.height))
        return found

    def shoot(self, number):
        """(width, height, three bytes a pixel) of what of a window is on the screen."""
        about, root = Attributes(), Attributes()
        top = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.link))
        window = ctypes.c_ulong(number) if number != int(WHOLE) else top
        if not (self.x11.XGetWindowAttributes(self.link, window, ctypes.byref(about))
                and self.x11.XGetWindowAttributes(self.link, top, ctypes.byref(root))):
            raise OSError(f"no window {number}")
        left, upper = max(0, -about.x), max(0, -about.y)
        width = min(about.width, root.width - about.x) - left
        height = min(about.height, root.height - about.y) - upper
        image = self.x11.XGetImage(self.link, window, left, upper, width, height,
                                   ctypes.c_ulong(PLANES), PIXMAP)
        if not image:
            raise OSError(f"no picture of window {number}")
        one = image.contents
        assert (one.bits, one.order) == (32, 0), (one.bits, one.order)
        lines = ctypes.string_at(one.data, one.line_bytes * height)
        self.x11.XDestroyImage(image)
        data = bytearray(3 * width * height)
        for colour in range(3):             # blue stands first
            data[2 - colour::3] = lines[colour::4]
        return width, height, bytes(data)

    # -- touching --------------------------------------------------------

    def mousemove(self, words):
        if words[0] == "--window":
            window, x, y = words[1:4]
            self.xdo.xdo_move_mouse_relative_to_window(self.hand, ctypes.c_ulong(int(window)),
                                                       int(x), int(y))
        else:
            self.xdo.xdo_move_mouse(self.hand, int(words[0]), int(words[1]), 0)
        time.sleep(STEP_S)
        return words[4 if words[0] == "--window" else 2:]

    def click(self, words):
        repeat, delay = 1, 100
        while words[0] in ("--repeat", "--delay"):
            value = int(words[1])
            repeat, delay = (value, delay) if words[0] == "--repeat" else (repeat, value)
            words = words[2:]
        self.xdo.xdo_click_window_multiple(self.hand, ctypes.c_ulong(CURRENT), int(words[0]),
                                           repeat, delay * 1000)
        return words[1:]

    def button(self, function, words):
        function(self.hand, ctypes.c_ulong(CURRENT), int(words[0]))
        return words[1:]

    def chord(self, function, words):
        function(self.hand, ctypes.c_ulong(CURRENT), words[0].encode(), 12000)
        return words[1:]

    def all_words(self, function, words):
        """A command whose words go on to the end."""
        delay = 12
        if words[0] == "--delay":
            delay, words = int(words[1]), words[2:]
        for word in words:
            function(self.hand, ctypes.c_ulong(CURRENT), word.encode(), delay * 1000)
        return ()

    def windowfocus(self, words):
        window = ctypes.c_ulong(int(words[1]))
        self.xdo.xdo_focus_window(self.hand, window)
        self.xdo.xdo_wait_for_window_focus(self.hand, window, 1)
        return words[2:]

    def do(self, words):
        xdo = self.xdo
        commands = {
            "mousemove": self.mousemove, "click": self.click, "windowfocus": self.windowfocus,
            "mousedown": lambda rest: self.button(xdo.xdo_mouse_down, rest),
            "mouseup": lambda rest: self.button(xdo.xdo_mouse_up, rest),
            "keydown": lambda rest: self.chord(xdo.xdo_send_keysequence_window_down, rest),
            "keyup": lambda rest: self.chord(xdo.xdo_send_keysequence_window_up, rest),
            "key": lambda rest: self.all_words(xdo.xdo_send_keysequence_window, rest),
            "type": lambda rest: self.all_words(xdo.xdo_enter_text_window, rest)}
        while words and words[0] in commands:
            words = commands[words[0]](words[1:])
        if words:
            subprocess.run(["xdotool", *words], check=True)


LIBRARY = load()
_screen = []


def screen():
    """The screen that is there when it is first asked for."""
    if not _screen:
        _screen.append(Screen(LIBRARY))
    return _screen[0]


def do(*words):
    screen().do([str(word) for word in words])


def windows(pid):
    return screen().windows(pid)


def shoot(window):
    """The picture of a window, by its number as text: see Screen.shoot()."""
    return screen().shoot(int(window))
