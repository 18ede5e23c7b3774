/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all wrappers of MPI share. It stands here once, not in each of a thousand wrappers: those
 * are compiled in a fifth of the time, and a program has more room in its caches.
 */
#include "kymo-mpi.h"

#include <stdio.h>
#include <stdlib.h>

#define N_SCRATCH 5

/**
 * kymo_mpi_resolve:
 * @name: of a function of MPI
 *
 * Returns: that function, of the next library that has it. Where there is none, the program
 *   ends: it could not have been linked.
 */
void *
kymo_mpi_resolve (const char *name)
{
  void *function = kymo_rec_next_symbol (name);

  if (function == NULL && name[0] == 'M')
    {
      char inner[128];
      snprintf (inner, sizeof inner, "P%s", name);
      function = kymo_rec_next_symbol (inner);
    }
  if (function == NULL)
    {
      fprintf (stderr, "kymo-record: no library has %s\n", name);
      abort ();
    }
  return function;
}

/**
 * kymo_mpi_region: the region of a function of MPI.
 * @kept: 0 at first; where the answer is kept
 * @name: of the function
 * @role: an OTF2_RegionRole
 */
uint32_t
kymo_mpi_region (uint32_t   *kept,
                 const char *name,
                 int         role)
{
  if (__builtin_expect (*kept == 0, 0))
    {
      uint32_t id = kymo_rec_region (name, role, OTF2_PARADIGM_MPI, NULL, 0);
      if (id == KYMO_RAW_NONE)
        return id;
      *kept = id + 1;
    }
  return *kept - 1;
}

/**
 * kymo_mpi_scratch:
 * @which: 0 to 4: pieces of memory that are used at the same time
 * @n_bytes: how much
 *
 * Returns: memory of this thread until it asks for the same piece again; NULL if there is none
 */
void *
kymo_mpi_scratch (unsigned which,
                  size_t   n_bytes)
{
  static __thread struct
  {
    void *bytes;
    size_t n_bytes;
  } pieces[N_SCRATCH] __attribute__ ((tls_model ("initial-exec")));

  if (pieces[which].n_bytes < n_bytes || pieces[which].bytes == NULL)
    {
      size_t room = n_bytes < 1024 ? 1024 : n_bytes * 2;
      pieces[which].bytes = kymo_rec_arena (room);
      pieces[which].n_bytes = pieces[which].bytes != NULL ? room : 0;
    }
  return pieces[which].bytes;
}

/**
 * kymo_mpi_enter: begins a wrapper, and enters its region if the call is to be recorded.
 * @call: the function that is called
 * @frame: of the exported function: see kymo_rec_begin()
 *
 * Returns: where and since when it is recorded; kymo_mpi_leave() follows in any case
 */
KymoMpiSpan
kymo_mpi_enter (KymoMpiCall *call,
                uintptr_t    frame)
{
  KymoMpiSpan span = { kymo_rec_begin_at (frame), 0 };

#ifndef KYMO_REC_STATIC
  if (__builtin_expect (call->next == NULL, 0))
    call->next = kymo_mpi_resolve (call->name);
#endif
  if (span.thread != NULL)
    {
      uint32_t id = kymo_mpi_region (&call->region, call->name + (call->name[0] == 'P'),
                                     call->role);
      span.time = kymo_rec_now ();
      kymo_rec_enter (span.thread, id, span.time);
    }
  return span;
}

/**
 * kymo_mpi_leave: the counterpart of kymo_mpi_enter().
 * @thread: (nullable): of its answer
 */
void
kymo_mpi_leave (KymoRecThread     *thread,
                const KymoMpiCall *call)
{
  if (thread != NULL)
    kymo_rec_leave (thread, call->region - 1, kymo_rec_now ());
  kymo_rec_end ();
}

/**
 * kymo_mpi_size: bytes of data in a datatype; 0 if MPI does not say.
 */
int64_t
kymo_mpi_size (MPI_Datatype datatype)
{
  MPI_Count size = 0;

#if defined (MPICH_VERSION)
  /* A predefined type has its size in its handle. */
  if (((unsigned) datatype & 0xfc000000u) == 0x4c000000u)
    return ((unsigned) datatype & 0x0000ff00u) >> 8;
#endif
  if (datatype == MPI_DATATYPE_NULL || PMPI_Type_size_x (datatype, &size) != MPI_SUCCESS
      || size < 0)
    return 0;
  return size;
}
