/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-roles.h"

#include <gio/gio.h>
#include <string.h>

#include "kymo-input.h"
#include "kymo-profile-data.h"
#include "kymo-roles-resource.h"

#define RULES_PATH "/io/github/kymo_trace/Kymo/io/roles.conf"
/* A longer file is no list of rules. */
#define MAX_RULES_BYTES (1 << 20)

/** Rule: @built_in: the person's own rules begin as a copy of ours; such a line is still ours */
typedef struct
{
  KymoRole      role;
  GPatternSpec *pattern;
  gboolean      built_in;
} Rule;

struct _KymoRoles
{
  GArray *rules;                /* Rule, the first that fits counts */
};

static void
rule_clear (gpointer data)
{
  g_pattern_spec_free (((Rule *) data)->pattern);
}

/* A line without words, or one rule; FALSE for anything else. */
static gboolean
parse_line (GArray *rules,
            char   *line)
{
  gsize length;
  Rule rule;
  char *pattern;

  g_strstrip (line);
  if (*line == '\0' || *line == '#')
    return TRUE;
  length = strcspn (line, " \t");
  if (line[length] == '\0')
    return FALSE;
  line[length] = '\0';
  pattern = g_strchug (line + length + 1);
  if (!kymo_role_from_string (line, &rule.role))
    return FALSE;
  rule.pattern = g_pattern_spec_new (pattern);
  rule.built_in = FALSE;
  g_array_append_val (rules, rule);
  return TRUE;
}

/**
 * kymo_roles_parse:
 * @text: lines of rules
 * @length: of @text, in bytes
 * @bad_line: (out): number of the first line that is no rule, from 1
 *
 * Returns: (transfer full) (nullable): the rules; %NULL if a line is no rule or the text is
 *   not UTF-8
 */
KymoRoles *
kymo_roles_parse (const char *text,
                  gsize       length,
                  guint      *bad_line)
{
  g_autoptr (KymoRoles) roles = g_new (KymoRoles, 1);
  g_autofree char *copy = g_strndup (text, length);
  g_auto (GStrv) lines = NULL;

  roles->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  g_array_set_clear_func (roles->rules, rule_clear);
  *bad_line = 1;
  if (memchr (text, '\0', length) != NULL || !g_utf8_validate (copy, -1, NULL))
    return NULL;
  lines = g_strsplit (copy, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (!parse_line (roles->rules, lines[i]))
      {
        *bad_line = i + 1;
        return NULL;
      }
  return g_steal_pointer (&roles);
}

/**
 * kymo_roles_free:
 *
 * Frees the rules.
 */
void
kymo_roles_free (KymoRoles *roles)
{
  g_array_unref (roles->rules);
  g_free (roles);
}

/* "MPI_Send" of "MPI_Send()" and "solve" of "solve (int, double)": some files
   give functions with what they take. */
static char *
dup_bare (const char *name)
{
  gsize length = strcspn (name, "(");

  return length > 0 ? g_strchomp (g_strndup (name, length)) : g_strdup (name);
}

/* The first rule that fits the name as it is, or without the arguments in parentheses. */
static const Rule *
find_rule (const KymoRoles *roles,
           const char      *name)
{
  g_autofree char *bare = dup_bare (name);

  for (guint i = 0; i < roles->rules->len; i++)
    {
      const Rule *rule = &g_array_index (roles->rules, Rule, i);

      if (g_pattern_spec_match_string (rule->pattern, name)
          || g_pattern_spec_match_string (rule->pattern, bare))
        return rule;
    }
  return NULL;
}

/**
 * kymo_roles_find:
 *
 * A rule fits a name as it is, or without the arguments in parentheses.
 *
 * Returns: the role of a function or user event of that name; compute where
 * no rule fits
 */
KymoRole
kymo_roles_find (const KymoRoles *roles,
                 const char      *name)
{
  const Rule *rule = find_rule (roles, name);

  return rule != NULL ? rule->role : KYMO_ROLE_COMPUTE;
}

/**
 * kymo_roles_find_told:
 * @told: a #KymoRole that the files of the run give the function, or -1
 *
 * A rule that the person wrote stands before what the files tell, and that before the
 * built-in rules.
 *
 * Returns: the role of a function or user event of that name
 */
KymoRole
kymo_roles_find_told (const KymoRoles *roles,
                      const char      *name,
                      gint             told)
{
  const Rule *rule = find_rule (roles, name);

  if (told >= 0 && (rule == NULL || rule->built_in))
    return (KymoRole) told;
  return rule != NULL ? rule->role : KYMO_ROLE_COMPUTE;
}

static char *
dup_built_in (void)
{
  g_autoptr (GBytes) bytes = g_resource_lookup_data (kymo_roles_get_resource (), RULES_PATH,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize length = 0;
  const char *text = bytes != NULL ? g_bytes_get_data (bytes, &length) : "";

  return g_strndup (text, length);
}

static KymoRoles *
built_in_roles (void)
{
  g_autofree char *text = dup_built_in ();
  guint bad_line;

  return kymo_roles_parse (text, strlen (text), &bad_line);
}

/**
 * kymo_roles_mark_built_in:
 *
 * Finds out which of the rules are built-in ones, for kymo_roles_find_told().
 */
void
kymo_roles_mark_built_in (KymoRoles *roles)
{
  g_autoptr (KymoRoles) ours = built_in_roles ();

  for (guint i = 0; i < roles->rules->len; i++)
    {
      Rule *rule = &g_array_index (roles->rules, Rule, i);

      for (guint k = 0; k < ours->rules->len && !rule->built_in; k++)
        rule->built_in = rule->role == g_array_index (ours->rules, Rule, k).role
          && g_pattern_spec_equal (rule->pattern, g_array_index (ours->rules, Rule, k).pattern);
    }
}

/**
 * kymo_roles_dup_path:
 *
 * Returns: (transfer full): where a person's own rules lie
 */
char *
kymo_roles_dup_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "kymo", "roles.conf", NULL);
}

/**
 * kymo_roles_dup_rules:
 * @own: (out): whether they are the person's own, not the built-in ones
 *
 * Returns: (transfer full): the text of the rules, whether it is of any use or not
 */
char *
kymo_roles_dup_rules (gboolean *own)
{
  g_autofree char *path = kymo_roles_dup_path ();
  char *text = NULL;
  gsize length = 0;

  *own = kymo_input_load (path, MAX_RULES_BYTES, &text, &length, NULL)
    && g_utf8_validate (text, (gssize) length, NULL);
  if (*own)
    return text;
  g_free (text);
  return dup_built_in ();
}

/**
 * kymo_roles_dup_own:
 *
 * Returns: (transfer full): the person's own rules, for a run that is opened elsewhere; empty where
 *   there are none or they cannot be read
 */
char *
kymo_roles_dup_own (void)
{
  gboolean own;
  g_autofree char *text = kymo_roles_dup_rules (&own);

  return own ? g_steal_pointer (&text) : g_strdup ("");
}

/**
 * kymo_roles_save_rules:
 * @text: (nullable): the person's own rules; %NULL takes them away, so that the
 *   built-in ones count
 *
 * Runs that are opened from then on have them.
 *
 * Returns: FALSE with @error of #GIOErrorEnum or #GFileError
 */
gboolean
kymo_roles_save_rules (const char  *text,
                       GError     **error)
{
  g_autofree char *path = kymo_roles_dup_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) reason = NULL;

  if (text != NULL)
    {
      g_mkdir_with_parents (folder, 0700);
      return g_file_set_contents (path, text, -1, error);
    }
  if (g_file_delete (file, NULL, &reason)
      || g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

/**
 * kymo_roles_with:
 * @text: rules
 *
 * Returns: (transfer full): the rules with one before all others, for a name as it is;
 *   one for just that name which stood there before is gone
 */
char *
kymo_roles_with (const char *text,
                 const char *name,
                 KymoRole    role)
{
  g_autofree char *start = g_strdup_printf ("%s ", kymo_role_to_string (role));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *rules = g_string_new (NULL);

  g_string_append_printf (rules, "%s%s\n", start, name);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *rest = lines[i] + strcspn (lines[i], " \t");
      KymoRole other;
      g_autofree char *word = g_strndup (lines[i], (gsize) (rest - lines[i]));

      rest += strspn (rest, " \t");
      if (strcmp (rest, name) == 0 && kymo_role_from_string (word, &other))
        continue;
      g_string_append (rules, lines[i]);
      if (lines[i + 1] != NULL)
        g_string_append_c (rules, '\n');
    }
  return g_string_free (rules, FALSE);
}

/* (transfer full) (nullable): the text of the person's rules; @exist: (out): whether there are
   any. */
static char *
load_own (const char *rules, gsize *length, gboolean *exist)
{
  g_autofree char *path = rules == NULL ? kymo_roles_dup_path () : NULL;
  char *text = NULL;

  *exist = rules != NULL ? *rules != '\0' : g_file_test (path, G_FILE_TEST_EXISTS);
  if (!*exist)
    return NULL;
  if (rules == NULL)
    return kymo_input_load (path, MAX_RULES_BYTES, &text, length, NULL) ? text : NULL;
  *length = strlen (rules);
  return *length <= MAX_RULES_BYTES ? g_strdup (rules) : NULL;
}

/* The person's own rules; NULL where there are none, or a note says why they
   are of no use. */
static KymoRoles *
own_roles (KymoRun *run, const char *rules)
{
  KymoRoles *roles = NULL;
  gboolean exist;
  gsize length = 0;
  guint bad_line = 0;
  g_autofree char *text = load_own (rules, &length, &exist);

  if (!exist)
    return NULL;
  if (text != NULL)
    roles = kymo_roles_parse (text, length, &bad_line);
  if (roles == NULL && bad_line > 0)
    kymo_report_add (run->report, "roles.conf", KYMO_SEVERITY_NOTE, 1, -1,
                     N_("line %u of your own rules for roles is no rule; the built-in rules are "
                        "used"),
                     bad_line);
  else if (roles == NULL)
    kymo_report_add (run->report, "roles.conf", KYMO_SEVERITY_NOTE, 1, -1,
                     N_("your own rules for roles cannot be read; the built-in rules are used"));
  return roles;
}

/* Events of profiles: flat ones by name, paths as the function they end in. */
static void
apply_to_profile (const KymoRoles *roles,
                  KymoProfileData *data)
{
  for (guint i = 0; i < data->events->len; i++)
    {
      KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent, i);

      event->role = kymo_roles_find (roles, event->shown);
    }
}

/**
 * kymo_roles_apply:
 * @run: a run that no other thread has yet
 * @rules: (nullable): see #KymoOpenOptions.roles
 *
 * Gives every function and user event its role: by the person's rules, else as the files tell,
 * else by the built-in rules. Entry methods are compute.
 */
void
kymo_roles_apply (KymoRun *run, const char *rules)
{
  g_autoptr (KymoRoles) roles = own_roles (run, rules);

  if (roles == NULL)
    roles = built_in_roles ();
  if (roles != NULL)
    kymo_roles_mark_built_in (roles);
  kymo_report_sort (run->report);
  for (guint i = 0; roles != NULL && i < run->activities->len; i++)
    {
      KymoActivity *activity = &g_array_index (run->activities, KymoActivity, i);

      activity->role = activity->kind == KYMO_ACTIVITY_ENTRY ? KYMO_ROLE_COMPUTE
        : kymo_roles_find_told (roles, activity->name, activity->told_role);
    }
  /* Steps share their events. */
  if (roles != NULL && run->profiles != NULL)
    apply_to_profile (roles, g_ptr_array_index (run->profiles, 0));
}
