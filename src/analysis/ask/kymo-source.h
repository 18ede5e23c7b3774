/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSource: where answers come from. A run in memory is one
 * (KymoRunSource), a comparison of several runs and a run on another machine
 * (KymoRemoteSource) are others. Views know a run only through this.
 *
 * A source that is still being read gives drafts: an answer then has a string
 * "draft" that tells what it rests on. The signal "grown", on the main thread,
 * says that more is known, and in the end all: ask again.
 *
 * kymo_source_ask() may be called from any thread, blocks, and stops within
 * 50 ms of cancellation; _async() runs it on a worker thread.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-question.h"
#include "kymo-source-facts.h"
#include "kymo-table.h"
#include "kymo-terms.h"

G_BEGIN_DECLS

/**
 * KymoCapabilities:
 *
 * What a run can answer.
 */
typedef enum
{
  KYMO_CAN_INTERVALS = 1 << 0,
  KYMO_CAN_MESSAGES = 1 << 1,
  KYMO_CAN_BINNED_TIME = 1 << 2,
  KYMO_CAN_PROFILE = 1 << 3,
  KYMO_CAN_COUNTERS = 1 << 4,           /* values over time: of blocks, or samples */
  KYMO_CAN_WEIGHTS = 1 << 5,
  KYMO_CAN_GROWING = 1 << 6,
  KYMO_CAN_ROWS = 1 << 7,       /* rows of a timeline: of blocks, or a draft's */
  KYMO_CAN_STREAM = 1 << 8,     /* replies of a utilization stream */
  KYMO_CAN_METRICS = 1 << 9,    /* profiles of functions by metric */
  KYMO_CAN_PATHS = 1 << 10,     /* call paths, of a profile or from nested functions */
  KYMO_CAN_USER_EVENTS = 1 << 11,       /* samples of user events */
  KYMO_CAN_WAITS = 1 << 12,     /* who waited for whom: exchanges or collectives */
  KYMO_CAN_PHASES = 1 << 13,    /* profiles by phase */
  KYMO_CAN_EVENT_TIMES = 1 << 14,       /* when user events were, and how long brackets */
  KYMO_CAN_COMMUNICATORS = 1 << 15,     /* on which communicators calls are made */
} KymoCapabilities;

#define KYMO_TYPE_SOURCE (kymo_source_get_type ())
G_DECLARE_INTERFACE (KymoSource, kymo_source, KYMO, SOURCE, GObject)

/**
 * KymoSourceDraft:
 * @draft: a coarser form of an answer that takes longer to come; its string "draft" says so
 *
 * Told before the answer, on the thread that asks.
 */
typedef void (*KymoSourceDraft) (KymoSource *source,
                                 KymoTable  *draft,
                                 gpointer    data);

struct _KymoRun;

struct _KymoSourceInterface
{
  GTypeInterface g_iface;

  KymoTable        *(*ask)              (KymoSource    *source,
                                         KymoQuestion  *question,
                                         GCancellable  *cancellable,
                                         GError       **error);
  KymoCapabilities  (*get_capabilities) (KymoSource    *source);
  KymoSpan          (*get_span)         (KymoSource    *source);
  char             *(*dup_title)        (KymoSource    *source);
  /* optional; no drafts without it */
  KymoTable        *(*ask_drafted)      (KymoSource       *source,
                                         KymoQuestion     *question,
                                         KymoSourceDraft   draft,
                                         gpointer          data,
                                         GCancellable     *cancellable,
                                         GError          **error);
  /* optional; FALSE without it */
  gboolean          (*has_corrected_clocks) (KymoSource *source);
  /* optional; NULL without it */
  char             *(*dup_draft)        (KymoSource    *source);
  /* optional; 0 without it */
  guint             (*get_mean_of)      (KymoSource    *source);
  /* optional; those of Charm++ without it */
  KymoTerms         (*get_terms)        (KymoSource    *source);
  /* optional; NULL without it */
  KymoSourceFacts  *(*dup_facts)        (KymoSource    *source);
  /* optional; nothing is kept without it */
  gboolean          (*keep)             (KymoSource    *source,
                                         GCancellable  *cancellable,
                                         GError       **error);
  /* optional, for kymo-run-source.h: a source without them has no run in this process */
  struct _KymoRun  *(*ref_run)          (KymoSource       *source);
  void              (*set_run)          (KymoSource       *source,
                                         struct _KymoRun  *run);
  guint             (*get_threads)      (KymoSource       *source);
};

KymoTable        *kymo_source_ask              (KymoSource           *source,
                                                KymoQuestion         *question,
                                                GCancellable         *cancellable,
                                                GError              **error);
void              kymo_source_ask_async        (KymoSource           *source,
                                                KymoQuestion         *question,
                                                GCancellable         *cancellable,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
void              kymo_source_ask_drafted_async
                                               (KymoSource           *source,
                                                KymoQuestion         *question,
                                                GCancellable         *cancellable,
                                                KymoSourceDraft       draft,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
KymoTable        *kymo_source_ask_finish       (KymoSource           *source,
                                                GAsyncResult         *result,
                                                GError              **error);
KymoCapabilities  kymo_source_get_capabilities (KymoSource           *source);
KymoSpan          kymo_source_get_span         (KymoSource           *source);
char             *kymo_source_dup_title        (KymoSource           *source);
gboolean          kymo_source_has_corrected_clocks (KymoSource       *source);
char             *kymo_source_dup_draft        (KymoSource           *source);
guint             kymo_source_get_mean_of      (KymoSource           *source);
KymoTerms         kymo_source_get_terms        (KymoSource           *source);
KymoSourceFacts  *kymo_source_dup_facts        (KymoSource           *source);
gboolean          kymo_source_keep             (KymoSource           *source,
                                                GCancellable         *cancellable,
                                                GError              **error);

G_END_DECLS
