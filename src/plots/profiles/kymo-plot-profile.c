/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profile: the entry methods by the time they took, a bar and its figures a
 * line; in files and wherever a table is no use.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-function-list.h"
#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_profile;

#define ROW_PX 26
#define HEAD_PX 26

typedef struct
{
  const char       *name;
  guint             row;
  gint64            ns;
  KymoActivityKind  kind;
} Line;

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const Line *x = a, *y = b;

  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

static GArray *
make_lines (const KymoTable *activities, const KymoPlotFrame *frame)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  for (guint i = 0; activities != NULL
                    && i < kymo_table_get_n_rows (activities); i++)
    {
      const char *kind = kymo_table_get_string (activities, "kind", i);
      Line line = { kymo_table_get_string (activities, "name", i), i,
                    kymo_table_get_int (activities, "exclusive_ns", i),
                    kymo_activity_kind (kind) };

      if (line.name != NULL && line.ns > 0 && line.kind != KYMO_KIND_EVENT
          && !kymo_is_hidden (frame, line.name))
        g_array_append_val (lines, line);
    }
  g_array_sort (lines, compare_lines);
  return lines;
}

/* Right edges of the figures, from the right: those that have room. */
typedef struct
{
  double name_end, bar_x, bar_end, figures[4];
  guint  n_figures;
} Columns;

static Columns
place_columns (KymoRect area)
{
  Columns columns = { 0 };

  columns.n_figures = area.width > 760 ? 4 : area.width > 560 ? 3
                      : area.width > 420 ? 2 : 1;
  for (guint i = 0; i < columns.n_figures; i++)
    columns.figures[i] = area.x + area.width
                         - (columns.n_figures - 1 - i) * 84;
  columns.name_end = area.x + CLAMP (area.width * 0.3, 120, 380);
  columns.bar_x = columns.name_end + 12;
  columns.bar_end = columns.figures[0] - 78;
  return columns;
}

static char *
figure_of (const KymoTable *activities, const Line *line, guint which,
           double span)
{
  gint64 blocks = kymo_table_get_int (activities, "blocks", line->row);
  gint64 longest = kymo_table_get_int (activities, "max_ns", line->row);
  gboolean entry = line->kind == KYMO_KIND_ENTRY;

  switch (which)
    {
    case 0:
      return span > 0 ? kymo_format_percent (line->ns / span) : g_strdup ("");
    case 1:
      return kymo_format_duration (line->ns);
    case 2:
      return entry && blocks >= 0 ? kymo_format_count (blocks) : g_strdup ("");
    default:
      return entry && longest > 0 ? kymo_format_duration (longest)
                                  : g_strdup ("");
    }
}

static void
paint_head (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area,
            const Columns *columns)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const char *titles[] = { _("Share"), _("Exclusive"), _("Blocks"),
                           _("Longest") };
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  double y = area.y + HEAD_PX / 2.0;

  kymo_text_draw (cr, kymo_word_code (frame->terms, FALSE, TRUE), area.x, y, left,
                  theme->secondary);
  for (guint i = 0; i < columns->n_figures; i++)
    kymo_text_draw (cr, titles[i], columns->figures[i], y, right,
                    theme->secondary);
  kymo_set_source (cr, theme->grid);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, area.x, area.y + HEAD_PX, area.x + area.width,
             area.y + HEAD_PX);
  cairo_stroke (cr);
}

static void
paint_bar (cairo_t *cr, const KymoPlotFrame *frame, const Line *line,
           KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  if (line->kind == KYMO_KIND_IDLE)
    kymo_fill_idle (cr, theme, rect);
  else if (line->kind == KYMO_KIND_REST)
    kymo_fill_rest (cr, theme, rect);
  else
    kymo_fill_activity (cr, frame, line->name, line->kind, rect);
  if (line->kind == KYMO_KIND_ENTRY || rect.width < 2)
    return;
  cairo_save (cr);
  if (line->kind == KYMO_KIND_UNTRACED)
    cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
  kymo_set_source (cr, line->kind == KYMO_KIND_OVERHEAD ? theme->ink
                                                        : theme->dotted);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, floor (rect.x) + 0.5, floor (rect.y) + 0.5,
                   floor (rect.width) - 1, rect.height - 1);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_line (cairo_t *cr, const KymoTable *activities,
            const KymoPlotFrame *frame, const Columns *columns,
            const Line *line, double x, double y, double span, double longest)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle name = { KYMO_TEXT_NORMAL, FALSE, 0, columns->name_end - x };
  KymoTextStyle right = { KYMO_TEXT_NORMAL - 0.5, FALSE, 1, 0 };
  double room = MAX (columns->bar_end - columns->bar_x, 0);
  KymoRect bar = { columns->bar_x, y + 5,
                   MAX (1, room * line->ns / MAX (longest, 1)), ROW_PX - 10 };

  if (room > 8)
    paint_bar (cr, frame, line, bar);
  kymo_text_draw (cr, kymo_shown_name (line->name), x, y + ROW_PX / 2.0, name,
                  theme->foreground);
  for (guint i = 0; i < columns->n_figures; i++)
    {
      g_autofree char *figure = figure_of (activities, line, i, span);

      kymo_text_draw (cr, figure, columns->figures[i], y + ROW_PX / 2.0,
                      right, i < 2 ? theme->foreground : theme->secondary);
    }
}

static void
paint_more (cairo_t *cr, const KymoPlotFrame *frame, guint n, double x,
            double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  g_autofree char *words = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%u more", "%u more", n), n);

  kymo_text_draw (cr, words, x, y + ROW_PX / 2.0, style, theme->secondary);
}

/* That of a run of profiles: values in the unit of a metric, not times. */
static gboolean
is_by_metric (const KymoTable *answer)
{
  KymoTable *activities = kymo_table_peek_nested (answer, "activities", NULL);

  return activities != NULL && kymo_table_find_column (activities, "exclusive") >= 0;
}

/**
 * Profile: lines of a trace, or the list of a run of profiles
 * @lines: Line, the longest first; or %NULL
 * @by_metric: or %NULL
 */
typedef struct
{
  KymoTable        *activities;
  GArray           *lines;
  KymoFunctionList *by_metric;
} Profile;

static gpointer
profile_lay_out (const KymoPicture *picture)
{
  Profile *profile = g_new0 (Profile, 1);

  profile->activities = kymo_table_peek_nested (picture->answer, "activities", NULL);
  if (is_by_metric (picture->answer))
    profile->by_metric = kymo_function_list_lay_out (picture);
  else
    profile->lines = make_lines (profile->activities, &picture->frame);
  return profile;
}

static void
profile_layout_free (gpointer data)
{
  Profile *profile = data;

  g_clear_pointer (&profile->by_metric, kymo_function_list_free);
  g_clear_pointer (&profile->lines, g_array_unref);
  g_free (profile);
}

static void
paint_trace (cairo_t *cr, const KymoPicture *picture)
{
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  KymoRect area = kymo_plot_frame_area (&kymo_plot_profile, frame);
  KymoTable *activities = ((const Profile *) picture->layout)->activities;
  const GArray *lines = ((const Profile *) picture->layout)->lines;
  double span = kymo_table_get_int (answer, "span_ns", 0);
  Columns columns = place_columns (area);
  guint room = MAX (0, (area.height - HEAD_PX) / ROW_PX);
  guint first = MIN (lines->len, MAX (frame->scroll_px, 0) / ROW_PX);
  guint shown = MIN (room, lines->len - first);
  double y = area.y + HEAD_PX + 2;

  kymo_decor_paint (cr, &kymo_plot_profile, frame, NULL);
  if (lines->len == 0)
    {
      kymo_paint_empty (cr, frame, area, _("No time in this range"));
      return;
    }
  paint_head (cr, frame, area, &columns);
  if (shown > 0 && first + shown < lines->len)
    shown--;
  for (guint i = first; i < first + shown; i++, y += ROW_PX)
    paint_line (cr, activities, frame, &columns,
                &g_array_index (lines, Line, i), area.x, y, span,
                g_array_index (lines, Line, 0).ns);
  if (first + shown < lines->len)
    paint_more (cr, frame, lines->len - first - shown, area.x, y);
  area.y += area.height - 26;
  area.height = 30;
  kymo_paint_workers (cr, frame, area, answer);
}

static void
profile_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Profile *profile = picture->layout;

  if (profile->by_metric != NULL)
    kymo_function_list_paint (cr, picture, profile->by_metric);
  else
    paint_trace (cr, picture);
}

/* How far an extrapolated time was off when the run was reduced. */
static void
add_error (const KymoTable *activities, guint row, KymoPlotHit *hit)
{
  double error = kymo_table_find_column (activities, "error") >= 0
                 ? kymo_table_get_double (activities, "error", row) : NAN;
  g_autofree char *share = isnan (error) ? NULL
                           : kymo_format_percent (fabs (error));
  g_autofree char *text = hit->text;

  if (share == NULL)
    hit->text = g_steal_pointer (&text);
  else
    hit->text = g_strdup_printf (error < 0
      ? _("%s\n%s too little when the run was reduced")
      : _("%s\n%s too much when the run was reduced"), text, share);
}

static void
describe_line (const KymoTable *activities, const Line *line, double span,
               KymoPlotHit *hit)
{
  const char *signature = kymo_table_get_string (activities, "signature",
                                                 line->row);
  g_autofree char *time = kymo_format_duration_exact (line->ns);
  g_autofree char *share = kymo_format_percent (span > 0 ? line->ns / span
                                                         : 0);
  g_autofree char *blocks = figure_of (activities, line, 2, span);

  hit->name = g_strdup (line->name);
  if (*blocks != 0)
    hit->text = g_strdup_printf (_("%s\n%s of all time (%s)\n%s blocks"),
                                 signature != NULL ? signature : line->name,
                                 share, time, blocks);
  else
    hit->text = g_strdup_printf (_("%s\n%s of all time (%s)"), kymo_shown_name (line->name),
                                 share, time);
  add_error (activities, line->row, hit);
}

static gboolean
profile_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Profile *profile = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  KymoRect area = kymo_plot_frame_area (&kymo_plot_profile, frame);
  guint first = MAX (frame->scroll_px, 0) / ROW_PX;
  double at = (y - area.y - HEAD_PX - 2) / ROW_PX;
  guint index;

  if (profile->by_metric != NULL)
    return kymo_function_list_hit (profile->by_metric, x, y, hit);
  kymo_hit_init (hit);
  if (!kymo_rect_contains (area, x, y) || at < 0)
    return FALSE;
  index = first + (guint) at;
  if (index >= profile->lines->len)
    return FALSE;
  hit->rect = (KymoRect) { area.x, area.y + HEAD_PX + 2 + floor (at) * ROW_PX,
                           area.width, ROW_PX };
  describe_line (profile->activities, &g_array_index (profile->lines, Line, index),
                 kymo_table_get_int (picture->answer, "span_ns", 0), hit);
  return TRUE;
}

static KymoQuestion *
profile_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "profile");

  kymo_question_set_int (question, "workers-only", 1);
  return question;
}

static double
profile_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *activities = kymo_table_peek_nested (answer, "activities", NULL);
  g_autoptr (GArray) lines = make_lines (activities, frame);
  KymoRect decor = kymo_decor_inset (&kymo_plot_profile, frame);

  if (is_by_metric (answer))
    return kymo_function_list_natural_height (answer, frame, &kymo_plot_profile);
  return lines->len * ROW_PX + HEAD_PX + 2 + kymo_plot_profile.inset.y
         + kymo_plot_profile.inset.height + decor.y + decor.height;
}

const KymoPlotClass kymo_plot_profile = {
  .id = "profile",
  .title = N_("Profile"),
  .needs = KYMO_CAN_PROFILE,
  .question = profile_question,
  .lay_out = profile_lay_out,
  .layout_free = profile_layout_free,
  .paint = profile_paint,
  .hit = profile_hit,
  .natural_height = profile_natural_height,
  .inset = { 16, 4, 20, 8 },
};
