# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that count what they do with files, memory and threads, under kymo-record: their output
is the same as alone, and the record says exactly what they counted.

Usage: libc.py KYMO-CLI KYMO-RECORD FOLDER-OF-PROGRAMS
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import nfs_server
import raw_reader as raw
import recording
from recording import harness

KEYS = ("opens", "closes", "copies", "reads", "bytes_read", "writes", "bytes_written", "flushes",
        "seeks", "locks", "unlocks", "refused", "deletes", "changes")


def record(kymo_record, folder, words, *options, **variables):
    """Runs a program under kymo-record: (exit status, stdout, stderr)."""
    done = subprocess.run([kymo_record, "-o", folder, *options, *map(str, words)], timeout=100,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env=recording.surroundings(KYMO_RECORD_KEEP_RAW="1", **variables))
    return done.returncode, done.stdout, done.stderr


def count_files(folder, inside):
    """{"NAME PARADIGM": {key: n}} of all threads; names as seen from the folder `inside`.
    Operations that do not end, or end without a beginning, are problems."""
    known = raw.definitions(folder)
    files = {int(number): path for number, path in known["file"]}
    handles = {int(h): (files[int(f)], int(p)) for h, f, p, *_ in known["handle"]}
    counts = collections.defaultdict(lambda: dict.fromkeys(KEYS, 0))

    def of(path, paradigm):
        if path.startswith(f"{inside}/"):
            path = path[len(str(inside)) + 1:]
        return counts[f"{path} {paradigm}"]

    for lines in raw.threads(folder).values():
        under_way = {}
        for line in lines:
            if line.kind == raw.IO_DELETE:
                of(files[line.arg], line.small)["deletes"] += 1
                continue
            if not raw.IO_OPEN <= line.kind <= raw.IO_STATUS:
                continue
            count = of(*handles[line.arg])
            if line.kind == raw.IO_BEGIN:
                under_way[line.words[2]] = (line.arg, line.small)
            elif line.kind == raw.IO_END:
                handle, mode = under_way.pop(line.words[1])
                if handle != line.arg:
                    raise AssertionError(f"{handle} ends as {line.arg}")
                count[("reads", "writes", "flushes")[mode]] += 1
                if mode < 2:
                    count[("bytes_read", "bytes_written")[mode]] += line.words[0]
            else:
                key = {raw.IO_OPEN: "opens", raw.IO_CLOSE: "closes", raw.IO_DUP: "copies",
                       raw.IO_SEEK: "seeks", raw.IO_STATUS: "changes"}.get(line.kind)
                count[key or ("locks", "unlocks", "refused")[line.small]] += 1
        if under_way:
            raise AssertionError(f"{len(under_way)} operations do not end")
    return counts


def check_files(program, kymo_record, name, scratch):
    """Bytes and operations of each file, whatever function was used."""
    c = harness.Compare()
    alone, inside = scratch / "alone", scratch / "inside"
    alone.mkdir()
    inside.mkdir()
    before = subprocess.run([name, alone], timeout=60, capture_output=True, text=True, check=False)
    c.equal("alone", (before.returncode, before.stderr), (0, ""))
    status, out, err = record(kymo_record, scratch / "run", [name, inside])
    c.equal("exit", (status, err if status != 0 else ""), (0, ""))
    c.equal("stdout", out, before.stdout)
    if c.problems:
        return c.problems
    c.equal("stderr", len(err.splitlines()), 1)
    c.equal("files", sorted(p.name for p in inside.iterdir()),
            sorted(p.name for p in alone.iterdir()))
    (folder,) = raw.processes(scratch / "run")
    found = count_files(folder, inside.resolve())
    for file, counts in json.loads(out).items():
        c.equal(file, found[file], counts)
    others = {file for file in found if not file.startswith(("/dev/", "pipe", "socket"))
              and file.rsplit(" ", 1)[0] not in {f.rsplit(" ", 1)[0] for f in json.loads(out)}}
    c.equal("files that nobody counted", others, set())
    c.equal("otf2-print", recording.warnings(scratch / "run" / "traces.otf2"), [])
    found = recording.calls(program, scratch / "run" / "traces.otf2")
    lines = [line for thread in raw.threads(folder).values() for line in thread]
    regions = {int(number): region for number, _, _, region, *_ in
               raw.definitions(folder)["region"]}
    entered = collections.Counter(regions[line.arg] for line in lines if line.kind == raw.ENTER)
    c.equal("left", sum(line.kind == raw.LEAVE for line in lines), sum(entered.values()))
    c.equal("calls", {name: n for name, n in found.items() if name in entered}, dict(entered))
    return c.problems


def check_allocations(program, kymo_record, name, scratch):
    """Blocks and bytes of the program's own call sites, what is not freed, and the peak."""
    c = harness.Compare()
    status, out, _ = record(kymo_record, scratch / "run", [name], "--memory")
    c.equal("exit", status, 0)
    (folder,) = raw.processes(scratch / "run")
    head, *lines = (scratch / "run" / "memory" / f"{folder.name}.tsv").read_text().splitlines()
    rows = [dict(zip(head.split("\t"), line.split("\t"))) for line in lines]
    own = [row for row in rows if row["place"].startswith(f"{os.path.realpath(name)}+0x")]
    counted = json.loads(out)
    for key, column in (("allocations", "allocations"), ("bytes", "bytes"),
                        ("live_blocks", "live blocks"), ("live_bytes", "live bytes")):
        c.equal(key, sum(int(row[column]) for row in own), counted[key])
    known = raw.definitions(folder)
    places = {number: place for number, place in known["callsite"]}
    c.equal("call sites", {row["callsite"]: row["place"] for row in rows
                           if not row["place"].startswith(os.path.realpath(name))},
            {row["callsite"]: places[row["callsite"]] for row in rows
             if not row["place"].startswith(os.path.realpath(name))})
    (number, scope, *members), = (line for line in known["class"] if "heap" in line[2])
    c.equal("scope", scope, "process")
    c.equal("members", [m.split(";")[0] for m in members],
            ["heap", "heap, highest", "allocations", "allocations freed"])
    samples = [line.words for lines in raw.threads(folder, "system").values() for line in lines
               if line.kind == raw.METRIC and line.arg == int(number)]
    last = samples[-1]
    c.equal("heap at the end", last[0], sum(int(row["live bytes"]) for row in rows))
    c.equal("allocations", last[2], sum(int(row["allocations"]) for row in rows))
    c.equal("freed", last[2] - last[3], sum(int(row["live blocks"]) for row in rows))
    c.true("the peak is one", last[1] >= max(sample[0] for sample in samples))
    c.true("the peak holds the mapping", last[1] >= 1 << 20)
    c.equal("lost", [line for line in known["lost"] if line[0] == "allocations"], [])
    # Kymo shows those that matter most, as the archive has them.
    facts = harness.ask(program, "info", scratch / "run" / "traces.otf2")["environment"]
    leaks = {fact["key"]: fact["value"] for fact in facts if fact["group"].startswith("Leaks")}
    c.equal("leaks", {place: text for place, text in leaks.items() if place.startswith(
        os.path.realpath(name))}, {
            row["place"]: f"{row['live bytes']} bytes in {row['live blocks']} of "
            f"{row['allocations']} blocks, in {row['function']}" for row in own
            if row["live bytes"] != "0"})
    c.equal("functions", {row["function"] for row in own}, {"main", "churn"})
    peak = max(int(row["peak bytes"]) for row in rows)
    c.true("peaks", any(fact["group"].startswith("Memory Peaks")
                        and fact["value"].startswith(f"{peak} bytes, ") for fact in facts))
    return c.problems


def check_without_memory(program, kymo_record, name, scratch):
    """Without --memory nothing of it is recorded, nor written."""
    c = harness.Compare()
    status, _, _ = record(kymo_record, scratch / "run", [name])
    c.equal("exit", status, 0)
    (folder,) = raw.processes(scratch / "run")
    c.equal("call sites", raw.definitions(folder)["callsite"], [])
    c.true("no table", not (scratch / "run" / "memory").exists())
    return c.problems


def check_threads(program, kymo_record, name, scratch):
    """Who created, began, ended and waited for whom."""
    c = harness.Compare()
    status, out, _ = record(kymo_record, scratch / "run", [name])
    c.equal("exit", (status, out), (0, "7 threads\n"))
    (folder,) = raw.processes(scratch / "run")
    known = raw.definitions(folder)
    created, begun, ended, waited = {}, {}, {}, {}
    for number, lines in raw.threads(folder).items():
        depth = 0
        for line in lines:
            depth += {raw.ENTER: 1, raw.LEAVE: -1}.get(line.kind, 0)
            sequence = line.words[0] if line.words else 0
            if line.kind == raw.THREAD_CREATE:
                created[sequence] = number
            elif line.kind == raw.THREAD_BEGIN:
                begun[sequence] = (number, line.arg)
            elif line.kind == raw.THREAD_END:
                ended[sequence] = number
            elif line.kind == raw.THREAD_WAIT:
                waited[sequence] = (number, line.arg)
        c.equal(f"open in thread {number}", depth, 0)
    c.equal("created", sorted(created), list(range(1, 8)))
    c.equal("begun", {s: creator for s, (_, creator) in begun.items()}, created)
    c.equal("each its own", len({number for number, _ in begun.values()}), 7)
    # The last one is detached: it may still be there when the program ends.
    c.equal("ended", {s: n for s, n in ended.items() if s < 7},
            {s: n for s, (n, _) in begun.items() if s < 7})
    c.equal("waited", waited, {s: (created[s], begun[s][0]) for s in range(1, 7)})
    names = {int(number): label for number, _, label in known["thread"]}
    c.equal("named", sum(label == "named" for label in names.values()), 3)
    c.equal("otf2-print", recording.warnings(scratch / "run" / "traces.otf2"), [])
    return c.problems


def check_real_files(program, kymo_record, name, scratch, address):
    """The same with libnfs and a server."""
    os.environ["KYMO_TEST_NFS"] = address
    return check_files(program, kymo_record, name, scratch)


def start_reading(kymo_record, name, place, how):
    place.mkdir()
    (place / "data").write_bytes(bytes(1 << 20))
    (place / "alias").hardlink_to(place / "data")
    return subprocess.Popen([kymo_record, "--quiet", "-o", place / "run", name, place, "5", how],
                            stdin=subprocess.DEVNULL, env=recording.surroundings())


def check_rereads(program, kymo_record, name, scratch):
    """A file that this process changes while the program reads it, and files that the program
    changes itself: by their names, by another name, and by a new file in their place."""
    c = harness.Compare()
    ways = "read", "write", "alias", "rename", "quiet"
    runs = {how: start_reading(kymo_record, name, scratch / how, how) for how in ways}
    for turn in range(5):
        for how, run in runs.items():
            while not (scratch / how / f"read-{turn}").exists() and run.poll() is None:
                time.sleep(0.01)
            if how == "read":
                with open(scratch / how / "data", "r+b") as file:
                    file.write(b"%d" % turn)
            (scratch / how / f"go-{turn}").touch()
    for how, run in runs.items():
        c.equal(f"{how}: exit", run.wait(60), 0)
        answer = harness.ask(program, "diagnose", scratch / how / "run", "--from", "0s")
        c.equal(how, [f["id"] for f in answer["findings"] if f["id"] == "os.file-shared"],
                ["os.file-shared"] if how == "read" else [])
        c.equal(f"{how}: untested", [u["needs"] for u in answer["untested"]
                                     if u["id"] == "os.file-shared"], [])
        facts = [fact for fact in harness.ask(program, "info", scratch / how / "run")["environment"]
                 if fact["group"] == "Files Changed by Others"]
        c.equal(f"{how}: files", [fact["key"] for fact in facts],
                [str(scratch / how / "data")] if how == "read" else [])
        c.true(f"{how}: changes {facts}", all(2 <= int(fact["value"]) <= 5 for fact in facts))
    return c.problems


def try_real_files(tap, *arguments):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as scratch:
        try:
            with nfs_server.ganesha(folder) as (address, _):
                tap.check("real-nfs", check_real_files, *arguments, pathlib.Path(scratch), address)
        except nfs_server.NoServer:
            tap.skip("real-nfs", "nfs-ganesha does not run here")


def main(arguments):
    program, kymo_record, folder = arguments
    folder = pathlib.Path(folder)
    tap = harness.Tap()
    for name, check in (("input-output", check_files), ("input-output-checked", check_files),
                        ("nfs", check_files),
                        ("allocations", check_allocations),
                        ("allocations", check_without_memory), ("pthreads", check_threads),
                        ("rereads", check_rereads)):
        with tempfile.TemporaryDirectory() as scratch:
            tap.check(f"{name} {check.__name__[6:]}", check, program, kymo_record,
                      str(folder / name), pathlib.Path(scratch))
    if os.geteuid() != 0 or not shutil.which("ganesha.nfsd") or not (folder / "real-nfs").exists():
        tap.skip("real-nfs", "there is no libnfs, or no nfs-ganesha that may be started")
    else:
        try_real_files(tap, program, kymo_record, str(folder / "real-nfs"))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
