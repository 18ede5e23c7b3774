# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages between functions: every recorded trace of TAU that has an oracle of its
messages, per thread and merged, against that; and what one question counts is what
the others count, of the whole run and of parts of it.

Usage: exchanges.py KYMO-CLI SOURCE-ROOT
"""
import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

PARTS = 4
SIZES = ["histogram", "--of", "message-size", "--bins", "1", "--min", "0", "--max", "4294967296"]


def truth_of(folder):
    path = folder / "oracle.json"
    truth = json.loads(path.read_text()) if path.is_file() else {}
    if not isinstance(truth, dict):
        return None                     # of a profile
    return truth.get("merged") or truth.get("per_rank")


def forms(folder):
    """The same run per thread and merged."""
    yield folder
    if (folder / "tau.trc").is_file():
        yield folder / "tau.trc"


def check_oracle(cli, path, truth):
    c = harness.Compare()
    answer = harness.ask(cli, "communication", path)
    matrix = {f"{cell['from']}>{cell['to']}": [cell["messages"], cell["bytes"]]
              for cell in answer["matrix"]}
    sent = collections.defaultdict(lambda: [0, 0])
    for pair, (count, size) in truth["sent"].items():
        sent[int(pair.split(">")[0])][0] += count
        sent[int(pair.split(">")[0])][1] += size
    c.equal("received", matrix, truth["received"])
    c.equal("matched", answer["matched"], truth["matched_fifo_per_src_dst_tag_comm"])
    c.equal("unmatched", answer["unmatched"],
            sum(count for count, _ in truth["received"].values()) - answer["matched"])
    c.equal("sent", {row["location"]: [row["records"], row["bytes"]]
                     for row in answer["sent"] if row["records"]}, dict(sent))
    messages = harness.ask(cli, "messages", path, "--limit", "1000000")["messages"]
    c.equal("before they were sent",
            sum(m["latency_ns"] is not None and m["latency_ns"] < 0 for m in messages),
            truth["recv_before_send"])
    return c.problems


def check_counts(cli, path, span):
    """Of one part of the run: questions that count the same agree."""
    c = harness.Compare()
    part = ["--from", str(span[0]), "--to", str(span[1])]
    answer = harness.ask(cli, "communication", path, *part)
    listed = harness.ask(cli, "messages", path, "--limit", "1000000", *part)
    grouped = harness.ask(cli, "messages", path, "--limit", "1", *part)
    sizes = harness.ask(cli, *SIZES, path, *part)
    c.equal("count", listed["count"], answer["messages"])
    c.equal("bytes", sum(m["bytes"] for m in listed["messages"]), answer["bytes"])
    c.equal("matched", sum(m["sent_ns"] is not None for m in listed["messages"]),
            answer["matched"])
    if listed["count"] > 1:
        c.equal("groups", [(g["from"], g["to"], g["count"], g["bytes"])
                           for g in grouped["groups"]],
                [(m["from"], m["to"], m["messages"], m["bytes"]) for m in answer["matrix"]])
    c.equal("sizes", sum(sizes["total"]) + sizes["above"],
            sum(row["records"] for row in answer["sent"]))
    for by, total in (("received", answer["messages"]), ("bytes-received", answer["bytes"]),
                      ("sent", sum(row["records"] for row in answer["sent"])),
                      ("bytes-sent", sum(row["bytes"] for row in answer["sent"]))):
        found = harness.ask(cli, "extrema", path, "--by", by, "--count", "1000", *part)
        key = "value_bytes" if by.startswith("bytes") else "value"
        c.equal(by, sum(row[key] for row in found["extrema"]), total)
    return c.problems


def check_path(cli, path, span):
    c = harness.Compare()
    answer = harness.ask(cli, "critical-path", path, "--limit", "1000000",
                         "--from", str(span[0]), "--to", str(span[1]))
    steps = answer["steps"]
    c.equal("length", sum(s["end_ns"] - s["begin_ns"] for s in steps), answer["path_ns"])
    c.true("steps touch", all(a["end_ns"] == b["begin_ns"] for a, b in zip(steps, steps[1:])))
    c.equal("by function", sum(a["path_ns"] for a in answer["activities"]), answer["path_ns"])
    return c.problems


def check_merged(cli, folder):
    """All answers about messages are the same of both forms."""
    c = harness.Compare()
    for question in (["communication"], ["messages", "--limit", "100000"], ["clocks"],
                     ["critical-path", "--limit", "100000"], SIZES):
        apart, merged = (harness.ask(cli, *question, path) for path in forms(folder))
        c.equal(question[0], merged, apart)
    return c.problems


def main(cli, source_root):
    tap = harness.Tap()
    found = 0
    for name, folder in harness.tau_cases(source_root):
        truth = truth_of(folder)
        if not truth or "received" not in truth:
            continue
        found += 1
        for path in forms(folder):
            tap.check(f"{name}: {path.name}", check_oracle, cli, path, truth)
        info = harness.ask(cli, "info", folder)
        begin, end = info["begin_ns"], info["end_ns"]
        step = (end - begin) // PARTS
        for span in [(begin, end)] + [(begin + i * step, begin + (i + 1) * step)
                                      for i in range(PARTS)]:
            if info["locations"] > 1:
                tap.check(f"{name}: counts {span}", check_counts, cli, folder, span)
            tap.check(f"{name}: path {span}", check_path, cli, folder, span)
        if (folder / "tau.trc").is_file():
            tap.check(f"{name}: merged", check_merged, cli, folder)
    tap.check("there are recordings", lambda: [] if found > 1 else ["none"])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
