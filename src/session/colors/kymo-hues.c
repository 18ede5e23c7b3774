/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two sets of hues, and how a colour that a person chose looks on a canvas.
 *
 * The twenty hues are points of one luminance in OKLCH, so that each has the
 * same contrast to paper, ink and labels; every second one has less chroma, which
 * tells neighbours on the circle apart. The colour-blind-safe set needs lightness,
 * too: it was found by a search for the largest least distance in OKLab as people
 * with full, protan, deutan and tritan vision see its colours (Machado, Oliveira
 * and Fernandes, 2009), with hues that stay from canvas to canvas. Either has a
 * contrast to paper and its hatch of at least 3 to 1 (WCAG 2.1, 1.4.11), with
 * high contrast 4.5 to 1 to paper.
 */
#include "config.h"

#include "kymo-hues.h"

#include <math.h>

#define N_HUES KYMO_HUES_MOST
#define N_SAFE 10

/* Relative luminance (WCAG 2.1) of the twenty hues on each canvas. */
static const double luminance_of[KYMO_N_LOOKS] = { 0.212, 0.262, 0.15, 0.45 };

static const guint32 safe_set[KYMO_N_LOOKS][N_SAFE] = {
  { 0x7d8358, 0x127691, 0x2a5301, 0x4f4997, 0xcf1ec1,
    0x6f611a, 0x7a4047, 0xc36616, 0x9c4f69, 0x7d57fe },
  { 0x81a833, 0x9df2fe, 0xb5f024, 0x7684ed, 0xc592cb,
    0xc3c153, 0xb2807f, 0xffd2a4, 0xfca7b9, 0xbabffd },
  { 0x283600, 0x0e7788, 0x4f6c4c, 0x7462b9, 0x870f86,
    0x806f14, 0x683d3b, 0x7e4d00, 0x5e1b3d, 0x4614df },
  { 0xceec3a, 0xaeeefe, 0x76e37a, 0xaba7fe, 0xd596ca,
    0xfdf5bb, 0xf78c8d, 0xfbd0b6, 0xfbafca, 0xb8cafe },
};

const char *const kymo_look_words[KYMO_N_LOOKS + 1] = {
  [KYMO_LOOK_LIGHT] = "light",
  [KYMO_LOOK_DARK] = "dark",
  [KYMO_LOOK_LIGHT_CONTRAST] = "light-contrast",
  [KYMO_LOOK_DARK_CONTRAST] = "dark-contrast",
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

static double
from_gamma (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
luminance_hues (KymoRgba c)
{
  return 0.2126 * from_gamma (c.red) + 0.7152 * from_gamma (c.green)
         + 0.0722 * from_gamma (c.blue);
}

/* Finds the colour of that luminance, chroma and hue; FALSE where sRGB has none. */
static gboolean
of_luminance (double goal, double chroma, double hue, KymoRgba *rgba)
{
  double low = 0, high = 1;
  gboolean inside = FALSE;

  for (guint i = 0; i < 20; i++)
    {
      double middle = (low + high) / 2;

      inside = oklch_to_rgb (middle, chroma, hue, rgba);
      if (luminance_hues (*rgba) < goal)
        low = middle;
      else
        high = middle;
    }
  return inside;
}

static void
make_hues (KymoRgba *hues)
{
  for (guint look = 0; look < KYMO_N_LOOKS; look++)
    for (guint i = 0; i < N_HUES; i++)
      {
        double hue = (i * 360.0 / N_HUES + 20) * G_PI / 180;
        double chroma = i % 2 == 0 ? 0.185 : 0.12;
        KymoRgba *rgba = &hues[look * N_HUES + i];

        while (!of_luminance (luminance_of[look], chroma, hue, rgba) && chroma > 0.02)
          chroma -= 0.005;
      }
}

static KymoRgba
hue_color (guint index, KymoLook look)
{
  static KymoRgba hues[KYMO_N_LOOKS * N_HUES];
  static gsize made = 0;

  if (g_once_init_enter (&made))
    {
      make_hues (hues);
      g_once_init_leave (&made, 1);
    }
  return hues[look * N_HUES + index];
}

static KymoRgba
of_rgb (guint32 rgb)
{
  return (KymoRgba) { (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                      (rgb & 255) / 255.0, 1 };
}

static guint
count_slots (KymoPaletteKind base)
{
  return base == KYMO_PALETTE_SAFE ? N_SAFE : N_HUES;
}

/**
 * kymo_hue:
 * @slot: below the number of hues that kymo_colors_list_hues() tells for @base
 *
 * The first call for the standard set makes the hues of all canvases. Any thread.
 *
 * Returns: the opaque colour of the hue on that canvas
 */
KymoRgba
kymo_hue (KymoPaletteKind base, guint slot, KymoLook look)
{
  return base == KYMO_PALETTE_SAFE ? of_rgb (safe_set[look][slot])
                                   : hue_color (slot, look);
}

/* -- chosen colours ------------------------------------------------------- */

/* Colours of idle time, overhead and the canvas, as in kymo-theme.c; a test compares the two. */
static const guint32 occupied[KYMO_N_LOOKS][3] = {
  { 0xf4f4f2, 0x33323a, 0xffffff },
  { 0x302f34, 0x050506, 0x1e1e20 },
  { 0xf4f4f2, 0x000000, 0xffffff },
  { 0x1c1b1f, 0x000000, 0x000000 },
};

/* Least distance in OKLab: a little less than the darkest of the safe set have
   from ink. */
#define NEAR 0.14
/* Least contrast to paper of what was chosen, with high contrast. */
#define CONTRAST_LEAST 3

typedef struct
{
  double l, a, b;
} Lab;

/* Björn Ottosson: A perceptual color space for image processing (2020). */
static Lab
to_lab (KymoRgba c)
{
  double red = from_gamma (c.red), green = from_gamma (c.green);
  double blue = from_gamma (c.blue);
  double l = cbrt (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  double m = cbrt (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  double s = cbrt (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);

  return (Lab) { 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s };
}

/**
 * kymo_rgba_contrast:
 *
 * Returns: the contrast ratio of two colours, from 1 to 21 (WCAG 2.1, "contrast ratio")
 */
double
kymo_rgba_contrast (KymoRgba a, KymoRgba b)
{
  double x = luminance_hues (a) + 0.05, y = luminance_hues (b) + 0.05;

  return MAX (x, y) / MIN (x, y);
}

static gboolean
is_near (KymoRgba color, KymoLook look)
{
  Lab lab = to_lab (color);

  for (guint i = 0; i < 3; i++)
    {
      Lab other = to_lab (of_rgb (occupied[look][i]));

      if (hypot (hypot (lab.l - other.l, lab.a - other.a), lab.b - other.b) < NEAR)
        return TRUE;
    }
  return look >= KYMO_LOOK_LIGHT_CONTRAST
         && kymo_rgba_contrast (color, of_rgb (occupied[look][0])) < CONTRAST_LEAST;
}

/**
 * kymo_color_is_near:
 * @rgb: a chosen colour, 0xRRGGBB
 *
 * Returns: whether it is too near to paper, ink or canvas to be told from them
 */
gboolean
kymo_color_is_near (guint32 rgb, KymoLook look)
{
  return is_near (of_rgb (rgb), look);
}

/**
 * kymo_color_for_canvas:
 * @rgb: a chosen colour, 0xRRGGBB
 *
 * Makes a colour lighter or darker if it would be too near to the paper of idle time or the
 * ink of overhead; with high contrast also if its contrast to paper is too low. Hue and, as
 * far as sRGB holds it, chroma stay; the lightness moves towards that of the standard hues.
 *
 * Returns: how the colour looks on a canvas
 */
KymoRgba
kymo_color_for_canvas (guint32 rgb, KymoLook look)
{
  static const double goals[KYMO_N_LOOKS] = { 0.6, 0.64, 0.53, 0.77 };
  KymoRgba rgba = of_rgb (rgb);
  Lab lab = to_lab (rgba);
  double step = lab.l < goals[look] ? 0.01 : -0.01;
  double most = hypot (lab.a, lab.b), hue = atan2 (lab.b, lab.a);

  for (guint i = 0; i < 100 && kymo_color_is_near (kymo_rgba_to_rgb (rgba), look); i++)
    {
      double chroma = most;

      lab.l += step;
      while (!oklch_to_rgb (lab.l, chroma, hue, &rgba) && chroma > 0.005)
        chroma -= 0.005;
    }
  return rgba;
}

/**
 * kymo_rgba_to_rgb:
 *
 * Returns: red, green and blue as 0xRRGGBB; the opacity is lost
 */
guint32
kymo_rgba_to_rgb (KymoRgba c)
{
  return (guint32) lround (CLAMP (c.red, 0, 1) * 255) << 16
         | (guint32) lround (CLAMP (c.green, 0, 1) * 255) << 8
         | (guint32) lround (CLAMP (c.blue, 0, 1) * 255);
}

/**
 * kymo_colors_list_hues:
 * @rgb: (nullable): where they go, as they are on the light canvas
 *
 * Returns: how many they are, 20 at most
 */
guint
kymo_colors_list_hues (KymoPaletteKind palette, guint32 *rgb)
{
  guint n = count_slots (palette);

  for (guint i = 0; rgb != NULL && i < n; i++)
    rgb[i] = kymo_rgba_to_rgb (kymo_hue (palette, i, KYMO_LOOK_LIGHT));
  return n;
}
