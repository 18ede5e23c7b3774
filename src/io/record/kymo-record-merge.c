/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The definitions of all processes become those of one run, as an archive would have them: what
 * means the same in several processes gets one number. Functions are the same by all that their
 * lines say, files by their path, communicators by the rank that numbered them, and the n-th
 * window, or handle of a file, of a communicator is the same in all its processes.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "kymo-record-merge.h"

/* Of a class of metrics, before the number of the process that it is of. */
#define PROCESS_SCOPE "process "

/* More ranks than this are not believed. */
#define MOST_RANKS (1u << 20)

/**
 * kymo_record_intern:
 * @key: (transfer full): what the thing is, after a letter for its kind
 * @is_new: (out): whether it was not known
 *
 * Returns: number of the thing among those of its kind
 */
guint32
kymo_record_intern (KymoRecordMerge *merge,
                    char            *key,
                    gboolean        *is_new)
{
  guint kind = (guint) key[0] % G_N_ELEMENTS (merge->n);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (merge->numbers, key));

  *is_new = number == 0;
  if (number > 0)
    {
      g_free (key);
      return number - 1;
    }
  kymo_otf2_defs_charge (merge->defs, strlen (key));
  g_hash_table_insert (merge->numbers, key, GUINT_TO_POINTER (++merge->n[kind]));
  return merge->n[kind] - 1;
}

/**
 * kymo_record_text:
 * @text: any text
 *
 * Returns: its number among the strings of the run
 */
guint32
kymo_record_text (KymoRecordMerge *merge,
                  const char      *text)
{
  gboolean is_new;
  guint32 number = kymo_record_intern (merge, g_strconcat ("s", text, NULL), &is_new);

  if (is_new)
    merge->calls.String (merge->defs, number, text);
  return number;
}

static guint32
node_of (KymoRecordMerge *merge,
         guint32          parent,
         const char      *class_name,
         const char      *name)
{
  gboolean is_new;
  guint32 number = kymo_record_intern (
    merge, g_strdup_printf ("n%u\t%s\t%s", parent, class_name, name), &is_new);

  if (is_new)
    merge->calls.SystemTreeNode (merge->defs, number, kymo_record_text (merge, name),
                                 kymo_record_text (merge, class_name), parent);
  return number;
}

/**
 * kymo_record_set_id:
 * @id: of a thing, as the process numbers it
 * @number: of the thing in the run
 *
 * Remembers the number for the events of the process.
 */
void
kymo_record_set_id (KymoRecordProcess *process,
                    KymoRecordKind     kind,
                    guint              id,
                    guint32            number)
{
  static const guint32 none = KYMO_OTF2_NONE;
  GArray *ids = process->ids[kind];

  while (ids->len <= id)
    g_array_append_val (ids, none);
  g_array_index (ids, guint32, id) = number;
}

/**
 * kymo_record_get_id:
 * @field: id of a thing, as the process numbers it
 *
 * Returns: number of the thing in the run, or %KYMO_OTF2_NONE
 */
guint32
kymo_record_get_id (const KymoRecordProcess *process,
                    KymoRecordKind           kind,
                    const char              *field)
{
  guint64 id;

  return kymo_record_number (field, G_MAXUINT32 - 1, &id) && id < process->ids[kind]->len
    ? g_array_index (process->ids[kind], guint32, id) : KYMO_OTF2_NONE;
}

/**
 * kymo_record_world_of:
 *
 * Returns: (transfer none) (nullable): the world of a process, owned by @merge
 */
const KymoRecordWorld *
kymo_record_world_of (const KymoRecordMerge   *merge,
                      const KymoRecordProcess *process)
{
  return process->world != NULL ? g_hash_table_lookup (merge->worlds, process->world) : NULL;
}

/**
 * kymo_record_count_of:
 * @what: what is made, and on what
 *
 * Returns: how often the process made it before
 */
guint
kymo_record_count_of (KymoRecordMerge         *merge,
                      const KymoRecordProcess *process,
                      const char              *what)
{
  g_autofree char *key = g_strdup_printf ("#%s\t%s", process->name, what);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (merge->numbers, key));

  g_hash_table_insert (merge->numbers, g_steal_pointer (&key), GUINT_TO_POINTER (n + 1));
  return n;
}

/* -- worlds and locations ---------------------------------------------------- */

/* Gives the process its rank in the run, which it loses where another one has it. */
static void
add_world (KymoRecordMerge   *merge,
           KymoRecordProcess *process,
           GHashTable        *taken)
{
  KymoRecordWorld *world = process->world != NULL
    ? g_hash_table_lookup (merge->worlds, process->world) : NULL;

  if (process->world == NULL)
    return;
  if (world == NULL && process->size <= MOST_RANKS - merge->n_ranks)
    {
      world = g_new (KymoRecordWorld, 1);
      *world = (KymoRecordWorld) { merge->n_ranks, (guint) process->size };
      merge->n_ranks += world->size;
      g_hash_table_insert (merge->worlds, g_strdup (process->world), world);
    }
  if (world == NULL || process->rank >= world->size
      || !g_hash_table_add (taken, GUINT_TO_POINTER (world->first + process->rank + 1)))
    {
      process->n_odd_lines++;
      g_clear_pointer (&process->world, g_free);
    }
}

static char *
dup_name (const KymoRecordProcess *process,
          const KymoRecordWorld   *world)
{
  g_autofree char *program = g_path_get_basename (process->program);

  if (world != NULL)
    return g_strdup_printf ("MPI Rank %u", world->first + (guint) process->rank);
  return g_strdup_printf ("%s (process %" G_GINT64_FORMAT ")", program, process->pid);
}

/* What a thread calls itself, or what it is. */
static char *
dup_thread (const KymoRecordProcess *process,
            const KymoRecordFile    *file)
{
  for (guint i = 0; i < process->threads->len && !file->system; i++)
    {
      char **fields = process->threads->pdata[i];
      guint64 n;

      if (kymo_record_number (fields[1], G_MAXINT32, &n) && n == file->number
          && *fields[3] != '\0')
        return g_strdup (fields[3]);
    }
  return file->system ? g_strdup_printf ("samples %u", file->number)
    : file->number == 0 ? g_strdup ("main thread") : g_strdup_printf ("thread %u", file->number);
}

static guint32
node_of_process (KymoRecordMerge         *merge,
                 const KymoRecordProcess *process)
{
  return node_of (merge, merge->machine, "node", process->host);
}

static void
add_locations (KymoRecordMerge   *merge,
               KymoRecordProcess *process,
               guint32            group)
{
  const KymoRecordWorld *world = kymo_record_world_of (merge, process);
  g_autofree char *name = dup_name (process, world);
  gboolean is_first = TRUE;

  merge->calls.LocationGroup (merge->defs, group, kymo_record_text (merge, name),
                              OTF2_LOCATION_GROUP_TYPE_PROCESS, node_of_process (merge, process),
                              OTF2_UNDEFINED_LOCATION_GROUP);
  for (guint i = 0; i < process->files->len; i++)
    {
      KymoRecordFile *file = process->files->pdata[i];
      guint64 location = merge->record->files->len;
      g_autofree char *thread = dup_thread (process, file);

      file->location = (guint) location;
      g_ptr_array_add (merge->record->files, file);
      merge->calls.Location (merge->defs, location, kymo_record_text (merge, thread),
                             file->system ? OTF2_LOCATION_TYPE_METRIC
                             : OTF2_LOCATION_TYPE_CPU_THREAD, OTF2_UNDEFINED_UINT64, group);
      if (is_first && !file->system && world != NULL)
        g_array_index (merge->locations, guint64, world->first + process->rank) = location;
      is_first &= file->system;
    }
}

/* -- functions, files, metrics -------------------------------------------------- */

static guint8
small_number (const char *field)
{
  guint64 number;

  return kymo_record_number (field, G_MAXUINT8, &number) ? (guint8) number : 0;
}

static void
add_region (KymoRecordMerge    *merge,
            KymoRecordProcess  *process,
            guint               id,
            char              **fields)
{
  const char *file = kymo_record_field (fields, 5), *line = kymo_record_field (fields, 6);
  gboolean is_new;
  guint32 number = kymo_record_intern (
    merge, g_strdup_printf ("r%s\t%s\t%s\t%s\t%s", fields[2], fields[3], fields[4], file, line),
    &is_new);
  guint64 line_number;

  if (!kymo_record_number (line, G_MAXUINT32, &line_number))
    line_number = 0;
  if (is_new)
    merge->calls.Region (merge->defs, number, kymo_record_text (merge, fields[4]),
                         kymo_record_text (merge, fields[4]), OTF2_UNDEFINED_STRING,
                         small_number (fields[2]), small_number (fields[3]),
                         OTF2_REGION_FLAG_NONE, kymo_record_text (merge, file),
                         (uint32_t) line_number, 0);
  kymo_record_set_id (process, KYMO_RECORD_REGION, id, number);
}

static void
add_file (KymoRecordMerge    *merge,
          KymoRecordProcess  *process,
          guint               id,
          char              **fields)
{
  gboolean is_new;
  guint32 number = kymo_record_intern (merge, g_strconcat ("f", fields[2], NULL), &is_new);

  if (is_new)
    merge->calls.IoRegularFile (merge->defs, number, kymo_record_text (merge, fields[2]),
                                OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  kymo_record_set_id (process, KYMO_RECORD_FILE, id, number);
}

static guint32
paradigm_of (KymoRecordMerge *merge,
             const char      *field)
{
  static const char *const names[] = { "POSIX", "ISOC", "MPI-IO", "libnfs" };
  guint8 paradigm = small_number (field);
  gboolean is_new;
  guint32 number = kymo_record_intern (merge, g_strdup_printf ("p%u", paradigm), &is_new);

  if (is_new)
    merge->calls.IoParadigm (merge->defs, number, kymo_record_text (merge, ""),
                             kymo_record_text (merge, paradigm < G_N_ELEMENTS (names)
                                               ? names[paradigm] : ""),
                             OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL,
                             NULL, NULL);
  return number;
}

static void
add_handle (KymoRecordMerge    *merge,
            KymoRecordProcess  *process,
            guint               id,
            char              **fields)
{
  guint32 file = kymo_record_get_id (process, KYMO_RECORD_FILE, fields[2]);
  guint32 comm = kymo_record_get_id (process, KYMO_RECORD_COMM, fields[4]);
  g_autofree char *what = g_strdup_printf ("h%u\t%u", file, comm);
  gboolean is_new;
  guint32 number = kymo_record_intern (
    merge, comm != KYMO_OTF2_NONE
    ? g_strdup_printf ("h%s\t%u", what, kymo_record_count_of (merge, process, what))
    : g_strdup_printf ("h%s\t%u", process->name, id), &is_new);

  if (is_new)
    merge->calls.IoHandle (merge->defs, number,
                           kymo_record_text (merge, kymo_record_field (fields, 5)), file,
                           paradigm_of (merge, fields[3]), OTF2_IO_HANDLE_FLAG_NONE, comm,
                           OTF2_UNDEFINED_IO_HANDLE);
  kymo_record_set_id (process, KYMO_RECORD_HANDLE, id, number);
}

/* NAME;UNIT;TYPE;MODE: names may have semicolons. */
static guint32
member_of (KymoRecordMerge *merge,
           const char      *field)
{
  gboolean is_new;
  guint32 number = kymo_record_intern (merge, g_strconcat ("m", field, NULL), &is_new);
  g_autofree char *text = g_strdup (field);
  const char *rest[3] = { "", "", "" };         /* mode, type, unit */

  for (guint i = 0; i < G_N_ELEMENTS (rest) && is_new; i++)
    {
      char *mark = strrchr (text, ';');

      if (mark == NULL)
        break;
      *mark = '\0';
      rest[i] = mark + 1;
    }
  if (is_new)
    merge->calls.MetricMember (merge->defs, number, kymo_record_text (merge, text),
                               kymo_record_text (merge, ""),
                               OTF2_METRIC_TYPE_OTHER, small_number (rest[0]),
                               g_str_equal (rest[1], "double") ? OTF2_TYPE_DOUBLE
                               : g_str_equal (rest[1], "i64") ? OTF2_TYPE_INT64
                               : OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
                               kymo_record_text (merge, rest[2]));
  return number;
}

/* Of which process a class is: one process of a node samples the others, too. NULL where it is of
   the node or of a resource. */
static const KymoRecordProcess *
sampled_process (const KymoRecordMerge   *merge,
                 const KymoRecordProcess *process,
                 const char              *scope)
{
  gint64 pid;

  if (g_str_equal (scope, "process") || g_str_equal (scope, "thread"))
    return process;
  if (!g_str_has_prefix (scope, PROCESS_SCOPE))
    return NULL;
  pid = g_ascii_strtoll (scope + strlen (PROCESS_SCOPE), NULL, 10);
  for (guint i = 0; i < merge->record->processes->len; i++)
    {
      const KymoRecordProcess *other = merge->record->processes->pdata[i];

      if (other->pid == pid && g_str_equal (other->host, process->host))
        return other;
    }
  return NULL;
}

/* The class itself; what is measured of more than a thread has an instance in each process. */
static void
add_class (KymoRecordMerge    *merge,
           KymoRecordProcess  *process,
           guint               id,
           char              **fields)
{
  gboolean strict = g_str_equal (fields[2], "thread"), is_new;
  g_autofree char *rest = g_strjoinv ("\t", fields + 3);
  guint32 number = kymo_record_intern (merge, g_strdup_printf ("k%d\t%s", strict, rest), &is_new);
  guint32 instance = merge->n['i'], members[G_MAXUINT8], scope;
  const KymoRecordProcess *sampled = sampled_process (merge, process, fields[2]);
  gboolean is_node = g_str_equal (fields[2], "node")
    || g_str_has_prefix (fields[2], PROCESS_SCOPE);
  guint n = 0;

  for (; is_new && n < G_MAXUINT8 && fields[3 + n] != NULL; n++)
    members[n] = member_of (merge, fields[3 + n]);
  /* Classes and instances are numbered together: classes have the even numbers. */
  if (is_new)
    merge->calls.MetricClass (merge->defs, 2 * number, (uint8_t) n, members,
                              strict ? OTF2_METRIC_SYNCHRONOUS_STRICT : OTF2_METRIC_ASYNCHRONOUS,
                              OTF2_RECORDER_KIND_ABSTRACT);
  kymo_record_set_id (process, KYMO_RECORD_CLASS, id, 2 * number);
  if (strict)
    return;
  scope = sampled != NULL ? 0 : node_of_process (merge, process);
  if (sampled == NULL && !is_node)
    scope = node_of (merge, scope, "resource", fields[2]);
  for (guint i = 0; sampled != NULL && i < merge->record->processes->len; i++)
    if (merge->record->processes->pdata[i] == sampled)
      scope = i;
  merge->n['i']++;
  merge->calls.MetricInstance (merge->defs, 2 * instance + 1, 2 * number, 0,
                               sampled != NULL ? OTF2_SCOPE_LOCATION_GROUP
                               : OTF2_SCOPE_SYSTEM_TREE_NODE, scope);
  kymo_record_set_id (process, KYMO_RECORD_CLASS, id, 2 * instance + 1);
}

/* -- all ------------------------------------------------------------------------- */

static void
add_properties (KymoRecordMerge         *merge,
                const KymoRecordProcess *process,
                guint32                  group)
{
  for (guint i = 0; i < process->properties->len; i++)
    {
      char **fields = process->properties->pdata[i];
      OTF2_AttributeValue value;

      value.stringRef = kymo_record_text (merge, fields[2]);
      merge->calls.LocationGroupProperty (merge->defs, group, kymo_record_text (merge, fields[1]),
                                          OTF2_TYPE_STRING, value);
    }
}

static void
add_things (KymoRecordMerge   *merge,
            KymoRecordProcess *process)
{
  static void (*const add[]) (KymoRecordMerge             *merge,
                              KymoRecordProcess *process,
                              guint              id,
                              char             **fields) =
  {
    [KYMO_RECORD_REGION] = add_region,
    [KYMO_RECORD_COMM] = kymo_record_add_comm,
    [KYMO_RECORD_WIN] = kymo_record_add_win,
    [KYMO_RECORD_FILE] = add_file,
    [KYMO_RECORD_HANDLE] = add_handle,
    [KYMO_RECORD_CLASS] = add_class,
  };

  for (guint kind = 0; kind < KYMO_RECORD_N_KINDS; kind++)
    for (guint i = 0; i < process->lines[kind]->len; i++)
      if (process->lines[kind]->pdata[i] != NULL
          && merge->defs->n_bytes <= merge->defs->most_bytes)
        add[kind] (merge, process, i, process->lines[kind]->pdata[i]);
}

/* Of calls that the record cuts; in one that is whole there are none. */
static void
add_parameters (KymoRecordMerge *merge)
{
  static const char *const names[] = { "begin not recorded", "end not recorded" };
  gboolean are_whole = TRUE;

  for (guint i = 0; i < merge->record->processes->len; i++)
    {
      const KymoRecordProcess *process = merge->record->processes->pdata[i];

      are_whole &= process->is_whole && !process->has_stopped && !process->is_ring;
    }
  for (guint i = 0; i < G_N_ELEMENTS (names) && !are_whole; i++)
    merge->calls.Parameter (merge->defs, i, kymo_record_text (merge, names[i]),
                            OTF2_PARAMETER_TYPE_UINT64);
  merge->record->marks_cuts = !are_whole;
}

/* The clock of the run begins with the first moment that any process told. */
static void
add_clock (KymoRecordMerge *merge)
{
  GPtrArray *processes = merge->record->processes;
  guint64 first_ns = G_MAXUINT64, real_ns = 0;

  for (guint i = 0; i < processes->len; i++)
    {
      const KymoRecordProcess *process = processes->pdata[i];
      const KymoRecordMoment *moment = (gpointer) process->moments->data;
      guint64 ns;

      if (kymo_record_has_clock (process) && kymo_record_to_ns (process, moment->ticks, &ns)
          && ns < first_ns)
        {
          first_ns = ns;
          real_ns = (guint64) moment->real_ns;
        }
    }
  if (first_ns != G_MAXUINT64)
    merge->calls.ClockProperties (merge->defs, G_GUINT64_CONSTANT (1000000000), first_ns, 0,
                                  real_ns);
}

/**
 * kymo_record_merge:
 * @record: with its processes; they get the numbers of what they define, and @record its files
 * @defs: (inout): empty; gets the definitions of the run
 */
void
kymo_record_merge (KymoRecord   *record,
                   KymoOtf2Defs *defs)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) worlds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) locations = g_array_new (FALSE, FALSE, sizeof (guint64));
  KymoRecordMerge merge = { .record = record, .defs = defs, .numbers = numbers, .worlds = worlds,
                  .locations = locations };
  guint64 none = OTF2_UNDEFINED_LOCATION;

  kymo_otf2_defs_calls_init (&merge.calls);
  add_clock (&merge);
  merge.machine = node_of (&merge, OTF2_UNDEFINED_SYSTEM_TREE_NODE, "machine", "machine");
  for (guint i = 0; i < record->processes->len; i++)
    add_world (&merge, record->processes->pdata[i], taken);
  for (guint i = 0; i < merge.n_ranks; i++)
    g_array_append_val (locations, none);
  for (guint i = 0; i < record->processes->len; i++)
    add_locations (&merge, record->processes->pdata[i], i);
  if (merge.n_ranks > 0)
    {
      merge.calls.Group (defs, KYMO_RECORD_GROUP_LOCATIONS, kymo_record_text (&merge, ""),
                         OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                         merge.n_ranks, (const uint64_t *) (gpointer) locations->data);
      merge.calls.Group (defs, KYMO_RECORD_GROUP_SELF, kymo_record_text (&merge, ""),
                         OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0,
                         NULL);
    }
  add_parameters (&merge);
  for (guint i = 0; i < record->processes->len; i++)
    {
      add_properties (&merge, record->processes->pdata[i], i);
      add_things (&merge, record->processes->pdata[i]);
    }
}
