/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line of kymo-cli that exports a picture with the figures that a view shows.
 * Which option stands for which keyword of a question is a table that the command
 * line reads as well. Any thread.
 */
#pragma once

#include "kymo-figure-size.h"
#include "kymo-plot.h"

G_BEGIN_DECLS

/** KymoExportWordKind: how a keyword is written as an option */
typedef enum
{
  KYMO_EXPORT_VALUE,                   /* --option VALUE */
  KYMO_EXPORT_FLAG,                    /* --option stands for 1 */
  KYMO_EXPORT_SWITCH,                  /* --option yes or no for 1 and 0 */
  KYMO_EXPORT_TIME,                    /* --option TIME for nanoseconds */
} KymoExportWordKind;

typedef struct
{
  const char         *key;             /* of a question */
  const char         *option;          /* of `kymo-cli export` */
  KymoExportWordKind  kind;
} KymoExportWord;

/* Ends with a NULL key. */
extern const KymoExportWord kymo_export_words[];

/**
 * KymoCommand:
 * @path: of the run; of a comparison its runs and where they lie, as words of a shell
 * @asked: what the view asks
 * @frame: what the picture depends on beside that; `hidden` are left out of it
 * @palette: (nullable): name of the colours
 * @color_by: what they stand for
 * @correct_clocks: whether clocks were corrected when it was read
 * @size: (nullable): of the figure; %NULL goes by the frame
 * @format: (nullable): ending of the file that it names; %NULL is "png"
 */
typedef struct
{
  const KymoPlotClass *klass;
  KymoSource          *source;
  const char          *path;
  KymoQuestion        *asked;
  const KymoPlotFrame *frame;
  const char          *palette;
  KymoColorBy          color_by;
  gboolean             correct_clocks;
  const KymoFigureSize *size;
  const char          *format;
} KymoCommand;

/* One more word of a line for a shell, quoted where it has to be. */
void      kymo_command_add_word (GString           *line,
                                 const char        *text);
char     *kymo_command_dup    (const KymoCommand *command,
                               GError           **error);
/** KYMO_RECORDS_MOST: limit of records of `kymo-cli events` */
#define KYMO_RECORDS_MOST 10000000
/* The line that gives a list of records as CSV; @asked: of kind events, without page. */
char     *kymo_command_dup_diagnose
                                   (KymoSource   *source,
                                    const char   *path,
                                    KymoQuestion *asked);
char     *kymo_command_dup_records (KymoSource   *source,
                                    const char   *path,
                                    KymoQuestion *asked,
                                    GError      **error);
/* What the export command asks of its own, without any option. */
KymoQuestion *
          kymo_export_question (const KymoPlotClass *klass,
                                const KymoPlotFrame *frame,
                                KymoSource          *source);
/* (transfer full): a list as in kymo-name.h, and the other way round: a set */
GHashTable *kymo_export_hidden (const char *list);
char       *kymo_export_dup_hidden_text (GHashTable *hidden);

G_END_DECLS
