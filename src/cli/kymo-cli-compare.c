/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `compare`: several runs against the first one. Opens them, puts one question to
 * all, and for a build server tells what grew by more than a bound and more than noise.
 */
#include "config.h"

#include "kymo-cli.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kymo-changes.h"
#include "kymo-comparison.h"
#include "kymo-regions.h"

/* Smallest change, as a share of A's time, that can fail a build. */
#define MIN_EFFECT 0.01

/* -- the runs ----------------------------------------------------------------- */

/** Side: paths of its runs */
typedef struct
{
  GPtrArray *paths;
} Side;

static void
side_clear (gpointer data)
{
  g_ptr_array_unref (((Side *) data)->paths);
}

static Side *
peek_side (GArray *sides, guint side)
{
  return &g_array_index (sides, Side, side);
}

static gboolean
add_repeats (KymoCli *cli, GArray *sides, GError **error)
{
  static const char *const options[] = { "repeat-of-a", "repeat-of-b" };
  g_auto (GStrv) named = kymo_cli_dup_many (cli, "repeat-of");

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_auto (GStrv) paths = kymo_cli_dup_many (cli, options[i]);

      for (guint k = 0; kymo_cli_has (cli, options[i]) && paths[k] != NULL; k++)
        g_ptr_array_add (peek_side (sides, i)->paths, g_strdup (paths[k]));
    }
  for (guint k = 0; kymo_cli_has (cli, "repeat-of") && named[k] != NULL; k++)
    {
      const char *equals = strchr (named[k], '=');
      g_autofree char *label = g_strndup (named[k], equals != NULL ? equals - named[k] : 0);
      gint side = kymo_comparison_parse_side (label, sides->len);

      if (side < 0)
        {
          g_autofree char *shown = g_utf8_make_valid (named[k], -1);
          g_autofree char *last = kymo_comparison_dup_side_label (sides->len - 1);

          g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       "“%s” is no value for --repeat-of: A=RUN to %s=RUN is needed", shown,
                       last);
          return FALSE;
        }
      g_ptr_array_add (peek_side (sides, side)->paths, g_strdup (equals + 1));
    }
  return TRUE;
}

/* The runs of each side: the positionals are the first runs, --repeat-of adds others. */
static GArray *
find_sides (KymoCli *cli, guint first, GError **error)
{
  g_autoptr (GArray) sides = g_array_new (FALSE, FALSE, sizeof (Side));
  guint n_runs = 0;

  g_array_set_clear_func (sides, side_clear);
  for (guint i = first; i < cli->words->len; i++)
    {
      Side side = { g_ptr_array_new_with_free_func (g_free) };

      g_ptr_array_add (side.paths, g_strdup (cli->words->pdata[i]));
      g_array_append_val (sides, side);
    }
  if (sides->len < 2)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           "a comparison needs two runs or more");
      return NULL;
    }
  if (!add_repeats (cli, sides, error))
    return NULL;
  for (guint i = 0; i < sides->len; i++)
    n_runs += peek_side (sides, i)->paths->len;
  if (n_runs <= KYMO_MOST_RUNS)
    return g_steal_pointer (&sides);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               "%u runs are more than the %u that are compared at once", n_runs, KYMO_MOST_RUNS);
  return NULL;
}

/**
 * kymo_cli_open_another:
 * @path: folder or file, or its address on another machine
 *
 * Opens one of several runs. The first run stays the run of the invocation, whose load report is
 * printed at the end; the others are kept in @cli->others, and their reports are printed here.
 *
 * Returns: (transfer none) (nullable): the run, or %NULL with an error
 */
KymoSource *
kymo_cli_open_another (KymoCli *cli, const char *path, GError **error)
{
  KymoRun *run = g_steal_pointer (&cli->run);
  KymoSource *source = g_steal_pointer (&cli->source);
  gboolean opened = kymo_cli_open (cli, path, error);

  if (cli->others == NULL)
    cli->others = g_ptr_array_new_with_free_func (g_object_unref);
  if (source == NULL)
    return opened ? cli->source : NULL;
  if (opened)
    {
      cli->status = kymo_cli_tell_report (cli, cli->status);
      g_ptr_array_add (cli->others, g_object_ref (cli->source));
    }
  g_clear_object (&cli->source);
  g_clear_pointer (&cli->run, kymo_run_unref);
  cli->run = run;
  cli->source = source;
  return opened ? cli->others->pdata[cli->others->len - 1] : NULL;
}

static gboolean
align (KymoCli *cli, KymoComparison *comparison, GError **error)
{
  const char *how = kymo_cli_get (cli, "align");

  return how == NULL
    || kymo_comparison_align (comparison, how, kymo_job_peek_cancellable (cli->job), error);
}

/**
 * kymo_cli_open_comparison:
 * @first: place of the first run among the words of the command
 *
 * Opens each run, and tells the load reports of all but the first one. The first one becomes
 * cli->run and cli->source, the sources of the others go into cli->others.
 *
 * Returns: (transfer full) (nullable): the comparison of all sides; %NULL with %KYMO_ERROR_USAGE
 *   for fewer than two runs, too many, or a wrong side, and with another error where a run cannot
 *   be opened or aligned
 */
KymoComparison *
kymo_cli_open_comparison (KymoCli *cli, guint first, GError **error)
{
  g_autoptr (GArray) sides = find_sides (cli, first, error);
  g_autoptr (GPtrArray) sources = g_ptr_array_new ();
  g_autoptr (GArray) of_run = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (KymoComparison) comparison = NULL;

  if (sides == NULL)
    return NULL;
  for (guint side = 0; side < sides->len; side++)
    for (guint i = 0; i < peek_side (sides, side)->paths->len; i++)
      {
        const char *path = peek_side (sides, side)->paths->pdata[i];
        KymoSource *source = kymo_cli_open_another (cli, path, error);

        if (source == NULL)
          return NULL;
        g_ptr_array_add (sources, source);
        g_array_append_val (of_run, side);
      }
  comparison = kymo_comparison_new ((KymoSource **) sources->pdata, (guint *) of_run->data,
                                    sources->len);
  return align (cli, comparison, error) ? g_steal_pointer (&comparison) : NULL;
}

/* -- the question --------------------------------------------------------------- */

static gboolean
add_against (KymoCli *cli, guint n_sides, GHashTable *parameters, GError **error)
{
  const char *text = kymo_cli_get (cli, "against");
  g_autofree char *shown = NULL, *last = NULL;
  gint side;

  if (text == NULL)
    return TRUE;
  side = kymo_comparison_parse_side (text, n_sides);
  if (side >= 0)
    {
      g_hash_table_insert (parameters, g_strdup ("against"), g_strdup_printf ("%d", side));
      return TRUE;
    }
  shown = g_utf8_make_valid (text, -1);
  last = kymo_comparison_dup_side_label (n_sides - 1);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               "“%s” is no value for --against: the letter of a run is needed, A to %s", shown,
               last);
  return FALSE;
}

/**
 * kymo_cli_find_range:
 * @source: the run
 * @text: two times, as "10ms..20ms", or the name of a region of the run; what begins with a digit
 *   is meant as a time
 * @span: (out): the range, in the time of the run
 *
 * Finds a range that an option says. Asks the run for its regions where it has to, and blocks
 * meanwhile.
 *
 * Returns: whether there is such a range; %FALSE with @error where the run has no region of that
 *   name, without @error where @text is neither
 */
gboolean
kymo_cli_find_range (KymoCli *cli, KymoSource *source, const char *text, KymoSpan *span,
                     GError **error)
{
  if (kymo_parse_span (text, span, NULL))
    return TRUE;
  return *text != '\0' && !g_ascii_isdigit (*text)
    && kymo_regions_ask (source, text, kymo_job_peek_cancellable (cli->job), span, error);
}

/* Parses "1=10ms..20ms" and "1=iteration:3": the number of a run and a range of its own time. */
static gboolean
add_ranges (KymoCli *cli, KymoComparison *comparison, GHashTable *parameters, GError **error)
{
  guint n_runs = kymo_comparison_get_n_runs (comparison);
  g_auto (GStrv) ranges = kymo_cli_dup_many (cli, "range-of");

  for (guint i = 0; kymo_cli_has (cli, "range-of") && ranges[i] != NULL; i++)
    {
      const char *equals = strchr (ranges[i], '=');
      g_autofree char *number = g_strndup (ranges[i], equals != NULL ? equals - ranges[i] : 0);
      g_autoptr (GError) no_region = NULL;
      guint64 run;
      KymoSpan span;

      if (!g_ascii_string_to_unsigned (number, 10, 0, n_runs - 1, &run, NULL)
          || !kymo_cli_find_range (cli, kymo_comparison_peek_run (comparison, run), equals + 1,
                                   &span, &no_region))
        {
          g_autofree char *shown = g_utf8_make_valid (ranges[i], -1);

          if (no_region != NULL)
            {
              g_propagate_error (error, g_steal_pointer (&no_region));
              return FALSE;
            }
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       "“%s” is no value for --range-of: the number of a run, 0 to %u, and its "
                       "range as 1=10ms..20ms are needed", shown, n_runs - 1);
          return FALSE;
        }
      g_hash_table_insert (parameters, g_strdup_printf ("begin-%u", (guint) run),
                           g_strdup_printf ("%" PRId64, span.begin_ns));
      g_hash_table_insert (parameters, g_strdup_printf ("end-%u", (guint) run),
                           g_strdup_printf ("%" PRId64, span.end_ns));
    }
  return TRUE;
}

/**
 * kymo_cli_add_compared:
 * @comparison: says which numbers of runs and letters of sides there are
 * @parameters: (element-type utf8 utf8): gets the keywords; owns its keys and values
 *
 * Puts --figure, --time-scale, --metric, --phase, --region, --extrapolate and --workers-only into
 * @parameters where they were given, then --range-of and --against.
 *
 * Returns: %FALSE with %KYMO_ERROR_USAGE where --range-of or --against names no run or side, or
 *   no range
 */
gboolean
kymo_cli_add_compared (KymoCli         *cli,
                       KymoComparison  *comparison,
                       GHashTable      *parameters,
                       GError         **error)
{
  static const char *const words[][2] =
    { { "figure", "figure" }, { "time-scale", "scale" }, { "metric", "metric" },
      { "phase", "phase" }, { "region", "region" },
      { "extrapolate", "extrapolate" }, { "workers-only", "workers-only" } };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (kymo_cli_has (cli, words[i][0]))
      g_hash_table_insert (parameters, g_strdup (words[i][1]),
                           g_strdup (kymo_cli_get (cli, words[i][0])));
  return add_ranges (cli, comparison, parameters, error)
    && add_against (cli, kymo_comparison_get_n_sides (comparison), parameters, error);
}

static KymoQuestion *
build_question (KymoCli *cli, KymoComparison *comparison, GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (
    kymo_cli_has (cli, "info") ? "compare-info"
    : kymo_cli_has (cli, "bins") ? "compare-time-profile" : "compare");
  g_autoptr (KymoIdSet) locations = kymo_cli_dup_locations (cli);
  g_autoptr (GHashTable) parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                             g_free);
  GHashTableIter iter;
  gpointer key, value;

  if (!kymo_cli_add_compared (cli, comparison, parameters, error))
    return NULL;
  kymo_question_set_span (question, kymo_cli_get_span (cli));
  kymo_question_set_locations (question, locations);
  kymo_question_set_resolution (question, kymo_cli_get_count (cli, "bins", 0), 0);
  kymo_question_set_int (question, "once", 1);
  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &key, &value))
    kymo_question_set (question, key, value);
  return g_steal_pointer (&question);
}

/* -- bounds --------------------------------------------------------------------- */

/* TRUE if a row grew by more than the bound, by more than noise and by at least the smallest
   effect. A new activity grew beyond any bound. */
static gboolean
is_broken (const KymoTable *table, guint row, const char *difference, double bound,
           double least)
{
  double ratio = kymo_table_get_double (table, "ratio", row);
  double effect = kymo_table_get_double (table, "effect", row);

  return kymo_table_get_int (table, difference, row) > 0
    && !kymo_table_get_bool (table, "is_noise", row) && !(effect < least)
    && (!isfinite (ratio) || ratio > 1 + bound);
}

/* Adds a row of "broken" for each broken bound: what it limits, name and figures. */
static guint
list_broken (KymoCli *cli, KymoTable *answer)
{
  static const char *const lists[] = { "totals", "activities" };
  KymoTable *broken = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint what = kymo_table_add_column (broken, "what", KYMO_COLUMN_STRING, 1);
  guint name = kymo_table_add_column (broken, "name", KYMO_COLUMN_STRING, 1);
  guint ratio = kymo_table_add_column (broken, "ratio", KYMO_COLUMN_DOUBLE, 1);
  guint effect = kymo_table_add_column (broken, "effect", KYMO_COLUMN_DOUBLE, 1);
  double bound = kymo_cli_get_number (cli, "max-growth", 0);
  double least = kymo_cli_get_number (cli, "min-effect", MIN_EFFECT);
  const char *difference = kymo_table_get_bool (answer, "is_time", 0) ? "difference_ns"
    : "difference";

  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    {
      const KymoTable *table = kymo_table_peek_nested (answer, lists[k], NULL);

      for (guint i = 0; i < kymo_table_get_n_rows (table); i++)
        {
          if (!is_broken (table, i, difference, bound, least))
            continue;
          kymo_table_append_string (broken, what, k == 0 ? "total" : "activity");
          kymo_table_append_string (broken, name, kymo_table_get_string (table, "name", i));
          kymo_table_append_double (broken, ratio, kymo_table_get_double (table, "ratio", i));
          kymo_table_append_double (broken, effect, kymo_table_get_double (table, "effect", i));
        }
    }
  kymo_table_set_double (answer, "max_growth", bound);
  kymo_table_set_table (answer, "broken", broken);
  return kymo_table_get_n_rows (broken);
}

/* What changed the time, by cause. Where the time of a run is not known there is nothing to add. */
static void
add_changes (KymoCli *cli, KymoComparison *comparison, KymoTable *answer)
{
  KymoTable *changes;

  if (kymo_cli_has (cli, "info") || kymo_cli_has (cli, "bins") || kymo_cli_has (cli, "metric"))
    return;
  changes = kymo_changes_new (comparison, answer, kymo_job_peek_cancellable (cli->job), NULL);
  if (changes != NULL)
    kymo_table_set_table (answer, "changed", changes);
}

static gboolean
check_options (KymoCli *cli, GError **error)
{
  gboolean other = kymo_cli_has (cli, "info") || kymo_cli_has (cli, "bins");

  if (kymo_cli_has (cli, "max-growth") && other)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         "--max-growth is about activities; --info and --bins do not go with it");
  else if (kymo_cli_has (cli, "info") && kymo_cli_has (cli, "bins"))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         "--info and --bins are different answers; one at a time");
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_cli_run_compare:
 * @cli: the invocation; its words are the runs
 * @error: where to put the reason
 *
 * Compares runs, and with --max-growth fails where one grew.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_compare (KymoCli *cli, GError **error)
{
  g_autoptr (KymoComparison) comparison = NULL;
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (KymoTable) answer = NULL;
  gboolean broken = FALSE;

  if (!check_options (cli, error))
    return KYMO_CLI_USAGE;
  comparison = kymo_cli_open_comparison (cli, 0, error);
  if (comparison == NULL)
    return KYMO_CLI_FAILED;
  question = build_question (cli, comparison, error);
  if (question == NULL)
    return KYMO_CLI_FAILED;
  kymo_job_set_stage (cli->job, "Comparing");
  answer = kymo_source_ask (KYMO_SOURCE (comparison), question,
                            kymo_job_peek_cancellable (cli->job), error);
  if (answer == NULL)
    return KYMO_CLI_FAILED;
  add_changes (cli, comparison, answer);
  if (kymo_cli_has (cli, "max-growth"))
    broken = list_broken (cli, answer) > 0;
  if (!kymo_cli_write_table (cli, answer, error) || broken)
    return KYMO_CLI_FAILED;
  return cli->status;
}
