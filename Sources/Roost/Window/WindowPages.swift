import HTTPTypes

/// The pages of the window `/_roost`: the last requests, one request, the routes, the settings, and the parts of the
/// program that have something to show. Those that change are live, and follow the requests.
struct WindowPages: Controller {
    private static let home = FixedPath(DevelopmentWindow.path)
    private static let one = Path(DevelopmentWindow.path + "/requests/{number}", Int.self)

    let requests: RecordedRequests
    let application: [RouteDescription]
    let configuration: ServerConfiguration
    /// The parts that have pages of their own, such as a queue of jobs.
    let parts: [any WindowPart]
    /// The titles of the parts; the second one of a title has a number.
    private var titles: [String] {
        var counts: [String: Int] = [:]
        return parts.map { part in
            counts[part.windowTitle, default: 0] += 1
            let count = counts[part.windowTitle] ?? 1
            return count == 1 ? part.windowTitle : "\(part.windowTitle)\(count)"
        }
    }

    /// The templates of the pages.
    static func templates() throws -> Templates {
        try DevelopmentPage.templates(["page": template], style: style, missingNames: .empty)
    }

    func routes(_ routes: Routes) {
        routes.get(Self.home) { _ in page("Requests") { $0.requests = requests.newestFirst.map(RequestRow.init) } }
        routes.live(Self.home, on: requests.topic)
        routes.get(Self.one, use: request)
        routes.get(Self.home.appending("/routes")) { _ in
            page("Routes") { $0.routes = application.map(RouteRow.init) }
        }
        routes.get(Self.home.appending("/try"), use: attempt)
        routes.get(Self.home.appending("/settings")) { _ in page("Settings") { $0.settings = settings } }
        for (part, title) in zip(parts, titles) {
            let path = Self.home.appending("/parts/\(title)")
            routes.get(path) { _ in await page(of: part, title) }
            routes.live(path, on: requests.topic)
        }
        routes.get(Self.home.appending("/window.js")) { _ in
            Response(.ok, headers: [.contentType: "text/javascript; charset=utf-8"], body: Body(Self.script))
        }
    }

    private func request(_: Request, _ number: Int) async -> View {
        guard let one = requests.newestFirst.first(where: { $0.number == number }) else {
            return page("Requests", status: .notFound) { $0.notice = "This request is not kept any more." }
        }
        let detail = await RequestDetail(one)
        return page("\(one.method) \(one.path)") { $0.detail = detail }
    }

    private func page(of part: any WindowPart, _ title: String) async -> View {
        do {
            let rows = try await part.windowRows()
            return page(title) { $0.part = rows }
        } catch {
            return page(title) { $0.notice = "This cannot be shown: \(error)" }
        }
    }

    /// Leads to the path that was typed into the form of a route; only on this site.
    private func attempt(_ request: Request) -> Response {
        let path = LocalPath(request.query["path"] ?? "")
        return .redirect(to: path?.text ?? DevelopmentWindow.path + "/routes")
    }

    /// The settings in force with their sources: the server's, and then those that the program has read itself.
    private var settings: [SettingRow] {
        var reader = SettingsReader()
        _ = ServerConfiguration(reading: &reader)
        let server = Set(reader.entries.map(\.name))
        return reader.entries.map { entry in
            let setting = ServerConfiguration.settings.first { $0.name == entry.name }
            return SettingRow(entry, inForce: setting?.text(in: configuration) ?? entry.value)
        } + SettingsReader.checked.filter { !server.contains($0.name) }.map { SettingRow($0, inForce: $0.value) }
    }

    /// The links of every page: to the pages of the window, to the mails, and back to the site.
    private var links: [WindowLink] {
        let path = DevelopmentWindow.path
        let pages = [("Requests", ""), ("Routes", "/routes"), ("Settings", "/settings")]
        let mails = application.contains { $0.path == "/dev/mails" } ? [("Mails", "/dev/mails")] : []
        return (pages + titles.map { ($0, "/parts/" + $0) }).map { WindowLink(title: $0, url: path + $1) }
            + (mails + [("The site", "/")]).map { WindowLink(title: $0, url: $1) }
    }

    private func page(
        _ title: String, status: HTTPResponse.Status = .ok, _ fill: (inout WindowPage) -> Void
    ) -> View {
        var page = WindowPage(title: title, links: links)
        fill(&page)
        return View("page", page, status: status)
    }
}

/// The content of a page of the window.
struct WindowPage: Encodable {
    let title: String
    let links: [WindowLink]
    var notice: String?
    var requests: [RequestRow]? { didSet { hasRequests = true } }
    var detail: RequestDetail?
    var routes: [RouteRow]? { didSet { hasRoutes = true } }
    var settings: [SettingRow]? { didSet { hasSettings = true } }
    var part: [WindowPartRow]? { didSet { hasPart = true } }
    // A list that is empty is false to a section.
    private var hasRequests = false, hasRoutes = false, hasSettings = false, hasPart = false

    init(title: String, links: [WindowLink]) {
        self.title = title
        self.links = links.map { WindowLink(title: $0.title, url: $0.url, isCurrent: $0.title == title) }
    }
}

/// A link at the head of a page.
struct WindowLink: Encodable {
    let title, url: String
    var isCurrent = false
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

    /// - Parameter value: The value that the program runs with.
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
