# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the series: what each records, how it is disturbed, what must be named, and what may
be. `Machine` records one run of a case: (seconds, seconds of what is disturbed, as the program
itself took them)."""
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

import nodes as simulated
from nodes import Missing, recording
import nfs_server

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITE = ROOT / "tests" / "diagnosis"
HERE = pathlib.Path(__file__).resolve().parent

PATIENCE_S = 12
CPU_V1 = pathlib.Path("/sys/fs/cgroup/cpu")
SERVER = "fileserver"
FILE_BYTES = 2 << 20
# What foreign processes on the same processors do; told beside a cause, never counted as wrong
# where there was foreign load.
LOAD = {"os.cpu", "os.oversubscribed", "lib.yield"}
# Rules were tuned with the programs of all but the last: those of the three between were counted
# once.
SERIES = ("tuning", "first", "earlier", "checked", "counted")


class Program:
    """What a series runs: a source file, or a program that is installed; its words; memory: bytes
    of a rank that a limit is a share of."""

    def __init__(self, source, *words, memory=0):
        self.source, self.words, self.memory = source, list(words), memory

    @property
    def path(self):
        return (SUITE if self.source == "suite.c" else HERE) / self.source

    @property
    def is_ours(self):
        return self.source.endswith(".c")


class Case:
    """programs: {series: what it runs}: rules were tuned with other programs than those that are
    counted; nodes: 0 for none; disturb: {series: {strength: {variant: what}}}, where what may be
    {(mpi, ranks): what}; named: ids one of which must be named; layer: theirs; switch: words that
    turn the fault off; expected: findings about the programs themselves that may be told of the
    undisturbed ones, written down before the first run."""

    def __init__(self, programs, nodes=0, rate="1gbit", named=(), layer="", disturb=None,
                 expected=(), switch=(), server=False):
        self.programs = programs
        self.nodes, self.rate = nodes, rate
        self.named, self.layer, self.disturb = set(named), layer, disturb or {}
        self.expected, self.switch, self.server = set(expected), list(switch), server

    def level(self, series, strength, variant, mpi, ranks):
        """How strong a disturbance is."""
        what = self.disturb[series][strength][variant]
        return what[mpi, ranks] if isinstance(what, dict) else what


PIPELINE = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
            "OMPI_MCA_coll_tuned_bcast_algorithm": "3",
            "OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize": "16384"}

WAITS = {"app.collective-waits", "app.serialization", "app.transfer", "app.late-sender",
         "app.late-receiver", "app.communication", "app.imbalance", "app.start-up"}
FILES = WAITS | {"app.input-output", "app.one-writer", "app.small-io"}

OPEN2, OPEN4, OPEN8, MPICH2 = ("openmpi", 2), ("openmpi", 4), ("openmpi", 8), ("mpich", 2)

CASES = {
    "broadcast": Case(
        {"tuning": Program("suite.c", "broadcast", "bytes=98304", "rounds=7"),
         "first": Program("walkers.c", "bytes=131072", "rounds=5"),
         "earlier": Program("clusters.c", "bytes=131072", "rounds=5", "work=30000"),
         "checked": Program("tours.c", "bytes=163840", "rounds=5", "work=500000"),
         "counted": Program("xrays.c", "bytes=65536", "rounds=6", "work=1000000")},
        nodes=4, rate="50mbit", named=["app.naive-bcast"], layer="application",
        switch=["way=bcast"], expected=WAITS,
        disturb={"tuning": {"weak": {"naive": {OPEN4: 24000, OPEN8: 48000}},
                            "strong": {"naive": 0}},
                 "first": {"weak": {"naive": {OPEN4: 5000, OPEN8: 7500}},
                           "strong": {"naive": 20}},
                 "earlier": {"weak": {"naive": {OPEN4: 33000, OPEN8: 55000}},
                             "strong": {"naive": 200}},
                 "checked": {"weak": {"naive": {OPEN4: 580_000, OPEN8: 2_400_000}},
                             "strong": {"naive": 50_000}},
                 "counted": {"weak": {"naive": {OPEN4: 1_000_000, OPEN8: 2_300_000}},
                             "strong": {"naive": {OPEN4: 100_000, OPEN8: 400_000}}}}),
    "library": Case(
        {"tuning": Program("suite.c", "reduce", "rounds=120", "bytes=256", "work=1400"),
         "counted": Program("gradient.c", "rounds=140", "work=1200")},
        named=["lib.allreduce", "lib.collective", "lib.changed"], layer="library", expected=WAITS,
        disturb={"tuning": {"weak": {"busy": 700_000,
                                     "sleep": {OPEN2: 800_000, MPICH2: 800_000, OPEN4: 1_700_000}},
                            "strong": {"busy": 3_000_000,
                                       "sleep": {OPEN2: 3_000_000, MPICH2: 3_000_000,
                                                 OPEN4: 7_000_000}}},
                 "counted": {"weak": {"busy": {OPEN2: 550_000, MPICH2: 550_000, OPEN4: 220_000},
                                      "sleep": {OPEN2: 500_000, MPICH2: 500_000, OPEN4: 600_000}},
                             "strong": {"busy": {OPEN2: 2_000_000, MPICH2: 2_000_000,
                                                 OPEN4: 1_000_000},
                                        "sleep": {OPEN2: 2_000_000, MPICH2: 2_000_000,
                                                  OPEN4: 2_400_000}}}}),
    "file": Case(
        {"tuning": Program("suite.c", "read", "rounds=3", "bytes=8192", "work=90000",
                           "file=/data"),
         "earlier": Program("ensemble.c", "rounds=12", "bytes=8192", "work=70000",
                            "file=/data"),
         "checked": Program("kmers.c", "rounds=12", "bytes=8192", "work=120", "file=/data"),
         "counted": Program("plumes.c", "rounds=24", "bytes=2048", "work=300", "file=/data")},
        nodes=2, server=True,
        named=["os.file-shared", "nfs.server", "nfs.file-contention", "NFSs_Bottleneck"],
        layer="system", expected=FILES,
        disturb={"tuning": {"weak": {"rewrite": (65536, 80000)},
                            "strong": {"rewrite": (FILE_BYTES, 0)}},
                 "earlier": {"weak": {"rewrite": (32768, 6000)},
                             "strong": {"rewrite": {OPEN2: (262144, 4000), MPICH2: (262144, 4000),
                                                    OPEN4: (131072, 6000)}}},
                 "checked": {"weak": {"rewrite": {OPEN2: (32768, 10000), MPICH2: (32768, 12000),
                                                  OPEN4: (32768, 12000)}},
                             "strong": {"rewrite": {OPEN2: (131072, 6000), MPICH2: (131072, 6000),
                                                    OPEN4: (131072, 14000)}}},
                 "counted": {"weak": {"rewrite": {OPEN2: (32768, 8500), MPICH2: (32768, 11000),
                                                  OPEN4: (32768, 23000)}},
                             "strong": {"rewrite": {OPEN2: (524288, 1000), MPICH2: (262144, 3000),
                                                    OPEN4: (131072, 4000)}}}}),
    "memory": Case(
        {"tuning": Program("suite.c", "memory", "rounds=8", "bytes=33554432", "work=20000",
                           memory=33554432),
         "counted": Program("insertion.c", "rounds=40", "bytes=33554432", "work=1365",
                            memory=33554432)},
        nodes=2, named=["phys.memory-node"], layer="hardware", expected=WAITS,
        disturb={"tuning": {"weak": {"limit": 0.7}, "strong": {"limit": 0.5}},
                 "counted": {"weak": {"limit": {OPEN2: 0.715, OPEN4: 0.785, MPICH2: 0.545}},
                             "strong": {"limit": {OPEN2: 0.45, OPEN4: 0.62, MPICH2: 0.42}}}}),
    "bandwidth": Case(
        {"tuning": Program("suite.c", "exchange", "rounds=30", "bytes=786432", "work=5000"),
         "counted": Program("spectral.c", "rounds=20", "work=512")},
        nodes=2, named=["net.shared", "net.slow"], layer="hardware", expected=WAITS,
        disturb={"tuning": {"weak": {"flood": "400mbit", "slow": "600mbit"},
                            "strong": {"flood": "850mbit", "slow": "300mbit"}},
                 "counted": {"weak": {"flood": {OPEN2: "380mbit", MPICH2: "360mbit"},
                                      "slow": {OPEN2: "680mbit", MPICH2: "640mbit"}},
                             "strong": {"flood": {OPEN2: "560mbit", MPICH2: "640mbit"},
                                        "slow": {OPEN2: "400mbit", MPICH2: "340mbit"}}}}),
    "halo": Case(
        {"tuning": Program("suite.c", "halo", "rounds=130", "bytes=16384", "work=1500"),
         "counted": Program("wave.c", "rounds=480", "work=1024")}, expected=WAITS),
    "melt": Case(
        {"counted": Program("lmp", "-in", HERE / "melt.in", "-log", "none")}, expected=WAITS),
}
# Which of the two a variant must give, where a case has two.
NAMED = {"flood": {"net.shared"}, "slow": {"net.slow"}}


def compile_program(compiler, out, source, *options):
    subprocess.run([compiler, "-O1", "-g1", "-std=gnu17", "-D_GNU_SOURCE", "-w", "-I", SUITE, "-o",
                    out, SUITE / source, "-Wl,--as-needed", *options, "-lm"], check=True)
    return out


class Compilers:
    """Foreign load: `n` compilers, again and again, and apt (Debian), which plans
    what to install and reads what there is."""

    def __init__(self, n):
        self.n, self.loops = n, []

    def __enter__(self):
        line = f"while :; do cc -O2 -w -c -o /dev/null {SUITE}/suite.c -I/usr/include/mpich; " \
               "cc -O3 -w -fsyntax-only -x c++ -include iostream /dev/null; done"
        packages = "while :; do apt-get -qq -s install octave; apt-cache dumpavail | gzip; done"
        lines = [line] * self.n + [packages] * (self.n > 0 and shutil.which("apt-get") is not None)
        for line in lines:
            self.loops.append(subprocess.Popen(["sh", "-c", line], start_new_session=True,
                                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                               stderr=subprocess.DEVNULL))
        return self

    def __exit__(self, *_):
        for loop in self.loops:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(loop.pid, 9)
            loop.wait()


class Machine:
    def __init__(self, build, folder):
        self.build, self.folder = pathlib.Path(build).resolve(), pathlib.Path(folder).resolve()
        self.record_program = self.build / "src" / "recorder" / "launch" / "kymo-record"
        self.programs = self.folder / "programs"
        self.programs.mkdir(parents=True, exist_ok=True)
        self.mpis = [mpi for mpi in ("openmpi", "mpich") if shutil.which(f"mpicc.{mpi}")]
        self.sites = {}
        self.stack = contextlib.ExitStack()
        compile_program("cc", self.programs / "hog", "hog.c")
        for mpi in self.mpis:
            self.compile(mpi)

    def compile(self, mpi):
        compiler = shutil.which(f"mpicc.{mpi}")
        nfs = ["-DWITH_NFS", "-lnfs"] if pathlib.Path("/usr/include/nfsc").exists() else []
        for program in {program.path: program for case in CASES.values()
                        for program in case.programs.values() if program.is_ours}.values():
            compile_program(compiler, self.programs / f"{program.path.stem}-{mpi}", program.path,
                            *nfs)
        compile_program(compiler, self.programs / f"slow-{mpi}.so", "slow-allreduce.c", "-shared",
                        "-fPIC")
        if nfs:
            compile_program("cc", self.programs / "rewrite-file", "rewrite-file.c", "-lnfs")

    def find_program(self, program, mpi):
        path = self.programs / f"{program.path.stem}-{mpi}" if program.is_ours \
            else shutil.which(program.source)
        if path is None:
            raise Missing(f"{program.source} is not installed")
        return path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close_sites()

    # -- sites: nodes that stay from run to run ---------------------------------------------------

    def site(self, case, ranks):
        n = min(case.nodes, ranks) if case is not CASES["broadcast"] else ranks
        key = n, case.rate, case.server
        if key not in self.sites:
            self.sites[key] = self.stack.enter_context(
                simulated.Nodes(n, case.rate, [SERVER, "w0", "w1"] if case.server else []))
            if case.server:
                self.start_server(self.sites[key])
        return self.sites[key]

    def close_sites(self):
        self.stack.close()
        self.sites.clear()

    def start_server(self, site):
        """A server that may use a tenth of a processor, as a small machine could."""
        group = CPU_V1 / f"{site.prefix}-server"
        if not (CPU_V1 / "cpu.shares").exists():
            raise Missing("there is no control group of processors, version 1")
        group.mkdir(exist_ok=True)
        self.stack.callback(remove_group, group)
        (group / "cpu.cfs_period_us").write_text("30000")
        (group / "cpu.cfs_quota_us").write_text("3000")
        folder = self.folder / f"server-{os.getpid()}"
        folder.mkdir(exist_ok=True)
        host = site.address(SERVER)
        on = ["sh", "-c", f'echo $$ >{group}/cgroup.procs; exec "$@"', "sh", *site.on(SERVER)[:2]]
        with contextlib.ExitStack() as own:
            url, self.bus = own.enter_context(nfs_server.ganesha(folder, host, 22049, on,
                                                                  FILE_BYTES))
            self.stack.callback(own.pop_all().close)
        self.nfs = {"KYMO_SUITE_NFS": url}
        subprocess.run(site.on("w0", self.programs / "rewrite-file", "/data", FILE_BYTES, -1),
                       check=True, env={**os.environ, **self.nfs})

    # -- runs ----------------------------------------------------------------------------------

    def run(self, name, mpi, ranks, run, series="tuning", strength=None, variant=None,
            compilers=0, decoy=None):
        case = CASES[name]
        program = case.programs[series]
        what = case.level(series, strength, variant, mpi, ranks) if variant else None
        with Compilers(compilers), contextlib.ExitStack() as stack:
            words, variables = [self.find_program(program, mpi), *program.words], {}
            if case.switch:
                words += case.switch if variant is None else [f"way={variant}"]
                # The work belongs to the strength, with the fault and without it.
                words += [f"work={case.level(series, strength, way, mpi, ranks)}"
                          for way in case.disturb[series].get(strength, {})]
            if decoy:
                words += self.begin_decoy(stack, DECOYS[decoy], series)
                variables |= DECOYS[decoy].variables
            if name == "library" and variant:
                variables = {"LD_PRELOAD": str(self.programs / f"slow-{mpi}.so"),
                             f"KYMO_SUITE_{variant.upper()}_NS": str(what)}
            if case.nodes == 0:
                launch, environment = self.local(mpi, ranks, variables)
            else:
                site = self.site(case, ranks)
                variables |= self.nfs if case.server and not (decoy and DECOYS[decoy].file) else {}
                if decoy and DECOYS[decoy].limit:
                    variant, what = "limit", DECOYS[decoy].limit
                self.disturb(stack, site, name, variant, what, ranks, run, program.memory)
                if case.switch:
                    # By default Open MPI 4.1 broadcasts from one rank to all here, too.
                    variables |= PIPELINE
                launch, environment = site.mpi(mpi, ranks, **variables)
            return self.record(launch, environment, run, words, case,
                               DECOYS[decoy].system if decoy else "0.1s")

    def local(self, mpi, ranks, variables):
        words = [shutil.which(f"mpirun.{mpi}"), "-n", str(ranks)]
        inner = []
        if variables:
            # Not for the launcher: env is recorded no more than a shell, so it stands in front.
            inner = ["env", *(f"{key}={value}" for key, value in variables.items())]
        return words + inner, recording.surroundings()

    def begin_decoy(self, stack, decoy, series):
        """Words of the program."""
        words = decoy.words.get(series, [])
        if decoy.hog:
            for _ in range(2):
                hog = subprocess.Popen([self.programs / "hog", decoy.hog])
                stack.callback(hog.wait)
                stack.callback(hog.kill)
        if decoy.file:
            path = self.folder / "cold"
            path.write_bytes(make_table(FILE_BYTES))
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            return [*words, f"file={path}"]
        return words

    def record(self, launch, environment, run, words, case, system):
        tail = [self.record_program, "--quiet", "--overwrite", "--system", system, "-o", run,
                *words]
        if case.nodes:
            *launch, line = launch
            launch = [*launch, line + " " + shlex.join(map(str, tail))]
        else:
            launch = [*launch, *tail]
        process = subprocess.Popen([str(word) for word in launch], env=environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(timeout=PATIENCE_S)
        except BaseException as why:
            self.end_job(process)
            if isinstance(why, subprocess.TimeoutExpired):
                raise RuntimeError(f"it hung for {PATIENCE_S} s") from None
            raise
        lines = [line for line in out.splitlines() if line.startswith("{")]
        if process.returncode or not lines:
            raise RuntimeError(f"exit {process.returncode}: {(err + out)[-600:]}")
        said = json.loads(lines[-1])
        return said["wall"], said["signal"]

    def end_job(self, process):
        """The launcher, which is a group of its own, and ranks on nodes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        for site in self.sites.values():
            site.end_all()
        process.wait()

    # -- disturbances ----------------------------------------------------------------------------

    def disturb(self, stack, site, name, variant, what, ranks, run, memory):
        if name == "file":
            agent = site.start(SERVER, self.record_program, "--agent", "--system", "0.1s", "-o",
                               run, env={**os.environ, **self.bus}, stderr=subprocess.DEVNULL)
            stack.callback(site.end, agent)
        if what is None and variant != "flood":
            return
        if variant == "rewrite":
            for writer in ("w0", "w1"):
                process = site.start(writer, self.programs / "rewrite-file", "/data", *what,
                                     env={**os.environ, **self.nfs})
                stack.callback(site.end, process)
        elif variant == "limit":
            each = -(-ranks // len(site.names))
            site.limit_memory("n1", int((12 << 20) + each * ((4 << 20) + memory * what)))
            stack.callback(site.unlimit_memory, "n1")
        elif variant == "slow":
            for node in site.names:
                site.set_rate(node, what)
                stack.callback(site.set_rate, node, site.rate)
        elif variant == "flood":
            for here, there in (("n0", "n1"), ("n1", "n0")):
                sink = site.start(there, sys.executable, HERE_FLOOD, "sink", site.address(there))
                stack.callback(site.end, sink)
                flood = site.start(here, sys.executable, HERE_FLOOD, "flood",
                                   site.address(there), what or "0")
                stack.callback(site.end, flood)
            time.sleep(0.2)


class Decoy:
    """What looks like a disturbance and is none, or one of another name. words: more of the
    program, {series: words}; variables: of its environment; named: what may be told besides the
    program; forbidden: what must not, of the program either."""

    def __init__(self, case, words=None, hog=None, file=False, limit=None, system="0.1s", named=(),
                 forbidden=(), **variables):
        self.case, self.words, self.hog, self.file = case, words or {}, hog, file
        self.limit, self.system, self.variables = limit, system, variables
        self.named, self.forbidden = set(named), set(forbidden)


DECOYS = {
    "scatter by sends": Decoy("broadcast", {series: ["way=scatter"] for series in SERIES},
                              forbidden=["app.naive-bcast"]),
    "cold page cache": Decoy("file", file=True, named=["os.disk-busy"]),
    "own heavy input": Decoy("file", {"tuning": ["rounds=6"], "earlier": ["rounds=24"],
                                      "checked": ["rounds=24"], "counted": ["rounds=48"]}),
    "twice the messages": Decoy("halo", {"tuning": ["rounds=400"], "counted": ["rounds=960"]}),
    "two CPU hogs": Decoy("library", hog="spin"),
    "MPI yields": Decoy("library", OMPI_MCA_mpi_yield_when_idle="1"),
    "cachecopy": Decoy("library", hog="cache"),
    "membw": Decoy("memory", hog="bandwidth", named=["phys.membw"]),
    "memleak": Decoy("library", hog="leak"),
    "a limit that costs nothing": Decoy("memory", limit=4.0),
    "no system files": Decoy("library", system="0"),
}
HERE_FLOOD = HERE / "flood.py"


def make_table(n_bytes):
    """What tests/diagnosis/table.h says."""
    return b"".join((i * 0x9e3779b97f4a7c15 & (1 << 64) - 1).to_bytes(8, sys.byteorder)
                    for i in range(1, n_bytes // 8 + 1))


def remove_group(group):
    for _ in range(100):
        with contextlib.suppress(OSError):
            group.rmdir()
            return
        time.sleep(0.05)
