import Glibc

/// The error that keeps a program from starting: a sentence that says what is wrong, where, and what to do.
public enum StartError: ExitError, Equatable {
    /// A mistake that has to be corrected before the program can start: in a setting, a file, or routes that collide.
    /// Exit code 78.
    case configuration(String)
    /// A lack of something that the program needs, such as a port that another program uses.
    /// Another start may succeed. Exit code 69.
    case unavailable(String)

    /// 78 or 69.
    public var exitCode: Int32 {
        switch self {
        case .configuration: EX_CONFIG
        case .unavailable: EX_UNAVAILABLE
        }
    }
}

extension StartError: CustomStringConvertible {
    /// The sentence.
    public var description: String {
        switch self {
        case .configuration(let sentence), .unavailable(let sentence): sentence
        }
    }
}

/// An error that keeps a program from starting, with the exit code that it ends with.
///
/// Any other error gives 1. `docs/exit-codes.md` has the table.
public protocol ExitError: Error {
    /// The exit code, one of `sysexits.h`: 78 (`EX_CONFIG`) when something has to be changed before another
    /// start, 69 (`EX_UNAVAILABLE`) when another start may succeed as it is.
    var exitCode: Int32 { get }
}
