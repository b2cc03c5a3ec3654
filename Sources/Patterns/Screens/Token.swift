/// A name that nobody can guess.
package enum Token {
    /// 128 random bits from the system's generator, in hexadecimal.
    package static func random() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
