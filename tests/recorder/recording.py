# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of kymo-record share: raw runs with known figures, archives and what the
programs of others say about them."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import raw_run as raw  # noqa: E402


def recover(tool, folder, *out, **options):
    """(exit status, sentences)."""
    done = subprocess.run([tool, "recover", folder, *out], timeout=60, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, **options)
    if done.returncode not in (0, 1) or done.stderr:
        raise AssertionError(f"exit {done.returncode}: {done.stderr[-600:]}")
    return done.returncode, done.stdout.splitlines()


def warnings(archive):
    """What the library's own program says about an archive, and whether it reads any event."""
    if shutil.which("otf2-print") is None:
        return []
    plain = {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"}
    found = []
    for option in ("-G", "-A"):
        done = subprocess.run(["otf2-print", option, archive], timeout=60, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, env=plain,
                              errors="replace")
        found += [f"exit {done.returncode}"] if done.returncode else []
        found += [line for line in done.stdout.splitlines()
                  if line.startswith(("otf2-print:", "[OTF2]"))]
        if option == "-A" and "ENTER" not in done.stdout and "PROGRAM" not in done.stdout:
            found.append("no events")
    return found


def surroundings(**more):
    """Variables for programs under both MPIs on a small machine, also for root."""
    kept = {k: v for k, v in os.environ.items()
            if k != "MALLOC_PERTURB_" and not k.startswith(("KYMO_RECORD", "OMPI_", "PMI"))}
    return {**kept, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
            "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_plm": "isolated",
            "OMPI_MCA_osc": "sm,pt2pt", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
            "OMPI_MCA_orte_tmpdir_base": os.environ.get("TMPDIR", "/tmp"),
            "HWLOC_COMPONENTS": "no_os,-gl,-opencl,linux,stop", **more}


def launch(mpirun, size):
    return [mpirun, "-n", str(size)]


def calls(program, folder):
    """Calls of functions by name, of all locations."""
    profile = harness.ask(program, "profile", folder)
    return {a["name"]: a["calls"] for a in profile["activities"] if a["kind"] == "function"}


def traffic(program, folder):
    """(messages, bytes, without partner, {(from, to): (messages, bytes)})."""
    answer = harness.ask(program, "communication", folder)
    pairs = {(row["from"], row["to"]): (row["messages"], row["bytes"]) for row in answer["matrix"]}
    return answer["messages"], answer["bytes"], answer["unmatched"], pairs


def collectives(program, folder):
    """Times of each function that is a collective operation."""
    return {row["name"]: row["count"]
            for row in harness.ask(program, "collectives", folder)["names"]}


# Calls whose number is another in each run.
NOT_COUNTED = ("MPI_Iprobe", "MPI_Test", "MPI_Waitsome")
# Programs that print more than what they count, or other counts in each run.
VARIES = ("workers",)
# Exit status of programs that do not end with 0. A launcher may not like who ends without
# MPI_Finalize, and MPICH of Debian 12 cannot spawn: its MPI_Open_port fails, as UCX has no such
# function.
EXIT = {"nompi": 7}
MAY_FAIL = ("early", "spawn")
# Of scripts in Python that the system has for one of the MPIs alone.
PYTHON = "/usr/bin/python3"


def command(folder, name, mpi):
    """How a program begins."""
    if name.endswith(".py"):
        more = [folder / f"plugin-{mpi}.so"] if name == "plugin.py" else []
        return [PYTHON, pathlib.Path(__file__).parent / "programs" / name, *more]
    return [folder / f"{name}-{mpi}"]


def why_missing(folder, name, mpi):
    """None if the program is there."""
    if name == "python.py":
        found = subprocess.run([PYTHON, "-c", "from mpi4py import MPI; print(MPI.get_vendor()[0])"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env=surroundings(), check=False).stdout.lower().replace(" ", "")
        return None if mpi in found else f"mpi4py here is not for {mpi}"
    return None if pathlib.Path(command(folder, name, mpi)[-1]).exists() else "it was not built"


def check_others(c, program, record, others):
    """Figures that only some programs count."""
    archive = record / "traces.otf2"
    if "threads" in others:
        info = harness.ask(program, "info", archive)
        c.equal("locations", len(info["location_list"]), 2 + others["threads"])
    if "markers" in others:
        info = harness.ask(program, "info", archive)
        c.equal("markers", sorted(marker["text"] for marker in info["markers"]),
                ["begin"] * 2 + ["end"] * 2)
        # Each of two ranks slept 20 times for 0.1 ms.
        c.true(f"not traced: {info['untraced_ns']} ns", info["untraced_ns"] >= 4_000_000)
    if "files" in others:
        done, names = printed_io(archive)
        c.equal("bytes written and read", done, (others["written_bytes"],
                                                 others.get("read_bytes", 0)))
        c.true(f"files {names}", any(name.endswith(".dat") for name in names))


def printed_io(archive):
    """((bytes written, read), names of files), of files that end with .dat."""
    plain = {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"}
    text = subprocess.run(["otf2-print", "-A", "-G", archive], timeout=60, stdout=subprocess.PIPE,
                          text=True, check=True, env=plain, errors="replace").stdout
    files = dict(re.findall(r'^IO_REGULAR_FILE +(\d+)  Name: "(.*?)"', text, re.M))
    handles = {handle for handle, file in re.findall(
        r'^IO_HANDLE +(\d+)  .*?File: "[^"]*" <(\d+)>', text, re.M)
        if files.get(file, "").endswith(".dat")}
    done, modes = {"WRITE": 0, "READ": 0}, {}
    for kind, place, handle, rest in re.findall(
            r'^IO_OPERATION_(BEGIN|COMPLETE) +(\d+) +\d+  Handle: "[^"]*" <(\d+)>, (.*)', text,
            re.M):
        key = place, handle, rest.rpartition(" ")[2]
        if kind == "BEGIN":
            modes[key] = re.match(r"Mode: (\w+)", rest).group(1)
        elif handle in handles and modes.get(key) in done:
            done[modes[key]] += int(re.search(r"Bytes Result: (\d+)", rest).group(1))
    return (done["WRITE"], done["READ"]), sorted(files.values())


ROUNDS = 300


def make_whole(folder, size=4, clock=(2.5, 1000)):
    """Every kind of record, in ranks with two threads and samples of the node; one half of a
    message, from rank 1 to rank 0. What is in it says EXPECTED."""
    run = raw.RawRun(folder)
    for rank in range(size):
        process = run.process(rank, size, clock=clock)
        half = rank - rank % 2
        things = {
            "main": process.region("main", raw.FUNCTION, 1, "a.c", 10),
            "exchange": process.region("MPI_Sendrecv", raw.POINT_TO_POINT),
            "barrier": process.region("MPI_Barrier", raw.BARRIER),
            "half": process.comm("group", half, 1, "half", f"{half},{half + 1}"),
            "bridge": process.comm("inter", 0, 2, "bridge", f"0-1|2-{size - 1}"),
            "win": process.win(0, "window of all"),
            "node": process.metrics("node", "load;%;double;2", "memory;B;u64;2"),
            "disk": process.metrics("disk sda", "read;B;u64;0"),
            "instructions": process.metrics("thread", "PAPI_TOT_INS;#;u64;0"),
        }
        path = process.file("/data/out.dat")
        things["file"] = path
        things["own"] = process.handle(path, raw.POSIX, "-", "fd 3")
        things["shared"] = process.handle(path, raw.MPI_IO, 0, "shared")
        things["stdout"] = process.handle(None, raw.POSIX, "-", "stdout")
        process.define("property", "HOST", process.host)
        main, second, samples = process.thread(), process.thread("worker"), process.samples()
        fill_messages(main, rank, size, things)
        fill_others(main, second, samples, things)
        main.metric(40000, things["instructions"], 9000)
        main.leave(40000, things["main"])
        process.moment(50000)
    return run


def fill_messages(main, rank, size, things):
    exchange, half = things["exchange"], things["half"]
    main.metric(10, things["instructions"], 100)
    main.enter(10, things["main"])
    for i in range(ROUNDS):
        time = 20 + 100 * i
        main.enter(time, exchange)
        main.send(time + 1, half, 1 - rank % 2, 3, 100)
        main.receive(time + 20, half, 1 - rank % 2, 3, 100)
        main.leave(time + 21, exchange)
    other = (rank + size // 2) % size % 2
    main.send(31000, things["bridge"], other, 1, 8)
    main.receive(31001, things["bridge"], other, 1, 8)
    main.send(31002, 0, (rank + 1) % size, 1, 4, request=77)
    main.request(31003, raw.IRECV_REQUEST, 78)
    main.receive(31004, 0, (rank - 1) % size, 1, 4, request=78)
    main.request(31005, raw.ISEND_COMPLETE, 77)
    # A send that was cancelled is no message: the next one with that tag is the first to arrive.
    main.send(31006, 0, (rank + 1) % size, 8, 400, request=79)
    main.request(31007, raw.REQUEST_CANCELLED, 79)
    main.send(31008, 0, (rank + 1) % size, 8, 4)
    main.receive(31009, 0, (rank - 1) % size, 8, 4)
    if rank == 1:
        main.send(31010, 0, 0, 9, 1000)
    main.enter(32000, things["barrier"])
    main.collective(32001, 32050 + rank, 0, 0)
    main.leave(32100, things["barrier"])


def fill_others(main, second, samples, things):
    win, own = things["win"], things["own"]
    for kind, small, *cells in ((raw.WIN_CREATE, 0), (raw.RMA_PUT, 0, raw.pairs(1, 0, 80),
                                                      raw.words(5)),
                                (raw.RMA_GET, 0, raw.pairs(0, 0, 16), raw.words(6)),
                                (raw.RMA_ATOMIC, 5, raw.pairs(0, 0, 8), raw.words(7, 8)),
                                (raw.RMA_COMPLETE, 1, raw.words(5)),
                                (raw.RMA_COMPLETE, 0, raw.words(6)),
                                (raw.RMA_COMPLETE, 2, raw.words(7)),
                                (raw.RMA_COMPLETE, 1, raw.words(7)),
                                (raw.RMA_LOCK, 1, raw.pairs(1, 0, 3)),
                                (raw.RMA_UNLOCK, 0, raw.pairs(1, 0, 3)),
                                (raw.RMA_SYNC, 0, raw.pairs(1, 0, 0)),
                                (raw.RMA_GROUP_SYNC, 0, raw.pairs(3, raw.NONE, 0)),
                                (raw.RMA_COLL_BEGIN, 0),
                                (raw.RMA_COLL_END, 0, raw.pairs(raw.NONE, 3, 0), raw.words(0)),
                                (raw.WIN_DESTROY, 0)):
        main.record(32200, kind, small, win, *cells)
    for kind, small, handle, *cells in (
            (raw.IO_OPEN, 0, own, raw.pairs(0, 0, 0)), (raw.IO_SEEK, 0, own, raw.words(10, 10)),
            (raw.IO_BEGIN, 1, own, raw.pairs(0, 0, 100), raw.words(9)),
            (raw.IO_END, 0, own, raw.words(90, 9)), (raw.IO_LOCK, 0, own, raw.pairs(0, 0, 0)),
            (raw.IO_LOCK, 1, own, raw.pairs(0, 0, 0)), (raw.IO_STATUS, 0, own, raw.pairs(0, 0, 0)),
            (raw.IO_CLOSE, 0, own),
            (raw.IO_BEGIN, 1, things["stdout"], raw.pairs(0, 0, 5), raw.words(10)),
            (raw.IO_END, 0, things["stdout"], raw.words(5, 10)),
            (raw.IO_OPEN, 2, things["shared"], raw.pairs(0, 0, 0)),
            (raw.IO_CLOSE, 0, things["shared"]), (raw.IO_DELETE, 0, things["file"])):
        main.record(32300, kind, small, handle, *cells)
    main.record(32400, raw.THREAD_CREATE, 0, 0, raw.words(1))
    second.record(32410, raw.THREAD_BEGIN, 0, 0, raw.words(1))
    second.call(32420, 32430, things["main"])
    second.record(32500, raw.THREAD_END, 0, 0, raw.words(1))
    main.record(32510, raw.THREAD_WAIT, 0, 1, raw.words(1))
    samples.metric(100, things["node"], 1.5, 1000)
    samples.metric(200, things["disk"], 7)
    main.record(33000, raw.MARKER, 0, things["main"])


# Of make_whole() with four ranks; the window's collective has no function around it.
HALF = "Of 1 messages only the send or only the receive was recorded."
CALLS = {"main": 8, "MPI_Sendrecv": 4 * ROUNDS, "MPI_Barrier": 4}
N_MESSAGES = 4 * ROUNDS + 4 + 4 + 4
