import HTTPTypes

/// Lets a page's form send `PUT`, `PATCH` or `DELETE`, which HTML cannot: a `POST` of a form with a field `_method` is
/// handled as that method.
///
///     <form method="post" action="/nests/3"><input type="hidden" name="_method" value="delete"> … </form>
///
/// Place it behind ``CrossOriginProtection``, which then decides about the `POST` that was sent:
/// `Application.standardMiddleware() + [MethodOverride()]`. Urlencoded forms of at most 16 KiB are looked at, whose
/// length the client has announced, as browsers do. Of a form with files, the field must be the first one, before any
/// file: then nothing after it is waited for, and a route gets the form as a stream if it wants.
public struct MethodOverride: LinkedMiddleware {
    /// The name of the field.
    public static let field = "_method"

    private static let maximumSize = 16 * 1024

    /// Middleware without options.
    public init() {}

    /// Passes the request on, with the method that its form asks for.
    /// - Throws: ``HTTPError`` with 400 for another method than the three.
    public func respond(to request: Request, next: Next) async throws -> Response {
        try await link(to: next.responder).respond(to: request)
    }

    func link(to next: any Responder) -> any Responder { Link(next) }

    /// Waits only for a form that is still coming.
    private final class Link: Responder {
        private let next: any Responder

        init(_ next: any Responder) { self.next = next }

        func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
            guard request.knownMethod == .post else { return try next.respondWithoutWaiting(to: &request) }
            if request.isMultipart {
                guard !request.body.isStream else { return .waiting(self) }
                var opening = try? MethodOverride.opening(of: request)
                let start = try request.body.withBytes { Array($0.prefix(MultipartOpening.maximumSize)) }
                try MethodOverride.apply(opening?.receive(start), to: &request)
            } else if let count = request.body.count, (1...maximumSize).contains(count), request.isTypedForm {
                guard request.bodyCountInMemory != nil else { return .waiting(self) }
                try MethodOverride.apply(to: &request)
            }
            return try next.respondWithoutWaiting(to: &request)
        }

        func respond(to request: Request) async throws -> Response {
            var request = request
            if request.isMultipart {
                try await MethodOverride.look(into: &request)
            } else {
                request = try await request.collected(upTo: maximumSize)
                try MethodOverride.apply(to: &request)
            }
            return try await next.respondEitherWay(to: request)
        }
    }

    // MARK: Forms with files

    private static func opening(of request: Request) throws -> MultipartOpening {
        MultipartOpening(try request.multipart(MultipartLimits(maximumSize: .max)).parser, name: field)
    }

    /// Reads a form up to the end of its first field, and leaves the body as it was. A client that waits to be asked
    /// for its body (RFC 9110 §10.1.1) is no page, and is not asked here.
    private static func look(into request: inout Request) async throws {
        guard !request.headers.contains(.expect), var opening = try? opening(of: request) else { return }
        var pieces: [[UInt8]] = []
        var (size, finding) = (0, MultipartOpening.Finding.nothing)
        guard ResumedStream([], request.body) != nil else { return }
        for try await piece in request.body {
            pieces.append(piece)
            size += piece.count
            finding = opening.receive(piece)
            guard finding == .nothing, size < MultipartOpening.maximumSize else { break }
        }
        if let stream = ResumedStream(pieces, request.body) {
            request.body = Body(stream: stream, length: request.body.count)
        }
        try apply(finding, to: &request)
    }

    private static func apply(_ finding: MultipartOpening.Finding?, to request: inout Request) throws {
        if case .text(let name) = finding { try apply(name, to: &request) }
    }

    // MARK: Forms without files

    private static func apply(to request: inout Request) throws {
        guard let name = try request.body.withBytes({ Form(urlEncoded: $0)[field] }) else { return }
        try apply(name, to: &request)
    }

    private static func apply(_ name: String, to request: inout Request) throws {
        switch name.lowercased() {
        case "put": request.method = .put
        case "patch": request.method = .patch
        case "delete": request.method = .delete
        case "post": break
        default: throw HTTPError(.badRequest, "A form's _method must be put, patch or delete.")
        }
    }
}
