/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the report of mpiP says, as it is read: of kymo-mpip-text.c, which reads it, and
 * kymo-mpip.c, which makes a run of it. One thread.
 */
#pragma once

#include "kymo-profile-run.h"
#include "kymo-text-lines.h"

G_BEGIN_DECLS

/* The rank and site that a row of statistics is about. */
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

/** KymoMpipSite: a call site in a concise report: the sums of its ranks, in
 *  milliseconds or bytes */
typedef struct
{
  KymoMpipRow row;              /* its rank means nothing */
  double tasks, max, mean, min;
} KymoMpipSite;

typedef struct
{
  const char *name;             /* of the file */
  const char *text;
  GPtrArray  *facts;            /* char *: key and value in turn */
  GArray     *ranks;            /* KymoProfileThread */
  GHashTable *sites;            /* number -> char *: what stands before " => " */
  GArray     *times;            /* KymoMpipTime */
  GArray     *sizes;            /* KymoMpipSize */
  GArray     *site_times;       /* KymoMpipSite: of all ranks together */
  GArray     *site_sizes;       /* KymoMpipSite */
  GHashTable *site_calls;       /* number -> double *: how often it was called, if told */
  double      all_us;           /* of the whole program on all ranks; 0 = not told */
  GHashTable *application_us;   /* rank -> double *: of the whole program */
  gint64      n_bad, bad_offset;
  gint64      n_wild, wild_offset;      /* rows whose figures cannot be added up */
  gint64      n_uncounted;      /* sites without a number of calls */
  gboolean    ended;
} KymoMpip;

void kymo_mpip_init  (KymoMpip       *mpip,
                      const char *name,
                      const char *text);
void kymo_mpip_clear (KymoMpip       *mpip);
void kymo_mpip_read  (KymoMpip       *mpip,
                      gsize       length);

G_END_DECLS
