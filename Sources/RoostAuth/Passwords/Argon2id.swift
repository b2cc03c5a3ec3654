import CSodium

/// Argon2id (RFC 9106) by libsodium, with one lane.
///
/// The default is what OWASP's Password Storage Cheat Sheet asks for: 19 MiB and two passes.
public struct Argon2id: PasswordFunction {
    /// The memory that one hash takes, in KiB.
    public let memory: Int
    /// The number of passes over the memory.
    public let passes: Int

    /// The least that libsodium takes, in KiB.
    static let leastMemory = 8

    /// - Parameters:
    ///   - memory: In KiB; at least 8.
    ///   - passes: At least 1.
    public init(memory: Int = 19_456, passes: Int = 2) {
        self.memory = max(Self.leastMemory, memory)
        self.passes = max(1, passes)
    }

    /// Chooses the fastest code for this processor; it may be called any number of times.
    private static let isReady = sodium_init() >= 0

    /// A new hash: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
    public func hash(_ password: String) throws -> String {
        guard Self.isReady else { throw PasswordHashError() }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_argon2id_STRBYTES))
        let length = UInt64(password.utf8.count)
        let result = password.withCString {
            crypto_pwhash_argon2id_str(&text, $0, length, UInt64(passes), memory * 1024)
        }
        guard result == 0 else { throw PasswordHashError() }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a hash, with whatever parameters, is that of the password. The hashes are compared in constant time.
    public func verify(_ password: String, against hash: String) -> Bool {
        guard Self.isReady, hash.utf8.count < Int(crypto_pwhash_argon2id_STRBYTES) else { return false }
        let length = UInt64(password.utf8.count)
        return password.withCString { crypto_pwhash_argon2id_str_verify(hash, $0, length) == 0 }
    }

    /// Whether a hash was made with less memory or fewer passes, or in another way.
    public func isOutdated(_ hash: String) -> Bool {
        guard let parameters = Argon2Parameters(hash) else { return true }
        return parameters.memory < memory || parameters.passes < passes
    }

    /// With a salt and a hash of nothing but zeros. The work is the memory that is gone over, in all passes; what is
    /// missing beside an old hash takes at most the memory of a new one.
    public func decoy(beside hash: String?) -> String? {
        let done = hash.flatMap(Argon2Parameters.init).map { $0.memory.multipliedReportingOverflow(by: $0.passes) }
        guard done?.overflow != true else { return nil }
        let missing = memory * passes - (done?.partialValue ?? 0)
        let passes = (missing + memory - 1) / memory
        guard passes > 0, missing / passes >= Self.leastMemory else { return nil }
        let (salt, hash) = (String(repeating: "A", count: 22), String(repeating: "A", count: 43))
        return "$argon2id$v=19$m=\(missing / passes),t=\(passes),p=1$\(salt)$\(hash)"
    }
}
