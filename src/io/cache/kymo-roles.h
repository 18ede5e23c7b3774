/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roles of functions and user events by their names. The rules are data: the
 * built-in ones are data/roles.conf, which tells their form.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

typedef struct _KymoRoles KymoRoles;

KymoRoles *kymo_roles_parse (const char      *text,
                             gsize            length,
                             guint           *bad_line);
void       kymo_roles_free  (KymoRoles       *roles);
KymoRole   kymo_roles_find  (const KymoRoles *roles,
                             const char      *name);
KymoRole   kymo_roles_find_told (const KymoRoles *roles,
                                 const char      *name,
                                 gint             told);
void       kymo_roles_mark_built_in (KymoRoles   *roles);
char      *kymo_roles_dup_path (void);
void       kymo_roles_apply (KymoRun         *run,
                             const char      *rules);
/* The text of the rules, for who shows and edits them. */
char      *kymo_roles_dup_rules  (gboolean   *own);
char      *kymo_roles_dup_own    (void);
gboolean   kymo_roles_save_rules (const char *text,
                                  GError    **error);
char      *kymo_roles_with       (const char *text,
                                  const char *name,
                                  KymoRole    role);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRoles, kymo_roles_free)

G_END_DECLS
