/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer that is laid out in a frame.
 */
#include "config.h"

#include <string.h>

#include "kymo-plot.h"

/**
 * kymo_picture_new:
 * @klass: which picture it is
 * @answer: an answer to the class's question; it is held
 * @frame: it is copied, what its members point to must outlive the picture
 *
 * Returns: (transfer full): the answer, laid out
 */
KymoPicture *
kymo_picture_new (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoPicture *picture = g_new0 (KymoPicture, 1);

  picture->klass = klass;
  picture->answer = kymo_table_ref ((KymoTable *) answer);
  picture->frame = *frame;
  if (klass->lay_out != NULL)
    picture->layout = klass->lay_out (picture);
  return picture;
}

/**
 * kymo_picture_free:
 * @picture: (nullable) (transfer full): a picture
 */
void
kymo_picture_free (KymoPicture *picture)
{
  if (picture == NULL)
    return;
  if (picture->layout != NULL && picture->klass->layout_free != NULL)
    picture->klass->layout_free (picture->layout);
  kymo_table_unref ((KymoTable *) picture->answer);
  g_free (picture);
}

/**
 * kymo_picture_is_of:
 * @picture: (nullable): a picture
 *
 * Compares pointers, not what they point to: whoever changes what a frame points to, such as the
 * set of hidden names, lays out anew.
 *
 * Returns: whether the picture is of this answer in a frame with the same members
 */
gboolean
kymo_picture_is_of (const KymoPicture *picture, const KymoTable *answer,
                    const KymoPlotFrame *frame)
{
  return picture != NULL && picture->answer == answer
         && memcmp (&picture->frame, frame, sizeof *frame) == 0;
}
