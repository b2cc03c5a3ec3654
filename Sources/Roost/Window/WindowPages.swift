import HTTPTypes

/// The pages of the window `/_roost`: the last requests, one request, the routes and the settings.
struct WindowPages: Sendable {
    let routes: [RouteDescription]
    let configuration: ServerConfiguration
    /// The services that have pages of their own.
    var parts: [any WindowPart] = []

    /// The page that a request asks for; nil if there is none, and the application may have one.
    func response(to request: Request, _ requests: [RecordedRequest]) async throws -> Response? {
        switch request.path.dropFirst(DevelopmentWindow.path.count) {
        case "", "/": return try page("Requests", requests: requests.reversed().map(RequestRow.init))
        case "/routes": return try page("Routes", routes: routes.map(RouteRow.init))
        case "/try": return attempt(request)
        case "/settings": return try page("Settings", settings: settings)
        case let path where path.hasPrefix("/parts/"):
            guard let part = parts.first(where: { "/parts/\($0.windowTitle)" == path }) else { return nil }
            return try await page(of: part)
        case "/window.js":
            return Response(
                .ok, headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
                body: Body(Self.script))
        case "/latest":
            return Response(
                .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                body: Body("\(requests.last?.number ?? 0)"))
        case let path where path.hasPrefix("/requests/"):
            guard let one = requests.first(where: { "/requests/\($0.number)" == path }) else {
                return try page("Requests", status: .notFound, notice: "This request is not kept any more.")
            }
            return try page("\(one.method) \(one.path)", detail: await RequestDetail(one))
        default: return nil
        }
    }

    private func page(of part: any WindowPart) async throws -> Response {
        do {
            return try page(part.windowTitle, part: try await part.windowRows())
        } catch {
            return try page(part.windowTitle, notice: "This cannot be shown: \(error)")
        }
    }

    /// Leads to the path that was typed into the form of a route; only on this site.
    private func attempt(_ request: Request) -> Response {
        let path = request.query["path"] ?? ""
        let isLocal = path.hasPrefix("/") && !path.hasPrefix("//") && !path.contains("\\")
        return .redirect(to: isLocal ? path : DevelopmentWindow.path + "/routes")
    }

    /// The settings of the server that are in force, with their sources.
    private var settings: [SettingRow] {
        var reader = SettingsReader()
        _ = ServerConfiguration(reading: &reader)
        return reader.entries.map { entry in
            let setting = ServerConfiguration.settings.first { $0.name == entry.name }
            return SettingRow(entry, inForce: setting?.text(in: configuration) ?? entry.value)
        }
    }

    private func page(
        _ title: String, status: HTTPResponse.Status = .ok, notice: String? = nil, requests: [RequestRow]? = nil,
        detail: RequestDetail? = nil, routes: [RouteRow]? = nil, settings: [SettingRow]? = nil,
        part: [WindowPartRow]? = nil
    ) throws -> Response {
        let page = WindowPage(
            title: title, notice: notice, hasRequests: requests != nil, requests: requests ?? [],
            latest: requests?.first?.number ?? 0, detail: detail, hasRoutes: routes != nil, routes: routes ?? [],
            hasSettings: settings != nil, settings: settings ?? [],
            hasPart: part != nil, part: part ?? [], parts: parts.map(\.windowTitle),
            hasMails: self.routes.contains { $0.path == "/dev/mails" }, loops: configuration.workers)
        let templates = try Templates(
            sources: ["page": Self.template, "style": DevelopmentPage.style + Self.style], missingNames: .empty)
        var response = DevelopmentPage.response(status, try templates.render("page", page))
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.xFrameOptions] = "DENY"
        return response
    }
}

/// The content of a page of the window.
struct WindowPage: Encodable {
    let title: String
    let notice: String?
    let hasRequests: Bool
    let requests: [RequestRow]
    let latest: Int
    let detail: RequestDetail?
    let hasRoutes: Bool
    let routes: [RouteRow]
    let hasSettings: Bool
    let settings: [SettingRow]
    let hasPart: Bool
    let part: [WindowPartRow]
    let parts: [String]
    let hasMails: Bool
    let loops: Int
}

/// A request in the list.
struct RequestRow: Encodable {
    let number: Int
    let method: String
    let path: String
    let status: String
    let time: String
    let statements: Int
    let warning: String?

    init(_ one: RecordedRequest) {
        number = one.number
        method = one.method
        path = one.path
        status = one.status.map { "\($0)" } ?? "error"
        time = one.duration.milliseconds
        statements = one.count(.statement)
        warning = one.repeated.isEmpty ? (one.slowTemplates.isEmpty ? nil : "slow template") : "repeated statement"
    }
}

/// A setting with its source.
struct SettingRow: Encodable {
    let name, value, origin: String

    /// - Parameter value: The value that the server runs with.
    init(_ entry: SettingsReader.Entry, inForce value: String) {
        name = entry.name
        self.value = value
        origin = value == entry.value ? entry.origin.rawValue : "the program"
    }
}

/// A route with its form.
struct RouteRow: Encodable {
    let method: String
    let path: String
    let source: String
    let middleware: String
    let isTryable: Bool
    /// Whether the page's script sends its requests.
    let isSent: Bool

    init(_ route: RouteDescription) {
        method = route.method.rawValue
        path = route.path
        source = route.source
        middleware = route.middleware.joined(separator: ", ")
        isTryable = route.method == .get
        isSent = [.post, .put, .patch, .delete].contains(route.method)
    }
}
