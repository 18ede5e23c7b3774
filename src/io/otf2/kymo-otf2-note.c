/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An archive that Kymo wrote, and the note beside it: rows have the numbers, labels and order
 * that they had in the original, the clock begins where it began there, and what an archive has
 * no words for is known again.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-otf2-note.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-noted.h"
#include "kymo-otf2-private.h"

#define FACT_PREFIX "KYMO::FACT::"
/* More properties are no facts about a run. */
#define MAX_PROPERTIES 256
/* Times of a run are at most so far from its zero, as of every log. */
#define MAX_ZERO_NS (G_GINT64_CONSTANT (1) << 53)

/**
 * kymo_otf2_read_mark:
 * @text: the description of a region or metric
 * @mark: what it is to say
 * @id: (inout): number in the original, where the description says so
 *
 * Returns: whether it says that
 */
gboolean
kymo_otf2_read_mark (const char *text,
                     const char *mark,
                     gint64     *id)
{
  gsize length = strlen (mark);

  return strncmp (text, mark, length) == 0 && text[length] == ' '
    && g_ascii_string_to_signed (text + length + 1, 10, G_MININT32, G_MAXINT64, id, NULL);
}

static KymoOtf2Location *
location_at (const KymoOtf2Reading *reading,
             guint                  i)
{
  return &g_array_index (reading->defs->locations, KymoOtf2Location, i);
}

/* TRUE if the note has all locations that have events, no two by the same number, and a begin that
   can be true. */
static gboolean
fits_otf2_note (KymoOtf2Reading *reading)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < reading->defs->locations->len; i++)
    {
      KymoOtf2Location *location = location_at (reading, i);

      location->noted = location->id <= G_MAXINT32
        ? kymo_part_note_find (reading->note, location->id, 0) : NULL;
      if (location->noted == NULL ? location->n_events > 0 && location->row != KYMO_OTF2_NONE
          : !g_hash_table_add (ids, (gpointer) &location->noted->id))
        return FALSE;
    }
  return ABS (kymo_otf2_noted_zero (reading)) <= MAX_ZERO_NS;
}

static int
compare_rows (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  const KymoOtf2Location *x = &g_array_index ((GArray *) data, KymoOtf2Location,
                                              *(const guint *) a);
  const KymoOtf2Location *y = &g_array_index ((GArray *) data, KymoOtf2Location,
                                              *(const guint *) b);
  gint64 i = x->noted != NULL ? x->noted->id : G_MAXINT64;
  gint64 j = y->noted != NULL ? y->noted->id : G_MAXINT64;

  if (i != j)
    return i < j ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static void
sort_rows (KymoOtf2Reading *reading)
{
  GArray *locations = reading->defs->locations;
  g_autofree guint *order = g_new (guint, locations->len);
  guint n = 0;

  for (guint i = 0; i < locations->len; i++)
    if (location_at (reading, i)->row != KYMO_OTF2_NONE)
      order[n++] = i;
  g_qsort_with_data (order, n, sizeof *order, compare_rows, locations);
  for (guint i = 0; i < n; i++)
    location_at (reading, order[i])->row = i;
}

/* Of a process that a recorder left out there are samples of the node alone: they lie on the first
   row that there is. */
static void
move_samples (KymoOtf2Reading *reading)
{
  guint first = KYMO_OTF2_NONE;

  for (guint i = 0; i < reading->defs->locations->len; i++)
    if (location_at (reading, i)->noted != NULL && location_at (reading, i)->row != KYMO_OTF2_NONE
        && (first == KYMO_OTF2_NONE
            || location_at (reading, i)->row < location_at (reading, first)->row))
      first = i;
  for (guint i = 0; i < reading->defs->locations->len && first != KYMO_OTF2_NONE; i++)
    {
      KymoOtf2Location *from = location_at (reading, i), *last = location_at (reading, first);

      if (from->noted != NULL || from->row == KYMO_OTF2_NONE || from->sampler == KYMO_OTF2_NONE)
        continue;
      while (last->sampler != KYMO_OTF2_NONE)
        last = location_at (reading, last->sampler);
      last->sampler = from->sampler;
      for (guint k = from->sampler; k != KYMO_OTF2_NONE; k = location_at (reading, k)->sampler)
        location_at (reading, k)->is_moved = TRUE;
      from->sampler = KYMO_OTF2_NONE;
    }
}

/**
 * kymo_otf2_take_note:
 * @reading: its definitions are finished, and are not described yet
 *
 * A note that does not fit the archive is of no use.
 */
void
kymo_otf2_take_note (KymoOtf2Reading *reading)
{
  g_autofree char *folder = g_path_get_dirname (reading->anchor);
  g_autofree char *name = g_strconcat (reading->base, ".kymo", NULL);

  reading->note = kymo_part_note_new (folder, reading->base);
  if (reading->note == NULL)
    return;
  if (fits_otf2_note (reading))
    {
      sort_rows (reading);
      move_samples (reading);
      return;
    }
  for (guint i = 0; i < reading->defs->locations->len; i++)
    location_at (reading, i)->noted = NULL;
  g_clear_pointer (&reading->note, kymo_part_note_free);
  kymo_report_add (reading->run->report, name, KYMO_SEVERITY_NOTE, 1, -1,
                   N_("What the archive is said to be a part of does not fit it: left out"));
}

static gboolean
says (const KymoOtf2Reading *reading,
      const char            *key,
      const char            *value)
{
  g_autofree char *its = reading->note != NULL
    ? g_key_file_get_string (reading->note->file, KYMO_PART_RUN_GROUP, key, NULL) : NULL;

  return g_strcmp0 (its, value) == 0;
}

/** kymo_otf2_noted_tree: how the rows lie in the tree of the archive */
KymoOtf2Tree
kymo_otf2_noted_tree (const KymoOtf2Reading *reading)
{
  return says (reading, KYMO_OTF2_NOTE_TREE, "none") ? KYMO_OTF2_TREE_NONE
    : says (reading, KYMO_OTF2_NOTE_TREE, "nodes") ? KYMO_OTF2_TREE_NODES
    : KYMO_OTF2_TREE_PROCESSES;
}

/**
 * kymo_otf2_noted_zero:
 *
 * Returns: nanoseconds of the archive's clock at which the clock of the run begins, from the
 *   note beside the archive
 */
gint64
kymo_otf2_noted_zero (const KymoOtf2Reading *reading)
{
  return g_key_file_get_int64 (reading->note->file, KYMO_PART_RUN_GROUP, KYMO_OTF2_NOTE_ZERO,
                               NULL);
}

/**
 * kymo_otf2_apply_note:
 *
 * The terms of the run are those of the original. To be called once it is described.
 */
void
kymo_otf2_apply_note (KymoOtf2Reading *reading)
{
  if (reading->note == NULL)
    return;
  if (reading->note->row >= 0)
    reading->run->terms.row = reading->note->row;
  if (says (reading, KYMO_OTF2_NOTE_CODE, "entry"))
    reading->run->terms.code = KYMO_CODE_ENTRY_METHOD;
}

/** kymo_otf2_has_no_processes: whether the original knew of none */
gboolean
kymo_otf2_has_no_processes (const KymoOtf2Reading *reading)
{
  return says (reading, KYMO_OTF2_NOTE_PROCESSES, "false");
}

/**
 * kymo_otf2_take_facts:
 *
 * Adds what the properties of the archive tell of the run, and nothing else does.
 */
void
kymo_otf2_take_facts (KymoOtf2Reading *reading)
{
  char **names = NULL;
  uint32_t n = 0;

  if (OTF2_Reader_GetPropertyNames (reading->reader, &n, &names) != OTF2_SUCCESS)
    return;
  for (guint i = 0; i < MIN (n, MAX_PROPERTIES); i++)
    {
      g_autofree char *key = g_str_has_prefix (names[i], FACT_PREFIX)
        ? g_ascii_strdown (names[i] + strlen (FACT_PREFIX), -1) : NULL;
      char *value = NULL;

      if (key != NULL && *key != '\0' && !kymo_run_has_fact (reading->run, key)
          && OTF2_Reader_GetProperty (reading->reader, names[i], &value) == OTF2_SUCCESS
          && value != NULL)
        kymo_run_add_fact (reading->run, key, value);
      free (value);
    }
  free (names);
}

/* -- the run is from the cache, or sealed ----------------------------------------- */

/**
 * kymo_otf2_apply_selection:
 * @run: sealed; the time that the note selects becomes its span
 * @from_cache: whether the run comes from a cache file, which holds no weights
 *
 * Applies what the note beside the archive says of the run as a whole.
 */
void
kymo_otf2_apply_selection (const KymoOtf2Reading *reading,
                           KymoRun               *run,
                           gboolean               from_cache)
{
  g_autofree char *folder = g_path_get_dirname (reading->anchor);
  const KymoNoted noted = { folder, reading->base, run->n_locations_original, NULL, 0 };

  if (from_cache)
    kymo_reduced_take_weights (&noted, run, NULL);
  if (from_cache || reading->note != NULL)
    kymo_selection_apply (&noted, run);
}
