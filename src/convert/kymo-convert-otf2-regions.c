/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Definitions of regions and metrics, from the activities of a run: functions and entry methods
 * are regions, events metrics.
 */
#include "config.h"

#include "kymo-convert-otf2.h"

#include <math.h>
#include <string.h>

#include "kymo-otf2-defs.h"
#include "kymo-otf2-note.h"

/* Readers leave out blanks at the end of names. */
static gboolean
ends_blank (const char *text)
{
  gsize length = strlen (text);

  return length > 0 && g_ascii_isspace (text[length - 1]);
}

/* The kind and number that a region or metric had in the original, where its number in the archive
   does not tell them. The mark also says that the canonical name is the original name up to the
   last blank. */
static OTF2_StringRef
describe_otf2_regions (KymoOtf2Out        *out,
                       const KymoActivity *activity,
                       guint32             ref)
{
  const char *mark = activity->kind == KYMO_ACTIVITY_ENTRY ? KYMO_OTF2_MARK_ENTRY
    : activity->kind == KYMO_ACTIVITY_EVENT ? KYMO_OTF2_MARK_EVENT : KYMO_OTF2_MARK_FUNCTION;
  g_autofree char *text = g_strdup_printf ("%s %" G_GINT64_FORMAT, mark, activity->id);

  return kymo_otf2_out_string (out, activity->kind == KYMO_ACTIVITY_ENTRY
                               || activity->id != ref || ends_blank (activity->signature)
                               ? text : "");
}

static OTF2_Paradigm
paradigm_of (const KymoActivity *activity)
{
  gsize length;

  for (guint i = 0; i <= OTF2_PARADIGM_KOKKOS; i++)
    if (g_str_equal (kymo_otf2_paradigm_name (i), activity->group))
      return i;
  return kymo_mpi_find_name (activity->name, &length) != NULL ? OTF2_PARADIGM_MPI
    : OTF2_PARADIGM_USER;
}

static OTF2_RegionRole
role_of_communication (const KymoActivity *activity)
{
  KymoCollectiveKind kind;
  gsize length;
  const char *name = kymo_mpi_find_name (activity->name, &length);

  if (kymo_collective_find_name (activity->name, &kind) < 0)
    return name != NULL && g_ascii_strncasecmp (name, "win_", 4) == 0 ? OTF2_REGION_ROLE_RMA
      : OTF2_REGION_ROLE_POINT2POINT;
  return kind == KYMO_COLLECTIVE_ONE_TO_ALL ? OTF2_REGION_ROLE_COLL_ONE2ALL
    : kind == KYMO_COLLECTIVE_ALL_TO_ONE ? OTF2_REGION_ROLE_COLL_ALL2ONE
    : kind == KYMO_COLLECTIVE_ALL_TO_ALL ? OTF2_REGION_ROLE_COLL_ALL2ALL
    : OTF2_REGION_ROLE_COLL_OTHER;
}

/* The role that the files told of a function; without a told role Kymo judges it by its name when
   it reads the archive, as it does here. */
static OTF2_RegionRole
role_of (const KymoActivity *activity)
{
  switch (activity->told_role)
    {
    case KYMO_ROLE_SYNCHRONIZATION:
      return OTF2_REGION_ROLE_BARRIER;
    case KYMO_ROLE_WAIT:
      return OTF2_REGION_ROLE_THREAD_WAIT;
    case KYMO_ROLE_COMMUNICATION:
      return role_of_communication (activity);
    case KYMO_ROLE_IO:
      return OTF2_REGION_ROLE_FILE_IO;
    case KYMO_ROLE_RUNTIME:
      return OTF2_REGION_ROLE_ARTIFICIAL;
    default:
      return OTF2_REGION_ROLE_FUNCTION;
    }
}

static void
write_region (KymoOtf2Out        *out,
              const KymoActivity *activity,
              guint32             ref)
{
  OTF2_StringRef name = kymo_otf2_out_string (out, activity->name);
  OTF2_StringRef full = kymo_otf2_out_string (out, activity->signature);
  OTF2_StringRef mark = describe_otf2_regions (out, activity, ref);
  OTF2_StringRef file = kymo_otf2_out_string (out, activity->file != NULL ? activity->file : "");

  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteRegion (
    out->defs, ref, name, full, mark, role_of (activity), paradigm_of (activity),
    OTF2_REGION_FLAG_NONE, file, activity->line, 0));
}

/** kymo_otf2_out_write_regions: functions, and idle time where there is any */
void
kymo_otf2_out_write_regions (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  OTF2_StringRef name, mark;

  for (guint i = 0; i < run->activities->len; i++)
    if (out->region_of[i] != KYMO_OTF2_NO_REF)
      write_region (out, kymo_run_peek_activity (run, i), out->region_of[i]);
  if (!out->idles)
    return;
  name = kymo_otf2_out_string (out, "Idle");
  mark = kymo_otf2_out_string (out, KYMO_OTF2_MARK_IDLE);
  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteRegion (
    out->defs, out->idle, name, name, mark, OTF2_REGION_ROLE_ARTIFICIAL,
    OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_FLAG_NONE, kymo_otf2_out_string (out, ""),
    0, 0));
}

/**
 * kymo_otf2_out_write_region_groups:
 * @next_group: number of the next group; moves on
 *
 * Lists regions by the names of their groups, where these are not their paradigms'.
 */
void
kymo_otf2_out_write_region_groups (KymoOtf2Out *out,
                                   guint       *next_group)
{
  const KymoRun *run = out->convert->run;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                         (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);
      guint64 ref = out->region_of[i];
      GArray *members = g_hash_table_lookup (groups, activity->group);

      if (ref == KYMO_OTF2_NO_REF
          || g_str_equal (kymo_otf2_paradigm_name (paradigm_of (activity)), activity->group))
        continue;
      if (members == NULL)
        {
          members = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_hash_table_insert (groups, activity->group, members);
          g_ptr_array_add (names, activity->group);
        }
      g_array_append_val (members, ref);
    }
  for (guint i = 0; i < names->len; i++)
    {
      GArray *members = g_hash_table_lookup (groups, names->pdata[i]);
      OTF2_StringRef name = kymo_otf2_out_string (out, names->pdata[i]);

      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteGroup (
        out->defs, (*next_group)++, name, OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_UNKNOWN,
        OTF2_GROUP_FLAG_NONE, members->len, (const uint64_t *) (gpointer) members->data));
    }
}

/* The value of a count of 1 in the metric's unit, as a power of ten or two. */
static void
find_exponent (double     scale,
               OTF2_Base *base,
               gint64    *exponent)
{
  *base = OTF2_BASE_DECIMAL;
  for (*exponent = 0; *exponent > -400; --*exponent)
    if (pow (10, *exponent) <= scale)
      break;
  if (pow (10, *exponent) == scale || scale <= 0)
    return;
  *base = OTF2_BASE_BINARY;
  for (*exponent = 0; *exponent > -1100 && pow (2, *exponent) > scale; --*exponent)
    ;
}

/* As archives have it: "#" is a mere count. The group of an event that has no unit is that of
   another format. */
static const char *
unit_of (const KymoActivity *activity)
{
  return *activity->unit != '\0' ? activity->unit : *activity->group != '\0' ? "#" : "";
}

static void
write_member (KymoOtf2Out        *out,
              guint32             ref,
              const KymoActivity *activity,
              gint                metric)
{
  const KymoRun *run = out->convert->run;
  const char *counter = metric >= 0 ? run->metrics->pdata[metric] : NULL;
  const char *own_unit = metric >= 0 ? kymo_run_metric_unit (run, metric) : "";
  OTF2_StringRef name = kymo_otf2_out_string (out, activity != NULL ? activity->name : counter);
  OTF2_StringRef mark = activity != NULL ? describe_otf2_regions (out, activity, ref)
    : kymo_otf2_out_string (out, "");
  OTF2_StringRef unit = kymo_otf2_out_string (out, activity != NULL
                                              ? unit_of (activity)
                                              : *own_unit != '\0' ? own_unit : "#");
  OTF2_Base base;
  gint64 exponent;

  find_exponent (metric >= 0 ? kymo_run_metric_scale (run, metric) : 1, &base, &exponent);
  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteMetricMember (
    out->defs, ref, name, mark, OTF2_METRIC_TYPE_OTHER,
    counter != NULL ? OTF2_METRIC_ACCUMULATED_START : OTF2_METRIC_ABSOLUTE_POINT,
    counter != NULL ? OTF2_TYPE_UINT64 : OTF2_TYPE_DOUBLE, base, exponent, unit));
}

/**
 * kymo_otf2_out_write_metrics:
 *
 * Each metric of samples has a class of its own number; the counters of blocks share one.
 */
void
kymo_otf2_out_write_metrics (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  g_autofree const KymoActivity **events = g_new0 (const KymoActivity *, out->n_members + 1);
  g_autofree gint *counters = g_new (gint, out->n_members + 1);

  for (guint i = 0; i < run->activities->len; i++)
    if (out->member_of[i] != KYMO_OTF2_NO_REF)
      events[out->member_of[i]] = kymo_run_peek_activity (run, i);
  memset (counters, 0xff, (out->n_members + 1) * sizeof *counters);
  for (guint k = 0; k < run->metrics->len; k++)
    counters[out->counter_of[k]] = k;
  for (guint i = 0; i < out->n_members; i++)
    write_member (out, i, events[i], counters[i]);
  for (guint32 i = 0; i < out->n_members; i++)
    kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteMetricClass (
      out->defs, i, 1, &i, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT));
  if (run->metrics->len > 0)
    kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteMetricClass (
      out->defs, out->counters, run->metrics->len, out->counter_of,
      OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU));
}
