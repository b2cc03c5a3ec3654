/// A function that makes hashes of passwords to be stored. Its methods block for tens of milliseconds: ``Passwords``
/// runs them off the event loops.
public protocol PasswordFunction: Sendable {
    /// The hash of a password, with a new salt and the parameters, as a PHC string.
    /// - Throws: ``PasswordHashError`` when the system lacks memory.
    func hash(_ password: String) throws -> String
    /// Whether a hash is that of a password.
    func verify(_ password: String, against hash: String) -> Bool
    /// Whether a hash was made with weaker parameters than these.
    func isOutdated(_ hash: String) -> Bool
    /// A hash that no password has. To compare with it is as much work as comparing with a hash that is made now takes
    /// beyond comparing with a stored one; nil when that takes nothing more.
    /// - Parameter hash: A stored hash, perhaps with other parameters; nil for none, which takes no work.
    func decoy(beside hash: String?) -> String?
}

/// A password could not be hashed, because the system has too little memory.
public struct PasswordHashError: Error, CustomStringConvertible {
    /// The error in one sentence.
    public var description: String { "A password could not be hashed: the system has too little memory." }
}
