public import HTTPTypes
public import Roost

extension HTTPClient {
    /// The error of a call that has no usable response.
    ///
    /// If a handler does not catch it, the response is 504 for a server that took too long, 502 for any other fault of
    /// the other server, and 500 for a request that cannot be sent.
    public struct Failure: Error, Sendable, CustomStringConvertible, ResponseError {
        /// The cause of a failure.
        public enum Kind: Sendable, Equatable {
            /// The request cannot be sent as it is: no absolute `http` or `https` URL, or a field with a line break.
            case invalidRequest
            /// The host name has no address, or nobody accepts the connection.
            case unreachable
            /// The host's address is not one that the client may connect to (``AllowedAddresses``).
            case addressRefused
            /// TLS failed: the certificate is not trusted, not valid any more, or of another host, or the server does
            /// not speak TLS at this port.
            case untrusted
            /// The call took longer than it may.
            case timedOut
            /// The connection broke before the response was complete.
            case connectionLost
            /// The body is larger than the client takes.
            case bodyTooLarge
            /// The server redirects more often than the client follows.
            case tooManyRedirects
            /// The response is not HTTP, or its body not what was expected.
            case malformed
            /// The status is not the expected one.
            case status(HTTPResponse.Status)
        }

        /// The cause.
        public let kind: Kind
        /// The URL, without user, password, query and fragment.
        public let url: String
        let message: String

        /// Creates an error, with which a test's client fails as a real one does:
        ///
        ///     let http = HTTPClient { request in throw HTTPClient.Failure(.timedOut, url: request.url) }
        ///
        /// - Parameter message: The rest of the sentence after the URL, without its full stop: what went wrong.
        public init(_ kind: Kind, url: String, message: String = "does not respond as expected") {
            self.init(kind, url, message)
        }

        init(_ kind: Kind, _ url: String, _ message: String) {
            self.kind = kind
            self.url = Request(.get, url).plainURL
            self.message = message
        }

        /// The URL with what went wrong, in one sentence.
        public var description: String { "\(url) \(message)." }

        /// The status for a client whose request needed this call.
        public var httpError: HTTPError? {
            switch kind {
            case .invalidRequest: nil
            case .timedOut: HTTPError(.gatewayTimeout)
            default: HTTPError(.badGateway)
            }
        }

        /// Whether it may be different in a moment.
        var isPassing: Bool { [.unreachable, .timedOut, .connectionLost].contains(kind) }
    }
}
