#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""live-window.py [--build build] [--recording FILE] [--seconds 30] [--warm 15]
[--size 1280x800,1920x1080] [--limit PERCENT]

What it costs to follow a stream in the window: serves a recording on loopback
with kymo-cli, attaches the real window to it under Xvfb, with the cairo
renderer, and tells user + system time of the process per second, by thread,
when it has warmed up. Without a recording one of 1,000 bins of 200 entry
methods a second is made. Exit status 1 where it is above the limit."""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")


def take_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--recording")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--warm", type=float, default=15)
    parser.add_argument("--size", default="1280x800,1920x1080")
    parser.add_argument("--limit", type=float)
    parser.add_argument("--perf", metavar="FILE", help="perf record into it")
    return parser.parse_args()


def read_times(pid):
    """{thread id: (name, seconds)} of the threads that are there now."""
    times = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            text = (task / "stat").read_text()
        except OSError:
            continue
        name, rest = re.fullmatch(r"\d+ \((.*)\) (.*)", text.strip(), re.S).groups()
        fields = rest.split()
        times[task.name] = name, (int(fields[11]) + int(fields[12])) / TICK
    return times


def read_all(pid):
    """User and system time of the process, threads that have ended included."""
    text = pathlib.Path(f"/proc/{pid}/schedstat").read_text()
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK, text


def read_memory(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def serve(build, recording):
    server = subprocess.Popen(
        [build / "src/cli/kymo-cli", "replay", recording, "--serve", "0", "--repeat"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in server.stdout:
        found = re.search(r"port\D*(\d+)|:(\d+)", line)
        if found:
            return server, found.group(1) or found.group(2)
    sys.exit("the server did not begin")


def start_display(size):
    read, write = os.pipe()
    display = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    return display, os.read(read, 20).decode().strip()


def measure(options, build, port, size, scratch):
    display, number = start_display(size)
    environment = dict(
        os.environ, DISPLAY=":" + number, GDK_BACKEND="x11", GSK_RENDERER="cairo",
        GSETTINGS_BACKEND="memory", GSETTINGS_SCHEMA_DIR=str(build / "data"),
        GTK_A11Y="none", XDG_CACHE_HOME=scratch, XDG_CONFIG_HOME=scratch, LC_ALL="C.UTF-8")
    window = subprocess.Popen(
        ["dbus-run-session", "--", build / "src/app/kymo", "--size", size,
         f"--attach=127.0.0.1:{port}"], env=environment, stderr=subprocess.DEVNULL)
    try:
        time.sleep(options.warm)
        pid = subprocess.run(["pgrep", "-P", str(window.pid), "-f", "src/app/kymo"],
                             capture_output=True, text=True).stdout.split()[0]
        return follow(options, pid)
    finally:
        subprocess.run(["kill", pid], check=False)
        window.wait()
        display.terminate()
        display.wait()


def follow(options, pid):
    before, begin = read_times(pid), time.monotonic()
    all_before = read_all(pid)[0]
    if options.perf:
        subprocess.run(["perf", "record", "-q", "-g", "-o", options.perf, "-p", pid, "--",
                        "sleep", str(options.seconds)], check=False)
    else:
        time.sleep(options.seconds)
    passed = time.monotonic() - begin
    threads = collections.Counter()
    for thread, (name, seconds) in read_times(pid).items():
        threads[name] += (seconds - before.get(thread, (name, 0.0))[1]) / passed
    total = (read_all(pid)[0] - all_before) / passed
    return total, threads, read_memory(pid)


def main():
    options = take_options()
    build = pathlib.Path(options.build).resolve()
    worst = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        recording = options.recording
        if recording is None:
            recording = scratch + "/heavy.kymostream"
            subprocess.run([build / "bench/kymo-make-stream", "--blocks", "60", recording],
                           check=True)
        server, port = serve(build, recording)
        try:
            for size in options.size.split(","):
                total, threads, memory = measure(options, build, port, size, scratch)
                worst = max(worst, 100 * total)
                parts = ", ".join(f"{name} {100 * share:.2f}"
                                  for name, share in threads.most_common(6))
                print(f"{size}: {100 * total:.2f} % of a core ({parts}), {memory:.0f} MiB",
                      flush=True)
        finally:
            server.terminate()
    return options.limit is not None and worst > options.limit


if __name__ == "__main__":
    sys.exit(main())
