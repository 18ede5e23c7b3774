/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles in text as TAU writes them: a file a thread, with several metrics in a folder
 * MULTI__<metric> each. Times are microseconds there: those of a trace, whole
 * nanoseconds, get three digits behind the point, so that nothing is lost; other figures
 * are written with as many digits as read back the same.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-trace-private.h"

#include <string.h>

#include "kymo-error.h"

typedef struct
{
  KymoConvert     *convert;
  KymoProfileData *data;
  KymoRunWriter   *writer;
  guint            metric;
} Tau;

/* A name on one line of text, between quotes that nothing can take the meaning of. */
static void
append_name (GString    *text,
             const char *name)
{
  gsize at = text->len;

  g_string_append (text, name);
  for (char *p = text->str + at; *p != '\0'; p++)
    if (*p == '\n' || *p == '\r')
      *p = ' ';
    else if (*p == '"')
      *p = '\'';
}

static void
append_number (GString *text,
               double   value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%.17g", value));
}

/* A figure of the metric, in microseconds where it is a time. */
static void
append_figure (GString                 *text,
               const KymoProfileMetric *metric,
               double                   value)
{
  if (metric->unit_ns == 1 && value >= 0 && value < (double) (G_GUINT64_CONSTANT (1) << 53)
      && value == (guint64) value)
    {
      guint64 ns = value;

      g_string_append_printf (text, "%" G_GUINT64_FORMAT, ns / 1000);
      if (ns % 1000 > 0)
        g_string_append_printf (text, ".%03u", (guint) (ns % 1000));
    }
  else
    append_number (text, metric->unit_ns > 0 && metric->unit_ns != 1000
                   ? value * metric->unit_ns / 1000 : value);
}

/* Groups as TAU lists them, those first that mark paths and last those of phases. */
static void
append_groups (GString                *text,
               const KymoProfileEvent *event)
{
  g_string_append (text, " 0 GROUP=\"");
  if ((event->flags & KYMO_PROFILE_PATH) != 0)
    g_string_append_printf (text, "TAU_CALLPATH%s", *event->groups != '\0' ? "|" : "");
  append_name (text, event->groups);
  if ((event->flags & KYMO_PROFILE_PHASE) != 0 && strstr (event->groups, "TAU_PHASE") == NULL)
    g_string_append_printf (text, "%sTAU_PHASE", *event->groups != '\0'
                            || (event->flags & KYMO_PROFILE_PATH) != 0 ? "|" : "");
  g_string_append (text, "\" \n");
}

/* A path of one function is that function, which has a line of its own. */
static gboolean
has_line (const KymoProfileEvent *event)
{
  return (event->flags & KYMO_PROFILE_PATH) == 0 || event->n_parts > 1;
}

static void
append_row (const Tau *tau,
            GString   *text,
            guint64    row)
{
  const KymoProfileData *data = tau->data;
  const KymoProfileMetric *metric = &g_array_index (data->metrics, KymoProfileMetric,
                                                    tau->metric);
  const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent,
                                                  data->event[row]);
  const double *values = data->values + (row * data->metrics->len + tau->metric) * 2;

  g_string_append_c (text, '"');
  append_name (text, event->name);
  g_string_append (text, "\" ");
  append_number (text, data->calls[row]);
  g_string_append_c (text, ' ');
  append_number (text, data->subroutines[row]);
  for (guint i = 0; i < 2; i++)
    {
      g_string_append_c (text, ' ');
      append_figure (text, metric, values[i]);
    }
  append_groups (text, event);
}

static void
append_users (const Tau *tau,
              GString   *text,
              guint      location)
{
  const KymoProfileData *data = tau->data;
  guint64 first = data->user_first[location], end = data->user_first[location + 1];

  if (first == end)
    return;
  g_string_append_printf (text, "%" G_GUINT64_FORMAT " userevents\n"
                          "# eventname numevents max min mean sumsqr\n", end - first);
  for (guint64 r = first; r < end; r++)
    {
      const KymoUserEventRow *row = &data->user_rows[r];
      const double figures[] = { row->n, row->max, row->min, row->mean, row->sum_squares };

      g_string_append_c (text, '"');
      append_name (text, g_ptr_array_index (data->user_names, row->event));
      g_string_append_c (text, '"');
      for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
        {
          g_string_append_c (text, ' ');
          append_number (text, figures[i]);
        }
      g_string_append_c (text, '\n');
    }
}

static void
append_escaped (GString    *text,
                const char *value)
{
  for (const char *p = value; *p != '\0'; p++)
    switch (*p)
      {
      case '&': g_string_append (text, "&amp;"); break;
      case '<': g_string_append (text, "&lt;"); break;
      case '>': g_string_append (text, "&gt;"); break;
      case '\n': g_string_append (text, "&#xa;"); break;
      default: g_string_append_c (text, *p); break;
      }
}

static void
append_attribute (GString    *text,
                  const char *name,
                  const char *value)
{
  g_string_append (text, "<attribute><name>");
  append_escaped (text, name);
  g_string_append (text, "</name><value>");
  append_escaped (text, value);
  g_string_append (text, "</value></attribute>");
}

/* Appends the facts of the run under the names that TAU has for them. */
static void
append_metadata (const Tau *tau,
                 GString   *text)
{
  static const char *const names[][2] = {
    { "program", "Executable" }, { "command_line", "Command Line" }, { "user", "Username" },
    { "host", "Hostname" }, { "machine", "OS Machine" },
    { "runtime_version", "TAU Version" },
  };
  const GArray *facts = tau->convert->run->facts;

  g_string_append (text, "# Name Calls Subrs Excl Incl ProfileCalls # <metadata>");
  for (guint i = 0; i < facts->len; i++)
    {
      const KymoFact *fact = &g_array_index (facts, KymoFact, i);
      const char *name = fact->key;

      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        if (g_str_equal (names[k][0], fact->key))
          name = names[k][1];
      append_attribute (text, name, fact->value);
    }
  g_string_append (text, "</metadata>\n");
}

static gboolean
write_place (Tau                    *tau,
             const KymoConvertPlace *place,
             GError                **error)
{
  const KymoProfileData *data = tau->data;
  const KymoProfileMetric *metric = &g_array_index (data->metrics, KymoProfileMetric,
                                                    tau->metric);
  g_autoptr (GString) text = g_string_new (NULL), rows = g_string_new (NULL);
  g_autofree char *safe = g_strdelimit (g_strdup (metric->name), "/", '\\');
  g_autofree char *name = g_strdup_printf (
    "%s%s%sprofile.%" G_GINT64_FORMAT ".0.%" G_GINT64_FORMAT,
    data->metrics->len > 1 ? "MULTI__" : "", data->metrics->len > 1 ? safe : "",
    data->metrics->len > 1 ? "/" : "", place->node, place->thread);
  KymoRunFile *file;
  guint n = 0;
  gboolean done;

  for (guint64 r = data->first[place->location]; r < data->first[place->location + 1]
       && kymo_convert_goes_on (tau->convert, r); r++)
    if (has_line (&g_array_index (data->events, KymoProfileEvent, data->event[r])))
      {
        append_row (tau, rows, r);
        n++;
      }
  if (kymo_convert_is_stopped (tau->convert, error))
    return FALSE;
  g_string_append_printf (text, "%u templated_functions_MULTI_", n);
  append_name (text, metric->name);
  g_string_append_c (text, '\n');
  append_metadata (tau, text);
  g_string_append_len (text, rows->str, rows->len);
  g_string_append (text, "0 aggregates\n");
  append_users (tau, text, place->location);
  tau->convert->result->n_records += n;
  file = kymo_run_file_new (tau->writer, name, FALSE, error);
  if (file == NULL)
    return FALSE;
  done = kymo_run_file_write (file, text->str, text->len, error)
    && kymo_run_file_close (file, error);
  kymo_run_file_free (file);
  return done;
}

/* Reports the parts of the run that a profile cannot hold. */
static void
tell_tau (Tau *tau)
{
  KymoConvert *convert = tau->convert;
  const KymoRun *run = convert->run;
  guint n_quoted = 0;

  for (guint i = 0; i < tau->data->events->len; i++)
    n_quoted += strchr (g_array_index (tau->data->events, KymoProfileEvent, i).name, '"') != NULL;
  for (guint i = 0; i < tau->data->user_names->len; i++)
    n_quoted += strchr (tau->data->user_names->pdata[i], '"') != NULL;
  if (run->profiles != NULL && run->profiles->len > 1)
    kymo_convert_leave_out (convert, N_("Steps but the last one: %u"), run->profiles->len - 1);
  if (run->profiles == NULL)
    kymo_convert_leave_out (convert, N_("When anything happened: a profile has sums alone"));
  if (run->profiles == NULL)
    kymo_convert_leave_out (convert, N_("Messages and who exchanged them"));
  if (n_quoted > 0)
    kymo_convert_leave_out (convert, N_("Quotes in names, which are ' now: %u names"), n_quoted);
  for (guint i = 0; i < tau->data->metrics->len; i++)
    {
      const KymoProfileMetric *metric = &g_array_index (tau->data->metrics, KymoProfileMetric, i);
      g_autofree char *upper = g_ascii_strup (metric->name, -1);

      if ((strstr (upper, "TIME") != NULL) != (metric->unit_ns > 0))
        kymo_convert_leave_out (convert, N_("That %s is %s: readers of profiles tell that by "
                                            "names"),
                                metric->name, metric->unit_ns > 0 ? "a time" : "no time");
    }
}

/**
 * kymo_convert_tau:
 *
 * Writes a folder of profiles.
 */
gboolean
kymo_convert_tau (KymoConvert  *convert,
                  GError      **error)
{
  g_autoptr (KymoProfileData) data = kymo_convert_get_profile (convert, error);
  g_autoptr (KymoRunWriter) writer = NULL;
  Tau tau = { convert, data };

  if (data == NULL)
    return FALSE;
  tau.writer = writer = kymo_run_writer_new (convert->wish->out, convert->job, error);
  if (writer == NULL)
    return FALSE;
  for (guint i = 0; i < convert->places->len; i++)
    {
      for (tau.metric = 0; tau.metric < data->metrics->len; tau.metric++)
        if (!write_place (&tau, kymo_convert_place (convert, i), error))
          return FALSE;
      if (kymo_convert_is_stopped (convert, error))
        return FALSE;
      kymo_job_advance (convert->job, 1);
    }
  if (convert->wish->as_part
      && !kymo_convert_write_note (convert, writer, "profile", NULL, error))
    return FALSE;
  if (!kymo_convert_is_sound (convert, error) || !kymo_run_writer_finish (writer, error))
    return FALSE;
  convert->result->n_bytes = kymo_run_writer_get_bytes (writer);
  tell_tau (&tau);
  return TRUE;
}
