/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The launcher gets a session of its own. When its time is over, or the work is cancelled, it is
 * asked to end (TERM), so that it ends its ranks, and a moment later made to.
 */
#include "config.h"

#include "kymo-probe-start.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-probe-place.h"
#include "kymo-recorder-path.h"
#include "kymo-run-environment.h"
#include "kymo-safe-text.h"
#include "kymo-units.h"

#define MEASURING "1s"
/* The group of probe.ini that is of all ranks. */
#define HEAD "Probe"
#define MOST_BYTES (1 << 20)
/* Between the two ways to end a launcher, within its bound. */
#define GRACE_NS G_GINT64_CONSTANT (700000000)

/* -- the program ------------------------------------------------------------------- */

/**
 * Child:
 * @is_late: the time was over
 * @is_done: its streams have ended, or reading them was cancelled
 */
typedef struct
{
  GSubprocess  *process;
  pid_t         session;
  GMainContext *context;
  GCancellable *reading;
  char         *out, *errors;
  gboolean      is_late, is_done;
} Child;

static void
begin_session (gpointer data)
{
  setsid ();
}

static void
on_read (GObject      *object,
         GAsyncResult *result,
         gpointer      data)
{
  Child *child = data;

  g_subprocess_communicate_utf8_finish (G_SUBPROCESS (object), result, &child->out, &child->errors,
                                        NULL);
  child->is_done = TRUE;
}

static void
signal_child (Child *child,
              int    number)
{
  if (child->session > 1)
    kill (-child->session, number);
}

static gboolean
on_late (gpointer data)
{
  Child *child = data;

  child->is_late = TRUE;
  signal_child (child, SIGTERM);
  return G_SOURCE_REMOVE;
}

static gboolean
on_over (gpointer data)
{
  Child *child = data;

  signal_child (child, SIGKILL);
  g_cancellable_cancel (child->reading);
  return G_SOURCE_REMOVE;
}

static GSource *
add_timeout (Child       *child,
             gint64       ns,
             GSourceFunc  callback)
{
  GSource *source = g_timeout_source_new ((guint) CLAMP (ns / 1000000, 1, G_MAXINT));

  g_source_set_callback (source, callback, child, NULL);
  g_source_attach (source, child->context);
  return source;
}

static gboolean
on_cancelled (GCancellable *cancellable,
              gpointer      data)
{
  Child *child = data;
  GSource *over;

  signal_child (child, SIGTERM);
  over = add_timeout (child, GRACE_NS, on_over);
  g_source_unref (over);
  return G_SOURCE_REMOVE;
}

/* Until the streams end, or the bound is reached. */
static void
wait_for_child (Child        *child,
                gint64        bound_ns,
                GCancellable *cancellable)
{
  GSource *late = add_timeout (child, bound_ns - GRACE_NS, on_late);
  GSource *over = add_timeout (child, bound_ns, on_over);
  GSource *cancelled = cancellable != NULL ? g_cancellable_source_new (cancellable) : NULL;

  if (cancelled != NULL)
    {
      g_source_set_callback (cancelled, G_SOURCE_FUNC (on_cancelled), child, NULL);
      g_source_attach (cancelled, child->context);
    }
  g_subprocess_communicate_utf8_async (child->process, NULL, child->reading, on_read, child);
  while (!child->is_done)
    g_main_context_iteration (child->context, TRUE);
  g_source_destroy (late);
  g_source_unref (late);
  g_source_destroy (over);
  g_source_unref (over);
  if (cancelled == NULL)
    return;
  g_source_destroy (cancelled);
  g_source_unref (cancelled);
}

static void
set_last_line (const char  *text,
               GError     **error)
{
  g_autofree char *copy = g_strchomp (g_strdup (text != NULL ? text : ""));
  const char *newline = strrchr (copy, '\n');
  g_autofree char *line = kymo_safe_text_dup (newline != NULL ? newline + 1 : copy);

  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       *line != '\0' ? line : _("it ended without a word"));
}

static gboolean
judge_child (Child         *child,
             gint64         bound_ns,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autofree char *bound = kymo_format_duration (bound_ns);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (child->is_late)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT, _("it did not end within %s"), bound);
      return FALSE;
    }
  g_subprocess_wait (child->process, NULL, NULL);
  if (g_subprocess_get_successful (child->process) && child->out != NULL
      && strlen (child->out) <= MOST_BYTES)
    return TRUE;
  set_last_line (child->errors, error);
  return FALSE;
}

/* (transfer full) (nullable): what it writes to its standard output */
static char *
run_words (const char *const  *words,
           gint64              bound_ns,
           GCancellable       *cancellable,
           GError            **error)
{
  g_autoptr (GSubprocessLauncher) launcher
    = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  Child child = { NULL };
  const char *id;
  gboolean good;

  g_subprocess_launcher_set_child_setup (launcher, begin_session, NULL, NULL);
  child.process = g_subprocess_launcher_spawnv (launcher, words, error);
  if (child.process == NULL)
    return NULL;
  id = g_subprocess_get_identifier (child.process);
  child.session = id != NULL ? (pid_t) g_ascii_strtoll (id, NULL, 10) : 0;
  child.context = g_main_context_new ();
  child.reading = g_cancellable_new ();
  g_main_context_push_thread_default (child.context);
  wait_for_child (&child, bound_ns, cancellable);
  g_main_context_pop_thread_default (child.context);
  good = judge_child (&child, bound_ns, cancellable, error);
  g_main_context_unref (child.context);
  g_object_unref (child.reading);
  g_object_unref (child.process);
  g_free (child.errors);
  if (!good)
    g_clear_pointer (&child.out, g_free);
  return child.out;
}

/* -- what it told ------------------------------------------------------------------ */

static GKeyFile *
parse_probe (const char            *text,
             const KymoProbePlace  *place,
             gboolean               is_launched,
             GError               **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *mpi = NULL, *valid = NULL;

  if (!g_key_file_load_from_data (file, text, -1, G_KEY_FILE_NONE, NULL)
      || g_key_file_get_integer (file, HEAD, "version", NULL) != 1)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                           _("what it told cannot be read"));
      return NULL;
    }
  mpi = g_key_file_get_string (file, HEAD, "mpi", NULL);
  if (!is_launched || (g_strcmp0 (mpi, place->mpi) == 0
                       && g_key_file_get_integer (file, HEAD, "ranks", NULL)
                       == (int) place->n_ranks))
    return g_steal_pointer (&file);
  valid = g_utf8_make_valid (mpi != NULL ? mpi : "", -1);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("it had %d ranks of %s, and the run %u of %s"),
               g_key_file_get_integer (file, HEAD, "ranks", NULL), valid, place->n_ranks,
               place->mpi);
  return NULL;
}

static KymoTable *
list_lines (GKeyFile *file)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint group = kymo_table_add_column (table, "group", KYMO_COLUMN_STRING, 1);
  guint key = kymo_table_add_column (table, "key", KYMO_COLUMN_STRING, 1);
  guint value = kymo_table_add_column (table, "value", KYMO_COLUMN_STRING, 1);
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    {
      g_auto (GStrv) keys = g_key_file_get_keys (file, groups[i], NULL, NULL);

      for (guint k = 0; keys[k] != NULL; k++)
        {
          g_autofree char *text = g_key_file_get_string (file, groups[i], keys[k], NULL);

          kymo_table_append_string (table, group, groups[i]);
          kymo_table_append_string (table, key, keys[k]);
          kymo_table_append_string (table, value, text);
        }
    }
  return table;
}

/* Whether two probes had the same ranks on the same hosts. */
static gboolean
is_same_place (GKeyFile *a,
               GKeyFile *b)
{
  g_auto (GStrv) groups = g_key_file_get_groups (a, NULL);
  static const char *const keys[] = { "mpi", "ranks", "nodes" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *x = g_key_file_get_value (a, HEAD, keys[i], NULL);
      g_autofree char *y = g_key_file_get_value (b, HEAD, keys[i], NULL);

      if (g_strcmp0 (x, y) != 0)
        return FALSE;
    }
  for (guint i = 0; groups[i] != NULL; i++)
    {
      g_autofree char *x = g_key_file_get_value (a, groups[i], "host", NULL);
      g_autofree char *y = g_key_file_get_value (b, groups[i], "host", NULL);

      if (g_str_has_prefix (groups[i], "Probe Rank ") && g_strcmp0 (x, y) != 0)
        return FALSE;
    }
  return TRUE;
}

static void
copy_lines (GKeyFile *from,
            GKeyFile *into)
{
  g_auto (GStrv) groups = g_key_file_get_groups (from, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    {
      g_auto (GStrv) keys = g_key_file_get_keys (from, groups[i], NULL, NULL);

      for (guint k = 0; keys[k] != NULL; k++)
        {
          g_autofree char *value = g_key_file_get_value (from, groups[i], keys[k], NULL);

          g_key_file_set_value (into, groups[i], keys[k], value);
        }
    }
}

/* (transfer full) (nullable): the file that has what was measured now, and what was measured before
   at the same place; what was measured elsewhere stays beside it, as probe.ini~. */
static char *
keep_probe (const char *folder,
            GKeyFile   *file)
{
  g_autofree char *path = g_build_filename (folder, KYMO_PROBE_FILE, NULL);
  g_autoptr (GKeyFile) whole = g_key_file_new ();
  g_autoptr (KymoBeside) beside = NULL;
  g_autofree char *text = NULL;
  gsize length;

  if (kymo_input_load_key_file (whole, path, 2 * MOST_BYTES, G_KEY_FILE_NONE, NULL)
      && is_same_place (file, whole))
    copy_lines (file, whole);
  else
    {
      g_autofree char *old = g_strconcat (path, "~", NULL);

      g_key_file_unref (g_steal_pointer (&whole));
      whole = g_key_file_ref (file);
      g_rename (path, old);
    }
  text = g_key_file_to_data (whole, &length, NULL);
  beside = kymo_beside_new (path, 0666);
  if (beside == NULL || kymo_write_all (kymo_beside_get_fd (beside), text, length) != 0
      || kymo_beside_finish (beside, TRUE) != 0)
    return NULL;
  return g_steal_pointer (&path);
}

/* -- all of it --------------------------------------------------------------------- */

/* (transfer full) (nullable): the launcher, kymo-record and its options */
static char **
join_words (KymoProbePlace  *place,
            const char      *part,
            gboolean        *is_launched,
            GError         **error)
{
  g_autofree char *recorder = kymo_recorder_dup_path ();
  g_auto (GStrv) launch = NULL;
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autofree char *probe = g_strconcat ("--probe=", part, NULL);

  if (recorder == NULL)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           _("kymo-record is neither beside this program nor in PATH"));
      return NULL;
    }
  launch = kymo_probe_place_dup_launch (place, error);
  if (launch == NULL)
    return NULL;
  *is_launched = launch[0] != NULL;
  g_strv_builder_addv (words, (const char **) launch);
  g_strv_builder_add_many (words, recorder, probe, "--probe-time", MEASURING, "--format", "ini",
                           NULL);
  return g_strv_builder_end (words);
}

/* As people would type it. */
static char *
describe_words (char *const *words)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *name = *words[i] == '/' ? g_path_get_basename (words[i])
                                               : g_strdup (words[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", name);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * kymo_probe_start:
 * @path: folder of the run, or a file in it
 * @part: what to measure: "noise", "pingpong" or "memory"
 * @bound_ns: when all must have ended; at least 2 s
 * @told: (nullable): is called before the probe is started
 * @outcome: (out caller-allocates): gets command, time and figures, as far as they are known; of a
 *   failed probe, too; the caller frees it
 * @cancellable: (nullable): ends the probe
 *
 * Measures with as many ranks as the run had, on its nodes, by its launcher, and keeps the figures
 * beside the run. That they cannot be kept is no failure.
 *
 * Returns: FALSE with an error: why nothing was measured
 */
gboolean
kymo_probe_start (const char        *path,
                  const char        *part,
                  gint64             bound_ns,
                  KymoProbeTold      told,
                  gpointer           data,
                  KymoProbeOutcome  *outcome,
                  GCancellable      *cancellable,
                  GError           **error)
{
  g_autofree char *folder = g_file_test (path, G_FILE_TEST_IS_DIR) ? g_strdup (path)
                                                                   : g_path_get_dirname (path);
  g_autoptr (KymoProbePlace) place = kymo_probe_place_new (folder, error);
  g_autoptr (GKeyFile) file = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *text = NULL;
  gboolean is_launched;
  gint64 begin;

  *outcome = (KymoProbeOutcome) { NULL };
  if (place == NULL || !kymo_probe_place_reach (place, error)
      || (words = join_words (place, part, &is_launched, error)) == NULL)
    return FALSE;
  outcome->command = describe_words (words);
  if (told != NULL)
    told (data, outcome->command);
  begin = g_get_monotonic_time ();
  text = run_words ((const char *const *) words, MAX (bound_ns, 2000000000), cancellable, error);
  outcome->took_ns = (g_get_monotonic_time () - begin) * 1000;
  if (text == NULL || (file = parse_probe (text, place, is_launched, error)) == NULL)
    return FALSE;
  outcome->lines = list_lines (file);
  outcome->kept = keep_probe (folder, file);
  return TRUE;
}
