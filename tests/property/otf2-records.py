# SPDX-License-Identifier: GPL-3.0-or-later
"""Made OTF2 archives whose figures are known by construction: measurement that is switched
off, roles of regions, units and exponents of metrics, parameters, I/O, markers, and counts of
events that are no losses.

Usage: otf2-records.py KYMO-CLI WRITE-OTF2
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import otf2  # noqa: E402


def exclusive(program, folder, *options):
    profile = harness.ask(program, "profile", folder, *options)
    times = {p["name"]: p["exclusive_ns"] for p in profile["activities"] if p["blocks"]}
    return times, profile


def issues(program, folder):
    info = harness.ask(program, "info", folder)
    return sorted((i["severity"], i["file"], i["count"]) for i in info["report"]["issues"])


def check_off(program, writer, folder):
    """What is open when measurement goes off goes on after it, as the same calls."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(4)
    for number, name in enumerate(("main", "work", "task")):
        a.region(number, name, otf2.USER)
    for rank in range(4):
        for time, *event in ((1000, "enter", 0), (1100, "enter", 1), (1200, "measurement", 0),
                             (1500, "measurement", 1), (1600, "enter", 2), (1700, "leave", 2),
                             (1800, "leave", 1), (2000, "leave", 0)):
            a.event(rank, time, *event)
    a.write(writer, folder)
    for rank in range(4):
        times, profile = exclusive(program, folder, "--locations", rank)
        c.equal("times", times, {"main": 300, "work": 300, "task": 100})
        c.equal("rest", (profile["untraced_ns"], profile["overhead_ns"]), (300, 0))
        c.equal("calls", {p["name"]: p["calls"] for p in profile["activities"] if p["blocks"]},
                {"main": 1, "work": 1, "task": 1})
    c.equal("report", issues(program, folder), [])
    tree = harness.ask(program, "calltree", folder)
    c.equal("tree", {r["name"]: (r["calls"], r["subroutines"], r["exclusive"], r["inclusive"])
                     for r in tree["nodes"] if r["name"] != "Untraced"},
            {"main": (4, 4, 1200, 2800), "work": (4, 4, 1200, 1600), "task": (4, 0, 400, 400)})
    copy = folder.with_name("copy")
    result = harness.run(program, "convert", folder, copy, "--to", "otf2")
    c.equal("exit", result.code, 0)
    # The copy begins at 0.
    c.equal("switches of the copy", switches(copy), [
        (rank, time - 1000, mode) for rank, time, mode in switches(folder)])
    return c.problems


def switches(folder):
    """Location, time and mode of each record about measurement, as the library's program shows
    them."""
    if shutil.which("otf2-print") is None:
        return []
    plain = {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"}
    done = subprocess.run(["otf2-print", folder / "traces.otf2"], timeout=60, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=plain)
    return [(int(rank), int(time), mode) for rank, time, mode in re.findall(
        r"^MEASUREMENT_ON_OFF +(\d+) +(\d+)  Mode: (\w+)", done.stdout, re.MULTILINE)]


def check_off_changes(program, writer, folder):
    """Functions that begin or end while measurement is off; off to the end."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(1)
    for number, name in enumerate(("main", "f", "g")):
        a.region(number, name, otf2.USER)
    for time, *event in ((0, "enter", 0), (10, "enter", 1), (20, "measurement", 0),
                         (25, "leave", 1), (26, "enter", 2), (30, "measurement", 1),
                         (50, "leave", 2), (60, "measurement", 0), (100, "leave", 0)):
        a.event(0, time, *event)
    a.write(writer, folder)
    times, profile = exclusive(program, folder)
    c.equal("times", times, {"main": 20, "f": 10, "g": 20})
    c.equal("rest", (profile["untraced_ns"], profile["overhead_ns"]), (50, 0))
    c.equal("report", issues(program, folder), [])
    return c.problems


ROLES = {15: "synchronization", 16: "synchronization", 12: "synchronization", 22: "wait",
         23: "communication", 24: "communication", 25: "communication", 26: "communication",
         27: "io", 28: "communication", 29: "communication", 30: "communication",
         31: "runtime", 32: "runtime", 33: "wait", 35: "runtime", 38: "io", 1: "compute",
         3: "compute", 5: "compute"}


def roles(program, folder):
    profile = harness.ask(program, "profile", folder)
    return {p["name"]: p["role"] for p in profile["activities"] if p["blocks"]}


def check_roles(program, writer, folder):
    """The person's rules, then the file's role, then the built-in rules; kept or not."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(1)
    expected = {f"region {role}": word for role, word in ROLES.items()}
    names = [(f"region {role}", role) for role in ROLES]
    names += [("MPI_Barrier", 1), ("write", 27), ("MPI_Wait", 28)]
    expected.update({"MPI_Barrier": "synchronization", "write": "io",
                     "MPI_Wait": "communication"})
    for number, (name, role) in enumerate(names):
        a.region(number, name, otf2.USER, role)
        a.event(0, 10 * number, "enter", number)
        a.event(0, 10 * number + 10, "leave", number)
    # Long enough for a cache file.
    for time in range(1000, 1000 + 2 * 200000, 2):
        a.event(0, time, "enter", 0)
        a.event(0, time + 1, "leave", 0)
    a.write(writer, folder)
    config = folder.with_name("config")
    os.environ["XDG_CONFIG_HOME"] = str(config)
    os.environ["XDG_CACHE_HOME"] = str(folder.with_name("cache"))
    try:
        for _ in range(2):
            c.equal("roles", roles(program, folder), expected)
        built_in = (pathlib.Path(__file__).parents[2] / "data" / "roles.conf").read_text("utf-8")
        (config / "kymo").mkdir(parents=True)
        (config / "kymo" / "roles.conf").write_text("wait write\n" + built_in, "utf-8")
        expected["write"] = "wait"
        for _ in range(2):
            c.equal("own roles", roles(program, folder), expected)
    finally:
        del os.environ["XDG_CONFIG_HOME"], os.environ["XDG_CACHE_HOME"]
    return c.problems


METRICS = [  # name, mode, type, unit, base, exponent, values, expected
    ("power", otf2.ABSOLUTE_POINT, "d", "W", otf2.DECIMAL, 3, (1.5, 2.5), (1500, 2500)),
    ("voltage", otf2.ABSOLUTE_POINT, "i", "V", otf2.DECIMAL, -3, (1100, -900), (1.1, -0.9)),
    ("memory", otf2.ABSOLUTE_POINT, "u", "B", otf2.BINARY, 10, (3, 5), (3072, 5120)),
    ("share", otf2.ABSOLUTE_POINT, "u", "", otf2.BINARY, -2, (3, 5), (0.75, 1.25)),
    ("heap", otf2.RELATIVE_POINT, "i", "B", otf2.BINARY, 10, (4, -1), (4096, 3072)),
    ("start", 2, "i", "B", otf2.DECIMAL, 0, (7, -2), (7, 5)),
    ("last", 34, "i", "B", otf2.DECIMAL, 0, (7, 2), (7, 9)),
    ("next", 50, "d", "B", otf2.DECIMAL, -1, (7, 2), (0.7, 0.9)),
    ("moment", 33, "i", "K", otf2.DECIMAL, 0, (300, 310), (300, 310)),
    ("sum", 16, "u", "#", otf2.DECIMAL, 1, (1, 4), (10, 40)),
]


def check_metrics(program, writer, folder):
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(2)
    a.region(0, "main", otf2.USER)
    types = {"u": otf2.UINT64, "i": otf2.INT64, "d": otf2.DOUBLE}
    for number, (name, mode, kind, unit, base, exponent, _, _) in enumerate(METRICS):
        a.add("member", number, name, mode, types[kind], unit, base, exponent)
        a.add("class", number, otf2.SYNCHRONOUS, number)
    for rank in range(2):
        a.event(rank, 0, "enter", 0)
        for i in range(2):
            for number, (_, _, kind, _, _, _, values, _) in enumerate(METRICS):
                a.event(rank, 10 + 10 * i, "metric", number, f"{kind}:{values[i]}")
        a.event(rank, 100, "leave", 0)
    a.write(writer, folder)
    counters = harness.ask(program, "counters", folder)
    found = {n["name"]: (n["unit"], n["min"], n["max"]) for n in counters["names"]}
    c.equal("metrics", found, {m[0]: ("" if m[3] == "#" else m[3], min(m[7]), max(m[7]))
                               for m in METRICS})
    for name, *_, values in METRICS:
        series = harness.ask(program, "counters", folder, "--name", name, "--bins", "10")
        for one in series["series"]:
            means = [v for v in one["column_mean"] if v is not None]
            c.equal(name, means, list(values))
    grid = harness.ask(program, "counter-map", folder, "--name", "power", "--bins", "10")
    c.equal("map", (grid["unit"], grid["min"], grid["max"]), ("W", 1500, 2500))
    c.equal("report", issues(program, folder), [])
    return c.problems


def check_counters(program, writer, folder):
    """Hardware counters of blocks in their unit, also where that makes fractions."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(1)
    a.region(0, "main", otf2.USER)
    a.add("member", 0, "energy", otf2.ACCUMULATED_START, otf2.UINT64, "J", otf2.DECIMAL, -3)
    a.add("member", 1, "bytes", otf2.ACCUMULATED_START, otf2.UINT64, "B", otf2.BINARY, 10)
    a.add("class", 0, otf2.STRICT, "0,1")
    a.event(0, 0, "metric", 0, "u:100", "u:1")
    a.event(0, 0, "enter", 0)
    a.event(0, 50, "metric", 0, "u:2600", "u:4")
    a.event(0, 50, "leave", 0)
    a.write(writer, folder)
    _, profile = exclusive(program, folder)
    main = [p for p in profile["activities"] if p["name"] == "main"][0]
    c.equal("counters", main["counters"], [2.5, 3072])
    tree = harness.ask(program, "calltree", folder, "--metric", "energy")
    c.equal("tree", [r["inclusive"] for r in tree["nodes"]], [2.5])
    names = harness.ask(program, "counters", folder)["names"]
    c.equal("curves", [(n["name"], n["unit"], n["max"]) for n in names],
            [("bytes", "B", 3072), ("energy", "J", 2.5)])
    return c.problems


def check_records(program, writer, folder):
    """Parameters and I/O, in words."""
    c = harness.Compare()
    a = otf2.Archive(offset=1000)
    a.processes(1)
    a.region(0, "main", otf2.USER)
    a.add("parameter", 0, "size", otf2.INT_PARAMETER)
    a.add("parameter", 1, "mask", otf2.UNSIGNED_PARAMETER)
    a.add("parameter", 2, "mode", otf2.TEXT_PARAMETER)
    a.add("paradigm", 0, "POSIX")
    a.add("file", 0, "/data/out.dat", 0)
    a.add("handle", 0, "fd 3", 0, 0, 0, -1, -1)
    a.add("handle", 1, "fd 4", 0, 0, 0, -1, 0)
    for time, *event in (
            (0, "enter", 0), (10, "int", 0, -5), (11, "unsigned", 1, 2 ** 64 - 1),
            (12, "text", 2, "fast"), (20, "io-open", 0, 2, 3, 2), (21, "io-duplicate", 0, 1, 0),
            (31, "io-begin", 0, 1, 0, 4096, 7), (40, "io-issued", 0, 7), (41, "io-test", 0, 7),
            (45, "io-begin", 1, 0, 1, 100, 7), (50, "io-complete", 0, 4000, 7),
            (60, "io-seek", 0, -10, 1, 3990), (61, "io-flags", 0, 4), (62, "io-lock", 0, 1),
            (63, "io-unlock", 0, 1), (64, "io-try-lock", 0, 0), (66, "io-cancel", 1, 7),
            (67, "io-begin", 1, 2, 0, 0, 7), (68, "io-complete", 1, 0, 7), (70, "io-close", 1),
            (71, "io-delete", 0, 0), (80, "io-begin", 0, 0, 0, 8, 1), (81, "io-close", 9),
            (82, "int", 9, 1), (100, "leave", 0)):
        a.event(0, 1000 + time, *event)
    a.write(writer, folder)
    events = harness.ask(program, "events", folder)["events"]
    file = "“/data/out.dat”"
    c.equal("events", [(e["time_ns"], e["text"]) for e in events
                       if e["kind"] in ("parameter", "io")], [
        (10, "parameter size = -5"), (11, "parameter mask = 18446744073709551615"),
        (12, "parameter mode = “fast”"), (20, f"opens {file} for reading and writing"),
        (21, f"duplicates the handle of {file}"), (31, f"writes 4.10 kB to {file} for 19 ns"),
        (40, f"has started an operation on {file}"),
        (41, f"tests an operation that is not complete on {file}"),
        (45, f"reads 100 B from {file} for 21 ns"), (50, f"has written 4.00 kB to {file}"),
        (60, f"moves to byte 3990 of {file}"), (61, f"changes the status flags of {file}"),
        (62, f"locks {file}"), (63, f"unlocks {file}"), (64, f"tries to lock {file}"),
        (66, f"cancels an operation on {file}"), (67, f"flushes {file} for 1 ns"),
        (68, f"has flushed {file}"), (70, f"closes {file}"), (71, f"deletes {file}"),
        (80, f"reads 8 B from {file}"), (81, "closes an unknown file")])
    c.equal("report", issues(program, folder), [
        ("lost", "traces/0.evt", 1), ("lost", "traces/0.evt", 1), ("note", "traces/0.evt", 1)])
    timeline = harness.ask(program, "timeline", folder, "--width", 20)
    c.equal("columns", [r[:4] for r in timeline["records"]], [
        [0, 2, 3, 3], [0, 4, 5, 2], [0, 6, 10, 1], [0, 8, 9, 2], [0, 9, 14, 1], [0, 10, 11, 1],
        [0, 12, 13, 5], [0, 13, 14, 3], [0, 14, 15, 2], [0, 16, 17, 2]])
    c.equal("words", [r[4] for r in timeline["records"]][:3] + [timeline["records"][6][4]], [
        "parameter size = -5\nparameter mask = 18446744073709551615\nparameter mode = “fast”",
        f"opens {file} for reading and writing\nduplicates the handle of {file}",
        f"writes 4.10 kB to {file} for 19 ns",
        f"moves to byte 3990 of {file}\nchanges the status flags of {file}\nlocks {file}\n"
        "and 2 more"])
    profile = harness.ask(program, "profile", folder)
    c.equal("user events", [p["name"] for p in profile["activities"] if p["blocks"] or p["calls"]],
            ["main"])
    return c.problems


def check_markers(program, writer, folder):
    """Markers of each scope, in the answers about the run and on the timeline."""
    c = harness.Compare()
    a = otf2.Archive(offset=1000)
    a.processes(4)
    a.comm(0, [1, 2], "half")
    a.region(0, "main", otf2.USER)
    for rank in range(4):
        a.event(rank, 1000, "enter", 0)
        a.event(rank, 1100, "leave", 0)
    a.add("marker-kind", 0, "MUST", "Type error", otf2.HIGH)
    a.add("marker-kind", 1, "", "Note", 0)
    for i, about in enumerate((0, 1, 2, 2, 10, 0)):
        a.add("marker", 1050 - 10 * i, i, i % 2, i, about, f"text {i}")
    a.write(writer, folder)
    scopes = ["the whole run", "rank 1", "process process 2", "node node 0", "group half",
              "communicator half"]
    markers = harness.ask(program, "info", folder)["markers"]
    c.equal("markers", [(m["begin_ns"], m["end_ns"], m["severity"], m["scope"], m["text"])
                        for m in markers],
            [(50 - 10 * i, 50 - 9 * i, ("high", "none")[i % 2], scopes[i], f"text {i}")
             for i in reversed(range(6))])
    for rank, about in enumerate(([0], [0, 1, 3, 4, 5], [0, 2, 4, 5], [0])):
        marks = harness.ask(program, "timeline", folder, "--locations", rank)["marks"]
        c.equal(f"marks of {rank}", [(m["time_ns"], m["kind"]) for m in marks],
                [(50 - 10 * i, "marker") for i in reversed(about)])
        c.equal("words", marks[-1]["text"],
                "marker “Type error” of MUST, high severity, on the whole run: text 0")
    for rank, about in enumerate(([0], [0, 1, 3, 4, 5], [0, 2, 4, 5], [0])):
        told = harness.ask(program, "events", folder, "--kinds", "marker", "--locations", rank)
        c.equal(f"events of {rank}", [(e["time_ns"], e["duration_ns"], e["name"], e["location"])
                                      for e in told["events"]],
                [(50 - 10 * i, i or None, ("Type error", "Note")[i % 2], rank)
                 for i in reversed(about)])
        last = harness.ask(program, "events", folder, "--tail", "--limit", 1, "--kinds", "marker",
                           "--locations", rank)
        c.equal("last", last["events"], told["events"][-1:])
    every = harness.ask(program, "events", folder, "--kinds", "marker")
    c.equal("each once", [(e["time_ns"], e["location"]) for e in every["events"]],
            [(0, 1), (10, 1), (20, 1), (30, 2), (40, 1), (50, 0)])
    found = harness.ask(program, "events", folder, "--text", "must")
    c.equal("by tool", [e["time_ns"] for e in found["events"]], [10, 30, 50])
    c.equal("long ones", [e["time_ns"] for e in harness.ask(
        program, "events", folder, "--kinds", "marker", "--least", "4ns")["events"]], [0, 10])
    found = harness.ask(program, "search", folder, "TEXT 3")
    c.equal("search", (found["markers_found"], [m["text"] for m in found["markers"]],
                       found["matches"]), (1, ["text 3"], 0))
    words = harness.run(program, "info", folder).out.decode()
    c.true("words", "50 ns, high severity, the whole run, MUST, Type error: text 0" in words)
    c.true("words of none", "no severity, group half" not in words
           and "40 ns to 41 ns, no severity, rank 1, Note: text 1" in words)
    c.equal("report", issues(program, folder), [])
    marker = folder / "traces.marker"
    marker.write_bytes(marker.read_bytes()[:-20])
    c.equal("cut", [i[:2] for i in issues(program, folder)], [("lost", "traces.marker")])
    return c.problems


def check_same_names(program, writer, folder):
    """Functions of one name have their file in it, or its path, or the line."""
    c = harness.Compare()
    a = otf2.Archive(offset=1000)
    a.processes(1)
    regions = [("main", "m.c", 1), ("leaf", "/src/a.c", 10), ("leaf", "/src/b.c", 10),
               ("leaf", "", 0), ("two", "/src/a.c", 20), ("two", "/src/a.c", 30),
               ("base", "x/u.c", 1), ("base", "y/u.c", 1), ("base", "y/u.c", 2), ("base", "v.c", 1),
               ("same", "s.c", 5), ("same", "s.c", 5), ("plain", "", 0), ("plain", "", 0)]
    for number, (name, file, line) in enumerate(regions):
        a.region(number, name, otf2.USER, source=(file, line))
    for number in range(len(regions)):
        a.event(0, 1000 + 10 * number, "enter", number)
        a.event(0, 1005 + 10 * number, "leave", number)
    a.write(writer, folder)
    expected = ["main", "leaf (a.c)", "leaf (b.c)", "leaf", "two (a.c:20)", "two (a.c:30)",
                "base (x/u.c)", "base (y/u.c:1)", "base (y/u.c:2)", "base (v.c)", "same", "same",
                "plain", "plain"]
    with harness.kept_runs():
        for which in ("read", "kept"):
            told = {e["time_ns"]: e["text"].split(" for ")[0] for e in harness.ask(
                program, "events", folder, "--kinds", "block")["events"]}
            c.equal(which, [told[10 * i] for i in range(len(regions))],
                    [f"calls {name}" for name in expected])
    names = {p["name"]: p["calls"] for p in harness.ask(program, "profile", folder)["activities"]}
    c.equal("profile", names["leaf (a.c)"], 1)
    c.equal("signatures", {p["signature"] for p in harness.ask(
        program, "profile", folder)["activities"] if p["name"] == "leaf (a.c)"}, {"leaf (a.c)"})
    return c.problems


def check_long_markers(program, writer, folder):
    """Texts of markers are cut as names are, and told as they are."""
    c = harness.Compare()
    a = otf2.Archive(offset=1000)
    a.processes(1)
    a.region(0, "main", otf2.USER)
    a.event(0, 1000, "enter", 0)
    a.event(0, 1100, "leave", 0)
    a.add("marker-kind", 0, "g" * 5000, "c" * 5000, otf2.LOW)
    a.add("marker", 1010, 0, 0, 0, 0, "n" * 70000 + "a")
    a.add("marker", 1020, 0, 0, 0, 0, "n" * 70000 + "b")
    a.write(writer, folder)
    markers = harness.ask(program, "info", folder)["markers"]
    c.true("cut", all(len(m[key].encode()) <= 4096 for m in markers
                      for key in ("group", "category", "text")))
    c.equal("apart", len({m["text"] for m in markers}), 2)
    c.equal("report", issues(program, folder), [("note", "traces.marker", 4)])
    return c.problems


def check_false_losses(program, writer, folder):
    """Counts of one thread for all of a process, and locations without records."""
    c = harness.Compare()
    for creator, counts, lost in (("TAU", (4, 4, 4), 0), ("other", (4, 4, 4), 0),
                                  ("TAU", (2, 4, 6), 0), ("other", (2, 4, 8), 1)):
        a = otf2.Archive()
        a.add("creator", creator)
        a.add("node", 0, "machine", "machine", -1)
        a.add("process", 0, "process", otf2.PROCESS, 0, -1)
        a.region(0, "main", otf2.USER)
        for thread, count in enumerate(counts):
            a.add("location", thread, f"thread {thread}", otf2.CPU_THREAD, 0, count)
            for i in range(1 + thread):
                a.event(thread, 10 * i, "enter", 0)
                a.event(thread, 10 * i + 5, "leave", 0)
        a.add("location", 9, "idle", otf2.CPU_THREAD, 0, 0)
        place = folder.with_name(f"{creator}-{counts[2]}")
        a.write(writer, place)
        c.equal(f"{creator} {counts}", len(issues(program, place)), lost)
        c.equal("strict", harness.run(program, "info", place, "--strict").code, 3 if lost else 0)
    return c.problems


def main():
    program, writer = sys.argv[1:3]
    tap = harness.Tap()

    def check(name, function):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(name, function, program, writer, pathlib.Path(folder) / "run")

    check("measurement off", check_off)
    check("calls change while measurement is off", check_off_changes)
    check("roles", check_roles)
    check("metrics", check_metrics)
    check("hardware counters", check_counters)
    check("parameters and I/O", check_records)
    check("markers", check_markers)
    check("same names", check_same_names)
    check("long markers", check_long_markers)
    check("false losses", check_false_losses)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
