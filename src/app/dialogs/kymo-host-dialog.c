/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-host-dialog.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-dialogs.h"
#include "kymo-follow.h"
#include "kymo-host-test.h"

/** Host: owned by its window */
typedef struct
{
  GtkWindow *window;
  GtkWidget *steps, *stage, *spinner, *waiting, *again, *install;
  char      *host, *launch;
  KymoJob   *job;               /* of what is under way, or NULL */
} Host;

/** Work: what a worker is to do. @tarball: to install first, or NULL */
typedef struct
{
  GtkWidget *window;            /* a reference, which the main thread lets go of */
  char      *host, *launch, *tarball;
  KymoJob   *job;
} Work;

/** Step: on its way to the main thread */
typedef struct
{
  Work    *work;
  char    *title, *words;
  gboolean passed, is_missing;
} Step;

#define HOST_KEY "kymo-host"

static Host *
host_of (gpointer window)
{
  return g_object_get_data (G_OBJECT (window), HOST_KEY);
}

static void
host_free (gpointer data)
{
  Host *self = data;

  if (self->job != NULL)
    kymo_job_cancel (self->job);
  g_clear_object (&self->job);
  g_free (self->host);
  g_free (self->launch);
  g_free (self);
}

/* A worker that is under way keeps the window's data until it ends. */
static void
on_closed (Host *self)
{
  if (self->job != NULL)
    kymo_job_cancel (self->job);
}

static void
work_clear (gpointer data)
{
  Work *work = data;

  g_free (work->host);
  g_free (work->launch);
  g_free (work->tarball);
  g_object_unref (work->job);
}

static void
work_unref (gpointer work)
{
  g_atomic_rc_box_release_full (work, work_clear);
}

/* -- steps ------------------------------------------------------------------------------------- */

static void
add_row (Host *self, const char *title, const char *words, gboolean passed)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (passed ? "emblem-ok-symbolic"
                                                         : "dialog-error-symbolic");
  g_autofree char *safe_title = g_markup_escape_text (title, -1);
  g_autofree char *safe_words = g_markup_escape_text (words, -1);
  g_autofree char *spoken = g_strdup_printf (passed ? _("Passed: %s. %s") : _("Failed: %s. %s"),
                                             title, words);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), safe_title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), safe_words);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  gtk_widget_add_css_class (icon, passed ? "success" : "error");
  kymo_accessible_name (row, spoken);
  gtk_list_box_append (GTK_LIST_BOX (self->steps), row);
  gtk_widget_set_visible (self->steps, TRUE);
}

static gboolean
show_step (gpointer data)
{
  Step *step = data;
  Host *self = host_of (step->work->window);

  if (self == NULL || self->job != step->work->job)
    return G_SOURCE_REMOVE;
  add_row (self, step->title, step->words, step->passed);
  if (step->is_missing)
    gtk_widget_set_visible (self->install, TRUE);
  return G_SOURCE_REMOVE;
}

static void
step_free (gpointer data)
{
  Step *step = data;

  g_free (step->title);
  g_free (step->words);
  work_unref (step->work);
  g_free (step);
}

static void
send_step (Work *work, const char *title, const char *words, gboolean passed, gboolean is_missing)
{
  Step *step = g_new0 (Step, 1);

  step->work = g_atomic_rc_box_acquire (work);
  step->title = g_strdup (title);
  step->words = g_strdup (words);
  step->passed = passed;
  step->is_missing = is_missing;
  g_idle_add_full (G_PRIORITY_DEFAULT, show_step, step, step_free);
}

static void
on_step (const KymoHostStep *step, gpointer work)
{
  send_step (work, step->title, step->words, step->passed, step->is_missing);
}

/* -- work -------------------------------------------------------------------------------------- */

static void
show_waiting (Host *self)
{
  g_autofree char *stage = self->job != NULL ? kymo_job_dup_stage (self->job) : NULL;

  gtk_label_set_text (GTK_LABEL (self->stage), stage != NULL ? stage : _("Testing…"));
  gtk_widget_set_visible (self->waiting, self->job != NULL);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), self->job != NULL);
  gtk_widget_set_sensitive (self->again, self->job == NULL);
  gtk_widget_set_sensitive (self->install, self->job == NULL);
}

static void
on_job (GtkWidget *window)
{
  if (host_of (window) != NULL)
    show_waiting (host_of (window));
}

static void
work_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *version = work->tarball == NULL ? NULL
    : kymo_host_install (work->host, work->tarball, work->job, &error);

  if (version != NULL)
    send_step (work, _("Installation"), version, TRUE, FALSE);
  if (error == NULL)
    kymo_host_test (work->host, work->launch, on_step, work, work->job, &error);
  if (error != NULL)
    send_step (work, work->tarball != NULL ? _("Installation") : _("Test"), error->message, FALSE,
               work->tarball != NULL);
  g_task_return_boolean (task, TRUE);
}

static void
on_worked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWidget) window = data;
  Work *work = g_task_get_task_data (G_TASK (result));
  Host *self = host_of (window);

  if (self == NULL || self->job != work->job)
    return;
  g_clear_object (&self->job);
  show_waiting (self);
  gtk_widget_grab_focus (gtk_widget_get_visible (self->install) ? self->install : self->again);
}

static void
begin_work (Host *self, const char *tarball)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_worked, g_object_ref (self->window));
  Work *work = g_atomic_rc_box_new0 (Work);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->steps)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->steps), row);
  gtk_widget_set_visible (self->steps, FALSE);
  gtk_widget_set_visible (self->install, FALSE);
  self->job = kymo_job_new ();
  kymo_follow (self->job, "notify", on_job, self->window);
  /* The task holds the window until all steps were sent. */
  work->window = GTK_WIDGET (self->window);
  work->host = g_strdup (self->host);
  work->launch = g_strdup (self->launch);
  work->tarball = g_strdup (tarball);
  work->job = g_object_ref (self->job);
  show_waiting (self);
  g_task_set_task_data (task, work, work_unref);
  g_task_run_in_thread (task, work_thread);
}

static void
test_again (Host *self)
{
  begin_work (self, NULL);
}

static void
on_tarball (const char *path, gpointer window)
{
  if (host_of (window) != NULL && host_of (window)->job == NULL)
    begin_work (host_of (window), path);
}

static void
choose_tarball (Host *self)
{
  kymo_dialog_open_tarball (self->window, on_tarball, self->window);
}

/* -- building ---------------------------------------------------------------------------------- */

static GtkWidget *
build_body (Host *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->steps = gtk_list_box_new ();
  gtk_widget_add_css_class (self->steps, "boxed-list");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->steps), GTK_SELECTION_NONE);
  kymo_accessible_name (self->steps, _("Steps"));
  self->waiting = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->spinner = gtk_spinner_new ();
  self->stage = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->stage), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (self->waiting), self->spinner);
  gtk_box_append (GTK_BOX (self->waiting), self->stage);
  self->install = gtk_button_new_with_label (_("Install There…"));
  gtk_widget_set_tooltip_text (self->install,
                               _("Copies a kymo-server-VERSION-MACHINE.tar.gz to ~/.local/kymo"));
  gtk_widget_set_halign (self->install, GTK_ALIGN_START);
  g_signal_connect_swapped (self->install, "clicked", G_CALLBACK (choose_tarball), self);
  gtk_box_append (GTK_BOX (box), self->steps);
  gtk_box_append (GTK_BOX (box), self->waiting);
  gtk_box_append (GTK_BOX (box), self->install);
  gtk_widget_set_margin_top (box, 18);
  gtk_widget_set_margin_bottom (box, 18);
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
build_header (Host *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *close = gtk_button_new_with_label (_("Close"));

  self->again = gtk_button_new_with_label (_("Test Again"));
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header),
                                   adw_window_title_new (_("Test Host"), self->host));
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), close);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->again);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (gtk_window_close), self->window);
  g_signal_connect_swapped (self->again, "clicked", G_CALLBACK (test_again), self);
  return header;
}

/**
 * kymo_host_dialog_present:
 * @parent: the window for which the machine is tested
 * @host: "[USER@]HOST[:PORT]"
 * @launch: (nullable): how a server begins there
 *
 * Begins to test at once.
 *
 * Returns: (transfer none): the dialog, which GTK owns until it is closed
 */
GtkWindow *
kymo_host_dialog_present (GtkWindow *parent, const char *host, const char *launch)
{
  Host *self = g_new0 (Host, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->window = GTK_WINDOW (adw_window_new ());
  self->host = g_strdup (host);
  self->launch = g_strdup (launch);
  g_object_set_data_full (G_OBJECT (self->window), HOST_KEY, self, host_free);
  kymo_dialogs_close_by_escape (self->window);
  gtk_box_append (GTK_BOX (box), build_header (self));
  gtk_box_append (GTK_BOX (box), build_body (self));
  adw_window_set_content (ADW_WINDOW (self->window), box);
  gtk_window_set_title (self->window, _("Test Host"));
  gtk_window_set_default_size (self->window, 560, 440);
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  g_signal_connect_swapped (self->window, "destroy", G_CALLBACK (on_closed), self);
  begin_work (self, NULL);
  gtk_window_present (self->window);
  return self->window;
}
