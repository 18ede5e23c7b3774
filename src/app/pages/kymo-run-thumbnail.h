/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the start page shows of a run without reading it: a small picture, its kind, how many
 * rows it has and when it ran, in a file of the cache (kymo-cache-pictures.h). It is made
 * when the run has been read.
 */
#pragma once

#include <gdk/gdk.h>

#include "kymo-session.h"
#include "kymo-terms.h"

G_BEGIN_DECLS

#define KYMO_THUMBNAIL_WIDTH 192
#define KYMO_THUMBNAIL_HEIGHT 108

/**
 * KymoRunThumbnail: what is known of a path
 * @is_there: whether there is something at the path
 * @picture: (nullable): on no ground of its own: for light and dark
 * @kind: (nullable): as the answer "info" tells it; with @picture
 * @rows: how many PEs, ranks or threads
 * @date: (nullable): when the run was written
 */
typedef struct
{
  gboolean    is_there;
  GdkTexture *picture;
  char       *kind;
  KymoTerms   terms;
  gint64      rows;
  GDateTime  *date;
} KymoRunThumbnail;

void              kymo_run_thumbnail_make (KymoSession            *session,
                                           const char             *path,
                                           const KymoTable        *info);
KymoRunThumbnail *kymo_run_thumbnail_load (const char             *path);
void              kymo_run_thumbnail_free (KymoRunThumbnail       *thumbnail);
char             *kymo_run_thumbnail_dup_words (const KymoRunThumbnail *thumbnail);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRunThumbnail, kymo_run_thumbnail_free)

G_END_DECLS
