public import HTTPTypes
import Synchronization

/// Gives each request an id, which the log and the response carry, so that a person who saw an error can be helped.
public struct RequestIDs: Middleware {
    /// The key of a request's id.
    enum Key: RequestKey { typealias Value = String }

    private static let counter = Atomic<UInt64>(0)

    /// Differs from process to process.
    private let prefix: String

    /// Ids that begin with eight random digits and count on from there.
    public init() {
        let random = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        prefix = String(repeating: "0", count: 8 - random.count) + random
    }

    /// Sets the id, and returns it in `X-Request-Id`.
    public func respond(to request: Request, next: Next) async throws -> Response {
        let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        let id = "\(prefix)-\(number)"
        var request = request
        request[Key.self] = id
        var response = try await next(request)
        response.headers.append(.requestID, id)
        return response
    }
}

extension Request {
    /// The id that ``RequestIDs`` gave it; nil without that middleware.
    public var id: String? { self[RequestIDs.Key.self] }
}

extension HTTPField.Name {
    /// `X-Request-Id`: what a log calls this request.
    public static let requestID = known("X-Request-Id")
}
