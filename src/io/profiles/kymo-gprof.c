/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text that gprof prints: a flat profile and a call graph, of one process. Self time
 * is exclusive, self and children are inclusive; of each arc to a callee there is a path
 * "caller => callee". Recursive calls count as calls; a function whose calls were not
 * counted, as main, has one (so it has in ParaProf, too); what a function has inside a cycle
 * gprof does not divide, so arcs there have calls and no time.
 *
 * Format: GNU gprof manual, "Interpreting gprof's Output".
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <fcntl.h>

#include "kymo-check-names.h"
#include "kymo-error.h"
#include "kymo-format.h"
#include "kymo-gprof-index.h"
#include "kymo-input.h"
#include "kymo-profile-pool.h"
#include "kymo-profile-run.h"
#include "kymo-text-lines.h"

#define FLAT "Flat profile:"
#define GRAPH "Call graph"
#define HEAD_BYTES (4 << 10)
/* The flat profile and the graph round seconds to hundredths each. */
#define ROUNDING_US 10000.0

/* A function, as far as it is known. */
typedef struct
{
  char  *name;
  double calls, subroutines, self_us, total_us;
  double calls_in_flat;         /* once the graph tells of it */
  gboolean in_flat, in_graph;
  guint  n_apart;               /* functions of its name that were told apart */
} Function;

/* Names are those of functions: one may be long, and have many arcs. */
typedef struct
{
  const Function *caller, *callee;
  double calls, self_us, total_us;
} Arc;

typedef struct
{
  KymoReport *report;
  const char *name;             /* of the file */
  const char *text;
  GPtrArray  *functions;        /* Function, as they come */
  GHashTable *by_name;
  GArray     *arcs;             /* Arc */
  double      call_us;          /* of "ms/call" and the like */
  gint64      n_bad, bad_offset;
  gint64      n_wild, wild_offset;      /* rows whose figures cannot be added up */
  gboolean    flat_ended;       /* by a blank line */
  gboolean    begun, ended;     /* the call graph; its index was there */
  GHashTable *apart;            /* number in the index -> name with its file, of functions that
                                   share their name with others */
  GHashTable *shared;           /* these names */
} Gprof;

static void
function_free (gpointer data)
{
  g_free (((Function *) data)->name);
  g_free (data);
}

static Function *
find_function (Gprof      *gprof,
               const char *name)
{
  Function *function = g_hash_table_lookup (gprof->by_name, name);

  if (function != NULL)
    return function;
  function = g_new0 (Function, 1);
  function->name = g_strdup (name);
  g_ptr_array_add (gprof->functions, function);
  g_hash_table_insert (gprof->by_name, function->name, function);
  return function;
}

/* Seconds as the text has them, with two digits or four behind the point: whole
   microseconds, whatever the product of doubles is. */
static double
to_us (double seconds,
       double unit_us)
{
  return __builtin_rint (seconds * unit_us * 1000) / 1000;
}

static void
note_bad (Gprof              *gprof,
          const KymoTextLine *line)
{
  if (gprof->n_bad++ == 0)
    gprof->bad_offset = line->p - gprof->text;
}

static void
note_wild (Gprof              *gprof,
           const KymoTextLine *line)
{
  if (gprof->n_wild++ == 0)
    gprof->wild_offset = line->p - gprof->text;
}

/* Seconds and calls of a line of the graph. */
static gboolean
are_figures (double self,
             double children,
             double calls)
{
  double figures[] = { self * 1e6, children * 1e6, calls };

  return kymo_profile_are_figures (figures, G_N_ELEMENTS (figures));
}

/* The unit of the columns "self" and "total": the word before "/call". */
static void
read_unit (Gprof        *gprof,
           KymoTextLine  line)
{
  static const struct { const char *word; double us; } units[] =
    { { "s/call", 1e6 }, { "ms/call", 1e3 }, { "us/call", 1 }, { "ns/call", 1e-3 },
      { "Ks/call", 1e9 }, { "Ms/call", 1e12 } };
  KymoTextLine word;

  while (word = kymo_text_next_word (&line), word.p < word.end)
    for (guint i = 0; i < G_N_ELEMENTS (units); i++)
      if (strlen (units[i].word) == (gsize) (word.end - word.p)
          && kymo_text_begins (&word, units[i].word))
        gprof->call_us = units[i].us;
}

/* A row of the flat profile: three numbers, then three more or blanks in their place. */
static gboolean
read_flat_row (Gprof        *gprof,
               KymoTextLine  line)
{
  double share, cumulative, self, calls = -1, unused, total = 0, figures[3];
  KymoTextLine words[3], rest;
  g_autofree char *name = NULL;
  Function *function;

  for (guint i = 0; i < 3; i++)
    words[i] = kymo_text_next_word (&line);
  if (!kymo_text_number (&words[0], &share) || !kymo_text_number (&words[1], &cumulative)
      || !kymo_text_number (&words[2], &self))
    return FALSE;
  rest = line;
  for (guint i = 0; i < 3; i++)
    words[i] = kymo_text_next_word (&rest);
  if (kymo_text_number (&words[0], &calls) && kymo_text_number (&words[1], &unused)
      && kymo_text_number (&words[2], &total))
    line = rest;
  else
    calls = -1;
  kymo_text_skip_blanks (&line);
  if (line.p >= line.end)
    return FALSE;
  figures[0] = to_us (self, 1e6);
  figures[1] = MAX (calls, 0);
  figures[2] = calls >= 0 ? to_us (total * calls, gprof->call_us) : figures[0];
  if (!kymo_profile_are_figures (figures, G_N_ELEMENTS (figures)))
    {
      note_wild (gprof, &line);
      return TRUE;
    }
  name = g_strndup (line.p, line.end - line.p);
  function = find_function (gprof, name);
  function->in_flat = TRUE;
  function->self_us += figures[0];
  function->calls += figures[1];
  function->total_us += figures[2];
  return TRUE;
}

/* "40/40", "1+1972" or "7": calls of an arc, or of a function with its recursive ones. */
static gboolean
scan_called (const KymoTextLine *word,
             double             *calls)
{
  double numbers[2] = { 0, 0 };
  const char *p = word->p;
  char between = 0;

  for (guint i = 0; i < 2; i++)
    {
      if (p >= word->end || !g_ascii_isdigit (*p))
        return FALSE;
      while (p < word->end && g_ascii_isdigit (*p))
        numbers[i] = numbers[i] * 10 + (*p++ - '0');
      if (p == word->end)
        break;
      if (i == 1 || (*p != '/' && *p != '+'))
        return FALSE;
      between = *p++;
    }
  *calls = between == '+' ? numbers[0] + numbers[1] : numbers[0];
  return p == word->end;
}

/* What is behind the numbers of a line of the graph: a name, perhaps " <cycle 1>", and
   " [4]". NULL where there is none, or it is a cycle as a whole. */
static char *
dup_graph_name (const Gprof  *gprof,
                KymoTextLine  line)
{
  const char *apart = NULL;

  kymo_text_skip_blanks (&line);
  if (line.end > line.p && line.end[-1] == ']')
    {
      const char *open = g_strrstr_len (line.p, line.end - line.p, "[");

      if (open != NULL && open > line.p && open[-1] == ' ')
        {
          apart = g_hash_table_lookup (gprof->apart, GUINT_TO_POINTER (
            (guint) g_ascii_strtoull (open + 1, NULL, 10)));
          line.end = open - 1;
        }
    }
  if (line.end > line.p && line.end[-1] == '>')
    {
      const char *cycle = kymo_gprof_find_cycle (line.p, line.end);

      if (cycle != NULL)
        line.end = cycle;
    }
  if (line.p >= line.end || kymo_text_begins (&line, "<cycle ")
      || kymo_text_begins (&line, "<spontaneous>"))
    return NULL;
  return apart != NULL ? g_strdup (apart) : g_strndup (line.p, line.end - line.p);
}

/* The numbers of a line of the graph, and the name behind them. */
static char *
scan_graph_line (const Gprof  *gprof,
                 KymoTextLine  line,
                 double       *self,
                 double       *children,
                 double       *calls)
{
  double times[2] = { 0, 0 };
  guint n = 0;

  *calls = 0;
  for (;;)
    {
      KymoTextLine rest = line, word = kymo_text_next_word (&rest);
      double value;

      if (memchr (word.p, '.', word.end - word.p) != NULL && n < 2
          && kymo_text_number (&word, &value))
        times[n++] = value;
      else if (scan_called (&word, calls))
        {
          line = rest;
          break;
        }
      else
        break;
      line = rest;
    }
  *self = times[0];
  *children = times[1];
  return dup_graph_name (gprof, line);
}

/* The line of the function that an entry is about: "[3]  68.1  self children called name".
   Functions of one name, as static ones of several files, are one, the sum of all, where the
   index does not tell their files. */
static Function *
read_primary (Gprof        *gprof,
              KymoTextLine  line)
{
  double self, children, calls, share;
  KymoTextLine word;
  g_autofree char *name = NULL;
  Function *function;

  kymo_text_next_word (&line);
  word = kymo_text_next_word (&line);
  if (!kymo_text_number (&word, &share))
    return NULL;
  name = scan_graph_line (gprof, line, &self, &children, &calls);
  if (name != NULL && !are_figures (self, children, calls))
    note_wild (gprof, &line);
  if (name == NULL || !are_figures (self, children, calls))
    return NULL;
  function = find_function (gprof, name);
  if (!function->in_flat)
    function->self_us += to_us (self, 1e6);
  if (!function->in_graph)
    {
      function->calls_in_flat = function->calls;
      function->calls = function->total_us = 0;
    }
  function->in_graph = TRUE;
  function->calls += calls;
  function->total_us += to_us (self, 1e6) + to_us (children, 1e6);
  return function;
}

static void
read_callee (Gprof        *gprof,
             Function     *caller,
             KymoTextLine  line)
{
  double self, children;
  Arc arc = { .caller = caller };
  g_autofree char *name = scan_graph_line (gprof, line, &self, &children, &arc.calls);

  if (name == NULL)
    {
      note_bad (gprof, &line);
      return;
    }
  if (!are_figures (self, children, arc.calls))
    {
      note_wild (gprof, &line);
      return;
    }
  arc.callee = find_function (gprof, name);
  arc.self_us = to_us (self, 1e6);
  arc.total_us = arc.self_us + to_us (children, 1e6);
  caller->subroutines += arc.calls;
  g_array_append_val (gprof->arcs, arc);
}

/* Lines of the call graph: callers, the function itself, callees, dashes. */
static void
read_graph (Gprof       *gprof,
            const char **at,
            const char  *end)
{
  Function *primary = NULL;
  gboolean in_callees = FALSE, any = FALSE;
  KymoTextLine line;

  gprof->begun = TRUE;
  while (kymo_text_next_line (at, end, &line))
    {
      KymoTextLine rest = line;

      kymo_text_skip_blanks (&rest);
      if (kymo_text_begins (&rest, KYMO_GPROF_INDEX))
        {
          gprof->ended = TRUE;
          return;
        }
      if (kymo_text_begins (&line, "index % time"))
        any = TRUE;
      else if (any && kymo_text_begins (&line, "-----"))
        {
          in_callees = FALSE;
          primary = NULL;
        }
      else if (any && kymo_text_begins (&line, "["))
        {
          primary = read_primary (gprof, line);
          in_callees = TRUE;
        }
      else if (any && in_callees && primary != NULL && rest.p < rest.end)
        read_callee (gprof, primary, line);
      /* Behind the entries stands what they mean, in plain words. */
      else if (any && rest.p == line.p && rest.p < rest.end)
        any = FALSE;
    }
}

/* The flat profile has all functions of a name under that. What those told apart have is not
   counted again; a rest beyond what rounding leaves stays under the name alone. */
static void
settle_shared (Gprof *gprof)
{
  GHashTableIter iter;
  gpointer name, told;

  g_hash_table_iter_init (&iter, gprof->apart);
  while (g_hash_table_iter_next (&iter, NULL, &told))
    {
      const Function *part = g_hash_table_lookup (gprof->by_name, told);
      g_autofree char *plain = g_strndup (told, g_strrstr (told, " (") - (char *) told);
      Function *all = g_hash_table_lookup (gprof->by_name, plain);

      if (part == NULL || all == NULL || !all->in_flat)
        continue;
      all->self_us -= part->self_us;
      all->calls -= part->calls;
      all->n_apart++;
    }
  g_hash_table_iter_init (&iter, gprof->shared);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      Function *all = g_hash_table_lookup (gprof->by_name, name);

      if (all == NULL || all->n_apart == 0 || all->in_graph)
        continue;
      all->calls = MAX (all->calls, 0);
      all->total_us = all->self_us;
      if (all->self_us > ROUNDING_US * all->n_apart)
        continue;
      g_hash_table_remove (gprof->by_name, name);
      g_ptr_array_remove (gprof->functions, all);
    }
}

static void
read_text (Gprof      *gprof,
           const char *text,
           gsize       length)
{
  const char *at = text, *end = text + length;
  gboolean in_flat = FALSE, rows = FALSE;
  KymoTextLine line;

  gprof->text = text;
  kymo_gprof_read_index (text, length, gprof->apart, gprof->shared);
  while (kymo_text_next_line (&at, end, &line))
    {
      KymoTextLine rest = line;

      kymo_text_skip_blanks (&rest);
      if (kymo_text_begins (&rest, FLAT))
        in_flat = TRUE;
      else if (kymo_text_begins (&rest, GRAPH))
        {
          read_graph (gprof, &at, end);
          in_flat = FALSE;
        }
      else if (in_flat && kymo_text_begins (&rest, "time "))
        {
          read_unit (gprof, rest);
          rows = TRUE;
        }
      else if (in_flat && rows && rest.p == rest.end)
        {
          gprof->flat_ended = TRUE;
          in_flat = rows = FALSE;
        }
      else if (in_flat && rows && !read_flat_row (gprof, line))
        note_bad (gprof, &line);
    }
  settle_shared (gprof);
}

/* As the graph counts calls; one that it does not count was called at least once. */
static double
calls_of (const Function *function)
{
  return !function->in_graph || function->calls > 0 ? function->calls
    : MAX (1, function->calls_in_flat);
}

static KymoRun *
make_run (Gprof                  *gprof,
          const char             *path,
          const KymoOpenOptions  *options,
          GError                **error)
{
  KymoProfileBuilder *builder = kymo_profile_builder_new (1);
  g_autoptr (GArray) threads = g_array_new (FALSE, TRUE, sizeof (KymoProfileThread));
  KymoProfilePart *part;
  GPtrArray *profiles;

  g_array_set_size (threads, 1);
  kymo_profile_set_limit (builder, options);
  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  part = kymo_profile_builder_add_part (builder);
  kymo_profile_part_begin (part, 0, 0);
  for (guint i = 0; i < gprof->functions->len; i++)
    {
      const Function *f = g_ptr_array_index (gprof->functions, i);
      guint32 event = kymo_profile_part_event (part, f->name, strlen (f->name), "", 0, 0);

      kymo_profile_part_add (part, event, 0, calls_of (f), f->subroutines, f->self_us,
                             f->total_us);
    }
  for (guint i = 0; i < gprof->arcs->len && !kymo_profile_builder_is_full (builder); i++)
    {
      const Arc *arc = &g_array_index (gprof->arcs, Arc, i);
      g_autofree char *name = g_strconcat (arc->caller->name, " => ", arc->callee->name, NULL);
      guint32 event = kymo_profile_part_event (part, name, strlen (name), "", 0,
                                               KYMO_PROFILE_PATH);

      kymo_profile_part_add (part, event, 0, arc->calls, 0, arc->self_us, arc->total_us);
    }
  profiles = kymo_profile_make (builder, path, 1, error);
  return profiles != NULL ? kymo_profile_run_new ("gprof", threads, profiles) : NULL;
}

static gboolean
is_gprof (const char *head,
          gsize       length)
{
  return memmem (head, length, FLAT, strlen (FLAT)) != NULL
    ? memmem (head, length, "cumulative", 10) != NULL
    : memmem (head, length, "index % time", 12) != NULL;
}

/* Whether a regular file begins like what gprof prints. */
static gboolean
gprof_knows (const char *path)
{
  char head[HEAD_BYTES];
  gsize n = kymo_input_read_head (AT_FDCWD, path, head, sizeof head);

  return n > 0 && is_gprof (head, n);
}

static gboolean
is_named_gprof (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return strstr (name, "gprof") != NULL && gprof_knows (path);
}

/* The one file of a folder that has gprof in its name and in its text. */
static char *
find_file (const char  *path,
           const char  *base,
           GError     **error)
{
  g_autofree char *list = NULL;
  char *file = kymo_profile_find_file (path, base, is_named_gprof, &list);

  if (file == NULL && list == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” holds no text of gprof"), path);
  else if (file == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                 _("“%s” holds several texts of gprof: %s; name one of them"), path, list);
  return file;
}

static void
gprof_init (Gprof      *gprof,
            KymoReport *report,
            const char *name)
{
  *gprof = (Gprof) { .report = report, .name = name, .call_us = 1e3 };
  gprof->functions = g_ptr_array_new_with_free_func (function_free);
  gprof->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  gprof->arcs = g_array_new (FALSE, FALSE, sizeof (Arc));
  gprof->apart = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gprof->shared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
gprof_clear (Gprof *gprof)
{
  g_hash_table_unref (gprof->by_name);
  g_hash_table_unref (gprof->apart);
  g_hash_table_unref (gprof->shared);
  g_ptr_array_unref (gprof->functions);
  g_array_unref (gprof->arcs);
}

static void
tell (const Gprof *gprof,
      KymoRun     *run)
{
  if (gprof->n_bad > 0)
    kymo_report_add (run->report, gprof->name, KYMO_SEVERITY_LOST, gprof->n_bad,
                     gprof->bad_offset,
                     N_("Lines of the profile that could not be understood were left out"));
  if (gprof->n_wild > 0)
    kymo_report_add (run->report, gprof->name, KYMO_SEVERITY_LOST, gprof->n_wild,
                     gprof->wild_offset,
                     N_("Rows with a figure that is no finite number, or is beyond 10^18, were "
                        "left out"));
  if (gprof->begun && !gprof->ended)
    kymo_report_add (run->report, gprof->name, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The call graph ends without an index: the text is cut off"));
  if (!gprof->begun && !gprof->flat_ended)
    kymo_report_add (run->report, gprof->name, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The flat profile does not end: the text is cut off"));
  else if (!gprof->begun)
    kymo_report_add (run->report, gprof->name, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The text has no call graph: who called whom is not known"));
}

static KymoRun *
gprof_read (const char             *path,
            const KymoOpenOptions  *options,
            KymoJob                *job,
            GError                **error)
{
  g_autofree char *file = find_file (path, options->base, error);
  g_autofree char *text = NULL, *name = NULL;
  Gprof gprof;
  KymoRun *run = NULL;
  gsize length;

  if (file == NULL)
    return NULL;
  if (!gprof_knows (file))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” is no text of gprof"), file);
      return NULL;
    }
  text = kymo_profile_read_whole (file, options->memory_limit_bytes, &length, error);
  if (text == NULL)
    return NULL;
  name = g_path_get_basename (file);
  gprof_init (&gprof, NULL, name);
  read_text (&gprof, text, length);
  if (gprof.functions->len == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” lists no function"), file);
  else if ((run = make_run (&gprof, file, options, error)) != NULL)
    {
      run->path = g_path_get_dirname (file);
      run->title = g_strdup (name);
      tell (&gprof, run);
      kymo_check_names (run, name);
      kymo_run_seal (run);
    }
  gprof_clear (&gprof);
  return run;
}

static KymoPart
gprof_part (const char  *folder,
            const char  *name,
            char       **base)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (!is_named_gprof (path))
    return KYMO_PART_NONE;
  *base = g_strdup (name);
  return KYMO_PART_BOTH;
}

const KymoFormat kymo_format_gprof =
{
  .id = "gprof",
  .kind = KYMO_FORMAT_PROFILE,
  .tool = "gprof",
  .label = N_("gprof profile"),
  .globs = KYMO_FORMAT_WORDS ("*gprof*"),
  .types = KYMO_FORMAT_WORDS ("application/x-gprof-text"),
  .read = gprof_read,
  .knows = gprof_knows,
  .part = gprof_part,
};
