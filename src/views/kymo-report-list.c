/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-report-list.h"
#include "kymo-units.h"

/* More rows than anybody reads; kymo-cli info lists them all. */
#define MOST_ROWS 200

static KymoTable *
peek_issues (const KymoTable *info)
{
  KymoTable *report = kymo_table_peek_nested (info, "report", NULL);

  return report != NULL ? kymo_table_peek_nested (report, "issues", NULL)
                        : NULL;
}

static guint
count_of (KymoTable *issues, const char *severity)
{
  guint n = 0;

  for (guint i = 0; issues != NULL && i < kymo_table_get_n_rows (issues); i++)
    n += g_strcmp0 (kymo_table_get_string (issues, "severity", i),
                    severity) == 0;
  return n;
}

/** kymo_report_dup_headline: */
char *
kymo_report_dup_headline (const KymoTable *info)
{
  KymoTable *issues = peek_issues (info);
  guint lost = count_of (issues, "lost");
  guint repaired = count_of (issues, "repaired");

  /* Clocks that the person had corrected contradict nothing; the status bar
     tells of them. */
  if (repaired > 0 && kymo_table_peek_nested (info, "clock_correction", NULL) != NULL)
    repaired--;
  if (lost > 0)
    return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "Something of this run is missing or damaged "
                   "(%u problem while reading)",
                   "Something of this run is missing or damaged "
                   "(%u problems while reading)", lost), lost);
  if (repaired > 0)
    return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "Contradictory records were repaired (%u kind)",
                   "Contradictory records were repaired (%u kinds)",
                   repaired), repaired);
  return NULL;
}

static const char *
severity_icon (const char *severity)
{
  if (g_strcmp0 (severity, "lost") == 0)
    return "dialog-error-symbolic";
  if (g_strcmp0 (severity, "repaired") == 0)
    return "dialog-warning-symbolic";
  return "dialog-information-symbolic";
}

static const char *
severity_word (const char *severity)
{
  if (g_strcmp0 (severity, "lost") == 0)
    return _("lost");
  if (g_strcmp0 (severity, "repaired") == 0)
    return _("repaired");
  return _("note");
}

/* "lost · app.1.log · count 3, first at byte 19,977", of what is known. */
static char *
issue_place (const char *severity, const char *file, gint64 count,
             gint64 offset)
{
  GString *text = g_string_new (severity_word (severity));
  g_autofree char *number = kymo_format_count (count);

  g_string_append_printf (text, " · %s", file != NULL ? file : _("whole run"));
  if (count != 1)
    g_string_append_printf (text, _(" · count %s"), number);
  if (offset != KYMO_NULL_INT && offset >= 0)
    {
      g_autofree char *byte = kymo_format_count (offset);

      g_string_append_printf (text, count == 1 ? _(" · at byte %s")
                                               : _(", first at byte %s"), byte);
    }
  return g_string_free (text, FALSE);
}

static GtkWidget *
issue_row (KymoTable *issues, guint index)
{
  GtkWidget *row = adw_action_row_new ();
  const char *file = kymo_table_get_string (issues, "file", index);
  const char *what = kymo_table_get_string (issues, "what", index);
  const char *severity = kymo_table_get_string (issues, "severity", index);
  gint64 count = kymo_table_get_int (issues, "count", index);
  gint64 offset = kymo_table_get_int (issues, "offset", index);
  g_autofree char *title = g_markup_escape_text (what != NULL ? what : "", -1);
  g_autofree char *plain = issue_place (severity, file, count, offset);
  g_autofree char *subtitle = g_markup_escape_text (plain, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name (
    severity_icon (severity)));
  return row;
}

/** kymo_report_list_new: @info: an answer of kind info */
GtkWidget *
kymo_report_list_new (const KymoTable *info)
{
  GtkWidget *group = adw_preferences_group_new ();
  KymoTable *issues = peek_issues (info);
  guint n = issues != NULL ? kymo_table_get_n_rows (issues) : 0;

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                   _("Load report"));
  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (group),
    issues == NULL ? _("The run is still being read.")
    : n == 0 ? _("Everything was read: nothing is missing, nothing repaired.")
    : _("What was lost, repaired or worth a note while reading."));
  for (guint i = 0; i < MIN (n, MOST_ROWS); i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                               issue_row (issues, i));
  return group;
}

/** kymo_report_dialog_show: */
void
kymo_report_dialog_show (GtkWindow *parent, const KymoTable *info)
{
  GtkWidget *window = adw_window_new (), *page = adw_preferences_page_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                      gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
  gtk_window_set_title (GTK_WINDOW (window), _("Load Report"));
  gtk_window_set_default_size (GTK_WINDOW (window), 640, 480);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (kymo_report_list_new (info)));
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
}
