/// The comparison of a JSON value with a schema: as much of JSON Schema as ``SchemaBook`` writes. Keywords that it does
/// not know are no faults.
struct SchemaCheck {
    /// The description whose schemas others refer to.
    let document: JSONValue
    /// The most faults that are noted.
    private static let most = 5
    private(set) var faults: [String] = []

    init(_ document: JSONValue) { self.document = document }

    /// Notes the faults of a value.
    /// - Parameter pointer: The JSON pointer to it (RFC 6901).
    mutating func check(_ value: JSONValue, _ schema: JSONValue, at pointer: String = "") {
        guard faults.count < Self.most else { return }
        let schema = document.resolved(schema)
        if let choices = schema["anyOf"]?.elements {
            let isFine = choices.contains { choice in
                var other = SchemaCheck(document)
                other.check(value, choice)
                return other.faults.isEmpty
            }
            return isFine ? () : note(pointer, "is none of the alternatives")
        }
        if let type = schema["type"], !Self.types(type).contains(where: value.isOf) {
            return note(pointer, "is not \(Self.types(type).joined(separator: " or "))")
        }
        if let choices = schema["enum"]?.elements, value != .null, !choices.contains(value) {
            note(pointer, "is none of the choices")
        }
        checkLimits(value, schema, pointer)
        for (index, element) in value.elements.enumerated() {
            check(element, schema["items"] ?? [:], at: "\(pointer)/\(index)")
        }
        checkMembers(value, schema, pointer)
    }

    private static func types(_ type: JSONValue) -> [String] { ([type] + type.elements).compactMap(\.text) }

    private mutating func checkLimits(_ value: JSONValue, _ schema: JSONValue, _ pointer: String) {
        if let number = value.double {
            if let least = schema["minimum"]?.double, number < least { note(pointer, "is too small") }
            if let most = schema["maximum"]?.double, number > most { note(pointer, "is too large") }
        }
        if let text = value.text {
            let count = Double(text.unicodeScalars.count)
            if let least = schema["minLength"]?.double, count < least { note(pointer, "is too short") }
            if let most = schema["maxLength"]?.double, count > most { note(pointer, "is too long") }
        }
        if case .array(let entries) = value {
            let count = Double(entries.count)
            if let least = schema["minItems"]?.double, count < least { note(pointer, "has too few entries") }
            if let most = schema["maxItems"]?.double, count > most { note(pointer, "has too many entries") }
        }
    }

    private mutating func checkMembers(_ value: JSONValue, _ schema: JSONValue, _ pointer: String) {
        guard case .object(let members) = value, schema["properties"] != nil || schema["additionalProperties"] != nil
        else { return }
        let names = Set(members.map { ExactText($0.name) })
        for name in schema["required"]?.elements.compactMap(\.text) ?? [] where !names.contains(ExactText(name)) {
            note("\(pointer)/\(name)", "is missing")
        }
        for member in members {
            if let own = schema["properties"]?[member.name] ?? schema["additionalProperties"] {
                check(member.value, own, at: "\(pointer)/\(member.name)")
            } else {
                note("\(pointer)/\(member.name)", "is not described")
            }
        }
    }

    private mutating func note(_ pointer: String, _ what: String) {
        faults.append("\(pointer.isEmpty ? "the content" : pointer) \(what)")
    }
}

extension JSONValue {
    /// The part of this document to which a value refers, or the value itself if it is no reference.
    func resolved(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.text else { return value }
        return reference.split(separator: "/").dropFirst().reduce(self) { $0[String($1)] ?? [:] }
    }

    /// Whether it is of a type of JSON Schema.
    fileprivate func isOf(_ type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .integer: type == "integer" || type == "number"
        case .number(let number): type == "number" || type == "integer" && number == number.rounded()
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
