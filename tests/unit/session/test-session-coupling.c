/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSessionCoupling: after any gesture in any of several sessions all show the
 * same stretch, to the nanosecond, and have the same history, on one scale and on
 * scales of their own; nothing runs in circles and nothing drifts.
 */
#include "config.h"

#include "kymo-session-coupling.h"
#include "kymo-session-messages.h"
#include "kymo-session-profile.h"

#include <math.h>
#include <string.h>

#define N_RUNS 3
#define MS G_GINT64_CONSTANT (1000000)

/* -- a source ------------------------------------------------------------- */

#define TWIN_TYPE_SOURCE (twin_source_get_type ())
G_DECLARE_FINAL_TYPE (TwinSource, twin_source, TWIN, SOURCE, GObject)

struct _TwinSource
{
  GObject          parent_instance;
  KymoSpan         span;
  KymoCapabilities can;
  KymoTerms        terms;
};

static KymoTable *
twin_source_ask (KymoSource *source, KymoQuestion *question,
                 GCancellable *cancellable, GError **error)
{
  return kymo_table_new (KYMO_STYLE_OBJECT);
}

static KymoCapabilities
twin_source_get_capabilities (KymoSource *source)
{
  return TWIN_SOURCE (source)->can;
}

static KymoSpan
twin_source_get_span (KymoSource *source)
{
  return TWIN_SOURCE (source)->span;
}

static char *
twin_source_dup_title (KymoSource *source)
{
  return g_strdup ("test");
}

static KymoTerms
twin_source_get_terms (KymoSource *source)
{
  return TWIN_SOURCE (source)->terms;
}

static void
twin_source_iface (KymoSourceInterface *iface)
{
  iface->ask = twin_source_ask;
  iface->get_capabilities = twin_source_get_capabilities;
  iface->get_span = twin_source_get_span;
  iface->dup_title = twin_source_dup_title;
  iface->get_terms = twin_source_get_terms;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TwinSource, twin_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      twin_source_iface))

static void
twin_source_class_init (TwinSourceClass *klass)
{
}

static void
twin_source_init (TwinSource *self)
{
  self->can = KYMO_CAN_INTERVALS | KYMO_CAN_PROFILE | KYMO_CAN_ROWS
              | KYMO_CAN_BINNED_TIME;
}

/* -- the sessions --------------------------------------------------------- */

static const KymoSpan spans[N_RUNS] = {
  { 0, 2110377 * 1000 }, { -3, 3000000001 }, { 17, 701 * MS + 5 },
};

typedef struct
{
  KymoSessionCoupling *coupling;
  TwinSource          *sources[N_RUNS + 1];
  guint                told[N_RUNS + 1];     /* "range-changed" */
  guint                chosen[N_RUNS + 1];   /* "selection-changed" */
  guint                ranged, selected;     /* where a gesture last changed that */
} Desk;

static void
count (KymoSession *session, guint *told)
{
  (*told)++;
}

static KymoSession *
session_at (Desk *desk, guint i)
{
  return kymo_session_coupling_peek (desk->coupling, i);
}

static void
desk_open (Desk *desk)
{
  g_autoptr (KymoSession) first = NULL;

  *desk = (Desk) { NULL };
  for (guint i = 0; i <= N_RUNS; i++)
    {
      desk->sources[i] = g_object_new (TWIN_TYPE_SOURCE, NULL);
      desk->sources[i]->span = spans[i == 0 ? 0 : i - 1];
    }
  first = kymo_session_new (KYMO_SOURCE (desk->sources[0]));
  desk->coupling = kymo_session_coupling_new (first);
  for (guint i = 1; i <= N_RUNS; i++)
    kymo_session_coupling_add (desk->coupling, KYMO_SOURCE (desk->sources[i]));
  for (guint i = 0; i <= N_RUNS; i++)
    g_signal_connect (session_at (desk, i), "range-changed", G_CALLBACK (count),
                      &desk->told[i]);
  for (guint i = 0; i <= N_RUNS; i++)
    g_signal_connect (session_at (desk, i), "selection-changed", G_CALLBACK (count),
                      &desk->chosen[i]);
}

static void
desk_close (Desk *desk)
{
  g_object_unref (desk->coupling);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  for (guint i = 0; i <= N_RUNS; i++)
    g_object_unref (desk->sources[i]);
}

static void
assert_span (KymoSpan got, gint64 begin_ns, gint64 end_ns)
{
  g_assert_cmpint (got.begin_ns, ==, begin_ns);
  g_assert_cmpint (got.end_ns, ==, end_ns);
}

static KymoSpan
mapped (Desk *desk, guint from, guint to, KymoSpan span)
{
  return (KymoSpan) {
    kymo_session_coupling_map (desk->coupling, from, to, span.begin_ns),
    kymo_session_coupling_map (desk->coupling, from, to, span.end_ns)
  };
}

static void
assert_selected (Desk *desk, guint i)
{
  KymoSpan selection, other;
  gboolean has = kymo_session_get_selection (session_at (desk, desk->selected),
                                             &selection);

  g_assert_true (kymo_session_get_selection (session_at (desk, i), &other) == has);
  if (!has)
    return;
  selection = mapped (desk, desk->selected, i, selection);
  assert_span (other, selection.begin_ns, selection.end_ns);
}

/* All show what that one shows where the last gesture was, and can go as far back
   and forward. */
static void
assert_coupled (Desk *desk)
{
  KymoSession *lead = session_at (desk, desk->ranged);
  KymoSpan range = kymo_session_get_range (lead), there;
  guint depth, its;

  g_object_get (lead, "history-depth", &depth, NULL);
  for (guint i = 0; i <= N_RUNS; i++)
    {
      KymoSession *session = session_at (desk, i);
      gint64 ahead = kymo_session_coupling_get_offset (desk->coupling, i)
                     - kymo_session_coupling_get_offset (desk->coupling, desk->ranged);

      there = mapped (desk, desk->ranged, i, range);
      assert_span (kymo_session_get_range (session), there.begin_ns, there.end_ns);
      if (kymo_session_coupling_get_shared (desk->coupling))
        assert_span (there, range.begin_ns + ahead, range.end_ns + ahead);
      g_object_get (session, "history-depth", &its, NULL);
      g_assert_cmpuint (its, ==, depth);
      g_assert_true (kymo_session_can_forward (session)
                     == kymo_session_can_forward (lead));
      assert_selected (desk, i);
    }
}

/* -- gestures ------------------------------------------------------------- */

static KymoSpan
random_span (GRand *rand, KymoSpan full)
{
  gint64 length = kymo_span_length (full);
  gint64 a = full.begin_ns + g_rand_double (rand) * length;
  gint64 b = full.begin_ns + g_rand_double (rand) * length;

  return (KymoSpan) { MIN (a, b), MAX (a, b) };
}

static void
gesture (KymoSession *session, GRand *rand)
{
  KymoSpan full = kymo_session_get_full_range (session);
  KymoSpan range = kymo_session_get_range (session);
  KymoSpan span = random_span (rand, full);

  switch (g_rand_int_range (rand, 0, 9))
    {
    case 0:
      kymo_session_zoom (session, random_span (rand, range).begin_ns,
                         exp2 (g_rand_double_range (rand, -3, 3)));
      break;
    case 1:
      kymo_session_pan (session, g_rand_double_range (rand, -1, 1));
      break;
    case 2:
      kymo_session_set_range (session, span, TRUE);
      break;
    case 3:
      kymo_session_set_range (session, span, FALSE);
      break;
    case 4:
      kymo_session_fit (session);
      break;
    case 5:
      kymo_session_back (session);
      break;
    case 6:
      kymo_session_forward (session);
      break;
    case 7:
      kymo_session_set_selection (session, g_rand_boolean (rand) ? &span : NULL);
      break;
    default:
      kymo_session_escape (session);
    }
}

/* Another scale, or another place on it; or a gesture of one of them. */
static void
change (Desk *desk, GRand *rand)
{
  guint from = g_rand_int_range (rand, 0, N_RUNS + 1);
  gint64 offset_ns = g_rand_int_range (rand, -900, 900) * MS / 7;

  switch (g_rand_int_range (rand, 0, 40))
    {
    case 0:
      kymo_session_coupling_set_offset (desk->coupling, MAX (from, 1), offset_ns);
      from = 0;
      break;
    case 1:
      kymo_session_coupling_set_shared (desk->coupling, g_rand_boolean (rand));
      from = 0;
      break;
    default:
      gesture (session_at (desk, from), rand);
      desk->selected = desk->chosen[from] > 0 ? from : desk->selected;
      desk->ranged = desk->told[from] > 0 ? from : desk->ranged;
      return;
    }
  /* The first one stays, and is what the others show from now on. */
  if (desk->told[0] > 0)
    desk->ranged = desk->selected = 0;
}

static void
test_gestures (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261122);
  Desk desk;

  desk_open (&desk);
  for (guint round = 0; round < 4000; round++)
    {
      memset (desk.told, 0, sizeof desk.told);
      memset (desk.chosen, 0, sizeof desk.chosen);
      change (&desk, rand);
      assert_coupled (&desk);
      /* Once for the range, and once more where the scale is another. */
      for (guint i = 0; i <= N_RUNS; i++)
        g_assert_cmpuint (desk.told[i], <=, 2);
    }
  desk_close (&desk);
}

/* Gestures that undo each other leave all where they were, whoever made them. */
static void
test_no_drift (void)
{
  KymoSpan begin[N_RUNS + 1];
  Desk desk;

  desk_open (&desk);
  kymo_session_coupling_set_offset (desk.coupling, 2, 123456789);
  kymo_session_set_range (session_at (&desk, 1), (KymoSpan) { 1000 * MS, 1300 * MS + 1 },
                          TRUE);
  for (guint i = 0; i <= N_RUNS; i++)
    begin[i] = kymo_session_get_range (session_at (&desk, i));
  for (guint round = 0; round < 300; round++)
    {
      KymoSession *one = session_at (&desk, round % (N_RUNS + 1));
      KymoSession *other = session_at (&desk, (round * 7 + 3) % (N_RUNS + 1));
      KymoSpan range = kymo_session_get_range (one);

      kymo_session_set_range (one, (KymoSpan) { range.begin_ns + 77, range.end_ns + 77 },
                              FALSE);
      range = kymo_session_get_range (other);
      kymo_session_set_range (other, (KymoSpan) { range.begin_ns - 77,
                                                  range.end_ns - 77 }, FALSE);
    }
  for (guint i = 0; i <= N_RUNS; i++)
    assert_span (kymo_session_get_range (session_at (&desk, i)), begin[i].begin_ns,
                 begin[i].end_ns);
  desk_close (&desk);
}

/* On one scale the axis holds all runs, wherever they lie on it. */
static void
test_bounds (void)
{
  Desk desk;

  desk_open (&desk);
  assert_span (kymo_session_get_full_range (session_at (&desk, 0)), -3, 3000000001);
  kymo_session_coupling_set_offset (desk.coupling, 1, 500 * MS);
  assert_span (kymo_session_get_full_range (session_at (&desk, 0)), -500 * MS, 3000000001);
  assert_span (kymo_session_get_full_range (session_at (&desk, 1)), 0, 3500 * MS + 1);
  assert_span (kymo_session_get_range (session_at (&desk, 1)), 0, 3500 * MS + 1);
  g_assert_cmpint (kymo_session_coupling_map (desk.coupling, 1, 2, 600 * MS), ==, 100 * MS);
  kymo_session_coupling_set_shared (desk.coupling, FALSE);
  for (guint i = 1; i <= N_RUNS; i++)
    {
      KymoSpan full = kymo_session_get_full_range (session_at (&desk, i));

      assert_span (full, spans[i - 1].begin_ns, spans[i - 1].end_ns);
      assert_span (kymo_session_get_range (session_at (&desk, i)), full.begin_ns,
                   full.end_ns);
    }
  desk_close (&desk);
}

/* A step back in one picture is a step back in all, also when it was made in another. */
static void
test_history (void)
{
  KymoSpan full[N_RUNS + 1];
  Desk desk;

  desk_open (&desk);
  for (guint i = 0; i <= N_RUNS; i++)
    full[i] = kymo_session_get_range (session_at (&desk, i));
  kymo_session_set_range (session_at (&desk, 1), (KymoSpan) { 0, 100 * MS }, TRUE);
  kymo_session_set_range (session_at (&desk, 3), (KymoSpan) { 10 * MS, 20 * MS }, TRUE);
  g_assert_true (kymo_session_back (session_at (&desk, 2)));
  assert_span (kymo_session_get_range (session_at (&desk, 1)), 0, 100 * MS);
  g_assert_true (kymo_session_back (session_at (&desk, 0)));
  for (guint i = 0; i <= N_RUNS; i++)
    {
      assert_span (kymo_session_get_range (session_at (&desk, i)), full[i].begin_ns,
                   full[i].end_ns);
      g_assert_false (kymo_session_can_back (session_at (&desk, i)));
    }
  g_assert_true (kymo_session_forward (session_at (&desk, 3)));
  assert_span (kymo_session_get_range (session_at (&desk, 1)), 0, 100 * MS);
  desk_close (&desk);
}

static void
test_names (void)
{
  static const char *const names[] = { "Work::step", "Main::start", NULL };
  Desk desk;

  desk_open (&desk);
  kymo_session_coupling_set_names (desk.coupling, names, NULL);
  g_assert_true (g_strv_equal (kymo_session_peek_names (session_at (&desk, 2)), names));
  g_assert_true (kymo_session_peek_colors (session_at (&desk, 1))
                 == kymo_session_peek_colors (session_at (&desk, 3)));
  kymo_session_set_hidden (session_at (&desk, 1), "Work::step", TRUE);
  g_assert_true (kymo_session_is_hidden (session_at (&desk, 2), "Work::step"));
  kymo_session_set_hovered (session_at (&desk, 3), "Main::start");
  g_assert_cmpstr (kymo_session_peek_hovered (session_at (&desk, 0)), ==, "Main::start");
  kymo_session_set_function (session_at (&desk, 2), "Work::step");
  g_assert_cmpstr (kymo_session_peek_function (session_at (&desk, 1)), ==, "Work::step");
  /* blocks and markers are of one run */
  kymo_session_set_block (session_at (&desk, 1), 3, 5);
  g_assert_false (kymo_session_get_block (session_at (&desk, 2), NULL, NULL));
  kymo_session_put_marker (session_at (&desk, 1), 5);
  g_assert_false (kymo_session_get_marker (session_at (&desk, 2), 0, NULL));
  desk_close (&desk);
}

/* A run without a time axis neither moves nor is in the way. */
static void
test_timeless (void)
{
  g_autoptr (TwinSource) source = g_object_new (TWIN_TYPE_SOURCE, NULL);
  KymoSession *session;
  KymoSpan before;
  Desk desk;

  desk_open (&desk);
  source->can = KYMO_CAN_PROFILE | KYMO_CAN_METRICS;
  session = kymo_session_coupling_add (desk.coupling, KYMO_SOURCE (source));
  before = kymo_session_get_range (session);
  kymo_session_set_range (session_at (&desk, 1), (KymoSpan) { 5 * MS, 5 * MS + 1 }, TRUE);
  g_assert_cmpint (kymo_span_length (kymo_session_get_range (session_at (&desk, 2))), ==,
                   1000);
  assert_span (kymo_session_get_range (session), before.begin_ns, before.end_ns);
  desk_close (&desk);
}

static const char *
tag_asked (KymoSession *session)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("messages");

  kymo_session_prepare_messages (session, question);
  return g_intern_string (kymo_question_get (question, "tag"));
}

/* The sessions have one tag between them; a run whose messages have none knows of none. */
static void
test_tags (void)
{
  Desk desk;

  desk_open (&desk);
  desk.sources[1]->terms.code = desk.sources[3]->terms.code = KYMO_CODE_FUNCTION;
  kymo_session_set_message_tag (session_at (&desk, 1), 7);
  kymo_session_set_message_tag (session_at (&desk, 2), 5);
  kymo_session_set_message_tag (session_at (&desk, 2), -1);
  g_assert_cmpint (kymo_session_get_message_tag (session_at (&desk, 1)), ==, 7);
  g_assert_cmpint (kymo_session_get_message_tag (session_at (&desk, 2)), ==, -1);
  g_assert_cmpstr (tag_asked (session_at (&desk, 1)), ==, "7");
  g_assert_null (tag_asked (session_at (&desk, 2)));
  g_assert_cmpstr (tag_asked (session_at (&desk, 3)), ==, "7");
  desk_close (&desk);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-coupling/gestures", test_gestures);
  g_test_add_func ("/session-coupling/no-drift", test_no_drift);
  g_test_add_func ("/session-coupling/bounds", test_bounds);
  g_test_add_func ("/session-coupling/history", test_history);
  g_test_add_func ("/session-coupling/names", test_names);
  g_test_add_func ("/session-coupling/timeless", test_timeless);
  g_test_add_func ("/session-coupling/tags", test_tags);
  return g_test_run ();
}
