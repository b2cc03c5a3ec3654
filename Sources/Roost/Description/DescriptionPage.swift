/// The page on which people read the description of an API and try its requests. It is rendered at start.
///
/// Each object has every name that the template reads there: one that it had not would be looked up around it.
struct DescriptionPage {
    private let page: JSONValue

    init(_ api: APIDescription, _ document: JSONValue) {
        let text = SchemaText(document)
        var sections: [(tag: String, operations: [JSONValue])] = []
        for path in document["paths"]?.members ?? [] {
            for one in path.value.members {
                let tag = one.value["tags"]?.elements.first?.text ?? ""
                let operation = Self.operation(one, path.name, text)
                if let place = sections.firstIndex(where: { $0.tag == tag }) {
                    sections[place].operations.append(operation)
                } else {
                    sections.append((tag, [operation]))
                }
            }
        }
        let types = document["components"]?["schemas"]?.members ?? []
        let needsToken = document["components"]?["securitySchemes"]?["bearer"] != nil
        page = [
            "title": .string(api.title), "version": .string(api.version), "about": .string(api.about ?? ""),
            "document": .string(api.document), "style": .string(api.folder + "/style.css"),
            "script": .string(api.folder + "/try.js"), "needsToken": .bool(needsToken),
            "sections": .array(sections.map { ["name": .string($0.tag), "operations": .array($0.operations)] }),
            "types": .array(types.map { ["name": .string($0.name), "schema": .string(text.text(of: $0.value))] }),
        ]
    }

    private static func operation(_ one: JSONValue.Member, _ path: String, _ text: SchemaText) -> JSONValue {
        let operation = one.value
        let id = operation["operationId"]?.text ?? ""
        let content = operation["requestBody"]?["content"]?.members.first
        let schema = content?.value["schema"] ?? [:]
        let parameters = (operation["parameters"]?.elements ?? []).map { parameter($0, of: id, text) }
        let responses = (operation["responses"]?.members ?? []).map { answer($0, text) }
        let method = one.name.hasPrefix("x-") ? String(one.name.dropFirst(2)) : one.name
        return [
            "id": .string(id), "method": .string(method), "methodName": .string(method.uppercased()),
            "path": .string(path), "summary": operation.words("summary"), "details": operation.words("description"),
            "isDeprecated": .bool(operation["deprecated"] == true), "credentials": .string(credentials(operation)),
            "hasParameters": .bool(!parameters.isEmpty), "parameters": .array(parameters),
            "hasBody": .bool(content != nil), "bodyType": .string(content?.name ?? ""),
            "body": .string(text.whole(of: schema)),
            "example": .string(content == nil ? "" : text.example(of: schema)),
            "isTryable": .bool(content?.name != "multipart/form-data"), "responses": .array(responses),
        ]
    }

    private static func parameter(_ parameter: JSONValue, of operation: String, _ text: SchemaText) -> JSONValue {
        let name = parameter["name"]?.text ?? ""
        // The slashes between segments stay as they are.
        let hasSegments = parameter["in"] == "path" && parameter["schema"]?["format"] == "path"
        return [
            "id": .string("\(operation)-\(name)"), "name": .string(name), "place": parameter.words("in"),
            "part": hasSegments ? "segments" : parameter.words("in"),
            "type": .string(text.text(of: parameter["schema"] ?? [:])),
            "isRequired": .bool(parameter["required"] == true), "text": parameter.words("description"),
        ]
    }

    private static func credentials(_ operation: JSONValue) -> String {
        (operation["security"]?.elements ?? []).map { choice in
            choice.members.map { member in
                let scopes = member.value.elements.compactMap(\.text)
                return member.name + (scopes.isEmpty ? "" : " (\(scopes.joined(separator: ", ")))")
            }.joined(separator: " and ")
        }.joined(separator: ", or ")
    }

    private static func answer(_ one: JSONValue.Member, _ text: SchemaText) -> JSONValue {
        let answer = text.document.resolved(one.value)
        let content = answer["content"]?.members.first
        let schema = content?.name == "application/problem+json" ? nil : content?.value["schema"]
        let headers: [JSONValue] = (answer["headers"]?.members ?? []).map {
            ["name": .string($0.name), "text": .string($0.value["description"]?.prose ?? "")]
        }
        return [
            "status": .string(one.name == "default" ? "other" : one.name),
            "text": .string(answer["description"]?.prose ?? ""), "headers": .array(headers),
            "schema": .string(schema.map { text.whole(of: $0) } ?? ""),
        ]
    }

    /// The page in HTML.
    func html() throws -> [UInt8] {
        let templates = try Templates(sources: ["page": Self.template], missingNames: .empty)
        return try templates.render("page", page)
    }
}

extension JSONValue {
    /// The text of a member; an empty one if it has none.
    fileprivate func words(_ name: String) -> JSONValue { .string(self[name]?.text ?? "") }

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
        if let items = schema["items"] {
            return Self.limited("list", schema) + " of " + text(of: items, indent: indent)
        }
        if let values = schema["additionalProperties"] { return "object of " + text(of: values, indent: indent) }
        guard let type = schema["type"] else { return "any value" }
        let types = ([type] + type.elements).compactMap(\.text).joined(separator: " or ")
        return Self.limited(types, schema)
    }

    /// The name of a type, and the limits of a schema.
    private static func limited(_ name: String, _ schema: JSONValue) -> String {
        var limits: [String] = []
        if let format = schema["format"]?.text, !format.hasPrefix("int") { limits.append(format) }
        if let text = range(schema["minLength"], schema["maxLength"]) {
            limits.append(text + (text.hasSuffix(" 1") ? " character" : " characters"))
        }
        if let text = range(schema["minItems"], schema["maxItems"]) {
            limits.append(text + (text.hasSuffix(" 1") ? " entry" : " entries"))
        }
        let isBare = schema["minimum"]?.double == Double(Int.min)
        if !isBare, let text = range(schema["minimum"], schema["maximum"]) { limits.append(text) }
        if let pattern = schema["pattern"]?.text, pattern != #"\S"# { limits.append("matches " + pattern) }
        return limits.isEmpty ? name : "\(name) (\(limits.joined(separator: ", ")))"
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
        case "array":
            let entry = depth > 4 ? nil : sample(of: schema["items"] ?? [:], depth: depth + 1)
            return .array(entry.map { Array(repeating: $0, count: Self.count(for: schema)) } ?? [])
        case "integer", "number": return schema["minimum"].flatMap { ($0.double ?? -1) >= 0 ? $0 : nil } ?? .integer(0)
        case "boolean": return false
        case "string": return .string(Self.samples[schema["format"]?.text ?? ""] ?? Self.text(for: schema))
        default: return .null
        }
    }

    /// A number of entries that a schema wants, if that is not more than 10.
    private static func count(for schema: JSONValue) -> Int {
        let (least, most) = (schema["minItems"]?.double ?? 0, schema["maxItems"]?.double ?? 10)
        return Int(exactly: max(0, min(max(least, 1), most, 10)).rounded()) ?? 1
    }

    /// A text as long as a schema wants it.
    private static func text(for schema: JSONValue) -> String {
        let (least, most) = (schema["minLength"]?.double ?? 0, schema["maxLength"]?.double ?? .infinity)
        var text = "text"
        while Double(text.utf8.count) < least { text += "text" }
        while !text.isEmpty, Double(text.utf8.count) > most { text.removeLast() }
        return text
    }

    private static let samples = [
        "date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "email": "name@example.com",
        "uri": "https://example.com/", "uuid": "0b5bff94-3c4b-4a7b-8f06-8d3c2f3b6a10",
    ]
}
