/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-mpip.h"

#include "kymo-profile-builder.h"

#define SECTION "@---"
/* More ranks than any machine has: a larger number is damage. */
#define MAX_RANK (1 << 24)
/* Most bytes of the callers of a call site that are kept. */
#define MAX_SITE_BYTES (16 << 10)

/* Frees the texts of a row of times or of sizes. */
static void
row_clear (gpointer data)
{
  g_free (((KymoMpipRow *) data)->call);
}

/**
 * kymo_mpip_init:
 * @name: of the file, for the load report; borrowed
 * @text: of the report; borrowed
 *
 * Prepares to read a report of mpiP. Clear with kymo_mpip_clear().
 */
void
kymo_mpip_init (KymoMpip       *mpip,
           const char *name,
           const char *text)
{
  *mpip = (KymoMpip) { .name = name, .text = text };
  mpip->facts = g_ptr_array_new_with_free_func (g_free);
  mpip->ranks = g_array_new (FALSE, TRUE, sizeof (KymoProfileThread));
  mpip->sites = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  mpip->times = g_array_new (FALSE, TRUE, sizeof (KymoMpipTime));
  g_array_set_clear_func (mpip->times, row_clear);
  mpip->sizes = g_array_new (FALSE, TRUE, sizeof (KymoMpipSize));
  g_array_set_clear_func (mpip->sizes, row_clear);
  mpip->site_times = g_array_new (FALSE, TRUE, sizeof (KymoMpipSite));
  g_array_set_clear_func (mpip->site_times, row_clear);
  mpip->site_sizes = g_array_new (FALSE, TRUE, sizeof (KymoMpipSite));
  g_array_set_clear_func (mpip->site_sizes, row_clear);
  mpip->site_calls = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  mpip->application_us = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

/**
 * kymo_mpip_clear:
 *
 * Frees what was read, not the struct itself.
 */
void
kymo_mpip_clear (KymoMpip *mpip)
{
  g_ptr_array_unref (mpip->facts);
  g_array_unref (mpip->ranks);
  g_hash_table_unref (mpip->sites);
  g_array_unref (mpip->times);
  g_array_unref (mpip->sizes);
  g_array_unref (mpip->site_times);
  g_array_unref (mpip->site_sizes);
  g_hash_table_unref (mpip->site_calls);
  g_hash_table_unref (mpip->application_us);
}

static void
note_bad (KymoMpip               *mpip,
          const KymoTextLine *line)
{
  if (mpip->n_bad++ == 0)
    mpip->bad_offset = line->p - mpip->text;
}

static void
note_wild (KymoMpip           *mpip,
           const KymoTextLine *line)
{
  if (mpip->n_wild++ == 0)
    mpip->wild_offset = line->p - mpip->text;
}

static char *
dup_word (const KymoTextLine *word)
{
  return g_strndup (word->p, word->end - word->p);
}

static gboolean
scan_index (const KymoTextLine *word,
            guint               most,
            guint              *value)
{
  double number;

  if (!kymo_text_number (word, &number) || !(number >= 0 && number <= most)
      || number != (guint) number)
    return FALSE;
  *value = number;
  return TRUE;
}

/* "@ key : value". */
static void
read_header_line (KymoMpip         *mpip,
                  KymoTextLine  line)
{
  const char *colon;
  g_autofree char *key = NULL, *value = NULL;

  line.p++;
  colon = memchr (line.p, ':', line.end - line.p);
  if (colon == NULL)
    return;
  key = g_strstrip (g_strndup (line.p, colon - line.p));
  value = g_strstrip (g_strndup (colon + 1, line.end - colon - 1));
  if (g_str_equal (key, "MPI Task Assignment"))
    {
      KymoProfileThread thread = { 0 };
      char *end;

      thread.node = g_ascii_strtoull (value, &end, 10);
      if (end == value || thread.node < 0 || thread.node > MAX_RANK)
        note_bad (mpip, &line);
      else
        g_array_append_val (mpip->ranks, thread);
      return;
    }
  g_ptr_array_add (mpip->facts, g_steal_pointer (&key));
  g_ptr_array_add (mpip->facts, g_steal_pointer (&value));
}

/* Words of a row, up to `most`; how many. */
static guint
split_words (KymoTextLine  line,
             KymoTextLine *words,
             guint         most)
{
  guint n = 0;

  while (n < most)
    {
      words[n] = kymo_text_next_word (&line);
      if (words[n].p == words[n].end)
        break;
      n++;
    }
  return n;
}

/* "0x4011a6": where no file is known. */
static gboolean
is_address (const KymoTextLine *word)
{
  return kymo_text_begins (word, "0x");
}

/* A call site: "id level file line parent [call]", where deeper levels come after their
   call and are its callers, or in older reports "id call parent file line". Where no line
   is known an address stands for file and line: "id level address parent [call]", or
   with "[unknown]" in the place of the line. */
static void
read_site (KymoMpip         *mpip,
           KymoTextLine  line,
           gboolean      with_levels)
{
  KymoTextLine words[7];
  guint n = split_words (line, words, 7), id, level = 0;
  const KymoTextLine *file = &words[with_levels ? 2 : 3];
  const KymoTextLine *line_of = &words[with_levels ? 3 : 4];
  const KymoTextLine *parent = &words[with_levels ? 4 : 2];
  gboolean has_address = with_levels && n >= 4 && is_address (&words[2]);
  double number;
  GString *site;
  const char *before;

  /* A call stands behind the parent of level 0 alone. */
  if (has_address && n < (words[1].p[0] == '0' ? 6 : 5))
    parent = line_of;
  if (n < (has_address ? 4 : 5) || !scan_index (&words[0], G_MAXINT32, &id)
      || (with_levels && !scan_index (&words[1], 1 << 16, &level)))
    {
      note_bad (mpip, &line);
      return;
    }
  site = g_string_new_len (parent->p, parent->end - parent->p);
  g_string_append (site, kymo_text_number (line_of, &number) ? " [file:" : " [address:");
  g_string_append_len (site, file->p, file->end - file->p);
  if (kymo_text_number (line_of, &number))
    g_string_append_printf (site, " line:%.*s", (int) (line_of->end - line_of->p), line_of->p);
  g_string_append_c (site, ']');
  before = level > 0 ? g_hash_table_lookup (mpip->sites, GUINT_TO_POINTER (id)) : NULL;
  if (before != NULL && site->len + strlen (before) > MAX_SITE_BYTES)
    {
      /* The innermost callers say more than the outermost. */
      g_string_free (site, TRUE);
      return;
    }
  if (before != NULL)
    g_string_append_printf (site, " => %s", before);
  g_hash_table_insert (mpip->sites, GUINT_TO_POINTER (id), g_string_free (site, FALSE));
}

/* "call site tasks max mean min rank-of-max rank-of-min": what concise reports have of a
   site, where others have a row a rank. */
static void
read_site_sum (KymoMpip     *mpip,
               KymoTextLine  line,
               GArray       *sums,
               double        unit)
{
  KymoTextLine words[8];
  guint n = split_words (line, words, 8);
  KymoMpipSite site = { 0 };

  if (n < 8 || !scan_index (&words[1], G_MAXINT32, &site.row.site)
      || !kymo_text_number (&words[2], &site.tasks) || !kymo_text_number (&words[3], &site.max)
      || !kymo_text_number (&words[4], &site.mean) || !kymo_text_number (&words[5], &site.min))
    {
      note_bad (mpip, &line);
      return;
    }
  {
    double figures[] = { site.tasks, site.max * unit, site.min * unit,
                         site.mean * site.tasks * unit };

    if (!kymo_profile_are_figures (figures, G_N_ELEMENTS (figures)))
      {
        note_wild (mpip, &line);
        return;
      }
  }
  site.row.call = dup_word (&words[0]);
  g_array_append_val (sums, site);
}

/* "call site rank count max mean min app% mpi%" in milliseconds; rank * is the sum of the
   others. */
static void
read_time (KymoMpip         *mpip,
           KymoTextLine  line)
{
  KymoTextLine words[9];
  guint n = split_words (line, words, 9);
  KymoMpipTime row = { 0 };
  double figures[2];

  if (n == 9 && kymo_text_begins (&words[2], "*"))
    return;
  if (n < 9 || !scan_index (&words[1], G_MAXINT32, &row.row.site)
      || !scan_index (&words[2], MAX_RANK, &row.row.rank)
      || !kymo_text_number (&words[3], &row.count)
      || !kymo_text_number (&words[5], &row.mean_ms))
    {
      note_bad (mpip, &line);
      return;
    }
  figures[0] = row.count;
  figures[1] = row.mean_ms * row.count * 1000;
  if (!kymo_profile_are_figures (figures, G_N_ELEMENTS (figures)))
    {
      note_wild (mpip, &line);
      return;
    }
  row.row.call = dup_word (&words[0]);
  g_array_append_val (mpip->times, row);
}

/* "call site rank count max mean min sum" in bytes. */
static void
read_size (KymoMpip         *mpip,
           KymoTextLine  line)
{
  KymoTextLine words[8];
  guint n = split_words (line, words, 8);
  KymoMpipSize row = { 0 };
  KymoUserEventRow user;

  if (n == 8 && kymo_text_begins (&words[2], "*"))
    return;
  if (n < 8 || !scan_index (&words[1], G_MAXINT32, &row.row.site)
      || !scan_index (&words[2], MAX_RANK, &row.row.rank)
      || !kymo_text_number (&words[3], &row.count)
      || !kymo_text_number (&words[4], &row.max) || !kymo_text_number (&words[5], &row.mean)
      || !kymo_text_number (&words[6], &row.min) || !kymo_text_number (&words[7], &row.sum))
    {
      if (n > 0)
        note_bad (mpip, &line);
      return;
    }
  user = (KymoUserEventRow) { 0, row.count, row.max, row.min, row.mean,
                              row.count * row.mean * row.mean };
  if (!kymo_profile_check_user (&user))
    {
      note_wild (mpip, &line);
      return;
    }
  row.row.call = dup_word (&words[0]);
  g_array_append_val (mpip->sizes, row);
}

/* "rank seconds mpi-seconds share": how long each rank ran. */
static void
read_application (KymoMpip         *mpip,
                  KymoTextLine  line)
{
  KymoTextLine words[4];
  guint n = split_words (line, words, 4), rank;
  double seconds;

  if (n > 0 && (kymo_text_begins (&words[0], "*") || kymo_text_begins (&words[0], "Task")))
    return;
  if (n < 4 || !scan_index (&words[0], MAX_RANK, &rank) || !kymo_text_number (&words[1], &seconds))
    {
      note_bad (mpip, &line);
      return;
    }
  {
    double us = seconds * 1e6;

    if (!kymo_profile_are_figures (&us, 1))
      {
        note_wild (mpip, &line);
        return;
      }
    g_hash_table_insert (mpip->application_us, GUINT_TO_POINTER (rank), g_memdup2 (&us, sizeof us));
  }
}

/* "Aggregate seconds mpi-seconds share": of all ranks, in concise reports. */
static void
read_all_tasks (KymoMpip     *mpip,
                KymoTextLine  line)
{
  KymoTextLine words[3];
  double seconds, us;

  if (!kymo_text_begins (&line, "Aggregate") || split_words (line, words, 3) < 3
      || !kymo_text_number (&words[1], &seconds))
    return;
  us = seconds * 1e6;
  if (kymo_profile_are_figures (&us, 1))
    mpip->all_us = us;
  else
    note_wild (mpip, &line);
}

/* "call site time app% mpi% count", of those sites that took longest. */
static void
read_calls (KymoMpip     *mpip,
            KymoTextLine  line)
{
  KymoTextLine words[6];
  double count;
  guint site;

  if (split_words (line, words, 6) == 6 && scan_index (&words[1], G_MAXINT32, &site)
      && kymo_text_number (&words[5], &count) && kymo_profile_are_figures (&count, 1))
    g_hash_table_insert (mpip->site_calls, GUINT_TO_POINTER (site),
                         g_memdup2 (&count, sizeof count));
}

typedef enum
{
  OTHER,
  APPLICATION_TIMES,
  ALL_TASKS,
  TOP_TIMES,
  SITES,
  TIMES,
  SIZES,
  END,
} Section;

/* "@--- Callsites: 12 ----" and the like. */
static Section
find_section (KymoTextLine line)
{
  static const struct { const char *begin; Section section; } sections[] = {
    { "MPI Time (seconds)", APPLICATION_TIMES },
    { "Task Time Statistics", ALL_TASKS },
    { "Aggregate Time", TOP_TIMES },
    { "Callsites:", SITES },
    { "Callsite statistics", TIMES },
    { "Callsite Time statistics", TIMES },
    { "Callsite Message Sent", SIZES },
    { "End of Report", END },
  };

  line.p += strlen (SECTION);
  kymo_text_skip_blanks (&line);
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (kymo_text_begins (&line, sections[i].begin))
      return sections[i].section;
  return OTHER;
}

/* Columns of a section that are not always there, by its heading. */
typedef struct
{
  gboolean levels;              /* of sites */
  gboolean tasks;               /* rows are sums over ranks: the report is concise */
  gboolean count;               /* how often a site was called stands in the sixth */
} Columns;

/* Reads the heading of a section's columns; FALSE where the line is none. */
static gboolean
read_heading (Section       section,
              KymoTextLine  line,
              Columns      *columns)
{
  KymoTextLine words[6] = { 0 };
  guint n = split_words (line, words, 6);

  if (n == 0 || kymo_text_begins (&words[0], "Task"))
    return TRUE;
  if (kymo_text_begins (&words[0], "Name"))
    {
      columns->tasks = n > 2 && kymo_text_begins (&words[2], "Tasks");
      return TRUE;
    }
  if (section == TOP_TIMES && kymo_text_begins (&words[0], "Call"))
    {
      columns->count = n > 5 && kymo_text_begins (&words[5], "Count");
      return TRUE;
    }
  if (section != SITES || !kymo_text_begins (&words[0], "ID"))
    return FALSE;
  columns->levels = n > 1 && kymo_text_begins (&words[1], "Lev");
  return TRUE;
}

/* A line of a section. */
static void
read_row (KymoMpip     *mpip,
          Section       section,
          KymoTextLine  line,
          Columns      *columns)
{
  if (read_heading (section, line, columns))
    return;
  if (section == SITES)
    read_site (mpip, line, columns->levels);
  else if (section == TIMES && columns->tasks)
    read_site_sum (mpip, line, mpip->site_times, 1000);
  else if (section == TIMES)
    read_time (mpip, line);
  else if (section == SIZES && columns->tasks)
    read_site_sum (mpip, line, mpip->site_sizes, 1);
  else if (section == SIZES)
    read_size (mpip, line);
  else if (section == APPLICATION_TIMES)
    read_application (mpip, line);
  else if (section == ALL_TASKS)
    read_all_tasks (mpip, line);
  else if (section == TOP_TIMES && columns->count)
    read_calls (mpip, line);
}

/**
 * kymo_mpip_read:
 * @length: of the text
 *
 * Reads all sections that are known.
 */
void
kymo_mpip_read (KymoMpip *mpip,
                gsize     length)
{
  const char *at = mpip->text, *end = at + length;
  Section section = OTHER;
  Columns columns = { .levels = TRUE };
  KymoTextLine line;

  while (kymo_text_next_line (&at, end, &line))
    if (kymo_text_begins (&line, SECTION))
      {
        section = find_section (line);
        mpip->ended |= section == END;
      }
    else if (kymo_text_begins (&line, "@"))
      read_header_line (mpip, line);
    else if (!kymo_text_begins (&line, "---"))
      read_row (mpip, section, line, &columns);
}
