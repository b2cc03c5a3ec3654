public import Roost

/// `GET /status`: whether the parts of a site work, as JSON; 503 if one does not.
public struct StatusController: Controller {
    /// The path of the status page.
    public static let status = Path("/status")

    /// A part of the site, and the function that throws when it does not work.
    public typealias Check = @Sendable () async throws -> Void

    private let checks: [String: Check]

    /// - Parameter checks: The parts by name.
    public init(_ checks: [String: Check]) { self.checks = checks }

    /// Declares the route.
    public func routes(_ routes: Routes) {
        routes.get(Self.status, use: show)
    }

    private func show(_ request: Request) async throws -> Response {
        var failed: [String] = []
        for (name, check) in checks.sorted(by: { $0.key < $1.key }) {
            do { try await check() } catch { failed.append(name) }
        }
        let status: HTTPResponse.Status = failed.isEmpty ? .ok : .serviceUnavailable
        return .json(["failed": failed], status: status, headers: [.cacheControl: "no-store"])
    }
}
