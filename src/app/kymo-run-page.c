/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-cache.h"
#include "kymo-open.h"
#include "kymo-run-page.h"
#include "kymo-run-source.h"
#include "kymo-settings.h"
#include "kymo-units.h"

#define KEEP_AFTER_MS 1500
/* A run that is read by then has no draft. */
#define DRAFT_AFTER_MS 100

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

static gboolean show_draft (gpointer data);

/**
 * Reading: one reading of the run, shared by the page, the worker and what
 * the worker sends
 *
 * @source and what belongs to it are the worker's; the page sees them through
 * what it is sent.
 */
typedef struct
{
  KymoRunPage   *page;             /* a reference, until it is loaded */
  KymoJob       *job;
  char          *path;
  gboolean       correct_clocks;
  KymoRunSource *source;           /* once there is a draft, or the run */
} Reading;

/** Loaded: what the worker hands over, of a draft and of the run itself */
typedef struct
{
  Reading    *reading;             /* a reference */
  KymoSource *source;
  KymoTable  *info;
} Loaded;

static void
reading_clear (gpointer data)
{
  Reading *reading = data;

  g_clear_object (&reading->job);
  g_clear_object (&reading->source);
  g_free (reading->path);
}

static void
reading_unref (gpointer reading)
{
  g_atomic_rc_box_release_full (reading, reading_clear);
}

static void
loaded_free (gpointer data)
{
  Loaded *loaded = data;

  g_clear_object (&loaded->source);
  g_clear_pointer (&loaded->info, kymo_table_unref);
  g_clear_pointer (&loaded->reading, reading_unref);
  g_free (loaded);
}

/* -- the worker ----------------------------------------------------------- */

/* The run as it is known now, for the views. */
static Loaded *
make_loaded (Reading *reading, KymoRun *run, GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  g_autoptr (KymoTable) info = NULL;
  Loaded *loaded;

  if (reading->source == NULL)
    reading->source = kymo_run_source_new (run, 0);
  else
    kymo_run_source_set_run (reading->source, run);
  info = kymo_source_ask (KYMO_SOURCE (reading->source), question,
                          kymo_job_peek_cancellable (reading->job), error);
  if (info == NULL)
    return NULL;
  loaded = g_new0 (Loaded, 1);
  loaded->reading = g_atomic_rc_box_acquire (reading);
  loaded->source = KYMO_SOURCE (g_object_ref (reading->source));
  loaded->info = g_steal_pointer (&info);
  return loaded;
}

/* On the reader's thread, one at a time, and never once it has returned. */
static void
on_draft (KymoRun *run, gpointer data)
{
  Loaded *loaded = make_loaded (data, run, NULL);

  if (loaded != NULL)
    g_idle_add_full (G_PRIORITY_DEFAULT, show_draft, loaded, loaded_free);
}

static void
load_thread (GTask *task, gpointer object, gpointer data,
             GCancellable *cancellable)
{
  Reading *reading = data;
  KymoOpenOptions options = {
    .correct_clocks = reading->correct_clocks,
    .draft = on_draft, .draft_data = reading,
    .draft_after_ms = DRAFT_AFTER_MS,
  };
  GError *error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (reading->path, &options,
                                           reading->job, &error);
  Loaded *loaded = run != NULL ? make_loaded (reading, run, &error) : NULL;

  if (loaded != NULL)
    g_task_return_pointer (task, loaded, loaded_free);
  else
    g_task_return_error (task, error);
}

/* Keeps the run for the next opening. Nobody waits for it, and where it fails
   nothing is lost but time. */
static gpointer
keep_thread (gpointer data)
{
  g_autoptr (KymoSource) source = data;
  g_autoptr (GError) error = NULL;

  if (!kymo_cache_save (kymo_run_source_peek_run (KYMO_RUN_SOURCE (source)),
                        NULL, &error))
    g_info ("%s", error->message);
  return NULL;
}

static gboolean
keep (gpointer source)
{
  g_thread_unref (g_thread_new ("kymo-keep", keep_thread,
                                g_object_ref (source)));
  return G_SOURCE_REMOVE;
}

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
take_words (KymoRunPage *self, Loaded *loaded)
{
  g_free (self->title);
  g_free (self->subtitle);
  self->title = kymo_source_dup_title (loaded->source);
  self->subtitle = subtitle_of (loaded->info);
}

/* Whether the view shows an earlier draft of the same reading. */
static gboolean
is_shown (KymoRunPage *self, Loaded *loaded)
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
show_run (KymoRunPage *self, Loaded *loaded)
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
show_loaded (KymoRunPage *self, Loaded *loaded)
{
  if (!is_shown (self, loaded))
    {
      show_run (self, loaded);
      return;
    }
  take_words (self, loaded);
  kymo_run_view_set_info (self->view, loaded->info);
}

/* A page that was closed or reloaded wants nothing of an older reading. */
static gboolean
is_wanted (Loaded *loaded)
{
  KymoRunPage *page = loaded->reading->page;

  return page != NULL && page->job == loaded->reading->job;
}

static gboolean
show_draft (gpointer data)
{
  Loaded *loaded = data;
  KymoRunPage *self = loaded->reading->page;

  if (is_wanted (loaded))
    {
      show_loaded (self, loaded);
      g_signal_emit_by_name (self, "changed");
    }
  return G_SOURCE_REMOVE;
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
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Reading *reading = g_task_get_task_data (G_TASK (result));
  /* Here and not by the worker, who may be the last to let go. */
  g_autoptr (KymoRunPage) self = g_steal_pointer (&reading->page);
  g_autoptr (GError) error = NULL;
  Loaded *loaded = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->job != NULL && self->job == reading->job)
    {
      g_clear_object (&self->job);
      if (loaded != NULL)
        {
          show_loaded (self, loaded);
          say_what_clocks_needed (self, loaded->source);
          /* The first pictures come before the disk is busy. */
          g_timeout_add_full (G_PRIORITY_LOW, KEEP_AFTER_MS, keep,
                              g_object_ref (loaded->source), g_object_unref);
        }
      else
        show_error (self, error);
      g_signal_emit_by_name (self, "changed");
    }
  g_clear_pointer (&loaded, loaded_free);
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
  g_autoptr (GTask) task = NULL;
  Reading *reading;

  if (self->job != NULL)
    return;
  self->job = kymo_job_new ();
  g_signal_connect_object (self->job, "notify", G_CALLBACK (on_progress), self,
                           G_CONNECT_SWAPPED);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "loading");
  self->begun_us = g_get_monotonic_time ();
  self->first_picture_ms = 0;
  reading = g_atomic_rc_box_new0 (Reading);
  reading->page = g_object_ref (self);
  reading->job = g_object_ref (self->job);
  reading->path = g_strdup (self->path);
  reading->correct_clocks = self->correct_clocks;
  task = g_task_new (NULL, kymo_job_peek_cancellable (self->job), on_loaded,
                     NULL);
  g_task_set_task_data (task, reading, reading_unref);
  g_task_run_in_thread (task, load_thread);
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
