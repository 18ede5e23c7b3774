/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-alarms.h"

#include <gio/gio.h>
#include <string.h>

#include "kymo-stream-settings.h"

#define PAUSE_MS 1000
#define MOST_WAITING 16

typedef struct
{
  guint  page;
  char  *id, *title, *sentence;
} Alarm;

/* Of the whole program: the desktop is one. */
static GQueue waiting = G_QUEUE_INIT;
static guint pause_id;
static GHashTable *told;        /* id -> page */

static void
alarm_free (Alarm *alarm)
{
  g_free (alarm->id);
  g_free (alarm->title);
  g_free (alarm->sentence);
  g_free (alarm);
}

/* A sentence ends with how it stands, in brackets; the next time that the same
   condition is met it stands otherwise, and is still the same alarm. */
static char *
id_of (guint page, const char *sentence)
{
  g_autofree char *condition = g_strdup (sentence);
  char *bracket = g_str_has_suffix (condition, ")")
                  ? strrchr (condition, '(') : NULL;

  if (bracket != NULL)
    *bracket = 0;
  return g_strdup_printf ("alarm-%u-%08x", page, g_str_hash (condition));
}

static gboolean send_next (gpointer data);

static void
send_alarm (Alarm *alarm)
{
  g_autoptr (GNotification) notification = g_notification_new (alarm->title);

  g_notification_set_body (notification, alarm->sentence);
  g_notification_set_default_action_and_target (notification, "app.show-page",
                                                "u", alarm->page);
  g_application_send_notification (g_application_get_default (), alarm->id,
                                   notification);
  if (told == NULL)
    told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_insert (told, g_strdup (alarm->id), GUINT_TO_POINTER (alarm->page));
  alarm_free (alarm);
  pause_id = g_timeout_add (PAUSE_MS, send_next, NULL);
}

static gboolean
send_next (gpointer data)
{
  Alarm *alarm = g_queue_pop_head (&waiting);

  pause_id = 0;
  if (alarm != NULL)
    send_alarm (alarm);
  return G_SOURCE_REMOVE;
}

/* The place in the queue of an alarm of this id, or NULL. */
static GList *
find_waiting (const char *id)
{
  for (GList *item = waiting.head; item != NULL; item = item->next)
    if (g_strcmp0 (((Alarm *) item->data)->id, id) == 0)
      return item;
  return NULL;
}

/**
 * kymo_alarms_tell:
 * @page: number of the page, for "app.show-page"
 * @title: of the stream
 * @sentence: what is the matter
 *
 * Nothing where the person wants to hear of none.
 */
void
kymo_alarms_tell (guint page, const char *title, const char *sentence)
{
  Alarm *alarm;
  GList *older;

  if (!kymo_stream_settings_get_notifies ()
      || g_application_get_default () == NULL)
    return;
  alarm = g_new0 (Alarm, 1);
  alarm->page = page;
  alarm->id = id_of (page, sentence);
  alarm->title = g_strdup (title);
  alarm->sentence = g_strdup (sentence);
  older = find_waiting (alarm->id);
  if (pause_id == 0)
    send_alarm (alarm);
  else if (older != NULL)
    {
      alarm_free (older->data);
      older->data = alarm;
    }
  else if (waiting.length < MOST_WAITING)
    g_queue_push_tail (&waiting, alarm);
  else
    alarm_free (alarm);
}

static gboolean
withdraw_told (gpointer id, gpointer page, gpointer wanted)
{
  if (page != wanted)
    return FALSE;
  g_application_withdraw_notification (g_application_get_default (), id);
  return TRUE;
}

/** kymo_alarms_withdraw: @page: is closed, or was looked at */
void
kymo_alarms_withdraw (guint page)
{
  GList *next;

  for (GList *item = waiting.head; item != NULL; item = next)
    {
      next = item->next;
      if (((Alarm *) item->data)->page == page)
        {
          alarm_free (item->data);
          g_queue_delete_link (&waiting, item);
        }
    }
  if (told != NULL && g_application_get_default () != NULL)
    g_hash_table_foreach_remove (told, withdraw_told, GUINT_TO_POINTER (page));
}
