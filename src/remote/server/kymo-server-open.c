/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-server-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-cache.h"
#include "kymo-error.h"
#include "kymo-open.h"

#define TELL_EVERY_US (100 * 1000)
/* A run that is read by then has no draft. */
#define DRAFT_AFTER_MS 100

/** Opening: of a run; its mutex guards the end of the thread that tells progress */
typedef struct
{
  KymoServerRequest *request;
  KymoServerRun     *run;       /* once something is known of it */
  const char        *path, *base, *roles;
  gboolean           wants_drafts, correct_clocks;
  GMutex             mutex;
  GCond              ended;
  gboolean           has_ended;
} Opening;

/* -- progress ---------------------------------------------------------------------------------- */

static void
push_progress (KymoServerRequest *request, const char *stage, double fraction)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "stage", "s", stage);
  g_variant_dict_insert (&body, "fraction", "d", fraction);
  kymo_frame_writer_push (request->session->writer, KYMO_FRAME_PROGRESS, request->frame->id,
                          g_variant_dict_end (&body));
}

static gpointer
tell_progress (gpointer data)
{
  Opening *opening = data;
  g_autofree char *told_stage = NULL;
  double told = -1;

  g_mutex_lock (&opening->mutex);
  while (!opening->has_ended)
    {
      g_autofree char *stage = kymo_job_dup_stage (opening->request->job);
      double fraction = kymo_job_get_fraction (opening->request->job);

      if (stage != NULL && (fraction != told || g_strcmp0 (stage, told_stage) != 0))
        {
          push_progress (opening->request, stage, fraction);
          told = fraction;
          g_free (told_stage);
          told_stage = g_steal_pointer (&stage);
        }
      g_cond_wait_until (&opening->ended, &opening->mutex,
                         g_get_monotonic_time () + TELL_EVERY_US);
    }
  g_mutex_unlock (&opening->mutex);
  return NULL;
}

static void
end_progress (Opening *opening, GThread *teller)
{
  g_mutex_lock (&opening->mutex);
  opening->has_ended = TRUE;
  g_cond_signal (&opening->ended);
  g_mutex_unlock (&opening->mutex);
  g_thread_join (teller);
}

/* -- growth ------------------------------------------------------------------------------------ */

static void
on_grown (gpointer data, const KymoTable *info, gboolean ended, const GError *error)
{
  KymoServerRun *run = data;

  if (info != NULL)
    kymo_frame_writer_push (run->session->writer, KYMO_FRAME_GROWN, 0,
                            kymo_server_describe_run (run));
}

/* Main thread. Takes a reference of the run. A client may have closed it by now; then the table
   does not hold it any more. */
static gboolean
follow_run (gpointer data)
{
  g_autoptr (KymoServerRun) run = data;
  KymoOpenOptions options = {
    .base = run->base, .roles = run->roles, .correct_clocks = run->correct_clocks,
    .memory_limit_bytes = run->session->options->memory_limit_bytes,
  };
  gboolean is_open;

  g_mutex_lock (&run->session->mutex);
  is_open = g_hash_table_contains (run->session->runs, GUINT_TO_POINTER (run->number));
  g_mutex_unlock (&run->session->mutex);
  if (is_open)
    run->following = kymo_run_following_start (KYMO_SOURCE (run->source), run->path, &options, 0,
                                               on_grown, run);
  return G_SOURCE_REMOVE;
}

/* -- opening ----------------------------------------------------------------------------------- */

/* On the reader's threads, one at a time, and never once it has returned. */
static void
on_draft (KymoRun *run, gpointer data)
{
  Opening *opening = data;
  KymoServerRequest *request = opening->request;

  if (opening->run == NULL)
    opening->run = kymo_server_add_run (request->session, run, TRUE);
  else
    kymo_run_source_set_run (opening->run->source, run);
  kymo_frame_writer_push (request->session->writer, KYMO_FRAME_GROWN, request->frame->id,
                          kymo_server_describe_run (opening->run));
}

static void
take_run (Opening *opening, KymoRun *run)
{
  KymoServerRequest *request = opening->request;

  if (opening->run != NULL)
    kymo_run_source_set_run (opening->run->source, run);
  else
    opening->run = kymo_server_add_run (request->session, run,
                                        request->session->options->runs != NULL);
  if (opening->run->path == NULL)
    {
      opening->run->path = g_strdup (opening->path);
      opening->run->base = g_strdup (opening->base);
      opening->run->roles = g_strdup (opening->roles);
      opening->run->correct_clocks = opening->correct_clocks;
    }
  if (!kymo_server_answer (request, KYMO_FRAME_OPENED, kymo_server_describe_run (opening->run)))
    kymo_server_close_run (request->session, opening->run->number);
  else if (opening->wants_drafts && run->growing)
    g_idle_add (follow_run, g_atomic_rc_box_acquire (opening->run));
}

/**
 * kymo_server_expand_path:
 *
 * Returns: (transfer full): a path of a client, in which "/~/" is the user's folder
 */
char *
kymo_server_expand_path (const char *path)
{
  if (g_str_equal (path, "/~"))
    return g_strdup (g_get_home_dir ());
  return g_str_has_prefix (path, "/~/") ? g_build_filename (g_get_home_dir (), path + 3, NULL)
                                        : g_strdup (path);
}

/**
 * kymo_server_dup_path:
 *
 * Returns: (transfer full) (nullable): the path of the request on this machine; "/~/" is the user's
 *   folder
 */
char *
kymo_server_dup_path (KymoServerRequest *request, GError **error)
{
  const char *path = request->session->options->path;

  g_variant_lookup (request->frame->body, "path", "^&ay", &path);
  if (path == NULL || *path == '\0')
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("No run is named"));
      return NULL;
    }
  return kymo_server_expand_path (path);
}

static void
read_options (GVariant *body, Opening *opening, KymoOpenOptions *options)
{
  guint32 threads;
  gint64 limit;

  g_variant_lookup (body, "drafts", "b", &opening->wants_drafts);
  g_variant_lookup (body, "correct-clocks", "b", &opening->correct_clocks);
  g_variant_lookup (body, "no-cache", "b", &options->no_cache);
  g_variant_lookup (body, "base", "&s", &options->base);
  g_variant_lookup (body, "roles", "&s", &options->roles);
  opening->base = options->base;
  opening->roles = options->roles;
  if (g_variant_lookup (body, "threads", "u", &threads) && threads > 0)
    options->n_threads = MIN (threads, 4096);
  if (g_variant_lookup (body, "memory-limit", "x", &limit) && limit > 0)
    options->memory_limit_bytes = limit;
  options->correct_clocks = opening->correct_clocks;
  if (!opening->wants_drafts)
    return;
  options->draft = on_draft;
  options->draft_data = opening;
  options->draft_after_ms = DRAFT_AFTER_MS;
}

/** kymo_server_open: opens the run that an OPEN names, and ends the request */
void
kymo_server_open (KymoServerRequest *request)
{
  const KymoServerOptions *server = request->session->options;
  Opening opening = { .request = request };
  KymoOpenOptions options = {
    .n_threads = server->n_threads, .memory_limit_bytes = server->memory_limit_bytes,
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = kymo_server_dup_path (request, &error);
  g_autoptr (KymoRun) run = NULL;
  GThread *teller;

  if (path == NULL)
    {
      kymo_server_answer_error (request, error);
      return;
    }
  opening.path = path;
  read_options (request->frame->body, &opening, &options);
  g_mutex_init (&opening.mutex);
  g_cond_init (&opening.ended);
  teller = g_thread_new ("kymo-progress", tell_progress, &opening);
  run = server->runs != NULL
    ? kymo_server_runs_open (server->runs, path, &options, request->job, &error)
    : kymo_open_run (path, &options, request->job, &error);
  end_progress (&opening, teller);
  if (run != NULL)
    take_run (&opening, run);
  else
    kymo_server_answer_error (request, error);
  if (run == NULL && opening.run != NULL)
    kymo_server_close_run (request->session, opening.run->number);
  g_clear_pointer (&opening.run, kymo_server_run_unref);
  g_cond_clear (&opening.ended);
  g_mutex_clear (&opening.mutex);
}

/** kymo_server_keep: keeps the run that a KEEP names for the next opening, and ends the request */
void
kymo_server_keep (KymoServerRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoServerRun) served = kymo_server_find_run (request, &error);
  g_autoptr (KymoRun) run = served != NULL ? kymo_run_source_ref_run (served->source) : NULL;

  if (run == NULL
      || !kymo_cache_save (run, kymo_job_peek_cancellable (request->job), &error))
    kymo_server_answer_error (request, error);
  else
    kymo_server_answer (request, KYMO_FRAME_DONE, g_variant_new ("a{sv}", NULL));
}
