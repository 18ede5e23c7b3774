/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts: by words that only one format has, or by the form of their lines.
 */
#include "config.h"

#include "kymo-recognize.h"

#include <string.h>

static gboolean
begins (const KymoHead *head,
        const char     *word)
{
  return strncmp (head->bytes, word, strlen (word)) == 0;
}

static gboolean
head_holds (const KymoHead *head,
            const char     *word)
{
  gsize n = strlen (word);

  return memmem (head->bytes, head->n_bytes, word, n) != NULL
         || memmem (head->end, head->n_end, word, n) != NULL;
}

/* The keys of objects, in any order and with any blanks. */
static KymoKnown
recognize_json (const KymoHead *head)
{
  if (head_holds (head, "speedscope.app/file-format-schema"))
    return KYMO_KNOWN_SPEEDSCOPE;
  if (head_holds (head, "\"traceEvents\"")
      || (head_holds (head, "\"ph\"")
          && (head_holds (head, "\"ts\"") || head_holds (head, "\"pid\""))))
    return KYMO_KNOWN_CHROME;
  if (head_holds (head, "\"column_metadata\"") || head_holds (head, "\"cali.channel\"")
      || (head_holds (head, "\"nodes\"") && head_holds (head, "\"label\"")
          && head_holds (head, "\"data\"")))
    return KYMO_KNOWN_CALIPER;
  return KYMO_KNOWN_JSON;
}

static KymoKnown
recognize_xml (const KymoHead *head)
{
  if (head_holds (head, "<cube version"))
    return KYMO_KNOWN_CUBE;
  if (head_holds (head, "HPCToolkitExperiment"))
    return KYMO_KNOWN_HPCTOOLKIT;
  if (head_holds (head, "<hwpcreport") || head_holds (head, "<hwpcprofile")
      || head_holds (head, "<multihwpcprofilereport"))
    return KYMO_KNOWN_PERFSUITE;
  if (head_holds (head, "<html") || head_holds (head, "<!DOCTYPE html"))
    return KYMO_KNOWN_HTML;
  return head_holds (head, "<svg") ? KYMO_KNOWN_IMAGE : KYMO_KNOWN_XML;
}

static gboolean
head_matches (const KymoHead *head,
              const char     *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_RAW | G_REGEX_MULTILINE, 0, NULL);

  return g_regex_match_full (regex, head->bytes, MIN (head->n_bytes, 16384), 0, 0, NULL, NULL);
}

/* "comm 12/34 [000] 1.234567: 1000 cycles:", and frames under it or on the same line. */
static gboolean
is_perf_script (const KymoHead *head)
{
  return head_matches (head, "^[^#\\s].{0,100}?\\s\\d+(/\\d+)?\\s+(\\[\\d+\\]\\s+)?\\d+\\.\\d{6,9}:"
                       ".{0,200}:\\s*(\\n\\s+[0-9a-f]+ |[0-9a-f]+ .+\\()");
}

/* "main;solve;dot 12" */
static gboolean
is_stack (const char *line,
          gsize       n)
{
  const char *blank = memrchr (line, ' ', n);

  if (blank == NULL || blank == line || blank + 1 == line + n)
    return FALSE;
  for (const char *p = blank + 1; p < line + n; p++)
    if (!g_ascii_isdigit (*p) && *p != '.')
      return FALSE;
  return memchr (line, ';', blank - line) != NULL;
}

static gboolean
is_folded (const KymoHead *head)
{
  guint n_lines = 0, n_stacks = 0;
  const char *line = head->bytes, *end = head->bytes + head->n_bytes;

  while (line < end)
    {
      const char *next = memchr (line, '\n', end - line);
      gsize n = (next != NULL ? next : end) - line;

      if (n > 0 && line[n - 1] == '\r')
        n--;
      n_lines += n > 0;
      n_stacks += is_stack (line, n);
      line = next != NULL ? next + 1 : end;
    }
  return n_stacks > 0 && 2 * n_stacks > n_lines;
}

/**
 * kymo_recognize_text:
 * @head: of a text
 *
 * Returns: what it is, at least %KYMO_KNOWN_TEXT
 */
KymoKnown
kymo_recognize_text (const KymoHead *head)
{
  const char *first = head->bytes + strspn (head->bytes, " \t\r\n");

  if (begins (head, "#Paraver ") || head_matches (head, "\\ALEVEL (CPU|NODE|THREAD|TASK) SIZE")
      || (begins (head, "DEFAULT_OPTIONS") && head_holds (head, "STATES"))
      || head_matches (head, "\\AEVENT_TYPE|\\ASTATES\\s*\\n\\d+ "))
    return KYMO_KNOWN_PARAVER;
  if (head_matches (head, "^__rec=(node|ctx|globals)"))
    return KYMO_KNOWN_CALIPER;
  if (begins (head, "[Kymo Desk]"))
    return KYMO_KNOWN_DESK;
  if (begins (head, "#!"))
    return KYMO_KNOWN_SCRIPT;
  if (*first == '{' || *first == '[')
    return recognize_json (head);
  if (*first == '<')
    return recognize_xml (head);
  if (is_perf_script (head))
    return KYMO_KNOWN_PERF_SCRIPT;
  return is_folded (head) ? KYMO_KNOWN_FOLDED : KYMO_KNOWN_TEXT;
}
