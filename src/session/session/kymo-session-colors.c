/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-session-colors.h.
 */
#include "config.h"

#include "kymo-session-colors.h"
#include "kymo-session-private.h"

/**
 * kymo_session_peek_palette:
 *
 * Returns: (transfer none): the palette of the run, shared by sessions beside each other; never
 *   %NULL. "colors-changed" is emitted if it is another one.
 */
KymoPalette *
kymo_session_peek_palette (KymoSession *self)
{
  return kymo_session_of_names (self)->palette;
}

/** kymo_session_use_palette: in place of what was chosen before */
void
kymo_session_use_palette (KymoSession *self, KymoPalette *palette)
{
  KymoPaletteKind before;

  self = kymo_session_of_names (self);
  if (kymo_palette_equal (self->palette, palette))
    return;
  before = kymo_palette_get_base (self->palette);
  kymo_palette_ref (palette);
  kymo_palette_unref (self->palette);
  self->palette = palette;
  kymo_session_rebuild_colors (self);
  if (kymo_palette_get_base (palette) != before)
    kymo_session_notify (self, PROP_PALETTE);
}

/**
 * kymo_session_set_palette:
 * @kind: a #KymoPaletteKind
 *
 * Sets one of the two sets of hues, with no colours chosen.
 */
void
kymo_session_set_palette (KymoSession *self, guint kind)
{
  g_autoptr (KymoPalette) palette = kymo_palette_new (kind);

  kymo_session_use_palette (self, palette);
}

/**
 * kymo_session_choose_color:
 * @of: whether @text is a name, a pattern or a group
 * @text: what the colour is for
 * @rgb: 0xRRGGBB
 *
 * Chooses a colour, in place of a colour that was chosen before.
 */
void
kymo_session_choose_color (KymoSession *self, KymoColorOf of,
                           const char *text, guint32 rgb)
{
  g_autoptr (KymoPalette) palette
    = kymo_palette_choose (kymo_session_peek_palette (self), of, text, rgb);

  kymo_session_use_palette (self, palette);
}

/**
 * kymo_session_reset_color:
 * @of: whether @text is a name, a pattern or a group
 * @text: what the colour was for
 *
 * Takes back a chosen colour: the names have the colour that they had without it.
 */
void
kymo_session_reset_color (KymoSession *self, KymoColorOf of, const char *text)
{
  g_autoptr (KymoPalette) palette
    = kymo_palette_reset (kymo_session_peek_palette (self), of, text);

  kymo_session_use_palette (self, palette);
}

/**
 * kymo_session_get_color_by:
 *
 * Returns: what the colours of activities stand for, shared by sessions beside each other
 */
KymoColorBy
kymo_session_get_color_by (KymoSession *self)
{
  return kymo_session_of_names (self)->color_by;
}

/**
 * kymo_session_tells_communicators:
 *
 * Returns: whether timelines tell calls on different communicators apart
 */
gboolean
kymo_session_tells_communicators (KymoSession *self)
{
  return kymo_session_get_color_by (self) == KYMO_COLOR_BY_COMMUNICATOR
         && kymo_session_can_color_by (self, KYMO_COLOR_BY_COMMUNICATOR);
}

/**
 * kymo_session_set_color_by:
 *
 * Chooses what the colours of activities stand for. "colors-changed" is emitted, and where
 * timelines have to be asked for anew "filter-changed".
 */
void
kymo_session_set_color_by (KymoSession *self, KymoColorBy by)
{
  KymoColorBy before;

  self = kymo_session_of_names (self);
  if (self->color_by == by)
    return;
  before = self->color_by;
  self->color_by = by;
  kymo_session_rebuild_colors (self);
  if (before == KYMO_COLOR_BY_COMMUNICATOR || by == KYMO_COLOR_BY_COMMUNICATOR)
    kymo_session_emit (self, FILTER_CHANGED);
}

/**
 * kymo_session_can_color_by:
 *
 * Returns: %FALSE if the run, as far as its names are known, has nothing to tell apart: no groups,
 *   no function that does not compute, or no communicators
 */
gboolean
kymo_session_can_color_by (KymoSession *self, KymoColorBy by)
{
  GHashTable *of;

  if (by == KYMO_COLOR_BY_COMMUNICATOR)
    return (kymo_source_get_capabilities (kymo_session_peek_source (self))
            & KYMO_CAN_COMMUNICATORS) != 0;
  self = kymo_session_of_names (self);
  of = by == KYMO_COLOR_BY_ROLE ? self->families : self->groups;
  return by == KYMO_COLOR_BY_NAME || (of != NULL && g_hash_table_size (of) > 0);
}

/**
 * kymo_session_peek_group:
 * @name: (nullable): an activity
 *
 * Returns: (transfer none) (nullable): its group, as far as names are known
 */
const char *
kymo_session_peek_group (KymoSession *self, const char *name)
{
  self = kymo_session_of_names (self);
  return self->groups != NULL && name != NULL
         ? g_hash_table_lookup (self->groups, name) : NULL;
}
