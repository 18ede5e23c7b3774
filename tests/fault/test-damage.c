/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every small recording, damaged thousands of times: each of its files cut at
 * every 997th byte, and with bits turned at random (fixed seeds). The damaged
 * file lies in a temporary folder beside the names and one whole file.
 *
 * Never a crash or a hang; and what is lost is told: of a cut log exactly the
 * whole lines before the cut are records, and an issue of that file says
 * lost; of a log with turned bits every line is a record or is told; where
 * compressed data no longer inflate to what was written, that is told. Parts
 * of time always add up to the span.
 *
 * KYMO_TEST_PART=3 in the environment: a third of it all, for sanitized programs.
 *
 * Usage: test-damage SOURCE-ROOT [SHARE N [STEP]]: of N shares of the recordings that one;
 * cut at every STEPth byte
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "kymo-open.h"
#include "kymo-run-source.h"

#define N_FLIPS 60
/* Folders above are left to the other suites. */
#define SMALL_BYTES (700 * 1024)
#define MOST_PLAIN (64 << 20)
#define HANG_SECONDS 20

typedef enum
{
  FILE_TEXT,
  FILE_GZIP,
  FILE_BINARY,
  FILE_NAMES,
  FILE_SUMS,
} FileForm;

/** Victim: one file of a case */
typedef struct
{
  char    *name;                /* relative to the folder */
  char    *bytes;
  gsize    size;
  FileForm form;
  gint64   n_records;           /* of the whole file */
} Victim;

/** Case: the whole files in memory, and the folder to damage them in */
typedef struct
{
  char      *folder;            /* of the recording */
  char      *scratch;
  GPtrArray *victims;
  guint      turn;              /* which question is next */
  guint      n_variants;
} Case;

/* One part in so many is tried. */
static guint
get_part (void)
{
  const char *part = g_getenv ("KYMO_TEST_PART");

  return part != NULL ? CLAMP (atoi (part), 1, 10) : 1;
}

/* Which of how many shares of the recordings; and the bytes between two cuts. */
static guint share, n_shares = 1, step = 997;

/* What is tried, for the word after a crash. */
static char trying[512];

static void
tell_what (int number)
{
  trying[strlen (trying)] = '\n';
  if (write (STDERR_FILENO, trying, strnlen (trying, sizeof trying)) < 0)
    _exit (127);
  signal (number, SIG_DFL);
  raise (number);
}

#define require(fact, ...) G_STMT_START {                                     \
    if (!(fact))                                                              \
      {                                                                       \
        g_autofree char *because = g_strdup_printf (__VA_ARGS__);             \
        g_test_message ("%s: %s (%s)", trying, because, #fact);               \
        g_test_fail ();                                                       \
      }                                                                       \
  } G_STMT_END

static void
victim_free (gpointer data)
{
  Victim *victim = data;

  g_free (victim->name);
  g_free (victim->bytes);
  g_free (victim);
}

static FileForm
form_of (const char *name,
         const char *bytes,
         gsize       size)
{
  if (g_str_has_suffix (name, ".sts"))
    return FILE_NAMES;
  if (strstr (name, ".log") == NULL)
    return FILE_SUMS;
  if (size >= 2 && (guchar) bytes[0] == 0x1f && (guchar) bytes[1] == 0x8b)
    return FILE_GZIP;
  return g_str_has_prefix (bytes, "PROJECTIONS-RECORD") ? FILE_TEXT : FILE_BINARY;
}

/* Files of the folder and of the folders in it; those of a run only. */
static void
collect (Case       *c,
         const char *inner)
{
  static const char *const endings[] = { ".log", ".log.gz", ".sts", ".sum", ".sumd" };
  g_autofree char *folder = g_build_filename (c->folder, inner, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *name = inner != NULL ? g_build_filename (inner, entry, NULL)
        : g_strdup (entry);
      g_autofree char *path = g_build_filename (c->folder, name, NULL);
      Victim *victim;

      if (inner == NULL && strstr (entry, ".projdir.") != NULL)
        collect (c, entry);
      for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
        if (g_str_has_suffix (entry, endings[i]))
          {
            victim = g_new0 (Victim, 1);
            victim->name = g_strdup (name);
            g_assert_true (g_file_get_contents (path, &victim->bytes, &victim->size, NULL));
            victim->form = form_of (name, victim->bytes, victim->size);
            g_ptr_array_add (c->victims, victim);
            break;
          }
    }
}

static int
compare_victims (gconstpointer a,
                 gconstpointer b)
{
  return strcmp ((*(Victim *const *) a)->name, (*(Victim *const *) b)->name);
}

static void
put (const Case *c,
     const char *name,
     const void *bytes,
     gsize       size)
{
  g_autofree char *path = g_build_filename (c->scratch, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  FILE *file;

  g_mkdir_with_parents (folder, 0700);
  file = fopen (path, "wb");
  if (file == NULL || fwrite (bytes, 1, size, file) != size || fclose (file) != 0)
    g_error ("cannot write %s", path);
}

static void
take_away (const Case *c,
           const char *name)
{
  g_autofree char *path = g_build_filename (c->scratch, name, NULL);

  g_unlink (path);
}

/* Inflates what can be inflated; whether it came whole. */
static gboolean
inflate_all (const char *bytes,
             gsize       size,
             GByteArray *plain)
{
  z_stream z = { .next_in = (guint8 *) bytes, .avail_in = size };
  guint8 buffer[65536];
  int status = inflateInit2 (&z, 15 + 16);

  while (status == Z_OK && plain->len < MOST_PLAIN)
    {
      z.next_out = buffer;
      z.avail_out = sizeof buffer;
      status = inflate (&z, Z_NO_FLUSH);
      g_byte_array_append (plain, buffer, sizeof buffer - z.avail_out);
      if (status == Z_STREAM_END && z.avail_in > 0)
        status = inflateReset (&z);
    }
  inflateEnd (&z);
  return status == Z_STREAM_END;
}

/* Blank ones are nobody's loss. */
static gint64
count_lines (const guint8 *bytes,
             gsize         size)
{
  gboolean has_substance = FALSE;
  gint64 n = 0;

  for (gsize i = 0; i < size; i++)
    {
      has_substance |= bytes[i] > ' ';
      n += bytes[i] == '\n' && has_substance;
      has_substance &= bytes[i] != '\n';
    }
  return n;
}

static gint64
told (KymoRun      *run,
      const char   *file,
      KymoSeverity  severity)
{
  gint64 n = 0;

  for (guint i = 0; i < kymo_report_get_n_issues (run->report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (run->report, i);

      if (strcmp (issue->file, file) == 0 && issue->severity >= severity)
        n += issue->count;
    }
  return n;
}

/* "<base>.<pe>.log" */
static gint64
pe_of (const char *name)
{
  const char *end = strstr (name, ".log");
  const char *p = end;

  while (p > name && g_ascii_isdigit (p[-1]))
    p--;
  return g_ascii_strtoll (p, NULL, 10);
}

static gint64
records_of (KymoRun    *run,
            const char *name)
{
  gint index = kymo_run_find_location (run, pe_of (name));

  return index < 0 ? 0 : kymo_run_peek_location (run, index)->n_records;
}

/* One question of each kind in turn, now and then; and always the sums. */
static void
check_answers (Case    *c,
               KymoRun *run)
{
  static const char *const kinds[] =
  {
    "profile", "info", "usage", "time-profile", "histogram", "communication", "messages",
    "events", "timeline", "clocks",
  };
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (KymoQuestion) question =
    kymo_question_new (kinds[c->turn++ % G_N_ELEMENTS (kinds)]);
  g_autoptr (GError) error = NULL;
  KymoTable *table;

  kymo_question_set_resolution (question, 50, 20);
  table = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  require (table != NULL || (error != NULL && *error->message != '\0'), "no answer, no sentence");
  kymo_table_unref (table);
}

static void
check_sums (KymoRun *run)
{
  KymoSums sums;

  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + run->activities->len);
  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = g_ptr_array_index (run->segments, i);
      guint hint = 0;
      gint64 total = 0;

      kymo_segment_sum (segment, segment->span, &hint, &sums);
      for (guint k = 0; k < sums.n_touched; k++)
        total += sums.ns[sums.touched[k]];
      require (total == kymo_span_length (segment->span), "parts and span differ");
      kymo_sums_reset (&sums);
    }
  kymo_sums_clear (&sums);
}

static KymoRun *
open_damaged (Case         *c,
              const Victim *victim,
              const void   *bytes,
              gsize         size)
{
  KymoOpenOptions options = { .n_threads = 1, .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  KymoRun *run;

  put (c, victim->name, bytes, size);
  alarm (HANG_SECONDS);
  run = kymo_open_run (c->scratch, &options, NULL, &error);
  require (run != NULL || (error != NULL && *error->message != '\0'), "no run, no sentence");
  if (run != NULL)
    {
      check_sums (run);
      if (c->n_variants % 7 == 0)
        check_answers (c, run);
    }
  alarm (0);
  c->n_variants++;
  return run;
}

/* Records that a reader can find before the cut. */
static gint64
expected_records (const Victim *victim,
                  gsize         cut)
{
  g_autoptr (GByteArray) plain = g_byte_array_new ();

  if (victim->form == FILE_TEXT)
    return MAX (count_lines ((guint8 *) victim->bytes, cut) - 1, 0);
  inflate_all (victim->bytes, cut, plain);
  return MAX (count_lines (plain->data, plain->len) - 1, 0);
}

static void
check_cut (Case         *c,
           const Victim *victim,
           gsize         cut)
{
  g_autoptr (KymoRun) run = NULL;

  g_snprintf (trying, sizeof trying, "%s: %s cut at %" G_GSIZE_FORMAT, c->folder,
              victim->name, cut);
  run = open_damaged (c, victim, victim->bytes, cut);
  if (victim->form == FILE_NAMES && run == NULL)
    return;
  require (run != NULL, "the other files are whole");
  if (run == NULL)
    return;
  require (told (run, victim->name, KYMO_SEVERITY_LOST) > 0, "not told");
  require (!kymo_report_is_complete (run->report), "complete");
  if (victim->form == FILE_TEXT || victim->form == FILE_GZIP)
    require (records_of (run, victim->name) == expected_records (victim, cut),
             "%" G_GINT64_FORMAT " records, %" G_GINT64_FORMAT " whole lines",
             records_of (run, victim->name), expected_records (victim, cut));
  else if (victim->form == FILE_BINARY)
    require (records_of (run, victim->name) < victim->n_records, "records beyond the cut");
}

/* What the damage did to the lines. */
static void
check_flipped (const Victim *victim,
               KymoRun      *run,
               const guint8 *bytes,
               gsize         size)
{
  gboolean is_log = victim->form != FILE_NAMES && victim->form != FILE_SUMS;
  gint64 n = is_log ? records_of (run, victim->name) : 0;
  gint64 lost = told (run, victim->name, KYMO_SEVERITY_LOST);

  if (is_log && kymo_run_find_location (run, pe_of (victim->name)) < 0)
    require (lost > 0, "no log, and not told");
  else if (victim->form == FILE_TEXT)
    require (n + lost >= count_lines (bytes, size) - 1,
             "%" G_GINT64_FORMAT " records and %" G_GINT64_FORMAT " told", n, lost);
  else if (victim->form == FILE_BINARY)
    require (n == victim->n_records || lost > 0, "%" G_GINT64_FORMAT " records", n);
  else if (victim->form == FILE_GZIP)
    {
      g_autoptr (GByteArray) plain = g_byte_array_new ();
      g_autoptr (GByteArray) whole = g_byte_array_new ();
      gboolean fine = inflate_all ((const char *) bytes, size, plain);

      inflate_all (victim->bytes, victim->size, whole);
      fine = fine && plain->len == whole->len
        && memcmp (plain->data, whole->data, whole->len) == 0;
      require (fine ? n == victim->n_records : lost > 0, "%" G_GINT64_FORMAT " records", n);
    }
}

static void
check_flips (Case         *c,
             const Victim *victim,
             guint         seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autofree guint8 *bytes = g_malloc (victim->size + 1);

  for (guint i = 0; i < N_FLIPS / get_part () && victim->size > 0; i++)
    {
      g_autoptr (KymoRun) run = NULL;

      g_snprintf (trying, sizeof trying, "%s: %s with turned bits, seed %u, try %u", c->folder,
                  victim->name, seed, i);
      memcpy (bytes, victim->bytes, victim->size);
      for (guint k = 0; k <= i % 4; k++)
        bytes[g_rand_int_range (rand, 0, victim->size)] ^= 1 << g_rand_int_range (rand, 0, 8);
      run = open_damaged (c, victim, bytes, victim->size);
      if (run != NULL)
        check_flipped (victim, run, bytes, victim->size);
      else
        require (victim->form == FILE_NAMES, "the other files are whole");
    }
}

/* The names, the victim, and a whole file of the same form beside it. */
static void
check_victim (Case   *c,
              Victim *victim,
              guint   seed)
{
  const Victim *beside = NULL;
  KymoRun *whole;

  for (guint i = 0; i < c->victims->len; i++)
    {
      const Victim *other = g_ptr_array_index (c->victims, i);

      if (other != victim && other->form == FILE_NAMES)
        put (c, other->name, other->bytes, other->size);
      else if (other != victim && (beside == NULL || other->size < beside->size)
               && (other->form == FILE_SUMS) == (victim->form == FILE_SUMS
                                                 || g_str_has_suffix (victim->name, ".sum.sts")))
        beside = other;
    }
  if (beside != NULL)
    put (c, beside->name, beside->bytes, beside->size);
  g_snprintf (trying, sizeof trying, "%s: %s whole", c->folder, victim->name);
  whole = open_damaged (c, victim, victim->bytes, victim->size);
  require (whole != NULL, "cannot be opened");
  if (whole == NULL)
    return;
  if (victim->form != FILE_NAMES && victim->form != FILE_SUMS)
    victim->n_records = records_of (whole, victim->name);
  kymo_run_unref (whole);
  for (gsize cut = 0; cut < victim->size; cut += step * get_part ())
    check_cut (c, victim, cut);
  check_flips (c, victim, seed);
  if (beside != NULL)
    take_away (c, beside->name);
  take_away (c, victim->name);
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, entry, NULL);

      if (g_remove (inner) != 0)
        {
          g_autoptr (GDir) deeper = g_dir_open (inner, 0, NULL);
          const char *last;

          while (deeper != NULL && (last = g_dir_read_name (deeper)) != NULL)
            {
              g_autofree char *file = g_build_filename (inner, last, NULL);
              g_remove (file);
            }
          g_rmdir (inner);
        }
    }
  g_rmdir (path);
}

static void
test_case (gconstpointer folder)
{
  Case c = { .folder = (char *) folder };

  c.scratch = g_dir_make_tmp ("kymo-damage-XXXXXX", NULL);
  c.victims = g_ptr_array_new_with_free_func (victim_free);
  collect (&c, NULL);
  g_ptr_array_sort (c.victims, compare_victims);
  for (guint i = 0; i < c.victims->len; i++)
    check_victim (&c, g_ptr_array_index (c.victims, i), i + 1);
  g_test_message ("%u variants", c.n_variants);
  g_ptr_array_unref (c.victims);
  remove_folder (c.scratch);
  g_free (c.scratch);
}

static gsize
folder_bytes (const char *folder)
{
  Case c = { .folder = (char *) folder };
  gsize n = 0;

  c.victims = g_ptr_array_new_with_free_func (victim_free);
  collect (&c, NULL);
  for (guint i = 0; i < c.victims->len; i++)
    n += ((Victim *) g_ptr_array_index (c.victims, i))->size;
  g_ptr_array_unref (c.victims);
  return n;
}

static gboolean
is_run (const char *folder)
{
  g_autoptr (KymoRun) run = kymo_open_run (folder, NULL, NULL, NULL);

  return run != NULL;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Recordings of one name are the same; the first is taken. */
static void
add_cases (GHashTable *seen,
           const char *parent)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  static guint n_cases;
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (entry));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      char *folder = g_build_filename (parent, name, NULL);
      g_autofree char *test = g_strconcat ("/damage/", name, NULL);
      gsize size = folder_bytes (folder);

      if (size == 0 || size > SMALL_BYTES || !g_hash_table_add (seen, g_strdup (name))
          || !is_run (folder) || n_cases++ % n_shares != share)
        g_free (folder);
      else
        g_test_add_data_func_full (test, folder, test_case, g_free);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *own = NULL;
  g_autofree char *shared = NULL;
  const char *more = g_getenv ("KYMO_TRACES");

  g_test_init (&argc, &argv, NULL);
  if (argc < 2)
    g_error ("usage: %s SOURCE-ROOT [SHARE N [STEP]]", argv[0]);
  if (argc > 3)
    {
      share = atoi (argv[2]);
      n_shares = MAX (atoi (argv[3]), 1);
    }
  if (argc > 4)
    step = MAX (atoi (argv[4]), 1);
  signal (SIGALRM, tell_what);
  signal (SIGSEGV, tell_what);
  signal (SIGABRT, tell_what);
  own = g_build_filename (argv[1], "tests", "data", NULL);
  shared = more != NULL ? g_strdup (more)
    : g_build_filename (argv[1], "..", "shared", "traces", "projections", NULL);
  add_cases (seen, own);
  add_cases (seen, shared);
  return g_test_run ();
}
