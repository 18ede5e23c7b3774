/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-finding-words.h"
#include "kymo-terms.h"
#include "kymo-units.h"

/**
 * kymo_finding_unit:
 * @metric: a rule of kind metric
 * @factor: (out): what a value is multiplied by to be in that unit
 *
 * Returns: (transfer none): the unit for scripts: ns, B, 1, 1/s, B/s, or what it is made of
 */
const char *
kymo_finding_unit (const KymoRule *metric,
                   double         *factor)
{
  KymoRuleType type = metric->kind == KYMO_RULE_NAME_METRIC ? metric->metric.type
                                                            : metric->expectation.type;

  *factor = type.time == -1 ? 1e9 : 1;
  if (type.time == 0 && type.bytes == 0)
    return "1";
  if (type.bytes == 0)
    return type.time == 1 ? "ns" : type.time == -1 ? "1/s" : "ns^n";
  return type.time == 0 ? "B" : type.time == -1 ? "B/s" : "B ns^n";
}

/**
 * kymo_finding_format:
 * @metric: a metric or an expectation
 * @value: in ns and bytes
 *
 * Returns: (transfer full): the value with its unit, for people
 */
char *
kymo_finding_format (const KymoRule *metric,
                     double          value)
{
  double factor;
  const char *unit = kymo_finding_unit (metric, &factor);
  g_autofree char *number = NULL;

  if (isnan (value))
    return g_strdup ("–");
  if (strcmp (unit, "ns") == 0)
    return kymo_format_duration (llround (CLAMP (value, -9e18, 9e18)));
  if (strcmp (unit, "B") == 0)
    return kymo_format_bytes (llround (CLAMP (value, -9e18, 9e18)));
  if (strcmp (unit, "B/s") == 0)
    {
      number = kymo_format_bytes (llround (CLAMP (value * factor, -9e18, 9e18)));
      return g_strconcat (number, "/s", NULL);
    }
  if (metric->kind == KYMO_RULE_NAME_METRIC && metric->metric.is_share)
    return kymo_format_percent (value);
  number = kymo_format_number (value * factor, 3);
  return strcmp (unit, "1") == 0 ? g_steal_pointer (&number)
    : g_strconcat (number, strcmp (unit, "1/s") == 0 ? "/s" : " ", NULL);
}

/**
 * kymo_finding_format_measured:
 * @metric: a rule of kind metric
 * @measured: its value
 *
 * Returns: (transfer full): the value with its unit, and the rank, PE or name that has it:
 *   "1.4 s (PE 20)"
 */
char *
kymo_finding_format_measured (const KymoRule     *metric,
                              const KymoMeasured *measured)
{
  g_autofree char *value = kymo_finding_format (metric, measured->value);
  const char *of = measured->label != NULL ? kymo_shown_label (measured->label) : measured->name;

  return of != NULL ? g_strdup_printf ("%s (%s)", value, of) : g_steal_pointer (&value);
}

/* The text for a name in braces; %NULL leaves it as it is. */
static char *
word_for (const char      *name,
          const KymoRules *rules,
          KymoRunMetrics  *measure)
{
  const char *point = strrchr (name, '.');
  const KymoRule *rule = kymo_rules_find (rules, name);
  g_autofree char *front = NULL;
  const KymoMeasured *measured;

  if (rule != NULL && rule->kind == KYMO_RULE_NAME_METRIC)
    return kymo_finding_format (rule, kymo_run_metrics_get (measure, rule)->value);
  front = point != NULL ? g_strndup (name, point - name) : g_strdup ("");
  rule = kymo_rules_find (rules, front);
  if (rule == NULL || rule->kind != KYMO_RULE_NAME_METRIC)
    return NULL;
  if (strcmp (point, ".usual") == 0)
    return kymo_finding_format (rule, kymo_run_metrics_get_usual (measure, rule)->median);
  measured = kymo_run_metrics_get (measure, rule);
  if (strcmp (point, ".name") == 0)
    return g_strdup (measured->name != NULL ? measured->name : "–");
  return g_strdup (measured->label != NULL ? kymo_shown_label (measured->label) : "–");
}

/* With a capital letter, as the first word of a sentence. */
static void
append_capital (GString    *out,
                const char *word)
{
  if (*word == '\0')
    return;
  g_string_append_unichar (out, g_unichar_toupper (g_utf8_get_char (word)));
  g_string_append (out, g_utf8_next_char (word));
}

/**
 * kymo_finding_fill:
 * @text: with %{METRIC}, %{METRIC.name} (of the function or file), %{METRIC.row} (the rank or PE),
 *   %{METRIC.usual} (the median of the reference runs), %{cost} and %{share}
 *
 * A sentence that begins with the label of a rank or PE begins with a capital letter.
 *
 * Returns: (transfer full): the text with values
 */
char *
kymo_finding_fill (const char      *text,
                   const KymoRules *rules,
                   KymoRunMetrics  *measure,
                   gint64           cost_ns,
                   double           share)
{
  GString *out = g_string_new (NULL);
  const char *begin;

  while ((begin = strstr (text, "%{")) != NULL && strchr (begin, '}') != NULL)
    {
      const char *end = strchr (begin, '}');
      g_autofree char *name = g_strndup (begin + 2, end - begin - 2);
      g_autofree char *word = strcmp (name, "cost") == 0 ? kymo_format_duration (cost_ns)
        : strcmp (name, "share") == 0 ? kymo_format_percent (share)
        : word_for (name, rules, measure);

      g_string_append_len (out, text, begin - text);
      if (word != NULL && g_str_has_suffix (name, ".row")
          && (out->len == 0 || g_str_has_suffix (out->str, ". ")))
        append_capital (out, word);
      else if (word != NULL)
        g_string_append (out, word);
      else
        g_string_append_len (out, begin, end + 1 - begin);
      text = end + 1;
    }
  g_string_append (out, text);
  return g_string_free (out, FALSE);
}
