/* kymo-libc-hidden.h: functions of the C library that no header declares
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compilers call the checked ones (_FORTIFY_SOURCE), old programs the others.
 */

#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>

struct stat;
struct stat64;

int __open (const char *path, int flags, ...);
int __open64 (const char *path, int flags, ...);
int __open_2 (const char *path, int flags);
int __open64_2 (const char *path, int flags);
int __openat_2 (int folder, const char *path, int flags);
int __openat64_2 (int folder, const char *path, int flags);
int __close (int fd);
int __dup2 (int fd, int to);
ssize_t __read (int fd, void *data, size_t size);
ssize_t __write (int fd, const void *data, size_t size);
ssize_t __pread64 (int fd, void *data, size_t size, off64_t offset);
ssize_t __pwrite64 (int fd, const void *data, size_t size, off64_t offset);
off_t __lseek (int fd, off_t offset, int whence);
ssize_t __read_chk (int fd, void *data, size_t size, size_t room);
ssize_t __pread_chk (int fd, void *data, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk (int fd, void *data, size_t size, off64_t offset, size_t room);
int __xstat (int version, const char *path, struct stat *status);
int __xstat64 (int version, const char *path, struct stat64 *status);
int __lxstat (int version, const char *path, struct stat *status);
int __lxstat64 (int version, const char *path, struct stat64 *status);
int __fxstat (int version, int fd, struct stat *status);
int __fxstat64 (int version, int fd, struct stat64 *status);
int __fxstatat (int version, int folder, const char *path, struct stat *status, int flags);
int __fxstatat64 (int version, int folder, const char *path, struct stat64 *status, int flags);
size_t __fread_chk (void *data, size_t room, size_t size, size_t n, FILE *stream);
size_t __fread_unlocked_chk (void *data, size_t room, size_t size, size_t n, FILE *stream);
char *__fgets_chk (char *data, size_t room, int size, FILE *stream);
char *__fgets_unlocked_chk (char *data, size_t room, int size, FILE *stream);
int _IO_getc (FILE *stream);
int _IO_putc (int c, FILE *stream);
ssize_t __getdelim (char **line, size_t *size, int end, FILE *stream);
int __printf_chk (int flag, const char *format, ...);
int __fprintf_chk (FILE *stream, int flag, const char *format, ...);
int __vprintf_chk (int flag, const char *format, va_list list);
int __vfprintf_chk (FILE *stream, int flag, const char *format, va_list list);
int __dprintf_chk (int fd, int flag, const char *format, ...);
int __vdprintf_chk (int fd, int flag, const char *format, va_list list);
/* The functions called scanf, fscanf and so on: the headers give these names to those of C99. */
int kymo_old_scanf (const char *format, ...) __asm__ ("scanf");
int kymo_old_fscanf (FILE *stream, const char *format, ...) __asm__ ("fscanf");
int kymo_old_vscanf (const char *format, va_list list) __asm__ ("vscanf");
int kymo_old_vfscanf (FILE *stream, const char *format, va_list list) __asm__ ("vfscanf");
int __isoc99_scanf (const char *format, ...);
int __isoc99_fscanf (FILE *stream, const char *format, ...);
int __isoc99_vscanf (const char *format, va_list list);
int __isoc99_vfscanf (FILE *stream, const char *format, va_list list);
