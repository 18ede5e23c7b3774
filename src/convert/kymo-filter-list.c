/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-filter-list.h"

#include <string.h>

#include "kymo-error.h"

#define THROTTLED " [THROTTLED]"
#define NOT_CODE (KYMO_PROFILE_PATH | KYMO_PROFILE_IDLE | KYMO_PROFILE_OVERHEAD \
                  | KYMO_PROFILE_UNTRACED)

/* Figures of a function, over all locations. */
typedef struct
{
  double calls, most_calls, ns;
} Sums;

typedef struct
{
  char  *name;
  double calls;
} Chosen;

static void
chosen_clear (gpointer data)
{
  g_free (((Chosen *) data)->name);
}

static gint
compare_chosen (gconstpointer a,
                gconstpointer b)
{
  const Chosen *x = a, *y = b;

  return x->calls != y->calls ? (x->calls < y->calls) - (x->calls > y->calls)
    : strcmp (x->name, y->name);
}

static Sums *
sum_up (const KymoProfileData *data,
        guint                  metric)
{
  Sums *sums = g_new0 (Sums, MAX (1, data->events->len));
  double unit_ns = g_array_index (data->metrics, KymoProfileMetric, metric).unit_ns;

  for (guint64 r = 0; r < data->first[data->n_locations]; r++)
    {
      Sums *sum = &sums[data->event[r]];

      sum->calls += data->calls[r];
      sum->most_calls = MAX (sum->most_calls, data->calls[r]);
      sum->ns += data->values[(r * data->metrics->len + metric) * 2 + 1] * unit_ns;
    }
  return sums;
}

/* TRUE if the instrumentation can leave the function out: it chooses among the program's functions,
   not among wrappers of libraries and regions that the measurement adds. */
static gboolean
is_code (const KymoProfileEvent *event)
{
  return (event->flags & NOT_CODE) == 0 && event->role == KYMO_ROLE_COMPUTE
    && *event->shown != '.' && *event->shown != '\0' && *event->shown != '['
    && !g_str_has_prefix (event->shown, "!$omp") && !g_str_has_prefix (event->shown, "OpenMP_");
}

/* The name as the compiler knows it: without its place in a file, and without the mark
   that it was throttled. */
static char *
dup_code_name (const char *shown)
{
  char *name = g_strdup (shown);
  char *place = strstr (name, " [{");

  if (place != NULL)
    *place = '\0';
  if (g_str_has_suffix (name, THROTTLED))
    name[strlen (name) - strlen (THROTTLED)] = '\0';
  return g_strdelimit (g_strchomp (name), "\r\n", ' ');
}

/* Appends the name with its special characters escaped for patterns of Score-P. */
static void
append_pattern (GString    *text,
                const char *name)
{
  for (const char *p = name; *p != '\0'; p++)
    {
      if (strchr (" \t#\\*?[]", *p) != NULL)
        g_string_append_c (text, '\\');
      g_string_append_c (text, *p);
    }
}

static GArray *
choose_filter_list (const KymoProfileData *data,
                    const KymoFilterRule  *rule,
                    const Sums            *sums)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (Chosen));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  g_array_set_clear_func (chosen, chosen_clear);
  for (guint i = 0; i < data->events->len; i++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent, i);
      gboolean tiny = sums[i].most_calls > rule->most_calls
        && sums[i].ns < rule->least_ns * sums[i].calls;
      Chosen one;

      if (!is_code (event) || (!tiny && (event->flags & KYMO_PROFILE_THROTTLED) == 0))
        continue;
      one = (Chosen) { dup_code_name (event->shown), sums[i].calls };
      if (!g_hash_table_add (seen, one.name))
        g_free (one.name);
      else
        g_array_append_val (chosen, one);
    }
  g_array_sort (chosen, compare_chosen);
  return chosen;
}

/* With a point, whatever the language of the person. */
static void
append_number (GString *text,
               double   value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%.15g", value));
}

static void
append_head (GString               *text,
             const KymoProfileData *data,
             const KymoFilterRule  *rule,
             const Sums            *sums,
             GArray                *chosen)
{
  double all = 0, left_out = 0;

  for (guint i = 0; i < data->events->len; i++)
    if ((g_array_index (data->events, KymoProfileEvent, i).flags & NOT_CODE) == 0)
      all += sums[i].calls;
  for (guint i = 0; i < chosen->len; i++)
    left_out += g_array_index (chosen, Chosen, i).calls;
  g_string_append (text, "# Called more than ");
  append_number (text, rule->most_calls);
  g_string_append (text, " times on a location and less than ");
  append_number (text, rule->least_ns / 1000);
  g_string_append_printf (text, " us a call, or throttled:\n# %u functions with ", chosen->len);
  append_number (text, left_out);
  g_string_append (text, " of ");
  append_number (text, all);
  g_string_append (text, " calls.\n");
}

/**
 * kymo_filter_list_make:
 * @error: %KYMO_ERROR_UNANSWERABLE where no metric is a time
 *
 * Returns: (transfer full) (nullable): the text of the file, the function with the most
 *   calls first
 */
char *
kymo_filter_list_make (const KymoProfileData *data,
                       const KymoFilterRule  *rule,
                       KymoFilterFormat       format,
                       GError               **error)
{
  gint metric = kymo_profile_data_find_time (data);
  g_autofree Sums *sums = NULL;
  g_autoptr (GArray) chosen = NULL;
  GString *text;

  if (metric < 0)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           _("No metric of the profile is a time: nobody can say what is tiny"));
      return NULL;
    }
  sums = sum_up (data, metric);
  chosen = choose_filter_list (data, rule, sums);
  text = g_string_new (NULL);
  append_head (text, data, rule, sums, chosen);
  g_string_append (text, format == KYMO_FILTER_TAU ? "BEGIN_EXCLUDE_LIST\n"
                   : "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE\n");
  for (guint i = 0; i < chosen->len; i++)
    {
      const char *name = g_array_index (chosen, Chosen, i).name;

      g_string_append (text, format == KYMO_FILTER_TAU ? "" : "    ");
      if (format == KYMO_FILTER_TAU)
        g_string_append (text, name);
      else
        append_pattern (text, name);
      g_string_append_c (text, '\n');
    }
  g_string_append (text, format == KYMO_FILTER_TAU ? "END_EXCLUDE_LIST\n"
                   : "SCOREP_REGION_NAMES_END\n");
  return g_string_free (text, FALSE);
}
