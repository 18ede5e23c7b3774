/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-source.h"

#include "kymo-derived-metrics.h"
#include "kymo-error.h"
#include "kymo-follow.h"
#include "kymo-remote-source-private.h"
#include "kymo-roles.h"

static void kymo_remote_source_iface_init (KymoSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoRemoteSource, kymo_remote_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      kymo_remote_source_iface_init))

/* -- lines ------------------------------------------------------------------------------------- */

/** kymo_remote_line_new: Returns: (transfer full): a line of @link and @run, which it takes */
KymoRemoteLine *
kymo_remote_line_new (KymoRemoteLink *link, KymoRemoteRun *run)
{
  KymoRemoteLine *line = g_atomic_rc_box_new0 (KymoRemoteLine);

  line->link = link;
  line->run = run;
  return line;
}

static void
line_clear (gpointer data)
{
  KymoRemoteLine *line = data;

  kymo_remote_link_drop_run (line->link, line->run);
  kymo_remote_link_unref (line->link);
}

/** kymo_remote_line_unref: @line: (transfer full): the run is closed with the last reference */
void
kymo_remote_line_unref (KymoRemoteLine *line)
{
  g_atomic_rc_box_release_full (line, line_clear);
}

/** kymo_remote_source_ref_line: Returns: (transfer full): the line as it is now */
KymoRemoteLine *
kymo_remote_source_ref_line (KymoRemoteSource *self)
{
  KymoRemoteLine *line;

  g_mutex_lock (&self->mutex);
  line = g_atomic_rc_box_acquire (self->line);
  g_mutex_unlock (&self->mutex);
  return line;
}

/* -- as a source ------------------------------------------------------------------------------- */

/** Asking: a question, and who wants a draft of its answer */
typedef struct
{
  KymoRemoteSource *source;
  KymoQuestion     *question;
  KymoSourceDraft   draft;      /* or NULL */
  gpointer          data;
} Asking;

static GVariant *
make_ask (const KymoRemoteLine *line, const Asking *asking)
{
  g_autofree char *derived = kymo_derived_metrics_dup_text ();
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", line->run->known.run);
  kymo_frame_add_question (&body, asking->question);
  g_variant_dict_insert (&body, "draft", "b", asking->draft != NULL);
  g_variant_dict_insert (&body, "narrow", "b", TRUE);
  /* Metrics that the person has kept are known here, and used there. */
  g_variant_dict_insert (&body, KYMO_DERIVED_KEYWORD, "s", derived);
  return g_variant_dict_end (&body);
}

static KymoTable *
read_table (const KymoFrame *frame, GError **error)
{
  g_autoptr (GVariant) table = g_variant_lookup_value (frame->body, "table", NULL);

  if (table == NULL)
    table = g_variant_ref_sink (g_variant_new_boolean (FALSE));
  return kymo_table_from_variant (table, error);
}

static void
on_draft (const KymoFrame *frame, gpointer data)
{
  Asking *asking = data;
  g_autoptr (KymoTable) draft = NULL;

  if (frame->type != KYMO_FRAME_DRAFT || asking->draft == NULL)
    return;
  draft = read_table (frame, NULL);
  if (draft != NULL)
    asking->draft (KYMO_SOURCE (asking->source), draft, asking->data);
}

/* Asks until a line lasts long enough for the answer. */
static KymoFrame *
ask_line (Asking *asking, GCancellable *cancellable, GError **error)
{
  KymoRemoteSource *self = asking->source;

  for (;;)
    {
      g_autoptr (KymoRemoteLine) line = kymo_remote_source_ref_line (self);
      g_autoptr (GError) why = NULL;
      KymoFrame *frame = NULL;

      if (kymo_remote_link_knows (line->link, asking->question, &why))
        frame = kymo_remote_link_ask (line->link, KYMO_FRAME_ASK, make_ask (line, asking), NULL,
                                      on_draft, asking, cancellable, &why);
      if (frame != NULL)
        return frame;
      if (!g_error_matches (why, KYMO_ERROR, KYMO_ERROR_UNREADABLE)
          || !kymo_remote_link_has_ended (line->link)
          || !kymo_remote_source_wait (self, line, cancellable))
        {
          if (!g_cancellable_set_error_if_cancelled (cancellable, error))
            g_propagate_error (error, g_steal_pointer (&why));
          return NULL;
        }
    }
}

static KymoTable *
remote_source_ask_drafted (KymoSource *source, KymoQuestion *question, KymoSourceDraft draft,
                           gpointer data, GCancellable *cancellable, GError **error)
{
  Asking asking = { KYMO_REMOTE_SOURCE (source), question, draft, data };
  g_autoptr (KymoFrame) frame = ask_line (&asking, cancellable, error);

  return frame != NULL ? read_table (frame, error) : NULL;
}

static KymoTable *
remote_source_ask (KymoSource *source, KymoQuestion *question, GCancellable *cancellable,
                   GError **error)
{
  return remote_source_ask_drafted (source, question, NULL, NULL, cancellable, error);
}

/* A getter of the present facts of the run. */
#define KNOWN_OF(source, value)                                 \
  g_autoptr (KymoRemoteLine) line = kymo_remote_source_ref_line (KYMO_REMOTE_SOURCE (source)); \
  KymoRemoteRun *run = line->run;                               \
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

static gboolean
remote_source_keep (KymoSource *source, GCancellable *cancellable, GError **error)
{
  KymoRemoteSource *self = KYMO_REMOTE_SOURCE (source);
  g_autoptr (KymoRemoteLine) line = kymo_remote_source_ref_line (self);
  g_autoptr (KymoFrame) frame = NULL;
  GVariantDict body;

  if (self->options.no_cache)
    return TRUE;
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", line->run->known.run);
  frame = kymo_remote_link_ask (line->link, KYMO_FRAME_KEEP, g_variant_dict_end (&body), NULL,
                                NULL, NULL, cancellable, error);
  return frame != NULL;
}

static void
kymo_remote_source_iface_init (KymoSourceInterface *iface)
{
  iface->ask = remote_source_ask;
  iface->ask_drafted = remote_source_ask_drafted;
  iface->get_capabilities = remote_source_get_capabilities;
  iface->get_span = remote_source_get_span;
  iface->dup_title = remote_source_dup_title;
  iface->has_corrected_clocks = remote_source_has_corrected_clocks;
  iface->dup_draft = remote_source_dup_draft;
  iface->get_mean_of = remote_source_get_mean_of;
  iface->get_terms = remote_source_get_terms;
  iface->dup_facts = remote_source_dup_facts;
  iface->keep = remote_source_keep;
}

/* -- as an object ------------------------------------------------------------------------------ */

static void
kymo_remote_source_dispose (GObject *object)
{
  kymo_remote_source_end_again (KYMO_REMOTE_SOURCE (object));
  G_OBJECT_CLASS (kymo_remote_source_parent_class)->dispose (object);
}

static void
kymo_remote_source_finalize (GObject *object)
{
  KymoRemoteSource *self = KYMO_REMOTE_SOURCE (object);

  g_clear_pointer (&self->line, kymo_remote_line_unref);
  kymo_remote_address_free (self->address);
  g_free (self->server);
  g_free (self->launch);
  g_free (self->base);
  g_free (self->words);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (kymo_remote_source_parent_class)->finalize (object);
}

static void
kymo_remote_source_class_init (KymoRemoteSourceClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_remote_source_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_remote_source_finalize;
  kymo_signal_new ("line-changed", type, 0);
  /* With the KymoRemoteRun whose link it was. */
  g_signal_new_class_handler ("line-ended", type, G_SIGNAL_RUN_LAST,
                              G_CALLBACK (kymo_remote_source_on_ended), NULL, NULL, NULL,
                              G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
kymo_remote_source_init (KymoRemoteSource *self)
{
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
}

/* -- opening ----------------------------------------------------------------------------------- */

/* The first frame that tells of the run makes it the source's. */
static gboolean
take_run (KymoRemoteSource *self, KymoRemoteLink *link, const KymoFrame *frame, GError **error)
{
  KymoRemoteRun *run;

  if (self->line != NULL)
    return TRUE;
  run = kymo_remote_link_add_run (link, frame, error);
  if (run == NULL)
    return FALSE;
  self->line = kymo_remote_line_new (kymo_remote_link_ref (link), run);
  g_weak_ref_set (&run->source, self);
  return TRUE;
}

/** Opening: of a run for the first time */
typedef struct
{
  KymoRemoteSource *source;
  KymoRemoteLink   *link;
} Opening;

static void
on_frame (const KymoFrame *frame, gpointer data)
{
  Opening *opening = data;
  KymoRemoteOptions *options = &opening->source->options;

  if (frame->type == KYMO_FRAME_GROWN && options->draft != NULL
      && take_run (opening->source, opening->link, frame, NULL))
    options->draft (KYMO_SOURCE (opening->source), options->draft_data);
}

static void
add_word (GVariantDict *body, const char *key, const char *text)
{
  if (text != NULL && g_utf8_validate (text, -1, NULL))
    g_variant_dict_insert (body, key, "s", text);
}

static GVariant *
make_open (KymoRemoteSource *self, gboolean drafts)
{
  const KymoRemoteOptions *options = &self->options;
  g_autofree char *roles = kymo_roles_dup_own ();
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  /* A path may be of any bytes. */
  g_variant_dict_insert (&body, "path", "^ay", self->address->path);
  add_word (&body, "base", options->base);
  add_word (&body, "roles", roles);
  g_variant_dict_insert (&body, "threads", "u", options->n_threads);
  g_variant_dict_insert (&body, "memory-limit", "x", options->memory_limit_bytes);
  g_variant_dict_insert (&body, "correct-clocks", "b", options->correct_clocks);
  g_variant_dict_insert (&body, "no-cache", "b", options->no_cache);
  g_variant_dict_insert (&body, "drafts", "b", drafts);
  return g_variant_dict_end (&body);
}

static KymoRemoteLink *
make_link (KymoRemoteSource *self, gboolean quiet, KymoJob *job, GError **error)
{
  const KymoRemoteWay way = { self->server, self->options.shares, self->launch, quiet };

  return kymo_remote_link_get (self->address, &way, job, error);
}

/**
 * kymo_remote_source_make_line:
 * @quiet: nobody is asked anything
 * @job: cancelling
 *
 * Opens the run once more; blocks.
 *
 * Returns: (transfer full) (nullable): another line to it; %NULL with the reason
 */
KymoRemoteLine *
kymo_remote_source_make_line (KymoRemoteSource *self, gboolean quiet, KymoJob *job, GError **error)
{
  g_autoptr (KymoRemoteLink) link = make_link (self, quiet, job, error);
  g_autoptr (KymoFrame) frame = NULL;
  KymoRemoteRun *run;

  if (link == NULL)
    return NULL;
  frame = kymo_remote_link_ask (link, KYMO_FRAME_OPEN,
                                make_open (self, self->options.draft != NULL), NULL, NULL, NULL,
                                kymo_job_peek_cancellable (job), error);
  run = frame != NULL ? kymo_remote_link_add_run (link, frame, error) : NULL;
  return run != NULL ? kymo_remote_line_new (g_steal_pointer (&link), run) : NULL;
}

static KymoRemoteSource *
new_source (KymoRemoteAddress *address, const KymoRemoteOptions *options)
{
  KymoRemoteSource *self = g_object_new (KYMO_TYPE_REMOTE_SOURCE, NULL);

  self->address = address;
  self->options = *options;
  self->options.server = self->server = g_strdup (options->server);
  self->options.launch = self->launch = g_strdup (options->launch);
  self->options.base = self->base = g_strdup (options->base);
  return self;
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
  KymoRemoteAddress *where = kymo_remote_address_parse (address, error);
  g_autoptr (KymoRemoteSource) self = where != NULL ? new_source (where, options) : NULL;
  g_autoptr (KymoRemoteLink) link = self != NULL ? make_link (self, FALSE, job, error) : NULL;
  g_autoptr (KymoFrame) frame = NULL;
  Opening opening = { self, link };

  if (link == NULL)
    return NULL;
  frame = kymo_remote_link_ask (link, KYMO_FRAME_OPEN, make_open (self, options->draft != NULL),
                                job, on_frame, &opening, kymo_job_peek_cancellable (job), error);
  if (frame == NULL || !take_run (self, link, frame, error))
    return NULL;
  return KYMO_SOURCE (g_steal_pointer (&self));
}
