/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Probes that a person allowed, within a budget of time. Rules name what must be measured; what
 * starts a probe is given, so that nothing here knows of commands. Each probe of a run is started
 * once. All that was started, or refused, is kept.
 *
 * Used by one thread at a time.
 */
#pragma once

#include "kymo-source.h"

G_BEGIN_DECLS

/**
 * KymoProbePart:
 *
 * What a probe measures.
 */
typedef enum
{
  KYMO_PROBE_PART_NONE,
  KYMO_PROBE_PART_NOISE,
  KYMO_PROBE_PART_PINGPONG,
  KYMO_PROBE_PART_MEMORY,
} KymoProbePart;

/**
 * KymoProbed:
 * @lines: (nullable): what was measured: columns group, key, value, as in probe.ini
 * @command: (nullable): what was started
 * @kept: (nullable): the file that keeps it
 * @took_ns: how long it took, also where it failed
 *
 * What a probe told.
 */
typedef struct
{
  KymoTable *lines;
  char      *command, *kept;
  gint64     took_ns;
} KymoProbed;

/**
 * KymoProbeStart:
 * @part: what to measure, as kymo_probe_part_get_word()
 * @bound_ns: when it must have ended
 * @probed: (out caller-allocates): gets the figures of the probe; the caller fills it with zeros
 *
 * Starts a probe where a run was, and waits for it.
 *
 * Returns: FALSE with an error: why nothing was measured
 */
typedef gboolean (*KymoProbeStart) (gpointer       data,
                                     KymoSource    *source,
                                     const char    *part,
                                     gint64         bound_ns,
                                     KymoProbed    *probed,
                                     GCancellable  *cancellable,
                                     GError       **error);

typedef struct _KymoProbeBudget KymoProbeBudget;

const char      *kymo_probe_part_get_word (KymoProbePart    part);
gint64           kymo_probe_part_get_need_ns
                                          (KymoProbePart    part);
char            *kymo_probe_part_dup_need (KymoProbePart    part);
gint64           kymo_probe_part_parse_need
                                          (const char      *need);
KymoProbeBudget      *kymo_probe_budget_new          (gint64           budget_ns,
                                           KymoProbeStart  start,
                                           gpointer         data);
void             kymo_probe_budget_free         (KymoProbeBudget      *budget);
const KymoTable *kymo_probe_budget_measure      (KymoProbeBudget      *budget,
                                           KymoSource      *source,
                                           KymoProbePart    part,
                                           const char      *metric,
                                           GCancellable    *cancellable,
                                           const char     **why);
KymoTable       *kymo_probe_budget_list         (KymoProbeBudget      *budget);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoProbeBudget, kymo_probe_budget_free)

G_END_DECLS
