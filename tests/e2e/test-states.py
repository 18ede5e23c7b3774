#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is not a good day: no run, a run that cannot be read, a run with a
damaged log. Each has its words and a way on."""

import os
import pathlib
import shutil
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
import desktop


def check_welcome(program, source):
    """Without a run there is a way to one: the sample is one click off."""
    with desktop.App(program, view=None) as app:
        button = app.find("push button", "(?i).*sample.*")
        app.find("push button", "(?i)open.*")
        app.see("traces of Projections, TAU, OTF2 and kymo-record, profiles of TAU, gprof and mpiP")
        app.press(button)
        app.find("page tab|radio button|toggle button", "Findings")
        app.see("8 PEs")
        app.see("^PEs wait for work although loads are equal$")


def check_unreadable(program, source):
    """An unreadable run is a sentence that names it, and no empty window."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "broken.sts"
        path.write_text("this is no run\n")
        with desktop.App(program, path) as app:
            app.see("broken")
            app.find("push button", "(?i)(open|try|close).*")


def check_foreign(program, source):
    """What a file is, what Kymo opens and what to do."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "gmon.out"
        path.write_bytes(b"gmon\1\0\0\0" + bytes(20))
        with desktop.App(program, path) as app:
            app.see("is raw data for gprof.*TAU, OTF2 and kymo-record.*gprof PROGRAM gmon.out")


def check_choice(program, source):
    """Several runs in a folder, or runs in its folders, are offered; keys reach them."""
    data = pathlib.Path(source) / "tests" / "data"
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        shutil.copytree(data / "feat-p4-text", top / "b" / "two")
        for path in list((top / "b" / "two").glob("feat.proj.*")):
            shutil.copy(path, path.parent / path.name.replace("feat", "another"))
        shutil.copy(data / "tau" / "mpip-made" / "app.2.4711.1.mpiP", top / "b" / "two")
        shutil.copytree(data / "tau" / "flat-stencil-4", top / "b" / "two" / "below")
        with desktop.App(program, top / "b") as app:
            app.see("holds no run itself, but its folders do")
            app.see("^Projections run, mpiP report ·.*two$")
            app.click(app.find("list item", "two"))
            app.see("holds several runs")
            app.find("list item", "feat.proj")
            app.find("list item", "app.2.4711.1.mpiP")
            app.see("^mpiP report ·.*app.2.4711.1.mpiP$")
            app.see("^Projections run ·.*feat.proj.sts$")
            app.see("^TAU profile ·.*below$")
            for _ in range(20):
                row = app.find("list item", "another.proj")
                if row.get_state_set().contains(desktop.Atspi.StateType.FOCUSED):
                    break
                app.keys("Tab")
            else:
                raise desktop.Missing("Tab does not reach the runs")
            app.keys("Return")
            app.see("4 PEs")


def check_damaged(program, source):
    """A cut log opens as far as it goes, and a banner says so."""
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        shutil.copytree(os.path.join(source, "tests", "data", "feat-p4-text"),
                        run)
        log = run / "feat.proj.1.log"
        log.write_bytes(log.read_bytes()[:-2000])
        with desktop.App(program, run, view=None) as app:
            app.find("page tab|radio button|toggle button", "Findings")
            app.see(r"(?i)(report|incomplete|missing|lost|problem|damaged)")


def check_cache(program, source):
    """The preferences tell what the cache takes, clear it, and keep its
    limit where the command line finds it."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_CACHE_HOME"] = home
        os.environ["XDG_CONFIG_HOME"] = home
        cache = pathlib.Path(home) / "kymo"
        cache.mkdir(mode=0o700)
        kept = cache / (32 * "0" + ".run")
        kept.write_bytes(bytes(3 << 20))
        with desktop.App(program) as app:
            app.find("push button", "(?i).*sample.*")
            app.act("preferences", path="")
            app.see("^3.0.MiB$")
            app.press(app.find("push button", "Clear"))
            app.see("^0.bytes$")
            assert not kept.exists()
            app.find("spin button", "(?i)limit for a run.*")
            limit = app.find("spin button", "(?i)space limit.*")
            limit.set_value(7)
            desktop.wait_for(lambda: (cache / "cache.conf").exists()
                             and str(7 << 30) in
                             (cache / "cache.conf").read_text(), "the limit")


def settings_of(app, key):
    """What the program has for one of its settings that are actions, too."""
    reply = app.bus.call_sync(
        desktop.APP_ID, desktop.OBJECT, "org.gtk.Actions", "Describe",
        desktop.GLib.Variant("(s)", (key,)), None, desktop.Gio.DBusCallFlags.NONE, 5000, None)
    return reply.unpack()[0][2][0]


def check_looks(program, source):
    """Theme, palette, what dragging does and the limits are set in the preferences, the
    menu shows the same, and the program that is started next has them."""
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home, GSETTINGS_BACKEND="keyfile")
        with desktop.App(program) as app:
            app.find("push button", "(?i).*sample.*")
            app.act("preferences", path="")
            app.find("label", "Looks and Habits")
            assert settings_of(app, "drag-pans") is False
            app.press(app.find("switch|toggle button|check box", "(?i).*dragging.*"))
            desktop.wait_for(lambda: settings_of(app, "drag-pans"), "dragging to pan")
            app.act("color-scheme", desktop.GLib.Variant("s", "dark"), path="")
            app.see("^Dark$")
            assert settings_of(app, "color-scheme") == "dark"
            app.act("palette", desktop.GLib.Variant("s", "safe"), path="")
            app.see("(?i)^safe for the colour-blind$")
            for name, value in LIMITS:
                app.find("spin button", name).set_value(value)
            conf = pathlib.Path(home) / "kymo" / "cache.conf"
            desktop.wait_for(lambda: conf.exists() and str(7 << 30) in conf.read_text(),
                             "the limit")
        check_kept(program)
        del os.environ["GSETTINGS_BACKEND"]


def check_ended(program, source):
    """A program that is told to end (a session that ends, a terminal that is closed) ends
    as if its windows were closed: what was chosen a moment ago is there next time."""
    for signal_of_end in (signal.SIGTERM, signal.SIGHUP):
        # What started the tests may ignore it (nohup does), and the program respects that.
        signal.signal(signal_of_end, signal.SIG_DFL)
        with tempfile.TemporaryDirectory() as home:
            env = {**os.environ, "XDG_DATA_HOME": home}
            with desktop.App(program, os.path.join(source, "data", "sample"), env=env) as app:
                app.see("8 PEs")
                app.act("view", desktop.GLib.Variant("s", "usage"))
                app.process.send_signal(signal_of_end)
                assert app.process.wait(10) == 0, app.process.returncode
            kept = list(pathlib.Path(home).glob("kymo/desks/*.kymodesk"))
            assert len(kept) == 1 and "view=usage" in kept[0].read_text(), kept


LIMITS = (("(?i)limit for a run.*", 3), ("(?i)space limit.*", 7))


def check_kept(program):
    with desktop.App(program) as app:
        app.find("push button", "(?i).*sample.*")
        assert settings_of(app, "drag-pans") is True
        assert settings_of(app, "color-scheme") == "dark"
        assert settings_of(app, "palette") == "safe"
        app.act("preferences", path="")
        app.see("^Dark$")
        app.see("(?i)^safe for the colour-blind$")
        for name, value in LIMITS:
            assert app.find("spin button", name).get_value() == value


def test(program, source):
    for check in (check_welcome, check_unreadable, check_foreign, check_choice, check_damaged,
                  check_cache, check_looks, check_ended):
        check(program, source)
        print(f"ok {check.__name__[6:]}", flush=True)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
