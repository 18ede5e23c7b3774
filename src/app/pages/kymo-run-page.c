/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-desk-keeper.h"
#include "kymo-line-banner.h"
#include "kymo-plot-terms.h"
#include "kymo-reduction-words.h"
#include "kymo-remote-source.h"
#include "kymo-error.h"
#include "kymo-run-following.h"
#include "kymo-run-offer.h"
#include "kymo-run-page.h"
#include "kymo-run-reading.h"
#include "kymo-settings.h"
#include "kymo-run-thumbnail.h"
#include "kymo-run-source.h"
#include "kymo-units.h"

struct _KymoRunPage
{
  KymoPage     parent_instance;

  char        *path;
  KymoJob     *job;                /* while reading, or NULL */
  KymoRunFollowing *following;     /* of a run that grows, or NULL */
  KymoDeskKeeper *keeper;          /* of its desk */
  GtkWidget   *line;               /* banner of a run on another machine, or NULL */
  gboolean     gave_up;            /* it grew, but its files cannot be read any more */
  GtkWidget   *bar, *stage, *error;
  KymoRunOffer *offer;             /* below the error */
  gboolean     correct_clocks;
  gint64       begun_us;           /* when reading began */
  double       first_picture_ms;   /* from then on; 0 = not yet */
};

G_DEFINE_FINAL_TYPE (KymoRunPage, kymo_run_page, KYMO_TYPE_PAGE)

/* -- the three faces ------------------------------------------------------ */

/* Of a utilization stream, whose one location is the mean of all PEs. */
static char *
mean_subtitle (const KymoTable *info, KymoTerms terms, const char *duration)
{
  gint64 n = kymo_table_get_int (info, "locations_original", 0);
  g_autofree char *pes = kymo_words_rows (terms, n);

  return n > 1 ? g_strdup_printf (_("mean of %s · stream · %s"), pes, duration)
               : g_strdup_printf (_("%s · stream · %s"), pes, duration);
}

/* "16 of 128 PEs"; where none was left out as a whole, that it was reduced. */
static char *
reduced_subtitle (const KymoTable *info, KymoTerms terms, const char *pes,
                  const char *duration)
{
  g_autofree char *share = kymo_reduction_dup_share (info, terms);

  if (kymo_table_get_int (info, "locations_kept", 0)
      >= kymo_table_get_int (info, "locations_original", 0))
    return g_strdup_printf ("%s · %s · %s", pes, share, duration);
  return g_strdup_printf (_("%s, a reduced run · %s"), share, duration);
}

static char *
subtitle_of (const KymoTable *info, KymoTerms terms)
{
  /* Communication threads are no PEs; the summary counts them. */
  gint64 n = kymo_table_get_int (info, "locations", 0)
             - kymo_table_get_int (info, "communication_threads", 0);
  g_autofree char *pes = kymo_words_rows (terms, n);
  const char *kind = kymo_table_get_string (info, "kind", 0);
  g_autofree char *records
    = kymo_format_count (kymo_table_get_int (info, "records", 0));
  g_autofree char *duration
    = kymo_format_duration (kymo_table_get_int (info, "end_ns", 0)
                            - kymo_table_get_int (info, "begin_ns", 0));

  if (g_strcmp0 (kind, "profile") == 0)
    return g_strdup_printf (_("%s · profile"), pes);
  if (kymo_reduction_is_reduced (info))
    return reduced_subtitle (info, terms, pes, duration);
  if (kymo_table_get_int (info, "records", 0) == KYMO_NULL_INT)
    return g_strdup_printf (_("%s · %s"), pes, duration);
  if (kymo_table_get_bool (info, "overhead_is_rest", 0))
    return mean_subtitle (info, terms, duration);
  if (g_strcmp0 (kind, "summary") == 0)
    return g_strdup_printf (_("%s · summary · %s"), pes, duration);
  return g_strdup_printf (_("%s · %s records · %s"), pes, records, duration);
}

/* Of a draft the status bar tells, a stream has a page of its own. */
static gboolean
is_being_written (KymoSource *source)
{
  KymoCapabilities can = kymo_source_get_capabilities (source);
  g_autofree char *draft = kymo_source_dup_draft (source);

  return (can & KYMO_CAN_GROWING) && !(can & KYMO_CAN_STREAM) && draft == NULL;
}

static void
take_words (KymoRunPage *self, KymoSource *source, const KymoTable *info)
{
  g_autofree char *title = kymo_source_dup_title (source);
  g_autofree char *what = subtitle_of (info, kymo_source_get_terms (source));
  g_autofree char *subtitle = NULL;

  if (is_being_written (source))
    subtitle = g_strdup_printf (self->gave_up ? _("%s · not followed any more")
                                              : _("%s · still being written"), what);
  kymo_page_set_words (KYMO_PAGE (self), title, subtitle != NULL ? subtitle : what);
}

/* The moment of the first picture, a draft or not. */
static gboolean
on_tick (GtkWidget *view, GdkFrameClock *clock, gpointer data)
{
  KymoRunPage *self = data;

  if (kymo_page_peek_view (KYMO_PAGE (self)) != KYMO_RUN_VIEW (view)
      || self->first_picture_ms > 0)
    return G_SOURCE_REMOVE;
  if (!kymo_run_view_has_picture (KYMO_RUN_VIEW (view)))
    return G_SOURCE_CONTINUE;
  self->first_picture_ms = (g_get_monotonic_time () - self->begun_us) / 1e3;
  g_debug ("first picture after %.0f ms", self->first_picture_ms);
  return G_SOURCE_REMOVE;
}

/* Shows what is known now, without touching what the person did. */
static void
show_loaded (KymoRunPage *self, const KymoLoaded *loaded)
{
  KymoPage *page = KYMO_PAGE (self);

  take_words (self, loaded->source, loaded->info);
  if (kymo_page_show_source (page, loaded->source, loaded->info))
    gtk_widget_add_tick_callback (GTK_WIDGET (kymo_page_peek_view (page)),
                                  on_tick, self, NULL);
}

/* The folder is not the run that was meant, but it leads there. */
static void
on_offered (gpointer data, guint n_choices, gboolean below)
{
  KymoRunPage *self = data;
  g_autofree char *words
    = g_strdup_printf (below ? _("“%s” holds no run itself, but its folders do.")
                             : _("“%s” holds several runs."), self->path);
  g_autofree char *safe = kymo_page_dup_markup (words);

  adw_status_page_set_title (ADW_STATUS_PAGE (self->error), _("Choose a Run"));
  adw_status_page_set_description (ADW_STATUS_PAGE (self->error), safe);
  /* The list comes first in a small window. */
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->error), NULL);
}

static void
show_error (KymoRunPage *self, const GError *error)
{
  g_autofree char *safe = NULL;
  gboolean cancelled = g_error_matches (error, G_IO_ERROR,
                                        G_IO_ERROR_CANCELLED);

  kymo_page_drop_view (KYMO_PAGE (self));
  safe = kymo_page_dup_markup (cancelled ? self->path : error->message);
  adw_status_page_set_title (ADW_STATUS_PAGE (self->error),
                             cancelled ? _("Reading Was Cancelled")
                                       : _("This Run Cannot Be Read"));
  adw_status_page_set_description (ADW_STATUS_PAGE (self->error),
                                   safe);
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->error), "dialog-error-symbolic");
  kymo_run_offer_clear (self->offer);
  if (g_error_matches (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS))
    kymo_run_offer_look (self->offer, self->path, on_offered, self);
  kymo_page_show_face (KYMO_PAGE (self), "error");
}

/* A choice that changed nothing must not look as if it had. */
static void
say_what_clocks_needed (KymoRunPage *self, KymoSource *source)
{
  if (self->correct_clocks && !kymo_source_has_corrected_clocks (source))
    kymo_page_say (KYMO_PAGE (self),
                   _("No message arrives before it was sent: no clock was "
                     "corrected"));
}

/* What was read last stays. */
static void
give_up (KymoRunPage *self, KymoRunView *view, const GError *error)
{
  g_autofree char *valid = g_utf8_make_valid (error->message, -1);
  g_autofree char *words = g_strdup_printf (_("This run is not followed any more: %s"), valid);

  self->gave_up = TRUE;
  take_words (self, kymo_session_peek_source (kymo_run_view_peek_session (view)),
              kymo_run_view_peek_info (view));
  kymo_page_say (KYMO_PAGE (self), words);
}

static void
on_grown (gpointer data, const KymoTable *info, gboolean ended, const GError *error)
{
  KymoRunPage *self = data;
  KymoRunView *view = kymo_page_peek_view (KYMO_PAGE (self));
  KymoLoaded loaded = { .info = (KymoTable *) info };

  if (ended)
    g_clear_pointer (&self->following, kymo_run_following_stop);
  if (view == NULL)
    return;
  loaded.source = kymo_session_peek_source (kymo_run_view_peek_session (view));
  if (info == NULL)
    give_up (self, view, error);
  else
    show_loaded (self, &loaded);
  if (info != NULL && ended)
    kymo_run_reading_keep (loaded.source);
  kymo_page_tell_changed (KYMO_PAGE (self));
}

static void
on_far_info (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoRunPage) self = data;
  KymoRunView *view = kymo_page_peek_view (KYMO_PAGE (self));
  g_autoptr (KymoTable) info = kymo_source_ask_finish (KYMO_SOURCE (object), result, NULL);
  KymoLoaded loaded = { .source = KYMO_SOURCE (object), .info = info };

  /* Where the line is gone each picture says so. */
  if (info == NULL || view == NULL
      || kymo_session_peek_source (kymo_run_view_peek_session (view)) != loaded.source)
    return;
  show_loaded (self, &loaded);
  kymo_page_tell_changed (KYMO_PAGE (self));
}

static void
on_far_grown (KymoRunPage *self, KymoSource *source)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");

  kymo_source_ask_async (source, question, NULL, on_far_info, g_object_ref (self));
}

/* More may be known of it whenever it is connected to again. */
static void
watch_line (KymoRunPage *self, KymoSource *source)
{
  g_signal_connect_object (source, "grown", G_CALLBACK (on_far_grown), self, G_CONNECT_SWAPPED);
  self->line = kymo_line_banner_new (KYMO_REMOTE_SOURCE (source));
  gtk_box_prepend (GTK_BOX (self), self->line);
}

static void
drop_line (KymoRunPage *self)
{
  KymoRunView *view = kymo_page_peek_view (KYMO_PAGE (self));

  if (self->line == NULL)
    return;
  if (view != NULL)
    kymo_remote_source_give_up (KYMO_REMOTE_SOURCE (
      kymo_session_peek_source (kymo_run_view_peek_session (view))));
  gtk_box_remove (GTK_BOX (self), self->line);
  self->line = NULL;
}

/* A run whose files are still being written is followed, the others are kept for the next
   opening. One on another machine is followed there. */
static void
follow_or_keep (KymoRunPage *self, KymoSource *source, gint64 read_us)
{
  KymoOpenOptions options = { .correct_clocks = self->correct_clocks,
                              .memory_limit_bytes = kymo_settings_get_memory_limit () };

  if (KYMO_IS_REMOTE_SOURCE (source))
    watch_line (self, source);
  if (!is_being_written (source))
    kymo_run_reading_keep (source);
  else if (!KYMO_IS_REMOTE_SOURCE (source))
    self->following = kymo_run_following_start (source, self->path, &options, read_us, on_grown,
                                                self);
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
  if (loaded != NULL)
    kymo_desk_keeper_show (self->keeper, kymo_page_peek_view (KYMO_PAGE (self)),
                           loaded->is_draft);
  if (loaded != NULL && !loaded->is_draft)
    {
      say_what_clocks_needed (self, loaded->source);
      kymo_run_thumbnail_make (kymo_run_view_peek_session (kymo_page_peek_view (KYMO_PAGE (self))),
                               self->path, loaded->info);
      follow_or_keep (self, loaded->source, loaded->read_us);
    }
  kymo_page_tell_changed (KYMO_PAGE (self));
}

/* -- reading -------------------------------------------------------------- */

static void
on_progress (KymoRunPage *self)
{
  KymoRunView *view = kymo_page_peek_view (KYMO_PAGE (self));
  g_autofree char *stage = NULL;

  if (self->job == NULL)
    return;
  stage = kymo_job_dup_stage (self->job);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar),
                                 kymo_job_get_fraction (self->job));
  gtk_label_set_text (GTK_LABEL (self->stage), stage != NULL ? stage : "");
  if (view != NULL)
    kymo_run_view_set_progress (view, kymo_job_get_fraction (self->job),
                                stage);
}

/** kymo_run_page_stop: stops reading; nothing where nothing is read */
void
kymo_run_page_stop (KymoRunPage *self)
{
  if (self->job != NULL)
    kymo_job_cancel (self->job);
}

static void
kymo_run_page_reload (KymoPage *page)
{
  KymoRunPage *self = KYMO_RUN_PAGE (page);

  if (self->job != NULL)
    return;
  g_clear_pointer (&self->following, kymo_run_following_stop);
  drop_line (self);
  kymo_desk_keeper_read_again (self->keeper);
  self->gave_up = FALSE;
  self->job = kymo_job_new ();
  kymo_follow (self->job, "notify", on_progress, self);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), 0);
  kymo_page_show_face (KYMO_PAGE (self), "loading");
  self->begun_us = g_get_monotonic_time ();
  self->first_picture_ms = 0;
  kymo_run_reading_start (G_OBJECT (self), self->path, self->correct_clocks,
                          self->job, on_loaded);
}

/**
 * kymo_run_page_set_correct_clocks:
 * @correct: whether the clocks of processes are shifted against messages that arrive before they
 *   are sent
 *
 * Reads the run again with or without the correction. While the run is being read, or where
 * @correct is the same, nothing happens.
 */
void
kymo_run_page_set_correct_clocks (KymoRunPage *self, gboolean correct)
{
  if (self->job != NULL || self->correct_clocks == correct)
    return;
  self->correct_clocks = correct;
  kymo_run_page_reload (KYMO_PAGE (self));
}

/**
 * kymo_run_page_get_correct_clocks:
 *
 * Returns: whether clocks are corrected in the run as it is read
 */
gboolean
kymo_run_page_get_correct_clocks (KymoRunPage *self)
{
  return self->correct_clocks;
}

/* -- building ------------------------------------------------------------- */

static GtkWidget *
build_loading (KymoRunPage *self)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *button = kymo_page_pill (_("Cancel"), NULL);
  g_autofree char *safe = kymo_page_dup_markup (self->path);

  adw_status_page_set_title (ADW_STATUS_PAGE (page), _("Reading the Run"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page), safe);
  self->bar = gtk_progress_bar_new ();
  gtk_widget_set_size_request (self->bar, 320, -1);
  gtk_widget_set_halign (self->bar, GTK_ALIGN_CENTER);
  kymo_accessible_name (self->bar, _("How much is read"));
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
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), kymo_page_pill (_("Try Again"), "win.reload"));
  gtk_box_append (GTK_BOX (box), kymo_page_pill (_("Open Folder…"), "win.open"));
  gtk_box_append (GTK_BOX (box), kymo_page_pill (_("Open File…"), "win.open-file"));
  gtk_box_append (GTK_BOX (box), kymo_page_pill (_("Close Tab"), "win.close-tab"));
  self->offer = KYMO_RUN_OFFER (kymo_run_offer_new ());
  gtk_box_append (GTK_BOX (column), GTK_WIDGET (self->offer));
  gtk_box_append (GTK_BOX (column), box);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), column);
  self->error = page;
  return page;
}

/* -- the widget ----------------------------------------------------------- */

static const char *
kymo_run_page_get_path (KymoPage *page)
{
  return KYMO_RUN_PAGE (page)->path;
}

static gboolean
kymo_run_page_is_loading (KymoPage *page)
{
  return KYMO_RUN_PAGE (page)->job != NULL;
}

static void
kymo_run_page_closed (KymoPage *page)
{
  kymo_run_page_stop (KYMO_RUN_PAGE (page));
  drop_line (KYMO_RUN_PAGE (page));
}

static void
kymo_run_page_dispose (GObject *object)
{
  KymoRunPage *self = KYMO_RUN_PAGE (object);

  kymo_run_page_stop (self);
  g_clear_pointer (&self->following, kymo_run_following_stop);
  g_clear_pointer (&self->keeper, kymo_desk_keeper_free);
  g_clear_object (&self->job);
  G_OBJECT_CLASS (kymo_run_page_parent_class)->dispose (object);
}

static void
kymo_run_page_finalize (GObject *object)
{
  g_free (KYMO_RUN_PAGE (object)->path);
  G_OBJECT_CLASS (kymo_run_page_parent_class)->finalize (object);
}

static void
kymo_run_page_class_init (KymoRunPageClass *klass)
{
  KymoPageClass *page_class = KYMO_PAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_run_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_run_page_finalize;
  page_class->get_path = kymo_run_page_get_path;
  page_class->is_loading = kymo_run_page_is_loading;
  page_class->reload = kymo_run_page_reload;
  page_class->stop = kymo_run_page_closed;
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
  KymoPage *page = KYMO_PAGE (self);
  g_autofree char *valid = g_utf8_make_valid (path, -1);
  g_autofree char *title = g_path_get_basename (valid);

  self->path = g_strdup (path);
  self->keeper = kymo_desk_keeper_new (page, path);
  kymo_page_set_words (page, title, valid);
  kymo_page_add_face (page, "loading", build_loading (self));
  kymo_page_add_face (page, "error", build_error (self));
  kymo_run_page_reload (page);
  return GTK_WIDGET (self);
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

/** kymo_run_page_peek_keeper: of its desk */
KymoDeskKeeper *
kymo_run_page_peek_keeper (KymoRunPage *self)
{
  return self->keeper;
}
