/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * message-sizes: how many messages were received of each size, and their bytes. A class of sizes
 * begins at a power of two and ends before the next: 0, 1, 2-3, 4-7 bytes and so on. Messages
 * between ranks are split by tag and communicator, all others by the entry method that they ran.
 *
 * The rules of kymo-traffic.h decide which messages count, so messages and bytes of all classes
 * add up to those of the question communication. "sizes" lists all classes that hold a message.
 * "series" is for a picture: at most MOST_SERIES rows, of which the last is all others, with a
 * value for each class from the smallest to the largest that holds a message. Of more tags than
 * that the communicators are told apart first, and where there is but one, its largest tags and
 * all others, which are no remainder then but most of what there is.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-order.h"
#include "kymo-traffic.h"

#include "kymo-keywords.h"

/* Classes of 64-bit sizes: 0, then one for each bit. */
#define N_CLASSES 64
#define MOST_SERIES 10
/* A column of the table "series" with a single value would be no list. */
#define LEAST_CLASSES 2
#define OTHERS "(others)"
#define OTHER_TAGS "other tags"
/* Of more pairs of tag and communicator only communicators are told apart: a program may use a tag
   for each message, and a group takes 1 kB. */
#define MOST_GROUPS 16384
#define ALL_TAGS G_MININT32

/**
 * Group: messages that belong together; the first member is its key
 * @key: communicator << 32 | tag, which may be ALL_TAGS; or an index of an activity
 */
typedef struct
{
  gint64 key;
  gint64 messages[N_CLASSES], bytes[N_CLASSES];
  gint64 all_messages, all_bytes;       /* set when all are counted */
} Group;

static Group *
group_of (KymoTrafficGroups *groups,
          gint64             key)
{
  return kymo_traffic_groups_find (groups, key, sizeof (Group), NULL);
}

static guint
size_class (gint64 bytes)
{
  return bytes <= 0 ? 0 : g_bit_storage ((gulong) bytes);
}

/* First size of a class, in bytes. */
static gint64
class_begin (guint i)
{
  return i == 0 ? 0 : i < N_CLASSES ? G_GINT64_CONSTANT (1) << (i - 1) : G_MAXINT64;
}

static void
add_group (Group       *into,
           const Group *from)
{
  for (guint i = 0; i < N_CLASSES; i++)
    {
      into->messages[i] = kymo_saturating_add (into->messages[i], from->messages[i]);
      into->bytes[i] = kymo_saturating_add (into->bytes[i], from->bytes[i]);
    }
}

static gint64
key_of (const KymoTrafficGroups *groups,
        guint32                  comm,
        gint32                   tag)
{
  return (gint64) ((guint64) comm << 32 | (guint32) (groups->coarse ? ALL_TAGS : tag));
}

/* Puts the groups of each communicator together. A part of the run does so only if the whole run
   has too many as well, so threads make no difference. */
static void
leave_tags_out (KymoTrafficGroups *groups)
{
  g_autoptr (GHashTable) rows = groups->rows;
  GHashTableIter iter;
  gpointer row;

  groups->rows = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  groups->last = NULL;
  groups->coarse = TRUE;
  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, &row, NULL))
    add_group (group_of (groups, key_of (groups, (guint32) ((guint64) ((Group *) row)->key >> 32),
                                         0)), row);
}

static void
limit_groups (const KymoAsk     *ask,
              KymoTrafficGroups *groups)
{
  if (g_hash_table_size (groups->rows) > MOST_GROUPS && !groups->coarse
      && ((const KymoTrafficRules *) ask->plan)->exchanges)
    leave_tags_out (groups);
}

static void
count_received_size (const KymoAsk            *ask,
                     gpointer                  data,
                     const KymoSegment        *segment,
                     const KymoTrafficMessage *message)
{
  KymoTrafficGroups *groups = data;
  const KymoExchange *x = segment->exchange;
  gint64 key = message->activity;
  guint i = size_class (message->bytes);
  Group *group;

  if (((const KymoTrafficRules *) ask->plan)->exchanges)
    key = key_of (groups, x->receive_comm[message->index], x->receive_tag[message->index]);
  group = group_of (groups, key);
  kymo_traffic_totals_add_received (&groups->totals, message);
  group->messages[i]++;
  group->bytes[i] = kymo_saturating_add (group->bytes[i], message->bytes);
  limit_groups (ask, groups);
}

/* Only the totals contain what was sent. */
static void
count_sent_total (const KymoAsk     *ask,
                  gpointer           data,
                  const KymoSegment *segment,
                  guint              i)
{
  kymo_traffic_totals_add_sent (&((KymoTrafficGroups *) data)->totals, segment, i);
}

static void
message_sizes_partial (const KymoAsk *ask,
                       gpointer       data,
                       KymoSegment   *segment)
{
  kymo_traffic_groups_count (data, ask, segment, count_received_size, count_sent_total);
}

static void
message_sizes_merge (const KymoAsk *ask,
                     gpointer       into,
                     gpointer       from)
{
  KymoTrafficGroups *a = into, *b = from;
  GHashTableIter iter;
  gpointer key;

  if (a->coarse && !b->coarse)
    leave_tags_out (b);
  else if (b->coarse && !a->coarse)
    leave_tags_out (a);
  g_hash_table_iter_init (&iter, b->rows);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    add_group (group_of (a, ((Group *) key)->key), key);
  limit_groups (ask, a);
  kymo_traffic_totals_merge (&a->totals, &b->totals);
  kymo_traffic_totals_merge (&a->left_out, &b->left_out);
}

static void
weigh_sizes (gpointer data,
             gint64   weight)
{
  Group *group = data;

  for (guint i = 0; i < N_CLASSES; i++)
    {
      group->messages[i] = kymo_weigh_count (group->messages[i], weight);
      group->bytes[i] = kymo_weigh (group->bytes[i], weight);
    }
}

static void
message_sizes_weigh (const KymoAsk *ask,
                     gpointer       data,
                     guint          location,
                     gint64         weight)
{
  kymo_traffic_groups_weigh (data, weight, weigh_sizes);
}

/* Groups with most messages first; ties by bytes, then by key. */
static int
compare_groups (gconstpointer a,
                gconstpointer b)
{
  const Group *x = *(Group *const *) a, *y = *(Group *const *) b;

  KYMO_ORDER_BY (y->all_messages, x->all_messages);
  KYMO_ORDER_BY (y->all_bytes, x->all_bytes);
  return x->key < y->key ? -1 : x->key > y->key;
}

static GPtrArray *
sort_groups (GHashTable *groups)
{
  GPtrArray *order = g_ptr_array_sized_new (g_hash_table_size (groups));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      Group *group = key;

      for (guint i = 0; i < N_CLASSES; i++)
        {
          group->all_messages = kymo_saturating_add (group->all_messages, group->messages[i]);
          group->all_bytes = kymo_saturating_add (group->all_bytes, group->bytes[i]);
        }
      if (group->all_messages > 0)
        g_ptr_array_add (order, group);
    }
  g_ptr_array_sort (order, compare_groups);
  return order;
}

/* Columns "name tag communicator" of a list; @group: %NULL is all others, called @others. */
static void
append_name (const KymoAsk *ask,
             KymoTable     *table,
             const Group   *group,
             const char    *others)
{
  g_autofree char *comm = NULL, *name = NULL;
  gboolean exchanges = ((const KymoTrafficRules *) ask->plan)->exchanges;
  gint64 tag = KYMO_NULL_INT;

  if (group == NULL)
    name = g_strdup (others);
  else if (exchanges)
    {
      gint32 own = (gint32) (guint32) group->key;
      g_autofree char *tags = own == ALL_TAGS ? g_strdup ("all tags")
        : g_strdup_printf ("tag %d", own);

      tag = own == ALL_TAGS ? KYMO_NULL_INT : own;
      comm = kymo_comm_dup_name (ask->run, (guint32) ((guint64) group->key >> 32));
      name = *comm == '\0' ? g_steal_pointer (&tags) : g_strdup_printf ("%s, %s", tags, comm);
    }
  else
    name = g_strdup ((guint32) group->key == KYMO_OUTSIDE ? KYMO_TRAFFIC_OUTSIDE
                     : kymo_run_peek_activity (ask->run, (guint32) group->key)->name);
  kymo_table_append_row (table, name, tag, comm != NULL ? comm : "");
}

static KymoTable *
new_list (void)
{
  KymoTable *table = kymo_table_new_list ("name:string tag communicator:string");

  return table;
}

static KymoTable *
make_sizes (const KymoAsk   *ask,
            const GPtrArray *order)
{
  KymoTable *table = new_list ();
  guint least = kymo_table_add_column (table, "min_bytes", KYMO_COLUMN_INT, 1);
  guint most = kymo_table_add_column (table, "max_bytes", KYMO_COLUMN_INT, 1);
  guint messages = kymo_table_add_column (table, "messages", KYMO_COLUMN_INT, 1);
  guint bytes = kymo_table_add_column (table, "bytes", KYMO_COLUMN_INT, 1);

  for (guint k = 0; k < order->len; k++)
    for (guint i = 0; i < N_CLASSES; i++)
      {
        const Group *group = g_ptr_array_index (order, k);

        if (group->messages[i] == 0)
          continue;
        append_name (ask, table, group, NULL);
        kymo_table_append_int (table, least, class_begin (i));
        kymo_table_append_int (table, most, i == 0 ? 0 : class_begin (i + 1) - 1);
        kymo_table_append_int (table, messages, kymo_ask_round (ask, group->messages[i]));
        kymo_table_append_int (table, bytes, group->bytes[i]);
      }
  return table;
}

static void
append_series (const KymoAsk *ask,
               KymoTable     *table,
               const Group   *named,
               const char    *others,
               const Group   *group,
               guint          rank,
               guint          first)
{
  gint64 rounded[N_CLASSES];

  for (guint i = 0; i < N_CLASSES; i++)
    rounded[i] = kymo_ask_round (ask, group->messages[i]);
  append_name (ask, table, named, others);
  kymo_table_append_int (table, 3, rank);
  kymo_table_append_ints (table, 4, rounded + first);
  kymo_table_append_ints (table, 5, group->bytes + first);
}

/* (transfer full): communicator << 32 | ALL_TAGS -> Group */
static GHashTable *
join_tags (const GPtrArray *order)
{
  GHashTable *joined = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);

  for (guint k = 0; k < order->len; k++)
    {
      const Group *group = order->pdata[k];
      gint64 key = (gint64) ((guint64) group->key >> 32 << 32 | (guint32) ALL_TAGS);
      Group *sum = g_hash_table_lookup (joined, &key);

      if (sum == NULL)
        {
          sum = g_new0 (Group, 1);
          sum->key = key;
          g_hash_table_insert (joined, &sum->key, sum);
        }
      add_group (sum, group);
    }
  return joined;
}

/* Classes [first, end) hold all messages. */
static KymoTable *
make_series (const KymoAsk   *ask,
             const GPtrArray *tags,
             guint            first,
             guint            end)
{
  gboolean exchanges = ((const KymoTrafficRules *) ask->plan)->exchanges;
  g_autoptr (GHashTable) joined
    = exchanges && tags->len > MOST_SERIES ? join_tags (tags) : NULL;
  g_autoptr (GPtrArray) comms
    = joined != NULL && g_hash_table_size (joined) > 1 ? sort_groups (joined) : NULL;
  const GPtrArray *order = comms != NULL ? comms : tags;
  KymoTable *table = new_list ();
  guint n = order->len > MOST_SERIES ? MOST_SERIES - 1 : order->len;
  Group others = { 0 };

  kymo_table_add_column (table, "rank", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "values", KYMO_COLUMN_INT, end - first);
  kymo_table_add_column (table, "bytes", KYMO_COLUMN_INT, end - first);
  for (guint k = 0; k < n; k++)
    append_series (ask, table, order->pdata[k], NULL, order->pdata[k], k, first);
  for (guint k = n; k < order->len; k++)
    add_group (&others, order->pdata[k]);
  if (n < order->len)
    append_series (ask, table, NULL, exchanges && comms == NULL ? OTHER_TAGS : OTHERS, &others,
                   n, first);
  return table;
}

static void
set_series (const KymoAsk   *ask,
            const GPtrArray *order,
            KymoTable       *answer)
{
  guint first = N_CLASSES, end = 0;
  gint64 edges[N_CLASSES + 1];

  for (guint k = 0; k < order->len; k++)
    for (guint i = 0; i < N_CLASSES; i++)
      if (((const Group *) order->pdata[k])->messages[i] > 0)
        {
          first = MIN (first, i);
          end = MAX (end, i + 1);
        }
  first = MIN (first, N_CLASSES - LEAST_CLASSES);
  if (end == 0)
    first = 0;
  end = MAX (end, first + LEAST_CLASSES);
  for (guint i = first; i <= end; i++)
    edges[i - first] = class_begin (i);
  kymo_table_set_ints (answer, "edges_bytes", edges, end - first + 1);
  kymo_table_set_table (answer, "series", make_series (ask, order, first, end));
}

static KymoTable *
message_sizes_finish (const KymoAsk *ask,
                      gpointer       data)
{
  KymoTrafficGroups *state = data;
  const KymoTrafficRules *rules = ask->plan;
  KymoTable *answer = kymo_ask_answer_new (ask);
  g_autoptr (GPtrArray) order = sort_groups (state->rows);

  kymo_ask_set_counts (ask, answer);
  kymo_table_set_bool (answer, "joined", rules->join);
  kymo_table_set_string (answer, "of", kymo_traffic_of (ask->question));
  kymo_traffic_totals_set (&state->totals, ask, answer);
  kymo_traffic_left_out_set (&state->left_out, &rules->filter, ask, answer);
  kymo_table_set_string (answer, "by", rules->exchanges ? "tag" : "entry");
  kymo_table_set_table (answer, "sizes", make_sizes (ask, order));
  set_series (ask, order, answer);
  return answer;
}

static const KymoQuestionList lists[] =
{
  { "sizes", "name tag communicator min_bytes max_bytes messages bytes", TRUE },
  { "series", "name tag communicator rank values bytes" },
  { NULL }
};

const KymoAnswerClass kymo_answer_message_sizes =
{
  { "message-sizes", N_("A histogram of message sizes"),
    "how many messages there are of each size, by tag or entry method",
    kymo_traffic_keywords, KYMO_CAN_MESSAGES, .of_messages = TRUE, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES },
  kymo_traffic_prepare, kymo_traffic_release, kymo_traffic_groups_new,
  kymo_traffic_groups_free, message_sizes_partial, message_sizes_merge, message_sizes_finish,
  KYMO_NEEDS_BLOCKS | KYMO_NEEDS_SENDS | KYMO_NEEDS_OF_ALL, .weigh = message_sizes_weigh,
};
