/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the command line share: the table of commands, the
 * options as the person wrote them, and the state of one invocation.
 *
 * Threads: the main thread parses, waits and writes progress; everything
 * between opening the run and the finished bytes happens on one worker
 * thread (KymoCli.status and .error are its result).
 */
#pragma once

#include "kymo-error.h"
#include "kymo-extract.h"
#include "kymo-job.h"
#include "kymo-open.h"
#include "kymo-question-class.h"
#include "kymo-remote-source.h"
#include "kymo-run-source.h"
#include "kymo-units.h"

G_BEGIN_DECLS

/** KymoCliExit: the exit codes of the contract; 130 as shells expect. */
typedef enum
{
  KYMO_CLI_OK = 0,
  KYMO_CLI_FAILED = 1,
  KYMO_CLI_USAGE = 2,
  KYMO_CLI_LOSSES = 3,
  KYMO_CLI_UNTESTED = 4,
  KYMO_CLI_INTERRUPTED = 130,
} KymoCliExit;

/** KYMO_CLI_MOST_WORDS: runs that are compared, and a view */
#define KYMO_CLI_MOST_WORDS 65

typedef struct _KymoCli KymoCli;

/**
 * KymoCliCommand:
 * @name: of a command that puts a question its kind
 * @positionals: "RUN", "VIEW RUN", "[RUN]", "A B [C…]"
 * @options: (nullable): ends with a %NULL name; what is internal is none
 * @text: (nullable): lays an answer out; %NULL: as any answer
 * @formats: (nullable): what --format may be; %NULL: text, json or csv
 * @text_columns: columns of an answer as text where none are asked for; 0: as in other formats
 * @tells_memory: whether the end says that the run did not fit into memory
 * @more_help: (nullable): appends what is to be said beside the options
 * @group: #KymoTopic, or one of the groups of commands that put no question
 * @example: words of a useful command after its name
 */
typedef struct
{
  const char        *name;
  const char        *positionals;
  const char        *summary;
  const KymoKeyword *options;
  int              (*run)       (KymoCli *cli, GError **error);
  void             (*text)      (KymoCli *cli, const KymoTable *table, GString *out);
  const char        *formats;
  guint              text_columns;
  gboolean           tells_memory;
  void             (*more_help) (GString *out);
  guint              group;
  const char        *example;
} KymoCliCommand;

/** KymoCliGroup: continues #KymoTopic with what is not asked of one run */
typedef enum
{
  KYMO_CLI_GROUP_COMPARE = KYMO_N_TOPICS,
  KYMO_CLI_GROUP_WRITE,
  KYMO_CLI_GROUP_LIVE,
  KYMO_CLI_GROUP_KEPT,
  KYMO_CLI_N_GROUPS
} KymoCliGroup;

struct _KymoCli
{
  const KymoCliCommand *command;
  GPtrArray            *words;       /* positionals, owned strings */
  GHashTable           *values;      /* option name -> text as written */
  char                **argv;        /* of the program */
  KymoJob              *job;
  KymoRun              *run;         /* NULL where it lies on another machine */
  KymoSource           *source;
  GPtrArray            *others;      /* KymoSource: runs beside @source, or NULL */
  KymoReport           *report;      /* of a command that opens no run */
  gboolean              has_range;
  KymoSpan              range;       /* of --phase or --region */
  int                   status;
  GError               *error;
  GError               *not_kept;    /* why the cache was not written */
};

extern const KymoKeyword kymo_cli_common[];

/* -- commands (kymo-cli-commands.c) ---------------------------------------- */
const KymoCliCommand *
             kymo_cli_command_at     (guint             index);

/* -- help (kymo-cli-help.c) ------------------------------------------------ */
void         kymo_cli_help           (const KymoCliCommand *command,
                                      GString          *out);

/* -- options (kymo-cli-options.c) ---------------------------------------- */
gboolean     kymo_cli_is_option      (const KymoKeyword *keyword);
gboolean     kymo_cli_parse          (KymoCli          *cli,
                                      int               argc,
                                      char            **argv,
                                      GError          **error);
const char  *kymo_cli_get            (KymoCli          *cli,
                                      const char       *name);
gboolean     kymo_cli_has            (KymoCli          *cli,
                                      const char       *name);
gint64       kymo_cli_get_count      (KymoCli          *cli,
                                      const char       *name,
                                      gint64            fallback);
double       kymo_cli_get_number     (KymoCli          *cli,
                                      const char       *name,
                                      double            fallback);
KymoSpan     kymo_cli_get_span       (KymoCli          *cli);
KymoIdSet   *kymo_cli_dup_locations  (KymoCli          *cli);
/* (transfer full): the values of an option that may be given several times */
char       **kymo_cli_dup_many       (KymoCli          *cli,
                                      const char       *name);

/* -- bookmarks of a desk (kymo-cli-desk.c) --------------------------------- */
gboolean     kymo_cli_add_bookmarks  (KymoCli          *cli,
                                      KymoTable        *answer,
                                      GError          **error);

/* -- how rows are arranged (kymo-cli-rows.c) ------------------------------ */
const char  *kymo_cli_peek_order     (KymoCli          *cli);
gboolean     kymo_cli_dup_order      (KymoCli          *cli,
                                      const char       *text,
                                      GArray          **order,
                                      GError          **error);

gboolean     kymo_cli_dup_groups     (KymoCli          *cli,
                                      KymoRowGroups   **groups,
                                      GError          **error);

/* -- the way out (kymo-cli-tell.c) ----------------------------------------- */
void         kymo_cli_tell           (const char       *format,
                                      ...) G_GNUC_PRINTF (1, 2);
void         kymo_cli_tell_progress  (const char       *stage,
                                      double            fraction);
gboolean     kymo_cli_print          (GString          *text);

/* -- runs on other machines (kymo-cli-far.c) -------------------------------- */
gboolean     kymo_cli_open_far       (KymoCli          *cli,
                                      const char       *address,
                                      GError          **error);
void         kymo_cli_use_far_files  (KymoCli          *cli);
const char  *kymo_cli_find_server    (KymoCli          *cli);
gboolean     kymo_cli_is_far_work    (KymoCli          *cli);
int          kymo_cli_run_far        (KymoCli          *cli,
                                      GError          **error);

/* -- the work (kymo-cli-answer.c) ---------------------------------------- */
gboolean     kymo_cli_open           (KymoCli          *cli,
                                      const char       *path,
                                      GError          **error);
void         kymo_cli_keep           (KymoCli          *cli);
KymoTable   *kymo_cli_ask            (KymoCli          *cli,
                                      KymoQuestion     *question,
                                      GError          **error);
gboolean     kymo_cli_write          (KymoCli          *cli,
                                      GString          *bytes,
                                      GError          **error);
gboolean     kymo_cli_write_table    (KymoCli          *cli,
                                      KymoTable        *table,
                                      GError          **error);
int          kymo_cli_tell_report    (KymoCli          *cli,
                                      int               status);
int          kymo_cli_run_question   (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_check      (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_export     (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_convert    (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_filter     (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_quality   (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_reduce    (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_compare    (KymoCli          *cli,
                                      GError          **error);
KymoSource  *kymo_cli_open_another   (KymoCli          *cli,
                                      const char       *path,
                                      GError          **error);
int          kymo_cli_run_diagnose   (KymoCli          *cli,
                                      GError          **error);
void         kymo_cli_text_diagnose  (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
/* (transfer full): the runs of the words from @first on and of --repeat-of,
   aligned as --align says. The first one stays that of the invocation. */
struct _KymoComparison *
             kymo_cli_open_comparison (KymoCli         *cli,
                                      guint             first,
                                      GError          **error);
/* Two times, or a region of the run. */
gboolean     kymo_cli_find_range     (KymoCli          *cli,
                                      KymoSource       *source,
                                      const char       *text,
                                      KymoSpan         *span,
                                      GError          **error);
/* The options of comparisons as keywords of a question. */
gboolean     kymo_cli_add_compared   (KymoCli          *cli,
                                      struct _KymoComparison *comparison,
                                      GHashTable       *parameters,
                                      GError          **error);
int          kymo_cli_run_extract   (KymoCli          *cli,
                                      GError          **error);
struct _KymoDesk *kymo_cli_load_desk (KymoCli        *cli,
                                      const char     *path,
                                      GError        **error);
int          kymo_cli_run_desk    (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_metrics    (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_cache      (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_recover    (KymoCli          *cli,
                                      GError          **error);
void         kymo_cli_text_recover   (KymoCli          *cli,
                                      const KymoTable  *answer,
                                      GString          *out);
int          kymo_cli_run_hosts      (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_fetch      (KymoCli          *cli,
                                      GError          **error);
void         kymo_cli_text_fetch     (KymoCli          *cli,
                                      const KymoTable  *answer,
                                      GString          *out);
gboolean     kymo_cli_is_act         (KymoCli          *cli);
int          kymo_cli_run_act        (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_jobs       (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_attach     (KymoCli          *cli,
                                      GError          **error);
int          kymo_cli_run_replay     (KymoCli          *cli,
                                      GError          **error);

/* -- a recording as a program (kymo-cli-serve.c) ------------------------- */
int          kymo_cli_serve          (KymoCli          *cli,
                                      GError          **error);
gboolean     kymo_cli_serve_is_not_meant (KymoCli      *cli,
                                      GError          **error);
void         kymo_cli_serve_help     (GString          *out);
void         kymo_cli_export_help    (GString          *out);

/* -- text for people (kymo-cli-text*.c) ---------------------------------- */
gboolean     kymo_cli_check_range    (KymoCli          *cli,
                                      KymoSpan          span,
                                      GError          **error);
void         kymo_cli_set_left_out   (KymoTable        *answer,
                                      const GPtrArray  *sentences);
void         kymo_cli_set_written    (KymoTable        *answer,
                                      const KymoExtractResult *result);
char        *kymo_cli_dup_written    (const KymoTable  *answer);
void         kymo_cli_text_left_out  (const KymoTable  *answer,
                                      GString          *out);
/* The name that the run has for its rows: "PE", "ranks", "threads", … */
const char  *kymo_cli_row            (KymoCli          *cli,
                                      gboolean          plural);
const char  *kymo_cli_code           (KymoCli          *cli,
                                      gboolean          plural);
/* (transfer full): a word as a heading, "Ranks" */
char        *kymo_cli_heading        (const char       *word);
void         kymo_cli_write_text     (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_info (KymoCli *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_usage (KymoCli *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_time_profile (KymoCli *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_histogram (KymoCli *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_timeline (KymoCli *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_generic   (const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_object    (const KymoTable  *table,
                                      guint             row,
                                      GString          *out);
char        *kymo_cli_format_int     (const char       *name,
                                      gint64            value);
char        *kymo_cli_format_double  (const char       *name,
                                      double            value);

/* A row of a table and what it is ranked by. */
typedef struct
{
  guint  row;
  gint64 ns;
} KymoCliRanked;

int          kymo_cli_compare_ranked (gconstpointer     a,
                                      gconstpointer     b);
gboolean     kymo_cli_has_rest       (const KymoTable  *table);
void         kymo_cli_text_busiest   (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_replies   (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_clusters  (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_explain   (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_chain  (KymoCli          *cli,
                                     const KymoTable  *table,
                                     GString          *out);
void         kymo_cli_text_critical_path (KymoCli      *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_compare   (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_quality   (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_quality_sums (const KymoTable *table,
                                      GString          *out);
void         kymo_cli_text_reduce    (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_convert   (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_extract   (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_profile   (KymoCli          *cli,
                                      const KymoTable  *table,
                                      GString          *out);

/* Profiles of functions (kymo-cli-text-functions.c). */
void         kymo_cli_text_thread     (KymoCli         *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_calltree   (KymoCli         *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_call_graph (KymoCli         *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_user_events (KymoCli         *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_thread_bars (KymoCli         *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_function_bars (KymoCli         *cli,
                                      const KymoTable  *table,
                                      GString          *out);
void         kymo_cli_text_metrics    (KymoCli         *cli,
                                      const KymoTable  *table,
                                      GString          *out);

/* A grid of cells that lines up its columns; numbers to the right. */
typedef struct _KymoCliGrid KymoCliGrid;

/* Lines of `info` about a stream; none where it is none. */
char        *kymo_cli_describe_efficiency (const KymoTable *table);
void         kymo_cli_text_waiting (KymoCli            *cli,
                                    const KymoTable    *table,
                                    GString            *out);
void         kymo_cli_text_collectives (KymoCli        *cli,
                                    const KymoTable    *table,
                                    GString            *out);
void         kymo_cli_text_outliers (KymoCli           *cli,
                                     const KymoTable   *table,
                                     GString           *out);
void         kymo_cli_text_search (KymoCli             *cli,
                                   const KymoTable     *table,
                                   GString             *out);
void         kymo_cli_text_add_markers (KymoCliGrid    *grid,
                                        const KymoTable *info);
void         kymo_cli_text_add_stream (KymoCliGrid     *grid,
                                      const KymoTable  *info);

KymoCliGrid *kymo_cli_grid_new       (guint             n_columns);
KymoCliGrid *kymo_cli_grid_begin     (const char *const *heads,
                                      guint             n,
                                      guint             first_right);
void         kymo_cli_grid_right     (KymoCliGrid      *grid,
                                      guint             column);
void         kymo_cli_grid_take      (KymoCliGrid      *grid,
                                      char             *cell);
void         kymo_cli_grid_whole     (KymoCliGrid      *grid,
                                      char             *cell);
void         kymo_cli_grid_add       (KymoCliGrid      *grid,
                                      const char       *cell);
void         kymo_cli_grid_time      (KymoCliGrid      *grid,
                                      const KymoTable  *table,
                                      const char       *name,
                                      guint             row);
void         kymo_cli_grid_count     (KymoCliGrid      *grid,
                                      const KymoTable  *table,
                                      const char       *name,
                                      guint             row);
void         kymo_cli_grid_cells     (KymoCliGrid      *grid,
                                      const KymoTable  *table,
                                      guint             row,
                                      const char       *names);
void         kymo_cli_write_more     (guint             shown,
                                      guint             n,
                                      GString          *out);
void         kymo_cli_grid_end       (KymoCliGrid      *grid,
                                      GString          *out);

G_END_DECLS
