public import HTTPTypes

/// The methods of RFC 9110 §9.3, RFC 5789 and RFC 10008 as one byte, so that a request carries its method without a
/// string.
enum KnownMethod: UInt8, Sendable {
    case get, head, post, put, patch, delete, options, query
    /// Any other token; the request line has its name.
    case other

    /// The method with a name; case matters (RFC 9110 §9.1).
    init(_ name: UnsafeBufferPointer<UInt8>) {
        switch name.count {
        case 3: self = name.isEqual(to: "GET") ? .get : name.isEqual(to: "PUT") ? .put : .other
        case 4: self = name.isEqual(to: "POST") ? .post : name.isEqual(to: "HEAD") ? .head : .other
        case 5: self = name.isEqual(to: "PATCH") ? .patch : name.isEqual(to: "QUERY") ? .query : .other
        case 6: self = name.isEqual(to: "DELETE") ? .delete : .other
        case 7: self = name.isEqual(to: "OPTIONS") ? .options : .other
        default: self = .other
        }
    }

    init(_ method: HTTPRequest.Method) {
        var name = method.rawValue
        self = name.withUTF8 { KnownMethod($0) }
    }

    /// Whether requests with it change nothing (RFC 9110 §9.2.1); other tokens are not known to be safe.
    var isSafe: Bool {
        switch self {
        case .get, .head, .options, .query: true
        case .post, .put, .patch, .delete, .other: false
        }
    }

    /// The ecosystem's name for it; nil for any other token.
    var method: HTTPRequest.Method? {
        switch self {
        case .get: .get
        case .head: .head
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        case .options: .options
        case .query: .query
        case .other: nil
        }
    }
}

extension HTTPRequest.Method {
    /// `QUERY`: a safe request with a body, such as a search that is too long for a URL (RFC 10008).
    public static let query = Self("QUERY") ?? .get
}
