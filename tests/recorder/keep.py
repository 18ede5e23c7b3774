# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of which some threads alone are written: those that `kymo-cli reduce` keeps of the whole
archive, with the same weights, errors and quality, and a profile that is right within the error.

Usage: keep.py KYMO-CLI ARCHIVE-TOOL
"""
import configparser
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import recording
from recording import harness, raw

MS = 1_000_000


def write(tool, folder, keep):
    """(exit status, sentences)."""
    done = subprocess.run([tool, "write", folder], timeout=60, stdout=subprocess.PIPE, check=False,
                          text=True, env={**os.environ, "KYMO_RECORD_KEEP": keep})
    return done.returncode, done.stdout.splitlines()


def read_note(folder):
    """What does not depend on the numbers of the archive: {(group, key): value}."""
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str
    if not (folder / "traces.kymo").exists():
        return {}
    parser.read(folder / "traces.kymo")
    return {(group, key): value for group in parser.sections() if group != "Locations"
            for key, value in parser[group].items() if key != "zero_ns"}


def reduce(program, full, keep):
    """The note that kymo-cli writes."""
    out = full.with_name("reduced")
    shutil.rmtree(out, ignore_errors=True)
    words = ["--error", keep[6:]] if keep.startswith("error:") else ["--keep", keep]
    subprocess.run([program, "reduce", full, out, *words, "--no-cache", "--quiet"], timeout=60,
                   stdout=subprocess.DEVNULL, check=True)
    return read_note(out)


def exclusive(program, archive):
    """Exclusive time of each function, of a reduced run extrapolated."""
    profile = harness.ask(program, "profile", archive,
                          *(["--extrapolate"] if (archive.parent / "traces.kymo").exists() else []))
    return {a["name"]: a["exclusive_ns"] for a in profile["activities"] if a["kind"] == "function"}


def profiled(program, path):
    """The same, of a profile, which tells microseconds."""
    profile = harness.ask(program, "profile", path)
    return {a["name"]: round(a["exclusive"]["total"] * 1000) for a in profile["activities"]
            if a["exclusive"]["total"] > 0}


def check_choice(c, program, folder, full, keep):
    """The run in `folder` against the whole one, of which it is a part. The error bounds each
    function in each part of the time, and so its sum."""
    note, expected = read_note(folder), reduce(program, full, keep)
    kept = [int(n) for n in expected["Reduction", "kept"].split(";")[:-1]]
    pes = int(expected["Reduction", "pes"])
    if len(kept) == pes:
        c.equal(f"{keep}: nothing is left out", note, {})
        return
    c.equal(f"{keep}: note", note, expected)
    archive = folder / "traces.otf2"
    c.equal(f"{keep}: otf2-print", recording.warnings(archive), [])
    info, whole = harness.ask(program, "info", archive), harness.ask(program, "info", full)
    c.equal(f"{keep}: locations", (info["kind"], info["locations"], info["locations_original"]),
            ("reduced", len(kept), pes))
    c.equal(f"{keep}: severities", {i["severity"] for i in info["report"]["issues"]}, {"note"})
    times, true = exclusive(program, archive), exclusive(program, full / "traces.otf2")
    c.equal(f"{keep}: profile", profiled(program, folder / "tauprofile.xml"), true)
    most = float(expected["Error", "time_profile"]) * pes * (whole["end_ns"] - whole["begin_ns"])
    for name, ns in true.items():
        c.true(f"{keep}: {name} has {times.get(name, 0)} ns of {ns}",
               abs(times.get(name, 0) - ns) <= most + 1)


def fill_classes(folder, n=24):
    """Threads of a process: a class that is slow, one that is quick, one with gaps and other
    functions."""
    run, rng = raw.RawRun(folder), random.Random(7)
    process = run.process(0, 1)
    names = ["main", "work", "wait", "rare"]
    main, work, wait, rare = (process.region(name) for name in names)
    for i in range(n):
        thread = process.thread("", 4096, 3 if i % 6 == 4 else 0)
        thread.enter(i, main)
        for k in range(40):
            begin = 10 * MS * k + 100 * i
            busy = (8 if i % 6 == 5 else 2 if i % 6 == 4 else 5) * MS + rng.randrange(MS)
            thread.call(begin, begin + busy, work)
            thread.call(begin + busy, begin + 9 * MS, wait)
            if i % 6 == 4:
                for part in range(4):
                    thread.call(begin + 9 * MS + part * 1000, begin + 9 * MS + 900 + part * 1000,
                                rare)
        if i % 6 == 3:
            thread.record(395 * MS, raw.MEASUREMENT, 0)
            thread.record(398 * MS, raw.MEASUREMENT, 1)
        thread.leave(400 * MS + i, main)
    process.moment(401 * MS)
    run.write()


def check_classes(program, tool, folder):
    """Counts, shares and errors; more than there are."""
    c = harness.Compare()
    fill_classes(folder)
    full = folder.with_name("full")
    c.equal("recovered", recording.recover(tool, folder, full)[0], 0)
    for keep in ("1", "6", "40%", "error:2%", "error:25%", "30"):
        c.equal(f"{keep}: written", write(tool, folder, keep)[0], 0)
        check_choice(c, program, folder, full, keep)
    return c.problems


def check_equal(program, tool, folder):
    """Threads that do the same are one class; the lowest stands for it."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    process = run.process(0, 1)
    work = process.region("work")
    for _ in range(8):
        process.thread().call(0, MS, work)
    process.moment(MS)
    run.write()
    full = folder.with_name("full")
    c.equal("recovered", recording.recover(tool, folder, full)[0], 0)
    for keep in ("3", "error:1%", "1"):
        c.equal(f"{keep}: written", write(tool, folder, keep)[0], 0)
        check_choice(c, program, folder, full, keep)
    c.equal("weight of the lowest", read_note(folder).get(("Weights", "0")), "8.000000")
    return c.problems


def check_one(program, tool, folder):
    """One thread stands for itself; no sense is no reduction."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    process = run.process(0, 1)
    process.thread().call(0, MS, process.region("work"))
    process.moment(2 * MS)
    run.write()
    for keep in ("1", "error:1%", "0", "error:0%", "error:2", "many", "-1", "101%"):
        c.equal(f"{keep}: written", write(tool, folder, keep), (0, []))
        c.equal(f"{keep}: note", read_note(folder), {})
        c.equal(f"{keep}: kind", harness.ask(program, "info", folder)["kind"], "trace")
    return c.problems


def check_many(program, tool, folder):
    """64 threads x 1,000 functions within an error."""
    c = harness.Compare()
    run, rng = raw.RawRun(folder), random.Random(3)
    process = run.process(0, 1)
    regions = [process.region(f"function {i}") for i in range(1000)]
    for i in range(64):
        thread, time = process.thread("", 65536), 0
        for region in regions:
            thread.enter(time, region)
            time += 10_000 + (region % 7 * 9000 if i % 4 == 3 else 0) + rng.randrange(100)
            thread.leave(time, region)
    process.moment(100 * MS)
    run.write()
    full = folder.with_name("full")
    c.equal("recovered", recording.recover(tool, folder, full)[0], 0)
    c.equal("written", write(tool, folder, "error:12%")[0], 0)
    check_choice(c, program, folder, full, "error:12%")
    return c.problems


def main(arguments):
    tap = harness.Tap()
    for check in (check_classes, check_equal, check_one, check_many):
        with tempfile.TemporaryDirectory() as scratch:
            tap.check(check.__name__[6:], check, *arguments, pathlib.Path(scratch) / "run")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
