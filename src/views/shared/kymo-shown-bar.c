/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-shown-bar.h"

/* A list of PEs as text is told up to this length. */
#define MOST_BYTES 60

struct _KymoShownBar
{
  GtkBox       parent_instance;

  KymoSession *session;
  GtkWidget   *label;
};

G_DEFINE_FINAL_TYPE (KymoShownBar, kymo_shown_bar, GTK_TYPE_BOX)

/**
 * kymo_shown_cluster:
 *
 * Returns: the cluster whose members, and no other locations, are shown; -1 where all locations are
 *   shown, where there are no clusters, and for any other choice of locations
 */
int
kymo_shown_cluster (KymoSession *session)
{
  KymoTable *classes = kymo_session_peek_classes (session), *list;
  KymoIdSet *shown = kymo_session_peek_locations (session);
  gint64 cluster = -1;
  guint n = 0;

  if (classes == NULL || shown == NULL)
    return -1;
  list = kymo_table_peek_nested (classes, "locations", NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      gint64 of = kymo_table_get_int (list, "cluster", i);

      if (!kymo_id_set_contains (shown, kymo_table_get_int (list, "location",
                                                            i)))
        continue;
      if (n++ == 0)
        cluster = of;
      else if (of != cluster)
        return -1;
    }
  list = kymo_table_peek_nested (classes, "clusters", NULL);
  return cluster >= 0 && n == kymo_table_get_int (list, "size", cluster)
         ? cluster : -1;
}

static char *
words_of (KymoSession *session)
{
  KymoIdSet *shown = kymo_session_peek_locations (session);
  KymoTable *classes = kymo_session_peek_classes (session);
  int cluster = kymo_shown_cluster (session);
  g_autofree char *list = NULL, *part = NULL;
  const char *end;

  if (cluster >= 0)
    return g_strdup_printf (
      kymo_in_terms_of (session, _("Cluster %d: %" PRId64 " of "
                                   "%" PRId64 " {rows} shown")),
      cluster,
      kymo_table_get_int (kymo_table_peek_nested (classes, "clusters", NULL),
                          "size", cluster),
      kymo_table_get_int (classes, "pes", 0));
  list = kymo_id_set_to_text (shown);
  if (strpbrk (list, ",-:") == NULL)
    return g_strdup_printf (kymo_in_terms_of (session, _("Only {row} %s is shown")), list);
  if (strlen (list) <= MOST_BYTES)
    return g_strdup_printf (kymo_in_terms_of (session, _("Only {rows} %s are shown")), list);
  end = list + MOST_BYTES;
  while (end > list && *end != ',')
    end--;
  part = g_strndup (list, end - list);
  return g_strdup_printf (kymo_in_terms_of (session, _("Only {rows} %s, … are shown")), part);
}

static void
fill_shown_bar (KymoShownBar *self)
{
  gboolean some = kymo_session_peek_locations (self->session) != NULL;
  g_autofree char *words = some ? words_of (self->session) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), some);
  if (some)
    gtk_label_set_text (GTK_LABEL (self->label), words);
}

static void
on_all (KymoShownBar *self)
{
  kymo_session_set_locations (self->session, NULL);
}

static void
kymo_shown_bar_dispose (GObject *object)
{
  g_clear_object (&KYMO_SHOWN_BAR (object)->session);
  G_OBJECT_CLASS (kymo_shown_bar_parent_class)->dispose (object);
}

static void
kymo_shown_bar_class_init (KymoShownBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_shown_bar_dispose;
}

static void
kymo_shown_bar_init (KymoShownBar *self)
{
}

/**
 * kymo_shown_bar_new:
 * @session: whose shown locations it follows; the bar holds a reference
 *
 * Returns: (transfer floating): a bar, hidden while all locations are shown
 */
GtkWidget *
kymo_shown_bar_new (KymoSession *session)
{
  KymoShownBar *self = g_object_new (KYMO_TYPE_SHOWN_BAR, "spacing", 8, NULL);
  GtkWidget *all;

  self->session = g_object_ref (session);
  self->label = kymo_controls_add_words (GTK_WIDGET (self));
  all = kymo_controls_add_button (
    GTK_WIDGET (self), kymo_in_terms_of (session, _("_All {rows}")),
    kymo_in_terms_of (session, _("Show all {rows} again in every view")));
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-shown");
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-strip");
  g_signal_connect_swapped (all, "clicked", G_CALLBACK (on_all), self);
  kymo_follow (session, "filter-changed", fill_shown_bar, self);
  kymo_follow (session, "classes-changed", fill_shown_bar, self);
  fill_shown_bar (self);
  return GTK_WIDGET (self);
}
