/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this folder share.
 */
#pragma once

#include "kymo-plot.h"

G_BEGIN_DECLS

const char *kymo_export_title      (const KymoPlotClass *klass,
                                    const KymoPlotFrame *frame);
GByteArray *kymo_export_finish_svg (GByteArray          *svg,
                                    const KymoPlotClass *klass,
                                    const KymoTable     *answer,
                                    const KymoPlotFrame *frame);

G_END_DECLS
