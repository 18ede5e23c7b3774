/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names are quoted since version 10; a quoted text ends at the last quote of
 * the line, for inner quotes are not escaped. Before 10 an entry's name runs
 * to its closing parenthesis.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-check-run.h"
#include "kymo-projections-sts.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-lines.h"
#include "kymo-name.h"

typedef struct
{
  char  *name;
  gint8  n_dimensions;
} Chare;

typedef struct
{
  KymoSts    *sts;
  KymoRun    *run;
  GHashTable *chares;           /* id -> Chare */
  const char *file;
  gint64      offset;
  gint64      n_entry_lines;
  gint64      n_entries_told;   /* TOTAL_EPS, or -1 */
  gint64      n_known;          /* lines with a keyword that is known */
  gboolean    has_version;
} Parser;

static void
chare_free (gpointer data)
{
  g_free (((Chare *) data)->name);
  g_free (data);
}

static char *
next_word (char **rest)
{
  char *word = *rest;

  while (*word == ' ' || *word == '\t')
    word++;
  *rest = word + strcspn (word, " \t");
  if (**rest != '\0')
    *(*rest)++ = '\0';
  return word;
}

static gboolean
next_number (char   **rest,
             gint64  *value)
{
  return g_ascii_string_to_signed (next_word (rest), 10, G_MININT32, G_MAXINT32, value, NULL);
}

static gboolean
last_number (char   *text,
             gint64 *value)
{
  char *blank = strrchr (g_strchomp (text), ' ');

  if (blank == NULL
      || !g_ascii_string_to_signed (blank + 1, 10, G_MININT32, G_MAXINT32, value, NULL))
    return FALSE;
  *blank = '\0';
  return TRUE;
}

/* Cuts a quoted text out of `rest`, which then holds what follows it; without
   quotes the whole rest is the text. */
static char *
quoted_text (char **rest)
{
  char *first = strchr (*rest, '"');
  char *last = strrchr (*rest, '"');
  char *text = *rest;

  if (first == NULL || first == last)
    {
      *rest += strlen (*rest);
      return g_strstrip (text);
    }
  *last = '\0';
  *rest = last + 1;
  return first + 1;
}

static void
complain_sts (Parser     *parser,
              const char *what)
{
  kymo_report_add (parser->run->report, parser->file, KYMO_SEVERITY_LOST, 1, parser->offset,
                   "%s", what);
}

static void
parse_chare (Parser *parser,
             char   *rest)
{
  gint64 id, n_dimensions = -1;
  Chare *chare;
  char *name;

  if (!next_number (&rest, &id))
    {
      complain_sts (parser, N_("A CHARE line has no number; its name is lost"));
      return;
    }
  if (strchr (rest, '"') != NULL)
    {
      name = quoted_text (&rest);
      if (!next_number (&rest, &n_dimensions))
        n_dimensions = -1;
    }
  else
    {
      if (parser->sts->version >= 90 && !last_number (rest, &n_dimensions))
        n_dimensions = -1;
      name = g_strstrip (rest);
    }
  chare = g_new0 (Chare, 1);
  chare->name = g_strdup (name);
  chare->n_dimensions = CLAMP (n_dimensions, -1, KYMO_MAX_DIMENSIONS);
  g_hash_table_insert (parser->chares, GINT_TO_POINTER ((gint) id), chare);
}

/* "Chare::method" of "method(args)". */
static char *
display_name (const char *chare,
              const char *signature)
{
  const char *arguments = strchr (signature, '(');
  int length = arguments != NULL && arguments > signature
    ? arguments - signature : (int) strlen (signature);

  return *chare != '\0' ? g_strdup_printf ("%s::%.*s", chare, length, signature)
    : g_strndup (signature, length);
}

static void
parse_entry (Parser *parser,
             char   *rest)
{
  gint64 id, chare_id = -1, message_id;
  const Chare *chare;
  const char *group;
  char *signature;
  g_autofree char *name = NULL;
  g_autofree char *full = NULL;
  KymoStsEntry entry;

  parser->n_entry_lines++;
  next_word (&rest);            /* always CHARE */
  if (!next_number (&rest, &id) || id < 0 || id >= KYMO_STS_MAX_ENTRY_ID)
    {
      complain_sts (parser, N_("An ENTRY line has no number that could be one; its name is lost"));
      return;
    }
  if (strchr (rest, '"') != NULL)
    signature = quoted_text (&rest);
  else
    {
      char *parenthesis = strrchr (rest, ')');

      signature = rest;
      if (parenthesis != NULL)
        {
          rest = parenthesis + 1;
          if (*rest != '\0')
            *rest++ = '\0';
        }
      else
        {
          if (last_number (signature, &message_id))
            last_number (signature, &chare_id);
          rest += strlen (rest);
        }
      signature = g_strstrip (signature);
    }
  if (id < parser->sts->n_entries && parser->sts->entries[id].activity != G_MAXUINT32)
    {
      complain_sts (parser, N_("An ENTRY number stands more than once; its first name is kept"));
      return;
    }
  if (chare_id < 0 && !next_number (&rest, &chare_id))
    chare_id = -1;
  chare = g_hash_table_lookup (parser->chares, GINT_TO_POINTER ((gint) chare_id));
  group = chare != NULL ? chare->name : "";
  name = display_name (group, signature);
  full = *group != '\0' ? g_strconcat (group, "::", signature, NULL) : g_strdup (signature);
  entry.activity = kymo_run_add_activity (parser->run, KYMO_ACTIVITY_ENTRY, id, name, full, group);
  entry.n_dimensions = chare != NULL ? chare->n_dimensions : KYMO_STS_DIMENSIONS_UNKNOWN;
  kymo_sts_set_entry (parser->sts, id, entry);
}

/* "ROLE ID WORD", which kymo-record writes behind the ENTRY of functions. */
static void
parse_role (Parser *parser,
            char   *rest)
{
  gint64 id;
  KymoRole role;
  KymoActivity *activity;

  if (!next_number (&rest, &id) || id < 0 || id >= parser->sts->n_entries
      || parser->sts->entries[id].activity == G_MAXUINT32
      || !kymo_role_from_string (g_strstrip (rest), &role))
    return;
  activity = &g_array_index (parser->run->activities, KymoActivity,
                             parser->sts->entries[id].activity);
  activity->role = role;
  activity->told_role = role;
}

static void
parse_event (Parser *parser,
             char   *rest)
{
  gint64 id;
  char *name;

  if (!next_number (&rest, &id))
    {
      complain_sts (parser, N_("An EVENT line has no number; its name is lost"));
      return;
    }
  name = g_strstrip (rest);
  parser->sts->events[id & (KYMO_STS_N_EVENT_IDS - 1)] =
    kymo_run_add_activity (parser->run, KYMO_ACTIVITY_EVENT, id, *name != '\0' ? name : "(unnamed)",
                           NULL, NULL);
}

static void
parse_function (Parser *parser,
                char   *rest)
{
  gint64 id;

  if (next_number (&rest, &id))
    g_hash_table_insert (parser->sts->functions, GINT_TO_POINTER ((gint) id),
                         GUINT_TO_POINTER (1 + kymo_run_add_activity (parser->run,
                           KYMO_ACTIVITY_FUNCTION, id, g_strstrip (rest), NULL, NULL)));
}

static void
parse_stat (Parser *parser,
            char   *rest)
{
  const char *id = next_word (&rest);
  KymoFact fact = { g_utf8_make_valid (id, -1), kymo_name_dup (g_strstrip (rest), -1) };

  g_array_append_val (parser->run->stat_names, fact);
}

static void
parse_version (Parser *parser,
               char   *rest)
{
  double version = g_ascii_strtod (rest, NULL);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!(version >= 1 && version < 1000))
    {
      complain_sts (parser, N_("The VERSION line is not a version; 11.0 is assumed"));
      return;
    }
  parser->has_version = TRUE;
  parser->sts->version = (guint) (version * 10 + 0.5);
  g_free (parser->run->format_version);
  parser->run->format_version =
    g_strdup (g_ascii_formatd (text, sizeof text, "%.1f", version));
}

static void
parse_smp (Parser *parser,
           char   *rest)
{
  gint64 workers, processes;

  if (next_number (&rest, &workers) && next_number (&rest, &processes)
      && workers > 0 && processes > 0)
    {
      parser->sts->n_workers = workers;
      parser->sts->n_processes = processes;
    }
}

static void
parse_processors (Parser *parser,
                  char   *rest)
{
  gint64 n;

  if (!next_number (&rest, &n) || n < 1)
    complain_sts (parser,
                  N_("The PROCESSORS line has no number that could be one; it is left out"));
  else
    parser->sts->n_pes = n;
}

/* A counter takes two bytes of a record's line at least, and a line has no
   more than 1 MiB; most of that many are left out. */
static void
parse_counters (Parser *parser,
                char   *rest)
{
  gint64 n;

  if (!next_number (&rest, &n) || n < 0 || n > 1024 * 1024 / 2)
    {
      complain_sts (
        parser,
        N_("The TOTAL_PAPI_EVENTS line has no number that could be one; it is left out"));
      return;
    }
  parser->sts->n_counters = n;
  g_ptr_array_set_size (parser->run->metrics, MIN (n, parser->run->metrics->len));
  if (n > KYMO_STS_MAX_COUNTERS)
    kymo_report_add (parser->run->report, parser->file, KYMO_SEVERITY_LOST,
                     n - KYMO_STS_MAX_COUNTERS, parser->offset,
                     N_("Of more than 64 hardware counters only the first are kept"));
  for (gint64 i = 0; i < MIN (n, KYMO_STS_MAX_COUNTERS); i++)
    if (i >= parser->run->metrics->len)
      g_ptr_array_add (parser->run->metrics,
                       g_strdup_printf ("counter %" G_GINT64_FORMAT, i));
}

static void
parse_counter (Parser *parser,
               char   *rest)
{
  GPtrArray *metrics = parser->run->metrics;
  gint64 i;
  char *name;

  if (!next_number (&rest, &i) || i < 0 || i >= metrics->len)
    return;
  name = g_strstrip (rest);
  if (*name == '\0')
    return;
  g_free (metrics->pdata[i]);
  metrics->pdata[i] = kymo_name_dup (name, -1);
}

static void
parse_total_entries (Parser *parser,
                     char   *rest)
{
  if (!next_number (&rest, &parser->n_entries_told))
    parser->n_entries_told = -1;
}

static void
parse_end (Parser *parser,
           char   *rest)
{
  parser->sts->is_complete = TRUE;
}

static const struct
{
  const char *keyword;
  void      (*parse) (Parser *parser,
                      char   *rest);
} keywords[] =
{
  { "ENTRY", parse_entry },
  { "CHARE", parse_chare },
  { "ROLE", parse_role },
  { "EVENT", parse_event },
  { "FUNCTION", parse_function },
  { "STAT", parse_stat },
  { "VERSION", parse_version },
  { "PROCESSORS", parse_processors },
  { "SMPMODE", parse_smp },
  { "TOTAL_PAPI_EVENTS", parse_counters },
  { "PAPI_EVENT", parse_counter },
  { "TOTAL_EPS", parse_total_entries },
  { "END", parse_end },
};

static const struct
{
  const char *keyword;
  const char *key;
} facts[] =
{
  { "MACHINE", "machine" },
  { "USERNAME", "user" },
  { "HOSTNAME", "host" },
  { "COMMANDLINE", "command_line" },
  { "TIMESTAMP", "timestamp" },
  { "CHARMVERSION", "runtime_version" },
};

static void
parse_line (Parser *parser,
            char   *line)
{
  char *rest = line;
  const char *word = next_word (&rest);

  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (strcmp (word, keywords[i].keyword) == 0)
      {
        parser->n_known++;
        keywords[i].parse (parser, rest);
        return;
      }
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    if (strcmp (word, facts[i].keyword) == 0)
      {
        parser->n_known++;
        kymo_run_add_fact (parser->run, facts[i].key, quoted_text (&rest));
      }
}

static void
report_missing (Parser          *parser,
                const KymoLines *lines)
{
  KymoReport *report = parser->run->report;
  gint64 n_missing = parser->n_entries_told - parser->n_entry_lines;

  if (parser->n_known == 0)
    kymo_report_add (report, parser->file, KYMO_SEVERITY_LOST, 1, 0,
                     N_("The file is empty or no .sts: none of its lines is known"));
  else if (!parser->sts->is_complete)
    kymo_report_add (report, parser->file, KYMO_SEVERITY_LOST, MAX (n_missing, 1), parser->offset,
                     N_("The file ends without END: names are missing"));
  else if (n_missing > 0)
    kymo_report_add (report, parser->file, KYMO_SEVERITY_LOST, n_missing, -1,
                     N_("The file has fewer ENTRY lines than TOTAL_EPS tells: names are missing"));
  if (parser->n_known > 0 && parser->sts->n_pes == 0)
    kymo_report_add (report, parser->file, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The file does not tell the number of PEs (PROCESSORS); it is taken from "
                        "the other files"));
  if (lines->skipped_lines > 0)
    kymo_report_add (report, parser->file, KYMO_SEVERITY_LOST, lines->skipped_lines,
                     lines->skipped_offset, N_("Lines longer than 1 MiB hold no names"));
  if (kymo_inflate_get_end (lines->inflate) > KYMO_INFLATE_END)
    kymo_report_add (report, parser->file, KYMO_SEVERITY_LOST, 1, lines->offset,
                     N_("The file cannot be read to its end: names are missing"));
}

static void
sts_finish (Parser          *parser,
            const KymoLines *lines)
{
  KymoSts *sts = parser->sts;

  /* The .sts of a summary never tells its version: the .sum files do. */
  if (!parser->has_version && !g_str_has_suffix (parser->file, ".sum.sts"))
    kymo_report_add (parser->run->report, parser->file, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The file tells no version; it is read as 11.0"));
  if (!parser->has_version)
    parser->run->format_version = g_strdup ("11.0");
  report_missing (parser, lines);
  kymo_check_names (parser->run, parser->file);
  if (parser->sts->n_counters == 0)
    g_ptr_array_set_size (parser->run->metrics, 0);
  kymo_sts_add_unknown (sts, parser->run);
}

static void
read_lines (Parser    *parser,
            KymoLines *lines)
{
  char *line, *end;

  while (!parser->sts->is_complete && (line = kymo_lines_next (lines, &end)) != NULL)
    {
      parser->offset = lines->line_offset;
      /* A NUL would hide the rest of its line. */
      for (char *p = line; p < end; p++)
        if (*p == '\0' || *p == '\r')
          *p = ' ';
      *end = '\0';
      parse_line (parser, line);
    }
  if (!parser->sts->is_complete && lines->tail_bytes > 0)
    {
      lines->next[lines->tail_bytes] = '\0';
      parse_line (parser, lines->next);
    }
}

/**
 * kymo_sts_read:
 * @path: the file
 * @name: what the load report calls it
 * @run: gets activities, provenance and issues
 * @error: return location
 *
 * A file that is cut off, damaged or no .sts at all gives the names that are
 * in it; what is missing is told in the report.
 *
 * Returns: (transfer full) (nullable): what the logs need to be read; %NULL
 * where the file cannot be opened
 */
KymoSts *
kymo_sts_read (const char  *path,
               const char  *name,
               KymoRun     *run,
               KymoJob     *job,
               GError     **error)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (path, error);
  g_autoptr (KymoSts) sts = NULL;
  Parser parser = { .run = run, .file = name, .n_entries_told = -1 };
  KymoLines lines;

  if (inflate == NULL)
    return NULL;
  parser.sts = sts = kymo_sts_new ();
  parser.chares = g_hash_table_new_full (NULL, NULL, NULL, chare_free);
  kymo_lines_init (&lines, inflate, job);
  read_lines (&parser, &lines);
  sts_finish (&parser, &lines);
  kymo_lines_clear (&lines);
  g_hash_table_unref (parser.chares);
  return g_steal_pointer (&sts);
}
