/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-place.h"

#include <string.h>

/** kymo_place_is_far: Returns: whether a place is an address of another machine */
gboolean
kymo_place_is_far (const char *place)
{
  return g_str_has_prefix (place, KYMO_PLACE_SCHEME);
}

/**
 * kymo_place_dup_full:
 *
 * Returns: (transfer full): an absolute path without needless parts; an address as it is
 */
char *
kymo_place_dup_full (const char *place)
{
  return kymo_place_is_far (place) ? g_strdup (place) : g_canonicalize_filename (place, NULL);
}

/**
 * kymo_place_to_uri:
 * @place: an absolute path or an address, of any bytes
 *
 * Returns: (transfer full) (nullable): a URI in ASCII, for a file or the clipboard
 */
char *
kymo_place_to_uri (const char *place)
{
  const char *rest = place + strlen (KYMO_PLACE_SCHEME);
  g_autofree char *escaped = NULL;

  if (!kymo_place_is_far (place))
    return g_filename_to_uri (place, NULL, NULL);
  escaped = g_uri_escape_bytes ((const guint8 *) rest, strlen (rest), "/:@[]~");
  return g_strconcat (KYMO_PLACE_SCHEME, escaped, NULL);
}

/**
 * kymo_place_from_uri:
 * @uri: of kymo_place_to_uri(), or any
 *
 * Returns: (transfer full) (nullable): the path or the address; %NULL where @uri is neither
 */
char *
kymo_place_from_uri (const char *uri)
{
  g_autofree char *rest = NULL;

  if (!kymo_place_is_far (uri))
    return g_filename_from_uri (uri, NULL, NULL);
  rest = g_uri_unescape_string (uri + strlen (KYMO_PLACE_SCHEME), NULL);
  return rest != NULL ? g_strconcat (KYMO_PLACE_SCHEME, rest, NULL) : NULL;
}
