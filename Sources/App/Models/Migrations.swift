import RoostAuth
import RoostJobs
import RoostSQL
import RoostTLS

/// The migrations that bring the database to the schema that this program needs.
enum Migrations {
    /// All of them, in order.
    static let all =
        files + AuthMigrations.all + Jobs.migrations + SQLCertificateStorage.migrations + IdempotencyKeys.migrations

    /// The files of `Migrations/`, in their order. They are embedded in the program, each as a constant with the file's
    /// name, in which `_` replaces whatever an identifier cannot contain.
    ///
    /// `users` has a text for each engine because databases keep the checksums of what they were made with. A new table
    /// needs one only, with placeholders (`docs/databases.md`).
    ///
    /// `user_events` makes the tables of all topics, and then the triggers for users; `user_event_values` replaces
    /// these. So another resource with events needs a row in `topics`, triggers like those of `user_event_values`, and
    /// one like `user_events_end`; or none of these: `topic.publish(_:in:)` (`docs/events.md`). SQLite's triggers join
    /// their JSON from texts, since a schema that is not trusted may not use `json_object`; so a name with a control
    /// character, which only another program can insert, makes an event that is no JSON.
    static let files = [
        Migration(
            "users", sqlite: PackageResources.users_sqlite_sql,
            postgresql: PackageResources.users_postgresql_sql),
        Migration("sessions", sql: PackageResources.sessions_sql),
        Migration(
            "user_events", sqlite: PackageResources.user_events_sqlite_sql,
            postgresql: PackageResources.user_events_postgresql_sql),
        // Nothing uses its table any more; databases know it.
        Migration("jobs", sql: PackageResources.jobs_sql),
        Migration("pictures", sql: PackageResources.pictures_sql),
        Migration("session_owners", sql: PackageResources.session_owners_sql),
        Migration(
            "user_event_values", sqlite: PackageResources.user_event_values_sqlite_sql,
            postgresql: PackageResources.user_event_values_postgresql_sql),
        Migration(
            "user_pictured", sqlite: PackageResources.user_pictured_sqlite_sql,
            postgresql: PackageResources.user_pictured_postgresql_sql),
    ]
}
