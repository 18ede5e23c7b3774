/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread, or what stands for all of them: of every event calls, subroutines and what
 * it had of the metric, of one location or as a total, a mean, an extreme or a
 * deviation over the asked locations. Tables and trees of one thread are made of it.
 */
#pragma once

#include "kymo-profile-look.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_THREAD_LOCATION,
  KYMO_THREAD_TOTAL,
  KYMO_THREAD_MEAN,
  KYMO_THREAD_MEAN_PRESENT,
  KYMO_THREAD_MIN,
  KYMO_THREAD_MAX,
  KYMO_THREAD_STDDEV,
} KymoThreadKind;

/** KymoThreadValues: one event; all 0 where the thread does not have it */
typedef struct
{
  gboolean has;
  double   calls, subroutines, exclusive, inclusive;
} KymoThreadValues;

/**
 * KymoThreadFigures:
 * @location: index in the run, of %KYMO_THREAD_LOCATION
 * @is_linear: sums of its figures mean something
 * @values: by event
 */
typedef struct
{
  KymoThreadKind    kind;
  guint             location;
  gboolean          is_linear;
  char             *label;
  KymoThreadValues *values;
} KymoThreadFigures;

KymoThreadFigures *kymo_thread_figures_new  (const KymoProfileLook    *look,
                                             const char               *of,
                                             GError                  **error);
void               kymo_thread_figures_free (KymoThreadFigures        *thread);
void               kymo_thread_figures_set  (const KymoThreadFigures  *thread,
                                             const KymoProfileLook    *look,
                                             KymoTable                *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoThreadFigures, kymo_thread_figures_free)

G_END_DECLS
