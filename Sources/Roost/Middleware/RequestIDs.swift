public import HTTPTypes
import Synchronization

/// Middleware that gives each request an id, which appears in the log and in the response, so that a person who saw an
/// error can be helped.
///
/// A trusted proxy (``ServerConfiguration/trustedProxies``) may have given the request an id already, in
/// `X-Request-Id`: one of up to 64 letters, digits, `.`, `_` and `-` is kept. Any other request gets a new one.
///
/// An id is a hash of the request's number (`Hasher`), under keys that each process takes from the system's random
/// numbers. Nobody can guess an id from others, or tell how many requests came in between. An id costs no system call.
/// The 64 bits are 13 digits of Crockford's base 32, which has no `i`, `l`, `o` and `u`, so an id can be read aloud; a
/// text this short needs no memory of its own.
public struct RequestIDs: Filter {
    /// The key of a request's id.
    enum Key: RequestKey { typealias Value = String }

    private static let counter = Atomic<UInt64>(0)

    /// Creates the middleware.
    public init() {}

    /// Sets the id.
    public func before(_ request: inout Request) -> Response? {
        let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        request[Key.self] = Self.given(to: request) ?? Self.text(UInt64(bitPattern: Int64(number.hashValue)))
        return nil
    }

    /// The id that a trusted proxy has given to a request.
    private static func given(to request: Request) -> String? {
        guard request.forwarded != nil, let id = request.headers[.requestID] else { return nil }
        let isPlain = id.utf8.allSatisfy { byte in
            byte.isLetterOrDigit || byte == 0x2E || byte == 0x5F || byte == 0x2D
        }
        return isPlain && (1...64).contains(id.utf8.count) ? id : nil
    }

    /// Adds the id to the response, in `X-Request-Id`.
    public func after(_ response: inout Response, to request: Request) {
        if let id = request.id { response.headers.append(.requestID, id) }
    }

    /// A number in base 32, the highest digits first.
    static func text(_ number: UInt64) -> String {
        let digits: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
        return String(unsafeUninitializedCapacity: 13) { text in
            for place in 0..<13 { text[place] = digits.utf8Start[Int(number >> (60 - 5 * place) & 31)] }
            return 13
        }
    }
}

extension Request {
    /// The id that ``RequestIDs`` gave the request; nil without that middleware.
    public var id: String? { self[RequestIDs.Key.self] }
}

extension HTTPField.Name {
    /// `X-Request-Id`: what a log calls this request.
    public static let requestID = known("X-Request-Id")
}
