/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-source.h"

#include "kymo-remote-link.h"

struct _KymoRemoteSource
{
  GObject         parent_instance;
  KymoRemoteLink *link;
  KymoRemoteRun  *run;
};

static void kymo_remote_source_iface_init (KymoSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoRemoteSource, kymo_remote_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      kymo_remote_source_iface_init))

/* -- as a source ------------------------------------------------------------------------------- */

static GVariant *
make_ask (KymoRemoteSource *self, const KymoQuestion *question)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", self->run->known.run);
  kymo_frame_add_question (&body, question);
  return g_variant_dict_end (&body);
}

static KymoTable *
remote_source_ask (KymoSource *source, KymoQuestion *question, GCancellable *cancellable,
                   GError **error)
{
  KymoRemoteSource *self = KYMO_REMOTE_SOURCE (source);
  g_autoptr (KymoFrame) frame = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) table = NULL;

  if (!kymo_remote_link_knows (self->link, kymo_question_get_kind (question), error))
    return NULL;
  frame = kymo_remote_link_ask (self->link, KYMO_FRAME_ASK, make_ask (self, question), NULL, NULL,
                                NULL, cancellable, error);
  if (frame == NULL)
    return NULL;
  table = g_variant_lookup_value (frame->body, "table", NULL);
  if (table == NULL)
    table = g_variant_ref_sink (g_variant_new_boolean (FALSE));
  return kymo_table_from_variant (table, error);
}

/* A getter of what is known of the run now. */
#define KNOWN_OF(source, value)                                 \
  KymoRemoteRun *run = KYMO_REMOTE_SOURCE (source)->run;        \
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&run->mutex); \
  return (value)

static KymoCapabilities
remote_source_get_capabilities (KymoSource *source)
{
  KNOWN_OF (source, run->known.capabilities);
}

static KymoSpan
remote_source_get_span (KymoSource *source)
{
  KNOWN_OF (source, run->known.span);
}

static char *
remote_source_dup_title (KymoSource *source)
{
  KNOWN_OF (source, g_strdup (run->known.facts->title));
}

static gboolean
remote_source_has_corrected_clocks (KymoSource *source)
{
  KNOWN_OF (source, run->known.has_corrected_clocks);
}

static char *
remote_source_dup_draft (KymoSource *source)
{
  KNOWN_OF (source, g_strdup (run->known.draft));
}

static guint
remote_source_get_mean_of (KymoSource *source)
{
  KNOWN_OF (source, run->known.mean_of);
}

static KymoTerms
remote_source_get_terms (KymoSource *source)
{
  KNOWN_OF (source, run->known.terms);
}

static KymoSourceFacts *
remote_source_dup_facts (KymoSource *source)
{
  KNOWN_OF (source, kymo_source_facts_ref (run->known.facts));
}

static void
kymo_remote_source_iface_init (KymoSourceInterface *iface)
{
  iface->ask = remote_source_ask;
  iface->get_capabilities = remote_source_get_capabilities;
  iface->get_span = remote_source_get_span;
  iface->dup_title = remote_source_dup_title;
  iface->has_corrected_clocks = remote_source_has_corrected_clocks;
  iface->dup_draft = remote_source_dup_draft;
  iface->get_mean_of = remote_source_get_mean_of;
  iface->get_terms = remote_source_get_terms;
  iface->dup_facts = remote_source_dup_facts;
}

/* -- as an object ------------------------------------------------------------------------------ */

static void
kymo_remote_source_finalize (GObject *object)
{
  KymoRemoteSource *self = KYMO_REMOTE_SOURCE (object);

  if (self->run != NULL)
    kymo_remote_link_drop_run (self->link, self->run);
  kymo_remote_link_unref (self->link);
  G_OBJECT_CLASS (kymo_remote_source_parent_class)->finalize (object);
}

static void
kymo_remote_source_class_init (KymoRemoteSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_remote_source_finalize;
}

static void
kymo_remote_source_init (KymoRemoteSource *self)
{
}

/* -- opening ----------------------------------------------------------------------------------- */

typedef struct
{
  KymoRemoteSource        *source;
  const KymoRemoteOptions *options;
} Opening;

/* The first frame that tells of the run makes it the source's. */
static gboolean
take_run (KymoRemoteSource *self, const KymoFrame *frame, GError **error)
{
  if (self->run != NULL)
    return TRUE;
  self->run = kymo_remote_link_add_run (self->link, frame, error);
  if (self->run != NULL)
    g_weak_ref_set (&self->run->source, self);
  return self->run != NULL;
}

static void
on_frame (const KymoFrame *frame, gpointer data)
{
  Opening *opening = data;

  if (frame->type == KYMO_FRAME_GROWN && opening->options->draft != NULL
      && take_run (opening->source, frame, NULL))
    opening->options->draft (KYMO_SOURCE (opening->source), opening->options->draft_data);
}

static void
add_word (GVariantDict *body, const char *key, const char *text)
{
  if (text != NULL && g_utf8_validate (text, -1, NULL))
    g_variant_dict_insert (body, key, "s", text);
}

static GVariant *
make_open (const char *path, const KymoRemoteOptions *options)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  /* A path may be of any bytes. */
  g_variant_dict_insert (&body, "path", "^ay", path);
  add_word (&body, "base", options->base);
  g_variant_dict_insert (&body, "threads", "u", options->n_threads);
  g_variant_dict_insert (&body, "memory-limit", "x", options->memory_limit_bytes);
  g_variant_dict_insert (&body, "correct-clocks", "b", options->correct_clocks);
  g_variant_dict_insert (&body, "no-cache", "b", options->no_cache);
  g_variant_dict_insert (&body, "drafts", "b", options->draft != NULL);
  return g_variant_dict_end (&body);
}

/**
 * kymo_remote_source_open:
 * @address: ssh://[USER@]HOST[:PORT]/PATH
 * @job: progress and cancelling
 *
 * Blocks until the run is read there, or until there is a reason why not.
 *
 * Returns: (transfer full) (nullable): a #KymoRemoteSource; %NULL with the error that opening the
 *   run there has, or with the words of ssh
 */
KymoSource *
kymo_remote_source_open (const char *address, const KymoRemoteOptions *options, KymoJob *job,
                         GError **error)
{
  g_autoptr (KymoRemoteAddress) where = kymo_remote_address_parse (address, error);
  g_autoptr (KymoRemoteSource) self = g_object_new (KYMO_TYPE_REMOTE_SOURCE, NULL);
  g_autoptr (KymoFrame) frame = NULL;
  Opening opening = { self, options };

  if (where == NULL)
    return NULL;
  self->link = kymo_remote_link_get (where, options->server, options->shares,
                                     kymo_job_peek_cancellable (job), error);
  if (self->link == NULL)
    return NULL;
  frame = kymo_remote_link_ask (self->link, KYMO_FRAME_OPEN, make_open (where->path, options), job,
                                on_frame, &opening, kymo_job_peek_cancellable (job), error);
  if (frame == NULL || !take_run (self, frame, error))
    return NULL;
  return KYMO_SOURCE (g_steal_pointer (&self));
}

/**
 * kymo_remote_source_keep:
 *
 * Has the run kept there for the next opening; blocks.
 *
 * Returns: %FALSE with the reason where that failed: nothing is lost but time
 */
gboolean
kymo_remote_source_keep (KymoRemoteSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (KymoFrame) frame = NULL;
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", source->run->known.run);
  frame = kymo_remote_link_ask (source->link, KYMO_FRAME_KEEP, g_variant_dict_end (&body), NULL,
                                NULL, NULL, cancellable, error);
  return frame != NULL;
}
