/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions as text:
 *
 *   below SHARE% for TIME
 *   above SHARE% for TIME [NAME]
 *   silent TIME
 *   lowest|mean|highest VALUE below|above AMOUNT for TIME
 *
 * What is printed is parsed to the same condition, to the last bit.
 */
#include "config.h"

#include "kymo-condition.h"

#include <glib/gi18n-lib.h>
#include <math.h>
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
  condition->share = kind <= KYMO_CONDITION_ABOVE ? share : 0;
  condition->for_ns = for_ns;
  if (kind == KYMO_CONDITION_ABOVE && name != NULL)
    condition->name = g_strstrip (g_strdup (name));
  if (condition->name != NULL && *condition->name == 0)
    g_clear_pointer (&condition->name, g_free);
  return condition;
}

/**
 * kymo_condition_new_value:
 * @figure: which of the processes of a second counts
 * @value: what is looked at; not copied, as values are static
 * @amount: in the unit of @value
 *
 * Returns: (transfer full): the condition
 */
KymoCondition *
kymo_condition_new_value (KymoWatchedFigure       figure,
                          const KymoWatchedValue *value,
                          gboolean                below,
                          gint64                  amount,
                          gint64                  for_ns)
{
  KymoCondition *condition = kymo_condition_new (KYMO_CONDITION_VALUE, 0, for_ns, NULL);

  condition->figure = figure;
  condition->value = value;
  condition->below = below;
  condition->amount = amount;
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
  KymoCondition *copy = g_new (KymoCondition, 1);

  *copy = *condition;
  copy->name = g_strdup (condition->name);
  return copy;
}

/**
 * kymo_condition_equal:
 *
 * Returns: TRUE if both say the same
 */
gboolean
kymo_condition_equal (const KymoCondition *a,
                      const KymoCondition *b)
{
  return a->kind == b->kind && a->share == b->share && a->for_ns == b->for_ns
    && g_strcmp0 (a->name, b->name) == 0 && a->value == b->value && a->figure == b->figure
    && a->below == b->below && a->amount == b->amount;
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

static char *
print_time (gint64 ns)
{
  g_autofree char *spaced = kymo_format_duration_exact (ns);
  g_auto (GStrv) parts = g_strsplit (spaced, " ", 2);

  return g_strjoinv ("", parts);
}

static char *
print_amount (const KymoCondition *condition)
{
  g_autofree char *percent = NULL;

  if (condition->value->unit == KYMO_WATCHED_TIME)
    return print_time (condition->amount);
  if (condition->value->unit != KYMO_WATCHED_SHARE)
    return g_strdup_printf ("%" G_GINT64_FORMAT "%s", condition->amount,
                            condition->value->unit == KYMO_WATCHED_BYTES ? "B" : "");
  percent = print_percent (condition->amount / 1e6);
  return g_strdup_printf ("%s%%", percent);
}

static char *
print_value (const KymoCondition *condition,
             const char          *length)
{
  g_autofree char *amount = print_amount (condition);

  return g_strdup_printf ("%s %s %s %s for %s", kymo_watched_figure_word (condition->figure),
                          condition->value->id, words[condition->below ? KYMO_CONDITION_BELOW
                                                                       : KYMO_CONDITION_ABOVE],
                          amount, length);
}

/**
 * kymo_condition_to_string:
 *
 * Returns: (transfer full): what kymo_condition_parse() reads
 */
char *
kymo_condition_to_string (const KymoCondition *condition)
{
  g_autofree char *length = print_time (condition->for_ns);
  g_autofree char *percent = print_percent (condition->share);

  if (condition->kind == KYMO_CONDITION_VALUE)
    return print_value (condition, length);
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

/* "20%", "2GB", "3ms" or "100", as the unit of the value says. */
static gboolean
take_amount (const char             **text,
             const KymoWatchedValue  *value,
             gint64                  *amount)
{
  g_autofree char *word = NULL;
  double share;

  if (value->unit == KYMO_WATCHED_SHARE)
    {
      if (!take_share (text, &share) || !(share >= 0 && share <= 1))
        return FALSE;
      *amount = llround (share * 1e6);
      return TRUE;
    }
  word = take_word (text);
  if (value->unit == KYMO_WATCHED_BYTES)
    return kymo_parse_size (word, amount, NULL) && *amount >= 0;
  if (value->unit == KYMO_WATCHED_TIME)
    return kymo_parse_time (word, amount, NULL) && *amount >= 0;
  return g_ascii_string_to_signed (word, 10, 0, G_MAXINT64, amount, NULL);
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
take_figure (const char        **text,
             KymoWatchedFigure  *figure)
{
  const char *rest = *text;
  g_autofree char *word = take_word (&rest);

  for (guint k = 0; k < KYMO_WATCHED_N_FIGURES; k++)
    if (g_ascii_strcasecmp (word, kymo_watched_figure_word (k)) == 0)
      {
        *figure = k;
        *text = rest;
        return TRUE;
      }
  return FALSE;
}

/* What follows "lowest", "mean" or "highest". NULL if it is no condition. */
static KymoCondition *
read_value (const char        *text,
            KymoWatchedFigure  figure)
{
  g_autofree char *name = take_word (&text), *rest = NULL;
  const KymoWatchedValue *value = kymo_watched_value_at (kymo_watched_value_find (name));
  KymoConditionKind side;
  gint64 amount, ns;

  if (value == NULL || !take_kind (&text, &side) || side == KYMO_CONDITION_SILENT
      || !take_amount (&text, value, &amount) || !skip_for (&text) || !take_length (&text, &ns))
    return NULL;
  rest = take_word (&text);
  if (*rest != '\0')
    return NULL;
  return kymo_condition_new_value (figure, value, side == KYMO_CONDITION_BELOW, amount, ns);
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
is_possible (const KymoCondition *condition,
             GError             **error)
{
  KymoConditionKind kind = condition->kind;
  double share = condition->share;
  gint64 ns = condition->for_ns;

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
 *   entry method), "silent 10s" or "highest memory above 2GB for 5s"; from 1 ms to 24 h
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
  g_autoptr (KymoCondition) condition = NULL;
  const char *rest = valid;
  KymoWatchedFigure figure;
  KymoConditionKind kind;
  double share = 0;
  gint64 ns;

  if (take_figure (&rest, &figure))
    condition = read_value (rest, figure);
  else if (read_condition (valid, &kind, &share, &ns, &name))
    condition = kymo_condition_new (kind, share, ns, name);
  if (condition == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("“%s” is no condition like “below 20%% for 5s”, “above 80%% for 3s NAME”, "
                   "“silent 10s” or “highest memory above 2GB for 5s”"), valid);
  if (condition == NULL || !is_possible (condition, error))
    return NULL;
  return g_steal_pointer (&condition);
}
