/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One table of columns; a new column is one line there. Hardware counters are
 * columns after these, one a metric of the run, added with the first answer.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-hover-row.h"
#include "kymo-name-filter.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-kept-sorter.h"
#include "kymo-label.h"
#include "kymo-profile-row.h"
#include "kymo-profile-view.h"
#include "kymo-swatch.h"
#include "kymo-text-zoom.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

typedef enum
{
  CELL_NAME,
  CELL_TEXT,
  CELL_COUNT,
  CELL_TIME,
  CELL_SHARE,
} CellKind;

typedef struct
{
  const char *key;
  const char *title;
  CellKind    kind;
} Column;

static const Column columns[] = {
  { "name", N_("{Code}"), CELL_NAME },
  { "group", N_("Group"), CELL_TEXT },
  { "role", N_("Role"), CELL_TEXT },
  { "calls", N_("Calls"), CELL_COUNT },
  { "blocks", N_("Blocks"), CELL_COUNT },
  { "exclusive_ns", N_("Exclusive"), CELL_TIME },
  { "inclusive_ns", N_("Inclusive"), CELL_TIME },
  { "share", N_("Share"), CELL_SHARE },
  { "wait_ns", N_("Waiting"), CELL_TIME },
  { "mean_ns", N_("Mean"), CELL_TIME },
  { "min_ns", N_("Shortest"), CELL_TIME },
  { "max_ns", N_("Longest"), CELL_TIME },
};

#define N_COLUMNS G_N_ELEMENTS (columns)
#define N_TEXTS KYMO_PROFILE_N_TEXTS
#define GROUP_COLUMN 1
#define ROLE_COLUMN 2
#define ROLE_PX 122
#define WAIT_COLUMN 8
#define WAIT_PX 82
#define NAME_CHARS 24
#define SHARE_COLUMN 7

struct _KymoProfileView
{
  GtkBox       parent_instance;

  KymoNameFilter *names;               /* that are listed; the filter's */
  KymoSession *session;
  KymoViewAsker *asker;
  GListStore  *rows;
  GtkFilter   *filter;
  GtkWidget   *entry, *hint, *table, *stack, *message;
  GtkColumnViewColumn *role_column, *wait_column; /* borrowed */
  guint        n_metrics;          /* columns of counters so far */
};

G_DEFINE_FINAL_TYPE (KymoProfileView, kymo_profile_view, GTK_TYPE_BOX)

/* -- filling -------------------------------------------------------------- */

static double
number_of (KymoTable *list, const Column *column, guint row)
{
  gint64 value;

  if (kymo_table_find_column (list, column->key) < 0)
    return NAN;
  if (column->kind == CELL_SHARE)
    return kymo_table_get_double (list, column->key, row);
  value = kymo_table_get_int (list, column->key, row);
  return value == KYMO_NULL_INT ? NAN : value;
}

static void
set_counters (KymoProfileRow *row, KymoTable *list, guint index)
{
  const guint *offsets = NULL;
  KymoTable *counters = kymo_table_peek_nested (list, "counters", &offsets);
  guint n = counters != NULL ? offsets[index + 1] - offsets[index] : 0;

  row->n_numbers = N_COLUMNS + n;
  row->numbers = g_new (double, row->n_numbers);
  for (guint i = 0; i < n; i++)
    {
      row->numbers[N_COLUMNS + i] = kymo_table_get_number (counters, "value",
                                                           offsets[index] + i);
    }
}

static KymoProfileRow *
row_of (KymoTable *list, guint index, double span_ns)
{
  KymoProfileRow *row = g_object_new (KYMO_TYPE_PROFILE_ROW, NULL);
  const char *kind = kymo_table_get_string (list, "kind", index);

  row->event = g_strcmp0 (kind, "event") == 0;
  row->texts[0] = g_strdup (kymo_table_get_string (list, "name", index));
  row->texts[1] = g_strdup (row->event ? _("user event")
                            : kymo_table_get_string (list, "group", index));
  row->texts[2] = g_strdup (kymo_profile_role_words (
                              kymo_table_get_string (list, "role", index)));
  row->signature = g_strdup (kymo_table_get_string (list, "signature", index));
  set_counters (row, list, index);
  for (guint i = N_TEXTS; i < N_COLUMNS; i++)
    row->numbers[i] = number_of (list, &columns[i], index);
  if (row->event)
    row->numbers[SHARE_COLUMN] = NAN;
  else if (isnan (row->numbers[SHARE_COLUMN]) && span_ns > 0)
    row->numbers[SHARE_COLUMN]
      = kymo_table_get_int (list, "exclusive_ns", index) / span_ns;
  return row;
}

/* What can be a row: all that ran and has a name of its own. */
static gboolean
is_row (KymoTable *list, guint index)
{
  const char *kind = kymo_table_get_string (list, "kind", index);

  return g_strcmp0 (kind, "entry") == 0 || g_strcmp0 (kind, "function") == 0
         || g_strcmp0 (kind, "event") == 0;
}

/* Where all is compute a column of roles would tell nothing. */
static gboolean
has_roles (KymoTable *list)
{
  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      const char *role = kymo_table_get_string (list, "role", i);

      if (role != NULL && g_strcmp0 (role, "compute") != 0)
        return TRUE;
    }
  return FALSE;
}

static void say_hint (KymoProfileView *self, gint64 left_out);
static void add_column (KymoProfileView *self, guint index,
                        const char *title);

static void
add_metrics (KymoProfileView *self, const KymoTable *answer)
{
  KymoTable *metrics = kymo_table_peek_nested (answer, "metrics", NULL);
  guint n = metrics != NULL ? kymo_table_get_n_rows (metrics) : 0;

  for (; self->n_metrics < n; self->n_metrics++)
    add_column (self, N_COLUMNS + self->n_metrics,
                kymo_table_get_string (metrics, "value", self->n_metrics));
  kymo_kept_try (self->table);
}

/* GTK 4.8 keeps the room of a column that is not visible. */
static void
show_column (GtkColumnViewColumn *column, int width_px, gboolean visible)
{
  gtk_column_view_column_set_fixed_width (column,
                                            visible ? kymo_text_px (width_px) : 0);
  gtk_column_view_column_set_visible (column, visible);
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoProfileView *self = data;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  KymoTable *list = answer != NULL
                    ? kymo_table_peek_nested (answer, "activities", NULL) : NULL;

  if (answer == NULL)
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
  else
    {
      add_metrics (self, answer);
      say_hint (self, kymo_table_get_int (answer, "left_out", 0));
      show_column (self->role_column, ROLE_PX, has_roles (list));
      show_column (self->wait_column, WAIT_PX, list != NULL
                   && kymo_table_find_column (list, "wait_ns") >= 0);
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    answer != NULL ? "table" : "message");
  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    if (is_row (list, i))
      g_ptr_array_add (rows, row_of (list, i,
                                     kymo_table_get_int (answer, "span_ns",
                                                         0)));
  if (kymo_profile_rows_update (G_LIST_MODEL (self->rows), rows))
    gtk_sorter_changed (gtk_column_view_get_sorter (
                          GTK_COLUMN_VIEW (self->table)),
                        GTK_SORTER_CHANGE_DIFFERENT);
  else
    g_list_store_splice (self->rows, 0,
                         g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                         rows->pdata, rows->len);
}

static KymoQuestion *
new_question (gpointer view)
{
  KymoProfileView *self = view;
  KymoQuestion *question = kymo_question_new ("profile");

  kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_session_prepare (self->session, question);
  kymo_question_set_int (question, "workers-only", 1);
  kymo_question_set_int (question, "waits", 1);
  return question;
}

static const KymoViewQuestion figures_in_view = {
  .question = new_question, .answered = on_answer, .pace_ms = KYMO_VIEW_PACE_MS,
};

/* -- cells ---------------------------------------------------------------- */

static CellKind
kind_of (guint column)
{
  return column < N_COLUMNS ? columns[column].kind : CELL_COUNT;
}

static char *
cell_text (const KymoProfileRow *row, guint column)
{
  double number = column < row->n_numbers ? row->numbers[column] : NAN;

  if (column < N_TEXTS)
    return g_strdup (row->texts[column] != NULL ? row->texts[column] : "");
  if (isnan (number))
    return g_strdup ("–");
  switch (kind_of (column))
    {
    case CELL_COUNT:
      return kymo_format_count (number);
    case CELL_SHARE:
      return kymo_format_percent (number);
    default:
      return kymo_format_duration (number);
    }
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  KymoProfileView *self = g_object_get_data (G_OBJECT (factory), "view");
  guint column = GPOINTER_TO_UINT (data);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (NULL);

  if (column == 0)
    gtk_box_append (GTK_BOX (box), kymo_swatch_new (self->session));
  gtk_label_set_xalign (GTK_LABEL (label), column < N_TEXTS ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), column < N_TEXTS
                                              ? PANGO_ELLIPSIZE_MIDDLE
                                              : PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_hexpand (label, TRUE);
  /* In a narrow window the table scrolls rather than lose the names. */
  if (column == 0)
    gtk_label_set_width_chars (GTK_LABEL (label), NAME_CHARS);
  if (column >= N_TEXTS)
    gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  if (column == 0)
    kymo_hover_row_attach (box, self->session);
  gtk_list_item_set_child (list_item, box);
}

static void
show_cell (KymoProfileRow *row, GtkWidget *box)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (box),
                                                      "column"));
  GtkWidget *label = gtk_widget_get_last_child (box);
  g_autofree char *text = cell_text (row, column);
  g_autofree char *exact = NULL;

  kymo_label_set (label, text);
  if (kind_of (column) == CELL_TIME && !isnan (row->numbers[column]))
    exact = kymo_format_duration_exact (row->numbers[column]);
  kymo_label_set_tip (label, column == 0 ? row->signature : exact);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  KymoProfileRow *row = gtk_list_item_get_item (list_item);
  GtkWidget *box = gtk_list_item_get_child (list_item);

  g_object_set_data (G_OBJECT (box), "column", data);
  show_cell (row, box);
  g_signal_connect_object (row, "changed", G_CALLBACK (show_cell), box, 0);
  if (GPOINTER_TO_UINT (data) == 0)
    {
      kymo_swatch_set (KYMO_SWATCH (gtk_widget_get_first_child (box)),
                       row->texts[0], row->event ? "event" : "entry");
      kymo_hover_row_set (box, row->texts[0], -1);
    }
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item),
                                        show_cell,
                                        gtk_list_item_get_child (list_item));
}

/* -- sorting and filtering ------------------------------------------------ */

static int
compare_profile_view (gconstpointer a, gconstpointer b, gpointer data)
{
  const KymoProfileRow *x = a, *y = b;
  guint column = GPOINTER_TO_UINT (data);

  if (column < N_TEXTS)
    return g_strcmp0 (x->texts[column], y->texts[column]);
  if (column >= x->n_numbers || column >= y->n_numbers)
    return 0;
  if (isnan (x->numbers[column]) || isnan (y->numbers[column]))
    return isnan (y->numbers[column]) - isnan (x->numbers[column]);
  return (x->numbers[column] > y->numbers[column])
         - (x->numbers[column] < y->numbers[column]);
}

static gboolean
matches_profile_view (gpointer object, gpointer data)
{
  KymoProfileRow *row = object;

  return kymo_name_filter_matches (data, row->signature != NULL ? row->signature : row->texts[0]);
}

static void
on_filter_text (KymoProfileView *self)
{
  kymo_name_filter_set_text (self->names, gtk_editable_get_text (GTK_EDITABLE (self->entry)),
                             self->entry);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

/**
 * kymo_profile_view_set_filter:
 * @text: the pattern for names, see kymo-name-filter.h; "" lists all
 *
 * Puts the text into the field of the filter; the table follows after a moment.
 */
void
kymo_profile_view_set_filter (KymoProfileView *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
}

static void
on_activate (GtkColumnView *view, guint position, KymoProfileView *self)
{
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (view));
  g_autoptr (KymoProfileRow) row = g_list_model_get_item (model, position);

  if (row != NULL)
    g_signal_emit_by_name (self, "activated", row->texts[0]);
}

/* -- the widget ----------------------------------------------------------- */

static int
width_of (guint column)
{
  if (column == ROLE_COLUMN)
    return ROLE_PX;
  if (column >= N_COLUMNS)
    return 110;
  return kind_of (column) == CELL_TEXT || kind_of (column) == CELL_TIME ? 82
                                                                        : 70;
}

static void
add_column (KymoProfileView *self, guint index, const char *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  gpointer data = GUINT_TO_POINTER (index);
  GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (compare_profile_view, data, NULL));
  /* By its name: where a counter stands among the columns is no part of what is kept. */
  g_autofree char *metric = g_strconcat ("metric:", title, NULL);
  g_autoptr (GtkSorter) kept = kymo_kept_sorter_new (
    sorter, index < N_COLUMNS ? columns[index].key : metric);
  GtkColumnViewColumn *column;

  g_object_set_data (G_OBJECT (factory), "view", self);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), data);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), data);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), data);
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_sorter (column, kept);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, index == 0);
  if (index >= 1)
    gtk_column_view_column_set_fixed_width (column, kymo_text_px (width_of (index)));
  if (index == ROLE_COLUMN)
    self->role_column = column;
  if (index == WAIT_COLUMN)
    self->wait_column = column;
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->table), column);
  if (index < N_COLUMNS
      && g_strcmp0 (columns[index].key, "exclusive_ns") == 0)
    gtk_column_view_sort_by_column (GTK_COLUMN_VIEW (self->table), column,
                                    GTK_SORT_DESCENDING);
  g_object_unref (column);
}

/* Charm++ has chares, all else groups. */
static const char *
title_of (KymoProfileView *self, guint index)
{
  if (index == GROUP_COLUMN
      && kymo_session_get_terms (self->session).code == KYMO_CODE_ENTRY_METHOD)
    return _("Chare");
  return kymo_in_terms_of (self->session, _(columns[index].title));
}

static void
build_table (KymoProfileView *self)
{
  GtkSortListModel *sorted;
  GtkFilterListModel *filtered;

  self->table = gtk_column_view_new (NULL);
  for (guint i = 0; i < N_COLUMNS; i++)
    add_column (self, i, title_of (self, i));
  kymo_kept_add_sort (self->table, "profile", "sort");
  self->names = kymo_name_filter_new ();
  self->filter = GTK_FILTER (gtk_custom_filter_new (
    matches_profile_view, self->names, (GDestroyNotify) kymo_name_filter_free));
  filtered = gtk_filter_list_model_new (
    G_LIST_MODEL (g_object_ref (self->rows)), self->filter);
  sorted = gtk_sort_list_model_new (
    G_LIST_MODEL (filtered),
    g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->table))));
  gtk_column_view_set_model (
    GTK_COLUMN_VIEW (self->table),
    GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (sorted))));
  gtk_widget_add_css_class (self->table, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  kymo_in_terms_of (self->session,
                                                    _("Profile of {codes}")), -1);
  g_signal_connect (self->table, "activate", G_CALLBACK (on_activate), self);
}

static void
kymo_profile_view_dispose (GObject *object)
{
  KymoProfileView *self = KYMO_PROFILE_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_object (&self->rows);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_profile_view_parent_class)->dispose (object);
}

static void
kymo_profile_view_class_init (KymoProfileViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_profile_view_dispose;
  g_signal_new ("activated", KYMO_TYPE_PROFILE_VIEW, G_SIGNAL_RUN_LAST, 0,
                NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
kymo_profile_view_init (KymoProfileView *self)
{
  self->rows = g_list_store_new (KYMO_TYPE_PROFILE_ROW);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

static void
say_hint (KymoProfileView *self, gint64 left_out)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  gboolean blocks
    = (kymo_source_get_capabilities (source) & KYMO_CAN_INTERVALS) != 0;
  const char *text;

  if (left_out > 0)
    text = blocks ? _("Of the visible range, without communication threads. A "
                      "double click goes to the longest block.")
                  : _("Of the visible range, without communication threads.");
  else
    text = blocks ? _("Of the visible range. A double click goes to the "
                      "longest block.")
                  : _("Of the visible range.");
  gtk_label_set_text (GTK_LABEL (self->hint), text);
}

static GtkWidget *
build_bar (KymoProfileView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *hint = gtk_label_new (NULL);

  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _("Filter"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Filter the profile"), -1);
  gtk_widget_set_size_request (self->entry, 240, -1);
  self->hint = hint;
  say_hint (self, 0);
  gtk_label_set_ellipsize (GTK_LABEL (hint), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_add_css_class (bar, "kymo-controls");
  gtk_box_append (GTK_BOX (bar), self->entry);
  gtk_box_append (GTK_BOX (bar), hint);
  g_signal_connect_swapped (self->entry, "search-changed",
                            G_CALLBACK (on_filter_text), self);
  return bar;
}

/**
 * kymo_profile_view_new:
 * @session: whose visible range and filter it follows; the view holds a reference
 *
 * Returns: (transfer floating): the view; it asks for its figures while it is mapped
 */
GtkWidget *
kymo_profile_view_new (KymoSession *session)
{
  KymoProfileView *self = g_object_new (KYMO_TYPE_PROFILE_VIEW, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&figures_in_view, self, session);
  gtk_box_append (GTK_BOX (self), build_bar (self));
  build_table (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->table);
  gtk_widget_set_vexpand (scrolled, TRUE);
  self->message = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->message), TRUE);
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), scrolled, "table");
  gtk_stack_add_named (GTK_STACK (self->stack), self->message, "message");
  gtk_box_append (GTK_BOX (self), self->stack);
  kymo_view_asker_follow (self->asker, session, "range-changed");
  kymo_view_asker_follow (self->asker, session, "filter-changed");
  return GTK_WIDGET (self);
}
