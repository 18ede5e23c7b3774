/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `explain`: a sentence a reason, and where to look at it.
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>

/* "2.1 standard deviations above; longest at 1.25 s on PE 17" */
static void
write_more (KymoCli *cli, const KymoTable *reasons, guint row, GString *out)
{
  double deviations = kymo_table_get_double (reasons, "deviations", row);
  gint64 location = kymo_table_get_int (reasons, "location", row);
  GString *line = g_string_new (NULL);

  if (isfinite (deviations))
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, "%.1f", fabs (deviations));
      g_string_append_printf (line, "%s standard deviations %s the mean", number,
                              deviations < 0 ? "below" : "above");
    }
  if (location != KYMO_NULL_INT)
    {
      gint64 begin_ns = kymo_table_get_int (reasons, "begin_ns", row);
      g_autofree char *at = kymo_format_duration_exact (begin_ns);
      g_autofree char *length = kymo_format_duration (
        kymo_table_get_int (reasons, "end_ns", row) - begin_ns);

      g_string_append_printf (line, "%sthe longest takes %s, at %s on %s %" G_GINT64_FORMAT,
                              line->len > 0 ? "; " : "", length, at, kymo_cli_row (cli, FALSE),
                              location);
    }
  if (line->len > 0)
    g_string_append_printf (out, "   %s\n", line->str);
  g_string_free (line, TRUE);
}

/** kymo_cli_text_explain: a sentence a reason, the largest difference first */
void
kymo_cli_text_explain (KymoCli *cli, const KymoTable *table, GString *out)
{
  KymoTable *reasons = kymo_table_peek_nested (table, "reasons", NULL);
  guint n = kymo_table_get_n_rows (reasons), n_of = 0, n_left_out = 0;
  g_autofree char *pes = kymo_format_count (kymo_table_get_int (table, "pes", 0));

  kymo_table_peek_ints (table, "of", &n_of);
  kymo_table_peek_ints (table, "left_out", &n_left_out);
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (out, "%s.\n", kymo_table_get_string (reasons, "sentence", i));
      write_more (cli, reasons, i, out);
    }
  if (n == 0)
    g_string_append_printf (out, "Nothing ran on any %s in this range.\n",
                            kymo_cli_row (cli, FALSE));
  g_string_append_printf (out, "\n%u of %s %s against the mean of all.\n", n_of, pes,
                          kymo_cli_row (cli, TRUE));
  if (n_left_out > 0)
    g_string_append_printf (out, "%u left out: communication threads, and %s whose logs were "
                            "cut away.\n", n_left_out, kymo_cli_row (cli, TRUE));
}
