/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the answers of a comparison are made of: figures of each run by name, and of
 * all runs by side.
 *
 * Threads: a KymoComparedRun and a KymoCompared belong to the question that made them;
 * the comparison's offsets are read under its mutex, once a question.
 */
#pragma once

#include "kymo-comparison.h"
#include "kymo-question-class.h"

G_BEGIN_DECLS

/** KymoCompareTotal: rows of "totals"; from busy on to the end parts of the span,
 * but for useful, a part of busy */
typedef enum
{
  KYMO_COMPARE_ELAPSED,
  KYMO_COMPARE_SPAN,
  KYMO_COMPARE_BUSY,
  KYMO_COMPARE_USEFUL,
  KYMO_COMPARE_IDLE,
  KYMO_COMPARE_OVERHEAD,
  KYMO_COMPARE_UNTRACED,
  KYMO_COMPARE_N_TOTALS,
} KymoCompareTotal;

/**
 * KymoComparedActivity: what one run had under one name
 * @key: a letter that says what it is ('c' code, 'i' idle, 'o' overhead, 'u'
 *   untraced, 'v' user event) and the display name: what runs are mapped by. In
 *   this order parts of the span stand before what is none
 * @calls: %KYMO_NULL_INT where the run does not know
 */
typedef struct
{
  char   *key;
  char   *kind;
  char   *group;
  char   *role;
  gint64  calls;
  gint64  ns;
} KymoComparedActivity;

/**
 * KymoComparedRun: the figures of one run in its asked range
 * @activities: KymoComparedActivity by key
 * @pes: workers (all locations where there are none), or what they stand for, in millionths
 */
typedef struct
{
  GHashTable *activities;
  gint64      totals[KYMO_COMPARE_N_TOTALS];
  gint64      pes;
  gint64      n_locations;
  KymoSpan    span;
  gboolean    extrapolated;
  gboolean    is_time;
  char       *unit;             /* "ns", or the unit of a metric */
} KymoComparedRun;

/** KymoComparedName: a name of any run, and of which kind it is there */
typedef struct
{
  const char *key;              /* borrowed of a run */
  const char *kind;
  const char *group;
  const char *role;
} KymoComparedName;

/**
 * KymoCompared: all runs, and the keywords of the question
 * @side: of each run
 * @names: KymoComparedName sorted by key
 * @against: the side A is compared with
 */
typedef struct
{
  KymoComparison   *comparison; /* borrowed */
  KymoQuestion     *question;   /* borrowed */
  guint             n_runs;
  guint             n_sides;
  const guint      *side;       /* borrowed */
  gint64           *offset_ns;
  KymoSpan         *asked;      /* in the time of the run */
  KymoComparedRun **runs;
  GArray           *names;
  GPtrArray        *notes;      /* char *: of the answers of runs */
  guint             against;
  gboolean          per_pe;
  gboolean          pes_differ;
  gboolean          is_family;  /* figures of functions by metric */
} KymoCompared;

/* Sentence for sides that have a single run each. */
#define KYMO_COMPARE_NO_REPEATS \
  N_("There are no repeated runs, so differences cannot be told from noise.")

/* A mean of values: floor (sum * times / parts). */
typedef struct
{
  gint64 times;
  gint64 parts;
} KymoCompareScale;

/* kymo-comparison.c */
const guint  *kymo_comparison_peek_sides (KymoComparison    *comparison);

/* kymo-comparison-question.c */
gint64        kymo_compare_shift      (gint64                time_ns,
                                       gint64                by_ns);
KymoCompared *kymo_compared_new       (KymoComparison       *comparison,
                                       KymoQuestion         *question,
                                       GCancellable         *cancellable,
                                       GError              **error);
void          kymo_compared_free      (KymoCompared         *compared);
KymoQuestion *kymo_compared_question  (const KymoCompared   *compared,
                                       const char           *kind,
                                       guint                 run);
void          kymo_compared_note      (KymoCompared         *compared,
                                       guint                 run,
                                       const KymoTable      *answer);
void          kymo_compared_set_runs  (const KymoCompared   *compared,
                                       KymoTable            *answer);

/* kymo-comparison-figures.c */
gboolean      kymo_compared_read      (KymoCompared         *compared,
                                       GCancellable         *cancellable,
                                       GError              **error);
void          kymo_compared_run_free  (KymoComparedRun      *run);
void          kymo_compared_run_take  (KymoComparedRun      *run,
                                       const KymoTable      *answer);

/* kymo-comparison.c */
KymoCompareScale kymo_compare_scale   (const KymoCompared   *compared,
                                       guint                 side,
                                       gboolean              per_pe);
gint64        kymo_compare_mean       (gint64                sum,
                                       KymoCompareScale      scale);
gint64        kymo_compare_part       (gint64               *sum,
                                       gint64                more,
                                       KymoCompareScale      scale);

/* kymo-comparison-noise.c */
double        kymo_student_quantile   (double                share,
                                       double                freedom);
void          kymo_noise_add          (double               *mean,
                                       double               *m2,
                                       double                value,
                                       guint                 n);
gboolean      kymo_noise_width        (double                v_a,
                                       guint                 n_a,
                                       double                v_b,
                                       guint                 n_b,
                                       double               *half_width);
gboolean      kymo_noise_band         (const double         *a,
                                       guint                 n_a,
                                       const double         *b,
                                       guint                 n_b,
                                       double               *half_width);

/* kymo-comparison-answer.c, -time.c, -info.c, -words.c */
KymoTable    *kymo_compare_activities (KymoCompared         *compared,
                                       GCancellable         *cancellable,
                                       GError              **error);
KymoTable    *kymo_compare_time       (KymoCompared         *compared,
                                       GCancellable         *cancellable,
                                       GError              **error);
KymoTable    *kymo_compare_info       (KymoCompared         *compared,
                                       GCancellable         *cancellable,
                                       GError              **error);
void          kymo_compare_set_sentences (const KymoCompared *compared,
                                       KymoTable            *answer);
void          kymo_compare_set_time_sentences (KymoTable    *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCompared, kymo_compared_free)

/* The classes of questions about several runs, for kymo_question_class_find(); ends with a NULL
   kind. */
extern const KymoQuestionClass kymo_compared_classes[];

G_END_DECLS
