// SPDX-License-Identifier: MIT
// The system's databases: users, groups, hosts, services, mounted file systems. libc keeps files, buffers and a place in
// them between calls, so they are served outside of the actor's memory and mark the execution.
#include "libc/real.h"

#include <fstab.h>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pwd.h>
#include <resolv.h>
#include <shadow.h>
#include <stdio.h>
#include <ttyent.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

// The list reads as a table; clang-format would take it for code.
// clang-format off
#define FUNCTIONS(X)                                                                               \
    X(getaddrinfo) X(freeaddrinfo) X(getnameinfo) X(__res_init)                                    \
    X(gethostbyname) X(gethostbyname2) X(gethostbyaddr) X(gethostent) X(sethostent) X(endhostent)  \
    X(getnetbyname) X(getnetbyaddr) X(getnetent) X(setnetent) X(endnetent)                         \
    X(getservbyname) X(getservbyport) X(getservent) X(setservent) X(endservent)                    \
    X(getprotobyname) X(getprotobynumber) X(getprotoent) X(setprotoent) X(endprotoent)             \
    X(getrpcbyname) X(getrpcbynumber) X(getrpcent) X(setrpcent) X(endrpcent)                       \
    X(getpwnam) X(getpwuid) X(getpwnam_r) X(getpwuid_r) X(getpwent) X(setpwent) X(endpwent)        \
    X(getgrnam) X(getgrgid) X(getgrnam_r) X(getgrgid_r) X(getgrent) X(setgrent) X(endgrent)        \
    X(getspnam) X(getspent) X(setspent) X(endspent)                                                \
    X(getfsent) X(getfsspec) X(getfsfile) X(setfsent) X(endfsent)                                  \
    X(setmntent) X(getmntent) X(endmntent)                                                         \
    X(getutent) X(getutid) X(getutline) X(setutent) X(endutent) X(utmpname)                        \
    X(getutxent) X(getutxid) X(getutxline) X(setutxent) X(endutxent)                               \
    X(getttyent) X(getttynam) X(setttyent) X(endttyent)                                            \
    X(getusershell) X(setusershell) X(endusershell)
RH_REAL_TABLE(rh__resolve_database)
// clang-format on

#define MARKED(type, name, parameters, arguments)                                                  \
    OUTSIDE(type, name, parameters, arguments, CANNOT_UNDO)
#define MARKED_VOID(name, parameters, arguments)                                                   \
    OUTSIDE_VOID(name, parameters, arguments, CANNOT_UNDO)

MARKED(int, getaddrinfo,
       (const char *restrict node, const char *restrict service,
        const struct addrinfo *restrict hints, struct addrinfo **restrict result),
       (node, service, hints, result))
MARKED_VOID(freeaddrinfo, (struct addrinfo * list), (list))
MARKED(int, getnameinfo,
       (const struct sockaddr *restrict address, socklen_t length, char *restrict host,
        socklen_t host_size, char *restrict service, socklen_t service_size, int flags),
       (address, length, host, host_size, service, service_size, flags))
MARKED(int, __res_init, (void), ())
MARKED(struct hostent *, gethostbyname, (const char *name), (name))
MARKED(struct hostent *, gethostbyname2, (const char *name, int family), (name, family))
MARKED(struct hostent *, gethostbyaddr, (const void *address, socklen_t length, int type),
       (address, length, type))
MARKED(struct hostent *, gethostent, (void), ())
MARKED_VOID(sethostent, (int stays), (stays))
MARKED_VOID(endhostent, (void), ())
MARKED(struct netent *, getnetbyname, (const char *name), (name))
MARKED(struct netent *, getnetbyaddr, (uint32_t net, int type), (net, type))
MARKED(struct netent *, getnetent, (void), ())
MARKED_VOID(setnetent, (int stays), (stays))
MARKED_VOID(endnetent, (void), ())
MARKED(struct servent *, getservbyname, (const char *name, const char *protocol), (name, protocol))
MARKED(struct servent *, getservbyport, (int port, const char *protocol), (port, protocol))
MARKED(struct servent *, getservent, (void), ())
MARKED_VOID(setservent, (int stays), (stays))
MARKED_VOID(endservent, (void), ())
MARKED(struct protoent *, getprotobyname, (const char *name), (name))
MARKED(struct protoent *, getprotobynumber, (int number), (number))
MARKED(struct protoent *, getprotoent, (void), ())
MARKED_VOID(setprotoent, (int stays), (stays))
MARKED_VOID(endprotoent, (void), ())
MARKED(struct rpcent *, getrpcbyname, (const char *name), (name))
MARKED(struct rpcent *, getrpcbynumber, (int number), (number))
MARKED(struct rpcent *, getrpcent, (void), ())
MARKED_VOID(setrpcent, (int stays), (stays))
MARKED_VOID(endrpcent, (void), ())

MARKED(struct passwd *, getpwnam, (const char *name), (name))
MARKED(struct passwd *, getpwuid, (uid_t user), (user))
MARKED(int, getpwnam_r,
       (const char *restrict name, struct passwd *restrict entry, char *restrict buffer,
        size_t size, struct passwd **restrict result),
       (name, entry, buffer, size, result))
MARKED(int, getpwuid_r,
       (uid_t user, struct passwd *restrict entry, char *restrict buffer, size_t size,
        struct passwd **restrict result),
       (user, entry, buffer, size, result))
MARKED(struct passwd *, getpwent, (void), ())
MARKED_VOID(setpwent, (void), ())
MARKED_VOID(endpwent, (void), ())
MARKED(struct group *, getgrnam, (const char *name), (name))
MARKED(struct group *, getgrgid, (gid_t group), (group))
MARKED(int, getgrnam_r,
       (const char *restrict name, struct group *restrict entry, char *restrict buffer, size_t size,
        struct group **restrict result),
       (name, entry, buffer, size, result))
MARKED(int, getgrgid_r,
       (gid_t group, struct group *restrict entry, char *restrict buffer, size_t size,
        struct group **restrict result),
       (group, entry, buffer, size, result))
MARKED(struct group *, getgrent, (void), ())
MARKED_VOID(setgrent, (void), ())
MARKED_VOID(endgrent, (void), ())
MARKED(struct spwd *, getspnam, (const char *name), (name))
MARKED(struct spwd *, getspent, (void), ())
MARKED_VOID(setspent, (void), ())
MARKED_VOID(endspent, (void), ())

MARKED(struct fstab *, getfsent, (void), ())
MARKED(struct fstab *, getfsspec, (const char *name), (name))
MARKED(struct fstab *, getfsfile, (const char *name), (name))
MARKED(int, setfsent, (void), ())
MARKED_VOID(endfsent, (void), ())
MARKED(FILE *, setmntent, (const char *path, const char *mode), (path, mode))
MARKED(struct mntent *, getmntent, (FILE * file), (file))
MARKED(int, endmntent, (FILE * file), (file))

MARKED(struct utmp *, getutent, (void), ())
MARKED(struct utmp *, getutid, (const struct utmp *like), (like))
MARKED(struct utmp *, getutline, (const struct utmp *like), (like))
MARKED_VOID(setutent, (void), ())
MARKED_VOID(endutent, (void), ())
MARKED(int, utmpname, (const char *path), (path))
MARKED(struct utmpx *, getutxent, (void), ())
MARKED(struct utmpx *, getutxid, (const struct utmpx *like), (like))
MARKED(struct utmpx *, getutxline, (const struct utmpx *like), (like))
MARKED_VOID(setutxent, (void), ())
MARKED_VOID(endutxent, (void), ())

MARKED(struct ttyent *, getttyent, (void), ())
MARKED(struct ttyent *, getttynam, (const char *name), (name))
MARKED(int, setttyent, (void), ())
MARKED(int, endttyent, (void), ())
MARKED(char *, getusershell, (void), ())
MARKED_VOID(setusershell, (void), ())
MARKED_VOID(endusershell, (void), ())
