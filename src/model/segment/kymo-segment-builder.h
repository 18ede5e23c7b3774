/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of one location in order of recording -> a sealed segment.
 *
 * The builder is a small machine: a stack of open blocks, idle or not,
 * traced or not. Each record that changes the state closes a piece of the
 * track. Where records contradict each other a block wins over idle, time
 * never runs backwards, and each repair is counted.
 *
 * One thread; sealing hands the columns over without a copy.
 */
#pragma once

#include "kymo-segment.h"

G_BEGIN_DECLS

/**
 * KymoRepairs: how often the builder had to put records right
 */
typedef struct
{
  gint64 time_backwards;        /* a state change before the one before it */
  gint64 idle_in_block;         /* idle begins while a block is open */
  gint64 too_deep;              /* blocks nested deeper than 255 */
  gint64 counter_backwards;     /* a hardware counter fell inside a block */
} KymoRepairs;

typedef struct _KymoSegmentBuilder KymoSegmentBuilder;

KymoSegmentBuilder *kymo_segment_builder_new    (guint               location,
                                                 guint               n_activities);
void         kymo_segment_builder_free          (KymoSegmentBuilder *builder);
void         kymo_segment_builder_set_unit      (KymoSegmentBuilder *builder,
                                                 guint32             unit_ns);
void         kymo_segment_builder_touch         (KymoSegmentBuilder *builder,
                                                 gint64              time_ns);
void         kymo_segment_builder_begin_block   (KymoSegmentBuilder *builder,
                                                 gint64              time_ns,
                                                 guint32             activity,
                                                 gint32              source,
                                                 gint32              event,
                                                 guint32             bytes,
                                                 const KymoObject   *object);
void         kymo_segment_builder_end_block     (KymoSegmentBuilder *builder,
                                                 gint64              time_ns);
void         kymo_segment_builder_set_n_counters (KymoSegmentBuilder *builder,
                                                  guint               n);
void         kymo_segment_builder_begin_counters (KymoSegmentBuilder *builder,
                                                  const gint64       *totals);
void         kymo_segment_builder_end_counters  (KymoSegmentBuilder *builder,
                                                 const gint64       *totals);
void         kymo_segment_builder_set_idle      (KymoSegmentBuilder *builder,
                                                 gint64              time_ns,
                                                 gboolean            idle);
void         kymo_segment_builder_set_traced    (KymoSegmentBuilder *builder,
                                                 gint64              time_ns,
                                                 gboolean            traced);
void         kymo_segment_builder_suspend       (KymoSegmentBuilder *builder,
                                                 gint64              time_ns);
gsize        kymo_segment_builder_resume        (KymoSegmentBuilder *builder,
                                                 gint64              time_ns,
                                                 const guint32      *activities,
                                                 gsize               n);
void         kymo_segment_builder_phase         (KymoSegmentBuilder *builder,
                                                 gint64              time_ns);
void         kymo_segment_builder_close_all     (KymoSegmentBuilder *builder,
                                                 gint64              time_ns);
gboolean     kymo_segment_builder_is_innermost  (const KymoSegmentBuilder *builder,
                                                 guint32             activity);
void         kymo_segment_builder_close_lost    (KymoSegmentBuilder *builder);
void         kymo_segment_builder_send          (KymoSegmentBuilder *builder,
                                                 gint64              time_ns,
                                                 KymoSendKind        kind,
                                                 guint32             activity,
                                                 gint32              event,
                                                 guint32             bytes,
                                                 guint32             destinations);
void         kymo_segment_builder_send_to       (KymoSegmentBuilder *builder,
                                                 gint64              time_ns,
                                                 guint32             bytes,
                                                 gint32              partner,
                                                 gint32              tag,
                                                 guint32             comm);
void         kymo_segment_builder_receive       (KymoSegmentBuilder *builder,
                                                 gint64              time_ns,
                                                 guint32             bytes,
                                                 gint32              partner,
                                                 gint32              tag,
                                                 guint32             comm);
void         kymo_segment_builder_set_send_request (KymoSegmentBuilder *builder,
                                                    guint32             number);
void         kymo_segment_builder_set_receive_request (KymoSegmentBuilder *builder,
                                                       guint32             number);
void         kymo_segment_builder_aside         (KymoSegmentBuilder *builder,
                                                 gint64              time_ns,
                                                 guint               op,
                                                 guint32             number,
                                                 guint32             comm);
void         kymo_segment_builder_multicast_pe  (KymoSegmentBuilder *builder,
                                                 gint32              pe);
guint        kymo_segment_builder_point         (KymoSegmentBuilder *builder,
                                                 const KymoPoint    *point);
void         kymo_segment_builder_end_point     (KymoSegmentBuilder *builder,
                                                 guint               point,
                                                 gint64              time_ns);
void         kymo_segment_builder_begin_stretch (KymoSegmentBuilder *builder,
                                                 KymoStretchKind     kind,
                                                 gint64              time_ns);
void         kymo_segment_builder_end_stretch   (KymoSegmentBuilder *builder,
                                                 KymoStretchKind     kind,
                                                 gint64              time_ns);
void         kymo_segment_builder_use_scratch   (KymoSegmentBuilder *builder);
gsize        kymo_segment_builder_get_bytes     (const KymoSegmentBuilder *builder);
KymoSegment *kymo_segment_builder_seal          (KymoSegmentBuilder *builder,
                                                 gint64              n_records,
                                                 gboolean            cut,
                                                 KymoRepairs        *repairs);

G_END_DECLS
