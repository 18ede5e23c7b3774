/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "kymo-in-terms.h"
#include "kymo-reduction-words.h"
#include "kymo-reduction-pill.h"

/* kymo-cli info lists all of them. */
#define MOST_ERRORS 40

static void
add_row (GtkWidget *group, const char *title, const char *subtitle,
         const char *value)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label = gtk_label_new (value);
  g_autofree char *safe = g_markup_escape_text (title, -1);
  g_autofree char *safe_subtitle
    = subtitle != NULL ? g_markup_escape_text (subtitle, -1) : NULL;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), safe);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  if (safe_subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), safe_subtitle);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  if (value != NULL)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
}

static void
add_errors (GtkWidget *group, const KymoTable *info, KymoTerms terms)
{
  g_autoptr (GArray) figures = kymo_reduction_figures (info, MOST_ERRORS);

  for (guint i = 0; i < figures->len; i++)
    {
      const KymoReductionFigure *figure
        = &g_array_index (figures, KymoReductionFigure, i);
      g_autofree char *times
        = g_strdup_printf (kymo_in_terms (terms, _("%s by the kept {rows}, in truth %s")),
                           figure->estimated, figure->of_all);

      add_row (group, figure->name, times, figure->error);
    }
}

/**
 * kymo_reduction_group_new:
 * @info: an answer of kind info
 * @terms: of the run
 */
GtkWidget *
kymo_reduction_group_new (const KymoTable *info, KymoTerms terms)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *kept = kymo_reduction_dup_kept (info, terms);
  g_autofree char *error = kymo_reduction_dup_error (info, terms);
  g_autofree char *quality = kymo_reduction_dup_quality (info);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                   _("A reduced run"));
  gtk_widget_set_visible (group, kymo_reduction_is_reduced (info));
  if (!kymo_reduction_is_reduced (info))
    return group;
  add_row (group, kept, NULL, NULL);
  if (quality != NULL)
    add_row (group, _("Quality"),
             kymo_in_terms (terms, _("mean ratio of its blocks to those of all {rows}, "
                                     "by length")),
             quality);
  add_row (group, error, NULL, NULL);
  add_errors (group, info, terms);
  return group;
}
