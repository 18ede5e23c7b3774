# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording served by kymo-cli, as a context: with Serving(...) as peer."""
import os
import re
import signal
import subprocess

from harness import NO_CACHE

# A sanitizer keeps for a while what was freed, and more about it.
MEMORY_FACTOR = 8 if "ASAN_OPTIONS" in os.environ else 1
LINE = re.compile(r"^ccs: Server IP = 127\.0\.0\.1, Server port = (\d+) \$$")


class Serving:
    def __init__(self, program, recording, *args, port=0, stderr=subprocess.PIPE):
        self.process = subprocess.Popen(
            [program, "replay", str(recording), "--serve", str(port), *map(str, args)],
            stdout=subprocess.PIPE, stderr=stderr, stdin=subprocess.DEVNULL,
            env={**os.environ, **NO_CACHE})
        line = self.process.stdout.readline().decode()
        found = LINE.match(line)
        if found is None:
            _, err = self.process.communicate(timeout=20)
            raise AssertionError(f"no port in {line!r}: {(err or b'').decode()[:300]}")
        self.port = int(found.group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Exit status; SIGINT ends it where it has not ended by itself."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.out, self.err = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.out, self.err = self.process.communicate()
            raise
        return self.process.returncode

    def wait(self, timeout=20):
        """Exit status of one that ends by itself."""
        self.out, self.err = self.process.communicate(timeout=timeout)
        return self.process.returncode

    def rss_bytes(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def n_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
