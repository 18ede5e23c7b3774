/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions of ssh (passwords, passphrases, codes, unknown hosts) for a program that has no
 * terminal. ssh starts the program once more with its words as the argument; that process hands
 * them through a UNIX socket in a private folder to the first one, which asks the person.
 *
 * Main thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoAskpassKind:
 * @KYMO_ASKPASS_SECRET: what is typed is not to be seen
 * @KYMO_ASKPASS_TRUST: "yes" or "no", about a host that ssh does not know
 * @KYMO_ASKPASS_CONFIRM: whether something may be done
 * @KYMO_ASKPASS_TOLD: words to be seen until ssh takes them back
 */
typedef enum
{
  KYMO_ASKPASS_SECRET,
  KYMO_ASKPASS_TRUST,
  KYMO_ASKPASS_CONFIRM,
  KYMO_ASKPASS_TOLD,
} KymoAskpassKind;

typedef struct _KymoAskpass KymoAskpass;
typedef struct _KymoAskpassQuestion KymoAskpassQuestion;

/**
 * KymoAskpassFunc:
 * @words: of ssh, safe to show
 *
 * Asks the person, and calls kymo_askpass_answer() later.
 */
typedef void (*KymoAskpassFunc) (KymoAskpassQuestion *question,
                                 KymoAskpassKind      kind,
                                 const char          *words,
                                 gpointer             data);

int          kymo_askpass_help    (int                   argc,
                                   char                **argv);
void         kymo_askpass_prepare (void);
KymoAskpass *kymo_askpass_start   (KymoAskpassFunc       ask,
                                   gpointer              data);
void         kymo_askpass_free    (KymoAskpass          *askpass);
void         kymo_askpass_watch   (KymoAskpassQuestion  *question,
                                   void                (*gone) (gpointer data),
                                   gpointer              data);
void         kymo_askpass_answer  (KymoAskpassQuestion  *question,
                                   const char           *text);

G_END_DECLS
