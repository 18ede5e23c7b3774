# SPDX-License-Identifier: GPL-3.0-or-later
"""Every folder a Projections user may have, whole or broken: what is there is
read, and what is not is told. Each check makes its input from a recording or
by hand, in a temporary folder.

Usage: inputs.py KYMO-CLI SOURCE-ROOT
"""
import gzip
import os
import pathlib
import resource
import shutil
import struct
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import binary_log  # noqa: E402
import harness  # noqa: E402

QUESTIONS = (["profile", "--per-location"], ["usage"], ["communication"],
             ["histogram"], ["timeline", "--width", "40"],
             ["events", "--limit", "100000"])
STS = ("VERSION 11.0\nPROCESSORS 2\nTOTAL_CHARES 1\nTOTAL_EPS 1\n"
       "CHARE 0 \"Main\" -1\nENTRY CHARE 0 \"run()\" 0 0\nMESSAGE 0 8\nEND\n")
LOG = ("PROJECTIONS-RECORD 4\n6 1\n2 4 0 10 -1 0 8 0 0 0 0 0 5\n"
       "3 0 0 20 -1 0 0 6\n7 90\n")


class Folder:
    """A run in a temporary folder."""

    def __init__(self, program, source=None):
        self.program = program
        self.scratch = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.scratch.name) / "run"
        if source is None:
            self.path.mkdir()
            self.put("app.sts", STS)
            self.put("app.0.log", LOG)
            self.put("app.1.log", LOG)
        else:
            shutil.copytree(source, self.path)
            for path in self.path.rglob("*"):
                path.chmod(0o755 if path.is_dir() else 0o644)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.scratch.cleanup()

    def put(self, name, data):
        path = self.path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def one(self, pattern):
        return next(self.path.glob(pattern))

    def ask(self, *args):
        return harness.ask(self.program, *args, self.path, "--no-cache")

    def info(self):
        return self.ask("info")

    def refused(self):
        result = harness.run(self.program, "info", self.path, "--no-cache")
        return result.err if result.code == 1 else None


def issue(c, info, what, severity, file=None, count=None):
    """The one issue whose words hold `what`."""
    found = [i for i in info["report"]["issues"] if what in i["what"]]
    c.true(f"{len(found)} issues “{what}” in {info['report']['issues']}",
           len(found) == 1)
    for i in found[:1]:
        c.equal(f"{what}: severity", i["severity"], severity)
        if file is not None:
            c.equal(f"{what}: file", i["file"], file)
        if count is not None:
            c.equal(f"{what}: count", i["count"], count)
        return i
    return {}


def no_losses(c, info):
    c.equal("issues", [i for i in info["report"]["issues"]
                       if i["severity"] != "note"], [])


def same_answers(c, program, one, other):
    for question in QUESTIONS:
        a = harness.ask(program, *question, one, "--no-cache")
        b = harness.ask(program, *question, other, "--no-cache")
        c.true(f"{question[0]} differs", a == b)


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


def check_nameless(program, data, binary):
    """Without names the figures are the same, and activities have numbers."""
    c = harness.Compare()
    source = data / "feat-p4-text"
    with Folder(program, source) as run:
        if binary:
            binary_log.encode_run(run.path, "<")
        run.one("*.sts").unlink()
        info = run.info()
        issue(c, info, "no .sts", "lost", "feat.proj.sts", 1)
        c.equal("complete", info["report"]["complete"], False)
        whole = harness.ask(program, "profile", source, "--no-cache")
        bare = run.ask("profile")
        for key in ("span_ns", "busy_ns", "idle_ns", "overhead_ns"):
            c.equal(key, bare[key], whole[key])
        by_id = [{(a["kind"], a["id"]): (a["blocks"], a["calls"],
                                         a["exclusive_ns"])
                  for a in p["activities"] if a["blocks"]
                  and a["id"] is not None and a["id"] >= 0}
                 for p in (whole, bare)]
        c.equal("activities", by_id[1], by_id[0])
        c.true("names", all(a["name"] in (f"entry {a['id']}",
                                          f"event {a['id']}")
                            for a in bare["activities"]
                            if a["id"] is not None and a["id"] >= 0))
        c.equal("messages", run.ask("communication")["matrix"],
                harness.ask(program, "communication", source)["matrix"])
    return c.problems


def check_other_names(program, data):
    """The names of another trace mode, where the own are missing."""
    c = harness.Compare()
    with Folder(program, data / "feat-p4-text") as run:
        sts = run.one("*.sts")
        lines = [line for line in sts.read_text().splitlines()
                 if not line.startswith(("VERSION", "EVENT"))]
        run.put("feat.proj.sum.sts", "\n".join(lines) + "\n")
        sts.unlink()
        issue(c, run.info(), "another trace mode", "note",
              "feat.proj.sum.sts")
        names = {a["name"] for a in run.ask("profile")["activities"]}
        c.true("no names", any("::" in name for name in names))
        c.true("no events", any(n.startswith("event ") for n in names))
    return c.problems


def check_cut_names(program, data):
    c = harness.Compare()
    source = data / "feat-p4-text"
    with Folder(program, source) as run:
        sts = run.one("*.sts")
        whole = harness.ask(program, "profile", source)
        full = sts.read_bytes()
        for cut in range(200, len(full) - 5, 1300):
            sts.write_bytes(full[:cut])
            profile = run.ask("profile")
            for key in ("span_ns", "busy_ns", "idle_ns"):
                c.equal(f"{key}, cut at {cut}", profile[key], whole[key])
            c.true("unknown entries", all(
                a["blocks"] == 0 for a in profile["activities"]
                if a["id"] == -1))
        issue(c, run.info(), "without END", "lost", sts.name)
    return c.problems


def check_foreign_names(program, data):
    c = harness.Compare()
    with Folder(program, data / "feat-p4-text") as run:
        sts = run.one("*.sts")
        busy = run.ask("profile", "--locations", "0-1")["busy_ns"]
        shutil.copy(next((data / "jacobi2d-traceoff-p2").glob("*.sts")), sts)
        info = run.info()
        issue(c, info, "of another run", "lost", sts.name)
        c.equal("busy", run.ask("profile")["busy_ns"], busy)
        c.equal("locations", info["locations"], 2)
    return c.problems


def check_foreign_names_binary(program, data):
    """Index values and times are right, whatever the .sts tells."""
    c = harness.Compare()
    with Folder(program, data / "feat-p4-text") as run:
        binary_log.encode_run(run.path, "<")
        sts = run.one("*.sts")
        whole = run.ask("profile", "--locations", "0-1")
        shutil.copy(next((data / "jacobi2d-traceoff-p2").glob("*.sts")), sts)
        info = run.info()
        issue(c, info, "of another run", "lost", sts.name)
        profile = run.ask("profile")
        for key in ("span_ns", "busy_ns", "idle_ns"):
            c.equal(key, profile[key], whole[key])
        c.true("bytes lost", not any("fit no record" in i["what"]
                                     for i in info["report"]["issues"]))
    return c.problems


def check_no_processors(program, data):
    c = harness.Compare()
    with Folder(program) as run:
        run.put("app.sts", STS.replace("PROCESSORS 2\n", ""))
        info = run.info()
        issue(c, info, "number of PEs (PROCESSORS)", "lost", "app.sts")
        c.equal("locations", info["locations_original"], 2)
    return c.problems


def check_processors(program, data):
    """Nothing is allocated by a number in a file."""
    c = harness.Compare()
    with Folder(program) as run:
        run.put("app.sts", STS.replace("PROCESSORS 2", "PROCESSORS 999999999"))
        issue(c, run.info(), "PEs without a log: 2-999999998", "lost",
              "app.sts", 999999997)
        for question in QUESTIONS:
            run.ask(*question)
    return c.problems


def check_pe_numbers(program, data):
    c = harness.Compare()
    with Folder(program) as run:
        for name in ("app.7.log", "app.2147483647.log",
                     "app.99999999999999999999.log"):
            run.put(name, LOG)
            info = run.info()
            issue(c, info, "beyond the number of PEs", "lost", name, 1)
            c.equal("locations", info["locations"], 2)
            (run.path / name).unlink()
    return c.problems


def check_version_missing(program, data):
    c = harness.Compare()
    with Folder(program) as run:
        run.put("app.sts", STS.replace("VERSION 11.0\n", ""))
        info = run.info()
        issue(c, info, "no version", "note", "app.sts")
        c.equal("version", info["format_version"], "11.0")
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


def check_small_summaries(program, data):
    """Run lengths tell of far more than so small files can hold."""
    c = harness.Compare()
    with Folder(program) as run:
        for path in run.path.iterdir():
            path.unlink()
        for pe in range(20):
            run.put(f"app.{pe}.sum",
                    f"ver:7.1 {pe}/20 count:131000 ep:40 interval:1.0e-03 "
                    "phases:1\n50+131000\nEPExeTime: 1+40\n"
                    "EPCallTime: 1+40\nMaxEPTime: 1+40\nNumMarks: 0 \n"
                    "IdlePercent: 10+131000\n")
            run.put(f"app.{pe}.sumd",
                    f"ver:7.1 cpu:{pe}/20 numIntervals:131000 numEPs:40 "
                    "intervalSize:1.0e-03\n"
                    "ExeTimePerEPperInterval 1+5240000\n"
                    "EPCallTimePerInterval 0+5240000\n")
        info = run.info()
        found = [i for i in info["report"]["issues"] if "more figures" in i["what"]]
        c.equal("files", len(found), 20)
        c.equal("left out", {i["count"] for i in found}, {5240000 - (1 << 17)})
    return c.problems


def check_gzip(program, data):
    c = harness.Compare()
    with Folder(program, data / "ampi-jacobi-p4-gz") as run:
        log = run.one("*.1.log.gz")
        whole = log.read_bytes()
        plain = gzip.decompress(whole)
        records = run.info()["records"]
        log.write_bytes(whole[:len(whole) // 2])
        info = run.info()
        found = issue(c, info, "is cut off; the log is read up to there", "lost", log.name)
        c.true("bytes read", 0 < found.get("count", 0) < len(plain))
        lines = plain[:found.get("count", 0)].count(b"\n") - 1
        full = plain.count(b"\n") - 1
        c.equal("records", info["records"], records - full + lines)
        log.write_bytes(whole[:-8] + b"\1\2\3\4" + whole[-4:])
        found = issue(c, run.info(), "checksum or length", "lost", log.name)
        log.write_bytes(whole[:-4] + b"\1\2\3\4")
        found = issue(c, run.info(), "checksum or length", "lost", log.name)
        log.write_bytes(whole + b"appended")
        found = issue(c, run.info(), "something else", "lost", log.name, 8)
        c.equal("offset", found.get("offset"), len(plain))
        log.write_bytes(whole[:60] + bytes(20) + whole[80:])
        issue(c, run.info(), "compressed data are damaged", "lost", log.name)
        middle = plain.index(b"\n", len(plain) // 2) + 5
        log.write_bytes(gzip.compress(plain[:middle])
                        + gzip.compress(plain[middle:]))
        info = run.info()
        c.equal("members", info["records"], records)
        c.equal("issues of members", [i for i in info["report"]["issues"]
                                      if i["severity"] == "lost"], [])
        log.write_bytes(gzip.compress(b""))
        issue(c, run.info(), "is empty", "lost", log.name)
        log.write_bytes(whole[:12])
        issue(c, run.info(), "is cut off", "lost", log.name)
    return c.problems


def check_links(program, data):
    c = harness.Compare()
    with Folder(program) as run:
        os.symlink(run.path, run.path / "app.projdir.0")
        c.equal("issues", run.info()["report"]["issues"], [])
        (run.path / "app.1.log").unlink()
        os.symlink("app.1.log", run.path / "app.1.log")
        issue(c, run.info(), "cannot be opened", "lost", "app.1.log", 1)
        (run.path / "app.1.log").unlink()
        (run.path / "app.1.log").mkdir()
        issue(c, run.info(), "no ordinary file", "lost", "app.1.log", 1)
        (run.path / "app.1.log").rmdir()
        run.put("app.0.log.gz", gzip.compress(b"PROJECTIONS-RECORD 0\n"))
        issue(c, run.info(), "a larger file of the same PE", "note",
              "app.0.log.gz", 1)
        run.put("app.00.log", "")
        issue(c, run.info(), "have a larger file of the same PE", "note",
              "app", 2)
        (run.path / "app.sts").unlink()
        (run.path / "app.sts").mkdir()
        issue(c, run.info(), "no .sts that can be read", "lost", "app.sts", 1)
    return c.problems


def check_tidied(program, data):
    """People compress whole folders: `gzip *`."""
    c = harness.Compare()
    with Folder(program) as whole, Folder(program) as run:
        for path in list(run.path.iterdir()):
            run.put(path.name + ".gz", gzip.compress(path.read_bytes()))
            path.unlink()
        c.equal("issues", run.info()["report"]["issues"], [])
        same_answers(c, program, whole.path, run.path)
        c.equal("named", harness.ask(program, "info", run.path / "app.sts.gz",
                                     "--no-cache"), run.info())
        run.put("app.sts", STS.replace("Hello", "Plain"))
        c.true("the plain .sts is not preferred", "app.sts.gz" not in
               str(run.info()["report"]))
    return c.problems


def check_log_folder(program, data):
    """The folder of some logs stands for the whole run."""
    c = harness.Compare()
    with Folder(program) as run:
        inner = run.path / "app.projdir.1"
        inner.mkdir()
        (run.path / "app.1.log").rename(inner / "app.1.log")
        for name in (str(inner), str(inner) + "/", inner / "app.1.log"):
            c.equal(f"{name}", harness.ask(program, "info", name,
                                           "--no-cache"), run.info())
        (run.path / "app.sts").unlink()
        info = harness.ask(program, "info", inner, "--no-cache")
        issue(c, info, "no .sts that can be read", "lost")
    return c.problems


def check_refusals(program, data):
    """What is there is named, so that the next try is the last."""
    c = harness.Compare()

    def refused(folder, words, *options):
        result = harness.run(program, "info", folder, "--no-cache", *options)
        c.equal(f"{words}: exit", result.code, 1)
        c.true(f"{words} is not in {result.err}", words in result.err)

    with Folder(program) as run:
        refused(run.path, "“no”; it holds app", "--base", "no")
        run.put("other.0.log", LOG)
        run.put("other.sts", STS)
        refused(run.path, "several runs: app, other; name one with --base")
    with Folder(program) as run:
        for path in list(run.path.iterdir()):
            path.unlink()
        refused(run.path, "is an empty folder")
        for name in ("b", "a", "none"):
            (run.path / name).mkdir()
        run.put("a/app.sts", STS)
        run.put("b/app.sum.sts", STS)
        refused(run.path, "but folders that do: a, b; name one")
        run.put("app.sum.sts", STS)
        refused(run.path, "holds app.sum.sts, but no summary of it")
        run.put("app.sts", STS)
        refused(run.path, "holds app.sts, but no log of it")
        run.put("app.0.log", "nothing")
        refused(run.path, "no log of app can be read; the first of 1: ")
    return c.problems


def check_projrc(program, data):
    c = harness.Compare()
    with Folder(program) as run:
        run.put("app.projrc", "RC_GLOBAL_START_TIME 0\n"
                "RC_GLOBAL_END_TIME   676790\nRC_POSE_REAL_TIME -1\n"
                "RC_SOMETHING 3\nRC_GLOBAL_END_TIME nonsense\n")
        info = run.info()
        c.equal("end", info["end_ns"], 90000)
        c.equal("fact", info["run"].get("global_end_us"), "676790")
        issue(c, info, "word is not known", "note", "app.projrc", 1)
        issue(c, info, "no number", "note", "app.projrc", 1)
        c.equal("kind", info["kind"], "trace")
        run.put("app.projrc", "RC_OUTLIER_FILTERED true")
        c.equal("kind", run.info()["kind"], "reduced")
    return c.problems


def check_two_modes(program, data):
    c = harness.Compare()
    with Folder(program) as run:
        for pe in range(2):
            run.put(f"app.{pe}.sum", "ver:7.1 0/2\n")
        issue(c, run.info(), ".sum files beside the logs", "note", "app", 2)
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


def check_memory(program, data):
    """The largest of all children so far stays far below what hostile
    numbers would ask for."""
    c = harness.Compare()
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    c.true(f"{used} KiB", used < 1 << 20)
    return c.problems


def main():
    program, root = sys.argv[1:3]
    data = pathlib.Path(root) / "tests" / "data"
    tap = harness.Tap()
    tap.check("binary, little end first", check_binary, program, data, "<")
    tap.check("binary, big end first", check_binary, program, data, ">")
    tap.check("nameless", check_nameless, program, data, False)
    tap.check("nameless binary", check_nameless, program, data, True)
    for check in (check_binary_notes, check_binary_gz, check_binary_damage,
                  check_other_names, check_cut_names, check_foreign_names,
                  check_foreign_names_binary,
                  check_no_processors, check_processors, check_pe_numbers,
                  check_version_missing, check_line_ends, check_ids,
                  check_long_line, check_open_brackets, check_text_damage,
                  check_far_times, check_multicast_at_edge, check_patience,
                  check_small_summaries, check_gzip,
                  check_links, check_tidied, check_log_folder,
                  check_refusals, check_projrc, check_two_modes,
                  check_version_3, check_memory):
        tap.check(check.__name__[len("check_"):].replace("_", " "), check,
                  program, data)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
