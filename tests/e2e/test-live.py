#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A job in the real window: kymo-cli serves a recording as if it ran, the
window attaches to it through its dialog, follows, pauses, saves, records and
tells of a condition; what it wrote opens, and is bit for bit what was served;
the window says when the job has ended."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import desktop
import notifications
from gi.repository import GLib
from serving import Job, blocks, prepare

# That the picture has to follow, and how often it has to change meanwhile.
WATCH_BLOCKS, WATCH_CHANGES = 10, 5
CONDITION = "silent 2s"
KEYFILE = ("glib-2.0", "settings", "keyfile")
SETTINGS = "[io/github/kymo_trace/Kymo]\nstream-conditions=['%s']\n"


class Scene:
    """What the checks share."""

    def __init__(self, cli, source, folder):
        self.cli, self.folder = cli, pathlib.Path(folder)
        self.recording, self.names = prepare(source, self.folder)
        self.served = blocks(cli, self.recording)
        self.desk = notifications.Desk()
        self.job = self.app = None
        self.found = {}

    def read(self, pattern):
        """The group of a text that changes; its widget is looked for once,
        for walking over all of them takes a second."""
        item = self.found.get(pattern)
        match = item and re.search(pattern, item.get_name() or "")
        if not match:
            item = desktop.wait_for(lambda: next(
                (item for item in self.app.each("label")
                 if re.search(pattern, item.get_name() or "")), None), pattern)
            self.found[pattern] = item
            match = re.search(pattern, item.get_name())
        return match.group(1)

    def n_blocks(self):
        """As the bar of the live view counts them."""
        return int(self.read(r"\bblock (\d+)"))

    def wait_blocks(self, n):
        desktop.wait_for(lambda: self.n_blocks() >= n, f"block {n}")

    def visible(self):
        return self.read(r"^(\S+.*–.*) \(.* of .*\)$")


def check_attaches(scene):
    """By the key, and with what a person types."""
    scene.app.find("push button", "Attach to a Job…")
    scene.app.keys("ctrl+shift+o")
    attach = scene.app.find("push button", "Attach")
    window = scene.app.focus()
    subprocess.run(["xdotool", "type", "--window", window, "--delay", "12",
                    scene.job.address[:-1] + "x"], check=True, timeout=desktop.PATIENCE)
    scene.app.see(rf"“{scene.job.address[:-1]}x” is no HOST:PORT")
    subprocess.run(["xdotool", "key", "--window", window, "BackSpace"],
                   check=True, timeout=desktop.PATIENCE)
    subprocess.run(["xdotool", "type", "--window", window, "--delay", "12",
                    scene.job.address[-1]], check=True, timeout=desktop.PATIENCE)
    scene.app.press(attach)
    scene.app.see(rf"^{scene.job.address}$")
    scene.app.see(r"^4 PEs · live")


def check_watches(scene):
    """The counter goes on, and the picture with it."""
    first, seen = scene.n_blocks(), set()
    def goes_on():
        seen.add(scene.visible())
        return scene.n_blocks() >= first + WATCH_BLOCKS and len(seen) >= WATCH_CHANGES
    desktop.wait_for(goes_on, f"{WATCH_BLOCKS} blocks more and {WATCH_CHANGES} ranges")


def check_pauses(scene):
    """The view stands, and nothing is lost meanwhile."""
    scene.app.press(scene.app.find("push button|toggle button", "Pause"))
    scene.app.find("push button|toggle button", "Go Live")
    before, stands = scene.n_blocks(), scene.visible()
    scene.wait_blocks(before + 2)
    assert scene.visible() == stands, (scene.visible(), stands)
    scene.app.press(scene.app.find("push button|toggle button", "Go Live"))
    desktop.wait_for(lambda: scene.visible() != stands, "the newest blocks")
    # A button that is pressed this way acts a quarter of a second later.
    scene.app.press(scene.app.find("push button|toggle button", "Pause"))
    scene.app.find("push button|toggle button", "Go Live")
    stands = scene.visible()
    scene.app.click(scene.app.find("image", "Time profile: mean of .*"))
    scene.app.keys("End")
    desktop.wait_for(lambda: scene.visible() != stands, "the newest blocks by End")


def check_names(scene):
    """Names that come later rename all that is shown."""
    assert not [text for text in scene.app.texts()
                if "Pair::nonbonded" in text]
    scene.app.act("stream-names-from", GLib.Variant("s", str(scene.names)))
    scene.app.see("Pair::nonbonded")
    scene.app.see("^load$")


def check_saves(scene):
    """What was seen so far, block for block as it was served."""
    path = scene.folder / "seen & <kept>.kymostream"
    n = scene.n_blocks()
    scene.app.keys("ctrl+s")
    scene.app.find("push button", "_?Cancel.*")
    scene.app.keys("Escape")
    scene.app.act("stream-save-to", GLib.Variant("s", str(path)))
    scene.app.hear(r"Saved .* to seen & <kept>\.kymostream$")
    told = blocks(scene.cli, path)
    assert len(told) >= n, (len(told), n)
    assert told == scene.served[:len(told)]


def check_records(scene):
    """On from there, until it is ended."""
    path = scene.folder / "on.kymostream"
    scene.app.act("stream-record-to", GLib.Variant("s", str(path)))
    scene.app.hear(r"Recording to on\.kymostream")
    scene.app.see(r"live, recording$")
    scene.wait_blocks(scene.n_blocks() + 2)
    n = scene.n_blocks()
    scene.app.keys("ctrl+r")
    scene.app.hear(r"Recorded to on\.kymostream$")
    told = blocks(scene.cli, path)
    assert len(told) >= n, (len(told), n)
    assert told == scene.served[:len(told)]


def check_opens(scene):
    """The recording in a tab of its own, with the figures of kymo-cli."""
    path, figures = scene.folder / "on.kymostream", scene.folder / "window.csv"
    scene.app.act("open-path", GLib.Variant(
        "ay", os.fsencode(path) + b"\0"))
    scene.app.see(r"^on\.kymostream$|^on$")
    scene.app.act("view", GLib.Variant("s", "profile"))
    scene.app.find("page tab|radio button|toggle button", "Profile")
    scene.app.act("export-to", GLib.Variant("s", str(figures)))
    text = desktop.wait_for(lambda: figures.exists() and figures.read_text(),
                            "the figures")
    done = subprocess.run([scene.cli, "export", "profile", path, "-o",
                           scene.folder / "cli.csv"], capture_output=True)
    assert done.returncode == 0, done.stderr
    told = (scene.folder / "cli.csv").read_text()
    assert text == told, (text, told)


def check_alarm(scene):
    """A job that hangs is told of on the desktop, once; a click goes to it."""
    desk = scene.desk
    told = len(desk.told)
    scene.job.process.send_signal(signal.SIGSTOP)
    desktop.wait_for(lambda: len(desk.told) > told, "a notification")
    assert "No new block for 2 s" in desk.told[-1][3], desk.told
    assert scene.app.hear(".*No new block for 2 s")
    scene.job.process.send_signal(signal.SIGCONT)
    desk.click(desk.told[-1][1])
    scene.app.see(r"^4 PEs · |· 4 PEs · ")
    times = [entry[0] for entry in desk.told]
    assert all(b - a > 0.9 for a, b in zip(times, times[1:])), times


def check_watch(scene):
    """Conditions are edited in a dialog, and remembered."""
    kept = pathlib.Path(os.environ["XDG_CONFIG_HOME"], *KEYFILE)
    assert CONDITION in kept.read_text()
    scene.app.act("stream-watch")
    scene.app.press(scene.app.find("push button",
                                   "Take this condition away.*"))
    scene.app.press(scene.app.find("push button", "Watch"))
    desktop.wait_for(lambda: CONDITION not in kept.read_text(),
                     "the conditions to be remembered")


def check_end(scene):
    """The job is gone; the window says so, and what can still be done."""
    scene.job.process.kill()
    scene.app.see(r"The program at .* has ended")
    scene.app.find("push button", "Save What Was Seen…")
    path = scene.folder / "all.kymostream"
    scene.app.act("stream-save-to", GLib.Variant("s", str(path)))
    scene.app.hear(r"Saved .* to all\.kymostream$")
    told = blocks(scene.cli, path)
    assert told and told == scene.served[:len(told)]


def check_again(scene):
    """The next job at the same address: its blocks follow those of the
    first."""
    port = scene.job.address.split(":")[1]
    n = scene.n_blocks()
    with Job(scene.cli, scene.recording, port=port):
        scene.app.press(scene.app.find("push button", "Attach Again"))
        scene.app.see("4 PEs · live$")
        scene.wait_blocks(n + 2)


def check_plays(scene):
    """A recording can be played in a tab of its own."""
    path = scene.folder / "all.kymostream"
    scene.app.act("replay-file", GLib.Variant("s", str(path)), path="")
    scene.app.see("playback$")
    scene.app.find("push button", "Stand still")


def check_quiet(scene):
    """A warning of GTK is a bug of ours."""
    loud = [line for line in scene.app.output().splitlines()
            if re.search(r"(Gtk|Gdk|Gsk|GLib|GObject|Adwaita|Pango|kymo)\S*-"
                         r"(WARNING|CRITICAL)", line)]
    assert not loud, "\n".join(loud)


def check_nobody(program, scene):
    """Nobody listens: that is said, with what a person can do. A second
    program hands its job to the first, and says what is no address."""
    with desktop.App(program, "--attach", "localhost:9") as app:
        app.see("Nobody listens at localhost:9 yet · next try in")
        app.find("push button", "Retry")
        app.find("push button", "Change Address…")
        wrong = subprocess.run([program, "--attach", "nowhere"],
                               capture_output=True, text=True, timeout=desktop.PATIENCE)
        assert wrong.returncode == 2 and "nowhere" in wrong.stderr, wrong
        subprocess.run([program, "--attach", "localhost:10"], check=True,
                       timeout=desktop.PATIENCE)
        app.see("Nobody listens at localhost:10 yet")


def check_beside(program, scene):
    """Names that lie beside a run that is open are found without asking."""
    run = scene.folder / "beside" / "load.kymostream"
    run.parent.mkdir()
    shutil.copy(scene.folder / "short.kymostream", run)
    shutil.copy(scene.names, run.parent / "load.util.sts")
    with Job(scene.cli, scene.recording) as job, \
         desktop.App(program, str(run)) as app:
        app.see("Pair::nonbonded")
        app.act("attach-to", GLib.Variant("s", job.address), path="")
        app.see("^load$")
        app.see(f"^{job.address} · 4 PEs · live$")


def check_unsaved(program, scene):
    """Of more than a minute that is in no file one is asked before it goes."""
    with Job(scene.cli, scene.folder / "short.kymostream", "0") as job, \
         desktop.App(program, "--attach", job.address, env=talks(), view="live") as app:
        scene.app, scene.found = app, {}
        scene.wait_blocks(70)
        app.act("close-tab")
        app.see("are in no file")
        app.press(app.find("push button", "Cancel|_Cancel.*"))
        desktop.wait_for(lambda: not any("are in no file" in text for text in app.texts()),
                         "the question to go")
        # All is there, so that nothing is unsaved afterwards.
        app.see("The program at .* has ended")
        app.act("stream-save-to", GLib.Variant(
            "s", str(scene.folder / "minute.kymostream")))
        app.hear(r".*to minute\.kymostream$")
        app.act("close-tab")
        app.find("push button", "Attach to a Job…")
        assert len(blocks(scene.cli, scene.folder / "minute.kymostream")) > 60


CHECKS = (check_attaches, check_watches, check_pauses, check_names,
          check_saves, check_records, check_opens, check_alarm, check_watch,
          check_end, check_again, check_plays, check_quiet)


def talks():
    """What passes in the window stands in the log as well."""
    return {**os.environ, "G_MESSAGES_DEBUG": "all"}


def settings(folder):
    """A condition that was set before."""
    path = pathlib.Path(folder, *KEYFILE)
    path.parent.mkdir(parents=True)
    path.write_text(SETTINGS % CONDITION)
    os.environ["XDG_CONFIG_HOME"] = folder
    os.environ["GSETTINGS_BACKEND"] = "keyfile"


def test(program, source):
    cli = pathlib.Path(program).parent.parent / "cli" / "kymo-cli"
    with tempfile.TemporaryDirectory() as folder, \
         tempfile.TemporaryDirectory() as config:
        settings(config)
        scene = Scene(cli, source, folder)
        with Job(cli, scene.recording) as scene.job, \
             desktop.App(program, env=talks(), view="live") as scene.app:
            for check in CHECKS:
                begun = time.monotonic()
                check(scene)
                print(f"ok {check.__name__[6:]} "
                      f"({time.monotonic() - begun:.1f} s)", flush=True)
        check_nobody(program, scene)
        print("ok nobody", flush=True)
        check_beside(program, scene)
        print("ok beside", flush=True)
        check_unsaved(program, scene)
        print("ok unsaved", flush=True)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
