import HTTPTypes
import Roost
import Synchronization

/// A request and what becomes of it, between the task that waits and the loop on which libcurl works.
final class TransferExchange: Sendable {
    let request: HTTPClient.Request
    /// The time that the transfer may take; if the body is read as it comes, the time until the head is there.
    let time: Duration
    /// The time that each pause in such a body may take.
    let pause: Duration
    let download: Download
    let upload: Upload?
    let streams: Bool
    let state = Mutex(State())

    struct State {
        var head: (HTTPResponse.Status, Headers)?
        var isSettled = false
        /// The outcome until it is handed over: a response that is kept would never be let go of.
        var outcome: Result<HTTPClient.Response, any Error>?
        var waiter: UnsafeContinuation<HTTPClient.Response, any Error>?
        var isCancelled = false
        var transfer: LoopBound<Transfer>?
        /// The client's pools, which live as long as a transfer does.
        var pools: TransferPools?
    }

    init(_ request: HTTPClient.Request, time: Duration, pause: Duration? = nil, limit: Int, streams: Bool) {
        self.request = request
        self.time = time
        self.pause = pause ?? time
        self.streams = streams
        download = Download(streams: streams, limit: limit)
        upload = request.body.isStream ? Upload() : nil
    }

    /// Sends the request, and waits for the response: for its head if the body is streamed, otherwise for all of it.
    func run(on loop: EventLoop, _ pools: TransferPools) async throws -> HTTPClient.Response {
        try await withTaskCancellationHandler {
            if loop.isCurrent {
                begin(on: loop, pools)
            } else if !loop.submit({ self.begin(on: loop, pools) }) {
                throw EventLoopEnded()
            }
            if streams, upload != nil {
                // The head of the response may come, and is handed over, while the request is being sent.
                Task(executorPreference: EventLoop.current) { _ = try? await self.send(on: loop) }
            } else {
                try await send(on: loop)
            }
            return try await response()
        } onCancel: {
            cancel(on: loop, CancellationError())
        }
    }

    /// Sends a streamed body. Its error ends the transfer.
    private func send(on loop: EventLoop) async throws {
        do {
            try await upload?.send(request.body)
        } catch {
            cancel(on: loop, error)
            throw error
        }
    }

    private func response() async throws -> HTTPClient.Response {
        try await withUnsafeThrowingContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome.take()
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    // MARK: On the loop's thread

    private func begin(on loop: EventLoop, _ pools: TransferPools) {
        if state.withLock({ $0.isCancelled }) { return end(CancellationError()) }
        let transfer = Transfer(self)
        let bound = LoopBound(lending: transfer, of: loop)
        state.withLock {
            $0.transfer = bound
            $0.pools = pools
        }
        if streams || upload != nil {
            let resume: @Sendable () -> Void = { loop.execute { bound.value.pool?.resume(bound.value) } }
            upload?.connect(resume: resume)
            download.connect(resume: resume) { [weak self] in self?.cancel(on: loop, CancellationError()) }
        }
        do { try pools.pool(of: loop).begin(transfer) } catch { end(error) }
    }

    private func cancel(on loop: EventLoop, _ error: any Error) {
        loop.execute {
            let transfer = self.state.withLock { state in
                state.isCancelled = true
                return state.transfer
            }
            guard let transfer = transfer?.value else { return }
            transfer.pool?.cancel(transfer, error)
        }
    }

    /// The head of the final response has come. Returns whether the caller has it now, to read the body as it comes.
    func receivedHead(_ status: HTTPResponse.Status, _ headers: Headers) -> Bool {
        // With `Transfer-Encoding`, `Content-Length` has no meaning (RFC 9112 §6.3).
        let isCoded = headers.contains(.contentEncoding) || headers.contains(.transferEncoding)
        let length = isCoded ? nil : headers[.contentLength].flatMap { Int($0) }
        let hasBody = request.method != .head && status.code != 204 && status.code != 304 && length != 0
        // A response without a body cannot say that the rest of the request has failed, so it comes after that.
        guard streams, hasBody || upload == nil else {
            state.withLock { $0.head = (status, headers) }
            return false
        }
        let body = hasBody ? Body(stream: Reading(download), length: length) : Body()
        settle(.success(HTTPClient.Response(status, headers: headers, body: body)))
        return true
    }

    /// The transfer is over, with the whole response if there is no error.
    func end(_ error: (any Error)?) {
        let (head, pools) = state.withLock { state in
            defer {
                state.transfer = nil
                state.pools = nil
            }
            return (state.head, state.pools)
        }
        defer { withExtendedLifetime(pools) {} }
        upload?.end()
        download.end(error.map { .failure($0) } ?? .success(()))
        if let error { return settle(.failure(error)) }
        guard let head else {
            return settle(.failure(HTTPClient.Failure(.malformed, request.url, "sent no response")))
        }
        settle(.success(HTTPClient.Response(head.0, headers: head.1, body: Body(download.takeAll()))))
    }

    /// The first outcome is the one that holds.
    private func settle(_ outcome: Result<HTTPClient.Response, any Error>) {
        let waiter = state.withLock { state in
            guard !state.isSettled else { return nil as UnsafeContinuation<HTTPClient.Response, any Error>? }
            state.isSettled = true
            if state.waiter == nil { state.outcome = outcome }
            return state.waiter.take()
        }
        waiter?.resume(with: outcome)
    }
}
