# SPDX-License-Identifier: GPL-3.0-or-later
"""The critical path: on recordings and random runs it is what a second, slow
walk over the second reader's lists finds; its parts add up to its time; it
ends on logs that are damaged, whose times run backwards, whose messages go
round in circles.

Usage: critical-path.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import bisect
import collections
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import reference  # noqa: E402

MAX_BYTES = 3 << 20
N_ENTRIES = 3


# -- the slow walk -----------------------------------------------------------

class Path:
    """Steps (location, state, begin, end), the last first; a message's state
    is "message"."""

    def __init__(self, run, comm, begin, end, pes):
        self.run, self.comm, self.begin = run, comm, begin
        self.pes = [pe for pe in sorted(pes) if pe not in comm] or sorted(pes)
        self.steps = []
        self.firsts = {pe: self.first_blocks(run[pe]) for pe in self.pes}
        self.end, self.pe = begin, None
        # What begins on the last nanosecond of the run is inside as well.
        inside = end if end < max(l.end for l in run.values()) else end + 1
        for pe in self.pes:
            last = max((min(p.end, end) for p in run[pe].pieces
                        if p.block is not None and p.begin < inside), default=begin)
            if last > self.end:
                self.end, self.pe = last, pe
        self.walk()

    @staticmethod
    def first_blocks(location):
        """Index of the first block at each time, and whether it begins a call."""
        found, seen = {}, set()
        for i, b in enumerate(location.blocks):
            key = (b.src, b.ev, b.ep, b.ids)
            new = b.ev >= 0 and key not in seen
            seen.add(key)
            found.setdefault(b.begin, (i, new))
        return found

    def add(self, state, begin, end):
        if max(begin, self.begin) < end:
            self.steps.append((self.pe, state, max(begin, self.begin), end))

    def message(self, time):
        """(sender, sent) of what began at this time."""
        index, new = self.firsts[self.pe].get(time, (None, False))
        if not new:
            return None
        block = self.run[self.pe].blocks[index]
        source, _, sent, _, _, _, certain, _ = reference.way_of(
            self.run, self.comm, self.pe, block)
        if not certain or sent is None or sent > time or source not in self.pes:
            return None
        if sent == time and (source == self.pe or (source, time) in self.left):
            return None
        return source, sent

    def walk(self):
        time, self.left = self.end, set()
        while time > self.begin:
            pieces = self.run[self.pe].pieces
            n = bisect.bisect_left(pieces, time, key=lambda p: p.begin)
            if n and pieces[n - 1].block is not None:
                self.add(pieces[n - 1].state, pieces[n - 1].begin, time)
                time = pieces[n - 1].begin
                continue
            gap = []
            while n and pieces[n - 1].block is None:
                gap.append(pieces[n - 1])
                n -= 1
            busy = n and all(p.state == "overhead" for p in gap)
            message = None if busy else self.message(time)
            if message is not None:
                self.add("message", message[1], time)
                self.left.add((self.pe, time))
                self.pe, time = message
                continue
            for p in gap:
                self.add(p.state, p.begin, min(p.end, time))
                time = p.begin
            if not gap:
                self.add("untraced", self.begin, time)
                time = self.begin


# -- checks ------------------------------------------------------------------

def check_sums(c, what, got):
    """What must hold of any answer, whatever the logs say."""
    parts = ("busy", "idle", "overhead", "untraced", "message")
    c.equal(f"{what}: parts", sum(got[f"{p}_ns"] for p in parts), got["path_ns"])
    c.equal(f"{what}: length", got["path_end_ns"] - got["begin_ns"], got["path_ns"])
    c.equal(f"{what}: activities", sum(a["path_ns"] for a in got["activities"]), got["path_ns"])
    c.equal(f"{what}: locations", sum(p["path_ns"] + p["message_ns"] for p in got["locations"]),
            got["path_ns"])
    steps = got["steps"]
    if len(steps) == got["steps_in_all"]:
        at = [s["begin_ns"] for s in steps] + [got["path_end_ns"]]
        c.true(f"{what}: touch", [s["end_ns"] for s in steps] == at[1:]
               and at[0] == got["begin_ns"])
    c.true(f"{what}: in order", all(a["begin_ns"] < b["begin_ns"]
                                    for a, b in zip(steps, steps[1:])))


def state_of(step):
    return step["id"] if step["kind"] == "entry" else step["kind"]


def joined(steps):
    """Neighbours of one location and state that is no entry method as one: how
    waits are cut up into pieces is the readers' own business."""
    out = []
    for pe, state, begin, end in steps:
        if out and out[-1][:2] == (pe, state) and out[-1][3] == begin \
                and not isinstance(state, int):
            begin = out.pop()[2]
        out.append((pe, state, begin, end))
    return out


def check_range(c, program, folder, run, comm, begin, end, pes):
    what = f"{begin} to {end} of {len(pes)}"
    limits = ["--from", begin, "--to", end, "--locations", ",".join(map(str, pes))]
    got = harness.ask(program, "critical-path", folder, *limits, "--limit", 1000000)
    path = Path(run, comm, begin, end, pes)
    check_sums(c, what, got)
    c.equal(f"{what}: end", got["path_end_ns"], path.end)
    c.equal(f"{what}: steps", joined([(s["location"], state_of(s), s["begin_ns"], s["end_ns"])
                                      for s in got["steps"]]), joined(path.steps[::-1]))
    sums = collections.Counter()
    for pe, state, first, last in path.steps:
        sums[state] += last - first
    c.equal(f"{what}: sums", {state_of(a): a["path_ns"] for a in got["activities"]}, dict(sums))
    few = harness.ask(program, "critical-path", folder, *limits, "--limit", 3)
    longest = sorted(got["steps"], key=lambda s: (s["begin_ns"] - s["end_ns"], s["begin_ns"]))[:3]
    c.equal(f"{what}: longest", few["steps"], sorted(longest, key=lambda s: s["begin_ns"]))


def check_run(program, folder, rng, n_ranges):
    c = harness.Compare()
    run = reference.read_run(folder)
    comm = reference.comm_threads(folder, run)
    info = harness.ask(program, "info", folder)
    begin, end = info["begin_ns"], info["end_ns"]
    check_range(c, program, folder, run, comm, begin, end, sorted(run))
    for _ in range(n_ranges):
        a, b = sorted(rng.sample(range(begin, end + 1), 2)) if end > begin + 2 else (begin, end)
        pes = rng.sample(sorted(run), rng.randrange(1, len(run) + 1))
        if b > a:
            check_range(c, program, folder, run, comm, a, b, pes)
    answers = {harness.run(program, "critical-path", folder, "--threads", n, "--format", "json",
                           "--quiet").out for n in (1, 3)}
    c.equal("threads", len(answers), 1)
    return c.problems


# -- made runs ---------------------------------------------------------------

def write_run(folder, logs):
    lines = ["PROJECTIONS_ID ", "VERSION 11.0", 'MACHINE "test"', f"PROCESSORS {len(logs)}",
             "TOTAL_CHARES 1", f"TOTAL_EPS {N_ENTRIES}", "TOTAL_MSGS 1", "TOTAL_PSEUDOS 0",
             "TOTAL_EVENTS 0", 'CHARE 0 "Chare" -1']
    lines += [f'ENTRY CHARE {i} "method{i}()" 0 0' for i in range(N_ENTRIES)]
    (folder / "made.sts").write_text("\n".join(lines + ["MESSAGE 0 8", "TOTAL_STATS 0", "END"])
                                     + "\n")
    for pe, log in enumerate(logs):
        (folder / f"made.{pe}.log").write_text(
            f"PROJECTIONS-RECORD {len(log)}\n" + "\n".join(log) + "\n")


class Program:
    """Messages in flight, and PEs that take one, or wait, or neither. With
    strange, records lie: times run backwards, senders and events are made up."""

    def __init__(self, rng, strange=False):
        self.rng, self.strange = rng, strange
        self.n = rng.randrange(1, 6)
        self.time = [rng.randrange(3) for _ in range(self.n)]
        self.logs = [[f"6 {t}"] for t in self.time]
        self.events = [0] * self.n
        self.flying = []                # (arrives, to, ep, source, event)
        for pe in range(self.n):
            if rng.random() < 0.5:
                self.create(pe)         # outside of all blocks
        for _ in range(rng.choice((4, 40, 400))):
            self.do(rng.randrange(self.n))
        for pe in range(self.n):
            self.logs[pe].append(f"7 {self.time[pe] + rng.randrange(3)}")

    def at(self, pe):
        return (max(0, self.time[pe] - self.rng.randrange(9))
                if self.strange and self.rng.random() < 0.2 else self.time[pe])

    def create(self, pe):
        rng, event = self.rng, self.events[pe]
        self.events[pe] += rng.choice((1, 1, 1, 0)) if self.strange else 1
        ep = rng.randrange(N_ENTRIES)
        kind = rng.choice((1, 1, 20))
        tail = "0" if kind == 1 else "0 2"
        self.logs[pe].append(f"{kind} 21 {ep} {self.at(pe)} {event} {pe} 64 {tail}")
        self.flying.append((self.time[pe] + rng.randrange(4), rng.randrange(self.n), ep, pe,
                            event))

    def take(self, pe):
        """The message that a block begins with."""
        rng = self.rng
        mine = [m for m in self.flying if m[1] == pe]
        if not mine or rng.random() < 0.1:
            return rng.randrange(N_ENTRIES), rng.randrange(self.n), -1, self.time[pe]
        one = mine[0]
        if rng.random() < 0.9:
            self.flying.remove(one)     # else the call goes on later
        event = one[4] + (1000 if rng.random() < 0.05 else 0)
        if self.strange and rng.random() < 0.3:
            event = rng.randrange(20)
        return rng.choice((one[2], one[2], one[2], 0)), one[3], event, one[0]

    def do(self, pe, depth=0):
        rng = self.rng
        ep, source, event, arrives = self.take(pe)
        if depth == 0 and (arrives > self.time[pe] or rng.random() < 0.3):
            if rng.random() < 0.8:
                self.logs[pe].append(f"14 {self.at(pe)} {pe}")
                self.time[pe] = max(arrives, self.time[pe] + rng.randrange(3))
                self.logs[pe].append(f"15 {self.at(pe)} {pe}")
            else:
                self.time[pe] = max(arrives, self.time[pe])
        self.time[pe] += rng.choice((0, 0, 1))
        self.logs[pe].append(f"2 21 {ep} {self.at(pe)} {event} {source} 64 0 0 0 0 0 0")
        for _ in range(rng.choice((0, 1, 1, 2))):
            self.time[pe] += rng.choice((0, 0, 1, 5))
            self.create(pe)
        if depth < 2 and rng.random() < 0.15:
            self.do(pe, depth + 1)
        self.time[pe] += rng.choice((0, 0, 1, 7))
        if not (self.strange and rng.random() < 0.1):
            self.logs[pe].append(f"3 0 {ep} {self.at(pe)} {event} {source} 0 0")


def check_made(program, seed):
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        write_run(pathlib.Path(name), Program(rng).logs)
        return check_run(program, pathlib.Path(name), rng, 4)


def check_strange(program, seed):
    """It ends, and adds up."""
    c, rng = harness.Compare(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        write_run(pathlib.Path(name), Program(rng, strange=True).logs)
        got = harness.ask(program, "critical-path", name, "--limit", 1000000)
        check_sums(c, "strange", got)
        c.true("some path", got["path_ns"] > 0 or got["steps"] == [])
    return c.problems


def check_circle(program):
    """Two PEs that wake each other without a tick in between: no PE is left
    twice at one time, and the first wait is on the path."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_run(folder, [["6 0", f"14 0 {pe}", f"15 5 {pe}",
                            f"2 21 0 5 {1 - pe} {1 - pe} 8 0 0 0 0 0 0",
                            f"1 21 0 5 {pe} {pe} 8 0", f"3 0 0 9 0 {pe} 0 0", "7 9"]
                           for pe in range(2)])
        got = harness.ask(program, "critical-path", folder)
        c.equal("circle", [(s["location"], s["kind"], s["begin_ns"], s["end_ns"])
                           for s in got["steps"]],
                [(1, "idle", 0, 5000), (0, "entry", 5000, 9000)])
    return c.problems


def check_refusals(program, root):
    c = harness.Compare()
    for code, word, *args in (
            (1, "stream", root / "tests" / "data" / "streams" / "leanmd-p6.kymostream"),
            (1, "summary", root / "tests" / "data" / "jacobi2d-sum-p8"),
            (2, "whole number", root / "data" / "sample", "--limit", 0),
            (2, "number of steps", root / "data" / "sample", "--limit", 2000000000)):
        got = harness.run(program, "critical-path", *args, "--quiet")
        c.true(f"{args}: exit {got.code}, {got.err}", got.code == code and word in got.err
               and got.err.count("\n") == 1 and got.out == b"")
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    first, n = (int(a) for a in (sys.argv[3:] + ["1", "30"])[:2])
    tap = harness.Tap()
    tap.check("circle", check_circle, program)
    tap.check("refusals", check_refusals, program, root)
    for name, folder, _ in harness.cases(root):
        size = sum(p.stat().st_size for p in folder.rglob("*"))
        info = harness.run(program, "info", folder, "--format", "json", "--quiet")
        if size <= MAX_BYTES and info.code == 0 and info.json["kind"] == "trace" \
                and info.json["report"]["complete"] and reference.read_run(folder):
            with harness.kept_runs():
                tap.check(name, check_run, program, folder, random.Random(1), 2)
    for seed in range(first, first + n):
        tap.check(f"made run {seed}", check_made, program, seed)
        tap.check(f"strange run {seed}", check_strange, program, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
