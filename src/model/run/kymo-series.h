/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System metrics of a run: what was measured of nodes, of resources beside the locations, such as
 * disks and file servers, and of processes. They have no blocks, only values over time.
 *
 * Filled by a reader on one thread, immutable once the run is sealed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

struct _KymoRun;

/**
 * KymoSeries: the values of one metric of one node, resource or process
 * @of: what was measured: "node0", or "node0, sda", or the label of the process
 * @location: index of the first location of the process; -1 = of a node or resource
 * @name: of the metric
 * @unit: of its values; "" for none
 * @is_total: values are totals since some moment; their differences are what happened
 * @times_ns: (array length=n): on the clock of the run, never descending
 * @values: (array length=n): in the unit
 */
typedef struct
{
  char    *of;
  char    *name;
  char    *unit;
  gint32   location;
  gboolean is_total;
  guint    n;
  gint64  *times_ns;
  double  *values;
} KymoSeries;

void      kymo_series_clear    (gpointer         series);
gboolean  kymo_series_get_step  (const KymoSeries *series,
                                guint            i,
                                double          *value);
void      kymo_run_add_series  (struct _KymoRun *run,
                                KymoSeries      *series);
GVariant *kymo_series_pack     (const GArray    *all);
gboolean  kymo_series_unpack   (GVariant        *list,
                                guint            n_locations,
                                GArray          *all);

/** KYMO_SERIES_TYPE: of kymo_series_pack() */
#define KYMO_SERIES_TYPE "a(sssibaxad)"

G_END_DECLS
