/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two sets of hues, and how a colour that a person chose looks on a canvas.
 *
 * The twenty hues are points of one lightness in OKLCH; every second one has
 * less chroma, which tells neighbours on the circle apart.
 */
#include "config.h"

#include "kymo-hues.h"

#include <math.h>

#define N_HUES KYMO_HUES_MOST

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
of_rgb (guint32 rgb)
{
  return (KymoRgba) { (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                      (rgb & 255) / 255.0, 1 };
}

static KymoRgba
safe_color (guint index, gboolean dark)
{
  guint32 hex = safe_set[index];
  KymoRgba rgba = of_rgb (hex);
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

static guint
count_slots (KymoPaletteKind base)
{
  return base == KYMO_PALETTE_SAFE ? G_N_ELEMENTS (safe_set) : N_HUES;
}

/** kymo_hue: */
KymoRgba
kymo_hue (KymoPaletteKind base, guint slot, gboolean dark)
{
  return base == KYMO_PALETTE_SAFE ? safe_color (slot, dark) : hue_color (slot, dark);
}

/* -- chosen colours ------------------------------------------------------- */

/* Where idle time, overhead and the canvas lie: see kymo-theme.c, with which
   a test compares them. */
static const guint32 occupied[2][3] = {
  { 0xf4f4f2, 0x37363e, 0xffffff },
  { 0x302f34, 0x050506, 0x1e1e20 },
};

/* Least distance in OKLab: a little less than the dark blue of the safe set has
   from ink. */
#define NEAR 0.14

typedef struct
{
  double l, a, b;
} Lab;

static double
from_gamma (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

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

static gboolean
is_near (Lab lab, gboolean dark)
{
  for (guint i = 0; i < 3; i++)
    {
      Lab other = to_lab (of_rgb (occupied[dark ? 1 : 0][i]));

      if (hypot (hypot (lab.l - other.l, lab.a - other.a), lab.b - other.b) < NEAR)
        return TRUE;
    }
  return FALSE;
}

/** kymo_color_is_near: whether it is too near to paper, ink or canvas */
gboolean
kymo_color_is_near (guint32 rgb, gboolean dark)
{
  return is_near (to_lab (of_rgb (rgb)), dark);
}

/**
 * kymo_color_for_canvas:
 *
 * Hue and, as far as sRGB holds it, chroma stay; the lightness moves towards
 * that of the standard hues, until the colour can be told from paper and ink.
 */
KymoRgba
kymo_color_for_canvas (guint32 rgb, gboolean dark)
{
  Lab lab = to_lab (of_rgb (rgb));
  double goal = dark ? 0.665 : 0.645, step = lab.l < goal ? 0.01 : -0.01;
  double chroma = hypot (lab.a, lab.b), hue = atan2 (lab.b, lab.a);
  KymoRgba rgba = of_rgb (rgb);

  if (!is_near (lab, dark))
    return rgba;
  for (guint i = 0; i < 100 && is_near (lab, dark); i++)
    lab.l += step;
  while (!oklch_to_rgb (lab.l, chroma, hue, &rgba) && chroma > 0.005)
    chroma -= 0.005;
  return rgba;
}

/** kymo_rgba_to_rgb: 0xRRGGBB */
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
    rgb[i] = kymo_rgba_to_rgb (kymo_hue (palette, i, FALSE));
  return n;
}
