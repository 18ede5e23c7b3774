/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-facts-group.h"
#include "kymo-in-terms.h"
#include "kymo-limits-group.h"
#include "kymo-performance-group.h"
#include "kymo-reduction-pill.h"
#include "kymo-reduction-words.h"
#include "kymo-report-list.h"
#include "kymo-session-profile.h"
#include "kymo-summary-environment.h"
#include "kymo-summary-view.h"
#include "kymo-units.h"

struct _KymoSummaryView
{
  GtkBox parent_instance;

  KymoSession    *session;
  KymoFactsGroup *size, *notes, *origin, *environment, *leaks, *peaks, *probe;
  GtkWidget      *report;
};

G_DEFINE_FINAL_TYPE (KymoSummaryView, kymo_summary_view, GTK_TYPE_BOX)

/* -- what the run is ------------------------------------------------------ */

static void
add_count (GPtrArray *facts, const KymoTable *info, const char *key, const char *title)
{
  g_autofree char *text = NULL;

  if (kymo_table_find_column (info, key) < 0
      || kymo_table_get_int (info, key, 0) == KYMO_NULL_INT)
    return;
  text = kymo_format_count (kymo_table_get_int (info, key, 0));
  kymo_facts_add (facts, title, text);
}

static void
add_bins (GPtrArray *facts, const KymoTable *info)
{
  gint64 shortest = kymo_table_get_int (info, "bin_ns", 0);
  gint64 longest = kymo_table_get_int (info, "longest_bin_ns", 0);
  g_autofree char *first = kymo_format_duration (shortest);
  g_autofree char *last = kymo_format_duration (longest);
  g_autofree char *range = g_strdup_printf (_("%s to %s"), first, last);

  add_count (facts, info, "bins", _("Bins of time"));
  kymo_facts_add (facts, _("Length of a bin"), shortest == longest ? first : range);
}

static void
add_stream (GPtrArray *facts, const KymoTable *info)
{
  KymoTable *stream = kymo_table_peek_nested (info, "stream", NULL);

  if (stream == NULL)
    return;
  add_count (facts, stream, "blocks", _("Blocks received"));
  add_count (facts, stream, "lost", _("Blocks lost"));
}

static GPtrArray *
facts_of_size (const KymoTable *info, KymoSession *session)
{
  KymoTerms terms = kymo_session_get_terms (session);
  gboolean time = kymo_session_has_time (session);
  GPtrArray *facts = kymo_facts_new ();
  gint64 begin = kymo_table_get_int (info, "begin_ns", 0);
  gint64 end = kymo_table_get_int (info, "end_ns", 0);
  g_autofree char *length = kymo_format_duration (end - begin);

  if (time)
    kymo_facts_add (facts, _("Duration"), length);
  if (kymo_table_get_bool (info, "overhead_is_rest", 0))
    {
      add_count (facts, info, "locations_original",
                 kymo_in_terms (terms, _("{Rows} in the mean")));
      add_stream (facts, info);
    }
  else if (kymo_reduction_is_reduced (info)
           && kymo_table_get_int (info, "locations_kept", 0)
              < kymo_table_get_int (info, "locations_original", 0))
    {
      g_autofree char *share = kymo_reduction_dup_share (info, terms);

      kymo_facts_add (facts, kymo_in_terms (terms, _("{Rows} kept")), share);
    }
  else if (kymo_table_get_int (info, "communication_threads", 0) == 0)
    add_count (facts, info, "locations", kymo_in_terms (terms, _("{Rows}")));
  else
    {
      add_count (facts, info, "workers", _("Workers"));
      add_count (facts, info, "communication_threads",
                 _("Communication threads, in no average"));
    }
  if (kymo_table_find_column (info, "bins") >= 0)
    add_bins (facts, info);
  else if (time)
    {
      add_count (facts, info, "records", _("Records"));
      add_count (facts, info, "intervals", _("Blocks"));
      add_count (facts, info, "messages", _("Messages"));
    }
  if (time)
    add_count (facts, info, "points", _("Events and notes"));
  add_count (facts, info, "activities",
             kymo_in_terms (terms, time ? _("{Codes} and events")
                                        : _("{Codes}")));
  return facts;
}

/* "command_line" -> "Command line"; facts that every run has in the person's language */
static char *
words_of_key (const char *key)
{
  static const struct { const char *key, *words; } known[] = {
    { "program", N_("Program") }, { "command_line", N_("Command line") },
    { "machine", N_("Machine") }, { "host", N_("Host") }, { "user", N_("User") },
    { "started", N_("Started") }, { "timestamp", N_("Run ended") },
    { "names_written", N_("Names written") }, { "runtime_version", N_("Runtime") },
  };
  char *words;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i].key, key) == 0)
      return g_strdup (_(known[i].words));
  words = g_strdup (key);

  g_strdelimit (words, "_-", ' ');
  if (*words != '\0')
    *words = g_ascii_toupper (*words);
  return words;
}

static GPtrArray *
facts_of_origin (const KymoTable *info)
{
  GPtrArray *facts = kymo_facts_new ();
  KymoTable *run = kymo_table_peek_nested (info, "run", NULL);
  const char *path = kymo_table_get_string (info, "path", 0);
  const char *format = kymo_table_get_string (info, "format", 0);
  const char *version = kymo_table_get_string (info, "format_version", 0);
  g_autofree char *both = g_strdup_printf ("%s %s", format ? format : "",
                                           version ? version : "");

  for (guint i = 0; run != NULL && kymo_table_get_n_rows (run) > 0
                    && i < kymo_table_get_n_columns (run); i++)
    {
      const char *key = kymo_table_get_column_name (run, i);
      g_autofree char *title = words_of_key (key);

      if (kymo_table_get_column_type (run, i) == KYMO_COLUMN_STRING
          && kymo_table_get_string (run, key, 0) != NULL)
        kymo_facts_add (facts, title, kymo_table_get_string (run, key, 0));
    }
  if (path != NULL)
    kymo_facts_add (facts, _("Folder"), path);
  kymo_facts_add (facts, _("Format"), both);
  return facts;
}

/* What the run does not know. */
static GPtrArray *
facts_of_notes (const KymoTable *info)
{
  KymoTable *notes = kymo_table_peek_nested (info, "notes", NULL);
  GPtrArray *facts = kymo_facts_new ();

  for (guint i = 0; notes != NULL && i < kymo_table_get_n_rows (notes); i++)
    kymo_facts_add (facts, kymo_table_get_string (notes, "value", i), NULL);
  return facts;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_summary_view_dispose (GObject *object)
{
  g_clear_object (&KYMO_SUMMARY_VIEW (object)->session);
  G_OBJECT_CLASS (kymo_summary_view_parent_class)->dispose (object);
}

static void
kymo_summary_view_class_init (KymoSummaryViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_summary_view_dispose;
}

static void
kymo_summary_view_init (KymoSummaryView *self)
{
}

/* Of profiles there is no idle time and no range: nothing of this. */
static void
add_performance (GtkWidget *page, KymoSession *session)
{
  GtkWidget *figures = kymo_performance_group_new (session, FALSE);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (figures),
                                   kymo_session_get_extrapolates (session)
                                   ? kymo_in_terms_of (
                                       session, _("Efficiency, extrapolated to "
                                                  "all {rows}"))
                                   : _("Efficiency of the whole run"));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (figures));
  if (kymo_session_has_time (session))
    adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (
                                kymo_performance_group_new (session, TRUE)));
}

static GtkWidget *
add_group (GtkWidget *page, GtkWidget *group)
{
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  return group;
}

/**
 * kymo_summary_view_set_info:
 * @info: an answer of kind info, of the run as it is now
 *
 * Figures change in their place: scrolling and the focus stay.
 */
void
kymo_summary_view_set_info (KymoSummaryView *self, const KymoTable *info)
{
  kymo_facts_group_set (self->size, facts_of_size (info, self->session));
  kymo_facts_group_set (self->notes, facts_of_notes (info));
  kymo_facts_group_set (self->origin, facts_of_origin (info));
  kymo_facts_group_set (self->environment, kymo_summary_environment_facts (info));
  kymo_facts_group_set (self->leaks, kymo_summary_leak_facts (info));
  kymo_facts_group_set (self->peaks, kymo_summary_peak_facts (info));
  kymo_facts_group_set (self->probe, kymo_summary_probe_facts (info));
  kymo_report_list_set_info (self->report, info);
}

/** kymo_summary_view_new: @info: an answer of kind info */
GtkWidget *
kymo_summary_view_new (KymoSession *session, const KymoTable *info)
{
  KymoSummaryView *self = g_object_new (KYMO_TYPE_SUMMARY_VIEW, NULL);
  GtkWidget *page = adw_preferences_page_new ();

  kymo_limits_group_widen_page (page);
  self->session = g_object_ref (session);
  add_performance (page, session);
  add_group (page, kymo_reduction_group_new (info, kymo_session_get_terms (session)));
  self->size = KYMO_FACTS_GROUP (add_group (page, kymo_facts_group_new (_("Size"))));
  self->notes = KYMO_FACTS_GROUP (add_group (page, kymo_facts_group_new (
                                               _("What to know of the figures"))));
  self->origin = KYMO_FACTS_GROUP (add_group (page, kymo_facts_group_new (
                                                _("Where it comes from"))));
  self->leaks = KYMO_FACTS_GROUP (add_group (page, kymo_facts_group_new (
                                               _("Memory that was never freed, by call site"))));
  self->peaks = KYMO_FACTS_GROUP (add_group (page, kymo_facts_group_new (
                                               _("Most memory of a process, by call site"))));
  self->probe = KYMO_FACTS_GROUP (add_group (page, kymo_facts_group_new (
                                               _("What the machine can do"))));
  self->environment = KYMO_FACTS_GROUP (add_group (page, kymo_facts_group_new (
                                                     _("Environment"))));
  self->report = add_group (page, kymo_report_list_new (info));
  kymo_summary_view_set_info (self, info);
  gtk_widget_set_vexpand (page, TRUE);
  gtk_widget_set_hexpand (page, TRUE);
  gtk_box_append (GTK_BOX (self), page);
  return GTK_WIDGET (self);
}
