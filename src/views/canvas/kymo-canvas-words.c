/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A picture in words, for who does not see it: what it is of (its label), and
 * what is chosen in it, or how one chooses (its description).
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-canvas-items.h"
#include "kymo-canvas-private.h"
#include "kymo-in-terms.h"
#include "kymo-session-profile.h"
#include "kymo-units.h"

/** kymo_canvas_on_one_line: Returns: (transfer full): lines as parts of a sentence */
char *
kymo_canvas_on_one_line (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  return g_strjoinv (", ", lines);
}

/* A longer fact that names a file has a line of its own, if there are others. */
#define LONG_FACT_BYTES 44
#define MOST_OWN_LINES 2

/* Takes such facts out of the lines. Returns them, each behind a newline. */
static char *
take_files (char **lines, guint *n)
{
  GString *taken = g_string_new (NULL);
  guint n_taken = 0;

  for (guint i = *n - 1; i >= 1 && *n > 4 && n_taken < MOST_OWN_LINES; i--)
    if (strlen (lines[i]) > LONG_FACT_BYTES && strchr (lines[i], '/') != NULL)
      {
        g_string_prepend (taken, lines[i]);
        g_string_prepend_c (taken, '\n');
        g_free (lines[i]);
        memmove (lines + i, lines + i + 1, (*n - i) * sizeof *lines);
        (*n)--;
        n_taken++;
      }
  return g_string_free (taken, FALSE);
}

/**
 * kymo_canvas_in_three_lines:
 * @text: a title and facts, each on a line
 *
 * A tip of many lines covers what one looks at.
 *
 * Returns: (transfer full): @text if it has at most three lines; else its title and two lines of
 *   about the same length that have all facts, and a line for each of two that name files
 */
char *
kymo_canvas_in_three_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = g_strv_length (lines);
  g_autofree char *own = NULL, *first = NULL, *second = NULL, *half = NULL;
  gsize all = 0, so_far;
  guint split = 2;

  if (n <= 3)
    return g_strdup (text);
  own = take_files (lines, &n);
  for (guint i = 1; i < n; i++)
    all += strlen (lines[i]) + 1;
  for (so_far = strlen (lines[1]); split < n - 1 && 2 * so_far < all; split++)
    so_far += strlen (lines[split]);
  second = g_strjoinv (" · ", lines + split);
  half = g_steal_pointer (&lines[split]);
  first = g_strjoinv (" · ", lines + 1);
  lines[split] = g_steal_pointer (&half);
  return g_strdup_printf ("%s\n%s\n%s%s", lines[0], first, second, own);
}

static char *
range_in_words (KymoCanvas *self)
{
  KymoSpan range = kymo_canvas_get_span (self);
  g_autofree char *begin = NULL, *end = NULL;

  if (!self->has_span && kymo_session_get_follow (self->session) > 0)
    {
      begin = kymo_format_duration (kymo_span_length (range));
      return g_strdup_printf (_("the last %s, live"), begin);
    }
  begin = kymo_range_time_text (range.begin_ns, range);
  end = kymo_range_time_text (range.end_ns, range);
  return g_strdup_printf (_("%s to %s"), begin, end);
}

/** kymo_canvas_update_accessible: the words for who does not see it */
void
kymo_canvas_update_accessible (KymoCanvas *self)
{
  g_autofree char *range = range_in_words (self);
  g_autofree char *label = NULL;
  gboolean time = kymo_session_has_time (self->session);
  const char *title = kymo_plot_title (self->klass, kymo_session_get_terms (self->session));
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);
  const char *block = klass->peek_words != NULL ? klass->peek_words (self) : NULL;
  g_autofree char *cursor = kymo_canvas_dup_cursor_words (self);
  g_autofree char *box = self->box >= 0 && self->hit.text != NULL
                         ? kymo_canvas_on_one_line (self->hit.text) : NULL;
  const char *description
    = cursor != NULL ? cursor
      : block != NULL ? block
      : box != NULL ? box
      : kymo_canvas_has_boxes (self)
      ? _("Arrow keys go from one to the next, Enter goes into it, Escape "
          "back up")
      : kymo_canvas_is_profile (self) && self->klass->places != NULL
      ? kymo_in_terms_of (self->session,
                          _("Arrow keys choose a {row}, Enter shows its table"))
      : self->klass->natural_height != NULL && time
      ? _("Arrow keys go from block to block, A and D pan, W and S zoom, "
          "F shows all")
      : self->klass->places != NULL
      ? kymo_in_terms_of (
          self->session,
          _("Arrow keys choose a {row}, with Shift several; Enter shows them "
            "in the timeline"))
      : time ? _("Arrow keys pan, W and S zoom, F shows all") : "";

  if (!time)
    label = self->subject != NULL
            ? g_strdup_printf (_("%s: %s"), title, self->subject)
            : g_strdup (title);
  else if (self->subject != NULL)
    label = g_strdup_printf (_("%s: %s, %s"), title,
                             self->subject, range);
  else
    label = g_strdup_printf (_("%s: %s"), title, range);
  if (self->failure != NULL)
    description = self->failure;
  /* Who listens is told of changes, not of every block. */
  if (g_strcmp0 (label, self->label) == 0
      && g_strcmp0 (description, self->description) == 0)
    return;
  g_free (self->label);
  g_free (self->description);
  self->label = g_strdup (label);
  self->description = g_strdup (description);
  kymo_accessible_name (self, label);
  kymo_accessible_describe (GTK_WIDGET (self), description);
  g_signal_emit_by_name (self, "described");
}
