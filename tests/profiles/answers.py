# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers about every recorded profile, as the command line gives them: against
oracle.json, against the text that pprof prints, and against what ParaProf wrote of
the same files; and profiles made of traces against those recorded beside them.

Usage: answers.py KYMO-CLI SOURCE-ROOT
"""
import csv
import json
import math
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

FIGURES = {"calls": "calls", "subrs": "subroutines", "exclusive": "exclusive",
           "inclusive": "inclusive"}
STATISTICS = {"total": "total", "mean_all_threads": "mean", "min": "min", "max": "max",
              "mean_where_present": "mean_present", "stddev_pop_all": "stddev"}
DUMPS = {"Total": "total", "Mean,AllThreads": "mean", "Mean": "mean-present",
         "Min": "min", "Max": "max", "StandardDeviation,AllThreads": "stddev"}
JOINT = " => "


def is_near(a, b, part=1e-9):
    return abs(a - b) <= part * max(1, abs(a), abs(b))


def plain(name):
    """A name as pprof and ParaProf print it."""
    name = re.sub(r"\[\{.*?\}[^]]*\]", "", name)
    return " ".join(name.split())


def profile_of(folder):
    """What to open: a folder with traces as well is read for those."""
    if (folder / "gprof.txt").is_file():
        return folder / "gprof.txt"
    named = folder / "profile.0.0.0"
    return named if named.is_file() and list(folder.glob("*.edf")) else folder


def oracles_of(folder):
    beside_a_trace = folder / "oracle-profile.json"
    file = beside_a_trace if beside_a_trace.is_file() else folder / "oracle.json"
    truth = json.loads(file.read_text()) if file.is_file() else []
    return [metric for metric in truth if isinstance(metric, dict) and "events" in metric] \
        if isinstance(truth, list) else []


# -- oracle.json ---------------------------------------------------------------

def check_oracle(program, folder):
    c = harness.Compare()
    for metric in oracles_of(folder):
        answer = harness.ask(program, "profile", profile_of(folder), "--metric",
                             metric["metric"])
        got = {a["name"]: a for a in answer["activities"]}
        c.equal("metric", answer["metric"], metric["metric"])
        c.equal("events", set(got), set(metric["events"]))
        for name in got.keys() & metric["events"].keys():
            for theirs, ours in FIGURES.items():
                for key, mine in STATISTICS.items():
                    value, truth = got[name][ours][mine], metric["events"][name][theirs][key]
                    # A deviation of 0 is made of squares that differ in the last bit.
                    part = 1e-7 if mine == "stddev" else 1e-9
                    if not is_near(value, truth, part):
                        c.equal(f"{name} {ours} {mine}", value, truth)
        check_user_events(c, program, folder, metric)
    return c.problems


def check_user_events(c, program, folder, metric):
    answer = harness.ask(program, "user-events", profile_of(folder))
    got = {u["name"]: u for u in answer["user_events"]}
    expected = metric["user_events"]
    c.equal("user events", set(got), set(expected))
    for name in got.keys() & expected.keys():
        for mine, theirs in (("count", "total_n"), ("min", "min"), ("max", "max"),
                             ("mean", "mean"), ("stddev", "stddev_pop")):
            value, truth = got[name][mine], expected[name][theirs]
            if value is None:
                c.true(f"{name} {mine}", truth is None or not math.isfinite(truth))
            elif not is_near(value, truth, 1e-6):
                c.equal(f"user event {name} {mine}", value, truth)


# -- ParaProf ------------------------------------------------------------------

def read_dump(file):
    """{name: [calls, subroutines, exclusive, inclusive]} of a text profile."""
    rows = {}
    for line in file.read_text(errors="replace").splitlines():
        match = re.match(r'"(.*)" (\S+) (\S+) (\S+) (\S+) 0 GROUP="', line)
        if match:
            rows[plain(match[1])] = [float(n) for n in match.groups()[1:]]
    return rows


def thread(program, run, of, metric=None):
    words = ["--metric", metric] if metric else []
    answer = harness.ask(program, "thread", run, "--of", of, "--paths", "all", *words)
    return {plain(f["name"]): [f[k] for k in FIGURES.values()] for f in answer["functions"]}


def dumps_of(folder):
    """(file, metric or None) of each statistic that ParaProf wrote."""
    for file in sorted((folder / "paraprof").rglob("profile.*")):
        parent = file.parent.name
        yield file, parent[len("MULTI__"):] if parent.startswith("MULTI__") else None


def check_paraprof(program, folder):
    c = harness.Compare()
    n = 0
    for file, metric in dumps_of(folder):
        kind = DUMPS.get(file.name[len("profile."):])
        if kind is None:
            continue
        got, expected = thread(program, profile_of(folder), kind, metric), read_dump(file)
        c.equal(f"{file.name} {metric}: names", set(got), set(expected))
        for name in got.keys() & expected.keys():
            n += 1
            # ParaProf cuts calls to whole numbers.
            for i, what in enumerate(FIGURES):
                a, b = got[name][i], expected[name][i]
                # In the summary of a merged file -1 is none, and what is 0 is no least.
                if a == 0 and kind == "min" and "merged" in folder.name:
                    continue
                if not (abs(a - b) < 1 if i < 2 else is_near(a, b, 1e-6)):
                    c.equal(f"{file.name} {metric}: {name} {what}", a, b)
    c.true("figures of ParaProf", n > 0)
    return c.problems


def read_text(file):
    """Lists of ParaProf's table, each with its head as a dict a row."""
    functions, users, head = [], [], []
    with file.open(errors="replace") as lines:
        for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row[:1] == ["Node"]:
                head = row
            elif row and row[0].isdigit() and len(row) >= len(head) - 1:
                values = dict(zip(head, row))
                values["thread"] = tuple(map(int, row[:3]))
                (functions if "Function" in head else users).append(values)
    return functions, users


def check_text(program, folder):
    """Every thread, every metric, as ParaProf lists them."""
    c = harness.Compare()
    functions, users = read_text(folder / "paraprof" / "text.csv")
    metrics = [key[len("Inclusive "):] for key in functions[0] if key.startswith("Inclusive ")]
    threads = sorted({row["thread"] for row in functions})
    for metric in metrics:
        keys = ("NumCalls", "NumSubr", f"Exclusive {metric}", f"Inclusive {metric}")
        for location, which in enumerate(threads):
            got = thread(program, profile_of(folder), location, metric)
            for row in functions:
                name = plain(row["Function"])
                if row["thread"] != which:
                    continue
                figures = [float(row[key]) for key in keys]
                c.true(f"{which} {name} is missing", name in got or not any(figures))
                for i, what in enumerate(FIGURES):
                    if name in got and not is_near(got[name][i], figures[i], 1e-6):
                        c.equal(f"{which} {metric} {name} {what}", got[name][i], figures[i])
    c.true("threads and metrics", threads and metrics)
    check_text_users(c, program, folder, threads, users)
    return c.problems


def check_text_users(c, program, folder, threads, users):
    for location, which in enumerate(threads if users else []):
        answer = harness.ask(program, "user-events", profile_of(folder), "--of", location)
        got = {plain(u["name"]): u for u in answer["user_events"]}
        for row in users:
            name = plain(row["User Event"])
            if row["thread"] != which or float(row["NumSamples"]) == 0:
                continue
            for theirs, ours in (("NumSamples", "count"), ("Min", "min"), ("Max", "max"),
                                 ("Mean", "mean")):
                value = got.get(name, {}).get(ours)
                if value is None or not is_near(value, float(row[theirs]), 1e-6):
                    c.equal(f"{which} user event {name} {ours}", value, row[theirs])


# -- pprof ---------------------------------------------------------------------

def read_pprof(file):
    """{("total"|"mean"|location, name): [exclusive, inclusive, calls, subroutines] as
    printed} and user events {(location, name): [n, max, min, mean, deviation]}."""
    functions, users, whom, section, nodes = {}, {}, None, None, []
    for line in file.read_text(errors="replace").splitlines():
        match = re.search(r"NODE (\d+)[;,] ?CONTEXT (\d+)[;,] ?THREAD (\d+)", line)
        if match:
            section = "users" if "USER EVENTS" in line else "functions"
            node = tuple(map(int, match.groups()))
            if node not in nodes:
                nodes.append(node)
            whom = node
        elif line.startswith("FUNCTION SUMMARY"):
            whom, section = re.search(r"\((\w+)\)", line)[1], "functions"
        elif line.startswith("USER EVENTS"):
            section = None
        words = line.split(None, 6 if section == "functions" else 5)
        try:
            if section == "functions":
                float(words[0])
                functions[whom, plain(words[6])] = [w.replace(",", "") for w in words[1:5]]
            elif section == "users":
                users[whom, plain(words[5])] = [float(w) for w in words[:5]]
        except (ValueError, IndexError):
            pass
    order = sorted(nodes)
    place = {node: order.index(node) for node in nodes}
    return ({(place.get(w, w), n): v for (w, n), v in functions.items()},
            {(place[w], n): v for (w, n), v in users.items()})


def is_printed(value, text):
    """Whether a number may be printed so: cut, or rounded, at its last digit."""
    number = float(text)
    if "E" in text.upper():
        return is_near(value, number, 1e-3)
    digits = len(text.split(".")[1]) if "." in text else 0
    return abs(value - number) <= 1.0001 * 10 ** -digits


def check_pprof(program, folder):
    c = harness.Compare()
    n = 0
    for file in sorted(folder.glob("pprof*.txt")):
        if file.stem == "pprof-s":
            continue
        metric = file.stem[len("pprof."):] or None
        functions, users = read_pprof(file)
        answers = {w: thread(program, profile_of(folder), w, metric)
                   for w in {w for w, _ in functions}}
        is_time = metric is None or "TIME" in metric.upper()
        for (whom, name), texts in functions.items():
            got = answers[whom].get(name)
            if got is None:
                c.true(f"{whom} {name} is missing", not any(map(float, texts)))
                continue
            calls, subroutines, exclusive, inclusive = got
            scale = 1000 if is_time else 1
            n += 1
            for what, value, text in zip(("exclusive", "inclusive", "calls", "subroutines"),
                                         (exclusive / scale, inclusive / scale, calls,
                                          subroutines), texts):
                if not is_printed(value, text):
                    c.equal(f"{file.name} {whom} {name} {what}", value, text)
        check_pprof_users(c, program, folder, users)
    c.true("figures of pprof", n > 0)
    return c.problems


def check_pprof_users(c, program, folder, users):
    for whom in {w for w, _ in users}:
        answer = harness.ask(program, "user-events", profile_of(folder), "--of", whom)
        got = {plain(u["name"]): u for u in answer["user_events"]}
        for (other, name), figures in users.items():
            for key, value in zip(("count", "max", "min", "mean", "stddev"), figures):
                mine = got.get(name, {}).get(key) if other == whom else None
                # Four digits are printed; what is beyond doubles, not at all.
                if other == whom and not (mine is None and not math.isfinite(value)
                                          or mine is not None and is_near(mine, value, 1e-3)):
                    c.equal(f"{whom} user event {name} {key}", mine, value)


# -- trees and phases ----------------------------------------------------------

def check_tree(program, folder):
    c = harness.Compare()
    for metric in oracles_of(folder):
        answer = harness.ask(program, "calltree", profile_of(folder), "--metric",
                             metric["metric"])
        is_path = {name: "TAU_CALLPATH" in event["group"]
                   for name, event in metric["events"].items()}
        flat = [event for name, event in metric["events"].items() if not is_path[name]]
        known = [node for node in answer["nodes"] if node["known"]]
        c.equal("has paths", answer["has_paths"], any(is_path.values()))
        for theirs, ours in (("exclusive", "exclusive"), ("calls", "calls")):
            total = sum(event[theirs]["total"] for event in flat)
            if not is_near(sum(node[ours] for node in known), total, 1e-9):
                c.equal(f"sum of {ours}", sum(node[ours] for node in known), total)
        for i, node in enumerate(answer["nodes"]):
            c.true("parents come first", node["parent"] < i)
            c.equal("depth", len(node["path"]), node["depth"] + 1)
            if node["parent"] >= 0:
                above = answer["nodes"][node["parent"]]
                c.equal("path", node["path"][:-1], above["path"])
        check_whole_paths(c, answer, metric, is_path)
    return c.problems


def check_whole_paths(c, answer, metric, is_path):
    """Each path that a node stands for, where none were cut."""
    if answer["cut"]:
        return
    got = {JOINT.join(node["path"]): node for node in answer["nodes"]}
    for name, event in metric["events"].items():
        node = got.get(JOINT.join(part.rstrip() for part in name.split(JOINT)))
        if not is_path[name]:
            continue
        c.true(f"{name} is no node", node is not None)
        for theirs, ours in FIGURES.items():
            if node is not None and not is_near(node[ours], event[theirs]["total"]):
                c.equal(f"{name} {ours}", node[ours], event[theirs]["total"])


def check_phases(program, folder):
    c = harness.Compare()
    for metric in oracles_of(folder):
        for value in ("exclusive", "inclusive", "calls"):
            answer = harness.ask(program, "phases", profile_of(folder), "--value", value,
                                 "--of", "total", "--metric", metric["metric"])
            names = [phase["name"] for phase in answer["phases"]]
            got = {(names[i], f["name"]): v for f in answer["functions"]
                   for i, v in enumerate(f["values"]) if v is not None}
            expected = {tuple(p.strip() for p in name.split(JOINT)): event[value]["total"]
                        for name, event in metric["events"].items()
                        if "TAU_CALLPATH" in event["group"]}
            c.equal(f"{value}: pairs", set(got), set(expected))
            for pair in got.keys() & expected.keys():
                if not is_near(got[pair], expected[pair]):
                    c.equal(f"{value} {pair}", got[pair], expected[pair])
    return c.problems


# -- a trace and the profile of the same run ------------------------------------

def check_trace(program, folder):
    """Calls are the same; times are read twice, a microsecond or two apart a call."""
    c = harness.Compare()
    trace = harness.ask(program, "profile", folder / "tautrace.0.0.0.trc", "--metric", "TIME")
    profile = harness.ask(program, "profile", folder / "profile.0.0.0")
    got = {plain(a["name"]): a for a in trace["activities"] if a["kind"] != "overhead"}
    expected = {plain(a["name"]): a for a in profile["activities"]}
    c.equal("functions", set(got), set(expected))
    for name in got.keys() & expected.keys():
        mine, truth = got[name], expected[name]
        for key in ("calls", "subroutines"):
            c.equal(f"{name} {key}", mine[key]["total"], truth[key]["total"])
        for key in ("exclusive", "inclusive"):
            n = truth["calls"]["total"] + truth["subroutines"]["total"] + 1
            apart = abs(mine[key]["total"] / 1000 - truth[key]["total"])
            if apart > 3 * n + 0.02 * truth[key]["total"]:
                c.equal(f"{name} {key}", mine[key]["total"] / 1000, truth[key]["total"])
    return c.problems


def checks_of(folder):
    if oracles_of(folder):
        yield check_oracle
        yield check_tree
    if (folder / "paraprof" / "text.csv").is_file():
        yield check_text
    # Of snapshots it wrote statistics of nothing.
    if list(dumps_of(folder)) and "snapshot" not in folder.name:
        yield check_paraprof
    if (folder / "pprof.txt").is_file() or list(folder.glob("pprof.*.txt")):
        yield check_pprof
    if "phase" in folder.name:
        yield check_phases
    if (folder / "tautrace.0.0.0.trc").is_file() and (folder / "profile.0.0.0").is_file() \
            and "aborted" not in folder.name:
        yield check_trace


# -- values that do not add up ---------------------------------------------------

ADDITIVE = {"TIME": True, "TIME + CPU_TIME": True, "2 * TIME - CPU_TIME / 4": True,
            "-(TIME)": True, "CPU_TIME / TIME": False, "TIME * CPU_TIME": False, "7": False,
            "TIME + 1": False, "4 / TIME": False, "TIME / TIME": False}


def check_additive(program, folder):
    c = harness.Compare()
    for metric, expected in ADDITIVE.items():
        for value, also in (("exclusive", True), ("calls", None), ("exclusive-per-call", False)):
            answer = harness.ask(program, "thread-bars", folder, "--metric", metric,
                                 "--value", value)
            c.equal(f"{metric}, {value}", answer["additive"],
                    True if also is None else expected and also)
    return c.problems


def ratio(over, under):
    return over / under if under else 0


def check_ratio(program, folder):
    """A ratio of several figures is the ratio of their sums, everywhere."""
    c = harness.Compare()
    metric = ["--metric", "CPU_TIME / TIME"]
    tables = {m: harness.ask(program, "profile", folder, "--metric", m, "--per-location")
              for m in ("TIME", "CPU_TIME")}
    got = {a["name"]: a for a in
           harness.ask(program, "profile", folder, *metric)["activities"]}
    time, cpu = ({a["name"]: a for a in tables[m]["activities"]} for m in ("TIME", "CPU_TIME"))
    for name, activity in got.items():
        for figure in ("exclusive", "inclusive"):
            expected = ratio(cpu[name][figure]["total"], time[name][figure]["total"])
            for part in ("total", "mean", "mean_present"):
                c.near(f"{name} {figure} {part}", activity[figure][part], expected)
    bars = harness.ask(program, "thread-bars", folder, *metric)
    sums = {m: [sum(a["exclusive"] for a in p["activities"]) for p in tables[m]["per_location"]]
            for m in tables}
    for row, over, under in zip(bars["rows"], sums["CPU_TIME"], sums["TIME"]):
        c.near(f"whole {row['label']}", row["whole"], ratio(over, under))
    c.near("whole", bars["whole"]["total"], ratio(sum(sums["CPU_TIME"]), sum(sums["TIME"])))
    few = harness.ask(program, "thread-bars", folder, *metric, "--functions", "3")
    c.near("rest", few["functions"][-1]["total"], ratio(*(
        sum(m[n]["exclusive"]["total"] for n in got
            if got[n]["shown"] not in [f["name"] for f in few["functions"]])
        for m in (cpu, time))))
    for of in ("total", "mean", "0"):
        table = harness.ask(program, "thread", folder, *metric, "--of", of)
        c.equal(f"no shares of {of}", {f["exclusive_share"] for f in table["functions"]}, {None})
    for command in (["compare", folder, folder],
                    ["calltree", folder, "--focus", next(iter(got))]):
        result = harness.run(program, *command, *metric)
        c.true(f"{command[0]} says why not",
               result.code != 0 and "do not add up" in result.err)
    return c.problems


def check_means(program, folder):
    """A mean of values that do not add up is over the threads that have the function: it is
    never beyond the smallest and the largest of them. All answers tell the same."""
    c = harness.Compare()
    metric = ["--metric", "1000 / TIME"]
    told = harness.ask(program, "profile", folder, "--metric", "TIME", "--per-location")
    ids = {a["id"]: a["shown"] for a in told["activities"]}
    times = {}
    for place in told["per_location"]:
        for a in place["activities"]:
            times.setdefault(ids[a["id"]], []).append(a["exclusive"])
    n = len(told["per_location"])
    means = {name: 1000 * len(all_of) / sum(all_of) for name, all_of in times.items()
             if all(all_of)}
    absent = [name for name in means if len(times[name]) < n]
    c.true(f"{absent} lack some threads", len(absent) > 2)
    profile = harness.ask(program, "profile", folder, *metric)
    tables = [{a["shown"]: a["exclusive"] for a in profile["activities"]}]
    bars = harness.ask(program, "thread-bars", folder, *metric, "--functions", "100", "--rows", "1")
    tables.append({f["name"]: f for f in bars["functions"]})
    rows = [f["name"] for f in bars["functions"]]
    thread = {f["name"]: f["exclusive"] for f in
              harness.ask(program, "thread", folder, *metric, "--of", "mean")["functions"]}
    for name, mean in means.items():
        one = harness.ask(program, "function-bars", folder, *metric, "--of", name, "--rows", "1")
        for figures in (*(t[name] for t in tables), one):
            c.near(f"{name} mean", figures["mean"], mean)
            c.near(f"{name} mean_present", figures.get("mean_present", mean), mean)
            c.true(f"{name} {figures}", figures["min"] <= mean * 1.000001
                   and mean <= figures["max"] * 1.000001)
        c.near(f"{name} thread", thread[name], mean)
        c.near(f"{name} row of function-bars", one["rows"][0]["value"], mean)
        c.near(f"{name} row", bars["rows"][0]["values"][rows.index(name)], mean)
    return c.problems


def main():
    program, root = sys.argv[1:3]
    tap = harness.Tap()
    with harness.kept_runs():
        for name, folder in harness.tau_cases(root):
            for check in checks_of(folder):
                tap.check(f"{name} {check.__name__[6:]}", check, program, folder)
    threads = pathlib.Path(sys.argv[2]) / "tests" / "data" / "tau" / "threads-2x5"
    tap.check("which values add up", check_additive, program, threads)
    tap.check("ratios of sums", check_ratio, program, threads)
    tap.check("means of those that have it", check_means, program, threads)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
