# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles that are cut, flipped or lack files: no crash, no hang; what is read of a file
that was cut says so, or is all there was.

Usage: damage.py DUMP-PROFILE SOURCE-ROOT
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import harness  # noqa: E402
import ppk  # noqa: E402
from profiles import dump, rows_of  # noqa: E402

CUTS, FLIPS = 24, 24


def read(program, path):
    """(exit status, dump or None); a crash or a hang is an exception."""
    done = subprocess.run([program, str(path)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stderr.strip()):
        raise AssertionError(f"{path}: exit {done.returncode}: {done.stderr[:300]}")
    return done.returncode, json.loads(done.stdout) if done.returncode == 0 else None


def figures(run):
    """All that was read: a file that was cut may lack what nothing needs."""
    return [rows_of(run, s) for s in range(len(run["steps"]))], run["steps"][-1]["users"]


def lost(run):
    """Or all is there but perhaps the last digits, which is a note."""
    return any(severity == "lost" or words.startswith("The last line has no end")
               for _, severity, words, _ in run["issues"])


def check_cut(program, place, name, whole):
    c, path = harness.Compare(), place / name
    data, truth = path.read_bytes(), figures(whole)
    chance = random.Random(name)
    for at in sorted({0, 1, len(data) - 1} | {chance.randrange(len(data)) for _ in range(CUTS)}):
        path.write_bytes(data[:at])
        code, run = read(program, place)
        if code == 0 and not lost(run):
            c.true(f"cut at {at}: other figures, and nothing is told", figures(run) == truth)
    path.write_bytes(data)
    return c.problems


def check_flipped(program, place, name):
    path, chance = place / name, random.Random(name + "!")
    data = path.read_bytes()
    for _ in range(FLIPS):
        changed = bytearray(data)
        for _ in range(chance.randrange(1, 9)):
            at = chance.randrange(len(data))
            changed[at] = chance.choice((0, 10, 32, 34, 60, 255, changed[at] ^ 1, 57))
        path.write_bytes(changed)
        read(program, place)
    path.write_bytes(data)
    return []


def check_missing(program, place):
    """A rank without a file, one that is empty, one that is a folder: all are told."""
    c = harness.Compare()
    (place / "profile.1.0.0").unlink()
    run = dump(program, place)
    c.equal("ranks", [l["id"] for l in run["locations"]], [0, 2, 3])
    c.equal("told", [(s, w) for _, s, w, _ in run["issues"]],
            [("lost", "Ranks without a profile: 1")])
    (place / "profile.2.0.0").write_bytes(b"")
    (place / "profile.3.0.0").unlink()
    (place / "profile.3.0.0").mkdir()
    run = dump(program, place)
    c.equal("ranks", [l["id"] for l in run["locations"]], [0])
    c.equal("told", sorted(f for f, s, _, _ in run["issues"] if s == "lost"),
            ["profile.2.0.0", "profile.3.0.0"])
    (place / "profile.0.0.0").write_bytes(b"12 apples\n")
    code, _ = read(program, place)
    c.equal("nothing to read", code, 1)
    return c.problems


def check_metric(program, place):
    """A thread that lacks one metric counts as 0 there."""
    c = harness.Compare()
    (place / "MULTI__CPU_TIME" / "profile.5.0.0").unlink()
    run = dump(program, place)
    c.equal("told", [(s, w, n) for _, s, w, n in run["issues"]],
            [("lost", "Threads have no profile of this metric, but of others", 1)])
    at = 2 + 2 * [m["name"] for m in run["metrics"]].index("CPU_TIME")
    mine = [f for (l, _, _), f in rows_of(run).items() if l == 5]
    c.true("figures of the other metrics", mine and all(f[0] > 0 for f in mine))
    c.equal("of this one", {v for f in mine for v in f[at:at + 2]}, {0.0})
    return c.problems


def main():
    program, root = sys.argv[1:3]
    data, tap = pathlib.Path(root) / "tests" / "data" / "tau", harness.Tap()
    for case, name in (("callpath-deep-4", "profile.2.0.0"),
                       ("multi-coll-8", "MULTI__TIME/profile.0.0.0"),
                       ("snapshot-stencil-4", "snapshot.3.0.0"),
                       ("merged-coll-8", "tauprofile.xml"), ("flat-stencil-4", "run.ppk"),
                       ("gprof-recursive", "gprof.txt"),
                       ("mpip-made", "app.2.4711.1.mpiP")):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "run"
            if name.endswith(".ppk"):
                place.mkdir()
                (place / name).write_bytes(ppk.pack(data / case))
            else:
                shutil.copytree(data / case, place,
                                ignore=shutil.ignore_patterns("paraprof", "gprof-cxx.txt"))
            whole = dump(program, place)
            tap.check(f"{case} cut", check_cut, program, place, name, whole)
            tap.check(f"{case} flipped", check_flipped, program, place, name)
    for case, check in (("flat-stencil-4", check_missing), ("multi-coll-8", check_metric)):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "run"
            shutil.copytree(data / case, place, ignore=shutil.ignore_patterns("paraprof"))
            tap.check(f"{case} {check.__name__[6:]}", check, program, place)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
