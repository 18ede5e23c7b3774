/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-label.h"
#include "kymo-performance-group.h"
#include "kymo-session-profile.h"
#include "kymo-time-parts.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

typedef enum
{
  FIGURE_SHARE,                 /* a ratio as percent */
  FIGURE_RATIO,
  FIGURE_USEFUL,                /* mean and highest, and who has it */
} FigureKind;

/** Figure: @product: added to the explanation where the figure has @factor, the first of two */
typedef struct
{
  const char *key, *title, *explanation;
  FigureKind  kind;
  const char *factor, *product;
} Figure;

static const Figure figures[] = {
  { "parallel_efficiency", N_("Parallel efficiency"),
    N_("mean useful time over elapsed time"), FIGURE_SHARE, "load_balance",
    N_("mean useful time over elapsed time: the product of the next two") },
  { "load_balance", N_("Load balance"),
    N_("mean useful time over that of the busiest"), FIGURE_SHARE },
  { "communication_efficiency", N_("Communication efficiency"),
    N_("useful time of the busiest over elapsed time"), FIGURE_SHARE, "serialization_efficiency",
    N_("useful time of the busiest over elapsed time: the product of the next two") },
  { "serialization_efficiency", N_("Serialization efficiency"),
    N_("useful time of the busiest over the time on an ideal network; low if ranks wait for each "
       "other"), FIGURE_SHARE },
  { "transfer_efficiency", N_("Transfer efficiency"),
    N_("time on an ideal network over elapsed time; low if messages take long"), FIGURE_SHARE },
  { "imbalance", N_("Load imbalance"),
    N_("useful time of the busiest over the mean; 1 is balanced"), FIGURE_RATIO },
  { "useful_max_ns", N_("Useful time"), NULL, FIGURE_USEFUL },
};

#define N_ROWS (G_N_ELEMENTS (figures) + KYMO_TIME_PARTS_MOST)

struct _KymoPerformanceGroup
{
  AdwPreferencesGroup parent_instance;

  KymoSession *session;
  KymoViewAsker *asker;
  gboolean     of_range;
  GtkWidget   *row[N_ROWS];      /* of the figures, then of the parts of time */
  GtkWidget   *label[N_ROWS];
  GtkWidget   *failed;          /* why there are no figures */
};

G_DEFINE_FINAL_TYPE (KymoPerformanceGroup, kymo_performance_group, ADW_TYPE_PREFERENCES_GROUP)

/* -- the figures ---------------------------------------------------------- */

static char *
useful_words (const KymoTable *answer)
{
  gint64 highest_ns = kymo_table_get_int (answer, "useful_max_ns", 0);
  g_autofree char *mean = kymo_format_duration (kymo_table_get_int (answer, "useful_mean_ns", 0));
  g_autofree char *highest = kymo_format_duration (highest_ns);
  const char *who = kymo_table_peek_label (answer, "useful_max_label", 0);

  if (who == NULL)
    return NULL;
  return g_strdup_printf (_("mean %s  ·  highest %s, on %s"), mean, highest, who);
}

/* Of all locations together; NULL where there is nothing of the part. */
static char *
time_words (const KymoTable    *answer,
            const KymoTimePart *part)
{
  double span = kymo_table_get_int (answer, "span_ns", 0);
  gint64 ns = kymo_time_part_ns (answer, part);
  g_autofree char *percent = kymo_format_percent (ns / MAX (span, 1));
  g_autofree char *time = kymo_format_duration (ns);

  return span > 0 && (ns > 0 || part->always) ? g_strdup_printf ("%s  ·  %s", percent, time)
    : NULL;
}

/* NULL where it is not known. */
static char *
figure_words (const KymoTable *answer,
              const Figure    *figure)
{
  double value = kymo_table_get_double (answer, figure->key, 0);

  if (kymo_table_find_column (answer, figure->key) < 0)
    return NULL;
  if (figure->kind == FIGURE_USEFUL)
    return useful_words (answer);
  if (isnan (value))
    return NULL;
  return figure->kind == FIGURE_SHARE ? kymo_format_percent (value)
    : g_strdup_printf ("%.2f", value);
}

/* A row without words is hidden. */
static void
set_row (KymoPerformanceGroup *self,
         guint                 i,
         const char           *title,
         const char           *words)
{
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->row[i]), title);
  gtk_widget_set_visible (self->row[i], words != NULL);
  if (words != NULL)
    kymo_label_set (self->label[i], words);
}

static void
set_explanation (KymoPerformanceGroup *self,
                 const KymoTable      *answer,
                 guint                 i)
{
  const char *factor = figures[i].factor;
  gboolean has_factors = factor != NULL && kymo_table_find_column (answer, factor) >= 0
    && !isnan (kymo_table_get_double (answer, factor, 0));

  if (factor != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->row[i]),
                                 has_factors ? _(figures[i].product) : _(figures[i].explanation));
}

static void
show_figures (KymoPerformanceGroup *self,
              const KymoTable      *answer)
{
  gboolean rest = kymo_table_get_bool (answer, "overhead_is_rest", 0);
  guint n_parts;
  const KymoTimePart *parts = kymo_time_parts (answer, &n_parts);

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autofree char *words = figure_words (answer, &figures[i]);

      set_row (self, i, _(figures[i].title), words);
      set_explanation (self, answer, i);
    }
  for (guint i = 0; i < KYMO_TIME_PARTS_MOST; i++)
    {
      gboolean told = i < n_parts && !(rest && g_str_equal (parts[i].key, "idle_ns"));
      g_autofree char *words = told ? time_words (answer, &parts[i]) : NULL;

      set_row (self, G_N_ELEMENTS (figures) + i,
               !told ? "" : rest && g_str_equal (parts[i].key, "overhead_ns")
               ? _("Idle or overhead") : _(parts[i].title), words);
    }
}

static void
on_answer (KymoTable    *answer,
           const GError *error,
           gpointer      data)
{
  KymoPerformanceGroup *self = data;

  gtk_widget_set_visible (self->failed, answer == NULL);
  if (answer != NULL)
    {
      show_figures (self, answer);
      return;
    }
  for (guint i = 0; i < N_ROWS; i++)
    gtk_widget_set_visible (self->row[i], FALSE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->failed), error->message);
}

/* -- what is asked -------------------------------------------------------- */

/* FALSE where it is the whole run. */
static gboolean
get_range (KymoPerformanceGroup *self,
           KymoSpan             *span)
{
  KymoSpan full = kymo_session_get_full_range (self->session);

  if (kymo_session_get_selection (self->session, span))
    return TRUE;
  *span = kymo_session_get_range (self->session);
  return span->begin_ns > full.begin_ns || span->end_ns < full.end_ns;
}

static void
tell_range (KymoPerformanceGroup *self,
            KymoSpan              span)
{
  KymoSpan selected;
  g_autofree char *begin = kymo_format_duration_exact (span.begin_ns);
  g_autofree char *end = kymo_format_duration_exact (span.end_ns);
  g_autofree char *words = g_strdup_printf (_("%s to %s"), begin, end);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self),
                                   kymo_session_get_selection (self->session, &selected)
                                   ? _("Selected range") : _("Visible range"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self), words);
}

/* A group of a range that is the whole run hides: other groups tell about that. */
static KymoQuestion *
new_question (gpointer view)
{
  KymoPerformanceGroup *self = view;
  KymoQuestion *question;
  KymoSpan span = KYMO_SPAN_ALL;

  if (self->of_range)
    {
      gboolean part = get_range (self, &span);

      gtk_widget_set_visible (GTK_WIDGET (self), part);
      if (!part)
        return NULL;
      tell_range (self, span);
    }
  /* Of a profile the figures are those of the whole run. */
  question = kymo_question_new (kymo_session_has_time (self->session) ? "profile" : "info");
  kymo_question_set_span (question, span);
  kymo_question_set_int (question, "workers-only", 1);
  kymo_question_set_int (question, "factors", 1);
  kymo_session_prepare (self->session, question);
  kymo_question_set_locations (question, NULL);
  return question;
}

static const KymoViewQuestion figures_of_run = {
  .question = new_question, .answered = on_answer, .pause_ms = KYMO_VIEW_PAUSE_MS,
  .pace_ms = KYMO_VIEW_PACE_MS,
};

/* Also unseen: a hidden group appears when the range becomes a part of the run. */
static const KymoViewQuestion figures_of_range = {
  .question = new_question, .answered = on_answer, .pause_ms = KYMO_VIEW_PAUSE_MS,
  .pace_ms = KYMO_VIEW_PACE_MS, .seen = KYMO_VIEW_UNSEEN,
};

/* -- the widget ----------------------------------------------------------- */

static void
add_row (KymoPerformanceGroup *self,
         guint                 i)
{
  const char *explanation = i < G_N_ELEMENTS (figures) ? figures[i].explanation : NULL;
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label = gtk_label_new (NULL);

  if (explanation != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _(explanation));
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  gtk_widget_set_visible (row, FALSE);
  self->row[i] = row;
  self->label[i] = label;
}

static void
kymo_performance_group_dispose (GObject *object)
{
  KymoPerformanceGroup *self = KYMO_PERFORMANCE_GROUP (object);

  g_clear_object (&self->asker);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_performance_group_parent_class)->dispose (object);
}

static void
kymo_performance_group_class_init (KymoPerformanceGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_performance_group_dispose;
}

static void
kymo_performance_group_init (KymoPerformanceGroup *self)
{
  for (guint i = 0; i < N_ROWS; i++)
    add_row (self, i);
  self->failed = adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->failed), _("No figures"));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->failed), FALSE);
  gtk_widget_set_visible (self->failed, FALSE);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->failed);
}

/**
 * kymo_performance_group_new:
 * @of_range: of what is selected or shown, not of the whole run
 */
GtkWidget *
kymo_performance_group_new (KymoSession *session,
                            gboolean     of_range)
{
  KymoPerformanceGroup *self = g_object_new (KYMO_TYPE_PERFORMANCE_GROUP, NULL);

  self->session = g_object_ref (session);
  self->of_range = of_range;
  self->asker = kymo_view_asker_new (of_range ? &figures_of_range : &figures_of_run, self,
                                     session);
  if (of_range)
    {
      kymo_view_asker_follow (self->asker, session, "range-changed");
      kymo_view_asker_follow (self->asker, session, "selection-changed");
    }
  kymo_view_asker_catch_up (self->asker);
  return GTK_WIDGET (self);
}
