#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""papers.py KYMO-CLI SOURCE-ROOT: the manual page knows every command and option that --help
tells of, and no other. Bash completes commands, options and words as --help tells of them. The
example of every command is answered for at least one of the recorded runs."""

import pathlib
import os
import re
import shlex
import subprocess
import sys
import tempfile

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


def example_of(page):
    return shlex.split(re.search(r"^Example:\n  kymo-cli (.*)$", page, re.MULTILINE)[1])


def is_answered(cli, words, folder):
    home = {name: str(folder / name) for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME",
                                                  "XDG_CONFIG_HOME")}
    done = subprocess.run([cli, *words, "--quiet"], capture_output=True, timeout=120,
                          env={**os.environ, **home})
    # Broken bounds are an answer, too; a run that has nothing of the kind says so.
    return done.returncode == 0 or words[0] == "check" and not done.stderr


def check_examples(cli, root, pages):
    """Those of `attach` need a running program, those of `fetch` and `hosts` another machine,
    those of `recover` a program that was killed: other tests have them."""
    data = root / "tests" / "data"
    runs = [root / "data" / "sample", data / "tau" / "trace-stencil-4", data / "otf2-stencil-4",
            data / "tau" / "callpath-deep-4", data / "tau" / "phase-8",
            data / "streams" / "load-p4.kymostream"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        reduced = folder / "reduced"
        subprocess.run([cli, "reduce", runs[0], reduced, "--keep", "4", "--quiet", "--no-cache"],
                       check=True, capture_output=True, timeout=120)
        for command in sorted(set(pages) - {"attach", "fetch", "hosts", "recover"}):
            for i, run in enumerate(runs):
                names = {"RUN": run, "OUT": folder / f"{command}-{i}", "OTHER": run,
                         "REDUCED": reduced, "timeline.svg": folder / "timeline.svg",
                         "run.kymostream": runs[-1],
                         "run.kymodesk": data / "desks" / "whole.kymodesk"}
                words = [str(names.get(word, word)) for word in example_of(pages[command])]
                if is_answered(cli, words, folder):
                    break
            else:
                yield f"the example of {command} is answered for no run: {' '.join(words)}"


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
    offences += check_examples(cli, root, pages)
    if subprocess.run([cli, "help", "usage"], capture_output=True, text=True).stdout \
            != pages["usage"]:
        offences.append("kymo-cli help usage: not what --help says")
    for offence in sorted(offences):
        print(offence)
    return 1 if offences or not commands else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
