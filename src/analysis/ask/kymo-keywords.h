/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keywords that several kinds of questions, and commands, take in the same sense, and lists that
 * several answers have: entries for their tables of #KymoKeyword and #KymoQuestionList.
 */
#pragma once

#include "kymo-question-class.h"

/* Of each kind that has weigh(). */
#define KYMO_KEYWORD_EXTRAPOLATE \
  { "extrapolate", KYMO_KEYWORD_FLAG, NULL, \
    "reduced runs: estimate the figures of all PEs" }

#define KYMO_KEYWORD_STEP \
  { "step", KYMO_KEYWORD_INTEGER, "N", "step of a profile in steps, from 0 (the last)" }

/* Of every kind about a profile of functions. */
#define KYMO_KEYWORDS_OF_PROFILES \
  { "metric", KYMO_KEYWORD_TEXT, "NAME", "a metric, or an expression: 'PAPI_FP_OPS / TIME'" }, \
  KYMO_KEYWORD_STEP, \
  { "groups", KYMO_KEYWORD_TEXT, "A|B", "only functions of these groups" }

#define KYMO_KEYWORD_VALUE \
  { "value", KYMO_KEYWORD_WORD, "exclusive|inclusive|calls|subroutines|exclusive-per-call|" \
    "inclusive-per-call", "which figure of the metric (exclusive)" }

#define KYMO_KEYWORDS_OF_PATHS \
  { "callpath-depth", KYMO_KEYWORD_COUNT, "K", "of a trace: paths of the last K functions" }, \
  { "depth-limit", KYMO_KEYWORD_COUNT, "D", "paths from the root, at most D functions deep" }, \
  { "by-phase", KYMO_KEYWORD_FLAG, NULL, "of a trace: paths \"phase => function\"" }

#define KYMO_KEYWORDS_OF_SEARCH \
  { "search", KYMO_KEYWORD_TEXT, "WORDS", "mark functions whose name contains these words" }, \
  { "regex", KYMO_KEYWORD_FLAG, NULL, "the words are a regular expression" }

#define KYMO_KEYWORD_STATISTIC \
  { "statistic", KYMO_KEYWORD_WORD, "max|min|mean|last|weighted", \
    "how values are combined; weighted is the mean over time (as fits the counter)" }

#define KYMO_KEYWORDS_OF_MESSAGES \
  { "least-bytes", KYMO_KEYWORD_COUNT, "N", "only messages of at least N bytes" }, \
  { "tag", KYMO_KEYWORD_INTEGER, "T", "only messages with this tag; runs of functions only" }, \
  { "hide", KYMO_KEYWORD_TEXT, "NAMES", \
    "leave out messages from or to these activities, separated by ;" }

#define KYMO_KEYWORD_JOIN \
  { "join", KYMO_KEYWORD_FLAG, NULL, "count a way through communication threads as one message" }

/* Chooses the figure of a picture. */
#define KYMO_KEYWORD_OF_TRAFFIC \
  { "of", KYMO_KEYWORD_WORD, "messages|bytes", \
    "what a picture shows; figures are the same (bytes)", .internal = TRUE }

#define KYMO_KEYWORD_ROWS \
  { "rows", KYMO_KEYWORD_COUNT, "R", "at most R rows; more locations are merged", \
    KYMO_KEYWORD_TO_ROWS }

#define KYMO_KEYWORD_FIRST_ROWS \
  { "order", KYMO_KEYWORD_ORDER, "LIST|WORD", \
    "order of locations: a list as 5,3,0-2, or -busy, first:NAME, …" }

#define KYMO_KEYWORDS_OF_SEEDS \
  { "seeding", KYMO_KEYWORD_WORD, "diagonal|random|k-means++", \
    "how the first centers are chosen (diagonal)" }, \
  { "seed", KYMO_KEYWORD_COUNT, "N", "seed of the random numbers (1)" }, \
  { "scale", KYMO_KEYWORD_WORD, "none|range|stddev", \
    "divide components by their range or standard deviation (none)" }

#define KYMO_KEYWORD_CLUSTERS \
  { "clusters", KYMO_KEYWORD_TEXT, "K", \
    "seeds (-k), or a range as 2-10, of which the best is taken (5)" }

/* For words that are used by the command line, too. */
#define KYMO_WORDS_OF_EXTREMA \
  "busy|most-idle|least-idle|overhead|longest|grain|sent|received|bytes-sent|bytes-received"

/* A block: where, and when it ran. */
#define KYMO_KEYWORDS_OF_A_BLOCK \
  { "location", KYMO_KEYWORD_INTEGER, "L", "where the block ran", .internal = TRUE }, \
  { "time", KYMO_KEYWORD_INTEGER, "NS", "a time in the block, in ns", .internal = TRUE }

/* The lists of answers about profiles that name the metrics and the steps. */
#define KYMO_LISTS_OF_PROFILES \
  { "metrics", "name unit is_time expression" }, \
  { "steps", "name time_ns" }

/* Of a stream: what is noted at a moment. */
#define KYMO_LIST_OF_MARKS { "marks", "time_ns at_us kind text" }
