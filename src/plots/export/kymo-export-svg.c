/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an SVG has beside its picture: a title and a description in words, and ids that are the same
 * whenever it is written. Any thread.
 */
#include "config.h"

#include "kymo-export-private.h"

#include <string.h>

#include "kymo-plot-private.h"
#include "kymo-safe-text.h"

/* Names of the rows, for those who hear a picture or search in it: cairo
   writes words as outlines. */
static void
append_labels (GString *text, const KymoTable *answer)
{
  KymoTable *rows = kymo_table_peek_nested (answer, "rows", NULL);
  guint n;

  if (rows == NULL)
    rows = kymo_table_peek_nested (answer, "locations", NULL);
  n = rows != NULL ? kymo_table_get_n_rows (rows) : 0;
  for (guint i = 0; i < MIN (n, 64); i++)
    {
      const char *label = kymo_table_peek_label (rows, "label", i);

      if (label != NULL)
        g_string_append_printf (text, "%s%s", i == 0 ? ". " : ", ", label);
    }
  if (n > 64)
    g_string_append (text, ", …");
}

/* XML has no way to write most controls. */
static char *
dup_xml (const char *text)
{
  g_autofree char *safe = kymo_safe_text_dup (text);

  return g_markup_escape_text (safe, -1);
}

static char *
svg_words (const KymoPlotClass *klass, const KymoTable *answer,
           const KymoPlotFrame *frame)
{
  const char *title = kymo_export_title (klass, frame);
  g_autofree char *range = kymo_span_is_all (frame->span)
                           ? g_strdup ("") : kymo_span_words (frame->span);
  g_autoptr (GString) about = g_string_new (range);
  g_autofree char *about_xml = NULL, *title_xml = NULL;

  append_labels (about, answer);
  if (frame->provenance != NULL)
    g_string_append_printf (about, ". %s", frame->provenance);
  title_xml = dup_xml (title);
  about_xml = dup_xml (about->str);
  return g_strdup_printf ("\n<title>%s</title>\n<desc>%s</desc>", title_xml,
                          about_xml);
}

/* The first surface of this file is number 1, and so on. */
static gboolean
renumber (const GMatchInfo *match, GString *result, gpointer data)
{
  GHashTable *numbers = data;
  char *old = g_match_info_fetch (match, 0);
  gpointer number = g_hash_table_lookup (numbers, old);

  if (number == NULL)
    {
      number = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
      g_hash_table_insert (numbers, g_strdup (old), number);
    }
  g_string_append_printf (result, "surface%u", GPOINTER_TO_UINT (number));
  g_free (old);
  return FALSE;
}

/**
 * kymo_export_finish_svg:
 * @svg: what cairo wrote
 *
 * Adds words that say what the picture is, and gives the ids of surfaces numbers that do not depend
 * on what was painted before.
 *
 * Returns: (transfer full): the bytes of the file
 */
GByteArray *
kymo_export_finish_svg (GByteArray *svg, const KymoPlotClass *klass, const KymoTable *answer,
                        const KymoPlotFrame *frame)
{
  g_autofree char *words = svg_words (klass, answer, frame);
  g_autoptr (GRegex) ids = g_regex_new ("(?<=[\"#])surface[0-9]+(?=[\")])",
                                        G_REGEX_OPTIMIZE, 0, NULL);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (
    g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *same = g_regex_replace_eval (
    ids, (const char *) svg->data, svg->len, 0, 0, renumber, numbers, NULL);
  const char *open = same != NULL ? strstr (same, "<svg") : NULL;
  const char *end = open != NULL ? strchr (open, '>') : NULL;
  GByteArray *out;

  if (end == NULL)
    return g_byte_array_ref (svg);
  out = g_byte_array_new ();
  g_byte_array_append (out, (const guint8 *) same, end + 1 - same);
  g_byte_array_append (out, (const guint8 *) words, strlen (words));
  g_byte_array_append (out, (const guint8 *) end + 1, strlen (end + 1));
  return out;
}
