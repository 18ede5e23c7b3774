/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-launch.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"

#define MOST_ORDER (32 * 1024)
#define MOST_VALUE 200
#define GROUP "Launch"
/* The order of keys in an order. */
static const char *const names[] = { "login", "mpirun", "slurm", "pbs" };
static const char *const value_keys[] = { "time", "queue", "cores", "ranks", "nodes" };

static const char *const templates[] = {
  "",
  "mpirun -n %RANKS% %SERVER%\n",
  "#!/bin/sh\n"
  "#SBATCH --job-name=kymo\n"
  "#SBATCH --nodes=1\n"
  "#SBATCH --ntasks=1\n"
  "#SBATCH --cpus-per-task=%CORES%\n"
  "#SBATCH --time=%TIME%\n"
  "#SBATCH --partition=%QUEUE%\n"
  "#SBATCH --output=/dev/null\n"
  "module load %MODULES%\n"
  "exec %SERVER%\n",
  "#!/bin/sh\n"
  "#PBS -N kymo\n"
  "#PBS -l select=1:ncpus=%CORES%\n"
  "#PBS -l walltime=%TIME%\n"
  "#PBS -q %QUEUE%\n"
  "#PBS -j oe\n"
  "#PBS -o /dev/null\n"
  "module load %MODULES%\n"
  "exec %SERVER%\n",
};

/** kymo_launch_new: Returns: (transfer full): a launch with template and values of its method */
KymoLaunch *
kymo_launch_new (const char *name, KymoLaunchMethod method)
{
  static const char *const defaults[] = { "01:00:00", "", "4", "1", "1" };
  KymoLaunch *launch = g_new0 (KymoLaunch, 1);

  launch->name = g_strdup (name);
  launch->method = method;
  launch->template = g_strdup (templates[method]);
  for (guint i = 0; i < KYMO_LAUNCH_N_VALUES; i++)
    launch->values[i] = g_strdup (defaults[i]);
  return launch;
}

/** kymo_launch_copy: Returns: (transfer full): the same launch */
KymoLaunch *
kymo_launch_copy (const KymoLaunch *launch)
{
  KymoLaunch *copy = g_new0 (KymoLaunch, 1);

  copy->name = g_strdup (launch->name);
  copy->method = launch->method;
  copy->template = g_strdup (launch->template);
  copy->join = g_strdup (launch->join);
  for (guint i = 0; i < KYMO_LAUNCH_N_VALUES; i++)
    copy->values[i] = g_strdup (launch->values[i]);
  return copy;
}

/** kymo_launch_free: @launch: (nullable): with its texts */
void
kymo_launch_free (KymoLaunch *launch)
{
  if (launch == NULL)
    return;
  g_free (launch->name);
  g_free (launch->template);
  g_free (launch->join);
  for (guint i = 0; i < KYMO_LAUNCH_N_VALUES; i++)
    g_free (launch->values[i]);
  g_free (launch);
}

/** kymo_launch_method_parse: Returns: whether @text is login, mpirun, slurm or pbs */
gboolean
kymo_launch_method_parse (const char *text, KymoLaunchMethod *method)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (text, names[i]) == 0)
      {
        *method = i;
        return TRUE;
      }
  return FALSE;
}

/* -- values ------------------------------------------------------------------------------------ */

/** kymo_launch_value_key: Returns: (transfer none): its name in lower case: time, queue, … */
const char *
kymo_launch_value_key (KymoLaunchValue value)
{
  return value_keys[value];
}

/* (transfer full): "%TIME%" */
static char *
dup_placeholder (KymoLaunchValue value)
{
  g_autofree char *upper = g_ascii_strup (value_keys[value], -1);

  return g_strdup_printf ("%%%s%%", upper);
}

/** kymo_launch_wants: Returns: whether the template has a place for the value */
gboolean
kymo_launch_wants (const KymoLaunch *launch, KymoLaunchValue value)
{
  g_autofree char *placeholder = dup_placeholder (value);

  return launch->method != KYMO_LAUNCH_LOGIN && strstr (launch->template, placeholder) != NULL;
}

/* A value stands in a script: it must end neither a word nor a line. */
static gboolean
is_plain (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr (".:,_+-=@/", *c) == NULL)
      return FALSE;
  return *text != '-' && strlen (text) <= MOST_VALUE;
}

/* Counts are at least 1. */
static gboolean
is_count (const char *text)
{
  return strspn (text, "0123456789") == strlen (text) && g_ascii_strtoull (text, NULL, 10) > 0
         && strlen (text) < 7;
}

/**
 * kymo_launch_set:
 * @text: letters, digits and punctuation that no shell minds; may be empty for time and queue
 *
 * Returns: whether it is set; %FALSE with %KYMO_ERROR_USAGE where it is no such value
 */
gboolean
kymo_launch_set (KymoLaunch *launch, KymoLaunchValue value, const char *text, GError **error)
{
  gboolean is_number = value >= KYMO_LAUNCH_CORES;
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  g_autofree char *shown = kymo_safe_text_dup (trimmed);

  if (!(is_number ? is_count (trimmed) : is_plain (trimmed)))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   is_number ? _("“%s” is no number for “%s”") : _("“%s” is no value for “%s”"),
                   shown, value_keys[value]);
      return FALSE;
    }
  g_free (launch->values[value]);
  launch->values[value] = g_steal_pointer (&trimmed);
  return TRUE;
}

static gboolean
set_word (KymoLaunch *launch, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  g_autofree char *key = g_strndup (word, equals != NULL ? (gsize) (equals - word) : strlen (word));
  g_autofree char *shown = kymo_safe_text_dup (word);

  for (guint i = 0; equals != NULL && i < KYMO_LAUNCH_N_VALUES; i++)
    if (strcmp (key, value_keys[i]) == 0)
      return kymo_launch_set (launch, i, equals + 1, error);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is no value of a launch: time=, queue=, cores=, ranks= or nodes= is needed"),
               shown);
  return FALSE;
}

/**
 * kymo_launch_set_words:
 * @words: "time=00:10:00,queue=short"
 *
 * Returns: whether all are set; %FALSE with %KYMO_ERROR_USAGE at the first that is none
 */
gboolean
kymo_launch_set_words (KymoLaunch *launch, const char *words, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (words, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0' && !set_word (launch, parts[i], error))
      return FALSE;
  return TRUE;
}

/* -- templates --------------------------------------------------------------------------------- */

/* Appends a line with its values, or nothing where one of them is empty. */
static void
fill_line (GString *out, const char *line, const char *const *keys, const char *const *values)
{
  g_autoptr (GString) filled = g_string_new (line);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      if (strstr (line, keys[i]) == NULL || values[i] == NULL)
        continue;
      if (*values[i] == '\0')
        return;
      g_string_replace (filled, keys[i], values[i], 0);
    }
  g_string_append (out, filled->str);
}

/**
 * kymo_launch_fill:
 * @template: lines of text
 * @keys: (array zero-terminated=1): placeholders
 * @values: of each key its text; %NULL leaves the placeholder, "" leaves its lines out
 *
 * Returns: (transfer full): the text
 */
char *
kymo_launch_fill (const char *template, const char *const *keys, const char *const *values)
{
  g_auto (GStrv) lines = g_strsplit (template, "\n", -1);
  GString *out = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      gsize before = out->len;

      fill_line (out, lines[i], keys, values);
      if (lines[i + 1] != NULL && (out->len > before || *lines[i] == '\0'))
        g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

static char *
dup_script (const KymoLaunch *launch, const char *const *modules)
{
  char *keys[KYMO_LAUNCH_N_VALUES + 2] = { NULL };
  const char *values[KYMO_LAUNCH_N_VALUES + 2] = { NULL };
  g_autofree char *loaded = modules != NULL ? g_strjoinv (" ", (char **) modules) : g_strdup ("");
  char *script;

  for (guint i = 0; i < KYMO_LAUNCH_N_VALUES; i++)
    {
      keys[i] = dup_placeholder (i);
      values[i] = launch->values[i];
    }
  keys[KYMO_LAUNCH_N_VALUES] = g_strdup ("%MODULES%");
  values[KYMO_LAUNCH_N_VALUES] = loaded;
  script = kymo_launch_fill (launch->template, (const char *const *) keys, values);
  for (guint i = 0; keys[i] != NULL; i++)
    g_free (keys[i]);
  return script;
}

/* -- orders ------------------------------------------------------------------------------------ */

/**
 * kymo_launch_dup_order:
 * @modules: (nullable) (array zero-terminated=1): environment modules of the host
 *
 * Returns: (transfer full): a word of letters, digits, "-" and "_" for kymo-server --job; the same
 *   launch with the same values gives the same word
 */
char *
kymo_launch_dup_order (const KymoLaunch *launch, const char *const *modules)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *script = dup_script (launch, modules);
  g_autofree char *text = NULL;
  char *word;
  gsize length;

  g_key_file_set_string (file, GROUP, "Method", names[launch->method]);
  g_key_file_set_string (file, GROUP, "Script", script);
  if (launch->join != NULL)
    g_key_file_set_string (file, GROUP, "Join", launch->join);
  if (kymo_launch_wants (launch, KYMO_LAUNCH_TIME))
    g_key_file_set_string (file, GROUP, "Time", launch->values[KYMO_LAUNCH_TIME]);
  text = g_key_file_to_data (file, &length, NULL);
  word = g_base64_encode ((const guchar *) text, length);
  word[strcspn (word, "=")] = '\0';
  return g_strdelimit (g_strdelimit (word, "+", '-'), "/", '_');
}

/* (transfer full) (nullable): the text of a word. */
static char *
decode_word (const char *word, gsize *length)
{
  g_autoptr (GString) padded = g_string_new (word);

  if (padded->len > MOST_ORDER)
    return NULL;
  g_strdelimit (g_strdelimit (padded->str, "-", '+'), "_", '/');
  while (padded->len % 4 != 0)
    g_string_append_c (padded, '=');
  return (char *) g_base64_decode (padded->str, length);
}

/**
 * kymo_launch_order_parse:
 * @text: from kymo_launch_dup_order()
 *
 * Returns: (transfer full) (nullable): the order; %NULL with %KYMO_ERROR_USAGE where @text is none
 */
KymoLaunchOrder *
kymo_launch_order_parse (const char *text, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (KymoLaunchOrder) order = g_new0 (KymoLaunchOrder, 1);
  g_autofree char *method = NULL;
  gsize length = 0;
  g_autofree char *data = decode_word (text, &length);

  if (data != NULL && length > 0
      && g_key_file_load_from_data (file, data, length, G_KEY_FILE_NONE, NULL))
    {
      method = g_key_file_get_string (file, GROUP, "Method", NULL);
      order->script = g_key_file_get_string (file, GROUP, "Script", NULL);
      order->join = g_key_file_get_string (file, GROUP, "Join", NULL);
      order->time = g_key_file_get_string (file, GROUP, "Time", NULL);
    }
  if (method != NULL && order->script != NULL && kymo_launch_method_parse (method, &order->method))
    return g_steal_pointer (&order);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       _("The order of a job cannot be read; another version wrote it"));
  return NULL;
}

/**
 * kymo_launch_parse_time:
 * @text: [DAYS-]HOURS:MINUTES:SECONDS, or a part of it as the batch system of @method takes it: a
 *   number alone is minutes for Slurm and seconds for PBS
 *
 * Returns: seconds; 0 where that is no time
 */
gint64
kymo_launch_parse_time (KymoLaunchMethod method, const char *text)
{
  const char *dash = strchr (text, '-');
  g_auto (GStrv) parts = g_strsplit (dash != NULL ? dash + 1 : text, ":", 4);
  guint n = g_strv_length (parts);
  gint64 numbers[3] = { 0 }, days = dash != NULL ? g_ascii_strtoll (text, NULL, 10) : 0;
  /* Of days and a number the number is hours; else the last one is seconds, or minutes. */
  guint first = dash != NULL ? 0 : n == 1 && method == KYMO_LAUNCH_SLURM ? 1 : 3 - MIN (n, 3);

  if (n < 1 || first + n > 3 || strspn (text, "0123456789:-") != strlen (text))
    return 0;
  for (guint i = 0; i < n; i++)
    numbers[first + i] = g_ascii_strtoll (parts[i], NULL, 10);
  if (days < 0 || days > 36500 || MAX (numbers[0], MAX (numbers[1], numbers[2])) > G_MAXINT32)
    return 0;
  return ((days * 24 + numbers[0]) * 60 + numbers[1]) * 60 + numbers[2];
}

/** kymo_launch_order_free: @order: (nullable): with its texts */
void
kymo_launch_order_free (KymoLaunchOrder *order)
{
  if (order == NULL)
    return;
  g_free (order->script);
  g_free (order->join);
  g_free (order->time);
  g_free (order);
}
