/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The .sts is read as that of a run of logs is, into a run that holds nothing
 * else.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-stream-names.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-projections-sts.h"
#include "kymo-stream-file.h"
#include "kymo-stream-layout.h"

/* Names are written when a recording begins, or soon after. */
#define MAX_FRAMES 4096

struct _KymoStreamNames
{
  KymoRun *run;
  KymoSts *sts;
};

/** kymo_stream_names_new: (transfer full): without names: all are numbers */
KymoStreamNames *
kymo_stream_names_new (void)
{
  return g_new0 (KymoStreamNames, 1);
}

static void
forget_stream_names (KymoStreamNames *names)
{
  g_clear_pointer (&names->sts, kymo_sts_free);
  g_clear_pointer (&names->run, kymo_run_unref);
}

/**
 * kymo_stream_names_free:
 *
 * Frees @names. %NULL is ignored.
 */
void
kymo_stream_names_free (KymoStreamNames *names)
{
  if (names == NULL)
    return;
  forget_stream_names (names);
  g_free (names);
}

static gboolean
names_any (const KymoSts *sts)
{
  for (guint i = 0; i < sts->n_entries; i++)
    if (sts->entries[i].activity != G_MAXUINT32)
      return TRUE;
  return FALSE;
}

/* `told`: what the person knows the file as. */
static gboolean
read_from (KymoStreamNames  *names,
           const char       *path,
           const char       *told,
           GError          **error)
{
  g_autoptr (KymoRun) run = kymo_run_new ();
  g_autoptr (KymoSts) sts = kymo_sts_read (path, told, run, NULL, error);

  if (sts == NULL)
    return FALSE;
  if (!names_any (sts))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s” names no entry methods; an .sts file is needed"), told);
      return FALSE;
    }
  forget_stream_names (names);
  names->run = g_steal_pointer (&run);
  names->sts = g_steal_pointer (&sts);
  return TRUE;
}

/* (transfer full) (nullable): the last ones that stand near the begin of a
   recording */
static GBytes *
find_recorded (const char  *path,
               GError     **error)
{
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (path, error);
  GBytes *sts = NULL;

  if (reader == NULL)
    return NULL;
  for (guint i = 0; i < MAX_FRAMES; i++)
    {
      g_autoptr (KymoStreamFrame) frame = kymo_stream_reader_next (reader, NULL);

      if (frame == NULL)
        break;
      if (frame->kind != KYMO_FRAME_NAMES)
        continue;
      g_clear_pointer (&sts, g_bytes_unref);
      sts = g_bytes_ref (frame->bytes);
    }
  if (sts == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("The recording “%s” holds no names of entry methods"), path);
  return sts;
}

/* (transfer full) (nullable): the file, where a frame can hold it */
static GBytes *
load_file (const char *path)
{
  char *bytes;
  gsize n_bytes;

  if (!kymo_input_load (path, KYMO_STREAM_MAX_PAYLOAD, &bytes, &n_bytes, NULL))
    return NULL;
  return g_bytes_new_take (bytes, n_bytes);
}

/**
 * kymo_stream_names_read:
 * @path: an .sts, usually "<program>.util.sts", or a recording that holds one
 * @sts: (out) (optional) (nullable) (transfer full): the .sts as a frame of the
 *   names holds it; %NULL where it is larger than a frame
 * @error: %KYMO_ERROR_UNREADABLE: one sentence
 */
gboolean
kymo_stream_names_read (KymoStreamNames  *names,
                        const char       *path,
                        GBytes          **sts,
                        GError          **error)
{
  g_autoptr (GBytes) found = NULL;

  if (kymo_stream_file_is_one (path))
    {
      found = find_recorded (path, error);
      if (found == NULL || !kymo_stream_names_take (names, found, error))
        return FALSE;
    }
  else if (!read_from (names, path, path, error))
    return FALSE;
  if (sts != NULL)
    *sts = found != NULL ? g_steal_pointer (&found) : load_file (path);
  return TRUE;
}

/**
 * kymo_stream_names_take:
 * @sts: the content of an .sts, as frames hold it
 * @error: %KYMO_ERROR_UNREADABLE: one sentence
 *
 * Takes the names of an .sts in place of those before.
 *
 * Returns: whether there are names
 */
gboolean
kymo_stream_names_take (KymoStreamNames  *names,
                        GBytes           *sts,
                        GError          **error)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (sts, &n_bytes);
  int fd = memfd_create ("names", MFD_CLOEXEC);
  int code = fd < 0 ? errno : kymo_write_all (fd, bytes, n_bytes);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  gboolean fine = code == 0;

  if (!fine)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("The names of the stream cannot be read: %s"), g_strerror (code));
  fine = fine && read_from (names, path, "recorded names", error);
  if (fd >= 0)
    close (fd);
  return fine;
}

/**
 * kymo_stream_names_dup:
 * @names: (nullable): %NULL knows no names
 * @id: of an entry in the stream
 *
 * Returns: (transfer full): display name, never empty: "Chare::method", "other", "entry 57"
 */
char *
kymo_stream_names_dup (const KymoStreamNames *names,
                       gint64                 id)
{
  const KymoActivity *activity = kymo_stream_names_peek (names, id);

  if (id == KYMO_STREAM_OTHER_ID)
    return g_strdup ("other");
  if (id == KYMO_STREAM_BUSY_ID)
    return g_strdup ("(entry method unknown)");
  return activity != NULL && activity->name[0] != '\0' ? g_strdup (activity->name)
    : g_strdup_printf ("entry %" G_GINT64_FORMAT, id);
}

/**
 * kymo_stream_names_peek:
 * @names: (nullable): %NULL knows no names
 * @id: of an entry in the stream
 *
 * Returns: (transfer none) (nullable): the entry of the id in the .sts; valid until names are
 *   read again
 */
const KymoActivity *
kymo_stream_names_peek (const KymoStreamNames *names,
                        gint64                 id)
{
  if (names == NULL || names->sts == NULL || id < 0 || id >= names->sts->n_entries
      || names->sts->entries[id].activity == G_MAXUINT32)
    return NULL;
  return kymo_run_peek_activity (names->run, names->sts->entries[id].activity);
}

/**
 * kymo_stream_names_role:
 * @names: (nullable): %NULL knows no names
 * @id: of an entry in the stream
 *
 * Returns: what the activity is for; entry methods are compute
 */
KymoRole
kymo_stream_names_role (const KymoStreamNames *names,
                        gint64                 id)
{
  const KymoActivity *activity = kymo_stream_names_peek (names, id);

  return activity != NULL && activity->told_role >= 0 ? (KymoRole) activity->told_role
    : KYMO_ROLE_COMPUTE;
}

/**
 * kymo_stream_names_utilization:
 * @names: (nullable): %NULL knows no names
 *
 * Returns: the share of the block's time that is compute, in the mean of the PEs; above 1 where
 *   rounding made it so
 */
double
kymo_stream_names_utilization (const KymoStreamNames *names,
                               const KymoStreamBlock *block)
{
  gint64 sum_ns = 0;

  for (guint i = 0; i < block->n_records; i++)
    if (kymo_stream_names_role (names, g_array_index (block->ids, gint32, i)) == KYMO_ROLE_COMPUTE)
      sum_ns += g_array_index (block->ns, guint32, i);
  return block->n_bins > 0 ? (double) sum_ns / ((double) block->n_bins * KYMO_STREAM_BIN_NS) : 0;
}

/**
 * kymo_stream_names_peek_run:
 * @names: (nullable): %NULL knows no names
 *
 * Returns: (transfer none) (nullable): an empty run with the facts of the program, as the
 *   .sts tells them; valid until names are read again
 */
const KymoRun *
kymo_stream_names_peek_run (const KymoStreamNames *names)
{
  return names != NULL ? names->run : NULL;
}
