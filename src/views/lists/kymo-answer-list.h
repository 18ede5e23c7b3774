/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoAnswerList: a table of an answer as it is: a line a row, columns as the
 * caller lists them, to be sorted by any of them. One row may be selected.
 *
 * Signals: "selected" (row of the answer's table, or -1), "activated" (row),
 * by the person alone. Main thread only.
 */
#pragma once

#include "kymo-line-table.h"
#include "kymo-session.h"
#include "kymo-table.h"
#include "kymo-terms.h"

G_BEGIN_DECLS

#define KYMO_TYPE_ANSWER_LIST (kymo_answer_list_get_type ())
G_DECLARE_FINAL_TYPE (KymoAnswerList, kymo_answer_list, KYMO, ANSWER_LIST, KymoLineTable)

/** KymoCellKind: what a column holds, and how it is told */
typedef enum
{
  KYMO_CELL_CLUSTER,                   /* a number, beside its colour; without
                                          such a column the row is it */
  KYMO_CELL_TEXT,
  KYMO_CELL_COUNT,
  KYMO_CELL_PE,                      /* a number that is a name */
  KYMO_CELL_NUMBER,                  /* a double */
  KYMO_CELL_SHARE,                   /* a double: 1 is 100 % */
  KYMO_CELL_DISTANCE,                /* a double, ns where all is time */
  KYMO_CELL_TIME,                    /* whole ns: how long */
  KYMO_CELL_MOMENT,                  /* whole ns: when */
  KYMO_CELL_LIST,                      /* how many numbers are nested */
} KymoCellKind;

/**
 * KymoAnswerColumn:
 * @key: of the answer's table
 * @title: translatable, with the placeholders of kymo-in-terms.h
 * @width_px: 0 = what there is room for
 */
typedef struct
{
  const char    *key;
  const char    *title;
  KymoCellKind kind;
  int            width_px;
} KymoAnswerColumn;

/**
 * KymoAnswerLinks:
 *
 * Columns that tell what a line stands for, for other views to mark; NULL where there is
 * none. @other is a second name by which a line is marked.
 */
typedef struct
{
  const char *name, *other, *location, *begin, *end;
} KymoAnswerLinks;

/* The text of a cell in the person's words; NULL leaves it to the list. */
typedef const char *(*KymoAnswerWords) (const char *word);

GtkWidget *kymo_answer_list_new       (const KymoAnswerColumn *columns,
                                       guint                   n_columns,
                                       const char             *name);
void       kymo_answer_list_set_words (KymoAnswerList         *self,
                                       KymoAnswerWords         words);
void       kymo_answer_list_set_terms (KymoAnswerList        *self,
                                       KymoTerms               terms);
/* Before the list is shown. */
void       kymo_answer_list_link      (KymoAnswerList         *self,
                                       KymoSession            *session,
                                       const KymoAnswerLinks  *links);
void       kymo_answer_list_sort      (KymoAnswerList         *self,
                                       const char             *key,
                                       gboolean                descending);
/* The same, where the person has not chosen another order. */
void       kymo_answer_list_sort_at_first
                                      (KymoAnswerList         *self,
                                       const char             *key,
                                       gboolean                descending);
/* The order is kept with the desk, as `key` of a view (of kymo_desk_words[]). */
void       kymo_answer_list_keep_sort (KymoAnswerList         *self,
                                       const char             *view,
                                       const char             *key);
/* The rows of a table, or those that `rows` lists; NULL empties it. */
void       kymo_answer_list_set       (KymoAnswerList         *self,
                                       KymoTable              *table,
                                       const guint            *rows,
                                       guint                   n_rows,
                                       gboolean                is_time);
void       kymo_answer_list_select    (KymoAnswerList         *self,
                                       int                     row);
/* The same, and what is in sight stays: after other figures of the same rows. */
void       kymo_answer_list_keep      (KymoAnswerList         *self,
                                       int                     row);
int        kymo_answer_list_get_selected (KymoAnswerList      *self);
GtkWidget *kymo_answer_list_below        (KymoAnswerList      *self,
                                          GtkWidget           *canvas);

G_END_DECLS
