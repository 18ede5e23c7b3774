/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines are strings. Where they come from: of a timeline an answer of kind
 * "search" (every block of the row in the visible range), of other pictures
 * what the canvas says of each of its items (kymo-canvas-items.c).
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-block-words.h"
#include "kymo-canvas-items.h"
#include "kymo-chart-table.h"
#include "kymo-hover-row.h"
#include "kymo-units.h"

#define LIST_PX 150
#define MOST_BLOCKS 500

struct _KymoChartTable
{
  GtkBox              parent_instance;

  KymoSession        *session;
  KymoCanvas         *canvas;      /* weak, or NULL */
  KymoAsker          *asker;
  KymoTable          *blocks;      /* of a row of a timeline, or NULL */
  gint64              location;    /* of that row, or -1 */
  GPtrArray          *items;       /* KymoCanvasItem: of other pictures, or NULL */
  GtkStringList      *lines;
  GtkSingleSelection *selection;
  GtkWidget          *title, *list;
  guint               renew_id;
  gboolean            following;   /* the selection is set, not chosen */
};

G_DEFINE_FINAL_TYPE (KymoChartTable, kymo_chart_table, GTK_TYPE_BOX)

static gboolean
is_timeline (KymoChartTable *self)
{
  return self->canvas != NULL
         && g_strcmp0 (kymo_canvas_get_plot (self->canvas)->id, "timeline")
            == 0;
}

/* -- what is chosen ------------------------------------------------------- */

static int
chosen_block (KymoChartTable *self)
{
  KymoTable *found = self->blocks != NULL
                     ? kymo_table_peek_nested (self->blocks, "found", NULL)
                     : NULL;
  gint64 location, time_ns, begin_ns;
  int best = -1;

  if (found == NULL
      || !kymo_session_get_block (self->session, &location, &time_ns)
      || location != self->location)
    return -1;
  /* The innermost one begins last. */
  for (guint i = 0; i < kymo_table_get_n_rows (found); i++)
    {
      begin_ns = kymo_table_get_int (found, "begin_ns", i);
      if (begin_ns <= time_ns
          && MAX (kymo_table_get_int (found, "end_ns", i), begin_ns + 1)
             > time_ns)
        best = i;
    }
  return best;
}

static void
follow_choice (KymoChartTable *self)
{
  int chosen = is_timeline (self) ? chosen_block (self)
               : self->canvas != NULL ? kymo_canvas_get_item (self->canvas)
               : -1;

  self->following = TRUE;
  gtk_single_selection_set_selected (self->selection, chosen >= 0
                                     ? (guint) chosen
                                     : GTK_INVALID_LIST_POSITION);
  self->following = FALSE;
}

static void
on_selected (KymoChartTable *self)
{
  guint index = gtk_single_selection_get_selected (self->selection);
  KymoTable *found;

  if (self->following || index == GTK_INVALID_LIST_POSITION
      || self->canvas == NULL)
    return;
  if (!is_timeline (self))
    {
      kymo_canvas_choose_item (self->canvas, index);
      return;
    }
  found = self->blocks != NULL
          ? kymo_table_peek_nested (self->blocks, "found", NULL) : NULL;
  if (found != NULL && index < kymo_table_get_n_rows (found))
    {
      KymoSpan block = { kymo_table_get_int (found, "begin_ns", index),
                         kymo_table_get_int (found, "end_ns", index) };

      kymo_session_set_block (self->session, self->location,
                              kymo_span_middle (block));
    }
}

/* -- lines ---------------------------------------------------------------- */

static void
set_lines (KymoChartTable *self, const GPtrArray *lines)
{
  guint before = g_list_model_get_n_items (G_LIST_MODEL (self->lines));

  self->following = TRUE;
  gtk_string_list_splice (self->lines, 0, before,
                          (const char *const *) lines->pdata);
  self->following = FALSE;
  follow_choice (self);
}

static char *
block_in_words (KymoChartTable *self, KymoTable *found, guint i)
{
  const char *name = kymo_table_get_string (found, "name", i);
  gint64 ns = kymo_table_get_int (found, "duration_ns", i);
  g_autofree char *length = kymo_format_duration (ns);
  g_autofree char *at = kymo_format_duration_exact (
    kymo_table_get_int (found, "begin_ns", i));
  g_autofree char *ratio = kymo_block_words_compare (
    kymo_block_words_of (self->session), name, ns);

  return ratio != NULL ? g_strdup_printf (_("%s, %s from %s, %s"), name, length,
                                          at, ratio)
                       : g_strdup_printf (_("%s, %s from %s"), name, length,
                                          at);
}

static void
show_blocks (KymoChartTable *self)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  KymoTable *found = self->blocks != NULL
                     ? kymo_table_peek_nested (self->blocks, "found", NULL)
                     : NULL;
  guint n = found != NULL ? kymo_table_get_n_rows (found) : 0;

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (lines, block_in_words (self, found, i));
  g_ptr_array_add (lines, NULL);
  set_lines (self, lines);
}

static void
on_blocks (KymoTable *answer, const GError *error, gpointer data)
{
  KymoChartTable *self = data;
  KymoTable *found;
  g_autofree char *title = NULL;

  g_clear_pointer (&self->blocks, kymo_table_unref);
  if (answer != NULL)
    self->blocks = kymo_table_ref (answer);
  found = answer != NULL ? kymo_table_peek_nested (answer, "found", NULL)
                         : NULL;
  if (found != NULL && kymo_table_get_n_rows (found) > 0)
    {
      g_autofree char *all
        = kymo_format_count (kymo_table_get_int (answer, "matches", 0));

      title = g_strdup_printf (_("%s: the first %u of %s blocks in view"),
                               kymo_table_get_string (found, "label", 0),
                               kymo_table_get_n_rows (found), all);
    }
  gtk_label_set_text (GTK_LABEL (self->title), title != NULL ? title
                      : error != NULL ? error->message
                      : _("No blocks in view"));
  show_blocks (self);
}

static void
ask_blocks (KymoChartTable *self)
{
  KymoQuestion *question;
  g_autoptr (KymoIdSet) set = NULL;
  gint64 time_ns;

  if (!kymo_session_get_block (self->session, &self->location, &time_ns))
    self->location = kymo_canvas_get_first_location (self->canvas);
  if (self->location < 0)
    {
      on_blocks (NULL, NULL, self);
      return;
    }
  question = kymo_question_new ("search");
  set = kymo_id_set_new_list (&self->location, 1);
  kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_question_set_locations (question, set);
  kymo_question_set (question, "text", ".");
  kymo_question_set (question, "regex", "1");
  kymo_question_set (question, "over", "blocks");
  kymo_question_set_int (question, "limit", MOST_BLOCKS);
  kymo_asker_ask (self->asker, question);
}

static void
show_items (KymoChartTable *self)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();

  g_clear_pointer (&self->items, g_ptr_array_unref);
  self->items = kymo_canvas_dup_items (self->canvas);
  for (guint i = 0; i < self->items->len; i++)
    g_ptr_array_add (lines, ((KymoCanvasItem *) self->items->pdata[i])->words);
  g_ptr_array_add (lines, NULL);
  gtk_label_set_text (GTK_LABEL (self->title),
                      _(kymo_canvas_get_plot (self->canvas)->title));
  set_lines (self, lines);
}

static gboolean
renew (gpointer data)
{
  KymoChartTable *self = data;

  self->renew_id = 0;
  if (self->canvas == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return G_SOURCE_REMOVE;
  if (is_timeline (self))
    {
      kymo_block_words_want (kymo_block_words_of (self->session));
      ask_blocks (self);
    }
  else
    show_items (self);
  return G_SOURCE_REMOVE;
}

static void
queue_renew (KymoChartTable *self)
{
  if (self->renew_id == 0)
    self->renew_id = g_timeout_add (80, renew, self);
}

/* Another row of a timeline has other blocks. */
static void
on_selection_changed (KymoChartTable *self)
{
  gint64 location, time_ns;

  if (is_timeline (self)
      && kymo_session_get_block (self->session, &location, &time_ns)
      && (location != self->location || chosen_block (self) < 0))
    queue_renew (self);
  else if (self->canvas != NULL)
    follow_choice (self);
}

static void
on_words (KymoChartTable *self)
{
  if (is_timeline (self) && gtk_widget_get_visible (GTK_WIDGET (self)))
    show_blocks (self);
}

/* -- the widget ----------------------------------------------------------- */

/** kymo_chart_table_set_canvas: */
void
kymo_chart_table_set_canvas (KymoChartTable *self, KymoCanvas *canvas)
{
  if (canvas == self->canvas)
    return;
  if (self->canvas != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->canvas, queue_renew, self);
      g_signal_handlers_disconnect_by_func (self->canvas, follow_choice, self);
    }
  g_set_weak_pointer (&self->canvas, canvas);
  kymo_asker_cancel (self->asker);
  g_clear_pointer (&self->blocks, kymo_table_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  if (canvas != NULL)
    {
      g_signal_connect_object (canvas, "answer-changed",
                               G_CALLBACK (queue_renew), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (canvas, "described",
                               G_CALLBACK (follow_choice), self,
                               G_CONNECT_SWAPPED);
    }
  queue_renew (self);
}

/** kymo_chart_table_set_shown: */
void
kymo_chart_table_set_shown (KymoChartTable *self, gboolean shown)
{
  gtk_widget_set_visible (GTK_WIDGET (self), shown);
  if (!shown)
    return;
  queue_renew (self);
  gtk_widget_grab_focus (self->list);
}

/** kymo_chart_table_is_shown: */
gboolean
kymo_chart_table_is_shown (KymoChartTable *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self));
}

static void
kymo_chart_table_dispose (GObject *object)
{
  KymoChartTable *self = KYMO_CHART_TABLE (object);

  g_clear_handle_id (&self->renew_id, g_source_remove);
  if (self->asker != NULL)
    kymo_chart_table_set_canvas (self, NULL);
  g_clear_handle_id (&self->renew_id, g_source_remove);
  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_pointer (&self->blocks, kymo_table_unref);
  g_clear_object (&self->selection);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_chart_table_parent_class)->dispose (object);
}

static void
kymo_chart_table_class_init (KymoChartTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_chart_table_dispose;
}

/* What a line stands for. */
static void
link_line (KymoChartTable *self, GtkWidget *label, guint index)
{
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;
  KymoTable *found = self->blocks != NULL
                     ? kymo_table_peek_nested (self->blocks, "found", NULL)
                     : NULL;

  if (is_timeline (self))
    {
      if (found != NULL && index < kymo_table_get_n_rows (found))
        {
          subject.name = kymo_table_get_string (found, "name", index);
          subject.location = self->location;
          subject.span.begin_ns = kymo_table_get_int (found, "begin_ns", index);
          subject.span.end_ns = kymo_table_get_int (found, "end_ns", index);
        }
    }
  else if (self->items != NULL && index < self->items->len)
    {
      const KymoCanvasItem *item = self->items->pdata[index];

      subject.name = item->name;
      subject.location = item->location;
      if (item->time_ns != G_MININT64)
        subject.span = (KymoSpan) { item->time_ns, item->time_ns + 1 };
    }
  kymo_hover_row_stand_for (label, &subject);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item,
          KymoChartTable *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_margin_end (label, 12);
  kymo_hover_row_attach (label, self->session);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item,
         KymoChartTable *self)
{
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label),
                      gtk_string_object_get_string (gtk_list_item_get_item (
                                                      item)));
  link_line (self, label, gtk_list_item_get_position (item));
}

static void
kymo_chart_table_init (KymoChartTable *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  self->location = -1;
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  self->lines = gtk_string_list_new (NULL);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->lines));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->list = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (
                                    self->selection)), factory);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Table behind the picture"), -1);
  self->title = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->title, "heading");
  gtk_widget_set_margin_start (self->title, 12);
  gtk_widget_set_margin_top (self->title, 6);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller),
                                              LIST_PX);
  gtk_box_append (GTK_BOX (self), self->title);
  gtk_box_append (GTK_BOX (self), scroller);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_connect_object (self->selection, "notify::selected",
                           G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}

/** kymo_chart_table_new: */
GtkWidget *
kymo_chart_table_new (KymoSession *session)
{
  KymoChartTable *self = g_object_new (KYMO_TYPE_CHART_TABLE, NULL);

  self->session = g_object_ref (session);
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_blocks,
                                self);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (queue_renew),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "selection-changed",
                           G_CALLBACK (on_selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (kymo_block_words_of (session), "changed",
                           G_CALLBACK (on_words), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
