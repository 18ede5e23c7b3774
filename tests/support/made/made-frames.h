/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames to paint made answers of profiles in.
 */
#pragma once

#include "kymo-plot.h"

KymoPlotFrame made_frame (double width,
                          double height);
