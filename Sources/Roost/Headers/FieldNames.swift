public import HTTPTypes

extension HTTPField.Name {
    /// A name written in this source, whose author makes sure that it is a token.
    package static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\"\(name)\" is not a field name.") }
        return name
    }

    static let secFetchSite = known("Sec-Fetch-Site")

    /// `Live-Refresh`: the request comes from a page that follows its events, and not from a person; the value is the
    /// position of that page.
    package static let liveRefresh = known("Live-Refresh")

    /// `Link`: where related resources are, such as the next part of a list (RFC 8288 §3).
    public static let link = known("Link")
}
