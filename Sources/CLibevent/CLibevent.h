// libevent's core: the event loop, without buffers, HTTP or DNS.
// The features come first, so that libevent's own configuration does not change what the C library declares.
#include <features.h>
// libevent includes the system's headers of sockets and names, of which it needs no more than a struct's name here.
// They are left out, as if they had been included: a second module that defines the types in these makes it a matter of
// chance where Swift finds them, and whether a file that imports Glibc alone knows SOCK_STREAM.
#define _SYS_SOCKET_H 1
#define _NETDB_H 1
struct addrinfo;
#include <event2/event.h>
#include <event2/event_struct.h>
