/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-guide-text.h. Inlines of Markdown become markup of Pango, blocks become widgets.
 */
#include "config.h"

#include "kymo-guide-text.h"

#include <adwaita.h>
#include <string.h>

#include "kymo-follow.h"

#define GAP 12
#define LIST_GAP 4
#define INDENT 10
/* On light and on dark ground. */
#define MARK_BEGIN "<span bgcolor=\"#f8e45c\" fgcolor=\"#000000\">"
#define MARK_END "</span>"
#define PATH_KEY "kymo-path"

typedef struct
{
  const KymoGuidePage *page;
  char           **words;
  KymoGuideFollow  follow;
  gpointer         data;
  GtkWidget       *hit;                /* the first label with a word, or NULL */
} Writer;

static void append_block (Writer *writer, GtkWidget *box, cmark_node *node);

/* -- inlines -------------------------------------------------------------- */

static gsize
match_any (Writer *writer, const char *text)
{
  gsize most = 0;

  for (guint i = 0; writer->words[i] != NULL; i++)
    most = MAX (most, kymo_guide_match (text, writer->words[i]));
  return most;
}

/* Escaped, with what was searched marked. */
static void
append_text (Writer *writer, GString *markup, const char *text)
{
  while (*text != '\0')
    {
      gsize length = match_any (writer, text);
      gsize step = length > 0 ? length : (gsize) (g_utf8_next_char (text) - text);
      g_autofree char *escaped = g_markup_escape_text (text, step);

      if (length > 0)
        g_string_append_printf (markup, MARK_BEGIN "%s" MARK_END, escaped);
      else
        g_string_append (markup, escaped);
      text += step;
    }
}

/* Breaks between lines are kept as such where @lines. */
static void
append_inlines (Writer *writer, GString *markup, cmark_node *parent, gboolean lines)
{
  for (cmark_node *node = cmark_node_first_child (parent); node != NULL;
       node = cmark_node_next (node))
    {
      cmark_node_type type = cmark_node_get_type (node);
      const char *tag = type == CMARK_NODE_EMPH ? "i" : type == CMARK_NODE_STRONG ? "b"
                        : type == CMARK_NODE_CODE ? "tt" : type == CMARK_NODE_LINK ? "a" : NULL;

      if (type == CMARK_NODE_SOFTBREAK)
        g_string_append_c (markup, lines ? '\n' : ' ');
      else if (type == CMARK_NODE_LINEBREAK)
        g_string_append_c (markup, '\n');
      else if (type == CMARK_NODE_LINK)
        {
          g_autofree char *url = g_markup_escape_text (cmark_node_get_url (node), -1);

          g_string_append_printf (markup, "<a href=\"%s\">", url);
        }
      else if (tag != NULL)
        g_string_append_printf (markup, "<%s>", tag);
      if (cmark_node_get_literal (node) != NULL)
        append_text (writer, markup, cmark_node_get_literal (node));
      else
        append_inlines (writer, markup, node, lines);
      if (tag != NULL)
        g_string_append_printf (markup, "</%s>", tag);
    }
}

static char *
dup_markup (Writer *writer, cmark_node *node, gboolean lines)
{
  GString *markup = g_string_new (NULL);

  append_inlines (writer, markup, node, lines);
  return g_string_free (markup, FALSE);
}

/* -- blocks --------------------------------------------------------------- */

static gboolean
on_link (GtkLabel *label, const char *url, Writer *writer)
{
  writer->follow (url, writer->data);
  return TRUE;
}

static GtkWidget *
new_label (Writer *writer, const char *markup, GtkAccessibleRole role)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "accessible-role", role, NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  if (strstr (markup, "<a href=") != NULL)
    g_signal_connect (label, "activate-link", G_CALLBACK (on_link), writer);
  if (writer->hit == NULL && strstr (markup, MARK_BEGIN) != NULL)
    writer->hit = label;
  return label;
}

static GtkWidget *
new_heading (Writer *writer, cmark_node *node)
{
  static const char *const classes[] = { "title-1", "title-3", "heading" };
  g_autofree char *markup = dup_markup (writer, node, FALSE);
  GtkWidget *label = new_label (writer, markup, GTK_ACCESSIBLE_ROLE_HEADING);
  int level = cmark_node_get_heading_level (node);

  gtk_widget_add_css_class (label, classes[CLAMP (level, 1, 3) - 1]);
  gtk_widget_set_margin_top (label, level > 1 ? GAP : 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LEVEL, level,
                                  -1);
  return label;
}

/* Each picture of the guide has a dark one of the same name, in a folder below it. */
static void
sync_theme (GtkPicture *picture)
{
  const char *path = g_object_get_data (G_OBJECT (picture), PATH_KEY);
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autofree char *dark = g_build_filename (folder, "dark", name, NULL);

  gtk_picture_set_filename (picture, adw_style_manager_get_dark (adw_style_manager_get_default ())
                                     ? dark : path);
}

/* The words for those who do not see it stand below it for all others. */
static GtkWidget *
new_picture (Writer *writer, cmark_node *node)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, LIST_GAP), *picture, *label;
  g_autofree char *path = kymo_guide_dup_path (writer->page, cmark_node_get_url (node));
  g_autofree char *markup = dup_markup (writer, node, FALSE);

  picture = gtk_picture_new ();
  g_object_set_data_full (G_OBJECT (picture), PATH_KEY, g_steal_pointer (&path), g_free);
  kymo_follow (adw_style_manager_get_default (), "notify::dark", sync_theme, picture);
  sync_theme (GTK_PICTURE (picture));
  label = new_label (writer, markup, GTK_ACCESSIBLE_ROLE_LABEL);
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), gtk_label_get_text (GTK_LABEL (label)));
  gtk_widget_set_halign (picture, GTK_ALIGN_START);
  gtk_widget_add_css_class (picture, "kymo-help-picture");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (GTK_BOX (box), picture);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

/* Text to be typed can be selected. */
static GtkWidget *
new_code (Writer *writer, cmark_node *node)
{
  GString *markup = g_string_new ("<tt>");
  g_autofree char *code = g_strchomp (g_strdup (cmark_node_get_literal (node)));
  GtkWidget *label;

  append_text (writer, markup, code);
  g_string_append (markup, "</tt>");
  label = new_label (writer, markup->str, GTK_ACCESSIBLE_ROLE_LABEL);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "kymo-help-code");
  g_string_free (markup, TRUE);
  return label;
}

/* A cell of a table each; the second line only separates the heads. */
static GtkWidget *
new_table (Writer *writer, const char *markup)
{
  GtkWidget *grid = gtk_grid_new ();
  g_auto (GStrv) lines = g_strsplit (markup, "\n", -1);

  gtk_grid_set_column_spacing (GTK_GRID (grid), GAP);
  gtk_grid_set_row_spacing (GTK_GRID (grid), LIST_GAP);
  for (guint row = 0; lines[row] != NULL; row++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[row], "|", -1);

      for (guint i = 1; row != 1 && cells[i] != NULL && cells[i + 1] != NULL; i++)
        {
          GtkWidget *label;

          if (*g_strstrip (cells[i]) == '\0')
            continue;
          label = new_label (writer, cells[i], GTK_ACCESSIBLE_ROLE_LABEL);
          if (row == 0)
            gtk_widget_add_css_class (label, "heading");
          gtk_grid_attach (GTK_GRID (grid), label, i - 1, row, 1, 1);
        }
    }
  return grid;
}

static GtkWidget *
new_paragraph (Writer *writer, cmark_node *node)
{
  cmark_node *child = cmark_node_first_child (node);
  g_autofree char *lines = NULL, *markup = NULL;

  if (child != NULL && cmark_node_get_type (child) == CMARK_NODE_IMAGE)
    return new_picture (writer, child);
  lines = dup_markup (writer, node, TRUE);
  if (lines[0] == '|' && strstr (lines, "\n|--") != NULL)
    return new_table (writer, lines);
  markup = dup_markup (writer, node, FALSE);
  return new_label (writer, markup, GTK_ACCESSIBLE_ROLE_LABEL);
}

static GtkWidget *
new_list (Writer *writer, cmark_node *list)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, LIST_GAP);
  int number = cmark_node_get_list_start (list);

  for (cmark_node *item = cmark_node_first_child (list); item != NULL;
       item = cmark_node_next (item))
    {
      GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, LIST_GAP * 2);
      GtkWidget *inner = gtk_box_new (GTK_ORIENTATION_VERTICAL, LIST_GAP);
      g_autofree char *sign = cmark_node_get_list_type (list) == CMARK_ORDERED_LIST
                                ? g_strdup_printf ("%d.", number++) : g_strdup ("•");

      gtk_box_append (GTK_BOX (line), new_label (writer, sign, GTK_ACCESSIBLE_ROLE_LABEL));
      gtk_box_append (GTK_BOX (line), inner);
      gtk_widget_set_margin_start (line, INDENT);
      gtk_widget_set_hexpand (inner, TRUE);
      for (cmark_node *node = cmark_node_first_child (item); node != NULL;
           node = cmark_node_next (node))
        append_block (writer, inner, node);
      gtk_box_append (GTK_BOX (box), line);
    }
  return box;
}

static void
append_block (Writer *writer, GtkWidget *box, cmark_node *node)
{
  GtkWidget *widget = NULL;

  switch (cmark_node_get_type (node))
    {
    case CMARK_NODE_HEADING:
      widget = new_heading (writer, node);
      break;
    case CMARK_NODE_PARAGRAPH:
      widget = new_paragraph (writer, node);
      break;
    case CMARK_NODE_CODE_BLOCK:
      widget = new_code (writer, node);
      break;
    case CMARK_NODE_LIST:
      widget = new_list (writer, node);
      break;
    default:
      break;
    }
  if (widget != NULL)
    gtk_box_append (GTK_BOX (box), widget);
}

/**
 * kymo_guide_text_new:
 * @words: what is marked, of kymo_guide_split_words()
 * @follow: called for each link
 * @hit: (out) (nullable): the first label with one of the words, %NULL where none has
 *
 * Returns: (transfer floating): the whole page; it scrolls in nothing of its own
 */
GtkWidget *
kymo_guide_text_new (const KymoGuidePage *page, char **words, KymoGuideFollow follow,
                     gpointer data, GtkWidget **hit)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, GAP);
  Writer *writer = g_new0 (Writer, 1);

  *writer = (Writer) { page, words, follow, data, NULL };
  for (cmark_node *node = cmark_node_first_child (page->document); node != NULL;
       node = cmark_node_next (node))
    append_block (writer, box, node);
  if (hit != NULL)
    *hit = writer->hit;
  /* Labels follow links by it; page and words are not used any more. */
  g_object_set_data_full (G_OBJECT (box), "kymo-guide-writer", writer, g_free);
  return box;
}
