/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stays when other runs are compared, or the same ones on other sides: where one
 * looks, how runs lie, what is chosen, hidden and marked.
 */
#include "config.h"

#include "kymo-compare-view-private.h"
#include "kymo-desk-comparison.h"
#include "kymo-session-desk.h"

/** Moved: of each run which one it is of the view before, or NOWHERE */
typedef struct
{
  KymoCompareView *self, *old;
  guint           *from;
  guint            n;
} Moved;

#define NOWHERE G_MAXUINT

/* A run may be there twice. */
static void
find_runs (Moved *moved)
{
  KymoComparison *before = moved->old->comparison;
  guint n_before = kymo_comparison_get_n_runs (before);
  g_autofree gboolean *taken = g_new0 (gboolean, n_before);

  for (guint i = 0; i < moved->n; i++)
    {
      KymoSource *run = kymo_comparison_peek_run (moved->self->comparison, i);

      moved->from[i] = NOWHERE;
      for (guint k = 0; k < n_before && moved->from[i] == NOWHERE; k++)
        if (!taken[k] && kymo_comparison_peek_run (before, k) == run)
          {
            taken[k] = TRUE;
            moved->from[i] = k;
          }
    }
}

/* Shared time is that of the run that is A now. Runs that came lie with their begin at
   that of A until the place is found in them. */
static void
take_alignment (Moved *moved)
{
  KymoComparison *comparison = moved->self->comparison, *before = moved->old->comparison;
  g_autofree char *how = kymo_comparison_dup_align (before);
  g_autofree gint64 *offsets_ns = g_new (gint64, moved->n);
  gboolean by_hand = g_str_equal (how, "by hand") || g_str_has_prefix (how, "offsets ");
  gboolean came = FALSE;
  gint64 first_ns = moved->from[0] != NOWHERE
                    ? kymo_comparison_get_offset (before, moved->from[0]) : 0;

  if (g_str_equal (how, "start"))
    return;
  for (guint i = 0; i < moved->n; i++)
    {
      came |= moved->from[i] == NOWHERE;
      offsets_ns[i] = moved->from[i] == NOWHERE || moved->from[0] == NOWHERE
        ? kymo_comparison_get_offset (comparison, i)
        : kymo_comparison_get_offset (before, moved->from[i]) - first_ns;
    }
  kymo_comparison_set_aligned (comparison, by_hand ? "by hand" : how, offsets_ns);
  kymo_compare_view_take_offsets (moved->self);
  if (came && !by_hand)
    kymo_compare_view_align (moved->self, how);
}

static void
take_markers (Moved *moved)
{
  for (guint i = 0; i < moved->n; i++)
    for (guint which = 0; which < 2 && moved->from[i] != NOWHERE; which++)
      {
        gint64 time_ns;

        if (kymo_session_get_marker (kymo_session_coupling_peek (
              moved->old->coupling, moved->from[i] + 1), which, &time_ns))
          kymo_session_put_marker (kymo_session_coupling_peek (moved->self->coupling, i + 1),
                                   time_ns);
      }
}

/* Names, colours and what is chosen; times go by the first run that is still there. */
static void
take_session (Moved *moved)
{
  g_autoptr (KymoDesk) desk = kymo_desk_new ();
  guint i = 0;

  kymo_session_keep (moved->old->session, desk);
  desk->range = desk->selection = (KymoSpan) { KYMO_DESK_NONE, KYMO_DESK_NONE };
  g_strfreev (kymo_session_restore (moved->self->session, desk, NULL));
  while (i < moved->n && moved->from[i] == NOWHERE)
    i++;
  if (i < moved->n)
    kymo_session_coupling_take (moved->self->coupling, i + 1, kymo_session_coupling_peek (
      moved->old->coupling, moved->from[i] + 1));
}

/* The side that A was compared with, which may be A now. */
static void
take_against (Moved *moved)
{
  guint side = MIN (moved->old->against,
                    kymo_comparison_get_n_sides (moved->self->comparison) - 1);

  for (guint i = 0; i < moved->n; i++)
    if (moved->from[i] != NOWHERE && kymo_comparison_get_side (
          moved->old->comparison, moved->from[i]) == moved->old->against
        && kymo_comparison_get_side (moved->self->comparison, i) > 0)
      side = kymo_comparison_get_side (moved->self->comparison, i);
  g_action_group_change_action_state (G_ACTION_GROUP (moved->self->actions), "against",
                                      g_variant_new_uint32 (side));
}

/**
 * kymo_compare_view_take_place:
 * @old: the view of the comparison before, with other runs or other sides
 *
 * Shows what @old shows, as far as it has the same runs. A run that is new is aligned in the way
 * @old was aligned, or stays at its place where that was done by hand. @old does not change.
 */
void
kymo_compare_view_take_place (KymoCompareView *self, KymoCompareView *old)
{
  static const char *const states[] = { "page", "picture", "stacked", "shared", "per-pe" };
  guint n = kymo_comparison_get_n_runs (self->comparison);
  g_autofree guint *from = g_new (guint, n);
  Moved moved = { self, old, from, n };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autoptr (GVariant) state
        = g_action_group_get_action_state (G_ACTION_GROUP (old->actions), states[i]);

      g_action_group_change_action_state (G_ACTION_GROUP (self->actions), states[i], state);
    }
  find_runs (&moved);
  take_alignment (&moved);
  take_session (&moved);
  take_markers (&moved);
  take_against (&moved);
}

/* -- a desk --------------------------------------------------------------- */

static gboolean
is_on (KymoCompareView *self, const char *action)
{
  g_autoptr (GVariant) state
    = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), action);

  return g_variant_get_boolean (state);
}

/**
 * kymo_compare_view_keep:
 * @desk: without a comparison; filled in place
 *
 * Writes the session, page, picture, offsets and markers of the comparison into @desk. The paths
 * of the runs are left to the caller.
 */
void
kymo_compare_view_keep (KymoCompareView *self, KymoDesk *desk)
{
  KymoDeskComparison *own = desk->comparison = kymo_desk_comparison_new ();

  kymo_session_keep (self->session, desk);
  own->align = kymo_comparison_dup_align (self->comparison);
  own->page = g_strdup (kymo_compare_view_get_page (self));
  own->picture = g_strdup (kymo_compare_pictures_get_plot (self->pictures));
  own->shared = is_on (self, "shared");
  own->stacked = is_on (self, "stacked");
  own->per_pe = is_on (self, "per-pe");
  own->against = self->against;
  for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
    {
      KymoDeskRun *run = kymo_desk_comparison_add (own);

      run->title = kymo_source_dup_title (kymo_comparison_peek_run (self->comparison, i));
      run->side = kymo_comparison_get_side (self->comparison, i);
      run->offset_ns = kymo_comparison_get_offset (self->comparison, i);
      for (guint which = 0; which < 2; which++)
        kymo_session_get_marker (kymo_session_coupling_peek (self->coupling, i + 1), which,
                                 &run->markers[which]);
    }
}

static void
restore_state (KymoCompareView *self, const char *action, int state)
{
  if (state >= 0)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), action,
                                        g_variant_new_boolean (state));
}

static void
restore_states (KymoCompareView *self, const KymoDeskComparison *own)
{
  restore_state (self, "shared", own->shared);
  restore_state (self, "stacked", own->stacked);
  restore_state (self, "per-pe", own->per_pe);
  if (own->picture != NULL)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "picture",
                                        g_variant_new_string (own->picture));
  if (own->page != NULL)
    kymo_compare_view_set_page (self, own->page);
  if (own->against > 0 && own->against < kymo_comparison_get_n_sides (self->comparison))
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "against",
                                        g_variant_new_uint32 (own->against));
}

/* A file may say anything. */
static const char *
known_place (const char *align)
{
  static const char *const places[] = { "start", "end", "phase ", "block ", "marker " };

  for (guint i = 0; align != NULL && i < G_N_ELEMENTS (places); i++)
    if (g_str_has_suffix (places[i], " ") ? g_str_has_prefix (align, places[i])
        : g_str_equal (align, places[i]))
      return align;
  return "by hand";
}

static const KymoDeskRun *
run_of (const KymoDeskComparison *own, const guint *from, guint i)
{
  return from[i] < own->runs->len ? own->runs->pdata[from[i]] : NULL;
}

/* Runs lie to each other as they did. Returns: what shared time is earlier by now, as the
   run that was A may be missing. */
static gint64
restore_offsets (KymoCompareView *self, const KymoDeskComparison *own, const guint *from)
{
  guint n = kymo_comparison_get_n_runs (self->comparison);
  g_autofree gint64 *offsets_ns = g_new0 (gint64, n);
  const KymoDeskRun *first = run_of (own, from, 0);
  gint64 by_ns = first != NULL && from[0] != 0 ? first->offset_ns : 0;

  for (guint i = 0; i < n; i++)
    {
      const KymoDeskRun *run = run_of (own, from, i);

      offsets_ns[i] = run != NULL ? run->offset_ns - by_ns
                      : kymo_comparison_get_offset (self->comparison, i);
    }
  kymo_comparison_set_aligned (self->comparison, known_place (own->align), offsets_ns);
  kymo_compare_view_take_offsets (self);
  return by_ns;
}

static void
restore_markers (KymoCompareView *self, const KymoDeskComparison *own, const guint *from)
{
  for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
    {
      const KymoDeskRun *run = run_of (own, from, i);

      for (guint which = 0; run != NULL && which < 2; which++)
        if (run->markers[which] != KYMO_DESK_NONE)
          kymo_session_put_marker (kymo_session_coupling_peek (self->coupling, i + 1),
                                   run->markers[which]);
    }
}

static KymoSpan
earlier (KymoSpan span, gint64 by_ns)
{
  return span.begin_ns == KYMO_DESK_NONE ? span
         : (KymoSpan) { span.begin_ns + by_ns, span.end_ns + by_ns };
}

/**
 * kymo_compare_view_restore:
 * @desk: with a comparison; changed in place: its range and selection are shifted where another
 *   run is first now
 * @from: for each run its number in @desk; any larger number = not in it
 *
 * Takes over the state in @desk: page, picture, offsets, markers, and the state of the session.
 *
 * Returns: (transfer full): the parts of @desk that were left out, in words; empty where all was
 * restored
 */
char **
kymo_compare_view_restore (KymoCompareView *self, KymoDesk *desk, const guint *from)
{
  const KymoDeskComparison *own = desk->comparison;
  gint64 by_ns;

  restore_states (self, own);
  by_ns = restore_offsets (self, own, from);
  restore_markers (self, own, from);
  desk->range = earlier (desk->range, by_ns);
  desk->selection = earlier (desk->selection, by_ns);
  desk->full = kymo_session_get_full_range (self->session);
  return kymo_session_restore (self->session, desk, NULL);
}
