/// An error with the exit code of a program that it stops from starting.
///
/// Any other error gives 1. `docs/exit-codes.md` has the table.
public protocol ExitError: Error {
    /// The exit code, one of `sysexits.h`: 78 (`EX_CONFIG`) when something has to be changed before another
    /// start, 69 (`EX_UNAVAILABLE`) when another start may succeed as it is.
    var exitCode: Int32 { get }
}
