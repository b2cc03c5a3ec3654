import Glibc
public import Roost

extension DatabaseError: ExitError {
    /// 78 when something has to be changed before the database can be opened, 69 for an unavailable database, 1 for a
    /// mistake of the program.
    public var exitCode: Int32 {
        if case .misconfigured = self { return EX_CONFIG }
        return isUnavailability ? EX_UNAVAILABLE : EXIT_FAILURE
    }
}

extension MigrationError: ExitError {
    /// 78: the migrations or the database have to be changed.
    public var exitCode: Int32 { EX_CONFIG }
}
