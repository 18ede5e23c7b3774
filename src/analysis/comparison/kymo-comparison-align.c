/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the runs of a comparison lie to each other: the same place is looked for
 * in each of them, and the offsets bring it to where it is in the first.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-comparison-private.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-phases.h"
#include "kymo-units.h"

/**
 * Place:
 * @of: of the question `moment`, or NULL where it is no moment
 * @n: of a phase its number
 */
typedef struct
{
  const char *of;
  char       *name;
  gint64      n;
} Place;

static gboolean
refuse_comparison_align (const char  *how,
                         GError     **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” says not where to align runs: it can be start, end, phase N, block NAME, "
               "marker NAME (both with #N for the N-th) or offsets T,T,…"), how);
  return FALSE;
}

/* "NAME #3": the number is taken off. */
static void
take_number (Place *place)
{
  char *hash = strrchr (place->name, '#');

  place->n = 1;
  if (hash == NULL || hash == place->name || hash[-1] != ' '
      || !g_ascii_string_to_signed (hash + 1, 10, 1, G_MAXINT32, &place->n, NULL))
    return;
  *hash = '\0';
  g_strchomp (place->name);
}

static gboolean
ask_moment (KymoSource    *source,
            const Place   *place,
            gint64        *time_ns,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("moment");
  g_autoptr (KymoTable) answer = NULL;

  kymo_question_set (question, "of", place->of);
  kymo_question_set (question, "name", place->name);
  kymo_question_set_int (question, "n", place->n);
  kymo_question_set_int (question, "once", 1);
  answer = kymo_source_ask (source, question, cancellable, error);
  if (answer == NULL)
    return FALSE;
  if (kymo_table_get_bool (answer, "found", 0))
    {
      *time_ns = kymo_table_get_int (answer, "time_ns", 0);
      return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("there is no %s “%s” number %" PRId64 "; the run has %" PRId64
               " of them"), place->of, place->name, place->n,
               kymo_table_get_int (answer, "total", 0));
  return FALSE;
}

static gboolean
ask_phase (KymoSource    *source,
           const Place   *place,
           gint64        *time_ns,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  g_autoptr (KymoTable) info = kymo_source_ask (source, question, cancellable, error);
  KymoSpan span;

  if (info == NULL)
    return FALSE;
  if (kymo_phases_find (kymo_table_peek_nested (info, "phases", NULL), place->n, &span))
    {
      *time_ns = span.begin_ns;
      return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("the run has no phase %" PRId64), place->n);
  return FALSE;
}

static gboolean
find_places (KymoComparison  *self,
             const Place     *place,
             gint64          *times_ns,
             GCancellable    *cancellable,
             GError         **error)
{
  for (guint i = 0; i < kymo_comparison_get_n_runs (self); i++)
    {
      KymoSource *source = kymo_comparison_peek_run (self, i);

      if (place->of != NULL ? ask_moment (source, place, &times_ns[i], cancellable, error)
          : ask_phase (source, place, &times_ns[i], cancellable, error))
        continue;
      else
        {
          g_autofree char *label = kymo_comparison_dup_label (self, i);

          g_prefix_error (error, "%s: ", label);
          return FALSE;
        }
    }
  return TRUE;
}

/* "0,1.5ms,-3ms": one a run. */
static gboolean
parse_offsets (KymoComparison  *self,
               const char      *how,
               const char      *list,
               gint64          *offsets_ns,
               GError         **error)
{
  g_auto (GStrv) words = g_strsplit (list, ",", -1);

  if (g_strv_length (words) != kymo_comparison_get_n_runs (self))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” has %u offsets, for %u runs"), how, g_strv_length (words),
                   kymo_comparison_get_n_runs (self));
      return FALSE;
    }
  for (guint i = 0; words[i] != NULL; i++)
    {
      char *word = g_strstrip (words[i]);
      gboolean less = *word == '-';

      if (!kymo_parse_time (word + less, &offsets_ns[i], NULL))
        return refuse_comparison_align (how, error);
      if (ABS (offsets_ns[i]) > KYMO_MOST_OFFSET_NS)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       _("“%s” moves a run by more than 104 days"), how);
          return FALSE;
        }
      if (less)
        offsets_ns[i] = -offsets_ns[i];
    }
  return TRUE;
}

/* The text behind the word, or NULL. */
static const char *
after_word (const char *how,
            const char *word)
{
  gsize length = strlen (word);

  if (g_ascii_strncasecmp (how, word, length) != 0 || how[length] != ' ')
    return NULL;
  how += length + strspn (how + length, " ");
  return *how != '\0' ? how : NULL;
}

static void
find_ends (KymoComparison *self,
           gboolean        end,
           gint64         *times_ns)
{
  for (guint i = 0; i < kymo_comparison_get_n_runs (self); i++)
    {
      KymoSpan span = kymo_source_get_span (kymo_comparison_peek_run (self, i));

      times_ns[i] = end ? span.end_ns : span.begin_ns;
    }
}

/**
 * kymo_comparison_find_offsets:
 * @how: "start", "end", "phase 2", "block NAME" (the first block of that display name), "marker
 *   NAME" (a user event, bracket or note), "block NAME #3" (the third over all
 *   locations), or "offsets 0,1.5ms" (of each run what is added to a shared time)
 * @offsets_ns: (out caller-allocates): of each run
 *
 * Looks where each run is to be moved. Any thread; nothing is changed.
 *
 * Returns: whether it was found in all runs; else the error says in which it was not
 */
gboolean
kymo_comparison_find_offsets (KymoComparison  *self,
                              const char      *how,
                              gint64          *offsets_ns,
                              GCancellable    *cancellable,
                              GError         **error)
{
  static const char *const moments[] = { "block", "marker" };
  const char *rest;
  gint64 first_ns;

  if (g_ascii_strcasecmp (how, "start") == 0 || g_ascii_strcasecmp (how, "end") == 0)
    find_ends (self, g_ascii_strcasecmp (how, "end") == 0, offsets_ns);
  else if ((rest = after_word (how, "offsets")) != NULL)
    return parse_offsets (self, how, rest, offsets_ns, error);
  else
    {
      Place place = { 0 };
      gboolean found;

      for (guint i = 0; i < G_N_ELEMENTS (moments) && place.of == NULL; i++)
        if ((rest = after_word (how, moments[i])) != NULL)
          place.of = moments[i];
      if (place.of == NULL
          && ((rest = after_word (how, "phase")) == NULL
              || !g_ascii_string_to_signed (rest, 10, 0, G_MAXINT32, &place.n, NULL)))
        return refuse_comparison_align (how, error);
      place.name = g_strchomp (g_strdup (rest));
      if (place.of != NULL)
        take_number (&place);
      found = find_places (self, &place, offsets_ns, cancellable, error);
      g_free (place.name);
      if (!found)
        return FALSE;
    }
  first_ns = offsets_ns[0];
  for (guint i = 0; i < kymo_comparison_get_n_runs (self); i++)
    offsets_ns[i] = CLAMP (kymo_saturating_add (offsets_ns[i], -first_ns),
                           -KYMO_MOST_OFFSET_NS, KYMO_MOST_OFFSET_NS);
  return TRUE;
}
