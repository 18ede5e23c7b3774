/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a reply of a running program, of any form: the first byte
 * tells which. What is decoded is what a slow second reading finds, and what
 * is refused is refused by both.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "kymo-error.h"
#include "kymo-stream-block.h"

/* The bytes, a number at a time. */
typedef struct
{
  const guint8 *bytes;
  gsize         left;
  gboolean      big_endian;
  gboolean      short_of;
} Cursor;

static guint64
next (Cursor *cursor,
      guint   n)
{
  guint64 value = 0;

  if (cursor->left < n)
    {
      cursor->short_of = TRUE;
      return 0;
    }
  for (guint i = 0; i < n; i++)
    value |= (guint64) cursor->bytes[i] << 8 * (cursor->big_endian ? n - 1 - i : i);
  cursor->bytes += n;
  cursor->left -= n;
  return value;
}

/* Time by id of one bin; NULL where it cannot be read. */
static GHashTable *
read_bin (Cursor *cursor)
{
  g_autoptr (GHashTable) times = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                        g_free);
  gint n = (gint16) next (cursor, 2);

  for (gint i = 0; i < n && !cursor->short_of; i++)
    {
      gint64 id = (gint16) next (cursor, 2), share = (gint64) next (cursor, 1);
      gint64 *ns = g_hash_table_lookup (times, &id);

      if (id < 0)
        return NULL;
      if (ns == NULL)
        {
          ns = g_new0 (gint64, 1);
          g_hash_table_insert (times, g_memdup2 (&id, sizeof id), ns);
        }
      *ns += share * 4000;
      if (*ns > G_MAXUINT32)
        return NULL;
    }
  return n >= 0 && !cursor->short_of ? g_steal_pointer (&times) : NULL;
}

static void
check_bin (const KymoStreamBlock *block,
           guint                  bin,
           GHashTable            *times)
{
  guint32 begin = g_array_index (block->offsets, guint32, bin);
  guint32 end = g_array_index (block->offsets, guint32, bin + 1);
  gint64 last = -1;
  guint n = 0;
  GHashTableIter iter;
  gpointer value;

  for (guint32 i = begin; i < end; i++)
    {
      gint64 id = g_array_index (block->ids, gint32, i);
      const gint64 *ns = g_hash_table_lookup (times, &id);

      fuzz_require (id > last && ns != NULL);
      fuzz_require (*ns == g_array_index (block->ns, guint32, i) && *ns > 0);
      last = id;
    }
  g_hash_table_iter_init (&iter, times);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    n += *(gint64 *) value > 0;
  fuzz_require (n == end - begin);
}

/* Whether the bytes are a block; if so, it is compared. */
static gboolean
read_detail (const KymoStreamForm  *form,
             Cursor                 cursor,
             const KymoStreamBlock *block)
{
  gint n_bins = (gint32) next (&cursor, 4), n_pes = (gint32) next (&cursor, 4);

  if (cursor.short_of || n_bins <= 0 || n_bins > KYMO_STREAM_MAX_BINS || n_pes <= 0
      || n_pes > KYMO_STREAM_MAX_PES || (form->n_pes > 0 && (guint) n_pes > form->n_pes))
    return FALSE;
  if (block->n_bins > 0)
    fuzz_require (block->n_bins == (guint) n_bins && block->n_pes == (guint) n_pes);
  for (gint bin = 0; bin < n_bins; bin++)
    {
      g_autoptr (GHashTable) times = read_bin (&cursor);

      if (times == NULL)
        return FALSE;
      if (block->n_bins > 0)
        check_bin (block, bin, times);
    }
  return cursor.left == 0;
}

static gboolean
read_summary (const KymoStreamForm  *form,
              Cursor                 cursor,
              const KymoStreamBlock *block)
{
  guint width = form->kind == KYMO_STREAM_DOUBLES ? 8 : 1;
  gsize n = cursor.left / width;
  guint at = 0;

  if (cursor.left % width != 0 || (width == 8 && form->n_pes == 0))
    return FALSE;
  for (gsize bin = 0; bin < n; bin++)
    {
      guint64 bits = next (&cursor, width);
      double ns = bits * 5000.0;

      if (width == 8)
        {
          double seconds;

          memcpy (&seconds, &bits, 8);
          seconds /= form->n_pes;
          if (!(seconds >= 0 && seconds <= 1))
            return FALSE;
          ns = seconds * 1e9;
        }
      if (block->n_bins == 0 || lround (ns) == 0)
        continue;
      fuzz_require (g_array_index (block->ids, gint32, at) == KYMO_STREAM_BUSY_ID);
      fuzz_require (g_array_index (block->ns, guint32, at) == lround (ns));
      fuzz_require (g_array_index (block->offsets, guint32, bin) == at);
      at++;
    }
  fuzz_require (block->n_records == at);
  return TRUE;
}

static void
check_sentence (const GError *error)
{
  fuzz_require (g_error_matches (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE));
  fuzz_require (g_utf8_validate (error->message, -1, NULL));
  fuzz_require (strlen (error->message) < 200 && strchr (error->message, '\n') == NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  KymoStreamBlock block;
  g_autoptr (GError) error = NULL;
  guint how = size > 0 ? data[0] : 0;
  KymoStreamForm form = { how % 4 % KYMO_STREAM_N_KINDS, how >> 2 & 1, how >> 3 };
  Cursor cursor = { data + MIN (size, 1), size - MIN (size, 1), form.big_endian, FALSE };
  KymoStreamResult result;
  gboolean fine;

  /* A new one: the room of one that was used hides writes beyond its end. */
  kymo_stream_block_init (&block);
  result = kymo_stream_block_decode (&block, &form, cursor.bytes, cursor.left, &error);
  fuzz_require ((result == KYMO_STREAM_BAD) == (error != NULL));
  fuzz_require (block.offsets->len == block.n_bins + 1);
  fuzz_require (block.ids->len == block.n_records && block.ns->len == block.n_records);
  fuzz_require (kymo_stream_block_utilization (&block) >= 0);
  if (error != NULL)
    check_sentence (error);
  if (result != KYMO_STREAM_BLOCK)
    fuzz_require (block.n_bins == 0 && block.n_records == 0);
  fuzz_require ((result == KYMO_STREAM_NOTHING)
                == kymo_stream_is_nothing (&form, cursor.bytes, cursor.left));
  if (result != KYMO_STREAM_NOTHING)
    {
      fine = form.kind == KYMO_STREAM_DETAIL ? read_detail (&form, cursor, &block)
        : read_summary (&form, cursor, &block);
      fuzz_require (fine == (result == KYMO_STREAM_BLOCK));
    }
  kymo_stream_block_clear (&block);
  return 0;
}
