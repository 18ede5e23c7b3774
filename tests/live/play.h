/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server that plays a part: one step a connection, then it closes its port
 * like a program that ends. On loopback, in a thread of its own; it asserts
 * that each request is the one that the step expects.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  PLAY_REPLY,                   /* the whole reply */
  PLAY_CUT,                     /* `n_sent` bytes of it, then closed */
  PLAY_RESET,                   /* reset after the request */
  PLAY_CLOSE,                   /* closed without a byte */
  PLAY_SILENT,                  /* nothing, until the client gives up */
  PLAY_DRIP,                    /* a byte a millisecond, for ever */
  PLAY_STAY,                    /* the whole reply and more, never closed */
} PlayAct;

/**
 * PlayStep:
 * @handler: that must be asked for, or NULL for any
 * @act: what is done
 * @reply: head and payload as they are sent
 * @n_sent: see %PLAY_CUT
 * @pause_ms: before the answer
 */
typedef struct
{
  const char *handler;
  PlayAct     act;
  GBytes     *reply;
  gsize       n_sent;
  guint       pause_ms;
} PlayStep;

typedef struct _Play Play;

/* Owns the steps. `ipv6`: listens on ::1. */
Play    *play_new      (gboolean         ipv6);
/* (transfer full) `reply`: payload, or NULL */
void     play_add      (Play            *play,
                        const char      *handler,
                        PlayAct          act,
                        GBytes          *payload);
PlayStep *play_last    (Play            *play);
/* The reply begins with these bytes in place of a true length. */
void     play_add_raw  (Play            *play,
                        const char      *handler,
                        PlayAct          act,
                        GBytes          *bytes);
void     play_start    (Play            *play);
guint16  play_get_port (Play            *play);
guint    play_get_n_done (Play          *play);
void     play_free     (Play            *play);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Play, play_free)

G_END_DECLS
