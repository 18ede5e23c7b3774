/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of the protocol of actions (docs/formats/actions.md) as values.
 *
 * What a job says is not trusted: all counts are bounded, and texts are valid UTF-8 without control
 * characters. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Longest line that is read */
#define KYMO_JOB_MOST_LINE (64 << 10)
/** Most actions of a job that are kept */
#define KYMO_JOB_MOST_ACTIONS 256

/**
 * KymoJobInfo: a running job
 * @socket: where its orders go, or %NULL
 * @folder: of its record
 * @address: HOST:PORT of its stream; empty if it serves none
 * @host: of rank 0
 * @pid: of rank 0
 * @begin_us: when it began, microseconds since 1970, or 0
 */
typedef struct
{
  char  *socket;
  char  *folder;
  char  *program;
  char  *address;
  char  *host;
  guint  n_ranks;
  gint64 pid;
  gint64 begin_us;
} KymoJobInfo;

typedef enum
{
  KYMO_JOB_INTEGER,
  KYMO_JOB_REAL,
  KYMO_JOB_CHOICE,
  KYMO_JOB_TEXT,
  KYMO_JOB_TIME,                /* nanoseconds */
  KYMO_JOB_RANKS,
} KymoJobType;

/**
 * KymoJobArgument: what an action has to be told
 * @least: of integers and times; as are @most and @now. @most is also the most bytes of a text, and
 *   one more than the highest of ranks
 * @least_real: of reals, as are @most_real and @now_real
 * @words: of choices, or %NULL
 * @word: the present choice, or %NULL
 */
typedef struct
{
  char       *key;
  KymoJobType type;
  gint64      least, most, now;
  double      least_real, most_real, now_real;
  char      **words;
  char       *word;
} KymoJobArgument;

/**
 * KymoJobAction: something that a job can do
 * @title: for people, as the job tells it
 * @reason: why it cannot be done now, a sentence; %NULL if it can
 * @together: it happens on all ranks in the same step of the program
 * @of_program: the program registered it
 * @is_long: it takes time
 * @arguments: (element-type KymoJobArgument)
 */
typedef struct
{
  char      *name;
  char      *title;
  char      *reason;
  gboolean   together, of_program, is_long;
  GPtrArray *arguments;
} KymoJobAction;

typedef enum
{
  KYMO_JOB_RUNNING,
  KYMO_JOB_DONE,
  KYMO_JOB_FAILED,
} KymoJobState;

/**
 * KymoJobOrder: how an action that was accepted stands
 * @number: of the order, counted by the job
 * @name: of the action
 * @sentence: for people
 * @path: what was written, on the machine of the job; or empty
 */
typedef struct
{
  guint64      number;
  char        *name;
  KymoJobState state;
  char        *sentence;
  char        *path;
} KymoJobOrder;

char          **kymo_job_line_split     (const char        *line,
                                         gsize              n_bytes);
char           *kymo_job_line_dup_text  (const char        *field);
char           *kymo_job_line_join      (const char *const *fields);

KymoJobInfo    *kymo_job_info_parse     (const char *const *fields);
KymoJobInfo    *kymo_job_info_copy      (const KymoJobInfo *info);
void            kymo_job_info_free      (KymoJobInfo       *info);
KymoJobAction  *kymo_job_action_parse   (const char *const *fields);
void            kymo_job_action_free    (KymoJobAction     *action);
const KymoJobArgument *
                kymo_job_action_find    (const KymoJobAction *action,
                                         const char        *key);
KymoJobOrder   *kymo_job_order_parse    (const char *const *fields);
void            kymo_job_order_free     (KymoJobOrder      *order);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoJobInfo, kymo_job_info_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoJobAction, kymo_job_action_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoJobOrder, kymo_job_order_free)

G_END_DECLS
