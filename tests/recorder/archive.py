# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives made of raw folders whose figures are known: whole ones, and ones that lack something,
each of which is told.

Usage: archive.py KYMO-CLI ARCHIVE-TOOL
"""
import pathlib
import resource
import shutil
import sys
import tempfile

import recording
from recording import harness, raw

ENDED = "did not end by itself; its last records may be missing."


def check_whole(program, tool, folder):
    """Records of every kind, clocks that tick by themselves: exact answers, no warning."""
    c = harness.Compare()
    recording.make_whole(folder).write()
    c.equal("told", recording.recover(tool, folder), (0, [recording.HALF]))
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    c.equal("calls", recording.calls(program, archive), recording.CALLS)
    messages, size, unmatched, pairs = recording.traffic(program, archive)
    # What was got from another rank is received, too, and has no sender.
    c.equal("messages", (messages, size, unmatched),
            (recording.N_MESSAGES + 8, 400 * recording.ROUNDS + 4 * 8 + 4 * 8 + 4 * 24, 8))
    c.equal("1 to 0", pairs[(1, 0)], (recording.ROUNDS, 100 * recording.ROUNDS))
    c.equal("0 to 1", pairs[(0, 1)], (recording.ROUNDS + 4, 100 * recording.ROUNDS + 8 + 24))
    c.equal("0 to 2", pairs[(0, 2)], (3, 8 + 24))
    info = harness.ask(program, "info", archive)
    c.equal("locations", [row["label"] for row in info["location_list"]],
            [f"rank {rank}, thread {thread}" for rank in range(4) for thread in range(2)])
    c.equal("span", (info["begin_ns"], info["end_ns"]), (0, 50000 - 10))
    c.equal("started", info["run"]["started"], "2023-11-14T22:13:20Z")
    c.equal("counters", info["metrics"], ["PAPI_TOT_INS"])
    c.equal("severities", {i["severity"] for i in info["report"]["issues"]}, {"note", "lost"})
    c.equal("again", recording.recover(tool, folder),
            (1, [f"{folder} has an archive already."]))
    return c.problems


def check_elsewhere(program, tool, folder):
    """The archive can go to another folder; raw files stay as they are."""
    c = harness.Compare()
    recording.make_whole(folder).write()
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    out = folder.with_name("elsewhere")
    c.equal("exit", recording.recover(tool, folder, out)[0], 0)
    c.equal("raw", {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}, before)
    c.equal("mode", oct(out.stat().st_mode & 0o777), "0o700")
    c.equal("calls", recording.calls(program, out / "traces.otf2"), recording.CALLS)
    return c.problems


def check_killed(program, tool, folder):
    """Killed: calls are open, a message is on its way, the last definition is torn."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    for rank in range(2):
        process = run.process(rank, 2, end=None)
        main, wait = process.region("main"), process.region("MPI_Recv", raw.POINT_TO_POINT)
        process.lines.append("region\t2\t1\t4\tto")
        thread = process.thread()
        thread.enter(0, main)
        thread.call(10, 20, wait)
        thread.enter(100 + rank, wait)
        if rank == 0:
            thread.send(400, 0, 1, 0, 64)
        process.moment(1000)
    # What follows a torn line is part of it.
    for process in run.processes:
        process.lines.sort(key=lambda line: not line.endswith("\n"))
        process.lines.sort(key=lambda line: line.startswith("region\t2"))
    run.write()
    code, told = recording.recover(tool, folder)
    c.equal("exit", code, 0)
    c.equal("told", told, [
        "The last definition of node1.1000 is torn and left out.",
        "The last definition of node1.1001 is torn and left out.",
        f"Rank 0 (node1.1000) {ENDED}", f"Rank 1 (node1.1001) {ENDED}",
        "4 calls were still open; they end with the last record of their process.",
        "Of 1 messages only the send or only the receive was recorded."])
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    profile = harness.ask(program, "profile", archive)
    c.equal("calls", {a["name"]: (a["calls"], a["exclusive_ns"]) for a in profile["activities"]
                      if a["kind"] == "function"},
            {"main": (2, 90 + 91), "MPI_Recv": (4, 20 + 900 + 899)})
    return c.problems


def check_stopped(program, tool, folder):
    """The limit is reached and the program goes on: calls end where recording stopped, and say so;
    the rest of the run is not traced. Of the calls of a program that goes on to record, the process
    knows that it was in them. The raw folder says what the archive says."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    for rank in range(2):
        process = run.process(rank, 2)
        main, wait = process.region("main"), process.region("MPI_Recv", raw.POINT_TO_POINT)
        thread = process.thread()
        thread.enter(0, main)
        thread.call(10, 20, wait)
        thread.enter(100, wait)
        if rank == 0:
            process.define("lost", "events", 0, "the limit is reached")
        process.moment(1000)
    run.write()
    expected = [(900, {"main": 90, "MPI_Recv": 10}), (0, {"main": 90, "MPI_Recv": 910})]
    seen = []
    for path in (folder, folder / "traces.otf2"):
        if path != folder:
            c.equal("exit", recording.recover(tool, folder)[0], 0)
            c.equal("otf2-print", recording.warnings(path), [])
        seen.append([])
        for rank in range(2):
            answer = harness.ask(program, "profile", path, "--locations", rank)
            seen[-1].append((answer["untraced_ns"], {
                a["name"]: a["exclusive_ns"] for a in answer["activities"]
                if a["kind"] == "function"}))
            rows = harness.ask(program, "events", path, "--locations", rank,
                               "--text", "not recorded")["events"]
            c.equal(f"marks of rank {rank}", [row["text"] for row in rows],
                    ["parameter end not recorded = 2"])
        issues = [i["what"] for i in harness.ask(program, "info", path)["report"]["issues"]]
        c.true(f"report: {issues}", "Calls had not ended when the recording ends" in issues)
    c.equal("raw and archive", seen[0], seen[1])
    c.equal("figures", seen[1], expected)
    return c.problems


def check_missing(program, tool, folder):
    """Ranks without a folder keep their places in communicators."""
    c = harness.Compare()
    recording.make_whole(folder).write()
    shutil.rmtree(folder / "raw" / "node1.1002")
    (folder / "raw" / "node1.1003" / "definitions").write_text("something else\n")
    (folder / "raw" / "node1.1001" / "thread-1").write_bytes(b"KYMORAW")
    code, told = recording.recover(tool, folder)
    c.equal("exit", code, 0)
    c.equal("told", told[:-1], [
        "node1.1003 has no definitions that can be read; it is left out.",
        "thread-1 of node1.1001 has no header; it is left out.",
        "Rank 2 of 4 has no raw folder here.", "Rank 3 of 4 has no raw folder here."])
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    pairs = recording.traffic(program, archive)[3]
    c.equal("1 to 0", pairs[(1, 0)], (recording.ROUNDS, 100 * recording.ROUNDS))
    info = harness.ask(program, "info", archive)
    c.equal("rows", [row["label"] for row in info["location_list"]],
            ["rank 0, thread 0", "rank 0, thread 1", "rank 1, thread 0", "rank 2, thread 0",
             "rank 3, thread 0"])
    return c.problems


def check_ring(program, tool, folder):
    """Of a ring the last chunks are left: what was open before goes on in them."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    process = run.process(0, 1, clock=(3.0, 77))
    main, work = process.region("main"), process.region("work")
    thread = process.thread(ring=3)
    thread.enter(0, main)
    for i in range(1000):
        thread.call(100 * i + 50, 100 * i + 90, work)
    thread.leave(100_000, main)
    process.moment(100_000)
    run.write()
    n_lost = len(thread.chunks) - 3
    first = sum(cell[0] == raw.ENTER for chunk in thread.chunks[:-3] for cell in chunk[2:])
    code, told = recording.recover(tool, folder)
    c.equal("told", (code, told), (0, [
        f"Of thread-0 of node1.1000 {n_lost} parts of 4 KiB were overwritten by later ones."]))
    c.true("something is lost", n_lost > 3)
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    # The first chunk has main, too; a call that is open where the ring begins goes on there.
    goes_on = sum(cell[0] == raw.OPEN for cell in thread.chunks[-3]) - 1
    c.equal("calls", recording.calls(program, archive),
            {"main": 1, "work": 1001 - first + goes_on})
    return c.problems


def check_gap(program, tool, folder):
    """A chunk in the middle is damaged: nothing is measured there, calls around it go on."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    process = run.process(0, 1)
    main, work = process.region("main"), process.region("work")
    thread = process.thread()
    thread.enter(0, main)
    for i in range(400):
        thread.call(100 * i + 50, 100 * i + 90, work)
    thread.leave(40_000, main)
    run.write()
    path = folder / "raw" / "node1.1000" / "thread-0"
    data = bytearray(path.read_bytes())
    at = raw.HEADER_BYTES + thread.chunk_bytes
    data[at:at + 16] = b"\xff" * 16
    path.write_bytes(data)
    lost = sum(cell[0] == raw.ENTER for cell in thread.chunks[1][2:])
    c.equal("told", recording.recover(tool, folder), (0, [
        "Of thread-0 of node1.1000 1 parts of 4 KiB were overwritten by later ones.",
        "thread-0 of node1.1000 is damaged in 1 places; what stands there is left out."]))
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    c.equal("calls", recording.calls(program, archive), {"main": 1, "work": 400 - lost})
    c.true("untraced", harness.ask(program, "profile", archive)["untraced_ns"] > 0)
    return c.problems


def check_late(program, tool, folder):
    """A process that waits long after the others have ended keeps its last records where they are,
    in the raw folder and in the archive; so do samples of the node."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    late = 10 ** 10
    for rank in range(4):
        process = run.process(rank, 4)
        main, work = process.region("main"), process.region("work")
        thread, end = process.thread(), 5 * 10 ** 8 if rank else late
        thread.enter(0, main)
        for i in range(40):
            thread.call(i * 10 ** 7, i * 10 ** 7 + 5 * 10 ** 6, work)
        if rank == 0:
            samples, node = process.samples(), process.metrics("node", "load;%;double;2")
            for i in range(5):
                samples.metric(i * late // 5, node, float(i))
            thread.call(5 * 10 ** 8, late, process.region("MPI_Recv", raw.POINT_TO_POINT))
        thread.leave(end, main)
        process.moment(end)
    run.write()
    ends = [late] + [5 * 10 ** 8] * 3
    c.equal("raw", [row["end_ns"] for row in harness.ask(program, "info", folder)["location_list"]],
            ends)
    c.equal("told", recording.recover(tool, folder), (0, []))
    info = harness.ask(program, "info", folder / "traces.otf2")
    c.equal("archive", [row["end_ns"] for row in info["location_list"]], ends)
    c.equal("report", info["report"]["issues"], [])
    return c.problems


def check_clocks(program, tool, folder):
    """A clock that was read once takes the rate of another process of its machine; another
    machine's times go through its offsets, or the only one. Nothing is told of what is whole."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    for rank, host in enumerate(("node1", "node1", "node2", "node3")):
        process = run.process(rank, 4, host=host, clock=(2.0, 10 ** 9 * rank))
        region = process.region("work")
        process.thread().call(1000, 3000, region)
        if rank != 1:
            process.moment(10_000)
        if host == "node2":
            process.define("offset", run.mono_ns, -500)
            process.define("offset", run.mono_ns + 10_000, -400)
        if host == "node3":
            process.define("offset", run.mono_ns, -500)
    run.write()
    code, told = recording.recover(tool, folder)
    c.equal("told", (code, told), (0, ["node1.1001 read its clock once only; it ticks here as that "
                                       "of another process of node1."]))
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    profile = harness.ask(program, "profile", archive, "--per-location")
    c.equal("times", [(row["begin_ns"], sum(a["exclusive_ns"] for a in row["activities"]))
                      for row in profile["per_location"]],
            [(500, 2000), (500, 2000), (10, 2020), (0, 2000)])
    c.equal("report", harness.ask(program, "info", archive)["report"]["issues"], [])
    return c.problems


def check_worlds(program, tool, folder):
    """Processes that a world spawned are a world of their own; an agent has no rank."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    for world, size in (("later", 2), ("first", 3)):
        run.real_ns = 1_700_000_000_000_000_000 + (10_000 if world == "later" else 0)
        for rank in range(size):
            process = run.process(rank, size, world=world, program=f"/bin/{world}")
            region = process.region(f"work of {world}")
            thread = process.thread()
            thread.enter(1000 * rank, region)
            thread.send(1000 * rank + 1, 0, (rank + 1) % size, 0, 5)
            thread.receive(1000 * rank + 3, 0, (rank - 1) % size, 0, 5)
            thread.leave(1000 * rank + 100, region)
    agent = run.process(host="server", program="kymo-record")
    load = agent.metrics("node", "load;1;double;2")
    agent.samples().metric(1500, load, 0.25)
    run.write()
    c.equal("told", recording.recover(tool, folder), (0, []))
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    c.equal("calls", recording.calls(program, archive), {"work of first": 3, "work of later": 2})
    c.equal("messages", recording.traffic(program, archive)[3],
            {pair: (1, 5) for pair in ((0, 1), (1, 2), (2, 0), (3, 4), (4, 3))})
    return c.problems


def check_communicators(program, tool, folder):
    """Ten thousand communicators of four ranks share their groups."""
    c = harness.Compare()
    run = raw.RawRun(folder)
    for rank in range(4):
        process = run.process(rank, 4)
        region = process.region("MPI_Barrier", raw.BARRIER)
        thread = process.thread()
        for i in range(10_000):
            comm = process.comm("group", 0, i + 1, "", "0-3" if i % 2 else "3-0")
            if i % 100 == 0:
                thread.enter(100 * i, region)
                thread.collective(100 * i, 100 * i + 5, comm, 0)
                thread.leave(100 * i + 9, region)
    run.write()
    c.equal("told", recording.recover(tool, folder), (0, []))
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    c.equal("collectives", recording.collectives(program, archive), {"MPI_Barrier": 100})
    return c.problems


def check_room(program, tool, folder):
    """Where there is no room nothing is left of an archive, and nobody is killed."""
    c = harness.Compare()
    recording.make_whole(folder).write()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

    code, told = recording.recover(tool, folder, preexec_fn=limit)
    c.equal("exit", code, 1)
    c.equal("told", told, ["There is no archive: the process may not write so large a file."])
    c.equal("left", sorted(p.name for p in folder.iterdir()), ["raw"])
    c.equal("without the limit", recording.recover(tool, folder)[0], 0)
    return c.problems


def check_changed(program, tool, folder):
    """Files that change while a rank reads them count unless a rank may have changed them, under
    the same or another name."""
    c = harness.Compare()
    changed = 0, ("changed", 90, 3, 77)
    wanted = [("/data/_in_", "3")]
    for number, (lines, found) in enumerate((
            ((), []), ((changed, (1, ("changed", 91, 4, 77))), [("/data/_in_", "4")]),
            ((changed, (1, ("written", 92, 78))), wanted),
            ((changed, (1, ("written", 92, 77))), []), ((changed, (1, ("written", 91, 0))), []),
            (((0, ("changed", 90, "x", 77)),), []), (((0, ("changed", 99, 3, 77)),), []),
            (((0, ("changed", 90, 3, -1)),), []))):
        run = raw.RawRun(folder / str(number))
        for rank in range(2):
            process = run.process(rank, 2)
            process.thread().call(10, 20, process.region("main"))
            told = [("file", 90 + rank, "/data/[in]"), ("file", 92, "/data/out"), ("watched", 2)]
            for fields in told + [fields for at, fields in lines if at == rank]:
                process.define(*map(str, fields))
        run.write()
        c.equal(f"{number}: told", recording.recover(tool, folder / str(number))[0], 0)
        facts = harness.ask(program, "info", folder / str(number) / "traces.otf2")["environment"]
        c.equal(f"{number}: files", [(fact["key"], fact["value"]) for fact in facts
                                     if fact["group"] == "Files Changed by Others"], found)
        c.equal(f"{number}: watched", [fact["value"] for fact in facts
                                       if fact["key"] == "files-watched"], ["2", "2"])
    return c.problems


def check_nothing(program, tool, folder):
    """Folders that hold nothing."""
    c = harness.Compare()
    folder.mkdir()
    c.equal("empty", recording.recover(tool, folder),
            (1, [f"{folder} has no raw folders: nothing can be recovered."]))
    (folder / "raw" / "node1.1").mkdir(parents=True)
    c.equal("no definitions", recording.recover(tool, folder),
            (1, ["node1.1 has no definitions that can be read; it is left out.",
                 f"The raw folders of {folder} hold no records."]))
    c.equal("left", sorted(p.name for p in folder.iterdir()), ["raw"])
    return c.problems


def main(arguments):
    program, tool = arguments
    tap = harness.Tap()
    for check in (check_whole, check_elsewhere, check_killed, check_stopped, check_missing,
                  check_ring, check_gap, check_late, check_clocks, check_worlds,
                  check_communicators, check_room, check_changed, check_nothing):
        with tempfile.TemporaryDirectory() as scratch:
            tap.check(check.__name__[6:], check, program, tool, pathlib.Path(scratch) / "run")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
