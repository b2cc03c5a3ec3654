// The string of the Password Hashing Competition, as argon2id's reference code writes it:
//
//     phc = "$argon2id$v=19$m=" memory ",t=" passes ",p=" lanes "$" salt "$" hash

/// The parameters in a stored hash.
struct Argon2Parameters: Equatable {
    /// In KiB.
    let memory: Int
    let passes: Int

    /// Reads a PHC string; nil for one that is not of argon2id, version 1.3.
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
