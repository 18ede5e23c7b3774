/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-controls.h"

#include "kymo-accessible.h"
#include "kymo-label.h"
#include "kymo-safe-text.h"
#include "kymo-wrap-layout.h"

/** kymo_controls_name: words for who does not see it, and on hovering */
void
kymo_controls_name (GtkWidget *widget, const char *name)
{
  if (GTK_IS_DROP_DOWN (widget))
    kymo_accessible_name_choice (widget, name);
  else
    kymo_accessible_name (widget, name);
  gtk_widget_set_tooltip_text (widget, name);
}

/**
 * kymo_controls_speak:
 * @label: the label of the widget, with its mnemonic
 *
 * GTK 4.8 reads labels out with the underscore; so they are said without it.
 */
void
kymo_controls_speak (GtkWidget *widget, const char *label)
{
  g_auto (GStrv) parts = g_strsplit (label, "_", -1);
  g_autofree char *words = g_strjoinv ("", parts);

  /* Else the words of the label inside are said as well. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  kymo_accessible_name (widget, words);
}

/**
 * kymo_controls_speak_buttons:
 * @top: a dialog of libadwaita, or a toast, with its buttons
 *
 * Says the labels of all buttons below without the underscores of their mnemonics.
 */
void
kymo_controls_speak_buttons (GtkWidget *top)
{
  if (GTK_IS_BUTTON (top))
    {
      const char *label = gtk_button_get_label (GTK_BUTTON (top));

      if (label != NULL && gtk_button_get_use_underline (GTK_BUTTON (top)))
        kymo_controls_speak (top, label);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    kymo_controls_speak_buttons (child);
}

/** kymo_controls_dup_label: a name as it stands in a menu, on one line and without mnemonics */
char *
kymo_controls_dup_label (const char *name)
{
  g_autofree char *safe = kymo_safe_text_dup (name);
  g_auto (GStrv) parts = g_strsplit (safe, "_", -1);

  return g_strjoinv ("__", parts);
}

/** kymo_controls_new: Returns: (transfer floating): an empty row */
GtkWidget *
kymo_controls_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_layout_manager (box, kymo_wrap_layout_new (8));
  gtk_widget_add_css_class (box, "kymo-controls");
  return box;
}

/**
 * kymo_controls_new_words:
 *
 * Makes a label for sentences about what is below it, on as many lines as they need.
 *
 * Returns: (transfer floating): the label, which is empty
 */
GtkWidget *
kymo_controls_new_words (void)
{
  GtkWidget *words = kymo_label_new_wrapped (NULL, "dim-label kymo-strip");

  gtk_label_set_selectable (GTK_LABEL (words), TRUE);
  return words;
}

/**
 * kymo_controls_add_words:
 * @box: a row of widgets
 *
 * Appends a label that takes the room that is left and is cut at its end.
 *
 * Returns: (transfer none): the label, which is empty
 */
GtkWidget *
kymo_controls_add_words (GtkWidget *box)
{
  GtkWidget *words = kymo_label_new_cut (NULL, NULL);

  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (box), words);
  return words;
}

/**
 * kymo_controls_is_bar:
 *
 * Returns: whether the widget is a bar of controls over a picture
 */
gboolean
kymo_controls_is_bar (GtkWidget *widget)
{
  return gtk_widget_has_css_class (widget, "kymo-controls");
}

/** kymo_controls_add_choice: @choices: ends with %NULL */
GtkWidget *
kymo_controls_add_choice (GtkWidget *box, const char *name,
                          const char *const *choices)
{
  GtkWidget *drop = gtk_drop_down_new_from_strings (choices);

  kymo_controls_name (drop, name);
  gtk_box_append (GTK_BOX (box), drop);
  return drop;
}

/** kymo_controls_add_number: whole numbers */
GtkWidget *
kymo_controls_add_number (GtkWidget *box, const char *name, double least,
                          double most, double value)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, 1);

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 3);
  kymo_controls_name (spin, name);
  gtk_box_append (GTK_BOX (box), spin);
  return spin;
}

/**
 * kymo_controls_add_check:
 * @label: the words beside the box, with a mnemonic
 * @name: a sentence for the tooltip
 *
 * Returns: (transfer none): the check button, at the end of @box
 */
GtkWidget *
kymo_controls_add_check (GtkWidget *box, const char *label, const char *name)
{
  GtkWidget *check = gtk_check_button_new_with_mnemonic (label);

  kymo_controls_speak (check, label);
  gtk_widget_set_tooltip_text (check, name);
  gtk_box_append (GTK_BOX (box), check);
  return check;
}

/**
 * kymo_controls_add_button:
 * @label: the words on the button, with a mnemonic
 * @name: a sentence for the tooltip
 *
 * Returns: (transfer none): the button, at the end of @box
 */
GtkWidget *
kymo_controls_add_button (GtkWidget *box, const char *label, const char *name)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  kymo_controls_speak (button, label);
  gtk_widget_set_tooltip_text (button, name);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

/**
 * kymo_controls_add_gap:
 *
 * Appends an empty widget that takes all room left over.
 */
void
kymo_controls_add_gap (GtkWidget *box)
{
  GtkWidget *gap = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_hexpand (gap, TRUE);
  gtk_box_append (GTK_BOX (box), gap);
}

/** kymo_controls_chosen: which of a choice */
guint
kymo_controls_chosen (GtkWidget *choice)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (choice));
}
