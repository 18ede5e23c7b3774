/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of locations, communicators and windows. Where the files of the run define them, they
 * are written as they are, with the same numbers; otherwise a communicator of all ranks is made
 * for each number that messages have.
 *
 * A run knows the partners of messages by their ranks among all processes, an archive by those
 * in the communicator. A member of which the run has no location may be any rank: one that
 * messages name and that is no other member takes its place.
 */
#include "config.h"

#include "kymo-convert-otf2.h"
#include "kymo-order.h"

#include <stdlib.h>

/* -- members of groups ----------------------------------------------------------- */

static gboolean
set_rank (KymoOtf2OutMembers *members,
          gint64              process,
          guint               rank)
{
  gpointer key = GINT_TO_POINTER ((gint) process);

  return !g_hash_table_contains (members->rank_of, key)
    && g_hash_table_insert (members->rank_of, key, GUINT_TO_POINTER (rank + 1));
}

static void
resolve_group (KymoOtf2Out        *out,
               const KymoGroup    *group,
               KymoOtf2OutMembers *members)
{
  members->n = group->n_members;
  members->places = g_new (guint32, MAX (group->n_members, 1));
  members->rank_of = g_hash_table_new (NULL, NULL);
  members->locations = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < group->n_members; i++)
    {
      guint32 location = group->members[i];

      members->places[i] = location != G_MAXUINT32 ? out->place_of[location] : KYMO_OTF2_NO_REF;
      if (location == G_MAXUINT32)
        continue;
      set_rank (members, kymo_otf2_out_node (out, location), i);
      if (!g_hash_table_contains (members->locations, GUINT_TO_POINTER (location)))
        g_hash_table_insert (members->locations, GUINT_TO_POINTER (location),
                             GUINT_TO_POINTER (i + 1));
    }
}

/* A rank that messages name is that of a member without records: in a communicator of all
   ranks the one of its number. */
static void
give_rank (KymoOtf2Out        *out,
           KymoOtf2OutMembers *members,
           gint32              process)
{
  guint rank = process;

  if (process < 0 || (guint) process >= out->n_ranks)
    return;
  if (rank >= members->n || members->places[rank] != KYMO_OTF2_NO_REF)
    for (rank = 0; rank < members->n && members->places[rank] != KYMO_OTF2_NO_REF; rank++)
      ;
  if (rank < members->n && set_rank (members, process, rank))
    members->places[rank] = out->main_place[process];
}

/* A location without events that can stand for a member that nothing is known of. */
static guint32
find_empty_place (const KymoOtf2Out *out)
{
  guint32 found = KYMO_OTF2_NO_REF;

  for (guint i = 0; i < out->n_ranks; i++)
    if (kymo_otf2_out_place (out, out->main_place[i])->location < 0)
      return out->main_place[i];
    else if (kymo_otf2_out_place (out, out->main_place[i])->is_empty)
      found = out->main_place[i];
  return found;
}

static void
fill_group (KymoOtf2Out        *out,
            KymoOtf2OutMembers *members)
{
  guint32 empty = KYMO_OTF2_NO_REF;

  for (guint i = 0; i < members->n; i++)
    {
      if (members->places[i] != KYMO_OTF2_NO_REF)
        continue;
      if (i < out->n_ranks && kymo_otf2_out_place (out, out->main_place[i])->is_empty
          && set_rank (members, i, i))
        {
          members->places[i] = out->main_place[i];
          continue;
        }
      empty = empty != KYMO_OTF2_NO_REF ? empty : find_empty_place (out);
      members->places[i] = empty != KYMO_OTF2_NO_REF ? empty : 0;
    }
}

/**
 * kymo_otf2_out_side_of:
 * @comm: of the run's definitions
 * @location: index in the run of who speaks
 *
 * Returns: (transfer none) (nullable): the members that it speaks to; of an
 *   intercommunicator those of the other group
 */
const KymoOtf2OutMembers *
kymo_otf2_out_side_of (const KymoOtf2Out *out,
                       const KymoComm    *comm,
                       guint              location)
{
  if (comm->kind == KYMO_COMM_WINDOW)
    return comm->parent >= 0
      ? kymo_otf2_out_side_of (out, kymo_otf2_out_defined (out, comm->parent), location) : NULL;
  if (comm->group < 0)
    return NULL;
  if (comm->other >= 0 && g_hash_table_contains (out->members[comm->group].locations,
                                                 GUINT_TO_POINTER (location)))
    return &out->members[comm->other];
  return &out->members[comm->group];
}

/**
 * kymo_otf2_out_find_partner:
 * @one_sided: %TRUE if @number is the number of a window
 * @number: as the messages of the run have it
 * @location: index in the run of who speaks
 * @partner: rank of the partner in the run
 * @ref: (out): number of the communicator or window in the archive
 * @rank: (out): rank of the partner in it
 *
 * Returns: whether the archive has that partner
 */
gboolean
kymo_otf2_out_find_partner (const KymoOtf2Out *out,
                            gboolean           one_sided,
                            guint32            number,
                            guint              location,
                            gint32             partner,
                            guint32           *ref,
                            guint32           *rank)
{
  GHashTable *numbers = one_sided ? out->win_of : out->comm_of;
  const KymoOtf2OutMembers *side;
  const KymoComm *defined;
  gint index;

  *ref = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, GUINT_TO_POINTER (number)));
  *rank = partner;
  index = one_sided ? kymo_otf2_out_win (out, *ref)->defined
    : kymo_otf2_out_comm (out, *ref)->defined;
  if (index < 0)
    return partner >= 0 && (guint) partner < out->n_ranks;
  defined = kymo_otf2_out_defined (out, index);
  if (defined->kind == KYMO_COMM_WINDOW && defined->parent >= 0)
    defined = kymo_otf2_out_defined (out, defined->parent);
  if (defined->kind == KYMO_COMM_SELF)
    {
      *rank = 0;
      return kymo_otf2_out_node (out, location) == partner;
    }
  side = kymo_otf2_out_side_of (out, defined, location);
  *rank = side != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (side->rank_of,
                                                                GINT_TO_POINTER (partner))) : 0;
  return (*rank)-- > 0;
}

/* -- communicators ------------------------------------------------------------------ */

static void
add_comm (GArray                *list,
          GHashTable            *numbers,
          const KymoOtf2OutComm *comm)
{
  g_hash_table_insert (numbers, GUINT_TO_POINTER (comm->number), GUINT_TO_POINTER (list->len));
  g_array_append_vals (list, comm, 1);
}

/* With the numbers that messages have: the index in the run's definitions plus one. */
static void
add_defined (KymoOtf2Out *out)
{
  const KymoDefinitions *definitions = kymo_otf2_out_definitions (out);

  out->members = g_new0 (KymoOtf2OutMembers, MAX (definitions->groups->len, 1));
  for (guint i = 0; i < definitions->groups->len; i++)
    resolve_group (out, kymo_otf2_out_group (out, i), &out->members[i]);
  for (guint i = 0; i < definitions->comms->len; i++)
    {
      gboolean is_window = kymo_otf2_out_defined (out, i)->kind == KYMO_COMM_WINDOW;
      KymoOtf2OutComm comm = { .defined = i, .name = i, .number = i + 1 };

      add_comm (is_window ? out->wins : out->comms, is_window ? out->win_of : out->comm_of, &comm);
    }
}

/**
 * Ends:
 * @take: is told of each end of a message; tags of one-sided transfers are below zero
 */
typedef struct
{
  KymoOtf2Out *out;
  GHashTable  *comms, *wins;    /* numbers that no definition has */
  void       (*take) (gpointer ends,
                      guint    location,
                      gint32   tag,
                      guint32  number,
                      gint32   partner);
} Ends;

static void
for_each_end (Ends *ends)
{
  for (guint i = 0; i < ends->out->convert->places->len; i++)
    {
      guint location = kymo_convert_place (ends->out->convert, i)->location;
      const KymoSegment *segment = g_ptr_array_index (ends->out->convert->run->segments,
                                                      location);
      const KymoExchange *x = segment->exchange;

      for (guint k = 0; x != NULL && k < x->n_sends; k++)
        ends->take (ends, location, x->send_tag[k], x->send_comm[k], x->send_partner[k]);
      for (guint k = 0; x != NULL && k < x->n_receives; k++)
        ends->take (ends, location, x->receive_tag[k], x->receive_comm[k],
                    x->receive_partner[k]);
    }
}

static void
take_number (gpointer data,
             guint    location,
             gint32   tag,
             guint32  number,
             gint32   partner)
{
  Ends *ends = data;
  gpointer key = GUINT_TO_POINTER (number);

  if (!g_hash_table_contains (tag >= 0 ? ends->out->comm_of : ends->out->win_of, key)
      && !g_hash_table_contains (tag >= 0 ? ends->comms : ends->wins, key))
    g_hash_table_add (tag >= 0 ? ends->comms : ends->wins, key);
}

static void
take_partner (gpointer data,
              guint    location,
              gint32   tag,
              guint32  number,
              gint32   partner)
{
  KymoOtf2Out *out = ((Ends *) data)->out;
  const KymoComm *defined;
  guint32 ref, rank;
  KymoOtf2OutMembers *side;

  if (kymo_otf2_out_find_partner (out, tag < 0, number, location, partner, &ref, &rank)
      || number == 0 || number > kymo_otf2_out_definitions (out)->comms->len)
    return;
  defined = kymo_otf2_out_defined (out, number - 1);
  side = (KymoOtf2OutMembers *) kymo_otf2_out_side_of (out, defined, location);
  if (side != NULL)
    give_rank (out, side, partner);
}

/* In order. */
static void
add_numbers (GHashTable *found,
             GArray     *list,
             GHashTable *numbers)
{
  guint n;
  g_autofree gpointer *keys = g_hash_table_get_keys_as_array (found, &n);
  g_autofree guint32 *sorted = g_new (guint32, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    sorted[i] = GPOINTER_TO_UINT (keys[i]);
  qsort (sorted, n, sizeof *sorted, kymo_compare_uints);
  for (guint i = 0; i < n; i++)
    {
      KymoOtf2OutComm comm = { .defined = -1, .name = -1, .number = sorted[i] };

      add_comm (list, numbers, &comm);
    }
}

/**
 * kymo_otf2_out_find_comms:
 *
 * Finds the communicators and windows; locations have their numbers.
 */
void
kymo_otf2_out_find_comms (KymoOtf2Out *out)
{
  g_autoptr (GHashTable) comms = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) wins = g_hash_table_new (NULL, NULL);
  Ends ends = { out, comms, wins, take_number };

  out->comms = g_array_new (FALSE, FALSE, sizeof (KymoOtf2OutComm));
  out->wins = g_array_new (FALSE, FALSE, sizeof (KymoOtf2OutComm));
  out->comm_of = g_hash_table_new (NULL, NULL);
  out->win_of = g_hash_table_new (NULL, NULL);
  if (kymo_otf2_out_definitions (out) != NULL)
    add_defined (out);
  for_each_end (&ends);
  add_numbers (comms, out->comms, out->comm_of);
  add_numbers (wins, out->wins, out->win_of);
  if (kymo_otf2_out_definitions (out) == NULL)
    return;
  ends.take = take_partner;
  for_each_end (&ends);
  for (guint i = 0; i < kymo_otf2_out_definitions (out)->groups->len; i++)
    fill_group (out, &out->members[i]);
}

/**
 * kymo_otf2_out_comm_ref:
 * @defined: index in the run's definitions, or -1
 *
 * Returns: its number among the communicators of the archive, or %OTF2_UNDEFINED_COMM
 */
guint32
kymo_otf2_out_comm_ref (const KymoOtf2Out *out,
                        gint32             defined)
{
  gpointer ref;

  return defined >= 0 && g_hash_table_lookup_extended (out->comm_of,
                                                       GUINT_TO_POINTER (defined + 1u), NULL, &ref)
    ? GPOINTER_TO_UINT (ref) : OTF2_UNDEFINED_COMM;
}

static void
clear_list (GArray *list)
{
  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      KymoOtf2OutComm *comm = &g_array_index (list, KymoOtf2OutComm, i);

      g_free (comm->members);
      g_clear_pointer (&comm->begun, g_hash_table_unref);
    }
}

void
kymo_otf2_out_clear_comms (KymoOtf2Out *out)
{
  clear_list (out->comms);
  clear_list (out->wins);
  for (guint i = 0; out->members != NULL && i < kymo_otf2_out_definitions (out)->groups->len; i++)
    {
      g_free (out->members[i].places);
      g_hash_table_unref (out->members[i].rank_of);
      g_hash_table_unref (out->members[i].locations);
    }
  g_clear_pointer (&out->members, g_free);
  g_clear_pointer (&out->comms, g_array_unref);
  g_clear_pointer (&out->wins, g_array_unref);
  g_clear_pointer (&out->comm_of, g_hash_table_unref);
  g_clear_pointer (&out->win_of, g_hash_table_unref);
}
