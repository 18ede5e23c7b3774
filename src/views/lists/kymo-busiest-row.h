/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoBusiestRow: one entry method in the table of the busiest. It stays the
 * same object while its figures change ("changed"), so that selection, scroll
 * and pointer stay where they are. Main thread only.
 */
#pragma once

#include <gio/gio.h>

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

#define KYMO_TYPE_BUSIEST_ROW (kymo_busiest_row_get_type ())
G_DECLARE_FINAL_TYPE (KymoBusiestRow, kymo_busiest_row, KYMO, BUSIEST_ROW,
                      GObject)

struct _KymoBusiestRow
{
  GObject parent_instance;

  gint64  id;
  char   *name;
  double  figures[KYMO_BUSIEST_N];  /* NaN = not known */
};

KymoBusiestRow *kymo_busiest_row_new (gint64          id);
void            kymo_busiest_row_set (KymoBusiestRow *self,
                                      const char     *name,
                                      const double   *figures);
/* (nullable) "12.3 %": of what is known */
char           *kymo_busiest_row_dup_text (const KymoBusiestRow *self,
                                      KymoBusiestFigure figure);

G_END_DECLS
