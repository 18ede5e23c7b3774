# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles in their other forms: snapshots and the merged file against a second reader
(an XML parser, when the file is made XML), packed profiles against the text that they
are packed of, summaries of nothing but sums.

Usage: forms.py DUMP-PROFILE SOURCE-ROOT
"""
import csv
import pathlib
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import harness  # noqa: E402
import ppk  # noqa: E402
from profiles import compare_rows, dump, number, rows_of  # noqa: E402


def parse(path):
    """The roots of a file as one document."""
    text = path.read_bytes().replace(b"\0", b"").decode()
    return xml.etree.ElementTree.fromstring(f"<all>{text}</all>")


def thread_of(element):
    return tuple(map(int, element.get("thread").split(".")[:3]))


def lines(element):
    return [line.split() for line in (element.text or "").split("\n") if line.strip()]


class Xml:
    """names and user names by number; [(thread, step, {name: figures}, {user: figures})]"""

    def __init__(self, paths):
        self.profiles, self.steps = [], []
        for path in paths:
            names, users, n = {}, {}, {}
            for element in parse(path).iter():
                if element.tag == "event":
                    names[int(element.get("id"))] = element.find("name").text
                elif element.tag == "userevent":
                    users[int(element.get("id"))] = element.find("name").text
                elif element.tag == "profile":
                    self.take(element, names, users, n)

    def take(self, element, names, users, n):
        thread = thread_of(element)
        step = n[thread] = n.get(thread, -1) + 1
        rows = {names[int(f[0])]: list(map(float, f[1:]))
                for f in lines(element.find("interval_data"))}
        atomic = element.find("atomic_data")
        events = {users[int(f[0])]: list(map(float, f[1:]))
                  for f in (lines(atomic) if atomic is not None else [])}
        self.profiles.append((thread, step, rows, events))
        self.steps.append(element.findtext("name") or "")


def check_steps(c, run, truth):
    threads = sorted({t for t, _, _, _ in truth.profiles})
    c.equal("issues", run["issues"], [])
    c.equal("ranks", [l["id"] for l in run["locations"]], [n for n, _, _ in threads])
    for step in range(len(run["steps"])):
        mine = [(threads.index(t), rows, users) for t, s, rows, users in truth.profiles
                if s == step]
        compare_rows(c, f"step {step}", rows_of(run, step),
                     {(l, name, False): f for l, rows, _ in mine for name, f in rows.items()})
        got = {(l, name): [number(v) for v in f] for l, name, *f in run["steps"][step]["users"]}
        c.equal(f"user events of step {step}", got,
                {(l, name): f for l, _, users in mine for name, f in users.items()})


def check_snapshots(program, folder):
    c = harness.Compare()
    run = dump(program, folder)
    truth = Xml(sorted(folder.glob("snapshot.*")))
    check_steps(c, run, truth)
    c.equal("metrics", [m["name"] for m in run["metrics"]], ["TIME", "LINUX_TIMERS"])
    c.equal("names", [s["name"] for s in run["steps"]],
            ["step 8", "step 16", "step 24", "step 32", "step 40", "final"])
    times = [s["time_ns"] for s in run["steps"]]
    c.true("times ascend", times == sorted(times) and times[0] > 0)
    c.equal("growing", run["growing"], False)
    return c.problems


def check_growing(program, folder):
    """One thread lags behind: its last figures hold on, and the run goes on."""
    c = harness.Compare()
    whole = dump(program, folder)
    with tempfile.TemporaryDirectory() as place:
        for path in folder.glob("snapshot.*"):
            parts = path.read_text().split("</profile_xml>\n")
            keep = 2 if path.name == "snapshot.1.0.0" else 4
            (pathlib.Path(place) / path.name).write_text(
                "</profile_xml>\n".join(parts[:keep]) + "</profile_xml>\n" + parts[keep][:500])
        run = dump(program, place)
        c.equal("growing", run["growing"], True)
        c.equal("steps", len(run["steps"]), 4)
        c.equal("told", sorted(i[0] for i in run["issues"]),
                [f"snapshot.{i}.0.0" for i in range(4)])
        for step in range(4):
            expected = {}
            for rank in range(4):
                at = min(step, 1) if rank == 1 else step
                expected.update({k: f for k, f in rows_of(whole, at).items() if k[0] == rank})
            compare_rows(c, f"step {step}", rows_of(run, step), expected)
    return c.problems


def check_merged(program, folder):
    c = harness.Compare()
    run, path = dump(program, folder), folder / "tauprofile.xml"
    check_steps(c, run, Xml([path]))
    c.equal("by its name", dump(program, path), run)
    names = {int(e.get("id")): e.findtext("name") for e in parse(path).iter("event")}
    total = next(e for e in parse(path).iter("derivedprofile")
                 if e.get("derivedentity") == "total")
    for number_of, *figures in lines(total.find("derivedinterval_data")):
        mine = [f for (_, name, _), f in rows_of(run).items() if name == names[int(number_of)]]
        c.equal(f"total of {names[int(number_of)]}", [sum(f) for f in zip(*mine)],
                list(map(float, figures)))
    return c.problems


def check_summary(program, folder):
    """TAU_SUMMARY: definitions and sums over threads, no thread."""
    c = harness.Compare()
    text = (folder / "tauprofile.xml").read_bytes()
    short = re.sub(rb"<profile .*?</profile>", b"", text, flags=re.S)
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "tauprofile.xml"
        path.write_bytes(short)
        run = dump(program, place)
        names = {int(e.get("id")): e.findtext("name") for e in parse(path).iter("event")}
        mean = next(e for e in parse(path).iter("derivedprofile")
                    if e.get("derivedentity") == "mean_all")
        compare_rows(c, "means", rows_of(run),
                     {(0, names[int(n)], False): list(map(float, f))
                      for n, *f in lines(mean.find("derivedinterval_data"))})
        c.equal("location", [l["label"] for l in run["locations"]], ["mean"])
        c.equal("told", [i[1] for i in run["issues"]], ["note"])
    return c.problems


def check_packed(program, folder):
    c = harness.Compare()
    truth = dump(program, folder)
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "run.ppk"
        path.write_bytes(ppk.pack(folder))
        run = dump(program, place)
        c.equal("by its name", dump(program, path), run)
        c.equal("issues", run["issues"], [])
        c.equal("locations", run["locations"], truth["locations"])
        c.equal("metrics", run["metrics"], truth["metrics"])
        c.equal("facts", dict(run["facts"]), dict(truth["facts"]))
        compare_rows(c, "rows", rows_of(run), rows_of(truth))
        c.equal("user events", sorted(run["steps"][0]["users"]),
                sorted(truth["steps"][0]["users"]))
        groups = [{(e["name"], e["flags"] & 1): (set(e["groups"].split("|")), e["flags"])
                   for e in r["events"]} for r in (run, truth)]
        c.equal("groups", *groups)
        shutil.copy(path, pathlib.Path(place) / "other.ppk")
        try:
            dump(program, place)
            c.equal("two packed profiles", "read", "refused")
        except AssertionError as error:
            c.true("two are refused", "other.ppk, run.ppk" in str(error))
    return c.problems


def figures(run):
    return {(l, name): f for (l, name, _), f in rows_of(run).items()}


def check_gprof(program, folder):
    """As ParaProf reads it, with and without the explanations, and with lines."""
    c = harness.Compare()
    with open(folder / "paraprof" / "text.csv", newline="") as file:
        rows = [r for r in csv.reader(file, delimiter="\t") if len(r) == 9][1:]
    truth = {(0, r[3]): [float(r[4]), float(r[5]), float(r[7]), float(r[6])] for r in rows
             if r[3] != "User Event"}
    for name in ("gprof.txt", "gprof-brief.txt"):
        run = dump(program, folder / name)
        c.equal("issues", run["issues"], [])
        # ParaProf gives no path subroutines, and neither do we.
        c.equal(name, figures(run), truth)
    lines = figures(dump(program, folder / "gprof-line.txt"))
    c.equal("lines", {(l, re.sub(r" \([^)]*\)", "", n)): f for (l, n), f in lines.items()},
            truth)
    return c.problems


def check_recursion(program, folder):
    c = harness.Compare()
    got = figures(dump(program, folder / "gprof.txt"))
    for name, expected in {
            "fib": [1973, 3945, 0, 140000], "fib => fib": [1972, 0, 0, 0],
            "ping": [120, 220, 0, 10000], "pong => ping": [100, 0, 0, 0],
            "main => ping": [20, 0, 0, 20000], "cmp": [1, 0, 140000, 140000],
            "spin": [2193, 0, 150000, 150000]}.items():
        c.equal(name, got.get((0, name)), expected)
    c.equal("functions", len(got), 6 + 8)
    got = figures(dump(program, folder / "gprof-cxx.txt"))
    c.equal("a name with blanks", got.get((0, "Solver<double>::run(int, double)")),
            [1, 300, 0, 350000])
    with tempfile.TemporaryDirectory() as place:
        text = (folder / "gprof.txt").read_text()
        (pathlib.Path(place) / "gprof.txt").write_text(text[:text.index("[4]")])
        run = dump(program, place)
        c.equal("cut", [i[1] for i in run["issues"]], ["lost"])
    return c.problems


def check_mpip(program, folder):
    c = harness.Compare()
    run = dump(program, folder)
    c.equal("issues", run["issues"], [])
    c.equal("ranks", [l["label"] for l in run["locations"]], ["rank 0", "rank 1"])
    send = "main [file:app.c line:90] => exchange [file:app.c line:40] => MPI_Send"
    reduce = "main [address:0x4011a6] => MPI_Allreduce"
    receive = "exchange [file:app.c line:55] => MPI_Recv"
    c.equal("rows", figures(run), {
        (0, "MPI_Send"): [10, 0, 27000, 27000], (0, send): [10, 0, 27000, 27000],
        (0, "MPI_Allreduce"): [2, 0, 5000, 5000], (0, reduce): [2, 0, 5000, 5000],
        (0, ".MpiP.Application"): [1, 12, 9968000, 10000000],
        (1, "MPI_Recv"): [16, 0, 24000, 24000], (1, receive): [16, 0, 24000, 24000],
        (1, "MPI_Allreduce"): [2, 0, 5000, 5000], (1, reduce): [2, 0, 5000, 5000],
        (1, ".MpiP.Application"): [1, 18, 9471000, 9500000]})
    c.equal("sizes", {(l, name): f for l, name, *f in run["steps"][0]["users"]}, {
        (0, "Message size sent : " + send): [10, 4096, 1, 2048.5, 10 * 2048.5 ** 2],
        (0, "Message size sent : " + reduce): [2, 8, 8, 8, 128],
        (1, "Message size sent : " + reduce): [2, 8, 8, 8, 128]})
    text = next(folder.glob("*.mpiP")).read_text()
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "a.mpiP"
        path.write_text(text[:text.index("@--- MPI Time")] + text[text.index("@--- Callsites:"):])
        got = figures(dump(program, path))
        c.equal("from start to stop", got[1, ".MpiP.Application"], [1, 18, 9971000, 10000000])
    return c.problems


CONCISE = """\
@ mpiP
@ Command : ./app
@ Version                  : 3.5.0
@ MPI Task Assignment      : 0 nodea
---------------------------------------------------------------------------
@--- Task Time Statistics (seconds) ---------------------------------------
---------------------------------------------------------------------------
             AppTime    MPITime       MPI%   App Task   MPI Task
Max        10.000000   0.032000                     0          0
Mean        9.750000   0.030500
Min         9.500000   0.029000                     1          1
Stddev      0.353553   0.002121
Aggregate  19.500000   0.061000       0.31
---------------------------------------------------------------------------
@--- Callsites: 3 ---------------------------------------------------------
---------------------------------------------------------------------------
 ID Lev File/Address        Line Parent_Funct             MPI_Call
  1   0 app.c                 40 exchange                 Send
  1   1 0x7f0c4a2a1d0a           [unknown]
  2   0 0x4011a6                 [unknown]                Recv
  3   0 0x4011b0                 main                     Allreduce
---------------------------------------------------------------------------
@--- Aggregate Time (top twenty, descending, milliseconds) ----------------
---------------------------------------------------------------------------
Call                 Site       Time    App%    MPI%      Count
Send                    1         40    0.21   65.57         26
---------------------------------------------------------------------------
@--- Callsite Time statistics (all callsites, milliseconds): 3 ------------
---------------------------------------------------------------------------
Name              Site   Tasks       Max      Mean       Min MaxRnk MinRnk
Send                 1       2        27        20        13      0      1
Recv                 2       1        24        24        24      1      1
Allreduce            3       2         5         5         5      0      0
---------------------------------------------------------------------------
@--- Callsite Message Sent statistics (all callsites, sent bytes): 1 ------
---------------------------------------------------------------------------
Name              Site   Tasks       Max      Mean       Min MaxRnk MinRnk
Send                 1       2     20485   10300.5       116      0      1
---------------------------------------------------------------------------
@--- End of Report --------------------------------------------------------
---------------------------------------------------------------------------
"""


def check_mpip_concise(program):
    """mpiP -c: what all ranks together took at a site, and how they share it; sites without
    file and line."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "a.mpiP"
        path.write_text(CONCISE)
        run = dump(program, path)
    c.equal("issues", sorted((i[1], i[3]) for i in run["issues"]), [("note", 2), ("note", 3)])
    c.equal("locations", [l["label"] for l in run["locations"]], ["all ranks"])
    send = "[unknown] [address:0x7f0c4a2a1d0a] => exchange [file:app.c line:40] => MPI_Send"
    receive = "[unknown] [address:0x4011a6] => MPI_Recv"
    reduce = "main [address:0x4011b0] => MPI_Allreduce"
    c.equal("rows", figures(run), {
        (0, "MPI_Send"): [26, 0, 40000, 40000], (0, send): [26, 0, 40000, 40000],
        (0, "MPI_Recv"): [0, 0, 24000, 24000], (0, receive): [0, 0, 24000, 24000],
        (0, "MPI_Allreduce"): [0, 0, 10000, 10000], (0, reduce): [0, 0, 10000, 10000],
        (0, ".MpiP.Application"): [1, 26, 19426000, 19500000]})
    c.equal("ranks of sites", {name: f for _, name, *f in run["steps"][0]["users"]}, {
        "Microseconds per rank : " + send: [2, 27000, 13000, 20000, 2 * 20000 ** 2],
        "Microseconds per rank : " + receive: [1, 24000, 24000, 24000, 24000 ** 2],
        "Microseconds per rank : " + reduce: [2, 5000, 5000, 5000, 2 * 5000 ** 2],
        "Bytes per rank : " + send: [2, 20485, 116, 10300.5, 2 * 10300.5 ** 2]})
    return c.problems


WILD = ("nan", "-nan", "inf", "1e308", "-1e308", "1e19")


def replaced(text, pattern, group, word):
    """The text with one group of the first match replaced."""
    match = re.search(pattern, text)
    return text[:match.start(group)] + word + text[match.end(group):]


def check_wild_one(c, program, path, data, word, before):
    path.write_bytes(data) if isinstance(data, bytes) else path.write_text(data)
    run = dump(program, path.parent)
    lost = [(i[0], i[3]) for i in run["issues"] if i[1] == "lost"]
    c.equal(f"{path.name} {word}: told", lost, [(path.name, 1)])
    got = figures(run)
    gone = before.keys() - got.keys()
    c.true(f"{path.name} {word}: one row is gone: {gone}", len(gone) == 1)
    c.equal(f"{path.name} {word}: rows", got, {k: f for k, f in before.items() if k not in gone})
    c.true(f"{path.name} {word}: finite", all(abs(v) < 1e18 for f in got.values() for v in f))


def check_wild(program, data):
    """Figures that are no numbers, or that no sum could hold: the row is left out and told,
    in every form of a profile."""
    c = harness.Compare()
    flat, merged = data / "flat-stencil-4", data / "merged-coll-8"
    text = next(flat.rglob("profile.0.0.0")).read_text()
    xml_text = (merged / "tauprofile.xml").read_bytes().replace(b"\0", b"").decode()
    mpip = next((data / "mpip-made").glob("*.mpiP")).read_text()
    gprof = (data / "gprof-basic" / "gprof.txt").read_text()
    with tempfile.TemporaryDirectory() as scratch:
        for i, word in enumerate(WILD):
            def place(name, i=i):
                folder = pathlib.Path(scratch) / f"{i}-{name}"
                folder.mkdir()
                return folder / name
            path = place("profile.0.0.0")
            path.write_text(text)
            before = figures(dump(program, path.parent))
            wild = replaced(text, r'" \d+ \d+ (\S+) ', 1, word)
            check_wild_one(c, program, path, wild, word, before)
            packed = place("run.ppk")
            packed_data = ppk.pack(path.parent)
            check_wild_one(c, program, packed, packed_data, word, before)
            path = place("tauprofile.xml")
            path.write_text(xml_text)
            before = figures(dump(program, path.parent))
            wild = replaced(xml_text, r"<interval_data[^>]*>\s*\d+ \d+ \d+ (\S+) ", 1, word)
            check_wild_one(c, program, path, wild, word, before)
            if word[0] not in "ni":         # else it is no row of text at all
                path = place("a.mpiP")
                wild = replaced(mpip, r"(?m)^Send +1 +0 +10 +4 +(\S+)", 1, word)
                path.write_text(wild)
                run = dump(program, path)
                c.equal(f"mpiP {word}", [(i[1], i[3]) for i in run["issues"]], [("lost", 1)])
                path = place("gprof.txt")
                path.write_text(replaced(gprof, r"(?m)^ +[\d.]+ +[\d.]+ +([\d.]+) ", 1, word))
                run = dump(program, path)
                c.true(f"gprof {word}", ("lost", 1) in [(i[1], i[3]) for i in run["issues"]])
    return c.problems


def main():
    program, root = sys.argv[1:3]
    data, tap = pathlib.Path(root) / "tests" / "data" / "tau", harness.Tap()
    tap.check("snapshots", check_snapshots, program, data / "snapshot-stencil-4")
    tap.check("growing snapshots", check_growing, program, data / "snapshot-stencil-4")
    tap.check("merged", check_merged, program, data / "merged-coll-8")
    tap.check("summary", check_summary, program, data / "merged-coll-8")
    for name in ("flat-stencil-4", "multi-coll-8", "callpath-deep-4", "threads-2x5", "phase-8"):
        tap.check(f"packed {name}", check_packed, program, data / name)
    tap.check("gprof", check_gprof, program, data / "gprof-basic")
    tap.check("gprof: recursion, cycles", check_recursion, program, data / "gprof-recursive")
    tap.check("mpiP", check_mpip, program, data / "mpip-made")
    tap.check("mpiP, concise", check_mpip_concise, program)
    tap.check("figures that are no numbers", check_wild, program, data)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
