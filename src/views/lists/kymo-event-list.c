/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The row of a line is its number among all records; of its page the pages know.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-event-list.h"
#include "kymo-events-save.h"
#include "kymo-in-terms.h"
#include "kymo-name-label.h"


static const struct
{
  const char *title;
  int         width_px;
  gboolean    number;
  double      share;
} columns[KYMO_EVENT_TEXTS] = {
  { N_("Time"), 96, TRUE }, { N_("Length"), 84, TRUE }, { N_("Kind"), 86 },
  { N_("{Code} or event"), 220, FALSE, 0.24 }, { N_("What happened") },
};

struct _KymoEventList
{
  KymoLineTable   parent_instance;

  KymoEventPages *pages;
  gint64          end_ns;          /* of the run */
  gboolean        fine;            /* its clock is finer than microseconds, as far as is known */
};

G_DEFINE_FINAL_TYPE (KymoEventList, kymo_event_list, KYMO_TYPE_LINE_TABLE)

/* -- cells ---------------------------------------------------------------- */

/* Of a page of records each; the records of all pages are not at hand. */
static gboolean
is_fine (const gint64 *times, guint n)
{
  for (guint i = 0; times != NULL && i < n; i++)
    if (times[i] != KYMO_NULL_INT && times[i] % 1000 != 0)
      return TRUE;
  return FALSE;
}

/* Moments are as exact as the clock of the run, lengths are microseconds: each column has one unit,
   whichever page a record is on. */
static char *
time_text (KymoEventList *self, KymoTable *list, guint column, guint row)
{
  gint64 ns = kymo_table_get_int (list, column == 0 ? "time_ns" : "duration_ns", row);
  KymoTimeColumn times = { 1000, 1 };

  if (ns == KYMO_NULL_INT)
    return g_strdup ("");
  if (!self->fine)
    self->fine = is_fine (kymo_table_peek_ints (list, "time_ns", NULL),
                          kymo_table_get_n_rows (list));
  if (column == 0)
    kymo_time_column_init_moments (&times, MAX (self->end_ns, 1000000), self->fine ? 1 : 1000);
  else
    times.step_ns = self->fine ? 1 : 1000;
  return kymo_time_column_format (&times, ns);
}

static char *
cell_text (KymoLineTable *table, guint column, guint line, gboolean exact)
{
  KymoEventList *self = KYMO_EVENT_LIST (table);
  guint row;
  KymoTable *list = kymo_event_pages_look (self->pages, line, &row);

  if (list == NULL)
    return NULL;
  return column < 2 && !exact ? time_text (self, list, column, row)
                              : kymo_event_dup_text (list, row, column);
}

static GtkWidget *
setup_cell (KymoLineTable *table, guint column, GtkWidget *label)
{
  GtkLabel *words = KYMO_IS_NAME_LABEL (label)
    ? kymo_name_label_get_label (KYMO_NAME_LABEL (label)) : GTK_LABEL (label);

  gtk_label_set_ellipsize (words, PANGO_ELLIPSIZE_END);
  return label;
}

/* Times of the next page may be wider: columns only grow. */
static void
on_page_changed (KymoEventList *self, guint first, guint n)
{
  guint all = g_list_model_get_n_items (G_LIST_MODEL (self->pages));
  guint n_lines = MIN (n, all - MIN (first, all));
  g_autofree guint *lines = g_new (guint, n_lines + 1);

  for (guint i = 0; i < n_lines; i++)
    lines[i] = first + i;
  kymo_line_table_measure (KYMO_LINE_TABLE (self), lines, n_lines);
  kymo_line_table_show (KYMO_LINE_TABLE (self), first, n);
}

/* -- choosing ------------------------------------------------------------- */

/**
 * kymo_event_list_choose:
 * @line: a line, or %GTK_INVALID_LIST_POSITION for none
 *
 * Selects a line and scrolls to it, without the signal "chosen".
 */
void
kymo_event_list_choose (KymoEventList *self, guint line)
{
  kymo_line_table_select (KYMO_LINE_TABLE (self), GTK_INVALID_LIST_POSITION, FALSE);
  kymo_line_table_select (KYMO_LINE_TABLE (self), line, TRUE);
}

/**
 * kymo_event_list_get_chosen:
 *
 * Returns: the selected line, or %GTK_INVALID_LIST_POSITION
 */
guint
kymo_event_list_get_chosen (KymoEventList *self)
{
  return (guint) kymo_line_table_get_selected (KYMO_LINE_TABLE (self));
}

static void
on_selected (KymoLineTable *table, int line)
{
  if (line >= 0)
    g_signal_emit_by_name (table, "chosen", (guint) line);
}

static void
on_activated (KymoLineTable *table, int line)
{
  g_signal_emit_by_name (table, "activated", (guint) line);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_event_list_finalize (GObject *object)
{
  g_object_unref (KYMO_EVENT_LIST (object)->pages);
  G_OBJECT_CLASS (kymo_event_list_parent_class)->finalize (object);
}

static void
kymo_event_list_class_init (KymoEventListClass *klass)
{
  KymoLineTableClass *table_class = KYMO_LINE_TABLE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = kymo_event_list_finalize;
  kymo_signal_new ("chosen", KYMO_TYPE_EVENT_LIST, 1, G_TYPE_UINT);
  kymo_signal_new ("activated", KYMO_TYPE_EVENT_LIST, 1, G_TYPE_UINT);
  table_class->text = cell_text;
  table_class->setup = setup_cell;
  table_class->selected = on_selected;
  table_class->activated = on_activated;
  table_class->paged = TRUE;
}

static void
kymo_event_list_init (KymoEventList *self)
{
}

/**
 * kymo_event_list_new:
 * @session: whose terms name the columns; not kept
 * @pages: (transfer none): the records; the list holds a reference
 *
 * Returns: (transfer floating): a list with a column for each text of a record
 */
GtkWidget *
kymo_event_list_new (KymoSession *session, KymoEventPages *pages)
{
  KymoEventList *self = g_object_new (KYMO_TYPE_EVENT_LIST, NULL);
  KymoLineTable *table = KYMO_LINE_TABLE (self);

  self->pages = g_object_ref (pages);
  self->end_ns = kymo_session_get_full_range (session).end_ns;
  kymo_line_table_build (table, _("Records in order of time"));
  for (guint i = 0; i < KYMO_EVENT_TEXTS; i++)
    kymo_line_table_add_column (table, &(KymoLineColumn) {
      .title = kymo_in_terms_of (session, _(columns[i].title)), .width_px = columns[i].width_px,
      .is_text = !columns[i].number, .share = columns[i].share, .unsorted = TRUE });
  kymo_line_table_set_model (table, G_LIST_MODEL (pages));
  kymo_follow (pages, "page-changed", on_page_changed, self);
  return GTK_WIDGET (self);
}
