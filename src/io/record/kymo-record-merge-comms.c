/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communicators, the groups of their members, and windows.
 */
#include "config.h"

#include <string.h>

#include "kymo-record-merge.h"

/* Adds the ranks of "0-7,9", as numbers of the run. FALSE where they cannot be. */
static gboolean
parse_ranks (const KymoRecordWorld *world,
             const char            *text,
             GArray                *ranks)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *dash = strchr (parts[i], '-');
      guint64 first, last;

      if (dash != NULL)
        *dash++ = '\0';
      if (!kymo_record_number (parts[i], world->size - 1, &first)
          || !kymo_record_number (dash != NULL ? dash : parts[i], world->size - 1, &last)
          || last < first || ranks->len + (last - first) >= world->size)
        return FALSE;
      for (guint64 rank = first; rank <= last; rank++)
        {
          guint64 member = world->first + rank;

          g_array_append_val (ranks, member);
        }
    }
  return TRUE;
}

/* The number of the group of these ranks, or KYMO_OTF2_NONE. */
static guint32
group_of (KymoRecordMerge       *merge,
          const KymoRecordWorld *world,
          const char            *text)
{
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (guint64));
  gboolean is_new;
  guint32 number;

  if (!parse_ranks (world, text, ranks))
    return KYMO_OTF2_NONE;
  number = KYMO_RECORD_N_FIXED_GROUPS
    + kymo_record_intern (merge, g_strdup_printf ("g%u\t%s", world->first, text), &is_new);
  if (is_new)
    merge->calls.Group (merge->defs, number, kymo_record_text (merge, ""),
                        OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                        ranks->len, (const uint64_t *) (gpointer) ranks->data);
  return number;
}

static guint32
add_new_comm (KymoRecordMerge        *merge,
              const KymoRecordWorld  *world,
              guint32                 number,
              char                  **fields,
              const char             *name)
{
  const char *kind = fields[2];
  g_auto (GStrv) sides = g_strsplit (fields[6], "|", 2);
  g_autofree char *all = g_strdup_printf (world->size > 1 ? "0-%u" : "0", world->size - 1);
  gboolean inter = g_str_equal (kind, "inter");
  guint32 group, other = KYMO_OTF2_NONE;

  if (g_str_equal (kind, "self"))
    group = KYMO_RECORD_GROUP_SELF;
  else
    group = group_of (merge, world, g_str_equal (kind, "world") ? all
                      : kymo_record_field (sides, 0));
  if (inter && sides[0] != NULL)
    other = group_of (merge, world, kymo_record_field (sides, 1));
  if (group == KYMO_OTF2_NONE || (inter && other == KYMO_OTF2_NONE))
    return KYMO_OTF2_NONE;
  if (inter)
    merge->calls.InterComm (merge->defs, number, kymo_record_text (merge, name), group, other,
                            OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  else
    merge->calls.Comm (merge->defs, number, kymo_record_text (merge, name), group,
                       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  return number;
}

/* The name that a communicator got last. */
static const char *
name_of_comm (const KymoRecordProcess  *process,
              char                    **fields)
{
  const char *name = fields[5];

  for (guint i = 0; i < process->comm_names->len; i++)
    {
      char **later = process->comm_names->pdata[i];

      if (g_str_equal (later[1], fields[1]) && *later[2] != '\0')
        name = later[2];
    }
  if (*name != '\0')
    return name;
  return g_str_equal (fields[2], "world") ? "MPI_COMM_WORLD"
    : g_str_equal (fields[2], "self") ? "MPI_COMM_SELF" : "";
}

/**
 * kymo_record_add_comm:
 * @id: as the process numbers it
 * @fields: of its line
 *
 * Adds a communicator, unless another process added it.
 */
void
kymo_record_add_comm (KymoRecordMerge    *merge,
                      KymoRecordProcess  *process,
                      guint               id,
                      char              **fields)
{
  const KymoRecordWorld *world = kymo_record_world_of (merge, process);
  gboolean is_new;
  guint32 number;
  char *key;

  if (world == NULL)
    return;
  if (g_str_equal (fields[2], "self"))
    key = g_strconcat ("cs", fields[5], NULL);
  else if (g_str_equal (fields[2], "world"))
    key = g_strdup_printf ("cw%u", world->first);
  else
    key = g_strdup_printf ("cp%u\t%s\t%s", world->first, fields[3], fields[4]);
  number = kymo_record_intern (merge, key, &is_new);
  if (is_new && add_new_comm (merge, world, number, fields, name_of_comm (process, fields))
      == KYMO_OTF2_NONE)
    process->n_odd_lines++;
  kymo_record_set_id (process, KYMO_RECORD_COMM, id, number);
}

/**
 * kymo_record_add_win:
 * @id: as the process numbers it
 * @fields: of its line
 *
 * Adds a window, unless another process added it.
 */
void
kymo_record_add_win (KymoRecordMerge    *merge,
                     KymoRecordProcess  *process,
                     guint               id,
                     char              **fields)
{
  guint32 comm = kymo_record_get_id (process, KYMO_RECORD_COMM, fields[2]), number;
  const char *name = kymo_record_field (fields, 3);
  g_autofree char *what = g_strdup_printf ("w%u", comm);
  gboolean is_new;
  char *key;

  if (comm == KYMO_OTF2_NONE)
    return;
  key = g_strdup_printf ("w%u\t%u", comm, kymo_record_count_of (merge, process, what));
  number = kymo_record_intern (merge, key, &is_new);
  if (is_new)
    merge->calls.RmaWin (merge->defs, number,
                         kymo_record_text (merge, *name != '\0' ? name : "window"), comm,
                         OTF2_RMA_WIN_FLAG_NONE);
  kymo_record_set_id (process, KYMO_RECORD_WIN, id, number);
}
