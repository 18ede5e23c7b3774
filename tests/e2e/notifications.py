# SPDX-License-Identifier: GPL-3.0-or-later
"""The desktop's side of notifications (org.freedesktop.Notifications): keeps
what is told, and can click on it as a person would."""

import threading
import time

from gi.repository import Gio, GLib

NAME = "org.freedesktop.Notifications"
OBJECT = "/org/freedesktop/Notifications"
XML = """<node><interface name="org.freedesktop.Notifications">
  <method name="Notify">
    <arg direction="in" type="s"/><arg direction="in" type="u"/>
    <arg direction="in" type="s"/><arg direction="in" type="s"/>
    <arg direction="in" type="s"/><arg direction="in" type="as"/>
    <arg direction="in" type="a{sv}"/><arg direction="in" type="i"/>
    <arg direction="out" type="u"/></method>
  <method name="CloseNotification"><arg direction="in" type="u"/></method>
  <method name="GetCapabilities"><arg direction="out" type="as"/></method>
  <method name="GetServerInformation">
    <arg direction="out" type="s"/><arg direction="out" type="s"/>
    <arg direction="out" type="s"/><arg direction="out" type="s"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""


class Desk:
    """Serves in a thread of its own; `told` is a list of (seconds, id, title,
    body), the last thing last."""

    def __init__(self):
        self.told = []
        self.ready = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()
        if not self.ready.wait(60):
            raise AssertionError("no session bus for notifications")

    def _serve(self):
        context = GLib.MainContext()
        context.push_thread_default()
        address = Gio.dbus_address_get_for_bus_sync(Gio.BusType.SESSION, None)
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        info = Gio.DBusNodeInfo.new_for_xml(XML)
        self.bus.register_object(OBJECT, info.interfaces[0], self._call,
                                 None, None)
        Gio.bus_own_name_on_connection(self.bus, NAME, 0,
                                       lambda *_: self.ready.set(), None)
        GLib.MainLoop.new(context, False).run()

    def _call(self, bus, sender, path, interface, method, values, invocation):
        answer = None
        if method == "Notify":
            name, old, icon, title, body, actions, hints, limit = \
                values.unpack()
            number = old or len(self.told) + 1
            self.told.append((time.monotonic(), number, title, body))
            answer = GLib.Variant("(u)", (number,))
        elif method == "GetCapabilities":
            answer = GLib.Variant("(as)", (["actions", "body"],))
        elif method == "GetServerInformation":
            answer = GLib.Variant("(ssss)", ("test", "kymo", "1", "1.2"))
        invocation.return_value(answer)

    def click(self, number):
        """On the notification itself."""
        self.bus.emit_signal(None, OBJECT, NAME, "ActionInvoked",
                             GLib.Variant("(us)", (number, "default")))
