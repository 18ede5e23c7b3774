/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summary tells who allocated the memory of all processes, and what a probe measured.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "kymo-facts-group.h"
#include "kymo-summary-environment.h"

static const char *const lines[][3] = {
  { "Command", "program", "/tmp/mesh" },
  { "Leaks 0", "/lib/libmesh.so.1+0x12", "3000 bytes in 3 of 4 blocks" },
  { "Leaks 0", "/bin/mesh+0x40", "9000 bytes in 9 of 9 blocks, in refine" },
  { "Leaks 1", "/lib/libmesh.so.1+0x12", "7000 bytes in 7 of 8 blocks" },
  { "Leaks 1", "/bin/odd+0x1", "many bytes" },
  { "Memory Peaks 0", "/lib/libmesh.so.1+0x12", "5000 bytes, 3 of 4 blocks not freed" },
  { "Memory Peaks 1", "/lib/libmesh.so.1+0x12", "8000 bytes, 7 of 8 blocks not freed" },
  { "Memory Peaks 1", "/bin/mesh+0x40", "6000 bytes, 0 of 9 blocks not freed, in refine" },
  { "Probe", "ranks", "2" },
  { "Probe Rank 1", "fwq-noise-share", "0.031400" },
  { "Probe Node 0", "memory-bytes-per-s", "8000000000" },
  { "Probe Pingpong", "within-latency-ns", "690" },
};

static KymoTable *
make_info (void)
{
  KymoTable *info = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  static const char *const columns[] = { "group", "key", "value" };

  for (guint k = 0; k < 3; k++)
    kymo_table_add_column (list, columns[k], KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    for (guint k = 0; k < 3; k++)
      kymo_table_append_string (list, k, lines[i][k]);
  kymo_table_set_table (info, "environment", list);
  return info;
}

/* The labels below a widget that say something, in their order. */
static void
add_labels (GtkWidget *widget, GString *words)
{
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0'
      && gtk_widget_get_visible (widget))
    g_string_append_printf (words, "%s%s", words->len > 0 ? "|" : "",
                            gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_labels (child, words);
}

static void
assert_shown (GPtrArray *facts, const char *wanted)
{
  GtkWidget *group = g_object_ref_sink (kymo_facts_group_new ("Group"));
  g_autoptr (GString) words = g_string_new (NULL);

  kymo_facts_group_set (KYMO_FACTS_GROUP (group), facts);
  add_labels (group, words);
  g_assert_cmpstr (words->str, ==, wanted);
  g_object_unref (group);
}

/* Bytes of all processes that were not freed; the largest peak of a process. What cannot be right
   is left out. */
static void
test_memory (void)
{
  g_autoptr (KymoTable) info = make_info ();

  assert_shown (kymo_summary_leak_facts (info),
                "Group|libmesh.so.1+0x12|10.0 kB in 10 of 12 blocks, in 2 processes"
                "|refine in mesh+0x40|9.00 kB in 9 of 9 blocks, in 1 process");
  assert_shown (kymo_summary_peak_facts (info),
                "Group|libmesh.so.1+0x12|8.00 kB|refine in mesh+0x40|6.00 kB");
}

static void
test_probe (void)
{
  g_autoptr (KymoTable) info = make_info ();

  assert_shown (kymo_summary_probe_facts (info),
                "Group|Rank 1: time that others took|3.1 %"
                "|Node 0: bandwidth of the memory|8.00 GB/s|Latency within a node|690 ns");
  assert_shown (kymo_summary_environment_facts (info), "Group|Command: program|/tmp/mesh");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/summary/memory", test_memory);
  g_test_add_func ("/summary/probe", test_probe);
  return g_test_run ();
}
