/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A desk for tests of widgets (see the header).
 */
#include "config.h"

#include "desk.h"

#include "kymo-open.h"
#include "kymo-run-view.h"
#include "kymo-run-source.h"

void
desk_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  adw_init ();
  kymo_run_view_open_with ("timeline");
  g_timeout_add (20, wait_for_on_beat, NULL);
}

KymoSource *
desk_open_run (const char *path)
{
  KymoOpenOptions options = { .no_cache = TRUE, .n_threads = 2 };
  g_autofree char *whole = g_path_is_absolute (path) ? g_strdup (path)
    : g_test_build_filename (G_TEST_DIST, "..", "..", path, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (whole, &options, NULL, &error);

  g_assert_no_error (error);
  return KYMO_SOURCE (kymo_run_source_new (run, 2));
}

KymoTable *
desk_ask (KymoSource *source, const char *kind, const char *key,
          const char *value)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  if (key != NULL)
    kymo_question_set (question, key, value);
  answer = kymo_source_ask (source, question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

GtkWidget *
desk_present (GtkWidget *child, int width, int height)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  gtk_test_widget_wait_for_draw (window);
  return window;
}

void
desk_clear_window (GtkWidget **window)
{
  if (*window != NULL)
    gtk_window_destroy (GTK_WINDOW (*window));
  *window = NULL;
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
}

void
desk_turn (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  g_timeout_add_once (10, (GSourceOnceFunc) g_main_loop_quit, loop);
  g_main_loop_run (loop);
}

void
desk_keep_word (char **kept, const char *word)
{
  g_free (*kept);
  *kept = g_strdup (word);
}

void
desk_run_line (const char *folder, const char *line, const char *name)
{
  g_autofree char *tools = g_path_get_dirname (g_getenv ("KYMO_CLI"));
  g_autofree char *whole = g_strdup_printf ("PATH='%s':\"$PATH\"; %s -o %s -q --no-cache",
                                            tools, line, name);
  const char *const argv[] = { "/bin/sh", "-c", whole, NULL };
  g_autofree char *words = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                &words, &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s\n%s", line, words);
}

/* -- finding -------------------------------------------------------------- */

static gboolean
says (GtkWidget *widget, const char *words)
{
  return words == NULL
    || g_strcmp0 (gtk_widget_get_tooltip_text (widget), words) == 0
    || (GTK_IS_BUTTON (widget)
        && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), words) == 0);
}

GtkWidget *
desk_find (GtkWidget *top, GType type, const char *words)
{
  GtkWidget *found = NULL;

  if (g_type_is_a (G_OBJECT_TYPE (top), type) && says (top, words))
    return top;
  for (GtkWidget *child = gtk_widget_get_first_child (top);
       child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = desk_find (child, type, words);
  return found;
}

GtkWidget *
desk_need (GtkWidget *top, GType type, const char *words)
{
  GtkWidget *found = desk_find (top, type, words);

  if (found == NULL)
    g_error ("there is no %s “%s”", g_type_name (type), words);
  return found;
}

void
desk_choose (GtkWidget *top, const char *words, guint which)
{
  gtk_drop_down_set_selected (
    GTK_DROP_DOWN (desk_need (top, GTK_TYPE_DROP_DOWN, words)), which);
}

void
desk_collect (GtkWidget *top, GType type, GPtrArray *found)
{
  if (g_type_is_a (G_OBJECT_TYPE (top), type))
    g_ptr_array_add (found, top);
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    desk_collect (child, type, found);
}

GtkEventController *
desk_find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) list = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (list, i);

      if (g_type_is_a (G_OBJECT_TYPE (item), type))
        return GTK_EVENT_CONTROLLER (item);
    }
  return NULL;
}

gboolean
desk_press (gpointer widget, guint key, GdkModifierType state)
{
  gboolean taken = FALSE;

  g_signal_emit_by_name (
    desk_find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_KEY),
    "key-pressed", key, 0, state, &taken);
  return taken;
}

/* -- a source that was made ----------------------------------------------- */

static KymoTable *
desk_source_ask (KymoSource    *source,
                 KymoQuestion  *question,
                 GCancellable  *cancellable,
                 GError       **error)
{
  return DESK_SOURCE (source)->answer (question, cancellable, error);
}

static KymoCapabilities
desk_source_get_capabilities (KymoSource *source)
{
  return DESK_SOURCE (source)->can;
}

static KymoSpan
desk_source_get_span (KymoSource *source)
{
  return DESK_SOURCE (source)->span;
}

static char *
desk_source_dup_title (KymoSource *source)
{
  return g_strdup ("made");
}

static KymoTerms
desk_source_get_terms (KymoSource *source)
{
  return DESK_SOURCE (source)->terms;
}

static void
desk_source_iface (KymoSourceInterface *iface)
{
  iface->ask = desk_source_ask;
  iface->get_capabilities = desk_source_get_capabilities;
  iface->get_span = desk_source_get_span;
  iface->dup_title = desk_source_dup_title;
  iface->get_terms = desk_source_get_terms;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (DeskSource, desk_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      desk_source_iface))

static void
desk_source_class_init (DeskSourceClass *klass)
{
}

static void
desk_source_init (DeskSource *self)
{
  self->terms = (KymoTerms) { KYMO_ROW_PE, KYMO_CODE_ENTRY_METHOD };
}

DeskSource *
desk_source_new (DeskAnswer answer, KymoCapabilities can, gint64 end_ns)
{
  DeskSource *self = g_object_new (DESK_TYPE_SOURCE, NULL);

  self->answer = answer;
  self->can = can;
  self->span.end_ns = end_ns;
  return self;
}
