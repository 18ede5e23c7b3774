/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-question.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-order.h"

struct _KymoQuestion
{
  gatomicrefcount  ref_count;
  char            *kind;
  KymoSpan         span;
  KymoIdSet       *locations;   /* NULL = all */
  KymoIdWeights   *weights;     /* NULL = those of the run, if at all */
  GArray          *order;       /* gint64, or NULL */
  KymoRowGroups   *groups;      /* or NULL */
  guint            columns;
  guint            rows;
  GHashTable      *parameters;  /* string -> string */
};

/**
 * kymo_question_new:
 * @kind: one of the kinds in kymo-questions.c
 *
 * Returns: (transfer full): a question about the whole run
 */
KymoQuestion *
kymo_question_new (const char *kind)
{
  KymoQuestion *question = g_new0 (KymoQuestion, 1);

  g_atomic_ref_count_init (&question->ref_count);
  question->kind = g_strdup (kind);
  question->span = KYMO_SPAN_ALL;
  question->parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return question;
}

/** kymo_question_ref: Returns: (transfer full): @question, with one more reference; any thread */
KymoQuestion *
kymo_question_ref (KymoQuestion *question)
{
  g_atomic_ref_count_inc (&question->ref_count);
  return question;
}

/** kymo_question_unref: @question: (nullable): the last reference frees it */
void
kymo_question_unref (KymoQuestion *question)
{
  if (question == NULL || !g_atomic_ref_count_dec (&question->ref_count))
    return;
  g_free (question->kind);
  g_clear_pointer (&question->locations, kymo_id_set_unref);
  g_clear_pointer (&question->weights, kymo_id_weights_unref);
  g_clear_pointer (&question->order, g_array_unref);
  g_clear_pointer (&question->groups, kymo_row_groups_unref);
  g_hash_table_unref (question->parameters);
  g_free (question);
}

/** kymo_question_get_kind: Returns: (transfer none): the kind it was made with */
const char *
kymo_question_get_kind (const KymoQuestion *question)
{
  return question->kind;
}

/**
 * kymo_question_set_span:
 * @span: asked range in ns; what lies outside of the run is cut off by the answer
 */
void
kymo_question_set_span (KymoQuestion *question,
                        KymoSpan      span)
{
  question->span = span;
}

/** kymo_question_get_span: Returns: the asked range as it was set; %KYMO_SPAN_ALL at first */
KymoSpan
kymo_question_get_span (const KymoQuestion *question)
{
  return question->span;
}

/**
 * kymo_question_set_locations:
 * @locations: (nullable) (transfer none): %NULL for all
 */
void
kymo_question_set_locations (KymoQuestion *question,
                             KymoIdSet    *locations)
{
  g_clear_pointer (&question->locations, kymo_id_set_unref);
  question->locations = locations != NULL ? kymo_id_set_ref (locations) : NULL;
}

/**
 * kymo_question_peek_locations:
 *
 * Returns: (transfer none) (nullable): the asked locations; %NULL = all
 */
KymoIdSet *
kymo_question_peek_locations (const KymoQuestion *question)
{
  return question->locations;
}

/**
 * kymo_question_set_weights:
 * @weights: (nullable) (transfer none): of the locations
 */
void
kymo_question_set_weights (KymoQuestion  *question,
                           KymoIdWeights *weights)
{
  g_clear_pointer (&question->weights, kymo_id_weights_unref);
  question->weights = weights != NULL ? kymo_id_weights_ref (weights) : NULL;
}

/**
 * kymo_question_peek_weights:
 *
 * Returns: (transfer none) (nullable): weights of the locations; %NULL = those of the run, if any
 */
KymoIdWeights *
kymo_question_peek_weights (const KymoQuestion *question)
{
  return question->weights;
}

/**
 * kymo_question_set_order:
 * @ids: (nullable) (transfer none) (element-type gint64): order of locations
 */
void
kymo_question_set_order (KymoQuestion *question,
                         GArray       *ids)
{
  g_clear_pointer (&question->order, g_array_unref);
  question->order = ids != NULL ? g_array_ref (ids) : NULL;
}

/**
 * kymo_question_peek_order:
 *
 * Returns: (transfer none) (nullable) (element-type gint64): order of locations; %NULL = by id
 */
GArray *
kymo_question_peek_order (const KymoQuestion *question)
{
  return question->order;
}

/**
 * kymo_question_set_groups:
 * @groups: (nullable) (transfer none): of the locations
 */
void
kymo_question_set_groups (KymoQuestion  *question,
                          KymoRowGroups *groups)
{
  g_clear_pointer (&question->groups, kymo_row_groups_unref);
  question->groups = groups != NULL ? kymo_row_groups_ref (groups) : NULL;
}

/**
 * kymo_question_peek_groups:
 *
 * Returns: (transfer none) (nullable): groups of the rows; %NULL = they are not grouped
 */
KymoRowGroups *
kymo_question_peek_groups (const KymoQuestion *question)
{
  return question->groups;
}

/**
 * kymo_question_set_resolution:
 * @columns: cells or bins along time; 0 = the kind's own choice
 * @rows: most rows; 0 = one a location
 */
void
kymo_question_set_resolution (KymoQuestion *question,
                              guint         columns,
                              guint         rows)
{
  question->columns = columns;
  question->rows = rows;
}

/** kymo_question_get_columns: Returns: cells or bins along time; 0 = the kind's own choice */
guint
kymo_question_get_columns (const KymoQuestion *question)
{
  return question->columns;
}

/** kymo_question_get_rows: Returns: most rows of the answer; 0 = one a location */
guint
kymo_question_get_rows (const KymoQuestion *question)
{
  return question->rows;
}

/**
 * kymo_question_set:
 * @key: a keyword of the kind, see kymo-question-class.h
 * @value: (nullable): copied, and checked only when the question is answered; %NULL reads as a
 *   keyword that is not given
 *
 * Sets a keyword, in place of an older value.
 */
void
kymo_question_set (KymoQuestion *question,
                   const char   *key,
                   const char   *value)
{
  g_hash_table_insert (question->parameters, g_strdup (key), g_strdup (value));
}

/**
 * kymo_question_set_int:
 * @key: a keyword
 * @value: a whole number
 *
 * Sets a keyword to a number, in place of an older value.
 */
void
kymo_question_set_int (KymoQuestion *question,
                       const char   *key,
                       gint64        value)
{
  g_hash_table_insert (question->parameters, g_strdup (key),
                       g_strdup_printf ("%" G_GINT64_FORMAT, value));
}

/**
 * kymo_question_get:
 * @key: a keyword
 *
 * Returns: (transfer none) (nullable): the value; %NULL if it is not given
 */
const char *
kymo_question_get (const KymoQuestion *question,
                   const char         *key)
{
  return g_hash_table_lookup (question->parameters, key);
}

/** kymo_question_list_keys: Returns: (transfer full): its keywords, in order */
char **
kymo_question_list_keys (const KymoQuestion *question)
{
  GPtrArray *keys = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, question->parameters);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, g_strdup (key));
  g_ptr_array_sort (keys, kymo_compare_strings);
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (keys, FALSE);
}

/**
 * kymo_question_get_int:
 * @key: a keyword
 * @fallback: the value if the keyword is not given
 * @value: (out): the number
 *
 * Returns: %FALSE with %KYMO_ERROR_USAGE if the value of the keyword is not a number
 */
gboolean
kymo_question_get_int (const KymoQuestion  *question,
                       const char          *key,
                       gint64               fallback,
                       gint64              *value,
                       GError             **error)
{
  const char *text = kymo_question_get (question, key);

  *value = fallback;
  if (text == NULL || g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, value, NULL))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” is not a number for %s"), text, key);
  return FALSE;
}

/**
 * kymo_question_get_flag:
 * @key: a keyword
 *
 * Returns: whether the keyword is given and neither empty nor "0"
 */
gboolean
kymo_question_get_flag (const KymoQuestion *question,
                        const char         *key)
{
  const char *text = kymo_question_get (question, key);

  return text != NULL && strcmp (text, "0") != 0 && *text != '\0';
}
