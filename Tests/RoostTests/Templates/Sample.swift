@testable import Roost

/// A value of any shape, written as a literal, which is a page both as an `Encodable` and as `SelfWriting`.
indirect enum Sample: Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case text(String)
    case list([Sample])
    case object([(String, Sample)])
}

extension Sample: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(nilLiteral: ()) { self = .null }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(floatLiteral value: Double) { self = .double(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: Sample...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, Sample)...) { self = .object(elements) }
}

extension Sample: Encodable {
    private struct Field: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .list(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let fields):
            var container = encoder.container(keyedBy: Field.self)
            for (name, value) in fields { try container.encode(value, forKey: Field(stringValue: name)) }
        default: try encodePlain(encoder.singleValueContainer())
        }
    }

    private func encodePlain(_ container: any SingleValueEncodingContainer) throws {
        var container = container
        switch self {
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        default: try container.encodeNil()
        }
    }
}

/// An object of samples that writes itself, and may hold a lambda under a name.
struct SampleData: SelfWriting {
    let members: [(String, Sample)]
    var lambdas: [(String, TemplateLambda)] = []

    init(sample: Sample, lambdas: [(String, TemplateLambda)] = []) {
        if case .object(let members) = sample { self.members = members } else { members = [] }
        self.lambdas = lambdas
    }

    func write(to fields: inout Fields) {
        for (name, value) in members {
            if case .object = value {
                fields.add(named: name, SampleData(sample: value))
            } else {
                fields.add(named: name, value)
            }
        }
        for (name, lambda) in lambdas { fields.add(named: name, lambda) }
    }

    func encode(to encoder: any Encoder) {}
}

/// One case of a table: a template, its data and partials, and what must come out.
struct MustacheCase: Sendable, CustomStringConvertible {
    let name: String
    let template: String
    let data: Sample
    let expected: String
    let partials: [String: String]

    init(
        _ name: String, _ template: String, _ data: Sample = [:], _ expected: String, partials: [String: String] = [:]
    ) {
        self.name = name
        self.template = template
        self.data = data
        self.expected = expected
        self.partials = partials
    }

    var description: String { name }

    private var sources: [String: String] { partials.merging(["main": template]) { $1 } }

    /// Returns the rendering of data that encodes itself, with the specification's leniency.
    func encoded() throws -> String {
        let templates = try Templates(sources: sources, missingNames: .empty)
        return String(decoding: try templates.render("main", data), as: UTF8.self)
    }

    /// Returns the rendering of data that writes itself, if it is an object.
    func written() throws -> String {
        guard case .object = data else { return try encoded() }
        let templates = try Templates(sources: sources, missingNames: .empty)
        return String(decoding: try templates.render("main", SampleData(sample: data)), as: UTF8.self)
    }
}
