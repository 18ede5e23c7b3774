/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of an .edf file is `<id> <group> <tag> "<name>" <kind>`. Groups may be empty and
 * names may hold quotes, so a line is divided at its first two blanks and at its first and
 * last quote.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-tau-events.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-input.h"

/* A longer file is no list of events. */
#define MAX_EDF_BYTES (G_GINT64_CONSTANT (1) << 30)

#define SEND_TAG -7
#define RECEIVE_TAG -8
#define MONOTONIC_TAG 1

static void
event_clear (gpointer data)
{
  g_free (((KymoTauEvent *) data)->name);
  g_free (((KymoTauEvent *) data)->group);
}

/**
 * kymo_tau_events_new:
 *
 * Returns: (transfer full): an empty list of events; free with kymo_tau_events_free()
 */
KymoTauEvents *
kymo_tau_events_new (void)
{
  KymoTauEvents *events = g_new0 (KymoTauEvents, 1);

  events->list = g_array_new (FALSE, FALSE, sizeof (KymoTauEvent));
  g_array_set_clear_func (events->list, event_clear);
  return events;
}

/**
 * kymo_tau_events_free:
 *
 * Frees @events. %NULL is ignored.
 */
void
kymo_tau_events_free (KymoTauEvents *events)
{
  if (events == NULL)
    return;
  for (guint i = 0; i < events->n_pages; i++)
    g_free (events->pages[i]);
  g_free (events->pages);
  g_array_unref (events->list);
  g_free (events);
}

/* The place of an id's index in its page, which is made if needed. */
static guint32 *
place_of (KymoTauEvents *events,
          gint64         id)
{
  guint page = id / KYMO_TAU_PAGE;

  if (page >= events->n_pages)
    {
      events->pages = g_renew (guint32 *, events->pages, page + 1);
      while (events->n_pages <= page)
        events->pages[events->n_pages++] = NULL;
    }
  if (events->pages[page] == NULL)
    events->pages[page] = g_new0 (guint32, KYMO_TAU_PAGE);
  return &events->pages[page][id % KYMO_TAU_PAGE];
}

/**
 * kymo_tau_events_add:
 * @id: at least 0; of an id that is known the first event stays
 * @name: of the event; copied
 * @group: of the event; copied
 *
 * Returns: (transfer none) (nullable): the event, valid until the next one is added; %NULL if
 *   there can be no such id
 */
KymoTauEvent *
kymo_tau_events_add (KymoTauEvents *events,
                     gint64         id,
                     const char    *name,
                     const char    *group,
                     KymoTauKind    kind)
{
  KymoTauEvent event = { id, NULL, NULL, kind, G_MAXUINT32 };
  guint32 *place;

  if (!kymo_tau_events_may_have (id))
    return NULL;
  place = place_of (events, id);
  if (*place == 0)
    {
      event.name = g_strdup (name);
      event.group = g_strdup (group);
      g_array_append_val (events->list, event);
      *place = events->list->len;
    }
  return &g_array_index (events->list, KymoTauEvent, *place - 1);
}

/* A GPU's transfer is three records of three events: bytes, and two ids (TauTraceOneSidedMsg in
   TAU's Tracer.cpp). The ids belong to no rank. */
#define ONE_SIDED "ONESIDED_MESSAGE"
#define ONE_SIDED_ID ONE_SIDED "_ID_"

/**
 * kymo_tau_kind_of_value:
 *
 * Returns: what an event that has values is, going by its name
 */
KymoTauKind
kymo_tau_kind_of_value (const char *name)
{
  if (g_str_equal (name, "TauTraceClockOffsetStart")
      || g_str_equal (name, "TauTraceClockOffsetEnd"))
    return KYMO_TAU_CLOCK_OFFSET;
  if (g_str_has_prefix (name, ONE_SIDED_ID))
    return KYMO_TAU_IGNORED;
  if (g_str_has_prefix (name, ONE_SIDED))
    return KYMO_TAU_ONE_SIDED;
  return strstr (name, " | ") != NULL ? KYMO_TAU_PERHAPS_METADATA : KYMO_TAU_VALUE;
}

/* The ids of special events are others in a merged trace: only names and tags tell. */
static KymoTauKind
kind_of (const char *name,
         const char *group,
         gint64      tag,
         const char *word)
{
  if (tag == SEND_TAG || (g_str_equal (name, "MESSAGE_SEND") && g_str_equal (word, "par")))
    return KYMO_TAU_SEND;
  if (tag == RECEIVE_TAG || (g_str_equal (name, "MESSAGE_RECV") && g_str_equal (word, "par")))
    return KYMO_TAU_RECEIVE;
  if (g_str_equal (word, "EntryExit"))
    return g_str_equal (name, "FLUSH") && g_str_equal (group, "TRACER")
      ? KYMO_TAU_FLUSH : KYMO_TAU_FUNCTION;
  if (g_str_equal (word, "TriggerValue"))
    return tag == MONOTONIC_TAG ? KYMO_TAU_METRIC : kymo_tau_kind_of_value (name);
  if (g_str_equal (name, "EV_INIT"))
    return KYMO_TAU_INIT;
  return g_str_equal (name, "FLUSH_CLOSE") ? KYMO_TAU_CLOSE : KYMO_TAU_IGNORED;
}

/* The line, which is cut up; FALSE where it is none of an event, or of one whose id
   another line has. */
static gboolean
parse_line (KymoTauEvents *events,
            char          *line)
{
  char *open = strchr (line, '"'), *close = strrchr (line, '"');
  char *group, *tag, *end;
  gint64 id, number;

  if (open == NULL || close == open || open - line < 4)
    return FALSE;
  *open = *close = '\0';
  id = g_ascii_strtoll (line, &group, 10);
  if (group == line || *group != ' ')
    return FALSE;
  group++;
  tag = strchr (group, ' ');
  if (tag == NULL)
    return FALSE;
  *tag++ = '\0';
  number = g_ascii_strtoll (tag, &end, 10);
  if (end == tag)
    return FALSE;
  if (!kymo_tau_events_may_have (id) || kymo_tau_events_find (events, id) != NULL)
    return FALSE;
  kymo_tau_events_add (events, id, open + 1, group,
                       kind_of (open + 1, group, number, g_strstrip (close + 1)));
  return TRUE;
}

/* The first line announces a number of events, which is one too high in some versions:
   it is not needed. */
static gboolean
is_no_event (const char *line,
             gboolean    first)
{
  line += strspn (line, " \t\r");
  return *line == '\0' || *line == '#'
    || (first && strstr (line, "dynamic_trace_events") != NULL);
}

/**
 * kymo_tau_events_parse:
 * @text: (array length=length): an .edf file; what is no event is counted
 */
void
kymo_tau_events_parse (KymoTauEvents *events,
                       const char    *text,
                       gsize          length)
{
  const char *end = text + length, *next;

  for (const char *p = text; p < end; p = next)
    {
      const char *stop = memchr (p, '\n', end - p);
      gsize n = (stop != NULL ? stop : end) - p;
      g_autofree char *line = g_strndup (p, n);

      next = p + n + 1;
      if (is_no_event (line, p == text) || parse_line (events, line))
        continue;
      if (events->n_bad_lines++ == 0)
        events->bad_offset = p - text;
    }
}

/**
 * kymo_tau_events_read:
 * @path: an .edf file
 * @error: return location: why it cannot be read
 *
 * Returns: (transfer full) (nullable): the events
 */
KymoTauEvents *
kymo_tau_events_read (const char  *path,
                      GError     **error)
{
  KymoTauEvents *events;
  g_autofree char *text = NULL;
  gsize length;

  if (!kymo_input_load (path, MAX_EDF_BYTES, &text, &length, error))
    return NULL;
  events = kymo_tau_events_new ();
  kymo_tau_events_parse (events, text, length);
  return events;
}

/**
 * kymo_tau_dup_shown_name:
 *
 * Returns: (transfer full): the name for people: without the blanks at its end that
 * come of "name, blank, type"
 */
char *
kymo_tau_dup_shown_name (const char *name)
{
  return g_strchomp (g_strdup (name));
}
