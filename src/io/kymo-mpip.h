/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the report of mpiP says, as it is read: of kymo-mpip-text.c, which reads it, and
 * kymo-mpip.c, which makes a run of it. One thread.
 */
#pragma once

#include "kymo-profile-run.h"
#include "kymo-text-lines.h"

G_BEGIN_DECLS

/* What a row of statistics is about: one rank and site. */
typedef struct
{
  guint  rank, site;
  char  *call;
} KymoMpipRow;

typedef struct
{
  KymoMpipRow row;
  double count, mean_ms;
} KymoMpipTime;

typedef struct
{
  KymoMpipRow row;
  double count, max, mean, min, sum;
} KymoMpipSize;

typedef struct
{
  const char *name;             /* of the file */
  const char *text;
  GPtrArray  *facts;            /* char *: key and value in turn */
  GArray     *ranks;            /* KymoProfileThread */
  GHashTable *sites;            /* number -> char *: what stands before " => " */
  GArray     *times;            /* KymoMpipTime */
  GArray     *sizes;            /* KymoMpipSize */
  GHashTable *application_us;   /* rank -> double *: of the whole program */
  gint64      n_bad, bad_offset;
  gint64      n_concise;
  gboolean    ended;
} KymoMpip;

void kymo_mpip_init  (KymoMpip       *mpip,
                      const char *name,
                      const char *text);
void kymo_mpip_clear (KymoMpip       *mpip);
void kymo_mpip_read  (KymoMpip       *mpip,
                      gsize       length);

G_END_DECLS
