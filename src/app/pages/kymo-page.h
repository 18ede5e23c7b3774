/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoPage: a tab. It has several faces, one of them to be seen, and among
 * them the view of a run once there is one. KymoRunPage reads files,
 * KymoFeedPage follows a stream, KymoComparePage shows several runs.
 *
 * Signals: "changed" (title, state or view), "message" (sentence).
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-feed.h"
#include "kymo-run-view.h"

G_BEGIN_DECLS

#define KYMO_TYPE_PAGE (kymo_page_get_type ())
G_DECLARE_DERIVABLE_TYPE (KymoPage, kymo_page, KYMO, PAGE, GtkBox)

struct _KymoPageClass
{
  GtkBoxClass   parent_class;

  /* (nullable): what is shown; files only */
  const char *(*get_path)   (KymoPage *self);
  gboolean    (*is_loading) (KymoPage *self);
  /* optional: reads again, or tries again */
  void        (*reload)     (KymoPage *self);
  /* optional: the page is closed; nobody waits for what it reads */
  void        (*stop)       (KymoPage *self);
  /* optional: pages that are not of one run do these commands of the window
     themselves */
  gboolean    (*knows)      (KymoPage *self, const char *command);
  void        (*command)    (KymoPage *self, const char *command);
};

/* -- for the window -- */

const char  *kymo_page_get_path      (KymoPage *self);
const char  *kymo_page_get_title     (KymoPage *self);
const char  *kymo_page_get_subtitle  (KymoPage *self);
/* NULL while another face is to be seen */
KymoRunView *kymo_page_get_view      (KymoPage *self);
gboolean     kymo_page_is_loading    (KymoPage *self);
void         kymo_page_reload        (KymoPage *self);
gboolean     kymo_page_knows         (KymoPage *self,
                                      const char *command);
void         kymo_page_command       (KymoPage *self,
                                      const char *command);

/* -- for the kinds of pages -- */

void         kymo_page_set_words     (KymoPage        *self,
                                      const char      *title,
                                      const char      *subtitle);
void         kymo_page_add_face      (KymoPage        *self,
                                      const char      *name,
                                      GtkWidget       *face);
void         kymo_page_drop_face     (KymoPage        *self,
                                      const char      *name);
void         kymo_page_show_face     (KymoPage        *self,
                                      const char      *name);
/* The view, whichever face is to be seen. */
KymoRunView *kymo_page_peek_view     (KymoPage        *self);
/* Shows what is known of the source now; TRUE for a view that is new. */
gboolean     kymo_page_show_source   (KymoPage        *self,
                                      KymoSource      *source,
                                      const KymoTable *info);
void         kymo_page_drop_view     (KymoPage        *self);
void         kymo_page_say           (KymoPage        *self,
                                      const char      *message);
void         kymo_page_tell_changed  (KymoPage        *self);
GtkWidget   *kymo_page_pill          (const char      *label,
                                      const char      *action);
char        *kymo_page_dup_markup    (const char      *text);
/* Another palette of the preferences, for runs that show it as it was. */
void         kymo_page_replace_palette (KymoPalette    *before,
                                        const char     *name);
/* The colours of the preferences. */
void         kymo_page_apply_palette (KymoSession     *session);

G_END_DECLS
