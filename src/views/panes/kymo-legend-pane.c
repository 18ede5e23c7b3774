/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list asks its own question (profile of the visible range) a moment
 * after the range has come to rest.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-legend-pane.h"
#include "kymo-legend-rows.h"
#include "kymo-name-filter.h"
#include "kymo-session-colors.h"
#include "kymo-session-profile.h"
#include "kymo-view-asker.h"
#include "kymo-wrap-layout.h"

struct _KymoLegendPane
{
  GtkBox           parent_instance;

  KymoNameFilter *names;               /* that are listed; the filter's */
  KymoSession     *session;
  KymoViewAsker   *asker;
  GListStore      *items;
  GtkFilter       *filter;
  GtkSorter       *sorter;         /* borrowed */
  guint            sorting;        /* of sortings[] */
  GtkWidget       *title, *entry, *show_all;
  gboolean         keeps_order;    /* the run grows, or has just grown */
  guint            states;         /* bits, of add_rest(): of which there was any time */
  GHashTable      *ranks;          /* name -> place, as last ordered */
  KymoSpan         ranked;         /* the range it was ordered for */
};

G_DEFINE_FINAL_TYPE (KymoLegendPane, kymo_legend_pane, GTK_TYPE_BOX)

/* -- filling -------------------------------------------------------------- */

/* Names with a rank keep their order, before those without. */
static int
by_rank_and_share (gconstpointer a, gconstpointer b, gpointer ranks)
{
  const KymoLegendItem *x = *(KymoLegendItem *const *) a;
  const KymoLegendItem *y = *(KymoLegendItem *const *) b;
  gint i = GPOINTER_TO_INT (g_hash_table_lookup (ranks, x->name));
  gint k = GPOINTER_TO_INT (g_hash_table_lookup (ranks, y->name));

  if (i != k && i > 0 && k > 0)
    return i - k;
  if (i != k)
    return i > 0 ? -1 : 1;
  if (x->share != y->share)
    return x->share > y->share ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Names were given, or nothing was known before. */
static gboolean
are_most_new (KymoLegendPane *self, GPtrArray *items)
{
  guint n_new = 0;

  for (guint i = 0; i < items->len; i++)
    n_new += !g_hash_table_contains (self->ranks, KYMO_LEGEND_ITEM (items->pdata[i])->name);
  return 2 * n_new > items->len;
}

/* By share; but while the range stays and the run grows, nothing moves. */
static void
sort_legend_pane (KymoLegendPane *self, GPtrArray *items)
{
  KymoSpan range = kymo_session_get_range (self->session);
  gboolean live = kymo_session_get_follow (self->session) > 0;

  if (are_most_new (self, items)
      || (!live && (!self->keeps_order || range.begin_ns != self->ranked.begin_ns
                    || range.end_ns != self->ranked.end_ns)))
    g_hash_table_remove_all (self->ranks);
  self->ranked = range;
  g_ptr_array_sort_with_data (items, by_rank_and_share, self->ranks);
  for (guint i = 0; i < items->len; i++)
    g_hash_table_insert (self->ranks,
                         g_strdup (KYMO_LEGEND_ITEM (items->pdata[i])->name),
                         GINT_TO_POINTER (i + 1));
}

/* What shares are of. In a draft untraced is what is not known yet. */
static double
whole_of (KymoTable *answer)
{
  gint64 span_ns = kymo_table_get_int (answer, "span_ns", 0);

  if (kymo_table_find_column (answer, "draft") >= 0)
    span_ns -= kymo_table_get_int (answer, "untraced_ns", 0);
  return MAX (1, span_ns);
}

static void
add_activities (KymoLegendPane *self, GPtrArray *all, KymoTable *answer)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  KymoTable *list = kymo_table_peek_nested (answer, "activities", NULL);
  double span = whole_of (answer);

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      const char *kind = kymo_table_get_string (list, "kind", i);
      const char *name = kymo_table_get_string (list, "name", i);

      if (name == NULL || (g_strcmp0 (kind, "entry") != 0
                           && g_strcmp0 (kind, "function") != 0))
        continue;
      g_ptr_array_add (items, kymo_legend_item_new (
        name, name, kind,
        kymo_table_get_int (list, "exclusive_ns", i) / span));
    }
  sort_legend_pane (self, items);
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (all, items->pdata[i]);
}

static void
add_communicators (KymoLegendPane *self, GPtrArray *all, KymoTable *answer)
{
  g_autoptr (GPtrArray) items = kymo_legend_items_of_communicators (answer, all);

  sort_legend_pane (self, items);
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (all, items->pdata[i]);
}

/* Of profiles: what share of the exclusive values of the chosen thread each has; of a ratio the
   value, for ratios add up to nothing. */
static void
add_functions (KymoLegendPane *self, GPtrArray *all, KymoTable *answer)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  KymoTable *list = kymo_table_peek_nested (answer, "functions", NULL);
  gboolean is_ratio = kymo_table_find_column (answer, "additive") >= 0
                      && !kymo_table_get_bool (answer, "additive", 0);

  gtk_label_set_text (GTK_LABEL (self->title), is_ratio ? _("Value") : _("Share"));
  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      const char *name = kymo_table_get_string (list, "name", i);
      double share = kymo_table_get_double (list, is_ratio ? "exclusive" : "exclusive_share", i);
      KymoLegendItem *item = kymo_legend_item_new (name, name,
                                                   kymo_table_get_string (list, "kind", i),
                                                   isfinite (share) ? share : 0);

      item->is_value = is_ratio;
      g_ptr_array_add (items, item);
    }
  sort_legend_pane (self, items);
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (all, items->pdata[i]);
}

/* Idle time and overhead stay once there was any, for lines do not come and go while the range
   moves; runs without them do without these lines. */
static void
add_rest (KymoLegendPane *self, GPtrArray *items, KymoTable *answer)
{
  static const struct { const char *key, *kind, *label; } rest[] = {
    { "idle_ns", "idle", N_("Idle") },
    { "overhead_ns", "overhead", N_("Overhead") },
    { "overhead_ns", "rest", N_("Idle or overhead") },
    { "untraced_ns", "untraced", N_("Untraced") },
  };
  gboolean is_draft = kymo_table_find_column (answer, "draft") >= 0;
  gboolean is_stream = !!kymo_table_get_bool (answer, "overhead_is_rest", 0);
  double span = whole_of (answer);

  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    {
      gint64 ns = kymo_table_get_int (answer, rest[i].key, 0);
      gboolean is_state = i < 3 && (i == 2) == is_stream;

      if (is_state && ns > 0)
        self->states |= 1u << i;
      if ((is_state && self->states >> i & 1) || (i == 3 && ns > 0 && !is_draft))
        g_ptr_array_add (items, kymo_legend_item_new (
          rest[i].kind, _(rest[i].label), rest[i].kind, ns / span));
    }
}

static KymoQuestion *
new_question (gpointer view)
{
  KymoLegendPane *self = view;
  gboolean time = kymo_session_has_time (self->session);
  gboolean comms = time && kymo_session_tells_communicators (self->session);
  KymoQuestion *question = kymo_question_new (comms ? "timeline" : time ? "profile" : "thread");

  kymo_session_prepare (self->session, question);
  if (comms)
    {
      kymo_question_set_resolution (question, 1, 1);
      kymo_question_set_int (question, "communicators", 1);
    }
  if (time)
    {
      kymo_question_set_span (question, kymo_session_get_range (self->session));
      kymo_question_set_int (question, "workers-only", 1);
    }
  else
    {
      kymo_session_prepare_profile (self->session, question);
      kymo_question_set (question, "of", kymo_session_peek_thread (self->session));
    }
  return question;
}

/* Where only shares have changed the lines stay, also under the pointer. */
static gboolean
update_shares (KymoLegendPane *self, GPtrArray *items)
{
  GListModel *model = G_LIST_MODEL (self->items);

  if (g_list_model_get_n_items (model) != items->len)
    return FALSE;
  for (guint i = 0; i < items->len; i++)
    {
      g_autoptr (KymoLegendItem) old = g_list_model_get_item (model, i);
      KymoLegendItem *item = items->pdata[i];

      if (g_strcmp0 (old->name, item->name) != 0
          || g_strcmp0 (old->kind, item->kind) != 0
          || g_strcmp0 (old->label, item->label) != 0 || old->is_value != item->is_value)
        return FALSE;
    }
  for (guint i = 0; i < items->len; i++)
    {
      g_autoptr (KymoLegendItem) old = g_list_model_get_item (model, i);

      kymo_legend_item_set_share (old,
                                  KYMO_LEGEND_ITEM (items->pdata[i])->share);
    }
  return TRUE;
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoLegendPane *self = data;
  g_autoptr (GPtrArray) items = NULL;

  if (answer == NULL)
    return;
  items = g_ptr_array_new_with_free_func (g_object_unref);
  if (kymo_table_peek_nested (answer, "communicators", NULL) != NULL)
    add_communicators (self, items, answer);
  else if (kymo_session_has_time (self->session))
    {
      add_rest (self, items, answer);
      add_activities (self, items, answer);
    }
  else
    add_functions (self, items, answer);
  if (update_shares (self, items))
    return;
  g_list_store_splice (self->items, 0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->items)),
                       items->pdata, items->len);
}

static gboolean
on_grown (gpointer view)
{
  KymoLegendPane *self = view;
  KymoSpan range = kymo_session_get_range (self->session);
  KymoSpan full = kymo_session_get_full_range (self->session);

  self->keeps_order = TRUE;
  /* The whole run is the same range, however long it has become. */
  if (range.begin_ns == full.begin_ns && range.end_ns == full.end_ns)
    self->ranked = range;
  return TRUE;
}

static void
on_filter_changed (KymoLegendPane *self)
{
  self->keeps_order = FALSE;
  gtk_widget_set_sensitive (self->show_all, kymo_session_peek_hidden (self->session) != NULL);
  kymo_view_asker_queue (self->asker);
}

/* -- rows ----------------------------------------------------------------- */

static void
on_activate (GtkListView *view, guint position, KymoLegendPane *self)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (view));
  g_autoptr (KymoLegendItem) item = g_list_model_get_item (model, position);

  if (item != NULL)
    g_signal_emit_by_name (self, "activated", item->name);
}

/* -- filtering ------------------------------------------------------------ */

static gboolean
matches_legend_pane (gpointer object, gpointer data)
{
  return kymo_name_filter_matches (data, KYMO_LEGEND_ITEM (object)->label);
}

static void
on_filter_text (KymoLegendPane *self)
{
  kymo_name_filter_set_text (self->names, gtk_editable_get_text (GTK_EDITABLE (self->entry)),
                             self->entry);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

/**
 * kymo_legend_pane_set_filter:
 * @text: text of the entry; "" lists all names
 *
 * Writes @text into the filter entry of the pane; the list follows it.
 */
void
kymo_legend_pane_set_filter (KymoLegendPane *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
}

/**
 * kymo_legend_pane_match:
 * @text: as in the filter entry
 *
 * Looks for the first name that matches @text. Names stand by share, the largest first; while a
 * run grows they keep the order they had. Where the list is out of date an update starts, which
 * this call does not wait for.
 *
 * Returns: (transfer full) (nullable): the name; %NULL where none matches
 */
char *
kymo_legend_pane_match (KymoLegendPane *self, const char *text)
{
  GListModel *model = G_LIST_MODEL (self->items);
  g_autoptr (KymoNameFilter) names = kymo_name_filter_new ();

  kymo_name_filter_set_text (names, text, NULL);
  kymo_view_asker_catch_up (self->asker);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (KymoLegendItem) item = g_list_model_get_item (model, i);

      if (kymo_name_filter_matches (names, item->name))
        return g_strdup (item->name);
    }
  return NULL;
}

/** kymo_legend_pane_dup_matches: (transfer full): at most @most names */
char **
kymo_legend_pane_dup_matches (KymoLegendPane *self, const char *text,
                              guint most)
{
  GListModel *model = G_LIST_MODEL (self->items);
  GPtrArray *names = g_ptr_array_new ();
  g_autoptr (KymoNameFilter) filter = kymo_name_filter_new ();

  kymo_name_filter_set_text (filter, text, NULL);
  kymo_view_asker_catch_up (self->asker);
  for (guint i = 0;
       i < g_list_model_get_n_items (model) && names->len < most; i++)
    {
      g_autoptr (KymoLegendItem) item = g_list_model_get_item (model, i);

      if (kymo_name_filter_matches (filter, item->name))
        g_ptr_array_add (names, g_strdup (item->name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/* -- sorting -------------------------------------------------------------- */

enum { BY_TIME, BY_NAME, BY_COLOR };

/* Hue round the circle; what has none comes first. */
static double
hue_of (KymoLegendPane *self, const char *name)
{
  KymoRgba c = kymo_colors_get (kymo_session_peek_colors (self->session), name, FALSE);
  float hue, saturation, value;

  gtk_rgb_to_hsv (c.red, c.green, c.blue, &hue, &saturation, &value);
  return saturation < 0.1 ? -1 + value : hue;
}

/* By time is the order of the list itself; idle time and its like stay in front. */
static int
compare_items (gconstpointer a, gconstpointer b, gpointer data)
{
  KymoLegendPane *self = data;
  const KymoLegendItem *x = a, *y = b;
  gboolean named_x = g_strcmp0 (x->kind, x->name) != 0;
  gboolean named_y = g_strcmp0 (y->kind, y->name) != 0;
  double hue_x, hue_y;

  if (named_x != named_y || !named_x)
    return (int) named_x - (int) named_y;
  if (self->sorting == BY_NAME)
    return g_utf8_collate (x->label, y->label);
  if (self->sorting != BY_COLOR)
    return GTK_ORDERING_EQUAL;
  hue_x = hue_of (self, x->name);
  hue_y = hue_of (self, y->name);
  return hue_x < hue_y ? -1 : hue_x > hue_y;
}

static void
on_sorting (KymoLegendPane *self, GParamSpec *pspec, GtkDropDown *drop)
{
  self->sorting = gtk_drop_down_get_selected (drop);
  gtk_sorter_changed (self->sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

static void
on_colors_changed (KymoLegendPane *self)
{
  if (self->sorting == BY_COLOR)
    gtk_sorter_changed (self->sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

static GtkWidget *
build_sorting (KymoLegendPane *self)
{
  const char *const names[] = { _("By time"), _("By name"), _("By colour"), NULL };
  GtkWidget *drop = gtk_drop_down_new_from_strings (names);

  kymo_controls_name (drop, _("Order of the list"));
  gtk_widget_add_css_class (drop, "flat");
  gtk_widget_set_margin_start (drop, 8);
  kymo_follow (drop, "notify::selected", on_sorting, self);
  return drop;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_legend_pane_dispose (GObject *object)
{
  KymoLegendPane *self = KYMO_LEGEND_PANE (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->ranks, g_hash_table_unref);
  g_clear_object (&self->items);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_legend_pane_parent_class)->dispose (object);
}

static void
kymo_legend_pane_class_init (KymoLegendPaneClass *klass)
{
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  G_OBJECT_CLASS (klass)->dispose = kymo_legend_pane_dispose;
  kymo_signal_new ("activated", KYMO_TYPE_LEGEND_PANE, 1, G_TYPE_STRING);
}

static void
kymo_legend_pane_init (KymoLegendPane *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-pane");
  kymo_accessible_name (self, _("Legend"));
  self->items = g_list_store_new (KYMO_TYPE_LEGEND_ITEM);
  self->ranks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static GtkWidget *
build_head (KymoLegendPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *title = kymo_label_new_wrapped (kymo_session_has_time (self->session)
                                             ? _("Share in view") : _("Share"), "heading");

  gtk_widget_set_layout_manager (box, kymo_wrap_layout_new (6));
  self->title = title;
  gtk_widget_set_hexpand (title, TRUE);
  self->show_all = gtk_button_new_with_label (_("Show All"));
  gtk_widget_add_css_class (self->show_all, "flat");
  gtk_widget_set_sensitive (self->show_all, FALSE);
  gtk_widget_set_tooltip_text (self->show_all,
                               kymo_in_terms_of (
                                 self->session, _("Show all hidden {codes}")));
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), self->show_all);
  gtk_widget_add_css_class (box, "kymo-pane-head");
  return box;
}

static GtkWidget *
build_list (KymoLegendPane *self)
{
  GtkListItemFactory *factory = kymo_legend_rows_new (self->session);
  GtkFilterListModel *filtered;
  GtkSortListModel *sorted;
  GtkSelectionModel *selection;
  GtkWidget *list, *scrolled = gtk_scrolled_window_new ();

  self->names = kymo_name_filter_new ();
  self->filter = GTK_FILTER (gtk_custom_filter_new (
    matches_legend_pane, self->names, (GDestroyNotify) kymo_name_filter_free));
  filtered = gtk_filter_list_model_new (
    G_LIST_MODEL (g_object_ref (self->items)), self->filter);
  self->sorter = GTK_SORTER (gtk_custom_sorter_new (compare_items, self, NULL));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered), self->sorter);
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (sorted)));
  list = gtk_list_view_new (selection, factory);
  kymo_accessible_name (list, kymo_in_terms_of (self->session, _("{Codes} in view")));
  gtk_widget_add_css_class (list, "kymo-list");
  g_signal_connect (list, "activate", G_CALLBACK (on_activate), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return kymo_legend_rows_over (scrolled, G_LIST_MODEL (self->items), G_LIST_MODEL (sorted),
                                _("Nothing in this list passes the filter"));
}

/* A search looks for names here, also while the pane is not seen. */
static const KymoViewQuestion names_in_view = {
  .question = new_question, .answered = on_answer, .grown = on_grown,
  .pause_ms = KYMO_VIEW_PAUSE_MS, .pace_ms = KYMO_VIEW_PACE_MS, .at_rest = TRUE,
  .seen = KYMO_VIEW_UNSEEN_UNLESS_LIVE,
};

/**
 * kymo_legend_pane_new:
 *
 * Makes the legend of @session and asks for its first names. The pane follows the visible range,
 * the filter, the colours and the growth of the run; without a time axis, the profile options and
 * the thread.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_legend_pane_new (KymoSession *session)
{
  KymoLegendPane *self = g_object_new (KYMO_TYPE_LEGEND_PANE, NULL);
  GtkWidget *tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_layout_manager (tools, kymo_wrap_layout_new (0));
  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&names_in_view, self, session);
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _("Filter"), NULL);
  kymo_accessible_name (self->entry, kymo_in_terms_of (self->session, _("Filter {codes}")));
  gtk_box_append (GTK_BOX (self), build_head (self));
  gtk_widget_set_hexpand (self->entry, TRUE);
  /* Few characters are asked for, so that the order of the list stands beside it. */
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 5);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 5);
  gtk_box_append (GTK_BOX (tools), self->entry);
  gtk_box_append (GTK_BOX (tools), build_sorting (self));
  gtk_box_append (GTK_BOX (self), tools);
  gtk_box_append (GTK_BOX (self), build_list (self));
  g_signal_connect_swapped (self->entry, "search-changed",
                            G_CALLBACK (on_filter_text), self);
  kymo_follow (self->show_all, "clicked", kymo_session_show_all, session);
  kymo_view_asker_follow (self->asker, session, "range-changed");
  kymo_follow (session, "filter-changed", on_filter_changed, self);
  kymo_follow (session, "colors-changed", on_colors_changed, self);
  if (!kymo_session_has_time (session))
    {
      kymo_view_asker_follow (self->asker, session, "profile-changed");
      kymo_view_asker_follow (self->asker, session, "thread-changed");
    }
  gtk_widget_set_sensitive (self->show_all, kymo_session_peek_hidden (session) != NULL);
  kymo_view_asker_catch_up (self->asker);
  return GTK_WIDGET (self);
}
