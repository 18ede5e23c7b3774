/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What changed the time, as sentences for a terminal and a window.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-changes.h"
#include "kymo-units.h"

/* Facts that a line names. */
#define MOST_NAMED 5

/**
 * kymo_changes_dup_headline:
 * @changes: of kymo_changes_new()
 *
 * Returns: (transfer full): how the times differ, a sentence
 */
char *
kymo_changes_dup_headline (const KymoTable *changes)
{
  gint64 difference_ns = kymo_table_get_int (changes, "difference_ns", 0);
  g_autofree char *first = kymo_format_duration (kymo_table_get_int (changes, "a_ns", 0));
  g_autofree char *second = kymo_format_duration (kymo_table_get_int (changes, "b_ns", 0));
  g_autofree char *apart = kymo_format_duration (ABS (difference_ns));
  const char *a = kymo_table_get_string (changes, "a", 0);
  const char *b = kymo_table_get_string (changes, "b", 0);

  if (difference_ns == 0)
    /* Translators: two runs (A, B) and their time. */
    return g_strdup_printf (_("%s and %s took %s."), a, b, first);
  /* Translators: a run (B), a time, another run (A), the times of both. */
  return g_strdup_printf (difference_ns > 0 ? _("%s took %s longer than %s: %s in place of %s.")
                          : _("%s took %s less than %s: %s in place of %s."), b, apart, a, second,
                          first);
}

static char *
with_sign (gint64 difference_ns)
{
  g_autofree char *size = kymo_format_duration (ABS (difference_ns));

  return g_strdup_printf ("%s%s", difference_ns > 0 ? "+" : difference_ns < 0 ? "−" : "", size);
}

/* "Computing: +1.2 s (3.0 s, then 4.2 s)" */
static char *
dup_cause (const KymoTable *causes,
           guint            row)
{
  g_autofree char *a = kymo_format_duration (kymo_table_get_int (causes, "a_ns", row));
  g_autofree char *b = kymo_format_duration (kymo_table_get_int (causes, "b_ns", row));
  g_autofree char *apart = with_sign (kymo_table_get_int (causes, "difference_ns", row));

  /* Translators: a cause, a signed time, the times in both runs. */
  return g_strdup_printf (_("%s: %s (%s, then %s)"), kymo_table_get_string (causes, "title", row),
                          apart, a, b);
}

/* Names of variables stay as they are. */
static const char *
say_fact (const char *key)
{
  static const struct { const char *key, *words; } known[] = {
    { "host", N_("host") }, { "machine", N_("machine") },
    { "runtime_version", N_("version of the runtime system") },
    { "command_line", N_("command line") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (key, known[i].key) == 0)
      return _(known[i].words);
  return key;
}

/* "The surroundings differ: host, command line, and 3 more" */
static char *
dup_surroundings (const KymoTable *changes)
{
  const KymoTable *list = kymo_table_peek_nested (changes, "surroundings", NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = kymo_table_get_n_rows (list);

  for (guint i = 0; i < MIN (n, MOST_NAMED); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            say_fact (kymo_table_get_string (list, "key", i)));
  if (n > MOST_NAMED)
    return g_strdup_printf (_("The surroundings differ: %s, and %u more"), names->str,
                            n - MOST_NAMED);
  return n > 0 ? g_strdup_printf (_("The surroundings differ: %s"), names->str) : NULL;
}

/* One part in a hundred of the time of A, or in ten of the difference. */
static gboolean
is_large (const KymoTable *changes,
          gint64           own_ns)
{
  own_ns = ABS (own_ns);
  return own_ns > 0 && (own_ns >= kymo_table_get_int (changes, "a_ns", 0) / 100
                        || own_ns >= ABS (kymo_table_get_int (changes, "difference_ns", 0)) / 10);
}

/**
 * kymo_changes_dup_lines:
 * @changes: of kymo_changes_new()
 *
 * Returns: (transfer full): a line for each cause that changed by at least one part in a hundred of
 *   the time of A or in ten of the difference, the largest first, then one for all others together,
 *   so that the lines sum up to the difference, and one for the surroundings if they differ.
 *   %NULL-terminated
 */
char **
kymo_changes_dup_lines (const KymoTable *changes)
{
  const KymoTable *causes = kymo_table_peek_nested (changes, "causes", NULL);
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_autofree char *surroundings = dup_surroundings (changes);
  gint64 others_ns = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (causes); i++)
    {
      gint64 own_ns = kymo_table_get_int (causes, "difference_ns", i);
      g_autofree char *line = NULL;

      if (!is_large (changes, own_ns))
        {
          others_ns += own_ns;
          continue;
        }
      line = dup_cause (causes, i);
      g_strv_builder_add (lines, line);
    }
  if (others_ns != 0)
    {
      g_autofree char *apart = with_sign (others_ns);
      /* Translators: a signed time: what many small causes changed. */
      g_autofree char *line = g_strdup_printf (_("All others: %s"), apart);

      g_strv_builder_add (lines, line);
    }
  if (surroundings != NULL)
    g_strv_builder_add (lines, surroundings);
  return g_strv_builder_end (lines);
}
