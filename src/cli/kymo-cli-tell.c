/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The way out: all that kymo-cli writes to standard output, --output and standard error
 * leaves through the functions of this file, kymo_cli_write() and kymo_cli_out_write().
 * Names, paths and messages of other programs hold anything; what could drive a
 * terminal does not pass.
 *
 * Any thread, one at a time.
 */
#include "config.h"

#include "kymo-cli.h"

#include <stdio.h>

#include "kymo-safe-text.h"

/**
 * kymo_cli_tell:
 * @format: a sentence without a line end
 *
 * Writes "kymo-cli: ", the sentence and a line end to standard error. A line break in
 * the sentence comes from a name; it is shown, not obeyed.
 */
void
kymo_cli_tell (const char *format, ...)
{
  g_autofree char *raw = NULL;
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, format);
  raw = g_strdup_vprintf (format, args);
  va_end (args);
  line = kymo_safe_text_dup (raw);
  fprintf (stderr, "kymo-cli: %s\n", line);
}

/**
 * kymo_cli_tell_progress:
 * @stage: (nullable): what is being done; %NULL clears the line
 * @fraction: how much of it is done, 0 to 1
 *
 * Standard error is a terminal; its last line is written anew.
 */
void
kymo_cli_tell_progress (const char *stage, double fraction)
{
  g_autofree char *words = stage != NULL ? kymo_safe_text_dup (stage) : NULL;

  fputs ("\r\033[K", stderr);
  if (words != NULL)
    fprintf (stderr, "%s %3.0f%%", words, 100 * CLAMP (fraction, 0, 1));
  fflush (stderr);
}

/**
 * kymo_cli_print:
 * @text: lines; made safe in place
 *
 * Writes to standard output.
 *
 * Returns: whether it took them; errno says why not
 */
gboolean
kymo_cli_print (GString *text)
{
  kymo_safe_text_clean (text, "\n");
  return fwrite (text->str, 1, text->len, stdout) == text->len && fflush (stdout) == 0;
}
