/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events of which a run keeps nothing but that they were there: the span of a location
 * reaches over all its records. Functions that cause them have their own.
 */
#include "config.h"

#include "kymo-otf2-events-private.h"

/* A callback that only takes the time of the event. */
#define SKIP(Event, ...)                                                          \
  static OTF2_CallbackCode                                                        \
  on_##Event (OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,  \
              void *data, OTF2_AttributeList *attributes, ##__VA_ARGS__)          \
  {                                                                               \
    return kymo_otf2_skip (data, time);                                           \
  }

SKIP (OmpFork, uint32_t a)
SKIP (OmpJoin)
SKIP (OmpAcquireLock, uint32_t a, uint32_t b)
SKIP (OmpReleaseLock, uint32_t a, uint32_t b)
SKIP (OmpTaskCreate, uint64_t a)
SKIP (OmpTaskSwitch, uint64_t a)
SKIP (OmpTaskComplete, uint64_t a)
SKIP (ParameterString, OTF2_ParameterRef a, OTF2_StringRef b)
SKIP (ParameterInt, OTF2_ParameterRef a, int64_t b)
SKIP (ParameterUnsignedInt, OTF2_ParameterRef a, uint64_t b)
SKIP (RmaWinCreate, OTF2_RmaWinRef a)
SKIP (RmaWinDestroy, OTF2_RmaWinRef a)
SKIP (RmaGroupSync, OTF2_RmaSyncLevel a, OTF2_RmaWinRef b, OTF2_GroupRef c)
SKIP (RmaRequestLock, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaAcquireLock, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaTryLock, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaReleaseLock, OTF2_RmaWinRef a, uint32_t b, uint64_t c)
SKIP (RmaSync, OTF2_RmaWinRef a, uint32_t b, OTF2_RmaSyncType c)
SKIP (RmaWaitChange, OTF2_RmaWinRef a)
SKIP (ThreadFork, OTF2_Paradigm a, uint32_t b)
SKIP (ThreadJoin, OTF2_Paradigm a)
SKIP (ThreadTeamBegin, OTF2_CommRef a)
SKIP (ThreadTeamEnd, OTF2_CommRef a)
SKIP (ThreadAcquireLock, OTF2_Paradigm a, uint32_t b, uint32_t c)
SKIP (ThreadReleaseLock, OTF2_Paradigm a, uint32_t b, uint32_t c)
SKIP (ThreadTaskCreate, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (ThreadTaskSwitch, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (ThreadTaskComplete, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (ThreadCreate, OTF2_CommRef a, uint64_t b)
SKIP (ThreadBegin, OTF2_CommRef a, uint64_t b)
SKIP (ThreadWait, OTF2_CommRef a, uint64_t b)
SKIP (ThreadEnd, OTF2_CommRef a, uint64_t b)
SKIP (IoCreateHandle, OTF2_IoHandleRef a, OTF2_IoAccessMode b, OTF2_IoCreationFlag c,
      OTF2_IoStatusFlag d)
SKIP (IoDestroyHandle, OTF2_IoHandleRef a)
SKIP (IoDuplicateHandle, OTF2_IoHandleRef a, OTF2_IoHandleRef b, OTF2_IoStatusFlag c)
SKIP (IoSeek, OTF2_IoHandleRef a, int64_t b, OTF2_IoSeekOption c, uint64_t d)
SKIP (IoChangeStatusFlags, OTF2_IoHandleRef a, OTF2_IoStatusFlag b)
SKIP (IoDeleteFile, OTF2_IoParadigmRef a, OTF2_IoFileRef b)
SKIP (IoOperationBegin, OTF2_IoHandleRef a, OTF2_IoOperationMode b, OTF2_IoOperationFlag c,
      uint64_t d, uint64_t e)
SKIP (IoOperationTest, OTF2_IoHandleRef a, uint64_t b)
SKIP (IoOperationIssued, OTF2_IoHandleRef a, uint64_t b)
SKIP (IoOperationComplete, OTF2_IoHandleRef a, uint64_t b, uint64_t c)
SKIP (IoOperationCancelled, OTF2_IoHandleRef a, uint64_t b)
SKIP (IoAcquireLock, OTF2_IoHandleRef a, OTF2_LockType b)
SKIP (IoReleaseLock, OTF2_IoHandleRef a, OTF2_LockType b)
SKIP (IoTryLock, OTF2_IoHandleRef a, OTF2_LockType b)
SKIP (ProgramEnd, int64_t a)
SKIP (CommCreate, OTF2_CommRef a)
SKIP (CommDestroy, OTF2_CommRef a)

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
  OTF2_EvtReaderCallbacks_SetParameterStringCallback (calls, on_ParameterString);
  OTF2_EvtReaderCallbacks_SetParameterIntCallback (calls, on_ParameterInt);
  OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback (calls, on_ParameterUnsignedInt);
  OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback (calls, on_RmaWinCreate);
  OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback (calls, on_RmaWinDestroy);
  OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback (calls, on_RmaGroupSync);
  OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback (calls, on_RmaRequestLock);
  OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback (calls, on_RmaAcquireLock);
  OTF2_EvtReaderCallbacks_SetRmaTryLockCallback (calls, on_RmaTryLock);
  OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback (calls, on_RmaReleaseLock);
  OTF2_EvtReaderCallbacks_SetRmaSyncCallback (calls, on_RmaSync);
  OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback (calls, on_RmaWaitChange);
  OTF2_EvtReaderCallbacks_SetThreadForkCallback (calls, on_ThreadFork);
  OTF2_EvtReaderCallbacks_SetThreadJoinCallback (calls, on_ThreadJoin);
  OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback (calls, on_ThreadTeamBegin);
  OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback (calls, on_ThreadTeamEnd);
  OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback (calls, on_ThreadAcquireLock);
  OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback (calls, on_ThreadReleaseLock);
  OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback (calls, on_ThreadTaskCreate);
  OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback (calls, on_ThreadTaskSwitch);
  OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback (calls, on_ThreadTaskComplete);
  OTF2_EvtReaderCallbacks_SetThreadCreateCallback (calls, on_ThreadCreate);
  OTF2_EvtReaderCallbacks_SetThreadBeginCallback (calls, on_ThreadBegin);
  OTF2_EvtReaderCallbacks_SetThreadWaitCallback (calls, on_ThreadWait);
  OTF2_EvtReaderCallbacks_SetThreadEndCallback (calls, on_ThreadEnd);
  OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback (calls, on_IoCreateHandle);
  OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback (calls, on_IoDestroyHandle);
  OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback (calls, on_IoDuplicateHandle);
  OTF2_EvtReaderCallbacks_SetIoSeekCallback (calls, on_IoSeek);
  OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback (calls, on_IoChangeStatusFlags);
  OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback (calls, on_IoDeleteFile);
  OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback (calls, on_IoOperationBegin);
  OTF2_EvtReaderCallbacks_SetIoOperationTestCallback (calls, on_IoOperationTest);
  OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback (calls, on_IoOperationIssued);
  OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback (calls, on_IoOperationComplete);
  OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback (calls, on_IoOperationCancelled);
  OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback (calls, on_IoAcquireLock);
  OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback (calls, on_IoReleaseLock);
  OTF2_EvtReaderCallbacks_SetIoTryLockCallback (calls, on_IoTryLock);
  OTF2_EvtReaderCallbacks_SetProgramEndCallback (calls, on_ProgramEnd);
  OTF2_EvtReaderCallbacks_SetCommCreateCallback (calls, on_CommCreate);
  OTF2_EvtReaderCallbacks_SetCommDestroyCallback (calls, on_CommDestroy);
}
