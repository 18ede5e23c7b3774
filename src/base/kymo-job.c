/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress costs a worker one atomic add. The first worker that finds no
 * notification armed arms a timeout of 100 ms on the creator's context.
 */
#include "config.h"

#include "kymo-job.h"

#define NOTIFY_INTERVAL_MS 100

struct _KymoJob
{
  GObject       parent_instance;
  GCancellable *cancellable;
  GMainContext *context;
  GMutex        mutex;          /* protects stage */
  char         *stage;
  gint64        total;
  gint64        done;           /* atomic */
  int           armed;          /* atomic: a notification is on its way */
};

enum { PROP_0, PROP_FRACTION, PROP_STAGE, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (KymoJob, kymo_job, G_TYPE_OBJECT)

static void
kymo_job_finalize (GObject *object)
{
  KymoJob *self = KYMO_JOB (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_pointer (&self->stage, g_free);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (kymo_job_parent_class)->finalize (object);
}

static void
kymo_job_get_property (GObject    *object,
                       guint       prop_id,
                       GValue     *value,
                       GParamSpec *pspec)
{
  KymoJob *self = KYMO_JOB (object);

  switch (prop_id)
    {
    case PROP_FRACTION:
      g_value_set_double (value, kymo_job_get_fraction (self));
      break;
    case PROP_STAGE:
      g_value_take_string (value, kymo_job_dup_stage (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
kymo_job_class_init (KymoJobClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = kymo_job_finalize;
  object_class->get_property = kymo_job_get_property;
  properties[PROP_FRACTION] =
    g_param_spec_double ("fraction", NULL, NULL, 0, 1, 0,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_STAGE] =
    g_param_spec_string ("stage", NULL, NULL, NULL,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
kymo_job_init (KymoJob *self)
{
  g_mutex_init (&self->mutex);
  self->cancellable = g_cancellable_new ();
  self->context = g_main_context_ref_thread_default ();
}

/**
 * kymo_job_new:
 *
 * Makes a job that has done nothing. Its properties are notified on the thread-default main
 * context of the calling thread.
 *
 * Returns: (transfer full): the job
 */
KymoJob *
kymo_job_new (void)
{
  return g_object_new (KYMO_TYPE_JOB, NULL);
}

static gboolean
notify_cb (gpointer data)
{
  KymoJob *self = data;

  g_atomic_int_set (&self->armed, 0);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FRACTION]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STAGE]);
  return G_SOURCE_REMOVE;
}

static void
arm_notify (KymoJob *self)
{
  g_autoptr (GSource) source = NULL;

  if (!g_atomic_int_compare_and_exchange (&self->armed, 0, 1))
    return;
  source = g_timeout_source_new (NOTIFY_INTERVAL_MS);
  g_source_set_callback (source, notify_cb, g_object_ref (self), g_object_unref);
  g_source_attach (source, self->context);
}

/**
 * kymo_job_peek_cancellable:
 *
 * Returns: the cancellable that kymo_job_cancel() triggers; the job owns it
 */
GCancellable *
kymo_job_peek_cancellable (KymoJob *job)
{
  return job->cancellable;
}

/**
 * kymo_job_cancel:
 *
 * Asks the workers to stop. It does not wait for them.
 */
void
kymo_job_cancel (KymoJob *job)
{
  g_cancellable_cancel (job->cancellable);
}

/**
 * kymo_job_is_cancelled:
 * @job: (nullable): without a job the answer is %FALSE
 *
 * Returns: whether kymo_job_cancel() was called
 */
gboolean
kymo_job_is_cancelled (KymoJob *job)
{
  return job != NULL && g_cancellable_is_cancelled (job->cancellable);
}

/**
 * kymo_job_set_total:
 * @total: what kymo_job_advance() adds up to in the end, e.g. bytes
 */
void
kymo_job_set_total (KymoJob *job,
                    gint64   total)
{
  job->total = total;
}

/**
 * kymo_job_begin:
 * @job: (nullable): a job
 * @stage: what is being done now, a few words
 * @total: what kymo_job_advance() adds up to from here
 *
 * A stage that counts for itself: the fraction begins again.
 */
void
kymo_job_begin (KymoJob    *job,
                const char *stage,
                gint64      total)
{
  if (job == NULL)
    return;
  __atomic_store_n (&job->done, 0, __ATOMIC_RELAXED);
  kymo_job_set_total (job, total);
  kymo_job_set_stage (job, stage);
}

/**
 * kymo_job_advance:
 * @job: (nullable): a job
 * @amount: what is newly done. Any thread.
 */
void
kymo_job_advance (KymoJob *job,
                  gint64   amount)
{
  if (job == NULL)
    return;
  __atomic_add_fetch (&job->done, amount, __ATOMIC_RELAXED);
  arm_notify (job);
}

/**
 * kymo_job_get_fraction:
 *
 * Returns: the share of the steps that are done, from 0 to 1; 0 while their number is not
 *   known. Any thread
 */
double
kymo_job_get_fraction (KymoJob *job)
{
  gint64 done = __atomic_load_n (&job->done, __ATOMIC_RELAXED);

  return job->total > 0 ? CLAMP ((double) done / job->total, 0, 1) : 0;
}

/**
 * kymo_job_set_stage:
 * @job: (nullable): a job
 * @stage: what is being done, a few words. Any thread.
 */
void
kymo_job_set_stage (KymoJob    *job,
                    const char *stage)
{
  if (job == NULL)
    return;
  g_mutex_lock (&job->mutex);
  g_free (job->stage);
  job->stage = g_strdup (stage);
  g_mutex_unlock (&job->mutex);
  arm_notify (job);
}

/**
 * kymo_job_dup_stage:
 *
 * Returns: (transfer full) (nullable): the words that were set last for what is being done;
 *   any thread
 */
char *
kymo_job_dup_stage (KymoJob *job)
{
  char *stage;

  g_mutex_lock (&job->mutex);
  stage = g_strdup (job->stage);
  g_mutex_unlock (&job->mutex);
  return stage;
}
