# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingers on a touch screen. An X server without devices has none, and XTest, by which
xdotool works, knows neither touch nor touchpad. GTK's Broadway display has: there the
window is shown by a browser, whose part is played here. What arrives in the program are
GDK's own touch events, so its gestures recognize two fingers by themselves.

Only as much of the protocol is spoken as that takes: messages are read for where the
window is, and for questions that want an answer; what is drawn is passed over."""

import base64
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import threading

import desktop

SERVER = "gtk4-broadwayd"
DISPLAY = ":7"                  # its socket is counted from one
# What the server tells.
NEW, SHOW, HIDE, DESTROY, MOVE, TRANSIENT = 2, 3, 4, 7, 8, 9
DISCONNECTED, UPLOAD, RELEASE, KEYBOARD, NODES, ROUNDTRIP = 10, 13, 14, 12, 15, 16
GRAB, UNGRAB, RAISE, LOWER = 0, 1, 5, 6
# What the browser tells.
ENTER, TOUCH, CONFIGURED, SCREEN_SIZE, ANSWER = 0, 5, 11, 12, 14
BEGIN, UPDATE, END = 0, 1, 2


class Screen:
    """A context manager: a Broadway server and its one browser."""

    def __init__(self, width=1600, height=1000):
        self.size, self.surfaces, self.serial = (width, height), {}, 0
        self.folder = pathlib.Path(os.environ["XDG_RUNTIME_DIR"])
        self.process = self.link = self.failure = None
        self.leaving = False

    @staticmethod
    def is_there():
        return shutil.which(SERVER) is not None

    def environment(self):
        return {**os.environ, "GDK_BACKEND": "broadway",
                "GSK_RENDERER": "broadway", "BROADWAY_DISPLAY": DISPLAY}

    def __enter__(self):
        web = self.folder / "browser.socket"
        self.process = subprocess.Popen([SERVER, "--unixsocket", str(web), DISPLAY],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        desktop.wait_for(lambda: web.exists() and (self.folder / "broadway8.socket").exists(),
                         "the Broadway server")
        self.link = socket.socket(socket.AF_UNIX)
        self.link.connect(str(web))
        self.shake_hands()
        threading.Thread(target=self.listen, daemon=True).start()
        self.tell(SCREEN_SIZE, *self.size, 1)
        return self

    def __exit__(self, kind, value, trace):
        self.leaving = True
        self.link.close()
        self.process.terminate()
        self.process.wait(10)
        if kind is None:
            self.check()

    def check(self):
        """What went wrong on the thread that listens is a failure of who touches."""
        if self.failure is not None:
            raise AssertionError("the browser of the touch screen failed") from self.failure

    # -- the web socket --------------------------------------------------

    def shake_hands(self):
        key = base64.b64encode(os.urandom(16)).decode()
        self.link.sendall("\r\n".join([
            "GET /socket HTTP/1.1", "Host: localhost", "Upgrade: websocket",
            "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Origin: http://localhost",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: broadway", "", ""]).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.take(1)
        assert b" 101 " in head, head

    def take(self, n):
        data = b""
        while len(data) < n:
            part = self.link.recv(n - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def message(self):
        """The next frame; the server masks none and splits none."""
        kind, length = self.take(2)
        if length == 126:
            (length,) = struct.unpack(">H", self.take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self.take(8))
        data = self.take(length)
        return data if kind & 15 == 2 else b""

    def send(self, data):
        """A frame of a browser is masked; nothing says that the mask may not be zero."""
        head = (struct.pack(">BB", 0x82, 0x80 | len(data)) if len(data) < 126
                else struct.pack(">BBH", 0x82, 0x80 | 126, len(data)))
        self.link.sendall(head + bytes(4) + data)

    def tell(self, event, *words):
        self.send(struct.pack(f">{3 + len(words)}i", event, self.serial, 0, *words))

    # -- what is told ----------------------------------------------------

    def listen(self):
        try:
            while True:
                data, at = self.message(), 0
                while at < len(data):
                    at = self.command(data, at)
        except Exception as error:      # also a server that went away by itself
            if not self.leaving:
                self.failure = error

    def command(self, data, at):
        """Reads one; where the next begins."""
        command, self.serial = struct.unpack_from("<BI", data, at)
        at += 5
        def words(form):
            nonlocal at
            found = struct.unpack_from("<" + form, data, at)
            at += struct.calcsize("<" + form)
            return found
        if command == NEW:
            surface, _, _, width, height = words("HhhHH")
            self.surfaces[surface] = (width, height)
        elif command == ROUNDTRIP:
            self.tell(ANSWER, *words("HI"))
        elif command == MOVE:
            surface, flags = words("HB")
            if flags & 1:
                words("hh")
            if flags & 2:
                self.surfaces[surface] = words("HH")
            self.tell(CONFIGURED, surface, 0, 0, *self.surfaces[surface])
        elif command == TRANSIENT:
            words("HH")
        elif command == UPLOAD:
            _, length = words("II")
            at += length
        elif command == RELEASE:
            words("I")
        elif command == NODES:
            _, length = words("HI")
            at += 4 * length
        elif command in (GRAB,):
            words("HB")
        elif command in (SHOW, HIDE, DESTROY, RAISE, LOWER, KEYBOARD):
            words("H")
        elif command not in (UNGRAB, DISCONNECTED):
            raise AssertionError(f"unknown command {command}")
        return at

    # -- fingers ---------------------------------------------------------

    def finger(self, what, which, x, y, surface):
        self.check()
        x, y = round(x), round(y)
        self.tell(TOUCH, what, surface, which, which == 1, x, y, x, y, 0)

    def pinch(self, surface, middle, y, begin, end, steps=8):
        """Two fingers on one height, so far apart (px) at begin and end."""
        for which, side in ((1, -1), (2, 1)):
            self.finger(BEGIN, which, middle + side * begin / 2, y, surface)
        for i in range(1, steps + 1):
            apart = begin + (end - begin) * i / steps
            for which, side in ((1, -1), (2, 1)):
                self.finger(UPDATE, which, middle + side * apart / 2, y, surface)
        for which, side in ((1, -1), (2, 1)):
            self.finger(END, which, middle + side * end / 2, y, surface)
