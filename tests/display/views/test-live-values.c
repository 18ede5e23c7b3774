/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the live view shows of the ranks of a recorded job.
 */
#include "config.h"

#include "desk.h"
#include "fake-feed.h"
#include "kymo-live-values.h"

static gboolean
has_text (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), text) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_text (child, text))
      return TRUE;
  return FALSE;
}

static KymoTable *
make_ranks (gint64 first, double load)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (table, "rank", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "load", KYMO_COLUMN_DOUBLE, 1);
  for (guint i = 0; i < 2; i++)
    {
      kymo_table_append_int (table, 0, first + i);
      kymo_table_append_double (table, 1, load);
    }
  return table;
}

/* What a job under kymo-record tells of two seconds. */
static KymoTable *
make_values (void)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *loads = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *counters = kymo_table_new (KYMO_STYLE_OBJECTS);
  static const char *const texts[] = { "name", "memory", "mean", "2.00 MB", "least", "1.00 MB",
                                       "most", "4.00 MB" };
  static const char *const columns[] = { "least", "mean", "most" };

  kymo_table_add_column (loads, "second", KYMO_COLUMN_INT, 1);
  for (guint i = 0; i < 3; i++)
    kymo_table_add_column (loads, columns[i], KYMO_COLUMN_DOUBLE, 1);
  for (guint second = 0; second < 2; second++)
    {
      kymo_table_append_int (loads, 0, second);
      for (guint i = 0; i < 3; i++)
        kymo_table_append_double (loads, 1 + i, 0.25 * (i + 1));
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i += 2)
    kymo_table_append_string (counters, kymo_table_add_column (counters, texts[i],
                                                               KYMO_COLUMN_STRING, 1),
                              texts[i + 1]);
  kymo_table_append_int (counters, kymo_table_add_column (counters, "least_rank",
                                                          KYMO_COLUMN_INT, 1), 5);
  kymo_table_append_int (counters, kymo_table_add_column (counters, "most_rank",
                                                          KYMO_COLUMN_INT, 1), 6);
  kymo_table_set_int (table, "second", 1);
  kymo_table_set_table (table, "counters", counters);
  kymo_table_set_table (table, "busiest", make_ranks (10, 0.75));
  kymo_table_set_table (table, "idlest", make_ranks (20, 0.25));
  kymo_table_set_table (table, "loads", loads);
  return table;
}

static void
test_values (void)
{
  g_autoptr (KymoFeed) feed = fake_feed_new (FALSE);
  g_autoptr (KymoTable) values = make_values ();
  GtkWidget *view = g_object_ref_sink (kymo_live_values_new (feed));

  g_assert_false (gtk_widget_get_visible (view));
  fake_feed_of (feed)->values = values;
  fake_feed_tell (feed);
  g_assert_true (gtk_widget_get_visible (view));
  g_assert_true (has_text (view, "Lowest (dotted) 25.0 %, mean 50.0 %, highest (dashed) 75.0 %"));
  g_assert_true (has_text (view, "Rank 11"));
  g_assert_true (has_text (view, "Rank 20"));
  g_assert_true (has_text (view, "Memory"));
  g_assert_true (has_text (view, "1.00 MB (rank 5)"));
  g_assert_true (has_text (view, "4.00 MB (rank 6)"));
  fake_feed_of (feed)->values = NULL;
  g_object_unref (view);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/live-values/shown", test_values);
  return g_test_run ();
}
