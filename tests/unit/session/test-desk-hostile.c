/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of desks that are wrong, or of a later program: what is no desk is refused with one
 * sentence, of any other what is known is read and the rest told.
 */
#include "config.h"

#include <string.h>

#include "kymo-desk-comparison.h"
#include "kymo-desk-words.h"
#include "kymo-error.h"

#define HEAD "[Kymo Desk]\nversion=1\n"

/* -- hostile files -------------------------------------------------------- */

/* What is no desk at all: a sentence. */
static void
test_nasty (void)
{
  static const char *const bad[] = {
    "", "\xff\xfe", "[", "[Kymo Desk]\n", "[Kymo Desk]\nversion=2\n",
    "[Kymo Desk]\nversion=-1\n", "[Kymo Desk]\nversion=1x\n", "version=1\n",
    HEAD "[Comparison]\npage=time\n",
    HEAD "[Comparison]\n[Compared Run 1]\nside=0\n[Compared Run 2]\nside=64\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kymo_desk_parse (bad[i], strlen (bad[i]), &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_null (strchr (error->message, '\n'));
    }
}

/* Before what is wrong and behind it stand values that are read all the same; what was left
   out is one sentence, and is not written again. */
static void
assert_left_out (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoDesk) desk = kymo_desk_parse (text, length, &error), again = NULL;
  g_autofree char *words = NULL, *after = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (desk->left_out->len, ==, 1);
  g_assert_cmpint (desk->markers[1], ==, 77);
  words = kymo_desk_dup_left_out (desk);
  g_assert_true (g_utf8_validate (words, -1, NULL));
  g_assert_null (strchr (words, '\n'));
  g_assert_nonnull (strchr (words, '['));
  after = kymo_desk_to_text (desk);
  again = kymo_desk_parse (after, strlen (after), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->left_out->len, ==, 0);
  g_assert_null (kymo_desk_dup_left_out (again));
}

#define GOOD HEAD "[Chosen]\nmarker-b=77\n"

static void
test_values (void)
{
  static const char *const bad[] = {
    GOOD "[Shown]\nrange-begin=5\n",
    GOOD "[Shown]\nrange-begin=5\nrange-end=4\n",
    GOOD "[Shown]\nrange-begin=-9223372036854775808\nrange-end=9223372036854775807\n",
    GOOD "[Shown]\nrange-begin=99999999999999999999\nrange-end=1\n",
    GOOD "[Shown]\nrange-begin=1e9\nrange-end=2e9\n",
    GOOD "[Shown]\nlocations=0-99999999999\n", GOOD "[Shown]\nlocations=\n",
    GOOD "[Shown]\nlocations=5-3\n", GOOD "[Shown]\nby-cluster=perhaps\n",
    GOOD "[Shown]\nhidden=\xff\xfe;\n", GOOD "[Run]\ntitle=\xc3\x28\n",
    GOOD "[Run]\nlocations=-3\n", GOOD "[Chosen]\nmarker-a=nan\n",
    GOOD "[Chosen]\nblock-location=-1\n", GOOD "[Views]\nlegend=2\n",
    GOOD "[Shown]\norder=by-magic\n", GOOD "[Shown]\norder=\n", GOOD "[Shown]\nleast=-1\n",
    GOOD "[Shown]\norder-range-begin=3\n", GOOD "[Shown]\nfold=\n",
    GOOD "[Shown]\nfold=0-99999999999\n", GOOD "[Shown]\nfold=3-1\n",
    GOOD "[Shown]\nmessages=some\n", GOOD "[Shown]\nmessages-by-bytes=2\n",
    GOOD "[Part 1]\nhistogram.bins=4\n", GOOD "[Part 1]\nhistogram.bins=1e3\n",
    GOOD "[Part 1]\nhistogram.of=\n", GOOD "[Part 1]\nhistogram.of=duration grain\n",
    GOOD "[Part 1]\n[Part 2]\nextrema.kept=1\n", GOOD "[Part 1]\nprofile.sort=-\n",
    GOOD "[Part 1]\nprofile.sort=a b\n", GOOD "[Part 1]\ncounters.name=\n",
    GOOD "[Part 1]\nmetric=\xff\n", GOOD "[Colours]\nbase=loud\n",
    GOOD "[Colours]\nbase=safe\n[Colour 1]\nname=a\ncolor=red\n",
    GOOD "[Colours]\nbase=safe\n[Colour 1]\nname=a\ncolor=#12345\n",
    GOOD "[Colours]\nbase=safe\n[Colour 1]\ncolor=#123456\n",
    GOOD "[Bookmark 1]\nname=a\n",
    GOOD "[Bookmark 1]\nname=a\ntime-begin=9\ntime-end=3\n",
    GOOD "[Bookmark 1]\ntime-begin=1\ntime-end=3\nlocations=x\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_left_out (bad[i], strlen (bad[i]));
}

/* Lengths: a text, a list of names. */
static void
test_lengths (void)
{
  static const struct { const char *before, *fill, *after; guint n; } bad[] = {
    { GOOD "[Views]\nview=", "x", "\n", 257 },
    { GOOD "[Run]\ntitle=", "x", "\n", 9000 },
    { GOOD "[Shown]\nhidden=", "a;", "\n", 70000 },
    { GOOD "[Shown]\nline=", "x", "\n", 9000 },
    { GOOD "[Shown]\nfold=", "0,", "0\n", 600000 },
    { GOOD "[Part 1]\nmetric=", "x", "\n", 9000 },
    { GOOD "[Part 1]\ncounters.name=", "x", "\n", 9000 },
    { GOOD "[Shown]\nhidden=", "x", ";\n", 9000 },
    { GOOD "[Bookmark 1]\ntime-begin=1\ntime-end=2\nnote=", "x", "\n", 70000 },
    { GOOD "[Colours]\nbase=safe\n[Colour 1]\ncolor=#123456\npattern=", "x", "\n", 257 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GString) text = g_string_new (bad[i].before);

      for (guint k = 0; k < bad[i].n; k++)
        g_string_append (text, bad[i].fill);
      g_string_append (text, bad[i].after);
      assert_left_out (text->str, text->len);
    }
}

static void
test_too_long (void)
{
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autoptr (GError) error = NULL;

  for (guint k = 0; k < 4 << 20; k++)
    g_string_append (text, "#\n");
  g_assert_null (kymo_desk_parse (text->str, text->len, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
}

/* A palette with more patterns than there may be, of a later program's base, a mode that
   is to come: the first of each is used, and one sentence tells how much more there was. */
static void
test_later (void)
{
  g_autoptr (GString) text = g_string_new (GOOD "[Part 1]\nhistogram.of=mood\n"
                                           "histogram.bins=50\n[Colours]\nbase=loud\n");
  g_autoptr (KymoDesk) desk = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;
  const KymoDeskPlace *place;
  guint n = KYMO_PALETTE_PATTERNS_MOST + 20;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "[Colour %u]\npattern=*%u*\ncolor=#123456\n", i + 1, i);
  g_string_append_printf (text, "[Colour %u]\nname=last\ncolor=#654321\n", n + 1);
  desk = kymo_desk_parse (text->str, text->len, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kymo_palette_get_n_choices (desk->colors), ==,
                    KYMO_PALETTE_PATTERNS_MOST + 1);
  place = desk->places->pdata[0];
  g_assert_false (g_hash_table_contains (place->words, "histogram.of"));
  g_assert_cmpstr (g_hash_table_lookup (place->words, "histogram.bins"), ==, "50");
  g_assert_cmpuint (desk->left_out->len, ==, 22);
  desk->file = g_strdup ("anna.kymodesk");
  words = kymo_desk_dup_left_out (desk);
  g_assert_cmpstr (words, ==, "“anna.kymodesk” is used without what this Kymo does not know: "
                   "histogram.of of [Part 1] is nothing that it could be, and 21 more");
}

/* A comparison is what it can be of the runs that are told. */
static void
test_comparison (void)
{
  const char *text = HEAD "[Comparison]\nagainst=x\nstacked=true\n"
    "[Compared Run 1]\nside=0\ntitle=a\n[Compared Run 2]\nside=-1\ntitle=b\n"
    "[Compared Run 3]\nside=1\noffset=99999999999999999\ntitle=c\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoDesk) desk = kymo_desk_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (desk->left_out->len, ==, 3);
  g_assert_cmpint (desk->comparison->stacked, ==, TRUE);
  g_assert_cmpint (desk->comparison->against, ==, KYMO_DESK_NONE);
  g_assert_cmpuint (desk->comparison->runs->len, ==, 2);
  g_assert_cmpstr (((KymoDeskRun *) desk->comparison->runs->pdata[1])->title, ==, "c");
  g_assert_cmpint (((KymoDeskRun *) desk->comparison->runs->pdata[1])->offset_ns, ==, 0);
}

static void
test_unknown (void)
{
  const char *text = HEAD "colour-of-the-chair=green\n[Coffee]\nmilk=yes\n"
    "[Part 1]\nunknown.thing=x\nhistogram.mood=blue\nwords=z\n[Part 9]\nmetric=m\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoDesk) desk = kymo_desk_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_null (desk->title);
  g_assert_cmpint (desk->range.begin_ns, ==, KYMO_DESK_NONE);
  g_assert_cmpuint (desk->places->len, ==, 1);
  g_assert_cmpuint (
    g_hash_table_size (((KymoDeskPlace *) desk->places->pdata[0])->words), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/desk-hostile/none", test_nasty);
  g_test_add_func ("/desk-hostile/values", test_values);
  g_test_add_func ("/desk-hostile/lengths", test_lengths);
  g_test_add_func ("/desk-hostile/too-long", test_too_long);
  g_test_add_func ("/desk-hostile/later", test_later);
  g_test_add_func ("/desk-hostile/comparison", test_comparison);
  g_test_add_func ("/desk-hostile/unknown", test_unknown);
  return g_test_run ();
}
