/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSession of a run that grows: following, pausing and going live again,
 * what it asks for names, two sessions beside each other, and what is chosen of
 * a profile.
 */
#include "config.h"

#include "kymo-session-colors.h"
#include "kymo-session-private.h"
#include "kymo-session-profile.h"
#include "kymo-session-rows.h"
#include "wait_for.h"

#define SECOND G_GINT64_CONSTANT (1000000000)

/* -- a source ------------------------------------------------------------- */

#define PLAY_TYPE_SOURCE (play_source_get_type ())
G_DECLARE_FINAL_TYPE (PlaySource, play_source, PLAY, SOURCE, GObject)

/* Changed on the main thread while no question is under way. */
struct _PlaySource
{
  GObject            parent_instance;
  KymoSpan           span;
  const char *const *names;
  const gint64      *ids;       /* of the names, or NULL: 0, 1, … */
  const char         *group;
  const char         *waits;    /* name of a function that waits, or NULL: there are no roles */
  gboolean           draft;
  gboolean           timeless;  /* profiles alone */
  int                asked;     /* atomic */
};

static KymoTable *
play_source_ask (KymoSource    *source,
                 KymoQuestion  *question,
                 GCancellable  *cancellable,
                 GError       **error)
{
  PlaySource *self = PLAY_SOURCE (source);
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (list, "name", KYMO_COLUMN_STRING, 1);
  guint kind = kymo_table_add_column (list, "kind", KYMO_COLUMN_STRING, 1);
  guint ns = kymo_table_add_column (list, "exclusive_ns", KYMO_COLUMN_INT, 1);
  guint id = kymo_table_add_column (list, "id", KYMO_COLUMN_INT, 1);
  guint group = kymo_table_add_column (list, "group", KYMO_COLUMN_STRING, 1);
  guint role = kymo_table_add_column (list, "role", KYMO_COLUMN_STRING, 1);

  g_atomic_int_inc (&self->asked);
  if (g_str_has_prefix (kymo_question_get_kind (question), "row-"))
    {
      g_clear_pointer (&list, kymo_table_unref);
      g_clear_pointer (&answer, kymo_table_unref);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "no rows");
      return NULL;
    }
  g_assert_cmpstr (kymo_question_get_kind (question), ==, "profile");
  for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
    {
      kymo_table_append_string (list, name, self->names[i]);
      kymo_table_append_string (list, kind, self->waits != NULL ? "function" : "entry");
      kymo_table_append_string (list, role, self->waits == NULL ? NULL
                                : g_str_equal (self->waits, self->names[i]) ? "wait"
                                : "compute");
      kymo_table_append_int (list, ns, 1000 - i);
      kymo_table_append_int (list, id, self->ids != NULL ? self->ids[i] : i);
      kymo_table_append_string (list, group, self->group);
    }
  kymo_table_set_int (answer, "end_ns", self->span.end_ns);
  kymo_table_set_table (answer, "activities", list);
  if (self->draft)
    kymo_table_set_string (answer, "draft", "3 of 8 logs");
  return answer;
}

static KymoCapabilities
play_source_get_capabilities (KymoSource *source)
{
  if (PLAY_SOURCE (source)->timeless)
    return KYMO_CAN_PROFILE | KYMO_CAN_METRICS;
  return KYMO_CAN_BINNED_TIME | KYMO_CAN_PROFILE | KYMO_CAN_GROWING
         | KYMO_CAN_STREAM;
}

static KymoSpan
play_source_get_span (KymoSource *source)
{
  return PLAY_SOURCE (source)->span;
}

static char *
play_source_dup_title (KymoSource *source)
{
  return g_strdup ("test");
}

static void
play_source_iface (KymoSourceInterface *iface)
{
  iface->ask = play_source_ask;
  iface->get_capabilities = play_source_get_capabilities;
  iface->get_span = play_source_get_span;
  iface->dup_title = play_source_dup_title;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PlaySource, play_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      play_source_iface))

static void
play_source_class_init (PlaySourceClass *klass)
{
}

static void
play_source_init (PlaySource *self)
{
}

/* -- the desk ------------------------------------------------------------- */

typedef struct
{
  PlaySource  *source;
  KymoSession *session;
} Desk;

static void
desk_up (Desk *desk, gconstpointer data)
{
  desk->source = g_object_new (PLAY_TYPE_SOURCE, NULL);
  desk->source->span = (KymoSpan) { 0, SECOND };
  desk->session = kymo_session_new (KYMO_SOURCE (desk->source));
}

static void
desk_down (Desk *desk, gconstpointer data)
{
  g_clear_object (&desk->session);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_clear_object (&desk->source);
}

static void
grow_to (Desk *desk, gint64 end_ns)
{
  desk->source->span.end_ns = end_ns;
  g_signal_emit_by_name (desk->source, "grown");
}

static void
assert_range (KymoSession *session, gint64 begin_ns, gint64 end_ns)
{
  KymoSpan range = kymo_session_get_range (session);

  g_assert_cmpint (range.begin_ns, ==, begin_ns);
  g_assert_cmpint (range.end_ns, ==, end_ns);
}

static void
count (int *counter)
{
  ++*counter;
}

/* -- following ------------------------------------------------------------ */

/* The stretch to be filled is visible from the begin on, then it moves. */
static void
test_follows (Desk *desk, gconstpointer data)
{
  int notified = 0, ranges = 0;

  g_signal_connect_swapped (desk->session, "notify::follow",
                            G_CALLBACK (count), &notified);
  kymo_session_set_follow (desk->session, 10 * SECOND);
  g_assert_cmpint (notified, ==, 1);
  assert_range (desk->session, 0, 10 * SECOND);
  g_signal_connect_swapped (desk->session, "range-changed",
                            G_CALLBACK (count), &ranges);
  for (guint i = 2; i <= 10; i++)
    grow_to (desk, i * SECOND);
  g_assert_cmpint (ranges, ==, 0);
  assert_range (desk->session, 0, 10 * SECOND);
  grow_to (desk, 13 * SECOND);
  assert_range (desk->session, 3 * SECOND, 13 * SECOND);
  g_assert_cmpint (kymo_session_get_full_range (desk->session).end_ns, ==,
                   13 * SECOND);
  g_assert_false (kymo_session_can_back (desk->session));
  g_assert_cmpint (notified, ==, 1);
}

static void
test_follows_all (Desk *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, KYMO_FOLLOW_ALL);
  assert_range (desk->session, 0, SECOND);
  grow_to (desk, 40 * SECOND);
  assert_range (desk->session, 0, 40 * SECOND);
  kymo_session_zoom (desk->session, 0, 0.5);
  g_assert_true (kymo_session_get_follow (desk->session) == KYMO_FOLLOW_ALL);
}

/* Also where what is visible is all there is. */
static void
test_pause (Desk *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  grow_to (desk, 4 * SECOND);
  kymo_session_set_follow (desk->session, 0);
  assert_range (desk->session, 0, 10 * SECOND);
  grow_to (desk, 25 * SECOND);
  assert_range (desk->session, 0, 10 * SECOND);
  g_assert_cmpint (kymo_session_get_full_range (desk->session).end_ns, ==,
                   25 * SECOND);
  g_assert_true (kymo_session_go_live (desk->session));
  assert_range (desk->session, 15 * SECOND, 25 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10 * SECOND);
  /* and back to where the person looked */
  g_assert_true (kymo_session_back (desk->session));
  assert_range (desk->session, 0, 10 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 0);
}

static void
test_never_followed (Desk *desk, gconstpointer data)
{
  g_assert_false (kymo_session_go_live (desk->session));
  g_assert_cmpint (kymo_session_get_followed (desk->session), ==, 0);
  grow_to (desk, 7 * SECOND);
  assert_range (desk->session, 0, 7 * SECOND);
}

static void
expect_stands (Desk *desk)
{
  KymoSpan range = kymo_session_get_range (desk->session);
  gint64 end_ns = desk->source->span.end_ns + 5 * SECOND;

  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 0);
  grow_to (desk, end_ns);
  assert_range (desk->session, range.begin_ns, range.end_ns);
  g_assert_true (kymo_session_go_live (desk->session));
  assert_range (desk->session, end_ns - 10 * SECOND, end_ns);
}

static void
test_what_stops_it (Desk *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  grow_to (desk, 60 * SECOND);
  kymo_session_pan (desk->session, -0.5);
  assert_range (desk->session, 45 * SECOND, 55 * SECOND);
  expect_stands (desk);
  kymo_session_set_range (desk->session,
                          (KymoSpan) { 58 * SECOND, 59 * SECOND }, TRUE);
  expect_stands (desk);
  g_assert_true (kymo_session_back (desk->session));
  expect_stands (desk);
}

/* A range that is already shown, a selection and Esc change nothing. */
static void
test_what_does_not (Desk *desk, gconstpointer data)
{
  KymoSpan span = { 55 * SECOND, 56 * SECOND };

  kymo_session_set_follow (desk->session, 10 * SECOND);
  grow_to (desk, 60 * SECOND);
  kymo_session_set_range (desk->session,
                          kymo_session_get_range (desk->session), TRUE);
  kymo_session_set_selection (desk->session, &span);
  g_assert_true (kymo_session_escape (desk->session));
  g_assert_false (kymo_session_escape (desk->session));
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10 * SECOND);
}

/* The newest time keeps its place, not the pointer's. */
static void
test_zoom (Desk *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  grow_to (desk, 60 * SECOND);
  kymo_session_zoom (desk->session, 52 * SECOND, 2);
  assert_range (desk->session, 55 * SECOND, 60 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 5 * SECOND);
  grow_to (desk, 61 * SECOND);
  assert_range (desk->session, 56 * SECOND, 61 * SECOND);
  for (guint i = 0; i < 10; i++)
    kymo_session_zoom (desk->session, 0, 0.5);
  assert_range (desk->session, 0, 61 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 61 * SECOND);
  for (guint i = 0; i < 60; i++)
    kymo_session_zoom (desk->session, 0, 2);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10000000);
  g_assert_false (kymo_session_can_back (desk->session));
}

/* Who asks for all sees it grow, and is not following. */
static void
test_fit (Desk *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  grow_to (desk, 60 * SECOND);
  kymo_session_fit (desk->session);
  assert_range (desk->session, 0, 60 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 0);
  grow_to (desk, 70 * SECOND);
  assert_range (desk->session, 0, 70 * SECOND);
  kymo_session_pan (desk->session, 0);
  kymo_session_zoom (desk->session, 0, 2);
  grow_to (desk, 80 * SECOND);
  assert_range (desk->session, 0, 35 * SECOND);
}

/* A playback that is sought back has less. */
static void
test_shrinks (Desk *desk, gconstpointer data)
{
  kymo_session_set_follow (desk->session, 10 * SECOND);
  grow_to (desk, 60 * SECOND);
  grow_to (desk, 20 * SECOND);
  assert_range (desk->session, 10 * SECOND, 20 * SECOND);
  kymo_session_pan (desk->session, -0.5);
  kymo_session_go_live (desk->session);
  grow_to (desk, 3 * SECOND);
  assert_range (desk->session, 0, 10 * SECOND);
  kymo_session_back (desk->session);
  assert_range (desk->session, 0, 10 * SECOND);
}

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
test_names (Desk *desk, gconstpointer data)
{
  static const char *const first[] = { "a", "b", "c", NULL };
  static const char *const later[] = { "x", "c", "y", "b", "a", NULL };
  int changed = 0, before;
  KymoRgba colors[3];

  desk->source->names = first;
  grow_to (desk, SECOND);
  WAIT_FOR (rank_of (desk->session, "a") == 0);
  g_assert_cmpuint (rank_of (desk->session, "c"), ==, 2);
  for (guint i = 0; i < 3; i++)
    colors[i] = color_of (desk->session, first[i]);
  g_signal_connect_swapped (desk->session, "colors-changed",
                            G_CALLBACK (count), &changed);
  before = g_atomic_int_get (&desk->source->asked);
  desk->source->names = later;
  for (guint i = 2; i < 60; i++)
    grow_to (desk, i * SECOND);
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
test_drafts (Desk *desk, gconstpointer data)
{
  static const char *const guess[] = { "a", "b", "c", "d", NULL };
  static const char *const later[] = { "b", "a", "c", "d", "e", NULL };
  static const char *const exact[] = { "c", "b", "a", "e", "d", NULL };
  g_autoptr (KymoColors) straight = kymo_colors_new (KYMO_PALETTE_STANDARD);
  int changed = 0, before;

  kymo_colors_assign (straight, exact);
  desk->source->draft = TRUE;
  desk->source->names = guess;
  grow_to (desk, 5 * SECOND);
  WAIT_FOR (rank_of (desk->session, "d") == 3);
  desk->source->names = later;
  grow_to (desk, 5 * SECOND);
  WAIT_FOR (rank_of (desk->session, "e") == 4);
  g_assert_cmpuint (rank_of (desk->session, "a"), ==, 0);
  g_signal_connect_swapped (desk->session, "colors-changed",
                            G_CALLBACK (count), &changed);
  desk->source->draft = FALSE;
  desk->source->names = exact;
  grow_to (desk, 5 * SECOND);
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
  grow_to (desk, 5 * SECOND);
  WAIT_FOR (g_atomic_int_get (&desk->source->asked) > before);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (changed, ==, 1);
}

/* Ids that get names leave their colours to them, and the busiest is first
   again; what was not yet run again after seeking back keeps its own. */
static void
test_renamed (Desk *desk, gconstpointer data)
{
  static const char *const ids[] = { "entry 1", "entry 2", "other", NULL };
  static const char *const names[] = { "Cell::run", "Patch::go", "other", NULL };
  static const char *const few[] = { "Patch::go", NULL };
  static const gint64 second[] = { 1 };
  int before;

  desk->source->names = ids;
  grow_to (desk, 5 * SECOND);
  WAIT_FOR (rank_of (desk->session, "other") == 2);
  kymo_session_set_hidden (desk->session, "entry 1", TRUE);
  kymo_session_set_hidden (desk->session, "never", TRUE);
  desk->source->names = names;
  grow_to (desk, 6 * SECOND);
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
  grow_to (desk, 2 * SECOND);
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
test_given (Desk *desk, gconstpointer data)
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

/* A role that another function has instead is told by colours, though there are as many roles. */
static void
test_roles (Desk *desk, gconstpointer data)
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
  grow_to (desk, 30 * SECOND);
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
test_beside (Desk *desk, gconstpointer data)
{
  static const char *const names[] = { "a", "b", NULL };
  g_autoptr (KymoSession) beside = kymo_session_new_beside (desk->session);
  int filtered = 0, hovered = 0, ranges = 0, colored = 0;
  KymoPaletteKind palette;

  g_signal_connect_swapped (beside, "filter-changed", G_CALLBACK (count),
                            &filtered);
  g_signal_connect_swapped (beside, "notify::hovered-name",
                            G_CALLBACK (count), &hovered);
  g_signal_connect_swapped (beside, "colors-changed", G_CALLBACK (count),
                            &colored);
  kymo_session_set_follow (desk->session, 10 * SECOND);
  desk->source->names = names;
  grow_to (desk, 30 * SECOND);
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
  assert_range (beside, 0, 30 * SECOND);
  g_signal_connect_swapped (desk->session, "range-changed",
                            G_CALLBACK (count), &ranges);
  kymo_session_set_range (beside, (KymoSpan) { SECOND, 2 * SECOND }, TRUE);
  g_assert_cmpint (ranges, ==, 0);
  assert_range (desk->session, 20 * SECOND, 30 * SECOND);
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10 * SECOND);
}

/* -- profiles ------------------------------------------------------------- */

static void
test_options (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("thread-bars");
  g_autoptr (KymoQuestion) plain = kymo_question_new ("thread-bars");
  g_autoptr (KymoSession) beside = kymo_session_new_beside (desk->session);
  int changed = 0;

  g_signal_connect_swapped (desk->session, "profile-changed",
                            G_CALLBACK (count), &changed);
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
test_chosen (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoSession) again
    = kymo_session_new (KYMO_SOURCE (desk->source));
  int functions = 0, threads = 0;

  g_signal_connect_swapped (desk->session, "function-changed",
                            G_CALLBACK (count), &functions);
  g_signal_connect_swapped (desk->session, "thread-changed",
                            G_CALLBACK (count), &threads);
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
test_row_order (Desk *desk, gconstpointer data)
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
test_row_groups (Desk *desk, gconstpointer data)
{
  int told = 0;

  kymo_session_set_grouped (desk->session, TRUE);
  kymo_session_set_grouped (desk->session, FALSE);
  g_signal_connect_swapped (desk->session, "rows-changed", G_CALLBACK (count), &told);
  WAIT_FOR (told > 0);
  g_assert_null (kymo_session_peek_rows_failure (desk->session));
  kymo_session_set_grouped (desk->session, TRUE);
  WAIT_FOR (!kymo_session_get_grouped (desk->session));
  g_assert_cmpstr (kymo_session_peek_rows_failure (desk->session), ==, "no rows");
}

#define add(path, function) \
  g_test_add (path, Desk, NULL, desk_up, function, desk_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/session/follows", test_follows);
  add ("/session/follows-all", test_follows_all);
  add ("/session/pause", test_pause);
  add ("/session/never-followed", test_never_followed);
  add ("/session/what-stops-it", test_what_stops_it);
  add ("/session/what-does-not", test_what_does_not);
  add ("/session/zoom", test_zoom);
  add ("/session/fit", test_fit);
  add ("/session/shrinks", test_shrinks);
  add ("/session/names", test_names);
  add ("/session/drafts", test_drafts);
  add ("/session/renamed", test_renamed);
  add ("/session/given", test_given);
  add ("/session/roles", test_roles);
  add ("/session/beside", test_beside);
  add ("/session/options", test_options);
  add ("/session/chosen", test_chosen);
  add ("/session/row-order", test_row_order);
  add ("/session/row-groups", test_row_groups);
  return g_test_run ();
}
