/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the files of many threads of a run on several cores: each worker fills a part
 * of its own of a profile in the making, takes one location after the other, and reads
 * files into one buffer that grows to the largest.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-open-options.h"
#include "kymo-profile-builder.h"
#include "kymo-report.h"

G_BEGIN_DECLS

typedef struct _KymoProfileWorker KymoProfileWorker;

/**
 * KymoProfilePool:
 * @read: reads what a location has; called by any worker. `data` is the pool's
 * @path: of the run, for who stops it
 * @n_locations: how many there are to read
 * @most_bytes: a file that is larger is not read
 */
typedef struct
{
  void       (*read) (KymoProfileWorker *worker,
                      guint              location,
                      gpointer           data);
  gpointer     data;
  const char  *path;
  KymoProfileBuilder *builder;
  KymoReport  *report;
  KymoJob     *job;
  guint        n_locations;
  guint        n_threads;
  gint64       most_bytes;
  gint         next;            /* atomic */
} KymoProfilePool;

/** KymoProfileWorker: one thread of the pool; @text is the file it read last */
struct _KymoProfileWorker
{
  KymoProfilePool *pool;
  KymoProfilePart *part;
  char            *text;
  gsize            room;
};

char    *kymo_profile_read_whole  (const char        *path,
                                   gint64             most_bytes,
                                   gsize             *n_bytes,
                                   GError           **error);
/* The one file of a folder that is of a form. */
char    *kymo_profile_find_file   (const char        *path,
                                   const char        *base,
                                   gboolean         (*is_one) (const char *path),
                                   char             **list);
/* Limits the memory that figures and names may take. */
void     kymo_profile_set_limit   (KymoProfileBuilder    *builder,
                                   const KymoOpenOptions *options);
/* The profiles, unless they take more. */
GPtrArray *kymo_profile_make      (KymoProfileBuilder *builder,
                                   const char         *path,
                                   guint               n_threads,
                                   GError            **error);
gboolean kymo_profile_pool_run    (KymoProfilePool   *pool,
                                   GError           **error);
gssize   kymo_profile_worker_read (KymoProfileWorker *worker,
                                   int                folder_fd,
                                   const char        *name,
                                   const char        *told);

G_END_DECLS
