/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One reply of a running program's utilization stream, decoded.
 *
 * `CkPerfSumDetail compressed`, in the byte order of the program's machine,
 * unaligned:
 *
 *   int32  bins (0: nothing new, and that is all of the reply)
 *   int32  PEs merged in
 *   per bin: int16 records, and of each int16 entry, uint8 share (250 = all)
 *
 * `CkPerfSummaryCcsClientCB`: an 8 byte double a bin, seconds of busy time
 * summed over PEs; one double -13.37 = nothing new.
 * `CkPerfSummaryCcsClientCB uchar`: a byte a bin, busy share averaged over
 * PEs (200 = all); one byte 255 = nothing new.
 *
 * Bins are 1 ms. What is decoded are means over the PEs in nanoseconds: a step
 * of a share is 4,000 ns, or 5,000, so nothing is lost. Two records of one
 * entry in a bin are added up. Nothing is clamped.
 *
 * No file or socket is read here; any thread, one at a time for a block.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KYMO_STREAM_BIN_NS G_GINT64_CONSTANT (1000000)
/** id under which the program adds up entry methods below a tenth of a bin */
#define KYMO_STREAM_OTHER_ID 10000
/** busy time of which no entry method is told, of the two summary streams */
#define KYMO_STREAM_BUSY_ID (-1)
/** more bins than the program's own buffers hold are not believed */
#define KYMO_STREAM_MAX_BINS 32768
/** in the summary streams, whose replies hold all since the last one: as many
    doubles as there may be bytes, 17 minutes */
#define KYMO_STREAM_MAX_SUMMARY_BINS (1 << 20)
/** more PEs than any machine has */
#define KYMO_STREAM_MAX_PES (1 << 26)
/** more bytes than a reply of the program can have are not read */
#define KYMO_STREAM_MAX_BYTES (8 << 20)

typedef enum
{
  KYMO_STREAM_DETAIL,
  KYMO_STREAM_DOUBLES,
  KYMO_STREAM_SHARES,
} KymoStreamKind;

#define KYMO_STREAM_N_KINDS 3

/**
 * KymoStreamForm: what has to be known before a reply can be read
 * @n_pes: of the whole program; 0 = not known
 */
typedef struct
{
  KymoStreamKind kind;
  gboolean       big_endian;
  guint          n_pes;
} KymoStreamForm;

/**
 * KymoStreamBlock:
 * @n_pes: merged in
 * @offsets: n_bins + 1, into @ids and @ns
 * @ids: entry ids, ascending and distinct within a bin
 * @ns: mean over the PEs of the time in the bin, never 0 but where the
 *   program sent a share of 0: those records are left out
 * @n_zero: records that told a share of 0
 *
 * Its memory is kept from reply to reply.
 */
typedef struct
{
  guint   n_bins;
  guint   n_pes;
  guint   n_records;
  guint   n_zero;
  GArray *offsets;              /* guint32 */
  GArray *ids;                  /* gint32 */
  GArray *ns;                   /* guint32 */
} KymoStreamBlock;

typedef enum
{
  KYMO_STREAM_NOTHING,          /* nothing new since the last reply */
  KYMO_STREAM_BLOCK,
  KYMO_STREAM_BAD,
} KymoStreamResult;

const char      *kymo_stream_kind_get_handler (KymoStreamKind        kind);
gboolean         kymo_stream_kind_from_handler (const char          *handler,
                                               KymoStreamKind       *kind);
void             kymo_stream_block_init       (KymoStreamBlock      *block);
void             kymo_stream_block_clear      (KymoStreamBlock      *block);
gboolean         kymo_stream_is_nothing       (const KymoStreamForm *form,
                                               const guint8         *bytes,
                                               gsize                 n_bytes);
KymoStreamResult kymo_stream_block_decode     (KymoStreamBlock      *block,
                                               const KymoStreamForm *form,
                                               const guint8         *bytes,
                                               gsize                 n_bytes,
                                               GError              **error);
/* Mean share of the time that is busy; not clamped. */
double           kymo_stream_block_utilization (const KymoStreamBlock *block);

G_END_DECLS
