/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: what comes through a line, to a server or to a client. The same messages come
 * out however the bytes are cut; bodies are in normal form and no longer than allowed; questions,
 * facts and tables that are read are the same when they are written and read again.
 */
#include "config.h"

#include "fuzz.h"

#include "kymo-frame-reader.h"
#include "kymo-frame-words.h"

#define MOST (64 * 1024)
#define MOST_VALUE (128 * 1024)

/* (element-type KymoFrame): whole messages of the bytes in two pieces. */
static GPtrArray *
read_frames (const guint8 *data, gsize size, gsize cut, gboolean *is_fine)
{
  g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (MOST);
  GPtrArray *frames = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_frame_free);
  g_autofree char *noise = NULL;
  KymoFrame *frame;

  kymo_frame_reader_allow_values (reader, MOST_VALUE);
  *is_fine = kymo_frame_reader_feed (reader, data, cut, NULL)
             && kymo_frame_reader_feed (reader, data + cut, size - cut, NULL);
  while ((frame = kymo_frame_reader_take (reader)) != NULL)
    g_ptr_array_add (frames, frame);
  noise = kymo_frame_reader_dup_noise (reader);
  fuzz_require (g_utf8_validate (noise, -1, NULL));
  return frames;
}

static GVariant *
write_question (const KymoQuestion *question)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  kymo_frame_add_question (&body, question);
  return g_variant_ref_sink (g_variant_dict_end (&body));
}

static void
look_at_question (GVariant *body)
{
  g_autofree char *fold = NULL;
  g_autofree char *fold_again = NULL;
  g_autoptr (KymoQuestion) question = kymo_frame_dup_question (body, &fold);
  g_autoptr (KymoQuestion) again = NULL;
  g_autoptr (GVariant) written = NULL;
  g_autoptr (GVariant) rewritten = NULL;

  if (question == NULL)
    return;
  written = write_question (question);
  again = kymo_frame_dup_question (written, &fold_again);
  fuzz_require (again != NULL);
  rewritten = write_question (again);
  fuzz_require (g_strcmp0 (kymo_question_get_kind (question), kymo_question_get_kind (again)) == 0);
  fuzz_require (g_variant_n_children (written) == g_variant_n_children (rewritten));
}

static void
look_at_run (GVariant *body)
{
  KymoFrameRun run;

  if (!kymo_frame_read_run (body, &run, NULL))
    return;
  fuzz_require (run.facts != NULL && run.facts->ids != NULL && run.facts->workers != NULL);
  fuzz_require (run.terms.row <= KYMO_ROW_THREAD && run.terms.code <= KYMO_CODE_FUNCTION);
  kymo_frame_run_clear (&run);
}

static void
look_at_table (GVariant *body)
{
  g_autoptr (GVariant) boxed = g_variant_lookup_value (body, "table", NULL);
  g_autoptr (KymoTable) table = boxed != NULL ? kymo_table_from_variant (boxed, NULL) : NULL;
  g_autoptr (KymoTable) again = NULL;
  g_autoptr (GVariant) written = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) text_again = g_string_new (NULL);

  if (table == NULL)
    return;
  written = g_variant_ref_sink (kymo_table_to_variant (table, TRUE));
  again = kymo_table_from_variant (written, NULL);
  fuzz_require (again != NULL);
  kymo_table_write_json (table, text);
  kymo_table_write_json (again, text_again);
  fuzz_require (g_string_equal (text, text_again));
}

/* A list that is named by the first of the messages stands in all. */
static void
look_at_values (const KymoFrame *first, GVariant *body)
{
  GVariant *values[KYMO_FRAME_VALUE_LISTS] = { NULL };
  g_autoptr (GVariant) put = NULL;

  for (guint i = 0; i < KYMO_FRAME_VALUE_LISTS; i++)
    values[i] = g_variant_lookup_value (first->body, "value", G_VARIANT_TYPE ("ax"));
  put = kymo_frame_put_values (g_variant_ref (body), values);
  look_at_question (put);
  for (guint i = 0; i < KYMO_FRAME_VALUE_LISTS; i++)
    g_clear_pointer (&values[i], g_variant_unref);
}

static void
look_at_frame (const KymoFrame *first, const KymoFrame *frame)
{
  g_autoptr (GError) error = kymo_frame_dup_error (frame->body);

  fuzz_require (frame->type != 0);
  fuzz_require (g_variant_is_of_type (frame->body, G_VARIANT_TYPE_VARDICT));
  fuzz_require (g_variant_is_normal_form (frame->body));
  /* What is of the other order of bytes may be longer in this one, for it is aligned anew. */
  fuzz_require (g_variant_get_size (frame->body)
                <= 2 * (frame->type == KYMO_FRAME_VALUE ? MOST_VALUE : MOST));
  fuzz_require (error != NULL && error->message != NULL);
  look_at_question (frame->body);
  look_at_run (frame->body);
  look_at_table (frame->body);
  look_at_values (first, frame->body);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  gboolean is_fine, is_fine_again;
  g_autoptr (GPtrArray) frames = read_frames (data, size, size, &is_fine);
  g_autoptr (GPtrArray) again = read_frames (data, size, size / 2, &is_fine_again);

  fuzz_require (is_fine == is_fine_again && frames->len == again->len);
  for (guint i = 0; i < frames->len; i++)
    {
      const KymoFrame *frame = frames->pdata[i], *same = again->pdata[i];

      fuzz_require (frame->type == same->type && frame->id == same->id);
      fuzz_require (g_variant_equal (frame->body, same->body));
      look_at_frame (frames->pdata[0], frame);
    }
  return 0;
}
