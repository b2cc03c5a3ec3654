public import RoostSQL

/// The migrations that make the tables of this module.
public enum AuthMigrations {
    /// All migrations in their order, for the application's own list:
    ///
    ///     Migrator(database, [Migration("users", sql: …)] + AuthMigrations.all)
    ///
    /// The table of sessions is not among them; see `SQLSessionStore`.
    /// The first two have a text for each engine because databases keep the checksums of these.
    public static var all: [Migration] {
        [
            Migration(
                "accounts",
                sqlite: PackageResources.accounts_sqlite_sql,
                postgresql: PackageResources.accounts_postgresql_sql
            ),
            Migration(
                "audit_log",
                sqlite: PackageResources.audit_log_sqlite_sql,
                postgresql: PackageResources.audit_log_postgresql_sql
            ),
            Migration("sign_in_failures", sql: PackageResources.sign_in_failures_sql),
            Migration("api_tokens", sql: PackageResources.api_tokens_sql),
        ]
    }
}
