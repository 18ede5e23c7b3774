/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-part-note.h"

#include <string.h>

#include "kymo-noted.h"

#define MAX_ID G_MAXINT32
#define MAX_ORIGINAL (1 << 24)

static void
location_free (gpointer data)
{
  g_free (((KymoPartLocation *) data)->label);
  g_free (data);
}

/**
 * kymo_part_note_free:
 *
 * Frees @note. %NULL is ignored.
 */
void
kymo_part_note_free (KymoPartNote *note)
{
  if (note == NULL)
    return;
  g_key_file_unref (note->file);
  g_hash_table_unref (note->locations);
  g_free (note);
}

/* Takes a line "<id>=<node>;<thread>;<label>;". */
static gboolean
take_location (KymoPartNote *note,
               const char   *key)
{
  g_auto (GStrv) parts = g_key_file_get_string_list (note->file, KYMO_PART_GROUP, key, NULL, NULL);
  KymoPartLocation *location;
  gint64 id, node, thread;

  if (parts == NULL || g_strv_length (parts) != 3
      || !g_ascii_string_to_signed (key, 10, 0, MAX_ID, &id, NULL)
      || !g_ascii_string_to_signed (parts[0], 10, 0, MAX_ID, &node, NULL)
      || !g_ascii_string_to_signed (parts[1], 10, 0, MAX_ID, &thread, NULL))
    return FALSE;
  location = g_new (KymoPartLocation, 1);
  *location = (KymoPartLocation) { id, g_strdup (parts[2]) };
  return g_hash_table_insert (note->locations,
                              g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, node,
                                               thread), location);
}

static gboolean
take_locations (KymoPartNote *note)
{
  g_auto (GStrv) keys = g_key_file_get_keys (note->file, KYMO_PART_GROUP, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!take_location (note, keys[i]))
      return FALSE;
  return keys != NULL;
}

/**
 * kymo_part_note_new:
 * @folder: of a run
 * @base: what the names of the run's files begin with
 *
 * Returns: (transfer full) (nullable): the note; %NULL if there is none, or none that names
 *   locations
 */
KymoPartNote *
kymo_part_note_new (const char *folder,
                    const char *base)
{
  KymoPartNote *note = g_new0 (KymoPartNote, 1);
  const KymoNoted noted = { folder, base, -1, NULL, 0 };
  g_autofree char *row = NULL;

  note->file = g_key_file_new ();
  note->locations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, location_free);
  if (!kymo_reduced_load (&noted, note->file) || !take_locations (note))
    {
      kymo_part_note_free (note);
      return NULL;
    }
  note->zero_us = g_key_file_get_uint64 (note->file, KYMO_PART_RUN_GROUP, "zero_us", NULL);
  note->whole = g_key_file_get_boolean (note->file, KYMO_PART_RUN_GROUP, KYMO_PART_WHOLE, NULL);
  note->n_original = g_key_file_get_int64 (note->file, KYMO_REDUCED_GROUP, "processors", NULL);
  row = g_key_file_get_string (note->file, KYMO_PART_RUN_GROUP, "row", NULL);
  note->row = g_strcmp0 (row, "rank") == 0 ? KYMO_ROW_RANK
    : g_strcmp0 (row, "thread") == 0 ? KYMO_ROW_THREAD : g_strcmp0 (row, "pe") == 0 ? KYMO_ROW_PE
    : -1;
  return note;
}

/**
 * kymo_part_note_find:
 * @node: of a thread in the files
 * @thread: of a thread in the files
 *
 * Returns: (transfer none) (nullable): the location that the thread was in the original run,
 *   owned by the note
 */
const KymoPartLocation *
kymo_part_note_find (const KymoPartNote *note,
                     gint64              node,
                     gint64              thread)
{
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, node, thread);

  return g_hash_table_lookup (note->locations, key);
}

/**
 * kymo_part_note_apply:
 * @folder: of the run
 * @base: what the names of the run's files begin with
 * @run: not sealed, with its terms, locations as they were in the original, and its title
 *
 * Makes a run a part of another, or a reduced run, as the note says: reports what is not
 * there, and sets the weights of the rows. The time that is selected is taken after the run
 * is sealed (kymo_selection_apply()).
 */
void
kymo_part_note_apply (const KymoPartNote *note,
                      const char         *folder,
                      const char         *base,
                      KymoRun            *run)
{
  g_autofree gint64 *ids = g_new (gint64, MAX (run->locations->len, 1));
  const KymoNoted noted = { folder, base, -1, ids, run->locations->len };

  for (guint i = 0; i < noted.n_ids; i++)
    ids[i] = kymo_run_peek_location (run, i)->id;
  if (note->n_original >= run->locations->len && note->n_original <= MAX_ORIGINAL)
    run->n_locations_original = note->n_original;
  if (note->whole)
    return;
  kymo_reduced_report (&noted, run);
  kymo_reduced_take_weights (&noted, run, run->report);
}
