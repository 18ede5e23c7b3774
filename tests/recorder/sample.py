# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples: functions of the program in the archive and in the stream, with the share of the time
that they take; calls of MPI and the program's own timer are as without; on and off while it runs.

Usage: sample.py MPI MPIRUN KYMO-CLI KYMO-RECORD FOLDER-OF-PROGRAMS
"""
import pathlib
import subprocess
import sys
import tempfile

import actions
import live
import recording
from recording import harness

RANKS, ROUNDS = 2, 12
FUNCTIONS = {"compute_long", "compute_short"}


class Job(actions.Job):
    """A run of the program `sampled` under kymo-record --live."""

    NAME = "sampled"


def check_archive(mpi, mpirun, program, recorder, folder):
    """Functions take what the program itself says that they took, on a busy machine as well."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        record = pathlib.Path(scratch) / "record"
        done = subprocess.run([*map(str, (*recording.launch(mpirun, RANKS), recorder, "--sample",
                                          "250", "-o", record, folder / f"sampled-{mpi}",
                                          ROUNDS))],
                              timeout=120, stdout=subprocess.PIPE, check=False, text=True,
                              env=recording.surroundings())
        told = [line.rpartition(", ") for line in done.stdout.splitlines()]
        c.equal("the program", (done.returncode, [words[0] for words in told]),
                (0, RANKS * ["own 1, sum 1"]))
        c.equal("the archive", recording.warnings(record / "traces.otf2")[:3], [])
        rows = {a["name"]: a for a in harness.ask(program, "profile", record)["activities"]
                if a["kind"] == "function"}
        c.equal("calls", rows["MPI_Allreduce"]["calls"], RANKS * ROUNDS)
        c.equal("functions", FUNCTIONS - set(rows), set())
        times = [rows[name]["exclusive_ns"] for name in sorted(FUNCTIONS)]
        took = [sum(ns) for ns in zip(*(map(int, words[2].split()) for words in told))]
        # A sample comes up to 4 ms of processor time after the function has begun.
        c.true(f"times {times}, not {took}",
               all(abs(a - b) < sum(took) * 0.15 for a, b in zip(times, took)))
        c.equal("roles", {rows[name]["role"] for name in FUNCTIONS}, {"compute"})
        # How often depends on the ticks of the kernel.
        c.true(f"changes {rows['compute_long']['calls']}", rows["compute_long"]["calls"] > 5)
        root = next(row for name, row in rows.items() if name.startswith("sampled-"))
        c.true(f"left {root['exclusive_ns']} of {times}", root["exclusive_ns"] < sum(times) / 2)
    return c.problems


def names_of_last(address):
    """Names of what the processes do in the last second of the stream."""
    number = live.ask_block(address, 0)[2] - 1
    if number < 0:
        return set()
    sts = live.ask(address, "kymo/record names")
    block = live.ask_block(address, number)[3]
    return set(live.add_up({number: block}, live.names_of(sts)))


def check_action(mpi, mpirun, program, recorder, folder):
    """A running job is told to sample, and to stop it."""
    c = harness.Compare()
    where = mpi, mpirun, program, recorder, folder
    with tempfile.TemporaryDirectory() as scratch, \
            Job(where, pathlib.Path(scratch), RANKS, arguments=[100000]) as job:
        client = actions.Client(job.socket())
        host, _, port = live.read_text(job.record / "live.address").rpartition(":")
        address = host, int(port)
        live.wait_for("a block", lambda: names_of_last(address))
        c.equal("before", FUNCTIONS & names_of_last(address), set())
        c.equal("too many", client.ask("do", "sampling", "hz=1001")[0], "refused")
        c.equal("on", client.do("sampling", "hz=200")[:2],
                ("done", f"{RANKS} of {RANKS} ranks have set it."))
        live.wait_for("samples", lambda: FUNCTIONS <= names_of_last(address))
        c.equal("now", client.list()["sampling"][4:], ["hz=integer:0:1000:200"])
        c.equal("off", client.do("sampling", "hz=0")[0], "done")
        live.wait_for("no samples", lambda: not FUNCTIONS & names_of_last(address))
        c.equal("the end", client.do("set:stop", "value=1")[0], "done")
        client.close()
        c.equal("exit status", job.process.wait(60), 0)
        c.equal("the archive", recording.warnings(job.record / "traces.otf2")[:3], [])
        calls = recording.calls(program, job.record)
        c.true(f"calls {calls}", FUNCTIONS <= set(calls))
    return c.problems


def main(arguments):
    mpi, mpirun, *paths = arguments
    where = mpi, mpirun, *(pathlib.Path(path).resolve() for path in paths)
    tap = harness.Tap()
    tap.check("the archive", check_archive, *where)
    if mpi == "openmpi":
        tap.check("on and off", check_action, *where)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
