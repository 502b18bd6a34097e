// SPDX-License-Identifier: MIT
// Functions that libc has, but that none of its headers declares.
#ifndef REHEARSE_LIBC_UNDECLARED_H
#define REHEARSE_LIBC_UNDECLARED_H

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>

// Names that calls have under _FORTIFY_SOURCE; `room` is what the compiler knows of the buffer's
// size.
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);
ssize_t __read_chk(int file, void *buffer, size_t size, size_t room);
ssize_t __pread_chk(int file, void *buffer, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk(int file, void *buffer, size_t size, off64_t offset, size_t room);
ssize_t __recv_chk(int file, void *buffer, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int file, void *buffer, size_t size, size_t room, int flags,
                       __SOCKADDR_ARG address, socklen_t *length);
ssize_t __readlink_chk(const char *path, char *buffer, size_t size, size_t room);
ssize_t __readlinkat_chk(int directory, const char *path, char *buffer, size_t size, size_t room);
char *__getcwd_chk(char *buffer, size_t size, size_t room);
int __gethostname_chk(char *buffer, size_t size, size_t room);
int __getgroups_chk(int count, gid_t groups[], size_t room);
int __poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t room);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                const sigset_t *mask, size_t room);
size_t __fread_chk(void *buffer, size_t room, size_t size, size_t count, FILE *file);
size_t __fread_unlocked_chk(void *buffer, size_t room, size_t size, size_t count, FILE *file);
char *__fgets_chk(char *buffer, size_t room, int size, FILE *file);
char *__fgets_unlocked_chk(char *buffer, size_t room, int size, FILE *file);
int __dprintf_chk(int file, int flag, const char *format, ...);
int __vdprintf_chk(int file, int flag, const char *format, va_list arguments);
void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments);
void __syslog_chk(int priority, int flag, const char *format, ...);

// Names that scanf and strtol have, by the C standard that the program is compiled for.
int __isoc99_scanf(const char *format, ...);
int __isoc99_fscanf(FILE *file, const char *format, ...);
int __isoc99_sscanf(const char *text, const char *format, ...);
int __isoc99_vscanf(const char *format, va_list arguments);
int __isoc99_vfscanf(FILE *file, const char *format, va_list arguments);
int __isoc23_scanf(const char *format, ...);
int __isoc23_fscanf(FILE *file, const char *format, ...);
int __isoc23_sscanf(const char *text, const char *format, ...);
long __isoc23_strtol(const char *text, char **end, int base);
long long __isoc23_strtoll(const char *text, char **end, int base);
unsigned long __isoc23_strtoul(const char *text, char **end, int base);
unsigned long long __isoc23_strtoull(const char *text, char **end, int base);

// Called by programs that were compiled with an older libc.
int __xstat(int version, const char *path, struct stat *result);
int __lxstat(int version, const char *path, struct stat *result);
int __fxstat(int version, int file, struct stat *result);

void _IO_doallocbuf(FILE *file);
char *re_comp(const char *pattern);
int re_exec(const char *text);
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int __cxa_at_quick_exit(void (*function)(void *), void *library);
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void *library);

#endif
