/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk-places.h. A part without a group is as all were before there were
 * groups of parts: its options are those of [Profile].
 */
#include "config.h"

#include "kymo-desk-places.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-desk-keys.h"
#include "kymo-desk-words.h"

#define EACH_PLACE "Part %u"

/**
 * kymo_desk_place_free:
 * @data: a #KymoDeskPlace
 *
 * Frees the part with its options and words.
 */
void
kymo_desk_place_free (gpointer data)
{
  KymoDeskPlace *place = data;

  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    g_free (place->options[i]);
  g_hash_table_unref (place->words);
  g_free (place);
}

/**
 * kymo_desk_add_place:
 *
 * Appends a part without options and words to @desk, for the caller to fill.
 *
 * Returns: (transfer none): the new part, owned by @desk
 */
KymoDeskPlace *
kymo_desk_add_place (KymoDesk *desk)
{
  KymoDeskPlace *place = g_new0 (KymoDeskPlace, 1);

  place->words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_ptr_array_add (desk->places, place);
  return place;
}

/* -- reading -------------------------------------------------------------- */

/* Other keys are a later program's. */
static gboolean
read_word (KymoDeskPlace *place, GKeyFile *file, const char *group, const char *key,
           GError **error)
{
  const KymoDeskWord *word = kymo_desk_word_parse (key);
  g_autofree char *value = NULL;

  if (word == NULL)
    return TRUE;
  if (!kymo_desk_read_text (file, group, key, KYMO_DESK_TEXT_MOST, &value, error))
    return FALSE;
  if (!kymo_desk_word_check (word, value))
    return kymo_desk_refuse (error, _("%s of [%s] is nothing that it could be"), key, group);
  g_hash_table_insert (place->words, g_strdup (key), g_steal_pointer (&value));
  return TRUE;
}

static void
read_place (KymoDesk *desk, KymoDeskPlace *place, GKeyFile *file, const char *group)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, NULL, NULL);
  GError *why = NULL;

  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    if (!kymo_desk_read_text (file, group, kymo_session_options[i], KYMO_DESK_TEXT_MOST,
                              &place->options[i], &why))
      kymo_desk_leave_out (desk, g_steal_pointer (&why));
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!read_word (place, file, group, keys[i], &why))
      kymo_desk_leave_out (desk, g_steal_pointer (&why));
}

/**
 * kymo_desk_read_places:
 *
 * Appends a part to @desk for each group "Part N", from N = 1 to the first that is missing, at
 * most %KYMO_DESK_PLACES_MOST. A value that cannot be is left out and told with
 * kymo_desk_leave_out(); a key that is unknown is passed over.
 */
void
kymo_desk_read_places (KymoDesk *desk, GKeyFile *file)
{
  for (guint i = 1; i <= KYMO_DESK_PLACES_MOST; i++)
    {
      g_autofree char *group = g_strdup_printf (EACH_PLACE, i);

      if (!g_key_file_has_group (file, group))
        break;
      read_place (desk, kymo_desk_add_place (desk), file, group);
    }
}

/* -- writing -------------------------------------------------------------- */

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

/* In order, so that the same desk gives the same file. */
static void
write_words (const KymoDeskPlace *place, GKeyFile *file, const char *group)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (place->words), compare_keys);

  for (GList *item = keys; item != NULL; item = item->next)
    {
      const KymoDeskWord *word = kymo_desk_word_parse (item->data);
      const char *value = g_hash_table_lookup (place->words, item->data);

      if (word != NULL && kymo_desk_word_check (word, value))
        kymo_desk_write_text (file, group, item->data, KYMO_DESK_TEXT_MOST, value);
    }
}

/* Writes the group of a part, also where the part is empty, so that later parts keep their
   numbers. */
static void
write_place (const KymoDeskPlace *place, GKeyFile *file, const char *group)
{
  kymo_desk_write_group (file, group);
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    kymo_desk_write_text (file, group, kymo_session_options[i], KYMO_DESK_TEXT_MOST,
                          place->options[i]);
  write_words (place, file, group);
}

/**
 * kymo_desk_write_places:
 *
 * Writes a group "Part N" for each of the first %KYMO_DESK_PLACES_MOST parts, from N = 1 on, also
 * for a part without values, so that a reader finds the parts behind it. Values that a reader
 * would refuse are not written.
 */
void
kymo_desk_write_places (const KymoDesk *desk, GKeyFile *file)
{
  for (guint i = 0; i < MIN (desk->places->len, KYMO_DESK_PLACES_MOST); i++)
    {
      g_autofree char *group = g_strdup_printf (EACH_PLACE, i + 1);

      write_place (desk->places->pdata[i], file, group);
    }
}
