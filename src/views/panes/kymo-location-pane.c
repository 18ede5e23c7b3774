/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selection of the list is the filter: none or all selected means all
 * locations. A range is typed into the entry as "0-15,32". A trace tells which
 * part of the range in view each was busy or useful, a profile how much useful time it had.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-hover-row.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-location-filter.h"
#include "kymo-location-list.h"
#include "kymo-order.h"
#include "kymo-location-pane.h"
#include "kymo-measure.h"
#include "kymo-place-tree.h"
#include "kymo-session-profile.h"
#include "kymo-timeline.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

struct _KymoLocationPane
{
  GtkBox             parent_instance;

  KymoSession       *session;
  KymoViewAsker     *asker;
  KymoLocationList  *items;
  GtkSelectionModel *selection;
  GPtrArray         *bound;        /* GtkListItem, borrowed: rows that show something */
  KymoTable         *answer;       /* of a profile, or NULL */
  GtkWidget         *title, *entry, *why;
  gboolean           filling, choosing;
  gboolean           reordered;    /* another order was asked for, and has not come */
  gboolean           keeps_order;  /* of the answer under way */
};

G_DEFINE_FINAL_TYPE (KymoLocationPane, kymo_location_pane, GTK_TYPE_BOX)

/* -- filling -------------------------------------------------------------- */

static void
select_shown (KymoLocationPane *self)
{
  KymoIdSet *shown = kymo_session_peek_locations (self->session);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, n);
  g_autoptr (GtkBitset) chosen = gtk_bitset_new_empty ();

  for (guint i = 0; shown != NULL && i < n; i++)
    if (kymo_id_set_contains (shown, kymo_location_list_get_id (self->items,
                                                                i)))
      gtk_bitset_add (chosen, i);
  self->filling = TRUE;
  gtk_selection_model_set_selection (self->selection, chosen, all);
  self->filling = FALSE;
}

/* What the figures of a profile are: of the functions that compute, or of all
   where none does. */
static void
say_measure (KymoLocationPane *self)
{
  const char *metric = kymo_table_get_string (self->answer, "metric", 0);
  g_autofree char *words = NULL;

  words = g_strdup_printf (kymo_location_list_get_useful (self->items) > 0
                           ? _("Useful · %s") : _("All · %s"), metric != NULL ? metric : "");
  gtk_label_set_text (GTK_LABEL (self->title), words);
}

/* Rows of a growing run stay where they are, unless the person asked otherwise. */
static gboolean
keeps_order (KymoLocationPane *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  gboolean growing = (kymo_source_get_capabilities (source) & KYMO_CAN_GROWING) != 0;

  if (!self->keeps_order)
    self->reordered = FALSE;
  return growing && self->keeps_order;
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoLocationPane *self = data;
  gboolean time = kymo_session_has_time (self->session);

  self->filling = TRUE;
  g_clear_pointer (&self->answer, kymo_table_unref);
  if (!time && answer != NULL)
    self->answer = kymo_table_ref (answer);
  kymo_location_list_set (self->items, answer != NULL
                          ? kymo_table_peek_nested (answer, time ? "locations" : "rows", NULL)
                          : NULL,
                          keeps_order (self));
  if (self->answer != NULL)
    say_measure (self);
  self->filling = FALSE;
  select_shown (self);
}

/* The sums of all functions are at hand: two columns are enough to show them. */
static KymoQuestion *
new_question (gpointer view)
{
  KymoLocationPane *self = view;
  gboolean time = kymo_session_has_time (self->session);
  KymoQuestion *question = kymo_question_new (time ? "usage" : "thread-bars");

  self->keeps_order = !self->reordered;
  kymo_session_prepare (self->session, question);
  if (time)
    kymo_question_set_span (question, kymo_session_get_range (self->session));
  else
    {
      kymo_session_prepare_profile (self->session, question);
      /* Inclusive times of all functions would count each many times. */
      kymo_question_set (question, "value", "exclusive");
      kymo_question_set_resolution (question, 1, 0);
    }
  /* Here they are chosen. */
  kymo_question_set_locations (question, NULL);
  return question;
}

static void
queue_order (KymoLocationPane *self)
{
  self->reordered = TRUE;
  kymo_view_asker_queue (self->asker);
}

/* -- choosing ------------------------------------------------------------- */

static void
on_selected (KymoLocationPane *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  g_autoptr (GtkBitset) chosen = NULL;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (KymoIdSet) set = NULL;
  GtkBitsetIter iter;
  guint at;

  if (self->filling)
    return;
  chosen = gtk_selection_model_get_selection (self->selection);
  for (gboolean more = gtk_bitset_iter_init_first (&iter, chosen, &at); more;
       more = gtk_bitset_iter_next (&iter, &at))
    {
      gint64 id = kymo_location_list_get_id (self->items, at);

      g_array_append_val (ids, id);
    }
  g_array_sort (ids, kymo_compare_ints);
  if (ids->len > 0 && ids->len < n)
    set = kymo_id_set_new_list ((const gint64 *) ids->data, ids->len);
  self->choosing = TRUE;
  kymo_session_set_locations (self->session, set);
  self->choosing = FALSE;
}

static void
on_entry (KymoLocationPane *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (KymoIdSet) set = NULL;
  g_autoptr (GError) error = NULL;

  if (*text != '\0')
    set = kymo_location_filter (self->items, text, &error);
  gtk_widget_set_tooltip_text (self->entry, error != NULL ? error->message
                                                          : NULL);
  if (error != NULL)
    {
      gtk_widget_add_css_class (self->entry, "error");
      return;
    }
  gtk_widget_remove_css_class (self->entry, "error");
  kymo_session_set_locations (self->session, set);
  select_shown (self);
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = kymo_label_new_cut (NULL, NULL), *busy = gtk_label_new (NULL);

  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (busy, "dim-label");
  gtk_widget_add_css_class (busy, "numeric");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), busy);
  kymo_hover_row_attach (box, KYMO_LOCATION_PANE (data)->session);
  gtk_list_item_set_child (list_item, box);
}

/* (transfer full) */
static char *
figure_of (KymoLocationPane *self, KymoLocationItem *item)
{
  KymoPlotFrame frame = { .unit = kymo_session_peek_option (self->session, "unit") };
  KymoMeasure measure;

  if (self->answer == NULL)
    return kymo_format_percent (kymo_location_item_get_share (item));
  kymo_measure_init (&measure, self->answer, &frame, NULL);
  return kymo_measure_format (&measure, kymo_location_list_get_useful (self->items) > 0
                              ? kymo_location_item_get_useful (item)
                              : kymo_location_item_get_all (item));
}

static void
fill_row (KymoLocationPane *self, GtkListItem *list_item)
{
  KymoLocationItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *name = gtk_widget_get_first_child (
    gtk_list_item_get_child (list_item));
  g_autofree char *figure = figure_of (self, item);
  g_autofree char *words = kymo_weighed_label (
    kymo_location_item_peek_label (item), kymo_location_item_get_weight (item));

  kymo_hover_row_set (gtk_list_item_get_child (list_item), NULL,
                      kymo_location_list_get_id (self->items,
                                                 gtk_list_item_get_position (list_item)));
  kymo_label_set (name, words);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (name)), figure);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  fill_row (data, list_item);
  g_ptr_array_add (KYMO_LOCATION_PANE (data)->bound, list_item);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  g_ptr_array_remove_fast (KYMO_LOCATION_PANE (data)->bound, list_item);
}

/* Rows stay, with the focus and the place of the list; they tell other figures. */
static void
on_refreshed (KymoLocationPane *self)
{
  for (guint i = 0; i < self->bound->len; i++)
    fill_row (self, self->bound->pdata[i]);
}

/* Where some PEs are chosen one may ask why they stick out of all. The list
   shows who is chosen elsewhere, too. */
static void
on_filter_changed (KymoLocationPane *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  guint can = kymo_source_get_capabilities (source);

  gtk_widget_set_visible (self->why, !(can & KYMO_CAN_STREAM)
                                     && kymo_session_has_time (self->session));
  gtk_widget_set_sensitive (self->why, kymo_session_peek_locations (self->session)
                                       != NULL);
  if (!self->choosing)
    select_shown (self);
}

static void
on_why (KymoLocationPane *self)
{
  KymoIdSet *shown = kymo_session_peek_locations (self->session);
  g_autofree char *text = shown != NULL ? kymo_id_set_to_text (shown) : NULL;

  if (text != NULL)
    g_signal_emit_by_name (self, "explain", text);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_location_pane_dispose (GObject *object)
{
  KymoLocationPane *self = KYMO_LOCATION_PANE (object);

  g_clear_object (&self->asker);
  g_clear_object (&self->items);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_location_pane_parent_class)->dispose (object);
}

static void
kymo_location_pane_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_LOCATION_PANE (object)->bound);
  G_OBJECT_CLASS (kymo_location_pane_parent_class)->finalize (object);
}

static void
kymo_location_pane_class_init (KymoLocationPaneClass *klass)
{
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  G_OBJECT_CLASS (klass)->dispose = kymo_location_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_location_pane_finalize;
  kymo_signal_new ("explain", KYMO_TYPE_LOCATION_PANE, 1, G_TYPE_STRING);
}

static void
kymo_location_pane_init (KymoLocationPane *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-pane");
  kymo_accessible_name (self, _("Sidebar"));
  self->items = kymo_location_list_new ();
  self->bound = g_ptr_array_new ();
}

static GtkWidget *
build_list (KymoLocationPane *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *list, *scrolled = gtk_scrolled_window_new ();

  self->selection = GTK_SELECTION_MODEL (
    gtk_multi_selection_new (G_LIST_MODEL (g_object_ref (self->items))));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  kymo_follow (self->items, "refreshed", on_refreshed, self);
  kymo_follow (self->selection, "selection-changed", on_selected, self);
  list = gtk_list_view_new (self->selection, factory);
  gtk_list_view_set_enable_rubberband (GTK_LIST_VIEW (list), TRUE);
  kymo_accessible_name (list, _("Locations"));
  gtk_widget_add_css_class (list, "kymo-list");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
build_head (KymoLocationPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *title = kymo_label_new_cut (_("Busy in view"), "heading");

  self->title = title;
  gtk_widget_set_hexpand (title, TRUE);
  self->why = gtk_button_new_with_mnemonic (_("_Why?"));
  kymo_controls_speak (self->why, _("_Why?"));
  gtk_widget_set_tooltip_text (
    self->why, kymo_in_terms_of (self->session,
                                 _("Why do the chosen {rows} stick out?")));
  g_signal_connect_swapped (self->why, "clicked", G_CALLBACK (on_why), self);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), self->why);
  gtk_widget_add_css_class (box, "kymo-pane-head");
  return box;
}

static const KymoViewQuestion locations_in_view = {
  .question = new_question, .answered = on_answer, .pause_ms = KYMO_VIEW_PAUSE_MS,
  .at_rest = TRUE,
};

/**
 * kymo_location_pane_new:
 *
 * Makes the list of locations of @session with the place tree above it. The selection of the list,
 * or the text of the entry, becomes the location filter of @session; the list asks again when the
 * visible range changes or the run grows.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_location_pane_new (KymoSession *session)
{
  KymoLocationPane *self = g_object_new (KYMO_TYPE_LOCATION_PANE, NULL);

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&locations_in_view, self, session);
  self->entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry),
                                  kymo_session_get_terms (self->session).code == KYMO_CODE_FUNCTION
                                  ? _("All, or 0-15,32, useful<50%")
                                  : _("All, or 0-15,32, busy<50%"));
  kymo_accessible_name (self->entry, _("Locations to show"));
  gtk_box_append (GTK_BOX (self), kymo_place_tree_new (session));
  gtk_box_append (GTK_BOX (self), build_head (self));
  gtk_box_append (GTK_BOX (self), self->entry);
  gtk_box_append (GTK_BOX (self), build_list (self));
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_entry),
                            self);
  kymo_view_asker_follow (self->asker, session, "range-changed");
  kymo_view_asker_follow (self->asker, session, "notify::extrapolates");
  if (!kymo_session_has_time (session))
    kymo_follow (session, "profile-changed", queue_order, self);
  kymo_follow (session, "notify::by-class", queue_order, self);
  kymo_follow (session, "classes-changed", queue_order, self);
  kymo_follow (session, "filter-changed", on_filter_changed, self);
  on_filter_changed (self);
  return GTK_WIDGET (self);
}
