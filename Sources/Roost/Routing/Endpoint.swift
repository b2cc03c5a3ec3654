// The one place where a route's handler is called and the content of its response is made, for every kind of route:
// what declares a route leaves both to its endpoint, since both may have to wait.

/// The function that makes a route's response, of a request whose body has been read.
@usableFromInline
enum RouteHandler: Sendable {
    /// It never waits: its response costs no task.
    case immediate(@Sendable (Request, ResponseContext) throws -> Response)
    case waiting(@Sendable (Request, ResponseContext) async throws -> Response)
}

/// A route's handler, with everything that it needs to respond.
///
/// A class, because routers and chains pass it on for each request, and one reference is passed on faster than a struct
/// with several.
final class Endpoint: Responder {
    private let handler: RouteHandler
    private let context: ResponseContext
    /// The largest body to read before the handler is called; nil when it reads the body itself.
    let bodyLimit: BodyLimit?
    /// The largest body of a route without a limit of its own.
    private let usualLimit: BodyLimit

    init(_ handler: RouteHandler, _ context: ResponseContext, bodyLimit: BodyLimit?, usualLimit: BodyLimit) {
        self.handler = handler
        self.context = context
        self.bodyLimit = bodyLimit
        self.usualLimit = usualLimit
    }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        guard case .immediate(let handler) = handler, let bodyLimit, let count = request.bodyCountInMemory,
            bodyLimit.allows(count, of: request)
        else { return .waiting(self) }
        var response = try handler(request, context)
        if let pending = try response.makeContent(for: request, in: context) { return .waiting(pending) }
        return .ready(response)
    }

    // Inlined into the protocol's function, which would otherwise be another one that waits.
    @inline(__always)
    func respond(to request: Request) async throws -> Response {
        let request = request.body.count != 0 ? try await collected(request) : request
        return switch handler {
        case .immediate(let handler): try await handler(request, context).makingContent(for: request, in: context)
        case .waiting(let handler): try await handler(request, context).makingContent(for: request, in: context)
        }
    }

    /// The same request with its whole body in memory, unless the handler reads that itself. By itself, because a
    /// function that waits takes memory for all its variables whenever it is called.
    @inline(never)
    private func collected(_ request: Request) async throws -> Request {
        var request = request
        guard let bodyLimit else {
            request[UsualBodyLimit.self] = usualLimit.bytes(for: request)
            request.body = request.body.uncollected
            return request
        }
        request.body = try await request.body.collect(upTo: bodyLimit.bytes(for: request))
        return request
    }
}

extension Request {
    /// The next captured segment as a value of its type.
    /// - Throws: ``HTTPError`` with 404 for a segment that is not such a value.
    @usableFromInline
    func parameter<Parameter: PathParameter>(_ type: Parameter.Type, _ index: inout Int) throws -> Parameter {
        defer { index += 1 }
        if Parameter.self == RemainingPath.self {
            return unsafeBitCast(RemainingPath(encoded: bytes.slice(captures[index])), to: Parameter.self)
        }
        if Parameter.self == Int.self, let number = bytes.slice(captures[index]).identifier {
            return unsafeBitCast(number, to: Parameter.self)
        }
        let segment = capture(index)
        if Parameter.self == String.self { return unsafeBitCast(segment, to: Parameter.self) }  // it is what it is
        return try value(of: segment)
    }

    // By itself, because an optional of unknown type is a type to look up at run time: as much as finding the route.
    @inline(never)
    private func value<Parameter: PathParameter>(of segment: String) throws -> Parameter {
        guard let value = Parameter(pathSegment: segment) else { throw HTTPError(.notFound) }
        return value
    }
}
