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

#include "kymo-check-run.h"
#include "kymo-error.h"
#include "kymo-format.h"
#include "kymo-gprof-functions.h"
#include "kymo-input.h"
#include "kymo-profile-pool.h"
#include "kymo-profile-run.h"
#include "kymo-text-lines.h"

#define HEAD_BYTES (4 << 10)

/* With "-b -p" nothing stands behind the last row. Rounded shares add up to about this. */
#define LEAST_SHARE 99

/* Names are those of functions: one may be long, and have many arcs. */
typedef struct
{
  const KymoGprofFunction *caller, *callee;
  double calls, self_us, total_us;
} Arc;

typedef struct
{
  KymoReport *report;
  const char *name;             /* of the file */
  const char *text;
  KymoGprofFunctions *functions;
  GArray     *arcs;             /* Arc */
  double      call_us;          /* of "ms/call" and the like */
  gint64      n_bad, bad_offset;
  gint64      n_wild, wild_offset;      /* rows whose figures cannot be added up */
  double      share;            /* sum of "% time" in the flat profile */
  gboolean    flat_ended;       /* by a blank line */
  gboolean    cut;              /* within a line */
  gboolean    begun, ended;     /* the call graph; its index was there */
} Gprof;

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
are_figures (const KymoGprofLine *line)
{
  double figures[] = { line->self * 1e6, line->children * 1e6, line->calls };

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
  KymoGprofFunction *function;

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
  gprof->share += share;
  if (!kymo_profile_are_figures (figures, G_N_ELEMENTS (figures)))
    {
      note_wild (gprof, &line);
      return TRUE;
    }
  name = g_strndup (line.p, line.end - line.p);
  function = kymo_gprof_functions_find_row (gprof->functions, name);
  function->self_us += figures[0];
  function->calls += figures[1];
  function->total_us += figures[2];
  return TRUE;
}

/* The line of the function that an entry is about: "[3]  68.1  self children called name". */
static KymoGprofFunction *
read_primary (Gprof        *gprof,
              KymoTextLine  line)
{
  KymoGprofLine told;
  double share;
  KymoTextLine word;
  g_autofree char *name = NULL;
  KymoGprofFunction *function;

  kymo_text_next_word (&line);
  word = kymo_text_next_word (&line);
  if (!kymo_text_number (&word, &share))
    return NULL;
  name = kymo_gprof_scan_line (line, &told);
  if (name != NULL && !are_figures (&told))
    note_wild (gprof, &line);
  if (name == NULL || !are_figures (&told))
    return NULL;
  function = kymo_gprof_functions_find_node (gprof->functions, name, told.number);
  function->in_graph = TRUE;
  function->calls += told.calls;
  function->self_us += to_us (told.self, 1e6);
  function->total_us += to_us (told.self, 1e6) + to_us (told.children, 1e6);
  return function;
}

static void
read_callee (Gprof        *gprof,
             KymoGprofFunction     *caller,
             KymoTextLine  line)
{
  KymoGprofLine told;
  Arc arc = { .caller = caller };
  g_autofree char *name = kymo_gprof_scan_line (line, &told);

  if (name == NULL)
    {
      note_bad (gprof, &line);
      return;
    }
  if (!are_figures (&told))
    {
      note_wild (gprof, &line);
      return;
    }
  arc.callee = kymo_gprof_functions_find_node (gprof->functions, name, told.number);
  arc.calls = told.calls;
  arc.self_us = to_us (told.self, 1e6);
  arc.total_us = arc.self_us + to_us (told.children, 1e6);
  caller->subroutines += arc.calls;
  g_array_append_val (gprof->arcs, arc);
}

/* Lines of the call graph: callers, the function itself, callees, dashes. */
static void
read_graph (Gprof       *gprof,
            const char **at,
            const char  *end)
{
  KymoGprofFunction *primary = NULL;
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

static void
read_text (Gprof      *gprof,
           const char *text,
           gsize       length)
{
  const char *at = text, *end = text + length;
  gboolean in_flat = FALSE, rows = FALSE;
  KymoTextLine line;

  gprof->text = text;
  gprof->cut = length > 0 && text[length - 1] != '\n';
  gprof->functions = kymo_gprof_functions_new (text, length);
  while (kymo_text_next_line (&at, end, &line))
    {
      KymoTextLine rest = line;

      kymo_text_skip_blanks (&rest);
      if (kymo_text_begins (&rest, KYMO_GPROF_FLAT))
        in_flat = TRUE;
      else if (kymo_text_begins (&rest, KYMO_GPROF_GRAPH))
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
  kymo_gprof_functions_settle (gprof->functions);
}

/* As the graph counts calls; one that it does not count was called at least once. */
static double
calls_of (const KymoGprofFunction *function)
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
  for (guint i = 0; i < gprof->functions->all->len; i++)
    {
      const KymoGprofFunction *f = g_ptr_array_index (gprof->functions->all, i);
      guint32 event;

      if (f->name == NULL)
        continue;
      event = kymo_profile_part_event (part, f->name, strlen (f->name), "", 0, 0);
      kymo_profile_part_add (part, event, 0, calls_of (f), f->subroutines, f->self_us,
                             f->total_us);
    }
  for (guint i = 0; i < gprof->arcs->len && !kymo_profile_builder_is_full (builder); i++)
    {
      const Arc *arc = &g_array_index (gprof->arcs, Arc, i);
      g_autofree char *name = g_strconcat (kymo_gprof_function_peek_name (arc->caller), " => ",
                                           kymo_gprof_function_peek_name (arc->callee), NULL);
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
  return memmem (head, length, KYMO_GPROF_FLAT, strlen (KYMO_GPROF_FLAT)) != NULL
    ? memmem (head, length, "cumulative", 10) != NULL
    : memmem (head, length, "index % time", 12) != NULL;
}

/* TRUE if it is a regular file that begins like output of gprof. */
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
  gprof->arcs = g_array_new (FALSE, FALSE, sizeof (Arc));
}

static void
gprof_clear (Gprof *gprof)
{
  g_clear_pointer (&gprof->functions, kymo_gprof_functions_free);
  g_array_unref (gprof->arcs);
}

static void
tell_gprof (const Gprof *gprof,
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
  if (!gprof->begun && !gprof->flat_ended && (gprof->cut || !(gprof->share >= LEAST_SHARE)))
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
  if (gprof.functions->all->len == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” lists no function"), file);
  else if ((run = make_run (&gprof, file, options, error)) != NULL)
    {
      run->path = g_path_get_dirname (file);
      run->title = g_strdup (name);
      tell_gprof (&gprof, run);
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
