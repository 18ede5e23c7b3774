# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI I/O: what is recorded around the calls."""

DATA = "buf, count, datatype"
OWN_STATUS = "MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;"
SEEN = {"status": "seen"}
DONE = "kymo_mpi_file_end (thread, file, io, seen);"

OTHERS = {
    "File_open": ("comm, path, mode, info, file", "",
                  "kymo_mpi_file_add (thread, *file, comm, path, mode);", {}),
    "File_close": ("file", "kymo_mpi_file_gone (thread, *file);", "", {}),
    "File_delete": ("path, info", "", "kymo_mpi_file_deleted (thread, path);", {}),
    "File_seek": ("file, offset, whence", "",
                  "kymo_mpi_file_seek (thread, file, offset, whence, false);", {}),
    "File_seek_shared": ("file, offset, whence", "",
                         "kymo_mpi_file_seek (thread, file, offset, whence, true);", {}),
    "File_sync": ("file",
                  "uint64_t io = kymo_mpi_file_begin (thread, file, OTF2_IO_OPERATION_MODE_FLUSH,\n"
                  "                                   OTF2_IO_OPERATION_FLAG_COLLECTIVE, 0);",
                  "kymo_mpi_file_end (thread, file, io, NULL);", {}),
}


def begin(mode, flags):
    return (f"uint64_t io = kymo_mpi_file_begin (thread, file, OTF2_IO_OPERATION_MODE_{mode},\n"
            f"                                   {flags}, KYMO_BYTES (count, datatype));")


def add(table, roles):
    for verb, mode in (("read", "READ"), ("write", "WRITE")):
        for place in ("", "_at", "_shared", "_all", "_at_all", "_ordered"):
            parameters = "file, offset, " + DATA if place.startswith("_at") else "file, " + DATA
            together = place.endswith(("all", "ordered"))
            flags = "OTF2_IO_OPERATION_FLAG_COLLECTIVE" if together else "0"
            name = f"File_{verb}{place}"
            table[name] = (parameters + ", status", OWN_STATUS + "\n" + begin(mode, flags), DONE,
                           SEEN)
            if place != "_ordered":
                table[f"File_i{verb}{place}"] = (
                    parameters + ", request",
                    begin(mode, flags + " | OTF2_IO_OPERATION_FLAG_NON_BLOCKING")
                    + "\nKymoMpiRequest made = kymo_mpi_file_request (file, io);",
                    "kymo_mpi_request_made (*request, &made);", {})
            if together:
                table[name + "_begin"] = (
                    parameters, begin(mode, flags + " | OTF2_IO_OPERATION_FLAG_NON_BLOCKING"),
                    "kymo_mpi_file_split (file, io);", {})
                table[name + "_end"] = ("file, buf, status", OWN_STATUS,
                                        "kymo_mpi_file_join (thread, file, seen);", SEEN)
    table.update(OTHERS)
