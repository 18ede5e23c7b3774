/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of a recorded job (docs/formats/live.md) that a condition can look at. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KymoWatchedUnit: of an amount, which is an integer */
typedef enum
{
  KYMO_WATCHED_SHARE,           /* millionths */
  KYMO_WATCHED_BYTES,
  KYMO_WATCHED_TIME,            /* nanoseconds in a second */
  KYMO_WATCHED_COUNT,
} KymoWatchedUnit;

/** KymoWatchedFigure: which of the processes of a second counts */
typedef enum
{
  KYMO_WATCHED_LOWEST,
  KYMO_WATCHED_MEAN,
  KYMO_WATCHED_HIGHEST,
} KymoWatchedFigure;

#define KYMO_WATCHED_N_FIGURES 3

/**
 * KymoWatchedValue:
 * @id: its name in the stream, "page-faults"
 * @label: for people, not translated: "Page faults"
 */
typedef struct
{
  const char     *id;
  const char     *label;
  KymoWatchedUnit unit;
} KymoWatchedValue;

const KymoWatchedValue *kymo_watched_value_at     (guint                   index);
guint                   kymo_watched_value_find   (const char             *id);
const char             *kymo_watched_figure_word  (KymoWatchedFigure       figure);
char                   *kymo_watched_value_format (const KymoWatchedValue *value,
                                                   gint64                  amount);

G_END_DECLS
