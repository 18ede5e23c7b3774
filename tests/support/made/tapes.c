/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tapes.h"

#include <glib/gstdio.h>
#include <unistd.h>

gboolean
tape_is_same (const KymoStreamFrame *a,
              const KymoStreamFrame *b)
{
  return a->kind == b->kind && a->at_us == b->at_us && a->begin_ns == b->begin_ns
    && g_bytes_equal (a->bytes, b->bytes);
}

static void
add_end (Tape  *tape,
         gint64 end)
{
  g_array_append_val (tape->ends, end);
}

static void
write_recording (Tape *tape)
{
  g_autoptr (GError) error = NULL;
  KymoStreamWriter *writer = kymo_stream_writer_new (tape->path, FALSE, "program: jacobi\n",
                                                     &error);

  g_assert_no_error (error);
  add_end (tape, kymo_stream_writer_get_bytes (writer));
  for (guint i = 0; i < tape->frames->len; i++)
    {
      kymo_stream_writer_append (writer, tape->frames->pdata[i], &error);
      g_assert_no_error (error);
      add_end (tape, kymo_stream_writer_get_bytes (writer));
    }
  kymo_stream_writer_finish (writer, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (tape->path, &tape->bytes, &tape->n_bytes, NULL));
}

void
tape_up (Tape         *tape,
         gconstpointer data)
{
  static const KymoFrameKind kinds[TAPE_FRAMES] = {
    KYMO_FRAME_FORM, KYMO_FRAME_NAMES, KYMO_FRAME_REPLY, KYMO_FRAME_REPLY, KYMO_FRAME_LOST,
    KYMO_FRAME_STATE, KYMO_FRAME_MARK, KYMO_FRAME_REPLY, KYMO_FRAME_END,
  };
  static const gsize sizes[TAPE_FRAMES] = { 30, 50, 60, 4, 0, 12, 1, 39, 5 };

  /* Thousands of recordings are brought to the disk here: where there is one
     made of memory, to that. */
  tape->folder = g_strdup ("/dev/shm/kymo-XXXXXX");
  if (g_mkdtemp (tape->folder) == NULL)
    {
      g_free (tape->folder);
      tape->folder = g_dir_make_tmp ("kymo-XXXXXX", NULL);
    }
  tape->path = g_build_filename (tape->folder, "a.kymostream", NULL);
  tape->frames = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  tape->ends = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < TAPE_FRAMES; i++)
    {
      gint64 begin_ns = i < 2 ? KYMO_FRAME_NO_TIME : i * G_GINT64_CONSTANT (1000000000);

      g_ptr_array_add (tape->frames, blocks_make_any (kinds[i], 1795253152887686 + i * 1000000,
                                                         begin_ns, sizes[i], i));
    }
  write_recording (tape);
}

void
tape_down (Tape         *tape,
           gconstpointer data)
{
  g_unlink (tape->path);
  g_rmdir (tape->folder);
  g_free (tape->folder);
  g_free (tape->path);
  g_free (tape->bytes);
  g_ptr_array_unref (tape->frames);
  g_array_unref (tape->ends);
}

void
tape_put (Tape       *tape,
          const char *bytes,
          gsize       n_bytes)
{
  FILE *file = g_fopen (tape->path, "wb");

  g_assert_cmpuint (fwrite (bytes, 1, n_bytes, file), ==, n_bytes);
  g_assert_cmpint (fclose (file), ==, 0);
}

gint64
tape_end_of (Tape *tape,
             guint i)
{
  return g_array_index (tape->ends, gint64, i);
}

/* (transfer full): all that can be read. */
GPtrArray *
tape_read_all (const char *path,
               KymoReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (path, &error);
  GPtrArray *frames =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  KymoStreamFrame *frame;

  g_assert_no_error (error);
  while ((frame = kymo_stream_reader_next (reader, report)) != NULL)
    g_ptr_array_add (frames, frame);
  return frames;
}

void
tape_assert_first (GPtrArray *frames,
                   Tape      *tape,
                   guint      n)
{
  g_assert_cmpuint (frames->len, >=, n);
  for (guint i = 0; i < n; i++)
    g_assert_true (tape_is_same (frames->pdata[i], tape->frames->pdata[i]));
}

/* How many of the frames were read, in their order and nothing else. */
guint
tape_count_known (GPtrArray *frames,
                  Tape      *tape)
{
  guint at = 0;

  for (guint i = 0; i < frames->len; i++, at++)
    {
      while (at < tape->frames->len
             && !tape_is_same (frames->pdata[i], tape->frames->pdata[at]))
        at++;
      g_assert_cmpuint (at, <, tape->frames->len);
    }
  return frames->len;
}
