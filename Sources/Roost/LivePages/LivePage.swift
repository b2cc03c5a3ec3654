/// The live elements of a page, which application code changes in the browsers of everybody who views the page:
///
///     let board = try LivePage(templates: templates, fragments: ["board/task"])
///     routes.live(Self.board, on: board)
///     …
///     try await board.patch("task-3", View("board/task", task))
///
/// A fragment is rendered once, from the same partial that the page is made of, without the values of every page: what
/// differs by viewer does not belong in it. Give each kind of viewer a `LivePage` of its own, or let browsers fetch the
/// page again (``refresh(news:)``), each with the rights of its viewer.
///
/// A fragment has exactly one root element, by whose id it is found. Its template is checked when the page is created,
/// as far as it does not depend on values; sending a view that turns out not to be a fragment is an error.
public struct LivePage: Sendable {
    let topic: any TopicProtocol<LiveEvent>
    private let templates: Templates
    private let fragments: Set<ExactText>

    /// Creates the live elements of a page.
    /// - Parameters:
    ///   - templates: The templates that fragments are rendered with.
    ///   - fragments: The names of the templates that may be fragments; none for a page that is only refreshed.
    ///   - topic: The topic that carries the events; with an `SQLTopic`, they reach the viewers of all instances.
    /// - Throws: ``TemplateErrors`` with the fragments that do not exist, and those that cannot be one, whatever their
    ///   values are: their root is not one element with an id.
    public init(
        templates: Templates, fragments: [String], topic: any TopicProtocol<LiveEvent> = Topic<LiveEvent>()
    ) throws {
        try templates.checkFragments(fragments)
        self.init(templates, Set(fragments.map(ExactText.init)), topic)
    }

    private init(_ templates: Templates, _ fragments: Set<ExactText>, _ topic: any TopicProtocol<LiveEvent>) {
        self.templates = templates
        self.fragments = fragments
        self.topic = topic
    }

    /// Returns a page with the same fragments for other viewers, whose events another topic carries.
    public func copy(topic: any TopicProtocol<LiveEvent> = Topic<LiveEvent>()) -> LivePage {
        LivePage(templates, fragments, topic)
    }

    /// Changes the element with an id into the view, which has the same id. What is equal in both stays as it is: the
    /// focus, the scroll position, and what has been typed.
    /// - Parameter news: A sentence for screen readers, which is put into the page's element with `data-live-news`.
    /// - Throws: An error for a view that does not have one root element with this id; a ``TemplateError``; an error
    ///   of the topic.
    public func patch(_ id: String, _ view: View, news: String? = nil) async throws {
        try await publish(.patch, id, view, isTarget: true, news)
    }

    /// Replaces the element with an id by the view, keeping nothing of the element.
    /// - Throws: As ``patch(_:_:news:)``.
    public func replace(_ id: String, with view: View, news: String? = nil) async throws {
        try await publish(.replace, id, view, isTarget: true, news)
    }

    /// Adds the view at the end of the element with an id. If the page already has an element with the view's own id,
    /// that is changed instead.
    /// - Throws: As ``patch(_:_:news:)``; the view's root element has an id of its own.
    public func append(_ view: View, to id: String, news: String? = nil) async throws {
        try await publish(.append, id, view, isTarget: false, news)
    }

    /// Adds the view at the beginning of the element with an id, as ``append(_:to:news:)`` does at the end.
    public func prepend(_ view: View, to id: String, news: String? = nil) async throws {
        try await publish(.prepend, id, view, isTarget: false, news)
    }

    /// Removes the element with an id.
    /// - Throws: An error of the topic.
    public func remove(_ id: String, news: String? = nil) async throws {
        try await topic.publish(LiveEvent(.remove, target: id, news: news))
    }

    /// Makes every viewer's browser fetch the page again, and turns its live elements into the new ones.
    /// - Throws: An error of the topic.
    public func refresh(news: String? = nil) async throws {
        try await topic.publish(LiveEvent(.refresh, news: news))
    }

    /// Leads every viewer to another page of the site.
    /// - Parameter url: A path with its query: `/rooms/7`.
    /// - Throws: An error of the topic.
    public func visit(_ url: String) async throws { try await topic.publish(LiveEvent(.visit, url: url)) }

    private func publish(
        _ action: LiveEvent.Action, _ target: String, _ view: View, isTarget: Bool, _ news: String?
    ) async throws {
        guard fragments.contains(ExactText(view.template)) else {
            throw LiveFragmentError(template: view.template, "name it among the page's fragments")
        }
        let fragment = try LiveFragment(view, in: templates)
        if isTarget, fragment.id != target {
            throw LiveFragmentError(
                template: view.template, "its root element has the id \"\(fragment.id)\" and not \"\(target)\"")
        }
        try await topic.publish(LiveEvent(action, target: target, html: fragment.html, news: news))
    }
}

/// A rendered view that has one root element with an id.
struct LiveFragment {
    let id: String
    let html: String

    init(_ view: View, in templates: Templates) throws {
        let bytes = try view.rendered(by: templates)
        let markup = Markup(bytes)
        guard markup.roots.count == 1, let root = markup.roots.first, !markup.hasTextBesideRoots else {
            let count = markup.roots.count
            throw LiveFragmentError(
                template: view.template,
                "it has \(count == 1 ? "text beside its root element" : "\(count) root elements"): put all of it in one"
            )
        }
        guard let id = root.id, !id.isEmpty else {
            throw LiveFragmentError(template: view.template, "its root element has no id: give <\(root.name)> one")
        }
        self.id = id
        html = String(decoding: bytes, as: UTF8.self)
    }
}

/// The error for a view that cannot be a fragment of a live page.
struct LiveFragmentError: Error, CustomStringConvertible {
    /// The view's template.
    let template: String
    private let reason: String

    init(template: String, _ reason: String) {
        self.template = template
        self.reason = reason
    }

    /// A sentence that says what is wrong, and with which template.
    var description: String { "The view \(template) cannot be a fragment of a live page: \(reason)." }
}
