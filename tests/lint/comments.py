#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""comments.py SOURCE-ROOT [--all]: what the comments of public functions say.

A public function is declared in a header of its room. Its comment stands before its definition
(or in the header) and begins with two stars and its name. It has to say
  - more than the name,
  - the meaning of each parameter that its type and name do not tell,
  - what is returned, and who owns it,
  - when a GError is set.
Each room of ROOMS needs such a comment at LEAST percent of its functions; where there are fewer,
each function that lacks something is named. Nowhere may a comment have no words. --all names the
functions in the other rooms of ROOMS as well.

Exit status 0 fine, 1 with every offence on a line of its own."""
import pathlib
import re
import sys

ROOMS = ("base", "model", "io", "analysis", "live", "session")
LEAST = 90

EMPTY = re.compile(r"^/\*\*\s*\*?\s*\w+:\s*\*/", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
DECLARED = re.compile(r"^(?!typedef|static|return|else|#)(\w[\w \n]*?[ *\n]+)\**(kymo_\w+)\s*"
                      r"\(([^;{}]*)\)(?:\s*G_GNUC_\w+(?:\s*\([^)]*\))?)*\s*;", re.M)
INLINE = re.compile(r"^static inline ([\w \n]*?[ *\n]+)\**(kymo_\w+)\s*\(([^;{}]*)\)\s*\{", re.M)
DOCUMENTED = re.compile(r"/\*\*(?:(?!\*/).)*?\b(kymo_\w+):(.*?)\*/", re.S)

# Parameters whose name says their meaning everywhere.
SELF_TOLD = {"error", "cancellable", "callback", "data", "user_data", "result", "self"}
# A unit in the name of a number or a time.
UNIT = re.compile(r"(?:_|^)(?:ns|us|ms|px|bytes|ppm|pe|s)$")
PLAIN = re.compile(r"\b(?:char|int|gint|guint|gint64|guint64|gint32|guint32|gint16|guint16|guint8"
                   r"|gsize|gssize|goffset|gboolean|double|gdouble|float|gpointer|gconstpointer"
                   r"|void|GPtrArray|GArray|GHashTable|GString|GVariant|GBytes|GList|GSList|GFile"
                   r"|FILE)\b")
OWNER = re.compile(r"\(transfer |\bown|\bfree\b|\bborrow|\bunref|\breference|\bclear\b|\bstatic\b"
                   r"|\bvalid (?:until|while|as long)", re.I)
# Names that tell the owner (ARCHITECTURE.md, Ownership).
OWNER_NAME = re.compile(r"_(?:dup|peek|new|ref|copy)(?:_|$)")
RETURNS = re.compile(r"Returns:|\bTRUE\b|\bNULL\b|\(transfer |\bwhether\b")
# The whole comment of a function may be a phrase for its result: "name: the size of …".
PHRASE = re.compile(r"\s*(?:the|a|an|how|where|when|which|what|number|index|memory|one|\d)\b", re.I)
ERRORS = re.compile(r"\b[Ee]rror|\bfail|KYMO_ERROR|G_IO_ERROR|\bFALSE\b|\bNULL\b|[Cc]ancel")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def parameters(text):
    """[(type, name)] of the parameters of a declaration."""
    found = []
    for part in re.split(r",(?![^(]*\))", text):
        part = " ".join(part.split())
        call = re.search(r"\(\s*\*\s*(\w+)\s*\)", part)
        plain = re.fullmatch(r"(.*?[ *])(\w+)\s*((?:\[[^]]*\])*)", part)
        if call:
            found.append(("func", call.group(1)))
        elif plain and part not in ("void", "..."):
            found.append((plain.group(1).strip() + plain.group(3), plain.group(2)))
    return found


def words_of(comment):
    """The sentences of a comment, without stars."""
    return " ".join(re.sub(r"^\s*\*", " ", comment, flags=re.M).split())


def says_more(name, text):
    """TRUE if the comment has words that the name does not have."""
    stems = {stem[:5] for stem in name.split("_")}
    words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\([^)]*\)|\bReturns:", " ", text))
    return sum(word.lower()[:5] not in stems for word in words) >= 3


def needs_words(kind, name):
    """TRUE if neither the type nor the name of a parameter tells its meaning and unit."""
    if name in SELF_TOLD or UNIT.search(name) or kind == "func" and name == "free_func":
        return False
    if kind == "GError **" or re.search(r"\bva_list\b", kind):
        return False
    return kind == "func" or bool(PLAIN.search(kind)) or "**" in kind


def lacks(function, text):
    """What the comment of a function leaves out."""
    kind, name, rest = function
    if text is None:
        yield "no comment"
        return
    text = words_of(text)
    if not says_more(name, text):
        yield "says no more than the name"
    names = [its_name for _, its_name in parameters(rest)]
    for its_kind, its_name in parameters(rest):
        if (needs_words(its_kind, its_name) and its_name[2:] not in names
                and not re.search(rf"\b{its_name}\b", text)):
            yield f"@{its_name}"
    if kind.strip() != "void" and not RETURNS.search(text) and not PHRASE.match(text):
        yield "what is returned"
    pointer = ("*" in kind and "const " not in kind) or kind.strip() == "gpointer"
    if pointer and not OWNER.search(text) and not OWNER_NAME.search(name):
        yield "who owns the result"
    if re.search(r"GError\s*\*\*", rest) and not ERRORS.search(text):
        yield "errors"


def comments_of(texts):
    """{name of a function: the words of its comment}; the longest where there are several."""
    found = {}
    for text in texts:
        for match in COMMENT.finditer(text):
            first = DOCUMENTED.match(match.group(0))
            if first and len(first.group(2)) > len(found.get(first.group(1), "")):
                found[first.group(1)] = first.group(2)
    return found


def functions_of(header):
    """[(returned type, name, parameters)] that a header declares."""
    code = STRING.sub(blank, COMMENT.sub(blank, header))
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.M)
    code = re.sub(r"\bG_(?:BEGIN|END)_DECLS\b|^extern\s", blank, code, flags=re.M)
    code = re.sub(r"^G_(?:DECLARE|DEFINE)\w+ ?\([^;{}]*?\)$", blank, code, flags=re.M)
    for pattern in (DECLARED, INLINE):
        for match in pattern.finditer(code):
            kind = re.sub(r"\s+", " ", code[match.start(1):match.start(2)])
            if not match.group(2).endswith(("_get_type", "_error_quark")):
                yield kind, match.group(2), match.group(3)


def check_room(folder):
    """(number of functions, [(header, name, what the comment lacks)])."""
    paths = sorted(folder.rglob("*.[ch]"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    comments = comments_of(texts.values())
    seen, poor = set(), []
    for path in paths:
        if path.suffix != ".h":
            continue
        for function in functions_of(texts[path]):
            if function[1] in seen:
                continue
            seen.add(function[1])
            missing = list(lacks(function, comments.get(function[1])))
            if missing:
                poor.append((path, function[1], missing))
    return len(seen), poor


def check(root, all_of_them):
    total = good = 0
    for path in sorted((root / "src").rglob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        for match in EMPTY.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(root)}:{line}: a comment without words"
    for room in ROOMS:
        count, poor = check_room(root / "src" / room)
        total, good = total + count, good + count - len(poor)
        below = 100 * (count - len(poor)) < LEAST * count
        print(f"{room}: {count - len(poor)} of {count} public functions are explained")
        if below or all_of_them:
            for path, name, missing in poor:
                yield f"{path.relative_to(root)}: {name} (): {', '.join(missing)}"
        if below:
            yield f"{room}: fewer than {LEAST} % of the public functions are explained"
    print(f"all: {good} of {total}")


def main(arguments):
    offences = list(check(pathlib.Path(arguments[0]), "--all" in arguments))
    print("\n".join(offences))
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
