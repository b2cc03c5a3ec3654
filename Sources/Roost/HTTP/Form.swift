/// Names and values of a query or of a submitted form, in the order sent (`application/x-www-form-urlencoded`,
/// WHATWG URL §5.1).
public struct Form: Sendable, Equatable {
    /// One name and its value.
    public struct Field: Sendable, Equatable {
        /// The name.
        public var name: String
        /// The value, empty when none was given.
        public var value: String
    }

    /// All fields in order.
    public private(set) var fields: [Field] = []

    /// A form of these names and values.
    public init(_ fields: [(String, String)] = []) {
        self.fields = fields.map { Field(name: $0.0, value: $0.1) }
    }

    /// Adds a field at the end.
    mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// The maximum number of fields that are read from a query, or from a form whose handler sets no other limit; other
    /// frameworks use the same number.
    public static let maximumFields = 1000

    /// Whether no field was left out.
    private(set) var isWhole = true

    /// Whether all names and values were UTF-8; what was not has become U+FFFD.
    private(set) var isUTF8 = true

    /// The first fields of a text, up to a maximum number.
    init(urlEncoded bytes: UnsafeBufferPointer<UInt8>, maximumFields: Int = Form.maximumFields) {
        if bytes.isEmpty { return }
        var rest = bytes
        fields.reserveCapacity(min(maximumFields, 1 + bytes.count { $0 == UInt8(ascii: "&") }))
        while !rest.isEmpty {
            let end = rest.firstOffset(of: UInt8(ascii: "&")) ?? rest.count
            let pair = UnsafeBufferPointer(rebasing: rest[..<end])
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(end + 1))
            if pair.isEmpty { continue }
            guard fields.count < maximumFields else {
                isWhole = false
                return
            }
            fields.append(Field(pair, isUTF8: &isUTF8))
        }
    }

    /// The fields as they are written in a query or in a form's body, percent-encoded.
    ///
    ///     Self.search.url() + "?" + Form([("tree", "old oak")]).urlEncoded         // "/search?tree=old%20oak"
    public var urlEncoded: String {
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 }
        var text: [UInt8] = []
        text.reserveCapacity(size)
        for field in fields {
            if !text.isEmpty { text.append(UInt8(ascii: "&")) }
            PercentEncoding.append(field.name, to: &text)
            text.append(UInt8(ascii: "="))
            PercentEncoding.append(field.value, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first value of a name; nil when there is none.
    public subscript(name: String) -> String? {
        fields.first { $0.hasName(name) }?.value
    }

    /// All values of a name.
    public subscript(values name: String) -> [String] {
        fields.filter { $0.hasName(name) }.map(\.value)
    }
}

extension Form.Field {
    /// One pair from a text.
    fileprivate init(_ pair: UnsafeBufferPointer<UInt8>, isUTF8: inout Bool) {
        let equals = pair.firstOffset(of: UInt8(ascii: "=")) ?? pair.count
        name = Self.text(UnsafeBufferPointer(rebasing: pair[..<equals]), &isUTF8)
        value = Self.text(UnsafeBufferPointer(rebasing: pair.dropFirst(equals + 1)), &isUTF8)
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ isUTF8: inout Bool) -> String {
        let isEncoded = bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        guard isEncoded else { return text(decoded: bytes, &isUTF8) }
        return PercentEncoding.decoded(bytes, plusIsSpace: true).withUnsafeBufferPointer { text(decoded: $0, &isUTF8) }
    }

    private static func text(decoded bytes: UnsafeBufferPointer<UInt8>, _ isUTF8: inout Bool) -> String {
        // Bytes that are not UTF-8 become others. `String(validating:as:)` would take three times as long.
        var text = String(decoding: bytes, as: UTF8.self)
        if isUTF8 { isUTF8 = text.withUTF8 { $0.hasSameBytes(as: bytes) } }
        return text
    }

    /// Whether this is its name, byte for byte: a `String` is also equal to others that only look like it.
    fileprivate func hasName(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}

extension Form: ExpressibleByDictionaryLiteral {
    /// Fields in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements)
    }
}
