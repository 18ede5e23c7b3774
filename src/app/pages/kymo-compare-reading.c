/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reading tells a page by its job; an entry is known by the job that it holds, so
 * that one which was stopped, left out or read anew is told nothing of an older
 * reading.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-compare-reading.h"
#include "kymo-accessible.h"
#include "kymo-line-banner.h"
#include "kymo-page.h"
#include "kymo-plot-terms.h"
#include "kymo-run-reading.h"
#include "kymo-units.h"

#define ENTRY_KEY "kymo-compare-entry"
#define BAR_PX 180

/* -- a run ---------------------------------------------------------------- */

static KymoTable *
ask_info (KymoSource *source)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");

  return kymo_source_ask (source, question, NULL, NULL);
}

/**
 * kymo_compare_entry_new:
 * @source: (nullable): the run, where it is read
 */
KymoCompareEntry *
kymo_compare_entry_new (const char *path, KymoSource *source, guint side)
{
  KymoCompareEntry *entry = g_new0 (KymoCompareEntry, 1);

  entry->path = g_strdup (path);
  entry->side = side;
  entry->kept = G_MAXUINT;
  if (source != NULL && (entry->info = ask_info (source)) != NULL)
    entry->source = g_object_ref (source);
  return entry;
}

/**
 * kymo_compare_entry_stop:
 *
 * Cancels the reading of the run. When it has stopped the entry has an error, and its done
 * function is called. Nothing happens where the run is not being read.
 */
void
kymo_compare_entry_stop (KymoCompareEntry *entry)
{
  if (entry->job != NULL)
    kymo_job_cancel (entry->job);
}

static void
drop_job (KymoCompareEntry *entry)
{
  if (entry->job != NULL)
    g_object_set_data (G_OBJECT (entry->job), ENTRY_KEY, NULL);
  g_clear_object (&entry->job);
}

/** kymo_compare_entry_forget: it is to be read anew */
void
kymo_compare_entry_forget (KymoCompareEntry *entry)
{
  kymo_compare_entry_stop (entry);
  drop_job (entry);
  g_clear_object (&entry->source);
  g_clear_pointer (&entry->info, kymo_table_unref);
  g_clear_error (&entry->error);
}

/**
 * kymo_compare_entry_free:
 *
 * Cancels the reading of the run, without a call of its done function, and frees the entry.
 */
void
kymo_compare_entry_free (gpointer data)
{
  KymoCompareEntry *entry = data;

  kymo_compare_entry_forget (entry);
  g_free (entry->path);
  g_free (entry->name);
  g_free (entry);
}

/* A draft is no run to be compared. */
static void
on_loaded (GObject *page, KymoJob *job, const KymoLoaded *loaded, const GError *error)
{
  KymoCompareEntry *entry = g_object_get_data (G_OBJECT (job), ENTRY_KEY);

  if (entry == NULL || (loaded != NULL && loaded->is_draft))
    return;
  drop_job (entry);
  if (loaded != NULL)
    {
      entry->source = g_object_ref (loaded->source);
      entry->info = kymo_table_ref (loaded->info);
      if (!(kymo_source_get_capabilities (entry->source) & KYMO_CAN_GROWING))
        kymo_run_reading_keep (entry->source);
    }
  else
    entry->error = g_error_copy (error);
  entry->done (page);
}

/** kymo_compare_entry_read: @page: is kept alive until it is told */
void
kymo_compare_entry_read (KymoCompareEntry *entry, GObject *page,
                         void (*done) (gpointer page))
{
  if (entry->source != NULL || entry->job != NULL)
    return;
  g_clear_error (&entry->error);
  entry->job = kymo_job_new ();
  entry->done = done;
  g_object_set_data (G_OBJECT (entry->job), ENTRY_KEY, entry);
  kymo_run_reading_start (page, entry->path, FALSE, entry->job, on_loaded);
}

/**
 * kymo_compare_entry_dup_detail:
 * @entry: that is read
 *
 * Returns: (transfer full): "8 PEs · 2.11 s", of the run or of the stretch that is compared
 */
char *
kymo_compare_entry_dup_detail (const KymoCompareEntry *entry)
{
  KymoTerms terms = kymo_source_get_terms (entry->source);
  gint64 n = kymo_table_get_int (entry->info, "locations", 0)
             - kymo_table_get_int (entry->info, "communication_threads", 0);
  g_autofree char *rows = kymo_words_rows (terms, n);
  g_autofree char *length = kymo_format_duration (
    entry->name != NULL ? kymo_span_length (entry->stretch)
    : kymo_table_get_int (entry->info, "end_ns", 0)
      - kymo_table_get_int (entry->info, "begin_ns", 0));

  if (g_strcmp0 (kymo_table_get_string (entry->info, "kind", 0), "profile") == 0)
    return g_strdup_printf (_("%s · profile"), rows);
  return g_strdup_printf (_("%s · %s"), rows, length);
}

/** kymo_compare_entries_are_read: two or more, and all of them */
gboolean
kymo_compare_entries_are_read (GPtrArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    if (((KymoCompareEntry *) entries->pdata[i])->source == NULL)
      return FALSE;
  return entries->len >= 2;
}

/* Whether an entry before this one is of the same source. */
static gboolean
is_repeated (GPtrArray *entries, guint which)
{
  KymoCompareEntry *entry = entries->pdata[which];

  for (guint i = 0; i < which; i++)
    if (((KymoCompareEntry *) entries->pdata[i])->source == entry->source)
      return TRUE;
  return FALSE;
}

/** kymo_compare_entries_build_lines: Returns: (transfer floating): banners of the lines to runs on
 *  other machines, which show while a line is lost */
GtkWidget *
kymo_compare_entries_build_lines (GPtrArray *entries)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  for (guint i = 0; i < entries->len; i++)
    {
      KymoCompareEntry *entry = entries->pdata[i];

      if (entry->source != NULL && KYMO_IS_REMOTE_SOURCE (entry->source)
          && !is_repeated (entries, i))
        gtk_box_append (GTK_BOX (box),
                        kymo_line_banner_new (KYMO_REMOTE_SOURCE (entry->source)));
    }
  return box;
}

/* -- the face ------------------------------------------------------------- */

struct _KymoCompareReading
{
  GtkBox     parent_instance;

  GtkWidget *status, *group;
  GPtrArray *rows;                 /* of the group */
  GtkWidget *stop, *again, *leave_out;
};

G_DEFINE_FINAL_TYPE (KymoCompareReading, kymo_compare_reading, GTK_TYPE_BOX)

static void
on_progress (KymoJob *job, GParamSpec *pspec, GtkWidget *row)
{
  GtkWidget *bar = g_object_get_data (G_OBJECT (row), "bar");
  g_autofree char *stage = kymo_job_dup_stage (job);
  g_autofree char *words = kymo_page_dup_markup (stage != NULL ? stage : "");

  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), kymo_job_get_fraction (job));
  if (*words != '\0')
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), words);
}

static void
add_progress (GtkWidget *row, KymoCompareEntry *entry)
{
  GtkWidget *bar = gtk_progress_bar_new ();
  GtkWidget *cancel = gtk_button_new_from_icon_name ("process-stop-symbolic");
  g_autofree char *name = g_path_get_basename (entry->path);
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  g_autofree char *words = g_strdup_printf (_("Stop reading %s"), valid);

  gtk_widget_set_size_request (bar, BAR_PX, -1);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  kymo_accessible_name (bar, _("How much is read"));
  gtk_widget_set_valign (cancel, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (cancel, "flat");
  gtk_widget_set_tooltip_text (cancel, words);
  kymo_accessible_name (cancel, words);
  kymo_follow (cancel, "clicked", kymo_job_cancel, entry->job);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), bar);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), cancel);
  g_object_set_data (G_OBJECT (row), "bar", bar);
  g_signal_connect_object (entry->job, "notify", G_CALLBACK (on_progress), row, 0);
}

static GtkWidget *
new_row (KymoCompareEntry *entry)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *name = g_path_get_basename (entry->path);
  g_autofree char *title = kymo_page_dup_markup (name);
  gboolean cancelled = g_error_matches (entry->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autofree char *words = kymo_page_dup_markup (
    cancelled ? _("Reading was cancelled") : entry->error != NULL ? entry->error->message
    : entry->source != NULL ? _("Read") : entry->path);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), words);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 3);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name (
    entry->error != NULL ? "dialog-error-symbolic"
    : entry->source != NULL ? "object-select-symbolic" : "document-open-symbolic"));
  if (entry->job != NULL)
    add_progress (row, entry);
  return row;
}

/** kymo_compare_reading_show: as the entries are now */
void
kymo_compare_reading_show (GtkWidget *reading, GPtrArray *entries)
{
  KymoCompareReading *self = KYMO_COMPARE_READING (reading);
  guint n_read = 0, n_failed = 0, n_busy = 0;

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self->group), self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
  for (guint i = 0; i < entries->len; i++)
    {
      KymoCompareEntry *entry = entries->pdata[i];
      GtkWidget *row = new_row (entry);

      n_read += entry->source != NULL;
      n_failed += entry->error != NULL;
      n_busy += entry->job != NULL;
      g_ptr_array_add (self->rows, row);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->group), row);
    }
  adw_status_page_set_title (ADW_STATUS_PAGE (self->status),
                             n_busy > 0 ? _("Reading the Runs")
                             : n_failed > 0 ? _("Not All Runs Can Be Read")
                                            : _("Nothing to Compare"));
  adw_status_page_set_description (ADW_STATUS_PAGE (self->status), n_busy + n_failed == 0
                                   ? _("It takes two runs to compare.") : NULL);
  gtk_widget_set_visible (self->stop, n_busy > 0);
  gtk_widget_set_visible (self->again, n_busy == 0 && n_failed > 0);
  gtk_widget_set_visible (self->leave_out, n_busy == 0 && n_failed > 0 && n_read >= 2);
}

static void
on_stop (KymoCompareReading *self)
{
  g_signal_emit_by_name (self, "stop");
}

static void
on_leave_out (KymoCompareReading *self)
{
  g_signal_emit_by_name (self, "leave-out");
}

static void
kymo_compare_reading_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_COMPARE_READING (object)->rows);
  G_OBJECT_CLASS (kymo_compare_reading_parent_class)->finalize (object);
}

static void
kymo_compare_reading_class_init (KymoCompareReadingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_compare_reading_finalize;
  kymo_signal_new ("stop", KYMO_TYPE_COMPARE_READING, 0);
  kymo_signal_new ("leave-out", KYMO_TYPE_COMPARE_READING, 0);
}

static void
kymo_compare_reading_init (KymoCompareReading *self)
{
  GtkWidget *clamp = adw_clamp_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->rows = g_ptr_array_new ();
  self->status = adw_status_page_new ();
  self->group = adw_preferences_group_new ();
  self->stop = kymo_page_pill (_("Cancel"), NULL);
  self->again = kymo_page_pill (_("Try Again"), "win.reload");
  self->leave_out = kymo_page_pill (_("Compare the Others"), NULL);
  g_signal_connect_swapped (self->stop, "clicked", G_CALLBACK (on_stop), self);
  g_signal_connect_swapped (self->leave_out, "clicked", G_CALLBACK (on_leave_out), self);
  gtk_widget_set_halign (buttons, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (buttons), self->stop);
  gtk_box_append (GTK_BOX (buttons), self->again);
  gtk_box_append (GTK_BOX (buttons), self->leave_out);
  gtk_box_append (GTK_BOX (box), self->group);
  gtk_box_append (GTK_BOX (box), buttons);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  adw_status_page_set_child (ADW_STATUS_PAGE (self->status), clamp);
  gtk_widget_set_hexpand (self->status, TRUE);
  gtk_box_append (GTK_BOX (self), self->status);
}

/**
 * kymo_compare_reading_new:
 *
 * Returns: (transfer floating): the face without a run; kymo_compare_reading_show() fills it
 */
GtkWidget *
kymo_compare_reading_new (void)
{
  return g_object_new (KYMO_TYPE_COMPARE_READING, NULL);
}
