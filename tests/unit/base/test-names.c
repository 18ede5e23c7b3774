/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names that are too long are cut, and never laid out whole. What drawing costs is counted in
 * bytes that pango is given. That all readers cut them and tell so is of tests/cli/test-names.py.
 */
#include "config.h"

#include <string.h>

#include "kymo-name.h"
#include "kymo-text.h"

#define LONG 70000

/* (transfer full): so many letters, then the end */
static char *
long_name (const char *letter,
           const char *end)
{
  GString *name = g_string_new (NULL);

  for (guint i = 0; i < LONG; i++)
    g_string_append (name, letter);
  g_string_append (name, end);
  return g_string_free (name, FALSE);
}

static void
test_cut (void)
{
  static const char *const letters[] = { "n", "ä", "€", "\xF0\x9F\x98\x80", "\xFF" };
  g_autofree char *just = g_strnfill (KYMO_NAME_MOST, 'n');
  g_autofree char *kept = kymo_name_dup (just, -1);

  g_assert_cmpstr (kept, ==, just);
  g_assert_false (kymo_name_is_cut (kept));
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    {
      g_autofree char *one = long_name (letters[i], "1"), *other = long_name (letters[i], "2");
      g_autofree char *cut = kymo_name_dup (one, -1), *again = kymo_name_dup (one, strlen (one));
      g_autofree char *cut_other = kymo_name_dup (other, -1), *twice = kymo_name_dup (cut, -1);

      g_assert_true (kymo_name_is_cut (cut));
      g_assert_true (g_utf8_validate (cut, -1, NULL));
      g_assert_cmpuint (strlen (cut), <=, KYMO_NAME_MOST);
      g_assert_cmpstr (cut, ==, again);
      g_assert_cmpstr (cut, ==, twice);
      g_assert_cmpstr (cut, !=, cut_other);
    }
}

static void
test_shown (void)
{
  g_autofree char *name = long_name ("n", "1"), *shown = kymo_name_shown (name);
  g_autofree char *same = kymo_name_shown ("main");

  g_assert_cmpint (g_utf8_strlen (shown, -1), ==, KYMO_NAME_SHOWN);
  g_assert_cmpstr (same, ==, "main");
  g_assert_null (kymo_name_shown (NULL));
}

/* Where a name has no room, what tells it from others goes last. */
static void
test_shorten (void)
{
  static const struct { const char *name, *once, *twice; } cases[] = {
    { "solve(double *) [{jacobi.c} {30,1}-{55,1}]", "solve(double *)", "solve" },
    { "MPI_Send()", "MPI_Send", NULL }, { "main", NULL, NULL }, { "(none)", NULL, NULL },
    { "S<void(int)>::step(int, f(*)()) const", "S<void(int)>::step", NULL },
    { "S::operator()(int)", "S::operator()", NULL },
    { "Heap Memory Used (KB)", NULL, NULL }, { "Threads (4) : setup()", NULL, NULL },
    { "main() => solve()", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup (cases[i].name);

      g_assert_cmpint (kymo_name_shorten (name), ==, cases[i].once != NULL);
      g_assert_cmpstr (name, ==, cases[i].once != NULL ? cases[i].once : cases[i].name);
      g_assert_cmpint (kymo_name_shorten (name), ==, cases[i].twice != NULL);
      if (cases[i].twice != NULL)
        g_assert_cmpstr (name, ==, cases[i].twice);
    }
}

/* As labels of blocks, axes and legends do. */
static gsize
cost_of (const char *text,
         double      most_px)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 800, 100);
  cairo_t *cr = cairo_create (surface);
  KymoTextStyle style = { KYMO_TEXT_NORMAL, FALSE, 0, most_px };
  gsize before = kymo_text_get_laid_out ();
  g_autofree char *fitting = kymo_text_fitting_name (cr, text, style);

  kymo_text_width (cr, text, style);
  kymo_text_draw (cr, text, 10, 50, style, (KymoRgba) { 0, 0, 0, 1 });
  kymo_text_draw (cr, fitting, 10, 50, style, (KymoRgba) { 0, 0, 0, 1 });
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return kymo_text_get_laid_out () - before;
}

static void
test_drawing_cost (void)
{
  g_autofree char *name = long_name ("n", "("), *narrow = long_name ("i", ""), *half = NULL;

  g_assert_cmpuint (cost_of (name, 200), >, 0);
  g_assert_cmpuint (cost_of (narrow, 200), <, 4 * KYMO_NAME_SHOWN);
  g_assert_cmpuint (cost_of (name, 0), <, 4 * KYMO_NAME_SHOWN);
  half = g_strndup (name, LONG / 2);
  /* Twice as long costs no more. */
  g_assert_cmpuint (cost_of (name, 300), <=, cost_of (half, 300));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/names/cut", test_cut);
  g_test_add_func ("/names/shown", test_shown);
  g_test_add_func ("/names/shorten", test_shorten);
  g_test_add_func ("/names/drawing-cost", test_drawing_cost);
  return g_test_run ();
}
