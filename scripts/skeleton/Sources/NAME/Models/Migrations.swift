import RoostSQL

/// What brings a database to the state that this program needs; the start applies what is missing. Never change one
/// that has been applied: add another, with the next number.
///
/// The files of `Migrations/` are embedded in the program, each as a constant of its name, in which `_` replaces what
/// an identifier cannot contain, and a digit at its beginning.
let migrations = [
    Migration(1, "notes", sql: PackageResources._001_notes_sql)
]
