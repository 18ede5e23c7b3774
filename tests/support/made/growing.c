/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "growing.h"

static KymoTable *
growing_source_ask (KymoSource    *source,
                    KymoQuestion  *question,
                    GCancellable  *cancellable,
                    GError       **error)
{
  GrowingSource *self = GROWING_SOURCE (source);
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (list, "name", KYMO_COLUMN_STRING, 1);
  guint kind = kymo_table_add_column (list, "kind", KYMO_COLUMN_STRING, 1);
  guint ns = kymo_table_add_column (list, "exclusive_ns", KYMO_COLUMN_INT, 1);
  guint id = kymo_table_add_column (list, "id", KYMO_COLUMN_INT, 1);
  guint group = kymo_table_add_column (list, "group", KYMO_COLUMN_STRING, 1);
  guint role = kymo_table_add_column (list, "role", KYMO_COLUMN_STRING, 1);

  g_atomic_int_inc (&self->asked);
  if (g_str_has_prefix (kymo_question_get_kind (question), "row-"))
    {
      g_clear_pointer (&list, kymo_table_unref);
      g_clear_pointer (&answer, kymo_table_unref);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "no rows");
      return NULL;
    }
  g_assert_cmpstr (kymo_question_get_kind (question), ==, "profile");
  for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
    {
      kymo_table_append_string (list, name, self->names[i]);
      kymo_table_append_string (list, kind, self->waits != NULL ? "function" : "entry");
      kymo_table_append_string (list, role, self->waits == NULL ? NULL
                                : g_str_equal (self->waits, self->names[i]) ? "wait"
                                : "compute");
      kymo_table_append_int (list, ns, 1000 - i);
      kymo_table_append_int (list, id, self->ids != NULL ? self->ids[i] : i);
      kymo_table_append_string (list, group, self->group);
    }
  kymo_table_set_int (answer, "end_ns", self->span.end_ns);
  kymo_table_set_table (answer, "activities", list);
  if (self->draft)
    kymo_table_set_string (answer, "draft", "3 of 8 logs");
  return answer;
}

static KymoCapabilities
growing_source_get_capabilities (KymoSource *source)
{
  if (GROWING_SOURCE (source)->timeless)
    return KYMO_CAN_PROFILE | KYMO_CAN_METRICS;
  return KYMO_CAN_BINNED_TIME | KYMO_CAN_PROFILE | KYMO_CAN_GROWING
         | KYMO_CAN_STREAM;
}

static KymoSpan
growing_source_get_span (KymoSource *source)
{
  return GROWING_SOURCE (source)->span;
}

static char *
growing_source_dup_title (KymoSource *source)
{
  return g_strdup ("test");
}

static void
growing_source_iface (KymoSourceInterface *iface)
{
  iface->ask = growing_source_ask;
  iface->get_capabilities = growing_source_get_capabilities;
  iface->get_span = growing_source_get_span;
  iface->dup_title = growing_source_dup_title;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GrowingSource, growing_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      growing_source_iface))

static void
growing_source_class_init (GrowingSourceClass *klass)
{
}

static void
growing_source_init (GrowingSource *self)
{
}

void
growing_up (Growing *growing, gconstpointer data)
{
  growing->source = g_object_new (GROWING_TYPE_SOURCE, NULL);
  growing->source->span = (KymoSpan) { 0, SECOND };
  growing->session = kymo_session_new (KYMO_SOURCE (growing->source));
}

void
growing_down (Growing *growing, gconstpointer data)
{
  g_clear_object (&growing->session);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_clear_object (&growing->source);
}

void
growing_reach (Growing *growing, gint64 end_ns)
{
  growing->source->span.end_ns = end_ns;
  g_signal_emit_by_name (growing->source, "grown");
}

void
growing_assert_range (KymoSession *session, gint64 begin_ns, gint64 end_ns)
{
  KymoSpan range = kymo_session_get_range (session);

  g_assert_cmpint (range.begin_ns, ==, begin_ns);
  g_assert_cmpint (range.end_ns, ==, end_ns);
}

void
growing_count (int *counter)
{
  ++*counter;
}
