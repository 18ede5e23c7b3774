/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls told apart by communicator in timelines of random runs, against a painting of single
 * nanoseconds.
 */
#include "config.h"

#include <string.h>

#include "kymo-run-source.h"
#include "program.h"

#define N_COMMS 4               /* the last has no definition */
#define SEVERAL N_COMMS
#define N_SLOTS (N_COMMS + 1)   /* slot 0: no communicator */
/* Three states beside activities, and what is short. */
#define N_KEYS ((3 + PROGRAM_N_FUNCTIONS) * N_SLOTS + 1)
#define SHORT (N_KEYS - 1)

static const char *const comm_names[N_SLOTS] =
  { "(no communicator)", "world", "half", "3", "(several communicators)" };

/* -- a run ---------------------------------------------------------------- */

static void
define_comms (KymoRun *run)
{
  run->definitions = kymo_definitions_new ();
  for (guint i = 1; i < N_COMMS - 1; i++)
    {
      KymoComm comm = { .id = 40 + i, .name = g_strdup (comm_names[i]), .group = -1, .other = -1,
                        .parent = -1 };

      g_array_append_val (run->definitions->comms, comm);
    }
}

/* Communicators of all messages, and requests that are complete in some block. */
static void
choose_comms (GRand       *rand,
              KymoSegment *segment)
{
  KymoExchange *x = segment->exchange;

  if (x == NULL || segment->n_blocks == 0)
    return;
  x->send_request = g_new0 (guint32, x->n_sends + 1);
  for (guint i = 0; i < x->n_sends; i++)
    {
      x->send_comm[i] = (guint32) g_rand_int_range (rand, 0, N_COMMS);
      x->send_request[i] = g_rand_boolean (rand) ? i + 1 : 0;
    }
  for (guint i = 0; i < x->n_receives; i++)
    x->receive_comm[i] = (guint32) g_rand_int_range (rand, 0, N_COMMS);
  segment->n_asides = x->n_sends;
  segment->aside_time = g_malloc0_n (x->n_sends + 1, sizeof (gint64));
  segment->aside_block = g_new0 (guint32, x->n_sends + 1);
  segment->aside_number = g_new0 (guint32, x->n_sends + 1);
  segment->aside_comm = g_new0 (guint32, x->n_sends + 1);
  segment->aside_op = g_new0 (guint8, x->n_sends + 1);
  for (guint i = 0; i < x->n_sends; i++)
    {
      segment->aside_block[i] = g_rand_int_range (rand, 0, (gint32) segment->n_blocks);
      segment->aside_number[i] = (guint32) g_rand_int_range (rand, 0, (gint32) x->n_sends + 1);
      segment->aside_op[i] = g_rand_boolean (rand) ? KYMO_ASIDE_SENT : KYMO_ASIDE_GET;
    }
}

static KymoRun *
random_run (GRand *rand)
{
  KymoRun *run = program_random (rand);

  define_comms (run);
  for (guint i = 0; i < run->segments->len; i++)
    choose_comms (rand, run->segments->pdata[i]);
  for (guint i = 0; i < run->collectives->list->len; i++)
    g_array_index (run->collectives->list, KymoCollective, i).comm
      = g_rand_int_range (rand, -1, N_COMMS - 2);
  return run;
}

/* -- what ran, by looking at every nanosecond ------------------------------ */

static void
tell (guint  *slot,
      guint32 comm)
{
  if (comm != 0)
    *slot = *slot == 0 || *slot == comm ? comm : SEVERAL;
}

static void
tell_collectives (const KymoRun     *run,
                  const KymoSegment *segment,
                  guint              block,
                  guint             *slot)
{
  for (guint i = 0; i < run->collectives->list->len; i++)
    {
      const KymoCollective *c = &g_array_index (run->collectives->list, KymoCollective, i);

      for (guint m = 0; m < c->n_members; m++)
        {
          const KymoCollectiveMember *member = kymo_collective_member (run->collectives, c, m);
          guint found = G_MAXUINT;

          for (guint b = 0; b < segment->n_blocks; b++)
            if (kymo_segment_block_begin (segment, b) <= member->begin_ns
                && kymo_segment_block_end (segment, b) >= member->end_ns)
              found = b;
          if (member->location == segment->location && found == block)
            tell (slot, (guint32) (c->comm + 1));
        }
    }
}

static guint
slot_of_block (const KymoRun     *run,
               const KymoSegment *segment,
               guint              block)
{
  const KymoExchange *x = segment->exchange;
  guint slot = 0;

  if (kymo_run_peek_activity (run, segment->block_activity[block])->role == KYMO_ROLE_COMPUTE)
    return 0;
  for (guint i = 0; x != NULL && i < x->n_sends; i++)
    if (x->send_block[i] == block)
      tell (&slot, x->send_comm[i]);
  for (guint i = 0; x != NULL && i < x->n_receives; i++)
    if (x->receive_block[i] == block)
      tell (&slot, x->receive_comm[i]);
  for (guint i = 0; i < segment->n_asides; i++)
    for (guint k = 0; k < x->n_sends; k++)
      if (segment->aside_block[i] == block && segment->aside_op[i] == KYMO_ASIDE_SENT
          && x->send_request[k] == segment->aside_number[i] && x->send_request[k] != 0)
        tell (&slot, x->send_comm[k]);
  tell_collectives (run, segment, block, &slot);
  return slot;
}

/* The keys of all nanoseconds of a rank. */
static void
paint (const KymoRun *run,
       guint          rank,
       gint64         least_ns,
       guint          keys[PROGRAM_LENGTH_NS])
{
  const KymoSegment *segment = run->segments->pdata[rank];

  for (guint t = 0; t < PROGRAM_LENGTH_NS; t++)
    keys[t] = segment->piece_state[kymo_segment_find_piece (segment, t)] * N_SLOTS;
  for (guint block = 0; block < segment->n_blocks; block++)
    {
      gint64 begin = kymo_segment_block_begin (segment, block);
      gint64 end = kymo_segment_block_end (segment, block);
      guint slot = slot_of_block (run, segment, block);

      for (gint64 t = begin; t < end; t++)
        keys[t] = end - begin < least_ns ? SHORT
          : (KYMO_STATE_ACTIVITY + segment->block_activity[block]) * N_SLOTS + slot;
    }
}

static guint
key_of_name (const KymoRun *run,
             KymoTable     *answer,
             guint          i)
{
  static const char *const states[] = { "Overhead", "Idle", "Untraced" };
  const char *name = kymo_table_get_string (kymo_table_peek_nested (answer, "names", NULL),
                                            "name", i);
  const char *comm = kymo_table_get_string (
    kymo_table_peek_nested (answer, "communicators", NULL), "communicator", i);

  for (guint s = 0; s < G_N_ELEMENTS (states); s++)
    if (strcmp (name, states[s]) == 0)
      {
        g_assert_cmpstr (comm, ==, "");
        return s * N_SLOTS;
      }
  if (strcmp (name, "Shorter blocks") == 0)
    return SHORT;
  for (guint a = 0; a < PROGRAM_N_FUNCTIONS; a++)
    for (guint slot = 0; slot < N_SLOTS; slot++)
      if (strcmp (kymo_run_peek_activity (run, a)->name, name) == 0
          && strcmp (comm_names[slot], comm) == 0)
        return (KYMO_STATE_ACTIVITY + a) * N_SLOTS + slot;
  g_error ("nothing is called %s on %s", name, comm);
}

/* -- comparing ------------------------------------------------------------ */

typedef struct
{
  KymoRun   *run;
  KymoTable *answer;
  guint      keys[PROGRAM_MOST_RANKS][PROGRAM_LENGTH_NS];
  gint64     begin_ns, end_ns, n_columns;
} Painted;

/* Nothing has more time in a column than what its cell tells. */
static void
check_cell (const Painted *p,
            const gint64  *ids,
            guint          n,
            gint64         column,
            KymoTable     *cells,
            gint           cell)
{
  gint64 length = p->end_ns - p->begin_ns, ns[N_KEYS] = { 0 }, most = 0;
  gint64 begin = p->begin_ns + length * column / p->n_columns;
  gint64 end = p->begin_ns + length * (column + 1) / p->n_columns;
  guint key;

  for (guint i = 0; i < n; i++)
    for (gint64 t = MAX (begin, 0); t < MIN (end, PROGRAM_LENGTH_NS); t++)
      ns[p->keys[ids[i]][t]]++;
  for (guint i = 0; i < N_KEYS; i++)
    most = MAX (most, ns[i]);
  if (cell < 0)
    {
      g_assert_cmpint (most, ==, 0);
      return;
    }
  key = key_of_name (p->run, p->answer, (guint) kymo_table_get_int (cells, "activity", cell));
  g_assert_cmpint (ns[key], ==, most);
  g_assert_cmpfloat_with_epsilon (kymo_table_get_double (cells, "share", cell),
                                  (double) most / (double) ((end - begin) * n), 2e-5);
}

static void
check_rows (const Painted *p)
{
  const guint *cells_of, *ids_of;
  KymoTable *rows = kymo_table_peek_nested (p->answer, "rows", NULL);
  KymoTable *cells = kymo_table_peek_nested (rows, "cells", &cells_of);
  const gint64 *ids = kymo_table_peek_ints (kymo_table_peek_nested (rows, "locations", &ids_of),
                                            "location", NULL);

  for (guint row = 0; row < kymo_table_get_n_rows (rows); row++)
    for (gint64 c = 0, cell = cells_of[row]; c < p->n_columns; c++)
      {
        while (cell < cells_of[row + 1] && kymo_table_get_int (cells, "x1", cell) <= c)
          cell++;
        check_cell (p, ids + ids_of[row], ids_of[row + 1] - ids_of[row], c, cells,
                    cell < cells_of[row + 1] && kymo_table_get_int (cells, "x0", cell) <= c
                    ? (gint) cell : -1);
      }
}

/* Hidden blocks count under their own names. */
static void
check_totals (const Painted *p)
{
  KymoTable *totals = kymo_table_peek_nested (p->answer, "names_ns", NULL);
  gint64 ns[N_KEYS] = { 0 };

  for (guint rank = 0; rank < p->run->segments->len; rank++)
    {
      guint keys[PROGRAM_LENGTH_NS];

      paint (p->run, rank, 0, keys);
      for (gint64 t = MAX (p->begin_ns, 0); t < MIN (p->end_ns, PROGRAM_LENGTH_NS); t++)
        ns[keys[t]]++;
    }
  for (guint i = 0; i < kymo_table_get_n_rows (totals); i++)
    {
      guint key = key_of_name (p->run, p->answer, i);

      g_assert_cmpint (kymo_table_get_int (totals, "ns", i), ==, ns[key]);
      ns[key] = 0;
    }
  for (guint i = 0; i < N_KEYS; i++)
    g_assert_cmpint (ns[i], ==, 0);
}

static KymoTable *
ask (KymoRun *run,
     guint    n_columns,
     guint    rows,
     gboolean on_grid,
     gint64   least_ns,
     guint    n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, n_threads);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, (KymoSpan) { 30, 371 });
  kymo_question_set_resolution (question, n_columns, rows);
  kymo_question_set_int (question, "communicators", 1);
  kymo_question_set_int (question, "grid", on_grid);
  kymo_question_set_int (question, "least-ns", least_ns);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static void
test_random (void)
{
  guint n_told = 0;

  for (guint seed = 0; seed < 60; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (KymoRun) run = random_run (rand);
      gint64 least_ns = seed % 3 != 0 ? 0 : g_rand_int_range (rand, 1, 30);
      g_autoptr (KymoTable) answer = ask (run, g_rand_int_range (rand, 3, 90), seed % 4 == 0,
                                          seed % 5 < 2, least_ns, 1 + seed % 3);
      Painted p = { run, answer };

      for (guint rank = 0; rank < run->segments->len; rank++)
        paint (run, rank, least_ns, p.keys[rank]);
      p.begin_ns = kymo_table_get_int (answer, "begin_ns", 0);
      p.end_ns = kymo_table_get_int (answer, "end_ns", 0);
      p.n_columns = kymo_table_get_int (answer, "columns", 0);
      check_rows (&p);
      check_totals (&p);
      for (guint i = 0; i < kymo_table_get_n_rows (kymo_table_peek_nested (
             answer, "names", NULL)); i++)
        n_told += key_of_name (run, answer, i) % N_SLOTS != 0;
    }
  g_assert_cmpuint (n_told, >, 100);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/communicators/random", test_random);
  return g_test_run ();
}
