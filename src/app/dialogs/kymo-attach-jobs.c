/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs of this machine are looked for every two seconds. Another machine is asked when the person
 * wants it, since ssh may ask for a password.
 */
#include "config.h"

#include "kymo-attach-jobs.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "kymo-host.h"
#include "kymo-jobs-far.h"
#include "kymo-remote-address.h"
#include "kymo-ssh-host.h"

/* Between two looks for jobs that have begun or ended. */
#define LOOK_S 2
#define SCHEME "ssh://"
#define JOBS_KEY "kymo-attach-jobs"

typedef struct
{
  GtkWidget           *group;   /* owns this */
  char                *host;    /* "ssh://[USER@]HOST"; NULL: this machine */
  GPtrArray           *jobs;    /* KymoJobInfo, or NULL */
  GPtrArray           *rows;    /* GtkWidget, borrowed */
  GCancellable        *cancellable;
  guint                look_id;
  KymoAttachJobChosen  chosen;
  gpointer             data;
} Jobs;

static Jobs *
jobs_of (gpointer group)
{
  return g_object_get_data (G_OBJECT (group), JOBS_KEY);
}

/* Nothing that was asked before is shown. */
static void
stop_looking (Jobs *self)
{
  g_clear_handle_id (&self->look_id, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
free_jobs (gpointer data)
{
  Jobs *self = data;

  stop_looking (self);
  g_clear_pointer (&self->jobs, g_ptr_array_unref);
  g_ptr_array_unref (self->rows);
  g_free (self->host);
  g_free (self);
}

/* -- rows ----------------------------------------------------------------- */

static void
on_job_activated (GtkWidget *row, Jobs *self)
{
  guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "kymo-job"));
  const KymoJobInfo *info = self->jobs->pdata[index];
  const char *port = strrchr (info->address, ':');
  g_autofree char *address = self->host == NULL || port == NULL ? g_strdup (info->address)
    : g_strconcat (self->host, port, NULL);

  self->chosen (address, self->data);
}

/* "4 ranks since 18:05:12, process 4711, at localhost:41083" */
static char *
dup_job_words (const KymoJobInfo *info)
{
  g_autoptr (GDateTime) begin = g_date_time_new_from_unix_local (info->begin_us / G_USEC_PER_SEC);
  g_autofree char *time = begin != NULL ? g_date_time_format (begin, "%X") : g_strdup ("?");

  return g_strdup_printf (g_dngettext (NULL,
                                       "%u rank since %s, process %" G_GINT64_FORMAT ", at %s",
                                       "%u ranks since %s, process %" G_GINT64_FORMAT ", at %s",
                                       info->n_ranks), info->n_ranks, time, info->pid,
                          info->address);
}

static void
add_job (Jobs *self, guint index)
{
  const KymoJobInfo *info = self->jobs->pdata[index];
  g_autofree char *words = dup_job_words (info);
  g_autofree char *name = g_path_get_basename (info->program);
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), words);
  gtk_widget_set_tooltip_text (row, info->program);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  g_object_set_data (G_OBJECT (row), "kymo-job", GUINT_TO_POINTER (index));
  g_signal_connect (row, "activated", G_CALLBACK (on_job_activated), self);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->group), row);
  g_ptr_array_add (self->rows, row);
}

/* The same jobs keep their rows, which may have the focus. */
static gboolean
are_same_jobs (GPtrArray *one, GPtrArray *two)
{
  if (one == NULL || one->len != two->len)
    return FALSE;
  for (guint i = 0; i < one->len; i++)
    {
      const KymoJobInfo *a = one->pdata[i], *b = two->pdata[i];

      if (g_strcmp0 (a->socket, b->socket) != 0 || a->begin_us != b->begin_us)
        return FALSE;
    }
  return TRUE;
}

static void
clear_rows (Jobs *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self->group), self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
  g_clear_pointer (&self->jobs, g_ptr_array_unref);
}

static void
describe (Jobs *self, const char *words)
{
  g_autofree char *safe = words != NULL ? g_markup_escape_text (words, -1) : NULL;

  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self->group), safe);
}

static void
show_jobs (Jobs *self)
{
  for (guint i = 0; i < self->jobs->len; i++)
    if (*((KymoJobInfo *) self->jobs->pdata[i])->address != '\0')
      add_job (self, i);
  describe (self, self->rows->len > 0 ? NULL
            : self->host != NULL
            ? _("None of yours runs under kymo-record --live on that machine.")
            : _("None of yours runs under kymo-record --live on this machine."));
}

/* -- looking -------------------------------------------------------------- */

static gboolean look_again (gpointer data);

static void
on_near_jobs (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWidget) group = data;
  g_autoptr (GPtrArray) jobs = kymo_jobs_list_finish (result, NULL);
  Jobs *self = jobs_of (group);

  if (self == NULL || jobs == NULL || self->host != NULL)
    return;
  self->look_id = g_timeout_add_seconds (LOOK_S, look_again, self);
  if (are_same_jobs (self->jobs, jobs))
    return;
  clear_rows (self);
  self->jobs = g_steal_pointer (&jobs);
  show_jobs (self);
}

static void
look_here (Jobs *self)
{
  g_autofree char *folder = kymo_jobs_dup_folder ();

  kymo_jobs_list_async (folder, self->cancellable, on_near_jobs, g_object_ref (self->group));
}

static gboolean
look_again (gpointer data)
{
  Jobs *self = data;

  self->look_id = 0;
  look_here (self);
  return G_SOURCE_REMOVE;
}

static void
on_far_jobs (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWidget) group = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) jobs = kymo_jobs_ask_finish (result, &error);
  Jobs *self = jobs_of (group);

  if (self == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (jobs == NULL)
    {
      describe (self, error->message);
      return;
    }
  self->jobs = g_steal_pointer (&jobs);
  show_jobs (self);
}

static void
look_there (Jobs *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoHost) there = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *host = NULL;
  guint16 port = 0;

  kymo_ssh_host_parse (self->host + strlen (SCHEME), &host, &port);
  there = kymo_hosts_find (host, port, &error);
  words = there != NULL ? kymo_host_dup_ssh (there, kymo_remote_can_ask (), KYMO_JOBS_FAR_LIST)
    : NULL;
  if (words == NULL)
    {
      describe (self, error->message);
      return;
    }
  describe (self, _("That machine is asked…"));
  kymo_jobs_ask_async ((const char *const *) words, self->cancellable, on_far_jobs,
                       g_object_ref (self->group));
}

/* -- all ------------------------------------------------------------------ */

/**
 * kymo_attach_jobs_is_host:
 *
 * Returns: whether @address names a machine whose jobs can be listed: ssh://[USER@]HOST
 */
gboolean
kymo_attach_jobs_is_host (const char *address)
{
  g_autofree char *host = NULL;
  guint16 port = 0;

  return g_str_has_prefix (address, SCHEME)
    && kymo_ssh_host_parse (address + strlen (SCHEME), &host, &port) && port == 0;
}

/**
 * kymo_attach_jobs_show:
 * @jobs: of kymo_attach_jobs_new()
 * @host: (nullable): see kymo_attach_jobs_is_host(); %NULL for this machine
 *
 * Shows the jobs of a machine, unless they are shown already; another one is asked anew.
 */
void
kymo_attach_jobs_show (GtkWidget  *jobs,
                       const char *host)
{
  Jobs *self = jobs_of (jobs);

  if (host == NULL && self->host == NULL && self->cancellable != NULL)
    return;
  stop_looking (self);
  self->cancellable = g_cancellable_new ();
  clear_rows (self);
  g_free (self->host);
  self->host = g_strdup (host);
  if (host == NULL)
    {
      adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (jobs), _("Running Jobs"));
      look_here (self);
      return;
    }
  g_autofree char *safe = g_markup_escape_text (host + strlen (SCHEME), -1);
  g_autofree char *title = g_strdup_printf (_("Running Jobs on %s"), safe);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (jobs), title);
  look_there (self);
}

/**
 * kymo_attach_jobs_new:
 * @chosen: called when a job is chosen
 *
 * Returns: (transfer floating): an AdwPreferencesGroup with the jobs of this machine
 */
GtkWidget *
kymo_attach_jobs_new (KymoAttachJobChosen  chosen,
                      gpointer             data)
{
  Jobs *self = g_new0 (Jobs, 1);

  self->group = adw_preferences_group_new ();
  self->rows = g_ptr_array_new ();
  self->chosen = chosen;
  self->data = data;
  g_object_set_data_full (G_OBJECT (self->group), JOBS_KEY, self, free_jobs);
  g_signal_connect_swapped (self->group, "destroy", G_CALLBACK (stop_looking), self);
  kymo_attach_jobs_show (self->group, NULL);
  return self->group;
}
