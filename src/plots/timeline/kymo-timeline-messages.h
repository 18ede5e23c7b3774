/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages over a timeline: an answer of the kind messages (under way in a range, or of
 * one block) as lines. Single ones are thin arrows from where they were sent to where
 * their execution began; groups are arrows whose width and opacity tell how many (or
 * how many bytes) they are; an unknown end is a short line with an open end; what
 * arrives before it was sent is red. Of a collective call they are a fan: from when the one
 * came to when the other was let go. Window and files paint with the same function.
 *
 * Any thread.
 */
#pragma once

#include "kymo-timeline.h"

G_BEGIN_DECLS

/** KymoLineKind: what a line of messages stands for */
typedef enum
{
  KYMO_LINE_MATCHED,
  KYMO_LINE_UNCERTAIN,
  KYMO_LINE_UNMATCHED,          /* its begin is not known */
  KYMO_LINE_OPEN,               /* its end is not */
} KymoLineKind;

/** KymoLineOf: which list of the answer */
typedef enum
{
  KYMO_LINES_OF_ALL,            /* under way in the range */
  KYMO_LINES_BACK,              /* what started the block */
  KYMO_LINES_FORWARD,           /* what it caused */
  KYMO_LINES_OF_GROUPS,
  KYMO_LINES_OF_FAN,            /* who depended on whom in a collective call */
} KymoLineOf;

/**
 * KymoMessageLine:
 * @row: of the list
 * @x0: where it begins, in the picture
 * @weight: of a group, 0–1; of a fan 0 where all its lines stand for one
 * @early: it arrives before it was sent (of a group: on average)
 */
typedef struct
{
  KymoLineOf   of;
  KymoLineKind kind;
  guint        row;
  double       x0, y0, x1, y1;
  double       weight;
  gboolean     early;
} KymoMessageLine;

/* The head of an arrow, and how wide the heaviest is. */
#define KYMO_MESSAGE_HEAD_PX 7
#define KYMO_MESSAGE_MOST_PX 6
/* More single lines than this are asked for in groups. */
#define KYMO_MOST_LINES 400

/* "none", "back", "forward", "block" or "all"; NULL where there is nothing to ask. */
KymoQuestion *kymo_timeline_messages_question (const KymoPlotFrame *frame,
                                               KymoSpan             span,
                                               const char          *mode,
                                               gint64               location,
                                               gint64               time_ns);
/* Asks for what a timeline's question wants over it; TRUE with NULL where that is
   nothing. */
gboolean      kymo_timeline_ask_messages      (KymoSource          *source,
                                               const KymoPlotFrame *frame,
                                               KymoQuestion        *timeline,
                                               GCancellable        *cancellable,
                                               KymoTable          **messages,
                                               GError             **error);
GArray       *kymo_timeline_message_lines     (const KymoTimeline  *timeline,
                                               const KymoTable     *messages,
                                               gboolean             by_bytes);
void          kymo_timeline_paint_messages    (cairo_t             *cr,
                                               const KymoTimeline  *timeline,
                                               const KymoTable     *messages,
                                               const GArray        *lines);
void          kymo_timeline_lift_message      (cairo_t             *cr,
                                               const KymoTimeline  *timeline,
                                               const KymoTable     *messages,
                                               const KymoMessageLine *line);
double        kymo_message_line_width         (const KymoMessageLine *line);
gint          kymo_message_lines_hit          (const GArray        *lines,
                                               double               x,
                                               double               y);
/* (transfer full): a line's messages in words */
char         *kymo_message_line_words         (const KymoTable     *messages,
                                               const KymoMessageLine *line);
/* The list a line is of. */
KymoTable    *kymo_message_line_table         (const KymoTable     *messages,
                                               KymoLineOf           of);
/* Where the middle of a location is, or NAN. */
double        kymo_timeline_location_y        (const KymoTimeline  *timeline,
                                               GHashTable          *rows,
                                               gint64               location,
                                               double               place);
/* (transfer full): location -> row of the answer + 1 */
GHashTable   *kymo_timeline_rows_by_location  (const KymoTimeline  *timeline);

G_END_DECLS
