/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-help.h. A search replaces the list of pages by what was found, and shows the first of
 * that at once. The window belongs to no other and to no application: it can lie beside a window
 * of runs, dialogs do not block it, and it keeps no program alive.
 */
#include "config.h"

#include "kymo-help.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-guide-text.h"
#include "kymo-label.h"
#include "kymo-places.h"
#include "kymo-settings.h"

#define WIDTH 1040
#define HEIGHT 740
#define LIST_WIDTH 250
#define TEXT_WIDTH 760
#define MARGIN 32
/* Of the height above what is scrolled to. */
#define LEAD 0.25

/** Help: goes with its window */
typedef struct
{
  GtkWindow *window;
  KymoGuide *guide;
  GtkWidget *entry, *list, *none, *scrolled, *clamp, *back, *title;
  char     **words;                    /* that are searched */
  const KymoGuidePage *page;           /* that is shown */
  GPtrArray *before;                   /* pages to go back to, the last one last */
  gboolean   typing;                   /* the page was chosen by the search */
  gboolean   filling;
} Help;

static Help *help;                     /* the window, as long as there is one */

static void
help_free (gpointer data)
{
  Help *self = data;

  kymo_guide_free (self->guide);
  g_strfreev (self->words);
  g_ptr_array_unref (self->before);
  g_free (self);
  help = NULL;
}

/* -- the page ------------------------------------------------------------- */

static void follow (const char *url, gpointer data);

/* As soon as the widget has a place; called until then. */
static gboolean
scroll_to_widget (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  GtkAdjustment *rows = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport));
  double value = gtk_adjustment_get_value (rows), page = gtk_adjustment_get_page_size (rows), y;
  int height = gtk_widget_get_height (widget);

  if (height == 0
      || !gtk_widget_translate_coordinates (
           widget, gtk_viewport_get_child (GTK_VIEWPORT (viewport)), 0, 0, NULL, &y))
    return G_SOURCE_CONTINUE;
  if (y < value || y + height > value + page)
    gtk_adjustment_set_value (rows, y - LEAD * page);
  return G_SOURCE_REMOVE;
}

static void
fill_page (Help *self)
{
  GtkWidget *hit = NULL;
  GtkWidget *text = kymo_guide_text_new (self->page, self->words, follow, self, &hit);

  gtk_widget_add_css_class (text, "kymo-help-page");
  adw_clamp_set_child (ADW_CLAMP (self->clamp), text);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), self->page->title);
  gtk_adjustment_set_value (
    gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), 0);
  if (hit != NULL)
    gtk_widget_add_tick_callback (hit, scroll_to_widget, NULL, NULL);
}

/* The line of the page in the list, where it is there. */
static void
select_line (Help *self)
{
  GtkListBoxRow *row;

  self->filling = TRUE;
  gtk_list_box_unselect_all (GTK_LIST_BOX (self->list));
  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL;
       i++)
    if (g_object_get_data (G_OBJECT (row), "kymo-page") == self->page)
      {
        gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
        gtk_widget_add_tick_callback (GTK_WIDGET (row), scroll_to_widget, NULL, NULL);
      }
  self->filling = FALSE;
}

/* Pages that a search showed while it was typed are none to go back to. */
static void
show_page (Help *self, const KymoGuidePage *page, gboolean typing)
{
  if (page == NULL)
    return;
  if (self->page != NULL && self->page != page && !(typing && self->typing))
    g_ptr_array_add (self->before, (gpointer) self->page);
  self->page = page;
  self->typing = typing;
  gtk_widget_set_sensitive (self->back, self->before->len > 0);
  fill_page (self);
  select_line (self);
}

/* A page of the guide, a document beside it, or an address. */
static void
follow (const char *url, gpointer data)
{
  Help *self = data;
  g_autofree char *path = kymo_guide_dup_path (self->page, url);
  const KymoGuidePage *page = kymo_guide_find_path (self->guide, path);
  g_autofree char *uri = NULL;

  if (page != NULL)
    {
      show_page (self, page, FALSE);
      return;
    }
  if (strstr (url, "://") != NULL)
    uri = g_strdup (url);
  else if (g_file_test (path, G_FILE_TEST_EXISTS))
    uri = g_filename_to_uri (path, NULL, NULL);
  else
    {
      g_autofree char *from = g_uri_resolve_relative (KYMO_GUIDE_ONLINE, self->page->url,
                                                      G_URI_FLAGS_NONE, NULL);

      uri = g_uri_resolve_relative (from, url, G_URI_FLAGS_NONE, NULL);
    }
  gtk_show_uri (self->window, uri, GDK_CURRENT_TIME);
}

static void
go_back (Help *self)
{
  const KymoGuidePage *page;

  if (self->before->len == 0)
    return;
  page = g_ptr_array_remove_index (self->before, self->before->len - 1);
  self->page = NULL;
  show_page (self, page, FALSE);
}

/* -- the list ------------------------------------------------------------- */

static void
append_line (Help *self, const KymoGuidePage *page)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  g_autofree char *excerpt = kymo_guide_dup_excerpt (page, self->words);

  gtk_box_append (GTK_BOX (box), kymo_label_new_wrapped (page->title, NULL));
  if (excerpt != NULL)
    {
      gtk_box_append (GTK_BOX (box), kymo_label_new_wrapped (excerpt, "kymo-question"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      excerpt, -1);
    }
  kymo_accessible_name (row, page->title);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "kymo-page", (gpointer) page);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

/* What is found stands by its fit, which is no order of groups. */
static void
set_group_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const Help *self = data;
  const KymoGuidePage *page = g_object_get_data (G_OBJECT (row), "kymo-page");
  const KymoGuidePage *last = before == NULL ? NULL
                                : g_object_get_data (G_OBJECT (before), "kymo-page");

  if (self->words[0] != NULL || (last != NULL && g_str_equal (last->group, page->group)))
    gtk_list_box_row_set_header (row, NULL);
  else
    {
      GtkWidget *header = kymo_label_new_wrapped (page->group, "kymo-help-group");

      gtk_widget_add_css_class (header, "heading");
      gtk_list_box_row_set_header (row, header);
    }
}

static void
fill_list (Help *self)
{
  g_autoptr (GPtrArray) found = kymo_guide_search (self->guide, self->words);
  GtkListBoxRow *row;

  self->filling = TRUE;
  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  for (guint i = 0; i < found->len; i++)
    append_line (self, found->pdata[i]);
  self->filling = FALSE;
  gtk_widget_set_visible (self->none, found->len == 0);
  if (self->words[0] != NULL && found->len > 0)
    show_page (self, found->pdata[0], TRUE);
  else if (self->page != NULL)
    {
      fill_page (self);
      select_line (self);
    }
}

static void
on_search (Help *self)
{
  g_strfreev (self->words);
  self->words = kymo_guide_split_words (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  fill_list (self);
}

static void
on_row_selected (GtkListBox *list, GtkListBoxRow *row, Help *self)
{
  if (row != NULL && !self->filling)
    show_page (self, g_object_get_data (G_OBJECT (row), "kymo-page"), FALSE);
}

/* -- keys ----------------------------------------------------------------- */

/* One step out: of the search, then of the window. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  Help *self = data;

  if (*gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  else
    gtk_window_close (self->window);
  return TRUE;
}

static void
on_stop_search (Help *self)
{
  on_escape (NULL, NULL, self);
}

static gboolean
on_close (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  gtk_window_close (((Help *) data)->window);
  return TRUE;
}

static gboolean
on_back (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  go_back (data);
  return TRUE;
}

static gboolean
on_find (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  gtk_widget_grab_focus (((Help *) data)->entry);
  return TRUE;
}

static void
add_keys (Help *self)
{
  static const struct { guint key; GdkModifierType state; GtkShortcutFunc call; } keys[] = {
    { GDK_KEY_Escape, 0, on_escape }, { GDK_KEY_Left, GDK_ALT_MASK, on_back },
    { GDK_KEY_f, GDK_CONTROL_MASK, on_find }, { GDK_KEY_w, GDK_CONTROL_MASK, on_close },
  };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, keys[i].state),
                        gtk_callback_action_new (keys[i].call, self, NULL)));
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (self->window), controller);
}

/* -- making it ------------------------------------------------------------ */

static GtkWidget *
new_scrolled (GtkWidget *child)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL);

  /* The least height of a picture is none. */
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), viewport);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
build_side (Help *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _("Search the help"), NULL);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->entry),
                                           GTK_WIDGET (self->window));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_search), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (on_stop_search), self);
  gtk_widget_add_css_class (self->entry, "kymo-help-search");
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_BROWSE);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), set_group_header, self, NULL);
  g_signal_connect (self->list, "row-selected", G_CALLBACK (on_row_selected), self);
  kymo_accessible_name (self->list, _("Pages"));
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  gtk_widget_add_css_class (self->list, "kymo-help-list");
  self->none = kymo_label_new_wrapped (_("No page has these words."), "kymo-help-group");
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->none);
  gtk_box_append (GTK_BOX (box), new_scrolled (self->list));
  gtk_widget_set_size_request (box, LIST_WIDTH, -1);
  return box;
}

static GtkWidget *
build_header (Help *self)
{
  GtkWidget *header = adw_header_bar_new ();

  self->back = gtk_button_new_from_icon_name ("go-previous-symbolic");
  gtk_widget_set_tooltip_text (self->back, _("Back"));
  g_signal_connect_swapped (self->back, "clicked", G_CALLBACK (go_back), self);
  self->title = adw_window_title_new (_("Help"), NULL);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->back);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  return header;
}

static void
build_window (Help *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->clamp = adw_clamp_new ();
  adw_clamp_set_maximum_size (ADW_CLAMP (self->clamp), TEXT_WIDTH);
  self->scrolled = new_scrolled (self->clamp);
  gtk_paned_set_start_child (GTK_PANED (paned), build_side (self));
  gtk_paned_set_resize_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_end_child (GTK_PANED (paned), self->scrolled);
  gtk_box_append (GTK_BOX (box), build_header (self));
  gtk_box_append (GTK_BOX (box), paned);
  adw_window_set_content (ADW_WINDOW (self->window), box);
  add_keys (self);
}

static Help *
new_help (KymoGuide *guide, GtkWindow *beside)
{
  Help *self = g_new0 (Help, 1);
  g_autoptr (GtkWindowGroup) group = gtk_window_group_new ();
  int width = beside != NULL ? gtk_widget_get_width (GTK_WIDGET (beside)) : 0;
  int height = beside != NULL ? gtk_widget_get_height (GTK_WIDGET (beside)) : 0;

  self->guide = guide;
  self->words = g_new0 (char *, 1);
  self->before = g_ptr_array_new ();
  self->window = GTK_WINDOW (adw_window_new ());
  gtk_window_group_add_window (group, self->window);
  g_object_set_data_full (G_OBJECT (self->window), "kymo-help", self, help_free);
  gtk_window_set_title (self->window, _("Help"));
  gtk_window_set_default_size (self->window, width > MARGIN ? MIN (WIDTH, width - MARGIN) : WIDTH,
                               height > MARGIN ? MIN (HEIGHT, height - MARGIN) : HEIGHT);
  build_window (self);
  fill_list (self);
  return self;
}

/**
 * kymo_help_present:
 * @beside: (nullable): the window that help is asked for in; help is no larger
 * @page: (nullable): id of a page of docs/guide; the start for %NULL or an unknown one
 *
 * Makes the window if there is none. A guide that cannot be read is shown by the desktop, from
 * where it is on the web.
 */
void
kymo_help_present (GtkWindow *beside, const char *page)
{
  if (help == NULL)
    {
      g_autofree char *folder = kymo_settings_dup_data_folder (KYMO_GUIDE, KYMO_GUIDE_IN_TREE);
      g_autoptr (GError) error = NULL;
      KymoGuide *guide = folder != NULL ? kymo_guide_new (folder, &error) : NULL;

      if (guide == NULL)
        {
          g_warning ("The guide is not there: %s", error != NULL ? error->message : KYMO_GUIDE);
          gtk_show_uri (beside, KYMO_GUIDE_ONLINE, GDK_CURRENT_TIME);
          return;
        }
      help = new_help (guide, beside);
    }
  gtk_editable_set_text (GTK_EDITABLE (help->entry), "");
  on_search (help);
  if (kymo_guide_find (help->guide, page) == NULL)
    page = KYMO_HELP_START;
  show_page (help, kymo_guide_find (help->guide, page), FALSE);
  gtk_window_present (help->window);
}

/** kymo_help_peek: Returns: (transfer none) (nullable): the window, while there is one */
GtkWindow *
kymo_help_peek (void)
{
  return help != NULL ? help->window : NULL;
}

/** kymo_help_get_page: Returns: (transfer none) (nullable): id of the page that is shown */
const char *
kymo_help_get_page (void)
{
  return help != NULL && help->page != NULL ? help->page->id : NULL;
}
