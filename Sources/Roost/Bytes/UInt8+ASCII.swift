/// The letters and digits of ASCII. No byte of another letter's UTF-8 is one of them.
extension UInt8 {
    /// Whether it is a digit.
    @inlinable
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether it is a letter, of either case.
    @inlinable
    package var isLetter: Bool { (self | 0x20).isLowercaseLetter }

    /// Whether it is a letter from a to z.
    @inlinable
    package var isLowercaseLetter: Bool { self &- UInt8(ascii: "a") < 26 }

    /// Whether it is a letter from A to Z.
    @inlinable
    package var isUppercaseLetter: Bool { self &- UInt8(ascii: "A") < 26 }

    /// Whether it is a letter or digit.
    @inlinable
    package var isLetterOrDigit: Bool { isDigit || isLetter }

    /// The byte; a capital letter becomes a small one.
    @inlinable
    package var lowercased: UInt8 { isUppercaseLetter ? self | 0x20 : self }
}
