/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-page.h"

#include "kymo-palette-files.h"
#include "kymo-run-view-keep.h"
#include "kymo-safe-text.h"
#include "kymo-session-colors.h"
#include "kymo-session-profile.h"
#include "kymo-settings.h"

#define RUN_FACE "run"

typedef struct
{
  char        *title, *subtitle;
  GtkStack    *stack;
  KymoRunView *view;            /* a child of the stack, or NULL */
} KymoPagePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (KymoPage, kymo_page, GTK_TYPE_BOX)

#define PRIVATE(self) \
  ((KymoPagePrivate *) kymo_page_get_instance_private (self))

/* -- the view of a run ---------------------------------------------------- */

/** kymo_page_apply_palette: that of the preferences; one that is gone is the standard one */
void
kymo_page_apply_palette (KymoSession *session)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *name = settings != NULL
                          ? g_settings_get_string (settings, "palette")
                          : g_strdup ("standard");
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoPalette) palette = kymo_palettes_load (name, &error);

  if (palette == NULL)
    {
      g_info ("%s", error->message);
      palette = kymo_palette_new (KYMO_PALETTE_STANDARD);
    }
  kymo_session_use_palette (session, palette);
}

/* What runs show that are to have another one; NULL = any. */
static KymoPalette *replaced;

static void
on_palette (KymoSession *session)
{
  if (replaced == NULL
      || kymo_palette_equal (kymo_session_peek_palette (session), replaced))
    kymo_page_apply_palette (session);
}

/**
 * kymo_page_replace_palette:
 * @before: (nullable): the palette of the preferences as it was
 * @name: of the one in its place
 *
 * Runs in which a person has chosen colours keep these.
 */
void
kymo_page_replace_palette (KymoPalette *before, const char *name)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *own = settings != NULL ? g_settings_get_string (settings, "palette") : NULL;

  if (settings == NULL)
    return;
  replaced = before;
  /* Under the same name there is no change that the settings tell. */
  if (g_strcmp0 (own, name) == 0)
    g_signal_emit_by_name (settings, "changed::palette", "palette");
  else
    g_settings_set_string (settings, "palette", name);
  replaced = NULL;
}

/* After a reload the person stands where she stood. */
static void
take_place_of (KymoRunView *view, KymoRunView *old)
{
  KymoSession *before = kymo_run_view_peek_session (old);
  g_autoptr (KymoDesk) desk = kymo_desk_new ();

  kymo_session_set_range (kymo_run_view_peek_session (view),
                          kymo_session_get_range (before), FALSE);
  kymo_run_view_keep_layout (old, desk);
  kymo_run_view_restore_layout (view, desk);
  kymo_run_view_take_wishes (view, old);
  kymo_session_take_profile (kymo_run_view_peek_session (view), before);
}

static void
on_message (KymoPage *self, const char *message)
{
  kymo_page_say (self, message);
}

static void
show_new_view (KymoPage *self, KymoSource *source, const KymoTable *info)
{
  KymoPagePrivate *priv = PRIVATE (self);
  g_autoptr (KymoSession) session = kymo_session_new (source);
  GtkWidget *view = kymo_run_view_new (session, info);

  if (kymo_settings_peek () != NULL)
    {
      kymo_page_apply_palette (session);
      kymo_follow (kymo_settings_peek (), "changed::palette", on_palette, session);
    }
  if (priv->view != NULL)
    take_place_of (KYMO_RUN_VIEW (view), priv->view);
  kymo_page_drop_view (self);
  priv->view = KYMO_RUN_VIEW (view);
  kymo_page_add_face (self, RUN_FACE, view);
  kymo_page_show_face (self, RUN_FACE);
  kymo_follow (view, "message", on_message, self);
  kymo_follow (view, "view-changed", kymo_page_tell_changed, self);
}

/**
 * kymo_page_show_source:
 * @info: its answer of kind info
 *
 * Where the view shows this source already it stays as the person has it and
 * is told of @info; else there is a new one, at the place of the one before.
 *
 * Returns: whether there is a new view
 */
gboolean
kymo_page_show_source (KymoPage *self, KymoSource *source,
                       const KymoTable *info)
{
  KymoRunView *view = PRIVATE (self)->view;

  if (view == NULL || kymo_session_peek_source (
                        kymo_run_view_peek_session (view)) != source)
    {
      show_new_view (self, source, info);
      return TRUE;
    }
  kymo_run_view_set_info (view, info);
  return FALSE;
}

/**
 * kymo_page_drop_view:
 *
 * Removes the view of the run from the page, where there is a view. The caller shows another face.
 */
void
kymo_page_drop_view (KymoPage *self)
{
  KymoPagePrivate *priv = PRIVATE (self);

  if (priv->view != NULL)
    gtk_stack_remove (priv->stack, GTK_WIDGET (priv->view));
  priv->view = NULL;
}

/** kymo_page_peek_view: (nullable): whichever face is to be seen */
KymoRunView *
kymo_page_peek_view (KymoPage *self)
{
  return PRIVATE (self)->view;
}

/** kymo_page_get_view: (nullable): what is to be seen of a run */
KymoRunView *
kymo_page_get_view (KymoPage *self)
{
  const char *face = gtk_stack_get_visible_child_name (PRIVATE (self)->stack);

  return g_strcmp0 (face, RUN_FACE) == 0 ? PRIVATE (self)->view : NULL;
}

/* -- faces and words ------------------------------------------------------ */

/**
 * kymo_page_add_face:
 * @name: new on this page
 * @face: (transfer floating): hidden until kymo_page_show_face(), unless it is the first face
 *
 * Adds a face to the page.
 */
void
kymo_page_add_face (KymoPage *self, const char *name, GtkWidget *face)
{
  gtk_stack_add_named (PRIVATE (self)->stack, face, name);
}

/** kymo_page_drop_face: where there is one of that name */
void
kymo_page_drop_face (KymoPage *self, const char *name)
{
  GtkWidget *face = gtk_stack_get_child_by_name (PRIVATE (self)->stack, name);

  if (face != NULL)
    gtk_stack_remove (PRIVATE (self)->stack, face);
}

/**
 * kymo_page_show_face:
 * @name: of a face that was added
 *
 * Shows a face in place of the others. The signal "changed" is not emitted for this.
 */
void
kymo_page_show_face (KymoPage *self, const char *name)
{
  gtk_stack_set_visible_child_name (PRIVATE (self)->stack, name);
}

/**
 * kymo_page_set_words:
 * @title: of the tab; copied, and made safe to display
 * @subtitle: as @title
 *
 * Sets the title and subtitle that the window shows. The window reads them at the next
 * kymo_page_tell_changed().
 */
void
kymo_page_set_words (KymoPage *self, const char *title, const char *subtitle)
{
  KymoPagePrivate *priv = PRIVATE (self);

  g_free (priv->title);
  g_free (priv->subtitle);
  priv->title = kymo_safe_text_dup (title);
  priv->subtitle = kymo_safe_text_dup (subtitle);
}

/**
 * kymo_page_get_title:
 *
 * Returns: (transfer none): the title of the tab, safe to display; valid until the next
 * kymo_page_set_words()
 */
const char *
kymo_page_get_title (KymoPage *self)
{
  return PRIVATE (self)->title;
}

/**
 * kymo_page_get_subtitle:
 *
 * Returns: (transfer none): the line below the title, safe to display; valid until the next
 * kymo_page_set_words()
 */
const char *
kymo_page_get_subtitle (KymoPage *self)
{
  return PRIVATE (self)->subtitle;
}

/** kymo_page_say: a sentence that passes */
void
kymo_page_say (KymoPage *self, const char *message)
{
  g_signal_emit_by_name (self, "message", message);
}

/**
 * kymo_page_tell_changed:
 *
 * Emits "changed": the window reads title, state and view of the page again.
 */
void
kymo_page_tell_changed (KymoPage *self)
{
  g_signal_emit_by_name (self, "changed");
}

/** kymo_page_get_path: (nullable): the file or folder that is shown */
const char *
kymo_page_get_path (KymoPage *self)
{
  return KYMO_PAGE_GET_CLASS (self)->get_path (self);
}

/** kymo_page_is_loading: also while drafts are shown */
gboolean
kymo_page_is_loading (KymoPage *self)
{
  return KYMO_PAGE_GET_CLASS (self)->is_loading (self);
}

/** kymo_page_reload: reads the files again, or tries to connect again */
void
kymo_page_reload (KymoPage *self)
{
  if (KYMO_PAGE_GET_CLASS (self)->reload != NULL)
    KYMO_PAGE_GET_CLASS (self)->reload (self);
}

/** kymo_page_knows: whether it does a command of the window itself, now */
gboolean
kymo_page_knows (KymoPage *self, const char *command)
{
  return KYMO_PAGE_GET_CLASS (self)->knows != NULL
         && KYMO_PAGE_GET_CLASS (self)->knows (self, command);
}

/** kymo_page_command: one that it knows */
void
kymo_page_command (KymoPage *self, const char *command)
{
  if (kymo_page_knows (self, command))
    KYMO_PAGE_GET_CLASS (self)->command (self, command);
}

/** kymo_page_pill: a button of a face; @action: (nullable) */
GtkWidget *
kymo_page_pill (const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "pill");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  if (action != NULL)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/**
 * kymo_page_dup_markup:
 *
 * Names of files may be any bytes; a label of markup shows nothing of those. Control
 * characters but line feeds become visible.
 *
 * Returns: (transfer full): @text as markup
 */
char *
kymo_page_dup_markup (const char *text)
{
  g_autoptr (GString) safe = g_string_new (NULL);

  kymo_safe_text_append (safe, text, -1, "\n");
  return g_markup_escape_text (safe->str, -1);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_page_dispose (GObject *object)
{
  PRIVATE (KYMO_PAGE (object))->view = NULL;
  G_OBJECT_CLASS (kymo_page_parent_class)->dispose (object);
}

/* A reading holds its page: it goes when the reading has stopped. */
static void
kymo_page_unroot (GtkWidget *widget)
{
  KymoPageClass *klass = KYMO_PAGE_GET_CLASS (widget);

  if (klass->stop != NULL)
    klass->stop (KYMO_PAGE (widget));
  GTK_WIDGET_CLASS (kymo_page_parent_class)->unroot (widget);
}

static void
kymo_page_finalize (GObject *object)
{
  KymoPagePrivate *priv = PRIVATE (KYMO_PAGE (object));

  g_free (priv->title);
  g_free (priv->subtitle);
  G_OBJECT_CLASS (kymo_page_parent_class)->finalize (object);
}

static void
kymo_page_class_init (KymoPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_page_finalize;
  GTK_WIDGET_CLASS (klass)->unroot = kymo_page_unroot;
  kymo_signal_new ("changed", KYMO_TYPE_PAGE, 0);
  kymo_signal_new ("message", KYMO_TYPE_PAGE, 1, G_TYPE_STRING);
}

static void
kymo_page_init (KymoPage *self)
{
  KymoPagePrivate *priv = PRIVATE (self);
  GtkWidget *stack = gtk_stack_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  priv->stack = GTK_STACK (stack);
  gtk_widget_set_hexpand (stack, TRUE);
  gtk_widget_set_vexpand (stack, TRUE);
  gtk_stack_set_hhomogeneous (priv->stack, FALSE);
  gtk_stack_set_vhomogeneous (priv->stack, FALSE);
  gtk_box_append (GTK_BOX (self), stack);
}
