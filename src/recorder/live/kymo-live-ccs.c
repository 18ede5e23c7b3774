/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-ccs.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "kymo-live-socket.h"
#include "kymo-rec-sys.h"

#define HEADER_BYTES 40
#define SEAL_BYTES 32
#define LOGIN_BYTES 8
#define REQUEST_NS 10000000000u         /* for a request, and for the answer to be read */

/**
 * kymo_live_ccs_init: makes a server without clients.
 * @store: what it answers from
 * @keys: (nullable): a request must be signed with one of these
 * @fd: a socket that listens and does not block; the server closes it
 */
void
kymo_live_ccs_init (KymoLiveCcs   *ccs,
                    KymoLiveStore *store,
                    KymoLiveKeys  *keys,
                    int            fd)
{
  memset (ccs, 0, sizeof *ccs);
  ccs->store = store;
  ccs->keys = keys;
  ccs->fd = fd;
  for (unsigned i = 0; i < KYMO_LIVE_MOST_CLIENTS; i++)
    ccs->clients[i].fd = -1;
}

static void
close_client (KymoLiveClient *client)
{
  if (client->fd >= 0)
    kymo_sys_close (client->fd);
  if (client->out != NULL)
    kymo_sys_unmap (client->out, client->out_room);
  client->fd = -1;
  client->out = NULL;
  client->n_in = client->n_out = client->out_at = 0;
}

/**
 * kymo_live_ccs_clear: closes all connections and the port.
 */
void
kymo_live_ccs_clear (KymoLiveCcs *ccs)
{
  for (unsigned i = 0; i < KYMO_LIVE_MOST_CLIENTS; i++)
    close_client (&ccs->clients[i]);
  if (ccs->fd >= 0)
    kymo_sys_close (ccs->fd);
  ccs->fd = -1;
}

/* Room for an answer. */
static bool
make_answer (KymoLiveClient *client,
             size_t          n_bytes)
{
  if (client->out != NULL)
    kymo_sys_unmap (client->out, client->out_room);
  client->out_room = n_bytes > 0 ? n_bytes : 1;
  client->out = kymo_sys_map (client->out_room, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  client->n_out = client->out_at = 0;
  return client->out != NULL;
}

static void
put (KymoLiveClient *client,
     const void     *bytes,
     size_t          n_bytes)
{
  if (n_bytes > 0)
    memcpy (client->out + client->n_out, bytes, n_bytes);
  client->n_out += n_bytes;
}

/* Answers a request; `header` is its 40 bytes, `hash` (or NULL) stands before the answer. FALSE if
 * the request makes no sense. */
static bool
answer_request (KymoLiveCcs    *ccs,
                KymoLiveClient *client,
                const uint8_t  *header,
                const uint8_t  *hash,
                uint64_t        now_ns)
{
  static KymoLiveAnswer answer;
  char handler[33];
  int32_t destination = (int32_t) kymo_live_get_32 (header + 4);
  size_t n_list = destination < -1 ? 4 * (size_t) -(int64_t) destination : 0;
  uint8_t length[4];

  if (destination >= 0 && (uint32_t) destination >= ccs->store->n_processes)
    return false;
  memcpy (handler, header + 8, 32);
  handler[32] = '\0';
  const uint8_t *data = header + HEADER_BYTES + n_list;
  size_t n_data = kymo_live_get_32 (header);
  ccs->asked_ns = now_ns;
  kymo_live_store_answer (ccs->store, handler, data, n_data, &answer);
  size_t n_bytes = answer.n_head + answer.n_bytes;
  if (!make_answer (client, KYMO_LIVE_HASH_BYTES + 4 + n_bytes))
    return false;
  if (hash != NULL)
    put (client, hash, KYMO_LIVE_HASH_BYTES);
  kymo_live_put_32 (length, (uint32_t) n_bytes);
  put (client, length, 4);
  put (client, answer.head, answer.n_head);
  put (client, answer.bytes, answer.n_bytes);
  client->state = KYMO_LIVE_ANSWERING;
  return true;
}

/* What is done with the bytes of a client so far. */
typedef enum { WAIT, DONE, REFUSE } Verdict;

/* A header at `at`, and what belongs to it. */
static Verdict
check_header (const KymoLiveClient *client,
              size_t                at)
{
  if (client->n_in < at + HEADER_BYTES)
    return WAIT;
  const uint8_t *header = client->in + at;
  uint64_t n_data = kymo_live_get_32 (header);
  int64_t destination = (int32_t) kymo_live_get_32 (header + 4);
  uint64_t n_list = destination < -1 ? 4 * (uint64_t) -destination : 0;
  uint64_t whole = at + HEADER_BYTES + n_list + n_data;
  if (whole > KYMO_LIVE_MOST_REQUEST)
    return REFUSE;
  return client->n_in >= whole ? DONE : WAIT;
}

static Verdict
take_plain (KymoLiveCcs    *ccs,
            KymoLiveClient *client,
            uint64_t        now_ns)
{
  if (ccs->keys != NULL)
    return REFUSE;
  Verdict verdict = check_header (client, 0);
  if (verdict != DONE)
    return verdict;
  return answer_request (ccs, client, client->in, NULL, now_ns) ? DONE : REFUSE;
}

static Verdict
take_signed (KymoLiveCcs    *ccs,
             KymoLiveClient *client,
             uint64_t        now_ns)
{
  uint8_t hash[KYMO_LIVE_HASH_BYTES];

  if (client->n_in < SEAL_BYTES)
    return WAIT;
  Verdict verdict = check_header (client, SEAL_BYTES);
  if (verdict != DONE)
    return verdict;
  if (!kymo_live_keys_call (ccs->keys, client->in, client->in + SEAL_BYTES, hash))
    return REFUSE;
  return answer_request (ccs, client, client->in + SEAL_BYTES, hash, now_ns) ? DONE : REFUSE;
}

/* The client is to sign a number. */
static Verdict
challenge_client (KymoLiveClient *client)
{
  uint8_t bytes[4];

  if (client->n_in < LOGIN_BYTES)
    return WAIT;
  kymo_live_random (&client->challenge, sizeof client->challenge);
  kymo_live_put_32 (bytes, client->challenge);
  if (!make_answer (client, sizeof bytes))
    return REFUSE;
  put (client, bytes, sizeof bytes);
  client->state = KYMO_LIVE_CHALLENGED;
  return WAIT;
}

static Verdict
take_signature (KymoLiveCcs    *ccs,
                KymoLiveClient *client)
{
  uint8_t welcome[KYMO_LIVE_HASH_BYTES + 8];

  if (client->n_in < LOGIN_BYTES + KYMO_LIVE_HASH_BYTES)
    return WAIT;
  if (!kymo_live_keys_login (ccs->keys, client->in[3], client->challenge,
                             client->in + LOGIN_BYTES, kymo_live_get_32 (client->in + 4), welcome)
      || !make_answer (client, sizeof welcome))
    return REFUSE;
  put (client, welcome, sizeof welcome);
  client->state = KYMO_LIVE_ANSWERING;
  return DONE;
}

/* The first byte tells the kind: of a length below 512 MB, or of a signed request. */
static Verdict
take_bytes (KymoLiveCcs    *ccs,
            KymoLiveClient *client,
            uint64_t        now_ns)
{
  const uint8_t *in = client->in;

  if (client->n_in == 0)
    return WAIT;
  if (client->state == KYMO_LIVE_CHALLENGED)
    return take_signature (ccs, client);
  if (in[0] < 0x20)
    return take_plain (ccs, client, now_ns);
  if (in[0] != 0x80 || ccs->keys == NULL)
    return REFUSE;
  if (client->n_in < 4)
    return WAIT;
  if (in[1] != 0 || in[2] > 1)
    return REFUSE;
  return in[2] == 1 ? challenge_client (client) : take_signed (ccs, client, now_ns);
}

static void
refuse_client (KymoLiveCcs    *ccs,
               KymoLiveClient *client)
{
  ccs->n_refused++;
  close_client (client);
}

static void
send_answer (KymoLiveClient *client)
{
  while (client->out_at < client->n_out)
    {
      ssize_t n = send (client->fd, client->out + client->out_at, client->n_out - client->out_at,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        {
          close_client (client);
          return;
        }
      client->out_at += (size_t) n;
    }
  if (client->state == KYMO_LIVE_ANSWERING)
    close_client (client);
}

static void
hear_client (KymoLiveCcs    *ccs,
             KymoLiveClient *client,
             uint64_t        now_ns)
{
  if (client->state != KYMO_LIVE_ANSWERING && client->n_in < KYMO_LIVE_MOST_REQUEST)
    {
      ssize_t n = recv (client->fd, client->in + client->n_in,
                        KYMO_LIVE_MOST_REQUEST - client->n_in, MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        {
          close_client (client);
          return;
        }
      client->n_in += n > 0 ? (size_t) n : 0;
      if (n > 0 && take_bytes (ccs, client, now_ns) == REFUSE)
        {
          refuse_client (ccs, client);
          return;
        }
    }
  if (now_ns - client->since_ns > REQUEST_NS)
    refuse_client (ccs, client);
  else
    send_answer (client);
}

static void
take_clients (KymoLiveCcs *ccs,
              uint64_t     now_ns)
{
  for (unsigned i = 0; ccs->fd >= 0 && i < KYMO_LIVE_MOST_CLIENTS; i++)
    {
      KymoLiveClient *client = &ccs->clients[i];
      if (client->fd >= 0)
        continue;
      client->fd = accept4 (ccs->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (client->fd < 0)
        return;
      client->state = KYMO_LIVE_ASKING;
      client->since_ns = now_ns;
      client->n_in = 0;
      hear_client (ccs, client, now_ns);
    }
}

/**
 * kymo_live_ccs_poll:
 * @fds: (out): KYMO_LIVE_MOST_CLIENTS + 1 entries
 *
 * Returns: how many descriptors there are to wait for
 */
unsigned
kymo_live_ccs_poll (const KymoLiveCcs *ccs,
                    struct pollfd     *fds)
{
  unsigned n = 0, n_clients = 0;

  for (unsigned i = 0; i < KYMO_LIVE_MOST_CLIENTS; i++)
    {
      const KymoLiveClient *client = &ccs->clients[i];
      if (client->fd < 0)
        continue;
      n_clients++;
      short events = client->out_at < client->n_out ? POLLOUT : POLLIN;
      fds[n++] = (struct pollfd) { client->fd, events, 0 };
    }
  if (ccs->fd >= 0 && n_clients < KYMO_LIVE_MOST_CLIENTS)
    fds[n++] = (struct pollfd) { ccs->fd, POLLIN, 0 };
  return n;
}

/**
 * kymo_live_ccs_work: takes what has come and sends what can be sent.
 * @now_ns: a clock that only goes forward
 */
void
kymo_live_ccs_work (KymoLiveCcs *ccs,
                    uint64_t     now_ns)
{
  for (unsigned i = 0; i < KYMO_LIVE_MOST_CLIENTS; i++)
    if (ccs->clients[i].fd >= 0)
      hear_client (ccs, &ccs->clients[i], now_ns);
  take_clients (ccs, now_ns);
}
