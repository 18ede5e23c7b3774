# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that are killed, end without MPI_Finalize, or have no room for their record: the program
is not disturbed, and what was recorded until then is there.

Usage: ends.py MPI MPIRUN KYMO-CLI KYMO-RECORD FOLDER-OF-PROGRAMS
"""
import contextlib
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

import programs
import recording
from recording import harness

KILLS = 10
CALL = "MPI_Sendrecv_replace"


def read_rounds(path):
    """Complete rounds of a rank; the program counts in memory that is a file."""
    try:
        data = path.read_bytes()
    except OSError:
        return 0
    return struct.unpack("<Q", data)[0] if len(data) == 8 else 0


def wait_until(what, condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: waited for a minute")
        time.sleep(0.002)


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


def check_kill(mpi, mpirun, program, recorder, folder, seed):
    """Both ranks are killed after a random number of rounds, one more than the other sees."""
    c = harness.Compare()
    rng = random.Random(seed)
    least = rng.randrange(0, 3_000)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        record, counted = scratch / "record", [scratch / f"rounds.{rank}" for rank in range(2)]
        with subprocess.Popen([*recording.launch(mpirun, 2), recorder, "-o", record, *recording.
                               command(folder, "endless", mpi), scratch / "rounds"], cwd=scratch,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=recording.surroundings()) as process:
            try:
                wait_until("rounds", lambda: read_rounds(counted[0]) > least
                           or process.poll() is not None)
                for path in (record / "raw").iterdir():
                    os.kill(int(path.name.rpartition(".")[2]), signal.SIGKILL)
                process.wait(60)
            finally:
                process.kill()
        rounds = [read_rounds(path) for path in counted]
        c.true(f"only {rounds} rounds", rounds[0] > least)
        code, output, told = recover(recorder, record)
        c.equal("recovered", (code, output), (0, ""))
        c.equal("ends", told.count("did not end by itself"), 2)
        archive = record / "traces.otf2"
        c.equal("otf2-print", recording.warnings(archive)[:3], [])
        found = calls_by_rank(program, archive)
        for rank in range(2):
            # The one that is under way may be there.
            n = found.get(f"rank {rank}", 0)
            c.true(f"rank {rank}: {n} calls of {rounds[rank]}", 0 <= n - rounds[rank] <= 1)
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


def check_size_limit(mpi, mpirun, program, recorder, folder):
    """The system ends who writes too large a file; the record stops instead, with one line. Without
    MPI, which needs large files itself."""
    c = harness.Compare()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (40 << 10, 40 << 10))

    with tempfile.TemporaryDirectory() as scratch:
        words = recording.command(folder, "nompi", mpi)
        record = pathlib.Path(scratch) / "record"
        plain = programs.start(mpirun, words, 0, scratch, preexec_fn=limit)
        c.equal("by itself", plain[0], 7)
        told = programs.start(mpirun, [recorder, "-o", record, *words], 0, scratch,
                              preexec_fn=limit)
        c.equal("the program", told[:2], plain[:2])
        c.equal("lines about the limit", told[2].count("limit of file sizes"), 1)
        c.true("there is an archive", not (record / "traces.otf2").exists())
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
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        words = [*recording.command(folder, "ring", mpi), 40]
        code, lines, _ = programs.start(mpirun, words, 2, scratch)
        with small_disk(scratch / "disk", "3m") as disk:
            if disk is None:
                raise AssertionError("no file system can be mounted")
            record = disk / "record"
            told = programs.start(mpirun, [recorder, "-o", record, *words], 2, scratch)
            c.equal("the program", told[:2], (code, lines))
            c.true("nothing is told", "kymo-record:" in told[2])
            c.true("there is half an archive", not (record / "traces.otf2").exists()
                   or not recording.warnings(record / "traces.otf2"))
            if (record / "raw").exists():
                out = scratch / "recovered"
                code, output, _ = recover(recorder, record, "-o", out)
                c.equal("recovered", (code, output), (0, ""))
                c.equal("otf2-print", recording.warnings(out / "traces.otf2")[:3], [])
    return c.problems


def main(arguments):
    mpi, mpirun, *paths = arguments
    program, recorder, folder = (pathlib.Path(path).resolve() for path in paths)
    tap = harness.Tap()
    os.environ.pop("KYMO_RECORD_DIR", None)
    for seed in range(KILLS):
        tap.check(f"kill {seed}", check_kill, mpi, mpirun, program, recorder, folder,
                  seed + 100 * len(mpi))
    for check in (check_early, check_size_limit):
        tap.check(check.__name__[6:], check, mpi, mpirun, program, recorder, folder)
    with tempfile.TemporaryDirectory() as scratch, small_disk(pathlib.Path(scratch) / "disk",
                                                              "1m") as disk:
        can_mount = disk is not None
    if can_mount:
        tap.check("full_disk", check_full_disk, mpi, mpirun, program, recorder, folder)
    else:
        tap.skip("full_disk", "only root can mount a small disk")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
