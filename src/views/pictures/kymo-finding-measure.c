/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-finding-measure.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-diagnose.h"
#include "kymo-error.h"
#include "kymo-follow.h"
#include "kymo-place.h"
#include "kymo-probe-start.h"

/* For all probes together; each needs about 3 s on a machine that is not busy. */
#define BUDGET_NS G_GINT64_CONSTANT (20000000000)
#define COMMAND "kymo-cli diagnose %s --probe-time 20s"

struct _KymoFindingMeasure
{
  AdwPreferencesGroup parent_instance;

  GtkWidget    *row, *button;
  KymoSource   *source;
  KymoQuestion *question;
  char         *path;           /* of the run */
  GPtrArray    *causes;         /* ids of those that need a probe */
  GCancellable *cancellable;    /* NULL while nothing is measured */
};

G_DEFINE_FINAL_TYPE (KymoFindingMeasure, kymo_finding_measure, ADW_TYPE_PREFERENCES_GROUP)

static guint message_signal;

/* -- measuring --------------------------------------------------------------------- */

/* As #KymoProbeStart. */
static gboolean
start_probe (gpointer data, KymoSource *source, const char *part, gint64 bound_ns,
             KymoProbed *probed, GCancellable *cancellable, GError **error)
{
  KymoProbeOutcome outcome = { NULL };
  gboolean good = kymo_probe_start (data, part, bound_ns, NULL, NULL, &outcome, cancellable,
                                    error);

  *probed = (KymoProbed) { outcome.lines, outcome.command, outcome.kept, outcome.took_ns };
  return good;
}

typedef struct
{
  KymoSource   *source;
  KymoQuestion *question;
  char         *path;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_object_unref (work->source);
  kymo_question_unref (work->question);
  g_free (work->path);
  g_free (work);
}

static void
measure_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  const Work *work = data;
  GError *error = NULL;
  KymoTable *answer = kymo_diagnose_measured (work->source, work->question, BUDGET_NS, start_probe,
                                              work->path, cancellable, &error);

  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify) kymo_table_unref);
  else
    g_task_return_error (task, error);
}

static void
say_row (KymoFindingMeasure *self, const char *subtitle)
{
  gboolean is_busy = self->cancellable != NULL;

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->row), subtitle);
  gtk_button_set_label (GTK_BUTTON (self->button), is_busy ? _("Stop") : _("Measure…"));
}

/* The causes of this list that needed a probe, with @word, a column. */
static void
add_results (KymoFindingMeasure *self, const KymoTable *list, const char *word, GPtrArray *results)
{
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (g_ptr_array_find_with_equal_func (self->causes, kymo_table_get_string (list, "id", i),
                                          g_str_equal, NULL))
      /* Translators: a cause, and the sentence or the figure that it was found or excluded by. */
      g_ptr_array_add (results, g_strdup_printf (_("%s: %s"),
                                                 kymo_table_get_string (list, "title", i),
                                                 kymo_table_get_string (list, word, i)));
}

/* The page is made anew with the figures, so what came of them is a message of the window. */
static void
say_results (KymoFindingMeasure *self, const KymoTable *answer)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *all = NULL, *message = NULL;

  add_results (self, kymo_table_peek_nested (answer, "findings", NULL), "says", results);
  add_results (self, kymo_table_peek_nested (answer, "excluded", NULL), "why", results);
  g_ptr_array_add (results, NULL);
  all = g_strjoinv ("; ", (char **) results->pdata);
  message = g_strdup_printf (_("Measured. %s"), all);
  g_signal_emit (self, message_signal, 0, message);
}

/* (nullable): why the first probe told nothing; NULL if one told something */
static const char *
find_failure (const KymoTable *probes)
{
  const char *why = _("no probe after all");

  for (guint i = kymo_table_get_n_rows (probes); i > 0; i--)
    {
      if (strcmp (kymo_table_get_string (probes, "state", i - 1), "measured") == 0)
        return NULL;
      why = kymo_table_get_string (probes, "why", i - 1);
    }
  return why;
}

static void
on_measured (GObject *object, GAsyncResult *result, gpointer data)
{
  KymoFindingMeasure *self = KYMO_FINDING_MEASURE (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = g_task_propagate_pointer (G_TASK (result), &error);
  const char *failure;
  g_autofree char *words = NULL;

  g_clear_object (&self->cancellable);
  if (self->source == NULL)
    return;
  failure = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
    ? _("Stopped; nothing was measured") : answer == NULL ? error->message
    : find_failure (kymo_table_peek_nested (answer, "probes", NULL));
  if (failure != NULL && answer != NULL)
    /* Translators: what is missing, such as “a probe, which cannot be started: … not in PATH”. */
    words = g_strdup_printf (_("Nothing was measured. It needs %s."), failure);
  say_row (self, words != NULL ? words : failure != NULL ? failure
           : _("Measured; the run is read again with the figures"));
  if (failure != NULL)
    return;
  say_results (self, answer);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.reload", NULL);
}

static void
begin_measuring (KymoFindingMeasure *self)
{
  g_autoptr (GTask) task = NULL;
  Work *work = g_new0 (Work, 1);

  self->cancellable = g_cancellable_new ();
  work->source = g_object_ref (self->source);
  work->question = kymo_question_ref (self->question);
  work->path = g_strdup (self->path);
  task = g_task_new (self, self->cancellable, on_measured, NULL);
  g_task_set_task_data (task, work, work_free);
  say_row (self, _("Measuring for 20 s at most …"));
  g_task_run_in_thread (task, measure_thread);
}

/* -- consent ----------------------------------------------------------------------- */

static void
on_response (AdwMessageDialog *dialog, const char *response, KymoFindingMeasure *self)
{
  g_autofree char *quoted = NULL, *command = NULL;

  if (strcmp (response, "measure") == 0 && self->cancellable == NULL && self->source != NULL)
    begin_measuring (self);
  if (strcmp (response, "copy") != 0 || self->path == NULL)
    return;
  quoted = g_shell_quote (self->path);
  command = g_strdup_printf (COMMAND, quoted);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
}

static void
on_clicked (GtkButton *button, KymoFindingMeasure *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *dialog;

  if (self->cancellable != NULL)
    {
      g_cancellable_cancel (self->cancellable);
      return;
    }
  dialog = adw_message_dialog_new (GTK_WINDOW (root), _("Measure the Machine?"), _(
    "Kymo starts kymo-record --probe with as many ranks as the run had, on this host or in the "
    "batch job of this window, and ends it after 20 s at most. Meanwhile other programs here get "
    "less of the processors. The figures are kept in the folder of the run.\n\nElsewhere, copy the "
    "command and run it on the nodes of the run."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "copy",
                                    _("C_opy Command"), "measure", _("_Measure"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "measure",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* -- the row ----------------------------------------------------------------------- */

static void
kymo_finding_measure_dispose (GObject *object)
{
  KymoFindingMeasure *self = KYMO_FINDING_MEASURE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->source);
  g_clear_pointer (&self->question, kymo_question_unref);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->causes, g_ptr_array_unref);
  G_OBJECT_CLASS (kymo_finding_measure_parent_class)->dispose (object);
}

static void
kymo_finding_measure_class_init (KymoFindingMeasureClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_finding_measure_dispose;
  message_signal = kymo_signal_new ("message", KYMO_TYPE_FINDING_MEASURE, 1, G_TYPE_STRING);
}

static void
kymo_finding_measure_init (KymoFindingMeasure *self)
{
  self->row = adw_action_row_new ();
  self->button = gtk_button_new ();
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  g_signal_connect_object (self->button, "clicked", G_CALLBACK (on_clicked), self, 0);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->row), _("Measure what is missing"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self->row), self->button);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->row);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/** kymo_finding_measure_new: Returns: (transfer floating): the group, hidden */
GtkWidget *
kymo_finding_measure_new (void)
{
  return g_object_new (KYMO_TYPE_FINDING_MEASURE, NULL);
}

/**
 * kymo_finding_measure_tell:
 * @question: the one that @answer answers
 * @answer: findings of @source
 *
 * Shows the offer if causes of a run on this machine need a probe.
 */
void
kymo_finding_measure_tell (KymoFindingMeasure *self, KymoSource *source, KymoQuestion *question,
                           const KymoTable *answer)
{
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (source);
  const KymoTable *untested = kymo_table_peek_nested (answer, "untested", NULL);
  gboolean is_here = facts != NULL && facts->path != NULL && !kymo_place_is_far (facts->path);
  g_autoptr (GPtrArray) causes = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *subtitle = NULL;
  gint64 need_ns = 0;

  for (guint i = 0; is_here && i < kymo_table_get_n_rows (untested); i++)
    {
      gint64 ns = kymo_table_get_int (untested, "probe_ns", i);

      if (ns > 0)
        g_ptr_array_add (causes, g_strdup (kymo_table_get_string (untested, "id", i)));
      need_ns = MAX (need_ns, ns);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), causes->len > 0);
  if (causes->len == 0 || self->cancellable != NULL)
    return;
  g_clear_pointer (&self->causes, g_ptr_array_unref);
  self->causes = g_ptr_array_ref (causes);
  g_set_object (&self->source, source);
  g_clear_pointer (&self->question, kymo_question_unref);
  self->question = kymo_question_ref (question);
  g_free (self->path);
  self->path = g_strdup (facts->path);
  subtitle = g_strdup_printf (ngettext ("%u cause needs a probe of about %u s to be tested",
                                        "%u causes need probes of about %u s each to be tested",
                                        causes->len), causes->len,
                              (guint) ((need_ns + 999999999) / 1000000000));
  say_row (self, subtitle);
}
