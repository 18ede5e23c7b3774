/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files make a run of TAU profiles: `profile.<node>.<context>.<thread>`, with
 * several metrics in a folder `MULTI__<metric>` each, `snapshot.<n>.<c>.<t>`, or
 * `tauprofile.xml`; the first of these that a folder has, or what is named.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-format.h"
#include "kymo-profile-run.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_TAU_PROFILES,
  KYMO_TAU_SNAPSHOTS,
  KYMO_TAU_MERGED,
  KYMO_TAU_PACKED,
} KymoTauForm;

/**
 * KymoTauProfileFiles:
 * @folder: of the run
 * @file: of KYMO_TAU_MERGED and KYMO_TAU_PACKED: its name
 * @metrics: folders of the metrics in @folder, "." where there is but one
 * @threads: #KymoProfileThread, in order: of all metrics together
 */
typedef struct
{
  KymoTauForm  form;
  char        *folder;
  char        *file;
  GPtrArray   *metrics;
  GArray      *threads;
} KymoTauProfileFiles;

KymoTauProfileFiles *kymo_tau_profile_files_find (const char           *path,
                                                  const char           *base,
                                                  GError              **error);
void                 kymo_tau_profile_files_free (KymoTauProfileFiles  *files);
char                *kymo_tau_profile_files_dup_name (KymoTauForm       form,
                                                  const KymoProfileThread *thread);
gboolean             kymo_tau_profile_files_knows (const char          *path);

KymoPart kymo_tau_profile_files_part (const char  *folder,
                                      const char  *name,
                                      char       **base);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoTauProfileFiles, kymo_tau_profile_files_free)

G_END_DECLS
