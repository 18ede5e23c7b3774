# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a reduced run is off when it is extrapolated: what `reduce` tells and
writes down is what a slow second reader finds of the logs, and what the reduced
run itself tells; and `reduce --error` keeps the smallest set within the bound,
found once more by trying all of them.

Usage: reduce-error.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]: made runs; with 0 of them
the recorded ones
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import classes as method  # noqa: E402
import harness  # noqa: E402
import reference  # noqa: E402
import weights  # noqa: E402

SEEDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50)
MAX_BYTES = 3 << 20
KINDS = ("idle", "overhead", "untraced")


# -- made runs ---------------------------------------------------------------

def write_run(folder, logs, smp=None):
    """logs[pe]: a list of (state, microseconds): an entry method's number, or
    "idle", or "overhead", one after another."""
    entries = 1 + max((s for log in logs for s, _ in log if isinstance(s, int)), default=0)
    lines = ["PROJECTIONS_ID ", "VERSION 11.0", 'MACHINE "test"', f"PROCESSORS {len(logs)}"]
    lines += [f"SMPMODE {smp[0]} {smp[1]}"] if smp else []
    lines += ["TOTAL_CHARES 1", f"TOTAL_EPS {entries}", "TOTAL_MSGS 1", "TOTAL_PSEUDOS 0",
              "TOTAL_EVENTS 0", 'CHARE 0 "Chare" -1']
    lines += [f'ENTRY CHARE {i} "method{i}()" 0 0' for i in range(entries)]
    (folder / "made.sts").write_text(
        "\n".join(lines + ["MESSAGE 0 8", "TOTAL_STATS 0", "END"]) + "\n")
    for pe, log in enumerate(logs):
        at, records = 0, ["6 0"]
        for state, us in log:
            begin, at = at, at + us
            if state == "idle":
                records += [f"14 {begin} {pe}", f"15 {at} {pe}"]
            elif state != "overhead":
                records += [f"2 21 {state} {begin} {len(records)} {pe} 64 0 0 0 0 0 0",
                            f"3 0 {state} {at} 0 {pe} 0 0"]
        records.append(f"7 {at}")
        (folder / f"made.{pe}.log").write_text(
            f"PROJECTIONS-RECORD {len(records)}\n" + "\n".join(records) + "\n")


def random_logs(rng, pes):
    """A few classes of PEs, each with noise; all of them last as long or not."""
    entries, steps = rng.randrange(1, 5), rng.randrange(1, 30)
    states = list(range(entries)) + ["idle", "overhead"]
    plans = [[(rng.choice(states), rng.randrange(1, 200)) for _ in range(steps)]
             for _ in range(rng.randrange(1, 4))]
    noise = rng.choice((0, 3, 60))
    return [[(s, us + rng.randrange(noise + 1)) for s, us in rng.choice(plans)]
            for _ in range(pes)]


# -- checks ------------------------------------------------------------------

def check_errors(c, program, folder, out, got, run):
    """Of the choice `got`, written to `out`: figures against two others."""
    begin, end = got["begin_ns"], got["end_ns"]
    pes = sorted({pe for one in got["clusters"] for pe in one["members"]})
    noted = weights.noted_weights(out)
    c.equal("sum of weights", sum(noted.values()), got["stands_for"] * 1000000)
    c.equal("stands for", got["stands_for"], len(pes))
    profiles = weights.Profiles(run, pes, begin, end)
    error = profiles.error({pe: w / 1000000 for pe, w in noted.items()})
    c.equal("time", got["time_profile_error"] is None, error is None)
    if error is not None:
        c.near("time profile", got["time_profile_error"], error, profiles.rounding())
    span = ["--from", begin, "--to", end]
    told = {(a["kind"], a["id"]): a["exclusive_ns"] for a in harness.ask(
        program, "profile", out, "--extrapolate", *span)["activities"]}
    true = {(a["kind"], a["id"]): a["exclusive_ns"] for a in harness.ask(
        program, "profile", folder, "--locations", ",".join(map(str, pes)), *span)["activities"]}
    seen = {(e["kind"], e["id"]): e for e in got["errors"]}
    for key in told.keys() | true.keys():
        pair = true.get(key, 0), told.get(key, 0)
        if key in seen:
            e = seen[key]
            c.equal(f"errors of {key}", (e["true_ns"], e["estimated_ns"]), pair)
            c.true(f"error of {key}", e["error"] is None if pair[0] == 0
                   else abs(e["error"] - (pair[1] / pair[0] - 1)) < 1e-9)
        else:
            c.equal(f"no errors of {key}", pair, (0, 0))
    note = weights.read_note(out)
    c.equal("note: errors", {k: tuple(map(int, v.split(";")[:2]))
                             for k, v in note["Error of entries"].items()},
            {str(e["id"]) if e["kind"] == "entry" else e["kind"]:
             (e["true_ns"], e["estimated_ns"]) for e in got["errors"]
             if e["kind"] in KINDS or (e["kind"] == "entry" and e["id"] >= 0)})
    told = note["Error"]
    c.equal("note: time", (int(told["begin_ns"]), int(told["end_ns"]), int(told["bars"])),
            (begin, end, got["bars"]))
    c.true("note: time profile", float(told["time_profile"]) == got["time_profile_error"]
           or (told["time_profile"] == "nan" and got["time_profile_error"] is None))
    return profiles


def reduce(program, folder, top, *options):
    out = pathlib.Path(tempfile.mkdtemp(dir=top)) / "out"
    return out, harness.ask(program, "reduce", folder, out, *options)


def check_bound(c, program, folder, out, got, bound, run):
    profiles = check_errors(c, program, folder, out, got, run)
    c.true(f"{bound}: {got['time_profile_error']}", got["time_profile_error"] <= bound)
    c.equal("told", (got["wished_error"], float(weights.read_note(out)["Error"]["wished"])),
            (bound, bound))
    again = harness.ask(program, "clusters", folder, "-k", got["k"], "--outliers",
                        got["outliers"], "--from", got["begin_ns"], "--to", got["end_ns"])
    c.equal("chosen", (again["kept"], again["clusters"]), (got["kept"], got["clusters"]))
    c.equal("so many", len(got["kept"]), len(got["clusters"]) + got["outliers"])
    return profiles


def candidates(program, folder, pes, span):
    """By the published method, slowly: (n, k, weights) of all sets."""
    _, rows = method.vectors_of(harness.ask(program, "profile", folder, "--per-location", *span),
                                pes)
    for k in SEEDS:
        if k > len(pes):
            return
        groups = method.cluster(rows, method.diagonal(rows, k))
        for outliers in range(len(pes) - len(groups) + 1):
            chosen = method.choose(rows, groups, outliers)
            table = []
            for at, (stands, far, group) in enumerate(chosen):
                table += [{"location": pes[i], "cluster": at,
                           "vector": rows[i],
                           "kept_as": "kept" if i == stands or i in far else None}
                          for i in group]
            yield len(groups) + outliers, k, weights.weights_of(
                sorted(table, key=lambda p: p["location"]))


def check_smallest(program, seed):
    """No smaller set is within the bound, nor one as large with less error."""
    c, rng = harness.Compare(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "run"
        folder.mkdir()
        pes = list(range(rng.randrange(2, 14)))
        write_run(folder, random_logs(rng, len(pes)))
        run = reference.read_run(folder)
        if all(p.state == reference.UNTRACED for l in run.values() for p in l.pieces):
            got = harness.run(program, "reduce", folder, pathlib.Path(name) / "out", "--quiet")
            c.equal("no PE that was recorded", got.code, 1)
            return c.problems
        sets = None
        for bound in (0.3, 0.1, 0.03, 0.002):
            out, got = reduce(program, folder, name, "--error", bound)
            profiles = check_bound(c, program, folder, out, got, bound, run)
            if sets is None:
                span = ["--from", got["begin_ns"], "--to", got["end_ns"]]
                sets = [(n, profiles.error(w), k)
                        for n, k, w in candidates(program, folder, pes, span)]
            slack = profiles.rounding() + 2e-6
            for n, error, k in sets:
                if n < len(got["kept"]):
                    c.true(f"{bound}: {n} PEs with k = {k} are {error} off, kept are "
                           f"{len(got['kept'])}", error > bound - slack)
                elif n == len(got["kept"]):
                    c.true(f"{bound}: k = {k}, {error} is less than that of {got['k']}",
                           error >= got["time_profile_error"] - slack)
    return c.problems


def check_recording(program, folder, bounds):
    c, run = harness.Compare(), reference.read_run(folder)
    with tempfile.TemporaryDirectory() as name:
        out, got = reduce(program, folder, name)
        check_errors(c, program, folder, out, got, run)
        third = (got["end_ns"] - got["begin_ns"]) // 3
        span = ["--from", got["begin_ns"] + third, "--to", got["end_ns"] - third]
        check_errors(c, program, folder, *reduce(program, folder, name, "-k", 3, *span), run)
        for bound in bounds:
            options = ["--error", bound] + (span if bound == bounds[-1] else [])
            check_bound(c, program, folder, *reduce(program, folder, name, *options), bound, run)
    return c.problems


def check_more_kept(program, folder):
    """What is kept for other reasons comes on top, and counts in the error."""
    c, run = harness.Compare(), reference.read_run(folder)
    more = ["--quota", "spread", "--union", "idle,bytes", "--critical-path"]
    with tempfile.TemporaryDirectory() as name:
        for options in (["-k", 2, "--outliers", 1], ["--error", 0.4], ["--error", 0.25]):
            out, got = reduce(program, folder, name, *options, *more)
            check_errors(c, program, folder, out, got, run)
            again = harness.ask(program, "clusters", folder, "-k", got["k"], "--outliers",
                                got["outliers"], *more)
            c.equal(f"{options}: kept", got["kept"], again["kept"])
            told = weights.read_note(out)["Parameters"]
            c.equal("parameters", [told[key] for key in ("quota", "union", "critical_path")],
                    ["spread", "idle,bytes", "true"])
            if options[0] == "--error":
                c.true(f"{options}: {got['time_profile_error']}",
                       got["time_profile_error"] <= options[1])
    return c.problems


def check_again(program, folder):
    """A reduced run, reduced again, stands for all PEs of the first one."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        first, one = reduce(program, folder, name, "--keep", "75%")
        second, two = reduce(program, first, name, "-k", 2, "--outliers", 1)
        c.equal("stands for", (two["stands_for"], two["pes"]),
                (one["stands_for"], len(one["kept"])))
        noted = weights.noted_weights(second)
        c.equal("sum", sum(noted.values()), one["stands_for"] * 1000000)
        kept = {(e["kind"], e["id"]): e for e in one["errors"]}
        for e in two["errors"]:
            c.equal("truth", e["true_ns"], kept[e["kind"], e["id"]]["true_ns"])
        told = {(a["kind"], a["id"]): a["exclusive_ns"] for a in harness.ask(
            program, "profile", second, "--extrapolate")["activities"]}
        for e in two["errors"]:
            c.equal("estimate", e["estimated_ns"], told.get((e["kind"], e["id"]), 0))
        c.true("not less off", two["time_profile_error"] >= one["time_profile_error"])
        third, all_of = reduce(program, first, name, "--keep", "100%")
        c.equal("all of it", (weights.noted_weights(third), all_of["time_profile_error"]),
                (weights.noted_weights(first), one["time_profile_error"]))
        bound = one["time_profile_error"]
        got = harness.run(program, "reduce", first, pathlib.Path(name) / "no", "--error",
                          bound / 2, "--quiet")
        c.true(f"beyond: {got.code} {got.err}", got.code == 1 and "already" in got.err
               and got.err.count("\n") == 1)
        _, same = reduce(program, first, name, "--error", min(bound + 0.4, 1))
        c.true("within", same["time_profile_error"] <= min(bound + 0.4, 1))
    return c.problems


def check_part(program, folder):
    """A part of a run, reduced, is about that time still."""
    c = harness.Compare()
    info = harness.ask(program, "info", folder)
    third = (info["end_ns"] - info["begin_ns"]) // 3
    with tempfile.TemporaryDirectory() as name:
        part = pathlib.Path(name) / "part"
        done = harness.run(program, "extract", folder, part, "--from", info["begin_ns"] + third,
                           "--to", info["end_ns"] - third)
        c.equal("extract", done.code, 0)
        out, got = reduce(program, part, name, "--keep", "50%")
        whole, reduced = harness.ask(program, "info", part), harness.ask(program, "info", out)
        c.equal("span", (reduced["begin_ns"], reduced["end_ns"]),
                (whole["begin_ns"], whole["end_ns"]))
        told = {(a["kind"], a["id"]): a["exclusive_ns"] for a in harness.ask(
            program, "profile", out, "--extrapolate")["activities"]}
        for e in got["errors"]:
            c.equal("estimate", e["estimated_ns"], told.get((e["kind"], e["id"]), 0))
    return c.problems


def check_all_kept(program, folder):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        out, got = reduce(program, folder, name, "--keep", "100%")
        c.equal("weights", set(weights.noted_weights(out).values()), {1000000})
        c.equal("no error", (got["time_profile_error"],
                             {e["error"] for e in got["errors"]} - {None}), (0, {0}))
    return c.problems


def check_threads_of_communication(program):
    """They are no PEs that stand for others: their logs are left out."""
    c, rng = harness.Compare(), random.Random(5)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "run"
        folder.mkdir()
        logs = random_logs(rng, 10)
        write_run(folder, logs[:8] + [[(0, 5000)], [(0, 4000)]], smp=(4, 2))
        run = reference.read_run(folder)
        for options in ((), ("--error", 0.2)):
            out, got = reduce(program, folder, name, *options)
            c.equal("PEs", (got["pes"], got["stands_for"]), (8, 8))
            c.true("kept", max(got["kept"]) < 8)
            check_errors(c, program, folder, out, got, run)
    return c.problems


def check_refusals(program, sample):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "run").mkdir()
        write_run(top / "run", [[(0, 100), ("idle", 50)]])
        for code, word, *args in (
                (2, "--clusters is not", sample, top / "out", "--error", "2%", "-k", 3),
                (2, "--outliers is not", sample, top / "out", "--error", "2%", "--outliers", 3),
                (2, "--keep is not", sample, top / "out", "--error", "2%", "--keep", 3),
                (2, "0 leaves all", sample, top / "out", "--error", "0"),
                (2, "--error", sample, top / "out", "--error", "much"),
                (2, "200% bounds nothing", sample, top / "out", "--error", "2"),
                (1, "not in the run", sample, top / "out", "--error", "2%", "--from", "100s",
                 "--to", "101s"),
                (1, "not in the run", sample, top / "out", "--from", "100s", "--to", "101s"),
                (1, "of one only", top / "run", top / "out"),
                (1, "of one only", top / "run", top / "out", "--error", "2%"),
                (1, "exists", sample, top / "run", "--error", "2%")):
            got = harness.run(program, "reduce", *args, "--quiet")
            c.true(f"{args}: exit {got.code}, {got.err}", got.code == code
                   and word in got.err and got.err.count("\n") == 1 and got.out == b"")
        c.equal("left", os.listdir(top), ["run"])
    return c.problems


def check_cancel(program):
    """SIGINT in the midst of the search leaves nothing."""
    c, rng = harness.Compare(), random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "run"
        folder.mkdir()
        write_run(folder, [[(rng.randrange(6), rng.randrange(1, 200)) for _ in range(100)]
                           for _ in range(400)])
        for i, wait in enumerate((0.1, 0.2, 0.4)):
            out = pathlib.Path(name) / str(i) / "out"
            out.parent.mkdir()
            one = subprocess.Popen([program, "reduce", folder, out, "--error", "0.01%", "--quiet"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   env={**os.environ, **harness.NO_CACHE})
            time.sleep(wait)
            one.send_signal(signal.SIGINT)
            sent = time.monotonic()
            one.communicate(timeout=harness.TIMEOUT)
            c.true(f"after {wait} s: exit {one.returncode}", one.returncode in (130, 0, -2))
            c.true("soon", time.monotonic() - sent < 5)
            c.true("left", one.returncode == 0 or os.listdir(out.parent) == [])
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 6
    part = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    sample = root / "data" / "sample"
    tap = harness.Tap()
    for seed in range(first, first + n):
        tap.check(f"smallest, seed {seed}", check_smallest, program, seed)
    if n > 0:
        tap.check("refusals", check_refusals, program, sample)
        tap.check("stopped", check_cancel, program)
        tap.check("all are kept", check_all_kept, program, sample)
        tap.check("more are kept", check_more_kept, program, sample)
        tap.check("a part of a run", check_part, program, sample)
        tap.check("reduced again", check_again, program, sample)
        tap.check("communication threads", check_threads_of_communication, program)
        return tap.end()
    for name, folder, _ in list(harness.cases(root))[part::2 * harness.PART]:
        size = sum(p.stat().st_size for p in folder.rglob("*"))
        if size > MAX_BYTES or reference.read_run(folder) is None \
                or harness.run(program, "clusters", folder, "--quiet").code != 0:
            continue
        info = harness.ask(program, "info", folder)
        if info["kind"] in ("trace", "reduced"):
            tap.check(name, check_recording, program, folder, (0.5, 0.1, 0.02))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
