/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error domain of the whole program.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KYMO_ERROR: the domain of every error that Kymo itself raises. */
#define KYMO_ERROR (kymo_error_quark ())

/**
 * KymoError:
 * @KYMO_ERROR_UNREADABLE: the run cannot be read
 * @KYMO_ERROR_AMBIGUOUS: the folder holds several runs
 * @KYMO_ERROR_UNANSWERABLE: the run does not hold what the question needs
 * @KYMO_ERROR_USAGE: the caller's words are wrong
 * @KYMO_ERROR_WRITE: an output could not be written
 * @KYMO_ERROR_LIMIT: a memory or size limit was reached
 * @KYMO_ERROR_STALE: what was kept of the run is damaged; to be read again
 * @KYMO_ERROR_FOREIGN: there is nothing of the format that was looked for; among
 *   formats only, the caller that opens a run gets %KYMO_ERROR_UNREADABLE
 */
typedef enum
{
  KYMO_ERROR_UNREADABLE,
  KYMO_ERROR_AMBIGUOUS,
  KYMO_ERROR_UNANSWERABLE,
  KYMO_ERROR_USAGE,
  KYMO_ERROR_WRITE,
  KYMO_ERROR_LIMIT,
  KYMO_ERROR_STALE,
  KYMO_ERROR_FOREIGN,
} KymoError;

GQuark kymo_error_quark (void);

G_END_DECLS
