/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summary: what the run is and how efficient it was, as two columns of lines; for
 * files. The window has a page of rows for it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-legend.h"
#include "kymo-text.h"
#include "kymo-time-parts.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_summary;

#define LINE_PX 24
#define MAX_ISSUES 12

/* The pen: where the next line goes. */
typedef struct
{
  cairo_t         *cr;
  const KymoTheme *theme;
  KymoRect         area;
  double           y;
} Pen;

static void
put_head (Pen *pen, const char *text)
{
  KymoTextStyle style = { KYMO_TEXT_NORMAL, TRUE, 0, pen->area.width };

  pen->y += LINE_PX * 0.5;
  kymo_text_draw (pen->cr, text, pen->area.x, pen->y + LINE_PX / 2.0, style,
                  pen->theme->foreground);
  pen->y += LINE_PX;
}

static void
put_line (Pen *pen, const char *key, const char *value)
{
  KymoTextStyle left = { KYMO_TEXT_NORMAL - 0.5, FALSE, 0, 150 };
  KymoTextStyle right = left;

  right.max_px = MAX (pen->area.width - 160, 40);
  if (value == NULL || pen->y + LINE_PX > pen->area.y + pen->area.height)
    return;
  kymo_text_draw (pen->cr, key, pen->area.x, pen->y + LINE_PX / 2.0, left,
                  pen->theme->secondary);
  kymo_text_draw (pen->cr, value, pen->area.x + 160, pen->y + LINE_PX / 2.0,
                  right, pen->theme->foreground);
  pen->y += LINE_PX;
}

static void
put_taken (Pen *pen, const char *key, char *value)
{
  put_line (pen, key, value);
  g_free (value);
}

/* Sums without any time: nothing in them lasts or follows something else. */
static gboolean
is_profile (const KymoTable *answer)
{
  return g_strcmp0 (kymo_table_get_string (answer, "kind", 0), "profile") == 0;
}

static void
put_share (Pen *pen, const KymoTable *answer, const KymoTimePart *part)
{
  gint64 span_ns = MAX (kymo_table_get_int (answer, "span_ns", 0), 1);
  gint64 ns = kymo_time_part_ns (answer, part);
  gboolean rest = kymo_has_rest (answer);
  g_autofree char *share = kymo_format_percent ((double) ns / (double) span_ns);
  g_autofree char *time = kymo_format_duration (ns);

  if ((ns == 0 && !part->always) || (rest && g_str_equal (part->key, "idle_ns")))
    return;
  put_taken (pen, rest && g_str_equal (part->key, "overhead_ns") ? _("Idle or overhead")
             : _(part->title), g_strdup_printf ("%s · %s", share, time));
}

/* The factors of the parallel efficiency of a stream are unknown. */
static void
put_efficiency (Pen *pen, const KymoTable *answer)
{
  static const struct { const char *key, *title; } shares[] = {
    { "parallel_efficiency", N_("Parallel efficiency") },
    { "load_balance", N_("Load balance") },
    { "communication_efficiency", N_("Communication efficiency") },
    { "serialization_efficiency", N_("Serialization efficiency") },
    { "transfer_efficiency", N_("Transfer efficiency") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      double share = kymo_table_find_column (answer, shares[i].key) < 0 ? NAN
        : kymo_table_get_double (answer, shares[i].key, 0);

      if (!isnan (share))
        put_taken (pen, _(shares[i].title), kymo_format_percent (share));
    }
}

static void
put_performance (Pen *pen, const KymoTable *answer)
{
  double imbalance = kymo_table_get_double (answer, "imbalance", 0);
  double utilization = kymo_table_get_double (answer, "utilization", 0);
  guint n_parts;
  const KymoTimePart *parts = kymo_time_parts (answer, &n_parts);

  put_head (pen, _("Efficiency"));
  if (!isnan (utilization))
    put_taken (pen, _("Utilization"), kymo_format_percent (utilization));
  if (!isnan (imbalance))
    put_taken (pen, _("Load imbalance"), g_strdup_printf ("%.2f", imbalance));
  put_efficiency (pen, answer);
  if (is_profile (answer))
    return;
  for (guint i = 0; i < n_parts; i++)
    put_share (pen, answer, &parts[i]);
}

static void
put_stream (Pen *pen, const KymoTable *answer)
{
  KymoTable *stream = kymo_table_peek_nested (answer, "stream", NULL);
  gint64 blocks, lost;

  if (stream == NULL)
    return;
  blocks = kymo_table_get_int (stream, "blocks", 0);
  lost = kymo_table_get_int (stream, "lost", 0);
  put_taken (pen, _("Blocks received"), kymo_format_count (blocks));
  if (lost > 0)
    put_taken (pen, _("Blocks lost"), kymo_format_count (lost));
}

static void
put_size (Pen *pen, const KymoTable *answer, KymoTerms terms)
{
  gint64 begin_ns = kymo_table_get_int (answer, "begin_ns", 0);
  gint64 n = kymo_table_get_int (answer, "locations", 0);
  gint64 original = kymo_table_get_int (answer, "locations_original", 0);
  g_autofree char *count = kymo_format_count (n);
  g_autofree char *all = kymo_format_count (original);

  put_head (pen, _("Size"));
  if (!is_profile (answer))
    put_taken (pen, _("Duration"),
               kymo_format_duration (kymo_table_get_int (answer, "end_ns", 0) - begin_ns));
  put_taken (pen, _("Locations"),
             kymo_has_rest (answer)
             ? g_strdup_printf (terms.row == KYMO_ROW_RANK ? _("mean of %s ranks")
                                : _("mean of %s PEs"), all)
             : n == original ? g_strdup (count)
             : g_strdup_printf (_("%s of %s"), count, all));
  if (kymo_table_get_bool (answer, "extrapolated", 0))
    put_taken (pen, _("Extrapolated to"),
               kymo_format_count (llround (kymo_table_get_double (answer, "stands_for", 0))));
  put_stream (pen, answer);
  if (kymo_table_find_column (answer, "bins") >= 0)
    {
      put_taken (pen, _("Bins of time"),
                 kymo_format_count (kymo_table_get_int (answer, "bins", 0)));
      return;
    }
  if (is_profile (answer))
    {
      put_taken (pen, _("Functions"),
                 kymo_format_count (kymo_table_get_int (answer, "activities", 0)));
      return;
    }
  put_taken (pen, _("Records"),
             kymo_format_count (kymo_table_get_int (answer, "records", 0)));
  put_taken (pen, _("Blocks"),
             kymo_format_count (kymo_table_get_int (answer, "intervals", 0)));
  put_taken (pen, _("Messages"),
             kymo_format_count (kymo_table_get_int (answer, "messages", 0)));
}

static void
put_origin (Pen *pen, const KymoTable *answer)
{
  static const struct { const char *key, *title; } facts[] = {
    { "program", N_("Program") }, { "command_line", N_("Command line") },
    { "machine", N_("Machine") }, { "host", N_("Host") },
    { "user", N_("User") }, { "timestamp", N_("Run ended") },
    { "names_written", N_("Names written") },
    { "runtime_version", N_("Runtime") },
  };
  KymoTable *run = kymo_table_peek_nested (answer, "run", NULL);

  const char *version = kymo_table_get_string (answer, "format_version", 0);

  put_head (pen, _("Where it comes from"));
  for (guint i = 0; run != NULL && i < G_N_ELEMENTS (facts); i++)
    put_line (pen, _(facts[i].title),
              kymo_table_get_string (run, facts[i].key, 0));
  put_taken (pen, _("Form"),
             g_strdup_printf ("%s, %s %s",
                              kymo_table_get_string (answer, "kind", 0),
                              kymo_table_get_string (answer, "format", 0),
                              version != NULL ? version : ""));
}

static void
put_report (Pen *pen, const KymoTable *answer)
{
  KymoTable *report = kymo_table_peek_nested (answer, "report", NULL);
  KymoTable *issues = report != NULL
    ? kymo_table_peek_nested (report, "issues", NULL) : NULL;
  guint n = issues != NULL ? kymo_table_get_n_rows (issues) : 0;

  put_head (pen, _("Load report"));
  if (n == 0)
    put_line (pen, _("Complete"), _("nothing is missing, nothing repaired"));
  for (guint i = 0; i < MIN (n, MAX_ISSUES); i++)
    {
      g_autofree char *count
        = kymo_format_count (kymo_table_get_int (issues, "count", i));

      put_taken (pen, kymo_table_get_string (issues, "severity", i),
                 g_strdup_printf ("%s: %s (%s)",
                                  kymo_table_get_string (issues, "file", i),
                                  kymo_table_get_string (issues, "what", i),
                                  count));
    }
  if (n > MAX_ISSUES)
    put_taken (pen, "", g_strdup_printf (_("and %u more"), n - MAX_ISSUES));
}

static void
summary_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  KymoRect area = kymo_plot_frame_area (&kymo_plot_summary, frame);
  Pen pen = { cr, kymo_theme_get (frame->look), area, area.y };

  kymo_decor_paint (cr, &kymo_plot_summary, frame, NULL);
  pen.area.width = area.width / 2 - 20;
  put_performance (&pen, answer);
  put_size (&pen, answer, picture->frame.terms);
  pen.area.x += area.width / 2;
  pen.y = area.y;
  put_origin (&pen, answer);
  put_report (&pen, answer);
}

static gboolean
summary_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  kymo_hit_init (hit);
  return FALSE;
}

static KymoQuestion *
summary_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_question_new ("info");

  kymo_question_set_int (question, "factors", 1);
  return question;
}

const KymoPlotClass kymo_plot_summary = {
  .id = "summary",
  .title = N_("Summary"),
  .question = summary_question,
  .paint = summary_paint,
  .hit = summary_hit,
  .inset = { 16, 4, 20, 8 },
};
