/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colour by name. A name's hash picks one of the palette's colours, whatever
 * other names there are and however long they take: so a name looks the same in
 * every run, in a part of it and in a reduced one. Of the names of one run two may
 * share a colour, as often as hashes meet; the calls of MPI that most programs make
 * do not (kymo-known-shades.h).
 *
 * The order in which names are assigned is that of stacks; with it come their
 * groups, for which a person may have chosen a colour. All colours of a name, one
 * for each canvas, are made when it is assigned: to get one is a look into a table.
 * Names that were not assigned (of user events) are found among what was chosen
 * once, and remembered.
 *
 * Threads: a lock guards the assignment, so that an export on a worker may
 * read while the window assigns.
 */
#include "config.h"

#include "kymo-colors.h"

#include <string.h>

#include "kymo-hues.h"
#include "kymo-known-shades.h"
#include "kymo-palette.h"

/* Most names without an assigned colour that are remembered. */
#define MOST_OTHERS 4096

typedef struct
{
  guint    rank;
  gboolean hatched;
  KymoRgba color[KYMO_N_LOOKS];
} Entry;

struct _KymoColors
{
  gatomicrefcount  ref_count;
  KymoPalette     *palette;
  GRWLock          lock;
  GHashTable      *assigned;              /* name -> Entry */
  GHashTable      *others;                /* the same of names without a place */
};

/**
 * kymo_colors_new:
 * @palette: which set of colours
 *
 * Returns: (transfer full): colours with no name assigned yet
 */
KymoColors *
kymo_colors_new (KymoPaletteKind palette)
{
  g_autoptr (KymoPalette) own = kymo_palette_new (palette);

  return kymo_colors_new_of (own);
}

/**
 * kymo_colors_new_of:
 * @palette: a set of colours, and what was chosen
 *
 * Returns: (transfer full): colours with no name assigned yet
 */
KymoColors *
kymo_colors_new_of (KymoPalette *palette)
{
  KymoColors *colors = g_new0 (KymoColors, 1);

  g_atomic_ref_count_init (&colors->ref_count);
  g_rw_lock_init (&colors->lock);
  colors->palette = kymo_palette_ref (palette);
  colors->assigned = g_hash_table_new_full (g_str_hash, g_str_equal,
                                            g_free, g_free);
  colors->others = g_hash_table_new_full (g_str_hash, g_str_equal,
                                          g_free, g_free);
  return colors;
}

/**
 * kymo_colors_ref:
 *
 * Returns: (transfer full): @colors, with one more reference; may be called from any thread
 */
KymoColors *
kymo_colors_ref (KymoColors *colors)
{
  g_atomic_ref_count_inc (&colors->ref_count);
  return colors;
}

/**
 * kymo_colors_unref:
 *
 * Drops a reference; the last one frees the colours and their reference of the palette. Any thread.
 */
void
kymo_colors_unref (KymoColors *colors)
{
  if (!g_atomic_ref_count_dec (&colors->ref_count))
    return;
  g_hash_table_unref (colors->assigned);
  g_hash_table_unref (colors->others);
  kymo_palette_unref (colors->palette);
  g_rw_lock_clear (&colors->lock);
  g_free (colors);
}

/* FNV-1a and the last steps of MurmurHash3, the same on every machine. Which number it begins
   with is free: this is one of those with which the busiest functions of the recorded runs and
   the calls of MPI get strong colours that lie far apart. */
static guint
name_slot (const char *name, guint n_slots)
{
  guint32 hash = 0xdc3282df;

  for (const guchar *p = (const guchar *) name; *p != 0; p++)
    hash = (hash ^ *p) * 16777619u;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  hash ^= hash >> 16;
  return hash % n_slots;
}

/* Greys of the luminance of hues. */
static const KymoRgba unknown[KYMO_N_LOOKS] = {
  { 0.48, 0.50, 0.53, 1 }, { 0.54, 0.56, 0.59, 1 },
  { 0.40, 0.42, 0.45, 1 }, { 0.68, 0.70, 0.73, 1 },
};

/* The word of all functions that compute, which no file can have as a name, and their colour where
   each role has one: a green, or a blue for the colour-blind, apart from all families. */
#define COMPUTE "\001compute"
static const guint compute_slots[] = { [KYMO_PALETTE_STANDARD] = 6, [KYMO_PALETTE_SAFE] = 1 };

/* A hue of the palette, or a shade of the family, by the hash of a word. Well-known names have a
   shade each. */
static void
take_colors (KymoColors *colors, KymoColorFamily family, const char *word, Entry *entry)
{
  KymoPaletteKind base = kymo_palette_get_base (colors->palette);
  guint slot = G_MAXUINT;

  if (family != KYMO_FAMILY_COMPUTE)
    slot = kymo_known_shade (family, word);
  else if (strcmp (word, COMPUTE) == 0)
    slot = compute_slots[base];
  if (slot == G_MAXUINT)
    slot = name_slot (word, family == KYMO_FAMILY_COMPUTE ? kymo_hues_count (base)
                            : KYMO_N_SHADES);
  for (guint look = 0; look < KYMO_N_LOOKS; look++)
    entry->color[look] = family == KYMO_FAMILY_COMPUTE ? kymo_hue (base, slot, look)
                                                       : kymo_shade (family, slot, look);
}

/* What was chosen for the name, or in colours by group for the group, comes before all else. */
static gboolean
find_choice (KymoColors *colors, const char *name, const char *group, KymoColorBy by,
             guint32 *rgb)
{
  if (by == KYMO_COLOR_BY_NAME || by == KYMO_COLOR_BY_COMMUNICATOR)
    return kymo_palette_find (colors->palette, name, group, rgb);
  return by == KYMO_COLOR_BY_GROUP && group != NULL
    && kymo_palette_find (colors->palette, "", group, rgb);
}

static Entry *
make_entry (KymoColors *colors, const char *name, const KymoColorTraits *known, guint rank)
{
  static const char *const roles[KYMO_N_FAMILIES] =
    { COMPUTE, "communication", "waiting", "io", "runtime" };
  Entry *entry = g_new (Entry, 1);
  const char *group = known->groups != NULL ? g_hash_table_lookup (known->groups, name) : NULL;
  KymoColorFamily family = known->families == NULL ? KYMO_FAMILY_COMPUTE
    : GPOINTER_TO_UINT (g_hash_table_lookup (known->families, name));
  guint32 rgb;

  entry->rank = rank;
  entry->hatched = family == KYMO_FAMILY_WAITING;
  if (find_choice (colors, name, group, known->by, &rgb))
    {
      for (guint look = 0; look < KYMO_N_LOOKS; look++)
        entry->color[look] = kymo_color_for_canvas (rgb, look);
    }
  /* Time that a summary cannot give to an entry method is no entry method and has no hue; what
     has no communicator is no communicator. */
  else if (strcmp (name, "(entry method unknown)") == 0 || strcmp (name, "(no communicator)") == 0
           || (known->by == KYMO_COLOR_BY_GROUP && group == NULL))
    memcpy (entry->color, unknown, sizeof unknown);
  else if (known->by == KYMO_COLOR_BY_GROUP)
    take_colors (colors, KYMO_FAMILY_COMPUTE, group, entry);
  else
    take_colors (colors, family, known->by == KYMO_COLOR_BY_ROLE ? roles[family] : name, entry);
  return entry;
}

/**
 * kymo_colors_assign:
 * @colors: the colours
 * @names_busiest_first: (array zero-terminated=1): all names of a run
 *
 * Replaces the assignment, without groups and roles: see kymo_colors_assign_known().
 */
void
kymo_colors_assign (KymoColors        *colors,
                    const char *const *names_busiest_first)
{
  kymo_colors_assign_known (colors, names_busiest_first, &(KymoColorTraits) { 0 });
}

/**
 * kymo_colors_assign_known:
 * @names_busiest_first: (nullable): names, terminated by %NULL
 * @known: groups and families, as kymo_colors_groups() and kymo_colors_families() give them
 *
 * Gives each name its rank and its colour, in place of all before: what was chosen for it or its
 * group, else a colour by its name, its role or its group. Other names do not change the colour
 * of a name. Any thread.
 */
void
kymo_colors_assign_known (KymoColors            *colors,
                          const char *const     *names_busiest_first,
                          const KymoColorTraits *known)
{
  guint rank = 0;

  g_rw_lock_writer_lock (&colors->lock);
  g_hash_table_remove_all (colors->assigned);
  g_hash_table_remove_all (colors->others);
  for (; names_busiest_first != NULL && *names_busiest_first != NULL;
       names_busiest_first++)
    {
      const char *name = *names_busiest_first;

      if (!g_hash_table_contains (colors->assigned, name))
        g_hash_table_insert (colors->assigned, g_strdup (name),
                             make_entry (colors, name, known, rank++));
    }
  g_rw_lock_writer_unlock (&colors->lock);
}

/* Of a name without a place: what was chosen for it may be a pattern, so it is
   looked for once. */
static KymoRgba
get_other (KymoColors *colors, const char *name, KymoLook look)
{
  Entry *entry = make_entry (colors, name, &(KymoColorTraits) { 0 }, G_MAXUINT);
  KymoRgba color = entry->color[look];

  g_rw_lock_writer_lock (&colors->lock);
  if (g_hash_table_size (colors->others) >= MOST_OTHERS)
    g_hash_table_remove_all (colors->others);
  g_hash_table_insert (colors->others, g_strdup (name), entry);
  g_rw_lock_writer_unlock (&colors->lock);
  return color;
}

/**
 * kymo_colors_get:
 * @colors: the colours
 * @name: an activity's display name
 * @look: of the canvas
 *
 * Returns: the name's colour; that of a group only for names that were assigned with it
 */
KymoRgba
kymo_colors_get (KymoColors *colors,
                 const char *name,
                 KymoLook    look)
{
  const Entry *entry;
  KymoRgba color = { 0 };

  if (name == NULL)
    name = "";
  g_rw_lock_reader_lock (&colors->lock);
  entry = g_hash_table_lookup (colors->assigned, name);
  if (entry == NULL)
    entry = g_hash_table_lookup (colors->others, name);
  if (entry != NULL)
    color = entry->color[look];
  g_rw_lock_reader_unlock (&colors->lock);
  return entry != NULL ? color : get_other (colors, name, look);
}

/**
 * kymo_colors_is_hatched:
 * @name: (nullable): an activity's display name
 *
 * Returns: %TRUE if the colour of the name has a hatch over it: functions that wait
 */
gboolean
kymo_colors_is_hatched (KymoColors *colors, const char *name)
{
  const Entry *entry;
  gboolean hatched = FALSE;

  g_rw_lock_reader_lock (&colors->lock);
  entry = name != NULL ? g_hash_table_lookup (colors->assigned, name) : NULL;
  if (entry != NULL)
    hatched = entry->hatched;
  g_rw_lock_reader_unlock (&colors->lock);
  return hatched;
}

/**
 * kymo_colors_get_rank:
 * @colors: the colours
 * @name: an activity's display name
 *
 * Returns: the name's place in the order last assigned, 0 being the busiest,
 *   or %G_MAXUINT
 */
guint
kymo_colors_get_rank (KymoColors *colors,
                      const char *name)
{
  const Entry *entry;
  guint rank = G_MAXUINT;

  g_rw_lock_reader_lock (&colors->lock);
  entry = name != NULL ? g_hash_table_lookup (colors->assigned, name) : NULL;
  if (entry != NULL)
    rank = entry->rank;
  g_rw_lock_reader_unlock (&colors->lock);
  return rank;
}

typedef struct
{
  const char *name;
  double      time;
} NameTime;

static int
compare_name_time (gconstpointer a, gconstpointer b)
{
  const NameTime *x = a, *y = b;

  if (x->time != y->time)
    return x->time > y->time ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Of a run of profiles the total of its metric; times are exact below 2^53 ns. */
static double
exclusive_of (const KymoTable *activities, guint row)
{
  const guint *offsets = NULL;
  KymoTable *figures = kymo_table_peek_nested (activities, "exclusive", &offsets);
  double total;

  if (figures == NULL)
    return kymo_table_get_int (activities, "exclusive_ns", row);
  total = offsets[row] < offsets[row + 1]
          ? kymo_table_get_double (figures, "total", offsets[row]) : 0;
  return total > 0 ? total : 0;
}

/**
 * kymo_colors_names_by_time:
 * @profile: an answer of kind profile
 *
 * The order in which names are assigned; one function, so that the stacks of the
 * window and of every export agree.
 *
 * Returns: (transfer full): the names of entry methods and functions, busiest
 *   first; free with g_strfreev()
 */
char **
kymo_colors_names_by_time (const KymoTable *profile)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (NameTime));
  KymoTable *activities = kymo_table_peek_nested (profile, "activities", NULL);
  guint n = activities != NULL ? kymo_table_get_n_rows (activities) : 0;

  for (guint i = 0; i < n; i++)
    {
      const char *kind = kymo_table_get_string (activities, "kind", i);
      /* As pictures show it; the name is as files have it. */
      const char *shown = kymo_table_get_string (activities, "shown", i);
      NameTime item = { shown != NULL ? shown : kymo_table_get_string (activities, "name", i),
                        exclusive_of (activities, i) };

      if (item.name != NULL && (g_strcmp0 (kind, "entry") == 0
                                || g_strcmp0 (kind, "function") == 0))
        g_array_append_val (items, item);
    }
  g_array_sort (items, compare_name_time);
  for (guint i = 0; i < items->len; i++)
    g_strv_builder_add (builder, g_array_index (items, NameTime, i).name);
  return g_strv_builder_end (builder);
}

/**
 * kymo_colors_groups:
 * @profile: an answer of kind profile
 *
 * Returns: (transfer full): the group of each name that is in one
 */
GHashTable *
kymo_colors_groups (const KymoTable *profile)
{
  GHashTable *groups = g_hash_table_new_full (g_str_hash, g_str_equal,
                                              g_free, g_free);
  KymoTable *list = kymo_table_peek_nested (profile, "activities", NULL);
  guint n = list != NULL && kymo_table_find_column (list, "group") >= 0
            ? kymo_table_get_n_rows (list) : 0;

  for (guint i = 0; i < n; i++)
    {
      const char *group = kymo_table_get_string (list, "group", i);
      const char *name = kymo_table_get_string (list, "shown", i);

      if (name == NULL)
        name = kymo_table_get_string (list, "name", i);
      if (name != NULL && group != NULL && *group != '\0')
        g_hash_table_insert (groups, g_strdup (name), g_strdup (group));
    }
  return groups;
}

static KymoColorFamily
family_of_role (const char *role)
{
  static const struct { const char *role; KymoColorFamily family; } families[] = {
    { "communication", KYMO_FAMILY_COMMUNICATION }, { "synchronization", KYMO_FAMILY_WAITING },
    { "wait", KYMO_FAMILY_WAITING }, { "io", KYMO_FAMILY_IO }, { "runtime", KYMO_FAMILY_RUNTIME },
  };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_strcmp0 (families[i].role, role) == 0)
      return families[i].family;
  return KYMO_FAMILY_COMPUTE;
}

/**
 * kymo_colors_families:
 * @profile: an answer of kind profile
 *
 * Returns: (transfer full): the #KymoColorFamily of each function that does not compute, by name
 */
GHashTable *
kymo_colors_families (const KymoTable *profile)
{
  GHashTable *families = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  KymoTable *list = kymo_table_peek_nested (profile, "activities", NULL);
  guint n = list != NULL && kymo_table_find_column (list, "role") >= 0
            ? kymo_table_get_n_rows (list) : 0;

  for (guint i = 0; i < n; i++)
    {
      KymoColorFamily family = family_of_role (kymo_table_get_string (list, "role", i));
      const char *name = kymo_table_get_string (list, "shown", i);

      if (name == NULL)
        name = kymo_table_get_string (list, "name", i);
      if (name != NULL && family != KYMO_FAMILY_COMPUTE
          && g_strcmp0 (kymo_table_get_string (list, "kind", i), "function") == 0)
        g_hash_table_insert (families, g_strdup (name), GUINT_TO_POINTER (family));
    }
  return families;
}

/**
 * kymo_colors_profile_of_sides:
 * @answer: of a question "compare"
 *
 * Returns: (transfer full): names, kinds and roles of what the sides have, each with its time on
 *   the side that has most of it, as an answer that kymo_colors_names_by_time() and
 *   kymo_colors_families() take
 */
KymoTable *
kymo_colors_profile_of_sides (const KymoTable *answer)
{
  static const char *const texts[] = { "name", "kind", "role" };
  KymoTable *list = kymo_table_peek_nested (answer, "activities", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0, n_sides = 0;
  const gint64 *ns = list != NULL ? kymo_table_peek_ints (list, "exclusive_ns", &n_sides) : NULL;
  KymoTable *result = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *profile = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint columns[G_N_ELEMENTS (texts)], most;

  for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
    columns[k] = kymo_table_add_column (profile, texts[k], KYMO_COLUMN_STRING, 1);
  most = kymo_table_add_column (profile, "exclusive_ns", KYMO_COLUMN_INT, 1);
  for (guint i = 0; i < n; i++)
    {
      gint64 largest = 0;

      for (guint side = 0; ns != NULL && side < n_sides; side++)
        if (ns[i * n_sides + side] != KYMO_NULL_INT)
          largest = MAX (largest, ns[i * n_sides + side]);
      for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
        kymo_table_append_string (profile, columns[k], kymo_table_get_string (list, texts[k], i));
      kymo_table_append_int (profile, most, largest);
    }
  kymo_table_set_table (result, "activities", profile);
  return result;
}

/**
 * kymo_colors_same_map:
 * @a: (nullable): of kymo_colors_families() or, with @texts, of kymo_colors_groups()
 * @b: (nullable): the same of another profile
 * @texts: whether values are texts
 *
 * Returns: whether both give the same names the same values; %NULL gives none
 */
gboolean
kymo_colors_same_map (GHashTable *a, GHashTable *b, gboolean texts)
{
  GHashTableIter iter;
  gpointer name, value, other;

  if ((a != NULL ? g_hash_table_size (a) : 0) != (b != NULL ? g_hash_table_size (b) : 0))
    return FALSE;
  if (a == NULL || b == NULL)
    return TRUE;
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (!g_hash_table_lookup_extended (b, name, NULL, &other)
        || (texts ? !g_str_equal (value, other) : value != other))
      return FALSE;
  return TRUE;
}

static const char *const by_words[KYMO_N_COLOR_BY] = { "name", "role", "group",
                                                      "communicator" };

/**
 * kymo_color_by_to_string:
 *
 * Returns: the word of the command line and of desks: "name", "role", "group" or
 *   "communicator"; static
 */
const char *
kymo_color_by_to_string (KymoColorBy by)
{
  return by_words[by];
}

/**
 * kymo_color_by_parse:
 * @by: (out): set if the word is known
 *
 * Returns: %FALSE if the word is none of kymo_color_by_to_string()
 */
gboolean
kymo_color_by_parse (const char *word, KymoColorBy *by)
{
  for (guint i = 0; i < KYMO_N_COLOR_BY; i++)
    if (g_strcmp0 (by_words[i], word) == 0)
      {
        *by = i;
        return TRUE;
      }
  return FALSE;
}
