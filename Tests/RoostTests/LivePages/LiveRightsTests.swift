import HTTPTypes
import Synchronization
import Testing

@testable import Roost

/// The rights of those who follow a page, as they are looked at again.
@Suite("Rights to live pages", .timeLimit(.minutes(5)))
struct LiveRightsTests {
    /// The response of a gate, and the topic behind it.
    private final class State: Sendable {
        let status = Mutex(HTTPResponse.Status.ok)
        let isMember = Mutex(false)
        let (guests, members) = (Topic<Int>(), Topic<Int>())
    }

    private struct Bug: Error {}

    private struct Gate: Filter {
        let state: State

        func before(_ request: inout Request) throws -> Response? {
            let status = state.status.withLock { $0 }
            if status == .bug { throw Bug() }
            guard status == .ok else { throw HTTPError(status) }
            return nil
        }
    }

    private let state = State()
    private let live = LivePages()

    /// Looks at the rights of a viewer who came as a guest.
    private func check(interval: Duration = .zero) async throws {
        let context = ResponseContext(templates: nil)
        let table = RouteTable(context, bodyLimit: BodyLimit(body: 0, form: 0))
        let state = state
        Routes(table).group(middleware: [Gate(state: state)]) { routes in
            routes.get(Path("/page")) { _ in "page" }
            routes.live(Path("/page")) { _ in
                [.refreshes(on: state.isMember.withLock { $0 } ? state.members : state.guests)]
            }
        }
        let router = try table.freeze()
        live.use(router, behind: [], in: context)
        let page = LivePages.FollowedPage(url: "/page", place: 0, after: "")
        let topics = [ObjectIdentifier(state.guests)]
        let rights = LiveRights(
            try Request(.get, "/_live/events"), to: page, following: topics, live, interval: interval)
        try await rights.check()
        withExtendedLifetime(router) {}
    }

    @Test func `a right that is there is kept`() async throws { try await check() }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .forbidden, .notFound, .gone, .found])
    func `a right that is lost is noticed before more content is sent`(status: HTTPResponse.Status) async throws {
        state.status.withLock { $0 = status }
        await #expect(throws: LiveRightLost.self) { try await check() }
    }

    @Test func `a viewer who would get something else now has lost the right to what was there`() async throws {
        state.isMember.withLock { $0 = true }
        await #expect(throws: LiveRightLost.self) { try await check() }
    }

    @Test(arguments: [
        HTTPResponse.Status.serviceUnavailable, .tooManyRequests, .internalServerError, .requestTimeout, .bug,
    ])
    func `a failure that passes takes no right away`(status: HTTPResponse.Status) async throws {
        state.status.withLock { $0 = status }
        try await check()
    }

    @Test func `a look at the rights holds for a while`() async throws {
        state.status.withLock { $0 = .forbidden }
        try await check(interval: .seconds(3600))
    }
}

extension HTTPResponse.Status {
    /// Stands for an error of the gate that is no `HTTPError`.
    fileprivate static let bug = HTTPResponse.Status(code: 299)
}
