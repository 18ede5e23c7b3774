/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ring of the last frames, against what it is to hold found the long way;
 * and names of entry ids.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "blocks.h"
#include "kymo-error.h"
#include "kymo-stream-file.h"
#include "kymo-stream-names.h"

static gint64
bytes_of (GPtrArray *frames)
{
  gint64 n = 0;

  for (guint i = 0; i < frames->len; i++)
    n += 64 + g_bytes_get_size (((KymoStreamFrame *) frames->pdata[i])->bytes);
  return n;
}

/* (transfer container): what the ring is to hold where frames[from] is the
   first that it still has, found the long way. */
static GPtrArray *
expect_ring (GPtrArray *frames,
             guint      from)
{
  GPtrArray *expected = g_ptr_array_new ();
  KymoStreamFrame *form = NULL, *names = NULL;

  for (guint i = 0; i < from; i++)
    {
      KymoStreamFrame *frame = frames->pdata[i];

      form = frame->kind == KYMO_FRAME_FORM ? frame : form;
      names = frame->kind == KYMO_FRAME_NAMES ? frame : names;
    }
  if (form != NULL)
    g_ptr_array_add (expected, form);
  if (names != NULL)
    g_ptr_array_add (expected, names);
  for (guint i = from; i < frames->len; i++)
    g_ptr_array_add (expected, frames->pdata[i]);
  return expected;
}

static void
test_ring (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (KymoStreamRing) ring = kymo_stream_ring_new (10000);
  g_autoptr (GPtrArray) all =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  guint from = 0;

  for (guint i = 0; i < 3000; i++)
    {
      KymoFrameKind kind = i > 500 && i < 2000 ? KYMO_FRAME_REPLY
        : (KymoFrameKind) g_rand_int_range (rand, KYMO_FRAME_FORM, KYMO_FRAME_END + 1);
      g_autoptr (GPtrArray) frames = NULL;
      g_autoptr (GPtrArray) expected = NULL;

      g_ptr_array_add (all, blocks_make_any (kind, i, i, g_rand_int_range (rand, 0, 400), i));
      kymo_stream_ring_push (ring, all->pdata[i]);
      frames = kymo_stream_ring_dup_frames (ring);
      expected = expect_ring (all, from);
      while (bytes_of (expected) > 10000)
        {
          g_ptr_array_unref (expected);
          expected = expect_ring (all, ++from);
        }
      g_assert_cmpint (kymo_stream_ring_get_bytes (ring), ==, bytes_of (frames));
      g_assert_cmpmem (frames->pdata, frames->len * sizeof (gpointer),
                       expected->pdata, expected->len * sizeof (gpointer));
    }
  g_assert_cmpuint (from, >, 2900);
}

/* A frame that alone is more than the ring may hold is kept. */
static void
test_ring_small (void)
{
  g_autoptr (KymoStreamRing) ring = kymo_stream_ring_new (10);

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (KymoStreamFrame) frame = blocks_make_any (KYMO_FRAME_REPLY, i, i, 1000, i);
      g_autoptr (GPtrArray) frames = NULL;

      kymo_stream_ring_push (ring, frame);
      frames = kymo_stream_ring_dup_frames (ring);
      g_assert_cmpuint (frames->len, ==, 1);
      g_assert_true (frames->pdata[0] == frame);
    }
}

#define STS "VERSION 11.0\nCHARE 0 \"Cell\" 2\nENTRY CHARE 3 \"run(int step)\" 0 0\nEND\n"

static void
assert_name (const KymoStreamNames *names,
             gint64                 id,
             const char            *name)
{
  g_autofree char *told = kymo_stream_names_dup (names, id);

  g_assert_cmpstr (told, ==, name);
}

static void
test_names (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoStreamNames) names = kymo_stream_names_new ();
  g_autoptr (GBytes) sts = g_bytes_new_static (STS, strlen (STS));
  g_autoptr (GBytes) nothing = g_bytes_new_static ("nothing", 7);

  assert_name (NULL, 3, "entry 3");
  assert_name (names, 3, "entry 3");
  g_assert_true (kymo_stream_names_take (names, sts, NULL));
  assert_name (names, 3, "Cell::run");
  g_assert_false (kymo_stream_names_take (names, nothing, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
  g_clear_error (&error);
  g_assert_false (kymo_stream_names_read (names, "/nowhere/a.sts", NULL, &error));
  g_assert_nonnull (error);
  assert_name (names, 3, "Cell::run");
  assert_name (names, 2, "entry 2");
  assert_name (names, G_MAXINT64, "entry 9223372036854775807");
  assert_name (names, KYMO_STREAM_OTHER_ID, "other");
  assert_name (names, KYMO_STREAM_BUSY_ID, "(entry method unknown)");
  g_assert_cmpstr (kymo_stream_names_peek (names, 3)->signature, ==, "Cell::run(int step)");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stream-ring/random", test_ring);
  g_test_add_func ("/stream-ring/small", test_ring_small);
  g_test_add_func ("/stream-names", test_names);
  return g_test_run ();
}
