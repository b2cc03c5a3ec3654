import HTTPTypes

/// The description of an API, made of its routes at start (OpenAPI 3.1).
struct APIDocument: Sendable {
    /// The whole description.
    let json: JSONValue
    /// The description of each route, by its method and pattern: `GET /api/nests/{id}`.
    let operations: [String: DescribedOperation]
    /// Sentences about what will hardly be meant, for the log of a start.
    let warnings: [String]

    /// - Parameters:
    ///   - coder: The application's convention for JSON.
    ///   - middleware: The application's.
    /// - Throws: ``StartError`` with the types that cannot be described, each on a line.
    init(
        _ api: APIDescription, _ routes: [RouteOperation], _ coder: JSONCoder, _ middleware: [any Middleware]
    ) throws {
        let writer = OperationWriter(coder, middleware)
        var paths: JSONValue = [:]
        var operations: [String: DescribedOperation] = [:]
        var mistakes: [String] = []
        for route in routes where route.isDescribed && route.types.result != WebSocket.self {
            do {
                let operation = try writer.operation(of: route)
                let path = route.pattern
                var item = paths[path] ?? [:]
                item[Self.member(for: route.method)] = operation
                paths[path] = item
                operations["\(route.method) \(path)"] = DescribedOperation(
                    responses: operation["responses"] ?? [:], query: route.types.query.map { ObjectIdentifier($0) },
                    body: route.types.body.map { ObjectIdentifier($0) })
            } catch let error as Undescribable {
                mistakes.append("\(route.method) \(route.pattern) (\(route.source)): \(error)")
            }
        }
        guard mistakes.isEmpty else { throw StartError.configuration(mistakes.joined(separator: "\n")) }
        var info: JSONValue = ["title": .string(api.title), "version": .string(api.version)]
        info["description"] = api.about.map { .string($0) }
        json = [
            "openapi": "3.1.0", "info": info, "paths": paths, "components": writer.components,
        ]
        self.operations = operations
        let none = "No route is in the API's description \(api.document): declare a group with described: true."
        warnings = (operations.isEmpty ? [none] : []) + writer.warnings
    }

    /// The member of a path for a method: OpenAPI 3.1 has a fixed set of them, without `QUERY`.
    private static func member(for method: HTTPRequest.Method) -> String {
        let known: [HTTPRequest.Method] = [.get, .put, .post, .delete, .options, .head, .patch, .trace]
        return (known.contains(method) ? "" : "x-") + method.rawValue.lowercased()
    }
}

/// The description of a route, to compare its responses with.
struct DescribedOperation: Sendable {
    /// The responses by their statuses.
    let responses: JSONValue
    /// The type of the query, and that of the body.
    let query, body: ObjectIdentifier?
}
