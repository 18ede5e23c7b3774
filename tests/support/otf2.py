# SPDX-License-Identifier: GPL-3.0-or-later
"""OTF2 archives for tests: a script for write-otf2, line by line."""
import pathlib
import subprocess

PROCESS, ACCELERATOR = 1, 2
CPU_THREAD, STREAM, METRIC = 1, 2, 3
USER, COMPILER, OPENMP, MPI = 1, 2, 3, 4
REGIONS, COMM_LOCATIONS, COMM_GROUP, COMM_SELF = 2, 4, 5, 6
STRICT, SYNCHRONOUS, ASYNCHRONOUS = 0, 1, 2
ACCUMULATED_START, ABSOLUTE_POINT, RELATIVE_POINT = 0, 17, 18
BINARY, DECIMAL = 0, 1
TEXT_PARAMETER, INT_PARAMETER, UNSIGNED_PARAMETER = 0, 1, 2
RUN, LOCATION, PROCESS_SCOPE, NODE, GROUP, COMM = range(6)
LOW, MEDIUM, HIGH = 1, 2, 3
UINT64, INT64, DOUBLE = 4, 8, 10
OPS = ("barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather",
       "allgatherv", "alltoall", "alltoallv", "alltoallw", "allreduce", "reduce",
       "reduce_scatter", "scan", "exscan")
NO_ROOT = 2 ** 32 - 1


class Archive:
    """Definitions and events in any order; ids are given by who adds them."""

    def __init__(self, resolution=10 ** 9, offset=0, realtime=2 ** 64 - 1):
        self.lines = []
        self.add("clock", resolution, offset, 0, realtime)

    def add(self, *fields):
        self.lines.append("\t".join(str(field) for field in fields))

    def event(self, location, time, *fields):
        self.add("e", location, time, *fields)

    def processes(self, n, name="process", threads=1, first=0):
        """n processes of so many threads on one machine; location: rank x threads."""
        self.add("node", 0, "machine", "machine", -1)
        for rank in range(n):
            self.add("node", 1 + rank, f"node {rank // 2}", "node", 0)
            self.add("process", rank, f"{name} {rank}", PROCESS, 1 + rank, -1)
            for thread in range(threads):
                self.add("location", first + rank * threads + thread, f"thread {thread}",
                         CPU_THREAD, rank)
        members = ",".join(str(first + rank * threads) for rank in range(n))
        self.add("group", 0, "locations", COMM_LOCATIONS, MPI, 0, members)

    def comm(self, number, ranks, name="MPI_COMM"):
        self.add("group", 10 + number, name, COMM_GROUP, MPI, 0, ",".join(map(str, ranks)))
        self.add("comm", number, name, 10 + number)

    def region(self, number, name, paradigm=MPI, role=1, source=()):
        """source: file and first line."""
        self.add("region", number, name, role, paradigm, *source)

    def write(self, writer, folder, name="traces"):
        folder = pathlib.Path(folder)
        done = subprocess.run([writer, str(folder), name], timeout=60, check=False,
                              input="\n".join(self.lines) + "\n", text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise AssertionError(f"write-otf2: {done.stderr[:300]}")
        return folder
