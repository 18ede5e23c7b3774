#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""papers.py KYMO-CLI SOURCE-ROOT: the manual page and the bash completion
know every command and option that --help tells of, and no other. The completion
offers each command its own options, and of options that take a word all words. Each question
has a golden answer or picture."""

import pathlib
import re
import subprocess
import sys


def help_text(cli, *command):
    return subprocess.run([cli, *command, "--help"], check=True,
                          capture_output=True, text=True).stdout


def options_in(text):
    return set(re.findall(r"(?<![\w-])--([a-z][a-z-]*)", text))


def own_options(text):
    """{option: hint} of one command"""
    own = text.partition("\nOptions of this command:\n")[2].partition("\nOptions of every")[0]
    return dict(re.findall(r"^  --([a-z][a-z-]*)(?: (\S+))?", own, re.MULTILINE))


def offered(completion):
    """{command: options that bash offers it}"""
    cases = re.search(r"^ *case \$command in\n(.*?)^ *esac", completion,
                      re.DOTALL | re.MULTILINE)[1]
    return {command: options_in(options)
            for names, options in re.findall(r"^ *([a-z |-]+)\)(.*?);;", cases,
                                             re.DOTALL | re.MULTILINE)
            for command in re.split(r" *\| *", names)}


def words_of(completion, command, option):
    """The words that bash offers after the option of the command"""
    case = re.search(rf"^ *(?:--[a-z-]+ \| )*--{option}(?: \| --[a-z-]+)*\)\n(.*?)return ;;",
                     completion, re.DOTALL | re.MULTILINE)
    for test, words in re.findall(r'(?:if \[\[ (.*?) \]\]; then\n|else\n|\A) *mapfile.*?-W "(.*?)"',
                                  case[1] if case else "", re.DOTALL):
        if not test or f"$command == {command}" in re.split(r" \|\| ", test):
            return set(words.split())
    return set()


def check_completion(completion, command, options):
    known = offered(completion).get(command, set())
    for option in sorted(set(options) ^ known):
        yield (f"completion: {command} has --{option}, which is not offered" if option in options
               else f"completion: {command} has no --{option}")
    for option, hint in options.items():
        if "|" in hint and hint == hint.lower():
            for word in sorted(set(hint.split("|")) - words_of(completion, command, option)):
                yield f"completion: {command} --{option} does not offer {word}"


def main(cli, root):
    root = pathlib.Path(root)
    general = help_text(cli)
    block = general.split("Commands:\n", 1)[1].split("\n\n", 1)[0]
    commands = set(re.findall(r"^  ([a-z-]+)\s", block, re.MULTILINE))
    options = options_in(general)
    own = {command: own_options(help_text(cli, command)) for command in commands}
    options.update(*own.values())

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
        offences += check_completion(completion, command, own[command])
    offences += [f"completion: --{o} is missing"
                 for o in options_in(general) - options_in(completion)]
    golden = (root / "tests/golden/golden.py").read_text()
    offences += [f"tests/golden/golden.py: no answer of {command}: add one to ALONE"
                 for command in commands - {"check", "filter"}
                 if f'"{command}"' not in golden
                 and re.match(r"Usage: \S+ \S+ RUN( TEXT)? \[", help_text(cli, command))]
    for offence in sorted(offences):
        print(offence)
    return 1 if offences or not commands else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
