/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions as text:
 *
 *   below SHARE% for TIME
 *   above SHARE% for TIME [NAME]
 *   silent TIME
 *
 * What is printed is parsed to the same condition, to the last bit.
 */
#include "config.h"

#include "kymo-condition.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-units.h"

#define SHORTEST_NS G_GINT64_CONSTANT (1000000)
#define LONGEST_NS (24 * 3600 * G_GINT64_CONSTANT (1000000000))

static const char *const words[] = { "below", "above", "silent" };

/**
 * kymo_condition_new:
 * @share: 0 to 1; of no meaning for %KYMO_CONDITION_SILENT
 * @name: (nullable): display name of an entry method; space around it is cut
 *
 * Returns: (transfer full): the condition
 */
KymoCondition *
kymo_condition_new (KymoConditionKind  kind,
                    double             share,
                    gint64             for_ns,
                    const char        *name)
{
  KymoCondition *condition = g_new0 (KymoCondition, 1);

  condition->kind = kind;
  condition->share = kind == KYMO_CONDITION_SILENT ? 0 : share;
  condition->for_ns = for_ns;
  if (kind == KYMO_CONDITION_ABOVE && name != NULL)
    condition->name = g_strstrip (g_strdup (name));
  if (condition->name != NULL && *condition->name == 0)
    g_clear_pointer (&condition->name, g_free);
  return condition;
}

/**
 * kymo_condition_copy:
 *
 * Returns: (transfer full): a copy with a name of its own, to be freed with
 *   kymo_condition_free()
 */
KymoCondition *
kymo_condition_copy (const KymoCondition *condition)
{
  return kymo_condition_new (condition->kind, condition->share, condition->for_ns,
                             condition->name);
}

/**
 * kymo_condition_free:
 *
 * Frees @condition. %NULL is ignored.
 */
void
kymo_condition_free (KymoCondition *condition)
{
  if (condition == NULL)
    return;
  g_free (condition->name);
  g_free (condition);
}

/* The fewest digits that are read as the same share, with the point moved two
   places: no division that would round. */
static char *
print_percent (double share)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];
  GString *out = g_string_new (NULL);
  int place;

  for (guint digits = 0; digits < 17; digits++)
    {
      g_snprintf (format, sizeof format, "%%.%ue", digits);
      g_ascii_formatd (text, sizeof text, format, share);
      if (g_ascii_strtod (text, NULL) == share)
        break;
    }
  place = share == 0 ? 1 : atoi (strchr (text, 'e') + 1) + 3;
  for (const char *p = text; *p != 'e'; p++)
    if (g_ascii_isdigit (*p))
      g_string_append_c (out, *p);
  for (; place < 1; place++)
    g_string_prepend_c (out, '0');
  while ((int) out->len < place)
    g_string_append_c (out, '0');
  if ((int) out->len > place)
    g_string_insert_c (out, place, '.');
  return g_string_free (out, FALSE);
}

/**
 * kymo_condition_to_string:
 *
 * Returns: (transfer full): what kymo_condition_parse() reads
 */
char *
kymo_condition_to_string (const KymoCondition *condition)
{
  g_autofree char *spaced = kymo_format_duration_exact (condition->for_ns);
  g_auto (GStrv) parts = g_strsplit (spaced, " ", 2);
  g_autofree char *length = g_strjoinv ("", parts);
  g_autofree char *percent = print_percent (condition->share);

  if (condition->kind == KYMO_CONDITION_SILENT)
    return g_strdup_printf ("silent %s", length);
  return g_strdup_printf ("%s %s%% for %s%s%s", words[condition->kind], percent, length,
                          condition->name != NULL ? " " : "",
                          condition->name != NULL ? condition->name : "");
}

/* Cuts the first word off; "" at the end. */
static char *
take_word (const char **text)
{
  const char *begin = *text;
  gsize n;

  while (g_ascii_isspace (*begin))
    begin++;
  n = strcspn (begin, " \t\n\r\v\f");
  *text = begin + n;
  return g_strndup (begin, n);
}

/* "20%" or "20 %": digits and a point, no exponent. */
static gboolean
take_share (const char **text,
            double      *share)
{
  g_autofree char *word = take_word (text), *scaled = NULL;
  gsize n = strspn (word, "+-.0123456789");
  char *end;

  if (word[n] == 0)
    {
      g_autofree char *sign = take_word (text);

      if (strcmp (sign, "%") != 0)
        return FALSE;
    }
  else if (strcmp (word + n, "%") != 0)
    return FALSE;
  scaled = g_strdup_printf ("%.*se-2", (int) n, word);
  *share = g_ascii_strtod (scaled, &end);
  return *end == 0 && end != scaled;
}

static gboolean
take_length (const char **text,
             gint64      *ns)
{
  g_autofree char *word = take_word (text);

  return kymo_parse_time (word, ns, NULL);
}

static gboolean
take_kind (const char        **text,
           KymoConditionKind  *kind)
{
  g_autofree char *word = take_word (text);

  for (guint k = 0; k < G_N_ELEMENTS (words); k++)
    if (g_ascii_strcasecmp (word, words[k]) == 0)
      {
        *kind = k;
        return TRUE;
      }
  return FALSE;
}

/* A word that may be there. */
static gboolean
skip_for (const char **text)
{
  const char *rest = *text;
  g_autofree char *word = take_word (&rest);

  if (g_ascii_strcasecmp (word, "for") != 0)
    return FALSE;
  *text = rest;
  return TRUE;
}

static gboolean
read_condition (const char        *text,
                KymoConditionKind *kind,
                double            *share,
                gint64            *ns,
                char             **name)
{
  if (!take_kind (&text, kind))
    return FALSE;
  if (*kind != KYMO_CONDITION_SILENT && !take_share (&text, share))
    return FALSE;
  if (!skip_for (&text) && *kind != KYMO_CONDITION_SILENT)
    return FALSE;
  if (!take_length (&text, ns))
    return FALSE;
  *name = g_strstrip (g_strdup (text));
  return *kind == KYMO_CONDITION_ABOVE || **name == 0;
}

static gboolean
is_possible (KymoConditionKind   kind,
             double              share,
             gint64              ns,
             GError            **error)
{
  if (ns < SHORTEST_NS || ns > LONGEST_NS)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         _("A condition holds for 1 ms at least and for 24 h at most"));
  else if (kind == KYMO_CONDITION_BELOW && !(share > 0 && share <= 1))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         _("Utilization can be below more than 0 % and at most 100 %"));
  else if (kind == KYMO_CONDITION_ABOVE && !(share >= 0 && share < 1))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         _("An entry method can be above 0 % or more, and less than 100 %"));
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_condition_parse:
 * @text: "below 20% for 5s", "above 80% for 3s Cell::run" (without a name: any
 *   entry method) or "silent 10s"; from 1 ms to 24 h
 *
 * Returns: (transfer full) (nullable): the condition; %NULL and
 * %KYMO_ERROR_USAGE, a sentence for people, where @text is none
 */
KymoCondition *
kymo_condition_parse (const char  *text,
                      GError     **error)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *name = NULL;
  KymoConditionKind kind;
  double share = 0;
  gint64 ns;

  if (!read_condition (valid, &kind, &share, &ns, &name))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is no condition like “below 20%% for 5s”, “above 80%% for 3s NAME” "
                     "or “silent 10s”"), valid);
      return NULL;
    }
  if (!is_possible (kind, share, ns, error))
    return NULL;
  return kymo_condition_new (kind, share, ns, name);
}
