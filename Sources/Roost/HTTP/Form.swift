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

    init(urlEncoded bytes: some Collection<UInt8>) {
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            fields.append(
                Field(
                    name: PercentEncoding.decodedText(parts[0], plusIsSpace: true),
                    value: parts.count > 1 ? PercentEncoding.decodedText(parts[1], plusIsSpace: true) : ""
                )
            )
        }
    }

    /// The fields as they stand in a query or in a form's body.
    public var urlEncoded: String {
        fields.map { PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value) }.joined(separator: "&")
    }

    /// The first value of a name, nil when there is none.
    public subscript(name: String) -> String? {
        fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// All values of a name.
    public subscript(values name: String) -> [String] {
        fields.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }
}

extension Form: ExpressibleByDictionaryLiteral {
    /// Fields in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements)
    }
}
