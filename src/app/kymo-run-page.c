/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-run-page.h"
#include "kymo-run-reading.h"
#include "kymo-settings.h"
#include "kymo-units.h"

struct _KymoRunPage
{
  GtkBox       parent_instance;

  char        *path, *title, *subtitle;
  KymoJob     *job;                /* while reading, or NULL */
  GtkWidget   *stack, *bar, *stage, *error;
  KymoRunView *view;
  gboolean     correct_clocks;
  gint64       begun_us;           /* when reading began */
  double       first_picture_ms;   /* from then on; 0 = not yet */
};

G_DEFINE_FINAL_TYPE (KymoRunPage, kymo_run_page, GTK_TYPE_BOX)

/* -- the three faces ------------------------------------------------------ */

static void
on_message (KymoRunPage *self, const char *message)
{
  g_signal_emit_by_name (self, "message", message);
}

static void
on_view_changed (KymoRunPage *self)
{
  g_signal_emit_by_name (self, "changed");
}

static char *
subtitle_of (const KymoTable *info)
{
  /* Communication threads are no PEs; the summary counts them. */
  gint64 n = kymo_table_get_int (info, "locations", 0)
             - kymo_table_get_int (info, "communication_threads", 0);
  g_autofree char *pes = g_strdup_printf (
    ngettext ("%" G_GINT64_FORMAT " PE", "%" G_GINT64_FORMAT " PEs", n), n);
  g_autofree char *records
    = kymo_format_count (kymo_table_get_int (info, "records", 0));
  g_autofree char *duration
    = kymo_format_duration (kymo_table_get_int (info, "end_ns", 0)
                            - kymo_table_get_int (info, "begin_ns", 0));

  if (kymo_table_get_int (info, "records", 0) == KYMO_NULL_INT)
    return g_strdup_printf (_("%s · %s"), pes, duration);
  if (g_strcmp0 (kymo_table_get_string (info, "kind", 0), "summary") == 0)
    return g_strdup_printf (_("%s · summary · %s"), pes, duration);
  return g_strdup_printf (_("%s · %s records · %s"), pes, records, duration);
}

static void
apply_palette (KymoSession *session)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *palette = g_settings_get_string (settings, "palette");

  g_object_set (session, "palette",
                g_strcmp0 (palette, "safe") == 0 ? KYMO_PALETTE_SAFE
                                                 : KYMO_PALETTE_STANDARD,
                NULL);
}

/* After a reload the person stands where she stood. */
static void
take_place_of (KymoRunView *view, KymoRunView *old)
{
  KymoSession *before = kymo_run_view_peek_session (old);

  kymo_session_set_range (kymo_run_view_peek_session (view),
                          kymo_session_get_range (before), FALSE);
  kymo_run_view_set_view (view, kymo_run_view_get_view (old));
}

static void
take_words (KymoRunPage *self, const KymoLoaded *loaded)
{
  g_free (self->title);
  g_free (self->subtitle);
  self->title = kymo_source_dup_title (loaded->source);
  self->subtitle = subtitle_of (loaded->info);
}

/* Whether the view shows an earlier draft of the same reading. */
static gboolean
is_shown (KymoRunPage *self, const KymoLoaded *loaded)
{
  return self->view != NULL
         && kymo_session_peek_source (kymo_run_view_peek_session (self->view))
            == loaded->source;
}

/* The moment of the first picture, a draft or not. */
static gboolean
on_tick (GtkWidget *view, GdkFrameClock *clock, gpointer data)
{
  KymoRunPage *self = data;

  if (self->view != KYMO_RUN_VIEW (view) || self->first_picture_ms > 0)
    return G_SOURCE_REMOVE;
  if (!kymo_run_view_has_picture (self->view))
    return G_SOURCE_CONTINUE;
  self->first_picture_ms = (g_get_monotonic_time () - self->begun_us) / 1e3;
  g_debug ("first picture after %.0f ms", self->first_picture_ms);
  return G_SOURCE_REMOVE;
}

static void
show_run (KymoRunPage *self, const KymoLoaded *loaded)
{
  g_autoptr (KymoSession) session = kymo_session_new (loaded->source);
  GtkWidget *view = kymo_run_view_new (session, loaded->info);

  if (kymo_settings_peek () != NULL)
    {
      apply_palette (session);
      g_signal_connect_object (kymo_settings_peek (), "changed::palette",
                               G_CALLBACK (apply_palette), session,
                               G_CONNECT_SWAPPED);
    }
  if (self->view != NULL)
    {
      take_place_of (KYMO_RUN_VIEW (view), self->view);
      gtk_stack_remove (GTK_STACK (self->stack), GTK_WIDGET (self->view));
    }
  self->view = KYMO_RUN_VIEW (view);
  take_words (self, loaded);
  gtk_stack_add_named (GTK_STACK (self->stack), view, "run");
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "run");
  gtk_widget_add_tick_callback (view, on_tick, self, NULL);
  g_signal_connect_object (view, "message", G_CALLBACK (on_message), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "view-changed", G_CALLBACK (on_view_changed),
                           self, G_CONNECT_SWAPPED);
}

/* Shows what is known now, without touching what the person did. */
static void
show_loaded (KymoRunPage *self, const KymoLoaded *loaded)
{
  if (!is_shown (self, loaded))
    {
      show_run (self, loaded);
      return;
    }
  take_words (self, loaded);
  kymo_run_view_set_info (self->view, loaded->info);
}

static void
drop_view (KymoRunPage *self)
{
  if (self->view != NULL)
    gtk_stack_remove (GTK_STACK (self->stack), GTK_WIDGET (self->view));
  self->view = NULL;
}

/* Names of files may be any bytes; a label of markup shows nothing of it. */
static char *
as_markup (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return g_markup_escape_text (valid, -1);
}

static void
show_error (KymoRunPage *self, const GError *error)
{
  g_autofree char *safe = NULL;
  gboolean cancelled = g_error_matches (error, G_IO_ERROR,
                                        G_IO_ERROR_CANCELLED);

  drop_view (self);
  safe = as_markup (cancelled ? self->path : error->message);
  adw_status_page_set_title (ADW_STATUS_PAGE (self->error),
                             cancelled ? _("Reading Was Cancelled")
                                       : _("This Run Cannot Be Read"));
  adw_status_page_set_description (ADW_STATUS_PAGE (self->error),
                                   safe);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "error");
}

/* A choice that changed nothing must not look as if it had. */
static void
say_what_clocks_needed (KymoRunPage *self, KymoSource *source)
{
  if (self->correct_clocks && !kymo_source_has_corrected_clocks (source))
    on_message (self, _("No message arrives before it was sent: no clock was "
                        "corrected"));
}

static void
on_loaded (GObject *page, KymoJob *job, const KymoLoaded *loaded,
           const GError *error)
{
  KymoRunPage *self = KYMO_RUN_PAGE (page);

  /* A page that was closed or reloaded wants nothing of an older reading. */
  if (self->job != job)
    return;
  if (loaded == NULL || !loaded->is_draft)
    g_clear_object (&self->job);
  if (loaded == NULL)
    show_error (self, error);
  else
    show_loaded (self, loaded);
  if (loaded != NULL && !loaded->is_draft)
    {
      say_what_clocks_needed (self, loaded->source);
      kymo_run_reading_keep (loaded->source);
    }
  g_signal_emit_by_name (self, "changed");
}

/* -- reading -------------------------------------------------------------- */

static void
on_progress (KymoRunPage *self)
{
  g_autofree char *stage = NULL;

  if (self->job == NULL)
    return;
  stage = kymo_job_dup_stage (self->job);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar),
                                 kymo_job_get_fraction (self->job));
  gtk_label_set_text (GTK_LABEL (self->stage), stage != NULL ? stage : "");
  if (self->view != NULL)
    kymo_run_view_set_progress (self->view,
                                kymo_job_get_fraction (self->job), stage);
}

/** kymo_run_page_stop: stops reading; nothing where nothing is read */
void
kymo_run_page_stop (KymoRunPage *self)
{
  if (self->job != NULL)
    kymo_job_cancel (self->job);
}

/** kymo_run_page_reload: reads the files (again) */
void
kymo_run_page_reload (KymoRunPage *self)
{
  if (self->job != NULL)
    return;
  self->job = kymo_job_new ();
  g_signal_connect_object (self->job, "notify", G_CALLBACK (on_progress), self,
                           G_CONNECT_SWAPPED);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "loading");
  self->begun_us = g_get_monotonic_time ();
  self->first_picture_ms = 0;
  kymo_run_reading_start (G_OBJECT (self), self->path, self->correct_clocks,
                          self->job, on_loaded);
}

/** kymo_run_page_set_correct_clocks: */
void
kymo_run_page_set_correct_clocks (KymoRunPage *self, gboolean correct)
{
  if (self->job != NULL || self->correct_clocks == correct)
    return;
  self->correct_clocks = correct;
  kymo_run_page_reload (self);
}

/** kymo_run_page_get_correct_clocks: */
gboolean
kymo_run_page_get_correct_clocks (KymoRunPage *self)
{
  return self->correct_clocks;
}

/* -- building ------------------------------------------------------------- */

static GtkWidget *
pill (const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "pill");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  if (action != NULL)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static GtkWidget *
build_loading (KymoRunPage *self)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *button = pill (_("Cancel"), NULL);
  g_autofree char *safe = as_markup (self->path);

  adw_status_page_set_title (ADW_STATUS_PAGE (page), _("Reading the Run"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page), safe);
  self->bar = gtk_progress_bar_new ();
  gtk_widget_set_size_request (self->bar, 320, -1);
  gtk_widget_set_halign (self->bar, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("How much is read"), -1);
  self->stage = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->stage), PANGO_ELLIPSIZE_MIDDLE);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (kymo_run_page_stop), self);
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), self->stage);
  gtk_box_append (GTK_BOX (box), button);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), box);
  return page;
}

static GtkWidget *
build_error (KymoRunPage *self)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), pill (_("Try Again"), "win.reload"));
  gtk_box_append (GTK_BOX (box), pill (_("Open Folder…"), "win.open"));
  gtk_box_append (GTK_BOX (box), pill (_("Open File…"), "win.open-file"));
  gtk_box_append (GTK_BOX (box), pill (_("Close Tab"), "win.close-tab"));
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page),
                                 "dialog-error-symbolic");
  adw_status_page_set_child (ADW_STATUS_PAGE (page), box);
  self->error = page;
  return page;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_run_page_dispose (GObject *object)
{
  KymoRunPage *self = KYMO_RUN_PAGE (object);

  kymo_run_page_stop (self);
  g_clear_object (&self->job);
  self->view = NULL;
  G_OBJECT_CLASS (kymo_run_page_parent_class)->dispose (object);
}

static void
kymo_run_page_finalize (GObject *object)
{
  KymoRunPage *self = KYMO_RUN_PAGE (object);

  g_free (self->path);
  g_free (self->title);
  g_free (self->subtitle);
  G_OBJECT_CLASS (kymo_run_page_parent_class)->finalize (object);
}

static void
kymo_run_page_class_init (KymoRunPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_run_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_run_page_finalize;
  g_signal_new ("changed", KYMO_TYPE_RUN_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("message", KYMO_TYPE_RUN_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
kymo_run_page_init (KymoRunPage *self)
{
}

/** kymo_run_page_new: begins to read @path at once */
GtkWidget *
kymo_run_page_new (const char *path)
{
  KymoRunPage *self = g_object_new (KYMO_TYPE_RUN_PAGE, NULL);

  self->path = g_strdup (path);
  self->subtitle = g_utf8_make_valid (path, -1);
  self->title = g_path_get_basename (self->subtitle);
  self->stack = gtk_stack_new ();
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), build_loading (self),
                       "loading");
  gtk_stack_add_named (GTK_STACK (self->stack), build_error (self), "error");
  gtk_box_append (GTK_BOX (self), self->stack);
  kymo_run_page_reload (self);
  return GTK_WIDGET (self);
}

/** kymo_run_page_get_path: */
const char *
kymo_run_page_get_path (KymoRunPage *self)
{
  return self->path;
}

/** kymo_run_page_get_title: */
const char *
kymo_run_page_get_title (KymoRunPage *self)
{
  return self->title;
}

/** kymo_run_page_get_subtitle: */
const char *
kymo_run_page_get_subtitle (KymoRunPage *self)
{
  return self->subtitle;
}

/** kymo_run_page_get_view: (nullable): what is shown of the run */
KymoRunView *
kymo_run_page_get_view (KymoRunPage *self)
{
  const char *face = gtk_stack_get_visible_child_name (GTK_STACK (self->stack));

  return g_strcmp0 (face, "run") == 0 ? self->view : NULL;
}

/**
 * kymo_run_page_get_first_picture_ms:
 *
 * Returns: from the begin of reading to the first picture of the run, a draft
 * or not; 0 before it
 */
double
kymo_run_page_get_first_picture_ms (KymoRunPage *self)
{
  return self->first_picture_ms;
}

/** kymo_run_page_is_loading: also while drafts are shown */
gboolean
kymo_run_page_is_loading (KymoRunPage *self)
{
  return self->job != NULL;
}
