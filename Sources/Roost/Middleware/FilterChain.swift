// The way of a request through the filters: inward from one to the next, to the responder behind them, and outward
// again through the same filters, with a response or with an error.
//
//     in    before → before → before → next
//     out   after  ← after  ← after  ←            (`recover` instead while it is an error)
//
// One function of each step does both (`pass`). If something has to wait, the way is interrupted there. What waits gets
// a task, and then `pass` is called once more, to go on outward from that step. Each step is a class that is generic in
// its filter, and has the step inside it: so filters are called directly, and nothing is copied or counted on the way.

/// Filters that follow each other, and the responder behind them.
final class FilterChain: Responder {
    fileprivate let outermost: any FilterStep

    init(_ filters: [any Filter], _ next: any Responder, _ context: ResponseContext) {
        outermost = filters.reversed().reduce(FilterEnd(next, context) as any FilterStep) { inner, filter in
            Self.step(filter, inner, context)
        }
    }

    private static func step(
        _ filter: some Filter, _ inner: any FilterStep, _ context: ResponseContext
    ) -> any FilterStep {
        FilterLink(filter, inner, context)
    }

    func respond(to request: Request) async throws -> Response { try await respondEitherWay(to: request) }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        var response = Response()
        guard let pause = try outermost.pass(&request, &response, after: nil, in: self) else { return .ready(response) }
        return .waiting(pause)
    }
}

/// The step at which a way is interrupted, what has to wait there, and the rest of the way. It is an object because
/// most steps find none, and to look whether there is an object takes no call.
private final class Pause: Responder {
    private let responder: any Responder
    private let step: any FilterStep
    private let chain: FilterChain

    init(_ responder: any Responder, at step: any FilterStep, of chain: FilterChain) {
        self.responder = responder
        self.step = step
        self.chain = chain
    }

    // Inlined into the protocol's function, which would otherwise be another one that waits.
    @inline(__always)
    func respond(to request: Request) async throws -> Response {
        var (request, response, pause) = (request, Response(), self)
        while true {
            var wait = PastWait(step: pause.step)
            do { response = try await pause.responder.respond(to: request) } catch { wait.failure = error }
            guard let next = try chain.outermost.pass(&request, &response, after: wait, in: chain) else {
                return response
            }
            pause = next
        }
    }
}

/// The step that has waited, and the error with which that has ended, if it did not make the response.
private struct PastWait {
    let step: any FilterStep
    var failure: (any Error)?
}

/// A filter of a chain with all that is inside it, or what follows the chain.
private protocol FilterStep: AnyObject, Sendable {
    /// Takes a request inward, and its response outward. Returns what has to wait, if something has.
    /// - Parameter wait: Nil at first; then, the wait after which only the way outward from that step is left.
    func pass(
        _ request: inout Request, _ response: inout Response, after wait: PastWait?, in chain: FilterChain
    ) throws -> Pause?
}

/// A filter, and the step inside it.
private final class FilterLink<Outer: Filter>: FilterStep {
    private let filter: Outer
    private let inner: any FilterStep
    private let context: ResponseContext

    init(_ filter: Outer, _ inner: any FilterStep, _ context: ResponseContext) {
        self.filter = filter
        self.inner = inner
        self.context = context
    }

    func pass(_ request: inout Request, _ response: inout Response, after wait: PastWait?, in chain: FilterChain) throws
        -> Pause?
    {
        if let wait {
            guard wait.step !== self else {
                if let failure = wait.failure { throw failure }
                return nil
            }
        } else if let early = try filter.before(&request) {
            response = early
            return try makeContent(of: &response, for: request, chain)
        }
        do {
            if let pause = try inner.pass(&request, &response, after: wait, in: chain) { return pause }
        } catch {
            response = try filter.recover(from: error, in: request)
            return try makeContent(of: &response, for: request, chain)
        }
        try filter.after(&response, to: request)
        return try makeContent(of: &response, for: request, chain)
    }

    /// Makes the content that the filter has left to be made, before a filter around it sees the response.
    @inline(__always)
    private func makeContent(
        of response: inout Response, for request: Request, _ chain: FilterChain
    ) throws -> Pause? {
        try response.makeContent(for: request, in: context).map { Pause($0, at: self, of: chain) }
    }
}

/// The responder behind the filters.
private final class FilterEnd: FilterStep {
    private let next: any Responder
    private let context: ResponseContext

    init(_ next: any Responder, _ context: ResponseContext) {
        self.next = next
        self.context = context
    }

    func pass(_ request: inout Request, _ response: inout Response, after wait: PastWait?, in chain: FilterChain) throws
        -> Pause?
    {
        if let wait {
            if let failure = wait.failure { throw failure }
        } else {
            switch try next.respondWithoutWaiting(to: &request) {
            case .ready(let ready): response = ready
            case .waiting(let responder): return Pause(responder, at: self, of: chain)
            }
        }
        return try response.makeContent(for: request, in: context).map { Pause($0, at: self, of: chain) }
    }
}
