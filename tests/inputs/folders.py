# SPDX-License-Identifier: GPL-3.0-or-later
"""Every folder a Projections user may have: names, numbers of PEs, compressed files, links and
files that are missing or of another run. What is there is read, and what is not is told
(inputs.py has what is in the logs).

Usage: folders.py KYMO-CLI SOURCE-ROOT
"""
import gzip
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import binary_log  # noqa: E402
import harness  # noqa: E402
from run_folder import LOG, QUESTIONS, STS, Folder, check_memory, issue, same_answers  # noqa: E402


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


def main():
    program, root = sys.argv[1:3]
    data = pathlib.Path(root) / "tests" / "data"
    tap = harness.Tap()
    tap.check("nameless", check_nameless, program, data, False)
    tap.check("nameless binary", check_nameless, program, data, True)
    for check in (check_other_names, check_cut_names, check_foreign_names,
                  check_foreign_names_binary, check_no_processors, check_processors,
                  check_pe_numbers, check_version_missing, check_small_summaries,
                  check_gzip, check_links, check_tidied,
                  check_log_folder, check_refusals, check_projrc,
                  check_two_modes, check_memory):
        tap.check(check.__name__[len("check_"):].replace("_", " "), check,
                  program, data)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
