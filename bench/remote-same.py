#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-same.py BUILD FOLDER...: every kind of question, in several forms, about every run below
the folders, here and through a real sshd on loopback with keys of its own. The JSON must be the
same byte for byte, and so must the sentences of what cannot be opened or answered."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import own_sshd  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = [pathlib.Path(word).resolve() for word in sys.argv[2:]]


def find_runs():
    """Folders and recordings that the command line opens as one run."""
    for folder in FOLDERS:
        for path in sorted([folder, *folder.rglob("*")]):
            if not (path.is_dir() or path.suffix in (".kymostream", ".ppk")):
                continue
            said = subprocess.run([BUILD / "src" / "cli" / "kymo-cli", "info", path, "--no-cache"],
                                  capture_output=True)
            if said.returncode == 0:
                yield path


def main():
    n_runs = n_answers = 0
    failed = []
    with tempfile.TemporaryDirectory() as name:
        sshd = own_sshd.Sshd(pathlib.Path(name))
        server = BUILD / "src" / "remote" / "kymo-server"
        far = f"env XDG_CACHE_HOME=/dev/null/cache {server} --stdio"
        try:
            for run in find_runs():
                said = subprocess.run([BUILD / "tests" / "unit" / "kymo-tests", "remote-source",
                                       ROOT, sshd.command(far), run], capture_output=True,
                                      text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
                told = re.search(r"(\d+) answers are the same", said.stdout)
                n_runs += 1
                n_answers += int(told[1]) if told else 0
                if said.returncode != 0 or told is None:
                    failed.append(run)
                    print(f"{run}: {(said.stdout + said.stderr)[-600:]}")
                else:
                    print(f"{run}: {told[1]} answers")
                sys.stdout.flush()
        finally:
            sshd.end()
    print(f"{n_runs} runs, {n_answers} answers are the same, {len(failed)} runs failed")
    return 1 if failed or n_runs == 0 else 0


sys.exit(main())
