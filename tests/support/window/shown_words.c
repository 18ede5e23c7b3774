/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See shown_words.h. Functions that stand in here are found before those of the libraries.
 */
#include "config.h"

#include "shown_words.h"

#include <dlfcn.h>
#include <libintl.h>
#include <string.h>

static gint is_on;
static GHashTable *texts;        /* (element-type utf8): all that were laid out */
static GHashTable *data;         /* (element-type utf8): names of the run */

/* -- the translation ------------------------------------------------------- */

/* Bytes of a field of printf or strftime, a placeholder or markup, which stay; else 0. */
static gsize
field_length (const char *at)
{
  const char *end = *at == '{' ? strchr (at, '}') : *at == '<' ? strchr (at, '>') : NULL;

  if (*at == '%' && at[1] != '\0')
    {
      gsize length = 1 + strspn (at + 1, "0123456789$.+-# '*lhqjzt");

      return at[length] != '\0' ? length + 1 : length;
    }
  return end != NULL ? end + 1 - at : 0;
}

/* Each Latin letter is a Cyrillic one. */
static char *
dup_other_letters (const char *text)
{
  GString *other = g_string_new (NULL);
  gsize skipped;

  for (; *text != '\0'; text += skipped)
    if ((skipped = field_length (text)) > 0)
      g_string_append_len (other, text, skipped);
    else
      {
        if (g_ascii_isalpha (*text))
          g_string_append_unichar (other, g_ascii_islower (*text) ? 0x430 + *text - 'a'
                                                                  : 0x410 + *text - 'A');
        else
          g_string_append_c (other, *text);
        skipped = 1;
      }
  return g_string_free (other, FALSE);
}

static const char *
translate (const char *text)
{
  static GMutex lock;
  static GHashTable *other;
  const char *found;

  if (!g_atomic_int_get (&is_on) || text == NULL)
    return text;
  g_mutex_lock (&lock);
  if (other == NULL)
    other = g_hash_table_new (g_str_hash, g_str_equal);
  found = g_hash_table_lookup (other, text);
  if (found == NULL)
    {
      found = dup_other_letters (text);
      g_hash_table_insert (other, g_strdup (text), (gpointer) found);
    }
  g_mutex_unlock (&lock);
  return g_str_equal (found, text) ? text : found;
}

const char *
g_dgettext (const char *domain, const char *text)
{
  return translate (text);
}

const char *
g_dngettext (const char *domain, const char *one, const char *several, gulong n)
{
  return translate (n == 1 ? one : several);
}

const char *
g_dpgettext (const char *domain, const char *with_context, gsize offset)
{
  const char *context = strchr (with_context, '\004');

  return translate (offset > 0 ? with_context + offset : context != NULL ? context + 1
                                                       : with_context);
}

const char *
g_dpgettext2 (const char *domain, const char *context, const char *text)
{
  return translate (text);
}

/* gettext() of the program, which has one domain. */
#undef dcgettext
char *
dcgettext (const char *domain, const char *text, int category)
{
  return (char *) translate (text);
}

#undef dcngettext
char *
dcngettext (const char *domain, const char *one, const char *several, unsigned long n, int category)
{
  return (char *) translate (n == 1 ? one : several);
}

#undef dngettext
char *
dngettext (const char *domain, const char *one, const char *several, unsigned long n)
{
  return (char *) translate (n == 1 ? one : several);
}

/* -- what is shown --------------------------------------------------------- */

void
shown_words_add (const char *text)
{
  if (texts != NULL && text != NULL)
    g_hash_table_add (texts, g_strdup (text));
}

void
pango_layout_set_text (PangoLayout *layout, const char *text, int length)
{
  static void (*set_text) (PangoLayout *, const char *, int);

  if (set_text == NULL)
    set_text = (void (*) (PangoLayout *, const char *, int)) dlsym (RTLD_NEXT, __func__);
  set_text (layout, text, length);
  /* GTK measures fonts by a sentence of its own. */
  if (text != NULL && !g_str_has_prefix (text, "The quick brown fox"))
    shown_words_add (pango_layout_get_text (layout));
}

static void
add_accessible (GtkWidget *widget, GtkAccessibleProperty property)
{
  /* It is told where it is not what is expected. */
  g_autofree char *text = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), property,
                                                              "\001");

  shown_words_add (text);
}

void
shown_words_walk (GtkWidget *top)
{
  if (!gtk_widget_get_mapped (top))
    return;
  shown_words_add (gtk_widget_get_tooltip_text (top));
  if (gtk_test_accessible_has_property (GTK_ACCESSIBLE (top), GTK_ACCESSIBLE_PROPERTY_LABEL))
    add_accessible (top, GTK_ACCESSIBLE_PROPERTY_LABEL);
  if (gtk_test_accessible_has_property (GTK_ACCESSIBLE (top),
                                        GTK_ACCESSIBLE_PROPERTY_DESCRIPTION))
    add_accessible (top, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
  if (gtk_test_accessible_has_property (GTK_ACCESSIBLE (top),
                                        GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT))
    add_accessible (top, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT);
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    shown_words_walk (child);
}

void
shown_words_begin (void)
{
  texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  data = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_atomic_int_set (&is_on, TRUE);
}

void
shown_words_end (void)
{
  g_atomic_int_set (&is_on, FALSE);
  g_clear_pointer (&texts, g_hash_table_unref);
  g_clear_pointer (&data, g_hash_table_unref);
}

char *
shown_words_dup (const char *text)
{
  return dup_other_letters (text);
}

/* -- what of it was not translated ----------------------------------------- */

/* Columns with what comes from files. */
static const char *const of_files[] = {
  "name", "signature", "full_name", "function", "path", "title", "program", "machine", "user",
  "host", "command_line", "timestamp", "runtime_version", "metric", "groups", "group", "file",
  "counter", "unit", "format", "key", "value", NULL
};
/* Names that the program gives, and lists of them. */
static const char *const of_kymo[] = {
  "Idle", "Overhead", "Untraced", "Idle or overhead", "(unknown)", "(outside)", NULL
};
static const char *const lists_of_kymo[] = { "kinds", NULL };

void
shown_words_know (const char *name)
{
  if (name != NULL && strlen (name) >= 2 && !g_strv_contains (of_kymo, name))
    g_hash_table_add (data, g_strdup (name));
}

/* What is known of the surroundings of a run: keys and values of files. */
static void
know_surroundings (const KymoTable *run)
{
  for (guint c = 0; c < kymo_table_get_n_columns (run); c++)
    {
      const char *name = kymo_table_get_column_name (run, c);
      g_autofree char *key = g_strdelimit (g_strdup (name), "_", ' ');

      *key = g_ascii_toupper (*key);
      shown_words_know (key);
      shown_words_know (name);
      if (kymo_table_get_column_type (run, c) == KYMO_COLUMN_STRING)
        shown_words_know (kymo_table_get_string (run, name, 0));
    }
}

void
shown_words_know_answer (const KymoTable *answer)
{
  for (guint c = 0; c < kymo_table_get_n_columns (answer); c++)
    {
      const char *key = kymo_table_get_column_name (answer, c);
      KymoColumnType type = kymo_table_get_column_type (answer, c);

      if (type == KYMO_COLUMN_TABLE && !g_strv_contains (lists_of_kymo, key))
        shown_words_know_answer (kymo_table_peek_nested (answer, key, NULL));
      if (type == KYMO_COLUMN_TABLE && g_str_equal (key, "run"))
        know_surroundings (kymo_table_peek_nested (answer, key, NULL));
      for (guint i = 0; type == KYMO_COLUMN_STRING && g_strv_contains (of_files, key)
           && i < kymo_table_get_n_rows (answer); i++)
        shown_words_know (kymo_table_get_string (answer, key, i));
    }
}

static int
longer_first (gconstpointer a, gconstpointer b)
{
  return strlen (*(char *const *) b) - strlen (*(char *const *) a);
}

/* Whether a word of Latin letters is one in all languages. */
static gboolean
is_for_all (const char *word)
{
  static const char *const words[] = {
    "ns", "us", "ms", "min", "kB", "MB", "GB", "KB", "KiB", "MiB", "Kymo", "PNG", "SVG", "PDF",
    "CSV", "JSON", "OTF2", "TAU", "Projections", NULL
  };

  return strlen (word) < 2 || g_strv_contains (words, word);
}

/* Whether @text is a name without what is in its middle. */
static gboolean
is_elided (const char *text, const GPtrArray *names)
{
  const char *gap = strstr (text, "…");

  for (guint i = 0; gap != NULL && i < names->len; i++)
    if (strncmp (names->pdata[i], text, gap - text) == 0
        && g_str_has_suffix (names->pdata[i], gap + strlen ("…")))
      return TRUE;
  return FALSE;
}

/* Where it is a word of its own. */
static void
blank_name (GString *text, const char *name)
{
  gsize length = strlen (name);

  for (char *at = text->str; (at = strstr (at, name)) != NULL; at++)
    if ((at == text->str || !g_ascii_isalnum (at[-1])) && !g_ascii_isalnum (at[length]))
      memset (at, ' ', length);
}

/* Names of the run in @text are blanked out. */
static char *
dup_without_data (const char *text, const GPtrArray *names)
{
  GString *rest = g_string_new (is_elided (text, names) ? "" : text);

  for (guint i = 0; i < names->len; i++)
    blank_name (rest, names->pdata[i]);
  return g_string_free (rest, FALSE);
}

/* (transfer full): Latin words of @text that are not for all languages, once each. */
static char *
dup_raw_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n\t.,:;()[]/+-0123456789%&'\"|", -1);
  g_autoptr (GPtrArray) raw = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      gsize n = 0;

      while (g_ascii_isalpha (words[i][n]))
        n++;
      if (n >= 2 && !is_for_all (words[i])
          && !g_ptr_array_find_with_equal_func (raw, words[i], g_str_equal, NULL))
        g_ptr_array_add (raw, words[i]);
    }
  g_ptr_array_add (raw, NULL);
  return g_strjoinv (" ", (char **) raw->pdata);
}

static GPtrArray *
list_names (void)
{
  GPtrArray *names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, data);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, name);
  g_ptr_array_sort (names, longer_first);
  return names;
}

GPtrArray *
shown_words_list_raw (void)
{
  g_autoptr (GPtrArray) names = list_names ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *raw = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer text;

  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    {
      g_autofree char *words = dup_raw_words (text);
      g_autofree char *rest = *words != '\0' ? dup_without_data (text, names) : g_strdup ("");
      char *left = dup_raw_words (rest);

      if (*left != '\0' && !g_hash_table_contains (seen, left))
        g_ptr_array_add (raw, g_strdup_printf ("“%s” in “%.200s”", left, (char *) text));
      g_hash_table_add (seen, left);
    }
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
