#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-slurm.py BUILD: a run is asked in jobs of a real Slurm, reached through a real sshd on
loopback. Only root can run this, for it starts munged, slurmctld and slurmd by hand, with a key,
a configuration and a state of their own; this machine is the login node and the only other one.
It needs the packages munge, slurm-wlm and openssh-server."""
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import own_sshd  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
CLI, SERVER = BUILD / "src" / "cli" / "kymo-cli", BUILD / "src" / "remote" / "kymo-server"
SAMPLE = ROOT / "data" / "sample"
PATIENCE_S = 120
CONFIGURATION = """ClusterName=kymo
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SwitchType=switch/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=short Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def wait_until(test, words):
    end = time.monotonic() + PATIENCE_S
    while not test():
        assert time.monotonic() < end, words
        time.sleep(0.1)


class Slurm:
    """A cluster of one node in a folder."""

    def __init__(self, folder):
        self.folder, self.host, self.programs = folder, socket.gethostname().split(".")[0], []
        for name in ("state", "spool", "conf/kymo", "home"):
            (folder / name).mkdir(parents=True)
        (folder / "key").write_bytes(os.urandom(1024))
        (folder / "key").chmod(0o600)
        conf = folder / "slurm.conf"
        conf.write_text(CONFIGURATION.format(host=self.host, folder=folder, cores=os.cpu_count(),
                                             ports=[self.free_port(), self.free_port()]))
        self.there = {"SLURM_CONF": str(conf), "HOME": str(folder / "home")}
        self.env = {**os.environ, **self.there, "XDG_CONFIG_HOME": str(folder / "conf"),
                    "XDG_CONFIG_DIRS": "/nowhere", "XDG_CACHE_HOME": "/dev/null/cache"}
        self.env.pop("KYMO_SERVER", None)
        self.begin("munged", "--foreground", "--force", f"--key-file={folder}/key",
                   f"--socket={folder}/munge.socket", f"--pid-file={folder}/munge.pid",
                   f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed")
        wait_until((folder / "munge.socket").exists, "munged does not begin")
        self.begin("slurmctld", "-D")
        self.begin("slurmd", "-D", "-N", self.host)
        wait_until(lambda: " idle" in self.say("sinfo", "-h", "-o", " %T"), "no node is idle")

    @staticmethod
    def free_port():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def begin(self, name, *words):
        with open(self.folder / f"{name}.out", "w") as out:
            self.programs.append(subprocess.Popen([f"/usr/sbin/{name}", *words], env=self.env,
                                                  stdout=out, stderr=out))

    def say(self, *words):
        return subprocess.run(words, env=self.env, capture_output=True, text=True).stdout

    def jobs(self):
        """The jobs that are not at their end, as "NAME STATE"."""
        return self.say("squeue", "-h", "-o", "%j %T").splitlines()

    def end(self):
        self.say("scancel", "--user=root")
        wait_until(lambda: not self.jobs(), "a job does not end")
        for program in reversed(self.programs):
            program.terminate()
            program.wait(PATIENCE_S)


def start(slurm, *words):
    return subprocess.Popen([CLI, "info", f"ssh://cluster{SAMPLE}", "--format", "json", *words],
                            env=slurm.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def ask(slurm, *words):
    """The answer, and how long it took."""
    begin = time.monotonic()
    client = start(slurm, *words)
    out, told = client.communicate(timeout=PATIENCE_S)
    assert client.returncode == 0, told
    return out, time.monotonic() - begin


def check(slurm):
    near = subprocess.run([CLI, "info", SAMPLE, "--format", "json"], env=slurm.env, text=True,
                          capture_output=True, check=True).stdout
    said = subprocess.run([CLI, "hosts", "cluster", "--launch", "slurm"], env=slurm.env, text=True,
                          capture_output=True)
    assert said.returncode == 0, said
    print(said.stdout.rstrip())
    print("jobs:", slurm.jobs())
    far, took = ask(slurm, "--launch", "slurm,time=00:05:00,queue=short,cores=1")
    assert far == near, "the answer is another one"
    print(f"a job was submitted and answered after {took:.1f} s; jobs: {slurm.jobs()}")
    far, took = ask(slurm, "--launch", "slurm,time=00:05:00,queue=short,cores=1")
    assert far == near
    print(f"the same job answered another client after {took:.1f} s; jobs: {slurm.jobs()}")
    return near


def check_waits(slurm, near):
    """The node is taken: the job waits, goes with its client, or runs when it may."""
    slurm.say("scancel", "--user=root")
    wait_until(lambda: not slurm.jobs(), "the jobs do not end")
    print("scancel ends the job of a server")
    slurm.say("sbatch", "--job-name=other", "--exclusive", "--output=/dev/null", "--wrap=sleep 600")
    wait_until(lambda: slurm.jobs() == ["other RUNNING"], "the other job does not run")
    client = start(slurm, "--launch", "slurm,time=00:05:00")
    wait_until(lambda: "kymo PENDING" in slurm.jobs(), "no job waits")
    client.send_signal(signal.SIGINT)
    client.communicate(timeout=PATIENCE_S)
    wait_until(lambda: slurm.jobs() == ["other RUNNING"], "the job is left in the queue")
    print("a job that waits is taken back when its client goes")
    client = start(slurm, "--launch", "slurm,time=00:05:00")
    wait_until(lambda: "kymo PENDING" in slurm.jobs(), "no job waits")
    slurm.say("scancel", "--name=other")
    out, told = client.communicate(timeout=PATIENCE_S)
    assert client.returncode == 0 and out == near, told
    print("a job that waits answers when it runs")
    refused = start(slurm, "--launch", "slurm,time=00:06:00,queue=none")
    _, told = refused.communicate(timeout=PATIENCE_S)
    assert refused.returncode == 1, told
    print("a queue that is not there:", told.strip().splitlines()[-1])


def main():
    with tempfile.TemporaryDirectory(prefix="kymo-slurm-") as name:
        folder = pathlib.Path(name)
        slurm = Slurm(folder)
        sshd = None
        try:
            print(slurm.say("sinfo", "--version").strip(), "on", slurm.host)
            sshd = own_sshd.Sshd(folder, there=slurm.there)
            (folder / "conf" / "kymo" / "hosts.conf").write_text(
                f"[cluster]\nSsh={shlex.join(sshd.words())}\nServer={SERVER}\n"
                "Launches=slurm\nCores=1\n")
            check_waits(slurm, check(slurm))
        finally:
            slurm.end()
            if sshd is not None:
                sshd.end()


main()
