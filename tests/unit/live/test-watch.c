/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions as text and back, and the watch against its slow twin: one that
 * keeps every bin and adds all of them up for every stretch.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-watch.h"

#define S_NS G_GINT64_CONSTANT (1000000000)
#define MS_NS G_GINT64_CONSTANT (1000000)
#define N_BINS 1000
#define OTHER KYMO_STREAM_OTHER_ID

static void
test_text (void)
{
  static const struct { const char *text, *printed; } good[] = {
    { "below 20% for 5s", "below 20% for 5s" },
    { "  BELOW 12.5 %  for 500ms ", "below 12.5% for 500ms" },
    { "above 80% for 3s Cell::run", "above 80% for 3s Cell::run" },
    { "above 0% for 1ms", "above 0% for 1ms" },
    { "above 33.3% for 1.5s  Main::done (int, a b) ",
      "above 33.3% for 1.5s Main::done (int, a b)" },
    { "silent 10s", "silent 10s" },
    { "silent for 2min", "silent 120s" },
    { "lowest load below 20% for 5s", "lowest load below 20% for 5s" },
    { " Highest MEMORY above 2GB for 1s", "highest memory above 2000000000B for 1s" },
    { "mean run-delay above 1.5ms for 1s", "mean run-delay above 1.5ms for 1s" },
    { "mean page-faults below 12 for 1min", "mean page-faults below 12 for 60s" },
    { "highest pressure-io above 12.3456 % for 2s", "highest pressure-io above 12.3456% for 2s" },
  };
  static const char *const bad[] = {
    "", "below", "below 20% for", "below 20 for 5s", "below 20% 5s", "below x% for 5s",
    "below 20% for 5s Cell::run", "below 0% for 5s", "below 101% for 5s", "below nan% for 5s",
    "below inf% for 5s", "above 100% for 5s", "above -1% for 5s", "silent", "silent 0s",
    "silent -1s", "silent 25h", "silent 10s more", "beneath 20% for 5s", "below 20% for 5",
    "lowest", "lowest load", "lowest load silent 5s", "lowest noise below 3 for 5s",
    "lowest load below 3 for 5s", "lowest load below 101% for 5s", "mean memory above 5% for 1s",
    "mean messages above 1.5 for 1s", "mean messages above -1 for 1s",
    "highest memory above 2GB for 5s more",
    "highest memory above 2GB for 25h", "highest memory above 99999999TB for 5s",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KymoCondition) condition = kymo_condition_parse (good[i].text, &error);
      g_autofree char *printed = NULL;

      g_assert_no_error (error);
      printed = kymo_condition_to_string (condition);
      g_assert_cmpstr (printed, ==, good[i].printed);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kymo_condition_parse (bad[i], &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
    }
}

static void
test_round_trip (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 2000; i++)
    {
      KymoConditionKind kind = i % 3;
      double share = kind == KYMO_CONDITION_SILENT ? 0 : g_rand_double_range (random, 1e-6, 1);
      gint64 ns = MS_NS + g_rand_int (random) * (gint64) g_rand_int_range (random, 1, 20000);
      g_autoptr (KymoCondition) one = kymo_condition_new (kind, share, ns, i % 2 ? "A::b c" : "");
      g_autoptr (KymoCondition) copy = kymo_condition_copy (one);
      g_autofree char *text = kymo_condition_to_string (copy);
      g_autoptr (KymoCondition) two = kymo_condition_parse (text, NULL);

      g_assert_nonnull (two);
      g_assert_cmpint (two->kind, ==, kind);
      g_assert_true (two->share == share);
      g_assert_cmpint (two->for_ns, ==, ns);
      g_assert_cmpstr (two->name, ==, one->name);
    }
}

/* --- A stream by hand --- */

typedef struct
{
  KymoStreamBlock block;
  GPtrArray      *told;         /* char *: "begin sentence" */
  gboolean        renamed;
} Stream;

static void
told_cb (const KymoCondition *condition,
         gint64               begin_ns,
         const char          *sentence,
         gpointer             data)
{
  Stream *stream = data;

  g_ptr_array_add (stream->told, g_strdup_printf ("%" G_GINT64_FORMAT "ms %s",
                                                  begin_ns / MS_NS, sentence));
}

/* 5 and 6 are two entry methods of one name. */
static char *
name_cb (gint64   id,
         gpointer data)
{
  Stream *stream = data;

  if (stream->renamed && id == 3)
    return g_strdup ("Late::name");
  return id == 5 || id == 6 ? g_strdup ("Twin::run")
         : g_strdup_printf ("entry %" G_GINT64_FORMAT, id);
}

static void
stream_init (Stream *stream)
{
  guint32 zero = 0;

  memset (stream, 0, sizeof *stream);
  stream->block.n_pes = 4;
  stream->block.offsets = g_array_new (FALSE, FALSE, sizeof (guint32));
  stream->block.ids = g_array_new (FALSE, FALSE, sizeof (gint32));
  stream->block.ns = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (stream->block.offsets, zero);
  stream->told = g_ptr_array_new_with_free_func (g_free);
}

static void
stream_clear (Stream *stream)
{
  g_array_unref (stream->block.offsets);
  g_array_unref (stream->block.ids);
  g_array_unref (stream->block.ns);
  g_ptr_array_unref (stream->told);
}

static void
begin_block (Stream *stream)
{
  g_array_set_size (stream->block.offsets, 1);
  g_array_set_size (stream->block.ids, 0);
  g_array_set_size (stream->block.ns, 0);
  stream->block.n_bins = stream->block.n_records = 0;
}

static void
add_record (Stream *stream,
            gint32  id,
            guint32 ns)
{
  g_array_append_val (stream->block.ids, id);
  g_array_append_val (stream->block.ns, ns);
  stream->block.n_records++;
}

static void
end_bin (Stream *stream)
{
  guint32 n = stream->block.ids->len;

  g_array_append_val (stream->block.offsets, n);
  stream->block.n_bins++;
}

/* All bins alike: `percent` of each id. */
static void
put_block (KymoWatch *watch,
           Stream    *stream,
           gint64     second,
           gint32     id,
           guint      percent,
           gint32     id2,
           guint      percent2)
{
  begin_block (stream);
  for (guint bin = 0; bin < N_BINS; bin++)
    {
      if (percent > 0)
        add_record (stream, id, percent * 10000);
      if (percent2 > 0)
        add_record (stream, id2, percent2 * 10000);
      end_bin (stream);
    }
  kymo_watch_block (watch, &stream->block, second * S_NS, second * 1000000);
}

static void
set (KymoWatch  *watch,
     const char *first,
     const char *second)
{
  g_autoptr (GPtrArray) conditions =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_condition_free);

  g_ptr_array_add (conditions, kymo_condition_parse (first, NULL));
  g_assert_nonnull (conditions->pdata[0]);
  if (second != NULL)
    g_ptr_array_add (conditions, kymo_condition_parse (second, NULL));
  kymo_watch_set_conditions (watch, conditions);
}

static void
expect (Stream     *stream,
        const char *told)
{
  g_autofree char *all = NULL;

  g_ptr_array_add (stream->told, NULL);
  all = g_strjoinv ("\n", (char **) stream->told->pdata);
  g_assert_cmpstr (all, ==, told);
  g_ptr_array_set_size (stream->told, 0);
}

static void
test_below (void)
{
  g_autoptr (KymoWatch) watch = NULL;
  Stream stream;

  stream_init (&stream);
  watch = kymo_watch_new (told_cb, name_cb, &stream);
  set (watch, "below 20% for 3s", NULL);
  for (guint s = 0; s < 2; s++)
    put_block (watch, &stream, s, 1, 11, 0, 0);
  expect (&stream, "");
  put_block (watch, &stream, 2, 1, 11, 0, 0);
  expect (&stream, "0ms Utilization was below 20 % for 3 s (11 %)");
  put_block (watch, &stream, 3, 1, 5, 0, 0);    /* still: not told again */
  expect (&stream, "");
  put_block (watch, &stream, 4, 1, 90, 0, 0);   /* (5 + 11 + 90) / 3 is above in the end, */
  put_block (watch, &stream, 5, 1, 90, 0, 0);   /* and here all the time: armed again */
  for (guint s = 6; s < 8; s++)
    put_block (watch, &stream, s, 1, 0, 0, 0);
  expect (&stream, "");
  put_block (watch, &stream, 8, 1, 0, 0, 0);
  expect (&stream, "6000ms Utilization was below 20 % for 3 s (0 %)");
  /* Exactly at the limit is not below. */
  put_block (watch, &stream, 20, 1, 20, 0, 0);
  for (guint s = 21; s < 26; s++)
    put_block (watch, &stream, s, 1, 20, 0, 0);
  expect (&stream, "");
  stream_clear (&stream);
}

static void
test_lost (void)
{
  g_autoptr (KymoWatch) watch = NULL;
  Stream stream;

  stream_init (&stream);
  watch = kymo_watch_new (told_cb, name_cb, &stream);
  set (watch, "below 20% for 3s", NULL);
  put_block (watch, &stream, 0, 1, 0, 0, 0);
  put_block (watch, &stream, 1, 1, 0, 0, 0);
  put_block (watch, &stream, 3, 1, 0, 0, 0);    /* second 2 was lost */
  put_block (watch, &stream, 4, 1, 0, 0, 0);
  expect (&stream, "");
  put_block (watch, &stream, 5, 1, 0, 0, 0);
  expect (&stream, "3000ms Utilization was below 20 % for 3 s (0 %)");
  for (guint s = 7; s < 12; s++)                /* a loss alone arms nothing */
    put_block (watch, &stream, s, 1, 0, 0, 0);
  expect (&stream, "");
  for (guint s = 0; s < 3; s++)                 /* another stream does */
    put_block (watch, &stream, s, 1, 0, 0, 0);
  expect (&stream, "0ms Utilization was below 20 % for 3 s (0 %)");
  stream_clear (&stream);
}

static void
test_above (void)
{
  g_autoptr (KymoWatch) watch = NULL;
  Stream stream;

  stream_init (&stream);
  watch = kymo_watch_new (told_cb, name_cb, &stream);
  set (watch, "above 50% for 1s", NULL);
  put_block (watch, &stream, 0, 1, 50, 2, 50);
  put_block (watch, &stream, 1, OTHER, 100, 0, 0);
  put_block (watch, &stream, 2, KYMO_STREAM_BUSY_ID, 100, 0, 0);
  expect (&stream, "");
  put_block (watch, &stream, 3, 5, 30, 6, 31);  /* one name */
  expect (&stream, "3000ms Twin::run was above 50 % for 1 s (61 %)");
  set (watch, "above 50% for 1s", "above 10% for 1s entry 2");
  put_block (watch, &stream, 4, 1, 9, 2, 80);   /* the first was told of already */
  expect (&stream, "4000ms entry 2 was above 10 % for 1 s (80 %)");
  put_block (watch, &stream, 5, 1, 95, 2, 5);   /* another, but none was not met between */
  expect (&stream, "");
  stream_clear (&stream);
}

static void
test_names (void)
{
  g_autoptr (KymoWatch) watch = NULL;
  Stream stream;

  stream_init (&stream);
  watch = kymo_watch_new (told_cb, name_cb, &stream);
  set (watch, "above 50% for 2s Late::name", NULL);
  for (guint s = 0; s < 3; s++)
    put_block (watch, &stream, s, 3, 90, 0, 0);
  expect (&stream, "");
  stream.renamed = TRUE;
  kymo_watch_names_changed (watch);
  put_block (watch, &stream, 3, 3, 90, 0, 0);
  expect (&stream, "");
  put_block (watch, &stream, 4, 3, 90, 0, 0);
  expect (&stream, "3000ms Late::name was above 50 % for 2 s (90 %)");
  stream_clear (&stream);
}

/* A condition on an id goes on where the id gets a name. */
static void
test_id_named (void)
{
  g_autoptr (KymoWatch) watch = NULL;
  Stream stream;

  stream_init (&stream);
  watch = kymo_watch_new (told_cb, name_cb, &stream);
  set (watch, "above 50% for 2s entry 3", NULL);
  stream.renamed = TRUE;
  kymo_watch_names_changed (watch);
  for (guint s = 0; s < 2; s++)
    put_block (watch, &stream, s, 3, 90, 4, 5);
  expect (&stream, "0ms Late::name was above 50 % for 2 s (90 %)");
  put_block (watch, &stream, 2, 4, 90, 0, 0);
  expect (&stream, "");
  stream_clear (&stream);
}

static void
test_silent (void)
{
  g_autoptr (KymoWatch) watch = NULL;
  const gint64 s = 1000000;
  Stream stream;

  stream_init (&stream);
  watch = kymo_watch_new (told_cb, name_cb, &stream);
  set (watch, "silent 10s", NULL);
  kymo_watch_tick (watch, 0, FALSE);
  kymo_watch_tick (watch, 100 * s, FALSE);
  kymo_watch_tick (watch, 101 * s, TRUE);       /* counted from here */
  kymo_watch_tick (watch, 110 * s, TRUE);
  expect (&stream, "");
  kymo_watch_tick (watch, 111 * s, TRUE);
  expect (&stream, "0ms No new block for 10 s: the program may hang");
  kymo_watch_tick (watch, 200 * s, TRUE);
  expect (&stream, "");
  put_block (watch, &stream, 200, 1, 1, 0, 0);
  kymo_watch_tick (watch, 201 * s, TRUE);
  kymo_watch_tick (watch, 209 * s, TRUE);
  kymo_watch_tick (watch, 209 * s, FALSE);      /* the connection was lost */
  kymo_watch_tick (watch, 300 * s, FALSE);
  kymo_watch_tick (watch, 301 * s, TRUE);
  expect (&stream, "");
  kymo_watch_tick (watch, 250 * s, TRUE);       /* the clock was set back */
  kymo_watch_tick (watch, 259 * s, TRUE);
  expect (&stream, "");
  kymo_watch_tick (watch, 260 * s, TRUE);
  expect (&stream, "201000ms No new block for 10 s: the program may hang");
  stream_clear (&stream);
}

/* --- The slow twin --- */

#define TWIN_IDS 8

typedef struct
{
  GArray *bins;                 /* gint64[TWIN_IDS] each, since the last gap */
  gboolean met;
} Twin;

/* Figure of a stretch: of all ids, or of the two that share a name, … */
static gint64
twin_sum (const Twin          *twin,
          const KymoCondition *condition,
          guint                begin,
          guint                end,
          guint                group)
{
  gint64 sum = 0;

  for (guint bin = begin; bin < end; bin++)
    for (guint id = 0; id < TWIN_IDS; id++)
      {
        gint64 ns = g_array_index (twin->bins, gint64, bin * TWIN_IDS + id);
        guint of = id == 6 ? 5 : id;

        if (condition->kind == KYMO_CONDITION_BELOW)
          sum += ns;
        else if (id != 7 && of == group)        /* 7 stands for "other" */
          sum += ns;
      }
  return sum;
}

static gboolean
twin_stretch_meets (const Twin          *twin,
                    const KymoCondition *condition,
                    guint                begin,
                    guint                end)
{
  gint64 limit = llround (condition->share * (end - begin) * MS_NS);

  if (condition->kind == KYMO_CONDITION_BELOW)
    return twin_sum (twin, condition, begin, end, 0) < limit;
  for (guint group = 0; group < TWIN_IDS; group++)
    if (condition->name == NULL || (group == 5 && strcmp (condition->name, "Twin::run") == 0))
      if (twin_sum (twin, condition, begin, end, group) > limit)
        return TRUE;
  return FALSE;
}

/* After the bins of a block were added: whether it is to be told now. */
static gboolean
twin_block (Twin                *twin,
            const KymoCondition *condition,
            guint                n_new)
{
  guint bins = (condition->for_ns + MS_NS - 1) / MS_NS;
  guint step = (bins + 99) / 100, length = (bins + step - 1) / step * step;
  guint n = twin->bins->len / TWIN_IDS;
  gboolean decided = FALSE, met = FALSE, before = twin->met;

  for (guint end = n - n_new + 1; end <= n; end++)
    if (end % step == 0 && end >= length)
      {
        decided = TRUE;
        met |= twin_stretch_meets (twin, condition, end - length, end);
      }
  if (!decided)
    return FALSE;
  twin->met = met;
  return met && !before;
}

/* A stream that is busy and idle by turns, with gaps. Returns how often there
   was something to tell. */
static guint
random_stream (guint32     seed,
               const char *text)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (KymoCondition) condition = kymo_condition_parse (text, NULL);
  g_autoptr (KymoWatch) watch = NULL;
  Twin twin = { g_array_new (FALSE, TRUE, sizeof (gint64)), FALSE };
  guint n_told = 0;
  gint64 second = 0;
  Stream stream;

  stream_init (&stream);
  watch = kymo_watch_new (told_cb, name_cb, &stream);
  set (watch, text, NULL);
  for (guint i = 0; i < 40; i++, second++)
    {
      guint busy = g_rand_int_range (random, 0, 3) * 60000;

      if (g_rand_int_range (random, 0, 12) == 0)
        {
          second++;
          g_array_set_size (twin.bins, 0);
        }
      begin_block (&stream);
      for (guint bin = 0; bin < N_BINS; bin++)
        {
          gint64 of[TWIN_IDS] = { 0 };

          for (guint id = 0; id < TWIN_IDS; id++)
            if (g_rand_int_range (random, 0, 3) == 0)
              {
                of[id] = g_rand_int_range (random, 1, 100000) + busy * (id % 3);
                add_record (&stream, id == 7 ? OTHER : (gint32) id, of[id]);
              }
          end_bin (&stream);
          g_array_append_vals (twin.bins, of, TWIN_IDS);
        }
      kymo_watch_block (watch, &stream.block, second * S_NS, second);
      g_assert_cmpint (stream.told->len, ==, twin_block (&twin, condition, N_BINS));
      n_told += stream.told->len;
      g_ptr_array_set_size (stream.told, 0);
    }
  g_array_unref (twin.bins);
  stream_clear (&stream);
  return n_told;
}

static void
test_twin (void)
{
  static const char *const conditions[] = {
    "below 14% for 1s", "below 15% for 500ms", "below 20% for 1.5s", "below 0.01% for 2ms",
    "below 20% for 3.333s", "above 4% for 500ms", "above 6% for 1.237s", "above 15% for 3ms",
    "above 6% for 700ms Twin::run", "above 5.5% for 4s", "above 3% for 2s nobody",
  };

  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    {
      guint n_told = 0;

      for (guint32 seed = 1; seed <= 6; seed++)
        n_told += random_stream (seed, conditions[i]);
      g_test_message ("%s: %u alarms", conditions[i], n_told);
      g_assert_true ((n_told > 6) == !g_str_has_suffix (conditions[i], "nobody"));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch/text", test_text);
  g_test_add_func ("/watch/round-trip", test_round_trip);
  g_test_add_func ("/watch/below", test_below);
  g_test_add_func ("/watch/lost", test_lost);
  g_test_add_func ("/watch/above", test_above);
  g_test_add_func ("/watch/names", test_names);
  g_test_add_func ("/watch/id-named", test_id_named);
  g_test_add_func ("/watch/silent", test_silent);
  g_test_add_func ("/watch/twin", test_twin);
  return g_test_run ();
}
