import HTTPTypes

/// Writes what a description says of each route.
final class OperationWriter {
    private let coder: JSONCoder
    private let book: SchemaBook
    /// The schemas of forms, and of queries and paths, which are read as forms are: with names and dates of their own,
    /// whatever those of JSON are.
    private let forms = SchemaBook(JSONCoder(), isInline: true)
    private let middleware: [any Middleware]
    private var credentials: [JSONValue.Member] = []
    private var names: Set<String> = []
    /// The content of a response with problem details; nil until there is one.
    private var problem: JSONValue?

    init(_ coder: JSONCoder, _ middleware: [any Middleware]) {
        self.coder = coder
        self.middleware = middleware
        book = SchemaBook(coder)
    }

    /// The schemas that the operations refer to.
    var components: JSONValue {
        var components: JSONValue = ["schemas": .object(book.components)]
        if let problem {
            components["responses"] = ["Problem": ["description": "What is wrong (RFC 9457).", "content": problem]]
        }
        if !credentials.isEmpty { components["securitySchemes"] = .object(credentials) }
        return components
    }

    /// Sentences about rules that are left out.
    var warnings: [String] { book.warnings + forms.warnings.filter { !book.warnings.contains($0) } }

    /// - Throws: ``Undescribable``.
    func operation(of route: RouteOperation) throws -> JSONValue {
        let all = middleware + route.middleware
        let effects = all.compactMap { ($0 as? any DescribedMiddleware)?.effects }
            .filter { $0.methods?.contains(route.method) ?? true }
        book.coder = all.compactMap { ($0 as? JSONConvention)?.coder.coder }.last ?? coder
        var operation: JSONValue = ["operationId": .string(name(of: route))]
        operation["summary"] = route.summary.map { .string($0) }
        operation["description"] = route.details.map { .string($0) }
        operation["tags"] = tag(of: route).map { [.string($0)] }
        if effects.contains(where: \.isDeprecated) { operation["deprecated"] = true }
        let parameters = try self.parameters(of: route) + effects.flatMap { fields($0.requestHeaders) }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = route.types.body { operation["requestBody"] = try content(of: body) }
        operation["responses"] = try responses(of: route, effects)
        operation["security"] = security(effects)
        return operation
    }

    /// `GET /nests/{id}` is called `getNestsById`.
    private func name(of route: RouteOperation) -> String {
        let words = route.pattern.split(separator: "/").map { part in
            let isParameter = part.contains("{")
            let word = part.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return (isParameter ? "By" : "") + word.joined()
        }
        let name = route.method.rawValue.lowercased() + words.joined()
        var (free, number) = (name, 1)
        while !names.insert(free).inserted {
            number += 1
            free = "\(name)\(number)"
        }
        return free
    }

    /// The first part of the path that is not the API's own prefix.
    private func tag(of route: RouteOperation) -> String? {
        let parts = route.pattern.split(separator: "/").map { String($0) }.filter { !$0.contains("{") }
        return parts.first { part in part != "api" && !(part.first == "v" && part.dropFirst().allSatisfy(\.isNumber)) }
            ?? parts.first
    }

    // MARK: Requests

    private func parameters(of route: RouteOperation) throws -> [JSONValue] {
        var parameters = route.parameters.map { name, type -> JSONValue in
            var schema: JSONValue = ["type": "string", "minLength": 1]
            let known = type is any Decodable.Type || type is any CaseIterable.Type || type is any Described.Type
            if type != String.self, known, let own = try? forms.schema(of: type, .input) { schema = own }
            return ["name": .string(name), "in": "path", "required": true, "schema": schema]
        }
        var schema: JSONValue = ["type": "object"]
        var members: [JSONValue.Member] = []
        if let query = route.types.query {
            schema = try forms.schema(of: query, .input)
            guard schema["type"] == "object" else { throw Undescribable(query, "a query has only names and values") }
            members = try fields(of: schema, query, "a query")
        }
        if let page = route.types.result as? any PageResult.Type {
            members += page.parameters.filter { own in !members.contains { $0.name == own.name } }
        }
        for member in members {
            parameters.append([
                "name": .string(member.name), "in": "query", "required": .bool(schema.requires(member.name)),
                "schema": member.value,
            ])
        }
        return parameters
    }

    /// The fields of a form or a query, which has no null: what is nil is left out.
    private func fields(
        of schema: JSONValue, _ type: any Any.Type, _ place: String
    ) throws -> [JSONValue.Member] {
        try (schema["properties"]?.members ?? []).map { member in
            let value = member.value.withoutNull
            guard value["type"] != "object", value["items"]?.withoutNull["type"] != "object" else {
                throw Undescribable(
                    type, "its member \(member.name) has members of its own, and \(place) has only names and values")
            }
            return JSONValue.Member(member.name, value)
        }
    }

    private func fields(_ headers: [HTTPField.Name: MiddlewareEffects.RequestField]) -> [JSONValue] {
        headers.sorted { $0.key.rawName < $1.key.rawName }.map { name, field in
            var schema: JSONValue = ["type": "string"]
            schema["pattern"] = field.pattern.map { .string($0) }
            return [
                "name": .string(name.rawName), "in": "header", "description": .string(field.description),
                "required": .bool(field.isRequired), "schema": schema,
            ]
        }
    }

    /// The body as JSON, also as a merge patch if the type is one, or as a form if it has files.
    private func content(of body: any Decodable.Type) throws -> JSONValue {
        if var form = try? forms.schema(of: body, .input),
            form["properties"]?.members.contains(where: { $0.value.isFile }) ?? false
        {
            form["properties"] = .object(try fields(of: form, body, "a form"))
            return ["required": true, "content": ["multipart/form-data": ["schema": form]]]
        }
        let schema = try book.schema(of: body, .input)
        var content: JSONValue = ["application/json": ["schema": schema]]
        if book.isMergePatch(body) { content["application/merge-patch+json"] = ["schema": schema] }
        return ["required": true, "content": content]
    }

    // MARK: Responses

    private func responses(of route: RouteOperation, _ effects: [MiddlewareEffects]) throws -> JSONValue {
        var good: JSONValue = ["description": .string((route.types.status ?? .ok).title)]
        var added = effects.reduce(into: route.headers) { $0.merge($1.responseHeaders) { own, _ in own } }
        if route.isPaginated {
            added[.link] = "Leads to the next and the previous page: `rel=\"next\"`, `rel=\"prev\"`."
        }
        if !added.isEmpty { good["headers"] = headers(added) }
        good["content"] = try content(of: route.types)
        var responses: JSONValue = [:]
        responses["\((route.types.status ?? .ok).code)"] = good
        for (status, response) in route.responses.sorted(by: { $0.key.code < $1.key.code }) {
            responses["\(status.code)"] = try self.response(response, status, route)
        }
        for (status, sentence) in expected(of: route, effects).sorted(by: { $0.key.code < $1.key.code })
        where responses["\(status.code)"] == nil {
            responses["\(status.code)"] = try refusal(sentence, route)
        }
        var error: JSONValue = ["description": "An error."]
        error["content"] = try errorContent(route)
        let isProblem = problem != nil && error["content"] == problem
        responses["default"] = isProblem ? ["$ref": "#/components/responses/Problem"] : error
        return responses
    }

    private func headers(_ headers: [HTTPField.Name: String]) -> JSONValue {
        .object(
            headers.sorted { $0.key.rawName < $1.key.rawName }.map {
                JSONValue.Member(
                    $0.key.rawName, ["description": .string($0.value), "schema": ["type": "string"]])
            })
    }

    /// The content of a good response, by its media type or the type that the handler returns; nil if neither says.
    private func content(of types: RouteTypes) throws -> JSONValue? {
        let result = (types.result as? any JSONResult.Type)?.value
        if let returned = types.returned ?? (types.contentType?.isJSON == true ? result : nil) {
            return try json(returned, types.contentType ?? .json)
        }
        if let type = types.contentType {
            let schema: JSONValue = type.type == "text" ? ["type": "string"] : [:]
            return [type.essence: ["schema": schema]]
        }
        switch types.result {
        case let type as any JSONResult.Type: return try json(type.value)
        case is String.Type: return ["text/plain": ["schema": ["type": "string"]]]
        case is View.Type: return ["text/html": ["schema": ["type": "string"]]]
        case is EventWriter.Type: return ["text/event-stream": ["schema": ["type": "string"]]]
        default: return nil
        }
    }

    private func json(_ type: any Encodable.Type, _ media: MediaType = .json) throws -> JSONValue {
        [media.essence: ["schema": try book.schema(of: type, .output)]]
    }

    private func response(
        _ response: DescribedResponse, _ status: HTTPResponse.Status, _ route: RouteOperation
    ) throws -> JSONValue {
        guard status.code < 400 || response.body != nil else {
            return try refusal(response.description, route, response.headers)
        }
        var result: JSONValue = ["description": .string(response.description)]
        if !response.headers.isEmpty { result["headers"] = headers(response.headers) }
        result["content"] = try response.body.map { try json($0) }
        return result
    }

    private func refusal(
        _ sentence: String, _ route: RouteOperation, _ fields: [HTTPField.Name: String] = [:]
    ) throws -> JSONValue {
        var result: JSONValue = ["description": .string(sentence)]
        if !fields.isEmpty { result["headers"] = headers(fields) }
        result["content"] = try errorContent(route)
        return result
    }

    /// The content of an error; nil where the application has its own format of errors, and does not tell its type.
    private func errorContent(_ route: RouteOperation) throws -> JSONValue? {
        let pages = (middleware + route.middleware).compactMap { $0 as? ErrorPages }
        guard let innermost = pages.last else { return nil }
        if innermost.hasOwnFormat { return try innermost.ownType.map { try json($0) } }
        if problem == nil {
            let convention = book.coder
            book.coder = JSONCoder()
            defer { book.coder = convention }
            problem = ["application/problem+json": ["schema": try book.schema(of: ProblemDetails.self, .output)]]
        }
        return problem
    }

    /// The errors that are known from the route's types and its middleware.
    private func expected(
        of route: RouteOperation, _ effects: [MiddlewareEffects]
    ) -> [HTTPResponse.Status: String] {
        var statuses: [HTTPResponse.Status: String] = [:]
        if !route.parameters.isEmpty { statuses[.notFound] = "There is no such thing." }
        if route.types.query != nil || route.types.result is any PageResult.Type {
            statuses[.badRequest] = "A parameter is wrong."
        }
        if route.types.body != nil {
            statuses[.badRequest] = "The body is malformed."
            statuses[.contentTooLarge] = "The body is too large."
            statuses[.unsupportedMediaType] = "The body is of another type."
            statuses[.unprocessableContent] = "A value is missing, or is not allowed."
        }
        for effect in effects {
            if !effect.credentials.isEmpty {
                statuses[.unauthorized] = "The credentials are missing or not valid."
                statuses[.forbidden] = "The credentials do not suffice."
            }
            statuses.merge(effect.responses) { _, own in own }
        }
        return statuses
    }

    // MARK: Security

    /// The credentials that the guards want, one of each guard: every combination is enough.
    private func security(_ effects: [MiddlewareEffects]) -> JSONValue? {
        let guards = effects.map(\.credentials).filter { !$0.isEmpty }
        guard !guards.isEmpty else { return nil }
        let combinations = guards.reduce([[:]] as [JSONValue]) { combinations, choices in
            combinations.flatMap { combination in
                choices.map { choice in
                    var combination = combination
                    let (name, scopes) = scheme(of: choice)
                    // Of two guards with the same scheme, both want their scopes.
                    let known = combination[name]?.elements ?? []
                    combination[name] = .array(known + scopes.map { .string($0) }.filter { !known.contains($0) })
                    return combination
                }
            }
        }
        return .array(combinations)
    }

    private func scheme(of credential: MiddlewareEffects.Credential) -> (name: String, scopes: [String]) {
        let (name, scheme, scopes): (String, JSONValue, [String]) =
            switch credential {
            case .bearer(let scopes): ("bearer", ["type": "http", "scheme": "bearer"], scopes)
            case .basic: ("basic", ["type": "http", "scheme": "basic"], [])
            case .cookie(let name): ("cookie", ["type": "apiKey", "in": "cookie", "name": .string(name)], [])
            case .header(let name): ("key", ["type": "apiKey", "in": "header", "name": .string(name)], [])
            }
        if let known = credentials.first(where: { $0.value == scheme }) { return (known.name, scopes) }
        let free = credentials.contains { $0.name == name } ? "\(name)\(credentials.count + 1)" : name
        credentials.append(JSONValue.Member(free, scheme))
        return (free, scopes)
    }
}

extension JSONValue {
    /// Whether it is the schema of a file, or of files.
    fileprivate var isFile: Bool { self["format"] == "binary" || self["items"]?["format"] == "binary" }
}
