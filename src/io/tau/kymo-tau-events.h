/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of a TAU trace, as an .edf file lists them: what each id means. Ids are
 * those of one node, and others in a merged trace; what an event is, its name and tag
 * tell. Read on any thread, then immutable but for `activity`, which is given when the
 * events of all files are known.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_TAU_UNKNOWN,             /* no event has this id */
  KYMO_TAU_FUNCTION,            /* 1 = enter, -1 = leave */
  KYMO_TAU_FLUSH,               /* the same, and a stretch of flushing */
  KYMO_TAU_VALUE,               /* a user event: three records a sample */
  KYMO_TAU_METRIC,              /* running total beside each enter and leave: at first one
                                   that its tag says may be, see kymo_tau_find_metrics() */
  KYMO_TAU_PERHAPS_METADATA,    /* "<key> | <value>" */
  KYMO_TAU_CLOCK_OFFSET,        /* one record: what the tracer added to its clock */
  KYMO_TAU_ONE_SIDED,           /* one record: bytes that a GPU sends or gets */
  KYMO_TAU_SEND,
  KYMO_TAU_RECEIVE,
  KYMO_TAU_INIT,
  KYMO_TAU_CLOSE,
  KYMO_TAU_IGNORED,             /* tells nothing beside its time */
} KymoTauKind;

/**
 * KymoTauEvent:
 * @name: as in the file, with blanks at its end
 * @activity: index in the run; of a metric its index there; else %G_MAXUINT32
 */
typedef struct
{
  gint64      id;
  char       *name;
  char       *group;
  KymoTauKind kind;
  guint32     activity;
} KymoTauEvent;

#define KYMO_TAU_PAGE 256

/**
 * KymoTauEvents:
 * @list: #KymoTauEvent in order of the file
 * @pages: of each %KYMO_TAU_PAGE ids the index + 1 in @list, or %NULL for none
 */
typedef struct
{
  GArray   *list;
  guint32 **pages;
  guint     n_pages;
  gint64    n_bad_lines;
  gint64    bad_offset;
} KymoTauEvents;

KymoTauEvents *kymo_tau_events_new   (void);
void           kymo_tau_events_free  (KymoTauEvents *events);
void           kymo_tau_events_parse (KymoTauEvents *events,
                                      const char    *text,
                                      gsize          length);
KymoTauEvent  *kymo_tau_events_add   (KymoTauEvents *events,
                                      gint64         id,
                                      const char    *name,
                                      const char    *group,
                                      KymoTauKind    kind);
KymoTauEvents *kymo_tau_events_read  (const char    *path,
                                      GError       **error);
KymoTauKind    kymo_tau_kind_of_value (const char   *name);
char          *kymo_tau_dup_shown_name (const char  *name);

/* Ids are counted up from 0; a larger one is damage, and would only cost memory. */
#define KYMO_TAU_N_IDS (1 << 20)

/** kymo_tau_events_may_have: whether that can be the id of an event */
static inline gboolean
kymo_tau_events_may_have (gint64 id)
{
  return id >= 0 && id < KYMO_TAU_N_IDS;
}

/**
 * kymo_tau_events_find:
 * @id: of an event
 *
 * Returns: (transfer none) (nullable): the event with that id
 */
static inline KymoTauEvent *
kymo_tau_events_find (const KymoTauEvents *events,
                      gint64               id)
{
  guint64 page = (guint64) id / KYMO_TAU_PAGE;
  guint32 index;

  if (G_UNLIKELY (page >= events->n_pages || events->pages[page] == NULL))
    return NULL;
  index = events->pages[page][(guint64) id % KYMO_TAU_PAGE];
  return index > 0 ? (KymoTauEvent *) events->list->data + index - 1 : NULL;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoTauEvents, kymo_tau_events_free)

G_END_DECLS
