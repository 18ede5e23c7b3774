/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk-answer.h. Names of values are as in the file of a desk, with units.
 */
#include "config.h"

#include "kymo-desk-answer.h"

/**
 * kymo_bookmarks_table_new:
 *
 * Returns: (transfer full): a table "bookmarks" without rows: name, begin_ns, end_ns, note,
 *   locations (a list in words, null = all)
 */
KymoTable *
kymo_bookmarks_table_new (void)
{
  KymoTable *table = kymo_table_new_list ("name:string begin_ns end_ns note:string "
                                          "locations:string");

  return table;
}

/**
 * kymo_bookmarks_table_append:
 * @name: of the bookmark
 * @note: (nullable): its note
 * @locations: (nullable): a list in words; %NULL = all
 *
 * Appends a row to a table of bookmarks. The texts are copied.
 */
void
kymo_bookmarks_table_append (KymoTable *table, KymoSpan span, const char *name,
                             const char *note, const char *locations)
{
  kymo_table_append_row (table, name, span.begin_ns, span.end_ns, note, locations);
}

static void
set_text (KymoTable *answer, const char *key, const char *text)
{
  if (text != NULL)
    kymo_table_set_string (answer, key, text);
}

static void
set_time (KymoTable *answer, const char *key, gint64 ns)
{
  if (ns != KYMO_DESK_NONE)
    kymo_table_set_int (answer, key, ns);
}

static void
set_span (KymoTable *answer, const char *begin, const char *end, KymoSpan span)
{
  set_time (answer, begin, span.begin_ns);
  set_time (answer, end, span.end_ns);
}

static KymoTable *
list_bookmarks (const KymoDesk *desk)
{
  KymoTable *list = kymo_bookmarks_table_new ();

  for (guint i = 0; i < desk->notes->len; i++)
    {
      const KymoDeskNote *note = desk->notes->pdata[i];

      kymo_bookmarks_table_append (list, note->span, note->name, note->note,
                                   note->locations);
    }
  return list;
}

/* The options and words that are chosen in each part of the desk, with their values. */
static KymoTable *
list_chosen (const KymoDesk *desk)
{
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint part = kymo_table_add_column (list, "part", KYMO_COLUMN_INT, 1);
  guint key = kymo_table_add_column (list, "key", KYMO_COLUMN_STRING, 1);
  guint value = kymo_table_add_column (list, "value", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; i < desk->places->len; i++)
    {
      const KymoDeskPlace *place = desk->places->pdata[i];
      g_autoptr (GList) words = g_list_sort (g_hash_table_get_keys (place->words),
                                             (GCompareFunc) g_strcmp0);

      for (guint k = 0; k < KYMO_N_OPTIONS; k++)
        if (place->options[k] != NULL)
          {
            kymo_table_append_int (list, part, i + 1);
            kymo_table_append_string (list, key, kymo_session_options[k]);
            kymo_table_append_string (list, value, place->options[k]);
          }
      for (GList *item = words; item != NULL; item = item->next)
        {
          kymo_table_append_int (list, part, i + 1);
          kymo_table_append_string (list, key, item->data);
          kymo_table_append_string (list, value,
                                    g_hash_table_lookup (place->words, item->data));
        }
    }
  return list;
}

/**
 * kymo_desk_dup_answer:
 *
 * Lists of which run the desk is, and what is seen, chosen and noted in it, times in ns. Texts
 * and times that are not set are left out. "bookmarks" has a row for each note, "chosen" a
 * row for each option or word of a part, with the part counted from 1.
 *
 * Returns: (transfer full): the answer, with copies of all texts
 */
KymoTable *
kymo_desk_dup_answer (const KymoDesk *desk)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  set_text (answer, "title", desk->title);
  set_text (answer, "uri", desk->uri);
  set_text (answer, "beside", desk->beside);
  set_text (answer, "layout", desk->layout);
  set_text (answer, "search", desk->search);
  set_span (answer, "range_begin_ns", "range_end_ns", desk->range);
  set_span (answer, "selection_begin_ns", "selection_end_ns", desk->selection);
  set_time (answer, "marker_a_ns", desk->markers[0]);
  set_time (answer, "marker_b_ns", desk->markers[1]);
  set_text (answer, "locations", desk->locations);
  set_text (answer, "order", desk->order);
  set_text (answer, "fold", desk->fold);
  set_time (answer, "least_ns", desk->least_ns);
  set_text (answer, "line", desk->line);
  set_text (answer, "metrics", desk->metrics);
  set_text (answer, "function", desk->function);
  set_text (answer, "palette", desk->palette);
  kymo_table_set_table (answer, "bookmarks", list_bookmarks (desk));
  kymo_table_set_table (answer, "chosen", list_chosen (desk));
  return answer;
}
