import Glibc

/// Why a program cannot start: one sentence for the person who starts it, with what is wrong, where, and what to do.
public enum StartError: ExitError, Equatable {
    /// Something has to be changed before the program can start: a setting, a file, routes that contradict each other.
    /// Exit code 78.
    case configuration(String)
    /// Something that the program needs is not available now, such as a port that another program uses.
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
