/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colours of names: derived from the name and the palette alone; any two of a palette lie
 * apart; the busiest functions of the recorded runs have one each. Usage: test-colors SOURCE-ROOT
 */
#include "config.h"

#include <math.h>

#include "kymo-colors.h"
#include "kymo-hues.h"
#include "kymo-known-shades.h"
#include "kymo-palette.h"
#include "opened-source.h"

/* ΔE76 of any two of the standard set; a difference that is just seen is about 2.3. */
static const double apart[KYMO_N_LOOKS] = { 10, 10, 8, 8 };
#define N_BUSIEST 8

static char *root;

/* -- distance ------------------------------------------------------------- */

typedef struct
{
  double l, a, b;
} Lab;

static double
linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
root_of (double t)
{
  return t > 216 / 24389.0 ? cbrt (t) : t * 841 / 108 + 4 / 29.0;
}

/* CIELAB of the white D65 */
static Lab
to_lab (KymoRgba c)
{
  double red = linear (c.red), green = linear (c.green), blue = linear (c.blue);
  double x = root_of ((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
  double y = root_of (0.2126729 * red + 0.7151522 * green + 0.0721750 * blue);
  double z = root_of ((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883);

  return (Lab) { 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

static double
distance (KymoRgba one, KymoRgba other)
{
  Lab a = to_lab (one), b = to_lab (other);

  return hypot (hypot (a.l - b.l, a.a - b.a), a.b - b.b);
}

/* -- the name alone ------------------------------------------------------- */

static guint32
rgb_of (KymoColors *colors, const char *name, KymoLook look)
{
  return kymo_rgba_to_rgb (kymo_colors_get (colors, name, look));
}

/* Alone, not assigned, last of many, first of many: so many times the same. */
static void
check_name (const char *name, const char *const *others, KymoPaletteKind kind)
{
  const char *const alone[] = { name, NULL };
  g_autoptr (KymoColors) none = kymo_colors_new (kind);
  g_autoptr (KymoColors) one = kymo_colors_new (kind);
  g_autoptr (KymoColors) all = kymo_colors_new (kind);
  g_autoptr (GPtrArray) reversed = g_ptr_array_new ();

  for (guint i = g_strv_length ((char **) others); i > 0; i--)
    g_ptr_array_add (reversed, (char *) others[i - 1]);
  g_ptr_array_add (reversed, NULL);
  kymo_colors_assign (one, alone);
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    {
      guint32 rgb = rgb_of (none, name, look);

      g_assert_cmphex (rgb_of (one, name, look), ==, rgb);
      kymo_colors_assign (all, others);
      g_assert_cmphex (rgb_of (all, name, look), ==, rgb);
      kymo_colors_assign (all, (const char *const *) reversed->pdata);
      g_assert_cmphex (rgb_of (all, name, look), ==, rgb);
    }
}

static void
test_name_alone (void)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;

  for (guint i = 0; i < 150; i++)
    {
      g_autofree char *name = g_strdup_printf ("Cell::step%u", i);

      g_strv_builder_add (builder, name);
    }
  names = g_strv_builder_end (builder);
  for (guint i = 0; names[i] != NULL; i++)
    for (guint kind = 0; kind < 2; kind++)
      check_name (names[i], (const char *const *) names, kind);
}

/* Of many names any colour is met about as often as any other. */
static void
test_evenly (void)
{
  for (guint kind = 0; kind < 2; kind++)
    {
      guint n = kymo_hues_count (kind);
      g_autoptr (KymoColors) colors = kymo_colors_new (kind);
      g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);

      for (guint i = 0; i < 100 * n; i++)
        {
          g_autofree char *name = g_strdup_printf ("f%u", i);
          gpointer rgb = GUINT_TO_POINTER (rgb_of (colors, name, KYMO_LOOK_LIGHT));
          guint times = GPOINTER_TO_UINT (g_hash_table_lookup (met, rgb));

          g_assert_cmpuint (times, <, 160);
          g_hash_table_insert (met, rgb, GUINT_TO_POINTER (times + 1));
        }
      g_assert_cmpuint (g_hash_table_size (met), ==, n);
    }
}

static void
test_apart (void)
{
  guint n = kymo_hues_count (KYMO_PALETTE_STANDARD);

  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    for (guint i = 0; i < n; i++)
      for (guint j = 0; j < i; j++)
        if (distance (kymo_hue (KYMO_PALETTE_STANDARD, i, look),
                      kymo_hue (KYMO_PALETTE_STANDARD, j, look)) < apart[look])
          g_error ("colours %u and %u (%s) lie too near", i, j, kymo_look_words[look]);
}

/* -- roles ---------------------------------------------------------------- */

static gboolean
is_shade (KymoColors *colors, const char *name, KymoColorFamily family)
{
  gboolean found = FALSE;

  for (guint i = 0; i < KYMO_N_SHADES; i++)
    found |= rgb_of (colors, name, KYMO_LOOK_LIGHT)
      == kymo_rgba_to_rgb (kymo_shade (family, i, KYMO_LOOK_LIGHT));
  return found;
}

static guint32
light_of (KymoColors *colors, const char *name)
{
  return rgb_of (colors, name, KYMO_LOOK_LIGHT);
}

/* Functions that do not compute have shades of their role, those that wait a hatch; what computes
   has the colour that it has without roles. */
static void
test_roles (void)
{
  static const char *const names[] =
    { "solve", "MPI_Send()", "MPI_Wait()", "MPI_File_read()", "MPI_Init()", "main", NULL };
  g_autoptr (KymoColors) plain = kymo_colors_new (KYMO_PALETTE_STANDARD);
  g_autoptr (KymoColors) colors = kymo_colors_new (KYMO_PALETTE_STANDARD);
  g_autoptr (GHashTable) families = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);
  KymoColorTraits known = { groups, families, KYMO_COLOR_BY_NAME };

  for (guint i = 1; i < KYMO_N_FAMILIES; i++)
    g_hash_table_insert (families, (gpointer) names[i], GUINT_TO_POINTER (i));
  g_hash_table_insert (groups, (gpointer) "solve", (gpointer) "user");
  g_hash_table_insert (groups, (gpointer) "MPI_Send()", (gpointer) "user");
  kymo_colors_assign (plain, names);
  kymo_colors_assign_known (colors, names, &known);
  g_assert_cmphex (light_of (plain, "solve"), ==, light_of (colors, "solve"));
  for (guint i = 1; i < KYMO_N_FAMILIES; i++)
    {
      g_assert_true (is_shade (colors, names[i], i));
      g_assert_false (is_shade (plain, names[i], i));
      g_assert_cmpint (kymo_colors_is_hatched (colors, names[i]), ==, i == KYMO_FAMILY_WAITING);
      g_assert_false (kymo_colors_is_hatched (plain, names[i]));
    }
  known.by = KYMO_COLOR_BY_ROLE;
  kymo_colors_assign_known (colors, names, &known);
  g_assert_cmphex (light_of (colors, "solve"), ==, light_of (colors, "main"));
  g_assert_true (is_shade (colors, "MPI_Init()", KYMO_FAMILY_RUNTIME));
  known.by = KYMO_COLOR_BY_GROUP;
  kymo_colors_assign_known (colors, names, &known);
  g_assert_cmphex (light_of (colors, "solve"), ==, light_of (colors, "MPI_Send()"));
  g_assert_cmphex (light_of (colors, "solve"), ==, light_of (plain, "user"));
  g_assert_cmphex (light_of (colors, "main"), ==, light_of (colors, "MPI_Init()"));
}

/* A comparison has the roles of all of its runs: also of what only a later one has. */
static void
test_sides (void)
{
  static const struct { const char *name, *kind, *role; gint64 ns[2]; } rows[] = {
    { "solve", "function", "compute", { 40, 60 } },
    { "MPI_Send()", "function", "communication", { 90, 80 } },
    { "MPI_Waitall()", "function", "wait", { KYMO_NULL_INT, 70 } },
  };
  g_autoptr (KymoTable) answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  g_autoptr (KymoTable) profile = NULL;
  g_autoptr (GHashTable) families = NULL;
  g_auto (GStrv) names = NULL;

  kymo_table_add_column (list, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (list, "kind", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (list, "role", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (list, "exclusive_ns", KYMO_COLUMN_INT, 2);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      kymo_table_append_string (list, 0, rows[i].name);
      kymo_table_append_string (list, 1, rows[i].kind);
      kymo_table_append_string (list, 2, rows[i].role);
      kymo_table_append_ints (list, 3, rows[i].ns);
    }
  kymo_table_set_table (answer, "activities", list);
  profile = kymo_colors_profile_of_sides (answer);
  names = kymo_colors_names_by_time (profile);
  families = kymo_colors_families (profile);
  g_assert_cmpstr (names[0], ==, "MPI_Send()");
  g_assert_cmpstr (names[1], ==, "MPI_Waitall()");
  g_assert_cmpstr (names[2], ==, "solve");
  g_assert_cmpuint (g_hash_table_size (families), ==, 2);
  g_assert_cmpint (GPOINTER_TO_INT (g_hash_table_lookup (families, "MPI_Waitall()")), ==,
                   KYMO_FAMILY_WAITING);
}

/* Any two shades of a family lie apart. */
static void
test_shades_apart (void)
{
  static const double least[KYMO_N_LOOKS] = { 7.5, 7.5, 6.5, 7.5 };

  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    for (guint family = KYMO_FAMILY_COMMUNICATION; family < KYMO_N_FAMILIES; family++)
      for (guint i = 0; i < KYMO_N_SHADES; i++)
        for (guint j = 0; j < i; j++)
          g_assert_cmpfloat (distance (kymo_shade (family, i, look), kymo_shade (family, j, look)),
                             >, least[look]);
}

/* Calls of MPI that stand beside each other look different, however files write them. */
static void
test_calls_apart (void)
{
  static const char *const calls[][7] = {
    { "MPI_Allreduce()", "MPI_Sendrecv()", "MPI_Irecv()", "MPI_Comm_free()", "MPI_Isend()",
      "MPI_Cart_create()" },
    { "MPI_Waitall()", "MPI Collective Sync", "MPI_Barrier()", "MPI_Wait()" },
    { "MPI_File_open", "MPI_File_close", "MPI_File_write_at_all" },
    { "MPI_Init()", "MPI_Finalize()", "MPI_Comm_rank()", "MPI_Comm_size()", "MPI_Dims_create()",
      "MPI_Cart_shift()" },
  };

  for (guint f = 0; f < G_N_ELEMENTS (calls); f++)
    {
      g_autoptr (KymoColors) colors = kymo_colors_new (KYMO_PALETTE_STANDARD);
      g_autoptr (GHashTable) families = g_hash_table_new (g_str_hash, g_str_equal);
      g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
      KymoColorTraits known = { NULL, families, KYMO_COLOR_BY_NAME };
      guint n = g_strv_length ((char **) calls[f]);

      for (guint i = 0; i < n; i++)
        g_hash_table_insert (families, (gpointer) calls[f][i], GUINT_TO_POINTER (f + 1));
      kymo_colors_assign_known (colors, calls[f], &known);
      for (guint i = 0; i < n; i++)
        g_hash_table_add (met, GUINT_TO_POINTER (light_of (colors, calls[f][i])));
      g_assert_cmpuint (g_hash_table_size (met), ==, n);
    }
  g_assert_cmpuint (kymo_known_shade (KYMO_FAMILY_COMMUNICATION, "MPI_Send()"), ==,
                    kymo_known_shade (KYMO_FAMILY_COMMUNICATION, "mpi_send_"));
  g_assert_cmpuint (kymo_known_shade (KYMO_FAMILY_COMMUNICATION, "PMPI_Send"), ==,
                    kymo_known_shade (KYMO_FAMILY_COMMUNICATION, "MPI_Send"));
  g_assert_cmpuint (kymo_known_shade (KYMO_FAMILY_RUNTIME, "MPI_Init_thread()"), ==,
                    kymo_known_shade (KYMO_FAMILY_RUNTIME, "MPI_Init"));
  g_assert_cmpuint (kymo_known_shade (KYMO_FAMILY_COMMUNICATION, "send"), ==, G_MAXUINT);
  g_assert_cmpuint (kymo_known_shade (KYMO_FAMILY_COMMUNICATION, ""), ==, G_MAXUINT);
}

/* -- recorded runs -------------------------------------------------------- */

static void
check_busiest (const char *path, const char *const *names)
{
  g_autoptr (KymoColors) colors = kymo_colors_new (KYMO_PALETTE_STANDARD);

  kymo_colors_assign (colors, names);
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    for (guint i = 0; i < N_BUSIEST && names[i] != NULL; i++)
      for (guint j = 0; j < i; j++)
        {
          double found = distance (kymo_colors_get (colors, names[i], look),
                                   kymo_colors_get (colors, names[j], look));

          if (found < apart[look])
            g_error ("%s: %s and %s look alike (%s, ΔE %.1f)", path, names[i], names[j],
                     kymo_look_words[look], found);
        }
}

/* Returns whether there was a run. */
static gboolean
check_run (const char *path)
{
  g_autoptr (KymoSource) source = opened_source (path);
  g_autoptr (KymoQuestion) question = kymo_question_new ("profile");
  g_autoptr (KymoTable) profile = NULL;
  g_auto (GStrv) names = NULL;

  if (source == NULL)
    return FALSE;
  profile = kymo_source_ask (source, question, NULL, NULL);
  if (profile == NULL)
    return FALSE;
  names = kymo_colors_names_by_time (profile);
  check_busiest (path, (const char *const *) names);
  return TRUE;
}

/* Returns how many runs there were, in the folder itself, its files or its folders. */
static guint
check_below (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  if (check_run (path))
    return 1;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      n += check_below (below);
    }
  return n;
}

static void
test_recorded (void)
{
  g_autofree char *sample = g_build_filename (root, "data", "sample", NULL);
  g_autofree char *data = g_build_filename (root, "tests", "data", NULL);

  g_assert_true (check_run (sample));
  g_assert_cmpuint (check_below (data), >=, 35);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = argv[1];
  g_test_add_func ("/colors/name-alone", test_name_alone);
  g_test_add_func ("/colors/evenly", test_evenly);
  g_test_add_func ("/colors/apart", test_apart);
  g_test_add_func ("/colors/roles", test_roles);
  g_test_add_func ("/colors/sides", test_sides);
  g_test_add_func ("/colors/shades-apart", test_shades_apart);
  g_test_add_func ("/colors/calls-apart", test_calls_apart);
  g_test_add_func ("/colors/recorded", test_recorded);
  return g_test_run ();
}
