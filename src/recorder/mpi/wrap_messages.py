# SPDX-License-Identifier: GPL-3.0-or-later
"""Point to point, requests and communicators: what wrappers.py puts around the calls.

A line of a table is NAME: (parameters, before, after, arguments that are replaced). `before` runs
after the region was entered, `after` only if the call succeeded."""

SEND = "buf, count, datatype, dest, tag, comm"
OWN_STATUS = "MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;"
SEEN = {"status": "seen"}
MARK_SEND = "kymo_mpi_mark_send (thread, comm, dest, tag, KYMO_BYTES (count, datatype));"
PAYLOAD = "\nkymo_mpi_look_at_payload (comm, dest, buf, (int64_t) count, datatype);"


def sends():
    table = {}
    for mode in ("", "b", "s", "r"):
        upper = mode.upper() + ("send" if mode else "Send")
        table[upper] = (SEND, MARK_SEND + PAYLOAD, "", {})
        table["I" + mode + "send"] = (
            SEND + ", request",
            "KymoMpiRequest made = kymo_mpi_request (thread, KYMO_MPI_SEND, comm, dest, tag,\n"
            "                                        KYMO_BYTES (count, datatype));\n"
            "if (made.kind == KYMO_MPI_SEND)\n"
            "  kymo_mpi_mark_isend (thread, &made);",
            "kymo_mpi_request_made (*request, &made);", {})
        table[upper + "_init"] = (
            SEND + ", request",
            "KymoMpiRequest made = kymo_mpi_request (thread, KYMO_MPI_SEND, comm, dest, tag,\n"
            "                                        KYMO_BYTES (count, datatype));\n"
            "made.persistent = true;\n"
            "made.active = false;",
            "kymo_mpi_request_made (*request, &made);", {})
    return table


MADE_RECV = "KymoMpiRequest made = kymo_mpi_request (thread, KYMO_MPI_RECV, comm, source, tag, 0);"

RECEIVES = {
    "Recv": ("buf, count, datatype, source, tag, comm, status", OWN_STATUS,
             "kymo_mpi_mark_recv (thread, kymo_mpi_comm (comm), seen);", SEEN),
    "Irecv": ("buf, count, datatype, source, tag, comm, request",
              MADE_RECV + "\n"
              "if (made.kind == KYMO_MPI_RECV)\n"
              "  kymo_mpi_mark_id (thread, KYMO_RAW_IRECV_REQUEST, made.id);",
              "kymo_mpi_request_made (*request, &made);", {}),
    "Recv_init": ("buf, count, datatype, source, tag, comm, request",
                  MADE_RECV + "\nmade.persistent = true;\nmade.active = false;",
                  "kymo_mpi_request_made (*request, &made);", {}),
    "Sendrecv": ("sendbuf, count, datatype, dest, tag, recvbuf, recvcount, recvtype, source,"
                 " recvtag, comm, status", OWN_STATUS + "\n" + MARK_SEND,
                 "kymo_mpi_mark_recv (thread, kymo_mpi_comm (comm), seen);", SEEN),
    "Sendrecv_replace": ("buf, count, datatype, dest, tag, source, recvtag, comm, status",
                         OWN_STATUS + "\n" + MARK_SEND,
                         "kymo_mpi_mark_recv (thread, kymo_mpi_comm (comm), seen);", SEEN),
    "Mprobe": ("source, tag, comm, message, status", "",
               "kymo_mpi_message_seen (*message, comm);", {}),
    "Improbe": ("source, tag, comm, flag, message, status", "",
                "if (*flag)\n  kymo_mpi_message_seen (*message, comm);", {}),
    "Mrecv": ("buf, count, datatype, message, status",
              OWN_STATUS + "\nKymoMpiComm *from = kymo_mpi_message_taken (*message);",
              "kymo_mpi_mark_recv (thread, from, seen);", SEEN),
    "Imrecv": ("buf, count, datatype, message, request",
               "KymoMpiComm *from = kymo_mpi_message_taken (*message);\n"
               "KymoMpiRequest made = { .kind = from != NULL && from->id != KYMO_MPI_FOREIGN\n"
               "                                ? KYMO_MPI_RECV : KYMO_MPI_NOTHING,\n"
               "                        .id = kymo_rec_unique_id (thread), .active = true,\n"
               "                        .target = from != NULL ? from->id : KYMO_MPI_FOREIGN };\n"
               "if (made.kind == KYMO_MPI_RECV)\n"
               "  kymo_mpi_mark_id (thread, KYMO_RAW_IRECV_REQUEST, made.id);",
               "kymo_mpi_request_made (*request, &made);", {}),
}

# MPI-4: one request for both directions.
BOTH = ("KymoMpiRequest made = kymo_mpi_request (thread, KYMO_MPI_RECV, comm, source, recvtag,\n"
        "                                        0);\n"
        "KymoMpiRequest out = kymo_mpi_request (thread, KYMO_MPI_SEND, comm, dest, tag,\n"
        "                                       KYMO_BYTES (count, datatype));\n"
        "if (made.kind == KYMO_MPI_RECV)\n"
        "  kymo_mpi_mark_id (thread, KYMO_RAW_IRECV_REQUEST, made.id);\n"
        "if (out.kind == KYMO_MPI_SEND)\n"
        "  {\n"
        "    kymo_mpi_mark_isend (thread, &out);\n"
        "    made.send_id = out.id;\n"
        "    made.kind = made.kind == KYMO_MPI_RECV ? KYMO_MPI_SENDRECV : KYMO_MPI_SEND;\n"
        "    if (made.kind == KYMO_MPI_SEND)\n"
        "      made.id = out.id;\n"
        "  }")
for name, before, size in (
        ("Isendrecv", "sendbuf, count, datatype, dest, tag, recvbuf, recvcount, recvtype",
         "recvcount, recvtype"),
        ("Isendrecv_replace", "buf, count, datatype, dest, tag", "count, datatype")):
    RECEIVES[name] = (
        before + ", source, recvtag, comm, request",
        BOTH + f"\nmade.unsure = true;\nmade.received = KYMO_BYTES ({size});",
        "kymo_mpi_request_made (*request, &made);", {})

HOLD = "MPI_Request held = *request;\nkymo_mpi_request_hold (thread, &held, 1);\n"
# Handles are gone after the call; statuses are needed although the program may not want them.
HOLD_ALL = (
    "int n_held = count > 0 ? (int) count : 0;\n"
    "MPI_Request *held = kymo_mpi_scratch (3, (size_t) n_held * sizeof *held);\n"
    "if (held != NULL && n_held > 0)\n"
    "  memcpy (held, requests, (size_t) n_held * sizeof *held);\n"
    "kymo_mpi_request_hold (thread, held, n_held);\n")
LET_GO = "\nkymo_mpi_request_let_go (thread, held, n_held);"
OWN_STATUSES = (
    "MPI_Status *seen = statuses;\n"
    "if (statuses == MPI_STATUSES_IGNORE)\n"
    "  seen = kymo_mpi_scratch (4, (size_t) n_held * sizeof *seen);\n"
    "if (held == NULL || seen == NULL)\n"
    "  {\n"
    "    n_held = 0;\n"
    "    seen = statuses;\n"
    "  }")
ALL_DONE = (
    "for (int i = 0; i < n_held; i++)\n"
    "  if (result == MPI_SUCCESS || seen[i].MPI_ERROR == MPI_SUCCESS)\n"
    "    kymo_mpi_request_done (thread, held[i], &seen[i]);")
SOME_DONE = (
    "if (n_held > 0 && *outcount != MPI_UNDEFINED)\n"
    "  for (int i = 0; i < *outcount; i++)\n"
    "    if (result == MPI_SUCCESS || seen[i].MPI_ERROR == MPI_SUCCESS)\n"
    "      kymo_mpi_request_done (thread, held[indices[i]], &seen[i]);")
ANY_DONE = ("if (held != NULL && *index != MPI_UNDEFINED && *index >= 0)\n"
            "  kymo_mpi_request_done (thread, held[*index], seen);")

REQUESTS = {
    "Wait": ("request, status", HOLD + OWN_STATUS,
             "kymo_mpi_request_done (thread, held, seen);", SEEN),
    "Test": ("request, flag, status", HOLD + OWN_STATUS,
             "if (*flag)\n  kymo_mpi_request_done (thread, held, seen);\n"
             "else\n  {\n    kymo_mpi_request_let_go (thread, &held, 1);\n"
             "    kymo_mpi_request_tested (thread, held);\n  }", SEEN),
    "Waitall": ("count, requests, statuses", HOLD_ALL + OWN_STATUSES,
                ("also if some failed", ALL_DONE), {"statuses": "seen"}),
    "Testall": ("count, requests, flag, statuses", HOLD_ALL + OWN_STATUSES,
                "if (*flag)\n  {\n" + ALL_DONE + "\n  }" + LET_GO, {"statuses": "seen"}),
    "Waitany": ("count, requests, index, status", HOLD_ALL + OWN_STATUS, ANY_DONE + LET_GO, SEEN),
    "Testany": ("count, requests, index, flag, status", HOLD_ALL + OWN_STATUS,
                "if (*flag)\n  {\n" + ANY_DONE + "\n  }" + LET_GO, SEEN),
    "Waitsome": ("count, requests, outcount, indices, statuses", HOLD_ALL + OWN_STATUSES,
                 ("also if some failed", SOME_DONE + LET_GO), {"statuses": "seen"}),
    "Testsome": ("count, requests, outcount, indices, statuses", HOLD_ALL + OWN_STATUSES,
                 ("also if some failed", SOME_DONE + LET_GO), {"statuses": "seen"}),
    "Start": ("request", "kymo_mpi_request_start (thread, *request);", "", {}),
    "Startall": ("count, requests",
                 "for (int i = 0; i < (int) count; i++)\n"
                 "  kymo_mpi_request_start (thread, requests[i]);", "", {}),
    "Cancel": ("request", "kymo_mpi_request_cancel (*request);", "", {}),
    "Request_free": ("request", "kymo_mpi_request_free (*request);", "", {}),
}

# Which communicator a new one is made from, and where it is handed out.
NEW_COMMS = {
    "Comm_dup": ("comm, newcomm", "comm", "newcomm"),
    "Comm_dup_with_info": ("comm, info, newcomm", "comm", "newcomm"),
    "Comm_create": ("comm, group, newcomm", "comm", "newcomm"),
    "Comm_create_group": ("comm, group, tag, newcomm", "comm", "newcomm"),
    "Comm_split": ("comm, color, key, newcomm", "comm", "newcomm"),
    "Comm_split_type": ("comm, split_type, key, info, newcomm", "comm", "newcomm"),
    "Cart_create": ("comm, ndims, dims, periods, reorder, newcomm", "comm", "newcomm"),
    "Cart_sub": ("comm, remain_dims, newcomm", "comm", "newcomm"),
    "Graph_create": ("comm, nnodes, indx, edges, reorder, newcomm", "comm", "newcomm"),
    "Dist_graph_create": ("comm, n, sources, degrees, destinations, weights, info, reorder,"
                          " newcomm", "comm", "newcomm"),
    "Dist_graph_create_adjacent": ("comm, indegree, sources, sourceweights, outdegree,"
                                   " destinations, destweights, info, reorder, newcomm",
                                   "comm", "newcomm"),
    "Intercomm_create": ("comm, local_leader, peer_comm, remote_leader, tag, newcomm", "comm",
                         "newcomm"),
    "Intercomm_merge": ("comm, high, newcomm", "comm", "newcomm"),
}

# With processes of another world: messages on them are counted, not recorded.
FOREIGN_COMMS = {
    "Comm_get_parent": "newcomm",
    "Comm_accept": "port_name, info, root, comm, newcomm",
    "Comm_connect": "port_name, info, root, comm, newcomm",
    "Comm_join": "fd, newcomm",
}


def communicators():
    table = {}
    for name, (parameters, old, new) in NEW_COMMS.items():
        table[name] = (parameters, f"uint64_t parent = kymo_mpi_comm_key ({old});",
                       f"kymo_mpi_comm_add (thread, *{new}, parent);", {})
    for name, parameters in FOREIGN_COMMS.items():
        table[name] = (parameters, "", "kymo_mpi_comm_add (thread, *newcomm, 0);", {})
    for name, parameters in (("Comm_idup", "comm, newcomm, request"),
                             ("Comm_idup_with_info", "comm, info, newcomm, request")):
        table[name] = (
            parameters,
            "KymoMpiRequest made = { .kind = KYMO_MPI_IDUP, .active = true, .new_comm = newcomm,\n"
            "                        .old_comm = kymo_mpi_comm_key (comm) };",
            "kymo_mpi_request_made (*request, &made);", {})
    for name in ("Comm_free", "Comm_disconnect"):
        table[name] = ("comm", "kymo_mpi_comm_gone (thread, *comm);", "", {})
    table["Comm_set_name"] = ("comm, name", "", "kymo_mpi_comm_name (comm, name);", {})
    return table


TABLE = {**sends(), **RECEIVES, **REQUESTS, **communicators()}
ROLES = {"OTF2_REGION_ROLE_POINT2POINT": [
    *sends(), *RECEIVES, "Probe", "Iprobe", *[name for name in REQUESTS if name != "Request_free"]]}
