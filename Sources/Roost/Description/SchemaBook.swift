// A type's schema is what its `init(from:)` or `encode(to:)` asks a coder for. A decoder that has no text answers each
// question with a sample and notes the question; an encoder that writes nothing notes what a sample writes. Both are
// asked at start only, and stop at types that are being looked at already, which then refer to themselves.

/// The schemas of an application's types (JSON Schema 2020-12), by observing the types.
final class SchemaBook {
    /// The side from which a type is seen: what is read may leave out more than what is written.
    enum Direction: String, CaseIterable {
        case input = "Input"
        case output = "Output"
        /// A member that is read by a type which does not check its rules.
        case unchecked = "Unchecked"
    }

    /// A type as it is seen from one side, in one convention.
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let direction: Direction
        let convention: String
    }

    /// The convention of the routes that are being described.
    var coder: JSONCoder
    /// Whether these are the schemas of forms and queries, which stand where they are used instead of among the
    /// components.
    let isInline: Bool
    /// The schemas of objects and choices, by the names under which others refer to them.
    private(set) var components: [JSONValue.Member] = []
    /// Sentences about rules that are left out.
    private(set) var warnings: [String] = []
    private var names: [Key: String] = [:]
    /// The names that a schema refers to.
    private var referred: Set<String> = []
    private var samples: [ObjectIdentifier: Any] = [:]
    private var underway: Set<ObjectIdentifier> = []
    /// The types around the one that is looked at, where each stands inline.
    private var within: Set<Key> = []

    init(_ coder: JSONCoder, isInline: Bool = false) {
        self.coder = coder
        self.isInline = isInline
    }

    /// The schema of a type's values in JSON, or a reference to it.
    /// - Throws: ``Undescribable`` for a type that hides it.
    func schema(of type: any Any.Type, _ direction: Direction) throws -> JSONValue {
        func open<Value>(_ type: Value.Type) throws -> JSONValue { try schema(opened: type, direction) }
        return try open(type)
    }

    private func schema<Value>(opened type: Value.Type, _ direction: Direction) throws -> JSONValue {
        if let leaf = SchemaLeaf(type, coder) { return leaf.schema }
        if let type = type as? any SchemaWrapping.Type { return try type.schema(in: self, direction) }
        let key = Key(type: ObjectIdentifier(type), direction: direction, convention: convention)
        if let name = names[key] {
            referred.insert(name)
            return ["$ref": .string("#/components/schemas/" + name)]
        }
        if isInline {
            guard within.insert(key).inserted else { throw Undescribable(type, "it contains itself") }
            defer { within.remove(key) }
            return try made(type, direction)
        }
        return try add(type, key)
    }

    private var convention: String { "\(coder.keys) \(coder.dates) \(coder.nils) \(coder.floats)" }

    /// Adds a type to the components if its schema is worth a name: if it is an object's, has choices, or refers to
    /// itself.
    private func add<Value>(_ type: Value.Type, _ key: Key) throws -> JSONValue {
        let others = Direction.allCases.filter { $0 != key.direction }.compactMap { other in
            names[Key(type: key.type, direction: other, convention: convention)]
        }
        for name in others {
            guard let place = components.firstIndex(where: { $0.name == name }) else { continue }
            let before = (names, components, referred)
            referred.remove(name)
            names[key] = name
            let schema = try made(type, key.direction)
            if schema == components[place].value { return ["$ref": .string("#/components/schemas/" + name)] }
            // What lies inside may refer to it as if both sides were the same.
            if referred.contains(name) { (names, components, referred) = before }
            referred.formUnion(before.2)
        }
        let own = others.min { $0.utf8.count < $1.utf8.count }
        let name = own.map { $0 + key.direction.rawValue } ?? Self.name(of: type)
        return try keep(type, key, free(name))
    }

    private func keep<Value>(_ type: Value.Type, _ key: Key, _ name: String) throws -> JSONValue {
        names[key] = name
        let place = components.count
        components.append(JSONValue.Member(name, .null))
        let schema = try made(type, key.direction)
        let isNamed = schema["properties"] != nil || schema["enum"] != nil || referred.contains(name)
        if isNamed {
            components[components.firstIndex { $0.name == name } ?? place].value = schema
            return ["$ref": .string("#/components/schemas/" + name)]
        }
        names[key] = nil
        components.removeAll { $0.name == name }
        return schema
    }

    /// A name that no other type has.
    private func free(_ name: String) -> String {
        var (free, number) = (name, 1)
        while components.contains(where: { $0.name == free }) {
            number += 1
            free = "\(name)\(number)"
        }
        return free
    }

    /// The name of a key in JSON.
    func name(of key: any CodingKey) -> String { name(of: key.stringValue) }

    func name(of key: String) -> String {
        if case .snakeCase = coder.keys, key != SchemaNote.anyKey { return JSONSnakeCase.of(key) }
        return key
    }

    /// The key that the coder makes of a name in snake case; nil in another convention.
    func key(reading name: String) -> String? {
        guard case .snakeCase = coder.keys, let object = try? JSONCoder().encode([name: 0]) else { return nil }
        return try? JSONCoder(keys: .snakeCase).decode(ReadKey.self, from: object).text
    }

    /// The key of an object's only member, as a type is given it.
    private struct ReadKey: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try decoder.container(keyedBy: PathKey.self).allKeys.first?.stringValue
        }
    }

    /// `App.User.Summary` is called `UserSummary`, and `App.Page<App.User>` `PageUser`. A name has letters of ASCII
    /// only (OpenAPI 3.1 §4.8.7): a type without any is called `Type`.
    static func name(of type: any Any.Type) -> String {
        let name = String(reflecting: type).replacing(/\([^)]*\)\./, with: "").split { "<>, ".contains($0) }
            .map { $0.split(separator: ".").dropFirst().joined() }
        let ascii = name.joined().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return ascii.isEmpty ? "Type" : ascii
    }

    private func made<Value>(_ type: Value.Type, _ direction: Direction) throws -> JSONValue {
        let own = type as? any Described.Type
        if let schema = own?.schema { return try withExample(schema, own) }
        if let choices = try choices(of: type) { return choices }
        let note = SchemaNote(self, direction)
        switch direction {
        case .input, .unchecked:
            guard let type = type as? any Decodable.Type else { throw Undescribable(type, "it is not Decodable") }
            let value = try observe(type, note)
            if let mistake = note.mistake { throw Undescribable(type, mistake) }
            let (rules, parts) = direction == .input ? Validation.rules(of: value) : (rules: [], parts: [])
            for key in try note.finish(checked: parts) { warn(type, key) }
            return try withExample(note.schema.with(rules: rules, named: name(of:)), own)
        case .output:
            let value = try sample(of: type)
            guard let value = value as? any Encodable else { throw Undescribable(type, "it is not Encodable") }
            try value.encode(to: SchemaEncoder(note))
            return try withExample(note.schema, own)
        }
    }

    private func warn(_ type: any Any.Type, _ key: String) {
        let warning =
            "The API's description leaves out the rules of \(type)'s member \(key), which \(type) does not check, or "
            + "not in all cases: write check(\"\(key)\", &\(key)) in its validate, outside of any if."
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    private func withExample(_ schema: JSONValue, _ type: (any Described.Type)?) throws -> JSONValue {
        guard let example = type?.example as? any Encodable, schema["examples"] == nil else { return schema }
        var schema = schema
        schema["examples"] = [try json(example)]
        return schema
    }

    /// The schema of a type that lists all its values, if they are texts or numbers in JSON.
    private func choices<Value>(of type: Value.Type) throws -> JSONValue? {
        guard let type = type as? any CaseIterable.Type else { return nil }
        let values = try Self.cases(of: type).map { one in
            if let one = one as? any Encodable { return try json(one) }
            guard let raw = (one as? any RawRepresentable)?.rawValue as? any Encodable else { return .null }
            return try json(raw)
        }
        if values.allSatisfy({ $0.text != nil }) { return ["type": "string", "enum": .array(values)] }
        if values.allSatisfy({ $0.double != nil }) {
            let areWhole = values.allSatisfy { if case .integer = $0 { true } else { false } }
            return ["type": areWhole ? "integer" : "number", "enum": .array(values)]
        }
        return nil
    }

    private static func cases<Choice: CaseIterable>(of type: Choice.Type) -> [Any] { type.allCases.map { $0 } }

    private func json(_ value: some Encodable) throws -> JSONValue {
        try JSONCoder().decode(JSONValue.self, from: coder.encode(value))
    }
}

// MARK: - Samples

extension SchemaBook {
    /// A value of a type, for others to go on with.
    /// - Throws: ``Undescribable`` if none can be made.
    func sample<Value>(of type: Value.Type) throws -> Value {
        if let sample = samples[ObjectIdentifier(type)] as? Value { return sample }
        let sample = try makeSample(of: type)
        samples[ObjectIdentifier(type)] = sample
        return sample
    }

    private func makeSample<Value>(of type: Value.Type) throws -> Value {
        if let value = SchemaLeaf(type, coder)?.samples.first as? Value { return value }
        if let value = (type as? any SchemaWrapping.Type)?.empty as? Value { return value }
        if let value = (type as? any Described.Type)?.example as? Value { return value }
        if let type = type as? any CaseIterable.Type, let value = Self.cases(of: type).first as? Value { return value }
        guard underway.insert(ObjectIdentifier(type)).inserted else {
            throw Undescribable(type, "it contains itself")
        }
        defer { underway.remove(ObjectIdentifier(type)) }
        var mistake: Undescribable?
        if let type = type as? any Decodable.Type {
            do {
                let sample = try observe(type, SchemaNote(self, .input, makesSampleOnly: true))
                if let sample = sample as? Value { return sample }
            } catch {
                mistake = error as? Undescribable
            }
        }
        do {
            return try StructSample.make(type) { type in
                func open<Field>(_ type: Field.Type) throws -> Any { try self.sample(of: type) }
                return try open(type)
            }
        } catch {
            throw mistake ?? error
        }
    }

    /// Calls a type's `init(from:)` with one sample after the other, until it takes one.
    private func observe<Value: Decodable>(_ type: Value.Type, _ note: SchemaNote) throws -> Value {
        var failure: (any Error)?
        for attempt in 0..<SchemaLeaf.attempts {
            note.begin(attempt)
            do {
                let value = try Value(from: SchemaDecoder(note))
                if Self.isOneOfUnknown(value) {
                    // One that also takes a text that none of its cases has takes any.
                    note.begin(SchemaLeaf.attempts - 1)
                    guard Self.hasText(value), (try? Value(from: SchemaDecoder(note))) != nil else {
                        throw Undescribable(type, "its cases are not listed; make it CaseIterable")
                    }
                }
                return value
            } catch {
                if error is Undescribable { throw error }
                failure = failure ?? error
            }
        }
        if let value = (type as? any Described.Type)?.example as? Value { return value }
        let advice = type is any RawRepresentable.Type ? "make it CaseIterable" : "conform it to Described"
        throw Undescribable(type, "its init(from:) takes none of the samples it is tried with; \(advice)")
    }

    private static func hasText(_ value: Any) -> Bool { (value as? any RawRepresentable)?.rawValue is String }

    /// Whether a value is a case of an enumeration that does not list its cases: a sample was one of them by chance.
    private static func isOneOfUnknown(_ value: Any) -> Bool {
        guard value is any RawRepresentable, !(value is any CaseIterable), !(value is any Described) else {
            return false
        }
        // A case with a value of its own may be any other text or number.
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }
}

/// The error for a type whose schema cannot be observed, in a sentence for the application's author.
struct Undescribable: Error, CustomStringConvertible {
    let type: any Any.Type
    let reason: String

    init(_ type: any Any.Type, _ reason: String) {
        self.type = type
        self.reason = reason
    }

    var description: String { "\(type) cannot be described: \(reason)." }
}
