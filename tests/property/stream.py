# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of streams, captured and random: profile, usage and time profile
of any range in any bins are what an independent reader of the file adds up of
the replies; the parts add up to the span; what was lost is untraced.

Usage: stream.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import pathlib
import random
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import make_stream as ms  # noqa: E402

BIN = ms.BIN_NS


class Stream:
    """Bins of 1 ms, each a list of (entry, ns) by entry, or None where nothing
    came; read frame by frame with the clock of docs/formats/stream.md."""

    def __init__(self, path):
        self.bins, self.begin, self.lost = [], None, 0
        form, clock = {}, 0
        for kind, _, begin, payload in ms.split(path.read_bytes())[1]:
            if kind == ms.FORM:
                form = dict(line.split(": ", 1) for line in payload.decode().splitlines())
            if kind not in (ms.REPLY, ms.LOST):
                continue
            bins = None
            if kind == ms.REPLY:
                order = "<" if form["byte-order"] == "little" else ">"
                bins = ms.decode(payload, form["handler"], order, int(form["pes"]))
                if bins is None:
                    continue
            if begin > clock:
                clock = begin
            self.put(clock // BIN, [self.fit(b) for b in bins] if bins is not None
                     else [None] * 1000)
            clock += BIN * (len(bins) if bins is not None else 1000)
        self.end = self.begin + len(self.bins) * BIN

    @staticmethod
    def fit(one):
        """More than all of a bin is cut in proportion."""
        total = sum(one.values())
        parts = [(e, one[e] if total <= BIN else one[e] * BIN // total) for e in sorted(one)]
        return [(entry, ns) for entry, ns in parts if ns]

    def put(self, at, bins):
        if self.begin is None:
            self.begin = at * BIN
        gap = at - (self.begin // BIN + len(self.bins))
        self.bins += [None] * gap + bins

    @staticmethod
    def until(one, x):
        """Time by entry of the first x ns of a bin."""
        if one is None:
            return {"untraced": x}
        parts, left = {}, BIN
        for entry, ns in one:
            parts[entry] = x * ns // left
            x, left = x - parts[entry], left - ns
        parts["rest"] = x
        return parts

    def sum(self, begin, end):
        total, at = {}, max(begin, self.begin)
        end = min(end, self.end)
        while at < end:
            i = (at - self.begin) // BIN
            first = self.begin + i * BIN
            stop = min(end, first + BIN)
            before = self.until(self.bins[i], at - first)
            for state, ns in self.until(self.bins[i], stop - first).items():
                total[state] = total.get(state, 0) + ns - before[state]
            at = stop
        return {state: ns for state, ns in total.items() if ns}


def random_block(rng, handler, order, pes):
    n = rng.choice((1000, 1000, 1000, 1, 37, 2500))
    if handler == ms.HANDLERS[1]:
        return bytes(rng.choice((0, 7, 100, 200, 230)) for _ in range(n - n % 2 + 2))
    if handler == ms.HANDLERS[2]:
        return struct.pack(f"{order}{n + 1}d", *(rng.choice((0, .0001, .0005, .001)) * pes
                                                 for _ in range(n + 1)))
    out = [struct.pack(order + "ii", n, pes)]
    for _ in range(n):
        entries = sorted(rng.sample(range(40), rng.randrange(5)))
        records = [(e, rng.choice((0, 1, 25, 60, 120))) for e in entries]
        records += [(10000, rng.randrange(80))] * rng.randrange(3)
        out.append(struct.pack(order + "h", len(records))
                   + b"".join(struct.pack(order + "hB", *r) for r in records))
    return b"".join(out)


def write_random(path, seed):
    rng = random.Random(seed)
    pes, order = rng.randrange(1, 9), rng.choice("<>")
    handler = rng.choice((ms.HANDLERS[0], ms.HANDLERS[0], *ms.HANDLERS))
    text = (f"handler: {handler}\nbyte-order: {'little' if order == '<' else 'big'}\n"
            f"pes: {pes}\n")
    frames = [(ms.FORM, 1, ms.NO_TIME, text.encode())]
    clock, told = rng.choice((0, 0, 7 * ms.SECOND_NS)), rng.random() < .5
    for i in range(rng.randrange(2, 9)):
        payload = random_block(rng, handler, order, pes)
        frames.append((ms.REPLY, 10 + i, clock if told or i == 0 else ms.NO_TIME, payload))
        clock += BIN * len(ms.decode(payload, handler, order, pes))
        what = rng.randrange(8)
        if what == 0:
            frames.append((ms.LOST, 11 + i, ms.NO_TIME, b"it was cut"))
            clock += 1000 * BIN
        elif what == 1 and told:
            clock += rng.randrange(1, 3000) * BIN
        elif what == 2:
            frames.append((ms.REPLY, 11 + i, ms.NO_TIME, b""))
        elif what == 3:
            frames.append((ms.MARK, 11 + i, ms.NO_TIME, b"here"))
    frames.append((ms.END, 99, ms.NO_TIME, b"it ended"))
    path.write_bytes(ms.recording(frames))
    return rng


def parts_of(table):
    return sum(table[key] for key in ("busy_ns", "idle_ns", "overhead_ns", "untraced_ns"))


def states_of(table, activities, key):
    """In the words of Stream.sum()."""
    states = {a["id"]: a[key] for a in activities if a[key]}
    rest = table["idle_ns"] + table["overhead_ns"]
    if rest:
        states["rest"] = rest
    if table["untraced_ns"]:
        states["untraced"] = table["untraced_ns"]
    return states


def check_profile(c, program, path, stream, *span):
    answer = harness.ask(program, "profile", path, *span)
    begin, end = answer["begin_ns"], answer["end_ns"]
    c.equal("span", answer["span_ns"], end - begin)
    c.equal("parts", parts_of(answer), answer["span_ns"])
    c.equal(f"profile {begin}..{end}", states_of(
        answer, [a for a in answer["activities"] if a["kind"] == "entry"], "exclusive_ns"),
        stream.sum(begin, end))
    c.true("no notes", answer["notes"])


def check_usage(c, program, path, stream, begin, end):
    answer = harness.ask(program, "usage", path, "--from", begin, "--to", end)
    (location,) = answer["locations"]
    c.equal(f"usage {begin}..{end}", states_of(location, location["activities"], "ns"),
            stream.sum(begin, end))


def check_time_profile(c, program, path, stream, begin, end, bins):
    answer = harness.ask(program, "time-profile", path, "--bins", bins, "--from", begin,
                         "--to", end)
    edges = answer["edges_ns"]
    c.equal("edges", edges, [begin + (end - begin) * i // bins for i in range(bins + 1)])
    for i in range(bins):
        got = {s["id"]: s["ns"][i] for s in answer["series"] if s["ns"][i]}
        rest = answer["idle_ns"][i] + answer["overhead_ns"][i]
        if rest:
            got["rest"] = rest
        if answer["untraced_ns"][i]:
            got["untraced"] = answer["untraced_ns"][i]
        c.equal(f"bin {i} of {bins}, {begin}..{end}", got, stream.sum(edges[i], edges[i + 1]))


def check_recording(program, path, rng):
    c = harness.Compare()
    stream = Stream(path)
    info = harness.ask(program, "info", path)
    c.equal("kind", info["kind"], "stream")
    c.equal("span", (info["begin_ns"], info["end_ns"]), (stream.begin, stream.end))
    check_profile(c, program, path, stream)
    # Every millisecond of a stretch, as it was sent.
    first = stream.begin + rng.randrange(max(1, len(stream.bins) - 250)) * BIN
    n = min(250, (stream.end - first) // BIN)
    check_time_profile(c, program, path, stream, first, first + n * BIN, n)
    for _ in range(3):
        a, b = sorted(rng.sample(range(stream.begin, stream.end + 1), 2))
        check_profile(c, program, path, stream, "--from", a, "--to", b)
        check_usage(c, program, path, stream, a, b)
        check_time_profile(c, program, path, stream, a, b, rng.randrange(1, 60))
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 12
    tap = harness.Tap()
    for path in sorted((root / "tests" / "data" / "streams").glob("*.kymostream")):
        tap.check(path.name, check_recording, program, path, random.Random(7))
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(first, first + count):
            path = pathlib.Path(scratch) / f"{seed}.kymostream"
            tap.check(f"seed {seed}", check_recording, program, path, write_random(path, seed))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
