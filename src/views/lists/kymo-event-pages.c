/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One question is on its way at a time. While it is, lines that are looked at make a wish,
 * the last of which is asked next: what was scrolled past is not asked for.
 */
#include "config.h"

#include "kymo-event-pages.h"

#include "kymo-asker.h"
#include "kymo-follow.h"
#include "kymo-line-model.h"

#define PAGE 256
#define MOST_PAGES 64
#define NO_PAGE G_MAXUINT
/* Records from one anchor to the next: pages between them are counted from there. */
#define ANCHOR_PAGES 32
#define ANCHOR_RECORDS (ANCHOR_PAGES * PAGE)

/* -- the list -------------------------------------------------------------- */

struct _KymoEventPages
{
  GObject            parent_instance;

  KymoEventQuestion  question;
  gpointer           data;
  KymoAsker         *asker;
  GHashTable        *pages;         /* number -> KymoTable, an answer */
  KymoTable         *anchors;       /* of this list, or NULL: not known yet */
  GQueue             kept;          /* numbers, the page of last use at the head */
  guint              n;
  guint              asked, wish;   /* pages, or NO_PAGE */
  guint              old;           /* page of a run that was shorter, or NO_PAGE */
  gint64             at_ns;         /* what the first question is about */
  gboolean           finding;       /* it is on its way */
  gboolean           anew;          /* lines are of other records when they come */
  guint              at;
};

static void kymo_event_pages_list_model_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoEventPages, kymo_event_pages, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      kymo_event_pages_list_model_init))

static GType
get_item_type (GListModel *list)
{
  return KYMO_TYPE_LINE;
}

static guint
get_n_items (GListModel *list)
{
  return KYMO_EVENT_PAGES (list)->n;
}

static gpointer
get_item (GListModel *list, guint position)
{
  return position < KYMO_EVENT_PAGES (list)->n ? kymo_line_new (position) : NULL;
}

static void
kymo_event_pages_list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

/* The first page counts all records, and tells where the others begin. */
static void
ask_page (KymoEventPages *self, guint page)
{
  KymoQuestion *question = self->question (self->data);
  guint anchor = page / ANCHOR_PAGES;

  self->asked = page;
  self->wish = NO_PAGE;
  kymo_question_set_int (question, "limit", PAGE);
  if (self->anchors != NULL && anchor < kymo_table_get_n_rows (self->anchors))
    {
      kymo_question_set_int (question, "brief", 1);
      kymo_question_set_int (question, "at", kymo_table_get_int (self->anchors, "time_ns",
                                                                 anchor));
      kymo_question_set_int (question, "first", kymo_table_get_int (self->anchors, "same", anchor)
                             + (gint64) (page % ANCHOR_PAGES) * PAGE);
    }
  else
    {
      kymo_question_set_int (question, "anchors", ANCHOR_RECORDS);
      kymo_question_set_int (question, "first", (gint64) page * PAGE);
    }
  kymo_asker_ask (self->asker, question);
}

/* Where the time is among the records; its page is asked for after that. */
static void
ask_place (KymoEventPages *self)
{
  KymoQuestion *question = self->question (self->data);

  self->finding = TRUE;
  kymo_question_set_int (question, "at", self->at_ns);
  kymo_question_set_int (question, "limit", 0);
  kymo_question_set_int (question, "anchors", ANCHOR_RECORDS);
  kymo_asker_ask (self->asker, question);
}

static void
set_n (KymoEventPages *self, guint n)
{
  guint old = self->n;

  /* Of other records each line is another one. */
  if (self->anew)
    {
      self->anew = FALSE;
      self->n = n;
      g_list_model_items_changed (G_LIST_MODEL (self), 0, old, n);
      return;
    }
  if (n == old)
    return;
  self->n = n;
  if (n > old)
    g_list_model_items_changed (G_LIST_MODEL (self), old, 0, n - old);
  else
    g_list_model_items_changed (G_LIST_MODEL (self), n, old - n, 0);
}

static void
keep_event_pages (KymoEventPages *self, guint page, KymoTable *answer)
{
  g_hash_table_replace (self->pages, GUINT_TO_POINTER (page), kymo_table_ref (answer));
  g_queue_remove (&self->kept, GUINT_TO_POINTER (page));
  g_queue_push_head (&self->kept, GUINT_TO_POINTER (page));
  while (self->kept.length > MOST_PAGES)
    g_hash_table_remove (self->pages, g_queue_pop_tail (&self->kept));
}

static void
take_anchors (KymoEventPages *self, KymoTable *answer)
{
  KymoTable *anchors = kymo_table_peek_nested (answer, "anchors", NULL);

  if (anchors == NULL)
    return;
  g_clear_pointer (&self->anchors, kymo_table_unref);
  self->anchors = kymo_table_ref (anchors);
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoEventPages *self = data;
  gboolean found = self->finding;
  guint page = self->asked;

  self->finding = FALSE;
  self->asked = NO_PAGE;
  if (answer == NULL)
    {
      g_signal_emit_by_name (self, "failed", error->message);
      return;
    }
  if (kymo_table_find_column (answer, "total") >= 0)
    set_n (self, (guint) MIN (kymo_table_get_int (answer, "total", 0), G_MAXINT32));
  take_anchors (self, answer);
  if (found)
    {
      self->at = self->n > 0 ? MIN ((guint) kymo_table_get_int (answer, "first", 0), self->n - 1)
                 : G_MAXUINT;
      ask_page (self, self->at != G_MAXUINT ? self->at / PAGE : 0);
      g_signal_emit_by_name (self, "counted");
      return;
    }
  keep_event_pages (self, page, answer);
  g_signal_emit_by_name (self, "counted");
  g_signal_emit_by_name (self, "page-changed", page * PAGE, PAGE);
  if (self->asked != NO_PAGE)
    return;
  if (self->wish != NO_PAGE && !g_hash_table_contains (self->pages, GUINT_TO_POINTER (self->wish)))
    ask_page (self, self->wish);
  else if (self->old != NO_PAGE)
    {
      page = self->old;
      self->old = NO_PAGE;
      ask_page (self, page);
    }
}

/**
 * kymo_event_pages_look:
 * @line: from 0
 * @row: (out): the row of the line in the returned list; set in any case
 *
 * Looks a record up. A page that is not at hand is asked for, now or after the question under way;
 * "page-changed" tells when it is there. Of several pages wished for meanwhile the last counts.
 *
 * Returns: (transfer none) (nullable): the list "events" of the page; valid until pages change.
 *   %NULL where the line is not at hand
 */
KymoTable *
kymo_event_pages_look (KymoEventPages *self, guint line, guint *row)
{
  guint page = line / PAGE;
  KymoTable *answer = g_hash_table_lookup (self->pages, GUINT_TO_POINTER (page));
  KymoTable *list = answer != NULL ? kymo_table_peek_nested (answer, "events", NULL) : NULL;

  *row = line % PAGE;
  if (list != NULL && *row < kymo_table_get_n_rows (list))
    return list;
  if (answer == NULL && page != self->asked)
    {
      self->wish = page;
      if (self->asked == NO_PAGE && !self->finding)
        ask_page (self, page);
    }
  return NULL;
}

/**
 * kymo_event_pages_get_at:
 *
 * Returns: the first line at the time given to kymo_event_pages_reset(); %G_MAXUINT without a time,
 *   without records, and until the place is known
 */
guint
kymo_event_pages_get_at (KymoEventPages *self)
{
  return self->at;
}

/**
 * kymo_event_pages_is_busy:
 *
 * Returns: whether a question is under way
 */
gboolean
kymo_event_pages_is_busy (KymoEventPages *self)
{
  return self->finding || self->asked != NO_PAGE;
}

/**
 * kymo_event_pages_reset:
 * @at_ns: time in ns around which the first page is asked for, or %KYMO_NULL_INT: the first page of
 *   all
 *
 * Drops all pages and the question under way, and asks anew. The number of lines stays until the
 * answer is there.
 */
void
kymo_event_pages_reset (KymoEventPages *self, gint64 at_ns)
{
  kymo_asker_cancel (self->asker);
  g_clear_pointer (&self->anchors, kymo_table_unref);
  g_hash_table_remove_all (self->pages);
  g_queue_clear (&self->kept);
  self->finding = FALSE;
  self->wish = self->old = NO_PAGE;
  self->at = G_MAXUINT;
  self->at_ns = at_ns;
  self->anew = TRUE;
  if (at_ns != KYMO_NULL_INT)
    ask_place (self);
  else
    ask_page (self, 0);
}

/**
 * kymo_event_pages_renew:
 *
 * Asks anew for the two pages that came last, after the run has grown; their old lines stay until
 * the answers are there. The other pages are dropped. Does nothing where kymo_asker_wants_more()
 * returns %FALSE.
 */
void
kymo_event_pages_renew (KymoEventPages *self)
{
  guint page;

  if (!kymo_asker_wants_more (self->asker))
    return;
  /* What is to be seen is in the last two at most; it stays until it is there anew. */
  while (self->kept.length > 2)
    g_hash_table_remove (self->pages, g_queue_pop_tail (&self->kept));
  page = self->kept.length > 0 ? GPOINTER_TO_UINT (g_queue_peek_head (&self->kept)) : 0;
  self->old = self->kept.length > 1 ? GPOINTER_TO_UINT (g_queue_peek_tail (&self->kept))
              : NO_PAGE;
  self->finding = FALSE;
  g_clear_pointer (&self->anchors, kymo_table_unref);
  ask_page (self, page);
}

static void
renew_event_pages (gpointer data)
{
  kymo_event_pages_renew (data);
}

static void
kymo_event_pages_dispose (GObject *object)
{
  KymoEventPages *self = KYMO_EVENT_PAGES (object);

  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_pointer (&self->pages, g_hash_table_unref);
  g_clear_pointer (&self->anchors, kymo_table_unref);
  g_queue_clear (&self->kept);
  G_OBJECT_CLASS (kymo_event_pages_parent_class)->dispose (object);
}

static void
kymo_event_pages_class_init (KymoEventPagesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_event_pages_dispose;
  kymo_signal_new ("page-changed", KYMO_TYPE_EVENT_PAGES, 2, G_TYPE_UINT, G_TYPE_UINT);
  kymo_signal_new ("counted", KYMO_TYPE_EVENT_PAGES, 0);
  kymo_signal_new ("failed", KYMO_TYPE_EVENT_PAGES, 1, G_TYPE_STRING);
}

static void
kymo_event_pages_init (KymoEventPages *self)
{
  self->pages = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) kymo_table_unref);
  g_queue_init (&self->kept);
  self->asked = self->wish = self->old = NO_PAGE;
  self->at = G_MAXUINT;
}

/** kymo_event_pages_new: @data: lives as long as the list */
KymoEventPages *
kymo_event_pages_new (KymoSource *source, KymoEventQuestion question, gpointer data)
{
  KymoEventPages *self = g_object_new (KYMO_TYPE_EVENT_PAGES, NULL);

  self->question = question;
  self->data = data;
  self->asker = kymo_asker_new (source, on_answer, self);
  kymo_asker_set_again (self->asker, renew_event_pages);
  return self;
}
