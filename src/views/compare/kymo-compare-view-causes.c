/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What changed the time between two sides, by cause: the line at the top of the view. It follows
 * what is compared.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-changes.h"
#include "kymo-compare-view-private.h"
#include "kymo-label.h"

/* The others stand in the tooltip. */
#define MOST_LINES 3

static void
on_changes (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCompareView *self = data;
  g_autofree char *headline = answer != NULL ? kymo_changes_dup_headline (answer) : NULL;
  g_auto (GStrv) lines = answer != NULL ? kymo_changes_dup_lines (answer) : NULL;
  g_autofree char *causes = lines != NULL ? g_strjoinv (" · ", lines) : NULL;
  g_autofree char *tip = lines != NULL ? g_strjoinv ("\n", lines) : NULL;
  g_autofree char *words = causes != NULL && *causes != '\0'
    /* Translators: how the times of two runs differ, and the causes with their times. */
    ? g_strdup_printf (_("%s %s"), headline, causes) : g_strdup (headline);

  g_autofree char *unbroken = words != NULL ? kymo_label_dup_unbroken (words) : NULL;

  gtk_widget_set_visible (self->causes, unbroken != NULL);
  kymo_label_set (self->causes, unbroken != NULL ? unbroken : "");
  kymo_label_set_tip (self->causes, tip != NULL ? tip : "");
}

/**
 * kymo_compare_view_build_causes:
 *
 * Returns: (transfer floating): the line, hidden until causes are known
 */
GtkWidget *
kymo_compare_view_build_causes (KymoCompareView *self)
{
  self->causes = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->causes), TRUE);
  gtk_label_set_lines (GTK_LABEL (self->causes), MOST_LINES);
  gtk_label_set_ellipsize (GTK_LABEL (self->causes), PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (GTK_LABEL (self->causes), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->causes), 0);
  gtk_widget_add_css_class (self->causes, "kymo-headline");
  gtk_widget_set_visible (self->causes, FALSE);
  self->changes_asker = kymo_asker_new (KYMO_SOURCE (self->comparison), on_changes, self);
  kymo_asker_set_work (self->changes_asker, kymo_changes_ask);
  return self->causes;
}

/** kymo_compare_view_ask_causes: what is compared is another */
void
kymo_compare_view_ask_causes (KymoCompareView *self)
{
  kymo_asker_ask (self->changes_asker, kymo_compare_view_new_question (self));
}
