import Glibc

/// A thread of its own for one piece of work that blocks.
///
/// Swift's pool has as many threads as the machine has cores, and the server under test runs on them too, so a client
/// that waited there could wait for itself.
package enum BlockingThread {
    /// Runs `work` on a new thread and suspends the caller until it is done.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let code = start { continuation.resume(with: Result { try work() }) }
            if code != 0 {
                continuation.resume(throwing: HTTPClientError.systemCall("pthread_create", errno: code))
            }
        }
    }

    /// Starts a detached thread that calls `body`; returns 0, or the error number when there is no thread to be had.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let argument = Unmanaged.passRetained(Job(body: body)).toOpaque()
        let code = create(argument)
        if code != 0 { Unmanaged<Job>.fromOpaque(argument).release() }
        return code
    }

    // Apart from `start`: Swift 6.3.1 crashes (SendNonSendable, «map::at») on a body that does both, making the job
    // and passing the C function.
    private static func create(_ argument: UnsafeMutableRawPointer) -> Int32 {
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                argument.map { Unmanaged<Job>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            },
            argument
        )
        if code == 0 { pthread_detach(thread) }
        return code
    }

    /// Carries a closure through `pthread_create`'s one pointer.
    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
