import PatternCore
package import Roost

/// The page of a screen, ready to be shown.
package protocol Screen: Encodable, Sendable {
    /// Its template, below `Templates/patterns/screens/`.
    static var template: String { get }
    /// The error in the form that was sent; nil if there is none.
    var errorMessage: String? { get }
}

extension Screen {
    package var errorMessage: String? { nil }

    /// The response that shows it, in the frame of its pattern. One with an error is 422, as a form is that comes back.
    func response(in pattern: Pattern) -> Response {
        let status: HTTPResponse.Status = errorMessage == nil ? .ok : .unprocessableContent
        return .view(
            "patterns/screens/" + Self.template, FramedScreen(pattern: pattern, screen: self), status: status)
    }
}

extension Request {
    /// The response that shows a screen of the pattern that this request belongs to.
    package func screen(_ page: some Screen) throws -> Response {
        page.response(in: try visitor.pattern)
    }
}
