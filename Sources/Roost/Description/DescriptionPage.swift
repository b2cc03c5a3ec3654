/// The page on which people read the description of an API and try its requests. It is rendered at start.
struct DescriptionPage: Encodable {
    private let title: String
    private let version: String
    private let about: String
    private let document: String
    private let style: String
    private let script: String
    private let needsToken: Bool
    private let sections: [Section]
    private let types: [NamedSchema]

    /// The operations of one tag.
    private struct Section: Encodable {
        let name: String
        var operations: [Operation]
    }

    private struct Operation: Encodable {
        let id: String
        let method: String
        let methodName: String
        let path: String
        let summary: String
        let details: String
        let isDeprecated: Bool
        let credentials: String
        let hasParameters: Bool
        let parameters: [Parameter]
        let hasBody: Bool
        let bodyType: String
        let body: String
        let example: String
        let isTryable: Bool
        let responses: [Answer]
    }

    private struct Parameter: Encodable {
        let id: String
        let name: String
        let place: String
        let type: String
        let isRequired: Bool
        let text: String
    }

    private struct Answer: Encodable {
        let status: String
        let text: String
        let headers: [Field]
        let schema: String
    }

    private struct Field: Encodable {
        let name: String
        let text: String
    }

    private struct NamedSchema: Encodable {
        let name: String
        let schema: String
    }

    init(_ api: APIDescription, _ document: JSONValue) {
        title = api.title
        version = api.version
        about = api.about ?? ""
        self.document = api.document
        style = (api.page ?? "") + "/style.css"
        script = (api.page ?? "") + "/try.js"
        let text = SchemaText(document)
        needsToken = document["components"]?["securitySchemes"]?["bearer"] != nil
        var sections: [Section] = []
        for path in document["paths"]?.members ?? [] {
            for one in path.value.members {
                let tag = one.value["tags"]?.elements.first?.text ?? ""
                let operation = Self.operation(one, path.name, text)
                if let place = sections.firstIndex(where: { $0.name == tag }) {
                    sections[place].operations.append(operation)
                } else {
                    sections.append(Section(name: tag, operations: [operation]))
                }
            }
        }
        self.sections = sections
        types = (document["components"]?["schemas"]?.members ?? []).map {
            NamedSchema(name: $0.name, schema: text.text(of: $0.value))
        }
    }

    private static func operation(_ one: JSONValue.Member, _ path: String, _ text: SchemaText) -> Operation {
        let operation = one.value
        let id = operation["operationId"]?.text ?? ""
        let content = operation["requestBody"]?["content"]?.members.first
        let parameters = (operation["parameters"]?.elements ?? []).map { parameter in
            let name = parameter["name"]?.text ?? ""
            return Parameter(
                id: "\(id)-\(name)", name: name, place: parameter["in"]?.text ?? "",
                type: text.text(of: parameter["schema"] ?? [:]), isRequired: parameter["required"] == true,
                text: parameter["description"]?.text ?? "")
        }
        let method = one.name.hasPrefix("x-") ? String(one.name.dropFirst(2)) : one.name
        return Operation(
            id: id, method: method, methodName: method.uppercased(), path: path,
            summary: operation["summary"]?.text ?? "", details: operation["description"]?.text ?? "",
            isDeprecated: operation["deprecated"] == true, credentials: credentials(operation),
            hasParameters: !parameters.isEmpty, parameters: parameters, hasBody: content != nil,
            bodyType: content?.name ?? "", body: text.whole(of: content?.value["schema"] ?? [:]),
            example: content.map { text.example(of: $0.value["schema"] ?? [:]) } ?? "",
            isTryable: content?.name != "multipart/form-data",
            responses: (operation["responses"]?.members ?? []).map { answer($0, text) })
    }

    private static func credentials(_ operation: JSONValue) -> String {
        (operation["security"]?.elements ?? []).map { choice in
            choice.members.map { member in
                let scopes = member.value.elements.compactMap(\.text)
                return member.name + (scopes.isEmpty ? "" : " (\(scopes.joined(separator: ", ")))")
            }.joined(separator: " and ")
        }.joined(separator: ", or ")
    }

    private static func answer(_ one: JSONValue.Member, _ text: SchemaText) -> Answer {
        let answer = text.document.resolved(one.value)
        let schema = answer["content"]?.members.first?.value["schema"]
        let isProblem = answer["content"]?.members.first?.name == "application/problem+json"
        return Answer(
            status: one.name == "default" ? "other" : one.name, text: answer["description"]?.prose ?? "",
            headers: (answer["headers"]?.members ?? []).map {
                Field(name: $0.name, text: $0.value["description"]?.prose ?? "")
            },
            schema: isProblem ? "" : schema.map { text.whole(of: $0) } ?? "")
    }

    /// The page in HTML.
    func html() throws -> [UInt8] {
        let templates = try Templates(sources: ["page": Self.template], missingNames: .empty)
        return try templates.render("page", self)
    }
}

extension JSONValue {
    /// A text without the marks of code in Markdown.
    fileprivate var prose: String? { text?.filter { $0 != "`" } }
}

/// Schemas as texts for people.
struct SchemaText {
    let document: JSONValue

    init(_ document: JSONValue) { self.document = document }

    /// A schema with its name, if it has one.
    func whole(of schema: JSONValue) -> String {
        let name = text(of: schema)
        return schema["$ref"] == nil ? name : name + " " + text(of: document.resolved(schema))
    }

    /// A schema in a notation that resembles TypeScript's. Other types are named.
    func text(of schema: JSONValue, indent: String = "") -> String {
        if let name = schema["$ref"]?.text?.split(separator: "/").last { return String(name) }
        if let choices = schema["anyOf"]?.elements {
            return choices.map { text(of: $0, indent: indent) }.joined(separator: " or ")
        }
        if let choices = schema["enum"]?.elements { return choices.map(Self.json).joined(separator: " or ") }
        if let properties = schema["properties"]?.members {
            let lines = properties.map { one in
                let mark = schema.requires(one.name) ? "" : "?"
                return "\(indent)  \(one.name)\(mark): \(text(of: one.value, indent: indent + "  "))"
            }
            return "{\n\(lines.joined(separator: "\n"))\n\(indent)}"
        }
        if let items = schema["items"] { return "list of " + text(of: items, indent: indent) }
        if let values = schema["additionalProperties"] { return "object of " + text(of: values, indent: indent) }
        guard let type = schema["type"] else { return "any value" }
        let types = ([type] + type.elements).compactMap(\.text).joined(separator: " or ")
        let limits = Self.limits(schema)
        return limits.isEmpty ? types : "\(types) (\(limits.joined(separator: ", ")))"
    }

    private static func limits(_ schema: JSONValue) -> [String] {
        var limits: [String] = []
        if let format = schema["format"]?.text, !format.hasPrefix("int") { limits.append(format) }
        if let text = range(schema["minLength"], schema["maxLength"]) {
            limits.append(text + (text.hasSuffix(" 1") ? " character" : " characters"))
        }
        let isBare = schema["minimum"]?.double == Double(Int.min)
        if !isBare, let text = range(schema["minimum"], schema["maximum"]) { limits.append(text) }
        if let pattern = schema["pattern"]?.text, pattern != #"\S"# { limits.append("matches " + pattern) }
        return limits
    }

    private static func range(_ least: JSONValue?, _ most: JSONValue?) -> String? {
        switch (least, most) {
        case (let least?, let most?): "\(json(least)) to \(json(most))"
        case (let least?, nil): "at least \(json(least))"
        case (nil, let most?): "at most \(json(most))"
        case (nil, nil): nil
        }
    }

    private static func json(_ value: JSONValue) -> String { (try? JSONCoder().string(value)) ?? "" }

    /// A value that fits a schema, as JSON to begin with.
    func example(of schema: JSONValue) -> String {
        (try? JSONCoder(layout: .pretty).string(sample(of: schema, depth: 0))) ?? ""
    }

    private func sample(of schema: JSONValue, depth: Int) -> JSONValue {
        let schema = document.resolved(schema)
        if let example = schema["examples"]?.elements.first ?? schema["enum"]?.elements.first { return example }
        if let first = schema["anyOf"]?.elements.first {
            return depth > 4 ? .null : sample(of: first, depth: depth + 1)
        }
        switch schema["type"]?.text ?? schema["type"]?.elements.first?.text {
        case "object":
            let members = schema["properties"]?.members ?? []
            let required = members.filter { schema.requires($0.name) }
            return .object(
                (depth > 4 ? [] : required.isEmpty ? members : required).map {
                    JSONValue.Member($0.name, sample(of: $0.value, depth: depth + 1))
                })
        case "array": return depth > 4 ? [] : .array([sample(of: schema["items"] ?? [:], depth: depth + 1)])
        case "integer", "number": return schema["minimum"].flatMap { ($0.double ?? -1) >= 0 ? $0 : nil } ?? .integer(0)
        case "boolean": return false
        case "string": return .string(Self.samples[schema["format"]?.text ?? ""] ?? "text")
        default: return .null
        }
    }

    private static let samples = [
        "date-time": "2026-01-31T12:00:00Z", "email": "name@example.com", "uri": "https://example.com/",
        "uuid": "0b5bff94-3c4b-4a7b-8f06-8d3c2f3b6a10",
    ]
}
