/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages and collectives of functions in segment files: a round trip, through a file in the
 * making as well, gives the same answers; damage and deceit are found before anybody
 * reads where they lead.
 */
#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exchanges.h"
#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-segment-file.h"
#include "kymo-segment-layout.h"

#define STEP 211

static const guint8 key[KYMO_SEGMENT_KEY_BYTES] = "the key of this run";
static const ExchangesStory story = { 11, 4, 2, 120, 4, 0 };

static const struct { const char *kind; const char *keywords[5]; } questions[] = {
  { "info", { NULL } },
  { "communication", { NULL } },
  { "messages", { "limit", "100000", NULL } },
  { "critical-path", { NULL } },
  { "waiting", { NULL } },
  { "collectives", { "limit", "1000", NULL } },
  { "clocks", { NULL } },
  { "events", { "limit", "100000", NULL } },
  { "extrema", { "by", "bytes-received", "stacked", "1", NULL } },
  { "histogram", { "of", "message-size", NULL } },
  { "details", { "location", "3", "time", "200000", NULL } },
};

/* JSON, or NULL where the file turned out damaged. */
static char *
ask (KymoRun *run,
     guint    i)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (questions[i].kind);
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;
  GString *json = g_string_new (NULL);

  for (guint k = 0; questions[i].keywords[k] != NULL; k += 2)
    kymo_question_set (question, questions[i].keywords[k], questions[i].keywords[k + 1]);
  answer = kymo_engine_ask (run, question, 1, NULL, &error);
  if (answer != NULL)
    {
      kymo_table_write_json (answer, json);
      return g_string_free (json, FALSE);
    }
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_STALE);
  g_string_free (json, TRUE);
  return NULL;
}

#define N_COLLECTIVES 9

/* Of all locations or some, of all kinds, and in the end sorted. */
static KymoCollectives *
make_collectives (const KymoRun *run)
{
  KymoCollectives *made = kymo_collectives_new ();

  for (guint i = 0; i < N_COLLECTIVES; i++)
    {
      KymoCollectiveMember members[8];
      guint n = 0;

      for (guint l = 0; l < run->locations->len && n < G_N_ELEMENTS (members); l += 1 + i % 2)
        {
          gint64 begin_ns = 1000 * (gint64) ((i * 7 + l * 3) % 11 + 10 * i);

          members[n++] = (KymoCollectiveMember) { l, begin_ns, begin_ns + 500 };
        }
      kymo_collectives_add (made, members, n, EXCHANGES_SEND, i % (KYMO_COLLECTIVE_OTHER + 1),
                            i % 3 == 0 ? -1 : 2)->sent_bytes = i * 100;
    }
  made->n_left_out = 3;
  kymo_collectives_sort (made);
  return made;
}

static Exchanges *
make (void)
{
  Exchanges *exchanges = exchanges_new (&story);
  guint node = kymo_run_add_place (exchanges->run, "node", "n0", -1);

  kymo_run_add_place (exchanges->run, "process", "rank 0", node);
  for (guint i = 0; i < exchanges->run->locations->len; i++)
    g_array_index (exchanges->run->locations, KymoLocation, i).place = i < 2 ? 1 : -1;
  exchanges->run->collectives = make_collectives (exchanges->run);
  return exchanges;
}

static gboolean
write_run (const KymoRun *run,
           int           *fd)
{
  g_autoptr (GError) error = NULL;

  *fd = memfd_create ("cache", MFD_CLOEXEC);
  if (kymo_segment_file_write (run, key, *fd, NULL, &error))
    return TRUE;
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE);
  close (*fd);
  return FALSE;
}

static KymoRun *
read_run (int fd)
{
  KymoRun *run = kymo_segment_file_read (fd, key, 0, NULL, NULL, NULL, NULL);

  return run;
}

static void
assert_same (KymoRun *a,
             KymoRun *b)
{
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    {
      g_autofree char *x = ask (a, i), *y = ask (b, i);

      g_assert_cmpstr (x, ==, y);
    }
}

static void
test_round_trip (void)
{
  g_autoptr (Exchanges) exchanges = make ();
  g_autoptr (KymoRun) back = NULL;
  const KymoPlace *place;
  int fd;

  g_assert_true (write_run (exchanges->run, &fd));
  back = read_run (fd);
  close (fd);
  g_assert_nonnull (back);
  assert_same (exchanges->run, back);
  g_assert_cmpint (back->terms.row, ==, KYMO_ROW_THREAD);
  g_assert_cmpint (back->terms.code, ==, KYMO_CODE_FUNCTION);
  g_assert_cmpuint (back->places->len, ==, 2);
  place = &g_array_index (back->places, KymoPlace, 1);
  g_assert_cmpstr (place->kind, ==, "process");
  g_assert_cmpstr (place->label, ==, "rank 0");
  g_assert_cmpint (place->parent, ==, 0);
  g_assert_cmpint (kymo_run_peek_location (back, 1)->place, ==, 1);
  g_assert_cmpint (kymo_run_peek_location (back, 2)->place, ==, -1);
}

/* As when a run is larger than its memory limit: segments are written, in any order,
   before anybody knows which records belong together. */
static void
test_in_the_making (void)
{
  g_autoptr (Exchanges) exchanges = make (), mapped = make ();
  KymoRun *run = mapped->run;
  guint n = run->segments->len;
  int fd = memfd_create ("spill", MFD_CLOEXEC);
  g_autoptr (KymoSegmentWriter) writer = kymo_segment_writer_new (
    dup (fd), 0, KYMO_STATE_ACTIVITY + run->activities->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) back = NULL;
  KymoBacking *backing;

  for (guint i = 0; i < n; i++)
    {
      KymoSegment *segment = run->segments->pdata[n - 1 - i];

      g_assert_true (kymo_segment_writer_add (writer, i, segment, NULL, &error));
    }
  backing = kymo_segment_writer_map (writer, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      KymoSegment *segment = kymo_segment_backing_lend (backing, n - 1 - i);

      g_assert_null (segment->exchange->send_location);
      segment->location = i;
      kymo_segment_unref (run->segments->pdata[i]);
      run->segments->pdata[i] = segment;
    }
  kymo_backing_unref (backing);
  kymo_run_match_exchanges (run, 2, NULL);
  for (guint i = 1; i < G_N_ELEMENTS (questions); i++)
    {
      g_autofree char *x = ask (exchanges->run, i), *y = ask (run, i);

      g_assert_cmpstr (x, ==, y);
    }
  g_assert_true (kymo_segment_writer_finish (writer, run, key, NULL, &error));
  g_assert_no_error (error);
  back = read_run (fd);
  g_assert_nonnull (back);
  close (fd);
  for (guint i = 1; i < G_N_ELEMENTS (questions); i++)
    {
      g_autofree char *x = ask (exchanges->run, i), *y = ask (back, i);

      g_assert_cmpstr (x, ==, y);
    }
}

/* With right hashes, for it was written so. */
static void
assert_found_out (KymoRun *run)
{
  g_autoptr (KymoRun) back = NULL;
  gboolean fit = TRUE;
  int fd;

  g_assert_true (write_run (run, &fd));
  back = read_run (fd);
  close (fd);
  for (guint i = 0; back != NULL && i < back->segments->len; i++)
    fit &= kymo_segment_use (g_ptr_array_index (back->segments, i), KYMO_PARTS_ALL);
  g_assert_true (back == NULL || !fit);
}

/* Which column of the exchange is led astray, and to where. */
static guint32 *
column_of (KymoExchange *x,
           guint         i)
{
  guint32 *columns[] = { x->send_location, x->send_receive, x->receive_location, x->receive_send,
                         x->send_block, x->receive_block };

  return i < G_N_ELEMENTS (columns) ? columns[i] : NULL;
}

static void
test_deceit (void)
{
  for (guint i = 0; i < 6; i++)
    for (guint where = 0; where < 2; where++)
      {
        g_autoptr (Exchanges) exchanges = make ();
        KymoSegment *segment = g_ptr_array_index (exchanges->run->segments, 2);
        KymoExchange *x = segment->exchange;
        guint n = i == 0 || i == 1 || i == 4 ? x->n_sends : x->n_receives;

        column_of (x, i)[where == 0 ? 0 : n - 1] = 1000000;
        assert_found_out (exchanges->run);
      }
}

#define N_ASIDES 5

/* Requests, and records of threads, as a reader that knows them leaves them. */
static void
add_asides (KymoSegment *segment)
{
  KymoExchange *x = segment->exchange;
  guint32 *times = g_new (guint32, N_ASIDES);

  x->send_request = g_new0 (guint32, x->n_sends);
  x->send_request[0] = 1;
  x->receive_request = g_new0 (guint32, x->n_receives);
  x->receive_request[x->n_receives - 1] = 2;
  segment->n_asides = N_ASIDES;
  segment->aside_time = times;
  segment->aside_block = g_new (guint32, N_ASIDES);
  segment->aside_number = g_new (guint32, N_ASIDES);
  segment->aside_comm = g_new (guint32, N_ASIDES);
  segment->aside_op = g_new (guint8, N_ASIDES);
  for (guint i = 0; i < N_ASIDES; i++)
    {
      times[i] = ((guint32 *) segment->send_time)[0] + i;
      segment->aside_block[i] = i == 0 ? KYMO_NO_BLOCK : 0;
      segment->aside_number[i] = i;
      segment->aside_comm[i] = 10 * i;
      segment->aside_op[i] = i == 0 ? KYMO_ASIDE_FORK : KYMO_ASIDE_POSTED;
    }
}

static void
test_asides (void)
{
  g_autoptr (Exchanges) exchanges = make ();
  KymoSegment *segment = g_ptr_array_index (exchanges->run->segments, 1), *kept;
  g_autoptr (KymoRun) back = NULL;
  int fd;

  g_assert_false (segment->wide);
  add_asides (segment);
  g_assert_true (write_run (exchanges->run, &fd));
  back = read_run (fd);
  close (fd);
  g_assert_nonnull (back);
  kept = g_ptr_array_index (back->segments, 1);
  g_assert_true (kymo_segment_use (kept, KYMO_PARTS_ALL));
  g_assert_cmpmem (kept->exchange->send_request, 4 * kept->n_sends,
                   segment->exchange->send_request, 4 * segment->n_sends);
  g_assert_cmpmem (kept->exchange->receive_request, 4 * kept->exchange->n_receives,
                   segment->exchange->receive_request, 4 * segment->exchange->n_receives);
  g_assert_cmpuint (kept->n_asides, ==, N_ASIDES);
  for (guint i = 0; i < N_ASIDES; i++)
    {
      g_assert_cmpint (kymo_segment_aside_time (kept, i), ==, kymo_segment_aside_time (segment, i));
      g_assert_cmpuint (kept->aside_block[i], ==, segment->aside_block[i]);
      g_assert_cmpuint (kept->aside_number[i], ==, i);
      g_assert_cmpuint (kept->aside_comm[i], ==, 10 * i);
      g_assert_cmpuint (kept->aside_op[i], ==, segment->aside_op[i]);
    }
  kept = g_ptr_array_index (back->segments, 0);
  g_assert_true (kept->n_asides == 0 && kept->exchange->send_request == NULL);
  segment->aside_block[N_ASIDES - 1] = 1000000;
  assert_found_out (exchanges->run);
}

/* What leads nowhere does so on both sides. */
static void
test_half_matches (void)
{
  g_autoptr (Exchanges) exchanges = make ();
  KymoSegment *segment = g_ptr_array_index (exchanges->run->segments, 1);

  segment->exchange->send_location[0] = KYMO_UNMATCHED;
  segment->exchange->send_receive[0] = 0;
  assert_found_out (exchanges->run);
}

/* Not all of it is known yet, or has a place: read anew each time. */
static void
test_not_kept (void)
{
  g_autoptr (Exchanges) exchanges = make ();
  KymoSegment *segment = g_ptr_array_index (exchanges->run->segments, 1);
  int fd;

  kymo_exchange_free_matches (segment->exchange);
  g_assert_false (write_run (exchanges->run, &fd));
  kymo_run_match_exchanges (exchanges->run, 1, NULL);
  g_assert_true (write_run (exchanges->run, &fd));
  close (fd);
  exchanges->run->growing = TRUE;
  g_assert_false (write_run (exchanges->run, &fd));
  exchanges->run->growing = FALSE;
  g_array_index (exchanges->run->collectives->members, KymoCollectiveMember, 1).end_ns
    = G_MAXINT64;
  g_assert_false (write_run (exchanges->run, &fd));
}

/* What the files tell of collectives may be that there are none: they are not inferred
   then, as where they tell nothing. */
static void
test_no_collectives (void)
{
  g_autoptr (Exchanges) exchanges = make ();

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (KymoRun) back = NULL;
      int fd;

      g_clear_pointer (&exchanges->run->collectives, kymo_collectives_free);
      if (i == 0)
        exchanges->run->collectives = kymo_collectives_new ();
      g_assert_true (write_run (exchanges->run, &fd));
      back = read_run (fd);
      close (fd);
      g_assert_nonnull (back);
      g_assert_true ((back->collectives != NULL) == (i == 0));
    }
}

static void
change_collectives (KymoCollectives *c,
                    guint            i)
{
  KymoCollective *last = &g_array_index (c->list, KymoCollective, c->list->len - 1);
  KymoCollectiveMember *members = &g_array_index (c->members, KymoCollectiveMember, last->first);

  switch (i)
    {
    case 0:
      last->activity = EXCHANGES_N_FUNCTIONS;
      break;
    case 1:
      last->kind = KYMO_COLLECTIVE_OTHER + 1;
      break;
    case 2:
      last->root = 8;
      break;
    case 3:
      last->root = -2;
      break;
    case 4:
      last->received_bytes = -2;
      break;
    case 5:
      members[last->n_members - 1].location = 8;
      break;
    case 6:
      members[1].location = members[0].location;
      break;
    case 7:
      members[0].end_ns = members[0].begin_ns - 1;
      break;
    default:
      last->n_members = 0;
      break;
    }
}

static void
test_collective_deceit (void)
{
  for (guint i = 0; i < 9; i++)
    {
      g_autoptr (Exchanges) exchanges = make ();

      change_collectives (exchanges->run->collectives, i);
      assert_found_out (exchanges->run);
    }
}

/* Any byte: the answer is the same, or there is none. */
static void
test_damage (void)
{
  g_autoptr (Exchanges) exchanges = make ();
  g_autofree char *truth = ask (exchanges->run, 2);
  guint n_refused = 0, n = 0;
  guint8 *bytes;
  gsize length;
  int fd;

  g_assert_true (write_run (exchanges->run, &fd));
  length = lseek (fd, 0, SEEK_END);
  bytes = mmap (NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  for (gsize i = 0; i < length; i += STEP)
    {
      g_autoptr (KymoRun) back = NULL;
      g_autofree char *answer = NULL;

      bytes[i] ^= 1 << (i % 8);
      back = read_run (fd);
      answer = back != NULL ? ask (back, 2) : NULL;
      n++;
      n_refused += answer == NULL;
      if (answer != NULL)
        g_assert_cmpstr (answer, ==, truth);
      g_clear_pointer (&back, kymo_run_unref);
      bytes[i] ^= 1 << (i % 8);
    }
  g_assert_cmpuint (n_refused, >, n / 2);
  munmap (bytes, length);
  close (fd);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exchange-cache/round-trip", test_round_trip);
  g_test_add_func ("/exchange-cache/in-the-making", test_in_the_making);
  g_test_add_func ("/exchange-cache/deceit", test_deceit);
  g_test_add_func ("/exchange-cache/asides", test_asides);
  g_test_add_func ("/exchange-cache/half-matches", test_half_matches);
  g_test_add_func ("/exchange-cache/not-kept", test_not_kept);
  g_test_add_func ("/exchange-cache/no-collectives", test_no_collectives);
  g_test_add_func ("/exchange-cache/collective-deceit", test_collective_deceit);
  g_test_add_func ("/exchange-cache/damage", test_damage);
  return g_test_run ();
}
