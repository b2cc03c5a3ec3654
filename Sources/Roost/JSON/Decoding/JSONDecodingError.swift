import FoundationEssentials

/// An error for a value that cannot be decoded from JSON, with the part at fault. The response's status is 422.
///
/// Both parts are for the client: they name members and JSON's types, not Swift's. What a type's own `init(from:)` says
/// in a `DecodingError.dataCorrupted` is passed on.
public struct JSONDecodingError: Error, Sendable, Equatable {
    /// The value at fault, as a JSON pointer (RFC 6901): `/users/0/name`; empty for the whole document.
    public let pointer: String
    /// The reason why it cannot be decoded, as a sentence.
    public let reason: String
}

extension JSONDecodingError: CustomStringConvertible {
    /// The pointer and the reason.
    public var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}

// MARK: - From the decoder's error

extension JSONDecodingError {
    static let outOfRange = "The number is out of range."
    static let date = "a date and time like 2026-01-31T12:00:00Z"

    init(_ error: DecodingError, in text: UnsafeBufferPointer<UInt8>, by coder: JSONCoder) {
        let place = { JSONLocation($0, in: text, by: coder) }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(pointer: place(context.codingPath + [key]).pointer, reason: "This member is required.")
        case .valueNotFound(let type, let context):
            let reason = "Expected \(Self.name(of: type)), not null."
            self.init(pointer: place(context.codingPath).pointer, reason: reason)
        case .typeMismatch(let type, let context):
            let location = place(context.codingPath)
            // Only its text says so. JSONDecodingTests fails if another toolchain has another.
            let isAboutKey = context.debugDescription.hasPrefix("Expected Int key")
            let found = isAboutKey ? " as the name" : location.found.map { ", not \($0)" } ?? ""
            self.init(pointer: location.pointer, reason: "Expected \(Self.name(of: type))\(found).")
        case .dataCorrupted(let context):
            self.init(pointer: place(context.codingPath).pointer, reason: Self.sentence(context))
        @unknown default:
            self.init(pointer: "", reason: "The JSON does not have the expected form.")
        }
    }

    /// The error for a number that does not fit its type; nil if the type is not a number's.
    init?(
        unfit type: any Any.Type, at path: [any CodingKey], in text: UnsafeBufferPointer<UInt8>, by coder: JSONCoder
    ) {
        let pointer = JSONLocation(path, in: text, by: coder).pointer
        if let integer = type as? any FixedWidthInteger.Type {
            self.init(pointer: pointer, reason: "Expected a whole number \(Self.range(of: integer)).")
        } else if type is any BinaryFloatingPoint.Type || type is Decimal.Type
            || type is Date.Type && [.secondsSince1970, .millisecondsSince1970].contains(coder.dates)
        {
            self.init(pointer: pointer, reason: Self.outOfRange)
        } else {
            return nil
        }
    }

    private static func range<Number: FixedWidthInteger>(of type: Number.Type) -> String {
        "from \(Number.min) to \(Number.max)"
    }

    /// Returns the name that JSON has for a type's values, with its article: `a string`.
    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type, is Decimal.Type: "a number"
        case is [Any].Type: "an array"
        case is [String: Any].Type: "an object"
        default: "another type of value"
        }
    }

    /// Returns the message of the type's author, as a sentence. Messages of the standard library and of Foundation name
    /// a Swift type or sound unlike others, so they are replaced; JSONDecodingTests fails if another toolchain has
    /// others.
    private static func sentence(_ context: DecodingError.Context) -> String {
        if context.isAboutChoice { return "This is not one of the allowed values." }
        let text = context.debugDescription
        if text.hasPrefix("Could not convert key ") { return "This is not known here." }
        if text.hasPrefix("Attempted to decode UUID ") { return "Expected a UUID." }
        if text.hasPrefix("Invalid URL string") { return "Expected a URL." }
        if text.hasPrefix("Encountered Data is not valid Base64") { return "Expected a string in base64." }
        return text.hasSuffix(".") ? text : "\(text)."
    }
}

extension DecodingError.Context {
    /// Whether it is about a raw value that an enumeration does not have. Only its text says so. JSONDecodingTests
    /// fails if another toolchain has another.
    package var isAboutChoice: Bool { debugDescription.utf8.starts(with: "Cannot initialize ".utf8) }
}
