/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSession of a run that grows: what it asks for names and their colours, two sessions
 * beside each other, what is chosen of a profile, and the order of rows
 * (test-session-following.c has what is visible of it).
 */
#include "config.h"

#include "growing.h"
#include "kymo-session-colors.h"
#include "kymo-session-private.h"
#include "kymo-session-profile.h"
#include "kymo-session-rows.h"
#include "wait_for.h"

/* -- names ---------------------------------------------------------------- */

static KymoRgba
color_of (KymoSession *session, const char *name)
{
  return kymo_colors_get (kymo_session_peek_colors (session), name, FALSE);
}

static gboolean
same_color (KymoRgba a, KymoRgba b)
{
  return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

static guint
rank_of (KymoSession *session, const char *name)
{
  return kymo_colors_get_rank (kymo_session_peek_colors (session), name);
}

/* Names keep their colours while others come, and many blocks cost one
   question. */
static void
test_names (Growing *desk, gconstpointer data)
{
  static const char *const first[] = { "a", "b", "c", NULL };
  static const char *const later[] = { "x", "c", "y", "b", "a", NULL };
  int changed = 0, before;
  KymoRgba colors[3];

  desk->source->names = first;
  growing_reach (desk, SECOND);
  WAIT_FOR (rank_of (desk->session, "a") == 0);
  g_assert_cmpuint (rank_of (desk->session, "c"), ==, 2);
  for (guint i = 0; i < 3; i++)
    colors[i] = color_of (desk->session, first[i]);
  g_signal_connect_swapped (desk->session, "colors-changed",
                            G_CALLBACK (growing_count), &changed);
  before = g_atomic_int_get (&desk->source->asked);
  desk->source->names = later;
  for (guint i = 2; i < 60; i++)
    growing_reach (desk, i * SECOND);
  WAIT_FOR (rank_of (desk->session, "x") != G_MAXUINT);
  g_assert_cmpint (g_atomic_int_get (&desk->source->asked), ==, before + 1);
  g_assert_cmpint (changed, ==, 1);
  g_assert_cmpuint (rank_of (desk->session, "b"), ==, 1);
  g_assert_cmpuint (rank_of (desk->session, "x"), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_true (same_color (colors[i], color_of (desk->session, first[i])));
}

/* While logs are read names keep what they have; when all is exact they have
   what they would have without the drafts, in one step. */
static void
test_drafts (Growing *desk, gconstpointer data)
{
  static const char *const guess[] = { "a", "b", "c", "d", NULL };
  static const char *const later[] = { "b", "a", "c", "d", "e", NULL };
  static const char *const exact[] = { "c", "b", "a", "e", "d", NULL };
  g_autoptr (KymoColors) straight = kymo_colors_new (KYMO_PALETTE_STANDARD);
  int changed = 0, before;

  kymo_colors_assign (straight, exact);
  desk->source->draft = TRUE;
  desk->source->names = guess;
  growing_reach (desk, 5 * SECOND);
  WAIT_FOR (rank_of (desk->session, "d") == 3);
  desk->source->names = later;
  growing_reach (desk, 5 * SECOND);
  WAIT_FOR (rank_of (desk->session, "e") == 4);
  g_assert_cmpuint (rank_of (desk->session, "a"), ==, 0);
  g_signal_connect_swapped (desk->session, "colors-changed",
                            G_CALLBACK (growing_count), &changed);
  desk->source->draft = FALSE;
  desk->source->names = exact;
  growing_reach (desk, 5 * SECOND);
  WAIT_FOR (rank_of (desk->session, "c") == 0);
  for (guint i = 0; exact[i] != NULL; i++)
    {
      g_assert_cmpuint (rank_of (desk->session, exact[i]), ==, i);
      g_assert_true (same_color (color_of (desk->session, exact[i]),
                                 kymo_colors_get (straight, exact[i], FALSE)));
    }
  g_assert_cmpint (changed, ==, 1);
  /* Exact is exact: nothing moves any more. */
  before = g_atomic_int_get (&desk->source->asked);
  desk->source->names = later;
  growing_reach (desk, 5 * SECOND);
  WAIT_FOR (g_atomic_int_get (&desk->source->asked) > before);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (changed, ==, 1);
}

/* Ids that get names leave their colours to them, and the busiest is first
   again; what was not yet run again after seeking back keeps its own. */
static void
test_renamed (Growing *desk, gconstpointer data)
{
  static const char *const ids[] = { "entry 1", "entry 2", "other", NULL };
  static const char *const names[] = { "Cell::run", "Patch::go", "other", NULL };
  static const char *const few[] = { "Patch::go", NULL };
  static const gint64 second[] = { 1 };
  int before;

  desk->source->names = ids;
  growing_reach (desk, 5 * SECOND);
  WAIT_FOR (rank_of (desk->session, "other") == 2);
  kymo_session_set_hidden (desk->session, "entry 1", TRUE);
  kymo_session_set_hidden (desk->session, "never", TRUE);
  desk->source->names = names;
  growing_reach (desk, 6 * SECOND);
  WAIT_FOR (rank_of (desk->session, "Cell::run") == 0);
  g_assert_cmpuint (rank_of (desk->session, "Patch::go"), ==, 1);
  g_assert_cmpuint (rank_of (desk->session, "other"), ==, 2);
  g_assert_cmpuint (rank_of (desk->session, "entry 1"), ==, G_MAXUINT);
  /* What was hidden is, by its name. */
  g_assert_true (kymo_session_is_hidden (desk->session, "Cell::run"));
  g_assert_false (kymo_session_is_hidden (desk->session, "entry 1"));
  g_assert_true (kymo_session_is_hidden (desk->session, "never"));
  before = g_atomic_int_get (&desk->source->asked);
  desk->source->names = few;
  desk->source->ids = second;
  growing_reach (desk, 2 * SECOND);
  WAIT_FOR (g_atomic_int_get (&desk->source->asked) > before);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (rank_of (desk->session, "Cell::run"), ==, 0);
  g_assert_cmpuint (rank_of (desk->session, "Patch::go"), ==, 1);
  g_assert_true (kymo_session_is_hidden (desk->session, "Cell::run"));
  g_assert_false (kymo_session_is_hidden (desk->session, "Patch::go"));
}

/* Groups that come after names were given are told by colours, too. */
static void
test_given (Growing *desk, gconstpointer data)
{
  static const char *const names[] = { "a", NULL };
  g_autoptr (KymoSession) session = NULL;

  desk->source->names = names;
  desk->source->group = "Cell";
  session = kymo_session_new (KYMO_SOURCE (desk->source));
  kymo_session_set_color_by (session, KYMO_COLOR_BY_GROUP);
  kymo_session_give_names (session, names, NULL);
  WAIT_FOR (kymo_session_can_color_by (session, KYMO_COLOR_BY_GROUP));
  g_assert_false (same_color (color_of (session, "a"),
                              color_of (session, "(entry method unknown)")));
}

/* A group that a function gets later is told by colours, though no name is new. */
static void
test_groups (Growing *desk, gconstpointer data)
{
  static const char *const names[] = { "a", NULL };
  g_autoptr (KymoSession) session = NULL;
  KymoRgba before;

  desk->source->names = names;
  desk->source->group = "Cell";
  session = kymo_session_new (KYMO_SOURCE (desk->source));
  kymo_session_set_color_by (session, KYMO_COLOR_BY_GROUP);
  WAIT_FOR (kymo_session_can_color_by (session, KYMO_COLOR_BY_GROUP));
  before = color_of (session, "a");
  desk->source->group = "Patch";
  growing_reach (desk, 30 * SECOND);
  WAIT_FOR (!same_color (color_of (session, "a"), before));
}

/* A role that another function has instead is told by colours, though there are as many roles. */
static void
test_roles (Growing *desk, gconstpointer data)
{
  static const char *const names[] = { "a", "b", NULL };
  g_autoptr (KymoSession) session = NULL;
  g_autoptr (GHashTable) families = g_hash_table_new (g_str_hash, g_str_equal);
  KymoRgba compute, waits;

  desk->source->names = names;
  desk->source->waits = "a";
  session = kymo_session_new (KYMO_SOURCE (desk->source));
  kymo_session_set_color_by (session, KYMO_COLOR_BY_ROLE);
  WAIT_FOR (kymo_session_can_color_by (session, KYMO_COLOR_BY_ROLE));
  WAIT_FOR (!same_color (color_of (session, "a"), color_of (session, "b")));
  waits = color_of (session, "a");
  compute = color_of (session, "b");
  desk->source->waits = "b";
  growing_reach (desk, 30 * SECOND);
  WAIT_FOR (same_color (color_of (session, "b"), waits));
  g_assert_true (same_color (color_of (session, "a"), compute));
  /* Roles that are given are those of all runs of a comparison. */
  g_hash_table_insert (families, (gpointer) "a", GUINT_TO_POINTER (KYMO_FAMILY_WAITING));
  kymo_session_give_names (session, names, families);
  g_assert_true (same_color (color_of (session, "a"), waits));
  g_assert_true (same_color (color_of (session, "b"), compute));
}

/* -- beside --------------------------------------------------------------- */

static void
test_beside (Growing *desk, gconstpointer data)
{
  static const char *const names[] = { "a", "b", NULL };
  g_autoptr (KymoSession) beside = kymo_session_new_beside (desk->session);
  int filtered = 0, hovered = 0, ranges = 0, colored = 0;
  KymoPaletteKind palette;

  g_signal_connect_swapped (beside, "filter-changed", G_CALLBACK (growing_count),
                            &filtered);
  g_signal_connect_swapped (beside, "notify::hovered-name",
                            G_CALLBACK (growing_count), &hovered);
  g_signal_connect_swapped (beside, "colors-changed", G_CALLBACK (growing_count),
                            &colored);
  kymo_session_set_follow (desk->session, 10 * SECOND);
  desk->source->names = names;
  growing_reach (desk, 30 * SECOND);
  WAIT_FOR (rank_of (beside, "b") == 1);
  g_assert_true (kymo_session_peek_colors (beside)
                 == kymo_session_peek_colors (desk->session));
  g_assert_cmpint (colored, >, 0);
  kymo_session_set_hidden (beside, "a", TRUE);
  g_assert_true (kymo_session_is_hidden (desk->session, "a"));
  g_assert_cmpint (filtered, ==, 1);
  kymo_session_show_all (desk->session);
  g_assert_null (kymo_session_peek_hidden (beside));
  kymo_session_set_hovered (desk->session, "b");
  g_assert_cmpstr (kymo_session_peek_hovered (beside), ==, "b");
  g_assert_cmpint (hovered, ==, 1);
  g_object_set (beside, "palette", KYMO_PALETTE_SAFE, NULL);
  g_object_get (desk->session, "palette", &palette, NULL);
  g_assert_cmpint (palette, ==, KYMO_PALETTE_SAFE);
  /* the range is its own */
  growing_assert_range (beside, 0, 30 * SECOND);
  g_signal_connect_swapped (desk->session, "range-changed",
                            G_CALLBACK (growing_count), &ranges);
  kymo_session_set_range (beside, (KymoSpan) { SECOND, 2 * SECOND }, TRUE);
  g_assert_cmpint (ranges, ==, 0);
  growing_assert_range (desk->session, 20 * SECOND, 30 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10 * SECOND);
}

/* -- profiles ------------------------------------------------------------- */

static void
test_options (Growing *desk, gconstpointer data)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("thread-bars");
  g_autoptr (KymoQuestion) plain = kymo_question_new ("thread-bars");
  g_autoptr (KymoSession) beside = kymo_session_new_beside (desk->session);
  int changed = 0;

  g_signal_connect_swapped (desk->session, "profile-changed",
                            G_CALLBACK (growing_count), &changed);
  g_assert_null (kymo_session_peek_option (desk->session, "metric"));
  kymo_session_prepare_profile (desk->session, plain);
  g_assert_null (kymo_question_get (plain, "metric"));
  kymo_session_set_option (desk->session, "metric", "PAPI_FP_OPS / TIME");
  kymo_session_set_option (desk->session, "metric", "PAPI_FP_OPS / TIME");
  kymo_session_set_option (beside, "value", "inclusive");
  kymo_session_set_option (desk->session, "unit", "ms");
  g_assert_cmpint (changed, ==, 3);
  kymo_session_prepare_profile (beside, question);
  g_assert_cmpstr (kymo_question_get (question, "metric"), ==,
                   "PAPI_FP_OPS / TIME");
  g_assert_cmpstr (kymo_question_get (question, "value"), ==, "inclusive");
  g_assert_null (kymo_question_get (question, "unit"));
  g_assert_null (kymo_question_get (question, "groups"));
  kymo_session_set_option (desk->session, "metric", NULL);
  g_assert_null (kymo_session_peek_option (beside, "metric"));
  g_assert_cmpint (changed, ==, 4);
}

static void
test_chosen (Growing *desk, gconstpointer data)
{
  g_autoptr (KymoSession) again
    = kymo_session_new (KYMO_SOURCE (desk->source));
  int functions = 0, threads = 0;

  g_signal_connect_swapped (desk->session, "function-changed",
                            G_CALLBACK (growing_count), &functions);
  g_signal_connect_swapped (desk->session, "thread-changed",
                            G_CALLBACK (growing_count), &threads);
  g_assert_cmpstr (kymo_session_peek_thread (desk->session), ==, "mean");
  g_assert_cmpint (kymo_session_get_thread_location (desk->session), ==, -1);
  kymo_session_set_thread (desk->session, "mean");
  kymo_session_set_function (desk->session, NULL);
  g_assert_cmpint (functions + threads, ==, 0);
  kymo_session_set_function (desk->session, "MPI_Send()");
  kymo_session_set_thread (desk->session, "17");
  g_assert_cmpint (kymo_session_get_thread_location (desk->session), ==, 17);
  kymo_session_set_thread (desk->session, "stddev");
  g_assert_cmpint (kymo_session_get_thread_location (desk->session), ==, -1);
  g_assert_cmpint (functions, ==, 1);
  g_assert_cmpint (threads, ==, 2);
  kymo_session_set_option (desk->session, "groups", "MPI|IO");
  kymo_session_take_profile (again, desk->session);
  g_assert_cmpstr (kymo_session_peek_function (again), ==, "MPI_Send()");
  g_assert_cmpstr (kymo_session_peek_thread (again), ==, "stddev");
  g_assert_cmpstr (kymo_session_peek_option (again, "groups"), ==, "MPI|IO");
  g_assert_true (kymo_session_has_time (desk->session));
  desk->source->timeless = TRUE;
  g_assert_false (kymo_session_has_time (desk->session));
}

/* -- rows ----------------------------------------------------------------- */

/* What is no order leaves what is under way; the order they have may be given again. */
static void
test_row_order (Growing *desk, gconstpointer data)
{
  kymo_session_set_row_order (desk->session, "-busy", FALSE);
  g_assert_true (kymo_session_is_sorting (desk->session));
  kymo_session_set_row_order (desk->session, "sideways", FALSE);
  g_assert_true (kymo_session_is_sorting (desk->session));
  kymo_session_set_row_order (desk->session, kymo_session_peek_row_order (desk->session), TRUE);
  g_assert_cmpstr (kymo_session_peek_row_order (desk->session), ==, "-busy");
  WAIT_FOR (!kymo_session_is_sorting (desk->session));
  g_assert_cmpstr (kymo_session_peek_rows_failure (desk->session), ==, "no rows");
}

/* Groups that nobody wishes for any more fail unseen. */
static void
test_row_groups (Growing *desk, gconstpointer data)
{
  int told = 0;

  kymo_session_set_grouped (desk->session, TRUE);
  kymo_session_set_grouped (desk->session, FALSE);
  g_signal_connect_swapped (desk->session, "rows-changed", G_CALLBACK (growing_count), &told);
  WAIT_FOR (told > 0);
  g_assert_null (kymo_session_peek_rows_failure (desk->session));
  kymo_session_set_grouped (desk->session, TRUE);
  WAIT_FOR (!kymo_session_get_grouped (desk->session));
  g_assert_cmpstr (kymo_session_peek_rows_failure (desk->session), ==, "no rows");
}

#define add(path, function) \
  g_test_add (path, Growing, NULL, growing_up, function, growing_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/session/names", test_names);
  add ("/session/drafts", test_drafts);
  add ("/session/renamed", test_renamed);
  add ("/session/given", test_given);
  add ("/session/groups", test_groups);
  add ("/session/roles", test_roles);
  add ("/session/beside", test_beside);
  add ("/session/options", test_options);
  add ("/session/chosen", test_chosen);
  add ("/session/row-order", test_row_order);
  add ("/session/row-groups", test_row_groups);
  return g_test_run ();
}
