# SPDX-License-Identifier: GPL-3.0-or-later
"""kymo-cli diagnose --probe-time: a program is recorded, then the probe that a rule needs is
started where it ran, and no other; a probe that hangs ends in time; what cannot be reached is
refused.

Usage: diagnose-probe.py MPI MPIRUN KYMO-CLI KYMO-RECORD PROGRAMS
"""
import configparser
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import recording
from recording import harness

# Of this machine, with much else to do.
BUDGET = "20s"
KEEP = ("--no-cache",)
HANGS = "#!/bin/sh\nexec sleep 100\n"
# Says how it was called, then starts what stands behind its own four options.
SRUN = '#!/bin/sh\necho "$@" > "$WORDS"\nshift 4\nshift\nexec "$@"\n'


def diagnose(program, run, *options, **more):
    """(answer or None, stderr, seconds)."""
    begin = time.monotonic()
    done = harness.run(program, "diagnose", run, *options, *KEEP, "--format", "json",
                       env=recording.surroundings(**more))
    return done.json if done.code == 0 else None, done.err, time.monotonic() - begin


def untested(answer, rule):
    return {row["id"]: row["needs"] for row in answer["untested"]}.get(rule)


def truth(answer, rule):
    return next((part for part in ("findings", "excluded", "untested")
                 if rule in [row["id"] for row in answer[part]]), None)


def load(path):
    file = configparser.ConfigParser(delimiters="=", interpolation=None)
    file.optionxform = str
    file.read(path)
    return file


def check_measured(c, mpi, program, run):
    """Nothing without consent; then the noise alone, with the ranks of the run."""
    before = sorted(path.name for path in run.iterdir())
    answer, _, _ = diagnose(program, run)
    c.equal("no consent", untested(answer, "os.noise"), "a probe of about 3 s (--probe-time 3s)")
    c.true("no list", "probes" not in answer)
    answer, _, _ = diagnose(program, run, "--probe-time", "2s")
    c.equal("budget", untested(answer, "os.noise"),
            "more time for probes, refused by budget: 3.00 s needed, 2.00 s left")
    c.equal("nothing was written", sorted(path.name for path in run.iterdir()), before)
    answer, errors, seconds = diagnose(program, run, "--probe-time", BUDGET)
    c.true(f"tested: {untested(answer, 'os.noise')}",
           truth(answer, "os.noise") in ("findings", "excluded"))
    (probe,) = answer["probes"]
    c.equal("probe", [probe[key] for key in ("probe", "metric", "state", "why")],
            ["noise", "probe.fwq.noise", "measured", None])
    c.true(f"took {probe['took_ns']}", 0.5e9 < probe["took_ns"] < seconds * 1e9)
    c.true(f"command {probe['command']}", " -n 2 " in probe["command"]
           and "kymo-record --probe=noise" in probe["command"] and probe["command"] in errors)
    file = load(run / "probe.ini")
    c.equal("head", [file["Probe"][key] for key in ("mpi", "ranks")],
            [{"openmpi": "Open MPI", "mpich": "MPICH"}[mpi], "2"])
    keys = {key for group in file.sections() for key in file[group]}
    c.true(f"only noise: {keys}", "fwq-noise-share" in keys
           and not keys & {"pingpong-latency-ns", "memory-bytes-per-s"})
    answer, errors, _ = diagnose(program, run, "--probe-time", BUDGET, "--explain", "os.noise")
    shown = [row["value"] for row in answer["metrics"] if row["metric"] == "probe.fwq.noise"]
    most = max(float(file[f"Probe Rank {rank}"]["fwq-noise-share"]) for rank in range(2))
    c.true(f"value {shown}", abs(shown[0] - most) < 1e-9)
    c.equal("not again", (answer["probes"], "measuring" in errors), ([], False))


def check_merged(c, program, run, scratch):
    """Another part is added to what the file has of the same ranks."""
    rules = scratch / "latency.rules"
    rules.write_text("[Kymo Rules]\nversion=1\n[diagnosis mine.slow]\ntitle=Slow\n"
                     "when=probe.pingpong.latency_ns > 0 ns\npriority=1\n")
    answer, _, _ = diagnose(program, run, "--rules", rules, "--probe-time", BUDGET, "--explain",
                            "mine.slow")
    c.equal("pingpong", ([row["probe"] for row in answer["probes"]], answer["value"]),
            (["pingpong"], "true"))
    file = load(run / "probe.ini")
    c.true("both are kept", "fwq-noise-share" in file["Probe Rank 0"]
           and int(file["Probe Pair 0 1"]["pingpong-latency-ns"]) > 0)
    (run / "probe.ini").unlink()


def check_bounds(c, mpi, program, run, scratch):
    """A launcher that hangs ends within the time; another host is refused."""
    folder = scratch / "bin"
    folder.mkdir()
    launcher = folder / f"mpirun.{mpi}"
    launcher.write_text(HANGS)
    launcher.chmod(0o755)
    only = f"{folder}:{os.environ['PATH']}"
    answer, _, seconds = diagnose(program, run, "--probe-time", "3s", PATH=only)
    c.equal("hangs", untested(answer, "os.noise"),
            "a probe, which failed: it did not end within 3.00 s")
    c.equal("failed", [row["state"] for row in answer["probes"]], ["failed"])
    c.true(f"{seconds} s", 2 < seconds < 15)
    launcher.write_text("#!/bin/sh\necho 'no slots' >&2\nexit 3\n")
    answer, _, _ = diagnose(program, run, "--probe-time", "3s", PATH=only)
    c.equal("fails", untested(answer, "os.noise"), "a probe, which failed: no slots")
    c.true("nothing is kept", not (run / "probe.ini").exists())
    answer, _, _ = diagnose(program, run, "--probe-time", BUDGET, SLURM_JOB_NODELIST="far[1-3]")
    c.equal("other nodes", untested(answer, "os.noise"), "a probe, which cannot be started: it ran "
            f"on {socket.gethostname()}, which is no node of this job")
    c.equal("refused", [(row["state"], row["command"]) for row in answer["probes"]],
            [("refused", None)])
    facts = run / "environment.ini"
    text = facts.read_text(encoding="utf-8")
    facts.write_text(text.replace("\nranks=2\n", "\nranks=1000000\n"), encoding="utf-8")
    answer, _, _ = diagnose(program, run, "--probe-time", BUDGET)
    c.equal("a crowd", untested(answer, "os.noise"), "a probe, which cannot be started: 1000000 "
            "ranks are too many for this host")
    facts.write_text(text, encoding="utf-8")
    (node,) = (run / "environment").iterdir()
    node.rename(node.with_name("elsewhere.ini"))
    answer, _, _ = diagnose(program, run, "--probe-time", BUDGET)
    c.equal("another host", untested(answer, "os.noise"), "a probe, which cannot be started: it "
            "ran on elsewhere, and this is another host and no job with that node")
    c.equal("a time", harness.run(program, "diagnose", run, "--probe-time", "10").code, 2)


def check_slurm(c, program, run, scratch):
    """In a job of Slurm, srun starts it on the nodes of the run."""
    folder, words = scratch / "slurm", scratch / "words"
    folder.mkdir()
    (folder / "srun").write_text(SRUN)
    (folder / "srun").chmod(0o755)
    shutil.rmtree(run / "environment")
    path, host = run / "environment.ini", socket.gethostname()
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()
             if not line.startswith(("library=", "ranks="))]
    path.write_text("\n".join("launcher=Slurm" if line.startswith("launcher=") else line
                              for line in lines) + "\n", encoding="utf-8")
    answer, _, _ = diagnose(program, run, "--probe-time", BUDGET, WORDS=str(words),
                            PATH=f"{folder}:{os.environ['PATH']}",
                            SLURM_JOB_NODELIST=f"other[1-2],{host}")
    c.equal("measured", ([(row["state"], row["why"]) for row in answer["probes"]],
                         untested(answer, "os.noise")), ([("measured", None)], None))
    if not words.exists():
        return
    c.equal("srun", words.read_text(encoding="utf-8").split()[:4],
            ["--nodes=1", "--ntasks=1", "--nodelist", host])


def check_all(mpi, mpirun, program, recorder, programs):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        run = scratch / "run"
        subprocess.run([*recording.launch(mpirun, 2), recorder, "--quiet", "-o", run,
                        programs / f"ring-{mpi}", "200"], timeout=60, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       env=recording.surroundings())
        check_measured(c, mpi, program, run)
        if mpi == "openmpi":
            check_merged(c, program, run, scratch)
            check_bounds(c, mpi, program, run, scratch)
            check_slurm(c, program, run, scratch)
    return c.problems


def main(arguments):
    mpi, mpirun, *paths = arguments
    arguments = mpi, mpirun, *(pathlib.Path(path).resolve() for path in paths)
    # Where the program cannot find it beside itself.
    os.environ["PATH"] = f"{arguments[3].parent}:{os.environ['PATH']}"
    tap = harness.Tap()
    tap.check("probe-time", check_all, *arguments)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
