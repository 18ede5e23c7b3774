/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "exchange-parts.h"

#define N_RANGES 6

const ExchangesStory exchange_stories[N_EXCHANGE_STORIES] = {
  { 1, 4, 1, 200, 0, 0 },
  { 2, 5, 1, 300, 6, 0 },
  { 3, 3, 3, 300, 6, 0 },
  { 4, 1, 1, 50, 10, 0 },
  { 5, 6, 2, 400, 2, 300000 },
};

/** part_ask: the answer, with pairs of keyword and value up to %NULL */
KymoTable *
part_ask (const Part        *part,
          const char        *kind,
          const char *const *keywords,
          guint              n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, part->span);
  kymo_question_set_locations (question, part->locations);
  for (guint i = 0; keywords != NULL && keywords[i] != NULL; i += 2)
    kymo_question_set (question, keywords[i], keywords[i + 1]);
  answer = kymo_engine_ask (part->exchanges->run, question, n_threads, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/** part_has: whether the end of a message lies in the part */
gboolean
part_has (const Part         *part,
          const ExchangesEnd *end)
{
  KymoSpan whole = part->exchanges->run->span;

  return (part->locations == NULL || kymo_id_set_contains (part->locations, end->location))
    && end->time_ns >= part->span.begin_ns
    && (end->time_ns < part->span.end_ns
        || (part->span.end_ns >= whole.end_ns && end->time_ns <= whole.end_ns));
}

const ExchangesEnd *
end_at (const GArray *ends,
        guint         i)
{
  return &g_array_index (ends, ExchangesEnd, i);
}

/** for_each_part: runs the test on parts of all stories */
void
for_each_part (TestPart test)
{
  for (guint s = 0; s < N_EXCHANGE_STORIES; s++)
    {
      g_autoptr (Exchanges) exchanges = exchanges_new (&exchange_stories[s]);
      g_autoptr (GRand) rand = g_rand_new_with_seed (s);
      g_autoptr (KymoIdSet) some = kymo_id_set_parse ("0,2-3", NULL);
      KymoSpan whole = exchanges->run->span;

      test (&(Part) { exchanges, KYMO_SPAN_ALL, NULL });
      test (&(Part) { exchanges, KYMO_SPAN_ALL, some });
      for (guint i = 0; i < N_RANGES; i++)
        {
          gint64 begin_ns = g_rand_double (rand) * whole.end_ns;
          gint64 end_ns = begin_ns + g_rand_double (rand) * (whole.end_ns - begin_ns);

          test (&(Part) { exchanges, { begin_ns, MAX (end_ns, begin_ns + 1) },
                          i % 2 == 0 ? NULL : some });
        }
    }
}
