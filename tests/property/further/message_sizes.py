# SPDX-License-Identifier: GPL-3.0-or-later
"""How many messages there are of each size, by brute force: every message one by one."""
import collections
import random

import traffic


def check(c, ask, question, about):
    rng = random.Random(str(question.arguments))
    joined = rng.random() < 0.5
    comm = about.comm if joined else set()
    answer = ask("message-sizes", *(["--join"] if joined else []))
    traffic.check(c, answer, traffic.totals(question, comm))
    names = {i: name for name, ids in about.ids_of.items() for i in ids}
    wanted, told = (collections.defaultdict(lambda: [0, 0]) for _ in range(2))
    for m in traffic.asked(question, comm):
        if question.holds(m.begin):
            row = wanted[names.get(m.ep, m.ep), m.bytes.bit_length()]
            row[0] += 1
            row[1] += m.bytes
    for r in answer["sizes"]:
        c.true("a class of sizes", r["min_bytes"].bit_length() == r["max_bytes"].bit_length())
        row = told[r["name"], r["min_bytes"].bit_length()]
        row[0] += r["messages"]
        row[1] += r["bytes"]
    c.equal("sizes", dict(told), dict(wanted))
    for key, parts in ("messages", "values"), ("bytes", "bytes"):
        c.equal(f"series of {key}", sum(sum(s[parts]) for s in answer["series"]), answer[key])
