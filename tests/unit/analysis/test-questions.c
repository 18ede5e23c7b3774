/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the class of each kind of question says is compared with what the kind does: its words,
 * and the lists of its answers about recordings in the tree. A failure names the kind and the
 * cure. (That manual, completion and golden answers know each kind: tests/cli/papers.py.)
 */
#include "config.h"

#include <string.h>

#include "every-question.h"
#include "kymo-open.h"
#include "kymo-question-class.h"
#include "kymo-run-source.h"

#define CURE "beside kymo_answer_KIND in src/analysis"

static const char *root;

/** List: what answers have of a list: its key ("locations", "locations.activities"; "" is the
 * answer itself) and the keys of its columns */
typedef struct
{
  char      *key;
  GPtrArray *columns;
} List;

/* Kind -> GPtrArray of List */
static GHashTable *answered;

static void
list_free (gpointer data)
{
  List *list = data;

  g_free (list->key);
  g_ptr_array_unref (list->columns);
  g_free (list);
}

static List *
find_list (GPtrArray *lists, const char *key)
{
  List *list;

  for (guint i = 0; i < lists->len; i++)
    if (g_str_equal (((List *) lists->pdata[i])->key, key))
      return lists->pdata[i];
  list = g_new0 (List, 1);
  list->key = g_strdup (key);
  list->columns = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (lists, list);
  return list;
}

static void
take_list (GPtrArray *lists, const char *key, const KymoTable *table)
{
  List *list = find_list (lists, key);

  for (guint c = 0; c < kymo_table_get_n_columns (table); c++)
    {
      const char *name = kymo_table_get_column_name (table, c);
      KymoTable *child = kymo_table_get_column_type (table, c) == KYMO_COLUMN_TABLE
        ? kymo_table_peek_nested (table, name, NULL) : NULL;
      g_autofree char *inner = g_strconcat (key, *key != '\0' ? "." : "", name, NULL);

      if (child != NULL && kymo_table_get_style (child) != KYMO_STYLE_FLAT)
        take_list (lists, inner, child);
      else if (!g_ptr_array_find_with_equal_func (list->columns, name, g_str_equal, NULL))
        g_ptr_array_add (list->columns, g_strdup (name));
    }
}

static void
take_answer (const char *kind, const KymoTable *answer)
{
  GPtrArray *lists = g_hash_table_lookup (answered, kind);

  if (lists == NULL)
    {
      lists = g_ptr_array_new_with_free_func (list_free);
      g_hash_table_insert (answered, g_strdup (kind), lists);
    }
  take_list (lists, "", answer);
}

static void
ask_question (KymoQuestion *question, gpointer source)
{
  g_autoptr (KymoTable) answer = kymo_source_ask (source, question, NULL, NULL);

  if (answer != NULL)
    take_answer (kymo_question_get_kind (question), answer);
}

static void
ask_recording (const char *recording)
{
  g_autofree char *path = g_build_filename (root, recording, NULL);
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (path, &options, NULL, &error);
  g_autoptr (KymoSource) source = NULL;

  g_assert_no_error (error);
  source = KYMO_SOURCE (kymo_run_source_new (run, 0));
  every_question (source, ask_question, source);
}

static void G_GNUC_PRINTF (1, 2)
offend (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_test_message ("%s", text);
  g_test_fail ();
}

static void
check_keyword (const KymoQuestionClass *klass, const KymoKeyword *keyword)
{
  const char *kind = klass->kind;

  if (keyword->help == NULL || *keyword->help == '\0')
    offend ("%s: the keyword %s has no help: add it " CURE, kind, keyword->name);
  if ((keyword->type == KYMO_KEYWORD_FLAG) != (keyword->hint == NULL))
    offend ("%s: the keyword %s needs a hint, unless it is a flag: " CURE, kind, keyword->name);
  for (const KymoKeyword *k = klass->keywords; k != keyword; k++)
    if (g_str_equal (k->name, keyword->name))
      offend ("%s: the keyword %s is listed twice " CURE, kind, k->name);
}

/* Titles, help, and what goes together. */
static void
test_words (void)
{
  const KymoQuestionClass *klass;

  for (guint i = 0; (klass = kymo_question_class_at (i)) != NULL; i++)
    {
      gboolean filtered = kymo_question_class_find_keyword (klass, "least-bytes") != NULL;

      g_assert_true (kymo_question_class_find (klass->kind) == klass);
      if (klass->title == NULL || *klass->title == '\0')
        offend ("%s: no title: add it " CURE, klass->kind);
      for (const KymoKeyword *k = klass->keywords; k != NULL && k->name != NULL; k++)
        check_keyword (klass, k);
      if (filtered != klass->of_messages)
        offend ("%s: of_messages and KYMO_KEYWORDS_OF_MESSAGES go together: " CURE, klass->kind);
    }
}

static gboolean
is_listed (const KymoQuestionList *list, const char *column)
{
  g_auto (GStrv) columns = g_strsplit (list->columns, " ", -1);

  return g_strv_contains ((const char *const *) columns, column);
}

static void
check_list (const char *kind, const KymoQuestionList *listed, const List *list)
{
  g_auto (GStrv) columns = NULL;

  if (listed->columns == NULL)
    return;
  columns = g_strsplit (listed->columns, " ", -1);
  for (guint i = 0; i < list->columns->len; i++)
    if (!is_listed (listed, list->columns->pdata[i]))
      offend ("%s: answers have the column %s.%s: name it in the lists " CURE, kind, list->key,
              (char *) list->columns->pdata[i]);
  for (guint i = 0; columns[i] != NULL; i++)
    if (!g_ptr_array_find_with_equal_func (list->columns, columns[i], g_str_equal, NULL))
      offend ("%s: no answer has the column %s.%s: take it from the lists " CURE
              ", or add keywords to variants[] of every-question.c", kind, list->key, columns[i]);
}

static gboolean
has_list (GPtrArray *lists, const char *key)
{
  for (guint i = 0; i < lists->len; i++)
    if (g_str_equal (((List *) lists->pdata[i])->key, key))
      return TRUE;
  return FALSE;
}

static const KymoQuestionList *
find_listed (const KymoQuestionClass *klass, const char *key)
{
  for (const KymoQuestionList *list = klass->lists; list != NULL && list->key != NULL; list++)
    if (g_str_equal (list->key, key))
      return list;
  return NULL;
}

/* The lists of a kind are those that its answers have, with the same columns. */
static void
test_lists (gconstpointer data)
{
  const KymoQuestionClass *klass = data;
  GPtrArray *lists = g_hash_table_lookup (answered, klass->kind);

  if (lists == NULL)
    {
      offend ("%s: no recording answers it: add keywords to variants[], or a recording to "
              "every_recording[] of every-question.c", klass->kind);
      return;
    }
  for (guint i = 0; i < lists->len; i++)
    {
      const List *list = lists->pdata[i];
      const KymoQuestionList *listed = find_listed (klass, list->key);

      if (listed != NULL)
        check_list (klass->kind, listed, list);
      else if (*list->key != '\0')
        offend ("%s: answers have the list %s: name it in the lists " CURE, klass->kind,
                list->key);
    }
  for (const KymoQuestionList *list = klass->lists; list != NULL && list->key != NULL; list++)
    if (!has_list (lists, list->key))
      offend ("%s: no answer has the list %s: take it from the lists " CURE
              ", or add keywords to variants[] of every-question.c", klass->kind, list->key);
}

int
main (int argc, char **argv)
{
  /* All kinds are told that fail, not the first one alone. */
  char *arguments[] = { argv[0], (char *) "-k", NULL }, **words = arguments;
  const KymoQuestionClass *klass;
  int n_words = 2;

  g_test_init (&n_words, &words, NULL);
  root = argv[1];
  answered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                    (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; every_recording[i] != NULL; i++)
    ask_recording (every_recording[i]);
  g_test_add_func ("/questions/words", test_words);
  for (guint i = 0; (klass = kymo_question_class_at (i)) != NULL; i++)
    {
      g_autofree char *path = g_strconcat ("/questions/lists/", klass->kind, NULL);

      g_test_add_data_func (path, klass, test_lists);
    }
  return g_test_run ();
}
