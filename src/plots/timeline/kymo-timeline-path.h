/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A path over a timeline: a bold line along the rows where it runs through blocks, from
 * row to row where it is a message, dashed where a message waits; rows that it does not
 * touch are faded. Window and files paint with the same function. Any thread.
 */
#pragma once

#include "kymo-timeline.h"

G_BEGIN_DECLS

/** KYMO_PATH_MOST_STEPS: limit of listed and painted steps of a chain, nearest to its block */
#define KYMO_PATH_MOST_STEPS 2000

/* The critical path in a part of its time, its short steps joined; for a picture. */
KymoQuestion *kymo_timeline_path_question (const KymoPlotFrame *frame,
                                           KymoSpan             part);
/* Asks for what a timeline's question wants as a path over it, for files: keywords "follow"
   (critical, back or forward) and of a chain "follow-location" and "follow-at-ns", where its
   block ran. TRUE with NULL where that is nothing. Blocks. */
gboolean      kymo_timeline_ask_path      (KymoSource          *source,
                                           const KymoPlotFrame *frame,
                                           KymoQuestion        *timeline,
                                           GCancellable        *cancellable,
                                           KymoTable          **path,
                                           GError             **error);
/* (transfer none) (nullable): the steps that are painted of such an answer */
KymoTable    *kymo_timeline_path_steps    (const KymoTable     *path);
/* `steps`: of an answer of chain ("steps") or critical-path ("part"), in order of time:
   location, place, begin_ns, end_ns, kind. `current`: a row of it that stands out, or -1. */
void          kymo_timeline_paint_path    (cairo_t             *cr,
                                           const KymoTimeline  *timeline,
                                           const KymoTable     *steps,
                                           gint                 current);

G_END_DECLS
