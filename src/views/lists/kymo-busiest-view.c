/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows are kept by the ids of their entry methods. What is sorted by goes on
 * being sorted by while figures change; at first that is the mean, for it
 * changes least.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-busiest-row.h"
#include "kymo-busiest-view.h"
#include "kymo-name-filter.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-swatch.h"
#include "kymo-text-zoom.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

/* No further behind the pictures beside it, where a playback is fast. */
#define PACE_MS 250
/* Figures change with every answer, places not so often: who reads a row or is
   about to click it wants it where it is. */
#define SORT_US (3 * G_USEC_PER_SEC)
#define FIGURE_PX 64
#define NAME_CHARS 10
/* Shares are sorted by tenths of a percent. */
#define SORTED_PARTS 1000

static const struct { const char *title, *tip; } columns[KYMO_BUSIEST_N] = {
  { N_("Now"), N_("Share of the newest second") },
  { N_("Average"), N_("Share of the whole run") },
  { N_("Lowest"), N_("In the second in which it had least") },
  { N_("Highest"), N_("In the second in which it had most") },
};

struct _KymoBusiestView
{
  GtkBox           parent_instance;

  KymoSession     *session;
  KymoViewAsker   *asker;
  GListStore      *rows;
  GHashTable      *by_id;          /* gint64 -> KymoBusiestRow, borrowed */
  GtkSortListModel *sorted;        /* borrowed */
  GtkFilter       *filter;
  KymoNameFilter  *names;              /* that are listed; the filter's */
  GtkWidget       *table, *all, *show_all;
  gint64           sorted_us;
  gboolean         inside;         /* the pointer */
};

G_DEFINE_FINAL_TYPE (KymoBusiestView, kymo_busiest_view, GTK_TYPE_BOX)

/* -- filling -------------------------------------------------------------- */

/* What the run does not have any more: a playback was sought back. */
static void
drop_rows (KymoBusiestView *self, GHashTable *seen)
{
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i-- > 0;)
    {
      g_autoptr (KymoBusiestRow) row
        = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

      if (g_hash_table_contains (seen, row))
        continue;
      g_hash_table_remove (self->by_id, &row->id);
      g_list_store_remove (self->rows, i);
    }
}

static void
sort_busiest_view (KymoBusiestView *self)
{
  gint64 now_us = g_get_monotonic_time ();
  GtkAdjustment *adjustment
    = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->table));
  gboolean at_top = gtk_adjustment_get_value (adjustment) <= 0;

  if (self->inside || now_us - self->sorted_us < SORT_US)
    return;
  self->sorted_us = now_us;
  gtk_sorter_changed (gtk_sort_list_model_get_sorter (self->sorted),
                      GTK_SORTER_CHANGE_DIFFERENT);
  /* Who has not scrolled sees the busiest, whoever that is. */
  if (at_top)
    gtk_widget_activate_action (gtk_widget_get_last_child (self->table),
                                "list.scroll-to-item", "u", 0);
}

static void
fill_busiest_view (KymoBusiestView *self, KymoTable *list)
{
  static const char *const keys[KYMO_BUSIEST_N] = { "now", "mean", "lowest",
                                                    "highest" };
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0;
  double figures[KYMO_BUSIEST_N];

  for (guint i = 0; i < n; i++)
    {
      gint64 id = kymo_table_get_int (list, "id", i);
      KymoBusiestRow *row = g_hash_table_lookup (self->by_id, &id);

      if (row == NULL)
        {
          row = kymo_busiest_row_new (id);
          g_hash_table_insert (self->by_id, g_memdup2 (&id, sizeof id), row);
          g_ptr_array_add (fresh, row);
        }
      for (guint k = 0; k < KYMO_BUSIEST_N; k++)
        figures[k] = kymo_table_get_double (list, keys[k], i);
      kymo_busiest_row_set (row, kymo_table_get_string (list, "name", i),
                            figures);
      g_hash_table_add (seen, row);
    }
  g_list_store_splice (self->rows,
                       g_list_model_get_n_items (G_LIST_MODEL (self->rows)), 0,
                       fresh->pdata, fresh->len);
  drop_rows (self, seen);
  if (fresh->len > 0)
    self->sorted_us = 0;
  sort_busiest_view (self);
}

static char *
percent_at (KymoTable *table, const char *key)
{
  double share = table != NULL ? kymo_table_get_double (table, key, 0) : NAN;

  return isnan (share) ? g_strdup ("–") : kymo_format_percent (share);
}

/* All together: what is busy; the rest is the complement of it. */
static void
say_all (KymoBusiestView *self, KymoTable *busy, gboolean rest)
{
  g_autofree char *now = percent_at (busy, "now");
  g_autofree char *mean = percent_at (busy, "mean");
  g_autofree char *lowest = percent_at (busy, "lowest");
  g_autofree char *highest = percent_at (busy, "highest");
  g_autofree char *text = g_strdup_printf (
    rest ? _("Busy %s now, %s on average (%s to %s); the rest is idle or overhead, "
             "which of the two is not told")
         : _("Busy %s now, %s on average (%s to %s)"), now, mean, lowest, highest);

  gtk_label_set_text (GTK_LABEL (self->all), text);
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoBusiestView *self = data;

  if (answer == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->all), error->message);
      return;
    }
  say_all (self, kymo_table_peek_nested (answer, "busy", NULL),
           kymo_table_find_column (answer, "overhead_is_rest") >= 0);
  fill_busiest_view (self, kymo_table_peek_nested (answer, "activities", NULL));
}

static KymoQuestion *
new_question (gpointer view)
{
  KymoBusiestView *self = view;
  KymoQuestion *question = kymo_question_new ("busiest");

  kymo_session_prepare (self->session, question);
  return question;
}

/* A block a second is a question a second. */
static const KymoViewQuestion figures_of_stream = {
  .question = new_question, .answered = on_answer, .pace_ms = PACE_MS,
};

/**
 * kymo_busiest_view_peek_model:
 *
 * Returns: (transfer none): the #KymoBusiestRow in sight, filtered and sorted as they are shown
 */
GListModel *
kymo_busiest_view_peek_model (KymoBusiestView *self)
{
  return G_LIST_MODEL (self->sorted);
}

/* -- hovering and hiding -------------------------------------------------- */

static KymoBusiestRow *
row_of_widget (GtkWidget *widget)
{
  GtkListItem *item = g_object_get_data (G_OBJECT (widget), "list-item");

  return item != NULL ? gtk_list_item_get_item (item) : NULL;
}

static void
on_swatch_clicked (GtkWidget *button, KymoBusiestView *self)
{
  KymoBusiestRow *row = row_of_widget (button);

  if (row != NULL)
    kymo_session_set_hidden (self->session, row->name,
                             !kymo_session_is_hidden (self->session,
                                                      row->name));
}

/* The row at a place of the table: of the cell there, or what it holds. */
static KymoBusiestRow *
row_at (KymoBusiestView *self, double x, double y)
{
  GtkWidget *widget = gtk_widget_pick (self->table, x, y, GTK_PICK_DEFAULT);
  KymoBusiestRow *row = NULL;

  for (; widget != NULL && widget != self->table && row == NULL;
       widget = gtk_widget_get_parent (widget))
    {
      GtkWidget *child = gtk_widget_get_first_child (widget);

      row = row_of_widget (widget);
      if (row == NULL && child != NULL)
        row = row_of_widget (child);
    }
  return row;
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y,
           KymoBusiestView *self)
{
  KymoBusiestRow *row = row_at (self, x, y);

  self->inside = TRUE;
  kymo_session_set_hovered (self->session, row != NULL ? row->name : NULL);
}

static void
on_leave (GtkEventControllerMotion *motion, KymoBusiestView *self)
{
  self->inside = FALSE;
  kymo_session_set_hovered (self->session, NULL);
}

static void
on_filter_changed (KymoBusiestView *self)
{
  gtk_widget_set_visible (self->show_all,
                          kymo_session_peek_hidden (self->session) != NULL);
  kymo_view_asker_queue (self->asker);
}

/* -- cells ---------------------------------------------------------------- */

static void
show_figure (KymoBusiestRow *row, GtkWidget *label)
{
  guint figure = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label),
                                                      "figure"));
  g_autofree char *text = kymo_busiest_row_dup_text (row, figure);

  if (g_strcmp0 (gtk_inscription_get_text (GTK_INSCRIPTION (label)), text) != 0)
    gtk_inscription_set_text (GTK_INSCRIPTION (label), text);
}

static void
show_name (KymoBusiestRow *row, GtkWidget *box)
{
  GtkWidget *button = gtk_widget_get_first_child (box);
  GtkWidget *label = gtk_widget_get_last_child (box);
  g_autofree char *words = NULL;

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), row->name) == 0)
    return;
  words = g_strdup_printf (_("Show or hide %s"), row->name);
  kymo_label_set (label, row->name);
  kymo_label_set_tip (label, row->name);
  kymo_swatch_set (KYMO_SWATCH (gtk_button_get_child (GTK_BUTTON (button))),
                   row->name, "entry");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

static void
on_setup_name (GtkListItemFactory *factory, GtkListItem *list_item,
               KymoBusiestView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *button = gtk_button_new (), *label = gtk_label_new (NULL);

  gtk_button_set_child (GTK_BUTTON (button), kymo_swatch_new (self->session));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "kymo-swatch");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), NAME_CHARS);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), label);
  g_object_set_data (G_OBJECT (box), "list-item", list_item);
  g_object_set_data (G_OBJECT (button), "list-item", list_item);
  g_signal_connect (button, "clicked", G_CALLBACK (on_swatch_clicked), self);
  gtk_list_item_set_child (list_item, box);
}

static void
on_setup_figure (GtkListItemFactory *factory, GtkListItem *list_item,
                 gpointer figure)
{
  /* A label would lay out the whole window anew for each figure. */
  GtkWidget *label = gtk_inscription_new (NULL);

  gtk_inscription_set_xalign (GTK_INSCRIPTION (label), 1);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (label), 0);
  gtk_inscription_set_nat_chars (GTK_INSCRIPTION (label), 6);
  gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (label), "list-item", list_item);
  g_object_set_data (G_OBJECT (label), "figure", figure);
  gtk_list_item_set_child (list_item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item,
         void (*show) (KymoBusiestRow *row, GtkWidget *widget))
{
  KymoBusiestRow *row = gtk_list_item_get_item (list_item);
  GtkWidget *child = gtk_list_item_get_child (list_item);

  show (row, child);
  g_signal_connect_object (row, "changed", G_CALLBACK (show), child, 0);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer show)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item),
                                        show,
                                        gtk_list_item_get_child (list_item));
}

/* -- sorting and filtering ------------------------------------------------ */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  return g_strcmp0 (((const KymoBusiestRow *) a)->name,
                    ((const KymoBusiestRow *) b)->name);
}

/* By what is to be read: rows of equal figures do not change places for
   digits that nobody sees. */
static int
compare_figures (gconstpointer a, gconstpointer b, gpointer figure)
{
  double x = ((const KymoBusiestRow *) a)->figures[GPOINTER_TO_UINT (figure)];
  double y = ((const KymoBusiestRow *) b)->figures[GPOINTER_TO_UINT (figure)];

  if (isnan (x) || isnan (y))
    return isnan (y) - isnan (x);
  x = round (x * SORTED_PARTS);
  y = round (y * SORTED_PARTS);
  return x != y ? (x > y) - (x < y) : compare_names (b, a, NULL);
}

static gboolean
matches_busiest_view (gpointer object, gpointer data)
{
  return kymo_name_filter_matches (data, KYMO_BUSIEST_ROW (object)->name);
}

/** kymo_busiest_view_set_filter: only names that pass @text (kymo-name-filter.h) */
void
kymo_busiest_view_set_filter (KymoBusiestView *self, const char *text)
{
  kymo_name_filter_set_text (self->names, text, NULL);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

/* -- building ------------------------------------------------------------- */

static void
add_column (KymoBusiestView *self, int figure)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  gpointer data = GINT_TO_POINTER (figure);
  gboolean names = figure < 0;
  gpointer show = names ? (gpointer) show_name : (gpointer) show_figure;
  GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (
    names ? compare_names : compare_figures, data, NULL));
  GtkColumnViewColumn *column;

  if (names)
    g_signal_connect (factory, "setup", G_CALLBACK (on_setup_name), self);
  else
    g_signal_connect (factory, "setup", G_CALLBACK (on_setup_figure), data);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), show);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), show);
  column = gtk_column_view_column_new (names ? _("Entry method")
                                             : _(columns[figure].title),
                                       factory);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, names);
  if (!names)
    gtk_column_view_column_set_fixed_width (column, kymo_text_px (FIGURE_PX));
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->table), column);
  if (figure == KYMO_BUSIEST_MEAN)
    gtk_column_view_sort_by_column (GTK_COLUMN_VIEW (self->table), column,
                                    GTK_SORT_DESCENDING);
  g_object_unref (sorter);
  g_object_unref (column);
}

static GtkWidget *
build_table (KymoBusiestView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkFilterListModel *filtered;
  GtkSingleSelection *selection;

  self->table = gtk_column_view_new (NULL);
  for (int i = -1; i < KYMO_BUSIEST_N; i++)
    add_column (self, i);
  self->names = kymo_name_filter_new ();
  self->filter = GTK_FILTER (gtk_custom_filter_new (
    matches_busiest_view, self->names, (GDestroyNotify) kymo_name_filter_free));
  filtered = gtk_filter_list_model_new (
    G_LIST_MODEL (g_object_ref (self->rows)), self->filter);
  self->sorted = gtk_sort_list_model_new (
    G_LIST_MODEL (filtered),
    g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->table))));
  selection = gtk_single_selection_new (G_LIST_MODEL (self->sorted));
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->table),
                             GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
  gtk_widget_add_css_class (self->table, "data-table");
  gtk_widget_add_css_class (self->table, "kymo-busiest");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  kymo_in_terms_of (self->session,
                                                    _("Busiest {codes}")), -1);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (self->table, motion);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->table);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
build_head (KymoBusiestView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->all = gtk_label_new (_("No block has come yet"));
  gtk_label_set_xalign (GTK_LABEL (self->all), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->all), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (self->all), TRUE);
  gtk_label_set_lines (GTK_LABEL (self->all), 3);
  gtk_widget_set_hexpand (self->all, TRUE);
  gtk_widget_add_css_class (self->all, "numeric");
  self->show_all = gtk_button_new_with_label (_("Show All"));
  gtk_widget_add_css_class (self->show_all, "flat");
  gtk_widget_set_visible (self->show_all, FALSE);
  gtk_widget_set_tooltip_text (self->show_all,
                               kymo_in_terms_of (self->session,
                                                 _("Show all hidden {codes}")));
  gtk_box_append (GTK_BOX (box), self->all);
  gtk_box_append (GTK_BOX (box), self->show_all);
  gtk_widget_add_css_class (box, "kymo-pane-head");
  return box;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_busiest_view_dispose (GObject *object)
{
  KymoBusiestView *self = KYMO_BUSIEST_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_object (&self->rows);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_busiest_view_parent_class)->dispose (object);
}

static void
kymo_busiest_view_class_init (KymoBusiestViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_busiest_view_dispose;
}

static void
kymo_busiest_view_init (KymoBusiestView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-pane");
  self->rows = g_list_store_new (KYMO_TYPE_BUSIEST_ROW);
  self->by_id = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                       NULL);
}

/**
 * kymo_busiest_view_new:
 * @session: of a stream; the view holds a reference
 *
 * Returns: (transfer floating): a view that asks for its figures when the run grows or the filter
 *   changes, while the view is mapped
 */
GtkWidget *
kymo_busiest_view_new (KymoSession *session)
{
  KymoBusiestView *self = g_object_new (KYMO_TYPE_BUSIEST_VIEW, NULL);

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&figures_of_stream, self, session);
  gtk_box_append (GTK_BOX (self), build_head (self));
  gtk_box_append (GTK_BOX (self), build_table (self));
  g_signal_connect_object (self->show_all, "clicked",
                           G_CALLBACK (kymo_session_show_all), session,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "filter-changed",
                           G_CALLBACK (on_filter_changed), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
