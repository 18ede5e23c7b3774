# SPDX-License-Identifier: GPL-3.0-or-later
"""Clusters and extrema: on recordings, and on made runs full of ties, they are
what an independent reading of the published method finds (support/classes.py);
threads change nothing; what cannot be compared is refused in one sentence.

Usage: clusters.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import pathlib
import random
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import classes as method  # noqa: E402
import harness  # noqa: E402

EXTRAS = ("idle", "overhead", "messages", "bytes")


# -- made runs ---------------------------------------------------------------

def write_run(folder, blocks, idle=None, span_us=100000, sends=True):
    """blocks[pe]: a list of (entry method, microseconds), one after another,
    each of which sends as many messages as its entry method's number, or none."""
    n = 1 + max((e for pe in blocks for e, _ in pe), default=0)
    lines = ["PROJECTIONS_ID ", "VERSION 11.0", 'MACHINE "test"', f"PROCESSORS {len(blocks)}",
             "TOTAL_CHARES 1", f"TOTAL_EPS {n}", "TOTAL_MSGS 1", "TOTAL_PSEUDOS 0",
             "TOTAL_EVENTS 0", 'CHARE 0 "Chare" -1']
    lines += [f'ENTRY CHARE {i} "method{i}()" 0 0' for i in range(n)]
    (folder / "made.sts").write_text("\n".join(lines + ["MESSAGE 0 8", "TOTAL_STATS 0", "END"])
                                     + "\n")
    for pe, made in enumerate(blocks):
        time, log, event = 0, ["6 0"], 0
        if idle and idle[pe]:
            log += [f"14 0 {pe}", f"15 {idle[pe]} {pe}"]
            time = idle[pe]
        for entry, us in made:
            log.append(f"2 21 {entry} {time} {len(log)} {pe} 64 0 0 0 0 0 0")
            for _ in range(entry if sends else 0):
                log.append(f"1 21 {entry} {time} {event} {pe} {100 * entry} 0")
                event += 1
            time += us
            log.append(f"3 0 {entry} {time} 0 {pe} 0 0")
        log.append(f"7 {span_us}")
        (folder / f"made.{pe}.log").write_text(
            f"PROJECTIONS-RECORD {len(log)}\n" + "\n".join(log) + "\n")


def random_blocks(rng):
    """Few values, so that distances are equal often."""
    pes, entries = rng.randrange(2, 40), rng.randrange(1, 5)
    most = rng.choice((2, 3, 7, 900))
    return [[(e, rng.randrange(1, most)) for e in range(entries) if rng.random() < 0.8]
            for _ in range(pes)]


# -- checks ------------------------------------------------------------------

def compared(profile):
    """The PEs that are compared: no communication threads beside workers, and
    none whose log was cut away."""
    each = profile["per_location"]
    cut = [p for p in each if not p["activities"] and p["untraced_ns"] > 0
           and p["untraced_ns"] == p["end_ns"] - p["begin_ns"]]
    workers = [p for p in each if p["kind"] == "worker"]
    return [p["location"] for p in (workers or each) if p not in cut]


def check_clusters(c, program, run, k, outliers, *, scale="none", extras=(), limits=(),
                   keep=None):
    options = ["-k", k, *limits, "--scale", scale]
    options += ["--keep", keep] if keep else ["--outliers", outliers] if outliers else []
    options += ["--with", ",".join(extras)] if extras else []
    got = harness.ask(program, "clusters", run, *options)
    profile = harness.ask(program, "profile", run, "--per-location", *limits)
    sent = None
    if {"messages", "bytes"} & set(extras):
        answer = harness.ask(program, "communication", run, *limits)
        sent = {s["location"]: s for s in answer["sent"]}
    pes = compared(profile)
    keys, raw = method.vectors_of(profile, pes, extras, sent)
    rows = method.scaled(raw, scale)
    groups = method.cluster(rows, method.diagonal(rows, k))
    n = (max(0, method.kept_of(keep, len(pes)) - len(groups)) if keep
         else method.outliers_of(outliers or "10%", len(pes)))
    expected = [{"size": len(g), "representative": pes[r], "outliers": [pes[i] for i in o],
                 "members": [pes[i] for i in g]}
                for r, o, g in method.choose(rows, groups, n)]
    what = " ".join(map(str, options))
    c.equal(f"{what}: clusters", [{key: one[key] for key in expected[0]}
                                  for one in got["clusters"]], expected)
    c.equal(f"{what}: kept", got["kept"], sorted(
        pe for one in expected for pe in [one["representative"], *one["outliers"]]))
    c.equal(f"{what}: PEs", (got["pes"], sorted(got["left_out"])), (len(pes), sorted(
        {p["location"] for p in profile["per_location"]} - set(pes))))
    told = [(one["kind"], one["id"]) for one in got["components"]]
    c.equal(f"{what}: components", sorted(told, key=str), sorted(keys, key=str))
    for one, (group, _) in zip(got["clusters"], groups):
        for key, mean in zip(told, one["means"]):
            true = sum(raw[i][keys.index(key)] for i in group) / len(group)
            c.near(f"{what}: mean", mean, true, 1e-6 * (1 + abs(true)))
    silhouette = method.silhouette(rows, groups)
    if silhouette is not None and got["silhouette"] is not None:
        c.near(f"{what}: silhouette", got["silhouette"], silhouette)
    c.equal(f"{what}: no silhouette", got["silhouette"] is None, silhouette is None)
    return got


def check_further(c, program, run, k, outliers, union, *, by_spread=True, path=True):
    """Outliers by spread, the union of choices by one figure each, PEs on the
    critical path."""
    options = ["-k", k, "--outliers", outliers, "--quota", "spread" if by_spread else "size"]
    options += ["--union", ",".join(union)] if union else []
    options += ["--critical-path"] if path else []
    got = harness.ask(program, "clusters", run, *options)
    profile = harness.ask(program, "profile", run, "--per-location")
    sent = {s["location"]: s for s in harness.ask(program, "communication", run)["sent"]}
    pes = compared(profile)
    n = method.outliers_of(outliers, len(pes))
    _, raw = method.vectors_of(profile, pes, union, sent)
    vectors = [row[:len(row) - len(union)] for row in raw]
    groups = method.cluster(vectors, method.diagonal(vectors, k))
    chosen = method.choose(vectors, groups, n, by_spread)
    kept = {}
    if path:
        on_path = harness.ask(program, "critical-path", run)["locations"]
        kept.update({p["location"]: "critical-path" for p in on_path if p["steps"]})
    for i in range(len(union)):
        alone = [[row[len(row) - len(union) + i]] for row in raw]
        of_one = method.cluster(alone, method.diagonal(alone, k))
        for stands, out, _ in method.choose(alone, of_one, n, by_spread):
            kept.update({pes[i]: "union" for i in [stands, *out]})
    for stands, out, _ in chosen:
        kept.update({pes[i]: "outlier" for i in out})
        kept[pes[stands]] = "representative"
    what = " ".join(map(str, options))
    c.equal(f"{what}: outliers", [one["outliers"] for one in got["clusters"]],
            [[pes[i] for i in o] for _, o, _ in chosen])
    c.equal(f"{what}: kept as", {p["location"]: p["kept_as"] for p in got["locations"]
                                 if p["kept_as"]}, kept)
    c.equal(f"{what}: kept", got["kept"], sorted(kept))
    c.equal(f"{what}: told", (got["quota"], got["union"], got["critical_path"]),
            ("spread" if by_spread else "size", ",".join(union), path))
    plain = harness.ask(program, "clusters", run, "-k", k, "--outliers", outliers)
    c.equal(f"{what}: clusters", [one["members"] for one in got["clusters"]],
            [one["members"] for one in plain["clusters"]])


def check_threads(c, program, run, *options):
    answers = {harness.run(program, "clusters", run, *options, "--threads", n,
                           "--format", "json", "--quiet").out for n in (1, 2, 5)}
    c.equal(f"clusters {options} by 1, 2 and 5 threads", len(answers), 1)


def check_extrema(c, program, run, limits=()):
    profile = harness.ask(program, "profile", run, "--per-location", *limits)
    pes = compared(profile)
    each = {p["location"]: p for p in profile["per_location"]}
    for by, key, sign in (("busy", "busy_ns", -1), ("most-idle", "idle_ns", -1),
                          ("least-idle", "idle_ns", 1), ("overhead", "overhead_ns", -1)):
        got = harness.ask(program, "extrema", run, "--by", by, "--count", 3, *limits)
        order = sorted(pes, key=lambda pe: (sign * each[pe][key], pe))[:3]
        c.equal(by, [(p["location"], p["value_ns"]) for p in got["extrema"]],
                [(pe, each[pe][key]) for pe in order])


def check_blocks(c, program, run):
    """Of the whole run all blocks are known to the profile, too."""
    profile = harness.ask(program, "profile", run, "--per-location")
    pes = compared(profile)
    each = {p["location"]: p for p in profile["per_location"]}
    count = {pe: sum(a["blocks"] for a in each[pe]["activities"]) for pe in pes}
    got = harness.ask(program, "extrema", run, "--by", "grain", "--count", 10000)["extrema"]
    c.equal("blocks", {p["location"]: p["blocks"] for p in got},
            {pe: n for pe, n in count.items() if n})
    order = sorted((pe for pe in pes if count[pe]),
                   key=lambda pe: (-Fraction(each[pe]["busy_ns"], count[pe]), pe))
    c.equal("grain", [p["location"] for p in got], order)
    c.true("mean blocks", all(abs(p["value_ns"] * p["blocks"] - each[p["location"]]["busy_ns"])
                              <= p["blocks"] for p in got))
    if len(pes) == len(each):
        longest = [(a["max_ns"], a["id"]) for a in profile["activities"]
                   if a["kind"] == "entry" and a["blocks"]]
        first = harness.ask(program, "extrema", run, "--by", "longest", "--count", 1)["extrema"]
        c.true("longest", [p["value_ns"] for p in first] == [max(longest)[0]][:len(first)]
               and all((p["value_ns"], p["id"]) in longest for p in first))


def check_messages(c, program, run):
    answer = harness.ask(program, "communication", run)
    sent = {s["location"]: s for s in answer["sent"]}
    received = {}
    for pair in answer["matrix"]:
        count, size = received.get(pair["to"], (0, 0))
        received[pair["to"]] = (count + pair["messages"], size + pair["bytes"])
    for by, key, value in (
            ("sent", "value", lambda pe: sent[pe]["destinations"]),
            ("bytes-sent", "value_bytes", lambda pe: sent[pe]["bytes"]),
            ("received", "value", lambda pe: received.get(pe, (0, 0))[0]),
            ("bytes-received", "value_bytes", lambda pe: received.get(pe, (0, 0))[1])):
        got = harness.ask(program, "extrema", run, "--by", by, "--count", 10000)["extrema"]
        c.equal(by, [(p["location"], p[key]) for p in got],
                sorted(((p["location"], value(p["location"])) for p in got),
                       key=lambda pair: (-pair[1], pair[0])))


def check_recording(program, folder):
    c = harness.Compare()
    info = harness.ask(program, "info", folder)
    for k in (1, 3, 5, 10):
        check_clusters(c, program, folder, k, None)
    check_clusters(c, program, folder, 4, "26", scale="range")
    check_clusters(c, program, folder, 4, None, scale="stddev", extras=("idle", "overhead"),
                   keep="40%")
    if "messages" in info["capabilities"]:
        check_clusters(c, program, folder, 4, "20%", extras=EXTRAS, scale="range")
        check_messages(c, program, folder)
        check_blocks(c, program, folder)
        if info["kind"] == "trace":
            check_further(c, program, folder, 3, "20%", EXTRAS)
            check_further(c, program, folder, 2, "1", ("idle",), by_spread=False, path=False)
    middle = (info["begin_ns"] + info["end_ns"]) // 2
    check_clusters(c, program, folder, 3, None, limits=("--from", middle))
    check_extrema(c, program, folder)
    check_threads(c, program, folder, "-k", "2-6", "--seeding", "k-means++")
    return c.problems


def check_made(program, seed):
    c, rng = harness.Compare(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder, blocks = pathlib.Path(name), random_blocks(rng)
        write_run(folder, blocks, [rng.randrange(4) for _ in blocks])
        for k in (1, 2, rng.randrange(3, 9), len(blocks), len(blocks) + 3):
            check_clusters(c, program, folder, k, rng.choice(("0", "3", "35%", "100%", "1000")))
        check_clusters(c, program, folder, 3, None, keep=rng.choice(("1", "10%", "5")))
        two = sorted(rng.sample(EXTRAS, 2), key=EXTRAS.index)
        check_clusters(c, program, folder, 4, "2", extras=two)
        check_further(c, program, folder, rng.randrange(2, 6), rng.choice(("2", "30%", "90%")),
                      two)
        check_extrema(c, program, folder)
        check_messages(c, program, folder)
        check_blocks(c, program, folder)
        if seed % 4 == 0:
            for seeding in ("diagonal", "random", "k-means++"):
                check_threads(c, program, folder, "-k", 4, "--seeding", seeding)
    return c.problems


def check_degenerate(program):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_run(folder, [[(0, 5)]] * 6)
        got = check_clusters(c, program, folder, 4, "2")
        c.equal("all equal", (len(got["clusters"]), got["kept"]), (1, [0, 1, 2]))
        got = check_clusters(c, program, folder, 20, "0")
        c.equal("more seeds than PEs", len(got["clusters"]), 1)
        got = check_clusters(c, program, folder, 3, "1", limits=("--from", 50000, "--to", 50001))
        c.equal("nothing ran", (len(got["clusters"]), got["components"]), (1, []))
        one = harness.run(program, "clusters", folder, "--locations", "3")
        c.true("one PE is refused", one.code == 1 and "of one only" in one.err)
        one = harness.run(program, "extrema", folder, "--locations", "3")
        c.true("extrema of one PE are refused", one.code == 1 and "of one only" in one.err)
    return c.problems


def check_tight(program):
    """Of a tight cluster and a wide one of as many PEs the wide one gives the
    outliers; what it has no room for comes from the other."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_run(folder, [[(0, 100 + i % 2)] for i in range(6)]
                  + [[(0, 5000 + 300 * i)] for i in range(6)])
        for n, quota in ((4, [0, 4]), (5, [0, 5]), (7, [2, 5])):
            got = harness.ask(program, "clusters", folder, "-k", 2, "--outliers", n, "--quota",
                              "spread")
            c.equal(f"{n} outliers", [len(x["outliers"]) for x in got["clusters"]], quota)
        got = harness.ask(program, "clusters", folder, "-k", 2, "--outliers", 4)
        c.equal("by size", [len(x["outliers"]) for x in got["clusters"]], [2, 2])
    return c.problems


def check_tie(program):
    """PE 1 lies between two seeds; the two of each cluster are as near to its
    mean; each of four is as far away."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_run(folder, [[(0, 10)], [(0, 20)], [(0, 30)]])
        got = check_clusters(c, program, folder, 2, "1")
        c.equal("tie", [(x["members"], x["representative"], x["outliers"])
                        for x in got["clusters"]], [([0, 1], 0, [1]), ([2], 2, [])])
    return c.problems


def check_seedings(program, folder):
    """A seed always gives the same; the best of a range is what it is alone."""
    c = harness.Compare()
    for seeding in ("random", "k-means++"):
        one, two = (harness.run(program, "clusters", folder, "-k", 4, "--seeding", seeding,
                                "--seed", 7, "--format", "json").out for _ in range(2))
        c.equal(f"{seeding}, twice", one, two)
    best = harness.ask(program, "clusters", folder, "-k", "2-7")
    alone = [harness.ask(program, "clusters", folder, "-k", k) for k in range(2, 8)]
    c.equal("tried", [t["silhouette"] for t in best["tried"]],
            [a["silhouette"] for a in alone])
    first = max(alone, key=lambda a: a["silhouette"] if a["silhouette"] is not None else -2)
    c.equal("best", best["clusters"], first["clusters"])
    return c.problems


def check_refusals(program, root):
    c = harness.Compare()
    stream = root / "tests" / "data" / "streams" / "leanmd-p6.kymostream"
    sample, summary = root / "data" / "sample", root / "tests" / "data" / "jacobi2d-sum-p8"
    for code, word, *args in (
            (1, "stream", "clusters", stream), (1, "stream", "extrema", stream),
            (2, "number of clusters", "clusters", sample, "-k", 0),
            (2, "number of clusters", "clusters", sample, "-k", "7-3"),
            (2, "number of PEs", "clusters", sample, "--outliers", "101%"),
            (2, "one of the two", "clusters", sample, "--outliers", 1, "--keep", 2),
            (2, "component", "clusters", sample, "--with", "idle,luck"),
            (2, "range", "clusters", sample, "--scale", "log"),
            (2, "spread", "clusters", sample, "--quota", "luck"),
            (2, "component", "clusters", sample, "--union", "luck"),
            (1, "summary", "clusters", summary, "--critical-path"),
            (1, "summary", "clusters", summary, "--union", "messages"),
            (2, "busy", "extrema", sample, "--by", "luck"),
            (1, "summary", "clusters", summary, "--with", "bytes"),
            (1, "summary", "extrema", summary, "--by", "longest")):
        got = harness.run(program, *args, "--quiet")
        c.true(f"{args}: exit {got.code}, {got.err}",
               got.code == code and word in got.err and got.err.count("\n") == 1
               and got.out == b"")
    before = harness.run(program, "--scale", "range", "clusters", sample, "--quiet")
    c.equal("options stand anywhere", before.code, 0)
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 24
    tap = harness.Tap()
    tap.check("degenerate", check_degenerate, program)
    tap.check("ties", check_tie, program)
    tap.check("tight clusters", check_tight, program)
    tap.check("seedings", check_seedings, program, root / "data" / "sample")
    tap.check("refusals", check_refusals, program, root)
    for name, folder, truth in harness.cases(root):
        info = harness.run(program, "info", folder, "--format", "json", "--quiet")
        if info.code == 0 and info.json["kind"] != "stream" and info.json["locations"] >= 4:
            with harness.kept_runs():
                tap.check(name, check_recording, program, folder)
    for seed in range(first, first + n):
        tap.check(f"made run {seed}", check_made, program, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
