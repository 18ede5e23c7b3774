/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the columns of answers are: the heading that people read, and the kind of their cells. A
 * column means the same in every answer, so lists of questions name columns by their keys alone.
 * Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoCellKind:
 * @KYMO_CELL_NUMBER: a count, or a number without a unit
 * @KYMO_CELL_ORDINAL: a number that only tells rows apart
 * @KYMO_CELL_SHARE: 0 to 1; integers in such a column are plain numbers
 * @KYMO_CELL_DISTANCE: between PEs, in the unit of what they are compared by
 * @KYMO_CELL_AXIS: in the unit of an axis of the answer
 * @KYMO_CELL_DURATION: ns
 * @KYMO_CELL_MOMENT: ns from the begin of the run
 * @KYMO_CELL_BYTES: bytes
 * @KYMO_CELL_ROW: number of a location
 * @KYMO_CELL_TEXT: a name or a word
 */
typedef enum
{
  KYMO_CELL_NUMBER,
  KYMO_CELL_ORDINAL,
  KYMO_CELL_SHARE,
  KYMO_CELL_DISTANCE,
  KYMO_CELL_AXIS,
  KYMO_CELL_DURATION,
  KYMO_CELL_MOMENT,
  KYMO_CELL_BYTES,
  KYMO_CELL_ROW,
  KYMO_CELL_TEXT,
} KymoCellKind;

/**
 * KymoColumnInfo:
 * @key: name of the column
 * @heading: (nullable): translatable; "" where the value needs none, %NULL where the key says it
 * @in_metric: whether values of an answer about profiles are in the unit of its metric
 * @internal: whether the column only serves programs and pictures
 */
typedef struct
{
  const char  *key;
  const char  *heading;
  KymoCellKind kind;
  gboolean     in_metric;
  gboolean     internal;
} KymoColumnInfo;

KymoColumnInfo kymo_column_info (const char *key);

G_END_DECLS
