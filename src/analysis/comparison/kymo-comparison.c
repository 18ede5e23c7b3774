/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source that stands for several runs: who they are, how their times lie
 * to each other, and which answer is made where.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-comparison-private.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-id-weights.h"

typedef struct
{
  KymoSource *source;
  guint       side;
  guint       repeat;           /* of its side, from 0 */
  gint64      offset_ns;
  gulong      grown;
} Run;

struct _KymoComparison
{
  GObject  parent_instance;
  GMutex   mutex;               /* protects offsets and align */
  Run     *runs;
  guint   *sides;
  guint    n_runs;
  guint    n_sides;
  char    *align;
};

static void kymo_comparison_iface_init (KymoSourceInterface *iface);

static gint64
bounded (gint64 offset_ns)
{
  return CLAMP (offset_ns, -KYMO_MOST_OFFSET_NS, KYMO_MOST_OFFSET_NS);
}

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoComparison, kymo_comparison, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      kymo_comparison_iface_init))

static void
run_has_grown (KymoComparison *self)
{
  g_signal_emit_by_name (self, "grown");
}

/**
 * kymo_comparison_new:
 * @sources: (transfer none) (array length=n_sources): the runs, the base first
 * @sides: of each run its side: 0 of A, 1, 2, …; every side has a run, and the
 *   first run is of side 0
 * @n_sources: 2 to %KYMO_MOST_RUNS
 *
 * They are aligned at their starts.
 *
 * Returns: (transfer full): the comparison
 */
KymoComparison *
kymo_comparison_new (KymoSource  **sources,
                     const guint  *sides,
                     guint         n_sources)
{
  KymoComparison *self = g_object_new (KYMO_TYPE_COMPARISON, NULL);
  g_autofree guint *repeats = g_new0 (guint, MAX (n_sources, 1));
  gint64 start_ns = 0;

  g_return_val_if_fail (n_sources >= 2 && n_sources <= KYMO_MOST_RUNS && sides[0] == 0, self);
  self->runs = g_new0 (Run, n_sources);
  self->sides = g_memdup2 (sides, n_sources * sizeof *sides);
  self->n_runs = n_sources;
  for (guint i = 0; i < n_sources; i++)
    {
      Run *run = &self->runs[i];

      g_return_val_if_fail (sides[i] < n_sources, self);
      run->source = g_object_ref (sources[i]);
      run->side = sides[i];
      run->repeat = repeats[sides[i]]++;
      run->offset_ns = kymo_source_get_span (sources[i]).begin_ns;
      if (i == 0)
        start_ns = run->offset_ns;
      run->offset_ns = bounded (kymo_saturating_add (run->offset_ns, -start_ns));
      run->grown = g_signal_connect_object (sources[i], "grown", G_CALLBACK (run_has_grown), self,
                                            G_CONNECT_SWAPPED);
      self->n_sides = MAX (self->n_sides, sides[i] + 1);
    }
  return self;
}

/** kymo_comparison_get_n_runs: Returns: how many runs are compared, repeats included */
guint
kymo_comparison_get_n_runs (KymoComparison *self)
{
  return self->n_runs;
}

/** kymo_comparison_get_n_sides: Returns: how many sides there are, up to the last with a run */
guint
kymo_comparison_get_n_sides (KymoComparison *self)
{
  return self->n_sides;
}

/**
 * kymo_comparison_peek_run:
 * @run: index of a run
 *
 * Returns: (transfer none): the source of the run, owned by the comparison
 */
KymoSource *
kymo_comparison_peek_run (KymoComparison *self,
                          guint           run)
{
  g_return_val_if_fail (run < self->n_runs, NULL);

  return self->runs[run].source;
}

/**
 * kymo_comparison_get_side:
 *
 * Returns: the side of the run, 0 = A; 0, with a critical warning, beyond the last run
 */
guint
kymo_comparison_get_side (KymoComparison *self,
                          guint           run)
{
  g_return_val_if_fail (run < self->n_runs, 0);

  return self->runs[run].side;
}

/**
 * kymo_comparison_dup_side_label:
 * @side: number of a side, from 0
 *
 * Returns: (transfer full): its letter: "A", "B", …, "Z", "A1", "B1", …
 */
char *
kymo_comparison_dup_side_label (guint side)
{
  char letter = 'A' + side % 26;

  return side < 26 ? g_strdup_printf ("%c", letter)
    : g_strdup_printf ("%c%u", letter, side / 26);
}

/**
 * kymo_comparison_parse_side:
 * @label: "B", "b", "A1"
 * @n_sides: how many there are
 *
 * Returns: the number of the side, or -1
 */
gint
kymo_comparison_parse_side (const char *label,
                            guint       n_sides)
{
  for (guint side = 0; side < n_sides; side++)
    {
      g_autofree char *own = kymo_comparison_dup_side_label (side);

      if (g_ascii_strcasecmp (own, label) == 0)
        return side;
    }
  return -1;
}

/**
 * kymo_comparison_dup_label:
 * @run: index of a run
 *
 * Returns: (transfer full): its side and number: "A", "B", …; repeats are "A′2", "A′3", …
 */
char *
kymo_comparison_dup_label (KymoComparison *self,
                           guint           run)
{
  g_autofree char *side = NULL;

  g_return_val_if_fail (run < self->n_runs, NULL);
  side = kymo_comparison_dup_side_label (self->runs[run].side);
  if (self->runs[run].repeat == 0)
    return g_steal_pointer (&side);
  return g_strdup_printf ("%s′%u", side, self->runs[run].repeat + 1);
}

/**
 * kymo_comparison_get_offset:
 *
 * Any thread.
 *
 * Returns: what is added to a shared time to get the run's, in nanoseconds
 */
gint64
kymo_comparison_get_offset (KymoComparison *self,
                            guint           run)
{
  gint64 offset_ns;

  g_return_val_if_fail (run < self->n_runs, 0);
  g_mutex_lock (&self->mutex);
  offset_ns = self->runs[run].offset_ns;
  g_mutex_unlock (&self->mutex);
  return offset_ns;
}

/**
 * kymo_comparison_set_offset:
 * @offset_ns: of the run, see kymo_comparison_get_offset()
 *
 * Moves one run by hand, by %KYMO_MOST_OFFSET_NS at most.
 */
void
kymo_comparison_set_offset (KymoComparison *self,
                            guint           run,
                            gint64          offset_ns)
{
  g_return_if_fail (run < self->n_runs);

  g_mutex_lock (&self->mutex);
  self->runs[run].offset_ns = bounded (offset_ns);
  g_free (self->align);
  self->align = g_strdup ("by hand");
  g_mutex_unlock (&self->mutex);
  g_signal_emit_by_name (self, "grown");
}

/**
 * kymo_comparison_set_aligned:
 * @how: words of kymo_comparison_find_offsets()
 * @offsets_ns: of all runs, found by it
 */
void
kymo_comparison_set_aligned (KymoComparison *self,
                             const char     *how,
                             const gint64   *offsets_ns)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->n_runs; i++)
    self->runs[i].offset_ns = bounded (offsets_ns[i]);
  g_free (self->align);
  self->align = g_strdup (how);
  g_mutex_unlock (&self->mutex);
  g_signal_emit_by_name (self, "grown");
}

/**
 * kymo_comparison_align:
 * @how: see kymo_comparison_find_offsets()
 *
 * Looks for the place in every run and moves the runs there. It may have to walk over their
 * blocks: a window finds offsets on a thread, and sets them with
 * kymo_comparison_set_aligned(). Sets the errors of kymo_comparison_find_offsets().
 *
 * Returns: whether it was found in all runs; else no run is moved
 */
gboolean
kymo_comparison_align (KymoComparison  *self,
                       const char      *how,
                       GCancellable    *cancellable,
                       GError         **error)
{
  g_autofree gint64 *offsets_ns = g_new0 (gint64, self->n_runs);

  if (!kymo_comparison_find_offsets (self, how, offsets_ns, cancellable, error))
    return FALSE;
  kymo_comparison_set_aligned (self, how, offsets_ns);
  return TRUE;
}

/**
 * kymo_comparison_dup_align:
 *
 * Returns: (transfer full): how the runs are aligned: the words of
 * kymo_comparison_align(), or "by hand"
 */
char *
kymo_comparison_dup_align (KymoComparison *self)
{
  char *align;

  g_mutex_lock (&self->mutex);
  align = g_strdup (self->align);
  g_mutex_unlock (&self->mutex);
  return align;
}

/* -- as a source -------------------------------------------------------------- */

static KymoTable *
ask_run (KymoComparison  *self,
         KymoQuestion    *question,
         GCancellable    *cancellable,
         GError         **error)
{
  gint64 run;

  if (!kymo_question_get_int (question, "run", -1, &run, error))
    return NULL;
  if (run >= 0 && run < self->n_runs)
    return kymo_source_ask (self->runs[run].source, question, cancellable, error);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("“%s” is a question about one run; of several, run=0 to run=%u says which"),
               kymo_question_get_kind (question), self->n_runs - 1);
  return NULL;
}

#define RUNS "run side label title extrapolated pes locations begin_ns end_ns offset_ns"

static const KymoQuestionList compare_lists[] =
{
  { "sides", "side label n_runs pes elapsed_ns speed_up efficiency noise_ns has_noise is_noise" },
  { "activities", NULL, TRUE },
  { "totals", NULL },
  { "runs", RUNS },
  { NULL }
};

static const KymoQuestionList time_lists[] =
{
  { "", NULL, TRUE },
  { "series", "name kind role a_ns b_ns difference_ns noise_ns" },
  { "bins", "begin_ns end_ns busy_a_ns busy_b_ns difference_ns noise_ns is_noise "
    "useful_a_ns useful_b_ns useful_noise_ns" },
  { "runs", RUNS },
  { NULL }
};

static const KymoQuestionList info_lists[] =
{
  { "facts", "section key differs values" },
  { "runs", "run side label title" },
  { NULL }
};

const KymoQuestionClass kymo_compared_classes[] =
{
  { "compare", "A comparison", .lists = compare_lists },
  { "compare-time-profile", "A comparison over time", .lists = time_lists },
  { "compare-info", "A comparison of surroundings", .lists = info_lists },
  { NULL }
};

static KymoTable *
comparison_ask (KymoSource    *source,
                KymoQuestion  *question,
                GCancellable  *cancellable,
                GError       **error)
{
  static KymoTable *(*const answers[]) (KymoCompared *, GCancellable *, GError **)
    = { kymo_compare_activities, kymo_compare_time, kymo_compare_info };
  KymoComparison *self = KYMO_COMPARISON (source);

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    if (strcmp (kymo_question_get_kind (question), kymo_compared_classes[i].kind) == 0)
      {
        g_autoptr (KymoCompared) compared
          = kymo_compared_new (self, question, cancellable, error);

        return compared != NULL ? answers[i] (compared, cancellable, error) : NULL;
      }
  return ask_run (self, question, cancellable, error);
}

/* The capabilities that all runs have. */
static KymoCapabilities
comparison_get_capabilities (KymoSource *source)
{
  KymoComparison *self = KYMO_COMPARISON (source);
  guint can = G_MAXUINT;

  for (guint i = 0; i < self->n_runs; i++)
    can &= kymo_source_get_capabilities (self->runs[i].source);
  return can;
}

/* From the first begin to the last end in shared time; runs without a time axis
   have none. */
static KymoSpan
comparison_get_span (KymoSource *source)
{
  KymoComparison *self = KYMO_COMPARISON (source);
  KymoSpan all = { G_MAXINT64, G_MININT64 };

  for (guint i = 0; i < self->n_runs; i++)
    {
      KymoSpan span = kymo_source_get_span (self->runs[i].source);
      gint64 offset_ns = kymo_comparison_get_offset (self, i);

      if (kymo_span_length (span) == 0)
        continue;
      all.begin_ns = MIN (all.begin_ns, kymo_compare_shift (span.begin_ns, -offset_ns));
      all.end_ns = MAX (all.end_ns, kymo_compare_shift (span.end_ns, -offset_ns));
    }
  return all.begin_ns < all.end_ns ? all : (KymoSpan) { 0, 0 };
}

static char *
comparison_dup_title (KymoSource *source)
{
  KymoComparison *self = KYMO_COMPARISON (source);
  GString *title = g_string_new (NULL);

  for (guint i = 0; i < self->n_runs; i++)
    {
      g_autofree char *label = kymo_comparison_dup_label (self, i);
      g_autofree char *own = kymo_source_dup_title (self->runs[i].source);

      g_string_append_printf (title, "%s%s: %s", i > 0 ? ", " : "", label, own);
    }
  return g_string_free (title, FALSE);
}

static gboolean
comparison_has_corrected_clocks (KymoSource *source)
{
  KymoComparison *self = KYMO_COMPARISON (source);
  gboolean any = FALSE;

  for (guint i = 0; i < self->n_runs; i++)
    any |= kymo_source_has_corrected_clocks (self->runs[i].source);
  return any;
}

/* Of the first run that is still being read. */
static char *
comparison_dup_draft (KymoSource *source)
{
  KymoComparison *self = KYMO_COMPARISON (source);

  for (guint i = 0; i < self->n_runs; i++)
    {
      g_autofree char *label = kymo_comparison_dup_label (self, i);
      g_autofree char *draft = kymo_source_dup_draft (self->runs[i].source);

      if (draft != NULL)
        return g_strdup_printf ("%s: %s", label, draft);
    }
  return NULL;
}

static KymoTerms
comparison_get_terms (KymoSource *source)
{
  return kymo_source_get_terms (KYMO_COMPARISON (source)->runs[0].source);
}

static void
kymo_comparison_iface_init (KymoSourceInterface *iface)
{
  iface->ask = comparison_ask;
  iface->get_capabilities = comparison_get_capabilities;
  iface->get_span = comparison_get_span;
  iface->dup_title = comparison_dup_title;
  iface->has_corrected_clocks = comparison_has_corrected_clocks;
  iface->dup_draft = comparison_dup_draft;
  iface->get_terms = comparison_get_terms;
}

static void
kymo_comparison_finalize (GObject *object)
{
  KymoComparison *self = KYMO_COMPARISON (object);

  for (guint i = 0; i < self->n_runs; i++)
    g_clear_object (&self->runs[i].source);
  g_free (self->runs);
  g_free (self->sides);
  g_free (self->align);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (kymo_comparison_parent_class)->finalize (object);
}

static void
kymo_comparison_class_init (KymoComparisonClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_comparison_finalize;
}

static void
kymo_comparison_init (KymoComparison *self)
{
  g_mutex_init (&self->mutex);
  self->align = g_strdup ("start");
}

/**
 * kymo_comparison_peek_sides:
 *
 * Returns: (transfer none): the number of the side of each run, owned by the comparison
 */
const guint *
kymo_comparison_peek_sides (KymoComparison *self)
{
  return self->sides;
}

/* Sides with several runs: means in whole numbers that still add up. A mean of
   parts that were summed up one after the other is the difference of two rounded
   sums, so the means of all parts sum up to the mean of the whole, and a side of one
   run has its figures unchanged.

   Pure functions; any thread. */

/**
 * kymo_compare_scale:
 * @per_pe: of one PE instead of all
 *
 * Returns: what sums over the runs of a side are divided by
 */
KymoCompareScale
kymo_compare_scale (const KymoCompared *compared,
                    guint               side,
                    gboolean            per_pe)
{
  KymoCompareScale scale = { per_pe ? KYMO_WEIGHT_ONE : 1, 0 };

  for (guint i = 0; i < compared->n_runs; i++)
    if (compared->side[i] == side)
      scale.parts = kymo_saturating_add (scale.parts, per_pe ? compared->runs[i]->pes : 1);
  return scale;
}

/**
 * kymo_compare_mean:
 *
 * Returns: @sum by @scale, rounded down
 */
gint64
kymo_compare_mean (gint64           sum,
                   KymoCompareScale scale)
{
  __int128 product = (__int128) sum * scale.times;
  __int128 mean = product / MAX (scale.parts, 1);

  if (product < 0 && mean * MAX (scale.parts, 1) != product)
    mean--;
  return (gint64) CLAMP (mean, (__int128) G_MININT64 + 1, (__int128) G_MAXINT64);
}

/**
 * kymo_compare_part:
 * @sum: (inout): what came before; 0 at first
 * @more: a sum over the runs of a side
 *
 * Returns: the mean of @more over the runs, rounded so that the means of all parts add up to the
 *   mean of the whole
 */
gint64
kymo_compare_part (gint64           *sum,
                   gint64            more,
                   KymoCompareScale  scale)
{
  gint64 before = kymo_compare_mean (*sum, scale);

  *sum = kymo_saturating_add (*sum, more);
  return kymo_saturating_add (kymo_compare_mean (*sum, scale), -before);
}
