/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the row are those of the question "profile"; see
 * kymo-gauge.h.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-gauge.h"
#include "kymo-time-parts.h"
#include "kymo-units.h"

struct _KymoGauge
{
  GObject      parent_instance;

  KymoAsker   *asker;
  gboolean     is_set;
  gint64       location;
  KymoSpan     span;
  KymoTable   *answer;             /* of the stretch, or NULL */
};

G_DEFINE_FINAL_TYPE (KymoGauge, kymo_gauge, G_TYPE_OBJECT)

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoGauge *self = data;

  g_clear_pointer (&self->answer, kymo_table_unref);
  if (answer != NULL)
    self->answer = kymo_table_ref (answer);
  g_signal_emit_by_name (self, "changed");
}

/**
 * kymo_gauge_set:
 * @location: whose row is measured, or -1 for a stretch of no row
 * @span: the stretch, ns
 *
 * Measures a stretch, in place of the stretch before. "changed" comes at once, and again when the
 * figures of the row are there. The same stretch again changes nothing.
 */
void
kymo_gauge_set (KymoGauge *self, gint64 location, KymoSpan span)
{
  KymoQuestion *question;
  g_autoptr (KymoIdSet) set = NULL;

  if (self->is_set && self->location == location
      && self->span.begin_ns == span.begin_ns
      && self->span.end_ns == span.end_ns)
    return;
  self->is_set = TRUE;
  self->location = location;
  self->span = span;
  g_clear_pointer (&self->answer, kymo_table_unref);
  kymo_asker_cancel (self->asker);
  if (location >= 0 && kymo_span_length (span) > 0)
    {
      question = kymo_question_new ("profile");
      set = kymo_id_set_new_list (&location, 1);
      kymo_question_set_span (question, span);
      kymo_question_set_locations (question, set);
      kymo_question_set_int (question, "per-location", 1);
      kymo_asker_ask (self->asker, question);
    }
  g_signal_emit_by_name (self, "changed");
}

/** kymo_gauge_clear: Returns: whether anything was measured */
gboolean
kymo_gauge_clear (KymoGauge *self)
{
  if (!self->is_set)
    return FALSE;
  self->is_set = FALSE;
  kymo_asker_cancel (self->asker);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_signal_emit_by_name (self, "changed");
  return TRUE;
}

/** kymo_gauge_get: Returns: whether anything is measured */
gboolean
kymo_gauge_get (KymoGauge *self, gint64 *location, KymoSpan *span)
{
  if (!self->is_set)
    return FALSE;
  *location = self->location;
  *span = self->span;
  return TRUE;
}

/* Three digits are enough, as of all figures. */
static char *
rate_in_words (gint64 ns)
{
  static const char *const units[] = { "Hz", "kHz", "MHz", "GHz" };
  g_autofree char *number = NULL;
  double rate = 1e9 / ns;
  guint unit = 0;

  while (rate >= 1000 && unit + 1 < G_N_ELEMENTS (units))
    {
      rate /= 1000;
      unit++;
    }
  number = kymo_format_number (rate, 3);
  return g_strdup_printf ("%s %s", number, units[unit]);
}

static gint64
count_blocks (KymoTable *answer)
{
  KymoTable *activities = kymo_table_peek_nested (answer, "activities", NULL);
  gint64 n = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (activities); i++)
    if (g_strcmp0 (kymo_table_get_string (activities, "kind", i), "event")
        != 0)
      n += MAX (kymo_table_get_int (activities, "blocks", i), 0);
  return n;
}

static char *
row_in_words (KymoTable *answer)
{
  KymoTable *rows = kymo_table_peek_nested (answer, "per_location", NULL);
  double all = MAX (kymo_table_get_int (answer, "span_ns", 0), 1);
  g_autofree char *blocks = kymo_format_count (count_blocks (answer));
  guint n_parts;
  const KymoTimePart *work = kymo_time_parts (answer, &n_parts);
  g_autofree char *share = kymo_format_percent (kymo_time_part_ns (answer, work) / all);
  g_autofree char *idle
    = kymo_format_percent (kymo_table_get_int (answer, "idle_ns", 0) / all);

  return g_strdup_printf (kymo_tells_useful (answer) ? _("%s: blocks %s, useful %s, idle %s")
                          : _("%s: blocks %s, busy %s, idle %s"),
                          rows != NULL && kymo_table_get_n_rows (rows) > 0
                          ? kymo_table_peek_label (rows, "label", 0) : "",
                          blocks, share, idle);
}

/**
 * kymo_gauge_dup_words:
 *
 * Returns: (transfer full) (nullable): length and rate of the stretch, then the figures of its row
 *   where they are there; %NULL where nothing is measured
 */
char *
kymo_gauge_dup_words (KymoGauge *self)
{
  gint64 ns = kymo_span_length (self->span);
  g_autofree char *length = NULL, *rate = NULL, *row = NULL;

  if (!self->is_set)
    return NULL;
  length = kymo_format_duration (ns);
  if (ns == 0)
    return g_steal_pointer (&length);
  rate = rate_in_words (ns);
  if (self->answer == NULL)
    return g_strdup_printf ("%s, %s", length, rate);
  row = row_in_words (self->answer);
  return g_strdup_printf ("%s, %s · %s", length, rate, row);
}

static void
kymo_gauge_dispose (GObject *object)
{
  KymoGauge *self = KYMO_GAUGE (object);

  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_pointer (&self->answer, kymo_table_unref);
  G_OBJECT_CLASS (kymo_gauge_parent_class)->dispose (object);
}

static void
kymo_gauge_class_init (KymoGaugeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_gauge_dispose;
  kymo_signal_new ("changed", KYMO_TYPE_GAUGE, 0);
}

static void
kymo_gauge_init (KymoGauge *self)
{
}

/** kymo_gauge_of: (transfer none): that of a session, made on first use */
KymoGauge *
kymo_gauge_of (KymoSession *session)
{
  static const char key[] = "kymo-gauge";
  KymoGauge *self = g_object_get_data (G_OBJECT (session), key);

  if (self != NULL)
    return self;
  self = g_object_new (KYMO_TYPE_GAUGE, NULL);
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_answer,
                                self);
  g_object_set_data_full (G_OBJECT (session), key, self, g_object_unref);
  return self;
}
