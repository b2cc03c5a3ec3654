import HTTPTypes

/// The page that a browser gets in development for an error that nobody has expected: the error and those inside it,
/// the route and its parameters, and the client's request without its secrets.
struct ErrorReport {
    let error: any Error
    let status: HTTPResponse.Status
    let requestID: String?

    func response(for request: Request, in context: ResponseContext) throws -> Response {
        let page = ReportPage(
            status: "\(status.code) \(status.title)",
            request: "\(request.method) \(request.path)",
            errors: Self.chain(error),
            route: context.route(of: request) ?? "none",
            query: request.query.fields.map { Pair($0.name, $0.value) },
            headers: request.headers.list.map { Pair($0.name.rawName, $0.value) },
            requestID: requestID)
        guard let html = try Self.templates?.render("page", page) else { throw error }
        return DevelopmentPage.response(status, html)
    }

    private struct ReportPage: Encodable {
        let status: String
        let request: String
        let errors: [Link]
        let route: String
        let query: [Pair]
        let headers: [Pair]
        let requestID: String?
        /// The number of the request in the window `/_roost`.
        var timeline = Timelines.current?.number
    }

    /// One error of the chain.
    private struct Link: Encodable {
        let type: String
        let message: String
    }

    private struct Pair: Encodable {
        let name: String
        /// The value, or dots if its name says that it is a secret.
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = SecretWords.areIn(name) ? SecretWords.mask : value
        }
    }

    /// An error, and the errors that are stored in it, as far as six deep.
    private static func chain(_ error: any Error) -> [Link] {
        var links: [Link] = []
        var next: [any Error] = [error]
        while let error = next.first, links.count < 6 {
            next.removeFirst()
            links.append(Link(type: "\(type(of: error))", message: "\(error)"))
            for child in Mirror(reflecting: error).children {
                if let inner = child.value as? any Error {
                    next.append(inner)
                } else if Mirror(reflecting: child.value).displayStyle == .tuple {
                    next += Mirror(reflecting: child.value).children.compactMap { $0.value as? any Error }
                }
            }
        }
        return links
    }

    private static let templates = try? DevelopmentPage.templates(["page": page])

    private static let page = """
        {{<layout}}
        {{$title}}{{status}}{{/title}}
        {{$content}}
        <p class="soft">{{status}} for <code>{{request}}</code></p>
        <h1>An error that nobody has caught</h1>
        {{#errors}}
        <section>
        <h2><code>{{type}}</code></h2>
        <p class="what">{{message}}</p>
        </section>
        {{/errors}}
        <h2>The route</h2>
        <p><code>{{route}}</code></p>
        <h2>Query</h2>
        <dl>{{#query}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/query}}{{^query}}<dt>none</dt>{{/query}}</dl>
        <h2>Header fields</h2>
        <dl>{{#headers}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/headers}}</dl>
        {{>footer}}
        {{/content}}
        {{/layout}}
        """
}
