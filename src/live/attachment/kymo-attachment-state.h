/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How it stands with a running program that is followed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoAttachmentState:
 * @KYMO_ATTACHMENT_CONNECTING: nothing is known yet
 * @KYMO_ATTACHMENT_PROBING: it answers; which stream it offers is being found
 * @KYMO_ATTACHMENT_CATCHING_UP: blocks were queued
 * @KYMO_ATTACHMENT_FOLLOWING: at the program's pace
 * @KYMO_ATTACHMENT_WAITING: the connection failed; tried again after a pause
 * @KYMO_ATTACHMENT_NO_STREAM: it offers no utilization stream; asked again
 *   now and then, for one may be registered late
 * @KYMO_ATTACHMENT_ENDED: the program has ended; nothing more is asked
 * @KYMO_ATTACHMENT_FAILED: it cannot go on (wrong key, no such host); nothing
 *   more is asked
 */
typedef enum
{
  KYMO_ATTACHMENT_CONNECTING,
  KYMO_ATTACHMENT_PROBING,
  KYMO_ATTACHMENT_CATCHING_UP,
  KYMO_ATTACHMENT_FOLLOWING,
  KYMO_ATTACHMENT_WAITING,
  KYMO_ATTACHMENT_NO_STREAM,
  KYMO_ATTACHMENT_ENDED,
  KYMO_ATTACHMENT_FAILED,
} KymoAttachmentState;

G_END_DECLS
