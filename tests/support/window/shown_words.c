/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See shown_words.h. The two functions are found before those of the shared libraries.
 */
#include "config.h"

#include "shown_words.h"

#include <dlfcn.h>
#include <libintl.h>
#include <pango/pango.h>
#include <string.h>

static gint is_on;
static GHashTable *texts;        /* (element-type utf8 utf8): all that were laid out */
static GPtrArray *raw;

static char *
dup_other_words (const char *text)
{
  static const char *const words[][2] = {
    { "{row}", "{row:Kern|Rang|Faden}" }, { "{Row}", "{row:Kern|Rang|Faden}" },
    { "PE", "Kern" }, { "rank", "Rang" }, { "thread", "Faden" }, { "context", "Umfeld" },
    { "Comm ", "Funk " },
  };
  GString *other = g_string_new (text);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_string_replace (other, words[i][0], words[i][1], 0);
  return g_string_free (other, FALSE);
}

const char *
g_dgettext (const char *domain, const char *text)
{
  static GMutex lock;
  static GHashTable *other;
  const char *found;

  if (!g_atomic_int_get (&is_on) || g_strcmp0 (domain, GETTEXT_PACKAGE) != 0)
    return dgettext (domain, text);
  g_mutex_lock (&lock);
  if (other == NULL)
    other = g_hash_table_new (g_str_hash, g_str_equal);
  found = g_hash_table_lookup (other, text);
  if (found == NULL)
    {
      found = dup_other_words (text);
      g_hash_table_insert (other, g_strdup (text), (gpointer) found);
    }
  g_mutex_unlock (&lock);
  return g_str_equal (found, text) ? text : found;
}

void
pango_layout_set_text (PangoLayout *layout, const char *text, int length)
{
  static void (*set_text) (PangoLayout *, const char *, int);

  if (set_text == NULL)
    set_text = (void (*) (PangoLayout *, const char *, int)) dlsym (RTLD_NEXT, __func__);
  set_text (layout, text, length);
  if (texts == NULL || text == NULL)
    return;
  text = pango_layout_get_text (layout);
  if (g_hash_table_add (texts, g_strdup (text)) && shown_words_find_raw (text) != NULL)
    g_ptr_array_add (raw, g_strdup (text));
}

void
shown_words_begin (void)
{
  texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  raw = g_ptr_array_new_with_free_func (g_free);
  g_atomic_int_set (&is_on, TRUE);
}

void
shown_words_end (void)
{
  g_atomic_int_set (&is_on, FALSE);
  g_clear_pointer (&texts, g_hash_table_unref);
  g_clear_pointer (&raw, g_ptr_array_unref);
}

const char *
shown_words_find_raw (const char *text)
{
  static const char *const words[] = { "PE ", "PEs ", "rank ", "ranks ", "thread ", "Comm " };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    for (const char *at = text; (at = strstr (at, words[i])) != NULL; at++)
      if ((at == text || !g_ascii_isalpha (at[-1])) && g_ascii_isdigit (at[strlen (words[i])]))
        return at;
  return NULL;
}

GPtrArray *
shown_words_peek_raw (void)
{
  return raw;
}

gboolean
shown_words_have (const char *words)
{
  GHashTableIter iter;
  gpointer text;

  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    if (strstr (text, words) != NULL)
      return TRUE;
  return FALSE;
}
