/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded run to put questions to, for tests of pictures.
 */
#pragma once

#include "kymo-source.h"

KymoSource *opened_source (const char *path);
