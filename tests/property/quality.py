# SPDX-License-Identifier: GPL-3.0-or-later
"""The proportionality test: `quality` is what a second reader of the logs finds
block by block, for recordings and for copies that lack some of their PEs.

Usage: quality.py KYMO-CLI SOURCE-ROOT
"""
import math
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import reference  # noqa: E402

GRAIN, BARS = 100000, 100
MAX_BYTES = 8 << 20                    # the second reader is slow


def bars_of(location):
    """Bars of 0.1 ms from 0.1 ms on; the last has no end."""
    bars = [0] * BARS
    for _, duration in location.durations():
        if duration >= GRAIN:
            bars[min(duration // GRAIN - 1, BARS - 1)] += 1
    return bars


def total(bars):
    return [sum(column) for column in zip(*bars)]


def check_figures(c, what, got, original, reduced):
    """By definition; sums rounded once."""
    ratios = [r / o for o, r in zip(original, reduced) if o]
    c.equal(f"{what}: original", [b["original"] for b in got["bars"]], original)
    c.equal(f"{what}: reduced", [b["reduced"] for b in got["bars"]], reduced)
    c.equal(f"{what}: edges", [(b["begin_ns"], b["end_ns"]) for b in got["bars"]],
            [(GRAIN * i, GRAIN * (i + 1) if i < BARS else None) for i in range(1, BARS + 1)])
    c.equal(f"{what}: ratios", [b["ratio"] is None for b in got["bars"]],
            [o == 0 for o in original])
    c.equal(f"{what}: compared", got["bars_compared"], len(ratios))
    if not ratios:
        c.equal(f"{what}: nothing", (got["mean_ratio"], got["stddev"]), (None, None))
        return
    mean = math.fsum(ratios) / len(ratios)
    c.near(f"{what}: mean", got["mean_ratio"], mean, 1e-9 * (1 + mean))
    c.near(f"{what}: stddev", got["stddev"],
           math.sqrt(math.fsum((r - mean) ** 2 for r in ratios) / len(ratios)),
           1e-9 * (1 + mean))
    for bar, told in zip([r / o if o else None for o, r in zip(original, reduced)],
                         got["bars"]):
        if bar is not None:
            c.near(f"{what}: ratio", told["ratio"], bar, 1e-9 * (1 + bar))


def pe_of(path):
    name = path.name[:-3] if path.name.endswith(".gz") else path.name
    return int(name.split(".")[-2])


def check_recording(program, folder, run):
    c = harness.Compare()
    comm = reference.comm_threads(folder, run)
    each = {pe: bars_of(location) for pe, location in run.items()}
    # Communication threads are in no share of PEs, and so in no bar.
    whole = total(each[pe] for pe in set(run) - comm or run)
    got = harness.ask(program, "quality", folder, folder)
    check_figures(c, "itself", got, whole, whole)
    if got["bars_compared"]:
        c.equal("itself", (got["mean_ratio"], got["stddev"]), (1, 0))
    c.equal("itself: PEs", got["pes"], got["pes_kept"])
    rng = random.Random(len(run))
    workers = sorted(pe for pe in set(run) - comm
                     if any(p.state != reference.UNTRACED for p in run[pe].pieces))
    c.equal("PEs with a trace", got["pes"], len(workers))
    if not workers:
        c.equal("no share", got["share"], None)
        return c.problems
    kept = set(rng.sample(workers, max(1, len(workers) // 3)))
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / "copy"
        shutil.copytree(folder, copy)
        for log in [*copy.rglob("*.log"), *copy.rglob("*.log.gz")]:
            if pe_of(log) not in kept:
                log.unlink()
        got = harness.ask(program, "quality", folder, copy)
        check_figures(c, "some PEs", got, whole, total(each[pe] for pe in kept))
        c.equal("some PEs", (got["pes"], got["pes_kept"]), (len(workers), len(kept)))
        c.near("share", got["share"], len(kept) / len(workers))
        answers = {harness.run(program, "quality", folder, copy, "--threads", n, "--format",
                               "json", "--quiet").out for n in (1, 2, 5)}
        c.equal("by 1, 2 and 5 threads", len(answers), 1)
        for form, word in (("text", "Mean ratio" if got["bars_compared"] else "nothing"),
                           ("csv", "original")):
            out = harness.run(program, "quality", folder, copy, "--format", form, "--quiet")
            c.true(f"{form}: {out.err}", out.code == 0 and word in out.out.decode())
    return c.problems


def check_refusals(program, root):
    c = harness.Compare()
    sample, data = root / "data" / "sample", root / "tests" / "data"
    stream = data / "streams" / "leanmd-p6.kymostream"
    for code, word, *args in (
            (1, "stream", sample, stream), (1, "stream", stream, sample),
            (1, "summary", sample, data / "jacobi2d-sum-p8"),
            (1, "summary", data / "jacobi2d-sum-p8", sample),
            (1, "must be the original", data / "feat-p4-text", sample),
            (1, "nowhere", sample, "nowhere"), (1, "nowhere", "nowhere", sample),
            (2, "FULL REDUCED", sample)):
        got = harness.run(program, "quality", *args, "--quiet")
        c.true(f"{args}: exit {got.code}, {got.err}",
               got.code == code and word in got.err and got.err.count("\n") == 1
               and got.out == b"")
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    tap.check("refusals", check_refusals, program, root)
    for name, folder, _ in harness.cases(root):
        info = harness.run(program, "info", folder, "--format", "json", "--quiet")
        size = sum(p.stat().st_size for p in folder.rglob("*"))
        if info.code or info.json["kind"] != "trace" or size > MAX_BYTES:
            continue
        run = reference.read_run(folder)
        if run:
            with harness.kept_runs():
                tap.check(name, check_recording, program, folder, run)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
