/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is derived of a sealed run as a whole, once, when it is first needed:
 * how densely it is filled, its phases, its mosaic, its collectives, who waited for
 * whom and who received what. None of it is stored with the run.
 *
 * Any thread; belongs to the run.
 */
#pragma once

#include "kymo-made.h"
#include "kymo-collectives.h"
#include "kymo-mosaic.h"

G_BEGIN_DECLS

/** KymoPhase: what lies between two marks of phases */
typedef struct
{
  gint64   phase;               /* its number in the files */
  KymoSpan span;
} KymoPhase;

/**
 * KymoRunIndex:
 * @limits: of the mosaic; not to be changed after first use
 * @build_aside: atomic; a question does not wait for the mosaic
 * @mosaic_wanted: atomic; an answer would have been read from one that is not built
 * @rows_mosaic: of the rows that were asked for last, in an order of their own, folded or
 *   chosen; under @rows_lock
 * @collectives: inferred, see kymo_run_peek_collectives()
 * @waits: who waited for whom, of the room that knows
 * @arrivals: who received what was sent, the same way
 * @senders: which block created each send, the same way
 */
typedef struct _KymoRunIndex
{
  KymoMosaicLimits limits;
  gsize            density_once;
  double           pieces_per_ns;
  gsize            phases_once;
  GArray          *phases;      /* KymoPhase, in order of time */
  gsize            mosaic_once;
  KymoMosaic      *mosaic;
  GMutex           kept_mutex;
  gpointer         kept;        /* what a room above derives and keeps; by its mutex */
  GDestroyNotify   free_kept;
  GPtrArray       *figures;     /* the same: sums of profiles */
  gint             build_aside;
  gint             mosaic_wanted;
  GMutex           rows_lock;
  KymoMosaic      *rows_mosaic;
  KymoMade         collectives;
  gsize            can_once;    /* what its segments can tell, of the room that knows */
  KymoMade         waits;
  KymoMade         arrivals;
  KymoMade         senders;
  gsize            backings_once;
  GPtrArray       *backings;    /* KymoBacking, borrowed of the segments: each once */
} KymoRunIndex;

KymoRunIndex *kymo_run_index_new        (void);
void          kymo_run_index_free       (KymoRunIndex  *index);
double        kymo_run_get_density      (const KymoRun *run);
gboolean      kymo_run_knows_phases     (const KymoRun *run);
const GArray *kymo_run_peek_phases      (const KymoRun *run);
KymoMosaic   *kymo_run_peek_mosaic      (const KymoRun *run);
KymoMosaic   *kymo_run_ref_rows_mosaic  (const KymoRun *run,
                                         const KymoMosaicPlaces *places);
KymoMosaic   *kymo_run_take_wanted_mosaic (const KymoRun *run);

gboolean kymo_activity_is_phase       (const KymoActivity *activity);
gboolean kymo_run_has_phase_functions (const KymoRun      *run);
gboolean kymo_run_marks_phases        (const KymoRun      *run);

G_END_DECLS
