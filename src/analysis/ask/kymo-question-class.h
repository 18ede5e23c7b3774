/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoQuestionClass describes a kind of question: its title, what a run must have, its keywords,
 * and the lists of its answer. The file that answers the kind defines the class. The command line
 * derives the kind's command, options and help from it, the window derives the table behind a
 * picture.
 *
 * All of it is static and may be read on any thread. Help is English, as all that the command
 * line says.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KymoKeywordType: what a keyword, or an option of the command line, takes */
typedef enum
{
  KYMO_KEYWORD_FLAG,                 /* 1, or not given */
  KYMO_KEYWORD_TEXT,
  KYMO_KEYWORD_WORD,                 /* one of the words of the hint */
  KYMO_KEYWORD_COUNT,                /* a whole number from 1 */
  KYMO_KEYWORD_INTEGER,              /* any whole number */
  KYMO_KEYWORD_TIME,                 /* a time; the keyword is the name with "-ns" */
  KYMO_KEYWORD_AMOUNT,               /* a time or a size, as the keyword "of" says */
  KYMO_KEYWORD_ORDER,                /* of locations: 5,3,0-2, or -busy; not a keyword, see
                                        kymo_question_set_order() */
  /* Of commands that put no question */
  KYMO_KEYWORD_SIZE,                 /* bytes */
  KYMO_KEYWORD_SHARE,                /* 20% or 0.2 */
  KYMO_KEYWORD_RATIO,                /* 1.3 */
  KYMO_KEYWORD_PIXELS,               /* 1600x900 */
  KYMO_KEYWORD_MANY,                 /* text, may be given several times */
} KymoKeywordType;

/** KymoKeywordTarget: where a question keeps the value */
typedef enum
{
  KYMO_KEYWORD_TO_KEYWORD,
  KYMO_KEYWORD_TO_COLUMNS,           /* of kymo_question_set_resolution() */
  KYMO_KEYWORD_TO_ROWS,
  KYMO_KEYWORD_TO_ARGUMENT,          /* a keyword that the command line takes without a name */
} KymoKeywordTarget;

/**
 * KymoKeyword:
 * @name: of the keyword, and of the option of the command line without its dashes
 * @hint: (nullable): a letter or word for the value; of a word all that it may be: "lin|log"
 * @help: a phrase; a default that is no @value stands at its end in brackets
 * @value: what the command line sets where the option is not given, and --help tells; 0 = nothing
 * @internal: whether only the program sets it, so that it is no option
 */
typedef struct
{
  const char        *name;
  KymoKeywordType    type;
  const char        *hint;
  const char        *help;
  KymoKeywordTarget  target;
  gint64             value;
  gboolean           internal;
} KymoKeyword;

/**
 * KymoQuestionList: a list that answers have
 * @key: of the answer, "locations", or of each row of such a list, "locations.activities"; "" is
 *   the answer itself, where it has bins
 * @columns: (nullable): keys of all columns that it may have, with blanks between, see
 *   kymo-columns.h; %NULL: that depends on the run
 * @shown: whether the table behind a picture of the answer has its rows
 */
typedef struct
{
  const char *key;
  const char *columns;
  gboolean    shown;
} KymoQuestionList;

/** KymoTopic: what a question is about; views of the window stand in groups of the same names */
typedef enum
{
  KYMO_TOPIC_OVERVIEW,
  KYMO_TOPIC_TIME,
  KYMO_TOPIC_LOAD,
  KYMO_TOPIC_CODE,
  KYMO_TOPIC_MESSAGES,
  KYMO_TOPIC_RECORDS,
  KYMO_N_TOPICS
} KymoTopic;

/**
 * KymoQuestionClass:
 * @title: begins the sentence that says what a run lacks; translatable, in the singular, with the
 *   placeholders of kymo-term-words.h
 * @summary: (nullable): a phrase for the list of commands; %NULL: the kind is no command
 * @keywords: (nullable): ends with a %NULL name; those that every kind takes are in
 *   kymo-question.h
 * @requires: #KymoCapabilities the run must have; 0 = any run will do
 * @of_messages: whether it is about messages, so that the window's choice of messages applies
 * @lists: (nullable): ends with a %NULL key; where several are shown in their order
 * @topic: in which group help lists the command
 * @example: (nullable): words of a useful command after its name and RUN
 * @coarsens: whether fewer columns make the same answer, only coarser: a draft of a long one
 */
typedef struct
{
  const char             *kind;
  const char             *title;
  const char             *summary;
  const KymoKeyword      *keywords;
  guint                   requires;
  gboolean                of_messages;
  const KymoQuestionList *lists;
  KymoTopic               topic;
  const char             *example;
  gboolean                coarsens;
} KymoQuestionClass;

const KymoQuestionClass *kymo_question_class_find         (const char              *kind);
const KymoQuestionClass *kymo_question_class_at           (guint                    index);
const KymoKeyword       *kymo_question_class_find_keyword (const KymoQuestionClass *klass,
                                                           const char              *key);

G_END_DECLS
