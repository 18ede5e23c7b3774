/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each change of what is wished stops the choosing that goes on and begins it
 * anew, on a thread, a moment later; what came of it is what is written, so
 * that it is what was shown. Texts are the words of the command line.
 */
#include "config.h"

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-reduce-dialog.h"

#include <glib/gi18n.h>
#include <math.h>

#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-reduce-there.h"
#include "kymo-reduce.h"
#include "kymo-reducer.h"
#include "kymo-remote-source.h"
#include "kymo-run-source.h"
#include "kymo-units.h"

#define WAIT_MS 300

/* How many PEs are kept; the order of the list. */
typedef enum
{
  BY_OUTLIERS,
  BY_TOTAL,
  BY_ERROR,
} Way;

typedef struct
{
  KymoWriteDialog *dialog;
  KymoSource      *source;
  char            *path;
  KymoSpan         spans[2];           /* by row of the list */
  GtkWidget       *way, *time;
  GtkWidget       *clusters, *outliers, *keep, *error;
  GtkWidget       *spread, *all_ways, *critical, *also;
  GtkWidget       *preview, *spinner;
  GtkWidget       *warnings, *keep_them;
  guint            timeout;
  KymoJob         *job;                /* of the newest choosing */
  KymoTable       *choice;             /* what came of it, or NULL */
  GStrv            asked;              /* of a run on another machine: the options of the command
                                          that was tried, or NULL */
  char            *missed;             /* PEs that it would keep better, or NULL */
} Reduce;

/* What a thread has of it. */
typedef struct
{
  KymoReducerWish  wish;
  char            *clusters, *outliers, *keep, *also;
  KymoSource      *source;
  char            *path;
  KymoJob         *job;
  Reduce          *reduce;             /* NULL once the dialog is gone */
  gint64           bytes;              /* of the logs that would be kept */
  GStrv            asked;              /* see Reduce */
} Choosing;

typedef struct
{
  KymoSource *source;
  char       *path;
  KymoTable  *choice;                  /* NULL where the run is on another machine */
  GStrv       asked;                   /* NULL where it is here */
} Wish;

static void
stop_reduce_dialog (Reduce *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->job != NULL)
    kymo_job_cancel (self->job);
  g_clear_object (&self->job);
}

static void
reduce_free (gpointer data)
{
  Reduce *self = data;

  stop_reduce_dialog (self);
  g_clear_pointer (&self->choice, kymo_table_unref);
  g_strfreev (self->asked);
  g_free (self->missed);
  g_object_unref (self->source);
  g_free (self->path);
  g_free (self);
}

/* -- writing --------------------------------------------------------------- */

static gpointer
dup_wish (gpointer user)
{
  Reduce *self = user;
  Wish *wish = g_new0 (Wish, 1);

  wish->source = g_object_ref (self->source);
  wish->path = g_strdup (self->path);
  wish->choice = self->choice != NULL ? kymo_table_ref (self->choice) : NULL;
  wish->asked = g_strdupv (self->asked);
  return wish;
}

static void
free_wish (gpointer data)
{
  Wish *wish = data;

  g_clear_pointer (&wish->choice, kymo_table_unref);
  g_strfreev (wish->asked);
  g_object_unref (wish->source);
  g_free (wish->path);
  g_free (wish);
}

static char *
write_reduced (gpointer data, const char *out, KymoJob *job, GError **error)
{
  Wish *wish = data;
  g_auto (KymoExtractResult) result = { NULL };

  kymo_job_set_stage (job, _("Writing"));
  if (wish->asked != NULL)
    return kymo_reduce_there (wish->source, wish->path, out, wish->asked, job, error);
  if (!kymo_reducer_write (wish->source, wish->path, NULL, wish->choice, out, &result, job, error))
    return NULL;
  return kymo_write_dialog_dup_written (&result);
}

/* -- choosing -------------------------------------------------------------- */

static void
choosing_free (gpointer data)
{
  Choosing *choosing = data;

  g_object_unref (choosing->source);
  g_object_unref (choosing->job);
  g_free (choosing->clusters);
  g_free (choosing->outliers);
  g_free (choosing->keep);
  g_free (choosing->also);
  g_free (choosing->path);
  g_strfreev (choosing->asked);
  g_free (choosing);
}

/* There the command does it all; what it says is the preview. */
static void
choose_there_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Choosing *choosing = data;
  GError *error = NULL;
  char *words = kymo_reduce_there (choosing->source, choosing->path, NULL, choosing->asked,
                                   choosing->job, &error);

  if (words != NULL)
    g_task_return_pointer (task, words, g_free);
  else
    g_task_return_error (task, error);
}

static void
choose_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Choosing *choosing = data;
  GError *error = NULL;
  KymoTable *choice = kymo_reducer_choose (choosing->source, &choosing->wish, choosing->job,
                                           &error);
  const gint64 *kept;
  guint n_kept;

  if (choice == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  kept = kymo_table_peek_ints (choice, "kept", &n_kept);
  choosing->bytes = kymo_reducer_count_bytes (choosing->source, choosing->path, kept, n_kept);
  g_task_return_pointer (task, choice, (GDestroyNotify) kymo_table_unref);
}

static const char *
words (Reduce *self, const char *text)
{
  return kymo_in_terms (kymo_source_get_terms (self->source), text);
}

/* Logs of Projections are copied, other runs are written anew. */
static gboolean
copies_logs (KymoSource *source)
{
  g_autoptr (KymoRun) run = kymo_source_ref_run (source);

  return g_strcmp0 (run->format, "projections") == 0;
}

static char *
preview_text (KymoSource *source, const KymoTable *choice, gint64 bytes)
{
  KymoTerms terms = kymo_source_get_terms (source);
  double error = kymo_table_get_double (choice, "time_profile_error", 0);
  gint64 n = kymo_table_get_int (choice, "pes", 0);
  g_autofree char *number = kymo_format_bytes (bytes), *size = NULL, *kept = NULL;
  guint n_kept;

  kymo_table_peek_ints (choice, "kept", &n_kept);
  kept = g_strdup_printf (
    kymo_in_terms (terms, ngettext ("%u of %" G_GINT64_FORMAT " {rows} stands for all",
                                    "%u of %" G_GINT64_FORMAT " {rows} stand for all",
                                    n_kept)), n_kept, n);
  size = copies_logs (source) ? g_strdup_printf (_("%s of logs"), number)
    : g_strdup_printf (_("about %s"), number);
  if (isnan (error))
    return g_strdup_printf ("%s · %s", kept, size);
  return g_strdup_printf (_("%s · %s · a time profile made of them is at most %.2f %% off"), kept,
                          size, 100 * error);
}

/* A line of its own each, so that they are read one by one. */
static void
add_warning (Reduce *self, const char *sentence)
{
  GtkWidget *label = kymo_label_new_wrapped (sentence, "caption warning");

  gtk_box_append (GTK_BOX (self->warnings), label);
}

/* Nothing of a choice that was not made. */
static void
show_warnings (Reduce *self)
{
  g_auto (GStrv) warnings = self->choice != NULL ? kymo_reducer_dup_warnings (self->choice) : NULL;
  g_autofree char *missed = self->choice != NULL ? kymo_reducer_dup_missed (self->choice) : NULL;
  GtkWidget *old;

  while ((old = gtk_widget_get_first_child (self->warnings)) != NULL)
    gtk_box_remove (GTK_BOX (self->warnings), old);
  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    add_warning (self, warnings[i]);
  gtk_widget_set_visible (self->keep_them, missed != NULL);
}

static void
keep_missed (Reduce *self)
{
  g_autofree char *missed = self->choice != NULL ? kymo_reducer_dup_missed (self->choice)
                            : g_strdup (self->missed);

  if (missed != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->also), missed);
}

static void
on_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  Choosing *choosing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) choice = g_task_propagate_pointer (G_TASK (result), &error);
  Reduce *self = choosing->reduce;
  g_autofree char *text = NULL;

  /* One that was stopped is of a wish that holds no longer, or of a dialog
     that is gone. */
  if (kymo_job_is_cancelled (choosing->job))
    return;
  g_clear_object (&self->job);
  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  if (choice != NULL)
    text = preview_text (self->source, choice, choosing->bytes);
  self->choice = g_steal_pointer (&choice);
  show_warnings (self);
  gtk_label_set_text (GTK_LABEL (self->preview), text != NULL ? text : "");
  kymo_write_dialog_set_reason (self->dialog, error != NULL ? error->message : NULL);
}

static void
on_chosen_there (GObject *object, GAsyncResult *result, gpointer data)
{
  Choosing *choosing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);
  Reduce *self = choosing->reduce;

  if (kymo_job_is_cancelled (choosing->job))
    return;
  g_clear_object (&self->job);
  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  g_strfreev (self->asked);
  self->asked = text != NULL ? g_strdupv (choosing->asked) : NULL;
  g_free (self->missed);
  self->missed = text != NULL ? kymo_reduce_there_take_missed (text) : NULL;
  gtk_widget_set_visible (self->keep_them, self->missed != NULL);
  gtk_label_set_text (GTK_LABEL (self->preview), text != NULL ? text : "");
  kymo_write_dialog_set_reason (self->dialog, error != NULL ? error->message : NULL);
}

static char *
dup_text (GtkWidget *row)
{
  char *text = gtk_widget_get_sensitive (row)
    ? g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row)))) : NULL;

  if (text != NULL && *text == 0)
    g_clear_pointer (&text, g_free);
  return text;
}

static Way
get_way (Reduce *self)
{
  return adw_combo_row_get_selected (ADW_COMBO_ROW (self->way));
}

/* "2%" or "0.02". */
static gboolean
read_error_bound (Reduce *self, double *bound)
{
  g_autofree char *text = dup_text (self->error);
  char *end = NULL;

  *bound = text != NULL ? g_ascii_strtod (text, &end) : 0;
  if (text == NULL || end == text)
    return FALSE;
  while (*end == ' ')
    end++;
  if (*end == '%')
    *bound /= 100;
  return (*end == 0 || (*end == '%' && end[1] == 0)) && *bound > 0 && *bound < 1;
}

static Choosing *
make_choosing (Reduce *self)
{
  Choosing *choosing = g_new0 (Choosing, 1);
  Way way = get_way (self);

  choosing->source = g_object_ref (self->source);
  choosing->path = g_strdup (self->path);
  choosing->job = g_object_ref (self->job);
  choosing->reduce = self;
  choosing->clusters = dup_text (self->clusters);
  choosing->outliers = dup_text (self->outliers);
  choosing->keep = dup_text (self->keep);
  choosing->also = dup_text (self->also);
  choosing->wish = (KymoReducerWish) {
    .clusters = choosing->clusters, .outliers = choosing->outliers, .keep = choosing->keep,
    .quota = adw_combo_row_get_selected (ADW_COMBO_ROW (self->spread)) == 1 ? "spread" : NULL,
    .union_of = gtk_switch_get_active (GTK_SWITCH (self->all_ways))
      ? "idle,overhead,messages,bytes" : NULL,
    .critical_path = gtk_switch_get_active (GTK_SWITCH (self->critical)),
    .also = choosing->also,
    .span = self->spans[MIN (adw_combo_row_get_selected (ADW_COMBO_ROW (self->time)), 1)],
  };
  if (way == BY_ERROR)
    read_error_bound (self, &choosing->wish.error);
  if (KYMO_IS_REMOTE_SOURCE (self->source))
    choosing->asked = kymo_reduce_there_dup_options (self->source, &choosing->wish);
  return choosing;
}

static gboolean
on_timeout (gpointer data)
{
  Reduce *self = data;
  gboolean is_far = KYMO_IS_REMOTE_SOURCE (self->source);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, is_far ? on_chosen_there : on_chosen, NULL);

  self->timeout = 0;
  self->job = kymo_job_new ();
  g_task_set_task_data (task, make_choosing (self), choosing_free);
  g_task_run_in_thread (task, is_far ? choose_there_thread : choose_thread);
  return G_SOURCE_REMOVE;
}

static void
show_rows (Reduce *self)
{
  Way way = get_way (self);

  gtk_widget_set_visible (self->clusters, way != BY_ERROR);
  gtk_widget_set_sensitive (self->clusters, way != BY_ERROR);
  gtk_widget_set_visible (self->outliers, way == BY_OUTLIERS);
  gtk_widget_set_sensitive (self->outliers, way == BY_OUTLIERS);
  gtk_widget_set_visible (self->keep, way == BY_TOTAL);
  gtk_widget_set_sensitive (self->keep, way == BY_TOTAL);
  gtk_widget_set_visible (self->error, way == BY_ERROR);
  gtk_widget_set_sensitive (self->error, way == BY_ERROR);
}

/* Something was changed. */
static void
update_reduce_dialog (Reduce *self)
{
  double bound;

  stop_reduce_dialog (self);
  show_rows (self);
  g_clear_pointer (&self->choice, kymo_table_unref);
  show_warnings (self);
  gtk_label_set_text (GTK_LABEL (self->preview), words (self, _("Choosing {rows}…")));
  if (get_way (self) == BY_ERROR && !read_error_bound (self, &bound))
    {
      gtk_spinner_stop (GTK_SPINNER (self->spinner));
      gtk_label_set_text (GTK_LABEL (self->preview), "");
      kymo_write_dialog_set_reason (self->dialog, _("The error is a share, as 2%"));
      return;
    }
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  kymo_write_dialog_set_reason (self->dialog, "");
  self->timeout = g_timeout_add (WAIT_MS, on_timeout, self);
}

/* -- rows ------------------------------------------------------------------ */

static GtkWidget *
combo_row (Reduce *self, const char *title, const char *const *choices)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (choices);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  g_signal_connect_swapped (row, "notify::selected", G_CALLBACK (update_reduce_dialog), self);
  return row;
}

static GtkWidget *
entry_row (Reduce *self, const char *title, const char *text)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  adw_entry_row_set_input_hints (ADW_ENTRY_ROW (row), GTK_INPUT_HINT_NO_SPELLCHECK);
  kymo_accessible_name (gtk_editable_get_delegate (GTK_EDITABLE (row)), title);
  g_signal_connect_swapped (row, "changed", G_CALLBACK (update_reduce_dialog), self);
  return row;
}

static GtkWidget *
switch_row (Reduce *self, const char *title, const char *subtitle, GtkWidget **toggle)
{
  GtkWidget *row = adw_action_row_new ();

  *toggle = gtk_switch_new ();
  gtk_widget_set_valign (*toggle, GTK_ALIGN_CENTER);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), *toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), *toggle);
  g_signal_connect_swapped (*toggle, "notify::active", G_CALLBACK (update_reduce_dialog), self);
  return row;
}

static GtkWidget *
build_preview (Reduce *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->spinner = gtk_spinner_new ();
  self->preview = kymo_label_new_wrapped (NULL, "caption");
  gtk_widget_set_hexpand (self->preview, TRUE);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_box_append (GTK_BOX (box), self->preview);
  gtk_box_append (GTK_BOX (box), self->spinner);
  return box;
}

static GtkWidget *
build_warnings (Reduce *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->warnings = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->keep_them = gtk_button_new_with_mnemonic (_("_Keep Them"));
  kymo_controls_speak (self->keep_them, _("_Keep Them"));
  gtk_widget_set_halign (self->keep_them, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (self->keep_them, words (self, _("Keep the {rows} that are named, "
                                                               "too")));
  g_signal_connect_swapped (self->keep_them, "clicked", G_CALLBACK (keep_missed), self);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_box_append (GTK_BOX (box), self->warnings);
  gtk_box_append (GTK_BOX (box), self->keep_them);
  return box;
}

static GtkWidget *
build_how_many (Reduce *self)
{
  const char *ways[] = { _("Clusters and outliers"), _("A given number"),
                         _("As few as an error allows"), NULL };
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (group),
    words (self, _("{Rows} that spend their time in the same {codes} are a cluster. A "
                   "representative of each cluster and the outliers are kept, with weights.")));
  self->way = combo_row (self, _("Keep"), ways);
  self->clusters = entry_row (self, _("Clusters (as 5, or 2-10 for the best)"), "5");
  self->outliers = entry_row (self, _("Outliers (as 26, or 10%)"), "10%");
  self->keep = entry_row (self, words (self, _("{Rows} to Keep (as 51, or 10%)")), "10%");
  self->error = entry_row (self, _("Largest Error of a Time Profile"), "2%");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->way);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->clusters);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->outliers);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->keep);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->error);
  self->also = entry_row (self, words (self, _("Also Keep These {Rows} (as 0-3,17)")), "");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->also);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), build_preview (self));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), build_warnings (self));
  return group;
}

static GtkWidget *
build_more (Reduce *self, KymoSession *session)
{
  const char *quotas[] = { _("From large clusters"), _("From loose clusters"), NULL };
  const char *all[] = { _("All of it"), NULL }, *some[] = { _("All of it"), NULL, NULL };
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_expander_row_new ();
  KymoSpan visible = kymo_session_get_range (session);

  self->spans[0] = self->spans[1] = kymo_source_get_span (self->source);
  if (kymo_session_get_selection (session, &self->spans[1]))
    some[1] = _("The selected range");
  else if (visible.begin_ns > self->spans[0].begin_ns || visible.end_ns < self->spans[0].end_ns)
    {
      self->spans[1] = visible;
      some[1] = _("The visible range");
    }
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("More"));
  self->time = combo_row (self, _("Compared Over"), some[1] != NULL ? some : all);
  self->spread = combo_row (self, _("Outliers"), quotas);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row), self->time);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row), self->spread);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row), switch_row (
    self, _("By Other Figures, Too"),
    words (self, _("{Rows} that idle time, overhead, messages or bytes alone would keep")),
    &self->all_ways));
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row), switch_row (
    self, _("Critical Path"),
    words (self, _("{Rows} that the longest chain of blocks and messages runs through")),
    &self->critical));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

/* -- the dialog ------------------------------------------------------------ */

#define ALSO_KEY "kymo-also"

void
kymo_reduce_dialog_keep (GtkWindow *dialog, const char *rows)
{
  gtk_editable_set_text (g_object_get_data (G_OBJECT (dialog), ALSO_KEY), rows);
}

GtkWindow *
kymo_reduce_dialog_present (GtkWindow *parent, KymoSession *session, const char *path,
                            KymoWriteDone done, GObject *data)
{
  static const KymoWriteClass klass =
    {
      N_("Reduce Run"), N_("Reduce"), "-reduced", 640, dup_wish, write_reduced, free_wish,
      reduce_free,
    };
  Reduce *self = g_new0 (Reduce, 1);
  g_autofree char *title = NULL;
  g_autoptr (GError) error = NULL;
  GtkWindow *window;

  self->source = g_object_ref (kymo_session_peek_source (session));
  self->path = g_strdup (path);
  title = kymo_source_dup_title (self->source);
  self->dialog = kymo_write_dialog_new (parent, &klass, self, path, title);
  kymo_write_dialog_add (self->dialog, build_how_many (self));
  kymo_write_dialog_add (self->dialog, build_more (self, session));
  show_rows (self);
  show_warnings (self);
  if (KYMO_IS_REMOTE_SOURCE (self->source) || kymo_reducer_check (self->source, &error))
    update_reduce_dialog (self);
  else
    kymo_write_dialog_refuse (self->dialog, error->message);
  window = kymo_write_dialog_present (self->dialog, done, data);
  g_object_set_data (G_OBJECT (window), ALSO_KEY, self->also);
  return window;
}
