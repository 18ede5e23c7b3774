/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows are kept from answer to answer and take other words, so that what is unfolded, scrolling
 * and the focus stay while a program is followed.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-acknowledged.h"
#include "kymo-command.h"
#include "kymo-controls.h"
#include "kymo-diagnose.h"
#include "kymo-finding-consent.h"
#include "kymo-finding-fold.h"
#include "kymo-finding-head.h"
#include "kymo-finding-measure.h"
#include "kymo-finding-note.h"
#include "kymo-findings-text.h"
#include "kymo-findings-view.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-limits-group.h"
#include "kymo-navigate.h"
#include "kymo-safe-text.h"
#include "kymo-session-profile.h"
#include "kymo-session-selected.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

/* Causes that come first; the others follow under a heading of their own. */
#define MOST_FIRST 5

struct _KymoFindingsView
{
  GtkBox               parent_instance;

  KymoSession         *session;
  KymoViewAsker       *asker, *drafter; /* of causes, and of what is known before them */
  KymoTable           *told, *answer;   /* what was told, and that without what is acknowledged */
  char                *key;             /* of what is acknowledged; NULL: nothing can be */
  gboolean             has_draft;       /* or more */
  AdwPreferencesGroup *first, *further, *known, *others;
  GtkWidget           *page, *limits, *consent, *measure;
  GPtrArray           *folds, *quiet;   /* KymoFindingFold: findings; what is acknowledged */
  KymoFindingFold                *none, *rest, *excluded, *untested;
  KymoFindingHead     *head;
};

G_DEFINE_FINAL_TYPE (KymoFindingsView, kymo_findings_view, GTK_TYPE_BOX)

static guint show_view_signal, explain_signal, message_signal, answer_signal;

/* -- where a finding leads --------------------------------------------------------- */

/* Times its length are seen of a block: what comes before and after it tells the rest. */
#define BLOCK_SEEN 3

/* Where a cause names a block, that is selected, in the middle of what is seen. Returns: whether */
static gboolean
show_block (KymoFindingsView *self, const KymoTable *findings, guint row)
{
  const guint *offsets;
  const KymoTable *blocks = kymo_table_peek_nested (findings, "blocks", &offsets);
  guint first = offsets[row];
  KymoSpan block, seen;
  gint64 length_ns;

  if (first == offsets[row + 1])
    return FALSE;
  block = (KymoSpan) { kymo_table_get_int (blocks, "begin_ns", first),
                       kymo_table_get_int (blocks, "end_ns", first) };
  length_ns = kymo_span_length (block) * (BLOCK_SEEN - 1) / 2;
  seen = (KymoSpan) { block.begin_ns - length_ns, block.end_ns + length_ns };
  kymo_session_set_range (self->session, seen, TRUE);
  kymo_navigate_show (self->session, kymo_table_get_int (blocks, "location", first), block);
  return TRUE;
}

static gboolean
is_stream (KymoFindingsView *self)
{
  return kymo_source_get_capabilities (kymo_session_peek_source (self->session)) & KYMO_CAN_STREAM;
}

/* The time that was looked at becomes the visible range, and rows that the evidence names are
   selected. */
static void
show_evidence (KymoFindingFold *fold)
{
  KymoFindingsView *self = fold->view;
  const KymoTable *findings = kymo_table_peek_nested (self->answer, fold->list, NULL);
  const guint *offsets;
  const KymoTable *locations = kymo_table_peek_nested (findings, "locations", &offsets);
  KymoSpan range = { kymo_table_get_int (findings, "begin_ns", fold->finding),
                     kymo_table_get_int (findings, "end_ns", fold->finding) };
  guint begin = offsets[fold->finding], n = offsets[fold->finding + 1] - begin;
  g_autofree gint64 *ids = g_new (gint64, n + 1);
  const char *view = kymo_table_get_string (findings, "view", fold->finding);

  if (show_block (self, findings, fold->finding))
    return g_signal_emit (self, show_view_signal, 0, view);
  for (guint i = 0; i < n; i++)
    ids[i] = kymo_table_get_int (locations, "location", begin + i);
  if (kymo_span_length (range) > 0)
    kymo_session_set_range (self->session, range, TRUE);
  /* A stream has no rows of single ranks. */
  if (n > 0 && kymo_span_length (range) > 0 && !is_stream (self))
    {
      g_autoptr (KymoIdSet) rows = kymo_id_set_new_list (ids, n);

      kymo_session_select_rows (self->session, &range, rows);
    }
  g_signal_emit (self, show_view_signal, 0, view);
}

/* -- causes that are acknowledged -------------------------------------------------- */

static void say_told (KymoFindingsView *self);

/* @note: %NULL lets the cause be told again. */
static void
keep_quiet (KymoFindingFold *fold, const char *note)
{
  KymoFindingsView *self = fold->view;
  const KymoTable *findings = kymo_table_peek_nested (self->answer, fold->list, NULL);
  const char *rule = kymo_table_get_string (findings, "id", fold->finding);
  g_autofree char *rows = kymo_acknowledged_dup_locations (findings, fold->finding);
  g_autoptr (GError) error = NULL;

  if (note != NULL ? !kymo_acknowledged_add (self->key, rule, rows, note, &error)
                   : !kymo_acknowledged_remove (self->key, rule, rows, &error))
    g_signal_emit (self, message_signal, 0, error->message);
  say_told (self);
}

static void
on_acknowledged (KymoFindingNote *row, const char *note, KymoFindingFold *fold)
{
  g_autofree char *words = g_strdup (note);

  kymo_finding_note_clear (row);
  keep_quiet (fold, words);
}

static void
on_withdrawn (KymoFindingFold *fold)
{
  keep_quiet (fold, NULL);
}

static KymoFindingFold *
new_quiet (KymoFindingsView *self)
{
  KymoFindingFold *fold = kymo_finding_fold_new_quiet (self->known, self);

  g_signal_connect_swapped (fold->button, "clicked", G_CALLBACK (on_withdrawn), fold);
  return fold;
}

static KymoFindingFold *
new_finding (KymoFindingsView *self, AdwPreferencesGroup *group)
{
  KymoFindingFold *fold = kymo_finding_fold_new_cause (group, self);

  g_signal_connect (fold->note, "acknowledged", G_CALLBACK (on_acknowledged), fold);
  g_signal_connect_swapped (fold->button, "clicked", G_CALLBACK (show_evidence), fold);
  return fold;
}

/* -- the answer -------------------------------------------------------------------- */

static void
say_all_quiet (KymoFindingsView *self)
{
  const KymoTable *list = kymo_table_peek_nested (self->answer, "acknowledged", NULL);
  guint n = kymo_table_get_n_rows (list);

  for (guint i = self->quiet->len; i < n; i++)
    g_ptr_array_add (self->quiet, new_quiet (self));
  for (guint i = 0; i < self->quiet->len; i++)
    if (i < n)
      kymo_finding_fold_say_quiet (self->quiet->pdata[i], list, i);
    else
      gtk_widget_set_visible (((KymoFindingFold *) self->quiet->pdata[i])->row, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->known), n > 0);
}

static void
say_rest (KymoFindingsView *self)
{
  gint64 ns = kymo_table_get_int (self->answer, "unexplained_ns", 0);
  g_autofree char *time = kymo_format_duration (ns);
  g_autofree char *title = g_strdup_printf (_("Not explained: %s"), time);

  kymo_finding_fold_say (self->rest, title, kymo_in_terms_of (
    self->session, _("Time per {row} that was not useful, and that no cause explains")), NULL);
  gtk_widget_set_visible (self->rest->row, ns != KYMO_NULL_INT && ns > 0);
}

/* Where there is nothing, or nothing yet, one row says so. */
static void
say_none (KymoFindingsView *self, const char *sentence, const char *more)
{
  kymo_finding_fold_say (self->none, sentence, more, NULL);
  for (guint i = 0; i < self->folds->len; i++)
    gtk_widget_set_visible (((KymoFindingFold *) self->folds->pdata[i])->row, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->further), FALSE);
}

/* Where there is no cause to tell. */
static const char *
find_none (KymoFindingsView *self)
{
  const KymoTable *known = kymo_table_peek_nested (self->answer, "acknowledged", NULL);

  if (kymo_table_get_int (self->answer, "tested", 0) == 0)
    return _("Nothing could be tested");
  return kymo_table_get_n_rows (known) > 0 ? _("No cause but those that are acknowledged")
    : _("No cause was found");
}

static void
say_findings (KymoFindingsView *self)
{
  const KymoTable *findings = kymo_table_peek_nested (self->answer, "findings", NULL);
  guint n = kymo_table_get_n_rows (findings);

  gtk_widget_set_visible (self->none->row, FALSE);
  kymo_finding_head_tell (self->head, self->answer);
  if (n == 0)
    say_none (self, find_none (self), NULL);
  for (guint i = self->folds->len; i < n; i++)
    g_ptr_array_add (self->folds, new_finding (self, i < MOST_FIRST ? self->first
                                               : self->further));
  for (guint i = 0; i < self->folds->len; i++)
    if (i < n)
      kymo_finding_fold_say_cause (self->folds->pdata[i], self->answer, i,
                                   self->key != NULL);
    else
      gtk_widget_set_visible (((KymoFindingFold *) self->folds->pdata[i])->row, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->further), n > MOST_FIRST);
}

/* What was told, less what is acknowledged by now. */
static void
say_told (KymoFindingsView *self)
{
  g_autoptr (GPtrArray) list = NULL;

  g_clear_pointer (&self->key, g_free);
  self->key = kymo_acknowledged_dup_key (kymo_session_peek_source (self->session));
  list = self->key != NULL ? kymo_acknowledged_load (self->key) : g_ptr_array_new ();
  g_clear_pointer (&self->answer, kymo_table_unref);
  self->answer = kymo_acknowledged_part (self->told, list);
  say_findings (self);
  say_all_quiet (self);
}

static void
say_lists (KymoFindingsView *self)
{
  guint n_untested;
  g_autoptr (KymoTable) excluded = kymo_findings_list_excluded (self->answer);
  g_autoptr (KymoTable) untested = kymo_findings_group_untested (self->answer, &n_untested);

  kymo_finding_fold_say_list (self->excluded, excluded, kymo_table_get_n_rows (excluded),
                              _("Also excluded"));
  kymo_finding_fold_say_list (self->untested, untested, n_untested,
                              _("Not tested, needs more"));
}

static KymoQuestion *make_question (KymoFindingsView *self);

static void
say_answer (KymoFindingsView *self, KymoTable *answer, const GError *error)
{
  g_autoptr (KymoQuestion) question = NULL;
  g_autofree char *functions = NULL;

  g_clear_pointer (&self->told, kymo_table_unref);
  g_clear_pointer (&self->answer, kymo_table_unref);
  gtk_widget_set_visible (GTK_WIDGET (self->others), answer != NULL);
  gtk_widget_set_sensitive (self->head->copy, answer != NULL);
  if (answer == NULL)
    {
      say_none (self, _("What limits the run cannot be said"), error->message);
      gtk_widget_set_visible (GTK_WIDGET (self->known), FALSE);
      gtk_widget_set_visible (self->measure, FALSE);
      return;
    }
  self->told = kymo_table_ref (answer);
  say_told (self);
  if (gtk_widget_get_visible (self->consent))
    kymo_finding_consent_tell (KYMO_FINDING_CONSENT (self->consent), self->answer);
  functions = kymo_findings_dup_functions (answer);
  kymo_limits_group_tell_functions (KYMO_LIMITS_GROUP (self->limits), functions);
  say_rest (self);
  say_lists (self);
  question = make_question (self);
  kymo_finding_measure_tell (KYMO_FINDING_MEASURE (self->measure),
                             kymo_session_peek_source (self->session), question, self->answer);
}

static void
on_findings (KymoTable *answer, const GError *error, gpointer view)
{
  KymoFindingsView *self = view;

  kymo_view_asker_cancel (self->drafter);
  self->has_draft = TRUE;
  say_answer (self, answer, error);
  g_signal_emit (self, answer_signal, 0);
}

/* Efficiencies are known before the rules are tested. Why they are not is told by the answer. */
static void
on_draft (KymoTable *answer, const GError *error, gpointer view)
{
  KymoFindingsView *self = view;

  if (answer == NULL || self->answer != NULL)
    return;
  self->has_draft = TRUE;
  kymo_finding_head_tell (self->head, answer);
  g_signal_emit (self, answer_signal, 0);
}

/* -- the question ------------------------------------------------------------------ */

/* All of the run means its main part, so that start-up does not hide what comes after it. */
static KymoQuestion *
make_question (KymoFindingsView *self)
{
  KymoQuestion *question = kymo_question_new (KYMO_QUESTION_FINDINGS);
  KymoSpan range = kymo_session_get_range (self->session);
  KymoSpan whole = kymo_session_get_full_range (self->session);

  if (range.begin_ns == whole.begin_ns && range.end_ns == whole.end_ns)
    range = KYMO_SPAN_ALL;
  kymo_session_prepare (self->session, question);
  kymo_question_set_span (question, range);
  return question;
}

/* While a large run is read its draft has efficiencies, and its rules wait for all of it. */
static gboolean
is_being_read (KymoFindingsView *self)
{
  g_autofree char *draft = kymo_source_dup_draft (kymo_session_peek_source (self->session));

  return draft != NULL;
}

static KymoQuestion *
ask_findings (gpointer view)
{
  return is_being_read (view) ? NULL : make_question (view);
}

static KymoQuestion *
ask_draft (gpointer view)
{
  KymoFindingsView *self = view;

  return self->answer == NULL ? make_question (self) : NULL;
}

static const KymoViewQuestion draft_of_range = {
  .question = ask_draft, .answered = on_draft, .work = kymo_diagnose_draft,
  .pause_ms = KYMO_VIEW_PAUSE_MS, .pace_ms = KYMO_VIEW_PACE_MS, .at_rest = TRUE,
};

static const KymoViewQuestion findings_of_range = {
  .question = ask_findings, .answered = on_findings, .work = kymo_diagnose,
  .pause_ms = KYMO_VIEW_PAUSE_MS, .pace_ms = KYMO_VIEW_PACE_MS, .at_rest = TRUE,
};

/* -- copies ------------------------------------------------------------------------ */

static void
copy_as (KymoFindingsView *self, const char *action, GVariant *parameter)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->answer == NULL)
    return;
  kymo_findings_write (self->answer, strcmp (action, "findings.copy-markdown") == 0
                       ? KYMO_FINDINGS_MARKDOWN : KYMO_FINDINGS_TEXT, text);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text->str);
  g_signal_emit (self, message_signal, 0, _("Findings copied"));
}

/* -- the widget -------------------------------------------------------------------- */

static void
kymo_findings_view_dispose (GObject *object)
{
  KymoFindingsView *self = KYMO_FINDINGS_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_object (&self->drafter);
  g_clear_object (&self->session);
  g_clear_pointer (&self->told, kymo_table_unref);
  g_clear_pointer (&self->answer, kymo_table_unref);
  G_OBJECT_CLASS (kymo_findings_view_parent_class)->dispose (object);
}

static void
kymo_findings_view_finalize (GObject *object)
{
  KymoFindingsView *self = KYMO_FINDINGS_VIEW (object);

  g_ptr_array_unref (self->folds);
  g_ptr_array_unref (self->quiet);
  g_free (self->key);
  g_free (self->head);
  g_free (self->none);
  g_free (self->rest);
  g_free (self->excluded);
  g_free (self->untested);
  G_OBJECT_CLASS (kymo_findings_view_parent_class)->finalize (object);
}

static void
kymo_findings_view_class_init (KymoFindingsViewClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_findings_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_findings_view_finalize;
  gtk_widget_class_install_action (widget, "findings.copy-text", NULL,
                                   (GtkWidgetActionActivateFunc) copy_as);
  gtk_widget_class_install_action (widget, "findings.copy-markdown", NULL,
                                   (GtkWidgetActionActivateFunc) copy_as);
  show_view_signal = kymo_signal_new ("show-view", KYMO_TYPE_FINDINGS_VIEW, 1, G_TYPE_STRING);
  explain_signal = kymo_signal_new ("explain", KYMO_TYPE_FINDINGS_VIEW, 1, G_TYPE_STRING);
  answer_signal = kymo_signal_new ("answer-changed", KYMO_TYPE_FINDINGS_VIEW, 0);
  message_signal = kymo_signal_new ("message", KYMO_TYPE_FINDINGS_VIEW, 1, G_TYPE_STRING);
}

static AdwPreferencesGroup *
add_group (GtkWidget *page, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  return ADW_PREFERENCES_GROUP (group);
}

static void
kymo_findings_view_init (KymoFindingsView *self)
{
  self->folds = g_ptr_array_new_with_free_func (g_free);
  self->quiet = g_ptr_array_new_with_free_func (g_free);
  self->page = adw_preferences_page_new ();
  kymo_limits_group_widen_page (GTK_WIDGET (self->page));
  gtk_widget_set_vexpand (self->page, TRUE);
  gtk_widget_set_hexpand (self->page, TRUE);
  gtk_box_append (GTK_BOX (self), self->page);
}

static void
on_show_view (KymoFindingsView *self, const char *id)
{
  g_signal_emit (self, show_view_signal, 0, id);
}

static void
on_explain (KymoFindingsView *self, const char *pes)
{
  g_signal_emit (self, explain_signal, 0, pes);
}

static void
on_message (KymoFindingsView *self, const char *sentence)
{
  g_signal_emit (self, message_signal, 0, sentence);
}

static void
build_groups (KymoFindingsView *self)
{
  self->first = add_group (self->page, _("What limits the run"));
  self->head = kymo_finding_head_new (self->first, self->session);
  self->none = kymo_finding_fold_new_plain (self->first, self);
  self->limits = kymo_limits_group_new (self->session);
  kymo_follow (self->limits, "show-view", on_show_view, self);
  kymo_follow (self->limits, "explain", on_explain, self);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self->page),
                            ADW_PREFERENCES_GROUP (self->limits));
  self->consent = kymo_finding_consent_new ();
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self->page),
                            ADW_PREFERENCES_GROUP (self->consent));
  self->further = add_group (self->page, _("Smaller causes"));
  self->known = add_group (self->page, _("Acknowledged"));
  gtk_widget_set_visible (GTK_WIDGET (self->known), FALSE);
  self->others = add_group (self->page, "");
  self->rest = kymo_finding_fold_new_plain (self->others, self);
  self->excluded = kymo_finding_fold_new (self->others, self);
  self->untested = kymo_finding_fold_new (self->others, self);
  gtk_widget_set_visible (GTK_WIDGET (self->others), FALSE);
  self->measure = kymo_finding_measure_new ();
  kymo_follow (self->measure, "message", on_message, self);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self->page),
                            ADW_PREFERENCES_GROUP (self->measure));
  say_none (self, _("Looking for causes …"), NULL);
}

/* As in a chart. An entry with the focus takes the key before. */
static gboolean
on_key (KymoFindingsView *self, guint key)
{
  return key == GDK_KEY_BackSpace && kymo_session_back (self->session);
}

static void
follow_keys (KymoFindingsView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/** kymo_findings_view_new: Returns: (transfer floating): the page, which asks when it is seen */
GtkWidget *
kymo_findings_view_new (KymoSession *session)
{
  KymoFindingsView *self = g_object_new (KYMO_TYPE_FINDINGS_VIEW, NULL);

  self->session = g_object_ref (session);
  build_groups (self);
  follow_keys (self);
  self->drafter = kymo_view_asker_new (&draft_of_range, self, session);
  kymo_view_asker_follow (self->drafter, session, "range-changed");
  kymo_view_asker_follow (self->drafter, session, "filter-changed");
  self->asker = kymo_view_asker_new (&findings_of_range, self, session);
  kymo_view_asker_follow (self->asker, session, "range-changed");
  kymo_view_asker_follow (self->asker, session, "filter-changed");
  return GTK_WIDGET (self);
}

/** kymo_findings_view_is_settled: Returns: whether no answer is on its way */
gboolean
kymo_findings_view_is_settled (KymoFindingsView *self)
{
  return kymo_view_asker_is_settled (self->asker)
         && kymo_limits_group_is_settled (KYMO_LIMITS_GROUP (self->limits));
}

/**
 * kymo_findings_view_has_draft:
 *
 * Returns: whether the page has said something of the run: a draft, its findings, or why it has
 *   none
 */
gboolean
kymo_findings_view_has_draft (KymoFindingsView *self)
{
  return self->has_draft;
}

/**
 * kymo_findings_view_offer_recording:
 *
 * The run is a job that can be asked for more data: offers to do so when a cause is found.
 */
void
kymo_findings_view_offer_recording (KymoFindingsView *self)
{
  gtk_widget_set_visible (self->consent, TRUE);
}

/**
 * kymo_findings_view_dup_command:
 * @path: of the run
 *
 * Returns: (transfer full): a line for a shell that tells the same findings
 */
char *
kymo_findings_view_dup_command (KymoFindingsView *self, const char *path)
{
  g_autoptr (KymoQuestion) question = make_question (self);

  return kymo_command_dup_diagnose (kymo_session_peek_source (self->session), path, question);
}
