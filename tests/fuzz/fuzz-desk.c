/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: files of desks, with their palettes. What was read can be written,
 * and that is read as the same.
 */
#include "config.h"

#include <string.h>

#include "fuzz.h"
#include "kymo-desk-words.h"
#include "kymo-desk.h"

static void
check_places (const KymoDesk *desk)
{
  fuzz_require (desk->places->len <= KYMO_DESK_PLACES_MOST);
  for (guint i = 0; i < desk->places->len; i++)
    {
      const KymoDeskPlace *place = desk->places->pdata[i];
      GHashTableIter iter;
      gpointer key, value;

      g_hash_table_iter_init (&iter, place->words);
      while (g_hash_table_iter_next (&iter, &key, &value))
        {
          const KymoDeskWord *word = kymo_desk_word_parse (key);

          fuzz_require (word != NULL && kymo_desk_word_check (word, value));
        }
    }
}

/* One sentence, whatever was left out. */
static void
check_left_out (const KymoDesk *desk)
{
  g_autofree char *words = kymo_desk_dup_left_out (desk);

  fuzz_require ((words == NULL) == (desk->left_out->len == 0));
  fuzz_require (words == NULL || g_utf8_validate (words, -1, NULL));
  fuzz_require (words == NULL || strchr (words, '\n') == NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL, again_error = NULL;
  g_autoptr (KymoDesk) desk = kymo_desk_parse ((const char *) data, size, &error), again = NULL;
  g_autofree char *text = NULL, *after = NULL;

  fuzz_require ((desk == NULL) == (error != NULL));
  if (desk == NULL)
    {
      fuzz_require (g_utf8_validate (error->message, -1, NULL));
      fuzz_require (strchr (error->message, '\n') == NULL);
      return 0;
    }
  check_places (desk);
  check_left_out (desk);
  text = kymo_desk_to_text (desk);
  again = kymo_desk_parse (text, strlen (text), &again_error);
  fuzz_require (again != NULL);
  after = kymo_desk_to_text (again);
  fuzz_require (again->left_out->len == 0);
  fuzz_require (strcmp (after, text) == 0);
  return 0;
}
