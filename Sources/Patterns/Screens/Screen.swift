package import PatternCore
package import Roost

/// What a screen shows, ready to be shown.
package protocol Screen: Encodable, Sendable {
    /// What is wrong with what was sent; nil when nothing is.
    var errorMessage: String? { get }
}

extension Screen {
    package var errorMessage: String? { nil }
}

extension Response {
    /// A screen of the gallery, `Templates/patterns/screens/….mustache`, in the frame of its pattern. One with an error
    /// is 422, as a form is that comes back.
    package static func screen(_ name: String, _ page: some Screen, of pattern: Pattern) -> Response {
        let status: HTTPResponse.Status = page.errorMessage == nil ? .ok : .unprocessableContent
        return .view("patterns/screens/" + name, FramedScreen(pattern: pattern, screen: page), status: status)
    }
}

extension Request {
    /// A screen of the pattern that this request belongs to.
    package func screen(_ name: String, _ page: some Screen) throws -> Response {
        .screen(name, page, of: try visitor.pattern)
    }
}
