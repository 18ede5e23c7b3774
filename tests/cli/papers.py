#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""papers.py KYMO-CLI SOURCE-ROOT: the manual page knows every command and option that --help
tells of, and no other. Bash completes commands, options and words as --help tells of them."""

import pathlib
import re
import subprocess
import sys

# Completes each line of its input, whose words are divided by spaces; the last one may be empty.
COMPLETE = r"""
compopt () { :; }
source "$1"
while IFS= read -r line; do
  IFS=' ' read -r -a COMP_WORDS <<< "$line"
  [[ $line == *' ' ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _kymo_cli "$2"
  echo "${COMPREPLY[@]}"
done
"""


def help_text(cli, *command):
    return subprocess.run([cli, *command, "--help"], check=True,
                          capture_output=True, text=True).stdout


def options_in(text):
    return set(re.findall(r"(?<![\w-])--([a-z][a-z-]*)", text))


def own_options(text):
    """{option: hint} of one command"""
    own = text.partition("\nOptions of this command:\n")[2].partition("\nOptions of every")[0]
    return dict(re.findall(r"^  --([a-z][a-z-]*)(?: (\S+))?", own, re.MULTILINE))


def complete(cli, root, lines):
    """{line: the words that bash offers for its last word}"""
    done = subprocess.run(
        ["bash", "-c", COMPLETE, "bash", root / "docs/completion/kymo-cli", cli], check=True,
        input="".join(line + "\n" for line in lines), capture_output=True, text=True)
    return dict(zip(lines, (set(words.split()) for words in done.stdout.split("\n"))))


def check_completion(cli, root, own, pages):
    wanted = {"kymo-cli ": set(own), "kymo-cli export ": set(
        pages["export"].partition("\nViews:\n")[2].partition("\n\n")[0].split())}
    for command, options in own.items():
        wanted[f"kymo-cli {command} --"] = {f"--{o}" for o in options_in(pages[command])
                                            if re.search(rf"^  --{o}\b", pages[command], re.M)}
        for option, hint in options.items():
            if "|" in hint and hint == hint.lower():
                wanted[f"kymo-cli {command} RUN --{option} "] = set(hint.split("|"))
    found = complete(cli, root, list(wanted))
    for line, words in wanted.items():
        if not words or found[line] != words:
            yield f"completion: after “{line}” bash offers {found[line]}, not {words}"


def main(cli, root):
    root = pathlib.Path(root)
    general = help_text(cli)
    block = general.split("Commands:\n", 1)[1].split("\n\n", 1)[0]
    commands = set(re.findall(r"^  ([a-z-]+)\s", block, re.MULTILINE))
    pages = {command: help_text(cli, command) for command in commands}
    own = {command: own_options(page) for command, page in pages.items()}
    options = options_in(general).union(*own.values())

    man = (root / "docs/kymo-cli.1").read_text().replace("\\-", "-")
    known = options_in(man)
    offences = [f"kymo-cli.1: --{o} is missing" for o in options - known]
    offences += [f"kymo-cli.1: there is no --{o}" for o in known - options]
    offences += [f"kymo-cli.1: command {command} is missing" for command in commands
                 if not re.search(rf"^\.B {command}$", man, re.MULTILINE)]
    offences += check_completion(cli, root, own, pages)
    for offence in sorted(offences):
        print(offence)
    return 1 if offences or not commands else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
