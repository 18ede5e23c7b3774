/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cache among the preferences: how much it may take, what it takes, and
 * a button that clears it. The limit is the one of the command line; see
 * kymo-cache-folder.c.
 *
 * The disk is looked at on worker threads; a CacheGroup lives as long as its
 * widget, and a thread holds a reference to that.
 */
#include "config.h"

#include "kymo-cache-folder.h"
#include "kymo-preferences.h"

#include <glib/gi18n.h>

#include "kymo-cache-list.h"

#define GIB 1073741824.0
#define MOST_GIB 1024

/* After the last step of the spin button. */
#define SETTLE_MS 400

typedef struct
{
  GtkWidget *group;             /* not owned: it owns this */
  GtkWidget *limit_row, *limit;
  GtkWidget *size_row, *clear;
  guint      pending;           /* source that writes the limit, or 0 */
} CacheGroup;

typedef enum
{
  JOB_LOOK,
  JOB_CLEAR,
  JOB_LIMIT,
} JobKind;

typedef struct
{
  JobKind kind;
  gint64  limit_bytes;
  guint64 n_bytes;              /* that the cache takes after it */
} Job;

static void
run_job (GTask        *task,
         gpointer      source,
         gpointer      data,
         GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (job->kind == JOB_CLEAR)
    kymo_cache_clear (&error);
  else if (job->kind == JOB_LIMIT && kymo_cache_set_max_bytes (job->limit_bytes, &error))
    kymo_cache_trim ();
  job->n_bytes = kymo_cache_get_bytes ();
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
show_size (CacheGroup *self,
           guint64     n_bytes)
{
  g_autofree char *size = g_format_size_full (n_bytes, G_FORMAT_SIZE_IEC_UNITS);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->size_row), size);
  gtk_widget_set_sensitive (self->clear, n_bytes > 0);
}

static void
on_job_done (GObject      *group,
             GAsyncResult *result,
             gpointer      data)
{
  CacheGroup *self = g_object_get_data (group, "kymo-cache-group");
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  GtkWidget *row = job->kind == JOB_LIMIT ? self->limit_row : self->size_row;

  /* The window was closed: the rows are no more. */
  if (gtk_widget_get_root (GTK_WIDGET (group)) == NULL)
    return;
  show_size (self, job->n_bytes);
  if (!done)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), error->message);
}

static void
start_job (CacheGroup *self,
           JobKind     kind)
{
  GTask *task = g_task_new (self->group, NULL, on_job_done, NULL);
  Job *job = g_new0 (Job, 1);

  job->kind = kind;
  job->limit_bytes = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->limit)) * GIB;
  g_task_set_task_data (task, job, g_free);
  g_task_run_in_thread (task, run_job);
  g_object_unref (task);
}

static gboolean
write_limit (gpointer data)
{
  CacheGroup *self = data;

  self->pending = 0;
  start_job (self, JOB_LIMIT);
  return G_SOURCE_REMOVE;
}

static void
on_limit_changed (GtkSpinButton *button,
                  gpointer       data)
{
  CacheGroup *self = data;

  g_clear_handle_id (&self->pending, g_source_remove);
  self->pending = g_timeout_add (SETTLE_MS, write_limit, self);
}

static void
on_clear (GtkButton *button,
          gpointer   data)
{
  start_job (data, JOB_CLEAR);
}

/* A limit that was changed just now is kept when the window closes. */
static void
on_unrealize (GtkWidget *group,
              gpointer   data)
{
  CacheGroup *self = data;

  if (self->pending == 0)
    return;
  g_clear_handle_id (&self->pending, g_source_remove);
  start_job (self, JOB_LIMIT);
}

static void
add_limit_row (CacheGroup *self)
{
  gboolean fixed = g_getenv ("KYMO_CACHE_MAX_BYTES") != NULL;

  self->limit = gtk_spin_button_new_with_range (0, MOST_GIB, 1);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (self->limit), 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->limit), kymo_cache_get_max_bytes () / GIB);
  gtk_widget_set_valign (self->limit, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive (self->limit, !fixed);
  g_signal_connect (self->limit, "value-changed", G_CALLBACK (on_limit_changed), self);
  self->limit_row = adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->limit_row), _("Space Limit, in GiB"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->limit_row), fixed
                               ? _("Set by KYMO_CACHE_MAX_BYTES of the environment")
                               : _("Runs opened longest ago are removed first"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self->limit_row), self->limit);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self->limit_row), self->limit);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->group), self->limit_row);
}

static void
add_size_row (CacheGroup *self)
{
  self->clear = gtk_button_new_with_label (_("Clear"));
  gtk_widget_set_valign (self->clear, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive (self->clear, FALSE);
  gtk_widget_set_tooltip_text (self->clear, _("Removes all kept runs; their files stay"));
  g_signal_connect (self->clear, "clicked", G_CALLBACK (on_clear), self);
  self->size_row = adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->size_row), _("In Use"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self->size_row), self->clear);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->group), self->size_row);
}

/**
 * kymo_cache_preferences_new:
 *
 * Returns: (transfer floating): the group of the cache
 */
AdwPreferencesGroup *
kymo_cache_preferences_new (void)
{
  CacheGroup *self = g_new0 (CacheGroup, 1);

  self->group = adw_preferences_group_new ();
  g_object_set_data_full (G_OBJECT (self->group), "kymo-cache-group", self, g_free);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self->group), _("Kept Runs"));
  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (self->group),
    _("A run that was opened is kept in a cache, so that it opens at once the next time."));
  add_limit_row (self);
  add_size_row (self);
  g_signal_connect (self->group, "unrealize", G_CALLBACK (on_unrealize), self);
  start_job (self, JOB_LOOK);
  return ADW_PREFERENCES_GROUP (self->group);
}
