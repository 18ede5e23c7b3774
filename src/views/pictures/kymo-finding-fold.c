/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-finding-fold.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-finding-note.h"
#include "kymo-findings-text.h"
#include "kymo-label.h"
#include "kymo-name.h"
#include "kymo-safe-text.h"
#include "kymo-units.h"

/**
 * kymo_finding_fold_new:
 * @group: gets the row
 * @view: noted
 *
 * Returns: (transfer full): a row without words; free with g_free(), the widgets are of the group
 */
KymoFindingFold *
kymo_finding_fold_new (AdwPreferencesGroup *group, gpointer view)
{
  KymoFindingFold *fold = g_new0 (KymoFindingFold, 1);

  fold->view = view;
  fold->row = adw_expander_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (fold->row), FALSE);
  fold->body = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (fold->body), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (fold->body), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (fold->body), 0);
  gtk_label_set_selectable (GTK_LABEL (fold->body), TRUE);
  gtk_widget_add_css_class (fold->body, "kymo-finding-body");
  adw_expander_row_add_row (ADW_EXPANDER_ROW (fold->row), fold->body);
  adw_preferences_group_add (group, fold->row);
  return fold;
}

/** kymo_finding_fold_new_plain: as kymo_finding_fold_new(), of a row that does not unfold */
KymoFindingFold *
kymo_finding_fold_new_plain (AdwPreferencesGroup *group, gpointer view)
{
  KymoFindingFold *fold = g_new0 (KymoFindingFold, 1);

  fold->view = view;
  fold->row = adw_action_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (fold->row), FALSE);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (fold->row), 0);
  adw_preferences_group_add (group, fold->row);
  return fold;
}

/* -- with buttons ------------------------------------------------------------------ */

static void
add_button (KymoFindingFold *fold, const char *label)
{
  fold->button = gtk_button_new_with_mnemonic (label);
  kymo_controls_speak (fold->button, label);
  gtk_widget_set_valign (fold->button, GTK_ALIGN_CENTER);
  adw_expander_row_add_action (ADW_EXPANDER_ROW (fold->row), fold->button);
}

/** kymo_finding_fold_new_cause: as kymo_finding_fold_new(), with cost, bar, button and note */
KymoFindingFold *
kymo_finding_fold_new_cause (AdwPreferencesGroup *group, gpointer view)
{
  KymoFindingFold *fold = kymo_finding_fold_new (group, view);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  fold->list = "findings";
  fold->note = kymo_finding_note_new ();
  adw_expander_row_add_row (ADW_EXPANDER_ROW (fold->row), fold->note);
  fold->cost = gtk_label_new (NULL);
  gtk_widget_add_css_class (fold->cost, "numeric");
  gtk_label_set_xalign (GTK_LABEL (fold->cost), 1);
  fold->bar = gtk_progress_bar_new ();
  gtk_widget_add_css_class (fold->bar, "kymo-finding-bar");
  /* Bars are compared, so all are as long, whatever words stand above them. */
  gtk_widget_set_halign (fold->bar, GTK_ALIGN_END);
  gtk_accessible_update_state (GTK_ACCESSIBLE (fold->bar), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_box_append (GTK_BOX (box), fold->cost);
  gtk_box_append (GTK_BOX (box), fold->bar);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  add_button (fold, _("_Show"));
  adw_expander_row_add_action (ADW_EXPANDER_ROW (fold->row), box);
  return fold;
}

/** kymo_finding_fold_new_quiet: as kymo_finding_fold_new(), of a cause that is acknowledged */
KymoFindingFold *
kymo_finding_fold_new_quiet (AdwPreferencesGroup *group, gpointer view)
{
  KymoFindingFold *fold = kymo_finding_fold_new (group, view);

  fold->list = "acknowledged";
  add_button (fold, _("_Withdraw"));
  gtk_widget_set_tooltip_text (fold->button, _("Tell this cause again"));
  return fold;
}

/* -- words ------------------------------------------------------------------------- */

/* Each line is as long as a label may be, not all of them together. */
static void
set_lines (GtkWidget *label, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *all = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = g_steal_pointer (&lines[i]);
      g_autofree char *shown = kymo_name_shown (line);

      lines[i] = kymo_safe_text_dup (shown);
    }
  all = g_strjoinv ("\n", lines);
  gtk_label_set_text (GTK_LABEL (label), all);
}

/**
 * kymo_finding_fold_say:
 * @subtitle: (nullable): a sentence
 * @body: (nullable): what the row unfolds to; %NULL: it cannot be unfolded; not of plain rows
 *
 * Shows the row with other words.
 */
void
kymo_finding_fold_say (KymoFindingFold *fold, const char *title, const char *subtitle,
                       const char *body)
{
  g_autofree char *safe_title = kymo_safe_text_dup (title);
  g_autofree char *safe_subtitle = kymo_safe_text_dup (subtitle != NULL ? subtitle : "");
  g_autofree char *unbroken = kymo_label_dup_unbroken (safe_subtitle);

  gtk_widget_set_visible (fold->row, TRUE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (fold->row), safe_title);
  if (fold->body == NULL)
    {
      adw_action_row_set_subtitle (ADW_ACTION_ROW (fold->row), unbroken);
      return;
    }
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (fold->row), unbroken);
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (fold->row), body != NULL);
  set_lines (fold->body, body != NULL ? body : "");
}

/**
 * kymo_finding_fold_say_cause:
 * @answer: of kymo_acknowledged_part()
 * @row: of its list of findings
 * @can_acknowledge: whether there is a note
 *
 * Shows a cause.
 */
void
kymo_finding_fold_say_cause (KymoFindingFold *fold, const KymoTable *answer, guint row,
                             gboolean can_acknowledge)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  const char *state = _(kymo_table_get_string (findings, "state", row));
  const char *title = kymo_table_get_string (findings, "title", row);
  g_autofree char *cost = kymo_findings_dup_cost (answer, row);
  g_autofree char *evidence = kymo_findings_dup_evidence (answer, row, "• ");
  /* Translators: how sure a cause is (likely), its evidence in lines, what to do. */
  g_autofree char *body = g_strdup_printf (_("This cause is %s.\n%sAdvice: %s"), state, evidence,
                                           kymo_table_get_string (findings, "advice", row));
  /* Translators: spoken name of a button, with the title of a cause. */
  g_autofree char *spoken = g_strdup_printf (_("Show the evidence: %s"), title);

  fold->finding = row;
  kymo_finding_fold_say (fold, title, kymo_table_get_string (findings, "says", row), body);
  kymo_label_set (fold->cost, cost);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (fold->bar),
                                 kymo_findings_get_bar (answer, row));
  gtk_widget_set_visible (fold->button,
                          kymo_table_get_string (findings, "view", row) != NULL);
  kymo_controls_name (fold->button, spoken);
  kymo_finding_note_say (KYMO_FINDING_NOTE (fold->note), title);
  gtk_widget_set_visible (fold->note, can_acknowledge);
}

/**
 * kymo_finding_fold_say_quiet:
 * @list: the list of what is acknowledged
 * @row: of it
 *
 * Shows a cause that is acknowledged, with its note.
 */
void
kymo_finding_fold_say_quiet (KymoFindingFold *fold, const KymoTable *list, guint row)
{
  g_autofree char *time = kymo_format_duration (kymo_table_get_int (list, "cost_ns", row));
  g_autofree char *share = kymo_format_percent (kymo_table_get_double (list, "share", row));
  const char *cause = kymo_table_get_string (list, "title", row);
  /* Translators: a cause, the time that it costs, its share: “The load is …: 1.2 s (30 %)”. */
  g_autofree char *title = g_strdup_printf (_("%s: %s (%s)"), cause, time, share);
  /* Translators: spoken name of a button, with the title of a cause. */
  g_autofree char *spoken = g_strdup_printf (_("Withdraw: %s"), title);

  fold->finding = row;
  kymo_finding_fold_say (fold, title, kymo_table_get_string (list, "note", row),
            kymo_table_get_string (list, "says", row));
  kymo_controls_name (fold->button, spoken);
}

/* Each cause is as long as a label may be, not all that need the same. */
static void
append_causes (GString *body, const char *causes)
{
  g_auto (GStrv) parts = g_strsplit (causes, "; ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *shown = kymo_name_shown (parts[i]);

      g_string_append_printf (body, i > 0 ? "; %s" : "%s", shown);
    }
}

/**
 * kymo_finding_fold_say_list:
 * @list: with "title" and "why"
 * @n: how many causes it has
 * @heading: translated
 *
 * Shows how many causes a list has, and unfolds to them; hides the row of an empty list.
 */
void
kymo_finding_fold_say_list (KymoFindingFold *fold, const KymoTable *list, guint n,
                            const char *heading)
{
  g_autoptr (GString) body = g_string_new (NULL), title = g_string_new (NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      g_autofree char *reason = kymo_safe_text_dup (kymo_table_get_string (list, "why", i));

      /* Translators: a cause and the figure that excludes it, or what is needed for causes. */
      g_autofree char *words = g_strdup_printf (_("• %s: %s"),
                                                kymo_table_get_string (list, "title", i), reason);

      g_string_append (body, i > 0 ? "\n" : "");
      append_causes (body, words);
    }
  /* Translators: a heading and how many causes are below it: “Also excluded (4)”. */
  g_string_append_printf (title, _("%s (%u)"), heading, n);
  kymo_finding_fold_say (fold, title->str, NULL, "");
  gtk_label_set_text (GTK_LABEL (fold->body), body->str);
  gtk_widget_set_visible (fold->row, n > 0);
}
