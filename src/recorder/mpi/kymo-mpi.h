/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the wrappers of MPI call, which wrappers.py writes from mpi.h. All is compiled once for each
 * MPI. Calls of PMPI functions here happen inside a wrapper, so they are not recorded.
 *
 * Handles are numbers in one MPI and pointers in the other; tables know them as 64 bits.
 */
#pragma once

#include <mpi.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "kymo-mpi-map.h"
#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define KYMO_MPI_FOREIGN KYMO_RAW_NONE  /* a communicator with processes of another world */
#define KYMO_MPI_TARGETS 64     /* targets of a window with operations under way */

typedef struct
{
  uint64_t handle;
  uint32_t id;                  /* KYMO_MPI_FOREIGN: its messages cannot be recorded */
  bool inter;
  int rank, size;               /* in the local group */
  int far_size;                 /* of the group that receives: the remote one, if inter */
  int n_sources, n_targets;     /* neighbours; -1 = not asked yet */
  uint32_t root;                /* these two are the same in all its processes */
  uint64_t counter;
} KymoMpiComm;

typedef enum
{
  KYMO_MPI_NOTHING,             /* MPI_PROC_NULL and what is not recorded */
  KYMO_MPI_SEND,
  KYMO_MPI_RECV,
  KYMO_MPI_SENDRECV,
  KYMO_MPI_COLLECTIVE,
  KYMO_MPI_RMA,
  KYMO_MPI_FILE_IO,
  KYMO_MPI_IDUP
} KymoMpiRequestKind;

/* An operation that a request stands for. */
typedef struct KymoMpiRequest
{
  struct KymoMpiRequest *next;
  const KymoRecThread *holder;  /* waits for it now; NULL = nobody */
  uint64_t handle;
  uint64_t id;
  uint64_t send_id;             /* of the sending half of a SENDRECV */
  uint8_t kind;
  bool persistent, active, cancelled;
  bool unsure;                  /* the status of its end may be empty: see peer, tag, received */
  uint16_t op;                  /* of a collective */
  uint32_t turn;                /* of recording, when it began */
  uint32_t target;              /* communicator, window or file handle */
  int peer, tag, root;
  int64_t sent, received;       /* bytes */
  MPI_Comm *new_comm;           /* of MPI_Comm_idup */
  uint64_t old_comm;
} KymoMpiRequest;

typedef struct
{
  int peer;
  uint64_t id;
} KymoMpiTarget;

typedef struct
{
  uint32_t id;
  bool allocated;
  KymoMpiComm *comm;
  KymoSysLock lock;
  unsigned n_targets;
  KymoMpiTarget targets[KYMO_MPI_TARGETS];
} KymoMpiWin;

typedef struct
{
  uint32_t id;
  uint64_t split_id;            /* of a read or write that was begun with …_begin */
} KymoMpiFile;

/* A function that is wrapped. */
typedef struct
{
  void *next;                   /* where the call goes on; NULL = not asked yet */
  const char *name;             /* MPI_X or PMPI_X */
  int role;                     /* OTF2_RegionRole */
  uint32_t region;              /* of kymo_mpi_region() */
} KymoMpiCall;

/* A call that is under way. */
typedef struct
{
  KymoRecThread *thread;        /* NULL = it is not recorded */
  uint64_t time;                /* when it was entered, in ticks */
} KymoMpiSpan;

#pragma GCC visibility push (hidden)

extern __thread struct
{
  MPI_Comm handle;
  uint32_t generation;
  KymoMpiComm *comm;
} kymo_mpi_last_comm __attribute__ ((tls_model ("initial-exec")));
extern _Atomic uint32_t kymo_mpi_generation;
extern KymoMpiComm *kymo_mpi_world;

/* All wrappers. */
KymoMpiSpan  kymo_mpi_enter         (KymoMpiCall   *call,
                                     uintptr_t      frame);
void         kymo_mpi_leave         (KymoRecThread *thread,
                                     const KymoMpiCall *call);
void        *kymo_mpi_resolve       (const char    *name);
uint32_t     kymo_mpi_region        (uint32_t      *kept,
                                     const char    *name,
                                     int            role);
void        *kymo_mpi_scratch       (unsigned       which,
                                     size_t         n_bytes);
int64_t      kymo_mpi_size          (MPI_Datatype   datatype);
int64_t      kymo_mpi_received      (const MPI_Status *status);

/* Communicators. */
KymoMpiComm *kymo_mpi_comm_look_up  (MPI_Comm       comm);
void         kymo_mpi_comm_add      (KymoRecThread *thread,
                                     MPI_Comm       comm,
                                     uint64_t       key);
void         kymo_mpi_comm_gone     (KymoRecThread *thread,
                                     MPI_Comm       comm);
void         kymo_mpi_comm_name     (MPI_Comm       comm,
                                     const char    *name);
uint64_t     kymo_mpi_comm_key      (MPI_Comm       parent);
void         kymo_mpi_comm_neighbours (MPI_Comm     comm,
                                     KymoMpiComm   *entry);
void         kymo_mpi_comms_init    (KymoRecThread *thread);
uint64_t     kymo_mpi_foreign_messages (void);
bool         kymo_mpi_can_record    (const KymoMpiComm *comm,
                                     int            peer);

/* Point to point. */
void         kymo_mpi_mark_send     (KymoRecThread *thread,
                                     MPI_Comm       comm,
                                     int            peer,
                                     int            tag,
                                     int64_t        n_bytes);
void         kymo_mpi_look_at_payload (MPI_Comm     comm,
                                     int            peer,
                                     const void    *buffer,
                                     int64_t        count,
                                     MPI_Datatype   datatype);
void         kymo_mpi_define_payload (void);
void         kymo_mpi_mark_recv     (KymoRecThread *thread,
                                     const KymoMpiComm *comm,
                                     const MPI_Status *status);
void         kymo_mpi_mark_isend    (KymoRecThread *thread,
                                     const KymoMpiRequest *request);
void         kymo_mpi_mark_id       (KymoRecThread *thread,
                                     uint8_t        type,
                                     uint64_t       id);
void         kymo_mpi_message_seen  (MPI_Message    message,
                                     MPI_Comm       comm);
KymoMpiComm *kymo_mpi_message_taken (MPI_Message    message);

/* Requests. */
KymoMpiRequest kymo_mpi_request     (KymoRecThread *thread,
                                     KymoMpiRequestKind kind,
                                     MPI_Comm       comm,
                                     int            peer,
                                     int            tag,
                                     int64_t        n_bytes);
void         kymo_mpi_request_made  (MPI_Request    handle,
                                     const KymoMpiRequest *request);
void         kymo_mpi_request_hold  (const KymoRecThread *thread,
                                     const MPI_Request *handles,
                                     int            n);
void         kymo_mpi_request_let_go (const KymoRecThread *thread,
                                     const MPI_Request *handles,
                                     int            n);
void         kymo_mpi_request_done  (KymoRecThread *thread,
                                     MPI_Request    handle,
                                     MPI_Status    *status);
void         kymo_mpi_request_free  (MPI_Request    handle);
void         kymo_mpi_request_cancel (MPI_Request   handle);
void         kymo_mpi_request_start (KymoRecThread *thread,
                                     MPI_Request    handle);
void         kymo_mpi_request_tested (KymoRecThread *thread,
                                     MPI_Request    handle);

/* Collectives. */
void         kymo_mpi_coll_begin    (KymoRecThread *thread,
                                     uint64_t       time);
void         kymo_mpi_coll_end      (KymoRecThread *thread,
                                     unsigned       op,
                                     const KymoMpiComm *comm,
                                     int            root,
                                     int64_t        sent,
                                     int64_t        received);
KymoMpiRequest kymo_mpi_coll_request (KymoRecThread *thread,
                                     unsigned       op,
                                     const KymoMpiComm *comm,
                                     int            root,
                                     int64_t        sent,
                                     int64_t        received);

/* One-sided. */
void         kymo_mpi_win_add       (KymoRecThread *thread,
                                     MPI_Win        win,
                                     MPI_Comm       comm,
                                     bool           allocated);
void         kymo_mpi_win_gone      (KymoRecThread *thread,
                                     MPI_Win        win);
void         kymo_mpi_win_name      (MPI_Win        win,
                                     const char    *name);
void         kymo_mpi_win_transfer  (KymoRecThread *thread,
                                     MPI_Win        win,
                                     int            peer,
                                     uint8_t        type,
                                     unsigned       atomic,
                                     int64_t        sent,
                                     int64_t        received,
                                     KymoMpiRequest *request);
void         kymo_mpi_win_complete  (KymoRecThread *thread,
                                     MPI_Win        win,
                                     int            peer);
void         kymo_mpi_win_collective (KymoRecThread *thread,
                                     MPI_Win        win,
                                     unsigned       op,
                                     int            level);
void         kymo_mpi_win_begin     (KymoRecThread *thread);
void         kymo_mpi_win_lock      (KymoRecThread *thread,
                                     MPI_Win        win,
                                     int            peer,
                                     int            type);
void         kymo_mpi_win_unlock    (KymoRecThread *thread,
                                     MPI_Win        win,
                                     int            peer);
void         kymo_mpi_win_sync      (KymoRecThread *thread,
                                     MPI_Win        win);
void         kymo_mpi_win_group     (KymoRecThread *thread,
                                     MPI_Win        win,
                                     int            level);

/* Files. */
void         kymo_mpi_file_add      (KymoRecThread *thread,
                                     MPI_File       file,
                                     MPI_Comm       comm,
                                     const char    *path,
                                     int            mode);
void         kymo_mpi_file_gone     (KymoRecThread *thread,
                                     MPI_File       file);
void         kymo_mpi_file_deleted  (KymoRecThread *thread,
                                     const char    *path);
void         kymo_mpi_file_seek     (KymoRecThread *thread,
                                     MPI_File       file,
                                     int64_t        offset,
                                     int            whence,
                                     bool           shared);
uint64_t     kymo_mpi_file_begin    (KymoRecThread *thread,
                                     MPI_File       file,
                                     int            mode,
                                     int            flags,
                                     int64_t        n_bytes);
void         kymo_mpi_file_end      (KymoRecThread *thread,
                                     MPI_File       file,
                                     uint64_t       id,
                                     const MPI_Status *status);
KymoMpiRequest kymo_mpi_file_request (MPI_File       file,
                                     uint64_t       id);
void         kymo_mpi_file_split    (MPI_File       file,
                                     uint64_t       id);
void         kymo_mpi_file_join     (KymoRecThread *thread,
                                     MPI_File       file,
                                     const MPI_Status *status);

/* Beginning and end. */
void         kymo_mpi_started       (void);
void         kymo_mpi_ending        (void);
int64_t      kymo_mpi_measure_clock (MPI_Comm       comm);
void         kymo_mpi_start_live    (MPI_Comm       comm,
                                     int64_t        offset_ns);
void         kymo_mpi_pcontrol      (KymoRecThread *thread,
                                     int            level);

#pragma GCC visibility pop

/* A handle as a number. */
#define KYMO_HANDLE(handle) ((uint64_t) (uintptr_t) (handle))

/* Bytes of count elements. */
#define KYMO_BYTES(count, datatype) ((int64_t) (count) * kymo_mpi_size (datatype))

/* The sum of n counts of any type. */
#define KYMO_SUM(counts, n) ({ int64_t sum_ = 0; \
    for (int i_ = 0; i_ < (n); i_++) { sum_ += (int64_t) (counts)[i_]; } sum_; })

/* The sum of n counts, each with a type of its own. */
#define KYMO_SUM_TYPES(counts, types, n) ({ int64_t sum_ = 0; \
    for (int i_ = 0; i_ < (n); i_++) { sum_ += KYMO_BYTES ((counts)[i_], (types)[i_]); } sum_; })

/**
 * kymo_mpi_comm: what is known of a communicator; owned by the table and valid until it is freed.
 */
static inline KymoMpiComm *
kymo_mpi_comm (MPI_Comm comm)
{
  if (kymo_mpi_last_comm.handle == comm && kymo_mpi_last_comm.comm != NULL
      && kymo_mpi_last_comm.generation
         == atomic_load_explicit (&kymo_mpi_generation, memory_order_relaxed))
    return kymo_mpi_last_comm.comm;
  return kymo_mpi_comm_look_up (comm);
}
