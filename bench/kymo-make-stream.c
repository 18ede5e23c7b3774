/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a recording of a heavy stream: a block a second, each of bins of
 * 1 ms with a record of every entry method, and the names of those. For
 * `kymo-cli replay FILE --serve PORT`. The same seed gives the same bytes.
 */
#include "config.h"

#include <glib.h>

#include "kymo-stream-file.h"

#define BEGIN_US (G_GINT64_CONSTANT (1795253152) * G_USEC_PER_SEC)
#define RECORD_BYTES 3
#define WHOLE 250

static int n_blocks = 10;
static int n_bins = 1000;
static int n_entries = 200;
static int n_pes = 64;
static int seed = 1;

static const GOptionEntry options[] =
{
  { "blocks", 'n', 0, G_OPTION_ARG_INT, &n_blocks, "Blocks, one a second (10)", "N" },
  { "bins", 'b', 0, G_OPTION_ARG_INT, &n_bins, "Bins of a block (1000)", "N" },
  { "entries", 'e', 0, G_OPTION_ARG_INT, &n_entries, "Entry methods in each bin (200)", "N" },
  { "pes", 'p', 0, G_OPTION_ARG_INT, &n_pes, "PEs (64)", "N" },
  { "seed", 's', 0, G_OPTION_ARG_INT, &seed, "Seed of the random numbers (1)", "N" },
  { NULL }
};

static void
put (GByteArray *bytes,
     guint       n_bytes,
     guint32     value)
{
  guint32 little = GUINT32_TO_LE (value);

  g_byte_array_append (bytes, (const guint8 *) &little, n_bytes);
}

/* Shares are 1 and more, and what is left of the bin after one each is spread
   at random; so all are busy, and no bin is more than full. */
static GBytes *
make_block (GRand *rand)
{
  GByteArray *bytes = g_byte_array_new ();
  int spare = MAX (WHOLE - n_entries, 0);

  put (bytes, 4, n_bins);
  put (bytes, 4, n_pes);
  for (int bin = 0; bin < n_bins; bin++)
    {
      int left = g_rand_int_range (rand, 0, spare + 1);

      put (bytes, 2, n_entries);
      for (int entry = 0; entry < n_entries; entry++)
        {
          int more = g_rand_int_range (rand, 0, 8) == 0 ? g_rand_int_range (rand, 0, left + 1) : 0;

          left -= more;
          put (bytes, 2, entry + 1);
          put (bytes, 1, 1 + more);
        }
    }
  return g_byte_array_free_to_bytes (bytes);
}

static char *
make_names (void)
{
  GString *sts = g_string_new (NULL);

  g_string_append_printf (sts, "MACHINE \"made\"\nPROCESSORS %d\nTOTAL_CHARES 1\nTOTAL_EPS %d\n"
                          "TOTAL_MSGS 1\nTOTAL_PSEUDOS 0\nTOTAL_EVENTS 0\n"
                          "CHARE 0 \"Cell\" -1\n", n_pes, n_entries + 1);
  for (int entry = 0; entry <= n_entries; entry++)
    g_string_append_printf (sts, "ENTRY CHARE %d \"step%d()\" 0 0\n", entry, entry);
  g_string_append (sts, "MESSAGE 0 8\nEND\n");
  return g_string_free (sts, FALSE);
}

/* Takes the frame. */
static gboolean
append (KymoStreamWriter  *writer,
        KymoStreamFrame   *frame,
        GError           **error)
{
  gboolean good = kymo_stream_writer_append (writer, frame, error);

  kymo_stream_frame_unref (frame);
  return good;
}

static gboolean
write_all (KymoStreamWriter  *writer,
           GError           **error)
{
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, n_pes };
  g_autofree char *names = make_names ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  gint64 at_us = BEGIN_US;

  if (!append (writer, kymo_stream_frame_new_form (at_us, &form, "word-bits: 64\n"), error)
      || !append (writer, kymo_stream_frame_new_text (KYMO_FRAME_NAMES, at_us, names), error))
    return FALSE;
  for (int i = 0; i < n_blocks; i++)
    {
      g_autoptr (GBytes) block = make_block (rand);
      KymoStreamFrame *frame;

      at_us += G_USEC_PER_SEC;
      frame = kymo_stream_frame_new (KYMO_FRAME_REPLY, at_us, block);
      frame->begin_ns = i * n_bins * KYMO_STREAM_BIN_NS;
      if (!append (writer, frame, error))
        return FALSE;
    }
  at_us += G_USEC_PER_SEC;
  return append (writer, kymo_stream_frame_new_text (KYMO_FRAME_END, at_us, "made"), error);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE");
  g_autoptr (GError) error = NULL;
  KymoStreamWriter *writer;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2 || n_blocks < 1
      || n_bins < 1 || n_entries < 1 || n_entries > 10000)
    {
      g_printerr ("kymo-make-stream: %s\n", error != NULL ? error->message : "see --help");
      return 2;
    }
  writer = kymo_stream_writer_new (argv[1], FALSE, "writer: kymo-make-stream\n", &error);
  if (writer == NULL || !write_all (writer, &error)
      || !kymo_stream_writer_finish (g_steal_pointer (&writer), &error))
    {
      g_printerr ("kymo-make-stream: %s\n", error->message);
      return 1;
    }
  return 0;
}
