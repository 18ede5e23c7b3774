/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of a session: the source is asked for the profile, for the order of
 * names in stacks and for their groups. Main thread only.
 *
 * Invariant: a name that has its place keeps it as long as the run knows the
 * name, whatever comes after; but for a draft, whose times are guesses: once
 * all is read names have the places that the run gives them however it is
 * opened. While a run grows names are asked for once a second at most, and
 * "colors-changed" tells only of new names.
 */
#include "config.h"

#include "kymo-session-private.h"

/* Shortest time between two questions for the names of a run that grows. */
#define NAMES_US G_USEC_PER_SEC

/**
 * kymo_session_of_names:
 *
 * Returns: (transfer none): who holds colours, hidden names and locations
 */
KymoSession *
kymo_session_of_names (KymoSession *self)
{
  return self->first != NULL ? self->first : self;
}

/**
 * kymo_session_peek_names:
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the known names, shared by
 *   sessions beside each other, valid until "colors-changed"; %NULL before the first answer
 */
const char *const *
kymo_session_peek_names (KymoSession *self)
{
  return (const char *const *) kymo_session_of_names (self)->names;
}

/** kymo_session_rebuild_colors: of the names and the palette at hand */
void
kymo_session_rebuild_colors (KymoSession *self)
{
  g_clear_pointer (&self->colors, kymo_colors_unref);
  self->colors = kymo_colors_new_of (self->palette);
  if (self->names != NULL)
    kymo_colors_assign_known (self->colors, (const char *const *) self->names,
                              &(KymoColorTraits) { self->groups, self->families, self->color_by });
  kymo_session_emit (self, COLORS_CHANGED);
}

/* The exact order, after drafts and where names were given. Most names keep
   their place; those of nearly equal time may change theirs, this one time. */
static gboolean
take_names (KymoSession *self, const char *const *names, gint64 length_ns)
{
  gboolean changed = self->names == NULL
    || !g_strv_equal ((const char *const *) self->names, names);

  self->named_ns = length_ns;
  if (!changed)
    return FALSE;
  g_strfreev (self->names);
  self->names = g_strdupv ((char **) names);
  return TRUE;
}

/* Names that are new come after those that are known, which keep their place.
   Where the run has become shorter (a playback that was sought
   back) one that it does not know may come again and keeps its own too; else it
   has got another name, so names were given, and all are ordered anew. */
static gboolean
join_names (KymoSession *self, const char *const *names, gint64 length_ns)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *const *before = (const char *const *) self->names;
  gboolean shorter = length_ns < self->named_ns, changed = FALSE;

  for (guint i = 0; before != NULL && before[i] != NULL; i++)
    {
      if (!shorter && !g_strv_contains (names, before[i]))
        return take_names (self, names, length_ns);
      g_strv_builder_add (builder, before[i]);
    }
  for (guint i = 0; names[i] != NULL; i++)
    if (before == NULL || !g_strv_contains (before, names[i]))
      {
        g_strv_builder_add (builder, names[i]);
        changed = TRUE;
      }
  self->named_ns = length_ns;
  if (!changed)
    return FALSE;
  g_strfreev (self->names);
  self->names = g_strv_builder_end (builder);
  return TRUE;
}

/* -- what gets another name ----------------------------------------------- */

static const char *
shown_name (KymoTable *activities, guint row)
{
  const char *shown = kymo_table_get_string (activities, "shown", row);

  return shown != NULL ? shown : kymo_table_get_string (activities, "name", row);
}

/* (transfer full): of each name the first thing that has it, or the other way round. */
static GHashTable *
list_ids (const KymoTable *profile, gboolean by_id)
{
  KymoTable *activities = kymo_table_peek_nested (profile, "activities", NULL);
  GHashTable *list = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint n = activities != NULL && kymo_table_find_column (activities, "id") >= 0
            ? kymo_table_get_n_rows (activities) : 0;

  for (guint i = 0; i < n; i++)
    {
      const char *name = shown_name (activities, i);
      g_autofree char *id = g_strdup_printf (
        "%s %" G_GINT64_FORMAT, kymo_table_get_string (activities, "kind", i),
        kymo_table_get_int (activities, "id", i));

      if (name != NULL && !g_hash_table_contains (list, by_id ? id : name))
        g_hash_table_insert (list, g_strdup (by_id ? id : name), g_strdup (by_id ? name : id));
    }
  return list;
}

/* Keeps an entry method of a stream hidden when its name arrives: before, its number was hidden. A
   name that another activity has by now stays with that activity. */
static void
rename_hidden (KymoSession *self, const KymoTable *profile)
{
  g_autoptr (GHashTable) names = list_ids (profile, TRUE);
  g_autoptr (GHashTable) before = g_steal_pointer (&self->ids);
  g_autoptr (GList) hidden = g_hash_table_get_keys (self->hidden);
  gboolean changed = FALSE;

  self->ids = list_ids (profile, FALSE);
  for (GList *item = before != NULL ? hidden : NULL; item != NULL; item = item->next)
    {
      const char *id = g_hash_table_lookup (before, item->data);
      const char *name = id != NULL ? g_hash_table_lookup (names, id) : NULL;

      if (name == NULL || g_hash_table_contains (self->ids, item->data))
        continue;
      g_hash_table_remove (self->hidden, item->data);
      g_hash_table_add (self->hidden, g_strdup (name));
      changed = TRUE;
    }
  if (changed)
    kymo_session_emit (self, FILTER_CHANGED);
}

static void
profile_ready (GObject *object, GAsyncResult *result, gpointer data)
{
  GWeakRef *weak = data;
  g_autoptr (KymoTable) profile
    = kymo_source_ask_finish (KYMO_SOURCE (object), result, NULL);
  g_autoptr (KymoSession) self = g_weak_ref_get (weak);
  g_auto (GStrv) names = NULL;
  gboolean was_draft;
  gint64 end_ns;
  g_autoptr (GHashTable) groups = NULL, families = NULL;
  gboolean same;

  g_weak_ref_clear (weak);
  g_free (weak);
  if (self == NULL)
    return;
  self->asking = FALSE;
  /* A run without a profile has no order of names, no groups and no roles. */
  if (profile == NULL)
    return;
  groups = g_steal_pointer (&self->groups);
  self->groups = kymo_colors_groups (profile);
  if (!self->families_are_given)
    {
      families = g_steal_pointer (&self->families);
      self->families = kymo_colors_families (profile);
    }
  same = (self->families_are_given || kymo_colors_same_map (families, self->families, FALSE))
    && kymo_colors_same_map (groups, self->groups, TRUE);
  if (self->names_are_given)
    {
      if (!same)
        kymo_session_rebuild_colors (self);
      return;
    }
  names = kymo_colors_names_by_time (profile);
  end_ns = kymo_table_get_int (profile, "end_ns", 0);
  rename_hidden (self, profile);
  was_draft = self->named_by_draft;
  self->named_by_draft = kymo_table_find_column (profile, "draft") >= 0;
  if (was_draft && !self->named_by_draft
      ? take_names (self, (const char *const *) names, end_ns)
      : join_names (self, (const char *const *) names, end_ns)
        || !same)
    kymo_session_rebuild_colors (self);
}

static void
ask_now (KymoSession *self)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("profile");
  GWeakRef *weak = g_new0 (GWeakRef, 1);

  self->asking = TRUE;
  self->asked_us = g_get_monotonic_time ();
  g_weak_ref_init (weak, self);
  kymo_source_ask_async (self->source, question, self->cancellable,
                         profile_ready, weak);
}

static gboolean
on_names_due (gpointer data)
{
  KymoSession *self = data;

  if (self->asking)
    return G_SOURCE_CONTINUE;
  self->names_id = 0;
  ask_now (self);
  return G_SOURCE_REMOVE;
}

/** kymo_session_ask_for_names: now, or a little later where it just was */
void
kymo_session_ask_for_names (KymoSession *self)
{
  gint64 wait_us = self->asked_us + NAMES_US - g_get_monotonic_time ();

  if (self->names_id != 0 || self->names_are_given)
    return;
  if (self->asked_us == 0 || (wait_us <= 0 && !self->asking))
    ask_now (self);
  else
    self->names_id = g_timeout_add (MAX (wait_us, 0) / 1000 + 10, on_names_due,
                                    self);
}

/**
 * kymo_session_give_names:
 * @names: in the order of stacks, the busiest first
 * @families: (nullable): of these names, as kymo_colors_families() gives them; %NULL leaves them to
 *   the source
 *
 * From now on the source is not asked for names.
 */
void
kymo_session_give_names (KymoSession *self, const char *const *names, GHashTable *families)
{
  gboolean same = families == NULL || kymo_colors_same_map (self->families, families, FALSE);

  self->names_are_given = TRUE;
  self->families_are_given = families != NULL;
  if (families != NULL)
    {
      g_clear_pointer (&self->families, g_hash_table_unref);
      self->families = g_hash_table_ref (families);
    }
  if (take_names (self, names, self->named_ns) || !same)
    kymo_session_rebuild_colors (self);
}
