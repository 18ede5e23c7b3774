/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-profile-picture.h.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-focus-bar.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-profile-bar.h"
#include "kymo-profile-picture.h"
#include "kymo-scrolled-canvas.h"
#include "kymo-session-profile.h"

/* Of two pictures the upper one has so much of the height at first. */
#define UPPER_SHARE 0.6
/* For both of them to show a few lines */
#define LEAST_HEIGHT_PX 290

struct _KymoProfilePicture
{
  GtkBox          parent_instance;

  KymoSession    *session;
  KymoProfileOptions *options;           /* of its part */
  KymoPictureOf   of;
  GPtrArray      *canvases;            /* KymoCanvas, borrowed */
  KymoProfileBar *bar;
  GtkWidget      *up;                  /* of an icicle, or NULL */
  GtkWidget      *root, *search;       /* of an icicle, too */
  GtkWidget      *stack;               /* the pictures, or why there are none */
  gboolean        placed;              /* where the handle of two is */
  char           *paths;               /* what paths were chosen last */
};

G_DEFINE_FINAL_TYPE (KymoProfilePicture, kymo_profile_picture, GTK_TYPE_BOX)

/* -- what the questions are of -------------------------------------------- */

static const char *
function_of (KymoProfilePicture *self)
{
  const char *chosen = kymo_session_peek_function (self->session);
  const char *const *names = kymo_session_peek_names (self->session);

  return chosen != NULL ? chosen : names != NULL ? names[0] : NULL;
}

static void
set_of (KymoProfilePicture *self)
{
  const char *of = self->of == KYMO_PICTURE_OF_THREAD
                   ? kymo_session_peek_thread (self->session)
                   : self->of == KYMO_PICTURE_OF_FUNCTION
                   ? function_of (self) : NULL;

  /* Only where nothing was measured there is no function to be about. */
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    self->of == KYMO_PICTURE_OF_FUNCTION
                                    && of == NULL ? "none" : "pictures");
  for (guint i = 0; i < self->canvases->len; i++)
    kymo_canvas_set_parameter (self->canvases->pdata[i], "of", of);
}

/* -- what they tell ------------------------------------------------------- */

static void
on_answer (KymoProfilePicture *self, KymoCanvas *canvas)
{
  kymo_profile_bar_set_answer (self->bar, kymo_canvas_peek_answer (canvas));
}

static void
show_up (KymoProfilePicture *self)
{
  if (self->up != NULL)
    gtk_widget_set_sensitive (self->up, kymo_canvas_peek_focus_path (
                                self->canvases->pdata[0]) != NULL);
}

static void
on_activated (KymoProfilePicture *self, const char *name, gint64 location,
              KymoCanvas *canvas)
{
  g_autofree char *path = g_strdup (kymo_canvas_peek_hit_path (canvas));

  /* Among callers and callees of one function one goes to the next one. */
  if (name != NULL && self->up != NULL
      && kymo_profile_options_peek (self->options, "focus") != NULL)
    kymo_profile_options_set (self->options, "focus", name);
  else if (path != NULL && self->up != NULL)
    kymo_canvas_set_focus_path (canvas, path);
  else if (name != NULL)
    g_signal_emit_by_name (self, "activated", name);
}

/* The row that was chosen last, whether with the pointer or with keys. */
static void
on_picked (KymoProfilePicture *self, gint64 cluster, gboolean activated,
           KymoCanvas *canvas)
{
  if (kymo_profile_bar_pick (self->bar, canvas) && activated)
    g_signal_emit_by_name (self, "show-view", "thread-table");
}

static void
on_up (KymoProfilePicture *self)
{
  kymo_canvas_focus_up (self->canvases->pdata[0]);
}

/* (transfer full) */
static char *
dup_paths (KymoProfilePicture *self)
{
  static const char *const keys[] = { "depth-limit", "callpath-depth", "by-phase", "focus" };
  GString *paths = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *value = kymo_profile_options_peek (self->options, keys[i]);

      g_string_append_printf (paths, "%s/", value != NULL ? value : "");
    }
  return g_string_free (paths, FALSE);
}

/* Among other paths there is no such node, or it lies elsewhere. */
static void
on_options (KymoProfilePicture *self)
{
  char *paths = dup_paths (self);

  if (g_strcmp0 (paths, self->paths) != 0)
    kymo_canvas_set_focus_path (self->canvases->pdata[0], NULL);
  g_free (self->paths);
  self->paths = paths;
}

static void
on_root (KymoProfilePicture *self)
{
  kymo_canvas_set_parameter (self->canvases->pdata[0], "root",
                             kymo_controls_chosen (self->root) == 1 ? "bottom" : NULL);
}

static void
on_search (KymoProfilePicture *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));

  kymo_canvas_set_parameter (self->canvases->pdata[0], "search", *text != '\0' ? text : NULL);
}

/**
 * kymo_profile_picture_set_mode:
 * @mode: "flame-graph" = root at the bottom; any other text = root on top
 *
 * Turns an icicle; other pictures have no modes and stay as they are.
 */
void
kymo_profile_picture_set_mode (KymoProfilePicture *self, const char *mode)
{
  if (self->root != NULL)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->root),
                                g_strcmp0 (mode, "flame-graph") == 0);
}

static void
on_relative (KymoProfilePicture *self, GtkCheckButton *check)
{
  kymo_canvas_set_relative (self->canvases->pdata[0],
                            gtk_check_button_get_active (check));
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_profile_picture_dispose (GObject *object)
{
  g_clear_object (&KYMO_PROFILE_PICTURE (object)->options);
  g_clear_object (&KYMO_PROFILE_PICTURE (object)->session);
  G_OBJECT_CLASS (kymo_profile_picture_parent_class)->dispose (object);
}

static void
kymo_profile_picture_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_PROFILE_PICTURE (object)->canvases);
  g_free (KYMO_PROFILE_PICTURE (object)->paths);
  G_OBJECT_CLASS (kymo_profile_picture_parent_class)->finalize (object);
}

static void
kymo_profile_picture_class_init (KymoProfilePictureClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_profile_picture_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_profile_picture_finalize;
  kymo_signal_new ("activated", KYMO_TYPE_PROFILE_PICTURE, 1, G_TYPE_STRING);
  kymo_signal_new ("show-view", KYMO_TYPE_PROFILE_PICTURE, 1, G_TYPE_STRING);
}

static void
kymo_profile_picture_init (KymoProfilePicture *self)
{
  self->canvases = g_ptr_array_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

static GtkWidget *
build_canvas (KymoProfilePicture *self, const char *id)
{
  GtkWidget *canvas = kymo_canvas_new (kymo_plot_find (id), self->session);

  g_ptr_array_add (self->canvases, canvas);
  kymo_follow (canvas, "answer-changed", on_answer, self);
  kymo_follow (canvas, "activated", on_activated, self);
  kymo_follow (canvas, "focus-changed", show_up, self);
  kymo_follow (canvas, "picked", on_picked, self);
  return kymo_scrolled_canvas_new (KYMO_CANVAS (canvas));
}

static gboolean
place_handle (GtkWidget *paned, GdkFrameClock *clock, gpointer data)
{
  int height = gtk_widget_get_height (paned);

  if (height < 100)
    return G_SOURCE_CONTINUE;
  gtk_paned_set_position (GTK_PANED (paned), height * UPPER_SHARE);
  return G_SOURCE_REMOVE;
}

static GtkWidget *
build_pictures (KymoProfilePicture *self, const char *const *plots)
{
  GtkWidget *paned, *first = build_canvas (self, plots[0]);

  if (plots[1] == NULL)
    return first;
  paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (paned), first);
  gtk_paned_set_end_child (GTK_PANED (paned), build_canvas (self, plots[1]));
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_widget_add_tick_callback (paned, place_handle, NULL, NULL);
  return kymo_scrolled_pictures_new (paned, LEAST_HEIGHT_PX);
}

static void
build_stack (KymoProfilePicture *self, GtkWidget *pictures)
{
  GtkWidget *none = gtk_label_new (kymo_in_terms_of (
    self->session, _("No {code} was measured here")));

  gtk_widget_add_css_class (none, "dim-label");
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), pictures, "pictures");
  gtk_stack_add_named (GTK_STACK (self->stack), none, "none");
  gtk_widget_set_vexpand (self->stack, TRUE);
}

static void
build_search (KymoProfilePicture *self, GtkWidget *box)
{
  const char *const roots[] = { _("Icicle"), _("Flame graph"), NULL };

  self->search = gtk_search_entry_new ();
  g_object_set (self->search, "placeholder-text", _("Mark"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->search), 10);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->search), 14);
  kymo_controls_name (self->search, kymo_in_terms_of (
    self->session, _("Marks {codes} by name, and tells their share")));
  gtk_box_append (GTK_BOX (box), self->search);
  self->root = kymo_controls_add_choice (box, _("Where the root is: on top, or at the bottom"),
                                         roots);
  kymo_kept_add (self->root, "icicle", "root");
  kymo_follow (self->search, "search-changed", on_search, self);
  kymo_follow (self->root, "notify::selected", on_root, self);
}

/* What one picture alone has. */
static void
build_own (KymoProfilePicture *self, const char *id)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *check;

  kymo_profile_bar_add (self->bar, box);
  if (g_strcmp0 (id, "icicle") == 0)
    {
      self->up = kymo_controls_add_button (
        box, _("_Up"), _("To the caller of what fills the picture"));
      kymo_follow (self->up, "clicked", on_up, self);
      show_up (self);
      gtk_box_append (GTK_BOX (box), kymo_focus_bar_new (self->session, GTK_WIDGET (self)));
      build_search (self, box);
    }
  else if (g_strcmp0 (id, "thread-bars") == 0)
    {
      check = kymo_controls_add_check (box, _("_Relative"),
                                       _("All bars of the same length"));
      kymo_kept_add (check, "thread-bars", "relative");
      kymo_follow (check, "toggled", on_relative, self);
    }
  else
    gtk_widget_set_visible (box, FALSE);
}

/**
 * kymo_profile_picture_new:
 * @plots: (array zero-terminated=1): names of a picture or of two, from top to bottom
 * @of: the subject of the pictures, which decides on their controls, too
 *
 * Makes pictures of a profile with the profile options that @session uses now. They follow the
 * function and the thread of @session.
 *
 * Returns: (transfer floating): the widget, which holds references to @session and its options
 */
GtkWidget *
kymo_profile_picture_new (KymoSession *session, const char *const *plots,
                          KymoPictureOf of)
{
  KymoProfilePicture *self = g_object_new (KYMO_TYPE_PROFILE_PICTURE, NULL);
  GtkWidget *pictures;

  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  self->of = of;
  self->bar = KYMO_PROFILE_BAR (kymo_profile_bar_new (
    session, KYMO_PROFILE_BAR_METRIC
             | (of == KYMO_PICTURE_OF_THREAD
                ? KYMO_PROFILE_BAR_THREAD | KYMO_PROFILE_BAR_PATHS
                : KYMO_PROFILE_BAR_VALUE)));
  pictures = build_pictures (self, plots);
  build_own (self, plots[0]);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->bar));
  build_stack (self, pictures);
  gtk_box_append (GTK_BOX (self), self->stack);
  set_of (self);
  self->paths = dup_paths (self);
  kymo_follow (self->options, "changed", on_options, self);
  kymo_follow (session, "function-changed", set_of, self);
  kymo_follow (session, "thread-changed", set_of, self);
  /* With the names of the run comes the busiest one. */
  kymo_follow (session, "colors-changed", set_of, self);
  return GTK_WIDGET (self);
}

/**
 * kymo_profile_picture_peek_canvases:
 *
 * Returns: (transfer none) (element-type KymoCanvas): the pictures, from top to bottom
 */
GPtrArray *
kymo_profile_picture_peek_canvases (KymoProfilePicture *self)
{
  return self->canvases;
}
