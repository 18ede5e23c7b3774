/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is where in the view of a comparison: runs at the top, then what is to be
 * seen of them, below it the table.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-compare-view-private.h"
#include "kymo-controls.h"
#include "kymo-label.h"
#include "kymo-ruler.h"
#include "kymo-scrolled-canvas.h"
#include "kymo-session-profile.h"
#include "kymo-text-zoom.h"

/* Of the height, but no more than a screenful of lines. */
#define TABLE_SHARE 0.42
#define MOST_LINES 24
#define LINE_PX 17
#define ABOVE_LINES_PX 84
/* Longer lines are hard to read. */
#define HEADLINE_CHARS 150
/* Pictures that would be this wide, and have that height one below the other, begin so. */
#define BROAD_PX 1200
#define HIGH_PX 300

static const struct { const char *id, *title, *tooltip; } pages[] = {
  { "runs", N_("Side by Side"), N_("The same picture of every run (Ctrl+1)") },
  { "time", N_("Over Time"), N_("The difference of the time profiles (Ctrl+2)") },
  { "changes", N_("What Changed"), N_("What grew and what shrank, as bars (Ctrl+3)") },
  { "surroundings", N_("Surroundings"), N_("What is known about each run (Ctrl+4)") },
  { "series", N_("Series"), N_("All runs in their order, and how much faster each is "
                               "(Ctrl+5)") },
};

static const struct { const char *id, *title; gboolean of_time; } pictures[] = {
  { "timeline", N_("Timeline"), TRUE },
  { "time-profile", N_("Time Profile"), TRUE },
  { "usage", N_("Usage"), TRUE },
  { "histogram", N_("Histogram"), TRUE },
  { "thread-bars", N_("By Row"), FALSE },
};

/* -- states --------------------------------------------------------------- */

/** kymo_compare_view_set_state: of an action of the view */
void
kymo_compare_view_set_state (KymoCompareView *self, const char *action, GVariant *state)
{
  GAction *found = g_action_map_lookup_action (G_ACTION_MAP (self->actions), action);

  g_simple_action_set_state (G_SIMPLE_ACTION (found), state);
}

static void
set_page (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoCompareView *self = data;
  const char *page = g_variant_get_string (state, NULL);

  if (gtk_stack_get_child_by_name (GTK_STACK (self->stack), page) == NULL)
    return;
  g_simple_action_set_state (action, state);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), page);
  gtk_widget_set_visible (self->of_runs, g_str_equal (page, "runs"));
  if (g_str_equal (page, "surroundings"))
    kymo_compare_view_ask_info (self);
  kymo_compare_view_show_headline (self);
  kymo_compare_view_review_list (self);
}

static gboolean
is_picture (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    if (g_str_equal (pictures[i].id, id))
      return TRUE;
  return FALSE;
}

static void
set_picture (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoCompareView *self = data;

  if (!is_picture (g_variant_get_string (state, NULL)))
    return;
  g_simple_action_set_state (action, state);
  kymo_compare_pictures_set_plot (self->pictures, g_variant_get_string (state, NULL));
  kymo_compare_view_review_list (self);
}

static void
set_stacked (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoCompareView *self = data;

  self->arranged = TRUE;
  g_simple_action_set_state (action, state);
  kymo_compare_pictures_set_stacked (self->pictures, g_variant_get_boolean (state));
}

/* The pictures of the differences bin each run on its own scale then. */
static void
set_shared (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoCompareView *self = data;
  gboolean shared = g_variant_get_boolean (state);

  g_simple_action_set_state (action, state);
  kymo_session_coupling_set_shared (self->coupling, shared);
  kymo_compare_view_set_keyword (self->over_time, "scale", shared ? NULL : "own");
  kymo_compare_view_show_offsets (self);
  kymo_compare_view_ask (self);
}

static void
set_against (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoCompareView *self = data;
  g_autofree char *side = NULL;

  g_simple_action_set_state (action, state);
  self->against = g_variant_get_uint32 (state);
  side = g_strdup_printf ("%u", self->against);
  kymo_compare_view_set_keyword (self->over_time, "against", side);
  kymo_compare_view_set_keyword (self->changes, "against", side);
  kymo_compare_view_ask (self);
}

static void
set_per_pe (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoCompareView *self = data;

  g_simple_action_set_state (action, state);
  self->per_pe = g_variant_get_boolean (state);
  kymo_compare_view_set_keyword (self->changes, "figure", self->per_pe ? "per-pe" : NULL);
  kymo_compare_view_set_keyword (self->series, "figure", self->per_pe ? "per-pe" : NULL);
  kymo_compare_view_ask (self);
}

static const GActionEntry states[] = {
  { "page", NULL, "s", "'runs'", set_page, { 0 } },
  { "picture", NULL, "s", "'timeline'", set_picture, { 0 } },
  { "stacked", NULL, NULL, "false", set_stacked, { 0 } },
  { "shared", NULL, NULL, "true", set_shared, { 0 } },
  { "against", NULL, "u", "uint32 1", set_against, { 0 } },
  { "per-pe", NULL, NULL, "false", set_per_pe, { 0 } },
};

/** kymo_compare_view_set_page: an unknown one is ignored */
void
kymo_compare_view_set_page (KymoCompareView *self, const char *page)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "page",
                                      g_variant_new_string (page));
}

/* -- controls ------------------------------------------------------------- */

/* Two sides are no series. */
static guint
n_pages (KymoCompareView *self)
{
  return G_N_ELEMENTS (pages) - (kymo_comparison_get_n_sides (self->comparison) < 3);
}

static GtkWidget *
build_pages (KymoCompareView *self)
{
  guint n = n_pages (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (_(pages[i].title));

      gtk_widget_set_tooltip_text (button, _(pages[i].tooltip));
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", pages[i].id);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "compare.page");
      gtk_box_append (GTK_BOX (box), button);
    }
  return box;
}

static void
on_picture (GtkDropDown *drop, GParamSpec *pspec, KymoCompareView *self)
{
  GStrv ids = g_object_get_data (G_OBJECT (drop), "ids");
  guint which = gtk_drop_down_get_selected (drop);

  if (which < g_strv_length (ids))
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "picture",
                                        g_variant_new_string (ids[which]));
}

/* The state of the action, also if code changed it. */
static void
on_picture_state (KymoCompareView *self, const char *name, GVariant *state,
                  GActionGroup *group)
{
  GtkWidget *drop = g_object_get_data (G_OBJECT (self->of_runs), "picture");
  GStrv ids = g_object_get_data (G_OBJECT (drop), "ids");

  for (guint i = 0; ids[i] != NULL; i++)
    if (g_str_equal (ids[i], g_variant_get_string (state, NULL)))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), i);
}

/* Pictures of time where any run has it, of rows where any has metrics alone. */
static gboolean
some_run_has_time (KymoCompareView *self, gboolean time)
{
  for (guint i = 1; i < kymo_session_coupling_get_n (self->coupling); i++)
    if (kymo_session_has_time (kymo_session_coupling_peek (self->coupling, i)) == time)
      return TRUE;
  return FALSE;
}

static GtkWidget *
build_picture_choice (KymoCompareView *self)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new (), titles = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  GStrv found;
  GtkWidget *drop;

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    if (some_run_has_time (self, pictures[i].of_time))
      {
        g_strv_builder_add (ids, pictures[i].id);
        g_strv_builder_add (titles, _(pictures[i].title));
      }
  words = g_strv_builder_end (titles);
  found = g_strv_builder_end (ids);
  drop = gtk_drop_down_new_from_strings ((const char *const *) words);
  g_object_set_data_full (G_OBJECT (drop), "ids", found, (GDestroyNotify) g_strfreev);
  kymo_controls_name (drop, _("Which picture of every run"));
  g_signal_connect_object (drop, "notify::selected", G_CALLBACK (on_picture), self, 0);
  return drop;
}

static GtkWidget *
check_compare_view_build (const char *label, const char *words, const char *action)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (label);

  kymo_controls_speak (button, label);
  gtk_widget_set_tooltip_text (button, words);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static GtkWidget *
build_of_runs (KymoCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *picture = build_picture_choice (self);

  gtk_box_append (GTK_BOX (box), picture);
  gtk_box_append (GTK_BOX (box), check_compare_view_build (
    _("S_tacked"), _("Pictures one below the other"), "compare.stacked"));
  g_object_set_data (G_OBJECT (box), "picture", picture);
  return box;
}

static void
on_against (GtkDropDown *drop, GParamSpec *pspec, KymoCompareView *self)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "against",
                                      g_variant_new_uint32 (
                                        gtk_drop_down_get_selected (drop) + 1));
}

static void
on_against_state (KymoCompareView *self, const char *name, GVariant *state,
                  GActionGroup *group)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->against_choice),
                              g_variant_get_uint32 (state) - 1);
}

static GtkWidget *
build_against (KymoCompareView *self)
{
  guint n = kymo_comparison_get_n_sides (self->comparison);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  GtkWidget *drop;

  for (guint side = 1; side < n; side++)
    for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
      if (kymo_comparison_get_side (self->comparison, i) == side)
        {
          g_autofree char *label = kymo_comparison_dup_label (self->comparison, i);
          g_autofree char *text = g_strdup_printf (_("%s against A"), label);

          g_strv_builder_add (builder, text);
          break;
        }
  words = g_strv_builder_end (builder);
  drop = gtk_drop_down_new_from_strings ((const char *const *) words);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), n - 2);
  kymo_controls_name (drop, _("Which run is compared with A"));
  gtk_widget_set_visible (drop, n > 2);
  g_signal_connect_object (drop, "notify::selected", G_CALLBACK (on_against), self, 0);
  return drop;
}

static GtkWidget *
build_controls (KymoCompareView *self)
{
  GtkWidget *box = kymo_controls_new ();

  gtk_widget_add_css_class (box, "kymo-strip");
  gtk_box_append (GTK_BOX (box), build_pages (self));
  self->of_runs = build_of_runs (self);
  gtk_box_append (GTK_BOX (box), self->of_runs);
  self->align = kymo_compare_view_build_align (self);
  gtk_box_append (GTK_BOX (box), self->align);
  gtk_box_append (GTK_BOX (box), check_compare_view_build (
    _("_One time scale"), _("Stretches of the same length, or of each run the same part"),
    "compare.shared"));
  self->against_choice = build_against (self);
  gtk_box_append (GTK_BOX (box), self->against_choice);
  self->per_pe_check = check_compare_view_build (
    _("Per _PE"), _("Runs on other numbers of PEs: time of one PE each"), "compare.per-pe");
  gtk_widget_set_visible (self->per_pe_check, FALSE);
  gtk_box_append (GTK_BOX (box), self->per_pe_check);
  return box;
}

/* -- pages ---------------------------------------------------------------- */

/* Where the build lacks the picture, words in its place. */
static GtkWidget *
build_picture (KymoCompareView *self, const char *id, KymoCanvas **canvas)
{
  const KymoPlotClass *klass = kymo_plot_find (id);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  if (klass == NULL)
    {
      gtk_box_append (GTK_BOX (box),
                      gtk_label_new (_("This picture is not part of this build")));
      return box;
    }
  *canvas = KYMO_CANVAS (kymo_canvas_new (klass, self->session));
  kymo_follow (*canvas, "command", kymo_compare_view_command, self);
  if (klass->time_axis)
    gtk_box_append (GTK_BOX (box), kymo_ruler_new (self->session, NULL));
  gtk_widget_set_vexpand (GTK_WIDGET (*canvas), TRUE);
  gtk_box_append (GTK_BOX (box), kymo_scrolled_canvas_new (*canvas));
  return box;
}

static GtkWidget *
build_surroundings (KymoCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = kymo_controls_new ();

  gtk_widget_add_css_class (bar, "kymo-strip");
  self->all_facts = gtk_check_button_new_with_mnemonic (_("Only what _differs"));
  kymo_controls_speak (self->all_facts, _("Only what _differs"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->all_facts), TRUE);
  kymo_follow (self->all_facts, "toggled", kymo_compare_view_show_info, self);
  gtk_box_append (GTK_BOX (bar), self->all_facts);
  self->same_facts = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->same_facts, "dim-label");
  gtk_box_append (GTK_BOX (bar), self->same_facts);
  self->facts = KYMO_COMPARE_TABLE (kymo_compare_table_new (
    self->session, _("What is known about each run")));
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->facts));
  return box;
}

static void
on_find (KymoCompareView *self, guint run, const char *direction)
{
  g_autofree char *command = g_strconcat ("find-", direction, NULL);

  kymo_compare_view_command (self, command);
}

static GtkWidget *
build_runs (KymoCompareView *self)
{
  self->pictures = KYMO_COMPARE_PICTURES (kymo_compare_pictures_new (self->coupling));
  kymo_follow (self->pictures, "shifted", kymo_compare_view_shift, self);
  kymo_follow (self->pictures, "find", on_find, self);
  kymo_follow (self->pictures, "command", kymo_compare_view_command, self);
  return GTK_WIDGET (self->pictures);
}

static void
on_copied (KymoCompareView *self)
{
  kymo_compare_view_say (self, _("Figures copied"));
}

static GtkWidget *
build_table (KymoCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->headline = kymo_label_new_wrapped (NULL, "kymo-headline");
  gtk_label_set_lines (GTK_LABEL (self->headline), 2);
  gtk_label_set_ellipsize (GTK_LABEL (self->headline), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (self->headline), HEADLINE_CHARS);
  gtk_widget_set_halign (self->headline, GTK_ALIGN_START);
  gtk_label_set_selectable (GTK_LABEL (self->headline), TRUE);
  self->table = KYMO_COMPARE_TABLE (kymo_compare_table_new (
    self->session, _("What grew and what shrank")));
  kymo_follow (self->table, "copied", on_copied, self);
  gtk_box_append (GTK_BOX (box), self->headline);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->table));
  return box;
}

/* On a large screen rows as long as it is wide show more than rows half as long. */
static void
arrange_pictures (KymoCompareView *self, int width, int height)
{
  int n = kymo_comparison_get_n_runs (self->comparison);

  if (!self->arranged && kymo_session_has_time (self->session) && width / n >= BROAD_PX
      && height / n >= HIGH_PX)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "stacked",
                                        g_variant_new_boolean (TRUE));
}

/** kymo_compare_view_place_handle: the table has what it needs, or a share of the height */
void
kymo_compare_view_place_handle (KymoCompareView *self)
{
  int height = gtk_widget_get_height (self->paned);
  KymoTable *list = self->answer != NULL
                    ? kymo_table_peek_nested (self->answer, "activities", NULL) : NULL;
  int n = list != NULL ? MIN (kymo_table_get_n_rows (list), MOST_LINES) : MOST_LINES;
  int table = MIN (height * TABLE_SHARE, kymo_text_px (ABOVE_LINES_PX + n * LINE_PX));

  if (height < 100)
    return;
  gtk_paned_set_position (GTK_PANED (self->paned), height - table);
  arrange_pictures (self, gtk_widget_get_width (self->paned), height - table);
}

/* Once, with the first height there is, and with the first answer; after that the person
   moves the handle. */
static gboolean
on_first_height (GtkWidget *paned, GdkFrameClock *clock, gpointer data)
{
  if (gtk_widget_get_height (paned) < 100)
    return G_SOURCE_CONTINUE;
  kymo_compare_view_place_handle (data);
  return G_SOURCE_REMOVE;
}

static GtkWidget *
build_middle (KymoCompareView *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), build_runs (self), pages[0].id);
  gtk_stack_add_named (GTK_STACK (self->stack), build_picture (
    self, "compare-time-profile", &self->over_time), pages[1].id);
  if (self->over_time != NULL)
    kymo_follow (self->over_time, "answer-changed", kymo_compare_view_show_headline, self);
  gtk_stack_add_named (GTK_STACK (self->stack), build_picture (
    self, "compare-activities", &self->changes), pages[2].id);
  gtk_stack_add_named (GTK_STACK (self->stack), build_surroundings (self), pages[3].id);
  if (n_pages (self) > 4)
    gtk_stack_add_named (GTK_STACK (self->stack), build_picture (
      self, "compare-series", &self->series), pages[4].id);
  gtk_paned_set_start_child (GTK_PANED (paned), self->stack);
  gtk_paned_set_end_child (GTK_PANED (paned), build_table (self));
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_widget_add_css_class (paned, "kymo-desk");
  gtk_widget_add_tick_callback (paned, on_first_height, self, NULL);
  self->paned = paned;
  return paned;
}

/* -- keys ----------------------------------------------------------------- */

/* Where pictures and table have no use for it: nothing is chosen any more. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        KymoCompareView *self)
{
  if (gdk_keyval_to_lower (key) == GDK_KEY_f
      && kymo_accessible_takes_letter (GTK_WIDGET (self), state))
    {
      kymo_session_fit (self->session);
      return GDK_EVENT_STOP;
    }
  state &= GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK;
  if (state == GDK_CONTROL_MASK && key >= GDK_KEY_1
      && key < GDK_KEY_1 + G_N_ELEMENTS (pages))
    kymo_compare_view_set_page (self, pages[key - GDK_KEY_1].id);
  else if (state == 0 && key == GDK_KEY_Escape
           && kymo_session_peek_function (self->session) != NULL)
    kymo_session_set_function (self->session, NULL);
  else if (state == 0 && key == GDK_KEY_x)
    g_signal_emit_by_name (self, "arrange", "swap", 0, self->against);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

/**
 * kymo_compare_view_build:
 *
 * Builds the widgets, the actions "compare.*" and the keys of the view. To be called once, when
 * comparison, coupling and session are set.
 */
void
kymo_compare_view_build (KymoCompareView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), states,
                                   G_N_ELEMENTS (states), self);
  kymo_compare_view_set_state (self, "against", g_variant_new_uint32 (self->against));
  kymo_compare_view_add_run_actions (self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "compare",
                                  G_ACTION_GROUP (self->actions));
  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class (self->bar, "kymo-controls");
  gtk_widget_add_css_class (self->bar, "kymo-strip");
  self->status = KYMO_STATUS_BAR (kymo_status_bar_new (self->session));
  gtk_box_append (GTK_BOX (self), self->bar);
  gtk_box_append (GTK_BOX (self), kymo_compare_view_build_causes (self));
  gtk_box_append (GTK_BOX (self), build_controls (self));
  gtk_box_append (GTK_BOX (self), build_middle (self));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->status));
  kymo_follow (self->actions, "action-state-changed::picture", on_picture_state, self);
  kymo_follow (self->actions, "action-state-changed::against", on_against_state, self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
