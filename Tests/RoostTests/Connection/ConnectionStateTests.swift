import Testing

@testable import Roost

/// The waits of a connection, as a table: the event, the wait that follows, its end, and what happens
/// when that time has passed.
@Suite("A connection's time", .timeLimit(.minutes(5)))
struct ConnectionStateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let wait: ConnectionState.Wait
        let deadline: Int
        let expiry: ConnectionState.Expiry
        let happens: @Sendable (inout ConnectionState) -> Void

        init(
            _ description: String,
            _ wait: ConnectionState.Wait,
            until deadline: Int,
            then expiry: ConnectionState.Expiry,
            _ happens: @escaping @Sendable (inout ConnectionState) -> Void
        ) {
            testDescription = description
            self.wait = wait
            self.deadline = deadline
            self.expiry = expiry
            self.happens = happens
        }
    }

    static let limits = {
        var limits = ServerConfiguration().connectionLimits
        limits.headTimeout = 3
        limits.idleTimeout = 7
        limits.body = MinimumRate(bytes: 100, window: 4)
        limits.output = MinimumRate(bytes: 100, window: 5)
        return limits
    }()

    /// Every connection begins at 100 with a connection that is accepted.
    static let rows = [
        Row("accept", .firstRequest, until: 103, then: .refusal) { _ in },
        Row("more of the first head", .firstRequest, until: 103, then: .refusal) {
            $0.awaitRequest(at: 102, headHasBegun: true, limits)
        },
        Row("a request", .nothing, until: .max, then: .nothing) { $0.awaitNothing(at: 102) },
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
            $0.serve(at: 102)
            $0.awaitRequest(at: 101, headHasBegun: true, limits)
        },
        Row("a server that ends", .request, until: 105, then: .close) {
            $0.answer(at: 101)
            $0.postpone(to: 105)
        },
        Row("a body that somebody reads", .body, until: 106, then: .bodyFailure) {
            $0.awaitNothing(at: 102)
            $0.awaitBody(at: 102, Arrears(), limits.body)
        },
        Row("a body that is behind", .body, until: 104, then: .bodyFailure) {
            $0.awaitNothing(at: 102)
            $0.awaitBody(at: 102, arrears(seconds: 3, paid: 100), limits.body)
        },
        Row("some of the body", .nothing, until: .max, then: .nothing) {
            $0.awaitNothing(at: 102)
            $0.awaitBody(at: 102, Arrears(), limits.body)
            $0.awaitNothing(at: 102)
        },
        Row("a response while a body was waited for", .request, until: 112, then: .close) {
            $0.awaitBody(at: 102, Arrears(), limits.body)
            $0.awaitRequest(at: 105, headHasBegun: false, limits)
        },
        Row("output that does not fit", .output, until: 106, then: .close) { $0.awaitOutput(at: 101, limits.output) },
        Row("enough of it is taken", .output, until: 109, then: .close) {
            $0.awaitOutput(at: 101, limits.output)
            $0.outputMoved(300, at: 104, limits.output)
        },
        Row("more of it is taken than must be", .output, until: 109, then: .close) {
            $0.awaitOutput(at: 101, limits.output)
            $0.outputMoved(9_000, at: 104, limits.output)
        },
        Row("less of it is taken", .output, until: 107, then: .close) {
            $0.awaitOutput(at: 101, limits.output)
            $0.outputMoved(100, at: 104, limits.output)
        },
        Row("any of it is taken, where that is enough", .output, until: 109, then: .close) {
            let rate = MinimumRate(bytes: 0, window: 5)
            $0.awaitOutput(at: 101, rate)
            $0.outputMoved(1, at: 104, rate)
        },
        Row("more output, after some that was taken slowly", .output, until: 108, then: .close) {
            $0.awaitOutput(at: 101, limits.output)
            $0.outputIsTaken(at: 104, limits.output)
            $0.outputMoved(100, at: 105, limits.output)
            $0.awaitOutput(at: 105, limits.output)
        },
        Row("all of it is taken", .nothing, until: .max, then: .nothing) {
            $0.awaitOutput(at: 101, limits.output)
            $0.outputIsTaken(at: 103, limits.output)
        },
        Row("a request behind output that does not fit", .output, until: 106, then: .close) {
            $0.awaitOutput(at: 101, limits.output)
            $0.awaitNothing(at: 102)
            $0.awaitRequest(at: 102, headHasBegun: true, limits)
        },
        Row("a body behind output that does not fit", .output, until: 106, then: .close) {
            $0.awaitOutput(at: 101, limits.output)
            $0.awaitBody(at: 103, Arrears(), limits.body)
            $0.prolongEnd(at: 103, within: 2)
        },
        Row("a handler whose time is limited", .handler, until: 112, then: .handlerFailure) {
            $0.awaitNothing(at: 102)
            $0.beginHandler(at: 102, within: 10)
        },
        Row("a handler that waits for a body", .body, until: 108, then: .bodyFailure) {
            $0.beginHandler(at: 102, within: 10)
            $0.awaitBody(at: 104, Arrears(), limits.body)
        },
        Row("a handler that has got some of it", .handler, until: 115, then: .handlerFailure) {
            $0.beginHandler(at: 102, within: 10)
            $0.awaitBody(at: 104, Arrears(), limits.body)
            $0.awaitNothing(at: 107)
        },
        Row("a handler that has returned", .nothing, until: .max, then: .nothing) {
            $0.beginHandler(at: 102, within: 10)
            $0.endHandler()
        },
        Row("a handler that has returned, and output that does not fit", .output, until: 109, then: .close) {
            $0.beginHandler(at: 102, within: 10)
            $0.endHandler()
            $0.awaitOutput(at: 104, limits.output)
        },
        Row("a last response", .end, until: 103, then: .close) { $0.awaitEnd(at: 101, within: 2) },
        Row("more from a client that has had it", .end, until: 104, then: .close) {
            $0.awaitEnd(at: 101, within: 2)
            $0.prolongEnd(at: 102, within: 2)
        },
        Row("more and more of it", .end, until: 113, then: .close) { state in
            state.awaitEnd(at: 101, within: 2)
            for now in 102...112 { state.prolongEnd(at: now, within: 2) }
        },
        Row("a server that ends meanwhile", .end, until: 103, then: .close) {
            $0.awaitEnd(at: 101, within: 5)
            $0.awaitEnd(at: 102, within: 1)
        },
        Row("close", .nothing, until: .max, then: .nothing) {
            $0.awaitOutput(at: 101, limits.output)
            $0.close()
        },
    ]

    private static func arrears(seconds: Int, paid: Int) -> Arrears {
        var arrears = Arrears()
        arrears.add(seconds: seconds, limits.body)
        arrears.pay(paid, limits.body)
        return arrears
    }

    /// The times for which a client keeps others waiting, seven seconds after accept.
    static let lags = [
        Lag(nil) { $0.answer(at: 101) },
        Lag(nil) { $0.awaitNothing(at: 102) },
        Lag(7) { _ in },
        Lag(5) {
            $0.awaitNothing(at: 102)
            $0.awaitRequest(at: 102, headHasBegun: true, limits)
        },
        Lag(3) { $0.awaitBody(at: 104, Arrears(), limits.body) },
        Lag(5) { $0.awaitBody(at: 104, arrears(seconds: 3, paid: 100), limits.body) },
        Lag(2) { $0.awaitOutput(at: 105, limits.output) },
        Lag(4) {
            $0.awaitOutput(at: 102, limits.output)
            $0.outputMoved(100, at: 105, limits.output)
        },
        Lag(6) { $0.awaitEnd(at: 101, within: 2) },
    ]

    struct Lag: Sendable {
        let seconds: Int?
        let happens: @Sendable (inout ConnectionState) -> Void

        init(_ seconds: Int?, _ happens: @escaping @Sendable (inout ConnectionState) -> Void) {
            self.seconds = seconds
            self.happens = happens
        }
    }

    @Test func `with its age a connection retires`() {
        var limits = Self.limits
        limits.maximumAge = nil
        #expect(!ConnectionState(at: 100, limits).isRetired(at: 1_000_000))
        limits.maximumAge = 10
        let state = ConnectionState(at: 100, limits)
        #expect(!state.isRetired(at: 109))
        #expect(state.isRetired(at: 110))
    }

    @Test(arguments: lags)
    func `a client that owes something keeps others waiting`(lag: Lag) {
        var state = ConnectionState(at: 100, Self.limits)
        lag.happens(&state)
        #expect(state.lag(at: 107, Self.limits) == lag.seconds)
    }

    @Test(arguments: rows)
    func `each state has one thing to wait for, and a deadline`(row: Row) {
        var state = ConnectionState(at: 100, Self.limits)
        row.happens(&state)
        #expect(state.wait == row.wait)
        #expect(state.deadline == row.deadline)
        #expect(state.expiry == row.expiry)
    }

    @Test func `the phase changes with what is waited for`() {
        var state = ConnectionState(at: 100, Self.limits)
        #expect(state.phase == .receiving)
        state.serve(at: 101)
        #expect(state.phase == .serving)
        state.awaitRequest(at: 101, headHasBegun: false, Self.limits)
        #expect(state.phase == .receiving)
        state.serve(at: 102)
        state.changeProtocol(at: 102)
        state.awaitSession(at: 102, until: 130)
        #expect(state.phase == .upgraded && state.wait == .session && state.deadline == 130)
        #expect(state.expiry == .session)
        state.linger()
        state.awaitEnd(at: 103, within: 2)
        #expect(state.phase == .lingering)
        state.close()
        #expect(state.phase == .closed)
    }
}

extension ConnectionState {
    /// A request has arrived and is being handled.
    fileprivate mutating func answer(at now: Int) {
        awaitNothing(at: now)
        awaitRequest(at: now, headHasBegun: false, ConnectionStateTests.limits)
    }
}
