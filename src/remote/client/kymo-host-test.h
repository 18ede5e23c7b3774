/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands between a person and a server on another machine, step by step: ssh, the program,
 * the way it begins, and its greeting; and bringing the program there.
 *
 * Any thread; both block.
 */
#pragma once

#include "kymo-job.h"

G_BEGIN_DECLS

/** KYMO_HOST_N_STEPS: of kymo_host_test() */
#define KYMO_HOST_N_STEPS 4

/**
 * KymoHostStep:
 * @title: what was tried
 * @passed: whether it went well
 * @words: what the other side said, or ssh; one line, safe to show
 * @is_missing: whether the server is not there, so that kymo_host_install() would help
 */
typedef struct
{
  const char *title;
  gboolean    passed;
  const char *words;
  gboolean    is_missing;
} KymoHostStep;

/** KymoHostStepFunc: told of each step on the thread that tests */
typedef void (*KymoHostStepFunc) (const KymoHostStep *step,
                                  gpointer            data);

gboolean kymo_host_test    (const char        *host,
                            const char        *launch,
                            KymoHostStepFunc   told,
                            gpointer           data,
                            KymoJob           *job,
                            GError           **error);
char    *kymo_host_install (const char        *host,
                            const char        *tarball,
                            KymoJob           *job,
                            GError           **error);

G_END_DECLS
