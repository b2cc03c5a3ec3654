/// Numbers in decimal, as JSON writes them (RFC 8259 §6).
///
///     number = [ "-" ] int [ frac ] [ exp ]
extension ByteBuffer {
    /// Appends a whole number of up to 64 bits.
    @inline(__always)
    func append<Number: FixedWidthInteger>(decimal value: Number) {
        if Number.isSigned, value < 0 { append(UInt8(ascii: "-")) }
        appendDigits(UInt64(truncatingIfNeeded: value.magnitude))
    }

    @inline(__always)
    private func appendDigits(_ value: UInt64) {
        if value < 10 { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)) }
        if value < 10_000 { return appendFewDigits(UInt32(truncatingIfNeeded: value)) }
        appendManyDigits(value)
    }

    /// Two to four digits, as the bytes of one word, without the leading zeros.
    private func appendFewDigits(_ value: UInt32) {
        let (high, low) = (value / 100, value % 100)
        let digits = (high / 10) | (high % 10) &<< 8 | (low / 10) &<< 16 | (low % 10) &<< 24
        let length = value < 100 ? 2 : value < 1000 ? 3 : 4
        let word = (digits | 0x3030_3030) &>> UInt32(8 &* (4 &- length))
        _ = write(upTo: 4) { room in
            UnsafeMutableRawPointer(room.baseAddress)?.storeBytes(of: word.littleEndian, as: UInt32.self)
            return length
        }
    }

    private func appendManyDigits(_ value: UInt64) {
        var (length, limit) = (1, 10 as UInt64)
        while length < 20, value >= limit { (length, limit) = (length &+ 1, limit &* 10) }
        _ = write(upTo: length) { room in
            var (rest, index) = (value, length)
            while index > 0 {
                index &-= 1
                room[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return length
        }
    }

    /// Appends a finite number by the shortest text that reads back as the same number, which is what Swift prints,
    /// without a final `.0`.
    func append<Number: BinaryFloatingPoint & TextOutputStreamable>(shortest value: Number) {
        if let whole = Int64(exactly: value), whole != 0 || value.sign == .plus, abs(value) < 1 / Number.ulpOfOne {
            return append(decimal: whole)
        }
        var output = NumberOutput(buffer: self)
        value.write(to: &output)
        if written.suffix(2).elementsEqual(".0".utf8) { truncate(to: count - 2) }
    }
}

/// Numbers pass their digits to `_writeASCII`, whose default makes a `String` of them. If the standard library did not
/// have that method, the bytes would come through `write`.
private struct NumberOutput: TextOutputStream {
    let buffer: ByteBuffer

    mutating func write(_ text: String) { buffer.append(text) }

    mutating func _writeASCII(_ bytes: UnsafeBufferPointer<UInt8>) { buffer.append(bytes) }
}
