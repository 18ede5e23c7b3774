/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of a way to choose paths that the run does not have there is no line (`way` is
 * NULL there). Numbers that are not in use stay as they were typed.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-path-choice.h"
#include "kymo-session-profile.h"

#define MOST 99

/** Way: one of which is chosen; the first is what questions do without */
typedef enum { WHOLE, LEVELS, LAST, PHASE, N_WAYS } Way;

static const struct
{
  const char *option;
  const char *words, *about;
  guint       least, first;            /* of the number; 0 = there is none */
  gboolean    of_blocks;               /* there must be blocks */
} ways[N_WAYS] = {
  { NULL, N_("_Whole paths"), N_("From the root to the function"),
    0, 0, FALSE },
  { "depth-limit", N_("From the root, _levels:"),
    N_("What lies deeper belongs to the last function shown"),
    1, 3, FALSE },
  { "callpath-depth", N_("The l_ast functions:"),
    N_("Paths end with the function and begin this many callers above"),
    2, 2, TRUE },
  { "by-phase", N_("By _phase"),
    N_("Functions under the phase that encloses them most closely"),
    0, 0, TRUE },
};

struct _KymoPathChoice
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoProfileOptions *options;           /* of its part */
  GtkWidget   *button;
  GtkWidget   *way[N_WAYS], *number[N_WAYS];   /* or NULL */
  gboolean     filling;
};

G_DEFINE_FINAL_TYPE (KymoPathChoice, kymo_path_choice, GTK_TYPE_BOX)

/* -- between the popover and the session ---------------------------------- */

static Way
chosen_way (KymoPathChoice *self)
{
  for (guint i = LEVELS; i < N_WAYS; i++)
    if (self->way[i] != NULL
        && gtk_check_button_get_active (GTK_CHECK_BUTTON (self->way[i])))
      return i;
  return WHOLE;
}

/* The others are taken back first: no question has two of them. */
static void
on_changed (KymoPathChoice *self)
{
  Way chosen = chosen_way (self);
  g_autofree char *value = NULL;

  if (self->filling)
    return;
  if (self->number[chosen] != NULL)
    value = g_strdup_printf ("%d", gtk_spin_button_get_value_as_int (
                               GTK_SPIN_BUTTON (self->number[chosen])));
  else
    value = g_strdup ("1");
  for (guint i = LEVELS; i < N_WAYS; i++)
    if (i != chosen)
      kymo_profile_options_set (self->options, ways[i].option, NULL);
  if (chosen != WHOLE)
    kymo_profile_options_set (self->options, ways[chosen].option, value);
}

/* Of a group the one that is chosen and the one that is left both tell. */
static void
on_toggled (KymoPathChoice *self, GtkCheckButton *check)
{
  if (gtk_check_button_get_active (check))
    on_changed (self);
}

/* To type a number is to choose what it is of. */
static void
on_number (KymoPathChoice *self, GtkSpinButton *number)
{
  for (guint i = LEVELS; i < N_WAYS && !self->filling; i++)
    if (self->number[i] == GTK_WIDGET (number))
      {
        self->filling = TRUE;
        gtk_check_button_set_active (GTK_CHECK_BUTTON (self->way[i]), TRUE);
        self->filling = FALSE;
        on_changed (self);
      }
}

/* What is chosen is also said to who does not see it. */
static void
show_label (KymoPathChoice *self, Way way, guint number)
{
  g_autofree char *label
    = way == LEVELS ? g_strdup_printf (_("Paths: %u levels"), number)
      : way == LAST ? g_strdup_printf (_("Paths: last %u"), number)
      : g_strdup (way == PHASE ? _("Paths: by phase") : _("Paths"));

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), label);
  kymo_accessible_name (self->button, label);
}

static void
show_session (KymoPathChoice *self)
{
  Way way = WHOLE;
  guint64 number = 0;

  for (guint i = LEVELS; i < N_WAYS && way == WHOLE; i++)
    if (self->way[i] != NULL
        && kymo_profile_options_peek (self->options, ways[i].option) != NULL)
      way = i;
  if (way != WHOLE)
    g_ascii_string_to_unsigned (kymo_profile_options_peek (self->options, ways[way].option), 10, 0,
                                MOST, &number, NULL);
  self->filling = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->way[way]), TRUE);
  if (self->number[way] != NULL)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->number[way]), number);
  self->filling = FALSE;
  show_label (self, way, number);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_path_choice_dispose (GObject *object)
{
  g_clear_object (&KYMO_PATH_CHOICE (object)->options);
  g_clear_object (&KYMO_PATH_CHOICE (object)->session);
  G_OBJECT_CLASS (kymo_path_choice_parent_class)->dispose (object);
}

static void
kymo_path_choice_class_init (KymoPathChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_path_choice_dispose;
}

static void
kymo_path_choice_init (KymoPathChoice *self)
{
}

static gboolean
is_there (KymoPathChoice *self, Way way)
{
  KymoCapabilities can = kymo_source_get_capabilities (
    kymo_session_peek_source (self->session));

  return (!ways[way].of_blocks || (can & KYMO_CAN_INTERVALS))
         && (way != PHASE || (can & KYMO_CAN_PHASES));
}

static void
add_way (KymoPathChoice *self, GtkWidget *grid, Way way)
{
  const char *label = _(ways[way].words), *about = _(ways[way].about);
  GtkWidget *check = gtk_check_button_new_with_mnemonic (label);

  kymo_controls_speak (check, label);
  gtk_widget_set_tooltip_text (check, about);
  gtk_check_button_set_group (GTK_CHECK_BUTTON (check),
                              GTK_CHECK_BUTTON (self->way[WHOLE]));
  self->way[way] = check;
  gtk_grid_attach (GTK_GRID (grid), check, 0, way, 1, 1);
  kymo_follow (check, "toggled", on_toggled, self);
  if (ways[way].first == 0)
    return;
  self->number[way] = gtk_spin_button_new_with_range (ways[way].least, MOST, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->number[way]),
                             ways[way].first);
  kymo_controls_name (self->number[way], about);
  gtk_grid_attach (GTK_GRID (grid), self->number[way], 1, way, 1, 1);
  kymo_follow (self->number[way], "value-changed", on_number, self);
}

/**
 * kymo_path_choice_new:
 *
 * Makes the button for the profile options that @session uses now. Its popover offers the ways to
 * choose call paths for which the run has data, and no others.
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
kymo_path_choice_new (KymoSession *session)
{
  KymoPathChoice *self = g_object_new (KYMO_TYPE_PATH_CHOICE, NULL);
  GtkWidget *popover = gtk_popover_new (), *grid = gtk_grid_new ();

  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  for (guint i = 0; i < N_WAYS; i++)
    if (is_there (self, i))
      add_way (self, grid, i);
  gtk_popover_set_child (GTK_POPOVER (popover), grid);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover);
  gtk_widget_set_tooltip_text (self->button, _("Which call paths are shown"));
  gtk_box_append (GTK_BOX (self), self->button);
  kymo_follow (self->options, "changed", show_session, self);
  show_session (self);
  return GTK_WIDGET (self);
}
