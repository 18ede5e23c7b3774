/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSession of a run that grows: following its end, pausing and going live again, and
 * what stops it (test-session.c has the rest of a session).
 */
#include "config.h"

#include "growing.h"

/* The stretch to be filled is visible from the begin on, then it moves. */
static void
test_follows (Growing *desk, gconstpointer data)
{
  int notified = 0, ranges = 0;

  g_signal_connect_swapped (desk->session, "notify::follow",
                            G_CALLBACK (growing_count), &notified);
  kymo_session_set_follow (desk->session, 10 * SECOND);
  g_assert_cmpint (notified, ==, 1);
  growing_assert_range (desk->session, 0, 10 * SECOND);
  g_signal_connect_swapped (desk->session, "range-changed",
                            G_CALLBACK (growing_count), &ranges);
  for (guint i = 2; i <= 10; i++)
    growing_reach (desk, i * SECOND);
  g_assert_cmpint (ranges, ==, 0);
  growing_assert_range (desk->session, 0, 10 * SECOND);
  growing_reach (desk, 13 * SECOND);
  growing_assert_range (desk->session, 3 * SECOND, 13 * SECOND);
  g_assert_cmpint (kymo_session_get_full_range (desk->session).end_ns, ==,
                   13 * SECOND);
  g_assert_false (kymo_session_can_back (desk->session));
  g_assert_cmpint (notified, ==, 1);
}

static void
test_follows_all (Growing *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, KYMO_FOLLOW_ALL);
  growing_assert_range (desk->session, 0, SECOND);
  growing_reach (desk, 40 * SECOND);
  growing_assert_range (desk->session, 0, 40 * SECOND);
  kymo_session_zoom (desk->session, 0, 0.5);
  g_assert_true (kymo_session_get_follow (desk->session) == KYMO_FOLLOW_ALL);
}

/* Also where what is visible is all there is. */
static void
test_pause (Growing *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  growing_reach (desk, 4 * SECOND);
  kymo_session_set_follow (desk->session, 0);
  growing_assert_range (desk->session, 0, 10 * SECOND);
  growing_reach (desk, 25 * SECOND);
  growing_assert_range (desk->session, 0, 10 * SECOND);
  g_assert_cmpint (kymo_session_get_full_range (desk->session).end_ns, ==,
                   25 * SECOND);
  g_assert_true (kymo_session_go_live (desk->session));
  growing_assert_range (desk->session, 15 * SECOND, 25 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10 * SECOND);
  /* and back to where the person looked */
  g_assert_true (kymo_session_back (desk->session));
  growing_assert_range (desk->session, 0, 10 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 0);
}

static void
test_never_followed (Growing *desk, gconstpointer data)
{
  g_assert_false (kymo_session_go_live (desk->session));
  g_assert_cmpint (kymo_session_get_followed (desk->session), ==, 0);
  growing_reach (desk, 7 * SECOND);
  growing_assert_range (desk->session, 0, 7 * SECOND);
}

static void
expect_stands (Growing *desk)
{
  KymoSpan range = kymo_session_get_range (desk->session);
  gint64 end_ns = desk->source->span.end_ns + 5 * SECOND;

  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 0);
  growing_reach (desk, end_ns);
  growing_assert_range (desk->session, range.begin_ns, range.end_ns);
  g_assert_true (kymo_session_go_live (desk->session));
  growing_assert_range (desk->session, end_ns - 10 * SECOND, end_ns);
}

static void
test_what_stops_it (Growing *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  growing_reach (desk, 60 * SECOND);
  kymo_session_pan (desk->session, -0.5);
  growing_assert_range (desk->session, 45 * SECOND, 55 * SECOND);
  expect_stands (desk);
  kymo_session_set_range (desk->session,
                          (KymoSpan) { 58 * SECOND, 59 * SECOND }, TRUE);
  expect_stands (desk);
  g_assert_true (kymo_session_back (desk->session));
  expect_stands (desk);
}

/* A range that is already shown, a selection and Esc change nothing. */
static void
test_what_does_not (Growing *desk, gconstpointer data)
{
  KymoSpan span = { 55 * SECOND, 56 * SECOND };

  kymo_session_set_follow (desk->session, 10 * SECOND);
  growing_reach (desk, 60 * SECOND);
  kymo_session_set_range (desk->session,
                          kymo_session_get_range (desk->session), TRUE);
  kymo_session_set_selection (desk->session, &span);
  g_assert_true (kymo_session_escape (desk->session));
  g_assert_false (kymo_session_escape (desk->session));
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10 * SECOND);
}

/* The newest time keeps its place, not the pointer's. */
static void
test_zoom (Growing *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  growing_reach (desk, 60 * SECOND);
  kymo_session_zoom (desk->session, 52 * SECOND, 2);
  growing_assert_range (desk->session, 55 * SECOND, 60 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 5 * SECOND);
  growing_reach (desk, 61 * SECOND);
  growing_assert_range (desk->session, 56 * SECOND, 61 * SECOND);
  for (guint i = 0; i < 10; i++)
    kymo_session_zoom (desk->session, 0, 0.5);
  growing_assert_range (desk->session, 0, 61 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 61 * SECOND);
  for (guint i = 0; i < 60; i++)
    kymo_session_zoom (desk->session, 0, 2);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10000000);
  g_assert_false (kymo_session_can_back (desk->session));
}

/* Who asks for all sees it grow, and is not following. */
static void
test_fit (Growing *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  growing_reach (desk, 60 * SECOND);
  kymo_session_fit (desk->session);
  growing_assert_range (desk->session, 0, 60 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 0);
  growing_reach (desk, 70 * SECOND);
  growing_assert_range (desk->session, 0, 70 * SECOND);
  kymo_session_pan (desk->session, 0);
  kymo_session_zoom (desk->session, 0, 2);
  growing_reach (desk, 80 * SECOND);
  growing_assert_range (desk->session, 0, 35 * SECOND);
}

/* A playback that is sought back has less. */
static void
test_shrinks (Growing *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  growing_reach (desk, 60 * SECOND);
  growing_reach (desk, 20 * SECOND);
  growing_assert_range (desk->session, 10 * SECOND, 20 * SECOND);
  kymo_session_pan (desk->session, -0.5);
  kymo_session_go_live (desk->session);
  growing_reach (desk, 3 * SECOND);
  growing_assert_range (desk->session, 0, 10 * SECOND);
  kymo_session_back (desk->session);
  growing_assert_range (desk->session, 0, 10 * SECOND);
}

#define add(path, function) \
  g_test_add (path, Growing, NULL, growing_up, function, growing_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/session-following/follows", test_follows);
  add ("/session-following/follows-all", test_follows_all);
  add ("/session-following/pause", test_pause);
  add ("/session-following/never-followed", test_never_followed);
  add ("/session-following/what-stops-it", test_what_stops_it);
  add ("/session-following/what-does-not", test_what_does_not);
  add ("/session-following/zoom", test_zoom);
  add ("/session-following/fit", test_fit);
  add ("/session-following/shrinks", test_shrinks);
  return g_test_run ();
}
