/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window and the actions of recorded jobs: which job a stream is of, what the person orders,
 * and what comes of it. A page has one connection to its job, from when it is first asked for.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-action-words.h"
#include "kymo-actions-dialog.h"
#include "kymo-ccs-target.h"
#include "kymo-host.h"
#include "kymo-jobs-far.h"
#include "kymo-remote-address.h"
#include "kymo-window-private.h"

#define CLIENT_KEY "kymo-job-client"
/* Long enough to be read. */
#define SENTENCE_S 15

/* Of a page: its connection, and what was ordered here. */
typedef struct
{
  KymoJobClient *client;
  char          *through;       /* "ssh://[USER@]HOST[:PORT]" of the job, or NULL */
  GHashTable    *ordered;       /* name of an action -> how often it is under way */
  KymoFeedPage  *page;          /* owns this */
} Job;

static void
free_job (gpointer data)
{
  Job *job = data;

  kymo_job_client_stop (job->client);
  g_object_unref (job->client);
  g_hash_table_unref (job->ordered);
  g_free (job->through);
  g_free (job);
}

static Job *
job_of (gpointer page)
{
  return g_object_get_data (G_OBJECT (page), CLIENT_KEY);
}

/* -- what comes of an order --------------------------------------------------- */

static void
tell_order (KymoWindow         *self,
            KymoJobClient      *client,
            const KymoJobOrder *order,
            const char         *path)
{
  const KymoJobAction *action = kymo_job_client_find (client, order->name);
  g_autofree char *name = action != NULL ? kymo_action_dup_title (action) : g_strdup (order->name);
  g_autofree char *sentence = g_strdup_printf ("%s: %s", name, order->sentence);
  AdwToast *toast = kymo_window_toast_new (sentence);

  adw_toast_set_timeout (toast, SENTENCE_S);
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  if (path != NULL)
    {
      adw_toast_set_button_label (toast, _("_Open"));
      adw_toast_set_action_name (toast, "win.open-path");
      adw_toast_set_action_target_value (toast, g_variant_new_bytestring (path));
    }
  kymo_window_add_toast (self, toast);
}

/* TRUE if this window has ordered an action of that name that is under way. */
static gboolean
end_ordered (Job        *job,
             const char *name)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (job->ordered, name));

  if (n > 0)
    g_hash_table_insert (job->ordered, g_strdup (name), GUINT_TO_POINTER (n - 1));
  return n > 0;
}

/* What another client has ordered is offered; what was ordered here opens. */
static void
on_order (KymoJobClient      *client,
          const KymoJobOrder *order,
          Job                *job)
{
  KymoWindow *self = kymo_window_of_page (job->page);
  g_autofree char *path = *order->path == '\0' ? NULL
    : g_strconcat (job->through != NULL ? job->through : "", order->path, NULL);
  gboolean ours = order->state != KYMO_JOB_RUNNING && end_ordered (job, order->name);

  if (self == NULL)
    return;
  if (ours && order->state == KYMO_JOB_DONE && path != NULL)
    {
      tell_order (self, client, order, NULL);
      gtk_widget_activate_action (GTK_WIDGET (self), "win.open-path", "@ay",
                                  g_variant_new_bytestring (path));
    }
  else
    tell_order (self, client, order, order->state == KYMO_JOB_DONE ? path : NULL);
}

static void
on_answered (GObject      *client,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (KymoFeedPage) page = data;
  g_autoptr (GError) error = NULL;
  KymoWindow *self = kymo_window_of_page (page);

  if (!kymo_job_client_do_finish (KYMO_JOB_CLIENT (client), result, NULL, &error) && self != NULL)
    kymo_window_say (self, error->message);
}

static void
on_confirmed (const char        *name,
              const char *const *arguments,
              gpointer           page)
{
  Job *job = job_of (page);
  guint n;

  if (job == NULL)
    return;
  n = GPOINTER_TO_UINT (g_hash_table_lookup (job->ordered, name));
  g_hash_table_insert (job->ordered, g_strdup (name), GUINT_TO_POINTER (n + 1));
  kymo_job_client_do_async (job->client, name, arguments, on_answered, g_object_ref (page));
}

/* -- which job ---------------------------------------------------------------- */

static void
set_client (KymoFeedPage  *page,
            KymoJobClient *client,
            char          *through)
{
  Job *job = g_new0 (Job, 1);

  job->client = client;
  job->through = through;
  job->page = page;
  job->ordered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_object_set_data_full (G_OBJECT (page), CLIENT_KEY, job, free_job);
  g_signal_connect (client, "order", G_CALLBACK (on_order), job);
  kymo_job_client_start (client);
}

static void
present (KymoFeedPage *page,
         const char   *reason)
{
  KymoWindow *self = kymo_window_of_page (page);
  Job *job = job_of (page);

  if (self != NULL)
    kymo_actions_dialog_present (GTK_WINDOW (self), job != NULL ? job->client : NULL, reason,
                                 on_confirmed, G_OBJECT (page));
}

/* When a finding of the stream asks for more: the ranks that wait most or least, for a moment. What
   comes of it is offered, and does not open by itself. */
static void
record_moment (KymoFeedPage *page,
        const char   *reason)
{
  static const char *const arguments[] = { "idlest=2", "for=2s", NULL };
  KymoWindow *self = kymo_window_of_page (page);
  Job *job = job_of (page);

  if (job != NULL)
    kymo_job_client_do_async (job->client, "trace", arguments, on_answered, g_object_ref (page));
  else if (self != NULL && reason != NULL)
    kymo_window_say (self, reason);
}

/** Wanted: what is done once it is known which job a page is of */
typedef struct
{
  KymoFeedPage *page;                   /* a reference */
  void        (*then) (KymoFeedPage *page, const char *reason);
} Wanted;

static void
have_jobs (GObject      *object,
           GAsyncResult *result,
           gpointer      data)
{
  g_autofree Wanted *wanted = data;
  g_autoptr (KymoFeedPage) page = wanted->page;
  g_autoptr (GPtrArray) jobs = kymo_jobs_list_finish (result, NULL);
  const KymoAttachChoice *choice = g_object_get_data (G_OBJECT (page), KYMO_ATTACH_CHOICE_KEY);
  const KymoJobInfo *info = jobs != NULL && choice != NULL
    ? kymo_jobs_find (jobs, choice->address) : NULL;
  g_autoptr (KymoTable) values = kymo_feed_dup_values (kymo_feed_page_peek_feed (page));

  if (info != NULL && job_of (page) == NULL)
    set_client (page, kymo_job_client_new (info->socket), NULL);
  wanted->then (page, values != NULL
                ? _("The job takes no orders here: it is not among your jobs on this machine")
                : _("A Charm++ program takes no orders: its CCS serves the utilization alone"));
}

/* A job on another machine is asked by the Kymo there. */
static KymoJobClient *
new_far_client (const KymoCcsTarget  *target,
                GError              **error)
{
  g_autofree char *address = g_strdup_printf ("%s:%u", target->host, target->port);
  g_autofree char *command = kymo_jobs_dup_relay (address);
  g_autoptr (KymoHost) there = kymo_hosts_find (target->through, target->through_port, error);
  g_auto (GStrv) words = there != NULL ? kymo_host_dup_ssh (there, kymo_remote_can_ask (), command)
    : NULL;

  return words != NULL ? kymo_job_client_new_command ((const char *const *) words) : NULL;
}

static char *
dup_scheme (const KymoCcsTarget *target)
{
  return target->through_port != 0
    ? g_strdup_printf ("ssh://%s:%u", target->through, target->through_port)
    : g_strdup_printf ("ssh://%s", target->through);
}

/* Finds the job of a page, if there is no connection to it, then goes on. */
static void
with_job (KymoPage    *page,
          void       (*then) (KymoFeedPage *page, const char *reason))
{
  const KymoAttachChoice *choice;
  g_autoptr (KymoCcsTarget) target = NULL;
  g_autoptr (GError) error = NULL;

  if (!KYMO_IS_FEED_PAGE (page))
    return;
  choice = g_object_get_data (G_OBJECT (page), KYMO_ATTACH_CHOICE_KEY);
  target = choice != NULL ? kymo_attach_choice_parse (choice, NULL) : NULL;
  /* A job that has ended may have a successor at the same port. */
  if (job_of (page) != NULL && kymo_job_client_peek_closed (job_of (page)->client) != NULL)
    g_object_set_data (G_OBJECT (page), CLIENT_KEY, NULL);
  if (job_of (page) == NULL && target != NULL && target->through != NULL)
    {
      KymoJobClient *client = new_far_client (target, &error);

      if (client == NULL)
        {
          then (KYMO_FEED_PAGE (page), error->message);
          return;
        }
      set_client (KYMO_FEED_PAGE (page), client, dup_scheme (target));
    }
  if (job_of (page) != NULL)
    then (KYMO_FEED_PAGE (page), NULL);
  else
    {
      g_autofree char *folder = kymo_jobs_dup_folder ();
      Wanted *wanted = g_new0 (Wanted, 1);

      wanted->page = g_object_ref (KYMO_FEED_PAGE (page));
      wanted->then = then;
      kymo_jobs_list_async (folder, NULL, have_jobs, wanted);
    }
}

static void
show_actions (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  with_job (kymo_window_get_page (data), present);
}

static void
record_more (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  with_job (kymo_window_get_page (data), record_moment);
}

/**
 * kymo_window_sync_jobs:
 *
 * Enables the actions for a stream of a program, not for a playback.
 */
void
kymo_window_sync_jobs (KymoWindow *self)
{
  static const char *const names[] = { "job-actions", "record-more" };
  KymoPage *page = kymo_window_get_page (self);
  gboolean is_job = KYMO_IS_FEED_PAGE (page)
    && !kymo_feed_is_playback (kymo_feed_page_peek_feed (KYMO_FEED_PAGE (page)));

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (
                                   G_ACTION_MAP (self), names[i])), is_job);
}

/**
 * kymo_window_add_jobs:
 *
 * Adds win.job-actions and win.record-more to the window. To be called once.
 */
void
kymo_window_add_jobs (KymoWindow *self)
{
  static const GActionEntry entries[] = {
    { "job-actions", show_actions, NULL, NULL, NULL, { 0 } },
    { "record-more", record_more, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
