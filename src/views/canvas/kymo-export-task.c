/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-canvas.h"
#include "kymo-command.h"
#include "kymo-dialogs.h"
#include "kymo-error.h"
#include "kymo-export.h"
#include "kymo-export-task.h"
#include "kymo-in-terms.h"
#include "kymo-session-colors.h"
#include "kymo-session-messages.h"
#include "kymo-session-path.h"
#include "kymo-session-pins.h"
#include "kymo-session-profile.h"

typedef struct
{
  const KymoPlotClass *klass;
  KymoPlotFrame        frame;          /* its pointers are owned here */
  KymoQuestion        *question;
  char                *path;           /* of the file; NULL for a preview */
  char                *provenance;
  char                *title, *unit, *focus;   /* or NULL */
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
  g_free (export->focus);
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

  if (kymo_export_asked (export->klass, source, &export->frame, export->question, NULL,
                         export->path, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
preview_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Export *export = data;
  GError *error = NULL;
  cairo_surface_t *surface = kymo_export_preview (export->klass, source, &export->frame,
                                                  export->question, cancellable, &error);

  if (surface != NULL)
    g_task_return_pointer (task, surface, (GDestroyNotify) cairo_surface_destroy);
  else
    g_task_return_error (task, error);
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

/* What is over the timeline in the window is in the file as well. */
static void
keep_messages (Export *export, KymoSession *session)
{
  KymoMessageLines lines = kymo_session_get_messages (session);
  gint64 location, time_ns;
  gboolean has_block = kymo_session_get_block (session, &location, &time_ns);

  if (!export->klass->of_blocks || lines == KYMO_MESSAGES_NONE
      || (lines != KYMO_MESSAGES_ALL && !has_block)
      || !(kymo_source_get_capabilities (kymo_session_peek_source (session))
           & KYMO_CAN_MESSAGES))
    return;
  kymo_question_set (export->question, "messages", kymo_message_lines_to_string (lines));
  if (kymo_session_get_least_bytes (session) > 0)
    kymo_question_set_int (export->question, "least-bytes",
                           kymo_session_get_least_bytes (session));
  if (kymo_session_get_message_tag (session) >= 0)
    kymo_question_set_int (export->question, "tag", kymo_session_get_message_tag (session));
  if (lines == KYMO_MESSAGES_ALL)
    return;
  kymo_question_set_int (export->question, "location", location);
  kymo_question_set_int (export->question, "at-ns", time_ns);
}

/* The path that is to be seen; not one that could not be found. */
static void
keep_path (Export *export, KymoSession *session)
{
  static const char *const words[KYMO_N_PATH_KINDS] = { NULL, "critical", "back", "forward" };
  KymoPathKind kind = kymo_session_get_path_kind (session);
  gint64 location, time_ns;

  if (!export->klass->of_blocks || kind == KYMO_PATH_NONE
      || kymo_session_peek_path (session) == NULL)
    return;
  kymo_question_set (export->question, "follow", words[kind]);
  if (!kymo_session_get_path_start (session, &location, &time_ns))
    return;
  kymo_question_set_int (export->question, "follow-location", location);
  kymo_question_set_int (export->question, "follow-at-ns", time_ns);
}

static void
make_question (Export *export, const KymoExported *exported, const char *format)
{
  KymoPlotFrame frame = kymo_export_frame (&export->frame, format);
  GHashTableIter iter;
  gpointer key, value;

  export->question = export->klass->question (&frame);
  kymo_session_prepare (exported->session, export->question);
  if (export->klass->needs & (KYMO_CAN_METRICS | KYMO_CAN_USER_EVENTS | KYMO_CAN_COUNTERS))
    kymo_session_prepare_profile (exported->session, export->question);
  if (export->klass->of_all || exported->all_rows)
    kymo_question_set_locations (export->question, NULL);
  if (export->klass->of_blocks)
    kymo_session_prepare_pins (exported->session, export->question);
  if (exported->all_rows)
    {
      kymo_question_set_order (export->question, NULL);
      kymo_question_set_groups (export->question, NULL);
    }
  export->frame.by_bytes = kymo_session_get_by_bytes (exported->session);
  if (!exported->bare)
    {
      keep_messages (export, exported->session);
      keep_path (export, exported->session);
    }
  if (exported->parameters == NULL)
    return;
  g_hash_table_iter_init (&iter, exported->parameters);
  while (g_hash_table_iter_next (&iter, &key, &value))
    kymo_question_set (export->question, key, value);
}

static void
make_frame (Export *export, const KymoExported *exported)
{
  KymoSession *session = exported->session;

  kymo_plot_frame_init (&export->frame, 0, 0, exported->look,
                        kymo_colors_ref (kymo_session_peek_colors (session)),
                        exported->range);
  kymo_figure_size_set_frame (&exported->size, &export->frame);
  export->frame.stretch = kymo_session_get_stretch (session);
  export->frame.decorate = TRUE;
  export->frame.title = export->title;
  export->frame.legend = exported->legend;
  export->frame.legend_most = exported->legend_most;
  export->frame.provenance = export->provenance;
  export->frame.hidden = copy_set (kymo_session_peek_hidden (session));
  export->frame.by_time = exported->by_time;
  export->frame.relative = exported->relative;
  export->frame.terms = kymo_source_get_terms (kymo_session_peek_source (session));
  export->unit = g_strdup (kymo_session_peek_option (session, "unit"));
  export->focus = g_strdup (exported->focus);
  export->frame.unit = export->unit;
  export->frame.focus = export->focus;
  if (kymo_session_get_by_class (session)
      && kymo_session_peek_classes (session) != NULL)
    export->frame.classes = kymo_table_ref (kymo_session_peek_classes (session));
}

static Export *
export_new (const KymoExported *exported, const char *format)
{
  KymoSource *source = kymo_session_peek_source (exported->session);
  Export *export = g_new0 (Export, 1);

  export->klass = exported->klass;
  export->title = g_strdup (exported->title);
  export->provenance = kymo_export_provenance (source, exported->range);
  make_frame (export, exported);
  make_question (export, exported, format);
  return export;
}

/**
 * kymo_exported_clear:
 *
 * Drops the reference to the parameters, the only member that @self owns.
 */
void
kymo_exported_clear (KymoExported *self)
{
  g_clear_pointer (&self->parameters, g_hash_table_unref);
}

/**
 * kymo_export_task_start:
 * @path: its ending tells the format
 * @done: called on the main thread; ends with kymo_export_task_finish()
 */
void
kymo_export_task_start (const KymoExported *exported, const char *path,
                        GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (kymo_session_peek_source (exported->session),
                                       NULL, done, data);
  const char *format = kymo_export_format_of (path);
  Export *export;

  if (format == NULL)
    {
      g_task_return_new_error (task, KYMO_ERROR, KYMO_ERROR_USAGE,
                               _("“%s” ends in none of .png .svg .pdf .csv "
                                 ".json"), path);
      return;
    }
  export = export_new (exported, format);
  export->path = g_strdup (path);
  g_task_set_task_data (task, export, export_free);
  kymo_hold_for_task (task);
  g_task_run_in_thread (task, export_thread);
}

/**
 * kymo_exported_preview_start:
 * @exported: the pixels per inch of its size tell how large the image is
 * @done: called on the main thread; ends with kymo_exported_preview_finish()
 *
 * Paints what would be written into an image, on a worker thread.
 */
void
kymo_exported_preview_start (const KymoExported *exported, GCancellable *cancellable,
                             GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (kymo_session_peek_source (exported->session),
                                       cancellable, done, data);

  g_task_set_task_data (task, export_new (exported, "png"), export_free);
  g_task_run_in_thread (task, preview_thread);
}

/**
 * kymo_exported_preview_finish:
 *
 * Returns: (transfer full) (nullable): the image; %NULL with @error where it could not be painted
 */
cairo_surface_t *
kymo_exported_preview_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * kymo_export_dup_command:
 * @path: of the run; of a comparison its runs, as for a KymoCommand
 * @palette: (nullable): the palette that the line asks for
 * @format: (nullable): of the file that the line writes; %NULL is "png"
 *
 * Returns: (transfer full) (nullable): a line for a shell that exports the same picture; %NULL with
 *   @error where kymo-cli has no option for a part of it
 */
char *
kymo_export_dup_command (const KymoExported *exported, const char *path,
                         const char *palette, const char *format, GError **error)
{
  KymoSource *source = kymo_session_peek_source (exported->session);
  Export *export = export_new (exported, format != NULL ? format : "png");
  KymoCommand command = {
    .klass = exported->klass, .source = source, .path = path,
    .asked = export->question, .frame = &export->frame, .palette = palette,
    .color_by = kymo_session_get_color_by (exported->session),
    .correct_clocks = kymo_source_has_corrected_clocks (source),
    .size = &exported->size, .format = format,
  };
  char *line = kymo_command_dup (&command, error);

  export_free (export);
  return line;
}

/**
 * kymo_export_task_finish:
 *
 * Returns: whether the file is written; %FALSE with @error where it is not
 */
gboolean
kymo_export_task_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
