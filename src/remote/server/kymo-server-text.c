/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is "KIND key=value …", as `time-profile bins=100 from=0 to=1000000`. Keys are those of the
 * options of kymo-cli, times are in ns where they have no unit. An answer is an object, as is
 * {"error": "…"}.
 */
#include "config.h"

#include "kymo-server-text.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-open.h"
#include "kymo-question-class.h"
#include "kymo-run-source.h"
#include "kymo-units.h"

#define MOST_COLUMNS 1000000

static gboolean
refuse_value (const char *key, const char *value, GError **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” is no value for %s"), value, key);
  return FALSE;
}

/* Sets what every kind takes; @known tells whether the key is one of those. */
static gboolean
set_common (KymoQuestion *question, const char *key, const char *value, gboolean *known,
            GError **error)
{
  KymoSpan span = kymo_question_get_span (question);
  g_autoptr (KymoIdSet) locations = NULL;

  *known = TRUE;
  if (strcmp (key, "from") == 0 || strcmp (key, "to") == 0)
    {
      if (!kymo_parse_time (value, *key == 'f' ? &span.begin_ns : &span.end_ns, NULL))
        return refuse_value (key, value, error);
      kymo_question_set_span (question, span);
    }
  else if (strcmp (key, "locations") == 0)
    {
      locations = kymo_id_set_parse (value, error);
      kymo_question_set_locations (question, locations);
      return locations != NULL;
    }
  else if (strcmp (key, "workers-only") == 0 || strcmp (key, "extrapolate") == 0)
    kymo_question_set (question, key, value);
  else
    *known = FALSE;
  return TRUE;
}

static gboolean
set_keyword (KymoQuestion *question, const KymoKeyword *keyword, const char *value, GError **error)
{
  g_autofree char *in_ns = g_strconcat (keyword->name, "-ns", NULL);
  guint64 count;
  gint64 ns;

  if (keyword->target == KYMO_KEYWORD_TO_COLUMNS || keyword->target == KYMO_KEYWORD_TO_ROWS)
    {
      if (!g_ascii_string_to_unsigned (value, 10, 1, MOST_COLUMNS, &count, NULL))
        return refuse_value (keyword->name, value, error);
      kymo_question_set_resolution (question, keyword->target == KYMO_KEYWORD_TO_COLUMNS
                                    ? count : kymo_question_get_columns (question),
                                    keyword->target == KYMO_KEYWORD_TO_ROWS
                                    ? count : kymo_question_get_rows (question));
    }
  else if (keyword->type == KYMO_KEYWORD_TIME)
    {
      if (!kymo_parse_time (value, &ns, NULL))
        return refuse_value (keyword->name, value, error);
      kymo_question_set_int (question, in_ns, ns);
    }
  else
    kymo_question_set (question, keyword->name, value);
  return TRUE;
}

/* What the command line sets where an option is not given. */
static void
set_defaults (KymoQuestion *question, const KymoKeyword *keyword)
{
  for (; keyword != NULL && keyword->name != NULL; keyword++)
    if (keyword->value != 0 && keyword->target == KYMO_KEYWORD_TO_COLUMNS)
      kymo_question_set_resolution (question, keyword->value, kymo_question_get_rows (question));
    else if (keyword->value != 0 && keyword->target == KYMO_KEYWORD_TO_KEYWORD)
      kymo_question_set_int (question, keyword->name, keyword->value);
}

static gboolean
set_word (KymoQuestion *question, const KymoQuestionClass *klass, const char *word,
          GError **error)
{
  const char *equals = strchr (word, '=');
  g_autofree char *key = g_strndup (word, equals != NULL ? (gsize) (equals - word) : strlen (word));
  const char *value = equals != NULL ? equals + 1 : "1";
  const KymoKeyword *keyword;
  gboolean known;

  if (!set_common (question, key, value, &known, error))
    return FALSE;
  keyword = known ? NULL : kymo_question_class_find_keyword (klass, key);
  if (keyword != NULL)
    return set_keyword (question, keyword, value, error);
  if (!known)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” has no keyword “%s”"), klass->kind,
                 key);
  return known;
}

static KymoQuestion *
parse_line (const char *line, GError **error)
{
  g_autoptr (KymoQuestion) question = NULL;
  g_auto (GStrv) words = NULL;
  const KymoQuestionClass *klass;

  if (!g_shell_parse_argv (line, NULL, &words, error))
    return NULL;
  klass = kymo_question_class_find (words[0]);
  if (klass == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("There is no question “%s”"), words[0]);
      return NULL;
    }
  question = kymo_question_new (klass->kind);
  set_defaults (question, klass->keywords);
  for (guint i = 1; words[i] != NULL; i++)
    if (!set_word (question, klass, words[i], error))
      return NULL;
  return g_steal_pointer (&question);
}

static void
answer_line (KymoSource *source, const char *line)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoQuestion) question = parse_line (line, &error);
  g_autoptr (KymoTable) answer = question != NULL
    ? kymo_source_ask (source, question, NULL, &error) : NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  if (answer == NULL)
    {
      answer = kymo_table_new (KYMO_STYLE_OBJECT);
      kymo_table_set_string (answer, "error", error->message);
    }
  kymo_table_write_json (answer, out);
  printf ("%s\n", g_strchomp (out->str));
  fflush (stdout);
}

/**
 * kymo_server_text_run:
 *
 * Answers the lines of standard input until it ends.
 *
 * Returns: the exit status: 1 where the run cannot be opened
 */
int
kymo_server_text_run (const KymoServerOptions *options)
{
  KymoOpenOptions open = { .n_threads = options->n_threads,
                           .memory_limit_bytes = options->memory_limit_bytes };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (options->path, &open, NULL, &error);
  g_autoptr (KymoRunSource) source = NULL;
  char *line = NULL;
  gsize size = 0;

  if (run == NULL)
    {
      fprintf (stderr, "kymo-server: %s\n", error->message);
      return 1;
    }
  source = kymo_run_source_new (run, options->n_threads);
  while (getline (&line, &size, stdin) > 0)
    if (*g_strstrip (line) != '\0')
      answer_line (KYMO_SOURCE (source), line);
  free (line);
  return 0;
}
