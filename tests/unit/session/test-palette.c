/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colours that a person chose: which of several fits, that others keep theirs,
 * contrast on both canvases, and palettes as files by name.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "kymo-error.h"
#include "kymo-palette-files.h"
#include "kymo-theme.h"
#include "scratch.h"

static const char *const names[] = { "Cell::run", "Cell::send", "Main::done",
                                     "MPI_Send()", "f [4]", NULL };

static gboolean
is_rgb (KymoColors *colors, const char *name, guint32 rgb)
{
  return kymo_rgba_to_rgb (kymo_colors_get (colors, name, FALSE)) == rgb;
}

static KymoPalette *
with (KymoPalette *palette, KymoColorOf of, const char *text, guint32 rgb)
{
  KymoPalette *more = kymo_palette_choose (palette, of, text, rgb);

  kymo_palette_unref (palette);
  return more;
}

static GHashTable *
make_groups (void)
{
  GHashTable *groups = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (groups, (char *) "Cell::run", (char *) "Cell");
  g_hash_table_insert (groups, (char *) "Cell::send", (char *) "Cell");
  g_hash_table_insert (groups, (char *) "MPI_Send()", (char *) "TAU_USER | MPI");
  return groups;
}

static void
test_which_fits (void)
{
  g_autoptr (KymoPalette) palette = kymo_palette_new (KYMO_PALETTE_STANDARD);
  g_autoptr (GHashTable) groups = make_groups ();
  g_autoptr (KymoColors) plain = kymo_colors_new (KYMO_PALETTE_STANDARD);
  g_autoptr (KymoColors) colors = NULL;
  KymoRgba a, b;

  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_NAME, "Cell::run", 0x3a7bd5);
  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_GROUP, "Cell", 0xd53a7b);
  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_GROUP, "MPI", 0x7bd53a);
  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_PATTERN, "Main::*", 0x111111);
  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_PATTERN, "*::done", 0x7b3ad5);
  colors = kymo_colors_new_of (palette);
  kymo_colors_assign (plain, names);
  kymo_colors_assign_known (colors, names, &(KymoColorTraits) { .groups = groups });
  g_assert_true (is_rgb (colors, "Cell::run", 0x3a7bd5));
  g_assert_true (is_rgb (colors, "Cell::send", 0xd53a7b));
  g_assert_true (is_rgb (colors, "MPI_Send()", 0x7bd53a));
  g_assert_true (is_rgb (colors, "Main::done", 0x7b3ad5));
  /* A name that was never assigned, twice, the second time from memory. */
  g_assert_true (is_rgb (colors, "Other::done", 0x7b3ad5));
  g_assert_true (is_rgb (colors, "Other::done", 0x7b3ad5));
  a = kymo_colors_get (colors, "f [4]", TRUE);
  b = kymo_colors_get (plain, "f [4]", TRUE);
  g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
  g_assert_cmpuint (kymo_colors_get_rank (colors, "f [4]"), ==, 4);
}

static void
test_reset (void)
{
  g_autoptr (KymoPalette) none = kymo_palette_new (KYMO_PALETTE_SAFE);
  g_autoptr (KymoPalette) one = kymo_palette_choose (none, KYMO_COLOR_OF_NAME, "a", 1);
  g_autoptr (KymoPalette) two = kymo_palette_choose (one, KYMO_COLOR_OF_NAME, "a", 2);
  g_autoptr (KymoPalette) back = kymo_palette_reset (two, KYMO_COLOR_OF_NAME, "a");

  g_assert_cmpuint (kymo_palette_get_n_choices (two), ==, 1);
  g_assert_false (kymo_palette_equal (one, two));
  g_assert_true (kymo_palette_equal (back, none));
}

/* The colours of paper and ink that a chosen one keeps away from are those of
   pictures. */
static void
test_contrast (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    {
      const KymoTheme *theme = kymo_theme_get (look);

      g_assert_true (kymo_color_is_near (kymo_rgba_to_rgb (theme->paper), look));
      g_assert_true (kymo_color_is_near (kymo_rgba_to_rgb (theme->ink), look));
      g_assert_true (kymo_color_is_near (kymo_rgba_to_rgb (theme->canvas), look));
      for (guint32 rgb = 0; rgb < 0x1000000; rgb += 0x030507)
        {
          guint32 seen = kymo_rgba_to_rgb (kymo_color_for_canvas (rgb, look));

          if (!kymo_color_is_near (rgb, look))
            g_assert_cmphex (seen, ==, rgb);
          g_assert_false (kymo_color_is_near (seen, look));
        }
    }
}

static void
test_hues (void)
{
  guint32 rgb[20];

  for (guint kind = 0; kind < 2; kind++)
    for (guint i = kymo_colors_list_hues (kind, rgb); i > 0; i--)
      g_assert_false (kymo_color_is_near (rgb[i - 1], FALSE));
}

static void
test_files (void)
{
  static const char *const bad[] = { "", "a/b", ".hidden", "safe", "a\nb", "../up",
                                     "x.kymopalette" };
  g_autoptr (KymoPalette) none = kymo_palette_new (KYMO_PALETTE_SAFE);
  g_autoptr (KymoPalette) palette
    = kymo_palette_choose (none, KYMO_COLOR_OF_PATTERN, "MPI_*", 0xc01c28);
  g_autoptr (KymoPalette) again = NULL, by_path = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) list = NULL;
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "kymo", "palettes",
                                            "Für Anna.kymopalette", NULL);

  g_assert_true (kymo_palettes_save (palette, "Für Anna", &error));
  g_assert_true (kymo_palettes_save (none, "abc", &error));
  list = kymo_palettes_list ();
  g_assert_cmpuint (g_strv_length (list), ==, 2);
  again = kymo_palettes_load ("Für Anna", &error);
  g_assert_no_error (error);
  g_assert_true (kymo_palette_equal (again, palette));
  by_path = kymo_palettes_load (path, &error);
  g_assert_true (kymo_palette_equal (by_path, palette));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (kymo_palettes_save (palette, bad[i], &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
  g_assert_null (kymo_palettes_load ("nobody's", &error));
  g_assert_nonnull (strstr (error->message, "nobody's"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "[Colours]\nbase=7\n", -1, NULL));
  g_assert_null (kymo_palettes_load ("Für Anna", &error));
  g_clear_error (&error);
  g_assert_true (kymo_palettes_remove ("Für Anna", &error));
  g_assert_true (kymo_palettes_remove ("abc", &error));
  g_assert_false (kymo_palettes_remove ("abc", NULL));
}

static char *
numbered_text (guint n_bytes, guint number)
{
  return g_strdup_printf ("%0*u", (int) n_bytes, number);
}

/* No text that a file may not hold is chosen; one that is no UTF-8 is not written. */
static void
test_written (void)
{
  g_autofree char *most = numbered_text (KYMO_PALETTE_TEXT_MOST, 1);
  g_autofree char *more = numbered_text (20000, 1), *text = NULL;
  g_autoptr (KymoPalette) palette = kymo_palette_new (KYMO_PALETTE_SAFE), again = NULL;
  g_autoptr (GError) error = NULL;

  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_NAME, "\xff", 1);
  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_NAME, "", 2);
  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_PATTERN, more, 3);
  palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_GROUP, most, 4);
  g_assert_cmpuint (kymo_palette_get_n_choices (palette), ==, 2);
  text = kymo_palette_to_text (palette);
  again = kymo_palette_parse (text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kymo_palette_get_n_choices (again), ==, 1);
  g_assert_cmpstr (kymo_palette_peek_choice (again, 0)->text, ==, most);
}

/* Each name of a run is held against all patterns: no more than a file may have. */
static void
test_many_patterns (void)
{
  g_autoptr (KymoPalette) palette = kymo_palette_new (KYMO_PALETTE_SAFE), again = NULL;
  g_autoptr (GString) hostile = g_string_new ("[Colours]\nbase=safe\n");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < KYMO_PALETTE_PATTERNS_MOST + 20; i++)
    {
      g_autofree char *pattern = g_strdup_printf ("*%u*", i);

      palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_PATTERN, pattern, i);
      g_string_append_printf (hostile, "[Colour %u]\npattern=%s\ncolor=#123456\n", i + 1,
                              pattern);
    }
  g_assert_cmpuint (kymo_palette_get_n_choices (palette), ==, KYMO_PALETTE_PATTERNS_MOST);
  text = kymo_palette_to_text (palette);
  again = kymo_palette_parse (text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_true (kymo_palette_equal (again, palette));
  g_assert_null (kymo_palette_parse (hostile->str, hostile->len, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
}

/* Nothing is saved that could not be loaded, over nothing that could. */
static void
test_too_large (void)
{
  g_autoptr (KymoPalette) palette = kymo_palette_new (KYMO_PALETTE_SAFE), again = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (kymo_palettes_save (palette, "large", &error));
  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *text = numbered_text (KYMO_PALETTE_TEXT_MOST, i);

      palette = with (g_steal_pointer (&palette), KYMO_COLOR_OF_GROUP, text, i);
    }
  g_assert_false (kymo_palettes_save (palette, "large", &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_WRITE);
  g_clear_error (&error);
  again = kymo_palettes_load ("large", &error);
  g_assert_no_error (error);
  g_assert_true (kymo_palettes_remove ("large", &error));
}

/* One that nobody writes to would be waited for. */
static void
test_pipe (void)
{
  g_autofree char *home = g_dir_make_tmp ("kymo-palette-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (home, "a.kymopalette", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (kymo_palettes_load (path, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
  g_unlink (path);
  g_rmdir (home);
}

int
main (int argc, char **argv)
{
  Scratch home;
  int status;

  /* GLib's own isolated folders leak. */
  g_test_init (&argc, &argv, NULL);
  scratch_up (&home, NULL);
  g_setenv ("XDG_CONFIG_HOME", home.folder, TRUE);
  g_setenv ("XDG_DATA_HOME", home.folder, TRUE);
  g_test_add_func ("/palette/which-fits", test_which_fits);
  g_test_add_func ("/palette/reset", test_reset);
  g_test_add_func ("/palette/contrast", test_contrast);
  g_test_add_func ("/palette/hues", test_hues);
  g_test_add_func ("/palette/files", test_files);
  g_test_add_func ("/palette/written", test_written);
  g_test_add_func ("/palette/many-patterns", test_many_patterns);
  g_test_add_func ("/palette/too-large", test_too_large);
  g_test_add_func ("/palette/pipe", test_pipe);
  status = g_test_run ();
  scratch_down (&home, NULL);
  return status;
}
