/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A first look at a log that is still to be read: of a text log its begin,
 * its end and stretches between them, read by offset; of a gzip one its
 * begin. A stretch tells the mix of states in it; between stretches the
 * nearest counts. What comes of it is a draft: bins, in which nothing is
 * counted. Nothing is reported: the reader does that.
 *
 * One thread per prober.
 */
#pragma once

#include "kymo-projections-sts.h"

G_BEGIN_DECLS

/**
 * KymoProbeKind:
 * @KYMO_PROBE_NOTHING: nothing is known
 * @KYMO_PROBE_SAMPLES: stretches from begin to end
 * @KYMO_PROBE_HEAD: the first stretch only
 */
typedef enum
{
  KYMO_PROBE_NOTHING,
  KYMO_PROBE_SAMPLES,
  KYMO_PROBE_HEAD,
} KymoProbeKind;

/**
 * KymoProbeSample: a stretch that was looked at
 * @offset: where in the log
 * @span: when
 * @mix_ns: the time of which the shares are
 * @first: of its shares in the probe's
 * @n_shares: number of shares that are its own
 */
typedef struct
{
  gint64   offset;
  KymoSpan span;
  gint64   mix_ns;
  guint    first, n_shares;
} KymoProbeSample;

/** KymoProbeShare: time of a sample in one state but overhead */
typedef struct
{
  guint32 state;
  gint64  ns;
} KymoProbeShare;

/**
 * KymoProbe: known records of one log
 * @plain_bytes: of the log; of a gzip one about
 * @head_bytes: of them were looked at at the begin
 * @span: from its first to its last record
 * @has_end: FALSE: @span ends where the last sample does, and the log later
 * @samples: #KymoProbeSample
 * @shares: #KymoProbeShare
 */
typedef struct
{
  KymoProbeKind kind;
  gint64        plain_bytes;
  gint64        head_bytes;
  KymoSpan      span;
  gboolean      has_end;
  GArray       *samples;
  GArray       *shares;
} KymoProbe;

typedef struct _KymoProber KymoProber;

KymoProber  *kymo_prober_new         (const KymoSts   *sts,
                                      guint            n_activities,
                                      gsize            head_bytes);
void         kymo_prober_free        (KymoProber      *prober);
void         kymo_prober_read_ends   (KymoProber      *prober,
                                      const char      *path,
                                      KymoProbe       *probe);
void         kymo_prober_read_sample (KymoProber      *prober,
                                      const char      *path,
                                      gint64           offset,
                                      KymoProbe       *probe);
gint64       kymo_probe_guess_end    (const KymoProbe *probe);
KymoSegment *kymo_probe_make_segment (KymoProbe       *probe,
                                      KymoSpan         span,
                                      guint            n_states,
                                      guint            n_bins);
void         kymo_probe_init         (KymoProbe       *probe);
guint        kymo_probe_append_shares (KymoSums       *sums,
                                      GArray          *shares);
void         kymo_probe_clear        (KymoProbe       *probe);

G_END_DECLS
