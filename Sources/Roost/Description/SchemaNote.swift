/// The notes of one observation: what a type has asked its coder for.
final class SchemaNote {
    /// A member of an object.
    private struct Member {
        let name: String
        /// Its key, as the type has it.
        let key: String
        var schema: JSONValue?
        /// The observation of a container inside this one.
        var inner: SchemaNote?
        var isRequired = true
        var isNullable = false
        /// Its type, if that has rules of its own, until it is known whether they are checked.
        var ruled: (any Any.Type)?
    }

    /// The name of a key that is asked for where the type takes any keys.
    static let anyKey = "any key"

    let book: SchemaBook
    let direction: SchemaBook.Direction
    /// Whether only a sample is wanted, so that nothing is noted.
    let makesSampleOnly: Bool
    /// The number of the samples to answer with.
    private(set) var attempt = 0
    private var members: [Member] = []
    private var isObject = false
    private var element: SchemaNote?
    private var single: JSONValue?

    init(_ book: SchemaBook, _ direction: SchemaBook.Direction, makesSampleOnly: Bool = false, attempt: Int = 0) {
        self.book = book
        self.direction = direction
        self.makesSampleOnly = makesSampleOnly
        self.attempt = attempt
    }

    /// Forgets everything, for another attempt.
    func begin(_ attempt: Int) {
        self.attempt = attempt
        (members, isObject, element, single) = ([], false, nil, nil)
    }

    /// Notes that the value is an object.
    func noteObject() { isObject = true }

    /// Notes a member.
    func note(_ key: any CodingKey, _ type: any Any.Type) throws {
        guard !makesSampleOnly else { return }
        if direction == .input, type is any Validatable.Type { return change(key) { $0.ruled = type } }
        let schema = try book.schema(of: type, direction)
        change(key) { $0.schema = schema }
    }

    /// Adds the schemas of the members with rules of their own, without these where the type does not check them.
    /// - Parameter checked: The fields that the type checks by their own rules; nil where it cannot tell them.
    /// - Returns: The keys of the members that it does not check.
    func finish(checked: Set<String>?) throws -> [String] {
        let checked = checked.map { Set($0.map { book.name(of: $0) }) }
        var unchecked: [String] = []
        for (place, member) in members.enumerated() {
            _ = try member.inner?.finish(checked: nil)
            guard let type = member.ruled else { continue }
            let isChecked = member.name == Self.anyKey || checked?.contains(member.name) ?? true
            if !isChecked { unchecked.append(member.key) }
            members[place].schema = try book.schema(of: type, isChecked ? .input : .unchecked)
        }
        _ = try element?.finish(checked: nil)
        return unchecked
    }

    /// The mistake of a type that is read, in words for its author; nil if there is none.
    var mistake: String? {
        for member in members where member.name != Self.anyKey {
            if let read = book.key(reading: member.name), read != member.key {
                return "its member \(member.key) is written \(member.name) and read as \(read); "
                    + "give it the coding key \(read)"
            }
        }
        return nil
    }

    /// Notes that a member may be left out.
    func noteOptional(_ key: any CodingKey) { change(key) { $0.isRequired = false } }

    /// Notes that a member may be null.
    func noteNullable(_ key: any CodingKey) { change(key) { $0.isNullable = true } }

    /// The notes of a container that is a member.
    func inner(_ key: any CodingKey) -> SchemaNote {
        let inner = inner()
        change(key) { $0.inner = inner }
        return inner
    }

    /// The notes of the elements of a list.
    func elements() -> SchemaNote {
        let inner = element ?? inner()
        element = inner
        return inner
    }

    /// Notes that the value is written as one of another type.
    func note(single type: any Any.Type) throws {
        if !makesSampleOnly, single == nil { single = try book.schema(of: type, direction) }
    }

    private func inner() -> SchemaNote {
        SchemaNote(book, direction, makesSampleOnly: makesSampleOnly, attempt: attempt)
    }

    private func change(_ key: any CodingKey, _ body: (inout Member) -> Void) {
        isObject = true
        let name = book.name(of: key)
        let place = members.firstIndex { ExactText($0.name) == ExactText(name) } ?? members.count
        if place == members.count { members.append(Member(name: name, key: key.stringValue)) }
        body(&members[place])
    }

    /// The schema of what was asked for; one of any value if nothing was.
    var schema: JSONValue {
        if isObject { return object }
        if let element { return ["type": "array", "items": element.schema] }
        return single ?? [:]
    }

    private var object: JSONValue {
        var schema: JSONValue = ["type": "object"]
        var properties: [JSONValue.Member] = []
        var required: [JSONValue] = []
        for member in members {
            var one = member.inner?.schema ?? member.schema ?? [:]
            if member.isNullable { one = one.orNull }
            guard member.name != Self.anyKey else {
                schema["additionalProperties"] = one
                continue
            }
            properties.append(JSONValue.Member(member.name, one))
            if member.isRequired { required.append(.string(member.name)) }
        }
        if !properties.isEmpty { schema["properties"] = .object(properties) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return schema
    }
}
