/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-report-list.h"
#include "kymo-report.h"
#include "kymo-safe-text.h"
#include "kymo-units.h"

/* More rows than anybody reads; kymo-cli info lists them all. */
#define MOST_ROWS 200
/* Name of the list's data: its IssueRow. */
#define ROWS "kymo-rows"

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

/**
 * kymo_report_dup_headline:
 * @info: an answer of kind info
 *
 * Says in one sentence whether data are lost, or else whether contradictory records were repaired.
 * A clock correction that the person chose does not count as a repair.
 *
 * Returns: (transfer full) (nullable): the sentence; %NULL where nothing is lost or repaired
 */
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
    return kymo_report_dup_lost (lost);
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

/**
 * kymo_report_severity_word:
 * @severity: (nullable): as an answer of kind info has it
 *
 * Returns: (transfer none): the translated word, static: "lost", "repaired" or "note"
 */
const char *
kymo_report_severity_word (const char *severity)
{
  if (g_strcmp0 (severity, "lost") == 0)
    return _("lost");
  if (g_strcmp0 (severity, "repaired") == 0)
    return _("repaired");
  return _("note");
}

/* "lost · app.1.log · 3 times, first at byte 19,977", as far as known. */
static char *
issue_place (const char *severity, const char *file, gint64 count,
             gint64 offset)
{
  GString *text = g_string_new (kymo_report_severity_word (severity));
  g_autofree char *number = kymo_format_count (count);

  g_string_append_printf (text, " · %s", file != NULL ? file : _("whole run"));
  if (count != 1)
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, " · %s time", " · %s times", count),
                            number);
  if (offset != KYMO_NULL_INT && offset >= 0)
    {
      g_autofree char *byte = kymo_format_count (offset);

      g_string_append_printf (text, count == 1 ? _(" · at byte %s")
                                               : _(", first at byte %s"), byte);
    }
  return g_string_free (text, FALSE);
}

/** IssueRow: of one issue */
typedef struct
{
  GtkWidget *row, *icon;
} IssueRow;

static IssueRow *
issue_row_new (void)
{
  IssueRow *self = g_new0 (IssueRow, 1);

  self->row = adw_action_row_new ();
  self->icon = gtk_image_new ();
  adw_action_row_set_title_lines (ADW_ACTION_ROW (self->row), 0);
  adw_action_row_add_prefix (ADW_ACTION_ROW (self->row), self->icon);
  return self;
}

static void
fill_row (IssueRow *self, KymoTable *issues, guint index)
{
  const char *file = kymo_table_get_string (issues, "file", index);
  const char *what = kymo_table_get_string (issues, "what", index);
  const char *severity = kymo_table_get_string (issues, "severity", index);
  gint64 count = kymo_table_get_int (issues, "count", index);
  gint64 offset = kymo_table_get_int (issues, "offset", index);
  /* Kept and told in English (cache files, the command line): translated where it is shown. */
  g_autofree char *words = kymo_safe_text_dup (what != NULL && *what != '\0' ? _(what) : "");
  g_autofree char *title = g_markup_escape_text (words, -1);
  g_autofree char *place = issue_place (severity, file, count, offset);
  g_autofree char *plain = kymo_safe_text_dup (place);
  g_autofree char *subtitle = g_markup_escape_text (plain, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->row), subtitle);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), severity_icon (severity));
}

/* The first rows stay, whatever they told before. */
static void
set_rows (GtkWidget *group, GPtrArray *rows, KymoTable *issues, guint n)
{
  while (rows->len > n)
    {
      adw_preferences_group_remove (ADW_PREFERENCES_GROUP (group),
                                    ((IssueRow *) rows->pdata[rows->len - 1])->row);
      g_ptr_array_set_size (rows, rows->len - 1);
    }
  for (guint i = 0; i < n; i++)
    {
      if (i == rows->len)
        {
          IssueRow *row = issue_row_new ();

          adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row->row);
          g_ptr_array_add (rows, row);
        }
      fill_row (rows->pdata[i], issues, i);
    }
}

/** kymo_report_list_set_info: @group: such a list; @info: an answer of kind info */
void
kymo_report_list_set_info (GtkWidget *group, const KymoTable *info)
{
  KymoTable *issues = peek_issues (info);
  guint n = issues != NULL ? kymo_table_get_n_rows (issues) : 0;

  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (group),
    issues == NULL ? _("The run is still being read.")
    : n == 0 ? _("Everything was read: nothing is missing, nothing repaired.")
    : _("What was lost, repaired or worth a note while reading."));
  set_rows (group, g_object_get_data (G_OBJECT (group), ROWS), issues, MIN (n, MOST_ROWS));
}

/** kymo_report_list_new: @info: an answer of kind info */
GtkWidget *
kymo_report_list_new (const KymoTable *info)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                   _("Load report"));
  g_object_set_data_full (G_OBJECT (group), ROWS, g_ptr_array_new_with_free_func (g_free),
                          (GDestroyNotify) g_ptr_array_unref);
  kymo_report_list_set_info (group, info);
  return group;
}

/**
 * kymo_report_dialog_show:
 * @parent: window that the dialog is modal to
 * @info: an answer of kind info
 *
 * Opens a dialog with the load report, which Escape closes. It does not follow a later answer.
 */
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
