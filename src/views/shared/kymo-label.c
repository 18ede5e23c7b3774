/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-label.h"

#include "kymo-name.h"
#include "kymo-safe-text.h"

/* (transfer full) (nullable): what can be read of it; @kept: see kymo_safe_text_append() */
static char *
dup_readable (const char *text, const char *kept)
{
  g_autofree char *shown = kymo_name_shown (text);
  GString *safe;

  if (shown == NULL)
    return NULL;
  safe = g_string_new (NULL);
  kymo_safe_text_append (safe, shown, -1, kept);
  return g_string_free (safe, FALSE);
}

/** kymo_label_set: NULL is an empty text */
void
kymo_label_set (GtkWidget *label, const char *text)
{
  g_autofree char *readable = dup_readable (text, "");

  gtk_label_set_text (GTK_LABEL (label), readable != NULL ? readable : "");
}

/** kymo_label_set_lines: NULL is an empty text */
void
kymo_label_set_lines (GtkWidget *label, const char *text)
{
  g_autofree char *readable = dup_readable (text, "\n\t");

  gtk_label_set_text (GTK_LABEL (label), readable != NULL ? readable : "");
}

/** kymo_label_set_tip: for a pointer that rests on the widget */
void
kymo_label_set_tip (GtkWidget *widget, const char *text)
{
  g_autofree char *readable = dup_readable (text, "");

  gtk_widget_set_tooltip_text (widget, readable);
}

/** kymo_label_tell_tip: the same, where a tooltip is asked for; it may have several lines */
void
kymo_label_tell_tip (GtkTooltip *tooltip, const char *text)
{
  g_autofree char *readable = dup_readable (text, "\n\t");

  gtk_tooltip_set_text (tooltip, readable);
}
