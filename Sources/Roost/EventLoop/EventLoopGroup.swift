internal import CLinux
import Glibc

/// The loops of a server, each on a thread of its own.
final class EventLoopGroup: Sendable {
    let loops: [EventLoop]
    private let threads: [LoopThread]

    /// Starts `count` loops.
    /// - Throws: ``SystemError`` when the system refuses a loop or a thread.
    init(count: Int) throws(SystemError) {
        var loops: [EventLoop] = []
        for _ in 0..<count { loops.append(try EventLoop()) }
        var threads: [LoopThread] = []
        for (index, loop) in loops.enumerated() {
            threads.append(try LoopThread(name: "roost-loop-\(index)") { loop.run() })
        }
        self.loops = loops
        self.threads = threads
    }

    /// Ends the loops after their current turns, and waits for nothing: for whoever may be on one of their threads.
    func abandon() {
        for loop in loops { loop.stop() }
        for thread in threads { thread.detach() }
    }

    /// Ends the loops after their current turns and waits for their threads.
    func stop() {
        for loop in loops { loop.stop() }
        for thread in threads { thread.join() }
    }
}

/// A thread that runs one closure.
private struct LoopThread: Sendable {
    private let thread: pthread_t

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                pthread_setname_np(pthread_self(), start.name)
                start.body()
                return nil
            },
            start.toOpaque()
        )
        guard code == 0 else {
            start.release()
            throw SystemError("pthread_create", code: code)
        }
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }
    func detach() { pthread_detach(thread) }
}
