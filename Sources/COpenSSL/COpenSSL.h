// OpenSSL's libssl and libcrypto. Swift sees no macro with arguments, so each that is used is a function here.
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline void ssl_ctx_set_up(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(
        context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_read_ahead(context, 1);
}
static inline void ssl_ctx_forbid_tickets(SSL_CTX *context) {
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
}
static inline int ssl_ctx_groups(SSL_CTX *context, const char *names) { return SSL_CTX_set1_groups_list(context, names); }
static inline int ssl_ctx_add_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}
static inline void ssl_ctx_on_name(SSL_CTX *context, int (*select)(SSL *, int *, void *)) {
    SSL_CTX_set_tlsext_servername_callback(context, select);
}
// Parameters point to their names, which a string of Swift's would not keep.
static inline int mac_set_sha256(EVP_MAC_CTX *mac, const unsigned char *key, size_t size) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key, size),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters);
}
static inline void bio_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void bio_retry_write(BIO *bio) { BIO_set_retry_write(bio); }
static inline void bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline int error_reason(unsigned long code) { return ERR_GET_REASON(code); }
static inline int error_is_tls(unsigned long code) { return ERR_GET_LIB(code) == ERR_LIB_SSL; }
static inline int error_is_end_of_pem(unsigned long code) {
    return ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE;
}
// The names of a certificate: the functions of OpenSSL for lists are macros.
static inline GENERAL_NAMES *general_names_new(void) { return sk_GENERAL_NAME_new_null(); }
static inline int general_names_add_host(GENERAL_NAMES *names, const char *host) {
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_IA5STRING *text = ASN1_IA5STRING_new();
    if (names && name && text && ASN1_STRING_set(text, host, -1)) {
        GENERAL_NAME_set0_value(name, GEN_DNS, text);
        if (sk_GENERAL_NAME_push(names, name) > 0) return 1;
    } else {
        ASN1_IA5STRING_free(text);
    }
    GENERAL_NAME_free(name);
    return 0;
}
static inline X509_EXTENSION *general_names_extension(GENERAL_NAMES *names) {
    return X509V3_EXT_i2d(NID_subject_alt_name, 0, names);
}
static inline void general_names_free(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }
// Extensions of a certificate that is asked for. The request has copies of them.
static inline int request_add_extension(X509_REQ *request, X509_EXTENSION *extension) {
    STACK_OF(X509_EXTENSION) *list = sk_X509_EXTENSION_new_null();
    int is_added = list && sk_X509_EXTENSION_push(list, extension) > 0 && X509_REQ_add_extensions(request, list) > 0;
    sk_X509_EXTENSION_free(list);
    return is_added;
}
