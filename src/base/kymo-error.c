/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-error.h"

G_DEFINE_QUARK (kymo-error-quark, kymo_error)
