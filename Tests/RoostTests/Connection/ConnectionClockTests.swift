import Testing

@testable import Roost

/// What a connection waits for, as a table: what has happened, what is then waited for, until when, and what happens
/// when that time has passed.
@Suite("A connection's time", .timeLimit(.minutes(5)))
struct ConnectionClockTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let wait: ConnectionClock.Wait
        let deadline: Int
        let expiry: ConnectionClock.Expiry
        let happens: @Sendable (inout ConnectionClock) -> Void

        init(
            _ description: String,
            _ wait: ConnectionClock.Wait,
            until deadline: Int,
            then expiry: ConnectionClock.Expiry,
            _ happens: @escaping @Sendable (inout ConnectionClock) -> Void
        ) {
            testDescription = description
            self.wait = wait
            self.deadline = deadline
            self.expiry = expiry
            self.happens = happens
        }
    }

    static let limits = {
        var limits = ConnectionLimits()
        limits.headTimeout = 3
        limits.idleTimeout = 7
        return limits
    }()

    /// Every clock begins at 100 with a connection that is accepted.
    static let rows = [
        Row("accept", .firstRequest, until: 103, then: .refusal) { _ in },
        Row("more of the first head", .firstRequest, until: 103, then: .refusal) {
            $0.awaitRequest(at: 102, headHasBegun: true, limits)
        },
        Row("a request", .nothing, until: .max, then: .nothing) { $0.awaitNothing() },
        Row("a response", .request, until: 108, then: .close) { $0.answer(at: 101) },
        Row("a look at what has come, which is nothing", .request, until: 108, then: .close) {
            $0.answer(at: 101)
            $0.awaitRequest(at: 105, headHasBegun: false, limits)
        },
        Row("the first byte of another request", .head, until: 109, then: .refusal) {
            $0.answer(at: 101)
            $0.awaitRequest(at: 106, headHasBegun: true, limits)
        },
        Row("more of its head", .head, until: 109, then: .refusal) {
            $0.answer(at: 101)
            $0.awaitRequest(at: 106, headHasBegun: true, limits)
            $0.awaitRequest(at: 108, headHasBegun: true, limits)
        },
        Row("empty lines, which are skipped", .head, until: 109, then: .refusal) {
            $0.answer(at: 101)
            $0.awaitRequest(at: 106, headHasBegun: true, limits)
            $0.awaitRequest(at: 108, headHasBegun: false, limits)
        },
        Row("a response and the first byte of the next request", .head, until: 104, then: .refusal) {
            $0.awaitNothing()
            $0.awaitRequest(at: 101, headHasBegun: true, limits)
        },
        Row("a server that ends", .request, until: 105, then: .close) {
            $0.answer(at: 101)
            $0.end(at: 105)
        },
        Row("a body that somebody reads", .body, until: 106, then: .bodyFailure) {
            $0.awaitNothing()
            $0.awaitBody(at: 102, within: 4)
        },
        Row("some of the body", .nothing, until: .max, then: .nothing) {
            $0.awaitNothing()
            $0.awaitBody(at: 102, within: 4)
            $0.awaitNothing()
        },
        Row("a response while a body was waited for", .request, until: 112, then: .close) {
            $0.awaitBody(at: 102, within: 4)
            $0.awaitRequest(at: 105, headHasBegun: false, limits)
        },
        Row("output that does not fit", .output, until: 106, then: .close) { $0.awaitOutput(at: 101, within: 5) },
        Row("some of it is taken", .output, until: 109, then: .close) {
            $0.awaitOutput(at: 101, within: 5)
            $0.awaitOutput(at: 104, within: 5)
        },
        Row("all of it is taken", .nothing, until: .max, then: .nothing) {
            $0.awaitOutput(at: 101, within: 5)
            $0.outputIsTaken()
        },
        Row("a request behind output that does not fit", .output, until: 106, then: .close) {
            $0.awaitOutput(at: 101, within: 5)
            $0.awaitNothing()
            $0.awaitRequest(at: 102, headHasBegun: true, limits)
        },
        Row("a body behind output that does not fit", .output, until: 106, then: .close) {
            $0.awaitOutput(at: 101, within: 5)
            $0.awaitBody(at: 103, within: 4)
            $0.prolongEnd(at: 103, within: 2)
        },
        Row("a last response", .end, until: 103, then: .close) { $0.awaitEnd(at: 101, within: 2) },
        Row("more from a client that has had it", .end, until: 104, then: .close) {
            $0.awaitEnd(at: 101, within: 2)
            $0.prolongEnd(at: 102, within: 2)
        },
        Row("more and more of it", .end, until: 113, then: .close) { clock in
            clock.awaitEnd(at: 101, within: 2)
            for now in 102...112 { clock.prolongEnd(at: now, within: 2) }
        },
        Row("a server that ends meanwhile", .end, until: 103, then: .close) {
            $0.awaitEnd(at: 101, within: 5)
            $0.awaitEnd(at: 102, within: 1)
        },
        Row("close", .nothing, until: .max, then: .nothing) {
            $0.awaitOutput(at: 101, within: 5)
            $0.stop()
        },
    ]

    @Test(arguments: rows)
    func `one thing is waited for, and it has its end`(row: Row) {
        var clock = ConnectionClock(at: 100, within: Self.limits.headTimeout)
        row.happens(&clock)
        #expect(clock.wait == row.wait)
        #expect(clock.deadline == row.deadline)
        #expect(clock.expiry == row.expiry)
    }
}

extension ConnectionClock {
    /// A request has come and is answered.
    fileprivate mutating func answer(at now: Int) {
        awaitNothing()
        awaitRequest(at: now, headHasBegun: false, ConnectionClockTests.limits)
    }
}
