/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-summary-environment.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-facts-group.h"
#include "kymo-units.h"

/* Lines of the environment, and call sites, that are shown. */
#define MOST_LINES 256
#define MOST_SITES 10

/* A line of the list. */
typedef struct
{
  const char *group, *key, *value;
} Line;

static guint
count_lines (const KymoTable *info, const KymoTable **lines)
{
  *lines = kymo_table_peek_nested (info, "environment", NULL);
  return *lines != NULL ? kymo_table_get_n_rows (*lines) : 0;
}

static Line
line_at (const KymoTable *lines, guint i)
{
  return (Line) { kymo_table_get_string (lines, "group", i),
                  kymo_table_get_string (lines, "key", i),
                  kymo_table_get_string (lines, "value", i) };
}

/**
 * kymo_summary_environment_facts:
 * @info: an answer of kind info
 *
 * Returns: (transfer full): what surrounded the program, but for long lists and for what is of
 *   single processes, which kymo-cli info tells
 */
GPtrArray *
kymo_summary_environment_facts (const KymoTable *info)
{
  static const char *const groups[] =
    { N_("Command"), N_("Placement"), "MPI", N_("MPI Settings"), N_("System"), N_("Processor"),
      N_("Memory"), "NUMA", N_("Git"), N_("Variables"), NULL };
  GPtrArray *facts = kymo_facts_new ();
  const KymoTable *lines;
  guint n = count_lines (info, &lines);

  for (guint g = 0; groups[g] != NULL; g++)
    for (guint i = 0; i < n && facts->len < MOST_LINES; i++)
      {
        Line line = line_at (lines, i);
        g_autofree char *title = NULL;

        if (!g_str_equal (line.group, groups[g]))
          continue;
        title = g_strdup_printf ("%s: %s", _(groups[g]), line.key);
        kymo_facts_add (facts, title, line.value);
      }
  return facts;
}

/* -- memory by call site -------------------------------------------------- */

/* A call site in all processes. */
typedef struct
{
  char  *place, *function;      /* the function may be NULL */
  gint64 bytes, most_bytes;     /* together, and of the process with the most */
  gint64 blocks, allocations;
  guint  n_processes;
} Site;

static void
site_free (gpointer data)
{
  Site *site = data;

  g_free (site->place);
  g_free (site->function);
  g_free (site);
}

static int
compare_sites (gconstpointer a, gconstpointer b, gpointer of_most)
{
  const Site *x = *(Site *const *) a, *y = *(Site *const *) b;
  gint64 left = of_most != NULL ? x->most_bytes : x->bytes;
  gint64 right = of_most != NULL ? y->most_bytes : y->bytes;

  if (left != right)
    return left > right ? -1 : 1;
  return strcmp (x->place, y->place);
}

/* The next number in @text, which goes on behind it; -1 if there is none. */
static gint64
take_number (const char **text)
{
  guint64 number;
  char *end;

  *text += strcspn (*text, "0123456789");
  if (**text == '\0')
    return -1;
  number = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  return (gint64) MIN (number, G_MAXINT64 / 4096);
}

/* Of "SIZE bytes in LIVE of ALL blocks" or "SIZE bytes, LIVE of ALL blocks not freed"; if the
   function is known, ", in FUNCTION" follows. */
static void
add_site (GHashTable *sites, const Line *line)
{
  const char *text = line->value;
  gint64 bytes = take_number (&text), live = take_number (&text), all = take_number (&text);
  Site *site;

  if (all < 0 || !g_ascii_isdigit (*line->value))
    return;
  site = g_hash_table_lookup (sites, line->key);
  if (site == NULL)
    {
      site = g_new0 (Site, 1);
      site->place = g_strdup (line->key);
      text = strstr (text, ", in ");
      site->function = text != NULL ? g_strdup (text + strlen (", in ")) : NULL;
      g_hash_table_insert (sites, site->place, site);
    }
  site->bytes = MIN (site->bytes + bytes, G_MAXINT64 / 2);
  site->most_bytes = MAX (site->most_bytes, bytes);
  site->blocks += live;
  site->allocations += all;
  site->n_processes++;
}

/* Call sites of the groups that begin with @prefix, those with the most bytes first. */
static GPtrArray *
list_sites (const KymoTable *info, const char *prefix, gboolean of_most)
{
  GHashTable *sites = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *list = g_ptr_array_new_with_free_func (site_free);
  const KymoTable *lines;
  guint n = count_lines (info, &lines);
  GHashTableIter iter;
  gpointer site;

  for (guint i = 0; i < n; i++)
    {
      Line line = line_at (lines, i);

      if (g_str_has_prefix (line.group, prefix))
        add_site (sites, &line);
    }
  g_hash_table_iter_init (&iter, sites);
  while (g_hash_table_iter_next (&iter, NULL, &site))
    g_ptr_array_add (list, site);
  g_hash_table_unref (sites);
  g_ptr_array_sort_with_data (list, compare_sites, of_most ? list : NULL);
  if (list->len > MOST_SITES)
    g_ptr_array_set_size (list, MOST_SITES);
  return list;
}

/* "refine in libmesh.so+0x12c1": folders are in kymo-cli info. */
static char *
dup_title (const Site *site)
{
  const char *slash = strrchr (site->place, '/');
  const char *place = slash != NULL ? slash + 1 : site->place;

  return site->function != NULL ? g_strdup_printf (_("%s in %s"), site->function, place)
                                : g_strdup (place);
}

/**
 * kymo_summary_leak_facts:
 * @info: an answer of kind info
 *
 * Returns: (transfer full): the call sites with the most bytes that were never freed, of all
 *   processes together
 */
GPtrArray *
kymo_summary_leak_facts (const KymoTable *info)
{
  g_autoptr (GPtrArray) sites = list_sites (info, "Leaks", FALSE);
  GPtrArray *facts = kymo_facts_new ();

  for (guint i = 0; i < sites->len; i++)
    {
      const Site *site = sites->pdata[i];
      g_autofree char *size = kymo_format_bytes (site->bytes);
      g_autofree char *blocks = kymo_format_count (site->blocks);
      g_autofree char *all = kymo_format_count (site->allocations);
      g_autofree char *words = g_strdup_printf (
        ngettext ("%s in %s of %s blocks, in %u process",
                  "%s in %s of %s blocks, in %u processes", site->n_processes), size, blocks, all,
        site->n_processes);

      g_autofree char *title = dup_title (site);

      if (site->bytes > 0)
        kymo_facts_add (facts, title, words);
    }
  return facts;
}

/**
 * kymo_summary_peak_facts:
 * @info: an answer of kind info
 *
 * Returns: (transfer full): the call sites with the most bytes in use at the same time, in the
 *   process with the most
 */
GPtrArray *
kymo_summary_peak_facts (const KymoTable *info)
{
  g_autoptr (GPtrArray) sites = list_sites (info, "Memory Peaks", TRUE);
  GPtrArray *facts = kymo_facts_new ();

  for (guint i = 0; i < sites->len; i++)
    {
      const Site *site = sites->pdata[i];
      g_autofree char *size = kymo_format_bytes (site->most_bytes);
      g_autofree char *title = dup_title (site);

      if (site->most_bytes > 0)
        kymo_facts_add (facts, title, size);
    }
  return facts;
}

/* -- the probe ------------------------------------------------------------- */

static char *
dup_share (const char *value)
{
  return kymo_format_percent (g_ascii_strtod (value, NULL));
}

static char *
dup_time (const char *value)
{
  return kymo_format_duration (g_ascii_strtoll (value, NULL, 10));
}

static char *
dup_rate (const char *value)
{
  g_autofree char *size = kymo_format_bytes (g_ascii_strtoll (value, NULL, 10));

  return g_strdup_printf (_("%s/s"), size);
}

/**
 * kymo_summary_probe_facts:
 * @info: an answer of kind info
 *
 * Returns: (transfer full): what a probe of the machine measured; see docs/formats/probe.md
 */
GPtrArray *
kymo_summary_probe_facts (const KymoTable *info)
{
  static const struct
  {
    const char *group, *key, *title;
    char *(*dup) (const char *value);
  } known[] = {
    { "Probe Rank ", "fwq-noise-share", N_("Rank %s: time that others took"), dup_share },
    { "Probe Rank ", "fwq-longest-gap-ns", N_("Rank %s: longest gap"), dup_time },
    { "Probe Node ", "memory-bytes-per-s", N_("Node %s: bandwidth of the memory"), dup_rate },
    { "Probe Node ", "read-bytes-per-s", N_("Node %s: reading the file"), dup_rate },
    { "Probe Pingpong", "within-latency-ns", N_("Latency within a node"), dup_time },
    { "Probe Pingpong", "between-latency-ns", N_("Latency between nodes"), dup_time },
    { "Probe Pingpong", "within-bytes-per-s", N_("Bandwidth within a node"), dup_rate },
    { "Probe Pingpong", "between-bytes-per-s", N_("Bandwidth between nodes"), dup_rate },
  };
  GPtrArray *facts = kymo_facts_new ();
  const KymoTable *lines;
  guint n = count_lines (info, &lines);

  for (guint k = 0; k < G_N_ELEMENTS (known); k++)
    for (guint i = 0; i < n && facts->len < MOST_LINES; i++)
      {
        Line line = line_at (lines, i);
        g_auto (GStrv) parts = NULL;
        g_autofree char *title = NULL, *value = NULL;

        if (!g_str_has_prefix (line.group, known[k].group)
            || !g_str_equal (line.key, known[k].key))
          continue;
        parts = g_strsplit (_(known[k].title), "%s", 2);
        title = parts[1] != NULL
                ? g_strconcat (parts[0], line.group + strlen (known[k].group), parts[1], NULL)
                : g_strdup (parts[0]);
        value = known[k].dup (line.value);
        kymo_facts_add (facts, title, value);
      }
  return facts;
}
