/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-feed-waiting.h"

#include <glib/gi18n.h>

#include "kymo-page.h"

#define COUNT_DOWN_MS 500

struct _KymoFeedWaiting
{
  AdwBin               parent_instance;

  AdwStatusPage       *page;
  GtkWidget           *spinner, *retry, *change;
  KymoAttachmentState  state;
  char                *sentence;
  gint64               retry_us;
  guint                count_id;       /* counts down to the next try */
};

G_DEFINE_FINAL_TYPE (KymoFeedWaiting, kymo_feed_waiting, ADW_TYPE_BIN)

/** Face: how a state looks before there is a block */
typedef struct
{
  const char *title, *icon;
  gboolean    busy, can_retry, can_change;
} Face;

static const Face faces[] = {
  [KYMO_ATTACHMENT_CONNECTING]
    = { N_("Connecting"), NULL, TRUE, FALSE, TRUE },
  [KYMO_ATTACHMENT_PROBING]
    = { N_("Asking for a Stream"), NULL, TRUE, FALSE, TRUE },
  [KYMO_ATTACHMENT_CATCHING_UP]
    = { N_("Waiting for the First Block"), NULL, TRUE, FALSE, FALSE },
  [KYMO_ATTACHMENT_FOLLOWING]
    = { N_("Waiting for the First Block"), NULL, TRUE, FALSE, FALSE },
  [KYMO_ATTACHMENT_WAITING]
    = { N_("No Connection"), "network-offline-symbolic", FALSE, TRUE, TRUE },
  [KYMO_ATTACHMENT_NO_STREAM]
    = { N_("No Utilization Stream"), "dialog-question-symbolic", FALSE,
        TRUE, TRUE },
  [KYMO_ATTACHMENT_ENDED]
    = { N_("The Program Has Ended"), "emblem-ok-symbolic", FALSE, TRUE,
        TRUE },
  [KYMO_ATTACHMENT_FAILED]
    = { N_("Cannot Attach"), "dialog-error-symbolic", FALSE, TRUE, TRUE },
};

static char *
words_of (const char *sentence, gint64 retry_us)
{
  gint64 left_us = retry_us - g_get_monotonic_time ();
  gint64 left_s = (left_us + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
  g_autofree char *when = NULL;

  if (retry_us == 0)
    return g_strdup (sentence != NULL ? sentence : "");
  when = left_s > 0
         ? g_strdup_printf (ngettext ("next try in %d second",
                                      "next try in %d seconds", (int) left_s),
                            (int) left_s)
         : g_strdup (_("trying again"));
  return g_strdup_printf ("%s · %s", sentence != NULL ? sentence : "", when);
}

/**
 * kymo_feed_waiting_dup_words:
 *
 * Returns: (transfer full): the sentence of @status with the seconds to the next try, where a try
 * is planned; the seconds count from now
 */
char *
kymo_feed_waiting_dup_words (const KymoFeedStatus *status)
{
  return words_of (status->sentence, status->retry_us);
}

static gboolean
show_words (gpointer data)
{
  KymoFeedWaiting *self = data;
  g_autofree char *words = words_of (self->sentence, self->retry_us);
  g_autofree char *safe = kymo_page_dup_markup (words);

  adw_status_page_set_description (self->page, safe);
  return G_SOURCE_CONTINUE;
}

static void
show_face (KymoFeedWaiting *self)
{
  const Face *face = &faces[MIN (self->state, G_N_ELEMENTS (faces) - 1)];

  adw_status_page_set_title (self->page, _(face->title));
  adw_status_page_set_icon_name (self->page, face->icon);
  /* One that spins unseen keeps the window drawing all the same. */
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), face->busy
                            && gtk_widget_get_mapped (GTK_WIDGET (self)));
  gtk_widget_set_visible (self->spinner, face->busy);
  gtk_widget_set_visible (self->retry, face->can_retry);
  gtk_widget_set_visible (self->change, face->can_change);
}

/**
 * kymo_feed_waiting_show:
 * @status: read here, not kept
 *
 * Shows how the stream stands with the program, and counts down to the next try. The same status
 * again changes nothing.
 */
void
kymo_feed_waiting_show (KymoFeedWaiting *self, const KymoFeedStatus *status)
{
  if (self->state == status->state && self->retry_us == status->retry_us
      && g_strcmp0 (self->sentence, status->sentence) == 0)
    return;
  self->state = status->state;
  self->retry_us = status->retry_us;
  g_free (self->sentence);
  self->sentence = g_strdup (status->sentence);
  show_face (self);
  show_words (self);
  g_clear_handle_id (&self->count_id, g_source_remove);
  if (self->retry_us != 0)
    self->count_id = g_timeout_add (COUNT_DOWN_MS, show_words, self);
}

/* -- building ------------------------------------------------------------- */

static GtkWidget *
build_buttons (KymoFeedWaiting *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->retry = kymo_page_pill (_("Retry"), "win.stream-retry");
  gtk_widget_add_css_class (self->retry, "suggested-action");
  self->change = kymo_page_pill (_("Change Address…"), "win.stream-change");
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->retry);
  gtk_box_append (GTK_BOX (box), self->change);
  gtk_box_append (GTK_BOX (box), kymo_page_pill (_("Close Tab"),
                                                 "win.close-tab"));
  return box;
}

static void
kymo_feed_waiting_dispose (GObject *object)
{
  KymoFeedWaiting *self = KYMO_FEED_WAITING (object);

  g_clear_handle_id (&self->count_id, g_source_remove);
  g_clear_pointer (&self->sentence, g_free);
  G_OBJECT_CLASS (kymo_feed_waiting_parent_class)->dispose (object);
}

static void
kymo_feed_waiting_class_init (KymoFeedWaitingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_feed_waiting_dispose;
}

static void
kymo_feed_waiting_init (KymoFeedWaiting *self)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);

  self->page = ADW_STATUS_PAGE (page);
  self->spinner = gtk_spinner_new ();
  gtk_widget_set_size_request (self->spinner, 32, 32);
  gtk_widget_set_halign (self->spinner, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->spinner);
  gtk_box_append (GTK_BOX (box), build_buttons (self));
  adw_status_page_set_child (self->page, box);
  adw_bin_set_child (ADW_BIN (self), page);
  g_signal_connect (self, "map", G_CALLBACK (show_face), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (show_face), NULL);
  show_face (self);
}

/**
 * kymo_feed_waiting_new:
 *
 * Returns: (transfer floating): the face; kymo_feed_waiting_show() gives it a status
 */
GtkWidget *
kymo_feed_waiting_new (void)
{
  return g_object_new (KYMO_TYPE_FEED_WAITING, NULL);
}
