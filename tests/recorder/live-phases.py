# SPDX-License-Identifier: GPL-3.0-or-later
"""A long run under kymo-record --live whose phases change: alarms come at the right second, each
once, as the bins of the stored stream and the values of each second tell it.

Usage: live-phases.py MPIRUN KYMO-CLI KYMO-RECORD PROGRAM PHASES SECONDS-OF-A-PHASE
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import live
import recording
from recording import harness

import make_stream  # in tests/support, which recording looks in

RANKS, SLOW_RANK = 4, 2
WATCHED = ("--watch", "lowest load below 40% for 2s", "--watch", "above 3% for 1s read")
BIN_MS, SECOND_MS = 1, 1000


def find_changes(blocks, names, least_ms):
    """Milliseconds at which a phase with reads begins: the first read after long without any."""
    (reader,) = [id_ for id_, (name, _) in names.items() if name == "read"]
    last, found = -least_ms, []
    for number in sorted(blocks):
        for at, bin_ in enumerate(make_stream.decode(blocks[number], live.DETAIL)):
            if reader in bin_:
                now = number * SECOND_MS + at * BIN_MS
                found += [now] if now - last >= least_ms else []
                last = now
    return found


def lowest_loads(values):
    loads = {}
    for number, text in values.items():
        words = next(line for line in text.decode().splitlines() if line[:5] == "load ").split()
        loads[number] = int(words[4])
    return loads


def expect_load(loads):
    """Seconds where two seconds begin in which the lowest load is below 40 % in the mean, and
    were not before. On a busy machine this also happens by chance."""
    expected, met = [], False
    for second in sorted(loads)[1:]:
        now = loads[second - 1] + loads[second] < 800000
        if now and not met:
            expected.append(second - 1)
        met = now
    return expected


def check_phases(mpirun, program, recorder, executable, n_phases, phase_s):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        record, seen = scratch / "record", scratch / "seen.kymostream"
        words = [*recording.launch(mpirun, RANKS), recorder, "-o", record, "--live", "--",
                 executable, n_phases * phase_s, phase_s]
        with subprocess.Popen([str(word) for word in words], cwd=scratch, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=recording.surroundings()) as job:
            address = live.wait_for("an address", lambda: live.read_text(record / "live.address"))
            attach = [program, "attach", address, "--format", "json", "--record", seen, *WATCHED]
            lines = subprocess.run(attach, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   check=False).stdout
            c.equal("the program", job.wait(60), 0)
        blocks, values, names, _ = live.stored(record)
        changes = find_changes(blocks, names, phase_s * SECOND_MS // 2)
        c.equal("phases with reads", len(changes), n_phases // 2)
        for one, two in zip(changes, changes[1:]):
            c.true(f"phases of {two - one} ms", abs(two - one - 2 * phase_s * SECOND_MS) < 500)
        alarms = [(line["alarm"], line["begin_ns"] // 10 ** 6)
                  for line in map(json.loads, lines.splitlines()) if "alarm" in line]
        loads = [at for text, at in alarms if text.startswith("Load: lowest below 40 % for 2 s")]
        reads = [at for text, at in alarms if text.startswith("read was above 3 % for 1 s")]
        c.equal("alarms of the load", loads,
                [SECOND_MS * at for at in expect_load(lowest_loads(values))])
        for change in changes:
            # A second with the change in its begin may be below 40 % with the next one.
            told = [text for text, at in alarms
                    if text.startswith("Load") and abs(at // SECOND_MS - change // SECOND_MS) <= 1]
            c.equal(f"alarms at the change at {change} ms: {told}", len(told), 1)
        # By chance another rank may be the lowest one for once.
        slow = [text for text, _ in alarms if re.search(rf"^Load.*, rank {SLOW_RANK}\)$", text)]
        c.true(f"rank {SLOW_RANK} in {len(slow)} of {len(loads)}", 2 * len(slow) > len(changes))
        c.equal("each alarm once", len(alarms), len(loads) + len(reads))
        c.equal("alarms of reads", len(reads), len(changes))
        for at, change in zip(reads, changes):
            # The most extreme of the stretches that end in the block of the change or the next one.
            c.true(f"reads: {at} ms, a change at {change} ms", -1000 <= at - change <= 2000)
        later = harness.run(program, "replay", seen, "--format", "json", *WATCHED).out
        c.equal("alarms of the recording",
                [(line["alarm"], line["begin_ns"] // 10 ** 6)
                 for line in map(json.loads, later.splitlines()) if "alarm" in line], alarms)
    return c.problems


def main(arguments):
    mpirun, *paths = arguments[:4]
    program, recorder, executable = (pathlib.Path(path).resolve() for path in paths)
    tap = harness.Tap()
    tap.check(f"{arguments[4]} phases of {arguments[5]} s", check_phases, mpirun, program, recorder,
              executable, int(arguments[4]), int(arguments[5]))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
