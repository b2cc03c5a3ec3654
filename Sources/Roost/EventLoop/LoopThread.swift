internal import CLinux
import Glibc

/// A thread that runs one closure.
package struct LoopThread: Sendable {
    private let thread: pthread_t

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts the thread; the name is what `ps -L` shows, at most 15 bytes.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // A file that reaches the process's size limit must be an error, like a full disk, and not end the process.
        // Statements of a database run on such threads, so this holds for most programs without a server, too.
        signal(SIGXFSZ, SIG_IGN)
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

    /// Waits for the thread to end.
    package func join() { pthread_join(thread, nil) }
    /// Lets the thread end by itself.
    package func detach() { pthread_detach(thread) }
}
