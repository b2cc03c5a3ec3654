/// Numbers as JSON writes them (RFC 8259 §6).
///
///     number = [ "-" ] int [ frac ] [ exp ]
///
/// Whole numbers are exact at any width. Floating-point numbers are the shortest text that reads back as the same
/// number, which is what Swift prints, without a final `.0`.
enum DecimalText {
    /// Appends a whole number of up to 64 bits.
    @inline(__always)
    static func append<Number: FixedWidthInteger>(_ value: Number, to buffer: ByteBuffer) {
        if Number.isSigned, value < 0 { buffer.append(UInt8(ascii: "-")) }
        appendDigits(UInt64(truncatingIfNeeded: value.magnitude), to: buffer)
    }

    /// Appends a whole number of 128 bits.
    static func append(wide value: some FixedWidthInteger, to buffer: ByteBuffer) {
        buffer.append(String(value))
    }

    @inline(__always)
    private static func appendDigits(_ value: UInt64, to buffer: ByteBuffer) {
        if value < 10 { return buffer.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)) }
        if value < 10_000 { return appendFewDigits(UInt32(truncatingIfNeeded: value), to: buffer) }
        appendManyDigits(value, to: buffer)
    }

    /// Two to four digits, as the bytes of one word, without the leading zeros.
    private static func appendFewDigits(_ value: UInt32, to buffer: ByteBuffer) {
        let (high, low) = (value / 100, value % 100)
        let digits = (high / 10) | (high % 10) &<< 8 | (low / 10) &<< 16 | (low % 10) &<< 24
        let length = value < 100 ? 2 : value < 1000 ? 3 : 4
        let word = (digits | 0x3030_3030) &>> UInt32(8 &* (4 &- length))
        _ = buffer.write(upTo: 4) { room in
            UnsafeMutableRawPointer(room.baseAddress)?.storeBytes(of: word.littleEndian, as: UInt32.self)
            return length
        }
    }

    private static func appendManyDigits(_ value: UInt64, to buffer: ByteBuffer) {
        let length = digits(of: value)
        _ = buffer.write(upTo: length) { room in
            var rest = value
            var index = length
            while index > 0 {
                index &-= 1
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                room[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
                rest = quotient
            }
            return length
        }
    }

    /// Returns the number of decimal digits of a value.
    private static func digits(of value: UInt64) -> Int {
        var digits = 1
        var limit: UInt64 = 10
        while digits < 20, value >= limit {
            digits &+= 1
            limit = limit &* 10
        }
        return digits
    }
}

// MARK: - Floating point

extension DecimalText {
    /// Appends a finite number.
    static func append<Number: BinaryFloatingPoint & TextOutputStreamable>(_ value: Number, to buffer: ByteBuffer) {
        if let whole = Int64(exactly: value), whole != 0 || value.sign == .plus, abs(value) < 1 / Number.ulpOfOne {
            return append(whole, to: buffer)
        }
        var output = DecimalOutput(buffer: buffer)
        value.write(to: &output)
        let end = buffer.written.suffix(2)
        if end.elementsEqual(".0".utf8) { buffer.truncate(to: buffer.count - 2) }
    }
}

/// Writes the text of a floating-point number into a buffer.
///
/// Numbers pass their digits to `_writeASCII`, whose default makes a `String` of them. If the standard library did not
/// have that method, the bytes would come through `write`.
private struct DecimalOutput: TextOutputStream {
    let buffer: ByteBuffer

    mutating func write(_ text: String) { buffer.append(text) }

    mutating func _writeASCII(_ bytes: UnsafeBufferPointer<UInt8>) { buffer.append(bytes) }
}
