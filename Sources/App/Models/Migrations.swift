import RoostAuth
import RoostSQL

/// What brings the database to the state that this program needs.
enum Migrations {
    /// All of them, in order.
    static let all = (files + AuthMigrations.all(from: 7)).sorted { $0.version < $1.version }

    /// The files of `Migrations/`. They are embedded in the program, each as a constant with the file's name, in which
    /// `_` replaces whatever an identifier cannot contain, including a digit at the beginning.
    static let files = [
        Migration(
            1,
            "users",
            sqlite: PackageResources._001_users_sqlite_sql,
            postgresql: PackageResources._001_users_postgresql_sql
        ),
        Migration(2, "sessions", sql: PackageResources._002_sessions_sql),
        Migration(
            3,
            "user_events",
            sqlite: PackageResources._003_user_events_sqlite_sql,
            postgresql: PackageResources._003_user_events_postgresql_sql
        ),
        Migration(4, "jobs", sql: PackageResources._004_jobs_sql),
        Migration(5, "pictures", sql: PackageResources._005_pictures_sql),
        Migration(6, "session_owners", sql: PackageResources._006_session_owners_sql),
        Migration(
            11,
            "user_event_values",
            sqlite: PackageResources._011_user_event_values_sqlite_sql,
            postgresql: PackageResources._011_user_event_values_postgresql_sql
        ),
    ]
}
