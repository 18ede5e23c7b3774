/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-tau-profile-text.h"

#include <string.h>

#include "kymo-decimal.h"

#define HEADER "templated_functions"
#define MULTI "_MULTI_"
#define PATH_GROUP "TAU_CALLPATH"
#define PHASE_GROUP "TAU_PHASE"
#define THROTTLED " [THROTTLED]"

/* A line of a function, in pieces. */
typedef struct
{
  const char *name, *groups;
  gsize       name_length, groups_length;
  double      calls, subroutines, exclusive, inclusive;
} Function;

/* Position and problems of the reading. */
typedef struct
{
  const KymoTauProfileText *profile;
  const char *next, *end;
  gint64      n_bad, bad_offset;
  gint64      n_wild, wild_offset;       /* rows with figures that cannot be added up */
} Reading;

/* The first place of a byte in [p, end), or NULL. */
static inline const char *
find_byte (const char *p,
           const char *end,
           char        byte)
{
  return memchr (p, byte, end - p);
}

static const char *
find_last_quote (const char *p,
                 const char *end)
{
  return memrchr (p, '"', end - p);
}

static gboolean
only_blanks (const char *p,
             const char *end)
{
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
    p++;
  return p == end;
}

/* The numbers behind a name; what follows them is the number of ProfileCalls, which
   nothing needs, and GROUP="; sets `at` behind that. */
static gboolean
scan_figures (const char **at,
              const char  *end,
              Function    *function)
{
  static const char group[] = "GROUP=\"";
  double unused;

  if (!kymo_decimal_scan (at, end, &function->calls)
      || !kymo_decimal_scan (at, end, &function->subroutines)
      || !kymo_decimal_scan (at, end, &function->exclusive)
      || !kymo_decimal_scan (at, end, &function->inclusive)
      || !kymo_decimal_scan (at, end, &unused))
    return FALSE;
  while (*at < end && **at == ' ')
    (*at)++;
  if ((gsize) (end - *at) < sizeof group - 1 || memcmp (*at, group, sizeof group - 1) != 0)
    return FALSE;
  *at += sizeof group - 1;
  return TRUE;
}

/* A line with four quotes, which nearly all are: read from the left. */
static gboolean
split_function_fast (const char *line,
                     const char *end,
                     Function   *function)
{
  const char *quote = find_byte (line + 1, end, '"'), *at;

  if (quote == NULL)
    return FALSE;
  function->name = line + 1;
  function->name_length = quote - function->name;
  at = quote + 1;
  if (!scan_figures (&at, end, function))
    return FALSE;
  quote = find_byte (at, end, '"');
  function->groups = at;
  function->groups_length = quote != NULL ? quote - at : 0;
  return quote != NULL && only_blanks (quote + 1, end);
}

/* Names may hold quotes, which are not escaped: from the right, the last four quotes
   are those of the groups and the end of the name. */
static gboolean
split_function (const char *line,
                const char *end,
                Function   *function)
{
  const char *close = find_last_quote (line + 1, end), *open, *quote, *at;

  if (split_function_fast (line, end, function))
    return TRUE;
  open = close != NULL ? find_last_quote (line + 1, close) : NULL;
  quote = open != NULL ? find_last_quote (line + 1, open) : NULL;
  if (quote == NULL || !only_blanks (close + 1, end))
    return FALSE;
  function->name = line + 1;
  function->name_length = quote - function->name;
  function->groups = open + 1;
  function->groups_length = close - function->groups;
  at = quote + 1;
  return scan_figures (&at, end, function) && at == open + 1;
}

/* TRUE if `group` is among the groups. */
static gboolean
has_group (const char *groups,
           gsize       length,
           const char *group,
           gsize       group_length)
{
  const char *end = groups + length;

  while ((gsize) (end - groups) >= group_length)
    {
      const char *bar = memchr (groups, '|', end - groups);
      gsize n = (bar != NULL ? bar : end) - groups;

      if (n == group_length && memcmp (groups, group, n) == 0)
        return TRUE;
      if (bar == NULL)
        return FALSE;
      groups = bar + 1;
    }
  return FALSE;
}

static gboolean
ends_with (const char *text,
           gsize       length,
           const char *end,
           gsize       end_length)
{
  while (length > 0 && text[length - 1] == ' ')
    length--;
  return length >= end_length && memcmp (text + length - end_length, end, end_length) == 0;
}

/**
 * kymo_tau_profile_flags:
 * @name: of a function
 * @length: of @name, in bytes
 * @groups: (inout): groups of the function, divided by "|"; without TAU_CALLPATH after, which
 *   only says that it is a path
 * @groups_length: (inout): of @groups, in bytes
 *
 * Returns: #KymoProfileFlags that name and groups tell: path, phase, throttled
 */
guint32
kymo_tau_profile_flags (const char  *name,
                        gsize        length,
                        const char **groups,
                        gsize       *groups_length)
{
  const gsize n_path = strlen (PATH_GROUP), n_throttled = strlen (THROTTLED);
  guint32 flags = 0;

  if (*groups_length >= n_path && memcmp (*groups, PATH_GROUP, n_path) == 0
      && (*groups_length == n_path || (*groups)[n_path] == '|'))
    {
      flags |= KYMO_PROFILE_PATH;
      n_path < *groups_length ? (*groups += n_path + 1, *groups_length -= n_path + 1)
        : (*groups += n_path, *groups_length = 0);
    }
  if (has_group (*groups, *groups_length, PHASE_GROUP, strlen (PHASE_GROUP)))
    flags |= KYMO_PROFILE_PHASE;
  if (ends_with (name, length, THROTTLED, n_throttled))
    flags |= KYMO_PROFILE_THROTTLED;
  return flags;
}

static void
take_function (Reading  *reading,
               Function *function)
{
  const KymoTauProfileText *profile = reading->profile;
  const char *groups = function->groups;
  gsize length = function->groups_length;
  guint32 flags = kymo_tau_profile_flags (function->name, function->name_length, &groups,
                                          &length);
  guint32 event = kymo_profile_part_event (profile->part, function->name,
                                           function->name_length, groups, length, flags);

  kymo_profile_part_add (profile->part, event, profile->metric, function->calls,
                         function->subroutines, function->exclusive, function->inclusive);
}

static void
note_wild (Reading    *reading,
           const char *line)
{
  if (reading->n_wild++ == 0)
    reading->wild_offset = line - reading->profile->text;
}

/* A line of a user event: its name may hold quotes, its figures do not. */
static gboolean
take_user_event (Reading    *reading,
                 const char *line,
                 const char *end)
{
  const KymoTauProfileText *profile = reading->profile;
  const char *quote = find_last_quote (line + 1, end), *at;
  KymoUserEventRow row = { 0 };

  if (quote == NULL)
    return FALSE;
  at = quote + 1;
  if (!kymo_decimal_scan (&at, end, &row.n) || !kymo_decimal_scan (&at, end, &row.max)
      || !kymo_decimal_scan (&at, end, &row.min) || !kymo_decimal_scan (&at, end, &row.mean)
      || !kymo_decimal_scan (&at, end, &row.sum_squares) || !only_blanks (at, end))
    return FALSE;
  if (!kymo_profile_check_user (&row))
    {
      note_wild (reading, line);
      return TRUE;
    }
  if (!profile->users)
    return TRUE;
  row.event = kymo_profile_part_user_event (profile->part, line + 1, quote - line - 1);
  kymo_profile_part_add_user (profile->part, &row);
  return TRUE;
}

/* The next line, without its newline; NULL at the end. */
static const char *
next_line (Reading     *reading,
           const char **end)
{
  const char *line = reading->next;
  const char *newline;

  if (line >= reading->end)
    return NULL;
  newline = find_byte (line, reading->end, '\n');
  *end = newline != NULL ? newline : reading->end;
  reading->next = newline != NULL ? newline + 1 : reading->end;
  return line;
}

/* "<n> <word>..." at the begin of a line; n is up to 2^32. */
static gboolean
scan_count (const char *line,
            const char *end,
            const char *word,
            gint64     *n)
{
  gsize length = strlen (word);
  const char *p = line;

  *n = 0;
  while (p < end && g_ascii_isdigit (*p) && p - line < 10)
    *n = *n * 10 + (*p++ - '0');
  if (p == line || p >= end || *p != ' ')
    return FALSE;
  p++;
  return (gsize) (end - p) >= length && memcmp (p, word, length) == 0;
}

static void
tell_lost (const Reading *reading,
           gint64         count,
           gint64         offset,
           const char    *what)
{
  kymo_report_add (reading->profile->report, reading->profile->name, KYMO_SEVERITY_LOST,
                   count, offset, "%s", what);
}

static void
note_bad (Reading    *reading,
          const char *line)
{
  if (reading->n_bad++ == 0)
    reading->bad_offset = line - reading->profile->text;
}

static gboolean
has_figures (const Function *function)
{
  double figures[] = { function->calls, function->subroutines, function->exclusive,
                       function->inclusive };

  return kymo_profile_are_figures (figures, G_N_ELEMENTS (figures));
}

/* The functions, and the line that ends them. */
static void
read_functions (Reading *reading,
                gint64   n_told)
{
  const char *line, *end;
  gint64 n = 0, unused;

  while ((line = next_line (reading, &end)) != NULL)
    {
      Function function;

      if (*line != '"' && scan_count (line, end, "aggregates", &unused))
        {
          if (n + reading->n_bad + reading->n_wild < n_told)
            tell_lost (reading, n_told - n - reading->n_bad - reading->n_wild, -1,
                       N_("The file has fewer functions than its first line tells"));
          return;
        }
      if (*line != '"' || !split_function (line, end, &function))
        note_bad (reading, line);
      else if (!has_figures (&function))
        note_wild (reading, line);
      else
        {
          take_function (reading, &function);
          n++;
        }
    }
  tell_lost (reading, MAX (1, n_told - n), -1,
             N_("The profile is cut off: functions and user events at its end are missing"));
}

/* The line that tells how many user events there are, and those. */
static void
read_user_events (Reading *reading)
{
  const char *line, *end;
  gint64 n_told = 0, n = 0, n_bad = reading->n_bad;
  gboolean has_end = TRUE;

  line = next_line (reading, &end);
  if (line == NULL)
    return;
  if (!scan_count (line, end, "userevents", &n_told))
    note_bad (reading, line);
  while ((line = next_line (reading, &end)) != NULL)
    {
      has_end = end < reading->end;
      if (*line == '#')
        continue;
      if (*line == '"' && take_user_event (reading, line, end))
        n++;
      else if (!only_blanks (line, end))
        note_bad (reading, line);
    }
  if (n + reading->n_bad - n_bad < n_told)
    tell_lost (reading, n_told - n - (reading->n_bad - n_bad), -1,
               N_("The file has fewer user events than it tells"));
  else if (!has_end)
    kymo_report_add (reading->profile->report, reading->profile->name, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The last line has no end; its last figure may be cut off"));
}

/**
 * kymo_tau_profile_text_is_one:
 * @text: the begin of a file, or all of it
 * @length: of @text, in bytes
 *
 * Returns: %TRUE if a profile in text begins with such a line
 */
gboolean
kymo_tau_profile_text_is_one (const char *text,
                              gsize       length)
{
  gint64 n;

  return scan_count (text, text + length, HEADER, &n);
}

/**
 * kymo_tau_profile_text_dup_metric:
 * @text: of a profile
 * @length: of @text, in bytes
 *
 * Returns: (transfer full) (nullable): the metric that the first line names
 */
char *
kymo_tau_profile_text_dup_metric (const char *text,
                                  gsize       length)
{
  const char *end = find_byte (text, text + length, '\n');
  const char *name;

  if (end == NULL)
    end = text + length;
  name = memmem (text, end - text, MULTI, strlen (MULTI));
  if (name == NULL)
    return NULL;
  name += strlen (MULTI);
  while (end > name && g_ascii_isspace (end[-1]))
    end--;
  return end > name ? g_strndup (name, end - name) : NULL;
}

/**
 * kymo_tau_profile_text_find_metadata:
 * @text: of a profile
 * @length: of @text, in bytes
 * @metadata_length: (out): of the result, in bytes; may be unset without a result
 *
 * Returns: (transfer none) (nullable): the XML with what is known of the thread, in the
 *   second line of @text
 */
const char *
kymo_tau_profile_text_find_metadata (const char *text,
                                     gsize       length,
                                     gsize      *metadata_length)
{
  const char *end = text + length;
  const char *line = find_byte (text, end, '\n'), *begin;

  if (line == NULL || ++line >= end || *line != '#')
    return NULL;
  end = find_byte (line, end, '\n') != NULL ? find_byte (line, end, '\n') : end;
  begin = memmem (line, end - line, "<metadata>", 10);
  *metadata_length = begin != NULL ? end - begin : 0;
  return begin;
}

/**
 * kymo_tau_profile_text_read:
 *
 * Returns: whether the file is a profile; else the report tells why it is not
 */
gboolean
kymo_tau_profile_text_read (const KymoTauProfileText *profile)
{
  Reading reading = { profile, profile->text, profile->text + profile->length, 0, -1 };
  const char *line, *end;
  gint64 n_told;

  line = next_line (&reading, &end);
  if (line == NULL || !scan_count (line, end, HEADER, &n_told))
    {
      tell_lost (&reading, 1, -1,
                 line == NULL ? N_("The profile is empty")
                 : N_("The file is no profile: its first line tells no number of functions"));
      return FALSE;
    }
  if (profile->begin)
    kymo_profile_part_begin (profile->part, profile->location, 0);
  if (reading.next < reading.end && *reading.next == '#')
    next_line (&reading, &end);
  read_functions (&reading, n_told);
  read_user_events (&reading);
  if (reading.n_bad > 0)
    tell_lost (&reading, reading.n_bad, reading.bad_offset,
               N_("Lines of the profile that could not be understood were left out"));
  if (reading.n_wild > 0)
    tell_lost (&reading, reading.n_wild, reading.wild_offset,
               N_("Rows with a figure that is no finite number, or is beyond 10^18, were "
                  "left out"));
  return TRUE;
}
