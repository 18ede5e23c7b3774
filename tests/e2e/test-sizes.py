#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every view, dialog and page of a comparison fits a window of 1024 x 640, with text
of the usual size, half again as large and twice as large, and none of them makes GTK warn.

Usage: test-sizes.py KYMO SOURCE-ROOT LOGS"""

import multiprocessing.pool
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

WIDTH, HEIGHT = 1024, 640
DIALOGS = ("app.preferences,app.shortcuts,win.attach,win.open-remote,app.about,bookmark,go-to,"
           "go-anywhere,report,export")
SAMPLE, OTF2 = "data/sample", "tests/data/otf2-stencil-4"
# Name: text, actions, arguments
WALKS = {
    "sample": (1, None, [SAMPLE]),
    "panes": (1, "sidebar,explain,table,search", [SAMPLE]),
    "dialogs": (1, DIALOGS, [SAMPLE]),
    "large": (2, None, [SAMPLE]),
    "large-dialogs": (2, DIALOGS, ["tests/data/tau/callpath-deep-4"]),
    "large-trace": (2, None, [OTF2]),
    "large-comparison": (2, None, ["--compare", SAMPLE, SAMPLE]),
    "large-stream": (2, None, ["--replay", "tests/data/streams/leanmd-p6.kymostream"]),
    "larger": (1.5, DIALOGS, [SAMPLE]),
    "scaled": (1, None, ["tests/data/tau/callpath-deep-4"]),
    "large-welcome": (2, None, []),
}
SCALES = {"scaled": {"GDK_SCALE": "2"}}
LEAST_PICTURES = {"sample": 12, "dialogs": 20, "large": 12, "larger": 20, "large-dialogs": 13,
                  "large-trace": 15, "large-comparison": 5}


def size_of(path):
    return struct.unpack(">II", path.read_bytes()[16:24])


def walk(program, source, name):
    """What is wrong, in sentences."""
    text, actions, arguments = WALKS[name]
    arguments = [str(source / word) if "/" in word else word for word in arguments]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [program, "--screenshot", folder, "--size", f"{WIDTH}x{HEIGHT}",
             "--text-scale", str(text), *(["--do", actions] if actions else []),
             *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200,
            check=False, env=dict(os.environ, **SCALES.get(name, {})))
        pictures = sorted(pathlib.Path(folder).glob("*.png"))
        said = done.stdout.decode("utf-8", "replace").splitlines()
        wrong = [line for line in said if re.search("-(WARNING|CRITICAL)", line)]
        if done.returncode != 0:
            wrong.append(f"status {done.returncode}: {said[-3:]}")
        if len(pictures) < LEAST_PICTURES.get(name, 1):
            wrong.append(f"{len(pictures)} pictures")
        for line in said:
            needs = re.match(r"kymo: (\S+) needs (\d+) x (\d+)", line)
            if needs and (int(needs[3]) > HEIGHT
                          or int(needs[2]) > WIDTH):
                wrong.append(line)
        wrong += [f"{path.name}: {size_of(path)}" for path in pictures
         if size_of(path)[0] > WIDTH or size_of(path)[1] > HEIGHT]
    return wrong


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    with multiprocessing.pool.ThreadPool(4) as pool:
        found = pool.map(lambda name: walk(program, source, name), WALKS)
    for name, wrong in zip(WALKS, found):
        print("not ok" if wrong else "ok", name)
        for line in wrong:
            print("#", line)
    sys.exit(any(found))


if __name__ == "__main__":
    main()
