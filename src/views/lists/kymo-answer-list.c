/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-answer-texts.h"
#include "kymo-badge.h"
#include "kymo-hover-row.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-kept-sorter.h"
#include "kymo-look.h"
#include "kymo-theme.h"

#define DOT_PX 12
/* Below a picture. */
#define LEAST_PX 120

/* -- the list ------------------------------------------------------------- */

struct _KymoAnswerList
{
  KymoLineTable           parent_instance;

  const KymoAnswerColumn *columns;
  guint                   n_columns;
  KymoAnswerTexts         texts;       /* its table is owned */
  KymoTerms               terms;       /* of titles */
  KymoSession            *session;     /* to link lines in, or NULL */
  KymoAnswerLinks         links;
};

G_DEFINE_FINAL_TYPE (KymoAnswerList, kymo_answer_list, KYMO_TYPE_LINE_TABLE)

/* -- cells ---------------------------------------------------------------- */

static void
paint_cluster (GtkDrawingArea *area, cairo_t *cr, int width, int height,
               gpointer data)
{
  int cluster = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (area),
                                                    "cluster"));

  cairo_arc (cr, width / 2.0, height / 2.0, DOT_PX / 2.0 - 1, 0, 2 * G_PI);
  kymo_set_source (cr, kymo_class_color (kymo_look_now (), cluster));
  cairo_fill (cr);
}

static GtkWidget *
new_dot (void)
{
  GtkWidget *dot = gtk_drawing_area_new ();

  gtk_widget_set_size_request (dot, DOT_PX, DOT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (dot), paint_cluster, NULL,
                                  NULL);
  kymo_look_follow (G_CALLBACK (gtk_widget_queue_draw), dot);
  return dot;
}

/* -- links ---------------------------------------------------------------- */

static const char *
link_text (const KymoTable *table, const char *key, guint row)
{
  return key != NULL && kymo_table_find_column (table, key) >= 0
         ? kymo_table_get_string (table, key, row) : NULL;
}

static gint64
link_int (const KymoTable *table, const char *key, guint row, gint64 none)
{
  gint64 value = key != NULL && kymo_table_find_column (table, key) >= 0
                 ? kymo_table_get_int (table, key, row) : KYMO_NULL_INT;

  return value == KYMO_NULL_INT ? none : value;
}

static void
link_cell (KymoAnswerList *self, GtkWidget *box, guint row)
{
  const KymoTable *table = self->texts.table;
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;

  if (table != NULL && row < kymo_table_get_n_rows (table))
    {
      subject.name = link_text (table, self->links.name, row);
      subject.other = link_text (table, self->links.other, row);
      subject.location = link_int (table, self->links.location, row, -1);
      subject.span.begin_ns = link_int (table, self->links.begin, row, G_MININT64);
      subject.span.end_ns = link_int (table, self->links.end, row, subject.span.begin_ns);
    }
  kymo_hover_row_stand_for (box, &subject);
}

/** kymo_answer_list_link: @links: is copied, the names in it are not */
void
kymo_answer_list_link (KymoAnswerList *self, KymoSession *session,
                       const KymoAnswerLinks *links)
{
  g_set_object (&self->session, session);
  self->links = *links;
}

/* -- cells in words ------------------------------------------------------- */

static char *
cell_text (KymoLineTable *table, guint column, guint row, gboolean exact)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (table);

  if (self->texts.table == NULL)
    return g_strdup ("");
  return exact ? kymo_answer_exact (&self->texts, &self->columns[column], row)
               : kymo_answer_text (&self->texts, &self->columns[column], row,
                                   kymo_line_table_peek_times (table, column));
}

static double
cell_number (KymoLineTable *table, guint column, guint row)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (table);

  return kymo_answer_number (&self->texts, &self->columns[column], row);
}

static int
compare_texts (KymoLineTable *table, guint column, guint a, guint b)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (table);
  const char *key = self->columns[column].key;

  return g_strcmp0 (kymo_table_get_string (self->texts.table, key, a),
                    kymo_table_get_string (self->texts.table, key, b));
}

static GtkWidget *
setup_cell (KymoLineTable *table, guint column, GtkWidget *label)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (table);
  const KymoAnswerColumn *info = &self->columns[column];
  GtkWidget *cell = info->kind == KYMO_CELL_CLUSTER ? kymo_line_cell_new (new_dot (), label, 6)
                                                    : label;

  if (self->session != NULL && column == 0)
    kymo_hover_row_attach (cell, self->session);
  return cell;
}

static void
show_cell (KymoLineTable *table, guint column, GtkWidget *cell, guint row)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (table);

  if (self->columns[column].kind == KYMO_CELL_CLUSTER)
    {
      GtkWidget *dot = gtk_widget_get_first_child (cell);

      g_object_set_data (G_OBJECT (dot), "cluster",
                         GINT_TO_POINTER ((int) cell_number (table, column, row)));
      gtk_widget_queue_draw (dot);
    }
  if (self->session != NULL && column == 0)
    link_cell (self, cell, row);
}

/* -- selecting ------------------------------------------------------------ */

/** kymo_answer_list_get_selected: row of the answer's table, or -1 */
int
kymo_answer_list_get_selected (KymoAnswerList *self)
{
  return kymo_line_table_get_selected (KYMO_LINE_TABLE (self));
}

static void
on_selected (KymoLineTable *table, int row)
{
  g_signal_emit_by_name (table, "selected", row);
}

static void
on_activated (KymoLineTable *table, int row)
{
  g_signal_emit_by_name (table, "activated", row);
}

static void
select_row (KymoAnswerList *self, int row, gboolean scroll)
{
  KymoLineTable *table = KYMO_LINE_TABLE (self);
  guint n = row >= 0 ? kymo_line_table_get_n_lines (table) : 0, line = 0;

  while (line < n && kymo_line_table_row_at (table, line) != row)
    line++;
  kymo_line_table_select (table, line < n ? line : GTK_INVALID_LIST_POSITION, scroll);
}

/** kymo_answer_list_select: @row: of the answer's table, or -1; not told of */
void
kymo_answer_list_select (KymoAnswerList *self, int row)
{
  select_row (self, row, TRUE);
}

/** kymo_answer_list_keep: @row: of the answer's table, or -1; not told of */
void
kymo_answer_list_keep (KymoAnswerList *self, int row)
{
  select_row (self, row, FALSE);
}

/* -- filling -------------------------------------------------------------- */

/**
 * kymo_answer_list_set:
 * @table: (nullable) (transfer none): of an answer
 * @rows: (nullable) (array length=n_rows): rows of it; %NULL is all of them
 * @is_time: whether distances are nanoseconds
 */
void
kymo_answer_list_set (KymoAnswerList *self, KymoTable *table,
                      const guint *rows, guint n_rows, gboolean is_time)
{
  guint n = table == NULL ? 0 : rows != NULL ? n_rows
            : kymo_table_get_n_rows (table);

  if (table != NULL)
    kymo_table_ref (table);
  g_clear_pointer (&self->texts.table, kymo_table_unref);
  self->texts.table = table;
  self->texts.is_time = is_time;
  kymo_line_table_set_rows (KYMO_LINE_TABLE (self), rows, n);
  kymo_line_table_sort_again (KYMO_LINE_TABLE (self));
  select_row (self, -1, FALSE);
}

/** kymo_answer_list_set_words: for texts that are keywords */
void
kymo_answer_list_set_words (KymoAnswerList *self, KymoAnswerWords words)
{
  self->texts.words = words;
}

/** kymo_answer_list_set_terms: those of the titles; PEs without it */
void
kymo_answer_list_set_terms (KymoAnswerList *self, KymoTerms terms)
{
  self->terms = terms;
  for (guint i = 0; i < self->n_columns; i++)
    kymo_line_table_set_title (KYMO_LINE_TABLE (self), i,
                               kymo_in_terms (terms, _(self->columns[i].title)));
}

/** kymo_answer_list_sort: @key: of a column */
void
kymo_answer_list_sort (KymoAnswerList *self, const char *key,
                       gboolean descending)
{
  for (guint i = 0; i < self->n_columns; i++)
    if (g_strcmp0 (self->columns[i].key, key) == 0)
      kymo_line_table_sort (KYMO_LINE_TABLE (self), i, descending);
}

/** kymo_answer_list_sort_at_first: of a list whose order is kept */
void
kymo_answer_list_sort_at_first (KymoAnswerList *self, const char *key, gboolean descending)
{
  GtkWidget *view = kymo_line_table_peek_view (KYMO_LINE_TABLE (self));

  if (kymo_kept_is_changed (view))
    return;
  kymo_answer_list_sort (self, key, descending);
  kymo_kept_settle (view);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_answer_list_dispose (GObject *object)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (object);

  g_clear_pointer (&self->texts.table, kymo_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_answer_list_parent_class)->dispose (object);
}

static void
kymo_answer_list_class_init (KymoAnswerListClass *klass)
{
  KymoLineTableClass *table_class = KYMO_LINE_TABLE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_answer_list_dispose;
  kymo_signal_new ("selected", KYMO_TYPE_ANSWER_LIST, 1, G_TYPE_INT);
  kymo_signal_new ("activated", KYMO_TYPE_ANSWER_LIST, 1, G_TYPE_INT);
  table_class->text = cell_text;
  table_class->number = cell_number;
  table_class->compare = compare_texts;
  table_class->setup = setup_cell;
  table_class->show = show_cell;
  table_class->selected = on_selected;
  table_class->activated = on_activated;
}

static void
kymo_answer_list_init (KymoAnswerList *self)
{
}

/**
 * kymo_answer_list_keep_sort:
 * @view: a view of kymo_desk_words[]
 * @key: the key of the order in this view
 *
 * Keeps with the desk by which column the list is sorted. Call it once, after the list is made.
 */
void
kymo_answer_list_keep_sort (KymoAnswerList *self, const char *view, const char *key)
{
  kymo_kept_add_sort (kymo_line_table_peek_view (KYMO_LINE_TABLE (self)), view, key);
}

/**
 * kymo_answer_list_new:
 * @columns: (array length=n_columns): must outlive the list
 * @name: for who does not see it
 */
GtkWidget *
kymo_answer_list_new (const KymoAnswerColumn *columns, guint n_columns,
                      const char *name)
{
  KymoAnswerList *self = g_object_new (KYMO_TYPE_ANSWER_LIST, NULL);

  self->columns = columns;
  self->n_columns = n_columns;
  kymo_line_table_build (KYMO_LINE_TABLE (self), name);
  gtk_widget_add_css_class (kymo_line_table_peek_view (KYMO_LINE_TABLE (self)), "kymo-answer");
  for (guint i = 0; i < n_columns; i++)
    kymo_line_table_add_column (KYMO_LINE_TABLE (self), &(KymoLineColumn) {
      .title = kymo_in_terms (self->terms, _(columns[i].title)), .key = columns[i].key,
      .width_px = columns[i].width_px, .is_text = columns[i].kind == KYMO_CELL_TEXT,
      .is_moment = columns[i].kind == KYMO_CELL_MOMENT });
  return GTK_WIDGET (self);
}

/**
 * kymo_answer_list_below:
 * @canvas: (transfer floating): the picture of the same answer
 *
 * Returns: (transfer floating): the picture with the list below it, which keeps its height
 */
GtkWidget *
kymo_answer_list_below (KymoAnswerList *self, GtkWidget *canvas)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  gtk_widget_set_vexpand (canvas, TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, LEAST_PX);
  gtk_paned_set_start_child (GTK_PANED (paned), canvas);
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self));
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), FALSE);
  return paned;
}
