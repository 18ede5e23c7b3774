/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers are written as `value` or, for equal ones in a row, `value+count`.
 * A number that is none, is negative or too large keeps its place as damaged,
 * so that those after it stay in their bins.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-sum-private.h"

#include <math.h>
#include <string.h>

/* Most repeats ("runs") that a file may keep. A text holds at most one in two bytes, and true
   summaries compress ten times; more were made to fill memory. */
#define FEW_RUNS (1 << 16)
#define RUNS_PER_BYTE 16

/**
 * kymo_sum_reader_open:
 * @path: of the file
 * @name: of the file, for the report
 * @report: told why the file cannot be opened
 * @job: (nullable): for progress and cancellation
 *
 * Returns: whether the file could be opened; close with kymo_sum_reader_close()
 */
gboolean
kymo_sum_reader_open (KymoSumReader *reader,
                      const char    *path,
                      const char    *name,
                      KymoReport    *report,
                      KymoJob       *job)
{
  g_autoptr (GError) error = NULL;

  *reader = (KymoSumReader) { .name = name, .report = report };
  reader->inflate = kymo_inflate_open (path, &error);
  if (reader->inflate == NULL)
    {
      kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1, "%s", error->message);
      return FALSE;
    }
  reader->runs_left = FEW_RUNS + RUNS_PER_BYTE * kymo_inflate_get_bytes_left (reader->inflate);
  kymo_words_init (&reader->words, reader->inflate, job);
  return TRUE;
}

/**
 * kymo_sum_reader_close:
 *
 * Closes the file, and reports figures that were left out because there were too many.
 */
void
kymo_sum_reader_close (KymoSumReader *reader)
{
  if (reader->n_refused > 0)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, reader->n_refused,
                     reader->refused_at,
                     N_("The file holds more figures than its size allows; the rest is left "
                        "out"));
  kymo_words_clear (&reader->words);
  kymo_inflate_close (reader->inflate);
}

/**
 * kymo_sum_reader_next:
 *
 * Returns: what comes next; a word that the end of the file may have cut is
 * left out
 */
KymoWordKind
kymo_sum_reader_next (KymoSumReader *reader)
{
  KymoWordKind kind;

  if (kymo_job_is_cancelled (reader->words.job))
    return KYMO_WORD_FILE_END;
  kind = kymo_words_next (&reader->words);
  if (kind != KYMO_WORD || !reader->words.is_cut)
    return kind;
  reader->is_cut = TRUE;
  return KYMO_WORD_FILE_END;
}

/**
 * kymo_sum_reader_finish:
 *
 * Tells how the file ended.
 */
void
kymo_sum_reader_finish (KymoSumReader *reader)
{
  if (reader->is_cut)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, 1, reader->words.offset,
                     N_("The file is cut off within a line; its last number is lost"));
  if (kymo_inflate_get_end (reader->inflate) > KYMO_INFLATE_END)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, 1,
                     reader->words.buffer_offset,
                     N_("The file cannot be read to its end"));
}

/**
 * kymo_sum_parse_int:
 * @text: (inout): at the digits; after them on success
 * @most: largest value that is believed
 * @value: (out): the number
 *
 * Returns: whether there are digits, of a number up to @most
 */
gboolean
kymo_sum_parse_int (const char **text,
                    gint64       most,
                    gint64      *value)
{
  const char *p = *text;
  gint64 v = 0;

  for (; g_ascii_isdigit (*p) && p - *text < 18; p++)
    v = v * 10 + (*p - '0');
  if (p == *text || g_ascii_isdigit (*p) || v > most)
    return FALSE;
  *text = p;
  *value = v;
  return TRUE;
}

/**
 * kymo_sum_parse_field:
 * @word: a word of the file
 * @prefix: what it has to begin with
 * @value: (out): the count behind @prefix
 *
 * Returns: whether the word is @prefix and a count
 */
gboolean
kymo_sum_parse_field (const char *word,
                      const char *prefix,
                      gint64     *value)
{
  if (!g_str_has_prefix (word, prefix))
    return FALSE;
  word += strlen (prefix);
  return kymo_sum_parse_int (&word, G_MAXINT32, value) && *word == '\0';
}

/**
 * kymo_sum_parse_length:
 * @word: a word of the file
 * @prefix: what it has to begin with
 * @ns: (out): the time that stands behind @prefix in seconds
 *
 * Returns: whether the word is @prefix and a time that is possible
 */
gboolean
kymo_sum_parse_length (const char *word,
                       const char *prefix,
                       gint64     *ns)
{
  double seconds;

  if (!g_str_has_prefix (word, prefix))
    return FALSE;
  seconds = g_ascii_strtod (word + strlen (prefix), NULL);
  if (!(seconds >= 1e-9 && seconds <= KYMO_SUM_MAX_NS / 1e9))
    return FALSE;
  *ns = llround (seconds * 1e9);
  return TRUE;
}

/**
 * kymo_sum_reader_header:
 * @pe_prefix: what stands before `<pe>/<PEs>`
 * @version: (out) (transfer full): of the file
 * @pe: (out): number of the PE
 * @n_pes: (out): number of all PEs
 *
 * Reads the two words that begin every header.
 *
 * Returns: whether it is a header; else the report says so
 */
gboolean
kymo_sum_reader_header (KymoSumReader  *reader,
                        const char     *pe_prefix,
                        char          **version,
                        gint64         *pe,
                        gint64         *n_pes)
{
  const char *text = reader->words.text;

  if (kymo_sum_reader_next (reader) == KYMO_WORD && g_str_has_prefix (text, "ver:"))
    {
      *version = g_utf8_make_valid (text + 4, -1);
      if (kymo_sum_reader_next (reader) == KYMO_WORD && g_str_has_prefix (text, pe_prefix))
        {
          text += strlen (pe_prefix);
          if (kymo_sum_parse_int (&text, G_MAXINT32, pe) && *text++ == '/'
              && kymo_sum_parse_int (&text, G_MAXINT32, n_pes) && *text == '\0')
            return TRUE;
        }
    }
  kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, 1, 0,
                   N_("The file does not begin with the header of a summary; it is left out"));
  return FALSE;
}

/**
 * kymo_sum_list_init:
 *
 * Makes room for a list, if it has none.
 */
void
kymo_sum_list_init (KymoSumList *list)
{
  if (list->runs == NULL)
    list->runs = g_array_new (FALSE, FALSE, sizeof (KymoSumRun));
}

/**
 * kymo_sum_list_clear:
 *
 * Frees the list, not the struct itself.
 */
void
kymo_sum_list_clear (KymoSumList *list)
{
  g_clear_pointer (&list->runs, g_array_unref);
}

static void
append_run (KymoSumReader *reader,
            KymoSumList   *list,
            gint64         value,
            gint64         count)
{
  KymoSumRun run = { value, count };
  KymoSumRun *last = list->runs->len > 0
    ? &g_array_index (list->runs, KymoSumRun, list->runs->len - 1) : NULL;

  /* No memory holds that many; what is beyond is not counted one by one. */
  run.count = MIN (run.count, KYMO_SUM_MAX_NS - list->n_values);
  if (run.count <= 0)
    return;
  if ((last == NULL || last->value != value) && reader->runs_left-- <= 0)
    {
      if (reader->n_refused++ == 0)
        reader->refused_at = reader->words.offset;
      return;
    }
  list->n_values += run.count;
  if (value == KYMO_SUM_DAMAGED)
    list->n_damaged += run.count;
  if (last != NULL && last->value == value)
    last->count += run.count;
  else
    g_array_append_val (list->runs, run);
}

/**
 * kymo_sum_list_take:
 * @most: largest value that is believed
 * @sentence: what the report says of a damaged one
 *
 * Adds the word just read to the list.
 */
void
kymo_sum_list_take (KymoSumReader *reader,
                    KymoSumList   *list,
                    gint64         most,
                    const char    *sentence)
{
  const char *text = reader->words.text;
  gint64 value, count = 1;

  if (kymo_sum_parse_int (&text, most, &value)
      && (*text == '\0' || (*text++ == '+'
                            && kymo_sum_parse_int (&text, G_MAXINT64, &count)
                            && *text == '\0')))
    {
      append_run (reader, list, value, count);
      return;
    }
  append_run (reader, list, KYMO_SUM_DAMAGED, 1);
  kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, 1, reader->words.offset,
                   "%s", sentence);
}

/**
 * kymo_sum_list_read:
 * @most: largest value that is believed
 * @sentence: for the report: what is wrong with a word that is no such value
 *
 * Reads the rest of the line into the list.
 *
 * Returns: what ended it
 */
KymoWordKind
kymo_sum_list_read (KymoSumReader *reader,
                    KymoSumList   *list,
                    gint64         most,
                    const char    *sentence)
{
  KymoWordKind kind;

  kymo_sum_list_init (list);
  while ((kind = kymo_sum_reader_next (reader)) == KYMO_WORD)
    kymo_sum_list_take (reader, list, most, sentence);
  return kind;
}

/**
 * kymo_sum_list_check:
 * @expected: how many values there should be; -1 = not known
 * @missing: what to say when there are fewer
 * @surplus: what to say when there are more
 */
void
kymo_sum_list_check (KymoSumReader     *reader,
                     const KymoSumList *list,
                     gint64             expected,
                     const char        *missing,
                     const char        *surplus)
{
  if (list->runs == NULL || expected < 0 || list->n_values == expected)
    return;
  kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST,
                   ABS (list->n_values - expected), -1, "%s",
                   list->n_values < expected ? missing : surplus);
}

/**
 * kymo_words_init:
 * @inflate: (transfer none): the stream
 * @job: (nullable): told of the bytes that were read
 */
void
kymo_words_init (KymoWords   *words,
                 KymoInflate *inflate,
                 KymoJob     *job)
{
  *words = (KymoWords) { .inflate = inflate, .job = job };
  words->buffer = g_malloc (KYMO_WORDS_BUFFER);
}

/**
 * kymo_words_clear:
 *
 * Frees the buffer with the word. The stream stays open.
 */
void
kymo_words_clear (KymoWords *words)
{
  g_clear_pointer (&words->buffer, g_free);
}

/* The next byte, or -1 at the end. */
static inline int
peek_words (KymoWords *words)
{
  if (G_UNLIKELY (words->next == words->fill))
    {
      words->buffer_offset += words->fill;
      words->fill = kymo_job_is_cancelled (words->job) ? 0
        : kymo_inflate_read (words->inflate, words->buffer, KYMO_WORDS_BUFFER, words->job);
      words->next = 0;
      if (words->fill == 0)
        return -1;
    }
  return (guchar) words->buffer[words->next];
}

/**
 * kymo_words_next:
 *
 * Words are parted by blanks and control characters other than a newline.
 *
 * Returns: what comes next
 */
KymoWordKind
kymo_words_next (KymoWords *words)
{
  gsize n = 0;
  int c;

  while ((c = peek_words (words)) >= 0 && c <= ' ' && c != '\n')
    words->next++;
  words->offset = words->buffer_offset + words->next;
  words->is_cut = FALSE;
  if (c < 0)
    return KYMO_WORD_FILE_END;
  if (c == '\n')
    {
      words->next++;
      return KYMO_WORD_LINE_END;
    }
  for (; c > ' '; words->next++, c = peek_words (words))
    if (n < KYMO_WORD_MAX)
      words->text[n++] = c;
  words->text[n] = '\0';
  words->is_cut = c < 0;
  return KYMO_WORD;
}
