public import RoostSQL

/// The migrations that make the tables of this module.
public enum AuthMigrations {
    /// Numbered from a number on, the next one of the application's own list:
    ///
    ///     Migrator(database, [Migration(1, "users", sql: …)] + AuthMigrations.all(from: 2))
    ///
    /// The table of sessions is not among them; see `SQLSessionStore`.
    public static func all(from number: Int) -> [Migration] {
        [
            Migration(
                number,
                "accounts",
                sqlite: PackageResources.accounts_sqlite_sql,
                postgresql: PackageResources.accounts_postgresql_sql
            ),
            Migration(
                number + 1,
                "audit_log",
                sqlite: PackageResources.audit_log_sqlite_sql,
                postgresql: PackageResources.audit_log_postgresql_sql
            ),
            Migration(number + 2, "sign_in_failures", sql: PackageResources.sign_in_failures_sql),
            Migration(
                number + 3,
                "api_tokens",
                sqlite: PackageResources.api_tokens_sqlite_sql,
                postgresql: PackageResources.api_tokens_postgresql_sql
            ),
        ]
    }
}
