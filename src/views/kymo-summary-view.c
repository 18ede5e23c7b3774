/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "kymo-in-terms.h"
#include "kymo-performance-group.h"
#include "kymo-reduction-pill.h"
#include "kymo-reduction-words.h"
#include "kymo-report-list.h"
#include "kymo-session-profile.h"
#include "kymo-summary-view.h"
#include "kymo-units.h"

/* A longer value goes below its name. */
#define LONG_CHARS 44

struct _KymoSummaryView
{
  GtkBox parent_instance;
};

G_DEFINE_FINAL_TYPE (KymoSummaryView, kymo_summary_view, GTK_TYPE_BOX)

static void
add_row (GtkWidget *group, const char *title, const char *value,
         const char *explanation)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label;
  g_autofree char *safe = g_markup_escape_text (title, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), safe);
  if (explanation != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), explanation);
  if (g_utf8_strlen (value, -1) > LONG_CHARS)
    {
      g_autofree char *safe_value = g_markup_escape_text (value, -1);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), safe_value);
      adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
      return;
    }
  label = gtk_label_new (value);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
}

/* -- what the run is ------------------------------------------------------ */

static void
add_count (GtkWidget *group, const KymoTable *info, const char *key,
           const char *title)
{
  g_autofree char *text = NULL;

  if (kymo_table_find_column (info, key) < 0
      || kymo_table_get_int (info, key, 0) == KYMO_NULL_INT)
    return;
  text = kymo_format_count (kymo_table_get_int (info, key, 0));
  add_row (group, title, text, NULL);
}

static void
add_bins (GtkWidget *group, const KymoTable *info)
{
  gint64 shortest = kymo_table_get_int (info, "bin_ns", 0);
  gint64 longest = kymo_table_get_int (info, "longest_bin_ns", 0);
  g_autofree char *first = kymo_format_duration (shortest);
  g_autofree char *last = kymo_format_duration (longest);
  g_autofree char *range = g_strdup_printf (_("%s to %s"), first, last);

  add_count (group, info, "bins", _("Bins of time"));
  add_row (group, _("Length of a bin"), shortest == longest ? first : range,
           NULL);
}

static void
add_stream (GtkWidget *group, const KymoTable *info)
{
  KymoTable *stream = kymo_table_peek_nested (info, "stream", NULL);

  if (stream == NULL)
    return;
  add_count (group, stream, "blocks", _("Blocks received"));
  add_count (group, stream, "lost", _("Blocks lost"));
}

static GtkWidget *
build_size (const KymoTable *info, KymoSession *session)
{
  KymoTerms terms = kymo_session_get_terms (session);
  gboolean time = kymo_session_has_time (session);
  GtkWidget *group = adw_preferences_group_new ();
  gint64 begin = kymo_table_get_int (info, "begin_ns", 0);
  gint64 end = kymo_table_get_int (info, "end_ns", 0);
  g_autofree char *length = kymo_format_duration (end - begin);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Size"));
  if (time)
    add_row (group, _("Duration"), length, NULL);
  if (kymo_table_get_bool (info, "overhead_is_rest", 0))
    {
      add_count (group, info, "locations_original",
                 kymo_in_terms (terms, _("{Rows}, their mean")));
      add_stream (group, info);
    }
  else if (kymo_reduction_is_reduced (info)
           && kymo_table_get_int (info, "locations_kept", 0)
              < kymo_table_get_int (info, "locations_original", 0))
    {
      g_autofree char *share = kymo_reduction_dup_share (info);

      add_row (group, kymo_in_terms (terms, _("{Rows} kept")), share, NULL);
    }
  else if (kymo_table_get_int (info, "communication_threads", 0) == 0)
    add_count (group, info, "locations", kymo_in_terms (terms, _("{Rows}")));
  else
    {
      add_count (group, info, "workers", _("Workers"));
      add_count (group, info, "communication_threads",
                 _("Communication threads, in no average"));
    }
  if (kymo_table_find_column (info, "bins") >= 0)
    add_bins (group, info);
  else if (time)
    {
      add_count (group, info, "records", _("Records"));
      add_count (group, info, "intervals", _("Blocks"));
      add_count (group, info, "messages", _("Messages"));
    }
  if (time)
    add_count (group, info, "points", _("Events and notes"));
  add_count (group, info, "activities",
             kymo_in_terms (terms, time ? _("{Codes} and events")
                                        : _("{Codes}")));
  return group;
}

/* "command_line" -> "Command line" */
static char *
words_of_key (const char *key)
{
  char *words = g_strdup (key);

  g_strdelimit (words, "_-", ' ');
  if (*words != '\0')
    *words = g_ascii_toupper (*words);
  return words;
}

static GtkWidget *
build_origin (const KymoTable *info)
{
  GtkWidget *group = adw_preferences_group_new ();
  KymoTable *run = kymo_table_peek_nested (info, "run", NULL);
  const char *path = kymo_table_get_string (info, "path", 0);
  const char *format = kymo_table_get_string (info, "format", 0);
  const char *version = kymo_table_get_string (info, "format_version", 0);
  g_autofree char *both = g_strdup_printf ("%s %s", format ? format : "",
                                           version ? version : "");

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                   _("Where it comes from"));
  for (guint i = 0; run != NULL && kymo_table_get_n_rows (run) > 0
                    && i < kymo_table_get_n_columns (run); i++)
    {
      const char *key = kymo_table_get_column_name (run, i);
      g_autofree char *title = words_of_key (key);

      if (kymo_table_get_column_type (run, i) == KYMO_COLUMN_STRING
          && kymo_table_get_string (run, key, 0) != NULL)
        add_row (group, title, kymo_table_get_string (run, key, 0), NULL);
    }
  if (path != NULL)
    add_row (group, _("Folder"), path, NULL);
  add_row (group, _("Format"), both, NULL);
  return group;
}

/* What the run does not know. */
static GtkWidget *
build_notes (const KymoTable *info)
{
  KymoTable *notes = kymo_table_peek_nested (info, "notes", NULL);
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                   _("What to know of the figures"));
  for (guint i = 0; notes != NULL && i < kymo_table_get_n_rows (notes); i++)
    {
      GtkWidget *row = adw_action_row_new ();
      g_autofree char *safe = g_markup_escape_text (
        kymo_table_get_string (notes, "value", i), -1);

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), safe);
      adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
    }
  gtk_widget_set_visible (group, notes != NULL);
  return group;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_summary_view_class_init (KymoSummaryViewClass *klass)
{
}

static void
kymo_summary_view_init (KymoSummaryView *self)
{
}

/* Of profiles there is no idle time and no range: nothing of this. */
static void
add_performance (GtkWidget *page, KymoSession *session)
{
  const KymoCapabilities growing_stream = KYMO_CAN_GROWING | KYMO_CAN_STREAM;
  GtkWidget *figures = kymo_performance_group_new (session, FALSE);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (figures),
                                   kymo_session_get_extrapolates (session)
                                   ? kymo_in_terms_of (
                                       session, _("How it did, extrapolated to "
                                                  "all {rows}"))
                                   : _("How it did"));
  if ((kymo_source_get_capabilities (kymo_session_peek_source (session))
       & growing_stream) == growing_stream)
    adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (figures),
      _("As it stood when this page was opened"));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (figures));
  if (kymo_session_has_time (session))
    adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (
                                kymo_performance_group_new (session, TRUE)));
}

/** kymo_summary_view_new: @info: an answer of kind info */
GtkWidget *
kymo_summary_view_new (KymoSession *session, const KymoTable *info)
{
  KymoSummaryView *self = g_object_new (KYMO_TYPE_SUMMARY_VIEW, NULL);
  GtkWidget *page = adw_preferences_page_new ();

  add_performance (page, session);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (
                              kymo_reduction_group_new (info)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (build_size (info, session)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (build_notes (info)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (build_origin (info)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (kymo_report_list_new (info)));
  gtk_widget_set_vexpand (page, TRUE);
  gtk_widget_set_hexpand (page, TRUE);
  gtk_box_append (GTK_BOX (self), page);
  return GTK_WIDGET (self);
}
