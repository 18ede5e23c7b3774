# SPDX-License-Identifier: GPL-3.0-or-later
"""Reduced runs: bytes of the original, what `clusters` chose, weights by the
documented formula, and a run again; never half of one, never in place of
anything.

Usage: reduce.py KYMO-CLI SOURCE-ROOT
"""
import configparser
import decimal
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import weights  # noqa: E402

MAX_BYTES = 32 << 20


def files_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*")
            if p.is_file()}


def pe_of(name):
    return int(name.removesuffix(".gz").split(".")[-2])


def is_log(name):
    return name.endswith((".log", ".log.gz"))


def check_note(c, path, got, clusters, quality):
    note = configparser.ConfigParser()
    note.read(path)
    numbers = lambda text: [int(n) for n in text.split(";") if n]  # noqa: E731
    c.equal("note: kept", numbers(note["Reduction"]["kept"]), got["kept"])
    c.equal("note: PEs", int(note["Reduction"]["pes"]), clusters["pes"])
    for i, one in enumerate(clusters["clusters"]):
        group = note[f"Cluster {i}"]
        c.equal("note: cluster", (int(group["representative"]), numbers(group["outliers"]),
                                  numbers(group["members"])),
                (one["representative"], one["outliers"], one["members"]))
    c.equal("note: weights", {int(pe): float(w) for pe, w in note["Weights"].items()},
            {w["location"]: w["weight"] for w in got["weights"]})
    c.true("note: six digits", all(len(w.partition(".")[2]) == 6
                                   for w in note["Weights"].values()))
    c.equal("note: sum of weights", sum(map(decimal.Decimal, note["Weights"].values())),
            int(note["Reduction"]["pes"]))
    told = float(note["Quality"]["mean_ratio"])
    c.true("note: quality", told == quality["mean_ratio"]
           or (math.isnan(told) and quality["mean_ratio"] is None))


def check_missed(c, program, folder, got, options):
    """The PEs with most of something that are dropped are named, and --also keeps them."""
    span = ("--from", got["begin_ns"], "--to", got["end_ns"])
    missed = []
    for by, why in (("busy", "busiest"), ("most-idle", "most-idle"), ("grain", "slowest")):
        extrema = harness.ask(program, "extrema", folder, "--by", by, "--count", 3, *span)
        missed += [(why, one["location"], one["value_ns"]) for one in extrema["extrema"]
                   if one["of_average"] > 1 and one["location"] not in got["kept"]]
    c.equal("dropped", [(d["why"], d["location"], d["value_ns"]) for d in got["dropped"]],
            missed)
    pes = sorted({pe for _, pe, _ in missed})
    with tempfile.TemporaryDirectory() as name:
        said = harness.run(program, "reduce", folder, pathlib.Path(name) / "text", *options,
                           "--quiet").out.decode()
        c.equal("to keep them", "To keep them: --also " in said, pes != [])
        c.equal("above 10 %", "is above 10 %" in said, (got["time_profile_error"] or 0) > 0.1)
        c.equal("fewer clusters", f"left of {got['k']} seeds" in said,
                len(got["clusters"]) < got["k"])
        if not pes:
            return
        list_of = next(line for line in said.splitlines() if line.startswith("To keep them"))
        more = harness.ask(program, "reduce", folder, pathlib.Path(name) / "more", *options,
                           "--also", list_of.split()[-1])
        c.equal("kept, too", more["kept"], sorted({*got["kept"], *pes}))
        c.equal("none is missed", more["dropped"], [])
        c.equal("why", {w["location"] for w in more["weights"] if w["kept_as"] == "asked"},
                set(pes))


def check_recording(program, folder, options):
    c = harness.Compare()
    before = files_of(folder)
    info = harness.ask(program, "info", folder)
    clusters = harness.ask(program, "clusters", folder, "--vectors", *options)
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "out"
        got = harness.ask(program, "reduce", folder, out, *options)
        c.equal("clusters", got["clusters"], clusters["clusters"])
        c.equal("kept", got["kept"], clusters["kept"])
        c.equal("beside", os.listdir(name), ["out"])
        check_missed(c, program, folder, got, options)
        after = files_of(out)
        notes = [n for n in after if n.endswith(".kymo")]
        c.equal("notes", len(notes), 1)
        c.equal("logs", sorted(pe_of(n) for n in after if is_log(n)), got["kept"])
        for one, data in after.items():
            c.true(f"{one} is the same", one in notes or before.get(one) == data)
        c.true("names", any(n.endswith(".sts") for n in after))
        c.equal("projrc", [n for n in after if n.endswith(".projrc")],
                [n for n in before if n.endswith(".projrc")])
        c.equal("bytes", got["bytes_after"], sum(map(len, after.values())))
        told = {w["location"]: w["weight"] for w in got["weights"]}
        expected = weights.weights_of(clusters["locations"])
        c.equal("weighed", sorted(told), sorted(expected))
        for pe, weight in expected.items():
            c.near(f"weight of {pe}", told[pe], weight, 1.001e-6)
        c.equal("sum of weights", sum(round(w * 1000000) for w in told.values()),
                clusters["pes"] * 1000000)
        quality = harness.ask(program, "quality", folder, out)
        c.equal("quality", got["quality"], quality)
        check_note(c, out / notes[0], got, clusters, quality)
        again = harness.ask(program, "info", out)
        c.equal("original", again["locations_original"], info["locations_original"])
        c.equal("locations", again["locations"], len(got["kept"]))
        c.equal("kind", again["kind"], "reduced")
        said = [i["what"] for i in again["report"]["issues"]]
        c.true("no missing log", not any("without a log" in w for w in said))
        c.equal("left out", any("left out by a reduction" in w for w in said),
                info["locations_original"] > len(got["kept"]))
        twin = pathlib.Path(name) / "twin"
        other = harness.ask(program, "reduce", folder, twin, *options, "--threads", 1)
        c.equal("twice", (files_of(twin), other), (after, got))
    return c.problems


def check_never_in_place(program, sample):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "folder").mkdir()
        (top / "file").write_text("mine")
        (top / "link").symlink_to(top / "nowhere")
        for what in ("folder", "file", "link"):
            got = harness.run(program, "reduce", sample, top / what)
            c.true(f"{what}: {got.code} {got.err}", got.code == 1 and "exists" in got.err)
        got = harness.run(program, "reduce", sample, top / "no" / "where")
        c.true(f"no folder: {got.err}", got.code == 1 and "No such" in got.err)
        c.equal("left", sorted(p.name for p in top.iterdir()), ["file", "folder", "link"])
        c.equal("file", (top / "file").read_text(), "mine")
        c.equal("folder", list((top / "folder").iterdir()), [])
    return c.problems


def check_disk_full(program, sample):
    """Stopped at the first log, in the midst of one, and at the names."""
    c = harness.Compare()
    for limit in (100, 5000, 20000):
        with tempfile.TemporaryDirectory() as name:
            def small():
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            got = harness.run(program, "reduce", sample, pathlib.Path(name) / "out",
                              preexec_fn=small)
            c.true(f"{limit}: {got.code} {got.err}",
                   got.code == 1 and "Cannot write" in got.err and got.err.count("\n") == 1)
            c.equal(f"{limit}: left", os.listdir(name), [])
    return c.problems


def check_cancel(program, sample):
    """SIGINT at several moments leaves a whole run, or nothing."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        for i, wait in enumerate((0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12)):
            out = top / str(i) / "out"
            out.parent.mkdir()
            one = subprocess.Popen([program, "reduce", sample, out, "--quiet"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   env={**os.environ, **harness.NO_CACHE})
            time.sleep(wait)
            one.send_signal(signal.SIGINT)
            one.communicate(timeout=harness.TIMEOUT)
            left = os.listdir(out.parent)
            c.true(f"after {wait} s: exit {one.returncode}, {left}", left in ([], ["out"]))
            if left:
                c.equal("whole", harness.run(program, "info", out, "--quiet").code, 0)
                c.true("note", any(n.endswith(".kymo") for n in os.listdir(out)))
    return c.problems


def check_notes(program, sample):
    """A bad note is a note; a kept log that goes missing is a loss."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "out"
        got = harness.ask(program, "reduce", sample, out, "-k", 2)
        note = next(out.glob("*.kymo"))
        good = note.read_text()
        for text, word in (("", "cannot be read"), ("\0\1", "cannot be read"),
                           (good.replace("version=1", "version=2"), "another version"),
                           (good.replace("processors=", "processors=1"), "another run"),
                           (good.replace("kept=", "kept=x"), "cannot be read"),
                           (good.replace("kept=", "kept=999999999999;"), "cannot be read")):
            note.write_text(text)
            said = harness.ask(program, "info", out)["report"]
            what = [i["what"] for i in said["issues"]]
            c.true(f"{text[:20]!r}: {what}", any(word in w or "another version" in w
                                                 for w in what)
                   and any("PEs without a log" in w for w in what))
        note.write_text(good)
        next(p for p in out.iterdir() if is_log(p.name)
             and pe_of(p.name) == got["kept"][0]).unlink()
        said = harness.ask(program, "info", out)["report"]
        c.true(f"lost: {said}", not said["complete"] and any(
            "kept have no log" in i["what"] and i["count"] == 1 for i in said["issues"]))
    return c.problems


def check_refusals(program, root):
    c = harness.Compare()
    data = root / "tests" / "data"
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "out"
        for code, word, *args in (
                (1, "records", data / "jacobi2d-sum-p8", out),
                (1, "stream", data / "streams" / "leanmd-p6.kymostream", out),
                (2, "all PEs", root / "data" / "sample", out, "--locations", "0-3"),
                (2, "one of the two", root / "data" / "sample", out, "--keep", 2,
                 "--outliers", 1),
                (1, "None of the PEs", root / "data" / "sample", out, "--also", "8-99"),
                (2, "RUN OUT", root / "data" / "sample")):
            got = harness.run(program, "reduce", *args, "--quiet")
            c.true(f"{args}: exit {got.code}, {got.err}", got.code == code
                   and word in got.err and got.err.count("\n") == 1 and got.out == b"")
        c.equal("left", os.listdir(name), [])
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    sample = root / "data" / "sample"
    tap = harness.Tap()
    tap.check("refusals", check_refusals, program, root)
    tap.check("in place of nothing", check_never_in_place, program, sample)
    tap.check("disk full", check_disk_full, program, sample)
    tap.check("stopped", check_cancel, program, sample)
    tap.check("notes", check_notes, program, sample)
    for name, folder, _ in harness.cases(root):
        size = sum(p.stat().st_size for p in folder.rglob("*"))
        info = harness.run(program, "info", folder, "--format", "json", "--quiet")
        if info.code == 0 and info.json["kind"] in ("trace", "reduced") and size <= MAX_BYTES \
                and harness.run(program, "clusters", folder, "--quiet").code == 0:
            for options in (["-k", 2, "--keep", "50%"], []):
                with harness.kept_runs():
                    tap.check(f"{name} {options}", check_recording, program, folder, options)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
