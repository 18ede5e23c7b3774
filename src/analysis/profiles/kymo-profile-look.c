/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-profile-look.h"

#include <math.h>
#include <string.h>

#include "kymo-derived-metrics.h"
#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-term-words.h"
#include "kymo-trace-profile.h"

static const char *const values[] = {
  "exclusive", "inclusive", "calls", "subroutines", "exclusive-per-call", "inclusive-per-call"
};

/* -- which profile ---------------------------------------------------------- */

static gboolean
read_count (const KymoAsk  *ask,
            const char     *key,
            guint          *count,
            GError        **error)
{
  gint64 n;

  if (!kymo_question_get_int (ask->question, key, 0, &n, error))
    return FALSE;
  *count = CLAMP (n, 0, G_MAXINT32);
  return TRUE;
}

/* A kind of question that is about paths takes those from the root, or pairs, unless
   it is told otherwise. */
static gboolean
read_paths (const KymoAsk            *ask,
            KymoLookPaths             paths,
            KymoTraceProfileOptions  *options,
            GError                  **error)
{
  if (!read_count (ask, "callpath-depth", &options->last, error)
      || !read_count (ask, "depth-limit", &options->depth, error))
    return FALSE;
  options->by_phase = kymo_question_get_flag (ask->question, "by-phase")
    || paths == KYMO_LOOK_PHASES;
  if (options->by_phase || options->last > 1 || options->depth > 0)
    return TRUE;
  if (paths == KYMO_LOOK_PAIRS)
    options->last = 2;
  else if (paths == KYMO_LOOK_TREE)
    options->depth = G_MAXUINT;
  return TRUE;
}

static KymoProfileData *
profile_of_trace (KymoAsk        *ask,
                  KymoLookPaths   paths,
                  GError        **error)
{
  KymoTraceProfileOptions options = { ask->span, kymo_ask_count_end (ask) };

  if (!read_paths (ask, paths, &options, error))
    return NULL;
  return kymo_trace_profile_get (ask->run, &options, ask->n_threads, ask->cancellable, error);
}

static KymoProfileData *
step_of_run (KymoProfileLook  *look,
             GError          **error)
{
  GPtrArray *profiles = look->ask->run->profiles;
  gint64 step;

  look->n_steps = profiles->len;
  if (!kymo_question_get_int (look->ask->question, "step", (gint64) look->n_steps - 1, &step,
                              error))
    return NULL;
  if (step < 0 || step >= look->n_steps)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("There is no step %" PRId64 "; the profile has %u"), step,
                   look->n_steps);
      return NULL;
    }
  look->step = step;
  return kymo_profile_data_ref (g_ptr_array_index (profiles, step));
}

/* -- which metric ----------------------------------------------------------- */

static const KymoProfileMetric *
metric_at (const KymoProfileLook *look,
           guint                  index)
{
  return &g_array_index (look->data->metrics, KymoProfileMetric, index);
}

static gboolean
find_metric (KymoProfileLook *look,
             const char      *name)
{
  for (guint i = 0; i < look->data->metrics->len; i++)
    if (g_ascii_strcasecmp (metric_at (look, i)->name, name) == 0)
      {
        look->metric = i;
        return TRUE;
      }
  return FALSE;
}

static KymoMetricExpression *
make_expression (const KymoProfileLook  *look,
                 const char             *text,
                 GError                **error)
{
  guint n = look->data->metrics->len;
  g_autofree const char **names = g_new (const char *, n);

  for (guint i = 0; i < n; i++)
    names[i] = metric_at (look, i)->name;
  return kymo_metric_expression_new (text, names, n, error);
}

/* Derives a metric from the expression that is kept under the name, or from the name as an
   expression. */
static gboolean
derive_metric (KymoProfileLook  *look,
               const char       *name,
               GError          **error)
{
  const char *derived = kymo_question_get (look->ask->question, KYMO_DERIVED_KEYWORD);
  g_autofree char *kept = kymo_derived_metrics_dup_of (derived, name);

  look->expression = make_expression (look, kept != NULL ? kept : name, error);
  look->metric_name = g_strdup (name);
  look->expression_text = g_strdup (kept != NULL ? kept : name);
  look->unit = g_strdup ("");
  look->is_additive = look->expression != NULL
    && kymo_metric_expression_is_additive (look->expression);
  return look->expression != NULL;
}

static gboolean
choose_metric (KymoProfileLook  *look,
               GError          **error)
{
  const char *name = kymo_question_get (look->ask->question, "metric");

  if (look->data->metrics->len == 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, _("“%s” has no metric"),
                   look->ask->run->title);
      return FALSE;
    }
  look->metric = MAX (kymo_profile_data_find_time (look->data), 0);
  if (name != NULL && *name != '\0' && !find_metric (look, name))
    return derive_metric (look, name, error);
  look->metric_name = g_strdup (metric_at (look, look->metric)->name);
  look->unit = g_strdup (metric_at (look, look->metric)->unit);
  look->unit_ns = metric_at (look, look->metric)->unit_ns;
  look->is_additive = look->unit_ns > 0 || !kymo_metric_is_gauge (look->metric_name);
  return TRUE;
}

/* -- which functions -------------------------------------------------------- */

static gboolean
has_group (const KymoProfileEvent *event,
           char                  **wanted)
{
  g_auto (GStrv) groups = g_strsplit (event->groups, "|", -1);

  for (guint i = 0; groups[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) wanted, g_strstrip (groups[i])))
      return TRUE;
  return FALSE;
}

static void
choose_groups (KymoProfileLook *look)
{
  const char *text = kymo_question_get (look->ask->question, "groups");
  g_auto (GStrv) wanted = text != NULL && *text != '\0' ? g_strsplit (text, "|", -1) : NULL;

  look->chosen = g_new (gboolean, MAX (look->data->events->len, 1));
  for (guint i = 0; i < look->data->events->len; i++)
    look->chosen[i] = wanted == NULL || has_group (kymo_profile_look_event (look, i), wanted);
}

static void
count_flat (KymoProfileLook *look)
{
  while (look->n_flat < look->data->events->len
         && !(kymo_profile_look_event (look, look->n_flat)->flags & KYMO_PROFILE_PATH))
    look->n_flat++;
}

/**
 * kymo_profile_look_new:
 * @paths: which paths a trace's profile has, where the question does not say
 *
 * Reads the keywords that all questions about profiles know. Sets %KYMO_ERROR_USAGE for a
 * keyword that is wrong, or the error of making a trace's profile.
 *
 * Returns: (transfer full) (nullable): how the question looks at its run
 */
KymoProfileLook *
kymo_profile_look_new (KymoAsk        *ask,
                       KymoLookPaths   paths,
                       GError        **error)
{
  g_autoptr (KymoProfileLook) look = g_new0 (KymoProfileLook, 1);

  look->ask = ask;
  look->data = ask->run->profiles != NULL ? step_of_run (look, error)
    : profile_of_trace (ask, paths, error);
  if (look->data == NULL || !choose_metric (look, error))
    return NULL;
  choose_groups (look);
  count_flat (look);
  return g_steal_pointer (&look);
}

/** kymo_profile_look_free: frees the look, and drops its reference of the profile */
void
kymo_profile_look_free (KymoProfileLook *look)
{
  kymo_profile_data_unref (look->data);
  g_clear_pointer (&look->expression, kymo_metric_expression_free);
  g_free (look->metric_name);
  g_free (look->expression_text);
  g_free (look->unit);
  g_free (look->chosen);
  g_free (look);
}

/* -- what all answers tell -------------------------------------------------- */

/* Metrics of the profile, and those kept by name that can be computed of them. */
static KymoTable *
list_metrics (const KymoProfileLook *look)
{
  const char *derived = kymo_question_get (look->ask->question, KYMO_DERIVED_KEYWORD);
  g_auto (GStrv) kept = kymo_derived_metrics_list_of (derived);
  KymoTable *table = kymo_table_new_list ("name:string unit:string is_time:bool "
                                          "expression:string");

  for (guint i = 0; i < look->data->metrics->len; i++)
    kymo_table_append_row (table, metric_at (look, i)->name, metric_at (look, i)->unit,
                           metric_at (look, i)->unit_ns > 0, NULL);
  for (guint i = 0; kept[i] != NULL; i++)
    {
      g_autofree char *text = kymo_derived_metrics_dup_of (derived, kept[i]);
      g_autoptr (KymoMetricExpression) made = text == NULL ? NULL
        : make_expression (look, text, NULL);

      if (made != NULL)
        kymo_table_append_row (table, kept[i], "", FALSE, text);
    }
  return table;
}

static KymoTable *
list_steps (const KymoProfileLook *look)
{
  KymoTable *table = kymo_table_new_list ("name:string time_ns");

  for (guint i = 0; i < look->n_steps; i++)
    {
      const KymoProfileData *step = g_ptr_array_index (look->ask->run->profiles, i);

      kymo_table_append_row (table, step->name, step->time_ns >= 0 ? step->time_ns : KYMO_NULL_INT);
    }
  return table;
}

static KymoTable *
list_groups (const KymoProfileLook *look)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_FLAT);
  guint column = kymo_table_add_column (table, "value", KYMO_COLUMN_STRING, 1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < look->data->events->len; i++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (look, i);
      g_auto (GStrv) groups = NULL;

      if (event->groups[0] == '\0' || (event->flags & KYMO_PROFILE_PATH))
        continue;
      groups = g_strsplit (event->groups, "|", -1);
      for (guint g = 0; groups[g] != NULL; g++)
        {
          g_strstrip (groups[g]);
          if (groups[g][0] != '\0' && g_hash_table_add (known, g_strdup (groups[g])))
            kymo_table_append_string (table, column, groups[g]);
        }
    }
  return table;
}

/**
 * kymo_profile_look_set:
 *
 * Adds to an answer what all about profiles tell.
 */
void
kymo_profile_look_set (const KymoProfileLook *look,
                       KymoTable             *answer)
{
  const KymoRun *run = look->ask->run;
  KymoProfileValue value = KYMO_VALUE_EXCLUSIVE;

  if (run->profiles == NULL)
    {
      kymo_table_set_int (answer, "begin_ns", look->ask->span.begin_ns);
      kymo_table_set_int (answer, "end_ns", look->ask->span.end_ns);
    }
  kymo_table_set_string (answer, "metric", look->metric_name);
  kymo_table_set_string (answer, "unit", look->unit);
  kymo_table_set_double (answer, "unit_ns", look->unit_ns);
  kymo_profile_look_value (look, &value, NULL);
  kymo_table_set_bool (answer, "additive", kymo_profile_look_is_additive (look, value));
  kymo_table_set_table (answer, "metrics", list_metrics (look));
  kymo_table_set_table (answer, "steps", list_steps (look));
  kymo_table_set_int (answer, "step", look->n_steps > 0 ? (gint64) look->step : KYMO_NULL_INT);
  kymo_table_set_table (answer, "groups", list_groups (look));
  kymo_table_set_string (answer, "row_term", kymo_terms_row (run->terms, FALSE));
  kymo_table_set_string (answer, "code_term", kymo_terms_code (run->terms, FALSE));
}

/**
 * kymo_profile_look_end:
 * @answer: (transfer full): made of figures that may be those of some locations alone
 *   where the question was cancelled
 *
 * Returns: (transfer full) (nullable): @answer, or %NULL when cancelled
 */
KymoTable *
kymo_profile_look_end (const KymoProfileLook  *look,
                       KymoTable              *answer,
                       GError                **error)
{
  if (!g_cancellable_set_error_if_cancelled (look->ask->cancellable, error))
    return answer;
  kymo_table_unref (answer);
  return NULL;
}

/* -- figures ---------------------------------------------------------------- */

/**
 * kymo_profile_value_to_string:
 *
 * Returns: (transfer none): the keyword of "value", as "inclusive"
 */
const char *
kymo_profile_value_to_string (KymoProfileValue value)
{
  return values[value];
}

/**
 * kymo_profile_look_value:
 * @value: (out): what the keyword "value" asks for, else exclusive
 *
 * Returns: %FALSE with %KYMO_ERROR_USAGE if the keyword is no such word
 */
gboolean
kymo_profile_look_value (const KymoProfileLook  *look,
                         KymoProfileValue       *value,
                         GError                **error)
{
  const char *word = kymo_question_get (look->ask->question, "value");

  *value = KYMO_VALUE_EXCLUSIVE;
  if (word == NULL)
    return TRUE;
  for (guint i = 0; i < KYMO_N_VALUES; i++)
    if (strcmp (values[i], word) == 0)
      {
        *value = i;
        return TRUE;
      }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is no value of a profile; they are exclusive, inclusive, calls, "
                 "subroutines, "
                 "exclusive-per-call and inclusive-per-call"), word);
  return FALSE;
}

static void
read_metric (const KymoProfileLook *look,
             gboolean               inclusive,
             guint64                first,
             guint                  n,
             double                *out)
{
  guint stride = look->data->metrics->len * 2;
  const double *from = look->data->values + first * stride + inclusive;

  if (look->expression != NULL)
    for (guint i = 0; i < n; i++)
      out[i] = kymo_metric_expression_get (look->expression, from + (gsize) i * stride, 2);
  else
    for (guint i = 0; i < n; i++)
      out[i] = from[(gsize) i * stride + 2 * look->metric];
}

/**
 * kymo_profile_look_read:
 * @first: row of the data
 * @out: (out caller-allocates): n figures; finite numbers
 */
void
kymo_profile_look_read (const KymoProfileLook *look,
                        KymoProfileValue       value,
                        guint64                first,
                        guint                  n,
                        double                *out)
{
  const double *calls = look->data->calls + first;

  if (n == 0)                   /* nothing was made to copy from or to */
    return;
  switch (value)
    {
    case KYMO_VALUE_CALLS:
    case KYMO_VALUE_SUBROUTINES:
      memcpy (out, value == KYMO_VALUE_CALLS ? calls : look->data->subroutines + first,
              n * sizeof (double));
      return;
    case KYMO_VALUE_EXCLUSIVE:
    case KYMO_VALUE_INCLUSIVE:
      read_metric (look, value == KYMO_VALUE_INCLUSIVE, first, n, out);
      return;
    default:
      read_metric (look, value == KYMO_VALUE_INCLUSIVE_PER_CALL, first, n, out);
      for (guint i = 0; i < n; i++)
        out[i] = calls[i] != 0 ? out[i] / calls[i] : 0;
    }
}

/**
 * kymo_profile_look_is_flat:
 * @event: index of an event
 *
 * Returns: whether it is a function of a chosen group, no path
 */
gboolean
kymo_profile_look_is_flat (const KymoProfileLook *look,
                           guint32                event)
{
  return look->chosen[event]
    && !(kymo_profile_look_event (look, event)->flags & KYMO_PROFILE_PATH);
}

/**
 * kymo_profile_look_find:
 * @name: as in the files, or as people see it; of a path its whole name
 *
 * Returns: the event, functions before paths; -1 = none
 */
gint
kymo_profile_look_find (const KymoProfileLook *look,
                        const char            *name)
{
  gint found = -1;

  for (guint i = 0; i < look->data->events->len; i++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (look, i);

      if (strcmp (event->name, name) == 0)
        return i;
      if (found < 0 && !(event->flags & KYMO_PROFILE_PATH) && strcmp (event->shown, name) == 0)
        found = i;
    }
  return found;
}

/* Of a trace: whether the function is known, though not of this range. */
static gboolean
is_of_run (const KymoRun *run,
           const char    *name)
{
  for (guint i = 0; run->profiles == NULL && i < run->activities->len; i++)
    if (strcmp (kymo_run_peek_activity (run, i)->name, name) == 0)
      return TRUE;
  return FALSE;
}

/**
 * kymo_profile_look_find_known:
 * @event: (out): as kymo_profile_look_find(); -1 = nothing ran of it in the range
 *
 * Returns: %FALSE and why where the run knows no function or path of that name
 */
gboolean
kymo_profile_look_find_known (const KymoProfileLook  *look,
                              const char             *name,
                              gint                   *event,
                              GError                **error)
{
  *event = kymo_profile_look_find (look, name);
  if (*event >= 0 || is_of_run (look->ask->run, name))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               kymo_in_terms (look->ask->run->terms, _("The profile has no {code} “%s”")), name);
  return FALSE;
}

/**
 * kymo_profile_look_find_row:
 *
 * Returns: the row of an event on a location less the location's first one; -1 = none
 */
gint
kymo_profile_look_find_row (const KymoProfileLook *look,
                            guint                  location,
                            guint32                event)
{
  const guint64 *firsts = look->data->first;
  guint64 first = firsts[location], end = firsts[location + 1];
  guint64 at = KYMO_FIND_FIRST (i, first, end, look->data->event[i] >= event);

  return at < end && look->data->event[at] == event ? (gint) (at - first) : -1;
}

/**
 * kymo_profile_event_kind:
 *
 * Returns: the kind in answers: "function" or "phase", and "idle", "overhead" or "untraced"
 *   for what stands for time outside of functions
 */
const char *
kymo_profile_event_kind (const KymoProfileEvent *event)
{
  return event->flags & KYMO_PROFILE_IDLE ? "idle"
    : event->flags & KYMO_PROFILE_OVERHEAD ? "overhead"
    : event->flags & KYMO_PROFILE_UNTRACED ? "untraced"
    : event->flags & KYMO_PROFILE_PHASE ? "phase" : "function";
}

/** kymo_profile_event_dup_flags: what else is known of it, "path|throttled" */
char *
kymo_profile_event_dup_flags (const KymoProfileEvent *event)
{
  static const struct { guint flag; const char *word; } words[] = {
    { KYMO_PROFILE_PATH, "path" }, { KYMO_PROFILE_PHASE, "phase" },
    { KYMO_PROFILE_THROTTLED, "throttled" }, { KYMO_PROFILE_CUT, "cut" },
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (event->flags & words[i].flag)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "|" : "", words[i].word);
  return g_string_free (text, FALSE);
}
