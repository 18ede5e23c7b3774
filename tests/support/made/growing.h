/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session of a run that grows when the test says so, as a fixture. The source of the run
 * answers two kinds of questions: it has a profile of the names it is given, and no rows.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

#define SECOND G_GINT64_CONSTANT (1000000000)

#define GROWING_TYPE_SOURCE (growing_source_get_type ())
G_DECLARE_FINAL_TYPE (GrowingSource, growing_source, GROWING, SOURCE, GObject)

/* Changed on the main thread while no question is under way. */
struct _GrowingSource
{
  GObject            parent_instance;
  KymoSpan           span;
  const char *const *names;
  const gint64      *ids;       /* of the names, or NULL: 0, 1, … */
  const char         *group;
  const char         *waits;    /* name of a function that waits, or NULL: there are no roles */
  gboolean           draft;
  gboolean           timeless;  /* profiles alone */
  int                asked;     /* atomic */
};

/** Growing: the run has 1 s at first */
typedef struct
{
  GrowingSource *source;
  KymoSession   *session;
} Growing;

void growing_up           (Growing       *growing,
                           gconstpointer  data);
void growing_down         (Growing       *growing,
                           gconstpointer  data);
/* The run grows or shrinks to this end, and tells it. */
void growing_reach        (Growing       *growing,
                           gint64         end_ns);
void growing_assert_range (KymoSession   *session,
                           gint64         begin_ns,
                           gint64         end_ns);
/* Handler of a signal, connected swapped: one more. */
void growing_count        (int           *counter);

G_END_DECLS
