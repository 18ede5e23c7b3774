/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between a client and a server: what comes is what was sent, whatever the order of bytes
 * and however it is cut; what nobody sent is refused.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-frame-reader.h"
#include "kymo-frame-words.h"
#include "kymo-frame-writer.h"

#define MOST (1 << 20)

/* A body with @n numbers and a text. */
static GVariant *
make_body (guint n)
{
  g_autofree gint64 *numbers = g_new (gint64, n + 1);
  GVariantDict body;

  for (guint i = 0; i < n; i++)
    numbers[i] = (gint64) i * i - 7;
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "numbers",
                               g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, numbers, n, 8));
  g_variant_dict_insert (&body, "text", "s", "Δt");
  return g_variant_ref_sink (g_variant_dict_end (&body));
}

/* The bytes of a message in parts of at most @part bytes, in the order of the other kind of
   machine where @swapped. */
static GByteArray *
make_bytes (guint type, guint64 id, GVariant *body, gsize part, gboolean swapped)
{
  g_autoptr (GVariant) other = swapped ? g_variant_byteswap (body) : g_variant_ref (body);
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (other);
  gsize size = g_bytes_get_size (bytes), done = 0;
  const guchar *data = g_bytes_get_data (bytes, NULL);
  GByteArray *out = g_byte_array_new ();
  KymoFrameHead head = { .type = type, .id = id, .total = size };

  do
    {
      guchar header[KYMO_FRAME_HEADER];

      head.length = MIN (part, size - done);
      head.flags = done + head.length == size ? KYMO_FRAME_LAST : 0;
      kymo_frame_head_write (&head, header);
      if (swapped)
        for (guint at = 0; at < KYMO_FRAME_HEADER;)
          {
            static const guchar widths[KYMO_FRAME_HEADER] = {
              [0] = 4, [4] = 1, [5] = 1, [6] = 2, [8] = 8, [16] = 4, [20] = 4, [24] = 8,
            };

            for (guint k = 0; k < widths[at] / 2; k++)
              {
                guchar byte = header[at + k];

                header[at + k] = header[at + widths[at] - 1 - k];
                header[at + widths[at] - 1 - k] = byte;
              }
            at += widths[at];
          }
      g_byte_array_append (out, header, sizeof header);
      if (head.length > 0)
        g_byte_array_append (out, data + done, head.length);
      done += head.length;
      head.part++;
    }
  while (done < size);
  return out;
}

static void
check_frame (KymoFrameReader *reader, guint type, guint64 id, GVariant *body)
{
  g_autoptr (KymoFrame) frame = kymo_frame_reader_take (reader);

  g_assert_nonnull (frame);
  g_assert_cmpuint (frame->type, ==, type);
  g_assert_cmpuint (frame->id, ==, id);
  g_assert_true (g_variant_equal (frame->body, body));
}

static void
test_whole (gconstpointer data)
{
  gboolean swapped = GPOINTER_TO_INT (data);
  g_autoptr (GVariant) body = make_body (300);
  const gsize pieces[] = { 1, 7, 33, 4096 };

  for (guint p = 0; p < G_N_ELEMENTS (pieces); p++)
    {
      g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (MOST);
      g_autoptr (GByteArray) bytes = make_bytes (KYMO_FRAME_ASK, 5, body, 500, swapped);
      g_autofree char *noise = NULL;

      g_assert_true (kymo_frame_reader_feed (reader, "Welcome to node7\n", 17, NULL));
      for (gsize at = 0; at < bytes->len; at += pieces[p])
        g_assert_true (kymo_frame_reader_feed (reader, bytes->data + at,
                                               MIN (pieces[p], bytes->len - at), NULL));
      check_frame (reader, KYMO_FRAME_ASK, 5, body);
      g_assert_null (kymo_frame_reader_take (reader));
      noise = kymo_frame_reader_dup_noise (reader);
      g_assert_cmpstr (noise, ==, "Welcome to node7");
    }
}

/* A short message between the parts of a long one, and a long one that is given up. */
static void
test_mixed (void)
{
  g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (MOST);
  g_autoptr (GVariant) longer = make_body (300);
  g_autoptr (GVariant) shorter = make_body (1);
  g_autoptr (GByteArray) a = make_bytes (KYMO_FRAME_ANSWER, 1, longer, 1000, FALSE);
  g_autoptr (GByteArray) b = make_bytes (KYMO_FRAME_ANSWER, 2, shorter, 1000, FALSE);
  g_autoptr (GByteArray) c = make_bytes (KYMO_FRAME_ERROR, 1, shorter, 1000, FALSE);
  gsize first = KYMO_FRAME_HEADER + 1000;

  g_assert_true (kymo_frame_reader_feed (reader, a->data, first, NULL));
  g_assert_true (kymo_frame_reader_feed (reader, b->data, b->len, NULL));
  check_frame (reader, KYMO_FRAME_ANSWER, 2, shorter);
  g_assert_true (kymo_frame_reader_feed (reader, a->data + first, a->len - first, NULL));
  check_frame (reader, KYMO_FRAME_ANSWER, 1, longer);
  g_assert_true (kymo_frame_reader_feed (reader, a->data, first, NULL));
  g_assert_true (kymo_frame_reader_feed (reader, c->data, c->len, NULL));
  check_frame (reader, KYMO_FRAME_ERROR, 1, shorter);
}

static void
check_refused (const guchar *bytes, gsize size)
{
  g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (MOST);
  g_autoptr (GError) error = NULL;

  g_assert_false (kymo_frame_reader_feed (reader, bytes, size, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
}

/* Overwrites the 8 or 4 bytes at @at with a number. */
static void
check_lie (gsize at, guint64 value, guint size)
{
  g_autoptr (GVariant) body = make_body (10);
  g_autoptr (GByteArray) bytes = make_bytes (KYMO_FRAME_ASK, 5, body, 64, FALSE);

  memcpy (bytes->data + at, &value, size);
  check_refused (bytes->data, bytes->len);
}

static void
test_lies (void)
{
  g_autoptr (GVariant) body = make_body (10);
  g_autoptr (GByteArray) bytes = make_bytes (KYMO_FRAME_ASK, 5, body, MOST, FALSE);
  g_autofree guchar *noise = g_malloc0 (200 * 1024);

  check_lie (6, 9, 2);                          /* another version of the header */
  check_lie (16, KYMO_FRAME_PART + 1, 4);       /* a part longer than parts are */
  check_lie (20, 3, 4);                         /* begins with its fourth part */
  check_lie (24, MOST + 1, 8);                  /* more than may be asked */
  check_lie (24, G_MAXUINT64, 8);
  check_lie (24, 65, 8);                        /* ends before its last part */
  check_lie (4, 0, 1);                          /* no type */
  check_refused (noise, 200 * 1024);
  /* The last byte of a body places its last member. */
  bytes->data[bytes->len - 1] = 0xff;
  check_refused (bytes->data, bytes->len);
}

/* One bit of a message is another one: it is refused, or read as some message, and all memory is
   its own. */
static void
test_bits (void)
{
  g_autoptr (GVariant) body = make_body (20);
  g_autoptr (GByteArray) bytes = make_bytes (KYMO_FRAME_ASK, 5, body, 64, FALSE);

  for (gsize bit = 0; bit < bytes->len * 8; bit++)
    {
      g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (MOST);
      g_autofree guchar *copy = g_memdup2 (bytes->data, bytes->len);
      KymoFrame *frame;

      copy[bit / 8] ^= 1 << bit % 8;
      kymo_frame_reader_feed (reader, copy, bytes->len, NULL);
      while ((frame = kymo_frame_reader_take (reader)) != NULL)
        kymo_frame_free (frame);
    }
}

/* What a writer sends through a pipe, with and without compression. */
static void
test_written (gconstpointer data)
{
  KymoCompression compression = GPOINTER_TO_INT (data);
  g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (8 * MOST);
  g_autoptr (GVariant) longer = make_body (400000);
  g_autoptr (GVariant) shorter = make_body (3);
  KymoFrameWriter *writer;
  int ends[2];

  g_assert_cmpint (pipe (ends), ==, 0);
  writer = kymo_frame_writer_new (ends[1]);
  kymo_frame_writer_set_compression (writer, compression);
  kymo_frame_writer_push (writer, KYMO_FRAME_ANSWER, 1, longer);
  kymo_frame_writer_push (writer, KYMO_FRAME_ANSWER, 2, shorter);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (KymoFrame) frame = kymo_frame_reader_wait (reader, ends[0], NULL);

      g_assert_nonnull (frame);
      /* The pipe is full after the first part of the long one. */
      g_assert_cmpuint (frame->id, ==, compression == KYMO_COMPRESSION_NEVER ? 2 - i : frame->id);
      g_assert_true (g_variant_equal (frame->body, frame->id == 1 ? longer : shorter));
    }
  kymo_frame_writer_free (writer);
  close (ends[0]);
  close (ends[1]);
}

/* What nobody waits for is not packed to its end. */
static void
test_cancelled (void)
{
  g_autoptr (GVariant) body = make_body (200000);
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (body);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GBytes) whole = kymo_frame_compress (bytes, cancellable);
  KymoFrameWriter *writer;
  int ends[2];

  g_assert_nonnull (whole);
  g_assert_cmpint (pipe (ends), ==, 0);
  writer = kymo_frame_writer_new (ends[1]);
  kymo_frame_writer_set_compression (writer, KYMO_COMPRESSION_ALWAYS);
  g_cancellable_cancel (cancellable);
  g_assert_null (kymo_frame_compress (bytes, cancellable));
  g_assert_null (kymo_frame_writer_pack (writer, KYMO_FRAME_ANSWER, 1, body, cancellable));
  kymo_frame_writer_free (writer);
  close (ends[0]);
  close (ends[1]);
}

/* Everything that a question holds. */
static void
test_question (void)
{
  const gint64 ids[] = { 4, 1, 9 }, weights[] = { 1000000, 2500000, 0 };
  g_autoptr (KymoQuestion) question = kymo_question_new ("time-profile");
  g_autoptr (KymoIdSet) locations = kymo_id_set_parse ("0-3,9,100-200:7", NULL);
  g_autoptr (KymoIdWeights) weighted = kymo_id_weights_new (ids, weights, 3);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (KymoQuestion) read = NULL;
  g_autoptr (GVariant) body = NULL;
  g_autofree char *fold = NULL;
  GVariantDict dict;

  g_array_append_vals (order, ids, 3);
  kymo_question_set_span (question, (KymoSpan) { -5, G_MAXINT64 - 1 });
  kymo_question_set_locations (question, locations);
  kymo_question_set_weights (question, weighted);
  kymo_question_set_order (question, order);
  kymo_question_set_resolution (question, 800, 40);
  kymo_question_set (question, "metric", "PAPI_L1 / TIME · 2");
  g_variant_dict_init (&dict, NULL);
  kymo_frame_add_question (&dict, question);
  body = g_variant_ref_sink (g_variant_dict_end (&dict));
  read = kymo_frame_dup_question (body, &fold);
  g_assert_nonnull (read);
  g_assert_null (fold);
  g_assert_cmpstr (kymo_question_get_kind (read), ==, "time-profile");
  g_assert_cmpint (kymo_question_get_span (read).begin_ns, ==, -5);
  g_assert_cmpint (kymo_question_get_span (read).end_ns, ==, G_MAXINT64 - 1);
  g_assert_cmpuint (kymo_question_get_columns (read), ==, 800);
  g_assert_cmpuint (kymo_question_get_rows (read), ==, 40);
  g_assert_cmpstr (kymo_question_get (read, "metric"), ==, "PAPI_L1 / TIME · 2");
  for (gint64 id = 0; id < 250; id++)
    {
      g_assert_cmpint (kymo_id_set_contains (kymo_question_peek_locations (read), id), ==,
                       kymo_id_set_contains (locations, id));
      g_assert_cmpint (kymo_id_weights_get (kymo_question_peek_weights (read), id), ==,
                       kymo_id_weights_get (weighted, id));
    }
  g_assert_cmpmem (kymo_question_peek_order (read)->data, 24, ids, 24);
}

/* Weights that no sum can hold, and a body that is no question. */
static void
test_question_lies (void)
{
  const gint64 ids[] = { 1, 2 }, huge[] = { G_MAXINT64, G_MAXINT64 }, below[] = { 1, -1 };
  const gint64 *const lies[] = { huge, below };
  g_autofree char *fold = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autoptr (KymoQuestion) read = NULL;
      g_autoptr (GVariant) body = NULL;
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "kind", "s", "usage");
      g_variant_dict_insert_value (&dict, "weighted",
                                   g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, ids, 2, 8));
      g_variant_dict_insert_value (&dict, "weights",
                                   g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, lies[i], 2, 8));
      body = g_variant_ref_sink (g_variant_dict_end (&dict));
      read = kymo_frame_dup_question (body, &fold);
      g_assert_null (kymo_question_peek_weights (read));
    }
  g_autoptr (GVariant) none = g_variant_ref_sink (g_variant_new ("a{sv}", NULL));
  g_assert_null (kymo_frame_dup_question (none, &fold));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/frames/whole", GINT_TO_POINTER (FALSE), test_whole);
  g_test_add_data_func ("/frames/whole-of-the-other-order", GINT_TO_POINTER (TRUE), test_whole);
  g_test_add_func ("/frames/mixed", test_mixed);
  g_test_add_func ("/frames/lies", test_lies);
  g_test_add_func ("/frames/bits", test_bits);
  g_test_add_data_func ("/frames/written", GINT_TO_POINTER (KYMO_COMPRESSION_NEVER), test_written);
  g_test_add_data_func ("/frames/written-compressed", GINT_TO_POINTER (KYMO_COMPRESSION_ALWAYS),
                        test_written);
  g_test_add_func ("/frames/cancelled", test_cancelled);
  g_test_add_func ("/frames/question", test_question);
  g_test_add_func ("/frames/question-lies", test_question_lies);
  return g_test_run ();
}
