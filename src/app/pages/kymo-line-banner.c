/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-line-banner.h"

#include <glib/gi18n.h>

#include "kymo-follow.h"
#include "kymo-label.h"

/* So long before its end a job is warned of. */
#define WARN_S 300

/** Banner: owned by its widget */
typedef struct
{
  GtkWidget        *revealer, *words, *retry;
  KymoRemoteSource *source;     /* a reference */
  guint             count_id;
} Banner;

static void
banner_free (gpointer data)
{
  Banner *banner = data;

  g_clear_handle_id (&banner->count_id, g_source_remove);
  g_object_unref (banner->source);
  g_free (banner);
}

/* (transfer full): what is to be read while the line does not stand. */
static char *
dup_words (KymoRemoteLineState state, const char *why, gint64 wait_us)
{
  gint64 wait_s = (wait_us + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;

  if (state == KYMO_REMOTE_LINE_TRYING)
    return g_strdup_printf (_("%s · connecting…"), why);
  if (state == KYMO_REMOTE_LINE_LOST)
    return g_strdup_printf (ngettext ("%s · next try in %d second", "%s · next try in %d seconds",
                                      MAX (wait_s, 1)), why, (int) MAX (wait_s, 1));
  return g_strdup (why);
}

/* (transfer full): what is to be read shortly before the job ends. */
static char *
dup_warning (gint64 left_s)
{
  int minutes = (int) MAX ((left_s + 59) / 60, 1);

  return g_strdup_printf (ngettext ("The job that answers for this run ends in %d minute",
                                    "The job that answers for this run ends in %d minutes",
                                    minutes), minutes);
}

static gboolean count_down (gpointer data);

/* When the words are others; @left_s: of the job, which has an end. */
static guint
choose_pause (KymoRemoteLineState state, gint64 left_s)
{
  if (state == KYMO_REMOTE_LINE_LOST)
    return 1;
  return left_s > WARN_S ? left_s - WARN_S : MAX ((left_s - 1) % 60 + 1, 1);
}

static void
update_banner (Banner *banner)
{
  g_autofree char *why = NULL;
  gint64 wait_us, end_us = kymo_remote_source_get_end (banner->source);
  gint64 left_s = (end_us - g_get_monotonic_time ()) / G_USEC_PER_SEC;
  KymoRemoteLineState state = kymo_remote_source_get_line (banner->source, &why, &wait_us);
  gboolean is_up = state == KYMO_REMOTE_LINE_UP;
  gboolean is_shown = !is_up || (end_us > 0 && left_s <= WARN_S);
  g_autofree char *words = is_up ? dup_warning (left_s) : dup_words (state, why, wait_us);

  gtk_widget_set_visible (banner->revealer, is_shown);
  gtk_revealer_set_reveal_child (GTK_REVEALER (banner->revealer), is_shown);
  gtk_widget_set_visible (banner->retry, !is_up);
  gtk_widget_set_sensitive (banner->retry, state != KYMO_REMOTE_LINE_TRYING);
  g_clear_handle_id (&banner->count_id, g_source_remove);
  if (state == KYMO_REMOTE_LINE_LOST || (is_up && end_us > 0))
    banner->count_id = g_timeout_add_seconds (choose_pause (state, left_s), count_down, banner);
  if (!is_shown || g_strcmp0 (words, gtk_label_get_text (GTK_LABEL (banner->words))) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (banner->words), words);
  gtk_widget_set_tooltip_text (banner->words, words);
}

static gboolean
count_down (gpointer data)
{
  Banner *banner = data;

  banner->count_id = 0;
  update_banner (banner);
  return G_SOURCE_REMOVE;
}

static void
on_line_changed (GtkWidget *revealer)
{
  update_banner (g_object_get_data (G_OBJECT (revealer), "kymo-banner"));
}

static void
retry_line (Banner *banner)
{
  kymo_remote_source_reconnect (banner->source);
}

/**
 * kymo_line_banner_new:
 * @source: whose line is told of
 *
 * Returns: (transfer floating): the banner, which keeps @source alive
 */
GtkWidget *
kymo_line_banner_new (KymoRemoteSource *source)
{
  Banner *banner = g_new0 (Banner, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  banner->source = g_object_ref (source);
  banner->revealer = gtk_revealer_new ();
  banner->words = kymo_label_new_cut (NULL, NULL);
  banner->retry = gtk_button_new_with_label (_("Reconnect Now"));
  gtk_widget_set_hexpand (banner->words, TRUE);
  gtk_box_append (GTK_BOX (box), banner->words);
  gtk_box_append (GTK_BOX (box), banner->retry);
  gtk_widget_add_css_class (box, "kymo-banner");
  gtk_revealer_set_child (GTK_REVEALER (banner->revealer), box);
  gtk_widget_set_visible (banner->revealer, FALSE);
  g_object_set_data_full (G_OBJECT (banner->revealer), "kymo-banner", banner, banner_free);
  g_signal_connect_swapped (banner->retry, "clicked", G_CALLBACK (retry_line), banner);
  kymo_follow (source, "line-changed", on_line_changed, banner->revealer);
  update_banner (banner);
  return banner->revealer;
}
