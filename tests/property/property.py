# SPDX-License-Identifier: GPL-3.0-or-later
"""Random traces: what the engine answers is what the slow reference reader
answers; the parts add up to the whole; threads change nothing.

Usage: property.py KYMO-CLI [FIRST-SEED [N-SEEDS]]
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import reference  # noqa: E402

N_ENTRIES = 9
DIMENSIONS = (-1, 1, 3)
KINDS = {"idle", "overhead", "untraced"}


def write_sts(folder, pes):
    lines = ["PROJECTIONS_ID ", "VERSION 11.0", 'MACHINE "test"',
             f"PROCESSORS {pes}", "TOTAL_CHARES 3",
             f"TOTAL_EPS {N_ENTRIES}", "TOTAL_MSGS 1", "TOTAL_PSEUDOS 0",
             "TOTAL_EVENTS 2"]
    lines += [f'CHARE {i} "Chare{i}" {DIMENSIONS[i]}' for i in range(3)]
    lines += [f'ENTRY CHARE {i} "method{i}(int, char*)" {i % 3} 0'
              for i in range(N_ENTRIES)]
    lines += ["MESSAGE 0 8", "TOTAL_STATS 0", "EVENT 3 point", "EVENT 4 pair",
              "END"]
    (folder / "random.sts").write_text("\n".join(lines) + "\n")


class Writer:
    """Writes one PE's log; ties in time and deep nesting are common."""

    def __init__(self, rng, pe, pes, size):
        self.rng, self.pe, self.pes = rng, pe, pes
        self.time = rng.randrange(0, 300)
        self.lines, self.stack, self.event = [], [], 0
        self.idle, self.off = False, False
        self.add(6, self.time)
        if rng.random() > 0.08:
            for _ in range(rng.randrange(size)):
                self.step()
            self.finish()
        self.time += 1 + rng.randrange(3)
        self.add(7, self.time)

    def add(self, *fields):
        self.lines.append(" ".join(map(str, fields)))

    def tick(self):
        self.time += self.rng.choice((0, 0, 1, 1, 2, 7, 40, 1000))

    def begin(self):
        ep = self.rng.choice([e for e in range(N_ENTRIES)
                              if e not in self.stack])
        ev = self.rng.choice((-1, self.rng.randrange(12)))
        n = (4, 1, 3)[ep % 3]          # no array: four ids all the same
        ids = [self.rng.randrange(3) for _ in range(n)]
        self.add(2, 21, ep, self.time, ev, self.rng.randrange(self.pes), 64, 0,
                 *ids, 0)
        self.stack.append(ep)

    def end(self):
        ep = self.stack.pop()
        self.add(3, 0, ep, self.time, 0, self.pe, 0, 0)

    def send(self):
        ep, size = self.rng.randrange(N_ENTRIES), self.rng.randrange(5000)
        kind = self.rng.choice((1, 1, 20))
        tail = (0,) if kind == 1 else (0, self.rng.randrange(1, 9))
        self.add(kind, 21, ep, self.time, self.event, self.pe, size, *tail)
        self.event += 1

    def step(self):
        self.tick()
        move = self.rng.random()
        if self.off:
            if move < 0.5:
                self.add(11, self.time)
                self.off = False
        elif self.idle:
            self.add(15, self.time, self.pe)
            self.idle = False
        elif move < 0.4 and len(self.stack) < 4:
            self.begin()
        elif move < 0.75 and self.stack:
            self.end()
        elif move < 0.85 and self.stack:
            self.send()
        elif move < 0.88:
            self.add(13, 3, self.time, 0, self.pe)
        elif move < 0.90:
            self.add(12, self.time)
            self.stack, self.off = [], True
        elif not self.stack:
            self.add(14, self.time, self.pe)
            self.idle = True

    def finish(self):
        """Blocks may stay open: that is what real logs look like."""
        if self.rng.random() < 0.5:
            while self.stack:
                self.tick()
                self.end()


def write_run(folder, seed):
    rng = random.Random(seed)
    pes = rng.randrange(1, 6)
    write_sts(folder, pes)
    for pe in range(pes):
        lines = Writer(rng, pe, pes, rng.choice((3, 40, 600))).lines
        text = [f"PROJECTIONS-RECORD {len(lines)}"] + lines
        (folder / f"random.{pe}.log").write_text("\n".join(text) + "\n")
    return rng


def pick_range(rng, run):
    begin = min(l.begin for l in run.values())
    end = max(l.end for l in run.values())
    a = rng.randrange(begin, max(end, begin + 1))
    return a, rng.randrange(a, max(end, a + 1)) + 1


def check_profile(c, program, folder, run, span=None):
    begin, end = span or (None, None)
    limits = ["--from", begin, "--to", end] if span else []
    answer = harness.ask(program, "profile", folder, "--per-location", *limits)
    each = {p["location"]: p for p in answer["per_location"]}
    total = 0
    for pe, location in run.items():
        times, got = location.time(begin, end), each.get(pe)
        if got is None:
            c.equal(f"profile {limits} PE {pe} is missing", dict(times), {})
            continue
        for state in KINDS:
            c.equal(f"profile {limits} PE {pe} {state}", got[state + "_ns"],
                    times[state])
        expected = {e: t for e, t in times.items() if e not in KINDS and t}
        c.equal(f"profile {limits} PE {pe}",
                {a["id"]: a["exclusive_ns"] for a in got["activities"]
                 if a["exclusive_ns"] and a["kind"] == "entry"}, expected)
        blocks = sum(1 for b in location.blocks
                     if not span or begin <= b.begin < end)
        c.equal(f"profile {limits} PE {pe} blocks",
                sum(a["blocks"] for a in got["activities"]
                    if a["kind"] == "entry"), blocks)
        total += sum(times.values())
    c.equal(f"profile {limits} span", answer["span_ns"], total)
    c.equal(f"profile {limits} parts", answer["span_ns"],
            sum(answer[k] for k in ("busy_ns", "idle_ns", "overhead_ns",
                                    "untraced_ns")))


def check_time_profile(c, program, folder, run, rng):
    begin, end = pick_range(rng, run)
    bins = rng.choice((1, 3, 10, 97))
    answer = harness.ask(program, "time-profile", folder, "--bins", bins,
                         "--from", begin, "--to", end)
    edges = answer["edges_ns"]
    c.equal("bins", len(edges), bins + 1)
    c.equal("ends", (edges[0], edges[-1]), (begin, end))
    c.true("edges go back", edges == sorted(edges))
    for i in range(bins):
        sums = {}
        for location in run.values():
            for state, ns in location.time(edges[i], edges[i + 1]).items():
                sums[state] = sums.get(state, 0) + ns
        c.equal(f"bin {i} of {bins} in {begin}..{end}", sums_of(answer, i),
                sums)


def sums_of(answer, i):
    """What a bin holds, by state; nothing where there is no time."""
    got = {s["id"]: s["ns"][i] for s in answer["series"] if s["ns"][i]}
    got.update({k: answer[k + "_ns"][i] for k in KINDS if answer[k + "_ns"][i]})
    return got


def check_bars(c, program, folder, run, rng):
    """Bars on the grid of their length: whole, but for the ends of the run."""
    first = min(l.begin for l in run.values())
    last = max(l.end for l in run.values())
    begin, end = pick_range(rng, run)
    bar = rng.choice((1, 7, 1000, 33333, 250000, 10 ** 7))
    bar = max(bar, (end - begin) // 300)
    answer = harness.ask(program, "time-profile", folder, "--bar", bar,
                         "--from", begin, "--to", end)
    edges = answer["edges_ns"]
    low, high = begin // bar, -(-min(end, last) // bar)
    c.equal(f"bars of {bar} in {begin}..{end}", edges,
            [min(max(k * bar, first), last) for k in range(low, high + 1)])
    c.equal("begin, end and bar", (answer["begin_ns"], answer["end_ns"],
                                   answer["bar_ns"]),
            (edges[0], edges[-1], bar))
    for i in range(len(edges) - 1):
        sums = {}
        for location in run.values():
            for state, ns in location.time(edges[i], edges[i + 1]).items():
                sums[state] = sums.get(state, 0) + ns
        c.equal(f"bar {i} of {bar} in {begin}..{end}", sums_of(answer, i),
                {k: v for k, v in sums.items() if v})


def check_usage(c, program, folder, run):
    answer = harness.ask(program, "usage", folder)
    for got in answer["locations"]:
        location = run[got["location"]]
        times, span = location.time(), location.end - location.begin
        for state in KINDS:
            c.near(f"usage PE {got['location']} {state}", got[state],
                   times[state] / span if span else 0)
        parts = got["busy"] + sum(got[k] for k in KINDS)
        c.near(f"usage PE {got['location']} parts", parts, 1 if span else 0)


def check_histograms(c, program, folder, run, rng):
    low, high = rng.choice(((0, 10000000), (1000, 1001000), (0, 7000)))
    bins = rng.choice((1, 7, 100))
    for unit in ("block", "call"):
        answer = harness.ask(program, "histogram", folder, "--min", low,
                             "--max", high, "--bins", bins, "--unit", unit)
        durations = [d for l in run.values() for _, d in
                     (l.durations() if unit == "block" else l.call_durations())]
        edges = answer["edges"]
        total = [sum(edges[i] <= d < edges[i + 1] for d in durations)
                 for i in range(bins)]
        c.equal(f"histogram of {unit}s", answer["total"], total)
        c.equal(f"below and above of {unit}s",
                (answer["below"], answer["above"]),
                (sum(d < low for d in durations),
                 sum(d >= edges[-1] for d in durations)))


def state_of(answer, activity):
    kind = answer["kinds"][activity]
    if kind in KINDS:
        return kind
    name = answer["names"][activity]
    return int(name.split("method")[1].split("(")[0])


def check_row(c, answer, row, location, width):
    """Each cell shows what took most of its column, of what is shown."""
    begin, end = answer["begin_ns"], answer["end_ns"]
    last = 0
    for x0, x1, activity, share in row["cells"]:
        c.true(f"cells {x0}..{x1} overlap or leave", last <= x0 < x1 <= width)
        c.true(f"share {share}", 0 <= share <= 1.000001)
        last = x1
        state = state_of(answer, activity)
        for x in range(x0, x1):
            b = begin + (end - begin) * x // width
            e = begin + (end - begin) * (x + 1) // width
            times = location.time(b, e)
            if e > b and times:
                most = max(times.values())
                c.true(f"column {x}: {state} shown of {dict(times)}",
                       times[state] >= most - 1)


def check_timeline(c, program, folder, run, rng):
    begin, end = pick_range(rng, run)
    width = rng.choice((5, 60))
    answer = harness.ask(program, "timeline", folder, "--width", width,
                         "--from", begin, "--to", end)
    c.equal("columns", answer["columns"], width)
    c.equal("rows", sorted(l for r in answer["rows"] for l in r["locations"]),
            sorted(run))
    if (end - begin) % width:
        return                         # only even columns have obvious edges
    for row in answer["rows"]:
        check_row(c, answer, row, run[row["locations"][0]], width)


def check_even_timeline(c, program, folder, run, rng):
    begin, end = pick_range(rng, run)
    width = rng.choice((1, 4, 50))
    end = begin + max((end - begin) // width, 1) * width
    answer = harness.ask(program, "timeline", folder, "--width", width,
                         "--from", begin, "--to", end)
    if (answer["begin_ns"], answer["end_ns"]) != (begin, end):
        return                         # was clipped to the run
    for row in answer["rows"]:
        check_row(c, answer, row, run[row["locations"][0]], width)


def check_threads(c, program, folder):
    for question in (["info"], ["profile", "--per-location"], ["usage"],
                     ["time-profile", "--bins", "33"], ["histogram"],
                     ["communication"], ["timeline", "--width", "77"]):
        answers = {harness.run(program, *question, folder, "--format", "json",
                               "--quiet", "--threads", n).out
                   for n in (1, 2, 7)}
        c.equal(f"{question[0]} by 1, 2 and 7 threads", len(answers), 1)


def check_seed(program, seed):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rng = write_run(folder, seed)
        run = reference.read_run(folder)
        check_profile(c, program, folder, run)
        check_profile(c, program, folder, run, pick_range(rng, run))
        check_time_profile(c, program, folder, run, rng)
        check_bars(c, program, folder, run, rng)
        check_usage(c, program, folder, run)
        check_histograms(c, program, folder, run, rng)
        check_timeline(c, program, folder, run, rng)
        check_even_timeline(c, program, folder, run, rng)
        if seed % 4 == 0:
            check_threads(c, program, folder)
    return c.problems


def main():
    program = sys.argv[1]
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    tap = harness.Tap()
    for seed in range(first, first + n):
        tap.check(f"seed {seed}", check_seed, program, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
