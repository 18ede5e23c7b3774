# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the published suite that need no root: each is named where it is, and not where it
is switched off. The faults are so large that no load of the machine hides them or makes them.

Usage: quick.py MPI MPIRUN KYMO-CLI KYMO-RECORD FOLDER-OF-PROGRAMS
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "recorder"))
import recording  # noqa: E402
from recording import harness  # noqa: E402

SLOW_NS = 2_000_000, 10_000_000, 20_000_000
N_REFERENCES = 5


class Suite:
    def __init__(self, arguments, folder):
        self.mpi, self.mpirun, self.cli, self.record_program, programs = arguments
        self.programs, self.folder = pathlib.Path(programs), pathlib.Path(folder)

    def record(self, name, size, *words, **variables):
        """Records a run; what the program says of itself is left out."""
        run = self.folder / name
        preload = ["env", *(f"{key}={value}" for key, value in variables.items())] \
            if variables else []
        done = subprocess.run([*recording.launch(self.mpirun, size), *preload,
                               self.record_program, "--quiet", "--system", "0.1s", "-o", run,
                               self.programs / f"suite-{self.mpi}", *words], timeout=100,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              env=recording.surroundings())
        if done.returncode:
            raise AssertionError(f"exit {done.returncode}: {done.stderr[-600:]}")
        return run, json.loads(done.stdout.splitlines()[-1])

    def diagnose(self, run, references=()):
        words = [word for reference in references for word in ("--reference", reference)]
        return harness.ask(self.cli, "diagnose", run, *words)


def find(answer, part, beginning):
    return [row for row in answer[part] if row["id"].startswith(beginning)]


def check_broadcast(suite):
    """One rank gives the same bytes to the three others, by sends and by MPI_Bcast, or each its
    own."""
    c = harness.Compare()
    answers = {}
    for way in ("naive", "bcast", "scatter"):
        run, _ = suite.record(way, 4, "broadcast", f"way={way}", "rounds=20", "bytes=262144",
                              "work=0")
        answers[way] = suite.diagnose(run)
    found = find(answers["naive"], "findings", "app.naive-bcast")
    c.equal("naive", [row["layer"] for row in found], ["application"])
    c.true("advice", found and "MPI_Bcast" in found[0]["advice"])
    c.equal("nothing of libraries or hardware", [
        row["id"] for row in answers["naive"]["findings"]
        if row["layer"] in ("library", "hardware") and row["id"] != "lib.yield"], [])
    c.equal("switched off", find(answers["bcast"], "findings", "app.naive-"), [])
    c.equal("a scatter", [row["id"] for row in find(answers["scatter"], "findings", "app.naive-")],
            ["app.naive-scatter"])
    return c.problems


def sent(suite, run):
    """How many sends repeated the bytes of their like of the receiver before, and how many not."""
    facts = {row["key"]: int(row["value"])
             for row in harness.ask(suite.cli, "info", run)["environment"]
             if row["key"].startswith("sends-")}
    return facts.get("sends-repeated"), facts.get("sends-other")


def check_parts(suite):
    """Four messages of three sizes to each rank, other bytes each round. The first 64 of 243 sends
    are looked at: three to all from the last rank down, with two steps, then five rounds. Of these,
    three lines of messages have two steps in each. The fourth begins with the sends from the last
    rank down, takes the begin of a round for a step once, and has five steps in the rounds."""
    c = harness.Compare()
    for way, counts, told in (("naive", (37, 1), "app.naive-bcast"),
                              ("scatter", (2, 36), "app.naive-scatter")):
        run, _ = suite.record(way, 4, "broadcast", f"way={way}-parts", "rounds=20",
                              "bytes=262144", "work=0")
        c.equal(f"{way}: sends", sent(suite, run), counts)
        answer = suite.diagnose(run)
        c.equal(f"{way}: finding", [row["id"] for row in find(answer, "findings", "app.naive-")],
                [told])
    return c.problems


def check_turns(suite):
    """Each round begins with another rank. All sends of 21 rounds are looked at. Every third round
    has two steps up; the others have one, and one down, which is not compared."""
    c = harness.Compare()
    for way, counts, told in (("naive", (28, 0), "app.naive-bcast"),
                              ("scatter", (0, 28), "app.naive-scatter")):
        run, _ = suite.record(way, 4, "broadcast", f"way={way}-turns", "rounds=21",
                              "bytes=262144", "work=0")
        c.equal(f"{way}: sends", sent(suite, run), counts)
        c.equal(f"{way}: finding", [row["id"] for row in find(suite.diagnose(run), "findings",
                                                              "app.naive-")], [told])
    return c.problems


def try_library(suite, attempt):
    c = harness.Compare()
    words = (2, "reduce", "rounds=110", "bytes=64", "work=20")
    references = [suite.record(f"usual-{attempt}-{i}", *words)[0] for i in range(N_REFERENCES)]
    library = suite.programs / f"slow-{suite.mpi}.so"
    # MPICH is busy while it waits, so it takes more of the machine: one of them is enough.
    for kind in ("SLEEP", "BUSY") if suite.mpi == "openmpi" else ("BUSY",):
        run, _ = suite.record(f"{kind}-{attempt}", *words, LD_PRELOAD=library,
                              **{f"KYMO_SUITE_{kind}_NS": SLOW_NS[attempt]})
        answer = suite.diagnose(run, references)
        found = find(answer, "findings", "lib.allreduce")
        c.equal(f"{kind}: layer", {row["layer"] for row in found}, {"library"})
        c.equal(f"{kind}: nothing of hardware", find(answer, "findings", "phys."), [])
        alone = suite.diagnose(run)
        c.equal(f"{kind}: without references", find(alone, "findings", "lib.allreduce"), [])
        c.true(f"{kind}: untested", find(alone, "untested", "lib.allreduce"))
    return c.problems


def check_library(suite):
    """A profiling library makes MPI_Allreduce much longer, asleep and busy. Where the machine has
    much else to do the usual calls are as long and spread, and nothing may be told: references and
    fault are recorded again then, and the fault is stronger."""
    for attempt in range(len(SLOW_NS)):
        problems = try_library(suite, attempt)
        if not problems:
            break
        print(f"# beside other work: {problems[0]}", flush=True)
    return problems


def main(arguments):
    tap = harness.Tap()
    for check in (check_broadcast, check_parts, check_turns, check_library):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(check.__name__[6:], check, Suite(arguments, folder))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
