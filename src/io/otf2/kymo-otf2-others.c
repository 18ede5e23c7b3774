/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events of which a run keeps nothing but that they were there: the span of a location
 * reaches over all its records. Functions that cause them have their own records. They are
 * counted, so that the report says what is not shown.
 */
#include "config.h"

#include "kymo-otf2-events-private.h"

/* A callback that only takes the time of the event, and counts it. */
#define SKIP(Event, Count, ...)                       \
  KYMO_OTF2_EVENT (on_##Event, ##__VA_ARGS__)         \
  {                                                   \
    ((KymoOtf2Stream *) data)->counts.Count++;        \
    return kymo_otf2_skip (data, time);               \
  }

SKIP (OmpFork, n_threading, uint32_t a)
SKIP (OmpJoin, n_threading)
SKIP (OmpAcquireLock, n_threading, uint32_t a, uint32_t b)
SKIP (OmpReleaseLock, n_threading, uint32_t a, uint32_t b)
SKIP (OmpTaskCreate, n_threading, uint64_t a)
SKIP (OmpTaskSwitch, n_threading, uint64_t a)
SKIP (OmpTaskComplete, n_threading, uint64_t a)
SKIP (RmaWinCreate, n_synchronizing, OTF2_RmaWinRef a)
SKIP (RmaWinDestroy, n_synchronizing, OTF2_RmaWinRef a)
SKIP (RmaGroupSync, n_synchronizing, OTF2_RmaSyncLevel a, OTF2_RmaWinRef b, OTF2_GroupRef c)
SKIP (RmaRequestLock, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaAcquireLock, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaTryLock, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaReleaseLock, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, uint64_t c)
SKIP (RmaSync, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, OTF2_RmaSyncType c)
SKIP (RmaWaitChange, n_synchronizing, OTF2_RmaWinRef a)
SKIP (ThreadAcquireLock, n_threading, OTF2_Paradigm a, uint32_t b, uint32_t c)
SKIP (ThreadReleaseLock, n_threading, OTF2_Paradigm a, uint32_t b, uint32_t c)
SKIP (ThreadTaskCreate, n_threading, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (ThreadTaskSwitch, n_threading, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (ThreadTaskComplete, n_threading, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (CommCreate, n_others, OTF2_CommRef a)
SKIP (CommDestroy, n_others, OTF2_CommRef a)

/* It ends with the last record, which the span of the location tells. */
KYMO_OTF2_EVENT (on_ProgramEnd, int64_t status)
{
  return kymo_otf2_skip (data, time);
}

/**
 * kymo_otf2_add_other_callbacks:
 *
 * Sets callbacks for kinds of records of which nothing but the time is kept, so that no time
 * is lost.
 */
void
kymo_otf2_add_other_callbacks (OTF2_EvtReaderCallbacks *calls)
{
  OTF2_EvtReaderCallbacks_SetOmpForkCallback (calls, on_OmpFork);
  OTF2_EvtReaderCallbacks_SetOmpJoinCallback (calls, on_OmpJoin);
  OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback (calls, on_OmpAcquireLock);
  OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback (calls, on_OmpReleaseLock);
  OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback (calls, on_OmpTaskCreate);
  OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback (calls, on_OmpTaskSwitch);
  OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback (calls, on_OmpTaskComplete);
  OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback (calls, on_RmaWinCreate);
  OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback (calls, on_RmaWinDestroy);
  OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback (calls, on_RmaGroupSync);
  OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback (calls, on_RmaRequestLock);
  OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback (calls, on_RmaAcquireLock);
  OTF2_EvtReaderCallbacks_SetRmaTryLockCallback (calls, on_RmaTryLock);
  OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback (calls, on_RmaReleaseLock);
  OTF2_EvtReaderCallbacks_SetRmaSyncCallback (calls, on_RmaSync);
  OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback (calls, on_RmaWaitChange);
  OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback (calls, on_ThreadAcquireLock);
  OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback (calls, on_ThreadReleaseLock);
  OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback (calls, on_ThreadTaskCreate);
  OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback (calls, on_ThreadTaskSwitch);
  OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback (calls, on_ThreadTaskComplete);
  OTF2_EvtReaderCallbacks_SetProgramEndCallback (calls, on_ProgramEnd);
  OTF2_EvtReaderCallbacks_SetCommCreateCallback (calls, on_CommCreate);
  OTF2_EvtReaderCallbacks_SetCommDestroyCallback (calls, on_CommDestroy);
}
