# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of streams, captured and random: what is busiest in any range,
the replies one by one and in bars, and time in bars on the grid are what an
independent reader of the file counts.

Usage: stream-answers.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import make_stream as ms  # noqa: E402
import stream as recordings  # noqa: E402

BIN, SECOND = ms.BIN_NS, ms.SECOND_NS


class Replies:
    """What came, by place in the program's time: (begin, end, arrival, bytes),
    bytes None where a block was lost; and whole seconds as they were sent."""

    def __init__(self, path):
        self.all, self.seconds, self.blocks, self.lost, self.empty = [], [], 0, 0, 0
        form, clock, first = {}, 0, None
        for kind, at_us, begin, payload in ms.split(path.read_bytes())[1]:
            if kind == ms.FORM:
                form = dict(line.split(": ", 1) for line in payload.decode().splitlines())
            if kind not in (ms.REPLY, ms.LOST):
                continue
            bins = self.bins_of(form, payload) if kind == ms.REPLY else None
            if kind == ms.REPLY and bins is None:
                self.empty += 1
                continue
            if begin > clock:
                if first is not None:
                    self.all.append((clock, begin, None, None))
                clock = begin
            first = clock if first is None else first
            end = clock + BIN * (len(bins) if bins is not None else 1000)
            self.all.append((clock, end, at_us, len(payload) if bins is not None else None))
            self.blocks += bins is not None
            self.lost += bins is None
            self.add_seconds(bins or [])
            clock = end

    @staticmethod
    def bins_of(form, payload):
        order = "<" if form["byte-order"] == "little" else ">"
        return ms.decode(payload, form["handler"], order, int(form["pes"]))

    def add_seconds(self, bins):
        for first in range(0, len(bins) - 999, 1000):
            second = {}
            for one in bins[first:first + 1000]:
                for entry, ns in one.items():
                    second[entry] = second.get(entry, 0) + ns
            self.seconds.append((second, SECOND))


def seconds_of(stream, begin, end):
    """Whole seconds of a range, as (time by entry, traced time); those that
    were lost are left out. Where there are none, the range."""
    edges = list(range(-(-begin // SECOND) * SECOND, end + 1, SECOND))
    return traced_of(stream, zip(edges, edges[1:])) or traced_of(stream, [(begin, end)])


def traced_of(stream, steps):
    found = []
    for a, b in steps:
        total = stream.sum(a, b)
        traced = b - a - total.pop("untraced", 0)
        total.pop("rest", None)
        if traced > 0:
            found.append((total, traced))
    return found


def shares(entries, seconds, all_ns, traced_ns):
    """now, mean, lowest and highest of some entries together."""
    each = [sum(ns for e, ns in s.items() if e in entries) / of for s, of in seconds]
    return {"now": each[-1], "mean": all_ns / traced_ns, "lowest": min(each),
            "highest": max(each)}


def check_shares(c, what, got, want):
    for key, value in want.items():
        c.near(f"{what} {key}", got[key], value)


def check_busiest(c, program, path, seconds, total, span=()):
    answer = harness.ask(program, "busiest", path, *span)
    what = f"busiest {' '.join(map(str, span))}"
    traced = sum(total.values()) - total.get("untraced", 0)
    ns = {e: n for e, n in total.items() if isinstance(e, int)}
    if not seconds or traced == 0:
        c.equal(f"{what}: nothing was traced", answer["activities"], [])
        return
    c.equal(f"{what}: steps", answer["steps"], len(seconds))
    check_shares(c, f"{what} busy", answer["busy"],
                 shares(ns, seconds, sum(ns.values()), traced))
    c.equal(f"{what}: entries", sorted(a["id"] for a in answer["activities"]), sorted(ns))
    for a in answer["activities"]:
        check_shares(c, f"{what} {a['id']}", a,
                     shares({a["id"]}, seconds, ns[a["id"]], traced))
    order = [(-a["now"], -a["mean"], a["name"]) for a in answer["activities"]]
    c.equal(f"{what}: order", order, sorted(order))


def total_of(seconds):
    total = {}
    for second, of in seconds:
        for entry, ns in second.items():
            total[entry] = total.get(entry, 0) + ns
        total["rest"] = total.get("rest", 0) + of - sum(second.values())
    return {e: n for e, n in total.items() if n or e == "rest"}


def check_replies(c, program, path, replies):
    answer = harness.ask(program, "replies", path)
    edges = answer["edges_ns"]
    c.equal("edges of replies", edges, [r[0] for r in replies.all] + [replies.all[-1][1]])
    c.equal("bytes", answer["bytes"], [r[3] or 0 for r in replies.all])
    c.equal("lost", answer["lost_ns"],
            [0 if r[3] is not None else r[1] - r[0] for r in replies.all])
    c.equal("blocks", answer["blocks"], [int(r[3] is not None) for r in replies.all])
    late = [None if r[3] is None else r[2] * 1000 - r[1] for r in replies.all]
    least = min(d for d in late if d is not None)
    c.equal("delays", answer["delay_ns"], [None if d is None else d - least for d in late])
    c.equal("totals", (answer["total_blocks"], answer["total_empty"]),
            (replies.blocks, replies.empty))


def check_reply_bars(c, program, path, replies, most):
    answer = harness.ask(program, "replies", path, "--bins", most)
    edges, bar = answer["edges_ns"], answer["bar_ns"]
    if len(replies.all) <= most:
        c.equal("replies as they are", bar, 0)
        return
    c.true(f"bar of {bar}", bar % SECOND == 0
           and str(bar // SECOND).rstrip("0") in ("1", "2", "5"))
    c.true("on the grid", all(e % bar == 0 for e in edges[1:-1]))

    def until(amount, r, x):
        x = min(max(x, r[0]), r[1])
        return amount * (x - r[0]) // (r[1] - r[0])
    for i, (a, b) in enumerate(zip(edges, edges[1:])):
        c.equal(f"bytes of bar {i}", answer["bytes"][i],
                sum(until(r[3] or 0, r, b) - until(r[3] or 0, r, a) for r in replies.all))
        c.equal(f"lost of bar {i}", answer["lost_ns"][i],
                sum(max(min(b, r[1]) - max(a, r[0]), 0) for r in replies.all if r[3] is None))


def check_bars(c, program, path, stream, begin, end, bar):
    answer = harness.ask(program, "time-profile", path, "--bar", bar, "--from", begin,
                         "--to", end)
    edges = answer["edges_ns"]
    c.equal(f"bars of {bar} in {begin}..{end}", edges,
            [min(max(k * bar, stream.begin), stream.end)
             for k in range(begin // bar, -(-end // bar) + 1)])
    for i, (a, b) in enumerate(zip(edges, edges[1:])):
        got = {s["id"]: s["ns"][i] for s in answer["series"] if s["ns"][i]}
        got.update({word: answer[key][i] for word, key in
                    (("rest", "overhead_ns"), ("untraced", "untraced_ns")) if answer[key][i]})
        c.equal(f"bar {i} of {bar}", got, stream.sum(a, b))


def check_recording(program, path, rng):
    c = harness.Compare()
    stream, replies = recordings.Stream(path), Replies(path)
    whole = replies.seconds
    check_busiest(c, program, path,
                  whole or seconds_of(stream, stream.begin, stream.end),
                  total_of(whole) if whole else stream.sum(stream.begin, stream.end))
    check_replies(c, program, path, replies)
    check_reply_bars(c, program, path, replies, rng.randrange(1, 12))
    for _ in range(3):
        a, b = sorted(rng.sample(range(stream.begin, stream.end + 1), 2))
        check_busiest(c, program, path, seconds_of(stream, a, b), stream.sum(a, b),
                      ("--from", a, "--to", b))
        bar = max(rng.choice((BIN, 333333, 10 * BIN, 7 * SECOND)), (b - a) // 200)
        check_bars(c, program, path, stream, a, b, bar)
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 12
    tap = harness.Tap()
    for path in sorted((root / "tests" / "data" / "streams").glob("*.kymostream")):
        tap.check(path.name, check_recording, program, path, random.Random(11))
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(first, first + count):
            path = pathlib.Path(scratch) / f"{seed}.kymostream"
            rng = recordings.write_random(path, seed)
            tap.check(f"seed {seed}", check_recording, program, path, rng)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
