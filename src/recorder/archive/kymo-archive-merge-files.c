/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files, I/O handles and metrics.
 */
#include "kymo-archive-merge.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- input and output ---------------------------------------------------------------- */

/**
 * kymo_archive_adding_file:
 *
 * Takes a line `file`: files are the same if their paths are, on whichever node.
 */
void
kymo_archive_adding_file (KymoArchiveAdding     *adding,
                          const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  uint32_t name, number;
  uint64_t id;

  if (!kymo_archive_get_number (line->field[1], UINT32_MAX, &id))
    return;
  name = kymo_archive_merge_string (merge, line->field[2]);
  number = kymo_archive_pool_add (&merge->files, &name, sizeof name);
  if (number == KYMO_ARCHIVE_NONE)
    return;
  if (number == KYMO_ARCHIVE_COUNT (&merge->file_list, KymoArchiveFilePath))
    {
      KymoArchiveFilePath path = { .name = name, .node = adding->node };

      kymo_archive_bytes_add (&merge->file_list, &path, sizeof path);
    }
  else if (!merge->file_list.failed)
    {
      KymoArchiveFilePath *path = &KYMO_ARCHIVE_AT (&merge->file_list, KymoArchiveFilePath)[number];

      if (path->node != adding->node)
        path->node = KYMO_ARCHIVE_NONE;
    }
  kymo_archive_table_set (adding->table, KYMO_ARCHIVE_FILES, id, number);
}

/* Ids, or KYMO_ARCHIVE_NONE where the field names nothing. */
static uint32_t
find_named (const KymoArchiveAdding *adding,
            KymoArchiveKind          kind,
            const char              *field)
{
  uint64_t id;

  return kymo_archive_get_number (field, UINT32_MAX - 1, &id)
    ? kymo_archive_table_get (adding->table, kind, (uint32_t) id) : KYMO_ARCHIVE_NONE;
}

/* -- files that others change --------------------------------------------------------- */

/** MOST_CHANGED: more files that others change say no more */
#define MOST_CHANGED 64

/* The file of a local id; NULL if there is none. */
static KymoArchiveFilePath *
find_path (const KymoArchiveAdding *adding,
           const char              *field)
{
  uint32_t number = find_named (adding, KYMO_ARCHIVE_FILES, field);

  return number < KYMO_ARCHIVE_COUNT (&adding->merge->file_list, KymoArchiveFilePath)
    ? &KYMO_ARCHIVE_AT (&adding->merge->file_list, KymoArchiveFilePath)[number] : NULL;
}

/**
 * kymo_archive_adding_written:
 *
 * Takes a line `written`: what changes the file is the run itself, under whichever name.
 */
void
kymo_archive_adding_written (KymoArchiveAdding     *adding,
                             const KymoArchiveLine *line)
{
  KymoArchiveFilePath *path = find_path (adding, line->field[1]);
  uint64_t inode;

  if (path != NULL)
    path->is_written = true;
  if (kymo_archive_get_number (line->field[2], UINT64_MAX, &inode) && inode != 0)
    kymo_archive_bytes_add (&adding->merge->written, &inode, sizeof inode);
}

/**
 * kymo_archive_adding_changed:
 *
 * Takes a line `changed`. Several processes see the same changes: those of one count.
 */
void
kymo_archive_adding_changed (KymoArchiveAdding     *adding,
                             const KymoArchiveLine *line)
{
  KymoArchiveFilePath *path = find_path (adding, line->field[1]);
  uint64_t n, inode;

  if (path == NULL || !kymo_archive_get_number (line->field[2], UINT32_MAX, &n)
      || !kymo_archive_get_number (line->field[3], UINT64_MAX, &inode) || n <= path->n_changed)
    return;
  path->n_changed = n;
  path->inode = inode;
}

static int
compare_inodes (const void *a,
                const void *b)
{
  const uint64_t *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* The inodes are sorted. */
static bool
is_own (const KymoArchiveMerge    *merge,
        const KymoArchiveFilePath *path)
{
  return path->is_written
    || (merge->written.n > 0
        && bsearch (&path->inode, merge->written.at, KYMO_ARCHIVE_COUNT (&merge->written, uint64_t),
                    sizeof (uint64_t), compare_inodes) != NULL);
}

/**
 * kymo_archive_merge_changes:
 *
 * Tells as properties of the first process which files others changed, and how often.
 */
void
kymo_archive_merge_changes (KymoArchiveMerge *merge)
{
  const KymoArchiveFilePath *paths = KYMO_ARCHIVE_AT (&merge->file_list, KymoArchiveFilePath);
  size_t n_paths = KYMO_ARCHIVE_COUNT (&merge->file_list, KymoArchiveFilePath);
  unsigned n_told = 0;

  if (merge->written.n > 0)
    qsort (merge->written.at, KYMO_ARCHIVE_COUNT (&merge->written, uint64_t), sizeof (uint64_t),
           compare_inodes);
  for (size_t i = 0; i < n_paths && n_told < MOST_CHANGED; i++)
    {
      char name[4200], value[24];
      size_t n_bytes;

      if (paths[i].n_changed == 0 || is_own (merge, &paths[i]))
        continue;
      snprintf (name, sizeof name, "Files Changed by Others.%.4096s",
                (const char *) kymo_archive_pool_get (&merge->strings, paths[i].name, &n_bytes));
      /* A name of a property has none of these. */
      for (char *c = strpbrk (name, "=[]"); c != NULL; c = strpbrk (c, "=[]"))
        *c = '_';
      snprintf (value, sizeof value, "%llu", (unsigned long long) paths[i].n_changed);
      KymoArchiveProperty property = { 0, kymo_archive_merge_string (merge, name),
                                       kymo_archive_merge_string (merge, value) };

      kymo_archive_bytes_add (&merge->properties, &property, sizeof property);
      n_told++;
    }
}

/* -- handles -------------------------------------------------------------------------- */

/**
 * kymo_archive_adding_handle:
 *
 * Takes a line `handle`. A handle of a communicator is the same in all its processes: the n-th
 * that they opened for that file. Others are each process's own.
 */
void
kymo_archive_adding_handle (KymoArchiveAdding     *adding,
                            const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  KymoArchiveHandle handle = {
    .file = find_named (adding, KYMO_ARCHIVE_FILES, line->field[2]),
    .comm = find_named (adding, KYMO_ARCHIVE_COMMS, line->field[4]),
  };
  uint64_t id, paradigm;
  uint32_t number;

  if (!kymo_archive_get_number (line->field[1], UINT32_MAX, &id)
      || !kymo_archive_get_number (line->field[3], KYMO_ARCHIVE_N_PARADIGMS - 1, &paradigm))
    return;
  handle.name = kymo_archive_merge_string (merge, line->field[5]);
  handle.paradigm = (uint32_t) paradigm;
  if (handle.comm != KYMO_ARCHIVE_NONE)
    {
      uint32_t key[] = { 1, handle.file, handle.comm, 0 };

      key[3] = kymo_archive_adding_count (adding, KYMO_ARCHIVE_HANDLES, handle.file, handle.comm);
      number = kymo_archive_pool_add (&merge->handles, key, sizeof key);
    }
  else
    {
      uint32_t key[] = { 0, adding->index, (uint32_t) id };

      number = kymo_archive_pool_add (&merge->handles, key, sizeof key);
    }
  if (number == KYMO_ARCHIVE_COUNT (&merge->handle_list, KymoArchiveHandle))
    kymo_archive_bytes_add (&merge->handle_list, &handle, sizeof handle);
  kymo_archive_table_set (adding->table, KYMO_ARCHIVE_HANDLES, id, number);
}

/**
 * kymo_archive_adding_open:
 *
 * Takes a line `=open`: the handle was open before the program began.
 */
void
kymo_archive_adding_open (KymoArchiveAdding     *adding,
                          const KymoArchiveLine *line)
{
  uint32_t number = find_named (adding, KYMO_ARCHIVE_HANDLES, line->field[1]);

  if (number != KYMO_ARCHIVE_NONE && !adding->merge->handle_list.failed)
    KYMO_ARCHIVE_AT (&adding->merge->handle_list, KymoArchiveHandle)[number].is_open = true;
}

/* -- metrics ------------------------------------------------------------------------- */

/* Cuts `;FIELD` off the end of a text. */
static const char *
cut_field (char *text)
{
  char *mark = strrchr (text, ';');

  if (mark == NULL)
    return "";
  *mark = '\0';
  return mark + 1;
}

/* NAME;UNIT;TYPE;MODE; names may have semicolons. */
static uint32_t
add_member (KymoArchiveMerge *merge,
            const char       *field)
{
  KymoArchiveMetricMember member = { 0 };
  char text[4096];
  const char *type;
  uint64_t mode = 0;

  strncpy (text, field, sizeof text - 1);
  text[sizeof text - 1] = '\0';
  kymo_archive_get_number (cut_field (text), UINT8_MAX, &mode);
  type = cut_field (text);
  member.type = strcmp (type, "i64") == 0 ? OTF2_TYPE_INT64
    : strcmp (type, "double") == 0 ? OTF2_TYPE_DOUBLE : OTF2_TYPE_UINT64;
  member.unit = kymo_archive_merge_string (merge, cut_field (text));
  member.name = kymo_archive_merge_string (merge, text);
  member.mode = (uint32_t) mode;
  return kymo_archive_pool_add (&merge->members, &member, sizeof member);
}

/**
 * kymo_archive_adding_class:
 *
 * Takes a line `class`.
 */
void
kymo_archive_adding_class (KymoArchiveAdding     *adding,
                           const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  uint32_t key[256], n = 0, scope;
  uint64_t id;
  size_t n_scopes = KYMO_ARCHIVE_COUNT (&adding->scopes, uint32_t);

  if (!kymo_archive_get_number (line->field[1], UINT32_MAX, &id) || line->n < 4)
    return;
  key[n++] = strcmp (line->field[2], "thread") == 0 ? OTF2_METRIC_SYNCHRONOUS_STRICT
    : OTF2_METRIC_ASYNCHRONOUS;
  for (unsigned i = 3; i < line->n && n < 256; i++)
    key[n++] = add_member (merge, line->field[i]);
  kymo_archive_table_set (adding->table, KYMO_ARCHIVE_CLASSES, id,
                          kymo_archive_pool_add (&merge->classes, key, n * sizeof *key));
  if (kymo_archive_table_get (adding->table, KYMO_ARCHIVE_CLASSES, (uint32_t) id)
      == KYMO_ARCHIVE_NONE)
    return;
  if (id >= n_scopes)
    kymo_archive_bytes_grow (&adding->scopes, (size_t) (id + 1 - n_scopes) * sizeof scope);
  scope = kymo_archive_merge_string (merge, line->field[2]) + 1;
  if (!adding->scopes.failed)
    KYMO_ARCHIVE_AT (&adding->scopes, uint32_t)[id] = scope;
}

/* What samples are about: a process of the node, the node, or a thing that it has. */
static void
set_scope (KymoArchiveAdding *adding,
           KymoArchiveMetric *metric,
           const char        *scope)
{
  KymoArchiveMerge *merge = adding->merge;
  const KymoArchiveLocationGroup *groups = KYMO_ARCHIVE_AT (&merge->location_groups,
                                                            KymoArchiveLocationGroup);
  char *name;

  metric->node = adding->node;
  if (strcmp (scope, "process") == 0 || strcmp (scope, "thread") == 0)
    metric->pid = groups[adding->group].pid;
  else if (strncmp (scope, "process ", 8) == 0)
    kymo_archive_get_number (scope + 8, UINT32_MAX, &metric->pid);
  else if (strcmp (scope, "node") != 0)
    {
      /* Adding a string may move the others. */
      name = strdup (scope);
      metric->node = name != NULL
        ? kymo_archive_merge_node (merge, adding->node, "resource", name) : KYMO_ARCHIVE_NONE;
      merge->failed = merge->failed || metric->node == KYMO_ARCHIVE_NONE;
      free (name);
    }
}

/**
 * kymo_archive_adding_metric:
 *
 * Takes a line `=metric`: samples that a helper thread takes, of the process, its node or a
 * resource of the node.
 */
void
kymo_archive_adding_metric (KymoArchiveAdding     *adding,
                            const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  KymoArchiveMetric metric = { .location = kymo_archive_adding_find (adding, line->field[1],
                                                                      true) };
  KymoArchiveInstance instance;
  uint64_t n, id;
  size_t n_bytes;

  if (!kymo_archive_get_number (line->field[1], UINT32_MAX - 1, &n)
      || !kymo_archive_get_number (line->field[2], UINT32_MAX - 1, &id)
      || metric.location == KYMO_ARCHIVE_NONE
      || id >= KYMO_ARCHIVE_COUNT (&adding->scopes, uint32_t)
      || KYMO_ARCHIVE_AT (&adding->scopes, uint32_t)[id] == 0)
    return;
  metric.metric_class = kymo_archive_table_get (adding->table, KYMO_ARCHIVE_CLASSES,
                                                (uint32_t) id);
  if (metric.metric_class == KYMO_ARCHIVE_NONE)
    return;
  set_scope (adding, &metric, kymo_archive_pool_get (
    &merge->strings, KYMO_ARCHIVE_AT (&adding->scopes, uint32_t)[id] - 1, &n_bytes));
  instance = (KymoArchiveInstance) { (uint32_t) n, (uint32_t) id,
    (uint32_t) KYMO_ARCHIVE_COUNT (&merge->metrics, KymoArchiveMetric) };
  kymo_archive_bytes_add (&merge->metrics, &metric, sizeof metric);
  kymo_archive_bytes_add (&adding->table->instances, &instance, sizeof instance);
}
