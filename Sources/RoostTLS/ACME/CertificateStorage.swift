/// A place for accounts, certificates with their keys, and challenges: small texts with names. It holds secrets.
///
/// Instances that share it order one certificate among them, and all have it.
public protocol CertificateStorage: Sendable {
    /// Gets ready.
    /// - Throws: `StartError` for a place that cannot be used.
    func open() async throws

    /// Returns the text with a name; nil if there is none.
    func read(_ name: String) async throws -> [UInt8]?

    /// Keeps a text: whatever happens meanwhile, there is the old one or the new one, and the new one once it returns.
    /// - Parameter name: Letters, digits, `.`, `-` and `_`; the first is a letter or a digit.
    func write(_ text: [UInt8], as name: String) async throws

    /// Removes the text with a name, if there is one.
    func remove(_ name: String) async throws

    /// Does something that only one instance at a time may do; returns nil, and does nothing, if another one is at it.
    /// It takes less than ten minutes.
    func alone<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value?
}
