#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""papers.py KYMO-CLI SOURCE-ROOT: the manual page and the bash completion
know every command and option that --help tells of, and no other."""

import pathlib
import re
import subprocess
import sys


def help_text(cli, *command):
    return subprocess.run([cli, *command, "--help"], check=True,
                          capture_output=True, text=True).stdout


def options_in(text):
    return set(re.findall(r"(?<![\w-])--([a-z][a-z-]+)", text))


def main(cli, root):
    root = pathlib.Path(root)
    general = help_text(cli)
    block = general.split("Commands:\n", 1)[1].split("\n\n", 1)[0]
    commands = set(re.findall(r"^  ([a-z-]+)\s", block, re.MULTILINE))
    options = options_in(general)
    for command in commands:
        options |= options_in(help_text(cli, command))

    offences = []
    man = (root / "docs/kymo-cli.1").read_text().replace("\\-", "-")
    completion = (root / "docs/completion/kymo-cli").read_text()
    known = options_in(man)
    offences += [f"kymo-cli.1: --{o} is missing" for o in options - known]
    offences += [f"kymo-cli.1: there is no --{o}" for o in known - options]
    for command in commands:
        if not re.search(rf"^\.B {command}$", man, re.MULTILINE):
            offences.append(f"kymo-cli.1: command {command} is missing")
        if not re.search(rf"\b{command}\b", completion):
            offences.append(f"completion: command {command} is missing")
    offences += [f"completion: --{o} is missing"
                 for o in options - options_in(completion)]
    for offence in sorted(offences):
        print(offence)
    return 1 if offences or not commands else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
