import CSodium
import Glibc

/// Argon2id (RFC 9106) by libsodium, with one lane.
///
/// The default is what OWASP's Password Storage Cheat Sheet recommends: 19 MiB and two passes.
public struct Argon2id: PasswordFunction {
    /// The memory that one hash takes, in KiB.
    let memory: Int
    /// The number of passes over the memory.
    let passes: Int

    /// The least that libsodium takes, in KiB.
    static let leastMemory = 8

    /// Creates a function with these parameters.
    /// - Parameters:
    ///   - memory: The memory that one hash takes, in KiB; at least 8.
    ///   - passes: The number of passes over the memory; at least 1.
    public init(memory: Int = 19_456, passes: Int = 2) {
        self.memory = max(Self.leastMemory, memory)
        self.passes = max(1, passes)
    }

    /// Chooses the fastest code for this processor; it may be called any number of times.
    private static let isReady = sodium_init() >= 0

    /// Returns a new hash: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
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

    /// Returns whether a hash is that of the password, with the parameters that the hash names. The comparison takes
    /// constant time. False, with `errno` at `ENOMEM`, when the system lacks the memory that the hash asks for.
    public func verify(_ password: String, against hash: String) -> Bool {
        guard Self.isReady, hash.utf8.count < Int(crypto_pwhash_argon2id_STRBYTES) else { return false }
        let length = UInt64(password.utf8.count)
        let isSame = password.withCString { crypto_pwhash_argon2id_str_verify(hash, $0, length) == 0 }
        // libsodium says the same of a wrong password and of too little memory, which it finds at once.
        if !isSame, let parameters = Argon2Parameters(hash) { errno = Self.hasMemory(parameters.memory) ? 0 : ENOMEM }
        return isSame
    }

    /// Whether the system has a number of KiB of memory now.
    private static func hasMemory(_ count: Int) -> Bool {
        let (size, isOverflow) = count.multipliedReportingOverflow(by: 1024)
        guard !isOverflow, let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { return false }
        munmap(memory, size)
        return true
    }

    /// Returns whether a hash was made with less memory or fewer passes, or by another function.
    public func isOutdated(_ hash: String) -> Bool {
        guard let parameters = Argon2Parameters(hash) else { return true }
        return parameters.memory < memory || parameters.passes < passes
    }

    /// Returns a hash whose salt and digest are all zeros. Its work, memory times passes, is the work that an old hash
    /// lacks; its memory is at most that of a new one.
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

// The string of the Password Hashing Competition, as argon2id's reference code writes it:
//
//     phc = "$argon2id$v=19$m=" memory ",t=" passes ",p=" lanes "$" salt "$" hash

/// The parameters in a stored hash.
struct Argon2Parameters: Equatable {
    /// The memory in KiB.
    let memory: Int
    let passes: Int

    /// Reads a PHC string; nil for any but argon2id's of version 1.3.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19" else { return nil }
        let numbers = parts[3].split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
        guard numbers.count == 3, numbers.allSatisfy({ $0.count == 2 }), numbers.map(\.[0]) == ["m", "t", "p"],
            let memory = Int(numbers[0][1]), let passes = Int(numbers[1][1]),
            memory > 0, passes > 0
        else { return nil }
        self.memory = memory
        self.passes = passes
    }
}
