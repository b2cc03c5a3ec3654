public import HTTPTypes

/// Middleware that an API's description covers: what it requires of a request, and what it adds to the responses.
///
///     struct RequireKey: DescribedMiddleware {
///         var effects: MiddlewareEffects { MiddlewareEffects(credentials: [.header("X-Key")]) }
///         func respond(to request: Request, next: Next) async throws -> Response { … }
///     }
public protocol DescribedMiddleware: Middleware {
    /// The credentials that it requires, and the responses and fields that it adds.
    var effects: MiddlewareEffects { get }
}

/// The effects of a middleware on the routes inside it, for the description of an API.
public struct MiddlewareEffects: Sendable {
    /// The credentials of which a request needs one; none if it needs none.
    package var credentials: [Credential]
    /// The statuses with which it responds itself, each with a sentence. They are problem details.
    package var responses: [HTTPResponse.Status: String]
    /// The fields that a request may or must have.
    package var requestHeaders: [HTTPField.Name: RequestField]
    /// The fields that it adds to responses, each with a sentence.
    package var responseHeaders: [HTTPField.Name: String]
    /// Whether the routes should not be used any more.
    package var isDeprecated: Bool
    /// The methods of the requests that it affects; nil for all.
    package var methods: Set<HTTPRequest.Method>?

    /// A field of a request.
    public struct RequestField: Sendable, ExpressibleByStringLiteral {
        /// A sentence about it.
        package var description: String
        /// Whether a request must have it.
        package var isRequired: Bool
        /// The regular expression that its value matches (ECMA-262); nil for any text.
        package var pattern: String?

        /// A field with a sentence.
        public init(_ description: String, isRequired: Bool = false, pattern: String? = nil) {
            self.description = description
            self.isRequired = isRequired
            self.pattern = pattern
        }

        /// A field that a request may have, with any text.
        public init(stringLiteral description: String) { self.init(description) }
    }

    /// A proof that a request is allowed.
    public enum Credential: Sendable, Hashable {
        /// A token in `Authorization: Bearer` (RFC 6750), with all of these scopes.
        case bearer(scopes: [String] = [])
        /// A name and a password in `Authorization: Basic` (RFC 7617).
        case basic
        /// A cookie with this name.
        case cookie(String)
        /// A field with this name.
        case header(String)
    }

    /// Creates effects; by default, there are none.
    public init(
        credentials: [Credential] = [], responses: [HTTPResponse.Status: String] = [:],
        requestHeaders: [HTTPField.Name: RequestField] = [:], responseHeaders: [HTTPField.Name: String] = [:],
        isDeprecated: Bool = false,
        methods: Set<HTTPRequest.Method>? = nil
    ) {
        self.credentials = credentials
        self.responses = responses
        self.requestHeaders = requestHeaders
        self.responseHeaders = responseHeaders
        self.isDeprecated = isDeprecated
        self.methods = methods
    }
}

extension RateLimit: DescribedMiddleware {
    /// 429 for a client that has used up its requests.
    public var effects: MiddlewareEffects {
        MiddlewareEffects(responses: [.tooManyRequests: "Too many requests; `Retry-After` says when to try again."])
    }
}
