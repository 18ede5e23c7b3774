# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting in recorded traces of TAU, against records that are read here anew: late
senders, late receivers, and collectives in which everybody needs everybody. What is
summed up by kind, function, path and location is the same time.

Usage: waiting.py KYMO-CLI SOURCE-ROOT
"""
import collections
import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

SEND, RECEIVE = 60007, 60008
TOGETHER = ("MPI_Allreduce()", "MPI_Barrier()")


class Call:
    def __init__(self, name, begin):
        self.name, self.begin, self.end = name, begin, None


class Rank:
    """Calls in order of begin; messages with the innermost call around each."""

    def __init__(self, folder, rank):
        self.calls, self.sends, self.receives = [], [], []
        names = names_of(folder / f"events.{rank}.edf")
        data = (folder / f"tautrace.{rank}.0.0.trc").read_bytes()
        stack = []
        for event, _, _, par, time_us in struct.iter_unpack("<iHHqQ", data):
            time = time_us * 1000
            if event in (SEND, RECEIVE):
                to = par & 0xffffffffffffffff
                partner = (to >> 56 & 0xff) << 8 | to >> 24 & 0xff
                tag = (to >> 48 & 0xff) << 8 | to >> 16 & 0xff
                (self.sends if event == SEND else self.receives).append(
                    (time, stack[-1], partner, tag))
            elif event in names and par == 1:
                stack.append(Call(names[event], time))
                self.calls.append(stack[-1])
            elif event in names and stack:
                stack.pop().end = time


def names_of(path):
    names = {}
    for line in path.read_text().splitlines()[2:]:
        if line.endswith('" EntryExit'):
            names[int(line.split()[0])] = line[line.index('"') + 1:line.rindex('"')].strip()
    return names


def waits_of_messages(ranks):
    """(rank, call) -> (ns, kind), the longest of each call."""
    waits = {}

    def put(rank, call, ns, kind):
        if ns > 0 and call.name.startswith("MPI_") and ns > waits.get((rank, call), (0,))[0]:
            waits[rank, call] = (ns, kind)

    channels = collections.defaultdict(lambda: ([], []))
    for r, rank in enumerate(ranks):
        for time, call, to, tag in rank.sends:
            channels[r, to, tag][0].append((time, call))
        for time, call, source, tag in rank.receives:
            channels[source, r, tag][1].append((time, call))
    for (source, to, _), (sends, receives) in channels.items():
        for (_, send), (got, receive) in zip(sends, receives):
            put(to, receive, min(send.begin, got) - receive.begin, "late-sender")
            if receive.begin < send.end and not send.name.startswith("MPI_Isend"):
                put(source, send, receive.begin - send.begin, "late-receiver")
    return waits


def waits_of_collectives(ranks):
    waits = {}
    for name in TOGETHER:
        calls = [[c for c in rank.calls if c.name == name] for rank in ranks]
        kind = "barrier" if "Barrier" in name else "all-to-all"
        for together in zip(*calls):
            last = max(c.begin for c in together)
            for r, call in enumerate(together):
                ns = min(last, call.end) - call.begin
                if ns > 0:
                    waits[r, call] = (ns, kind)
    return waits


def check(cli, folder, n):
    c = harness.Compare()
    ranks = [Rank(folder, r) for r in range(n)]
    waits = {**waits_of_messages(ranks), **waits_of_collectives(ranks)}
    kinds, names, rows = (collections.defaultdict(lambda: [0, 0]) for _ in range(3))
    for (rank, call), (ns, kind) in waits.items():
        for sums, key in ((kinds, kind), (names, call.name), (rows, rank)):
            sums[key][0] += ns
            sums[key][1] += 1
    got = harness.ask(cli, "waiting", folder, "--limit", "10")
    c.equal("kinds", {k["kind"]: [k["ns"], k["count"]] for k in got["kinds"] if k["ns"]},
            dict(kinds))
    c.equal("functions", {f["name"]: [f["ns"], f["count"]] for f in got["functions"]},
            dict(names))
    c.equal("rows", {l["location"]: [l["ns"], l["count"]] for l in got["locations"] if l["ns"]},
            dict(rows))
    longest = sorted((ns for ns, _ in waits.values()), reverse=True)[:10]
    c.equal("worst", [w["wait_ns"] for w in got["worst"]], longest)
    c.equal("there is some", len(waits) > 20, True)
    return c.problems


def check_sums(cli, run, span):
    """The same time, however it is summed up; and no function waits longer than it ran."""
    c = harness.Compare()
    got = harness.ask(cli, "waiting", run, *span)
    total = got["total_ns"]
    for table in ("kinds", "functions", "paths", "locations"):
        c.equal(table, sum(line["ns"] for line in got[table]), total)
    c.equal("caused", sum(line["caused_ns"] for line in got["locations"]), total)
    profile = {a["name"]: a for a in harness.ask(cli, "profile", run, *span)["activities"]
               if a["kind"] == "function"}
    c.equal("profile", sum(a["wait_ns"] for a in profile.values()), total)
    for line in got["functions"]:
        c.equal(line["name"], profile[line["name"]]["wait_ns"], line["ns"])
        c.equal("not longer", line["ns"] <= profile[line["name"]]["inclusive_ns"], True)
    return c.problems


def check_kept(cli, run):
    """From the cache as from the files."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as folder:
        env = {"XDG_CACHE_HOME": folder, "KYMO_CACHE_MIN_BYTES": "0"}
        for question in (["waiting"], ["profile"]):
            read = harness.run(cli, *question, run, "--format", "json", "--no-cache").json
            for _ in range(2):
                kept = harness.run(cli, *question, run, "--format", "json", env=env).json
                c.equal(question[0], kept, read)
        c.true("it was kept", any(pathlib.Path(folder).rglob("*.run")))
    return c.problems


def main(cli, source_root):
    data = pathlib.Path(source_root) / "tests" / "data" / "tau"
    tap = harness.Tap()
    tap.check("records", check, cli, data / "trace-stencil-4", 4)
    for run in (data / "trace-stencil-4", data / "trace-stencil-4" / "tau.trc",
                data / "trace-threads-2x3"):
        for span in ((), ("--from", "110ms", "--to", "113ms")):
            tap.check(f"{run.name} {' '.join(span)}", check_sums, cli, run, span)
    tap.check("kept", check_kept, cli, data / "trace-stencil-4")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
