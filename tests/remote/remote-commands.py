#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-commands.py KYMO-CLI KYMO-SERVER ROOT: every command of kymo-cli and every picture, of a
run here and of the same run behind a server. Status, output, words and written files are the same.
The server has a home of its own, so that what a person keeps (metrics, roles, desks) has to travel.
"""
import filecmp
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness  # noqa: E402

CLI, SERVER, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
DATA = ROOT / "tests" / "data"
SAMPLE, FUNCTIONS = ROOT / "data" / "sample", DATA / "tau" / "trace-stencil-4"
PROFILE, STREAM = DATA / "tau" / "callpath-deep-4", DATA / "streams" / "load-p4.kymostream"
SMALL = DATA / "feat-p4-text"
RUNS = [SMALL, FUNCTIONS, DATA / "otf2-stencil-4", PROFILE, DATA / "tau" / "phase-8", STREAM,
        SAMPLE]
# These are about no run, about a running program, or about addresses alone.
WITHOUT_RUN = {"attach", "desk", "fetch", "hosts", "recover"}
# A shared name is written into it, so it is the same on both sides.
OWN_METRIC = "KYMO_TEST"
COUNTER = "Message size for all-reduce"


class Home:
    """A person's folders."""

    def __init__(self, folder):
        self.variables = {name: str(folder / name.lower()) for name in (
            "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
        self.config = folder / "xdg_config_home" / "kymo"


def far(path):
    return f"ssh://far{path}"


class Sides:
    def __init__(self, folder):
        self.folder = folder
        self.here, self.there = Home(folder / "here"), Home(folder / "there")
        words = ["env", f"KYMO_CLI={CLI}", *(f"{k}={v}" for k, v in self.there.variables.items()),
                 str(SERVER), "--stdio"]
        self.server = shlex.join(words)
        self.count = 0

    def run(self, *words, **options):
        return subprocess.run([CLI, *words], capture_output=True, timeout=120,
                              stdin=subprocess.DEVNULL, cwd=self.folder,
                              env={**os.environ, **self.here.variables,
                                   "KYMO_SERVER": self.server}, **options)

    def name(self, suffix=""):
        self.count += 1
        return self.folder / f"out-{self.count}{suffix}"

    def differences(self, near_words, far_words, names=()):
        """What differs; @names: (near, far) words that may stand in the output."""
        near, there = self.run(*near_words), self.run(*far_words)
        found = {"status": (near.returncode, there.returncode),
                 "output": (near.stdout, there.stdout), "words": (near.stderr, there.stderr)}
        for key, (a, b) in found.items():
            if key != "status":
                for one, other in names:
                    b = b.replace(str(other).encode(), str(one).encode())
            if a != b:
                yield f"{shlex.join(map(str, far_words))}: {key}: {a[:300]} and there {b[:300]}"


def help_text(*words):
    return subprocess.run([CLI, *words, "--help"], check=True, capture_output=True,
                          text=True).stdout


def commands():
    block = help_text().split("Commands:\n", 1)[1].split("\n\n", 1)[0]
    return sorted(set(re.findall(r"^  ([a-z-]+)\s", block, re.MULTILINE)))


def example_of(command):
    page = help_text(command)
    return shlex.split(re.search(r"^Example:\n  kymo-cli (.*)$", page, re.MULTILINE)[1])


def is_answer(done, command):
    return done.returncode == 0 or command == "check" and not done.stderr


def same_trees(one, other):
    names = [{p.relative_to(root) for p in root.rglob("*")} if root.is_dir() else {"."}
             for root in (one, other)]
    if names[0] != names[1]:
        yield f"{one.name}: files {sorted(map(str, names[0] ^ names[1]))} are on one side alone"
        return
    for name in names[0]:
        # The archive has the time and a number of its own.
        same = (one / name).stat().st_size == (other / name).stat().st_size \
            if str(name).endswith(".otf2") else None
        if (one / name).is_file() and not same and not filecmp.cmp(one / name, other / name,
                                                                   shallow=False):
            yield f"{one.name}: {name} differs"


def fill(words, run, reduced, out):
    names = {"RUN": run, "OTHER": run, "REDUCED": reduced, "OUT": out, "timeline.svg": out,
             "run.kymostream": run}
    return [str(names.get(word, word)) for word in words]


def test_command(sides, command, reduced):
    """The example of a command, of the first run that it answers."""
    example = example_of(command)
    suffix = ".svg" if command == "export" else ""
    for run in RUNS:
        outs = sides.name(suffix), sides.name(suffix)
        near = fill(example, run, reduced, outs[0])
        if is_answer(sides.run(*near), command):
            break
    else:
        yield f"{shlex.join(example)} is answered for no run"
        return
    outs = sides.name(suffix), sides.name(suffix)
    near = fill(example, run, reduced, outs[0])
    there = fill(example, far(run), far(reduced), outs[1])
    for more in [[]] if command == "export" else [[], ["--format", "json"]]:
        outs_again = sides.name(suffix), sides.name(suffix)
        yield from sides.differences(
            [*(str(outs_again[0]) if w == str(outs[0]) else w for w in near), *more],
            [*(str(outs_again[1]) if w == str(outs[1]) else w for w in there), *more],
            [outs_again])
        if outs_again[0].exists():
            yield from same_trees(*outs_again)


def test_refusal(sides, command):
    """One run that a command cannot answer, be it because it is not there."""
    words = example_of(command)
    for run in STREAM, SAMPLE, DATA / "none":
        outs = sides.name(), sides.name()
        near = fill(words, run, run, outs[0])
        if sides.run(*near).returncode == 0:
            continue
        yield from sides.differences(near, fill(words, far(run), far(run), outs[1]),
                                     [outs, (run, far(run))])
        return


def test_picture(sides, view, form):
    for run in RUNS:
        outs = sides.name(form), sides.name(form)
        runs = [run, FUNCTIONS] if view.startswith("compare-") else [run]
        more = ["--name", COUNTER] if view == "counter-map" else []
        near = sides.run("export", view, *runs, "-o", outs[0], "--size", "500x300", *more)
        if near.returncode == 0:
            break
    else:
        yield f"{view} is a picture of no run"
        return
    there = sides.run("export", view, *map(far, runs), "-o", outs[1], "--size", "500x300",
                      *more)
    if (near.returncode, near.stderr) != (there.returncode, there.stderr):
        yield f"{view}: {near.stderr} and there {there.stderr}"
    elif outs[0].read_bytes() != outs[1].read_bytes():
        yield f"{view}: the pictures differ"


OPTIONS = [
    ["info", FUNCTIONS, "--correct-clocks"],
    ["profile", SAMPLE, "--per-location", "--memory-limit", "1M"],
    ["profile", SAMPLE, "--locations", "1-3", "--from", "100ms", "--to", "400ms", "--strict"],
    ["profile", DATA, "--base", "none"],
    ["time-profile", SAMPLE, "--bins", "7", "--format", "csv"],
    ["time-profile", DATA / "feat-p4-outlierphases", "--phase", "1", "--bins", "5"],
    ["time-profile", FUNCTIONS, "--region", "main", "--bins", "5"],
    ["usage", SAMPLE, "--order=-busy", "--workers-only"],
    ["usage", SAMPLE, "--order", "similarity"],
    ["timeline", FUNCTIONS, "--width", "60", "--fold", "all"],
    ["counters", FUNCTIONS, "--bins", "5"],
    ["thread", PROFILE, "--of", "mean", "--metric", OWN_METRIC],
    ["thread", PROFILE, "--of", "0", "--metric", "TIME / 2"],
    ["metrics", PROFILE, "--format", "json"],
    ["events", SAMPLE, "--limit", "5", "--tail"],
    ["search", SAMPLE, "e", "--limit", "5"],
    ["search", SAMPLE, "e", "--desk", DATA / "desks" / "whole.kymodesk"],
    ["search", SAMPLE, "e", "--desk", "kept"],
    ["check", SAMPLE, "--max-idle", "1%", "--format", "json"],
    ["desk", SAMPLE],
    ["replay", STREAM, "--format", "json", "--notes"],
    ["replay", STREAM, "--format", "csv", "--from", "2s", "--to", "4s"],
    ["replay", DATA / "streams", "--base", "load-p1"],
    ["replay", DATA / "streams"],
    ["replay", SAMPLE],
    ["info", DATA / "none"],
]
PICTURES = [
    ["timeline", FUNCTIONS, "--color-by", "role"],
    ["timeline", SAMPLE, "--palette", "safe", "--messages", "all", "--waits"],
    ["time-profile", SAMPLE, "--theme", "dark", "--color-by", "group", "--hide", "(idle)"],
    ["thread-bars", PROFILE, "--metric", OWN_METRIC],
]


def test_option(sides, words):
    there = [far(w) if isinstance(w, pathlib.Path) and i == 1 else w for i, w in enumerate(words)]
    names = [(words[1], far(words[1]))] if words[0] in ("desk", "search") else []
    yield from sides.differences(words, there, names)


def test_picture_option(sides, words):
    outs = sides.name(".svg"), sides.name(".svg")
    there = [far(w) if isinstance(w, pathlib.Path) else w for w in words]
    yield from sides.differences(["export", *words, "-o", outs[0]],
                                 ["export", *there, "-o", outs[1]])
    if outs[0].read_bytes() != outs[1].read_bytes():
        yield f"{words}: the pictures differ"


def test_own_things_travel(sides):
    """What differs is what the person here keeps, not what the user there does."""
    listed = sides.run("metrics", far(PROFILE)).stdout.decode()
    if OWN_METRIC not in listed or "NOT_MINE" in listed:
        yield f"the metrics there are {listed}"
    roles = [sides.run("info", run, "--format", "json").stdout for run in
             (FUNCTIONS, far(FUNCTIONS))]
    (sides.here.config / "roles.conf").unlink()
    plain = [sides.run("profile", run, "--format", "json").stdout for run in
             (FUNCTIONS, far(FUNCTIONS))]
    (sides.here.config / "roles.conf").write_text("wait\t*\n")
    mine = [sides.run("profile", run, "--format", "json").stdout for run in
            (FUNCTIONS, far(FUNCTIONS))]
    if roles[0] != roles[1] or plain[0] != plain[1] or mine[0] != mine[1]:
        yield "roles are not those of the person"
    if plain[0] == mine[0]:
        yield "rules for roles change nothing: this test tests nothing"


MIXED = [
    ["compare", SAMPLE, FUNCTIONS],
    ["compare", SAMPLE, FUNCTIONS, SAMPLE, "--info"],
    ["compare", SAMPLE, SAMPLE, "--bins", "9", "--align", "end"],
    ["compare", SAMPLE, SAMPLE, "--repeat-of-b", SAMPLE, "--max-growth", "5%"],
    ["compare", FUNCTIONS, SAMPLE, "--repeat-of", f"A={FUNCTIONS}", "--range-of", "1=1ms..9ms"],
    ["compare", PROFILE, PROFILE, "--metric", OWN_METRIC],
    ["export", "compare-activities", SAMPLE, FUNCTIONS, "-o", "OUT.svg"],
    ["export", "compare-time-profile", SAMPLE, FUNCTIONS, "-o", "OUT.csv"],
    ["export", "compare-series", SAMPLE, SAMPLE, SAMPLE, "-o", "OUT.json"],
]


def test_mixed(sides, words, places):
    """Runs here and there compared; @places: bits of which runs are there"""
    outs, lines, which = [], [], 0
    for side in range(2):
        outs.append(sides.name())
        line, which = [], 0
        for word in words:
            if isinstance(word, pathlib.Path):
                word = far(word) if side == 1 and places >> which & 1 else word
                which += 1
            line.append(str(word).replace("OUT", str(outs[side])))
        lines.append(line)
    yield from sides.differences(*lines)
    for suffix in ".svg", ".csv", ".json":
        files = [pathlib.Path(f"{out}{suffix}") for out in outs]
        if files[0].exists() and files[0].read_bytes() != files[1].read_bytes():
            yield f"{words}: the files differ"


def test_written(sides, words):
    """What is written there; and again over it, which is refused."""
    outs = sides.name(), sides.name()
    line = [[words[0], run, out, *words[3:]] for run, out in
            ((words[1], outs[0]), (far(words[1]), outs[1]))]
    for _ in range(2):
        yield from sides.differences(*line, [outs])
    if not outs[0].exists():
        yield f"{words[0]} wrote nothing"
    else:
        yield from same_trees(*outs)
    relative = sides.run(words[0], far(words[1]), "relative", *words[3:])
    if relative.returncode != 2 or b"absolute" not in relative.stderr:
        yield f"a relative path: {relative.returncode} {relative.stderr}"


WRITTEN = [
    ["reduce", SAMPLE, "OUT", "--keep", "3"],
    ["extract", SAMPLE, "OUT", "--locations", "0,2", "--from", "100ms", "--to", "500ms"],
    ["extract", FUNCTIONS, "OUT", "--locations", "0-1"],
    ["convert", FUNCTIONS, "OUT", "--to", "chrome-json"],
    ["convert", SAMPLE, "OUT", "--to-form", "tau-profile"],
    ["convert", PROFILE, "OUT", "--to-form", "csv"],
]


def test_cache(sides):
    """What is kept of a run there, and nothing of here."""
    told = sides.run("cache", far(SAMPLE)).stdout.decode()
    if sides.there.variables["XDG_CACHE_HOME"] not in told:
        yield f"cache told {told}"


def prepare(sides):
    """Metrics, roles and a reduced run."""
    for home, metric in (sides.here, OWN_METRIC), (sides.there, "NOT_MINE"):
        home.config.mkdir(parents=True)
        (home.config / "metrics.conf").write_text(f"[metrics]\n{metric}=TIME * 3\n")
    (sides.here.config / "roles.conf").write_text("io\tMPI_*\n")
    (sides.there.config / "roles.conf").write_text("wait\t*\n")
    reduced = sides.folder / "reduced"
    done = sides.run("reduce", SMALL, reduced, "--keep", "2", "--quiet")
    assert done.returncode == 0, done.stderr
    return reduced


def main():
    tap = harness.Tap()
    with tempfile.TemporaryDirectory() as name:
        sides = Sides(pathlib.Path(name))
        reduced = prepare(sides)
        for command in commands():
            if command not in WITHOUT_RUN:
                tap.check(command, lambda: list(test_command(sides, command, reduced)))
                tap.check(f"{command}, refused", lambda: list(test_refusal(sides, command)))
        views = help_text("export").partition("\nViews:\n")[2].partition("\n\n")[0].split()
        for view in views:
            tap.check(f"picture {view}", lambda: list(test_picture(sides, view, ".svg")))
        for words in OPTIONS:
            tap.check(" ".join(map(str, words)), lambda: list(test_option(sides, words)))
        for words in PICTURES:
            tap.check(" ".join(map(str, words)), lambda: list(test_picture_option(sides, words)))
        tap.check("the cache there", lambda: list(test_cache(sides)))
        tap.check("what a person keeps", lambda: list(test_own_things_travel(sides)))
        for words in MIXED:
            for places in 1, 2, 7:
                tap.check(f"{' '.join(map(str, words))}, {places}",
                          lambda: list(test_mixed(sides, words, places)))
        for words in WRITTEN:
            tap.check(" ".join(map(str, words)), lambda: list(test_written(sides, words)))
    return tap.end()


sys.exit(main())
