# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that are killed, end without MPI_Finalize, or have no room for their record: the program
is not disturbed, and what was recorded until then is there. And few ranks of those that end well.

Usage: ends.py kills|halves|room MPI MPIRUN KYMO-CLI KYMO-RECORD FOLDER-OF-PROGRAMS
"""
import concurrent.futures
import contextlib
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import keep
import programs
import recording
from recording import harness

# Killed in one job, each rank at a moment of its own: a launcher that sleeps ends nobody.
RANKS = 4
JOBS = 5
CALL = "MPI_Sendrecv_replace"
TAKEN_JOBS, TAKEN_RANKS = 6, 6


def read_state(path):
    """(pid, complete rounds) of a rank; the program counts in memory that is a file."""
    try:
        data = path.read_bytes()
    except OSError:
        return 0, 0
    return struct.unpack("<QQ", data) if len(data) == 16 else (0, 0)


def wait_until(what, condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: waited for a minute")
        time.sleep(0.001)


def recover(recorder, record, *out):
    done = subprocess.run([recorder, "--recover", record, *out], timeout=100, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


def calls_by_rank(program, archive):
    info = harness.ask(program, "info", archive)
    rows = {row["label"].split(",")[0]: row["location"] for row in info["location_list"]
            if row["label"].endswith("thread 0") or "," not in row["label"]}
    found = {}
    for rank, location in rows.items():
        profile = harness.ask(program, "profile", archive, "--locations", location)
        found[rank] = sum(a["calls"] for a in profile["activities"] if a["name"] == CALL)
    return found


def check_recovered(c, program, recorder, record, states):
    """Each call of the ranks is there, and the one that was under way may be."""
    code, output, told = recover(recorder, record)
    c.equal("recovered", (code, output), (0, ""))
    archive = record / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive)[:3], [])
    found = calls_by_rank(program, archive)
    c.equal("ranks", len(found), len(states))
    for rank, (_, rounds) in enumerate(states):
        n = found.get(f"rank {rank}", 0)
        c.true(f"rank {rank}: {n} calls of {rounds}", 0 <= n - rounds <= 1)
    return told


@contextlib.contextmanager
def endless(mpi, mpirun, recorder, folder, scratch, size, *how):
    """(process, files of the ranks) of a program that goes on until it is killed. One rank alone
    was to be written in the end: of who is killed all are."""
    words = [*recording.launch(mpirun, size), recorder, "-o", scratch / "record",
             *recording.command(folder, "endless", mpi), scratch / "state", *how]
    with subprocess.Popen([*map(str, words)], cwd=scratch, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=recording.surroundings(KYMO_RECORD_KEEP="1")) as process:
        try:
            yield process, [scratch / f"state.{rank}" for rank in range(size)]
        finally:
            process.kill()


def parent_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def kill_those_ready(left, pids, files, least):
    """Whether all have been killed."""
    for rank in sorted(left):
        if read_state(files[rank])[1] > least[rank]:
            os.kill(pids[rank], signal.SIGKILL)
            left.remove(rank)
    return not left


def check_kills(mpi, mpirun, program, recorder, folder, seed):
    """Ranks that talk to themselves are killed one after the other, each after a random number of
    rounds. Who started them is asleep, so that it does not end the others."""
    c = harness.Compare()
    rng = random.Random(seed)
    least = [rng.randrange(3_000) for _ in range(RANKS)]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with endless(mpi, mpirun, recorder, folder, scratch, RANKS, "self") as (process, files):
            wait_until("all ranks", lambda: all(read_state(path)[0] for path in files)
                       or process.poll() is not None)
            pids = [read_state(path)[0] for path in files]
            launcher = parent_of(pids[0])
            left = set(range(RANKS))
            os.kill(launcher, signal.SIGSTOP)
            try:
                wait_until("kills", lambda: kill_those_ready(left, pids, files, least))
            finally:
                os.kill(launcher, signal.SIGCONT)
            process.wait(60)
        states = [read_state(path) for path in files]
        told = check_recovered(c, program, recorder, scratch / "record", states)
        c.equal("ends", told.count("did not end by itself"), RANKS)
    return c.problems


def check_end(mpi, mpirun, program, recorder, folder, how):
    """One of two ranks that talk to each other ends both: killed, by MPI_Abort, or by a fault."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with endless(mpi, mpirun, recorder, folder, scratch, 2, "ring",
                     *([how, 500] if how != "kill" else [])) as (process, files):
            wait_until("rounds", lambda: process.poll() is not None
                       or (how == "kill" and read_state(files[1])[1] > 500))
            if how == "kill":
                os.kill(read_state(files[1])[0], signal.SIGKILL)
            c.true("exit status", process.wait(60) != 0)
        states = [read_state(path) for path in files]
        c.true(f"only {states[1][1]} rounds", states[1][1] >= 500)
        told = check_recovered(c, program, recorder, scratch / "record", states)
        c.true(f"ends: {told}", "Rank 1 (" in told and "did not end by itself" in told)
    return c.problems


def check_early(mpi, mpirun, program, recorder, folder):
    """exit() without MPI_Finalize: nothing is lost, the archive is made afterwards."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        words, record = recording.command(folder, "early", mpi), pathlib.Path(scratch) / "record"
        plain = programs.start(mpirun, words, 2, scratch)
        code, lines, errors = programs.start(mpirun, [recorder, "-o", record, *words], 2, scratch)
        c.equal("the program", (code, lines), plain[:2])
        c.true("nobody says where it is", "kymo-record:" in errors)
        code, output, told = recover(recorder, record)
        c.equal("recovered", (code, output), (0, ""))
        archive = record / "traces.otf2"
        programs.check_archive(c, archive)
        programs.check_answers(c, program, archive, lines)
        c.equal("a second time", recover(recorder, record)[0], 1)
        del told
    return c.problems


def check_apart(mpi, mpirun, program, recorder, folder):
    """A rank that can have no record: the other one does not wait for it, and keeps its own."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        words, record = recording.command(folder, "ring", mpi), pathlib.Path(scratch) / "record"
        plain = programs.start(mpirun, words, 2, scratch)
        script = ('case $OMPI_COMM_WORLD_RANK$PMI_RANK in 1) export KYMO_RECORD_DIR=/proc/none;;'
                  ' esac; exec "$0" "$@"')
        code, lines, errors = programs.start(
            mpirun, [recorder, "-o", record, "sh", "-c", script, *words], 2, scratch)
        c.equal("the program", (code, lines), plain[:2])
        for sentence in ("nothing is recorded, as the folder for it cannot be made",
                         "other processes of the job are not recorded"):
            c.true(f"said: {errors}", sentence in errors)
        code, output, told = recover(recorder, record)
        c.equal("recovered", (code, output), (0, ""))
        c.true(f"told: {told}", "Rank 1 of 2 has no raw folder here." in told)
    return c.problems


def check_taken(mpi, mpirun, program, recorder, folder):
    """Of processes that begin at once and replace an earlier record, none removes what another
    has begun to record."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        record = pathlib.Path(scratch) / "record"
        for job in range(TAKEN_JOBS):
            started = [subprocess.Popen(
                [recorder, "--overwrite", "-o", record, "cat"], stdin=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=recording.surroundings(
                    LD_PRELOAD=folder / "slow-lock.so", OMPI_MCA_ess_base_jobid=str(job),
                    OMPI_COMM_WORLD_RANK=str(rank)))
                for rank in range(TAKEN_RANKS)]
            wanted = {str(process.pid) for process in started}
            def all_begun():
                raw = record / "raw"
                return raw.is_dir() and {path.suffix[1:] for path in raw.iterdir()} == wanted
            wait_until("a record of each process", all_begun)
            for process in started:
                process.communicate(timeout=60)
    return c.problems


def check_kept(mpi, mpirun, program, recorder, folder):
    """Of few ranks the events are written, as kymo-cli chooses them of the whole archive."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        record, full = (pathlib.Path(scratch) / name for name in ("record", "full"))
        words = ["env", "KYMO_RECORD_KEEP_RAW=1", recorder, "--keep", "error:90%", "-o", record,
                 *recording.command(folder, "ring", mpi)]
        told = programs.start(mpirun, words, 4 if mpi == "openmpi" else 2, scratch)
        c.equal("exit status", told[0], 0)
        c.equal("recovered", recover(recorder, record, "-o", full)[:2], (0, ""))
        keep.check_choice(c, program, record, full, "error:90%")
        c.true("all are written", (record / "traces.kymo").exists())
    return c.problems


def times_of(program, run):
    profile = harness.ask(program, "profile", run)
    return profile["untraced_ns"], profile["overhead_ns"], {
        a["name"]: (a["calls"], a["exclusive_ns"]) for a in profile["activities"]}


def check_size_limit(mpi, mpirun, program, recorder, folder):
    """The system ends who writes too large a file; the record stops instead, with one line. Without
    MPI, which needs large files itself. What there is becomes an archive, or can be recovered. The
    raw folder says the same."""
    c = harness.Compare()
    for limit, n_calls in ((40 << 10, 0), (1 << 20, 40_000)):
        def set_limit(n_bytes=limit):
            resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))

        with tempfile.TemporaryDirectory() as scratch:
            words = [*recording.command(folder, "nompi", mpi), n_calls]
            record = pathlib.Path(scratch) / "record"
            plain = programs.start(mpirun, words, 0, scratch, preexec_fn=set_limit)
            c.equal("by itself", plain[0], 7)
            told = programs.start(mpirun, ["env", "KYMO_RECORD_KEEP_RAW=1", recorder, "-o", record,
                                           *words], 0, scratch, preexec_fn=set_limit)
            c.equal("the program", told[:2], plain[:2])
            c.equal("lines about the limit", told[2].count("limit of file sizes"), 1)
            archive = record / "traces.otf2"
            c.equal("there is an archive", archive.exists(), n_calls > 0)
            if n_calls > 0:
                calls = recording.calls(program, archive).get("lseek", 0)
                c.true(f"{calls} calls", 5_000 < calls < n_calls)
                c.equal("otf2-print", recording.warnings(archive)[:3], [])
                times = times_of(program, archive)
                archive.unlink()
                c.equal("the raw folder", times_of(program, record), times)
                c.true("the rest counts as recorded", times[0] > 0)
    return c.problems


def check_last(mpi, mpirun, program, recorder, folder):
    """The end of a run alone: calls that were open where it begins say so."""
    c = harness.Compare()
    n_calls = 400_000
    with tempfile.TemporaryDirectory() as scratch:
        record = pathlib.Path(scratch) / "record"
        words = [recorder, "--last", "1ms", "-o", record,
                 *recording.command(folder, "nompi", mpi), n_calls]
        told = programs.start(mpirun, words, 0, scratch)
        c.equal("the program", told[0], 7)
        archive = record / "traces.otf2"
        c.equal("otf2-print", recording.warnings(archive)[:3], [])
        calls = recording.calls(program, archive).get("lseek", 0)
        c.true(f"{calls} calls", 0 < calls < n_calls)
        marks = harness.ask(program, "events", archive, "--text", "not recorded")["events"]
        c.equal("marks", [row["text"].split(" = ")[0] for row in marks],
                ["parameter begin not recorded"])
    return c.problems


def halves_by_hand(archive):
    """(halves, number of whole messages) of one archive, found without Kymo: no two messages from
    one rank to the other have the same tag and size."""
    text = subprocess.run(["otf2-print", "-A", archive], timeout=60, stdout=subprocess.PIPE,
                          text=True, check=True, errors="replace").stdout
    ends = {"SEND": set(), "RECV": set()}
    for kind, partner, tag, size in re.findall(
            r"^MPI_I?(SEND|RECV) .*?(?:Receiver|Sender): (\d) .*?Tag: (\d+), Length: (\d+)", text,
            re.M):
        there, here = int(partner), 1 - int(partner)
        ends[kind].add((*((here, there) if kind == "SEND" else (there, here)), tag, int(size)))
    return sorted([(*end[:2], end[3], "send") for end in ends["SEND"] - ends["RECV"]]
                  + [(*end[:2], end[3], "receive") for end in ends["RECV"] - ends["SEND"]]), \
        len(ends["SEND"] & ends["RECV"])


def check_marks(c, program, run, halves, n_whole):
    """Each half is marked, and no whole message is."""
    def rows_of(*more):
        rows = harness.ask(program, "messages", run, "--limit", 1_000_000, *more)["messages"]
        return sorted((row["from"], row["to"], row["bytes"], row["half"]) for row in rows
                      if row["half"]), sum(row["half"] is None for row in rows)

    n = {half: sum(row[3] == half for row in halves) for half in ("send", "receive")}
    c.equal("halves", rows_of("--halves"), (halves, 0))
    c.equal("received", rows_of(), ([row for row in halves if row[3] == "receive"], n_whole))
    talk = harness.ask(program, "communication", run)
    c.equal("sums", {key: talk[key] for key in ("messages", "matched", "half_sends",
                                                "half_receives")},
            {"messages": n_whole + n["receive"], "matched": n_whole, "half_sends": n["send"],
             "half_receives": n["receive"]})
    issues = harness.ask(program, "info", run)["report"]["issues"]
    c.equal("told", [issue["count"] for issue in issues if "only one half" in issue["what"]],
            [len(halves)])
    rows = harness.ask(program, "events", run, "--limit", 1_000_000)["events"]
    c.equal("events", sum("was not recorded" in row["text"] for row in rows), len(halves))


def check_halves(mpi, mpirun, program, recorder, folder, how):
    """Messages of which one half alone is recorded."""
    c = harness.Compare()
    options, arguments = {"limit": ([], [2000]), "last": (["--last", "1ms"], [3000]),
                          "last-kill": (["--last", "1ms"], [3000, "kill"])}[how]
    with tempfile.TemporaryDirectory() as scratch:
        record = pathlib.Path(scratch) / "record"
        # Rank 1 alone has no room.
        limit = 'case $OMPI_COMM_WORLD_RANK$PMI_RANK in 1) export KYMO_RECORD_LIMIT=300K;; esac; ' \
            'exec "$@"'
        words = ["env", "KYMO_RECORD_KEEP_RAW=1", *(["sh", "-c", limit, "sh"] if how == "limit"
                                                   else []), recorder, *options, "-o", record,
                 *recording.command(folder, "halves", mpi), *arguments]
        told = programs.start(mpirun, words, 2, scratch)
        c.equal("the program ends well", told[0] == 0, "kill" not in how)
        archive = record / "traces.otf2"
        if "kill" in how:
            c.equal("recovered", recover(recorder, record)[:2], (0, ""))
        halves, n_whole = halves_by_hand(archive)
        print(f"# {how}: {len(halves)} halves, {n_whole} whole messages", flush=True)
        c.true("there are both", halves and n_whole)
        c.true("a message that was not received", "kill" not in how
               or (0, 1, 3, "send") in halves)
        check_marks(c, program, archive, halves, n_whole)
        archive.unlink()
        check_marks(c, program, record, halves, n_whole)
    return c.problems


@contextlib.contextmanager
def small_disk(folder, size):
    """A file system of that size; None where one may not be mounted."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", folder]
    if os.geteuid() != 0 or subprocess.run(mount, check=False,
                                           stderr=subprocess.DEVNULL).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def check_full_disk(mpi, mpirun, program, recorder, folder):
    """A small disk for all: the archive is made elsewhere. For raw files alone: it is there."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        words = [*recording.command(folder, "ring", mpi), 20_000]
        with small_disk(scratch / "disk", "3m") as disk:
            if disk is None:
                raise AssertionError("no file system can be mounted")
            for record, local in ((disk / "record", ""), (scratch / "record", str(disk))):
                told = programs.start(mpirun, ["env", f"KYMO_RECORD_LOCAL={local}", recorder, "-o",
                                               record, *words], 2, scratch)
                c.equal("the program", (told[0], len(told[1])), (0, 2))
                c.equal("lines about the disk", told[2].count("disk of the raw files is full"), 2)
                archive = record / "traces.otf2"
                c.equal("there is an archive", archive.exists(), local != "")
                if not local:
                    c.true(f"nothing says where: {told[2]}", "-o on another disk" in told[2])
                    c.equal("in its place", recover(recorder, record)[0], 1)
                    archive = scratch / "recovered" / "traces.otf2"
                    c.equal("recovered", recover(recorder, record, "-o", archive.parent)[:2],
                            (0, ""))
                    shutil.rmtree(record)
                c.equal("otf2-print", recording.warnings(archive)[:3], [])
                calls = recording.calls(program, archive).get("MPI_Recv", 0)
                c.true(f"{calls} calls", 1_000 < calls < 40_000)
    return c.problems


@contextlib.contextmanager
def file_server(folder):
    """(mounted folder, process) of a file system that a process serves, slowly: 1 MB a second.
    None where there may be none."""
    served, mounted = folder / "served", folder / "mounted"
    served.mkdir()
    mounted.mkdir()
    server = subprocess.Popen(  # pylint: disable=consider-using-with
        ["bindfs", "-f", "--write-rate=1M", served, mounted], stderr=subprocess.DEVNULL)
    try:
        wait_until("the file system", lambda: os.path.ismount(mounted) or server.poll() is not None)
        yield (mounted, server) if os.path.ismount(mounted) else None
    finally:
        if server.poll() is None:
            os.kill(server.pid, signal.SIGCONT)
        subprocess.run(["umount", "-l", mounted], check=False, stderr=subprocess.DEVNULL)
        server.kill()
        server.wait()


def check_dead_server(mpi, mpirun, program, recorder, folder):
    """The file server stops in the middle of the archive: the program ends all the same, one line
    of each process says where its record is, and that is whole. A slow server gets the archive."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        local = scratch / "local"
        local.mkdir()
        with file_server(scratch) as (mounted, server):
            def start(name, n_rounds, patience):
                words = ["env", f"KYMO_RECORD_LOCAL={local}", f"KYMO_RECORD_PATIENCE={patience}",
                         recorder, "--system", "0", "-o", mounted / name,
                         *recording.command(folder, "ring", mpi), n_rounds]
                return programs.start(mpirun, words, 2, scratch)

            told = start("slow", 1_000, "10s")
            c.equal("slow: the program", (told[0], len(told[1])), (0, 2))
            slow = mounted / "slow"
            c.equal("slow: otf2-print", recording.warnings(slow / "traces.otf2")[:3], [])
            c.equal("slow: left", list(local.iterdir()), [])
            c.true("slow: raw files", not (slow / "raw").exists())
            with concurrent.futures.ThreadPoolExecutor() as pool:
                run = pool.submit(start, "dead", 5_000, "300ms")
                archive = scratch / "served" / "dead" / "traces"
                wait_until("the archive", lambda: (archive.exists() and any(archive.iterdir()))
                           or run.done())
                os.kill(server.pid, signal.SIGSTOP)
                told = run.result(60)
            c.equal("dead: the program", (told[0], len(told[1])), (0, 2))
            c.true(f"dead: lines: {told[2]}", 1 <= told[2].count("does not answer") <= 2)
        raw = [path for path in local.glob("*/*") if (path / "definitions").exists()]
        c.equal("dead: raw files", len(raw), 2)
        (scratch / "run" / "raw").mkdir(parents=True)
        for path in raw:
            path.rename(scratch / "run" / "raw" / path.name)
        c.equal("recovered", recover(recorder, scratch / "run")[:2], (0, ""))
        calls = recording.calls(program, scratch / "run" / "traces.otf2").get("MPI_Recv", 0)
        c.equal("calls", calls, 2 * 5_002)
    return c.problems


def check_disks(tap, arguments):
    """What needs a file system that is mounted for it."""
    can_mount = can_serve = False
    with tempfile.TemporaryDirectory() as scratch, \
         small_disk(pathlib.Path(scratch) / "disk", "1m") as disk:
        can_mount = disk is not None
    if can_mount:
        tap.check("full_disk", check_full_disk, *arguments)
    else:
        tap.skip("full_disk", "only root can mount a small disk")
    if can_mount and shutil.which("bindfs"):
        with tempfile.TemporaryDirectory() as scratch, file_server(pathlib.Path(scratch)) as served:
            can_serve = served is not None
    if can_serve:
        tap.check("dead_server", check_dead_server, *arguments)
    else:
        tap.skip("dead_server", "no file system of a process can be mounted (bindfs)")


def main(arguments):
    part, mpi, mpirun, *paths = arguments
    arguments = mpi, mpirun, *(pathlib.Path(path).resolve() for path in paths)
    tap = harness.Tap()
    os.environ.pop("KYMO_RECORD_DIR", None)
    if part == "kills":
        for seed in range(JOBS):
            tap.check(f"kills {seed}", check_kills, *arguments, seed + 100 * len(mpi))
        for how in ("kill", "abort", "crash"):
            tap.check(how, check_end, *arguments, how)
    elif part == "halves":
        for how in ("limit", "last", "last-kill"):
            tap.check(how, check_halves, *arguments, how)
    else:
        for check in (check_early, check_apart, check_taken, check_kept, check_last,
                      check_size_limit):
            tap.check(check.__name__[6:], check, *arguments)
        check_disks(tap, arguments)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
