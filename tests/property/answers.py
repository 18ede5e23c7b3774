# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of question, at random ranges, of random locations, at random
resolutions, by any number of threads, of logs that are read, kept in the
cache or written to disk for want of memory, against brute force: on random
traces, some long enough for threads and for several levels of sums, and on
the recorded runs.

Usage: answers.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import collections
import functools
import importlib
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import brute  # noqa: E402
import harness  # noqa: E402
import property as traces  # noqa: E402
import reference  # noqa: E402
import traffic  # noqa: E402

FURTHER = [importlib.import_module(f"further.{path.stem}")
           for path in sorted(pathlib.Path(__file__).parent.glob("further/*.py"))]

# The second reader is slow.
MAX_BYTES = 1 << 20
# Seeds that make runs long enough for several threads.
LARGE_EVERY = 8


def write_run(folder, seed):
    rng = random.Random(seed + 7000)
    large = seed % LARGE_EVERY == 0
    pes = 9 if large else rng.randrange(1, 7)
    traces.write_sts(folder, pes)
    for pe in range(pes):
        size = 9000 if large else rng.choice((3, 40, 300))
        lines = traces.Writer(rng, pe, pes, size).lines
        text = [f"PROJECTIONS-RECORD {len(lines)}"] + lines
        (folder / f"random.{pe}.log").write_text("\n".join(text) + "\n")
    return rng


def pick_question(rng, run):
    begin = min(l.begin for l in run.values())
    end = max(l.end for l in run.values())
    kind = rng.random()
    if kind < 0.2 or end - begin < 2:
        a, b = begin, end
    elif kind < 0.4:                   # deep inside, often on record times
        a = min(rng.randrange(begin, end) // 1000 * 1000, end - 1)
        a = max(a, begin)
        b = min(a + rng.choice((1, 7, 1000, 33000)), end)
    else:
        a = rng.randrange(begin, end)
        b = rng.randrange(a, end) + 1
    ids = set(run) if rng.random() < 0.4 else \
        set(rng.sample(sorted(run), rng.randrange(1, len(run) + 1)))
    return brute.Question(run, a, b, ids)


def ask(program, folder, rng, question, about, *args):
    """Whatever the way, the answer is the same."""
    ways = ([], ["--no-cache", "--memory-limit", 1], ["--memory-limit", 1],
            ["--no-cache"])
    result = harness.run(program, *args, folder, *question.arguments,
                         "--threads", rng.choice((1, 2, 3, 8)), *rng.choice(ways),
                         "--format", "json", "--quiet", env=about.env)
    if result.code != 0:
        raise AssertionError(f"{args[0]} exit {result.code}: {result.err[:300]}")
    return result.json


def check_time_profile(c, program, folder, rng, q, about):
    bins = rng.choice((1, 2, 13, 200, 1111))
    answer = ask(program, folder, rng, q, about, "time-profile", "--bins", bins)
    at, rows = brute.time_profile(q, bins)
    got = {s["id"]: s["ns"] for s in answer["series"] if any(s["ns"])}
    got.update({k: answer[k + "_ns"] for k in brute.STATES
                if any(answer[k + "_ns"])})
    c.equal("edges", answer["edges_ns"], at)
    c.equal(f"time profile of {bins}", got, rows)


def check_usage(c, program, folder, rng, q, about):
    answer = ask(program, folder, rng, q, about, "usage")
    expected = brute.usage(q)
    for got in answer["locations"]:
        times = expected.pop(got["location"])
        c.equal("usage of states", {k: got[k + "_ns"] for k in brute.STATES},
                {k: times[k] for k in brute.STATES})
        c.equal("usage of entries", {a["id"]: a["ns"] for a in got["activities"]},
                {k: ns for k, ns in times.items() if k not in brute.STATES})
        c.equal("busy", got["busy_ns"], sum(a["ns"] for a in got["activities"]))
        c.near("share", got["busy"], got["busy_ns"] / max(got["span_ns"], 1))
    c.equal("locations without usage", expected, {})


def check_profile(c, program, folder, rng, q, about):
    answer = ask(program, folder, rng, q, about, "profile")
    entries = [a for a in answer["activities"] if a["kind"] == "entry"]
    got = {a["id"]: (a["blocks"], a["calls"], a["exclusive_ns"])
           for a in entries}
    c.equal("profile", {k: v for k, v in got.items() if any(v)},
            brute.profile(q))
    c.equal("lengths of blocks", {a["id"]: (a["mean_ns"], a["min_ns"], a["max_ns"])
                                  for a in entries if a["blocks"] > 0}, brute.lengths(q))
    times = sum(brute.usage(q).values(), start=reference.collections.Counter())
    for state in brute.STATES:
        c.equal(f"profile {state}", answer[state + "_ns"], times[state])
    c.equal("profile span", answer["span_ns"], sum(times.values()))
    if about.is_random:                # no entry lies within itself
        c.equal("inclusive", {a["id"]: a["inclusive_ns"] for a in entries
                              if a["inclusive_ns"]}, brute.inclusive(q))


def compare_histogram(c, what, answer, values, by_value):
    at = answer["edges"]
    rows, below, above = brute.histogram(values, at, by_value)
    c.equal(f"{what}: series", {s["id"]: s["values"] for s in answer["series"]
                                if any(s["values"])}, rows)
    c.equal(f"{what}: outside", (answer["below"], answer["above"]),
            (below, above))
    c.equal(f"{what}: total", answer["total"],
            [sum(column) for column in zip(*rows.values())]
            if rows else [0] * (len(at) - 1))


def check_histograms(c, program, folder, rng, q, about):
    low = rng.choice((1, 1000, 5000))
    high = low + rng.choice((3000, 40000, 10000000))
    bins, weight = rng.choice((1, 9, 100)), rng.choice(("count", "time"))
    unit, scale = rng.choice(("block", "call")), rng.choice(("lin", "log"))
    answer = ask(program, folder, rng, q, about, "histogram", "--min", low, "--max",
                 high, "--bins", bins, "--weight", weight, "--unit", unit,
                 "--scale", scale)
    c.equal("ends", (answer["edges"][0], answer["edges"][-1]), (low, high))
    if scale == "lin":
        c.equal("edges", answer["edges"], brute.edges(low, high, bins))
    c.true("edges go back", answer["edges"] == sorted(answer["edges"]))
    compare_histogram(c, f"{unit}s by {weight}, {scale}", answer,
                      brute.durations(q, unit), weight == "time")
    answer = ask(program, folder, rng, q, about, "histogram", "--of", "message-size",
                 "--min", 0, "--max", rng.choice((90, 6000)), "--bins", bins)
    compare_histogram(c, "sizes", answer, brute.sizes(q), False)


def check_communication(c, program, folder, rng, q, about):
    answer = ask(program, folder, rng, q, about, "communication")
    pairs = brute.matrix(q)
    c.equal("matrix", {(m["from"], m["to"]): (m["messages"], m["bytes"])
                       for m in answer["matrix"]}, pairs)
    c.equal("messages", (answer["messages"], answer["bytes"]),
            tuple(map(sum, zip(*pairs.values()))) if pairs else (0, 0))
    c.equal("sent", {s["location"]: (s["records"], s["destinations"], s["bytes"])
                     for s in answer["sent"]}, brute.sent(q))
    for limit in (1, 2, rng.randrange(3, 9)):
        check_grouped(c, ask(program, folder, rng, q, about, "communication", "--limit", limit),
                      pairs, limit)


def check_grouped(c, answer, pairs, limit):
    """A matrix of groups: each cell is the sum of its pairs, and all are the totals."""
    size = answer["group_size"]
    cells = collections.defaultdict(lambda: (0, 0))
    for (source, to), (messages, size_bytes) in pairs.items():
        key = tuple(i // size * size if i is not None and i >= 0 else i for i in (source, to))
        cells[key] = (cells[key][0] + messages, cells[key][1] + size_bytes)
    got = {(m["from"], m["to"]): (m["messages"], m["bytes"]) for m in answer["matrix"]}
    c.equal("grouped matrix", got, dict(cells))
    c.true("within the limit", len(got) <= limit or size >= answer["locations"])
    for i, key in enumerate(("messages", "bytes")):
        c.equal(f"{key} of groups", sum(m[key] for m in answer["matrix"]), answer[key])
        c.equal(f"{key} of pairs", sum(p[i] for p in pairs.values()), answer[key])


def by_group(expected):
    """By pair: how many, and the mean latency of the certain ones."""
    groups = {}
    for source, to, time, begin, _, certain in expected:
        count, matched, sum_ns = groups.get((source, to), (0, 0, 0))
        if certain:
            matched, sum_ns = matched + 1, sum_ns + begin - time
        groups[source, to] = (count + 1, matched, sum_ns)
    return {pair: (count, abs(ns) // matched * (1 if ns >= 0 else -1)
                   if matched else None)
            for pair, (count, matched, ns) in groups.items()}


def check_messages(c, program, folder, rng, q, about):
    expected = brute.messages(q, about.comm)
    limit = max(1, rng.choice((1, len(expected) // 2, len(expected), 10 ** 6)))
    answer = ask(program, folder, rng, q, about, "messages", "--limit", limit)
    c.equal("count", answer["count"], len(expected))
    if "groups" in answer:
        c.true("groups within the limit", len(expected) > limit)
        c.equal("groups", {(g["from"], g["to"]): (g["count"],
                                                  g["mean_latency_ns"])
                           for g in answer["groups"]}, by_group(expected))
        return
    c.true("messages beyond the limit", len(expected) <= limit)
    c.equal("messages", sorted(
        (m["from"], m["to"], m["sent_ns"] or -1, m["begin_ns"], m["via"],
         m["certain"]) for m in answer["messages"]), sorted(
        (f, t, time or -1, begin, via, certain)
        for f, t, time, begin, via, certain in expected))


def check_cell(c, cell, states, at, sums, n_locations):
    """What a cell shows took most of each of its columns; two entries may have
    one name."""
    x0, x1, _, share = cell
    for x in range(x0, x1):
        width = at[x + 1] - at[x]
        if width <= 0:
            continue
        ns = max(sums[x][state] for state in states)
        c.equal(f"column {x}: {states} of {dict(sums[x])}", ns,
                max(sums[x].values(), default=-1))
        if x1 == x0 + 1:
            c.near(f"share of column {x}", share, ns / (width * n_locations))
        else:                          # columns inside one piece
            c.equal(f"columns of one piece, {x}", (ns, share), (width, 1))


def check_timeline(c, program, folder, rng, q, about):
    width = rng.choice((1, 7, 60, 500))
    n_rows = rng.choice((None, None, 1, 2, 5))
    answer = ask(program, folder, rng, q, about, "timeline", "--width", width,
                 *(["--rows", n_rows] if n_rows else []))
    rows = brute.timeline_rows(q, n_rows)
    c.equal("rows", [r["locations"] for r in answer["rows"]], rows)
    for row, locations in zip(answer["rows"], rows):
        at, sums = brute.timeline_columns(q, locations, width)
        shown = []
        for cell in row["cells"]:
            kind, name = (answer[k][cell[2]] for k in ("kinds", "names"))
            states = [kind] if kind in brute.STATES else about.ids_of[name]
            check_cell(c, cell, states, at, sums, len(locations))
            shown += range(*cell[:2])
        c.true(f"cells overlap in {locations}", len(shown) == len(set(shown)))
        c.equal("columns without a cell",
                [x for x in range(width) if sums[x] and x not in shown], [])


class About:
    """What the questions need to know of a run beside its lists."""

    def __init__(self, program, folder, run, is_random, cache):
        self.is_random = is_random
        self.env = {"XDG_CACHE_HOME": cache, "KYMO_CACHE_MIN_BYTES": "0"}
        self.comm = set() if is_random else reference.comm_threads(folder, run)
        sts = next(p for p in folder.glob("*.sts")
                   if not p.name.endswith((".sum.sts", ".util.sts")))
        version, dims, _ = reference.read_sts(sts)
        # Entry methods whose blocks tell an element of an array.
        self.dims = {ep for ep, n in dims.items() if n > 0 or version < 9}
        self.ids_of = {}
        for a in harness.ask(program, "profile", folder)["activities"]:
            if a["kind"] == "entry":
                self.ids_of.setdefault(a["name"], []).append(a["id"])


def check_traffic(c, program, folder, rng, q, about):
    """Messages over time, by location, between entry methods: one of them at a time."""
    joined = rng.random() < 0.5
    comm = about.comm if joined else set()
    join = ["--join"] if joined else []
    kind = rng.randrange(3)
    if kind == 0:
        n = rng.choice((1, 7, 40))
        answer = ask(program, folder, rng, q, about, "communication-time", "--bins", n, *join)
        traffic.check_time(c, answer, q, comm, n)
    elif kind == 1:
        answer = ask(program, folder, rng, q, about, "communication-locations", *join)
        traffic.check_locations(c, answer, q, comm)
    else:
        answer = ask(program, folder, rng, q, about, "call-table", *join)
        traffic.check_table(c, answer, q, comm)


def check_further(c, program, folder, rng, q, about):
    """Each question that has a reference of its own in the folder further."""
    for module in FURTHER:
        module.check(c, functools.partial(ask, program, folder, rng, q, about), q, about)


CHECKS = (check_time_profile, check_usage, check_profile, check_histograms,
          check_communication, check_traffic, check_messages, check_timeline, check_further)


def check_run(program, folder, run, rng, rounds, is_random):
    with tempfile.TemporaryDirectory() as cache:
        about = About(program, folder, run, is_random, cache)
        return check_rounds(program, folder, run, rng, rounds, about)


def check_rounds(program, folder, run, rng, rounds, about):
    c = harness.Compare()
    for _ in range(rounds):
        for check in CHECKS:
            question = pick_question(rng, run)
            before = len(c.problems)
            check(c, program, folder, rng, question, about)
            if len(c.problems) > before:
                c.problems.insert(before, " ".join(map(str, question.arguments)))
    return c.problems


def check_seed(program, seed):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rng = write_run(folder, seed)
        return check_run(program, folder, reference.read_run(folder), rng, 3,
                         True)


def check_recorded(program, folder, name):
    run = reference.read_run(folder)
    return check_run(program, folder, run, random.Random(name), 2, False)


def is_readable(program, folder, truth):
    """The second reader knows neither binary nor reduced logs."""
    size = sum(p.stat().st_size for p in folder.rglob("*"))
    return "pes" in truth and size <= MAX_BYTES and \
        harness.ask(program, "info", folder)["kind"] == "trace" and \
        reference.read_run(folder) is not None


def main():
    program, root = sys.argv[1:3]
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 16
    tap = harness.Tap()
    for seed in range(first, first + n):
        tap.check(f"seed {seed}", check_seed, program, seed)
    for name, folder, truth in harness.cases(root):
        if is_readable(program, folder, truth):
            tap.check(name, check_recorded, program, folder, name)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
