/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: the states of the actions are what the session has; a choice goes
 * to the session, which tells the bar.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-canvas.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-metrics-menu.h"
#include "kymo-row-order.h"
#include "kymo-rows-bar.h"
#include "kymo-session-colors.h"
#include "kymo-session-rows.h"
#include "kymo-units.h"

/* So many of the busiest entry methods are offered; others have no say in
   where time goes. */
#define MOST_NAMES 15
#define MOST_LINES 40

struct _KymoRowsBar
{
  GtkBox              parent_instance;

  KymoSession        *session;
  GSimpleActionGroup *actions;
  GMenu              *by_time, *by_first, *lines, *color_by;
  KymoAsker          *asker;       /* for what was sampled */
  GtkWidget          *lines_button, *again, *words;
  GtkWidget          *chart;       /* weak: what gets the keyboard after a choice */
};

G_DEFINE_FINAL_TYPE (KymoRowsBar, kymo_rows_bar, GTK_TYPE_BOX)

/* -- what the session has ------------------------------------------------- */

static KymoRowOrder
order_of (KymoRowsBar *self)
{
  const char *text = kymo_session_peek_row_order (self->session);
  KymoRowOrder order = { KYMO_ROWS_BY_NUMBER };

  if (text != NULL)
    kymo_row_order_parse (text, &order, NULL);
  return order;
}

static gboolean
runs_functions (KymoRowsBar *self)
{
  return kymo_session_get_terms (self->session).code == KYMO_CODE_FUNCTION;
}

static const char *
word_of (const KymoRowOrder *order, gboolean useful)
{
  switch (order->by)
    {
    case KYMO_ROWS_BY_BUSY: return useful ? _("by useful time") : _("by busy time");
    case KYMO_ROWS_BY_IDLE: return _("by idle time");
    case KYMO_ROWS_BY_OVERHEAD: return _("by overhead");
    case KYMO_ROWS_BY_TIME: return _("by the time of");
    case KYMO_ROWS_BY_FIRST: return _("by the first run of");
    case KYMO_ROWS_BY_SIMILARITY: return _("by similarity");
    case KYMO_ROWS_BY_CLUSTER: return _("by cluster");
    case KYMO_ROWS_BY_NUMBER:
    default: return _("by number");
    }
}

/* (transfer full): "by the time of Cell::run, largest first · 1.2 s – 1.4 s" */
static char *
describe_rows_bar (KymoRowsBar *self)
{
  KymoRowOrder order = order_of (self);
  GString *text = g_string_new (word_of (&order, runs_functions (self)));
  KymoSpan span;

  if (order.name != NULL)
    g_string_append_printf (text, " %s", order.name);
  if (order.descends && order.by == KYMO_ROWS_BY_SIMILARITY)
    g_string_append_printf (text, ", %s", _("the other way round"));
  else if (order.descends)
    g_string_append_printf (text, ", %s", order.by == KYMO_ROWS_BY_FIRST ? _("latest first")
                                                                      : _("largest first"));
  if (kymo_session_get_row_order_span (self->session, &span))
    {
      g_autofree char *from = kymo_range_time_text (span.begin_ns, span);
      g_autofree char *to = kymo_range_time_text (span.end_ns, span);

      g_string_append_printf (text, " · %s – %s", from, to);
    }
  if (kymo_session_is_sorting (self->session))
    g_string_append (text, " …");
  return g_string_free (text, FALSE);
}

/* (transfer full): with what is hidden of the blocks. */
static char *
add_least (KymoRowsBar *self, const char *words)
{
  gint64 least_ns = kymo_session_get_least_ns (self->session);
  g_autofree char *length = kymo_format_duration (least_ns);
  g_autofree char *hidden = NULL;

  if (least_ns == 0)
    return g_strdup (words);
  /* A duration, "10 µs". */
  hidden = g_strdup_printf (_("blocks shorter than %s hidden"), length);
  return g_strconcat (words, *words != '\0' ? " · " : "", hidden, NULL);
}

static void
set_state (KymoRowsBar *self, const char *action, GVariant *state)
{
  g_simple_action_set_state (
    G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), action)), state);
}

static void
fill_rows_bar (KymoRowsBar *self)
{
  KymoRowOrder order = order_of (self);
  const char *text = kymo_session_peek_row_order (self->session);
  const char *failure = kymo_session_peek_rows_failure (self->session);
  gboolean sorted = order.by != KYMO_ROWS_BY_NUMBER || order.descends;
  g_autofree char *order_words = sorted ? describe_rows_bar (self) : g_strdup ("");
  g_autofree char *words = failure != NULL ? g_strdup (failure)
                           : add_least (self, order_words);

  set_state (self, "order", g_variant_new_string (
    text == NULL ? "number" : text + order.descends));
  set_state (self, "descend", g_variant_new_boolean (order.descends));
  set_state (self, "least",
             g_variant_new_int64 (kymo_session_get_least_ns (self->session)));
  set_state (self, "line", g_variant_new_string (
    kymo_session_peek_line (self->session) != NULL ? kymo_session_peek_line (self->session) : ""));
  set_state (self, "color-by", g_variant_new_string (
    kymo_color_by_to_string (kymo_session_get_color_by (self->session))));
  set_state (self, "grouped",
             g_variant_new_boolean (kymo_session_get_grouped (self->session)));
  g_simple_action_set_enabled (
    G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), "fold")),
    kymo_session_peek_groups (self->session) != NULL);
  gtk_label_set_text (GTK_LABEL (self->words), words);
  gtk_widget_set_tooltip_text (self->words, words);
  gtk_widget_set_visible (self->again, sorted && order.by != KYMO_ROWS_BY_CLUSTER);
}

/* -- names ---------------------------------------------------------------- */

static void
append_name (GMenu *menu, const char *action, const char *key, const char *name)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);
  g_autofree char *target = g_strconcat (key, name, NULL);
  g_autofree char *label = kymo_controls_dup_label (name);

  g_menu_item_set_label (item, label);
  g_menu_item_set_action_and_target (item, action, "s", target);
  g_menu_append_item (menu, item);
}

/* What colours can stand for; a choice that tells nothing apart is left out. */
static void
fill_color_menu (KymoRowsBar *self)
{
  static const struct { KymoColorBy by; const char *label; } choices[] = {
    { KYMO_COLOR_BY_NAME, N_("By _Name") }, { KYMO_COLOR_BY_ROLE, N_("By _Role") },
    { KYMO_COLOR_BY_GROUP, N_("By _Group") },
    { KYMO_COLOR_BY_COMMUNICATOR, N_("By _Communicator") },
  };

  g_menu_remove_all (self->color_by);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      g_autofree char *action
        = g_strdup_printf ("rows.color-by::%s", kymo_color_by_to_string (choices[i].by));

      if (kymo_session_can_color_by (self->session, choices[i].by))
        g_menu_append (self->color_by, _(choices[i].label), action);
    }
}

static void
fill_names (KymoRowsBar *self)
{
  const char *const *names = kymo_session_peek_names (self->session);

  fill_color_menu (self);
  fill_rows_bar (self);
  g_menu_remove_all (self->by_time);
  g_menu_remove_all (self->by_first);
  for (guint i = 0; names != NULL && names[i] != NULL && i < MOST_NAMES; i++)
    {
      append_name (self->by_time, "rows.order", "time:", names[i]);
      append_name (self->by_first, "rows.order", "first:", names[i]);
    }
}

/* -- lines ---------------------------------------------------------------- */

/* What was sampled, with the most samples first; without any there is no menu. */
static void
on_counters (KymoTable *answer, const GError *error, gpointer data)
{
  KymoRowsBar *self = data;
  KymoTable *names = answer != NULL ? kymo_table_peek_nested (answer, "names", NULL) : NULL;
  guint n = names != NULL ? kymo_table_get_n_rows (names) : 0;

  g_menu_remove_all (self->lines);
  g_menu_append (self->lines, _("_None"), "rows.line::");
  for (guint i = 0; i < MIN (n, MOST_LINES); i++)
    append_name (self->lines, "rows.line", "", kymo_table_get_string (names, "name", i));
  gtk_widget_set_visible (self->lines_button, n > 0);
}

static void
ask_for_counters (KymoRowsBar *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);

  if (kymo_source_get_capabilities (source) & KYMO_CAN_COUNTERS)
    kymo_asker_ask (self->asker, kymo_question_new ("counters"));
}

/* -- choosing ------------------------------------------------------------- */

static gboolean
focus_chart (gpointer data)
{
  KymoRowsBar *self = data;

  if (self->chart != NULL && gtk_widget_get_mapped (self->chart))
    gtk_widget_grab_focus (self->chart);
  return G_SOURCE_REMOVE;
}

/* A menu that closes leaves the keyboard on its button, where Ctrl+C and letters do nothing.
   Once it is closed the chart gets it. */
static void
end_choice (KymoRowsBar *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, focus_chart, g_object_ref (self), g_object_unref);
}

static void
sort_rows_bar (KymoRowsBar *self, const char *word, gboolean descends, gboolean in_view)
{
  g_autofree char *text = g_strconcat (descends ? "-" : "", word, NULL);

  kymo_session_set_row_order (self->session, text, in_view);
  fill_rows_bar (self);
  end_choice (self);
}

static const char *
chosen_word (KymoRowsBar *self)
{
  const char *text = kymo_session_peek_row_order (self->session);

  return text == NULL ? "number" : text + (*text == '-');
}

static void
on_order (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRowsBar *self = data;

  sort_rows_bar (self, g_variant_get_string (state, NULL), order_of (self).descends, FALSE);
}

static void
on_descend (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRowsBar *self = data;
  KymoSpan span;

  sort_rows_bar (self, chosen_word (self), g_variant_get_boolean (state),
                 kymo_session_get_row_order_span (self->session, &span));
}

static void
on_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRowsBar *self = data;

  sort_rows_bar (self, chosen_word (self), order_of (self).descends, TRUE);
}

static void
on_grouped (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRowsBar *self = data;

  kymo_session_set_grouped (self->session, g_variant_get_boolean (state));
  fill_rows_bar (self);
  end_choice (self);
}

/* 0 = all, 1 = those in the outermost ones, …; -1 = none */
static void
on_fold (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRowsBar *self = data;
  gint level = g_variant_get_int32 (parameter);

  kymo_session_fold_from (self->session, level < 0 ? G_MAXUINT : (guint) level);
  end_choice (self);
}

static void
on_least (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRowsBar *self = data;

  kymo_session_set_least_ns (self->session, g_variant_get_int64 (state));
  end_choice (self);
}

static void
on_line (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRowsBar *self = data;
  const char *name = g_variant_get_string (state, NULL);

  kymo_session_set_line (self->session, *name != '\0' ? name : NULL);
  end_choice (self);
}

static void
on_color_by (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRowsBar *self = data;
  KymoColorBy by = KYMO_COLOR_BY_NAME;

  kymo_color_by_parse (g_variant_get_string (state, NULL), &by);
  kymo_session_set_color_by (self->session, by);
  end_choice (self);
}

static const GActionEntry entries[] = {
  { "order", NULL, "s", "'number'", on_order, { 0 } },
  { "descend", NULL, NULL, "false", on_descend, { 0 } },
  { "again", on_again, NULL, NULL, NULL, { 0 } },
  { "grouped", NULL, NULL, "false", on_grouped, { 0 } },
  { "fold", on_fold, "i", NULL, NULL, { 0 } },
  { "least", NULL, "x", "int64 0", on_least, { 0 } },
  { "line", NULL, "s", "''", on_line, { 0 } },
  { "color-by", NULL, "s", "'name'", on_color_by, { 0 } },
};

/* -- the widget ----------------------------------------------------------- */

static void
kymo_rows_bar_dispose (GObject *object)
{
  KymoRowsBar *self = KYMO_ROWS_BAR (object);

  g_clear_weak_pointer (&self->chart);
  g_clear_object (&self->actions);
  g_clear_object (&self->by_time);
  g_clear_object (&self->by_first);
  g_clear_object (&self->color_by);
  g_clear_object (&self->lines);
  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_rows_bar_parent_class)->dispose (object);
}

static void
kymo_rows_bar_class_init (KymoRowsBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_rows_bar_dispose;
}

static void
kymo_rows_bar_init (KymoRowsBar *self)
{
  gtk_widget_set_layout_manager (GTK_WIDGET (self),
                                 gtk_box_layout_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-strip");
  self->by_time = g_menu_new ();
  self->by_first = g_menu_new ();
  self->color_by = g_menu_new ();
  self->lines = g_menu_new ();
  self->actions = g_simple_action_group_new ();
}

static GMenuModel *
build_least (void)
{
  static const gint64 lengths[] = { 1000, 10000, 100000, 1000000, 10000000, 100000000 };
  GMenu *menu = g_menu_new ();

  g_menu_append (menu, _("_None"), "rows.least(int64 0)");
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *label = kymo_format_duration (lengths[i]);
      g_autofree char *action = g_strdup_printf ("rows.least(int64 %" G_GINT64_FORMAT ")",
                                                 lengths[i]);

      g_menu_append (menu, label, action);
    }
  return G_MENU_MODEL (menu);
}

static GMenuModel *
build_menu (KymoRowsBar *self)
{
  static const struct { const char *label, *target; } orders[] = {
    { N_("By _Number"), "number" }, { N_("By _Busy Time"), "busy" },
    { N_("By _Idle Time"), "idle" }, { N_("By _Overhead"), "overhead" },
    { N_("By _Similarity"), "similarity" }, { N_("By _Cluster"), "cluster" },
  };
  GMenu *menu = g_menu_new (), *section = g_menu_new (), *way = g_menu_new ();
  GMenu *groups = g_menu_new (), *filter = g_menu_new ();
  g_autoptr (GMenuModel) least = build_least ();

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree char *action = g_strdup_printf ("rows.order::%s", orders[i].target);

      g_menu_append (section, i == 1 && runs_functions (self) ? _("By _Useful Time")
                     : _(orders[i].label), action);
    }
  g_menu_append_submenu (section, _("By the _Time of"), G_MENU_MODEL (self->by_time));
  g_menu_append_submenu (section, _("By the _First Run of"), G_MENU_MODEL (self->by_first));
  g_menu_append (way, _("_Largest First"), "rows.descend");
  g_menu_append (way, _("Sort _Again by the Visible Range"), "rows.again");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (way));
  g_menu_append (groups, _("By No_de and Process"), "rows.grouped");
  g_menu_append (groups, _("_Fold All"), "rows.fold(0)");
  g_menu_append (groups, _("Fold All but the _Outermost"), "rows.fold(1)");
  g_menu_append (groups, _("_Unfold All"), "rows.fold(-1)");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (groups));
  g_menu_append_submenu (filter, _("_Hide Blocks Shorter Than"), least);
  g_menu_append_submenu (filter, _("Co_lours"), G_MENU_MODEL (self->color_by));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (filter));
  g_object_unref (section);
  g_object_unref (way);
  g_object_unref (groups);
  g_object_unref (filter);
  return G_MENU_MODEL (menu);
}

static GtkWidget *
build_button (KymoRowsBar *self)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenuModel) menu = build_menu (self);

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _("Rows"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  kymo_controls_name (button, kymo_in_terms_of (self->session,
                                                _("In which order {rows} are shown")));
  return button;
}

static GtkWidget *
build_lines (KymoRowsBar *self)
{
  GtkWidget *button = self->lines_button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _("Lines"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (self->lines));
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_widget_set_visible (button, FALSE);
  kymo_controls_name (button, kymo_in_terms_of (self->session,
                                                _("The counter that is shown under {rows}")));
  return button;
}

/**
 * kymo_rows_bar_new:
 * @timeline: the widget in which the actions work
 * @chart: what gets the keyboard after a choice
 */
GtkWidget *
kymo_rows_bar_new (KymoSession *session, GtkWidget *timeline, GtkWidget *chart)
{
  KymoRowsBar *self = g_object_new (KYMO_TYPE_ROWS_BAR, NULL);

  self->session = g_object_ref (session);
  g_set_weak_pointer (&self->chart, chart);
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries,
                                   G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (timeline, "rows", G_ACTION_GROUP (self->actions));
  gtk_box_append (GTK_BOX (self), build_button (self));
  gtk_box_append (GTK_BOX (self), build_lines (self));
  gtk_box_append (GTK_BOX (self), kymo_metrics_menu_new (session));
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_counters, self);
  self->words = kymo_label_new (NULL, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (self->words), PANGO_ELLIPSIZE_MIDDLE);
  gtk_box_append (GTK_BOX (self), self->words);
  self->again = gtk_button_new_from_icon_name ("view-refresh-symbolic");
  gtk_button_set_has_frame (GTK_BUTTON (self->again), FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->again), "rows.again");
  kymo_controls_name (self->again, _("Sort again by the visible range"));
  gtk_box_append (GTK_BOX (self), self->again);
  kymo_follow (session, "rows-changed", fill_rows_bar, self);
  kymo_follow (session, "notify::by-class", fill_rows_bar, self);
  kymo_follow (session, "colors-changed", fill_names, self);
  kymo_follow (session, "grown", ask_for_counters, self);
  fill_names (self);
  ask_for_counters (self);
  return GTK_WIDGET (self);
}
