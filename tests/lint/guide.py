#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""guide.py SOURCE-ROOT: the pages of docs/guide are what the window of help can show: each is
in a folder, listed in index.md, short, has a picture with words for those who do not see it, and
links that lead somewhere; each view and each task has its page, found by its name alone.

Exit status 0 fine, 1 with every offence on a line of its own."""
import pathlib
import re
import sys

MOST_WORDS = 800
MOST_BYTES = 60 * 1024
VIEWS = pathlib.Path("src") / "views" / "run" / "kymo-views.c"
# What one does with a run, beside looking at a view of it.
TASKS = ("start", "kymo-record", "open-tau", "open-otf2", "open-profiles", "growing", "large",
         "remote", "find", "measure", "regions", "rows", "messages", "explain", "efficiency",
         "attach", "record", "compare", "compare-noise", "split", "desk", "colors", "keyboard",
         "export", "reduce", "extract", "convert", "words")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]*)\)")


def view_pages(root):
    """Page of each view: its id, or that of the view whose tab it shares."""
    table = re.search(r"kymo_views\[\] = \{\n(.*?)\n\};", (root / VIEWS).read_text("utf-8"), re.S)
    for line in re.split(r'^  \{ "', table.group(1), flags=re.M)[1:]:
        tab = re.search(r'N_\("[^"]*"\),\s*"([\w-]+)"', line)
        yield tab.group(1) if tab else line.split('"')[0]


def check_page(folder, path, text):
    body = re.sub(r"^    .*$", "", text, flags=re.M)
    if not text.startswith("# ") or text.count("\n# ") > 0:
        yield "has not one title"
    words = len(text.split())
    if words >= MOST_WORDS:
        yield f"{words} words, of less than {MOST_WORDS}"
    pictures = [link for link in LINK.findall(body) if link[0]]
    if not pictures:
        yield "has no picture"
    for _, words, target in pictures:
        if len(words.split()) < 3:
            yield f"{target}: says too little of what is seen"
        if not target.startswith("../pictures/"):
            yield f"{target}: does not lie in pictures/"
        elif not (path.parent / target).is_file():
            yield f"{target} does not exist"
        elif (path.parent / target).stat().st_size > MOST_BYTES:
            yield f"{target} is larger than {MOST_BYTES} bytes"
    for sign, _, target in LINK.findall(body):
        if not sign and "://" not in target and \
                not (path.parent / target.split("#")[0]).is_file():
            yield f"the link {target} leads nowhere"
        if not sign and ".md#" in target and \
                (path.parent / target).resolve().is_relative_to(folder.resolve()):
            yield f"the link {target}: pages of the guide have no places inside"


def main():
    root = pathlib.Path(sys.argv[1])
    folder = root / "docs" / "guide"
    paths = [path for path in folder.rglob("*.md") if path != folder / "index.md"]
    names = [path.relative_to(folder).as_posix() for path in paths]
    pages = {path.stem: path for path in paths}
    listed = re.findall(r"\]\(((?!\.\.)[^)]+\.md)\)", (folder / "index.md").read_text("utf-8"))
    views = list(view_pages(root))
    offences = [] if len(views) > 15 else [f"{VIEWS}: no table of views is found"]
    offences += [f"index.md: lists {name} {listed.count(name)} times"
                 for name in sorted({*listed, *names}) if listed.count(name) != 1]
    offences += [f"{name}: does not lie in a folder of the guide" for name in names
                 if name.count("/") != 1]
    offences += [f"{name}: another page has this name" for path, name in zip(paths, names)
                 if pages[path.stem] != path]
    offences += [f"{name}.md: a view or task of this name has no page"
                 for name in sorted({*views, *TASKS} - set(pages))]
    shown = ""
    for name, path in sorted(pages.items()):
        text = path.read_text("utf-8")
        shown += text
        offences += [f"{path.relative_to(folder)}: {words}"
                     for words in check_page(folder, path, text)]
    offences += [f"{path.name}: no page shows it" for path in (folder / "pictures").glob("*.*")
                 if f"pictures/{path.name})" not in shown]
    offences += [f"{path.name}: has no dark picture" for path in (folder / "pictures").glob("*.*")
                 if not (path.parent / "dark" / path.name).exists()]
    offences += [f"dark/{path.name}: has no light picture"
                 for path in (folder / "pictures" / "dark").glob("*")
                 if not (path.parents[1] / path.name).exists()]
    for offence in offences:
        print(f"docs/guide/{offence}")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
