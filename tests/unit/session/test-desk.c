/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Desks as files: random ones survive the way out and in, damaged ones are read or
 * refused (test-desk-hostile.c has what is wrong with them, test-desk-restored.c what a
 * session makes of them).
 */
#include "config.h"

#include <string.h>

#include "kymo-desk-store.h"
#include "kymo-desk-words.h"

/* Names of functions hold anything. */
static char *
random_text (GRand *rand)
{
  static const char *const parts[] = {
    "a", "::", "<int, 4>", "[", "]", "=", ";", "\\", "#", "\n", "\t", " ", "\r",
    "ü", "日本", "🙂", "%s", "\"", "operator()", "\\n", "Bookmark 1",
  };
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = g_rand_int_range (rand, 1, 9);

  for (guint i = 0; i < n; i++)
    g_string_append (text, parts[g_rand_int_range (rand, 0, G_N_ELEMENTS (parts))]);
  return g_strdup (text->str);
}

static char *
maybe_text (GRand *rand)
{
  return g_rand_boolean (rand) ? random_text (rand) : NULL;
}

static KymoSpan
random_span (GRand *rand)
{
  gint64 begin = (gint64) g_rand_int (rand) << g_rand_int_range (rand, 0, 25);

  return (KymoSpan) { begin, begin + g_rand_int (rand) };
}

static KymoPalette *
random_palette (GRand *rand)
{
  KymoPalette *palette = kymo_palette_new (g_rand_boolean (rand));

  for (guint n = g_rand_int_range (rand, 0, 6); n > 0; n--)
    {
      g_autoptr (KymoPalette) before = palette;
      g_autofree char *text = random_text (rand);

      palette = kymo_palette_choose (before, g_rand_int_range (rand, 0, 3), text,
                                     g_rand_int (rand));
    }
  return palette;
}

/* A value that the word may have. */
static char *
random_value (GRand *rand, const KymoDeskWord *word)
{
  switch (word->kind)
    {
    case KYMO_DESK_CHOICE:
      {
        g_auto (GStrv) words = g_strsplit (word->words, "|", -1);

        return g_strdup (words[g_rand_int_range (rand, 0, g_strv_length (words))]);
      }
    case KYMO_DESK_COUNT:
      return g_strdup_printf ("%d", g_rand_int_range (rand, word->least, word->most + 1));
    case KYMO_DESK_FLAG:
      return g_strdup (g_rand_boolean (rand) ? "true" : "false");
    case KYMO_DESK_SORT:
      return g_strdup (g_rand_boolean (rand) ? "-exclusive_ns" : "values:2");
    case KYMO_DESK_NAME:
    default:
      return random_text (rand);
    }
}

static void
add_random_place (GRand *rand, KymoDesk *desk)
{
  KymoDeskPlace *place = kymo_desk_add_place (desk);

  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    place->options[i] = maybe_text (rand);
  for (guint i = 0; kymo_desk_words[i].view != NULL; i++)
    if (g_rand_int_range (rand, 0, 4) == 0)
      g_hash_table_insert (place->words,
                           g_strconcat (kymo_desk_words[i].view, ".", kymo_desk_words[i].key,
                                        NULL), random_value (rand, &kymo_desk_words[i]));
}

static void
fill_rows (GRand *rand, KymoDesk *desk)
{
  static const char *const orders[] = { "-busy", "time:Cell::run(int; x)", "similarity" };
  static const char *const folds[] = { "all", "none", "process", "0,3-5" };

  desk->order = g_strdup (orders[g_rand_int_range (rand, 0, G_N_ELEMENTS (orders))]);
  if (g_rand_boolean (rand))
    desk->order_span = random_span (rand);
  desk->fold = g_strdup (folds[g_rand_int_range (rand, 0, G_N_ELEMENTS (folds))]);
  desk->least_ns = g_rand_boolean (rand) ? (gint64) g_rand_int (rand) : KYMO_DESK_NONE;
  desk->line = maybe_text (rand);
  desk->pinned = g_rand_boolean (rand) ? g_strdup ("1,3-5") : NULL;
  desk->messages = g_rand_boolean (rand) ? g_strdup ("all") : NULL;
  desk->by_bytes = g_rand_int_range (rand, -1, 2);
  desk->least_bytes = g_rand_boolean (rand) ? (gint64) g_rand_int (rand) : KYMO_DESK_NONE;
  desk->message_tag = g_rand_boolean (rand) ? (gint64) g_rand_int (rand) : KYMO_DESK_NONE;
  for (guint n = g_rand_int_range (rand, 0, 7); n > 0; n--)
    add_random_place (rand, desk);
}

static KymoDesk *
random_desk (GRand *rand)
{
  KymoDesk *desk = kymo_desk_new ();
  g_autoptr (GStrvBuilder) hidden = g_strv_builder_new ();

  desk->title = maybe_text (rand);
  desk->uri = maybe_text (rand);
  desk->beside = maybe_text (rand);
  desk->layout = maybe_text (rand);
  desk->view = maybe_text (rand);
  desk->search = maybe_text (rand);
  desk->function = maybe_text (rand);
  desk->thread = maybe_text (rand);
  desk->palette = random_text (rand);
  desk->color_by = g_strdup (g_rand_boolean (rand) ? "role" : "group");
  desk->colors = random_palette (rand);
  desk->n_locations = g_rand_boolean (rand) ? (gint64) g_rand_int (rand) : KYMO_DESK_NONE;
  desk->full = random_span (rand);
  if (g_rand_boolean (rand))
    desk->range = random_span (rand);
  if (g_rand_boolean (rand))
    desk->markers[0] = g_rand_int (rand);
  for (guint i = 0; i < KYMO_DESK_N_PANES; i++)
    desk->panes[i] = g_rand_int_range (rand, -1, 2);
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    desk->options[i] = maybe_text (rand);
  for (guint n = g_rand_int_range (rand, 1, 5); n > 0; n--)
    {
      g_autofree char *name = random_text (rand);
      g_autofree char *note = maybe_text (rand);

      g_strv_builder_add (hidden, name);
      kymo_desk_add_note (desk, random_span (rand), name, note,
                          g_rand_boolean (rand) ? "0-15,32" : NULL);
    }
  desk->hidden = g_strv_builder_end (hidden);
  fill_rows (rand, desk);
  return desk;
}

static void
check_places (const KymoDesk *desk, const KymoDesk *again)
{
  g_assert_cmpuint (again->places->len, ==, desk->places->len);
  for (guint i = 0; i < desk->places->len; i++)
    {
      const KymoDeskPlace *a = desk->places->pdata[i], *b = again->places->pdata[i];
      GHashTableIter iter;
      gpointer key, value;

      for (guint k = 0; k < KYMO_N_OPTIONS; k++)
        g_assert_cmpstr (b->options[k], ==, a->options[k]);
      g_assert_cmpuint (g_hash_table_size (b->words), ==, g_hash_table_size (a->words));
      g_hash_table_iter_init (&iter, a->words);
      while (g_hash_table_iter_next (&iter, &key, &value))
        g_assert_cmpstr (g_hash_table_lookup (b->words, key), ==, value);
    }
}

static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20240817);

  for (guint i = 0; i < 300; i++)
    {
      g_autoptr (KymoDesk) desk = random_desk (rand), again = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *text = kymo_desk_to_text (desk), *after = NULL;

      again = kymo_desk_parse (text, strlen (text), &error);
      g_assert_no_error (error);
      g_assert_cmpstr (again->title, ==, desk->title);
      g_assert_cmpstr (again->search, ==, desk->search);
      g_assert_true (g_strv_equal ((const char *const *) again->hidden,
                                   (const char *const *) desk->hidden));
      g_assert_true (kymo_palette_equal (again->colors, desk->colors));
      g_assert_cmpuint (again->notes->len, ==, desk->notes->len);
      g_assert_cmpint (again->range.end_ns, ==, desk->range.end_ns);
      g_assert_cmpstr (again->order, ==, desk->order);
      g_assert_cmpint (again->order_span.begin_ns, ==, desk->order_span.begin_ns);
      g_assert_cmpstr (again->fold, ==, desk->fold);
      g_assert_cmpstr (again->pinned, ==, desk->pinned);
      g_assert_cmpstr (again->line, ==, desk->line);
      g_assert_cmpint (again->least_ns, ==, desk->least_ns);
      check_places (desk, again);
      after = kymo_desk_to_text (again);
      g_assert_cmpstr (after, ==, text);
    }
}

/* Any cut and any flipped byte of a good one: a desk or a sentence. */
static void
test_damage (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (KymoDesk) desk = random_desk (rand);
  g_autofree char *text = kymo_desk_to_text (desk);
  gsize length = strlen (text);

  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *damaged = g_strdup (text);
      g_autoptr (KymoDesk) read = NULL;
      g_autoptr (GError) error = NULL;

      damaged[g_rand_int_range (rand, 0, length)] = g_rand_int (rand);
      read = kymo_desk_parse (damaged, g_rand_int_range (rand, 0, length + 1),
                              &error);
      g_assert_true ((read == NULL) == (error != NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/desk/round-trip", test_round_trip);
  g_test_add_func ("/desk/damage", test_damage);
  return g_test_run ();
}
