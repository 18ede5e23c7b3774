/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is chosen when the dialog opens holds for it: it is modal.
 */
#include "config.h"

#include "kymo-extract-dialog.h"

#include <glib/gi18n.h>

#include "kymo-in-terms.h"
#include "kymo-part.h"
#include "kymo-remote-source.h"
#include "kymo-run-source.h"
#include "kymo-units.h"

#define MOST_RANGES 3

typedef struct
{
  KymoWriteDialog *dialog;
  KymoSource      *source;
  KymoRun         *run;               /* NULL where it is on another machine */
  KymoTerms        terms;
  KymoSpan         span;
  char            *path;
  GArray          *chosen, *all;       /* gint64: PEs */
  KymoSpan         spans[MOST_RANGES]; /* by row of the list */
  GtkWidget       *pes, *time, *records;
} Extract;

typedef struct
{
  KymoSource *source;
  KymoRun    *run;                    /* NULL where it is on another machine */
  char       *path;
  GArray     *pes;
  KymoSpan    span;
} Wish;

static void
extract_free (gpointer data)
{
  Extract *self = data;

  g_clear_pointer (&self->run, kymo_run_unref);
  g_object_unref (self->source);
  g_array_unref (self->chosen);
  g_array_unref (self->all);
  g_free (self->path);
  g_free (self);
}

/* -- what is chosen -------------------------------------------------------- */

static GArray *
chosen_pes (Extract *self)
{
  return self->pes != NULL && adw_combo_row_get_selected (ADW_COMBO_ROW (self->pes)) == 0
    ? self->chosen : self->all;
}

static KymoSpan
chosen_span (Extract *self)
{
  return self->spans[MIN (adw_combo_row_get_selected (ADW_COMBO_ROW (self->time)),
                          MOST_RANGES - 1)];
}

static gpointer
dup_wish (gpointer user)
{
  Extract *self = user;
  Wish *wish = g_new0 (Wish, 1);

  wish->path = g_strdup (self->path);
  wish->pes = g_array_ref (chosen_pes (self));
  wish->span = chosen_span (self);
  wish->source = g_object_ref (self->source);
  wish->run = self->run != NULL ? kymo_run_ref (self->run) : NULL;
  return wish;
}

static void
free_wish (gpointer data)
{
  Wish *wish = data;

  g_array_unref (wish->pes);
  g_clear_pointer (&wish->run, kymo_run_unref);
  g_object_unref (wish->source);
  g_free (wish->path);
  g_free (wish);
}

/* Where the run lies. */
static char *
write_there (Wish *wish, const char *out, KymoJob *job, GError **error)
{
  g_autofree char *run = kymo_write_dialog_dup_there (wish->path);
  g_autofree char *there = kymo_write_dialog_dup_there (out);
  g_autofree char *pes = kymo_ids_to_text ((const gint64 *) wish->pes->data, wish->pes->len);
  g_autofree char *begin = g_strdup_printf ("%" G_GINT64_FORMAT "ns", wish->span.begin_ns);
  g_autofree char *end = g_strdup_printf ("%" G_GINT64_FORMAT "ns", wish->span.end_ns);
  KymoSpan all = kymo_source_get_span (wish->source);
  GStrvBuilder *words = g_strv_builder_new ();

  g_strv_builder_add_many (words, "extract", run, there, "--locations", pes, "--quiet", NULL);
  if (wish->span.begin_ns != all.begin_ns || wish->span.end_ns != all.end_ns)
    g_strv_builder_add_many (words, "--from", begin, "--to", end, NULL);
  if (kymo_source_has_corrected_clocks (wish->source))
    g_strv_builder_add (words, "--correct-clocks");
  return kymo_write_dialog_work (wish->source, words, job, error);
}

static char *
write_part (gpointer data, const char *out, KymoJob *job, GError **error)
{
  Wish *wish = data;
  const KymoPartWish what =
    {
      .path = wish->path, .locations = (const gint64 *) wish->pes->data,
      .n_locations = wish->pes->len, .span = wish->span, .out = out,
    };
  g_auto (KymoExtractResult) result = { NULL };
  g_autofree char *after = NULL, *before = NULL;

  if (wish->run == NULL)
    return write_there (wish, out, job, error);
  if (!kymo_part_write (wish->run, &what, &result, job, error))
    return NULL;
  if (result.bytes_before < 0 || result.copied->len == 0)
    return kymo_write_dialog_dup_written (&result);
  after = kymo_format_bytes (result.bytes_after);
  before = kymo_format_bytes (result.bytes_before);
  return g_strdup_printf (ngettext ("%s of %s written; %u log is damaged and was copied whole",
                                    "%s of %s written; %u logs are damaged and were copied whole",
                                    result.copied->len), after, before, result.copied->len);
}

/* -- rows ------------------------------------------------------------------ */

static GtkWidget *
combo_row (const char *title, const char *const *choices)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (choices);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  return row;
}

static char *
pes_text (KymoTerms terms, GArray *pes)
{
  g_autofree char *ids = kymo_ids_to_text ((const gint64 *) pes->data, pes->len);

  return pes->len == 1 ? g_strdup_printf (kymo_in_terms (terms, _("{Row} %s")), ids)
    : g_strdup_printf (kymo_in_terms (terms, ngettext ("%u {row}: %s", "%u {rows}: %s",
                                                       pes->len)), pes->len, ids);
}

static char *
span_text (KymoSpan span)
{
  g_autofree char *begin = kymo_format_duration_exact (span.begin_ns);
  g_autofree char *end = kymo_format_duration_exact (span.end_ns);
  g_autofree char *length = kymo_format_duration (kymo_span_length (span));

  return g_strdup_printf (_("%s to %s, %s long"), begin, end, length);
}

/* The most that can be written: what the logs of the PEs hold. */
static void
update_extract_dialog (Extract *self)
{
  GArray *pes = chosen_pes (self);
  g_autofree char *what = pes_text (self->terms, pes);
  g_autofree char *when = span_text (chosen_span (self)), *most = NULL;
  gint64 n = 0;

  for (guint i = 0; self->run != NULL && i < pes->len; i++)
    n += kymo_run_peek_location (self->run, kymo_run_find_location (
      self->run, g_array_index (pes, gint64, i)))->n_records;
  most = kymo_format_count (n);
  if (self->pes != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->pes), what);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->time), when);
  gtk_label_set_text (GTK_LABEL (self->records), most);
  kymo_write_dialog_set_reason (self->dialog, kymo_span_length (chosen_span (self)) > 0
                                || kymo_span_length (self->span) == 0 ? NULL
                                : _("This range is empty"));
}

static void
add_pes (Extract *self, GtkWidget *group)
{
  const char *choices[] = { _("Those chosen in the sidebar"), _("All"), NULL };
  gboolean some = self->chosen->len < self->all->len;

  self->pes = combo_row (kymo_in_terms (self->terms, _("{Rows}")),
                         some ? choices : choices + 1);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (self->pes), 2);
  g_signal_connect_swapped (self->pes, "notify::selected", G_CALLBACK (update_extract_dialog),
                            self);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->pes);
}

/* The selected range first, then what is to be seen, then all. */
static void
add_time (Extract *self, GtkWidget *group, KymoSession *session)
{
  const char *choices[MOST_RANGES + 1] = { NULL };
  KymoSpan visible = kymo_span_intersect (kymo_session_get_range (session), self->span);
  guint n = 0;

  if (kymo_session_get_selection (session, &self->spans[n]))
    {
      self->spans[n] = kymo_span_intersect (self->spans[n], self->span);
      choices[n++] = _("The selected range");
    }
  if (visible.begin_ns != self->span.begin_ns || visible.end_ns != self->span.end_ns)
    {
      self->spans[n] = visible;
      choices[n++] = _("The visible range");
    }
  self->spans[n] = self->span;
  choices[n] = _("All of it");
  self->time = combo_row (_("Time"), choices);
  g_signal_connect_swapped (self->time, "notify::selected", G_CALLBACK (update_extract_dialog),
                            self);
  gtk_widget_set_visible (self->time, self->run == NULL || self->run->profiles == NULL);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->time);
}

/* Logs are copied record by record; other runs are written anew, an archive as an archive. */
static const char *
what_is_written (const KymoRun *run)
{
  if (run == NULL)
    return _("These {rows} and this time, with the records that they need, as a run of its own on "
             "the machine of this one.");
  if (g_strcmp0 (run->format, "projections") == 0)
    return _("The records of these {rows} and this time, and those that they need, as they stand "
             "in the logs: a run that can be opened here and in other programs.");
  if (run->profiles != NULL)
    return _("The figures of these {rows}, as profiles of TAU that can be opened here and in "
             "other programs.");
  if (g_strcmp0 (run->format, "otf2") == 0)
    return _("These {rows} and this time, with the records that they need, as an OTF2 archive "
             "that can be opened here and in other programs.");
  return _("These {rows} and this time, with the records that they need, as a trace of TAU that "
           "can be opened here and in other programs.");
}

static GtkWidget *
build_what (Extract *self, KymoSession *session)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (group),
    kymo_in_terms (self->terms,
                   what_is_written (self->run)));
  add_pes (self, group);
  add_time (self, group, session);
  self->records = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->records, "dim-label");
  gtk_widget_add_css_class (self->records, "numeric");
  adw_preferences_row_set_title (
    ADW_PREFERENCES_ROW (row), kymo_in_terms (self->terms, _("Records of These {Rows}")));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _("Over the whole run"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), self->records);
  /* Profiles have neither records nor times. */
  gtk_widget_set_visible (row, self->run != NULL && self->run->profiles == NULL);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

/* -- the dialog ------------------------------------------------------------ */

static void
list_pes (Extract *self, KymoSession *session)
{
  KymoIdSet *locations = kymo_session_peek_locations (session);
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (self->source);

  self->chosen = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->all = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < facts->ids->len; i++)
    {
      gint64 id = g_array_index (facts->ids, gint64, i);

      g_array_append_val (self->all, id);
      if (locations == NULL || kymo_id_set_contains (locations, id))
        g_array_append_val (self->chosen, id);
    }
}

GtkWindow *
kymo_extract_dialog_present (GtkWindow *parent, KymoSession *session, const char *path,
                             KymoWriteDone done, GObject *data)
{
  static const KymoWriteClass klass =
    {
      N_("Export Selection as a Run"), N_("Export"), "-part", 500, dup_wish, write_part, free_wish,
      extract_free,
    };
  KymoSource *source = kymo_session_peek_source (session);
  Extract *self = g_new0 (Extract, 1);
  g_autofree char *title = NULL;
  g_autoptr (GError) error = NULL;

  self->source = g_object_ref (source);
  self->run = kymo_source_ref_run (source);
  self->terms = kymo_source_get_terms (source);
  self->span = kymo_source_get_span (source);
  self->path = g_strdup (path);
  title = kymo_source_dup_title (source);
  list_pes (self, session);
  self->dialog = kymo_write_dialog_new (parent, &klass, self, path, title);
  kymo_write_dialog_add (self->dialog, build_what (self, session));
  update_extract_dialog (self);
  if (self->run != NULL && !kymo_part_check (self->run, &error))
    kymo_write_dialog_refuse (self->dialog, error->message);
  else if (self->chosen->len == 0)
    kymo_write_dialog_refuse (self->dialog, kymo_in_terms (
      self->terms, _("No {row} is chosen in the sidebar")));
  return kymo_write_dialog_present (self->dialog, done, data);
}
