# SPDX-License-Identifier: GPL-3.0-or-later
"""Made OTF2 archives, written through the library of that format: what Kymo reads
against what was written.

Usage: otf2.py KYMO-CLI WRITE-OTF2
"""
import collections
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import otf2  # noqa: E402

KINDS = {"barrier": "barrier", "bcast": "one-to-all", "scatter": "one-to-all",
         "gather": "all-to-one", "reduce": "all-to-one", "allreduce": "all-to-all",
         "alltoall": "all-to-all", "scan": "prefix"}
NAMES = ("main",) + tuple(KINDS)


def wait_of(kind, members, root):
    """How long members waited, by the published patterns: [(rank, begin, end)]."""
    def until(late, begin, end):
        return max(min(late, end) - begin, 0)

    members = sorted(members)
    if kind in ("barrier", "all-to-all"):
        last = max(begin for _, begin, _ in members)
        return sum(until(last, b, e) for _, b, e in members)
    if kind == "prefix":
        return sum(until(max(o for r, o, _ in members if r <= rank), b, e)
                   for rank, b, e in members)
    begin, end = next((b, e) for r, b, e in members if r == root)
    if kind == "one-to-all":
        return sum(until(begin, b, e) for _, b, e in members)
    return until(max((b for r, b, _ in members if r != root), default=begin), begin, end)


class Maker:
    """Ranks with a clock each that make collectives on communicators by turns."""

    def __init__(self, seed, recorded=True, world_only=False):
        self.rng = random.Random(seed)
        self.recorded = recorded
        self.n = self.rng.randrange(3, 7)
        self.archive = otf2.Archive()
        self.archive.processes(self.n)
        order = list(range(self.n))
        self.rng.shuffle(order)
        half = sorted(order[:self.n // 2 + 1])
        self.comms = [list(range(self.n))]
        if not world_only:
            self.comms += [order, half]
        for number, ranks in enumerate(self.comms):
            self.archive.comm(number, ranks)
        for number, name in enumerate(NAMES):
            self.archive.region(number, "main" if number == 0 else "MPI_" + name.capitalize())
        self.time = [self.rng.randrange(1000) for _ in range(self.n)]
        self.zero = min(self.time)
        self.made, self.members = [], []
        for rank in range(self.n):
            self.archive.event(rank, self.time[rank], "enter", 0)

    def collective(self):
        number = self.rng.randrange(len(self.comms))
        ranks = self.comms[number]
        name = self.rng.choice(NAMES[1:])
        kind = KINDS[name]
        rooted = kind in ("one-to-all", "all-to-one")
        root = self.rng.randrange(len(ranks)) if rooted else otf2.NO_ROOT
        begins = {r: self.time[r] + 1 + self.rng.randrange(500) for r in ranks}
        last = max(begins.values())
        sent = received = 0
        members = []
        for rank in ranks:
            begin = begins[rank]
            leaves = max(begin, begins[ranks[root]]) if rooted else last
            end = leaves + 1 + self.rng.randrange(50)
            region = NAMES.index(name)
            self.archive.event(rank, begin, "enter", region)
            if self.recorded:
                out, back = self.rng.randrange(5000), self.rng.randrange(5000)
                self.archive.event(rank, begin, "begin")
                self.archive.event(rank, end, "end", otf2.OPS.index(name), number, root,
                                   out, back)
                sent, received = sent + out, received + back
            self.archive.event(rank, end, "leave", region)
            self.time[rank] = end
            members.append((rank, begin - self.zero, end - self.zero))
        self.made.append(self.expected(name, kind, members, ranks[root] if rooted else None,
                                       sent, received))
        self.members.append(members)

    def expected(self, name, kind, members, root, sent, received):
        last = max(sorted(members), key=lambda m: m[1])
        return {"name": "MPI_" + name.capitalize(), "kind": kind,
                "begin_ns": min(b for _, b, _ in members),
                "end_ns": max(e for _, _, e in members), "n_members": len(members),
                "last": last[0], "last_label": f"rank {last[0]}", "last_begin_ns": last[1],
                "wait_ns": wait_of(kind, members, root), "root": root,
                "sent_bytes": sent, "received_bytes": received}

    def finish(self):
        for rank in range(self.n):
            self.archive.event(rank, self.time[rank] + 5, "leave", 0)
        return self.archive


def key(collective):
    return (collective["last_begin_ns"], collective["begin_ns"], collective["last"])


def check_pictures(c, program, folder, maker):
    """The marks of a timeline, and what details tell of the one who waited longest."""
    timeline = harness.ask(program, "timeline", folder, "--width", 50)
    marks = sorted((m["name"], m["begin_ns"], m["end_ns"], m["time_ns"], m["n_members"],
                    m["wait_ns"], m["last"], m["late_row"]) for m in timeline["collectives"])
    c.equal("marks", marks, sorted(
        (o["name"], o["begin_ns"], o["end_ns"], o["last_begin_ns"], o["n_members"],
         o["wait_ns"], o["last"], o["last"]) for o in maker.made))
    for mark in timeline["collectives"]:
        c.true("rows", 0 <= mark["first_row"] <= mark["late_row"] <= mark["last_row"] < maker.n)
    alone = harness.ask(program, "timeline", folder, "--width", 50, "--locations", 1)
    c.equal("marks of one row", alone["collectives"], [])


def fan_of(one, members, asked):
    """Who depended on whom: {(from, to): (came, left)}."""
    by_rank = {rank: (begin, end) for rank, begin, end in members}
    others = sorted(by_rank)
    if one["kind"] == "all-to-one":
        pairs = [(r, one["root"]) for r in others]
    elif one["kind"] == "prefix":
        pairs = [(r, asked) if r < asked else (asked, r) for r in others]
    else:
        hub = one["root"] if one["kind"] == "one-to-all" else one["last"]
        pairs = [(hub, r) for r in others]
    return {(a, b): (by_rank[a][0], by_rank[b][1]) for a, b in pairs if a != b}


def check_fans(c, program, folder, maker):
    """The lines of a collective call of a rank: all, those to it, from it, and in bands."""
    for one, members in list(zip(maker.made, maker.members))[:12]:
        asked, begin, end = maker.rng.choice(members)
        at = ["--location", asked, "--at", f"{maker.rng.randrange(begin, end)}ns"]
        expected = fan_of(one, members, asked)
        for way, kept in (("both", expected), ("back", [p for p in expected if p[1] == asked]),
                          ("forward", [p for p in expected if p[0] == asked])):
            answer = harness.ask(program, "messages", folder, *at, "--direction", way)
            found = {(f["from"], f["to"]): (f["sent_ns"], f["begin_ns"]) for f in answer["fan"]}
            c.equal("fan", found, {p: expected[p] for p in kept})
            c.equal("fan: kind, lines", (answer["collective"], answer["n_fan"]),
                    (one["kind"], len(kept)))
        banded = harness.ask(program, "messages", folder, *at, "--rows", 2)["fan"]
        c.equal("bands: lines", sum(f["count"] for f in banded), len(expected))
        for f in banded:
            inside = [t for p, t in expected.items()
                      if f["from"] <= p[0] <= f["from_last"] and f["to"] <= p[1] <= f["to_last"]]
            c.equal("bands: mean", (f["sent_ns"], f["begin_ns"]),
                    tuple(sum(t[i] for t in inside) // len(inside) for i in (0, 1)))


def check_collectives(program, writer, folder, seed):
    """All that was recorded, each with who came last, waiting, root and bytes."""
    c = harness.Compare()
    maker = Maker(seed)
    for _ in range(40):
        maker.collective()
    maker.finish().write(writer, folder)
    answer = harness.ask(program, "collectives", folder, "--limit", 1000)
    c.equal("inferred, left out", (answer["inferred"], answer["left_out"]), (False, 0))
    c.equal("count", answer["count"], len(maker.made))
    c.equal("collectives", sorted(answer["collectives"], key=key), sorted(maker.made, key=key))
    waits = [one["wait_ns"] for one in answer["collectives"]]
    c.equal("order", waits, sorted(waits, reverse=True))
    by_name = collections.defaultdict(lambda: [0, 0, 0])
    for one in maker.made:
        for i, value in enumerate((1, one["n_members"], one["wait_ns"])):
            by_name[one["name"]][i] += value
    c.equal("names", {n["name"]: [n["count"], n["members"], n["wait_ns"]]
                      for n in answer["names"]}, dict(by_name))
    # Neighbouring ranges add up.
    info = harness.ask(program, "info", folder)
    middle = info["end_ns"] // 3
    parts = [harness.ask(program, "collectives", folder, "--from", f"{a}ns", "--to", f"{b}ns")
             for a, b in ((0, middle), (middle, info["end_ns"]))]
    c.equal("ranges", [sum(p[k] for p in parts) for k in ("count", "wait_ns")],
            [answer["count"], answer["wait_ns"]])
    check_pictures(c, program, folder, maker)
    check_fans(c, program, folder, maker)
    # The same waiting as the question about waiting tells.
    waiting = harness.ask(program, "waiting", folder)
    c.equal("waiting", waiting["total_ns"], sum(one["wait_ns"] for one in maker.made))
    return c.problems


KEPT = (["info"], ["collectives", "--limit", "1000"], ["waiting"],
        ["timeline", "--width", "50"], ["profile", "--per-location"],
        ["events", "--limit", "100000"])


def check_kept(program, writer, folder):
    """Out of a cache file, and with little memory, all is as the archive tells; samples of a
    location of its own too."""
    c = harness.Compare()
    maker = Maker(7)
    for _ in range(40):
        maker.collective()
    a = maker.finish()
    a.add("member", 0, "power", otf2.ABSOLUTE_POINT, otf2.DOUBLE, "W")
    a.add("class", 0, otf2.ASYNCHRONOUS, "0")
    a.add("location", 99, "sensors", otf2.METRIC, 1)
    for at in range(5):
        a.event(99, max(maker.time) // 2 + at, "metric", 0, f"d:{at}")
    a.write(writer, folder)
    caches = [folder.with_name(name) for name in ("cache", "little")]
    time.sleep(0.06)                # what changed just now is not kept
    for number, question in enumerate(KEPT):
        def text(cache, *options, question=question):
            return harness.run(program, *question, folder, *options, "--format", "json", "--quiet",
                               env={"XDG_CACHE_HOME": str(cache), "KYMO_CACHE_MIN_BYTES": "0"})

        truth = text(caches[0], "--no-cache")
        c.equal(f"{question[0]}: exit", truth.code, 0)
        if number == 0:
            c.true("samples", b'"points":5' in truth.out.replace(b" ", b""))
            text(caches[1], "--memory-limit", "1000")
        for cache in (caches[0], *caches):
            c.equal(f"{question[0]}: {cache.name}", text(cache).out, truth.out)
        c.equal(f"{question[0]}: little memory",
                text(caches[0], "--no-cache", "--memory-limit", "1000").out, truth.out)
    for cache in caches:
        c.equal(f"files in {cache.name}", len(list(cache.rglob("*.run"))), 1)
    # Of one file that changed the archive is read again.
    name = folder / "traces" / "99.evt"
    name.unlink()
    result = harness.run(program, "info", folder, "--format", "json",
                         env={"XDG_CACHE_HOME": str(caches[0]), "KYMO_CACHE_MIN_BYTES": "0"})
    c.true("a file is gone", b"99.evt" in result.out)
    return c.problems


def check_inferred(program, writer, folder, seed):
    """Without their records those that nobody leaves early are found as they were."""
    c = harness.Compare()
    maker = Maker(seed, recorded=False, world_only=True)
    for _ in range(40):
        maker.collective()
    maker.finish().write(writer, folder)
    answer = harness.ask(program, "collectives", folder, "--limit", 1000)
    expected = []
    for one in maker.made:
        unknown = one["kind"] in ("one-to-all", "all-to-one")
        expected.append({**one, "sent_bytes": None, "received_bytes": None, "root": None,
                         "wait_ns": 0 if unknown else one["wait_ns"]})
    c.equal("inferred, left out", (answer["inferred"], answer["left_out"]), (True, 0))
    c.equal("collectives", sorted(answer["collectives"], key=key), sorted(expected, key=key))
    return c.problems


def check_unequal(program, writer, folder):
    """A rank that calls what others call more often: nobody knows which."""
    c = harness.Compare()
    maker = Maker(5, recorded=False, world_only=True)
    a = maker.archive
    for rank in range(maker.n):
        time = maker.time[rank]
        for i in range(3 if rank else 2):
            a.event(rank, time + 10 * i, "enter", NAMES.index("reduce"))
            a.event(rank, time + 10 * i + 5, "leave", NAMES.index("reduce"))
        maker.time[rank] += 100
    maker.finish().write(writer, folder)
    answer = harness.ask(program, "collectives", folder)
    c.equal("count, left out", (answer["count"], answer["left_out"]), (0, 3 * maker.n - 1))
    return c.problems


def check_asynchronous(program, writer, folder):
    """Of collectives that do not block: from request to completion, in the order of
    requests; windows are communicators of their own."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(2)
    a.comm(0, [0, 1])
    a.region(0, "MPI_Wait")
    a.add("window", 0, "window", 0)
    for rank in range(2):
        a.event(rank, 10, "enter", 0)
        for i in range(2):
            a.event(rank, 20 + 5 * i + rank, "request", i)
        a.event(rank, 100, "window-begin")
        a.event(rank, 120 + rank, "window-end", 0, 0, otf2.NO_ROOT, 0, 0)
        # The second one is complete first.
        a.event(rank, 200 + rank, "done", 11, 0, otf2.NO_ROOT, 7, 8, 1)
        a.event(rank, 300 + rank, "done", 0, 0, otf2.NO_ROOT, 0, 0, 0)
        a.event(rank, 400, "leave", 0)
    a.write(writer, folder)
    answer = harness.ask(program, "collectives", folder)
    found = sorted((o["begin_ns"], o["end_ns"], o["kind"], o["sent_bytes"], o["wait_ns"])
                   for o in answer["collectives"])
    c.equal("collectives", found, [(10, 291, "other", 0, 0), (15, 191, "other", 14, 0),
                                   (90, 111, "barrier", 0, 0)])
    return c.problems


def check_disagree(program, writer, folder):
    """Members that tell different operations: none, and the report says so."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(2)
    a.comm(0, [0, 1])
    a.region(0, "MPI_Barrier")
    for rank in range(2):
        a.event(rank, 10, "enter", 0)
        a.event(rank, 10, "begin")
        a.event(rank, 20, "end", rank, 0, otf2.NO_ROOT, 0, 0)
        a.event(rank, 20, "leave", 0)
    a.write(writer, folder)
    answer = harness.ask(program, "collectives", folder)
    issues = harness.ask(program, "info", folder)["report"]["issues"]
    c.equal("count, left out", (answer["count"], answer["left_out"]), (0, 2))
    c.equal("report", [(i["severity"], i["count"]) for i in issues], [("lost", 2)])
    return c.problems


def check_long_names(program, writer, folder):
    """Names that are alike for longer than names are kept: cut, told, and two of them."""
    c = harness.Compare()
    archive = otf2.Archive()
    archive.processes(1)
    for number, letter in enumerate("ab"):
        archive.region(number, "n" * 70000 + letter, otf2.USER)
        archive.event(0, 10 * number, "enter", number)
        archive.event(0, 10 * number + 5, "leave", number)
    archive.write(writer, folder)
    names = {activity["name"] for activity in harness.ask(program, "profile", folder)["activities"]
             if activity["kind"] == "function"}
    issues = [(issue["file"], issue["severity"], issue["count"])
              for issue in harness.ask(program, "info", folder)["report"]["issues"]
              if issue["what"].startswith("Names of more than 4,096 bytes are cut")]
    c.equal("names", len(names), 2)
    c.equal("fit", [len(name.encode()) <= 4096 for name in names], [True, True])
    c.equal("told", issues, [("traces.def", "note", 2)])
    return c.problems


def main():
    program, writer = sys.argv[1:3]
    tap = harness.Tap()

    def check(name, function, *args):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(name, function, program, writer, pathlib.Path(folder) / "run", *args)

    for seed in range(1, 7):
        check(f"collectives {seed}", check_collectives, seed)
    for seed in range(11, 15):
        check(f"collectives without their records {seed}", check_inferred, seed)
    check("kept", check_kept)
    check("called unequally often", check_unequal)
    check("asynchronous, and of windows", check_asynchronous)
    check("operations that disagree", check_disagree)
    check("long names", check_long_names)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
