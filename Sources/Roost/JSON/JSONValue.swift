/// Any JSON value (RFC 8259 §3), for JSON whose shape no type describes. Its literals look like the JSON itself:
///
///     let schema: JSONValue = ["type": "string", "examples": ["AB12"]]
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int)
    /// Any other number. A whole number that is too large for an `Int` is read as one of these, rounded.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Names and values, in the order in which they are written. A decoded object has them in the order of the names.
    case object([Member])

    /// A name and its value in an object.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// A member with a name.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a member; nil if there is none, or this is not an object. Setting nil removes the member; setting a
    /// member of a value that is not an object turns it into one.
    public subscript(name: String) -> JSONValue? {
        get { members.first { ExactText($0.name) == ExactText(name) }?.value }
        set {
            var members = members
            let place = members.firstIndex { ExactText($0.name) == ExactText(name) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// The members of an object; none of anything else.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }

    /// The elements of a list; none of anything else.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The text; nil of anything else.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The number; nil of anything else.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension JSONValue: NamedByData {
    static var isUnordered: Bool { false }
}

extension JSONValue: Codable {
    /// Reads any value. The kinds are tried in an order in which few fail: a failure takes the longer the deeper the
    /// value lies.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !list.isAtEnd { elements.append(try list.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            // A dictionary's names are data: no convention changes them.
            do {
                let members = try container.decode([String: JSONValue].self)
                self = .object(members.sorted { $0.key < $1.key }.map { Member($0, $1) })
            } catch DecodingError.typeMismatch(_, let context)
                where context.codingPath.count == decoder.codingPath.count
            {
                // What is neither an object nor anything before is a number that no type holds.
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: JSONDecodingError.outOfRange)
            }
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements):
            var list = encoder.unkeyedContainer()
            for element in elements { try list.encode(element) }
        case .object(let members):
            var object = encoder.container(keyedBy: PathKey.self)
            for member in members { try object.encode(member.value, forKey: PathKey(stringValue: member.name)) }
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral text: String) { self = .string(text) }
    /// A number without a fraction.
    public init(integerLiteral number: Int) { self = .integer(number) }
    /// A number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// `true` or `false`.
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members.map { Member($0, $1) }) }
}
