/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-kept-sorter.h. Invariant: `asked` is set only while kymo_kept_sort_dup()
 * asks; then sorters compare nothing, and the first one that is asked is noted.
 */
#include "config.h"

#include "kymo-kept-sorter.h"

#include "kymo-follow.h"

struct _KymoKeptSorter
{
  GtkSorter  parent_instance;

  GtkSorter *sorter;
  char      *column;
};

G_DEFINE_FINAL_TYPE (KymoKeptSorter, kymo_kept_sorter, GTK_TYPE_SORTER)

typedef struct
{
  KymoKeptSorter *first;
} Asked;

static Asked *asked;                   /* main thread only */

static GtkOrdering
kymo_kept_sorter_compare (GtkSorter *sorter, gpointer a, gpointer b)
{
  KymoKeptSorter *self = KYMO_KEPT_SORTER (sorter);

  if (asked == NULL)
    return gtk_sorter_compare (self->sorter, a, b);
  if (asked->first == NULL)
    asked->first = self;
  return GTK_ORDERING_SMALLER;
}

static GtkSorterOrder
kymo_kept_sorter_get_order (GtkSorter *sorter)
{
  return gtk_sorter_get_order (KYMO_KEPT_SORTER (sorter)->sorter);
}

static void
on_changed (GtkSorter *self, GtkSorterChange change)
{
  gtk_sorter_changed (self, change);
}

static void
kymo_kept_sorter_finalize (GObject *object)
{
  KymoKeptSorter *self = KYMO_KEPT_SORTER (object);

  g_object_unref (self->sorter);
  g_free (self->column);
  G_OBJECT_CLASS (kymo_kept_sorter_parent_class)->finalize (object);
}

static void
kymo_kept_sorter_class_init (KymoKeptSorterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_kept_sorter_finalize;
  GTK_SORTER_CLASS (klass)->compare = kymo_kept_sorter_compare;
  GTK_SORTER_CLASS (klass)->get_order = kymo_kept_sorter_get_order;
}

static void
kymo_kept_sorter_init (KymoKeptSorter *self)
{
}

/** kymo_kept_sorter_new: @sorter: (transfer full) */
GtkSorter *
kymo_kept_sorter_new (GtkSorter *sorter, const char *column)
{
  KymoKeptSorter *self = g_object_new (KYMO_TYPE_KEPT_SORTER, NULL);

  self->sorter = sorter;
  self->column = g_strdup (column);
  kymo_follow (sorter, "changed", on_changed, self);
  return GTK_SORTER (self);
}

/**
 * kymo_kept_sort_dup:
 * @view: a table whose columns have sorters of kymo_kept_sorter_new()
 *
 * Returns: (transfer full) (nullable): the key of the column that the table is sorted by, with "-"
 *   before it where the largest comes first; %NULL where it is not sorted
 */
char *
kymo_kept_sort_dup (GtkColumnView *view)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (view);
  Asked probe = { NULL };
  gboolean descends;

  asked = &probe;
  /* Of two that are the same no sorter is asked. */
  descends = gtk_sorter_compare (sorter, view, sorter) == GTK_ORDERING_LARGER;
  asked = NULL;
  return probe.first != NULL
         ? g_strconcat (descends ? "-" : "", probe.first->column, NULL) : NULL;
}

/**
 * kymo_kept_sort_find:
 * @view: a table
 * @columns: (element-type GtkColumnViewColumn): columns of it
 *
 * Returns: the place among @columns of the one that the table is sorted by; -1 where it is not
 *   sorted, or by a column without a sorter of kymo_kept_sorter_new()
 */
int
kymo_kept_sort_find (GtkColumnView *view, GPtrArray *columns)
{
  g_autofree char *text = kymo_kept_sort_dup (view);

  for (guint i = 0; text != NULL && i < columns->len; i++)
    {
      GtkSorter *sorter = gtk_column_view_column_get_sorter (columns->pdata[i]);

      if (KYMO_IS_KEPT_SORTER (sorter)
          && g_str_equal (KYMO_KEPT_SORTER (sorter)->column, text + (*text == '-')))
        return (int) i;
    }
  return -1;
}

/**
 * kymo_kept_sort_set:
 * @text: as kymo_kept_sort_dup() returns it
 *
 * Sorts a table.
 *
 * Returns: %FALSE where the table has no such column, yet
 */
gboolean
kymo_kept_sort_set (GtkColumnView *view, const char *text)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  gboolean descends = *text == '-';

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      GtkSorter *sorter = gtk_column_view_column_get_sorter (column);

      if (!KYMO_IS_KEPT_SORTER (sorter)
          || g_strcmp0 (KYMO_KEPT_SORTER (sorter)->column, text + descends) != 0)
        continue;
      gtk_column_view_sort_by_column (view, column, descends ? GTK_SORT_DESCENDING
                                                             : GTK_SORT_ASCENDING);
      return TRUE;
    }
  return FALSE;
}
