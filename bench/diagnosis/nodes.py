# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes on one machine, for root: each has a host name, a network of its own behind a link whose
rate is limited, and, where asked for, a limit of its memory. They share processors, disks and the
kernel; what Linux counts for the whole machine is the same on all of them.

    with Nodes(2, rate="1gbit") as nodes:
        nodes.run(nodes.mpi("openmpi", 4) + [program])
"""
import contextlib
import itertools
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "recorder"))
import recording  # noqa: E402

MEMORY_V1 = pathlib.Path("/sys/fs/cgroup/memory")
ZRAM = pathlib.Path("/sys/class/zram-control")
SUBNET = "10.213.78"            # each bridge has it for itself
NUMBERS = itertools.count()


class Missing(Exception):
    """Something that this machine does not allow, in words."""


def sh(line, check=True):
    done = subprocess.run(line, shell=True, check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if check and done.returncode:
        raise Missing(f"{line}: {done.stdout.strip()[-200:]}")
    return done.stdout


class Nodes:
    """A bridge in a namespace of its own, and `n` nodes at it, n0, n1, …; more can be named."""

    def __init__(self, n, rate="1gbit", more=()):
        self.prefix = f"kymo{os.getpid()}-{next(NUMBERS)}"
        self.names = [f"n{i}" for i in range(n)]
        self.more = list(more)
        self.rate = rate
        self.groups = {}
        self.swap = None
        self.script = None
        self.started = []

    # -- making ------------------------------------------------------------------------------

    def __enter__(self):
        if os.geteuid() != 0:
            raise Missing("only root can make nodes")
        try:
            self.make()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def space(self, name):
        return f"{self.prefix}-{name}"

    def address(self, name):
        return f"{SUBNET}.{(self.names + self.more).index(name) + 1}"

    def make(self):
        hub = self.space("hub")
        sh(f"ip netns add {hub}; ip -n {hub} link add br0 type bridge && "
           f"ip -n {hub} link set br0 up")
        for name in self.names + self.more:
            space = self.space(name)
            sh(f"ip netns add {space} && ip -n {hub} link add {name} type veth peer name eth0 "
               f"netns {space} && ip -n {hub} link set {name} master br0 up && "
               f"ip -n {space} addr add {self.address(name)}/24 dev eth0 && "
               f"ip -n {space} link set eth0 up && ip -n {space} link set lo up")
            self.set_rate(name, self.rate)
        self.script = pathlib.Path(f"/tmp/{self.prefix}-agent")
        self.script.write_text(AGENT.format(prefix=self.prefix, memory=MEMORY_V1))
        self.script.chmod(0o700)

    def set_rate(self, name, rate):
        """Both ways of the link of a node."""
        for space, device in ((self.space("hub"), name), (self.space(name), "eth0")):
            sh(f"tc -n {space} qdisc replace dev {device} root tbf rate {rate} burst 256kb "
               f"latency 50ms")

    def limit_memory(self, name, limit_bytes):
        """What a node may use; beyond it pages go to compressed memory."""
        group = MEMORY_V1 / f"{self.prefix}-{name}"
        if not (MEMORY_V1 / "memory.limit_in_bytes").exists():
            raise Missing("there is no control group of memory, version 1")
        group.mkdir(exist_ok=True)
        (group / "memory.limit_in_bytes").write_text(str(limit_bytes))
        (group / "memory.swappiness").write_text("100")
        # Whoever finds no memory waits until there is some; it is not killed.
        (group / "memory.oom_control").write_text("1")
        self.groups[name] = group
        if self.swap is None:
            self.make_swap()

    def make_swap(self, n_bytes=1 << 30):
        if not ZRAM.exists():
            raise Missing("there is no zram")
        number = (ZRAM / "hot_add").read_text().strip()
        self.swap = f"/dev/zram{number}"
        pathlib.Path(f"/sys/block/zram{number}/disksize").write_text(str(n_bytes))
        sh(f"mkswap {self.swap} && swapon {self.swap}")

    def unlimit_memory(self, name):
        group = self.groups.pop(name)
        for _ in range(100):
            with contextlib.suppress(OSError):
                group.rmdir()
                return
            time.sleep(0.05)

    def __exit__(self, *_):
        for process in self.started:
            self.end(process)
        for name in list(self.groups):
            self.unlimit_memory(name)
        if self.swap is not None:
            sh(f"swapoff {self.swap}", check=False)
            with contextlib.suppress(OSError):
                (ZRAM / "hot_remove").write_text(self.swap.removeprefix("/dev/zram"))
        for name in self.names + self.more + ["hub"]:
            sh(f"ip netns del {self.space(name)}", check=False)
        if self.script is not None:
            self.script.unlink(missing_ok=True)

    # -- using -------------------------------------------------------------------------------

    def on(self, name, *words):
        """The words that start a program on a node."""
        return [str(self.script), name, shlex.join(map(str, words))]

    def start(self, name, *words, **options):
        """A program on a node that runs until end()."""
        process = subprocess.Popen(self.on(name, *words), start_new_session=True,
                                   stdin=subprocess.DEVNULL, **options)
        self.started.append(process)
        return process

    def end(self, process):
        if process in self.started:
            self.started.remove(process)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end_all(self):
        """Ends whatever runs on the nodes but servers: ranks of a job that hangs."""
        kept = {process.pid for process in self.started}
        for name in self.names:
            for pid in map(int, sh(f"ip netns pids {self.space(name)}").split()):
                if pid not in kept:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)

    def mpi(self, mpi, size, **variables):
        """(words that start a program of `size` ranks on the nodes, variables): as many ranks on
        each, one node after the other. The launcher itself runs on the first node."""
        each = -(-size // len(self.names))
        mpirun = shutil.which(f"mpirun.{mpi}")
        if mpi == "openmpi":
            hosts = ",".join(f"{name}:{each}" for name in self.names)
            words = [mpirun, "-n", str(size), "--host", hosts, "--mca", "plm", "rsh", "--mca",
                     "plm_rsh_agent", self.script, "--mca", "plm_rsh_no_tree_spawn", "1",
                     "--mca", "pml", "ob1", "--mca", "btl", "tcp,vader,self",
                     "--mca", "btl_tcp_if_include", "eth0", "--mca", "oob_tcp_if_include", "eth0",
                     *(word for key in variables for word in ("-x", key))]
        else:
            hosts = ",".join(f"{name}:{each}" for name in self.names)
            words = [mpirun, "-n", str(size), "-launcher", "rsh", "-launcher-exec", self.script,
                     "-iface", "eth0", "-hosts", hosts]
            variables = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0", **variables}
        environment = recording.surroundings(**variables)
        environment.pop("OMPI_MCA_plm")
        return self.on(self.names[0], *words), environment


# Called as a remote shell, too: HOST WORDS, which for Open MPI are several commands.
AGENT = """#!/bin/sh
host=$1
shift
group={memory}/{prefix}-$host/cgroup.procs
test -e "$group" && echo $$ >"$group"
exec nsenter --net=/run/netns/{prefix}-$host unshare --uts sh -c \\
  'hostname "$0"; case "$1" in *\;*) eval "$1" ;; *) eval "exec $1" ;; esac' "$host" "$*"
"""
