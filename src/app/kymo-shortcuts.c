/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-shortcuts.h. Titles of data/ui/shortcuts.ui have the placeholders of
 * kymo-in-terms.h.
 */
#include "config.h"

#include "kymo-shortcuts.h"

#include "kymo-in-terms.h"

static void
set_terms (GObject *object, KymoTerms terms)
{
  g_autofree char *title = NULL;
  const char *words;

  if (!GTK_IS_SHORTCUTS_SHORTCUT (object) && !GTK_IS_SHORTCUTS_GROUP (object))
    return;
  g_object_get (object, "title", &title, NULL);
  words = title != NULL ? kymo_in_terms (terms, title) : NULL;
  if (g_strcmp0 (words, title) != 0)
    g_object_set (object, "title", words, NULL);
}

/** kymo_shortcuts_new: */
GtkWindow *
kymo_shortcuts_new (KymoTerms terms)
{
  g_autoptr (GtkBuilder) builder
    = gtk_builder_new_from_resource ("/io/github/kymo_trace/Kymo/shortcuts.ui");
  g_autoptr (GSList) objects = gtk_builder_get_objects (builder);

  for (GSList *item = objects; item != NULL; item = item->next)
    set_terms (item->data, terms);
  return GTK_WINDOW (gtk_builder_get_object (builder, "shortcuts"));
}
