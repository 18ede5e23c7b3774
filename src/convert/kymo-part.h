/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of any run, as a run of its own: logs of Projections record by record
 * (kymo-extract.h), archives of OTF2 as archives, other traces as traces of TAU and profiles as
 * profiles of TAU, with the note that makes them a part (docs/formats/kymo.md).
 */
#pragma once

#include "kymo-extract.h"

G_BEGIN_DECLS

/**
 * KymoPartWish:
 * @path: where the run was opened
 * @base: (nullable): which of several
 * @locations: (array length=n_locations): ids, ascending
 * @span: of a trace: within the run's span
 * @note: (nullable): what is noted of a reduction, for which all of the run's time is
 *   written; %NULL = it is a part
 * @out: the folder to be made; nothing may be there
 * @n_threads: most threads; 0 = one per core
 */
typedef struct
{
  const char   *path;
  const char   *base;
  const gint64 *locations;
  guint         n_locations;
  KymoSpan      span;
  const char   *note;
  const char   *out;
  guint         n_threads;
} KymoPartWish;

gboolean kymo_part_check (const KymoRun       *run,
                          GError             **error);
gboolean kymo_part_write (KymoRun             *run,
                          const KymoPartWish  *wish,
                          KymoExtractResult   *result,
                          KymoJob             *job,
                          GError             **error);

G_END_DECLS
