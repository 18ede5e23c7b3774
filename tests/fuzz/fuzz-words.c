/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: what people type. The first byte chooses what it is: 'n' a list of names,
 * 'p' and 'r' a text or a regular expression and, behind a line break, the name it is tried on,
 * 'l' a list of locations, 'c' a condition, 'm' a metric computed of others.
 */
#include "config.h"

#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "kymo-condition.h"
#include "kymo-id-set.h"
#include "kymo-metric-expression.h"
#include "kymo-name.h"
#include "kymo-pattern.h"

/* What is wrong is told where it is, and can be shown. */
static void
check_error (gboolean done, const GError *error)
{
  fuzz_require (done == (error == NULL));
  fuzz_require (done || (*error->message != '\0' && g_utf8_validate (error->message, -1, NULL)));
}

static void
check_names (const char *text)
{
  g_auto (GStrv) names = kymo_name_list_split (text), again = NULL;
  g_autofree char *list = kymo_name_list_join ((const char *const *) names);

  for (guint i = 0; names[i] != NULL; i++)
    fuzz_require (*names[i] != '\0');
  again = kymo_name_list_split (list);
  fuzz_require (g_strv_equal ((const char *const *) names, (const char *const *) again));
}

static void
check_pattern (char *text, gboolean regex)
{
  g_autoptr (KymoPattern) pattern = NULL;
  g_autoptr (GError) error = NULL;
  char *name = strchr (text, '\n');
  gboolean gave_up = FALSE, found;

  if (name != NULL)
    *name++ = '\0';
  pattern = kymo_pattern_new (text, regex, &error);
  check_error (pattern != NULL, error);
  if (pattern == NULL)
    return;
  found = kymo_pattern_matches (pattern, name, &gave_up);
  fuzz_require (!(found && gave_up) && !(found && name == NULL));
  fuzz_require (gave_up != kymo_pattern_check (pattern, TRUE, NULL));
  fuzz_require (regex || kymo_pattern_matches (pattern, text, NULL));
}

/* Ids one by one, in stretches and picked are the same ones. */
static void
check_ids (const KymoIdSet *set)
{
  gint64 ids[64];
  guint n = 0;
  g_autoptr (GArray) picked = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      gint64 first = i & ~7u;
      gboolean any = FALSE;

      ids[i] = i;
      n += kymo_id_set_contains (set, i);
      fuzz_require (kymo_id_set_meets (set, i, i + 1) == kymo_id_set_contains (set, i));
      for (gint64 id = first; id <= i; id++)
        any = any || kymo_id_set_contains (set, id);
      fuzz_require (kymo_id_set_meets (set, first, i + 1) == any);
    }
  picked = kymo_id_set_pick (set, ids, G_N_ELEMENTS (ids));
  fuzz_require (picked->len == n);
}

static void
check_locations (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoIdSet) set = kymo_id_set_parse (text, &error), again = NULL;
  g_autofree char *written = NULL, *twice = NULL;

  check_error (set != NULL, error);
  if (set == NULL)
    return;
  check_ids (set);
  written = kymo_id_set_to_text (set);
  again = kymo_id_set_parse (written, NULL);
  fuzz_require (again != NULL);
  twice = kymo_id_set_to_text (again);
  fuzz_require (strcmp (written, twice) == 0);
}

static void
check_condition (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoCondition) condition = kymo_condition_parse (text, &error), again = NULL;
  g_autofree char *written = NULL;

  check_error (condition != NULL, error);
  if (condition == NULL)
    return;
  written = kymo_condition_to_string (condition);
  again = kymo_condition_parse (written, NULL);
  fuzz_require (again != NULL && kymo_condition_equal (again, condition));
}

static void
check_metric (const char *text)
{
  static const char *const metrics[] = { "TIME", "PAPI_FP_OPS" };
  static const double values[] = { 0, 1e9 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoMetricExpression) expression =
    kymo_metric_expression_new (text, metrics, G_N_ELEMENTS (metrics), &error);

  check_error (expression != NULL, error);
  if (expression == NULL)
    return;
  fuzz_require (isfinite (kymo_metric_expression_get (expression, values, 1)));
  fuzz_require (kymo_metric_expression_check (text, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = size > 0 ? g_strndup ((const char *) data + 1, size - 1) : NULL;
  char kind = size > 0 ? data[0] : '\0';

  if (text == NULL)
    return 0;
  if (kind == 'n')
    check_names (text);
  else if (kind == 'p' || kind == 'r')
    check_pattern (text, kind == 'r');
  /* Options and entries are UTF-8 before these see them. */
  else if (!g_utf8_validate (text, -1, NULL))
    return 0;
  else if (kind == 'l')
    check_locations (text);
  else if (kind == 'c')
    check_condition (text);
  else if (kind == 'm')
    check_metric (text);
  return 0;
}
