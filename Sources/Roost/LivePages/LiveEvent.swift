/// A change that reaches the viewers of a live page: the page has to be fetched again, or one of its elements changes.
///
/// ``LivePage`` publishes them. They are `Codable`, so that an `SQLTopic<LiveEvent>` gives them to all instances.
public struct LiveEvent: Codable, Sendable, Hashable, ServerSentEventConvertible {
    package enum Action: String, Codable, Sendable {
        /// The page is fetched again, and its live elements are changed into the new ones.
        case refresh
        /// An element is changed into the fragment: what is the same in both stays, with its focus and what was typed.
        case patch
        /// The fragment takes an element's place.
        case replace
        /// The fragment becomes the last child of an element.
        case append
        /// The fragment becomes the first child of an element.
        case prepend
        /// An element is removed.
        case remove
        /// The browser goes to another page of the site.
        case visit
        /// The viewer may not follow the page any more.
        case gone
        /// Nothing changes; only the position moves on.
        case seen
    }

    package let action: Action
    /// The id of the element.
    package var target: String?
    /// The fragment.
    package var html: String?
    package var url: String?
    /// A sentence that screen readers read out.
    package var news: String?

    package init(_ action: Action, target: String? = nil, html: String? = nil, url: String? = nil, news: String? = nil)
    {
        self.action = action
        self.target = target
        self.html = html
        self.url = url
        self.news = news
    }

    /// Whether it carries content, which only those may get who may see the page.
    var hasContent: Bool { target != nil || news != nil || url != nil }
}
