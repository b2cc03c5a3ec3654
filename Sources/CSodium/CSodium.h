// libsodium: argon2id.
#include <sodium.h>
