/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-part.h"

#include "kymo-convert.h"
#include "kymo-error.h"
#include "kymo-reduce.h"

static gboolean
is_of_projections (const KymoRun *run)
{
  return g_strcmp0 (run->format, "projections") == 0;
}

/**
 * kymo_part_check:
 * @run: from which something is to be written
 * @error: says why it cannot be
 *
 * Returns: whether its records can be taken apart
 */
gboolean
kymo_part_check (const KymoRun  *run,
                 GError        **error)
{
  if (is_of_projections (run))
    return kymo_extract_check (run, error);
  if (kymo_run_is_binned (run))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         _("There are no records that a part could be written of: this run is a "
                           "summary or a stream"));
  else if (run->draft != NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         _("A part of a run can be written when all its files are read"));
  else
    return TRUE;
  return FALSE;
}

static GArray *
ids_new (const KymoPartWish *wish)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  return g_array_append_vals (ids, wish->locations, wish->n_locations);
}

/* An archive stays one: it holds nanoseconds, communicators and roots. */
static KymoConvertFormat
format_of (const KymoRun *run)
{
  return run->profiles != NULL ? KYMO_CONVERT_TAU_PROFILE
    : g_strcmp0 (run->format, "otf2") == 0 ? KYMO_CONVERT_OTF2 : KYMO_CONVERT_TAU_TRACE;
}

/* Of what is not to be found in the files byte for byte the model is written. */
static gboolean
write_converted (KymoRun             *run,
                 const KymoPartWish  *wish,
                 KymoExtractResult   *result,
                 KymoJob             *job,
                 GError             **error)
{
  g_autoptr (KymoIdSet) set = kymo_id_set_new_list (wish->locations, wish->n_locations);
  g_auto (KymoConvertResult) converted = { 0 };
  const KymoConvertWish how = {
    .format = format_of (run),
    .span = wish->span, .locations = set, .out = wish->out, .as_part = TRUE,
    .note = wish->note, .n_threads = wish->n_threads,
  };

  if (!kymo_convert_write (run, &how, &converted, job, error))
    return FALSE;
  *result = (KymoExtractResult) {
    .kept = ids_new (wish), .copied = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .left_out = g_steal_pointer (&converted.left_out), .bytes_before = -1,
    .bytes_after = converted.n_bytes,
  };
  return TRUE;
}

static gboolean
write_reduced (const KymoPartWish  *wish,
               KymoExtractResult   *result,
               KymoJob             *job,
               GError             **error)
{
  g_autoptr (KymoIdSet) set = kymo_id_set_new_list (wish->locations, wish->n_locations);

  *result = (KymoExtractResult) {
    .kept = ids_new (wish), .copied = g_array_new (FALSE, FALSE, sizeof (gint64)),
  };
  return kymo_reduce_write (wish->path, wish->base, set, wish->out, wish->note,
                            &result->bytes_before, &result->bytes_after, job, error);
}

/**
 * kymo_part_write:
 * @run: sealed, complete; as it was opened at the path
 * @result: (out caller-allocates): what was written; to be cleared
 * @job: (nullable): progress and cancelling
 * @error: where to put the reason
 *
 * Writes some locations and a stretch of time of a run as a run of its own. Whatever
 * goes wrong, there is nothing at its place then. Blocks.
 *
 * Returns: whether all was written
 */
gboolean
kymo_part_write (KymoRun             *run,
                 const KymoPartWish  *wish,
                 KymoExtractResult   *result,
                 KymoJob             *job,
                 GError             **error)
{
  const KymoExtractWish extract = {
    .path = wish->path, .base = wish->base, .pes = wish->locations, .n_pes = wish->n_locations,
    .span = wish->span, .whole = run->span, .axis = run->axis, .out = wish->out,
    .n_threads = wish->n_threads,
  };

  *result = (KymoExtractResult) { NULL };
  if (!kymo_reduce_check_place (wish->path, wish->out, error))
    return FALSE;
  if (!is_of_projections (run))
    return write_converted (run, wish, result, job, error);
  return wish->note != NULL ? write_reduced (wish, result, job, error)
    : kymo_extract_write (&extract, result, job, error);
}
