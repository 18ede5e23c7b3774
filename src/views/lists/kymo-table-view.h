/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoTableView: tables of a profile: the functions of a thread, its call paths and its
 * call tree, functions by phase, threads compared, user events. A table is a line in
 * kymo-table-modes.c: a kind of question, and what of its answer is a column.
 *
 * Signals: "activated" (name of a function), "message" (sentence). Main thread
 * only.
 */
#pragma once

#include "kymo-figure-table.h"

G_BEGIN_DECLS

#define KYMO_TYPE_TABLE_VIEW (kymo_table_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoTableView, kymo_table_view, KYMO, TABLE_VIEW, GtkBox)

/**
 * KymoTableMode:
 * @words: translatable, with the placeholders of kymo-in-terms.h
 * @kind: of the question; @of: it is about the chosen thread
 * @parts: of the controls, which mean something here
 * @list: of the answer
 * @needs: #KymoCapabilities, all of them
 * @prepare: (nullable): puts more keywords
 * @columns: appends #KymoFigureColumn, whose strings live as long as the answer
 * @sort: key of the column that it is sorted by at first, or %NULL
 * @entry: (nullable): what is typed in this mode is told to @prepare
 */
typedef struct
{
  const char *id;
  const char *words;
  const char *kind;
  const char *list;
  guint       needs;
  gboolean    of;
  guint       parts;            /* KymoProfileBarParts */
  void      (*prepare) (GHashTable      *parameters,
                        const char      *typed);
  void      (*columns) (KymoSession     *session,
                        const KymoTable *answer,
                        GArray          *columns);
  const char *sort;
  const char *entry;
} KymoTableMode;

/* Each ends with a NULL id. */
extern const KymoTableMode kymo_thread_tables[];
extern const KymoTableMode kymo_user_event_tables[];

GtkWidget  *kymo_table_view_new      (KymoSession         *session,
                                      const KymoTableMode *modes);
void        kymo_table_view_set_mode (KymoTableView       *self,
                                      const char          *id);
/* The kind of its question, which is the name of its picture, too. */
const char *kymo_table_view_get_kind (KymoTableView       *self);
/* (transfer full): keyword -> value of the question, as it is asked now */
GHashTable *kymo_table_view_dup_parameters (KymoTableView *self);
gboolean    kymo_table_view_is_settled (KymoTableView     *self);
/* What is listed, and in which order, is kept with the desk from now on, as that of
   a view. */
void        kymo_table_view_keep     (KymoTableView       *self,
                                      const char          *view);
KymoFigureTable *
            kymo_table_view_peek_table (KymoTableView     *self);

G_END_DECLS
