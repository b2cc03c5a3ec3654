/// The part of a representation that a request asks for (RFC 9110 §14.1.2, §14.2).
///
///     Range        = range-unit "=" range-set
///     range-set    = 1#range-spec
///     int-range    = first-pos "-" [ last-pos ]
///     suffix-range = "-" suffix-length
enum RequestedRange: Equatable {
    /// These bytes; they exist.
    case bytes(Range<Int>)
    /// No byte that exists.
    case unsatisfiable

    /// Reads the value of a `Range` field. Nil means the whole representation: for another unit than bytes, for a
    /// malformed field, and for several ranges, which a server may ignore (RFC 9110 §14.2).
    /// - Parameter size: The length of the representation in bytes.
    init?(_ value: UnsafeBufferPointer<UInt8>, size: Int) {
        // No blank may be in front of the equals sign; behind it, the list may begin with some (RFC 9110 §5.6.1.2).
        guard let equals = value.firstOffset(of: UInt8(ascii: "=")),
            UnsafeBufferPointer(rebasing: value[..<equals]).isEqualIgnoringCase(to: "bytes")
        else { return nil }
        var parts = DelimitedParts(UnsafeBufferPointer(rebasing: value[(equals + 1)...]))
        guard let range = parts.nextPresent(before: UInt8(ascii: ",")),
            parts.nextPresent(before: UInt8(ascii: ",")) == nil,
            let dash = range.firstOffset(of: UInt8(ascii: "-"))
        else { return nil }
        let first = UnsafeBufferPointer(rebasing: range[..<dash])
        let last = UnsafeBufferPointer(rebasing: range[(dash + 1)...])
        if first.isEmpty {
            guard let length = Self.number(last) else { return nil }
            let count = min(length, size)
            self = count == 0 ? .unsatisfiable : .bytes((size - count)..<size)
        } else {
            guard let start = Self.number(first), let end = last.isEmpty ? .max : Self.number(last), start <= end else {
                return nil
            }
            self = start < size ? .bytes(start..<(end < size ? end + 1 : size)) : .unsatisfiable
        }
    }

    /// A decimal number; one that is too large for an integer is the largest, which is beyond every file.
    private static func number(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
