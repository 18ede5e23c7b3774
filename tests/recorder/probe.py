# SPDX-License-Identifier: GPL-3.0-or-later
"""kymo-record --probe: what it measures is plausible, the key file says the same as the JSON, Kymo
shows it beside a run, and it ends in time.

Usage: probe.py MPI MPIRUN KYMO-CLI KYMO-RECORD SOURCE-ROOT
"""
import configparser
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import recording
from recording import harness

TIME = 400_000_000
# Beside the probe itself, on a machine that has much else to do.
MOST_SECONDS = 30


def probe(mpirun, recorder, size, *options, **more):
    """(exit status, stdout, stderr, seconds). A first option "=PART" is that of --probe."""
    part = options[0] if options and str(options[0]).startswith("=") else ""
    begin = time.monotonic()
    done = subprocess.run([*(recording.launch(mpirun, size) if size else []), recorder,
                           "--probe" + part, *map(str, options[1 if part else 0:])], timeout=60,
                          check=False, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=recording.surroundings(**more))
    return done.returncode, done.stdout, done.stderr, time.monotonic() - begin


def load(path):
    file = configparser.ConfigParser(delimiters="=", interpolation=None)
    file.optionxform = str
    file.read(path)
    return {group: dict(file[group]) for group in file.sections()}


def as_in_file(value):
    return "".join(f"{item};" for item in value) if isinstance(value, list) \
        else str(value).lower() if isinstance(value, bool) else str(value)


def check_same(c, told, file):
    """Each figure of the JSON is in the key file."""
    def check(group, values, numbers=()):
        wanted = {key.replace("_", "-"): as_in_file(value) for key, value in values.items()
                  if key not in numbers}
        found = {key: as_in_file(float(value)) if key.endswith("-share") else value
                 for key, value in file.get(group, {}).items()}
        c.equal(group, found, wanted)

    check("Probe", told["probe"])
    for rank in told["ranks"]:
        check(f"Probe Rank {rank['rank']}", rank, ("rank",))
    for node in told["nodes"]:
        check(f"Probe Node {node['node']}", node, ("node",))
    for pair in told["pairs"]:
        check(f"Probe Pair {pair['first']} {pair['second']}", pair, ("first", "second"))
    check("Probe Pingpong", told["pingpong"])
    if "read" in told:
        check("Probe Read", told["read"])
    c.equal("groups", len(file), 2 + len(told["ranks"]) + len(told["nodes"]) + len(told["pairs"])
            + ("read" in told))


def check_figures(c, told, mpi, size):
    c.equal("head", [told["probe"][key] for key in ("version", "mpi", "ranks", "limit_ns")],
            [1, {"openmpi": "Open MPI", "mpich": "MPICH"}[mpi], size, TIME])
    c.equal("ranks", [rank["rank"] for rank in told["ranks"]], list(range(size)))
    for rank in told["ranks"]:
        n, quantum = rank["fwq_quanta"], rank["fwq_quantum_ns"]
        # The noise is what the quanta took beyond their shortest time, the longest one at least.
        took = n * quantum / (1 - rank["fwq_noise_share"])
        c.true(f"noise {rank}", n > 1 and quantum > 10_000 and 0 <= rank["fwq_noise_share"] < 1
               and rank["fwq_longest_gap_ns"] <= (took - n * quantum) * 1.01 + quantum)
        c.true(f"memory {rank}", 1e7 < rank["memory_bytes_per_s"] < 1e12)
    for node in told["nodes"]:
        rates = [told["ranks"][rank]["memory_bytes_per_s"] for rank in node["ranks"]]
        c.equal("sum of the node", node["memory_bytes_per_s"], sum(rates))
        c.true("first alone", node["memory_alone_bytes_per_s"] > 1e7)
    for pair in told["pairs"]:
        c.true(f"pair {pair}", 0 < pair["pingpong_latency_ns"] <= pair["pingpong_latency_median_ns"]
               and pair["pingpong_bytes_per_s"] > 1e6)


def check_measured(mpi, mpirun, program, recorder, source):
    """Two ranks of one node; both read the file."""
    c = harness.Compare()
    del program, source
    with tempfile.TemporaryDirectory() as scratch:
        folder, path = pathlib.Path(scratch) / "folder", pathlib.Path(scratch) / "file"
        path.write_bytes(os.urandom(700_000))
        code, out, errors, seconds = probe(mpirun, recorder, 2, "--probe-time", "400ms", "-o",
                                           folder, "--probe-file", path, "--format", "json")
        c.equal("exit status", (code, "kymo-record:" in errors), (0, False))
        c.true(f"{seconds} s", seconds < MOST_SECONDS)
        told = json.loads(out)
        c.equal("files", [entry.name for entry in folder.iterdir()], ["probe.ini"])
        check_same(c, told, load(folder / "probe.ini"))
        check_figures(c, told, mpi, 2)
        c.equal("pairs", [(pair["first"], pair["second"], pair["within_node"])
                          for pair in told["pairs"]], [(0, 1, True)])
        c.equal("read", told["read"], {"path": str(path), "consistent": True})
        readers = told["nodes"][0], told["ranks"][1]
        c.equal("bytes", [(reader["read_bytes"], reader["read_size_bytes"], reader["read_changed"])
                          for reader in readers], [(700_000, 700_000, False)] * 2)
        c.equal("checksums", len({reader["read_checksum"] for reader in readers}), 1)
    return c.problems


def check_nodes(mpi, mpirun, program, recorder, source):
    """As if each rank were a node; a file that is another for each process is not consistent."""
    c = harness.Compare()
    del program, source
    code, out, _, _ = probe(mpirun, recorder, 2, "--probe-time", "400ms", "--probe-file",
                            "/proc/self/status", "--format", "json",
                            KYMO_RECORD_PROBE_NODE_SIZE="1")
    c.equal("exit status", code, 0)
    told = json.loads(out)
    check_figures(c, told, mpi, 2)
    c.equal("nodes", [node["ranks"] for node in told["nodes"]], [[0], [1]])
    c.equal("pairs", [pair["within_node"] for pair in told["pairs"]], [False])
    c.true("between nodes", "between_latency_ns" in told["pingpong"]
           and "within_latency_ns" not in told["pingpong"])
    c.equal("both read", [node["read_bytes"] > 0 for node in told["nodes"]], [True] * 2)
    c.equal("consistent", told["read"]["consistent"], False)
    return c.problems


def check_alone(mpi, mpirun, program, recorder, source):
    """Without MPI, and what is wrong. Kymo shows the figures beside a run."""
    c = harness.Compare()
    del mpi
    with tempfile.TemporaryDirectory() as scratch:
        run = pathlib.Path(scratch) / "run"
        shutil.copytree(source / "tests" / "data" / "otf2-stencil-4", run)
        code, out, errors, _ = probe(mpirun, recorder, 0, "--probe-time", "200ms", "-o", run,
                                     "--probe-file", "/does/not/exist")
        c.equal("exit status", (code, errors), (0, ""))
        c.true(f"text: {out}", "without MPI, 1 rank on 1 node" in out and "cannot read" in out)
        file = load(run / "probe.ini")
        c.true("error", "read-error" in file["Probe Node 0"]
               and "consistent" not in file["Probe Read"])
        lines = harness.ask(program, "info", run)["environment"]
        shown = {}
        for line in lines:
            if line["group"].startswith("Probe"):
                shown.setdefault(line["group"], {})[line["key"]] = line["value"]
        wanted = {group: {key: value[:-1] if value.endswith(";") else value
                          for key, value in keys.items()} for group, keys in file.items() if keys}
        c.equal("in the run", shown, wanted)
        (run / "probe.ini").write_text("[Probe]\nversion=99\n")
        info = harness.ask(program, "info", run)
        c.equal("a newer one", [issue["what"] for issue in info["report"]["issues"]
                                if "probe" in issue["what"]],
                ["The probe of the machine cannot be read"])
        c.equal("a program", probe(mpirun, recorder, 0, "true")[0], 2)
        c.equal("no probe", subprocess.run([recorder, "--probe-time", "1s", "true"], check=False,
                                           stderr=subprocess.DEVNULL).returncode, 2)
        c.equal("a time", probe(mpirun, recorder, 0, "--probe-time", "1ms")[0], 2)
        code, _, errors, _ = probe(mpirun, recorder, 0, "--probe-time", "100ms", "-o",
                                   run / "probe.ini" / "below")
        only = json.loads(probe(mpirun, recorder, 0, "=noise", "--probe-time", "100ms", "--format",
                                "json")[1])
        c.equal("only noise", [key for rank in only["ranks"] + only["nodes"] for key in rank
                               if key.startswith(("fwq-noise", "fwq_noise", "memory"))],
                ["fwq_noise_share"])
        c.equal("a part", probe(mpirun, recorder, 0, "=sound")[0], 2)
        c.equal("no folder", (code, errors.count("\n"), "cannot be written" in errors),
                (1, 1, True))
    return c.problems


def main(arguments):
    mpi, mpirun, *paths = arguments
    arguments = mpi, mpirun, *(pathlib.Path(path).resolve() for path in paths)
    tap = harness.Tap()
    tap.check("measured", check_measured, *arguments)
    tap.check("nodes", check_nodes, *arguments)
    if mpi == "openmpi":
        tap.check("alone", check_alone, *arguments)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
