/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-reduce-there.h"

#include <string.h>

#include "kymo-write-dialog.h"

static void
add_option (GStrvBuilder *words, const char *name, const char *value)
{
  if (value != NULL)
    g_strv_builder_add_many (words, name, value, NULL);
}

/** kymo_reduce_there_dup_options: Returns: (transfer full): a wish as options of kymo-cli reduce */
GStrv
kymo_reduce_there_dup_options (KymoSource *source, const KymoReducerWish *wish)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autofree char *error = g_strdup_printf ("%.17g", wish->error);
  g_autofree char *begin = g_strdup_printf ("%" G_GINT64_FORMAT "ns", wish->span.begin_ns);
  g_autofree char *end = g_strdup_printf ("%" G_GINT64_FORMAT "ns", wish->span.end_ns);
  KymoSpan all = kymo_source_get_span (source);

  if (wish->error > 0)
    add_option (words, "--error", error);
  else
    {
      add_option (words, "--clusters", wish->clusters);
      add_option (words, "--outliers", wish->outliers);
      add_option (words, "--keep", wish->keep);
    }
  add_option (words, "--quota", wish->quota);
  add_option (words, "--union", wish->union_of);
  add_option (words, "--also", wish->also);
  if (wish->critical_path)
    g_strv_builder_add (words, "--critical-path");
  if (wish->span.begin_ns != all.begin_ns || wish->span.end_ns != all.end_ns)
    g_strv_builder_add_many (words, "--from", begin, "--to", end, NULL);
  if (kymo_source_has_corrected_clocks (source))
    g_strv_builder_add (words, "--correct-clocks");
  return g_strv_builder_end (words);
}

/**
 * kymo_reduce_there:
 * @source: a run on another machine
 * @path: its address
 * @out: (nullable): address of the folder to be made; without it nothing is written
 * @options: of kymo_reduce_there_dup_options()
 *
 * Has kymo-cli reduce done there; blocks.
 *
 * Returns: (transfer full) (nullable): what the command says of the PEs that it keeps
 */
char *
kymo_reduce_there (KymoSource *source, const char *path, const char *out, GStrv options,
                   KymoJob *job, GError **error)
{
  GStrvBuilder *words = g_strv_builder_new ();
  g_autofree char *run = kymo_write_dialog_dup_there (path);
  g_autofree char *there = kymo_write_dialog_dup_there (out != NULL ? out : path);

  g_strv_builder_add_many (words, "reduce", run, there, "--quiet", NULL);
  g_strv_builder_addv (words, (const char **) options);
  if (out == NULL)
    g_strv_builder_add (words, "--dry-run");
  return kymo_write_dialog_work (source, words, job, error);
}

/**
 * kymo_reduce_there_take_missed:
 * @text: of kymo_reduce_there(); its last line is cut off where that names the PEs
 *
 * Returns: (transfer full) (nullable): the PEs that stand out and are not kept
 */
char *
kymo_reduce_there_take_missed (char *text)
{
  static const char option[] = "--also ";
  char *also = strstr (text, option);
  char *line = also != NULL ? g_strrstr_len (text, also - text, "\n") : NULL;
  char *missed = also != NULL ? g_strdup (also + strlen (option)) : NULL;

  if (line != NULL)
    *line = '\0';
  return missed;
}
