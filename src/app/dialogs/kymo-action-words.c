/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-action-words.h"

#include <glib/gi18n.h>
#include <string.h>

#include "kymo-id-set.h"
#include "kymo-units.h"

static const KymoActionWords words[] = {
  { "trace", N_("Trace Ranks"),
    N_("The calls and messages of these ranks are recorded for this time, into an archive that "
       "opens when it is written. The program and the other ranks go on as before."),
    N_("_Trace") },
  { "profile", N_("Profile Now"),
    N_("A profile of all ranks, from the begin of the stream until now, is written and opened. The "
       "program goes on."), N_("_Write Profile") },
  { "marker", N_("Set a Marker"),
    N_("All ranks that record get a marker with this text at their next call."), N_("_Set") },
  { "sampling", N_("Sampling"),
    N_("Each thread is looked at that many times in a second of its processor time. The function "
       "of the program that it is in appears in the stream and in the archive. 0 turns this off."),
    N_("_Set") },
  { "checkpoint", N_("Write a Checkpoint"),
    N_("The program writes a checkpoint at the next safe point and goes on."), N_("_Write") },
  { "end-at-checkpoint", N_("End at the Next Checkpoint"),
    N_("All ranks record from now on, and the program ends at its next checkpoint. This cannot be "
       "taken back."), N_("_End the Program") },
};

/**
 * kymo_action_words_at:
 * @index: from 0
 *
 * Returns: (transfer none) (nullable): words of an action that every job has; %NULL behind the last
 */
const KymoActionWords *
kymo_action_words_at (guint index)
{
  return index < G_N_ELEMENTS (words) ? &words[index] : NULL;
}

/**
 * kymo_action_words_find:
 *
 * Returns: (transfer none) (nullable): words of the action of that name; %NULL if the program
 *   registered it
 */
const KymoActionWords *
kymo_action_words_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (words[i].name, name) == 0)
      return &words[i];
  return NULL;
}

/** kymo_action_dup_title: (transfer full): what an action is called, for people */
char *
kymo_action_dup_title (const KymoJobAction *action)
{
  const KymoActionWords *known = kymo_action_words_find (action->name);

  return g_strdup (known != NULL ? _(known->title) : action->title);
}

static char *
format_real (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  /* The fewest digits that are read as the same number. */
  for (int digits = 1; digits <= 17; digits++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, sizeof text, format, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  return g_strdup (text);
}

/**
 * kymo_action_dup_now:
 *
 * Returns: (transfer full): the present or proposed value, as it is typed
 */
char *
kymo_action_dup_now (const KymoJobArgument *argument)
{
  if (argument->type == KYMO_JOB_REAL)
    return format_real (argument->now_real);
  if (argument->type == KYMO_JOB_INTEGER)
    return g_strdup_printf ("%" G_GINT64_FORMAT, argument->now);
  if (argument->type == KYMO_JOB_TIME)
    {
      g_autofree char *spaced = kymo_format_duration_exact (argument->now);
      g_auto (GStrv) parts = g_strsplit (spaced, " ", 2);

      return g_strjoinv ("", parts);
    }
  return g_strdup (argument->word != NULL ? argument->word : "");
}

/**
 * kymo_action_dup_range:
 *
 * Returns: (transfer full): what may be typed: "−5 to 1,000,000", "10 ms to 1 h",
 *   "at most 200 bytes"
 */
char *
kymo_action_dup_range (const KymoJobArgument *argument)
{
  g_autofree char *least = NULL, *most = NULL;

  if (argument->type == KYMO_JOB_TEXT)
    return g_strdup_printf (_("at most %" G_GINT64_FORMAT " bytes"), argument->most);
  if (argument->type == KYMO_JOB_RANKS)
    return g_strdup_printf (_("0 to %" G_GINT64_FORMAT ", such as 0-3,7"), argument->most - 1);
  if (argument->type == KYMO_JOB_REAL)
    {
      least = format_real (argument->least_real);
      most = format_real (argument->most_real);
    }
  else if (argument->type == KYMO_JOB_TIME)
    {
      least = kymo_format_duration (argument->least);
      most = kymo_format_duration (argument->most);
    }
  else
    {
      least = kymo_format_count (argument->least);
      most = kymo_format_count (argument->most);
    }
  return g_strdup_printf (_("%s to %s"), least, most);
}

static gboolean
is_real (const KymoJobArgument *argument,
         const char            *text)
{
  char *end;
  double value = g_ascii_strtod (text, &end);

  return end != text && *end == '\0' && value >= argument->least_real
    && value <= argument->most_real;
}

static gboolean
is_ranks (const KymoJobArgument *argument,
          const char            *text)
{
  g_autoptr (KymoIdSet) set = kymo_id_set_parse (text, NULL);

  return set != NULL && *text != '\0' && strchr (text, ':') == NULL
    && !kymo_id_set_meets (set, argument->most, G_MAXINT64);
}

/**
 * kymo_action_is_value:
 * @text: as it was typed
 *
 * Returns: TRUE if the argument may have this value
 */
gboolean
kymo_action_is_value (const KymoJobArgument *argument,
                      const char            *text)
{
  gint64 value;

  switch (argument->type)
    {
    case KYMO_JOB_INTEGER:
      return g_ascii_string_to_signed (text, 10, argument->least, argument->most, NULL, NULL);
    case KYMO_JOB_REAL:
      return is_real (argument, text);
    case KYMO_JOB_TIME:
      return kymo_parse_time (text, &value, NULL) && value >= argument->least
        && value <= argument->most;
    case KYMO_JOB_RANKS:
      return is_ranks (argument, text);
    case KYMO_JOB_TEXT:
      return (gint64) strlen (text) <= argument->most && *text != '\0';
    case KYMO_JOB_CHOICE:
    default:
      return argument->words != NULL
        && g_strv_contains ((const char *const *) argument->words, text);
    }
}
