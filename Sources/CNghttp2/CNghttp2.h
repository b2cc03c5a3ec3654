// nghttp2: the session of HTTP/2, with its compression of header fields.
#include <nghttp2/nghttp2.h>
