/* kymo-raw.h: the files that a recorded program writes while it runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Written by the recorder, read by the writer of archives and by the reader of
 * running jobs; plain C, no library. All numbers have the byte order of the
 * machine that wrote them; a reader looks at `byte_order` first.
 *
 * A process has a folder of its own, DIR/raw/HOST.PID/, with
 *
 *   definitions   text, append only, one definition a line (below)
 *   thread-N      events of thread N, in the order in which they happened
 *   system-N      the same form; samples of a helper thread
 *
 * An event file is a header of KYMO_RAW_HEADER_BYTES followed by chunks of
 * `chunk_bytes` each. The file is preallocated with zeros and mapped, so it
 * survives the death of its process. A chunk consists of records; each record
 * is 1 to 255 cells of 16 bytes and never crosses the end of a chunk. The
 * writer stores the type of a record last, so the first cell with type
 * KYMO_RAW_END is where the chunk ends for now. What does not fit into a chunk
 * goes to the next one, behind a record KYMO_RAW_PAD.
 *
 * A chunk begins with KYMO_RAW_CHUNK (sequence number, depth) and one
 * KYMO_RAW_OPEN for each region that is open there, outermost first. Normally
 * chunks follow each other. Where only the last seconds are kept, chunks are
 * used again: a reader sorts them by sequence number, and what the oldest one
 * has as OPEN began before the record does.
 *
 * Times are ticks of the clock of the process; the lines `clock` of the
 * definitions turn them into nanoseconds of CLOCK_MONOTONIC of the node, the
 * lines `offset` those into nanoseconds of the node of rank 0.
 *
 * Definitions. Fields are separated by one tab. In a field the bytes 0-31, 127
 * and `%` stand as %XX. A last line without a newline is not complete and is
 * ignored. Unknown lines and further fields are ignored. Ids are local to the
 * process and dense per kind, starting with 0.
 *
 *   kymo-raw  1                                   first line, the version
 *   process   HOST PID REALTIME_NS PROGRAM        REALTIME_NS: clock of day at start
 *   parent    PID                                 of a program started by a recorded one
 *   clock     tsc|monotonic TICKS MONO_NS REAL_NS one moment on three clocks; twice
 *                                                 at least, more in long runs
 *   world     RANK SIZE WORLD_ID                  after MPI_Init; WORLD_ID is the same
 *                                                 text in all ranks of one MPI_COMM_WORLD
 *   mpi       LIBRARY VERSION THREAD_LEVEL
 *   offset    MONO_NS DELTA_NS                    add DELTA_NS to local MONO_NS; linear
 *                                                 between two such lines
 *   thread    N TID NAME                          N as in thread-N; thread 0 is the first
 *   region    ID ROLE PARADIGM NAME FILE LINE     ROLE: OTF2_RegionRole_t as number,
 *                                                 PARADIGM: OTF2_Paradigm_t as number
 *   comm      ID KIND ROOT COUNTER NAME MEMBERS   KIND: world, self, group, inter. ROOT and
 *                                                 COUNTER identify the communicator in
 *                                                 all its processes: world rank of its
 *                                                 rank 0, and a number below 2^62 that all
 *                                                 of them find by themselves.
 *                                                 MEMBERS: world ranks in order, `0-7,9`;
 *                                                 inter: `A|B`, group A is that of ROOT
 *   commname  ID NAME                             MPI_Comm_set_name, or a better name later
 *   win       ID COMM NAME                      a second line gives it another name
 *   file      ID PATH
 *   written   FILE INODE                          the process changes the file itself, or may do
 *                                                 so; 0: its inode is not known
 *   changed   FILE COUNT INODE                    how often a file that the process reads was
 *                                                 other than when it was last looked at
 *   watched   N                                   how many files were looked at, at the end
 *   handle    ID FILE PARADIGM COMM NAME          an I/O handle; FILE or COMM may be `-`;
 *                                                 PARADIGM: 0 POSIX, 1 ISOC, 2 MPI-IO, 3 libnfs
 *   class     ID SCOPE NAME;UNIT;TYPE;MODE ...    a metric class, a field for each member.
 *                                                 SCOPE: process, node, or the name of
 *                                                 a resource (a file server, a disk), or
 *                                                 thread: counted by the thread itself and
 *                                                 recorded before each ENTER and LEAVE;
 *                                                 `process PID` is another process of the node;
 *                                                 TYPE: u64, i64, double; MODE: OTF2_MetricMode
 *   system    N NAME                              N as in system-N
 *   callsite  ID TEXT                             of memory (kymo-raw-memory)
 *   property  NAME VALUE                          of the process; goes into the archive
 *   lost      KIND COUNT WHY                      what was not recorded
 *   end       REASON                              finalize, exit, limit, fault
 */

#pragma once

#include <stdint.h>

#define KYMO_RAW_MAGIC "KYMORAW1"
#define KYMO_RAW_BYTE_ORDER 0x01020304u
#define KYMO_RAW_HEADER_BYTES 4096
#define KYMO_RAW_CELL_BYTES 16
#define KYMO_RAW_NONE UINT32_MAX        /* no root, no region, no communicator */

/* The start of an event file; zeros follow up to KYMO_RAW_HEADER_BYTES. */
typedef struct
{
  char magic[8];
  uint32_t byte_order;
  uint32_t version;             /* 1 */
  uint32_t chunk_bytes;         /* a multiple of the page size */
  uint32_t thread;              /* N of the file's name */
  uint32_t pid;
  uint32_t tid;
  uint32_t flags;               /* KYMO_RAW_RING */
  uint32_t reserved;
  uint64_t begin_ticks;         /* when the thread was first seen */
} KymoRawHeader;

#define KYMO_RAW_RING 1u        /* chunks are used again */

/* The types of records. In brackets what stands in the fields of KymoRawCell and in
 * the cells after it; a cell of numbers is written {a, b} for two 64-bit words, and
 * {i, i, b} for two 32-bit words and one of 64 bits. Appended to, never renumbered. */
typedef enum
{
  KYMO_RAW_END = 0,
  KYMO_RAW_PAD = 1,             /* the rest of the chunk is empty */
  KYMO_RAW_CHUNK = 2,           /* [arg = depth] {sequence from 1, 0} */
  KYMO_RAW_OPEN = 3,            /* [arg = region, time = when it was entered] */
  KYMO_RAW_ENTER = 4,           /* [arg = region] */
  KYMO_RAW_LEAVE = 5,           /* [arg = region] */

  /* Point to point; peers are ranks of the communicator (of the remote group, if inter).
   * A request id is unique in the process and not 0. */
  KYMO_RAW_SEND = 6,            /* [arg = comm] {peer, tag, bytes} */
  KYMO_RAW_RECV = 7,            /* [arg = comm] {peer, tag, bytes} */
  KYMO_RAW_ISEND = 8,           /* [arg = comm] {peer, tag, bytes} {request, 0} */
  KYMO_RAW_ISEND_COMPLETE = 9,  /* {request, 0} */
  KYMO_RAW_IRECV_REQUEST = 10,  /* {request, 0} */
  KYMO_RAW_IRECV = 11,          /* [arg = comm] {peer, tag, bytes} {request, 0} */
  KYMO_RAW_REQUEST_TEST = 12,   /* {request, 0} */
  KYMO_RAW_REQUEST_CANCELLED = 13, /* {request, 0} */

  /* Collectives. `small` is the OTF2_CollectiveOp_t. */
  KYMO_RAW_COLL_BEGIN = 14,     /* */
  KYMO_RAW_COLL_END = 15,       /* [small, arg = comm] {root or NONE, 0, sent} {received, 0} */
  KYMO_RAW_NB_REQUEST = 16,     /* a non-blocking collective was started {request, 0} */
  KYMO_RAW_NB_COMPLETE = 17,    /* as COLL_END, last cell {received, request} */
  KYMO_RAW_COMM_CREATE = 18,    /* [arg = comm] */
  KYMO_RAW_COMM_DESTROY = 19,   /* [arg = comm] */

  /* One-sided; remote is a rank of the window's communicator. */
  KYMO_RAW_WIN_CREATE = 20,     /* [arg = win] */
  KYMO_RAW_WIN_DESTROY = 21,    /* [arg = win] */
  KYMO_RAW_RMA_PUT = 22,        /* [arg = win] {remote, 0, bytes} {matching id, 0} */
  KYMO_RAW_RMA_GET = 23,        /* [arg = win] {remote, 0, bytes} {matching id, 0} */
  KYMO_RAW_RMA_ATOMIC = 24,     /* [small = OTF2_RmaAtomicType_t, arg = win]
                                   {remote, 0, bytes sent} {matching id, bytes received} */
  KYMO_RAW_RMA_COMPLETE = 25,   /* [small = 0 blocking, 1 non-blocking, 2 remote; arg = win]
                                   {matching id, 0}; of all transfers that have the id */
  KYMO_RAW_RMA_COLL_BEGIN = 26, /* */
  KYMO_RAW_RMA_COLL_END = 27,   /* [small = OTF2_CollectiveOp_t, arg = win]
                                   {root or NONE, OTF2_RmaSyncLevel_t, sent} {received, 0} */
  KYMO_RAW_RMA_LOCK = 28,       /* acquired [small = OTF2_LockType_t, arg = win]
                                   {remote, 0, lock id} */
  KYMO_RAW_RMA_UNLOCK = 29,     /* [arg = win] {remote, 0, lock id} */
  KYMO_RAW_RMA_SYNC = 30,       /* [small = OTF2_RmaSyncType_t, arg = win] {remote, 0, 0} */
  KYMO_RAW_RMA_GROUP_SYNC = 31, /* [arg = win] {OTF2_RmaSyncLevel_t, comm or NONE, 0} */

  /* Input and output; OTF2 names the values. */
  KYMO_RAW_IO_OPEN = 32,        /* [small = OTF2_IoAccessMode_t, arg = handle]
                                   {creation flags, status flags, 0} */
  KYMO_RAW_IO_CLOSE = 33,       /* [arg = handle] */
  KYMO_RAW_IO_DUP = 34,         /* [arg = old handle] {new handle, status flags, 0} */
  KYMO_RAW_IO_SEEK = 35,        /* [small = OTF2_IoSeekOption_t, arg = handle]
                                   {offset asked, offset now} */
  KYMO_RAW_IO_BEGIN = 36,       /* [small = OTF2_IoOperationMode_t, arg = handle]
                                   {operation flags, 0, bytes asked} {matching id, 0} */
  KYMO_RAW_IO_END = 37,         /* [arg = handle] {bytes done} {matching id} */
  KYMO_RAW_IO_LOCK = 38,        /* [small = 0 acquired, 1 released, 2 tried;
                                   arg = handle] {OTF2_LockType_t, 0, 0} */
  KYMO_RAW_IO_DELETE = 39,      /* [small = PARADIGM as in `handle`, arg = file] */
  KYMO_RAW_IO_STATUS = 40,      /* [arg = handle] {status flags, 0, 0} */

  KYMO_RAW_THREAD_CREATE = 41,  /* {sequence count, 0} */
  KYMO_RAW_THREAD_BEGIN = 42,   /* [arg = creating thread] {sequence count, 0} */
  KYMO_RAW_THREAD_WAIT = 43,    /* [arg = thread that was waited for] {sequence count, 0} */
  KYMO_RAW_THREAD_END = 44,     /* {sequence count, 0} */

  KYMO_RAW_METRIC = 45,         /* [small = number of values, arg = class] {v, v} ... */
  KYMO_RAW_MEASUREMENT = 46,    /* [small = 0 off, 1 on] */
  KYMO_RAW_MARKER = 47,         /* [arg = region id whose name is the text] */
  KYMO_RAW_DROPPED = 48,        /* {records not written before this one, bytes of them} */
  KYMO_RAW_N_TYPES
} KymoRawType;

/* Cells that a record of a type has at least; 1 where the type is not known. */
static inline uint8_t
kymo_raw_least_cells (uint8_t type)
{
  static const uint8_t least_cells[KYMO_RAW_N_TYPES] = {
    [KYMO_RAW_CHUNK] = 2,
    [KYMO_RAW_SEND] = 2, [KYMO_RAW_RECV] = 2, [KYMO_RAW_ISEND] = 3,
    [KYMO_RAW_ISEND_COMPLETE] = 2, [KYMO_RAW_IRECV_REQUEST] = 2, [KYMO_RAW_IRECV] = 3,
    [KYMO_RAW_REQUEST_TEST] = 2, [KYMO_RAW_REQUEST_CANCELLED] = 2,
    [KYMO_RAW_COLL_END] = 3, [KYMO_RAW_NB_REQUEST] = 2, [KYMO_RAW_NB_COMPLETE] = 3,
    [KYMO_RAW_RMA_PUT] = 3, [KYMO_RAW_RMA_GET] = 3, [KYMO_RAW_RMA_ATOMIC] = 3,
    [KYMO_RAW_RMA_COMPLETE] = 2, [KYMO_RAW_RMA_COLL_END] = 3, [KYMO_RAW_RMA_LOCK] = 2,
    [KYMO_RAW_RMA_UNLOCK] = 2, [KYMO_RAW_RMA_SYNC] = 2, [KYMO_RAW_RMA_GROUP_SYNC] = 2,
    [KYMO_RAW_IO_OPEN] = 2, [KYMO_RAW_IO_DUP] = 2, [KYMO_RAW_IO_SEEK] = 2,
    [KYMO_RAW_IO_BEGIN] = 3, [KYMO_RAW_IO_END] = 2, [KYMO_RAW_IO_LOCK] = 2,
    [KYMO_RAW_IO_STATUS] = 2,
    [KYMO_RAW_THREAD_CREATE] = 2, [KYMO_RAW_THREAD_BEGIN] = 2, [KYMO_RAW_THREAD_WAIT] = 2,
    [KYMO_RAW_THREAD_END] = 2, [KYMO_RAW_DROPPED] = 2,
  };

  return type < KYMO_RAW_N_TYPES && least_cells[type] > 0 ? least_cells[type] : 1;
}

/* The first cell of a record. */
typedef struct
{
  uint8_t type;                 /* KymoRawType, stored last */
  uint8_t cells;                /* of the record, this one included */
  uint16_t small;
  uint32_t arg;
  uint64_t time;                /* ticks */
} KymoRawCell;

/* A cell after the first: two words, or two short ones and a word. */
typedef union
{
  struct { uint64_t a, b; };
  struct { int32_t i, j; uint64_t n; };
} KymoRawWords;

_Static_assert (sizeof (KymoRawCell) == KYMO_RAW_CELL_BYTES, "a cell has 16 bytes");
_Static_assert (sizeof (KymoRawWords) == KYMO_RAW_CELL_BYTES, "a cell has 16 bytes");
_Static_assert (sizeof (KymoRawHeader) == 48, "no padding in the header");
