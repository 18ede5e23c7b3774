/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two sets of colours that names get, and how a colour that a person chose looks on a
 * canvas.
 *
 * Both were found by a search for the largest least distance, with hues that stay from canvas
 * to canvas. The standard set has two luminances on each canvas, about a tenth of the lightness
 * apart (L* 42 and 53 on the light one), so that each colour has a contrast of 3 to 1 to ink and
 * to the hatch of paper (WCAG 2.1, 1.4.11), with high contrast 4.5 to 1 to paper. Any two lie 10
 * or more apart in CIELAB (ΔE76, D65), with high contrast 8. The first eight lie 10 or more apart
 * also as people with protan and deutan vision see them (Machado, Oliveira and Fernandes: A
 * physiologically-based model for simulation of color vision deficiency, 2009, severity 1).
 * The colour-blind-safe set needs lightness, too. Its distances count for full, protan, deutan
 * and tritan vision; its first ten lie furthest apart.
 *
 * Families of functions that do not compute are greyer: six shades each, of two luminances, with
 * the contrasts of the standard set.
 */
#include "config.h"

#include "kymo-hues.h"

#include <math.h>

#define N_STANDARD 104
#define N_SAFE 36
/* Number of hues of the safe set that a person can choose. */
#define N_SAFE_OFFERED 10

/* 0xRRGGBB by canvas, in the order of KymoLook */
static const guint32 standard_set[N_STANDARD][KYMO_N_LOOKS] = {
  { 0xad2b97, 0xf774dc, 0xa11b8b, 0xf975dd }, { 0x0a7167, 0x00b9a9, 0x04655c, 0x05baaa },
  { 0x9363ed, 0xa071fc, 0x8351da, 0xc2acfd }, { 0xe6443a, 0xf55347, 0xd22f28, 0xfe9f93 },
  { 0xc01a5e, 0xfe7a9f, 0xb10754, 0xfd7ca1 }, { 0x437004, 0x70b704, 0x3b6504, 0x71b808 },
  { 0x109244, 0x05a24a, 0x008039, 0x26d368 }, { 0x943aba, 0xd682fe, 0x892dae, 0xd684fd },
  { 0x8d5901, 0xe49310, 0x7f5006, 0xe59413 }, { 0x0b69a2, 0x38acfd, 0x005e94, 0x39adfe },
  { 0x878054, 0x958d5c, 0x767048, 0xc4b97a }, { 0xad6995, 0xbc76a2, 0x9c5984, 0xdea9c9 },
  { 0xb96961, 0xc7766e, 0xa75852, 0xdeaca7 }, { 0x6c6705, 0xb1a810, 0x615c0a, 0xb2a912 },
  { 0x5d8a53, 0x66985b, 0x517948, 0x91c686 }, { 0x578693, 0x6293a2, 0x4c7581, 0x82c2d4 },
  { 0x5b7ada, 0x6988e2, 0x4b69c7, 0xa3b8ec }, { 0xb261b4, 0xc06ec2, 0xa050a3, 0xec9ded },
  { 0xc96206, 0xdc6d0c, 0xb05606, 0xfda36a }, { 0x835c40, 0xd5986c, 0x75523a, 0xd6996d },
  { 0x765696, 0xb599d4, 0x6c4c8b, 0xb69bd4 }, { 0x0e89af, 0x0598c1, 0x097899, 0x16c7fb },
  { 0xb13e07, 0xff8154, 0xa13603, 0xfd8358 }, { 0x9f790a, 0xb08607, 0x8c6a04, 0xe6b006 },
  { 0x2c9204, 0x30a100, 0x288009, 0x63d049 }, { 0xc4193d, 0xfd7e85, 0xb50534, 0xfe7f86 },
  { 0xdd438b, 0xed5298, 0xc92e7a, 0xfd9bc0 }, { 0x974c66, 0xd791a6, 0x8c425b, 0xd793a7 },
  { 0x7a8600, 0x869400, 0x6a7507, 0xb1c20c }, { 0x518d3b, 0x5a9c41, 0x467b32, 0x82ca68 },
  { 0xb72380, 0xfd75c1, 0xaa0f75, 0xfe76c2 }, { 0x864ba7, 0xc78fe9, 0x7b409b, 0xc790e8 },
  { 0xa53e79, 0xea84ba, 0x99336e, 0xeb85bb }, { 0xaa7439, 0xb98043, 0x946532, 0xedab65 },
  { 0x0f9073, 0x079e7f, 0x0b7e65, 0x18d0a8 }, { 0x466c5d, 0x74b199, 0x3e6153, 0x75b29a },
  { 0x83823b, 0x919041, 0x737231, 0xbfbd58 }, { 0x0183d8, 0x0890ed, 0x0172be, 0x7abefe },
  { 0xce5c43, 0xdd6a50, 0xbb4b32, 0xeda797 }, { 0x188d8e, 0x0e9c9d, 0x027c7d, 0x09cdcf },
  { 0x5959ba, 0x9a9fe8, 0x504eaf, 0x9aa0e9 }, { 0x006f7a, 0x0bb6c6, 0x0d646c, 0x0fb7c7 },
  { 0x626841, 0xa0aa6d, 0x575d39, 0xa1ab6e }, { 0x628b0a, 0x6c9a0f, 0x557a0a, 0x8eca05 },
  { 0x0b7425, 0x28bd48, 0x076920, 0x2abe49 }, { 0x066c92, 0x04b1ed, 0x0d6182, 0x09b2ee },
  { 0xb86d07, 0xcb7808, 0xa15f0c, 0xfda445 }, { 0x9e6da9, 0xac7ab7, 0x8d5d98, 0xd3aadd },
  { 0xe34070, 0xf3507c, 0xcf2b60, 0xff9cae }, { 0x977b3b, 0xa78841, 0x856c32, 0xdbb357 },
  { 0x5075f8, 0x5f84fe, 0x4163e5, 0x9cb7fd }, { 0xdb5302, 0xef5d0d, 0xbf4908, 0xfda17e },
  { 0x5950d7, 0x979cfd, 0x5044cb, 0x989dfe }, { 0x8774b9, 0x9481c7, 0x7764a7, 0xbdb3dc },
  { 0x5d6a2d, 0x99ae4f, 0x535f26, 0x9aaf50 }, { 0x588a68, 0x619873, 0x4c785b, 0x81c798 },
  { 0xbe5ca1, 0xcd69af, 0xac4b90, 0xeea0d4 }, { 0x7c600a, 0xcb9f10, 0x715602, 0xcca012 },
  { 0x866fd4, 0x937de1, 0x765ec2, 0xbbb1ee }, { 0xaf3c48, 0xe98a8d, 0xa1323f, 0xea8b8e },
  { 0x005fd0, 0x6aa6ff, 0x0056bb, 0x6da7fd }, { 0x598882, 0x61968f, 0x4d7671, 0x83c4bc },
  { 0x9b4d4f, 0xd69493, 0x8e4345, 0xd79594 }, { 0xd248a8, 0xe157b6, 0xbf3597, 0xfd97d8 },
  { 0x8d8010, 0x9c8d0f, 0x7b7009, 0xccba14 }, { 0x03925b, 0x04a064, 0x0c7f4f, 0x16d286 },
  { 0x3d85ba, 0x4592cc, 0x3674a2, 0x85beed }, { 0x077254, 0x07bb8a, 0x00674a, 0x0cbc8b },
  { 0x7f5f2d, 0xcf9c4e, 0x725529, 0xd09d4f }, { 0x9c5002, 0xfc8500, 0x8c4803, 0xfd8604 },
  { 0x8f572c, 0xe8904c, 0x804e27, 0xe9914d }, { 0x637ebe, 0x718bc8, 0x536dac, 0xa8b8dc },
  { 0x3f8e61, 0x469c6b, 0x377c54, 0x61cd8f }, { 0xc7598b, 0xd66798, 0xb4487b, 0xeea2c1 },
  { 0x0d8c9f, 0x1a99ae, 0x0d7a8b, 0x1fcae4 }, { 0x6e652b, 0xb4a650, 0x635b28, 0xb6a74d },
  { 0x8a5082, 0xd090c6, 0x7f4678, 0xd191c7 }, { 0xb7677c, 0xc57489, 0xa4576c, 0xdfabb6 },
  { 0x486e2c, 0x79b54d, 0x406327, 0x79b64e }, { 0x326b7f, 0x56b0d0, 0x2b6073, 0x57b1d1 },
  { 0x2e65ac, 0x77a7e8, 0x275a9c, 0x79a8e7 }, { 0x987a54, 0xa8865d, 0x856a48, 0xdcb17b },
  { 0x428c7a, 0x479a87, 0x397a6b, 0x61cab2 }, { 0x466a6d, 0x73afb3, 0x3e6062, 0x74b0b4 },
  { 0x7f43ca, 0xba90ff, 0x7537be, 0xba92fd }, { 0x5b6b08, 0x96b012, 0x516000, 0x97b115 },
  { 0x5684a4, 0x5f92b5, 0x4c738f, 0x92bedd }, { 0x0b733f, 0x0bbd6a, 0x006837, 0x0fbe6b },
  { 0x736242, 0xbca26e, 0x67583a, 0xbda36f }, { 0x6d883c, 0x77963f, 0x5e7731, 0x9ec556 },
  { 0xc51e1c, 0xfd8072, 0xb7020c, 0xfe8173 }, { 0x5d5da0, 0x9ea1d3, 0x535394, 0x9fa2d4 },
  { 0x426790, 0x82a8d3, 0x3a5c82, 0x83a9d4 }, { 0x728654, 0x7e945b, 0x637547, 0xa6c27a },
  { 0xab3c63, 0xea87a4, 0x9e3259, 0xeb88a5 }, { 0xab7153, 0xbc7d5d, 0x966348, 0xdeae96 },
  { 0xb655d3, 0xc463e1, 0xa543c0, 0xe79cfe }, { 0xa232a8, 0xeb79ef, 0x97249c, 0xec7af0 },
  { 0xbd693a, 0xcf7442, 0xa65b32, 0xeda986 }, { 0x446e4a, 0x73b37c, 0x3d6242, 0x74b47d },
  { 0xcd5873, 0xdc6680, 0xba4763, 0xefa4b1 }, { 0x994390, 0xe185d5, 0x8e3884, 0xe286d6 },
  { 0x9f67c6, 0xad74d5, 0x8f56b4, 0xd0aaed }, { 0xa7462c, 0xea8c73, 0x963f27, 0xeb8d74 },
};

static const guint32 safe_set[N_SAFE][KYMO_N_LOOKS] = {
  { 0x7d8358, 0x81a833, 0x283600, 0xceec3a }, { 0x127691, 0x9df2fe, 0x0e7788, 0xaeeefe },
  { 0x2a5301, 0xb5f024, 0x4f6c4c, 0x76e37a }, { 0x4f4997, 0x7684ed, 0x7462b9, 0xaba7fe },
  { 0xcf1ec1, 0xc592cb, 0x870f86, 0xd596ca }, { 0x6f611a, 0xc3c153, 0x806f14, 0xfdf5bb },
  { 0x7a4047, 0xb2807f, 0x683d3b, 0xf78c8d }, { 0xc36616, 0xffd2a4, 0x7e4d00, 0xfbd0b6 },
  { 0x9c4f69, 0xfca7b9, 0x5e1b3d, 0xfbafca }, { 0x7d57fe, 0xbabffd, 0x4614df, 0xb8cafe },
  { 0x515122, 0xd7d965, 0x45461e, 0xe2e569 }, { 0xc650b2, 0xd55ec0, 0xb43ea0, 0xea82d5 },
  { 0x598686, 0x619494, 0x4c7675, 0x74b1b0 }, { 0x3d421a, 0xe4f36f, 0x333715, 0xebfb72 },
  { 0x753a69, 0xeac9e2, 0x65325b, 0xefd8e9 }, { 0x2a4534, 0xc4f5d4, 0x23392b, 0xdbf8e4 },
  { 0x3e8f44, 0x449d4b, 0x357d3a, 0x54bb5b }, { 0x43663b, 0x8bcc7c, 0x3b5a34, 0x99dc8a },
  { 0x64722f, 0x96ab4c, 0x5a672a, 0xacc45a }, { 0x3864d8, 0x81a1e7, 0x2d58cd, 0xa2baee },
  { 0x864582, 0xe0abda, 0x773d73, 0xe6c0e2 }, { 0x624cff, 0x9499fd, 0x593ef1, 0xaeb4fe },
  { 0xbf5f87, 0xcc6d95, 0xa85277, 0xd793ad }, { 0xac5231, 0xe98867, 0x9c492a, 0xedaa93 },
  { 0x1e4828, 0xb5fac3, 0x173c21, 0xd1fcd9 }, { 0x7d66fd, 0x8879fd, 0x714bff, 0xa19bfd },
  { 0x5f2d55, 0xf4e6f0, 0x502548, 0xf8eff5 }, { 0x92473c, 0xe0b1a8, 0x823e34, 0xe7c4bd },
  { 0xa05088, 0xd58abc, 0x90487a, 0xdfabcc }, { 0xeb1d9d, 0xfb35ab, 0xd2098b, 0xfe78be },
  { 0x40645f, 0x84c8bf, 0x385854, 0x8fd9cf }, { 0x4b7559, 0x71af87, 0x436a50, 0x83c99c },
  { 0x065b33, 0x18f18e, 0x064f2b, 0x0efe95 }, { 0x812b7c, 0xf3c5ee, 0x70246c, 0xf7d4f2 },
  { 0xa144b5, 0xd582e8, 0x9537a9, 0xe0a6ed }, { 0xd2076f, 0xfe73a4, 0xbf0364, 0xfe9dbc },
};

static const guint32 blue_greys[KYMO_N_SHADES][KYMO_N_LOOKS] = {
  { 0x456c7b, 0x6d95a5, 0x3b6271, 0x84acbd },
  { 0x196a69, 0x5ea8a6, 0x005d5c, 0x76bfbe },
  { 0x6e7ba8, 0x9ba8d8, 0x5f6b97, 0xafbded },
  { 0x4984a1, 0x81bad9, 0x36728f, 0x94cdec },
  { 0x384e68, 0x798eac, 0x2e445e, 0x93a8c7 },
  { 0x426161, 0x7e9f9e, 0x365555, 0x95b7b6 },
  { 0x667b98, 0x9cb2d0, 0x556b86, 0xafc5e4 },
  { 0x1d6f7e, 0x62abbb, 0x006170, 0x79c2d2 },
  { 0x707e8b, 0x9dacb9, 0x616f7b, 0xb1c0cd },
  { 0x336485, 0x73a0c4, 0x245777, 0x8bb8dd },
  { 0x477b7e, 0x7fb4b7, 0x376b6f, 0x93c8cc },
  { 0x5b6874, 0x82919d, 0x515e6a, 0x9aa8b5 },
  { 0x5b8292, 0x87b0c1, 0x4c7282, 0x9bc5d6 },
  { 0x51466b, 0x9386af, 0x473d61, 0xaea0ca },
  { 0x7d768a, 0xb4adc2, 0x6c6679, 0xc7c0d5 },
  { 0x7f7498, 0xb7aad1, 0x6f6387, 0xcabde5 },
  { 0x5d556e, 0x9b92ae, 0x514962, 0xb4aac7 },
  { 0x596590, 0x808dbb, 0x4f5b85, 0x97a5d4 },
};

static const guint32 browns[KYMO_N_SHADES][KYMO_N_LOOKS] = {
  { 0x815f44, 0xac886b, 0x77553a, 0xc49f82 },
  { 0x7d804b, 0xb4b67e, 0x6c6f3b, 0xc7c990 },
  { 0x8b7973, 0xc1afa8, 0x796863, 0xd4c1bb },
  { 0x676947, 0x90916e, 0x5d5f3d, 0xa7a985 },
  { 0x854d3a, 0xc98a74, 0x77422f, 0xe2a18b },
  { 0x8b7b57, 0xc2b18a, 0x796a47, 0xd5c39c },
  { 0x6e5349, 0xaf9085, 0x62473e, 0xc8a89d },
  { 0x555926, 0x959861, 0x494e1c, 0xaeb078 },
  { 0x7d6a39, 0xb9a46f, 0x6d5c2c, 0xcfb983 },
  { 0xa67055, 0xe0a588, 0x935f45, 0xf4b899 },
  { 0x76562d, 0xb99266, 0x694a22, 0xd2a97d },
  { 0x5c4e29, 0x9f8d65, 0x51441f, 0xb9a77d },
  { 0x9a7468, 0xd2aa9c, 0x876457, 0xe5bcae },
  { 0x867b65, 0xb4a991, 0x776c56, 0xc9bda5 },
  { 0x706550, 0x998e77, 0x665b46, 0xb1a58e },
  { 0x997659, 0xc8a385, 0x88664a, 0xddb799 },
  { 0x744b3d, 0xb88979, 0x684133, 0xd2a291 },
  { 0x7d7f5c, 0xabac88, 0x6e6f4d, 0xbfc19c },
};

static const guint32 mauves[KYMO_N_SHADES][KYMO_N_LOOKS] = {
  { 0x6b627e, 0x948aa8, 0x615874, 0xaca2c0 },
  { 0x977286, 0xc69fb4, 0x876276, 0xdcb3c9 },
  { 0x7c72a9, 0xb4a8e2, 0x6b6297, 0xc7bbf6 },
  { 0x6f555b, 0xaf9298, 0x63494f, 0xc7a9af },
  { 0x8c4659, 0xd08396, 0x7e3a4d, 0xe99aae },
  { 0x775181, 0xb68dc0, 0x6a4574, 0xcea4d8 },
  { 0x4d4672, 0x9086b7, 0x433d68, 0xaaa0d2 },
  { 0x6d3e4a, 0xb37f8b, 0x623541, 0xce98a4 },
  { 0x9f6389, 0xda9ac2, 0x8e5379, 0xefadd6 },
  { 0x713a5a, 0xb77a9c, 0x663050, 0xd394b6 },
  { 0x92729a, 0xc9a7d1, 0x806188, 0xdcbae4 },
  { 0x847984, 0xb1a6b2, 0x746a74, 0xc6bbc6 },
  { 0x5d4264, 0xa182a8, 0x53395a, 0xbb9cc2 },
  { 0x6d636d, 0x968c96, 0x635963, 0xaea3ae },
  { 0x827895, 0xafa5c4, 0x726985, 0xc3b9d9 },
  { 0x935d6a, 0xd096a3, 0x834e5c, 0xe7abb8 },
  { 0x7e5577, 0xbd90b4, 0x704869, 0xd5a7cb },
  { 0x805c70, 0xaa8499, 0x755266, 0xc39bb1 },
};

const char *const kymo_look_words[KYMO_N_LOOKS + 1] = {
  [KYMO_LOOK_LIGHT] = "light",
  [KYMO_LOOK_DARK] = "dark",
  [KYMO_LOOK_LIGHT_CONTRAST] = "light-contrast",
  [KYMO_LOOK_DARK_CONTRAST] = "dark-contrast",
};

/**
 * kymo_linear_to_gamma:
 * @linear: light of red, green or blue, 0 to 1
 *
 * Returns: the number that stands for it in sRGB (IEC 61966-2-1), 0 to 1
 */
double
kymo_linear_to_gamma (double linear)
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
  rgba->red = CLAMP (kymo_linear_to_gamma (red), 0, 1);
  rgba->green = CLAMP (kymo_linear_to_gamma (green), 0, 1);
  rgba->blue = CLAMP (kymo_linear_to_gamma (blue), 0, 1);
  rgba->alpha = 1;
  return MIN (MIN (red, green), blue) >= -0.0005
         && MAX (MAX (red, green), blue) <= 1.0005;
}

/**
 * kymo_gamma_to_linear:
 * @value: red, green or blue of a colour of sRGB, 0 to 1
 *
 * Returns: its light, 0 to 1
 */
double
kymo_gamma_to_linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

/**
 * kymo_rgba_luminance:
 *
 * Returns: the relative luminance of the colour by WCAG 2, 0 (black) to 1 (white)
 */
double
kymo_rgba_luminance (KymoRgba c)
{
  return 0.2126 * kymo_gamma_to_linear (c.red) + 0.7152 * kymo_gamma_to_linear (c.green)
         + 0.0722 * kymo_gamma_to_linear (c.blue);
}

static KymoRgba
of_rgb (guint32 rgb)
{
  return (KymoRgba) { (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                      (rgb & 255) / 255.0, 1 };
}

/**
 * kymo_hues_count:
 *
 * Returns: how many colours the set has
 */
guint
kymo_hues_count (KymoPaletteKind base)
{
  return base == KYMO_PALETTE_SAFE ? N_SAFE : N_STANDARD;
}

/**
 * kymo_hue:
 * @slot: below kymo_hues_count()
 *
 * Any thread.
 *
 * Returns: the opaque colour of that place of the set on that canvas
 */
KymoRgba
kymo_hue (KymoPaletteKind base, guint slot, KymoLook look)
{
  return of_rgb (base == KYMO_PALETTE_SAFE ? safe_set[slot][look] : standard_set[slot][look]);
}

/**
 * kymo_shade:
 * @family: not %KYMO_FAMILY_COMPUTE
 * @slot: below %KYMO_N_SHADES
 *
 * Any thread.
 *
 * Returns: the opaque colour of that place of the family on that canvas
 */
KymoRgba
kymo_shade (KymoColorFamily family, guint slot, KymoLook look)
{
  return of_rgb (family == KYMO_FAMILY_IO ? browns[slot][look]
                 : family == KYMO_FAMILY_RUNTIME ? mauves[slot][look] : blue_greys[slot][look]);
}

/* -- chosen colours ------------------------------------------------------- */

/* Colours of idle time, overhead and the canvas, as in kymo-theme.c; a test compares the two. */
static const guint32 occupied[KYMO_N_LOOKS][3] = {
  { 0xf4f4f2, 0x18171c, 0xffffff },
  { 0x302f34, 0xe9e9f2, 0x1e1e20 },
  { 0xf4f4f2, 0x000000, 0xffffff },
  { 0x1c1b1f, 0xffffff, 0x000000 },
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
  double red = kymo_gamma_to_linear (c.red), green = kymo_gamma_to_linear (c.green);
  double blue = kymo_gamma_to_linear (c.blue);
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
  double x = kymo_rgba_luminance (a) + 0.05, y = kymo_rgba_luminance (b) + 0.05;

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
  guint n = palette == KYMO_PALETTE_SAFE ? N_SAFE_OFFERED : KYMO_HUES_OFFERED;

  for (guint i = 0; rgb != NULL && i < n; i++)
    rgb[i] = kymo_rgba_to_rgb (kymo_hue (palette, i, KYMO_LOOK_LIGHT));
  return n;
}
