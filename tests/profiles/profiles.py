# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw figures of every recorded profile: as the reader finds them, against a second
reader of the same files, which is written in another way, and against oracle.json.

Usage: profiles.py DUMP-PROFILE SOURCE-ROOT
"""
import datetime
import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import tau_profile  # noqa: E402

PATH, PHASE, THROTTLED, CUT = 1, 2, 4, 8


def dump(program, run, *args):
    # A folder with traces as well is read for those, unless a profile is named.
    named = pathlib.Path(run) / "profile.0.0.0"
    run = named if named.is_file() else run
    done = subprocess.run([program, str(run), *args], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"{run}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def number(value):
    return float(value)


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def rows_of(run, step=-1):
    """{(location, name, is a path): [calls, subroutines, values…]} of a dump."""
    events = run["events"]
    return {(l, events[e]["name"], bool(events[e]["flags"] & PATH)):
            [number(v) for v in figures]
            for l, e, *figures in run["steps"][step]["rows"]}


def compare_rows(c, what, got, expected):
    c.equal(f"{what}: which", sorted(got), sorted(expected))
    for key in got.keys() & expected.keys():
        if not all(map(same, got[key], expected[key])):
            c.equal(f"{what}: {key}", got[key], expected[key])


def check_text(program, folder):
    c = harness.Compare()
    run, truth = dump(program, folder), tau_profile.read_folder(folder)
    c.equal("kind", (run["kind"], run["format"]), ("profile", "tau-profile"))
    c.equal("issues", run["issues"], [])
    c.equal("metrics", [m["name"] for m in run["metrics"]], truth.metrics)
    for metric in run["metrics"]:
        is_time = "TIME" in metric["name"].upper()
        c.equal("unit", (metric["unit"], metric["unit_ns"]),
                ("us", 1000) if is_time else ("", 0))
    many = len({n for n, _, _ in truth.threads}) < len(truth.threads)
    c.equal("locations", [(l["id"], l["process"], l["label"]) for l in run["locations"]],
            [(i if many else n, n, f"rank {n}, thread {t}" if many else f"rank {n}")
             for i, (n, _, t) in enumerate(truth.threads)])
    compare_rows(c, "rows", rows_of(run), truth.rows)
    users = {(l, name): [number(f) for f in figures]
             for l, name, *figures in run["steps"][0]["users"]}
    compare_rows(c, "user events", users, truth.users)
    for event in run["events"]:
        c.equal(f"groups of {event['name']}", set(filter(None, event["groups"].split("|"))),
                truth.groups[event["name"], bool(event["flags"] & PATH)])
        c.equal(f"shown of {event['name']}", event["shown"],
                run["events"][event["parts"][-1]]["name"].rstrip())
        c.equal(f"phase {event['name']}", bool(event["flags"] & PHASE),
                "TAU_PHASE" in event["groups"])
    facts = dict(run["facts"])
    ended = datetime.datetime.strptime(facts["timestamp"], "%Y-%m-%dT%H:%M:%SZ")
    c.equal("end", int(ended.replace(tzinfo=datetime.timezone.utc).timestamp()),
            int(facts["Ending Timestamp"]) // 10 ** 6)
    for key, value in truth.metadata:
        known = {"Executable": "program", "Command Line": "command_line",
                 "Username": "user", "Hostname": "host", "OS Machine": "machine",
                 "TAU Version": "runtime_version"}
        c.equal(f"fact {key}", facts.get(known.get(key, key)), value)
    return c.problems


def check_paths(program, folder):
    """A path's parts, joined, are its name; a parent is the path without the last."""
    c = harness.Compare()
    run = dump(program, folder)
    events = run["events"]
    called = {p for e in events if e["flags"] & PATH for p in e["parts"][1:]}
    for i, event in enumerate(events):
        c.equal("flat ones first", bool(event["flags"] & PATH),
                i >= sum(1 for e in events if not e["flags"] & PATH))
        names = [events[p]["name"] for p in event["parts"]]
        c.equal(f"parts of {event['name']}", " => ".join(names), event["name"])
        c.true(f"{event['name']}: a part is no flat event",
               not any(events[p]["flags"] & PATH for p in event["parts"]))
        if event["flags"] & PATH:
            c.equal(f"{event['name']} cut", bool(event["flags"] & CUT),
                    event["parts"][0] in called)
            parent = " => ".join(names[:-1])
            found = [k for k, e in enumerate(events)
                     if e["name"] == parent and bool(e["flags"] & PATH) == (len(names) > 2)]
            c.equal(f"parent of {event['name']}", event["parent"], (found or [-1])[0])
    return c.problems


def statistics(values, n):
    mean = sum(values) / n
    return {"total": sum(values), "mean_all_threads": mean,
            "mean_where_present": sum(values) / len(values), "present": len(values),
            "min": min(values), "max": max(values),
            "stddev_pop_all": math.sqrt(max(0, (sum((v - mean) ** 2 for v in values)
                                                + (n - len(values)) * mean ** 2) / n))}


def check_oracle(program, folder):
    c = harness.Compare()
    run = dump(program, folder)
    beside_a_trace = folder / "oracle-profile.json"
    oracle = json.loads((beside_a_trace if beside_a_trace.is_file()
                         else folder / "oracle.json").read_text())
    rows, n = rows_of(run), len(run["locations"])
    names = [m["name"] for m in run["metrics"]]
    for metric in oracle:
        at = 2 + 2 * names.index(metric["metric"])
        c.equal("threads", len(metric["threads"]), n)
        c.equal("events", {name for _, name, _ in rows}, set(metric["events"]))
        for name, truth in metric["events"].items():
            mine = [f for (_, other, _), f in rows.items() if other == name]
            for what, k in (("calls", 0), ("subrs", 1), ("exclusive", at),
                            ("inclusive", at + 1)):
                got = statistics([f[k] for f in mine], n)
                for key, value in got.items():
                    if abs(value - truth[what][key]) > 1e-9 * max(1, abs(value)):
                        c.equal(f"{name} {what} {key}", value, truth[what][key])
        for name, truth in metric["user_events"].items():
            got = [[number(v) for v in f] for _, other, *f in run["steps"][0]["users"]
                   if other == name]
            expected = [list(map(float, f[1:])) for f in truth["per_thread_n_max_min_mean_sumsqr"]]
            c.equal(f"user event {name}", got, expected)
    return c.problems


def check_threads(program, folder):
    """However many threads read it, it is the same profile."""
    c = harness.Compare()
    for n in ("2", "3"):
        c.equal(f"with {n}", dump(program, folder, n), dump(program, folder, "1"))
    return c.problems


def main():
    program, root = sys.argv[1:3]
    tap = harness.Tap()
    for folder in sorted((pathlib.Path(root) / "tests" / "data" / "tau").iterdir()):
        if list(folder.glob("profile.*")) or list(folder.glob("MULTI__*")):
            for check in (check_text, check_paths, check_oracle, check_threads):
                tap.check(f"{folder.name} {check.__name__[6:]}", check, program, folder)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
