/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --watch CONDITION of attach and replay: frames go in, a mark for each condition that is met
 * comes out.
 */
#include "config.h"

#include "kymo-cli-stream.h"

#include "kymo-watch.h"

struct _KymoCliWatch
{
  KymoWatch             *watch;
  const KymoStreamNames *names;         /* of the frame at hand */
  GPtrArray             *conditions;    /* KymoCondition */
  GPtrArray             *alarms;        /* KymoStreamFrame */
};

static void
told_cb (const KymoCondition *condition,
         gint64               begin_ns,
         const char          *sentence,
         gpointer             data)
{
  KymoCliWatch *self = data;
  KymoStreamFrame *frame = kymo_stream_frame_new_text (KYMO_FRAME_MARK, g_get_real_time (),
                                                       sentence);

  frame->begin_ns = MAX (begin_ns, 0);
  g_ptr_array_add (self->alarms, frame);
}

static char *
name_cb (gint64   id,
         gpointer data)
{
  return kymo_stream_names_dup (((KymoCliWatch *) data)->names, id);
}

static gboolean
counts_cb (gint64   id,
           gpointer data)
{
  const KymoStreamNames *names = ((KymoCliWatch *) data)->names;

  return names == NULL || kymo_stream_names_role (names, id) == KYMO_ROLE_COMPUTE;
}

/**
 * kymo_cli_watch_new:
 * @cli: the invocation, for its --watch
 * @ticks: whether time passes: without it nothing can be told of silence
 * @error: which condition cannot be read
 *
 * Returns: (transfer full) (nullable): the watch; it has no conditions if none was given
 */
KymoCliWatch *
kymo_cli_watch_new (KymoCli   *cli,
                    gboolean   ticks,
                    GError   **error)
{
  g_auto (GStrv) texts = kymo_cli_dup_many (cli, "watch");
  g_autoptr (KymoCliWatch) self = g_new0 (KymoCliWatch, 1);

  self->conditions = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_condition_free);
  self->alarms = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  self->watch = kymo_watch_new (told_cb, name_cb, self);
  kymo_watch_set_counts (self->watch, counts_cb);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      KymoCondition *condition = kymo_condition_parse (texts[i], error);

      if (condition == NULL)
        return NULL;
      g_ptr_array_add (self->conditions, condition);
      if (condition->kind != KYMO_CONDITION_SILENT || ticks)
        continue;
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "“%s” needs a running program: a recording is never silent", texts[i]);
      return NULL;
    }
  kymo_watch_set_conditions (self->watch, self->conditions);
  return g_steal_pointer (&self);
}

/** kymo_cli_watch_free: frees @self; %NULL is ignored */
void
kymo_cli_watch_free (KymoCliWatch *self)
{
  if (self == NULL)
    return;
  kymo_watch_free (self->watch);
  g_ptr_array_unref (self->conditions);
  g_ptr_array_unref (self->alarms);
  g_free (self);
}

/**
 * kymo_cli_watch_needs_values:
 *
 * Returns: TRUE if a condition looks at values, so that they have to be asked for
 */
gboolean
kymo_cli_watch_needs_values (const KymoCliWatch *self)
{
  for (guint i = 0; i < self->conditions->len; i++)
    if (((KymoCondition *) self->conditions->pdata[i])->kind == KYMO_CONDITION_VALUE)
      return TRUE;
  return FALSE;
}

/**
 * kymo_cli_watch_take:
 * @frame: the next one, its place in the program's time set by the decoder
 * @block: (nullable): where it has one
 * @names: (nullable): of entry methods, after @frame
 *
 * Looks at a frame.
 */
void
kymo_cli_watch_take (KymoCliWatch          *self,
                     const KymoStreamFrame *frame,
                     const KymoStreamBlock *block,
                     const KymoStreamNames *names)
{
  self->names = names;
  if (frame->kind == KYMO_FRAME_NAMES)
    kymo_watch_names_changed (self->watch);
  else if (frame->kind == KYMO_FRAME_SCALARS)
    {
      g_autofree KymoStreamValues *values = g_new (KymoStreamValues, 1);
      gsize n_bytes;
      const char *text = g_bytes_get_data (frame->bytes, &n_bytes);

      if (kymo_stream_values_parse (values, text, n_bytes))
        kymo_watch_values (self->watch, values, frame->begin_ns);
    }
  else if (block != NULL)
    kymo_watch_block (self->watch, block, frame->begin_ns, g_get_monotonic_time ());
}

/** kymo_cli_watch_tick: looks whether no block came for long, while @attached; now and then */
void
kymo_cli_watch_tick (KymoCliWatch *self,
                     gboolean      attached)
{
  kymo_watch_tick (self->watch, g_get_monotonic_time (), attached);
}

/**
 * kymo_cli_watch_steal:
 *
 * Returns: (transfer full) (element-type KymoStreamFrame): marks of the conditions that were met
 *   since the last call, each where its stretch begins
 */
GPtrArray *
kymo_cli_watch_steal (KymoCliWatch *self)
{
  GPtrArray *alarms = g_steal_pointer (&self->alarms);

  self->alarms = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  return alarms;
}
