/// An error that says with which exit code a program ends when it keeps the program from starting.
///
/// Any other error gives 1. `docs/exit-codes.md` has the table.
public protocol ExitError: Error {
    /// The exit code, as `sysexits.h` counts them: 78 (`EX_CONFIG`) when something has to be changed before another
    /// start, 69 (`EX_UNAVAILABLE`) when another start may succeed as it is.
    var exitCode: Int32 { get }
}
