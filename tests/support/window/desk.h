/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tests of widgets share: a window on a screen of its own, a recording of the
 * repository or a source that answers as the test says, finding what is below a
 * widget, and keys.
 *
 * desk_init() first. Everything belongs to the main thread; only what answers for a
 * DeskSource is called on threads of workers.
 */
#pragma once

#include <adwaita.h>

#include "kymo-source.h"
#include "wait_for.h"

G_BEGIN_DECLS

/* g_test_init() and libadwaita, and a main loop that never sleeps for long. */
void                desk_init            (int           *argc,
                                          char        ***argv);
/* (transfer full): the run of a file or folder, by its path below the repository */
KymoSource         *desk_open_run        (const char    *path);
/* (transfer full): an answer that must not fail; with one parameter, or NULL */
KymoTable          *desk_ask             (KymoSource    *source,
                                          const char    *kind,
                                          const char    *key,
                                          const char    *value);
/* A window with the widget in it, drawn once. */
GtkWidget          *desk_present         (GtkWidget     *child,
                                          int            width,
                                          int            height);
/* Destroys the window and lets what is pending come to its end. */
void                desk_clear_window    (GtkWidget    **window);
/* A little of the main loop: 10 ms. */
void                desk_turn            (void);
/* For signals with one word: frees the last one and keeps this. */
void                desk_keep_word       (char         **kept,
                                          const char    *word);

/* The first one of the type below (or at) a widget; with words, the one whose label
   or tooltip they are. (nullable) */
GtkWidget          *desk_find            (GtkWidget     *top,
                                          GType          type,
                                          const char    *words);
/* The same, which must be there. */
GtkWidget          *desk_need            (GtkWidget     *top,
                                          GType          type,
                                          const char    *words);
/* Sets a drop-down, by its tooltip. */
void                desk_choose          (GtkWidget     *top,
                                          const char    *words,
                                          guint          which);
/* Gives a line of kymo-cli to a shell in a folder; what it tells is written to the file there.
   KYMO_CLI is the program. */
void                desk_run_line        (const char    *folder,
                                          const char    *line,
                                          const char    *name);
/* Adds all of the type to an array of pointers. */
void                desk_collect         (GtkWidget     *top,
                                          GType          type,
                                          GPtrArray     *found);
/* NULL = there is none */
GtkEventController *desk_find_controller (GtkWidget     *widget,
                                          GType          type);
/* A key on a widget with a controller of keys; whether it was taken. */
gboolean            desk_press           (gpointer       widget,
                                          guint          key,
                                          GdkModifierType state);

/* A source that answers what a function says. */
typedef KymoTable *(*DeskAnswer) (KymoQuestion  *question,
                                  GCancellable  *cancellable,
                                  GError       **error);

#define DESK_TYPE_SOURCE (desk_source_get_type ())
G_DECLARE_FINAL_TYPE (DeskSource, desk_source, DESK, SOURCE, GObject)

struct _DeskSource
{
  GObject          parent_instance;
  DeskAnswer       answer;
  KymoCapabilities can;
  KymoSpan         span;
  KymoTerms        terms;
};

DeskSource         *desk_source_new      (DeskAnswer       answer,
                                          KymoCapabilities can,
                                          gint64           end_ns);

G_END_DECLS
