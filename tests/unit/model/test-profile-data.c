/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles in the making: figures go to their places whatever thread fills which
 * location in which order, and paths know what they go through.
 */
#include "config.h"

#include <string.h>

#include "kymo-profile-builder.h"

#define N_LOCATIONS 23
#define N_NAMES 40

static guint32
add_event (KymoProfilePart *part,
           const char      *name,
           const char      *groups,
           guint32          flags)
{
  return kymo_profile_part_event (part, name, strlen (name), groups, strlen (groups), flags);
}

/* Whether location l lists name i, and its figures: the same in every order. */
static gboolean
has (guint l,
     guint i)
{
  return (l * 7 + i * 13) % 5 != 0;
}

static double
figure (guint l,
        guint i,
        guint k)
{
  return l * 1000 + i * 10 + k + 0.25;
}

static void
fill (KymoProfilePart *part,
      guint            l,
      guint            step)
{
  kymo_profile_part_begin (part, l, step);
  for (guint m = 0; m < 2; m++)
    for (guint j = 0; j < N_NAMES; j++)
      {
        guint i = l % 2 == 0 ? j : N_NAMES - 1 - j;
        g_autofree char *name = g_strdup_printf ("f%u", i);

        if (has (l, i))
          kymo_profile_part_add (part, add_event (part, name, i % 3 == 0 ? "A" : "B|A", 0), m,
                                 figure (l, i, 7), figure (l, i, 8),
                                 figure (l, i, m * 2) + step, figure (l, i, m * 2 + 1) + step);
      }
  for (guint i = 0; i < l % 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("u%u", (i + l) % 5);
      KymoUserEventRow row = { kymo_profile_part_user_event (part, name, strlen (name)),
                               l + 1, 9, 1, 2 + i, 100 };

      kymo_profile_part_add_user (part, &row);
    }
}

static GPtrArray *
make (guint n_parts,
      guint first,
      guint n_steps)
{
  KymoProfileBuilder *builder = kymo_profile_builder_new (N_LOCATIONS);
  g_autofree KymoProfilePart **parts = g_new (KymoProfilePart *, n_parts);

  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  kymo_profile_builder_add_metric (builder, "PAPI_FP_OPS", "", 0);
  for (guint i = 0; i < n_parts; i++)
    parts[i] = kymo_profile_builder_add_part (builder);
  for (guint step = 0; step < n_steps; step++)
    for (guint i = 0; i < N_LOCATIONS; i++)
      {
        guint l = (i * 5 + first) % N_LOCATIONS;

        fill (parts[l % n_parts], l, step);
      }
  return kymo_profile_builder_finish (builder, n_parts);
}

static void
check_location (const KymoProfileData *data,
                guint                  l,
                guint                  step)
{
  guint found = 0;

  for (guint64 r = data->first[l]; r < data->first[l + 1]; r++, found++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent,
                                                      data->event[r]);
      guint i = g_ascii_strtoull (event->name + 1, NULL, 10);

      g_assert_true (has (l, i));
      g_assert_true (r == data->first[l] || data->event[r - 1] < data->event[r]);
      g_assert_cmpfloat (data->calls[r], ==, figure (l, i, 7));
      g_assert_cmpfloat (data->subroutines[r], ==, figure (l, i, 8));
      for (guint k = 0; k < 4; k++)
        g_assert_cmpfloat (data->values[r * 4 + k], ==, figure (l, i, k) + step);
    }
  for (guint i = 0; i < N_NAMES; i++)
    found -= has (l, i);
  g_assert_cmpuint (found, ==, 0);
  g_assert_cmpuint (data->user_first[l + 1] - data->user_first[l], ==, l % 4);
  for (guint64 r = data->user_first[l]; r < data->user_first[l + 1]; r++)
    {
      const KymoUserEventRow *row = &data->user_rows[r];
      guint u = g_ascii_strtoull ((char *) data->user_names->pdata[row->event] + 1, NULL, 10);

      g_assert_cmpfloat (row->n, ==, l + 1);
      g_assert_cmpfloat (row->mean, ==, 2 + (u + 5 - l % 5) % 5);
      g_assert_true (r == data->user_first[l] || row[-1].event < row->event);
    }
}

static void
test_places (void)
{
  g_autoptr (GPtrArray) one = make (1, 0, 3);

  g_assert_cmpuint (one->len, ==, 3);
  for (guint n = 1; n <= 4; n++)
    {
      g_autoptr (GPtrArray) steps = make (n, n * 3, 3);

      g_assert_cmpuint (steps->len, ==, 3);
      for (guint s = 0; s < 3; s++)
        {
          KymoProfileData *data = steps->pdata[s], *first = one->pdata[s];

          for (guint l = 0; l < N_LOCATIONS; l++)
            check_location (data, l, s);
          g_assert_cmpuint (data->events->len, ==, N_NAMES);
          for (guint i = 0; i < N_NAMES; i++)
            {
              const KymoProfileEvent *a = &g_array_index (data->events, KymoProfileEvent, i);
              const KymoProfileEvent *b = &g_array_index (first->events, KymoProfileEvent, i);
              guint number = g_ascii_strtoull (a->name + 1, NULL, 10);

              g_assert_cmpstr (a->name, ==, b->name);
              g_assert_cmpstr (a->groups, ==, number % 3 == 0 ? "A" : "A|B");
            }
          for (guint i = 0; i < data->user_names->len; i++)
            g_assert_cmpstr (data->user_names->pdata[i], ==, first->user_names->pdata[i]);
        }
    }
}

static void
test_twice (void)
{
  KymoProfileBuilder *builder = kymo_profile_builder_new (2);
  g_autoptr (GPtrArray) steps = NULL;
  KymoProfilePart *part;
  KymoProfileData *data;

  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  part = kymo_profile_builder_add_part (builder);
  kymo_profile_part_begin (part, 1, 0);
  for (guint i = 0; i < 2; i++)
    {
      KymoUserEventRow row = { kymo_profile_part_user_event (part, "u", 1), 1 + i, 5 + i, 3 - i,
                               4 + 3 * i, 10 };

      kymo_profile_part_add (part, add_event (part, "f", "", 0), 0, 1, 2, 3, 4);
      kymo_profile_part_add_user (part, &row);
    }
  add_event (part, "never", "", 0);
  steps = kymo_profile_builder_finish (builder, 1);
  data = steps->pdata[0];
  g_assert_cmpuint (data->events->len, ==, 2);
  g_assert_cmpuint (data->first[1], ==, 0);
  g_assert_cmpuint (data->first[2], ==, 1);
  g_assert_cmpfloat (data->calls[0], ==, 2);
  g_assert_cmpfloat (data->values[1], ==, 8);
  g_assert_cmpfloat (data->user_rows[0].n, ==, 3);
  g_assert_cmpfloat (data->user_rows[0].mean, ==, 6);
  g_assert_cmpfloat (data->user_rows[0].min, ==, 2);
  g_assert_cmpfloat (data->user_rows[0].max, ==, 6);
}

static const KymoProfileEvent *
find (const KymoProfileData *data,
      const char            *name,
      gboolean               path)
{
  for (guint i = 0; i < data->events->len; i++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent, i);

      if (g_str_equal (event->name, name) && path == ((event->flags & KYMO_PROFILE_PATH) != 0))
        return event;
    }
  g_assert_not_reached ();
}

static char *
dup_parts (const KymoProfileData  *data,
           const KymoProfileEvent *event)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < event->n_parts; i++)
    {
      guint32 part = g_array_index (data->parts, guint32, event->first_part + i);

      g_string_append_printf (text, "[%s]",
                              g_array_index (data->events, KymoProfileEvent, part).name);
    }
  return g_string_free (text, FALSE);
}

static void
check_path (const KymoProfileData *data,
            const char            *name,
            const char            *parts,
            const char            *shown,
            const char            *parent,
            gboolean               cut)
{
  const KymoProfileEvent *event = find (data, name, TRUE);
  g_autofree char *found = dup_parts (data, event);

  g_assert_cmpstr (found, ==, parts);
  g_assert_cmpstr (event->shown, ==, shown);
  g_assert_cmpint ((event->flags & KYMO_PROFILE_CUT) != 0, ==, cut);
  if (parent == NULL)
    g_assert_cmpuint (event->parent, ==, KYMO_NO_EVENT);
  else
    g_assert_cmpstr (g_array_index (data->events, KymoProfileEvent, event->parent).name, ==,
                     parent);
}

static void
test_paths (void)
{
  static const char *const flat[] = { "main", "f<a => b>", "MPI_Init()  ", "main => odd" };
  static const char *const paths[] = {
    "main => MPI_Init()  ", "main => MPI_Init()   => sync  ", "main => f<a => b> => g",
    "main => f<a => b>", "g => g", "MPI_Init()   => sync  ", "x => main", "x => y => z => w",
  };
  KymoProfileBuilder *builder = kymo_profile_builder_new (1);
  g_autoptr (GPtrArray) steps = NULL;
  KymoProfilePart *part;
  KymoProfileData *data;

  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  part = kymo_profile_builder_add_part (builder);
  kymo_profile_part_begin (part, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    kymo_profile_part_add (part, add_event (part, paths[i], "G", KYMO_PROFILE_PATH), 0,
                           1, 0, i, i);
  for (guint i = 0; i < G_N_ELEMENTS (flat); i++)
    kymo_profile_part_add (part, add_event (part, flat[i], "G", 0), 0, 1, 0, 100 + i, i);
  steps = kymo_profile_builder_finish (builder, 1);
  data = steps->pdata[0];
  check_path (data, paths[0], "[main][MPI_Init()  ]", "MPI_Init()", "main", TRUE);
  check_path (data, paths[1], "[main][MPI_Init()  ][sync  ]", "sync", paths[0], TRUE);
  check_path (data, paths[2], "[main][f<a => b>][g]", "g", paths[3], TRUE);
  check_path (data, paths[3], "[main][f<a => b>]", "f<a => b>", "main", TRUE);
  check_path (data, paths[4], "[g][g]", "g", "g", TRUE);
  check_path (data, paths[6], "[x][main]", "main", "x", FALSE);
  check_path (data, paths[7], "[x][y][z][w]", "w", NULL, FALSE);
  g_assert_cmpuint (find (data, "sync  ", FALSE)->n_parts, ==, 1);
  g_assert_cmpuint (data->events->len, ==, 4 + 8 + 6);
  for (guint i = 0; i < data->events->len; i++)
    g_assert_cmpint ((g_array_index (data->events, KymoProfileEvent, i).flags
                      & KYMO_PROFILE_PATH) != 0, ==, i >= 10);
  g_assert_cmpuint (data->first[1], ==, 12);
  for (guint64 r = 0; r < 12; r++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent,
                                                      data->event[r]);
      double i = data->values[r * 2];

      g_assert_cmpstr (event->name, ==, i >= 100 ? flat[(guint) i - 100] : paths[(guint) i]);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile-data/places", test_places);
  g_test_add_func ("/profile-data/twice", test_twice);
  g_test_add_func ("/profile-data/paths", test_paths);
  return g_test_run ();
}
