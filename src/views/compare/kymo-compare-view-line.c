/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line of kymo-cli that tells the figures of the page that is to be seen.
 */
#include "config.h"

#include <inttypes.h>

#include "kymo-command.h"
#include "kymo-compare-view-private.h"
#include "kymo-session-profile.h"

/* On scales of their own, and of stretches, each run has a range of its own. */
static void
add_own_times (KymoCompareView *self, GString *line)
{
  for (guint i = 0; i + 1 < kymo_session_coupling_get_n (self->coupling); i++)
    {
      KymoSpan range = kymo_compare_view_get_own_range (self, i);

      g_string_append_printf (line, " --range-of %u=%" PRId64 "ns..%" PRId64 "ns", i,
                              range.begin_ns, range.end_ns);
    }
}

static void
add_times (KymoCompareView *self, GString *line)
{
  KymoSpan full = kymo_session_get_full_range (self->session);
  KymoSpan range = kymo_session_get_range (self->session);

  if (!kymo_session_has_time (self->session))
    return;
  if (kymo_compare_view_has_own_ranges (self))
    {
      add_own_times (self, line);
      return;
    }
  if (range.begin_ns == full.begin_ns && range.end_ns == full.end_ns)
    return;
  g_string_append_printf (line, " --from=%" PRId64 "ns --to=%" PRId64 "ns", range.begin_ns,
                          range.end_ns);
}

/* The first run of a side is it, the others are its repeats. */
static void
add_runs (KymoCompareView *self, GString *line, gboolean repeats)
{
  guint before = G_MAXUINT;

  for (guint i = 0; i < self->paths->len; i++)
    {
      guint side = kymo_comparison_get_side (self->comparison, i);
      const char *path = self->paths->pdata[i] != NULL ? self->paths->pdata[i] : "RUN";
      g_autofree char *label = kymo_comparison_dup_side_label (side);
      g_autofree char *word = g_strdup_printf ("%s=%s", label, path);

      if (repeats && side == before)
        {
          g_string_append (line, " --repeat-of");
          kymo_command_add_word (line, word);
        }
      else if (!repeats && side != before)
        kymo_command_add_word (line, path);
      before = side;
    }
}

/* Runs that lie where a hand put them lie there by their offsets. */
static char *
dup_how (KymoCompareView *self)
{
  g_autofree char *how = kymo_comparison_dup_align (self->comparison);
  g_autoptr (GString) text = g_string_new ("offsets ");

  if (!g_str_equal (how, "by hand"))
    return g_steal_pointer (&how);
  for (guint i = 0; i < self->paths->len; i++)
    g_string_append_printf (text, "%s%" PRId64 "ns", i > 0 ? "," : "",
                            kymo_comparison_get_offset (self->comparison, i));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* As many bins as the picture has. */
static void
add_bins (KymoCompareView *self, GString *line)
{
  KymoTable *answer = self->over_time != NULL ? kymo_canvas_peek_answer (self->over_time)
                                              : NULL;
  guint n_edges = 0;

  if (answer != NULL)
    kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  g_string_append_printf (line, " --bins %u --workers-only", n_edges > 1 ? n_edges - 1 : 100);
  if (!kymo_session_coupling_get_shared (self->coupling))
    g_string_append (line, " --time-scale own");
}

/* Which of several answers, and of what. */
static void
add_figures (KymoCompareView *self, GString *line)
{
  g_autofree char *side = kymo_comparison_dup_side_label (self->against);
  KymoIdSet *locations = kymo_session_peek_locations (self->session);

  if (locations != NULL)
    {
      g_autofree char *list = kymo_id_set_to_text (locations);

      g_string_append_printf (line, " --locations %s", list);
    }
  if (kymo_session_get_extrapolates (self->session))
    g_string_append (line, " --extrapolate");
  if (self->against + 1 < kymo_comparison_get_n_sides (self->comparison))
    g_string_append_printf (line, " --against %s", side);
  if (g_strcmp0 (kymo_compare_view_get_page (self), "time") == 0)
    add_bins (self, line);
  else if (self->per_pe)
    g_string_append (line, " --figure=per-pe");
}

/* Where the runs lie, unless it is with their begins. */
static void
add_align (KymoCompareView *self, GString *line)
{
  g_autofree char *how = dup_how (self);

  if (g_str_equal (how, "start"))
    return;
  g_string_append (line, " --align");
  kymo_command_add_word (line, how);
}

/**
 * kymo_compare_view_dup_runs:
 * @exported: a picture of kymo_compare_view_find_export()
 *
 * Returns: (transfer full) (nullable): what a line of kymo-cli calls the run, or the runs and where
 *   they lie, as kymo_export_dup_command() takes it; %NULL where one of them lies in no file
 */
char *
kymo_compare_view_dup_runs (KymoCompareView *self, const KymoExported *exported)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; !exported->klass->compares && i < self->paths->len; i++)
    if (kymo_session_coupling_peek (self->coupling, i + 1) == exported->session)
      return g_strdup (self->paths->pdata[i]);
  if (g_ptr_array_find (self->paths, NULL, NULL))
    return NULL;
  add_runs (self, line, FALSE);
  add_runs (self, line, TRUE);
  add_align (self, line);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

/**
 * kymo_compare_view_dup_command:
 *
 * Writes the command of kymo-cli with the figures of the visible page. A run without a path is
 * written as RUN.
 *
 * Returns: (transfer full): the command, quoted for a shell
 */
char *
kymo_compare_view_dup_command (KymoCompareView *self)
{
  g_autoptr (GString) line = g_string_new ("kymo-cli");

  kymo_command_add_word (line, "compare");
  add_runs (self, line, FALSE);
  add_runs (self, line, TRUE);
  if (g_strcmp0 (kymo_compare_view_get_page (self), "surroundings") == 0)
    {
      g_string_append (line, " --info");
      return g_string_free (g_steal_pointer (&line), FALSE);
    }
  add_times (self, line);
  add_align (self, line);
  add_figures (self, line);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

/** kymo_compare_view_peek_answer: what that line tells, as JSON or CSV */
KymoTable *
kymo_compare_view_peek_answer (KymoCompareView *self)
{
  const char *page = kymo_compare_view_get_page (self);

  if (g_strcmp0 (page, "surroundings") == 0)
    return self->info;
  if (g_strcmp0 (page, "time") == 0)
    return self->over_time != NULL ? kymo_canvas_peek_answer (self->over_time) : NULL;
  return self->answer;
}
