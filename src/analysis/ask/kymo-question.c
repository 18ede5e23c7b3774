/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-question.h"

#include <string.h>

#include "kymo-error.h"

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
 * @kind: one of the kinds in kymo-question.h
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

KymoQuestion *
kymo_question_ref (KymoQuestion *question)
{
  g_atomic_ref_count_inc (&question->ref_count);
  return question;
}

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

const char *
kymo_question_get_kind (const KymoQuestion *question)
{
  return question->kind;
}

void
kymo_question_set_span (KymoQuestion *question,
                        KymoSpan      span)
{
  question->span = span;
}

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

guint
kymo_question_get_columns (const KymoQuestion *question)
{
  return question->columns;
}

guint
kymo_question_get_rows (const KymoQuestion *question)
{
  return question->rows;
}

void
kymo_question_set (KymoQuestion *question,
                   const char   *key,
                   const char   *value)
{
  g_hash_table_insert (question->parameters, g_strdup (key), g_strdup (value));
}

void
kymo_question_set_int (KymoQuestion *question,
                       const char   *key,
                       gint64        value)
{
  g_hash_table_insert (question->parameters, g_strdup (key),
                       g_strdup_printf ("%" G_GINT64_FORMAT, value));
}

const char *
kymo_question_get (const KymoQuestion *question,
                   const char         *key)
{
  return g_hash_table_lookup (question->parameters, key);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
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
  g_ptr_array_sort (keys, compare_keys);
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (keys, FALSE);
}

/**
 * kymo_question_get_int:
 * @fallback: the value where the keyword is not given
 * @value: (out): the number
 *
 * Returns: %FALSE and a usage error where the keyword is not a number
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

gboolean
kymo_question_get_flag (const KymoQuestion *question,
                        const char         *key)
{
  const char *text = kymo_question_get (question, key);

  return text != NULL && strcmp (text, "0") != 0 && *text != '\0';
}
