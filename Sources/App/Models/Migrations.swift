import RoostSQL

/// The files of `Migrations/`, in their order. They are part of the program, each under its name with `_` for what no
/// identifier can have: the first digit, too.
enum Migrations {
    static let all = [
        Migration(
            1,
            "users",
            sqlite: PackageResources._001_users_sqlite_sql,
            postgresql: PackageResources._001_users_postgresql_sql
        ),
        Migration(2, "sessions", sql: PackageResources._002_sessions_sql),
    ]
}
