/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLaunch: a way in which a server begins on another machine: at once on the login node, by
 * mpirun, or in a job of Slurm or PBS. A template is text with %RANKS%, %NODES%, %CORES%, %TIME%
 * and %QUEUE%, which a person fills in, and %SERVER% and %MODULES%, which are filled in by
 * themselves. A line of which a value is empty is left out.
 *
 * What is made of it travels as one word of letters and digits in the command line of ssh, so that
 * no shell on the way can mistake it.
 *
 * Plain values; any thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoLaunchMethod:
 * @KYMO_LAUNCH_LOGIN: the server runs on the machine that ssh reaches
 * @KYMO_LAUNCH_MPIRUN: a command there starts it
 * @KYMO_LAUNCH_SLURM: a job script is given to sbatch
 * @KYMO_LAUNCH_PBS: a job script is given to qsub
 */
typedef enum
{
  KYMO_LAUNCH_LOGIN,
  KYMO_LAUNCH_MPIRUN,
  KYMO_LAUNCH_SLURM,
  KYMO_LAUNCH_PBS,
} KymoLaunchMethod;

/**
 * KymoLaunchValue: what a person may fill in, in the order of a sheet
 * @KYMO_LAUNCH_TIME: of the job, as the batch system wants it
 */
typedef enum
{
  KYMO_LAUNCH_TIME,
  KYMO_LAUNCH_QUEUE,
  KYMO_LAUNCH_CORES,
  KYMO_LAUNCH_RANKS,
  KYMO_LAUNCH_NODES,
  KYMO_LAUNCH_N_VALUES
} KymoLaunchValue;

/**
 * KymoLaunch:
 * @name: in hosts.conf
 * @template: of a job script, or a command line of mpirun; unused for login
 * @join: (nullable): a command line that reaches the server of a job, with %JOB%, %NODE% and
 *   %SERVER%; %NULL: as the batch system does it
 * @values: owned texts, not %NULL
 */
typedef struct
{
  char             *name;
  KymoLaunchMethod  method;
  char             *template;
  char             *join;
  char             *values[KYMO_LAUNCH_N_VALUES];
} KymoLaunch;

/**
 * KymoLaunchOrder: what the other side is told
 * @script: the template with all values but %SERVER%
 * @time: (nullable): how long the job may last, as the batch system wants it
 */
typedef struct
{
  KymoLaunchMethod  method;
  char             *script;
  char             *join;
  char             *time;
} KymoLaunchOrder;

KymoLaunch      *kymo_launch_new           (const char             *name,
                                            KymoLaunchMethod        method);
KymoLaunch      *kymo_launch_copy          (const KymoLaunch       *launch);
void             kymo_launch_free          (KymoLaunch             *launch);
gboolean         kymo_launch_method_parse  (const char             *text,
                                            KymoLaunchMethod       *method);
const char      *kymo_launch_value_key     (KymoLaunchValue         value);
gboolean         kymo_launch_wants         (const KymoLaunch       *launch,
                                            KymoLaunchValue         value);
gboolean         kymo_launch_set           (KymoLaunch             *launch,
                                            KymoLaunchValue         value,
                                            const char             *text,
                                            GError                **error);
gboolean         kymo_launch_set_words     (KymoLaunch             *launch,
                                            const char             *words,
                                            GError                **error);
char            *kymo_launch_dup_order     (const KymoLaunch       *launch,
                                            const char *const      *modules);
KymoLaunchOrder *kymo_launch_order_parse   (const char             *text,
                                            GError                **error);
gint64           kymo_launch_parse_time    (KymoLaunchMethod        method,
                                            const char             *text);
void             kymo_launch_order_free    (KymoLaunchOrder        *order);
char            *kymo_launch_fill          (const char             *template,
                                            const char *const      *keys,
                                            const char *const      *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoLaunch, kymo_launch_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoLaunchOrder, kymo_launch_order_free)

G_END_DECLS
