/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-events-save.h"
#include "kymo-follow.h"
#include "kymo-events-writing.h"
#include "kymo-units.h"

/* Records in memory while they are written. */
#define PAGE 200000

struct _KymoEventsWriting
{
  GtkBox     parent_instance;

  GtkWidget *progress;
  KymoJob   *job;                      /* or NULL: nothing is written */
};

G_DEFINE_FINAL_TYPE (KymoEventsWriting, kymo_events_writing, GTK_TYPE_BOX)

static void
on_progress (KymoEventsWriting *self)
{
  if (self->job != NULL)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                   kymo_job_get_fraction (self->job));
}

static void
tell_events_writing (KymoEventsWriting *self, const char *sentence)
{
  gtk_widget_set_visible (GTK_WIDGET (self), self->job != NULL);
  g_signal_emit_by_name (self, "changed", sentence);
}

/* Of a row that is gone nothing is told: it has stopped what it wrote. */
static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoEventsWriting) self = g_weak_ref_get (data);
  g_autoptr (GError) error = NULL;
  gint64 n = kymo_events_save_finish (result, &error);
  g_autofree char *count = kymo_format_count (MAX (n, 0));
  g_autofree char *words = g_strdup_printf (ngettext ("%s record written", "%s records written",
                                                      MAX (n, 0)), count);

  g_weak_ref_clear (data);
  g_free (data);
  if (self == NULL || self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  tell_events_writing (self, error == NULL ? words
                       : g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                       ? _("Writing was stopped; there is no file") : error->message);
}

/**
 * kymo_events_writing_start:
 * @question: (transfer full): of kind "events", without page
 * @path: the file; its ending tells the form
 *
 * Shows the row and starts writing on a worker thread; "changed" tells when it begins and ends.
 * Only frees the question while other records are being written.
 */
void
kymo_events_writing_start (KymoEventsWriting *self, KymoSource *source, KymoQuestion *question,
                           const char *path)
{
  GWeakRef *weak;

  if (self->job != NULL)
    {
      kymo_question_unref (question);
      return;
    }
  self->job = kymo_job_new ();
  g_signal_connect_swapped (self->job, "notify", G_CALLBACK (on_progress), self);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
  weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  kymo_events_save_start (source, question, path, PAGE, self->job, on_written, weak);
  tell_events_writing (self, NULL);
}

/**
 * kymo_events_writing_is_busy:
 *
 * Returns: whether records are being written
 */
gboolean
kymo_events_writing_is_busy (KymoEventsWriting *self)
{
  return self->job != NULL;
}

static void
on_stop (KymoEventsWriting *self)
{
  if (self->job != NULL)
    kymo_job_cancel (self->job);
}

static void
kymo_events_writing_dispose (GObject *object)
{
  KymoEventsWriting *self = KYMO_EVENTS_WRITING (object);

  on_stop (self);
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  G_OBJECT_CLASS (kymo_events_writing_parent_class)->dispose (object);
}

static void
kymo_events_writing_class_init (KymoEventsWritingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_events_writing_dispose;
  kymo_signal_new ("changed", KYMO_TYPE_EVENTS_WRITING, 1, G_TYPE_STRING);
}

static void
kymo_events_writing_init (KymoEventsWriting *self)
{
  GtkWidget *stop = gtk_button_new_with_mnemonic (_("_Stop"));

  self->progress = gtk_progress_bar_new ();
  gtk_box_set_spacing (GTK_BOX (self), 12);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-controls");
  gtk_widget_set_hexpand (self->progress, TRUE);
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  kymo_controls_name (self->progress, _("Records are being written"));
  kymo_controls_speak (stop, _("_Stop"));
  gtk_box_append (GTK_BOX (self), gtk_label_new (_("Records are being written")));
  gtk_box_append (GTK_BOX (self), self->progress);
  gtk_box_append (GTK_BOX (self), stop);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_connect_swapped (stop, "clicked", G_CALLBACK (on_stop), self);
}

/**
 * kymo_events_writing_new:
 *
 * Returns: (transfer floating): a row, hidden until something is written
 */
GtkWidget *
kymo_events_writing_new (void)
{
  return g_object_new (KYMO_TYPE_EVENTS_WRITING, NULL);
}
