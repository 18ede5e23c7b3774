/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forms of TAU profiles, one function each; kymo-tau-profile.c chooses. Each makes a
 * run that is not sealed, without path and title.
 */
#pragma once

#include "kymo-open-options.h"
#include "kymo-profile-builder.h"
#include "kymo-tau-profile-files.h"

G_BEGIN_DECLS

/** KymoTauReading: what all forms are given */
typedef struct
{
  KymoTauProfileFiles   *files;
  const KymoOpenOptions *options;
  KymoJob               *job;
  KymoReport            *report;        /* the run gets what it holds */
} KymoTauReading;

KymoRun *kymo_tau_profile_read_text      (KymoTauReading *reading,
                                          GError        **error);
KymoRun *kymo_tau_profile_read_snapshots (KymoTauReading *reading,
                                          GError        **error);
KymoRun *kymo_tau_profile_read_merged    (KymoTauReading *reading,
                                          GError        **error);
KymoRun *kymo_tau_profile_read_packed    (KymoTauReading *reading,
                                          GError        **error);

/* Functions that readers of several forms share. */
KymoProfileBuilder *
         kymo_tau_profile_builder_new    (const KymoTauReading *reading,
                                          guint           n_locations,
                                          GPtrArray      *metrics);
GPtrArray *
         kymo_tau_profile_make           (const KymoTauReading *reading,
                                          KymoProfileBuilder   *builder,
                                          GError              **error);
const char *
         kymo_tau_profile_first_issue    (const KymoTauReading *reading);
guint    kymo_tau_profile_n_threads      (const KymoTauReading *reading);
GArray  *kymo_tau_profile_keep_threads   (GArray         *threads,
                                          GArray         *kept);

G_END_DECLS
