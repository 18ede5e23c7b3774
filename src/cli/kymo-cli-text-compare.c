/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `compare`: first the sentences, then a table in 80 columns, the largest
 * effect first.
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>
#include <string.h>

#include "kymo-changes.h"
#include "kymo-comparison.h"

#define COLUMNS 80

/* A paragraph, broken between words. */
static void
write_filled (const char *text, GString *out)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gulong used = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      gulong length = g_utf8_strlen (words[i], -1), behind = 0;

      /* Keeps a figure and its unit on the same line. */
      if (g_ascii_isdigit (*words[i]) && words[i + 1] != NULL)
        behind = 1 + g_utf8_strlen (words[i + 1], -1);
      if (used > 0 && used + 1 + length + behind > COLUMNS
          && !(i > 0 && g_ascii_isdigit (*words[i - 1])))
        {
          g_string_append (out, "\n  ");
          used = 2;
        }
      else if (used > 0)
        {
          g_string_append_c (out, ' ');
          used++;
        }
      g_string_append (out, words[i]);
      used += length;
    }
  g_string_append_c (out, '\n');
}

/* -- causes ----------------------------------------------------------------------- */

static void
write_changes (const KymoTable *answer, GString *out)
{
  const KymoTable *changes = kymo_table_find_column (answer, "changed") >= 0
    ? kymo_table_peek_nested (answer, "changed", NULL) : NULL;
  g_autofree char *headline = NULL;
  g_auto (GStrv) lines = NULL;

  if (changes == NULL)
    return;
  headline = kymo_changes_dup_headline (changes);
  lines = kymo_changes_dup_lines (changes);
  g_string_append_printf (out, "%s\n", headline);
  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (out, "  %s\n", lines[i]);
  g_string_append_c (out, '\n');
}

/* -- the table of activities ------------------------------------------------------ */

typedef struct
{
  const KymoTable *answer;
  gboolean         is_time, per_pe, has_noise, pes_differ;
  guint            n_sides, against;
  guint            name_chars;
  KymoCliGrid     *grid;
} Table;

static const gint64 *
peek_figures (const Table *t, const KymoTable *table, const char *name)
{
  g_autofree char *whole = g_strconcat (name, t->is_time ? "_ns" : "", NULL);

  return kymo_table_peek_ints (table, whole, NULL);
}

static char *
amount_text_compare (const Table *t, gint64 value)
{
  if (value == KYMO_NULL_INT)
    return g_strdup ("–");
  return t->is_time ? kymo_format_duration (value) : kymo_format_count (value);
}

static char *
with_sign (gint64 value, const char *size, gboolean noise)
{
  return g_strdup_printf ("%s%s%s", noise ? "≈ " : "", value > 0 ? "+" : value < 0 ? "−" : "",
                          size);
}

static char *
signed_amount (const Table *t, gint64 value, gboolean noise)
{
  g_autofree char *text = amount_text_compare (t, value > 0 ? value : -value);

  return with_sign (value, text, noise);
}

static char *
signed_percent (double share)
{
  g_autofree char *text = kymo_format_percent (fabs (share));

  return isnan (share) ? g_strdup ("–")
    : g_strdup_printf ("%s%s", share > 0 ? "+" : share < 0 ? "−" : "", text);
}

static char *
count_of (const gint64 *calls, guint n_sides, guint row, guint side)
{
  gint64 value = calls != NULL ? calls[(gsize) row * n_sides + side] : KYMO_NULL_INT;

  return value == KYMO_NULL_INT ? g_strdup ("–")
    : value < 100000 ? kymo_format_count (value) : kymo_format_count_short (value);
}

static void
add_row (Table *t, const KymoTable *table, guint row, const char *name, gboolean is_total)
{
  const gint64 *figures = peek_figures (t, table, t->per_pe && t->pes_differ ? "per_pe"
                                        : is_total ? "total" : "exclusive");
  const gint64 *differences = peek_figures (t, table, "difference");
  const gint64 *noise = peek_figures (t, table, "noise");
  const gint64 *calls = is_total ? NULL : kymo_table_peek_ints (table, "calls", NULL);

  kymo_cli_grid_take (t->grid, kymo_elide_middle (name, t->name_chars));
  if (t->n_sides > 2)
    {
      for (guint side = 0; side < t->n_sides; side++)
        kymo_cli_grid_take (t->grid, amount_text_compare (t, figures[(gsize) row * t->n_sides
                                                          + side]));
      kymo_cli_grid_add (t->grid, kymo_table_get_string (table, "trend", row));
      return;
    }
  kymo_cli_grid_take (t->grid, amount_text_compare (t, figures[(gsize) row * t->n_sides]));
  kymo_cli_grid_take (t->grid, amount_text_compare (t, figures[(gsize) row * t->n_sides
                                                    + t->against]));
  kymo_cli_grid_take (t->grid, signed_amount (t, differences[row],
                                              kymo_table_get_bool (table, "is_noise", row)));
  kymo_cli_grid_take (t->grid, signed_percent (kymo_table_get_double (table, "effect", row)));
  if (t->has_noise)
    {
      g_autofree char *band = amount_text_compare (t, noise[row]);

      kymo_cli_grid_take (t->grid, g_strconcat ("±", band, NULL));
      return;
    }
  kymo_cli_grid_take (t->grid, count_of (calls, t->n_sides, row, 0));
  kymo_cli_grid_take (t->grid, count_of (calls, t->n_sides, row, t->against));
}

static void
begin_table (Table *t)
{
  const KymoTable *sides = kymo_table_peek_nested (t->answer, "sides", NULL);
  const char *a = kymo_table_get_string (sides, "label", 0);
  const char *b = kymo_table_get_string (sides, "label", t->against);
  guint n_columns = t->n_sides > 2 ? t->n_sides + 2 : t->has_noise ? 6 : 7;

  t->grid = kymo_cli_grid_new (n_columns);
  t->name_chars = t->n_sides > 2 ? MAX (12, COLUMNS - 15 - 10 * (int) MIN (t->n_sides, 5))
    : t->has_noise ? 30 : 20;
  for (guint i = 1; i < n_columns - (t->n_sides > 2); i++)
    kymo_cli_grid_right (t->grid, i);
  kymo_cli_grid_add (t->grid, "");
  for (guint side = 0; t->n_sides > 2 && side < t->n_sides; side++)
    kymo_cli_grid_add (t->grid, kymo_table_get_string (sides, "label", side));
  if (t->n_sides > 2)
    {
      kymo_cli_grid_add (t->grid, "Trend");
      return;
    }
  kymo_cli_grid_add (t->grid, a);
  kymo_cli_grid_add (t->grid, b);
  kymo_cli_grid_add (t->grid, "Difference");
  kymo_cli_grid_take (t->grid, g_strdup_printf ("Of %s", a));
  if (t->has_noise)
    kymo_cli_grid_add (t->grid, "Noise");
  else
    {
      kymo_cli_grid_take (t->grid, g_strdup_printf ("Calls %s", a));
      kymo_cli_grid_take (t->grid, g_strdup_printf ("Calls %s", b));
    }
}

static gboolean
is_shown (const Table *t, const KymoTable *table, guint row)
{
  return peek_figures (t, table, "difference")[row] != 0 || t->n_sides > 2;
}

static void
write_activities (const KymoTable *answer, GString *out)
{
  static const char *const wholes[][2] =
    { { "elapsed", "Elapsed" }, { "span", "All time" }, { "busy", "Busy" },
      { "useful", "Useful" } };
  const KymoTable *totals = kymo_table_peek_nested (answer, "totals", NULL);
  const KymoTable *list = kymo_table_peek_nested (answer, "activities", NULL);
  Table t = { answer, kymo_table_get_bool (answer, "is_time", 0),
              kymo_table_get_bool (answer, "per_pe", 0),
              kymo_table_get_bool (answer, "has_noise", 0),
              kymo_table_get_bool (answer, "pes_differ", 0),
              kymo_table_get_n_rows (kymo_table_peek_nested (answer, "sides", NULL)),
              kymo_table_get_int (answer, "against", 0) };
  guint n = kymo_table_get_n_rows (list), same = 0;

  begin_table (&t);
  for (guint k = 0; k < G_N_ELEMENTS (wholes); k++)
    for (guint i = 0; i < kymo_table_get_n_rows (totals); i++)
      if (strcmp (kymo_table_get_string (totals, "name", i), wholes[k][0]) == 0)
        add_row (&t, totals, i, wholes[k][1], TRUE);
  for (guint i = 0; i < n; i++)
    if (is_shown (&t, list, i))
      add_row (&t, list, i, kymo_table_get_string (list, "name", i), FALSE);
    else
      same++;
  kymo_cli_grid_end (t.grid, out);
  if (same > 0)
    g_string_append_printf (out, "The same in both: %u.\n", same);
}

/* -- bounds --------------------------------------------------------------------- */

static void
write_broken (const KymoTable *answer, GString *out)
{
  const KymoTable *broken = kymo_table_peek_nested (answer, "broken", NULL);
  g_autofree char *bound = kymo_format_percent (kymo_table_get_double (answer, "max_growth", 0));

  if (broken == NULL)
    return;
  g_string_append_c (out, '\n');
  if (kymo_table_get_n_rows (broken) == 0)
    g_string_append_printf (out, "Nothing grew by more than %s and more than noise.\n", bound);
  for (guint i = 0; i < kymo_table_get_n_rows (broken); i++)
    {
      double ratio = kymo_table_get_double (broken, "ratio", i);
      g_autofree char *growth = kymo_format_percent (ratio - 1);

      g_string_append_printf (out, "BROKEN: %s %s: %s%s, the bound is %s.\n",
                              kymo_table_get_string (broken, "what", i),
                              kymo_table_get_string (broken, "name", i),
                              isfinite (ratio) ? "grew by " : "is new",
                              isfinite (ratio) ? growth : "", bound);
    }
}

/* -- surroundings --------------------------------------------------------------- */

/* Appends the facts that differ between the runs, or the facts that are the same. */
static guint
write_facts (const KymoTable *facts, guint n_runs, gboolean differ, KymoCliGrid *grid)
{
  const guint *offsets = NULL;
  KymoTable *values = kymo_table_peek_nested (facts, "values", &offsets);
  guint room = (COLUMNS - 26) / (differ ? n_runs : 1), told = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (facts); i++)
    {
      if (kymo_table_get_bool (facts, "differs", i) != differ)
        continue;
      kymo_cli_grid_take (grid, kymo_elide_middle (kymo_table_get_string (facts, "key", i), 24));
      for (guint run = 0; run < (differ ? n_runs : 1); run++)
        {
          const char *value = kymo_table_get_string (values, "value", offsets[i] + run);

          kymo_cli_grid_take (grid, kymo_elide_middle (value != NULL ? value : "–",
                                                       MAX (room, 10) - 2));
        }
      told++;
    }
  return told;
}

static void
write_info (const KymoTable *answer, const KymoTable *facts, GString *out)
{
  const KymoTable *runs = kymo_table_peek_nested (answer, "runs", NULL);
  guint n_runs = kymo_table_get_n_rows (runs), n;
  KymoCliGrid *grid = kymo_cli_grid_new (n_runs + 1);

  kymo_cli_grid_add (grid, "What differs");
  for (guint i = 0; i < n_runs; i++)
    kymo_cli_grid_add (grid, kymo_table_get_string (runs, "label", i));
  n = write_facts (facts, n_runs, TRUE, grid);
  kymo_cli_grid_end (grid, out);
  if (n == 0)
    g_string_append (out, "Nothing that is known of them.\n");
  g_string_append (out, "\n");
  grid = kymo_cli_grid_new (2);
  kymo_cli_grid_add (grid, "The same in all");
  kymo_cli_grid_add (grid, "");
  write_facts (facts, n_runs, FALSE, grid);
  kymo_cli_grid_end (grid, out);
}

/* -- time profiles -------------------------------------------------------------- */

static char *
bin_amount (gint64 value, gboolean noise)
{
  g_autofree char *text = kymo_format_duration (ABS (value));

  return with_sign (value, text, noise);
}

/* Difference of a name in a bin: in times, or in shares where each run has its own time scale. */
static gboolean
bin_is_noise (const KymoTable *series, gsize at)
{
  gboolean has_noise = kymo_table_find_column (series, "noise_ns") >= 0;
  gboolean has_shares = kymo_table_find_column (series, "noise_rows") >= 0;

  if (has_shares)
    return fabs (kymo_table_peek_doubles (series, "b_rows", NULL)[at]
                 - kymo_table_peek_doubles (series, "a_rows", NULL)[at])
           <= kymo_table_peek_doubles (series, "noise_rows", NULL)[at];
  return has_noise && ABS (kymo_table_peek_ints (series, "difference_ns", NULL)[at])
                      <= kymo_table_peek_ints (series, "noise_ns", NULL)[at];
}

static char *
amount_of_bin (const KymoTable *series, gsize at)
{
  return bin_amount (kymo_table_peek_ints (series, "difference_ns", NULL)[at],
                     bin_is_noise (series, at));
}

/* The name that differs most in a bin, and the sums of code. */
static gint
sum_bin (const KymoTable *series, guint bin, gint64 *a, gint64 *b)
{
  guint n = 0;
  const gint64 *of_a = kymo_table_peek_ints (series, "a_ns", &n);
  const gint64 *of_b = kymo_table_peek_ints (series, "b_ns", NULL);
  const gint64 *difference = kymo_table_peek_ints (series, "difference_ns", NULL);
  gint64 most = 0;
  gint row = -1;

  *a = *b = 0;
  for (guint i = 0; i < kymo_table_get_n_rows (series); i++)
    {
      gsize at = (gsize) i * n + bin;

      if (strcmp (kymo_table_get_string (series, "kind", i), "code") == 0)
        {
          *a += of_a[at];
          *b += of_b[at];
        }
      if (ABS (difference[at]) > most)
        {
          most = ABS (difference[at]);
          row = i;
        }
    }
  return row;
}

static void
write_time (const KymoTable *answer, const KymoTable *series, GString *out)
{
  gint64 against = kymo_table_get_int (answer, "against", 0);
  g_autofree char *side = kymo_comparison_dup_side_label (against);
  g_autofree char *busy_b = g_strdup_printf ("Busy %s", side);
  const char *const heads[] = { "From", "Busy A", busy_b, "Difference", "Most", "of" };
  guint n_edges = 0;
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  const KymoTable *bins = kymo_table_peek_nested (answer, "bins", NULL);
  KymoCliGrid *grid = kymo_cli_grid_new (G_N_ELEMENTS (heads));

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      kymo_cli_grid_add (grid, heads[i]);
      if (i > 0 && i + 1 < G_N_ELEMENTS (heads))
        kymo_cli_grid_right (grid, i);
    }
  for (guint bin = 0; bin + 1 < n_edges; bin++)
    {
      gint64 a, b;
      gint row = sum_bin (series, bin, &a, &b);

      kymo_cli_grid_take (grid, kymo_format_duration_exact (edges[bin]));
      kymo_cli_grid_take (grid, kymo_format_duration (a));
      kymo_cli_grid_take (grid, kymo_format_duration (b));
      kymo_cli_grid_take (grid, bin_amount (b - a, kymo_table_get_bool (bins, "is_noise", bin)));
      kymo_cli_grid_take (grid, row >= 0 ? amount_of_bin (series, (gsize) row * (n_edges - 1) + bin)
                          : g_strdup (""));
      kymo_cli_grid_take (grid, row < 0 ? g_strdup ("")
                          : kymo_elide_middle (kymo_table_get_string (series, "name", row), 26));
    }
  kymo_cli_grid_end (grid, out);
}

/* "A  leanmd, 8 PEs, from 66.7 ms on, 2.04 s" */
static void
write_runs (KymoCli *cli, const KymoTable *answer, GString *out)
{
  const KymoTable *runs = kymo_table_peek_nested (answer, "runs", NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (runs); i++)
    {
      gint64 begin_ns = kymo_table_get_int (runs, "begin_ns", i);
      gint64 length_ns = kymo_table_get_int (runs, "end_ns", i) - begin_ns;
      gint64 pes = kymo_table_get_int (runs, "pes", i);
      g_autofree char *count = kymo_format_count (pes);
      g_autofree char *begin = kymo_format_duration (begin_ns);
      g_autofree char *length = kymo_format_duration (length_ns);

      g_string_append_printf (out, "%s: %s, %s %s%s", kymo_table_get_string (runs, "label", i),
                              kymo_table_get_string (runs, "title", i), count,
                              kymo_cli_row (cli, pes != 1),
                              kymo_table_get_bool (runs, "extrapolated", i)
                              ? " (extrapolated)" : "");
      if (length_ns > 0)
        g_string_append_printf (out, ", %s from %s on", length, begin);
      g_string_append_c (out, '\n');
    }
  if (g_strcmp0 (kymo_table_get_string (answer, "align", 0), "start") != 0)
    g_string_append_printf (out, "Aligned at: %s\n", kymo_table_get_string (answer, "align", 0));
  g_string_append_c (out, '\n');
}

static void
write_sentences (const KymoTable *answer, GString *out)
{
  const KymoTable *sentences = kymo_table_peek_nested (answer, "sentences", NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (sentences); i++)
    write_filled (kymo_table_get_string (sentences, "value", i), out);
  g_string_append_c (out, '\n');
}

/** kymo_cli_text_compare: sentences, then a table */
void
kymo_cli_text_compare (KymoCli *cli, const KymoTable *answer, GString *out)
{
  const KymoTable *facts = kymo_table_peek_nested (answer, "facts", NULL);
  const KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);

  if (facts != NULL)
    {
      write_info (answer, facts, out);
      return;
    }
  write_runs (cli, answer, out);
  write_changes (answer, out);
  if (series != NULL)
    {
      write_sentences (answer, out);
      write_time (answer, series, out);
      return;
    }
  write_sentences (answer, out);
  write_activities (answer, out);
  write_broken (answer, out);
}
