public import Roost

/// A customer whose site it is, by the first label of the host: `nest` for `nest.example.com`.
public struct Tenant: Sendable, Equatable {
    /// The label.
    public let name: String
}

private enum CurrentTenant: RequestKey { typealias Value = Tenant }

extension Request {
    /// The tenant that ``Tenants`` has found.
    public var tenant: Tenant? { self[CurrentTenant.self] }
}

/// Finds the tenant of each request by a function that may wait; unknown ones get 404.
public struct Tenants: Middleware {
    private let isKnown: @Sendable (String) async throws -> Bool

    /// - Parameter isKnown: Whether there is a tenant of this name.
    public init(isKnown: @escaping @Sendable (String) async throws -> Bool) { self.isKnown = isKnown }

    /// Hands the request on with its tenant.
    /// - Throws: `HTTPError` with 404 for an unknown one.
    public func respond(to request: Request, next: Next) async throws -> Response {
        let name = String(request.authority.prefix { $0 != "." && $0 != ":" })
        guard try await isKnown(name) else { throw HTTPError(.notFound, "There is no site of this name.") }
        var request = request
        request[CurrentTenant.self] = Tenant(name: name)
        var response = try await next(request)
        response.headers.append(.vary, "Host")
        return response
    }
}
