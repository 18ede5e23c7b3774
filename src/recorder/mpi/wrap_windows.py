# SPDX-License-Identifier: GPL-3.0-or-later
"""One-sided communication: what is recorded around the calls."""

ORIGIN = "origin, ocount, otype, target, disp, tcount, ttype"
SENT = "KYMO_BYTES (ocount, otype)"
GOT = "KYMO_BYTES (rcount, rtype)"
ATOMIC = "KYMO_RAW_RMA_ATOMIC, OTF2_RMA_ATOMIC_TYPE_"

# parameters, kind, bytes sent, bytes received; those with a request have one parameter more
TRANSFERS = {
    "Put": (ORIGIN + ", win", "KYMO_RAW_RMA_PUT, 0", SENT, "0"),
    "Get": (ORIGIN + ", win", "KYMO_RAW_RMA_GET, 0", "0", SENT),
    "Accumulate": (ORIGIN + ", op, win", ATOMIC + "ACCUMULATE", SENT, "0"),
    "Get_accumulate": ("origin, ocount, otype, result_at, rcount, rtype, target, disp, tcount,"
                       " ttype, op, win", ATOMIC + "FETCH_AND_ACCUMULATE",
                       "op == MPI_NO_OP ? 0 : " + SENT, GOT),
}
SINGLE = {
    "Fetch_and_op": ("origin, result_at, type, target, disp, op, win", ATOMIC + "FETCH_AND_ADD",
                     "op == MPI_NO_OP ? 0 : kymo_mpi_size (type)", "kymo_mpi_size (type)"),
    "Compare_and_swap": ("origin, compare, result_at, type, target, disp, win",
                         ATOMIC + "COMPARE_AND_SWAP", "2 * kymo_mpi_size (type)",
                         "kymo_mpi_size (type)"),
}
BEGIN = "kymo_mpi_win_begin (thread);"
BOTH = "OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY"

EPOCHS = {
    "Win_create": ("base, size, disp_unit, info, comm, win", BEGIN,
                   "kymo_mpi_win_add (thread, *win, comm, false);", {}),
    "Win_create_dynamic": ("info, comm, win", BEGIN,
                           "kymo_mpi_win_add (thread, *win, comm, false);", {}),
    "Win_allocate": ("size, disp_unit, info, comm, base, win", BEGIN,
                     "kymo_mpi_win_add (thread, *win, comm, true);", {}),
    "Win_allocate_shared": ("size, disp_unit, info, comm, base, win", BEGIN,
                            "kymo_mpi_win_add (thread, *win, comm, true);", {}),
    "Win_free": ("win", "kymo_mpi_win_gone (thread, *win);", "", {}),
    "Win_set_name": ("win, name", "", "kymo_mpi_win_name (win, name);", {}),
    "Win_fence": ("assert_word, win", BEGIN,
                  f"kymo_mpi_win_collective (thread, win, OTF2_COLLECTIVE_OP_BARRIER,\n"
                  f"                         {BOTH});", {}),
    "Win_lock": ("lock_type, rank, assert_word, win", "",
                 "kymo_mpi_win_lock (thread, win, rank, lock_type);", {}),
    "Win_unlock": ("rank, win", "", "kymo_mpi_win_unlock (thread, win, rank);", {}),
    "Win_lock_all": ("assert_word, win", "",
                     "kymo_mpi_win_lock (thread, win, -1, MPI_LOCK_SHARED);", {}),
    "Win_unlock_all": ("win", "", "kymo_mpi_win_unlock (thread, win, -1);", {}),
    "Win_sync": ("win", "", "kymo_mpi_win_sync (thread, win);", {}),
    "Win_post": ("group, assert_word, win", "",
                 "kymo_mpi_win_group (thread, win, OTF2_RMA_SYNC_LEVEL_MEMORY);", {}),
    "Win_start": ("group, assert_word, win", "",
                  "kymo_mpi_win_group (thread, win, OTF2_RMA_SYNC_LEVEL_PROCESS);", {}),
    "Win_complete": ("win", "",
                     "kymo_mpi_win_complete (thread, win, -1);\n"
                     "kymo_mpi_win_group (thread, win, OTF2_RMA_SYNC_LEVEL_MEMORY);", {}),
    "Win_wait": ("win", "",
                 f"kymo_mpi_win_group (thread, win, {BOTH});", {}),
    "Win_test": ("win, flag", "",
                 f"if (*flag)\n  kymo_mpi_win_group (thread, win, {BOTH});", {}),
}
for local in ("", "_local"):
    EPOCHS["Win_flush" + local] = ("rank, win", "",
                                   "kymo_mpi_win_complete (thread, win, rank);", {})
    EPOCHS["Win_flush" + local + "_all"] = ("win", "",
                                            "kymo_mpi_win_complete (thread, win, -1);", {})


def add(table, roles):
    for name, (parameters, kind, sent, received) in {**TRANSFERS, **SINGLE}.items():
        call = f"kymo_mpi_win_transfer (thread, win, target, {kind}, {sent}, {received}, "
        table[name] = (parameters, call + "NULL);", "", {})
        roles[name] = "OTF2_REGION_ROLE_RMA"
        if name in TRANSFERS:
            lower = "R" + name[0].lower() + name[1:]
            table[lower] = (parameters + ", request", "KymoMpiRequest made;\n" + call + "&made);",
                            "kymo_mpi_request_made (*request, &made);", {})
            roles[lower] = "OTF2_REGION_ROLE_RMA"
    table.update(EPOCHS)
