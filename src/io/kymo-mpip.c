/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report that mpiP prints: of each rank and call site of MPI how often and how long.
 * A call site is a path "parent [file:F line:L] => MPI_<call>"; the flat function has
 * the sum of its sites. Times are mean * count, in milliseconds with a few digits, and a
 * call of MPI calls nothing that is measured, so inclusive is exclusive. What the program
 * had beside is the function ".MpiP.Application".
 *
 * Format: mpiP manual, "mpiP Output".
 */
#include "config.h"

#include <stdio.h>

#include "kymo-error.h"
#include "kymo-format.h"
#include "kymo-profile-pool.h"
#include "kymo-profile-run.h"
#include "kymo-text-lines.h"

#define APPLICATION ".MpiP.Application"
#define HEAD_BYTES 256
#define SECTION "@---"
#define UNKNOWN_SITE "(unknown site)"
#define SUFFIX ".mpiP"
/* More ranks than any machine has: a larger number is damage. */
#define MAX_RANK (1 << 24)

/* A row of the statistics of one rank and site. */
typedef struct
{
  guint  rank, site;
  char  *call;
  double count, mean_ms;
} TimeRow;

typedef struct
{
  guint  rank, site;
  char  *call;
  double count, max, mean, min, sum;
} SizeRow;

typedef struct
{
  const char *name;             /* of the file */
  const char *text;
  GPtrArray  *facts;            /* char *: key and value in turn */
  GArray     *ranks;            /* KymoProfileThread */
  GHashTable *sites;            /* number -> char *: what stands before " => " */
  GArray     *times;            /* TimeRow */
  GArray     *sizes;            /* SizeRow */
  GHashTable *application_us;   /* rank -> double *: of the whole program */
  gint64      n_bad, bad_offset;
  gint64      n_concise;
  gboolean    ended;
} Mpip;

static void
time_row_clear (gpointer data)
{
  g_free (((TimeRow *) data)->call);
}

static void
size_row_clear (gpointer data)
{
  g_free (((SizeRow *) data)->call);
}

static void
mpip_init (Mpip       *mpip,
           const char *name,
           const char *text)
{
  *mpip = (Mpip) { .name = name, .text = text };
  mpip->facts = g_ptr_array_new_with_free_func (g_free);
  mpip->ranks = g_array_new (FALSE, TRUE, sizeof (KymoProfileThread));
  mpip->sites = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  mpip->times = g_array_new (FALSE, TRUE, sizeof (TimeRow));
  g_array_set_clear_func (mpip->times, time_row_clear);
  mpip->sizes = g_array_new (FALSE, TRUE, sizeof (SizeRow));
  g_array_set_clear_func (mpip->sizes, size_row_clear);
  mpip->application_us = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

static void
mpip_clear (Mpip *mpip)
{
  g_ptr_array_unref (mpip->facts);
  g_array_unref (mpip->ranks);
  g_hash_table_unref (mpip->sites);
  g_array_unref (mpip->times);
  g_array_unref (mpip->sizes);
  g_hash_table_unref (mpip->application_us);
}

static void
note_bad (Mpip               *mpip,
          const KymoTextLine *line)
{
  if (mpip->n_bad++ == 0)
    mpip->bad_offset = line->p - mpip->text;
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
read_header_line (Mpip         *mpip,
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

/* A call site: "id level file line parent [call]", where deeper levels come after their
   call and are its callers, or in older reports "id call parent file line". */
static void
read_site (Mpip         *mpip,
           KymoTextLine  line,
           gboolean      with_levels)
{
  KymoTextLine words[7];
  guint n = split_words (line, words, 7), id, level = 0;
  const KymoTextLine *file = &words[with_levels ? 2 : 3];
  const KymoTextLine *line_of = &words[with_levels ? 3 : 4];
  const KymoTextLine *parent = &words[with_levels ? 4 : 2];
  double number;
  GString *site;
  const char *before;

  if (n < 5 || !scan_index (&words[0], G_MAXINT32, &id)
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
  before = g_hash_table_lookup (mpip->sites, GUINT_TO_POINTER (id));
  if (level > 0 && before != NULL)
    g_string_append_printf (site, " => %s", before);
  g_hash_table_insert (mpip->sites, GUINT_TO_POINTER (id), g_string_free (site, FALSE));
}

/* "call site rank count max mean min app% mpi%" in milliseconds; concise reports have
   no rank, and rank * is the sum of the others. */
static void
read_time (Mpip         *mpip,
           KymoTextLine  line)
{
  KymoTextLine words[9];
  guint n = split_words (line, words, 9);
  TimeRow row = { 0 };

  if (n == 8)
    {
      mpip->n_concise++;
      return;
    }
  if (n == 9 && kymo_text_begins (&words[2], "*"))
    return;
  if (n < 9 || !scan_index (&words[1], G_MAXINT32, &row.site)
      || !scan_index (&words[2], MAX_RANK, &row.rank) || !kymo_text_number (&words[3], &row.count)
      || !kymo_text_number (&words[5], &row.mean_ms))
    {
      note_bad (mpip, &line);
      return;
    }
  row.call = dup_word (&words[0]);
  g_array_append_val (mpip->times, row);
}

/* "call site rank count max mean min sum" in bytes. */
static void
read_size (Mpip         *mpip,
           KymoTextLine  line)
{
  KymoTextLine words[8];
  guint n = split_words (line, words, 8);
  SizeRow row = { 0 };

  if (n == 8 && kymo_text_begins (&words[2], "*"))
    return;
  if (n < 8 || !scan_index (&words[1], G_MAXINT32, &row.site)
      || !scan_index (&words[2], MAX_RANK, &row.rank) || !kymo_text_number (&words[3], &row.count)
      || !kymo_text_number (&words[4], &row.max) || !kymo_text_number (&words[5], &row.mean)
      || !kymo_text_number (&words[6], &row.min) || !kymo_text_number (&words[7], &row.sum))
    {
      if (n > 0)
        note_bad (mpip, &line);
      return;
    }
  row.call = dup_word (&words[0]);
  g_array_append_val (mpip->sizes, row);
}

/* "rank seconds mpi-seconds share": how long each rank ran. */
static void
read_application (Mpip         *mpip,
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

    g_hash_table_insert (mpip->application_us, GUINT_TO_POINTER (rank), g_memdup2 (&us, sizeof us));
  }
}

typedef enum
{
  OTHER,
  APPLICATION_TIMES,
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

/* A line of a section; one that heads columns is none. */
static void
read_row (Mpip         *mpip,
          Section       section,
          KymoTextLine  line,
          gboolean     *with_levels)
{
  KymoTextLine rest = line, word = kymo_text_next_word (&rest);

  if (word.p == word.end || kymo_text_begins (&word, "Name") || kymo_text_begins (&word, "Task"))
    return;
  if (section == SITES && kymo_text_begins (&word, "ID"))
    {
      word = kymo_text_next_word (&rest);
      *with_levels = kymo_text_begins (&word, "Lev");
      return;
    }
  if (section == SITES)
    read_site (mpip, line, *with_levels);
  else if (section == TIMES)
    read_time (mpip, line);
  else if (section == SIZES)
    read_size (mpip, line);
  else if (section == APPLICATION_TIMES)
    read_application (mpip, line);
}

static void
read_text (Mpip  *mpip,
           gsize  length)
{
  const char *at = mpip->text, *end = at + length;
  Section section = OTHER;
  gboolean with_levels = TRUE;
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
      read_row (mpip, section, line, &with_levels);
}

/* Ranks that only rows name; in order, each once. */
static void
complete_ranks (Mpip *mpip)
{
  KymoProfileThread *all;
  guint n = 0;

  for (guint i = 0; i < mpip->times->len; i++)
    {
      KymoProfileThread thread = { g_array_index (mpip->times, TimeRow, i).rank, 0, 0 };

      g_array_append_val (mpip->ranks, thread);
    }
  g_array_sort (mpip->ranks, kymo_profile_thread_compare);
  all = (KymoProfileThread *) mpip->ranks->data;
  for (guint i = 0; i < mpip->ranks->len; i++)
    if (n == 0 || all[n - 1].node != all[i].node)
      all[n++] = all[i];
  g_array_set_size (mpip->ranks, n);
}

static char *
dup_call (const char *call)
{
  return g_str_has_prefix (call, "MPI_") ? g_strdup (call) : g_strconcat ("MPI_", call, NULL);
}

static void
add_row (Mpip            *mpip,
         KymoProfilePart *part,
         const TimeRow   *row,
         double          *mpi_us,
         double          *n_calls)
{
  g_autofree char *call = dup_call (row->call);
  const char *site = g_hash_table_lookup (mpip->sites, GUINT_TO_POINTER (row->site));
  g_autofree char *path = g_strconcat (site != NULL ? site : UNKNOWN_SITE, " => ", call, NULL);
  double us = row->mean_ms * row->count * 1000;

  kymo_profile_part_add (part, kymo_profile_part_event (part, call, strlen (call), "MPI", 3, 0), 0,
                         row->count, 0, us, us);
  kymo_profile_part_add (part, kymo_profile_part_event (part, path, strlen (path), "MPI", 3,
                                                        KYMO_PROFILE_PATH), 0,
                         row->count, 0, us, us);
  *mpi_us += us;
  *n_calls += row->count;
}

static void
add_size (Mpip            *mpip,
          KymoProfilePart *part,
          const SizeRow   *row)
{
  g_autofree char *call = dup_call (row->call);
  const char *site = g_hash_table_lookup (mpip->sites, GUINT_TO_POINTER (row->site));
  g_autofree char *name = g_strconcat ("Message size sent", " : ",
                                       site != NULL ? site : UNKNOWN_SITE, " => ", call, NULL);
  KymoUserEventRow user = { kymo_profile_part_user_event (part, name, strlen (name)), row->count,
                            row->max, row->min, row->mean, row->count * row->mean * row->mean };

  kymo_profile_part_add_user (part, &user);
}

/* "2024 01 31 12:00:59" in seconds; 0 where it is none. */
static gint64
scan_time (const char *text)
{
  g_autoptr (GDateTime) time = NULL;
  int year, month, day, hour, minute, second;

  if (text == NULL
      || sscanf (text, "%4d %2d %2d %2d:%2d:%2d", &year, &month, &day, &hour, &minute,
                 &second) != 6)
    return 0;
  time = g_date_time_new_utc (year, month, day, hour, minute, second);
  return time != NULL ? g_date_time_to_unix (time) : 0;
}

static const char *
find_fact (const Mpip *mpip,
           const char *key)
{
  for (guint i = 0; i + 1 < mpip->facts->len; i += 2)
    if (g_str_equal (mpip->facts->pdata[i], key))
      return mpip->facts->pdata[i + 1];
  return NULL;
}

static void
add_rank (Mpip            *mpip,
          KymoProfilePart *part,
          guint            location,
          guint           *next_time,
          guint           *next_size)
{
  guint rank = g_array_index (mpip->ranks, KymoProfileThread, location).node;
  gint64 begin = scan_time (find_fact (mpip, "Start time"));
  gint64 end = scan_time (find_fact (mpip, "Stop time"));
  const double *known = g_hash_table_lookup (mpip->application_us, GUINT_TO_POINTER (rank));
  double mpi_us = 0, n_calls = 0, all_us;
  guint32 application;

  kymo_profile_part_begin (part, location, 0);
  application = kymo_profile_part_event (part, APPLICATION, strlen (APPLICATION), "", 0, 0);
  for (; *next_time < mpip->times->len
       && g_array_index (mpip->times, TimeRow, *next_time).rank == rank; (*next_time)++)
    add_row (mpip, part, &g_array_index (mpip->times, TimeRow, *next_time), &mpi_us, &n_calls);
  for (; *next_size < mpip->sizes->len
       && g_array_index (mpip->sizes, SizeRow, *next_size).rank <= rank; (*next_size)++)
    if (g_array_index (mpip->sizes, SizeRow, *next_size).rank == rank)
      add_size (mpip, part, &g_array_index (mpip->sizes, SizeRow, *next_size));
  all_us = known != NULL ? *known : begin > 0 && end > begin ? (end - begin) * 1e6 : mpi_us;
  kymo_profile_part_add (part, application, 0, 1, n_calls, MAX (0, all_us - mpi_us), all_us);
}

static gint
compare_time_rows (gconstpointer a,
                   gconstpointer b)
{
  const TimeRow *x = a, *y = b;

  return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
    : (x->site > y->site) - (x->site < y->site);
}

static gint
compare_size_rows (gconstpointer a,
                   gconstpointer b)
{
  const SizeRow *x = a, *y = b;

  return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
    : (x->site > y->site) - (x->site < y->site);
}

static KymoRun *
make_run (Mpip *mpip)
{
  KymoProfileBuilder *builder;
  KymoProfilePart *part;
  guint next_time = 0, next_size = 0;
  KymoRun *run;

  complete_ranks (mpip);
  g_array_sort (mpip->times, compare_time_rows);
  g_array_sort (mpip->sizes, compare_size_rows);
  builder = kymo_profile_builder_new (mpip->ranks->len);
  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  part = kymo_profile_builder_add_part (builder);
  for (guint i = 0; i < mpip->ranks->len; i++)
    add_rank (mpip, part, i, &next_time, &next_size);
  run = kymo_profile_run_new ("mpip", mpip->ranks, kymo_profile_builder_finish (builder, 1));
  for (guint i = 0; i + 1 < mpip->facts->len; i += 2)
    {
      const char *key = mpip->facts->pdata[i];

      kymo_profile_run_add_metadata (run, g_str_equal (key, "Command") ? "Command Line"
                                     : g_str_equal (key, "Start time") ? "Local Time"
                                     : g_str_equal (key, "Version") ? "TAU Version" : key,
                                     mpip->facts->pdata[i + 1]);
    }
  return run;
}

/* Whether a regular file begins with the word mpiP. */
static gboolean
mpip_knows (const char *path)
{
  char head[HEAD_BYTES];
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? fopen (path, "re") : NULL;
  gsize n = file != NULL ? fread (head, 1, sizeof head, file) : 0;

  if (file != NULL)
    fclose (file);
  return n > 6 && (memcmp (head, "@ mpiP", 6) == 0
                   || (head[0] == '@' && g_str_has_suffix (path, SUFFIX)));
}

/* The path itself, or the one report in a folder. */
static char *
find_file (const char  *path,
           const char  *base,
           GError     **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *found = NULL;
  const char *name;
  guint n = 0;

  if (dir == NULL)
    return g_strdup (path);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SUFFIX) && (base == NULL || g_str_has_prefix (name, base)))
      {
        if (n++ < 8)
          g_string_append_printf (names, "%s%s", n > 1 ? ", " : "", name);
        g_free (found);
        found = g_strdup (name);
      }
  if (n == 1)
    return g_build_filename (path, found, NULL);
  if (n == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "“%s” holds no report of mpiP", path);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                 "“%s” holds several reports of mpiP: %s; name one of them", path, names->str);
  return NULL;
}

static void
tell (const Mpip *mpip,
      KymoRun    *run)
{
  if (mpip->n_bad > 0)
    kymo_report_add (run->report, mpip->name, KYMO_SEVERITY_LOST, mpip->n_bad, mpip->bad_offset,
                     "Lines of the profile that could not be understood were left out");
  if (!mpip->ended)
    kymo_report_add (run->report, mpip->name, KYMO_SEVERITY_LOST, 1, -1,
                     "The report of mpiP does not end: it is cut off");
  if (mpip->n_concise > 0)
    kymo_report_add (run->report, mpip->name, KYMO_SEVERITY_LOST, mpip->n_concise, -1,
                     "The report is concise: these call sites have no figures of single ranks");
}

static KymoRun *
mpip_read (const char             *path,
           const KymoOpenOptions  *options,
           KymoJob                *job,
           GError                **error)
{
  g_autofree char *file = find_file (path, options->base, error);
  g_autofree char *text = NULL, *name = NULL;
  KymoRun *run = NULL;
  gsize length;
  Mpip mpip;

  if (file == NULL)
    return NULL;
  if (!mpip_knows (file))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "“%s” is no report of mpiP", file);
      return NULL;
    }
  text = kymo_profile_read_whole (file, options->memory_limit_bytes, &length, error);
  if (text == NULL)
    return NULL;
  name = g_path_get_basename (file);
  mpip_init (&mpip, name, text);
  read_text (&mpip, length);
  if (mpip.ranks->len == 0 && mpip.times->len == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "“%s” tells of no rank", file);
  else
    {
      run = make_run (&mpip);
      run->path = g_path_get_dirname (file);
      run->title = g_strdup (name);
      tell (&mpip, run);
      kymo_run_seal (run);
    }
  mpip_clear (&mpip);
  return run;
}

const KymoFormat kymo_format_mpip = { "mpip", mpip_read, mpip_knows };
