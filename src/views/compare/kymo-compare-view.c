/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One question "compare" about the visible range fills the table and tells whether
 * figures per PE make sense; the pictures ask for themselves.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-compare-view-private.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-name.h"
#include "kymo-session-profile.h"
#include "kymo-text-zoom.h"

/* Room for names in the table, and of the window from which on there is more of it. */
#define LEAST_NAME_PX 130
#define MOST_NAME_PX 220
#define SWATCH_PX 40
#define WIDE_PX 1500
/* Names come with the largest effect first. */
#define MOST_MEASURED 200

G_DEFINE_FINAL_TYPE (KymoCompareView, kymo_compare_view, GTK_TYPE_BOX)

/** kymo_compare_view_say: a sentence that passes */
void
kymo_compare_view_say (KymoCompareView *self, const char *message)
{
  g_signal_emit_by_name (self, "message", message);
}

/* -- what is asked -------------------------------------------------------- */

static gboolean
shows_all (KymoCompareView *self)
{
  KymoSpan full = kymo_session_get_full_range (self->session);
  KymoSpan range = kymo_session_get_range (self->session);

  return full.begin_ns == range.begin_ns && full.end_ns == range.end_ns;
}

typedef void (*SetKeyword) (gpointer to, const char *key, const char *value);

static gboolean
has_stretches (KymoCompareView *self)
{
  return kymo_span_length (kymo_session_get_stretch (self->session)) > 0;
}

/** kymo_compare_view_has_own_ranges: whether runs are asked about ranges of their own */
gboolean
kymo_compare_view_has_own_ranges (KymoCompareView *self)
{
  return has_stretches (self) || (!kymo_session_coupling_get_shared (self->coupling)
                                  && !shows_all (self));
}

/**
 * kymo_compare_view_get_own_range:
 * @run: from 0
 *
 * Returns: what is visible of the run, without what lies outside its stretch
 */
KymoSpan
kymo_compare_view_get_own_range (KymoCompareView *self, guint run)
{
  KymoSession *session = kymo_session_coupling_peek (self->coupling, run + 1);
  KymoSpan range = kymo_session_get_range (session);
  KymoSpan part = kymo_span_intersect (range, kymo_session_get_stretch (session));

  return kymo_span_length (part) > 0 ? part : range;
}

/* Each run is asked about what is visible of it. */
static void
set_ranges (KymoCompareView *self, SetKeyword set, gpointer to)
{
  gboolean own = kymo_compare_view_has_own_ranges (self);

  for (guint i = 1; i < kymo_session_coupling_get_n (self->coupling); i++)
    {
      KymoSpan range = kymo_compare_view_get_own_range (self, i - 1);
      g_autofree char *begin = g_strdup_printf ("begin-%u", i - 1);
      g_autofree char *end = g_strdup_printf ("end-%u", i - 1);
      g_autofree char *begin_ns = g_strdup_printf ("%" G_GINT64_FORMAT, range.begin_ns);
      g_autofree char *end_ns = g_strdup_printf ("%" G_GINT64_FORMAT, range.end_ns);

      set (to, begin, own ? begin_ns : NULL);
      set (to, end, own ? end_ns : NULL);
    }
}

static void
set_of_question (gpointer question, const char *key, const char *value)
{
  if (value != NULL)
    kymo_question_set (question, key, value);
}

/** kymo_compare_view_set_keyword: @canvas: (nullable): that is asked anew where it
 * is another value */
void
kymo_compare_view_set_keyword (gpointer canvas, const char *key, const char *value)
{
  if (canvas != NULL && g_strcmp0 (g_hash_table_lookup (kymo_canvas_peek_parameters (canvas),
                                                        key), value) != 0)
    kymo_canvas_set_parameter (canvas, key, value);
}

/**
 * kymo_compare_view_new_question:
 * @view: a #KymoCompareView
 *
 * Returns: (transfer full): what is compared now
 */
KymoQuestion *
kymo_compare_view_new_question (gpointer view)
{
  KymoCompareView *self = view;
  KymoQuestion *question = kymo_question_new ("compare");

  /* Not before all runs show what the first one to change does. */
  set_ranges (self, kymo_compare_view_set_keyword, self->over_time);
  set_ranges (self, kymo_compare_view_set_keyword, self->changes);
  set_ranges (self, kymo_compare_view_set_keyword, self->series);
  if (kymo_session_has_time (self->session) && (!shows_all (self) || has_stretches (self)))
    kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_session_prepare (self->session, question);
  kymo_question_set_int (question, "against", self->against);
  if (self->per_pe)
    kymo_question_set (question, "figure", "per-pe");
  set_ranges (self, set_of_question, question);
  return question;
}

/** kymo_compare_view_ask: a little later, once however many things change */
void
kymo_compare_view_ask (KymoCompareView *self)
{
  kymo_view_asker_queue (self->asker);
}

static void
on_queued (gpointer view)
{
  kymo_status_bar_set_busy (KYMO_COMPARE_VIEW (view)->status, TRUE);
}

/** kymo_compare_view_ask_info: of the surroundings, once */
void
kymo_compare_view_ask_info (KymoCompareView *self)
{
  if (self->info == NULL && !kymo_asker_is_busy (self->info_asker))
    kymo_asker_ask (self->info_asker, kymo_question_new ("compare-info"));
}

/* -- the table ------------------------------------------------------------ */

static void
add_column (GArray *columns, const char *key, guint element, const char *title,
            KymoCompareKind kind, int width_px)
{
  KymoCompareColumn column = { key, element, g_intern_string (title), kind, width_px };

  g_array_append_val (columns, column);
}

static void
add_of_side (KymoCompareView *self, GArray *columns, const char *key,
             const char *format, guint side, KymoCompareKind kind, int width_px)
{
  KymoTable *sides = kymo_table_peek_nested (self->answer, "sides", NULL);
  g_autofree char *title = g_strdup_printf (format, kymo_table_get_string (sides, "label",
                                                                           side));

  add_column (columns, key, side, title, kind, width_px);
}

/* Of two sides all there is; of more, the time of each, and how it goes on. */
static void
add_figures (KymoCompareView *self, GArray *columns, gboolean per_pe)
{
  guint n = kymo_comparison_get_n_sides (self->comparison);
  const guint two[] = { 0, self->against };
  const char *exclusive = per_pe ? "per_pe_ns" : "exclusive_ns";

  for (guint i = 0; i < n; i++)
    if (n > 2 || i == two[0] || i == two[1])
      /* Translators: time of entry methods on side A */
      add_of_side (self, columns, exclusive, per_pe ? _("Per PE %s") : _("Time %s"), i,
                   KYMO_COMPARE_FIGURE, 82);
  for (guint i = 0; i < G_N_ELEMENTS (two); i++)
    add_of_side (self, columns, "calls", _("Calls %s"), two[i], KYMO_COMPARE_COUNT, 74);
  for (guint i = 0; i < G_N_ELEMENTS (two); i++)
    add_of_side (self, columns, "mean_ns", _("Mean %s"), two[i], KYMO_COMPARE_FIGURE, 76);
}

/* Without repeats, and where nothing is new or gone, there are none. */
static gboolean
has_words (const KymoTable *list)
{
  const KymoCompareColumn column = { "present", 0, "", KYMO_COMPARE_WORDS, 0 };

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      g_autofree char *words = kymo_compare_text (list, &column, i, NULL);

      if (*words != '\0')
        return TRUE;
    }
  return FALSE;
}

/* As wide as the longest name, within reason: figures stand beside it. */
static int
name_px (KymoCompareView *self, const KymoTable *list)
{
  gboolean wide = gtk_widget_get_width (GTK_WIDGET (self)) > kymo_text_px (WIDE_PX);
  g_autoptr (PangoLayout) layout
    = gtk_widget_create_pango_layout (GTK_WIDGET (self->table), NULL);
  int longest = 0;

  for (guint i = 0; list != NULL && i < MIN (kymo_table_get_n_rows (list), MOST_MEASURED); i++)
    {
      g_autofree char *name = kymo_name_shown (kymo_shown_name (kymo_table_get_string (list, "name",
                                                                               i)));
      int width;

      pango_layout_set_text (layout, name != NULL ? name : "", -1);
      pango_layout_get_pixel_size (layout, &width, NULL);
      longest = MAX (longest, width);
    }
  return CLAMP (longest * 100 / MAX (kymo_text_px (100), 1) + SWATCH_PX, LEAST_NAME_PX,
                wide ? 2 * MOST_NAME_PX : MOST_NAME_PX);
}

static void
set_columns (KymoCompareView *self, const KymoTable *list)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (KymoCompareColumn));
  gboolean per_pe = kymo_table_get_bool (self->answer, "per_pe", 0);

  add_column (columns, "name", 0, kymo_in_terms_of (self->session, _("{Code}")),
              KYMO_COMPARE_NAME, name_px (self, list));
  add_column (columns, "effect", 0, _("Effect"), KYMO_COMPARE_EFFECT, 142);
  add_column (columns, per_pe ? "difference_per_pe_ns" : "difference_ns", 0,
              _("Difference"), KYMO_COMPARE_CHANGE, 88);
  add_column (columns, per_pe ? "ratio_per_pe" : "ratio", 0, _("Ratio"),
              KYMO_COMPARE_RATIO, 58);
  add_figures (self, columns, per_pe);
  if (has_words (list))
    add_column (columns, "present", 0, _("In words"), KYMO_COMPARE_WORDS, 150);
  kymo_compare_table_set_columns (self->table, (KymoCompareColumn *) columns->data,
                                  columns->len);
}

static void
show_table (KymoCompareView *self)
{
  KymoTable *list = kymo_table_peek_nested (self->answer, "activities", NULL);

  set_columns (self, list);
  kymo_compare_table_set (self->table, list, NULL, 0);
}

/** kymo_compare_view_show_headline: of what changed; with the difference over time what
 * that tells */
void
kymo_compare_view_show_headline (KymoCompareView *self)
{
  gboolean over_time = g_strcmp0 (kymo_compare_view_get_page (self), "time") == 0
                       && self->over_time != NULL;
  KymoTable *answer = over_time ? kymo_canvas_peek_answer (self->over_time) : self->answer;
  KymoTable *list = answer != NULL ? kymo_table_peek_nested (answer, "sentences", NULL)
                                   : NULL;
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    g_string_append_printf (words, "%s%s", i > 0 ? " " : "", kymo_table_get_string (
      list, kymo_table_get_column_name (list, 0), i));
  kymo_label_set (self->headline, words->str);
  /* Where not all of it has room. */
  kymo_label_set_tip (self->headline, words->str);
}

/* Names of all runs, those with most time in any of them first. */
static void
give_names (KymoCompareView *self, const KymoTable *answer)
{
  g_autoptr (KymoTable) most = kymo_colors_profile_of_sides (answer);
  g_auto (GStrv) names = kymo_colors_names_by_time (most);
  g_autoptr (GHashTable) families = kymo_colors_families (most);

  kymo_session_coupling_set_names (self->coupling, (const char *const *) names, families);
}

static void
on_names (KymoTable *answer, const GError *error, gpointer data)
{
  if (answer != NULL)
    give_names (data, answer);
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCompareView *self = data;
  gboolean first = self->answer == NULL;

  kymo_status_bar_set_busy (self->status, FALSE);
  if (answer == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->headline), error->message);
      return;
    }
  g_clear_pointer (&self->answer, kymo_table_unref);
  self->answer = kymo_table_ref (answer);
  /* Colours and stacks stay what they are while one zooms: they are those of whole runs. */
  if (first)
    {
      if (has_stretches (self))
        kymo_asker_ask (self->names_asker, kymo_question_new ("compare"));
      else
        give_names (self, answer);
      kymo_compare_view_place_handle (self);
    }
  gtk_widget_set_visible (self->per_pe_check,
                          kymo_table_get_bool (answer, "pes_differ", 0));
  show_table (self);
  kymo_compare_view_show_headline (self);
  kymo_compare_view_ask_causes (self);
}

/* -- the surroundings ----------------------------------------------------- */

static void
set_fact_columns (KymoCompareView *self)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (KymoCompareColumn));
  guint n = kymo_comparison_get_n_runs (self->comparison);

  add_column (columns, "section", 0, _("About"), KYMO_COMPARE_TEXT, 130);
  add_column (columns, "key", 0, _("What"), KYMO_COMPARE_TEXT, n > 3 ? 180 : 220);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = kymo_comparison_dup_label (self->comparison, i);

      add_column (columns, "values", i, label, KYMO_COMPARE_TEXT, n > 3 ? 220 : 0);
    }
  kymo_compare_table_set_columns (self->facts, (KymoCompareColumn *) columns->data,
                                  columns->len);
}

static guint
count_differing (const KymoTable *facts)
{
  guint n = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (facts); i++)
    n += kymo_table_get_bool (facts, "differs", i) != FALSE;
  return n;
}

/* What is folded away is counted. */
static void
show_same (KymoCompareView *self, guint n)
{
  g_autofree char *words = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%u fact is the same in all runs",
                 "%u facts are the same in all runs", n), n);

  gtk_label_set_text (GTK_LABEL (self->same_facts), self->info != NULL ? words : "");
}

/** kymo_compare_view_show_info: all that is known, or what differs alone */
void
kymo_compare_view_show_info (KymoCompareView *self)
{
  gboolean differing = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->all_facts));
  KymoTable *facts = self->info != NULL
                     ? kymo_table_peek_nested (self->info, "facts", NULL) : NULL;
  /* With room for one, for a table takes no rows at all for all of them. */
  g_autoptr (GArray) rows = g_array_sized_new (FALSE, FALSE, sizeof (guint), 1);

  for (guint i = 0; facts != NULL && i < kymo_table_get_n_rows (facts); i++)
    if (!differing || kymo_table_get_bool (facts, "differs", i))
      g_array_append_val (rows, i);
  show_same (self, facts != NULL ? kymo_table_get_n_rows (facts) - count_differing (facts) : 0);
  set_fact_columns (self);
  kymo_compare_table_set (self->facts, facts, (const guint *) (gpointer) rows->data,
                          rows->len);
}

static void
on_info (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCompareView *self = data;

  if (answer == NULL)
    {
      kymo_compare_view_say (self, error->message);
      return;
    }
  g_clear_pointer (&self->info, kymo_table_unref);
  self->info = kymo_table_ref (answer);
  kymo_compare_view_show_info (self);
}

/* -- what is chosen ------------------------------------------------------- */

/* Pictures lift what is under the pointer; where nothing is, what is chosen. */
static void
lift_chosen (KymoCompareView *self)
{
  if (kymo_session_peek_hovered (self->session) == NULL)
    kymo_session_set_hovered (self->session,
                              kymo_session_peek_function (self->session));
}

static void
on_function (KymoCompareView *self)
{
  kymo_session_set_hovered (self->session, kymo_session_peek_function (self->session));
}

/* -- for the page --------------------------------------------------------- */

/** kymo_compare_view_peek_session: of what the runs have in common */
KymoSession *
kymo_compare_view_peek_session (KymoCompareView *self)
{
  return self->session;
}

/** kymo_compare_view_peek_coupling: session 0 is that, run i is i + 1 */
KymoSessionCoupling *
kymo_compare_view_peek_coupling (KymoCompareView *self)
{
  return self->coupling;
}

static gboolean
is_quiet (KymoCanvas *canvas)
{
  return canvas == NULL || !gtk_widget_get_mapped (GTK_WIDGET (canvas))
         || kymo_canvas_is_settled (canvas);
}

/** kymo_compare_view_is_settled: all that is visible shows its last answer */
gboolean
kymo_compare_view_is_settled (KymoCompareView *self)
{
  gboolean quiet = kymo_view_asker_is_settled (self->asker)
                   && !kymo_asker_is_busy (self->info_asker)
                   && !kymo_asker_is_busy (self->changes_asker)
                   && !kymo_asker_is_busy (self->names_asker) && self->aligning == NULL;

  for (guint i = 0; i < kymo_compare_pictures_get_n (self->pictures); i++)
    quiet &= is_quiet (kymo_compare_pictures_peek (self->pictures, i));
  return quiet && is_quiet (self->over_time) && is_quiet (self->changes)
         && is_quiet (self->series);
}

/**
 * kymo_compare_view_get_page:
 *
 * Returns: (transfer none): id of the visible page, see kymo_compare_view_set_page()
 */
const char *
kymo_compare_view_get_page (KymoCompareView *self)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (self->stack));
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_compare_view_dispose (GObject *object)
{
  KymoCompareView *self = KYMO_COMPARE_VIEW (object);

  g_cancellable_cancel (self->aligning);
  g_clear_object (&self->aligning);
  g_clear_object (&self->asker);
  g_clear_pointer (&self->info_asker, kymo_asker_free);
  g_clear_pointer (&self->changes_asker, kymo_asker_free);
  g_clear_pointer (&self->names_asker, kymo_asker_free);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_clear_pointer (&self->info, kymo_table_unref);
  g_clear_pointer (&self->paths, g_ptr_array_unref);
  g_clear_pointer (&self->chips, g_ptr_array_unref);
  g_clear_object (&self->actions);
  g_clear_object (&self->coupling);
  g_clear_object (&self->session);
  g_clear_object (&self->comparison);
  G_OBJECT_CLASS (kymo_compare_view_parent_class)->dispose (object);
}

static gboolean
kymo_compare_view_focus_on (GtkWidget *widget, GtkDirectionType direction)
{
  return kymo_accessible_focus (widget, direction,
                                GTK_WIDGET_CLASS (kymo_compare_view_parent_class)->focus);
}

static void
kymo_compare_view_class_init (KymoCompareViewClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = kymo_compare_view_focus_on;
  G_OBJECT_CLASS (klass)->dispose = kymo_compare_view_dispose;
  kymo_signal_new ("message", KYMO_TYPE_COMPARE_VIEW, 1, G_TYPE_STRING);
  kymo_signal_new ("arrange", KYMO_TYPE_COMPARE_VIEW, 3, G_TYPE_STRING, G_TYPE_UINT, G_TYPE_UINT);
}

static void
kymo_compare_view_init (KymoCompareView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->chips = g_ptr_array_new ();
  self->actions = g_simple_action_group_new ();
}

static void
couple (KymoCompareView *self, const KymoCompareRun *runs)
{
  self->coupling = kymo_session_coupling_new (self->session);
  for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
    {
      kymo_session_coupling_add (self->coupling,
                                 kymo_comparison_peek_run (self->comparison, i));
      kymo_session_coupling_set_offset (self->coupling, i + 1, kymo_comparison_get_offset (
        self->comparison, i));
      if (kymo_span_length (runs[i].stretch) > 0)
        kymo_session_coupling_set_stretch (self->coupling, i + 1, runs[i].stretch);
      g_ptr_array_add (self->paths, g_strdup (runs[i].path));
    }
}

static void
follow_compare_view (KymoCompareView *self)
{
  static const char *const signals[] = { "range-changed", "filter-changed" };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    kymo_view_asker_follow (self->asker, self->session, signals[i]);
  kymo_follow (self->session, "function-changed", on_function, self);
  kymo_follow (self->session, "notify::hovered-name", lift_chosen, self);
}

static const KymoViewQuestion comparison_of_range = {
  .question = kymo_compare_view_new_question, .answered = on_answer, .queued = on_queued,
  .pause_ms = KYMO_VIEW_PAUSE_MS, .seen = KYMO_VIEW_UNSEEN,
};

/**
 * kymo_compare_view_new:
 * @runs: (array): words for the runs of the comparison
 */
GtkWidget *
kymo_compare_view_new (KymoComparison *comparison, const KymoCompareRun *runs)
{
  KymoCompareView *self = g_object_new (KYMO_TYPE_COMPARE_VIEW, NULL);

  self->comparison = g_object_ref (comparison);
  self->session = kymo_session_new (KYMO_SOURCE (comparison));
  self->against = kymo_comparison_get_n_sides (comparison) - 1;
  self->asker = kymo_view_asker_new (&comparison_of_range, self, self->session);
  self->info_asker = kymo_asker_new (KYMO_SOURCE (comparison), on_info, self);
  self->names_asker = kymo_asker_new (KYMO_SOURCE (comparison), on_names, self);
  couple (self, runs);
  kymo_compare_view_build (self);
  kymo_compare_view_add_runs (self, runs);
  kymo_compare_view_show_offsets (self);
  follow_compare_view (self);
  kymo_compare_view_ask (self);
  return GTK_WIDGET (self);
}
