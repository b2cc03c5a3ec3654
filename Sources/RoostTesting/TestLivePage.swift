public import Roost

/// A live page as a browser shows it, for tests: the page, its event stream, and the changes that it brings.
///
///     let page = try await client.live("/users")
///     try await users.add("Ann")
///     try await page.next()
///     #expect(page.text.contains("Ann"))
///
/// A refresh requests the page again and takes over its live elements, or all of `<main>` if there are none, as the
/// script does in a browser. The state that the script preserves, such as the focus and typed text, is not simulated.
public final class TestLivePage {
    /// The path with the query.
    public let path: String
    /// The page in HTML, as it is now.
    public private(set) var html: String
    /// The sentences announced to a screen reader, the newest last.
    public private(set) var news: [String] = []
    /// The page to which the browser was redirected; nil while it stays on this one.
    public private(set) var visited: String?
    /// Whether the server has refused to let this page follow its changes any longer.
    public private(set) var isRefused = false
    private let client: TestClient
    private let headers: Headers
    private var stream: TestEvents
    /// The ids of the last events that the page contains, one for each of its sources; nil if it is not live.
    private var position: [Int]?

    init(_ client: TestClient, _ path: String, _ headers: Headers) async throws {
        self.client = client
        self.path = path
        self.headers = headers
        html = try await Self.page(client, path, headers)
        position = Self.stream(in: html)?.position
        stream = try await Self.open(client, path, html, position, headers)
    }

    private static func page(_ client: TestClient, _ path: String, _ headers: Headers) async throws -> String {
        let response = try await client.get(path, headers: headers)
        guard response.status == .ok else { throw UnexpectedResponse(response, LivePageMistake("is not a page")) }
        return response.text
    }

    private static func open(
        _ client: TestClient, _ path: String, _ html: String, _ position: [Int]?, _ headers: Headers
    ) async throws -> TestEvents {
        guard let position, let events = stream(in: html)?.events else {
            throw LivePageMistake(
                "\(path) is not a live page: declare routes.live, and put {{liveScript}} into its layout")
        }
        let query = Form([("page", path), ("after", joined(position))]).urlEncoded
        var headers = headers
        headers[.accept] = nil
        return try await client.events("\(events)?\(query)", headers: headers)
    }

    /// The path of the event stream, which is beside the page's script, and the page's position.
    private static func stream(in html: String) -> (events: String, position: [Int])? {
        guard let mark = html.firstRange(of: "\" data-after=\""), let end = html[..<mark.lowerBound].lastIndex(of: "/"),
            let start = html[..<end].lastIndex(of: "\"")
        else { return nil }
        let folder = html[html.index(after: start)...end]
        let ids = html[mark.upperBound...].prefix { $0 != "\"" }.split(separator: ".")
        return ("\(folder)events", ids.map { Int($0) ?? 0 })
    }

    private static func joined(_ position: [Int]) -> String { position.map(String.init).joined(separator: ".") }

    private var markup: Markup { Markup(Array(html.utf8)) }

    /// The text of the page, without tags.
    public var text: String { markup.text }

    /// The text of the element with an id; nil when the page has none.
    public func text(of id: String) -> String? { outerHTML(of: id).map { Markup(Array($0.utf8)).text } }

    /// The element with an id in HTML; nil when the page has none.
    public func outerHTML(of id: String) -> String? {
        let markup = markup
        return markup.element(id: id).map { String(decoding: markup.bytes[$0.range], as: UTF8.self) }
    }

    /// Waits for the next event, and applies it to the page. Events that change nothing are skipped.
    /// - Throws: ``WireClientError`` when none comes; ``UnexpectedResponse`` when the page cannot be asked for again.
    public func next() async throws {
        while true {
            guard let event = try await stream.next() else { throw LivePageMistake("the event stream has ended") }
            guard let line = event.data.firstIndex(of: "\n") else { continue }
            let json = Array(event.data[event.data.index(after: line)...].utf8)
            let change = try JSONCoder().decode(LiveEvent.self, from: json)
            guard isNew(event, change, from: event.data[..<line]) else { continue }
            if change.action == .seen { continue }
            if let sentence = change.news { news.append(sentence) }
            return try await apply(change)
        }
    }

    /// Moves the position on to an event; false if the page has the event already.
    /// - Parameter place: The page's place in the stream, and the source of the event: `0.1`.
    private func isNew(_ event: TestEvents.Event, _ change: LiveEvent, from place: Substring) -> Bool {
        guard let source = place.split(separator: ".").dropFirst().first.flatMap({ Int($0) }),
            let id = Int(event.id), let known = position, known.indices.contains(source)
        else { return true }
        guard [.refresh, .gone].contains(change.action) || id > known[source] else { return false }
        position?[source] = id
        return true
    }

    /// Opens the event stream again where it has ended, after the last event that the page contains, as a browser does.
    public func reconnect() async throws { stream = try await Self.open(client, path, html, position, headers) }

    /// Waits until the server ends the event stream.
    /// - Throws: ``WireClientError`` when it goes on; an error when another event comes.
    public func waitForEnd() async throws {
        if let event = try await stream.next() { throw LivePageMistake("an event has come: \(event.data)") }
    }

    private func apply(_ event: LiveEvent) async throws {
        switch event.action {
        case .refresh: try await refresh()
        case .gone: isRefused = true
        case .visit: visited = event.url
        case .remove: change(event.target) { html, element in html.replaceSubrange(element.range, with: []) }
        case .patch, .replace: put(event.html, at: event.target)
        case .append: add(event) { $0.content.upperBound }
        case .prepend: add(event) { $0.content.lowerBound }
        case .seen: break
        }
    }

    private func refresh() async throws {
        var fields = headers
        fields[.liveRefresh] = position.map(Self.joined)
        let fresh = try await Self.page(client, path, fields)
        position = Self.stream(in: fresh)?.position
        let (old, new) = (markup, Markup(Array(fresh.utf8)))
        let regions = [old, new].map(Self.regions)
        let ids = regions.map { ExactText($0.map { $0.id ?? "" }.joined(separator: ",")) }
        // A page with other regions is loaded again.
        guard ids[0] == ids[1] else { return html = fresh }
        let titles = [old, new].map { $0.elements.filter { $0.name == "title" }.prefix(1) }
        let pairs = Array(zip(titles[0], titles[1])) + Array(zip(regions[0], regions[1]))
        let parts = pairs.sorted { $0.0.range.lowerBound < $1.0.range.lowerBound }
        var bytes: [UInt8] = []
        var end = 0
        // What is in another region has come with that one.
        for (part, change) in parts where part.range.lowerBound >= end {
            bytes += old.bytes[end..<part.range.lowerBound]
            bytes += new.bytes[change.range]
            end = part.range.upperBound
        }
        bytes += old.bytes[end...]
        html = String(decoding: bytes, as: UTF8.self)
    }

    /// The elements that a refresh changes: the live ones, or in a page without any all of `<main>`.
    private static func regions(of page: Markup) -> [Markup.Element] {
        let live = page.elements.filter { $0.isLive && $0.id != nil && !["a", "form"].contains($0.name) }
        return live.isEmpty ? page.elements.filter { $0.name == "main" } : live
    }

    private func put(_ fragment: String?, at id: String?) {
        change(id) { html, element in html.replaceSubrange(element.range, with: Array((fragment ?? "").utf8)) }
    }

    private func add(_ event: LiveEvent, at place: (Markup.Element) -> Int) {
        let fragment = Array((event.html ?? "").utf8)
        // An element that is there already is changed, as when an event comes twice.
        if let id = Markup(fragment).roots.first?.id, markup.element(id: id) != nil { return put(event.html, at: id) }
        change(event.target) { html, element in html.insert(contentsOf: fragment, at: place(element)) }
    }

    private func change(_ id: String?, _ body: (inout [UInt8], Markup.Element) -> Void) {
        let markup = markup
        guard let id, let element = markup.element(id: id) else { return }
        var bytes = markup.bytes
        body(&bytes, element)
        html = String(decoding: bytes, as: UTF8.self)
    }
}

extension TestClient {
    /// Opens a live page, as a browser does that shows it; see ``TestLivePage``.
    /// - Throws: ``UnexpectedResponse`` for a response other than 200; an error that says what to do when the page is
    ///   not live.
    public func live(_ path: String, headers: Headers = [:]) async throws -> TestLivePage {
        var headers = headers
        headers[.accept] = headers[.accept] ?? "text/html"
        return try await TestLivePage(self, path, headers)
    }
}

/// The error for a page that is not live.
private struct LivePageMistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
