/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In a run of ranks no sentence speaks of PEs or entry methods.
 */
#include "config.h"

#include <string.h>

#include "exchanges.h"
#include "kymo-engine.h"

typedef struct
{
  const char *kind;
  const char *key, *value;      /* or NULL */
} Asked;

static KymoTable *
ask (const Exchanges *exchanges,
     const Asked     *asked,
     GError         **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (asked->kind);

  if (asked->key != NULL)
    kymo_question_set (question, asked->key, asked->value);
  return kymo_engine_ask (exchanges->run, question, 1, NULL, error);
}

static void
test_refusals (void)
{
  static const ExchangesStory story = { 1, 4, 1, 200, 0, 0 };
  static const Asked asked[] = {
    { "explain", NULL, NULL }, { "explain", "of", "77" }, { "explain", "of", "x" },
    { "extrema", "order", "x" }, { "clusters", "outliers", "x" },
    { "clusters", "x", "nothing" }, { "profile", "extrapolate", "1" }, { "replies", NULL, NULL },
  };
  g_autoptr (Exchanges) exchanges = exchanges_new (&story);

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KymoTable) answer = ask (exchanges, &asked[i], &error);

      g_assert_null (answer);
      g_assert_null (strstr (error->message, "PE"));
      g_assert_null (strstr (error->message, "entry method"));
    }
}

static void
test_reasons (void)
{
  static const ExchangesStory story = { 1, 4, 1, 200, 0, 0 };
  static const Asked asked = { "explain", "of", "0-1" };
  g_autoptr (Exchanges) exchanges = exchanges_new (&story);
  g_autoptr (KymoTable) answer = ask (exchanges, &asked, NULL);
  g_autoptr (GString) json = g_string_new (NULL);

  kymo_table_write_json (answer, json);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (answer, "reasons", NULL)), >, 0);
  g_assert_nonnull (strstr (json->str, "The 2 ranks"));
  g_assert_null (strstr (json->str, "PEs"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exchange-terms/refusals", test_refusals);
  g_test_add_func ("/exchange-terms/reasons", test_reasons);
  return g_test_run ();
}
