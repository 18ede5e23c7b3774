/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may go wrong with a CCS server, on demand: the faults that a client
 * has to bear. A fault that falls on blocks falls on every n-th of the
 * recording; where it spoils the reply, that block is gone.
 *
 * A plain value; any thread.
 */
#pragma once

#include "kymo-stream-block.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_CCS_FAULT_START,
  KYMO_CCS_FAULT_LATE,
  KYMO_CCS_FAULT_RESET,
  KYMO_CCS_FAULT_CLOSE,
  KYMO_CCS_FAULT_HALF,
  KYMO_CCS_FAULT_DRIP,
  KYMO_CCS_FAULT_HANG,
  KYMO_CCS_FAULT_HUGE,
  KYMO_CCS_FAULT_NEGATIVE,
  KYMO_CCS_FAULT_GARBAGE,
  KYMO_CCS_FAULT_BINS,
  KYMO_CCS_FAULT_RECORDS,
  KYMO_CCS_FAULT_STEAL,
  KYMO_CCS_FAULT_REFUSE,
  KYMO_CCS_FAULT_SWAP,
  KYMO_CCS_FAULT_NO_ARCH,
  KYMO_CCS_FAULT_NO_STREAM,
  KYMO_CCS_N_FAULTS,
} KymoCcsFault;

/**
 * KymoCcsFaults:
 * @number: of each what its sentence calls N; 0 = it does not happen
 */
typedef struct
{
  guint number[KYMO_CCS_N_FAULTS];
} KymoCcsFaults;

gboolean    kymo_ccs_faults_parse (const char           *text,
                                   KymoCcsFaults        *faults,
                                   GError              **error);
const char *kymo_ccs_faults_list  (void);
gboolean    kymo_ccs_faults_fall_on (const KymoCcsFaults *faults,
                                   KymoCcsFault          fault,
                                   gint64                index);
GBytes     *kymo_ccs_faults_spoil (const KymoCcsFaults  *faults,
                                   const KymoStreamForm *form,
                                   gint64                index,
                                   GBytes               *payload);
GBytes     *kymo_ccs_faults_swap  (const KymoStreamForm *form,
                                   GBytes               *payload);

G_END_DECLS
