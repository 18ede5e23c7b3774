/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is missed in a reduction: the PEs that have most of something and are dropped all the
 * same; and the sentences that warn of them, of a large error and of clusters that came to
 * nothing.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-reducer-private.h"

#include "kymo-error.h"
#include "kymo-units.h"

/* PEs that are looked at, of each kind. */
#define MOST_OF_A_KIND 3

/* Kinds of extrema: the word of the question, and that of the answer. */
static const struct { const char *by, *why; } kinds[] =
{
  { "busy", "busiest" }, { "most-idle", "most-idle" }, { "grain", "slowest" },
};

static gboolean
is_kept (const KymoTable *choice,
         gint64           pe)
{
  guint n;
  const gint64 *kept = kymo_table_peek_ints (choice, "kept", &n);

  for (guint i = 0; i < n; i++)
    if (kept[i] == pe)
      return TRUE;
  return FALSE;
}

/* Where all are alike none of them is missed. */
static void
append_dropped (KymoTable       *dropped,
                const KymoTable *choice,
                const KymoTable *extrema,
                const char      *why)
{
  for (guint i = 0; i < kymo_table_get_n_rows (extrema); i++)
    {
      gint64 pe = kymo_table_get_int (extrema, "location", i);
      double of_average = kymo_table_get_double (extrema, "of_average", i);

      if (!(of_average > 1) || is_kept (choice, pe))
        continue;
      kymo_table_append_row (dropped, why, pe, kymo_table_get_string (extrema, "label", i),
                             kymo_table_get_int (extrema, "value_ns", i), of_average);
    }
}

static KymoTable *
ask_extrema (const KymoReducerTruth  *truth,
             const char              *by,
             GError                 **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("extrema");

  kymo_question_set_span (question, truth->span);
  kymo_question_set (question, "by", by);
  kymo_question_set_int (question, "count", MOST_OF_A_KIND);
  return kymo_source_ask (truth->source, question, truth->cancellable, error);
}

/**
 * kymo_reducer_set_dropped:
 * @choice: with the PEs that are kept; gets the list "dropped"
 * @truth: the run
 * @error: where to put the reason
 *
 * Lists the PEs that are among the three with the most useful time ("busiest"), the most idle
 * time ("most-idle") or the longest blocks on average ("slowest") over the time that is
 * compared, lie above the average of all, and are not kept.
 *
 * Returns: whether it is known
 */
gboolean
kymo_reducer_set_dropped (KymoTable               *choice,
                          const KymoReducerTruth  *truth,
                          GError                 **error)
{
  g_autoptr (KymoTable) dropped = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (dropped, "why", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (dropped, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (dropped, "label", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (dropped, "value_ns", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (dropped, "of_average", KYMO_COLUMN_DOUBLE, 1);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoTable) answer = ask_extrema (truth, kinds[i].by, error);

      if (answer == NULL)
        return FALSE;
      append_dropped (dropped, choice, kymo_table_peek_nested (answer, "extrema", NULL),
                      kinds[i].why);
    }
  kymo_table_set_table (choice, "dropped", g_steal_pointer (&dropped));
  return TRUE;
}

/* -- sentences ------------------------------------------------------------- */

/* Each is translated as a whole: labels, the largest time among them, its share of the average. */
static const char *
sentence_of (const char *why,
             guint       n)
{
  if (g_str_equal (why, "busiest"))
    return ngettext ("%s is dropped, among the busiest: %s of useful time, %s of the average.",
                     "%s are dropped, among the busiest: up to %s of useful time, %s of the "
                     "average.", n);
  if (g_str_equal (why, "most-idle"))
    return ngettext ("%s is dropped, among the most idle: %s of idle time, %s of the average.",
                     "%s are dropped, among the most idle: up to %s of idle time, %s of the "
                     "average.", n);
  return ngettext ("%s is dropped, among the slowest: a block takes %s, %s of the average.",
                   "%s are dropped, among the slowest: a block takes up to %s, %s of the average.",
                   n);
}

/* Names are labels; those that have most of a kind stand first. */
static void
warn_dropped (GPtrArray       *warnings,
              const KymoTable *dropped,
              const char      *why)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL, *time = NULL, *share = NULL;
  guint first = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (dropped); i++)
    if (g_str_equal (kymo_table_get_string (dropped, "why", i), why))
      {
        first = names->len == 0 ? i : first;
        g_ptr_array_add (names, (char *) kymo_table_get_string (dropped, "label", i));
      }
  if (names->len == 0)
    return;
  time = kymo_format_duration (kymo_table_get_int (dropped, "value_ns", first));
  share = kymo_format_percent (kymo_table_get_double (dropped, "of_average", first));
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  g_ptr_array_add (warnings, g_strdup_printf (sentence_of (why, names->len - 1), list, time,
                                              share));
}

static void
warn_error (GPtrArray       *warnings,
            const KymoTable *choice)
{
  double error = kymo_table_get_double (choice, "time_profile_error", 0);

  if (isnan (error) || error <= KYMO_REDUCER_LARGE_ERROR)
    return;
  g_ptr_array_add (warnings, g_strdup_printf (
    _("The error of %.2f %% is above 10 %%: do not rely on extrapolated figures. More clusters "
      "and outliers make it smaller, or give the largest error."), 100 * error));
}

/* Seeds lie evenly on the diagonal of all vectors, most vectors near its ends. */
static void
warn_clusters (GPtrArray       *warnings,
               const KymoTable *choice)
{
  gint64 k = kymo_table_get_int (choice, "k", 0);
  guint n = kymo_table_get_n_rows (kymo_table_peek_nested (choice, "clusters", NULL));

  if (n < k)
    g_ptr_array_add (warnings, g_strdup_printf (
      ngettext ("%u cluster is left of %" G_GINT64_FORMAT " seeds: seeds are spread evenly from "
                "the shortest to the longest times, and nothing was nearest to the others.",
                "%u clusters are left of %" G_GINT64_FORMAT " seeds: seeds are spread evenly from "
                "the shortest to the longest times, and nothing was nearest to the others.", n),
      n, k));
}

/**
 * kymo_reducer_dup_warnings:
 * @choice: of kymo_reducer_choose()
 *
 * Says who is missed, when the error is above %KYMO_REDUCER_LARGE_ERROR, and when there are fewer
 * clusters than seeds.
 *
 * Returns: (transfer full): sentences, translated, with a %NULL behind them; none where all is well
 */
char **
kymo_reducer_dup_warnings (const KymoTable *choice)
{
  GPtrArray *warnings = g_ptr_array_new ();
  const KymoTable *dropped = kymo_table_peek_nested (choice, "dropped", NULL);

  warn_error (warnings, choice);
  warn_clusters (warnings, choice);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    warn_dropped (warnings, dropped, kinds[i].why);
  g_ptr_array_add (warnings, NULL);
  return (char **) g_ptr_array_free (warnings, FALSE);
}

static int
compare_pes (gconstpointer a,
             gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/**
 * kymo_reducer_dup_missed:
 * @choice: of kymo_reducer_choose()
 *
 * Returns: (transfer full) (nullable): the list that @also of a wish takes to keep the PEs that the
 *   warnings name, beside those it keeps already; %NULL where none is named
 */
char *
kymo_reducer_dup_missed (const KymoTable *choice)
{
  const KymoTable *dropped = kymo_table_peek_nested (choice, "dropped", NULL);
  const char *also = kymo_table_get_string (choice, "also", 0);
  g_autoptr (GArray) pes = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *text = NULL;

  for (guint i = 0; i < kymo_table_get_n_rows (dropped); i++)
    {
      gint64 pe = kymo_table_get_int (dropped, "location", i);
      gboolean is_known = FALSE;

      for (guint k = 0; k < pes->len && !is_known; k++)
        is_known = g_array_index (pes, gint64, k) == pe;
      if (!is_known)
        g_array_append_val (pes, pe);
    }
  if (pes->len == 0)
    return NULL;
  g_array_sort (pes, compare_pes);
  text = kymo_ids_to_text ((const gint64 *) pes->data, pes->len);
  return also != NULL && *also != 0 ? g_strdup_printf ("%s,%s", also, text)
    : g_steal_pointer (&text);
}
