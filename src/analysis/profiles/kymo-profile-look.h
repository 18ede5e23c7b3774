/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a question looks at a profile: at which step, or at the profile of which range of
 * a trace; at which metric or expression of metrics; at functions of which groups. All
 * questions about profiles read their figures through it, so that they are the same
 * everywhere.
 *
 * A derived metric is computed of each figure (of a function, on a location, exclusive
 * or inclusive). Where it is *additive*, sums and means are of those values. Where it is
 * not (a ratio, a product), and for values per call, totals and means are computed of the
 * totals and means of what it is made of: the ratio of sums. A measured metric that is a
 * gauge (a temperature, a rate) has no total at all. See kymo-profile-ratio.c.
 *
 * A look belongs to who asked for it; it is read by several threads.
 */
#pragma once

#include "kymo-engine.h"
#include "kymo-metric-expression.h"
#include "kymo-profile-data.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_VALUE_EXCLUSIVE,
  KYMO_VALUE_INCLUSIVE,
  KYMO_VALUE_CALLS,
  KYMO_VALUE_SUBROUTINES,
  KYMO_VALUE_EXCLUSIVE_PER_CALL,
  KYMO_VALUE_INCLUSIVE_PER_CALL,
  KYMO_N_VALUES,
} KymoProfileValue;

/** KymoLookPaths: what of a trace a kind of question needs where it does not say */
typedef enum
{
  KYMO_LOOK_FLAT,
  KYMO_LOOK_PAIRS,              /* paths of two: who calls whom */
  KYMO_LOOK_TREE,               /* paths from the root */
  KYMO_LOOK_PHASES,
} KymoLookPaths;

/**
 * KymoProfileLook:
 * @expression: (nullable): of a derived metric, @expression_text; @metric is not used then
 * @step, @n_steps: of a run of profiles; n_steps is 0 for a trace
 * @is_additive: whether figures of the metric add up
 * @n_flat: functions stand before paths: those of lower number are functions
 * @chosen: by event: whether its groups were asked for
 */
typedef struct
{
  const KymoAsk        *ask;
  KymoProfileData      *data;
  guint                 metric;
  KymoMetricExpression *expression;
  char                 *metric_name;
  char                 *expression_text;
  char                 *unit;
  double                unit_ns;
  gboolean              is_additive;
  guint                 step, n_steps;
  guint                 n_flat;
  gboolean             *chosen;
} KymoProfileLook;

/**
 * KymoFigures: one value of one event over the asked locations
 * @mean, @stddev: over all of them, what is missing counts as 0; the deviation is
 *   that of a population. Where values do not add up the mean is @mean_present, the value of
 *   the mean sums of those which have one, and the deviation is that of these
 * @mean_present, @min, @max: over the @n_present that have it; NaN without any
 */
typedef struct
{
  guint  n_present;
  double total, mean, mean_present, min, max, stddev;
} KymoFigures;

KymoProfileLook *kymo_profile_look_new       (KymoAsk               *ask,
                                              KymoLookPaths          paths,
                                              GError               **error);
void             kymo_profile_look_free      (KymoProfileLook       *look);
void             kymo_profile_look_set       (const KymoProfileLook *look,
                                              KymoTable             *answer);
gboolean         kymo_profile_look_value     (const KymoProfileLook *look,
                                              KymoProfileValue      *value,
                                              GError               **error);
const char      *kymo_profile_value_to_string (KymoProfileValue      value);
void             kymo_profile_look_read      (const KymoProfileLook *look,
                                              KymoProfileValue       value,
                                              guint64                first,
                                              guint                  n,
                                              double                *out);
gboolean         kymo_profile_look_is_flat   (const KymoProfileLook *look,
                                              guint32                event);
gint             kymo_profile_look_find      (const KymoProfileLook *look,
                                              const char            *name);
gboolean         kymo_profile_look_find_known (const KymoProfileLook *look,
                                              const char            *name,
                                              gint                  *event,
                                              GError               **error);
KymoFigures     *kymo_profile_look_figures   (const KymoProfileLook *look,
                                              KymoProfileValue       value,
                                              guint                  n_rows,
                                              double               **rows,
                                              guint                 *group);
void             kymo_profile_look_figures_of (const KymoProfileLook  *look,
                                              const KymoProfileValue *values,
                                              guint                   n_values,
                                              KymoFigures           **figures);
void             kymo_profile_look_sum       (const KymoProfileLook *look,
                                              KymoProfileValue       value,
                                              const gboolean        *wanted,
                                              double                *sums);
KymoFigures     *kymo_profile_look_get_kept  (const KymoProfileLook *look,
                                              KymoProfileValue       value);
void             kymo_profile_look_keep      (const KymoProfileLook *look,
                                              KymoProfileValue       value,
                                              const KymoFigures     *figures);
gpointer         kymo_profile_look_get_classes (const KymoProfileLook *look);
void             kymo_profile_look_keep_classes (const KymoProfileLook *look,
                                              gpointer               classes,
                                              GDestroyNotify         clear);
KymoFigures      kymo_figures_of             (const double          *values,
                                              guint                  n,
                                              gboolean               additive);
/* -- of kymo-profile-ratio.c ------------------------------------------------ */

gboolean         kymo_metric_is_gauge        (const char            *name);
gboolean         kymo_profile_look_is_additive (const KymoProfileLook *look,
                                              KymoProfileValue       value);
double           kymo_profile_look_combine   (const KymoProfileLook *look,
                                              KymoProfileValue       value,
                                              guint                  begin,
                                              guint                  end,
                                              const gboolean        *wanted,
                                              gboolean               as_mean);
void             kymo_profile_look_settle    (const KymoProfileLook *look,
                                              KymoProfileValue       value,
                                              KymoFigures           *figures);
void             kymo_profile_look_settle_one (const KymoProfileLook *look,
                                              KymoProfileValue       value,
                                              const gboolean        *wanted,
                                              KymoFigures           *figures);
void             kymo_profile_look_settle_rows (const KymoProfileLook *look,
                                              KymoProfileValue       value,
                                              guint                  group,
                                              double                *rows);
KymoTable       *kymo_profile_look_end       (const KymoProfileLook *look,
                                              KymoTable             *answer,
                                              GError               **error);
gint             kymo_profile_look_find_row  (const KymoProfileLook *look,
                                              guint                  location,
                                              guint32                event);
const char      *kymo_profile_event_kind     (const KymoProfileEvent *event);
/* (transfer full): words between bars; "" for nothing */
char            *kymo_profile_event_dup_flags (const KymoProfileEvent *event);

/**
 * kymo_profile_look_event:
 * @event: index of an event
 *
 * Returns: (transfer none): the event, owned by the profile
 */
static inline const KymoProfileEvent *
kymo_profile_look_event (const KymoProfileLook *look,
                         guint32                event)
{
  return &g_array_index (look->data->events, KymoProfileEvent, event);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoProfileLook, kymo_profile_look_free)

G_END_DECLS
