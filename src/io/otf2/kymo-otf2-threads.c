/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Teams (ThreadFork, ThreadTeamBegin, ThreadTeamEnd, ThreadJoin) and single threads
 * (ThreadCreate, ThreadBegin, ThreadEnd, ThreadWait) become links between locations.
 *
 * A master forks, and its next ThreadTeamBegin names the team. Another thread of the
 * process is in the team of the latest fork of that name that was not joined when the
 * thread began: one communicator names all the teams of the same threads, one after
 * the other. Single threads are found by their communicator and sequence number.
 *
 * Links lead from the begin of a part to the fork, and from the master to the member
 * that ended last, at that end, but no later than the join: members may record their
 * end after the master went on. A master that was last itself did not wait.
 *
 * The records themselves are kept, too, so that archives can be written with them.
 */
#include "config.h"

#include "kymo-otf2-threads.h"

#include "kymo-order.h"
#include "kymo-otf2-events-private.h"

/* Forks that are looked at for a member: more than anybody nests. */
#define MOST_FORKS 64

#define NO_TEAM G_MAXUINT32

typedef enum
{
  FORK,
  JOIN,
  TEAM_BEGIN,
  TEAM_END,
  CREATE,
  BEGIN,
  END,
  WAIT,
} Kind;

/**
 * Record:
 * @team: communicator as the file numbers it
 * @sequence: of a single thread
 * @since_ns: of WAIT: since when nothing else happened on the location
 * @until_ns: of WAIT: until when
 */
typedef struct
{
  gint64  ns;
  gint64  since_ns, until_ns;
  guint64 sequence;
  guint32 team;
  guint32 location;             /* index in the definitions, then in the run */
  guint32 kind;
  gint64  process;
} Record;

/* -- events ---------------------------------------------------------------- */

/* @number, @comm: see KymoAsideOp */
static OTF2_CallbackCode
add_record (KymoOtf2Stream *stream,
            OTF2_TimeStamp  time,
            Kind            kind,
            guint32         team,
            guint64         sequence,
            guint32         number,
            guint32         comm)
{
  Record record = { .since_ns = stream->changed_ns, .until_ns = G_MAXINT64, .sequence = sequence,
                    .team = team, .location = stream->location, .kind = kind };

  if (!kymo_otf2_begin_record (stream, time, &record.ns))
    return OTF2_CALLBACK_SUCCESS;
  kymo_segment_builder_aside (stream->builder, record.ns, KYMO_ASIDE_FORK + kind, number, comm);
  if (stream->threads == NULL)
    stream->threads = g_array_new (FALSE, FALSE, sizeof (Record));
  g_array_append_val (stream->threads, record);
  stream->waits_for_thread = kind == WAIT;
  return OTF2_CALLBACK_SUCCESS;
}

/** kymo_otf2_end_thread_waits: a function begins or ends, and with it the last ThreadWait */
void
kymo_otf2_end_thread_waits (KymoOtf2Stream *stream,
                            gint64          ns)
{
  Record *last = &g_array_index (stream->threads, Record, stream->threads->len - 1);

  last->until_ns = MAX (ns, last->ns);
  stream->waits_for_thread = FALSE;
}

/* In the order of the operations of asides. */
G_STATIC_ASSERT (KYMO_ASIDE_FORK + JOIN == KYMO_ASIDE_JOIN);
G_STATIC_ASSERT (KYMO_ASIDE_FORK + TEAM_BEGIN == KYMO_ASIDE_TEAM_BEGIN);
G_STATIC_ASSERT (KYMO_ASIDE_FORK + WAIT == KYMO_ASIDE_THREAD_WAIT);

/* The team's number for a writer of archives: its communicator + 1, 0 = not defined. */
static guint32
number_of_team (KymoOtf2Stream *stream,
                guint32         id)
{
  guint32 index;

  return kymo_otf2_comm_of (stream, id, &index) != NULL ? index + 1 : 0;
}

static OTF2_CallbackCode
add_fork (KymoOtf2Stream *stream,
          OTF2_TimeStamp  time,
          Kind            kind,
          OTF2_Paradigm   paradigm,
          guint32         n)
{
  return add_record (stream, time, kind, NO_TEAM, 0, n, paradigm);
}

static OTF2_CallbackCode
add_thread (KymoOtf2Stream *stream,
            OTF2_TimeStamp  time,
            Kind            kind,
            guint32         team,
            guint64         sequence)
{
  return add_record (stream, time, kind, team, sequence, (guint32) sequence,
                     number_of_team (stream, team));
}

#define EVENT(Event, call, ...)                                                   \
  static OTF2_CallbackCode                                                        \
  on_##Event (OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,  \
              void *data, OTF2_AttributeList *attributes, ##__VA_ARGS__)          \
  {                                                                               \
    return call;                                                                  \
  }

EVENT (ThreadFork, add_fork (data, time, FORK, paradigm, n), OTF2_Paradigm paradigm, uint32_t n)
EVENT (ThreadJoin, add_fork (data, time, JOIN, paradigm, 0), OTF2_Paradigm paradigm)
EVENT (ThreadTeamBegin, add_thread (data, time, TEAM_BEGIN, team, 0), OTF2_CommRef team)
EVENT (ThreadTeamEnd, add_thread (data, time, TEAM_END, team, 0), OTF2_CommRef team)
EVENT (ThreadCreate, add_thread (data, time, CREATE, team, n), OTF2_CommRef team, uint64_t n)
EVENT (ThreadBegin, add_thread (data, time, BEGIN, team, n), OTF2_CommRef team, uint64_t n)
EVENT (ThreadEnd, add_thread (data, time, END, team, n), OTF2_CommRef team, uint64_t n)
EVENT (ThreadWait, add_thread (data, time, WAIT, team, n), OTF2_CommRef team, uint64_t n)

/**
 * kymo_otf2_add_thread_callbacks:
 *
 * Sets the callbacks for threads and teams of threads.
 */
void
kymo_otf2_add_thread_callbacks (KymoOtf2Events *calls)
{
  calls->ThreadFork = on_ThreadFork;
  calls->ThreadJoin = on_ThreadJoin;
  calls->ThreadTeamBegin = on_ThreadTeamBegin;
  calls->ThreadTeamEnd = on_ThreadTeamEnd;
  calls->ThreadCreate = on_ThreadCreate;
  calls->ThreadBegin = on_ThreadBegin;
  calls->ThreadEnd = on_ThreadEnd;
  calls->ThreadWait = on_ThreadWait;
}

/** kymo_otf2_threads_get_bytes: @records: (nullable): Returns: what they take in memory */
gsize
kymo_otf2_threads_get_bytes (const GArray *records)
{
  return records != NULL ? (gsize) records->len * sizeof (Record) : 0;
}

static gint64
shifted (gint64 ns,
         gint64 shift_ns)
{
  return ns == G_MAXINT64 || ns == G_MININT64 ? ns : ns + shift_ns;
}

/**
 * kymo_otf2_shift_threads:
 * @records: (nullable): of one location
 * @shift_ns: added to all its times
 */
void
kymo_otf2_shift_threads (GArray *records,
                         gint64  shift_ns)
{
  for (guint i = 0; records != NULL && i < records->len; i++)
    {
      Record *record = &g_array_index (records, Record, i);

      record->ns += shift_ns;
      record->since_ns = shifted (record->since_ns, shift_ns);
      record->until_ns = shifted (record->until_ns, shift_ns);
    }
}

/* -- teams ----------------------------------------------------------------- */

/**
 * Fork:
 * @team: %NO_TEAM: the master is in no team that it forked
 * @own_end_ns: when the master ended its own part
 * @last_ns: when the last other member did; @last is its location
 */
typedef struct
{
  gint64  process;
  guint32 team;
  guint32 location;
  gint64  begin_ns, join_ns;
  gint64  own_end_ns;
  gint64  last_ns;
  guint32 last;
} Fork;

/** Part: what a thread that did not fork did in a team */
typedef struct
{
  gint64  process;
  guint32 team;
  guint32 location;
  gint64  begin_ns, end_ns;     /* end: G_MAXINT64 = not recorded */
} Part;

/** Open: a part of a team that a thread is in, its own or another's */
typedef struct
{
  gboolean own;
  guint    index;               /* into the forks or the parts */
} Open;

typedef struct
{
  GArray *forks;                /* Fork */
  GArray *parts;                /* Part */
  GArray *links;                /* KymoThreadLink */
} Linking;

#define LAST(array, type) (&g_array_index (array, type, (array)->len - 1))

static void
add_link (Linking *linking,
          guint32  to,
          gint64   to_ns,
          guint32  from,
          gint64   from_ns)
{
  KymoThreadLink link = { to_ns, MIN (from_ns, to_ns), to, from };

  if (to != from)
    g_array_append_val (linking->links, link);
}

static void
begin_part (Linking      *linking,
            const Record *record,
            GArray       *forked,
            GArray       *open)
{
  Open here = { FALSE, linking->parts->len };
  Part part = { record->process, record->team, record->location, record->ns, G_MAXINT64 };

  if (forked->len > 0)
    {
      Fork *fork = &g_array_index (linking->forks, Fork, *LAST (forked, guint));

      here.own = fork->team == NO_TEAM;
      if (here.own)
        {
          here.index = *LAST (forked, guint);
          fork->team = record->team;
        }
    }
  if (!here.own)
    g_array_append_val (linking->parts, part);
  g_array_append_val (open, here);
}

static void
end_part (Linking      *linking,
          const Record *record,
          GArray       *open)
{
  Open here;

  if (open->len == 0)
    return;
  here = *LAST (open, Open);
  g_array_set_size (open, open->len - 1);
  if (here.own)
    g_array_index (linking->forks, Fork, here.index).own_end_ns = record->ns;
  else
    g_array_index (linking->parts, Part, here.index).end_ns = record->ns;
}

/* The forks and parts of one location, whose records are in order. */
static void
collect_parts (Linking      *linking,
               const GArray *records)
{
  g_autoptr (GArray) forked = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));

  for (guint i = 0; i < records->len; i++)
    {
      const Record *record = &g_array_index (records, Record, i);
      Fork fork = { record->process, NO_TEAM, record->location, record->ns, G_MAXINT64,
                    record->ns, G_MININT64, 0 };

      if (record->kind == FORK)
        {
          g_array_append_val (forked, linking->forks->len);
          g_array_append_val (linking->forks, fork);
        }
      else if (record->kind == JOIN && forked->len > 0)
        {
          g_array_index (linking->forks, Fork, *LAST (forked, guint)).join_ns = record->ns;
          g_array_set_size (forked, forked->len - 1);
        }
      else if (record->kind == TEAM_BEGIN)
        begin_part (linking, record, forked, open);
      else if (record->kind == TEAM_END)
        end_part (linking, record, open);
    }
}

static int
compare_forks (gconstpointer a,
               gconstpointer b)
{
  const Fork *x = a, *y = b;

  KYMO_ORDER_BY (x->process, y->process);
  KYMO_ORDER_BY (x->team, y->team);
  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  KYMO_ORDER_BY (x->location, y->location);
  return 0;
}

/* The latest fork of a team's name that had not been joined when the part began. */
static Fork *
find_fork (const Linking *linking,
           const Part    *part,
           guint32        team)
{
  Fork key = { .process = part->process, .team = team, .begin_ns = part->begin_ns,
               .location = G_MAXUINT32 };
  guint at = KYMO_FIND_FIRST (i, 0, linking->forks->len,
                              compare_forks (&g_array_index (linking->forks, Fork, i), &key) > 0);

  for (guint n = 0; at-- > 0 && n < MOST_FORKS; n++)
    {
      Fork *fork = &g_array_index (linking->forks, Fork, at);

      if (fork->process != part->process || fork->team != team)
        return NULL;
      if (fork->location != part->location && fork->join_ns >= part->begin_ns)
        return fork;
    }
  return NULL;
}

static void
link_part (Linking    *linking,
           const Part *part)
{
  Fork *fork = find_fork (linking, part, part->team);

  if (fork == NULL)
    fork = find_fork (linking, part, NO_TEAM);
  if (fork == NULL)
    return;
  add_link (linking, part->location, part->begin_ns, fork->location, fork->begin_ns);
  if (part->end_ns != G_MAXINT64
      && (part->end_ns > fork->last_ns
          || (part->end_ns == fork->last_ns && part->location < fork->last)))
    {
      fork->last_ns = part->end_ns;
      fork->last = part->location;
    }
}

static void
link_teams (Linking *linking)
{
  g_array_sort (linking->forks, compare_forks);
  for (guint i = 0; i < linking->parts->len; i++)
    link_part (linking, &g_array_index (linking->parts, Part, i));
  for (guint i = 0; i < linking->forks->len; i++)
    {
      const Fork *fork = &g_array_index (linking->forks, Fork, i);
      gint64 end_ns = MIN (fork->last_ns, fork->join_ns);

      if (fork->join_ns != G_MAXINT64 && fork->last_ns > fork->own_end_ns
          && end_ns > fork->own_end_ns)
        add_link (linking, fork->location, end_ns, fork->last, end_ns);
    }
}

/* -- single threads -------------------------------------------------------- */

static int
compare_singles (gconstpointer a,
                 gconstpointer b)
{
  const Record *x = a, *y = b;

  KYMO_ORDER_BY (x->process, y->process);
  KYMO_ORDER_BY (x->team, y->team);
  KYMO_ORDER_BY (x->sequence, y->sequence);
  KYMO_ORDER_BY (x->kind, y->kind);
  KYMO_ORDER_BY (x->ns, y->ns);
  KYMO_ORDER_BY (x->location, y->location);
  return 0;
}

static gboolean
is_same_thread (const Record *x,
                const Record *y)
{
  return x->process == y->process && x->team == y->team && x->sequence == y->sequence;
}

/* The records of one thread, in order of kind. */
static void
link_single (Linking      *linking,
             const Record *records,
             guint         n)
{
  const Record *of[WAIT + 1] = { NULL };

  for (guint i = 0; i < n; i++)
    if (records[i].kind != WAIT)
      of[records[i].kind] = &records[i];
  if (of[CREATE] != NULL && of[BEGIN] != NULL)
    add_link (linking, of[BEGIN]->location, of[BEGIN]->ns, of[CREATE]->location, of[CREATE]->ns);
  for (guint i = 0; i < n && of[END] != NULL; i++)
    if (records[i].kind == WAIT && of[END]->ns > records[i].since_ns
        && of[END]->ns <= records[i].until_ns)
      add_link (linking, records[i].location, of[END]->ns, of[END]->location, of[END]->ns);
}

static void
link_singles (Linking *linking,
              GArray  *singles)
{
  g_array_sort (singles, compare_singles);
  for (guint i = 0, end; i < singles->len; i = end)
    {
      const Record *first = &g_array_index (singles, Record, i);

      for (end = i + 1; end < singles->len && is_same_thread (first, first + end - i); end++)
        ;
      link_single (linking, first, end - i);
    }
}

/* Locations get their number in the run. */
static void
take_records (const KymoOtf2Location *location,
              GArray                 *records,
              GArray                 *singles)
{
  for (guint i = 0; i < records->len; i++)
    {
      Record *record = &g_array_index (records, Record, i);

      record->location = location->row;
      record->process = location->rank;
      if (record->kind >= CREATE)
        g_array_append_val (singles, *record);
    }
}

/**
 * kymo_otf2_link_threads:
 * @records: (array length=n) (nullable): by location of the definitions, some %NULL, on
 *   the clock of the run; they are changed
 *
 * Returns: (transfer full) (nullable) (element-type KymoThreadLink): how threads depend on
 *   each other, sorted; %NULL where nothing is recorded about it
 */
GArray *
kymo_otf2_link_threads (const KymoOtf2Defs *defs,
                        GArray            **records,
                        guint               n)
{
  g_autoptr (GArray) singles = g_array_new (FALSE, FALSE, sizeof (Record));
  g_autoptr (GArray) forks = g_array_new (FALSE, FALSE, sizeof (Fork));
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  Linking linking = { forks, parts, g_array_new (FALSE, FALSE, sizeof (KymoThreadLink)) };

  for (guint i = 0; i < n; i++)
    {
      const KymoOtf2Location *location = &g_array_index (defs->locations, KymoOtf2Location, i);

      if (records[i] == NULL || location->row == KYMO_OTF2_NONE)
        continue;
      take_records (location, records[i], singles);
      collect_parts (&linking, records[i]);
    }
  link_teams (&linking);
  link_singles (&linking, singles);
  if (linking.links->len == 0)
    g_clear_pointer (&linking.links, g_array_unref);
  else
    kymo_thread_links_sort (linking.links);
  return linking.links;
}
