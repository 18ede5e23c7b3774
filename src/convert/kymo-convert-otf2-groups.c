/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The definitions of groups, communicators and windows that kymo-convert-otf2-comms.c found.
 */
#include "config.h"

#include "kymo-convert-otf2.h"

#include <string.h>

/* -- groups ------------------------------------------------------------------------ */

static void
write_group (KymoOtf2Out    *out,
             guint           ref,
             const char     *name,
             OTF2_GroupType  type,
             OTF2_Paradigm   paradigm,
             const guint64  *members,
             guint           n)
{
  OTF2_StringRef text = kymo_otf2_out_string (out, name);

  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteGroup (
    out->defs, ref, text, type, paradigm, OTF2_GROUP_FLAG_NONE, n,
    (const uint64_t *) members));
}

/* The list of what ranks are numbers of. */
static void
write_list (KymoOtf2Out *out,
            guint        ref)
{
  g_autofree guint64 *members = g_new (guint64, MAX (out->n_ranks, 1));

  for (guint i = 0; i < out->n_ranks; i++)
    members[i] = out->main_place[i];
  write_group (out, ref, "", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, members,
               out->n_ranks);
}

/* The same of threads: all locations. */
static void
write_thread_list (KymoOtf2Out *out,
                   guint        ref)
{
  g_autofree guint64 *members = g_new (guint64, MAX (out->places->len, 1));

  for (guint i = 0; i < out->places->len; i++)
    members[i] = i;
  write_group (out, ref, "", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, members,
               out->places->len);
}

static void
write_all_ranks (KymoOtf2Out *out,
                 guint        ref)
{
  g_autofree guint64 *members = g_new (guint64, MAX (out->n_ranks, 1));

  for (guint i = 0; i < out->n_ranks; i++)
    members[i] = i;
  write_group (out, ref, "all ranks", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, members,
               out->n_ranks);
}

static gboolean
are_ranks (const KymoOtf2Out *out,
           const guint32     *places,
           guint              n)
{
  for (guint i = 0; i < n; i++)
    if (out->main_place[kymo_otf2_out_place (out, places[i])->rank] != places[i])
      return FALSE;
  return TRUE;
}

/* Of a communicator. Members are ranks where each speaks for one, else threads: a team, or parts
   of it. */
static void
write_members (KymoOtf2Out   *out,
               guint          ref,
               const char    *name,
               const guint32 *places,
               guint          n)
{
  g_autofree guint64 *members = g_new (guint64, MAX (n, 1));
  gboolean ranks = are_ranks (out, places, n);

  for (guint i = 0; i < n; i++)
    members[i] = ranks ? kymo_otf2_out_place (out, places[i])->rank : places[i];
  write_group (out, ref, name, OTF2_GROUP_TYPE_COMM_GROUP,
               ranks ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_OPENMP, members, n);
}

static gboolean
is_list (const KymoOtf2Out        *out,
         const KymoOtf2OutMembers *members)
{
  return members->n == out->n_ranks
    && memcmp (members->places, out->main_place, members->n * sizeof (guint32)) == 0;
}

static gboolean
is_thread_list (const KymoOtf2Out        *out,
                const KymoOtf2OutMembers *members)
{
  for (guint i = 0; i < members->n; i++)
    if (members->places[i] != i)
      return FALSE;
  return members->n == out->places->len;
}

/* By group whether a communicator has its members. */
static guint8 *
find_used_groups (const KymoOtf2Out *out)
{
  const KymoDefinitions *definitions = kymo_otf2_out_definitions (out);
  guint8 *is_used = g_new0 (guint8, MAX (definitions->groups->len, 1));

  for (guint i = 0; i < definitions->comms->len; i++)
    {
      const KymoComm *comm = kymo_otf2_out_defined (out, i);

      if (comm->group >= 0)
        is_used[comm->group] = TRUE;
      if (comm->other >= 0)
        is_used[comm->other] = TRUE;
    }
  return is_used;
}

/* The location of the archive that stands for one of the run: itself, or that of its rank. */
static guint32
place_for (const KymoOtf2Out *out,
           guint32            location)
{
  guint32 place = out->place_of[location];

  return place != KYMO_OTF2_NO_REF ? place
    : out->main_place[kymo_otf2_out_node (out, location)];
}

/* (transfer full): the places of the members of a communicator that the run does not define */
static guint32 *
dup_places (const KymoOtf2Out     *out,
            const KymoOtf2OutComm *comm)
{
  guint32 *places = g_new (guint32, MAX (comm->n_members, 1));

  for (guint i = 0; i < comm->n_members; i++)
    places[i] = place_for (out, comm->members[i]);
  return places;
}

/* TRUE if a group or communicator that is written has threads as members. */
static gboolean
has_teams (const KymoOtf2Out *out,
           const guint8      *is_used)
{
  for (guint i = 0; is_used != NULL && i < kymo_otf2_out_definitions (out)->groups->len; i++)
    if (is_used[i] && !are_ranks (out, out->members[i].places, out->members[i].n))
      return TRUE;
  for (guint i = 0; i < out->comms->len; i++)
    {
      const KymoOtf2OutComm *comm = kymo_otf2_out_comm (out, i);
      g_autofree guint32 *places = comm->members != NULL ? dup_places (out, comm) : NULL;

      if (places != NULL && !are_ranks (out, places, comm->n_members))
        return TRUE;
    }
  return FALSE;
}

/* A list must be defined before what counts by it: one of the first groups, or a new one before
   all. Returns the index of the group, or that of none. */
static guint
find_list (const KymoOtf2Out *out,
           const guint8      *is_used,
           gboolean         (*is_it) (const KymoOtf2Out        *out,
                                      const KymoOtf2OutMembers *members))
{
  guint i = 0;

  for (; is_used != NULL && i < kymo_otf2_out_definitions (out)->groups->len && !is_used[i]; i++)
    if (is_it (out, &out->members[i]))
      return i;
  return KYMO_OTF2_NO_REF;
}

/* Of the run's definitions, and before them the lists that these have not. */
static void
write_groups (KymoOtf2Out *out,
              guint       *next_group)
{
  guint n = out->members != NULL ? kymo_otf2_out_definitions (out)->groups->len : 0;
  g_autofree guint8 *is_used = out->members != NULL ? find_used_groups (out) : NULL;
  guint of_ranks = find_list (out, is_used, is_list);
  guint of_threads = find_list (out, is_used, is_thread_list);

  if (of_ranks == KYMO_OTF2_NO_REF)
    write_list (out, (*next_group)++);
  if ((of_threads == KYMO_OTF2_NO_REF || of_threads == of_ranks) && has_teams (out, is_used))
    write_thread_list (out, (*next_group)++);
  out->first_group = *next_group;
  for (guint i = 0; i < n; i++)
    {
      const KymoOtf2OutMembers *members = &out->members[i];
      const char *name = kymo_otf2_out_group (out, i)->name;
      g_autofree guint64 *places = g_new (guint64, MAX (members->n, 1));

      for (guint k = 0; k < members->n; k++)
        places[k] = members->places[k];
      if (is_used[i])
        write_members (out, (*next_group)++, name, members->places, members->n);
      else
        write_group (out, (*next_group)++, name, i == of_ranks || i == of_threads
                     ? OTF2_GROUP_TYPE_COMM_LOCATIONS : OTF2_GROUP_TYPE_LOCATIONS,
                     i == of_ranks ? OTF2_PARADIGM_MPI : i == of_threads ? OTF2_PARADIGM_OPENMP
                     : OTF2_PARADIGM_UNKNOWN, places, members->n);
    }
}

/** kymo_otf2_out_group_ref: @defined: index in the run's definitions, or -1 */
guint32
kymo_otf2_out_group_ref (const KymoOtf2Out *out,
                         gint32             defined)
{
  return defined >= 0 ? out->first_group + (guint32) defined : OTF2_UNDEFINED_GROUP;
}

/* The group of a communicator that the run does not define. */
static guint
write_own_group (KymoOtf2Out           *out,
                 const KymoOtf2OutComm *comm,
                 guint                 *next_group,
                 guint                 *all)
{
  g_autofree guint32 *places = NULL;

  if (comm->members == NULL)
    {
      if (*all == KYMO_OTF2_NO_REF)
        {
          *all = (*next_group)++;
          write_all_ranks (out, *all);
        }
      return *all;
    }
  places = dup_places (out, comm);
  write_members (out, *next_group, "members", places, comm->n_members);
  return (*next_group)++;
}

/* -- communicators ----------------------------------------------------------------- */

static guint
write_self (KymoOtf2Out *out,
            guint       *next_group,
            guint       *self)
{
  if (*self == KYMO_OTF2_NO_REF)
    {
      *self = (*next_group)++;
      write_group (out, *self, "", OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, NULL, 0);
    }
  return *self;
}

static void
write_defined_comm (KymoOtf2Out    *out,
                    guint           ref,
                    const KymoComm *comm,
                    guint           group)
{
  OTF2_StringRef name = kymo_otf2_out_string (out, comm->name);
  guint32 parent = kymo_otf2_out_comm_ref (out, comm->parent);

  kymo_otf2_out_note (out, comm->kind == KYMO_COMM_INTER
    ? OTF2_GlobalDefWriter_WriteInterComm (out->defs, ref, name, group,
                                           kymo_otf2_out_group_ref (out, comm->other), parent,
                                           OTF2_COMM_FLAG_NONE)
    : OTF2_GlobalDefWriter_WriteComm (out->defs, ref, name, group, parent, OTF2_COMM_FLAG_NONE));
}

static void
write_own_comm (KymoOtf2Out           *out,
                guint                  ref,
                const KymoOtf2OutComm *comm,
                guint                  group)
{
  g_autofree char *text = comm != NULL && comm->name >= 0
    ? g_strdup (kymo_otf2_out_defined (out, comm->name)->name)
    : comm != NULL ? g_strdup_printf ("communicator %u", ref) : g_strdup ("all ranks");
  OTF2_StringRef name = kymo_otf2_out_string (out, text);

  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteComm (
    out->defs, ref, name, group, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

static void
write_win (KymoOtf2Out *out,
           guint        ref,
           guint        all)
{
  const KymoOtf2OutComm *win = kymo_otf2_out_win (out, ref);
  g_autofree char *text = win->name >= 0
    ? g_strdup (kymo_otf2_out_defined (out, win->name)->name)
    : g_strdup_printf ("window %u", ref);
  OTF2_StringRef name = kymo_otf2_out_string (out, text);

  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteRmaWin (
    out->defs, ref, name, win->defined >= 0
    ? kymo_otf2_out_comm_ref (out, kymo_otf2_out_defined (out, win->defined)->parent) : all,
    OTF2_RMA_WIN_FLAG_NONE));
}

/** kymo_otf2_out_write_comms: @next_group: number of the next group, from 0; moves on */
void
kymo_otf2_out_write_comms (KymoOtf2Out *out,
                           guint       *next_group)
{
  guint n_comms = out->comms->len, all = KYMO_OTF2_NO_REF, self = KYMO_OTF2_NO_REF;
  const KymoOtf2OutComm none = { .members = NULL };
  guint comm_of_all = KYMO_OTF2_NO_REF;

  write_groups (out, next_group);
  for (guint i = 0; i < n_comms; i++)
    {
      const KymoOtf2OutComm *comm = kymo_otf2_out_comm (out, i);
      const KymoComm *defined = comm->defined >= 0
        ? kymo_otf2_out_defined (out, comm->defined) : NULL;

      if (defined == NULL)
        write_own_comm (out, i, comm, write_own_group (out, comm, next_group, &all));
      else
        write_defined_comm (out, i, defined, defined->kind == KYMO_COMM_SELF
                            ? write_self (out, next_group, &self)
                            : kymo_otf2_out_group_ref (out, defined->group));
    }
  for (guint i = 0; i < out->wins->len; i++)
    {
      if (kymo_otf2_out_win (out, i)->defined < 0 && comm_of_all == KYMO_OTF2_NO_REF)
        {
          comm_of_all = n_comms;
          write_own_comm (out, n_comms, NULL, write_own_group (out, &none, next_group, &all));
        }
      write_win (out, i, comm_of_all);
    }
}
