/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-block-words.h"
#include "kymo-in-terms.h"
#include "kymo-selected-block.h"
#include "kymo-units.h"

/* A pointer that rests so long asks for more than what the picture shows. */
#define REST_MS 300

/** Standing: how a block stands among those of its name */
typedef struct
{
  KymoAsker *asker;
  KymoTable *answer;               /* of outliers, or NULL */
  gint64     location, time_ns;    /* that are asked about */
} Standing;

struct _KymoBlockWords
{
  GObject      parent_instance;

  KymoSession *session;            /* weak: it has this as its data */
  KymoSelectedBlock *block;        /* of the session; a reference */
  KymoAsker   *median_asker;
  GHashTable  *medians;            /* name -> gint64 ns; NULL = not known */
  gboolean     outgrown;           /* the medians are of the run as it was before */
  guint        grown, grown_asked; /* how often it has, and had when they were asked for */
  Standing     selected, rested;
  guint        rest_id;
  char        *words, *standing;
};

G_DEFINE_FINAL_TYPE (KymoBlockWords, kymo_block_words, G_TYPE_OBJECT)

/* -- in words ------------------------------------------------------------- */

static char *
ratio_in_words (gint64 duration_ns, gint64 median_ns)
{
  double times = (double) duration_ns / median_ns;
  g_autofree char *number = NULL;

  if (times >= 0.95 && times < 1.05)
    return g_strdup (_("as long as the median"));
  number = kymo_format_number (times, 3);
  return g_strdup_printf (_("%s times the median"), number);
}

/**
 * kymo_block_words_compare:
 * @name: (nullable): of the entry method
 * @duration_ns: length of one of its blocks, ns
 *
 * Returns: (transfer full) (nullable): the length in relation to the median of all blocks of this
 *   name in the run; %NULL while no median is known, see kymo_block_words_want()
 */
char *
kymo_block_words_compare (KymoBlockWords *self, const char *name,
                          gint64 duration_ns)
{
  const gint64 *median = self->medians != NULL && name != NULL
                         ? g_hash_table_lookup (self->medians, name) : NULL;

  return median != NULL && *median > 0 ? ratio_in_words (duration_ns, *median)
                                       : NULL;
}

/* "3rd" */
static char *
dup_ordinal (gint64 n)
{
  g_autofree char *count = kymo_format_count (n);
  gint64 last = n % 100 / 10 == 1 ? 0 : n % 10;

  return g_strdup_printf (last == 1 ? C_("ordinal", "%sst")
                          : last == 2 ? C_("ordinal", "%snd")
                          : last == 3 ? C_("ordinal", "%srd")
                          : C_("ordinal", "%sth"), count);
}

/* "3rd longest of 12,345"; how often there are others that are as long. */
static char *
rank_in_words (KymoTable *block)
{
  gint64 rank = kymo_table_get_int (block, "rank", 0);
  gint64 n = kymo_table_get_int (block, "blocks", 0);
  gint64 same = kymo_table_get_int (block, "as_long", 0);
  g_autofree char *all = kymo_format_count (n);
  g_autofree char *others = kymo_format_count (same - 1);
  g_autofree char *ordinal = dup_ordinal (rank);

  if (n < 2)
    return g_strdup (_("the only one of its name in the run"));
  if (same == n)
    return g_strdup_printf (_("as long as all %s of the run"), all);
  if (rank == 1 && same > 1)
    return g_strdup_printf (_("longest of %s in the run, with %s as long"), all,
                            others);
  if (rank == 1)
    return g_strdup_printf (_("longest of %s in the run"), all);
  if (same > 1)
    return g_strdup_printf (_("%s longest of %s in the run, with %s as long"),
                            ordinal, all, others);
  return g_strdup_printf (_("%s longest of %s in the run"), ordinal, all);
}

/* Of an answer of "outliers"; NULL where it is not there yet. */
static char *
standing_in_words (const Standing *standing)
{
  KymoTable *block = standing->answer != NULL
                     ? kymo_table_peek_nested (standing->answer, "block", NULL)
                     : NULL;
  g_autofree char *ratio = NULL, *median = NULL, *rank = NULL;
  gint64 median_ns;

  if (block == NULL)
    return NULL;
  rank = rank_in_words (block);
  median_ns = kymo_table_get_int (block, "median_ns", 0);
  if (median_ns == KYMO_NULL_INT || median_ns <= 0
      || kymo_table_get_int (block, "blocks", 0) < 2)
    return g_steal_pointer (&rank);
  ratio = ratio_in_words (kymo_table_get_int (block, "duration_ns", 0),
                          median_ns);
  median = kymo_format_duration (median_ns);
  return g_strdup_printf (_("%s (%s), %s"), ratio, median, rank);
}

/* -- the selected block --------------------------------------------------- */

static void
set_words (KymoBlockWords *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  KymoTable *details = kymo_selected_block_peek_details (self->block);
  const char *name;

  g_clear_pointer (&self->words, g_free);
  g_clear_pointer (&self->standing, g_free);
  if (details != NULL)
    {
      gint64 ns = kymo_table_find_column (details, "duration_ns") >= 0
                  ? kymo_table_get_int (details, "duration_ns", 0) : 0;
      char *ratio;
      char *standing = standing_in_words (&self->selected);

      name = kymo_table_get_string (details, "name", 0);
      g_ptr_array_add (parts, g_strdup (kymo_table_peek_label (
                                          details, "label", 0)));
      g_ptr_array_add (parts, g_strdup (kymo_shown_name (
                                          name != NULL ? name
                                          : kymo_table_get_string (details, "state", 0))));
      g_ptr_array_add (parts, kymo_format_duration (ns));
      /* The medians may be there before the place among all is. */
      ratio = standing == NULL
              && kymo_table_find_column (details, "signature") >= 0
              ? kymo_block_words_compare (self, name, ns) : NULL;
      if (ratio != NULL)
        g_ptr_array_add (parts, ratio);
      if (standing != NULL)
        g_ptr_array_add (parts, g_strdup (standing));
      self->standing = standing;
      g_ptr_array_add (parts, NULL);
      self->words = g_strjoinv (", ", (char **) parts->pdata);
    }
  g_signal_emit_by_name (self, "changed");
}

static void
on_medians (KymoTable *answer, const GError *error, gpointer data)
{
  KymoBlockWords *self = data;
  KymoTable *names = answer != NULL
                     ? kymo_table_peek_nested (answer, "names", NULL) : NULL;

  if (names == NULL)
    return;
  g_clear_pointer (&self->medians, g_hash_table_unref);
  self->outgrown = self->grown != self->grown_asked;
  self->medians = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         g_free);
  for (guint i = 0; i < kymo_table_get_n_rows (names); i++)
    {
      gint64 ns = kymo_table_get_int (names, "median_ns", i);

      g_hash_table_insert (self->medians, g_strdup (kymo_table_get_string (
                             names, "name", i)), g_memdup2 (&ns, sizeof ns));
    }
  set_words (self);
  kymo_block_words_want (self);
}

/**
 * kymo_block_words_want:
 *
 * Asks for the medians of all names, where they are not known or the run has grown since; "changed"
 * tells when they are there. Does nothing while they are asked for, and for a run without blocks.
 */
void
kymo_block_words_want (KymoBlockWords *self)
{
  KymoQuestion *question;

  if (self->session == NULL || (self->medians != NULL && !self->outgrown)
      || (self->outgrown && !kymo_asker_wants_more (self->median_asker))
      || kymo_asker_is_busy (self->median_asker)
      || !(kymo_source_get_capabilities (kymo_session_peek_source (
             self->session)) & KYMO_CAN_INTERVALS))
    return;
  question = kymo_question_new ("outliers");
  kymo_question_set_int (question, "limit", 0);
  self->grown_asked = self->grown;
  kymo_asker_ask (self->median_asker, question);
}

static void
standing_clear (Standing *standing)
{
  if (standing->asker != NULL)
    kymo_asker_cancel (standing->asker);
  g_clear_pointer (&standing->answer, kymo_table_unref);
  standing->location = -1;
}

/* The same as `kymo-cli outliers --location --at`, of the whole run. */
static void
standing_ask_again (Standing *standing)
{
  KymoQuestion *question = kymo_question_new ("outliers");

  kymo_question_set_int (question, "location", standing->location);
  kymo_question_set_int (question, "at-ns", standing->time_ns);
  kymo_question_set_int (question, "limit", 0);
  kymo_asker_ask (standing->asker, question);
}

static void
standing_ask (Standing *standing, gint64 location, gint64 time_ns)
{
  standing_clear (standing);
  standing->location = location;
  standing->time_ns = time_ns;
  standing_ask_again (standing);
}

static gboolean
has_blocks (KymoBlockWords *self)
{
  return self->session != NULL
         && (kymo_source_get_capabilities (kymo_session_peek_source (
               self->session)) & KYMO_CAN_INTERVALS) != 0;
}

/* Idle time is no block, and has no place among them. */
static void
on_standing (KymoTable *answer, const GError *error, gpointer data)
{
  KymoBlockWords *self = data;

  g_clear_pointer (&self->selected.answer, kymo_table_unref);
  if (answer != NULL)
    self->selected.answer = kymo_table_ref (answer);
  /* Until then the words are those of the block before. */
  if (kymo_selected_block_peek_details (self->block) != NULL)
    set_words (self);
}

static void
ask_selected (KymoBlockWords *self)
{
  gint64 location, time_ns;

  kymo_session_get_block (self->session, &location, &time_ns);
  standing_clear (&self->selected);
  g_clear_pointer (&self->standing, g_free);
  if (has_blocks (self))
    standing_ask (&self->selected, location, time_ns);
  kymo_block_words_want (self);
}

static void
on_block (KymoBlockWords *self)
{
  if (kymo_session_get_block (self->session, NULL, NULL))
    ask_selected (self);
  else
    standing_clear (&self->selected);
}

static void
ask_standing_again (gpointer data)
{
  KymoBlockWords *self = data;

  if (self->selected.location >= 0)
    standing_ask_again (&self->selected);
}

/* Of a run that has grown medians are others, and a block may be known now that was chosen
   before. All these questions are about the whole run: an answer stands until the
   next answer is there, and a run that grows faster than it answers is not asked more often. */
static void
on_grown (KymoBlockWords *self)
{
  self->grown++;
  self->outgrown = TRUE;
  g_clear_handle_id (&self->rest_id, g_source_remove);
  standing_clear (&self->rested);
  if (!kymo_session_get_block (self->session, NULL, NULL))
    return;
  if (self->selected.location < 0 && has_blocks (self))
    ask_selected (self);
  else if (self->selected.location >= 0 && kymo_asker_wants_more (self->selected.asker))
    ask_standing_again (self);
  kymo_block_words_want (self);
}

/**
 * kymo_block_words_peek:
 *
 * Returns: (transfer none) (nullable): the selected block in words, valid until "changed"; %NULL
 *   without a selected block, and until its details are there
 */
const char *
kymo_block_words_peek (KymoBlockWords *self)
{
  return self->words;
}

/**
 * kymo_block_words_peek_standing:
 *
 * Returns: (transfer none) (nullable): how long the selected block is among the blocks of its name,
 *   valid until the selection or the words change; %NULL until it is known, and for idle time
 */
const char *
kymo_block_words_peek_standing (KymoBlockWords *self)
{
  return self->standing;
}

/* -- the block under a pointer at rest ------------------------------------ */

static void
on_rested (KymoTable *answer, const GError *error, gpointer data)
{
  KymoBlockWords *self = data;

  if (answer == NULL)
    return;
  g_clear_pointer (&self->rested.answer, kymo_table_unref);
  self->rested.answer = kymo_table_ref (answer);
  g_signal_emit_by_name (self, "rested");
}

static gboolean
on_rest (gpointer data)
{
  KymoBlockWords *self = data;

  self->rest_id = 0;
  if (has_blocks (self))
    standing_ask (&self->rested, self->rested.location, self->rested.time_ns);
  return G_SOURCE_REMOVE;
}

static gboolean
is_rested_block (KymoBlockWords *self, const char *name, gint64 location,
                 gint64 time_ns)
{
  KymoTable *block = self->rested.answer != NULL
                     ? kymo_table_peek_nested (self->rested.answer, "block",
                                               NULL) : NULL;

  return block != NULL && kymo_table_get_int (block, "location", 0) == location
         && kymo_table_get_int (block, "begin_ns", 0) <= time_ns
         && kymo_table_get_int (block, "end_ns", 0) > time_ns
         && g_strcmp0 (kymo_table_get_string (block, "name", 0), name) == 0;
}

/**
 * kymo_block_words_dup_rested:
 * @name: (nullable): of the entry method under the pointer
 * @location: whose row the pointer is in
 * @time_ns: time under the pointer
 *
 * A block that is not known is asked for once the pointer has rested on it for 0.3 s; "rested"
 * tells when the answer is there.
 *
 * Returns: (transfer full) (nullable): the length of the block and its place among the blocks of
 *   its name; %NULL until they are known
 */
char *
kymo_block_words_dup_rested (KymoBlockWords *self, const char *name,
                             gint64 location, gint64 time_ns)
{
  g_autofree char *standing = NULL, *length = NULL;
  KymoTable *block;

  if (!is_rested_block (self, name, location, time_ns))
    {
      if (self->rested.location == location
          && self->rested.time_ns == time_ns)
        return NULL;
      standing_clear (&self->rested);
      self->rested.location = location;
      self->rested.time_ns = time_ns;
      g_clear_handle_id (&self->rest_id, g_source_remove);
      self->rest_id = g_timeout_add (REST_MS, on_rest, self);
      return NULL;
    }
  block = kymo_table_peek_nested (self->rested.answer, "block", NULL);
  length = kymo_format_duration (kymo_table_get_int (block, "duration_ns", 0));
  standing = standing_in_words (&self->rested);
  return g_strdup_printf (_("block of %s: %s"), length, standing);
}

/* -- the object ----------------------------------------------------------- */

static void
kymo_block_words_dispose (GObject *object)
{
  KymoBlockWords *self = KYMO_BLOCK_WORDS (object);

  g_clear_object (&self->block);
  g_clear_pointer (&self->median_asker, kymo_asker_free);
  g_clear_handle_id (&self->rest_id, g_source_remove);
  g_clear_pointer (&self->selected.asker, kymo_asker_free);
  g_clear_pointer (&self->rested.asker, kymo_asker_free);
  g_clear_pointer (&self->selected.answer, kymo_table_unref);
  g_clear_pointer (&self->rested.answer, kymo_table_unref);
  g_clear_pointer (&self->standing, g_free);
  g_clear_weak_pointer (&self->session);
  g_clear_pointer (&self->medians, g_hash_table_unref);
  g_clear_pointer (&self->words, g_free);
  G_OBJECT_CLASS (kymo_block_words_parent_class)->dispose (object);
}

static void
kymo_block_words_class_init (KymoBlockWordsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_block_words_dispose;
  kymo_signal_new ("changed", KYMO_TYPE_BLOCK_WORDS, 0);
  kymo_signal_new ("rested", KYMO_TYPE_BLOCK_WORDS, 0);
}

static void
kymo_block_words_init (KymoBlockWords *self)
{
  self->selected.location = self->rested.location = -1;
}

/** kymo_block_words_of: (transfer none): that of a session, made on first use */
KymoBlockWords *
kymo_block_words_of (KymoSession *session)
{
  static const char key[] = "kymo-block-words";
  KymoBlockWords *self = g_object_get_data (G_OBJECT (session), key);
  KymoSource *source = kymo_session_peek_source (session);

  if (self != NULL)
    return self;
  self = g_object_new (KYMO_TYPE_BLOCK_WORDS, NULL);
  g_set_weak_pointer (&self->session, session);
  self->block = g_object_ref (kymo_selected_block_of (session));
  self->selected.asker = kymo_asker_new (source, on_standing, self);
  kymo_asker_set_again (self->selected.asker, ask_standing_again);
  self->rested.asker = kymo_asker_new (source, on_rested, self);
  self->median_asker = kymo_asker_new (source, on_medians, self);
  kymo_follow (self->block, "changed", on_block, self);
  kymo_follow (self->block, "details", set_words, self);
  kymo_follow (session, "grown", on_grown, self);
  g_object_set_data_full (G_OBJECT (session), key, self, g_object_unref);
  return self;
}
