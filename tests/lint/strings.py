#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""strings.py SOURCE-ROOT: no words that a person reads are left out of the translation.

* In the rooms of the window and its pictures every string of words stands inside a call that
  translates or marks it, but those that are no words to anybody (ids, keys, styles).
* So it is where records are put into words that lists and pictures show.
* In all rooms the words of errors and of what a job does are marked.
* Sentences of the load report are in the catalogue, for they are looked up where they are shown.
* What xgettext reads is whole: it ends a string at a macro that it does not know.

Exit status 0 fine, 1 with every offence on a line of its own, 77 without xgettext."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import words

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "build-aux"))
sys.dont_write_bytecode = True
import potfiles  # noqa: E402
import ruletexts  # noqa: E402

TRANSLATING = {"_", "N_", "C_", "NC_", "Q_", "ngettext", "g_dngettext", "g_dpgettext2"}
OF_THE_WINDOW = ("app", "views", "plots", "session", "live")
# Errors are shown by the window, whichever room they come from: name, index of the words.
SHOWN = {"g_set_error": 3, "g_set_error_literal": 3, "g_error_new": 2, "g_error_new_literal": 2,
         "kymo_job_set_stage": 1, "kymo_job_begin": 1}
# Records in words.
SAID = ("kymo-describe.c", "kymo-events-list.c")
FIELDS = re.compile(r"[a-z]{2,} %|%s [a-z]{2,}")
CORE = ("base", "model", "io", "convert", "reduction", "analysis")
# What takes words of programs, not of people.
TECHNICAL = {
    "g_dbus_connection_call_sync",
    "g_warning", "g_debug", "g_critical", "g_error", "g_message", "g_printerr", "g_assert",
    "g_str_equal", "g_strcmp0", "strcmp", "strstr", "g_str_has_prefix", "g_str_has_suffix",
    "pango_font_description_from_string", "g_signal_connect_object", "g_signal_connect",
    "gtk_widget_add_css_class", "gdk_content_formats_new", "g_regex_new", "g_variant_new",
    "kymo_table_get_string", "kymo_table_find_column", "kymo_table_new_list",
    "kymo_table_add_columns", "kymo_question_set",
    "kymo_ccs_server_tell", "defined",
}
# The argument after the words is a style.
STYLED = ("kymo_label_new", "kymo_label_new_wrapped", "kymo_label_new_cut")
# The program that is attached to in tests: told by the command line alone.
OF_THE_COMMAND_LINE = ("kymo-ccs-server-faults.c",)
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
                   r"|[A-Za-z_]\w*|\s+|.", re.S)
WORDS = re.compile(r"[A-Za-z]{2,} +[A-Za-z]{2,}|^[A-Z][a-z]{2,}")


def strings(text):
    """(string, names of the open calls, index of the argument, line), neighbours joined."""
    line, before, calls, current = 1, "", [], None
    for token in TOKEN.findall(text):
        start = line
        line += token.count("\n")
        if token.isspace() or token.startswith(("/*", "//")):
            continue
        if token[0] == '"':
            if current is None:
                current = [token[1:-1], [name for name, _ in calls],
                           calls[-1][1] if calls else 0, start]
            else:
                current[0] += token[1:-1]
        else:
            if current is not None and not token.startswith(("G_G", "PRI", "KYMO_")):
                yield tuple(current)
                current = None
            if token in "([{":
                calls.append([before if token == "(" else token, 0])
            elif token in ")]}" and calls:
                calls.pop()
            elif token == "," and calls:
                calls[-1][1] += 1
        before = token
    if current is not None:
        yield tuple(current)


def unmarked(root, allowed):
    for room in (*OF_THE_WINDOW, *CORE):
        for path in sorted((root / "src" / room).rglob("*.c")):
            if path.name in OF_THE_COMMAND_LINE:
                continue
            text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", lambda m: "\n" * m[0].count("\n"),
                          path.read_text(encoding="utf-8"), flags=re.M)
            for string, calls, argument, line in strings(text):
                if TRANSLATING & set(calls) or string in allowed:
                    continue
                if path.name in SAID and FIELDS.search(string):
                    yield f"{path.relative_to(root)}:{line}: not marked: {string[:70]}"
                if not WORDS.search(string):
                    continue
                call = calls[-1] if calls else None
                if call in STYLED and argument == 1:
                    continue
                if room in CORE and SHOWN.get(call) != argument:
                    continue
                if room in CORE or not TECHNICAL & set(calls):
                    yield f"{path.relative_to(root)}:{line}: not marked: {string[:70]}"


def catalogue(root, folder):
    """The messages that translators get, as po/meson.build asks xgettext for them."""
    pot = pathlib.Path(folder) / "kymo.pot"
    done = subprocess.run(
        ["xgettext", *potfiles.potfiles(root), "--from-code=UTF-8", f"--output={pot}",
         "--keyword=_", "--keyword=N_", "--keyword=C_:1c,2", "--keyword=NC_:1c,2",
         "--keyword=g_dngettext:2,3", "--keyword=g_dpgettext2:2c,3"],
        cwd=root, capture_output=True, text=True, check=False)
    offences = [line for line in done.stderr.splitlines()
                if "extracted" not in line and line.strip()]
    text = pot.read_text(encoding="utf-8") if pot.exists() else ""
    found = set()
    for entry in re.findall(r'^msgid(?:_plural)? ((?:"(?:[^"\\]|\\.)*"\n)+)', text, re.M):
        found.add("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', entry)))
    return found, offences


def main():
    root = pathlib.Path(sys.argv[1])
    if not shutil.which("xgettext"):
        print("skipped: xgettext is not installed")
        return 77
    listed = root / "tests" / "lint" / "untranslated.txt"
    allowed = {line for line in listed.read_text(encoding="utf-8").splitlines()
               if line and not line.startswith("#")}
    offences = list(unmarked(root, allowed))
    with tempfile.TemporaryDirectory() as folder:
        found, told = catalogue(root, folder)
    offences += told
    if (root / ruletexts.HEADER).read_text(encoding="utf-8") != ruletexts.header(root):
        offences.append(f"{ruletexts.HEADER}: data/rules/ has other texts: run "
                        "build-aux/ruletexts.py . --write")
    tidied = {words.tidy(re.sub("<PRI(.)64>", r"\1", string)) for string in found}
    offences += [f"not for translators: {sentence} ({name})"
                 for sentence, severities, name in words.said(root)
                 if sentence not in tidied and sentence not in words.INTERNAL]
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
