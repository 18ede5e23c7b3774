#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a recorded trace of TAU smaller: of the calls of one function (those without
flushing inside) every so-many-th stays, with all below it, in the traces of ranks and in
the merged one. No time changes, so what is left nests and matches as before. The oracle of
the rest is read off its records here, by a reader that shares nothing with Kymo's; before
that it must find what the oracle of the whole recording says.

Usage: cut_tau.py RECORDING OUT FUNCTION KEEP-EVERY
"""
import collections
import json
import pathlib
import shutil
import struct
import sys

RECORD = struct.Struct("<iHHqQ")        # event, node, thread, parameter, microseconds
SEND, RECEIVE = 60007, 60008
READ = ("records", "first_ts", "last_ts", "matched_fifo_per_src_dst_tag_comm",
        "recv_before_send", "sent", "received")


def events_of(path):
    """{id: (name, group, kind)}"""
    events = {}
    for line in path.read_text().splitlines()[2:]:
        head, name, kind = line[:line.index('"')], line[line.index('"') + 1:line.rindex('"')], \
            line[line.rindex('"') + 1:]
        events[int(head.split()[0])] = (name, head.split()[1], kind.strip())
    return events


def records_of(path):
    return list(RECORD.iter_unpack(path.read_bytes()))


def dropped(records, events, function, every):
    """The places of records of one rank that go."""
    gone, stack, seen = set(), [], 0
    for place, (event, _, _, parameter, _) in enumerate(records):
        name, _, kind = events.get(event, ("", "", ""))
        if kind != "EntryExit":
            continue
        if parameter == 1:
            stack.append((name, place))
            continue
        begun, first = stack.pop()
        inside = {events.get(r[0], ("",))[0] for r in records[first:place]}
        if begun == function and "FLUSH" not in inside:
            gone.update(range(first, place + 1) if seen % every else ())
            seen += 1
    return gone


def thread_of(records, events):
    calls = collections.defaultdict(lambda: {"calls": 0, "excl_us": 0, "incl_us": 0})
    counted = collections.defaultdict(lambda: {"records": 0, "raw_sum": 0})
    stack = []
    for event, _, _, parameter, time in records:
        name, group, kind = events[event]
        if kind == "TriggerValue":
            counted[name]["records"] += 1
            counted[name]["raw_sum"] += parameter
        if kind != "EntryExit":
            continue
        if parameter == 1:
            stack.append([name, time, 0])
            continue
        begun, since, nested = stack.pop()
        if stack:
            stack[-1][2] += time - since
        call = calls[begun]
        call["calls"] += 1
        call["excl_us"] += time - since - nested
        call["incl_us"] += time - since if begun not in (s[0] for s in stack) else 0
        call["group"] = group
    return {"records": len(records), "first": records[0][4], "last": records[-1][4],
            "events": calls}, counted


def message_of(parameter):
    """(partner, tag, bytes, communicator): each in two halves of the word."""
    word = parameter & 0xffffffffffffffff
    return ((word >> 56 & 0xff) << 8 | word >> 24 & 0xff, (word >> 48 & 0xff) << 8
            | word >> 16 & 0xff, (word >> 32 & 0xffff) << 16 | word & 0xffff, word >> 40 & 0xff)


def truth_of(folder, ranks):
    truth = {"threads": {}, "user_events": {}, "sent": {}, "received": {}}
    queues, matched = collections.defaultdict(collections.deque), 0
    receives, early = [], 0
    for rank in ranks:
        events = events_of(folder / f"events.{rank}.edf")
        records = records_of(folder / f"tautrace.{rank}.0.0.trc")
        thread, counted = thread_of(records, events)
        truth["threads"][f"{rank}.0"] = thread
        truth["user_events"][f"{rank}.0"] = counted
        for event, _, _, parameter, time in records:
            if event not in (SEND, RECEIVE):
                continue
            partner, tag, size, _ = message_of(parameter)
            pair = (rank, partner) if event == SEND else (partner, rank)
            cell = truth["sent" if event == SEND else "received"].setdefault(
                "{}>{}".format(*pair), [0, 0])
            cell[0] += 1
            cell[1] += size
            if event == SEND:
                queues[pair + (tag,)].append(time)
            else:
                receives.append((pair + (tag,), time))
    for key, time in receives:
        if queues[key]:
            matched += 1
            early += time < queues[key].popleft()
    threads = truth["threads"].values()
    truth.update(records=sum(t["records"] for t in threads), recv_before_send=early,
                 first_ts=min(t["first"] for t in threads),
                 last_ts=max(t["last"] for t in threads),
                 matched_fifo_per_src_dst_tag_comm=matched)
    return truth


def check(truth, oracle):
    """What is read here is what the recording's own oracle says."""
    for key in READ:
        assert truth[key] == oracle[key], (key, truth[key], oracle[key])
    for name, thread in truth["threads"].items():
        theirs = oracle["threads"][name]["events"]
        mine = {event: dict(call, open_at_end=0) for event, call in thread["events"].items()}
        assert mine == theirs, (name, mine, theirs)
        for event, sums in truth["user_events"][name].items():
            theirs = oracle["user_events"][name].get(event)
            assert theirs is None or all(theirs[k] == sums[k] for k in sums), (name, event)


def main():
    source, out, function, every = (pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]),
                                    sys.argv[3], int(sys.argv[4]))
    ranks = sorted(int(path.name.split(".")[1]) for path in source.glob("tautrace.*.0.0.trc"))
    oracle = json.loads((source / "oracle.json").read_text())["merged"]
    check(truth_of(source, ranks), oracle)
    shutil.copytree(source, out, copy_function=shutil.copyfile)
    gone = {}
    for rank in ranks:
        name = f"tautrace.{rank}.0.0.trc"
        records = records_of(source / name)
        gone[rank] = dropped(records, events_of(source / f"events.{rank}.edf"), function, every)
        (out / name).write_bytes(b"".join(RECORD.pack(*r) for i, r in enumerate(records)
                                          if i not in gone[rank]))
    place, merged = collections.Counter(), []
    for record in records_of(source / "tau.trc"):
        if place[record[1]] not in gone[record[1]]:
            merged.append(RECORD.pack(*record))
        place[record[1]] += 1
    (out / "tau.trc").write_bytes(b"".join(merged))
    truth = truth_of(out, ranks)
    for name, counted in truth["user_events"].items():   # metadata are no user events
        truth["user_events"][name] = {event: counted[event] for event in counted
                                      if event in oracle["user_events"][name]}
    (out / "oracle.json").write_text(json.dumps({"merged": truth}, indent=1) + "\n")
    with open(out / "case.txt", "a", encoding="utf-8") as case:
        case.write(f"cut: of the calls of “{function.strip()}” one in {every} stays "
                   "(tests/support/cut_tau.py)\n")


if __name__ == "__main__":
    main()
