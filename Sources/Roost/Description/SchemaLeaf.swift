import FoundationEssentials

/// The schema of a type that JSON has as it is: a text, a number, a date.
struct SchemaLeaf {
    let schema: JSONValue
    /// Values to try an `init(from:)` with, one after the other.
    let samples: [Any]

    /// The number of values that are tried.
    static let attempts = 6

    private static let texts = [
        "", "a", "a@example.com", "https://example.com/", "2026-01-31T12:00:00Z",
        "0b5bff94-3c4b-4a7b-8f06-8d3c2f3b6a10",
    ]

    /// A leaf, if the type is one.
    init?(_ type: any Any.Type, _ coder: JSONCoder) {
        if let number = type as? any FixedWidthInteger.Type {
            self.init(Self.schema(of: number), Self.numbers(number))
            return
        }
        switch type {
        case is String.Type, is Substring.Type: self.init(["type": "string"], Self.texts)
        case is Bool.Type: self.init(["type": "boolean"], [false, true])
        case is Double.Type: self.init(Self.schema(ofFloats: "double", coder.floats), [0.0, 1.0])
        case is Float.Type: self.init(Self.schema(ofFloats: "float", coder.floats), [Float(0), Float(1)])
        case is Decimal.Type: self.init(["type": "number"], [Decimal(0), Decimal(1)])
        case is Date.Type: self.init(Self.schema(of: coder.dates), [Date(timeIntervalSince1970: 0)])
        case is LocalDate.Type: self.init(["type": "string", "format": "date"], [LocalDate.placeholder])
        case is LocalDateTime.Type:
            self.init(
                [
                    "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$",
                    "examples": ["2026-01-31T12:00"],
                ],
                [LocalDateTime.placeholder])
        case is UUID.Type: self.init(["type": "string", "format": "uuid"], [UUID()])
        case is URL.Type:
            self.init(["type": "string", "format": "uri"], [URL(string: "https://example.com/")].compactMap { $0 })
        case is Data.Type: self.init(["type": "string", "contentEncoding": "base64"], [Data()])
        case is UploadedFile.Type:
            self.init(["type": "string", "format": "binary"], [UploadedFile(name: "", [])])
        case is JSONValue.Type: self.init([:], [JSONValue.null])
        default: return nil
        }
    }

    private init(_ schema: JSONValue, _ samples: [Any]) {
        self.schema = schema
        self.samples = samples
    }

    private static func schema(of dates: JSONCoder.Dates) -> JSONValue {
        switch dates {
        case .iso8601, .iso8601WithMilliseconds: ["type": "string", "format": "date-time"]
        case .secondsSince1970, .millisecondsSince1970: ["type": "number"]
        }
    }

    private static func schema(ofFloats format: String, _ floats: JSONCoder.Floats) -> JSONValue {
        let number: JSONValue = ["type": "number", "format": .string(format)]
        return switch floats {
        case .refused: number
        case .strings: ["anyOf": [number, ["type": "string", "enum": ["Infinity", "-Infinity", "NaN"]]]]
        }
    }

    private static func schema<Number: FixedWidthInteger>(of type: Number.Type) -> JSONValue {
        var schema: JSONValue = ["type": "integer"]
        if type.bitWidth >= 32, type.isSigned { schema["format"] = .string("int\(type.bitWidth)") }
        schema["minimum"] = Int(exactly: type.min).map { .integer($0) }
        schema["maximum"] = Int(exactly: type.max).map { .integer($0) } ?? .number(Double(type.max))
        return schema
    }

    private static func numbers<Number: FixedWidthInteger>(_ type: Number.Type) -> [Any] { [Number(0), Number(1)] }
}

/// A type whose schema is made of those of others: an optional, a list, a dictionary.
protocol SchemaWrapping {
    static func schema(in book: SchemaBook, _ direction: SchemaBook.Direction) throws -> JSONValue
    /// A value without any of the others.
    static var empty: Any { get }
}

extension Optional: SchemaWrapping {
    static func schema(in book: SchemaBook, _ direction: SchemaBook.Direction) throws -> JSONValue {
        try book.schema(of: Wrapped.self, direction).orNull
    }

    static var empty: Any { Self.none as Any }
}

extension SchemaWrapping where Self: Sequence & ExpressibleByArrayLiteral {
    static func schema(in book: SchemaBook, _ direction: SchemaBook.Direction) throws -> JSONValue {
        ["type": "array", "items": try book.schema(of: Element.self, direction)]
    }

    static var empty: Any { [] as Self }
}

extension Array: SchemaWrapping {}

extension Set: SchemaWrapping {}

extension Dictionary: SchemaWrapping {
    static func schema(in book: SchemaBook, _ direction: SchemaBook.Direction) throws -> JSONValue {
        guard Key.self == String.self || Key.self is any CodingKeyRepresentable.Type else {
            throw Undescribable(self, "its keys are no texts in JSON, so that it is written as a list")
        }
        return ["type": "object", "additionalProperties": try book.schema(of: Value.self, direction)]
    }

    static var empty: Any { Self() }
}

extension JSONValue {
    /// The same schema, or that of null.
    var orNull: JSONValue {
        var schema = self
        if let type = schema["type"] {
            guard type.text != nil, schema["enum"] == nil else { return self["enum"] == nil ? self : anyOfNull }
            schema["type"] = [type, "null"]
            return schema
        }
        return schema.members.isEmpty ? schema : anyOfNull
    }

    private var anyOfNull: JSONValue { ["anyOf": [self, .ofNull]] }

    /// The schema of null.
    static let ofNull: JSONValue = ["type": "null"]
}
