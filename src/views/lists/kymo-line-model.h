/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLine: an item of the list models under tables: the number of a row, and nothing else of it.
 *
 * KymoLineModel: a list model of numbers of rows, of which a KymoLine is made when a line is to be
 * seen, and again when it is seen again. So a hundred thousand lines cost their numbers.
 *
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define KYMO_TYPE_LINE (kymo_line_get_type ())
G_DECLARE_FINAL_TYPE (KymoLine, kymo_line, KYMO, LINE, GObject)

struct _KymoLine
{
  GObject parent_instance;

  guint   row;
  char   *key;                  /* see kymo_line_model_match(); or NULL */
};

#define KYMO_TYPE_LINE_MODEL (kymo_line_model_get_type ())
G_DECLARE_FINAL_TYPE (KymoLineModel, kymo_line_model, KYMO, LINE_MODEL, GObject)

KymoLine      *kymo_line_new         (guint          row);
KymoLine      *kymo_line_of          (gpointer       item);
gboolean       kymo_line_model_match (GListStore    *lines,
                                      const guint   *rows,
                                      guint          n,
                                      char        *(*key) (guint    row,
                                                           gpointer data),
                                      void         (*renumbered) (gpointer data),
                                      gpointer       data);
KymoLineModel *kymo_line_model_new   (GArray        *rows);
void           kymo_line_model_set   (KymoLineModel *self,
                                      GArray        *rows);
guint          kymo_line_model_row   (KymoLineModel *self,
                                      guint          line);
guint          kymo_line_model_find  (KymoLineModel *self,
                                      guint          row);

G_END_DECLS
