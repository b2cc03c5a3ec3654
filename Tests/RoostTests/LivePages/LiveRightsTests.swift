import HTTPTypes
import RoostTesting
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
        /// The number of times that the gate was asked.
        let asked = Atomic(0)
        let (guests, members) = (Topic<Int>(), Topic<Int>())
    }

    private struct Bug: Error {}

    private struct Gate: Filter {
        let state: State

        func before(_ request: inout Request) throws -> Response? {
            state.asked.add(1, ordering: .relaxed)
            let status = state.status.withLock { $0 }
            if status == .bug { throw Bug() }
            guard status == .ok else { throw HTTPError(status) }
            return nil
        }
    }

    private let state = State()
    private let clock = TestClock()
    private let live: LivePages

    init() { live = withClock(clock) { LivePages() } }

    /// Looks at the rights of a viewer who came as a guest.
    private func check(interval: Duration = .zero) async throws {
        try await withRights(interval: interval) { try await $0.check() }
    }

    private static let page = LivePages.FollowedPage(url: "/page", place: 0, after: "")

    /// Opens the page for another stream.
    private func open() async throws -> LivePages.Opened? {
        let stream = try Request(.get, "/_live/events")
        return try await live.open(Self.page, for: stream, CountedLimits(of: stream))
    }

    /// - Parameter limits: Middleware around the gate.
    private func withRights(
        interval: Duration = LiveRights.interval, behind limits: [any Middleware] = [],
        _ body: (LiveRights) async throws -> Void
    ) async throws {
        let context = ResponseContext(templates: nil)
        let table = RouteTable(context, bodyLimit: BodyLimit(body: 0, form: 0))
        let state = state
        Routes(table).group(middleware: limits + [Gate(state: state)]) { routes in
            routes.get(Path("/page")) { _ in "page" }
            routes.live(Path("/page")) { _ in
                [.refreshes(on: state.isMember.withLock { $0 } ? state.members : state.guests)]
            }
        }
        let router = try table.freeze()
        live.use(router, behind: [], in: context)
        let topics = [ObjectIdentifier(state.guests)]
        let rights = LiveRights(
            try Request(.get, "/_live/events"), to: Self.page, following: topics, live, interval: interval)
        try await body(rights)
        withExtendedLifetime(router) {}
    }

    @Test func `sources that take no waiting are known at once`() throws {
        let table = RouteTable(ResponseContext(templates: nil), bodyLimit: BodyLimit(body: 0, form: 0))
        let routes = Routes(table)
        routes.get(Path("/{id}", Int.self)) { _, id in "page \(id)" }
        routes.live(Path("/{id}", Int.self)) { [state] _, id in [.refreshes(on: state.guests, where: { $0 == id })] }
        let router = try table.freeze()
        var request = try Request(.get, "/1")
        guard case .ready = try router.respondWithoutWaiting(to: &request) else {
            Issue.record("The page waits for its sources.")
            return
        }
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

    @Test(arguments: [HTTPResponse.Status.serviceUnavailable, .tooManyRequests, .bug])
    func `a right that nobody can tell holds for ten minutes after the last answer`(
        status: HTTPResponse.Status
    ) async throws {
        try await withRights { rights in
            clock.advance(by: .seconds(500))
            try await rights.check()
            state.status.withLock { $0 = status }
            clock.advance(by: .seconds(599))
            try await rights.check()
            state.status.withLock { $0 = .ok }
            clock.advance(by: .seconds(10))
            try await rights.check()
            state.status.withLock { $0 = status }
            clock.advance(by: .seconds(601))
            await #expect(throws: LiveRightLost.self) { try await rights.check() }
        }
    }

    @Test func `a gate that fails is not asked more often than one that answers`() async throws {
        state.status.withLock { $0 = .bug }
        try await withRights { rights in
            for _ in 0..<3 {
                clock.advance(by: .seconds(10))
                for _ in 0..<5 { try await rights.check() }
            }
        }
        #expect(state.asked.load(ordering: .relaxed) == 3)
    }

    @Test func `a limit around a page counts who opens it, and no later look at the rights`() async throws {
        let limit = withClock(clock) { RateLimit(1, per: .hours(24)) }
        try await withRights(behind: [limit]) { rights in
            for _ in 0..<3 {
                clock.advance(by: .seconds(10))
                try await rights.check()
            }
            #expect(state.asked.load(ordering: .relaxed) == 3)
            let opened = try await open()
            #expect(opened?.topics == [ObjectIdentifier(state.guests)])
            let error = await #expect(throws: HTTPError.self) { try await open() }
            #expect(error?.status == .tooManyRequests)
            clock.advance(by: .seconds(10))
            try await rights.check()
            #expect(state.asked.load(ordering: .relaxed) == 5)
        }
    }
}

extension HTTPResponse.Status {
    /// Stands for an error of the gate that is no `HTTPError`.
    fileprivate static let bug = HTTPResponse.Status(code: 299)
}
