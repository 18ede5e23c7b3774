# SPDX-License-Identifier: GPL-3.0-or-later
"""The same archive, written by the ranks of a program together.

Usage: archive-mpi.py KYMO-CLI ARCHIVE-TOOL ARCHIVE-TOOL-OF-MPI MPIRUN
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import keep
import recording
from recording import harness


def write(mpirun, tool, folder, size=4, **more):
    """(exit status, sentences), in any order."""
    done = subprocess.run([*recording.launch(mpirun, size), tool, "write", folder], timeout=100,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env=recording.surroundings(**more))
    if done.stderr and done.returncode == 0:
        raise AssertionError(done.stderr[-600:])
    return done.returncode, sorted(line for line in done.stdout.splitlines() if line.endswith("."))


def printed(archive):
    """All that the library's own program shows, but the number that each archive gets."""
    if shutil.which("otf2-print") is None:
        return []
    return [re.sub(r"Trace identifier.*", "", subprocess.run(
        ["otf2-print", option, archive], timeout=60, stdout=subprocess.PIPE, check=True,
        stderr=subprocess.STDOUT, text=True).stdout) for option in ("-G", "-A")]


def check_same(program, tool, together, mpirun, folder):
    c = harness.Compare()
    recording.make_whole(folder).write()
    alone = folder.with_name("alone")
    c.equal("recovered", recording.recover(tool, folder, alone), (0, [recording.HALF]))
    c.equal("written", write(mpirun, together, folder), (0, [recording.HALF]))
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    c.equal("calls", recording.calls(program, archive), recording.CALLS)
    c.true("the archives differ", printed(archive) == printed(alone / "traces.otf2"))
    return c.problems


def check_absent(program, tool, together, mpirun, folder):
    """A rank that has no folder, a second archive in the place of the first, and an agent."""
    c = harness.Compare()
    run = recording.make_whole(folder)
    agent = run.process(host="server", program="kymo-record")
    load = agent.metrics("node", "load;1;double;2")
    agent.samples().metric(1500, load, 0.25)
    run.write()
    # In the order of names: the last rank has none, and the agent's is not the fourth's.
    shutil.rmtree(folder / "raw" / "node1.1003")
    (folder / "raw" / f"server.{agent.pid}").rename(folder / "agent")
    c.equal("written", write(mpirun, together, folder)[0], 0)
    (folder / "agent").rename(folder / "raw" / f"server.{agent.pid}")
    code, told = write(mpirun, together, folder, 3)
    c.equal("again", code, 0)
    archive = folder / "traces.otf2"
    c.equal("otf2-print", recording.warnings(archive), [])
    c.equal("calls", recording.calls(program, archive),
            {name: n // 4 * 3 for name, n in recording.CALLS.items()})
    c.true("the agent is there", not told or "server" not in told[0])
    return c.problems


def check_kept(program, tool, together, mpirun, folder):
    """Some ranks alone, on two nodes whose clocks go differently: those that kymo-cli chooses."""
    c = harness.Compare()
    run = recording.raw.RawRun(folder)
    for rank in range(4):
        process = run.process(rank, 4, host=f"node{rank // 2}")
        if rank >= 2:
            process.define("offset", run.mono_ns, -77)
            process.define("offset", run.mono_ns + 10_000_019, 1234)
        work, barrier = process.region("work"), process.region("MPI_Barrier")
        thread = process.thread()
        for k in range(30):
            begin, slow = 300_007 * k + 100, 200_000 if rank == 3 else 90_001 + rank
            thread.call(begin, begin + slow, work)
            thread.call(begin + slow + 50, begin + 299_000, barrier)
        if rank == 0:
            # What it samples is kept, of the node and of itself.
            load, own = (process.metrics(scope, f"{name};1;double;2")
                         for scope, name in (("node", "load"), ("process", "memory")))
            samples = process.samples()
            for ns in (1, 1_000_000, 2_000_000):
                samples.metric(ns, load, 0.25)
                samples.metric(ns + 1, own, 1.5)
        process.moment(10_000_000)
    run.write()
    full = folder.with_name("full")
    c.equal("recovered", recording.recover(tool, folder, full), (0, []))
    c.equal("written", write(mpirun, together, folder, KYMO_RECORD_KEEP="error:12%"), (0, []))
    keep.check_choice(c, program, folder, full, "error:12%")
    c.true("rank 0 is written", ("Weights", "0") not in keep.read_note(folder))
    info = harness.ask(program, "info", folder / "traces.otf2")
    c.equal("metrics", [metric["name"] for metric in info["system_metrics"]], ["load", "memory"])
    c.equal("samples that are lost", [issue["count"] for issue in info["report"]["issues"]
                                      if "Samples" in issue["what"]], [])
    return c.problems


def main(arguments):
    tap = harness.Tap()
    for check in (check_same, check_absent, check_kept):
        with tempfile.TemporaryDirectory() as scratch:
            tap.check(check.__name__[6:], check, *arguments, pathlib.Path(scratch) / "run")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
