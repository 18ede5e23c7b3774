/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoViewAsker: asks the question of a view. It waits while changes follow each other, asks
 * nothing for a view that is not mapped until it is, and asks again when the run has grown. A
 * widget that shows an answer has one of these, made with kymo_view_asker_new() and dropped with
 * g_clear_object() in dispose. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-asker.h"
#include "kymo-session.h"

G_BEGIN_DECLS

/* A drag over the overview changes the range with every frame. */
#define KYMO_VIEW_PAUSE_MS 150
/* Figures of a stream are read no faster. */
#define KYMO_VIEW_PACE_MS 1000

/**
 * KymoViewSeen:
 * @KYMO_VIEW_SEEN: the view asks only while it is mapped
 * @KYMO_VIEW_UNSEEN_UNLESS_LIVE: it asks also while it is not, unless its session follows a stream
 * @KYMO_VIEW_UNSEEN: it always asks
 */
typedef enum
{
  KYMO_VIEW_SEEN,
  KYMO_VIEW_UNSEEN_UNLESS_LIVE,
  KYMO_VIEW_UNSEEN,
} KymoViewSeen;

/**
 * KymoViewQuestion:
 * @question: returns what to ask now, (transfer full); %NULL asks nothing and drops the question
 *   under way
 * @answered: called with each answer that is still wanted
 * @work: (nullable): makes the answer of several questions, on a worker; %NULL: the source answers
 * @queued: (nullable): called when a change is going to be asked about
 * @grown: (nullable): called when the run has grown; returns whether that changes the answer
 * @pause_ms: from a change to its question; 0 asks at once
 * @pace_ms: of a stream, at least so long from one question to the next; 0 = @pause_ms
 * @at_rest: each change drops the question under way and begins the pause anew
 * @seen: whether the view asks while it is not mapped
 */
typedef struct
{
  KymoQuestion *(*question) (gpointer view);
  KymoAskerDone   answered;
  KymoAskerWork   work;
  void          (*queued)   (gpointer view);
  gboolean      (*grown)    (gpointer view);
  guint           pause_ms;
  guint           pace_ms;
  gboolean        at_rest;
  KymoViewSeen    seen;
} KymoViewQuestion;

#define KYMO_TYPE_VIEW_ASKER (kymo_view_asker_get_type ())
G_DECLARE_FINAL_TYPE (KymoViewAsker, kymo_view_asker, KYMO, VIEW_ASKER, GObject)

KymoViewAsker *kymo_view_asker_new        (const KymoViewQuestion *klass,
                                           gpointer                view,
                                           KymoSession            *session);
void           kymo_view_asker_follow     (KymoViewAsker          *self,
                                           gpointer                object,
                                           const char             *signal);
void           kymo_view_asker_queue      (KymoViewAsker          *self);
void           kymo_view_asker_ask        (KymoViewAsker          *self);
void           kymo_view_asker_catch_up   (KymoViewAsker          *self);
void           kymo_view_asker_cancel     (KymoViewAsker          *self);
gboolean       kymo_view_asker_is_settled (KymoViewAsker          *self);

G_END_DECLS
