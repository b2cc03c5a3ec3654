/// Whether a segment is a value of a parameter's type, decided by its bytes during the search for a route.
enum SegmentCheck: Sendable {
    /// Every segment is a value.
    case any
    /// A number in its canonical spelling, up to these magnitudes.
    case integer(positive: UInt64, negative: UInt64)
    /// Decided by the type itself.
    case asking(@Sendable (String) -> Bool)

    init<Parameter: PathParameter>(_ type: Parameter.Type) {
        if type == String.self || type == RemainingPath.self {
            self = .any
        } else if let integer = type as? any FixedWidthInteger.Type, let check = SegmentCheck(integer: integer) {
            self = check
        } else {
            self = .asking { Parameter(pathSegment: $0) != nil }
        }
    }

    /// Whether there are segments that it does not accept.
    var isNeeded: Bool { if case .any = self { false } else { true } }

    private init?<Number: FixedWidthInteger>(integer: Number.Type) {
        guard let positive = UInt64(exactly: Number.max), let negative = UInt64(exactly: Number.min.magnitude) else {
            return nil
        }
        self = .integer(positive: positive, negative: negative)
    }

    /// Whether it accepts a segment, which is percent-decoded and not empty.
    func accepts(_ segment: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .any: true
        case .integer(let positive, let negative):
            segment.first == UInt8(ascii: "-")
                ? segment.dropFirst().first != UInt8(ascii: "0") && Self.isNumber(segment.dropFirst(), upTo: negative)
                : Self.isNumber(segment[...], upTo: positive)
        case .asking(let accepts): accepts(String(decoding: segment, as: UTF8.self))
        }
    }

    private static func isNumber(_ digits: Slice<UnsafeBufferPointer<UInt8>>, upTo largest: UInt64) -> Bool {
        guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return false }
        var number: UInt64 = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return false }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !overflow, !carry, sum <= largest else { return false }
            number = sum
        }
        return true
    }
}
