#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-jobs.py KYMO-CLI KYMO-SERVER ROOT: servers in jobs. Commands of Slurm and PBS are those of
tests/support/fake_batch.py. A job is submitted once and joined then; what it waits for is told;
whoever goes takes a waiting job back; what a command says is what the person reads."""
import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import fake_batch

CLI, SERVER, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
SAMPLE = ROOT / "data" / "sample"
PATIENCE_S = 60


def wait_until(test, words):
    end = time.monotonic() + PATIENCE_S
    while not test():
        assert time.monotonic() < end, words
        time.sleep(0.02)


class Cluster:
    """Login node and batch system in a folder."""

    def __init__(self, folder):
        self.folder = folder
        fake_batch.install(folder / "bin")
        here = stat.S_IMODE(pathlib.Path(fake_batch.__file__).stat().st_mode)
        assert here & 0o100, "fake_batch.py cannot be run"
        (folder / "conf" / "kymo").mkdir(parents=True)
        self.conf = folder / "conf" / "kymo" / "hosts.conf"
        self.env = {**os.environ, "FAKE_BATCH": str(folder), "XDG_STATE_HOME": str(folder / "st"),
                    "XDG_CONFIG_HOME": str(folder / "conf"), "XDG_CONFIG_DIRS": "/nowhere",
                    "XDG_CACHE_HOME": "/dev/null/cache", "XDG_RUNTIME_DIR": str(folder),
                    "PATH": f"{folder / 'bin'}:{SERVER.parent}:{os.environ['PATH']}"}
        self.env.pop("KYMO_SERVER", None)

    def start(self, launch, *more):
        return subprocess.Popen([CLI, "info", f"ssh://login{SAMPLE}", "--format", "json",
                                 "--launch", launch, *more], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=self.env)

    def ask(self, launch, *more):
        client = self.start(launch, *more)
        return (*client.communicate(timeout=PATIENCE_S), client.returncode)

    def job(self):
        """The number of the only job."""
        (job,) = self.folder.glob("job-*")
        return job.name[4:]

    def free(self):
        (self.folder / "free").write_text("")

    def calls(self, name):
        calls = self.folder / "calls"
        return [line for line in (calls.read_text() if calls.exists() else "").splitlines()
                if line.split()[0] == name]

    def end(self):
        for job in self.folder.glob("job-*"):
            if (job / "pid").exists():
                try:
                    os.kill(int((job / "pid").read_text()), signal.SIGTERM)
                except ProcessLookupError:
                    pass


def near():
    return subprocess.run([CLI, "info", SAMPLE, "--format", "json"], capture_output=True,
                          timeout=PATIENCE_S, env={**os.environ,
                                                   "XDG_CACHE_HOME": "/dev/null/cache"}).stdout


def check_batch(cluster, launch, submit, waits):
    """Waits, runs, is joined again, and is the same run."""
    client = cluster.start(launch)
    wait_until(lambda: cluster.calls(submit), "no job is submitted")
    cluster.free()
    out, words = client.communicate(timeout=PATIENCE_S)
    assert client.returncode == 0, words
    assert out == near()
    again, words, status = cluster.ask(launch)
    assert status == 0 and again == out, words
    assert len(cluster.calls(submit)) == 1, "the job is submitted once"
    script = next(cluster.folder.glob("job-*/script")).read_text()
    assert waits in script, script
    return script


def test_slurm(cluster):
    script = check_batch(cluster, "slurm,time=00:07:00,cores=2", "sbatch",
                         "#SBATCH --time=00:07:00\n")
    assert "--cpus-per-task=2\n" in script and "--partition" not in script, script
    (join, *_) = cluster.calls("srun")
    assert f"--jobid={cluster.job()} --overlap --unbuffered" in join, join
    assert "--nodelist=node7" in join, join


def test_pbs(cluster):
    script = check_batch(cluster, "pbs,queue=short", "qsub", "#PBS -q short\n")
    assert "module" not in script, script
    assert any(" node7 " in call for call in cluster.calls("ssh")), cluster.calls("ssh")


def test_mpirun(cluster):
    out, words, status = cluster.ask("mpirun,ranks=1")
    assert status == 0 and out == near(), words
    assert cluster.calls("mpirun")[0].startswith("mpirun -n 1 "), cluster.calls("mpirun")


def test_told(cluster):
    """The terminal of the person says what is waited for, and no longer than that."""
    log = cluster.folder / "frames"
    cluster.env["KYMO_FRAMES"] = str(log)
    lines = subprocess.Popen([SERVER, "--connect", "--job", order_of(cluster)],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=cluster.env, text=True)
    waits = lines.stderr.readline()
    assert waits == f"kymo-server: job {cluster.job()} waits in the queue: Priority\n", waits
    cluster.free()
    assert lines.stderr.readline() == f"kymo-server: job {cluster.job()} runs on node7\n"
    lines.stdin.close()
    assert lines.wait(PATIENCE_S) == 0


def order_of(cluster):
    """The order that the client sends for a job of Slurm."""
    (cluster.folder / "full").write_text("")
    cluster.ask("slurm")
    (cluster.folder / "full").unlink()
    return cluster.calls("ssh")[-1].split("--job ")[1].rstrip("'")


def test_taken_back(cluster):
    """A client that goes while the job waits leaves none."""
    client = cluster.start("slurm")
    wait_until(lambda: cluster.calls("squeue"), "nobody looks at the queue")
    client.send_signal(signal.SIGINT)
    client.wait(PATIENCE_S)
    wait_until(lambda: cluster.calls("scancel"), "the job is left in the queue")
    assert cluster.calls("scancel") == [f"scancel {cluster.job()}"]


def test_nobody_reads(cluster):
    """A client that went takes its job along, though there is something to tell it."""
    client = subprocess.Popen([SERVER, "--connect", "--job", order_of(cluster)],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=cluster.env)
    assert b" waits in the queue: Priority" in client.stderr.readline()
    client.stderr.close()
    (cluster.folder / f"job-{cluster.job()}" / "reason").write_text("Resources")
    client.wait(PATIENCE_S)
    assert cluster.calls("scancel") == [f"scancel {cluster.job()}"]


def test_refused(cluster):
    (cluster.folder / "full").write_text("")
    _, words, status = cluster.ask("slurm")
    assert status == 1 and b"Invalid account" in words, words


def test_ended(cluster):
    """A job that has ended is submitted again, but not by who only comes back to it."""
    cluster.free()
    assert cluster.ask("slurm")[2] == 0
    cluster.end()
    wait_until(lambda: fake_state(cluster, cluster.job()) == "COMPLETED", "the job does not end")
    order = cluster.calls("ssh")[-1].split("--job ")[1].rstrip("'")
    rejoined = subprocess.run([SERVER, "--connect", "--job", order, "--rejoin"], env=cluster.env,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S)
    assert rejoined.returncode == 1 and b"the job has ended" in rejoined.stderr, rejoined
    assert cluster.ask("slurm")[2] == 0
    assert len(cluster.calls("sbatch")) == 2


def fake_state(cluster, job):
    os.environ["FAKE_BATCH"] = str(cluster.folder)
    return fake_batch.state_of(job)


def test_hosts_conf(cluster):
    """A site's own template, way to join, and modules."""
    (cluster.conf.parent / "job.sh").write_text(
        "#!/bin/sh\nmodule () { echo \"$@\" > \"$FAKE_BATCH/modules\"; }\n"
        "#SBATCH --account=%QUEUE%\nmodule load %MODULES%\nexec %SERVER%\n")
    cluster.conf.write_text(
        f"[login]\nServer=env PATH={cluster.folder}/bin:/usr/bin:/bin {SERVER}\n"
        "Modules=gcc/12 zlib\nLaunches=big\n[login big]\nMethod=slurm\n"
        "TemplateFile=job.sh\nJoin=srun --jobid=%JOB% %SERVER%\nQueue=mine\n")
    cluster.free()
    out, words, status = cluster.ask("big")
    assert status == 0 and out == near(), words
    script = next(cluster.folder.glob("job-*/script")).read_text()
    assert "#SBATCH --account=mine\n" in script, script
    assert (cluster.folder / "modules").read_text() == "load gcc/12 zlib\n"


def run_test(number, test):
    with tempfile.TemporaryDirectory(prefix="kymo-jobs-") as folder:
        pathlib.Path(folder).chmod(0o700)
        cluster = Cluster(pathlib.Path(folder))
        try:
            test(cluster)
            print(f"ok {number} {test.__name__}", flush=True)
        except (AssertionError, OSError, subprocess.TimeoutExpired) as why:
            print(f"not ok {number} {test.__name__}\n# {why!r}", flush=True)
            return 1
        finally:
            cluster.end()
    return 0


def main():
    tests = [test_slurm, test_pbs, test_mpirun, test_told, test_taken_back,
             test_nobody_reads, test_refused, test_ended, test_hosts_conf]
    print(f"1..{len(tests)}", flush=True)
    return 1 if sum(run_test(number, test) for number, test in enumerate(tests, 1)) else 0


sys.exit(main())
