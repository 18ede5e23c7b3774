/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `chain`: its steps and sums; and of `critical-path`: what is on it, on which
 * PEs, and its longest steps.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#define MAX_ROWS 15
#define MAX_STEPS 10

/* The rows of a list with the most of something, the most first. */
static GArray *
rank_text_path (const KymoTable *list, const char *of, guint most)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (KymoCliRanked));

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      KymoCliRanked one = { i, kymo_table_get_int (list, of, i) };

      g_array_append_val (ranked, one);
    }
  g_array_sort (ranked, kymo_cli_compare_ranked);
  g_array_set_size (ranked, MIN (ranked->len, most));
  return ranked;
}

static void
take_time (KymoCliGrid *grid, gint64 ns, gint64 all_ns)
{
  kymo_cli_grid_take (grid, kymo_format_duration (ns));
  kymo_cli_grid_take (grid, all_ns > 0
                      ? kymo_format_percent ((double) ns / all_ns)
                      : g_strdup ("–"));
}

static void
write_list (const KymoTable *answer, const char *list_name,
            const char *name, const char *head, GString *out)
{
  KymoTable *list = kymo_table_peek_nested (answer, list_name, NULL);
  gint64 all_ns = kymo_table_get_int (answer, "path_ns", 0);
  g_autoptr (GArray) ranked = rank_text_path (list, "path_ns", MAX_ROWS);
  const char *heads[] = { head, "Time", "Share", "Steps" };
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 1);

  for (guint i = 0; i < ranked->len; i++)
    {
      const KymoCliRanked *one = &g_array_index (ranked, KymoCliRanked, i);

      kymo_cli_grid_add (grid, kymo_table_get_string (list, name, one->row));
      take_time (grid, one->ns, all_ns);
      kymo_cli_grid_count (grid, list, "steps", one->row);
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
  if (kymo_table_get_n_rows (list) > ranked->len)
    g_string_append_printf (out, "and %u more\n",
                            kymo_table_get_n_rows (list) - ranked->len);
}

/* Steps lie in order of time; the longest of them are told. */
static void
write_steps (KymoCli *cli, const KymoTable *answer, GString *out)
{
  KymoTable *steps = kymo_table_peek_nested (answer, "steps", NULL);
  KymoTable *lengths = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoCliGrid *grid = kymo_cli_grid_new (4);
  g_autoptr (GArray) ranked = NULL;

  kymo_table_add_column (lengths, "ns", KYMO_COLUMN_INT, 1);
  for (guint i = 0; i < kymo_table_get_n_rows (steps); i++)
    kymo_table_append_int (lengths, 0, kymo_table_get_int (steps, "end_ns", i)
                           - kymo_table_get_int (steps, "begin_ns", i));
  ranked = rank_text_path (lengths, "ns", MAX_STEPS);
  kymo_table_unref (lengths);
  for (guint i = 0; i < 3; i++)
    kymo_cli_grid_right (grid, i);
  kymo_cli_grid_add (grid, "Longest steps");
  kymo_cli_grid_add (grid, "From");
  kymo_cli_grid_take (grid, kymo_cli_heading (kymo_cli_row (cli, FALSE)));
  kymo_cli_grid_add (grid, "What");
  for (guint i = 0; i < ranked->len; i++)
    {
      const KymoCliRanked *one = &g_array_index (ranked, KymoCliRanked, i);

      kymo_cli_grid_take (grid, kymo_format_duration (one->ns));
      kymo_cli_grid_take (grid, kymo_format_duration_exact (
        kymo_table_get_int (steps, "begin_ns", one->row)));
      kymo_cli_grid_take (grid, g_strdup_printf (
        "%" G_GINT64_FORMAT, kymo_table_get_int (steps, "location", one->row)));
      kymo_cli_grid_add (grid, strcmp (kymo_table_get_string (steps, "kind", one->row),
                                       "message") == 0 ? "a message on its way to it"
                         : kymo_table_get_string (steps, "name", one->row));
    }
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
}

/* -- chain ----------------------------------------------------------------- */

/* Between functions the chain goes to the location that was waited for. */
static gboolean
is_along_waits (const KymoTable *answer)
{
  return g_strcmp0 (kymo_table_get_string (answer, "along", 0), "waits") == 0;
}

static char *
words_of_step (const KymoTable *answer, const KymoTable *steps, guint i)
{
  const char *kind = kymo_table_get_string (steps, "kind", i);
  const char *name = kymo_table_get_string (steps, "name", i);

  if (strcmp (kind, "message") == 0 && is_along_waits (answer))
    return g_strdup_printf ("%s has waited for %s", name,
                            kymo_table_get_string (steps, "from_label", i));
  if (strcmp (kind, "message") == 0)
    return g_strdup_printf ("message from %s", kymo_table_get_string (steps, "from_label", i));
  if (strcmp (kind, "queue") == 0)
    return g_strdup ("it waits behind other work");
  return g_strdup (name);
}

static void
write_chain_steps (KymoCli *cli, const KymoTable *answer, GString *out)
{
  KymoTable *steps = kymo_table_peek_nested (answer, "steps", NULL);
  KymoCliGrid *grid = kymo_cli_grid_new (5);

  kymo_cli_grid_right (grid, 0);
  kymo_cli_grid_right (grid, 3);
  kymo_cli_grid_right (grid, 4);
  kymo_cli_grid_add (grid, "Step");
  kymo_cli_grid_take (grid, kymo_cli_heading (kymo_cli_row (cli, FALSE)));
  kymo_cli_grid_add (grid, "What");
  kymo_cli_grid_add (grid, "From");
  kymo_cli_grid_add (grid, "Took");
  for (guint i = 0; i < kymo_table_get_n_rows (steps); i++)
    {
      gint64 took_ns = kymo_table_get_int (steps, "took_ns", i);
      g_autofree char *took = kymo_format_duration (ABS (took_ns));

      kymo_cli_grid_take (grid, g_strdup_printf ("%" G_GINT64_FORMAT,
                                                 kymo_table_get_int (steps, "step", i)));
      kymo_cli_grid_add (grid, kymo_table_get_string (steps, "label", i));
      kymo_cli_grid_take (grid, words_of_step (answer, steps, i));
      kymo_cli_grid_take (grid, kymo_format_duration_exact (
        kymo_table_get_int (steps, "begin_ns", i)));
      kymo_cli_grid_take (grid, g_strconcat (took_ns < 0 ? "-" : "", took, NULL));
    }
  kymo_cli_grid_end (grid, out);
}

static void
write_caused (const KymoTable *answer, GString *out)
{
  g_autofree char *caused = kymo_format_count (kymo_table_get_int (answer, "caused", 0));
  g_autofree char *took = kymo_format_duration (kymo_table_get_int (answer, "caused_ns", 0));

  if (is_along_waits (answer))
    g_string_append_printf (out, "Calls that waited for it, directly or through others: %s, for "
                            "%s together.\n", caused, took);
  else
    g_string_append_printf (out, "The block caused %s blocks, which took %s together.\n", caused,
                            took);
}

/** kymo_cli_text_chain: what it takes, where it ends, and its steps */
void
kymo_cli_text_chain (KymoCli *cli, const KymoTable *table, GString *out)
{
  static const struct { const char *word, *words; } ends[] = {
    { "started", "no message started its first block" },
    { "unmatched", "the sending of the message before is not in the run" },
    { "uncertain", "the message before was created for another entry method" },
    { "outside", "the message before was sent outside of all blocks" },
    { "round", "it comes back to a block that is on it" },
    { "begin", "it goes back to the begin of the run" },
    { "reached", "it begins with the block that was asked for" },
  };
  g_autofree char *total = kymo_format_duration (kymo_table_get_int (table, "total_ns", 0));
  g_autofree char *queue = kymo_format_duration (kymo_table_get_int (table, "queue_ns", 0));
  g_autofree char *messages = kymo_format_count (kymo_table_get_int (table, "messages", 0));
  const char *ended = kymo_table_get_string (table, "ended", 0);

  if (is_along_waits (table))
    g_string_append_printf (out, "The chain takes %s and goes over %s waits from one %s to another",
                            total, messages, kymo_cli_row (cli, FALSE));
  else
    g_string_append_printf (out, "The chain takes %s over %s messages, of which at most %s "
                            "waiting behind other work", total, messages, queue);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (strcmp (ended, ends[i].word) == 0)
      g_string_append_printf (out, "; %s", ends[i].words);
  g_string_append (out, ".\n");
  if (kymo_table_find_column (table, "caused") >= 0)
    write_caused (table, out);
  g_string_append_c (out, '\n');
  write_chain_steps (cli, table, out);
}

/* -- critical path --------------------------------------------------------- */

/** kymo_cli_text_critical_path: what is on it, where, and its longest steps */
void
kymo_cli_text_critical_path (KymoCli *cli, const KymoTable *table, GString *out)
{
  g_autofree char *length = kymo_format_duration (kymo_table_get_int (table, "path_ns", 0));
  g_autofree char *end = kymo_format_duration_exact (
    kymo_table_get_int (table, "path_end_ns", 0));
  g_autofree char *steps = kymo_format_count (kymo_table_get_int (table, "steps_in_all", 0));
  g_autofree char *messages = kymo_format_count (kymo_table_get_int (table, "messages", 0));
  g_autofree char *row = kymo_cli_heading (kymo_cli_row (cli, FALSE));

  if (kymo_table_get_int (table, "path_ns", 0) == 0)
    {
      g_string_append (out, "No block is in this range.\n");
      return;
    }
  g_string_append_printf (out, "The path that ends at %s takes %s: %s steps, %s of them "
                          "messages.\n", end, length, steps, messages);
  write_list (table, "activities", "name", "On the path", out);
  write_list (table, "locations", "label", row, out);
  write_steps (cli, table, out);
}
