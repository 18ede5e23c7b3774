/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is written of a desk can be read: values that are out of bounds, texts, lists
 * and whole desks that are too long lose that much and no more. Files of desks: where
 * their run lies, what is no file, and how many are kept.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "kymo-desk-store.h"
#include "kymo-error.h"
#include "kymo-id-set.h"
#include "scratch.h"

static KymoDesk *
written_and_read (const KymoDesk *desk)
{
  g_autofree char *text = kymo_desk_to_text (desk), *after = NULL;
  g_autoptr (GError) error = NULL;
  KymoDesk *again = kymo_desk_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  after = kymo_desk_to_text (again);
  g_assert_cmpstr (after, ==, text);
  return again;
}

/* 2^61 and over, ends before begins, lists of nothing. */
static void
test_written_values (void)
{
  g_autoptr (KymoDesk) desk = kymo_desk_new (), again = NULL;

  desk->full = (KymoSpan) { 0, G_MAXINT64 };
  desk->range = (KymoSpan) { 5, 4 };
  desk->selection = (KymoSpan) { 4, 5 };
  desk->block_location = -1;
  desk->block_time_ns = G_MAXINT64;
  desk->markers[0] = G_MININT64 + 1;
  desk->locations = g_strdup ("");
  desk->hidden = g_strdupv ((char *[]) { (char *) "\xff\xfe", (char *) "", NULL });
  kymo_desk_add_note (desk, (KymoSpan) { 0, G_MAXINT64 }, "never", NULL, NULL);
  kymo_desk_add_note (desk, (KymoSpan) { 0, 1 }, "\xff", "", "");
  kymo_desk_add_note (desk, (KymoSpan) { 2, 1 }, "back", NULL, NULL);
  kymo_desk_add_note (desk, (KymoSpan) { 3, 4 }, "last", NULL, "9999999999");
  again = written_and_read (desk);
  g_assert_cmpint (again->full.end_ns, ==, KYMO_DESK_NONE);
  g_assert_cmpint (again->selection.end_ns, ==, 5);
  g_assert_null (again->locations);
  g_assert_cmpuint (g_strv_length (again->hidden), ==, 2);
  g_assert_cmpuint (again->notes->len, ==, 2);
  g_assert_cmpstr (((KymoDeskNote *) again->notes->pdata[1])->name, ==, "last");
}

/* Every second of 40,000 PEs, here and in notes. */
static void
test_written_locations (void)
{
  g_autoptr (KymoDesk) desk = kymo_desk_new (), again = NULL;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 id = 0; id < 40000; id += 2)
    g_array_append_val (ids, id);
  desk->locations = kymo_ids_to_text ((gint64 *) ids->data, ids->len);
  for (guint i = 0; i < 10; i++)
    kymo_desk_add_note (desk, (KymoSpan) { 0, i }, "here", NULL, desk->locations);
  again = written_and_read (desk);
  g_assert_cmpstr (again->locations, ==, desk->locations);
  g_assert_cmpuint (again->notes->len, ==, 10);
  g_assert_cmpstr (((KymoDeskNote *) again->notes->pdata[9])->locations, ==, desk->locations);
}

static char *
long_text (guint n_bytes)
{
  GString *text = g_string_new ("x");

  while (text->len < n_bytes)
    g_string_append (text, "ü");
  return g_string_free (text, FALSE);
}

/* Names of 20,000 bytes are left out, words of 200,000 are cut. */
static void
test_written_texts (void)
{
  g_autofree char *name = long_text (20000), *words = long_text (200000);
  g_autoptr (KymoDesk) desk = kymo_desk_new (), again = NULL;
  g_autoptr (KymoPalette) none = kymo_palette_new (KYMO_PALETTE_SAFE);
  const KymoDeskNote *note;

  desk->title = g_strdup (name);
  desk->layout = g_strdup (name);
  desk->function = g_strdup (name);
  desk->thread = g_strdup (name);
  desk->options[0] = g_strdup (name);
  desk->uri = g_strdup (words);
  desk->hidden = g_strdupv ((char *[]) { name, (char *) "main", NULL });
  desk->colors = kymo_palette_choose (none, KYMO_COLOR_OF_NAME, name, 0x3a7bd5);
  kymo_desk_add_note (desk, (KymoSpan) { 0, 1 }, name, words, NULL);
  again = written_and_read (desk);
  g_assert_null (again->function);
  g_assert_null (again->options[0]);
  g_assert_cmpuint (g_strv_length (again->hidden), ==, 1);
  g_assert_cmpstr (again->hidden[0], ==, "main");
  g_assert_cmpint (kymo_palette_get_base (again->colors), ==, KYMO_PALETTE_SAFE);
  note = again->notes->pdata[0];
  g_assert_cmpuint (strlen (note->name), ==, 8191);
  g_assert_cmpuint (strlen (note->note), ==, 65535);
  g_assert_true (g_str_has_prefix (words, note->note));
}

/* 70,000 names, short and so long that no file holds them. */
static void
test_written_names (void)
{
  for (guint width = 5; width <= 500; width *= 100)
    {
      g_autoptr (KymoDesk) desk = kymo_desk_new (), again = NULL;
      g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

      for (guint i = 0; i < 70000; i++)
        {
          g_autofree char *name = g_strdup_printf ("%0*u", (int) width, i);

          g_strv_builder_add (names, name);
        }
      desk->hidden = g_strv_builder_end (names);
      desk->function = g_strdup ("main");
      again = written_and_read (desk);
      g_assert_cmpstr (again->function, ==, "main");
      if (width == 5)
        g_assert_cmpuint (g_strv_length (again->hidden), ==, 65536);
      else
        g_assert_null (again->hidden);
    }
}

/* 1000 notes of 20,000 bytes: as many as a file holds. */
static void
test_written_notes (void)
{
  g_autofree char *words = long_text (20000);
  g_autoptr (KymoDesk) desk = kymo_desk_new (), again = NULL;

  for (guint i = 0; i < 1000; i++)
    kymo_desk_add_note (desk, (KymoSpan) { 0, i }, "here", words, NULL);
  again = written_and_read (desk);
  g_assert_cmpuint (again->notes->len, ==, 250);
  g_assert_cmpint (((KymoDeskNote *) again->notes->pdata[249])->span.end_ns, ==, 249);
}

/* -- files ---------------------------------------------------------------- */

static KymoDesk *
parsed (const char *text)
{
  g_autoptr (GError) error = NULL;
  KymoDesk *desk = kymo_desk_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  return desk;
}

static void
test_find_run (void)
{
  static const char *const runs[] = { "here/run", "run [\xff] %41.sts", "../beside/a b" };
  g_autofree char *home = g_dir_make_tmp ("kymo-desk-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (home, "sent", NULL);
  g_autofree char *file = g_build_filename (folder, "a.kymodesk", NULL);
  g_autofree char *elsewhere = g_build_filename (home, "other", "a.kymodesk", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autofree char *run = g_build_filename (folder, runs[i], NULL);
      g_autofree char *full = g_canonicalize_filename (run, NULL);
      g_autofree char *parent = g_path_get_dirname (full);
      g_autofree char *found = NULL, *by_uri = NULL, *text = NULL;
      g_autoptr (KymoDesk) desk = kymo_desk_new (), read = NULL;

      g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
      kymo_desk_set_run (desk, full, file);
      text = kymo_desk_to_text (desk);
      read = parsed (text);
      g_assert_null (kymo_desk_find_run (read, file));
      g_assert_true (g_file_set_contents (full, "", 0, NULL));
      found = kymo_desk_find_run (read, file);
      g_assert_cmpstr (found, ==, full);
      by_uri = kymo_desk_find_run (read, elsewhere);
      g_assert_cmpstr (by_uri, ==, full);
      g_unlink (full);
      g_rmdir (parent);
    }
  g_rmdir (folder);
  g_rmdir (home);
}

/* One that nobody writes to would be waited for. */
static void
test_pipe (void)
{
  g_autofree char *home = g_dir_make_tmp ("kymo-desk-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (home, "a.kymodesk", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (kymo_desk_load (path, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
  g_unlink (path);
  g_rmdir (home);
}

static void
test_store (void)
{
  g_autoptr (KymoDesk) desk = kymo_desk_new (), read = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (kymo_desk_store_load ("/a\nrun"));
  for (guint i = 0; i < KYMO_DESKS_MOST + 20; i++)
    {
      g_autofree char *key = g_strdup_printf ("run %u", i);

      g_free (desk->title);
      desk->title = g_strdup (key);
      g_assert_true (kymo_desk_store_save (key, desk, &error));
    }
  g_assert_cmpuint (kymo_desk_store_count (), ==, KYMO_DESKS_MOST);
  read = kymo_desk_store_load ("run 419");
  g_assert_cmpstr (read->title, ==, "run 419");
  g_assert_null (kymo_desk_store_load ("run 0"));
  kymo_desk_store_forget ("run 419");
  g_assert_null (kymo_desk_store_load ("run 419"));
  g_assert_cmpuint (kymo_desk_store_forget_all (), ==, KYMO_DESKS_MOST - 1);
  g_assert_cmpuint (kymo_desk_store_count (), ==, 0);
}

int
main (int argc, char **argv)
{
  Scratch home;
  int status;

  g_test_init (&argc, &argv, NULL);
  scratch_up (&home, NULL);
  g_setenv ("XDG_DATA_HOME", home.folder, TRUE);
  g_test_add_func ("/desk-written/values", test_written_values);
  g_test_add_func ("/desk-written/locations", test_written_locations);
  g_test_add_func ("/desk-written/texts", test_written_texts);
  g_test_add_func ("/desk-written/names", test_written_names);
  g_test_add_func ("/desk-written/notes", test_written_notes);
  g_test_add_func ("/desk-written/find-run", test_find_run);
  g_test_add_func ("/desk-written/pipe", test_pipe);
  g_test_add_func ("/desk-written/store", test_store);
  status = g_test_run ();
  scratch_down (&home, NULL);
  return status;
}
