/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each row has a question of its own, and what is told of the answer is kept in the row: a button
 * needs neither the answer nor another question.
 */
#include "config.h"

#include "kymo-limits-group.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-follow.h"
#include "kymo-label.h"
#include "kymo-navigate.h"
#include "kymo-safe-text.h"
#include "kymo-session-path.h"
#include "kymo-session-profile.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

/* Most that a line is wide. */
#define CONTENT_PX 680
/* Steps of the critical path among which the longest of an activity is looked for. */
#define MOST_STEPS 2000
/* Locations that are named as busy, and from which share of the average on. */
#define MOST_NAMED 3
#define LEAST_OF_AVERAGE 1.1

typedef enum { ROW_PATH, ROW_BUSIEST, ROW_WAIT, ROW_CALLS, ROW_FUNCTIONS, N_ROWS } RowKind;

/** Row: @location, @span: the block that a button goes to; @pes: (nullable): whom one explains */
typedef struct
{
  KymoLimitsGroup *group;
  KymoViewAsker   *asker;       /* or NULL */
  GtkWidget       *row;
  gint64           location;
  KymoSpan         span;
  char            *pes;
} Row;

struct _KymoLimitsGroup
{
  AdwPreferencesGroup parent_instance;

  KymoSession *session;
  Row          rows[N_ROWS];
};

G_DEFINE_FINAL_TYPE (KymoLimitsGroup, kymo_limits_group, ADW_TYPE_PREFERENCES_GROUP)

static guint show_view_signal, explain_signal;

/* -- rows ----------------------------------------------------------------- */

static Row *
row_of (gpointer group, RowKind kind)
{
  return &KYMO_LIMITS_GROUP (group)->rows[kind];
}

/* A row without a sentence is hidden. The group stays, without its title: what is hidden asks
   nothing. */
static void
say_row (Row *row, const char *sentence, const char *more)
{
  gboolean any = FALSE;

  gtk_widget_set_visible (row->row, sentence != NULL);
  if (sentence != NULL)
    {
      g_autofree char *safe_title = kymo_safe_text_dup (sentence);
      g_autofree char *safe_subtitle = kymo_safe_text_dup (more != NULL ? more : "");
      g_autofree char *title = kymo_label_dup_unbroken (safe_title);
      g_autofree char *subtitle = kymo_label_dup_unbroken (safe_subtitle);

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row->row), title);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row->row), subtitle);
    }
  for (guint i = 0; i < N_ROWS; i++)
    any |= gtk_widget_get_visible (row->group->rows[i].row);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (row->group),
                                   any ? _("Where to look first") : "");
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (row->group),
                                         any ? _("In the whole run") : "");
  /* A list of hidden rows has an edge. */
  gtk_widget_set_visible (gtk_widget_get_parent (row->row), any);
}

/* -- the critical path ----------------------------------------------------- */

/* The row of a list with the highest value; -1 of an empty list. With @kind only rows of it. */
static gint
find_highest (const KymoTable *list, const char *key, const char *kind)
{
  gint best = -1;

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    if ((kind == NULL || g_strcmp0 (kymo_table_get_string (list, "kind", i), kind) == 0)
        && (best < 0 || kymo_table_get_int (list, key, i) > kymo_table_get_int (list, key, best)))
      best = i;
  return best;
}

/* The longest step with that name, on @location if there is one; -1 for none. */
static gint
find_step (const KymoTable *steps, gint64 location, const char *name)
{
  gint best = -1;
  gint64 best_ns = -1;

  for (guint i = 0; steps != NULL && i < kymo_table_get_n_rows (steps); i++)
    {
      gint64 ns = kymo_table_get_int (steps, "end_ns", i) - kymo_table_get_int (steps, "begin_ns",
                                                                                i);

      /* A step there counts more than any elsewhere. */
      if (kymo_table_get_int (steps, "location", i) == location)
        ns += G_MAXINT64 / 2;
      if (ns > best_ns && g_strcmp0 (kymo_table_get_string (steps, "name", i), name) == 0)
        {
          best = i;
          best_ns = ns;
        }
    }
  return best;
}

static void
on_path (KymoTable *answer, const GError *error, gpointer data)
{
  Row *row = row_of (data, ROW_PATH);
  KymoTable *places = answer != NULL ? kymo_table_peek_nested (answer, "locations", NULL) : NULL;
  KymoTable *names = answer != NULL ? kymo_table_peek_nested (answer, "activities", NULL) : NULL;
  KymoTable *steps = answer != NULL ? kymo_table_peek_nested (answer, "steps", NULL) : NULL;
  double all_ns = answer != NULL ? kymo_table_get_int (answer, "path_ns", 0) : 0;
  gint place = find_highest (places, "path_ns", NULL), step;
  gint name = MAX (find_highest (names, "path_ns", "entry"),
                   find_highest (names, "path_ns", "function"));
  g_autofree char *share = NULL, *share_of_name = NULL, *sentence = NULL, *more = NULL;

  step = place < 0 || name < 0 || all_ns <= 0 ? -1
         : find_step (steps, kymo_table_get_int (places, "location", place),
                      kymo_table_get_string (names, "name", name));
  if (step < 0)
    {
      say_row (row, NULL, NULL);
      return;
    }
  row->location = kymo_table_get_int (steps, "location", step);
  row->span = (KymoSpan) { kymo_table_get_int (steps, "begin_ns", step),
                           kymo_table_get_int (steps, "end_ns", step) };
  share = kymo_format_percent (kymo_table_get_int (places, "path_ns", place) / all_ns);
  share_of_name = kymo_format_percent (kymo_table_get_int (names, "path_ns", name) / all_ns);
  /* Translators: as “Critical path: 15 % in Cell::run” and “12 % lies on PE 5, …”. */
  sentence = g_strdup_printf (_("Critical path: %s in %s"), share_of_name,
                              kymo_table_get_string (names, "name", name));
  more = g_strdup_printf (_("%s lies on %s, more than elsewhere. Only this path delays the end."),
                          share, kymo_table_peek_label (places, "label", place));
  say_row (row, sentence, more);
}

/* -- who is busiest -------------------------------------------------------- */

/* Of locations, the most first: how many stand out. */
static guint
count_above (const KymoTable *list)
{
  guint n = 0;

  while (n < kymo_table_get_n_rows (list) && n < MOST_NAMED
         && kymo_table_get_double (list, "of_average", n) >= LEAST_OF_AVERAGE)
    n++;
  return n;
}

static void
on_busiest (KymoTable *answer, const GError *error, gpointer data)
{
  Row *row = row_of (data, ROW_BUSIEST);
  KymoTable *list = answer != NULL ? kymo_table_peek_nested (answer, "extrema", NULL) : NULL;
  g_autoptr (GString) names = g_string_new (NULL), pes = g_string_new (NULL);
  g_autofree char *sentence = NULL;
  guint above, n;

  if (list == NULL || kymo_table_get_n_rows (list) < 2)
    {
      say_row (row, NULL, NULL);
      return;
    }
  above = count_above (list);
  n = MAX (above, 1);
  for (guint i = 0; i < n; i++)
    {
      const char *joint = i > 0 ? ", " : "";

      g_string_append (names, joint);
      /* Translators: a location and how many times the average it worked, “PE 3 (1.25 ×)”. */
      g_string_append_printf (names, _("%s (%.2f ×)"), kymo_table_peek_label (list, "label", i),
                              kymo_table_get_double (list, "of_average", i));
      g_string_append_printf (pes, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "",
                              kymo_table_get_int (list, "location", i));
    }
  g_free (row->pes);
  row->pes = g_strdup (pes->str);
  sentence = g_strdup_printf (_("Busiest: %s"), names->str);
  say_row (row, sentence, above > 0 ? _("In parentheses: busy time over the average busy time")
           : _("The load is even. In parentheses: busy time over the average busy time"));
}

/* -- who waits for whom ---------------------------------------------------- */

static void
on_waits (KymoTable *answer, const GError *error, gpointer data)
{
  Row *row = row_of (data, ROW_WAIT);
  KymoTable *worst = answer != NULL ? kymo_table_peek_nested (answer, "worst", NULL) : NULL;
  KymoTable *places = answer != NULL ? kymo_table_peek_nested (answer, "locations", NULL) : NULL;
  KymoTable *names = answer != NULL ? kymo_table_peek_nested (answer, "functions", NULL) : NULL;
  double all_ns = answer != NULL ? kymo_table_get_int (answer, "total_ns", 0) : 0;
  gint late = find_highest (places, "caused_ns", NULL), name = find_highest (names, "ns", NULL);
  Row *calls = &row->group->rows[ROW_CALLS];
  g_autofree char *time = NULL, *sentence = NULL, *share = NULL, *more = NULL, *in = NULL;

  if (all_ns <= 0 || worst == NULL || kymo_table_get_n_rows (worst) == 0 || late < 0 || name < 0)
    {
      say_row (row, NULL, NULL);
      say_row (calls, NULL, NULL);
      return;
    }
  row->location = kymo_table_get_int (worst, "location", 0);
  row->span = (KymoSpan) { kymo_table_get_int (worst, "begin_ns", 0),
                           kymo_table_get_int (worst, "end_ns", 0) };
  time = kymo_format_duration (kymo_table_get_int (worst, "wait_ns", 0));
  share = kymo_format_percent (kymo_table_get_int (places, "caused_ns", late) / all_ns);
  /* Translators: as “The longest wait: rank 7 waited 3.8 ms for rank 0, in MPI_Recv()”. */
  sentence = g_strdup_printf (_("The longest wait: %s waited %s for %s, in %s"),
                              kymo_table_peek_label (worst, "label", 0), time,
                              kymo_table_peek_label (worst, "by_label", 0),
                              kymo_table_get_string (worst, "function", 0));
  more = g_strdup_printf (_("%s of all waiting was caused by %s."), share,
                          kymo_table_peek_label (places, "label", late));
  say_row (row, sentence, more);
  g_free (share);
  share = kymo_format_percent (kymo_table_get_int (names, "ns", name) / all_ns);
  in = g_strdup_printf (_("%s of all waiting was in %s"), share,
                        kymo_table_get_string (names, "name", name));
  say_row (calls, in, NULL);
}

/* -- questions ------------------------------------------------------------- */

/* Of the whole run and of all locations, whatever is visible; none while a large run is read, which
   these questions would delay. */
static KymoQuestion *
question_of (gpointer group, const char *kind)
{
  KymoSource *source = kymo_session_peek_source (KYMO_LIMITS_GROUP (group)->session);
  g_autofree char *draft = kymo_source_dup_draft (source);
  KymoQuestion *question;

  if (draft != NULL)
    return NULL;
  question = kymo_question_new (kind);
  kymo_session_prepare (KYMO_LIMITS_GROUP (group)->session, question);
  kymo_question_set_span (question, KYMO_SPAN_ALL);
  kymo_question_set_locations (question, NULL);
  return question;
}

static KymoQuestion *
ask_path (gpointer group)
{
  KymoQuestion *question = question_of (group, "critical-path");

  if (question != NULL)
    kymo_question_set_int (question, "limit", MOST_STEPS);
  return question;
}

static KymoQuestion *
ask_busiest (gpointer group)
{
  return question_of (group, "extrema");
}

static KymoQuestion *
ask_waits (gpointer group)
{
  return question_of (group, "waiting");
}

/* -- where buttons lead ----------------------------------------------------- */

static void
show_block (Row *row)
{
  kymo_navigate_show (row->group->session, row->location, row->span);
  g_signal_emit (row->group, show_view_signal, 0, "timeline");
}

/* The chain of messages back from the block: what it waited for. */
static void
show_cause (Row *row)
{
  KymoSession *session = row->group->session;

  kymo_session_set_block (session, row->location,
                          row->span.begin_ns + kymo_span_length (row->span) / 2);
  kymo_session_follow_path (session, KYMO_PATH_BACK);
  g_signal_emit (row->group, show_view_signal, 0, "critical-path");
}

static void
explain_row (Row *row)
{
  g_signal_emit (row->group, explain_signal, 0, row->pes);
}

static void
show_extrema (Row *row)
{
  g_signal_emit (row->group, show_view_signal, 0, "extrema");
}

static void
show_waiting (Row *row)
{
  g_signal_emit (row->group, show_view_signal, 0, "waiting");
}

static void
show_calls (Row *row)
{
  g_signal_emit (row->group, show_view_signal, 0, "call-tree");
}

static void
show_profile (Row *row)
{
  g_signal_emit (row->group, show_view_signal, 0, "profile");
}

/* -- the widget ------------------------------------------------------------ */

static const struct
{
  KymoViewQuestion question;
  KymoCapabilities needs;
  struct { const char *words; void (*act) (Row *row); } buttons[2];
} kinds[N_ROWS] = {
  [ROW_PATH] = {
    { .question = ask_path, .answered = on_path, .pace_ms = KYMO_VIEW_PACE_MS },
    KYMO_CAN_INTERVALS | KYMO_CAN_MESSAGES,
    { { N_("_Timeline"), show_block }, { N_("What _Led to It"), show_cause } } },
  [ROW_BUSIEST] = {
    { .question = ask_busiest, .answered = on_busiest, .pace_ms = KYMO_VIEW_PACE_MS },
    KYMO_CAN_PROFILE, { { N_("E_xtrema"), show_extrema }, { N_("_Why?"), explain_row } } },
  [ROW_WAIT] = {
    { .question = ask_waits, .answered = on_waits, .pace_ms = KYMO_VIEW_PACE_MS },
    KYMO_CAN_INTERVALS | KYMO_CAN_WAITS,
    { { N_("_Show the Wait"), show_block }, { N_("All W_aits"), show_waiting } } },
  [ROW_CALLS] = { .needs = KYMO_CAN_INTERVALS | KYMO_CAN_WAITS | KYMO_CAN_PATHS,
                  .buttons = { { N_("_Call Tree"), show_calls } } },
  [ROW_FUNCTIONS] = { .buttons = { { N_("_Profile"), show_profile } } },
};

/* Functions that wait are busy, too: of those the efficiencies tell who was useful longest. */
static gboolean
may_tell (KymoLimitsGroup *self, guint i)
{
  KymoSource *source = kymo_session_peek_source (self->session);

  return (kymo_source_get_capabilities (source) & kinds[i].needs) == kinds[i].needs
         && kymo_session_has_time (self->session)
         && !(i == ROW_BUSIEST
              && kymo_source_get_terms (source).code == KYMO_CODE_FUNCTION);
}

static void
build_row (KymoLimitsGroup *self, guint i)
{
  Row *row = &self->rows[i];

  row->group = self;
  row->row = adw_action_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row->row), FALSE);
  gtk_widget_set_visible (row->row, FALSE);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row->row);
  for (guint b = 0; b < G_N_ELEMENTS (kinds[i].buttons) && kinds[i].buttons[b].words != NULL; b++)
    {
      GtkWidget *button = gtk_button_new_with_mnemonic (_(kinds[i].buttons[b].words));

      kymo_controls_speak (button, _(kinds[i].buttons[b].words));
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      g_signal_connect_swapped (button, "clicked", G_CALLBACK (kinds[i].buttons[b].act), row);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row->row), button);
    }
  gtk_widget_set_visible (gtk_widget_get_parent (row->row), FALSE);
}

static void
kymo_limits_group_dispose (GObject *object)
{
  KymoLimitsGroup *self = KYMO_LIMITS_GROUP (object);

  for (guint i = 0; i < N_ROWS; i++)
    {
      g_clear_object (&self->rows[i].asker);
      g_clear_pointer (&self->rows[i].pes, g_free);
    }
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_limits_group_parent_class)->dispose (object);
}

static void
kymo_limits_group_class_init (KymoLimitsGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_limits_group_dispose;
  show_view_signal = kymo_signal_new ("show-view", KYMO_TYPE_LIMITS_GROUP, 1, G_TYPE_STRING);
  explain_signal = kymo_signal_new ("explain", KYMO_TYPE_LIMITS_GROUP, 1, G_TYPE_STRING);
}

static void
kymo_limits_group_init (KymoLimitsGroup *self)
{
}

/* While a run is read its draft has no messages, so more rows may tell something when it grows. */
static void
add_askers (KymoLimitsGroup *self)
{
  gboolean asks = FALSE;

  for (guint i = 0; i < N_ROWS; i++)
    {
      Row *row = &self->rows[i];

      if (row->asker == NULL && kinds[i].question.question != NULL && may_tell (self, i))
        {
          row->asker = kymo_view_asker_new (&kinds[i].question, self, self->session);
          kymo_view_asker_catch_up (row->asker);
        }
      asks |= row->asker != NULL;
    }
  gtk_widget_set_visible (GTK_WIDGET (self), asks);
}

/** kymo_limits_group_new: Returns: (transfer floating): the group, which asks about the run */
GtkWidget *
kymo_limits_group_new (KymoSession *session)
{
  KymoLimitsGroup *self = g_object_new (KYMO_TYPE_LIMITS_GROUP, NULL);

  self->session = g_object_ref (session);
  for (guint i = 0; i < N_ROWS; i++)
    build_row (self, i);
  add_askers (self);
  kymo_follow (session, "grown", add_askers, self);
  return GTK_WIDGET (self);
}

/**
 * kymo_limits_group_tell_functions:
 * @functions: (nullable): a sentence on those of a profile that take the most time; %NULL: hides it
 */
void
kymo_limits_group_tell_functions (KymoLimitsGroup *self, const char *functions)
{
  say_row (&self->rows[ROW_FUNCTIONS], functions, NULL);
  if (functions != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

/** kymo_limits_group_is_settled: Returns: whether no answer is on its way */
gboolean
kymo_limits_group_is_settled (KymoLimitsGroup *self)
{
  for (guint i = 0; i < N_ROWS; i++)
    if (self->rows[i].asker != NULL && !kymo_view_asker_is_settled (self->rows[i].asker))
      return FALSE;
  return TRUE;
}

/**
 * kymo_limits_group_widen_page:
 * @page: of preferences
 *
 * Gives the lines of a page more room than libadwaita does, so that the sentence of a cause stands
 * beside its buttons. Figures stay near their names.
 */
void
kymo_limits_group_widen_page (GtkWidget *page)
{
  if (ADW_IS_CLAMP (page))
    {
      adw_clamp_set_tightening_threshold (ADW_CLAMP (page), CONTENT_PX);
      adw_clamp_set_maximum_size (ADW_CLAMP (page), CONTENT_PX);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (page); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    kymo_limits_group_widen_page (child);
}
