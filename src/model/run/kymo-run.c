/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-run.h"

#include "kymo-error.h"
#include "kymo-name.h"
#include "kymo-order.h"
#include "kymo-run-index.h"

/* A part of a run may begin before the records of its PEs and end after, but
   not by more than a log may last. */
#define MAX_BESIDE_NS (G_GINT64_CONSTANT (1) << 53)

static void
activity_clear (gpointer data)
{
  KymoActivity *activity = data;

  g_free (activity->name);
  g_free (activity->signature);
  g_free (activity->group);
  g_free (activity->unit);
  g_free (activity->file);
}

static void
location_clear (gpointer data)
{
  g_free (((KymoLocation *) data)->label);
}

static void
metric_unit_clear (gpointer data)
{
  g_free (((KymoMetricUnit *) data)->unit);
}

static void
fact_clear (gpointer data)
{
  g_free (((KymoFact *) data)->key);
  g_free (((KymoFact *) data)->value);
}

static void
place_clear (gpointer data)
{
  g_free (((KymoPlace *) data)->label);
  g_free (((KymoPlace *) data)->kind);
}

static GArray *
new_array (guint          size,
           GDestroyNotify clear)
{
  GArray *array = g_array_new (FALSE, TRUE, size);

  g_array_set_clear_func (array, clear);
  return array;
}

/**
 * kymo_run_new:
 *
 * Returns: (transfer full): an empty run with an empty report, to be filled on one thread and
 *   then sealed
 */
KymoRun *
kymo_run_new (void)
{
  KymoRun *run = g_new0 (KymoRun, 1);

  g_atomic_ref_count_init (&run->ref_count);
  run->activities = new_array (sizeof (KymoActivity), activity_clear);
  run->locations = new_array (sizeof (KymoLocation), location_clear);
  run->segments = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_segment_unref);
  run->places = new_array (sizeof (KymoPlace), place_clear);
  run->facts = new_array (sizeof (KymoFact), fact_clear);
  run->series = new_array (sizeof (KymoSeries), kymo_series_clear);
  run->environment = new_array (sizeof (KymoFact), fact_clear);
  run->stat_names = new_array (sizeof (KymoFact), fact_clear);
  run->metrics = g_ptr_array_new_with_free_func (g_free);
  run->metric_units = new_array (sizeof (KymoMetricUnit), metric_unit_clear);
  run->stretched = g_array_new (FALSE, FALSE, sizeof (KymoStretched));
  run->stretch_sums = g_array_new (FALSE, FALSE, sizeof (KymoStretchSum));
  run->report = kymo_report_new ();
  run->notes = g_ptr_array_new_with_free_func (g_free);
  run->index = kymo_run_index_new ();
  return run;
}

/**
 * kymo_run_ref:
 *
 * Returns: (transfer full): @run, with one more reference
 */
KymoRun *
kymo_run_ref (KymoRun *run)
{
  g_atomic_ref_count_inc (&run->ref_count);
  return run;
}

/**
 * kymo_run_unref:
 *
 * Drops a reference to @run and frees it with the last reference. %NULL is ignored. Any
 * thread.
 */
void
kymo_run_unref (KymoRun *run)
{
  if (run == NULL || !g_atomic_ref_count_dec (&run->ref_count))
    return;
  g_free (run->title);
  g_free (run->path);
  g_free (run->format);
  g_free (run->format_version);
  g_array_unref (run->activities);
  g_array_unref (run->locations);
  g_ptr_array_unref (run->segments);
  g_array_unref (run->places);
  kymo_collectives_free (run->collectives);
  kymo_definitions_free (run->definitions);
  g_clear_pointer (&run->thread_links, g_array_unref);
  g_clear_pointer (&run->profiles, g_ptr_array_unref);
  g_array_unref (run->facts);
  g_array_unref (run->environment);
  g_array_unref (run->series);
  g_array_unref (run->stat_names);
  g_ptr_array_unref (run->metrics);
  g_array_unref (run->metric_units);
  g_array_unref (run->stretched);
  g_array_unref (run->stretch_sums);
  kymo_report_unref (run->report);
  g_ptr_array_unref (run->notes);
  kymo_run_index_free (run->index);
  g_free (run->draft);
  kymo_stream_log_unref (run->stream);
  kymo_reduction_free (run->reduction);
  if (run->origin_free != NULL)
    run->origin_free (run->origin);
  g_free (run);
}

/**
 * kymo_run_add_activity:
 * @id: its number in the files
 * @name: display name
 * @signature: (nullable): full name; %NULL = the same
 * @group: (nullable): chare or class
 *
 * Adds an activity. The texts are copied, and long ones cut.
 *
 * Returns: the activity's index in the run
 */
guint
kymo_run_add_activity (KymoRun          *run,
                       KymoActivityKind  kind,
                       gint64            id,
                       const char       *name,
                       const char       *signature,
                       const char       *group)
{
  KymoActivity activity = {
    .id = id,
    .name = kymo_name_dup (name, -1),
    .signature = kymo_name_dup (signature != NULL ? signature : name, -1),
    .group = kymo_name_dup (group != NULL ? group : "", -1),
    .unit = g_strdup (""),
    .kind = kind,
    .role = KYMO_ROLE_COMPUTE,
    .told_role = -1,
    .file = g_strdup (""),
  };

  g_array_append_val (run->activities, activity);
  return run->activities->len - 1;
}

/**
 * kymo_run_add_metric:
 * @name: of the counter
 * @unit: of its counts; "" for none
 * @scale: value of a count of 1 in that unit: 1 or a fraction
 *
 * Adds a hardware counter of blocks. All metrics of a run that have units are added by this
 * function. The texts are copied.
 */
void
kymo_run_add_metric (KymoRun    *run,
                     const char *name,
                     const char *unit,
                     double      scale)
{
  KymoMetricUnit its = { kymo_name_dup (unit, -1), scale };

  g_ptr_array_add (run->metrics, kymo_name_dup (name, -1));
  g_array_append_val (run->metric_units, its);
}

/**
 * kymo_run_metric_unit:
 * @metric: index in KymoRun.metrics
 *
 * Returns: (transfer none): the unit of a hardware counter, "" for none
 */
const char *
kymo_run_metric_unit (const KymoRun *run,
                      guint          metric)
{
  return metric < run->metric_units->len
    ? g_array_index (run->metric_units, KymoMetricUnit, metric).unit : "";
}

/**
 * kymo_run_metric_scale:
 * @metric: index in KymoRun.metrics
 *
 * Returns: what a count of 1 is in the metric's unit
 */
double
kymo_run_metric_scale (const KymoRun *run,
                       guint          metric)
{
  return metric < run->metric_units->len
    ? g_array_index (run->metric_units, KymoMetricUnit, metric).scale : 1;
}

/**
 * kymo_run_add_fact:
 * @key: what the fact is about; copied
 * @value: copied, with bytes that are not UTF-8 replaced
 *
 * Adds a line to the facts of the whole run.
 */
void
kymo_run_add_fact (KymoRun    *run,
                   const char *key,
                   const char *value)
{
  KymoFact fact = { g_strdup (key), g_utf8_make_valid (value, -1) };

  g_array_append_val (run->facts, fact);
}

/**
 * kymo_run_has_fact:
 * @key: of a line of provenance
 *
 * Returns: whether the run has a line with this key
 */
gboolean
kymo_run_has_fact (const KymoRun *run,
                   const char    *key)
{
  for (guint i = 0; i < run->facts->len; i++)
    if (g_str_equal (g_array_index (run->facts, KymoFact, i).key, key))
      return TRUE;
  return FALSE;
}

/**
 * kymo_run_add_note:
 * @sentence: what the run does not know, so that no answer pretends it
 */
void
kymo_run_add_note (KymoRun    *run,
                   const char *sentence)
{
  g_ptr_array_add (run->notes, g_strdup (sentence));
}

/**
 * kymo_run_add_place:
 * @kind: its kind in a word, "node" or the like; copied
 * @label: its name; copied
 * @parent: index of the place it lies in, or -1
 *
 * Returns: its index in the run
 */
guint
kymo_run_add_place (KymoRun    *run,
                    const char *kind,
                    const char *label,
                    gint64      parent)
{
  KymoPlace place = { kymo_name_dup (label, -1), g_strdup (kind), parent };

  g_array_append_val (run->places, place);
  return run->places->len - 1;
}

/**
 * kymo_run_add_location:
 * @location: id, label (transfer full), kind, process, cpu_ns, cpu_clock and kept; its span and
 *   records are taken from the segment
 * @segment: (transfer full): its records
 *
 * Locations are added in ascending order of id.
 */
void
kymo_run_add_location (KymoRun      *run,
                       KymoLocation *location,
                       KymoSegment  *segment)
{
  if (strlen (location->label) > KYMO_NAME_MOST)
    {
      g_autofree char *label = location->label;

      location->label = kymo_name_dup (label, -1);
    }
  location->span = segment->span;
  location->n_records = segment->n_records;
  /* A segment that several drafts share has its number already. */
  if (segment->location != run->locations->len)
    segment->location = run->locations->len;
  g_array_append_val (run->locations, *location);
  g_ptr_array_add (run->segments, segment);
}

/**
 * kymo_run_get_records_span:
 *
 * Returns: from the first to the last record of any location; of a part of a
 * longer run more than its span
 */
KymoSpan
kymo_run_get_records_span (const KymoRun *run)
{
  KymoSpan span = { G_MAXINT64, G_MININT64 };

  for (guint i = 0; i < run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (run, i);

      span.begin_ns = MIN (span.begin_ns, location->span.begin_ns);
      span.end_ns = MAX (span.end_ns, location->span.end_ns);
    }
  return run->locations->len > 0 ? span : (KymoSpan) { 0, 0 };
}

/**
 * kymo_run_seal:
 *
 * Adds up what the locations told. The run must not be changed after, but by
 * kymo_run_select().
 */
void
kymo_run_seal (KymoRun *run)
{
  run->span = kymo_run_get_records_span (run);
  run->n_records = 0;
  for (guint i = 0; i < run->locations->len; i++)
    run->n_records += kymo_run_peek_location (run, i)->n_records;
  kymo_report_sort (run->report);
}

/* Times of all PEs together, or of all they stand for, must be numbers, with
   some room for what is summed up of them. */
static gboolean
can_be_summed (const KymoRun *run,
               KymoSpan       span)
{
  gint64 n = run->reduction == NULL ? run->locations->len
    : kymo_id_weights_get_sum (run->reduction->weights) / KYMO_WEIGHT_ONE + 1;

  return (__int128) kymo_span_length (span) * n <= G_MAXINT64 / 4;
}

/**
 * kymo_run_select:
 * @run: sealed, and not asked yet
 * @span: the part of a longer run that it is about
 *
 * Makes that its span. One that is far from all records is no part of them, and
 * nothing is selected then; nor where it is so long that times cannot be summed
 * up.
 */
void
kymo_run_select (KymoRun  *run,
                 KymoSpan  span)
{
  KymoSpan records = kymo_run_get_records_span (run);

  run->selection = (KymoSpan) { 0, 0 };
  if ((__int128) records.begin_ns - span.begin_ns > MAX_BESIDE_NS
      || (__int128) span.end_ns - records.end_ns > MAX_BESIDE_NS || !can_be_summed (run, span))
    return;
  run->selection = run->span = span;
  run->ends_early = records.end_ns > span.end_ns;
}

/**
 * kymo_run_is_binned:
 *
 * Returns: whether only sums by bins of time are known, no blocks
 */
gboolean
kymo_run_is_binned (const KymoRun *run)
{
  return run->kind == KYMO_RUN_SUMMARY || run->kind == KYMO_RUN_STREAM;
}

/** kymo_run_kind_to_string: the kind in answers; static, not translated */
const char *
kymo_run_kind_to_string (KymoRunKind kind)
{
  static const char *const words[] = { "trace", "reduced", "summary", "stream", "profile" };

  return words[kind];
}

/** kymo_activity_kind_to_string: the kind in answers; static, not translated */
const char *
kymo_activity_kind_to_string (KymoActivityKind kind)
{
  static const char *const words[] = { "entry", "function", "event" };

  return words[kind];
}

/** kymo_location_kind_to_string: the kind in answers; static, not translated */
const char *
kymo_location_kind_to_string (KymoLocationKind kind)
{
  static const char *const words[] = { "worker", "communication" };

  return words[kind];
}

static const char *const role_words[] =
  { "compute", "communication", "synchronization", "wait", "io", "runtime" };

/** kymo_role_to_string: the role in answers and in rules about names; static, not translated */
const char *
kymo_role_to_string (KymoRole role)
{
  return role_words[role];
}

/**
 * kymo_role_from_string:
 * @role: (out): what the word names
 *
 * Returns: whether @word names a role
 */
gboolean
kymo_role_from_string (const char *word,
                       KymoRole   *role)
{
  for (guint i = 0; i < G_N_ELEMENTS (role_words); i++)
    if (g_str_equal (role_words[i], word))
      {
        *role = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * kymo_run_has_corrected_clocks:
 *
 * Returns: whether times were shifted by choice: they are not those of the
 * files
 */
gboolean
kymo_run_has_corrected_clocks (const KymoRun *run)
{
  for (guint i = 0; i < run->locations->len; i++)
    if (kymo_run_peek_location (run, i)->clock_offset_ns != 0)
      return TRUE;
  return FALSE;
}

/**
 * kymo_run_read_again:
 *
 * Reads the run's files anew, into memory, after columns of its cache file turned out to be
 * damaged. Blocks; any thread. Sets %KYMO_ERROR_UNREADABLE if the run has no files, else the
 * errors of its reader.
 *
 * Returns: (transfer full) (nullable): the run as the files tell it now
 */
KymoRun *
kymo_run_read_again (const KymoRun  *run,
                     GError        **error)
{
  if (run->read_again != NULL)
    return run->read_again (run->origin, error);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("The run “%s” cannot be read again"), run->title);
  return NULL;
}

/**
 * kymo_run_is_on_disk:
 *
 * Returns: whether the run is larger than its memory limit, so that what it
 * holds lies in a file and is read as it is needed
 */
gboolean
kymo_run_is_on_disk (const KymoRun *run)
{
  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if (segment->backing != NULL && segment->scarce)
        return TRUE;
    }
  return FALSE;
}

/**
 * kymo_run_find_location:
 * @id: number in the files
 *
 * Returns: index of the location, or -1
 */
gint
kymo_run_find_location (const KymoRun *run,
                        gint64         id)
{
  guint n = run->locations->len, at;

  /* Mostly none is missing: then a number is its place. */
  if (id >= 0 && id < n && kymo_run_peek_location (run, id)->id == id)
    return id;
  at = KYMO_FIND_FIRST (i, 0, n, kymo_run_peek_location (run, i)->id >= id);
  return at < n && kymo_run_peek_location (run, at)->id == id ? (gint) at : -1;
}
