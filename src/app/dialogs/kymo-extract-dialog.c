/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is chosen when the dialog opens holds for it: it is modal.
 */
#include "config.h"

#include "kymo-extract-dialog.h"

#include <glib/gi18n.h>

#include "kymo-in-terms.h"
#include "kymo-part.h"
#include "kymo-run-source.h"
#include "kymo-units.h"

#define MOST_RANGES 3

typedef struct
{
  KymoWriteDialog *dialog;
  KymoRun         *run;
  char            *path;
  GArray          *chosen, *all;       /* gint64: PEs */
  KymoSpan         spans[MOST_RANGES]; /* by row of the list */
  GtkWidget       *pes, *time, *records;
} Extract;

typedef struct
{
  KymoRun  *run;
  char     *path;
  GArray   *pes;
  KymoSpan  span;
} Wish;

static void
extract_free (gpointer data)
{
  Extract *self = data;

  kymo_run_unref (self->run);
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
  wish->run = kymo_run_ref (self->run);
  return wish;
}

static void
free_wish (gpointer data)
{
  Wish *wish = data;

  g_array_unref (wish->pes);
  kymo_run_unref (wish->run);
  g_free (wish->path);
  g_free (wish);
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
  g_autofree char *what = pes_text (self->run->terms, pes);
  g_autofree char *when = span_text (chosen_span (self)), *most = NULL;
  gint64 n = 0;

  for (guint i = 0; i < pes->len; i++)
    n += kymo_run_peek_location (self->run, kymo_run_find_location (
      self->run, g_array_index (pes, gint64, i)))->n_records;
  most = kymo_format_count (n);
  if (self->pes != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->pes), what);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->time), when);
  gtk_label_set_text (GTK_LABEL (self->records), most);
  kymo_write_dialog_set_reason (self->dialog, kymo_span_length (chosen_span (self)) > 0
                                || kymo_span_length (self->run->span) == 0 ? NULL
                                : _("This range is empty"));
}

static void
add_pes (Extract *self, GtkWidget *group)
{
  const char *choices[] = { _("Those chosen in the sidebar"), _("All"), NULL };
  gboolean some = self->chosen->len < self->all->len;

  self->pes = combo_row (kymo_in_terms (self->run->terms, _("{Rows}")),
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
  KymoSpan visible = kymo_span_intersect (kymo_session_get_range (session), self->run->span);
  guint n = 0;

  if (kymo_session_get_selection (session, &self->spans[n]))
    {
      self->spans[n] = kymo_span_intersect (self->spans[n], self->run->span);
      choices[n++] = _("The selected range");
    }
  if (visible.begin_ns != self->run->span.begin_ns || visible.end_ns != self->run->span.end_ns)
    {
      self->spans[n] = visible;
      choices[n++] = _("The visible range");
    }
  self->spans[n] = self->run->span;
  choices[n] = _("All of it");
  self->time = combo_row (_("Time"), choices);
  g_signal_connect_swapped (self->time, "notify::selected", G_CALLBACK (update_extract_dialog),
                            self);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->time);
}

/* Logs are copied record by record; other runs are written anew, an archive as an archive. */
static const char *
what_is_written (const KymoRun *run)
{
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
    kymo_in_terms (self->run->terms,
                   what_is_written (self->run)));
  add_pes (self, group);
  add_time (self, group, session);
  self->records = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->records, "dim-label");
  gtk_widget_add_css_class (self->records, "numeric");
  adw_preferences_row_set_title (
    ADW_PREFERENCES_ROW (row), kymo_in_terms (self->run->terms, _("Records of These {Rows}")));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _("Over the whole run"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), self->records);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

/* -- the dialog ------------------------------------------------------------ */

static void
list_pes (Extract *self, KymoSession *session)
{
  KymoIdSet *locations = kymo_session_peek_locations (session);

  self->chosen = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->all = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < self->run->locations->len; i++)
    {
      gint64 id = kymo_run_peek_location (self->run, i)->id;

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
  g_autoptr (GError) error = NULL;

  self->run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));
  self->path = g_strdup (path);
  list_pes (self, session);
  self->dialog = kymo_write_dialog_new (parent, &klass, self, path, self->run->title);
  kymo_write_dialog_add (self->dialog, build_what (self, session));
  update_extract_dialog (self);
  if (!kymo_part_check (self->run, &error))
    kymo_write_dialog_refuse (self->dialog, error->message);
  else if (self->chosen->len == 0)
    kymo_write_dialog_refuse (self->dialog, kymo_in_terms (
      self->run->terms, _("No {row} is chosen in the sidebar")));
  return kymo_write_dialog_present (self->dialog, done, data);
}
