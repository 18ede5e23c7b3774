# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording that kymo-cli serves as a running program, and what is told of recordings."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(sys.argv[2], "tests", "support"))
import make_stream

# Of the pace of the recording.
SPEED = "1.5"
# So often does its story begin anew: longer than a test takes, on a busy machine too. A
# program that sends as fast as it can has a shorter one.
TIMES, SHORT_TIMES = 80, 10


class Job:
    """A recording that is served as a running program."""

    def __init__(self, cli, recording, speed=SPEED, port="0"):
        self.process = subprocess.Popen(
            [cli, "replay", recording, "--serve", port, "--speed", speed,
             "--quiet"], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.address = "localhost:" + re.search(r"port = (\d+)", line).group(1)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait(60)
        self.process.stdout.close()


def blocks(cli, recording):
    """What kymo-cli tells of a recording, a block a line; without the names,
    for a job sends numbers."""
    done = subprocess.run([cli, "replay", recording, "--format", "json"],
                          capture_output=True, text=True, check=True)
    told = []
    for line in done.stdout.splitlines():
        block = json.loads(line)
        if "block" not in block:        # a mark, or how the connection is
            continue
        told.append([block[key] for key in ("block", "bins", "pes", "bytes",
                                            "utilization")]
                    + [sorted((activity["id"], activity["share"])
                              for activity in block["activities"])])
    return told


def prepare(source, folder):
    """(recording, names): one that is long enough, made of the replies of a
    real program, and the .sts that was recorded with them."""
    path = os.path.join(source, "tests", "data", "streams",
                        "load-p4.kymostream")
    _, frames = make_stream.split(pathlib.Path(path).read_bytes())
    replies = [frame for frame in frames if frame[0] == make_stream.REPLY]
    length_us = replies[-1][1] - replies[0][1] + 1000000
    head = [frame for frame in frames if frame[0] == make_stream.FORM]
    story = [(kind, at_us + i * length_us, make_stream.NO_TIME, payload)
             for i in range(TIMES) for kind, at_us, _, payload in replies]
    recording, names = folder / "job.kymostream", folder / "load.util.sts"
    recording.write_bytes(make_stream.recording(head[:1] + story))
    (folder / "short.kymostream").write_bytes(make_stream.recording(
        head[:1] + story[:SHORT_TIMES * len(replies)]))
    names.write_bytes(next(frame[3] for frame in frames
                           if frame[0] == make_stream.NAMES))
    return recording, names
