/* kymo-node-ganesha.c: what the NFS server nfs-ganesha, which is a program, counts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of D-Bus that this needs is small: calls without arguments, and answers of booleans,
 * strings and numbers (dbus.freedesktop.org/doc/dbus-specification.html).
 */

#include "kymo-node-ganesha.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_BUS "unix:path=/run/dbus/system_bus_socket"
#define SERVER "org.ganesha.nfsd"
#define FIXED_BYTES 16          /* of each message */
#define CALL_BYTES 512

enum { TYPE_CALL = 1, TYPE_ANSWER = 2, TYPE_ERROR = 3 };
enum { FIELD_PATH = 1, FIELD_INTERFACE, FIELD_MEMBER, FIELD_ERROR, FIELD_REPLY, FIELD_DESTINATION,
       FIELD_SIGNATURE = 8 };
enum { NO_ACTIVATION = 2 };

/* Bytes that are read one value after the other. */
typedef struct
{
  const char *at;
  size_t length, offset;
  bool failed;
} Reader;

typedef struct
{
  uint8_t type;
  uint32_t reply;               /* the serial that it answers */
  char error[128], signature[256];
  const char *body;
  size_t body_length;
} Message;

/* The next @size bytes, which begin at a multiple of @size; NULL if there are none. */
static const char *
read_bytes (Reader *reader, size_t align, size_t size)
{
  size_t begin = (reader->offset + align - 1) & ~(align - 1);

  if (reader->failed || begin > reader->length || size > reader->length - begin)
    {
      reader->failed = true;
      return NULL;
    }
  reader->offset = begin + size;
  return reader->at + begin;
}

static uint32_t
read_u32 (Reader *reader)
{
  const char *bytes = read_bytes (reader, 4, 4);
  uint32_t number = 0;

  if (bytes != NULL)
    memcpy (&number, bytes, sizeof number);
  return number;
}

static uint64_t
read_u64 (Reader *reader)
{
  const char *bytes = read_bytes (reader, 8, 8);
  uint64_t number = 0;

  if (bytes != NULL)
    memcpy (&number, bytes, sizeof number);
  return number;
}

/* A text of @length bytes and its end. */
static KymoNodeWord
read_text (Reader *reader, size_t length)
{
  const char *text = read_bytes (reader, 1, length + 1);

  if (text == NULL || text[length] != '\0')
    {
      reader->failed = true;
      return kymo_node_word ("", 0);
    }
  return kymo_node_word (text, length);
}

static KymoNodeWord
read_string (Reader *reader)
{
  return read_text (reader, read_u32 (reader));
}

static KymoNodeWord
read_signature (Reader *reader)
{
  const char *length = read_bytes (reader, 1, 1);

  return read_text (reader, length != NULL ? (unsigned char) *length : 0);
}

/* What every answer begins with: whether it could be done, a sentence, the time. */
static bool
read_status (Reader *reader)
{
  bool done = read_u32 (reader) == 1;

  read_string (reader);
  read_bytes (reader, 8, 16);
  return done && !reader->failed;
}

/** kymo_node_ganesha_take_io: takes bytes, requests and times of all exports from an answer to
 * GetNFSIO.
 *
 * Returns: false if it is none; @values is then undefined. */
bool
kymo_node_ganesha_take_io (const char *signature, const char *body, size_t length,
                           KymoNodeValues *values)
{
  Reader reader = { body, length, 0, false };
  uint32_t n_bytes;
  size_t end;

  if (strcmp (signature, "bs(tt)a(qs(tttttt)(tttttt))") != 0 || !read_status (&reader))
    return false;
  n_bytes = read_u32 (&reader);
  read_bytes (&reader, 8, 0);
  if (reader.failed || n_bytes > length - reader.offset)
    return false;
  end = reader.offset + n_bytes;
  while (!reader.failed && reader.offset < end)
    {
      read_bytes (&reader, 8, 2);
      read_string (&reader);
      for (unsigned kind = 0; kind < 2; kind++)
        {
          uint64_t numbers[6];  /* bytes wanted, bytes, requests, errors, time, time in queues */

          read_bytes (&reader, 8, 0);
          for (unsigned i = 0; i < 6; i++)
            numbers[i] = read_u64 (&reader);
          values->values[kind] += numbers[1];
          values->values[2 + kind] += numbers[2];
          values->values[4 + kind] += numbers[4];
        }
    }
  values->present |= 0x3f;
  return !reader.failed && reader.offset == end;
}

/** kymo_node_ganesha_take_requests: takes the requests of all versions of NFS from an answer to
 * GetGlobalOPS.
 *
 * Returns: false if it is none; @values is then undefined. */
bool
kymo_node_ganesha_take_requests (const char *signature, const char *body, size_t length,
                                 KymoNodeValues *values)
{
  Reader reader = { body, length, 0, false };

  if (strncmp (signature, "bs(tt)(st", 9) != 0 || !read_status (&reader))
    return false;
  read_bytes (&reader, 8, 0);
  while (!reader.failed && reader.offset < length)
    {
      KymoNodeWord name = read_string (&reader);
      uint64_t n = read_u64 (&reader);

      if (kymo_node_word_begins (name, "NFS"))
        values->values[6] += n;
    }
  values->present |= 0x40;
  return !reader.failed;
}

/* -- messages -------------------------------------------------------------------- */

static void
append_field (KymoNodeText *text, char code, char type, const char *value)
{
  uint32_t length = (uint32_t) strlen (value);

  while (text->length % 8 != 0)
    kymo_node_text_add (text, "", 1);
  kymo_node_text_add (text, (char[]) { code, 1, type, '\0' }, 4);
  kymo_node_text_add (text, (const char *) &length, sizeof length);
  kymo_node_text_add (text, value, length + 1);
}

static bool
send_call (KymoNodeGanesha *ganesha, const char *destination, const char *path,
           const char *interface, const char *member)
{
  char bytes[CALL_BYTES];
  KymoNodeText text;
  uint32_t fields, numbers[3] = { 0, ++ganesha->serial, 0 };
  uint16_t one = 1;

  kymo_node_text_init (&text, bytes, sizeof bytes);
  kymo_node_text_add (&text, (char[]) { *(char *) &one == 1 ? 'l' : 'B', TYPE_CALL,
                                           NO_ACTIVATION, 1 }, 4);
  kymo_node_text_add (&text, (const char *) numbers, sizeof numbers);
  append_field (&text, FIELD_PATH, 'o', path);
  append_field (&text, FIELD_INTERFACE, 's', interface);
  append_field (&text, FIELD_MEMBER, 's', member);
  append_field (&text, FIELD_DESTINATION, 's', destination);
  fields = (uint32_t) (text.length - FIXED_BYTES);
  memcpy (bytes + 12, &fields, sizeof fields);
  while (text.length % 8 != 0)
    kymo_node_text_add (&text, "", 1);
  return send (ganesha->fd, bytes, text.length, MSG_NOSIGNAL) == (ssize_t) text.length;
}

/* One field of the head of a message. */
static void
read_field (Reader *reader, Message *message)
{
  const char *code = read_bytes (reader, 8, 1);
  KymoNodeWord type = read_signature (reader), text;

  if (kymo_node_word_is (type, "u"))
    {
      uint32_t number = read_u32 (reader);

      if (code != NULL && *code == FIELD_REPLY)
        message->reply = number;
      return;
    }
  if (kymo_node_word_is (type, "g"))
    text = read_signature (reader);
  else if (kymo_node_word_is (type, "s") || kymo_node_word_is (type, "o"))
    text = read_string (reader);
  else
    {
      reader->failed = true;
      return;
    }
  if (code != NULL && *code == FIELD_ERROR)
    kymo_node_word_copy (text, message->error, sizeof message->error);
  else if (code != NULL && *code == FIELD_SIGNATURE)
    kymo_node_word_copy (text, message->signature, sizeof message->signature);
}

/* The size of the message that @bytes begin with; 0 if that is not known yet, SIZE_MAX if it is
 * none. */
static size_t
message_size (const char *bytes, size_t n_bytes)
{
  uint16_t one = 1;
  uint32_t body, fields;

  if (n_bytes < FIXED_BYTES)
    return 0;
  memcpy (&body, bytes + 4, sizeof body);
  memcpy (&fields, bytes + 12, sizeof fields);
  if (bytes[0] != (*(char *) &one == 1 ? 'l' : 'B') || body > KYMO_NODE_GANESHA_BYTES
      || fields > KYMO_NODE_GANESHA_BYTES)
    return SIZE_MAX;
  return FIXED_BYTES + ((fields + 7) & ~7u) + body;
}

static bool
parse_message (const char *bytes, size_t size, Message *message)
{
  uint32_t fields;
  Reader reader = { bytes, FIXED_BYTES, FIXED_BYTES, false };

  memset (message, 0, sizeof *message);
  message->type = (uint8_t) bytes[1];
  memcpy (&fields, bytes + 12, sizeof fields);
  reader.length += fields;
  while (!reader.failed && reader.offset < reader.length)
    read_field (&reader, message);
  message->body = bytes + FIXED_BYTES + ((fields + 7) & ~7u);
  message->body_length = size - (size_t) (message->body - bytes);
  return !reader.failed;
}

static int
wait_left_ms (int64_t end_ms)
{
  struct timespec now;
  int64_t left;

  clock_gettime (CLOCK_MONOTONIC, &now);
  left = end_ms - ((int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000);
  return left > 0 ? (int) left : 0;
}

static int64_t
wait_end_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000 + KYMO_NODE_GANESHA_WAIT_MS;
}

/* Reads what comes until @end_ms. Returns: how many bytes; 0 if none came, -1 if none will. */
static ssize_t
receive_more (KymoNodeGanesha *ganesha, int64_t end_ms)
{
  struct pollfd poller = { .fd = ganesha->fd, .events = POLLIN };
  ssize_t n;

  if (ganesha->n_bytes == sizeof ganesha->bytes)
    return -1;
  if (poll (&poller, 1, wait_left_ms (end_ms)) <= 0)
    return 0;
  n = read (ganesha->fd, ganesha->bytes + ganesha->n_bytes,
            sizeof ganesha->bytes - ganesha->n_bytes);
  if (n <= 0)
    return -1;
  ganesha->n_bytes += (size_t) n;
  return n;
}

static void
drop_bytes (KymoNodeGanesha *ganesha, size_t size)
{
  ganesha->n_bytes -= size;
  memmove (ganesha->bytes, ganesha->bytes + size, ganesha->n_bytes);
}

/* Waits for the answer to the last call; all else that the bus tells is left out.
 * Returns: the size of the message at the begin of the bytes; 0 if none came in time, SIZE_MAX if
 * none will. */
static size_t
await_answer (KymoNodeGanesha *ganesha, Message *message)
{
  int64_t end_ms = wait_end_ms ();

  for (;;)
    {
      size_t size = message_size (ganesha->bytes, ganesha->n_bytes);

      if (size > sizeof ganesha->bytes)
        return SIZE_MAX;
      if (size == 0 || size > ganesha->n_bytes)
        {
          ssize_t n = receive_more (ganesha, end_ms);

          if (n <= 0)
            return n < 0 ? SIZE_MAX : 0;
          continue;
        }
      if (!parse_message (ganesha->bytes, size, message))
        return SIZE_MAX;
      if ((message->type == TYPE_ANSWER || message->type == TYPE_ERROR)
          && message->reply == ganesha->serial)
        return size;
      drop_bytes (ganesha, size);
    }
}

/* -- the bus --------------------------------------------------------------------- */

static int
connect_bus (void)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const char *bus = getenv ("DBUS_SYSTEM_BUS_ADDRESS");
  const char *path = strstr (bus != NULL ? bus : DEFAULT_BUS, "unix:path=");
  size_t length = path != NULL ? strcspn (path + 10, ",;") : 0;
  int fd;

  if (length == 0 || length >= sizeof address.sun_path)
    return -1;
  memcpy (address.sun_path, path + 10, length);
  fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect (fd, (struct sockaddr *) &address, sizeof address) < 0)
    {
      close (fd);
      fd = -1;
    }
  return fd;
}

/* Says who we are, by the number of the user in decimal digits, of which each is written as the
 * number of its character, 30 to 39. */
static bool
enter_bus (KymoNodeGanesha *ganesha)
{
  char user[16], words[80] = "AUTH EXTERNAL ";
  int64_t end_ms = wait_end_ms ();
  size_t size;
  Message message;

  snprintf (user, sizeof user, "%u", (unsigned) geteuid ());
  for (const char *digit = user; *digit != '\0'; digit++)
    strncat (words, (char[]) { '3', *digit }, 2);
  strcat (words, "\r\n");
  if (send (ganesha->fd, "", 1, MSG_NOSIGNAL) != 1
      || send (ganesha->fd, words, strlen (words), MSG_NOSIGNAL) != (ssize_t) strlen (words))
    return false;
  while (memchr (ganesha->bytes, '\n', ganesha->n_bytes) == NULL)
    if (receive_more (ganesha, end_ms) <= 0)
      return false;
  if (ganesha->n_bytes < 3 || memcmp (ganesha->bytes, "OK ", 3) != 0)
    return false;
  ganesha->n_bytes = 0;
  if (send (ganesha->fd, "BEGIN\r\n", 7, MSG_NOSIGNAL) != 7
      || !send_call (ganesha, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                     "org.freedesktop.DBus", "Hello"))
    return false;
  size = await_answer (ganesha, &message);
  if (size == 0 || size == SIZE_MAX || message.type != TYPE_ANSWER)
    return false;
  drop_bytes (ganesha, size);
  return true;
}

/* Why there is no answer: NULL if there is one. */
static const char *
ask_server (KymoNodeGanesha *ganesha, const char *member,
            bool (*take) (const char *signature, const char *body, size_t length,
                          KymoNodeValues *values),
            KymoNodeValues *values)
{
  const char *why = NULL;
  Message message;
  size_t size;

  if (!send_call (ganesha, SERVER, "/org/ganesha/nfsd/ExportMgr", SERVER ".exportstats", member))
    return "the bus ended";
  size = await_answer (ganesha, &message);
  if (size == 0)
    return "";
  if (size == SIZE_MAX)
    return "the bus ended";
  if (message.type == TYPE_ERROR && strstr (message.error, "AccessDenied") != NULL)
    why = "the bus does not let this user ask the server";
  else if (message.type == TYPE_ERROR)
    why = "no nfs-ganesha is on the bus";
  else if (!take (message.signature, message.body, message.body_length, values))
    why = "the server counts nothing, or tells it in a form that is not known";
  drop_bytes (ganesha, size);
  return why;
}

static void
give_up (KymoNodeGanesha *ganesha, KymoNodeSampler *sampler, const char *why)
{
  kymo_node_sampler_lost (sampler, kymo_node_ganesha.id, why);
  kymo_node_ganesha_close (ganesha);
}

/** kymo_node_ganesha_open: finds the server; if there is none, tells the sink of @sampler why.
 * @ganesha is zeroed memory of the caller. */
void
kymo_node_ganesha_open (KymoNodeGanesha *ganesha, KymoNodeSampler *sampler)
{
  KymoNodeValues values = { .present = 0 };
  const char *why;

  ganesha->fd = connect_bus ();
  if (ganesha->fd < 0)
    kymo_node_sampler_lost (sampler, kymo_node_ganesha.id, "this machine has no system bus");
  else if (!enter_bus (ganesha))
    give_up (ganesha, sampler, "the system bus does not answer");
  else if ((why = ask_server (ganesha, "GetNFSIO", kymo_node_ganesha_take_io, &values)) != NULL)
    give_up (ganesha, sampler, why[0] != '\0' ? why : "the server does not answer");
}

/** kymo_node_ganesha_sample: asks the server and tells @sampler what it counted; nothing if there
 * is none. */
void
kymo_node_ganesha_sample (KymoNodeGanesha *ganesha, KymoNodeSampler *sampler)
{
  KymoNodeValues values = { .present = 0 };
  const char *why;

  if (ganesha->fd < 0)
    return;
  why = ask_server (ganesha, "GetNFSIO", kymo_node_ganesha_take_io, &values);
  if (why == NULL)
    why = ask_server (ganesha, "GetGlobalOPS", kymo_node_ganesha_take_requests, &values);
  if (why == NULL)
    kymo_node_sampler_tell (sampler, &kymo_node_ganesha, "nfs server ganesha",
                            kymo_node_word ("ganesha", 7), &values);
  else if (why[0] != '\0')
    give_up (ganesha, sampler, why);
  else if (!ganesha->said_late)
    {
      ganesha->said_late = true;
      kymo_node_sampler_lost (sampler, kymo_node_ganesha.id, "the server answered too late");
    }
}

/** kymo_node_ganesha_close: leaves the bus. */
void
kymo_node_ganesha_close (KymoNodeGanesha *ganesha)
{
  if (ganesha->fd >= 0)
    close (ganesha->fd);
  ganesha->fd = -1;
}
