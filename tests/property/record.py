# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw folders of recorded programs: figures that are known by construction, the answers of the same
run as an OTF2 archive, rings, another byte order, files that grow, and every loss told.

Usage: record.py KYMO-CLI WRITE-OTF2
"""
import collections
import pathlib
import random
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import make_record  # noqa: E402
import otf2  # noqa: E402
from make_record import Twin  # noqa: E402

MAIN, SEND, RECV, ALLREDUCE, BCAST, ISEND, WAIT, WRITE, COMPUTE = range(9)
# Of an answer: what tells how it was read, and where.
OWN_KEYS = {"format", "format_version", "path", "title", "run", "report", "memory_bytes", "places",
            "location_list", "id"}


def plain(answer):
    """Without what may differ between the two forms of a run."""
    if isinstance(answer, dict):
        return {key: plain(value) for key, value in answer.items() if key not in OWN_KEYS}
    if isinstance(answer, list):
        return [plain(value) for value in answer]
    return answer


def by_name(answer):
    """The functions of a profile, which have other numbers in each form."""
    return sorted((a["name"], a["role"], a["group"], a["blocks"], a["calls"], a["exclusive_ns"],
                   a["inclusive_ns"]) for a in answer["activities"] if a["blocks"])


def make_run(rng, size, **how):
    """Some rounds of a ring, with collectives on all and on half of the ranks."""
    twin, clock = Twin(size, **how), [1000 + rng.randrange(400) for _ in range(size)]
    counts = collections.Counter()
    half = twin.comm(range(0, size, 2), "half")

    def call(rank, region, body, least=10):
        begin = clock[rank]
        twin.enter(rank, begin, region)
        clock[rank] = begin + least + rng.randrange(200)
        body(begin, clock[rank])
        twin.leave(rank, clock[rank], region)
        counts[(region, "calls")] += 1
        counts[(region, "ns")] += clock[rank] - begin
        clock[rank] += 1 + rng.randrange(50)

    for rank in range(size):
        twin.enter(rank, clock[rank], MAIN)
        clock[rank] += 5
    for turn in range(rng.randrange(4, 9)):
        for rank in range(size):
            call(rank, COMPUTE, lambda begin, end: None)
        n_bytes = rng.randrange(1, 5000)
        for rank in range(size):
            peer, request = (rank + 1) % size, 100 * turn + rank + 1
            if turn % 2:
                call(rank, SEND, lambda begin, end, rank=rank, peer=peer: twin.message(
                    "send", rank, begin + 1, 0, peer, turn, n_bytes))
            else:
                call(rank, ISEND, lambda begin, end, rank=rank, peer=peer, request=request:
                     twin.message("isend", rank, begin + 1, 0, peer, turn, n_bytes, request))
            counts[("pair", rank, peer)] += n_bytes
            counts["messages"] += 1
        now = max(clock)
        for rank in range(size):
            clock[rank] = max(clock[rank], now)
            call(rank, RECV, lambda begin, end, rank=rank: twin.message(
                "recv", rank, end - 1, 0, (rank - 1) % size, turn, n_bytes))
            if turn % 2 == 0:
                call(rank, WAIT, lambda begin, end, rank=rank: twin.request(
                    "isend-complete", rank, end - 1, 100 * turn + rank + 1))
        for comm, region, op in ((0, ALLREDUCE, 11), (half, BCAST, 1)):
            for place, rank in enumerate(twin.comms[comm]):
                root = otf2.NO_ROOT if region == ALLREDUCE else 0
                sent = 8 * size if region == ALLREDUCE else 64 if place == 0 else 0
                got = 8 * size if region == ALLREDUCE else 64
                call(rank, region, lambda begin, end, rank=rank, comm=comm, op=op, root=root,
                     sent=sent, got=got: twin.collective(rank, begin + 1, end - 1, comm, op, root,
                                                         sent, got), least=20)
            counts[("collectives", region)] += 1
    for rank in range(size):
        twin.write_io(rank, clock[rank], clock[rank] + 50, f"/tmp/out %{rank}", 4096, 4000)
        counts[(WRITE, "calls")] += 1
        counts[(WRITE, "ns")] += 50
        twin.leave(rank, clock[rank] + 60, MAIN)
    twin.raw.end()
    return twin, counts


def check_counts(c, program, folder, twin, counts):
    """What the maker counted itself."""
    profile = harness.ask(program, "profile", folder)
    own = {name: number for number, (name, *_) in enumerate(Twin.REGIONS)}
    for a in profile["activities"]:
        if a["name"].replace("\t", " ") in own and a["name"] != "main" and a["blocks"]:
            region = own[a["name"]]
            c.equal(a["name"], (a["calls"], a["exclusive_ns"]),
                    (counts[(region, "calls")], counts[(region, "ns")]))
    roles = {a["name"]: a["role"] for a in profile["activities"] if a["blocks"]}
    c.equal("roles", (roles["write"], roles["MPI_Send"]), ("io", "communication"))
    talk = harness.ask(program, "communication", folder)
    c.equal("messages", (talk["messages"], talk["matched"], talk["unmatched"]),
            (counts["messages"], counts["messages"], 0))
    c.equal("matrix", {(r["from"], r["to"]): r["bytes"] for r in talk["matrix"]},
            {key[1:]: n for key, n in counts.items() if key[0] == "pair"})
    collectives = harness.ask(program, "collectives", folder)
    kinds = {k["name"]: k["count"] for k in collectives["names"]}
    c.equal("collectives", kinds, {"MPI_Allreduce": counts[("collectives", ALLREDUCE)],
                                   "MPI_Bcast": counts[("collectives", BCAST)]})


def check_files(c, program, run, size):
    """A block that is wide enough tells the file that it writes."""
    timeline = harness.ask(program, "timeline", run, "--width", "16000")
    blocks = {row: (x0, x1, name) for row, x0, x1, name in timeline.get("files", [])}
    c.equal("files", {row: name for row, (_, _, name) in blocks.items()},
            {rank: f"out %{rank}" for rank in range(size)})
    names = timeline["names"]
    for row, (x0, x1, _) in blocks.items():
        cells = [cell for cell in timeline["rows"][row]["cells"] if x0 < cell[0] and cell[1] < x1]
        c.equal("what is told of", {names[cell[2]] for cell in cells} - {"write"}, set())


def check_twins(program, writer, folder, seed):
    """The raw folder and the archive give the same answers, whatever clock and byte order."""
    c = harness.Compare()
    rng = random.Random(seed)
    size = rng.randrange(2, 6)
    twin, counts = make_run(rng, size, rate=(1, 3)[seed // 2 % 2], big_endian=seed % 3 == 2,
                            hosts=1 + seed % 2)
    raw = twin.raw.write(folder / "raw-run")
    archive = folder / "otf2-run"
    twin.archive.write(writer, archive)
    check_counts(c, program, raw, twin, counts)
    check_files(c, program, raw, size)
    for question in ("communication", "info", "messages", "collectives", "waiting",
                     "call-quantiles"):
        c.equal(question, *(plain(harness.ask(program, question, run)) for run in (raw, archive)))
    c.equal("profile", *(by_name(harness.ask(program, "profile", run)) for run in (raw, archive)))
    c.equal("locations", *([(r["label"], r["begin_ns"], r["end_ns"]) for r in harness.ask(
        program, "info", run)["location_list"]] for run in (raw, archive)))
    info = harness.ask(program, "info", raw)
    c.equal("report", info["report"], {"complete": True, "issues": []})
    c.equal("format", info["format"], "record")
    # The archive in the same folder is opened in place of the raw files.
    twin.archive.write(writer, raw)
    c.equal("with an archive", harness.ask(program, "info", raw)["format"], "otf2")
    c.equal("by a file", harness.ask(program, "info", raw / "raw" / twin.raw.processes[0].name
                                     / "thread-0")["format"], "otf2")
    (raw / "traces.otf2").write_bytes(b"no archive")
    broken = harness.ask(program, "info", raw)
    c.equal("with a broken archive", broken["format"], "record")
    c.equal("which is told", [i["file"] for i in broken["report"]["issues"]], ["traces.otf2"])
    return c.problems


def check_environment(program, writer, folder):
    """What surrounded the program, from the file beside the run, else from its own properties."""
    c = harness.Compare()

    def environment(place):
        return [(e["group"], e["key"], e["value"])
                for e in harness.ask(program, "info", place).get("environment", [])]

    run = simple(n_calls=10)
    process = run.processes[0]
    process.line("property", "Command.arguments", "solver;--api-key=***;")
    process.line("property", "Process.nice", "5")
    process.line("property", "no group", "x")
    run.end()
    place = run.write(folder / "a")
    told = [("Command", "arguments", "solver, --api-key=***"), ("Process 0", "nice", "5")]
    c.equal("properties", environment(place), told)
    if harness.run(program, "recover", place).code == 0:
        c.equal("properties of the archive", environment(place), told)
    for name, cores in (("b", 4), ("c", 8)):
        place = simple(n_calls=10).write(folder / name)
        (place / "environment.ini").write_text(
            "[Kymo Environment]\nversion=1\nwritten=2026-11-27T11:40:00Z\n\n[Variables]\n"
            f"OMP_NUM_THREADS={cores}\nTOKEN=***\n\n[Libraries]\nlibm.so.6=/lib/libm.so.6;ab12;\n",
            encoding="utf-8")
    c.equal("file", environment(place), [
        ("Kymo Environment", "written", "2026-11-27T11:40:00Z"),
        ("Variables", "OMP_NUM_THREADS", "8"), ("Variables", "TOKEN", "***"),
        ("Libraries", "libm.so.6", "/lib/libm.so.6, ab12")])
    facts = harness.ask(program, "compare", folder / "b", folder / "c", "--info")["facts"]
    c.equal("compare", [(f["key"], f["differs"], f["values"]) for f in facts
                        if f["section"] == "environment" and (f["differs"] or "TOKEN" in f["key"])],
            [("Variables: OMP_NUM_THREADS", True, ["4", "8"]),
             ("Variables: TOKEN", False, ["***", "***"])])
    text = harness.run(program, "info", place).out.decode()
    c.true("text", "\nVariables\n" in text and "OMP_NUM_THREADS" in text)
    (place / "environment.ini").write_text("[Kymo Environment]\nversion=9\n", encoding="utf-8")
    c.equal("other version", environment(place), [])
    c.true("which is told", any(f == "environment.ini" for _, f, _, _ in issues(program, place)))
    return c.problems


def check_system(program, writer, folder):
    """Samples of a node and of a disk of it: series of the run, and strips under the timeline."""
    c = harness.Compare()
    run = simple(n_calls=100)
    process = run.processes[0]
    node = process.define("class", "node", "load;;double;17", "pages;;u64;0")
    disk = process.define("class", "sda", "queue;requests;i64;17")
    own = process.define("class", "process", "memory;B;u64;17")
    events = process.file("system-0")
    for i in range(11):
        at = run.at(0, 100 * i)
        half = struct.unpack("Q", struct.pack("d", i / 2))[0]
        events.long(make_record.METRIC, at, node, 2, (half, 1000 * i))
        events.long(make_record.METRIC, at + 1, disk, 1, (3 + i % 2, 0))
        events.long(make_record.METRIC, at + 2, own, 1, (4096, 0))
    run.end()
    place = run.write(folder / "run")
    forms = [place]
    if harness.run(program, "recover", place).code == 0:
        forms.append(folder / "copy")
        shutil.copytree(place / "raw", forms[1] / "raw")
    for form in forms:
        info = harness.ask(program, "info", form)
        c.equal("metrics", sorted((m["of"], m["name"], m["unit"], m["samples"])
                                  for m in info["system_metrics"]),
                [("node0", "load", "", 11), ("node0", "pages", "", 11),
                 ("node0, sda", "queue", "requests", 11), ("rank 0", "memory", "B", 11)])
        c.equal("of a process", [m["name"] for m in info["system_metrics"] if m["of_process"]],
                ["memory"])
        own = harness.ask(program, "timeline", form, "--metrics", "memory")["metrics"]
        c.equal("its strip", [(m["of"], m["name"], m["unit"], m["processes"], m["min"], m["max"])
                              for m in own], [("rank 0", "memory", "B", 1, 4096, 4096)])
        told = {m["name"]: m for m in harness.ask(program, "system-metrics", form, "--from", "150",
                                                  "--to", "850")["metrics"]}
        c.equal("kinds", {n: (m["of"], m["kind"], m["location"]) for n, m in told.items()},
                {"load": ("node0", "node", None), "pages": ("node0", "node", None),
                 "queue": ("node0, sda", "node", None), "memory": ("rank 0", "process", 0)})
        # Of the steps 1 and 8 the half counts.
        load = [(i, 50 if i in (1, 8) else 100) for i in range(1, 9)]
        c.near("mean load", told["load"]["mean"], sum(i / 2 * ns for i, ns in load) / 700)
        c.equal("least and most load", (told["load"]["min"], told["load"]["max"]), (0.5, 4))
        c.near("pages in the range", told["pages"]["total"], 7000)
        c.near("pages per second", told["pages"]["mean"], 1e10)
        c.equal("no total of a level", told["memory"]["total"], None)
        timeline = harness.ask(program, "timeline", form, "--metrics", "load,pages", "--width",
                               "10", "--from", "0", "--to", "1000")
        c.equal("columns", [(m["name"], m["unit"], m["values"]) for m in timeline["metrics"]],
                [("load", "", [[i, i + 1, i / 2, i / 2, i / 2] for i in range(10)]),
                 # A thousand in 100 ns.
                 ("pages", "/s", [[0, 10, 1e10, 1e10, 1e10]])])
        c.equal("semicolons", [m["name"] for m in harness.ask(
            program, "timeline", form, "--metrics", "load;pag;")["metrics"]], ["load"])
        wide = harness.ask(program, "timeline", form, "--metrics", "all", "--width", "2",
                           "--from", "0", "--to", "1000")
        c.equal("means", [[v[4] for v in m["values"]] for m in wide["metrics"]
                          if m["name"] == "load"], [[1.0, 3.5]])
        picture = folder / "picture.svg"
        done = harness.run(program, "export", "timeline", form, "--metrics", "all", "-o", picture)
        c.equal("picture", (done.code, picture.exists()), (0, True))
    c.equal("none", "metrics" in harness.ask(program, "timeline", place), False)
    return c.problems


def check_recover(program, writer, folder):
    """The archive that kymo-record makes of a raw folder has the same answers."""
    c = harness.Compare()
    twin, _ = make_run(random.Random(7), 4, rate=3, hosts=2)
    place = twin.raw.write(folder / "run")
    questions = ("communication", "messages", "collectives")

    def answers():
        found = {q: plain(harness.ask(program, q, place)) for q in questions}
        for answer in found.values():
            # The archive says when the process ended.
            answer.pop("end_ns", None)
        return found, by_name(harness.ask(program, "profile", place))

    raw = answers()
    result = harness.run(program, "recover", place)
    if result.code != 0 and "neither beside" in result.err:
        return c.problems
    c.equal("recovered", (result.code, result.out.decode().split("/")[-1]), (0, "traces.otf2\n"))
    result = harness.run(program, "recover", place, "-o", folder / "elsewhere")
    c.equal("elsewhere", (result.code, result.out.decode()),
            (0, f"archive  {folder / 'elsewhere' / 'traces.otf2'}\n"))
    c.true("no archive elsewhere", (folder / "elsewhere" / "traces.otf2").exists())
    c.equal("form", harness.ask(program, "info", place)["format"], "otf2")
    c.equal("answers", answers(), raw)
    c.equal("again", harness.run(program, "recover", place).code, 1)
    return c.problems


def issues(program, folder):
    report = harness.ask(program, "info", folder)["report"]
    return sorted((i["severity"], i["file"].split("/")[-1], i["what"].split(":")[0], i["count"])
                  for i in report["issues"])


def simple(n_calls=400, keep_open=0, **how):
    """One process without MPI: main, and calls of work of 7 ns every 10 ns."""
    run = make_record.Recording(1, mpi=False)
    process = run.processes[0]
    main, work = (process.define("region", 1, 1, name, "", 0) for name in ("main", "work"))
    events = process.file(**how)
    events.enter(run.at(0, 0), main)
    for i in range(n_calls):
        events.enter(run.at(0, 10 + 10 * i), work)
        if i < n_calls - keep_open:
            events.leave(run.at(0, 17 + 10 * i), work)
    if not keep_open:
        events.leave(run.at(0, 20 + 10 * n_calls), main)
    return run


def figures(program, folder):
    profile = harness.ask(program, "profile", folder)
    return {a["name"]: (a["calls"], a["exclusive_ns"]) for a in profile["activities"]
            if a["blocks"]}


def check_ring(program, writer, folder):
    """The last chunks alone are left, in any order of the file."""
    c = harness.Compare()
    run = simple(flags=make_record.RING)
    events = run.processes[0].file()
    n = len(events.chunks)
    run.end()
    for turn in range(3):
        place = run.write(folder / str(turn), keep=3, turn=turn)
        calls = figures(program, place)
        # 256 cells a chunk; a head of two and the open main before the records of each.
        c.equal("calls", calls["work"][0], sum(
            chunk[at] == make_record.ENTER for chunk in events.chunks[-3:]
            for at in range(32, len(chunk), 16)) + (events.chunks[-3][32 + 16] == make_record.OPEN))
        c.equal("span", sum(ns for _, ns in calls.values()), harness.ask(
            program, "info", place)["end_ns"])
        told = issues(program, place)
        c.equal("told", [(s, n) for s, _, what, n in told if what.startswith("Older")],
                [("note", n - 3)])
        c.true("early", any(what.startswith("Calls began before") for _, _, what, _ in told))
        c.equal("complete", harness.run(program, "info", place, "--strict").code, 0)
    return c.problems


def check_unfinished(program, writer, folder):
    """A process that still runs: the run grows; what is open and cut in half is told."""
    c = harness.Compare()
    place = simple(keep_open=1).write(folder / "running")
    info = harness.ask(program, "info", place)
    c.true("grows", "growing" in info["capabilities"])
    c.equal("told", issues(program, place), [
        ("note", "raw", "Processes are still recorded; the run grows", 1),
        ("note", "thread-0", "Calls had not ended when the recording ends", 2)])
    c.equal("calls", figures(program, place)["work"][0], 400)
    more = simple(n_calls=500)
    more.end()
    more.write(folder / "running")
    c.true("ended", "growing" not in harness.ask(program, "info", place)["capabilities"])
    c.equal("calls", figures(program, place)["work"], (500, 3500))
    # A message whose receive was never written.
    twin = Twin(2)
    for rank in range(2):
        twin.enter(rank, 10, MAIN)
    twin.enter(0, 20, SEND)
    twin.message("send", 0, 21, 0, 1, 0, 100)
    twin.leave(0, 30, SEND)
    place = twin.raw.write(folder / "half")
    c.true("half", any(what == "Messages of which only one half is recorded" and n == 1
                       for _, _, what, n in issues(program, place)))
    return c.problems


def check_losses(program, writer, folder):
    """Every damage is told in one sentence, and the rest is read."""
    c = harness.Compare()

    def damaged(name, change, lines=None):
        run = simple()
        run.end()
        if lines is not None:
            lines(run.processes[0])
        place = run.write(folder / name)
        file = place / "raw" / run.processes[0].name / "thread-0"
        file.write_bytes(change(bytearray(file.read_bytes())))
        return place, [(s, what) for s, f, what, n in issues(program, place)]

    def at(offset, value):
        def change(data):
            data[offset] = value
            return data
        return change

    chunk = make_record.HEADER_BYTES + 4096
    place, told = damaged("head-of-chunk", at(chunk, make_record.LEAVE))
    c.equal("head of a chunk", sorted(what for s, what in told if s == "lost"),
            ["Chunks are missing between others",
             "Records that cannot be right were left out, with what follows in their chunk"])
    c.true("read on", figures(program, place)["work"][0] > 200)
    place, told = damaged("record", at(chunk + 33 + 16 * 40, 0))
    c.true("record", ("lost", "Records that cannot be right were left out, with what follows in "
                      "their chunk") in told)
    place, told = damaged("early", at(chunk + 32 + 16 * 40, 0))
    c.true("early end", ("lost", "Chunks end early although others follow") in told)
    place, told = damaged("cut", lambda data: data[:chunk + 4096 + 1000])
    c.true("cut", figures(program, place)["work"][0] > 100)
    for name, change, sentence in (
            ("magic", at(3, 65), "The file has no events of a recorded program"),
            ("version", at(12, 7),
             "The events were written by a newer recorder; they are left out"),
            ("chunk", at(19, 255), "The head of the file is damaged; its events are left out"),
            ("short", lambda data: data[:20],
             "The head of the file is damaged; its events are left out")):
        run = simple()
        other = run.processes[0].file("thread-1")
        other.enter(run.at(0, 5), 0)
        other.leave(run.at(0, 9), 0)
        run.end()
        place = run.write(folder / name)
        file = place / "raw" / run.processes[0].name / "thread-1"
        file.write_bytes(change(bytearray(file.read_bytes())))
        c.equal(name, [(s, f, what) for s, f, what, n in issues(program, place)
                       if f == "thread-1" and "missing or cannot" not in what],
                [("lost", "thread-1", sentence)])
        c.equal(f"{name}: others", figures(program, place)["work"][0], 400)
    place, told = damaged("lines", lambda data: data, lambda process: (
        process.line("region", 5000000, 1, 1, "far", "", 0),
        process.line("clock", "tsc", "x", 1, 1),
        process.line("lost", "gpu", 3, "work on GPUs is not recorded"),
        process.line("unknown", "line")))
    c.equal("lines", [what for s, what in told if s == "lost"],
            ["Definitions that cannot be right were left out", "The recorder left out"])
    definitions = place / "raw" / "node0.100" / "definitions"
    with definitions.open("a", encoding="utf-8") as out:
        out.write("region\t9\t1\t1\tnot whole")
    c.equal("a line that is being written", figures(program, place)["work"][0], 400)
    definitions.write_text("kymo-raw\t1\n", encoding="utf-8")
    result = harness.run(program, "info", place)
    c.equal("no definitions", (result.code, result.err.count("\n")), (1, 1))
    return c.problems


def main():
    program, writer = sys.argv[1:3]
    tap = harness.Tap()
    for seed in range(0, 12, harness.PART):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(f"run {seed} and its archive", check_twins, program, writer,
                      pathlib.Path(folder), seed)
    for name, function in (("rings", check_ring), ("unfinished runs", check_unfinished),
                           ("losses", check_losses), ("environment", check_environment),
                           ("recover", check_recover), ("system metrics", check_system)):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(name, function, program, writer, pathlib.Path(folder))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
