# SPDX-License-Identifier: GPL-3.0-or-later
"""What kymo-record writes of the surroundings of a program: its environment, samples of the node,
and those of an agent. Programs wait until what is looked for is there, not for a time.

Usage: surroundings.py KYMO-RECORD LIBRARY FOLDER-OF-PROGRAMS
"""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import nfs_server
import raw_reader as raw
import recording
from recording import harness

HOST = socket.gethostname()
HASH = "0123456789abcdef0123456789abcdef01234567"
PATIENCE = 60


def wait_until(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain: {what}")
        time.sleep(0.02)


@contextlib.contextmanager
def started(words, **variables):
    """A process with pipes; at the end it gets a line on stdin, and is waited for."""
    cwd = variables.pop("cwd", None)
    variables = {"KYMO_RECORD_KEEP_RAW": "1", **variables}
    process = subprocess.Popen([*map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, cwd=cwd,
                               env=recording.surroundings(**variables))
    try:
        yield process
        process.communicate("\n", timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()


def read_ini(path):
    """{group: {key: value}}; a group may stand twice."""
    groups, group = {}, None
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            group = groups.setdefault(line[1:-1], {})
        elif line:
            key, value = line.split("=", 1)
            if key in group:
                raise AssertionError(f"{key} stands twice")
            group[key] = value
    return groups


def count_samples(folder):
    """Samples of each class by its number, from all files of samples of a process."""
    found = {}
    for lines in raw.threads(folder, "system").values():
        for line in lines:
            if line.kind == raw.METRIC:
                found.setdefault(line.arg, []).append(line)
    return found


def has_samples(folder, n):
    return bool(folder.is_dir() and (folder / "definitions").is_file()
                and min(map(len, count_samples(folder).values()), default=0) >= n)


def check_environment(kymo_record, library, programs, scratch):
    c = harness.Compare()
    (scratch / "tree" / ".git" / "refs" / "heads").mkdir(parents=True)
    (scratch / "tree" / ".git" / "HEAD").write_text("ref: refs/heads/topic\n")
    (scratch / "tree" / ".git" / "packed-refs").write_text(f"{HASH} refs/heads/topic\n")
    words = [programs / "waiting", "out.dat", "--api-token", "s3cr3t", "--name=x", "KEY=s3cr3t",
             "http://me:s3cr3t@host/p?token=s3cr3t"]
    with started([kymo_record, "--system", "0", "-o", scratch / "run", *words],
                 cwd=scratch / "tree", OMP_NUM_THREADS="3", UCX_TLS="tcp", UCX_PASSWORD="s3cr3t",
                 SLURM_JWT_TOKEN="s3cr3t") as process:
        process.stdout.readline()
    ini = read_ini(scratch / "run" / "environment.ini")
    node = read_ini(scratch / "run" / "environment" / f"{HOST}.ini")
    (folder,) = raw.processes(scratch / "run")
    text = "".join(path.read_text("utf-8") for path in (
        scratch / "run" / "environment.ini", folder / "definitions"))
    c.true("no secret is told", "s3cr3t" not in text)
    c.equal("version", ini["Kymo Environment"]["version"], "1")
    c.equal("program", ini["Command"]["program"], os.path.realpath(programs / "waiting"))
    c.equal("arguments", ini["Command"]["arguments"],
            f"{programs / 'waiting'};out.dat;--api-token;***;--name=x;KEY=***;"
            "http://me:***@host/p?token=***;")
    c.equal("folder", ini["Command"]["folder"], str((scratch / "tree").resolve()))
    c.true("compiler", ini["Command"]["compiler"].startswith(("GCC", "clang", "Debian")))
    c.equal("git", ini["Git"], {"folder": str((scratch / "tree").resolve()), "commit": HASH,
                                "branch": "topic"})
    c.equal("library of MPI", ini["MPI"], {"library": "none"})
    c.equal("settings", ini["MPI Settings"]["UCX_TLS"], "tcp")
    c.equal("secret setting", ini["MPI Settings"]["UCX_PASSWORD"], "***")
    c.equal("variable", ini["Variables"]["OMP_NUM_THREADS"], "3")
    c.true("libc", ini["Libraries"]["libc.so.6"].count(";") == 2)
    c.equal("host", ini["System"]["host"], HOST)
    c.true("memory", int(ini["Memory"]["bytes"]) > 1 << 20)
    c.equal("file size limit", ini["Limits"]["file-size"].count(";"), 2)
    (process_group,) = (group for group in node if group.startswith("Process "))
    c.equal("process", process_group, f"Process {folder.name.rsplit('.', 1)[1]}")
    c.true("affinity", node[process_group]["processors"] != "")
    for group in ("System", "Processor", "Memory", "NUMA", "Mounts"):
        c.equal(group, node.get(group), ini.get(group))
    # The archive has the same facts: each line is a property.
    known = raw.definitions(folder)
    properties = dict(known["property"])
    expected = {f"{group}.{key}": value for group, lines in ini.items()
                for key, value in lines.items()}
    expected |= {f"Process.{key}": value for key, value in node[process_group].items()}
    c.equal("properties", properties, expected)
    c.equal("samples", known["class"], [])
    c.equal("modes", {oct(path.stat().st_mode & 0o777) for path in (
        scratch / "run" / "environment.ini", scratch / "run" / "environment" / f"{HOST}.ini")},
        {"0o600"})
    return c.problems


def check_samples(kymo_record, library, programs, scratch):
    """Counters never fall, times ascend, the process's own figures are its own."""
    c = harness.Compare()
    run = scratch / "run"
    with started([kymo_record, "--system", "50ms", "-o", run, programs / "waiting",
                  scratch / "out.dat"]) as process:
        pid, descriptor = process.stdout.readline().split()
        folder = run / "raw" / f"{HOST}.{pid}"
        wait_until("six samples", lambda: has_samples(folder, 6))
    c.equal("exit", process.returncode, 0)
    c.equal("descriptor", descriptor, "3")
    known, samples = raw.definitions(folder), count_samples(folder)
    scopes = {scope for _, scope, *_ in known["class"]}
    c.true(f"scopes {scopes}", {"node", "process"} <= scopes)
    for number, scope, *members in known["class"]:
        lines = samples[int(number)]
        names, units, kinds, modes = zip(*(member.split(";") for member in members))
        c.equal(f"kinds of {number}", (set(kinds), set(modes) <= {"0", "17"}), ({"u64"}, True))
        c.true(f"values of {number}", all(line.small == len(members) for line in lines))
        times = [line.time for line in lines]
        c.equal(f"times of {number}", times, sorted(times))
        for i, mode in enumerate(modes):
            values = [line.words[i] for line in lines]
            if mode == "0":
                c.equal(f"{scope} {names[i]}", values, sorted(values))
                c.equal(f"begin of {scope} {names[i]}", values[0], 0)
    written = [line.words[i] for number, scope, *members in known["class"]
               for i, member in enumerate(members) for line in samples[int(number)]
               if scope == "process" and member.startswith("memory;")]
    c.true("memory", written and min(written) > 100_000)
    c.equal("which thread samples", [label for _, label in known["system"]], ["system"])
    c.equal("otf2-print", recording.warnings(run / "traces.otf2"), [])
    return c.problems


def check_samples_of_interpreter(kymo_record, library, programs, scratch):
    """A program that could load MPI and does not, as most scripts, is sampled while it runs."""
    mpi = [name for name in ("openmpi", "mpich")
           if library.with_name(f"libkymo-record-{name}.so").exists()]
    c = harness.Compare()
    if not mpi:
        return c.problems
    run = scratch / "run"
    with started([kymo_record, "--system", "50ms", "-o", run, programs / "waiting",
                  scratch / "out.dat"], KYMO_RECORD_MPI=mpi[0]) as process:
        folder = run / "raw" / f"{HOST}.{process.stdout.readline().split()[0]}"
        wait_until("three samples", lambda: has_samples(folder, 3))
    c.equal("exit", process.returncode, 0)
    return c.problems


def check_preload(kymo_record, library, programs, scratch):
    """What the user preloads stays, behind the recorder."""
    c = harness.Compare()
    own = programs / "libkymo-fake-nfs.so"
    done = subprocess.run([kymo_record, "-o", scratch / "run", "env"], capture_output=True,
                          text=True, timeout=PATIENCE, check=False,
                          env=recording.surroundings(LD_PRELOAD=str(own)))
    c.equal("exit", done.returncode, 0)
    found = [line.split("=", 1)[1] for line in done.stdout.splitlines()
             if line.startswith("LD_PRELOAD=")]
    c.true(f"preloaded: {found}", len(found) == 1 and found[0].endswith(f":{own}")
           and "libkymo-record-" in found[0].split(":")[0])
    return c.problems


def check_one_sampler(kymo_record, library, programs, scratch):
    """Of the processes of a node one samples, and it samples the others as well."""
    c = harness.Compare()
    run, stack, found = scratch / "run", contextlib.ExitStack(), []
    run.mkdir()
    with stack:
        for rank in range(3):
            variables = {"KYMO_RECORD_DIR": str(run), "LD_PRELOAD": str(library),
                         "KYMO_RECORD_SYSTEM": "50ms", "KYMO_RECORD_QUIET": "1",
                         "OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": "3"}
            if rank < 2:
                # The first is not the lowest, so it leaves the samples to the second.
                variables["OMPI_COMM_WORLD_LOCAL_RANK"] = str(1 - rank)
            process = stack.enter_context(started(
                ["bash", "-c", 'KYMO_RECORD_MAIN=$$ exec "$@"', "bash", programs / "waiting",
                 scratch / f"out{rank}.dat"], **variables))
            pid, _ = process.stdout.readline().split()
            found.append(run / "raw" / f"{HOST}.{pid}")
            if rank == 1:
                wait_until("a sample", lambda: has_samples(found[1], 1))
        scope = f"process {found[2].name.rsplit('.', 1)[1]}"
        wait_until("samples of another process",
                   lambda: any(row[1] == scope for row in raw.definitions(found[1])["class"]))
    classes = [raw.definitions(folder)["class"] for folder in found]
    c.equal("who samples", [bool(rows) for rows in classes], [False, True, False])
    scopes = {row[1] for row in classes[1] if row[1].startswith("process")}
    c.equal("of whom", scopes, {"process", scope,
                                f"process {found[0].name.rsplit('.', 1)[1]}"})
    return c.problems


def start_agent(kymo_record, run, **variables):
    variables = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={run}/none", **variables}
    return started([kymo_record, "--system", "50ms", "--agent", "-o", run], **variables)


def check_agent(kymo_record, library, programs, scratch):
    """An agent ends with the job; its samples are there before the archive is written."""
    c = harness.Compare()
    run = scratch / "run"
    with start_agent(kymo_record, run) as agent:
        with started([kymo_record, "--system", "50ms", "-o", run, programs / "waiting",
                      scratch / "out.dat"]) as process:
            pid, _ = process.stdout.readline().split()
            wait_until("the agent", lambda: (run / "agents" / f"{HOST}.{agent.pid}").exists())
        c.equal("exit", process.returncode, 0)
        c.equal("agent", agent.wait(PATIENCE), 0)
    own, others = run / "raw" / f"{HOST}.{agent.pid}", run / "raw" / f"{HOST}.{pid}"
    known, samples = raw.definitions(own), count_samples(own)
    c.equal("begins", known["kymo-raw"], [["1"]])
    c.equal("process", known["process"][0][:2], [HOST, str(agent.pid)])
    c.equal("end", known["end"], [["exit"]])
    c.true("samples of all classes", set(samples) == {int(row[0]) for row in known["class"]})
    c.equal("of processes", [row for row in known["class"] if row[1].startswith("process")], [])
    # Both run on one host: the clocks are the same, within what reading them takes.
    c.true("offset", known["offset"] and all(abs(int(row[1])) < 5_000_000
                                             for row in known["offset"]))
    c.equal("agents", (run / "agents").exists(), False)
    c.equal("server", [row[2] for row in known["lost"] if row[0] == "system-ganesha"],
            ["this machine has no system bus"])
    c.equal("lost", [row for row in raw.definitions(others)["lost"] if row[0] == "agents"], [])
    c.equal("otf2-print", recording.warnings(run / "traces.otf2"), [])
    return c.problems


def check_agent_is_archived(kymo_record, library, programs, scratch):
    """The archive has all: raw folders go, that of the agent, too."""
    c = harness.Compare()
    run = scratch / "run"
    with start_agent(kymo_record, run) as agent:
        with started([kymo_record, "--system", "50ms", "-o", run, programs / "waiting",
                      scratch / "out.dat"], KYMO_RECORD_KEEP_RAW="0") as process:
            process.stdout.readline()
            wait_until("the agent", lambda: (run / "agents" / f"{HOST}.{agent.pid}").exists())
        c.equal("exit", (process.returncode, agent.wait(PATIENCE)), (0, 0))
    c.equal("left", sorted(path.name for path in run.iterdir()),
            ["environment", "environment.ini", "traces", "traces.def", "traces.otf2"])
    shown = subprocess.run(["otf2-print", "-G", run / "traces.otf2"], capture_output=True,
                           text=True, check=False) if recording.shutil.which("otf2-print") else None
    c.true("in the archive", shown is None or "kymo-record --agent" in shown.stdout)
    return c.problems


def samples_of(agent):
    """The file that an agent writes on its own host, or None."""
    for path in pathlib.Path("/proc", str(agent.pid), "fd").iterdir():
        with contextlib.suppress(OSError):
            target = os.readlink(path)
            if target.endswith("/system-0"):
                return pathlib.Path(target)
    return None


def check_agent_ends(kymo_record, library, programs, scratch):
    """An agent ends when whoever started it closes its stdin, or ends it; its samples are kept."""
    c = harness.Compare()
    for how in ("stdin", "signal", "empty", "nothing"):
        run = scratch / how
        if how != "nothing":
            run.mkdir()
        with start_agent(kymo_record, run) as agent:
            if how != "nothing":
                wait_until("the agent", lambda: (run / "agents" / f"{HOST}.{agent.pid}").exists())
            if how == "signal":
                agent.send_signal(signal.SIGTERM)
            else:
                agent.stdin.write("stay\n" if how != "empty" else "")
                agent.stdin.close()
            if how == "empty":
                # Nobody held it: the agent goes on, as it shows with another sample.
                wait_until("a file", lambda: samples_of(agent))
                local = samples_of(agent)
                before = local.stat().st_mtime_ns
                wait_until("a sample", lambda: local.stat().st_mtime_ns > before)
                agent.send_signal(signal.SIGTERM)
            c.equal(f"{how}: exit", agent.wait(PATIENCE), 0)
            agent.stdin = None
        if how == "nothing":
            c.true("nothing is made", not run.exists())
            continue
        folder = run / "raw" / f"{HOST}.{agent.pid}"
        c.true(f"{how}: samples", bool(count_samples(folder)))
        c.equal(f"{how}: left", [p.name for p in (run / "agents").iterdir()], [])
        c.equal(f"{how}: offset", [row[0] for row in raw.definitions(folder)["lost"]
                                   if row[0].startswith("clock")], ["clock-offset"])
    done = subprocess.run([kymo_record, "--agent"], capture_output=True, text=True, check=False)
    c.equal("without a folder", (done.returncode, done.stdout), (2, ""))
    c.true("says why", "-o DIR" in done.stderr)
    return c.problems


def counted_by_server(own, number, members):
    """The last sample of a class: {name: value}."""
    line = count_samples(own)[int(number)][-1]
    return {member.split(";")[0]: line.words[i] for i, member in enumerate(members)}


def check_server(kymo_record, program, scratch, address, bus):
    """What a server in user space counts of its clients, told by an agent through the bus."""
    c = harness.Compare()
    run = scratch / "run"

    def is_asked(agent):
        path = samples_of(agent)
        return path and b"nfs server ganesha" in (path.parent / "definitions").read_bytes()

    with start_agent(kymo_record, run, **bus) as agent:
        with started([kymo_record, "--system", "50ms", "-o", run, program.parent / "waiting",
                      scratch / "out.dat"]) as process:
            process.stdout.readline()
            wait_until("the server's figures", lambda: is_asked(agent))
            subprocess.run([program], check=True, stdout=subprocess.DEVNULL,
                           env=recording.surroundings(KYMO_TEST_NFS=address))
        c.equal("agent", agent.wait(PATIENCE), 0)
    own = run / "raw" / f"{HOST}.{agent.pid}"
    known = raw.definitions(own)
    c.equal("lost", [row for row in known["lost"] if row[0] == "system-ganesha"], [])
    ((number, _, *members),) = [row for row in known["class"] if row[1] == "nfs server ganesha"]
    counted = counted_by_server(own, number, members)
    c.equal("bytes", (counted["bytes read by clients"], counted["bytes written by clients"]),
            (500, 4000))
    c.equal("requests", (counted["READ requests"], counted["WRITE requests"]), (1, 4))
    c.true("all requests", counted["requests"] >= 5)
    c.true("time", 0 < counted["WRITE time at the server"] < 60 * 10**9)
    return c.problems


def try_server(tap, kymo_record, program):
    if os.geteuid() != 0 or not shutil.which("ganesha.nfsd") or not shutil.which("dbus-daemon") \
            or not program.exists():
        tap.skip("server", "there is no libnfs, no bus, or no nfs-ganesha that may be started")
        return
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as scratch:
        try:
            with nfs_server.ganesha(folder) as (address, bus):
                tap.check("server", check_server, kymo_record, program,
                          pathlib.Path(scratch).resolve(), address, bus)
        except nfs_server.NoServer:
            tap.skip("server", "nfs-ganesha does not run here")


def main(arguments):
    kymo_record, library, programs = (pathlib.Path(path).resolve() for path in arguments)
    tap = harness.Tap()
    for check in (check_environment, check_samples, check_samples_of_interpreter, check_preload,
                  check_one_sampler, check_agent, check_agent_is_archived, check_agent_ends):
        with tempfile.TemporaryDirectory() as scratch:
            tap.check(check.__name__[6:], check, kymo_record, library, programs,
                      pathlib.Path(scratch).resolve())
    try_server(tap, kymo_record, programs / "real-nfs")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
