# SPDX-License-Identifier: GPL-3.0-or-later
"""convert and filter: what is written is read back, by Kymo or by a reader of the test,
and gives the same figures.

Usage: convert.py KYMO-CLI DUMP-PROFILE SOURCE-ROOT
"""
import csv
import json
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import harness  # noqa: E402
from profiles import PATH, compare_rows, dump, number, rows_of  # noqa: E402

IDLE = ("Idle", "Overhead", "Untraced")


def convert(cli, run, out, form, *args):
    return harness.ask(cli, "convert", run, out, "--to", form, *args)


def groups_of(run):
    return {(e["name"], e["flags"] & PATH): set(filter(None, e["groups"].split("|")))
            for e in run["events"]}


def check_profile(cli, program, folder):
    """A profile written as one of TAU is the same profile."""
    c, run = harness.Compare(), dump(program, folder)
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "out"
        answer = convert(cli, folder, out, "tau-profile")
        back = dump(program, out)
        c.equal("locations", back["locations"], run["locations"])
        names = [m["name"] for m in back["metrics"]]
        c.equal("metrics", back["metrics"], sorted(run["metrics"], key=lambda m: m["name"]))
        places = [i for m in sorted(run["metrics"], key=lambda m: m["name"])
                  for i in (2 + 2 * run["metrics"].index(m), 3 + 2 * run["metrics"].index(m))]
        compare_rows(c, "rows", rows_of(back), {k: f[:2] + [f[i] for i in places]
                                                for k, f in rows_of(run).items()})
        c.equal("each once", len(names), len(set(names)))
        c.equal("user events", sorted(map(str, back["steps"][0]["users"])),
                sorted(map(str, run["steps"][-1]["users"])))
        listed = {(e, bool(p)) for _, e, p in rows_of(run)}
        groups = [{k: v for k, v in groups_of(r).items() if (k[0], bool(k[1])) in listed}
                  for r in (back, run)]
        c.equal("groups", *groups)
        c.equal("facts", dict(back["facts"]), dict(run["facts"]))
        c.equal("steps told", any("Steps" in o["what"] for o in answer["left_out"]),
                len(run["steps"]) > 1)
    return c.problems


def thread(cli, run, location, *args):
    """{(name): (calls, exclusive, inclusive)} in ns, of functions and paths."""
    paths = "all" if "--callpath-depth" in args else "flat"
    answer = harness.ask(cli, "thread", run, "--of", str(location), "--paths", paths, *args)
    scale = {"ns": 1, "us": 1000}[answer["unit"]]
    return {f["name"]: (f["calls"], round(f["exclusive"] * scale), round(f["inclusive"] * scale))
            for f in answer["functions"] if f["calls"] or f["exclusive"] or f["inclusive"]}


def check_trace(cli, run, *args):
    """A trace's profile, and that profile read from files, which hold no times."""
    c = harness.Compare()
    info = harness.ask(cli, "info", run)
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "out"
        answer = convert(cli, run, out, "tau-profile", *args)
        c.true("messages are told", any("Messages" in o["what"] for o in answer["left_out"]))
        back = harness.ask(cli, "info", out)
        c.equal("locations", len(back["location_list"]), answer["locations"])
        ids = {l["label"]: l["location"] for l in back["location_list"]}
        for location in info["location_list"]:
            mine = thread(cli, run, location["location"], *args)
            label = location["label"].replace("PE", "rank")
            c.true(f"{label} is there", label in ids)
            if label in ids:
                paths = args if "--callpath-depth" in args else ()
                c.equal(label, thread(cli, out, ids[label], *paths), mine)
    return c.problems


def self_times(c, events):
    """{(pid, tid, name): self time in ns} of complete events, which must nest."""
    result, by_thread = {}, {}
    for e in events:
        by_thread.setdefault((e["pid"], e["tid"]), []).append(
            (round(e["ts"] * 1000), round(e["dur"] * 1000), e["name"], e["cat"]))
    for (pid, tid), rows in by_thread.items():
        stack = []
        for begin, length, name, cat in rows:
            if cat == "idle":
                continue
            while stack and stack[-1][0] <= begin and (length or stack[-1][0] < begin):
                stack.pop()
            if stack:
                c.true(f"{name} at {begin} reaches out of {stack[-1][1]}",
                       begin + length <= stack[-1][0])
                result[stack[-1][1]] -= length
            key = (pid, tid, name)
            result[key] = result.get(key, 0) + length
            stack.append((begin + length, key))
    return result


def check_chrome(cli, run, *args):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "run.json"
        answer = convert(cli, run, out, "chrome-json", *args)
        text = out.read_text()
        c.equal("bytes", answer["bytes"], len(text.encode()))
        events = json.loads(text, parse_constant=harness.refuse)["traceEvents"]
    c.equal("records", answer["records"], len(events))
    needs = {"X": {"ts", "dur", "cat"}, "M": {"args"}, "s": {"ts", "id", "cat"},
             "f": {"ts", "id", "cat", "bp"}, "i": {"ts", "s"}, "b": {"ts", "id", "cat"},
             "e": {"ts", "id", "cat"}, "C": {"ts", "args"}}
    for e in events:
        c.true(f"{e}", {"pid", "tid", "name", "ph"} | needs[e["ph"]] <= e.keys())
    names = {}
    for (_, _, name), ns in self_times(c, [e for e in events if e["ph"] == "X"]).items():
        names[name] = names.get(name, 0) + ns
    profile = harness.ask(cli, "profile", run, *args)
    truth = {}
    for a in profile["activities"]:
        if a["kind"] in ("entry", "function") and a["exclusive_ns"]:
            truth[a["name"]] = truth.get(a["name"], 0) + a["exclusive_ns"]
    c.equal("self times", {k: v for k, v in names.items() if v}, truth)
    idle = sum(round(e["dur"] * 1000) for e in events if e["ph"] == "X" and e["cat"] == "idle")
    c.equal("idle", idle, profile["idle_ns"])
    flows = {p: {e["id"]: e["ts"] for e in events if e["ph"] == p} for p in "sf"}
    c.equal("flows have two ends", set(flows["s"]), set(flows["f"]))
    if not args or "trace-" in str(run):
        unknown = sum(int(o["what"].split(": ")[-1]) for o in answer["left_out"]
                      if o["what"].startswith("Messages"))
        c.equal("flows", len(flows["s"]) + unknown,
                harness.ask(cli, "communication", run, *args)["messages"])
        c.true("there are flows", flows["s"] or "threads" in run.name or args)
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events
               if e["ph"] == "M" and e["name"] == "thread_name"}
    c.true("every thread has a name", {(e["pid"], e["tid"]) for e in events} <= set(threads))
    c.equal("every process has a name", {e["pid"] for e in events},
            {e["pid"] for e in events if e["name"] == "process_name"})
    c.true("counters of threads are apart", all(e["id"] == e["tid"] for e in events
                                                if e["ph"] == "C"))
    return c.problems


def check_edges(cli, run):
    """What ends where the range begins is not in it; one location alone has its name."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as place:
        convert(cli, run, f"{place}/all", "csv")
        with open(f"{place}/all", newline="") as file:
            rows = [r for r in csv.DictReader(file) if r["kind"] == "function"]
        ends = sorted(int(r["end_ns"]) for r in rows)
        begin, end = ends[len(ends) // 3], ends[len(ends) // 2]
        convert(cli, run, f"{place}/part", "csv", "--from", str(begin), "--to", str(end))
        with open(f"{place}/part", newline="") as file:
            got = [r for r in csv.DictReader(file) if r["kind"] == "function"]
        c.equal("in the range", got, [
            r for r in rows if int(r["begin_ns"]) < end
            and (int(r["end_ns"]) > begin
                 or int(r["begin_ns"]) == int(r["end_ns"]) == begin)])
        c.true("some end where it begins", any(int(r["end_ns"]) == begin for r in rows))
        convert(cli, run, f"{place}/one.json", "chrome-json", "--locations", "1")
        events = json.loads(pathlib.Path(f"{place}/one.json").read_text())["traceEvents"]
        c.equal("names", [e["args"]["name"] for e in events if e["ph"] == "M"],
                ["rank 0", "rank 0, thread 1"])
    return c.problems


def check_quotes(cli, run):
    """Quotes in names would end them; they are told."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as place:
        out, made = pathlib.Path(place) / "out", pathlib.Path(place) / "made"
        shutil.copytree(run, made)
        for edf in made.glob("events.*.edf"):
            edf.write_text(edf.read_text().replace("thread event", 'so "called" event'))
        run = made
        answer = convert(cli, run, out, "tau-profile")
        c.true("told", any("Quotes" in o["what"] for o in answer["left_out"]))
        names = [sorted((u["name"].replace('"', "'"), u["count"])
                        for u in harness.ask(cli, "user-events", r)["user_events"])
                 for r in (run, out)]
        c.equal("user events", names[1], names[0])
        c.true("some have them", any("'" in n for n, _ in names[0]))
    return c.problems


def check_full(cli, run):
    """A disk that is full is told as that, and nothing is left."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    c = harness.Compare()
    with tempfile.TemporaryDirectory() as place:
        for form in ("csv", "chrome-json"):
            done = subprocess.run([cli, "convert", run, f"{place}/out", "--to", form,
                                   "--no-cache"], preexec_fn=limit, capture_output=True)
            c.equal(form, (done.returncode, b"File too large" in done.stderr), (1, True))
            c.equal("left behind", list(pathlib.Path(place).iterdir()), [])
    return c.problems


def check_csv(cli, run):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "run.csv"
        answer = convert(cli, run, out, "csv")
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
    c.equal("records", answer["records"], len(rows))
    c.true("every row has all fields", all(None not in r and None not in r.values()
                                           for r in rows))
    profile, blocks = harness.ask(cli, "profile", run), {}
    for r in rows:
        if r["kind"] in ("entry", "function"):
            n, ns = blocks.get(r["name"], (0, 0))
            blocks[r["name"]] = n + 1, ns + int(r["exclusive_ns"])
    truth = {}
    for a in profile["activities"]:
        if a["kind"] in ("entry", "function") and a["blocks"]:
            n, ns = truth.get(a["name"], (0, 0))
            truth[a["name"]] = n + a["blocks"], ns + a["exclusive_ns"]
    c.equal("blocks", blocks, truth)
    sent = harness.ask(cli, "communication", run)["sent"]
    for s in sent:
        c.equal(f"sends of {s['location']}",
                sum(r["kind"] == "send" and int(r["location"]) == s["location"] for r in rows),
                s["records"])
    return c.problems


def check_profile_csv(cli, program, folder):
    c, run = harness.Compare(), dump(program, folder)
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "run.csv"
        convert(cli, folder, out, "csv")
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
    metrics = [m["name"] for m in run["metrics"]]
    places = {l["id"]: i for i, l in enumerate(run["locations"])}
    got = {}
    for r in rows:
        if r["kind"] in ("function", "path"):
            key = places[int(r["location"])], r["name"], r["kind"] == "path"
            row = got.setdefault(key, [float(r["calls"]), float(r["subroutines"])]
                                 + [0.0] * 2 * len(metrics))
            at = 2 + 2 * metrics.index(r["metric"])
            row[at:at + 2] = float(r["exclusive"]), float(r["inclusive"])
    compare_rows(c, "rows", got, rows_of(run))
    users = {(places[int(r["location"])], r["name"]):
             [float(r[k]) for k in ("count", "max", "min", "mean", "sum_squares")]
             for r in rows if r["kind"] == "user-event"}
    c.equal("user events", users, {(l, n): [number(v) for v in f]
                                   for l, n, *f in run["steps"][-1]["users"]})
    return c.problems


def check_refused(cli, data, root):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "out"
        out.mkdir()
        for code, words, args in (
                (1, "out", ("convert", data / "phase-8", out, "--to", "tau-profile")),
                (1, "profile", ("convert", data / "phase-8", out / "x", "--to", "chrome-json")),
                (1, "time axis", ("convert", data / "phase-8", out / "x", "--to", "csv",
                                  "--from", "1ms")),
                (1, "bins", ("convert", root / "tests/data/jacobi2d-sum-p8", out / "x",
                             "--to", "csv")),
                (1, "locations", ("convert", data / "phase-8", out / "x", "--to", "csv",
                                  "--locations", "77")),
                (2, "--to", ("convert", data / "phase-8", out / "x")),
                (2, "--to", ("convert", data / "phase-8", out / "x", "--to", "xml")),
                (1, "entry methods", ("filter", root / "data/sample", "--format", "tau"))):
            result = harness.run(cli, *args)
            c.equal(f"{args}", (result.code, words in result.err), (code, True))
            c.equal(f"{args}: left behind", list(out.iterdir()), [])
    return c.problems


def unescaped(pattern):
    text, escaped = "", False
    for character in pattern:
        if not escaped and character == "\\":
            escaped = True
            continue
        assert escaped or character not in " \t#*?[]", pattern
        text, escaped = text + character, False
    return text


def filtered(cli, run, form, *args):
    result = harness.run(cli, "filter", run, "--format", form, "--quiet", *args)
    assert result.code == 0, result.err
    lines = [line for line in result.out.decode().split("\n") if not line.startswith("#")]
    if form == "tau":
        assert (lines[0], lines[-2:]) == ("BEGIN_EXCLUDE_LIST", ["END_EXCLUDE_LIST", ""]), lines
        return lines[1:-2]
    assert lines[:2] == ["SCOREP_REGION_NAMES_BEGIN", "  EXCLUDE"], lines
    assert lines[-2:] == ["SCOREP_REGION_NAMES_END", ""], lines
    return [unescaped(line[4:]) for line in lines[2:-2]]


def check_filter(cli, program, data):
    c = harness.Compare()
    for form in ("tau", "scorep"):
        c.equal(form, sorted(filtered(cli, data / "throttled-fine-4", form)),
                ["inner", "leafA", "leafB"])
        c.equal("none", filtered(cli, data / "flat-stencil-4", form), [])
    folder = data / "callpath-deep-4"
    run, sums = dump(program, folder), {}
    for (_, name, is_path), f in rows_of(run).items():
        if not is_path:
            sums.setdefault(name, []).append(f)
    role = {e["name"]: e["role"] for e in run["events"]}
    expected = sorted(
        name.rstrip().split(" [{")[0] for name, rows in sums.items()
        if role[name] == "compute" and name[0] not in ".[" and max(r[0] for r in rows) > 2
        and sum(r[3] for r in rows) < 5000 * sum(r[0] for r in rows))
    c.true("there are some", len(expected) > 1)
    for form in ("tau", "scorep"):
        got = filtered(cli, folder, form, "--most-calls", "2", "--least", "5ms")
        c.equal(f"by the rule, {form}", sorted(got), expected)
    return c.problems


def main():
    cli, program, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    data, tap = root / "tests" / "data" / "tau", harness.Tap()
    for name in ("multi-coll-8", "callpath-deep-4", "callpath-d3-coll-4", "phase-8",
                 "threads-2x5", "throttled-fine-4", "io-mem-stencil-2", "merged-coll-8",
                 "snapshot-stencil-4"):
        tap.check(f"{name} as profile", check_profile, cli, program, data / name)
    for name in ("multi-coll-8", "callpath-deep-4", "threads-2x5"):
        tap.check(f"{name} as table", check_profile_csv, cli, program, data / name)
    traces = [data / "trace-stencil-4", data / "trace-threads-2x3", root / "data" / "sample",
              root / "tests" / "data" / "v10-feat-p3-text"]
    for run in traces:
        tap.check(f"{run.name} as profile", check_trace, cli, run)
        tap.check(f"{run.name} with paths", check_trace, cli, run, "--callpath-depth", "3")
        tap.check(f"{run.name} as table", check_csv, cli, run)
        tap.check(f"{run.name} as trace events", check_chrome, cli, run)
        info = harness.ask(cli, "info", run)
        length = info["end_ns"] - info["begin_ns"]
        part = ("--from", str(info["begin_ns"] + length // 3),
                "--to", str(info["begin_ns"] + length // 2))
        tap.check(f"{run.name} a part as profile", check_trace, cli, run, *part)
        tap.check(f"{run.name} a part as trace events", check_chrome, cli, run, *part)
    tap.check("ends of a range", check_edges, cli, data / "trace-threads-2x3")
    tap.check("quotes in names", check_quotes, cli, data / "trace-threads-2x3")
    tap.check("a full disk", check_full, cli, data / "trace-stencil-4")
    tap.check("refused", check_refused, cli, data, root)
    tap.check("filter", check_filter, cli, program, data)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
