/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of diagnosis: expectations, metrics and diagnoses, read from key files (docs/rules.md tells
 * their form). The rules that Kymo ships are within the program (data/rules); a later file adds
 * groups or replaces groups by name, whole. A file with a fault is refused with all its faults, for
 * a rule that silently does nothing would read as "excluded".
 *
 * Rules never name commands. Immutable after they were read; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-probe-budget.h"
#include "kymo-rule-expression.h"

G_BEGIN_DECLS

/** KYMO_RULES_MOST_BYTES: of one file of rules */
#define KYMO_RULES_MOST_BYTES (1 << 20)

/** KYMO_RULES_MOST: groups of all files */
#define KYMO_RULES_MOST 500

/** KYMO_RULES_VERSION: newest form of the files */
#define KYMO_RULES_VERSION 1

/**
 * KymoFold:
 * @KYMO_FOLD_FIRST: the first row, for answers that have one
 * @KYMO_FOLD_COUNT: the number of rows
 *
 * How the rows of an answer become one number.
 */
typedef enum
{
  KYMO_FOLD_FIRST,
  KYMO_FOLD_SUM,
  KYMO_FOLD_MEAN,
  KYMO_FOLD_MEDIAN,
  KYMO_FOLD_MIN,
  KYMO_FOLD_MAX,
  KYMO_FOLD_COUNT,
} KymoFold;

/**
 * KymoMetricWhere:
 * @column: of a list
 * @words: (nullable): what the text of a row is one of; an asterisk stands for any text
 * @is_not: it is none of them
 * @least, @below: without @words: bounds of the number of a row, in ns and bytes
 */
typedef struct
{
  char    *column, **words;
  gboolean is_not;
  double   least, below;
} KymoMetricWhere;

/**
 * KymoMetricRule:
 * @title: a noun phrase, for the evidence
 * @needs: (nullable): what a run must have, in words, where the answer is refused
 * @type: its dimension
 * @factor: what a number of the answer is multiplied by to be in ns or bytes
 * @is_share: a ratio that is shown in per cent
 * @price: 0: recorded; 1: a file is read; 2: a probe; 3: another run
 * @probe: what tells it where the run does not; price 2
 * @record: (nullable): option of kymo-record that another run needs; price 3
 * @of: (nullable): computed of other names; then nothing is asked
 * @csv: (nullable): the column of the joined CSV files
 * @question: (nullable): kind of the question
 * @keywords: (nullable): KEY=VALUE, for the question
 * @list: (nullable): the list of the answer; %NULL: the answer itself
 * @where: (element-type KymoMetricWhere): what holds for the rows of the list that count
 * @value: column
 * @name_column: (nullable): tells the name of the row with the largest or smallest value
 * @location_column: (nullable): tells its location
 * @begin_column, @end_column: (nullable): tell when its block begins and ends, in ns
 * @whole: of the whole run, in place of the range that is asked
 * @key: (nullable): columns that tell rows apart. Then the metric is what the rows whose @signal
 *   exceeds the reference runs are above them, each as often as @times tells
 * @times, @signal: columns; see @key
 * @also: (nullable): a column that must be above its usual value by a spread, too
 * @changed: (nullable): groups of the environment: the metric is how many of their facts differ
 *   from those of the reference runs
 * @crowd: how many processes there are for each CPU that they may use, where most are
 */
typedef struct
{
  char               *title, *needs;
  KymoRuleType        type;
  double              factor;
  gboolean            is_share;
  guint               price;
  KymoProbePart       probe;
  char               *record;
  KymoRuleExpression *of;
  char               *csv, *question, **keywords, *list;
  GArray             *where;
  char               *value, *name_column, *location_column, *begin_column, *end_column;
  KymoFold            fold;
  gboolean            whole, crowd;
  char              **key, *times, *signal, *also, **changed;
} KymoMetricRule;

/**
 * KymoDiagnosisRule:
 * @layer: application, library, system or hardware; %NULL for a condition
 * @needs: (nullable): if it is not true nothing is tested
 * @when: #KymoRuleExpression; one that is true suffices
 * @cost: (nullable): time that could be saved, in ns; a diagnosis without is a condition, which
 *   other diagnoses use and which is never a finding
 * @share_of: (nullable): metric that the cost is a share of; %NULL: the elapsed time
 * @vote_cost: (nullable): the same where several runs vote
 * @confirms: (nullable): an independent signal
 * @within: names of diagnoses whose cost may contain this cost
 * @triggers: names of diagnoses that are tested if this one is true
 * @evidence: metrics that are shown: METRIC, or METRIC OPERATOR EXPECTATION
 * @view: (nullable): id of the view that shows it
 * @is_general: it slows everything, so specific causes stand before it
 */
typedef struct
{
  char               *layer, *title, *says, *advice, *target, *view, *share_of;
  KymoRuleExpression *needs, *cost, *vote_cost, *confirms;
  GPtrArray          *when;
  char              **within, **triggers, **evidence;
  gint64              priority;
  gboolean            is_general;
} KymoDiagnosisRule;

/**
 * KymoRule:
 * @name: of the group
 * @number: position among all rules, in order of files and groups
 * @file: the file's name
 * @line: where its group begins
 * @lines: its keys -> the lines where they stand
 */
typedef struct
{
  KymoRuleName kind;
  char        *name, *file;
  guint        number, line;
  GHashTable  *lines;
  union
  {
    struct
    {
      double       value;
      KymoRuleType type;
      char        *basis;
    } expectation;
    KymoMetricRule    metric;
    KymoDiagnosisRule diagnosis;
  };
} KymoRule;

typedef struct _KymoRules KymoRules;

KymoRules      *kymo_rules_new         (void);
KymoRules      *kymo_rules_new_shipped (GError          **error);
void            kymo_rules_free        (KymoRules        *rules);
gboolean        kymo_rules_add_file    (KymoRules        *rules,
                                        const char       *path,
                                        GPtrArray        *faults,
                                        GError          **error);
void            kymo_rules_add_text    (KymoRules        *rules,
                                        const char       *name,
                                        const char       *text,
                                        gsize             length,
                                        GPtrArray        *faults);
void            kymo_rules_check       (const KymoRules  *rules,
                                        GPtrArray        *faults);
const KymoRule *kymo_rules_find        (const KymoRules  *rules,
                                        const char       *name);
gboolean        kymo_rules_is_relative (const KymoRules  *rules,
                                        const KymoRule   *rule);
guint           kymo_rules_get_n       (const KymoRules  *rules);
const KymoRule *kymo_rules_peek        (const KymoRules  *rules,
                                        guint             number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRules, kymo_rules_free)

G_END_DECLS
