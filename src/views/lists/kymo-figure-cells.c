/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a line of a table of figures looks like.
 */
#include "config.h"

#include "kymo-accessible.h"
#include "kymo-figure-table-private.h"
#include "kymo-hover-row.h"
#include "kymo-in-terms.h"
#include "kymo-swatch.h"

/* -- texts ---------------------------------------------------------------- */

static const KymoFigureColumn *
column_of (KymoLineTable *table, guint column)
{
  return kymo_figure_table_peek_column (KYMO_FIGURE_TABLE (table), column);
}

static const char *
shown_name (const KymoFigureTexts *texts, const char *key, guint row)
{
  const char *name = kymo_shown_name (kymo_table_get_string (texts->list, key, row));

  return name != NULL ? name : "";
}

static char *
cell_text (KymoLineTable *table, guint column, guint row, gboolean exact)
{
  const KymoFigureTexts *texts = kymo_figure_table_peek_texts (KYMO_FIGURE_TABLE (table));

  if (column_of (table, column)->kind <= KYMO_FIGURE_NODE)
    return g_strdup (shown_name (texts, column_of (table, column)->key, row));
  return exact ? kymo_figure_texts_exact (texts, column_of (table, column), row)
               : kymo_figure_texts_text (texts, column_of (table, column), row,
                                         kymo_line_table_peek_times (table, column));
}

static char *
cell_tip (KymoLineTable *table, guint column, guint row)
{
  const KymoFigureTexts *texts = kymo_figure_table_peek_texts (KYMO_FIGURE_TABLE (table));
  char *text = cell_text (table, column, row, TRUE);

  if (column_of (table, column)->kind <= KYMO_FIGURE_NODE)
    kymo_flags_add (&text, kymo_figure_texts_flags (texts, row));
  return text;
}

/* -- cells ---------------------------------------------------------------- */

/* A name has its colour before it, and behind it what its figures lack. */
static void
show_cell (KymoLineTable *table, guint column, GtkWidget *cell, guint row)
{
  const KymoFigureTexts *texts = kymo_figure_table_peek_texts (KYMO_FIGURE_TABLE (table));
  const char *name, *kind, *mark;
  GtkWidget *label;

  if (column_of (table, column)->kind > KYMO_FIGURE_NODE)
    return;
  name = kymo_table_get_string (texts->list, column_of (table, column)->key, row);
  name = name != NULL ? name : "";
  kind = kymo_table_get_string (texts->list, "kind", row);
  mark = kymo_flags_mark (kymo_figure_texts_flags (texts, row), name);
  if (GTK_IS_TREE_EXPANDER (cell))
    {
      kymo_accessible_name (cell, kymo_shown_name (name));
      cell = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (cell));
    }
  /* Of a trace idle time and overhead are lines, too. */
  kymo_swatch_set (KYMO_SWATCH (gtk_widget_get_first_child (cell)), name,
                   kind != NULL ? kind : "function");
  kymo_hover_row_set (cell, name, -1);
  label = gtk_widget_get_last_child (cell);
  gtk_label_set_text (GTK_LABEL (label), mark != NULL ? mark : "");
  gtk_widget_set_visible (label, mark != NULL);
}

static GtkWidget *
name_new (KymoSession *session, GtkWidget *label)
{
  GtkWidget *box = kymo_line_cell_new (kymo_swatch_new (session), label, 8);
  GtkWidget *mark = gtk_label_new (NULL);

  gtk_widget_add_css_class (mark, "dim-label");
  gtk_widget_add_css_class (mark, "caption");
  gtk_box_append (GTK_BOX (box), mark);
  kymo_hover_row_attach (box, session);
  return box;
}

static GtkWidget *
setup_cell (KymoLineTable *table, guint column, GtkWidget *label)
{
  KymoFigureKind kind = column_of (table, column)->kind;
  GtkWidget *expander, *cell;

  if (kind > KYMO_FIGURE_NODE)
    return label;
  cell = name_new (kymo_figure_table_peek_session (KYMO_FIGURE_TABLE (table)), label);
  if (kind == KYMO_FIGURE_NAME)
    return cell;
  expander = gtk_tree_expander_new ();
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), cell);
  return expander;
}

/** kymo_figure_cells_init_class: what is seen of the lines of a class */
void
kymo_figure_cells_init_class (KymoLineTableClass *klass)
{
  klass->text = cell_text;
  klass->tip = cell_tip;
  klass->setup = setup_cell;
  klass->show = show_cell;
}
