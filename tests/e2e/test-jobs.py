#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs that people have, from the start of the program to the answer, by pointer and by keys,
with the number of actions that they take (see hand.py). Each answer is held against kymo-cli or
against what was planted. docs/design/actions.md has the table of actions: a job that takes more
than JOBS tells fails.

Usage: test-jobs.py PROGRAM SOURCE-ROOT LOGS PART: the jobs of that part of JOBS"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import desktop
import serving
from desktop import GLib, xdo
from hand import Hand, is_one

SMALL, LARGE = (1024, 640), (1280, 800)
POINTER, KEYS = "pointer", "keys"

# Root reads every folder, a person does not: without these capabilities root does not either.
AS_A_PERSON = [] if os.geteuid() != 0 else [
    "setpriv", "--bounding-set", "-dac_override,-dac_read_search"]


class Desk:
    """The program, the data of the jobs and kymo-cli."""

    def __init__(self, app, program, source, folder):
        self.app, self.hand, self.folder = app, Hand(app), pathlib.Path(folder)
        self.home = self.folder / "home"
        self.data = pathlib.Path(source, "tests", "data")
        self.sample = pathlib.Path(source, "data", "sample")
        self.source = source
        self.build = pathlib.Path(program).resolve().parents[2]
        self.cli = self.build / "src" / "cli" / "kymo-cli"

    def run(self, *words):
        return subprocess.run([self.cli, *map(str, words),
                               "--no-cache"], capture_output=True, check=True, text=True,
                              timeout=desktop.PATIENCE).stdout

    def ask(self, *words):
        return json.loads(self.run(*words, "--format", "json"))


def check_file(path, begins):
    desktop.wait_for(lambda: path.exists() and begins in path.read_bytes()[:300], path.name)


# -- 1: which PE and entry method limit a run of Charm++, and why ---------

def check_limit(desk):
    """The PE and the entry method with most of the critical path, of those that work: in the
    summary, as kymo-cli tells them."""
    told = desk.ask("critical-path", desk.sample)
    place = max(told["locations"], key=lambda row: row["path_ns"])["label"]
    name = max((row for row in told["activities"] if row["kind"] == "entry"),
               key=lambda row: row["path_ns"])["name"]
    assert (place, name) == ("PE 5", "Compute::Compute_serial_1"), (place, name)
    desk.hand.says(rf"^Critical path: [\d.]+\s% in {name}$", beyond=())
    desk.hand.says(rf"^[\d.]+\s% lies on {place}, more than elsewhere\.", beyond=())
    return max((row for row in told["steps"]
                if (row["location"], row["name"]) == (int(place.split()[1]), name)),
               key=lambda row: row["end_ns"] - row["begin_ns"])


def check_chain(desk, block):
    """The first step of the chain is the cause of this block."""
    chain = desk.ask("chain", desk.sample, "--location", block["location"], "--at",
                     f"{(block['begin_ns'] + block['end_ns']) // 2}ns")
    first = chain["steps"][0]
    desk.hand.says(r"^The chain takes .* over \d+ messages")
    desk.hand.line("Steps of the path", "1", first["label"], first["name"])


def take_name(desk, dialog):
    """Somebody writes a file of the name that the dialog proposes."""
    name, folder = desk.hand.says(r"^(\S+)\.png in (.+)$", dialog).groups()
    assert folder == str(desk.home), folder
    (desk.home / f"{name}.png").write_bytes(b"older")
    return name


def check_figure(desk, name):
    """It is in the folder that the dialog proposes, beside what is there."""
    check_file(desk.home / f"{name}-2.png", b"\x89PNG")
    assert (desk.home / f"{name}.png").read_bytes() == b"older"


def limit_pointer(desk):
    hand = desk.hand
    hand.press("Open the Sample")
    hand.read("8 PEs · 202,648 records")
    block = check_limit(desk)
    hand.press("What Led to It", beyond=())
    check_chain(desk, block)
    hand.press("Export the view.*")
    dialog = hand.dialog("Export Figure")
    name = take_name(desk, dialog)
    hand.press("Export", dialog)
    check_figure(desk, name)


def limit_keys(desk):
    hand = desk.hand
    hand.open(desk.sample, True)
    hand.read("8 PEs · 202,648 records")
    block = check_limit(desk)
    hand.key("alt+l")
    check_chain(desk, block)
    hand.key("ctrl+e")
    name = take_name(desk, hand.dialog("Export Figure"))
    hand.key("Return")
    check_figure(desk, name)


# -- 2: which PEs are slow, and a run with fewer PEs ----------------------

def plant_slow(run):
    """PEs whose pairs take many times as long: run.out tells which."""
    subprocess.run([pathlib.Path(sys.argv[1]).resolve().parents[2] / "bench" / "kymo-make-classes",
                    "--pes", "48", "--steps", "4", "--entries", "10", "--poor", "more",
                    "--poor-permille", "60", run], check=True, timeout=desktop.PATIENCE)
    return re.findall(r"PLANTED pe (\d+) class 4", (run / "run.out").read_text())


def check_why(desk, planted):
    """The summary names all the slow PEs, and their reasons are those of all."""
    told = desk.hand.says(r"^Busiest: (PE \d+ .*)$", beyond=())[1]
    slow = set(re.findall(r"PE (\d+) \(", told))
    assert slow == set(planted), (slow, planted)
    return (r"^The 3 PEs spend .* more each in ComputePair::doWork than the mean .* blocks "
            r"[12]\.\d times as long")


def check_kept(desk, dialog):
    """How many will be kept. The PEs that were explained are: none of the busiest is dropped."""
    hand = desk.hand
    kept = hand.says(r"^(\d+) of 48 PEs stand for all", dialog)[1]
    told = [item.get_name() or "" for item in hand.app.walk(dialog) if desktop.is_placed(item)]
    assert not any("among the busiest" in name for name in told), told
    return kept


def check_reduced(desk, run, planted, kept):
    desk.hand.says(rf"^{kept} of 48 PEs, a reduced run")
    desk.hand.shows("findings")
    written = {path.name.split(".")[1]
               for path in run.with_name(run.name + "-reduced").glob("*.log*")}
    assert set(planted) <= written and len(written) == int(kept), (planted, written)


def slow_pointer(desk):
    hand, run = desk.hand, desk.folder / "made"
    planted = plant_slow(run)
    hand.paste(run)
    hand.read("48 PEs")
    why = check_why(desk, planted)
    hand.press("Why\\?", beyond=())
    hand.says(why)
    hand.press("Reduce Run…")
    dialog = hand.dialog("Reduce Run")
    kept = check_kept(desk, dialog)
    hand.press("Reduce", dialog)
    hand.press("Open It")
    check_reduced(desk, run, planted, kept)


def slow_keys(desk):
    hand, run = desk.hand, desk.folder / "made"
    planted = plant_slow(run)
    hand.paste(run)
    hand.read("48 PEs")
    why = check_why(desk, planted)
    hand.key("alt+w")
    hand.says(why)
    hand.key("alt+d")
    dialog = hand.dialog("Reduce Run")
    kept = check_kept(desk, dialog)
    hand.key("Return")
    hand.find("push button", "Open It")
    hand.key("alt+i")
    check_reduced(desk, run, planted, kept)


# -- 3: what changed between two runs -------------------------------------

def check_changed(desk, a, b):
    sentence = re.search(r"^A took .*", desk.run("compare", a, b), re.M)[0]
    desk.hand.says(re.escape(sentence[:24]))
    changed = [words[0] for _, words in desk.hand.lines("What grew and what shrank", 5)]
    assert {"Idle", "Untraced", "Overhead"} <= set(changed), changed


def paste_both(desk):
    """Their paths; a dialog asks what for."""
    runs = (desk.data / "feat-p4-text", desk.data / "feat-notracenested-p4")
    desk.hand.paste(*runs)
    return runs, desk.hand.dialog("Compare 2 Runs\\?")


def changed_pointer(desk):
    runs, dialog = paste_both(desk)
    desk.hand.press("Compare", dialog)
    check_changed(desk, *runs)


def changed_keys(desk):
    runs, _ = paste_both(desk)
    desk.hand.key("Return")
    check_changed(desk, *runs)


# -- 4: a running program: pause, look back, set an alarm, record, play ----

ALARM = "no new block for 10 s"
# Blocks: more than are visible at first, so that there is something to look back to; and those
# that are recorded. They come at many times their pace.
BACK, MORE, SPEED = 14, 2, "8"


def visible(desk):
    """The visible range, as the status bar tells it: its begin and end in seconds."""
    told = desk.hand.says(r"^(\S+)\ss – (\S+)\ss \(.* of .*\)$").groups()
    return tuple(float(at) for at in told)


def n_blocks(desk):
    return int(desk.hand.says(r"\bblock (\d+)")[1])


def wait_blocks(desk, n):
    desktop.wait_for(lambda: n_blocks(desk) >= n, f"block {n}")


def check_live(desk, job):
    desk.hand.says(f"^{job.address}$")
    desk.hand.says(r"^4 PEs · live")
    wait_blocks(desk, BACK)


def check_stands(desk):
    """What is visible stands while more comes."""
    desk.hand.find("push button|toggle button", "Go Live")
    stands = visible(desk)
    wait_blocks(desk, n_blocks(desk) + 1)
    assert visible(desk) == stands, (visible(desk), stands)
    return stands


def check_back(desk, stood):
    desktop.wait_for(lambda: visible(desk) != stood, "an earlier stretch")
    assert visible(desk)[1] < stood[1], (visible(desk), stood)


def check_records(desk):
    desk.hand.says(r"live, recording$")
    wait_blocks(desk, n_blocks(desk) + MORE)


def check_recorded(desk, path, recording):
    """All that was seen and what came while it was recorded, as it was served."""
    desk.app.hear(rf"Recorded to {path.name}$")
    told, served = serving.blocks(desk.cli, path), serving.blocks(desk.cli, recording)
    assert len(told) >= BACK + MORE and told == served[:len(told)], (len(told), path)


def check_plays(desk, path):
    desk.hand.says("playback$")
    desk.hand.find("push button", "Stand still")
    desk.app.keys("space")                  # not counted
    desk.hand.find("push button", "Play")


def find_recorded(desk):
    """In the folder of the person, with a name that nobody typed."""
    return desktop.wait_for(lambda: next(desk.home.rglob("*.kymostream"), None), "the recording")


def follow_pointer(desk):
    hand = desk.hand
    recording, _ = serving.prepare(desk.source, desk.folder)
    with serving.Job(desk.cli, recording, SPEED) as job:
        hand.paste(job.address)
        hand.go("Live")
        check_live(desk, job)
        hand.press("Pause")
        stood = check_stands(desk)
        hand.wheel(desk.app.find("image", "Time profile: .*"), 4, "shift")
        check_back(desk, stood)
        hand.press("Warn When It Hangs")
        hand.says(f"^Watched: {ALARM}$")
        hand.press("Record to a file")
        check_records(desk)
        path = find_recorded(desk)
        hand.press("Record to a file")
        check_recorded(desk, path, recording)
        hand.press("Play")
        check_plays(desk, path)
        path.unlink()


def follow_keys(desk):
    hand = desk.hand
    recording, _ = serving.prepare(desk.source, desk.folder)
    with serving.Job(desk.cli, recording, SPEED) as job:
        hand.paste(job.address)
        # A key that comes before the group is lost.
        hand.find("push button|toggle button", "Live")
        hand.key("ctrl+7")
        check_live(desk, job)
        hand.key("space")
        stood = check_stands(desk)
        hand.key("a")
        check_back(desk, stood)
        hand.key("alt+w")
        hand.says(f"^Watched: {ALARM}$")
        hand.key("ctrl+r")
        check_records(desk)
        path = find_recorded(desk)
        hand.key("ctrl+r")
        check_recorded(desk, path, recording)
        hand.key("alt+p")
        check_plays(desk, path)
        path.unlink()


# -- 5: who waits for whom in a run of MPI --------------------------------

def check_efficiency(desk, run):
    told = desk.run("diagnose", run).splitlines()[0]
    assert re.match(r"Parallel efficiency \S+ %: load balance \S+ %, communication eff", told)
    # Figures and their units stand on one line in the window.
    desktop.wait_for(lambda: told in [text.replace("\xa0", " ") for text in desk.app.texts()],
                     f"“{told}” in the findings")


def check_waits(desk, run):
    """In the findings: the longest wait, who was late, and who made others wait most."""
    told = desk.ask("waiting", run)
    worst = told["worst"][0]
    late = max(told["locations"], key=lambda row: row["caused_ns"])["label"]
    desk.hand.says(rf"^The longest wait: {worst['label']} waited .* for {worst['by_label']}, in "
                   + re.escape(worst["function"]) + "$", beyond=())
    desk.hand.says(rf"of all waiting was caused by {late}\.$", beyond=())
    assert worst["by_label"] == late == "rank 0"


def check_tree(desk):
    desk.hand.shows("call-tree")
    desktop.wait_for(lambda: [words[0] for _, words in desk.hand.lines("(?i)functions", 8)][:5] == [
        ".TAU application", "MPI_Init()", "MPI_Finalize()", "worker", "MPI_Ssend()"],
        "the call tree")


def waits_pointer(desk):
    hand, run = desk.hand, desk.data / "tau" / "trace-mw-8"
    hand.paste(run)
    hand.read("8 ranks")
    check_efficiency(desk, run)
    check_waits(desk, run)
    hand.press("Call Tree", beyond=())
    check_tree(desk)
    hand.go("Messages")
    hand.find("image", "Communication: 8 ranks.*")


def waits_keys(desk):
    hand, run = desk.hand, desk.data / "tau" / "trace-mw-8"
    hand.paste(run)
    hand.read("8 ranks")
    check_efficiency(desk, run)
    check_waits(desk, run)
    hand.key("alt+c")
    check_tree(desk)
    hand.key("ctrl+5")
    hand.find("image", "Communication: 8 ranks.*")


# -- 6: one function over all threads, a derived metric, the call graph ----

RATIO = "CPU_TIME / TIME"


def take_proposal(hand):
    """The next key is for the window: one that comes while the dialog closes is lost."""
    hand.key("Return")
    hand.no_dialog()
    hand.says(f"^Metric: {RATIO}$")
    hand.key("ctrl+t")


def check_ratio(desk, run, name):
    """The picture's rows and the legend have the ratios that kymo-cli tells."""
    told = next(line for line in desk.ask("profile", run, "--metric", RATIO)["activities"]
                if line["name"] == name)["exclusive"]
    desk.hand.says(f"^Metric: {RATIO}$")
    rows = [words[1] for _, words in desk.hand.lines("Table behind the picture", 8)]
    assert {f"{told[key]:.4g}" for key in ("min", "max")} <= set(rows), (told, rows)


def check_graph(desk, run):
    """Who calls MPI_Barrier(): the edges of the graph, by names."""
    graph = desk.ask("call-graph", run)
    names = [node["name"] for node in graph["nodes"]]
    wanted = {names[edge["from"]] for edge in graph["edges"]
              if names[edge["to"]] == "MPI_Barrier()"}
    assert len(wanted) == 2, wanted
    told = {words[4] for _, words in desk.hand.lines("Table behind the picture", len(names) + 1)
            if words[5] == "MPI_Barrier()"}
    assert told == wanted, (told, wanted)


def profile_pointer(desk):
    hand, runs = desk.hand, desk.data / "tau"
    hand.paste(runs / "threads-2x5")
    hand.read("10 threads")
    hand.double_click(hand.find("label", "thread work", beyond=()), 0.1)
    hand.shows("function")
    hand.press("Derived metric")
    # It is proposed.
    hand.find("push button", RATIO)
    take_proposal(hand)
    check_ratio(desk, runs / "threads-2x5", "thread work")
    hand.paste(runs / "callpath-deep-4")
    hand.read("4 ranks")
    hand.go("Code")
    hand.go("Call Graph")
    hand.key("ctrl+t")
    check_graph(desk, runs / "callpath-deep-4")


def profile_keys(desk):
    hand, runs = desk.hand, desk.data / "tau"
    hand.paste(runs / "threads-2x5")
    hand.read("10 threads")
    hand.place("thread work")
    hand.shows("function")
    hand.key("ctrl+m")
    # It is proposed.
    hand.find("push button", RATIO)
    take_proposal(hand)
    check_ratio(desk, runs / "threads-2x5", "thread work")
    hand.paste(runs / "callpath-deep-4")
    hand.read("4 ranks")
    hand.place("Call Graph")
    hand.key("ctrl+t")
    check_graph(desk, runs / "callpath-deep-4")


# -- 8: what is no run ----------------------------------------------------

def make_wrong(desk, folder):
    for name in ("empty", "text", "several", "closed"):
        (folder / name).mkdir(parents=True)
    (folder / "text" / "notes.txt").write_text("a list of things to do\n")
    for name in ("feat-p4-text", "jacobi2d-traceoff-p2"):
        shutil.copytree(desk.data / name, folder / "several" / name)
    shutil.copytree(desk.data / "feat-p4-text", folder / "damaged")
    log = sorted((folder / "damaged").glob("*.1.log*"))[0]
    log.chmod(0o644)
    log.write_bytes(log.read_bytes()[:2000])
    (folder / "closed").chmod(0)


def wrong(desk, by_keys):
    """A sentence and a way out for each; a folder of several runs offers them."""
    hand, folder = desk.hand, desk.folder / ("wrong-keys" if by_keys else "wrong")
    make_wrong(desk, folder)
    for name, words in (("empty", "is an empty folder"), ("text", "notes.txt|holds no|no run"),
                        ("closed", "cannot be opened: Permission denied"),
                        ("several", "holds no run itself, but its folders do")):
        hand.paste(folder / name)
        hand.says(rf"{folder.name}/{name}\b.*({words})")
    if by_keys:
        hand.find("list item", "feat-p4-text.*", beyond=())
        hand.key("Return")
    else:
        hand.press("feat-p4-text.*", role="list item", beyond=())
    hand.read("4 PEs")
    hand.paste(folder / "damaged")
    hand.says(r"(?i)incomplete \(\d+ problem|\d+ problem")
    (folder / "closed").chmod(0o700)


def wrong_pointer(desk):
    wrong(desk, False)


def wrong_keys(desk):
    wrong(desk, True)


JOBS = {
    "charm": ((POINTER, limit_pointer, 4), (POINTER, slow_pointer, 5)),
    "keys": ((KEYS, limit_keys, 6), (KEYS, waits_keys, 3), (KEYS, changed_keys, 2)),
    "charm-keys": ((KEYS, slow_keys, 5),),
    "waits": ((POINTER, waits_pointer, 3),),
    "profiles": ((POINTER, profile_pointer, 9), (KEYS, profile_keys, 12)),
    "stream": ((POINTER, follow_pointer, 8), (KEYS, follow_keys, 8)),
    "others": ((POINTER, changed_pointer, 2), (POINTER, wrong_pointer, 6),
               (KEYS, wrong_keys, 6)),
}


def get_ready(app, way):
    """Jobs by keys are done in a small, dark window."""
    app.find("push button", "Open the Sample")
    size = SMALL if way == KEYS else LARGE
    xdo("windowsize", "--sync", desktop.wait_for(app.window_id, "the window"), *size)
    if way == KEYS:
        app.act("color-scheme", GLib.Variant("s", "dark"), path="")


def test(program, source):
    with tempfile.TemporaryDirectory() as folder:
        for way, job, most in JOBS[sys.argv[4]]:
            pathlib.Path(folder, "home").mkdir(exist_ok=True)
            # Figures are proposed in the home folder, where there is none for pictures.
            with desktop.App(*AS_A_PERSON, program,
                             view=None, env={**os.environ, "G_MESSAGES_DEBUG": "all",
                                  "HOME": str(pathlib.Path(folder, "home"))}) as app:
                desk = Desk(app, program, source, folder)
                get_ready(app, way)
                begin = time.monotonic()
                job(desk)
                print(f"ok {job.__name__}: {desk.hand.count} actions, "
                      f"{time.monotonic() - begin:.1f} s", flush=True)
                assert desk.hand.count <= most, f"{job.__name__}: {desk.hand.count} actions"


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
