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
    /// Nil when every segment is a value.
    let check: SegmentCheck?

    init<Parameter: PathParameter>(_ type: Parameter.Type) {
        self.type = type
        precedence = PathPrecedence(of: type)
        if type == String.self || type == RemainingPath.self {
            check = nil
        } else if type == Int.self {
            // It captures nothing, so a search touches no reference count.
            check = { $0.identifier != nil || Int(pathSegment: String(decoding: $0, as: UTF8.self)) != nil }
        } else {
            check = { Parameter(pathSegment: String(decoding: $0, as: UTF8.self)) != nil }
        }
    }

    var takesRest: Bool { type == RemainingPath.self }
}

extension RouteSegment {
    /// The segment as it is written in a pattern: `{id}.json`.
    var pattern: String {
        switch self {
        case .literal(let text): Self.encoded(text)
        case .parameter(let one): Self.encoded(one.prefix) + "{\(one.name)}" + Self.encoded(one.suffix)
        }
    }

    fileprivate static func encoded(_ text: [UInt8]) -> String {
        PercentEncoding.encoded(String(decoding: text, as: UTF8.self))
    }

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
                texts[texts.count - 1] += "/" + RouteSegment.encoded(parameter.prefix)
                texts.append(RouteSegment.encoded(parameter.suffix))
            }
        }
        return texts
    }
}

/// Whether a segment, percent-decoded and not empty, is a value of a parameter's type.
typealias SegmentCheck = @Sendable (_ segment: UnsafeBufferPointer<UInt8>) -> Bool

extension UnsafeBufferPointer<UInt8> {
    /// The number that a segment is, if it is written in digits alone as the router writes it. Identifiers are the most
    /// frequent parameters, and this takes a tenth of making a text and asking that; any other segment is asked.
    var identifier: Int? { first == UInt8(ascii: "0") ? nil : wholeNumber.flatMap { Int(exactly: $0) } }
}
