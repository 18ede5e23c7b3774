/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoBusiestView: the busiest entry methods of a stream, now and over the
 * run. It asks at most once a second, and only where it is seen. It is a
 * legend as well: the pointer lifts a series, its dot hides it.
 * Main thread only.
 */
#pragma once

#include "kymo-line-table.h"

G_BEGIN_DECLS

/** KymoBusiestFigure: shares of all traced time */
typedef enum
{
  KYMO_BUSIEST_NOW,             /* in the newest second */
  KYMO_BUSIEST_MEAN,
  KYMO_BUSIEST_LOWEST,          /* in the second in which it had least */
  KYMO_BUSIEST_HIGHEST,
  KYMO_BUSIEST_N,
} KymoBusiestFigure;

#define KYMO_TYPE_BUSIEST_VIEW (kymo_busiest_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoBusiestView, kymo_busiest_view, KYMO, BUSIEST_VIEW,
                      KymoLineTable)

GtkWidget *kymo_busiest_view_new        (KymoSession       *session);
double     kymo_busiest_view_get_figure (KymoBusiestView   *self,
                                         guint              line,
                                         KymoBusiestFigure  figure);

G_END_DECLS
