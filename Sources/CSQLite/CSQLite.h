// SQLite 3.35 or newer (RETURNING). What is variadic in C cannot be called from Swift.
#include <sqlite3.h>

// No statement may damage the file, no schema may run functions, and "x" is a name, never a text.
static inline void sqlite3_defend(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FKEY, 1, (int *)0);
}

// Whether foreign keys are enforced, also in a transaction, where `PRAGMA foreign_keys` does nothing.
static inline void sqlite3_enforce_foreign_keys(sqlite3 *database, int is_on) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FKEY, is_on, (int *)0);
}

// SQLite then does not count its memory: that takes a lock for each piece. Before anything else uses SQLite.
static inline int sqlite3_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// The C library's preadv2, which the Glibc module does not have. Flag 8 is RWF_NOWAIT.
struct sqlite3_span { void *base; unsigned long size; };
long sqlite3_preadv2(int file, const struct sqlite3_span *spans, int count, long offset, int flags) __asm__("preadv2");

// The C library's renameat2, which the Glibc module does not have either. Flag 1 is RENAME_NOREPLACE.
int sqlite3_rename_to_new(int folder, const char *path, int new_folder, const char *new_path, unsigned int flags)
    __asm__("renameat2");
