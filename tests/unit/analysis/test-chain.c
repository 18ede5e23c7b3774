/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains of messages: of a small program by hand, and in a random run (fixed seed)
 * against the records: every message of a chain is one that was sent, steps touch, and
 * sums add up; what forward reaches leads back to where it began.
 */
#include "config.h"

#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define N_LOCATIONS 6
#define N_BLOCKS 40

typedef struct
{
  KymoSegmentBuilder *builder[N_LOCATIONS];
  guint               n;
} Program;

static void
program_init (Program *p,
              guint    n)
{
  p->n = n;
  for (guint i = 0; i < n; i++)
    {
      p->builder[i] = kymo_segment_builder_new (i, 3);
      kymo_segment_builder_touch (p->builder[i], 0);
    }
}

static KymoRun *
program_end (Program *p,
             gint64   end_ns)
{
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("made");
  run->title = g_strdup ("made");
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("entry %u", i);

      kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, name, NULL, NULL);
    }
  for (guint i = 0; i < p->n; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };
      KymoRepairs repairs;

      kymo_segment_builder_touch (p->builder[i], end_ns);
      kymo_run_add_location (run, &location,
                             kymo_segment_builder_seal (p->builder[i], 10, FALSE, &repairs));
      kymo_segment_builder_free (p->builder[i]);
    }
  run->n_locations_original = p->n;
  kymo_run_seal (run);
  return run;
}

static void
begin (Program *p,
       guint    pe,
       gint64   time_ns,
       guint    entry,
       gint     source,
       gint     event)
{
  kymo_segment_builder_touch (p->builder[pe], time_ns);
  kymo_segment_builder_set_idle (p->builder[pe], time_ns, FALSE);
  kymo_segment_builder_begin_block (p->builder[pe], time_ns, entry, source, event, 64, NULL);
}

static void
end (Program *p,
     guint    pe,
     gint64   time_ns,
     gboolean idle)
{
  kymo_segment_builder_touch (p->builder[pe], time_ns);
  kymo_segment_builder_end_block (p->builder[pe], time_ns);
  if (idle)
    kymo_segment_builder_set_idle (p->builder[pe], time_ns, TRUE);
}

static void
send (Program *p,
      guint    pe,
      gint64   time_ns,
      guint    entry,
      gint     event)
{
  kymo_segment_builder_touch (p->builder[pe], time_ns);
  kymo_segment_builder_send (p->builder[pe], time_ns, KYMO_SEND_ONE, entry, event, 64, 1);
}

static KymoTable *
ask (KymoRun    *run,
     gint64      location,
     gint64      time_ns,
     const char *direction)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("chain");
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  kymo_question_set (question, "direction", direction);
  kymo_question_set_int (question, "limit", 100000);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static void
check_step (KymoTable  *answer,
            guint       i,
            const char *kind,
            gint64      location,
            gint64      begin_ns,
            gint64      end_ns)
{
  KymoTable *steps = kymo_table_peek_nested (answer, "steps", NULL);

  g_assert_cmpuint (i, <, kymo_table_get_n_rows (steps));
  g_assert_cmpstr (kymo_table_get_string (steps, "kind", i), ==, kind);
  g_assert_cmpint (kymo_table_get_int (steps, "location", i), ==, location);
  g_assert_cmpint (kymo_table_get_int (steps, "begin_ns", i), ==, begin_ns);
  g_assert_cmpint (kymo_table_get_int (steps, "end_ns", i), ==, end_ns);
}

/* PE 0 runs 10 to 30 and sends at 20 to PE 1, which is busy until 50 and idle before 40;
   PE 1 runs it from 50 on and sends at 60 to PE 2, which has been idle. */
static KymoRun *
small_run (void)
{
  Program p;

  program_init (&p, 3);
  kymo_segment_builder_set_idle (p.builder[1], 0, TRUE);
  kymo_segment_builder_set_idle (p.builder[2], 0, TRUE);
  begin (&p, 0, 10, 0, -1, -1);
  send (&p, 0, 20, 1, 0);
  end (&p, 0, 30, TRUE);
  begin (&p, 1, 40, 2, -1, -1);
  end (&p, 1, 50, FALSE);
  begin (&p, 1, 50, 1, 0, 0);
  send (&p, 1, 60, 2, 0);
  end (&p, 1, 70, TRUE);
  begin (&p, 2, 80, 2, 1, 0);
  end (&p, 2, 100, TRUE);
  return program_end (&p, 200);
}

static void
test_back (void)
{
  g_autoptr (KymoRun) run = small_run ();
  g_autoptr (KymoTable) answer = ask (run, 2, 90, "back");

  check_step (answer, 0, "entry", 0, 10, 20);
  check_step (answer, 1, "message", 1, 20, 40);
  check_step (answer, 2, "queue", 1, 40, 50);
  check_step (answer, 3, "entry", 1, 50, 60);
  check_step (answer, 4, "message", 2, 60, 80);
  check_step (answer, 5, "entry", 2, 80, 100);
  g_assert_cmpint (kymo_table_get_int (answer, "steps_in_all", 0), ==, 6);
  g_assert_cmpint (kymo_table_get_int (answer, "total_ns", 0), ==, 90);
  g_assert_cmpint (kymo_table_get_int (answer, "block_ns", 0), ==, 40);
  g_assert_cmpint (kymo_table_get_int (answer, "message_ns", 0), ==, 40);
  g_assert_cmpint (kymo_table_get_int (answer, "queue_ns", 0), ==, 10);
  g_assert_cmpstr (kymo_table_get_string (answer, "ended", 0), ==, "started");
}

static void
test_forward (void)
{
  g_autoptr (KymoRun) run = small_run ();
  g_autoptr (KymoTable) answer = ask (run, 0, 15, "forward");
  g_autoptr (KymoTable) alone = ask (run, 2, 90, "forward");

  check_step (answer, 0, "entry", 0, 10, 20);
  check_step (answer, 5, "entry", 2, 80, 100);
  g_assert_cmpint (kymo_table_get_int (answer, "caused", 0), ==, 2);
  g_assert_cmpint (kymo_table_get_int (answer, "caused_ns", 0), ==, 40);
  g_assert_cmpstr (kymo_table_get_string (answer, "ended", 0), ==, "reached");
  g_assert_cmpint (kymo_table_get_int (alone, "caused", 0), ==, 0);
  check_step (alone, 0, "entry", 2, 80, 100);
}

static void
begin_of (Program *p,
          guint    pe,
          gint64   time_ns,
          gint     source,
          gint     event,
          gint32   element)
{
  KymoObject object = { { element }, 1 };

  kymo_segment_builder_touch (p->builder[pe], time_ns);
  kymo_segment_builder_set_idle (p->builder[pe], time_ns, FALSE);
  kymo_segment_builder_begin_block (p->builder[pe], time_ns, 1, source, event, 64, &object);
}

/* A block without a message, right behind one of its element, was set off by that; behind
   one of another element, or after a pause, it was not. */
static void
test_set_off (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) back = NULL, forward = NULL, other = NULL, paused = NULL;
  Program p;

  program_init (&p, 2);
  begin (&p, 0, 10, 0, -1, -1);
  send (&p, 0, 20, 1, 0);
  end (&p, 0, 30, TRUE);
  begin_of (&p, 1, 50, 0, 0, 7);
  end (&p, 1, 52, FALSE);
  begin_of (&p, 1, 53, -1, -1, 7);
  end (&p, 1, 70, FALSE);
  begin_of (&p, 1, 70, -1, -1, 8);
  end (&p, 1, 80, TRUE);
  begin_of (&p, 1, 90, -1, -1, 8);
  end (&p, 1, 95, FALSE);
  run = program_end (&p, 200);
  back = ask (run, 1, 60, "back");
  check_step (back, 0, "entry", 0, 10, 20);
  check_step (back, 2, "queue", 1, 20, 50);
  check_step (back, 3, "entry", 1, 50, 52);
  check_step (back, 4, "overhead", 1, 52, 53);
  check_step (back, 5, "entry", 1, 53, 70);
  g_assert_cmpint (kymo_table_get_int (back, "other_ns", 0), ==, 1);
  forward = ask (run, 0, 15, "forward");
  g_assert_cmpint (kymo_table_get_int (forward, "caused", 0), ==, 2);
  check_step (forward, 5, "entry", 1, 53, 70);
  other = ask (run, 1, 75, "back");
  g_assert_cmpint (kymo_table_get_int (other, "steps_in_all", 0), ==, 1);
  paused = ask (run, 1, 92, "back");
  g_assert_cmpint (kymo_table_get_int (paused, "steps_in_all", 0), ==, 1);
}

/* In another block it hangs on that: not on the one before it, in either direction. */
static void
test_nested (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) back = NULL, forward = NULL;
  Program p;

  program_init (&p, 2);
  begin (&p, 0, 10, 0, -1, -1);
  send (&p, 0, 20, 1, 0);
  end (&p, 0, 30, TRUE);
  begin_of (&p, 1, 40, -1, -1, 7);
  begin_of (&p, 1, 50, 0, 0, 7);
  end (&p, 1, 60, FALSE);
  begin_of (&p, 1, 60, -1, -1, 7);
  end (&p, 1, 80, FALSE);
  end (&p, 1, 90, TRUE);
  run = program_end (&p, 200);
  back = ask (run, 1, 70, "back");
  check_step (back, 0, "entry", 1, 40, 60);
  check_step (back, 1, "entry", 1, 60, 80);
  forward = ask (run, 0, 15, "forward");
  g_assert_cmpint (kymo_table_get_int (forward, "caused", 0), ==, 1);
  g_assert_cmpstr (kymo_table_get_string (forward, "ended", 0), ==, "reached");
  g_assert_cmpint (kymo_table_get_int (forward, "total_ns", 0), ==, 50);
}

/* Between PE 0's entry methods 0 and 1 lies one tick, at which a message for 2 was made.
   Where 1 is known to send such messages it was that one, for the chain as for the call
   table; else the one that ends. */
static KymoRun *
tie_run (gboolean known)
{
  Program p;

  program_init (&p, 2);
  kymo_segment_builder_set_idle (p.builder[1], 0, TRUE);
  begin (&p, 0, 10, 1, -1, -1);
  if (known)
    send (&p, 0, 15, 2, 0);
  end (&p, 0, 20, TRUE);
  begin (&p, 0, 30, 0, -1, -1);
  end (&p, 0, 40, FALSE);
  begin (&p, 0, 40, 1, -1, -1);
  send (&p, 0, 40, 2, 1);
  end (&p, 0, 50, TRUE);
  begin (&p, 1, 60, 2, 0, 1);
  end (&p, 1, 70, TRUE);
  return program_end (&p, 100);
}

static void
check_tie (gboolean known)
{
  g_autoptr (KymoRun) run = tie_run (known);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (KymoQuestion) question = kymo_question_new ("call-table");
  g_autoptr (KymoTable) back = ask (run, 1, 60, "back"), table = NULL, of_block = NULL;
  const char *name = known ? "entry 1" : "entry 0";
  KymoTable *calls;
  gint64 begin_ns = known ? 40 : 30;

  check_step (back, 0, "entry", 0, begin_ns, 40);
  g_assert_cmpstr (kymo_table_get_string (kymo_table_peek_nested (back, "steps", NULL), "name", 0),
                   ==, name);
  table = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
  calls = kymo_table_peek_nested (table, "calls", NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (calls); i++)
    if (kymo_table_get_int (calls, "messages", i) > 0)
      g_assert_cmpstr (kymo_table_get_string (calls, "from", i), ==, name);
  g_clear_pointer (&question, kymo_question_unref);
  question = kymo_question_new ("messages");
  kymo_question_set_int (question, "location", 0);
  kymo_question_set_int (question, "time", known ? 45 : 35);
  of_block = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
  g_assert_cmpint (kymo_table_get_int (of_block, "n_caused", 0), ==, 1);
}

static void
test_tie (void)
{
  check_tie (TRUE);
  check_tie (FALSE);
}

static void
test_refused (void)
{
  g_autoptr (KymoRun) run = small_run ();
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  static const struct { const char *location, *time; } wrong[] =
    { { "9", "15" }, { "0", "150" }, { "x", "1" } };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new ("chain");
      g_autoptr (GError) error = NULL;

      kymo_question_set (question, "location", wrong[i].location);
      kymo_question_set (question, "time", wrong[i].time);
      g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
      g_assert_nonnull (error);
    }
}

/* -- at random ------------------------------------------------------------- */

static KymoRun *
random_run (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  Program p;

  program_init (&p, N_LOCATIONS);
  for (guint pe = 0; pe < N_LOCATIONS; pe++)
    {
      gint64 time = g_rand_int_range (rand, 1, 50);

      for (gint i = 0; i < N_BLOCKS; i++)
        {
          gint source = g_rand_int_range (rand, 0, N_LOCATIONS);
          gint event = MAX (i - g_rand_int_range (rand, 1, 4), -1);

          begin (&p, pe, time, (guint) (source + event + 1) % 3, source, event);
          time += g_rand_int_range (rand, 1, 20);
          send (&p, pe, time, ((guint) pe + i + 1) % 3, i);
          time += g_rand_int_range (rand, 1, 20);
          end (&p, pe, time, g_rand_int_range (rand, 0, 2) == 0);
          time += g_rand_int_range (rand, 0, 15);
        }
    }
  return program_end (&p, 3000);
}

/* Whether the plain question tells a message of these ends. */
static gboolean
was_sent (KymoTable *messages,
          gint64     from,
          gint64     to,
          gint64     sent_ns,
          gint64     begin_ns)
{
  for (guint i = 0; i < kymo_table_get_n_rows (messages); i++)
    if (kymo_table_get_int (messages, "from", i) == from
        && kymo_table_get_int (messages, "to", i) == to
        && kymo_table_get_int (messages, "sent_ns", i) == sent_ns
        && kymo_table_get_int (messages, "begin_ns", i) == begin_ns)
      return TRUE;
  return FALSE;
}

/* Of each message also the begin of what it started: behind its queue. */
static void
check_chain (KymoTable *answer,
             KymoTable *messages)
{
  KymoTable *steps = kymo_table_peek_nested (answer, "steps", NULL);
  guint n = kymo_table_get_n_rows (steps);
  gint64 total_ns = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 end_ns = kymo_table_get_int (steps, "end_ns", i);

      total_ns += kymo_table_get_int (steps, "took_ns", i);
      if (i + 1 < n)
        g_assert_cmpint (end_ns, ==, kymo_table_get_int (steps, "begin_ns", i + 1));
      if (g_strcmp0 (kymo_table_get_string (steps, "kind", i), "message") != 0)
        continue;
      g_assert_cmpuint (i + 1, <, n);
      if (g_strcmp0 (kymo_table_get_string (steps, "kind", i + 1), "queue") == 0)
        end_ns = kymo_table_get_int (steps, "end_ns", i + 1);
      g_assert_true (was_sent (messages, kymo_table_get_int (steps, "from_location", i),
                               kymo_table_get_int (steps, "location", i),
                               kymo_table_get_int (steps, "begin_ns", i), end_ns));
    }
  g_assert_cmpint (total_ns, ==, kymo_table_get_int (answer, "total_ns", 0));
  g_assert_cmpint (total_ns, ==, kymo_table_get_int (answer, "block_ns", 0)
                   + kymo_table_get_int (answer, "message_ns", 0)
                   + kymo_table_get_int (answer, "queue_ns", 0)
                   + kymo_table_get_int (answer, "other_ns", 0));
  g_assert_cmpint (total_ns, ==, kymo_table_get_int (steps, "end_ns", n - 1)
                   - kymo_table_get_int (steps, "begin_ns", 0));
}

static void
test_random (void)
{
  g_autoptr (KymoRun) run = random_run ();
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (KymoQuestion) question = kymo_question_new ("messages");
  g_autoptr (KymoTable) all = NULL;
  KymoTable *messages;
  gint64 longest = 0;

  kymo_question_set (question, "limit", "1000000");
  all = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
  messages = kymo_table_peek_nested (all, "messages", NULL);
  for (guint pe = 0; pe < N_LOCATIONS; pe++)
    for (guint i = 0; i < N_BLOCKS; i += 3)
      {
        const KymoSegment *segment = run->segments->pdata[pe];
        gint64 time_ns = kymo_segment_block_begin (segment, i);
        g_autoptr (KymoTable) back = ask (run, pe, time_ns, "back");
        g_autoptr (KymoTable) forward = ask (run, pe, time_ns, "forward");

        check_chain (back, messages);
        check_chain (forward, messages);
        g_assert_cmpstr (kymo_table_get_string (forward, "ended", 0), ==, "reached");
        longest = MAX (longest, kymo_table_get_int (back, "messages", 0));
      }
  g_assert_cmpint (longest, >, 5);
}

/* -- the critical path in part --------------------------------------------- */

static KymoTable *
ask_path (KymoRun    *run,
          const char *limit,
          gint64      begin_ns,
          gint64      end_ns,
          gint64      column_ns)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("critical-path");
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set (question, "limit", limit);
  kymo_question_set_int (question, "part-begin", begin_ns);
  kymo_question_set_int (question, "part-end", end_ns);
  kymo_question_set_int (question, "column", column_ns);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* In columns of a nanosecond they are the steps; in wider ones they still touch, none is
   lost, and none but the ends, and those before a long step, is shorter than a column. */
static void
test_part (void)
{
  g_autoptr (KymoRun) run = random_run ();
  g_autoptr (KymoTable) fine = ask_path (run, "1000000", 0, 3000, 1);
  g_autoptr (KymoTable) coarse = ask_path (run, "0", 0, 3000, 100);
  g_autoptr (KymoTable) some = ask_path (run, "0", 500, 700, 1);
  KymoTable *steps = kymo_table_peek_nested (fine, "steps", NULL);
  KymoTable *part = kymo_table_peek_nested (fine, "part", NULL);
  KymoTable *joined = kymo_table_peek_nested (coarse, "part", NULL);
  KymoTable *cut = kymo_table_peek_nested (some, "part", NULL);
  guint n = kymo_table_get_n_rows (steps), k = kymo_table_get_n_rows (joined);
  gint64 all = 0;

  g_assert_cmpuint (n, >, 20);
  g_assert_cmpuint (kymo_table_get_n_rows (part), ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (kymo_table_get_int (steps, "location", i), ==,
                       kymo_table_get_int (part, "location", i));
      g_assert_cmpint (kymo_table_get_int (steps, "begin_ns", i), ==,
                       kymo_table_get_int (part, "begin_ns", i));
    }
  g_assert_cmpuint (k, <, n);
  for (guint i = 0; i < k; i++)
    {
      all += kymo_table_get_int (joined, "steps", i);
      if (i + 1 < k)
        g_assert_cmpint (kymo_table_get_int (joined, "end_ns", i), ==,
                         kymo_table_get_int (joined, "begin_ns", i + 1));
    }
  g_assert_cmpint (all, ==, n);
  g_assert_cmpint (kymo_table_get_int (cut, "begin_ns", 0), <=, 500);
  g_assert_cmpint (kymo_table_get_int (cut, "end_ns", kymo_table_get_n_rows (cut) - 1), >=, 700);
  g_assert_cmpuint (kymo_table_get_n_rows (cut), <, n);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chain/back", test_back);
  g_test_add_func ("/chain/forward", test_forward);
  g_test_add_func ("/chain/set-off", test_set_off);
  g_test_add_func ("/chain/nested", test_nested);
  g_test_add_func ("/chain/tie", test_tie);
  g_test_add_func ("/chain/refused", test_refused);
  g_test_add_func ("/chain/random", test_random);
  g_test_add_func ("/chain/part", test_part);
  return g_test_run ();
}
