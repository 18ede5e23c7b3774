/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a run is read: what kymo_open_run() hands to the reader of each format.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-run.h"

G_BEGIN_DECLS

typedef struct _KymoOpenOptions KymoOpenOptions;

/**
 * KymoOpenOptions:
 * @base: name of the run where a folder holds several, or NULL
 * @again: the path was opened before, and its run has grown: what other runs have come to the
 *   folder since then is not looked for
 * @n_threads: most threads to read with; 0 = one per core
 * @memory_limit_bytes: what the run may take in memory before its columns go
 *   to disk; 0 = kymo_memory_get_limit()
 * @correct_clocks: shift the times of whole processes so that no message
 *   arrives before it was sent, and say so in the report
 * @no_cache: neither read nor write the cache file of the run
 * @roles: (nullable): the person's own rules for roles, for a person who sits elsewhere; empty =
 *   they have none. %NULL = those of the user of this program (kymo-roles.h)
 * @draft: (nullable): is given drafts of the run (their `draft` says what they
 *   rest on) while its files are read; called on any one thread at a time and
 *   not after kymo_open_run() has returned; a run that is soon there, one of a
 *   cache file and one with corrected clocks have none
 * @draft_data: for @draft
 * @draft_after_ms: of reading, the least before the first draft; 0 = one before
 *   any log is read, whatever that costs, and another after each
 * @open: set by kymo_open_run() to itself, which reads a run again whose cache file is damaged
 */
struct _KymoOpenOptions
{
  const char *base;
  gboolean    again;
  guint       n_threads;
  gint64      memory_limit_bytes;
  gboolean    correct_clocks;
  gboolean    no_cache;
  const char *roles;
  void      (*draft) (KymoRun *run,
                      gpointer data);
  gpointer    draft_data;
  guint       draft_after_ms;
  KymoRun  *(*open)  (const char             *path,
                      const KymoOpenOptions  *options,
                      KymoJob                *job,
                      GError                **error);
};

gboolean kymo_open_is_stopped (KymoJob     *job,
                               const char  *path,
                               GError     **error);

G_END_DECLS
