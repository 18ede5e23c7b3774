# SPDX-License-Identifier: GPL-3.0-or-later
"""What the values of PEs are made of, and where PEs lie in a plane: parts add
up to their value and are what other answers tell; the two strongest directions
are those that a slow independent method (Jacobi's over the whole covariance, in
Python) finds; threads change nothing.

Usage: extrema.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import json
import math
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import clusters as made  # noqa: E402
import harness  # noqa: E402

TIMES = ("busy", "most-idle", "least-idle", "overhead")
BLOCKS = ("longest", "grain")
MESSAGES = ("sent", "received", "bytes-sent", "bytes-received")
VALUES = ("value_ns", "value", "value_bytes")


def value_of(line):
    return next(line[key] for key in VALUES if key in line)


def check_parts(c, program, run, by, limits=()):
    got = harness.ask(program, "extrema", run, "--by", by, "--stacked", "--count", 100000,
                      *limits)
    plain = harness.ask(program, "extrema", run, "--by", by, "--count", 100000, *limits)
    whole = by in TIMES[1:]
    each = {p["location"]: p for p in harness.ask(
        program, "profile", run, "--per-location", *limits)["per_location"]}
    c.equal(f"{by}: without parts", [{k: v for k, v in one.items() if k != "parts"}
                                     for one in got["extrema"]], plain["extrema"])
    for one in got["extrema"]:
        pe, parts, value = each[one["location"]], one["parts"], value_of(one)
        total = sum(p["value"] for p in parts)
        c.true(f"{by}: parts above 0", all(p["value"] > 0 for p in parts))
        c.equal(f"{by}: sum of parts", total, pe["end_ns"] - pe["begin_ns"] if whole else value)
        entries = [p for p in parts if p["kind"] == "entry"]
        c.equal(f"{by}: largest first", entries, sorted(entries, key=lambda p: -p["value"]))
        if by in TIMES:
            c.equal(f"{by}: entry methods", sorted((p["id"], p["value"]) for p in entries),
                    sorted((a["id"], a["exclusive_ns"]) for a in pe["activities"]
                           if a["exclusive_ns"] > 0))
        if whole and value > 0:
            c.equal(f"{by}: first", (parts[0]["kind"], parts[0]["value"]),
                    ("overhead" if by == "overhead" else "idle", value))
        if by == "longest" and value > 0:
            c.equal("longest: its entry method", [(p["id"], p["name"]) for p in parts],
                    [(one["id"], one["name"])])
    return got


def check_order(c, program, run):
    """The chosen ones are the same; kept is what clusters says."""
    by_value, by_place = (harness.ask(program, "extrema", run, "--order", order, "--count", 5,
                                      "--kept", "-k", 3) for order in ("value", "location"))
    c.equal("order", sorted(by_value["extrema"], key=lambda p: p["location"]),
            by_place["extrema"])
    told = {p["location"]: (p["kept_as"], p["cluster"]) for p in harness.ask(
        program, "clusters", run, "-k", 3)["locations"]}
    got = harness.ask(program, "extrema", run, "--count", 100000, "--kept", "-k", 3)["extrema"]
    c.equal("kept", {p["location"]: (p["kept_as"], p["cluster"]) for p in got}, told)


# -- directions ----------------------------------------------------------------

def jacobi(matrix):
    """Eigenvalues and eigenvectors (in columns) of a symmetric matrix."""
    n = len(matrix)
    a, v = [row[:] for row in matrix], [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(100):
        off = sum(a[i][j] ** 2 for i in range(n) for j in range(i))
        if off <= 1e-30 * sum(a[i][i] for i in range(n)) ** 2:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q] == 0:
                    continue
                angle = 0.5 * math.atan2(2 * a[p][q], a[q][q] - a[p][p])
                cos, sin = math.cos(angle), math.sin(angle)
                for m in (a, v):
                    for row in m:
                        row[p], row[q] = cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]
                a[p], a[q] = ([cos * x - sin * y for x, y in zip(a[p], a[q])],
                              [sin * x + cos * y for x, y in zip(a[p], a[q])])
    return [a[i][i] for i in range(n)], v


def directions(rows):
    n, width = len(rows), len(rows[0])
    means = [math.fsum(r[c] for r in rows) / n for c in range(width)]
    off = [[r[c] - means[c] for c in range(width)] for r in rows]
    cov = [[math.fsum(r[i] * r[j] for r in off) / n for j in range(width)] for i in range(width)]
    values, vectors = jacobi(cov)
    order = sorted(range(width), key=lambda i: -values[i])
    return off, values, [[vectors[c][i] for c in range(width)] for i in order], order


def check_axis_properties(c, what, got, total):
    x, y = ([p[k] for p in got["locations"]] for k in ("x", "y"))
    n = len(x)
    spread = [math.fsum(v * v for v in axis) / n for axis in (x, y)]
    most = math.sqrt(max(spread)) + 1e-9
    for axis in (x, y):
        c.near(f"{what}: mean", math.fsum(axis) / n / most, 0, 1e-6)
    c.near(f"{what}: not correlated", math.fsum(a * b for a, b in zip(x, y)) / n / most ** 2, 0,
           1e-6)
    for name, variance in zip("xy", spread):
        if total > 0:
            c.near(f"{what}: share of variance", got[name]["share_of_variance"],
                   variance / total, 1e-6)
    c.true(f"{what}: the stronger one first", spread[0] >= spread[1] * (1 - 1e-9))
    for name in "xy":
        weights = [w["weight"] for w in got[name]["weights"]]
        c.true(f"{what}: sign", not weights or weights[0] > 0
               or abs(weights[0]) <= max(map(abs, weights)) * (1 + 1e-9))


def check_directions(c, program, run, scale="none", extras=()):
    options = ["-k", 3, "--scale", scale, *(["--with", ",".join(extras)] if extras else [])]
    got = harness.ask(program, "clusters", run, *options, "--x", "principal-1", "--y",
                      "principal-2")
    what = f"{scale} {extras}"
    profile = harness.ask(program, "profile", run, "--per-location")
    pes = made.compared(profile)
    sent = None
    if {"messages", "bytes"} & set(extras):
        answer = harness.ask(program, "communication", run)
        sent = {s["location"]: s for s in answer["sent"]}
    keys, raw = made.method.vectors_of(profile, pes, extras, sent)
    rows = [[float(v) / (made.method.FIXED if scale != "none" else 1) for v in row]
            for row in made.method.scaled(raw, scale)]
    if not keys:
        return
    off, values, vectors, order = directions(rows)
    total = sum(values)
    check_axis_properties(c, what, got, total)
    strengths = {(one["kind"], one["id"]): one["strength"] for one in got["components"]}
    for i, key in enumerate(keys):
        variance = math.fsum(r[i] ** 2 for r in off) / len(off)
        if total > 0:
            c.near(f"{what}: strength", strengths[key], variance / total, 1e-9)
    for p, name in enumerate("xy"):
        if p >= len(values) or total <= 0:
            continue
        value = values[order[p]]
        c.near(f"{what}: variance", got[name]["share_of_variance"], max(0, value) / total, 1e-9)
        others = [values[i] for i in order if i != order[p]]
        if value <= 1e-6 * total or any(abs(value - o) < 1e-3 * total for o in others):
            continue
        told = [one[name] for one in got["locations"]]
        scores = [sum(a * b for a, b in zip(row, vectors[p])) for row in off]
        sign = 1 if sum(a * b for a, b in zip(told, scores)) > 0 else -1
        c.true(f"{what}: scores along {name}", max(
            abs(a - sign * b) for a, b in zip(told, scores)) <= 1e-6 * math.sqrt(value))


def check_axes(c, program, run):
    """Axes by a component are the figures of the profile, compared or not."""
    profile = harness.ask(program, "profile", run, "--per-location")
    each = {p["location"]: p for p in profile["per_location"]}
    got = harness.ask(program, "clusters", run, "-k", 2)
    for one in got["components"][:4]:
        told = harness.ask(program, "clusters", run, "-k", 2, "--scale", "range", "--x",
                           one["key"], "--y", "idle")
        c.equal("axis", (told["x"]["label"], told["x"]["unit"], told["y"]["unit"]),
                (one["name"], "ns", "ns"))
        for pe in told["locations"]:
            true = sum(a["exclusive_ns"] for a in each[pe["location"]]["activities"]
                       if a["id"] == one["id"] and a["kind"] == "entry")
            c.equal("place", (pe["x"], pe["y"]), (true, each[pe["location"]]["idle_ns"]))
    answers = {harness.run(program, "clusters", run, "--x", "principal-2", "--y", "principal-1",
                           "--threads", n, "--format", "json", "--quiet").out for n in (1, 2, 5)}
    c.equal("axes by 1, 2 and 5 threads", len(answers), 1)


def check_messages(c, program, run):
    """Of all PEs together, received parts are calls of the profile that name a
    source; sent ones are there but for what was sent outside."""
    answer = harness.ask(program, "communication", run)
    for by, key in (("sent", "destinations"), ("bytes-sent", "bytes")):
        got = check_parts(c, program, run, by)
        sent = {s["location"]: s[key] for s in answer["sent"]}
        c.true(f"{by}", all(value_of(p) == sent[p["location"]] for p in got["extrema"]))
    for by in ("received", "bytes-received"):
        check_parts(c, program, run, by)


def check_senders(c, program, folder, blocks):
    """Made runs send as many messages a block as its entry method's number."""
    got = harness.ask(program, "extrema", folder, "--by", "sent", "--stacked", "--count", 1000)
    for one in got["extrema"]:
        true = {}
        for entry, _ in blocks[one["location"]]:
            true[entry] = true.get(entry, 0) + entry
        c.equal("senders", {p["id"]: p["value"] for p in one["parts"]},
                {entry: n for entry, n in true.items() if n})


# -- checks --------------------------------------------------------------------

def check_recording(program, folder):
    c = harness.Compare()
    info = harness.ask(program, "info", folder)
    middle = (info["begin_ns"] + info["end_ns"]) // 2
    for by in TIMES:
        check_parts(c, program, folder, by)
        check_parts(c, program, folder, by, ("--from", middle))
    if "messages" in info["capabilities"]:
        check_messages(c, program, folder)
        for by in BLOCKS:
            check_parts(c, program, folder, by)
    check_order(c, program, folder)
    for scale in ("none", "range", "stddev"):
        check_directions(c, program, folder, scale, ("idle",) if scale == "range" else ())
    check_axes(c, program, folder)
    return c.problems


def check_functions(program, run):
    """Of ranks with the most useful time a bar is of functions that compute alone."""
    c = harness.Compare()
    roles = {a["name"]: a["role"] for a in harness.ask(program, "profile", run)["activities"]}
    c.true("functions that do not compute", set(roles.values()) - {"compute"})
    for one in harness.ask(program, "extrema", run, "--stacked", "--count", 1000)["extrema"]:
        c.equal("busy: sum of parts", sum(p["value"] for p in one["parts"]), one["value_ns"])
        c.equal("busy: roles", {roles[p["name"]] for p in one["parts"]}, {"compute"})
    return c.problems


def check_made(program, seed):
    c, rng = harness.Compare(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder, blocks = pathlib.Path(name), made.random_blocks(rng)
        made.write_run(folder, blocks, [rng.randrange(4) for _ in blocks])
        for by in (*TIMES, *BLOCKS):
            check_parts(c, program, folder, by)
        check_messages(c, program, folder)
        check_senders(c, program, folder, blocks)
        check_order(c, program, folder)
        check_directions(c, program, folder, rng.choice(("none", "range", "stddev")),
                         tuple(sorted(rng.sample(made.EXTRAS, 2), key=made.EXTRAS.index)))
        check_axes(c, program, folder)
    return c.problems


def check_many(program):
    """More components than Jacobi's way takes: the other way, of the same."""
    c, rng = harness.Compare(), random.Random(7)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pull = [rng.randrange(300) for _ in range(60)]
        made.write_run(folder, [[(e, 1 + rng.randrange(40) + pull[e] * (pe % 4))
                                 for e in range(60)] for pe in range(40)])
        check_directions(c, program, folder)
        check_axes(c, program, folder)
    return c.problems


def check_bounded(program):
    """Of too many parts the smaller ones are one, but not what is large on a
    single PE; the sums stay."""
    c = harness.Compare()
    pes, entries, odd = 1100, 250, 249
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made.write_run(folder, [[(e, 300 - e) for e in range(odd)]
                                + [(odd, 900 if pe == 77 else 1)] for pe in range(pes)],
                       sends=False)
        got = harness.ask(program, "extrema", folder, "--stacked", "--count", pes)["extrema"]
        told = 262144 // pes
        c.equal("lines", {len(one["parts"]) for one in got}, {told + 1})
        c.equal("sums", {sum(p["value"] for p in one["parts"]) == one["value_ns"]
                         for one in got}, {True})
        c.equal("the odd one", [p["value"] for one in got for p in one["parts"]
                                if one["location"] == 77 and p["id"] == odd], [900000])
        c.equal("the others", {(p["kind"], p["value"]) for one in got for p in one["parts"]
                               if p["id"] is None},
                {("other", sum(300 - e for e in range(told - 1, odd)) * 1000)})
    return c.problems


def check_exports(program, folder):
    """The figures of a picture are the answer to its question."""
    c = harness.Compare()
    chosen = ("-k", 3, "--outliers", 2, "--scale", "range", "--with", "idle", "--seeding",
              "k-means++", "--seed", 5, "--quota", "spread", "--union", "overhead")
    kept = ("-k", 3, "--outliers", 2, "--quota", "spread", "--critical-path")
    with tempfile.TemporaryDirectory() as name:
        for view, told, question in (
                ("clusters", chosen, ("clusters", *chosen)),
                ("distances", chosen, ("clusters", *chosen)),
                ("scatter", (), ("clusters", "--x", "principal-1", "--y", "principal-2")),
                ("scatter", (*chosen, "--x", "idle"),
                 ("clusters", *chosen, "--x", "idle", "--y", "principal-2")),
                ("extrema", ("--by", "sent", *kept),
                 ("extrema", "--by", "sent", "--count", 1000, "--stacked", "--kept", *kept)),
                ("extrema", ("--order", "location"),
                 ("extrema", "--order", "location", "--count", 1000, "--stacked", "--kept"))):
            path = pathlib.Path(name) / "figures.json"
            done = harness.run(program, "export", view, folder, *told, "-o", path)
            c.equal(f"{view}: exit", done.code, 0)
            answer = harness.ask(program, question[0], folder, *question[1:])
            c.equal(f"{view} {told}", json.loads(path.read_text()), answer)
    return c.problems


def check_equal(program):
    """PEs that do not differ lie on one point, and no direction has a share."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made.write_run(folder, [[(0, 5), (1, 7)]] * 6)
        got = harness.ask(program, "clusters", folder, "--x", "principal-1", "--y", "principal-2")
        c.equal("one point", {(p["x"], p["y"]) for p in got["locations"]}, {(0, 0)})
        c.equal("shares", (got["x"]["share_of_variance"], got["x"]["weights"]), (None, []))
        for args in (("clusters", folder, "--x", "luck"), ("clusters", folder, "--y", "77"),
                     ("extrema", folder, "--kept", "-k", "0")):
            bad = harness.run(program, *args, "--quiet")
            c.true(f"{args}", bad.code == 2 and bad.err.count("\n") == 1 and bad.out == b"")
    return c.problems


def check_summary(program, folder):
    """Of bins, too, entry methods make up what was busy."""
    c = harness.Compare()
    for by in TIMES:
        check_parts(c, program, folder, by)
    check_axes(c, program, folder)
    bad = harness.run(program, "clusters", folder, "--x", "messages", "--quiet")
    c.true("messages of a summary", bad.code == 1 and "summary" in bad.err)
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 12
    tap = harness.Tap()
    tap.check("equal PEs", check_equal, program)
    tap.check("many components", check_many, program)
    if harness.PART == 1:
        tap.check("many parts", check_bounded, program)
    tap.check("exports", check_exports, program, root / "data" / "sample")
    for name in ("tau/trace-mw-8", "tau/phase-8"):
        tap.check(name, check_functions, program, root / "tests" / "data" / name)
    tap.check("summary", check_summary, program, root / "tests" / "data" / "jacobi2d-sum-p8")
    for name in ("data/sample", "tests/data/feat-p4-text", "tests/data/v10-feat-p3-text"):
        with harness.kept_runs():
            tap.check(name, check_recording, program, root / name)
    for seed in range(first, first + n):
        tap.check(f"made run {seed}", check_made, program, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
