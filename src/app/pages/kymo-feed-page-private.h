/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoFeedPage, shared by kymo-feed-page.c (the tab) and
 * kymo-feed-page-save.c (saving and recording).
 */
#pragma once

#include "kymo-feed-page.h"

G_BEGIN_DECLS

struct _KymoFeedPage
{
  KymoPage             parent_instance;

  KymoFeed            *feed;
  guint                id;
  GtkWidget           *waiting;        /* a KymoFeedWaiting */
  GtkWidget           *banner, *banner_words, *banner_retry;
  GtkWidget           *watched;        /* the list of conditions */
  GtkWidget           *warn;           /* in it: one that is proposed */
  KymoSource          *source;         /* that is listened to, or NULL */
  GCancellable        *cancellable;    /* of the question that is under way */
  guint                info_id;        /* the next question, after a pause */
  guint                count_id;       /* the banner counts down */
  gint64               asked_us;       /* when the last one was put */
  KymoAttachmentState  state;          /* that was told last */
  char                *recording;      /* that is written to, or NULL */
  char                *names;
  guint                n_pes;
  gboolean             functions;     /* as its words have it */
  gint64               saved_ns;       /* all before it is in a file */
  gboolean             started;
  gboolean             ending;         /* the recording is being closed */
};

/* (nullable): "leanmd" */
char    *kymo_feed_page_program_of     (const char   *names);
gboolean kymo_feed_page_is_recorded_to (const char   *path);
void     kymo_feed_page_say_recorded   (KymoFeedPage *self,
                                        const char   *path);

G_END_DECLS
