/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cells of a table of a comparison say: a column is a key of an answer's
 * list, or one number of a vector, told in one of several ways. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-table.h"
#include "kymo-time-column.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_COMPARE_NAME,                   /* with its colour */
  KYMO_COMPARE_TEXT,
  KYMO_COMPARE_COUNT,
  KYMO_COMPARE_FIGURE,                 /* a time, or what has another unit */
  KYMO_COMPARE_CHANGE,                 /* the same with a sign */
  KYMO_COMPARE_RATIO,
  KYMO_COMPARE_EFFECT,                 /* a share with a sign, and a bar */
  KYMO_COMPARE_WORDS,                  /* what to think of it */
} KymoCompareKind;

/**
 * KymoCompareColumn:
 * @key: of the list; where there is none, without "_ns" it is no time
 * @element: of a vector
 * @title: as it is shown
 * @width_px: 0 = what there is room for
 */
typedef struct
{
  const char      *key;
  guint            element;
  const char      *title;
  KymoCompareKind  kind;
  int              width_px;
} KymoCompareColumn;

/* What a cell sorts by; NaN for nothing, and for texts. */
double      kymo_compare_number   (const KymoTable         *list,
                                   const KymoCompareColumn *column,
                                   guint                    row);
/* (transfer full): as it is shown, or with all its digits. */
char       *kymo_compare_text     (const KymoTable         *list,
                                   const KymoCompareColumn *column,
                                   guint                    row,
                                   const KymoTimeColumn    *times);
/* Whether nothing is to be made of the row. */
gboolean    kymo_compare_is_faded (const KymoTable         *list,
                                   guint                    row);

G_END_DECLS
