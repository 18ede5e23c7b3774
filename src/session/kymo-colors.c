/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colour by name. A name's hash picks one of the palette's slots; where two
 * names meet on one slot the busier keeps it and the other takes the free
 * slot that lies farthest round the colour circle. The first few names, which
 * fill most of a picture, also keep a distance. When all slots are taken
 * a new round begins, so that two names share a colour only when there are
 * more names than colours.
 *
 * The twenty hues are points of one lightness in OKLCH; every second one has
 * less chroma, which tells neighbours on the circle apart.
 *
 * Threads: a lock guards the assignment, so that an export on a worker may
 * read while the window assigns.
 */
#include "config.h"

#include "kymo-colors.h"

#include <math.h>
#include <string.h>

#define N_HUES 20
#define MAX_SLOTS N_HUES

struct _KymoColors
{
  gatomicrefcount  ref_count;
  KymoPaletteKind  palette;
  guint            n_slots;
  KymoRgba         slots[2][MAX_SLOTS];   /* light, dark */
  GRWLock          lock;
  GHashTable      *assigned;              /* name -> slot | rank << 8 */
};

/* Paul Tol's muted set and three of Okabe and Ito's. */
static const guint32 safe_set[] = {
  0x0072b2, 0xe69f00, 0x44aa99, 0xcc6677, 0x88ccee, 0x117733,
  0xddcc77, 0xaa4499, 0xd55e00, 0x332288, 0x999933, 0x882255,
};

static double
to_gamma (double linear)
{
  if (linear <= 0.0031308)
    return 12.92 * linear;
  return 1.055 * pow (linear, 1 / 2.4) - 0.055;
}

/* FALSE when the colour lies outside sRGB. */
static gboolean
oklch_to_rgb (double lightness, double chroma, double hue, KymoRgba *rgba)
{
  double a = chroma * cos (hue), b = chroma * sin (hue);
  double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
  double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
  double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
  double red, green, blue;

  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
  rgba->red = CLAMP (to_gamma (red), 0, 1);
  rgba->green = CLAMP (to_gamma (green), 0, 1);
  rgba->blue = CLAMP (to_gamma (blue), 0, 1);
  rgba->alpha = 1;
  return MIN (MIN (red, green), blue) >= -0.0005
         && MAX (MAX (red, green), blue) <= 1.0005;
}

static KymoRgba
hue_color (guint index, gboolean dark)
{
  double lightness = dark ? 0.665 : 0.645;
  double hue = (index * 360.0 / N_HUES + 20) * G_PI / 180;
  double chroma = index % 2 == 0 ? 0.185 : 0.12;
  KymoRgba rgba;

  while (!oklch_to_rgb (lightness, chroma, hue, &rgba) && chroma > 0.02)
    chroma -= 0.005;
  return rgba;
}

static KymoRgba
safe_color (guint index, gboolean dark)
{
  guint32 hex = safe_set[index];
  KymoRgba rgba = { (hex >> 16) / 255.0, (hex >> 8 & 255) / 255.0,
                    (hex & 255) / 255.0, 1 };
  double luminance = 0.21 * rgba.red + 0.72 * rgba.green + 0.07 * rgba.blue;

  /* The darkest of the set would sink into a dark canvas. */
  if (dark && luminance < 0.35)
    {
      double lift = 0.35 - luminance;
      rgba.red += (1 - rgba.red) * lift;
      rgba.green += (1 - rgba.green) * lift;
      rgba.blue += (1 - rgba.blue) * lift;
    }
  return rgba;
}

/**
 * kymo_colors_new:
 * @palette: which set of colours
 *
 * Returns: (transfer full): colours with no name assigned yet
 */
KymoColors *
kymo_colors_new (KymoPaletteKind palette)
{
  KymoColors *colors = g_new0 (KymoColors, 1);

  g_atomic_ref_count_init (&colors->ref_count);
  g_rw_lock_init (&colors->lock);
  colors->palette = palette;
  colors->n_slots = palette == KYMO_PALETTE_SAFE ? G_N_ELEMENTS (safe_set)
                                                 : N_HUES;
  colors->assigned = g_hash_table_new_full (g_str_hash, g_str_equal,
                                            g_free, NULL);
  for (guint dark = 0; dark < 2; dark++)
    for (guint i = 0; i < colors->n_slots; i++)
      colors->slots[dark][i] = palette == KYMO_PALETTE_SAFE
                               ? safe_color (i, dark) : hue_color (i, dark);
  return colors;
}

/** kymo_colors_ref: */
KymoColors *
kymo_colors_ref (KymoColors *colors)
{
  g_atomic_ref_count_inc (&colors->ref_count);
  return colors;
}

/** kymo_colors_unref: */
void
kymo_colors_unref (KymoColors *colors)
{
  if (!g_atomic_ref_count_dec (&colors->ref_count))
    return;
  g_hash_table_unref (colors->assigned);
  g_rw_lock_clear (&colors->lock);
  g_free (colors);
}

/* FNV-1a: stable between machines and versions of GLib. */
static guint
name_slot (const char *name, guint n_slots)
{
  guint32 hash = 2166136261u;

  for (const guchar *p = (const guchar *) name; *p != 0; p++)
    hash = (hash ^ *p) * 16777619u;
  hash ^= hash >> 15;
  return hash % n_slots;
}

/* Steps round the circle to the nearest taken slot; 0 when taken itself. */
static int
room_around (const gboolean *taken, guint n_slots, guint slot)
{
  int room = n_slots;

  for (guint other = 0; other < n_slots; other++)
    if (taken[other])
      {
        int d = ABS ((int) slot - (int) other);
        room = MIN (room, MIN (d, (int) n_slots - d));
      }
  return room;
}

/* The wanted slot when it has room enough; else the free one with the most
   room, the nearest to `wanted` on a tie. */
static guint
pick_slot (const gboolean *taken, guint n_slots, guint wanted, guint n_taken)
{
  int enough = n_taken < 5 ? 3 : n_taken < 9 ? 2 : 1;
  guint best = wanted;
  int best_distance = 0;

  if (n_slots < N_HUES)
    enough = 1;
  if (room_around (taken, n_slots, wanted) >= enough)
    return wanted;
  for (guint step = 0; step < n_slots; step++)
    {
      guint slot = (wanted + step) % n_slots;
      int distance = room_around (taken, n_slots, slot);

      if (distance > best_distance)
        {
          best_distance = distance;
          best = slot;
        }
    }
  return best;
}

/**
 * kymo_colors_assign:
 * @colors: the colours
 * @names_busiest_first: (array zero-terminated=1): all names of a run
 *
 * Replaces the assignment: each name gets the slot of its hash, or another
 * one where a busier name has it.
 */
void
kymo_colors_assign (KymoColors        *colors,
                    const char *const *names_busiest_first)
{
  gboolean taken[MAX_SLOTS] = { FALSE };
  guint n_taken = 0, rank = 0;

  g_rw_lock_writer_lock (&colors->lock);
  g_hash_table_remove_all (colors->assigned);
  for (; names_busiest_first != NULL && *names_busiest_first != NULL;
       names_busiest_first++)
    {
      const char *name = *names_busiest_first;
      guint slot;

      if (g_hash_table_contains (colors->assigned, name))
        continue;
      if (n_taken == colors->n_slots)
        {
          memset (taken, 0, sizeof taken);
          n_taken = 0;
        }
      slot = pick_slot (taken, colors->n_slots,
                        name_slot (name, colors->n_slots), n_taken);
      taken[slot] = TRUE;
      n_taken++;
      g_hash_table_insert (colors->assigned, g_strdup (name),
                           GUINT_TO_POINTER (slot | rank++ << 8));
    }
  g_rw_lock_writer_unlock (&colors->lock);
}

/**
 * kymo_colors_get:
 * @colors: the colours
 * @name: an activity's display name
 * @dark: whether the canvas is dark
 *
 * Returns: the name's colour; a name never assigned has its hash's colour
 */
KymoRgba
kymo_colors_get (KymoColors *colors,
                 const char *name,
                 gboolean    dark)
{
  gpointer value;
  guint slot;

  if (name == NULL)
    name = "";
  g_rw_lock_reader_lock (&colors->lock);
  if (g_hash_table_lookup_extended (colors->assigned, name, NULL, &value))
    slot = GPOINTER_TO_UINT (value) & 255;
  else
    slot = name_slot (name, colors->n_slots);
  g_rw_lock_reader_unlock (&colors->lock);
  /* What a summary cannot name is no entry method and has no hue. */
  if (strcmp (name, "(entry method unknown)") == 0)
    return dark ? (KymoRgba) { 0.47, 0.49, 0.52, 1 } : (KymoRgba) { 0.62, 0.64, 0.67, 1 };
  return colors->slots[dark ? 1 : 0][slot];
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
  gpointer value;
  guint rank = G_MAXUINT;

  g_rw_lock_reader_lock (&colors->lock);
  if (name != NULL
      && g_hash_table_lookup_extended (colors->assigned, name, NULL, &value))
    rank = GPOINTER_TO_UINT (value) >> 8;
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
 * The order in which names choose their colours; one function, so that the
 * window and every export agree.
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
