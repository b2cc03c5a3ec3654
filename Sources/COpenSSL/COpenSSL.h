// OpenSSL's libssl and libcrypto. Swift sees no macro with arguments, so each that is used is a function here.
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
