/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the files of a run are still being written, and what they are like now: who
 * follows a run looks here before it is read again. Called on any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* So long after its last record a run without its end is taken for one that is still
   being written; then its program was killed. */
#define KYMO_GROWTH_S 600

/**
 * KymoGrowth:
 * @fingerprint: changes with every file of the folder that comes, goes or is written to
 * @recent: one of the files was written to lately, so that a run may say that it grows;
 *   once this is %FALSE reading the same files again says for good how it ended
 */
typedef struct
{
  guint64  fingerprint;
  gboolean recent;
} KymoGrowth;

gboolean kymo_growth_is_recent (gint64       modified_s);
gboolean kymo_growth_look      (const char  *path,
                                KymoGrowth  *growth,
                                GError     **error);

G_END_DECLS
