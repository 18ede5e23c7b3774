/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-finding-head.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-controls.h"
#include "kymo-findings-text.h"
#include "kymo-label.h"

static GtkWidget *
build_copy (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  g_menu_append (menu, _("Copy as _Text"), "findings.copy-text");
  g_menu_append (menu, _("Copy as _Markdown"), "findings.copy-markdown");
  g_menu_append (menu, _("Copy as _Picture"), "win.copy-picture");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "edit-copy-symbolic");
  gtk_widget_set_tooltip_text (button, _("Copy the findings"));
  kymo_controls_name (button, _("Copy the findings"));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_sensitive (button, FALSE);
  return button;
}

static GtkWidget *
build_whole (KymoSession *session)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Whole Run"));

  kymo_controls_speak (button, _("_Whole Run"));
  gtk_widget_set_tooltip_text (button, _("Tell what limits the whole run"));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (button, FALSE);
  g_signal_connect_object (button, "clicked", G_CALLBACK (kymo_session_fit), session,
                           G_CONNECT_SWAPPED);
  return button;
}

/**
 * kymo_finding_head_new:
 * @group: gets the buttons
 * @session: whose visible range becomes the whole run
 *
 * Returns: (transfer full): a head without words; free with g_free(), the widgets are of the group
 */
KymoFindingHead *
kymo_finding_head_new (AdwPreferencesGroup *group, KymoSession *session)
{
  KymoFindingHead *head = g_new0 (KymoFindingHead, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  head->group = group;
  head->whole = build_whole (session);
  head->copy = build_copy ();
  gtk_box_append (GTK_BOX (box), head->whole);
  gtk_box_append (GTK_BOX (box), head->copy);
  adw_preferences_group_set_header_suffix (group, box);
  return head;
}

/**
 * kymo_finding_head_tell:
 * @answer: of kymo_findings_new(), or a draft of it
 *
 * Says of which part of the run the answer is, its efficiencies, and what the run lost.
 */
void
kymo_finding_head_tell (KymoFindingHead *head, const KymoTable *answer)
{
  gboolean is_part = strcmp (kymo_table_get_string (answer, "part", 0), "range") == 0;
  g_autofree char *efficiency = kymo_findings_dup_efficiency (answer);
  g_autofree char *range = is_part ? kymo_findings_dup_range (answer) : g_strdup ("");
  g_autofree char *first = kymo_label_dup_unbroken (efficiency != NULL ? efficiency : range);
  g_autofree char *losses = kymo_findings_dup_losses (answer);
  g_autofree char *both = losses == NULL ? g_steal_pointer (&first)
    : g_strdup_printf ("%s%s%s", first, *first != '\0' ? "\n" : "", losses);

  adw_preferences_group_set_title (head->group, is_part ? _("What limits this part of the run")
                                   : _("What limits the run"));
  adw_preferences_group_set_description (head->group, both);
  gtk_widget_set_visible (head->whole, is_part);
}
