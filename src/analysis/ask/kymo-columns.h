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
 * KymoColumnKind:
 * @KYMO_COLUMN_OF_NUMBER: a count, or a number without a unit
 * @KYMO_COLUMN_OF_ORDINAL: a number that only tells rows apart
 * @KYMO_COLUMN_OF_SHARE: 0 to 1; integers in such a column are plain numbers
 * @KYMO_COLUMN_OF_DISTANCE: between PEs, in the unit of what they are compared by
 * @KYMO_COLUMN_OF_AXIS: in the unit of an axis of the answer
 * @KYMO_COLUMN_OF_DURATION: ns
 * @KYMO_COLUMN_OF_MOMENT: ns from the begin of the run
 * @KYMO_COLUMN_OF_BYTES: bytes
 * @KYMO_COLUMN_OF_ROW: number of a location
 * @KYMO_COLUMN_OF_TEXT: a name or a word
 */
typedef enum
{
  KYMO_COLUMN_OF_NUMBER,
  KYMO_COLUMN_OF_ORDINAL,
  KYMO_COLUMN_OF_SHARE,
  KYMO_COLUMN_OF_DISTANCE,
  KYMO_COLUMN_OF_AXIS,
  KYMO_COLUMN_OF_DURATION,
  KYMO_COLUMN_OF_MOMENT,
  KYMO_COLUMN_OF_BYTES,
  KYMO_COLUMN_OF_ROW,
  KYMO_COLUMN_OF_TEXT,
} KymoColumnKind;

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
  KymoColumnKind kind;
  gboolean     in_metric;
  gboolean     internal;
} KymoColumnInfo;

KymoColumnInfo kymo_column_info (const char *key);

G_END_DECLS
