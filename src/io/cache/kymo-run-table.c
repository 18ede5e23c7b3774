/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a run as a GVariant and back. GVariant is safe to read
 * whatever the bytes are: what does not fit comes out as nothing.
 *
 * The path is left out: it is as the person wrote it, not as the file says.
 */
#include "config.h"

#include <string.h>

#include "kymo-segment-layout.h"

/* A member that is added to one of these has to be kept as well: here, in
   kymo-segment-layout.h or with a word why not. */
#if GLIB_SIZEOF_VOID_P == 8
G_STATIC_ASSERT (sizeof (KymoActivity) == 64);
G_STATIC_ASSERT (sizeof (KymoLocation) == 88);
G_STATIC_ASSERT (sizeof (KymoPoint) == 48);
G_STATIC_ASSERT (sizeof (KymoRun) == 328);
G_STATIC_ASSERT (sizeof (KymoSegment) == 584);
G_STATIC_ASSERT (sizeof (KymoExchange) == 160);
G_STATIC_ASSERT (sizeof (KymoStretched) == 40);
G_STATIC_ASSERT (sizeof (KymoStretchSum) == 24);
#endif

static GVariant *
pack_facts (GArray *facts)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(ss)"));
  for (guint i = 0; i < facts->len; i++)
    {
      const KymoFact *fact = &g_array_index (facts, KymoFact, i);

      g_variant_builder_add (&list, "(ss)", fact->key, fact->value);
    }
  return g_variant_builder_end (&list);
}

static GVariant *
pack_words (GPtrArray *words)
{
  return g_variant_new_strv ((const char *const *) words->pdata, words->len);
}

static void
unpack_words (GVariantIter *iter,
              GPtrArray    *words)
{
  char *word;

  while (g_variant_iter_next (iter, "s", &word))
    g_ptr_array_add (words, word);
}

static GVariant *
pack_activities (const KymoRun *run)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(xssssuuisu)"));
  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *a = kymo_run_peek_activity (run, i);

      g_variant_builder_add (&list, "(xssssuuisu)", a->id, a->name, a->signature, a->group, a->unit,
                             a->kind, a->role, a->told_role, a->file, a->line);
    }
  return g_variant_builder_end (&list);
}

/* A location without its label, as it lies in the array: there may be a
   hundred thousand, so that they are taken at once and not one by one. */
typedef struct
{
  gint64  id;
  gint64  process;
  gint64  clock_offset_ns;
  gint64  begin_ns;
  gint64  end_ns;
  gint64  n_records;
  gint64  place;
  gint64  cpu_ns;
  guint32 kind;
  guint16 kept;
  guint16 cpu_clock;
} StoredLocation;

#define STORED_LOCATION_TYPE "(xxxxxxxxuqq)"
G_STATIC_ASSERT (sizeof (StoredLocation) == 72);

static GVariant *
pack_locations (const KymoRun *run)
{
  g_autofree StoredLocation *stored = g_new0 (StoredLocation, MAX (run->locations->len, 1));

  for (guint i = 0; i < run->locations->len; i++)
    {
      const KymoLocation *l = kymo_run_peek_location (run, i);

      stored[i] = (StoredLocation) { l->id, l->process, l->clock_offset_ns, l->span.begin_ns,
                                     l->span.end_ns, l->n_records, l->place, l->cpu_ns, l->kind,
                                     l->kept, l->cpu_clock };
    }
  return g_variant_new_fixed_array (G_VARIANT_TYPE (STORED_LOCATION_TYPE), stored,
                                    run->locations->len, sizeof *stored);
}

/* The labels of all locations, one after the other, each ended by 0. */
static GVariant *
pack_labels (const KymoRun *run)
{
  g_autoptr (GString) labels = g_string_new (NULL);

  for (guint i = 0; i < run->locations->len; i++)
    {
      const char *label = kymo_run_peek_location (run, i)->label;

      g_string_append_len (labels, label, strlen (label) + 1);
    }
  return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, labels->str, labels->len, 1);
}

static GVariant *
pack_report (KymoReport *report)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(susxx)"));
  for (guint i = 0; i < kymo_report_get_n_issues (report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (report, i);

      g_variant_builder_add (&list, "(susxx)", issue->file, issue->severity, issue->what,
                             issue->count, issue->offset);
    }
  return g_variant_builder_end (&list);
}

static GVariant *
pack_places (const KymoRun *run)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(ssx)"));
  for (guint i = 0; i < run->places->len; i++)
    {
      const KymoPlace *place = &g_array_index (run->places, KymoPlace, i);

      g_variant_builder_add (&list, "(ssx)", place->kind, place->label, place->parent);
    }
  return g_variant_builder_end (&list);
}

static GVariant *
pack_metric_units (const KymoRun *run)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(sd)"));
  for (guint i = 0; i < run->metric_units->len; i++)
    g_variant_builder_add (&list, "(sd)", kymo_run_metric_unit (run, i),
                           kymo_run_metric_scale (run, i));
  return g_variant_builder_end (&list);
}

/* The variant holds the elements as the array does; @type is its type and begins with "a". */
static GVariant *
pack_array (GArray     *array,
            const char *type)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE (type + 1), array->data, array->len,
                                    g_array_get_element_size (array));
}

static void
unpack_array (GVariant *list,
              GArray   *array)
{
  gsize n;
  gconstpointer all = g_variant_get_fixed_array (list, &n, g_array_get_element_size (array));

  g_array_append_vals (array, all, n);
}

/**
 * kymo_run_table_pack:
 *
 * Returns: (transfer full): everything of the run but its segments and path
 */
GVariant *
kymo_run_table_pack (const KymoRun *run)
{
  KymoSpan span = kymo_run_get_records_span (run);

  return g_variant_ref_sink (g_variant_new (
    "(usmsmsxxxxxx@a(xssssuuisu)@a(xxxxxxxxuqq)@ay@a(ss)@a(ss)@as@as@a(susxx)uu@a(ssx)@a(sd)@"
    KYMO_DEFINITIONS_TYPE "@a(ss)@" KYMO_SERIES_TYPE "@" KYMO_STRETCHED_TYPE "@"
    KYMO_STRETCH_SUMS_TYPE ")",
    run->kind, run->title, run->format, run->format_version, span.begin_ns, span.end_ns,
    run->axis.begin_ns, run->axis.end_ns, run->n_records, run->n_locations_original,
    pack_activities (run), pack_locations (run), pack_labels (run), pack_facts (run->facts),
    pack_facts (run->stat_names), pack_words (run->metrics), pack_words (run->notes),
    pack_report (run->report), run->terms.row, run->terms.code, pack_places (run),
    pack_metric_units (run), kymo_definitions_pack (run->definitions),
    pack_facts (run->environment), kymo_series_pack (run->series),
    pack_array (run->stretched, KYMO_STRETCHED_TYPE),
    pack_array (run->stretch_sums, KYMO_STRETCH_SUMS_TYPE)));
}

static void
unpack_facts (GVariant *list,
              GArray   *facts)
{
  GVariantIter iter;
  KymoFact fact;

  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(ss)", &fact.key, &fact.value))
    g_array_append_val (facts, fact);
}

static gboolean
unpack_activities (GVariant *list,
                   KymoRun  *run)
{
  KymoActivity a = { 0 };
  GVariantIter iter;
  guint32 kind, role;
  gboolean fit = TRUE;

  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(xssssuuisu)", &a.id, &a.name, &a.signature, &a.group,
                              &a.unit, &kind, &role, &a.told_role, &a.file, &a.line))
    {
      fit = fit && kind <= KYMO_ACTIVITY_EVENT && role <= KYMO_ROLE_RUNTIME
        && a.told_role >= -1 && a.told_role <= KYMO_ROLE_RUNTIME;
      a.kind = kind;
      a.role = role;
      g_array_append_val (run->activities, a);
    }
  return fit;
}

/* Ids ascend, as kymo_run_find_location() relies on; there is a label for each. */
static gboolean
unpack_locations (GVariant *list,
                  GVariant *labels,
                  KymoRun  *run)
{
  gsize n, n_bytes;
  const StoredLocation *stored = g_variant_get_fixed_array (list, &n, sizeof *stored);
  const char *label = g_variant_get_fixed_array (labels, &n_bytes, 1);
  const char *end = label + n_bytes;
  gint64 before = -1;

  for (gsize i = 0; i < n; i++)
    {
      const StoredLocation *s = &stored[i];
      const char *stop = label < end ? memchr (label, '\0', end - label) : NULL;
      KymoLocation l = { s->id, NULL, s->kind, s->process, s->place, s->clock_offset_ns,
                         { s->begin_ns, s->end_ns }, s->n_records, s->cpu_ns, s->kept != 0,
                         s->cpu_clock };

      if (stop == NULL || s->id <= before
          || (run->places->len > 0 && s->place >= (gint64) run->places->len)
          || s->kind > KYMO_LOCATION_COMM || s->n_records < 0 || s->cpu_ns < 0
          || s->cpu_ns > KYMO_SEGMENT_MAX_NS || s->cpu_clock > KYMO_CPU_CLOCK_FINE
          || !g_utf8_validate (label, stop - label, NULL))
        return FALSE;
      l.label = g_strndup (label, stop - label);
      g_array_append_val (run->locations, l);
      before = s->id;
      label = stop + 1;
    }
  return label == end;
}

/* Each lies in one that comes before it. */
static gboolean
unpack_places (GVariant *list,
               KymoRun  *run)
{
  GVariantIter iter;
  const char *kind, *label;
  gint64 parent;

  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(&s&sx)", &kind, &label, &parent))
    {
      if (parent < -1 || parent >= (gint64) run->places->len)
        return FALSE;
      kymo_run_add_place (run, kind, label, parent);
    }
  return TRUE;
}

/* No more of them than metrics. */
static gboolean
unpack_metric_units (GVariant *list,
                     KymoRun  *run)
{
  GVariantIter iter;
  KymoMetricUnit its;

  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(sd)", &its.unit, &its.scale))
    g_array_append_val (run->metric_units, its);
  return run->metric_units->len <= run->metrics->len;
}

static gboolean
unpack_report (GVariant   *list,
               KymoReport *report)
{
  GVariantIter iter;
  const char *file, *what;
  guint32 severity;
  gint64 count, offset;

  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(&su&sxx)", &file, &severity, &what, &count, &offset))
    {
      if (severity > KYMO_SEVERITY_LOST)
        return FALSE;
      kymo_report_add (report, file, severity, count, offset, "%s", what);
    }
  return TRUE;
}

/**
 * kymo_run_table_unpack:
 * @run: an empty run
 * @table: any variant
 *
 * Returns: whether the table could be taken over
 */
gboolean
kymo_run_table_unpack (KymoRun  *run,
                       GVariant *table)
{
  g_autoptr (GVariant) activities = NULL;
  g_autoptr (GVariant) locations = NULL;
  g_autoptr (GVariant) labels = NULL;
  g_autoptr (GVariant) facts = NULL;
  g_autoptr (GVariant) stats = NULL;
  g_autoptr (GVariant) report = NULL;
  g_autoptr (GVariant) places = NULL;
  g_autoptr (GVariant) units = NULL;
  g_autoptr (GVariant) definitions = NULL;
  g_autoptr (GVariant) environment = NULL;
  g_autoptr (GVariant) series = NULL;
  g_autoptr (GVariant) stretched = NULL;
  g_autoptr (GVariant) stretch_sums = NULL;
  g_autoptr (GVariantIter) metrics = NULL;
  g_autoptr (GVariantIter) notes = NULL;
  guint32 kind, row_term, code_term;

  if (!g_variant_is_of_type (table, G_VARIANT_TYPE (KYMO_RUN_TABLE_TYPE)))
    return FALSE;
  g_variant_get (table,
                 "(usmsmsxxxxxx@a(xssssuuisu)@a(xxxxxxxxuqq)@ay@a(ss)@a(ss)asas@a(susxx)uu@a(ssx)"
                 "@a(sd)@"
                 KYMO_DEFINITIONS_TYPE "@a(ss)@" KYMO_SERIES_TYPE "@" KYMO_STRETCHED_TYPE "@"
                 KYMO_STRETCH_SUMS_TYPE ")",
                 &kind, &run->title, &run->format, &run->format_version, &run->span.begin_ns,
                 &run->span.end_ns, &run->axis.begin_ns, &run->axis.end_ns, &run->n_records,
                 &run->n_locations_original, &activities, &locations, &labels, &facts,
                 &stats, &metrics, &notes, &report, &row_term, &code_term, &places,
                 &units, &definitions, &environment, &series, &stretched, &stretch_sums);
  unpack_words (metrics, run->metrics);
  unpack_words (notes, run->notes);
  unpack_facts (facts, run->facts);
  unpack_facts (stats, run->stat_names);
  unpack_facts (environment, run->environment);
  unpack_array (stretched, run->stretched);
  unpack_array (stretch_sums, run->stretch_sums);
  run->kind = kind;
  run->terms = (KymoTerms) { row_term, code_term };
  return kind <= KYMO_RUN_REDUCED && row_term <= KYMO_ROW_THREAD
    && code_term <= KYMO_CODE_FUNCTION && unpack_places (places, run)
    && unpack_activities (activities, run)
    && unpack_locations (locations, labels, run) && unpack_report (report, run->report)
    && unpack_metric_units (units, run) && kymo_definitions_unpack (definitions, run)
    && kymo_series_unpack (series, run->locations->len, run->series)
    && kymo_stretched_are_good (run->stretched, run->stretch_sums, run->locations->len,
                                run->activities->len, KYMO_SEGMENT_MAX_NS);
}
