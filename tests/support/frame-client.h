/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A client of any version: a test writes and reads messages itself, and asserts that the server
 * says what it should. The server is a process of its own, with a home folder of the test.
 */
#pragma once

#include "kymo-frame-reader.h"
#include "kymo-frame-words.h"
#include "scratch.h"

G_BEGIN_DECLS

/**
 * Client: of a server of its own
 * @line: the end of a socket whose other end is the server's input and output
 * @run: that open_run() opened
 */
typedef struct
{
  GSubprocess     *process;
  int              line;
  KymoFrameReader *reader;
  GVariant        *welcome;
  guint32          run;
} Client;

/** client_root: the root of the sources; client_server: the command that starts a server */
extern const char *client_root, *client_server;
extern Scratch client_home;

GVariant  *client_body    (const char *key, GVariant *value);
void       client_send    (Client *client, GByteArray *bytes);
void       client_say     (Client *client, guint type, guint64 id, GVariant *body);
KymoFrame *client_hear    (Client *client);
void       client_wait    (Client *client);
void       client_refused (Client *client, guint64 id, const char *words);
void       client_open    (Client *client, const char *name);
void       client_start   (Client *client);
void       client_up      (Client *client, guint32 alive_s);
void       client_down    (Client *client);
GVariant  *client_ask     (Client *client, KymoQuestion *question);

G_END_DECLS
