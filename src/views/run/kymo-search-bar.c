/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-finder.h"
#include "kymo-label.h"
#include "kymo-search-bar.h"
#include "kymo-text-zoom.h"

#define ENTRY_PX 340

struct _KymoSearchBar
{
  GtkBox       parent_instance;

  KymoRunView *view;               /* weak, or NULL */
  KymoFinder  *finder;             /* of its session; a reference, or NULL */
  GtkWidget   *entry, *regex, *words, *previous, *next;
  gboolean     filling;            /* the entry is set, not typed into */
};

G_DEFINE_FINAL_TYPE (KymoSearchBar, kymo_search_bar, GTK_TYPE_BOX)

static void
show_words (KymoSearchBar *self)
{
  g_autofree char *words = self->finder != NULL
                           ? kymo_finder_dup_words (self->finder) : NULL;
  gboolean failed = self->finder != NULL
                    && kymo_finder_peek_failure (self->finder) != NULL;
  gboolean any = self->finder != NULL
                 && kymo_finder_get_n_found (self->finder) > 0;

  kymo_label_set (self->words, words != NULL ? words : "");
  kymo_label_set_tip (self->words, failed ? words : NULL);
  if (failed)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  gtk_widget_set_sensitive (self->next, any);
  gtk_widget_set_sensitive (self->previous, any);
}

static void
search_search_bar (KymoSearchBar *self)
{
  if (self->view == NULL || self->filling)
    return;
  kymo_run_view_search (self->view,
                        gtk_editable_get_text (GTK_EDITABLE (self->entry)),
                        gtk_toggle_button_get_active (
                          GTK_TOGGLE_BUTTON (self->regex)));
}

static void
step_search_bar (KymoSearchBar *self, const char *direction)
{
  search_search_bar (self);
  if (self->view != NULL)
    kymo_run_view_find (self->view, direction);
}

static void
on_next (KymoSearchBar *self)
{
  step_search_bar (self, "next");
}

static void
on_previous (KymoSearchBar *self)
{
  step_search_bar (self, "previous");
}

/* The entry itself has Enter alone for "next". */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code,
        GdkModifierType state, KymoSearchBar *self)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter)
      || !(state & GDK_SHIFT_MASK))
    return GDK_EVENT_PROPAGATE;
  on_previous (self);
  return GDK_EVENT_STOP;
}

/**
 * kymo_search_bar_get_entry:
 *
 * Returns: (transfer none): the text entry, to take the keyboard focus
 */
GtkWidget *
kymo_search_bar_get_entry (KymoSearchBar *self)
{
  return self->entry;
}

static void
set_finder (KymoSearchBar *self, KymoFinder *finder)
{
  if (self->finder != NULL)
    g_signal_handlers_disconnect_by_func (self->finder, show_words, self);
  g_set_object (&self->finder, finder);
  if (finder != NULL)
    kymo_follow (finder, "changed", show_words, self);
}

/**
 * kymo_search_bar_set_view:
 * @view: (nullable): run view that is searched, held weakly; %NULL = no run
 *
 * Binds the row to the search of another run. The entry and the button for regular expressions
 * show the search of that run, and no new search starts.
 */
void
kymo_search_bar_set_view (KymoSearchBar *self, KymoRunView *view)
{
  KymoFinder *finder;

  if (view == self->view)
    return;
  g_set_weak_pointer (&self->view, view);
  finder = view != NULL
           ? kymo_finder_of (kymo_run_view_peek_session (view)) : NULL;
  set_finder (self, finder);
  self->filling = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry),
                         finder != NULL ? kymo_finder_peek_text (finder) : "");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->regex), finder != NULL
                                && kymo_finder_get_regex (finder));
  self->filling = FALSE;
  show_words (self);
}

static void
kymo_search_bar_dispose (GObject *object)
{
  KymoSearchBar *self = KYMO_SEARCH_BAR (object);

  g_clear_weak_pointer (&self->view);
  set_finder (self, NULL);
  G_OBJECT_CLASS (kymo_search_bar_parent_class)->dispose (object);
}

static void
kymo_search_bar_class_init (KymoSearchBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_search_bar_dispose;
}

static GtkWidget *
step_button (KymoSearchBar *self, const char *icon, const char *words,
             GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, words);
  kymo_accessible_name (button, words);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  gtk_box_append (GTK_BOX (self), button);
  return button;
}

static void
build_entry (KymoSearchBar *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->entry = gtk_search_entry_new ();
  gtk_widget_set_size_request (self->entry, ENTRY_PX, -1);
  g_object_set (self->entry, "placeholder-text",
                _("Name of a block, event, note or bookmark"), NULL);
  kymo_accessible_name (self->entry, _("Search"));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->entry, keys);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (search_search_bar),
                            self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_next),
                            self);
  gtk_box_append (GTK_BOX (self), self->entry);
}

static void
kymo_search_bar_init (KymoSearchBar *self)
{
  gtk_box_set_spacing (GTK_BOX (self), 6);
  build_entry (self);
  self->regex = gtk_toggle_button_new_with_label (".*");
  gtk_widget_set_tooltip_text (self->regex, _("Regular expression"));
  kymo_accessible_name (self->regex, _("Regular expression"));
  g_signal_connect_swapped (self->regex, "toggled", G_CALLBACK (search_search_bar), self);
  gtk_box_append (GTK_BOX (self), self->regex);
  self->previous = step_button (self, "go-up-symbolic",
                                _("Previous match (Shift+Enter)"),
                                G_CALLBACK (on_previous));
  self->next = step_button (self, "go-down-symbolic", _("Next match (Enter)"),
                            G_CALLBACK (on_next));
  self->words = kymo_label_new_cut (NULL, "numeric");
  /* The same room for all words, but a narrow window has none for large text. */
  gtk_label_set_width_chars (GTK_LABEL (self->words), 34 / kymo_text_zoom ());
  gtk_label_set_max_width_chars (GTK_LABEL (self->words), 60);
  gtk_box_append (GTK_BOX (self), self->words);
  show_words (self);
}

/**
 * kymo_search_bar_new:
 *
 * Returns: (transfer floating): a row without a run; kymo_search_bar_set_view() gives it a run
 */
GtkWidget *
kymo_search_bar_new (void)
{
  return g_object_new (KYMO_TYPE_SEARCH_BAR, NULL);
}
