# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that count what they do, once as they are and once under kymo-record: their output and
their exit status are the same, and the record says exactly what they counted.

Usage: programs.py MPI MPIRUN KYMO-CLI KYMO-RECORD FOLDER-OF-PROGRAMS NAME...
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import recording
from recording import harness

# Names, and the number of ranks that they run with.
RANKS = {"communicators": 2, "marks": 2, "threads": 2, "spawn": 1, "fork": 2, "jumps": 2,
         "early": 1, "nompi": 0, "bindings-MPIFH": 2, "bindings-MPI": 2, "bindings-F08": 2,
         "python.py": 2, "plugin.py": 2, "mpi4": 2, "sessions": 1}
# MPICH waits by trying again and again, and a small machine has no more processors.
RANKS_OF_MPICH = {"ring": 2, "workers": 2, "persistent": 2, "onesided": 2, "files": 2}


def recorder_made(command):
    """TRUE if a record was begun, which cannot be begun again in the same folder."""
    return "-o" in command and pathlib.Path(command[command.index("-o") + 1]).exists()


def start(mpirun, words, size, cwd, preexec_fn=None):
    """(exit status, lines of stdout in order, stderr); size 0 is a program without MPI."""
    command = [*recording.launch(mpirun, size), *map(str, words)] if size else [*map(str, words)]
    for last in (False, True):
        try:
            done = subprocess.run(command, timeout=60, cwd=cwd, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False,
                                  env=recording.surroundings(), preexec_fn=preexec_fn)
            break
        except subprocess.TimeoutExpired:
            # Launchers hang now and then on a busy machine; twice in a row is no chance.
            print(f"# hung: {' '.join(map(str, command))}", flush=True)
            if last or recorder_made(command):
                raise
    return done.returncode, sorted(done.stdout.decode().splitlines()), done.stderr.decode()


def add_up(lines):
    """What all ranks counted, as one."""
    calls, times, others = (collections.Counter() for _ in range(3))
    pairs = {}
    for line in lines:
        counts = json.loads(line)
        calls.update(counts.pop("calls", {}))
        times.update(counts.pop("collectives", {}))
        rank = counts.pop("rank", 0)
        for peer, messages, size in counts.pop("received", []):
            pairs[(peer, rank)] = (messages, size)
        sent = counts.pop("sent", [])
        others.update({"sent": sum(entry[1] for entry in sent)})
        others.update(counts)
    return calls, times, pairs, others


def check_answers(c, program, archive, lines):
    """The figures of kymo-cli, without what calls of other kinds add."""
    calls, times, pairs, others = add_up(lines)
    found = recording.calls(program, archive)
    c.equal("calls", {name: found.get(name, 0) for name in calls}, dict(calls))
    extra = {name: n for name, n in found.items() if name.startswith("MPI_") and name not in calls}
    c.true(f"calls that nobody counted: {extra}",
           set(extra) <= set(recording.NOT_COUNTED) or "python" in others)
    messages, size, unmatched, matrix = recording.traffic(program, archive)
    if "python" in others:
        # What objects add is the module's matter; none of it is lost.
        c.true("messages", messages >= 2 * 20 and unmatched == 0)
    elif "got" in others:
        c.equal("got", (messages, size, unmatched),
                (others["got"], others["got_bytes"], others["got"]))
    else:
        c.equal("pairs", matrix, pairs)
        c.equal("messages", (messages, size, unmatched),
                (others["sent"], sum(pair[1] for pair in pairs.values()), 0))
    counted = recording.collectives(program, archive)
    c.equal("collectives", {name: n for name, n in counted.items()
                            if name not in recording.NOT_COUNTED}, dict(times))
    return others


def check_archive(c, archive):
    c.equal("otf2-print", recording.warnings(archive)[:5], [])


def check_program(mpi, mpirun, program, recorder, folder, name, *arguments):
    c = harness.Compare()
    size = RANKS_OF_MPICH.get(name, 4) if mpi == "mpich" and name not in RANKS \
        else RANKS.get(name, 4)
    words = recording.command(folder, name, mpi) + list(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        code, lines, errors = start(mpirun, words, size, scratch)
        if code != recording.EXIT.get(name, 0) and name not in recording.MAY_FAIL:
            return [f"the program by itself: exit {code}", *errors.splitlines()[-5:]]
        record = pathlib.Path(scratch) / "record"
        # The MPI of a plug-in is seen too late, and mpi4py may be there for the other one.
        choice = ["env", f"KYMO_RECORD_MPI={mpi}"] if name == "plugin.py" else []
        told = start(mpirun, [*choice, recorder, "-o", record, *words], size, scratch)
        c.equal("exit status", told[0], code)
        if name not in recording.VARIES:
            c.equal("output", told[1], lines)
        c.equal("mode", oct(record.stat().st_mode & 0o777), "0o700")
        if c.problems or (code != 0 and name == "spawn"):
            return c.problems + (told[2].splitlines()[-5:] if c.problems else [])
        archive = record / "traces.otf2"
        check_archive(c, archive)
        others = check_answers(c, program, archive, told[1])
        info = harness.ask(program, "info", archive)
        ranks = {row["label"].split(",")[0] for row in info["location_list"]
                 if row["kind"] == "worker"}
        c.equal("ranks", len(ranks), max(size, 1))
        c.equal("lost", [issue for issue in info["report"]["issues"]
                         if issue["severity"] != "note"], [])
        recording.check_others(c, program, record, others)
    return c.problems


def main(arguments):
    mpi, mpirun, program, recorder, folder, *names = arguments
    program, recorder = (pathlib.Path(p).resolve() for p in (program, recorder))
    folder = pathlib.Path(folder).resolve()
    tap = harness.Tap()
    os.environ.pop("KYMO_RECORD_DIR", None)
    for name in names:
        missing = recording.why_missing(folder, name, mpi)
        if missing:
            tap.skip(name, missing)
        else:
            tap.check(name, check_program, mpi, mpirun, program, recorder, folder, name)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
