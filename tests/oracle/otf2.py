# SPDX-License-Identifier: GPL-3.0-or-later
"""The recorded OTF2 archive against what otf2-print, the tool of that format's own
library, says of it: calls, exclusive and inclusive times of each function and
location, records, messages and samples of metrics.

It is the recording otf2-native-stencil-4 of the collection of traces beside the sources, which
is compared byte by byte where it is there.

Usage: otf2.py KYMO-CLI SOURCE-ROOT
"""
import collections
import gzip
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

# The trace's clock counts microseconds.
TICK_NS = 1000
KEYS = ("blocks", "exclusive_ns", "inclusive_ns")
LOCATIONS = {0: 0, 2: 1, 6: 2, 12: 3}
EVENT = re.compile(r"([A-Z_]+)\s+(\d+)\s+(\d+)\s+(.*)")


def read_events(folder):
    """Events by rank: kind, time in ticks, the rest of the line."""
    events = collections.defaultdict(list)
    with gzip.open(folder / "otf2-print.txt.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            match = EVENT.match(line)
            if match:
                kind, location, time, rest = match.groups()
                events[LOCATIONS[int(location)]].append((kind, int(time), rest))
    return events


def walk(events, zero):
    """[calls, exclusive, inclusive] by name, in nanoseconds."""
    found = collections.defaultdict(lambda: [0, 0, 0])
    stack, last = [], None
    for kind, time, rest in events:
        if kind not in ("ENTER", "LEAVE"):
            continue
        now = (time - zero) * TICK_NS
        name = rest.split('"')[1]
        if stack:
            found[stack[-1][0]][1] += now - last
        last = now
        if kind == "ENTER":
            stack.append((name, now))
            found[name][0] += 1
        else:
            top, begin = stack.pop()
            assert top == name
            if all(other != name for other, _ in stack):
                found[name][2] += now - begin
    assert not stack
    return found


def functions(answer, names, keys):
    return {names[a["id"]]: [a[key] for key in keys]
            for a in answer["activities"] if a["kind"] == "function" and a["blocks"]}


def check_profile(program, folder, events, zero):
    c = harness.Compare()
    answer = harness.ask(program, "profile", folder, "--per-location")
    names = {a["id"]: a["name"] for a in answer["activities"] if a["kind"] == "function"}
    total = collections.defaultdict(lambda: [0, 0, 0])
    for rank, its in events.items():
        own = walk(its, zero)
        c.equal(f"rank {rank}", functions(answer["per_location"][rank], names, KEYS[:2]),
                {name: figures[:2] for name, figures in own.items()})
        for name, figures in own.items():
            total[name] = [a + b for a, b in zip(total[name], figures)]
    c.equal("all ranks", functions(answer, names, KEYS), dict(total))
    return c.problems


def check_info(program, folder, events, zero):
    c = harness.Compare()
    info = harness.ask(program, "info", folder)
    count = collections.Counter(kind for its in events.values() for kind, *_ in its)
    c.equal("format", info["format"], "otf2")
    c.equal("labels", [p["label"] for p in info["location_list"]],
            [f"rank {i}" for i in range(4)])
    for rank, its in events.items():
        told = info["location_list"][rank]
        c.equal(f"rank {rank}", [told["records"], told["begin_ns"], told["end_ns"]],
                [len(its), (its[0][1] - zero) * TICK_NS, (its[-1][1] - zero) * TICK_NS])
    c.equal("blocks", info["intervals"], count["ENTER"])
    c.equal("sends", info["messages"], count["MPI_SEND"])
    c.equal("samples", info["points"], count["METRIC"])
    c.equal("report", info["report"], {"complete": True, "issues": []})
    return c.problems


def check_paths(program, folder):
    """Any file of the archive names it."""
    c = harness.Compare()
    for path in ("", "traces.otf2", "traces.def", "traces", "traces/2.evt", "traces/12.def"):
        info = harness.ask(program, "info", folder / path)
        c.equal(path, [info["title"], info["records"]], ["otf2-stencil-4", 3672])
    return c.problems


def check_same(folder, collected):
    """What lies in the repository is the recording as it was collected."""
    c = harness.Compare()
    if not collected.is_dir():
        return c.problems
    names = [p.relative_to(folder) for p in folder.rglob("*")
             if p.is_file() and p.name != "README.txt"]
    c.true("files of an archive", len(names) > 9)
    for name in names:
        c.true(f"{name} is another one",
               (folder / name).read_bytes() == (collected / name).read_bytes())
    c.equal("files of locations", sorted(p.name for p in (folder / "traces").iterdir()),
            sorted(p.name for p in (collected / "traces").iterdir()))
    return c.problems


def main():
    program, root = sys.argv[1:3]
    folder = pathlib.Path(root) / "tests" / "data" / "otf2-stencil-4"
    collected = dict(harness.tau_cases(root)).get("otf2-native-stencil-4", pathlib.Path("none"))
    events = read_events(folder)
    zero = min(its[0][1] for its in events.values())
    tap = harness.Tap()
    tap.check("profile", check_profile, program, folder, events, zero)
    tap.check("info", check_info, program, folder, events, zero)
    tap.check("paths", check_paths, program, folder)
    tap.check("the recording of the collection", check_same, folder, collected)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
