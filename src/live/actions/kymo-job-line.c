/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fields stay as they came until they are taken apart, because a `%3A` in one is no end of a part.
 */
#include "config.h"

#include "kymo-job-line.h"

#include <string.h>

#include "kymo-safe-text.h"

#define MOST_FIELDS 64
#define MOST_PARTS 65
#define MOST_ARGUMENTS 16
#define MOST_RANKS (1 << 26)

/* -- fields ----------------------------------------------------------------- */

/**
 * kymo_job_line_dup_text:
 * @field: as it came, or a part of it
 *
 * Returns: (transfer full): its text: %XX are bytes again, and what is no text then, or would harm
 *   a terminal, is replaced
 */
char *
kymo_job_line_dup_text (const char *field)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  g_autofree char *valid = NULL;

  for (const char *at = field; *at != '\0'; at++)
    {
      int high = at[0] == '%' ? g_ascii_xdigit_value (at[1]) : -1;
      int low = high >= 0 ? g_ascii_xdigit_value (at[2]) : -1;

      if (low < 0)
        {
          g_string_append_c (bytes, *at);
          continue;
        }
      g_string_append_c (bytes, high > 0 || low > 0 ? (char) (16 * high + low) : '?');
      at += 2;
    }
  valid = g_utf8_make_valid (bytes->str, bytes->len);
  return kymo_safe_text_dup (valid);
}

/**
 * kymo_job_line_split:
 * @line: (array length=n_bytes): without its end, not terminated
 *
 * Returns: (transfer full): its fields as they came, terminated by %NULL; at most 64, and none of a
 *   line that is longer than %KYMO_JOB_MOST_LINE or has a byte 0
 */
char **
kymo_job_line_split (const char *line,
                     gsize       n_bytes)
{
  g_autofree char *text = NULL;
  char **fields;

  if (n_bytes > KYMO_JOB_MOST_LINE || memchr (line, 0, n_bytes) != NULL)
    return g_new0 (char *, 1);
  text = g_strndup (line, n_bytes);
  fields = g_strsplit (text, "\t", MOST_FIELDS + 1);
  if (g_strv_length (fields) > MOST_FIELDS)
    g_clear_pointer (&fields[MOST_FIELDS], g_free);
  return fields;
}

/**
 * kymo_job_line_join:
 * @fields: (array zero-terminated=1): texts of a request
 *
 * Returns: (transfer full): the line with its end
 */
char *
kymo_job_line_join (const char *const *fields)
{
  GString *line = g_string_new (NULL);

  for (guint i = 0; fields[i] != NULL; i++)
    {
      g_string_append (line, i > 0 ? "\t" : "");
      for (const char *at = fields[i]; *at != '\0'; at++)
        if ((guchar) *at < 32 || *at == 127 || *at == '%')
          g_string_append_printf (line, "%%%02X", (guchar) *at);
        else
          g_string_append_c (line, *at);
    }
  g_string_append_c (line, '\n');
  return g_string_free (line, FALSE);
}

/* -- jobs ------------------------------------------------------------------- */

/**
 * kymo_job_info_parse:
 * @fields: of a line `job`
 *
 * Returns: (transfer full) (nullable): the job; %NULL if the line is none of it
 */
KymoJobInfo *
kymo_job_info_parse (const char *const *fields)
{
  guint64 n_ranks, pid;
  KymoJobInfo *info;

  if (g_strv_length ((char **) fields) < 7 || strcmp (fields[0], "job") != 0
      || !g_ascii_string_to_unsigned (fields[3], 10, 1, MOST_RANKS, &n_ranks, NULL)
      || !g_ascii_string_to_unsigned (fields[6], 10, 1, G_MAXINT32, &pid, NULL))
    return NULL;
  info = g_new0 (KymoJobInfo, 1);
  info->folder = kymo_job_line_dup_text (fields[1]);
  info->program = kymo_job_line_dup_text (fields[2]);
  info->n_ranks = n_ranks;
  info->address = kymo_job_line_dup_text (fields[4]);
  info->host = kymo_job_line_dup_text (fields[5]);
  info->pid = (gint64) pid;
  return info;
}

/** kymo_job_info_copy: (transfer full): a copy with texts of its own */
KymoJobInfo *
kymo_job_info_copy (const KymoJobInfo *info)
{
  KymoJobInfo *copy = g_new (KymoJobInfo, 1);

  *copy = *info;
  copy->socket = g_strdup (info->socket);
  copy->folder = g_strdup (info->folder);
  copy->program = g_strdup (info->program);
  copy->address = g_strdup (info->address);
  copy->host = g_strdup (info->host);
  return copy;
}

/** kymo_job_info_free: frees @info; %NULL is ignored */
void
kymo_job_info_free (KymoJobInfo *info)
{
  if (info == NULL)
    return;
  g_free (info->socket);
  g_free (info->folder);
  g_free (info->program);
  g_free (info->address);
  g_free (info->host);
  g_free (info);
}

/* -- arguments -------------------------------------------------------------- */

static void
free_argument (gpointer data)
{
  KymoJobArgument *argument = data;

  g_free (argument->key);
  g_strfreev (argument->words);
  g_free (argument->word);
  g_free (argument);
}

static gboolean
read_integer (const char *part,
              gint64     *number)
{
  return part != NULL && g_ascii_string_to_signed (part, 10, G_MININT64, G_MAXINT64, number, NULL);
}

static gboolean
read_real (const char *part,
           double     *number)
{
  char *end;

  if (part == NULL || *part == '\0' || g_ascii_isspace (*part))
    return FALSE;
  *number = g_ascii_strtod (part, &end);
  return *end == '\0' && *number - *number == 0;
}

static gboolean
read_numbers (KymoJobArgument *argument,
              char           **parts)
{
  guint n = g_strv_length (parts);

  if (argument->type == KYMO_JOB_TEXT || argument->type == KYMO_JOB_RANKS)
    return n >= 1 && read_integer (parts[0], &argument->most) && argument->most >= 0
      && argument->most <= G_MAXINT32;
  if (n < 3)
    return FALSE;
  if (argument->type == KYMO_JOB_REAL)
    return read_real (parts[0], &argument->least_real) && read_real (parts[1], &argument->most_real)
      && read_real (parts[2], &argument->now_real) && argument->least_real <= argument->most_real;
  return read_integer (parts[0], &argument->least) && read_integer (parts[1], &argument->most)
    && read_integer (parts[2], &argument->now) && argument->least <= argument->most
    && (argument->type != KYMO_JOB_TIME || argument->least >= 0);
}

static gboolean
read_choice (KymoJobArgument *argument,
             char           **parts)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (g_strv_length (parts) < 2)
    return FALSE;
  words = g_strsplit (parts[1], "|", MOST_PARTS);
  if (words[0] == NULL || g_strv_length (words) == MOST_PARTS)
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *word = kymo_job_line_dup_text (words[i]);

      g_strv_builder_add (builder, word);
    }
  argument->words = g_strv_builder_end (builder);
  argument->word = kymo_job_line_dup_text (parts[0]);
  return TRUE;
}

/* `KEY=TYPE:…`. NULL if it is none. */
static KymoJobArgument *
parse_argument (const char *field)
{
  static const char *const types[] = { "integer", "real", "choice", "text", "time", "ranks" };
  const char *equals = strchr (field, '=');
  g_auto (GStrv) parts = equals != NULL ? g_strsplit (equals + 1, ":", MOST_PARTS) : NULL;
  KymoJobArgument *argument;

  if (parts == NULL || equals == field || parts[0] == NULL)
    return NULL;
  argument = g_new0 (KymoJobArgument, 1);
  argument->key = g_strndup (field, equals - field);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      if (strcmp (parts[0], types[i]) != 0)
        continue;
      argument->type = i;
      if (i == KYMO_JOB_CHOICE ? read_choice (argument, parts + 1)
                               : read_numbers (argument, parts + 1))
        return argument;
    }
  free_argument (argument);
  return NULL;
}

/* -- actions ---------------------------------------------------------------- */

static void
read_flags (KymoJobAction *action,
            const char    *field)
{
  g_auto (GStrv) words = g_strsplit (field, " ", 8);

  action->together = g_strv_contains ((const char *const *) words, "together");
  action->of_program = g_strv_contains ((const char *const *) words, "program");
  action->is_long = g_strv_contains ((const char *const *) words, "long");
}

/**
 * kymo_job_action_parse:
 * @fields: of a line `action` or `refused` of a list
 *
 * Returns: (transfer full) (nullable): the action; %NULL if the line is none of it or has an
 *   argument of a kind that is not known, without which it cannot be done
 */
KymoJobAction *
kymo_job_action_parse (const char *const *fields)
{
  guint n = g_strv_length ((char **) fields);
  gboolean refused = n > 0 && strcmp (fields[0], "refused") == 0;
  g_autoptr (KymoJobAction) action = NULL;

  if (n < 4 || (!refused && strcmp (fields[0], "action") != 0))
    return NULL;
  action = g_new0 (KymoJobAction, 1);
  action->arguments = g_ptr_array_new_with_free_func (free_argument);
  action->name = kymo_job_line_dup_text (fields[1]);
  action->title = kymo_job_line_dup_text (fields[2]);
  if (refused)
    {
      action->reason = kymo_job_line_dup_text (fields[3]);
      return g_steal_pointer (&action);
    }
  read_flags (action, fields[3]);
  for (guint i = 4; i < n; i++)
    {
      KymoJobArgument *argument = i < 4 + MOST_ARGUMENTS ? parse_argument (fields[i]) : NULL;

      if (argument == NULL)
        return NULL;
      g_ptr_array_add (action->arguments, argument);
    }
  return g_steal_pointer (&action);
}

/** kymo_job_action_free: frees @action; %NULL is ignored */
void
kymo_job_action_free (KymoJobAction *action)
{
  if (action == NULL)
    return;
  g_free (action->name);
  g_free (action->title);
  g_free (action->reason);
  g_ptr_array_unref (action->arguments);
  g_free (action);
}

/**
 * kymo_job_action_find:
 *
 * Returns: (transfer none) (nullable): the argument of that key
 */
const KymoJobArgument *
kymo_job_action_find (const KymoJobAction *action,
                      const char          *key)
{
  for (guint i = 0; i < action->arguments->len; i++)
    if (strcmp (((KymoJobArgument *) action->arguments->pdata[i])->key, key) == 0)
      return action->arguments->pdata[i];
  return NULL;
}

/**
 * kymo_job_order_parse:
 * @fields: of a line `state`
 *
 * Returns: (transfer full) (nullable): the order; %NULL if the line is none of it
 */
KymoJobOrder *
kymo_job_order_parse (const char *const *fields)
{
  static const char *const states[] = { "running", "done", "failed" };
  guint n = g_strv_length ((char **) fields), state = 0;
  guint64 number;
  KymoJobOrder *order;

  if (n < 5 || strcmp (fields[0], "state") != 0
      || !g_ascii_string_to_unsigned (fields[1], 10, 0, G_MAXUINT64, &number, NULL))
    return NULL;
  while (state < G_N_ELEMENTS (states) && strcmp (fields[3], states[state]) != 0)
    state++;
  if (state == G_N_ELEMENTS (states))
    return NULL;
  order = g_new0 (KymoJobOrder, 1);
  order->number = number;
  order->name = kymo_job_line_dup_text (fields[2]);
  order->state = state;
  order->sentence = kymo_job_line_dup_text (fields[4]);
  order->path = kymo_job_line_dup_text (n > 5 ? fields[5] : "");
  return order;
}

/** kymo_job_order_free: frees @order; %NULL is ignored */
void
kymo_job_order_free (KymoJobOrder *order)
{
  if (order == NULL)
    return;
  g_free (order->name);
  g_free (order->sentence);
  g_free (order->path);
  g_free (order);
}
