/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a line of a table of figures looks like. A cell knows its line ("row") as long
 * as it shows one, and shows it again when the table has other figures.
 */
#include "config.h"

#include "kymo-figure-table-private.h"
#include "kymo-flag-words.h"
#include "kymo-hover-row.h"
#include "kymo-label.h"
#include "kymo-swatch.h"

#define NAME_CHARS 30

static KymoFigureTable *
table_of (gpointer cell)
{
  return g_object_get_data (cell, "table");
}

static guint
index_of (gpointer cell)
{
  return GPOINTER_TO_UINT (g_object_get_data (cell, "index"));
}

/* -- texts ---------------------------------------------------------------- */

/* Made when it is asked for, as in the other tables. */
static gboolean
on_tooltip (GtkWidget *cell, int x, int y, gboolean keyboard,
            GtkTooltip *tooltip, gpointer data)
{
  KymoFigureTable *table = table_of (cell);
  KymoLine *row = g_object_get_data (G_OBJECT (cell), "row");
  const KymoFigureTexts *texts = kymo_figure_table_peek_texts (table);
  const KymoFigureColumn *column = kymo_figure_table_peek_column (
    table, index_of (cell));
  g_autofree char *text = NULL;

  if (row == NULL || texts->list == NULL || column == NULL)
    return FALSE;
  text = kymo_figure_texts_exact (texts, column, row->row);
  if (column->kind <= KYMO_FIGURE_NODE)
    kymo_flags_add (&text, kymo_figure_texts_flags (texts, row->row));
  if (*text == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* A name has its colour before it, and behind it what its figures lack. */
static GtkWidget *
show_name (const KymoFigureTexts *texts, guint row, const char *text,
           GtkWidget *box)
{
  const char *kind = kymo_table_get_string (texts->list, "kind", row);
  const char *mark = kymo_flags_mark (kymo_figure_texts_flags (texts, row), text);
  GtkWidget *swatch = gtk_widget_get_first_child (box);
  GtkWidget *label = gtk_widget_get_last_child (box);

  /* Of a trace idle time and overhead are lines, too. */
  kymo_swatch_set (KYMO_SWATCH (swatch), text, kind != NULL ? kind : "function");
  kymo_hover_row_set (box, text, -1);
  gtk_label_set_text (GTK_LABEL (label), mark != NULL ? mark : "");
  gtk_widget_set_visible (label, mark != NULL);
  return gtk_widget_get_next_sibling (swatch);
}

static void
show_cell (KymoFigureTable *table, GtkWidget *cell)
{
  const KymoFigureTexts *texts = kymo_figure_table_peek_texts (table);
  const KymoFigureColumn *column = kymo_figure_table_peek_column (
    table, index_of (cell));
  KymoLine *row = g_object_get_data (G_OBJECT (cell), "row");
  GtkWidget *label = cell;
  g_autofree char *text = NULL;

  if (row == NULL || texts->list == NULL || column == NULL)
    return;
  text = kymo_figure_texts_text (texts, column, row->row);
  if (GTK_IS_TREE_EXPANDER (cell))
    {
      label = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (cell));
      gtk_accessible_update_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      text, -1);
    }
  if (GTK_IS_BOX (label))
    label = show_name (texts, row->row, text, label);
  kymo_label_set (label, text);
}

/* -- cells ---------------------------------------------------------------- */

static GtkWidget *
label_new (gboolean is_text)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), is_text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), is_text ? PANGO_ELLIPSIZE_MIDDLE
                                                      : PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_hexpand (label, TRUE);
  if (!is_text)
    gtk_widget_add_css_class (label, "numeric");
  return label;
}

static GtkWidget *
name_new (KymoFigureTable *table, GtkWidget *label)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *mark = gtk_label_new (NULL);

  gtk_widget_add_css_class (mark, "dim-label");
  gtk_widget_add_css_class (mark, "caption");
  gtk_box_append (GTK_BOX (box), kymo_swatch_new (
                    kymo_figure_table_peek_session (table)));
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), mark);
  kymo_hover_row_attach (box, kymo_figure_table_peek_session (table));
  return box;
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item,
          KymoFigureTable *table)
{
  guint index = index_of (factory);
  KymoFigureKind kind = kymo_figure_table_peek_column (table, index)->kind;
  GtkWidget *label = label_new (kind <= KYMO_FIGURE_TEXT), *cell = label;

  /* In a narrow window the table scrolls rather than lose the names. */
  if (index == 0)
    gtk_label_set_width_chars (GTK_LABEL (label), NAME_CHARS);
  if (kind <= KYMO_FIGURE_NODE)
    cell = name_new (table, label);
  if (kind == KYMO_FIGURE_NODE)
    {
      GtkWidget *expander = gtk_tree_expander_new ();

      gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), cell);
      cell = expander;
    }
  g_object_set_data (G_OBJECT (cell), "table", table);
  g_object_set_data (G_OBJECT (cell), "item", item);
  g_object_set_data (G_OBJECT (cell), "index", GUINT_TO_POINTER (index));
  gtk_widget_set_has_tooltip (cell, TRUE);
  g_signal_connect (cell, "query-tooltip", G_CALLBACK (on_tooltip), NULL);
  g_signal_connect_object (table, "figures-changed", G_CALLBACK (show_cell),
                           cell, 0);
  gtk_list_item_set_child (item, cell);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item,
         KymoFigureTable *table)
{
  gpointer line = gtk_list_item_get_item (item);
  GtkWidget *cell = gtk_list_item_get_child (item);

  if (GTK_IS_TREE_EXPANDER (cell))
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (cell), line);
  g_object_set_data_full (G_OBJECT (cell), "row",
                          kymo_line_of (line), g_object_unref);
  show_cell (table, cell);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item,
           KymoFigureTable *table)
{
  GtkWidget *cell = gtk_list_item_get_child (item);

  if (GTK_IS_TREE_EXPANDER (cell))
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (cell), NULL);
  g_object_set_data (G_OBJECT (cell), "row", NULL);
}

/** kymo_figure_cells_new: Returns: (transfer full): */
GtkListItemFactory *
kymo_figure_cells_new (KymoFigureTable *table, guint index)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "index", GUINT_TO_POINTER (index));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), table, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), table, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), table, 0);
  return factory;
}
