/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways into a comparison: the dialog, a run dropped on the open one, the command
 * line.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-compare-dialog.h"
#include "kymo-compare-page.h"
#include "kymo-controls.h"
#include "kymo-desk-comparison.h"
#include "kymo-desk-store.h"
#include "kymo-place.h"
#include "kymo-run-page.h"
#include "kymo-settings.h"
#include "kymo-window-private.h"

/* Of the recent runs, that are offered to be compared. */
#define MOST_RECENT 12

/* (nullable): what a tab has read of a path; a draft is not taken over. */
static KymoSource *
find_source (KymoWindow *self, const char *path)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      KymoPage *page = KYMO_PAGE (adw_tab_page_get_child (
        adw_tab_view_get_nth_page (self->tabs, i)));

      if (KYMO_IS_RUN_PAGE (page) && g_strcmp0 (kymo_page_get_path (page), path) == 0
          && !kymo_page_is_loading (page) && kymo_page_get_view (page) != NULL)
        return kymo_session_peek_source (kymo_run_view_peek_session (
          kymo_page_get_view (page)));
    }
  return NULL;
}

static void
add_path (KymoWindow *self, KymoComparePage *page, const char *path, guint side)
{
  g_autofree char *full = kymo_place_dup_full (path);

  kymo_compare_page_add (page, full, find_source (self, full), side);
}

static KymoComparePage *
new_page (KymoWindow *self)
{
  GtkWidget *page = kymo_compare_page_new ();

  kymo_follow (page, "add-run", kymo_window_compare, self);
  return KYMO_COMPARE_PAGE (page);
}

/**
 * kymo_window_compare_paths:
 * @paths: two or more runs; the first is A
 */
void
kymo_window_compare_paths (KymoWindow *self, const char *const *paths)
{
  KymoComparePage *page = new_page (self);

  for (guint i = 0; paths[i] != NULL; i++)
    add_path (self, page, paths[i], KYMO_COMPARE_APART);
  kymo_window_add_page (self, GTK_WIDGET (page));
  kymo_compare_page_start (page);
}

/* -- a desk --------------------------------------------------------------- */

static char *
dup_title_of (const KymoDeskRun *run)
{
  g_autofree char *path = run->uri != NULL ? kymo_place_from_uri (run->uri) : NULL;
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;

  return name != NULL ? g_utf8_make_valid (name, -1)
         : g_strdup (run->title != NULL ? run->title : "?");
}

/* Runs that are there, each on its side. Returns: (transfer full): those that are not. */
static GStrv
add_kept (KymoWindow *self, KymoComparePage *page, const KymoDeskComparison *kept,
          const char *desk_path)
{
  g_autoptr (GStrvBuilder) missing = g_strv_builder_new ();
  gint64 last = -1;

  for (guint i = 0; i < kept->runs->len; i++)
    {
      const KymoDeskRun *run = kept->runs->pdata[i];
      g_autofree char *found = kymo_desk_look_for (run->uri, run->beside, desk_path);
      g_autofree char *title = found == NULL ? dup_title_of (run) : NULL;

      if (found == NULL || g_str_has_suffix (found, KYMO_DESK_SUFFIX))
        {
          g_strv_builder_add (missing, title != NULL ? title : found);
          continue;
        }
      kymo_compare_page_add_kept (page, found, find_source (self, found), run->side == last
                                  ? kymo_compare_page_get_last_side (page)
                                  : KYMO_COMPARE_APART, i);
      if (kymo_span_length (run->stretch) > 0)
        kymo_compare_page_take_stretch (page, run->title != NULL ? run->title : "?", run->stretch);
      last = run->side;
    }
  return g_strv_builder_end (missing);
}

static void
tell_missing (KymoWindow *self, GStrv missing, guint n_found)
{
  g_autofree char *list = g_strjoinv (", ", missing);
  guint n = g_strv_length (missing);
  g_autofree char *words = n_found < 2
    ? g_strdup_printf (_("This comparison cannot be opened: %s not found"), list)
    : g_strdup_printf (g_dngettext (NULL, "%u run of this comparison was not found: %s",
                                    "%u runs of this comparison were not found: %s", n), n,
                       list);

  if (n > 0)
    kymo_window_say (self, words);
}

/** kymo_window_open_comparison: @path: of the file of the desk */
void
kymo_window_open_comparison (KymoWindow *self, KymoDesk *desk, const char *path)
{
  KymoComparePage *page = new_page (self);
  g_autofree char *unknown = kymo_desk_dup_left_out (desk);
  g_auto (GStrv) missing = add_kept (self, page, desk->comparison, path);
  guint n = kymo_compare_page_get_n (page);

  if (unknown != NULL)
    kymo_window_say (self, unknown);
  /* A run that is not there counts more. */
  tell_missing (self, missing, n);
  if (n < 2)
    {
      g_object_ref_sink (page);
      g_object_unref (page);
      kymo_desk_free (desk);
      return;
    }
  kymo_compare_page_keep_apart (page);
  kymo_compare_page_take_desk (page, desk);
  kymo_settings_add_recent (path);
  kymo_window_add_page (self, GTK_WIDGET (page));
  kymo_compare_page_start (page);
}

/* -- the dialog ----------------------------------------------------------- */

/* (nullable): the run in front, as A of a comparison */
static const char *
base_path (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);

  return KYMO_IS_RUN_PAGE (page) && kymo_page_get_view (page) != NULL
         ? kymo_page_get_path (page) : NULL;
}

/* To the comparison in front, or a new one: with the run in front as A, else the first chosen. */
static void
on_chosen (const KymoCompareChoice *choices, guint n, gpointer data)
{
  KymoWindow *self = data;
  KymoPage *front = kymo_window_get_page (self);
  KymoComparePage *page;
  guint last = 0;

  if (KYMO_IS_COMPARE_PAGE (front))
    page = KYMO_COMPARE_PAGE (front);
  else
    {
      page = new_page (self);
      if (base_path (self) != NULL)
        add_path (self, page, base_path (self), KYMO_COMPARE_APART);
    }
  last = kymo_compare_page_get_last_side (page);
  for (guint i = 0; i < n; i++)
    {
      add_path (self, page, choices[i].path, choices[i].repeats == 0 ? 0
                : choices[i].repeats > 0 ? last : KYMO_COMPARE_APART);
      last = kymo_compare_page_get_last_side (page);
    }
  if (KYMO_PAGE (page) != front)
    kymo_window_add_page (self, GTK_WIDGET (page));
  kymo_compare_page_start (page);
}

/* Tabs with runs that the comparison in front does not have. */
static GStrv
dup_open (KymoWindow *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  KymoPage *front = kymo_window_get_page (self);

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      KymoPage *page = KYMO_PAGE (adw_tab_page_get_child (
        adw_tab_view_get_nth_page (self->tabs, i)));

      if (KYMO_IS_RUN_PAGE (page) && page != front && kymo_page_get_path (page) != NULL
          && !(KYMO_IS_COMPARE_PAGE (front)
               && kymo_compare_page_has (KYMO_COMPARE_PAGE (front),
                                         kymo_page_get_path (page))))
        g_strv_builder_add (builder, kymo_page_get_path (page));
    }
  return g_strv_builder_end (builder);
}

/* The newest runs, whether they are there or not; no desks of comparisons. */
static GStrv
dup_recent (void)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) recent = kymo_settings_dup_recent ();
  guint n = 0;

  for (guint i = 0; recent[i] != NULL && n < MOST_RECENT; i++)
    if (!g_str_has_suffix (recent[i], KYMO_DESK_SUFFIX))
      {
        g_strv_builder_add (builder, recent[i]);
        n++;
      }
  return g_strv_builder_end (builder);
}

/* Without a run and a comparison in front all of a new comparison is chosen. */
static gboolean
may_begin (KymoWindow *self)
{
  return kymo_window_get_page (self) == NULL;
}

/** kymo_window_compare: asks with which runs */
void
kymo_window_compare (KymoWindow *self)
{
  g_auto (GStrv) open = dup_open (self);
  g_auto (GStrv) recent = dup_recent ();

  kymo_compare_dialog_present (GTK_WINDOW (self), may_begin (self) ? "" : base_path (self),
                               (const char *const *) open, (const char *const *) recent,
                               on_chosen, G_OBJECT (self));
}

static void
compare_window_compare (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_window_compare (data);
}

static void
compare_paths (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_auto (GStrv) paths = g_variant_dup_bytestring_array (parameter, NULL);

  kymo_window_compare_paths (data, (const char *const *) paths);
}

/* -- stretches of one run ------------------------------------------------- */

/* A desk of runs that lie with the begins of the stretches at that of the first one; to be seen is
   as much as the longest one is. */
static KymoDesk *
desk_of_spans (GVariant *spans)
{
  KymoDesk *desk = kymo_desk_new ();
  KymoDeskComparison *own = desk->comparison = kymo_desk_comparison_new ();
  gsize n = g_variant_n_children (spans);
  gint64 longest_ns = 0;

  for (gsize i = 0; i < n; i++)
    {
      KymoDeskRun *run = kymo_desk_comparison_add (own);
      KymoSpan span;

      g_variant_get_child (spans, i, "(&sxx)", NULL, &span.begin_ns, &span.end_ns);
      if (i == 0)
        desk->range.begin_ns = span.begin_ns;
      run->side = i;
      run->offset_ns = span.begin_ns - desk->range.begin_ns;
      longest_ns = MAX (longest_ns, kymo_span_length (span));
    }
  desk->range.end_ns = desk->range.begin_ns + longest_ns;
  own->page = g_strdup ("time");
  own->shared = TRUE;
  return desk;
}

/* The run in front with itself. */
static void
overlay_spans (GSimpleAction *action, GVariant *spans, gpointer data)
{
  KymoWindow *self = data;
  const char *path = base_path (self);
  KymoComparePage *page;

  if (path == NULL || g_variant_n_children (spans) < 2)
    return;
  page = new_page (self);
  for (gsize i = 0; i < g_variant_n_children (spans); i++)
    {
      const char *name;
      KymoSpan span;

      g_variant_get_child (spans, i, "(&sxx)", &name, &span.begin_ns, &span.end_ns);
      if (kymo_span_length (span) == 0)
        continue;
      kymo_compare_page_add_kept (page, path, find_source (self, path), KYMO_COMPARE_APART, i);
      kymo_compare_page_take_stretch (page, name, span);
    }
  kymo_compare_page_take_desk (page, desk_of_spans (spans));
  kymo_window_add_page (self, GTK_WIDGET (page));
  kymo_compare_page_start (page);
}

/* -- dropping ------------------------------------------------------------- */

/* (transfer full) (nullable): the path of a file, or its address on another machine. */
static char *
dup_place (GFile *file)
{
  static const char sftp[] = "sftp://";
  g_autofree char *path = g_file_get_path (file), *uri = g_file_get_uri (file), *far = NULL;

  if (path != NULL)
    return g_steal_pointer (&path);
  if (g_str_has_prefix (uri, sftp))
    far = g_strconcat (KYMO_PLACE_SCHEME, uri + strlen (sftp), NULL);
  return kymo_place_from_uri (far != NULL ? far : uri);
}

/* Files, or a text with paths and addresses. */
static void
add_dropped (GStrvBuilder *builder, const GValue *dropped)
{
  if (G_VALUE_HOLDS_STRING (dropped))
    {
      kymo_window_add_places (builder, g_value_get_string (dropped));
      return;
    }
  for (GSList *item = g_value_get_boxed (dropped); item != NULL; item = item->next)
    {
      g_autofree char *path = dup_place (item->data);

      if (path != NULL)
        g_strv_builder_add (builder, path);
    }
}

/** kymo_window_new_drop: Returns: (transfer full): takes files, and paths or addresses as text */
GtkDropTarget *
kymo_window_new_drop (void)
{
  GtkDropTarget *drop = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
  GType types[] = { GDK_TYPE_FILE_LIST, G_TYPE_STRING };

  gtk_drop_target_set_gtypes (drop, types, G_N_ELEMENTS (types));
  return drop;
}

static void
open_all (KymoWindow *self, const char *const *paths)
{
  for (guint i = 0; paths[i] != NULL; i++)
    kymo_window_open_path (self, paths[i]);
}

static void
on_dropped_response (AdwMessageDialog *dialog, const char *response, GStrv paths)
{
  KymoWindow *self = KYMO_WINDOW (gtk_window_get_transient_for (GTK_WINDOW (dialog)));

  if (g_str_equal (response, "compare"))
    kymo_window_compare_paths (self, (const char *const *) paths);
  else if (g_str_equal (response, "open"))
    open_all (self, (const char *const *) paths);
}

static char *
dup_names (const char *const *paths)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_basename (paths[i]);

      g_strv_builder_add (builder, name);
    }
  names = g_strv_builder_end (builder);
  return g_strjoinv (", ", names);
}

static void
ask_what_for (KymoWindow *self, GStrv paths)
{
  guint n = g_strv_length (paths);
  g_autofree char *names = dup_names ((const char *const *) paths);
  g_autofree char *title = g_strdup_printf (ngettext ("Compare %u Run?", "Compare %u Runs?", n),
                                            n);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (GTK_WINDOW (self), title,
                                                                         names));

  adw_message_dialog_add_responses (dialog, "cancel", _("Cancel"), "open", _("Open Each"),
                                    "compare", _("Compare"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "compare", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "compare");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_dropped_response),
                         g_strdupv (paths), (GClosureNotify) (void (*) (void)) g_strfreev, 0);
  kymo_controls_speak_buttons (GTK_WIDGET (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Opens one; of several asks whether to compare them or open each. */
void
kymo_window_take_dropped (KymoWindow *self, const GValue *dropped)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;

  add_dropped (builder, dropped);
  paths = g_strv_builder_end (builder);
  if (g_strv_length (paths) < 2)
    open_all (self, (const char *const *) paths);
  else
    ask_what_for (self, paths);
}

/* With the run in front, or to the comparison in front. */
static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y,
         KymoWindow *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;
  KymoPage *front = kymo_window_get_page (self);

  if (base_path (self) != NULL)
    g_strv_builder_add (builder, base_path (self));
  add_dropped (builder, value);
  paths = g_strv_builder_end (builder);
  gtk_widget_set_visible (self->compare_target, FALSE);
  if (KYMO_IS_COMPARE_PAGE (front))
    {
      for (guint i = 0; paths[i] != NULL; i++)
        add_path (self, KYMO_COMPARE_PAGE (front), paths[i], KYMO_COMPARE_APART);
      kymo_compare_page_start (KYMO_COMPARE_PAGE (front));
    }
  else
    kymo_window_compare_paths (self, (const char *const *) paths);
  return TRUE;
}

static void
on_drag_in (GtkDropControllerMotion *motion, double x, double y, KymoWindow *self)
{
  gtk_widget_set_visible (self->compare_target, base_path (self) != NULL
                          || KYMO_IS_COMPARE_PAGE (kymo_window_get_page (self)));
}

static void
on_drag_out (GtkDropControllerMotion *motion, KymoWindow *self)
{
  gtk_widget_set_visible (self->compare_target, FALSE);
}

/* While files are dragged over the window: here they are compared, elsewhere opened. */
static GtkWidget *
build_target (KymoWindow *self)
{
  GtkWidget *label = gtk_label_new (_("Drop here to compare with the run in front"));
  GtkDropTarget *drop = kymo_window_new_drop ();

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 18);
  gtk_widget_add_css_class (label, "kymo-drop");
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_halign (label, GTK_ALIGN_END);
  /* It takes the pointer from what lies below. */
  gtk_widget_set_visible (label, FALSE);
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (drop));
  return label;
}

/** kymo_window_build_compare_target: @child under the target for drops */
GtkWidget *
kymo_window_build_compare_target (KymoWindow *self, GtkWidget *child)
{
  GtkWidget *overlay = gtk_overlay_new ();
  GtkEventController *motion = gtk_drop_controller_motion_new ();

  self->compare_target = build_target (self);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), child);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->compare_target);
  g_signal_connect (motion, "enter", G_CALLBACK (on_drag_in), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_drag_out), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  return overlay;
}

/* -- wiring --------------------------------------------------------------- */

/** kymo_window_sync_compare: on a tab there has to be a run to compare with */
void
kymo_window_sync_compare (KymoWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "compare");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), may_begin (self)
                               || base_path (self) != NULL
                               || KYMO_IS_COMPARE_PAGE (kymo_window_get_page (self)));
}

/**
 * kymo_window_add_compare:
 *
 * Adds the actions win.compare, win.compare-paths and win.overlay-spans to the window. To be called
 * once.
 */
void
kymo_window_add_compare (KymoWindow *self)
{
  static const GActionEntry entries[] = {
    { "compare", compare_window_compare, NULL, NULL, NULL, { 0 } },
    { "compare-paths", compare_paths, "aay", NULL, NULL, { 0 } },
    { "overlay-spans", overlay_spans, "a(sxx)", NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries),
                                   self);
}
