/// The element that loads the script of live pages: `{{liveScript}}` in a template.
///
/// On a page that is live itself, it says up to which events the page has been made, so that none is missed between the
/// page and its event stream.
struct LiveElement {
    /// The element in HTML.
    let bytes: [UInt8]

    /// The ids of the last events that a page is known to contain, one for each of its sources: `17.4`.
    enum Position: RequestKey { typealias Value = String }

    /// The element for a page; nil in an application without live pages.
    init?(of request: Request, in context: ResponseContext) {
        guard let path = context.liveScript else { return nil }
        let position = request[Position.self].map { " data-after=\"\($0)\"" } ?? ""
        bytes = Array("<script src=\"\(path)\"\(position) defer></script>".utf8)
    }
}
