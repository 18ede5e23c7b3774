/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-reduction-words.h"
#include "kymo-reduction-pill.h"

/* The summary page has all of them. */
#define MOST_ERRORS 8
#define SENTENCE_CHARS 52

struct _KymoReductionPill
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoTable   *info;               /* or NULL */
  GtkWidget   *button, *label;
};

G_DEFINE_FINAL_TYPE (KymoReductionPill, kymo_reduction_pill, GTK_TYPE_BOX)

/* -- what it says --------------------------------------------------------- */

static char *
dup_words (KymoReductionPill *self)
{
  g_autofree char *bound = kymo_reduction_dup_bound (self->info);

  if (!kymo_session_get_extrapolates (self->session))
    return kymo_reduction_dup_share (self->info, kymo_session_get_terms (self->session));
  return bound != NULL ? g_strdup_printf (_("extrapolated, %s"), bound)
         : g_strdup (_("extrapolated, error unknown"));
}

static void
renew_words (KymoReductionPill *self)
{
  g_autofree char *words = NULL, *error = NULL;

  if (self->info == NULL || !kymo_reduction_is_reduced (self->info))
    return;
  words = dup_words (self);
  error = kymo_reduction_dup_error (self->info, kymo_session_get_terms (self->session));
  gtk_label_set_text (GTK_LABEL (self->label), words);
  gtk_widget_set_tooltip_text (self->button, error);
  if (kymo_session_get_extrapolates (self->session))
    gtk_widget_add_css_class (self->label, "kymo-extrapolated");
  else
    gtk_widget_remove_css_class (self->label, "kymo-extrapolated");
}

/* -- what it tells when it is pressed ------------------------------------- */

static GtkWidget *
sentence (const char *text)
{
  GtkWidget *label = kymo_label_new_wrapped (text, NULL);

  gtk_label_set_max_width_chars (GTK_LABEL (label), SENTENCE_CHARS);
  return label;
}

static void
attach_reduction_pill (GtkGrid *grid, const char *text, int column, int row)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), column == 0
                           ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_hexpand (label, column == 0);
  if (column == 0)
    gtk_label_set_width_chars (GTK_LABEL (label), 16);
  else
    gtk_widget_add_css_class (label, "numeric");
  if (row == 0)
    gtk_widget_add_css_class (label, "dim-label");
  gtk_grid_attach (grid, label, column, row, 1, 1);
}

static GtkWidget *
build_errors (const KymoTable *info, KymoTerms terms)
{
  GtkWidget *grid = gtk_grid_new ();
  g_autoptr (GArray) figures = kymo_reduction_figures (info, MOST_ERRORS);
  const char *const heads[] = { kymo_in_terms (terms, _("{Code}")),
                                kymo_in_terms (terms, _("By the kept {rows}")),
                                _("In truth"), _("Error") };

  gtk_grid_set_column_spacing (GTK_GRID (grid), 14);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    attach_reduction_pill (GTK_GRID (grid), heads[i], i, 0);
  for (guint i = 0; i < figures->len; i++)
    {
      const KymoReductionFigure *figure
        = &g_array_index (figures, KymoReductionFigure, i);

      attach_reduction_pill (GTK_GRID (grid), figure->name, 0, i + 1);
      attach_reduction_pill (GTK_GRID (grid), figure->estimated, 1, i + 1);
      attach_reduction_pill (GTK_GRID (grid), figure->of_all, 2, i + 1);
      attach_reduction_pill (GTK_GRID (grid), figure->error, 3, i + 1);
    }
  gtk_widget_set_visible (grid, figures->len > 0);
  return grid;
}

static GtkWidget *
build_switch (const KymoTable *info, KymoTerms terms)
{
  GtkWidget *check;
  KymoTable *reduction = kymo_reduction_peek (info);
  g_autofree char *words = NULL;

  if (reduction == NULL)
    return NULL;
  words = g_strdup_printf (kymo_in_terms (terms, _("_Extrapolate to all %" PRId64
                                                   " {rows}")),
                           kymo_table_get_int (reduction, "pes", 0));
  check = gtk_check_button_new_with_mnemonic (words);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (check), "win.extrapolate");
  return check;
}

static GtkWidget *
build_popover (const KymoTable *info, KymoTerms terms)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *check = build_switch (info, terms);
  g_autofree char *kept = kymo_reduction_dup_kept (info, terms);
  g_autofree char *error = kymo_reduction_dup_error (info, terms);

  gtk_widget_set_margin_start (box, 8);
  gtk_widget_set_margin_end (box, 8);
  gtk_widget_set_margin_top (box, 8);
  gtk_widget_set_margin_bottom (box, 8);
  gtk_box_append (GTK_BOX (box), sentence (kept));
  if (check != NULL)
    gtk_box_append (GTK_BOX (box), check);
  gtk_box_append (GTK_BOX (box), sentence (error));
  gtk_box_append (GTK_BOX (box), build_errors (info, terms));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}

/* -- the widget ----------------------------------------------------------- */

/**
 * kymo_reduction_pill_set_info:
 * @info: an answer of kind info
 */
void
kymo_reduction_pill_set_info (KymoReductionPill *self, const KymoTable *info)
{
  gboolean reduced = kymo_reduction_is_reduced (info);

  kymo_table_ref ((KymoTable *) info);
  g_clear_pointer (&self->info, kymo_table_unref);
  self->info = (KymoTable *) info;
  gtk_widget_set_visible (GTK_WIDGET (self), reduced);
  if (!reduced)
    return;
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button),
                               build_popover (info, kymo_session_get_terms (
                                 self->session)));
  renew_words (self);
}

/** kymo_reduction_pill_get_text: what it says now */
const char *
kymo_reduction_pill_get_text (KymoReductionPill *self)
{
  return gtk_label_get_text (GTK_LABEL (self->label));
}

static void
kymo_reduction_pill_dispose (GObject *object)
{
  KymoReductionPill *self = KYMO_REDUCTION_PILL (object);

  g_clear_pointer (&self->info, kymo_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_reduction_pill_parent_class)->dispose (object);
}

static void
kymo_reduction_pill_class_init (KymoReductionPillClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_reduction_pill_dispose;
}

static void
kymo_reduction_pill_init (KymoReductionPill *self)
{
  self->button = gtk_menu_button_new ();
  self->label = gtk_label_new (NULL);
  gtk_menu_button_set_child (GTK_MENU_BUTTON (self->button), self->label);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->button), FALSE);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self->button), GTK_ARROW_UP);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->button),
                                  GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  self->label, NULL, -1);
  gtk_box_append (GTK_BOX (self), self->button);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/** kymo_reduction_pill_new: hidden until it is told of a reduced run */
GtkWidget *
kymo_reduction_pill_new (KymoSession *session)
{
  KymoReductionPill *self = g_object_new (KYMO_TYPE_REDUCTION_PILL, NULL);

  self->session = g_object_ref (session);
  kymo_follow (session, "notify::extrapolates", renew_words, self);
  return GTK_WIDGET (self);
}

/* kymo-cli info lists all of them. */
#define MOST_ERRORS_OF_GROUP 40

static void
add_row (GtkWidget *group, const char *title, const char *subtitle,
         const char *value)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label = gtk_label_new (value);
  g_autofree char *safe = g_markup_escape_text (title, -1);
  g_autofree char *safe_subtitle
    = subtitle != NULL ? g_markup_escape_text (subtitle, -1) : NULL;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), safe);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  if (safe_subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), safe_subtitle);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  if (value != NULL)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
}

static void
add_errors (GtkWidget *group, const KymoTable *info, KymoTerms terms)
{
  g_autoptr (GArray) figures = kymo_reduction_figures (info, MOST_ERRORS_OF_GROUP);

  for (guint i = 0; i < figures->len; i++)
    {
      const KymoReductionFigure *figure
        = &g_array_index (figures, KymoReductionFigure, i);
      g_autofree char *times
        = g_strdup_printf (kymo_in_terms (terms, _("%s by the kept {rows}, in truth %s")),
                           figure->estimated, figure->of_all);

      add_row (group, figure->name, times, figure->error);
    }
}

/**
 * kymo_reduction_group_new:
 * @info: an answer of kind info
 * @terms: of the run
 */
GtkWidget *
kymo_reduction_group_new (const KymoTable *info, KymoTerms terms)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *kept = kymo_reduction_dup_kept (info, terms);
  g_autofree char *error = kymo_reduction_dup_error (info, terms);
  g_autofree char *quality = kymo_reduction_dup_quality (info);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                   _("A reduced run"));
  gtk_widget_set_visible (group, kymo_reduction_is_reduced (info));
  if (!kymo_reduction_is_reduced (info))
    return group;
  add_row (group, kept, NULL, NULL);
  if (quality != NULL)
    add_row (group, _("Quality"),
             kymo_in_terms (terms, _("mean ratio of its blocks to those of all {rows}, "
                                     "by length")),
             quality);
  add_row (group, error, NULL, NULL);
  add_errors (group, info, terms);
  return group;
}
