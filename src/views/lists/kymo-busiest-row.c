/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-busiest-row.h"
#include "kymo-units.h"

G_DEFINE_FINAL_TYPE (KymoBusiestRow, kymo_busiest_row, G_TYPE_OBJECT)

static guint changed_signal;

static void
kymo_busiest_row_finalize (GObject *object)
{
  g_free (KYMO_BUSIEST_ROW (object)->name);
  G_OBJECT_CLASS (kymo_busiest_row_parent_class)->finalize (object);
}

static void
kymo_busiest_row_class_init (KymoBusiestRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_busiest_row_finalize;
  changed_signal = g_signal_new ("changed", KYMO_TYPE_BUSIEST_ROW,
                                 G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
kymo_busiest_row_init (KymoBusiestRow *self)
{
  for (guint i = 0; i < KYMO_BUSIEST_N; i++)
    self->figures[i] = NAN;
}

/** kymo_busiest_row_new: @id: of the entry method */
KymoBusiestRow *
kymo_busiest_row_new (gint64 id)
{
  KymoBusiestRow *self = g_object_new (KYMO_TYPE_BUSIEST_ROW, NULL);

  self->id = id;
  return self;
}

static gboolean
same (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

/** kymo_busiest_row_set: @figures: %KYMO_BUSIEST_N of them */
void
kymo_busiest_row_set (KymoBusiestRow *self, const char *name,
                      const double *figures)
{
  gboolean changed = g_strcmp0 (self->name, name) != 0;

  if (changed)
    {
      g_free (self->name);
      self->name = g_strdup (name != NULL ? name : "");
    }
  for (guint i = 0; i < KYMO_BUSIEST_N; i++)
    {
      changed |= !same (self->figures[i], figures[i]);
      self->figures[i] = figures[i];
    }
  if (changed)
    g_signal_emit (self, changed_signal, 0);
}

/**
 * kymo_busiest_row_dup_text:
 *
 * Returns: (transfer full): the share in percent; "< 0.1 %" for a share under 0.05 % that is not 0,
 *   "–" where the share is not known
 */
char *
kymo_busiest_row_dup_text (const KymoBusiestRow *self,
                           KymoBusiestFigure figure)
{
  double share = self->figures[figure];

  if (isnan (share))
    return g_strdup ("–");
  /* A share too small for its digits is not nothing. */
  if (share > 0 && share < 0.0005)
    return g_strdup (_("< 0.1 %"));
  return kymo_format_percent (share);
}
