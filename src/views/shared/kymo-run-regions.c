/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-run-regions.h.
 */
#include "config.h"

#include "kymo-run-regions.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "kymo-asker.h"

/* A start-up that is shorter than this part of the run cannot be seen. */
#define LEAST_SHARE 1000
/* A run that has not grown for so long stands still. */
#define REST_MS 2000

struct _KymoRunRegions
{
  GObject      parent_instance;

  KymoSession *session;            /* borrowed: it owns this */
  KymoAsker   *asker;
  KymoTable   *answer;             /* or NULL */
  KymoTable   *rows;               /* of the answer, borrowed */
  gint64       asked_ns;           /* how long the run was when it was last asked about */
  guint        rest_id;            /* of the wait for a growing run to stand still */
};

G_DEFINE_FINAL_TYPE (KymoRunRegions, kymo_run_regions, G_TYPE_OBJECT)

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoRunRegions *self = data;

  g_clear_pointer (&self->answer, kymo_table_unref);
  self->answer = answer != NULL ? kymo_table_ref (answer) : NULL;
  self->rows = answer != NULL ? kymo_table_peek_nested (answer, "regions", NULL) : NULL;
  g_signal_emit_by_name (self, "changed");
}

static void
ask_regions (gpointer data)
{
  KymoRunRegions *self = data;
  KymoSource *source = kymo_session_peek_source (self->session);
  g_autofree char *draft = kymo_source_dup_draft (source);

  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (draft != NULL)
    return;
  self->asked_ns = kymo_span_length (kymo_source_get_span (source));
  if ((kymo_source_get_capabilities (source) & KYMO_CAN_INTERVALS))
    kymo_asker_ask (self->asker, kymo_question_new ("regions"));
}

static gboolean
on_rest (gpointer data)
{
  KymoRunRegions *self = data;

  if (kymo_asker_is_busy (self->asker))
    return G_SOURCE_CONTINUE;
  self->rest_id = 0;
  ask_regions (self);
  return G_SOURCE_REMOVE;
}

/* To find regions is to go over the whole run. So a run that still grows is asked about when it
   is twice as long, and when it stands still; one that is complete at once. */
static void
on_grown (KymoRunRegions *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  gint64 length_ns = kymo_span_length (kymo_source_get_span (source));
  gboolean grows = (kymo_source_get_capabilities (source) & KYMO_CAN_GROWING) != 0;

  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (!grows || (!kymo_asker_is_busy (self->asker) && length_ns / 2 >= self->asked_ns))
    ask_regions (self);
  else
    self->rest_id = g_timeout_add (REST_MS, on_rest, self);
}

static void
kymo_run_regions_dispose (GObject *object)
{
  KymoRunRegions *self = KYMO_RUN_REGIONS (object);

  g_clear_handle_id (&self->rest_id, g_source_remove);
  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_pointer (&self->answer, kymo_table_unref);
  self->rows = NULL;
  G_OBJECT_CLASS (kymo_run_regions_parent_class)->dispose (object);
}

static void
kymo_run_regions_class_init (KymoRunRegionsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_run_regions_dispose;
  kymo_signal_new ("changed", KYMO_TYPE_RUN_REGIONS, 0);
}

static void
kymo_run_regions_init (KymoRunRegions *self)
{
}

/**
 * kymo_run_regions_of:
 *
 * Returns: (transfer none): those of the run of a session; made, and asked for, on first use
 */
KymoRunRegions *
kymo_run_regions_of (KymoSession *session)
{
  static const char key[] = "kymo-run-regions";
  KymoRunRegions *self = g_object_get_data (G_OBJECT (session), key);

  if (self != NULL)
    return self;
  self = g_object_new (KYMO_TYPE_RUN_REGIONS, NULL);
  self->session = session;
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_answer, self);
  kymo_asker_set_again (self->asker, ask_regions);
  kymo_follow (session, "grown", on_grown, self);
  g_object_set_data_full (G_OBJECT (session), key, self, g_object_unref);
  ask_regions (self);
  return self;
}

/** kymo_run_regions_get_n: Returns: how many regions are known; 0 until they are found */
guint
kymo_run_regions_get_n (KymoRunRegions *self)
{
  return self->rows != NULL ? kymo_table_get_n_rows (self->rows) : 0;
}

/** kymo_run_regions_peek_kind: Returns: "startup", "main", "phase" and so on, of region i */
const char *
kymo_run_regions_peek_kind (KymoRunRegions *self, guint i)
{
  return kymo_table_get_string (self->rows, "kind", i);
}

/**
 * kymo_run_regions_get_number:
 *
 * Returns: the number of region i among those of its kind; %KYMO_NULL_INT where it has none
 */
gint64
kymo_run_regions_get_number (KymoRunRegions *self, guint i)
{
  return kymo_table_get_int (self->rows, "number", i);
}

/** kymo_run_regions_get_span: Returns: the range of region i, in ns */
KymoSpan
kymo_run_regions_get_span (KymoRunRegions *self, guint i)
{
  return (KymoSpan) { kymo_table_get_int (self->rows, "begin_ns", i),
                      kymo_table_get_int (self->rows, "end_ns", i) };
}

/** kymo_run_regions_dup_name: Returns: (transfer full): region i in words: "Iteration 3" */
char *
kymo_run_regions_dup_name (KymoRunRegions *self, guint i)
{
  const char *kind = kymo_run_regions_peek_kind (self, i);
  gint64 number = kymo_table_get_int (self->rows, "number", i);

  if (strcmp (kind, "startup") == 0)
    return g_strdup (_("Start-up"));
  if (strcmp (kind, "main") == 0)
    return g_strdup (_("Without Start-up"));
  if (strcmp (kind, "shutdown") == 0)
    return g_strdup (_("Shutdown"));
  if (strcmp (kind, "phase") == 0)
    return g_strdup_printf (_("Phase %s"), kymo_table_get_string (self->rows, "name", i));
  if (strcmp (kind, "lb") == 0)
    return g_strdup_printf (_("Load balancing step %" PRId64), number);
  return g_strdup_printf (_("Iteration %" PRId64), number);
}

/**
 * kymo_run_regions_find_named:
 * @name: as kymo_run_regions_dup_name() says it, in any case
 * @span: (out): its range
 *
 * Returns: whether there is such a region
 */
gboolean
kymo_run_regions_find_named (KymoRunRegions *self, const char *name, KymoSpan *span)
{
  g_autofree char *wanted = g_utf8_casefold (name, -1);

  for (guint i = 0; i < kymo_run_regions_get_n (self); i++)
    {
      g_autofree char *here = kymo_run_regions_dup_name (self, i);
      g_autofree char *folded = g_utf8_casefold (here, -1);

      if (strcmp (g_strstrip (wanted), folded) == 0)
        {
          *span = kymo_run_regions_get_span (self, i);
          return TRUE;
        }
    }
  return FALSE;
}

/**
 * kymo_run_regions_get_main:
 * @span: (out): what lies between start-up and shutdown
 *
 * Returns: whether the run has a start-up that is long enough to be seen
 */
gboolean
kymo_run_regions_get_main (KymoRunRegions *self, KymoSpan *span)
{
  gint64 run_ns = kymo_span_length (kymo_session_get_full_range (self->session));
  gboolean has_startup = FALSE, has_main = FALSE;

  for (guint i = 0; i < kymo_run_regions_get_n (self); i++)
    {
      KymoSpan here = kymo_run_regions_get_span (self, i);

      if (strcmp (kymo_run_regions_peek_kind (self, i), "startup") == 0)
        has_startup = kymo_span_length (here) >= run_ns / LEAST_SHARE;
      else if (strcmp (kymo_run_regions_peek_kind (self, i), "main") == 0)
        {
          *span = here;
          has_main = TRUE;
        }
    }
  return has_startup && has_main;
}
