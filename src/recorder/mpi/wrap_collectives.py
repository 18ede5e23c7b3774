# SPDX-License-Identifier: GPL-3.0-or-later
"""Collectives: bytes that each process gives and gets, in terms of the arguments.

`n` is the number of processes that a process exchanges data with (of the remote group in an
intercommunicator), `me` its rank, `at_root` whether it is the root. With MPI_IN_PLACE the part of a
process does not travel: `n` is one less. A tuple is (parameters, root, sent, received, operation,
role)."""

VECTORS = "sendbuf, scounts, sdispls, sendtype, recvbuf, rcounts, rdispls, recvtype, comm"
GATHER = "sendbuf, scount, sendtype, recvbuf, rcount, recvtype"
NEIGHBOURS = ("kymo_mpi_comm_neighbours (comm, entry);\n", "entry->n_targets", "entry->n_sources")

# Whether the root, or everybody, left the data in place.
IN_PLACE = {"Gather": "at_root && sendbuf == MPI_IN_PLACE",
            "Gatherv": "at_root && sendbuf == MPI_IN_PLACE",
            "Scatter": "at_root && recvbuf == MPI_IN_PLACE",
            "Scatterv": "at_root && recvbuf == MPI_IN_PLACE",
            "Reduce": "at_root && sendbuf == MPI_IN_PLACE"}

OPERATIONS = {
    "Barrier": ("comm", None, "0", "0", "BARRIER"),
    "Bcast": ("buffer, count, datatype, root, comm", "root",
              "at_root ? n * KYMO_BYTES (count, datatype) : 0",
              "idle ? 0 : KYMO_BYTES (count, datatype)", "BCAST"),
    "Gather": (GATHER + ", root, comm", "root",
               "in_place || idle ? 0 : KYMO_BYTES (scount, sendtype)",
               "at_root ? n * KYMO_BYTES (rcount, recvtype) : 0", "GATHER"),
    "Gatherv": ("sendbuf, scount, sendtype, recvbuf, rcounts, rdispls, recvtype, root, comm",
                "root",
                "in_place || idle ? 0 : KYMO_BYTES (scount, sendtype)",
                "at_root ? (KYMO_SUM (rcounts, whole) - (in_place ? rcounts[me] : 0))"
                " * kymo_mpi_size (recvtype) : 0", "GATHERV"),
    "Scatter": (GATHER + ", root, comm", "root",
                "at_root ? n * KYMO_BYTES (scount, sendtype) : 0",
                "in_place || idle ? 0 : KYMO_BYTES (rcount, recvtype)", "SCATTER"),
    "Scatterv": ("sendbuf, scounts, sdispls, sendtype, recvbuf, rcount, recvtype, root, comm",
                 "root",
                 "at_root ? (KYMO_SUM (scounts, whole) - (in_place ? scounts[me] : 0))"
                 " * kymo_mpi_size (sendtype) : 0",
                 "in_place || idle ? 0 : KYMO_BYTES (rcount, recvtype)", "SCATTERV"),
    "Allgather": (GATHER + ", comm", None,
                  "n * (in_place ? KYMO_BYTES (rcount, recvtype) : KYMO_BYTES (scount, sendtype))",
                  "n * KYMO_BYTES (rcount, recvtype)", "ALLGATHER"),
    "Allgatherv": ("sendbuf, scount, sendtype, recvbuf, rcounts, rdispls, recvtype, comm", None,
                   "n * (in_place ? KYMO_BYTES (rcounts[me], recvtype)"
                   " : KYMO_BYTES (scount, sendtype))",
                   "(KYMO_SUM (rcounts, whole) - (in_place ? rcounts[me] : 0))"
                   " * kymo_mpi_size (recvtype)", "ALLGATHERV"),
    "Alltoall": (GATHER + ", comm", None,
                 "n * (in_place ? KYMO_BYTES (rcount, recvtype) : KYMO_BYTES (scount, sendtype))",
                 "n * KYMO_BYTES (rcount, recvtype)", "ALLTOALL"),
    "Alltoallv": (VECTORS, None,
                  "in_place ? (KYMO_SUM (rcounts, whole) - rcounts[me]) * kymo_mpi_size (recvtype)"
                  " : KYMO_SUM (scounts, whole) * kymo_mpi_size (sendtype)",
                  "(KYMO_SUM (rcounts, whole) - (in_place ? rcounts[me] : 0))"
                  " * kymo_mpi_size (recvtype)", "ALLTOALLV"),
    "Alltoallw": (VECTORS, None,
                  "in_place ? KYMO_SUM_TYPES (rcounts, recvtype, whole)"
                  " - KYMO_BYTES (rcounts[me], recvtype[me])"
                  " : KYMO_SUM_TYPES (scounts, sendtype, whole)",
                  "KYMO_SUM_TYPES (rcounts, recvtype, whole)"
                  " - (in_place ? KYMO_BYTES (rcounts[me], recvtype[me]) : 0)", "ALLTOALLW"),
    "Reduce": ("sendbuf, recvbuf, count, datatype, op, root, comm", "root",
               "in_place || idle ? 0 : KYMO_BYTES (count, datatype)",
               "at_root ? n * KYMO_BYTES (count, datatype) : 0", "REDUCE"),
    "Allreduce": ("sendbuf, recvbuf, count, datatype, op, comm", None,
                  "n * KYMO_BYTES (count, datatype)", "n * KYMO_BYTES (count, datatype)",
                  "ALLREDUCE"),
    "Reduce_scatter": ("sendbuf, recvbuf, rcounts, datatype, op, comm", None,
                       "(KYMO_SUM (rcounts, entry->size) - (in_place ? rcounts[me] : 0))"
                       " * kymo_mpi_size (datatype)",
                       "n * KYMO_BYTES (rcounts[me], datatype)", "REDUCE_SCATTER"),
    "Reduce_scatter_block": ("sendbuf, recvbuf, rcount, datatype, op, comm", None,
                             "n * KYMO_BYTES (rcount, datatype)",
                             "n * KYMO_BYTES (rcount, datatype)", "REDUCE_SCATTER_BLOCK"),
    "Scan": ("sendbuf, recvbuf, count, datatype, op, comm", None,
             "(whole - me - in_place) * KYMO_BYTES (count, datatype)",
             "(me + 1 - in_place) * KYMO_BYTES (count, datatype)", "SCAN"),
    "Exscan": ("sendbuf, recvbuf, count, datatype, op, comm", None,
               "(whole - me - 1) * KYMO_BYTES (count, datatype)",
               "me * KYMO_BYTES (count, datatype)", "EXSCAN"),
    "Neighbor_allgather": (GATHER + ", comm", None,
                           "entry->n_targets * KYMO_BYTES (scount, sendtype)",
                           "entry->n_sources * KYMO_BYTES (rcount, recvtype)", "ALLGATHER"),
    "Neighbor_allgatherv": (
        "sendbuf, scount, sendtype, recvbuf, rcounts, rdispls, recvtype, comm", None,
        "entry->n_targets * KYMO_BYTES (scount, sendtype)",
        "KYMO_SUM (rcounts, entry->n_sources) * kymo_mpi_size (recvtype)", "ALLGATHERV"),
    "Neighbor_alltoall": (GATHER + ", comm", None,
                          "entry->n_targets * KYMO_BYTES (scount, sendtype)",
                          "entry->n_sources * KYMO_BYTES (rcount, recvtype)", "ALLTOALL"),
    "Neighbor_alltoallv": (VECTORS, None,
                           "KYMO_SUM (scounts, entry->n_targets) * kymo_mpi_size (sendtype)",
                           "KYMO_SUM (rcounts, entry->n_sources) * kymo_mpi_size (recvtype)",
                           "ALLTOALLV"),
    "Neighbor_alltoallw": (VECTORS, None,
                           "KYMO_SUM_TYPES (scounts, sendtype, entry->n_targets)",
                           "KYMO_SUM_TYPES (rcounts, recvtype, entry->n_sources)", "ALLTOALLW"),
}

ONE_TO_ALL = ("Bcast", "Scatter", "Scatterv")
ALL_TO_ONE = ("Gather", "Gatherv", "Reduce")


def role(name):
    if name == "Barrier":
        return "OTF2_REGION_ROLE_BARRIER"
    if name in ONE_TO_ALL:
        return "OTF2_REGION_ROLE_COLL_ONE2ALL"
    if name in ALL_TO_ONE:
        return "OTF2_REGION_ROLE_COLL_ALL2ONE"
    if name in ("Scan", "Exscan"):
        return "OTF2_REGION_ROLE_COLL_OTHER"
    return "OTF2_REGION_ROLE_COLL_ALL2ALL"


def in_place(name, parameters, root):
    if name in IN_PLACE:
        return IN_PLACE[name]
    if root is not None or name.startswith("Neighbor") or "sendbuf" not in parameters:
        return "false"
    return "sendbuf == MPI_IN_PLACE"


def sums(name, parameters, root, sent, received):
    """The bytes of a call, before it is made: afterwards types may be gone."""
    lines = ["KymoMpiComm *entry = kymo_mpi_comm (comm);",
             "const int64_t whole = entry->far_size, me = entry->rank;"]
    if name.startswith("Neighbor"):
        lines.append("kymo_mpi_comm_neighbours (comm, entry);")
    if root:
        lines.append("const bool at_root = entry->inter ? root == MPI_ROOT : root == me;")
        # In its group of an intercommunicator only the root has arguments that count.
        lines.append("const bool idle = entry->inter && root < 0;")
    lines += [f"const bool in_place = {in_place(name, parameters, root)};",
              "const int64_t n = whole - in_place;",
              f"const int64_t sent = {sent};", f"const int64_t received = {received};",
              "(void) n; (void) me;" + (" (void) idle;" if root else "")]
    return "\n".join(lines)


def add(table, roles):
    for name, (parameters, root, sent, received, operation) in OPERATIONS.items():
        how = sums(name, parameters, root, sent, received)
        op = "OTF2_COLLECTIVE_OP_" + operation
        where = root or "-1"
        lower = name[0].lower() + name[1:]
        table[name] = (parameters, how + "\nkymo_mpi_coll_begin (thread, span.time);",
                       f"kymo_mpi_coll_end (thread, {op}, entry, {where}, sent, received);", {})
        made = (f"{how}\nKymoMpiRequest made = kymo_mpi_coll_request (thread, {op}, entry, {where},"
                " sent, received);\n")
        table["I" + lower] = (
            parameters + ", request",
            made + "if (made.kind != KYMO_MPI_NOTHING)\n"
            "  kymo_mpi_mark_id (thread, KYMO_RAW_NB_REQUEST, made.id);",
            "kymo_mpi_request_made (*request, &made);", {})
        table[name + "_init"] = (parameters + ", info, request",
                                 made + "made.persistent = true;\nmade.active = false;",
                                 "kymo_mpi_request_made (*request, &made);", {})
        for variant in (name, "I" + lower):
            roles[variant] = role(name)
