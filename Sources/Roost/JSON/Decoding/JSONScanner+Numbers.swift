/// Numbers (RFC 8259 §6).
///
///     number = [ "-" ] int [ frac ] [ exp ]
///     int    = "0" / ( %x31-39 *DIGIT )
///     frac   = "." 1*DIGIT
///     exp    = ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT
extension JSONScanner {
    mutating func number() throws(JSONSyntaxError) {
        if current == UInt8(ascii: "-") { index &+= 1 }
        if current == UInt8(ascii: "0") {
            index &+= 1
            if isDigit { throw failure(.leadingZero) }
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            index &+= 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            index &+= 1
            if current == UInt8(ascii: "-") || current == UInt8(ascii: "+") { index &+= 1 }
            try digits()
        }
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard isDigit else { throw failure(.digitExpected) }
        while isDigit { index &+= 1 }
    }

    /// Whether the current byte is a digit.
    @inline(__always)
    var isDigit: Bool {
        guard let current else { return false }
        return current >= UInt8(ascii: "0") && current <= UInt8(ascii: "9")
    }
}
