/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * place: the rows of a timeline that locations have, counted without groups.
 * A view holds only the rows it shows; here it learns how far to scroll.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"

#include "kymo-error.h"

static KymoTable *
place_answer (KymoAsk  *ask,
              guint     n_threads,
              GError  **error)
{
  const char *text = kymo_question_get (ask->question, "of");
  g_autoptr (KymoIdSet) wanted = NULL;
  KymoTable *answer, *places;
  guint location, place;

  if (text == NULL)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           _("place needs the locations it is about"));
      return NULL;
    }
  wanted = kymo_id_set_parse (text, error);
  if (wanted == NULL)
    return NULL;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  places = kymo_table_new (KYMO_STYLE_OBJECTS);
  location = kymo_table_add_column (places, "location", KYMO_COLUMN_INT, 1);
  place = kymo_table_add_column (places, "place", KYMO_COLUMN_INT, 1);
  for (guint i = 0; i < ask->n_locations; i++)
    {
      gint64 id = kymo_run_peek_location (ask->run, ask->locations[i])->id;

      if (!kymo_id_set_contains (wanted, id))
        continue;
      kymo_table_append_int (places, location, id);
      kymo_table_append_int (places, place, kymo_ask_place_of (ask, i));
    }
  kymo_table_set_int (answer, "locations", ask->n_locations);
  kymo_table_set_table (answer, "places", places);
  return answer;
}

static const KymoKeyword keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "LIST", "the locations, as 3,17", .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "places", "location place" },
  { NULL }
};

const KymoAnswerClass kymo_answer_place =
{
  { "place", "The rows of locations", .keywords = keywords, .lists = lists },
  .answer = place_answer, .in_order = TRUE, .in_groups = TRUE,
};
