import HTTPTypes
import Roost

/// A page with the script of live pages.
struct PlayedPage: Sendable {
    var body: String
    /// The position; nil for a page that is not live.
    var after: String?
    var title = "Live"
    var head = ""
    var status = HTTPResponse.Status.ok

    init(_ body: String, after: String? = nil, title: String = "Live", head: String = "") {
        self.body = body
        self.after = after
        self.title = title
        self.head = head
    }

    var response: Response {
        let position = after.map { "data-after=\"\($0)\"" } ?? ""
        let script = "<script src=\"/_live/abc.js\" \(position) defer></script>"
        let head = "<meta charset=\"utf-8\"><title>\(title)</title>\(self.head)\(script)"
        return .html("<!doctype html><html lang=en><head>\(head)</head><body>\(body)</body></html>", status: status)
    }
}
