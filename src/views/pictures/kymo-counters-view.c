/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The choice holds the names of the first answer about all counters of the whole run. A map
 * is of one of them: the first, where none is chosen.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-asker.h"
#include "kymo-controls.h"
#include "kymo-counters-view.h"
#include "kymo-kept.h"
#include "kymo-scrolled-canvas.h"

enum { CURVES, MAP, N_MODES };

static const char *const plots[N_MODES] = { "counters", "counter-map" };
/* What a value of the map is; the first is what fits the counter. */
static const char *const statistics[] = { NULL, "max", "mean", "weighted", "last", "min" };

struct _KymoCountersView
{
  GtkBox         parent_instance;

  GPtrArray     *canvases;             /* KymoCanvas by mode, borrowed */
  KymoAsker     *asker;
  GtkWidget     *mode, *choice, *statistic, *stack;
  GtkStringList *names;                /* behind the first line, all of them */
  char          *wanted;               /* what is to be chosen when the names have come */
};

G_DEFINE_FINAL_TYPE (KymoCountersView, kymo_counters_view, GTK_TYPE_BOX)

static const char *
name_at (KymoCountersView *self, guint i)
{
  return gtk_string_list_get_string (self->names, i);
}

static guint
n_names (KymoCountersView *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->names));
}

/* No name: there is nothing to ask for yet, or there are no counters. */
static void
show_map (KymoCountersView *self, const char *name)
{
  if (name != NULL)
    kymo_canvas_set_parameter (self->canvases->pdata[MAP], "name", name);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    plots[name != NULL ? MAP : CURVES]);
}

static void
on_chosen (KymoCountersView *self)
{
  guint chosen = kymo_controls_chosen (self->choice);
  gboolean map = kymo_controls_chosen (self->mode) == MAP;

  gtk_widget_set_visible (self->statistic, map);
  kymo_canvas_set_parameter (self->canvases->pdata[CURVES], "name",
                             chosen == 0 ? NULL : name_at (self, chosen));
  if (!map)
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), plots[CURVES]);
  else if (chosen == 0 && n_names (self) > 1)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), 1);
  else
    show_map (self, chosen == 0 ? NULL : name_at (self, chosen));
}

static void
on_statistic (KymoCountersView *self)
{
  guint chosen = MIN (kymo_controls_chosen (self->statistic), G_N_ELEMENTS (statistics) - 1);

  kymo_canvas_set_parameter (self->canvases->pdata[MAP], "statistic", statistics[chosen]);
}

/* -- which counter ---------------------------------------------------------- */

static gboolean
is_memory (const char *name)
{
  g_autofree char *folded = g_utf8_casefold (name, -1);

  return strstr (folded, "memory") != NULL;
}

static gboolean
is_wanted (const char *name, const char *wanted)
{
  return wanted != NULL ? g_str_equal (name, wanted) : is_memory (name);
}

/* NULL is the memory in use. */
static gboolean
choose_counters_view (KymoCountersView *self, const char *wanted)
{
  for (guint i = 1; i < n_names (self); i++)
    if (is_wanted (name_at (self, i), wanted))
      {
        gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), i);
        return TRUE;
      }
  return FALSE;
}

static void
on_names (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCountersView *self = data;
  KymoTable *list = answer != NULL ? kymo_table_peek_nested (answer, "names", NULL) : NULL;
  const char *last = NULL;

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      const char *name = kymo_table_get_string (list, "name", i);

      /* A metric and a user event of one name are asked for together. */
      if (name != NULL && g_strcmp0 (name, last) != 0)
        gtk_string_list_append (self->names, name);
      last = name;
    }
  if (self->wanted != NULL)
    choose_counters_view (self, *self->wanted != '\0' ? self->wanted : NULL);
  g_clear_pointer (&self->wanted, g_free);
  kymo_kept_try (self->choice);
  on_chosen (self);
}

/**
 * kymo_counters_view_choose:
 * @name: (nullable): name of a counter; %NULL = all counters
 *
 * Chooses the counter that the pictures show. Before the names of the run have come, @name is
 * remembered and chosen when they do; later an unknown name is ignored.
 */
void
kymo_counters_view_choose (KymoCountersView *self, const char *name)
{
  if (name == NULL)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), 0);
  else if (!choose_counters_view (self, name) && n_names (self) <= 1)
    {
      g_free (self->wanted);
      self->wanted = g_strdup (name);
    }
}

/**
 * kymo_counters_view_set_mode:
 * @mode: "map", "memory", or "curves", which any other text means, too
 *
 * Shows the map or the curves. "memory" chooses the first counter with "memory" in its name as
 * well, as soon as the names of the run have come; where no name has it the choice stays.
 */
void
kymo_counters_view_set_mode (KymoCountersView *self, const char *mode)
{
  gboolean memory = g_strcmp0 (mode, "memory") == 0;

  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->mode),
                              g_strcmp0 (mode, "map") == 0 ? MAP : CURVES);
  if (memory && !choose_counters_view (self, NULL) && n_names (self) <= 1)
    {
      g_free (self->wanted);
      self->wanted = g_strdup ("");
    }
}

/* A lane that is activated has the picture; one of a location goes nowhere. */
static void
on_activated (KymoCountersView *self, const char *name)
{
  if (kymo_controls_chosen (self->choice) == 0)
    kymo_counters_view_choose (self, name);
}

/**
 * kymo_counters_view_peek_canvases:
 *
 * Returns: (transfer none) (element-type KymoCanvas): the canvas of the curves, then the canvas of
 * the map
 */
GPtrArray *
kymo_counters_view_peek_canvases (KymoCountersView *self)
{
  return self->canvases;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_counters_view_dispose (GObject *object)
{
  g_clear_pointer (&KYMO_COUNTERS_VIEW (object)->asker, kymo_asker_free);
  G_OBJECT_CLASS (kymo_counters_view_parent_class)->dispose (object);
}

static void
kymo_counters_view_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_COUNTERS_VIEW (object)->canvases);
  g_free (KYMO_COUNTERS_VIEW (object)->wanted);
  G_OBJECT_CLASS (kymo_counters_view_parent_class)->finalize (object);
}

static void
kymo_counters_view_class_init (KymoCountersViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_counters_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_counters_view_finalize;
}

static void
kymo_counters_view_init (KymoCountersView *self)
{
  self->canvases = g_ptr_array_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

static const char *
kept_name (gpointer data, guint line)
{
  return name_at (data, line);
}

static void
build_bar (KymoCountersView *self)
{
  const char *const all[] = { _("All counters"), NULL };
  const char *const modes[] = { _("Curves"), _("Map"), NULL };
  const char *const words[] = { _("As fits"), _("Largest"), _("Mean of samples"),
                                _("Mean over time"), _("Newest"), _("Least"), NULL };
  GtkWidget *bar = kymo_controls_new ();

  self->mode = kymo_controls_add_choice (bar, _("How counters are shown"), modes);
  self->choice = kymo_controls_add_choice (bar, _("Which counter is shown"), all);
  self->statistic = kymo_controls_add_choice (bar, _("What a value of the map is"), words);
  self->names = GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (self->choice)));
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->choice), TRUE);
  kymo_kept_add (self->mode, "counters", "mode");
  kymo_kept_add_names (self->choice, "counters", "name", kept_name, self);
  kymo_kept_add (self->statistic, "counters", "statistic");
  gtk_box_append (GTK_BOX (self), bar);
  kymo_follow (self->mode, "notify::selected", on_chosen, self);
  kymo_follow (self->choice, "notify::selected", on_chosen, self);
  kymo_follow (self->statistic, "notify::selected", on_statistic, self);
}

/**
 * kymo_counters_view_new:
 *
 * Makes the view of counters for @session and asks for the names of all counters of the run.
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
kymo_counters_view_new (KymoSession *session)
{
  KymoCountersView *self = g_object_new (KYMO_TYPE_COUNTERS_VIEW, NULL);

  self->stack = gtk_stack_new ();
  for (guint i = 0; i < N_MODES; i++)
    {
      GtkWidget *canvas = kymo_canvas_new (kymo_plot_find (plots[i]), session);

      g_ptr_array_add (self->canvases, canvas);
      gtk_stack_add_named (GTK_STACK (self->stack),
                           i == CURVES ? kymo_scrolled_canvas_new (KYMO_CANVAS (canvas)) : canvas,
                           plots[i]);
    }
  gtk_widget_set_vexpand (self->stack, TRUE);
  build_bar (self);
  gtk_box_append (GTK_BOX (self), self->stack);
  kymo_follow (self->canvases->pdata[CURVES], "activated", on_activated, self);
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_names, self);
  kymo_asker_ask (self->asker, kymo_question_new ("counters"));
  on_chosen (self);
  return GTK_WIDGET (self);
}
