/// The digits of hexadecimal numbers.
package enum Hexadecimal {
    /// The value of a digit in either case; nil for any other byte.
    package static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether a byte is a digit in lower case.
    static func isLowercaseDigit(_ byte: UInt8) -> Bool { byte.isDigit || byte &- UInt8(ascii: "a") < 6 }

    /// The digits of bytes, in lower case.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digit(byte >> 4)
                text[2 * index + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    /// The 16 digits of a number, in lower case.
    static func text(_ number: UInt64) -> String { withUnsafeBytes(of: number.bigEndian) { text($0) } }

    /// A name that nobody can guess: 32 digits, which are 128 random bits from the system's generator.
    package static func random() -> String { text((0..<16).map { _ in UInt8.random(in: 0...255) }) }

    /// The digit of a value below 16, in lower case.
    @inline(__always)
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x57 &+ value }

    /// The same in upper case, as percent-encoding has it.
    package static func capitalDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x37 &+ value }
}
