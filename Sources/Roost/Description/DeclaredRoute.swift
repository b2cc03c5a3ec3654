public import HTTPTypes

/// A route that has been declared, to say more about it:
///
///     api.post(Self.all, NestInput.self, status: .created, use: create)
///         .describe("Adds a nest.", responses: [.conflict: "The tree has a nest."])
public struct DeclaredRoute {
    let operations: [RouteOperation]

    init(_ operations: [RouteOperation]) { self.operations = operations }

    /// Several routes, to say the same about them.
    @usableFromInline
    init(_ routes: [DeclaredRoute]) { operations = routes.flatMap(\.operations) }

    /// Describes the route: in the API's description it stands beside what the compiler knows.
    ///
    /// A route outside a described group is described, too.
    /// - Parameters:
    ///   - summary: One sentence.
    ///   - details: More, in Markdown.
    ///   - query: The type that the handler decodes the query as; nil if the route states it.
    ///   - body: The type that the handler decodes the body as; nil if the route states it.
    ///   - returns: The type of the JSON in a good response; nil if the handler's result states it.
    ///   - contentType: The media type of a good response, such as ``MediaType/csv`` or `MediaType("image", "*")`; nil
    ///     for `application/json`, or if the handler's result states it.
    ///   - status: The status of a good response; nil for that of the route, or 200.
    ///   - headers: The fields of a good response, each with a sentence.
    ///   - isPaginated: Whether `Link` leads to the neighbouring pages of a list (RFC 8288). A handler that returns a
    ///     ``Page`` says so itself, and that its query has `limit`, `after` and `before`. Members of the query's type
    ///     with these names say more, and one for `sort` tells the orders.
    ///   - responses: Further responses. Those with a status of 400 or above are problem details.
    @discardableResult
    public func describe(
        _ summary: String,
        details: String? = nil,
        query: (any Decodable.Type)? = nil,
        body: (any Decodable.Type)? = nil,
        returns: (any Encodable.Type)? = nil,
        contentType: MediaType? = nil,
        status: HTTPResponse.Status? = nil,
        headers: [HTTPField.Name: String] = [:],
        isPaginated: Bool = false,
        responses: [HTTPResponse.Status: DescribedResponse] = [:]
    ) -> DeclaredRoute {
        for operation in operations {
            operation.isDescribed = true
            operation.summary = summary
            operation.details = details
            operation.types.query = query ?? operation.types.query
            operation.types.body = body ?? operation.types.body
            operation.types.returned = returns ?? operation.types.returned
            operation.types.contentType = contentType ?? operation.types.contentType
            operation.types.status = status ?? operation.types.status
            operation.headers = headers
            operation.isPaginated = isPaginated || operation.isPaginated
            operation.responses = responses
        }
        return self
    }
}

/// A response beside the usual one, as ``DeclaredRoute`` describes it.
public struct DescribedResponse: Sendable, ExpressibleByStringLiteral {
    /// A sentence about it.
    package var description: String
    /// The type of its JSON; nil for none.
    package var body: (any (Encodable & SendableMetatype).Type)?
    /// Its fields, each with a sentence.
    package var headers: [HTTPField.Name: String]

    /// A response with a sentence.
    public init(
        _ description: String, _ body: (any (Encodable & SendableMetatype).Type)? = nil,
        headers: [HTTPField.Name: String] = [:]
    ) {
        self.description = description
        self.body = body
        self.headers = headers
    }

    /// A response without content.
    public init(stringLiteral description: String) { self.init(description) }
}

/// The types that a route states.
@usableFromInline
struct RouteTypes {
    var query: (any Decodable.Type)?
    var body: (any Decodable.Type)?
    /// The type that the handler returns.
    var result: any Any.Type
    /// The type of the JSON in a good response, where the handler's type does not tell.
    var returned: (any Encodable.Type)?
    /// The media type of a good response, where neither tells.
    var contentType: MediaType?
    var status: HTTPResponse.Status?

    @usableFromInline
    init(_ result: any Any.Type) { self.result = result }

    /// - Parameter isQuery: Whether the input is the query and not the body.
    @usableFromInline
    init(_ result: any Any.Type, input: any Decodable.Type, isQuery: Bool, status: HTTPResponse.Status?) {
        self.init(result)
        if isQuery { query = input } else { body = input }
        self.status = status
    }
}

/// A route as the description of an API sees it. It is filled while routes are declared.
final class RouteOperation {
    let method: HTTPRequest.Method
    /// The whole pattern: `/api/nests/{id}`.
    let pattern: String
    /// The names of the path's parameters, and their types.
    let parameters: [(name: String, type: any Any.Type)]
    /// The middleware of its groups, the outermost first.
    let middleware: [any Middleware]
    /// The place of its declaration.
    let source: String
    var isDescribed: Bool
    var types: RouteTypes
    var summary: String?
    var details: String?
    var headers: [HTTPField.Name: String] = [:]
    var responses: [HTTPResponse.Status: DescribedResponse] = [:]
    /// Whether the response is a page of a list.
    var isPaginated: Bool

    init(
        _ method: HTTPRequest.Method, _ pattern: String, _ parameters: [(name: String, type: any Any.Type)],
        _ middleware: [any Middleware], _ source: String, _ types: RouteTypes, isDescribed: Bool
    ) {
        self.method = method
        self.pattern = pattern
        self.parameters = parameters
        self.middleware = middleware
        self.source = source
        self.types = types
        self.isDescribed = isDescribed
        isPaginated = types.result is any PageResult.Type
    }
}
