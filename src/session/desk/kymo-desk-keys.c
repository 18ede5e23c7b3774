/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk-keys.h.
 *
 * Invariant: what is written can be read. A value that a reader would refuse is
 * not written.
 */
#include "config.h"

#include "kymo-desk-keys.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-desk.h"
#include "kymo-error.h"
#include "kymo-id-set.h"

/* -- reading -------------------------------------------------------------- */

/**
 * kymo_desk_refuse:
 * @error: (out) (nullable): gets %KYMO_ERROR_UNREADABLE
 * @format: a sentence of what is wrong, as of printf(); bytes that are no UTF-8 are replaced
 *
 * Returns: %FALSE always, so that a reader returns its value
 */
gboolean
kymo_desk_refuse (GError **error, const char *format, ...)
{
  va_list arguments;
  g_autofree char *why = NULL, *valid = NULL;

  va_start (arguments, format);
  why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  valid = g_utf8_make_valid (why, -1);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, valid);
  return FALSE;
}

/**
 * kymo_desk_read_text:
 * @group: of the key
 * @key: to be read
 * @most: bytes that the text may have
 * @text: (inout): gets the text, in place of the text before, which is freed
 *
 * A missing key is no failure.
 *
 * Returns: %FALSE with a reason, and @text left alone, if the value is no text or too long
 */
gboolean
kymo_desk_read_text (GKeyFile *file, const char *group, const char *key, gsize most,
                     char **text, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autofree char *found = NULL;

  if (!g_key_file_has_key (file, group, key, NULL))
    return TRUE;
  found = g_key_file_get_string (file, group, key, &why);
  if (found == NULL)
    return kymo_desk_refuse (error, _("%s of [%s] is no text"), key, group);
  if (strlen (found) > most)
    return kymo_desk_refuse (error, _("%s of [%s] is longer than %zu bytes"), key, group,
                             most);
  g_free (*text);
  *text = g_steal_pointer (&found);
  return TRUE;
}

/**
 * kymo_desk_read_number:
 * @group: of the key
 * @key: to be read
 * @least: least number that is taken; the largest is G_MAXINT64 / 4, so that differences of
 *   times are numbers, too
 * @number: (inout): gets the number
 *
 * A missing key is no failure.
 *
 * Returns: %FALSE with a reason, and @number left alone, if the value is no number in these
 *   bounds
 */
gboolean
kymo_desk_read_number (GKeyFile *file, const char *group, const char *key, gint64 least,
                       gint64 *number, GError **error)
{
  g_autofree char *text = NULL;

  if (!g_key_file_has_key (file, group, key, NULL))
    return TRUE;
  text = g_key_file_get_value (file, group, key, NULL);
  if (text == NULL
      || !g_ascii_string_to_signed (text, 10, least, G_MAXINT64 / 4, number, NULL))
    return kymo_desk_refuse (error, _("%s of [%s] is no number that it could be"), key,
                             group);
  return TRUE;
}

/**
 * kymo_desk_read_span:
 * @group: of the keys
 * @key: "KEY", of which two keys are read: "KEY-begin" and "KEY-end", in ns
 * @span: (out): gets both times; %KYMO_DESK_NONE twice if the file has neither key
 *
 * Returns: %FALSE with a reason, and @span left alone, if a key is no number, has no other
 *   one beside it, or the end is before the begin
 */
gboolean
kymo_desk_read_span (GKeyFile *file, const char *group, const char *key, KymoSpan *span,
                     GError **error)
{
  g_autofree char *begin = g_strconcat (key, "-begin", NULL);
  g_autofree char *end = g_strconcat (key, "-end", NULL);
  KymoSpan found = { KYMO_DESK_NONE, KYMO_DESK_NONE };

  if (!kymo_desk_read_number (file, group, begin, G_MININT64 / 4, &found.begin_ns, error)
      || !kymo_desk_read_number (file, group, end, G_MININT64 / 4, &found.end_ns, error))
    return FALSE;
  if ((found.begin_ns == KYMO_DESK_NONE) != (found.end_ns == KYMO_DESK_NONE)
      || found.end_ns < found.begin_ns)
    return kymo_desk_refuse (error, _("%s of [%s] is no stretch of time"), key, group);
  *span = found;
  return TRUE;
}

/**
 * kymo_desk_read_flag:
 * @group: of the key
 * @flag: (out): gets 0 or 1; left alone if the key is missing, which is no failure
 *
 * Returns: %FALSE with a reason, and @flag left alone, if the value is neither true nor false
 */
gboolean
kymo_desk_read_flag (GKeyFile *file, const char *group, const char *key, int *flag,
                     GError **error)
{
  g_autoptr (GError) why = NULL;
  gboolean found;

  if (!g_key_file_has_key (file, group, key, NULL))
    return TRUE;
  found = g_key_file_get_boolean (file, group, key, &why);
  if (why != NULL)
    return kymo_desk_refuse (error, _("%s of [%s] is neither true nor false"), key, group);
  *flag = found;
  return TRUE;
}

/**
 * kymo_desk_read_locations:
 * @group: of the key
 * @text: (inout): gets the list, in place of the text before, which is freed
 *
 * Reads a list of location numbers such as "0-15,32". A missing key is no failure.
 *
 * Returns: %FALSE with a reason, and @text left alone, if the value is no such list or is
 *   longer than %KYMO_DESK_LIST_MOST bytes
 */
gboolean
kymo_desk_read_locations (GKeyFile *file, const char *group, const char *key,
                          char **text, GError **error)
{
  g_autoptr (KymoIdSet) set = NULL;
  g_autofree char *found = NULL;

  if (!kymo_desk_read_text (file, group, key, KYMO_DESK_LIST_MOST, &found, error))
    return FALSE;
  if (found == NULL)
    return TRUE;
  set = kymo_id_set_parse (found, NULL);
  if (set == NULL)
    return kymo_desk_refuse (error, _("%s of [%s] is no list as 0-15,32"), key, group);
  g_free (*text);
  *text = g_steal_pointer (&found);
  return TRUE;
}

/**
 * kymo_desk_read_names:
 * @group: of the key
 * @most: bytes that each name may have
 * @names: (inout): gets the list, terminated by %NULL; an older list there is not freed
 *
 * Reads a list of names. A missing key is no failure.
 *
 * Returns: %FALSE with a reason, and @names left alone, if the value is no list, has more
 *   than %KYMO_DESK_NAMES_MOST names, or a name is too long
 */
gboolean
kymo_desk_read_names (GKeyFile *file, const char *group, const char *key, gsize most,
                      char ***names, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_auto (GStrv) found = NULL;
  gsize n;

  if (!g_key_file_has_key (file, group, key, NULL))
    return TRUE;
  found = g_key_file_get_string_list (file, group, key, &n, &why);
  if (why != NULL || n > KYMO_DESK_NAMES_MOST)
    return kymo_desk_refuse (error, _("%s of [%s] is no list of names, or too long"),
                             key, group);
  for (gsize i = 0; i < n; i++)
    if (strlen (found[i]) > most)
      return kymo_desk_refuse (error, _("a name in %s of [%s] is longer than %zu bytes"),
                               key, group, most);
  *names = g_steal_pointer (&found);
  return TRUE;
}

/* -- writing -------------------------------------------------------------- */

static gboolean
is_number (gint64 least, gint64 number)
{
  return number >= least && number <= G_MAXINT64 / 4;
}

/**
 * kymo_desk_is_span:
 *
 * Returns: whether both times are within a quarter of the range of #gint64 and the end is not
 *   before the begin; an unset span (%KYMO_DESK_NONE) is none. A span of length 0 is one.
 */
gboolean
kymo_desk_is_span (KymoSpan span)
{
  return is_number (G_MININT64 / 4, span.begin_ns)
         && is_number (G_MININT64 / 4, span.end_ns) && span.end_ns >= span.begin_ns;
}

/**
 * kymo_desk_write_group:
 * @group: a group of the file
 *
 * Makes the group, so that it is there without keys, too.
 */
void
kymo_desk_write_group (GKeyFile *file, const char *group)
{
  g_key_file_set_string (file, group, "group", "");
  g_key_file_remove_key (file, group, "group", NULL);
}

/**
 * kymo_desk_write_text:
 * @group: of the key
 * @most: bytes that a reader takes
 * @text: (nullable): bytes that are no UTF-8 are replaced
 *
 * Sets the key; leaves the file alone if @text is %NULL or, made valid, longer than @most.
 */
void
kymo_desk_write_text (GKeyFile *file, const char *group, const char *key, gsize most,
                      const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (valid != NULL && strlen (valid) <= most)
    g_key_file_set_string (file, group, key, valid);
}

/**
 * kymo_desk_write_words:
 * @group: of the key
 * @key: to be set
 * @most: bytes that a reader takes
 * @text: words for people; cut behind a character if they are longer
 *
 * Sets the key. Bytes that are no UTF-8 are replaced.
 */
void
kymo_desk_write_words (GKeyFile *file, const char *group, const char *key, gsize most,
                       const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  if (strlen (valid) > most)
    *g_utf8_find_prev_char (valid, valid + most + 1) = '\0';
  g_key_file_set_string (file, group, key, valid);
}

/**
 * kymo_desk_write_locations:
 * @group: of the key
 * @text: (nullable): a list of location numbers such as "0-15,32"
 *
 * Sets the key to @text as it is; leaves the file alone if @text is %NULL, no such list, or
 * longer than %KYMO_DESK_LIST_MOST bytes.
 */
void
kymo_desk_write_locations (GKeyFile *file, const char *group, const char *key,
                           const char *text)
{
  g_autoptr (KymoIdSet) set = text != NULL ? kymo_id_set_parse (text, NULL) : NULL;

  if (set != NULL)
    kymo_desk_write_text (file, group, key, KYMO_DESK_LIST_MOST, text);
}

/**
 * kymo_desk_write_span:
 * @group: of the keys
 * @key: "KEY", of which two keys are made: "KEY-begin" and "KEY-end", in ns
 * @span: not set (%KYMO_DESK_NONE), or none for kymo_desk_is_span(): nothing is written
 *
 * Sets both keys.
 */
void
kymo_desk_write_span (GKeyFile *file, const char *group, const char *key, KymoSpan span)
{
  g_autofree char *begin = g_strconcat (key, "-begin", NULL);
  g_autofree char *end = g_strconcat (key, "-end", NULL);

  if (!kymo_desk_is_span (span))
    return;
  g_key_file_set_int64 (file, group, begin, span.begin_ns);
  g_key_file_set_int64 (file, group, end, span.end_ns);
}

/**
 * kymo_desk_write_number:
 * @group: of the key
 * @key: to be set
 * @least: lowest number that a reader takes
 * @number: below @least, as %KYMO_DESK_NONE is, or above G_MAXINT64 / 4: nothing is written
 *
 * Sets the key.
 */
void
kymo_desk_write_number (GKeyFile *file, const char *group, const char *key,
                        gint64 least, gint64 number)
{
  if (is_number (least, number))
    g_key_file_set_int64 (file, group, key, number);
}

/**
 * kymo_desk_write_names:
 * @group: of the key
 * @most: bytes that a reader takes of each name
 * @names: (nullable): terminated by %NULL; bytes that are no UTF-8 are replaced
 *
 * Sets the key to the names that are short enough, the first %KYMO_DESK_NAMES_MOST of them;
 * leaves the file alone if there are none.
 */
void
kymo_desk_write_names (GKeyFile *file, const char *group, const char *key, gsize most,
                       char *const *names)
{
  g_autoptr (GPtrArray) valid = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; names != NULL && names[i] != NULL && valid->len < KYMO_DESK_NAMES_MOST; i++)
    {
      g_autofree char *one = g_utf8_make_valid (names[i], -1);

      if (strlen (one) <= most)
        g_ptr_array_add (valid, g_steal_pointer (&one));
    }
  if (valid->len > 0)
    g_key_file_set_string_list (file, group, key,
                                (const char *const *) valid->pdata, valid->len);
}
