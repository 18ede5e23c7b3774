/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-bookmark-marks.h.
 */
#include "config.h"

#include "kymo-bookmark-marks.h"

#include <glib/gi18n-lib.h>

#include "kymo-bookmarks.h"
#include "kymo-canvas.h"
#include "kymo-theme.h"
#include "kymo-units.h"

/* More cannot be told apart. */
#define MOST_MARKS 500
#define LINE_PX 3
#define FOOT_PX 7
/* The reach of a mark in pixels; limits of marks in a tip and of the text of each. */
#define NEAR_PX 3
#define MOST_TOLD 3
#define NAME_CHARS 60
#define NOTE_CHARS 300

/** kymo_paint_bookmarks: @y: of the upper edge of the lines. Markers of the run are grey. */
void
kymo_paint_bookmarks (cairo_t *cr, KymoSession *session, const KymoPlotFrame *frame,
                      double y)
{
  guint n_own = kymo_session_get_n_bookmarks (session);
  guint n = MIN (kymo_session_count_bookmarks (session), MOST_MARKS);
  const KymoTheme *theme = kymo_theme_get (frame->look);

  for (guint i = 0; i < n; i++)
    {
      KymoSpan all = kymo_session_peek_bookmark (session, i)->span;
      KymoSpan span = kymo_span_intersect (all, frame->span);
      gboolean moment = all.begin_ns == all.end_ns && all.begin_ns >= frame->span.begin_ns
        && all.begin_ns <= frame->span.end_ns;
      double x0 = kymo_plot_time_to_x (frame, span.begin_ns);
      double x1 = kymo_plot_time_to_x (frame, span.end_ns);

      if (kymo_span_length (span) == 0 && !moment)
        continue;
      kymo_set_source_alpha (cr, i < n_own ? theme->accent : theme->secondary, 0.7);
      cairo_rectangle (cr, x0, y, MAX (x1 - x0, 2), LINE_PX);
      cairo_rectangle (cr, x0, y, 2, FOOT_PX);
      cairo_fill (cr);
    }
}

/* -- in words ------------------------------------------------------------- */

static gboolean
is_at (const KymoBookmark *bookmark, const KymoPlotFrame *frame, double x)
{
  double x0 = kymo_plot_time_to_x (frame, bookmark->span.begin_ns);
  double x1 = kymo_plot_time_to_x (frame, bookmark->span.end_ns);

  return x >= x0 - NEAR_PX && x <= x1 + NEAR_PX;
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  gint64 x = kymo_span_length ((*(const KymoBookmark *const *) a)->span);
  gint64 y = kymo_span_length ((*(const KymoBookmark *const *) b)->span);

  return (x > y) - (x < y);
}

static void
add_words (GString *words, const KymoBookmark *bookmark)
{
  g_autofree char *name = kymo_elide_middle (bookmark->name, NAME_CHARS);
  g_autofree char *note = kymo_elide_middle (bookmark->note, NOTE_CHARS);
  g_autofree char *begin = kymo_range_time_text (bookmark->span.begin_ns, bookmark->span);
  g_autofree char *end = kymo_range_time_text (bookmark->span.end_ns, bookmark->span);

  g_string_append_printf (words, "%s%s\n%s – %s", words->len > 0 ? "\n\n" : "", name,
                          begin, end);
  if (*note != '\0')
    g_string_append_printf (words, "\n%s", note);
}

/** kymo_bookmarks_dup_words: @x: in units of the frame */
char *
kymo_bookmarks_dup_words (KymoSession *session, const KymoPlotFrame *frame, double x)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < kymo_session_count_bookmarks (session); i++)
    {
      const KymoBookmark *bookmark = kymo_session_peek_bookmark (session, i);

      if (is_at (bookmark, frame, x))
        g_ptr_array_add (found, (gpointer) bookmark);
    }
  g_ptr_array_sort (found, compare_lengths);
  for (guint i = 0; i < MIN (found->len, MOST_TOLD); i++)
    add_words (words, found->pdata[i]);
  if (found->len > MOST_TOLD)
    {
      guint n = found->len - MOST_TOLD;

      g_string_append (words, "\n\n");
      g_string_append_printf (words, g_dngettext (GETTEXT_PACKAGE, "and %u more here",
                                                  "and %u more here", n), n);
    }
  return words->len > 0 ? g_strdup (words->str) : NULL;
}
