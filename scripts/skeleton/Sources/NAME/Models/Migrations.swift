+ACCOUNTSimport RoostAuth
import RoostSQL

extension Program {
    /// The steps that bring a database to the state that this program needs; the start applies those that are missing.
    /// Never change one that has been applied, nor its name: add another at the end.
    ///
    /// The files of `Migrations/` are embedded in the program, each as a constant of its name, in which `_` replaces
    /// what an identifier cannot contain.
-ACCOUNTS    static let migrations = [
-ACCOUNTS        Migration("notes", sql: PackageResources.notes_sql)
-ACCOUNTS    ]
+ACCOUNTS    static let migrations =
+ACCOUNTS        [Migration("sessions", sql: SQLSessionStore.schema)] + AuthMigrations.all + [
+ACCOUNTS            Migration("notes", sql: PackageResources.notes_sql)
+ACCOUNTS        ]
}
