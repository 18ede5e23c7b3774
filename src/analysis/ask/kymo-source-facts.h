/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSourceFacts: the path, the locations and the load report of a run. A source tells them
 * without a question, also of a run on another machine.
 *
 * Immutable after it is made, ref-counted; any thread.
 */
#pragma once

#include <glib.h>

#include "kymo-report.h"

G_BEGIN_DECLS

/**
 * KymoSourceFacts:
 * @path: (nullable): folder or file of the run, on the machine where it lies
 * @title: name of the run for people
 * @ids: (element-type gint64): ids of the locations, ascending
 * @workers: (element-type gint64): those that execute entry methods or functions; communication
 *   threads are left out
 * @report: what was lost or repaired
 * @is_growing: whether its files may still be written
 * @is_on_disk: whether its columns are larger than the memory limit
 */
typedef struct
{
  gatomicrefcount  ref_count;
  char            *path;
  char            *title;
  GArray          *ids;
  GArray          *workers;
  KymoReport      *report;
  gboolean         is_growing;
  gboolean         is_on_disk;
} KymoSourceFacts;

KymoSourceFacts *kymo_source_facts_new   (void);
KymoSourceFacts *kymo_source_facts_ref   (KymoSourceFacts *facts);
void             kymo_source_facts_unref (KymoSourceFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSourceFacts, kymo_source_facts_unref)

G_END_DECLS
