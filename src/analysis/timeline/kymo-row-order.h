/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of rows as people write them: "busy", "-idle", "time:Cell::run",
 * "-first:Cell::run", "similarity", "cluster", "number". A minus turns an order
 * round: the largest come first. The question "row-order" tells what order
 * that is; kymo_question_set_order() takes it.
 *
 * Any thread; values.
 */
#pragma once

#include "kymo-source.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_ROWS_BY_NUMBER,
  KYMO_ROWS_BY_BUSY,
  KYMO_ROWS_BY_IDLE,
  KYMO_ROWS_BY_OVERHEAD,
  KYMO_ROWS_BY_TIME,            /* of an activity, by its display name */
  KYMO_ROWS_BY_FIRST,           /* when that first ran */
  KYMO_ROWS_BY_SIMILARITY,
  KYMO_ROWS_BY_CLUSTER,
} KymoRowsBy;

/**
 * KymoRowOrder:
 * @name: of an activity; points into the text it was read from
 */
typedef struct
{
  KymoRowsBy  by;
  gboolean    descends;
  const char *name;
} KymoRowOrder;

gboolean  kymo_row_order_parse   (const char      *text,
                                  KymoRowOrder    *order,
                                  GError         **error);
gboolean  kymo_row_order_is_list (const char      *text);
GArray   *kymo_row_order_of      (const KymoTable *answer);
GArray   *kymo_row_order_ask     (KymoSource      *source,
                                  const char      *text,
                                  KymoSpan         span,
                                  GCancellable    *cancellable,
                                  GError         **error);

G_END_DECLS
