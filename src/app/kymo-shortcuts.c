/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-shortcuts.h. Titles of data/ui/shortcuts.ui have the placeholders of
 * kymo-in-terms.h. The window copies titles for its search while it is built:
 * words are put in before that.
 */
#include "config.h"

#include "kymo-shortcuts.h"

#include <glib/gi18n.h>

#include "kymo-in-terms.h"

#define RESOURCE "/io/github/kymo_trace/Kymo/shortcuts.ui"
/* A title with a placeholder, and nothing in it that XML would write otherwise. */
#define TITLE " translatable=\"yes\">([^<&{]*\\{[^<&]*)<"

/* Translated here: with other words the builder would not find it. */
static gboolean
put_words (const GMatchInfo *match, GString *text, gpointer data)
{
  const KymoTerms *terms = data;
  g_autofree char *title = g_match_info_fetch (match, 1);
  g_autofree char *safe = g_markup_escape_text (kymo_in_terms (*terms, _(title)), -1);

  g_string_append_printf (text, ">%s<", safe);
  return FALSE;
}

static char *
dup_interface (KymoTerms terms)
{
  g_autoptr (GRegex) title = g_regex_new (TITLE, 0, 0, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (RESOURCE, 0, NULL);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  return g_regex_replace_eval (title, text, length, 0, 0, put_words, &terms, NULL);
}

/** kymo_shortcuts_new: */
GtkWindow *
kymo_shortcuts_new (KymoTerms terms)
{
  g_autofree char *interface = dup_interface (terms);
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_string (interface, -1);

  return GTK_WINDOW (gtk_builder_get_object (builder, "shortcuts"));
}
