/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contrast of what pictures are made of with what it lies on, in all themes:
 * 4.5 to 1 for text, 3 to 1 for marks (WCAG 2.1, success criteria 1.4.3 and
 * 1.4.11; relative luminance as defined there), and how far colours lie apart as
 * people see them who lack a kind of cones.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-hues.h"
#include "kymo-theme.h"

#define TEXT_LEAST 4.5
#define MARK_LEAST 3.0
#define HEAT_LEAST 1.3
/* High contrast has so many times that. */
#define MORE 1.5
/* In OKLab: of the standard colours that are offered for full vision, and of the colour-blind-safe
   ones for each kind of vision. A difference that is just seen is about 0.02. */
#define HUES_APART 0.027
static const double safe_apart[] = { 0.085, 0.068, 0.068, 0.058 };

static const char *source_root;

static double
linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
luminance (KymoRgba color)
{
  return 0.2126 * linear (color.red) + 0.7152 * linear (color.green)
         + 0.0722 * linear (color.blue);
}

static double
contrast (KymoRgba a, KymoRgba b)
{
  double x = luminance (a), y = luminance (b);

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

static void
assert_least (const char *what, KymoLook look, double least, KymoRgba a,
              KymoRgba b)
{
  double found = contrast (a, b);

  if (found < least)
    g_error ("%s (%s): %.2f to 1", what, kymo_look_words[look], found);
}

static void
test_theme (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    {
      const KymoTheme *theme = kymo_theme_get (look);
      double more = look >= KYMO_LOOK_LIGHT_CONTRAST ? MORE : 1;
      const KymoRgba grounds[] = { theme->canvas, theme->paper };

      assert_least ("accented text", look, TEXT_LEAST * more, theme->accent, theme->canvas);
      for (guint i = 0; i < G_N_ELEMENTS (grounds); i++)
        {
          assert_least ("text", look, TEXT_LEAST * more, theme->foreground, grounds[i]);
          assert_least ("small text", look, TEXT_LEAST * more, theme->secondary, grounds[i]);
          assert_least ("selection", look, MARK_LEAST * more, theme->accent, grounds[i]);
          assert_least ("match", look, MARK_LEAST * more, theme->match, grounds[i]);
          assert_least ("axis", look, MARK_LEAST * more, theme->axis, grounds[i]);
          assert_least ("edge of untraced", look, MARK_LEAST * more, theme->dotted, grounds[i]);
          assert_least ("edge of idle", look, MARK_LEAST * more, theme->paper_edge, grounds[i]);
          assert_least ("overhead", look, MARK_LEAST * more, theme->ink, grounds[i]);
        }
    }
}

/* Cells of a matrix with the least amount are told from those with none. */
static void
test_heat (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    {
      KymoPlotFrame frame = { .look = look };

      assert_least ("heat", look, HEAT_LEAST, kymo_heat_color (&frame, 0),
                    kymo_theme_get (look)->paper);
    }
}

/* -- text of widgets ------------------------------------------------------ */

/* Of libadwaita 1.2, light and dark: the backgrounds that text lies on, and the colour of text. */
static const struct { KymoRgba text; double grounds[3]; double text_alpha; } widgets[] = {
  { { 0, 0, 0, 1 }, { 0xff / 255.0, 0xfa / 255.0, 0xeb / 255.0 }, 0.8 },
  { { 1, 1, 1, 1 }, { 0x1e / 255.0, 0x24 / 255.0, 0x30 / 255.0 }, 1 },
};

static void
check_opacity (const char *what, double opacity)
{
  for (guint w = 0; w < G_N_ELEMENTS (widgets); w++)
    for (guint i = 0; i < G_N_ELEMENTS (widgets[w].grounds); i++)
      {
        double grey = widgets[w].grounds[i];
        KymoRgba ground = { grey, grey, grey, 1 };
        KymoRgba text = kymo_rgba_mix (ground, widgets[w].text, opacity * widgets[w].text_alpha);

        assert_least (what, w, TEXT_LEAST, text, ground);
      }
}

/* Headings of columns, which the theme shows with 0.4 of the colour of text. */
static void
check_headings (const char *what, const char *css)
{
  static const char rule[] = "columnview.view > header > button > box {\n"
                             "  color: alpha(currentColor, ";
  const char *at = strstr (css, rule);

  g_assert_nonnull (at);
  check_opacity (what, g_ascii_strtod (at + strlen (rule), NULL));
}

/* What a style sheet makes pale can be read, and grey text of the theme is made darker. */
static void
test_style (void)
{
  static const char *const files[] = { "style.css", "style-hc.css" };

  for (guint f = 0; f < G_N_ELEMENTS (files); f++)
    {
      g_autofree char *path = g_build_filename (source_root, "data", files[f], NULL);
      g_autofree char *css = NULL;
      guint n = 0;

      g_assert_true (g_file_get_contents (path, &css, NULL, NULL));
      for (const char *at = css; (at = strstr (at, "opacity:")) != NULL; n++)
        {
          at += strlen ("opacity:");
          check_opacity (files[f], g_ascii_strtod (at, NULL));
        }
      g_assert_cmpuint (n, >, 0);
      check_headings (files[f], css);
      g_assert_nonnull (strstr (css, ".dim-label,"));
      g_assert_nonnull (strstr (css, ".subtitle,"));
    }
}

/* A colour of any kind carries a label that reads. */
static void
test_text_on (void)
{
  for (guint32 rgb = 0; rgb < 0x1000000; rgb += 0x030507)
    {
      KymoRgba ground = { (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0, 1 };

      assert_least ("label", FALSE, TEXT_LEAST, kymo_rgba_text_on (ground), ground);
    }
}

/* What lies around a block, on it, and between two of them. */
static void
check_hue (const char *name, KymoLook look, KymoRgba hue)
{
  const KymoTheme *theme = kymo_theme_get (look);
  double least = look >= KYMO_LOOK_LIGHT_CONTRAST ? TEXT_LEAST : MARK_LEAST;

  assert_least (name, look, least, hue, theme->paper);
  assert_least (name, look, least, hue, theme->canvas);
  assert_least (name, look, MARK_LEAST, hue, theme->hatch);
  assert_least ("edge", look, MARK_LEAST, kymo_rgba_edge (hue), hue);
  assert_least ("label", look, TEXT_LEAST, kymo_rgba_text_on (hue), hue);
  /* A marker, the selection and its outline have an edge of canvas. */
  assert_least ("edge of marks", look, MARK_LEAST, hue, theme->canvas);
}

/* Each colour of both sets on each canvas. */
static void
test_hues (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    for (guint palette = 0; palette < 2; palette++)
      for (guint i = kymo_hues_count (palette); i > 0; i--)
        {
          g_autofree char *name = g_strdup_printf ("hue %u of set %u", i - 1, palette);
          KymoRgba hue = kymo_hue (palette, i - 1, look);

          check_hue (name, look, hue);
        }
}

/* Shades of functions that do not compute, as the hues are tested. */
static void
test_shades (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    for (guint family = KYMO_FAMILY_COMMUNICATION; family < KYMO_N_FAMILIES; family++)
      for (guint i = 0; i < KYMO_N_SHADES; i++)
        {
          g_autofree char *name = g_strdup_printf ("shade %u of family %u", i, family);

          check_hue (name, look, kymo_shade (family, i, look));
        }
}

/* What a summary cannot name is grey, and stands out no less. */
static void
test_unknown (void)
{
  g_autoptr (KymoColors) colors = kymo_colors_new (KYMO_PALETTE_STANDARD);

  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    check_hue ("unknown", look, kymo_colors_get (colors, "(entry method unknown)", look));
}

/* A chosen colour stays as it is, but for those who ask for high contrast. */
static void
test_chosen (void)
{
  for (KymoLook look = KYMO_LOOK_LIGHT_CONTRAST; look < KYMO_N_LOOKS; look++)
    for (guint32 rgb = 0; rgb < 0x1000000; rgb += 0x030507)
      assert_least ("chosen", look, MARK_LEAST - 0.02, kymo_color_for_canvas (rgb, look),
                    kymo_theme_get (look)->paper);
}

/* -- kinds of vision ------------------------------------------------------ */

/* Machado, Oliveira and Fernandes: A physiologically-based model for simulation of
   color vision deficiency (2009), severity 1, of linear sRGB: protan, deutan,
   tritan. */
static const double visions[4][9] = {
  { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
  { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216,
    -0.003882, -0.048116, 1.051998 },
  { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413,
    -0.011820, 0.042940, 0.968881 },
  { 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602,
    0.004733, 0.691367, 0.303900 },
};

typedef struct
{
  double l, a, b;
} Lab;

static Lab
see (KymoRgba color, const double *m)
{
  double rgb[] = { linear (color.red), linear (color.green), linear (color.blue) };
  double seen[3], l, c, s;

  for (guint i = 0; i < 3; i++)
    seen[i] = CLAMP (m[3 * i] * rgb[0] + m[3 * i + 1] * rgb[1] + m[3 * i + 2] * rgb[2], 0, 1);
  l = cbrt (0.4122214708 * seen[0] + 0.5363325363 * seen[1] + 0.0514459929 * seen[2]);
  c = cbrt (0.2119034982 * seen[0] + 0.6806995451 * seen[1] + 0.1073969566 * seen[2]);
  s = cbrt (0.0883024619 * seen[0] + 0.2817188376 * seen[1] + 0.6299787005 * seen[2]);
  return (Lab) { 0.2104542553 * l + 0.7936177850 * c - 0.0040720468 * s,
                 1.9779984951 * l - 2.4285922050 * c + 0.4505937099 * s,
                 0.0259040371 * l + 0.7827717662 * c - 0.8086757660 * s };
}

static double
nearest (KymoPaletteKind palette, KymoLook look, const double *vision)
{
  guint n = kymo_colors_list_hues (palette, NULL);
  double least = 9;

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      {
        Lab x = see (kymo_hue (palette, i, look), vision);
        Lab y = see (kymo_hue (palette, j, look), vision);

        least = MIN (least, hypot (hypot (x.l - y.l, x.a - y.a), x.b - y.b));
      }
  return least;
}

static void
test_apart (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    {
      g_assert_cmpfloat (nearest (KYMO_PALETTE_STANDARD, look, visions[0]), >=, HUES_APART);
      for (guint i = 0; i < G_N_ELEMENTS (visions); i++)
        g_assert_cmpfloat (nearest (KYMO_PALETTE_SAFE, look, visions[i]), >=, safe_apart[i]);
    }
}

/* -- red-green blindness -------------------------------------------------- */

/* ΔE76 in CIELAB of the white D65 */
#define FIRST 8
#define FIRST_APART 10
#define SAFE_APART 4
#define INK_APART 20

static double
root_of (double t)
{
  return t > 216 / 24389.0 ? cbrt (t) : t * 841 / 108 + 4 / 29.0;
}

static Lab
see_cielab (KymoRgba color, const double *m)
{
  double rgb[] = { linear (color.red), linear (color.green), linear (color.blue) };
  double seen[3], x, y, z;

  for (guint i = 0; i < 3; i++)
    seen[i] = CLAMP (m[3 * i] * rgb[0] + m[3 * i + 1] * rgb[1] + m[3 * i + 2] * rgb[2], 0, 1);
  x = root_of ((0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) / 0.95047);
  y = root_of (0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2]);
  z = root_of ((0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) / 1.08883);
  return (Lab) { 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

static double
distance_as_seen (KymoRgba a, KymoRgba b, const double *vision)
{
  Lab x = see_cielab (a, vision), y = see_cielab (b, vision);

  return hypot (hypot (x.l - y.l, x.a - y.a), x.b - y.b);
}

/* Colours of the standard set and shades of roles differ from the ink of overhead in each kind of
   vision. Where paper is dark both are light, and lightness alone does not tell them apart. */
static void
test_ink (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    for (guint i = 0; i < G_N_ELEMENTS (visions); i++)
      {
        KymoRgba ink = kymo_theme_get (look)->ink;
        double least = G_MAXDOUBLE;

        for (guint k = 0; k < kymo_hues_count (KYMO_PALETTE_STANDARD); k++)
          least = MIN (least, distance_as_seen (kymo_hue (KYMO_PALETTE_STANDARD, k, look), ink,
                                                visions[i]));
        for (guint k = 0; k < KYMO_N_SHADES * (KYMO_N_FAMILIES - 1); k++)
          least = MIN (least, distance_as_seen (kymo_shade (1 + k / KYMO_N_SHADES,
                                                            k % KYMO_N_SHADES, look),
                                                ink, visions[i]));
        g_test_message ("%s, vision %u: %.1f", kymo_look_words[look], i, least);
        g_assert_cmpfloat (least, >=, INK_APART);
      }
}

static double
least_apart (KymoPaletteKind palette, guint n, KymoLook look, const double *vision)
{
  double least = 1000;

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      {
        Lab x = see_cielab (kymo_hue (palette, i, look), vision);
        Lab y = see_cielab (kymo_hue (palette, j, look), vision);

        least = MIN (least, hypot (hypot (x.l - y.l, x.a - y.a), x.b - y.b));
      }
  return least;
}

/* The first eight of the standard set, in full, protan and deutan vision. */
static void
test_first (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    for (guint vision = 0; vision < 3; vision++)
      g_assert_cmpfloat (least_apart (KYMO_PALETTE_STANDARD, FIRST, look, visions[vision]), >=,
                         FIRST_APART);
}

/* All of the colour-blind-safe set, in any kind of vision. */
static void
test_safe (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    for (guint vision = 0; vision < G_N_ELEMENTS (visions); vision++)
      g_assert_cmpfloat (least_apart (KYMO_PALETTE_SAFE, kymo_hues_count (KYMO_PALETTE_SAFE),
                                      look, visions[vision]), >=, SAFE_APART);
}

/* The colours of one canvas are of one band of lightness (L*), so that none looks heavier. */
static void
test_band (void)
{
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    {
      double least = 100, most = 0;

      for (guint i = 0; i < kymo_hues_count (KYMO_PALETTE_STANDARD); i++)
        {
          Lab lab = see_cielab (kymo_hue (KYMO_PALETTE_STANDARD, i, look), visions[0]);

          least = MIN (least, lab.l);
          most = MAX (most, lab.l);
        }
      g_assert_cmpfloat (most - least, <, 11.5);
    }
}

/* A name that is blue on one canvas is not red on another. */
static void
test_same_hue (void)
{
  for (guint palette = 0; palette < 2; palette++)
    for (guint i = kymo_hues_count (palette); i > 0; i--)
      {
        Lab light = see (kymo_hue (palette, i - 1, KYMO_LOOK_LIGHT), visions[0]);

        for (KymoLook look = 1; look < KYMO_N_LOOKS; look++)
          {
            Lab other = see (kymo_hue (palette, i - 1, look), visions[0]);
            double turn = fabs (atan2 (light.b, light.a) - atan2 (other.b, other.a));

            g_assert_cmpfloat (MIN (turn, 2 * G_PI - turn), <, 0.45);
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  source_root = argv[1];
  g_test_add_func ("/contrast/theme", test_theme);
  g_test_add_func ("/contrast/heat", test_heat);
  g_test_add_func ("/contrast/style", test_style);
  g_test_add_func ("/contrast/text-on", test_text_on);
  g_test_add_func ("/contrast/hues", test_hues);
  g_test_add_func ("/contrast/ink", test_ink);
  g_test_add_func ("/contrast/shades", test_shades);
  g_test_add_func ("/contrast/unknown", test_unknown);
  g_test_add_func ("/contrast/chosen", test_chosen);
  g_test_add_func ("/contrast/apart", test_apart);
  g_test_add_func ("/contrast/first", test_first);
  g_test_add_func ("/contrast/safe", test_safe);
  g_test_add_func ("/contrast/band", test_band);
  g_test_add_func ("/contrast/same-hue", test_same_hue);
  return g_test_run ();
}
