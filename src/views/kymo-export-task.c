/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-canvas.h"
#include "kymo-error.h"
#include "kymo-export.h"
#include "kymo-export-task.h"
#include "kymo-session-profile.h"

typedef struct
{
  const KymoPlotClass *klass;
  KymoPlotFrame        frame;          /* its pointers are owned here */
  KymoQuestion        *question;
  char                *path, *title, *provenance;
  char                *unit, *chosen;  /* or NULL */
} Export;

static void
export_free (gpointer data)
{
  Export *export = data;

  kymo_colors_unref (export->frame.colors);
  kymo_table_unref ((KymoTable *) export->frame.classes);
  g_clear_pointer (&export->frame.hidden, g_hash_table_unref);
  kymo_question_unref (export->question);
  g_free (export->unit);
  g_free (export->chosen);
  g_free (export->path);
  g_free (export->title);
  g_free (export->provenance);
  g_free (export);
}

static void
export_thread (GTask *task, gpointer source, gpointer data,
               GCancellable *cancellable)
{
  Export *export = data;
  GError *error = NULL;
  g_autoptr (KymoTable) answer = kymo_source_ask (source, export->question,
                                                  cancellable, &error);

  if (answer == NULL
      || !kymo_export_answer (export->klass, answer, &export->frame, NULL,
                              export->path, &error))
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* The session may change its set while the worker paints. */
static GHashTable *
copy_set (GHashTable *set)
{
  GHashTable *copy;
  GHashTableIter iter;
  gpointer key;

  if (set == NULL)
    return NULL;
  copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_iter_init (&iter, set);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (copy, g_strdup (key));
  return copy;
}

static void
make_question (Export *export, KymoSession *session, GHashTable *parameters)
{
  GHashTableIter iter;
  gpointer key, value;

  export->question = export->klass->question (&export->frame);
  kymo_session_prepare (session, export->question);
  if (export->klass->needs & (KYMO_CAN_METRICS | KYMO_CAN_USER_EVENTS | KYMO_CAN_COUNTERS))
    kymo_session_prepare_profile (session, export->question);
  if (export->klass->of_all)
    kymo_question_set_locations (export->question, NULL);
  if (parameters == NULL)
    return;
  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &key, &value))
    kymo_question_set (export->question, key, value);
}

/**
 * kymo_export_task_start:
 * @range: of the run
 * @parameters: (nullable): keywords of the view's question
 * @path: its ending tells the format
 * @done: called on the main thread; ends with kymo_export_task_finish()
 */
void
kymo_export_task_start (const KymoPlotClass *klass, KymoSession *session,
                        KymoSpan range, GHashTable *parameters,
                        gboolean by_time,
                        gboolean dark, double width_px, double height_px,
                        const char *title, const char *path,
                        GAsyncReadyCallback done, gpointer data)
{
  KymoSource *source = kymo_session_peek_source (session);
  g_autofree char *name = kymo_source_dup_title (source);
  g_autoptr (GTask) task = g_task_new (source, NULL, done, data);
  Export *export = g_new0 (Export, 1);

  export->klass = klass;
  export->path = g_strdup (path);
  export->title = g_strdup_printf ("%s – %s", name, title);
  export->provenance = kymo_export_provenance (source, range);
  kymo_plot_frame_init (&export->frame, width_px, height_px, dark,
                        kymo_colors_ref (kymo_session_peek_colors (session)),
                        range);
  export->frame.decorate = TRUE;
  export->frame.title = export->title;
  export->frame.provenance = export->provenance;
  export->frame.hidden = copy_set (kymo_session_peek_hidden (session));
  export->frame.by_time = by_time;
  export->frame.terms = kymo_source_get_terms (source);
  export->unit = g_strdup (kymo_session_peek_option (session, "unit"));
  export->chosen = g_strdup (kymo_session_peek_function (session));
  export->frame.unit = export->unit;
  export->frame.chosen = export->chosen;
  export->frame.chosen_location = kymo_session_get_thread_location (session);
  if (kymo_session_get_by_class (session)
      && kymo_session_peek_classes (session) != NULL)
    export->frame.classes = kymo_table_ref (kymo_session_peek_classes (session));
  make_question (export, session, parameters);
  g_task_set_task_data (task, export, export_free);
  if (kymo_export_format_of (path) == NULL)
    {
      g_task_return_new_error (task, KYMO_ERROR, KYMO_ERROR_USAGE,
                               _("“%s” ends in none of .png .svg .pdf .csv "
                                 ".json"), path);
      return;
    }
  g_task_run_in_thread (task, export_thread);
}

/** kymo_export_task_finish: */
gboolean
kymo_export_task_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
