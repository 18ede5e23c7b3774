#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real MPI job in the real window: it is chosen from the running jobs, an alarm tells of the rank
that sticks out, the window has it traced, the archive opens, and Why? names the cause that was
planted. Another run has what is missing measured, in the window."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "recorder"))
import desktop
import notifications
import recording
from hand import Hand

RANKS, SLOW_RANK = 4, 2
CONDITION = "lowest load below 40% for 2s"
SETTINGS = "[io/github/kymo_trace/Kymo]\nstream-conditions=['%s']\n"
KEYFILE = ("glib-2.0", "settings", "keyfile")
OUT = os.environ.get("KYMO_TEST_PICTURES")      # a folder for pictures of the sheets


class Job:
    """The program `outlier` under kymo-record --live, until it is ended."""

    def __init__(self, build, folder, mpirun):
        self.record, self.mpirun, self.build = pathlib.Path(folder) / "record", mpirun, build
        words = [*self.started_by(RANKS, self.record, "--live"),
                 build / "tests/recorder/outlier-openmpi", "600"]
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, env=recording.surroundings(), start_new_session=True)

    def started_by(self, ranks, run, *options):
        """What stands before a program that is recorded."""
        return [*recording.launch(self.mpirun, ranks),
                self.build / "src/recorder/launch/kymo-record", "-o", run, *options, "--"]

    def address(self):
        def look():
            assert self.process.poll() is None, "the job has ended"
            path = self.record / "live.actions"
            return path.exists() and path.read_text() and (self.record / "live.address").read_text()
        return desktop.wait_for(look, "the address of the job").strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def check_attaches(hand, job):
    """One click in the list of running jobs."""
    hand.app.find("push button", "Attach to a Job…")
    hand.key("ctrl+shift+o")
    dialog = hand.dialog("Attach to a Job")
    port = job.address().rpartition(":")[2]
    hand.click(hand.find("label", rf"{RANKS} ranks since .*, at .*:{port}", dialog, ()))
    hand.no_dialog()
    hand.app.see(rf"^{RANKS} (PEs|ranks) · live")


def check_alarm(hand, _):
    """The rank that sticks out is named."""
    hand.app.hear(rf"Load: lowest below 40 % for 2 s \([0-9.]+ %, rank {SLOW_RANK}\)")
    hand.go("Live")


def bring_in_sight(hand, item, dialog):
    """Turns the wheel over a list until this line of it is in sight."""
    def look():
        box, frame = (each.get_extents(desktop.Atspi.CoordType.WINDOW) for each in (item, dialog))
        if box.y + box.height < frame.height:
            return item
        desktop.xdo("mousemove", "--window", hand.app.focus(), frame.width // 2, frame.height // 2)
        desktop.xdo("click", 5)
        return None
    return desktop.wait_for(look, f"{item.get_name()} in sight")


def order(hand, title, verb, said, *values):
    """Takes a line of the list of actions, fills in its values, waits for what the job says."""
    hand.press("Tell the job what to do")
    dialog = hand.dialog("Actions of the Job")
    hand.click(bring_in_sight(hand, hand.find("label", title, dialog, ()), dialog))
    sheet = hand.dialog(title)
    for name, text in values:
        hand.click(hand.find("text|entry", name, sheet, ()))
        hand.key("ctrl+a")
        hand.word(text)
    if OUT:
        desktop.screenshot(f"{OUT}/{title.replace(' ', '-')}.png")
    hand.press(verb, sheet, "push button")
    hand.no_dialog()
    hand.app.hear(said)


def check_value(hand, value):
    """What the list of actions says of the parameter."""
    hand.press("Tell the job what to do")
    dialog = hand.dialog("Actions of the Job")
    hand.says(f"^now {value}$", dialog, ())
    hand.key("Escape")
    hand.no_dialog()


def check_orders(hand, _):
    """A marker, a checkpoint, a parameter, and an action of the program."""
    together = r"Done on all ranks in call [0-9]+ of kymo_record_poll\(\)\."
    order(hand, "Set a Marker", "_?Set.*", rf"Set a Marker: {RANKS} of {RANKS} ranks have set it\.",
          ("Text .*", "half way"))
    order(hand, "Write a Checkpoint", "_?Write.*", f"Write a Checkpoint: {together}")
    order(hand, "slow rank", "_?Change.*", f"slow rank: {together}", ("Value .*", "1"))
    check_value(hand, 1)
    order(hand, "as at first", "_?Call.*", f"as at first: {together}")
    check_value(hand, SLOW_RANK)


def check_profiles(hand, _):
    """A profile of the run until now opens in a tab of its own; the job is in the first one."""
    order(hand, "Profile Now", "_?Write Profile.*",
          rf"Profile Now: The profile of {RANKS} of {RANKS} ranks\.")
    hand.app.see(r"^profile-5$")
    hand.says(r"MPI_Allreduce", beyond=())
    if OUT:
        desktop.screenshot(f"{OUT}/profile.png")
    hand.key("ctrl+w")
    hand.app.see(rf"^{RANKS} (PEs|ranks) · live")


def check_traces(hand, _):
    """The rank with the lowest load and the next one, for two seconds."""
    hand.go("Live")
    hand.press("Tell the job what to do")
    dialog = hand.dialog("Actions of the Job")
    hand.click(hand.find("label", "Trace Ranks", dialog, ()))
    sheet = hand.dialog("Trace Ranks")
    hand.click(hand.find("label", "Which", sheet, ()))
    hand.take(1, 3, "those with the lowest load")
    for title, text in (("Number of Ranks .*", "2"), ("Time .*", "2s")):
        hand.click(hand.find("text|entry", title, sheet, ()))
        hand.key("ctrl+a")
        hand.word(text)
    hand.press("_?Trace.*", sheet, "push button")
    hand.no_dialog()
    hand.app.hear(r"Trace Ranks: [0-9]+ events of 2 of the 2 chosen ranks\.")


def check_opens(hand, _):
    """The archive opens by itself, in a tab of its own."""
    hand.app.see(r"^trace-6$")
    hand.read(rf"^{RANKS} ranks · ")


def check_why(hand, _):
    """The cause is a slow read."""
    hand.go("Load")
    hand.go("Extrema")
    # Bars are by useful time: of the two ranks it has less.
    hand.click(hand.find("image", "Extrema.*|.*[Uu]seful time.*"), 0.35, 0.9)
    hand.says(rf"^rank {SLOW_RANK}\b")
    hand.press("_?Why\\?")
    hand.says(rf"rank {SLOW_RANK} spends .* in read, in which no other rank spends any",
              beyond=())


def check_records(hand, _):
    """With consent a cause that a stream cannot explain has the idlest ranks traced, once."""
    said = r"says: Trace Ranks: [0-9]+ events of 2 of the 2 chosen ranks\."
    before = len(re.findall(said, hand.app.output()))
    hand.key("ctrl+w")
    hand.go("Overview")
    # On a busy machine all ranks wait for CPUs most of the time.
    hand.says(rf"Rank {SLOW_RANK} computed least|most often longest rank [0-9]+", beyond=())
    if OUT:
        desktop.screenshot(f"{OUT}/findings.png")
    hand.press("Record more when a cause is found.*", role="switch|toggle button|check box",
               beyond=())
    desktop.wait_for(lambda: len(re.findall(said, hand.app.output())) > before, "another trace")
    hand.find("push button", "_?Open", beyond=())


def agree(hand):
    """To measure what is missing. It stands below what is in sight of the page, and the buttons of
    the dialog have no names."""
    hand.app.press(hand.find("push button", "Measure…", beyond=()))
    hand.dialog("Measure the Machine.*")
    hand.key("alt+m")
    hand.no_dialog()


def check_measures(hand, job):
    """A probe of another run: it is stopped, then ends by itself and tells what it tested."""
    run = job.record.parent / "ring"
    subprocess.run([*map(str, job.started_by(2, run)), job.build / "tests/recorder/ring-openmpi"],
                   check=True, cwd=run.parent, stdout=subprocess.DEVNULL,
                   env=recording.surroundings())
    hand.open(run, True)
    hand.app.see(r"^2 ranks · ")
    agree(hand)
    hand.app.press(hand.find("push button", "Stop", beyond=()))
    hand.says("^Stopped; nothing was measured$", beyond=())
    agree(hand)
    hand.says("^Measuring for 20 s at most …$", beyond=())
    hand.app.hear(r"Measured\. The system interrupts the program: .*[0-9]")
    desktop.wait_for(lambda: not hand.app.all("push button", "Measure…"), "nothing to measure")
    assert "fwq-noise-share" in (run / "probe.ini").read_text(encoding="utf-8")


CHECKS = (check_attaches, check_alarm, check_orders, check_profiles, check_traces, check_opens,
          check_why, check_records, check_measures)


def settings(folder):
    """A condition that was set before."""
    path = pathlib.Path(folder, *KEYFILE)
    path.parent.mkdir(parents=True)
    path.write_text(SETTINGS % CONDITION, encoding="utf-8")
    os.environ["XDG_CONFIG_HOME"] = folder
    os.environ["GSETTINGS_BACKEND"] = "keyfile"


def test(program, _):
    build = pathlib.Path(program).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as config:
        settings(config)
        desk = notifications.Desk()
        with Job(build, folder, sys.argv[4]) as job, \
             desktop.App(program, view=None,
                         env=recording.surroundings(G_MESSAGES_DEBUG="all")) as app:
            hand = Hand(app)
            for check in CHECKS:
                begun = time.monotonic()
                check(hand, job)
                print(f"ok {check.__name__[6:]} ({time.monotonic() - begun:.1f} s)", flush=True)
            loud = [line for line in app.output().splitlines()
                    if re.search(r"(Gtk|Gdk|Gsk|GLib|GObject|Adwaita|Pango|kymo)\S*-"
                                 r"(WARNING|CRITICAL)", line)]
            assert not loud, "\n".join(loud)
            assert f"rank {SLOW_RANK})" in desk.told[0][3], desk.told


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
