/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `reduce`: a run with the PEs that stand for its clusters, and those that
 * stick out; with weights and a statement of how good it is.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include "kymo-quality.h"
#include "kymo-reduce.h"
#include "kymo-weights.h"

static gboolean
check_run (KymoCli *cli, GError **error)
{
  if (g_strcmp0 (cli->run->format, "projections") == 0
      && (cli->run->kind == KYMO_RUN_TRACE || cli->run->kind == KYMO_RUN_REDUCED))
    return TRUE;
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       "Only logs of Projections can be reduced; this run is a summary or a "
                       "stream");
  return FALSE;
}

static gboolean
check_options (KymoCli *cli, const char *out, GError **error)
{
  if (!kymo_cli_has (cli, "locations"))
    return kymo_reduce_check_out (out, error);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       "A reduction chooses among all PEs; --locations is not for it");
  return FALSE;
}

static KymoTable *
ask_clusters (KymoCli *cli, GError **error)
{
  static const char *const words[] = { "clusters", "outliers", "keep" };
  g_autoptr (KymoQuestion) question = kymo_question_new ("clusters");

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (kymo_cli_has (cli, words[i]))
      kymo_question_set (question, words[i], kymo_cli_get (cli, words[i]));
  return kymo_cli_ask (cli, question, error);
}

static KymoTable *
ask_grain (KymoCli *cli, KymoIdSet *locations, GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_quality_new_question ();

  if (locations != NULL)
    kymo_question_set_locations (question, locations);
  return kymo_source_ask (cli->source, question, kymo_job_peek_cancellable (cli->job), error);
}

/* Of the whole run, whatever time the PEs were compared over: whole logs are
   kept. So it is what `quality` says of both runs. */
static KymoTable *
ask_quality (KymoCli *cli, KymoIdSet *kept, GError **error)
{
  g_autoptr (KymoTable) full = ask_grain (cli, NULL, error);
  g_autoptr (KymoTable) reduced = full != NULL ? ask_grain (cli, kept, error) : NULL;

  return reduced == NULL ? NULL
    : kymo_quality_compare (full, reduced, kymo_quality_count_pes (cli->run, NULL),
                            kymo_quality_count_pes (cli->run, kept));
}

/* One line for every kept PE. */
static KymoTable *
list_weights (const KymoTable *locations)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint cluster = kymo_table_add_column (table, "cluster", KYMO_COLUMN_INT, 1);
  guint as = kymo_table_add_column (table, "kept_as", KYMO_COLUMN_STRING, 1);
  guint weight = kymo_table_add_column (table, "weight", KYMO_COLUMN_DOUBLE, 1);
  g_autofree double *weights = kymo_weights_new (locations);

  for (guint i = 0; i < kymo_table_get_n_rows (locations); i++)
    if (kymo_table_get_string (locations, "kept_as", i) != NULL)
      {
        kymo_table_append_int (table, location, kymo_table_get_int (locations, "location", i));
        kymo_table_append_int (table, cluster, kymo_table_get_int (locations, "cluster", i));
        kymo_table_append_string (table, as, kymo_table_get_string (locations, "kept_as", i));
        kymo_table_append_double (table, weight, weights[i]);
      }
  return table;
}

/* -- the note (docs/formats/kymo.md) --------------------------------------- */

/* The numbers of a nested list of a row. */
static void
note_list (GKeyFile *file, const char *group, const KymoTable *table, const char *name, guint row)
{
  const guint *offsets;
  KymoTable *list = kymo_table_peek_nested (table, name, &offsets);
  const gint64 *values = kymo_table_peek_ints (list, "value", NULL);
  guint n = offsets[row + 1] - offsets[row];
  g_autofree int *numbers = g_new (int, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    numbers[i] = values[offsets[row] + i];
  g_key_file_set_integer_list (file, group, name, numbers, n);
}

static void
note_clusters (GKeyFile *file, const KymoTable *clusters)
{
  for (guint i = 0; i < kymo_table_get_n_rows (clusters); i++)
    {
      g_autofree char *group = g_strdup_printf ("Cluster %u", i);

      g_key_file_set_int64 (file, group, "representative",
                            kymo_table_get_int (clusters, "representative", i));
      note_list (file, group, clusters, "outliers", i);
      note_list (file, group, clusters, "members", i);
    }
}

static void
note_weights (GKeyFile *file, const KymoTable *weights)
{
  for (guint i = 0; i < kymo_table_get_n_rows (weights); i++)
    {
      g_autofree char *pe = g_strdup_printf ("%" G_GINT64_FORMAT,
                                             kymo_table_get_int (weights, "location", i));

      g_key_file_set_double (file, "Weights", pe, kymo_table_get_double (weights, "weight", i));
    }
}

static void
note_quality (GKeyFile *file, const KymoTable *quality)
{
  static const char *const names[] = { "share", "mean_ratio", "stddev" };

  g_key_file_set_int64 (file, "Quality", "pes", kymo_table_get_int (quality, "pes", 0));
  g_key_file_set_int64 (file, "Quality", "pes_kept", kymo_table_get_int (quality, "pes_kept", 0));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_key_file_set_double (file, "Quality", names[i],
                           kymo_table_get_double (quality, names[i], 0));
}

static char *
make_note (KymoCli *cli, const KymoTable *clusters, const KymoTable *weights,
           const KymoTable *quality)
{
  static const char *const counts[] = { "begin_ns", "end_ns", "k", "outliers" };
  g_autoptr (GKeyFile) file = g_key_file_new ();
  guint n;
  const gint64 *kept = kymo_table_peek_ints (clusters, "kept", &n);
  g_autofree int *numbers = g_new (int, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    numbers[i] = kept[i];
  g_key_file_set_integer (file, KYMO_REDUCED_GROUP, "version", KYMO_REDUCED_VERSION);
  g_key_file_set_int64 (file, KYMO_REDUCED_GROUP, "processors", cli->run->n_locations_original);
  g_key_file_set_int64 (file, KYMO_REDUCED_GROUP, "pes", kymo_table_get_int (clusters, "pes", 0));
  g_key_file_set_integer_list (file, KYMO_REDUCED_GROUP, "kept", numbers, n);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_key_file_set_int64 (file, "Parameters", counts[i],
                          kymo_table_get_int (clusters, counts[i], 0));
  g_key_file_set_string (file, "Parameters", "seeding",
                         kymo_table_get_string (clusters, "seeding", 0));
  g_key_file_set_string (file, "Parameters", "scale",
                         kymo_table_get_string (clusters, "scale", 0));
  note_clusters (file, kymo_table_peek_nested (clusters, "clusters", NULL));
  note_weights (file, weights);
  note_quality (file, quality);
  return g_key_file_to_data (file, NULL, NULL);
}

/* -- the command ----------------------------------------------------------- */

static KymoTable *
make_answer (const KymoTable *clusters, KymoTable *weights, KymoTable *quality,
             gint64 bytes_before, gint64 bytes_after)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  guint n;
  const gint64 *kept = kymo_table_peek_ints (clusters, "kept", &n);

  kymo_table_set_int (answer, "pes", kymo_table_get_int (clusters, "pes", 0));
  kymo_table_set_ints (answer, "kept", kept, n);
  kymo_table_set_int (answer, "bytes_before", bytes_before);
  kymo_table_set_int (answer, "bytes_after", bytes_after);
  kymo_table_set_table (answer, "clusters", kymo_table_ref (
    kymo_table_peek_nested (clusters, "clusters", NULL)));
  kymo_table_set_table (answer, "weights", kymo_table_ref (weights));
  kymo_table_set_table (answer, "quality", kymo_table_ref (quality));
  return answer;
}

static KymoTable *
reduce (KymoCli *cli, const char *out, GError **error)
{
  g_autoptr (KymoTable) clusters = ask_clusters (cli, error);
  guint n;
  const gint64 *kept;

  if (clusters == NULL)
    return NULL;
  kept = kymo_table_peek_ints (clusters, "kept", &n);
  g_autoptr (KymoIdSet) set = kymo_id_set_new_list (kept, n);
  g_autoptr (KymoTable) quality = ask_quality (cli, set, error);
  if (quality == NULL)
    return NULL;
  g_autoptr (KymoTable) weights = list_weights (
    kymo_table_peek_nested (clusters, "locations", NULL));
  g_autofree char *note = make_note (cli, clusters, weights, quality);
  gint64 before = 0, after = 0;

  kymo_job_set_stage (cli->job, "Writing");
  return kymo_reduce_write (cli->words->pdata[0], kymo_cli_get (cli, "base"), set, out, note,
                            &before, &after, cli->job, error)
    ? make_answer (clusters, weights, quality, before, after) : NULL;
}

/**
 * kymo_cli_run_reduce:
 * @cli: the invocation; its words are the run and the folder to be made
 * @error: where to put the reason
 *
 * Writes a run with the PEs that stand for the others.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_reduce (KymoCli *cli, GError **error)
{
  const char *out = cli->words->pdata[1];

  if (!check_options (cli, out, error) || !kymo_cli_open (cli, cli->words->pdata[0], error)
      || !check_run (cli, error))
    return KYMO_CLI_FAILED;
  g_autoptr (KymoTable) answer = reduce (cli, out, error);
  return answer != NULL && kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK
    : KYMO_CLI_FAILED;
}

/** kymo_cli_text_reduce: what was kept, and how good it is */
void
kymo_cli_text_reduce (KymoCli *cli, const KymoTable *answer, GString *out)
{
  KymoTable *quality = kymo_table_peek_nested (answer, "quality", NULL);
  guint n;
  const gint64 *kept = kymo_table_peek_ints (answer, "kept", &n);
  g_autofree char *pes = kymo_ids_to_text (kept, n);
  g_autofree char *before = kymo_format_bytes (kymo_table_get_int (answer, "bytes_before", 0));
  g_autofree char *after = kymo_format_bytes (kymo_table_get_int (answer, "bytes_after", 0));

  g_string_append_printf (out, "PEs %s: %s of %s.\n", pes, after, before);
  kymo_cli_text_quality_sums (quality, out);
}
