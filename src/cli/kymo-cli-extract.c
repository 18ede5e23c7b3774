/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `extract`: some locations and a time range of a run, as a run of its own.
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-part.h"
#include "kymo-reduce.h"

/* Numbers of the chosen PEs of the run, ascending. */
static GArray *
list_pes (KymoCli *cli, GError **error)
{
  g_autoptr (KymoIdSet) locations = kymo_cli_dup_locations (cli);
  g_autoptr (GArray) pes = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < cli->run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (cli->run, i);

      if ((locations == NULL || kymo_id_set_contains (locations, location->id))
          && !(kymo_cli_has (cli, "workers-only") && location->kind != KYMO_LOCATION_WORKER))
        g_array_append_val (pes, location->id);
    }
  if (pes->len > 0)
    return g_steal_pointer (&pes);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       "None of the locations that were asked for is in the run");
  return NULL;
}

/**
 * kymo_cli_set_written:
 * @answer: gets the bytes that were written, those of the run where they are known, and
 *   what the form of the files cannot hold
 */
void
kymo_cli_set_written (KymoTable *answer, const KymoExtractResult *result)
{
  if (result->bytes_before >= 0)
    kymo_table_set_int (answer, "bytes_before", result->bytes_before);
  kymo_table_set_int (answer, "bytes_after", result->bytes_after);
  if (result->left_out != NULL)
    kymo_cli_set_left_out (answer, result->left_out);
}

/** kymo_cli_dup_written: (transfer full): "3 MB of 20 MB", or "3 MB" */
char *
kymo_cli_dup_written (const KymoTable *answer)
{
  gint64 bytes_before = kymo_table_get_int (answer, "bytes_before", 0);
  g_autofree char *before = kymo_format_bytes (bytes_before);
  g_autofree char *after = kymo_format_bytes (kymo_table_get_int (answer, "bytes_after", 0));

  return kymo_table_find_column (answer, "bytes_before") >= 0
    ? g_strdup_printf ("%s of %s", after, before) : g_steal_pointer (&after);
}

static KymoTable *
make_answer (KymoCli *cli, KymoSpan span, const KymoExtractResult *result)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (answer, "pes", cli->run->locations->len);
  kymo_table_set_ints (answer, "kept", (const gint64 *) result->kept->data, result->kept->len);
  kymo_table_set_ints (answer, "copied_whole", (const gint64 *) result->copied->data,
                       result->copied->len);
  kymo_table_set_int (answer, "begin_ns", span.begin_ns);
  kymo_table_set_int (answer, "end_ns", span.end_ns);
  kymo_cli_set_written (answer, result);
  return answer;
}

static KymoTable *
extract (KymoCli *cli, const char *out, GError **error)
{
  KymoSpan span = kymo_span_intersect (kymo_cli_get_span (cli), cli->run->span);
  g_autoptr (GArray) pes = list_pes (cli, error);
  g_auto (KymoExtractResult) result = { NULL };
  KymoPartWish wish =
  {
    .path = cli->words->pdata[0], .base = kymo_cli_get (cli, "base"), .span = span,
    .out = out, .n_threads = kymo_cli_get_count (cli, "threads", 0),
  };

  if (pes == NULL || !kymo_cli_check_range (cli, span, error))
    return NULL;
  wish.locations = (const gint64 *) pes->data;
  wish.n_locations = pes->len;
  return kymo_part_write (cli->run, &wish, &result, cli->job, error)
    ? make_answer (cli, span, &result) : NULL;
}

/**
 * kymo_cli_run_extract:
 * @cli: the invocation; its words are the run and the folder to be made
 * @error: where to put the reason
 *
 * Writes a part of a run.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_extract (KymoCli *cli, GError **error)
{
  const char *out = cli->words->pdata[1];

  if (!kymo_reduce_check_place (cli->words->pdata[0], out, error)
      || !kymo_cli_open (cli, cli->words->pdata[0], error)
      || !kymo_part_check (cli->run, error))
    return KYMO_CLI_FAILED;
  g_autoptr (KymoTable) answer = extract (cli, out, error);
  return answer != NULL && kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK
    : KYMO_CLI_FAILED;
}

/** kymo_cli_text_extract: what was written */
void
kymo_cli_text_extract (KymoCli *cli, const KymoTable *answer, GString *out)
{
  guint n, n_whole;
  const gint64 *kept = kymo_table_peek_ints (answer, "kept", &n);
  const gint64 *whole = kymo_table_peek_ints (answer, "copied_whole", &n_whole);
  g_autofree char *pes = kymo_ids_to_text (kept, n);
  g_autofree char *size = kymo_cli_dup_written (answer);
  g_autofree char *rows = kymo_cli_heading (kymo_cli_row (cli, TRUE));
  g_autofree char *begin = kymo_format_duration_exact (
    kymo_table_get_int (answer, "begin_ns", 0));
  g_autofree char *end = kymo_format_duration_exact (
    kymo_table_get_int (answer, "end_ns", 0));

  if (cli->run->profiles != NULL)
    g_string_append_printf (out, "%s %s: %s.\n", rows, pes, size);
  else
    g_string_append_printf (out, "%s %s, %s to %s: %s.\n", rows, pes, begin, end, size);
  if (n_whole > 0)
    {
      g_autofree char *names = kymo_ids_to_text (whole, n_whole);

      g_string_append_printf (out, "Damaged or out of order, so copied whole: PEs %s.\n", names);
    }
  kymo_cli_text_left_out (answer, out);
}
