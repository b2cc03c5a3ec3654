// libcurl: HTTP for clients. Swift cannot call its variadic functions, so each kind of argument has one of its own.
#include <curl/curl.h>
#include <signal.h>
#include <sys/socket.h>

/// Prepares the program for libcurl. With OpenSSL it writes to sockets in a way that raises SIGPIPE when the other side
/// has gone; a program with a server ignores that signal anyway. A handler of the program's own stays.
static inline CURLcode global_prepare(void) {
    struct sigaction now;
    if (sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

/// Makes a socket that a child process does not inherit.
static inline curl_socket_t open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode easy_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode easy_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode easy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode easy_set_bytes(CURL *easy, CURLoption option, size_t (*value)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode easy_set_seek(CURL *easy, curl_seek_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}
static inline CURLcode easy_set_opensocket(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode easy_set_beginning(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode easy_set_progress(CURL *easy, curl_xferinfo_callback value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}
static inline curl_socket_t easy_active_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}
static inline CURLMcode multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode multi_set_socket(CURLM *multi, curl_socket_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}
static inline CURLMcode multi_set_timer(CURLM *multi, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}

// Macros that Swift does not take over.
enum { write_pause = CURL_WRITEFUNC_PAUSE, read_pause = CURL_READFUNC_PAUSE, read_abort = CURL_READFUNC_ABORT };
static const curl_socket_t timeout_socket = CURL_SOCKET_TIMEOUT;
static const curl_socket_t bad_socket = CURL_SOCKET_BAD;
static const long tls_if_offered = CURLUSESSL_TRY, tls_always = CURLUSESSL_ALL;
static const long http2_over_tls = CURL_HTTP_VERSION_2TLS;
static const long http1 = CURL_HTTP_VERSION_1_1;
