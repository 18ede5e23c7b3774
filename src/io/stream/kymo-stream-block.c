/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding replies. Nothing that the bytes tell is believed before it is
 * compared with how many bytes there are, so memory is at most a small multiple
 * of a reply and time is linear in it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#include "kymo-bytes.h"
#include "kymo-error.h"
#include "kymo-stream-block.h"

/* Steps of a share that are the whole of a bin. */
#define DETAIL_STEP_NS (KYMO_STREAM_BIN_NS / 250)
#define SHARES_STEP_NS (KYMO_STREAM_BIN_NS / 200)
#define DOUBLES_NOTHING (-13.37)
#define SHARES_NOTHING 255
/* Longer lists are sorted by digits, to stay linear. */
#define SORT_BY_DIGITS 24
/* A mean busy time above this, in a bin of 1 ms, cannot be true. */
#define MAX_BIN_SECONDS 1.0

static const char *const handlers[KYMO_STREAM_N_KINDS] = {
  "CkPerfSumDetail compressed",
  "CkPerfSummaryCcsClientCB",
  "CkPerfSummaryCcsClientCB uchar",
};

/** kymo_stream_kind_get_handler: (transfer none): what is asked for by CCS */
const char *
kymo_stream_kind_get_handler (KymoStreamKind kind)
{
  return handlers[kind];
}

/**
 * kymo_stream_kind_from_handler:
 * @handler: name of a CCS handler
 * @kind: (out): the stream that it gives
 *
 * Returns: whether it gives one
 */
gboolean
kymo_stream_kind_from_handler (const char     *handler,
                               KymoStreamKind *kind)
{
  for (guint i = 0; i < KYMO_STREAM_N_KINDS; i++)
    if (strcmp (handlers[i], handler) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

static void
make_empty (KymoStreamBlock *block)
{
  guint32 zero = 0;

  block->n_bins = block->n_pes = block->n_records = block->n_zero = 0;
  g_array_set_size (block->offsets, 0);
  g_array_append_val (block->offsets, zero);
  g_array_set_size (block->ids, 0);
  g_array_set_size (block->ns, 0);
}

/** kymo_stream_block_init: an empty block, to be cleared after use */
void
kymo_stream_block_init (KymoStreamBlock *block)
{
  *block = (KymoStreamBlock) {
    .offsets = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .ids = g_array_new (FALSE, FALSE, sizeof (gint32)),
    .ns = g_array_new (FALSE, FALSE, sizeof (guint32)),
  };
  make_empty (block);
}

/**
 * kymo_stream_block_clear:
 *
 * Frees the lists of a block, not the struct itself.
 */
void
kymo_stream_block_clear (KymoStreamBlock *block)
{
  g_clear_pointer (&block->offsets, g_array_unref);
  g_clear_pointer (&block->ids, g_array_unref);
  g_clear_pointer (&block->ns, g_array_unref);
}

/**
 * kymo_stream_is_nothing:
 * @bytes: (array length=n_bytes): a payload
 *
 * Returns: whether it says that nothing is new since the last reply; so does
 *   one of no bytes at all
 */
gboolean
kymo_stream_is_nothing (const KymoStreamForm *form,
                        const guint8         *bytes,
                        gsize                 n_bytes)
{
  if (n_bytes == 0)
    return TRUE;
  switch (form->kind)
    {
    case KYMO_STREAM_DETAIL:
      return n_bytes == 4 && (gint32) kymo_get_32 (bytes, form->big_endian) == 0;
    case KYMO_STREAM_DOUBLES:
      return n_bytes == 8 && kymo_get_double (bytes, form->big_endian) == DOUBLES_NOTHING;
    case KYMO_STREAM_SHARES:
      return n_bytes == 1 && bytes[0] == SHARES_NOTHING;
    default:
      return FALSE;
    }
}

static gboolean G_GNUC_PRINTF (2, 3)
refuse_stream_block (GError    **error,
                     const char *format,
                     ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (KYMO_ERROR, KYMO_ERROR_UNREADABLE, format, args);
  va_end (args);
  return FALSE;
}

/* By id, in two passes of 8 bits each; equal ids stay in their order. */
static void
sort_by_digits (guint64 *pairs,
                guint    n)
{
  g_autofree guint64 *other = g_new (guint64, n);

  for (guint shift = 32; shift < 48; shift += 8)
    {
      guint begin[257] = { 0 };

      for (guint i = 0; i < n; i++)
        begin[(pairs[i] >> shift & 255) + 1]++;
      for (guint i = 0; i < 256; i++)
        begin[i + 1] += begin[i];
      for (guint i = 0; i < n; i++)
        other[begin[pairs[i] >> shift & 255]++] = pairs[i];
      memcpy (pairs, other, n * sizeof *pairs);
    }
}

static void
sort_by_insertion (guint64 *pairs,
                   guint    n)
{
  for (guint i = 1; i < n; i++)
    {
      guint64 pair = pairs[i];
      guint k = i;

      for (; k > 0 && pairs[k - 1] >> 32 > pair >> 32; k--)
        pairs[k] = pairs[k - 1];
      pairs[k] = pair;
    }
}

/* Puts the records of a bin in order and adds up those of one entry. Returns
   how many are left, or 0 where a sum cannot be held: a bin that comes here
   has two records at least. */
static guint
sort_and_fold (gint32  *ids,
               guint32 *ns,
               guint    n)
{
  g_autofree guint64 *pairs = g_new (guint64, n);
  guint n_left = 0;

  for (guint i = 0; i < n; i++)
    pairs[i] = (guint64) ids[i] << 32 | ns[i];
  if (n > SORT_BY_DIGITS)
    sort_by_digits (pairs, n);
  else
    sort_by_insertion (pairs, n);
  for (guint i = 0; i < n; i++)
    {
      gint32 id = pairs[i] >> 32;
      guint32 here_ns = (guint32) pairs[i];

      if (n_left == 0 || ids[n_left - 1] != id)
        {
          ids[n_left] = id;
          ns[n_left++] = here_ns;
        }
      else if (!g_uint_checked_add (&ns[n_left - 1], ns[n_left - 1], here_ns))
        return 0;
    }
  return n_left;
}

/* The records of one bin, n of them at `bytes`; returns how many are kept, or
   -1. In the usual case, ids ascend and nothing is left to do. */
static inline gint
read_records (const guint8 *bytes,
              guint         n,
              gboolean      big_endian,
              gint32       *ids,
              guint32      *ns,
              gboolean     *ascend)
{
  guint n_kept = 0;
  gint32 last = -1;
  guint signs = 0;
  gboolean in_order = TRUE;

  for (guint i = 0; i < n; i++, bytes += 3)
    {
      guint16 id = kymo_get_16 (bytes, big_endian);

      signs |= id;
      ids[n_kept] = id;
      ns[n_kept] = bytes[2] * DETAIL_STEP_NS;
      if (bytes[2] == 0)
        continue;
      in_order &= id > last;
      last = id;
      n_kept++;
    }
  *ascend = in_order;
  return signs & 0x8000 ? -1 : (gint) n_kept;
}

static gboolean
refuse_negative_id (const guint8 *bytes,
                    gsize         at,
                    gboolean      big_endian,
                    guint         bin,
                    GError      **error)
{
  gint id;

  while ((id = (gint16) kymo_get_16 (bytes + at, big_endian)) >= 0)
    at += 3;
  return refuse_stream_block (error, _("bin %u claims entry %d (byte %zu); "
                              "entries are counted from 0"), bin, id, at);
}

static gboolean
read_bins (KymoStreamBlock *block,
           const guint8    *bytes,
           gsize            n_bytes,
           gboolean         big_endian,
           GError         **error)
{
  guint32 *offsets = (gpointer) block->offsets->data;
  gint32 *ids = (gpointer) block->ids->data;
  guint32 *ns = (gpointer) block->ns->data;
  gsize at = 8;
  /* Bytes that are left for records after the counts of the bins; there is room for as many. */
  gsize left = n_bytes - 8 - (gsize) block->n_bins * 2;
  guint n = 0;

  for (guint bin = 0; bin < block->n_bins; bin++)
    {
      gboolean ascend;
      gint n_told, n_here;

      n_told = (gint16) kymo_get_16 (bytes + at, big_endian);
      if (n_told < 0)
        return refuse_stream_block (error, _("bin %u claims %d records (byte %zu)"),
                                    bin, n_told, at);
      if ((gsize) n_told * 3 > left)
        return refuse_stream_block (error,
                                    _("bin %u claims %d records (byte %zu), and %zu bytes are "
                                      "left for them"), bin, n_told, at, left);
      n_here = read_records (bytes + at + 2, n_told, big_endian, ids + n, ns + n, &ascend);
      if (n_here < 0)
        return refuse_negative_id (bytes, at + 2, big_endian, bin, error);
      block->n_zero += n_told - n_here;
      if (!ascend && (n_here = sort_and_fold (ids + n, ns + n, n_here)) == 0)
        return refuse_stream_block (error,
                                    _("bin %u has more than 4 s of one entry (byte %zu)"),
                                    bin, at);
      offsets[bin] = n;
      n += n_here;
      at += 2 + (gsize) n_told * 3;
      left -= (gsize) n_told * 3;
    }
  offsets[block->n_bins] = n;
  if (at != n_bytes)
    return refuse_stream_block (error, _("%zu bytes follow the last bin (byte %zu)"), n_bytes - at,
                                at);
  return TRUE;
}

static void
set_sizes (KymoStreamBlock *block,
           gsize            n_records)
{
  g_array_set_size (block->offsets, block->n_bins + 1);
  /* A place more: a record of share 0 is written before it is dropped. */
  g_array_set_size (block->ids, n_records + 1);
  g_array_set_size (block->ns, n_records + 1);
}

static gboolean
decode_detail (KymoStreamBlock      *block,
               const KymoStreamForm *form,
               const guint8         *bytes,
               gsize                 n_bytes,
               GError              **error)
{
  gint n_bins, n_pes;

  if (n_bytes < 4)
    return refuse_stream_block (error, _("the reply of %zu bytes ends in the number of bins "
                                "(byte 0)"), n_bytes);
  n_bins = (gint32) kymo_get_32 (bytes, form->big_endian);
  if (n_bins == 0)
    return refuse_stream_block (error,
                                _("the reply has no bins, but %zu bytes follow (byte 4)"),
                                n_bytes - 4);
  if (n_bins < 0 || n_bins > KYMO_STREAM_MAX_BINS)
    return refuse_stream_block (error, _("the reply claims %d bins (byte 0); a program keeps %d "
                                         "at most"), n_bins, KYMO_STREAM_MAX_BINS);
  if (n_bytes < 8)
    return refuse_stream_block (error, _("the reply of %zu bytes ends in the number of PEs "
                                "(byte 4)"), n_bytes);
  n_pes = (gint32) kymo_get_32 (bytes + 4, form->big_endian);
  if (n_pes <= 0 || n_pes > KYMO_STREAM_MAX_PES)
    return refuse_stream_block (error, _("the reply claims %d PEs (byte 4)"), n_pes);
  if (form->n_pes > 0 && n_pes > (gint64) form->n_pes)
    return refuse_stream_block (error, _("the reply claims %d PEs (byte 4); the program has %u"),
                                n_pes,
                                form->n_pes);
  if ((gsize) n_bins * 2 > n_bytes - 8)
    return refuse_stream_block (error,
                                _("the reply claims %d bins (byte 0), and %zu bytes are left"),
                                n_bins, n_bytes - 8);
  block->n_bins = n_bins;
  block->n_pes = n_pes;
  set_sizes (block, (n_bytes - 8 - (gsize) n_bins * 2) / 3);
  return read_bins (block, bytes, n_bytes, form->big_endian, error);
}

/* Room for a summary block: a record a bin at most. */
static gboolean
begin_summary (KymoStreamBlock      *block,
               const KymoStreamForm *form,
               gsize                 n_bins,
               GError              **error)
{
  if (n_bins > KYMO_STREAM_MAX_SUMMARY_BINS)
    return refuse_stream_block (error, _("the reply has %zu bins; at most %d are read"),
                                n_bins, KYMO_STREAM_MAX_SUMMARY_BINS);
  block->n_bins = n_bins;
  block->n_pes = form->n_pes;
  set_sizes (block, n_bins);
  return TRUE;
}

static guint
put_busy (KymoStreamBlock *block,
          guint            bin,
          guint            n,
          guint32          busy_ns)
{
  g_array_index (block->offsets, guint32, bin) = n;
  g_array_index (block->ids, gint32, n) = KYMO_STREAM_BUSY_ID;
  g_array_index (block->ns, guint32, n) = busy_ns;
  if (busy_ns == 0)
    block->n_zero++;
  return n + (busy_ns > 0);
}

static gboolean
decode_doubles (KymoStreamBlock      *block,
                const KymoStreamForm *form,
                const guint8         *bytes,
                gsize                 n_bytes,
                GError              **error)
{
  guint n = 0;

  if (n_bytes % 8 != 0)
    return refuse_stream_block (error, _("the reply of %zu bytes ends within a number (byte %zu)"),
                                n_bytes,
                                n_bytes / 8 * 8);
  if (form->n_pes == 0)
    return refuse_stream_block (error, _("the reply tells sums over PEs, and how many there are is "
                                         "not known"));
  if (!begin_summary (block, form, n_bytes / 8, error))
    return FALSE;
  for (guint bin = 0; bin < block->n_bins; bin++)
    {
      double seconds = kymo_get_double (bytes + (gsize) bin * 8, form->big_endian) / form->n_pes;

      /* Also false of what is no number. */
      if (!(seconds >= 0 && seconds <= MAX_BIN_SECONDS))
        return refuse_stream_block (error, _("bin %u has %g s of busy time a PE (byte %u)"), bin,
                                    seconds,
                   bin * 8);
      n = put_busy (block, bin, n, (guint32) lround (seconds * 1e9));
    }
  g_array_index (block->offsets, guint32, block->n_bins) = n;
  return TRUE;
}

static gboolean
decode_shares (KymoStreamBlock      *block,
               const KymoStreamForm *form,
               const guint8         *bytes,
               gsize                 n_bytes,
               GError              **error)
{
  guint n = 0;

  if (!begin_summary (block, form, n_bytes, error))
    return FALSE;
  for (guint bin = 0; bin < block->n_bins; bin++)
    n = put_busy (block, bin, n, bytes[bin] * SHARES_STEP_NS);
  g_array_index (block->offsets, guint32, block->n_bins) = n;
  return TRUE;
}

/**
 * kymo_stream_block_decode:
 * @block: what it held is forgotten
 * @bytes: (array length=n_bytes): payload of a reply
 *
 * Returns: %KYMO_STREAM_BLOCK; %KYMO_STREAM_NOTHING and an empty block, see
 *   kymo_stream_is_nothing(); or %KYMO_STREAM_BAD, an empty block, and a
 *   sentence that tells the place, %KYMO_ERROR_UNREADABLE
 */
KymoStreamResult
kymo_stream_block_decode (KymoStreamBlock      *block,
                          const KymoStreamForm *form,
                          const guint8         *bytes,
                          gsize                 n_bytes,
                          GError              **error)
{
  gboolean read = FALSE;

  make_empty (block);
  if (kymo_stream_is_nothing (form, bytes, n_bytes))
    return KYMO_STREAM_NOTHING;
  if (n_bytes > KYMO_STREAM_MAX_BYTES)
    refuse_stream_block (error, _("the reply has %zu bytes; at most %d are read"), n_bytes,
                         KYMO_STREAM_MAX_BYTES);
  else if (form->kind == KYMO_STREAM_DETAIL)
    read = decode_detail (block, form, bytes, n_bytes, error);
  else if (form->kind == KYMO_STREAM_DOUBLES)
    read = decode_doubles (block, form, bytes, n_bytes, error);
  else
    read = decode_shares (block, form, bytes, n_bytes, error);
  if (!read)
    {
      make_empty (block);
      return KYMO_STREAM_BAD;
    }
  block->n_records = g_array_index (block->offsets, guint32, block->n_bins);
  g_array_set_size (block->ids, block->n_records);
  g_array_set_size (block->ns, block->n_records);
  return KYMO_STREAM_BLOCK;
}

/**
 * kymo_stream_block_utilization:
 *
 * Returns: the share of the block's time in which a PE was busy, in the mean;
 *   above 1 where rounding made it so
 */
double
kymo_stream_block_utilization (const KymoStreamBlock *block)
{
  const guint32 *ns = (gpointer) block->ns->data;
  gint64 sum_ns = 0;

  for (guint i = 0; i < block->n_records; i++)
    sum_ns += ns[i];
  return block->n_bins > 0 ? (double) sum_ns / ((double) block->n_bins * KYMO_STREAM_BIN_NS) : 0;
}
