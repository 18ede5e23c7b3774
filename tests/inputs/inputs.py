# SPDX-License-Identifier: GPL-3.0-or-later
"""Logs of Projections, text and binary, whole or broken: what is there is read, and what is
not is told (folders.py has the files around them). Each check makes its input from a recording
or by hand, in a temporary folder.

Usage: inputs.py KYMO-CLI SOURCE-ROOT
"""
import gzip
import pathlib
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import binary_log  # noqa: E402
import harness  # noqa: E402
from run_folder import LOG, STS, Folder, check_memory, issue, no_losses, same_answers  # noqa: E402


def check_binary(program, data, order):
    c = harness.Compare()
    source = data / "feat-p4-text"
    with Folder(program, source) as run:
        binary_log.encode_run(run.path, order)
        same_answers(c, program, source, run.path)
        no_losses(c, run.info())
    return c.problems


def check_binary_notes(program, data):
    c = harness.Compare()
    source = data / "feat-notes-p3-text"
    with Folder(program, source) as run:
        binary_log.encode_run(run.path, ">")
        same_answers(c, program, source, run.path)
    return c.problems


def check_binary_gz(program, data):
    c = harness.Compare()
    source = data / "feat-p4-text"
    with Folder(program, source) as run:
        binary_log.encode_run(run.path, "<")
        for log in run.path.glob("*.log"):
            pathlib.Path(f"{log}.gz").write_bytes(
                gzip.compress(log.read_bytes()))
            log.unlink()
        same_answers(c, program, source, run.path)
    return c.problems


def check_binary_damage(program, data):
    """A broken terminator, an unknown type, and a cut at every byte."""
    c = harness.Compare()
    with Folder(program, data / "feat-p4-text") as run:
        binary_log.encode_run(run.path, "<")
        records = run.info()["records"]
        log = run.one("*.2.log")
        whole = log.read_bytes()
        log.write_bytes(whole[:13] + b"x" + whole[14:])   # end of the first
        info = run.info()
        found = issue(c, info, "fit no record", "lost", log.name, 10)
        c.equal("offset", found.get("offset"), 4)
        c.equal("records", info["records"], records - 1)
        middle = len(whole) // 2
        log.write_bytes(whole[:middle] + b"\xee" * 7 + whole[middle + 7:])
        info = run.info()
        found = issue(c, info, "fit no record", "lost", log.name)
        c.true(f"lost {found.get('count')}", 7 <= found.get("count", 0) < 300)
        c.true("too many records lost", info["records"] >= records - 6)
        for cut in range(len(whole) - 60, len(whole)):
            log.write_bytes(whole[:cut])
            info = run.info()
            c.true(f"cut at {cut} is not told",
                   not info["report"]["complete"])
        log.write_bytes(whole + b"rubbish at the end")
        issue(c, run.info(), "After END_COMPUTATION", "lost", log.name, 18)
    return c.problems


def check_line_ends(program, data):
    c = harness.Compare()
    source = data / "feat-notes-p3-text"
    with Folder(program, source) as run:
        for path in [*run.path.glob("*.log"), *run.path.glob("*.sts")]:
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        same_answers(c, program, source, run.path)
        no_losses(c, run.info())
    return c.problems


def check_ids(program, data):
    """One high number, and very many."""
    c = harness.Compare()
    with Folder(program) as run:
        run.put("app.sts", STS.replace(
            "MESSAGE", "ENTRY CHARE 999999 \"far()\" 0 0\nMESSAGE"))
        c.equal("far away", run.info()["activities"], 2)
        run.put("app.sts", STS.replace("MESSAGE", "".join(
            f"ENTRY CHARE {i} \"e{i}()\" 0 0\n"
            for i in range(1, 300000)) + "MESSAGE"))
        c.equal("activities", run.info()["activities"], 300000)
        run.put("app.sts", STS.replace(
            "MESSAGE", "ENTRY CHARE 0 \"e()\" 0 0\n" * 1000 + "MESSAGE"))
        issue(c, run.info(), "stands more than once", "lost", "app.sts", 1000)
    return c.problems


def check_long_line(program, data):
    c = harness.Compare()
    with Folder(program) as run:
        run.put("app.1.log", LOG.replace(
            "7 90", "1 " * 5_000_000 + "\n13 1 50 0 0\n7 90"))
        info = run.info()
        issue(c, info, "longer than 1 MiB", "lost", "app.1.log", 1)
        c.equal("records", info["records"], 9)
    return c.problems


def check_open_brackets(program, data):
    """Many brackets that never end cost no more than few."""
    c = harness.Compare()
    lines = "".join(f"98 {i % 50000} {i} 0 0 {i}\n" for i in range(200000))
    ends = "".join(f"99 {i % 50000} {300000 + i} 0 0 {-i - 1}\n"
                   for i in range(200000))
    with Folder(program) as run:
        run.put("app.1.log", LOG.replace("7 90", lines + ends + "7 900000"))
        issue(c, run.info(), "begin and never end", "note", "app.1.log",
              200000)
    return c.problems


def check_text_damage(program, data):
    c = harness.Compare()
    with Folder(program) as run:
        run.put("app.1.log", LOG.replace("6 1", "6 1\n2 4 0 1\n\0\0\n"))
        found = issue(c, run.info(), "could not be understood", "lost",
                      "app.1.log", 2)
        c.equal("offset", found.get("offset"), 25)
        run.put("app.1.log", LOG + "rubbish\nmore of it")
        found = issue(c, run.info(), "After END_COMPUTATION", "lost",
                      "app.1.log", 2)
        c.equal("offset", found.get("offset"), len(LOG))
        run.put("app.1.log", LOG[:-2])
        issue(c, run.info(), "last line is cut off", "lost", "app.1.log", 1)
        run.put("app.1.log", LOG.replace("7 90\n", ""))
        issue(c, run.info(), "without END_COMPUTATION", "lost", "app.1.log", 1)
        run.put("app.1.log", LOG.replace("PROJECTIONS-", "PROJEKTIONS-"))
        info = run.info()
        issue(c, info, "header line", "lost", "app.1.log", 1)
        c.equal("records", info["records"], 8)
        run.put("app.1.log", LOG.replace("7 90", "3 0 0 5 -1 0 0 6\n2 4 0 4 "
                                         "-1 0 8 0 0 0 0 0 5\n7 90"))
        issue(c, run.info(), "moved to its time", "repaired", "app.1.log", 1)
        run.put("app.1.log", LOG.replace("7 90", "200 5 5\n7 90"))
        issue(c, run.info(), "type that is not known", "lost", "app.1.log", 1)
        run.put("app.1.log", b"")
        issue(c, run.info(), "is empty", "lost", "app.1.log", 1)
        run.put("app.1.log", bytes(range(256)) * 40)
        issue(c, run.info(), "is no log", "lost", "app.1.log", 1)
    return c.problems


def check_far_times(program, data):
    """Times that no run reaches, and sums of many that would overflow."""
    c = harness.Compare()
    far = 2305843009213693  # microseconds: a hair below what an int64 holds
    with Folder(program) as run:
        run.put("app.1.log", LOG.replace(
            "7 90", f"13 1 {far} 0 0\n13 1 {far}99 0 0\n7 90"))
        info = run.info()
        issue(c, info, "more than 104 days", "lost", "app.1.log", 1)
        issue(c, info, "could not be understood", "lost", "app.1.log", 1)
        c.true("the end is far", info["end_ns"] < 10**9)
        # The first time is wrong: that record is lost, and no other.
        run.put("app.1.log", LOG.replace("6 1", f"6 {far}"))
        info = run.info()
        issue(c, info, "more than 104 days", "lost", "app.1.log", 1)
        c.equal("end", info["end_ns"], 90000)
        c.equal("records", info["records"], 8)
        brackets = "".join(f"100 1 {t} 0 0 0\n" for t in (5, 9 * 10**12)) * 1100
        run.put("app.1.log", LOG.replace("7 90", brackets + "7 90"))
        events = [a for a in run.ask("profile")["activities"]
                  if a["kind"] == "event"]
        c.equal("stays at the largest", events[0]["exclusive_ns"], 2**63 - 1)
    return c.problems


def fixed(kind, *values):
    """A binary record of numbers after the type, as (letter, value)."""
    letters = "".join(letter for letter, _ in values)
    return (bytes([kind]) + struct.pack("<" + letters, *(v for _, v in values))
            + b"\n")


def check_multicast_at_edge(program, data):
    """A multicast that reaches a few bytes beyond what was read at once."""
    c = harness.Compare()
    chunk, n = 256 * 1024, 20000
    for beyond in range(1, 12):
        multicast = fixed(21, ("H", 5), ("H", 0), ("Q", 9), ("i", 3), ("i", 0),
                          ("i", 8), ("Q", 0), ("i", n), ("Q", n),
                          *(("i", 10) for _ in range(n)))
        begin = fixed(6, ("Q", 1))
        room = chunk - len(multicast) + beyond - 4
        n_begins = room // len(begin) - 10
        head = begin * n_begins
        text = b"x" * (room - len(head) - 14)
        head += (bytes([28]) + struct.pack("<Qi", 2, len(text)) + text + b"\n")
        with Folder(program) as run:
            run.put("app.1.log", struct.pack("<i", n_begins + 3) + head + multicast
                    + fixed(7, ("Q", 90)))
            no_losses(c, run.info())
            sent = run.ask("communication")["sent"]
            c.equal(f"{beyond} beyond", sent[-1]["destinations"], n)
    return c.problems


def check_patience(program, data):
    """Damage that looks like large records at every place costs no more than
    other damage does."""
    c = harness.Compare()
    good = b"".join(fixed(6, ("Q", t)) for t in range(10))
    cases = (("multicasts", b"", bytes.fromhex("15000001000aeeee")),
             ("counters", b"TOTAL_PAPI_EVENTS 100000\nEND\n",
              bytes.fromhex("0300000000000000")))
    for name, names, unit in cases:
        with Folder(program) as run:
            run.put("app.sts", STS.encode().replace(b"END\n", b"") + names
                    + b"END\n")
            run.put("app.1.log", struct.pack("<i", 9) + good
                    + unit * (1 << 18) + fixed(7, ("Q", 90)))
            begin = time.monotonic()
            issue(c, run.info(), "fit no record", "lost", "app.1.log")
            seconds = time.monotonic() - begin
            c.true(f"{name} took {seconds} s", seconds < 3)
    return c.problems


def check_version_3(program, data):
    """The hand-made run; its figures are in its lines."""
    c = harness.Compare()
    folder = data / "hand-made-v3"
    info = harness.ask(program, "info", folder, "--no-cache")
    c.equal("issues", info["report"]["issues"], [])
    c.equal("version", info["format_version"], "3.0")
    profile = harness.ask(program, "profile", folder, "--no-cache")
    c.equal("busy and idle", (profile["busy_ns"], profile["idle_ns"]),
            (100000 + 50000 + 60000, 250000 + 160000))
    c.equal("names", {a["name"]: a["blocks"] for a in profile["activities"]
                      if a["kind"] == "entry" and a["blocks"]},
            {"main::main": 1, "hello<int, char>::sayHi": 2})
    c.equal("messages", harness.ask(program, "communication", folder,
                                    "--no-cache")["matrix"],
            [{"from": 0, "to": 1, "messages": 2, "bytes": 88}])
    return c.problems


def main():
    program, root = sys.argv[1:3]
    data = pathlib.Path(root) / "tests" / "data"
    tap = harness.Tap()
    tap.check("binary, little end first", check_binary, program, data, "<")
    tap.check("binary, big end first", check_binary, program, data, ">")
    for check in (check_binary_notes, check_binary_gz, check_binary_damage,
                  check_line_ends, check_ids, check_long_line,
                  check_open_brackets, check_text_damage, check_far_times,
                  check_multicast_at_edge, check_patience, check_version_3,
                  check_memory):
        tap.check(check.__name__[len("check_"):].replace("_", " "), check,
                  program, data)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
