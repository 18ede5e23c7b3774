#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""recorder.py KYMO-RECORD [--batches N] [--pairs N] [--check] [--helper]: what recording costs.

For each MPI whose mpicc is found: nanoseconds that a recorded call takes longer (the least of N
batches of 100 calls, with and without kymo-record), the processor time of a program that makes
10,000 collective calls a second, recorded and not, in pairs (ratio of each pair, their mean and
its 95 % interval), the same with --live, without and with two clients that get each second, what
the thread of --live takes of a core without and with clients, and how much longer a process takes
in which the recorder stays dormant. With --check the figures per call are compared with the limits,
times two: other work disturbs. With --helper only the thread of --live is measured, by the time
that the processor gave it, which other work hardly changes: in each of four ranks that are a tree,
with no, one and three clients."""
import argparse
import contextlib
import math
import os
import pathlib
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
# Nanoseconds: what docs/performance.md promises where the time-stamp counter is a clock.
LIMITS = {"enter-leave": 60, "sendrecv": 100, "irecv-isend-waitall": 100, "allreduce": 150,
          "barrier": 150}
# Share of a core that the helper of the live view may take.
MOST_OF_A_CORE = 0.003
# What is compared with a run that is not recorded: words, --live, clients.
WAYS = (("", False, 0), (" with --live", True, 0), (" with --live and two clients", True, 2))
HELPER_RANKS = 4
HELPER_CLIENTS = (0, 1, 3)
# 95 % of Student's t, by degrees of freedom
T95 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}


def clock_source():
    path = pathlib.Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    return path.read_text().strip() if path.exists() else "unknown"


def command(record, folder, *program, live=False):
    return [record, "-o", folder, "--overwrite", "--quiet", "--system", "0",
            *(["--live"] if live else []), *program]


class Clients:
    """Clients of the port of a run, which get names, block and values of each second while it
    goes on, as the window does."""

    def __init__(self, folder, n):
        self.address = pathlib.Path(folder) / "live.address"
        self.over = threading.Event()
        self.n_blocks = [0] * n
        self.threads = [threading.Thread(target=self.follow, args=(i,)) for i in range(n)]

    def ask(self, handler, data=b""):
        host, port = self.address.read_text().strip().rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.sendall(struct.pack(">ii32s", len(data), 0, handler.encode()) + data)
            return b"".join(iter(lambda: connection.recv(65536), b""))[4:]

    def follow(self, which):
        while not self.over.wait(0.25):
            with contextlib.suppress(OSError, ValueError, struct.error):
                wanted = struct.pack("<q", self.n_blocks[which])
                if struct.unpack("<q", self.ask("kymo/record block", wanted)[16:24])[0] \
                        > self.n_blocks[which]:
                    self.ask("kymo/record names")
                    self.ask("kymo/record values", wanted)
                    self.n_blocks[which] += 1

    def __enter__(self):
        self.address.unlink(missing_ok=True)
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()


def helper_share(record, folder, program, milliseconds, n_clients=0):
    """Share of a core that the thread of --live takes, from its second second on."""
    with Clients(folder, n_clients) as clients:
        share = helper_share_now(record, folder, program, milliseconds)
    if n_clients and min(clients.n_blocks) < milliseconds // 1000 - 2:
        sys.exit(f"clients have seen {clients.n_blocks} blocks of {milliseconds} ms")
    return share


def helper_share_now(record, folder, program, milliseconds):
    process = subprocess.Popen(command(record, folder, program, "work", str(milliseconds),
                                       live=True), stdout=subprocess.DEVNULL)
    seen = []
    while process.poll() is None:
        for task in pathlib.Path(f"/proc/{process.pid}/task").glob("*"):
            try:
                if (task / "comm").read_text().strip() == "kymo-live":
                    seen.append((time.perf_counter(),
                                 int((task / "schedstat").read_text().split()[0])))
            except OSError:
                pass
        time.sleep(0.05)
    if process.returncode:
        sys.exit(f"{program}: status {process.returncode}")
    seen = [(when, ns) for when, ns in seen if when > seen[0][0] + 1]
    return (seen[-1][1] - seen[0][1]) / 1e9 / (seen[-1][0] - seen[0][0]) if len(seen) > 1 else 0


def ranks_of(folder):
    """{rank: number of the thread of --live} of the processes that record into the folder."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, KeyError, ValueError):
            words = dict(word.split("=", 1) for word in
                         (process / "environ").read_bytes().decode(errors="replace").split("\0")
                         if "=" in word)
            if words.get("KYMO_RECORD_DIR") != str(folder):
                continue
            rank = int(words.get("OMPI_COMM_WORLD_RANK", words.get("PMI_RANK", "")))
            for task in (process / "task").glob("*"):
                if (task / "comm").read_text().strip() == "kymo-live":
                    found[rank] = task
    return found


def helpers(options, mpi, folder):
    """Shares of a core of the threads of a job, by rank, for each number of clients."""
    program = os.path.join(folder, "calls-" + mpi)
    subprocess.run([shutil.which("mpicc." + mpi), "-O2", "-w", "-o", program,
                    HERE / "recorder-calls.c"], check=True)
    slower, run = [], os.path.join(folder, "run")
    for n_clients in HELPER_CLIENTS:
        words = [shutil.which("mpirun." + mpi), "-n", str(HELPER_RANKS),
                 *command(options.record, run, program, "work", str(options.work), live=True)]
        with Clients(run, n_clients) as clients, \
             subprocess.Popen(words, stdout=subprocess.DEVNULL) as job:
            begin, seen = time.perf_counter(), []
            while job.poll() is None:
                tasks = ranks_of(run)
                with contextlib.suppress(OSError):
                    seen.append((time.perf_counter(), {
                        rank: int((task / "schedstat").read_text().split()[0])
                        for rank, task in tasks.items()}))
                time.sleep(0.25)
        # Without the first two seconds, in which names are told and connections made.
        seen = [(when, ns) for when, ns in seen if len(ns) == HELPER_RANKS and when > begin + 2]
        if len(seen) < 2 or job.returncode or (n_clients and min(clients.n_blocks) == 0):
            sys.exit(f"{mpi}: status {job.returncode}, {len(seen)} looks at {HELPER_RANKS} ranks, "
                     f"blocks of clients {clients.n_blocks}")
        (begin, first), (end, last) = seen[0], seen[-1]
        shares = [(last[rank] - first[rank]) / 1e9 / (end - begin) for rank in range(HELPER_RANKS)]
        print(f"{mpi:8} thread of --live, {n_clients} clients, {end - begin:.0f} s: of a core "
              + ", ".join(f"rank {rank} {share * 100:.3f} %" for rank, share in enumerate(shares)))
        if max(shares) > MOST_OF_A_CORE:
            slower.append(f"{mpi} thread with {n_clients} clients: {max(shares) * 100:.3f} %")
    return slower


def calls(arguments):
    text = subprocess.run(arguments, check=True, text=True, stdout=subprocess.PIPE).stdout
    return {name: float(ns) for name, ns in (line.split() for line in text.splitlines())}


def processor_time(arguments):
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f"{arguments}: status {status}")
    return usage.ru_utime + usage.ru_stime


def ratio(record, folder, program, pairs, milliseconds, live=False, n_clients=0):
    """Mean ratio of processor times and half its 95 % interval."""
    logs = []
    for pair in range(pairs):
        both = [[program, "work", str(milliseconds)],
                command(record, folder, program, "work", str(milliseconds), live=live)]
        times = [0, 0]
        for which in ((0, 1), (1, 0))[pair % 2]:
            with Clients(folder, n_clients if which else 0):
                times[which] = processor_time(both[which])
        logs.append(math.log(times[1] / times[0]))
    if pairs < 2:
        return math.exp(logs[0]), math.inf
    half = T95.get(pairs - 1, 2.0) * statistics.stdev(logs) / math.sqrt(pairs)
    return math.exp(statistics.mean(logs)), half


def dormant(record, library, runs):
    """Milliseconds that a process takes longer which loads the library and stays dormant."""
    least = []
    for variables in ({}, {"LD_PRELOAD": library, "KYMO_RECORD_DIR": "/nonexistent",
                           "KYMO_RECORD_MAIN": "1"}):
        environment = {**os.environ, **variables}
        best = math.inf
        for _ in range(runs):
            begin = time.perf_counter()
            subprocess.run(["/bin/true"], env=environment, check=True)
            best = min(best, time.perf_counter() - begin)
        least.append(best)
    return (least[1] - least[0]) * 1000


def libraries(record):
    for folder in (pathlib.Path(record).resolve().parent.parent / "mpi",
                   *pathlib.Path(record).resolve().parent.parent.glob("lib*/**/kymo")):
        if (folder / "libkymo-record-serial.so").exists():
            return folder
    sys.exit("no libraries beside kymo-record")


def measure(options, mpi, folder):
    compiler = shutil.which("mpicc." + mpi)
    library = libraries(options.record) / f"libkymo-record-{mpi}.so"
    if not compiler or not library.exists():
        return None
    program = os.path.join(folder, "calls-" + mpi)
    subprocess.run([compiler, "-O2", "-w", "-o", program, HERE / "recorder-calls.c"], check=True)
    run = os.path.join(folder, "run")
    plain = calls([program, "calls", str(options.batches)])
    recorded = calls(command(options.record, run, program, "calls", str(options.batches)))
    live = calls(command(options.record, run, program, "calls", str(options.batches), live=True))
    slower = []
    for name, ns in plain.items():
        more = recorded[name] - ns
        print(f"{mpi:8} {name:20} {ns:7.1f} ns, recorded {recorded[name]:7.1f}, more {more:6.1f}, "
              f"with --live {live[name] - ns:6.1f}")
        if more > 2 * LIMITS.get(name, math.inf):
            slower.append(f"{mpi} {name}: {more:.1f} ns")
    # A run of less than some seconds has nothing to tell of the live view.
    for what, live, n_clients in WAYS if options.work > 2000 else WAYS[:1]:
        mean, half = ratio(options.record, run, program, options.pairs, options.work, live,
                           n_clients)
        print(f"{mpi:8} processor time at 10,000 calls/s{what}: {(mean - 1) * 100:+.2f} % "
              f"± {half * 100:.2f} % ({options.pairs} pairs)")
        if not live:
            continue
        share = helper_share(options.record, run, program, options.work, n_clients)
        print(f"{mpi:8} thread of --live{what[12:]}: {share * 100:.3f} % of a core")
        if share > 2 * MOST_OF_A_CORE:
            slower.append(f"{mpi} thread{what}: {share * 100:.3f} % of a core")
    print(f"{mpi:8} dormant process: {dormant(options.record, str(library), 50):+.2f} ms")
    return slower


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("record")
    parser.add_argument("--batches", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--work", type=int, default=4000, help="milliseconds")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--helper", action="store_true")
    options = parser.parse_args()
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                      OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                      HWLOC_COMPONENTS="no_os,-gl,-opencl,linux,stop")
    print(f"clock source {clock_source()}, least of {options.batches} batches")
    slower, found = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for mpi in ("openmpi", "mpich"):
            if options.helper and not shutil.which("mpicc." + mpi):
                continue
            result = (helpers if options.helper else measure)(options, mpi, folder)
            if result is not None:
                found += 1
                slower += result
    if not found:
        return 77
    for line in slower:
        print("too slow:", line)
    return 1 if options.check and slower and clock_source() == "tsc" else 0


if __name__ == "__main__":
    sys.exit(main())
