/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The `.kymo` file that lies beside a run which was reduced or extracted, as the readers of
 * the run see it (docs/formats/kymo.md).
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

#define KYMO_REDUCED_GROUP "Reduction"
#define KYMO_REDUCED_VERSION 1
#define KYMO_SELECTION_GROUP "Selection"
#define KYMO_SELECTION_AXIS_BEGIN "axis_begin_ns"
#define KYMO_SELECTION_AXIS_END "axis_end_ns"

/**
 * KymoNoted: a run beside which a .kymo file may lie
 * @base: of the name of that file
 * @n_pes: PEs of the original, as other files say; -1 = nothing but the .kymo file
 *   tells
 * @ids: (array length=n_ids): PEs that are there, ascending
 */
typedef struct
{
  const char   *folder;
  const char   *base;
  gint64        n_pes;
  const gint64 *ids;
  guint         n_ids;
} KymoNoted;

char    *kymo_reduced_dup_path   (const char                  *folder,
                                  const char                  *base);
void     kymo_reduced_check      (const KymoNoted             *noted,
                                  KymoReport                  *report);
gboolean kymo_reduced_load       (const KymoNoted             *noted,
                                  GKeyFile                    *file);
gboolean kymo_reduced_report     (const KymoNoted             *noted,
                                  KymoRun                     *run);
KymoReduction *
         kymo_reduced_parse_weights (GKeyFile                 *file,
                                     const int                *kept,
                                     gsize                     n_kept,
                                     gint64                    length_ns,
                                     const char              **why);
void     kymo_reduced_take_weights (const KymoNoted          *noted,
                                    KymoRun                  *run,
                                    KymoReport               *report);

/* The first function reads the note of an extracted run into its load report; the second sets the
   span of the run when it was sealed, or taken from a cache file; the third gives what is
   needed to settle damaged logs. */
gboolean kymo_selection_take       (GKeyFile                    *file,
                                    const char                  *name,
                                    gint64                       n_left_out,
                                    KymoRun                     *run);
void     kymo_selection_apply      (const KymoNoted             *noted,
                                    KymoRun                     *run);
gboolean kymo_selection_get_axis   (const KymoNoted             *noted,
                                    KymoSpan                    *axis);

G_END_DECLS
