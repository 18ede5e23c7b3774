# SPDX-License-Identifier: GPL-3.0-or-later
"""test-starting.py KYMO SOURCE EVIDENCE: who starts the program while the instance that runs is
ending gets a window. The instance that ends is a stand-in, which goes at a chosen moment; then
it is the program itself, again and again.

test-starting.py --stand-in MOMENT is that stand-in: it owns the program's name and goes when it
is asked for its actions (asked), when something is handed over (handed), or shortly after the
first question, having taken its objects back before (bare)."""

import os
import signal
import subprocess
import sys
import time

from gi.repository import Gio, GLib

APP_ID = "io.github.kymo_trace.Kymo"
OBJECT = "/" + APP_ID.replace(".", "/")
XML = """<node>
  <interface name="org.gtk.Actions">
    <method name="DescribeAll"><arg type="a{s(bgav)}" direction="out"/></method>
    <method name="Activate"><arg type="s" direction="in"/><arg type="av" direction="in"/>
      <arg type="a{sv}" direction="in"/></method>
  </interface>
  <interface name="org.gtk.Application">
    <method name="Activate"><arg type="a{sv}" direction="in"/></method>
    <method name="Open"><arg type="as" direction="in"/><arg type="s" direction="in"/>
      <arg type="a{sv}" direction="in"/></method>
  </interface>
</node>"""
BARE_SECONDS = 0.3


def stand_in(moment):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def on_call(_bus, _sender, _path, _interface, method, _values, invocation):
        if moment == "asked" or method != "DescribeAll":
            os._exit(0)                     # without an answer, as a process that has ended
        invocation.return_value(GLib.Variant("(a{s(bgav)})", ({},)))
    if moment != "bare":
        for interface in Gio.DBusNodeInfo.new_for_xml(XML).interfaces:
            bus.register_object(OBJECT, interface, on_call, None, None)
    else:
        GLib.timeout_add(int(BARE_SECONDS * 1000), os._exit, 0)
    Gio.bus_own_name_on_connection(bus, APP_ID, 0, lambda *_: print("owned", flush=True), None)
    GLib.MainLoop().run()


if len(sys.argv) > 2 and sys.argv[1] == "--stand-in":
    stand_in(sys.argv[2])

sys.dont_write_bytecode = True
import desktop  # noqa: E402

PROGRAM = sys.argv[1]
TIMES = 4


def owner(bus):
    """The process that owns the program's name, or None."""
    try:
        return bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus",
                             "org.freedesktop.DBus", "GetConnectionUnixProcessID",
                             GLib.Variant("(s)", (APP_ID,)), None, 0, -1, None).unpack()[0]
    except GLib.Error:
        return None


def start(*arguments):
    """As a person does."""
    return desktop.App(PROGRAM, *arguments, view=None)


def check_window(app, what):
    """It lives, owns the name and shows what was asked for."""
    desktop.wait_for(lambda: owner(app.bus) == app.process.pid, f"the name is taken: {what}")
    desktop.wait_for(app.root, f"a window: {what}")
    assert "kymo:" not in app.output() and "register" not in app.output(), app.output()


def check_stand_in(moment, *arguments):
    what = f"{moment} {' '.join(arguments)}"
    ending = subprocess.Popen([sys.executable, __file__, "--stand-in", moment],
                              stdout=subprocess.PIPE, text=True)
    assert ending.stdout.readline() == "owned\n", what
    with start(*arguments) as app:
        check_window(app, what)
        if arguments:
            app.see("leanmd", 30)
        ending.wait(10)


def check_real():
    """One ends while the next one starts: whichever takes it, there is a window."""
    with start() as first:
        check_window(first, "first")
        for i in range(TIMES):
            first.process.terminate()
            time.sleep(0.01 * i)
            with start() as second:
                first.process.wait(20)
                check_window(second, f"start {i}")
            first = start()
            check_window(first, f"again {i}")
        first.process.terminate()
        first.process.wait(20)


def check_stopped():
    """It hears of its end and of the next start in one moment: the start is not taken over."""
    for i in range(TIMES):
        with start() as first:
            check_window(first, f"before stop {i}")
            first.process.send_signal(signal.SIGSTOP)
            first.process.terminate()
            with start() as second:
                time.sleep(0.5)             # so that it has asked; later is as good
                first.process.send_signal(signal.SIGCONT)
                first.process.wait(20)
                check_window(second, f"after stop {i}")


def check_handed(sample):
    """A living instance takes what is handed over, and only then the other one ends."""
    with start() as app:
        check_window(app, "first")
        done = subprocess.run([PROGRAM, sample], timeout=60,
                              check=False)
        assert done.returncode == 0, done
        app.see("leanmd", 30)
        assert subprocess.run([PROGRAM], timeout=60, check=False).returncode == 0
        assert subprocess.run([PROGRAM, "--sample"], timeout=60, check=False).returncode == 0


def check(program, source):
    sample = os.path.join(source, "data", "sample")
    for _ in range(TIMES):
        for moment in ("asked", "handed", "bare"):
            check_stand_in(moment)
    check_stand_in("handed", sample)
    check_stand_in("handed", "--sample")
    check_stand_in("asked", sample)
    check_handed(sample)
    check_real()
    check_stopped()


desktop.run(check, *sys.argv[1:4])
print("a start while another instance ends opens a window")
