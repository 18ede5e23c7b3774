/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-color-popover.h. The popover owns its Choice.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-color-popover.h"
#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-hues.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-look.h"
#include "kymo-safe-text.h"
#include "kymo-session-colors.h"
#include "kymo-theme.h"

#define COLUMNS 5
#define SWATCH_PX 22
/* WCAG 2.1, 1.4.11. */
#define MARK_LEAST 3.0

typedef struct
{
  KymoSession *session;
  char        *name, *group;           /* group or NULL */
  GtkWidget   *popover, *of_group, *warning, *contrast;
} Choice;

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_object_unref (choice->session);
  g_free (choice->name);
  g_free (choice->group);
  g_free (choice);
}

static gboolean
is_of_group (Choice *choice)
{
  return choice->of_group != NULL
         && gtk_check_button_get_active (GTK_CHECK_BUTTON (choice->of_group));
}

/* How the name stands out now, as pictures show it: what a person chose may be too near
   to paper and be shown otherwise. */
static void
tell_contrast (GtkWidget *popover)
{
  Choice *choice = g_object_get_data (G_OBJECT (popover), "choice");
  KymoLook look = kymo_look_now ();
  KymoRgba color = kymo_colors_get (kymo_session_peek_colors (choice->session), choice->name,
                                    look);
  double paper = kymo_rgba_contrast (color, kymo_theme_get (look)->paper);
  double label = kymo_rgba_contrast (color, kymo_rgba_text_on (color));
  g_autofree char *words = NULL;

  /* The label is black or white, as the colour needs it: it always reads. */
  words = g_strdup_printf (
    paper < MARK_LEAST
    ? _("Contrast %.1f : 1 to the paper, less than the 3 : 1 that marks should have; "
        "%.1f : 1 to its label")
    : _("Contrast %.1f : 1 to the paper, %.1f : 1 to its label"), paper, label);
  gtk_label_set_text (GTK_LABEL (choice->contrast), words);
  if (paper < MARK_LEAST)
    gtk_widget_remove_css_class (choice->contrast, "dim-label");
  else
    gtk_widget_add_css_class (choice->contrast, "dim-label");
}

/* A colour that cannot be told from paper or ink is another one there. */
static void
warn (Choice *choice, guint32 rgb)
{
  gboolean light = kymo_color_is_near (rgb, FALSE), dark = kymo_color_is_near (rgb, TRUE);

  gtk_label_set_text (GTK_LABEL (choice->warning), light && dark
    ? _("Too near to paper or ink: it is shown with another lightness")
    : light ? _("Too near to paper or ink of the light theme: it is shown darker or lighter there")
    : _("Too near to paper or ink of the dark theme: it is shown darker or lighter there"));
  gtk_widget_set_visible (choice->warning, light || dark);
}

static void
choose_color_popover (Choice *choice, guint32 rgb)
{
  warn (choice, rgb);
  if (is_of_group (choice))
    {
      /* That of the name would come before it. */
      kymo_session_reset_color (choice->session, KYMO_COLOR_OF_NAME, choice->name);
      kymo_session_choose_color (choice->session, KYMO_COLOR_OF_GROUP, choice->group, rgb);
    }
  else
    kymo_session_choose_color (choice->session, KYMO_COLOR_OF_NAME, choice->name, rgb);
}

static void
on_hue (GtkWidget *button, Choice *choice)
{
  choose_color_popover (choice, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "rgb")));
}

static void
on_reset (Choice *choice)
{
  gtk_widget_set_visible (choice->warning, FALSE);
  kymo_session_reset_color (choice->session, KYMO_COLOR_OF_NAME, choice->name);
  if (is_of_group (choice))
    kymo_session_reset_color (choice->session, KYMO_COLOR_OF_GROUP, choice->group);
}

static void
on_hide (Choice *choice)
{
  kymo_session_set_hidden (choice->session, choice->name,
                           !kymo_session_is_hidden (choice->session, choice->name));
  gtk_popover_popdown (GTK_POPOVER (choice->popover));
}

static void
on_hide_others (Choice *choice)
{
  kymo_session_hide_others (choice->session, choice->name);
  gtk_popover_popdown (GTK_POPOVER (choice->popover));
}

/* -- any colour ----------------------------------------------------------- */

typedef struct
{
  KymoSession *session;
  KymoColorOf  of;
  char        *text;
} Other;

static void
on_other_response (GtkDialog *dialog, int response, Other *other)
{
  GdkRGBA rgba;

  if (response == GTK_RESPONSE_OK)
    {
      gtk_color_chooser_get_rgba (GTK_COLOR_CHOOSER (dialog), &rgba);
      kymo_session_choose_color (other->session, other->of, other->text, kymo_rgba_to_rgb (
        (KymoRgba) { rgba.red, rgba.green, rgba.blue, 1 }));
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_object_unref (other->session);
  g_free (other->text);
  g_free (other);
}

static void
on_other (Choice *choice)
{
  GtkRoot *root = gtk_widget_get_root (choice->popover);
  KymoRgba now = kymo_colors_get (kymo_session_peek_colors (choice->session), choice->name,
                                  FALSE);
  GdkRGBA rgba = { now.red, now.green, now.blue, 1 };
  GtkWidget *dialog = gtk_color_chooser_dialog_new (_("Colour"), GTK_IS_WINDOW (root)
                                                    ? GTK_WINDOW (root) : NULL);
  Other *other = g_new0 (Other, 1);

  other->session = g_object_ref (choice->session);
  other->of = is_of_group (choice) ? KYMO_COLOR_OF_GROUP : KYMO_COLOR_OF_NAME;
  other->text = g_strdup (is_of_group (choice) ? choice->group : choice->name);
  gtk_color_chooser_set_use_alpha (GTK_COLOR_CHOOSER (dialog), FALSE);
  gtk_color_chooser_set_rgba (GTK_COLOR_CHOOSER (dialog), &rgba);
  gtk_window_set_modal (GTK_WINDOW (dialog), TRUE);
  g_signal_connect (dialog, "response", G_CALLBACK (on_other_response), other);
  gtk_popover_popdown (GTK_POPOVER (choice->popover));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* -- building ------------------------------------------------------------- */

static void
draw_hue (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  guint32 rgb = GPOINTER_TO_UINT (data);

  cairo_set_source_rgb (cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                        (rgb & 255) / 255.0);
  cairo_arc (cr, width / 2.0, height / 2.0, MIN (width, height) / 2.0 - 1, 0, 2 * G_PI);
  cairo_fill (cr);
}

static GtkWidget *
hue_button (Choice *choice, guint32 rgb, guint number)
{
  GtkWidget *button = gtk_button_new (), *area = gtk_drawing_area_new ();
  g_autofree char *words = g_strdup_printf (_("Colour %u"), number);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), SWATCH_PX);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), SWATCH_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_hue, GUINT_TO_POINTER (rgb),
                                  NULL);
  gtk_button_set_child (GTK_BUTTON (button), area);
  gtk_widget_add_css_class (button, "flat");
  kymo_accessible_name (button, words);
  g_object_set_data (G_OBJECT (button), "rgb", GUINT_TO_POINTER (rgb));
  g_signal_connect (button, "clicked", G_CALLBACK (on_hue), choice);
  return button;
}

static GtkWidget *
build_hues (Choice *choice)
{
  GtkWidget *grid = gtk_grid_new ();
  guint32 rgb[KYMO_HUES_OFFERED];
  guint n = kymo_colors_list_hues (
    kymo_palette_get_base (kymo_session_peek_palette (choice->session)), rgb);

  for (guint i = 0; i < n; i++)
    gtk_grid_attach (GTK_GRID (grid), hue_button (choice, rgb[i], i + 1), i % COLUMNS,
                     i / COLUMNS, 1, 1);
  gtk_widget_set_halign (grid, GTK_ALIGN_CENTER);
  return grid;
}

static GtkWidget *
text_button (Choice *choice, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  kymo_controls_speak (button, label);
  gtk_widget_add_css_class (button, "flat");
  g_signal_connect_swapped (button, "clicked", clicked, choice);
  return button;
}

static GtkWidget *
build_scope (Choice *choice)
{
  g_autofree char *words = NULL, *safe = NULL;

  if (choice->group == NULL)
    return NULL;
  words = g_strdup_printf (_("All of the group “%s”"), choice->group);
  safe = kymo_safe_text_dup (words);
  choice->of_group = gtk_check_button_new_with_label (safe);
  return choice->of_group;
}

/* (transfer floating): a line that says something about the colour */
static GtkWidget *
note_color_popover (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 28);
  return label;
}

static GtkWidget *
build_color_popover (Choice *choice)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *scope;
  GtkWidget *title = gtk_label_new (NULL);
  gboolean hidden = kymo_session_is_hidden (choice->session, choice->name);

  kymo_label_set (title, choice->name);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 28);
  gtk_widget_add_css_class (title, "heading");
  gtk_box_append (GTK_BOX (box), title);
  scope = build_scope (choice);
  if (scope != NULL)
    gtk_box_append (GTK_BOX (box), scope);
  gtk_box_append (GTK_BOX (box), build_hues (choice));
  choice->contrast = note_color_popover ();
  gtk_widget_add_css_class (choice->contrast, "caption");
  gtk_box_append (GTK_BOX (box), choice->contrast);
  choice->warning = note_color_popover ();
  gtk_widget_set_visible (choice->warning, FALSE);
  gtk_box_append (GTK_BOX (box), choice->warning);
  gtk_box_append (GTK_BOX (box), text_button (choice, _("_Other Colour…"),
                                              G_CALLBACK (on_other)));
  gtk_box_append (GTK_BOX (box), text_button (choice, _("_Reset Colour"),
                                              G_CALLBACK (on_reset)));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), text_button (choice, hidden ? _("_Show") : _("_Hide"),
                                              G_CALLBACK (on_hide)));
  gtk_box_append (GTK_BOX (box), text_button (choice, _("Hide All O_thers"),
                                              G_CALLBACK (on_hide_others)));
  return box;
}

static void
unparent (gpointer data)
{
  g_autoptr (GtkWidget) popover = data;

  /* Its line of the list may have gone meanwhile, and it with that. */
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
}

static void
on_closed (GtkWidget *popover)
{
  /* What is clicked in it is still under way. */
  g_idle_add_once (unparent, g_object_ref (popover));
}

/** kymo_color_popover_show: Returns: (transfer none): */
GtkWidget *
kymo_color_popover_show (GtkWidget *parent, KymoSession *session, const char *name)
{
  Choice *choice = g_new0 (Choice, 1);

  choice->session = g_object_ref (session);
  choice->name = g_strdup (name);
  choice->group = g_strdup (kymo_session_peek_group (session, name));
  choice->popover = gtk_popover_new ();
  g_object_set_data_full (G_OBJECT (choice->popover), "choice", choice, choice_free);
  gtk_popover_set_child (GTK_POPOVER (choice->popover), build_color_popover (choice));
  tell_contrast (choice->popover);
  kymo_follow (session, "colors-changed", tell_contrast, choice->popover);
  gtk_widget_set_parent (choice->popover, parent);
  g_signal_connect (choice->popover, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (choice->popover));
  return choice->popover;
}
