// libevent's core: the event loop, without buffers, HTTP or DNS.
// The features come first, so that libevent's own configuration does not change what the C library declares.
#include <features.h>
#include <event2/event.h>
#include <event2/event_struct.h>
