#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""wrappers.py OUTPUT [--static] [-- COMPILER ARGUMENT...]: writes the wrappers of all functions
that mpi.h of the compiler's arguments declares.

Each function is defined twice, as MPI_X and as PMPI_X: Fortran's bindings call either. Both do the
same, and the guard of core (kymo_rec_begin) records the outermost call alone. MPI_X goes on to the
next MPI_X, PMPI_X to the next PMPI_X, so that other tools between us and MPI see what they would
see without us. What is recorded about a call stands in the tables of wrap_*.py; a function that
they do not name is entered and left.

With --static only MPI_X is defined, which goes on to PMPI_X."""
import re
import subprocess
import sys

import wrap_collectives
import wrap_files
import wrap_messages
import wrap_windows

DECLARED = re.compile(r"\bint\s+MPI_(\w+)\s*\(([^;{}]*?)\)\s*(?:__attribute__\s*\(\([^;]*)?;", re.S)
# Written by hand, or no calls that a program spends time in.
LEFT_OUT = {"Init", "Init_thread", "Finalize", "Pcontrol", "Abort", "Initialized", "Finalized",
            "Comm_spawn", "Comm_spawn_multiple", "DUP_FN"}
LEFT_OUT_PATTERN = re.compile(r"^(T_|Status_(c|f)|\w+_(c2f|f2c|f08\w*|c2f08)$|\w+_DUP_FN$"
                              r"|\w+_fn$)")
HEAD = r"""/* Written by wrappers.py from mpi.h. */
#include <string.h>

#include "kymo-mpi.h"

/* Hardly more than calls, a thousand times: more would only take long. */
#ifndef __clang__
#pragma GCC optimize ("O1")
#endif
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define EXPORTED __attribute__ ((visibility ("default")))
/* In the exported function itself, since the guard asks for its frame. */
#define ENTER(own_name, own_role) \
  static KymoMpiCall call = { .name = own_name, .role = own_role }; \
  const KymoMpiSpan span = kymo_mpi_enter (&call, (uintptr_t) __builtin_frame_address (0)); \
  KymoRecThread *thread = span.thread; \
  int result
"""


def declarations(arguments):
    """{name without MPI_: [(type, suffix)]} of all functions that return int."""
    text = subprocess.run([*arguments, "-E", "-P", "-x", "c", "-"], input="#include <mpi.h>\n",
                          text=True, capture_output=True, check=True).stdout
    found = {}
    for name, parameters in DECLARED.findall(text):
        if name not in LEFT_OUT and not LEFT_OUT_PATTERN.match(name) and "..." not in parameters:
            found.setdefault(name, split(parameters))
    return found


def split(parameters):
    """(type, name, suffix) of each parameter; the suffix is that of an array."""
    parts = []
    if parameters.strip() in ("", "void"):
        return parts
    for part in re.split(r",(?![^(]*\))", parameters):
        part = " ".join(part.split())
        match = re.fullmatch(r"(.*?[\s*])(\w+)((?:\s*\[[^]]*\])*)", part)
        if not match or "(" in part:
            raise ValueError(f"cannot read the parameter {part!r}")
        parts.append((match.group(1).strip(), match.group(3)))
    return parts


def indent(text, depth):
    return "".join(" " * depth + line + "\n" if line else "\n" for line in text.split("\n"))


def table_entry(table, name, n_parameters):
    """What the tables say of a function or its variant for large counts, if it fits."""
    for candidate in (name, name[:-2] if name.endswith("_c") else name):
        entry = table.get(candidate)
        if entry and len(entry[0].split(",")) == n_parameters:
            return entry
    return None


def write_function(out, name, types, entry, role, static):
    names = ([part.strip() for part in entry[0].split(",")] if entry
             else [f"a{i}" for i in range(len(types))])
    before, after, replaced = entry[1:] if entry else ("", "", {})
    condition = "result == MPI_SUCCESS"
    if isinstance(after, tuple):
        condition, after = "result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS", after[1]
    declared = ", ".join(f"{kind} {own}{suffix}" for (kind, suffix), own in zip(types, names))
    plain = ", ".join(names)
    given = ", ".join(replaced.get(own, own) for own in names)
    for prefix in ("",) if static else ("", "P"):
        exported = f"{prefix}MPI_{name}"
        onward = f"PMPI_{name}" if static else f"((__typeof__ (&PMPI_{name})) call.next)"
        out.append(f"""
EXPORTED int
{exported} ({declared or 'void'})
{{
  ENTER ("{exported}", {role});

""")
        if not before and not after:
            out.append(f"  result = {onward} ({plain});\n")
        else:
            out.append(f"  if (thread == NULL)\n    result = {onward} ({plain});\n  else\n    {{\n"
                       f"{indent(before, 6) if before else ''}"
                       f"      result = {onward} ({given});\n")
            if after:
                out.append(f"      if ({condition})\n        {{\n{indent(after, 10)}        }}\n")
            out.append("    }\n")
        out.append("  kymo_mpi_leave (thread, &call);\n  return result;\n}\n")


def role_of(roles, name):
    bare = name[:-2] if name.endswith("_c") else name
    if bare in roles:
        return roles[bare]
    if bare.startswith("Win_"):
        return "OTF2_REGION_ROLE_RMA"
    if bare.startswith("File_"):
        return "OTF2_REGION_ROLE_FILE_IO"
    return "OTF2_REGION_ROLE_FUNCTION"


def main(arguments):
    split_at = arguments.index("--") if "--" in arguments else len(arguments)
    options, compiler = arguments[:split_at], arguments[split_at + 1:]
    table = dict(wrap_messages.TABLE)
    roles = {name: role for role, names in wrap_messages.ROLES.items() for name in names}
    for part in (wrap_collectives, wrap_windows, wrap_files):
        part.add(table, roles)
    out = [HEAD]
    for name, types in sorted(declarations(compiler or ["cc"]).items()):
        entry = table_entry(table, name, len(types))
        if entry is None and name in table:
            sys.exit(f"wrappers.py: MPI_{name} has {len(types)} parameters here")
        write_function(out, name, types, entry, role_of(roles, name), "--static" in options)
    with open(options[0], "w", encoding="utf-8") as file:
        file.write("".join(out))


if __name__ == "__main__":
    main(sys.argv[1:])
