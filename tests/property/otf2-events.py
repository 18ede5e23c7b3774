# SPDX-License-Identifier: GPL-3.0-or-later
"""Made OTF2 archives: messages, one-sided transfers, metrics, threads, clocks and
numbers of their own, switched off measurement, and archives that are damaged.

Usage: otf2-events.py KYMO-CLI WRITE-OTF2
"""
import collections
import os
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import otf2  # noqa: E402


def issues(program, folder):
    info = harness.ask(program, "info", folder)
    return sorted((i["severity"], i["file"], i["count"]) for i in info["report"]["issues"])


def pairs(messages):
    found = collections.defaultdict(lambda: (0, 0))
    for m in messages:
        count, size = found[(m["from"], m["to"])]
        found[(m["from"], m["to"])] = (count + 1, size + m["bytes"])
    return dict(found)


def check_messages(program, writer, folder, seed):
    """Ranks of communicators are ranks of the run; blocking or not."""
    c = harness.Compare()
    rng = random.Random(seed)
    n = 5
    a = otf2.Archive()
    a.processes(n, first=100)
    order = [3, 0, 4, 1, 2]
    a.comm(0, range(n))
    a.comm(1, order)
    a.add("group", 30, "a", otf2.COMM_GROUP, otf2.MPI, 0, "0,2")
    a.add("group", 31, "b", otf2.COMM_GROUP, otf2.MPI, 0, "4,1,3")
    a.add("intercomm", 2, "inter", 30, 31)
    for number, name in enumerate(("main", "MPI_Isend", "MPI_Waitall")):
        a.region(number, name)
    expected = collections.defaultdict(lambda: [0, 0])
    time = 10
    for rank in range(n):
        a.event(100 + rank, time, "enter", 0)
    for request in range(60):
        comm = rng.randrange(3)
        ranks = {0: list(range(n)), 1: order}.get(comm)
        if comm == 2:
            side = rng.randrange(2)
            here, there = ([0, 2], [4, 1, 3])[::1 if side == 0 else -1]
        else:
            here = there = ranks
        to = rng.randrange(len(there))
        source = rng.randrange(len(here))
        if here[source] == there[to]:
            continue
        size, tag, sender, receiver = rng.randrange(9000), rng.randrange(3), here[source], there[to]
        one, two = 100 + sender, 100 + receiver
        time += 100
        a.event(two, time, "irecv-request", request)
        a.event(one, time, "enter", 1)
        if rng.random() < 0.5:
            a.event(one, time + 1, "isend", to, comm, tag, size, request)
            a.event(one, time + 8, "isend-complete", request)
            a.event(two, time + 20, "enter", 2)
            a.event(two, time + 30, "irecv", source, comm, tag, size, request)
        else:
            a.event(one, time + 1, "send", to, comm, tag, size)
            a.event(two, time + 20, "enter", 2)
            a.event(two, time + 30, "recv", source, comm, tag, size)
        a.event(one, time + 9, "leave", 1)
        a.event(two, time + 31, "leave", 2)
        expected[(sender, receiver)][0] += 1
        expected[(sender, receiver)][1] += size
    for rank in range(n):
        a.event(100 + rank, time + 200, "leave", 0)
    a.write(writer, folder)
    answer = harness.ask(program, "messages", folder)
    c.equal("pairs", pairs(answer["messages"]), {k: tuple(v) for k, v in expected.items()})
    c.equal("latencies", {m["latency_ns"] for m in answer["messages"]}, {29})
    c.equal("report", issues(program, folder), [])
    return c.problems


def check_unknown(program, writer, folder):
    """What is not defined is counted and left out; ends without begins end nothing."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(2)
    a.comm(0, [0, 1])
    a.region(0, "main")
    a.region(1, "f")
    a.event(0, 10, "leave", 1)
    a.event(0, 20, "enter", 0)
    a.event(0, 30, "enter", 77)
    a.event(0, 31, "send", 9, 0, 0, 5)
    a.event(0, 32, "send", 1, 4, 0, 5)
    a.event(0, 33, "metric", 5, "u:1")
    a.event(0, 34, "enter", 1)
    a.event(0, 40, "leave", 0)
    a.event(1, 20, "enter", 0)
    a.event(1, 40, "leave", 0)
    a.write(writer, folder)
    profile = harness.ask(program, "profile", folder)
    c.equal("profile", {p["name"]: p["exclusive_ns"] for p in profile["activities"]
                        if p["blocks"]}, {"main": 34, "f": 6})
    found = collections.Counter()
    for severity, file, count in issues(program, folder):
        c.equal("file", file, "traces/0.evt")
        found[severity] += count
    c.equal("report", dict(found), {"lost": 1 + 2 + 1, "repaired": 2})
    return c.problems


def check_left_out(program, writer, folder):
    """Collectives on what is not defined, gets that never end, messages of 4 GiB, samples of
    a process without records, definitions of a location that are cut: each is told."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(3)
    a.comm(0, [0, 1, 2])
    a.add("window", 0, "window", 0)
    a.region(0, "MPI_Barrier")
    a.add("member", 0, "power", otf2.ABSOLUTE_POINT, otf2.DOUBLE, "W")
    a.add("class", 0, otf2.ASYNCHRONOUS, "0")
    a.add("location", 9, "sensors", otf2.METRIC, 2)
    # Location 2 has no events and needs no file, location 3 should have one.
    a.add("location", 3, "thread 1", otf2.CPU_THREAD, 2, 5)
    a.add("regions", 1, "0")
    a.event(9, 10, "metric", 0, "d:1")
    for rank in (0, 1):
        a.event(rank, 1, "enter", 0)
        a.event(rank, 2, "begin")
        a.event(rank, 3, "end", 0, 5 * rank, otf2.NO_ROOT, 0, 0)
        a.event(rank, 4, "window-begin")
        a.event(rank, 5, "window-end", 0, 7 * rank, otf2.NO_ROOT, 0, 0)
    for operation in (1, 2, 2, 3):
        a.event(0, 6, "get", 0, 1, 50, operation)
    a.event(0, 7, "complete", 0, 3)
    a.event(0, 8, "send", 1, 0, 0, 2 ** 32 - 1)
    a.event(0, 8, "send", 1, 0, 0, 2 ** 33)
    for rank in (0, 1):
        a.event(rank, 9, "leave", 0)
    a.write(writer, folder)
    local = folder / "traces" / "1.def"
    local.write_bytes(local.read_bytes()[:-2])
    told = harness.ask(program, "info", folder)["report"]["issues"]
    c.equal("report", sorted((i["file"], i["count"], i["what"].split(" ")[0]) for i in told
                             if i["severity"] == "lost"),
            [("traces/0.evt", 1, "Messages"), ("traces/0.evt", 3, "One-sided"),
             ("traces/1.def", 1, "Numbers"), ("traces/1.evt", 2, "Collective"),
             ("traces/3.evt", 1, "The"), ("traces/9.evt", 1, "Samples")])
    return c.problems


def check_far_clock(program, writer, folder):
    """One clock that is decades behind leaves the axis to the others."""
    c = harness.Compare()
    years = 20 * 365 * 86400 * 10 ** 9
    a = otf2.Archive()
    a.processes(4)
    a.comm(0, [0, 1, 2, 3])
    a.region(0, "MPI_Barrier")
    for rank, zero in enumerate((years + 5, 0, years, 2 * years)):
        a.event(rank, zero, "enter", 0)
        a.event(rank, zero + 10, "begin")
        a.event(rank, zero + 50, "end", 0, 0, otf2.NO_ROOT, 0, 0)
        a.event(rank, zero + 90, "leave", 0)
    a.write(writer, folder)
    info = harness.ask(program, "info", folder)
    c.equal("spans", [(p["begin_ns"], p["end_ns"]) for p in info["location_list"]],
            [(5, 95), (0, 90), (0, 90), (0, 90)])
    c.equal("report", [i for i in issues(program, folder) if i[0] == "repaired"],
            [("repaired", f"traces/{rank}.evt", 1) for rank in (1, 3)])
    one = harness.ask(program, "collectives", folder)["collectives"]
    c.equal("collective", [(o["begin_ns"], o["end_ns"], o["last"]) for o in one], [(10, 55, 0)])
    return c.problems


def check_many_groups(program, writer, folder):
    """Each group is looked at once, however many there are; and so is an anchor file."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(1)
    a.region(0, "main")
    for number in range(100, 400_100):
        a.add("group", number, "g", otf2.COMM_GROUP, otf2.USER, 0, "0")
    a.event(0, 0, "enter", 0)
    a.event(0, 10, "leave", 0)
    a.write(writer, folder)
    c.equal("records", harness.ask(program, "info", folder)["records"], 2)
    small = harness.run(program, "info", folder, "--memory-limit", "16M")
    c.equal("within 16 MiB", (small.code, "more memory" in small.err), (1, True))
    os.truncate(folder / "traces.otf2", 2 ** 36)
    large = harness.run(program, "info", folder)
    c.equal("64 GiB of an anchor", (large.code, large.err.count("\n")), (1, 1))
    return c.problems


def check_one_sided(program, writer, folder):
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(3)
    a.comm(0, [0, 1, 2])
    a.add("window", 0, "window", 0)
    a.region(0, "MPI_Put")
    a.event(0, 10, "enter", 0)
    a.event(0, 11, "put", 0, 1, 100, 1)
    a.event(0, 12, "get", 0, 2, 50, 2)
    a.event(0, 13, "atomic", 0, 1, 0, 8, 16, 3)
    for operation in (1, 2, 3):
        a.event(0, 20 + operation, "complete", 0, operation)
    a.event(0, 30, "leave", 0)
    for rank in (1, 2):
        a.event(rank, 10, "enter", 0)
        a.event(rank, 30, "leave", 0)
    a.write(writer, folder)
    info = harness.ask(program, "info", folder)
    c.equal("sends", info["messages"], 2)
    c.equal("report", [(i["severity"], i["count"]) for i in info["report"]["issues"]],
            [("note", 3)])
    return c.problems


def check_metrics(program, writer, folder):
    """Read with each begin and end, and growing: a counter of functions. Else samples."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(1)
    a.region(0, "main")
    a.region(1, "f")
    a.add("member", 0, "PAPI_TOT_INS", otf2.ACCUMULATED_START, otf2.UINT64, "#")
    a.add("member", 1, "power", otf2.ABSOLUTE_POINT, otf2.DOUBLE, "W")
    a.add("class", 0, otf2.STRICT, "0")
    a.add("class", 1, otf2.ASYNCHRONOUS, "1")
    a.add("instance", 2, 1, 0)
    for time, total, event, region in ((0, 5, "enter", 0), (10, 25, "enter", 1),
                                       (30, 125, "leave", 1), (50, 130, "leave", 0)):
        a.event(0, time, "metric", 0, f"u:{total}")
        a.event(0, time, event, region)
        if time == 10:
            a.event(0, 12, "metric", 1, "d:2.5")
            a.event(0, 14, "metric", 2, "d:-1e30")
    # A location of its own: its samples lie on the process, as far as that has time.
    a.add("location", 9, "sensors", otf2.METRIC, 0)
    for time in (1, 11, 49, 60):
        a.event(9, time, "metric", 1, "d:1")
    a.write(writer, folder)
    info = harness.ask(program, "info", folder)
    c.equal("locations", [p["label"] for p in info["location_list"]], ["rank 0"])
    c.equal("metrics, points", (info["metrics"], info["points"]), (["PAPI_TOT_INS"], 2 + 3))
    profile = harness.ask(program, "profile", folder)
    counts = {p["name"]: p["counters"] for p in profile["activities"] if p["kind"] == "function"}
    c.equal("counters", counts, {"main": [25], "f": [100]})
    c.equal("report", issues(program, folder), [("lost", "traces/9.evt", 1)])
    return c.problems


def check_threads(program, writer, folder):
    """Ids in the order of rank and thread; labels; streams of accelerators behind."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(2, threads=2)
    a.add("location", 50, "CUDA[0:7]", otf2.STREAM, 0)
    a.region(0, "!$omp parallel", otf2.OPENMP)
    for location in (3, 50, 2, 1, 0):
        a.event(location, 5, "fork", 2)
        a.event(location, 10 + location, "enter", 0)
        a.event(location, 90, "leave", 0)
        a.event(location, 99, "join")
    a.write(writer, folder)
    info = harness.ask(program, "info", folder)
    c.equal("labels", [(p["location"], p["label"]) for p in info["location_list"]],
            [(0, "rank 0, thread 0"), (1, "rank 0, thread 1"), (2, "rank 0, CUDA[0:7]"),
             (3, "rank 1, thread 0"), (4, "rank 1, thread 1")])
    c.equal("spans", {(p["begin_ns"], p["end_ns"]) for p in info["location_list"]}, {(0, 94)})
    return c.problems


def check_clocks(program, writer, folder):
    """Ticks of any length; an offset for each location, interpolated between two; numbers
    of regions that only hold for one location."""
    c = harness.Compare()
    a = otf2.Archive(resolution=3 * 10 ** 9, offset=2 ** 60)
    a.processes(2)
    a.region(0, "main")
    a.region(1, "f")
    zero = 2 ** 60
    for time, what, region in ((3000, "enter", 0), (3010, "enter", 1), (3020, "leave", 1),
                               (6000, "leave", 0)):
        a.event(0, zero + time, what, region)
        # This one's clock is 300 ticks ahead, then 600; it calls its regions otherwise.
        a.event(1, zero + time + (600 if time == 6000 else 300), what, 1 - region)
    a.add("regions", 1, "1,0")
    a.add("offset", 1, zero + 3300, -300)
    a.add("offset", 1, zero + 3320, -300)
    a.add("offset", 1, zero + 6600, -600)
    a.write(writer, folder)
    for location in (0, 1):
        text = [(e["time_ns"], e["text"].split(" for ")[0]) for e in
                harness.ask(program, "events", folder, "--locations", location)["events"]]
        # 3010 / 3 is 1003.3: a time of the clock is rounded down, then zero is subtracted.
        c.equal(f"location {location}", text, [(0, "calls main"), (3, "calls f")])
    info = harness.ask(program, "info", folder)
    c.equal("ends", [p["end_ns"] for p in info["location_list"]], [1000, 1000])
    return c.problems


def check_resolutions(program, writer, folder):
    """Ticks that are whole nanoseconds are counted by another way than others: the same
    times all the same."""
    c = harness.Compare()
    seen = []
    for number, resolution in enumerate((10 ** 9, 2 * 10 ** 9, 10 ** 6, 10 ** 3)):
        a = otf2.Archive(resolution=resolution, offset=1000)
        a.processes(1)
        a.region(0, "main")
        tick = resolution / 10 ** 9
        for time in (0, 4 * 10 ** 6, 9 * 10 ** 15, 9 * 10 ** 15 + 10 ** 6):
            a.event(0, 1000 + round(time * tick), "enter" if time in (0, 9 * 10 ** 15) else "leave",
                    0)
        a.write(writer, folder.with_name(f"run{number}"))
        seen.append([e["text"] + str(e["time_ns"]) for e in
                     harness.ask(program, "events", folder.with_name(f"run{number}"))["events"]])
    c.equal("events", seen[1:], seen[:1] * 3)
    c.true("times", seen[0][-1].endswith(str(9 * 10 ** 15)))
    return c.problems


def check_measurement(program, writer, folder):
    c = harness.Compare()
    a = otf2.Archive(realtime=1_700_000_000_000_000_000)
    a.processes(1)
    a.region(0, "main")
    a.event(0, 0, "enter", 0)
    a.event(0, 10, "flush", 15)
    a.event(0, 20, "measurement", 0)
    a.event(0, 50, "measurement", 1)
    a.event(0, 60, "enter", 0)
    a.event(0, 70, "leave", 0)
    a.write(writer, folder)
    profile = harness.ask(program, "profile", folder)
    c.equal("times", [profile[k] for k in ("busy_ns", "untraced_ns", "overhead_ns", "flush_ns")],
            [40, 30, 0, 5])
    started = harness.ask(program, "info", folder)["run"]["started"]
    c.equal("started", started, "2023-11-14T22:13:20Z")
    return c.problems


def damages(rng, files):
    """What may have become of one of the files, and the bytes of it."""
    path = rng.choice(files)
    data = bytearray(path.read_bytes())
    at = rng.randrange(len(data))
    kind = rng.randrange(3)
    if kind == 0:
        del data[at:]
    elif kind == 1:
        for _ in range(rng.choice((1, 2, 16))):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 127, 128, 255))
    else:
        data[at:at + rng.randrange(1, 30)] = rng.randbytes(rng.randrange(30))
    return path, bytes(data)


def check_damage(program, writer, folder, seed):
    """One sentence or a run with a report; nothing from the library, and no crash."""
    c = harness.Compare()
    rng = random.Random(seed)
    sound = folder.with_name("sound")
    check_messages(program, writer, sound, seed)
    files = sorted(p for p in sound.rglob("*") if p.suffix in (".otf2", ".def", ".evt"))
    # The anchor and the definitions are what all depends on.
    files += [p for p in files if p.parent == sound] * 3
    for number in range(25):
        path, data = damages(rng, files)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        (folder / path.relative_to(sound)).write_bytes(data)
        result = harness.run(program, "profile", folder, "--format", "json")
        c.true(f"{number} {path.name}: exit {result.code}: {result.err[:200]}",
               result.code in (0, 1))
        if result.code == 1:
            c.equal(f"{number}: lines", result.err.count("\n"), 1)
        for line in result.err.splitlines():
            c.true(f"{number}: {line}", line.startswith("kymo-cli: "))
    return c.problems


def check_missing(program, writer, folder):
    c = harness.Compare()
    check_messages(program, writer, folder, 3)
    (folder / "traces" / "102.evt").unlink()
    (folder / "traces" / "103.def").unlink()
    info = harness.ask(program, "info", folder)
    c.equal("locations", [p["location"] for p in info["location_list"]], [0, 1, 3, 4])
    c.equal("original", info["locations_original"], 5)
    c.true("report", ("lost", "traces/102.evt", 1) in issues(program, folder))
    (folder / "traces.def").unlink()
    result = harness.run(program, "info", folder)
    c.equal("no definitions", (result.code, result.err.count("\n")), (1, 1))
    return c.problems


def main():
    program, writer = sys.argv[1:3]
    tap = harness.Tap()

    def check(name, function, *args):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(name, function, program, writer, pathlib.Path(folder) / "run", *args)

    for seed in (1, 2, 3):
        check(f"messages {seed}", check_messages, seed)
    check("what is not defined", check_unknown)
    check("what is left out", check_left_out)
    check("a clock that is far off", check_far_clock)
    check("many groups", check_many_groups)
    check("one-sided transfers", check_one_sided)
    check("metrics", check_metrics)
    check("threads", check_threads)
    check("clocks", check_clocks)
    check("resolutions", check_resolutions)
    check("measurement off", check_measurement)
    check("missing files", check_missing)
    for seed in range(20, 26):
        check(f"damage {seed}", check_damage, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
