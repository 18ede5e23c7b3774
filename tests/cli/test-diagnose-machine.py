#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-diagnose-machine.py KYMO-CLI SOURCE-ROOT: the rules about libraries, networks, machines and
patterns of messages, each true, false and untested, on made recordings."""
import os
import pathlib
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
RULES = SOURCE / "data" / "rules"
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402
import make_record  # noqa: E402


def diagnose(*words):
    return harness.run(CLI, "diagnose", *words, "--no-cache", "--quiet", "--format", "json")


class Machine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def found(self, *words):
        return {f["id"]: f for f in diagnose(*words).json["findings"]}

    def made(self, name, **how):
        return make_record.make_solver(self.place / name, **how)

    def usual(self, n=5, **how):
        """Words for N reference runs, whose calls differ a little."""
        return [word for i in range(n) for word in (
            "--reference", self.made(f"usual-{i}", call=20_000 + 300 * i, **how))]

    CPU = {("time on a CPU", "ns"): 60_000_000, ("time waiting for a CPU", "ns"): 100_000}

    def truths(self, *words):
        """Of each diagnosis that was tested whether it is true."""
        order = diagnose(*words, "--explain", "os.cpu").json["order"]
        return {step["id"]: step["value"] == "true" for step in order}

    def test_names(self):
        """A later file replaces rules of the same name, so each shipped one has its own."""
        names = [line for name in ("application", "hardware", "library", "system")
                 for line in (RULES / f"{name}.rules").read_text(encoding="utf-8").splitlines()
                 if line.startswith("[") and line != "[Kymo Rules]"]
        names = [name.split(" ", 1)[1] for name in names]
        self.assertEqual([n for n in names if names.count(n) > 1], [])
        self.assertGreater(len(names), 150)

    def test_slow_calls(self):
        """Slow collectives are the library's, slow large messages on a network that network's."""
        usual = self.usual(nodes={"network eth0": {("bytes sent", "bytes"): 20 << 20}},
                           processes=[self.CPU])
        eth = {("bytes sent", "bytes"): 20 << 20}
        slow = self.found(self.made("library", call=300_000, nodes={"network eth0": eth},
                                    processes=[self.CPU]), *usual)
        quick = 20_000 + 2 * 300
        self.assertAlmostEqual(slow["lib.allreduce"]["cost_ns"],
                               60 * (300_000 - quick) * (60.1 / 60), delta=60 * 2000)
        self.assertEqual(slow["lib.allreduce"]["layer"], "library")
        self.assertFalse({"net.slow", "net.shared", "os.cpu"} & set(slow))
        net = self.found(self.made("slow-net", transfer=600_000, nodes={"network eth0": eth},
                                   processes=[self.CPU]), *usual)
        self.assertIn("net.slow", net)
        self.assertFalse({"lib.allreduce", "net.shared"} & set(net))
        busy = self.found(self.made("busy-net", transfer=600_000, processes=[self.CPU],
                                    nodes={"network eth0": {("bytes sent", "bytes"): 90 << 20}}),
                          *usual)
        self.assertIn("net.shared", busy)
        self.assertFalse({"lib.allreduce", "net.slow"} & set(busy))
        same = self.truths(self.made("same", nodes={"network eth0": eth}, processes=[self.CPU]),
                           *usual)
        self.assertEqual({same[i] for i in ("lib.allreduce", "net.slow", "net.shared", "os.cpu")},
                         {False})
        # Votes count the median of calls, one run its quickest tenth.
        votes = self.found(*[self.place / "library"] * 5, *usual)["lib.allreduce"]
        self.assertEqual((votes["state"], votes["votes"]), ("likely", 5))

    def test_numa(self):
        """Memory on other NUMA nodes, of which caches cannot hold enough."""
        for own, away, wanted in ((200, 120, True), (200, 30, False), (20, 12, False)):
            run = self.made(f"numa-{own}-{away}", processes=[self.CPU | {
                ("memory of its own", "bytes", make_record.LEVEL): own << 20,
                ("memory on other NUMA nodes", "bytes", make_record.LEVEL): away << 20}])
            self.assertEqual(self.truths(run)["phys.numa"], wanted)
        # A half of the computing at most, and a third of that, as far as memory is remote.
        found = self.found(self.place / "numa-200-120")["phys.numa"]
        self.assertAlmostEqual(found["cost_ns"], 60_000_000 * 0.6 / 3, delta=10 ** 6)
        needs = {u["id"]: u["needs"] for u in
                 diagnose(self.made("flat", processes=[self.CPU])).json["untested"]}
        self.assertIn("NUMA", needs["phys.numa"])

    def test_memory_bandwidth(self):
        """Ranks compute longer: by counters of instructions and cycles, or by the probe."""
        def probe(run, rate):
            (run / "probe.ini").write_text(
                f"[Probe]\nversion=1\n[Probe Node a]\nmemory-bytes-per-s={rate}\n", "utf-8")

        usual = self.usual(processes=[self.CPU], per_cycle=1.5)
        slow = {"processes": [self.CPU], "compute": 1_500_000}
        for per_cycle, compute, wanted in ((0.9, 1_500_000, True), (1.45, 1_500_000, False),
                                           (0.9, 1_000_000, False)):
            run = self.made(f"cycles-{per_cycle}-{compute}", per_cycle=per_cycle,
                            **slow | {"compute": compute})
            # Without a probe the other definition is not tested.
            self.assertIs(self.truths(run, *usual).get("phys.membw", False), wanted)
        found = self.found(self.place / "cycles-0.9-1500000", *usual)["phys.membw"]
        self.assertAlmostEqual(found["cost_ns"], 60 * 500_000, delta=10 ** 5)
        self.assertEqual((found["layer"], found["state"]), ("hardware", "possible"))
        usual = self.usual(processes=[self.CPU])
        for word in usual[1::2]:
            probe(word, 10 ** 10)
        run = self.made("probed", **slow)
        self.assertNotIn("phys.membw", self.truths(run, *usual))
        for rate, wanted in ((6 * 10 ** 9, True), (95 * 10 ** 8, None)):
            probe(run, rate)
            self.assertIs(self.truths(run, *usual).get("phys.membw"), wanted)

    def test_slow_node(self):
        """One of four nodes computes longer; not if its process had to wait for a CPU, which the
        mean of processes hides, if others compute longer, too, or if it does now and then."""
        how = {"ranks": 4, "hosts": 4, "nodes": {"node": {("CPU time, idle", "ns"): 10 ** 9}}}
        cpu = self.CPU | {("major page faults", "#"): 0}
        waits = cpu | {("time waiting for a CPU", "ns"): 40_000_000}
        usual = self.usual(processes=[cpu], **how)

        def told(name, references, *processes, compute=1_000_000, factor=1.5):
            run = self.made(name, slow_rank=(1, factor), compute=compute, processes=processes,
                            **how)
            return self.truths(run, *references).get("phys.slow-node")

        run = self.made("slow", slow_rank=(1, 1.5), processes=[cpu], **how)
        found = self.found(run, *usual)["phys.slow-node"]
        self.assertAlmostEqual(found["cost_ns"], 60 * 500_000 - 100_000, delta=10 ** 5)
        self.assertEqual(found["layer"], "hardware")
        self.assertIs(told("waits", usual, cpu, waits, cpu, cpu), False)
        self.assertIs(told("equal", usual, cpu, factor=1.1), False)
        self.assertIs(told("all", usual, cpu, compute=1_500_000), False)
        self.assertIsNone(told("unknown", (), cpu))
        uneven = [word for i, factor in enumerate((1, 1.2, 1.4, 1, 1.3)) for word in (
            "--reference", self.made(f"uneven-{i}", slow_rank=(1, factor), processes=[cpu], **how))]
        self.assertIs(told("uneven", uneven, cpu), False)

    def test_order(self):
        """What made a run slower stands before what costs more, but as much in the references."""
        how = {"ranks": 4, "slow_rank": (1, 4), "processes": [self.CPU]}
        usual = self.usual(**how)
        slow = diagnose(self.made("slow", call=1_800_000, **how), *usual).json
        cost = {f["id"]: f["cost_ns"] for f in slow["findings"]}
        order = list(cost)
        self.assertLess(cost["lib.allreduce"], cost["app.imbalance"])
        self.assertLess(order.index("lib.allreduce"), order.index("app.imbalance"))
        self.assertEqual(slow["reference"]["state"], "explained")
        # A run that takes as long as usual, and one without references, go by cost alone.
        for words in usual, ():
            costs = [f["cost_ns"] for f in diagnose(self.place / "usual-4", *words).json["findings"]
                     if f["id"] != "app.start-up"]
            self.assertEqual(costs, sorted(costs, reverse=True))
            self.assertIn("app.imbalance", self.found(self.place / "usual-4", *words))

    def test_general(self):
        """A general cause goes behind specific ones, and the rest by cost."""
        waits = self.CPU | {("time waiting for a CPU", "ns"): 120_000_000}
        run = self.made("general", ranks=4, slow_rank=(1, 4), files=60_000_000, processes=[waits],
                        properties=[("Process.files-watched", "1"),
                                    ("Files Changed by Others./data/in", "5")])
        found = diagnose(run).json["findings"]
        order = {f["id"]: f["cost_ns"] for f in found if f["id"] in (
            "app.imbalance", "os.file-shared", "os.cpu")}
        self.assertEqual(list(order), ["app.imbalance", "os.file-shared", "os.cpu"])
        self.assertEqual(sorted(order, key=order.get), ["os.file-shared", "os.cpu",
                                                        "app.imbalance"])

    def test_changed_library(self):
        facts = [("Libraries.libmpi.so.40", "/usr/lib/libmpi.so.40;{};"), ("MPI.version", "{}")]

        def told(build, version):
            return [(facts[0][0], facts[0][1].format(build)), (facts[1][0], version)]

        usual = self.usual(properties=told("ab12", "4.1.4"))
        for build, version, changed, names in (
                ("ab12", "4.1.4", 0, None), ("ab13", "4.1.4", 1, "libmpi.so.40"),
                ("ab13", "5.0", 2, "libmpi.so.40, version")):
            run = self.made(f"run-{build}-{version}", call=300_000,
                            properties=told(build, version))
            found = self.found(run, *usual)["lib.allreduce"]
            row = next(e for e in found["evidence"] if e["metric"] == "library.changed")
            self.assertEqual((row["value"], row["shown"]),
                             (changed, f"{changed} ({names})" if names else "0"))

    def test_machine(self):
        """NFS, disks, memory, links, CPUs: true, false, and untested without the metric."""
        nfs = {"bytes read by programs": 1 << 20, "bytes read from the server": 4 << 20,
               "invalidations of cached data": 5, "READ requests": 400,
               "READ transmissions": 450, "READ timeouts": 1, "READ time queued": 30_000_000,
               "READ time at the server": 10_000_000, "READ time in all": 41_000_000}
        node = {"CPU time, idle": 0, "CPU time, user": 900_000_000, "pages swapped in": 100}
        disk = {"time busy": 10 ** 9}
        traffic = {"own bytes read": 1 << 20, "own bytes written": 0,
                   "others' bytes read": 900 << 20, "others' bytes written": 0}
        eth = {"packets received": 10_000, "faulty packets received": 50}
        job = {"times at the memory limit": 9, "memory pressure, all": 30_000_000}
        process = {"time on a CPU": 60_000_000, "time waiting for a CPU": 50_000_000,
                   "involuntary context switches": 10 ** 6, "major page faults": 0}

        def units(values):
            return {(name, "ns" if "time" in name or "pressure" in name else "#"): value
                    for name, value in values.items()}

        def scopes(factor):
            return {scope: {key: value * factor for key, value in units(values).items()}
                    for scope, values in (("nfs /data", nfs), ("node", node | traffic),
                                          ("disk sda", disk), ("network eth0", eth), ("job", job))}

        first, second = units(process), units(process | {"major page faults": 9000})
        bad = self.truths(self.made("bad", files=30_000_000, nodes=scopes(1), slow_rank=(1, 1.5),
                                    processes=[first, second]))
        good = self.truths(self.made("good", nodes=scopes(0), processes=[units(dict.fromkeys(
            process, 0) | {"time on a CPU": 60_000_000})]))
        none = self.truths(self.made("none", files=30_000_000))
        unwatched = self.truths(self.made("unwatched", files=30_000_000, properties=[
            ("Process.files-watched", "0")]))
        self.assertNotIn("os.file-shared", unwatched)
        for n, watched in ("3", True), ("1", False):
            seen = self.truths(self.made(f"seen-{n}", files=30_000_000, properties=[
                ("Process.files-watched", "2"), ("Files Changed by Others./data/in", n)]))
            self.assertEqual(seen["os.file-shared"], watched)
        for rule in ("nfs.low-bytes", "nfs.client", "nfs.retrans", "os.file-shared", "os.disk-busy",
                     "phys.memory-node", "phys.memory-limit", "phys.link-errors", "os.cpu",
                     "lib.yield"):
            self.assertEqual((bad.get(rule), good.get(rule), none.get(rule)), (True, False, None),
                             rule)

    def test_missing_files(self):
        """A kernel without pressure and schedstat: what needs these is untested and never false."""
        node = {("CPU time, user", "ns"): 900_000_000, ("pages swapped in", "#"): 0}
        bare = {("major page faults", "#"): 0, ("bytes written by calls", "bytes"): 0}
        answer = diagnose(self.made("bare", nodes={"node": node}, processes=[bare]),
                          *self.usual(nodes={"node": node}, processes=[bare])).json
        needs = {u["id"]: u["needs"] for u in answer["untested"]}
        for rule in ("os.cpu", "os.oversubscribed", "os.throttled", "phys.memory-limit",
                     "lib.yield"):
            self.assertIn("kymo-record --system", needs.get(rule, f"{rule} was tested"))
        self.assertEqual([f["id"] for f in answer["findings"] if f["layer"] != "application"], [])

    def test_slow_server(self):
        """Relative rules of machines: the NFS server, and one of two nodes."""
        def scopes(served):
            return {"nfs /data": {("READ requests", "#"): 100, ("READ time in all", "ns"): served,
                                  ("READ time at the server", "ns"): served},
                    "node": {("CPU time, idle", "ns"): 1, ("bytes", "#"): 1}}

        usual = self.usual(files=2_000_000, nodes=scopes(10 ** 6), processes=[self.CPU])
        found = self.found(self.made("late", files=30_000_000, nodes=scopes(28 * 10 ** 6),
                                     processes=[self.CPU]), *usual)
        self.assertAlmostEqual(found["nfs.server"]["cost_ns"], 27 * 10 ** 6, delta=10 ** 5)
        same = self.truths(self.made("same", files=2_000_000, nodes=scopes(10 ** 6),
                                     processes=[self.CPU]), *usual)
        self.assertFalse(same["nfs.server"])
        self.assertNotIn("nfs.server", self.truths(self.place / "late"))

    def test_contention(self):
        """With references only what is more than theirs is contention."""
        waits = self.CPU | {("time waiting for a CPU", "ns"): 60_000_000}
        alone = self.found(self.made("loaded", processes=[waits]))
        self.assertAlmostEqual(alone["os.cpu"]["cost_ns"], 60_000_000, delta=10)
        loaded = self.usual(processes=[waits])
        self.assertFalse(self.truths(self.place / "loaded", *loaded)["os.cpu"])
        quiet = self.made("quiet", processes=[self.CPU])
        words = [word for _ in range(5) for word in ("--reference", quiet)]
        found = self.found(self.place / "loaded", *words)["os.cpu"]
        self.assertAlmostEqual(found["cost_ns"], 60_000_000 - 100_000, delta=10)

    def test_foreign_load(self):
        """Calls that are long because ranks wait for CPUs are no slow library, and calls that are
        as long in two of five references are usual. Pressure that others make is not the run's."""
        def slow(name, waits_ns, *usual):
            cpu = self.CPU | {("time waiting for a CPU", "ns"): waits_ns}
            return self.truths(self.made(name, call=300_000, processes=[cpu]),
                               *usual)["lib.allreduce"]

        usual = self.usual(processes=[self.CPU])
        excess = 60 * (300_000 - 20_000)
        self.assertEqual((slow("alone", excess * 3 // 4, *usual),
                          slow("shared", excess * 3 // 2, *usual)), (True, False))
        for n_long, told in (1, True), (2, False):
            usual[-1 - 2 * (n_long - 1)] = self.made(f"long-{n_long}", call=280_000,
                                                     processes=[self.CPU])
            self.assertEqual(slow(f"beside-{n_long}", 0, *usual), told)

        nodes = {"node": {("memory pressure, all", "ns"): 30_000_000,
                          ("I/O pressure, all", "ns"): 30_000_000}}
        for faults, files in (0, 0), (9000, 30_000_000):
            process = self.CPU | {("major page faults", "#"): faults}
            seen = self.truths(self.made(f"pressed-{faults}", files=files, nodes=nodes,
                                         processes=[process]))
            self.assertEqual((seen["os.memory-pressure"], seen["os.storage-pressure"]),
                             (faults > 0, files > 0))

    def test_star(self):
        """One rank that sends to all others: what it sends says which collective could do it."""
        payload = "Process.sends-repeated", "Process.sends-other"
        for repeated, other, wanted in ((90, 0, "app.naive-bcast"), (0, 90, "app.naive-scatter"),
                                        (45, 45, None), (None, None, "app.naive-bcast")):
            told = [] if repeated is None else zip(payload, (str(repeated), str(other)))
            found = self.found(make_record.make_star(self.place / f"star-{repeated}-{other}",
                                                     properties=told), "--from", "0s")
            self.assertEqual({i for i in found if i.startswith("app.naive")},
                             {wanted} if wanted else set())
            if wanted:
                # 15 sends of 0.1 ms; a tree of 4 ranks needs 2 of 3 steps.
                self.assertAlmostEqual(found[wanted]["cost_ns"], 15 * 100_000 / 3, delta=2)
        # Sends of 1 µs, and 1 ms for each message on the link: the third receiver is one too many.
        # What rank 0 computes between its sends is not lost by them, though others wait: a send is.
        # A scatter would lose as much to a tree, so the bytes must be known.
        for name, how, lost in (("link", {}, 5 * 1_000_000), ("pause", {"pause": 1_100_000}, 5000),
                                ("eight", {"ranks": 8}, 5 * 4 * 1_000_000)):
            for told in [], [(payload[0], "9")]:
                run = make_record.make_star(self.place / f"{name}-{len(told)}", send=1000,
                                            link=1_000_000, properties=told, **how)
                turns, = harness.ask(CLI, "waiting", run, "--turns")["turns"]
                self.assertEqual((turns["location"], turns["rounds"]), (0, 5))
                self.assertAlmostEqual(turns["lost_ns"], lost, delta=20)
                found = self.found(run, "--from", "0s").get("app.naive-bcast")
                self.assertEqual(found is not None, name != "pause" and told != [])
                if found is not None:
                    self.assertAlmostEqual(found["cost_ns"], lost, delta=20)
        found = self.found(make_record.make_star(self.place / "gather", gather=True),
                           "--from", "0s")
        self.assertIn("app.naive-gather", found)

    def test_killed(self):
        """Waits for a message that never came, in a run without MPI_Finalize."""
        killed = self.found(make_record.make_star(self.place / "killed", killed=True),
                            "--from", "0s")
        self.assertGreater(killed["app.killed"]["share"], 0.5)
        self.assertNotIn("app.killed", self.found(make_record.make_star(self.place / "ended"),
                                                  "--from", "0s"))

    def test_probe(self):
        """A probe beside the run gives metrics; without it these rules are untested."""
        run = self.made("probed", processes=[self.CPU], ranks=4)
        self.assertFalse({"os.noise", "lib.algorithm"} & set(self.truths(run)))

        def probe(noise, gap, latency):
            ranks = "".join(f"[Probe Rank {i}]\nfwq-noise-share={n}\nfwq-longest-gap-ns={g}\n"
                            for i, (n, g) in enumerate(((0.001, 100), (noise, gap))))
            (run / "probe.ini").write_text(
                f"[Probe]\nversion=1\n{ranks}[Probe Pair 0 1]\npingpong-latency-ns={latency}\n"
                "pingpong-bytes-per-s=10000000000\n", encoding="utf-8")

        # A call of MPI_Allreduce takes 20 µs; the bound is 4 (latency + 6.6 µs).
        for noise, gap, latency, wanted in ((0.2, 100, 50_000, (True, False)),
                                            (0.001, 2_000_000, 50_000, (True, False)),
                                            (0.001, 100, 50_000, (False, False))):
            probe(noise, gap, latency)
            truths = self.truths(run)
            self.assertEqual((truths["os.noise"], truths["lib.algorithm"]), wanted)
        probe(0.2, 100, 1000)
        slow = self.made("slow-tree", call=200_000, ranks=4)
        (slow / "probe.ini").write_bytes((run / "probe.ini").read_bytes())
        self.assertTrue(self.truths(slow)["lib.algorithm"])

    def test_quantiles(self):
        """Equal calls, without the waits for the rank that computes longer."""
        run = self.made("quantiles", call=20_000, slow_rank=(1, 1.5), files=30_000)
        rows = {row["name"]: row
                for row in harness.ask(CLI, "call-quantiles", run, "--no-cache")["calls"]}
        lengths = sorted(20_000 + 11 * (turn % 5) for turn in range(60) for _ in range(2))
        row = rows["MPI_Allreduce"]
        self.assertEqual((row["kind"], row["calls"], row["own_ns"], row["bytes"]),
                         ("collective", 120, sum(lengths), 120 * 256))
        self.assertEqual((row["min_bytes"], row["max_bytes"]), (256, 511))
        self.assertEqual((row["p10_ns"], row["median_ns"], row["max_ns"]),
                         (lengths[11], lengths[59], lengths[-1]))
        self.assertEqual(row["row_p10_ns"], sorted(lengths[::2])[5])
        waits = harness.ask(CLI, "collectives", run, "--no-cache")["wait_ns"]
        self.assertGreater(waits, 60 * 400_000)
        self.assertEqual(row["wait_ns"], waits)
        self.assertEqual((rows["MPI_Recv"]["min_bytes"], rows["MPI_Recv"]["calls"]), (1 << 17, 120))
        row = rows["write"]
        self.assertEqual((row["kind"], row["bytes"], row["row_p10_ns"]), ("io", 4096, None))
        half = harness.ask(CLI, "call-quantiles", run, "--no-cache", "--locations", "0",
                           "--to", "45ms")["calls"]
        self.assertLess({r["name"]: r for r in half}["MPI_Allreduce"]["calls"], 60)


if __name__ == "__main__":
    unittest.main()
