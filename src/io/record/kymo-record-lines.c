/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The definitions of a process: one a line, appended while the program runs. A last line without
 * its newline is not complete yet and is ignored, as are lines and fields that are not known.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-record-private.h"

/* A member of a metric class is a field, and there are at most 255 of these. */
#define MOST_FIELDS 264
/* Lines that may be missing before the one with the next id. */
#define MOST_GAP 4096
/* Memory of a field beside its own bytes. */
#define FIELD_BYTES 32
#define MOST_AWAY_NS (G_GINT64_CONSTANT (1) << 58)

static const struct
{
  const char *name;
  guint       n_fields;
} kinds[] = {
  [KYMO_RECORD_REGION] = { "region", 5 },
  [KYMO_RECORD_COMM] = { "comm", 7 },
  [KYMO_RECORD_WIN] = { "win", 3 },
  [KYMO_RECORD_FILE] = { "file", 3 },
  [KYMO_RECORD_HANDLE] = { "handle", 5 },
  [KYMO_RECORD_CLASS] = { "class", 4 },
};

/**
 * kymo_record_field:
 * @fields: of a line
 * @i: which one; 0 is the kind of the line
 *
 * Returns: (transfer none): the field; "" if the line has no such one
 */
const char *
kymo_record_field (char  **fields,
                   guint   i)
{
  for (guint at = 0; at < i; at++)
    if (fields[at] == NULL)
      return "";
  return fields[i] != NULL ? fields[i] : "";
}

/**
 * kymo_record_number:
 * @field: a decimal number and nothing else
 * @most: the largest that is believed
 * @number: (out): its value
 *
 * Returns: whether it is one
 */
gboolean
kymo_record_number (const char *field,
                    guint64     most,
                    guint64    *number)
{
  return g_ascii_string_to_unsigned (field, 10, 0, most, number, NULL);
}

static void
decode_field (char *field)
{
  char *to = field;

  for (; *field != '\0'; field++)
    if (*field == '%' && g_ascii_isxdigit (field[1]) && g_ascii_isxdigit (field[2]))
      {
        int byte = g_ascii_xdigit_value (field[1]) << 4 | g_ascii_xdigit_value (field[2]);

        /* A zero would end the text. */
        *to++ = byte != 0 ? (char) byte : ' ';
        field += 2;
      }
    else
      *to++ = *field;
  *to = '\0';
}

static void
take_world (KymoRecordProcess  *process,
            char              **fields)
{
  guint64 rank, size;

  if (process->world != NULL)
    return;
  if (!kymo_record_number (fields[2], G_MAXINT32, &size)
      || !kymo_record_number (fields[1], size > 0 ? size - 1 : 0, &rank))
    {
      process->n_odd_lines++;
      return;
    }
  process->rank = (gint64) rank;
  process->size = (gint64) size;
  process->world = g_strdup (fields[3]);
}

static void
take_clock (KymoRecordProcess  *process,
            char              **fields)
{
  KymoRecordMoment moment;
  guint64 mono_ns, real_ns;

  if (!kymo_record_number (fields[2], G_MAXUINT64, &moment.ticks)
      || !kymo_record_number (fields[3], G_MAXINT64 / 2, &mono_ns)
      || !kymo_record_number (fields[4], G_MAXINT64, &real_ns))
    {
      process->n_odd_lines++;
      return;
    }
  moment.mono_ns = (gint64) mono_ns;
  moment.real_ns = (gint64) real_ns;
  process->is_monotonic = g_str_equal (fields[1], "monotonic");
  g_array_append_val (process->moments, moment);
}

static void
take_offset (KymoRecordProcess  *process,
             char              **fields)
{
  KymoRecordOffset offset;
  guint64 mono_ns;

  if (kymo_record_number (fields[1], G_MAXINT64 / 2, &mono_ns)
      && g_ascii_string_to_signed (fields[2], 10, -MOST_AWAY_NS, MOST_AWAY_NS, &offset.delta_ns,
                                   NULL))
    {
      offset.mono_ns = (gint64) mono_ns;
      g_array_append_val (process->offsets, offset);
    }
  else
    process->n_odd_lines++;
}

static OTF2_Type
type_of (const char *member)
{
  const char *type = strchr (member, ';');

  type = type != NULL ? strchr (type + 1, ';') : NULL;
  if (type == NULL || g_str_has_prefix (type, ";u64"))
    return OTF2_TYPE_UINT64;
  return g_str_has_prefix (type, ";i64") ? OTF2_TYPE_INT64 : OTF2_TYPE_DOUBLE;
}

static void
take_types (KymoRecordProcess  *process,
            char              **fields,
            guint               id)
{
  KymoRecordTypes types = { 0 };

  for (; types.n < G_MAXUINT8 && fields[3 + types.n] != NULL; types.n++)
    types.types[types.n] = type_of (fields[3 + types.n]);
  if (process->types->len <= id)
    g_array_set_size (process->types, id + 1);
  g_array_index (process->types, KymoRecordTypes, id) = types;
  process->n_bytes += sizeof types;
}

static void
take_loss (KymoRecordProcess  *process,
           char              **fields)
{
  KymoRecordLoss loss = { NULL };

  if (!kymo_record_number (fields[2], G_MAXINT64, &loss.n))
    loss.n = 1;
  loss.kind = g_strdup (fields[1]);
  loss.why = g_strdup (kymo_record_field (fields, 3));
  process->has_stopped |= g_str_equal (fields[1], "events");
  g_array_append_val (process->losses, loss);
}

/* Lines with an id. Threads number things at the same time, so a line may come before another
   with a smaller id. FALSE where it is no such line. */
static gboolean
take_definition (KymoRecordProcess  *process,
                 char              **fields,
                 guint               n_fields)
{
  for (guint kind = 0; kind < KYMO_RECORD_N_KINDS; kind++)
    {
      guint64 id;

      if (!g_str_equal (fields[0], kinds[kind].name))
        continue;
      if (n_fields < kinds[kind].n_fields
          || !kymo_record_number (fields[1], process->lines[kind]->len + MOST_GAP, &id)
          || (id < process->lines[kind]->len && process->lines[kind]->pdata[id] != NULL))
        {
          process->n_odd_lines++;
          return FALSE;
        }
      if (id >= process->lines[kind]->len)
        {
          process->n_bytes += (id + 1 - process->lines[kind]->len) * sizeof (gpointer);
          g_ptr_array_set_size (process->lines[kind], (gint) id + 1);
        }
      if (kind == KYMO_RECORD_CLASS)
        take_types (process, fields, (guint) id);
      process->lines[kind]->pdata[id] = fields;
      return TRUE;
    }
  return FALSE;
}

/* TRUE where the line was kept as it is. */
static gboolean
keep_line (KymoRecordProcess  *process,
           char              **fields,
           guint               n)
{
  GPtrArray *to = g_str_equal (fields[0], "thread") && n >= 4 ? process->threads
    : g_str_equal (fields[0], "commname") && n >= 3 ? process->comm_names
    : g_str_equal (fields[0], "property") && n >= 3 ? process->properties : NULL;

  if (to == NULL)
    return take_definition (process, fields, n);
  g_ptr_array_add (to, fields);
  return TRUE;
}

static void
take_fact (KymoRecordProcess  *process,
           char              **fields,
           guint               n)
{
  guint64 number;

  if (g_str_equal (fields[0], "process") && n >= 5 && process->host == NULL)
    {
      process->host = g_strdup (fields[1]);
      process->pid = kymo_record_number (fields[2], G_MAXINT32, &number) ? (gint64) number : -1;
      process->program = g_strdup (fields[4]);
    }
  else if (g_str_equal (fields[0], "world") && n >= 4)
    take_world (process, fields);
  else if (g_str_equal (fields[0], "mpi") && n >= 4 && process->mpi == NULL)
    process->mpi = g_strjoin (" ", fields[1], fields[2], NULL);
  else if (g_str_equal (fields[0], "clock") && n >= 5)
    take_clock (process, fields);
  else if (g_str_equal (fields[0], "offset") && n >= 3)
    take_offset (process, fields);
  else if (g_str_equal (fields[0], "lost") && n >= 3)
    take_loss (process, fields);
  else if (g_str_equal (fields[0], "end"))
    {
      process->is_over = TRUE;
      process->is_whole = g_strcmp0 (kymo_record_field (fields, 1), "finalize") == 0;
    }
}

static void
take_line (KymoRecordProcess *process,
           char              *line)
{
  char **fields = g_strsplit (line, "\t", MOST_FIELDS);
  guint n = g_strv_length (fields);

  for (guint i = 0; i < n; i++)
    decode_field (fields[i]);
  if (n > 0 && keep_line (process, fields, n))
    {
      process->n_bytes += strlen (line) + n * FIELD_BYTES;
      return;
    }
  if (n > 0)
    take_fact (process, fields, n);
  g_strfreev (fields);
}

static gboolean
set_odd_error (const char  *path,
               GError     **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("“%s” cannot be read as the definitions of a recorded process"), path);
  return FALSE;
}

/* FALSE where the first line is not one of this format. */
static gboolean
read_lines (KymoRecordProcess  *process,
            const char         *path,
            gsize               most_bytes,
            GError            **error)
{
  g_autofree char *text = NULL;
  char *at, *end;
  gsize n;

  if (!kymo_input_load (path, most_bytes, &text, &n, error))
    return FALSE;
  /* Bytes that cannot stand in a line. */
  for (gsize i = 0; i < n; i++)
    if (text[i] == '\0')
      text[i] = ' ';
  at = text;
  end = memchr (at, '\n', n);
  if (end == NULL || !g_str_has_prefix (at, "kymo-raw\t1"))
    return set_odd_error (path, error);
  for (at = end + 1; (end = strchr (at, '\n')) != NULL; at = end + 1)
    {
      *end = '\0';
      take_line (process, at);
      if (process->n_bytes > most_bytes)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                       _("“%s” needs more memory than the limit allows"), path);
          return FALSE;
        }
    }
  process->is_torn = *at != '\0';
  return process->host != NULL || set_odd_error (path, error);
}

static void
file_free (gpointer data)
{
  KymoRecordFile *file = data;

  g_free (file->name);
  g_free (file->why);
  g_array_unref (file->markers);
  g_free (file);
}

static int
compare_files (gconstpointer a,
               gconstpointer b)
{
  const KymoRecordFile *x = *(KymoRecordFile *const *) a, *y = *(KymoRecordFile *const *) b;

  if (x->system != y->system)
    return x->system ? 1 : -1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Whether chunks of an event file are used again, so that calls may lack their begin. */
static gboolean
is_ring (const KymoRecordProcess *process,
         const char              *name)
{
  g_autofree char *path = g_build_filename (process->folder, name, NULL);
  KymoRawHeader header = { .flags = 0 };
  gint64 n_bytes;
  int fd = kymo_input_open (path, &n_bytes, NULL);

  if (fd < 0)
    return FALSE;
  if (pread (fd, &header, sizeof header, 0) != (gssize) sizeof header)
    header.flags = 0;
  close (fd);
  return (header.flags & (KYMO_RAW_RING | GUINT32_SWAP_LE_BE (KYMO_RAW_RING))) != 0;
}

/* Its event files: threads by number, then samples. */
static void
list_files (KymoRecordProcess *process)
{
  g_autoptr (GDir) dir = g_dir_open (process->folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      gboolean system = g_str_has_prefix (name, "system-");
      KymoRecordFile *file;
      guint64 number;

      if ((!system && !g_str_has_prefix (name, "thread-"))
          || !kymo_record_number (strchr (name, '-') + 1, G_MAXINT32, &number))
        continue;
      file = g_new0 (KymoRecordFile, 1);
      file->process = process;
      file->name = g_strdup (name);
      file->number = (guint) number;
      file->system = system;
      process->is_ring |= is_ring (process, name);
      file->markers = g_array_new (FALSE, FALSE, sizeof (KymoOtf2Marker));
      g_ptr_array_add (process->files, file);
      process->n_bytes += sizeof *file + FIELD_BYTES;
    }
  g_ptr_array_sort (process->files, compare_files);
}

static void
fields_free (gpointer data)
{
  g_strfreev (data);
}

static void
loss_clear (gpointer data)
{
  g_free (((KymoRecordLoss *) data)->kind);
  g_free (((KymoRecordLoss *) data)->why);
}

/**
 * kymo_record_process_new:
 * @folder: a folder of one process
 * @most_bytes: memory that its definitions may take
 * @error: return location: why they cannot be read
 *
 * Reads the definitions of a process and lists its event files.
 *
 * Returns: (transfer full) (nullable): the process
 */
KymoRecordProcess *
kymo_record_process_new (const char  *folder,
                         gsize        most_bytes,
                         GError     **error)
{
  KymoRecordProcess *process = g_new0 (KymoRecordProcess, 1);
  g_autofree char *path = g_build_filename (folder, KYMO_RECORD_DEFINITIONS, NULL);

  process->folder = g_strdup (folder);
  process->name = g_path_get_basename (folder);
  process->rank = -1;
  process->moments = g_array_new (FALSE, FALSE, sizeof (KymoRecordMoment));
  process->offsets = g_array_new (FALSE, FALSE, sizeof (KymoRecordOffset));
  process->types = g_array_new (FALSE, TRUE, sizeof (KymoRecordTypes));
  process->losses = g_array_new (FALSE, FALSE, sizeof (KymoRecordLoss));
  g_array_set_clear_func (process->losses, loss_clear);
  process->threads = g_ptr_array_new_with_free_func (fields_free);
  process->comm_names = g_ptr_array_new_with_free_func (fields_free);
  process->properties = g_ptr_array_new_with_free_func (fields_free);
  process->files = g_ptr_array_new_with_free_func (file_free);
  for (guint i = 0; i < KYMO_RECORD_N_KINDS; i++)
    {
      process->lines[i] = g_ptr_array_new_with_free_func (fields_free);
      process->ids[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
    }
  if (!read_lines (process, path, most_bytes, error))
    {
      kymo_record_process_free (process);
      return NULL;
    }
  kymo_record_clock_sort (process);
  list_files (process);
  return process;
}

/** kymo_record_process_free: frees a process */
void
kymo_record_process_free (KymoRecordProcess *process)
{
  for (guint i = 0; i < KYMO_RECORD_N_KINDS; i++)
    {
      g_ptr_array_unref (process->lines[i]);
      g_array_unref (process->ids[i]);
    }
  g_array_unref (process->moments);
  g_array_unref (process->offsets);
  g_array_unref (process->types);
  g_array_unref (process->losses);
  g_ptr_array_unref (process->threads);
  g_ptr_array_unref (process->comm_names);
  g_ptr_array_unref (process->properties);
  g_ptr_array_unref (process->files);
  g_free (process->folder);
  g_free (process->name);
  g_free (process->host);
  g_free (process->program);
  g_free (process->world);
  g_free (process->mpi);
  g_free (process);
}
