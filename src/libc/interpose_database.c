// SPDX-License-Identifier: MIT
// The system's databases: users, groups, hosts, services, mounted file systems. libc keeps files,
// buffers and a place in them between calls, so these calls are served outside of the actor's
// memory and mark the execution. functions.def describes all of them in full.
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

#define IN_database(...) __VA_ARGS__
#define RESOLVE rh__resolve_database
#include "libc/interposed.h"
