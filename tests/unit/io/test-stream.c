/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replies of running programs: real ones against what the program printed of
 * them, random ones against a slow second reading, and wrong ones; and the
 * clock of frames.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-stream-frame.h"

#define N_IDS 32768

/* tests/data/ccs-replies; the first argument is the source folder. */
static char *replies_folder;

static char *
load_reply (const char *name,
            gsize      *n_bytes)
{
  g_autofree char *path = g_build_filename (replies_folder, name, NULL);
  g_autofree char *whole = NULL;
  gsize length;
  guint32 told;

  g_assert_true (g_file_get_contents (path, &whole, &length, NULL));
  memcpy (&told, whole, 4);
  g_assert_cmpuint (GUINT32_FROM_BE (told) + 4, ==, length);
  *n_bytes = length - 4;
  return g_memdup2 (whole + 4, length - 4);
}

/* The program prints 6 digits of "average utilization". */
static void
check_reply (char **row)
{
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, (guint) atoi (row[2]) };
  g_autofree char *bytes = NULL;
  KymoStreamBlock block;
  KymoStreamResult result;
  gsize n_bytes;
  double percent;

  if (strcmp (row[1], "shares") == 0)
    form.kind = KYMO_STREAM_SHARES;
  bytes = load_reply (row[0], &n_bytes);
  kymo_stream_block_init (&block);
  result = kymo_stream_block_decode (&block, &form, (guint8 *) bytes, n_bytes, NULL);
  percent = kymo_stream_block_utilization (&block) * 100;
  if (strcmp (row[3], "nothing") == 0)
    g_assert_cmpint (result, ==, KYMO_STREAM_NOTHING);
  else
    {
      g_assert_cmpint (result, ==, KYMO_STREAM_BLOCK);
      g_assert_cmpuint (block.n_bins, ==, 1000);
      g_assert_cmpuint (block.n_pes, ==, form.n_pes);
      g_assert_cmpfloat_with_epsilon (percent, g_ascii_strtod (row[3], NULL), 5e-5);
    }
  kymo_stream_block_clear (&block);
}

static void
test_real (void)
{
  g_autofree char *path = g_build_filename (replies_folder, "replies.tsv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) row = g_strsplit (lines[i], "\t", 4);

      if (lines[i][0] == '#' || lines[i][0] == '\0')
        continue;
      check_reply (row);
      n++;
    }
  g_assert_cmpuint (n, ==, 12);
}

static void
put (GByteArray *bytes,
     gint64      value,
     guint       n,
     gboolean    big_endian)
{
  for (guint i = 0; i < n; i++)
    {
      guint8 byte = (guint64) value >> 8 * (big_endian ? n - 1 - i : i);

      g_byte_array_append (bytes, &byte, 1);
    }
}

static void
put_double (GByteArray *bytes,
            double      value,
            gboolean    big_endian)
{
  gint64 bits;

  memcpy (&bits, &value, 8);
  put (bytes, bits, 8, big_endian);
}

/* A bin of random records, in order or not, ids doubled or not; their sums by
   id are what a second reading finds. */
static void
put_random_bin (GRand      *rand,
                GByteArray *bytes,
                gboolean    big_endian,
                gint64     *sums)
{
  guint n = g_rand_int_range (rand, 0, g_rand_int_range (rand, 1, 100));
  guint range = g_rand_int_range (rand, 1, g_rand_boolean (rand) ? 20 : N_IDS);
  gboolean in_order = g_rand_boolean (rand);
  gint id = 0;

  put (bytes, n, 2, big_endian);
  for (guint i = 0; i < n; i++)
    {
      guint8 share = g_rand_int_range (rand, 0, 256);

      id = in_order ? id + 1 : g_rand_int_range (rand, 0, range);
      put (bytes, id, 2, big_endian);
      put (bytes, share, 1, FALSE);
      sums[id] += (gint64) share * 1000000 / 250;
    }
}

static void
check_bin (const KymoStreamBlock *block,
           guint                  bin,
           const gint64          *sums)
{
  guint at = g_array_index (block->offsets, guint32, bin);

  for (gint id = 0; id < N_IDS; id++)
    if (sums[id] > 0)
      {
        g_assert_cmpint (g_array_index (block->ids, gint32, at), ==, id);
        g_assert_cmpint (g_array_index (block->ns, guint32, at), ==, sums[id]);
        at++;
      }
  g_assert_cmpuint (at, ==, g_array_index (block->offsets, guint32, bin + 1));
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260101);
  KymoStreamBlock block;

  kymo_stream_block_init (&block);
  for (guint round = 0; round < 60; round++)
    {
      KymoStreamForm form = { KYMO_STREAM_DETAIL, round % 2, 0 };
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      guint n_bins = g_rand_int_range (rand, 1, 20);
      g_autofree gint64 *sums = g_new0 (gint64, n_bins * N_IDS);

      put (bytes, n_bins, 4, form.big_endian);
      put (bytes, 7, 4, form.big_endian);
      for (guint bin = 0; bin < n_bins; bin++)
        put_random_bin (rand, bytes, form.big_endian, sums + bin * N_IDS);
      g_assert_cmpint (kymo_stream_block_decode (&block, &form, bytes->data, bytes->len, NULL), ==,
                       KYMO_STREAM_BLOCK);
      g_assert_cmpuint (block.n_bins, ==, n_bins);
      g_assert_cmpuint (block.n_pes, ==, 7);
      for (guint bin = 0; bin < n_bins; bin++)
        check_bin (&block, bin, sums + bin * N_IDS);
    }
  kymo_stream_block_clear (&block);
}

static void
test_doubles (void)
{
  KymoStreamBlock block;

  kymo_stream_block_init (&block);
  for (guint big_endian = 0; big_endian < 2; big_endian++)
    {
      KymoStreamForm form = { KYMO_STREAM_DOUBLES, big_endian, 4 };
      g_autoptr (GByteArray) bytes = g_byte_array_new ();

      put_double (bytes, -13.37, big_endian);
      g_assert_cmpint (kymo_stream_block_decode (&block, &form, bytes->data, 8, NULL), ==,
                       KYMO_STREAM_NOTHING);
      g_byte_array_set_size (bytes, 0);
      put_double (bytes, 0.004, big_endian);
      put_double (bytes, 0, big_endian);
      put_double (bytes, 0.00100002, big_endian);
      g_assert_cmpint (kymo_stream_block_decode (&block, &form, bytes->data, 24, NULL), ==,
                       KYMO_STREAM_BLOCK);
      g_assert_cmpuint (block.n_records, ==, 2);
      g_assert_cmpuint (block.n_zero, ==, 1);
      g_assert_cmpuint (g_array_index (block.offsets, guint32, 2), ==, 1);
      g_assert_cmpint (g_array_index (block.ids, gint32, 1), ==, KYMO_STREAM_BUSY_ID);
      g_assert_cmpuint (g_array_index (block.ns, guint32, 0), ==, 1000000);
      g_assert_cmpuint (g_array_index (block.ns, guint32, 1), ==, 250005);
    }
  kymo_stream_block_clear (&block);
}

/* Little endian replies that cannot be read, and what is said of them. */
static const struct
{
  KymoStreamKind kind;
  const char    *hex;
  const char    *sentence;
} wrong[] = {
  { KYMO_STREAM_DETAIL, "0000", "2 bytes ends in the number of bins (byte 0)" },
  { KYMO_STREAM_DETAIL, "0000000004000000", "has no bins, but 4 bytes follow (byte 4)" },
  { KYMO_STREAM_DETAIL, "ffffffff01000000", "claims -1 bins (byte 0)" },
  { KYMO_STREAM_DETAIL, "ffffff7f01000000", "claims 2147483647 bins (byte 0)" },
  { KYMO_STREAM_DETAIL, "01000000", "4 bytes ends in the number of PEs (byte 4)" },
  { KYMO_STREAM_DETAIL, "01000000000000000000", "claims 0 PEs (byte 4)" },
  { KYMO_STREAM_DETAIL, "01000000feffffff0000", "claims -2 PEs (byte 4)" },
  { KYMO_STREAM_DETAIL, "01000000050000000000", "claims 5 PEs (byte 4); the program has 4" },
  { KYMO_STREAM_DETAIL, "02000000010000000000", "claims 2 bins (byte 0), and 2 bytes are left" },
  { KYMO_STREAM_DETAIL, "01000000010000000000ff", "1 bytes follow the last bin (byte 10)" },
  { KYMO_STREAM_DETAIL, "010000000100000000f0", "bin 0 claims -4096 records (byte 8)" },
  { KYMO_STREAM_DETAIL, "01000000010000000200070001", "bin 0 claims 2 records (byte 8)" },
  { KYMO_STREAM_DETAIL, "0200000001000000010007000100",
    "bin 0 claims 1 records (byte 8), and 2 bytes are left for them" },
  { KYMO_STREAM_DETAIL, "01000000010000000200070001feff09",
    "bin 0 claims entry -2 (byte 13)" },
  { KYMO_STREAM_DOUBLES, "000000000000f0bf", "bin 0 has -0.25 s of busy time a PE (byte 0)" },
  { KYMO_STREAM_DOUBLES, "0000000000000000000000000000f87f", "bin 1 has nan s" },
  { KYMO_STREAM_DOUBLES, "000000000000f07f", "bin 0 has inf s" },
  { KYMO_STREAM_DOUBLES, "000000000000f07f00", "9 bytes ends within a number (byte 8)" },
  { KYMO_STREAM_DOUBLES, "0000000000001440", "bin 0 has 1.25 s" },
};

static void
test_wrong (void)
{
  KymoStreamBlock block;

  kymo_stream_block_init (&block);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      KymoStreamForm form = { wrong[i].kind, FALSE, 4 };
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autoptr (GError) error = NULL;

      for (const char *hex = wrong[i].hex; *hex != '\0'; hex += 2)
        put (bytes, g_ascii_xdigit_value (hex[0]) * 16 + g_ascii_xdigit_value (hex[1]), 1, FALSE);
      g_assert_cmpint (kymo_stream_block_decode (&block, &form, bytes->data, bytes->len, &error),
                       ==, KYMO_STREAM_BAD);
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, wrong[i].sentence));
      g_assert_cmpuint (block.n_bins, ==, 0);
      g_assert_cmpuint (block.n_records, ==, 0);
      g_assert_cmpuint (block.ids->len, ==, 0);
      g_assert_cmpfloat (kymo_stream_block_utilization (&block), ==, 0);
    }
  kymo_stream_block_clear (&block);
}

/* One entry told of so often in a bin that its time does not fit, and the
   longest lists that do: unsorted, of which the sum is above 1. */
static void
test_many (void)
{
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 1 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  KymoStreamBlock block;

  kymo_stream_block_init (&block);
  put (bytes, 1, 4, FALSE);
  put (bytes, 1, 4, FALSE);
  put (bytes, 32767, 2, FALSE);
  for (guint i = 0; i < 32767; i++)
    {
      put (bytes, 32767 - i, 2, FALSE);
      put (bytes, 255, 1, FALSE);
    }
  g_assert_cmpint (kymo_stream_block_decode (&block, &form, bytes->data, bytes->len, NULL), ==,
                   KYMO_STREAM_BLOCK);
  g_assert_cmpuint (block.n_records, ==, 32767);
  g_assert_cmpint (g_array_index (block.ids, gint32, 0), ==, 1);
  g_assert_cmpfloat_with_epsilon (kymo_stream_block_utilization (&block), 32767 * 1.02, 1e-9);
  for (guint i = 0; i < 32767; i++)
    memset (bytes->data + 10 + i * 3, 1, 2);
  g_assert_cmpint (kymo_stream_block_decode (&block, &form, bytes->data, bytes->len, &error), ==,
                   KYMO_STREAM_BAD);
  g_assert_nonnull (strstr (error->message, "more than 4 s of one entry (byte 8)"));
  kymo_stream_block_clear (&block);
}

static KymoStreamFrame *
frame_of_block (guint n_bins)
{
  g_autoptr (GByteArray) array = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;

  put (array, n_bins, 4, TRUE);
  put (array, 2, 4, TRUE);
  for (guint i = 0; i < n_bins; i++)
    put (array, 0, 2, TRUE);
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&array));
  return kymo_stream_frame_new (KYMO_FRAME_REPLY, 5, bytes);
}

static KymoStreamResult
take (KymoStreamDecoder *decoder,
      KymoStreamFrame   *frame,
      gint64             begin_ns,
      gint64             expect_ns,
      const char        *sentence)
{
  g_autoptr (KymoStreamFrame) owned = frame;
  g_autoptr (GError) error = NULL;
  const KymoStreamBlock *block = NULL;
  KymoStreamResult result;

  frame->begin_ns = begin_ns;
  result = kymo_stream_decoder_take (decoder, frame, &block, &error);
  g_assert_true ((block != NULL) == (result == KYMO_STREAM_BLOCK));
  g_assert_cmpint (frame->begin_ns, ==, expect_ns);
  g_assert_true ((error != NULL) == (result == KYMO_STREAM_BAD));
  if (sentence != NULL)
    g_assert_nonnull (strstr (error->message, sentence));
  return result;
}

static void
test_clock (void)
{
  g_autoptr (KymoStreamDecoder) decoder = kymo_stream_decoder_new ();
  KymoStreamForm form = { KYMO_STREAM_DETAIL, TRUE, 2 }, told;
  const gint64 s = 1000000000, none = KYMO_FRAME_NO_TIME;

  g_assert_false (kymo_stream_decoder_get_form (decoder, &told));
  g_assert_cmpint (take (decoder, frame_of_block (1000), none, 0, "before the form"), ==,
                   KYMO_STREAM_BAD);
  g_assert_cmpint (take (decoder, kymo_stream_frame_new_form (1, &form, NULL), none, s, NULL), ==,
                   KYMO_STREAM_NOTHING);
  g_assert_true (kymo_stream_decoder_get_form (decoder, &told));
  g_assert_true (told.big_endian && told.n_pes == 2 && told.kind == KYMO_STREAM_DETAIL);
  g_assert_cmpint (take (decoder, frame_of_block (3000), none, s, NULL), ==, KYMO_STREAM_BLOCK);
  g_assert_cmpint (take (decoder, kymo_stream_frame_new_text (KYMO_FRAME_LOST, 2, "cut"), none,
                         4 * s, "cut"), ==, KYMO_STREAM_BAD);
  g_assert_cmpint (take (decoder, kymo_stream_frame_new_text (99, 2, "what"), none, 5 * s, NULL),
                   ==, KYMO_STREAM_NOTHING);
  g_assert_cmpint (take (decoder, frame_of_block (1000), 4 * s, 4 * s, "before the end"), ==,
                   KYMO_STREAM_BAD);
  g_assert_cmpint (kymo_stream_decoder_get_next_ns (decoder), ==, 5 * s);
  g_assert_cmpint (take (decoder, frame_of_block (1000), 9 * s, 9 * s, NULL), ==,
                   KYMO_STREAM_BLOCK);
  g_assert_cmpint (take (decoder, frame_of_block (1000), G_MAXINT64 / 1000000 * 1000000,
                         G_MAXINT64 / 1000000 * 1000000, "cannot be"), ==, KYMO_STREAM_BAD);
  g_assert_cmpint (take (decoder, kymo_stream_frame_new_text (KYMO_FRAME_MARK, 2, "m"), 3, 3,
                         NULL), ==, KYMO_STREAM_NOTHING);
  g_assert_cmpint (take (decoder, kymo_stream_frame_new_text (KYMO_FRAME_REPLY, 2, ""), none,
                         10 * s, NULL), ==, KYMO_STREAM_NOTHING);
  g_assert_cmpint (take (decoder, kymo_stream_frame_new_text (KYMO_FRAME_FORM, 2, "handler: x"),
                         none, 10 * s, "tells its handler as \u201cx\u201d"), ==, KYMO_STREAM_BAD);
  g_assert_cmpint (kymo_stream_decoder_get_next_ns (decoder), ==, 10 * s);
}

static void
test_form (void)
{
  static const char *const bad[] = {
    "", "handler: CkPerfSumDetail compressed", "byte-order: big",
    "handler: CkPerfSumDetail compressed\nbyte-order: middle",
    "handler: CkPerfSumDetail compressed\nbyte-order: big\npes: -3",
    "handler: CkPerfSumDetail compressed\nbyte-order: big\npes: 99999999999",
  };

  for (guint kind = 0; kind < KYMO_STREAM_N_KINDS; kind++)
    {
      KymoStreamForm form = { kind, kind == 1, kind * 3 }, told;
      g_autoptr (KymoStreamFrame) frame =
        kymo_stream_frame_new_form (7, &form, "client: kymo\n");
      g_autofree char *text = kymo_stream_frame_dup_text (frame);

      g_assert_true (kymo_stream_frame_get_form (frame, &told, NULL));
      g_assert_true (told.kind == form.kind && told.big_endian == form.big_endian
                     && told.n_pes == form.n_pes);
      g_assert_true (g_str_has_suffix (text, "client: kymo\n"));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new_text (KYMO_FRAME_FORM, 1, bad[i]);
      g_autoptr (GError) error = NULL;
      KymoStreamForm told;

      g_assert_false (kymo_stream_frame_get_form (frame, &told, &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  replies_folder = g_build_filename (argv[1], "tests", "data", "ccs-replies", NULL);
  g_test_add_func ("/stream/real", test_real);
  g_test_add_func ("/stream/random", test_random);
  g_test_add_func ("/stream/doubles", test_doubles);
  g_test_add_func ("/stream/wrong", test_wrong);
  g_test_add_func ("/stream/many", test_many);
  g_test_add_func ("/stream/clock", test_clock);
  g_test_add_func ("/stream/form", test_form);
  return g_test_run ();
}
