/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-tau-profile-xml.h"

#include <string.h>

#include "kymo-decimal.h"
#include "kymo-fields.h"
#include "kymo-tau-profile-text.h"

/* Numbers of a file are as many as its definitions: a larger one is damage. */
#define BYTES_A_NUMBER 16

/* Meaning of the file's numbers: places + 1 in the part, or in the reading's metrics; 0 =
   nothing. */
typedef struct
{
  GArray *events, *users, *metrics;     /* guint32 by number */
} Numbers;

typedef struct
{
  KymoTauXmlReading *reading;
  KymoTauXml xml;
  Numbers   all, own;
  Numbers  *defining;
  char     *own_thread;         /* whose definitions `own` are */
  gboolean  any_metadata;
  guint    *steps_of;           /* by location */
  gint64    n_bad, bad_offset;
  gint64    n_unknown, n_unknown_metrics;
  gint64    n_wild;                     /* rows whose figures cannot be added up */
} Walk;

static GArray *
numbers_array (void)
{
  return g_array_new (FALSE, TRUE, sizeof (guint32));
}

static void
numbers_init (Numbers *numbers)
{
  numbers->events = numbers_array ();
  numbers->users = numbers_array ();
  numbers->metrics = numbers_array ();
}

static void
numbers_clear (Numbers *numbers)
{
  g_array_unref (numbers->events);
  g_array_unref (numbers->users);
  g_array_unref (numbers->metrics);
}

static void
numbers_forget (Numbers *numbers)
{
  g_array_set_size (numbers->events, 0);
  g_array_set_size (numbers->users, 0);
  g_array_set_size (numbers->metrics, 0);
}

static guint32
number_at (const GArray *array,
           guint64       number)
{
  return number < array->len ? g_array_index (array, guint32, number) : 0;
}

static void
note_bad (Walk       *walk,
          const char *where)
{
  if (walk->n_bad++ == 0)
    walk->bad_offset = where - walk->reading->text;
}

static void
define (Walk    *walk,
        GArray  *numbers,
        guint64  number,
        guint32  place)
{
  if (number > walk->reading->length / BYTES_A_NUMBER)
    {
      note_bad (walk, walk->xml.token_begin);
      return;
    }
  if (number >= numbers->len)
    g_array_set_size (numbers, number + 1);
  g_array_index (numbers, guint32, number) = place + 1;
}

/* Name and group of an event, until its element ends. */
static void
read_event (Walk    *walk,
            guint64  number)
{
  g_autofree char *name = NULL, *groups = NULL;
  KymoXmlToken token;

  while ((token = kymo_tau_xml_next (&walk->xml)) != KYMO_XML_END)
    {
      if (token == KYMO_XML_CLOSE && kymo_tau_xml_is (&walk->xml, "event"))
        break;
      if (token == KYMO_XML_OPEN && kymo_tau_xml_is (&walk->xml, "name") && name == NULL)
        name = kymo_tau_xml_dup_text (&walk->xml);
      else if (token == KYMO_XML_OPEN && kymo_tau_xml_is (&walk->xml, "group") && groups == NULL)
        groups = kymo_tau_xml_dup_text (&walk->xml);
    }
  if (name == NULL)
    {
      note_bad (walk, walk->xml.token_begin);
      return;
    }
  {
    const char *list = groups != NULL ? groups : "";
    gsize length = strlen (list);
    guint32 flags = kymo_tau_profile_flags (name, strlen (name), &list, &length);

    define (walk, walk->defining->events, number,
            kymo_profile_part_event (walk->reading->part, name, strlen (name), list, length,
                                     flags));
  }
}

static void
read_user_event (Walk    *walk,
                 guint64  number)
{
  g_autofree char *name = kymo_tau_xml_dup_name (&walk->xml);

  if (name == NULL)
    note_bad (walk, walk->xml.token_begin);
  else
    define (walk, walk->defining->users, number,
            kymo_profile_part_user_event (walk->reading->part, name, strlen (name)));
}

static void
read_metric (Walk    *walk,
             guint64  number)
{
  g_autofree char *name = kymo_tau_xml_dup_name (&walk->xml);
  guint place;

  if (name == NULL
      || !g_ptr_array_find_with_equal_func (walk->reading->metrics, name, g_str_equal, &place))
    note_bad (walk, walk->xml.token_begin);
  else
    define (walk, walk->defining->metrics, number, place);
}

/* The attribute id of the element that was opened last. */
static gboolean
get_id (Walk    *walk,
        guint64 *id)
{
  g_autofree char *text = kymo_tau_xml_dup_attribute (&walk->xml, "id");
  char *end = NULL;

  *id = text != NULL ? g_ascii_strtoull (text, &end, 10) : 0;
  if (text != NULL && end != text)
    return TRUE;
  note_bad (walk, walk->xml.token_begin);
  return FALSE;
}

/* Definitions of one thread replace those of the one before, not those of all. */
static void
begin_definitions (Walk *walk)
{
  g_autofree char *thread = kymo_tau_xml_dup_attribute (&walk->xml, "thread");

  walk->defining = thread == NULL || g_str_equal (thread, "*") ? &walk->all : &walk->own;
  if (walk->defining == &walk->own && g_strcmp0 (thread, walk->own_thread) != 0)
    {
      numbers_forget (&walk->own);
      g_free (walk->own_thread);
      walk->own_thread = g_steal_pointer (&thread);
    }
}

static guint32
find_number (const Walk *walk,
             gsize       offset,
             double      number)
{
  const GArray *own = G_STRUCT_MEMBER (GArray *, &walk->own, offset);
  const GArray *all = G_STRUCT_MEMBER (GArray *, &walk->all, offset);
  guint32 place;

  if (!(number >= 0 && number < G_MAXUINT32) || number != (guint32) number)
    return 0;
  place = number_at (own, number);
  return place > 0 ? place : number_at (all, number);
}

/* The metrics that a line has figures of, in its order: places + 1. Figures of one that is
   not defined are of no use, and told. */
static guint
scan_metrics (Walk    *walk,
              guint32  metrics[KYMO_MAX_PROFILE_METRICS])
{
  g_autofree char *list = kymo_tau_xml_dup_attribute (&walk->xml, "metrics");
  const char *p = list, *end = list != NULL ? list + strlen (list) : NULL;
  double number;
  guint n = 0;

  while (p != NULL && n < KYMO_MAX_PROFILE_METRICS && kymo_decimal_scan (&p, end, &number))
    {
      metrics[n] = find_number (walk, G_STRUCT_OFFSET (Numbers, metrics), number);
      walk->n_unknown_metrics += metrics[n++] == 0;
    }
  /* In a file without metrics there are only calls. */
  if (n == 0 ? walk->reading->metrics->len > 0 : !kymo_is_blank (p, end))
    note_bad (walk, walk->xml.token_begin);
  return n;
}

static gboolean
take_interval (Walk          *walk,
               const char    *line,
               const char    *end,
               const guint32 *metrics,
               guint          n_metrics)
{
  double number, counts[2], values[2 * KYMO_MAX_PROFILE_METRICS] = { 0 };
  guint32 event;

  if (!kymo_decimal_scan (&line, end, &number) || !kymo_decimal_scan (&line, end, &counts[0])
      || !kymo_decimal_scan (&line, end, &counts[1]))
    return FALSE;
  for (guint i = 0; i < n_metrics; i++)
    {
      double exclusive, inclusive;

      if (!kymo_decimal_scan (&line, end, &exclusive)
          || !kymo_decimal_scan (&line, end, &inclusive))
        return FALSE;
      if (metrics[i] > 0)
        {
          values[2 * (metrics[i] - 1)] = exclusive;
          values[2 * (metrics[i] - 1) + 1] = inclusive;
        }
    }
  if (!kymo_is_blank (line, end))
    return FALSE;
  event = find_number (walk, G_STRUCT_OFFSET (Numbers, events), number);
  if (event == 0)
    walk->n_unknown++;
  else if (!kymo_profile_are_figures (counts, G_N_ELEMENTS (counts))
           || !kymo_profile_are_figures (values, G_N_ELEMENTS (values)))
    walk->n_wild++;
  else
    kymo_profile_part_add_all (walk->reading->part, event - 1, counts[0], counts[1], values);
  return TRUE;
}

static gboolean
take_atomic (Walk       *walk,
             const char *line,
             const char *end)
{
  KymoUserEventRow row = { 0 };
  double number;
  guint32 event;

  if (!kymo_decimal_scan (&line, end, &number) || !kymo_decimal_scan (&line, end, &row.n)
      || !kymo_decimal_scan (&line, end, &row.max) || !kymo_decimal_scan (&line, end, &row.min)
      || !kymo_decimal_scan (&line, end, &row.mean)
      || !kymo_decimal_scan (&line, end, &row.sum_squares) || !kymo_is_blank (line, end))
    return FALSE;
  event = find_number (walk, G_STRUCT_OFFSET (Numbers, users), number);
  row.event = event - 1;
  if (event == 0)
    walk->n_unknown++;
  else if (!kymo_profile_check_user (&row))
    walk->n_wild++;
  else
    kymo_profile_part_add_user (walk->reading->part, &row);
  return TRUE;
}

/* The lines of the element that was opened last. */
static void
read_lines (Walk     *walk,
            gboolean  atomic)
{
  guint32 metrics[KYMO_MAX_PROFILE_METRICS];
  guint n_metrics = atomic ? 0 : scan_metrics (walk, metrics);
  const char *p, *end;

  if (kymo_tau_xml_next (&walk->xml) != KYMO_XML_TEXT)
    {
      walk->xml.next = walk->xml.token_begin;
      return;
    }
  p = walk->xml.text;
  end = p + walk->xml.text_length;
  while (p < end)
    {
      const char *newline = memchr (p, '\n', end - p);
      const char *line_end = newline != NULL ? newline : end;
      const char *line = p;

      p = line_end + 1;
      while (line < line_end && g_ascii_isspace (*line))
        line++;
      if (line < line_end
          && !(atomic ? take_atomic (walk, line, line_end)
               : take_interval (walk, line, line_end, metrics, n_metrics)))
        note_bad (walk, line);
    }
}

/* Which location the element that was opened last is of. */
static gboolean
find_location (Walk  *walk,
               guint *location)
{
  g_autofree char *id = NULL;
  KymoProfileThread thread;

  *location = walk->reading->location;
  if (walk->reading->threads == NULL || walk->reading->derived != NULL)
    return TRUE;
  id = kymo_tau_xml_dup_attribute (&walk->xml, "thread");
  return id != NULL && kymo_tau_xml_scan_thread (id, &thread)
    && g_array_binary_search (walk->reading->threads, &thread, kymo_profile_thread_compare,
                              location);
}

/* Reads the content of a profile of a thread at a step, or of sums over threads. */
static void
read_profile (Walk       *walk,
              const char *element)
{
  KymoTauXmlStep step = { 0 };
  KymoXmlToken token;

  while ((token = kymo_tau_xml_next (&walk->xml)) != KYMO_XML_END)
    {
      if (token == KYMO_XML_CLOSE && kymo_tau_xml_is (&walk->xml, element))
        break;
      if (token != KYMO_XML_OPEN)
        continue;
      if (kymo_tau_xml_is (&walk->xml, "name") && step.name == NULL)
        step.name = kymo_tau_xml_dup_text (&walk->xml);
      else if (kymo_tau_xml_is (&walk->xml, "timestamp"))
        {
          g_autofree char *text = kymo_tau_xml_dup_text (&walk->xml);

          step.time_us = MAX (0, g_ascii_strtoll (text, NULL, 10));
        }
      else if (kymo_tau_xml_is (&walk->xml, "interval_data")
               || kymo_tau_xml_is (&walk->xml, "derivedinterval_data"))
        read_lines (walk, FALSE);
      else if (kymo_tau_xml_is (&walk->xml, "atomic_data")
               || kymo_tau_xml_is (&walk->xml, "derivedatomic_data"))
        read_lines (walk, TRUE);
    }
  if (walk->reading->steps != NULL)
    g_array_append_val (walk->reading->steps, step);
  else
    g_free (step.name);
}

/* A profile that is there to its end; one that is not is lost whole, for its figures
   would be of some functions at one step and of others at the one before. */
static gboolean
take_profile (Walk       *walk,
              const char *element)
{
  g_autofree char *close = g_strconcat ("</", element, ">", NULL);
  const char *end = memmem (walk->xml.next, walk->xml.end - walk->xml.next, close,
                            strlen (close));
  guint location, *step;

  if (kymo_job_is_cancelled (walk->reading->job)
      || kymo_profile_part_is_full (walk->reading->part))
    return FALSE;
  if (end == NULL)
    {
      kymo_report_add (walk->reading->report, walk->reading->name, KYMO_SEVERITY_LOST, 1,
                       walk->xml.token_begin - walk->reading->text,
                       N_("The last profile is cut off, or still being written; it is left out"));
      return FALSE;
    }
  if (!find_location (walk, &location))
    {
      /* No location has the id of this thread, so its figures are left out. */
      note_bad (walk, walk->xml.token_begin);
      walk->xml.next = end + strlen (close);
      return TRUE;
    }
  step = &walk->steps_of[walk->reading->threads != NULL ? location : 0];
  kymo_profile_part_begin (walk->reading->part, location, *step);
  walk->reading->n_steps = ++*step;
  read_profile (walk, element);
  return TRUE;
}

static void
take_metadata (const char *key,
               const char *value,
               gpointer    data)
{
  Walk *walk = data;

  if (g_str_equal (key, "Starting Timestamp") && walk->reading->begin_us == 0)
    walk->reading->begin_us = MAX (0, g_ascii_strtoll (value, NULL, 10));
  if (walk->reading->metadata != NULL && !walk->any_metadata)
    walk->reading->metadata (key, value, walk->reading->metadata_data);
}

/* The element that was opened last; FALSE at the end of what can be read. */
static gboolean
take_element (Walk *walk)
{
  const KymoTauXml *xml = &walk->xml;
  guint64 id;

  if (kymo_tau_xml_is (xml, "metadata"))
    {
      kymo_tau_xml_metadata (&walk->xml, take_metadata, walk);
      walk->any_metadata = TRUE;
    }
  else if (kymo_tau_xml_is (xml, "definitions"))
    begin_definitions (walk);
  else if (kymo_tau_xml_is (xml, "metric"))
    {
      if (get_id (walk, &id))
        read_metric (walk, id);
    }
  else if (kymo_tau_xml_is (xml, "event"))
    {
      if (get_id (walk, &id))
        read_event (walk, id);
    }
  else if (kymo_tau_xml_is (xml, "userevent"))
    {
      if (get_id (walk, &id))
        read_user_event (walk, id);
    }
  else if (walk->reading->derived == NULL && kymo_tau_xml_is (xml, "profile"))
    return take_profile (walk, "profile");
  else if (walk->reading->derived != NULL && kymo_tau_xml_is (xml, "derivedprofile"))
    {
      g_autofree char *of = kymo_tau_xml_dup_attribute (xml, "derivedentity");

      return g_strcmp0 (of, walk->reading->derived) != 0 || take_profile (walk, "derivedprofile");
    }
  return TRUE;
}

static void
tell_tau_profile_xml (Walk *walk)
{
  KymoTauXmlReading *reading = walk->reading;

  if (walk->n_bad > 0)
    kymo_report_add (reading->report, reading->name, KYMO_SEVERITY_LOST, walk->n_bad,
                     walk->bad_offset,
                     N_("Lines of the profile that could not be understood were left out"));
  if (walk->n_unknown > 0)
    kymo_report_add (reading->report, reading->name, KYMO_SEVERITY_LOST, walk->n_unknown, -1,
                     N_("Figures of functions or user events that the file does not define "
                        "were left out"));
  if (walk->n_wild > 0)
    kymo_report_add (reading->report, reading->name, KYMO_SEVERITY_LOST, walk->n_wild, -1,
                     N_("Rows with a figure that is no finite number, or is beyond 10^18, were "
                        "left out"));
  if (walk->n_unknown_metrics > 0)
    kymo_report_add (reading->report, reading->name, KYMO_SEVERITY_LOST,
                     walk->n_unknown_metrics, -1,
                     N_("Figures of metrics that the file does not define were left out"));
  if (walk->xml.cut)
    kymo_report_add (reading->report, reading->name, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The file is cut off within an element"));
}

/**
 * kymo_tau_xml_read:
 *
 * Reads definitions and figures; what cannot be understood is told.
 *
 * Returns: whether there was any profile
 */
gboolean
kymo_tau_xml_read (KymoTauXmlReading *reading)
{
  guint n_locations = reading->threads != NULL ? MAX (1, reading->threads->len) : 1;
  Walk walk = { .reading = reading };
  KymoXmlToken token;

  numbers_init (&walk.all);
  numbers_init (&walk.own);
  walk.defining = &walk.all;
  walk.steps_of = g_new0 (guint, n_locations);
  reading->n_steps = 0;
  kymo_tau_xml_init (&walk.xml, reading->text, reading->length);
  while ((token = kymo_tau_xml_next (&walk.xml)) != KYMO_XML_END)
    if (token == KYMO_XML_OPEN && !take_element (&walk))
      break;
  tell_tau_profile_xml (&walk);
  numbers_clear (&walk.all);
  numbers_clear (&walk.own);
  g_free (walk.own_thread);
  g_free (walk.steps_of);
  return reading->n_steps > 0;
}

static void
step_clear (gpointer data)
{
  g_free (((KymoTauXmlStep *) data)->name);
}

/**
 * kymo_tau_xml_steps_new:
 *
 * Returns: (transfer full) (element-type KymoTauXmlStep): an empty list of steps
 */
GArray *
kymo_tau_xml_steps_new (void)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (KymoTauXmlStep));

  g_array_set_clear_func (steps, step_clear);
  return steps;
}
