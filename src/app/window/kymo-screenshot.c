/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A timer looks whether the view is settled; then it is drawn into a texture
 * and the next one comes. The program ends after the last.
 */
#include "config.h"

#include "kymo-screenshot.h"

#include "kymo-compare-page.h"
#include "kymo-feed-page.h"

#define LOOK_MS 60
/* Number of looks without a change after which lists and labels have come to rest. */
#define QUIET_LOOKS 8
#define MOST_LOOKS 500
#define MOST_DRAFTS 20
#define ENOUGH_NS (12 * G_GINT64_CONSTANT (1000000000))

typedef struct
{
  KymoWindow *window;
  char       *folder;
  int         width, height;       /* that were asked for */
  char      **actions;             /* not done yet, or NULL */
  guint       next;                /* view */
  guint       quiet, looks;
  guint       n_drafts;
  const KymoTable *draft;       /* of which there is a picture; only compared */
  gboolean    begun;            /* at the first view, whichever is the default */
} Shots;

static void
shots_free (gpointer data)
{
  Shots *shots = data;

  g_object_unref (shots->window);
  g_free (shots->folder);
  g_strfreev (shots->actions);
  g_free (shots);
}

static void
shoot_window (Shots *shots, GtkWidget *widget, const char *name)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autofree char *file = g_strdup_printf ("%s.png", name);
  g_autofree char *path = g_build_filename (shots->folder, file, NULL);
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (widget));
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  /* With the frame, which is no part of the width of a widget: pixel by pixel. */
  gdk_paintable_snapshot (paintable, snapshot, gdk_paintable_get_intrinsic_width (paintable),
                          gdk_paintable_get_intrinsic_height (paintable));
  node = gtk_snapshot_to_node (snapshot);
  if (node == NULL)
    return;
  texture = gsk_renderer_render_texture (renderer, node, NULL);
  if (!gdk_texture_save_to_png (texture, path))
    g_printerr ("kymo: cannot write %s\n", path);
}

/* Tells of a window that cannot be as small as it was asked to be. */
static void
shoot (Shots *shots, const char *name)
{
  GtkWidget *widget = GTK_WIDGET (shots->window);
  int least_width, least_height;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &least_height, NULL, NULL, NULL);
  if (least_width > shots->width || least_height > shots->height)
    g_printerr ("kymo: %s needs %d x %d\n", name, least_width, least_height);
  shoot_window (shots, widget, name);
}

/* Dialogs that actions have opened; "window-0.png" is the last one of them. */
static void
shoot_dialogs (Shots *shots)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      g_autofree char *name = g_strdup_printf ("window-%u", i);

      if (window != GTK_WIDGET (shots->window) && gtk_widget_get_mapped (window))
        shoot_window (shots, window, name);
    }
}

/* What a large run shows while it is read. */
static void
shoot_draft (Shots *shots, KymoRunView *view)
{
  const KymoTable *draft = kymo_run_view_peek_info (view);
  g_autofree char *name = NULL;

  if (draft == shots->draft || shots->n_drafts >= MOST_DRAFTS
      || !kymo_run_view_has_picture (view))
    return;
  shots->draft = draft;
  name = g_strdup_printf ("draft-%u", ++shots->n_drafts);
  shoot (shots, name);
}

/* Of a stream a few blocks make no picture. */
static gboolean
has_seen_enough (KymoPage *page)
{
  KymoFeedStatus status = { 0 };
  gboolean enough;

  if (!KYMO_IS_FEED_PAGE (page))
    return TRUE;
  kymo_feed_get_status (kymo_feed_page_peek_feed (KYMO_FEED_PAGE (page)),
                        &status);
  enough = status.end_ns >= ENOUGH_NS
           || status.state == KYMO_ATTACHMENT_ENDED;
  kymo_feed_status_clear (&status);
  return enough;
}

static void
act (Shots *shots)
{
  g_auto (GStrv) actions = g_steal_pointer (&shots->actions);

  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (shots->window));

  for (guint i = 0; actions != NULL && actions[i] != NULL; i++)
    {
      g_autofree char *name = NULL;
      g_autoptr (GVariant) target = NULL;

      /* Those of the window by name alone, others where the focus is. */
      if (!g_action_parse_detailed_name (actions[i], &name, &target, NULL))
        g_printerr ("kymo: no action “%s”\n", actions[i]);
      else if (strchr (name, '.') == NULL)
        g_action_group_activate_action (G_ACTION_GROUP (shots->window), name, target);
      else
        gtk_widget_activate_action_variant (focus != NULL ? focus : GTK_WIDGET (shots->window),
                                            name, target);
    }
}

/* Of a comparison its pages, one after the other. */
static gboolean
look_at_comparison (Shots *shots, KymoComparePage *page)
{
  static const char *const names[] = { "runs", "time", "changes", "surroundings",
                                       "series" };
  KymoCompareView *view = kymo_compare_page_peek_view (page);
  g_autofree char *name = NULL;
  gboolean quiet = view != NULL ? kymo_compare_view_is_settled (view)
                                : !kymo_page_is_loading (KYMO_PAGE (page));

  shots->quiet = quiet ? shots->quiet + 1 : 0;
  if (shots->quiet < QUIET_LOOKS && ++shots->looks < MOST_LOOKS)
    return G_SOURCE_CONTINUE;
  shots->quiet = shots->looks = 0;
  if (view != NULL && shots->actions != NULL)
    {
      act (shots);
      return G_SOURCE_CONTINUE;
    }
  name = g_strconcat ("compare-", view != NULL ? names[shots->next] : "error", NULL);
  shoot (shots, name);
  if (view != NULL && ++shots->next < G_N_ELEMENTS (names))
    {
      kymo_compare_view_set_page (view, names[shots->next]);
      return G_SOURCE_CONTINUE;
    }
  shoot_dialogs (shots);
  g_application_quit (g_application_get_default ());
  return G_SOURCE_REMOVE;
}

static gboolean
look_screenshot (gpointer data)
{
  Shots *shots = data;
  KymoPage *page = kymo_window_get_page (shots->window);
  KymoRunView *view = page != NULL ? kymo_page_get_view (page) : NULL;
  gboolean failed = page == NULL
                    || (view == NULL && !kymo_page_is_loading (page));
  gboolean quiet = failed
                   || (view != NULL && !kymo_page_is_loading (page)
                       && kymo_run_view_is_settled (view)
                       && has_seen_enough (page));

  if (KYMO_IS_COMPARE_PAGE (page))
    return look_at_comparison (shots, KYMO_COMPARE_PAGE (page));
  if (view != NULL && !shots->begun)
    {
      shots->begun = TRUE;
      while (!kymo_run_view_has_view (view, kymo_views[shots->next].id))
        shots->next++;
      kymo_run_view_set_view (view, kymo_views[shots->next].id);
      return G_SOURCE_CONTINUE;
    }
  if (view != NULL && kymo_page_is_loading (page))
    shoot_draft (shots, view);
  if (view != NULL && !kymo_page_is_loading (page) && shots->actions != NULL)
    {
      act (shots);
      return G_SOURCE_CONTINUE;
    }
  shots->quiet = quiet ? shots->quiet + 1 : 0;
  if (shots->quiet < QUIET_LOOKS && ++shots->looks < MOST_LOOKS)
    return G_SOURCE_CONTINUE;
  shots->quiet = shots->looks = 0;
  if (view == NULL)
    shoot (shots, page == NULL ? "welcome" : "error");
  else
    {
      shoot (shots, kymo_run_view_get_view (view));
      do
        shots->next++;
      while (kymo_views[shots->next].id != NULL
             && !kymo_run_view_has_view (view, kymo_views[shots->next].id));
      if (kymo_views[shots->next].id != NULL)
        {
          kymo_run_view_set_view (view, kymo_views[shots->next].id);
          return G_SOURCE_CONTINUE;
        }
    }
  shoot_dialogs (shots);
  g_application_quit (g_application_get_default ());
  return G_SOURCE_REMOVE;
}

/**
 * kymo_screenshot_start:
 * @folder: must exist
 * @actions: (nullable): what is done before, with commas between: names, or names with
 * a text ("layout::right 0.5 timeline usage")
 */
void
kymo_screenshot_start (KymoWindow *window, const char *folder,
                       const char *actions)
{
  Shots *shots = g_new0 (Shots, 1);

  shots->window = g_object_ref (window);
  shots->folder = g_strdup (folder);
  gtk_window_get_default_size (GTK_WINDOW (window), &shots->width, &shots->height);
  if (actions != NULL)
    shots->actions = g_strsplit (actions, ",", -1);
  g_timeout_add_full (G_PRIORITY_LOW, LOOK_MS, look_screenshot, shots, shots_free);
}
