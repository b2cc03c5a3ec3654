public import HTTPTypes

/// A route as an application's list of them shows it.
public struct DeclaredRoute: Sendable, Hashable, CustomStringConvertible {
    /// The method; a `GET` route answers `HEAD` as well.
    public let method: HTTPRequest.Method
    /// The path, with a colon for each parameter: `/users/:/delete`.
    public let path: String

    /// As people write it: `POST /users/:/delete`.
    public var description: String { "\(method) \(path)" }
}
