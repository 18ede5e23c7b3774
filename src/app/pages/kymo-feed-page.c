/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-feed-page-private.h"

#include <glib/gi18n.h>

#include "kymo-controls.h"
#include "kymo-feed-waiting.h"
#include "kymo-label.h"
#include "kymo-plot-terms.h"
#include "kymo-stream-settings.h"
#include "kymo-units.h"

#define WAITING_FACE "waiting"
/* Between two looks at the run as a whole. */
#define INFO_PAUSE_MS 1000

G_DEFINE_FINAL_TYPE (KymoFeedPage, kymo_feed_page, KYMO_TYPE_PAGE)

static GSList *pages;           /* all there are; borrowed */

/* -- words ---------------------------------------------------------------- */

static gboolean
can_retry (KymoAttachmentState state)
{
  return state == KYMO_ATTACHMENT_WAITING || state == KYMO_ATTACHMENT_NO_STREAM
         || state == KYMO_ATTACHMENT_ENDED || state == KYMO_ATTACHMENT_FAILED;
}

static const char *
word_of (KymoFeedPage *self)
{
  switch (self->state)
    {
    case KYMO_ATTACHMENT_CONNECTING:
    case KYMO_ATTACHMENT_PROBING:
      return _("connecting");
    case KYMO_ATTACHMENT_CATCHING_UP:
    case KYMO_ATTACHMENT_FOLLOWING:
      return self->recording != NULL ? _("live, recording") : _("live");
    case KYMO_ATTACHMENT_WAITING:
      return kymo_page_peek_view (KYMO_PAGE (self)) != NULL
             ? _("connection lost") : _("no connection");
    case KYMO_ATTACHMENT_NO_STREAM:
      return _("no utilization stream");
    case KYMO_ATTACHMENT_ENDED:
      return _("ended");
    case KYMO_ATTACHMENT_FAILED:
    default:
      return _("not attached");
    }
}

/** kymo_feed_page_program_of: "leanmd" of ".../leanmd.util.sts", or NULL */
char *
kymo_feed_page_program_of (const char *names)
{
  g_autofree char *base = NULL, *valid = NULL;
  char *dot;

  if (names == NULL)
    return NULL;
  base = g_path_get_basename (names);
  valid = g_utf8_make_valid (base, -1);
  dot = strchr (valid, '.');
  return dot != NULL && dot > valid ? g_strndup (valid, dot - valid) : NULL;
}

/* Whether it is a job under a recorder, whose rows are ranks. */
static gboolean
has_functions (KymoFeedPage *self)
{
  KymoSource *source = kymo_feed_peek_source (self->feed);

  return source != NULL && kymo_source_get_terms (source).code == KYMO_CODE_FUNCTION;
}

static void
take_words (KymoFeedPage *self)
{
  g_autofree char *address = kymo_feed_dup_title (self->feed);
  g_autofree char *program = kymo_feed_page_program_of (self->names);
  KymoSource *source = kymo_feed_peek_source (self->feed);
  KymoTerms terms = source != NULL ? kymo_source_get_terms (source) : (KymoTerms) { 0 };
  g_autofree char *rows = kymo_words_rows (terms, self->n_pes);
  GString *subtitle = g_string_new (NULL);

  self->functions = terms.code == KYMO_CODE_FUNCTION;

  if (program != NULL)
    g_string_append_printf (subtitle, "%s · ", address);
  if (self->n_pes > 0)
    g_string_append_printf (subtitle, "%s · ", rows);
  g_string_append (subtitle, kymo_feed_is_playback (self->feed)
                             ? _("playback") : word_of (self));
  kymo_page_set_words (KYMO_PAGE (self), program != NULL ? program : address,
                       subtitle->str);
  g_string_free (subtitle, TRUE);
}

/* -- the banner ----------------------------------------------------------- */

static gboolean count_down (gpointer data);

static void
show_banner (KymoFeedPage *self, const KymoFeedStatus *status)
{
  gboolean wanted = can_retry (status->state)
                    && !kymo_feed_is_playback (self->feed)
                    && kymo_page_peek_view (KYMO_PAGE (self)) != NULL;
  g_autofree char *words = wanted ? kymo_feed_waiting_dup_words (status)
                                  : NULL;

  gtk_widget_set_visible (self->banner, wanted);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->banner), wanted);
  g_clear_handle_id (&self->count_id, g_source_remove);
  if (wanted && status->retry_us != 0)
    self->count_id = g_timeout_add_seconds (1, count_down, self);
  if (!wanted || g_strcmp0 (words, gtk_label_get_text (
                              GTK_LABEL (self->banner_words))) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (self->banner_words), words);
  gtk_widget_set_tooltip_text (self->banner_words, words);
  gtk_button_set_label (GTK_BUTTON (self->banner_retry),
                        status->state == KYMO_ATTACHMENT_ENDED
                        ? _("Attach Again") : _("Retry"));
}

static gboolean
count_down (gpointer data)
{
  KymoFeedPage *self = data;
  KymoFeedStatus status = { 0 };

  kymo_feed_get_status (self->feed, &status);
  show_banner (self, &status);
  kymo_feed_status_clear (&status);
  return G_SOURCE_REMOVE;
}

static GtkWidget *
build_banner (KymoFeedPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *save = gtk_button_new_with_label (_("Save What Was Seen…"));

  self->banner_words = kymo_label_new_cut ("", NULL);
  gtk_widget_set_hexpand (self->banner_words, TRUE);
  self->banner_retry = gtk_button_new_with_label (_("Retry"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->banner_retry),
                                  "win.stream-retry");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (save), "win.stream-save");
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (
    "network-offline-symbolic"));
  gtk_box_append (GTK_BOX (box), self->banner_words);
  gtk_box_append (GTK_BOX (box), self->banner_retry);
  gtk_box_append (GTK_BOX (box), save);
  gtk_widget_add_css_class (box, "kymo-banner");
  self->banner = gtk_revealer_new ();
  gtk_revealer_set_child (GTK_REVEALER (self->banner), box);
  gtk_widget_set_visible (self->banner, FALSE);
  return self->banner;
}

/* -- conditions ------------------------------------------------------------ */

static char *
value_words (const KymoCondition *condition, const char *length)
{
  const char *const formats[KYMO_WATCHED_N_FIGURES][2] = {
    { N_("%s: lowest above %s for %s"), N_("%s: lowest below %s for %s") },
    { N_("%s: mean above %s for %s"), N_("%s: mean below %s for %s") },
    { N_("%s: highest above %s for %s"), N_("%s: highest below %s for %s") },
  };
  g_autofree char *amount = kymo_watched_value_format (condition->value, condition->amount);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return g_strdup_printf (_(formats[condition->figure][condition->below]),
                          _(condition->value->label), amount, length);
#pragma GCC diagnostic pop
}

static char *
condition_words (const KymoCondition *condition)
{
  g_autofree char *percent = kymo_format_percent (condition->share);
  g_autofree char *length = kymo_format_duration_exact (condition->for_ns);

  if (condition->kind == KYMO_CONDITION_VALUE)
    return value_words (condition, length);
  if (condition->kind == KYMO_CONDITION_SILENT)
    return g_strdup_printf (_("no new block for %s"), length);
  if (condition->kind == KYMO_CONDITION_BELOW)
    return g_strdup_printf (_("utilization below %s for %s"), percent, length);
  if (condition->name == NULL)
    return g_strdup_printf (_("any entry method or function above %s for %s"), percent, length);
  return g_strdup_printf (_("%s above %s for %s"), condition->name, percent, length);
}

/**
 * kymo_feed_page_set_conditions:
 * @conditions: (element-type KymoCondition): what is watched for from now on; copied
 *
 * Lets the feed watch for conditions, and lists them above the view.
 */
void
kymo_feed_page_set_conditions (KymoFeedPage *self, GPtrArray *conditions)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL, *text = NULL;

  for (guint i = 0; i < conditions->len; i++)
    g_ptr_array_add (all, condition_words (conditions->pdata[i]));
  g_ptr_array_add (all, NULL);
  list = g_strjoinv (" · ", (char **) all->pdata);
  text = conditions->len > 0 ? g_strdup_printf (_("Watched: %s"), list)
    : g_strdup (_("Nothing is watched"));
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (self->watched)), text);
  gtk_widget_set_tooltip_text (gtk_widget_get_first_child (self->watched), list);
  gtk_widget_set_visible (self->warn, conditions->len == 0);
  gtk_button_set_label (GTK_BUTTON (gtk_widget_get_last_child (self->watched)),
                        conditions->len > 0 ? _("Change…") : _("Watch for…"));
  gtk_widget_set_visible (self->watched,
                          conditions->len > 0 || !kymo_feed_is_playback (self->feed));
  kymo_feed_set_conditions (self->feed, conditions);
}

static GtkWidget *
build_watched (KymoFeedPage *self)
{
  GtkWidget *label = kymo_label_new_cut (NULL, "caption");
  GtkWidget *change = gtk_button_new_with_label (_("Change…"));

  self->warn = gtk_button_new_with_mnemonic (_("_Warn When It Hangs"));
  kymo_controls_speak (self->warn, _("_Warn When It Hangs"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->warn), "win.stream-warn");
  gtk_widget_set_tooltip_text (self->warn, _("Notify when no new block comes for 10 s"));
  gtk_widget_add_css_class (self->warn, "flat");
  self->watched = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (change), "win.stream-watch");
  gtk_widget_set_tooltip_text (change, _("Watch for other conditions"));
  gtk_widget_add_css_class (change, "flat");
  gtk_box_append (GTK_BOX (self->watched), label);
  gtk_box_append (GTK_BOX (self->watched), self->warn);
  gtk_box_append (GTK_BOX (self->watched), change);
  gtk_widget_add_css_class (self->watched, "kymo-strip");
  gtk_widget_set_visible (self->watched, FALSE);
  return self->watched;
}

/* -- the run as a whole --------------------------------------------------- */

static void
on_info (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoFeedPage) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) info
    = kymo_source_ask_finish (KYMO_SOURCE (source), result, &error);
  KymoPage *page = KYMO_PAGE (self);

  g_clear_object (&self->cancellable);
  if (self->feed == NULL)       /* the tab was closed */
    return;
  if (info == NULL)
    {
      g_info ("%s", error->message);
      return;
    }
  if (!kymo_page_show_source (page, KYMO_SOURCE (source), info))
    return;
  kymo_run_view_set_feed (kymo_page_peek_view (page), self->feed);
  kymo_page_tell_changed (page);
}

static gboolean
ask_feed_page (gpointer data)
{
  KymoFeedPage *self = data;
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");

  if (self->cancellable != NULL)        /* the last one takes long */
    return G_SOURCE_CONTINUE;
  self->info_id = 0;
  self->asked_us = g_get_monotonic_time ();
  self->cancellable = g_cancellable_new ();
  kymo_source_ask_async (self->source, question, self->cancellable, on_info,
                         g_object_ref (self));
  return G_SOURCE_REMOVE;
}

/* At most once in a while, and one question at a time; the last growth is
   never forgotten. */
static void
ask_soon (KymoFeedPage *self)
{
  gint64 since_ms = (g_get_monotonic_time () - self->asked_us) / 1000;

  if (self->source == NULL || self->info_id != 0)
    return;
  if (self->asked_us == 0 && self->cancellable == NULL)
    ask_feed_page (self);
  else
    self->info_id = g_timeout_add (
      CLAMP (INFO_PAUSE_MS - since_ms, 1, INFO_PAUSE_MS), ask_feed_page, self);
}

static void
follow_source (KymoFeedPage *self)
{
  KymoSource *source = kymo_feed_peek_source (self->feed);

  if (source == NULL || source == self->source)
    return;
  g_clear_object (&self->source);
  self->source = g_object_ref (source);
  kymo_follow (source, "grown", ask_soon, self);
  ask_soon (self);
}

/* -- the feed ------------------------------------------------------------- */

/* The title and what can be done go by these; the rest changes all the time
   and is the view's. */
static gboolean
take_status (KymoFeedPage *self, const KymoFeedStatus *status)
{
  gboolean same = self->state == status->state && self->started
                  && self->n_pes == status->n_pes
                  && g_strcmp0 (self->recording, status->recording) == 0
                  && g_strcmp0 (self->names, status->names) == 0;

  if (same)
    {
      /* What rows are called is known with the names. */
      if (self->functions != has_functions (self))
        take_words (self);
      return FALSE;
    }
  self->started = TRUE;
  self->state = status->state;
  self->n_pes = status->n_pes;
  g_free (self->recording);
  g_free (self->names);
  self->recording = g_strdup (status->recording);
  self->names = g_strdup (status->names);
  take_words (self);
  return TRUE;
}

static void
on_feed_changed (KymoFeedPage *self)
{
  KymoFeedStatus status = { 0 };
  g_autofree char *ended = NULL;
  gboolean changed;

  kymo_feed_get_status (self->feed, &status);
  if (self->ending && status.recording == NULL)
    ended = g_strdup (self->recording);
  changed = take_status (self, &status);
  if (self->recording != NULL)
    self->saved_ns = status.end_ns;
  follow_source (self);
  kymo_feed_waiting_show (KYMO_FEED_WAITING (self->waiting), &status);
  show_banner (self, &status);
  kymo_feed_status_clear (&status);
  if (changed)
    kymo_page_tell_changed (KYMO_PAGE (self));
  if (ended == NULL)
    return;
  self->ending = FALSE;
  kymo_feed_page_say_recorded (self, ended);
}

static void
on_alarm (KymoFeedPage *self, const char *sentence)
{
  g_signal_emit_by_name (self, "alarm", sentence);
}

/**
 * kymo_feed_page_peek_feed:
 *
 * Returns: (transfer none): the feed of the page, valid as long as the page
 */
KymoFeed *
kymo_feed_page_peek_feed (KymoFeedPage *self)
{
  return self->feed;
}

/**
 * kymo_feed_page_get_id:
 *
 * Returns: a number of this page, unique while the program runs, from 1 on
 */
guint
kymo_feed_page_get_id (KymoFeedPage *self)
{
  return self->id;
}

/**
 * kymo_feed_page_is_recording:
 *
 * Returns: whether the stream is being recorded to a file
 */
gboolean
kymo_feed_page_is_recording (KymoFeedPage *self)
{
  return self->recording != NULL;
}

/**
 * kymo_feed_page_is_going_on:
 *
 * Returns: whether more of the stream may come: it has neither ended nor failed
 */
gboolean
kymo_feed_page_is_going_on (KymoFeedPage *self)
{
  return self->state != KYMO_ATTACHMENT_ENDED
         && self->state != KYMO_ATTACHMENT_FAILED;
}

/**
 * kymo_feed_page_has_blocks:
 *
 * Returns: whether a block has come, so that there is a run to show and to save
 */
gboolean
kymo_feed_page_has_blocks (KymoFeedPage *self)
{
  return self->source != NULL;
}

/** kymo_feed_page_is_recorded_to: whether any page records to @path just now */
gboolean
kymo_feed_page_is_recorded_to (const char *path)
{
  for (GSList *item = pages; item != NULL; item = item->next)
    if (g_strcmp0 (KYMO_FEED_PAGE (item->data)->recording, path) == 0)
      return TRUE;
  return FALSE;
}

/* -- names ---------------------------------------------------------------- */

static void
on_names_set (GObject *feed, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoFeedPage) self = data;
  g_autoptr (GError) error = NULL;

  if (!kymo_feed_set_names_finish (KYMO_FEED (feed), result, &error))
    kymo_page_say (KYMO_PAGE (self), error->message);
}

/** kymo_feed_page_has_names: whether entry methods are more than numbers */
gboolean
kymo_feed_page_has_names (KymoFeedPage *self)
{
  return self->names != NULL;
}

/** kymo_feed_page_set_names: all that is shown is renamed */
void
kymo_feed_page_set_names (KymoFeedPage *self, const char *path)
{
  kymo_feed_set_names_async (self->feed, path, on_names_set,
                             g_object_ref (self));
}

/* -- the widget ----------------------------------------------------------- */

static const char *
kymo_feed_page_get_path (KymoPage *page)
{
  return NULL;
}

static gboolean
kymo_feed_page_is_loading (KymoPage *page)
{
  KymoFeedPage *self = KYMO_FEED_PAGE (page);

  return self->state == KYMO_ATTACHMENT_CONNECTING
         || self->state == KYMO_ATTACHMENT_PROBING
         || (kymo_page_peek_view (page) == NULL && !can_retry (self->state));
}

static void
kymo_feed_page_reload (KymoPage *page)
{
  kymo_feed_retry (KYMO_FEED_PAGE (page)->feed);
}

static void
kymo_feed_page_dispose (GObject *object)
{
  KymoFeedPage *self = KYMO_FEED_PAGE (object);

  g_clear_handle_id (&self->info_id, g_source_remove);
  g_clear_handle_id (&self->count_id, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->source);
  if (self->feed != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->feed, self);
      kymo_feed_stop (self->feed);
    }
  g_clear_object (&self->feed);
  G_OBJECT_CLASS (kymo_feed_page_parent_class)->dispose (object);
}

static void
kymo_feed_page_finalize (GObject *object)
{
  KymoFeedPage *self = KYMO_FEED_PAGE (object);

  pages = g_slist_remove (pages, self);
  g_free (self->recording);
  g_free (self->names);
  G_OBJECT_CLASS (kymo_feed_page_parent_class)->finalize (object);
}

static void
kymo_feed_page_class_init (KymoFeedPageClass *klass)
{
  KymoPageClass *page_class = KYMO_PAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_feed_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_feed_page_finalize;
  page_class->get_path = kymo_feed_page_get_path;
  page_class->is_loading = kymo_feed_page_is_loading;
  page_class->reload = kymo_feed_page_reload;
  kymo_signal_new ("alarm", KYMO_TYPE_FEED_PAGE, 1, G_TYPE_STRING);
  kymo_signal_new ("saved", KYMO_TYPE_FEED_PAGE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
kymo_feed_page_init (KymoFeedPage *self)
{
  static guint last_id;

  self->id = ++last_id;
  pages = g_slist_prepend (pages, self);
}

/** kymo_feed_page_new: takes a reference to @feed, and starts it */
GtkWidget *
kymo_feed_page_new (KymoFeed *feed)
{
  KymoFeedPage *self = g_object_new (KYMO_TYPE_FEED_PAGE, NULL);
  KymoPage *page = KYMO_PAGE (self);

  self->feed = g_object_ref (feed);
  self->waiting = kymo_feed_waiting_new ();
  gtk_box_prepend (GTK_BOX (self), build_watched (self));
  gtk_box_prepend (GTK_BOX (self), build_banner (self));
  kymo_page_add_face (page, WAITING_FACE, self->waiting);
  kymo_page_show_face (page, WAITING_FACE);
  take_words (self);
  kymo_follow (feed, "changed", on_feed_changed, self);
  kymo_follow (feed, "alarm", on_alarm, self);
  kymo_feed_start (feed);
  return GTK_WIDGET (self);
}
