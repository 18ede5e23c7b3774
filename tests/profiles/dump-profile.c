/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dump-profile RUN [THREADS]: every raw figure that a reader of profiles found, as JSON,
 * for the tests to compare with what they read themselves. Numbers are as printed with
 * 17 digits, so nothing is lost; inf and nan are strings.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kymo-open.h"
#include "kymo-profile-data.h"

static void
put_string (const char *text)
{
  putchar ('"');
  for (const char *p = text; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      printf ("\\%c", *p);
    else if ((guchar) *p < 0x20)
      printf ("\\u%04x", *p);
    else
      putchar (*p);
  putchar ('"');
}

static void
put_number (double value)
{
  if (isfinite (value))
    printf ("%.17g", value);
  else
    printf ("\"%s\"", isnan (value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static void
put_events (const KymoProfileData *data)
{
  printf ("\"events\": [");
  for (guint i = 0; i < data->events->len; i++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent, i);

      printf ("%s{\"name\": ", i > 0 ? ",\n" : "");
      put_string (event->name);
      printf (", \"shown\": ");
      put_string (event->shown);
      printf (", \"groups\": ");
      put_string (event->groups);
      printf (", \"flags\": %u, \"role\": \"%s\", \"parent\": %d, \"parts\": [", event->flags,
              kymo_role_to_string (event->role),
              event->parent == KYMO_NO_EVENT ? -1 : (int) event->parent);
      for (guint k = 0; k < event->n_parts; k++)
        printf ("%s%u", k > 0 ? "," : "",
                g_array_index (data->parts, guint32, event->first_part + k));
      printf ("]}");
    }
  printf ("],\n");
}

static void
put_rows (const KymoProfileData *data)
{
  guint n = data->metrics->len * 2;
  gboolean first = TRUE;

  printf ("\"rows\": [");
  for (guint l = 0; l < data->n_locations; l++)
    for (guint64 r = data->first[l]; r < data->first[l + 1]; r++)
      {
        printf ("%s[%u,%u,", first ? "" : ",\n", l, data->event[r]);
        first = FALSE;
        put_number (data->calls[r]);
        putchar (',');
        put_number (data->subroutines[r]);
        for (guint k = 0; k < n; k++)
          {
            putchar (',');
            put_number (data->values[r * n + k]);
          }
        putchar (']');
      }
  printf ("],\n\"users\": [");
  first = TRUE;
  for (guint l = 0; l < data->n_locations; l++)
    for (guint64 r = data->user_first[l]; r < data->user_first[l + 1]; r++)
      {
        const KymoUserEventRow *row = &data->user_rows[r];
        const double figures[] = { row->n, row->max, row->min, row->mean, row->sum_squares };

        printf ("%s[%u,", first ? "" : ",\n", l);
        first = FALSE;
        put_string (g_ptr_array_index (data->user_names, row->event));
        for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
          {
            putchar (',');
            put_number (figures[k]);
          }
        putchar (']');
      }
  printf ("]");
}

static void
put_run (const KymoRun *run)
{
  const KymoProfileData *last = g_ptr_array_index (run->profiles, run->profiles->len - 1);

  printf ("{\"kind\": \"%s\", \"title\": ", kymo_run_kind_to_string (run->kind));
  put_string (run->title);
  printf (", \"format\": \"%s\", \"growing\": %s, \"locations\": [", run->format,
          run->growing ? "true" : "false");
  for (guint i = 0; i < run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (run, i);

      printf ("%s{\"id\": %" G_GINT64_FORMAT ", \"process\": %" G_GINT64_FORMAT
              ", \"label\": ", i > 0 ? ",\n" : "", location->id, location->process);
      put_string (location->label);
      printf ("}");
    }
  printf ("],\n\"metrics\": [");
  for (guint i = 0; i < last->metrics->len; i++)
    {
      const KymoProfileMetric *metric = &g_array_index (last->metrics, KymoProfileMetric, i);

      printf ("%s{\"name\": ", i > 0 ? ", " : "");
      put_string (metric->name);
      printf (", \"unit\": \"%s\", \"unit_ns\": %g}", metric->unit, metric->unit_ns);
    }
  printf ("],\n\"facts\": [");
  for (guint i = 0; i < run->facts->len; i++)
    {
      const KymoFact *fact = &g_array_index (run->facts, KymoFact, i);

      printf (i > 0 ? ",\n[" : "[");
      put_string (fact->key);
      printf (", ");
      put_string (fact->value);
      printf ("]");
    }
  printf ("],\n\"issues\": [");
  for (guint i = 0; i < kymo_report_get_n_issues (run->report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (run->report, i);

      printf (i > 0 ? ",\n[" : "[");
      put_string (issue->file != NULL ? issue->file : "");
      printf (", \"%s\", ", kymo_severity_to_string (issue->severity));
      put_string (issue->what);
      printf (", %" G_GINT64_FORMAT "]", issue->count);
    }
  printf ("],\n");
  put_events (last);
  printf ("\"steps\": [");
  for (guint i = 0; i < run->profiles->len; i++)
    {
      const KymoProfileData *data = g_ptr_array_index (run->profiles, i);

      printf ("%s{\"name\": ", i > 0 ? ",\n" : "");
      put_string (data->name);
      printf (", \"time_ns\": %" G_GINT64_FORMAT ",\n", data->time_ns);
      put_rows (data);
      printf ("}");
    }
  printf ("]}\n");
}

int
main (int   argc,
      char *argv[])
{
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = NULL;

  if (argc < 2)
    return 2;
  if (argc > 2)
    options.n_threads = strtoul (argv[2], NULL, 10);
  run = kymo_open_run (argv[1], &options, NULL, &error);
  if (run == NULL || run->profiles == NULL)
    {
      fprintf (stderr, "%s\n", error != NULL ? error->message : "no profile");
      return 1;
    }
  put_run (run);
  return 0;
}
