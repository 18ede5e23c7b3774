/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `export`: the picture the window shows, into a file.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-cli.h"
#include "kymo-command.h"
#include "kymo-comparison.h"
#include "kymo-export.h"
#include "kymo-figure-size.h"
#include "kymo-hues.h"
#include "kymo-palette-files.h"

#define LINE_COLUMNS 78

/** kymo_cli_export_help: the views there are, for the help page */
void
kymo_cli_export_help (GString *out)
{
  gsize begin;

  g_string_append (out, "\nViews:\n");
  begin = out->len;
  for (guint i = 0; kymo_plots[i] != NULL; i++)
    {
      if (out->len - begin + strlen (kymo_plots[i]->id) >= LINE_COLUMNS)
        {
          g_string_append_c (out, '\n');
          begin = out->len;
        }
      g_string_append_printf (out, "%s%s", out->len > begin ? " " : "  ", kymo_plots[i]->id);
    }
  g_string_append_c (out, '\n');
}

static const KymoPlotClass *
find_view (const char *id, GError **error)
{
  const KymoPlotClass *klass = kymo_plot_find (id);
  if (klass != NULL)
    return klass;

  g_autoptr (GString) known = g_string_new (NULL);
  g_autofree char *shown = g_utf8_make_valid (id, -1);
  for (guint i = 0; kymo_plots[i] != NULL; i++)
    g_string_append_printf (known, "%s%s", i ? ", " : "", kymo_plots[i]->id);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               "there is no view “%s”; there are %s", shown, known->str);
  return NULL;
}

/* The format by --format, else by the ending of --output. */
static const char *
find_format (KymoCli *cli, GError **error)
{
  const char *format = kymo_cli_get (cli, "format");
  const char *output = kymo_cli_get (cli, "output");

  if (output == NULL)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           "export needs a file: -o FILE.png, .svg, .pdf or "
                           ".csv");
      return NULL;
    }
  if (format == NULL)
    format = kymo_export_format_of (output);
  if (format == NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         "the file's ending must be .png, .svg, .pdf or .csv, "
                         "or --format must say which form is meant");
  return format;
}

/* What each name takes: in the run, or on the side of a comparison that has most of it. */
static KymoTable *
ask_profile (KymoCli *cli, KymoSource *source, gboolean compares, GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (compares ? "compare" : "profile");
  g_autoptr (KymoTable) answer =
    kymo_source_ask (source, question, kymo_job_peek_cancellable (cli->job), error);

  return answer != NULL && compares ? kymo_colors_profile_of_sides (answer)
                                    : g_steal_pointer (&answer);
}

/* The groups of names; what several runs have is in the group of the first of them. */
static GHashTable *
find_groups (KymoCli *cli, GError **error)
{
  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint run = cli->others != NULL ? cli->others->len + 1 : 1; run-- > 0;)
    {
      g_autoptr (KymoTable) profile = ask_profile (
        cli, run == 0 ? cli->source : cli->others->pdata[run - 1], FALSE, error);
      g_autoptr (GHashTable) groups = profile != NULL ? kymo_colors_groups (profile) : NULL;
      GHashTableIter iter;
      gpointer name, group;

      if (groups == NULL)
        {
          g_hash_table_unref (all);
          return NULL;
        }
      g_hash_table_iter_init (&iter, groups);
      while (g_hash_table_iter_next (&iter, &name, &group))
        g_hash_table_insert (all, g_strdup (name), g_strdup (group));
    }
  return all;
}

/* The colours and the order of the window: the busiest activity first. */
static KymoColors *
assign_colors (KymoCli *cli, KymoSource *source, gboolean compares, GError **error)
{
  const char *name = kymo_cli_get (cli, "palette");
  g_autoptr (KymoPalette) palette = kymo_palettes_load (name != NULL ? name : "standard",
                                                        error);
  g_autoptr (KymoTable) profile = NULL;
  g_autoptr (GHashTable) groups = NULL, families = NULL;
  g_auto (GStrv) names = NULL;
  const char *word = kymo_cli_get (cli, "color-by");
  KymoColorBy by = KYMO_COLOR_BY_NAME;
  KymoColors *colors;

  if (palette == NULL)
    return NULL;
  if (word != NULL && !kymo_color_by_parse (word, &by))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "--color-by is name, role, group or communicator, not %s", word);
      return NULL;
    }
  profile = ask_profile (cli, source, compares, error);
  if (profile == NULL)
    return NULL;
  groups = compares ? find_groups (cli, error) : kymo_colors_groups (profile);
  if (groups == NULL)
    return NULL;
  names = kymo_colors_names_by_time (profile);
  families = kymo_colors_families (profile);
  colors = kymo_colors_new_of (palette);
  kymo_colors_assign_known (colors, (const char *const *) names,
                            &(KymoColorTraits) { groups, families, by });
  return colors;
}

/* The range of --from and --to, open ends filled from the run. */
static KymoSpan
find_span (KymoCli *cli, KymoSource *source)
{
  KymoSpan full = kymo_source_get_span (source);
  KymoSpan span = kymo_cli_get_span (cli);

  if (span.begin_ns == G_MININT64)
    span.begin_ns = full.begin_ns;
  if (span.end_ns == G_MAXINT64)
    span.end_ns = full.end_ns;
  return span;
}

/* Bins of each run's own range are shown at the times of the first run; --range-of says which. */
static KymoSpan
find_shown_span (KymoCli *cli, KymoSource *source, GHashTable *parameters)
{
  const char *begin = g_hash_table_lookup (parameters, "begin-0");
  const char *end = g_hash_table_lookup (parameters, "end-0");

  if (begin == NULL || end == NULL || g_strcmp0 (kymo_cli_get (cli, "time-scale"), "own") != 0)
    return find_span (cli, source);
  return (KymoSpan) { g_ascii_strtoll (begin, NULL, 10), g_ascii_strtoll (end, NULL, 10) };
}

/* Sets the stretch of --count-from. Of compared runs it is in the time of the first one, as --from
   and --to are. */
static gboolean
set_stretch (KymoCli *cli, KymoSource *source, KymoPlotFrame *frame, GError **error)
{
  const char *text = kymo_cli_get (cli, "count-from");
  KymoSource *run = KYMO_IS_COMPARISON (source)
    ? kymo_comparison_peek_run (KYMO_COMPARISON (source), 0) : source;
  g_autoptr (GError) no_region = NULL;
  g_autofree char *shown = NULL;
  KymoSpan span = { 0, 0 };

  if (text == NULL)
    return TRUE;
  if (kymo_cli_find_range (cli, run, text, &span, &no_region))
    frame->stretch = kymo_span_intersect (span, kymo_source_get_span (source));
  if (kymo_span_length (frame->stretch) > 0)
    return TRUE;
  if (no_region != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&no_region));
      return FALSE;
    }
  shown = g_utf8_make_valid (text, -1);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               "“%s” is no value for --count-from: a range in the run as 10ms..20ms, or a region "
               "as iteration:3, is needed", shown);
  return FALSE;
}

/* Pictures put their own questions and know no --workers-only, so it becomes a list of
   locations. */
static KymoIdSet *
find_workers (KymoCli *cli)
{
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (cli->source);

  return facts->workers->len > 0 && facts->workers->len < facts->ids->len
    ? kymo_id_set_new_list ((const gint64 *) facts->workers->data, facts->workers->len) : NULL;
}

static char *
dup_value (KymoCli *cli, const KymoExportWord *word)
{
  const char *text = kymo_cli_get (cli, word->option);
  gint64 ns;

  switch (word->kind)
    {
    case KYMO_EXPORT_FLAG:
      return g_strdup ("1");
    case KYMO_EXPORT_SWITCH:
      return g_strdup (strcmp (text, "yes") == 0 ? "1" : "0");
    case KYMO_EXPORT_TIME:
      return kymo_parse_time (text, &ns, NULL)
             ? g_strdup_printf ("%" G_GINT64_FORMAT, ns) : NULL;
    case KYMO_EXPORT_VALUE:
    default:
      return g_strdup (text);
    }
}

/* Keywords that the view does not choose by itself. */
static GHashTable *
find_parameters (KymoCli *cli, const KymoPlotClass *klass)
{
  GHashTable *parameters = g_hash_table_new_full (g_str_hash, g_str_equal,
                                                  g_free, g_free);

  for (const KymoExportWord *word = kymo_export_words; word->key != NULL; word++)
    if (kymo_cli_has (cli, word->option))
      g_hash_table_insert (parameters, g_strdup (word->key), dup_value (cli, word));
  if (strcmp (klass->id, "timeline") == 0
      && g_strcmp0 (kymo_cli_get (cli, "color-by"), kymo_color_by_to_string (
        KYMO_COLOR_BY_COMMUNICATOR)) == 0)
    g_hash_table_insert (parameters, g_strdup ("communicators"), g_strdup ("1"));
  return parameters;
}

/* Where no function is named, pictures of one or two functions show those with the most time. */
static gboolean
choose_functions (KymoCli              *cli,
                 const KymoPlotClass  *klass,
                 const KymoPlotFrame  *frame,
                 GHashTable           *parameters,
                 GError              **error)
{
  static const char *const of[] = { "of", NULL }, *const axes[] = { "x", "y", NULL };
  const char *const *wanted = NULL;
  g_autoptr (KymoQuestion) own = klass->question (frame);
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *functions;
  GHashTableIter iter;
  gpointer key, value;

  if (g_strcmp0 (kymo_question_get_kind (own), "function-bars") == 0)
    wanted = of;
  else if (g_strcmp0 (kymo_question_get_kind (own), "thread-scatter") == 0)
    wanted = axes;
  if (wanted == NULL || g_hash_table_contains (parameters, wanted[0]))
    return TRUE;
  question = kymo_question_new ("thread-bars");
  kymo_question_set_resolution (question, g_strv_length ((char **) wanted), 1);
  if (kymo_span_length (frame->span) > 0)
    kymo_question_set_span (question, frame->span);
  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &key, &value))
    kymo_question_set (question, key, value);
  answer = kymo_source_ask (cli->source, question, kymo_job_peek_cancellable (cli->job), error);
  if (answer == NULL)
    return FALSE;
  functions = kymo_table_peek_nested (answer, "functions", NULL);
  for (guint i = 0; functions != NULL && wanted[i] != NULL
                    && i < kymo_table_get_n_rows (functions); i++)
    if (!g_hash_table_contains (parameters, wanted[i]))
      g_hash_table_insert (parameters, g_strdup (wanted[i]),
                           g_strdup (kymo_table_get_string (functions, "name", i)));
  return TRUE;
}

/* Reads --order: for extrema it sorts the bars, for other pictures the rows. */
static gboolean
arrange_rows (KymoCli              *cli,
              const KymoPlotClass  *klass,
              GArray              **order,
              GError              **error)
{
  const char *text = kymo_cli_get (cli, "order");
  gboolean of_values = text != NULL && (g_str_equal (text, "value")
                                        || g_str_equal (text, "location"));

  *order = NULL;
  if (text == NULL || (of_values && g_str_equal (klass->id, "extrema")))
    return TRUE;
  if (!g_str_equal (klass->id, "extrema"))
    return kymo_cli_dup_order (cli, text, order, error);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               "“%s” is no value for --order: of extrema it can be value|location", text);
  return FALSE;
}

/* The look of a word that was already checked with the options. */
static KymoLook
find_look (const char *theme)
{
  guint look = 0;

  while (look + 1 < KYMO_N_LOOKS && strcmp (kymo_look_words[look], theme) != 0)
    look++;
  return look;
}

/* Size, title and legend. */
static gboolean
set_figure (KymoCli *cli, KymoPlotFrame *frame, GError **error)
{
  const char *text = kymo_cli_get (cli, "size"), *pt = kymo_cli_get (cli, "font-size");
  const char *dpi = kymo_cli_get (cli, "dpi"), *most = kymo_cli_get (cli, "legend-most");
  const char *place = kymo_cli_get (cli, "legend");
  KymoFigureSize size;

  kymo_figure_size_parse (text != NULL ? text : KYMO_FIGURE_DEFAULT_TEXT, &size);
  if (pt != NULL)
    size.font_pt = g_ascii_strtod (pt, NULL);
  if (dpi != NULL)
    size.dpi = g_ascii_strtod (dpi, NULL);
  if (!kymo_figure_size_check (&size, error))
    return FALSE;
  kymo_figure_size_set_frame (&size, frame);
  frame->title = kymo_cli_get (cli, "title");
  frame->legend_most = most != NULL ? strtoul (most, NULL, 10) : 0;
  while (place != NULL && strcmp (kymo_legend_words[frame->legend], place) != 0)
    frame->legend++;
  return TRUE;
}

static gboolean
export_view (KymoCli              *cli,
             KymoSource           *source,
             const KymoPlotClass  *klass,
             const char           *format,
             GError              **error)
{
  const char *theme = kymo_cli_get (cli, "theme");
  g_autoptr (KymoColors) colors = assign_colors (cli, source, klass->compares, error);
  g_autoptr (KymoIdSet) locations = kymo_cli_dup_locations (cli);
  g_autoptr (GHashTable) parameters = find_parameters (cli, klass);
  g_autoptr (GArray) order = NULL;
  g_autoptr (KymoRowGroups) groups = NULL;
  g_autofree char *provenance = NULL;
  KymoSpan span;
  g_autoptr (GHashTable) hidden = kymo_cli_has (cli, "hide")
    ? kymo_export_hidden (kymo_cli_get (cli, "hide")) : NULL;
  KymoPlotFrame frame;

  if (colors == NULL
      || (klass->compares && !kymo_cli_add_compared (cli, KYMO_COMPARISON (source), parameters,
                                                     error)))
    return FALSE;
  span = find_shown_span (cli, source, parameters);
  provenance = kymo_export_provenance (source, span);
  if (kymo_cli_has (cli, "workers-only") && locations == NULL && !klass->compares)
    locations = find_workers (cli);
  kymo_plot_frame_init (&frame, 0, 0,
                        theme != NULL ? find_look (theme) : KYMO_LOOK_LIGHT, colors, span);
  if (!set_figure (cli, &frame, error) || !set_stretch (cli, source, &frame, error))
    return FALSE;
  frame.provenance = provenance;
  frame.unit = kymo_cli_get (cli, "unit");
  frame.focus = kymo_cli_get (cli, "focus");
  frame.relative = kymo_cli_has (cli, "relative");
  frame.by_bytes = kymo_cli_has (cli, "by-bytes");
  frame.by_time = g_strcmp0 (kymo_cli_get (cli, "weight"), "time") == 0;
  frame.hidden = hidden;
  if (!arrange_rows (cli, klass, &order, error)
      || !kymo_cli_dup_groups (cli, &groups, error)
      || (!klass->compares && !choose_functions (cli, klass, &frame, parameters, error)))
    return FALSE;
  frame.order = order;
  frame.groups = groups;
  return kymo_export_view (klass, source, &frame, locations, parameters,
                           format, kymo_cli_get (cli, "output"),
                           kymo_job_peek_cancellable (cli->job), error);
}

static int
export_comparison (KymoCli              *cli,
                   const KymoPlotClass  *klass,
                   const char           *format,
                   GError              **error)
{
  g_autoptr (KymoComparison) comparison = kymo_cli_open_comparison (cli, 1, error);

  if (comparison == NULL
      || !export_view (cli, KYMO_SOURCE (comparison), klass, format, error))
    return KYMO_CLI_FAILED;
  return cli->status;
}

/**
 * kymo_cli_run_export:
 * @cli: the invocation; its words are the view and the run, or runs that are compared
 * @error: where to put the reason
 *
 * Paints a view of a run into a file, or writes its figures.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_export (KymoCli *cli, GError **error)
{
  const KymoPlotClass *klass = find_view (cli->words->pdata[0], error);
  const char *format = klass ? find_format (cli, error) : NULL;

  if (klass == NULL || format == NULL)
    return KYMO_CLI_USAGE;
  if (klass->compares)
    return export_comparison (cli, klass, format, error);
  if (cli->words->len > 2)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "“%s” is a view of one run; compare-activities, compare-time-profile and "
                   "compare-series are of several", klass->id);
      return KYMO_CLI_USAGE;
    }
  if (!kymo_cli_open (cli, cli->words->pdata[1], error)
      || !export_view (cli, cli->source, klass, format, error))
    return KYMO_CLI_FAILED;
  return KYMO_CLI_OK;
}
