/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folders on another machine, which here is a server that the test starts: ROOT SERVER, where
 * SERVER is the command that starts it. Runs, folders, sizes and dates are those of the disk; what
 * cannot be listed has a sentence; addresses are written as they are read.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-remote-list.h"
#include "scratch.h"

static const char *root, *server;
static Scratch scratch;

static KymoRemoteListing *
list (const char *path, GError **error)
{
  g_autoptr (KymoRemoteAddress) address = kymo_remote_address_parse ("ssh://far/x", NULL);
  const KymoRemoteWay way = { .server = server };
  g_autoptr (KymoRemoteLink) link = kymo_remote_link_get (address, &way, NULL, error);

  g_assert_nonnull (link);
  return kymo_remote_list (link, path, NULL, error);
}

static const KymoRemoteEntry *
find (const KymoRemoteListing *listing, const char *name)
{
  for (guint i = 0; i < listing->entries->len; i++)
    if (strcmp (((const KymoRemoteEntry *) listing->entries->pdata[i])->name, name) == 0)
      return listing->entries->pdata[i];
  return NULL;
}

/* What `du` would add up, one level deep. */
static gint64
add_up (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  gint64 bytes = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf info;

      g_assert_cmpint (g_stat (path, &info), ==, 0);
      bytes += info.st_size;
    }
  return bytes;
}

static void
test_runs (void)
{
  g_autofree char *data = g_build_filename (root, "tests", "data", NULL);
  g_autofree char *inner = g_build_filename (data, "feat-p4-text", NULL);
  g_autofree char *tau = g_build_filename (data, "tau", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRemoteListing) listing = list (data, &error);
  const KymoRemoteEntry *run = find (listing, "feat-p4-text"), *folder = find (listing, "tau");

  g_assert_no_error (error);
  g_assert_cmpstr (listing->path, ==, data);
  g_assert_true (run->is_run);
  g_assert_cmpstr (run->path, ==, inner);
  g_assert_nonnull (strstr (run->what, "Projections"));
  g_assert_cmpint (run->bytes, ==, add_up (inner));
  g_assert_false (run->at_least);
  g_assert_cmpint (run->time_s, >, 0);
  g_assert_false (folder->is_run);
  g_assert_cmpstr (folder->path, ==, tau);
  g_assert_null (find (listing, "README.md"));
}

/* One run in the folder itself is the folder; of several each is a file. */
static void
test_here (void)
{
  g_autofree char *sample = g_build_filename (root, "data", "sample", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRemoteListing) listing = list (sample, &error);
  const KymoRemoteEntry *run;

  g_assert_no_error (error);
  g_assert_cmpuint (listing->entries->len, ==, 1);
  run = listing->entries->pdata[0];
  g_assert_true (run->is_run);
  g_assert_cmpstr (run->path, ==, sample);
  g_assert_cmpint (run->bytes, ==, add_up (sample));
}

/* Names of any bytes; hidden folders, loops of links. */
static void
test_odd (void)
{
  g_autofree char *folder = scratch_path (&scratch, "odd");
  g_autofree char *strange = g_build_filename (folder, "a\xff b", NULL);
  g_autofree char *hidden = g_build_filename (folder, ".hidden", NULL);
  g_autofree char *loop = g_build_filename (folder, "loop", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRemoteListing) listing = NULL;
  g_autoptr (KymoRemoteListing) missing = NULL;
  g_autofree char *none = g_build_filename (folder, "none", NULL);
  const KymoRemoteEntry *entry;

  g_assert_cmpint (g_mkdir_with_parents (strange, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (hidden, 0700), ==, 0);
  g_assert_cmpint (symlink (folder, loop), ==, 0);
  listing = list (folder, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (listing->entries->len, ==, 2);
  entry = listing->entries->pdata[0];
  g_assert_cmpmem (entry->path, strlen (entry->path), strange, strlen (strange));
  g_assert_true (g_utf8_validate (entry->name, -1, NULL));
  g_assert_cmpint (entry->bytes, ==, -1);
  g_assert_nonnull (find (listing, "loop"));
  missing = list (none, &error);
  g_assert_null (missing);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "none"));
}

static void
test_addresses (void)
{
  static const char *const all[] = {
    "ssh://host/a", "ssh://you@host:22/a b/%20", "ssh://[::1]/x", "ssh://you@[fe80::1]:2222/x",
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autoptr (KymoRemoteAddress) address = kymo_remote_address_parse (all[i], NULL);
      g_autofree char *text = kymo_remote_address_dup_text (address, address->path);

      g_assert_cmpstr (text, ==, all[i]);
    }
}

int
main (int argc, char **argv)
{
  int n_words = 1, status;
  char **words = argv;

  g_test_init (&n_words, &words, NULL);
  root = argv[1];
  server = argv[2];
  scratch_up (&scratch, NULL);
  g_test_add_func ("/remote-list/runs", test_runs);
  g_test_add_func ("/remote-list/here", test_here);
  g_test_add_func ("/remote-list/odd", test_odd);
  g_test_add_func ("/remote-list/addresses", test_addresses);
  status = g_test_run ();
  scratch_down (&scratch, NULL);
  return status;
}
