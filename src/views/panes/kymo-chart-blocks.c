/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-chart-blocks.h.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-asker.h"
#include "kymo-block-words.h"
#include "kymo-chart-blocks.h"
#include "kymo-chart-words.h"
#include "kymo-plot-terms.h"
#include "kymo-units.h"

#define MOST_BLOCKS 100000

struct _KymoChartBlocks
{
  KymoSession         *session;
  KymoChartBlocksDone  done;
  gpointer             data;
  KymoAsker           *asker;
  KymoTable           *answer;     /* or NULL */
  gint64               location;   /* of the row that was asked for */
};

static KymoTable *
peek_found (const KymoChartBlocks *self)
{
  return self->answer != NULL ? kymo_table_peek_nested (self->answer, "found", NULL) : NULL;
}

/* -- asking --------------------------------------------------------------- */

/* How many, and of which row. */
static char *
dup_title (const KymoTable *answer, const KymoTable *found)
{
  guint n = kymo_table_get_n_rows (found);
  gint64 matches = kymo_table_get_int (answer, "matches", 0);
  const char *label = kymo_table_peek_label (found, "label", 0);
  g_autofree char *all = kymo_words_blocks (matches);

  return n < matches ? g_strdup_printf (_("%s: the first %u of %s in view"),
                                        label, n, all)
                     : g_strdup_printf (_("%s: %s in view"), label, all);
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoChartBlocks *self = data;
  g_autofree char *title = NULL;

  g_clear_pointer (&self->answer, kymo_table_unref);
  if (answer != NULL)
    self->answer = kymo_table_ref (answer);
  if (kymo_chart_blocks_get_n (self) > 0)
    title = dup_title (answer, peek_found (self));
  self->done (title != NULL ? title : error != NULL ? error->message : _("No blocks in view"),
              self->data);
}

/**
 * kymo_chart_blocks_ask:
 * @location: row of the timeline; -1 = no row
 *
 * Asks for the blocks of @location in the visible range, at most 100,000 of them. The done
 * function is called when the answer comes, and no longer for an earlier question. Until then the
 * blocks are those of the earlier answer. With -1 the done function is called at once, and there
 * are no blocks.
 */
void
kymo_chart_blocks_ask (KymoChartBlocks *self, gint64 location)
{
  KymoQuestion *question;
  g_autoptr (KymoIdSet) set = NULL;

  self->location = location;
  kymo_asker_cancel (self->asker);
  if (location < 0)
    {
      on_answer (NULL, NULL, self);
      return;
    }
  question = kymo_question_new ("search");
  set = kymo_id_set_new_list (&location, 1);
  kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_question_set_locations (question, set);
  kymo_question_set (question, "text", ".");
  kymo_question_set (question, "regex", "1");
  kymo_question_set (question, "over", "blocks");
  kymo_question_set_int (question, "limit", MOST_BLOCKS);
  kymo_asker_ask (self->asker, question);
}

/**
 * kymo_chart_blocks_clear:
 *
 * Drops the blocks and cancels the question under way. The done function is not called.
 */
void
kymo_chart_blocks_clear (KymoChartBlocks *self)
{
  kymo_asker_cancel (self->asker);
  g_clear_pointer (&self->answer, kymo_table_unref);
}

/**
 * kymo_chart_blocks_new:
 * @done: called on the main thread whenever the blocks have changed, with a title that is valid
 *   during the call only
 * @data: for @done; must outlive the object
 *
 * Makes an object without blocks; kymo_chart_blocks_ask() fills it. The session is referenced.
 *
 * Returns: (transfer full): free with kymo_chart_blocks_free()
 */
KymoChartBlocks *
kymo_chart_blocks_new (KymoSession *session, KymoChartBlocksDone done, gpointer data)
{
  KymoChartBlocks *self = g_new0 (KymoChartBlocks, 1);

  self->session = g_object_ref (session);
  self->done = done;
  self->data = data;
  self->location = -1;
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_answer, self);
  return self;
}

/**
 * kymo_chart_blocks_free:
 * @self: (nullable): %NULL does nothing
 *
 * Cancels the question under way and frees the object. The done function is not called any more.
 */
void
kymo_chart_blocks_free (KymoChartBlocks *self)
{
  if (self == NULL)
    return;
  kymo_asker_free (self->asker);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_object_unref (self->session);
  g_free (self);
}

/* -- what they are -------------------------------------------------------- */

/**
 * kymo_chart_blocks_get_n:
 *
 * Returns: the number of blocks of the last answer; 0 before it has come
 */
guint
kymo_chart_blocks_get_n (const KymoChartBlocks *self)
{
  const KymoTable *found = peek_found (self);

  return found != NULL ? kymo_table_get_n_rows (found) : 0;
}

/**
 * kymo_chart_blocks_dup_cells:
 * @block: below kymo_chart_blocks_get_n()
 *
 * Returns: (transfer full): name, duration and begin of the block, and, where it is known, how its
 *   duration compares with the median of its name; see kymo_chart_cell()
 */
char *
kymo_chart_blocks_dup_cells (const KymoChartBlocks *self, guint block)
{
  const KymoTable *found = peek_found (self);
  const char *name = kymo_table_get_string (found, "name", block);
  gint64 ns = kymo_table_get_int (found, "duration_ns", block);
  gint64 begin_ns = kymo_table_get_int (found, "begin_ns", block);
  g_autofree char *length = kymo_format_duration (ns);
  g_autofree char *at = kymo_format_duration_exact (begin_ns);
  g_autofree char *ratio = kymo_block_words_compare (kymo_block_words_of (self->session), name,
                                                     ns);
  GString *cells = g_string_new (NULL);

  kymo_chart_add (cells, NULL, name, NAN);
  kymo_chart_add (cells, _("Length"), length, ns);
  kymo_chart_add (cells, _("From"), at, begin_ns);
  kymo_chart_add (cells, _("Compared"), ratio, NAN);
  return g_string_free (cells, FALSE);
}

/**
 * kymo_chart_blocks_get_subject:
 * @block: below kymo_chart_blocks_get_n()
 *
 * Returns: name, location and span (ns) of the block; the name belongs to the answer and is valid
 * until the next answer or kymo_chart_blocks_clear()
 */
KymoHoverSubject
kymo_chart_blocks_get_subject (const KymoChartBlocks *self, guint block)
{
  const KymoTable *found = peek_found (self);
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;

  subject.name = kymo_table_get_string (found, "name", block);
  subject.location = self->location;
  subject.span.begin_ns = kymo_table_get_int (found, "begin_ns", block);
  subject.span.end_ns = kymo_table_get_int (found, "end_ns", block);
  return subject;
}

/**
 * kymo_chart_blocks_get_selected:
 *
 * Returns: the index of the innermost block that contains the session's selected block position;
 * -1 where nothing is selected, or it lies on another row or outside the blocks
 */
int
kymo_chart_blocks_get_selected (const KymoChartBlocks *self)
{
  const KymoTable *found = peek_found (self);
  gint64 location, time_ns, begin_ns;
  int best = -1;

  if (found == NULL || !kymo_session_get_block (self->session, &location, &time_ns)
      || location != self->location)
    return -1;
  /* The innermost one begins last. */
  for (guint i = 0; i < kymo_table_get_n_rows (found); i++)
    {
      begin_ns = kymo_table_get_int (found, "begin_ns", i);
      if (begin_ns <= time_ns
          && MAX (kymo_table_get_int (found, "end_ns", i), begin_ns + 1) > time_ns)
        best = i;
    }
  return best;
}

/**
 * kymo_chart_blocks_select:
 * @block: below kymo_chart_blocks_get_n()
 *
 * Makes the block the selected block of the session, by its location and the middle of its span.
 */
void
kymo_chart_blocks_select (KymoChartBlocks *self, guint block)
{
  KymoHoverSubject subject = kymo_chart_blocks_get_subject (self, block);

  kymo_session_set_block (self->session, self->location, kymo_span_middle (subject.span));
}
