/// One step of a route's path.
@usableFromInline
enum RouteSegment: Sendable {
    /// These bytes, percent-decoded.
    case literal([UInt8])
    case parameter(SegmentParameter)
}

/// A parameter, and the text around it in its segment.
@usableFromInline
struct SegmentParameter: Sendable {
    let name: String
    let prefix: [UInt8]
    let suffix: [UInt8]
    let kind: ParameterKind

    /// Whether two are the same in the tree of routes: the same text around the same type.
    func isSame(as other: SegmentParameter) -> Bool {
        prefix == other.prefix && suffix == other.suffix && kind.type == other.kind.type
    }

    /// Whether it is tried before another at the same place: first the longer text around it, then the narrower type.
    func precedes(_ other: SegmentParameter) -> Bool {
        let length = prefix.count + suffix.count
        let otherLength = other.prefix.count + other.suffix.count
        return length != otherLength ? length > otherLength : kind.precedence < other.kind.precedence
    }
}

/// A parameter's type as the router knows it: its precedence, and its check of segments.
struct ParameterKind: Sendable {
    let type: any PathParameter.Type
    let precedence: PathPrecedence
    let check: SegmentCheck

    init<Parameter: PathParameter>(_ type: Parameter.Type) {
        self.type = type
        precedence = PathPrecedence(of: type)
        check = SegmentCheck(type)
    }

    var takesRest: Bool { type == RemainingPath.self }
}

extension RouteSegment {
    /// The segment as it is written in a pattern: `{id}.json`.
    var pattern: String {
        switch self {
        case .literal(let text): PercentEncoding.encoded(String(decoding: text, as: UTF8.self))
        case .parameter(let parameter):
            PercentEncoding.encoded(String(decoding: parameter.prefix, as: UTF8.self)) + "{\(parameter.name)}"
                + PercentEncoding.encoded(String(decoding: parameter.suffix, as: UTF8.self))
        }
    }
}

extension RouteSegment {
    /// The mistake of a path in which other segments follow this one; nil if it may stand before them.
    var faultBeforeOthers: String? {
        switch self {
        case .literal(let text):
            text.isEmpty ? "an empty segment; write the path before it without a slash at its end" : nil
        case .parameter(let one):
            one.kind.takesRest ? "something after {\(one.name)}, which takes the rest of the path" : nil
        }
    }
}

extension [RouteSegment] {
    /// The pattern in the usual notation: `/users/{id}`.
    var pattern: String { isEmpty ? "/" : reduce(into: "") { $0 += "/" + $1.pattern } }

    /// The literal texts of a URL, before each parameter and after the last: one text more than there are parameters.
    var texts: [String] {
        guard !isEmpty else { return ["/"] }
        var texts = [""]
        for segment in self {
            switch segment {
            case .literal: texts[texts.count - 1] += "/" + segment.pattern
            case .parameter(let parameter):
                texts[texts.count - 1] += "/" + Self.encoded(parameter.prefix)
                texts.append(Self.encoded(parameter.suffix))
            }
        }
        return texts
    }

    private static func encoded(_ text: [UInt8]) -> String {
        PercentEncoding.encoded(String(decoding: text, as: UTF8.self))
    }
}

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
            guard digit.isDigit else { return false }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !overflow, !carry, sum <= largest else { return false }
            number = sum
        }
        return true
    }
}
