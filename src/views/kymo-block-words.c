/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-block-words.h"
#include "kymo-units.h"

struct _KymoBlockWords
{
  GObject      parent_instance;

  KymoSession *session;            /* whose data it is; never owned */
  KymoAsker   *asker, *median_asker;
  GHashTable  *medians;            /* name -> gint64 ns; NULL = not known */
  KymoTable   *details;            /* of the selected block, or NULL */
  char        *words;
};

G_DEFINE_FINAL_TYPE (KymoBlockWords, kymo_block_words, G_TYPE_OBJECT)

/** kymo_block_words_compare: */
char *
kymo_block_words_compare (KymoBlockWords *self, const char *name,
                          gint64 duration_ns)
{
  const gint64 *median = self->medians != NULL && name != NULL
                         ? g_hash_table_lookup (self->medians, name) : NULL;
  double times;

  if (median == NULL || *median <= 0)
    return NULL;
  times = (double) duration_ns / *median;
  if (times >= 0.95 && times < 1.05)
    return g_strdup (_("as long as the median"));
  return g_strdup_printf (_("%.3g times the median"), times);
}

static void
set_words (KymoBlockWords *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  KymoTable *details = self->details;
  const char *name;

  g_clear_pointer (&self->words, g_free);
  if (details != NULL)
    {
      gint64 ns = kymo_table_find_column (details, "duration_ns") >= 0
                  ? kymo_table_get_int (details, "duration_ns", 0) : 0;
      char *ratio;

      name = kymo_table_get_string (details, "name", 0);
      g_ptr_array_add (parts, g_strdup (kymo_table_get_string (
                                          details, "label", 0)));
      g_ptr_array_add (parts, g_strdup (name != NULL ? name
                                        : kymo_table_get_string (
                                            details, "state", 0)));
      g_ptr_array_add (parts, kymo_format_duration (ns));
      ratio = kymo_table_find_column (details, "signature") >= 0
              ? kymo_block_words_compare (self, name, ns) : NULL;
      if (ratio != NULL)
        g_ptr_array_add (parts, ratio);
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
  self->medians = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         g_free);
  for (guint i = 0; i < kymo_table_get_n_rows (names); i++)
    {
      gint64 ns = kymo_table_get_int (names, "median_ns", i);

      g_hash_table_insert (self->medians, g_strdup (kymo_table_get_string (
                             names, "name", i)), g_memdup2 (&ns, sizeof ns));
    }
  set_words (self);
}

/** kymo_block_words_want: */
void
kymo_block_words_want (KymoBlockWords *self)
{
  KymoQuestion *question;

  if (self->medians != NULL || kymo_asker_is_busy (self->median_asker)
      || !(kymo_source_get_capabilities (kymo_session_peek_source (
             self->session)) & KYMO_CAN_INTERVALS))
    return;
  question = kymo_question_new ("outliers");
  kymo_question_set_int (question, "limit", 0);
  kymo_asker_ask (self->median_asker, question);
}

static void
on_details (KymoTable *answer, const GError *error, gpointer data)
{
  KymoBlockWords *self = data;

  g_clear_pointer (&self->details, kymo_table_unref);
  if (answer != NULL)
    self->details = kymo_table_ref (answer);
  set_words (self);
}

static void
on_selection (KymoBlockWords *self)
{
  KymoQuestion *question;
  gint64 location, time_ns;

  if (!kymo_session_get_block (self->session, &location, &time_ns))
    {
      kymo_asker_cancel (self->asker);
      on_details (NULL, NULL, self);
      return;
    }
  question = kymo_question_new ("details");
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  kymo_asker_ask (self->asker, question);
  kymo_block_words_want (self);
}

/* Of a run that has grown medians are others. */
static void
on_grown (KymoBlockWords *self)
{
  g_clear_pointer (&self->medians, g_hash_table_unref);
  if (self->details != NULL)
    kymo_block_words_want (self);
}

/** kymo_block_words_peek: */
const char *
kymo_block_words_peek (KymoBlockWords *self)
{
  return self->words;
}

static void
kymo_block_words_dispose (GObject *object)
{
  KymoBlockWords *self = KYMO_BLOCK_WORDS (object);

  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_pointer (&self->median_asker, kymo_asker_free);
  g_clear_pointer (&self->medians, g_hash_table_unref);
  g_clear_pointer (&self->details, kymo_table_unref);
  g_clear_pointer (&self->words, g_free);
  G_OBJECT_CLASS (kymo_block_words_parent_class)->dispose (object);
}

static void
kymo_block_words_class_init (KymoBlockWordsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_block_words_dispose;
  g_signal_new ("changed", KYMO_TYPE_BLOCK_WORDS, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 0);
}

static void
kymo_block_words_init (KymoBlockWords *self)
{
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
  self->session = session;
  self->asker = kymo_asker_new (source, on_details, self);
  self->median_asker = kymo_asker_new (source, on_medians, self);
  g_signal_connect_object (session, "selection-changed",
                           G_CALLBACK (on_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "grown", G_CALLBACK (on_grown), self,
                           G_CONNECT_SWAPPED);
  g_object_set_data_full (G_OBJECT (session), key, self, g_object_unref);
  return self;
}
