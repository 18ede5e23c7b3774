/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be chosen in a view and is kept of it, in a table: a view by its id, a key,
 * and what a value may be. Of the controls that stand for them kymo-kept.h knows.
 * A further one is a line here and in docs/formats/desk.md. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KymoDeskWordKind: what a value may be */
typedef enum
{
  KYMO_DESK_CHOICE,             /* one of `words` */
  KYMO_DESK_COUNT,              /* a whole number from `least` to `most` */
  KYMO_DESK_FLAG,               /* true or false */
  KYMO_DESK_NAME,               /* any text that is not empty */
  KYMO_DESK_SORT,               /* key of a column, behind a minus the largest first */
} KymoDeskWordKind;

/**
 * KymoDeskWord:
 * @words: divided by |, in the order of the choice; or %NULL
 */
typedef struct
{
  const char      *view, *key;
  KymoDeskWordKind kind;
  const char      *words;
  gint             least, most;
} KymoDeskWord;

/* Ends with a NULL view. */
extern const KymoDeskWord kymo_desk_words[];

/* (nullable): */
const KymoDeskWord *kymo_desk_word_find  (const char         *view,
                                          const char         *key);
/* (nullable): of "VIEW.KEY" */
const KymoDeskWord *kymo_desk_word_parse (const char         *name);
gboolean            kymo_desk_word_check (const KymoDeskWord *word,
                                          const char         *value);
/* Which of a choice a value is; -1 = none. */
int                 kymo_desk_word_index (const KymoDeskWord *word,
                                          const char         *value);
/* (transfer full) (nullable): which value of a choice that one is */
char               *kymo_desk_word_at    (const KymoDeskWord *word,
                                          guint               index);

G_END_DECLS
